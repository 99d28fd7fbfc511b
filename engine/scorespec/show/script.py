"""Prints a plan as one SQL script that explains itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from scorespec.catalog.model import Value
from scorespec.core.groups import grouped
from scorespec.plan.parameters import show_value
from scorespec.plan.plan import Plan, Step
from scorespec.plan.rendering.macros import create_macros
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.resampling.interval_sql import (
    ASIDE,
    LEFT_OUT,
    REPLICATES,
    SWEPT_REPLICATES,
    BlockSums,
    JackknifedScores,
    ResampledScores,
    ResampledSweep,
)

WIDTH = 110
ONCE = (
    "The engine makes a table of the sums of all replicates with numpy. Here, only replicate 0 is in the table: it has "
    "each block once, so that the last query gives the scores."
)


@dataclass(frozen=True)
class IntervalQuery:
    """What makes the intervals of some ``metrics``: the SQL ``statements`` of a run, which read tables of the plan.

    ``about`` says how the statements are used.
    """

    metrics: tuple[str, ...]
    about: str
    statements: tuple[str, ...]
    reads: frozenset[str]

    @property
    def name(self) -> str:
        """The names of the metrics, in one text."""
        return ", ".join(self.metrics)


def interval_queries(plan: Plan) -> Iterator[IntervalQuery]:
    """The queries that make the intervals of a plan; none if no intervals are asked for."""
    if plan.asked.confidence is not None:
        yield from map(_resampled, plan.resampling.scores)
        yield from map(_swept, plan.resampling.sweeps)
        yield from (_jackknifed(plan, each) for each in plan.resampling.jackknifed)


def _resampled(scores: ResampledScores) -> IntervalQuery:
    about = (
        "The names of the blocks, the sums of each block, and the components in each of "
        f"{REPLICATES:,} replicates, from sums over the blocks that a replicate draws. {ONCE}"
    )
    statements = [scores.blocks, *(sql for each in scores.sums for sql in _sums(each)), scores.sql]
    return IntervalQuery((scores.metric,), about, tuple(statements), scores.reads)


def _swept(sweep: ResampledSweep) -> IntervalQuery:
    about = (
        "The names of the blocks, the sums of each block, the statistics of each block at each score and at marked "
        f"points of the curve, the value of {' and '.join(sweep.banded)} at some points, from which numpy finds the "
        f"best threshold of each of {SWEPT_REPLICATES:,} replicates, and the components at these thresholds. {ONCE} "
        "Its points are the running sums of all rows."
    )
    points = f"CREATE VIEW {quoted(sweep.points)} AS\nSELECT 0 AS replicate, *\nFROM {sweep.running}"
    read = [sweep.rows, *([sweep.marked] if sweep.marked else [])]
    statements = (sweep.scores.blocks, *_sums(sweep.sums), *read, points, sweep.objective, sweep.scores.sql)
    return IntervalQuery((sweep.metric,), about, statements, sweep.reads)


def _sums(of: BlockSums) -> tuple[str, str]:
    return f"CREATE TABLE IF NOT EXISTS {quoted(of.replicates)} AS\n{of.whole}", of.rows


def _jackknifed(plan: Plan, scores: JackknifedScores) -> IntervalQuery:
    names = ", ".join(dict.fromkeys(step.name for step in plan.without_blocks(scores).steps))
    first = scores.divisions[0]
    about = (
        "The rows of inputs with their blocks, whether inputs disagree on blocks, and the number of rows of each "
        f"block. Blocks are divided into at most {scores.groups} groups. For each group, the views of the schema "
        f"{ASIDE}, which lack its blocks, take the place of the inputs; the steps of {names} are run again, and the "
        "last query gives the scores."
    )
    left_out = f"CREATE TABLE IF NOT EXISTS {quoted(LEFT_OUT)} (unit_block VARCHAR)"
    views = (f"CREATE SCHEMA IF NOT EXISTS {ASIDE}", left_out, *first.without)
    statements = (*first.with_blocks, *first.disagreements, first.block_rows, *views, scores.sql)
    return IntervalQuery(scores.metrics, about, statements, scores.reads | first.reads)


def script_of(plan: Plan) -> str:
    """The plan as SQL: a summary, the macros, the inputs that are read, each step with its explanation, the scores.

    The queries that make intervals come last. What explains several steps is said at the first.
    """
    parts = [*_top(plan), ""]
    if plan.macros:
        parts += ["-- SQL macros that the steps use", create_macros(plan.macros), ""]
    for table in plan.tables_read():
        parts += _comment(f"input {table.name} ({table.origin.place()}): {table.about}")
        columns = ", ".join(f"{quoted(c.name)} {c.type}" for c in table.columns)
        parts += [f"CREATE TABLE IF NOT EXISTS {quoted(table.name)} (line BIGINT, {columns});", ""]
    settings, explained = distinguishing(plan.steps), explanations(plan.steps)
    said: set[str] = set()
    for step in plan.steps:
        fresh = [each for each in explained[step.physical] if each not in said]
        said.update(fresh)
        parts += [*_step(step, settings[step.physical], fresh), ""]
    for curve in plan.curves:
        parts += [*_comment(f"metric {curve.metric}, points of its curve ({curve.place})"), f"{curve.sql};", ""]
    parts += ["-- the scores", f"{plan.scores.sql};"]
    for query in interval_queries(plan):
        parts += ["", *_comment(f"intervals of {query.name}"), *_comment(query.about)]
        parts += [f"{statement};" for statement in query.statements]
    return "\n".join(parts)


def _top(plan: Plan) -> Iterator[str]:
    read = plan.tables_read()
    inputs = f"To run it in DuckDB, first fill the tables of the inputs: {', '.join(table.name for table in read)}"
    if unread := [table.name for table in plan.tables if table not in read]:
        inputs += f" (not read: {', '.join(unread)})"
    if any(step.function_rows for step in plan.steps):
        inputs += "; also the tables …_rows_…, which Python functions make"
    yield from _comment(f"Suite {plan.suite}: {plan.about}")
    yield from _comment(inputs)
    metrics = [f"{' + '.join(sources)} → {', '.join(names)}" for sources, names in metrics_by_source(plan).items()]
    yield from _comment(
        f"Order: each of the {len(plan.steps)} steps reads inputs and steps above it. Metrics: {'; '.join(metrics)}"
    )
    yield from _comment(f"Signature: {plan.identity.long}")


def _step(step: Step, setting: str, explained: Iterable[str]) -> Iterator[str]:
    yield from _comment(f"{step.label}{f', {setting}' if setting else ''} ({step.place})")
    for paragraph in explained:
        yield from _comment(paragraph)
    if step.function_rows:
        yield from _comment(
            f"{quoted(step.function_rows.name)} is what {step.function_rows.shown} makes of the rows of"
        )
        yield from (f"--   {line}".rstrip() for line in step.function_rows.sql.splitlines())
    yield f"{step.statement};"


def metrics_by_source(plan: Plan) -> dict[tuple[str, ...], list[str]]:
    """The relations that metrics count, with the names of these metrics."""
    relations = {step.physical: step.name for step in plan.steps if step.kind != "metric"}
    names = {table.name: table.name for table in plan.tables} | relations
    counted: dict[str, set[str]] = {}
    for step in plan.steps:
        if step.kind == "metric":
            read = {names[each] for each in step.reads if each in names and step.role == "unit statistics"}
            counted.setdefault(step.name, set()).update(read)
    return grouped((tuple(sorted(sources)) or ("other metrics",), metric) for metric, sources in counted.items())


def explanations(steps: Iterable[Step]) -> dict[str, tuple[str, ...]]:
    """For each step, the paragraphs that explain it. The definition of a metric is at its first step only."""
    found: dict[str, tuple[str, ...]] = {}
    defined: set[str] = set()
    for step in steps:
        definition = "" if step.name in defined else step.about
        explained = step.explained.split("\n\n") if step.explained else []
        if step.kind == "metric":
            defined.add(step.name)
            explained = [definition, *explained]
        found[step.physical] = tuple(dict.fromkeys(filter(None, explained or [step.about])))
    return found


def distinguishing(steps: Iterable[Step]) -> dict[str, str]:
    """For each step, the parameters and the breakdown in which it differs from others of its kind, name and detail."""
    siblings = grouped(((step.kind, step.name, step.detail), step) for step in steps)
    return {each.physical: _difference(each, alike) for alike in siblings.values() for each in alike}


def _difference(step: Step, alike: list[Step]) -> str:
    names = sorted({name for other in alike for name in other.values})
    settings = [
        f"{name} = {_shown(step.values, name)}" for name in names if len({_shown(o.values, name) for o in alike}) > 1
    ]
    if len({other.scope for other in alike}) > 1:
        settings.append(f"by {', '.join(step.scope)}" if step.scope else "over all rows")
    return ", ".join(settings)


def _shown(values: Mapping[str, Value], name: str) -> str:
    return show_value(values[name]) if name in values else "unset"


def _comment(text: str) -> list[str]:
    lines, line = [], "--"
    for word in text.split():
        if len(line) + 1 + len(word) > WIDTH and len(line.split()) > 2:  # a label and its first word stay together
            lines.append(line)
            line = "--  "
        line += f" {word}"
    return [*lines, line]
