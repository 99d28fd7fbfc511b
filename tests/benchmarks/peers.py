"""Times `wer` and `cer` next to jiwer, whole processes in one run, and writes the table of docs/performance.md.

make bench-peers                                              installs the peer in an environment of its own
python tests/benchmarks/peers.py .venv-peers/bin/python       all rows
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from measure import SCORESPEC, add_row

WITH_JIWER = """
import sys, jiwer
texts = [[line.partition(" ")[2].strip() for line in open(path)] for path in sys.argv[2:]]
print(getattr(jiwer, sys.argv[1])(*texts))
"""


class Task(NamedTuple):
    """Recordings of equally many words, with a share of errors; ``errors`` of 1 draws both texts independently."""

    suite: str
    size: str
    recordings: int
    words: int
    errors: float


TASKS = (
    Task("wer", "6 recordings of 9,000 words, 20 % errors", 6, 9_000, 0.2),
    Task("wer", "6 recordings of 9,000 words drawn at random", 6, 9_000, 1),
    Task("wer", "44 recordings of 8,000 words, 25 % errors", 44, 8_000, 0.25),
    Task("wer", "one recording of 130,000 words, 15 % errors", 1, 130_000, 0.15),
    Task("wer", "18,000 utterances of 10 words, 10 % errors", 18_000, 10, 0.1),
    Task("cer", "one text of 5,000 words, 10 % errors", 1, 5_000, 0.1),
)


def make(task: Task, folder: Path) -> list[Path]:
    """Reference and hypothesis in the text format of Kaldi. Few words are frequent, as in a language."""
    chance = random.Random(task.size)
    letters = "abcdefghijklmnopqrstuvwxyz"
    vocabulary = ["".join(chance.choices(letters, k=chance.randrange(1, 10))) for _ in range(6_000)]
    texts: tuple[list[str], list[str]] = [], []

    def word() -> str:
        if task.errors == 1:
            return chance.choice(vocabulary)
        return vocabulary[min(int(chance.paretovariate(0.7)), len(vocabulary) - 1)]

    for number in range(task.recordings):
        said = [word() for _ in range(task.words)]
        heard = [word() for _ in said] if task.errors == 1 else []
        for each in said if not heard else []:
            kind = chance.random() / task.errors  # of the errors, 6 in 10 are substitutions, 2 deletions, 2 insertions
            heard += [word()] if kind < 0.6 else [] if kind < 0.8 else [each, word()] if kind < 1 else [each]
        for lines, words in zip(texts, (said, heard), strict=True):
            lines.append(f"{number:05d} {' '.join(words)}\n")
    paths = [folder / "reference.txt", folder / "hypothesis.txt"]
    for path, lines in zip(paths, texts, strict=True):
        path.write_text("".join(lines), encoding="utf-8")
    return paths


def spent(command: list[str]) -> tuple[float, float]:
    """Processor seconds and peak megabytes of a process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command[:2])}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def main() -> None:
    peer = sys.argv[1]
    for task in TASKS:
        with tempfile.TemporaryDirectory() as folder:
            paths = make(task, Path(folder))
            theirs, _ = spent([peer, "-c", WITH_JIWER, task.suite, *map(str, paths)])
            inputs = [f"{path.stem}={path}::kaldi" for path in paths]
            ours, megabytes = spent([SCORESPEC, "score", task.suite, *inputs, "--quiet"])
        row = [
            f"`{task.suite}`",
            task.size,
            f"{theirs:.2f}",
            f"{ours:.1f}",
            f"{ours / theirs:.1f}",
            f"{megabytes:,.0f} MB",
        ]
        add_row("bench-peers", row, keys=2)


if __name__ == "__main__":
    main()
