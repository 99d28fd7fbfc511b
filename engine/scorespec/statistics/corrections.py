"""Corrections of p for many comparisons. Tests without p (NaN) are not counted, and keep NaN."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scorespec.core.arrays import Floats
from scorespec.statistics.exact import ROUNDING


def holm(p: Floats) -> Floats:
    """Holm's step-down correction (1979): the i-th smallest of m is multiplied by m − i + 1, and never falls.

    The probability of any false finding is at most the level, whatever the dependence between tests.
    """
    return _defined(p, lambda ranked: np.minimum(np.maximum.accumulate(ranked * np.arange(len(ranked), 0, -1)), 1))


def benjamini_hochberg(p: Floats) -> Floats:
    """Benjamini and Hochberg's step-up correction (1995): the i-th smallest of m is multiplied by m / i.

    The expected part of false findings is at most the level, if tests are independent or positively dependent.
    """

    def adjusted(ranked: Floats) -> Floats:
        scaled = ranked * len(ranked) / np.arange(1, len(ranked) + 1)
        return np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1)

    return _defined(p, adjusted)


def _defined(p: Floats, adjust: Callable[[Floats], Floats]) -> Floats:
    """Correct the defined p, which ``adjust`` gets in ascending order."""
    corrected = np.full(len(p), np.nan)
    order = np.argsort(p, kind="stable")[: np.count_nonzero(~np.isnan(p))]
    if len(order):
        corrected[order] = adjust(p[order])
    return corrected


def step_down_max_t(difference: Floats, null: Floats, *, exact: bool = False) -> Floats:
    """The step-down maxT correction of Westfall and Young (1993).

    ``null`` (replicates × tests) has the differences of the tests under the same flips. Each test is divided by the
    root mean square of its null differences, so that metrics with different units can be compared. The largest |T| is
    compared with the largest of all tests in each replicate, the next with the largest of the remaining tests, and so
    on; corrected p never falls. Since flips are shared, tests that are strongly dependent cost little.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.sqrt(np.nansum(null**2, axis=0) / np.count_nonzero(~np.isnan(null), axis=0))
        observed = np.abs(difference) / scale
        drawn = np.abs(null) / scale
    # Without any difference in any replicate there is nothing to find: T is 0.
    observed[scale == 0], drawn[:, scale == 0] = 0.0, 0.0
    corrected = np.full(len(difference), np.nan)
    order = np.argsort(-observed, kind="stable")[: np.count_nonzero(~np.isnan(observed))]
    if not len(order):
        return corrected
    # An undefined difference of a replicate is no evidence for a large one.
    ranked = np.nan_to_num(drawn[:, order], nan=0.0)
    remaining = np.maximum.accumulate(ranked[:, ::-1], axis=1)[:, ::-1]
    count = (remaining >= observed[order] * (1 - ROUNDING)).sum(axis=0)
    p = count / len(null) if exact else (1 + count) / (1 + len(null))
    corrected[order] = np.maximum.accumulate(p)
    return corrected


@dataclass(frozen=True)
class Standing:
    """The place of a system: its best and worst possible rank, and the number of its group of ties, from 1."""

    best: int
    worst: int
    group: int


def standings(values: Floats, p: Floats, level: float = 0.05, *, higher_is_better: bool = True) -> list[Standing]:
    """The standing of each of K systems, from their scores and the (corrected) p of each pair (K × K).

    A system is significantly better than another if its score is better and p is at most ``level``. The rank interval
    is [1 + number significantly better, K − number significantly worse]. Systems in different groups are always
    distinguishable: a new group begins where each system so far is significantly better than each system that follows.
    NaN as a score is worse than all scores, and is distinguishable from none.
    """
    number = len(values)
    merit = np.where(np.isnan(values), -np.inf, values if higher_is_better else -values)
    beats = (merit[:, None] > merit) & (p <= level)
    order = np.argsort(-merit, kind="stable")
    ranked = beats[np.ix_(order, order)]
    groups = np.ones(number, np.int64)
    for place in range(1, number):
        groups[place] = groups[place - 1] + bool(ranked[:place, place:].all())
    standing: dict[int, int] = dict(zip(order.tolist(), groups.tolist(), strict=True))
    better, worse = beats.sum(axis=0).tolist(), beats.sum(axis=1).tolist()
    return [Standing(1 + better[each], number - worse[each], standing[each]) for each in range(number)]
