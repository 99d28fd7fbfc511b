"""`scorespec gate`: exit codes, every format, and what ships for CI servers and pre-commit."""

from __future__ import annotations

import csv
import io
import json
import shlex
import shutil
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pytest
import yaml
from command_line import strict

import scorespec
from marks import first

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "gate"
HOLDS, FAILS = "{score: wer.value, at_most: 0.3}", "{score: wer.value, max_drop: 0.1}"
UNDECIDED, UNJUDGED = "{score: wer.value, max_drop: 0.2, confidence: 95}", "{score: wer.no, at_most: 1}"


def transcript(path: Path, errors: list[int]) -> Path:
    """One line of ten words for each speaker, of whom each has some errors."""
    lines = (
        " ".join("wrong" if at < wrong else f"w{at}" for at in range(10)) + f" (t{speaker:02}-1)\n"
        for speaker, wrong in enumerate(errors)
    )
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results database: `old` has 20 errors in 200 words, `new` has 60."""
    folder = tmp_path_factory.mktemp("gate")
    reference = transcript(folder / "ref.trn", [0] * 20)
    for name, errors in {"old": [1] * 20, "new": [1, 2, 3, 4, 5] * 4}.items():
        hypothesis = transcript(folder / f"{name}.trn", errors)
        scorespec.score("wer", reference=reference, hypothesis=hypothesis, output=folder / "r.duckdb", name=name)
    return folder / "r.duckdb"


@pytest.fixture
def gate(cli, runs, tmp_path, monkeypatch):
    """Judges `new` by some targets, which are in the lines 2, 3, … of `t.yaml`, in the folder of the database."""
    shutil.copy(runs, tmp_path / "r.duckdb")
    monkeypatch.chdir(tmp_path)

    def run(*targets: str, options: str = "--baseline old"):
        Path("t.yaml").write_text("targets:\n" + "".join(f"- {each}\n" for each in targets), encoding="utf-8")
        return cli("gate", "r.duckdb", "new", "--targets", "t.yaml", *shlex.split(options))

    return run


@pytest.mark.parametrize(
    ("targets", "options", "code"),
    first(
        [
            ([HOLDS], "", 0),
            ([HOLDS, UNDECIDED], "", 0),
            ([HOLDS, UNDECIDED], "--undecided fail", 1),
            ([HOLDS, FAILS], "", 1),
            ([HOLDS, UNJUDGED], "", 2),
            ([FAILS, UNJUDGED], "", 1),
        ],
        4,
    ),
)
def test_the_exit_code_is_that_of_the_verdict(gate, targets, options, code):
    for format in ("table", "json", "csv", "markdown", "latex", "junit", "github"):
        result = gate(*targets, options=f"--baseline old {options} --format {format}")
        assert (result.code, result.err) == (code, ""), format
        assert result.out


def test_the_process_ends_with_the_code(process, runs, tmp_path, monkeypatch):
    monkeypatch.chdir(runs.parent)
    targets = tmp_path / "t.yaml"
    targets.write_text(f"targets: [{FAILS}]")
    result = process("gate", "r.duckdb", "new", "--baseline", "old", "--targets", str(targets))
    assert (result.code, result.err) == (1, "")
    assert result.out.endswith("\nnew: 1 fails\n")


def test_the_table_has_a_line_for_each_verdict_and_reason(gate):
    assert gate(HOLDS, FAILS, UNJUDGED).out.splitlines() == [
        "score       value  baseline  difference  limit         verdict",
        "wer.value  0.3000                        at_most 0.3   holds",
        "wer.value  0.3000    0.1000        +0.2  max_drop 0.1  fails",
        "wer.no                                   at_most 1     not judged",
        "",
        "t.yaml:4: wer.no: the run has no score 'wer.no'; did you mean 'wer.words'?",
        "new: 1 holds, 1 fails, 1 not judged",
    ]


@pytest.mark.parametrize("score", first(["wer", "wer.value", "wer.wer", "wer.wer.value"], 2))
def test_a_score_may_be_named_with_its_suite(gate, cli, score):
    found = gate(f"{{score: {score}, max_drop: 0.1, confidence: 95}}", f"{{score: {score}, at_most: 0.2}}")
    assert found.out.endswith("\nnew: 2 fails\n")
    board = cli("leaderboard", "r.duckdb", "--metric", score, "--targets", "t.yaml").out
    assert "30.00†" in board
    assert "10.00†" not in board


def test_the_table_fits_into_80_columns(gate):
    table = gate(HOLDS, UNDECIDED).out.splitlines()[:3]
    assert table[0].split() == ["score", "value", "baseline", "difference", "low", "high", "limit", "verdict"]
    assert max(map(len, table)) <= 80


def test_json_has_every_number(gate, runs):
    (compared,) = scorespec.compare("old", "new", results=runs, metrics="wer.value")
    found = strict(gate(UNDECIDED, options="--baseline old --format json").out)
    (row,) = found.pop("targets")
    assert found == {"run": "new", "verdict": "holds"}
    assert row.pop("difference") == compared.difference == pytest.approx(0.2)
    assert (row.pop("low"), row.pop("high")) == (compared.low, compared.high)
    assert row == {
        **{"score": "wer.value", "slice": {}, "limit": "max_drop 0.2", "confidence": 95, "verdict": "undecided"},
        **{"value": 0.3, "baseline": 0.1, "note": None, "file": "t.yaml", "line": 2},
    }


def test_csv_has_a_row_for_each_verdict(gate):
    rows = list(csv.DictReader(io.StringIO(gate(HOLDS, FAILS, options="--baseline old --format csv").out)))
    assert [(row["limit"], row["verdict"], row["line"]) for row in rows] == [
        ("at_most 0.3", "holds", "2"),
        ("max_drop 0.1", "fails", "3"),
    ]


def test_junit_is_xml_with_a_test_for_each_verdict(gate):
    text = gate(HOLDS, FAILS, UNDECIDED, UNJUDGED, options="--baseline old --format junit").out
    suite = ElementTree.fromstring(text)
    assert suite.tag == "testsuite"
    assert suite.attrib == {"name": "gate new", "tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    assert [case.attrib for case in suite] == [
        {"classname": "t.yaml", "name": f"wer.{each}"}
        for each in ("value at_most 0.3", "value max_drop 0.1", "value max_drop 0.2", "no at_most 1")
    ]
    assert [[child.tag for child in case] for case in suite] == [[], ["failure"], ["skipped"], ["error"]]
    assert suite[1][0].attrib == {
        "message": "score wer.value, value 0.3000, baseline 0.1000, difference +0.2, limit max_drop 0.1, verdict fails"
    }
    assert suite[3][0].attrib["message"].endswith(": the run has no score 'wer.no'; did you mean 'wer.words'?")


def test_undecided_targets_that_fail_are_failures_of_junit(gate):
    text = gate(UNDECIDED, options="--baseline old --undecided fail --format junit").out
    assert ElementTree.fromstring(text).attrib["failures"] == "1"


def test_github_has_a_command_for_each_verdict(gate):
    lines = gate(HOLDS, FAILS, UNDECIDED, UNJUDGED, options="--baseline old --format github").out.splitlines()
    assert lines[:2] == [
        "::notice file=t.yaml,line=2,title=at_most 0.3::"
        "score wer.value, value 0.3000, limit at_most 0.3, verdict holds",
        "::error file=t.yaml,line=3,title=max_drop 0.1::"
        "score wer.value, value 0.3000, baseline 0.1000, difference +0.2, limit max_drop 0.1, verdict fails",
    ]
    assert lines[2].startswith("::warning file=t.yaml,line=4,title=max_drop 0.2::")
    assert lines[3].startswith("::error file=t.yaml,line=5,title=at_most 1::")


def test_odd_names_stay_text(cli, runs, tmp_path, monkeypatch):
    """A name of a run or file is neither markup nor a command of a workflow."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(runs, "r.duckdb")
    with duckdb.connect("r.duckdb") as connection:
        connection.execute("UPDATE runs SET name = '<b> & \x1b[31m\n::error::no' WHERE name = 'new'")
    Path("a,b:c%.yaml").write_text(f"targets: [{FAILS}]", encoding="utf-8")
    arguments = ("gate", "r.duckdb", "2", "--baseline", "1", "--targets", "a,b:c%.yaml", "--format")
    junit = ElementTree.fromstring(cli(*arguments, "junit").out)
    assert junit.attrib["name"] == r"gate <b> & \x1b[31m\n::error::no"
    assert junit[0].attrib["classname"] == "a,b:c%.yaml"
    (line,) = cli(*arguments, "github").out.splitlines()
    assert line.startswith("::error file=a%2Cb%3Ac%25.yaml,line=1,title=max_drop 0.1::score wer.value, ")
    assert cli(*arguments, "table").out.splitlines()[-1] == r"<b> & \x1b[31m\n::error::no: 1 fails"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--baseline gone", "error: there is no run gone of r.duckdb; its runs: 1 old, 2 new\n"),
        ("--undecided never", "error: --undecided 'never'; known: fail, hold\n"),
        ("--format xml", "error: --format 'xml'; known: csv, github, json, junit, latex, markdown, table\n"),
        ("--targets none.yaml", "error: none.yaml: cannot read this document: No such file or directory\n"),
        ("--targets f.yaml", "f.yaml:1:12: targets.0 is 5; it must be a mapping\n"),
        ("--schema other", "error: r.duckdb has no schema 'other'; "),
    ],
)
def test_what_keeps_from_a_verdict_ends_with_2(gate, options, message):
    Path("f.yaml").write_text("targets: [ 5 ]")
    gate(HOLDS, options=options).refused_with(message, code=2)


