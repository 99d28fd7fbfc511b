"""Adds the runs of one results database to another, and removes runs; each in one transaction."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from scorespec.compiler.templates import quoted
from scorespec.errors import RunError
from scorespec.runtime.attaching import BusyError, attach, opened, reason, shut, whole
from scorespec.runtime.limits import Limits
from scorespec.runtime.parquet_evidence import (
    LIST,
    STORED,
    SUFFIX,
    belongs_to,
    brought,
    check_files,
    let_views_read,
    list_files,
    listed_files,
    owner_of,
    remove_folders,
    types_of,
)
from scorespec.runtime.results import (
    LATER_COLUMNS,
    MAIN,
    OF_VERSION_1,
    TABLES,
    VERSION,
    finish,
    make_tables,
    run_column,
)

OTHER_FORMATS = (".csv", ".tsv", ".txt", ".json", ".parquet", ".xlsx", ".html")
PENDING = ".pending-"  # in the name of a file with a run that could not be added
Columns = dict[str, dict[str, str]]  # the columns of each table, in lower case, with their types

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
    if schema == MAIN and not os.path.exists(file):
        return  # nothing is left to check, and a connection takes 15 ms
    with opened(Limits()) as connection:
        try:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted(schema)}")
        except duckdb.Error:
            raise RunError(f"there can be no schema {schema!r}") from None
        if os.path.exists(file):
            with suppress(BusyError):  # checked again when the run is added
                attach(connection, path, "results", read_only=True, patience=0)
                shut(connection)
                if LIST in check_tables(connection, "results", schema):
                    check_files(file, listed_files(connection, "results", schema))


def check_tables(connection: Any, database: str, schema: str) -> Columns:
    """The columns of the tables of results. Raises RunError if one is missing or has another type.

    There may be more columns. Results of version 1 lack columns. Results of a later version are refused.
    """
    found = _columns(connection, database, schema)
    for table in (each for each in TABLES if each in found):
        types = {name.lower(): kind for name, kind in found[table].items()}
        later = TABLES[table].keys() - {*OF_VERSION_1} if table == "runs" else LATER_COLUMNS.get(table, set())
        for column, kind in TABLES[table].items():
            if types.get(column) != kind and not (column in later and column not in types):
                raise RunError(
                    f"its table {table} has no column {column} of type {kind}, so it belongs to another program; "
                    "--schema NAME puts results into a schema of their own"
                )
    if "results_version" in found:
        asked = f"SELECT max(version) FROM {database}.{quoted(schema)}.results_version"
        (version,) = connection.execute(asked).fetchone()
        if version is not None and version > VERSION:
            raise RunError(f"its tables have version {version}, and this scorespec writes {VERSION}; use a newer one")
    return found


def _columns(connection: Any, database: str, schema: str) -> Columns:
    asked = (
        "SELECT lower(table_name), column_name, data_type FROM duckdb_columns() "
        "WHERE database_name = ? AND schema_name = ? ORDER BY table_name, column_index"
    )
    found: Columns = {}
    for table, column, kind in connection.execute(asked, [database, schema]).fetchall():
        found.setdefault(table, {})[column] = kind
    for table in [each for each in found if each.startswith(STORED)]:
        found.pop(table.removeprefix(STORED), None)  # a view
    return found


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
        ids = add_runs(results, source, schema)
    except RunError as error:
        raise RunError(f"cannot add the runs of {source} to {results}: {error}") from None
    if PENDING in source.name:
        _remove_pending(source, results, schema)
    return ids


def _remove_pending(source: Path, results: Path, schema: str) -> None:
    """Remove a database whose runs have been added, and the folders of their evidence that the results do not have."""
    place, folders, own = Path(whole(source)).parent, set[str](), Path(whole(results))
    with opened(Limits()) as connection:
        attach(connection, source, "results", read_only=True)
        for each in {schema, MAIN}:
            folders |= {files.of_run for files in listed_files(connection, "results", each)}
    source.unlink()
    remove_folders(place / each for each in folders if (place, owner_of(each)) != (own.parent, own.name))


def add_runs(results: Path, source: Path, schema: str, limits: Limits | None = None) -> list[int]:
    """Append the runs of the results database ``source`` to another; returns their new ids.

    The tables are in ``schema``; a source without this schema has them in `main`. Either all runs are added or none.
    Raises RunError with only the reason.
    """
    with _changing(results, limits or Limits(), schema, source) as connection:
        return _add(connection, source, Path(whole(results)), schema)


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
            path = Path(whole(results))
            new = path.with_name(f"{path.name}{SUFFIX}")
            let_views_read(connection, path, listed_files(connection, "results", schema), [new])
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
        path = Path(whole(results))
        with _changing(results, Limits(), schema) as connection:
            there = check_tables(connection, "results", schema)
            files = listed_files(connection, "results", schema)
            listed = ", ".join(map(str, ids))
            connection.execute("BEGIN")
            _upgrade(connection, schema, there)
            for table in there:
                if key := "run" if table == LIST else run_column(table):
                    connection.execute(
                        f"DELETE FROM results.{quoted(schema)}.{quoted(table)} WHERE {key} IN ({listed})"
                    )
            finish(connection, "results", schema, path)
            connection.execute("COMMIT")
            kept = {each.of_run for each in files if each.run not in ids}
            gone = {each.of_run for each in files} - kept
            remove_folders(path.parent / each for each in gone if belongs_to(path, each))
    except RunError as error:
        raise RunError(f"cannot remove runs of {results}: {error}") from None


def _add(connection: Any, source: Path, results: Path, schema: str) -> list[int]:
    there = check_tables(connection, "results", schema)
    source_schema, tables = _tables_of_source(connection, source, schema)
    added = f"added.{quoted(source_schema)}"
    files = listed_files(connection, "added", source_schema) if LIST in tables else []
    with brought((each.of_run for each in files), Path(whole(source)), results) as folders:
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
                rows = f"SELECT * REPLACE ({', '.join(changed)}) FROM {rows}"
                connection.execute(f"INSERT INTO {target} BY NAME {rows}")
        new = [
            replace(each, run=ids[each.run], folder=f"{folders[each.of_run]}/{Path(each.folder).name}")
            for each in files
        ]
        for each in new:
            columns = types_of(connection, each.query())
            _make_room(connection, f"({each.query()})", columns, schema, each.evidence, there)
        list_files(connection, "results", schema, new)
        finish(connection, "results", schema, results)
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
    """Create the tables that the results lack, and the columns that results of version 1 lack; ``there`` gets them."""
    make_tables(connection, "results", schema)
    for column, kind in TABLES["runs"].items() if "runs" in there else ():
        if column not in map(str.lower, there["runs"]):
            connection.execute(f"ALTER TABLE results.{quoted(schema)}.runs ADD COLUMN {column} {kind}")
            there["runs"][column] = kind
    for table, columns in TABLES.items():
        there.setdefault(table, columns)


def _make_room(
    connection: Any, source: str, columns: Mapping[str, str], schema: str, table: str, there: Columns
) -> str:
    """The table of the results for the rows of a ``source``, as SQL.

    It is created if it is not ``there``, it gets the columns that it lacks, and the types of the others are checked.
    """
    table = table.removeprefix(STORED)
    present_table = f"{STORED}{table}" if f"{STORED}{table}" in there else table
    target = f"results.{quoted(schema)}.{quoted(present_table)}"
    if present_table not in there:
        connection.execute(f"CREATE TABLE {target} AS FROM {source} LIMIT 0")
        there[present_table] = {**columns}
        return target
    types = {name.lower(): kind for name, kind in there[present_table].items()}
    for name, kind in columns.items():
        present = types.get(name.lower())
        if present is None:
            connection.execute(f"ALTER TABLE {target} ADD COLUMN {quoted(name)} {kind}")
            there[present_table] = {**there[present_table], name: kind}
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
