"""The bootstrap over blocks: values of replicates from sums of statistics per block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from scorespec.core.arrays import Floats, Ints
from scorespec.statistics.draws import Draws
from scorespec.statistics.exact import exact_block_sums

# From sums (… × statistics) to components (… × components), for any number of leading axes. NaN is undefined.
Formula = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Resampled:
    """Components of a score in replicates. Differences of two are paired, if both used the same draws.

    ``value`` has the components of the whole corpus. ``replicates`` (replicates × components) has those of each
    resample, ``left_out`` (blocks × components) those of the corpus without one block. NaN is undefined. In a mean over
    several corpora, ``corpora`` has the number of the corpus of each block.
    """

    value: Floats
    replicates: Floats
    left_out: Floats
    corpora: Ints | None = None

    def __sub__(self, other: Resampled) -> Resampled:
        with np.errstate(invalid="ignore"):  # infinite − infinite is undefined
            return Resampled(
                self.value - other.value,
                self.replicates - other.replicates,
                self.left_out - other.left_out,
                self.corpora,
            )

    def only(self, at: Sequence[int] | Ints) -> Resampled:
        """Some of the components."""
        return Resampled(self.value[at], self.replicates[:, at], self.left_out[:, at], self.corpora)

    def standard_errors(self) -> Floats:
        """The standard deviation of each component over the replicates where it is defined."""
        defined = (column[np.isfinite(column)] for column in self.replicates.T)
        return np.array([each.std(ddof=1) if len(each) > 1 else np.nan for each in defined])

    def bias(self) -> Floats:
        """The mean over the replicates where a component is defined, minus its value."""
        defined = np.isfinite(self.replicates)
        total = np.where(defined, self.replicates, 0.0).sum(axis=0)
        with np.errstate(invalid="ignore"):
            mean: Floats = total / defined.sum(axis=0)
        return mean - self.value


def replicate_sums(sums: Floats, draws: Draws, replicates: int) -> Floats:
    """Sums over the blocks of each resample: from blocks × … to replicates × …

    The sums of a resample are the number of times that each block is drawn, times the sums of the block. They are exact
    sums of rounded terms (exact.py), so that they do not depend on threads or batches.
    """
    flat = exact_block_sums(sums).reshape(draws.blocks, -1)
    out = np.empty((replicates, flat.shape[1]))
    for part, counts in draws.batches(replicates):
        out[part] = counts @ flat
    return out.reshape(replicates, *sums.shape[1:])


def resample(sums: Floats, formula: Formula, draws: Draws, replicates: int = 9_999) -> Resampled:
    """Components of the corpus, of its resamples, and of the corpus without each block.

    ``sums`` has the statistics of each block: blocks × statistics.
    """
    exact = exact_block_sums(sums)
    total = exact.sum(axis=0)
    with np.errstate(all="ignore"):  # one call, since a formula may be a query
        every = formula(np.concatenate([total[None], replicate_sums(exact, draws, replicates), total - exact]))
    return Resampled(every[0], every[1 : replicates + 1], every[replicates + 1 :])


def mean_over_corpora(each: Sequence[Resampled]) -> Resampled:
    """The mean of the components over corpora, each resampled with draws of its own."""
    value = np.mean([one.value for one in each], axis=0)
    moved = [(one.left_out - one.value) / len(each) + value for one in each]
    return Resampled(
        value,
        np.mean([one.replicates for one in each], axis=0),
        np.concatenate(moved),
        np.repeat(np.arange(len(each)), [len(one.left_out) for one in each]),
    )
