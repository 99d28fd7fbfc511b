"""Parquet files whose columns hold lists: never copied into the work database, but read where they are.

DuckDB reads a row group in pieces of up to 2,048 rows; of rows with lists that may be more than its memory. A file
with such row groups, and rows that come from memory, are written to the work folder in smaller ones first.
"""

from __future__ import annotations

from collections.abc import Iterator
from glob import escape
from pathlib import Path
from typing import Any

import pyarrow as pa

from scorespec.compiler.parameters import text_literal
from scorespec.runtime.session import Session

ROW_GROUP_BYTES = 32 * 2**20
ROWS_READ = 16  # rows with lists that are held while larger row groups are cut


def scan_in_place(session: Session, name: str, path: Path) -> str:
    """The SQL that reads a Parquet file at any time, also after the session is locked.

    Raises OSError where the file cannot be read, duckdb.Error where it is no Parquet file.
    """
    link = link_of(session, name)
    link.symlink_to(path.resolve())
    session.let_read(link)
    if _row_group_bytes(session, link) <= ROW_GROUP_BYTES:
        return scan_of(link)
    from pyarrow.parquet import ParquetFile  # slow to load

    with ParquetFile(path, pre_buffer=False, buffer_size=2**20) as file:
        return write_in_place(session, f"{name} in pieces", file.schema_arrow, file.iter_batches(ROWS_READ))


def write_in_place(session: Session, name: str, schema: pa.Schema, batches: Iterator[Any]) -> str:
    """Write record batches to the work folder; the SQL that reads them at any time."""
    from pyarrow.parquet import ParquetWriter  # slow to load

    path = session.folder / f"{name}.parquet"
    session.let_read(path)
    with ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        held: list[Any] = []
        for batch in batches:
            for at in range(0, batch.num_rows, ROWS_READ):
                held.append(batch.slice(at, ROWS_READ))
                if sum(each.nbytes for each in held) > ROW_GROUP_BYTES // 2:
                    writer.write_table(pa.Table.from_batches(held))
                    held = []
        writer.write_table(pa.Table.from_batches(held, schema))
    return scan_of(path)


def link_of(session: Session, name: str) -> Path:
    """Where the Parquet file of a table is linked to: DuckDB takes `~`, `*` and `[` in other names for patterns."""
    return session.folder / f"{name}.parquet"


def scan_of(path: Path) -> str:
    """The SQL that reads a Parquet file, whatever is in the names of its folders."""
    return f"read_parquet({text_literal(escape(str(path)))}, file_row_number = true, hive_partitioning = false)"


def _row_group_bytes(session: Session, path: Path) -> int:
    """About how many bytes the values of the largest row group have once they are read."""
    # A value of a nested column is a number; encoded, a constant takes no room.
    sql = (
        "SELECT coalesce(max(bytes), 0) FROM (SELECT sum(greatest(num_values * 8, total_uncompressed_size)) AS bytes "
        f"FROM parquet_metadata({text_literal(escape(str(path)))}) GROUP BY row_group_id)"
    )
    return int(session.row(sql)[0])
