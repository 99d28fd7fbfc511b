"""The alignment of detections and occurrences against the oracle: every recorded case, and random tasks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import first, only, slow
from oracles.term_detection import fixture, scoring
from oracles.term_detection.occurrences import holding
from oracles.term_detection.tasks import Drawn, Pieces, joint, recorded, tables

DATA = Path(__file__).parents[1] / "data" / "term_detection"
OUTCOMES = ("hit", "miss", "false_alarm", "correct_rejection")
CASES = [
    *("boundary", "matching", "medium_small", "multiword", "multiword_unsorted", "small", "small_empty", "small_inf"),
    *("small_minmax", "small_missing_query", "small_neginf", "small_onlyfa", "small_outside"),
]

# Counts over the relations, as anyone may define them.
DOCUMENT = """
domain: term_detection
metrics:
  outcomes:
    about: How many rows of the alignment have each outcome?
    kind: statistics
    from: alignment
    unit: [query]
    statistics: &counts
      hit: count(*) FILTER (WHERE outcome = 'hit')
      miss: count(*) FILTER (WHERE outcome = 'miss')
      false_alarm: count(*) FILTER (WHERE outcome = 'false_alarm')
      correct_rejection: count(*) FILTER (WHERE outcome = 'correct_rejection')
    components: {hit: hit, miss: miss, false_alarm: false_alarm, correct_rejection: correct_rejection}
  size:
    about: How much audio is there, and how many trials of a query?
    kind: statistics
    from: audio_size
    statistics: {seconds: sum(seconds), trials: sum(trials)}
    components: {seconds: seconds, trials: trials}
suites:
  counting:
    about: Outcomes and sizes.
    inputs: [queries, audio, detections]
    optional: [references, occurrences, speech]
    metrics: [outcomes, size]
    keep: [alignment, left_out, targets]
"""
NIST = {
    "times": "binary64",
    "assignment": "gain",
    "compare_case": "as_listed",
    "audio_time": "documents",
    "whole_trials": True,
    "inside_audio": "whole",
    "outside_audio": "drop",
}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own") / "counting.yaml"
    path.write_text(DOCUMENT, "utf-8")
    return path


def count(own: Path, inputs: dict[str, Any], params: dict[str, Any], **more: Any) -> scorespec.Run:
    return scorespec.score("counting", specs=own, inputs=inputs, params=params, **more)


def counts(run: scorespec.Run) -> dict[str, list[int]]:
    """The outcomes of each query that has any."""
    asked = ", ".join(f"count_if(outcome = '{name}') AS {name}" for name in OUTCOMES)
    found = run.sql(f"SELECT query, {asked} FROM evidence_alignment GROUP BY query")
    return {row["query"]: [row[name] for name in OUTCOMES] for row in found.to_pylist()}


def expected(rows: scoring.Rows) -> dict[str, list[int]]:
    """The same of the oracle."""
    found = {}
    for query, (targets, scored) in rows.items():
        outcomes = Counter((d.target, d.yes) for d in scored)
        hits = outcomes[True, True]
        found[query] = [hits, targets - hits, outcomes[False, True], outcomes[False, False]]
    return {query: each for query, each in found.items() if any(each)}


def agree(
    own: Path, inputs: dict[str, Any], task: scoring.Task, nist: bool, by: Sequence[str] = (), **options: Any
) -> scorespec.Run:
    """The run, when its counts and sizes are those of the oracle; ``options`` are parameters."""
    run = count(own, inputs, (NIST if nist else {}) | options, by=by)
    outside_audio = options.get("outside_audio", "drop" if nist else "false_alarm")
    if (trials := options.get("trials", "virtual")) != "virtual":
        result, rows = scoring.by_segment(task, trials, outside_audio)
    else:
        result, rows = scoring.virtual(
            task,
            scoring.NIST if nist else "std2006",
            Fraction(str(options.get("n_tps", 1))),
            Decimal(str(options.get("tolerance", 0.5))),
            outside_audio,
            {"ranks": "document", "gain": "nist", None: None}[options.get("assignment")],
            nist or options.get("inside_audio") == "whole",
        )
        assert run.value("size", "seconds") == float(result.seconds)
    assert counts(run) == expected(rows)
    assert run.value("size", "trials") == pytest.approx(float(result.trials), rel=1e-14)
    outside = "kind = 'detection' AND outside"
    found = run.sql(f"SELECT count(*) AS n FROM evidence_left_out WHERE {outside}")
    assert found["n"][0].as_py() == result.outside
    return run


# ------------------------------------------------------------------------------------------ recorded cases


def of_case(name: str) -> dict[str, Any]:
    """The inputs of a case in NIST's formats."""
    files = {"queries": "kwlist.xml", "audio": "ecf.xml", "references": "ref.rttm", "speech": "ref.rttm"}
    return {key: DATA / name / file for key, file in (files | {"detections": "kwslist.xml"}).items()}


