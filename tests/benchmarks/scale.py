"""How time and memory grow with the size of the input, beside what DuckDB needs to read and sort that input once.

make bench-scale                                  all suites, 1x, 4x, 16x, 64x
python tests/benchmarks/scale.py --only std2006   one of them
"""

from __future__ import annotations

import math
import re
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

TIMES = (1, 4, 16, 64)
PROSE = ("--param", "punctuation=remove", "--param", "hyphen=split")
# A line of text, or a row of Parquet, is read, and all of them are sorted.
FLOOR = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1] + "/floor.duckdb")
for number, path in enumerate(sys.argv[2:]):
    rows = f"'{path}'" if path.endswith(".parquet") else (
        f"read_csv('{path}', delim='\\x01', quote='', escape='', header=false, columns={{'line': 'VARCHAR'}})")
    connection.execute(f"CREATE TABLE t{number} AS FROM {rows}")
    first = connection.execute(f"DESCRIBE t{number}").fetchone()[0]
    connection.execute(f"CREATE TABLE s{number} AS FROM t{number} ORDER BY {first}")
"""


@dataclass(frozen=True)
class Growing:
    """A suite, what 1x is, and who writes the inputs of a multiple of that."""

    suite: str
    size: str
    write: Callable[[int, Path], dict[str, Path]]
    options: tuple[str, ...] = ()


def _trials(times: int, folder: Path) -> dict[str, Path]:
    inputs = write_trials(56, 1_448 * times, folder)
    return {name: inputs[name] for name in ("queries", "audio", "occurrences", "detections")}


SUITES = (
    Growing("zerospeech2017", "70,000 phones", lambda times, folder: write_corpus(70_000 * times, folder)),
    Growing("zerospeech2015", "10,000 phones", lambda times, folder: write_corpus(10_000 * times, folder)),
    Growing("std2006", "100,000 detections", lambda times, f: write_search(100_000 * times, 200, 4 * times, f)),
    Growing("quesst2015", "81,088 trials", _trials),
    Growing("speech_ne", "20,000 words", lambda times, folder: write_transcripts(20_000 * times, folder)),
    Growing("wer", "20,000 words", lambda times, folder: write_transcripts(20_000 * times, folder), PROSE),
    Growing("articulation", "20 tokens × 3 tasks of 1 s", lambda times, folder: write_syntheses(20 * times, 3, folder)),
)


def spilled_mb(profile: Path) -> float:
    """The most that a step spilled, as ``--profile`` tells it."""
    megabytes = re.findall(r"([\d,]+) MB spilled", profile.read_text(encoding="utf-8"))
    return max(float(each.replace(",", "")) for each in megabytes)


def floor(inputs: dict[str, Path]) -> Spent:
    """What reading and sorting each input once takes, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return spend([sys.executable, "-c", FLOOR, folder, *map(str, inputs.values())])


def rows(growing: Growing) -> Iterator[list[str]]:
    before = None
    for times in TIMES:
        with tempfile.TemporaryDirectory() as folder:
            inputs = apart(growing.write, times, Path(folder) / "inputs")
            profile = Path(folder) / "profile"
            spent = score(growing.suite, inputs, "--profile", *growing.options, stderr=profile)
            least = floor(inputs)
            spilled = spilled_mb(profile)
        grown = f"{math.log(spent.seconds / before) / math.log(TIMES[1] / TIMES[0]):.2f}" if before else ""
        before = spent.seconds
        yield [
            f"`{growing.suite}`", f"{times} × {growing.size}", f"{spent.seconds:.1f}", f"{spent.peak_mb:,.0f} MB",
            f"{spilled:,.0f} MB", grown, f"{least.seconds:.1f}", f"{spent.seconds / least.seconds:.1f}",
        ]  # fmt: skip


def main() -> None:
    for growing in only(SUITES):
        for row in rows(growing):
            add_row("bench-scale", row, keys=2)


if __name__ == "__main__":
    main()
