"""zerospeech2017 against the numbers that tdev2 2.0.2 printed, value by value and count by count."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import first, slow, some
from oracles import joint_corpora

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


AS_SUCH = ("alpha.overlap", "beta.edges")  # scored in a run of their own, too


def scored(case: str) -> scorespec.Run:
    corpus = case.partition(".")[0]
    return scorespec.score(
        "zerospeech2017",
        phones=DATA / f"{corpus}.phn",
        words=DATA / f"{corpus}.wrd",
        fragments=DATA / f"{case}.class",
    )


@cache
def scored_as_folds() -> scorespec.Run:
    """The submissions are folds of one run, in the order of EXPECTED."""
    joint = joint_corpora.JointCorpus()
    for case in EXPECTED:
        phones, words = (joint_corpora.timed(DATA / f"{case.partition('.')[0]}.{kind}") for kind in ("phn", "wrd"))
        fragments = joint_corpora.recorded_fragments(DATA / f"{case}.class")
        whole = joint_corpora.whole(phones, words, (row[1:] for row in fragments))
        joint.add({"phones": phones, "words": words, "fragments": fragments}, {"folds": [whole]})
    return scorespec.score("zerospeech2017", inputs=joint.inputs(), folds=True)


def expected_value(recorded: Any) -> float:
    if isinstance(recorded, str):
        assert recorded in CRASHED
        return 0.0
    return float(recorded)


def values(run: scorespec.Run, recorded: dict[str, Any], **slice_: int) -> Iterator[tuple[str, Any, float | None]]:
    """The recorded values, each with ours."""
    for metric, components in COMPONENTS.items():
        for component, name in components.items():
            yield f"{metric}.{component}", recorded[metric][name], run.value(metric, component, **slice_)


def wrong_values(run: scorespec.Run, case: str, **slice_: int) -> dict[str, float | None]:
    """The values that are not the recorded ones."""
    return {
        name: found
        for name, recorded, found in values(run, EXPECTED[case]["tdev2"]["values"], **slice_)
        if found != pytest.approx(expected_value(recorded), abs=TOLERANCE)
    }


def compared() -> Iterator[tuple[str, Any, float | None]]:
    """All that is recorded of the submissions, with ours."""
    run = scored_as_folds()
    for fold, case in enumerate(EXPECTED):
        yield from values(run, EXPECTED[case]["tdev2"]["values"], fold=fold)
        found = counted(run, f"fold = {fold}")
        yield from ((name, recorded, found[name]) for name, recorded in recorded_counts(case).items())


def compared_on_the_sample(sample: Path) -> Iterator[tuple[str, Any, float | None]]:
    recorded = json.loads((sample / "expected.json").read_text())["sample.classes.example"]["tdev2"]["values"]
    inputs = {"phones": "sample.phn", "words": "sample.wrd", "fragments": "sample.classes.example"}
    run = scorespec.score("zerospeech2017", inputs={name: sample / file for name, file in inputs.items()})
    return values(run, recorded)


@pytest.mark.parametrize("case", first(AS_SUCH))
def test_every_value_and_count(case: str) -> None:
    run = scored(case)
    assert not wrong_values(run, case)
    assert counted(run, "true") == recorded_counts(case)


@pytest.mark.parametrize(("fold", "case"), first([*enumerate(EXPECTED)], 4))
def test_every_value_and_count_of_every_submission(fold: int, case: str) -> None:
    run = scored_as_folds()
    assert not wrong_values(run, case, fold=fold)
    assert counted(run, f"fold = {fold}") == recorded_counts(case)


def counted(run: scorespec.Run, condition: str) -> dict[str, int]:
    """What tdev2 counts, from the statistics and the evidence that meet the condition."""
    rows = run.sql(f"""
        SELECT metric, statistics FROM (SELECT *, slice->>'fold' AS fold FROM unit_statistics) WHERE {condition}
    """).to_pylist()
    found = {f"{metric}.{theirs}": 0 for metric, names in COUNTS.items() for theirs in names}
    for row in rows:
        statistics = json.loads(row["statistics"])
        for theirs, ours in COUNTS.get(row["metric"], {}).items():
            found[f"{row['metric']}.{theirs}"] += statistics[ours]
    kept = f"FROM evidence_cluster_scores WHERE {condition}"
    (clusters,) = run.sql(f"SELECT count(*) AS n_clusters, sum(members) AS n_cluster_members {kept}").to_pylist()
    return found | clusters


def recorded_counts(case: str) -> dict[str, int]:
    recorded, counts = EXPECTED[case]["tdev2"]["values"], EXPECTED[case]["tdev2"]["counts"]
    values = {f"{metric}.{name}": recorded[metric][name] for metric, names in COUNTS.items() for name in names}
    return values | {name: counts[name] for name in ("n_clusters", "n_cluster_members")}


@pytest.mark.parametrize(("fold", "case"), first([*enumerate(EXPECTED)], 4))
def test_counts_of_grouping(fold: int, case: str) -> None:
    """The types and pairs that tdev2 counts, from the evidence: its pairs are enumerated here, never there."""
    recorded = EXPECTED[case]["tdev2"]["values"]["grouping"]
    transcribed = f"evidence_fragment_verdicts WHERE transcription IS NOT NULL AND fold = {fold}"
    pairs = (
        scored_as_folds()
        .sql(
            f"""
        WITH f AS (SELECT DISTINCT file, onset, "offset", transcription FROM {transcribed}),
        m AS (SELECT *, row_number() OVER () AS place FROM {transcribed}),
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
        )
        .to_pylist()[0]
    )
    assert pairs == {name: recorded[name] for name in pairs}
    assert pairs["n_found_pairs"]


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


@slow
def test_the_sample_corpus(sample: Path) -> None:
    for name, recorded, found in some(compared_on_the_sample(sample)):
        assert found == pytest.approx(recorded, abs=TOLERANCE), name