# The others are like one of these. test_term_detection.py compares the counts of all with those of KWSEval.
@pytest.mark.parametrize(
    "name",
    first(
        ["medium_small", "multiword_unsorted", "small_empty", "small_minmax", "small_missing_query", "small_outside"], 1
    ),
)
def test_a_recorded_case(own: Path, name: str) -> None:
    agree(own, of_case(name), fixture.task(DATA / name, True), True)


def test_words_are_found_in_whatever_order_they_come(own: Path) -> None:
    assert (
        len({str(sorted(counts(count(own, of_case(f"multiword{more}"), NIST)).items())) for more in ("", "_unsorted")})
        == 1
    )


def test_what_is_outside_the_audio(own: Path) -> None:
    inputs = of_case("small_outside")
    run = count(own, inputs, {})
    all_thresholds = "those with NO in metrics over all thresholds, such as mtwv"
    said = (
        f"3 detections outside the audio count as false alarms ({all_thresholds}); outside_audio=drop leaves them out"
    )
    assert run.warnings == [said]
    assert count(own, inputs, {"outside_audio": "drop"}).warnings == ["3 detections outside the audio are left out"]
    with pytest.raises(scorespec.InputError, match=r"detection of Q1 at \S+ s in \S+, channel 1, is outside the audio"):
        count(own, inputs, {"outside_audio": "error"})
    assert count(own, of_case("small"), {"outside_audio": "error"}).warnings == []


# -------------------------------------------------------------------------------------------- random tasks


@pytest.mark.slow
@pytest.mark.parametrize(
    ("nist", "option"),
    only(
        [(False, {}), (False, {"assignment": "gain"}), (True, {"trials": "document"})],
        [
            (False, {}),
            (False, {"tolerance": 2}),
            (False, {"n_tps": 0.3}),
            (False, {"assignment": "gain"}),
            (False, {"outside_audio": "drop"}),
            (False, {"outside_audio": "false_alarm"}),
            (False, {"trials": "segment"}),
            (False, {"trials": "document"}),
            (False, {"trials": "document", "outside_audio": "drop"}),
            (True, {}),
            (True, {"tolerance": 0}),
            (True, {"tolerance": 2}),
            (True, {"assignment": "ranks"}),
            (True, {"outside_audio": "drop"}),
            (True, {"outside_audio": "false_alarm"}),
            (True, {"trials": "segment"}),
            (True, {"trials": "segment", "outside_audio": "false_alarm"}),
            (True, {"trials": "document"}),
        ],
    ),
    ids=str,
)
def test_recorded_and_random_tasks_as_one(own: Path, nist: bool, option: dict[str, Any]) -> None:
    r = random.Random(1)
    tasks = [*(Drawn(r, f"{at:02}") for at in range(30)), *(recorded(DATA / name) for name in CASES)]
    run = agree(own, tables(tasks, r), joint(tasks, nist), nist, **option)
    if not nist and option in ({}, {"tolerance": 2}):
        aligned_as_well(run, joint(tasks, False), Decimal(option.get("tolerance", "0.5")))


def aligned_as_well(run: scorespec.Run, task: scoring.Task, tolerance: Decimal) -> None:
    """As many pairs, equal scores, equal overlap in all."""
    inside, _, _ = scoring.judged(scoring.aligned(task, tolerance=tolerance), task.audio)
    aligned = [(d, o) for d, o in inside if d and o]
    found = run.sql(
        "SELECT score, least(tbeg + dur, occurrence_offset) - greatest(tbeg, occurrence_onset) AS overlap "
        "FROM evidence_alignment WHERE target AND tbeg IS NOT NULL"
    )
    assert Counter(found["score"].to_pylist()) == Counter(d.score for d, _ in aligned)
    overlap = sum(min(d.tbeg + d.dur, o.end) - max(d.tbeg, o.tbeg) for d, o in aligned)
    assert sum(found["overlap"].to_pylist()) == pytest.approx(float(overlap), abs=1e-6)