def test_a_database_that_is_not_there_ends_with_2(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.yaml").write_text(f"targets: [{HOLDS}]")
    cli("gate", "no.duckdb", "1", "--targets", "t.yaml").refused("error: no.duckdb: no such results database", code=2)
    result = cli("gate", "no.duckdb", "1", "--targets", "t.yaml", "--format", "json")
    assert (result.code, strict(result.out)["error"]["kind"]) == (2, "run")


def test_leaderboards_and_reports_take_targets(gate, cli):
    gate(HOLDS, "{score: wer.value, at_most: 0.2}")
    assert "30.00† (" in cli("leaderboard", "r.duckdb", "--targets", "t.yaml").scored()
    rows = json.loads(cli("leaderboard", "r.duckdb", "--targets", "t.yaml", "--format", "json").scored())
    assert {row["system"]: row["missed"] for row in rows["leaderboard"]} == {"old": None, "new": "at_most 0.2"}
    cli("report", "r.duckdb", "--targets", "t.yaml", "-o", "r.html").scored()
    assert "new misses targets (†): wer at_most 0.2." in Path("r.html").read_text("utf-8")
    Path("f.yaml").write_text("targets: []")
    for command in ("leaderboard", "report"):
        cli(command, "r.duckdb", "--targets", "f.yaml").refused("f.yaml:1:10: targets: [] should be non-empty")


def test_the_schema_is_printed(cli):
    schema = strict(cli("schema", "--targets").scored())
    assert schema["required"] == ["targets"]


# -- what ships ----------------------------------------------------------------------------------------


def test_the_workflow_fails_where_the_score_is_worse(cli, tmp_path, monkeypatch):
    """Its steps that call scorespec are run in their order, over the files that it names."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(EXAMPLE / "targets.yml", "targets.yml")
    transcript(Path("ref.trn"), [0] * 20)
    transcript(Path("main.trn"), [1] * 20)
    transcript(Path("new.trn"), [2] * 20)
    workflow = yaml.safe_load((EXAMPLE / "scores.yml").read_text("utf-8"))
    steps = [each["run"] for each in workflow["jobs"]["gate"]["steps"] if each.get("run", "").startswith("scorespec ")]
    commands = [line for step in steps for line in step.replace("\\\n", "").splitlines()]
    codes = {words[0]: cli(*words).code for words in (shlex.split(each)[1:] for each in commands)}
    assert codes == {"score": 0, "gate": 1, "report": 0}
    assert Path("report.html").exists()


def test_the_hook_of_pre_commit_checks_documents(cli, tmp_path):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert (hook["id"], hook["language"], hook["types"]) == ("scorespec-check", "python", ["yaml"])
    program, *words = shlex.split(hook["entry"])
    scripts = ROOT.joinpath("pyproject.toml").read_text("utf-8").partition("[project.scripts]")[2]
    assert scripts.strip().startswith(f"{program} = ")
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text("domain: transcripts\nparameters: {mine: {type: BIGINT, default: 1, about: a number}}\n")
    bad.write_text("domain: transcripts\nparameter: {}\n")
    assert cli(*words, "--specs", str(tmp_path / "good.yaml"), str(good)).code == 0
    assert cli(*words, str(good), str(bad)).code == 1
