"""The page of surprises in other programs, made from the first lines of the scripts in findings/."""

from __future__ import annotations

import re
from pathlib import Path

from reference.markdown import Lines

FINDINGS = Path(__file__).parents[3] / "findings"
INTRODUCTION = """\
# What surprised us

Before we rely on a program, a library or a format, we write down what we expect, and then try it. Each entry below is a
place where we were wrong: what the program does, what we had expected, and what follows for scores.

Each script in `findings/` of the source installs the version named here in a folder that is deleted afterwards, shows
the behaviour on a small valid input, and fails if the behaviour has changed.
"""


def surprises_page() -> Lines:
    """One section for each script."""
    yield INTRODUCTION
    for script in sorted(FINDINGS.glob("*.sh")):
        comments = re.findall(r"^# (.*)$", script.read_text(encoding="utf-8").partition("\nset ")[0], re.MULTILINE)
        behaviour, expected, consequence = re.split(r" (?:Guess|So): ", " ".join(comments))
        yield from (f"## {script.stem.replace('-', ' ')}", "", behaviour, "")
        yield from (
            f"* Expected: {expected}",
            f"* What follows: {consequence}",
            f"* Script: `findings/{script.name}`",
            "",
        )
