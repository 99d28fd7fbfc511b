"""Loads inputs, files or objects in memory, into tables of the work database."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from scorespec.arrays import arrow_ints
from scorespec.catalog.model import Table
from scorespec.compiler.templates import quoted
from scorespec.errors import Problems, UnreadableRows, UsageError, bad_input, unknown
from scorespec.formats import FORMATS, Format, format_by_name, format_of_suffix
from scorespec.runtime.casting import (
    cast_columns,
    check_names,
    leave_out_misfits,
    misfits_of,
    parquet_types,
    report_misfits,
)
from scorespec.runtime.files import Content, Files, HashedPath, Stamp, hash_file, shown_path, unreadable
from scorespec.runtime.frames import FRAME, gather_frames, layout_of
from scorespec.runtime.in_place import Scan, link_of, scan_in_place, scan_of, write_in_place
from scorespec.runtime.session import Session, resource_error
from scorespec.runtime.streams import ErrorKeepingBatches, batches_of

ARROW_TYPES = {
    "VARCHAR": pa.string(),
    "DOUBLE": pa.float64(),
    "BIGINT": pa.int64(),
    "INTEGER": pa.int64(),
    "BOOLEAN": pa.bool_(),
}
PICKLED = re.compile(r"\.(p|pkl|pickle)(\.(gz|bz2|xz|zip|zst))?$", re.IGNORECASE)
UNPICKLE = """{path}: a pickle can run any code when it is loaded, so it is not read. If you trust it, convert it once:
  import pandas
  frame = pandas.read_pickle("{path}").map(lambda cell: cell.tolist() if hasattr(cell, "tolist") else cell)
  frame.to_parquet("{parquet}")"""


@dataclass(frozen=True)
class Source:
    """The source of a table: a file in a format, or an object in memory; ``shown`` names it in messages.

    ``input`` is the name of the input. An input that is given in parts has a source, and a table, for each ``part``.
    """

    table: Table
    shown: str
    path: Path | None = None
    format: Format | None = None
    value: Any = None
    input: str = ""
    part: str | None = None
    files: Files | None = field(default=None, repr=False)  # keeps the copy of a pipe

    @property
    def recorded(self) -> str:
        """The source as the results database records it: an absolute path, or the name of an object."""
        return self.shown if self.path is None else str(Path.cwd() / self.shown)


@dataclass
class Loaded:
    """A table in the work database, with the problems found while reading it.

    ``rows`` are those that were read. With ``dropping``, rows that fail a droppable check are left out; ``dropped`` is
    their number. ``content`` has size and hash of a file, if requested; ``stamp`` is that of a file which steps read in
    place.
    """

    source: Source
    problems: Problems
    rows: int = 0
    merged: int = 0
    dropping: bool = False
    dropped: int = 0
    content: Content | None = None
    stamp: Stamp | None = None

    @property
    def grouped(self) -> str | None:
        """The column filled from headers of the file, if a second header of the same name is a fault."""
        format_ = self.source.format
        return format_.group if format_ and not format_.group_goes_on else None


def find_source(
    table: Table, value: Any, files: Files | None = None, formats: Mapping[str, Format] = FORMATS
) -> Source:
    """The source of an input that is given as ``path``, ``path::format`` (one of ``formats``) or an object.

    Raises UsageError for an unknown format or an object that cannot be read, InputError if there is no file.
    """
    if isinstance(value, str | Path):
        text, _, format_name = str(value).partition("::")
        shown = shown_path(text)
        if PICKLED.search(text):
            raise UsageError(UNPICKLE.format(path=shown, parquet=PICKLED.sub(".parquet", shown)))
        format_, files = _find_format(table, text, format_name, formats), files or Files()
        return Source(table, shown, files.find(Path(text)), format_, input=table.name, files=files)
    if hasattr(value, "__arrow_c_stream__"):
        return Source(table, f"<{table.name}>", value=value, input=table.name)
    kind = f"{type(value).__module__}.{type(value).__name__}"
    raise UsageError(
        f"input {table.name!r} is a {kind}; give a path, an Arrow table or reader, a pandas or Polars frame, "
        "or a DuckDB relation"
    )


def _find_format(table: Table, path: str, name: str, formats: Mapping[str, Format]) -> Format:
    """The format with this name; without a name, the format of the suffix, or the first format of the table."""
    by_suffix = None if name else format_of_suffix(path, table.formats, formats)
    found = by_suffix or format_by_name(name or table.formats[0], formats)
    if found.name not in table.formats:
        raise unknown(f"input {table.name!r} cannot be read as {found.name}", found.name, table.formats)
    return found


def empty_table(table: Table) -> str:
    """The SQL that creates the empty table of an input that was not given; as a view, it cannot be written."""
    columns = ", ".join(f"NULL::{column.type} AS {quoted(column.name)}" for column in table.columns)
    return f"CREATE VIEW {quoted(table.name)} AS SELECT NULL::BIGINT AS line, {columns} WHERE false"


def load(session: Session, source: Source, hashed: bool = False, dropping: bool = False) -> Loaded:
    """Create the table ``source.table.name``: column ``line`` (from 1), then the table's columns.

    Rows at fault are left out and recorded in ``problems``. Raises InputError for a file that cannot be read. With
    ``hashed``, a file is also hashed; with ``dropping``, :func:`.check_table` will drop rows at fault.
    """
    # Other columns and attributes are not reported if scores can be broken down by them.
    further = frozenset(("column", "attribute")) if source.table.other_columns else frozenset()
    # A row of a file of frames is a part of a sequence, and cannot be dropped.
    unreadable = UnreadableRows() if dropping and source.table.droppable and not source.table.nested else None
    loaded = Loaded(source, Problems(source.shown, expected=further, unreadable=unreadable), dropping=dropping)
    try:
        if source.path is None or source.format is None:
            _load_object(session, source, loaded.problems)
        elif source.format.read is None:
            _load_parquet(session, source, loaded, hashed)
        elif hashed:
            path = HashedPath(source.path)
            _load_text(session, replace(source, path=path), loaded.problems)
            loaded.content = path.content
        else:
            _load_text(session, source, loaded.problems)
    except pa.ArrowException as error:
        if source.format is None:
            raise  # an error of the user's object
        raise bad_input(source.shown, f"cannot be read: {str(error).splitlines()[0]}") from None
    except duckdb.Error as error:
        said = str(error).strip().splitlines()[0].replace(str(link_of(session, source.table.name)), source.shown)
        raise resource_error(error, f"loading {source.shown}", session.limits) or bad_input(
            source.shown, f"cannot be read: {said}"
        ) from None
    loaded.rows = int(session.row(f"SELECT count(*) FROM {quoted(source.table.name)}")[0])
    loaded.rows += len(unreadable.kept) if unreadable else 0
    return loaded


def _load_text(session: Session, source: Source, problems: Problems) -> None:
    if source.table.nested:
        _load_frames(session, source, problems)
        return
    optional = [column.name for column in source.table.columns if column.nullable]
    _read_text(session, source, source.table.name, arrow_columns(source.table), optional, problems)


def _read_text(
    session: Session,
    source: Source,
    name: str,
    columns: Mapping[str, pa.DataType],
    optional: Collection[str],
    problems: Problems,
) -> None:
    """Create a table with some columns of a text file."""
    assert source.format is not None and source.format.read is not None and source.path is not None
    fields = [("line", pa.int64()), *columns.items()]
    if source.format.group:
        fields.append(("group_line", pa.int64()))
    batches = ErrorKeepingBatches(source.format.read(source.path, columns, problems, optional))
    _create(session, name, pa.RecordBatchReader.from_batches(pa.schema(fields), batches), "*", batches)


def _load_frames(session: Session, source: Source, problems: Problems) -> None:
    """Load a text file with a row per frame."""
    assert source.format is not None and source.path is not None
    if source.format.names is None:
        raise UsageError(f"input {source.table.name!r} holds sequences; they cannot be read as {source.format.name}")
    layout = layout_of(source.table, source.format.names(source.path))
    types = {**{column.name: column.type for column in layout.flat}, **layout.numbers}
    columns = {name: ARROW_TYPES[kind] for name, kind in types.items()}
    optional = [*(column.name for column in layout.flat if column.nullable), *(set(layout.numbers) - {FRAME})]
    frames = f"frames of {source.table.name}"
    _read_text(session, source, frames, columns, optional, problems)
    gather_frames(session, layout, quoted(frames), problems)
    session.drop(frames)


def arrow_type(kind: str) -> pa.DataType | None:
    """The Arrow type of a DuckDB type, lists included; None if the values decide the type."""
    if kind.endswith("[]"):
        return pa.list_(arrow_type(kind.removesuffix("[]")))
    return ARROW_TYPES.get(kind)


def arrow_columns(table: Table) -> Mapping[str, pa.DataType]:
    """The columns of a table as a text format reads them."""
    for column in table.columns:
        if column.type not in ARROW_TYPES:
            raise UsageError(f"input {table.name!r} has the nested column {column.name!r}; give it as Parquet or Arrow")
    return {column.name: ARROW_TYPES[column.type] for column in table.columns}


def _load_parquet(session: Session, source: Source, loaded: Loaded, hashed: bool) -> None:
    assert source.path is not None
    try:
        stamp = Stamp.of(source.path)
        loaded.content = hash_file(source.path) if hashed else None
        if source.table.nested:
            in_place = scan_in_place(session, source.table.name, source.path)
            _view_nested(session, source, in_place, loaded.problems)
            loaded.stamp = stamp
            return
        link = link_of(session, source.table.name)
        link.symlink_to(source.path.resolve())
    except OSError as error:
        raise unreadable(source.shown, error) from None
    table, scan = source.table, scan_of(link)
    types = parquet_types(session, source.shown, table, scan, link)
    loaded.problems.leave_out_columns(types, table.column_names)
    columns = cast_columns(source.shown, table.columns, types)
    session.create(table.name, f"SELECT file_row_number + 1 AS line, {columns} FROM {scan}")
    leave_out_misfits(session, table.name, misfits_of(table.columns, types), loaded.problems)
    stamp.check(source.shown)


def _view_nested(session: Session, source: Source, scan: Scan, problems: Problems) -> None:
    """Create the table of a Parquet file with lists: a view of it, or lists gathered from a row per frame."""
    table = source.table
    types = parquet_types(session, source.shown, table, scan.sql, scan.path)
    line = "file_row_number + 1 AS line"
    if FRAME not in types:
        columns = cast_columns(source.shown, table.columns, types)
        rows = f"(SELECT {line}, {columns} FROM {scan.sql})"
        report_misfits(session, rows, misfits_of(table.columns, types), problems)
        names = ", ".join(map(quoted, ("line", *table.column_names)))
        session.run(f"CREATE VIEW {quoted(table.name)} AS SELECT {names} FROM {rows}")
        return
    layout = layout_of(table, types)
    flat = cast_columns(source.shown, layout.flat, types)
    numbers = ", ".join(f"{quoted(name)}::{kind} AS {quoted(name)}" for name, kind in layout.numbers.items())
    frames = f"(SELECT {line}, {flat}, {numbers} FROM {scan.sql})"
    report_misfits(session, frames, misfits_of(layout.flat, types), problems)
    gather_frames(session, layout, frames, problems)


def _load_object(session: Session, source: Source, problems: Problems) -> None:
    # A reader is used as it is: passed as a C stream, it would lose the types of its exceptions.
    value = source.value
    reader = value if isinstance(value, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(value)
    if source.table.nested:
        scan = write_in_place(session, source.table.name, reader.schema, batches_of(reader))
        _view_nested(session, source, scan, problems)
        return
    check_names(source.shown, source.table, reader.schema.names)
    described = session.connection.from_arrow(pa.RecordBatchReader.from_batches(reader.schema, []))
    types = dict(zip(described.columns, map(str, described.types), strict=True))
    problems.leave_out_columns(types, source.table.column_names)
    batches = ErrorKeepingBatches(_numbered(batches_of(reader)))
    schema = pa.schema([("line", pa.int64()), *reader.schema])
    numbered = pa.RecordBatchReader.from_batches(schema, batches)
    columns = cast_columns(source.shown, source.table.columns, types)
    _create(session, source.table.name, numbered, f"line, {columns}", batches)
    leave_out_misfits(session, source.table.name, misfits_of(source.table.columns, types), problems)


def _numbered(reader: Any) -> Iterator[Any]:
    """Record batches with the number of each row, from 1, as the first column."""
    start = 1
    for batch in reader:
        lines = arrow_ints(np.arange(start, start + batch.num_rows))
        start += batch.num_rows
        yield pa.RecordBatch.from_arrays([lines, *batch.columns], names=["line", *batch.schema.names])


def _create(session: Session, name: str, reader: Any, columns: str, batches: ErrorKeepingBatches) -> None:
    """Create a table from an Arrow reader."""
    with batches.raising_error(), session.reading("incoming", reader):
        session.create(name, f"SELECT {columns} FROM incoming")
