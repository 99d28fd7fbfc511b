"""Metrics of verification by their definitions: every threshold, every pair of points, every run of scores is tried."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from statistics import fmean
from typing import NamedTuple

LN_2 = math.log(2)


class Trial(NamedTuple):
    target: bool
    score: float


class Point(NamedTuple):
    """Rates of a threshold."""

    p_miss: float
    p_fa: float


class OperatingPoint(NamedTuple):
    p_target: float
    c_miss: float = 1.0
    c_fa: float = 1.0

    def cost(self, rates: Point) -> float:
        """Detection cost, divided by that of the better of two systems without information."""
        miss, false_alarm = self.c_miss * self.p_target, self.c_fa * (1 - self.p_target)
        return (miss * rates.p_miss + false_alarm * rates.p_fa) / min(miss, false_alarm)

    @property
    def threshold(self) -> float:
        return math.log(self.c_fa * (1 - self.p_target) / (self.c_miss * self.p_target))


def random_trials(r: Random) -> list[Trial]:
    """A few trials of both classes, with many equal scores and some that are infinite."""
    scores = r.choice(
        (
            lambda target: float(r.randint(-2, 2) + target),
            lambda target: r.choice((-math.inf, -1.5, 0.0, -0.0, 1.5, math.inf)),
            lambda target: r.gauss(2 * target, 1.5),
            lambda target: r.choice((r.gauss(3 * target - 1, 1), float(r.randint(-1, 2)), math.inf, -math.inf)),
        )
    )
    targets = [True, False, *(r.random() < 0.4 for _ in range(r.choice((0, 1, 3, 10, 30))))]
    r.shuffle(targets)
    return [Trial(target, scores(target)) for target in targets]


def rates(trials: Sequence[Trial], threshold: float | None) -> Point:
    """The rates if the trials with at least this score are accepted; without a threshold, no trial is."""
    accepted = [threshold is not None and trial.score >= threshold for trial in trials]
    hits, false_alarms = (
        fmean(is_in for trial, is_in in zip(trials, accepted, strict=True) if trial.target is target)
        for target in (True, False)
    )
    return Point(1 - hits, false_alarms)


def points(trials: Sequence[Trial]) -> list[Point]:
    """The rates of every threshold, from the highest to the lowest."""
    thresholds = sorted({trial.score for trial in trials}, reverse=True)
    return [rates(trials, each) for each in (None, *thresholds)]


def eer(trials: Sequence[Trial], crossing: str) -> float:
    curve = points(trials)
    if crossing == "nearest":
        least = min(abs(each.p_miss - each.p_fa) for each in curve)
        lowest = [each for each in curve if abs(each.p_miss - each.p_fa) <= least + 1e-12][-1]
        return (lowest.p_miss + lowest.p_fa) / 2
    if crossing == "linear":
        pairs = [(above, below) for above, below in pairwise(curve) if above.p_miss > above.p_fa and is_below(below)]
    else:  # the hull is the lowest of all lines between two points
        pairs = [(above, below) for above in curve for below in curve if not is_below(above) and is_below(below)]
    return min(crossing_of(above, below) for above, below in pairs)


def is_below(point: Point) -> bool:
    return point.p_miss <= point.p_fa


def crossing_of(above: Point, below: Point) -> float:
    """Where the line through two points has equal rates."""
    part = (above.p_miss - above.p_fa) / (above.p_miss - above.p_fa + below.p_fa - below.p_miss)
    return above.p_fa + part * (below.p_fa - above.p_fa)


def min_dcf(trials: Sequence[Trial], at: OperatingPoint) -> float:
    return min(map(at.cost, points(trials)))


def act_dcf(trials: Sequence[Trial], at: OperatingPoint) -> float:
    return at.cost(rates(trials, at.threshold))


def cllr(trials: Sequence[Trial]) -> float:
    costs = {True: [bits(-each.score) for each in trials if each.target]}
    costs[False] = [bits(each.score) for each in trials if not each.target]
    return (fmean(costs[True]) + fmean(costs[False])) / 2


def bits(odds: float) -> float:
    return max(odds, 0) / LN_2 + math.log1p(math.exp(-abs(odds))) / LN_2


def min_cllr(trials: Sequence[Trial]) -> float:
    """C_llr of the isotonic fit. Its value at a score is the largest of ``least_shares``."""
    scores = sorted({trial.score for trial in trials})
    prior = math.log(sum(trial.target for trial in trials) / sum(not trial.target for trial in trials))
    fitted = {score: max(least_shares(trials, scores, at)) for at, score in enumerate(scores)}
    odds = {
        score: -math.inf if p == 0 else math.inf if p == 1 else math.log(p / (1 - p)) for score, p in fitted.items()
    }
    return cllr([Trial(trial.target, odds[trial.score] - prior) for trial in trials])


def least_shares(trials: Sequence[Trial], scores: Sequence[float], at: int) -> Iterator[float]:
    """For each first score up to the given one, the smallest share of targets over runs from there beyond the score."""
    for first in scores[: at + 1]:
        yield min(fmean(trial.target for trial in trials if first <= trial.score <= last) for last in scores[at:])
