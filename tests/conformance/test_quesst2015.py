"""quesst2015 against what MediaEvalQUESST2015.jar printed, and against the oracle on small random tasks."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from examples import inputs_of
from marks import first, slow, some
from oracles.term_detection import fixture, quesst

DATA = Path(__file__).parents[1] / "data" / "term_detection"
EXPECTED: dict[str, list[dict[str, Any]]] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
RECORDS = [
    pytest.param(name, record, id=f"{record['tool'].split()[0]}-{record['case']}")
    for name, records in sorted(EXPECTED.items())
    for record in records
    if record["tool"].startswith(("MediaEval", "ref_quesst"))
]
# What the oracle calls otherwise, or has beside what is compared.
COMPONENTS = {
    "atwv": ("value",),
    "mtwv": ("value", "p_miss", "p_fa"),
    "p_miss": ("value",),
    "p_fa": ("value",),
    "counts": ("queries", "targets", "detections", "hits", "misses", "false_alarms", "correct_rejections"),
    "upper_bound_twv": ("value",),
    "bayes_twv": ("value",),
    "cost": ("c_det", "c_default", "c_norm"),
    "cnxe": ("value", "prior_entropy"),
    "min_cnxe": ("value",),
    "min_cnxe_pooled": ("value",),
    "calibration_loss": ("value",),
    "lower_bound_cnxe": ("value",),
}


def default_of(name: str, record: dict[str, Any]) -> float | None:
    """The default score of a recorded case: in its parameters, or behind the colon of its name."""
    default = record["params"].get("default")
    if ":" in record["case"]:
        default = record["case"].split(":")[1]
    elif record["case"] == "quesst_incomplete":
        default = min(trial.score for trial in fixture.trials(DATA / name)[3])
    return None if default is None else float(default)


@cache
def scored(name: str, default: float | None) -> scorespec.Run:
    here = DATA / name
    inputs = {
        "queries": here / "tlist.xml",
        "audio": here / "ecf.xml",
        "references": here / "ref.rttm",
        "detections": here / "stdlist.xml",
    }
    return scorespec.score("quesst2015", inputs=inputs, params=params_of(default), keep_evidence=False)


def params_of(default: float | None) -> dict[str, Any]:
    return {} if default is None else {"default_score": repr(default)}


def agree(run: scorespec.Run, oracle: dict[str, Any], **slice_: str) -> None:
    """Every value of the run, or of one slice of it, is the oracle's."""
    rows = {(row["metric"], row["component"]): row for row in run.table() if row["slice"] == slice_}
    for metric, components in COMPONENTS.items():
        for component in components:
            want = oracle[metric][component] if oracle[metric] else None
            want = None if want is None else float(want)
            said = f"{metric}.{component}"
            value, note = rows[metric, component]["value"], rows[metric, component]["note"]
            if want == math.inf:
                assert (value, note) == (None, "infinite"), said
            else:
                assert value == pytest.approx(want, abs=1e-11, rel=1e-11), said
    threshold = rows["mtwv", "threshold"]
    infinite = -math.inf if threshold["note"] == "minus infinite" else math.inf
    assert (infinite if threshold["value"] is None else threshold["value"]) == oracle["mtwv"]["threshold"]
    affine, least = (rows["min_cnxe_affine", "value"]["value"], oracle["min_cnxe_affine"])
    if least is not None:
        assert affine == pytest.approx(least["value"], abs=1e-9)


@pytest.mark.parametrize(("name", "record"), first(RECORDS, 4))
def test_what_the_scorer_printed(name: str, record: dict[str, Any]) -> None:
    for what, want, found in some(of_scorer(name, record)):
        near = 0 if "threshold" in what or "counts" in what else 1e-8 if "mtwv" in what else 1e-9
        assert found == pytest.approx(want, rel=0, abs=near), what


