"""The suites over occurrences against what KWSEval and an independent implementation recorded, and the oracle."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import first, only, slow, some
from oracles.term_detection import fixture, scoring
from oracles.term_detection.fixture import COUNTS
from oracles.term_detection.tasks import Drawn, joint, recorded, tables

DATA = Path(__file__).parents[1] / "data" / "term_detection"
EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text())
REFUSED = {
    "probe_dupkw": "kwslist.xml:25: kwid 'Q1' is listed a second time; it was at line 2",
    "small_nan": "kwslist.xml:9: score is not a number (nan)",
    "small_unknown_query": "kwslist.xml:30: unknown query QZ: it is not one of the queries",
}
CASES = [case for case in EXPECTED if not case.startswith("quesst") and case not in REFUSED]
NIST = "openkws13"
OPTIONS: dict[str, dict[str, Any]] = {
    "b66": {"c_miss": 100.0, "c_fa": 1.0, "p_target": 0.00015},
    "inc": {"include_queries_without_targets": True},
    "pooled": {"pooled": True},
    "seg": {"trials": "segment"},
    "S0": {"tolerance": 0.0},
    "S2": {"tolerance": 2.0},
    "art": {},
    "n2": {"n_tps": 0.5},
}
# Compared with the oracle: every metric and component that it has.
LEFT_OUT = {"details", "per_query", "missing", "pav"}
QUICK_CASES, QUICK_OPTIONS = ("small", "matching", "multiword_unsorted"), ("", "seg", "art")
UNSLICED = ("prior", "cnxe", "min_cnxe", "calibration_loss")  # of all queries only
# What KWSEval and the independent implementation have.
KWSEVAL = ("counts", "atwv", "p_miss", "p_fa", "upper_bound_twv", "supremum_twv", "mtwv")
INDEPENDENT = ("atwv", "p_miss", "p_fa", "mtwv", "prior", "cnxe", "min_cnxe")
SUITES = ("std2006", "sws2012", "sws2013", NIST)


def option_of(case: str, record: dict[str, Any]) -> str:
    option: str = record["case"].removeprefix(case).lstrip(".")
    return option


@cache
def scored(
    suite: str, case: str, by: tuple[str, ...] = (), metrics: tuple[str, ...] = (), **params: Any
) -> scorespec.Run:
    folder = DATA / case
    return scorespec.score(
        suite,
        queries=folder / "kwlist.xml",
        references=folder / "ref.rttm",
        speech=f"{folder / 'ref.rttm'}::rttm_speaker",
        audio=folder / "ecf.xml",
        detections=folder / "kwslist.xml",
        params=params,
        by=by,
        metrics=metrics,
        keep_evidence=False,
    )


def inputs_by_case(cases: Iterable[str]) -> dict[str, pa.Table]:
    """Recorded cases as one corpus, whose slices by the column `case` are the cases."""
    inputs = tables([recorded(DATA / case) for case in cases], random.Random(1))
    for name, column in (("queries", "query"), ("audio", "doc")):
        case_of = pa.array([value.partition("/")[0] for value in inputs[name][column].to_pylist()])
        inputs[name] = inputs[name].append_column("case", case_of)
    return inputs


@cache
def scored_by_case(
    suite: str, cases: tuple[str, ...], by: tuple[Any, ...], metrics: tuple[str, ...], **params: Any
) -> scorespec.Run:
    inputs = inputs_by_case(cases)
    return scorespec.score(suite, inputs=inputs, params=params, by=by, metrics=metrics, keep_evidence=False)


def is_near(got: float | None, want: Any, tolerance: float) -> bool:
    return got is None if want is None else got == pytest.approx(float(want), abs=tolerance)


def records(tool: str) -> list[Any]:
    return [
        pytest.param(
            case,
            record,
            id=f"{record['case']}-{record['params'].get('name', '')}",
            marks=() if case in QUICK_CASES and option_of(case, record) in QUICK_OPTIONS else (slow,),
        )
        for case in CASES
        for record in EXPECTED[case]
        if record["tool"].startswith(tool)
    ]


def kwseval_run(case: str, option: str) -> tuple[scorespec.Run, dict[str, str]]:
    """The run that has the scores of a case, with those of its queries, and the slice of the case.

    Cases are scored as they are. With an option, all cases that KWSEval scored with it are slices of one run.
    """
    pooled = option == "pooled"  # then KWSEval calls all queries by one name
    if not OPTIONS.get(option):
        return scored(NIST, case, by=("query",), metrics=KWSEVAL), {}
    cases = tuple(other for other in CASES if any(option_of(other, each) == option for each in EXPECTED[other]))
    by = ("case",) if pooled else ("case", ("case", "query"))
    return scored_by_case(NIST, cases, by, KWSEVAL, **OPTIONS[option]), {"case": case}


Pairs = Iterator[tuple[str, Any, float | None]]  # what is compared, the recorded value, and ours


@pytest.mark.parametrize(("case", "record"), records("NIST"))
def test_what_kwseval_recorded(case: str, record: dict[str, Any]) -> None:
    for metric, want, found in some(of_kwseval(case, record)):
        if (record["case"], metric) == ("medium_small.inc", "upper_bound_twv.value"):
            # The optimum that KWSEval has here is above what any choice of thresholds reaches, which is ours.
            assert want > 0.572384167762048 + 1e-4
            want = 0.572384167762048
        assert is_near(found, want, 1e-12), metric


def of_kwseval(case: str, record: dict[str, Any]) -> Pairs:
    """What KWSEval recorded of a case, with our values."""
    source = "multiword" if case == "multiword_unsorted" else case  # where KWSEval needs its tokens in order
    if source != case:
        record = next(each for each in EXPECTED[source] if each["case"] == source and each["tool"] == record["tool"])
    run, slice_ = kwseval_run(case, option_of(source, record))
    values = record["values"]
    for ours, theirs in (COUNTS | {"queries": "keywords"}).items():
        yield f"counts.{ours}", values["counts"][theirs], run.value("counts", ours, **slice_)
    empty = values["counts"]["sys"] == 0
    for metric, want in {
        "atwv": values["actual"]["TWV"],
        "p_miss": values["actual"]["PMiss"],
        "p_fa": values["actual"]["PFA"],
        "upper_bound_twv": 0 if empty else values["optimum_TWV"],
        "supremum_twv": 0 if empty else values["supremum_TWV"],
    }.items():
        yield f"{metric}.value", want, run.value(metric, **slice_)
    best = values["max"]
    threshold = None if empty else float(best["threshold"])
    of_best = {"value": best["TWV"], "p_miss": best["PMiss"], "p_fa": best["PFA"], "threshold": threshold}
    for component, want in of_best.items():
        yield f"mtwv.{component}", want, run.value("mtwv", component, **slice_)


@pytest.mark.parametrize(("case", "record"), records("ref.py"))
def test_what_an_independent_implementation_recorded(case: str, record: dict[str, Any]) -> None:
    for name, want, found in some(of_independent(case, record)):
        assert is_near(found, want, 1e-9 if "cnxe" in name or "beta" in name else 1e-12), name


def of_independent(case: str, record: dict[str, Any]) -> Pairs:
    """What an independent implementation recorded of a case, with our values; names begin with the suite."""
    suite = {"nist2006": "std2006", "sws2013": "sws2013"}[record["params"]["name"]]
    values = record["values"]
    # Its assignment of `matching` is that of KWSEval, and it leaves out detections not wholly inside the audio.
    assignment = "gain" if case == "matching" else "ranks"
    params = {"assignment": assignment, "inside_audio": "whole", "outside_audio": "drop"}
    run = scored(suite, case, metrics=INDEPENDENT, **params)
    want = {
        ("atwv", "value"): values["actual"]["TWV"],
        ("p_miss", "value"): values["actual"]["PMiss"],
        ("p_fa", "value"): values["actual"]["PFA"],
        ("mtwv", "value"): values["max_seed"]["TWV"],
        ("prior", "p_tar"): values["effective_prior"],
    }
    for (metric, component), value in want.items():
        yield f"{suite} {metric}.{component}", value, run.value(metric, component)
    if "cnxe" in values and values["cnxe"].get("Cnxe") is not None:
        yield f"{suite} cnxe.value", values["cnxe"]["Cnxe"], run.value("cnxe")
        yield f"{suite} min_cnxe.value", values["cnxe"]["affine"]["min"], run.value("min_cnxe")
    if "outside_as_fa_ATWV" in values:
        outside = scored(suite, case, metrics=("atwv",), assignment=params["assignment"])
        yield f"{suite} atwv.value, outside", values["outside_as_fa_ATWV"], outside.value("atwv")
    if "sws2012" in values:
        other = scored("sws2012", case, metrics=("atwv", "prior"), **params)
        yield "sws2012 atwv.value", values["sws2012"]["ATWV"], other.value("atwv")
        yield "sws2012 prior.beta", values["sws2012"]["beta"], other.value("prior", "beta")


PER_KEYWORD = [
    each
    for each in records("NIST")
    if "per_keyword" in each.values[1]["values"] and not each.values[1]["case"].endswith(".n2")
]


@pytest.mark.parametrize(("case", "record"), PER_KEYWORD)
def test_what_kwseval_recorded_of_each_query(case: str, record: dict[str, Any]) -> None:
    if case == "multiword_unsorted":  # where KWSEval needs its tokens in order
        record = next(each.values[1] for each in PER_KEYWORD if each.values[1]["case"] == "multiword")
        option = ""
    else:
        option = option_of(case, record)
    run, slice_ = kwseval_run(case, option)
    for keyword in some(record["values"]["per_keyword"]):
        own_name = f"{case}/{keyword['kwid']}" if slice_ else keyword["kwid"]
        query = slice_ if option == "pooled" else {**slice_, "query": own_name}
        if not keyword["evaluated"]:  # not one of those over which rates are averaged
            for metric in ("p_fa", "mtwv"):
                assert run.value(metric, **query) is None, (query, metric)
            assert run.value("counts", "detections", **query) == 0, query
            continue
        got = {ours: run.value("counts", ours, **query) for ours in COUNTS}
        assert got == {ours: keyword[theirs] for ours, theirs in COUNTS.items()}, query
        for metric, theirs in (("p_miss", "PMiss"), ("p_fa", "PFA"), ("atwv", "TWV")):
            assert is_near(run.value(metric, **query), keyword[theirs], 1e-12), (query, metric)


# Infinite scores leave nothing of the entropies of all cases together, so that `small_inf` is scored apart.
FINITE = ("small", "matching", "boundary", "multiword", "small_outside")


@pytest.mark.parametrize(
    "params", first([{}, {"pooled": True}, {"include_queries_without_targets": True}, {"outside_audio": "drop"}])
)
@pytest.mark.parametrize("suite", first(SUITES, 2))
def test_every_value_is_that_of_the_oracle(suite: str, params: dict[str, Any]) -> None:
    """Of all cases together, and of each case. What is outside the audio is in no slice."""
    cases = FINITE if suite != "sws2012" else ()  # its prior is that of the whole reference
    run = scored_by_case(suite, FINITE, ("case",) if cases else (), (), **params)
    agree(run, scoring.score(suite, joint([recorded(DATA / case) for case in FINITE], suite == NIST), **params))
    for case in cases:
        task = fixture.task(DATA / case, suite == NIST)
        oracle = scoring.score(suite, task, **{**params, "outside_audio": "drop"})
        agree(run, {metric: each for metric, each in oracle.items() if metric not in UNSLICED}, case=case)


@pytest.mark.parametrize("suite", only(["sws2013"], SUITES))
def test_entropies_of_submitted_scores_are_those_of_the_oracle(suite: str) -> None:
    """The parameter changes no other metric."""
    run = scored_by_case(suite, FINITE, (), UNSLICED, score_set="submitted")
    task = joint([recorded(DATA / case) for case in FINITE], suite == NIST)
    oracle = scoring.score(suite, task, score_set="submitted")
    agree(run, {metric: oracle[metric] for metric in (*UNSLICED, "missing")})


@pytest.mark.parametrize("suite", only(["sws2013", NIST], SUITES))
@pytest.mark.parametrize("params", first([{}, {"score_set": "submitted"}]))
def test_infinite_scores(suite: str, params: dict[str, Any]) -> None:
    oracle = scoring.score(suite, fixture.task(DATA / "small_inf", suite == NIST), **params)
    agree(scored(suite, "small_inf", **params), oracle)


@pytest.mark.parametrize(
    ("seed", "suite"), first([(seed, suite) for seed in range(6) for suite in (SUITES[seed % 3], NIST)], 2)
)
def test_random_tasks(seed: int, suite: str) -> None:
    """The suites other than NIST's differ in costs and priors only."""
    dice = random.Random(seed)
    params = dice.choice([{}, {"pooled": True}, {"include_queries_without_targets": True}, {"score_set": "submitted"}])
    drawn = [Drawn(dice, f"{at:02}") for at in range(dice.randint(1, 6))]
    for each in drawn:  # most tasks are without infinite scores, which leave little of the entropies
        if seed % 3:
            each.detections = [d for d in each.detections if math.isfinite(d.score)]
    inputs, task = tables(drawn, dice), joint(drawn, suite == NIST)
    run = scorespec.score(suite, inputs=inputs, params={"n_tps": 9.0, **params}, keep_evidence=False)
    agree(run, scoring.score(suite, task, n_tps=9, **params))


