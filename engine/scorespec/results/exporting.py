"""Writes the tables of a results database as Parquet files: an archive that other programs and later versions read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from scorespec.core.result_tables import TABLES, run_column
from scorespec.errors import RunError
from scorespec.plan.parameters import text_literal
from scorespec.results.schema import ResultTables
from scorespec.run.attaching import attach, opened, reason, shut
from scorespec.run.folders import TemporaryFolder
from scorespec.run.limits import Limits

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
        if current and "superseded_by" in tables.columns["runs"]:
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
