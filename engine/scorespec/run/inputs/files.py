"""The files of inputs: finds them, copies pipes, hashes what is read, and notices changes. Writes files of results."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import stat
import sys
from dataclasses import dataclass
from pathlib import Path, PosixPath
from typing import IO, Any
from weakref import finalize

from scorespec.errors import Code, InputError, RunError, UsageError, bad_input
from scorespec.run.folders import TemporaryFolder

READ_AT_ONCE = 2**20
STDIN = "-"  # the path that stands for standard input


class Files:
    """Finds the files of a run's inputs.

    Some inputs are read more than once: for the names of their columns, for their rows, for the lines that messages
    quote. A pipe can be read only once, so it is copied into a temporary folder, which is removed with this object.
    Standard input is copied, too.
    """

    def __init__(self, temp_dir: str | Path | None = None) -> None:
        self._temp_dir = temp_dir
        self._folder: TemporaryFolder | None = None
        self._copies: dict[Path, Path] = {}
        self._stdin_of: str | None = None  # the input that standard input was read for

    def find(self, path: Path) -> Path:
        """The file to read for ``path``: a regular file itself, or the copy of a pipe.

        Raises InputError for a path where there is no file.
        """
        try:
            mode = path.stat().st_mode
            if stat.S_ISDIR(mode):
                raise bad_input(shown_path(path), "is a folder, not a file", code=Code.NO_FILE)
            return self._copy(path) if stat.S_ISFIFO(mode) else path
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path
            raise unreadable(path, error) from None

    def standard_input(self, name: str) -> Path:
        """The copy of standard input, which the input ``name`` reads. Raises UsageError if another input reads it."""
        if self._stdin_of not in (None, name):
            raise UsageError(f"inputs {self._stdin_of!r} and {name!r} are both standard input, which has one content")
        self._stdin_of = name
        if Path(STDIN) not in self._copies:
            if sys.stdin is None:
                raise UsageError(f"input {name!r} is standard input, and there is none")
            self._copy_from(sys.stdin.buffer, Path(STDIN))
        return self._copies[Path(STDIN)]

    def _copy(self, pipe: Path) -> Path:
        if pipe not in self._copies:
            with pipe.open("rb") as source:
                self._copy_from(source, pipe)
        return self._copies[pipe]

    def _copy_from(self, source: IO[bytes], path: Path) -> None:
        if self._folder is None:
            self._folder = TemporaryFolder("scorespec-pipes-", self._temp_dir)
            finalize(self, self._folder.close)
        copy = self._folder.path / str(len(self._copies)) / path.name  # its suffixes tell its format
        copy.parent.mkdir()
        with copy.open("wb") as target:
            shutil.copyfileobj(source, target, READ_AT_ONCE)
        self._copies[path] = copy


def write_file(path: str | Path, content: str | bytes) -> None:
    """Write a file, text as UTF-8. Raises RunError if it cannot be written."""
    try:
        Path(path).write_bytes(content.encode() if isinstance(content, str) else content)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise RunError(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def shown_path(path: str | Path) -> str:
    """A path as messages and records show it; bytes that are not UTF-8 are escaped."""
    if str(path) == STDIN:
        return "<stdin>"
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def unreadable(path: str | Path, error: OSError | ValueError) -> InputError:
    """The error about a file that cannot be opened."""
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    problem = "no such file" if isinstance(error, FileNotFoundError) else f"cannot be read: {reason}"
    hint = "; ~ is not expanded here, write the whole path" if str(path).startswith("~") else ""
    code = Code.NO_FILE if isinstance(error, FileNotFoundError) else Code.UNREADABLE
    return bad_input(shown_path(path), problem + hint, code=code)


@dataclass(frozen=True)
class Content:
    """The number of bytes that were read of a file, and their SHA-256."""

    bytes: int
    sha256: str


class HashedPath(PosixPath):
    """A file that is hashed while it is read, so that the hash covers exactly the bytes that were read."""

    content: Content | None = None

    def open(self, *_: Any, **__: Any) -> Any:
        """Open it to read bytes. ``content`` is set when the end is reached."""
        return _HashedFile(self)


class _HashedFile(io.FileIO):
    def __init__(self, path: HashedPath) -> None:
        super().__init__(str(path), "rb")
        self._path = path
        self._sha256 = hashlib.sha256()
        self._bytes = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(-1 if size is None else size)
        self._sha256.update(data)
        self._bytes += len(data)
        if not data:
            self._path.content = Content(self._bytes, self._sha256.hexdigest())
        return data


def hash_file(path: Path) -> Content:
    """The content of a file that DuckDB reads."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return Content(file.tell(), digest)


@dataclass(frozen=True)
class Stamp:
    """The properties of a file that show whether it has changed.

    Archives can restore the time of modification, ``modified``. The time of ``change`` is the system's own: no program
    can set it.
    """

    path: Path
    device: int
    inode: int
    size: int
    modified: int
    change: int

    @classmethod
    def of(cls, path: Path) -> Stamp:
        found = path.stat()
        return cls(path, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)

    def check(self, shown: str) -> None:
        """Raise InputError if the file has changed: rows of the old and the new content may have been read."""
        try:
            same = Stamp.of(self.path) == self
        except OSError:
            same = False
        if not same:
            raise bad_input(shown, "was changed while it was read; score it again", code=Code.CHANGED)
