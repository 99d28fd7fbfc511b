"""Thresholds and calibrations that are given: against the oracle, and against the metrics that find the best ones."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import first, only, slow, some
from oracles.term_detection import fixture, quesst, scoring
from oracles.term_detection.tasks import Drawn, joint, tables

DATA = Path(__file__).parents[1] / "data" / "term_detection"
NIST = "openkws13"
CASES = ("small", "matching", "boundary", "multiword", "small_inf", "small_neginf", "medium_small")
TRIALS = ("quesst_complete", "quesst_ties", "quesst_inverted", "quesst_separable", "quesst_constant")
LISTS = {"queries": "kwlist.xml", "references": "ref.rttm", "audio": "ecf.xml", "detections": "kwslist.xml"}
PAIRS = {"queries": "tlist.xml", "references": "ref.rttm", "audio": "ecf.xml", "detections": "stdlist.xml"}
EVERY = [("sws2013", case) for case in CASES] + [(NIST, "small"), *(("quesst2015", case) for case in TRIALS)]


def run_of(suite: str, case: str, metrics: Iterable[str | scorespec.MetricCall], **params: Any) -> scorespec.Run:
    files = PAIRS if suite == "quesst2015" else LISTS
    inputs = {name: DATA / case / file for name, file in files.items()}
    return scorespec.score(suite, inputs=inputs, metrics=metrics, params=params, keep_evidence=False, threads=1)


@cache
def usual(suite: str, case: str) -> scorespec.Run:
    """The actual and the best threshold, and the best map."""
    return run_of(suite, case, ("atwv", "mtwv", minimum_of(suite)))


def minimum_of(suite: str) -> str:
    """The metric that finds the best map."""
    return "min_cnxe_affine" if suite == "quesst2015" else "min_cnxe"


def near(got: float | None, want: float | None) -> bool:
    return got == pytest.approx(want, abs=1e-9) if want is not None else got is None


def twv_at(threshold: float | None) -> scorespec.MetricCall:
    return scorespec.metric("twv", threshold=math.inf if threshold is None else threshold)


# -- against the metrics that find the best ones -----------------------------------------------------


@pytest.mark.parametrize(("suite", "case"), only([("sws2013", "small"), ("quesst2015", "quesst_complete")], EVERY))
def test_with_the_best_parameters_of_the_same_data(suite: str, case: str) -> None:
    """TWV at the best threshold is MTWV, at that of the decisions ATWV; after the best map cnxe is the minimum."""
    actual, best, least = (usual(suite, case)[metric] for metric in ("atwv", "mtwv", minimum_of(suite)))
    asked = {
        "mtwv": twv_at(best["threshold"]),
        "atwv": twv_at(actual["threshold"]),
        "cnxe": scorespec.metric("cnxe", score_scale=least["gamma"] or 0.0, score_offset=least["delta"] or 0.0),
    }
    run = run_of(suite, case, asked.values())
    at = {name: run[str(metric)] for name, metric in asked.items()}
    if case != "small_inf":  # there rejecting all is best, and any threshold accepts an infinite score
        assert all(near(at["mtwv"][component], best[component]) for component in ("value", "p_miss", "p_fa"))
    notes = {row["component"]: row["note"] for row in actual.table()}
    assert near(at["atwv"].value, actual.value) == (notes["threshold"] != "no threshold gives the decisions")
    if least["gamma"] is not None:  # otherwise the minimum is a limit
        assert at["cnxe"].value == pytest.approx(least.value, abs=1e-9)


@slow
def test_the_minimum_is_reached_in_many_of_these_cases() -> None:
    assert sum(usual(suite, case)[minimum_of(suite)]["gamma"] is not None for suite, case in EVERY) >= 6


# -- against the oracle ------------------------------------------------------------------------------


def agree(run: scorespec.Run, oracle: Mapping[str, Any]) -> None:
    """Every value of the metrics of the run is the oracle's; an infinite threshold has no value."""
    for metric in run:
        for component, want in oracle[metric].items():
            want = None if want is None or math.isinf(want) else float(want)
            assert near(run.value(metric, component), want), (metric, component, run.value(metric, component), want)


