"""Every promise of docs/safety.md names the tests that hold it, and these tests exist."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from marks import for_each

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "safety.md"
PROMISES = ("Documents of others", "Inputs of others", "Results databases of others", "Your own results")
OTHERS = ("What you are not protected from", "Score what you do not trust")
NAMED = re.compile(r"<br> <small>Tests?: ((?:`[\w.:]+`(?:, )?)+)\.</small>$")


def sections() -> dict[str, str]:
    """The text below each heading, without fenced blocks."""
    text = re.sub(r"^```.*?^```\n", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    titled = (each.partition("\n") for each in text.split("\n## ")[1:])
    return {title: below for title, _, below in titled}


def promises() -> list[str]:
    """The items of the lists of promises, each on one line."""
    found = []
    for title in PROMISES:
        for paragraph in re.split(r"\n\n|\n(?=\* )", sections()[title].strip()):
            line = " ".join(paragraph.split())
            assert line.startswith("* ") or line.endswith(":"), f"this promises something outside of a list: {line}"
            found += [line] if line.startswith("* ") else []
    return found


@cache
def functions() -> Counter[str]:
    """How often there is a test of a name, alone and behind the name of its file."""
    found: Counter[str] = Counter()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.update([node.name, f"{path.name}::{node.name}"])
    return found


def test_every_section_promises_something_or_says_what_is_not_promised():
    assert tuple(sections()) == PROMISES + OTHERS


@for_each(promise=promises())
def test_a_promise_names_its_tests(promise):
    named = NAMED.search(promise)
    assert named, "it ends without its tests"
    known = functions()
    for name in re.findall(r"`([^`]+)`", named[1]):
        assert known[name] == 1, f"{known[name]} tests are called {name}"
