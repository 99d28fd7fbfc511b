"""Simulates how often 95 % intervals of a calibration contain the slope and shift of the population.

python tests/simulations/fits.py                   numbers of docs/simulations.md
python tests/simulations/fits.py --corpora 100     less exactly, in a tenth of the time

A corpus has G blocks of 12 trials. 40 % of the trials are positives. Scores are normal with variance 1, and with the
mean 1 for positives and 0 for negatives, to which each block adds a number of its own with the standard deviation τ.
The slope and shift of the population are those of the least cost with a prior of 0.3 in a corpus of 2 million trials.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
from numpy.random import Generator, default_rng

from scorespec.core.arrays import Floats, Ints, Mask
from scorespec.statistics import Draws, Resampled, bca_interval

PRIOR, TRIALS, POSITIVES = 0.3, 12, 0.4
LOG_ODDS = float(np.log(PRIOR / (1 - PRIOR)))
BLOCKS, DEVIATIONS = (10, 20, 30, 50, 200), (0.0, 0.4)
POPULATION = 40_000  # blocks of 50 trials


def trials(random: Generator, blocks: int, deviation: float, each: int = TRIALS) -> tuple[Ints, Floats, Mask]:
    """The block and the score of each trial, and whether it is a positive."""
    owner, positive = np.repeat(np.arange(blocks), each), random.random(blocks * each) < POSITIVES
    return owner, random.normal(positive + random.normal(0, deviation, blocks)[owner], 1), positive


def fitted(scores: Floats, positive: Mask, weights: Floats) -> Floats:
    """Slope and intercept of the least cost, by Newton's method: … × 2. ``weights`` of trials are … × trials."""
    totals = np.where(
        positive, weights[..., positive].sum(axis=-1)[..., None], weights[..., ~positive].sum(-1)[..., None]
    )
    weights = weights * np.where(positive, PRIOR, 1 - PRIOR) / totals
    rows = np.stack((scores, np.ones(len(scores))))
    lines = np.broadcast_to([0.0, LOG_ODDS], (*weights.shape[:-1], 2))
    for _ in range(9):
        chance = 1 / (1 + np.exp(-lines @ rows))
        gradient = (weights * (chance - positive)) @ rows.T
        curvature = np.einsum("...n,in,jn->...ij", weights * chance * (1 - chance), rows, rows, optimize=True)
        lines = lines - np.linalg.solve(curvature, gradient[..., None])[..., 0]
    return np.asarray(lines)


def derivatives(owner: Ints, scores: Floats, positive: Mask, line: Floats) -> Floats:
    """For each block and class: the number of trials, and the derivatives of their cost: blocks × 2 × 10."""
    odds = line[0] * scores + line[1]
    p, q = 1 / (1 + np.exp(-odds)), 1 / (1 + np.exp(odds))
    found = np.empty((owner.max() + 1, 2, 10))
    for at, (of_class, residual) in enumerate(((positive, -q), (~positive, p))):
        columns = [np.ones(len(scores)), *(residual * scores**k for k in range(2))]
        columns += [*(p * q * scores**k for k in range(3)), *(p * q * (q - p) * scores**k for k in range(4))]
        for place, column in enumerate(columns):
            found[:, at, place] = np.bincount(owner, weights=of_class * column)
    return found


def calibrations(sums: Floats, line: Floats) -> Floats:
    """Slope and shift from sums of derivatives at a line, up to terms of third order: … × 2 × 10 to … × 2."""
    shares = np.array([PRIOR, 1 - PRIOR])[:, None] / sums[..., :1]
    g0, g1, c0, c1, c2, t0, t1, t2, t3 = np.moveaxis((shares * sums[..., 1:]).sum(axis=-2), -1, 0)

    def step(by_intercept: Floats, by_slope: Floats) -> tuple[Floats, Floats]:
        determinant = c0 * c2 - c1 * c1
        return (c1 * by_intercept - c0 * by_slope) / determinant, (c1 * by_slope - c2 * by_intercept) / determinant

    slope, intercept = step(g0, g1)
    bent = [
        g + (a * intercept**2 + 2 * b * intercept * slope + c * slope**2) / 2
        for g, a, b, c in ((g0, t0, t1, t2), (g1, t1, t2, t3))
    ]
    slope, intercept = step(*bent)
    return np.stack((line[0] + slope, line[1] + intercept - LOG_ODDS), axis=-1)


def resampled(sums: Floats, line: Floats, draws: Draws, replicates: int) -> Resampled:
    """Slope and shift of the corpus, of its resamples, and of the corpus without each block."""
    counts, whole = draws.counts(0, replicates), sums.sum(axis=0)
    drawn = np.tensordot(counts, sums, axes=1)
    with np.errstate(all="ignore"):  # a resample may lack a class
        return Resampled(*(calibrations(each, line) for each in (whole, drawn, whole - sums)))


def covered(blocks: int, deviation: float, corpora: int, replicates: int, population: int = POPULATION) -> list[float]:
    """The part of corpora whose intervals contain the slope and the shift of a population with this many blocks."""
    random = default_rng([1, blocks, round(10 * deviation)])
    _, scores, positive = trials(random, population, deviation, 50)
    true = fitted(scores, positive, np.ones(len(scores))) - [0, LOG_ODDS]
    found = np.zeros(2)
    for corpus in range(corpora):
        owner, scores, positive = trials(random, blocks, deviation)
        line = fitted(scores, positive, np.ones(len(scores)))
        made = resampled(derivatives(owner, scores, positive, line), line, Draws(corpus, blocks), replicates)
        for at in range(2):
            interval = bca_interval(made, at)
            if interval.low is not None and interval.high is not None:
                found[at] += interval.low <= true[at] <= interval.high
    return (found / corpora).tolist()


def table(corpora: int, replicates: int) -> Iterator[str]:
    """The table of coverage in Markdown, row by row."""
    yield (
        "| blocks | " + " | ".join(f"{name}, τ = {each:g}" for each in DEVIATIONS for name in ("slope", "shift")) + " |"
    )
    yield "|--:|" + "--:|" * 2 * len(DEVIATIONS)
    for blocks in BLOCKS:
        parts = [part for each in DEVIATIONS for part in covered(blocks, each, corpora, replicates)]
        yield f"| {blocks} | " + " | ".join(f"{100 * part:.1f} %" for part in parts) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpora", type=int, default=1_000, help="simulated corpora of each cell")
    parser.add_argument("--replicates", type=int, default=1_999, help="resamples of each corpus")
    options = parser.parse_args()
    for row in table(options.corpora, options.replicates):
        print(row, flush=True)


if __name__ == "__main__":
    main()
