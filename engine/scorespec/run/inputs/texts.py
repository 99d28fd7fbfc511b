"""Inputs with a text a row: a text becomes a row for each of its words. One file can have the texts of two inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from scorespec.catalog.model import Column, Table
from scorespec.errors import MOST_UNREADABLE, SHOWN_PROBLEMS, Code, Problems
from scorespec.formats.format import BLANKS
from scorespec.formats.text_rows import (
    PLAIN,
    REFERENCE,
    TEXT,
    WORD,
    may_have_texts,
    pair_columns,
    text_columns,
    unread_columns,
)
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.loading import Loaded, load
from scorespec.run.inputs.other_columns import own_names
from scorespec.run.inputs.sources import Source
from scorespec.run.session import Session

_OPTIONAL = {"document": "VARCHAR", "segment": "VARCHAR", "speaker": "VARCHAR", "segment_onset": "DOUBLE",
             "segment_offset": "DOUBLE", "segment_duration": "DOUBLE", "channel": "VARCHAR"}  # fmt: skip
NUMBERS = 2**24  # the numbers of the words of each line, so that numbers order the words of all lines


def with_texts(source: Source) -> Source:
    """The source with the columns that have its texts, if its files have a text a row.

    Raises UsageError if no column, or more than one, can be the text.
    """
    if source.pieces:
        return replace(source, pieces=tuple(map(with_texts, source.pieces)))
    is_named = source.format is None or source.format.read is None or source.format.names is not None
    if source.texts or not is_named or not may_have_texts(source.table.column_names):
        return source
    names = own_names(source)
    columns = text_columns(names, source.columns, source.table.submitted, source.shown)
    if not columns:
        return source
    return replace(source, columns=columns, texts="text", note=_note(source, names, columns))


def _note(source: Source, names: Iterable[str], columns: Mapping[str, str]) -> str:
    """Which column has the texts if the user did not say it, and what nobody may notice that it is not read."""
    others = [name for name in names if name not in source.table.column_names]
    text, unread = columns[TEXT], ", ".join(map(repr, unread_columns(others, columns)))
    is_given, has_no_names = TEXT in source.columns, not columns.keys() & {"document", "segment"}
    may_be_other = source.table.submitted and text.lower() in REFERENCE and not is_given
    notes = [f"the texts are in {text!r}"] if not is_given and (text != TEXT or (may_be_other and unread)) else []
    notes += ["the texts are paired in their order"] if has_no_names and unread else []
    if unread and (has_no_names or may_be_other):
        notes.append(f"{unread} is not read; ::(text=COLUMN,segment=COLUMN) names other columns")
    return "; ".join(notes)


def divided(source: Source, tables: Sequence[Table]) -> dict[str, Source]:
    """The sources of some ``tables`` from one source that has them all: two texts, and what describes their documents.

    Raises UsageError if not exactly one column can be the text of a side.
    """
    if source.pieces:
        found = [divided(each, tables) for each in source.pieces]
        return {
            table.name: replace(source, table=table, input=table.name, pieces=tuple(each[table.name] for each in found))
            for table in tables
        }
    names = own_names(source)
    sides = pair_columns(names, source.columns, source.shown)
    texts = {side: columns[TEXT] for side, columns in sides.items()}
    chosen = " and ".join(f"{text!r} as {side}" for side, text in texts.items())
    note = "" if texts.items() <= source.columns.items() else f"read with {chosen}"
    first, second = sides.values()
    key = first.get("document") or first.get("segment")  # what is known of a segment describes its document, too
    of_row = {"document": key} if key else {}
    found_sources = {}
    for table, columns in zip(tables, (first, second, of_row), strict=True):
        named = replace(table, name=source.table.name.replace(source.input, table.name, 1))
        hidden = frozenset(texts.values()) if columns is of_row else frozenset(names) - {*columns.values()}
        found_sources[table.name] = replace(
            source, table=named, input=table.name, columns=columns, texts="pair", hidden=hidden, note=note
        )
        note = ""
    return found_sources


def names_texts(source: Source) -> bool:
    """Whether the texts of a source have names of their own, and not only within a document."""
    return "segment" in source.columns and "document" not in source.columns


def load_texts(
    session: Session, source: Source, hashed: bool = False, dropping: bool = False, view: bool = False
) -> Loaded:
    """Create the table of a source with a text a row; see :func:`.load`. The ``rows`` of the result are the texts."""
    table, texts = source.table, f"texts of {source.table.name}"
    undeclared = [
        each
        for each in table.columns
        if each.undeclared or each.name == table.part_column or (TEXT not in source.columns and each.name != "document")
    ]
    read = _OPTIONAL.keys() & source.columns if source.texts == "pair" else _OPTIONAL
    columns = [Column(name, _OPTIONAL[name], nullable=True) for name in read] + undeclared
    if TEXT in source.columns:
        columns.append(Column(TEXT, "VARCHAR"))
    # Further columns are usual here, and need no warning.
    of_texts = replace(table, name=texts, columns=tuple(columns), other_columns=True, droppable=True)
    loaded = load(session, replace(source, table=of_texts, texts=""), hashed, dropping)
    loaded.source = source
    if TEXT in source.columns:
        _check(session, quoted(texts), source, loaded.problems)
    session.create(table.name, (_words if TEXT in source.columns else _documents)(table, quoted(texts), source))
    session.drop(texts)
    return loaded


def _words(table: Table, texts: str, source: Source) -> str:
    """The SQL of a row for each word of the ``texts``; a text without words has a row without a token."""
    words = f"string_split_regex(trim({TEXT}, {text_literal(BLANKS)}), {text_literal(f'[{BLANKS}]+')})"
    named = f"(SELECT *, {_document(source)} AS document_, {_segment(source)} AS segment_ FROM {texts})"
    rows = f"(SELECT *, unnest({words}) AS word, generate_subscripts({words}, 1) AS number FROM {named})"
    undeclared = [each.name for each in table.columns if each.undeclared or each.name == table.part_column]
    read = source.columns if source.texts == "pair" else _OPTIONAL
    values = {name: quoted(name) for name in (*read, "number", *undeclared)}
    values |= {"document": "document_", "segment": "segment_", "number": f"line * {NUMBERS} + number"}
    if "segment_duration" in values:
        values["segment_offset"] = "coalesce(segment_offset, segment_onset + segment_duration)"
    values[WORD] = "nullif(word, '')"
    selected = [f"{values.get(each.name, 'NULL')}::{each.type} AS {quoted(each.name)}" for each in table.columns]
    return f"SELECT line, {', '.join(selected)} FROM {rows}"


def _documents(table: Table, texts: str, source: Source) -> str:
    """The SQL of a row for each document; a column with several values in one document has none."""
    document, others = _document(source), [each.name for each in table.columns if each.name != "document"]
    only = "".join(
        f", CASE WHEN min({name}) = max({name}) THEN min({name}) END AS {name}" for name in map(quoted, others)
    )
    return f"SELECT min(line) AS line, {document} AS document{only} FROM {texts} GROUP BY {document}"


def _document(source: Source) -> str:
    """The SQL of the document of a text: its name, the beginning of the segment's name as in Kaldi, or a default."""
    if "document" in source.columns:
        return "document"
    if "segment" in source.columns:
        return "coalesce(nullif(split_part(segment, if(contains(segment, '-'), '-', '_'), 1), ''), segment)"
    return "line::VARCHAR" if source.texts == "pair" else text_literal(PLAIN)


