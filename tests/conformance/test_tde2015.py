"""tde2015 against the numbers recorded from the evaluator itself, and against the brute-force oracle of it."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from oracles import tde2015
from oracles.exact_corpora import Task, make_folded_task

DATA = Path(__file__).parents[1] / "data" / "term_discovery"
EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
PRECISION_RECALL = ("matching", "grouping", "type", "token", "boundary")
SEEDS = 20  # more were tried
TIMED = {"file": pa.string(), "onset": pa.float64(), "offset": pa.float64()}
Rows = dict[tuple[str, str, str], dict[str, Any]]  # by talkers, metric and component


def scored(folder: Path, corpus: str, fragments: Path, **folds: Any) -> Rows:
    inputs = {
        "phones": folder / f"{corpus}.phn",
        "words": folder / f"{corpus}.wrd",
        "utterances": folder / f"{corpus}.split",
        "fragments": fragments,
        "folds_total": folder / f"{corpus}.intervals.cross",
        "folds_within": folder / f"{corpus}.intervals.within",
        **folds,
    }
    given = {name: each for name, each in inputs.items() if each is not None}
    run = scorespec.score("tde2015", inputs=given, keep_evidence=False)
    return {(row["slice"]["talkers"], row["metric"], row["component"]): row for row in run.table()}


@cache
def one_fold(corpus: str) -> pa.Table:
    """The whole corpus: every utterance in one fold, as the evaluator was run for `all`."""
    rows = [line.split() for line in (DATA / f"{corpus}.split").read_text(encoding="utf-8").splitlines() if line]
    columns = {
        "file": [r[0] for r in rows],
        "onset": [float(r[1]) for r in rows],
        "offset": [float(r[2]) for r in rows],
    }
    return pa.table({"fold": [0] * len(rows), **columns})


def differences(rows: Rows, talkers: str, values: dict[str, Any], recorded_as: str) -> list[float]:
    """How far every recorded mean and deviation is from ours, and their numbers of folds."""
    found = []
    for metric in ("ned", "coverage", *PRECISION_RECALL):
        recorded = values[f"{metric}/{recorded_as}"]
        components = recorded if metric in PRECISION_RECALL else {"value": recorded}
        for component in {"precision", "recall", "fscore", "value"} & components.keys():
            row, want = rows[talkers, metric, component], components[component]
            none_left = row["folds"] == 0  # the evaluator puts in a fold of its own
            assert none_left or row["folds"] == len(want["folds"]), (metric, component)
            found += [abs(row["value"] - want["mean"]), abs((row["std"] or 0) - want["std"])]
            assert max(found[-2:]) <= 1e-12, (metric, component, row, want)
    return found


@pytest.mark.parametrize("case", EXPECTED)
def test_every_recorded_value(case: str) -> None:
    corpus, values = case.partition(".")[0], EXPECTED[case]["tde2015"]["values"]
    rows = scored(DATA, corpus, DATA / f"{case}.class")
    for talkers in ("total", "within"):
        differences(rows, talkers, values, talkers)
    whole = scored(DATA, corpus, DATA / f"{case}.class", folds_total=one_fold(corpus), folds_within=None)
    assert {talkers for talkers, _, _ in whole} == {"total"}
    differences(whole, "total", values, "all")
    assert whole["total", "ned", "pairs"]["value"] == values["ncounts/all"][0]["n_pairs"]


def test_the_sample_of_the_evaluator(sample: Path) -> None:
    expected = json.loads((sample / "expected.json").read_text(encoding="utf-8"))
    values = expected["sample.classes.example"]["tde2015"]["values"]
    rows = scored(sample, "sample", sample / "sample.classes.example")
    for talkers in ("total", "within"):
        differences(rows, talkers, values, talkers)


# -- small corpora ---------------------------------------------------------------------------------------


def table(rows: list[Any], **more: pa.DataType) -> pa.Table:
    """Rows of times, with columns before and after them in the order in which they are named."""
    before = {name: type_ for name, type_ in more.items() if name in ("cluster", "fold")}
    schema = pa.schema({**before, **TIMED, **{name: type_ for name, type_ in more.items() if name not in before}})
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)


def suite_rows(task: Task) -> Rows:
    def folds(name: str) -> pa.Table:
        numbered = [(number, *row) for number, fold in enumerate(task.inputs[name]) for row in fold]
        return table(numbered, fold=pa.int64())

    inputs = {
        "phones": table(task.phones, label=pa.string()),
        "words": table(task.words, label=pa.string()),
        "fragments": table(task.fragments, cluster=pa.string()),
        "utterances": table(task.inputs["utterances"]),
        "folds_total": folds("total"),
        "folds_within": folds("within"),
    }
    run = scorespec.score("tde2015", inputs=inputs, threads=1, keep_evidence=False)
    return {(row["slice"]["talkers"], row["metric"], row["component"]): row for row in run.table()}


def oracle_fold(corpus: tde2015.Corpus, clusters: tde2015.Clusters, fold: Any, metric: str) -> tde2015.Values:
    """The values of a fold; nan where the evaluator ends with an error."""
    try:
        return corpus.score_fold(clusters, fold, [metric])[metric]
    except (ZeroDivisionError, ValueError):
        return dict.fromkeys(("value", "precision", "recall"), math.nan)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_scores_are_those_of_the_oracle(seed: int) -> None:
    task = make_folded_task(seed)
    rows = suite_rows(task)
    corpus = tde2015.Corpus(task.phones, task.words, task.inputs["utterances"])
    clusters = corpus.discovered(task.fragments)
    for talkers in ("total", "within"):
        for metric in tde2015.METRICS:
            folds = [oracle_fold(corpus, clusters, fold, metric) for fold in task.inputs[talkers]]
            for component, want in tde2015.over_folds(metric, folds).items():
                row = rows[talkers, metric, component]
                got = (row["value"], row["std"] or 0)
                assert got == pytest.approx((want.mean, want.std), rel=0, abs=1e-12), (talkers, metric, component, task)
                assert row["folds"] in (len(want.folds), 0), (talkers, metric, component)


def test_where_the_evaluator_ends_with_an_error_a_warning_says_so() -> None:
    """The second file has no words; two fragments on the seam of two phones hold neither; one is outside."""
    phones = [(file, number / 8, (number + 1) / 8, label) for file in "fg" for number, label in enumerate("abc")]
    fragments = [("1", "f", 7 / 64, 9 / 64), ("1", "f", 15 / 64, 17 / 64), ("1", "g", 0.5, 0.6), ("2", "g", 0.0, 0.375)]
    utterances = [("f", 0.0, 0.375), ("g", 0.0, 0.375)]
    inputs = {
        "phones": table(phones, label=pa.string()),
        "words": table([("f", 0.0, 0.375, "w")], label=pa.string()),
        "fragments": table(fragments, cluster=pa.string()),
        "utterances": table(utterances),
        "folds_total": table([(0, *row) for row in utterances], fold=pa.int64()),
    }
    run = scorespec.score("tde2015", inputs=inputs, keep_evidence=False)
    assert [message.split(";")[0] for message in run.warnings] == [
        "1 of 4 fragments lie in no utterance and are left out",
        "in 1 folds a pair of fragments has no transcription on either side",
        "1 of 3 distinct fragments in folds share no time with the words of the fold",
    ]
    rows = {(row["metric"], row["component"]): row for row in run.table()}
    for key, value in ((("ned", "value"), 1), (("token", "recall"), 0), (("type", "precision"), 0)):
        assert (rows[key]["value"], rows[key]["folds"]) == (value, 0)
        assert rows[key]["note"] == "undefined in every fold"
