"""Rows in columns: whole in a pipe, fitted to a terminal."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta, timezone

import pyarrow as pa
import pytest
from rich.cells import cell_len

from scorespec.cli.printing import print_runs
from scorespec.core.terminal import BLOCK, print_grid, print_shortened

ROWS = [
    {"name": "one", "value": "1.5", "text": "a few words that go on and on and on"},
    {"name": "two", "value": "10.25", "text": "日本語"},
]
COLUMNS = ("name", "value", "text")


@pytest.fixture
def terminal(monkeypatch):
    """Makes standard output a terminal of a width."""

    def of(width: int) -> None:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setenv("COLUMNS", str(width))

    return of


def printed(capsys, rows=ROWS, columns=COLUMNS, numbers=("value",), needed=("name",)):
    print_grid(rows, columns, numbers, needed)
    return capsys.readouterr().out.splitlines()


def test_a_pipe_has_a_line_for_each_row(capsys):
    assert printed(capsys) == [
        "name  value  text",
        "one     1.5  a few words that go on and on and on",
        "two   10.25  日本語",
    ]


def test_a_terminal_wraps_between_words(capsys, terminal):
    terminal(40)
    assert printed(capsys) == [
        "name  value  text",
        "one     1.5  a few words that go on and",
        "             on and on",
        "two   10.25  日本語",
    ]


def test_a_narrow_terminal_gets_fewer_columns(capsys, terminal):
    terminal(30)
    assert printed(capsys) == [
        "name  value",
        "one     1.5",
        "two   10.25",
        "not shown: text (the terminal is too",
        "  narrow; --format csv has every column)",
    ]
    assert printed(capsys, needed=("name", "text"))[:2] == ["name  text", "one   a few words that go on"]


def test_characters_of_two_cells_and_none(capsys):
    rows = [{"a": "日本", "b": "x"}, {"a": "e\u0301", "b": "y"}]
    assert printed(capsys, rows, ("a", "b"), (), ()) == ["a     b", "日本  x", "e\u0301     y"]


def test_rows_beyond_the_first_block(capsys):
    rows = [{"name": "x", "value": str(number), "text": ""} for number in range(BLOCK + 1)]
    lines = printed(capsys, rows)
    assert len(lines) == BLOCK + 2
    assert lines[:2] == ["name  value  text", "x         0"]
    assert lines[-1] == "x      1000"


def test_no_rows(capsys):
    assert printed(capsys, []) == ["name  value  text"]


@pytest.mark.parametrize("text", ["日本語" * 9, "one 日本語 " * 6, "日" + "a" * 40])
def test_wide_characters_are_wrapped_by_the_cells_that_they_take(terminal, capsys, text):
    terminal(30)
    first, *others = printed(capsys, [{"text": text}], ("text",), (), ("text",))
    assert first == "text"
    assert len(others) > 1
    assert max(map(cell_len, others)) <= 30
    assert "".join(others).replace(" ", "") == text.replace(" ", "")


def test_a_narrow_list_of_runs_has_what_superseded_them(capsys, terminal):
    terminal(59)
    time = datetime(2026, 3, 4, 12, 15, 0, 5, tzinfo=timezone(timedelta(hours=2)))
    runs = {"id": [1, 2], "time": [time] * 2, "name": ["a", "a"], "corpus": [None] * 2, "suite": ["zerospeech2017"] * 2}
    print_runs(pa.table({**runs, "superseded_by": [2, None]}), "table")
    assert capsys.readouterr().out.splitlines() == [
        "id  time                 name  superseded_by",
        " 1  2026-03-04 10:15:00  a                 2",
        " 2  2026-03-04 10:15:00  a",
        "not shown: suite (the terminal is too narrow; --format csv",
        "  has every column)",
    ]


def test_a_narrow_terminal_names_the_first_columns_that_are_left_out(capsys, terminal):
    terminal(30)
    columns = [f"c{number}" for number in range(30)]
    _, _, *lines = printed(capsys, [dict.fromkeys(columns, "x")], columns, (), ())
    named = "c8, c9, c10, c11, c12, c13, c14, c15 and 14 more"
    said = f"not shown: {named} (the terminal is too narrow; --format csv has every column)"
    assert " ".join(map(str.strip, lines)) == said


def test_texts_that_must_be_shown_are_narrower_on_a_narrower_terminal(capsys, terminal):
    terminal(40)
    rows = [{"name": "one", "value": "1" * 21, "text": "a note of several words"}]
    assert printed(capsys, rows, needed=COLUMNS)[1:] == [
        f"one   {'1' * 21}  a note of",
        f"{' ' * 29}several",
        f"{' ' * 29}words",
    ]


def test_a_narrow_terminal_gets_all_columns_with_shorter_texts(capsys, terminal):
    terminal(40)
    print_shortened(ROWS, COLUMNS, ("value",))
    assert capsys.readouterr().out.splitlines() == [
        "name  value  text",
        "one     1.5  a few words that go on and…",
        "two   10.25  日本語",
    ]


def test_columns_that_cannot_fit_are_a_list_for_each_row(capsys, terminal):
    terminal(40)
    rows = [{f"column{at}": str(at) for at in range(9)}, dict.fromkeys((f"column{at}" for at in range(9)), "日本")]
    print_shortened(rows, [*rows[0]], [*rows[0]][:2])
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["column0  0", "column1  1"]
    assert lines[9:11] == ["", "column0  日本"]
