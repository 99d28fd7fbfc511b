"""Times small runs: every suite on the rows of an example, where starting the process takes most of the time.

make bench-start                                      all suites
python tests/benchmarks/start.py --only zerospeech    some of them
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq
from measure import SCORESPEC, only

sys.path.insert(0, str(Path(__file__).parents[1]))

from examples import SUITES, inputs_of

RUNS = 5


class Task(NamedTuple):
    """A suite, scored on a few rows in Parquet files."""

    suite: str
    size: str = ""


def measure(suite: str) -> list[str]:
    """The least processor seconds of some runs: other work on the machine only adds to them."""
    with tempfile.TemporaryDirectory() as folder:
        given = []
        for name, table in inputs_of(suite).items():
            pq.write_table(table, Path(folder) / f"{name}.parquet")
            given.append(f"{name}={folder}/{name}.parquet")
        spent = [_spent([SCORESPEC, "score", suite, *given, "--quiet"]) for _ in range(RUNS)]
    return [f"`{suite}`", f"{min(spent):.2f}"]


def _spent(command: list[str]) -> float:
    """The processor seconds of a process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    for task in only(map(Task, SUITES)):
        print(" ".join(measure(task.suite)), flush=True)


if __name__ == "__main__":
    main()
