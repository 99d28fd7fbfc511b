"""Answers to the queries of users: their rows in batches, their values as text, and what is wrong with the SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.errors import SpecError, UsageError
from scorespec.plan.rendering.templates import quoted

ROWS_OF_A_BATCH = 2048  # as DuckDB makes them; the first are printed while it looks for the others

UNKNOWN_COLUMN = re.compile(r'Referenced column "([^"]*)" not found')

# Types whose values Arrow, Python and JSON can all represent. Dates are not among them: `infinity` is a date.
REPRESENTABLE = {
    *("boolean", "tinyint", "smallint", "integer", "bigint", "hugeint", "utinyint", "usmallint", "uinteger", "ubigint"),
    *("float", "double", "decimal", "varchar", "enum", "null", '"null"'),
}
NESTED = {"list", "array", "struct", "tuple", "map"}


@contextmanager
def answer(connection: Any, sql: str, as_text: bool) -> Iterator[pa.RecordBatchReader]:
    """The rows of a query on a connection to a results database; see :meth:`.StoredRuns.stream`."""
    with _faults_of(sql):
        if not connection.extract_statements(sql):
            raise UsageError("the query has no SQL statement")
        found = connection.sql(sql)
        if found is None:  # a statement without rows
            yield pa.table({}).to_reader()
            return
        batches = (_as_text(found) if as_text else found).to_arrow_reader(ROWS_OF_A_BATCH)
    yield pa.RecordBatchReader.from_batches(batches.schema, _checked(batches, sql))


def _checked(batches: pa.RecordBatchReader, sql: str) -> Iterator[pa.RecordBatch]:
    """Batches of rows; a fault of the SQL that shows only now is a SpecError."""
    while True:
        with _faults_of(sql):
            try:
                batch = batches.read_next_batch()
            except StopIteration:
                return
        yield batch


@contextmanager
def _faults_of(sql: str) -> Iterator[None]:
    """Raise SpecError for an error of a query; Arrow makes an OSError of those that show while rows are read."""
    try:
        yield
    except (duckdb.Error, OSError) as error:
        text = str(error).strip()
        raise SpecError(f"{text}{_hint(sql, text)}") from None


def _as_text(found: Any) -> Any:
    shown = [_text_type(kind) for kind in found.types]
    if not any(shown):
        return found
    # By number, because several columns may have one name.
    columns = (
        f"CAST(#{number} AS {kind}) AS {quoted(name)}" if kind else f"#{number} AS {quoted(name)}"
        for number, (name, kind) in enumerate(zip(found.columns, shown, strict=True), start=1)
    )
    return found.project(", ".join(columns))


def _text_type(kind: Any) -> str | None:
    """The type to cast a column to, with text for values that cannot be represented; None if all can."""
    if _is_representable(kind):
        return None
    if kind.id in ("list", "array"):
        return f"{_text_type(kind.children[0][1])}[]"
    if kind.id == "struct":
        fields = (f"{quoted(name)} {_text_type(each) or each}" for name, each in kind.children)
        return f"STRUCT({', '.join(fields)})"
    return "VARCHAR"


def _is_representable(kind: Any) -> bool:
    if kind.id not in NESTED:
        return kind.id in REPRESENTABLE
    inner = [
        each for name, each in kind.children if not isinstance(each, int)
    ]  # the children of an array include its size
    if kind.id == "map" and inner[0].id in ("float", "double"):
        return False  # a key may be NaN, which is not equal to itself
    return all(map(_is_representable, inner))


def _hint(sql: str, said: str) -> str:
    """A hint for errors that users of results often meet."""
    if said.startswith("Permission Error"):
        return "\nhint: `--allow-files` (in Python `allow_files=True`) lets a query read and write files"
    if re.search(r'(?<!")\boffset\b(?!")', sql, re.IGNORECASE):
        return '\nhint: `offset` is a word of SQL; the column is "offset", in quotation marks'
    if (name := UNKNOWN_COLUMN.search(said)) and f'"{name[1]}"' in sql:
        return f"\nhint: text stands in single quotes, names in double quotes: '{name[1]}'"
    return ""
