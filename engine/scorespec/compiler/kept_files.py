"""The folder in which compiled templates are kept, as Python keeps compiled modules beside their sources."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

from scorespec.catalog.data import shipped


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
