"""The delete-a-group jackknife, for scores that cannot be made from resampled blocks.

If a block is drawn twice, its copies make pairs with each other, and what counts pairs or types is wrong. So groups of
blocks are left out instead, and the score is computed anew without each group. The quantity that is estimated is the
expected score of a corpus with this number of blocks.
"""

from __future__ import annotations

import math

import numpy as np

from scorespec.core.arrays import Floats
from scorespec.statistics.confidence import FEWEST_BLOCKS, Interval, t_quantile, t_two_sided


def jackknife_error(value: float, left_out: Floats, blocks: Floats | None = None) -> float:
    """The standard error of a value from the values θ_r without each of R groups.

    If all groups have as many blocks, it is √((R − 1)/R · Σ (θ_r − mean θ)²). ``blocks`` has the number of blocks
    m_r of each group, if these differ (Busing, Meijer and van der Leeden 1999, "Delete-m jackknife for unequal m").
    With h_r = Σ m / m_r and pseudo-values p_r = h_r · θ − (h_r − 1) · θ_r, the variance is the mean of
    (p_r − Σ p_r / h_r)² / (h_r − 1).
    """
    groups = len(left_out)
    shares = np.full(groups, groups, np.float64) if blocks is None else blocks.sum() / blocks
    # θ is subtracted from all pseudo-values: Σ 1 / h_r is 1, so that the variance stays the same.
    pseudo = (shares - 1) * (value - left_out)
    return float(np.sqrt(((pseudo - (pseudo / shares).sum()) ** 2 / (shares - 1)).mean()))


def scaled_counts(value: float, left_out: Floats, blocks: Floats | None = None) -> Floats:
    """Counts without each group, scaled to the size of the corpus.

    A count of a smaller corpus is smaller, and so are the differences between such counts: the standard error of a sum
    over blocks is too small by the factor (R − 1)/R. A count is proportional to (number of blocks)^k, where k is 1 for
    a sum over blocks, and 2 for pairs of blocks. k is such that a count without a group is on average
    ((R − 1)/R)^k times the value. Each count is divided by ((h_r − 1)/h_r)^k, where 1/h_r is the share of the blocks
    in the group.
    """
    groups, mean = len(left_out), float(left_out.mean())
    if not (value > 0 and mean > 0 and groups > 1):
        return left_out
    shares = np.full(groups, 1 / groups) if blocks is None else blocks / blocks.sum()
    power = math.log(mean / value) / math.log(1 - 1 / groups)
    scaled: Floats = left_out / (1 - shares) ** power
    return scaled


def jackknife_interval(
    value: float,
    left_out: Floats,
    confidence: float = 0.95,
    effective: float = math.inf,
    *,
    blocks: Floats | None = None,
    proportion: bool = True,
    count: bool = False,
) -> Interval:
    """The value ± t · standard error, with R − 1 degrees of freedom for R groups (Kott 2001).

    ``blocks`` has the number of blocks of each group, if these differ.

    With ``proportion``, a value strictly between 0 and 1 has its interval on the logit scale: logit(value) ± t ·
    standard error / (value · (1 − value)), so that both ends are between 0 and 1. Differences are no proportions.
    A ``count`` has the standard error of its ``scaled_counts``.
    """
    undefined = int(np.count_nonzero(~np.isfinite(left_out)))
    if undefined or not math.isfinite(value) or len(left_out) < 2:
        return Interval(None, None, undefined, "undefined")
    if effective < FEWEST_BLOCKS:
        return Interval(None, None, 0, "few_blocks")
    error = jackknife_error(value, scaled_counts(value, left_out, blocks) if count else left_out, blocks)
    reach = t_quantile((1 + confidence) / 2, len(left_out) - 1) * error
    if error == 0:
        return Interval(None, None, 0, "constant")
    if proportion and 0 < value < 1:
        centre, reach = math.log(value / (1 - value)), reach / (value * (1 - value))
        return Interval(_logistic(centre - reach), _logistic(centre + reach))
    return Interval(value - reach, value + reach)


def jackknife_test(difference: float, left_out: Floats, *, blocks: Floats | None = None) -> float:
    """p of a difference of 0, from Student's t with R − 1 degrees of freedom, where R groups are left out in turn.

    ``left_out`` has the differences without each group; both systems must have the same groups.
    """
    if len(left_out) < 2 or not (math.isfinite(difference) and np.isfinite(left_out).all()):
        return math.nan
    error = jackknife_error(difference, left_out, blocks)
    if error == 0:
        return float(difference == 0)
    return t_two_sided(difference / error, len(left_out) - 1)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > 0 else math.exp(x) / (1 + math.exp(x))
