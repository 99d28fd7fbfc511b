"""Times whole runs of the command line and writes the table of docs/performance.md.

make bench                                    all tasks
python tests/benchmarks/run.py --only std2006 those of which the name holds a word
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from corpus import write_corpus
from measure import MACHINE, Spent, apart, rewrite, score, spend, table
from searches import write_search
from syntheses import write_syntheses
from transcripts import write_transcripts
from trials import write_trials

from scorespec.errors import Problems
from scorespec.formats import FORMATS

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

    @property
    def name(self) -> str:
        return f"{self.suite} {self.size}"


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
)


def measure(task: Task, folder: Path) -> Spent:
    """The median seconds and the largest peak of some runs; where there are several, after one that is not counted."""
    inputs = apart(task.write, folder)
    if task.runs > 1:
        score(task.suite, inputs, *task.options)  # the first run reads code from disk
    spent = [score(task.suite, inputs, *task.options) for _ in range(task.runs)]
    return Spent(statistics.median(each.seconds for each in spent), max(each.peak_mb for each in spent))


def reading_speed(folder: Path) -> float:
    """Lines per second of the .class reader, on one core."""
    path = write_corpus(700_000, folder)["fragments"]
    lines = sum(1 for _ in path.open("rb"))
    columns = {"cluster": pa.string(), "file": pa.string(), "onset": pa.float64(), "offset": pa.float64()}
    read = FORMATS["class"].read
    assert read is not None
    start = time.perf_counter()
    for _ in read(path, columns, Problems("bench")):
        pass
    return lines / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="a word of the tasks to run; the page is then left as it is")
    only = parser.parse_args().only
    rows = []
    for task in TASKS:
        if only not in task.name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            spent = measure(task, Path(folder))
            other = (
                spend([sys.executable, str(HERE / task.against[0]), *task.against[1:], folder])
                if task.against
                else None
            )
        limit = dict(zip(task.options[::2], task.options[1::2], strict=True)).get("--memory-limit", "default")
        rows.append([f"`{task.suite}`", task.size, limit, f"{spent.seconds:.1f}", f"{spent.peak_mb:,.0f} MB"])
        if other:
            size = f"the same with a plain numpy loop (`{task.against[0]}`)"
            rows.append(["", size, "", f"{other.seconds:.1f}", f"{other.peak_mb:,.0f} MB"])
        print(*(" | ".join(row) for row in rows[-2 if other else -1 :]), sep="\n", flush=True)
    if only:
        return
    with tempfile.TemporaryDirectory() as folder:
        lines = reading_speed(Path(folder))
    heads = ["suite", "size", "memory limit", "seconds:", "peak memory:"]
    reader = f"The `.class` reader alone: {lines / 1e6:.1f} million lines a second on one core. ({MACHINE})"
    rewrite("bench", f"{table(heads, rows)}\n\n{reader}")


if __name__ == "__main__":
    main()
