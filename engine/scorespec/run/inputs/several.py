"""Inputs in several files: one table, in which lines are counted on from each file to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

import pyarrow as pa
import pyarrow.compute as pc

from scorespec.catalog.model import Column, Table
from scorespec.errors import SHOWN_PROBLEMS, Code, UsageError
from scorespec.formats.format import Columns
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.files import HashedPath
from scorespec.run.inputs.loading import Loaded, arrow_columns, load, loading, only, plain_errors
from scorespec.run.inputs.other_forms import load_other_forms
from scorespec.run.inputs.sources import Source
from scorespec.run.inputs.texts import NUMBERS, load_texts, names_texts
from scorespec.run.session import ErrorKeepingBatches, Session


def load_input(
    session: Session, source: Source, hashed: bool = False, dropping: bool = False, view: bool = False
) -> Loaded:
    """Load an input, in one file or in several; see :func:`.load`. Of a single file, the table may be a ``view``.

    Raises UsageError if rows of a submission should be dropped and no file has rows that can be.
    Tables of several files with lists are read in place: :func:`unite` makes one of them when the session is locked.
    """
    if dropping and not (source.table.may_drop or any(each.texts for each in source.each)):
        raise UsageError(
            f"--on-bad-row drop: input {source.input!r} is a sequence of words, of which none may be missing; "
            "rows are dropped if each has a text, or leave the option out"
        )
    if not source.pieces:
        return _loader(source)(session, source, hashed, dropping, view)
    united = loading(source, dropping)
    for of_text, pieces in groupby(source.pieces, _is_streamed):
        if of_text:
            _add_texts(session, united, pieces, hashed)
            continue
        for piece in pieces:
            loaded = _loader(piece)(session, piece, hashed, dropping, True)
            (loaded.last,) = session.row(f"SELECT coalesce(max(line), 0) FROM {quoted(piece.table.name)}")
            add_file(united, loaded)
            if not source.table.nested:
                _move(session, loaded, united)
    if source.only and session.is_table(source.table.name):
        session.run(f"DELETE FROM {quoted(source.table.name)} WHERE ({source.only}) IS NOT TRUE")
        united.rows = int(session.row(f"SELECT count(*) FROM {quoted(source.table.name)}")[0])
    return united


def _loader(source: Source) -> Callable[[Session, Source, bool, bool, bool], Loaded]:
    return load_texts if source.texts else load_other_forms if source.made else load


def _is_streamed(piece: Source) -> bool:
    """Whether the rows of a file are those of its reader: a text file, whose columns have their own names and forms."""
    return (
        piece.format is not None
        and piece.format.read is not None
        and not (piece.table.nested or piece.columns or piece.made or piece.filled or piece.texts)
    )


def _add_texts(session: Session, united: Loaded, pieces: Iterable[Source], hashed: bool) -> None:
    """Load text files in one statement: a statement for each would take ten times as long as reading a small file."""
    columns = arrow_columns(united.source.table)
    group = {} if united.grouped is None else {"group_line": pa.int64()}
    schema = pa.schema({"line": pa.int64(), **columns, **group})
    rows = (batch for each in pieces for batch in _text_batches(session, united, each, columns, schema, hashed))
    batches = ErrorKeepingBatches(rows)
    reader = pa.RecordBatchReader.from_batches(schema, batches)
    with plain_errors(session, united.source), batches.raising_error(), session.reading("incoming", reader):
        _put(session, united, "FROM incoming")


def _text_batches(
    session: Session, united: Loaded, piece: Source, columns: Columns, schema: pa.Schema, hashed: bool
) -> Iterator[pa.RecordBatch]:
    """The rows of a text file, whose lines are counted on. After its last row, the file is added to the input."""
    assert piece.format is not None and piece.format.read is not None and piece.path is not None
    loaded, before, part = loading(piece, united.dropping), lines_before(united), piece.table.part_column
    path = HashedPath(piece.path) if hashed else piece.path
    optional = [column.name for column in piece.table.columns if column.nullable]
    with plain_errors(session, piece):
        for batch in piece.format.read(path, columns, loaded.problems, optional):
            found = {name: batch.column(name) for name in batch.schema.names}
            loaded.rows += batch.num_rows
            loaded.last = max(loaded.last, pc.max(found["line"]).as_py())
            found |= {name: pc.add(found[name], before) for name in found.keys() & {"line", "group_line"}}
            if piece.part is not None and part is not None:
                found[part] = pc.fill_null(found[part], piece.part)
            absent = pa.nulls(batch.num_rows, pa.int64())  # the line of the header in a file without headers
            yield pa.RecordBatch.from_arrays([found.get(name, absent) for name in schema.names], schema=schema)
    loaded.content = path.content if isinstance(path, HashedPath) else None
    loaded.rows += len(loaded.problems.unreadable.kept) if loaded.problems.unreadable else 0
    add_file(united, loaded)


def lines_before(united: Loaded) -> int:
    """The number of lines before those of the next file; one more line stands for each file as a whole."""
    return united.pieces[-1].before + united.pieces[-1].last + 1 if united.pieces else 0


def add_file(united: Loaded, loaded: Loaded) -> None:
    """Add a file to an input in several files; ``last`` becomes its last line that has a row or a shown problem."""
    unreadable = loaded.problems.unreadable.kept if loaded.problems.unreadable else ()
    shown = (problem.line or 0 for problem in loaded.problems.kept)
    loaded.last = max(loaded.last, *shown, *(line for _, line, *_ in unreadable), 0)
    check_part(loaded)
    loaded.before = lines_before(united)
    united.problems.add_file(loaded.problems, loaded.before)
    united.pieces.append(loaded)
    united.rows += loaded.rows


def check_part(loaded: Loaded) -> None:
    """Add a problem to a file that is a part of an input and has too few rows."""
    source = loaded.source
    if source.part is not None and loaded.rows < source.table.min_rows and not loaded.problems:
        loaded.problems.add(None, f"no rows; each part needs at least {source.table.min_rows}", Code.TOO_FEW_ROWS)


def _move(session: Session, loaded: Loaded, united: Loaded) -> None:
    """Move the rows of a file into the table of the input."""
    with plain_errors(session, loaded.source):
        _put(session, united, _counted_on(loaded, united.grouped is not None, united.source))
    session.drop(loaded.source.table.name)


def _put(session: Session, united: Loaded, rows: str) -> None:
    """Add rows to the table of the input, or create the table."""
    name = united.source.table.name
    if session.is_table(name):
        session.add(name, rows)
    else:
        session.create(name, rows)


def unite(session: Session, loaded: Loaded) -> None:
    """Create a view of all files of an input whose files are read in place."""
    if loaded.pieces and loaded.source.table.nested:
        rows = " UNION ALL ".join(_counted_on(each, False, loaded.source) for each in loaded.pieces)
        session.run(f"CREATE VIEW {quoted(loaded.source.table.name)} AS {rows}")


def digest_of(session: Session, table: Table) -> tuple[int, ...]:
    """A number that names the rows of an input, whatever their order and the format of their file: a sum over rows.

    Each row adds a hash of its values and of the names of their columns. A list counts with its length and its sum. If
    there are columns that only breakdowns read, a second number is about all columns. The first number of an input that
    describes others leaves out rows without a declared value: without speakers, `metadata` only names slices.
    """
    declared = [each for each in table.columns if not each.undeclared]
    kinds = [declared, table.columns] if len(declared) < len(table.columns) else [declared]
    first, *second = (f"sum(({_hash_of(columns)} >> 64)::HUGEINT)" for columns in kinds)
    described = [f"{quoted(each.name)} IS NOT NULL" for each in declared if each.name != table.describes]
    if table.describes and described:
        first += f" FILTER ({' OR '.join(described)})"
    sums = ", ".join(f"coalesce({each}, 0)" for each in (first, *second))
    return session.row(f"SELECT {sums} FROM {quoted(table.name)}")


def _hash_of(columns: Iterable[Column]) -> str:
    """The SQL of a hash of some columns of a row. In DuckDB 2.0, md5_number_lower takes four times as long."""
    texts = ", ".join(f"{text_literal(f'{each.name}=')} || {_text_of(each)}" for each in columns)
    return f"md5_number(concat_ws(chr(31), {texts}))"


def _text_of(column: Column) -> str:
    """The SQL of a value as text. A list of real numbers is not written out, which would take longer than scoring."""
    name, depth = quoted(column.name), column.type.count("[")
    if not depth or not column.type.startswith(("DOUBLE", "FLOAT")):
        return f"{name}::VARCHAR"
    flat = f"{'flatten(' * (depth - 1)}{name}{')' * (depth - 1)}"
    return f"len({flat}) || ' ' || list_sum({flat})"


def _counted_on(loaded: Loaded, grouped: bool, united: Source) -> str:
    """The SQL of the rows of a file of an input, whose lines are counted on."""
    source, selected = loaded.source, [f"line + {loaded.before} AS line"]
    for column in source.table.columns:
        name = quoted(column.name)
        if source.part is not None and column.name == source.table.part_column:
            name = f"coalesce({name}, {text_literal(source.part)}) AS {name}"
        elif source.texts and column.name == "number":
            name = f"number + {loaded.before * NUMBERS} AS number"
        selected.append(name)
    if grouped:
        has_groups = source.format is not None and source.format.group is not None
        selected.append(f"{f'group_line + {loaded.before}' if has_groups else 'NULL::BIGINT'} AS group_line")
    return f"SELECT {', '.join(selected)} FROM {quoted(source.table.name)}{only(united)}"


def check_whole(session: Session, loaded: Loaded) -> None:
    """Report what one file must have as a whole, such as a document of numbered segments, and several files have.

    If the table names the part of each row, such as the annotator, parts may have the same documents.
    """
    if loaded.source.table.part_column:
        return
    whole = {each.source.format.whole for each in loaded.pieces if each.source.format and each.source.format.whole}
    whole |= {"segment" if names_texts(each.source) else "document" for each in loaded.pieces if each.source.texts}
    for column in whole & {*loaded.source.table.column_names}:
        _report_divided(session, loaded, str(column))


def _report_divided(session: Session, loaded: Loaded, column: str) -> None:
    table, name = quoted(loaded.source.table.name), quoted(column)
    file = loaded.by_file(lambda each: each.before)
    begins = f"SELECT {name} AS name, min(line) AS line FROM {table} GROUP BY {name}, {file}"
    later = f"(SELECT *, min(line) OVER (PARTITION BY name) AS first FROM ({begins}))"
    found = session.rows(f"SELECT line, name, first FROM {later} WHERE line > first ORDER BY line")
    hint = f"; --each {loaded.source.table.name}=… scores each file as one" if loaded.source.table.submitted else ""
    said = [
        (line, f"{column} {value!r} is also in {loaded.problems.place(first)[0]}; give it in one file{hint}")
        for line, value, first in found[:SHOWN_PROBLEMS]
    ]
    loaded.problems.add_all(said, len(found), Code.REPEATED_KEY, column)
