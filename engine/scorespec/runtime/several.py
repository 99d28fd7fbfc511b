"""Inputs in several files: one table, in which lines are counted on from each file to the next."""

from __future__ import annotations

from scorespec.compiler.parameters import text_literal
from scorespec.compiler.templates import quoted
from scorespec.errors import SHOWN_PROBLEMS, Code
from scorespec.runtime.loading import Loaded, load, loading, plain_errors
from scorespec.runtime.session import Session
from scorespec.runtime.sources import Source


def load_input(
    session: Session, source: Source, hashed: bool = False, dropping: bool = False, view: bool = False
) -> Loaded:
    """Load an input, in one file or in several; see :func:`.load`. Of a single file, the table may be a ``view``.

    Tables of several files with lists are read in place: :func:`unite` makes one of them when the session is locked.
    """
    if not source.pieces:
        return load(session, source, hashed, dropping, view)
    united = loading(source, dropping)
    before = 0
    for piece in source.pieces:
        loaded = load(session, piece, hashed, dropping, view=True)
        loaded.before = before
        loaded.last = _last_line(session, loaded)
        if piece.rows is None:
            check_part(loaded)
        united.problems.add_file(loaded.problems, before)
        before += loaded.last + 1  # one more line, which stands for the next file as a whole
        if not source.table.nested:
            _move(session, loaded, united)
        united.pieces.append(loaded)
        united.rows += loaded.rows
    return united


def check_part(loaded: Loaded) -> None:
    """Add a problem to a file that is a part of an input and has too few rows."""
    source = loaded.source
    if source.part is not None and loaded.rows < source.table.min_rows and not loaded.problems:
        loaded.problems.add(None, f"no rows; each part needs at least {source.table.min_rows}", Code.TOO_FEW_ROWS)


def _last_line(session: Session, loaded: Loaded) -> int:
    """The last line of a file that has a row, or a problem that is shown."""
    (last,) = session.row(f"SELECT coalesce(max(line), 0) FROM {quoted(loaded.source.table.name)}")
    unreadable = loaded.problems.unreadable.kept if loaded.problems.unreadable else ()
    shown = (problem.line or 0 for problem in loaded.problems.kept)
    return max(int(last), *shown, *(line for _, line, *_ in unreadable), 0)


def _move(session: Session, loaded: Loaded, united: Loaded) -> None:
    """Move the rows of a file into the table of the input."""
    name, rows = united.source.table.name, _counted_on(loaded, united.grouped is not None)
    with plain_errors(session, loaded.source):
        if united.pieces:
            session.add(name, rows)
        else:
            session.create(name, rows)
    session.drop(loaded.source.table.name)


def unite(session: Session, loaded: Loaded) -> None:
    """Create a view of all files of an input whose files are read in place."""
    if loaded.pieces and loaded.source.table.nested:
        rows = " UNION ALL ".join(_counted_on(each, False) for each in loaded.pieces)
        session.run(f"CREATE VIEW {quoted(loaded.source.table.name)} AS {rows}")


def _counted_on(loaded: Loaded, grouped: bool) -> str:
    """The SQL of the rows of a file, whose lines are counted on."""
    source, selected = loaded.source, [f"line + {loaded.before} AS line"]
    for column in source.table.columns:
        name = quoted(column.name)
        if source.part is not None and column.name == source.table.part_column:
            name = f"coalesce({name}, {text_literal(source.part)}) AS {name}"
        selected.append(name)
    if grouped:
        has_groups = source.format is not None and source.format.group is not None
        selected.append(f"{f'group_line + {loaded.before}' if has_groups else 'NULL::BIGINT'} AS group_line")
    return f"SELECT {', '.join(selected)} FROM {quoted(source.table.name)}"


def check_whole(session: Session, loaded: Loaded) -> None:
    """Report what one file must have as a whole, such as a document of numbered segments, and several files have."""
    whole = {each.source.format.whole for each in loaded.pieces if each.source.format and each.source.format.whole}
    for column in whole & {*loaded.source.table.column_names}:
        _report_divided(session, loaded, str(column))


def _report_divided(session: Session, loaded: Loaded, column: str) -> None:
    table, name = quoted(loaded.source.table.name), quoted(column)
    file = loaded.by_file(lambda each: each.before)
    begins = f"SELECT {name} AS name, min(line) AS line FROM {table} GROUP BY {name}, {file}"
    later = f"(SELECT *, min(line) OVER (PARTITION BY name) AS first FROM ({begins}))"
    found = session.rows(f"SELECT line, name, first FROM {later} WHERE line > first ORDER BY line")
    said = [
        (line, f"{column} {value!r} is also in {loaded.problems.place(first)[0]}; give it in one file")
        for line, value, first in found[:SHOWN_PROBLEMS]
    ]
    loaded.problems.add_all(said, len(found), Code.REPEATED_KEY, column)
