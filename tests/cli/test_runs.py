"""Runs have names; a run supersedes an older one of the same system; runs are listed, shown and removed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import duckdb
import pytest
from command_line import DATA, ask, strict

import scorespec
from marks import first, slow
from scorespec.core.result_tables import VERSION

TOKEN = ("--metric", "token", "--quiet")
QUICK = ("--metric", "token", "--quiet", "--no-evidence")
NAMED = DATA.parent / "named_entities"
KWS = DATA.parent / "term_detection" / "small"


@pytest.fixture
def stored(score, stored_run):
    """Scores into `r.duckdb`, without evidence; what is printed. The first run of a file comes from an earlier test."""

    def run(*arguments: str) -> str:
        if Path("r.duckdb").exists():
            return score(*QUICK, "-o", "r.duckdb", *arguments).scored()
        results, printed = stored_run(*QUICK, *arguments)
        shutil.copy(results, "r.duckdb")
        return printed

    return run


def superseded() -> list[object]:
    """The run that superseded each run."""
    return [each for (each,) in ask("SELECT superseded_by FROM runs ORDER BY id")]


# -- names -------------------------------------------------------------------------------------------


def test_a_run_has_a_name_a_corpus_and_metadata(score, write):
    write("more.yaml", "team: ours\nseeds: [1, 2]\nday: 2026-01-02\n")
    named = ("--name", "base", "--corpus", "dev", "--meta", "more.yaml", "--meta", "team=theirs", "--meta", "a=b=c")
    score(*QUICK, "-o", "r.duckdb", *named).scored()
    meta = {"team": "theirs", "seeds": [1, 2], "day": "2026-01-02", "a": "b=c"}
    ((name, corpus, found),) = ask("SELECT name, corpus, meta FROM runs")
    assert (name, corpus, json.loads(str(found))) == ("base", "dev", meta)
    run = strict(score(*QUICK, *named, "--format", "json").scored())["run"]
    assert (run["name"], run["corpus"], run["meta"]) == ("base", "dev", meta)


def test_a_run_without_a_name_has_the_path_of_its_submission(stored, folder):
    stored()
    Path("subs").mkdir()
    shutil.copy("alpha.class", "subs/beta.class")
    stored("fragments=subs/beta.class")
    assert ask("SELECT name, corpus, meta FROM runs ORDER BY id") == [
        ("alpha.class", None, "{}"),
        ("subs/beta.class", None, "{}"),
    ]


@pytest.mark.parametrize(("suite", "detections"), [("std2006", "stdlist.xml"), ("openkws13", "kwslist.xml")])
def test_the_name_that_a_file_states_comes_before_its_path(suite, detections):
    queries, audio = {"std2006": "tlist.xml", "openkws13": "kwlist.xml"}[suite], KWS / "ecf.xml"
    inputs = {"queries": KWS / queries, "audio": audio, "references": KWS / "ref.rttm", "detections": KWS / detections}
    options = {"metrics": "p_miss", "keep_evidence": False}
    assert scorespec.score(suite, inputs=inputs, **options).name == "synthetic"
    assert scorespec.score(suite, inputs=inputs, name="mine", **options).name == "mine"
    inputs["detections"] = KWS / "dets.tsv"
    assert scorespec.score(suite, inputs=inputs, **options).name == str(KWS / "dets.tsv")


def test_a_run_of_an_object_is_called_by_its_number(stored, folder):
    import pyarrow as pa

    fragments = pa.table({"file": ["alpha_sa1"], "onset": [0.0], "offset": [0.5], "cluster": ["1"]})
    gold = {"phones": "alpha.phn", "words": "alpha.wrd"}
    for _ in range(2):
        options = {"metrics": "token", "output": "r.duckdb", "keep_evidence": False}
        scorespec.score("zerospeech2017", **gold, fragments=fragments, **options)
    assert ask("SELECT name, superseded_by FROM runs ORDER BY id") == [("run 1", None), ("run 2", None)]


@pytest.mark.parametrize(
    ("meta", "said"),
    [
        ("x", "error: --meta 'x': write KEY=VALUE or FILE.yaml"),
        ("none.yaml", "error: --meta none.yaml: No such file or directory"),
        ("list.yaml", "error: --meta list.yaml: write a mapping, such as `team: ours`"),
        ("wrong.yaml", "wrong.yaml:2: expected the node content, but found '<stream end>'"),
    ],
)
def test_metadata_that_cannot_be_read(score, write, meta, said):
    write("list.yaml", "- 1\n")
    write("wrong.yaml", "a: [\n")
    score("--meta", meta).refused(said, code=2)


# -- supersession ------------------------------------------------------------------------------------


def test_a_run_supersedes_an_older_one_of_the_same_system(score):
    for options in ((), ("--name", "other"), (), ()):
        score(*TOKEN, "-o", "r.duckdb", *options).scored()
    assert superseded() == [3, None, 4, None]
    assert ask("SELECT DISTINCT run FROM current_scores ORDER BY run") == [(2,), (4,)]
    assert ask("SELECT DISTINCT run FROM current_evidence_token_outcomes ORDER BY run") == [(2,), (4,)]
    assert ask("SELECT id FROM current_runs ORDER BY id") == [(2,), (4,)]


@pytest.mark.parametrize(
    "other",
    first(
        [
            ["--name", "other"],
            ["--corpus", "other"],
            ["--metric", "ned"],
            ["--by", "speaker"],
            ["--param", "edge_time=0.02"],
            ["--on-bad-row", "drop"],
            ["words=other.wrd"],
        ],
        3,
    ),
)
def test_a_run_that_differs_supersedes_nothing(stored, other):
    Path("other.wrd").write_text("".join(Path("alpha.wrd").read_text().splitlines(keepends=True)[1:]))
    stored("--name", "alpha.class")
    stored("--name", "alpha.class", *other)
    assert superseded() == [None, None]


def test_a_run_without_intervals_supersedes_none_with_intervals(cli, stored, score):
    for options in (("--confidence", "95"), (), ("--confidence", "95")):
        assert score(*QUICK, "-o", "r.duckdb", *options).code == 0
    assert superseded() == [3, None, None]


def test_a_run_by_other_documents_supersedes_nothing(cli, write):
    write("answers.csv", "file,speaker,item,said,wanted,score\nf,t,i,yes,yes,0.5\n")
    for about in ("First.", "First.", "Second."):
        write("mine.yaml", f"domain: toy\nsuites:\n  mine: {{extends: quiz, about: {about}}}\n")
        specs = ("--specs", str(DATA.parent / "toy"), "--specs", "mine.yaml")
        asked = ("--metric", "accuracy", "--name", "system", "-o", "r.duckdb")
        cli("score", "mine", "answers=answers.csv", *specs, *asked).scored()
    assert superseded() == [2, None, None]


def test_a_later_submission_of_a_system_supersedes_the_earlier_one(stored):
    stored("--name", "base")
    shutil.copy(DATA / "alpha.jitter.class", "alpha.class")
    stored("--name", "base")
    assert superseded() == [2, None]


@slow
def test_a_removed_run_supersedes_nothing_any_more(score, cli):
    for _ in range(3):
        score(*TOKEN, "-o", "r.duckdb").scored()
    assert cli("runs", "remove", "r.duckdb", "alpha.class", "1").scored() == "run 3 is removed\nrun 1 is removed\n"
    assert superseded() == [None]
    tables = [name for (name,) in ask("SELECT table_name FROM duckdb_columns() WHERE column_name = 'run'")]
    assert len(tables) >= 10
    for name in tables:
        assert ask(f"SELECT count(*) FROM {name} WHERE run <> 2") == [(0,)]


def test_the_run_that_is_added_last_supersedes_whatever_the_clocks_say(stored, cli):
    stored()
    Path("r.duckdb").rename("later.duckdb")
    stored()
    with duckdb.connect("later.duckdb") as connection:
        connection.execute("UPDATE runs SET time = time - INTERVAL 1 hour")
    cli("runs", "add", "r.duckdb", "later.duckdb").scored()
    assert superseded() == [2, None]


def test_the_gold_of_the_run_that_is_added_last_is_the_newest(stored, cli):
    stored("--name", "old")
    Path("alpha.wrd").write_text("".join(Path("alpha.wrd").read_text("utf-8").splitlines(keepends=True)[1:]), "utf-8")
    stored("--name", "new")
    with duckdb.connect("r.duckdb") as connection:
        connection.execute("UPDATE runs SET time = time + INTERVAL 1 hour WHERE name = 'old'")
    assert "old (run 1)" in cli("leaderboard", "r.duckdb").out


# -- lists and shows ---------------------------------------------------------------------------------


def test_runs_are_listed(stored, cli):
    stored("--name", "base", "--corpus", "dev")
    stored("--name", "base", "--corpus", "dev")
    head, *rows = cli("runs", "r.duckdb").scored().splitlines()
    assert head.split() == ["id", "time", "name", "corpus", "suite", "superseded_by"]
    assert [row.split()[-1] for row in rows] == ["2", "zerospeech2017"]
    assert re.fullmatch(r" 1  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d  base  dev     zerospeech2017              2", rows[0])
    assert cli("runs", "list", "r.duckdb").scored() == cli("runs", "r.duckdb").scored()
    listed = strict(cli("runs", "r.duckdb", "--format", "json").scored())
    assert [(each["id"], each["name"], each["superseded_by"]) for each in listed] == [(1, "base", 2), (2, "base", None)]
    assert scorespec.open_results("r.duckdb").runs().to_pylist()[0]["corpus"] == "dev"


@pytest.mark.parametrize("format", ["table", "json", "csv"])
def test_a_stored_run_is_printed_as_score_printed_it(score, cli, format):
    shutil.copy(DATA / "alpha.overlap.class", "alpha.class")
    printed = score("-o", "r.duckdb", "--by", "speaker", "--metric", "token", "--metric", "ned", "--format", format)
    shown = cli("runs", "show", "r.duckdb", "1", "--format", format)
    assert printed.err
    assert (shown.code, shown.out, shown.err) == (0, printed.out, printed.err)
    assert cli("runs", "show", "r.duckdb", "alpha.class", "--format", format).out == printed.out


def test_a_stored_run_has_the_layouts_of_its_suite(cli, folder):
    inputs = [f"{name}={NAMED / f'noisy200.{end}.sgml'}" for name, end in (("reference", "ref"), ("hypothesis", "hyp"))]
    printed = cli("score", "muc_ne", *inputs, "--quiet", "--no-evidence", "-o", "r.duckdb", "--format", "muc").scored()
    assert cli("runs", "show", "r.duckdb", "1", "--format", "muc").out == printed


def test_a_run_that_there_is_not(stored, cli):
    stored("--name", "a")
    said = "error: there is no run b of r.duckdb; its runs: 1 a"
    cli("runs", "show", "r.duckdb", "b").refused(said, code=2)
    near = "error: there is no run aa of r.duckdb; did you mean 'a'?"
    cli("runs", "show", "r.duckdb", "aa").refused(near, code=2)
    cli("runs", "remove", "r.duckdb", "1", "b").refused(said, code=2)
    assert superseded() == [None]
    cli("runs", "none.duckdb").refused("error: none.duckdb: no such results database")


def test_a_name_of_several_runs(stored, cli):
    stored("--name", "a", "--corpus", "dev")
    stored("--name", "a", "--corpus", "test")
    said = "error: several runs of r.duckdb are called 'a'; name one by its number: 1 (dev), 2 (test)"
    cli("runs", "show", "r.duckdb", "a").refused(said, code=2)
    cli("compare", "r.duckdb", "a", "a").refused(said, code=2)


def test_a_name_that_is_the_number_of_another_run(stored, cli):
    stored("--name", "2")
    stored("--name", "b")
    said = "run 1 of r.duckdb is called '2', which is also the number of a run; write 1, or 'b' for run 2"
    cli("runs", "remove", "r.duckdb", "2").refused(f"error: {said}", code=2)
    cli("runs", "remove", "r.duckdb", "b").scored()
    said = "r.duckdb has no run 2; run 1 is called '2': write 1 to remove it"
    cli("runs", "remove", "r.duckdb", "2").refused(f"error: {said}", code=2)
    assert ask("SELECT id FROM runs") == [(1,)]


# -- files of other versions -------------------------------------------------------------------------


@pytest.mark.parametrize("version", first([99, 0]))
def test_a_file_of_another_version_is_refused(stored, score, cli, version):
    stored()
    with duckdb.connect("r.duckdb") as connection:
        connection.execute(f"UPDATE results_version SET version = {version}")
    other = f"its tables have version {version}, and this scorespec has version {VERSION} of them"
    reason = f"{other}; scorespec {scorespec.__version__} wrote it"
    score(*TOKEN, "-o", "r.duckdb").refused(f"error: cannot write results to r.duckdb: {reason}")
    for command in ("remove", "show"):
        cli("runs", command, "r.duckdb", "1").refused(f"error: r.duckdb: cannot be read: {reason}")


def test_a_table_of_the_user_keeps_its_name(stored):
    stored()
    with duckdb.connect("r.duckdb") as connection:
        connection.execute("DROP VIEW current_scores")
        connection.execute("CREATE TABLE current_scores AS SELECT 5 AS mine")
    stored()
    assert ask("FROM current_scores") == [(5,)]


def test_views_have_the_columns_that_later_runs_add(stored, cli):
    stored()
    stored("--param", "edge_time=0.02", "--by", "speaker")
    assert ask("SELECT count(*) FROM current_scores") == ask("SELECT count(*) FROM scores")
