"""Small corpora with the submissions of two systems, for ``scorespec demo``. All data are generated.

The folder of a suite has a file for each input that is the same for all systems, and a folder for the input that is
not, with a file for each system. A text file next to the folder lists commands to try next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scorespec.errors import unknown

HERE = Path(__file__).with_suffix("")
FIRST = "wer"  # the suite of the demo without a name


@dataclass(frozen=True)
class Example:
    """The example of a suite: its common files by input, the file of the input ``submission`` of each system by name.

    ``what_next`` lists commands to try next. In them, ``$INPUTS`` stands for the common files, ``$FIRST`` for the
    submission of the first system, and ``$RESULTS`` for the results database.
    """

    suite: str
    inputs: Mapping[str, Path]
    submission: str
    systems: Mapping[str, Path]
    what_next: str


def find_example(suite: str | None = None) -> Example:
    """The example of a suite; without a name, that of ``FIRST``. Raises UsageError for a suite without an example."""
    known = sorted(each.stem for each in HERE.glob("*.txt"))
    suite = suite or FIRST
    if suite not in known:
        raise unknown(f"no example for suite {suite!r}", suite, known)
    files = sorted((HERE / suite).iterdir())
    (folder,) = (each for each in files if each.is_dir())
    inputs = {each.name.partition(".")[0]: each for each in files if each.is_file()}
    systems = {each.stem: each for each in sorted(folder.iterdir())}
    return Example(suite, inputs, folder.name, systems, (HERE / f"{suite}.txt").read_text(encoding="utf-8"))
