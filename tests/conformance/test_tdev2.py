"""zerospeech2017 against the numbers that tdev2 2.0.2 printed, value by value and count by count."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec

DATA = Path(__file__).parents[1] / "data" / "term_discovery"
TOLERANCE = 1e-12
EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text())

COMPONENTS = {
    "ned": {"value": "ned", "pairs": "n_pairs"},
    "coverage": {"value": "coverage"},
    **{m: {c: c for c in ("precision", "recall", "fscore")} for m in ("grouping", "token", "type", "boundary")},
}
# tdev2 crashes on F when precision and recall are 0, and gives up on token F when either is; ours is 0.
CRASHED = {"ZeroDivisionError: float division by zero", "AssertionError: Attempting to compute token fscore when "
           "token precision is not computed yet."}  # fmt: skip
# What tdev2 counts, and our statistics of the same meaning.
COUNTS = {
    "coverage": {"n_covered": "numerator", "n_phones": "denominator"},
    **{m: {"n_disc": "found", "n_gold": "gold", "n_hit": "hits"} for m in ("token", "type", "boundary")},
}


@cache
def scored(case: str) -> scorespec.Run:
    corpus = case.partition(".")[0]
    return scorespec.score(
        "zerospeech2017",
        phones=DATA / f"{corpus}.phn",
        words=DATA / f"{corpus}.wrd",
        fragments=DATA / f"{case}.class",
    )


def expected_value(recorded: Any) -> float:
    if isinstance(recorded, str):
        assert recorded in CRASHED
        return 0.0
    return float(recorded)


@pytest.mark.parametrize("case", EXPECTED)
def test_every_value(case: str) -> None:
    recorded = EXPECTED[case]["tdev2"]["values"]
    for metric, components in COMPONENTS.items():
        for component, name in components.items():
            found = scored(case).value(metric, component)
            assert found == pytest.approx(expected_value(recorded[metric][name]), abs=TOLERANCE), (metric, component)


@pytest.mark.parametrize("case", EXPECTED)
def test_every_count(case: str) -> None:
    recorded = EXPECTED[case]["tdev2"]["values"]
    rows = scored(case).sql("SELECT metric, statistics FROM unit_statistics").to_pylist()
    sums: dict[tuple[str, str], int] = {}
    for row in rows:
        for name, value in json.loads(row["statistics"]).items():
            key = (row["metric"], name)
            sums[key] = sums.get(key, 0) + value
    for metric, names in COUNTS.items():
        for theirs, ours in names.items():
            assert sums[metric, ours] == recorded[metric][theirs], (metric, theirs)
    counts = EXPECTED[case]["tdev2"]["counts"]
    clusters = scored(case).sql("SELECT count(*) n, sum(members) members FROM evidence_cluster_scores").to_pylist()[0]
    assert (clusters["n"], clusters["members"]) == (counts["n_clusters"], counts["n_cluster_members"])


@pytest.mark.parametrize("case", EXPECTED)
def test_counts_of_grouping(case: str) -> None:
    """The types and pairs that tdev2 counts, from the evidence: its pairs are enumerated here, never there."""
    recorded = EXPECTED[case]["tdev2"]["values"]["grouping"]
    run = scored(case)
    fragments = run.sql(
        'SELECT DISTINCT cluster, file, onset, "offset", transcription FROM evidence_fragment_verdicts '
        "WHERE transcription IS NOT NULL"
    )
    assert fragments.num_rows
    pairs = run.sql(
        """
        WITH f AS (SELECT DISTINCT file, onset, "offset", transcription FROM evidence_fragment_verdicts
                   WHERE transcription IS NOT NULL),
        m AS (SELECT *, row_number() OVER () AS place FROM evidence_fragment_verdicts
              WHERE transcription IS NOT NULL),
        found AS (SELECT DISTINCT least((a.file, a.onset, a."offset"), (b.file, b.onset, b."offset")) AS x,
                         greatest((a.file, a.onset, a."offset"), (b.file, b.onset, b."offset")) AS y
                  FROM m a JOIN m b ON a.cluster = b.cluster AND a.place < b.place),
        gold AS (SELECT (a.file, a.onset, a."offset") AS x, (b.file, b.onset, b."offset") AS y
                 FROM f a JOIN f b ON a.transcription = b.transcription
                  AND (a.file, a.onset, a."offset") < (b.file, b.onset, b."offset")
                  AND (a.file <> b.file OR a."offset" <= b.onset OR b."offset" <= a.onset))
        SELECT (SELECT count(*) FROM found) AS n_found_pairs, (SELECT count(*) FROM gold) AS n_gold_pairs,
               (SELECT count(*) FROM found SEMI JOIN gold USING (x, y)) AS n_intersection
        """
    ).to_pylist()[0]
    assert pairs == {name: recorded[name] for name in pairs}


@pytest.mark.parametrize("times", ["microseconds", "seconds"])
@pytest.mark.parametrize(("inside", "members"), [("midpoint", 1), ("whole", 0)])
def test_folds_obey_times_and_inside(times: str, inside: str, members: int) -> None:
    """The fragment has its midpoint in the first of two folds, and its end in the second."""
    halves = {"file": ["f", "f"], "onset": [0.0, 0.5], "offset": [0.5, 1.0]}
    run = scorespec.score(
        "zerospeech2017",
        phones=pa.table({**halves, "label": ["a", "b"]}),
        words=pa.table({**halves, "label": ["v", "w"]}),
        fragments=pa.table({"cluster": ["c"], "file": ["f"], "onset": [0.1], "offset": [0.6]}),
        folds=pa.table({"fold": [0, 1], **halves}),
        metrics=["sizes"],
        params={"times": times, "inside": inside},
        keep_evidence=False,
    )
    assert run.value("sizes", "words") == 1  # the mean of two folds
    assert run.value("sizes", "members") == members / 2


def test_the_sample_corpus(sample: Path) -> None:
    recorded = json.loads((sample / "expected.json").read_text())["sample.classes.example"]["tdev2"]["values"]
    run = scorespec.score(
        "zerospeech2017",
        phones=sample / "sample.phn",
        words=sample / "sample.wrd",
        fragments=sample / "sample.classes.example",
    )
    for metric, components in COMPONENTS.items():
        for component, name in components.items():
            assert run.value(metric, component) == pytest.approx(recorded[metric][name], abs=TOLERANCE), metric