@pytest.mark.parametrize(
    "options",
    first([{}, {"outside_audio": "drop"}, {"assignment": "gain"}, {"tolerance": 0}, {"inside_audio": "whole"}]),
    ids=str,
)
def test_excerpts_with_gaps_borders_and_overlaps(own: Path, options: dict[str, Any]) -> None:
    """Align first, then judge: in the whole, in each slice of excerpts, and by query."""
    r = random.Random(24)
    tasks = [Pieces(r, f"{at:02}") for at in range(60)]
    inputs, task = tables(tasks, r) | {"speech": None}, joint(tasks, False)
    run = agree(own, inputs, task, False, by=["source_type"], **options)
    if "inside_audio" in options:
        return
    gain = {"nist_gain": True} if "assignment" in options else {}
    pairs = scoring.aligned(task, tolerance=Decimal(str(options.get("tolerance", 0.5))), **gain)
    want: Counter[tuple[str, str]] = Counter()
    for d, o in pairs:
        outcome = ("hit" if d and d.yes else "miss") if o else ("false_alarm" if d and d.yes else "correct_rejection")
        held = holding(o or d, task.audio)
        want.update((each, outcome) for each in {e.source_type for e in held})
    found = {
        (row["slice"]["source_type"], row["component"]): row["value"]
        for row in run.table()
        if row["metric"] == "outcomes" and row["slice"]
    }
    assert {key: value for key, value in found.items() if value} == want
    inside, alone, with_occurrence = scoring.judged(pairs, task.audio)
    assert min(len(inside), len(alone), len(with_occurrence)) > 50
    aligned_outside = sum(d is not None for d, _ in with_occurrence)
    verdicts = run.sql(
        "SELECT kind, reason, count(*) AS n FROM evidence_left_out GROUP BY ALL ORDER BY ALL"
    ).to_pylist()
    assert [(row["kind"], row["n"]) for row in verdicts] == [
        ("detection", aligned_outside),
        ("detection", len(alone)),
        ("occurrence", len(with_occurrence)),
    ]
    said = f"{aligned_outside:,} detections are left out: they are aligned with occurrences outside the audio"
    assert said in run.warnings
    assert f"{len(with_occurrence):,} occurrences outside the audio are left out" in run.warnings


@slow
@pytest.mark.parametrize("outside_audio", first(["false_alarm", "drop", "error"]))
def test_what_the_last_excerpt_cuts(own: Path, outside_audio: str) -> None:
    """A detection that ends after the audio is aligned. Only what is not aligned is judged by its own midpoint."""
    inputs = {
        "queries": pa.table({"query": ["Q"], "text": ["a"]}),
        "audio": pa.table({"doc": ["d1"], "channel": ["1"], "tbeg": [0.0], "dur": [1000.0]}),
        "occurrences": pa.table({"query": ["Q"], "doc": ["d1"], "channel": ["1"], "tbeg": [999.5], "dur": [0.4]}),
        "detections": pa.table(
            {"query": ["Q"], "doc": ["d1"], "channel": ["1"], "tbeg": [999.6], "dur": [0.6], "score": [0.9]}
        ).append_column("decision", [["YES"]]),
    }
    params = {"outside_audio": outside_audio}
    assert scorespec.score("sws2013", inputs=inputs, params=params, metrics=["atwv"]).value("atwv") == 1
    # The midpoint of the detection is 1,000.4 s; the occurrence is inside.
    late = {**inputs, "detections": inputs["detections"].set_column(4, "dur", [[1.6]])}
    assert scorespec.score("sws2013", inputs=late, params=params, metrics=["atwv"]).value("atwv") == 1
    whole = {**params, "inside_audio": "whole"}
    if outside_audio != "error":
        score = scorespec.score("sws2013", inputs=inputs, params=whole, metrics=["atwv"]).value("atwv")
        assert score == (0 if outside_audio == "drop" else pytest.approx(-0.0667, abs=5e-5))


