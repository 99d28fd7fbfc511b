"""Times whole runs of the command line.

make bench                                      all tasks
python tests/benchmarks/run.py --only std2006   some of them
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus import write_corpus
from measure import Spent, add_row, apart, only, score, spend
from searches import write_search
from syntheses import write_syntheses
from transcripts import write_transcripts
from trials import write_trials
from turns import write_turns

Inputs = dict[str, Path]
HERE = Path(__file__).parent
FIXTURE = HERE.parent / "data" / "articulation"
SYNTHESES = {name: FIXTURE / f"{name}.parquet" for name in ("tokens", "labels")} | {
    "submission": FIXTURE / "submission_B.parquet",
    "baseline": FIXTURE / "submission_baseline.parquet",
}
PROSE = ("--param", "punctuation=remove", "--param", "hyphen=split")


@dataclass(frozen=True)
class Task:
    """What is scored: a suite, what its size is said to be, who writes the inputs, options, how often it is run.

    ``against`` is a script of this folder, and its arguments, that computes the same of the same folder.
    """

    suite: str
    size: str
    write: Callable[[Path], Inputs]
    options: tuple[str, ...] = ()
    runs: int = 3
    against: tuple[str, ...] = ()


def _quesst(folder: Path, detections: str) -> Inputs:
    inputs = write_trials(445, 11_662, folder)
    return {name: inputs[name] for name in ("queries", "audio", "occurrences")} | {"detections": inputs[detections]}


TASKS = (
    Task("zerospeech2017", "70,000 phones, 28,000 fragments", lambda folder: write_corpus(70_000, folder)),
    Task("zerospeech2015", "70,000 phones, 28,000 fragments", lambda folder: write_corpus(70_000, folder)),
    Task(
        "zerospeech2017",
        "7,000,000 phones, 2,800,000 fragments",
        lambda folder: write_corpus(7_000_000, folder),
        ("--memory-limit", "1GB"),
        1,
    ),
    Task("std2006", "1,000,000 detections of 500 queries in 20 h, TSV", lambda f: write_search(1_000_000, 500, 20, f)),
    Task(
        "std2006",
        "30,000,000 detections of 1,000 queries in 200 h, TSV",
        lambda folder: write_search(30_000_000, 1_000, 200, folder),
        ("--memory-limit", "1GB"),
        1,
    ),
    Task("quesst2015", "5,189,590 trials, Parquet", lambda folder: _quesst(folder, "detections")),
    Task("quesst2015", "5,189,590 trials, XML", lambda folder: _quesst(folder, "stdlist")),
    Task("articubench", "20 tokens × 1 task of 0.1 s, Parquet", lambda folder: SYNTHESES, runs=5),
    Task(
        "articulation",
        "5,000 tokens × 3 tasks of 1 s, 4,312 labels, Parquet",
        lambda folder: write_syntheses(5_000, 3, folder),
        ("--memory-limit", "1GB"),
        1,
        against=("syntheses.py", "loop"),
    ),
    Task("wer", "180,000 words, 6,000 entities", lambda folder: write_transcripts(180_000, folder), PROSE),
    Task("wer", "1,800,000 words, 60,000 entities", lambda folder: write_transcripts(1_800_000, folder), PROSE, 1),
    Task(
        "wer",
        "180,000 words, aligned by their sounds",
        lambda folder: write_transcripts(180_000, folder),
        (*PROSE, "--param", "aligner=phonetic"),
    ),
    Task(
        "speech_ne",
        "180,000 words, 6,000 entities, sclite's alignment",
        lambda folder: write_transcripts(180_000, folder),
        ("--param", "aligner=sclite"),
    ),
    Task(
        "speech_ne", "180,000 words, 6,000 entities, by their sounds", lambda folder: write_transcripts(180_000, folder)
    ),
    Task(
        "speech_ne",
        "1,800,000 words, 60,000 entities, sclite's alignment",
        lambda folder: write_transcripts(1_800_000, folder),
        ("--param", "aligner=sclite"),
        1,
    ),
    Task("der_pyannote", "200 recordings of 1 h, 340,000 turns, TSV", lambda folder: write_turns(200, 1, folder)),
    Task(
        "der_pyannote",
        "10,000 recordings of 1 h, 17,100,000 turns, Parquet",
        lambda folder: write_turns(10_000, 1, folder, ".parquet"),
        ("--memory-limit", "4GB"),
        1,
    ),
)


def measure(task: Task, folder: Path) -> Spent:
    """The median seconds and the largest peak of some runs; where there are several, after one that is not counted."""
    inputs = apart(task.write, folder)
    if task.runs > 1:
        score(task.suite, inputs, *task.options)  # the first run reads code from disk
    spent = [score(task.suite, inputs, *task.options) for _ in range(task.runs)]
    return Spent(statistics.median(each.seconds for each in spent), max(each.peak_mb for each in spent))


def rows(task: Task) -> Iterator[list[str]]:
    with tempfile.TemporaryDirectory() as folder:
        spent = measure(task, Path(folder))
        limit = dict(zip(task.options[::2], task.options[1::2], strict=True)).get("--memory-limit", "default")
        yield [f"`{task.suite}`", task.size, limit, f"{spent.seconds:.1f}", f"{spent.peak_mb:,.0f} MB"]
        if task.against:
            other = spend([sys.executable, str(HERE / task.against[0]), *task.against[1:], folder])
            size = f"the same with a plain numpy loop (`{task.against[0]}`)"
            yield [f"`{task.suite}`", size, "", f"{other.seconds:.1f}", f"{other.peak_mb:,.0f} MB"]


def main() -> None:
    for task in only(TASKS):
        for row in rows(task):
            add_row("bench", row, keys=2)


if __name__ == "__main__":
    main()
