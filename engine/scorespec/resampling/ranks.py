"""Ranks of systems that say which orders are established."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorespec.arrays import Floats


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
