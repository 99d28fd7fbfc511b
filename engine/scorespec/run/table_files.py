"""Tables in Parquet files, from which the same values and types are read again.

Parquet has no type for HUGEINT, and DuckDB would write DOUBLE in its place. So a HUGEINT is stored as its two halves.
A table with a column of a type that Parquet does not hold exactly, such as INTERVAL, is not stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa

from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.run.session import Session

# Of a row group, at most. DuckDB reads up to 2,048 rows of a row group at once, and rows with lists are large.
GROUP_ROWS, GROUP_BYTES = 100_000, 4 * 2**20
# The ids of types that Parquet holds exactly.
INTEGERS = ("tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint")
EXACT = frozenset((*INTEGERS, "boolean", "float", "double", "decimal", "blob", "date", "timestamp"))
HALF = 2**64  # a HUGEINT is high * HALF + low
LEAST = HALF - 2**127  # of a HUGEINT: below it, DuckDB's multiplication by HALF overflows


@dataclass(frozen=True)
class FileRows:
    """Rows of a table in files. ``columns`` are the types of its columns."""

    columns: Mapping[str, str]
    paths: Sequence[str]

    @property
    def query(self) -> str:
        """The query of the rows."""
        listed = ", ".join(f"{_read_as(name, kind)} AS {quoted(name)}" for name, kind in self.columns.items())
        names = ", ".join(text_literal(escape(path)) for path in self.paths)
        return f"SELECT {listed} FROM read_parquet([{names}], hive_partitioning = false)"


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


def written_columns(columns: Mapping[str, str]) -> str:
    """The columns of a table as a file has them, as SQL."""
    return ", ".join(f"{_written_as(name, kind)} AS {quoted(name)}" for name, kind in columns.items())


def _written_as(column: str, kind: str) -> str:
    name = quoted(column)
    if kind == "HUGEINT":
        refused = f"if({name} < {LEAST}, error('too small'), {name})"
        low = f"({name} & {HALF - 1}::HUGEINT)::UBIGINT"
        return f"if({name} IS NULL, NULL, {{'high': ({refused} >> 64)::BIGINT, 'low': {low}}})"
    return f"{name}::VARCHAR" if kind == "JSON" else name


def _read_as(column: str, kind: str) -> str:
    """A column of a file as the table has it, as SQL."""
    name = quoted(column)
    if kind == "HUGEINT":
        return f"({name}.high::HUGEINT * {HALF}::HUGEINT + {name}.low)"
    return f"{name}::{kind}" if kind == "JSON" else name


class TableWriter:
    """Writes record batches to a Parquet file."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        from pyarrow.parquet import ParquetWriter  # slow to load

        # A dictionary would make one value of 0.0 and -0.0.
        dictionary = [each.name for each in schema if pa.types.is_string(each.type)]
        # Statistics of Parquet leave NaN out, which DuckDB takes for the largest number.
        statistics = [each.name for each in schema if not pa.types.is_floating(each.type)]
        self._schema = schema
        self._writer = ParquetWriter(path, schema, use_dictionary=dictionary, write_statistics=statistics)
        self._held: list[pa.RecordBatch] = []  # of the next row group

    def add(self, batch: pa.RecordBatch) -> None:
        """Add rows."""
        size = max(1, batch.num_rows * GROUP_BYTES // max(batch.nbytes, 1))
        for at in range(0, batch.num_rows, size):
            self._held.append(batch.slice(at, size))
            if (
                sum(each.num_rows for each in self._held) >= GROUP_ROWS
                or sum(each.nbytes for each in self._held) >= GROUP_BYTES
            ):
                self._write_group()

    def _write_group(self) -> None:
        self._writer.write_table(pa.Table.from_batches(self._held, self._schema))
        self._held = []

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is None and self._held:
            self._write_group()
        self._writer.close()
