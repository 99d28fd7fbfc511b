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
    """The queries of the ``number`` units in which two ``runs`` differ most, and of the rows behind the difference.

    For each metric, the units come first whose statistics differ most, summed over all statistics. For the first of
    these metrics, a query for each table of evidence that names units finds the rows that only one of the runs has. The
    first line of a query is a comment that says what it finds.
    """
    with stored_runs(results, schema) as stored:
        a, b = (stored.named(run)[-1] for run in runs)
        kept = "SELECT metric, any_value(json_keys(unit)) AS keys FROM unit_statistics GROUP BY metric"
        keys: dict[str, list[str]] = {row["metric"]: row["keys"] for row in stored.ask(kept).to_pylist()}
        evidence = [table for table in sorted(stored.tables) if table.startswith(EVIDENCE)]
        columns = {table: stored.ask(f"FROM {quoted(table)} LIMIT 0").schema.names for table in evidence}
    units = {each.metric: each for each in found if each.metric in keys}
    for each in units.values():
        yield _units(each, a, b, number)
    for each in [*units.values()][:1]:
        named = [table for table in evidence if keys[each.metric] and {*keys[each.metric]} <= {*columns[table]}]
        yield from (_rows(table, keys[each.metric], each, a, b, number) for table in named)


def _worst(metric: str, a: int, b: int, number: int) -> str:
    """The tables `statistic` and `worst`: of each unit, both values of each statistic; the units that differ most."""
    return f"""\
WITH statistic AS (
    SELECT unit, slice, name,
        coalesce(sum(value) FILTER (run = {a}), 0) AS a, coalesce(sum(value) FILTER (run = {b}), 0) AS b
    FROM (
        SELECT *, unnest(json_keys(statistics)) AS name, (statistics ->> name)::DOUBLE AS value
        FROM unit_statistics
        WHERE metric = {text_literal(metric)} AND run IN ({a}, {b})
    )
    GROUP BY unit, slice, name
    HAVING a <> b
), worst AS (
    SELECT unit, slice, sum(abs(b - a)) AS unit_difference
    FROM statistic
    GROUP BY unit, slice
    ORDER BY unit_difference DESC, unit, slice
    LIMIT {number}
)"""


def worst_units(of: Comparison, a: int, b: int, number: int) -> str:
    """The query of the statistics that differ in the ``number`` units that differ most: unit, statistic, a and b."""
    return f"""{_worst(of.metric, a, b, number)}
SELECT unit, name AS statistic, a, b
FROM worst JOIN statistic USING (unit, slice)
ORDER BY unit_difference DESC, unit, slice, name"""


def _units(of: Comparison, a: int, b: int, number: int) -> str:
    return f"""\
-- where {of.a} and {of.b} differ most in {of.metric}
{_worst(of.metric, a, b, number)}
SELECT array_to_string(unit ->> '$.*', ' ') AS unit, array_to_string(slice ->> '$.*', ' ') AS slice,
    name AS statistic, a AS {quoted(of.a)}, b AS {quoted(of.b)}, b - a AS difference
FROM worst JOIN statistic USING (unit, slice)
ORDER BY unit_difference DESC, unit, slice, name"""


def _rows(table: str, keys: Sequence[str], of: Comparison, a: int, b: int, number: int) -> str:
    same = " AND ".join(f"rows.{quoted(key)}::VARCHAR = place.unit ->> {text_literal(key)}" for key in keys)
    in_a, in_b = f"count(*) FILTER (run = {a})", f"count(*) FILTER (run = {b})"
    return f"""\
-- rows of {table} there that only one of the two has, at most {30 * number}
{_worst(of.metric, a, b, number)}
SELECT only_in, * EXCLUDE (unit_difference, only_in)
FROM (
    SELECT place.unit_difference, rows.* EXCLUDE (run),
        CASE WHEN {in_a} > {in_b} THEN {text_literal(of.a)} ELSE {text_literal(of.b)} END AS only_in
    FROM {quoted(table)} AS rows
    JOIN (SELECT unit, max(unit_difference) AS unit_difference FROM worst GROUP BY unit) AS place ON {same}
    WHERE run IN ({a}, {b})
    GROUP BY ALL
    HAVING {in_a} <> {in_b}
)
ORDER BY unit_difference DESC, COLUMNS(*)
LIMIT {30 * number}"""
