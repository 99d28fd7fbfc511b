"""The results database: runs with their inputs, scores, statistics per unit and evidence, as plain DuckDB.

A run is written by a DuckDB instance of its own, in one transaction: the connection that runs spec SQL never
sees the file, and a run that fails leaves it as it was.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.compiler.templates import quoted
from scorespec.errors import RunError, SpecError
from scorespec.version import __version__

TABLES = {
    "runs": "id BIGINT, time TIMESTAMPTZ, suite VARCHAR, signature VARCHAR, parameters JSON, versions JSON",
    "inputs": 'run BIGINT, name VARCHAR, path VARCHAR, format VARCHAR, "rows" BIGINT, bytes BIGINT, sha256 VARCHAR',
    "scores": "run BIGINT, metric VARCHAR, component VARCHAR, slice JSON, value DOUBLE, std DOUBLE, "
    "folds BIGINT, note VARCHAR",
    "unit_statistics": "run BIGINT, metric VARCHAR, unit JSON, slice JSON, statistics JSON",
    "curves": "run BIGINT, metric VARCHAR, slice JSON, rank BIGINT, threshold DOUBLE, mark VARCHAR",
}
TYPES = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE"}  # of values that are put before rows; all others are text
PATIENCE = 60.0  # seconds to wait while another process writes the same file
LOCKED = "could not set lock"  # what DuckDB says while another process has the file


@dataclass(frozen=True)
class InputRecord:
    """A row of `inputs`: what was scored; ``bytes`` and ``sha256`` are None for objects in memory."""

    name: str
    path: str
    format: str
    rows: int
    bytes: int | None
    sha256: str | None


@dataclass(frozen=True)
class RunRecord:
    """A row of `runs`, without its id."""

    suite: str
    signature: str
    parameters: Mapping[str, Any]
    time: datetime

    @property
    def versions(self) -> dict[str, str]:
        return {"scorespec": __version__, "duckdb": duckdb.__version__}


def check_writable(path: Path) -> None:
    """Raise RunError now, before anything is scored, if ``path`` cannot become or is no results database."""
    if path.is_dir():
        raise RunError(f"cannot write results to {path}: it is a folder")
    if not path.parent.is_dir():
        raise RunError(f"cannot write results to {path}: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise RunError(f"cannot write results to {path}: it is not a file")  # but a device or a pipe
    try:
        if path.exists():
            with path.open("r+b") as file:
                if (head := file.read(12)) and head[8:] != b"DUCK":
                    raise RunError(f"cannot write results to {path}: it is not a DuckDB database")
        else:  # tried under another name: another process may make this file meanwhile
            probe = path.with_name(f"{path.name}.{os.getpid()}")
            probe.touch()
            probe.unlink()
    except OSError as error:
        raise RunError(f"cannot write results to {path}: {error.strerror}") from None


class ResultsWriter:
    """Writes one run; see :func:`writing`."""

    def __init__(self, connection: Any, run: int) -> None:
        self._connection = connection
        self.run = run

    def record(self, run: RunRecord, inputs: list[InputRecord]) -> None:
        """The rows of `runs` and `inputs`."""
        texts = [json.dumps(value, default=list) for value in (run.parameters, run.versions)]
        self._connection.execute(
            "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?)",
            [self.run, run.time, run.suite, run.signature, *texts],
        )
        for each in inputs:
            row = [self.run, each.name, each.path, each.format, each.rows, each.bytes, each.sha256]
            self._connection.execute("INSERT INTO inputs VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def append(self, table: str, rows: Any, constants: Mapping[str, Any] | None = None) -> None:
        """Rows of an Arrow table or reader, each with the run's id and ``constants`` in front.

        A table that is not there is made; columns it lacks are added.
        """
        added = {"run": self.run, **(constants or {})}
        self._connection.register("incoming", rows)
        try:
            fixed = "".join(f"? AS {quoted(name)}, " for name in added)
            source = f"SELECT {fixed}* FROM incoming"
            self._make_room(table, rows.schema, added)
            self._connection.execute(f"INSERT INTO {quoted(table)} BY NAME {source}", list(added.values()))
        except duckdb.ConversionException as error:
            said = str(error).splitlines()[0]
            raise RunError(f"{table} of earlier runs has columns of another type ({said}); use a new file") from None
        finally:
            self._connection.unregister("incoming")

    def _make_room(self, table: str, schema: pa.Schema, added: Mapping[str, Any]) -> None:
        shape = self._connection.from_arrow(pa.RecordBatchReader.from_batches(schema, []))
        columns = dict(zip(shape.columns, map(str, shape.types), strict=True))
        columns = {
            **{name: TYPES.get(type(value), "VARCHAR") for name, value in added.items()},
            **columns,
        }
        listed = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns.items())
        self._connection.execute(f"CREATE TABLE IF NOT EXISTS {quoted(table)} ({listed})")
        for name, kind in columns.items():
            self._connection.execute(f"ALTER TABLE {quoted(table)} ADD COLUMN IF NOT EXISTS {quoted(name)} {kind}")


@contextmanager
def writing(path: Path) -> Iterator[ResultsWriter]:
    """Append one run to a results database: all of it when the block ends well, nothing otherwise."""
    new = not path.exists() or path.stat().st_size == 0
    ours = False  # whether this run made the file; known once no other process can write it
    try:
        connection = _connect(path)
        try:
            ours = new and not connection.execute("SELECT 1 FROM duckdb_tables()").fetchall()
            connection.execute("BEGIN")
            for name, columns in TABLES.items():
                connection.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
            run = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM runs").fetchall()[0][0]
            yield ResultsWriter(connection, int(run))
            connection.execute("COMMIT")
            ours = False
        finally:
            connection.close()
    except duckdb.Error as error:
        raise RunError(f"cannot write results to {path}: {str(error).splitlines()[0]}") from None
    finally:
        if ours:
            for leftover in (path, path.with_name(path.name + ".wal")):
                leftover.unlink(missing_ok=True)


def _connect(path: Path, read_only: bool = False) -> Any:
    """Open a results database, waiting while another process writes it."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return duckdb.connect(str(path.absolute()), read_only=read_only)  # DuckDB would expand a `~` in front
        except duckdb.IOException as error:
            if LOCKED not in str(error).lower() or time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def read(path: Path, sql: str) -> pa.Table:
    """The rows of a query over a results database.

    Raises RunError when the file cannot be opened, SpecError when the SQL is at fault.
    """
    if not path.is_file():
        raise RunError(f"{path}: no such results database")
    try:
        connection = _connect(path, read_only=True)
    except duckdb.Error as error:
        raise RunError(f"{path}: cannot be opened: {str(error).splitlines()[0]}") from None
    try:
        found = connection.sql(sql)
        return pa.table({}) if found is None else found.to_arrow_table()  # None: a statement without rows
    except duckdb.Error as error:
        raise SpecError(f"{str(error).strip()}{_hint(sql)}") from None
    finally:
        connection.close()


def _hint(sql: str) -> str:
    """What to say to SQL that fails and has a column's name that is a word of SQL too."""
    bare = re.search(r'(?<!")\boffset\b(?!")', sql, re.IGNORECASE)
    return '\nhint: `offset` is a word of SQL; the column is "offset", in quotation marks' if bare else ""


def now() -> datetime:
    """The time of a run, to the second."""
    return datetime.now(UTC).replace(microsecond=0)
