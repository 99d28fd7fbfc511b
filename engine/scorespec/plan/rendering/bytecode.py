"""Keeps compiled templates beside those that ship, as Python keeps compiled modules beside their sources.

Without them, half of the time in which a new process compiles a plan is that in which Jinja compiles templates.
"""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from types import CodeType

import jinja2
from jinja2.bccache import Bucket, BytecodeCache

from scorespec.catalog.documents import shipped


class KeptBytecode(BytecodeCache):
    """Bytecode in `sql/__pycache__`, or below the folder that Python is given for bytecode.

    A file is replaced when its template, this package's Jinja environment or Jinja changes. Where Python may not write
    bytecode, nothing is written.
    """

    def __init__(self, environment_source: bytes) -> None:
        self._folder = kept_folder()
        self._made_by = hashlib.sha256(environment_source + jinja2.__version__.encode()).hexdigest()

    def get_source_checksum(self, source: str) -> str:
        """The hash of everything that the bytecode of a template depends on."""
        return hashlib.sha256(f"{self._made_by}{source}".encode()).hexdigest()

    def code(self, environment: jinja2.Environment, name: str, source: str) -> CodeType:
        """The bytecode of a template without a file of its own; ``name`` is the name under which it is kept."""
        bucket = self.get_bucket(environment, name, None, source)
        if bucket.code is None:
            bucket.code = environment.compile(source)
            self.dump_bytecode(bucket)
        return bucket.code

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read the bytecode of a template, if it is kept and is that of its present source."""
        with suppress(Exception):  # there is no such file, or it is damaged
            bucket.bytecode_from_string(self._path(bucket).read_bytes())

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the bytecode of a template."""
        write_kept(self._path(bucket), bucket.bytecode_to_string())

    def _path(self, bucket: Bucket) -> Path:
        return self._folder / f"{bucket.key}.{sys.implementation.cache_tag}.pyc"


def kept_folder() -> Path:
    """`sql/__pycache__`, or its place below the folder that Python is given for bytecode."""
    return Path(cache_from_source(str(shipped("sql") / "templates.py"))).parent


def write_kept(path: Path, content: bytes) -> None:
    """Write a file of that folder, unless Python may not write bytecode. Other processes see the whole file or none."""
    if sys.dont_write_bytecode:
        return
    written = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True, parents=True)
        written.write_bytes(content)
        written.replace(path)
