"""Simulates how often `scorespec gate` fails a system whose score is worse by a known difference.

make simulate                                                    the tables of docs/simulations.md
PYTHONPATH=tests python tests/simulations/gates.py --pairs 400   less exactly, in a tenth of the time

A corpus is one of `populations.py`. Two systems share half of the difficulty of a block: the error rate of the second
is the mean of that of the first and of one that is drawn again. Then the second gets worse by ``loss`` on average: its
rate r becomes r + loss · (1 − r) / (1 − 0.2), which is at most 1. The target is `max_drop` with `confidence: 95`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator

import numpy as np

from scorespec.comparison.targets import FAILS, UNJUDGED, Target
from scorespec.core.arrays import Floats
from scorespec.statistics import Draws, bca_interval, effective_blocks, resample
from simulations.populations import (
    AT_ONCE,
    BLOCKS,
    CORRELATIONS,
    LENGTHS,
    MEAN_LENGTH,
    RATE,
    Cell,
    rate,
    rates_and_units,
)

LIMIT = 0.01
TARGET = Target("wer.value", max_drop=LIMIT, confidence=95)
BEYOND = (0.0, 0.5, 1.0, 1.5)  # true differences beyond the limit, in units of `detectable`


def detectable(blocks: int) -> float:
    """The difference of two binomial rates that a normal test at 5 % finds with a probability of about 80 %."""
    return float(2.8 * (2 * RATE * (1 - RATE) / (MEAN_LENGTH * blocks)) ** 0.5)


def systems(cell: Cell, pairs: int, loss: float, seed: int) -> tuple[Floats, Floats, Floats]:
    """Errors and units of two systems (blocks × pairs × 2), and the numbers of units (blocks × pairs)."""
    random, rates, units = rates_and_units(cell, pairs, seed)
    _, again, _ = rates_and_units(cell, pairs, seed + 1)
    others = (rates + again) / 2
    worse = others + loss * (1 - others) / (1 - RATE)
    first, second = (
        np.stack((random.binomial(units.astype(np.int64), each), units), axis=-1) for each in (rates, worse)
    )
    return first, second, units


def verdicts(cell: Cell, pairs: int, replicates: int, loss: float, seed: int = 1) -> Counter[str]:
    """How often the gate gives each verdict on the second system, with the first as its baseline."""
    first, second, units = systems(cell, pairs, loss, seed)
    found: Counter[str] = Counter()
    for start in range(0, pairs, AT_ONCE):
        part, draws = slice(start, start + AT_ONCE), Draws(seed, cell.blocks)
        one, other = (resample(each[:, part], rate, draws, replicates) for each in (first, second))
        difference = other - one
        for at, each in enumerate(units[:, part].T):
            interval = bca_interval(difference, at, 0.95, effective_blocks(each))
            judged = interval.low is not None and interval.high is not None
            found[TARGET.verdict(interval.low, interval.high, "lower") if judged else UNJUDGED] += 1
    return found


def share(found: Counter[str], error: bool = False) -> str:
    """The part of the judged pairs that fail, with its standard error; a dash if hardly any pair can be judged."""
    judged = found.total() - found[UNJUDGED]
    if judged < found.total() / 2:
        return "–"
    part = found[FAILS] / judged
    return f"{100 * part:.1f}" + (f" ± {100 * (part * (1 - part) / judged) ** 0.5:.1f} %" if error else " %")


def size_table(pairs: int, replicates: int) -> Iterator[str]:
    """How often the gate fails if the true difference is the limit, in Markdown, row by row."""
    yield "| lengths of blocks | blocks | " + " | ".join(f"ρ = {rho:g}" for rho in CORRELATIONS) + " |"
    yield "|---|--:|" + "--:|" * len(CORRELATIONS)
    for lengths in LENGTHS:
        for blocks in BLOCKS:
            cells = [verdicts(Cell(blocks, lengths, rho), pairs, replicates, LIMIT) for rho in CORRELATIONS]
            yield f"| {lengths} | {blocks} | " + " | ".join(share(each, error=True) for each in cells) + " |"


def power_table(pairs: int, replicates: int) -> Iterator[str]:
    """How often the gate fails if the true difference is beyond the limit, in Markdown, row by row."""
    yield "| blocks | ρ | d | " + " | ".join(f"0.01 + {each:g} d" if each else "0.01" for each in BEYOND) + " |"
    yield "|--:|--:|--:|" + "--:|" * len(BEYOND)
    for blocks in BLOCKS:
        step = detectable(blocks)
        for rho in CORRELATIONS:
            cell = Cell(blocks, "lognormal .3", rho)
            found = [verdicts(cell, pairs, replicates, LIMIT + each * step) for each in BEYOND]
            yield f"| {blocks} | {rho:g} | {step:.4f} | " + " | ".join(map(share, found)) + " |"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=4_000, help="simulated pairs of systems of each cell")
    parser.add_argument("--replicates", type=int, default=1_999, help="resamples of each pair")
    options = parser.parse_args()
    for table in (size_table(options.pairs, options.replicates), power_table(options.pairs, options.replicates)):
        for row in table:
            print(row, flush=True)
        print()


if __name__ == "__main__":
    main()
