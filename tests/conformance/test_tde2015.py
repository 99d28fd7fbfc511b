"""tde2015 against the numbers recorded from the evaluator itself, value by value, and against its brute-force oracle."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec

DATA = Path(__file__).parents[1] / "data" / "term_discovery"
SAMPLE = Path("/work/shared/external/term_discovery/sample")
EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
PRECISION_RECALL = ("matching", "grouping", "type", "token", "boundary")
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


@pytest.mark.skipif(not SAMPLE.exists(), reason="the evaluator's sample corpus is not here")
def test_the_sample_of_the_evaluator() -> None:
    expected = json.loads((SAMPLE / "expected.json").read_text(encoding="utf-8"))
    values = expected["sample.classes.example"]["tde2015"]["values"]
    rows = scored(SAMPLE, "sample", SAMPLE / "sample.classes.example")
    for talkers in ("total", "within"):
        differences(rows, talkers, values, talkers)