def test_touching_excerpts_are_one() -> None:
    """An occurrence across a border is a target. Its midpoint is the border, which belongs to the later excerpt."""
    place = {"query": ["Q"], "doc": ["d1"], "channel": ["1"], "tbeg": [499.9], "dur": [0.2]}
    inputs = {
        "queries": pa.table({"query": ["Q"], "text": ["a"]}),
        "audio": pa.table(
            {"doc": ["d1"] * 2, "channel": ["1"] * 2, "tbeg": [0.0, 500.0], "dur": [500.0] * 2, "part": ["x", "y"]}
        ),
        "occurrences": pa.table(place),
        "detections": pa.table({**place, "score": [1.0], "decision": ["YES"]}),
    }
    run = scorespec.score("std2006", inputs=inputs, metrics=["counts"], by=["part"])
    assert [run.value("counts", "hits", **part) for part in ({}, {"part": "y"})] == [1, 1]
    assert run.value("counts", "targets", part="x") == 0
    assert not [said for said in run.warnings if "outside" in said]


# ----------------------------------------------------------------------------------- slices, order, other inputs


def as_tables(name: str) -> dict[str, pa.Table]:
    """A recorded case as tables; queries have a further column, their number of words."""
    made = tables([recorded(DATA / name)], random.Random(1))
    texts = made["queries"]["text"].to_pylist()
    made["queries"] = made["queries"].append_column("words", pa.array([str(len(text.split())) for text in texts]))
    return made


@slow
def test_slices_by_properties_of_queries_and_of_the_audio(own: Path) -> None:
    """Each slice has what the whole has there: queries, documents and channels are aligned apart anyway."""
    inputs = as_tables("multiword")
    by = ["query", "doc", "words", "source_type", ("doc", "words")]
    run = count(own, inputs, {"outside_audio": "drop"}, by=by)
    rows = run.sql("SELECT * FROM evidence_alignment").to_pylist()
    words = {row["query"]: row["words"] for row in inputs["queries"].to_pylist()}
    types = {row["doc"]: row["source_type"] for row in inputs["audio"].to_pylist()}
    for row in rows:
        row |= {"words": words[row["query"]], "source_type": types[row["doc"]]}
    for columns in by:
        names = (columns,) if isinstance(columns, str) else columns
        want = Counter((*(row[name] for name in names), row["outcome"]) for row in rows)
        found = {
            (*(row["slice"][name] for name in names), row["component"]): row["value"]
            for row in run.table()
            if row["metric"] == "outcomes" and row["slice"].keys() == set(names)
        }
        assert {key: value for key, value in found.items() if value} == want
    sizes = {
        tuple(r["slice"].items()): r["value"]
        for r in run.table()
        if (r["metric"], r["component"]) == ("size", "trials")
    }
    docs = ("multiword/w01", 200), ("multiword/w02", 70)
    assert sizes == {(): 270} | {(("doc", doc),): size for doc, size in docs} | {
        (("source_type", types[doc]),): size for doc, size in docs
    }
    assert "no rows of size by words: it has no column 'words' (audio has none)" in run.warnings


@slow
@pytest.mark.parametrize("params", first([{}, NIST]), ids=["document", "nist"])
def test_neither_order_nor_threads_matter(own: Path, params: dict[str, Any]) -> None:
    r = random.Random(7)
    drawn = [Drawn(r, f"{at:02}") for at in range(10)]
    asked = "SELECT * FROM evidence_alignment ORDER BY ALL"
    found = [count(own, tables(drawn, r), params, threads=n).sql(asked) for n in (1, 2, 2)]
    assert found[0].num_rows > 100
    assert found[0].equals(found[1])
    assert found[0].equals(found[2])


@pytest.mark.parametrize("params", first([{}, NIST]), ids=["document", "nist"])
def test_occurrences_may_be_given(own: Path, params: dict[str, Any]) -> None:
    """One word each, so that the first word's end is that of the occurrence."""
    inputs = tables([recorded(DATA / "matching")], random.Random(1))
    first = count(own, inputs, params)
    given = first.sql("SELECT query, doc, channel, onset_s AS tbeg, offset_s - onset_s AS dur FROM evidence_targets")
    run = count(own, {**inputs, "references": None, "occurrences": given}, params)
    assert counts(run) == counts(first)


