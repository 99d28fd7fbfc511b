"""Adds the runs of one results database to another, and removes runs; each in one transaction."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from scorespec.errors import RunError
from scorespec.plan.rendering.templates import quoted
from scorespec.results.opening import Columns, check_tables
from scorespec.results.schema import ADDED, MAIN, TABLES, finish, make_tables, run_column
from scorespec.run.attaching import BusyError, attach, opened, reason, shut, whole
from scorespec.run.limits import Limits

OTHER_FORMATS = (".csv", ".tsv", ".txt", ".json", ".parquet", ".xlsx", ".html")
PENDING = ".pending-"  # in the name of a file with a run that could not be added

# Threads of this process that write to one file wait for each other without a time limit.
_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
os.register_at_fork(after_in_child=_locks.clear)  # a child process does not have the threads that hold them


def check_results(path: Path, schema: str) -> None:
    """Raise RunError, with only the reason, if runs surely cannot be added to ``path``."""
    file = Path(whole(path))
    if file.suffix.lower() in OTHER_FORMATS:
        asked = '`scorespec query results.duckdb "FROM scores" --format csv`'
        raise RunError(f"results are a DuckDB database; write -o results.duckdb, and then {asked}")
    if "?" in str(file):  # DuckDB would give its log the name of another file
        raise RunError("DuckDB cannot write to a path with a question mark")
    try:
        os.lstat(f"{file}{PENDING}{'0' * 32}")  # the longest name that may be needed
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        raise RunError(str(error.strerror)) from None
    if os.path.isdir(file):
        raise RunError("it is a folder")
    if not os.path.isdir(file.parent):
        raise RunError(f"there is no folder {path.parent}")
    log = file.with_name(f"{file.name}.wal")
    if not os.path.exists(file) and os.path.exists(log):  # DuckDB would read it as a part of the new database
        raise RunError(f"remove {path.with_name(log.name)}, which is left from a database of this name")
    if os.path.exists(file) and not os.path.isfile(file):
        raise RunError("it is not a file")  # a device or a pipe
    if os.path.exists(file) and not os.access(file, os.W_OK):
        raise RunError("Permission denied")
    if os.path.exists(file):
        with opened(Limits()) as connection, suppress(BusyError):  # checked again when the run is added
            attach(connection, path, "results", read_only=True, patience=0)
            shut(connection)
            try:
                check_tables(connection, "results", schema)
            except duckdb.Error as error:
                raise RunError(reason(error, path)) from None


def add_file(results: Path, source: Path, schema: str) -> list[int]:
    """Append the runs of a results database to another; returns their new ids. A pending file is removed afterwards.

    Raises RunError.
    """
    for path in (results, source):
        if not os.path.isfile(path):
            raise RunError(f"{path}: no such results database")
    if results.samefile(source):
        raise RunError(f"{source} cannot be added to itself")
    try:
        is_own = source.name.startswith(f"{results.name}{PENDING}")
        ids = add_runs(results, source, schema, foreign=not is_own)
    except RunError as error:
        raise RunError(f"cannot add the runs of {source} to {results}: {error}") from None
    if is_own:
        source.unlink()
    return ids


def add_runs(
    results: Path, source: Path, schema: str, limits: Limits | None = None, foreign: bool = False
) -> list[int]:
    """Append the runs of the results database ``source`` to another; returns their new ids.

    The tables are in ``schema``; a source without this schema has them in `main`. Either all runs are added or none.
    The calls of ``foreign`` runs are marked: somebody else may have chosen the files that they name. Raises RunError
    with only the reason.
    """
    with _changing(results, limits or Limits(), schema, source) as connection:
        return _add(connection, source, schema, foreign)


@contextmanager
def _changing(results: Path, limits: Limits, schema: str, source: Path | None = None) -> Iterator[Any]:
    """A connection to the database `results`, which it can change, and to `added`, a ``source`` of runs.

    Raises RunError with only the reason, also for what fails inside the block.
    """
    try:
        with _locks[whole(results)], opened(limits) as connection:
            if source is not None:
                try:
                    attach(connection, source, "added", read_only=True)
                except RunError as error:
                    raise RunError(f"{source}: {error}") from None
            attach(connection, results, "results", read_only=False)
            shut(connection)
            yield connection
    except (duckdb.Error, OSError) as error:
        raise RunError(reason_of(error, results)) from None


def supersede(results: Path, later: Mapping[int, int], schema: str) -> None:
    """Let runs be superseded by ``later`` ones, whatever gold each was scored against. Raises RunError."""
    try:
        with _changing(results, Limits(), schema) as connection:
            listed = " ".join(f"WHEN {number} THEN {new}" for number, new in later.items())
            ids = ", ".join(map(str, later))
            runs = f"results.{quoted(schema)}.runs"
            connection.execute(f"UPDATE {runs} SET superseded_by = CASE id {listed} END WHERE id IN ({ids})")
    except RunError as error:
        raise RunError(f"cannot change runs of {results}: {error}") from None


def remove_runs(results: Path, ids: Sequence[int], schema: str) -> None:
    """Delete all rows of some runs. A run that one of them had superseded is current again. Raises RunError."""
    try:
        with _changing(results, Limits(), schema) as connection:
            there = check_tables(connection, "results", schema)
            listed = ", ".join(map(str, ids))
            connection.execute("BEGIN")
            _upgrade(connection, schema, there)
            for table in there:
                if key := run_column(table):
                    connection.execute(
                        f"DELETE FROM results.{quoted(schema)}.{quoted(table)} WHERE {key} IN ({listed})"
                    )
            finish(connection, "results", schema, there)
            connection.execute("COMMIT")
    except RunError as error:
        raise RunError(f"cannot remove runs of {results}: {error}") from None


def _add(connection: Any, source: Path, schema: str, foreign: bool) -> list[int]:
    there = check_tables(connection, "results", schema)
    source_schema, tables = _tables_of_source(connection, source, schema)
    added = f"added.{quoted(source_schema)}"
    connection.execute("BEGIN")
    _upgrade(connection, schema, there)
    first = f"SELECT coalesce(max(id), 0) + 1 FROM results.{quoted(schema)}.runs"
    numbered = connection.execute(f"SELECT id, id - min(id) OVER () + ({first}) FROM {added}.runs ORDER BY id")
    ids = dict(numbered.fetchall())
    shift = next((new - old for old, new in ids.items()), 0)
    for table, columns in tables.items():
        if ids and (key := run_column(table)):
            rows = f"{added}.{quoted(table)}"
            target = _make_room(connection, rows, columns, schema, table, there)
            changed = [f"{key} + {shift} AS {key}"]
            if table == "runs" and "superseded_by" in columns:
                changed.append(f"superseded_by + {shift} AS superseded_by")
            if table == "runs" and "name" in columns:  # a run that is called by its id gets a new name
                changed.append("nullif(name, 'run ' || id) AS name")
            if table == "runs" and "call" in columns and foreign:
                marked = f"""json_merge_patch("call", '{{"{ADDED}": true}}')"""
                changed.append(f"""CASE WHEN "call"::VARCHAR <> '{{}}' THEN {marked} ELSE "call" END AS "call\"""")
            rows = f"SELECT * REPLACE ({', '.join(changed)}) FROM {rows}"
            connection.execute(f"INSERT INTO {target} BY NAME {rows}")
    finish(connection, "results", schema, there)
    connection.execute("COMMIT")
    return list(ids.values())


