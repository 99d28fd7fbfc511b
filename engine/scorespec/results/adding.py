"""Adds the runs of one results database to another, and removes runs, each in one transaction; exports the tables."""

from __future__ import annotations

import os
import shutil
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from scorespec.core.result_tables import MAIN, TABLES, run_column
from scorespec.errors import RunError
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.results.schema import ResultTables
from scorespec.run.attaching import BusyError, attach, opened, reason, shut, whole
from scorespec.run.folders import TemporaryFolder
from scorespec.run.limits import Limits

OTHER_FORMATS = (".csv", ".tsv", ".txt", ".json", ".parquet", ".xlsx", ".html")
ADDED = "added"  # marks the call of a run that another database had
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
    with _changing(results, limits or Limits(), schema, source) as tables:
        return _add(tables, source, schema, foreign)


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


def supersede(results: Path, later: Mapping[int, int], schema: str) -> None:
    """Let runs be superseded by ``later`` ones, whatever gold each was scored against. Raises RunError."""
    try:
        with _changing(results, Limits(), schema) as tables:
            listed = " ".join(f"WHEN {number} THEN {new}" for number, new in later.items())
            ids = ", ".join(map(str, later))
            changed = f"superseded_by = CASE id {listed} END WHERE id IN ({ids})"
            tables.connection.execute(f"UPDATE {tables.sql('runs')} SET {changed}")
    except RunError as error:
        raise RunError(f"cannot change runs of {results}: {error}") from None


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


def _add(tables: ResultTables, source: Path, schema: str, foreign: bool) -> list[int]:
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
                changed += [f"superseded_by + {shift} AS superseded_by", "nullif(name, 'run ' || id) AS name"]
            if table == "runs" and foreign:
                marked = f"""json_merge_patch("call", '{{"{ADDED}": true}}')"""
                changed.append(f"""CASE WHEN "call"::VARCHAR <> '{{}}' THEN {marked} ELSE "call" END AS "call\"""")
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


STAGING = ".scorespec-export-"
RUNS = "runs.parquet"


def export(results: Path, folder: Path, schema: str, overwrite: bool = False, current: bool = False) -> dict[str, int]:
    """Write each table of results to ``folder``; the number of rows of each.

    A table with a column `run` becomes a folder with a file for each run, ``scores/run=1/data_0.parquet``; any other
    table is one file. With ``current``, superseded runs are left out. With ``overwrite``, an earlier export in
    ``folder`` is replaced, after the new one has been written as a whole. Raises RunError.
    """
    if not os.path.isfile(results):
        raise RunError(f"{results}: no such results database")
    earlier = _earlier_export(folder, overwrite)
    try:
        with _staging(folder) as staging:
            rows = _write(results, staging, schema, current)
            for path in earlier:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            for path in sorted(staging.iterdir(), key=lambda each: each.name == RUNS):  # `runs` is there when all is
                path.rename(folder / path.name)
    except (duckdb.Error, OSError, RunError) as error:
        raise RunError(f"cannot export {results} to {folder}: {reason(error, results)}") from None
    return rows


def _earlier_export(folder: Path, overwrite: bool) -> list[Path]:
    """The files and folders of an earlier export, to be replaced. Raises RunError for anything else in the folder."""
    if not os.path.lexists(folder):
        return []
    if not folder.is_dir():
        raise RunError(f"{folder} is no folder")
    found = sorted(folder.iterdir())
    if found and not overwrite:
        raise RunError(f"{folder} is not empty; --overwrite replaces an earlier export")
    for path in found:
        if not _is_of_export(path):
            raise RunError(f"{path} is no part of an export; --overwrite replaces nothing else")
    return found


def _is_of_export(path: Path) -> bool:
    """Whether a file or folder has the form of those that :func:`export` writes."""
    if not path.is_dir() or path.is_symlink():
        return path.suffix == ".parquet" and _is_of_results(path.stem)
    return _is_of_results(path.name) and all(each.name.startswith("run=") for each in path.iterdir())


@contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """A temporary folder inside ``folder``, so that files can be renamed; a folder that is new goes if that fails."""
    is_new = not folder.exists()
    if is_new:
        folder.mkdir()
    staging = TemporaryFolder(STAGING, folder)
    try:
        yield staging.path
    except BaseException:
        staging.close()
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    staging.close()


def _write(results: Path, folder: Path, schema: str, current: bool) -> dict[str, int]:
    """Write all tables below a folder; nothing else can be written, whatever is in the database."""
    with opened(Limits(threads=1)) as connection:  # one thread keeps the order of rows, and writes one file per run
        attach(connection, results, "results", read_only=True)
        connection.execute(f"SET allowed_directories = [{text_literal(str(folder))}]")
        shut(connection)
        tables = ResultTables(connection, schema)
        tables.check()
        if "runs" not in tables.columns:
            raise RunError("it is no results database")
        kept = f"SELECT id FROM {tables.sql('runs')}"
        if current:
            kept += " WHERE superseded_by IS NULL"
        names = [table for table in sorted(tables.columns) if _is_of_results(table)]
        return {table: _copy(connection, folder, table, tables.sql(table), kept) for table in names}


def _is_of_results(table: str) -> bool:
    """Whether a table has this program's results, and is not a table of the user."""
    return table in TABLES or run_column(table) is not None


def _copy(connection: Any, folder: Path, table: str, source: str, kept: str) -> int:
    """Write the rows of a table, which ``source`` is as SQL; returns their number.

    ``kept`` are the numbers of the runs that are exported, as SQL.
    """
    column = run_column(table)
    rows = f"SELECT * FROM {source}"
    rows += f" WHERE {column} IN ({kept})" if column else ""
    options = "FORMAT parquet"
    path = folder / f"{table}.parquet"
    if column == "run":
        path, options = folder / table, f"{options}, PARTITION_BY (run)"
    (count,) = connection.execute(f"COPY ({rows}) TO {text_literal(str(path))} ({options})").fetchone()
    return int(count)
