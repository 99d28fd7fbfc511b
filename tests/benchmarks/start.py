"""Times small runs: every suite on the rows of an example, where starting the process takes most of the time.

make bench-start                                      all suites
python tests/benchmarks/start.py --only zerospeech    some of them
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq
from measure import SCORESPEC, add_row, only

sys.path.insert(0, str(Path(__file__).parents[1]))

from examples import SUITES, inputs_of

RUNS = 5


class Task(NamedTuple):
    """A suite, scored on a few rows in Parquet files."""

    suite: str
    size: str = ""


def measure(suite: str) -> list[str]:
    """The least seconds and the least processor seconds of some runs: what other processes take only adds to them."""
    with tempfile.TemporaryDirectory() as folder:
        given = []
        for name, table in inputs_of(suite).items():
            pq.write_table(table, Path(folder) / f"{name}.parquet")
            given.append(f"{name}={folder}/{name}.parquet")
        spent = [_spent([SCORESPEC, "score", suite, *given, "--quiet"]) for _ in range(RUNS)]
    return [f"`{suite}`", *(f"{min(each):.2f}" for each in zip(*spent, strict=True))]


def _spent(command: list[str]) -> tuple[float, float]:
    """The seconds and the processor seconds of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


def main() -> None:
    for task in only(map(Task, SUITES)):
        add_row("bench-start", measure(task.suite), keys=1)


if __name__ == "__main__":
    main()
