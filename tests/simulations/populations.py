"""Simulates how often 95 % intervals contain the true value, and how often tests find differences.

make simulate                                      the tables of docs/simulations.md
python tests/simulations/populations.py --corpora 200  less exactly, in a tenth of the time

A corpus is G blocks. Block g has n_g units, and its error rate is drawn from a beta distribution with mean 0.2, so that
two units of a block have the intra-block correlation ρ. Its errors are binomial. The score is errors per unit over all
blocks, and its true value is 0.2. All numbers are drawn from a fixed seed.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from itertools import groupby
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.random import Generator, default_rng

from scorespec.core.arrays import Floats
from scorespec.statistics import (
    Draws,
    bca_interval,
    block_groups,
    bootstrap_tests,
    effective_blocks,
    expanded,
    jackknife_test,
    randomisation_tests,
    resample,
)
from scorespec.statistics.confidence import Population

RATE, MEAN_LENGTH = 0.2, 100
BLOCKS = (10, 20, 50, 200)
CORRELATIONS = (0.0, 0.1, 0.3)
AT_ONCE = 100  # corpora that are resampled together; bounds the memory


def _equal(random: Generator, shape: tuple[int, int]) -> Floats:
    return np.full(shape, float(MEAN_LENGTH))


def _lognormal(sigma: float) -> Callable[[Generator, tuple[int, int]], Floats]:
    return lambda random, shape: MEAN_LENGTH * random.lognormal(-(sigma**2) / 2, sigma, shape)


def _zipf(random: Generator, shape: tuple[int, int]) -> Floats:
    """The k-th largest block is 1/k of the largest."""
    shares = 1 / np.arange(1, shape[0] + 1)
    return np.repeat((MEAN_LENGTH * shape[0] * shares / shares.sum())[:, None], shape[1], axis=1)


LENGTHS = {"equal": _equal, "lognormal .3": _lognormal(0.3), "lognormal .8": _lognormal(0.8), "Zipf": _zipf}


@dataclass(frozen=True)
class Cell:
    """One population: number of blocks, lengths of blocks, intra-block correlation."""

    blocks: int
    lengths: str
    correlation: float


CELLS = [Cell(blocks, lengths, rho) for lengths in LENGTHS for blocks in BLOCKS for rho in CORRELATIONS]


def rates_and_units(cell: Cell, corpora: int, seed: int) -> tuple[Generator, Floats, Floats]:
    """Error rates and numbers of units: blocks × corpora."""
    random = default_rng([seed, cell.blocks, list(LENGTHS).index(cell.lengths), round(100 * cell.correlation)])
    shape = (cell.blocks, corpora)
    units = np.maximum(np.rint(LENGTHS[cell.lengths](random, shape)), 1)
    if cell.correlation == 0:
        return random, np.full(shape, RATE), units
    size = (1 - cell.correlation) / cell.correlation
    return random, random.beta(RATE * size, (1 - RATE) * size, shape), units


def rate(sums: Floats) -> Floats:
    """Errors per unit. Each corpus is a component, so that all of them are resampled at once."""
    values: Floats = sums[..., 0] / sums[..., 1]
    return values


def coverage(cell: Cell, corpora: int, replicates: int, seed: int = 1) -> tuple[float, float]:
    """The part of corpora whose interval contains the true rate, and the mean effective number of blocks."""
    random, rates, units = rates_and_units(cell, corpora, seed)
    sums = np.stack((random.binomial(units.astype(np.int64), rates), units), axis=-1)
    covered = 0
    for first in range(0, corpora, AT_ONCE):
        made = resample(sums[:, first : first + AT_ONCE], rate, Draws(seed, cell.blocks), replicates)
        for corpus in range(made.value.size):
            interval = bca_interval(made, corpus)
            if interval.low is not None and interval.high is not None:
                covered += interval.low <= RATE <= interval.high
    return covered / corpora, float(np.mean([effective_blocks(each) for each in units.T]))


def findings(cell: Cell, corpora: int, replicates: int, gain: float = 0.0, seed: int = 1) -> list[float]:
    """How often the randomisation, bootstrap, expanded bootstrap and jackknife test find a difference at 5 %.

    Both systems have the error rate of the block, plus ``gain`` for the second. The last number is what to expect: the
    power of a normal variable with the mean ``gain`` and the standard deviation of the differences of all corpora.
    """
    random, rates, units = rates_and_units(cell, corpora, seed)
    first, second = (
        np.stack((random.binomial(units.astype(np.int64), np.minimum(rates + more, 1)), units), axis=-1)
        for more in (0.0, gain)
    )
    found = np.zeros(4)
    differences = rate(second.sum(axis=0)) - rate(first.sum(axis=0))
    for start in range(0, corpora, AT_ONCE):
        part = slice(start, start + AT_ONCE)
        draws = Draws(seed, cell.blocks)
        swapped = randomisation_tests(first[:, part], second[:, part], rate, seed, replicates)
        resampled = [resample(each[:, part], rate, draws, replicates) for each in (first, second)]
        plain = bootstrap_tests(resampled[1] - resampled[0]).p
        without = jackknife_tests(first[:, part], second[:, part], seed)
        found += [np.count_nonzero(p <= 0.05) for p in (swapped.p, plain, expanded(plain, cell.blocks), without)]
    normal = NormalDist()
    ratio = abs(differences.mean()) / differences.std() if gain else 0.0
    expected = normal.cdf(ratio - normal.inv_cdf(0.975)) + normal.cdf(-ratio - normal.inv_cdf(0.975))
    return [*(found / corpora).tolist(), expected]


def jackknife_tests(first: Floats, second: Floats, seed: int) -> Floats:
    """p of the difference of two systems in each corpus, by leaving out up to 30 groups of blocks."""
    group = block_groups(seed, len(first))
    sums = np.stack((first, second))
    without = np.stack([rate(sums[:, group != number].sum(axis=1)) for number in range(group.max() + 1)])
    whole, sizes = rate(sums.sum(axis=1)), np.bincount(group).astype(np.float64)
    left_out = without[:, 1] - without[:, 0]
    pairs = zip((whole[1] - whole[0]).tolist(), left_out.T, strict=True)
    return np.array([jackknife_test(difference, each, blocks=sizes) for difference, each in pairs])


def coverage_rows(corpora: int, replicates: int) -> Iterator[Population]:
    """The coverage of each population."""
    for cell in CELLS:
        covered, effective = coverage(cell, corpora, replicates)
        yield Population(cell.lengths, cell.blocks, round(effective, 1), cell.correlation, covered)


def coverage_table(cells: Iterable[Population]) -> Iterator[str]:
    """The table of coverage in Markdown, row by row. Cells of one row are adjacent."""
    yield "| lengths of blocks | blocks | effective | " + " | ".join(f"ρ = {rho:g}" for rho in CORRELATIONS) + " |"
    yield "|---|--:|--:|" + "--:|" * len(CORRELATIONS)
    for _, group in groupby(cells, key=lambda cell: (cell.lengths, cell.blocks)):
        row = list(group)
        covered = " | ".join(f"{100 * cell.covered:.1f} %" for cell in row)
        yield f"| {row[0].lengths} | {row[0].blocks} | {row[0].effective:.1f} | {covered} |"


def tests_table(corpora: int, replicates: int) -> Iterator[str]:
    """The table of sizes and powers in Markdown, row by row."""
    yield "| blocks | ρ | true difference | randomisation | bootstrap | expanded | jackknife | normal approximation |"
    yield "|--:|--:|--:|--:|--:|--:|--:|--:|"
    for blocks in BLOCKS:
        for rho in CORRELATIONS:
            # The difference of two binomial rates that a normal test finds with a probability of about 80 %.
            gain = 2.8 * (2 * RATE * (1 - RATE) / (MEAN_LENGTH * blocks)) ** 0.5
            for more in (0.0, gain):
                made = findings(Cell(blocks, "lognormal .3", rho), corpora, replicates, more)
                yield (
                    f"| {blocks} | {rho:g} | {more:.4f} | " + " | ".join(f"{100 * each:.1f} %" for each in made) + " |"
                )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpora", type=int, default=2_000, help="simulated corpora of each cell")
    parser.add_argument("--replicates", type=int, default=1_999, help="resamples of each corpus")
    parser.add_argument("--save", type=Path, help="a CSV file for the coverage, which warnings quote")
    options = parser.parse_args()
    cells = list(coverage_rows(options.corpora, options.replicates))
    if options.save:
        with options.save.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(field.name for field in fields(Population))
            writer.writerows(astuple(cell) for cell in cells)
    for table in (coverage_table(cells), tests_table(options.corpora, options.replicates)):
        for row in table:
            print(row, flush=True)
        print()


if __name__ == "__main__":
    main()
