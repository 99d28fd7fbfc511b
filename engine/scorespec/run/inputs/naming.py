"""Columns under the names of a table: columns that the user maps, and columns that the names of folders fill."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from scorespec.errors import Code, InputError, Problems, bad_input
from scorespec.formats.convert import convert
from scorespec.plan.parameters import literal
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.sources import Source

ARROW_TYPES = {
    "VARCHAR": pa.string(),
    "DOUBLE": pa.float64(),
    "BIGINT": pa.int64(),
    "INTEGER": pa.int64(),
    "BOOLEAN": pa.bool_(),
}


def named(source: Source, found: Iterable[str]) -> list[tuple[str, str]]:
    """The columns of a source: the name of each in the table, and its name in the source.

    A column whose name is given to another column is left out. Raises InputError if a column that the user maps is
    absent, or if a column that folders fill is also in the file.
    """
    names = list(found)
    problems = Problems(source.shown)
    for ours, theirs in source.columns.items():
        if theirs not in names:
            said = f"no column {theirs!r} to be read as {ours!r} (it has: {', '.join(names)})"
            problems.add(None, said, Code.MISSING_COLUMN, ours)
    for key in source.filled:
        if any(name.lower() == key.lower() for name in names):
            said = f"{key!r} is a column of the file and also a key of its folder; remove one of them"
            problems.add(None, said, Code.REPEATED_COLUMN, key)
    if problems:
        raise InputError([problems])
    taken = {name.lower() for name in source.columns}
    mapped = {theirs: ours for ours, theirs in source.columns.items()}
    return [(mapped.get(name, name), name) for name in names if name in mapped or name.lower() not in taken]


def arranged(source: Source, rows: str, found: Iterable[str], *kept: str) -> str:
    """The SQL of ``rows`` with the names of the table, the columns that folders fill, and the columns ``kept``."""
    if not source.columns and not source.filled:
        return rows
    selected = [f"{quoted(theirs)} AS {quoted(ours)}" for ours, theirs in named(source, found)]
    selected += [f"{value} AS {quoted(key)}" for key, value in key_values(source).items()]
    return f"(SELECT {', '.join((*kept, *selected))} FROM {rows})"


def key_values(source: Source) -> dict[str, str]:
    """The SQL of the value of each column that folders fill. Raises InputError for a value of another type."""
    return {name: _key_value(source, name, text) for name, text in source.filled.items()}


def _key_value(source: Source, name: str, text: str | None) -> str:
    kind = next(column.type for column in source.table.columns if column.name == name)
    if text is None:
        return f"NULL::{kind}"
    if kind not in ARROW_TYPES:
        raise bad_input(
            source.shown, f"column {name!r} is {kind}; no name of a folder can fill it", code=Code.WRONG_TYPE
        )
    values, bad = convert(pa.array([text]), ARROW_TYPES[kind])
    if bad is not None:
        said = f"column {name!r} is {kind}, and the name of the folder has {text!r}"
        raise bad_input(source.shown, said, code=Code.WRONG_TYPE)
    return f"{literal(values[0].as_py())}::{kind}"
