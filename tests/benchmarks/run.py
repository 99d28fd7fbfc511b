"""Times whole runs of the command line and writes the table of docs/performance.md.

make bench                                   all sizes
python tests/benchmarks/run.py --sizes 1,10  some of them
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from corpus import write_corpus

from scorespec.errors import Problems
from scorespec.formats import FORMATS

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
PHONES = 70_000
LIMITS = {100: "1GB"}  # memory limits by size, the default for the others
REPEATS = {1: 5, 10: 3, 100: 1}


@dataclass(frozen=True)
class Measured:
    """One size: seconds of the whole process (median), its peak memory, and how many runs."""

    size: int
    seconds: float
    peak_mb: float
    runs: int


def run_once(command: list[str]) -> tuple[float, float]:
    """Wall seconds and peak resident megabytes of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return time.perf_counter() - start, usage.ru_maxrss / 1000


def measure(size: int, folder: Path) -> Measured:
    inputs = write_corpus(PHONES * size, folder)
    command = [str(Path(sys.executable).parent / "scorespec"), "score", "zerospeech2017", "--quiet"]
    command += [f"{name}={path}" for name, path in inputs.items()]
    if size in LIMITS:
        command += ["--memory-limit", LIMITS[size]]
    repeats = REPEATS.get(size, 1)
    if repeats > 1:
        run_once(command)  # the first run reads code from disk
    runs = [run_once(command) for _ in range(repeats)]
    return Measured(size, statistics.median(r[0] for r in runs), max(r[1] for r in runs), repeats)


def reading_speed(folder: Path) -> float:
    """Lines per second of the .class reader, on one core."""
    path = folder / "corpus.class"
    lines = sum(1 for _ in path.open("rb"))
    columns = {"cluster": pa.string(), "file": pa.string(), "onset": pa.float64(), "offset": pa.float64()}
    read = FORMATS["class"].read
    assert read is not None
    start = time.perf_counter()
    for _ in read(path, columns, Problems("bench")):
        pass
    return lines / (time.perf_counter() - start)


def table(measured: list[Measured]) -> str:
    lines = [
        "| phones | fragments | memory limit | seconds | peak memory | growth exponent |",
        "|---:|---:|---|---:|---:|---:|",
    ]
    for before, each in zip([None, *measured], measured, strict=False):
        phones = PHONES * each.size
        grown = ""
        if before:
            grown = f"{math.log(each.seconds / before.seconds) / math.log(each.size / before.size):.2f}"
        lines.append(
            f"| {phones:,} | {int(phones * 0.4):,} | {LIMITS.get(each.size, 'default')} | {each.seconds:.1f} "
            f"| {each.peak_mb:,.0f} MB | {grown} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1,10,100", help="multiples of 70,000 phones")
    sizes = [int(each) for each in parser.parse_args().sizes.split(",")]
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            here = Path(folder) / str(size)
            measured.append(measure(size, here))
            print(f"{size}x: {measured[-1].seconds:.2f} s, {measured[-1].peak_mb:.0f} MB", flush=True)
        lines = reading_speed(Path(folder) / str(sizes[-1]))
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores"
    reader = f"The `.class` reader alone: {lines / 1e6:.1f} million lines a second on one core. ({machine})"
    text = f"{table(measured)}\n\n{reader}"
    print(text)
    page = PAGE.read_text(encoding="utf-8")
    head, rest = page.split(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
