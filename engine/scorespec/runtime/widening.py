"""Columns of the user's own: lets a breakdown name what a table does not declare but its input has."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from scorespec.catalog.model import Check, Column
from scorespec.catalog.namespaces import Namespace
from scorespec.compiler.templates import quoted
from scorespec.errors import bad_input
from scorespec.runtime.loading import Source


def widen_tables(names: Namespace, sources: Iterable[Source], wanted: Collection[str]) -> None:
    """Make the ``wanted`` columns that an input has columns of its table, where the table allows others.

    Such a column is text, and in no row may it be missing: every row is in some slice. So is a declared one,
    which otherwise may be.
    """
    for source in sources:
        table = source.table
        declared = {column.name: column for column in table.columns}
        other = [name for name in wanted if name not in declared or declared[name].nullable]
        if not (table.other_columns and other):
            continue
        found = [name for name in other if name in set(_names(source))]
        columns = {**declared, **{name: Column(name, "VARCHAR") for name in found if name not in declared}}
        columns |= {name: replace(columns[name], nullable=False) for name in found}
        filled = [Check(f"{quoted(name)}::VARCHAR <> ''", f"{name} is missing") for name in found]
        names.widen(replace(table, columns=tuple(columns.values()), checks=(*filled, *table.checks)))


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
