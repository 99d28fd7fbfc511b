"""The tables of results in a DuckDB database: looked at before anything in them is used, and made.

A results database may come from anyone. A connection is shut before its tables are looked at. Only tables are used: a
view or macro of somebody else may compute anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb

from scorespec.core.result_tables import COLUMNS, CURRENT, MAIN, TABLES, VERSION, run_column
from scorespec.errors import RunError
from scorespec.plan.rendering.templates import quoted

# Of runs that are equal in all of these, the run that was added last supersedes the others: the clocks of the machines
# that wrote the runs may differ.
SAME = (
    *("name", "suite", "gold", "documents", "metrics", "breakdowns", "parameters", "withheld"),
    *("corpus", "reference_point"),
)
OF_DUCKDB = ("memory", "system", "temp", "added")  # databases of our connections: DuckDB confuses a schema with them
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


class ResultTables:
    """The tables in a schema of a database that a connection has attached.

    ``columns`` has the columns of each table with their types; the names of tables are in lower case.
    """

    def __init__(self, connection: Any, schema: str, database: str = "results") -> None:
        self.connection, self._schema, self._database = connection, schema, database
        self.columns: dict[str, dict[str, str]] = {}

    def sql(self, table: str) -> str:
        """A table as SQL names it from any schema."""
        return f"{self._database}.{quoted(self._schema)}.{quoted(table)}"

    def _ask(self, columns: str, function: str) -> list[Any]:
        """What a function of DuckDB says about the schema."""
        asked = f"SELECT {columns} FROM {function}() WHERE database_name = ? AND schema_name = ? ORDER BY ALL"
        found: list[Any] = self.connection.execute(asked, [self._database, self._schema]).fetchall()
        return found

    # -- looking ---------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """The names of the tables, without views."""
        return [name for (name,) in self._ask("table_name", "duckdb_tables")]

    def check(self) -> None:
        """Find the tables and their columns; there may be none.

        Raises RunError, with only the reason, for tables of another program or of another version.
        """
        self._find()
        present = [table for table in COLUMNS if table in self.columns]
        if present and "results_version" not in present:
            raise RunError(f"its table {present[0]} comes without a table results_version, {FOREIGN}")
        for table in ("results_version", *COLUMNS) if present else ():
            types = {name.lower(): kind for name, kind in self.columns.get(table, {}).items()}
            for name, column in COLUMNS[table].items():
                if types.get(name) != column.type:
                    lacks = f"its table {table} has no column {name} of type {column.type}"
                    ours = table not in ("results_version", "runs")
                    raise RunError(f"{lacks}; {self._writer()} wrote it" if ours else f"{lacks}, {FOREIGN}")
            if table == "results_version" and (version := self._value("max(version)", table)) != VERSION:
                said = f"its tables have version {version}, and this scorespec has version {VERSION} of them"
                raise RunError(f"{said}; {self._writer()} wrote it")

    def _find(self) -> None:
        """Find the columns of the tables. Raises RunError if a table of results is a view.

        A schema whose name has other capitals than one of the database is refused: DuckDB takes them for one schema.
        """
        asked = "SELECT schema_name FROM duckdb_schemas() WHERE database_name = ?"
        known = [name for (name,) in self.connection.execute(asked, [self._database]).fetchall()]
        for name in known if self._schema not in known else ():
            if name.lower() == self._schema.lower():
                raise RunError(f"its schema is called {name!r}, and not {self._schema!r}")
        tables = {name.lower() for name in self.names()}
        described = self._ask("lower(table_name), column_index, column_name, data_type", "duckdb_columns")
        for table, _, column, kind in described:
            if table in tables:
                self.columns.setdefault(table, {})[column] = kind
            elif table in TABLES:
                raise RunError(f"its table {table} is a view, {FOREIGN}")

    def _value(self, expression: str, table: str) -> Any:
        ((value,),) = self.connection.execute(f"SELECT {expression} FROM {self.sql(table)}").fetchall()
        return value

    def _writer(self) -> str:
        """The version that wrote the runs."""
        known = "versions" in self.columns.get("runs", {})
        version = self._value("max(versions->>'scorespec')", "runs") if known else None
        return f"scorespec {version}" if version else "another version of scorespec"

    # -- making ----------------------------------------------------------------------------------

    def make(self) -> None:
        """Create the tables that every results database has."""
        self.connection.execute(f"CREATE SCHEMA IF NOT EXISTS {self._database}.{quoted(self._schema)}")
        for table, columns in TABLES.items():
            self.make_room(table, columns)
        version = self.sql("results_version")
        self.connection.execute(f"INSERT INTO {version} SELECT {VERSION} WHERE NOT EXISTS (FROM {version})")

    def make_room(self, table: str, columns: Mapping[str, str]) -> None:
        """Create a table that does not exist, or add the columns that it lacks."""
        there = self.columns.setdefault(table.lower(), {})
        present = {name.lower() for name in there}
        lacking = {name: kind for name, kind in columns.items() if name.lower() not in present}
        if not there:
            listed = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns.items())
            key = ", PRIMARY KEY (id)" if table == "runs" else ""
            self.connection.execute(f"CREATE TABLE {self.sql(table)} ({listed}{key})")
        else:
            for name, kind in lacking.items():
                self.connection.execute(f"ALTER TABLE {self.sql(table)} ADD COLUMN {quoted(name)} {kind}")
        there |= lacking

    def finish(self) -> None:
        """Name the runs that have no name, mark the runs that are superseded, and create the views.

        The views are created again, because their tables may have more columns than before. Where a table of the user
        has the name of a view, the view is left out.
        """
        runs = self.sql("runs")
        self.connection.execute(f"UPDATE {runs} SET name = 'run ' || id WHERE name IS NULL")
        later = f"lead(id) OVER (PARTITION BY {', '.join(SAME)} ORDER BY id)"
        self.connection.execute(
            f"UPDATE {runs} AS run SET superseded_by = found.later "
            f"FROM (SELECT id, {later} AS later FROM {runs}) AS found "
            "WHERE found.id = run.id AND run.superseded_by IS DISTINCT FROM found.later"
        )
        inside = quoted(self._schema)  # a view finds tables in its own database
        for table in sorted(self.columns):
            view, column = f"{CURRENT}{table}", run_column(table)
            if column and view not in self.columns:
                self.connection.execute(
                    f"CREATE OR REPLACE VIEW {self.sql(view)} AS SELECT * FROM {inside}.{quoted(table)} "
                    f"WHERE {column} IN (SELECT id FROM {inside}.runs WHERE superseded_by IS NULL)"
                )
