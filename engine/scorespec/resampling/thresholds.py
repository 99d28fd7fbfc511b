"""Intervals of a score at its best threshold, where each resample chooses its own threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorespec.arrays import Floats, Ints
from scorespec.resampling.bootstrap import Formula, Resampled, replicate_sums, resample_together
from scorespec.resampling.draws import Draws, parts
from scorespec.resampling.exact import exact_block_sums
from scorespec.resampling.sweeps import RankedRows, best_thresholds

# With more blocks, one block less does not move the best threshold: values without a block keep that of the corpus.
MOST_LEFT_OUT = 2_000


@dataclass(frozen=True, eq=False)
class SweepReplicates:
    """A sweep in the corpus and its resamples.

    ``best`` has the components at the best threshold of each resample; its ``bias`` says by how much the maximum of a
    resample exceeds that of the corpus on average. ``fixed`` has the components at the best threshold of the corpus;
    its standard errors are those of a threshold that is not chosen on the same rows. Thresholds are infinite where no
    row is accepted. ``plateau`` has the highest and the lowest threshold whose objective is within one standard error
    of the best one. ``flat`` says that the plateau accepts at most half as many rows, or at least twice as many, as the
    best threshold: then the best threshold is hardly better than others that decide quite differently.
    """

    best: Resampled
    fixed: Resampled
    threshold: float
    thresholds: Floats
    plateau: tuple[float, float]
    flat: bool

    def threshold_interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The percentile interval of the best threshold. Both ends are thresholds of resamples."""
        tail = (1 - confidence) / 2
        low, high = np.quantile(self.thresholds, (tail, 1 - tail), method="inverted_cdf")
        return float(low), float(high)


def resample_sweep(
    rows: RankedRows,
    totals: Floats,
    formula: Formula,
    draws: Draws,
    replicates: int = 1_999,
    *,
    units: Floats | None = None,
    tie: float = 1e-12,
    reject_all: bool = True,
) -> SweepReplicates:
    """Components at the best threshold of the corpus, of its resamples, and of the corpus without each block.

    The best threshold has the largest Σ weight × ``rows.values``. ``totals`` has the statistics of each block that do
    not depend on the threshold. ``formula`` reads the statistics of the accepted rows, and after them the totals. The
    objective divided by the sum of ``units`` over blocks (by default the number of blocks) is compared with ``tie``.

    With strata, each stratum has a best threshold of its own. Resample the rows of one stratum at a time, with totals
    and units of 0 for the blocks of others, and average the results with ``mean_of``.
    """
    blocks = draws.blocks
    totals, units = exact_block_sums(totals), np.ones(blocks) if units is None else exact_block_sums(units)
    accepted, ends = best_of_resamples(rows, draws, replicates, tie * stacked(units, draws, replicates), reject_all)
    with np.errstate(all="ignore"):
        values = formula(np.concatenate((accepted, stacked(totals, draws, replicates)), axis=1))
    best, end = unstacked(values, draws, replicates), int(ends[0])
    fixed = resample_together(np.hstack((accepted_by_block(rows, end, blocks), totals)), formula, draws, replicates)
    error = _fixed_error(rows, end, units, draws, replicates)
    plateau, flat = plateau_of(rows, end, error, reject_all)
    thresholds = _threshold(rows, ends)
    return SweepReplicates(best, fixed, thresholds[0], thresholds[1 : replicates + 1], plateau, flat)


def best_of_resamples(
    rows: RankedRows, draws: Draws, replicates: int, ties: Floats, reject_all: bool = True
) -> tuple[Floats, Ints]:
    """The best threshold of the corpus, of its resamples, and of the corpus without each block, in this order.

    ``ties`` has the tie of each of them. Returns the sums of the statistics of the rows that each accepts, and the
    position of its last accepted row, as ``best_thresholds`` does. With many blocks, the corpus without a block keeps
    the best threshold of the corpus.
    """
    blocks = draws.blocks
    accepted = np.empty((1 + replicates + blocks, rows.statistics.shape[1]))
    ends = np.empty(len(accepted), np.int64)

    def fill(part: slice, weights: Floats) -> None:
        _, ends[part], accepted[part] = best_thresholds(rows, weights, ties[part], reject_all=reject_all)

    fill(slice(0, 1), np.ones((1, blocks)))
    for part, counts in draws.batches(replicates):
        fill(slice(1 + part.start, 1 + part.stop), counts)
    if blocks > MOST_LEFT_OUT:
        ends[1 + replicates :] = ends[0]
        accepted[1 + replicates :] = accepted[0] - accepted_by_block(rows, int(ends[0]), blocks)
        return accepted, ends
    for part in parts(blocks, blocks):
        weights = 1.0 - (np.arange(part.start, part.stop)[:, None] == np.arange(blocks))
        fill(slice(1 + replicates + part.start, 1 + replicates + part.stop), weights)
    return accepted, ends


def stacked(sums: Floats, draws: Draws, replicates: int) -> Floats:
    """Sums over the blocks of the corpus, of its resamples, and of the corpus without each block: … × statistics."""
    exact = exact_block_sums(sums)
    total = exact.sum(axis=0, keepdims=True)
    return np.concatenate((total, replicate_sums(exact, draws, replicates), total - exact))


def unstacked(values: Floats, draws: Draws, replicates: int) -> Resampled:
    """The components of the corpus, of its resamples, and of the corpus without each block, in this order."""
    return Resampled(values[0], values[1 : replicates + 1], values[replicates + 1 :], draws.strata)


def _threshold(rows: RankedRows, ends: Ints) -> Floats:
    """The score of the last accepted row; infinite if no row is accepted."""
    found: Floats = np.append(rows.scores, np.inf)[ends]
    return found


def accepted_by_block(rows: RankedRows, end: int, blocks: int) -> Floats:
    """Sums by block of the statistics of the rows up to ``end``: blocks × statistics."""
    columns = rows.statistics[: end + 1].T
    return np.column_stack([np.bincount(rows.blocks[: end + 1], weights=each, minlength=blocks) for each in columns])


def _fixed_error(rows: RankedRows, end: int, units: Floats, draws: Draws, replicates: int) -> float:
    """The standard error of the objective at a fixed threshold, if the sum of units is that of the corpus."""
    sums = np.bincount(rows.blocks[: end + 1], weights=rows.values[: end + 1], minlength=draws.blocks)
    resampled = resample_together(
        np.column_stack((sums, units)), lambda total: total[..., :1] / total[..., 1:], draws, replicates
    )
    return float(resampled.standard_errors()[0] * units.sum())


def plateau_of(rows: RankedRows, end: int, error: float, reject_all: bool) -> tuple[tuple[float, float], bool]:
    """The highest and the lowest threshold within one standard error of the best, and whether the optimum is flat."""
    objective, accepted = np.cumsum(rows.values)[rows.ends], rows.ends + 1
    if reject_all or not len(accepted):
        objective, accepted = np.append(0.0, objective), np.append(0, accepted)
    near = np.flatnonzero(objective >= objective.max() - error)
    fewest, most = int(accepted[near[0]]), int(accepted[near[-1]])
    ends = _threshold(rows, np.array([fewest, most]) - 1)
    chosen = max(end + 1, 1)
    return (float(ends[0]), float(ends[1])), (end >= 0 and 2 * fewest <= chosen) or most >= 2 * chosen