def _tables_of_source(connection: Any, source: Path, schema: str) -> tuple[str, Columns]:
    """The schema of the runs that are added, and the columns of its tables."""
    for each in dict.fromkeys((schema, MAIN)):
        try:
            found = check_tables(connection, "added", each)
        except RunError as error:
            raise RunError(f"{source} is no results database: {error}") from None
        if "runs" in found:
            return each, found
    raise RunError(f"{source} is no results database")


def _upgrade(connection: Any, schema: str, there: Columns) -> None:
    """Create the tables and columns that the results of an earlier version lack; ``there`` gets them."""
    make_tables(connection, "results", schema)
    for table, columns in TABLES.items():
        present = there.setdefault(table, dict(columns))
        for column in columns.keys() - set(map(str.lower, present)):
            target = f"results.{quoted(schema)}.{table}"
            connection.execute(f"ALTER TABLE {target} ADD COLUMN {column} {columns[column]}")
            present[column] = columns[column]


def _make_room(
    connection: Any, source: str, columns: Mapping[str, str], schema: str, table: str, there: Columns
) -> str:
    """The table of the results for the rows of a ``source``, as SQL.

    It is created if it is not ``there``, it gets the columns that it lacks, and the types of the others are checked.
    """
    target = f"results.{quoted(schema)}.{quoted(table)}"
    if table not in there:
        connection.execute(f"CREATE TABLE {target} AS FROM {source} LIMIT 0")
        there[table] = {**columns}
        return target
    types = {name.lower(): kind for name, kind in there[table].items()}
    for name, kind in columns.items():
        present = types.get(name.lower())
        if present is None:
            connection.execute(f"ALTER TABLE {target} ADD COLUMN {quoted(name)} {kind}")
            there[table] = {**there[table], name: kind}
        elif present != kind:
            # A value must survive the cast and back: the text 01 would become 1, the number 0.5 a whole number.
            back = f"TRY_CAST(TRY_CAST({quoted(name)} AS {present}) AS {kind})"
            changed = (
                f"SELECT {quoted(name)}::VARCHAR FROM {source} WHERE {back} IS DISTINCT FROM {quoted(name)} LIMIT 1"
            )
            for (value,) in connection.execute(changed).fetchall():
                raise RunError(
                    f"column {name} of {table} is {present} in the results, which cannot hold {value!r}; use a new file"
                )
    return target


def reason_of(error: Exception, path: Path) -> str:
    """The reason for an error of DuckDB, of the system or of ours, in one line."""
    if isinstance(error, duckdb.Error):
        return reason(error, path)
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
