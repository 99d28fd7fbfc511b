"""Reference points: submissions that are computed from the gold, and what they must score."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest
from command_line import DATA, OWN_SUITE, Command

import scorespec
from marks import first, slow
from scorespec import Run

DETECTION, ENTITIES, SYNTHESES = (DATA.parent / name for name in ("term_detection", "named_entities", "articulation"))
CORPUS = {"phones": DATA / "alpha.phn", "words": DATA / "alpha.wrd"}
FOLDS = {"utterances": DATA / "alpha.split", "folds_total": DATA / "alpha.intervals.cross"}
SEARCH = {name: DETECTION / "small" / f"{file}" for name, file in
          (("queries", "kwlist.xml"), ("audio", "ecf.xml"), ("references", "ref.rttm"))}  # fmt: skip
TRIALS = {name: DETECTION / "quesst_complete" / f"{file}" for name, file in
          (("queries", "tlist.xml"), ("audio", "ecf.xml"), ("references", "ref.rttm"))}  # fmt: skip
TOKENS = {"tokens": SYNTHESES / "tokens.parquet", "labels": SYNTHESES / "labels.parquet"}
TASK = {"task": "copy-synthesis"}
Write = Callable[[str, str], str]


def near(*values: float | None) -> Any:
    return pytest.approx(values, rel=1e-9, abs=1e-9)


def points_of(suite: str, **options: Any) -> dict[str, Run]:
    """The runs of the reference points of a suite; nothing but their scores is kept."""
    return scorespec.reference_points(suite, keep_evidence=False, **options)


def of(points: dict[str, Run], metric: str, component: str = "value", **slice_: Any) -> list[float | None]:
    return [run.value(metric, component, **slice_) for run in points.values()]


# -- what they score, suite by suite ---------------------------------------------------------------


@pytest.mark.parametrize("suite", first(["zerospeech2017", "zerospeech2015"]))
def test_term_discovery(suite: str) -> None:
    """The gold finds every word. Without fragments, nothing is found. Every boundary is one of the phones."""
    metrics = ["type", "token", "boundary", "grouping", "ned", "coverage"]
    points = points_of(suite, inputs=CORPUS, metrics=metrics)
    assert list(points) == ["gold", "reject_all", "accept_all"]
    gold, reject, accept = points.values()
    assert [gold[metric].fscore for metric in ("type", "token", "boundary", "grouping")] == [1, 1, 1, 1]
    assert gold["ned"].value == 0
    assert [reject[metric].recall for metric in ("type", "token", "boundary")] == [0, 0, 0]
    assert [reject[metric].fscore for metric in ("type", "token", "boundary")] == [None, None, None]
    assert reject["coverage"].value == 0
    assert accept["boundary"].recall == 1
    assert 0 < (accept["boundary"].precision or 0) < 1


@pytest.mark.parametrize("suite", first(["zerospeech2017", "zerospeech2015"]))
@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("", "speakers=within needs the speakers of the recordings, and none is known"),
        ("zz(.)", "speakers=within needs the speakers of the recordings, and none is known"),
        ("^alpha_s[ai]", "the speaker of recording alpha_sa1 has no name: put the part of speaker_pattern"),
    ],
)
def test_pairs_of_one_speaker_need_known_speakers(suite: str, pattern: str, said: str) -> None:
    params = {"speakers": "within", "speaker_pattern": pattern}
    with pytest.raises(scorespec.InputError) as caught:
        points_of(suite, inputs=CORPUS, params=params, metrics=["token"])
    assert said in str(caught.value)


@slow
def test_recordings_of_unknown_speakers_are_counted_and_left_out_on_both_sides() -> None:
    """The gold of the only recording with a speaker has the scores of a corpus with this recording alone."""
    own = {name: pa.table(_rows_of(path, "alpha_sa1")) for name, path in CORPUS.items()}
    params = {"speakers": "within", "speaker_pattern": "^alpha_(s)a1"}
    of_one, whole = (
        points_of("zerospeech2017", inputs=inputs, params=params, metrics=["token", "coverage"])["gold"]
        for inputs in (own, CORPUS)
    )
    assert whole["token"].recall == of_one["token"].recall
    assert whole["coverage"].value == of_one["coverage"].value
    others = len({line.split()[0] for line in CORPUS["phones"].read_text().splitlines()}) - 1
    said = "\n".join(whole.warnings)
    assert f"{others} of {others + 1} recordings have no known speaker;" in said
    assert "have no other fragment of their speaker in their cluster" in said


def _rows_of(path: Path, file: str) -> dict[str, list[Any]]:
    """The rows of a recording in a file of phones or words."""
    rows = [line.split() for line in path.read_text().splitlines() if line.startswith(f"{file} ")]
    times = ([float(row[at]) for row in rows] for at in (1, 2))
    return dict(
        zip(("file", "onset", "offset", "label"), ([file] * len(rows), *times, [row[3] for row in rows]), strict=True)
    )


def test_a_phone_whose_midpoint_is_the_end_of_a_word_belongs_to_the_next() -> None:
    """Of three phones, the first has its midpoint at the onset of the word, the third at its offset."""
    phones = {"file": ["f"] * 5, "onset": [0, 0.25, 0.5, 1, 1.25], "offset": [0.25, 0.5, 0.75, 1.25, 1.5]}
    words = {"file": ["f"] * 2, "onset": [0.125, 1], "offset": [0.625, 1.5], "label": ["ab", "ab"]}
    inputs = {"phones": pa.table({**phones, "label": [*"abcab"]}), "words": pa.table(words)}
    gold = points_of("zerospeech2017", inputs=inputs, metrics=["ned"])["gold"]
    assert gold["ned"].pairs == 1  # both words are "a b"


@slow
def test_the_evaluator_of_2015_gives_nothing_found_the_score_0() -> None:
    points = points_of("tde2015", inputs={**CORPUS, **FOLDS}, metrics=["token", "boundary", "ned"])
    assert of(points, "token", "fscore")[:2] == [1, 0]
    assert of(points, "boundary", "fscore")[:2] == [1, 0]
    assert of(points, "ned") == [0, 1, 1]


@pytest.mark.parametrize("suite", first(["std2006", "openkws13", "sws2012", "sws2013"]))
def test_term_detection(suite: str) -> None:
    """TWV is 1 for a perfect system, 0 for one that rejects all, and 1 - beta for one that accepts all."""
    metrics = ["prior", "atwv", "p_miss", "p_fa", "cnxe", "mtwv", "cost"]
    points = points_of(suite, inputs=SEARCH, metrics=metrics)
    beta = points["gold"]["prior"].beta
    assert beta is not None
    assert of(points, "atwv") == near(1, 0, 1 - beta)
    assert of(points, "p_miss") == [0, 1, 0]
    assert of(points, "p_fa") == near(0, 0, 1)
    assert of(points, "cnxe") == near(0, 1, 1)
    assert of(points, "mtwv")[0] == 1
    assert of(points, "cost", "c_norm")[0] == 0


def test_points_have_metrics_of_another_suite(write: Write) -> None:
    """What the system brings for these, here its measurements, is read as for the system."""
    brought = {"measurements": write("m.csv", "phase,cpu_hours,peak_gb\nindex,1,2\nsearch,1,2\n")}
    brought["query_examples"] = write("e.csv", "query,example,dur\nq,a,0.5\n")
    run = scorespec.score(
        "sws2013", inputs={**SEARCH, **brought, "detections": DETECTION / "small" / "kwslist.xml"},
        metrics=["atwv", "resources.pmu_index"], with_reference_points=True, keep_evidence=False,
    )  # fmt: skip
    points = dict(run.reference_points)
    assert of(points, "atwv")[:2] == near(1, 0)
    assert of(points, "resources.pmu_index") == [2, 2, 2]


def test_query_by_example() -> None:
    points = points_of("quesst2015", inputs=TRIALS, metrics=["prior", "atwv", "p_miss", "p_fa", "cnxe"])
    beta = points["gold"]["prior"].beta
    assert beta is not None
    assert of(points, "atwv") == near(1, 0, 1 - beta)
    assert of(points, "p_miss") == [0, 1, 0]
    assert of(points, "p_fa") == [0, 0, 1]
    assert of(points, "cnxe") == near(0, 1, 1)


@pytest.mark.parametrize("suite", first(["speech_ne", "muc_ne"]))
def test_named_entities(suite: str) -> None:
    points = points_of(suite, reference=ENTITIES / "noisy200.ref.sgml", metrics="entities")
    assert of(points, "entities", "fscore") == [1, None]
    assert of(points, "entities", "recall") == [1, 0]
    assert of(points, "entities", "slot_error_rate") == [0, 1]


@pytest.mark.parametrize("suffix", first(["sgml", "stm", "trn"]))
def test_word_errors(suffix: str) -> None:
    """The order of words is kept, whatever the order in which DuckDB returns rows."""
    points = points_of("wer", reference=ENTITIES / f"noisy200.ref.{suffix}", metrics="wer")
    assert of(points, "wer") == [0, 1]
    assert of(points, "wer", "deletions") == [0, points["gold"]["wer"].words]


@pytest.mark.parametrize("suite", first(["articulation", "articubench"]))
def test_articulation(suite: str) -> None:
    baseline = {"baseline": SYNTHESES / "submission_baseline.parquet"}
    points = points_of(suite, inputs={**TOKENS, **baseline})
    assert list(points) == ["gold", "baseline"]
    for metric in ("tongue_height", "ema", "loudness", "spectrogram", "semantic_distance"):
        assert of(points, metric, **TASK) == near(100, 0)
    assert points["gold"].value("total", **TASK) == pytest.approx(700)


def test_reference_points_have_the_tasks_that_are_allowed() -> None:
    """Also if a name is given twice."""
    inputs = {**TOKENS, "baseline": SYNTHESES / "submission_baseline.parquet"}
    params = {"task_names": ["humming", "copy-synthesis", "humming"]}
    points = points_of("articulation", inputs=inputs, params=params, metrics="loudness")
    for run in points.values():
        assert {each["task"] for each in run["loudness"].slices} == {"baseline", "copy-synthesis", "humming"}
    assert of(points, "loudness", task="humming") == near(100, 0)


def test_a_point_whose_input_is_not_given_is_left_out() -> None:
    points = points_of("articulation", inputs=TOKENS, params={"baseline_loudness": 1}, metrics="loudness")
    assert list(points) == ["gold"]


# -- options and inputs ----------------------------------------------------------------------------


QUIZ = """\
domain: toy
suites:
  asked:
    about: A quiz with reference points.
    inputs: [items, answers]
    optional: [parts]
    metrics: [share, part_accuracy]
    folds: {column: part, input: parts, count: n_parts}
    reference_points: [all_right, silent, all_wrong]
