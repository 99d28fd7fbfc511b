"""Tables as Parquet files that tasks exchange: each is written whole or divided, and is read with the same values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from glob import escape
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.errors import RunError
from scorespec.parts.stages import AS_MADE, Division
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.splits import ROWS, part_of
from scorespec.reuse.artefacts import exact_columns, parquet_writer, read_as, written_as
from scorespec.run.session import Session, error_context, resource_error
from scorespec.run.streams import queried

PART = "number of the part"  # a column of files that are divided, whose values are names of folders
LIST_OF_VALUES = re.compile(r"\w+(\([\d,]+\))?\[\]")  # a type
SHORT = 500  # values in the lists of a row, of which thousands fit into memory
NESTED_BYTES = 4 * 2**20  # of rows with lists that are held for a file


@dataclass(frozen=True)
class Rows:
    """Rows of a table in files. ``columns`` are the types of its columns.

    The rows of an input in several files have the numbers of lines in ``counted``. In each path of ``before``, this
    number of lines is added to them, those of the files before.
    """

    columns: Mapping[str, str]
    paths: Sequence[str]
    before: Mapping[str, int] = field(default_factory=dict)
    counted: tuple[str, ...] = ()

    @property
    def query(self) -> str:
        """The query of the rows."""
        if not self.paths:
            listed = ", ".join(f"NULL::{kind} AS {quoted(name)}" for name, kind in self.columns.items())
            return f"SELECT {listed} WHERE false"
        together: dict[int, list[str]] = {}
        for path in self.paths:
            together.setdefault(self.before.get(path, 0), []).append(path)
        return " UNION ALL ".join(self._query(paths, before) for before, paths in together.items())

    def _query(self, paths: Iterable[str], before: int) -> str:
        """The query of the rows of some paths, which have the same number of lines before them."""
        values = {name: read_as(name, kind) for name, kind in self.columns.items()}
        values |= {name: f"{values[name]} + {before}" for name in self.counted if before}
        listed = ", ".join(f"{value} AS {quoted(name)}" for name, value in values.items())
        names = ", ".join(text_literal(escape(path)) for path in paths)
        return f"SELECT {listed} FROM read_parquet([{names}], hive_partitioning = false)"


@dataclass
class Table:
    """The files of a table that one or several tasks wrote.

    ``rows`` is the number of its rows, ``files`` the paths by division and part. The part of a division that is not by
    a column is that of the task. ``before`` and ``counted`` are those of :class:`Rows`.
    """

    columns: Mapping[str, str]
    rows: int = 0
    bytes: int = 0
    files: dict[Division, dict[int, list[str]]] = field(default_factory=dict)
    before: dict[str, int] = field(default_factory=dict)
    counted: tuple[str, ...] = ()

    def add(self, other: Table, before: int = 0) -> None:
        """Add the files of another task; to its numbers of lines, those ``before`` are added when rows are read."""
        self.rows += other.rows
        self.bytes += other.bytes
        self.before |= dict.fromkeys(other.paths(), before) if before else {}
        for division, by_part in other.files.items():
            mine = self.files.setdefault(division, {})
            for part, paths in by_part.items():
                mine.setdefault(part, []).extend(paths)

    def read(self, division: Division, part: int) -> Rows:
        """The rows that the task of a part reads."""
        if division is None:
            found = self.files.get(None) or next(iter(self.files.values()))
            return self._rows([path for part in sorted(found) for path in found[part]])
        return self._rows(self.files[None if division == AS_MADE else division].get(part, []))

    def _rows(self, paths: Sequence[str]) -> Rows:
        before = {path: self.before[path] for path in paths if path in self.before}
        return Rows(self.columns, paths, before, self.counted)

    def part(self, division: Division, part: int) -> Rows:
        """The rows in one part of the files of a division; without a division, those that one task wrote."""
        return self._rows(self.files[division][part])

    def paths(self) -> Iterable[str]:
        """All files."""
        return (path for by_part in self.files.values() for paths in by_part.values() for path in paths)


def write_table(
    session: Session, name: str, folder: Path, divisions: Iterable[Division], parts: int, part: int = 0
) -> Table:
    """Write the rows of a table to a folder, once for each of some divisions; ``part`` is that of the task.

    Raises RunError for a column whose values files cannot hold exactly, and if the disk is full.
    """
    columns = exact_columns(session, name)
    if columns is None:
        raise RunError(f"the table {name} has a column that files cannot hold exactly, and so cannot be exchanged")
    table = Table(columns)
    listed = ", ".join(f"{written_as(each, kind)} AS {quoted(each)}" for each, kind in columns.items())
    write = _write_by_duckdb if _is_flat(session, name, columns) else _write_lists
    for division in divisions:
        number = _number_of_part(columns, division, parts)
        sql = f"SELECT {listed}, {number}::INTEGER AS {quoted(PART)} FROM {quoted(name)}"
        with error_context(session, f"writing {name}"), _disk_errors(session, name, folder):
            written = write(session, sql, columns, folder / f"{name}.{len(table.files)}", division is not None)
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
    if division is None:
        return "0"
    return (
        f"(row_number() OVER () % {parts})" if division == ROWS else f"({part_of(division, columns[division], parts)})"
    )


Written = tuple[int, str, int, int]  # the part, path, rows and bytes of a file


def _write_by_duckdb(
    session: Session, sql: str, columns: Mapping[str, str], place: Path, divided: bool
) -> list[Written]:
    if divided:
        to, options = place, f"PARTITION_BY ({quoted(PART)}), "
    else:
        to, options = place.with_suffix(".parquet"), ""
        sql = f"SELECT * EXCLUDE ({quoted(PART)}) FROM ({sql})"
    copy = f"COPY ({sql}) TO {text_literal(str(to))} (FORMAT parquet, {options}RETURN_STATS)"
    found = session.connection.execute(copy).fetchall()
    return [(int((keys or {}).get(PART, 0)), path, rows, size) for path, rows, size, _, _, keys, *_ in found]


def _write_lists(session: Session, sql: str, columns: Mapping[str, str], place: Path, divided: bool) -> list[Written]:
    """Write rows with lists in small row groups, because DuckDB reads up to 2,048 rows of a row group at once."""
    from pyarrow.compute import equal  # slow to load

    place.mkdir()
    files: dict[int, _ListFile] = {}
    with ExitStack() as stack, session.batches(sql, lists=True) as reader:
        at = reader.schema.get_field_index(PART)
        schema = reader.schema.remove(at)
        for batch in queried(reader):
            numbers = batch.column(at)
            for part in numbers.unique().to_pylist():
                if part not in files:
                    path = place / f"{part}.parquet"
                    files[part] = _ListFile(path, stack.enter_context(parquet_writer(path, schema, columns)))
                files[part].add(batch.filter(equal(numbers, part)).remove_column(at))
        for file in files.values():
            file.flush()
    return [(part, str(file.path), file.rows, file.path.stat().st_size) for part, file in files.items()]


class _ListFile:
    """A file of rows with lists, of which a row group is held in memory."""

    def __init__(self, path: Path, writer: Any) -> None:
        self.path, self._writer = path, writer
        self.rows = self._bytes = 0
        self._held: list[pa.RecordBatch] = []

    def add(self, batch: pa.RecordBatch) -> None:
        """Add rows."""
        self._held.append(batch)
        self.rows += batch.num_rows
        self._bytes += batch.nbytes
        if self._bytes > NESTED_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write the rows that are held."""
        if self._held:
            self._writer.write_table(pa.Table.from_batches(self._held))
            self._held, self._bytes = [], 0
