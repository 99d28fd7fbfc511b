"""The components of a metric in each replicate, from sums of the blocks that a replicate draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from scorespec.errors import nearest
from scorespec.plan.kinds.context import Context, Slices, Subquery, SumsOfBlocks
from scorespec.plan.kinds.counting import Counting
from scorespec.plan.kinds.steps import reads
from scorespec.plan.needs import name_at
from scorespec.plan.rendering.templates import Reference, quoted
from scorespec.plan.resampling.blocks import blocks_of
from scorespec.plan.resampling.interval_sql import BlockSums, ResampledScores
from scorespec.plan.scopes import Scope

REPLICATE = "replicate"  # the column with the number of a replicate
Components = Callable[[Slices], Context]  # the step of the scores, in some slices


def replicates(counting: Counting, components: Components) -> ResampledScores | None:
    """The components in each replicate; None if they are averaged over units, or if there are no sums of blocks."""
    of_rows = counting.resample is not None and counting.resample.rows is not None
    if counting.mean:
        return None
    sums = totals_of_blocks(counting) if of_rows else _sums_of_units(counting)
    return replicated(counting, components, sums, tuple(counting.body["components"])) if sums else None


def replicated(counting: Counting, components: Components, sums: BlockSums, names: tuple[str, ...]) -> ResampledScores:
    """The components with these names in each replicate.

    A replicate is one more column of the scope, and its sums are those of a single unit in each slice.
    """
    slices = counting.slices()
    rows = f"FROM {quoted(sums.replicates)} WHERE breakdown = "
    of_replicates = _reading(slices, [Subquery(f"({rows}{number})", ()) for number in range(len(slices.breakdowns))])
    context = components(replace(of_replicates, by=(*slices.by, REPLICATE), scopes=None))
    sql = context.sql(counting.place)
    return ResampledScores(names, sql, (sums,), frozenset(reads(context, sql)))


def totals_of_blocks(counting: Counting) -> BlockSums | None:
    """The sums of the statistics of each block: over units that have blocks, otherwise over the rows of blocks."""
    if sums := _sums_of_units(counting):
        return sums
    rows = rows_of_blocks(counting)
    if rows is None:
        return None
    tables = [_statistics_of_blocks(counting, rows, columns) for columns in counting.breakdowns]
    return _sums_of(counting, _reading(counting.slices(), tables))


def rows_of_blocks(counting: Counting) -> Subquery | None:
    """The rows that are counted, with their block in the column unit_block; None if they are not resampled."""
    resample, setup, relations = counting.resample, counting.setup, counting.relations
    if resample is None or not counting.replicated:
        return None
    name = resample.rows or str(name_at(counting.body, "from"))
    found = relations.needs.find(name)
    blocks = blocks_of(resample, found.column_names, relations, setup.values) if found else None
    if blocks is None or not all(relations.scopes.carries(name, column) for column in setup.scope):
        return None
    rows = counting.reference(name)
    return Subquery(blocks.rows(rows), (rows, *blocks.reads))


def with_blocks(counting: Counting, tables: Iterable[Reference | Subquery]) -> Slices | None:
    """The slices with tables of units that have their block in the column unit_block.

    None if the units have no blocks, or if no replicates are asked for.
    """
    blocks = counting.blocks
    if not counting.replicated or blocks is None:
        return None
    read = [(table, table.reads if isinstance(table, Subquery) else (table,)) for table in tables]
    subqueries = [Subquery(blocks.rows(str(table)), (*reads, *blocks.reads)) for table, reads in read]
    return _reading(counting.slices(), subqueries)


def block_sums(counting: Counting, table: Reference, statistics: Iterable[str], fitted: bool = False) -> BlockSums:
    """A table of sums of blocks in the slices of the metric."""
    slices, wanted = counting.slices(), counting.resample.blocks if counting.resample else ()
    keys = tuple(dict.fromkeys((*slices.by, "slice", "breakdown", *slices.columns)))
    size, names = counting.body.get("block_size", ""), tuple(statistics)
    if size and size not in names:
        raise counting.fault(f"block_size is not a statistic; {nearest(size, names)}", "block_size")
    return BlockSums(table.physical, keys, names, wanted, fitted, size)


def _sums_of_units(counting: Counting) -> BlockSums | None:
    """The sums of the statistics of the units of each block, if units have blocks."""
    return _sums_of(counting, with_blocks(counting, [units.table for units in counting.units]))


def _sums_of(counting: Counting, slices: Slices | None) -> BlockSums | None:
    if slices is None:
        return None
    sums = {name: f"coalesce(sum({quoted(name)}), 0)" for name in counting.body["statistics"]}
    return block_sums(counting, counting.add(SumsOfBlocks(slices, sums), "sums of blocks", "_blocks"), sums)


def _statistics_of_blocks(counting: Counting, rows: Subquery, columns: Scope) -> Subquery:
    """The statistics of the rows of each block, and a row of zeros for each block, which may have no row."""
    statistics, where = counting.body["statistics"], counting.body.get("where")
    keys = ", ".join(map(quoted, (*counting.by, *columns, "unit_block")))
    sums = ", ".join(f"{sql} AS {quoted(name)}" for name, sql in statistics.items())
    zeros = ", ".join(f"0 AS {quoted(name)}" for name in statistics)
    filtered = f" WHERE {where}" if where else ""
    summed = f"SELECT {keys}, {sums} FROM {rows} AS counted_rows{filtered} GROUP BY ALL"
    return Subquery(f"({summed} UNION ALL SELECT DISTINCT {keys}, {zeros} FROM {rows})", rows.reads)


def _reading(slices: Slices, tables: Iterable[Subquery]) -> Slices:
    """The slices with other tables of units, one for each breakdown."""
    pairs = zip(slices.breakdowns, tables, strict=True)
    return replace(slices, breakdowns=tuple(replace(breakdown, units=units) for breakdown, units in pairs))
