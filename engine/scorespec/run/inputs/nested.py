"""Reads Parquet files in place, without a copy in the work database: large ones, and those with columns of lists.

Of a file with lists, DuckDB reads up to 2,048 rows of a row group at once. Rows with lists are large, so these may not
fit into memory. A file with large row groups is first written to the work folder with smaller ones, and so are rows
that come from memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from scorespec.catalog.model import Column, Table
from scorespec.errors import Code, Problems
from scorespec.formats import DUCKDB
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.sources import Source
from scorespec.run.session import Session
from scorespec.run.table_files import TableWriter

LARGE_FILE = 4 * 2**20  # bytes from which a file without lists is read in place, too
ROW_GROUP_BYTES = 32 * 2**20
ROWS_READ = 16  # rows that are held while large row groups are divided


class Scan(NamedTuple):
    """A Parquet file, and the SQL that reads it."""

    path: Path
    sql: str


def stays_in_place(source: Source) -> bool:
    """Whether a file is better read again by each step that needs it than copied into the work database.

    Of five million rows with two columns of labels in Parquet, a copy, which DuckDB compresses, takes 2 s of the
    processor, and reading all columns takes 0.3 s.
    """
    is_parquet = source.format is not None and source.format is not DUCKDB and source.format.read is None
    return is_parquet and source.path is not None and source.bytes >= LARGE_FILE


def scan_in_place(session: Session, name: str, path: Path) -> Scan:
    """Allow the session to read a Parquet file, also after it is locked.

    Raises OSError if the file cannot be read, duckdb.Error if it is not a Parquet file.
    """
    link = link_of(session, name)
    link.symlink_to(path.resolve())
    session.let_read(link)
    if _row_group_bytes(session, link) <= ROW_GROUP_BYTES:
        return Scan(link, scan_of(link))
    from pyarrow.parquet import ParquetFile  # slow to load

    with ParquetFile(path, pre_buffer=False, buffer_size=2**20) as file:
        batches = file.iter_batches(ROWS_READ)
        return write_in_place(session, f"{name} in small row groups", file.schema_arrow, batches)


def write_in_place(session: Session, name: str, schema: pa.Schema, batches: Iterator[Any]) -> Scan:
    """Write record batches to a Parquet file in the work folder, which can be read after the session is locked."""
    path = session.folder / f"{name}.parquet"
    session.let_read(path)
    with TableWriter(path, schema) as writer:
        for batch in batches:
            writer.add(batch)
    return Scan(path, scan_of(path))


def link_of(session: Session, name: str) -> Path:
    """The link to the Parquet file of a table, because DuckDB reads `~`, `*` and `[` in its path as patterns."""
    return session.folder / f"{name}.parquet"


def scan_of(path: Path) -> str:
    """The SQL that reads a Parquet file, whatever characters its path has."""
    return f"read_parquet({text_literal(escape(str(path)))}, file_row_number = true, hive_partitioning = false)"


def _row_group_bytes(session: Session, path: Path) -> int:
    """The approximate size in bytes of the values of the largest row group in memory."""
    # Every value of a nested column is a number of 8 bytes in memory, while encoded constants take no room.
    sql = (
        "SELECT coalesce(max(bytes), 0) FROM (SELECT sum(greatest(num_values * 8, total_uncompressed_size)) AS bytes "
        f"FROM parquet_metadata({text_literal(escape(str(path)))}) GROUP BY row_group_id)"
    )
    return int(session.row(sql)[0])


FRAME = "frame"


@dataclass(frozen=True)
class Layout:
    """The columns of a file with a row per frame that make up each column of lists."""

    table: Table
    parts: Mapping[str, list[str]]

    @property
    def flat(self) -> list[Column]:
        """The columns without lists."""
        return [column for column in self.table.columns if not column.type.endswith("]")]

    @property
    def numbers(self) -> dict[str, str]:
        """The columns with the number of the frame and its values, with their types."""
        names = [name for parts in self.parts.values() for name in parts]
        return {FRAME: "BIGINT", **dict.fromkeys(names, "DOUBLE")}


def layout_of(table: Table, names: Collection[str]) -> Layout:
    """The layout of a file with these columns for a table."""
    parts = {}
    for column in table.columns:
        if column.type.endswith("[][]"):
            channels = {int(part): name for name in names if (part := _channel(name, column.name)).isdecimal()}
            parts[column.name] = [channels[number] for number in sorted(channels)]
        elif column.type.endswith("]"):
            parts[column.name] = [column.name] if column.name in names else []
    return Layout(table, parts)


def _channel(name: str, column: str) -> str:
    """The text after the dot if ``name`` is a channel of a column, otherwise ''."""
    before, _, behind = name.rpartition(".")
    return behind if before == column else ""


def gather_frames(session: Session, layout: Layout, frames: str, problems: Problems) -> None:
    """Create the table of a layout from ``frames``, a table of its columns; report rows whose frames are at fault."""
    flat = ", ".join(quoted(column.name) for column in layout.flat)
    lists = "".join(
        f", {_list(parts, column.type)} AS {quoted(column.name)}"
        for column in layout.table.columns
        if (parts := layout.parts.get(column.name)) is not None
    )
    for column, parts in layout.parts.items():
        if parts:
            _check_gaps(session, layout, frames, column, problems)
    session.create(layout.table.name, f"SELECT min(line) AS line, {flat}{lists} FROM {frames} GROUP BY {flat}")


def _list(parts: list[str], kind: str) -> str:
    if not parts:
        return f"NULL::{kind}"
    value = f"[{', '.join(map(quoted, parts))}]" if kind.endswith("[][]") else quoted(parts[0])
    return f"list({value} ORDER BY {FRAME}) FILTER (WHERE {_present(parts)})"


def _present(parts: list[str]) -> str:
    return " OR ".join(f"{quoted(part)} IS NOT NULL" for part in parts)


def _check_gaps(session: Session, layout: Layout, frames: str, column: str, problems: Problems) -> None:
    """Report sequences whose frames are not numbered without gaps: a gap would shift the frames after it."""
    key = [name for name in layout.table.key if name not in layout.parts]
    listed = ", ".join(map(quoted, key))
    wrong = session.rows(
        f"SELECT min(line), {listed} FROM {frames} WHERE {_present(layout.parts[column])} GROUP BY {listed} "
        f"HAVING max({FRAME}) - min({FRAME}) + 1 <> count(*) OR count(DISTINCT {FRAME}) <> count(*) ORDER BY 1"
    )
    for line, *values in wrong:
        whose = ", ".join(f"{name} {value}" for name, value in zip(key, values, strict=True) if value is not None)
        said = f"{whose}: the frames of {column} have a gap, or a frame occurs twice"
        problems.add(int(line), said, Code.FRAME_GAP, column)