def of_scorer(name: str, record: dict[str, Any]) -> Iterator[tuple[str, Any, float | None]]:
    """What is recorded of a case, with our values."""
    run, values = scored(name, default_of(name, record)), record["values"]
    if "main_TWV" not in values:
        yield "atwv.value", values["actTWV"], run.value("atwv")
        yield "mtwv.value", values["maxTWV"], run.value("mtwv")
        yield "min_cnxe_pooled.value", values["minCnxe_pav_ties_pooled"], run.value("min_cnxe_pooled")
        yield "min_cnxe_affine.value", values["minCnxe_affine"]["min"], run.value("min_cnxe_affine")
        return
    main = values["main_TWV"]
    yield "atwv.value", main["actTWV"], run.value("atwv")
    for component, recorded in (("value", "maxTWV"), ("p_miss", "maxPmiss"), ("p_fa", "maxPfa")):
        yield f"mtwv.{component}", main[recorded], run.value("mtwv", component)
    threshold = run.value("mtwv", "threshold")
    yield "mtwv.threshold", float(main["threshold"]), -math.inf if threshold is None else threshold
    yield "cnxe.value", values["main_Cnxe"]["actCnxe"], run.value("cnxe")
    yield "min_cnxe.value", values["main_Cnxe"]["minCnxe"], run.value("min_cnxe")
    # The printed bounds are those of scores that the tool has overwritten; these are of the submitted ones.
    yield "upper_bound_twv.value", values["ub_TWV_rawscores"]["actTWV"], run.value("upper_bound_twv")
    yield "lower_bound_cnxe.value", values["lb_Cnxe_rawscores"]["actCnxe"], run.value("lower_bound_cnxe")
    yield "counts.detections", values["trials"], run.value("counts", "detections")
    yield "counts.queries", values["models"], run.value("counts", "queries")


@pytest.mark.parametrize(("name", "record"), first(RECORDS, 4))
def test_what_the_oracle_has(name: str, record: dict[str, Any]) -> None:
    default = default_of(name, record)
    agree(scored(name, default), quesst.score(*fixture.trials(DATA / name), default_score=default))


# -- random tasks ------------------------------------------------------------------------------------