reference_points:
  all_right: {about: Every answer is right., inputs: {answers: right_answers}}
  silent: {about: Nothing is answered., inputs: {answers: no_answers}}
  all_wrong: {about: Every answer is wrong., inputs: {answers: wrong_answers}}
relations:
  right_answers:
    about: One row per item, with the right answer and a score below 0.
    sql: SELECT item AS file, topic AS speaker, item, 'yes' AS said, 'yes' AS wanted, -1e0 AS score FROM {{ items }}
  no_answers:
    about: No row.
    sql: FROM {{ right_answers }} WHERE false
  wrong_answers:
    about: One row per item, with a wrong answer.
    sql: SELECT * REPLACE ('no' AS said) FROM {{ right_answers }}
  checked_answers:
    about: One row per answer.
    sql: SELECT file, said = wanted AS is_right, score FROM {{ answers }}
    warnings:
      - {sql: score < 0, says: "{count} of {rows} scores are below 0"}
      - {sql: score <= -1, says: "{count} scores look like logarithms", submissions_only: true}
metrics:
  share:
    about: Share of right answers.
    kind: statistics
    from: checked_answers
    unit: [file]
    statistics: {correct: count(*) FILTER (WHERE is_right), wrong: count(*) FILTER (WHERE NOT is_right)}
    components: {value: "ratio(correct, correct + wrong)", wrong: wrong}