def test_a_query_list_may_say_that_case_counts(own: Path) -> None:
    """The first word as written, unless the list says lowercase; the others never."""
    token = {"doc": "d", "channel": "1", "dur": 0.2, "speaker": "s"}
    inputs: dict[str, Any] = {
        "audio": pa.table({"doc": ["d"], "channel": ["1"], "tbeg": [0.0], "dur": [10.0]}),
        "references": pa.Table.from_pylist(
            [{**token, "tbeg": at / 2, "token": word} for at, word in enumerate(["Salt", "Lake", "salt", "lake"])]
        ),
        "detections": pa.table(
            {name: pa.array([], pa.string()) for name in ("query", "doc", "channel", "decision")}
            | {name: pa.array([], pa.float64()) for name in ("tbeg", "dur", "score")}
        ),
    }
    listed = {"nothing": "", "lowercase": "lowercase", "null": None}
    inputs["queries"] = pa.table(
        {
            "query": [*listed],
            "text": ["salt LAKE"] * 3,
            "compare_normalize": pa.array(listed.values(), pa.string()),
        }
    )
    misses = {query: [0, 2, 0, 0] for query in listed}
    assert counts(count(own, inputs, {})) == misses
    assert counts(count(own, inputs, {"compare_case": "as_listed"})) == misses | {"nothing": [0, 1, 0, 0]}


# ------------------------------------------------------------------------------------------- gains as in F4DE
#
# Two detections can take one occurrence of 10 to 11 s. Which one does is decided by 100 times the score relative to
# the range of scores, at least 1e-5, plus the overlap relative to the length of the occurrence, at least 1e-5.

FAR = (200.0, 1.0)  # begin and duration of a detection that no occurrence is near
OTHER = (10.4, 1.0)  # its overlap of 0.6 is 0.4 less than that of the next
WHOLE = (10.0, 1.0)


@pytest.mark.parametrize(
    ("length", "detections", "aligned"),
    [
        # 100 · 5e-8 / 1e-5 = 0.5 is more than the 0.4 of the overlap, 100 · 3e-8 / 1e-5 = 0.3 is less.
        (1.0, [(*OTHER, 0.70000005), (*WHOLE, 0.7)], 0),
        (1.0, [(*OTHER, 0.70000003), (*WHOLE, 0.7)], 1),
        # 100 · 0.0029 / 0.7029 = 0.413 and 100 · 0.0027 / 0.7027 = 0.384
        (1.0, [(*OTHER, 0.7029), (*WHOLE, 0.7), (*FAR, 0.0)], 0),
        (1.0, [(*OTHER, 0.7027), (*WHOLE, 0.7), (*FAR, 0.0)], 1),
        # An occurrence without length: 0.9 ms outside costs 90, 1.1 ms costs 110, the score gains 100.
        (0.0, [(10.0009, 0.5, 0.8), (9.9, 0.5, 0.7)], 0),
        (0.0, [(10.0011, 0.5, 0.8), (9.9, 0.5, 0.7)], 1),
        # An infinite score counts as the largest finite score, or as the least.
        (1.0, [(*OTHER, float("inf")), (*WHOLE, 0.9), (*FAR, 0.0)], 1),
        (1.0, [(*OTHER, float("-inf")), (*WHOLE, 0.1), (*FAR, 1.0)], 1),
    ],
)
def test_gains_as_in_f4de(own: Path, length: float, detections: list[tuple[float, float, float]], aligned: int) -> None:
    names = ("query", "doc", "channel", "tbeg", "dur", "score", "decision")
    rows = [("A", "d", "1", *detection, "YES") for detection in detections]
    inputs = {
        "queries": pa.table({"query": ["A"], "text": ["a"]}),
        "audio": pa.table({"doc": ["d"], "channel": ["1"], "tbeg": [0.0], "dur": [300.0]}),
        "occurrences": pa.table({"query": ["A"], "doc": ["d"], "channel": ["1"], "tbeg": [10.0], "dur": [length]}),
        "detections": pa.table([pa.array(each) for each in zip(*rows, strict=True)], names=names),
    }
    found = count(own, inputs, NIST).sql("SELECT tbeg FROM evidence_alignment WHERE outcome = 'hit'").to_pylist()
    assert found == [{"tbeg": detections[aligned][0]}]