def _segment(source: Source) -> str:
    """The SQL of the name of a text: as given, or its number within its document."""
    if "segment" in source.columns:
        return "segment"
    if source.texts == "pair" and "document" not in source.columns:
        return "'1'"
    return f"row_number() OVER (PARTITION BY {_document(source)}{_part(source)} ORDER BY line)::VARCHAR"


def _part(source: Source) -> str:
    """The SQL of what else tells a text from others: its annotator, if an input can have several."""
    return f", {quoted(part)}" if (part := source.table.part_column) else ""


def _check(session: Session, texts: str, source: Source, problems: Problems) -> None:
    """Report missing texts and names, or drop their rows; report segments of one document that have the same name."""
    for name in (TEXT, "document", "segment"):
        lacking = f"FROM {texts} WHERE {name} IS NULL"
        if name not in source.columns:
            continue
        if problems.unreadable is None:
            _report(session, f"SELECT line, '{name} is missing' {lacking}", Code.MISSING_VALUE, problems)
            continue
        for (line,) in session.rows(f"SELECT line {lacking} ORDER BY line LIMIT {MOST_UNREADABLE + 1}"):
            problems.add_row(line, f"{name} is missing", Code.MISSING_VALUE, name)
        session.run(f"DELETE {lacking}")
    if "segment" in source.columns:
        key = f"{_document(source)}, segment{_part(source)}"
        repeated = f"SELECT {key} FROM {texts} GROUP BY ALL HAVING count(*) > 1"
        _report(
            session,
            "SELECT line, 'segment ' || segment || ' is repeated; ::(document=COLUMN) names its recording, "
            "or ::(segment=COLUMN) another column' "
            f"FROM {texts} WHERE ({key}) IN ({repeated}) "
            "QUALIFY row_number() OVER (PARTITION BY segment ORDER BY line) > 1",
            Code.REPEATED_KEY,
            problems,
        )


def _report(session: Session, faults: str, code: str, problems: Problems) -> None:
    found = session.rows(f"{faults} ORDER BY line LIMIT {SHOWN_PROBLEMS}")
    total = int(session.row(f"SELECT count(*) FROM ({faults})")[0]) if found else 0
    problems.add_all(found, total, code)