"""
CALL = ("asked", "items=items.csv", "--specs", "specs", "--metric", "share", "--quiet")
MIXED = "answers=answers.csv"  # one of two answers is right


@pytest.fixture
def quiz(folder: Path) -> Path:
    """The folder of the documents of a quiz. The current folder has its items and a submission."""
    specs = shutil.copytree(DATA.parent / "toy", folder / "specs")
    (specs / "asked.yaml").write_text(QUIZ)
    (folder / "items.csv").write_text("item,topic\ni1,talk\ni2,pets\n")
    (folder / "answers.csv").write_text(
        "file,speaker,item,said,wanted,score\ni1,talk,i1,yes,yes,-2\ni2,pets,i2,no,yes,-2\n"
    )
    return specs


def test_breakdowns_folds_metrics_and_parameters(quiz: Path) -> None:
    params = {"n_parts": 2, "pass_score": -2}
    options = {
        "by": "file",
        "folds": True,
        "metrics": "part_accuracy",
        "params": params,
        "specs": quiz,
        "keep_evidence": False,
    }
    right = scorespec.reference_points("asked", items="items.csv", **options)["all_right"]
    assert {row["value"] for row in right.table()} == {1, None}
    assert {"file", "part"} in [set(each) for each in right["part_accuracy"].slices]
    assert right.parameters["n_parts"] == 2


def test_objects_that_can_be_read_once(quiz: Path) -> None:
    items = pa.csv.read_csv("items.csv")
    options = {"metrics": "share", "specs": quiz, "keep_evidence": False}
    points = scorespec.reference_points("asked", items=items.to_reader(), **options)
    assert of(points, "share") == [1, None, 0]
    inputs = {"items": [items.to_reader()], "answers": "answers.csv"}  # a part of a list is read like a single object
    run = scorespec.score("asked", inputs=inputs, with_reference_points=True, **options)
    assert of(dict(run.reference_points), "share") == [1, None, 0]
    assert run["share"].value == 0.5


def test_a_pipe_is_read_once(cli: Command, quiz: Path) -> None:
    read, write = os.pipe()
    os.write(write, Path("items.csv").read_bytes())
    os.close(write)
    try:
        done = cli("reference-points", CALL[0], f"items=/dev/fd/{read}", *CALL[2:], "--format", "csv")
    finally:
        os.close(read)
    assert "share,value,{},1.0,,,,all_right" in done.scored()


# -- what is shown and saved -----------------------------------------------------------------------

POINTS_OF_QUIZ = ["all_right", "silent", "all_wrong"]


def test_alone(cli: Command, quiz: Path) -> None:
    """Inputs of a submission are not read."""
    cli("score", *CALL, MIXED, "-o", "r.duckdb").scored()
    out = cli("reference-points", *CALL, "answers=there_is_none.csv", "-o", "r.duckdb").scored()
    assert [line.split() for line in out.splitlines()[:3]] == [
        ["metric", "component", "all_right", "silent", "all_wrong"],
        ["share", "value", "1.0000", "0.0000"],
        ["share", "wrong", "0.0000", "0.0000", "2"],
    ]
    found = json.loads(cli("reference-points", *CALL, "--format", "json").scored())["reference_points"]
    assert [(name, each["run"]["reference_point"]) for name, each in found.items()] == [
        (name, name) for name in POINTS_OF_QUIZ
    ]
    assert found["all_right"]["scores"][0]["value"] == 1
    written = list(csv.DictReader(io.StringIO(cli("reference-points", *CALL, "--format", "csv").scored())))
    assert [row["reference_point"] for row in written] == [name for name in POINTS_OF_QUIZ for _ in range(2)]
    assert "correct = 0, wrong = 0" in written[2]["note"]
    rows = scorespec.open_results("r.duckdb").sql("SELECT reference_point FROM runs ORDER BY id").to_pylist()
    assert [row["reference_point"] for row in rows] == [None, *POINTS_OF_QUIZ]


@slow
def test_beside_a_submission(cli: Command, quiz: Path) -> None:
    call = ("score", *CALL, MIXED, "--with-reference-points")
    out = cli(*call, "-o", "r.duckdb").scored()
    assert [line.split() for line in out.splitlines()[:3]] == [
        ["metric", "component", "value", "all_right", "silent", "all_wrong"],
        ["share", "value", "0.5000", "1.0000", "0.0000"],
        ["share", "wrong", "1.0000", "0.0000", "0.0000", "2"],
    ]
    found = json.loads(cli(*call, "--format", "json").scored())
    assert "reference_point" not in found["run"]
    assert list(found["reference_points"]) == POINTS_OF_QUIZ
    written = list(csv.DictReader(io.StringIO(cli(*call, "--format", "csv").scored())))
    assert [row["reference_point"] for row in written[:3]] == ["", "", "all_right"]
    rows = scorespec.open_results("r.duckdb").sql(
        "SELECT reference_point, value FROM scores JOIN runs ON run = id WHERE component = 'value' ORDER BY value"
    )
    assert [row["reference_point"] for row in rows.to_pylist()] == ["all_wrong", None, "all_right", "silent"]


def test_each_warning_is_printed_once(cli: Command, quiz: Path) -> None:
    """A warning names the reference points that have it; a warning about the submission is not repeated.

    Reference points have no warnings about mistakes in submissions.
    """
    below = "2 of 2 scores are below 0"
    loud = [each for each in CALL if each != "--quiet"]
    said = cli("reference-points", *loud).err
    assert said == f"warning: reference points all_right, all_wrong: {below}\n"
    said = cli("score", *loud, MIXED, "--with-reference-points").err
    assert sorted(said.splitlines()) == [f"warning: {below}", "warning: 2 scores look like logarithms"]


def test_the_gold_in_the_table_of_a_submission() -> None:
    rows = pa.table({"label": [1, 0, 0], "score": [0.5, 0.7, -1.0]})
    points = points_of("verification", inputs={"scores": rows})
    assert of(points, "cllr") == near(0, 1)
    assert of(points, "counts", "targets") == [1, 1]
    with pytest.raises(scorespec.UsageError, match=r"^missing input 'trials'"):
        points_of("verification", inputs={})


def test_shipped_suites_do_not_warn_reference_points_of_mistakes_in_submissions(cli: Command, folder: Path) -> None:
    """A submission whose detections all have YES is likely to be a mistake; a reference point with YES only is not."""
    rows = (DETECTION / "small" / "dets.tsv").read_text().splitlines(keepends=True)
    (folder / "yes.tsv").write_text("".join(row for row in rows if not row.endswith("NO\n")))
    call = ("sws2013", *(f"{name}={path}" for name, path in SEARCH.items()), "--metric", "mtwv")
    said = cli("score", *call, "detections=yes.tsv", "--with-reference-points").err
    assert re.findall("(.*)all [0-9]+ detections have the decision YES", said) == ["warning: "]


def test_a_suite_without_reference_points_is_refused_before_it_is_scored(
    cli: Command, folder: Path, write: Write
) -> None:
    write("mine.yaml", OWN_SUITE)
    said = "error: suite 'mine' has no reference points; declare them under its key `reference_points`"
    cli("score", *MINE, "fragments=alpha.class", "--with-reference-points").refused(said, code=2)


def test_without_the_option_nothing_is_added(cli: Command, quiz: Path) -> None:
    assert "reference_points" not in json.loads(cli("score", *CALL, MIXED, "--format", "json").scored())
    written = cli("score", *CALL, MIXED, "--format", "csv").scored()
    assert written.startswith("metric,component,slice,value,std,folds,note\n")


# -- documents of users ----------------------------------------------------------------------------

POINTS = """\
    reference_points: [halves]
