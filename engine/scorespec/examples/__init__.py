"""Tiny corpora and submissions for ``scorespec demo``.

For each suite a folder with one file per input, and a text beside it that says what to try next.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from scorespec.errors import UsageError, nearest

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Example:
    """The files of a suite's example by input, and what to try next with them."""

    suite: str
    inputs: dict[str, Path]
    what_next: str


def find_example(suite: str | None = None) -> Example:
    """The example of a suite; the first there is when none is named.

    Raises UsageError for a suite without an example.
    """
    folders = {each.stem: each.with_suffix("") for each in sorted(HERE.glob("*.txt"))}
    suite = suite or next(iter(folders))
    if suite not in folders:
        raise UsageError(f"no example for suite {suite!r}; {nearest(suite, folders)}")
    inputs = {path.name.partition(".")[0]: path for path in sorted(folders[suite].iterdir())}
    return Example(suite, inputs, folders[suite].with_suffix(".txt").read_text(encoding="utf-8"))
