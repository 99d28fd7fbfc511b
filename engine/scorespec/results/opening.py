"""Checks a results database, which may come from anyone, before anything in it is used.

A connection is shut before its tables are looked at. Only tables are used: a view or macro of somebody else may compute
anything.
"""

from __future__ import annotations

from typing import Any

import duckdb

from scorespec.errors import RunError
from scorespec.plan.rendering.templates import quoted
from scorespec.results.schema import LATER_COLUMNS, MAIN, OF_VERSION_1, TABLES, VERSION

Columns = dict[str, dict[str, str]]  # the columns of each table, in lower case, with their types
OF_DUCKDB = ("memory", "system", "temp", "added")  # databases of our connections: DuckDB confuses a schema with them
IN_FILES = "parquet_evidence"  # the table in which earlier versions listed evidence in Parquet files
FOREIGN = "so it belongs to another program; --schema NAME puts results into a schema of their own"


def check_schema(schema: str) -> None:
    """Raise RunError, with only the reason, for the name of a schema that cannot hold results."""
    if schema == MAIN:
        return  # nothing is left to check, and a connection takes 15 ms
    if schema.lower() == MAIN:
        raise RunError(f"its schema is called {MAIN!r}, and not {schema!r}")
    if not schema.isprintable() or schema.lower() in OF_DUCKDB:
        raise RunError(f"there can be no schema {schema!r}; choose another name")
    with duckdb.connect() as connection:
        try:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted(schema)}")
        except duckdb.Error:
            raise RunError(f"there can be no schema {schema!r}") from None


def check_tables(connection: Any, database: str, schema: str, newer: bool = False) -> Columns:
    """The columns of the tables of a schema, without views. Results of a later version are read only if ``newer``.

    Tables of results may have more columns, and those of earlier versions lack columns. Raises RunError, with only the
    reason, for tables of another program or of a later version, and for evidence in files.
    """
    _check_case(connection, database, schema)
    found = _columns(connection, database, schema)
    ours = "results_version" in found
    for table, columns in TABLES.items():
        types = {name.lower(): kind for name, kind in found.get(table, columns).items()}
        first = OF_VERSION_1 if table == "runs" else () if ours else columns.keys() - LATER_COLUMNS.get(table, set())
        for column, kind in columns.items():
            if types.get(column, None if column in first else kind) != kind:
                lacks = f"its table {table} has no column {column} of type {kind}"
                if ours and table != "runs":
                    raise RunError(f"{lacks}; {_writer(connection, database, schema)} wrote it")
                raise RunError(f"{lacks}, {FOREIGN}")
    if IN_FILES in found:
        wrote = f"{_writer(connection, database, schema)} wrote its evidence to Parquet files beside it"
        raise RunError(f"{wrote}, which this version does not read; score again, or export it with that version")
    if ours and not newer:
        asked = f"SELECT max(version) FROM {database}.{quoted(schema)}.results_version"
        (version,) = connection.execute(asked).fetchone()
        if version is not None and version > VERSION:
            raise RunError(f"its tables have version {version}, and this scorespec writes {VERSION}; use a newer one")
    return found


def tables_in(connection: Any, database: str, schema: str) -> set[str]:
    """The names of the tables of a schema, without its views."""
    asked = "SELECT table_name FROM duckdb_tables() WHERE database_name = ? AND schema_name = ?"
    return {name for (name,) in connection.execute(asked, [database, schema]).fetchall()}


def _check_case(connection: Any, database: str, schema: str) -> None:
    """Refuse a schema whose name has other capitals than one of the database: DuckDB takes them for one schema."""
    asked = "SELECT schema_name FROM duckdb_schemas() WHERE database_name = ?"
    known = [name for (name,) in connection.execute(asked, [database]).fetchall()]
    for name in known if schema not in known else ():
        if name.lower() == schema.lower():
            raise RunError(f"its schema is called {name!r}, and not {schema!r}")


def _columns(connection: Any, database: str, schema: str) -> Columns:
    """The columns of each table of a schema. Raises RunError if a table of results is a view."""
    asked = (
        "SELECT lower(table_name), column_name, data_type FROM duckdb_columns() "
        "WHERE database_name = ? AND schema_name = ? ORDER BY table_name, column_index"
    )
    tables = {name.lower() for name in tables_in(connection, database, schema)}
    found: Columns = {}
    for table, column, kind in connection.execute(asked, [database, schema]).fetchall():
        if table in tables:
            found.setdefault(table, {})[column] = kind
        elif table in {*TABLES, IN_FILES}:
            raise RunError(f"its table {table} is a view, {FOREIGN}")
    return found


def _writer(connection: Any, database: str, schema: str) -> str:
    """The version that wrote the runs of a database."""
    asked = f"SELECT max(versions->>'scorespec') FROM {database}.{quoted(schema)}.runs"
    (version,) = connection.execute(asked).fetchone()
    return f"scorespec {version}" if version else "another version of scorespec"
