"""The queries that make intervals, as the script and the page of a plan show them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorespec.intervals.replicate_queries import REPLICATES, SWEPT_REPLICATES
from scorespec.intervals.resampled_scores import JackknifedScores, ResampledScores, ResampledSweep
from scorespec.plan.plan import Plan
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.scored import BlockSums, SweptRows

ONCE = "Here, replicate 0 has each block once, so that the query gives the scores."


@dataclass(frozen=True)
class IntervalQuery:
    """What makes the intervals of some ``metrics``: SQL ``statements``, which read some tables of the plan.

    ``about`` says how the statements are used. The engine puts the sums of all replicates in place of the tables that
    the statements create.
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
    if plan.confidence is None:
        return
    yield from map(_resampled, plan.resampled)
    yield from map(_swept, plan.resampled_sweeps)
    for each in plan.jackknifed:
        yield _jackknifed(plan, each)


def _resampled(scores: ResampledScores) -> IntervalQuery:
    about = (
        f"The components in each of {REPLICATES:,} replicates, from sums over the blocks that a replicate draws. {ONCE}"
    )
    statements = (*map(_sums, scores.sums), scores.sql)
    return IntervalQuery((scores.metric,), about, statements, scores.reads)


def _swept(sweep: ResampledSweep) -> IntervalQuery:
    about = (
        f"The components at the best threshold of each of {SWEPT_REPLICATES:,} replicates, from the points of the "
        f"replicate and from its sums over all rows. {ONCE}"
    )
    (sums,) = sweep.scores.sums
    statements = (_sums(sums), _points(sweep.swept, sums), sweep.scores.sql)
    return IntervalQuery((sweep.metric,), about, statements, sweep.reads)


def _jackknifed(plan: Plan, scores: JackknifedScores) -> IntervalQuery:
    again = plan.without_blocks(scores).steps
    first = scores.divisions[0]
    names = ", ".join(dict.fromkeys(step.name for step in again))
    about = (
        f"Blocks are divided into at most {scores.groups} groups. Without the rows of each group in "
        f"{', '.join(first.blocks)}, the steps of {names} are run again, and the last query gives the scores. The "
        "first query has the number of rows of each block."
    )
    return IntervalQuery(scores.metrics, about, (first.block_rows, scores.sql), scores.reads | first.reads)


def _sums(of: BlockSums) -> str:
    """The sums over all blocks, as those of a replicate."""
    keys = ", ".join(map(quoted, of.keys))
    sums = ", ".join(f"sum({quoted(name)}) AS {quoted(name)}" for name in of.statistics)
    return (
        f"CREATE TABLE IF NOT EXISTS {quoted(of.replicates)} AS\n"
        f"SELECT 0 AS replicate, {keys}, {sums}\nFROM {quoted(of.table)}\nGROUP BY ALL"
    )


def _points(swept: SweptRows, of: BlockSums) -> str:
    """The running sums over the rows of all blocks, as the points of a replicate."""
    keys = ", ".join(quoted(name) for name in of.keys if name != "slice")
    sums = ", ".join(f"sum(sum({quoted(name)})) OVER down AS {quoted(name)}" for name in of.statistics)
    return (
        f"CREATE TABLE {quoted(swept.points)} AS\n"
        f"SELECT 0 AS replicate, {keys}, threshold, row_number() OVER down AS rank, {sums}\n"
        f"FROM {quoted(swept.rows)}\nGROUP BY {keys}, threshold\n"
        f"WINDOW down AS (PARTITION BY {keys} ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING)"
    )
