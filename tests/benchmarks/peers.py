"""Times suites of transcripts next to other programs, in one run, and writes the table of docs/performance.md.

make bench-peers                                              installs the peers in an environment of their own
python tests/benchmarks/peers.py .venv-peers/bin/python       all rows
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from measure import SCORESPEC, add_row

TEXTS = "import sys\ntexts = [[line.partition(' ')[2].strip() for line in open(path)] for path in sys.argv[2:]]\n"
WITH = {
    "jiwer 4.0.0": f"import jiwer\n{TEXTS}jiwer.process_words(*texts) if sys.argv[1] == 'wer' else jiwer.cer(*texts)",
    "kaldialign 0.12.0": f"import kaldialign as k\n{TEXTS}for x, y in zip(*texts): k.align(x.split(), y.split(), '*')",
    "meeteval 0.4.3": """import sys, meeteval
texts = [meeteval.io.load(path) for path in sys.argv[2:]]
options = {"collar": 5} if sys.argv[1] == "tcpwer" else {}
getattr(meeteval.wer, sys.argv[1])(*texts, **options)
""",
}


class Task(NamedTuple):
    """Recordings of equally many words, with a share of errors; ``errors`` of 1 draws both texts independently.

    Meetings have four speakers in turn, whose utterances overlap at times, and are named by the metric.
    """

    suite: str
    size: str
    recordings: int
    words: int
    errors: float
    peers: tuple[str, ...] = ("jiwer 4.0.0",)
    metric: str = ""


BOTH, OF_MEETINGS = ("jiwer 4.0.0", "kaldialign 0.12.0"), ("meeteval 0.4.3",)
TASKS = (
    Task("wer", "6 recordings of 9,000 words, 20 % errors", 6, 9_000, 0.2, BOTH),
    Task("wer", "6 recordings of 9,000 words drawn at random", 6, 9_000, 1, BOTH),
    Task("wer", "44 recordings of 8,000 words, 25 % errors", 44, 8_000, 0.25),
    Task("wer", "one recording of 130,000 words, 15 % errors", 1, 130_000, 0.15),
    Task("wer", "18,000 utterances of 10 words, 10 % errors", 18_000, 10, 0.1, BOTH),
    Task("cer", "one text of 5,000 words, 10 % errors", 1, 5_000, 0.1),
    Task("meeting", "20 meetings of 4,780 words, 25 % errors", 20, 4_780, 0.25, OF_MEETINGS, "cpwer"),
    Task("meeting", "20 meetings of 4,780 words, 25 % errors", 20, 4_780, 0.25, OF_MEETINGS, "tcpwer"),
)


class Speech:
    """Words of a task, and what a system puts out for them. Few words are frequent, as in a language."""

    def __init__(self, task: Task) -> None:
        self.chance, self.errors = random.Random(task.size), task.errors
        letters = "abcdefghijklmnopqrstuvwxyz"
        self._vocabulary = ["".join(self.chance.choices(letters, k=self.chance.randrange(1, 10))) for _ in range(6_000)]

    def word(self) -> str:
        if self.errors == 1:
            return self.chance.choice(self._vocabulary)
        return self._vocabulary[min(int(self.chance.paretovariate(0.7)), len(self._vocabulary) - 1)]

    def said(self, words: int) -> list[str]:
        return [self.word() for _ in range(words)]

    def heard(self, said: list[str]) -> list[str]:
        if self.errors == 1:
            return self.said(len(said))
        found = []
        for each in said:
            kind = self.chance.random() / self.errors  # 6 in 10 are substitutions, 2 deletions, 2 insertions
            found += [self.word()] if kind < 0.6 else [] if kind < 0.8 else [each, self.word()] if kind < 1 else [each]
        return found


def make(task: Task, folder: Path) -> list[Path]:
    """Reference and hypothesis, in the text format of Kaldi or, of meetings, as SegLST."""
    speech, rows = Speech(task), (list[Any](), list[Any]())
    for number in range(task.recordings):
        if task.metric:
            found = meeting(speech, f"m{number}", task.words)
        else:
            said = speech.said(task.words)
            found = tuple([f"{number:05d} {' '.join(words)}\n"] for words in (said, speech.heard(said)))
        for side, more in zip(rows, found, strict=True):
            side += more
    paths = [folder / f"{side}.{'json' if task.metric else 'txt'}" for side in ("reference", "hypothesis")]
    for path, side in zip(paths, rows, strict=True):
        path.write_text(json.dumps(side) if task.metric else "".join(side), encoding="utf-8")
    return paths


def meeting(speech: Speech, session: str, words: int) -> tuple[list[Any], list[Any]]:
    """The segments of a meeting; one in fourteen has another speaker in the hypothesis."""
    reference, hypothesis, time, left, chance = list[Any](), list[Any](), 0.0, words, speech.chance
    while left:
        said = speech.said(min(chance.randrange(1, 25), left))
        left -= len(said)
        begin = max(0.0, time - chance.choice((0, 0, 0.5, 1.5)))
        time = begin + 0.35 * len(said)
        speaker = chance.randrange(4)
        other = speaker if chance.random() < 0.93 else chance.randrange(4)
        shared = {"session_id": session, "start_time": round(begin, 2), "end_time": round(time, 2)}
        reference.append({**shared, "speaker": f"s{speaker}", "words": " ".join(said)})
        hypothesis.append({**shared, "speaker": f"s{other}", "words": " ".join(speech.heard(said))})
        time += chance.choice((0, 0.2, 1))
    return reference, hypothesis


def spent(command: list[str]) -> tuple[float, float]:
    """Processor seconds and peak megabytes of a process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command[:2])}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def main() -> None:
    for task in TASKS:
        with tempfile.TemporaryDirectory() as folder:
            paths = make(task, Path(folder))
            suffix, asked = ("", ["--metric", task.metric]) if task.metric else ("::kaldi", [])
            inputs = [f"{path.stem}={path}{suffix}" for path in paths]
            for peer in task.peers:
                theirs, held = spent([sys.argv[1], "-c", WITH[peer], task.metric or task.suite, *map(str, paths)])
                ours, megabytes = spent([SCORESPEC, "score", task.suite, *inputs, *asked, "--quiet"])
                row = [
                    f"`{task.metric or task.suite}`",
                    task.size,
                    peer,
                    f"{theirs:.2f}",
                    f"{ours:.1f}",
                    f"{ours / theirs:.1f}",
                    f"{held:,.0f} MB",
                    f"{megabytes:,.0f} MB",
                ]
                add_row("bench-peers", row, keys=3)


if __name__ == "__main__":
    main()
