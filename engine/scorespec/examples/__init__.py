"""Small corpora and submissions for ``scorespec demo``.

Each suite has a folder with a file for each input, and a text file that says what to try next.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from scorespec.errors import unknown

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Example:
    """The example of a suite: its files by input, and a text that says what to try next."""

    suite: str
    inputs: dict[str, Path]
    what_next: str


def find_example(suite: str | None = None) -> Example:
    """The example of a suite; without a name, the first example.

    Raises UsageError for a suite without an example.
    """
    folders = {each.stem: each.with_suffix("") for each in sorted(HERE.glob("*.txt"))}
    suite = suite or next(iter(folders))
    if suite not in folders:
        raise unknown(f"no example for suite {suite!r}", suite, folders)
    inputs = {path.name.partition(".")[0]: path for path in sorted(folders[suite].iterdir())}
    return Example(suite, inputs, folders[suite].with_suffix(".txt").read_text(encoding="utf-8"))
