"""Simulates how often 95 % intervals of an equal error rate contain that of the population.

python tests/simulations/crossings.py

A corpus has G blocks of 50 trials, 10 of which are targets. Scores are normal with variance 1, and with the mean 2 for
targets and 0 for others, to which each block adds a number of its own with the standard deviation τ.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.random import Generator, default_rng

from scorespec.statistics import (
    Draws,
    Interval,
    SumOfRows,
    bca_interval,
    crossing_points,
    points_of_resamples,
    rank_rows,
    stacked,
    unstacked,
)

TRIALS, TARGETS, DISTANCE = 50, 10, 2.0
BLOCKS, DEVIATIONS, CORPORA, REPLICATES = (20, 50, 200), (0.0, 0.5), 400, 599


def interval(random: Generator, blocks: int, deviation: float) -> Interval:
    """The interval of the rate of one corpus, on the line between the thresholds where the rates cross."""
    owner, target = np.repeat(np.arange(blocks), TRIALS), np.tile(np.arange(TRIALS) < TARGETS, blocks)
    scores = random.normal(DISTANCE * target + random.normal(0, deviation, blocks)[owner], 1)
    statistics = np.column_stack((target, ~target)).astype(np.float64)
    rows, draws = rank_rows(scores, owner, statistics, blocks), Draws(0, blocks)
    totals = stacked(statistics.reshape(blocks, TRIALS, 2).sum(axis=1), draws, REPLICATES)
    none = np.zeros(len(totals))
    miss = SumOfRows(none + 1, np.column_stack((-1 / totals[:, 0], none)))
    alarm = SumOfRows(none, np.column_stack((none, 1 / totals[:, 1])))
    sums, _ = points_of_resamples(
        rows, draws, REPLICATES, lambda walk, part: crossing_points(walk, (miss - alarm).of(part))
    )
    (above, below), (above_alarm, below_alarm) = miss.at(sums), alarm.at(sums)
    part = (above - above_alarm) / (above - above_alarm + below_alarm - below)
    return bca_interval(unstacked((above + part * (below - above))[:, None], REPLICATES), 0)


def covered(blocks: int, deviation: float) -> float:
    """The part of corpora whose interval contains the rate of the population."""
    random, found = default_rng([1, blocks, round(10 * deviation)]), 0
    true = NormalDist().cdf(-DISTANCE / 2 / math.sqrt(1 + deviation**2))
    for _ in range(CORPORA):
        each = interval(random, blocks, deviation)
        found += each.low is not None and each.high is not None and each.low <= true <= each.high
    return found / CORPORA


def main() -> None:
    """Print the table."""
    print("| blocks | " + " | ".join(f"τ = {each:g}" for each in DEVIATIONS) + " |\n|--:|" + "--:|" * len(DEVIATIONS))
    for blocks in BLOCKS:
        print(f"| {blocks} | " + " | ".join(f"{100 * covered(blocks, each):.1f} %" for each in DEVIATIONS) + " |")


if __name__ == "__main__":
    main()
