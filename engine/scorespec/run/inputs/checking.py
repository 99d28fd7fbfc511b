"""Checks a loaded table against its document: reports the rows that are at fault, by line, or drops them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

import pyarrow as pa

from scorespec.catalog.model import Table
from scorespec.errors import SHOWN_PROBLEMS, Code
from scorespec.plan.parameters import text_literal
from scorespec.plan.relations import ROWS, described_value
from scorespec.plan.rendering.templates import Reference, fill_message, message_parts, quoted
from scorespec.run.inputs.loading import Loaded, arrow_columns
from scorespec.run.inputs.sources import Source
from scorespec.run.session import Session, error_context, loaded_name

EARLIER = "an earlier line"  # in messages about one file; those about several files name the line
FAULT = quoted("number of fault")  # a column that we add; no column of a document has a space in its name


@dataclass(frozen=True)
class Condition:
    """A condition that every row must meet, as SQL, and the message, code and column for a row that does not.

    A row that fails a ``droppable`` condition can be left out.
    """

    sql: str
    says: str
    code: Code = Code.CHECK
    column: str | None = None
    droppable: bool = False


def check_table(session: Session, loaded: Loaded, present: Iterable[str], checked: Collection[str] = ()) -> None:
    """Add every fault of a loaded table to its problems; merge or drop rows where its document and the run say so.

    ``present`` are the tables that are loaded; conditions can refer to them. A table that was ``checked`` already is
    checked again only against tables that were not. The session is locked first, because conditions are SQL of
    documents: nothing can be loaded afterwards.

    Raises SpecError for a condition whose SQL is at fault.
    """
    session.lock()
    table = loaded.source.table
    if table.name in checked:
        left = [at for at, check in enumerate(table.checks) if not {*check.needs} <= {*checked}]
        _report(session, loaded, list(conditions_of_checks(table, _not_empty(session, table, present), left)))
        return
    if table.needs_value and table.min_rows and loaded.rows and not loaded.problems:
        (filled,) = session.row(f"SELECT count({quoted(table.needs_value)}) FROM {quoted(table.name)}")
        if filled < table.min_rows:
            none = f"none of {loaded.rows:,} rows has a {table.needs_value}"
            loaded.problems.add(None, f"{none}; {table.name} needs at least {table.min_rows}", Code.TOO_FEW_ROWS)
    if loaded.rows < table.min_rows and not loaded.problems:
        omitted = [each for file in loaded.each for each in file.problems.omitted]
        said = [f"no rows; {table.name} needs at least {table.min_rows}", *dict.fromkeys(omitted)]
        loaded.problems.add(None, "; ".join(said), Code.TOO_FEW_ROWS)
    with error_context(session, f"checks of table {table.name!r}", table.origin.place("checks")):
        if table.duplicates == "merge" and _may_repeat(session, loaded):
            loaded.merged = _merge(session, table)
        if loaded.grouped:
            _check_headers(session, loaded, loaded.grouped)
        present = _not_empty(session, table, present)
        if loaded.dropping:
            _drop(session, loaded, [each for each in _conditions(table, present, False) if each.droppable])
        repeated = table.duplicates != "keep" and _may_repeat(session, loaded)
        _report(session, loaded, list(_conditions(table, present, repeated)))


def check_descriptions(session: Session, loaded: Loaded, describing: Table, shown: str) -> None:
    """Add a problem for each value that a table should describe and does not: its rows would be in no slice.

    ``shown`` names the source of the describing table. The line is the first one of the value.
    """
    column = str(describing.describes)
    if column not in loaded.source.table.column_names or loaded.source.input == describing.name:
        return
    name, value = quoted(column), described_value(describing, loaded.source.table.column_names, ROWS)
    part = text_literal(f" or {describing.parts} ")
    lacking = (
        f"SELECT min(line) AS line, concat({name}, if({value} <> {name}, concat({part}, {value}), '')) AS value_ "
        f"FROM {quoted(loaded.source.table.name)} AS {ROWS} "
        f"WHERE {value} NOT IN (SELECT {name} FROM {quoted(describing.name)}) GROUP BY ALL"
    )
    total = int(session.row(f"SELECT count(*) FROM ({lacking})")[0])
    if total:
        found = session.rows(f"{lacking} ORDER BY ALL LIMIT {SHOWN_PROBLEMS}")
        hint = f"so it would be in no slice; add a row to {shown}"
        said = [(line, f"{describing.name} has no row for {column} {value}, {hint}") for line, value in found]
        loaded.problems.add_all(said, total, Code.MISSING_VALUE, column)


def _not_empty(session: Session, table: Table, present: Iterable[str]) -> frozenset[str]:
    """The tables that conditions need and that have rows: with an empty table, every row would be at fault."""
    needed = {need for check in table.checks for need in check.needs}
    return frozenset(
        name for name in present if name in needed and session.rows(f"SELECT 1 FROM {quoted(name)} LIMIT 1")
    )


def _may_repeat(session: Session, loaded: Loaded) -> bool:
    """Whether two rows may have one key: hashes are compared, which is fast, and equal keys have equal hashes."""
    table = loaded.source.table
    return number_of_keys(session, table.name, table.key) < loaded.rows - loaded.merged - loaded.dropped


def number_of_keys(session: Session, table: str, key: Iterable[str]) -> int:
    """The number of different hashes of keys in a table, which is at most the number of different keys."""
    hashes = f"SELECT hash({', '.join(map(quoted, key))}) FROM {quoted(table)} GROUP BY ALL"
    return int(session.row(f"SELECT count(*) FROM ({hashes})")[0])


def _conditions(table: Table, present: frozenset[str], repeated: bool) -> Iterator[Condition]:
    """The conditions in order: only the first one that a row fails is reported.

    Keys are compared only if some may be ``repeated``, because over millions of rows that takes longest.
    """
    yield from conditions_of_columns(table)
    if repeated:
        key = ", ".join(map(quoted, table.key))
        shown = ", ".join(f"{name} {{{name}}}" for name in table.key)
        # Several rows of a file may be on one line.
        first = f"row_number() OVER (PARTITION BY {key} ORDER BY line) = 1"
        yield Condition(first, f"repeats {EARLIER}: {shown}", Code.REPEATED_KEY)
    yield from conditions_of_checks(table, present, range(len(table.checks)))


def conditions_of_columns(table: Table) -> Iterator[Condition]:
    """The conditions on the single columns of a table."""
    for column in table.columns:
        name = quoted(column.name)
        if not column.nullable:
            said = f"{column.name} is missing"
            yield Condition(f"{name} IS NOT NULL", said, Code.MISSING_VALUE, column.name, table.droppable)
        if column.type == "DOUBLE" and not column.infinite:
            said = f"{column.name} is {{{column.name}}}; it must be a finite number"
            yield Condition(f"coalesce(isfinite({name}), true)", said, Code.NOT_FINITE, column.name, table.droppable)
        elif column.type == "DOUBLE":
            said = f"{column.name} is not a number (nan)"
            yield Condition(f"coalesce(NOT isnan({name}), true)", said, Code.NOT_FINITE, column.name, table.droppable)


def conditions_of_checks(table: Table, present: frozenset[str], numbers: Iterable[int]) -> Iterator[Condition]:
    """The conditions of some checks of the document, as far as the tables are ``present`` that they refer to."""
    for at in numbers:
        check = table.checks[at]
        if present.issuperset(check.needs):
            sql = _rendered(table, at) if "{" in check.sql else check.sql
            yield Condition(sql, check.says, droppable=check.droppable)


def _rendered(table: Table, number: int) -> str:
    """The SQL of a check that refers to other tables."""
    from scorespec.plan.rendering.render import render  # slow to load

    check = table.checks[number]
    needs = {name: Reference(name) for name in check.needs}
    return render(check.sql, needs, table.origin.place("checks", number, "sql"))


def try_conditions(session: Session, table: Table, present: Iterable[str]) -> None:
    """Run the conditions of a table on its rows, to find faults of their SQL."""
    with error_context(session, f"checks of table {table.name!r}", table.origin.place("checks")):
        conditions = list(_conditions(table, frozenset(present), table.duplicates != "keep"))
        session.rows(f"SELECT count({FAULT}) FROM {_judged(table, conditions)}")


def _judged(table: Table, conditions: list[Condition], rows: str = "") -> str:
    """The rows of a table, or ``rows`` of it, each with the number of the first condition that it fails."""
    faults = " ".join(f"WHEN ({each.sql}) IS NOT TRUE THEN {n}" for n, each in enumerate(conditions))
    return f"(SELECT *, CASE WHEN false THEN -1 {faults} END AS {FAULT} FROM {rows or quoted(table.name)})"


def _drop(session: Session, loaded: Loaded, conditions: list[Condition]) -> None:
    """Leave out the rows that fail a condition, and those that could not be read; see :mod:`.dropping`."""
    table = loaded.source.table
    judged = _judged(table, conditions, numbered_rows(session, table))
    drop_rows(session, loaded, judged, [(each.says, each.code) for each in conditions])


def _report(session: Session, loaded: Loaded, conditions: list[Condition]) -> None:
    if not conditions:
        return
    table = loaded.source.table
    judged = _judged(table, conditions)
    total = int(session.row(f"SELECT count({FAULT}) FROM {judged}")[0])
    if not total:
        return
    declared = [column.name for column in table.columns if not column.undeclared]
    named = [name for name in declared if any(f"{{{name}}}" in each.says for each in conditions)]
    columns = "".join(f", {quoted(name)}::VARCHAR" for name in named)
    found = session.rows(
        f"SELECT line, {FAULT}{columns} FROM {judged} WHERE {FAULT} IS NOT NULL ORDER BY line LIMIT {SHOWN_PROBLEMS}"
    )
    written = _as_written(loaded, [line for line, *_ in found])
    repeats = [line for line, fault, *_ in found if conditions[fault].code is Code.REPEATED_KEY]
    earlier = _first_lines(session, loaded, repeats) if loaded.pieces else {}
    for line, fault, *values in found:
        failed, shown = conditions[fault], dict(zip(named, values, strict=True)) | written.get(line, {})
        says = failed.says.replace(EARLIER, earlier.get(line, EARLIER))
        loaded.problems.add(line, fill_message(says, shown), failed.code, failed.column)
    loaded.problems.add_more(total - len(found))


def _first_lines(session: Session, loaded: Loaded, lines: list[int]) -> dict[int, str]:
    """The file and line of the first row with the key of each of these lines."""
    table = loaded.source.table
    first = f"min(line) OVER (PARTITION BY {', '.join(map(quoted, table.key))}) AS first"
    rows = f"(SELECT line, {first} FROM {quoted(table.name)})"
    found = (
        session.rows(f"SELECT line, first FROM {rows} WHERE line IN ({', '.join(map(str, lines))})") if lines else []
    )
    return {line: loaded.problems.shown_line(at) for line, at in found}


def _as_written(loaded: Loaded, lines: list[int]) -> dict[int, dict[str, str]]:
    """The fields of some lines as they are written in the file: 3.20, not 3.2."""
    written: dict[int, dict[str, str]] = {}
    ends = [*(file.before for file in loaded.each[1:]), inf]
    for file, end in zip(loaded.each, ends, strict=True):
        own = [line - file.before for line in lines if file.before < line <= end]
        written |= {line + file.before: fields for line, fields in _quoted(file.source, own).items()}
    return written


def _quoted(source: Source, lines: list[int]) -> dict[int, dict[str, str]]:
    if source.format is None or source.format.quote is None or source.path is None or source.table.nested:
        return {}
    ours = {theirs: name for name, theirs in source.columns.items()}
    theirs = {source.columns.get(name, name): kind for name, kind in arrow_columns(source.table).items()}
    found = source.format.quote(source.path, theirs, lines)
    return {line: {ours.get(name, name): text for name, text in fields.items()} for line, fields in found.items()}


def _merge(session: Session, table: Table) -> int:
    """Keep the first of rows that are equal in all columns; returns the number of rows that are left out."""
    rows, repeated, number = numbered_rows(session, table), f"repeated rows of {table.name}", quoted(NUMBER)
    first = f"(SELECT min({number}) FROM {rows} GROUP BY {', '.join(map(quoted, table.column_names))})"
    count = session.make(repeated, f"SELECT {number}, line FROM {rows} WHERE {number} NOT IN {first}")
    _leave_out(session, table, repeated)
    return count


def _leave_out(session: Session, table: Table, left_out: str) -> None:
    """Leave the rows that the table ``left_out`` lists out of an input: delete them, or leave them out of its view."""
    if session.is_stored(table.name):
        numbers = f"(SELECT {quoted(NUMBER)} FROM {quoted(left_out)})"
        session.run(f"DELETE FROM {quoted(loaded_name(table.name))} WHERE rowid IN {numbers}")
    else:
        name, whole = quoted(table.name), quoted(f"{table.name} with {left_out}")
        session.run(f"ALTER VIEW {name} RENAME TO {whole}")
        session.run(f"CREATE VIEW {name} AS FROM {whole} WHERE line NOT IN (SELECT line FROM {quoted(left_out)})")


def _check_headers(session: Session, loaded: Loaded, column: str) -> None:
    """Report a name that heads two groups of a file: the rows of both groups would be taken for one."""
    table, name = quoted(loaded.source.table.name), quoted(column)
    heads = f"(SELECT DISTINCT {name} AS head, group_line FROM {table})"
    repeats = (
        f"SELECT group_line, head, first FROM (SELECT *, min(group_line) OVER (PARTITION BY head) AS first "
        f"FROM {heads}) WHERE group_line > first"
    )
    total = int(session.row(f"SELECT count(*) FROM ({repeats})")[0])
    if total:
        found = session.rows(f"{repeats} ORDER BY group_line LIMIT {SHOWN_PROBLEMS}")
        said = [
            (line, f"{column} {head!r} begins a second time; it began at {loaded.problems.shown_line(first)}")
            for line, head, first in found
        ]
        if len({loaded.problems.place(line)[0] for line, *_ in said} | {loaded.problems.place(found[0][2])[0]}) > 1:
            hint = f"all files are one submission; --each {loaded.source.table.name}=… scores each file as one"
            said = [(said[0][0], f"{said[0][1]}; {hint}")]
        loaded.problems.add_all(said, total, Code.REPEATED_KEY, column)


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
    lists = list_name(table.name)
    session.make(
        lists, f"SELECT {quoted(NUMBER)}, line, {_texts(table, faults)} FROM {judged} WHERE {FAULT} IS NOT NULL"
    )
    _leave_out(session, table, lists)
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
    return f"CASE {FAULT} WHEN -1 THEN '' {cases} END"


def _filled(table: Table, says: str) -> str:
    """The SQL of a message with the values of a row instead of the names in braces."""
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
