"""Writes tables as Parquet files that are read again with the same values and types.

Parquet has no type for HUGEINT, and DuckDB would write DOUBLE in its place. So a HUGEINT is stored as its two halves.
A table with a column of a type that Parquet does not hold exactly, such as INTERVAL, is not stored.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.files import hash_file
from scorespec.run.session import Session
from scorespec.run.streams import queried

GROUP_ROWS, GROUP_BYTES = 100_000, 16 * 2**20  # of a row group, at most; rows with lists are large
# The ids of types that Parquet holds exactly.
INTEGERS = ("tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint")
EXACT = frozenset((*INTEGERS, "boolean", "float", "double", "decimal", "blob", "date", "timestamp"))
FLOATS = ("FLOAT", "DOUBLE")
HALF = 2**64  # a HUGEINT is high * HALF + low
LEAST = HALF - 2**127  # of a HUGEINT: below it, DuckDB's multiplication by HALF overflows


@dataclass(frozen=True)
class StoredTable:
    """A table in a Parquet file: its numbers of rows and bytes, the sha256 of the file, the type of each column."""

    rows: int
    bytes: int
    sha256: str
    columns: Mapping[str, str]

    @property
    def select(self) -> str:
        """The columns of the table, as SQL over the columns of the file."""
        return ", ".join(f"{read_as(name, kind)} AS {quoted(name)}" for name, kind in self.columns.items())

    def query(self, path: Path) -> str:
        """The query of the rows of the table, whose file is at a path."""
        return f"SELECT {self.select} FROM read_parquet({text_literal(escape(str(path)))}, hive_partitioning = false)"


def write_rows(session: Session, name: str, path: Path, rows: int, seconds: float) -> StoredTable | None:
    """Write a table of some ``rows`` to a file.

    Returns None, and leaves no file, if a column cannot be stored exactly, or if writing would take more ``seconds``.
    The time is projected from the first rows. Raises OSError if the file cannot be written.
    """
    columns = exact_columns(session, name)
    if columns is None:
        return None
    listed = ", ".join(f"{written_as(column, kind)} AS {quoted(column)}" for column, kind in columns.items())
    try:
        with session.batches(f"SELECT {listed} FROM {quoted(name)}", lists=True) as reader:
            complete = _write(reader, columns, path, rows, seconds)
    except (duckdb.Error, pa.ArrowException):  # such as a HUGEINT that cannot be stored
        complete = False
    if not complete:
        path.unlink(missing_ok=True)
        return None
    content = hash_file(path)
    return StoredTable(rows, content.bytes, content.sha256, columns)


def exact_columns(session: Session, name: str) -> dict[str, str] | None:
    """The types of the columns of a table; None if one of them cannot be stored exactly."""
    cursor = session.connection.cursor()
    try:
        relation = cursor.sql(f"FROM {quoted(name)}")
        found = dict(zip(relation.columns, relation.types, strict=True))
    finally:
        cursor.close()
    if all(str(kind) in ("HUGEINT", "JSON") or _is_exact(kind) for kind in found.values()):
        return {column: str(kind) for column, kind in found.items()}
    return None


def _is_exact(kind: Any) -> bool:
    if kind.id in ("list", "struct"):
        return all(_is_exact(each) for _, each in kind.children)
    return kind.id in EXACT or str(kind) == "VARCHAR"  # JSON has the same id


def written_as(column: str, kind: str) -> str:
    """A column of a table as a file has it, as SQL."""
    name = quoted(column)
    if kind == "HUGEINT":
        refused = f"if({name} < {LEAST}, error('too small'), {name})"
        low = f"({name} & {HALF - 1}::HUGEINT)::UBIGINT"
        return f"if({name} IS NULL, NULL, {{'high': ({refused} >> 64)::BIGINT, 'low': {low}}})"
    return f"{name}::VARCHAR" if kind == "JSON" else name


def read_as(column: str, kind: str) -> str:
    """A column of a file as the table has it, as SQL."""
    name = quoted(column)
    if kind == "HUGEINT":
        return f"({name}.high::HUGEINT * {HALF}::HUGEINT + {name}.low)"
    return f"{name}::{kind}" if kind == "JSON" else name


def parquet_writer(path: Path, schema: pa.Schema, columns: Mapping[str, str]) -> Any:
    """A writer of Arrow tables to a file; ``columns`` are the types that DuckDB has for the columns."""
    from pyarrow.parquet import ParquetWriter  # slow to load

    options = {
        # A dictionary would make one value of 0.0 and -0.0.
        "use_dictionary": [name for name, kind in columns.items() if kind == "VARCHAR"],
        # Statistics of Parquet leave NaN out, which DuckDB takes for the largest number.
        "write_statistics": [name for name, kind in columns.items() if kind not in FLOATS],
    }
    return ParquetWriter(path, schema, compression="snappy", **options)


def _write(reader: Any, columns: Mapping[str, str], path: Path, rows: int, seconds: float) -> bool:
    """Write record batches; returns whether all of them could be written in the time."""
    written, begun = 0, time.perf_counter()
    with parquet_writer(path, reader.schema, columns) as writer:
        for group in _groups(queried(reader)):
            writer.write_table(pa.Table.from_batches(group, reader.schema))
            written += sum(each.num_rows for each in group)
            if (time.perf_counter() - begun) * rows > seconds * written:
                return False
    return True


def _groups(batches: Iterable[Any]) -> Iterable[list[Any]]:
    """Record batches that become one row group."""
    held: list[Any] = []
    for batch in batches:
        held.append(batch)
        if sum(each.num_rows for each in held) >= GROUP_ROWS or sum(each.nbytes for each in held) >= GROUP_BYTES:
            yield held
            held = []
    if held:
        yield held
