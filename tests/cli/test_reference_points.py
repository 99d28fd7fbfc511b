"""Reference points: submissions that are computed from the gold, and what they must score."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.csv
import pytest
from command_line import DATA, OWN_SUITE, Command

import scorespec
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


def of(points: dict[str, Run], metric: str, component: str = "value", **slice_: Any) -> list[float | None]:
    return [run.value(metric, component, **slice_) for run in points.values()]


# -- what they score, suite by suite ---------------------------------------------------------------


@pytest.mark.parametrize("suite", ["zerospeech2015", "zerospeech2017"])
def test_term_discovery(suite: str) -> None:
    """The gold finds every word. Without fragments, nothing is found. Every boundary is one of the phones."""
    metrics = ["type", "token", "boundary", "grouping", "ned", "coverage"]
    points = scorespec.reference_points(suite, inputs=CORPUS, metrics=metrics)
    assert list(points) == ["gold", "reject_all", "accept_all"]
    gold, reject, accept = points.values()
    assert [gold[metric].fscore for metric in ("type", "token", "boundary", "grouping")] == [1, 1, 1, 1]
    assert gold["ned"].value == 0
    assert [reject[metric].recall for metric in ("type", "token", "boundary")] == [0, 0, 0]
    assert [reject[metric].fscore for metric in ("type", "token", "boundary")] == [None, None, None]
    assert reject["coverage"].value == 0
    assert accept["boundary"].recall == 1
    assert 0 < (accept["boundary"].precision or 0) < 1


def test_the_evaluator_of_2015_gives_nothing_found_the_score_0() -> None:
    points = scorespec.reference_points("tde2015", inputs={**CORPUS, **FOLDS}, metrics=["token", "boundary", "ned"])
    assert of(points, "token", "fscore")[:2] == [1, 0]
    assert of(points, "boundary", "fscore")[:2] == [1, 0]
    assert of(points, "ned") == [0, 1, 1]


@pytest.mark.parametrize("suite", ["std2006", "openkws13", "sws2012", "sws2013"])
def test_term_detection(suite: str) -> None:
    """TWV is 1 for a perfect system, 0 for one that rejects all, and 1 - beta for one that accepts all."""
    metrics = ["prior", "atwv", "p_miss", "p_fa", "cnxe", "mtwv", "cost"]
    points = scorespec.reference_points(suite, inputs=SEARCH, metrics=metrics)
    beta = points["gold"]["prior"].beta
    assert beta is not None
    assert of(points, "atwv") == near(1, 0, 1 - beta)
    assert of(points, "p_miss") == [0, 1, 0]
    assert of(points, "p_fa") == near(0, 0, 1)
    assert of(points, "cnxe") == near(0, 1, 1)
    assert of(points, "mtwv")[0] == 1
    assert of(points, "cost", "c_norm")[0] == 0


def test_query_by_example() -> None:
    points = scorespec.reference_points(
        "quesst2015", inputs=TRIALS, metrics=["prior", "atwv", "p_miss", "p_fa", "cnxe"]
    )
    beta = points["gold"]["prior"].beta
    assert beta is not None
    assert of(points, "atwv") == near(1, 0, 1 - beta)
    assert of(points, "p_miss") == [0, 1, 0]
    assert of(points, "p_fa") == [0, 0, 1]
    assert of(points, "cnxe") == near(0, 1, 1)


@pytest.mark.parametrize("suite", ["speech_ne", "muc_ne"])
def test_named_entities(suite: str) -> None:
    points = scorespec.reference_points(suite, reference=ENTITIES / "noisy200.ref.sgml", metrics="entities")
    assert of(points, "entities", "fscore") == [1, None]
    assert of(points, "entities", "recall") == [1, 0]
    assert of(points, "entities", "slot_error_rate") == [0, 1]


@pytest.mark.parametrize("suffix", ["sgml", "stm", "trn"])
def test_word_errors(suffix: str) -> None:
    """The order of words is kept, whatever the order in which DuckDB returns rows."""
    points = scorespec.reference_points("wer", reference=ENTITIES / f"noisy200.ref.{suffix}")
    assert of(points, "wer") == [0, 1]
    assert of(points, "wer", "deletions") == [0, points["gold"]["wer"].words]


@pytest.mark.parametrize("suite", ["articulation", "articubench"])
def test_articulation(suite: str) -> None:
    baseline = {"baseline": SYNTHESES / "submission_baseline.parquet"}
    points = scorespec.reference_points(suite, inputs={**TOKENS, **baseline})
    assert list(points) == ["gold", "baseline"]
    for metric in ("tongue_height", "ema", "loudness", "spectrogram", "semantic_distance"):
        assert of(points, metric, **TASK) == near(100, 0)
    assert points["gold"].value("total", **TASK) == pytest.approx(700)


def test_reference_points_have_the_tasks_that_are_allowed() -> None:
    """Also if a name is given twice."""
    inputs = {**TOKENS, "baseline": SYNTHESES / "submission_baseline.parquet"}
    params = {"task_names": ["humming", "copy-synthesis", "humming"]}
    points = scorespec.reference_points("articulation", inputs=inputs, params=params, metrics="loudness")
    for run in points.values():
        assert {each["task"] for each in run["loudness"].slices} == {"baseline", "copy-synthesis", "humming"}
    assert of(points, "loudness", task="humming") == near(100, 0)


def test_a_point_whose_input_is_not_given_is_left_out() -> None:
    own = {f"baseline_{name}": 1 for name in ("tongue_height", "ema", "loudness", "spectrogram", "semantic_distance")}
    points = scorespec.reference_points("articulation", inputs=TOKENS, params=own)
    assert list(points) == ["gold"]


# -- options and inputs ----------------------------------------------------------------------------


def test_breakdowns_folds_metrics_and_parameters() -> None:
    params = {"n_folds": 2, "fold_order": "runs"}  # so that a file is not in every fold
    points = scorespec.reference_points(
        "zerospeech2015", inputs=CORPUS, by="file", folds=True, metrics="token", params=params
    )
    gold = points["gold"]
    assert {row["value"] for row in gold.table()} == {1, None}
    assert {"talkers", "file", "fold"} in [set(each) for each in gold["token"].slices]
    assert gold.parameters["n_folds"] == 2


def test_objects_that_can_be_read_once() -> None:
    def table(name: str) -> pa.Table:
        options = pa.csv.ReadOptions(column_names=["file", "onset", "offset", "label"])
        return pa.csv.read_csv(CORPUS[name], options, pa.csv.ParseOptions(delimiter=" "))

    readers = {name: table(name).to_reader() for name in CORPUS}
    points = scorespec.reference_points("zerospeech2017", inputs=readers, metrics="token")
    assert of(points, "token", "recall")[:2] == [1, 0]
    readers = {name: [table(name).to_reader()] for name in CORPUS}  # lists have parts that are read like single objects
    fragments = DATA / "alpha.jitter.class"
    run = scorespec.score(
        "zerospeech2017", inputs={**readers, "fragments": fragments}, metrics="token", with_reference_points=True
    )
    assert of(dict(run.reference_points), "token", "recall")[:2] == [1, 0]
    assert run["token"].recall == pytest.approx(0.6860, abs=1e-4)


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    command = f"{sys.executable} -m scorespec reference-points zerospeech2017 --metric token --quiet --format csv "
    command += f"phones=<(cat {CORPUS['phones']}) words={CORPUS['words']}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    assert "token,fscore,{},1.0,,,,gold" in done.stdout


def test_inputs_of_a_submission_are_not_read(cli: Command, folder: Path) -> None:
    call = ("reference-points", "zerospeech2017", "phones=alpha.phn", "words=alpha.wrd", "--metric", "token")
    assert cli(*call, "fragments=there_is_none.class") == cli(*call)


# -- what is shown and saved -----------------------------------------------------------------------

CALL = ("zerospeech2017", "phones=alpha.phn", "words=alpha.wrd", "--metric", "token", "--quiet")


def test_alone(cli: Command, folder: Path) -> None:
    out = cli("reference-points", *CALL, "-o", "r.duckdb").out
    assert [line.split() for line in out.splitlines()[:3]] == [
        ["metric", "component", "gold", "reject_all", "accept_all"],
        ["token", "precision", "1.0000", "0.1251"],
        ["token", "recall", "1.0000", "0.0000", "0.3282"],
    ]
    found = json.loads(cli("reference-points", *CALL, "--format", "json").out)["reference_points"]
    assert [(name, each["run"]["reference_point"]) for name, each in found.items()] == [
        (name, name) for name in ("gold", "reject_all", "accept_all")
    ]
    assert found["gold"]["scores"][0]["value"] == 1
    written = list(csv.DictReader(io.StringIO(cli("reference-points", *CALL, "--format", "csv").out)))
    assert [row["reference_point"] for row in written] == ["gold"] * 3 + ["reject_all"] * 3 + ["accept_all"] * 3
    assert "found = 0" in written[3]["note"]
    rows = scorespec.open_results("r.duckdb").sql("SELECT reference_point FROM runs ORDER BY id").to_pylist()
    assert [row["reference_point"] for row in rows] == ["gold", "reject_all", "accept_all"]


def test_beside_a_submission(cli: Command, folder: Path) -> None:
    call = ("score", *CALL, f"fragments={DATA / 'alpha.jitter.class'}", "--with-reference-points")
    out = cli(*call, "-o", "r.duckdb").out
    assert [line.split() for line in out.splitlines()[:3]] == [
        ["metric", "component", "value", "gold", "reject_all", "accept_all"],
        ["token", "precision", "0.6969", "1.0000", "0.1251"],
        ["token", "recall", "0.6860", "1.0000", "0.0000", "0.3282"],
    ]
    found = json.loads(cli(*call, "--format", "json").out)
    assert "reference_point" not in found["run"]
    assert list(found["reference_points"]) == ["gold", "reject_all", "accept_all"]
    written = list(csv.DictReader(io.StringIO(cli(*call, "--format", "csv").out)))
    assert [row["reference_point"] for row in written[:4]] == ["", "", "", "gold"]
    rows = scorespec.open_results("r.duckdb").sql(
        "SELECT reference_point, value FROM scores JOIN runs ON run = id WHERE component = 'recall' ORDER BY value"
    )
    assert [row["reference_point"] for row in rows.to_pylist()] == ["reject_all", "accept_all", None, "gold"]


def test_each_warning_is_printed_once(cli: Command, folder: Path) -> None:
    """A warning names the reference points that have it; a warning about the submission is not repeated."""
    call = ("sws2013", *(f"{name}={path}" for name, path in SEARCH.items()), "--metric", "mtwv")
    unspoken = "1 of 5 queries have no occurrence; miss rates are averaged over the other queries"

    said = cli("reference-points", *call).err
    assert said.count(unspoken) == 1
    assert f"warning: reference points gold, reject_all, accept_all: {unspoken}\n" in said
    said = cli("score", *call, f"detections={DETECTION / 'small' / 'kwslist.xml'}", "--with-reference-points").err
    assert said.count(unspoken) == 1
    assert f"warning: {unspoken}\n" in said


def test_reference_points_are_not_warned_of_mistakes_in_submissions(cli: Command, folder: Path) -> None:
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


def test_without_the_option_nothing_is_added(cli: Command, folder: Path) -> None:
    call = ("score", *CALL, f"fragments={DATA / 'alpha.jitter.class'}")
    assert "reference_points" not in json.loads(cli(*call, "--format", "json").out)
    assert cli(*call, "--format", "csv").out.startswith("metric,component,slice,value,std,folds,note\n")


def test_results_of_an_earlier_version_get_the_column(cli: Command, folder: Path) -> None:
    score = ("score", *CALL, "fragments=alpha.class", "-o", "r.duckdb")
    assert cli(*score).code == 0
    with duckdb.connect("r.duckdb") as old:
        old.execute("ALTER TABLE runs DROP COLUMN reference_point")
    assert cli("reference-points", *CALL, "-o", "r.duckdb").code == 0
    rows = scorespec.open_results("r.duckdb").sql("SELECT reference_point FROM runs ORDER BY id").to_pylist()
    assert [row["reference_point"] for row in rows] == [None, "gold", "reject_all", "accept_all"]


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
    needs: [words]
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
        (
            "SELECT label AS cluster, file",
            "SELECT label, file",
            "12:25: relation 'early_words' lacks the column 'cluster' of the input 'fragments'",
        ),
        (
            "needs: [words]",
            "needs: [words, fragments]",
            "12:25: relation 'early_words' reads the input 'fragments', which is part of a submission",
        ),
        ("onset % 60", "onzet % 60", "14:3: relation early_words: "),
        (
            "    inputs: {frag",
            "    input: talker\n    inputs: {frag",
            "12:12: unknown input 'talker'; did you mean 'talkers'?",
        ),
        (
            "    inputs: {frag",
            "    input: talkers\n    inputs: {frag",
            "8:24: reference point 'halves' names 'talkers', which is no input of this suite",
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
            "  give it as phones=PATH",
        ),
        (("zerospeech2017", *CALL[1:3], "gold=x"), "unknown input 'gold' of suite 'zerospeech2017'; "),
    ],
)
def test_a_wrong_call_is_refused(cli: Command, folder: Path, command: tuple[str, ...], said: str) -> None:
    done = cli("reference-points", *command)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {said}")
