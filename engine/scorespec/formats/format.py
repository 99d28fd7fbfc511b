"""A file format: its name and suffixes, a function that reads a file, and one that quotes lines of a file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from scorespec.errors import Problems

Columns = Mapping[str, pa.DataType]
"""A table's columns in their declared order; their types are string, float64, int64 or bool."""

Quote = Callable[[Path, Columns, Collection[int]], dict[int, dict[str, str]]]
"""``quote(path, columns, lines)``: the fields of these lines as they are written, by line and column.

For messages about values only: it reads the file again, up to the largest of the lines.
"""


class Reader(Protocol):
    """Reads one file as a stream of record batches."""

    def __call__(
        self, path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
    ) -> Iterator[pa.RecordBatch]:
        """Yield the good rows of ``path`` as batches; add a problem for every bad one to ``problems``.

        A batch has the columns ``line`` (int64, counted from 1), then those of ``columns`` in their
        order (null where the file has no such column), then ``group_line`` (int64) if the format
        groups its rows. There are no batches of 0 rows.

        ``optional`` names the columns that a file with a header may leave out, and in which an
        empty field is null.

        Raises :class:`~scorespec.errors.InputError` for a file that cannot be read as text at all.
        """


@dataclass(frozen=True)
class Format:
    """A file format. ``read`` and ``quote`` are None where the engine reads the file by other means."""

    name: str
    about: str
    suffixes: tuple[str, ...]
    read: Reader | None
    quote: Quote | None
    #: The columns that a file fills under names of the format, if the table has them.
    fills: tuple[str, ...] = ()
    #: Which other columns a file fills, such as those of its header; '' for none.
    others: str = ""
    #: The columns that a file could fill besides those it always fills; None if the reader cannot list them.
    names: Callable[[Path], list[str]] | None = None
    #: The column filled from the header above a row; batches then have ``group_line``, the line of that header.
    group: str | None = None
    #: Whether a second header of the same name continues that group; otherwise it is a fault.
    group_goes_on: bool = False
    #: The name of the system that a file states, such as the attribute `system_id`; None if it states none.
    system: Callable[[Path], str | None] | None = None
    #: The column of which all rows with one value must be in one file, because numbering starts anew in each file.
    whole: str | None = None

    def leaves_empty(self, column: str) -> bool:
        """Whether no file fills a column; False for a format that does not say which columns it fills."""
        return bool(self.fills) and not self.others and column not in self.fills


PARQUET = Format(
    name="parquet",
    about="a Parquet file with the columns of the table; read by DuckDB itself",
    suffixes=(".parquet",),
    read=None,
    quote=None,
    others="those of the file",
)
DUCKDB = Format(
    name="duckdb",
    about="a table or view of a DuckDB file, with the columns of the table; wherever parquet is read",
    suffixes=(".duckdb",),
    read=None,
    quote=None,
    others="those of its table or view",
)
