"""Tables as Parquet files that tasks exchange: each is written whole or divided, and is read with the same values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from scorespec.errors import RunError
from scorespec.parts.stages import AS_MADE, Division
from scorespec.plan.parameters import text_literal
from scorespec.plan.plan import ROWS, part_of
from scorespec.plan.rendering.templates import quoted
from scorespec.run.session import Session, error_context, queried, resource_error
from scorespec.run.table_files import FileRows, TableWriter, exact_columns, written_columns

PART = "number of the part"  # a column of files that are divided, whose values are names of folders
LIST_OF_VALUES = re.compile(r"\w+(\([\d,]+\))?\[\]")  # a type
SHORT = 500  # values in the lists of a row; thousands of such rows fit into memory


@dataclass
class TableFiles:
    """The files of a table that one or several tasks wrote.

    ``rows`` is the number of its rows, ``files`` the paths by division and part. The part of a division that is not by
    a column is that of the task. ``before`` and ``counted`` are those of :class:`.FileRows`.
    """

    columns: Mapping[str, str]
    rows: int = 0
    bytes: int = 0
    files: dict[Division, dict[int, list[str]]] = field(default_factory=dict)
    before: dict[str, int] = field(default_factory=dict)
    counted: tuple[str, ...] = ()

    def add(self, other: TableFiles, before: int = 0) -> None:
        """Add the files of another task; to its numbers of lines, those ``before`` are added when rows are read."""
        self.rows += other.rows
        self.bytes += other.bytes
        self.before |= dict.fromkeys(other.paths(), before) if before else {}
        for division, by_part in other.files.items():
            mine = self.files.setdefault(division, {})
            for part, paths in by_part.items():
                mine.setdefault(part, []).extend(paths)

    def whole(self) -> FileRows:
        """All rows."""
        found = self.files.get(None) or next(iter(self.files.values()))
        return self._rows([path for part in sorted(found) for path in found[part]])

    def part(self, division: Division, part: int) -> FileRows:
        """The rows in one part of a division."""
        return self._rows(self.files[None if division == AS_MADE else division].get(part, []))

    def _rows(self, paths: Sequence[str]) -> FileRows:
        return FileRows(self.columns, paths, {each: self.before.get(each, 0) for each in paths}, self.counted)

    def paths(self) -> Iterable[str]:
        """All files."""
        return (path for by_part in self.files.values() for paths in by_part.values() for path in paths)


def write_table(
    session: Session, name: str, folder: Path, divisions: Iterable[Division], parts: int, part: int = 0
) -> TableFiles:
    """Write the rows of a table to a folder, once for each of some divisions; ``part`` is that of the task.

    Raises RunError for a column whose values files cannot hold exactly, and if the disk is full.
    """
    columns = exact_columns(session, name)
    if columns is None:
        raise RunError(f"the table {name} has a column that files cannot hold exactly, and so cannot be exchanged")
    table = TableFiles(columns)
    write = _write_by_duckdb if _is_flat(session, name, columns) else _write_lists
    for division in divisions:
        number = _number_of_part(columns, division, parts)
        sql = f"SELECT {written_columns(columns)}, {number}::INTEGER AS {quoted(PART)} FROM {quoted(name)}"
        with error_context(session, f"writing {name}"), _disk_errors(session, name, folder):
            written = write(session, sql, folder / f"{name}.{len(table.files)}")
        table.rows = sum(rows for _, _, rows, _ in written)
        table.bytes += sum(size for *_, size in written)
        files = table.files.setdefault(division, {})
        for number_of_part, path, _, _ in written:
            files.setdefault(part if division is None else number_of_part, []).append(path)
    return table


def _is_flat(session: Session, name: str, columns: Mapping[str, str]) -> bool:
    """Whether all rows of a table are small: without lists, or with short lists of values."""
    lists = {column: kind for column, kind in columns.items() if "[" in kind}
    if not all(LIST_OF_VALUES.fullmatch(kind) for kind in lists.values()):
        return False
    longest = " + ".join(f"coalesce(max(len({quoted(column)})), 0)" for column in lists)
    return not lists or int(session.row(f"SELECT {longest} FROM {quoted(name)}")[0]) <= SHORT


@contextmanager
def _disk_errors(session: Session, name: str, folder: Path) -> Iterator[None]:
    """Inside the block, an error of the disk names the shared folder, which is not the folder for temporary files."""
    try:
        yield
    except (duckdb.IOException, OSError) as error:
        known = resource_error(error, "writing", session.limits)
        said = str(error).strip().splitlines()[0]
        code = known.code if known else None
        raise RunError(f"cannot write {name} to the shared folder {folder}: {said}", code) from None


def _number_of_part(columns: Mapping[str, str], division: Division, parts: int) -> str:
    """The number of the part of a row, as SQL."""
    if division is None:
        return "0"
    if division == ROWS:
        return f"(row_number() OVER () % {parts})"
    return f"({part_of(division, columns[division], parts)})"


Written = tuple[int, str, int, int]  # the part, path, rows and bytes of a file


def _write_by_duckdb(session: Session, sql: str, place: Path) -> list[Written]:
    options = f"FORMAT parquet, PARTITION_BY ({quoted(PART)}), RETURN_STATS"
    found = session.connection.execute(f"COPY ({sql}) TO {text_literal(str(place))} ({options})").fetchall()
    return [(int(keys[PART]), path, rows, size) for path, rows, size, _, _, keys, *_ in found]


def _write_lists(session: Session, sql: str, place: Path) -> list[Written]:
    """Write rows with lists in small row groups."""
    from pyarrow.compute import equal  # slow to load

    place.mkdir()
    files: dict[int, TableWriter] = {}
    with ExitStack() as stack, session.batches(sql, lists=True) as reader:
        at = reader.schema.get_field_index(PART)
        for batch in queried(reader):
            numbers = batch.column(at)
            for part in numbers.unique().to_pylist():
                if part not in files:
                    writer = TableWriter(place / f"{part}.parquet", reader.schema.remove(at))
                    files[part] = stack.enter_context(writer)
                files[part].add(batch.filter(equal(numbers, part)).remove_column(at))
    return [(part, str(file.path), file.rows, file.path.stat().st_size) for part, file in files.items()]
