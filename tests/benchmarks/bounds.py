"""Scores what does not fit in memory: the process against its limit, and the disk that it takes.

make bench-bounds                                     all of them; an hour or two, and 30 GB of disk
python tests/benchmarks/bounds.py --only zerospeech   some of them
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from corpus import write_corpus
from measure import add_row, apart, only, score
from searches import write_search
from transcripts import write_transcripts

BLOCK = "bench-bounds"
LIMIT = "1GB"


@dataclass(frozen=True)
class Bound:
    """A suite, what its input is said to be, who writes it, and the metrics if not all."""

    suite: str
    size: str
    write: Callable[[Path], dict[str, Path]]
    metrics: tuple[str, ...] = ()


BOUNDS = (
    Bound(
        "sws2013",
        "100,000,000 detections of 1,000 queries in 700 h, Parquet",
        lambda folder: write_search(100_000_000, 1_000, 700, folder, ".parquet"),
    ),
    Bound(
        "sws2013",
        "100,000,000 detections of 1,000 queries in 700 h, TSV",
        lambda folder: write_search(100_000_000, 1_000, 700, folder),
    ),
    Bound(
        "zerospeech2017",
        "20,000,000 fragments on 5,000,000 phones",
        lambda folder: write_corpus(5_000_000, folder, per_phone=4),
    ),
    Bound(
        "zerospeech2015",
        "20,000,000 fragments on 5,000,000 phones; the seven published metrics",
        lambda folder: write_corpus(5_000_000, folder, per_phone=4),
        ("ned", "coverage", "matching", "grouping", "type", "token", "boundary"),
    ),
    Bound("speech_ne", "20,000,000 words", lambda folder: write_transcripts(20_000_000, folder)),
)


def measure(bound: Bound) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        inputs = apart(bound.write, Path(folder) / "inputs")
        spill = Path(folder) / "spill"
        spill.mkdir()
        metrics = [option for name in bound.metrics for option in ("--metric", name)]
        spent = score(bound.suite, inputs, "--memory-limit", LIMIT, *metrics, folder=spill)
        size = sum(path.stat().st_size for path in inputs.values()) / 1e9
    return [
        f"`{bound.suite}`", bound.size, f"{size:.1f} GB", LIMIT, f"{spent.seconds:,.0f}", f"{spent.peak_mb:,.0f} MB",
        f"{spent.disk_mb / 1000:.1f} GB",
    ]  # fmt: skip


def main() -> None:
    for bound in only(BOUNDS):
        add_row(BLOCK, measure(bound), keys=2)


if __name__ == "__main__":
    main()