@pytest.mark.parametrize("seed", first(range(8), 1))
def test_random_tasks(seed: int) -> None:
    dice = random.Random(100 + seed)
    suite = ("std2006", "sws2012", "sws2013", NIST)[seed % 4]
    drawn = [Drawn(dice, f"{at:02}") for at in range(3)]
    scores = sorted(d.score for each in drawn for d in each.detections)
    params = dice.choice([{}, {"pooled": True}, {"include_queries_without_targets": True}]) | {
        "threshold": dice.choice([*scores, -math.inf, math.inf, 0.123]),
        "score_scale": dice.choice([0.0, 0.5, 3.0, -1.5]),
        "score_offset": dice.choice([0.0, -2.0, 4.5]),
    }
    metrics = ("atwv", "twv", "bayes_twv", "cnxe")
    options: dict[str, Any] = {"metrics": metrics, "keep_evidence": False, "threads": 1}
    run = scorespec.score(suite, inputs=tables(drawn, dice), params={"n_tps": 9.0, **params}, **options)
    agree(run, scoring.score(suite, joint(drawn, suite == NIST), n_tps=9, **params))


@pytest.mark.parametrize("case", first(TRIALS, 2))
def test_trials(case: str) -> None:
    params = {"threshold": 2.0, "score_scale": 0.7, "score_offset": -1.0}
    run = run_of("quesst2015", case, ("atwv", "twv", "bayes_twv", "cnxe"), **params)
    agree(run, quesst.score(*fixture.trials(DATA / case), **params))


def test_thresholds_of_trials() -> None:
    thresholds = (-math.inf, -1.5, 2.428, math.inf)
    run = run_of("quesst2015", "quesst_complete", [f"twv(threshold={each})" for each in thresholds])
    for metric, threshold in some(zip(run, thresholds, strict=True)):
        want = quesst.score(*fixture.trials(DATA / "quesst_complete"), threshold=threshold)["twv"]
        assert all(near(run.value(metric, component), float(value)) for component, value in want.items())


# -- warnings on submissions that end at a threshold -------------------------------------------------

ALL_YES = "detections have the decision YES"
FLOOR = "detections with NO have the same lowest score"
EDGE = "detections with NO are in the lowest tenth of the range of their scores"
RATIOS = (
    "detections have scores from 0 to 1, like probabilities, but cnxe reads scores as natural log-likelihood ratios"
)


TEXTS, NUMBERS = ("query", "doc", "channel", "decision"), ("tbeg", "dur", "score")
DETECTIONS = pa.schema({**dict.fromkeys(TEXTS, pa.string()), **dict.fromkeys(NUMBERS, pa.float64())})


def lists(scores: list[float], accept: float) -> dict[str, pa.Table]:
    """One query with an occurrence, and a detection for each score."""
    n = len(scores)
    detections = {
        "query": ["q"] * n,
        "doc": ["d"] * n,
        "channel": ["1"] * n,
        "tbeg": [float(at) for at in range(n)],
        "dur": [0.5] * n,
        "score": scores,
        "decision": ["YES" if score >= accept else "NO" for score in scores],
    }
    return {
        "queries": pa.table({"query": ["q"]}),
        "audio": pa.table({"doc": ["d"], "channel": ["1"], "tbeg": [0.0], "dur": [n + 9.0]}),
        "occurrences": pa.table({"query": ["q"], "doc": ["d"], "channel": ["1"], "tbeg": [1.0], "dur": [0.5]}),
        "detections": pa.table(detections, DETECTIONS),
    }


def warned(scores: list[float], accept: float, metrics: str | list[str] = "mtwv") -> list[str]:
    inputs = lists(scores, accept)
    return scorespec.score("std2006", inputs=inputs, metrics=metrics, keep_evidence=False, threads=1).warnings


