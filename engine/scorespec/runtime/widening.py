"""Columns of the user's own: lets a breakdown name what a table does not declare but its input has."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from scorespec.catalog.lookup import Catalog
from scorespec.catalog.model import Check, Column
from scorespec.compiler.templates import quoted
from scorespec.errors import UsageError, bad_input
from scorespec.runtime.loading import Source


def widen_tables(catalog: Catalog, sources: Iterable[Source], wanted: Collection[str]) -> dict[str, list[str]]:
    """Make the ``wanted`` columns that an input has columns of its table, where the table allows others.

    Such a column is text, and in no row may it be missing: every row is in some slice. The same holds for a declared
    column that may be missing otherwise. Returns the columns of each input that no document declares.
    """
    others: dict[str, list[str]] = {}
    for source in sources:
        table = catalog.table(source.table.domain, source.input) or source.table
        declared = {column.name: column for column in table.columns}
        needed = table.other_columns and not declared.keys() >= {*wanted}
        names = _names(source) if needed or _is_quickly_read(source) else ()
        undeclared = [name for name in names if name not in declared]
        others.setdefault(table.name, []).extend(undeclared)
        own = [name for name in undeclared if name in wanted and table.other_columns]
        filled = [name for name in names if name in own or (name in wanted and declared[name].nullable)]
        if not filled:
            continue
        for name in own:
            _check_name(name, declared, source)
        columns = {**declared, **{name: Column(name, "VARCHAR", own=True) for name in own}}
        columns |= {name: replace(columns[name], nullable=False) for name in filled}
        checks = [Check(f"{_in_template(quoted(name))}::VARCHAR <> ''", f"{name} is missing") for name in filled]
        catalog.widen(replace(table, columns=tuple(columns.values()), checks=(*checks, *table.checks)))
    return others


def _check_name(name: str, declared: Iterable[str], source: Source) -> None:
    """Refuse a column that could not stand beside those of the table."""
    if not name or not name.isprintable():
        raise UsageError(
            f"--by {name!r}: the name is empty or has a line break in it; rename the column of {source.shown}"
        )
    same = next((each for each in (*declared, "line") if each.lower() == name.lower()), None)
    if same is not None:
        said = (
            "rows are numbered under that name"
            if same == "line"
            else f"the table has a column {same!r}, whatever the case"
        )
        raise UsageError(f"--by {name}: {said}; rename the column of {source.shown}")


def _in_template(sql: str) -> str:
    """SQL that a template writes as it is, whatever is in it."""
    return f"{{{{ {json.dumps(sql)} }}}}"


def _is_quickly_read(source: Source) -> bool:
    """Whether the columns of an input are known without reading it."""
    if source.format is None or source.path is None:
        return True
    return source.path.is_file() and (source.format.names is not None or source.format.read is None)


def _names(source: Source) -> Collection[str]:
    """The columns that an input has."""
    if source.format is None or source.path is None:
        return _object_names(source.value)
    if source.format.names is not None:
        return source.format.names(source.path)
    if source.format.read is not None:
        return ()
    import pyarrow.parquet as pq  # slow to load

    try:
        names: list[str] = pq.read_schema(source.path).names
    except (OSError, ValueError) as error:
        raise bad_input(source.shown, f"cannot be read: {str(error).splitlines()[0]}") from None
    return names


def _object_names(value: Any) -> Collection[str]:
    """The columns of an Arrow table or reader, a pandas or Polars frame, or a DuckDB relation."""
    for names in (getattr(value, "column_names", None), getattr(getattr(value, "schema", None), "names", None)):
        if isinstance(names, list):
            return names
    return list(getattr(value, "columns", ()))
