"""Runs are rescored when their files, documents or parameters have changed, and moved scores are listed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import duckdb
import pytest
from command_line import DATA, SUITE, ask, strict

import scorespec
from marks import slow
from scorespec.run import runner

TOKEN = ("--metric", "token", "--quiet", "--no-evidence")
MINE = """\
domain: toy
suites:
  mine: {{extends: quiz, about: {about}, params: {{pass_score: {least}}}}}
"""


@pytest.fixture
def results(score):
    """`r.duckdb`, with a run of each of two systems."""
    for name in ("a", "b"):
        shutil.copy(DATA / "alpha.overlap.class", f"{name}.class")
        score(*TOKEN, "--metric", "ned", f"fragments={name}.class", "--name", name, "-o", "r.duckdb").scored()


@pytest.fixture
def again(cli):
    def run(*arguments):
        return cli("rescore", "r.duckdb", *arguments)

    return run


def test_nothing_has_changed(results, again):
    result = again()
    assert (result.code, result.out, result.err) == (0, "", "0 rescored, 2 unchanged, 0 failed\n")
    assert ask("SELECT count(*) FROM runs") == [(2,)]


def test_a_changed_submission(results, again):
    shutil.copy(DATA / "alpha.perfect.class", "b.class")
    before = dict(ask("SELECT metric || '.' || component, value FROM scores WHERE run = 2"))
    result = again("--format", "json")
    assert result.err.splitlines() == [
        "run 2 is rescored as run 3; changed: input fragments",
        "1 rescored, 1 unchanged, 0 failed",
    ]
    inputs = {"phones": "alpha.phn", "words": "alpha.wrd", "fragments": "b.class"}
    alone = scorespec.score(SUITE, inputs=inputs, metrics=["token", "ned"], keep_evidence=False)
    after = {f"{row['metric']}.{row['component']}": row["value"] for row in alone.table()}
    moved = strict(result.out)["moved"]
    assert {(row["run"], row["was"], row["name"]) for row in moved} == {(3, 2, "b")}
    assert {f"{row['metric']}.{row['component']}": (row["before"], row["after"]) for row in moved} == {
        name: (before[name], after[name]) for name in before if before[name] != after[name]
    }
    sizes = [abs(row["difference"]) for row in moved]
    assert sizes == sorted(sizes, reverse=True)
    assert ask("SELECT id, superseded_by FROM runs ORDER BY id") == [(1, None), (2, 3), (3, None)]


def test_changed_gold_changes_every_run_and_is_read_once(results, again, monkeypatch):
    lines = Path("alpha.wrd").read_text().splitlines(keepends=True)
    Path("alpha.wrd").write_text("".join(lines[:-5]))
    read = []
    load = runner.load_input
    monkeypatch.setattr(runner, "load_input", lambda *a: (read.append(a[1].input), load(*a))[1])
    result = again("--format", "csv")
    assert result.err.count("changed: input words") == 2
    assert sorted(read) == ["fragments", "fragments", "phones", "words"]
    head, *rows = result.out.splitlines()
    assert head == "run,was,name,corpus,metric,component,slice,before,after,difference"
    assert {tuple(row.split(",")[:3]) for row in rows} == {("3", "1", "a"), ("4", "2", "b")}
    assert again().err == "0 rescored, 2 unchanged, 0 failed\n"


def test_slices_are_shown_as_score_shows_them(score, again):
    score(*TOKEN, "--by", "file", "-o", "r.duckdb").scored()
    shutil.copy(DATA / "alpha.overlap.class", "alpha.class")
    result = again()
    assert re.search(r" token +fscore +1\.0000 ", result.out)
    assert re.search(r" token +fscore +file=alpha_sa1 +1\.0000 ", result.out)


def test_changed_documents_and_parameters(cli, again, folder, write):
    write("answers.csv", "file,talker,item,said,wanted,score\nf,t,i,yes,yes,0.6\n")
    write("mine.yaml", MINE.format(about="First.", least=0.5))
    options = ("--specs", str(DATA.parent / "toy"), "--specs", "mine.yaml", "--metric", "accuracy", "--name", "system")
    cli("score", "mine", "answers=answers.csv", *options, "-o", "r.duckdb").scored()
    write("mine.yaml", MINE.format(about="Second.", least=0.5))
    assert "run 1 is rescored as run 2; changed: documents\n" in again(*options[:4]).err
    write("mine.yaml", MINE.format(about="Second.", least=0.7))
    result = again(*options[:4])
    assert "changed: documents, parameters\n" in result.err
    assert (
        again(*options[:4]).err == "0 rescored, 1 unchanged, 0 failed\n"
    )  # although the runs of other documents are current


def test_documents_and_plugins_of_a_stored_call_are_named_again(results, again, write):
    """A database of somebody else could name any Python file."""
    write("evil.py", "open('ran.txt', 'w').close()\n")
    with duckdb.connect("r.duckdb") as connection:
        for run, kind, name in ((1, "plugins", "evil.py"), (2, "specs", "evil.yaml")):
            call = f'{{"{kind}": ["{Path.cwd()}/{name}"]}}'
            connection.execute('UPDATE runs SET "call" = json_merge_patch("call", ?) WHERE id = ?', [call, run])
    result = again()
    assert result.code == 2
    place = Path.cwd()
    for run, option, name in ((1, "--plugin", "evil.py"), (2, "--specs", "evil.yaml")):
        said = f"its call uses {place}/{name}; if you trust it, name it again: {option} {place}/{name}"
        assert f"run {run} cannot be rescored: {said}" in result.err
    assert not Path("ran.txt").exists()
    again("--plugin", "evil.py")
    assert Path("ran.txt").exists()


@slow
def test_runs_of_other_databases_are_rescored_only_if_asked(results, again, cli):
    Path("r.duckdb").rename("theirs.duckdb")
    shutil.copy("theirs.duckdb", "r.duckdb")
    cli("runs", "remove", "r.duckdb", "1", "2").scored()
    cli("runs", "add", "r.duckdb", "theirs.duckdb").scored()
    result = again()
    assert result.code == 2
    assert "if you trust it, --added scores runs that `runs add` has added" in result.err
    assert again("--added").err == "0 rescored, 2 unchanged, 0 failed\n"


def test_breakdowns_parameters_metadata_and_layouts_are_kept(score, again):
    options = (
        "--by",
        "file",
        "--param",
        "edge_time=0.02",
        "--on-bad-row",
        "drop",
        "--confidence",
        "90",
        "--corpus",
        "alpha",
        "--meta",
        "team=x",
    )
    score(*TOKEN, *options, "-o", "r.duckdb").scored()
    shutil.copy(DATA / "alpha.jitter.class", "alpha.class")
    assert again().code == 0
    kept = "name, corpus, meta, metrics, breakdowns, parameters, signature, call"
    first, second = ask(f"SELECT {kept} FROM runs ORDER BY id")
    assert first == second


def test_what_cannot_be_scored_anew(results, again, score):
    import pyarrow as pa

    fragments = pa.table({"file": ["alpha_sa1"], "onset": [0.0], "offset": [0.5], "cluster": ["1"]})
    gold = {"phones": "alpha.phn", "words": "alpha.wrd"}
    options = {"metrics": "coverage", "output": "r.duckdb", "keep_evidence": False}
    scorespec.score(SUITE, **gold, fragments=fragments, **options)
    scorespec.reference_points(SUITE, **gold, **options)
    Path("b.class").unlink()
    result = again()
    assert (result.code, result.out) == (1, "")
    assert result.err.splitlines() == [
        f"run 2 cannot be rescored: {Path.cwd()}/b.class: no such file",
        "run 3 left out: input 'fragments' was no file",
        "runs 4, 5, 6 left out: a reference point; `scorespec reference-points` scores it again",
        "0 rescored, 1 unchanged, 4 left out, 1 failed",
    ]


def test_counts_are_whole_numbers(score, again):
    score("--metric", "sizes", "--quiet", "--no-evidence", "-o", "r.duckdb").scored()
    shutil.copy(DATA / "alpha.overlap.class", "alpha.class")
    *_, last = again("--format", "csv").out.splitlines()
    assert re.fullmatch(r"2,1,alpha.class,,sizes,\w+,{},\d+,\d+,-?\d+", last)


@slow
def test_runs_that_are_left_out_are_no_failures(results, again):
    options = {"metrics": "coverage", "output": "r.duckdb", "keep_evidence": False}
    inputs = {"phones": "alpha.phn", "words": "alpha.wrd", "fragments": "a.class"}
    scorespec.score(SUITE, inputs=inputs, withhold="units", **options)
    with duckdb.connect("r.duckdb") as connection:
        connection.execute("UPDATE runs SET reference_point = 'gold' WHERE id = 2")
    result = again("--format", "json")
    assert result.code == 0
    point = "a reference point; `scorespec reference-points` scores it again"
    withheld = "what it takes to rescore it was withheld"
    assert strict(result.out)["left_out"] == {"2": point, "3": withheld}


def test_a_bad_run_stops_no_other(results, again):
    Path("a.class").write_text("Class 1\nx 1 2\n")
    shutil.copy(DATA / "alpha.perfect.class", "b.class")
    result = again()
    assert result.code == 1
    assert f"run 1 cannot be rescored: {Path.cwd()}/a.class:2: unknown file x" in result.err
    assert "run 2 is rescored as run 3" in result.err


def test_rescore_in_python(results):
    shutil.copy(DATA / "alpha.perfect.class", "b.class")
    found = scorespec.rescore("r.duckdb")
    assert (found.unchanged, found.changed, found.failed) == ([1], {2: "input fragments"}, {})
    assert found.runs[2].number == 3
    assert found.runs[2]["token"].fscore == 1