def agree(run: scorespec.Run, oracle: dict[str, Any], **slice_: str) -> None:
    """Every value of the run, or of one slice of it, is the oracle's."""
    got = {(row["metric"], row["component"]): row["value"] for row in run.table() if row["slice"] == slice_}
    wrong = {}
    for metric, components in oracle.items():
        for component, want in components.items() if metric not in LEFT_OUT else ():
            if component in ("note", "gamma", "delta"):
                continue  # notes are words, and the minimum is flat
            if metric == "min_cnxe" and oracle["cnxe"]["value"] is None and oracle["missing"]["false"] >= 0:
                continue  # where scores cost infinitely much the oracle has no minimum; ours is the limit
            if component == "threshold" and want is not None and math.isinf(want):
                want = None  # `scores` has only finite values
            if not is_near(got.get((metric, component)), want, 1e-9):
                wrong[metric, component] = (got.get((metric, component)), want)
    assert not wrong


@pytest.mark.parametrize(("case", "said"), REFUSED.items())
def test_refused(case: str, said: str) -> None:
    with pytest.raises(scorespec.InputError) as caught:
        scored("std2006", case)
    assert str(caught.value) == f"{DATA / case / said}"


@pytest.mark.parametrize(("score", "unordered"), [(0.9, 1), (0.5, 1), (0.4, 0)])
def test_decisions_of_no_threshold_are_counted(score: float, unordered: int) -> None:
    names = ("query", "doc", "channel", "tbeg", "dur", "score", "decision")
    rows = [("q", 1.0, 0.5, "YES"), ("q", 5.0, score, "NO"), ("r", 3.0, 0.5, "YES"), ("r", 7.0, 0.5, "YES")]
    detections = [(query, "d", "1", tbeg, 0.5, value, decision) for query, tbeg, value, decision in rows]
    run = scorespec.score(
        "std2006",
        queries=pa.table({"query": ["q", "r"]}),
        audio=pa.table({"doc": ["d"], "channel": ["1"], "tbeg": [0.0], "dur": [10.0]}),
        occurrences=pa.table(
            {"query": ["q", "r"], "doc": ["d"] * 2, "channel": ["1"] * 2, "tbeg": [1.0, 3.0], "dur": [0.5] * 2}
        ),
        detections=pa.table(dict(zip(names, map(list, zip(*detections, strict=True)), strict=True))),
        keep_evidence=False,
    )
    warning = f"on {unordered} of 2 queries no threshold gives the decisions: a NO has at least the score of a YES"
    assert run.warnings == ([warning] if unordered else [])


