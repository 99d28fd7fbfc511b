"""Where two systems differ: the score of each block, and the SQL of the units and rows that differ most."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scorespec.comparison.compared_runs import ComparedRun, ScoreKey
from scorespec.comparison.paired import Comparison, compare_runs
from scorespec.comparison.resampled import portions_of, resampling_session
from scorespec.core.result_tables import EVIDENCE
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.results.reading import stored_runs
from scorespec.run.limits import Limits


@dataclass(frozen=True)
class BlockDifference:
    """The score of two systems in one block: that of a corpus in which all blocks are like this one.

    If the score is a ratio of sums, it is the ratio of the sums of the block. If the score is a mean over units, whose
    number is given, it is the mean over the units of the block as if each block had as many units.
    """

    block: str
    value_a: float
    value_b: float

    @property
    def difference(self) -> float:
        """The score of the second system minus that of the first."""
        return self.value_b - self.value_a


@dataclass(frozen=True)
class BlockDifferences:
    """The comparison of a score of two systems, and the differences in the blocks in which both have the score.

    ``unit`` is what blocks are, such as speakers. ``sources`` are the rows of `block_sums` that give the scores.
    """

    comparison: Comparison
    blocks: Sequence[BlockDifference]
    unit: str
    sources: Sequence[str]


def block_differences(
    runs: Sequence[ComparedRun], metric: str, component: str, level: float, limits: Limits | None = None
) -> list[BlockDifferences]:
    """The differences of a score of two runs, for each slice that stands for the whole; the largest differences first.

    Empty for a score that is not a function of sums of blocks. Raises UsageError for runs that cannot be compared.
    """
    limits = limits or Limits()
    compared, _ = compare_runs(runs, [f"{metric}.{component}"], level=level, limits=limits)
    tested: dict[ScoreKey, Comparison] = {
        (each.metric, each.component, each.slice): each for each in compared if each.low is not None
    }
    found: list[BlockDifferences] = []
    if not tested:
        return found
    with resampling_session(runs, {metric}, limits) as (session, every):
        for scores in every:
            for portion in portions_of(session, runs, scores, 1):
                blocks = [json.loads(name) for name in portion.names.to_pylist()]
                values = portion.components(portion.sums * portion.blocks)
                for at, (key, _) in enumerate(portion.scores):
                    if key in tested:
                        rows = zip(blocks, values[:, 0, at].tolist(), values[:, 1, at].tolist(), strict=True)
                        differences = [
                            BlockDifference(" ".join(map(str, block.values())), a, b)
                            for block, a, b in rows
                            if math.isfinite(a) and math.isfinite(b)
                        ]
                        differences.sort(key=lambda each: (-each.difference, each.block))
                        sources = [of.table for of in scores[0].scores.sums]
                        found.append(BlockDifferences(tested[key], differences, portion.block, sources))
    return found


def worst_queries(
    results: Path, schema: str, found: Iterable[Comparison], runs: Sequence[int | str], number: int
) -> Iterator[str]:
    """The queries of the ``number`` units and rows in which the two compared ``runs`` differ most, each with a comment.

    Of each metric, these are the units whose statistics differ most, relative to the sum of the statistic over both
    runs. Of each table of evidence, these are rows that only one of the runs has.
    """
    if not (metrics := dict.fromkeys(each.metric for each in found)):
        return
    with stored_runs(results, schema) as stored:
        a, b = (stored.named(run)[-1] for run in runs)
        names = stored.ask("SELECT DISTINCT metric FROM unit_statistics")["metric"].to_pylist()
        tables = sorted(stored.tables)
    yield from (_units(metric, a, b, number) for metric in metrics if metric in names)
    for table in tables:
        if table.startswith(EVIDENCE):
            for only, other in ((a, b), (b, a)):
                yield _rows(table, only, other, number)


def _units(metric: str, a: int, b: int, number: int) -> str:
    return f"""\
-- units whose statistics of {metric} differ most between run {a} and run {b}
WITH statistic AS (
    SELECT run, unit, slice, name, coalesce((statistics ->> name)::DOUBLE, 0) AS value
    FROM (
        SELECT *, unnest(json_keys(statistics)) AS name
        FROM unit_statistics
        WHERE metric = {text_literal(metric)} AND run IN ({a}, {b})
    )
)
SELECT unit, slice, name AS statistic,
    coalesce(sum(value) FILTER (run = {a}), 0) AS run_{a},
    coalesce(sum(value) FILTER (run = {b}), 0) AS run_{b},
    run_{b} - run_{a} AS difference
FROM statistic
GROUP BY unit, slice, name
QUALIFY difference <> 0
ORDER BY abs(difference) / sum(abs(run_{a}) + abs(run_{b})) OVER (PARTITION BY name) DESC, unit, slice, name
LIMIT {number}"""


def _rows(table: str, only: int, other: int, number: int) -> str:
    return f"""\
-- rows of {table} that run {only} has and run {other} has not
SELECT * EXCLUDE (run) FROM {quoted(table)} WHERE run = {only}
EXCEPT ALL
SELECT * EXCLUDE (run) FROM {quoted(table)} WHERE run = {other}
ORDER BY ALL
LIMIT {number}"""
