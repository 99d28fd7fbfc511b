"""Times two threads against one, and compares what they print.

make bench-threads                                  all of them
python tests/benchmarks/threads.py --only std2006   some of them
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from corpus import write_corpus
from measure import apart, only, score
from searches import write_search
from syntheses import write_syntheses
from transcripts import write_transcripts
from trials import write_trials


class Task(NamedTuple):
    """A suite, what its input is said to be, and who writes it."""

    suite: str
    size: str
    write: Callable[[Path], dict[str, Path]]


def _quesst(folder: Path) -> dict[str, Path]:
    inputs = write_trials(445, 11_662, folder)
    return {name: inputs[name] for name in ("queries", "audio", "occurrences", "detections")}


TASKS = (
    Task("std2006", "10,000,000 detections, Parquet", lambda f: write_search(10_000_000, 500, 100, f, ".parquet")),
    Task("std2006", "10,000,000 detections, TSV", lambda f: write_search(10_000_000, 500, 100, f)),
    Task("quesst2015", "5,189,590 trials, Parquet", _quesst),
    Task("zerospeech2017", "800,000 fragments on 2,000,000 phones", lambda f: write_corpus(2_000_000, f)),
    Task("zerospeech2015", "400,000 fragments on 1,000,000 phones", lambda f: write_corpus(1_000_000, f)),
    Task("speech_ne", "500,000 words", lambda f: write_transcripts(500_000, f)),
    Task("articulation", "1,000 tokens × 3 tasks of 1 s", lambda f: write_syntheses(1_000, 3, f)),
)


def measure(task: Task) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        inputs = apart(task.write, Path(folder) / "inputs")
        said = {threads: Path(folder) / f"{threads}.txt" for threads in (1, 2)}
        one, two = (
            score(task.suite, inputs, "--format", "csv", "--threads", str(threads), stdout=path)
            for threads, path in said.items()
        )
        assert said[1].read_bytes() == said[2].read_bytes(), f"{task.suite}: two threads print other scores"
    faster = f"{one.seconds / two.seconds:.2f}"
    return [f"`{task.suite}`", task.size, f"{one.seconds:.1f}", f"{two.seconds:.1f}", faster]


def main() -> None:
    for task in only(TASKS):
        print(" | ".join(measure(task)), flush=True)


if __name__ == "__main__":
    main()
