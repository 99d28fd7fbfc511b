"""How often 95 % intervals contained the true value in simulated corpora.

`make simulate` writes simulated.csv beside this module, and docs/statistics.md shows the table.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Population:
    """A simulated population, and the part of its corpora whose 95 % interval contained the true value.

    ``effective`` is the mean effective number of blocks, ``correlation`` that of two units of a block.
    """

    lengths: str
    blocks: int
    effective: float
    correlation: float
    covered: float


@cache
def simulated() -> tuple[Population, ...]:
    """All simulated populations."""
    lines = Path(__file__).with_name("simulated.csv").read_text(encoding="utf-8").splitlines()
    return tuple(
        Population(
            row["lengths"],
            int(row["blocks"]),
            float(row["effective"]),
            float(row["correlation"]),
            float(row["covered"]),
        )
        for row in csv.DictReader(lines)
    )


def nearest_population(blocks: int, effective: float) -> Population:
    """The simulated population most like a corpus, by the ratios of numbers and of effective numbers of blocks.

    The intra-block correlation of a corpus is not known, so the one with the lowest coverage is taken.
    """

    def distance(cell: Population) -> float:
        return math.hypot(math.log(cell.blocks / blocks), math.log(cell.effective / effective))

    nearest = min(simulated(), key=distance)
    alike = [cell for cell in simulated() if (cell.blocks, cell.lengths) == (nearest.blocks, nearest.lengths)]
    return min(alike, key=lambda cell: cell.covered)
