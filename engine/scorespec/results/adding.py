"""Adds the runs of one results database to another, and removes runs, each in one transaction."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from scorespec.core.result_tables import MAIN, run_column
from scorespec.errors import RunError
from scorespec.plan.rendering.templates import quoted
from scorespec.results.schema import ResultTables
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
    _check_file(file, path)
    if os.path.exists(file):
        with opened(Limits()) as connection, suppress(BusyError):  # checked again when the run is added
            attach(connection, path, "results", read_only=True, patience=0)
            shut(connection)
            try:
                ResultTables(connection, schema).check()
            except duckdb.Error as error:
                raise RunError(reason(error, path)) from None


def _check_file(file: Path, path: Path) -> None:
    """Raise RunError if a results database, given as ``path``, cannot be written to its file."""
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
    if source.name.startswith(f"{results.name}{PENDING}"):
        source.unlink()
    return ids


def add_runs(results: Path, source: Path, schema: str, limits: Limits | None = None) -> list[int]:
    """Append the runs of the results database ``source`` to another; returns their new ids.

    The tables are in ``schema``; a source without this schema has them in `main`. Either all runs are added or none.
    Raises RunError with only the reason.
    """
    with _changing(results, limits or Limits(), schema, source) as tables:
        return _add(tables, source, schema)


@contextmanager
def _changing(results: Path, limits: Limits, schema: str, source: Path | None = None) -> Iterator[ResultTables]:
    """The tables of a results database, which the block changes in one transaction.

    The connection also has `added`, a ``source`` of runs. Raises RunError with only the reason, also for what fails
    inside the block.
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
            tables = ResultTables(connection, schema)
            tables.check()
            connection.execute("BEGIN")
            tables.make()
            yield tables
            tables.finish()
            connection.execute("COMMIT")
    except (duckdb.Error, OSError) as error:
        raise RunError(reason(error, results)) from None


def remove_runs(results: Path, ids: Sequence[int], schema: str) -> None:
    """Delete all rows of some runs. A run that one of them had superseded is current again. Raises RunError."""
    try:
        with _changing(results, Limits(), schema) as tables:
            for table in tables.columns:
                if key := run_column(table):
                    listed = ", ".join(map(str, ids))
                    tables.connection.execute(f"DELETE FROM {tables.sql(table)} WHERE {key} IN ({listed})")
    except RunError as error:
        raise RunError(f"cannot remove runs of {results}: {error}") from None


def _add(tables: ResultTables, source: Path, schema: str) -> list[int]:
    connection, added = tables.connection, _tables_of_source(tables.connection, source, schema)
    first = f"SELECT coalesce(max(id), 0) + 1 FROM {tables.sql('runs')}"
    numbered = f"SELECT id, id - min(id) OVER () + ({first}) FROM {added.sql('runs')} ORDER BY id"
    ids: dict[int, int] = dict(connection.execute(numbered).fetchall())
    shift = next((new - old for old, new in ids.items()), 0)
    for table, columns in added.columns.items():
        if ids and (key := run_column(table)):
            tables.make_room(table, columns)
            _check_types(connection, table, added.sql(table), columns, tables.columns[table])
            changed = [f"{key} + {shift} AS {key}"]
            if table == "runs":  # a run that is called by its id gets a new name
                changed.append("nullif(name, 'run ' || id) AS name")
            rows = f"SELECT * REPLACE ({', '.join(changed)}) FROM {added.sql(table)}"
            connection.execute(f"INSERT INTO {tables.sql(table)} BY NAME {rows}")
    return [*ids.values()]


def _tables_of_source(connection: Any, source: Path, schema: str) -> ResultTables:
    """The tables of the runs that are added."""
    for each in dict.fromkeys((schema, MAIN)):
        tables = ResultTables(connection, each, "added")
        try:
            tables.check()
        except RunError as error:
            raise RunError(f"{source} is no results database: {error}") from None
        if "runs" in tables.columns:
            return tables
    raise RunError(f"{source} is no results database")


def _check_types(
    connection: Any, table: str, source: str, columns: Mapping[str, str], target: Mapping[str, str]
) -> None:
    """Raise RunError if a column of the target cannot hold a value of the ``source``, which is a table as SQL.

    A value must survive the cast and back: the text 01 would become 1, the number 0.5 a whole number.
    """
    types = {name.lower(): kind for name, kind in target.items()}
    for name, kind in columns.items():
        if (present := types[name.lower()]) != kind:
            back = f"TRY_CAST(TRY_CAST({quoted(name)} AS {present}) AS {kind})"
            changed = f"{back} IS DISTINCT FROM {quoted(name)}"
            lost = connection.execute(f"SELECT {quoted(name)}::VARCHAR FROM {source} WHERE {changed} LIMIT 1")
            for (value,) in lost.fetchall():
                raise RunError(
                    f"column {name} of {table} is {present} in the results, which cannot hold {value!r}; use a new file"
                )
