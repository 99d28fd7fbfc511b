"""Evidence in Parquet files beside a results database, which SQL reads through views.

The files of a run are in a folder of their own, such as `results.duckdb.evidence/20260131T120000-5f0c/`. The table
`parquet_evidence` of the database lists them. The view `evidence_marks` has the rows of the files, and those of the
table `stored_evidence_marks`, in which the rows of other runs are stored.

Views name files by paths from the folder of the database, which DuckDB would look for in the current folder. So the
path begins with a variable of the connection, which is set to the folder of the database.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from glob import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any

import duckdb

from scorespec.compiler.parameters import text_literal
from scorespec.compiler.templates import quoted
from scorespec.errors import RunError
from scorespec.runtime.folders import TemporaryFolder
from scorespec.runtime.reuse_rows import read_as

LIST = "parquet_evidence"  # the table that lists the files
LISTED = {
    "run": "BIGINT",
    "evidence": "VARCHAR",  # the name of the view
    "folder": "VARCHAR",
    **dict.fromkeys(("rows", "bytes"), "BIGINT"),
    **dict.fromkeys(("columns", "constants"), "JSON"),
}
EVIDENCE = "evidence_"  # so begin the names of tables of evidence
STORED = "stored_"  # so begins the name of the table with the stored rows of a view
VARIABLE = "results_folder"
SUFFIX = ".evidence"
FOLDER = re.compile(rf"(?P<of_run>[^/]+{re.escape(SUFFIX)}/[0-9T]+-[0-9a-f]+)/[^./][^/]*")
NO_FILES = re.compile(rf'No files found.* "[^"]*?{FOLDER.pattern}/\*\.parquet"')
MOVING = ".scorespec-evidence-"
TYPES = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE"}  # of constants; all others are text


@dataclass(frozen=True)
class EvidenceFiles:
    """The files of a table of evidence of one run: a row of `parquet_evidence`.

    ``folder`` is a path from the folder of the database. ``columns`` has, by name, the column of the files and the type
    that it had in the run. ``constants`` are further columns, each with one value.
    """

    run: int
    evidence: str
    folder: str
    rows: int
    bytes: int
    columns: Mapping[str, tuple[str, str]]
    constants: Mapping[str, Any]

    @property
    def of_run(self) -> str:
        """The folder of the run."""
        return self.folder.rpartition("/")[0]

    def query(self, types: Mapping[str, str] = MappingProxyType({})) -> str:
        """The query of the rows; columns can be cast to ``types``, which are by names in lower case."""
        listed = {"run": f"{self.run}::BIGINT"}
        for name, value in self.constants.items():
            text = "NULL" if value is None else text_literal(str(value))
            listed[name] = f"{text}::{TYPES.get(type(value), 'VARCHAR')}"
        listed |= {name: _as_stored(*column) for name, column in self.columns.items()}
        for name in [name for name in listed if name.lower() in types]:
            listed[name] = f"({listed[name]})::{types[name.lower()]}"
        pattern = text_literal(f"{escape(self.folder)}/*.parquet")
        path = f"coalesce(getvariable({text_literal(VARIABLE)}), '') || {pattern}"
        columns = ", ".join(f"{sql} AS {quoted(name)}" for name, sql in listed.items())
        return f"SELECT {columns} FROM read_parquet({path}, hive_partitioning = false)"

    @property
    def row(self) -> list[Any]:
        """The row of `parquet_evidence`."""
        texts = [json.dumps(each) for each in (self.columns, self.constants)]
        return [self.run, self.evidence, self.folder, self.rows, self.bytes, *texts]


def _as_stored(column: str, kind: str) -> str:
    """A column of a file with the type of stored rows, which come through Arrow, as SQL."""
    return f"({read_as(column, kind)})::DECIMAL(38,0)" if kind == "HUGEINT" else quoted(column)


def new_folder(results: str) -> str:
    """The folder of a new run in a database of this name."""
    return f"{results}{SUFFIX}/{datetime.now():%Y%m%dT%H%M%S}-{secrets.token_hex(6)}"


def listed_files(connection: Any, database: str, schema: str) -> list[EvidenceFiles]:
    """The files of a database. Raises RunError if they are not listed as scorespec does it."""
    try:
        asked = f"SELECT {', '.join(LISTED)} FROM {database}.{quoted(schema)}.{LIST} ORDER BY run, evidence, folder"
        rows = connection.execute(asked).fetchall()
    except duckdb.CatalogException:
        return []
    except duckdb.Error:
        raise RunError(f"its table {LIST} is none of scorespec") from None
    try:
        return [_read(*each) for each in rows]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise RunError(f"its table {LIST} is none of scorespec") from None


def _read(run: int, evidence: str, folder: str, rows: int, size: int, columns: str, constants: str) -> EvidenceFiles:
    """A row of `parquet_evidence`. Raises ValueError or another error of Python if scorespec has not written it."""
    if not FOLDER.fullmatch(folder):
        raise ValueError
    found = EvidenceFiles(run, evidence, folder, rows, size, json.loads(columns), json.loads(constants))
    found.query()
    return found


def list_files(connection: Any, database: str, schema: str, files: Iterable[EvidenceFiles]) -> None:
    """Add rows to `parquet_evidence`, which is made if needed."""
    columns = ", ".join(f"{name} {kind}" for name, kind in LISTED.items())
    place = f"{database}.{quoted(schema)}.{LIST}"
    for each in files:
        connection.execute(f"CREATE TABLE IF NOT EXISTS {place} ({columns})")
        connection.execute(f"INSERT INTO {place} VALUES ({', '.join('?' * len(LISTED))})", each.row)


# -- views -------------------------------------------------------------------------------------------


def let_views_read(
    connection: Any, results: Path, files: Iterable[EvidenceFiles], others: Iterable[str | Path] = ()
) -> None:
    """Let views read the files of a database, also after external access is disabled; and ``others``, folders.

    Folders with links are left out: they could lead SQL to any file of this machine.
    """
    beside = results.parent
    folders = [beside / each.of_run for each in files if _has_no_links(beside, each)]
    allowed = dict.fromkeys(
        text_literal(text) for each in (*folders, *others) for text in (str(each), escape(str(each)))
    )
    connection.execute(f"SET VARIABLE {VARIABLE} = {text_literal(f'{escape(str(beside))}/')}")
    connection.execute(f"SET allowed_directories = [{', '.join(allowed)}]")


def _has_no_links(beside: Path, files: EvidenceFiles) -> bool:
    folder = beside / files.folder
    listed = folder.iterdir() if folder.is_dir() else ()
    return not any(each.is_symlink() for each in (folder, folder.parent, folder.parent.parent, *listed))


def check_files(results: Path, files: Iterable[EvidenceFiles]) -> None:
    """Raise RunError if the folder of a run is missing."""
    for each in files:
        if not (results.parent / each.folder).is_dir():
            raise RunError(f"{missing(each.of_run)}, or remove run {each.run}")


def missing(folder: str) -> str:
    """The message that the folder of a run is missing."""
    return f"the folder {folder} with evidence is missing; move it back beside the database"


def missing_of(error: str) -> str | None:
    """The message for an error of DuckDB that files of evidence are missing; None for another error."""
    found = NO_FILES.search(error)
    return missing(found["of_run"]) if found else None


def make_evidence_views(
    connection: Any, database: str, schema: str, tables: Collection[str], results: Path
) -> set[str]:
    """Create the views of evidence that is in files, anew; ``tables`` are those of the schema. Returns their names.

    Raises RunError if files are missing.
    """
    place = f"{database}.{quoted(schema)}"
    files = listed_files(connection, database, schema) if LIST in tables else []
    check_files(results, files)
    names = {each.evidence for each in files}
    names |= {each.lower().removeprefix(STORED) for each in tables if each.lower().startswith(STORED + EVIDENCE)}
    for name in sorted(names):
        stored = f"{place}.{quoted(STORED + name)}"
        if name in map(str.lower, tables):
            connection.execute(f"ALTER TABLE {place}.{quoted(name)} RENAME TO {quoted(STORED + name)}")
        own = [each for each in files if each.evidence == name]
        connection.execute(f"CREATE TABLE IF NOT EXISTS {stored} (run BIGINT)")
        for column, kind in (each for one in own for each in types_of(connection, one.query()).items()):
            connection.execute(f"ALTER TABLE {stored} ADD COLUMN IF NOT EXISTS {quoted(column)} {kind}")
        sql = rows_of(f"{quoted(schema)}.{quoted(STORED + name)}", types_of(connection, f"FROM {stored}"), own)
        connection.execute(f"CREATE OR REPLACE VIEW {place}.{quoted(name)} AS {sql}")
    return names


def rows_of(stored: str, types: Mapping[str, str], files: Iterable[EvidenceFiles]) -> str:
    """The query of evidence: the rows of the table ``stored``, which has columns of some types, and those of files."""
    lower = {name.lower(): kind for name, kind in types.items()}
    return "\nUNION ALL BY NAME\n".join([f"SELECT * FROM {stored}", *(each.query(lower) for each in files)])


def types_of(connection: Any, query: str) -> dict[str, str]:
    """The types of the columns of a query."""
    return {name: kind for name, kind, *_ in connection.execute(f"DESCRIBE {query}").fetchall()}


# -- folders -----------------------------------------------------------------------------------------


class FilesWriter:
    """Keeps the files of a new run in a ``folder``, a path from the folder of the database ``results``."""

    def __init__(self, results: Path, folder: str) -> None:
        self._results, self._folder = results, folder
        self._files: list[EvidenceFiles] = []

    def add(
        self,
        evidence: str,
        paths: Sequence[str],
        rows: int,
        columns: Mapping[str, tuple[str, str]],
        constants: Mapping[str, Any],
    ) -> None:
        """Keep files of a table of evidence; the arguments are those of :class:`EvidenceFiles`."""
        folder = f"{self._folder}/{evidence}_{len(self._files) + 1}"
        place = self._results.parent / folder
        place.mkdir(parents=True)
        for number, path in enumerate(paths, start=1):
            _put(path, place / f"{number}.parquet")
        size = sum(Path(path).stat().st_size for path in paths)
        self._files.append(EvidenceFiles(1, evidence.lower(), folder, rows, size, columns, constants))

    def save(self, connection: Any, schema: str) -> set[str]:
        """List the files in the database; returns the names of the tables that it needs for them."""
        if not self._files:
            return set()
        let_views_read(connection, self._results, ())
        list_files(connection, "results", schema, self._files)
        return {LIST}


def _put(source: str | Path, target: str | Path) -> None:
    """Make a file have a second name, or a copy where the file system has no links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
    with open(target, "rb") as file:
        os.fsync(file.fileno())  # the database, which lists the file, is on disk too


