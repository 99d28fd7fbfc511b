"""Compiles the scores that have no intervals from sums of blocks: what is run again without a group of blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from scorespec.catalog.model import COUNT, ComponentMeaning, Resample, Table
from scorespec.plan.kinds.context import ScoreRows
from scorespec.plan.kinds.steps import labelled
from scorespec.plan.relations import Relations
from scorespec.plan.rendering.templates import indented, quoted
from scorespec.plan.resampling.blocks import Blocks, block_name, blocks_of
from scorespec.plan.resampling.interval_sql import ASIDE, LEFT_OUT, InputsInBlocks, JackknifedScores
from scorespec.plan.scopes import Scope
from scorespec.plan.scored_suites import Result

PROPORTION = (0, 1)  # the range of components whose intervals stay between 0 and 1


def jackknifed_scores(scores: Iterable[Result], groups: int) -> Iterator[JackknifedScores]:
    """What is run again for some scores without each of at most some ``groups`` of blocks.

    Scores that divide their inputs in the same way are run together.
    """
    together: dict[object, list[Result]] = {}
    for each in scores:
        if resample := each.resample:
            names = each.relations.reference(resample.from_, each.setup.values, ()) if resample.from_ else None
            divided = each.suite.suite.name, resample, names, str(each.relations.filters)
            together.setdefault(divided, []).append(each)
    for group in together.values():
        resample = group[0].resample
        assert resample
        if divisions := tuple(_divisions(group, resample)):
            # Rows of single folds are left out, because the folds of a run without some blocks are other folds.
            rows = ScoreRows.of(each.rows for each in group).sql(group[0].suite.suite.origin.place())
            yield JackknifedScores(
                metrics=tuple(dict.fromkeys(each.name for each in group)),
                sql=f"SELECT metric, component, slice, value\nFROM (\n{indented(rows)}\n)",
                reads=frozenset(each.rows.wide.physical for each in group),
                divisions=divisions,
                wanted=resample.blocks,
                groups=groups,
                proportions=_components(group, lambda meaning: meaning.range == PROPORTION),
                counts=_components(group, lambda meaning: meaning.unit == COUNT),
            )


def without_intervals(scores: Iterable[Result], jackknifed: Iterable[JackknifedScores]) -> Iterator[str]:
    """The warning that metrics have no interval, if there are such metrics."""
    having = {name for each in jackknifed for name in each.metrics}
    if lacking := dict.fromkeys(each.name for each in scores if each.name not in having):
        yield f"no interval of {', '.join(lacking)}: no document says how their inputs are divided into blocks"


def _divisions(group: list[Result], resample: Resample) -> Iterator[InputsInBlocks]:
    """The ways to divide inputs: into the blocks of all columns, then into those of the later columns alone."""
    suite, relations, values = group[0].suite, group[0].relations, group[0].setup.values
    sources = [name for each in group for name in suite.needs.relations_of(each.call.metric)]
    read = {found.name for found in relations.needs.upstream(sources)}
    inputs = [name for name in suite.tables() if name in read and name in suite.given]
    for first in range(len(resample.blocks)):
        way = replace(resample, blocks=resample.blocks[first:])
        blocks: dict[str, Blocks] = {}
        for name in inputs:
            found = relations.needs.find(name)
            columns = [each.name for each in found.columns if not each.undeclared] if isinstance(found, Table) else []
            if of_input := blocks_of(way, columns, relations, values):
                blocks[name] = of_input
        if blocks:
            yield _divided(blocks, group)


def _components(group: Iterable[Result], wanted: Callable[[ComponentMeaning], bool]) -> frozenset[tuple[str, str]]:
    """The metrics and components with a wanted meaning."""
    return frozenset((each.name, name) for each in group for name, meaning in each.meanings.items() if wanted(meaning))


def _divided(blocks: Mapping[str, Blocks], group: list[Result]) -> InputsInBlocks:
    """Divided inputs, with the number of rows of each block in the first input, and in slices.

    The rows of a slice are those of the first input that has the columns of the slice.
    """
    first, relations = next(iter(blocks)), group[0].relations
    rows = {name: relations.rows_of(name) for name in blocks}
    counted = {labelled([]): (first, rows[first])}
    for each in group:
        setup = each.setup
        for columns in ((), *(tuple(c for c in columns if c not in setup.by) for columns in each.scored.slices)):
            having = (name for name in blocks if _has(relations, name, columns, setup.by))
            label = labelled([*each.label_of_setup, *((column, quoted(column)) for column in columns)])
            if name := next(having, None):
                counted.setdefault(label, (name, relations.reference(name, setup.values, setup.by)))
    block_rows = "\nUNION ALL\n".join(
        f"SELECT {label} AS slice, unit_block, count(*) AS rows FROM {blocks[name].rows(table)} GROUP BY ALL"
        for label, (name, table) in counted.items()
    )
    reads = [table for _, table in counted.values()] + [table for each in blocks.values() for table in each.reads]
    reads += rows.values()
    return InputsInBlocks(
        inputs=tuple(blocks),
        with_blocks=tuple(
            f"CREATE OR REPLACE VIEW {_with_blocks(name)} AS\nFROM {each.rows(rows[name])}"
            for name, each in blocks.items()
        ),
        disagreements=tuple(_disagreements(blocks)),
        block_rows=block_rows,
        without=tuple(_without(name, each) for name, each in blocks.items()),
        reads=frozenset([*blocks, *(each.physical for each in reads)]),
    )


def _disagreements(blocks: Mapping[str, Blocks]) -> Iterator[str]:
    """Whether an input has rows that belong to several blocks of the first input, or to an unknown block.

    For example, the words of a document belong to all its speakers if only the first input says who speaks.
    Rows of a speaker who does not occur in the first input belong to no block: they stay, and do no harm.
    """
    first, *others = blocks
    named = map(blocks[first].name, blocks[first].columns)
    parts = [f"SELECT {each}::VARCHAR FROM {_with_blocks(first)}" for each in named]
    parts += [f"SELECT {block_name(each.columns[-1], lambda _: 'NULL')}::VARCHAR" for each in blocks.values()]
    for other in others:
        unknown = (
            f"SELECT unit_block FROM {_with_blocks(other)}\n    EXCEPT SELECT unit_block FROM {_with_blocks(first)}"
        )
        several = "\n    UNION ".join(parts)
        yield f"SELECT count(*) > 0\nFROM (\n    {unknown}\n)\nWHERE unit_block IN (\n    {several}\n)"


def _without(name: str, blocks: Blocks) -> str:
    """The view of an input without the blocks that are left out."""
    added = ", ".join(map(quoted, blocks.added))
    return (
        f"CREATE OR REPLACE VIEW {ASIDE}.{quoted(name)} AS\nSELECT * EXCLUDE ({added})\nFROM {_with_blocks(name)}\n"
        f"ANTI JOIN {quoted(LEFT_OUT)} USING (unit_block)"
    )


def _with_blocks(name: str) -> str:
    """The view of all rows of an input with their blocks."""
    return quoted(f"{name} with blocks")


def _has(relations: Relations, name: str, columns: Scope, by: Scope) -> bool:
    """Whether an input has some columns, and can be broken down by others."""
    found = relations.needs.find(name)
    own = {each.name for each in found.columns if not each.undeclared} if isinstance(found, Table) else set()
    return own.issuperset(columns) and all(relations.scopes.flows(name, column) for column in by)
