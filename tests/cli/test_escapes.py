"""Text of others is shown, not obeyed, wherever it is printed for people; JSON and CSV keep it as it is."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path

import pytest
from command_line import strict

import scorespec
from scorespec.cli.printing import print_script

TOY = Path(__file__).parents[1] / "data" / "toy"
RED, HIDDEN = "a\x1b[31mnn", "b\u202eob"
ANSWERS = f"file,speaker,item,said,wanted,score\nann,{RED},i1,yes,yes,inf\nann,{HIDDEN},i2,no,yes,-inf\n"


@pytest.fixture
def quiz(cli, tmp_path, monkeypatch):
    """Scores two answers whose speakers have names that a terminal would obey."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers.csv").write_text(ANSWERS + 'ann,"=1+1",i3,no,yes,0.5\n', encoding="utf-8")

    def run(*arguments: str):
        return cli("score", "quiz", "--specs", str(TOY), "answers=answers.csv", "--metric", "accuracy", *arguments)

    return run


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def obeyed(text: str) -> bool:
    return any(each in text for each in ("\x1b", "\u202e", "\x07", "\r"))


def test_table_and_csv(quiz):
    shown = quiz("--by", "speaker").out
    assert r"speaker=a\x1b[31mnn " in shown
    assert r"speaker=b\u202eob " in shown
    assert not obeyed(shown)
    rows = list(csv.DictReader(io.StringIO(quiz("--by", "speaker", "--format", "csv").out)))
    assert [json.loads(row["slice"]).get("speaker") for row in rows] == [None, "=1+1", RED, HIDDEN]


def test_query(quiz, cli):
    quiz("--by", "speaker", "-o", "r.duckdb")
    sql = """SELECT slice->>'speaker' AS "\u202e[/x]:smile:" FROM scores ORDER BY 1"""
    table = cli("query", "r.duckdb", sql).scored()
    assert [line.strip() for line in table.splitlines()] == [
        r"\u202e[/x]:smile:", "=1+1", r"a\x1b[31mnn", r"b\u202eob", "",
    ]  # fmt: skip
    rows = list(csv.reader(io.StringIO(cli("query", "r.duckdb", sql, "--format", "csv").scored())))
    assert rows == [["\u202e[/x]:smile:"], ["=1+1"], [RED], [HIDDEN], [""]]
    (row, *_) = json.loads(cli("query", "r.duckdb", sql, "--format", "json").scored())
    assert row == {"\u202e[/x]:smile:": "=1+1"}


def test_csv_quotes_a_carriage_return(quiz, cli):
    quiz("-o", "r.duckdb")
    out = cli("query", "r.duckdb", r"SELECT E'a\rb' AS x, E'c\nd' AS y, '=1' AS z", "--format", "csv").scored()
    assert out == 'x,y,z\n"a\rb","c\nd",=1\n'


def test_repr(quiz, tmp_path):
    run = scorespec.score("quiz", specs=TOY, answers=tmp_path / "answers.csv", by="speaker", metrics="accuracy")
    assert r"speaker=a\x1b[31mnn" in repr(run)
    assert r"speaker=b\u202eob" in run._repr_html_()
    assert not obeyed(repr(run) + run._repr_html_())
    assert {"speaker": RED} in [row["slice"] for row in run.table()]


def test_warnings_and_problems(cli, quiz, tmp_path):
    name = "a\x1b[31m\nerror: all is well.csv"
    (tmp_path / name).write_text(ANSWERS.replace("inf", "a\x1b]0;hi\x07b"), encoding="utf-8")
    result = cli("score", "quiz", "--specs", str(TOY), f"answers={name}")
    assert (result.code, result.out) == (1, "")
    assert not obeyed(result.err)
    assert result.err.splitlines()[0].startswith(r"a\x1b[31m\nerror: all is well.csv:2: score is not a number: ")


def test_definitions(cli, quiz, write):
    text = (TOY / "toy.yaml").read_text(encoding="utf-8")
    about = "about: The items of the quiz, also those that nobody answered."
    assert about in text
    write("toy.yaml", text.replace(about, r'about: "\e[31m\u202eitems\n  of it"'))
    for sql in TOY.glob("*.sql"):
        write(sql.name, sql.read_text(encoding="utf-8") + "-- \x1b[31m\n")
    for arguments in (["show", "items"], ["list", "tables"], ["show", "marks"]):
        shown = cli(*arguments, "--specs", "toy.yaml").scored()
        assert r"\x1b[31m" in shown
        assert not obeyed(shown)


