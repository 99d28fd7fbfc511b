"""Runs SQL on results databases: read-only, without extensions, and without other files unless the user allows them."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.errors import RunError, SpecError, UsageError, unknown
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.results.opening import check_tables, tables_in
from scorespec.run.attaching import attach, opened, reason, shut
from scorespec.run.interrupts import using
from scorespec.run.limits import Limits

ROWS_OF_A_BATCH = 2048  # as DuckDB makes them; the first are printed while it looks for the others

UNKNOWN_COLUMN = re.compile(r'Referenced column "([^"]*)" not found')

# Types whose values Arrow, Python and JSON can all represent. Dates are not among them: `infinity` is a date.
REPRESENTABLE = {
    *("boolean", "tinyint", "smallint", "integer", "bigint", "hugeint", "utinyint", "usmallint", "uinteger", "ubigint"),
    *("float", "double", "decimal", "varchar", "enum", "null", '"null"'),
}
NESTED = {"list", "array", "struct", "tuple", "map"}


class _Once(threading.local):
    """The connections of a thread in blocks of :func:`opened_once`, by path and schema."""

    connections: Mapping[tuple[Path, str], Any] = {}


_once = _Once()


def read(path: Path, sql: str, schema: str, allow_files: bool = False, as_text: bool = False) -> pa.Table:
    """All rows of a query; arguments and errors are those of :func:`stream`."""
    with stream(path, sql, schema, allow_files, as_text) as rows:
        return rows.read_all()


def table_names(path: Path, schema: str) -> list[str]:
    """The names of the tables of a results database, without views; files of earlier versions lack some."""
    with reading(path, schema) as connection:
        return sorted(tables_in(connection, "results", schema))


@contextmanager
def stream(
    path: Path, sql: str, schema: str, allow_files: bool = False, as_text: bool = False
) -> Iterator[pa.RecordBatchReader]:
    """The rows of a query over a results database, whose tables are in ``schema``, batch by batch as they are found.

    The SQL cannot change settings, and can open other files only with ``allow_files``. With ``as_text``, values that
    Python or JSON cannot represent, such as intervals and the date `infinity`, become text as DuckDB writes it.
    Raises UsageError for a query without a statement, RunError when the file cannot be opened, SpecError when the SQL
    is at fault, also while rows are read.
    """
    with reading(path, schema, allow_files) as connection, _answer(connection, sql, as_text) as rows:
        yield rows


@contextmanager
def reading(path: Path, schema: str, allow_files: bool = False) -> Iterator[Any]:
    """A connection that reads a results database, for :func:`ask`; arguments and errors are those of :func:`stream`."""
    if not allow_files and (path, schema) in _once.connections:
        yield _once.connections[path, schema]
    else:
        with _connected(path, schema, allow_files) as connection:
            yield connection


@contextmanager
def opened_once(path: Path, schema: str) -> Iterator[None]:
    """Inside the block, this thread reads a database on one connection: opening it takes longer than most queries."""
    with reading(path, schema) as connection:
        outer = _once.connections
        _once.connections = {**outer, (path, schema): connection}
        try:
            yield
        finally:
            _once.connections = outer


@contextmanager
def _connected(path: Path, schema: str, allow_files: bool) -> Iterator[Any]:
    if not os.path.isfile(path):
        raise RunError(f"{path}: no such results database")
    with opened(Limits()) as connection, using(_spill_folder(connection)):
        try:
            attach(connection, path, "results", read_only=True)
        except RunError as error:
            raise RunError(f"{path}: cannot be opened: {error}") from None
        _enter(connection, path, schema, allow_files)
        if allow_files:
            connection.execute("SET lock_configuration = true")
        else:
            shut(connection)
        try:
            check_tables(connection, "results", schema, newer=True)
        except (RunError, duckdb.Error) as error:
            said = reason(error, path) if isinstance(error, duckdb.Error) else error
            raise RunError(f"{path}: cannot be read: {said}") from None
        yield connection


@contextmanager
def reading_table(results: Path, table: str) -> Iterator[None]:
    """Raise RunError with the file and the table for an error that rows have which scorespec did not write."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        reason: str = f"{type(error).__name__}: {error}"
    except (duckdb.Error, pa.ArrowException, SpecError) as error:
        reason = str(error)
    else:
        return
    (line, *_) = reason.splitlines()
    raise RunError(f"{results}: its table {table} is damaged ({line}); restore the file, or score again")


def ask(connection: Any, sql: str, as_text: bool = False) -> pa.Table:
    """All rows of a query on a connection of :func:`reading`; errors and ``as_text`` are those of :func:`stream`."""
    with _answer(connection, sql, as_text) as rows:
        return rows.read_all()


@contextmanager
def _answer(connection: Any, sql: str, as_text: bool = False) -> Iterator[pa.RecordBatchReader]:
    with _faults_of(sql):
        if not connection.extract_statements(sql):
            raise UsageError("the query has no SQL statement")
        found = connection.sql(sql)
        if found is None:  # a statement without rows
            yield pa.table({}).to_reader()
            return
        batches = (_as_text(found) if as_text else found).to_arrow_reader(ROWS_OF_A_BATCH)
    yield pa.RecordBatchReader.from_batches(batches.schema, _checked(batches, sql))


def _spill_folder(connection: Any) -> Path:
    return Path(connection.execute("SELECT current_setting('temp_directory')").fetchone()[0])


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


def _enter(connection: Any, path: Path, schema: str, allow_files: bool) -> None:
    """Look up bare names in a schema of the database. Unless files are allowed, no macro there replaces a function."""
    asked = "SELECT schema_name FROM duckdb_schemas() WHERE database_name = 'results' "
    known = [name for (name,) in connection.execute(asked).fetchall()]
    if schema not in known:
        raise unknown(f"{path} has no schema {schema!r}", schema, known)
    places = ["system.main"] * (not allow_files) + [f"results.{quoted(schema)}"]  # EXPORT takes the first
    connection.execute(f"SET search_path = {text_literal(','.join(places))}")


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
