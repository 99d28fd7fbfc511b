"""The queries of the statistics per unit that results have."""

from __future__ import annotations

from collections.abc import Iterable

from scorespec.plan.parameters import literal, text_literal
from scorespec.plan.relations import scope_column
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.scored import Scored, Setup, Units


def unit_statistics(metric: str, setup: Setup, scored: Scored, units: Units) -> tuple[frozenset[str], str]:
    """The tables that the rows of `unit_statistics` for a table of units are read from, and the query of these rows."""
    scope = [(column, quoted(scope_column(column))) for column in setup.scope]
    slices = [(column, quoted(column)) for column in units.slice_columns]
    varied = [(name, literal(value)) for name, value in setup.fixed.items()]
    reads, rows, block = [units.table], str(units.table), "NULL::JSON"
    if units.blocks:
        reads += units.blocks.reads
        rows, block = units.blocks.rows(units.table), "unit_block::JSON"
    sql = (
        f"SELECT {text_literal(metric)} AS metric, {labelled((n, quoted(n)) for n in units.unit)} AS unit, "
        f"{labelled([*varied, *slices, *scope])} AS slice, "
        f"{labelled((n, quoted(n)) for n in scored.statistics)} AS statistics, "
        f"{block} AS block\nFROM {rows}{f' WHERE {units.where}' if units.where else ''}"
    )
    return frozenset(each.physical for each in reads), sql


def labelled(pairs: Iterable[tuple[str, str]]) -> str:
    """SQL expressions with their names, as one JSON object."""
    return f"json_object({', '.join(f'{text_literal(name)}, {sql}' for name, sql in pairs)})"
