"""Intervals of a score at its best threshold, where each resample chooses its own threshold."""

from __future__ import annotations

import numpy as np

from scorespec.core.arrays import Floats, Ints
from scorespec.statistics.bootstrap import Resampled, replicate_sums
from scorespec.statistics.draws import Draws
from scorespec.statistics.exact import exact_block_sums
from scorespec.statistics.sweeps import RankedRows, best_thresholds

# With more blocks, one block less does not move the best threshold: values without a block keep that of the corpus.
MOST_LEFT_OUT = 2_000


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
    for part, weights in draws.every(replicates):
        if blocks > MOST_LEFT_OUT and part.start > replicates:
            ends[part.start :] = ends[0]
            accepted[part.start :] = accepted[0] - accepted_by_block(rows, int(ends[0]), blocks)
            break
        _, ends[part], accepted[part] = best_thresholds(rows, weights, ties[part], reject_all=reject_all)
    return accepted, ends


def stacked(sums: Floats, draws: Draws, replicates: int) -> Floats:
    """Sums over the blocks of the corpus, of its resamples, and of the corpus without each block: … × statistics."""
    exact = exact_block_sums(sums)
    total = exact.sum(axis=0, keepdims=True)
    return np.concatenate((total, replicate_sums(exact, draws, replicates), total - exact))


def unstacked(values: Floats, replicates: int) -> Resampled:
    """The components of the corpus, of its resamples, and of the corpus without each block, in this order."""
    return Resampled(values[0], values[1 : replicates + 1], values[replicates + 1 :])


def _threshold(rows: RankedRows, ends: Ints) -> Floats:
    """The score of the last accepted row; infinite if no row is accepted."""
    found: Floats = np.append(rows.scores, np.inf)[ends]
    return found


def accepted_by_block(rows: RankedRows, end: int, blocks: int) -> Floats:
    """Sums by block of the statistics of the rows up to ``end``: blocks × statistics."""
    columns = rows.statistics[: end + 1].T
    return np.column_stack([np.bincount(rows.blocks[: end + 1], weights=each, minlength=blocks) for each in columns])


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
