"""Undeclared columns: breakdowns and blocks can name a column that an input has although no document declares it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

import pyarrow as pa

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Check, Column, Relation
from scorespec.errors import SpecError, UsageError, bad_input, nearest
from scorespec.formats import DUCKDB
from scorespec.formats.text_rows import FROM_TEXTS
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.casting import named
from scorespec.run.inputs.duckdb_files import stored_names
from scorespec.run.inputs.sources import Source

RUN = "run"  # the column of evidence with the number of the run


def with_columns_of_breakdowns(
    names: Namespace, sources: Iterable[Source], wanted: Collection[str]
) -> tuple[Namespace, dict[str, list[str]]]:
    """Names whose tables have the ``wanted`` columns of their inputs, if the table allows ``other_columns``.

    An added column is text. It must have a value in every row, so that every row is in some slice; a declared column
    that may otherwise be missing must have one, too. If rows have a class, it is ``shared``. Also returns the
    undeclared columns of each input.
    """
    others: dict[str, list[str]] = {}
    sources = [file for each in sources for file in each.each]
    tables = [names.table(source.input) or source.table for source in sources]
    for source in sources:
        table = names.table(source.input) or source.table
        declared = {column.name: column for column in table.columns}
        needed = table.other_columns and not declared.keys() >= {*wanted}
        found = dict.fromkeys(_names(source) if needed or _is_quickly_read(source) else ())
        undeclared = [name for name in found if name not in declared]
        known = others.setdefault(table.name, [])
        known += [name for name in undeclared if name not in known]
        added = [name for name in undeclared if name in wanted and table.other_columns]
        filled = [
            name for name in found if name in added or (name in wanted and name in declared and declared[name].nullable)
        ]
        if not filled:
            continue
        for at, name in enumerate(added):
            _check_name(name, (*declared, *added[:at]), source)
        columns = {**declared, **{name: Column(name, "VARCHAR", undeclared=True) for name in added}}
        classed = any(
            each.class_column and (each.name == table.name or table.describes in each.column_names) for each in tables
        )
        columns |= {name: replace(columns[name], nullable=classed, shared=classed) for name in filled}
        checks = [
            Check(
                f"{_in_template(quoted(name))}::VARCHAR <> ''", f"{name} is missing; --by {name} needs it in each row"
            )
            for name in filled
            if not classed
        ]
        names = names.with_tables([replace(table, columns=(*columns.values(),), checks=(*checks, *table.checks))])
    _check_owners(names, sources, wanted)
    return names, others


def with_columns(
    names: Namespace, sources: Iterable[Source], blocks: Collection[str], kept: Collection[str]
) -> Namespace:
    """Names whose tables have some columns, if the inputs have them: those of ``blocks``, or that documents read.

    A ``kept`` table gets all of its columns that can be stored. A value may be missing.
    """
    for source in (file for each in sources for file in each.each):
        table = names.table(source.input) or source.table
        found = [name for name in _names(source) if name not in table.column_names]
        others = [(name, [*found[:at], *found[at + 1 :]]) for at, name in enumerate(found)]
        storable = [name for name, beside in others if not _fault(name, (RUN, *table.column_names, *beside))]
        wanted = storable if table.name in kept else ()
        added = [name for name in dict.fromkeys(found) if name in blocks or name in wanted]
        if added:
            columns = (Column(name, "VARCHAR", nullable=True, undeclared=True) for name in added)
            names = names.with_tables([replace(table, columns=(*table.columns, *columns))])
    return names


def with_absent_columns(names: Namespace, sources: Iterable[Source], read: Collection[str]) -> Namespace:
    """Names whose tables mark the columns, of those that documents ``read``, that all files of an input lack.

    Only columns that may be missing are marked.
    """
    for source in sources:
        table = names.table(source.input) or source.table
        marked = [
            replace(
                each,
                absent=each.absent
                or (each.nullable and each.name in read and all(_lacks(file, each) for file in source.each)),
            )
            for each in table.columns
        ]
        if any(each.absent for each in marked):
            names = names.with_tables([replace(table, columns=tuple(marked))])
    return names


def _lacks(source: Source, column: Column) -> bool:
    """Whether a file has no column of this name."""
    if source.format is not None and source.format.read is not None and source.format.names is None:
        return source.format.leaves_empty(column.name) and column.name not in source.keys
    return column.name not in ((*_names(source), *FROM_TEXTS) if source.texts else _names(source))


def check_other_columns(names: Namespace, relation: Relation, given: Collection[str]) -> None:
    """Raise SpecError if a given input lacks a column that a relation reads."""
    for input_, columns in relation.other_columns.items():
        known = found.column_names if (found := names.table(input_)) else ()
        for column in columns if input_ in given else ():
            if column not in known:
                said = f"the input {input_} has no column {column!r}; {nearest(column, known)}"
                raise SpecError(said, relation.origin.place("other_columns", input_))


def _check_owners(names: Namespace, sources: Iterable[Source], wanted: Collection[str]) -> None:
    """Refuse a column that a table which describes rows has, and another input as well: either could be meant."""
    given = [(source, table) for source in sources if (table := names.table(source.input))]
    for source, table in given:
        for name in {*wanted}.intersection(table.column_names) - {table.describes} if table.describes else ():
            for _, other in given:
                if other.name != table.name and name in other.column_names and other.slices is None:
                    said = f"both {other.name!r} and {table.name!r} have this column"
                    raise UsageError(f"--by {name}: {said}; rename the column of {source.shown}")


def _check_name(name: str, beside: Iterable[str], source: Source) -> None:
    """Refuse a column whose name conflicts with these other columns."""
    if reason := _fault(name, beside):
        shown = name if name and name.isprintable() else repr(name)
        raise UsageError(f"--by {shown}: {reason}; rename the column of {source.shown}")


def _fault(name: str, beside: Iterable[str]) -> str | None:
    """Why the name of a column conflicts with these other columns, or None."""
    if not name or not name.isprintable():
        return "the name is empty or has a line break in it"
    if name.lower() == "line":
        return "rows are numbered under that name"
    if same := [each for each in beside if each.lower() == name.lower()]:
        return f"there is also a column {same[0]!r}, and names that differ only in case are one"
    return None


def _in_template(sql: str) -> str:
    """SQL inside a template that renders it unchanged, whatever it contains."""
    return f"{{{{ {json.dumps(sql, ensure_ascii=False)} }}}}"


def _is_quickly_read(source: Source) -> bool:
    """Whether the names of the columns of an input can be read without reading its rows."""
    if source.format is None or source.path is None:
        return True
    return source.path.is_file() and (source.format.names is not None or source.format.read is None)


def _names(source: Source) -> Collection[str]:
    """The columns that an input has, under their names in the table, with those that folders fill; some may repeat."""
    found = named(source, own_names(source))
    return [*(ours for ours, theirs in found if theirs not in source.hidden), *source.keys]


def own_names(source: Source) -> Collection[str]:
    """The columns of a source under its own names; none if its format has no names."""
    if source.format is None or source.path is None:
        return _object_names(source.value)
    if source.format.names is not None:
        return source.format.names(source.path)
    if source.format.read is not None:
        return ()
    if source.format is DUCKDB:
        return stored_names(source)
    import pyarrow.parquet as pq  # slow to load

    try:
        return _texts(pq.read_schema(source.path))
    except (OSError, ValueError) as error:
        raise bad_input(source.shown, f"cannot be read: {str(error).splitlines()[0]}") from None


def _texts(schema: pa.Schema) -> list[str]:
    """The columns of a schema that can be text, which lists and bytes cannot."""
    return [each.name for each in schema if not (pa.types.is_nested(each.type) or pa.types.is_binary(each.type))]


def _object_names(value: Any) -> Collection[str]:
    """The columns of an Arrow table or reader, a pandas or Polars frame, or a DuckDB relation."""
    if hasattr(value, "collect_schema"):  # a Polars LazyFrame
        return list(value.collect_schema().names())
    if isinstance(schema := getattr(value, "schema", None), pa.Schema):
        return _texts(schema)
    for names in (getattr(value, "column_names", None), getattr(schema, "names", None)):
        if isinstance(names, list):
            return names
    return list(getattr(value, "columns", ()))
