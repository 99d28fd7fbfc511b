"""Drops rows of a submission that fail a check, counts them, and lists them in a table of the work database.

The list of an input has its dropped rows: ``line``, ``failed`` (the check), ``code`` and ``message``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from scorespec.catalog.model import Table
from scorespec.errors import SHOWN_PROBLEMS, Code
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import message_parts, quoted
from scorespec.run.inputs.loading import Loaded
from scorespec.run.session import Session, loaded_name

LISTED = ("failed", "line", "code", "message")
NUMBER = "row number"  # the column that tells rows of one line apart


def numbered_rows(session: Session, table: Table) -> str:
    """The rows of a loaded table, each with its number. Rows that are read in place have a line each."""
    stored = session.is_stored(table.name)
    number, name = ("rowid", loaded_name(table.name)) if stored else ("line", table.name)
    return f"(SELECT {number} AS {quoted(NUMBER)}, * FROM {quoted(name)})"


def drop_rows(session: Session, loaded: Loaded, judged: str, faults: Sequence[tuple[str, str]]) -> None:
    """Leave out the rows at fault among the ``judged``; ``faults`` has the message and the code of each by its number.

    Rows that could not be read are listed as well. If no row is left, the faults become problems.
    """
    table = loaded.source.table
    lists, name = list_name(loaded.source.table.name), quoted(table.name)
    session.make(lists, f"SELECT {quoted(NUMBER)}, line, {_texts(table, faults)} FROM {judged} WHERE fault IS NOT NULL")
    if session.is_stored(table.name):
        stored = quoted(loaded_name(table.name))
        session.run(f"DELETE FROM {stored} WHERE rowid IN (SELECT {quoted(NUMBER)} FROM {quoted(lists)})")
    else:
        whole = quoted(f"{table.name} with bad rows")
        session.run(f"ALTER VIEW {name} RENAME TO {whole}")
        session.run(f"CREATE VIEW {name} AS FROM {whole} WHERE line NOT IN (SELECT line FROM {quoted(lists)})")
    unreadable = loaded.problems.unreadable.kept if loaded.problems.unreadable else []
    if unreadable:
        columns = map(list, zip(*unreadable, strict=True))
        with session.reading("unreadable", pa.table(dict(zip(LISTED, columns, strict=True)))):
            session.run(f"INSERT INTO {quoted(lists)} BY NAME FROM unreadable")
    counted = f"SELECT {loaded.by_file(lambda file: file.before)}, count(*) FROM {quoted(lists)} GROUP BY 1"
    dropped = dict(session.rows(counted))
    loaded.dropped = sum(dropped.values())
    for file in loaded.pieces:
        file.dropped = dropped.get(file.before, 0)
    if loaded.dropped == loaded.rows - loaded.merged > 0:
        found = session.rows(f"SELECT line, message, code FROM {quoted(lists)} ORDER BY ALL LIMIT {SHOWN_PROBLEMS}")
        for each in found:
            loaded.problems.add(*each)
        loaded.problems.add_more(loaded.dropped - len(found))
        loaded.problems.add(None, "every row would be dropped, and none is left to score", Code.TOO_FEW_ROWS)


def _texts(table: Table, faults: Sequence[tuple[str, str]]) -> str:
    """The SQL of the columns ``failed``, ``code`` and ``message`` of a row with the number of a ``fault``."""
    texts = {
        "failed": [text_literal(says) for says, _ in faults],
        "code": [text_literal(code) for _, code in faults],
        "message": [_filled(table, says) for says, _ in faults],
    }
    return ", ".join(f"{_by_fault(each)} AS {name}" for name, each in texts.items())


def _by_fault(values: Sequence[str]) -> str:
    cases = " ".join(f"WHEN {fault} THEN {value}" for fault, value in enumerate(values))
    return f"CASE fault WHEN -1 THEN '' {cases} END"


def _filled(table: Table, says: str) -> str:
    """The SQL of a message with the values of a row in place of the names in braces."""
    parts = message_parts(says, table.column_names)
    return " || ".join(
        f"coalesce({quoted(part)}::VARCHAR, 'NULL')" if at % 2 else text_literal(part) for at, part in enumerate(parts)
    )


def dropped_warnings(session: Session, loaded: Loaded) -> Iterator[str]:
    """A warning for each check that dropped rows: their number, their share, and the first of them."""
    if not loaded.dropped:
        return
    asked = (
        "SELECT count(*), min(line), arg_min(message, (line, message)) "
        f"FROM {quoted(list_name(loaded.source.table.name))} GROUP BY failed ORDER BY 1 DESC, 2, 3"
    )
    for count, line, message in session.rows(asked):
        share = f"{count:,} of {loaded.rows:,} rows ({100 * count / loaded.rows:.3g} %)"
        first = loaded.problems.shown_line(line)
        place = f"is dropped, at {first}" if count == 1 else f"are dropped, the first at {first}"
        yield f"{loaded.source.shown}: {share} {place}: {message}"


def dropped_list(loaded: Loaded, paths: Sequence[str]) -> str:
    """The query of the rows of an input in the table `dropped_rows` of the results, without the run.

    ``paths`` are those of its files, as they are recorded.
    """
    told = {file.before: text_literal(path) for file, path in zip(loaded.each, paths, strict=True)}
    path = loaded.by_file(lambda file: told[file.before])
    line = f"line - {loaded.by_file(lambda file: file.before)}"
    return (
        f"SELECT {text_literal(loaded.source.input)} AS input, {path} AS path, {line} AS line, code, message "
        f"FROM {quoted(list_name(loaded.source.table.name))} AS listed ORDER BY listed.line, message"
    )


def list_name(table: str) -> str:
    """The name of the list of the dropped rows of a table."""
    return f"dropped rows of {table}"
