"""Loads inputs, files or objects in memory, into tables of the work database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from scorespec.catalog.model import Table
from scorespec.core.arrays import arrow_ints
from scorespec.core.groups import grouped
from scorespec.core.terminal import NOTE
from scorespec.errors import Problems, UnreadableRows, UsageError, bad_input
from scorespec.formats import DUCKDB
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.casting import (
    ARROW_TYPES,
    FROM_FLOAT,
    arranged,
    cast_columns,
    check_names,
    key_values,
    leave_out_misfits,
    misfits_of,
    named,
    parquet_types,
    report_misfits,
)
from scorespec.run.inputs.duckdb_files import stored_rows
from scorespec.run.inputs.files import Content, HashedPath, Stamp, hash_file, unreadable
from scorespec.run.inputs.nested import (
    FRAME,
    Scan,
    gather_frames,
    layout_of,
    link_of,
    scan_in_place,
    scan_of,
    write_in_place,
)
from scorespec.run.inputs.sources import Source
from scorespec.run.session import ErrorKeepingBatches, Session, batches_of, resource_error


@dataclass
class Loaded:
    """A table in the work database, with the problems found while reading it.

    ``rows`` are those that were read. With ``dropping``, rows that fail a droppable check are left out; ``dropped`` is
    their number. ``content`` has size and hash of a file, if requested; ``stamp`` is that of a file which steps read in
    place. An input in several files has ``pieces``, each of which has ``before`` lines of other files before its own;
    ``last`` is its last line that has a row or a problem that is shown. ``digest`` is that of the gold in its rows,
    empty if there is none. Loading took ``seconds``, and spilled bytes to disk, None if not measured.
    """

    source: Source
    problems: Problems
    rows: int = 0
    merged: int = 0
    dropping: bool = False
    dropped: int = 0
    content: Content | None = None
    stamp: Stamp | None = None
    pieces: list[Loaded] = field(default_factory=list)
    before: int = 0
    last: int = 0
    digest: tuple[int, ...] = ()
    seconds: float = 0.0
    spilled: int | None = None

    @property
    def each(self) -> list[Loaded]:
        """The single files: the pieces, or this one."""
        return self.pieces or [self]

    def by_file(self, value: Callable[[Loaded], object]) -> str:
        """The SQL of a value of the file of each row of the input; ``value`` has it as SQL."""
        cases = " ".join(f"WHEN line > {file.before} THEN {value(file)}" for file in reversed(self.pieces[1:]))
        first = str(value(self.each[0]))
        return f"CASE {cases} ELSE {first} END" if cases else first

    @property
    def warnings(self) -> list[str]:
        """The warnings about what was left out or chosen; one that is the same for several files is given once."""
        left_out = grouped((said, file.source.shown) for file in self.each for said in file.problems.omitted)
        notes = grouped((file.source.note, file.source.shown) for file in self.each if file.source.note)
        said = [(each, "", files) for each, files in left_out.items()]
        return [
            f"{label}{files[0] if len(files) == 1 else f'{self.source.shown}, {len(files)} files'}: {each}"
            for each, label, files in (*said, *((each, NOTE, files) for each, files in notes.items()))
        ]

    @property
    def grouped(self) -> str | None:
        """The column filled from headers of the files, if a second header of the same name is a fault."""
        formats = [each.format for each in self.source.each if each.format]
        return next((each.group for each in formats if each.group and not each.group_goes_on), None)


def empty_table(table: Table) -> str:
    """The SQL that creates the empty table of an input that was not given; as a view, it cannot be written."""
    columns = ", ".join(f"NULL::{column.type} AS {quoted(column.name)}" for column in table.columns)
    return f"CREATE VIEW {quoted(table.name)} AS SELECT NULL::BIGINT AS line, {columns} WHERE false"


def load(session: Session, source: Source, hashed: bool = False, dropping: bool = False, view: bool = False) -> Loaded:
    """Create the table ``source.table.name``: column ``line`` (from 1), then the table's columns.

    ``source`` is one file or object. Rows at fault are left out and recorded in ``problems``. With ``hashed``, a file
    is also hashed; with ``dropping``, :func:`.check_table` will drop rows at fault; with ``view``, the table may be a
    view of a Parquet file. Raises InputError for a file that cannot be read.
    """
    loaded = loading(source, dropping)
    with plain_errors(session, source):
        if source.path is None or source.format is None:
            _load_object(session, source, loaded.problems)
        elif source.format is DUCKDB:
            stamp = Stamp.of(source.path)
            loaded.content = hash_file(source.path) if hashed else None
            with stored_rows(source, session.limits_beside) as rows:
                _load_object(session, replace(source, value=rows), loaded.problems)
            stamp.check(source.shown)
        elif source.format.read is None:
            _load_parquet(session, source, loaded, hashed, view)
        elif hashed:
            path = HashedPath(source.path)
            _load_text(session, replace(source, path=path), loaded.problems)
            loaded.content = path.content
        else:
            _load_text(session, source, loaded.problems)
        if source.only and session.is_table(source.table.name):  # a text file is read as a whole
            session.run(f"DELETE FROM {quoted(source.table.name)} WHERE ({source.only}) IS NOT TRUE")
        loaded.rows = int(session.row(f"SELECT count(*) FROM {quoted(source.table.name)}")[0])
        loaded.rows += len(loaded.problems.unreadable.kept) if loaded.problems.unreadable else 0
    return loaded


def only(source: Source) -> str:
    """The condition of the rows that are read of a source, as the end of a query."""
    return f" WHERE {source.only}" if source.only else ""


@contextmanager
def plain_errors(session: Session, source: Source) -> Iterator[None]:
    """Turn errors of libraries that read a source into an InputError or RunError that names it."""
    try:
        yield
    except pa.ArrowException as error:
        if source.format is None and not isinstance(error, pa.ArrowNotImplementedError):
            raise  # an error of the user's object
        raise bad_input(source.shown, f"cannot be read: {str(error).splitlines()[0]}") from None
    except duckdb.Error as error:
        said = str(error).strip().splitlines()[0].replace(str(link_of(session, source.table.name)), source.shown)
        raise resource_error(error, f"loading {source.shown}", session.limits) or bad_input(
            source.shown, f"cannot be read: {said}"
        ) from None


def loading(source: Source, dropping: bool) -> Loaded:
    """A source that has not been read yet."""
    # Other columns and attributes are not reported if scores can be broken down by them.
    further = frozenset(("column", "attribute")) if source.table.other_columns else frozenset()
    # A row of a file of frames is a part of a sequence, and cannot be dropped.
    droppable = source.table.droppable or any(each.texts for each in source.each)
    unreadable = UnreadableRows() if dropping and droppable and not source.table.nested else None
    return Loaded(source, Problems(source.shown, expected=further, unreadable=unreadable), dropping=dropping)


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
    """Create a table with some columns of a text file, and those that the names of its folders fill."""
    assert source.format is not None and source.format.read is not None and source.path is not None
    if source.format.names is not None and (source.columns or source.filled):
        named(source, source.format.names(source.path))
    keys, theirs = key_values(source), {name: source.columns.get(name, name) for name in columns}
    wanted = {theirs[name]: kind for name, kind in columns.items() if name not in keys}
    fields = [("line", pa.int64()), *wanted.items()]
    if source.format.group:
        fields.append(("group_line", pa.int64()))
    may_lack = [theirs[name] for name in optional]
    batches = ErrorKeepingBatches(source.format.read(source.path, wanted, problems, may_lack))
    selected = [f"{keys.get(name, quoted(theirs[name]))} AS {quoted(name)}" for name in columns]
    selected += ["group_line"] if source.format.group else []
    reader = pa.RecordBatchReader.from_batches(pa.schema(fields), batches)
    _create(session, name, reader, ", ".join(("line", *selected)), batches)


def _load_frames(session: Session, source: Source, problems: Problems) -> None:
    """Load a text file with a row per frame."""
    assert source.format is not None and source.path is not None
    if source.format.names is None:
        raise UsageError(f"input {source.table.name!r} holds sequences; they cannot be read as {source.format.name}")
    layout = layout_of(source.table, [ours for ours, _ in named(source, source.format.names(source.path))])
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
            said = f"column {column.name!r} of input {table.name!r} is {column.type}"
            raise UsageError(f"{said}, and files of text have no such values; give the input as Parquet or Arrow")
    return {column.name: ARROW_TYPES[column.type] for column in table.columns}


def _load_parquet(session: Session, source: Source, loaded: Loaded, hashed: bool, view: bool = False) -> None:
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
    types, scan = parquet_types(session, source, scan, link)
    loaded.problems.leave_out_columns(types, table.column_names)
    columns = cast_columns(source.shown, table.columns, types)
    rows, misfits = f"SELECT file_row_number + 1 AS line, {columns} FROM {scan}", misfits_of(table.columns, types)
    if view and not misfits and FROM_FLOAT not in columns:  # a cast by way of text is made once
        session.let_read(link)
        # DuckDB leaves out the row groups without rows that meet a condition.
        session.run(f"CREATE VIEW {quoted(table.name)} AS FROM ({rows}){only(source)}")
        loaded.stamp = stamp
        return
    session.create(table.name, f"FROM ({rows}){only(source)}")
    leave_out_misfits(session, table.name, misfits, loaded.problems)
    stamp.check(source.shown)


def _view_nested(session: Session, source: Source, scan: Scan, problems: Problems) -> None:
    """Create the table of a Parquet file with lists: a view of it, or lists gathered from a row per frame."""
    table = source.table
    types, scanned = parquet_types(session, source, scan.sql, scan.path)
    line = "file_row_number + 1 AS line"
    if FRAME not in types:
        columns = cast_columns(source.shown, table.columns, types)
        rows = f"(SELECT {line}, {columns} FROM {scanned})"
        report_misfits(session, rows, misfits_of(table.columns, types), problems)
        names = ", ".join(map(quoted, ("line", *table.column_names)))
        session.run(f"CREATE VIEW {quoted(table.name)} AS SELECT {names} FROM {rows}")
        return
    layout = layout_of(table, types)
    flat = cast_columns(source.shown, layout.flat, types)
    numbers = ", ".join(f"{quoted(name)}::{kind} AS {quoted(name)}" for name, kind in layout.numbers.items())
    frames = f"(SELECT {line}, {flat}, {numbers} FROM {scanned})"
    report_misfits(session, frames, misfits_of(layout.flat, types), problems)
    gather_frames(session, layout, frames, problems)


def _load_object(session: Session, source: Source, problems: Problems) -> None:
    if hasattr(source.value, "sink_parquet"):  # a Polars LazyFrame, which may not fit into memory
        path = session.folder / f"{source.table.name} collected.parquet"
        source.value.sink_parquet(path)
        _load_parquet(session, replace(source, path=path), Loaded(source, problems), hashed=False)
        return
    reader = _table_of(source)
    if source.table.nested:
        scan = write_in_place(session, source.table.name, reader.schema, _rows_of(source, reader))
        _view_nested(session, source, scan, problems)
        return
    names = reader.schema.names
    check_names(source.shown, source.table, [ours for ours, _ in named(source, names)])
    with session.reading("incoming", pa.RecordBatchReader.from_batches(reader.schema, [])):
        described = session.rows(f"DESCRIBE FROM {arranged(source, 'incoming', names)}")
    types = {str(name): str(kind) for name, kind, *_ in described}
    problems.leave_out_columns(types, source.table.column_names)
    batches = ErrorKeepingBatches(_numbered(_rows_of(source, reader)))
    schema = pa.schema([("line", pa.int64()), *reader.schema])
    numbered = pa.RecordBatchReader.from_batches(schema, batches)
    columns = cast_columns(source.shown, source.table.columns, types)
    rows = arranged(source, "incoming", names, "line")
    _create(session, source.table.name, numbered, f"line, {columns}", batches, rows)
    leave_out_misfits(session, source.table.name, misfits_of(source.table.columns, types), problems)


def _table_of(source: Source) -> Any:
    """The record batches of an object. Raises UsageError for an object that is not a table."""
    try:
        return _reader_of(source.value)
    except (pa.ArrowException, ValueError, TypeError) as error:
        said = "; ".join(str(each).partition("\n")[0] for each in error.args)
        raise UsageError(
            f"input {source.input!r} is a {type(source.value).__name__} that cannot be read as a table ({said}); "
            "give a frame or a table in which each column has a name of its own and values of one type, such as texts "
            "or numbers of at most 64 bits"
        ) from None


def _rows_of(source: Source, reader: Any) -> Iterator[Any]:
    """The record batches of an object. Raises UsageError for a stream that was read before, and so gives none.

    A table, a frame or a dataset can be read again, and may have no rows.
    """
    none = True
    for batch in batches_of(reader):
        none = False
        yield batch
    if none and source.format is not DUCKDB and not {"shape", "scanner"} & {*dir(type(source.value))}:
        raise UsageError(
            f"input {source.input!r} is a stream without rows; a stream can be read only once. If it was read before, "
            "give a table, such as reader.read_all(). If it has no rows, give an empty table"
        )


def _reader_of(value: Any) -> Any:
    """The record batches of an object."""
    if hasattr(value, "scanner"):  # a dataset of Arrow, which would otherwise hold 16 batches of 4 files
        value = value.scanner(batch_readahead=1, fragment_readahead=1).to_reader()
    elif not isinstance(value, pa.RecordBatchReader):  # which is used as it is: a C stream loses types of exceptions
        value = pa.RecordBatchReader.from_stream(value)
    known = [_known_to_duckdb(field.type) for field in value.schema]
    if known == value.schema.types:
        return value
    schema = pa.schema([field.with_type(kind) for field, kind in zip(value.schema, known, strict=True)])
    return pa.RecordBatchReader.from_batches(schema, (batch.cast(schema) for batch in batches_of(value)))


def _known_to_duckdb(kind: pa.DataType) -> pa.DataType:
    """A type of Arrow, or the one that holds the same values and that DuckDB reads. Raises ValueError without one."""
    if pa.types.is_float16(kind):
        return pa.float32()
    if not pa.types.is_decimal256(kind):
        return kind
    if kind.precision > 38:
        raise ValueError(f"{kind}: decimals may have at most 38 digits")
    return pa.decimal128(kind.precision, kind.scale)


def _numbered(reader: Any) -> Iterator[Any]:
    """Record batches with the number of each row, from 1, as the first column."""
    start = 1
    for batch in reader:
        lines = arrow_ints(np.arange(start, start + batch.num_rows))
        start += batch.num_rows
        yield pa.RecordBatch.from_arrays([lines, *batch.columns], names=["line", *batch.schema.names])


def _create(
    session: Session, name: str, reader: Any, columns: str, batches: ErrorKeepingBatches, rows: str = "incoming"
) -> None:
    """Create a table from an Arrow reader, which ``rows`` reads under the name `incoming`."""
    with batches.raising_error(), session.reading("incoming", reader):
        session.create(name, f"SELECT {columns} FROM {rows}")