def test_queries_without_other_trials_as_in_test_6b_of_kwseval() -> None:
    """F4DE prints of its test 6b: 10 trials, TERM-01 and TERM-02 in each, PMiss 0.367, PFA 0, TWV 0.6333."""
    found = {"TERM-01": (10, 10), "TERM-02": (10, 5), "TERM-03": (5, 2)}  # occurrences and hits
    docs = [f"d{number}" for number in range(10)]
    occurrences = [(query, doc) for query, (targets, _) in found.items() for doc in docs[:targets]]
    hits = [(query, doc) for query, (_, accepted) in found.items() for doc in docs[:accepted]]
    spot = {"channel": "1", "tbeg": 1.0, "dur": 1.0}
    inputs = {
        "queries": pa.table({"query": [*found]}),
        "audio": pa.Table.from_pylist([{"doc": doc, "channel": "1", "tbeg": 0.0, "dur": 9.0} for doc in docs]),
        "occurrences": pa.Table.from_pylist([{"query": query, "doc": doc, **spot} for query, doc in occurrences]),
        "detections": pa.Table.from_pylist(
            [{"query": query, "doc": doc, **spot, "score": 0.5, "decision": "YES"} for query, doc in hits]
        ),
    }
    run = scorespec.score("openkws13", inputs=inputs, params={"trials": "document"}, by="query")
    miss = (0 + 0.5 + 0.6) / 3
    assert run["p_miss"].value == pytest.approx(miss, abs=1e-12)
    assert run["p_fa"].value == 0
    assert run["atwv"].value == pytest.approx(1 - miss, abs=1e-12)
    counts = run["counts"]
    assert (counts.targets, counts.detections, counts.hits, counts.misses, counts.false_alarms) == (25, 17, 17, 8, 0)
    assert [run["atwv"].at(query=query).value for query in found] == [None, None, pytest.approx(0.4)]
    assert [run["p_fa"].at(query=query).value for query in found] == [None, None, 0]
    assert [run["p_miss"].at(query=query).value for query in found] == [0, 0.5, pytest.approx(0.6)]
    warning = (
        "2 of 3 queries have as many occurrences as trials, or more, so that their false alarm rate is undefined; "
    )
    assert any(each.startswith(warning) and each.endswith("(TERM-01, TERM-02)") for each in run.warnings)