def task(seed: int, name: str = "") -> dict[str, Any]:
    """A small task with many ties, both zeros, infinite scores and, sometimes, missing trials.

    The name is at the end of the names of its queries and documents.
    """
    dice = random.Random(seed)
    queries = [f"q{n}{name}" for n in range(dice.randint(1, 5))]
    docs = [f"d{n}{name}" for n in range(dice.randint(3, 9))]
    dice.shuffle(docs)
    hits = {q: dice.sample(docs, dice.randint(0 if q != f"q0{name}" else 1, 2)) for q in queries}
    targets = {(q, d) for q in queries for d in hits[q]}
    values = [-0.0, 0.0, 1.0, -1.0, 2.0, -3.5] if seed % 3 else [-3.0]
    values += [math.inf, -math.inf] if seed % 5 == 0 else []
    trials = [
        quesst.Trial(
            q, d, dice.choice(values) if seed % 4 else dice.gauss(2 * ((q, d) in targets), 2), dice.random() < 0.4
        )
        for q in queries
        for d in docs
    ]
    dice.shuffle(trials)
    if seed % 2:
        trials = trials[: max(len(trials) * 2 // 3, 1)]
    return {"queries": queries, "docs": docs, "targets": targets, "submitted": trials}


def tables(given: dict[str, Any]) -> dict[str, pa.Table]:
    targets, trials = sorted(given["targets"]), given["submitted"]
    ones = {"channel": ["1"], "tbeg": [0.0], "dur": [8.0]}
    return {
        "queries": pa.table({"query": given["queries"]}),
        "audio": pa.table({"doc": given["docs"], **{k: v * len(given["docs"]) for k, v in ones.items()}}),
        "occurrences": pa.table(
            {"query": [q for q, _ in targets], "doc": [d for _, d in targets]}
            | {k: v * len(targets) for k, v in ones.items()}
        ),
        "detections": pa.table(
            {
                "query": [t.query for t in trials],
                "doc": [t.doc for t in trials],
                "score": [t.score for t in trials],
                "decision": ["YES" if t.yes else "NO" for t in trials],
            }
        ),
    }


def run_of(given: dict[str, Any], default: float | None = None, **options: Any) -> scorespec.Run:
    options = {"keep_evidence": False, "params": params_of(default), **options}
    return scorespec.score("quesst2015", inputs=tables(given), **options)


@pytest.mark.parametrize("seed", first(range(6), 1))
def test_random_tasks(seed: int) -> None:
    given, default = task(seed), (0.0 if seed % 4 == 1 else -3.0)
    agree(run_of(given, default), quesst.score(**given, default_score=default))


@slow
@pytest.mark.parametrize("default", first([0.0, -3.0]))
def test_random_tasks_as_slices_of_one_run(default: float) -> None:
    """A task is the slice of its queries and documents; trials of a query in documents of other tasks are missing."""
    each = {str(seed): task(seed, f".{seed}") for seed in range(40) if (seed % 4 == 1) == (default == 0)}
    together = {name: [row for given in each.values() for row in given[name]] for name in task(0)}
    inputs = tables(together)
    for name, column in (("queries", "query"), ("audio", "doc")):
        task_of = [value.partition(".")[2] for value in inputs[name][column].to_pylist()]
        inputs[name] = inputs[name].append_column("task", pa.array(task_of))
    options: dict[str, Any] = {"by": ["task"], "params": params_of(default), "keep_evidence": False}
    run = scorespec.score("quesst2015", inputs=inputs, **options)
    agree(run, quesst.score(**together, default_score=default))
    for seed, given in each.items():
        agree(run, quesst.score(**given, default_score=default), task=seed)


def test_the_minimum_in_file_order_depends_on_the_order_and_the_others_do_not() -> None:
    given = task(1)
    turned = {**given, "submitted": given["submitted"][::-1]}
    first, second = run_of(given, -3.0), run_of(turned, -3.0)
    different = {
        one["metric"]
        for one, other in zip(first.table(), second.table(), strict=True)
        if one["value"] != other["value"]
    }
    assert different
    assert different <= {"min_cnxe", "calibration_loss", "lower_bound_cnxe"}


@pytest.mark.parametrize(
    ("c_fa", "found"),
    [
        (4, {"value": 0, "p_miss": 1, "p_fa": 0, "threshold": 5}),
        (0.25, {"value": 0.75, "p_miss": 0, "p_fa": 1, "threshold": None}),
    ],
)
def test_intervals_if_rejecting_or_accepting_all_trials_is_best(c_fa: float, found: dict[str, float | None]) -> None:
    """Each target has a lower score than each nontarget trial. All replicates agree, so there are no intervals."""
    docs, queries = [f"d{n}" for n in range(8)], [f"q{n}" for n in range(12)]
    targets = {(query, docs[0]) for query in queries}
    submitted = [quesst.Trial(q, d, 1.0 if (q, d) in targets else 5.0, False) for q in queries for d in docs]
    given = {"queries": queries, "docs": docs, "targets": targets, "submitted": submitted}
    run = run_of(given, metrics=["mtwv"], confidence=95, params={"c_miss": 1, "c_fa": c_fa, "p_target": 0.5})
    rows = {row["component"]: (row["value"], row["low"], row["high"]) for row in run.table()}
    assert rows == {name: (value, None, None) for name, value in found.items()}


def test_a_query_without_targets_changes_no_interval() -> None:
    docs, queries = [f"d{n}" for n in range(8)], [f"q{n}" for n in range(12)]

    def rows(*more: str) -> list[dict[str, Any]]:
        asked = [*queries, *more]
        trials = [quesst.Trial(q, d, float(n * k % 7), False) for n, q in enumerate(asked) for k, d in enumerate(docs)]
        targets = {(query, docs[n % 8]) for n, query in enumerate(queries)}
        given = {"queries": asked, "docs": docs, "targets": targets, "submitted": trials}
        return run_of(given, metrics=["mtwv"], confidence=95, params={"p_target": 0.5}).table()

    assert rows("z") == rows()


def test_evidence_by_hand() -> None:
    """With equal costs and priors, θ is 0, the score ln 3 costs a target log2(4/3) bits, and −ln 3 costs it 2 bits."""
    params = {"c_miss": 1, "c_fa": 1, "p_target": 0.5}
    run = scorespec.score("quesst2015", inputs=inputs_of("quesst2015"), params=params)

    def rows(evidence: str, *columns: str) -> list[Any]:
        asked = run.sql(f"SELECT {', '.join(columns)} FROM evidence_{evidence} ORDER BY ALL")
        return [tuple(row.values()) for row in asked.to_pylist()]

    assert rows("trials", "query", "doc", "outcome") == [
        ("q", "a", "hit"),
        ("q", "b", "miss"),
        ("q", "c", "false_alarm"),
        ("q", "d", "correct_rejection"),
        ("r", "a", "hit"),
        *(("r", doc, "correct_rejection") for doc in "bcd"),
    ]
    decided = ("targets", "nontargets", "hits", "misses", "false_alarms", "correct_rejections", "unordered")
    assert rows("query_counts", "query", *decided) == [("q", 2, 2, 1, 1, 1, 1, True), ("r", 1, 3, 1, 0, 0, 3, True)]
    costs = ("bayes_hits", "bayes_false_alarms", "target_bits::DOUBLE", "nontarget_bits::DOUBLE", "infinite_bits")
    third = math.log2(4 / 3)
    assert rows("query_counts", "query", *costs) == [
        ("q", 1, 0, pytest.approx(1 + third), pytest.approx(1 + third), 0),
        ("r", 0, 0, pytest.approx(2), pytest.approx(2 + third), 0),
    ]
    log3 = math.log(3)
    assert rows("blocks", "low", "high", "positives", "negatives", "llr", "target_bits", "nontarget_bits") == [
        (-log3, -log3, 0, 1, -math.inf, math.inf, 0),
        (-log3, 0, 2, 4, *map(pytest.approx, (math.log(5 / 6), math.log2(11 / 5), math.log2(11 / 6)))),
        (log3, log3, 1, 0, math.inf, 0, math.inf),
    ]


# -- what is refused ---------------------------------------------------------------------------------


def complete() -> dict[str, Any]:
    return {
        "queries": ["q", "r"],
        "docs": ["a", "b", "c"],
        "targets": {("q", "a"), ("r", "b")},
        "submitted": [quesst.Trial(q, d, 1.0, True) for q in "qr" for d in "abc"],
    }


def test_missing_trials_are_refused() -> None:
    given = complete()
    given["submitted"] = given["submitted"][2:]
    with pytest.raises(scorespec.InputError) as caught:
        run_of(given)
    lines = str(caught.value).splitlines()
    assert [line.partition(";")[0] for line in lines] == [
        f"missing_trials: no trial of query q in document {doc}" for doc in "ab"
    ]
    assert all("--param default_score=-10" in line for line in lines)
    for wrong in ("low", "nan"):
        with pytest.raises(scorespec.UsageError, match=f"'default_score' is '{wrong}'; it must be a number, or null"):
            run_of(given, params={"default_score": wrong})
    assert run_of(given, -1.0).value("counts", "detections") == 6


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"targets": {("q", "a"), ("r", "x")}}, "query r occurs in document x, which is not in the audio"),
        ({"targets": {("q", "a"), *(("r", d) for d in "abc")}}, "query r is in every document"),
    ],
)
def test_targets_that_cannot_be_scored_are_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(scorespec.InputError, match=said):
        run_of({**complete(), **change})


