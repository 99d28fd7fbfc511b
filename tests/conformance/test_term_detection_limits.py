"""Spoken term detection where something cannot be scored, or only in part: what is left out, refused, undefined."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import first, slow

NAMES = {
    "queries": ("query", "text"),
    "audio": ("doc", "channel", "tbeg", "dur", "part"),
    "occurrences": ("query", "doc", "channel", "tbeg", "dur"),
    "references": ("doc", "channel", "tbeg", "dur", "token"),
    "speech": ("doc", "channel", "tbeg", "dur"),
    "detections": ("query", "doc", "channel", "tbeg", "dur", "score", "decision"),
}
# One document in two excerpts, which are two parts.
TASK: dict[str, list[tuple[Any, ...]]] = {
    "queries": [("A", "a"), ("B", "b")],
    "audio": [("d", "1", 0.0, 100.0, "x"), ("d", "1", 100.0, 100.0, "y")],
    "occurrences": [("A", "d", "1", 10.0, 1.0), ("A", "d", "1", 150.0, 1.0), ("B", "d", "1", 30.0, 1.0)],
    "speech": [("d", "1", 5.0, 10.0), ("d", "1", 145.0, 10.0), ("d", "1", 25.0, 10.0)],
    "detections": [
        ("A", "d", "1", 10.0, 1.0, 0.9, "YES"),
        ("A", "d", "1", 10.2, 1.0, 0.1, "YES"),
        ("A", "d", "1", 150.0, 1.0, 0.8, "NO"),
        ("B", "d", "1", 160.0, 1.0, 0.7, "YES"),
        ("B", "z", "1", 30.0, 1.0, 0.6, "YES"),
    ],
}
NOTHING_OUTSIDE = {"detections": TASK["detections"][:4]}


def score(
    changed: dict[str, Any] | None = None, suite: str = "std2006", keep_evidence: bool = False, **options: Any
) -> scorespec.Run:
    inputs = {
        name: pa.Table.from_pylist([dict(zip(NAMES[name], row, strict=True)) for row in rows])
        for name, rows in {**TASK, **(changed or {})}.items()
        if rows
    }
    return scorespec.score(suite, inputs=inputs, keep_evidence=keep_evidence, **options)


def note(run: scorespec.Run, metric: str, component: str = "value", **slice_: str) -> tuple[float | None, str | None]:
    found = [r for r in run.table() if (r["metric"], r["component"], r["slice"]) == (metric, component, slice_)]
    return found[0]["value"], found[0]["note"]


# -- what is outside ---------------------------------------------------------------------------------

LEFT_OUT = "1 detections outside the audio are left out"
COUNTED = (
    "1 detections outside the audio count as false alarms (those with NO in metrics over all thresholds, such as "
    "mtwv); outside_audio=drop leaves them out"
)
LOWER = "{} detections are left out: another detection of the same query and trial has a higher score"


@pytest.mark.parametrize(
    ("trials", "lower", "alarms"), first([("virtual", 0, (2, 3)), ("segment", 1, (1, 2)), ("document", 2, (0, 1))])
)
def test_what_is_outside_is_told_whatever_trials_are(trials: str, lower: int, alarms: tuple[int, int]) -> None:
    params = {"trials": trials}
    # Where documents are trials another one, so that queries have a trial beside their occurrences.
    changed = {"audio": [*TASK["audio"], ("e", "1", 0.0, 9.0, "y")]} if trials == "document" else {}
    also = [LOWER.format(lower)] if lower else []
    dropped = score(changed, params={**params, "outside_audio": "drop"}, metrics=["counts"], keep_evidence=True)
    assert [w for w in dropped.warnings if "left out" in w] == [LEFT_OUT, *also]
    counted = score(changed, params=params, metrics=["counts"])
    assert [w for w in counted.warnings if w == COUNTED or "are left out" in w] == [COUNTED, *also]
    assert (dropped.value("counts", "false_alarms"), counted.value("counts", "false_alarms")) == alarms
    said = "detection of B at 30.0 s in z, channel 1, is outside the audio"
    with pytest.raises(scorespec.InputError, match=said):
        score(changed, params={**params, "outside_audio": "error"}, metrics=["counts"])
    kept = dropped.sql("SELECT reason, count(*) AS n FROM evidence_left_out GROUP BY reason ORDER BY n DESC, reason")
    assert sum(kept["n"].to_pylist()) == 1 + lower


def test_what_is_outside_with_no_is_a_false_alarm_of_mtwv_with_a_warning() -> None:
    """Of detections with NO as well: a threshold below their score accepts them."""
    outside = [("A", "d", "1", 300.0, 1.0, 0.95, "NO"), ("B", "z", "1", 30.0, 1.0, 0.6, "YES")]
    changed = {"detections": [*TASK["detections"][:4], *outside]}
    run = score(changed, metrics=["mtwv"])
    assert COUNTED.replace("1", "2", 1) in run.warnings
    assert (run.value("mtwv"), score(NOTHING_OUTSIDE, metrics=["mtwv"]).value("mtwv")) == (0, 0.5)


@pytest.mark.parametrize(("params", "scored"), [({}, False), ({"include_queries_without_targets": True}, True)])
def test_queries_without_occurrences_are_named(params: dict[str, Any], scored: bool) -> None:
    changed = {**NOTHING_OUTSIDE, "occurrences": TASK["occurrences"][:2]}
    warnings = score(changed, params=params, metrics=["atwv"]).warnings
    said = "only false alarm rates count them" if scored else "the scores, such as atwv, are those of the other queries"
    assert [each for each in warnings if f"; {said}" in each and each.endswith(": B")]
    assert len([each for each in warnings if "no occurrence in the gold" in each]) == 1


@pytest.mark.parametrize("outside_audio", ["drop", "false_alarm"])
def test_an_excerpt_in_which_nobody_speaks_is_one_segment(outside_audio: str) -> None:
    """As in F4DE. The document e has no turn, and the second excerpt of d has no turn wholly inside."""
    changed = {
        **NOTHING_OUTSIDE,
        "speech": [TASK["speech"][0], ("d", "1", 99.0, 10.0)],
        "audio": [*TASK["audio"], ("e", "1", 0.0, 9.0, "y")],
        "detections": [*TASK["detections"][:4], ("A", "e", "1", 1.0, 1.0, 0.5, "YES")],
    }
    params = {"trials": "segment", "outside_audio": outside_audio}
    run = score(changed, params=params, metrics=["counts", "prior"], by=["part"])
    assert not [w for w in run.warnings if "outside" in w or "no segment" in w]
    # The segments are 0-5, 5-15 and 15-100 s, the second excerpt, and e. A is in two of them, B in one.
    assert run.value("prior", "p_target_empirical") == 3 / (2 * 5)
    assert run.value("counts", "false_alarms") == 2
    assert [run.value("counts", "targets", part=part) for part in "xy"] == [2, 1]


@pytest.mark.parametrize("speech", [[], [("z", "1", 0.0, 1.0)]])
def test_segments_need_speech(speech: list[tuple[Any, ...]]) -> None:
    said = "trials=segment needs turns of speakers inside the audio: give the input speech, or references as an RTTM"
    with pytest.raises(scorespec.InputError, match=said):
        score({"speech": speech}, params={"trials": "segment"}, metrics=["counts"])


@slow
def test_an_rttm_has_the_turns(tmp_path: Path) -> None:
    """Of one file or several, of a plan from documents or a kept one; a file of another format has none."""
    case = Path(__file__).parents[1] / "data" / "term_detection" / "small"
    files = {"queries": "kwlist.xml", "audio": "ecf.xml", "references": "ref.rttm", "detections": "kwslist.xml"}
    inputs: dict[str, Any] = {name: case / file for name, file in files.items()}
    options: dict[str, Any] = {"params": {"trials": "segment"}, "keep_evidence": False}
    given = scorespec.score("openkws13", inputs={**inputs, "speech": inputs["references"]}, **options)
    lines = inputs["references"].read_text().splitlines(keepends=True)
    halves = [tmp_path / "1.rttm", tmp_path / "2.rttm"]
    for at, half in enumerate(halves):
        half.write_text("".join(lines[at::2]))
    for references in (inputs["references"], inputs["references"], halves):
        run = scorespec.score("openkws13", inputs={**inputs, "references": references}, **options)
        assert run.table() == given.table()
    (tmp_path / "ref.tsv").write_text("doc\tchannel\ttbeg\tdur\ttoken\nd01\t1\t10\t1\tapple\n")
    with pytest.raises(scorespec.InputError, match="give the input speech"):
        scorespec.score("openkws13", inputs={**inputs, "references": tmp_path / "ref.tsv"}, **options)


# -- slices of one document --------------------------------------------------------------------------


@pytest.mark.parametrize("trials", first(["virtual", "segment"]))
@pytest.mark.parametrize("outside_audio", first(["drop", "false_alarm"]))
def test_a_slice_is_what_its_excerpts_hold(trials: str, outside_audio: str) -> None:
    """As if there were no other excerpts; together the slices are the whole, but for what is in none."""
    params = {"trials": trials, "outside_audio": outside_audio, "include_queries_without_targets": True}
    options: dict[str, Any] = {"metrics": ["counts", "p_fa"]}
    run = score(NOTHING_OUTSIDE, params=params, by=["part"], **options)
    counts = ("targets", "detections", "hits", "misses", "false_alarms", "correct_rejections")
    for part in "xy":
        audio = [row for row in TASK["audio"] if row[-1] == part]
        alone = score({**NOTHING_OUTSIDE, "audio": audio}, params={**params, "outside_audio": "drop"}, **options)
        for component in counts:
            assert run.value("counts", component, part=part) == alone.value("counts", component), (part, component)
        assert run.value("p_fa", part=part) == alone.value("p_fa")
    for component in counts:
        assert run.value("counts", component) == sum(run.value("counts", component, part=part) or 0 for part in "xy")


def test_a_column_of_queries_and_audio_is_one() -> None:
    """A row is in the slice of a value when its query and its audio both have it; otherwise it is no false alarm."""
    queries = pa.table({"query": ["A", "B"], "text": ["a", "b"], "part": ["x", "y"]})
    inputs = {
        name: pa.Table.from_pylist([dict(zip(NAMES[name], row, strict=True)) for row in rows])
        for name, rows in TASK.items()
        if name != "queries"
    }
    params = {"include_queries_without_targets": True}
    inputs["queries"] = queries
    options: dict[str, Any] = {"metrics": ["counts"], "keep_evidence": False}
    run = scorespec.score("std2006", inputs=inputs, by=["part"], params=params, **options)
    assert [run.value("counts", "detections", part="x"), run.value("counts", "targets", part="x")] == [2, 1]
    assert [run.value("counts", "false_alarms", part="x"), run.value("counts", "false_alarms", part="y")] == [1, 1]


@slow
def test_a_slice_without_trials_beside_its_occurrences_is_undefined() -> None:
    changed = {
        **NOTHING_OUTSIDE,
        "audio": [("d", "1", 0.0, 199.0, "x"), ("d", "1", 199.0, 1.0, "y")],
        "occurrences": [*TASK["occurrences"], ("A", "d", "1", 199.2, 0.1), ("A", "d", "1", 199.6, 0.1)],
    }
    run = score(changed, by=["part"])
    said = "undefined: no query has trials besides its occurrences"
    for metric in ("atwv", "p_fa", "mtwv", "bayes_twv"):
        assert note(run, metric, part="y") == (None, said)
        assert run.value(metric, part="x") is not None
    assert run.value("upper_bound_twv", part="y") is None
    assert run.value("p_miss", part="y") == 1


def test_a_slice_of_a_query_that_does_not_occur_is_undefined() -> None:
    metrics = ["counts", "mtwv", "p_fa", "p_miss"]
    run = score({"occurrences": TASK["occurrences"][:2]}, by=["query"], metrics=metrics)
    assert run.value("counts", "detections", query="B") == 0
    for metric in ("mtwv", "p_fa", "p_miss"):
        assert note(run, metric, query="B") == (None, "undefined: no query has an occurrence")
    run = score(
        {**NOTHING_OUTSIDE, "occurrences": TASK["occurrences"][:2]},
        by=["query"],
        metrics=metrics,
        params={"include_queries_without_targets": True},
    )
    assert run.value("counts", "detections", query="B") == 1
    assert run.value("p_fa", query="B") == 1 / 200
    assert run.value("p_miss", query="B") is None


# -- trials that are too few -------------------------------------------------------------------------


def test_pooled_queries_need_trials_beside_their_occurrences() -> None:
    with pytest.raises(scorespec.InputError) as caught:
        score(params={"pooled": True, "n_tps": 0.0125})  # 2.5 trials, 3 occurrences
    assert str(caught.value) == (
        "query_totals: pooled=true gives all queries together the trials of one query, and their 3 occurrences "
        "leave no other trial"
    )


def test_a_prior_of_the_reference_needs_fewer_occurrences_than_trials() -> None:
    said = r"the prior is 3 occurrences / 2.5 trials of a query \(n_tps\*T\), but it must be below 1"
    with pytest.raises(scorespec.InputError, match=said):
        score(suite="sws2012", params={"n_tps": 0.0125})


def test_a_prior_that_is_given_is_taken() -> None:
    run = score(suite="sws2012", params={"p_target": 0.3}, metrics=["prior"])
    assert [run.value("prior", name) for name in ("p_target", "beta")] == [0.3, 1 / 0.3 - 1]
    assert score(suite="sws2012", metrics=["prior"]).value("prior", "p_target") == 3 / 200


def test_no_occurrence_no_prior() -> None:
    empty = pa.table({n: pa.array([], pa.string()) for n in ("query", "doc", "channel")}).append_column(
        "tbeg", pa.array([], pa.float64())
    )
    tables = {
        name: pa.Table.from_pylist([dict(zip(NAMES[name], row, strict=True)) for row in TASK[name]])
        for name in ("queries", "audio", "detections")
    }
    occurrences = empty.append_column("dur", pa.array([], pa.float64()))
    run = scorespec.score(
        "sws2012", inputs={**tables, "occurrences": occurrences}, metrics=["prior"], keep_evidence=False
    )
    for component in ("p_tar", "beta", "p_target", "alpha", "theta_mincost"):
        assert note(run, "prior", component) == (None, "undefined: no query has an occurrence")


def test_more_unaligned_detections_than_trials() -> None:
    detections = [*TASK["detections"][:4], *(("A", "d", "1", 40.0 + at, 0.5, 0.5, "NO") for at in range(9))]
    run = score({"detections": detections}, params={"n_tps": 0.025}, metrics=["cnxe", "min_cnxe"])
    said = "undefined: more unaligned detections than false trials"
    assert note(run, "cnxe") == (None, said)
    assert note(run, "min_cnxe") == (None, said)


# -- inputs ------------------------------------------------------------------------------------------


def test_references_or_occurrences() -> None:
    with pytest.raises(scorespec.UsageError, match=r"^give references or occurrences, not both$"):
        score({"references": [("d", "1", 10.0, 1.0, "a")]})


def test_queries_need_a_text_where_occurrences_are_found() -> None:
    changed = {
        "queries": [("A", "a"), ("B", None)],
        "references": [("d", "1", 10.0, 1.0, "a")],
        "occurrences": [],
    }
    with pytest.raises(
        scorespec.InputError, match="query B has no text, so its occurrences cannot be found in the references"
    ):
        score(changed)


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"tolerance": -5}, "parameter 'tolerance' is -5; it must be at least 0 and at most 1e+09"),
        ({"max_gap": -1}, "parameter 'max_gap' is -1; it must be at least 0 and at most 1e+09"),
        ({"c_miss": 0}, "parameter 'c_miss' is 0; it must be above 0 and at most 1e+09"),
        ({"c_fa": -1}, "parameter 'c_fa' is -1; it must be above 0 and at most 1e+09"),
        ({"n_tps": 0}, "parameter 'n_tps' is 0; it must be above 0 and at most 1e+09"),
        ({"p_target": 1}, "parameter 'p_target' is 1; it must be above 0 and below 1"),
    ],
)
def test_parameters_have_limits(params: dict[str, float], said: str) -> None:
    with pytest.raises(scorespec.UsageError) as caught:
        score(params=params)
    assert str(caught.value) == said


@pytest.mark.parametrize(("place", "name"), [(3, "tbeg"), (4, "dur")])
def test_huge_times_are_refused(place: int, name: str) -> None:
    row = list(TASK["detections"][0])
    row[place] = 1e13
    with pytest.raises(scorespec.InputError, match=f"{name} .* is not a time in seconds"):
        score({"detections": [tuple(row)]})


def test_huge_scores_cost_without_end() -> None:
    detections = [(*row[:5], 1e300 * (-1) ** at, "YES") for at, row in enumerate(TASK["detections"][:4])]
    run = score({"detections": detections}, metrics=["cnxe"])
    assert note(run, "cnxe") == (None, "infinite")
    large = score({"detections": [(*row[:5], 1e14, "YES") for row in TASK["detections"][:4]]}, metrics=["cnxe"])
    assert math.isfinite(large.value("cnxe") or math.nan)


def test_excerpts_that_overlap_count_once() -> None:
    audio = [("d", "1", 0.0, 100.0, "x"), ("d", "1", 50.0, 150.0, "y"), ("d", "1", 60.0, 10.0, "y")]
    run = score({**NOTHING_OUTSIDE, "audio": audio}, metrics=["prior"])
    assert run.value("prior", "p_target_empirical") == 3 / (2 * 200)


def test_queries_without_a_text_that_are_located_already() -> None:
    inputs = {"queries": pa.table({"query": ["A", "B"]})} | {
        name: pa.Table.from_pylist([dict(zip(NAMES[name], row, strict=True)) for row in TASK[name]])
        for name in ("audio", "occurrences", "detections")
    }
    found = scorespec.score("std2006", inputs=inputs, metrics=["counts"]).sql(
        "SELECT query, words FROM evidence_query_texts ORDER BY ALL"
    )
    assert found.to_pylist() == [{"query": name, "words": None} for name in "AB"]
