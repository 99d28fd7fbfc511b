"""Inputs that are given in parts: one table of all parts, with a column that has the name of the part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from scorespec.catalog.model import Table
from scorespec.compiler.parameters import text_literal
from scorespec.compiler.templates import quoted
from scorespec.errors import UsageError
from scorespec.formats import FORMATS, Format
from scorespec.runtime.files import Files
from scorespec.runtime.loading import Source, find_source
from scorespec.runtime.session import Session


def find_sources(
    table: Table, value: Any, files: Files | None = None, formats: Mapping[str, Format] = FORMATS
) -> list[Source]:
    """The sources of an input: one for each part. A list has parts without names, a mapping parts by name.

    The name of a part that has none is that of its file. Raises UsageError for parts of a table that has no column
    to tell them apart, and what :func:`.find_source` raises.
    """
    if table.part_column is None or not isinstance(value, list | tuple | Mapping):
        if isinstance(value, list | tuple) and value and all(isinstance(each, str | Path) for each in value):
            raise UsageError(f"input {table.name!r} is given twice")
        return [find_source(table, value, files, formats)]
    named = value.items() if isinstance(value, Mapping) else zip(_names(value), value, strict=True)
    sources = []
    for number, (name, each) in enumerate(named, 1):
        source = find_source(replace(table, name=f"{table.name} {number}"), each, files, formats)
        sources.append(replace(source, input=table.name, part=name))
    return sources


def _names(values: Iterable[Any]) -> list[str]:
    """The name of each part: of a file its stem, or its path if two stems are equal; of an object its number."""
    paths = [Path(str(each).partition("::")[0]) if isinstance(each, str | Path) else None for each in values]
    times = Counter(path.stem for path in paths if path)
    return [
        str(number) if path is None else path.stem if times[path.stem] == 1 else str(path)
        for number, path in enumerate(paths, 1)
    ]


def unite_parts(session: Session, sources: Iterable[Source]) -> dict[tuple[str, str], str]:
    """Create a view of all parts of each input in parts; the name of a part fills its column where that is NULL.

    Returns what messages call each part, by the names of the input and of the part. Inputs with rows that have a name
    themselves are left out, because such a row can have the name of another part.
    """
    parts: dict[str, list[Source]] = {}
    for source in sources:
        if source.part is not None:
            parts.setdefault(source.input, []).append(source)
    for name, each in parts.items():
        session.run(f"CREATE VIEW {quoted(name)} AS {' UNION ALL '.join(map(_named_rows, each))}")
    unnamed = {name for name, each in parts.items() if not any(_has_names(session, part) for part in each)}
    return {(name, str(part.part)): part.shown for name in unnamed for part in parts[name]}


def _has_names(session: Session, source: Source) -> bool:
    """Whether a row of a part has a name of its own in the column for the name of the part."""
    sql = f"SELECT count({quoted(str(source.table.part_column))}) > 0 FROM {quoted(source.table.name)}"
    return bool(session.rows(sql)[0][0])


def _named_rows(source: Source) -> str:
    column = quoted(str(source.table.part_column))
    name = text_literal(str(source.part))
    return f"SELECT * REPLACE (coalesce({column}, {name}) AS {column}) FROM {quoted(source.table.name)}"