def test_a_script_is_exact_but_on_a_terminal(cli, quiz, monkeypatch):
    arguments = ("compile", "quiz", "--specs", str(TOY), "--metric", "accuracy", "--param", f"skipped=[{RED}]")
    assert f"'{RED}'" in cli(*arguments).scored()
    monkeypatch.setattr(sys, "stdout", Terminal())
    print_script(f"SELECT '{RED}'")
    assert sys.stdout.getvalue() == "SELECT 'a\\x1b[31mnn'\n"


def test_costs_and_plans(cli, quiz):
    result = quiz("--by", "speaker", "--profile", "--metric", "accuracy", "--param", f"skipped=[{RED}]")
    assert result.code == 0
    assert not obeyed(result.out + result.err)
    shown = cli(
        "explain", "quiz", "accuracy", "--specs", str(TOY), "answers=answers.csv", "--param", f"skipped=[{RED}]"
    )
    assert shown.code == 0
    assert not obeyed(shown.out + shown.err)


def test_what_is_typed_is_shown(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for arguments in (
        ["\x1b[31m"], ["--\x1b[31m"], ["score", "--\x1b[31m"], ["score", "x", "--threads", "\x1b"],
        ["query", "a", "b", "c\n\x1b"], ["show", "\x1b"], ["query", "\x1b\u202e", "x"], ["check", "\x1b\u202e"],
        ["score", "quiz", "--specs", str(TOY), "answers=\x1b.csv"], ["score", "quiz", "--specs", "\x1b/x"],
        ["list", "\x1b[31m"],
    ):  # fmt: skip
        result = cli(*arguments)
        assert result.code in (1, 2)
        assert result.out == ""
        assert len(result.err.splitlines()) == 1, result.err
        assert not obeyed(result.err)


def test_the_bar_shows_labels_as_they_are(monkeypatch, tmp_path):
    """A label in square brackets is no markup."""
    from scorespec.core.events import StepBegun
    from scorespec.run.progress import shown

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    with shown("auto") as tell:
        tell(StepBegun("[/x][red]\x1b]0;title\x07", 1, 2, tmp_path))
    assert r"[/x][red]\x1b]0;title\x07" in terminal.getvalue()
    assert "\x1b]0;" not in terminal.getvalue()


@pytest.mark.parametrize("width", [80, 110, 140])
def test_the_numbers_stay_on_a_narrow_terminal(monkeypatch, tmp_path, width):
    from scorespec.core.events import StepBegun, StepDone
    from scorespec.run.progress import shown as showing

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(width))
    with showing("auto") as tell:
        tell(StepBegun("load zerospeech2015.fragments", 12, 37, tmp_path))
        tell(StepDone("load zerospeech2015.fragments", 12, 37, 123_456_789, 0.1))
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue()).replace("\r", "\n").split("\n")
    last = next(line for line in reversed(shown) if "rows" in line)
    assert "11/37 0:00:00" in last
    assert re.search(r"123,456,789 rows [\d,]+ MB, 0 MB on disk", last)
    assert len(last.rstrip()) <= width


def test_the_bar_is_gone_before_scores_are_printed(monkeypatch, tmp_path):
    from scorespec.core.events import StepBegun, StepDone
    from scorespec.run.progress import shown as showing

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    cursor = "\x1b[?25h"  # is shown again where the bar ends
    with showing("bar") as tell:
        tell(StepBegun("scores", 2, 2, tmp_path))
        assert cursor not in terminal.getvalue()
        tell(StepDone("scores", 2, 2, 3, 0.1))
        assert terminal.getvalue().count(cursor) == 1
    assert terminal.getvalue().count(cursor) == 1


# -- numbers that JSON lacks -----------------------------------------------------------------------


def test_an_infinite_slice(quiz):
    found = strict(quiz("--by", "score", "--format", "json").out)
    assert [row["slice"] for row in found["scores"]] == [
        {}, {"score": "-Infinity"}, {"score": 0.5}, {"score": "Infinity"},
    ]  # fmt: skip


@pytest.mark.parametrize(("value", "written"), [("inf", "Infinity"), ("-Infinity", "-Infinity"), ("2", 2.0)])
def test_an_infinite_parameter(quiz, cli, write, value, written):
    text = (TOY / "toy.yaml").read_text(encoding="utf-8")
    for sql in TOY.glob("*.sql"):
        write(sql.name, sql.read_text(encoding="utf-8"))
    write("toy.yaml", text.replace("pass_score: {type: DOUBLE,", "pass_score: {type: DOUBLE, infinite: true,"))
    arguments = ("score", "quiz", "--specs", "toy.yaml", "answers=answers.csv", "--metric", "accuracy")
    arguments = (*arguments, "--param", f"pass_score={value}")
    assert strict(cli(*arguments, "--format", "json").out)["run"]["parameters"]["pass_score"] == written
