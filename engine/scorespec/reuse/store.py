"""The folder of `--reuse`: results that runs keep, by address, with a manifest each.

``ADDRESS/manifest.json`` says what is kept, and has size and sha256 of each Parquet file next to it. A result is
written in a folder of the process, and renamed as a whole; so other processes see all of it or nothing. A process reads
a file through a hard link in its own folder; so other processes can remove the result meanwhile.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.core.terminal import complain
from scorespec.errors import RunError, UsageError
from scorespec.plan.rendering.templates import quoted
from scorespec.reuse import Reusing
from scorespec.run.folders import TemporaryFolder
from scorespec.run.inputs.files import Content, Stamp, hash_file, shown_path
from scorespec.run.session import Session, queried
from scorespec.run.table_files import FileRows, TableWriter, exact_columns, written_columns

ROWS = "rows"  # the table of a result that has its rows
SHOWN = 12  # characters of an address
MANIFEST, IN_USE = "manifest.json", "in-use-"
ADDRESS = re.compile(r"[0-9a-f]{64}")
JUST_NOW = 2 * 10**9  # nanoseconds in which a file may change again without a new time of change
LEFT_OVER = 24 * 3600  # seconds after which the folder of a process is one that a crash of the machine left


@dataclass(frozen=True)
class StoredTable:
    """A table in a Parquet file: its numbers of rows and bytes, the sha256 of the file, the type of each column."""

    rows: int
    bytes: int
    sha256: str
    columns: Mapping[str, str]

    def query(self, path: Path) -> str:
        """The query of the rows of the table, whose file is at a path."""
        return FileRows(self.columns, [str(path)]).query


def write_rows(session: Session, name: str, path: Path, rows: int, seconds: float) -> StoredTable | None:
    """Write a table of some ``rows`` to a file.

    Returns None, and leaves no file, if a column cannot be stored exactly, or if writing would take more ``seconds``.
    The time is projected from the first rows. Raises OSError if the file cannot be written.
    """
    columns = exact_columns(session, name)
    if columns is None:
        return None
    sql = f"SELECT {written_columns(columns)} FROM {quoted(name)}"
    begun, is_late = time.perf_counter(), False
    try:
        with session.batches(sql, lists=True) as reader, TableWriter(path, reader.schema) as writer:
            for batch in queried(reader):
                # Judged after each row group: single batches may be small.
                is_late = writer.add(batch) and (time.perf_counter() - begun) * rows > seconds * writer.rows
                if is_late:
                    break
    except (duckdb.Error, pa.ArrowException):  # such as a HUGEINT that cannot be stored
        is_late = True
    if is_late:
        path.unlink(missing_ok=True)
        return None
    content = hash_file(path)
    return StoredTable(rows, content.bytes, content.sha256, columns)


@dataclass(frozen=True)
class Artefact:
    """A result that is kept: what it is, the seconds that it took, its tables, and ``facts`` about it."""

    address: str
    about: str
    seconds: float
    tables: Mapping[str, StoredTable] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    used: float = 0.0  # when, in seconds since 1970

    @property
    def bytes(self) -> int:
        return sum(table.bytes for table in self.tables.values())


Write = Callable[[str, Path], StoredTable | None]  # writes a table to a path, if that is possible


class Store:
    """The results in a folder; :meth:`close` removes what this process has next to them, and what exceeds the limit.

    Raises RunError if the folder cannot be made.
    """

    def __init__(self, reusing: Reusing) -> None:
        self.folder, self._limit = reusing.folder.absolute(), reusing.limit
        self._made = self._failed = False
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"--reuse {reusing.folder}: cannot make this folder: {error.strerror}") from None
        self._own = TemporaryFolder(IN_USE, self.folder)

    def close(self) -> None:
        if self._made:
            trim(self.folder, self._limit)
        self._own.close()

    def find(self, address: str) -> Artefact | None:
        """The result with an address, if it is kept; one whose manifest is damaged is removed."""
        place = self.folder / address
        try:
            found = read_manifest(place)
        except FileNotFoundError:
            return None
        if found is None or found.address != address:
            self._discard(place)
            return None
        with suppress(OSError):
            os.utime(place / MANIFEST)
        return found

    def open(self, artefact: Artefact, table: str) -> Path | None:
        """A link to the file of a table, which only this process has; a result with a damaged file is removed."""
        source, link = (self.folder / artefact.address / f"{table}.parquet"), self._file(artefact.address, table)
        try:
            if not link.exists():
                _link(source, link)
            content = hash_file(link)
        except OSError:
            content = None
        stored = artefact.tables[table]
        if content == Content(stored.bytes, stored.sha256):
            return link
        self._discard(self.folder / artefact.address)
        return None

    def _file(self, address: str, table: str) -> Path:
        return self._own.path / f"{address}.{table}.parquet"

    def keep(self, artefact: Artefact, names: Iterable[str] = (), write: Write | None = None) -> bool:
        """Keep a result with the tables ``names``, which ``write`` writes; returns False if it cannot be kept.

        No run fails because of that.
        """
        new = self._own.path / f"new-{artefact.address}"
        try:
            new.mkdir()
            tables = {name: write(name, new / f"{name}.parquet") for name in names} if write else {}
            if None in tables.values():
                return False
            body = {**asdict(artefact), "tables": {name: asdict(each) for name, each in tables.items() if each}}
            sealed = {"sha256": _sha256(json.dumps(body)), "body": body}
            (new / MANIFEST).write_text(json.dumps(sealed), encoding="utf-8")
            self._put(new, self.folder / artefact.address)
            self._made = True
            return True
        except OSError as error:
            if not self._failed:
                complain(f"--reuse: cannot keep {artefact.about}: {error.strerror}")
            self._failed = True
            return False
        finally:
            shutil.rmtree(new, ignore_errors=True)

    def _put(self, new: Path, place: Path) -> None:
        """Rename a folder. One that is there already is replaced, because it may know less."""
        try:
            new.rename(place)
        except OSError:
            self._discard(place)
            with suppress(FileExistsError):
                new.rename(place)

    def _discard(self, place: Path) -> None:
        """Remove a result: it is renamed first, so that no process sees a part of it."""
        old = self._own.path / f"old-{time.monotonic_ns()}"
        with suppress(OSError):
            place.rename(old)
            shutil.rmtree(old, ignore_errors=True)

    def content(self, path: Path, stamp: Stamp) -> Content:
        """Size and hash of a file, which is hashed once for each path and :class:`.Stamp`."""
        known = [os.fsdecode(path.resolve()), stamp.device, stamp.inode, stamp.size, stamp.modified, stamp.change]
        address = _sha256(json.dumps(known))
        if found := self.find(address):
            return Content(**found.facts)
        content = hash_file(path)
        if time.time_ns() - max(stamp.modified, stamp.change) > JUST_NOW:
            self.keep(Artefact(address, f"hash of {shown_path(path.name)}", 0.0, facts=asdict(content)))
        return content


def _link(source: Path, link: Path) -> None:
    try:
        os.link(source, link)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without hard links
        shutil.copyfile(source, link)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def read_manifest(place: Path) -> Artefact | None:
    """The result in a folder; None if its manifest is damaged. Raises FileNotFoundError if it has none."""
    path = place / MANIFEST
    try:
        used, found = path.stat().st_mtime, json.loads(path.read_text(encoding="utf-8"))
        body = found["body"]
        if _sha256(json.dumps(body)) != found["sha256"]:
            return None
        tables = {name: StoredTable(**table) for name, table in body["tables"].items()}
        return Artefact(**{**body, "tables": tables, "used": used})
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(path) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def kept_in(folder: Path) -> list[Artefact]:
    """The results in a folder, the last used first. Raises UsageError if there is no such folder."""
    found = []
    for place in _places(folder):
        with suppress(FileNotFoundError):
            found.append(read_manifest(place))
    return sorted((each for each in found if each), key=lambda each: -each.used)


def listed(artefacts: Iterable[Artefact]) -> pa.Table:
    """Some results as an Arrow table."""
    rows = [
        {
            "result": each.about,
            "address": each.address[:SHOWN],
            "rows": each.tables[ROWS].rows if ROWS in each.tables else None,
            "bytes": each.bytes,
            "seconds": round(each.seconds, 3),
            "used": datetime.fromtimestamp(each.used, UTC).replace(microsecond=0),
        }
        for each in artefacts
    ]
    kinds = {"result": pa.string(), "address": pa.string(), "rows": pa.int64(), "bytes": pa.int64()}
    kinds |= {"seconds": pa.float64(), "used": pa.timestamp("s", "UTC")}
    return pa.Table.from_pylist(rows, pa.schema(kinds))


def clear(folder: Path) -> tuple[int, int]:
    """Remove all results of a folder, and nothing else; returns their number and bytes."""
    removed = [_remove(place) for place in _places(folder)]
    for each in folder.glob(f"{IN_USE}*"):
        with suppress(OSError):
            if time.time() - each.stat().st_mtime > LEFT_OVER:
                shutil.rmtree(each, ignore_errors=True)
    return len(removed), sum(removed)


def trim(folder: Path, limit: int) -> None:
    """Remove the results that were not used for the longest time, until all others have at most ``limit`` bytes."""
    entries = []
    for place in _places(folder):
        with suppress(OSError):
            entries.append(((place / MANIFEST).stat().st_mtime, place, _size(place)))
    total = sum(size for *_, size in entries)
    for _, place, size in sorted(entries):
        if total <= limit:
            break
        _remove(place)
        total -= size


def _places(folder: Path) -> Iterator[Path]:
    """The folders of results."""
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}") from None
    return (folder / name for name in names if ADDRESS.fullmatch(name))


def _size(place: Path) -> int:
    return sum(each.stat().st_size for each in place.iterdir())


def _remove(place: Path) -> int:
    """Remove the folder of a result, as a whole; returns its bytes."""
    size = 0
    with suppress(OSError):
        size = _size(place)
        gone = place.with_name(f"{IN_USE}{place.name}-{os.getpid()}")
        place.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)
    return size
