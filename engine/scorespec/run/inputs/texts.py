"""Inputs with a text a row: a text becomes a row for each of its words. One file can have the texts of two inputs."""

from __future__ import annotations

from dataclasses import replace

from scorespec.catalog.model import Column, Table
from scorespec.core.terminal import NOTE
from scorespec.errors import SHOWN_PROBLEMS, Code, Problems
from scorespec.formats.format import BLANKS
from scorespec.formats.text_rows import PLAIN, TEXT, WORD, may_have_texts, text_columns
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.loading import Loaded, load
from scorespec.run.inputs.other_columns import own_names
from scorespec.run.inputs.sources import Source
from scorespec.run.session import Session

_OPTIONAL = {"document": "VARCHAR", "segment": "VARCHAR", "speaker": "VARCHAR", "segment_onset": "DOUBLE",
             "segment_offset": "DOUBLE", "channel": "VARCHAR"}  # fmt: skip


def with_texts(source: Source) -> Source:
    """The source with the columns that have its texts, if its files have a text a row.

    Raises UsageError if no column, or more than one, can be the text.
    """
    if source.pieces:
        return replace(source, pieces=tuple(map(with_texts, source.pieces)))
    is_named = source.format is None or source.format.read is None or source.format.names is not None
    if source.texts or not is_named or not may_have_texts(source.table.column_names):
        return source
    columns = text_columns(own_names(source), source.columns, source.table.submitted, source.shown)
    if not columns:
        return source
    text = columns[TEXT]
    note = "" if text in (TEXT, source.columns.get(TEXT)) else f"{NOTE}{source.shown}: the texts are in {text!r}"
    return replace(source, columns=columns, texts="text", note=note)


def names_texts(source: Source) -> bool:
    """Whether the texts of a source have names of their own, and not only within a document."""
    return "segment" in source.columns and "document" not in source.columns


def load_texts(
    session: Session, source: Source, hashed: bool = False, dropping: bool = False, view: bool = False
) -> Loaded:
    """Create the table of a source with a text a row; see :func:`.load`."""
    table, texts = source.table, f"texts of {source.table.name}"
    undeclared = [each for each in table.columns if each.undeclared]
    columns = [Column(name, kind, nullable=True) for name, kind in _OPTIONAL.items()] + undeclared
    if TEXT in source.columns:
        columns.append(Column(TEXT, "VARCHAR"))
    # Further columns are usual here, and need no warning.
    of_texts = replace(table, name=texts, columns=tuple(columns), other_columns=True)
    loaded = load(session, replace(source, table=of_texts, texts=""), hashed, dropping)
    loaded.source = source
    session.create(table.name, (_words if TEXT in source.columns else _documents)(table, quoted(texts), source))
    if TEXT in source.columns:
        _check(session, quoted(texts), source, loaded.problems)
    loaded.rows = int(session.row(f"SELECT count(*) FROM {quoted(table.name)}")[0])
    session.drop(texts)
    return loaded


def _words(table: Table, texts: str, source: Source) -> str:
    """The SQL of a row for each word of the ``texts``; a text without words has a row without a token."""
    words = f"string_split_regex(trim({TEXT}, {text_literal(BLANKS)}), {text_literal(f'[{BLANKS}]+')})"
    named = f"(SELECT * REPLACE ({_document(source)} AS document, {_segment(source)} AS segment) FROM {texts})"
    rows = f"(SELECT *, unnest({words}) AS word, generate_subscripts({words}, 1) AS number FROM {named})"
    undeclared = [each.name for each in table.columns if each.undeclared]
    values = {name: quoted(name) for name in (*_OPTIONAL, "number", *undeclared)} | {WORD: "nullif(word, '')"}
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
    if source.texts == "pair":
        return "line::VARCHAR"
    if "segment" in source.columns:
        return "coalesce(nullif(regexp_replace(segment, '[-_].*', '', 's'), ''), segment)"
    return text_literal(PLAIN)


def _segment(source: Source) -> str:
    """The SQL of the name of a text: as given, or its number within its document."""
    if "segment" in source.columns:
        return "segment"
    if source.texts == "pair" and "document" not in source.columns:
        return "'1'"
    return f"row_number() OVER (PARTITION BY {_document(source)} ORDER BY line)::VARCHAR"


def _check(session: Session, texts: str, source: Source, problems: Problems) -> None:
    """Report missing texts and names, and segments of one document that have the same name."""
    faults = {
        f"{name} IS NULL": f"{name} is missing" for name in (TEXT, "document", "segment") if name in source.columns
    }
    for condition, said in faults.items():
        _report(
            session, f"SELECT line, {text_literal(said)} FROM {texts} WHERE {condition}", Code.MISSING_VALUE, problems
        )
    if "segment" in source.columns:
        repeated = f"SELECT {_document(source)}, segment FROM {texts} GROUP BY ALL HAVING count(*) > 1"
        _report(
            session,
            "SELECT line, 'segment ' || segment || ' is repeated; ::(segment=COLUMN) names another column' "
            f"FROM {texts} WHERE ({_document(source)}, segment) IN ({repeated}) "
            "QUALIFY row_number() OVER (PARTITION BY segment ORDER BY line) > 1",
            Code.REPEATED_KEY,
            problems,
        )


def _report(session: Session, faults: str, code: str, problems: Problems) -> None:
    found = session.rows(f"{faults} ORDER BY line LIMIT {SHOWN_PROBLEMS}")
    total = int(session.row(f"SELECT count(*) FROM ({faults})")[0]) if found else 0
    problems.add_all(found, total, code)
