"""How often 95 % intervals contained the true value in simulated corpora.

`make simulate` writes coverage.csv beside this module, and docs/statistics.md shows the table.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Coverage:
    """A simulated population, and the part of its corpora whose 95 % interval contained the true value.

    ``effective`` is the mean effective number of blocks, ``correlation`` that of two units of a block.
    """

    lengths: str
    blocks: int
    effective: float
    correlation: float
    covered: float


@cache
def simulated() -> tuple[Coverage, ...]:
    """All simulated populations."""
    lines = (files(__package__) / "coverage.csv").read_text(encoding="utf-8").splitlines()
    return tuple(
        Coverage(
            row["lengths"],
            int(row["blocks"]),
            float(row["effective"]),
            float(row["correlation"]),
            float(row["covered"]),
        )
        for row in csv.DictReader(lines)
    )


def nearest_coverage(blocks: int, effective: float) -> Coverage:
    """The simulated population most like a corpus, by the ratios of numbers and of effective numbers of blocks.

    The intra-block correlation of a corpus is not known, so the one with the lowest coverage is taken.
    """

    def distance(cell: Coverage) -> float:
        return math.hypot(math.log(cell.blocks / blocks), math.log(cell.effective / effective))

    least = min(map(distance, simulated()))
    return min((cell for cell in simulated() if distance(cell) <= least + 0.1), key=lambda cell: cell.covered)
