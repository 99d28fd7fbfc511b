"""Metrics of another suite beside those of one's own: equal scores to a run of that suite by itself."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import scorespec
from marks import first, slow
from scorespec.catalog.lookup import load_catalog

DATA = Path(__file__).parents[1] / "data"
DISCOVERY, DETECTION, SYNTHESIS = (DATA / name for name in ("term_discovery", "term_detection", "articulation"))
CORPUS = {
    "phones": DISCOVERY / "stress" / "s0.phn",
    "words": DISCOVERY / "stress" / "s0.wrd",
    "fragments": DISCOVERY / "stress" / "s0.mixed.class",
}
FOLDS = {"folds": DISCOVERY / "stress" / "s0.folds.derived"}
EVALUATOR_FOLDS = {
    "utterances": DISCOVERY / "stress" / "s0.utt",
    "folds_total": DISCOVERY / "stress" / "s0.folds.derived",
    "folds_within": DISCOVERY / "stress" / "s0.folds.given",
}
TRIALS = {
    "queries": DETECTION / "quesst_complete" / "tlist.xml",
    "audio": DETECTION / "quesst_complete" / "ecf.xml",
    "references": DETECTION / "quesst_complete" / "ref.rttm",
    "detections": DETECTION / "quesst_complete" / "stdlist.xml",
}
FLAWLESS = [("token", "not in", ["t10", "t14"])]  # tokens without a value that the suite articulation refuses
TOKENS = {
    "tokens": pq.read_table(SYNTHESIS / "tokens.parquet", filters=FLAWLESS),
    "labels": SYNTHESIS / "labels.parquet",
    "submission": pq.read_table(SYNTHESIS / "submission_B.parquet", filters=FLAWLESS),
    "baseline": pq.read_table(SYNTHESIS / "submission_baseline.parquet", filters=FLAWLESS),
}
TRANSCRIPTS = {
    "reference": DATA / "named_entities" / "noisy200.ref.sgml",
    "hypothesis": DATA / "named_entities" / "noisy200.hyp.sgml",
}
INPUTS: dict[str, Any] = {**CORPUS, **FOLDS, **EVALUATOR_FOLDS, **TRIALS, **TOKENS, **TRANSCRIPTS}
PAIRS: list[tuple[str, str, tuple[str, ...]]] = [
    ("speech_ne", "wer", (*TRANSCRIPTS,)),
    ("zerospeech2015", "zerospeech2017", (*CORPUS,)),
    ("zerospeech2015", "zerospeech2017", (*CORPUS, *FOLDS)),
    ("zerospeech2015", "tde2015", (*CORPUS, *EVALUATOR_FOLDS)),
    ("zerospeech2015", "tde2015", (*CORPUS, *EVALUATOR_FOLDS, *FOLDS)),
    ("std2006", "quesst2015", (*TRIALS,)),
    ("std2006", "openkws13", (*TRIALS,)),
    ("articulation", "articubench", (*TOKENS,)),
]


@cache
def of_one(suite: str, given: tuple[str, ...]) -> scorespec.Run:
    """A run of one suite by itself."""
    return scorespec.score(suite, inputs={name: INPUTS[name] for name in given}, keep_evidence=False)


def alone(name: str, given: tuple[str, ...]) -> scorespec.Run:
    """A run of one suite with those inputs that it has."""
    suite = load_catalog(suite=name).suite(name)
    return of_one(name, tuple(each for each in (*suite.inputs, *suite.optional) if each in given))


def rows(run: scorespec.Run, prefix: str) -> list[dict[str, Any]]:
    """The rows of the metrics whose names have a prefix, without it."""
    found = [row for row in run.table() if row["metric"].startswith(prefix)]
    return [{**row, "metric": row["metric"].removeprefix(prefix)} for row in found]


@pytest.mark.parametrize(
    ("own", "other", "given"),
    first(
        [
            pytest.param(*suites, given, id=f"{'-'.join(suites)}-{len(given)}")
            for a, b, given in PAIRS
            for suites in ((a, b), (b, a))
        ],
        1,
    ),
)
def test_the_scores_are_those_of_a_run_of_the_other_suite(own: str, other: str, given: tuple[str, ...]) -> None:
    theirs, mine = alone(other, given), alone(own, given)
    metrics, my_metrics = (list(dict.fromkeys(row["metric"] for row in run.table())) for run in (theirs, mine))
    both = scorespec.score(
        own,
        inputs={name: INPUTS[name] for name in given},
        metrics=[*my_metrics, *(f"{other}.{name}" for name in metrics)],
        keep_evidence=False,
    )
    assert rows(both, f"{other}.") == theirs.table()
    assert [row for row in both.table() if not row["metric"].startswith(f"{other}.")] == mine.table()
    assert len(both.warnings) == len({*both.warnings})
    plain = {said.replace(f" (suite {other})", "").replace(f"(suite {other}, ", "(") for said in both.warnings}
    assert plain == {*theirs.warnings, *mine.warnings}


@slow
def test_the_database_has_the_same_statistics_and_curves(tmp_path: Path) -> None:
    one = scorespec.score("quesst2015", inputs=TRIALS, metrics=["mtwv"])
    both = scorespec.score("std2006", inputs=TRIALS, metrics=["mtwv", "quesst2015.mtwv"])
    for table, columns in (("unit_statistics", "unit, slice, statistics"), ("curves", "* EXCLUDE (run, metric)")):
        query = "SELECT {} FROM {} WHERE metric = '{}' ORDER BY ALL"
        found = both.sql(query.format(columns, table, "quesst2015.mtwv")).to_pylist()
        assert found == one.sql(query.format(columns, table, "mtwv")).to_pylist()
        assert found
    assert json.loads(both.sql("SELECT parameters FROM runs").to_pylist()[0]["parameters"])["quesst2015.c_miss"] == 100
