"""Inputs whose columns have other names or another form than those of the table, such as an end for a duration."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, KeysView
from dataclasses import replace

from scorespec.catalog.model import Column
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.loading import Loaded, load
from scorespec.run.inputs.other_columns import own_names
from scorespec.run.inputs.sources import Source
from scorespec.run.session import Session

_LINE = "line"  # the number of the row, which every input has
_NAME = re.compile(r"(?<!')\b[A-Za-z]\w*\b(?!')")


def with_other_forms(source: Source, alone: bool) -> Source:
    """The source with the columns that its file has under another name or in another form (:attr:`.Table.written_as`).

    A name is found in any case. Columns that the user names are as they are. Rows are named by their lines only in an
    input that is given ``alone``: other inputs may have their rows in another order.
    """
    if source.pieces:
        read = (with_other_forms(each, alone) for each in source.pieces)
        return replace(source, pieces=tuple(_numbered(each, number) for number, each in enumerate(read, 1)))
    if source.texts == "pair":  # the columns of its parts are known
        return source
    table, has_names = source.table, source.format is None or source.format.read is None or source.format.names
    names = {name.lower(): name for name in own_names(source)} if table.written_as and has_names else {}
    columns, made = dict(source.columns), dict[str, str]()
    for column in table.column_names if names else ():
        if column in (*names.values(), *columns, *source.keys):
            continue
        form = _first_form((column, *table.written_as.get(column, ())), {_LINE, *names, *columns, *source.keys})
        if form and form.lower() in names:
            columns[column] = names[form.lower()]
        elif form:
            made[column] = form
    if _LINE in made.values() and not alone:  # a model without a name belongs to rows without names
        made = {column: form for column, form in made.items() if _names_in(form) - {_LINE}}
    if columns == source.columns and not made:
        return source
    chosen = {**columns, **made}.items() - source.columns.items()
    note = f"read with {', '.join(f'{column} = {theirs}' for column, theirs in sorted(chosen))}"
    return replace(source, columns=columns, made=made, note="; ".join(filter(None, (source.note, note))))


def _numbered(piece: Source, number: int) -> Source:
    """A file of several: rows that have no name but their line are named by the number of the file, too."""
    made = {column: f"'{number}:' || line" if form == _LINE else form for column, form in piece.made.items()}
    return replace(piece, made=made)


def _first_form(forms: Iterable[str], known: Collection[str]) -> str | None:
    """The first form that reads only ``known`` columns."""
    return next((form for form in forms if _names_in(form) <= {*known}), None)


def _names_in(form: str) -> KeysView[str]:
    """The columns that a form reads, in lower case."""
    return dict.fromkeys(map(str.lower, _NAME.findall(form))).keys()


def load_other_forms(
    session: Session, source: Source, hashed: bool = False, dropping: bool = False, view: bool = False
) -> Loaded:
    """Create the table of a source with columns in another form; see :func:`.load`."""
    table, written = source.table, f"{source.table.name} as written"
    kept = [column for column in table.columns if column.name not in source.made]
    names = {column.name.lower() for column in kept} | {_LINE}
    theirs = {name.lower(): name for name in own_names(source)}
    others = {
        theirs[name]: Column(theirs[name], column.type)
        for column in table.columns
        for name in _names_in(source.made.get(column.name, ""))
        if name not in names
    }
    of_file = replace(table, name=written, columns=(*kept, *others.values()))
    loaded = load(session, replace(source, table=of_file, made={}, only=""), hashed, dropping)
    loaded.source = source
    made = [
        f"({source.made[column.name]})::{column.type} AS {quoted(column.name)}"
        if column.name in source.made
        else quoted(column.name)
        for column in table.columns
    ]
    rows = f"FROM (SELECT line, {', '.join(made)} FROM {quoted(written)})"
    session.create(table.name, rows + (f" WHERE {source.only}" if source.only else ""))
    session.drop(written)
    return loaded
