"""The results database: runs with their inputs, scores, statistics per unit and evidence.

A run is written to a database of its own, in one transaction, by a DuckDB instance that never runs spec SQL.
`saving.py` adds it to the database that the user named.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.compiler.templates import quoted
from scorespec.runtime.attaching import attach, opened
from scorespec.runtime.session import Limits
from scorespec.version import __version__

TABLES = {
    "runs": "id BIGINT PRIMARY KEY, time TIMESTAMPTZ, suite VARCHAR, signature VARCHAR, parameters JSON, "
    "versions JSON, reference_point VARCHAR",
    "inputs": 'run BIGINT, name VARCHAR, path VARCHAR, format VARCHAR, "rows" BIGINT, bytes BIGINT, sha256 VARCHAR',
    "scores": "run BIGINT, metric VARCHAR, component VARCHAR, slice JSON, value DOUBLE, std DOUBLE, "
    "folds BIGINT, note VARCHAR",
    "unit_statistics": "run BIGINT, metric VARCHAR, unit JSON, slice JSON, statistics JSON",
    "curves": "run BIGINT, metric VARCHAR, slice JSON, rank BIGINT, threshold DOUBLE, mark VARCHAR",
}
LATER_COLUMNS = {("runs", "reference_point")}  # which results of earlier versions lack; they are added
EVIDENCE = "evidence_"  # the names of all other tables begin with this
MAIN = "main"  # the schema of the tables, unless the user names another
TYPES = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE"}  # of constants that are added to rows; all others are text
ONLY_RUN = 1  # the id of a run in a database of its own


@dataclass(frozen=True)
class InputRecord:
    """A row of `inputs`. ``bytes`` and ``sha256`` are None for objects in memory."""

    name: str
    path: str
    format: str
    rows: int
    bytes: int | None
    sha256: str | None


@dataclass(frozen=True)
class RunRecord:
    """A row of `runs`, without its id. ``reference_point`` names the trivial submission; None is a real one."""

    suite: str
    signature: str
    parameters: Mapping[str, Any]
    time: datetime
    plugins: Mapping[str, str] = field(default_factory=dict)
    reference_point: str | None = None

    @property
    def versions(self) -> dict[str, str]:
        """The version of everything that scored: scorespec, DuckDB and the plugins that were loaded."""
        return {"scorespec": __version__, "duckdb": duckdb.__version__, **self.plugins}


class ResultsWriter:
    """Writes one run; see :func:`writing`."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._tables = {*TABLES}
        self._there: set[tuple[str, ...]] = set()  # tables, each with names of columns that it has

    def record(self, run: RunRecord, inputs: list[InputRecord]) -> None:
        """The rows of `runs` and `inputs`."""
        texts = [json.dumps(value, default=list) for value in (run.parameters, run.versions)]
        self._connection.execute(
            "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)",
            [ONLY_RUN, run.time, run.suite, run.signature, *texts, run.reference_point],
        )
        for each in inputs:
            row = [ONLY_RUN, each.name, each.path, each.format, each.rows, each.bytes, each.sha256]
            self._connection.execute("INSERT INTO inputs VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def append(self, table: str, rows: Any, constants: Mapping[str, Any] | None = None) -> None:
        """Rows of an Arrow table or reader, each with the run's id and ``constants`` in front.

        A table that does not exist is created; columns that it lacks are added.
        """
        added = {"run": ONLY_RUN, **(constants or {})}
        self._connection.register("incoming", rows)
        try:
            fixed = "".join(f"? AS {quoted(name)}, " for name in added)
            source = f"SELECT {fixed}* FROM incoming"
            self._make_room(table, rows.schema, added)
            self._connection.execute(f"INSERT INTO {quoted(table)} BY NAME {source}", list(added.values()))
        finally:
            self._connection.unregister("incoming")

    def _make_room(self, table: str, schema: pa.Schema, added: Mapping[str, Any]) -> None:
        """Make the table, or the columns that it lacks."""
        names = (table, *added, *schema.names)
        if names in self._there:
            return
        self._there.add(names)
        shape = self._connection.from_arrow(pa.RecordBatchReader.from_batches(schema, []))
        columns = dict(zip(shape.columns, map(str, shape.types), strict=True))
        columns = {
            **{name: TYPES.get(type(value), "VARCHAR") for name, value in added.items()},
            **columns,
        }
        if table.lower() not in self._tables:  # as DuckDB compares names
            self._tables.add(table.lower())
            listed = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns.items())
            self._connection.execute(f"CREATE TABLE {quoted(table)} ({listed})")
            return
        for name, kind in columns.items():
            self._connection.execute(f"ALTER TABLE {quoted(table)} ADD COLUMN IF NOT EXISTS {quoted(name)} {kind}")


@contextmanager
def writing(path: Path, schema: str, limits: Limits) -> Iterator[ResultsWriter]:
    """Create a results database of one run. Raises duckdb.Error if that fails; the incomplete file stays."""
    with opened(limits) as connection:
        attach(connection, path, "results", read_only=False)
        connection.execute("BEGIN")
        make_tables(connection, "results", schema)
        connection.execute(f"USE results.{quoted(schema)}")
        yield ResultsWriter(connection)
        connection.execute("COMMIT")
        connection.execute("CHECKPOINT")  # here, because closing the database would hide that the disk is full


def make_tables(connection: Any, database: str, schema: str) -> None:
    """Create the tables that every results database has, unless they exist."""
    place = f"{database}.{quoted(schema)}"
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {place}")
    for name, columns in TABLES.items():
        connection.execute(f"CREATE TABLE IF NOT EXISTS {place}.{name} ({columns})")


def now() -> datetime:
    """The time of a run, to the second."""
    return datetime.now(UTC).replace(microsecond=0)