reference_points:
  halves:
    about: The words that begin in the first half of a minute.
    inputs: {fragments: early_words}
relations:
  early_words:
    about: One row per word that begins in the first half of a minute, in a cluster of its label.
    sql: SELECT label AS cluster, file, onset, "offset" FROM {{ words }} WHERE onset % 60 < 30
"""
MINE = ("mine", "phones=alpha.phn", "words=alpha.wrd", "--specs", "mine.yaml", "--quiet")


def test_a_suite_of_a_user(cli: Command, folder: Path, write: Write) -> None:
    write("mine.yaml", OWN_SUITE)
    said = "error: suite 'mine' has no reference points; declare them under its key `reference_points`"
    cli("reference-points", *MINE).refused(said, code=2)
    write("mine.yaml", OWN_SUITE + POINTS)
    assert cli("check", "mine.yaml").out == "1 document, 0 metrics, 0 cases: all well\n"
    words = [line.split() for line in CORPUS["words"].read_text().splitlines()]
    share = sum(float(onset) % 60 < 30 for _, onset, _, _ in words) / len(words)
    found = json.loads(cli("reference-points", *MINE, "--format", "json").out)["reference_points"]["halves"]["scores"]
    assert [row["value"] for row in found] == near(1, share, 2 * share / (1 + share))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("fragments: early", "fragment: early", "12:14: unknown input 'fragment'; did you mean 'fragments'?"),
        ("fragments: early_words", "fragments: late", "12:25: unknown relation 'late'; "),
        (
            "about: The words",
            "abut: The words",
            "10:3: reference_points.halves has no 'about'\nmine.yaml:11:5: unknown key",
        ),
        ("  halves:", "  value:", '10:3: "value" is reserved for the engine; choose another name'),
        ("  halves:", "  percentile_low:", '10:3: "percentile_low" is reserved for the engine; choose another name'),
        (
            "SELECT label AS cluster, file",
            "SELECT label, file",
            "12:25: relation 'early_words' lacks the column 'cluster' of the input 'fragments'",
        ),
        (
            "    sql: SELECT label",
            "    needs: [fragments]\n    sql: SELECT label",
            "12:25: relation 'early_words' reads the input 'fragments', which is part of a submission",
        ),
        ("onset % 60", "onzet % 60", "14:3: relation early_words: "),
        (
            "    inputs: {frag",
            "    input: speaker\n    inputs: {frag",
            "12:12: unknown input 'speaker'; did you mean 'speakers'?",
        ),
        (
            "    inputs: {frag",
            "    input: speakers\n    inputs: {frag",
            "8:24: reference point 'halves' names 'speakers', which is no input of this suite",
        ),
        ("[halves]", "[halfs]", "8:24: unknown reference point 'halfs'; did you mean 'halves'?"),
    ],
)
def test_a_faulty_document_is_refused_at_its_line(
    cli: Command, folder: Path, write: Write, old: str, new: str, said: str
) -> None:
    assert old in POINTS
    write("mine.yaml", OWN_SUITE + POINTS.replace(old, new))
    checked = cli("check", "mine.yaml")
    assert checked.code == 1
    assert checked.err.startswith(f"mine.yaml:{said}")


def test_rows_that_fail_a_check_are_refused(cli: Command, folder: Path, write: Write) -> None:
    write("mine.yaml", OWN_SUITE + POINTS.replace("file, onset", "'other' AS file, onset"))
    said = cli("reference-points", *MINE)
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith("<fragments>:1: unknown file other: no phone and no word is in it\n")


def test_a_submission_is_shown_and_saved_if_a_reference_point_fails(cli: Command, folder: Path, write: Write) -> None:
    write("mine.yaml", OWN_SUITE + POINTS.replace("file, onset", "'other' AS file, onset"))
    done = cli("score", *MINE, "fragments=alpha.class", "--with-reference-points", "-o", "r.duckdb")
    assert done.code == 1
    assert re.search(r"^token +fscore +1\.0000", done.out, re.MULTILINE)
    rows = scorespec.open_results("r.duckdb").sql("SELECT suite, reference_point FROM runs").to_pylist()
    assert rows == [{"suite": "mine", "reference_point": None}]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("resources",), "suite 'resources' has no reference points; declare them under its key `reference_points`"),
        (
            ("zerospeech2017", "words=alpha.wrd"),
            "missing input 'phones': One row per phone token of the corpus, from a forced alignment.\n"
            "  formats: phn, textgrid_labels, eaf_labels, csv, tsv, parquet\n"
            "  give it as phones=PATH",
        ),
        (
            ("zerospeech2017", "phones=alpha.phn", "words=alpha.wrd", "gold=x"),
            "unknown input 'gold' of suite 'zerospeech2017'; ",
        ),
    ],
)
def test_a_wrong_call_is_refused(cli: Command, folder: Path, command: tuple[str, ...], said: str) -> None:
    done = cli("reference-points", *command)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {said}")
