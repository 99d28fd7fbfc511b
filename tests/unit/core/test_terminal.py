"""What a terminal would obey is shown: by one function, through which everything that is printed for people passes."""

from __future__ import annotations

import ast
import sys
import unicodedata
from pathlib import Path

import pytest

from scorespec.core import terminal
from scorespec.core.terminal import say_wrapped, visible, wrapped
from scorespec.errors import Problems, RunError, bad_input

ENGINE = Path(terminal.__file__).parents[1]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x9b31m", r"\x9b31m"),
        ("a\x00b\x7fc\x07", r"a\x00b\x7fc\x07"),
        ("a\rb", r"a\rb"),
        ("a\u202eb\u2066c", r"a\u202eb\u2066c"),
        ("a\u2028b", r"a\u2028b"),
        ("\udcff", r"\udcff"),
        ("a\nb\tc", r"a\nb\tc"),
        ("naïve मराठी 語 \u200d \\x1b", "naïve मराठी 語 \u200d \\x1b"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_wrapped() -> None:
    """Continued lines are indented below their line; the branches of a tree go on."""
    tree = "  a  one row per thing\n  ├─ b  one row per thing\n  │  └─ c  one row per thing\n\n  short"
    assert wrapped(tree, 16).split("\n") == [
        "  a  one row per",
        "    thing",
        "  ├─ b  one row",
        "  │    per thing",
        "  │  └─ c  one",
        "  │       row",
        "  │       per",
        "  │       thing",
        "",
        "  short",
    ]
    assert wrapped("a-very-long/path/of/a/file", 10) == "a-very-long/path/of/a/file"
    assert wrapped("\x1b[31mred", 80) == r"\x1b[31mred"


def test_lines_are_wrapped_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "  name  " + " ".join(["word"] * 20)
    monkeypatch.setenv("COLUMNS", "50")
    say_wrapped(text)
    assert capsys.readouterr().out == text + "\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    say_wrapped(text)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) in range(46, 51)
    assert " ".join(line.strip() for line in lines) == text.strip()


def test_lines_and_tabs_stay_in_text_of_several_lines() -> None:
    assert visible("a\n\tb\r\x1b", lines=True) == "a\n\tb\\r\\x1b"


def test_every_control_separator_surrogate_and_override_is_shown() -> None:
    characters = list(map(chr, range(sys.maxunicode + 1)))
    shown = {each for each in characters if visible(each) != each}
    categories = {each for each in characters if unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp")}
    directions = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert shown == categories | {each for each in characters if unicodedata.bidirectional(each) in directions}


def test_a_message_that_echoes_a_file_has_one_line() -> None:
    problems = Problems("a\x1b.txt")
    problems.add(3, "odd: x\nb.txt:1: all is well")
    assert str(problems) == r"a\x1b.txt:3: odd: x\nb.txt:1: all is well"
    assert str(bad_input("a\u202e", "is\x1bbad")) == r"a\u202e: is\x1bbad"
    assert str(RunError("cannot write \x1b]0;x\x07")) == r"cannot write \x1b]0;x\x07"


# Data for programs, and what was made visible before.
PRINTS = {
    ("core/terminal.py", "say"),
    ("cli/printing.py", "print_json"),
    ("cli/printing.py", "print_script"),
    ("cli/printing.py", "_print_json_rows"),
    ("cli/printing.py", "write"),
    ("run/progress.py", "__call__"),  # events as JSON
}


def test_everything_else_is_printed_through_say() -> None:
    """No other function of the engine calls `print`, or writes to a standard stream."""
    found = set()
    for path in ENGINE.rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                called = {ast.unparse(each.func) for each in ast.walk(function) if isinstance(each, ast.Call)}
                if called & {"print", "console.print", "sys.stdout.write", "sys.stderr.write"}:
                    found.add((path.relative_to(ENGINE).as_posix(), function.name))
    assert found == PRINTS