def normal(count: int) -> list[float]:
    dice = random.Random(7)
    return [dice.gauss(0, 2) for _ in range(count)]


def probability(score: float) -> float:
    return 1 / (1 + math.exp(4 - 3 * score))


@pytest.mark.parametrize("metric", ["mtwv", "upper_bound_twv", "cnxe", "min_cnxe"])
def test_a_list_with_nothing_but_yes(metric: str) -> None:
    (said,) = warned([0.9, 0.8], 0.5, metric)
    assert said.startswith(f"all 2 {ALL_YES}, so that nothing is known below the decision threshold: ")


def test_metrics_of_decisions_have_no_warning() -> None:
    assert warned([0.9, 0.8], 0.5, ["atwv", "p_miss", "p_fa", "counts", "twv", "bayes_twv", "cost", "prior"]) == []


@slow
def test_lists_of_a_few_detections() -> None:
    assert warned([], 0) == []
    assert warned([0.9, 0.2], 0.5) == []  # of one detection with NO nothing can be said
    assert warned([0.2, 0.2], 0.5) == []  # without a YES there is no threshold to be cut off at
    assert warned([0.9, 0.2, 0.1], 0.5) == []
    (said,) = warned([0.9, 0.1, 0.1], 0.5)
    assert said.startswith(f"2 of 2 {FLOOR}, as if lower scores were cut off: ")


def test_scores_that_are_replaced_by_a_floor() -> None:
    scores = normal(400)
    assert warned([max(each, -9.0) for each in scores], 3) == []
    (said,) = warned([max(each, 0.5) for each in scores], 3)
    assert FLOOR in said
    (said,) = warned([each if each > 0.5 else -math.inf for each in scores], 3)
    assert FLOOR in said


def test_a_list_that_is_cut_off_below_the_decisions() -> None:
    scores = normal(3000)
    assert warned(scores, 3) == []
    for cut in (-2.0, 0.0, 2.0):
        (said,) = warned([each for each in scores if each >= cut], 3)
        assert EDGE in said
    assert warned([each for each in scores if each >= 2.9], 3) == []  # fewer than 100 with NO
    infinite = [-math.inf, math.inf, *scores]
    assert warned(infinite, 3) == []
    assert EDGE in warned([-math.inf, *(each for each in scores if each >= 0)], 3)[0]


def test_probabilities_end_at_0() -> None:
    scores = [probability(each) for each in normal(3000)]
    assert warned(scores, 0.5) == []
    assert EDGE in warned([each for each in scores if each >= 0.1], 0.5)[0]


@slow
def test_probabilities_are_no_log_likelihood_ratios() -> None:
    scores = [probability(each) for each in normal(3000)]
    (said,) = warned(scores, 0.5, "cnxe")
    assert said.startswith(f"all 3000 {RATIOS}")
    assert warned(scores, 0.5, "min_cnxe") == []  # the best map calibrates them
    assert warned(scores, 0.5, ["cnxe(score_scale=2)", "cnxe(score_offset=1)"]) == []
    assert RATIOS in warned(scores[:100], 0.5, "cnxe")[0]
    assert warned(scores[:99], 0.5, "cnxe") == []
    for beyond in (-0.001, 1.001):
        assert not any(RATIOS in each for each in warned([*scores, beyond], 0.5, "cnxe"))


@pytest.mark.parametrize(
    ("scores", "accept"),
    first(
        [
            ([0.9, 0.8], 0.5),
            ([max(each, 0.5) for each in normal(400)], 3.0),
            ([each for each in normal(3000) if each >= 0], 3.0),
            ([probability(each) for each in normal(300)], 0.5),
            ([-math.inf, *normal(300)], 3.0),
            ([], 0.0),
        ],
        3,
    ),
)
def test_a_list_alone_has_the_warnings_of_its_run(scores: list[float], accept: float) -> None:
    detections = lists(scores, accept)["detections"]
    alone = scorespec.validate("std2006", inputs={"detections": detections}, metrics=["mtwv", "cnxe"])
    assert list(alone.warnings) == warned(scores, accept, ["mtwv", "cnxe"])
    assert alone.valid