@contextmanager
def brought(folders: Iterable[str], source: Path, results: Path) -> Iterator[dict[str, str]]:
    """Bring folders of runs from a database to another one; yields their new names by the old ones.

    A folder appears as a whole. If the block fails, the folders are removed again. Raises RunError if one is missing.
    """
    names, placed = {}, []
    try:
        for name in dict.fromkeys(folders):
            origin = source.parent / name
            if not origin.is_dir():
                raise RunError(f"{source}: {missing(name)}")
            names[name] = f"{results.name}{SUFFIX}/{origin.name}"
            if (results.parent / names[name]).exists():
                if (results.parent / names[name]).samefile(origin):
                    continue
                names[name] = new_folder(results.name)
            target = results.parent / names[name]
            with closing(TemporaryFolder(MOVING, results.parent)) as moving:
                shutil.copytree(origin, moving.path / "files", symlinks=True, copy_function=_put)
                target.parent.mkdir(exist_ok=True)
                (moving.path / "files").rename(target)
            placed.append(target)
        yield names
    except BaseException:
        remove_folders(placed)
        raise


def remove_folders(folders: Iterable[Path]) -> None:
    """Remove folders of runs, even if this process is killed meanwhile."""
    for folder in folders:
        with suppress(OSError, RunError), closing(TemporaryFolder(MOVING, folder.parent.parent)) as moving:
            folder.rename(moving.path / folder.name)
        with suppress(OSError):
            folder.parent.rmdir()  # if it was the last


def owner_of(folder: str) -> str:
    """The name of the database beside which the folder of a run was made."""
    return folder.partition("/")[0].removesuffix(SUFFIX)


def belongs_to(results: Path, folder: str) -> bool:
    """Whether the folder of a run belongs to this database, and not to one of which it is a copy."""
    owner = owner_of(folder)
    return owner == results.name or not (results.parent / owner).exists()
