"""SQL that shows where two runs differ most: units of metrics, and rows of evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from scorespec.comparison.comparison_tables import Comparisons
from scorespec.core.result_tables import EVIDENCE
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.results.reading import stored_runs


def worst_queries(results: Path, schema: str, found: Comparisons, runs: Sequence[str], number: int) -> Iterator[str]:
    """The queries of the ``number`` units and rows in which the two compared ``runs`` differ most, each with a comment.

    Of each metric, these are the units whose statistics differ most, relative to the sum of the statistic over both
    runs. Of each table of evidence, these are rows that only one of the runs has.
    """
    if not found.rows:
        return
    with stored_runs(results, schema) as stored:
        a, b = (stored.named(run)[-1] for run in runs)
        names = set(stored.ask("SELECT DISTINCT metric FROM unit_statistics")["metric"].to_pylist())
        tables = sorted(stored.tables)
    for metric in dict.fromkeys(each.metric for each in found):
        if metric in names:
            yield _units(metric, a, b, number)
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