def test_a_prior_that_is_cut_to_0_is_refused() -> None:
    with pytest.raises(scorespec.InputError, match=r"the effective prior by .* must be above 0 and below 1"):
        run_of(complete(), params={"prior_decimals": 1})


@pytest.mark.parametrize(
    "params", [{"p_target": 1}, {"p_target": 0}, {"c_miss": 0}, {"prior_decimals": 0}, {"prior_decimals": 13}]
)
def test_parameters_have_limits(params: dict[str, Any]) -> None:
    with pytest.raises(scorespec.UsageError, match=r"it must be (above|at least)"):
        run_of(complete(), params=params)


def test_trials_are_held_to_their_table() -> None:
    given = complete()
    given["submitted"].append(quesst.Trial("q", "a", 2.0, True))
    with pytest.raises(scorespec.InputError, match="repeats an earlier line: query q, doc a"):
        run_of(given)
    given["submitted"][-1] = quesst.Trial("q", "x", 2.0, True)
    with pytest.raises(scorespec.InputError, match="unknown document x"):
        run_of(given)


# -- slices ------------------------------------------------------------------------------------------


@slow
def test_a_slice_of_queries_keeps_every_document_and_one_of_documents_does_not() -> None:
    given = task(6)
    inputs = tables(given)
    inputs["queries"] = inputs["queries"].append_column(
        "kind", pa.array(["x" if q < "q2" else "y" for q in given["queries"]])
    )
    inputs["audio"] = inputs["audio"].append_column("part", pa.array(["u" if d < "d4" else "v" for d in given["docs"]]))
    run = scorespec.score("quesst2015", inputs=inputs, by=["kind", "part", "query"], keep_evidence=False)
    for kind, chosen in (("x", ["q0", "q1"]), ("y", [q for q in given["queries"] if q >= "q2"])):
        part = {
            **given,
            "queries": [q for q in chosen if q in given["queries"]],
            "targets": {t for t in given["targets"] if t[0] in chosen},
            "submitted": [t for t in given["submitted"] if t.query in chosen],
        }
        if part["targets"]:
            agree_in(run, {"kind": kind}, quesst.score(**part))
    for name, docs in (("u", [d for d in given["docs"] if d < "d4"]), ("v", [d for d in given["docs"] if d >= "d4"])):
        part = {
            **given,
            "docs": docs,
            "targets": {t for t in given["targets"] if t[1] in docs},
            "submitted": [t for t in given["submitted"] if t.doc in docs],
        }
        if part["targets"]:
            agree_in(run, {"part": name}, quesst.score(**part))


def agree_in(run: scorespec.Run, slice_: dict[str, str], oracle: dict[str, Any]) -> None:
    for metric, components in COMPONENTS.items():
        for component in components:
            want = oracle[metric][component]
            assert run.value(metric, component, **slice_) == pytest.approx(float(want), abs=1e-11), (metric, slice_)