def test_trials_alone_have_the_warnings_of_their_run() -> None:
    texts = {"query": ["q"] * 150, "doc": [f"d{at}" for at in range(150)], "decision": ["YES"] * 150}
    detections = pa.table({**texts, "score": [at / 150 for at in range(150)]})
    alone = scorespec.validate("quesst2015", inputs={"detections": detections})
    assert [each.partition(",")[0] for each in alone.warnings] == [
        "all 150 detections have the decision YES",
        "all 150 detections have scores from 0 to 1",
    ]


def test_scores_as_large_as_numbers_can_be() -> None:
    assert EDGE in warned([1.7e308 * math.copysign((at % 150) / 150, at % 2 - 0.5) for at in range(300)], 1e308)[0]


@pytest.mark.parametrize("case", first([*CASES, "small_onlyfa", "small_outside", "small_missing_query"], 2))
def test_recorded_lists(case: str) -> None:
    warnings = usual("sws2013", case).warnings
    ends = [each for each in warnings if any(words in each for words in (ALL_YES, FLOOR, EDGE))]
    assert len(ends) == (case == "boundary")  # all its detections have YES


def test_a_recorded_list_that_is_cut_off() -> None:
    """Of quesst_incomplete the scores below 0 are missing."""
    inputs = {name: DATA / "quesst_incomplete" / file for name, file in PAIRS.items()}
    run = scorespec.score("std2006", inputs=inputs, metrics="mtwv", keep_evidence=False, threads=1)
    assert EDGE in run.warnings[-1]


OF_TRIALS = ("are not listed and all have the score", ALL_YES, FLOOR)


def warned_of_trials(case: str, **params: Any) -> list[str]:
    warnings = (run_of("quesst2015", case, ["mtwv"], **params) if params else usual("quesst2015", case)).warnings
    return [each for each in warnings if any(words in each for words in OF_TRIALS)]


@pytest.mark.parametrize("case", first(TRIALS))
def test_recorded_trials_that_are_complete(case: str) -> None:
    assert warned_of_trials(case) == []


def test_recorded_trials_that_are_cut_off() -> None:
    (said,) = warned_of_trials("quesst_incomplete", default_score=-10)
    assert said.startswith("825 of 1140 trials are not listed and all have the score default_score: ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([3.0, 2.0, 1.0, 0.0], []),
        ([3.0, 0.0, 0.0, 0.0], [f"3 of 3 {FLOOR}"]),
        ([3.0, 2.0, 3.0, 4.0], [f"all 4 {ALL_YES}"]),
        ([0.0, 0.0, 0.0, 0.0], []),
    ],
)
def test_trials_of_which_some_scores_are_cut_off(scores: list[float], said: list[str]) -> None:
    inputs = {
        "queries": pa.table({"query": ["q"]}),
        "audio": pa.table({"doc": list("abcd"), "channel": ["1"] * 4, "tbeg": [0.0] * 4, "dur": [8.0] * 4}),
        "occurrences": pa.table({"query": ["q"], "doc": ["a"], "channel": ["1"], "tbeg": [0.0], "dur": [8.0]}),
        "detections": pa.table(
            {
                "query": ["q"] * 4,
                "doc": list("abcd"),
                "score": scores,
                "decision": ["YES" if score > 1.5 else "NO" for score in scores],
            }
        ),
    }
    for metric in ("mtwv", "cnxe", "min_cnxe"):
        warnings = scorespec.score("quesst2015", inputs=inputs, metrics=metric, keep_evidence=False, threads=1).warnings
        assert len(warnings) == len(said)
        assert all(words in warning for words, warning in zip(said, warnings, strict=True))
    assert scorespec.score("quesst2015", inputs=inputs, metrics="atwv", keep_evidence=False, threads=1).warnings == []
