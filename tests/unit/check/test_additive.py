"""Statistics that do not add up over units are refused, with what to write instead."""

from __future__ import annotations

import pytest

import toy
from scorespec.catalog.model import Metric
from scorespec.check.additive import additive_faults

MACROS = """macros:
  mean_of: {about: x, params: [x], sql: avg(x)}
  total_of: {about: x, params: [x], sql: sum(x)}
  quotient: {about: x, params: [a, b], sql: "a / nullif(b, 0)"}
  per_row: {about: x, params: [a, b], sql: "quotient(a, b)"}
"""


KEYS = {
    "statistics": 'statistics: {n: "SQL"}',
    "ratio": 'numerator: "SQL", denominator: count(*)',
    "sweep": 'score: score, statistics: {n: "SQL"}, components: {value: n}, best: max value',
}


def causes(statistic: str, keys: str = "unit: [file]", kind: str = "statistics") -> list[str]:
    """What does not add up in a statistic of the metric with some keys."""
    own = KEYS[kind].replace("SQL", statistic)
    return faults(f"{MACROS}metrics: {{m: {{about: x, kind: {kind}, from: answers, {keys}, {own}}}}}")


def faults(document: str) -> list[str]:
    names = toy.catalog(document).namespace("toy")
    metric = names.definition("metrics", "m")
    assert isinstance(metric, Metric)
    return [each.partition(", but ")[2].partition(" does not add up")[0] for each in additive_faults(metric, names)]


@pytest.mark.parametrize(
    "statistic",
    [
        "sum(score)",
        "count(*)",
        "count_if(score > 1)",
        "count(score) FILTER (WHERE score > 1)",
        "coalesce(sum(score), 0) - 2 * count(*)",
        "sum(score) / 3600",
        "sum(score / nullif(score, 0))",
        "sum((SELECT max(each) FROM unnest([score]) AS t(each)))",
        "sum(list_max([score, 1]))",
        "exact_sum(ratio(score, 2))",
        "total_of(quotient(score, 2))",
        "quotient(sum(score), 2)",
        "count(DISTINCT file)",
        "count(DISTINCT (file, item))",
    ],
)
def test_what_adds_up(statistic: str) -> None:
    assert causes(statistic) == []


@pytest.mark.parametrize(
    ("statistic", "cause"),
    [
        ("avg(score)", "avg()"),
        ("AVG(score)", "avg()"),
        ("sum(score) + mean(score)", "mean()"),
        ("median(score)", "median()"),
        ("max(score)", "max()"),
        ("coalesce(min(score), 0)", "min()"),
        ("stddev(score)", "stddev()"),
        ("quantile_cont(score, 0.5)", "quantile_cont()"),
        ("percentile_cont(0.5) WITHIN GROUP (ORDER BY score)", "quantile_cont()"),
        ("any_value(score)", "any_value()"),
        ("mode(item)", "mode()"),
        ("list_avg(list(score))", "list()"),
        ("approx_count_distinct(item)", "approx_count_distinct()"),
        ("count(DISTINCT item)", "DISTINCT"),
        ("count(DISTINCT item) FILTER (WHERE score > 0)", "DISTINCT"),
        ("count(DISTINCT lower(file))", "DISTINCT"),
        ("sum(DISTINCT score)", "DISTINCT"),
        ("sum(score) / count(*)", "/"),
        ("ratio(sum(score), count(*))", "/"),
        ("quotient(1, count(*))", "/"),
        ("per_row(sum(score), count(*))", "/"),
        ("mean_of(score)", "avg()"),
        ("geomean(score)", "avg()"),
        ("total_of(score) + mean_of(score)", "avg()"),
        ("sum(count(*)) OVER ()", "sum() OVER"),
        ("CASE WHEN true THEN avg(score) END", "avg()"),
    ],
)
def test_what_does_not_add_up(statistic: str, cause: str) -> None:
    assert causes(statistic) == [cause]
    assert causes(statistic, kind="ratio") == [cause]


@pytest.mark.parametrize(
    ("keys", "refused"),
    [
        ("where: 'true'", False),  # one unit: nothing is summed
        ("unit: [file], then: mean", False),  # each unit has components of its own
        ("unit: [file], then: mean, groups: [[speaker]]", True),  # a unit sums over speakers
        ("groups: [[speaker]]", True),  # the overall score sums over speakers
        ("groups: [[speaker]], overall: false", False),
        ("groups: [[speaker], [item]], overall: false", True),
        ("unit: [speaker], groups: [[speaker]], overall: false", False),
    ],
)
def test_statistics_need_not_add_up_over_what_is_not_summed(keys: str, refused: bool) -> None:
    assert causes("avg(score)", keys) == (["avg()"] if refused else [])


def test_distinct_values_must_tell_all_that_is_summed_over() -> None:
    assert causes("count(DISTINCT file)", "unit: [file], groups: [[speaker]]") == ["DISTINCT"]
    assert causes("count(DISTINCT (file, speaker))", "unit: [file], groups: [[speaker]]") == []
    assert causes("count(DISTINCT speaker)", "unit: [file], groups: [[speaker]], then: mean") == []


def test_statistics_of_a_sweep_are_summed_over_rows() -> None:
    assert causes("sum(score)", kind="sweep") == []
    assert causes("count(DISTINCT file)", kind="sweep") == ["DISTINCT"]
    assert causes("max(score)", kind="sweep") == ["max()"]


def test_a_macro_is_read_once_however_often_it_is_called() -> None:
    chain = "".join(f"  m{at}: {{about: x, params: [x], sql: m{at + 1}(x) + m{at + 1}(x)}}\n" for at in range(60))
    written = f"macros:\n{chain}  m60: {{about: x, params: [x], sql: avg(x)}}\n"
    metric = "metrics: {m: {about: x, kind: statistics, from: answers, unit: [file], statistics: {n: m0(score)}}}"
    assert faults(written + metric) == ["avg()"]
