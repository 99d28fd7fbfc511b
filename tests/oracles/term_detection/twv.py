"""Counts, rates, the sweep over thresholds and the bounds (Eqs 1-20), in exact fractions.

A block is what is averaged over: a query, or everything when pooled.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from statistics import stdev
from typing import NamedTuple

from .entropy import mapped

TIE = Fraction(1, 10**12)  # thresholds whose TWV differ by less are equal: the lowest wins


class Scored(NamedTuple):
    """A detection once it is known whether it found something."""

    score: float
    yes: bool
    target: bool


@dataclass
class Block:
    """One query: its detections, its occurrences and its non-target trials."""

    name: str
    targets: int
    nontargets: Fraction
    detections: list[Scored] = field(default_factory=list)


class Point(NamedTuple):
    """TWV at a threshold (infinity: reject all, where YES is score >= threshold)."""

    threshold: float
    p_miss: Fraction
    p_fa: Fraction
    value: Fraction


@dataclass(frozen=True)
class Cost:
    """An operating point (Eq 7)."""

    c_miss: Fraction
    c_fa: Fraction
    p_target: Fraction

    @classmethod
    def of(cls, c_miss: str, c_fa: str, p_target: str | Fraction) -> "Cost":
        """From decimals as written."""
        return cls(Fraction(c_miss), Fraction(c_fa), Fraction(p_target))

    @property
    def beta(self) -> Fraction:
        """Eq 7."""
        return self.c_fa * (1 - self.p_target) / (self.c_miss * self.p_target)

    @property
    def p_tar(self) -> Fraction:
        """The effective prior, Eq 23."""
        return 1 / (1 + self.beta)

    @property
    def theta(self) -> float:
        """The minimum expected cost threshold, Eq 31."""
        return math.log(self.beta)


def counts(blocks: Iterable[Block]) -> dict[str, int]:
    """Section 2.1, at the decisions of the system."""
    blocks = list(blocks)
    scored = [d for b in blocks for d in b.detections]
    hits = sum(d.target and d.yes for d in scored)
    targets = sum(b.targets for b in blocks)
    return {
        "queries": len(blocks),
        "targets": targets,
        "detections": len(scored),
        "hits": hits,
        "misses": targets - hits,
        "false_alarms": sum(d.yes and not d.target for d in scored),
        "correct_rejections": sum(not d.yes and not d.target for d in scored),
    }


def rates(block: Block, hits: int, false_alarms: int) -> tuple[Fraction | None, Fraction]:
    """Eqs 1 and 3; no miss rate without occurrences."""
    p_miss = 1 - Fraction(hits, block.targets) if block.targets else None
    return p_miss, Fraction(false_alarms) / block.nontargets


def mean(values: Iterable[Fraction]) -> Fraction:
    """Over at least one value."""
    values = list(values)
    return sum(values, Fraction(0)) / len(values)


def point(blocks: list[Block], beta: Fraction, yes: Callable[[Scored], bool], threshold: float = math.nan) -> Point:
    """Eqs 4-6 under some decision rule.

    Miss rates are averaged over the blocks with occurrences, false alarm rates over all that are given.
    """
    each = []
    for b in blocks:
        accepted = [d for d in b.detections if yes(d)]
        hits = sum(d.target for d in accepted)
        each.append(rates(b, hits, len(accepted) - hits))
    p_miss = mean(miss for miss, _ in each if miss is not None)
    p_fa = mean(fa for _, fa in each)
    return Point(threshold, p_miss, p_fa, 1 - p_miss - beta * p_fa)


def actual(blocks: list[Block], beta: Fraction) -> Point:
    """ATWV, with its rates."""
    return point(blocks, beta, lambda d: d.yes)


def bayes(blocks: list[Block], cost: Cost) -> Point:
    """TWV when YES is score > theta of Eq 31."""
    return point(blocks, cost.beta, lambda d: d.score > cost.theta, cost.theta)


def calibrated(blocks: list[Block], scale: float, offset: float) -> list[Block]:
    """The same blocks with the scores after the map of Eq 44."""
    return [
        replace(b, detections=[d._replace(score=mapped(d.score, scale, offset)) for d in b.detections]) for b in blocks
    ]


def actual_threshold(blocks: list[Block], strict: bool) -> tuple[float, bool]:
    """The smallest score with YES (or, where YES is score > threshold, the largest with NO); whether it is exact."""
    scored = [d for b in blocks for d in b.detections]
    yes, no = [d.score for d in scored if d.yes], [d.score for d in scored if not d.yes]
    edge = max(no, default=-math.inf) if strict else min(yes, default=math.inf)
    return edge, max(no, default=-math.inf) < min(yes, default=math.inf)


def sweep(blocks: list[Block], beta: Fraction, reject_all: bool) -> list[Point]:
    """The points of the DET curve by ascending threshold, YES iff score >= threshold.

    Thresholds are the distinct scores, so the first point accepts everything; then reject all, if it counts
    (always when there is no detection). Weights are summed from the top, exactly.
    """
    with_targets = sum(b.targets > 0 for b in blocks)
    rows = sorted(((d.score, b, d.target) for b in blocks for d in b.detections), key=lambda r: -r[0])
    miss, fa = Fraction(1), Fraction(0)
    points = [Point(math.inf, miss, fa, 1 - miss - beta * fa)] if reject_all or not rows else []
    for i, (score, block, target) in enumerate(rows):
        if target:
            miss -= 1 / Fraction(with_targets * block.targets)
        else:
            fa += 1 / (len(blocks) * block.nontargets)
        if i + 1 == len(rows) or rows[i + 1][0] != score:
            points.append(Point(score, miss, fa, 1 - miss - beta * fa))
    return points[::-1]


def best(points: list[Point]) -> Point:
    """The lowest threshold whose TWV is within less than 1e-12 of the largest."""
    largest = max(p.value for p in points)
    return next(p for p in points if largest - p.value < TIE)


def upper_bound(blocks: list[Block], beta: Fraction, reject_all: bool) -> Fraction:
    """The best threshold of each block, then the mean (F4DE's Optimum).

    SETTLED: without reject all, the thresholds of a block are the distinct scores of *all* blocks (small 0.3125,
    not -0.984). So a block may reject everything exactly when another one has a higher score than it has. A
    block without occurrences (F4DE's -inc) can only add false alarms and takes the fewest. OPEN: what F4DE does
    there; medium_small.inc has 0.57297, more than any choice of thresholds gives (0.57238). A threshold is the best
    for the mean, in which a rate of false alarms is one of more blocks than one of misses.
    """
    highest = max((d.score for b in blocks for d in b.detections), default=-math.inf)
    p_miss, p_fa = [], []
    share = Fraction(sum(b.targets > 0 for b in blocks), len(blocks))
    for b in blocks:
        own = max((d.score for d in b.detections), default=-math.inf)
        may_reject = reject_all or own < highest
        if b.targets:
            top = best(sweep([b], beta * share, may_reject))
            p_miss.append(top.p_miss)
            p_fa.append(top.p_fa)
        else:
            p_fa.append(Fraction(0) if may_reject else sum(d.score == own for d in b.detections) / b.nontargets)
    return 1 - mean(p_miss) - beta * mean(p_fa)


def supremum(blocks: list[Block]) -> Fraction:
    """NIST's STWV: only occurrences that no detection found are missed, and nothing is a false alarm."""
    return mean(Fraction(sum(d.target for d in b.detections), b.targets) for b in blocks if b.targets)


def spread(blocks: list[Block], beta: Fraction) -> float | None:
    """The sample standard deviation over blocks; undefined for one block or one without occurrences."""
    if len(blocks) < 2 or not all(b.targets for b in blocks):
        return None
    return stdev(float(actual([b], beta).value) for b in blocks)


def pool(blocks: list[Block], trials: Fraction) -> list[Block]:
    """One block of everything; its non-target trials are those of ONE query less all occurrences."""
    targets = sum(b.targets for b in blocks)
    return [Block("Pooled", targets, trials - targets, [d for b in blocks for d in b.detections])]


def expected_cost(p: Point, cost: Cost) -> dict[str, Fraction]:
    """Eqs 8-10."""
    c_det = cost.c_miss * p.p_miss * cost.p_target + cost.c_fa * p.p_fa * (1 - cost.p_target)
    c_default = min(cost.c_miss * cost.p_target, cost.c_fa * (1 - cost.p_target))
    return {"c_det": c_det, "c_default": c_default, "c_norm": c_det / c_default}


def priors(cost: Cost, queries: int, targets: int, trials: Fraction) -> dict[str, Fraction | float]:
    """Eqs 12, 15, 20, 23 and 31. Eq 15 has the weight of a false alarm; the weight of a miss is its inverse."""
    p_empirical = Fraction(targets) / (queries * trials)
    alpha = (1 - p_empirical) / (1 - queries * p_empirical)
    prior = cost.p_target
    false_alarm = p_empirical / prior * (1 - prior) / (1 - p_empirical) * cost.c_fa / cost.c_miss
    return {
        "p_tar": cost.p_tar,
        "beta": cost.beta,
        "p_target": cost.p_target,
        "p_target_empirical": p_empirical,
        "alpha": alpha,
        "miss_weight": 1 / false_alarm,
        "theta_mincost": cost.theta,
    }


def truncated_prior(cost: Cost) -> Cost:
    """The effective prior cut after 7 decimals, as the QUESST scorer is given it, with flat costs (Eq 24)."""
    p = Decimal(math.floor(cost.p_tar * 10**7)) / 10**7
    return Cost(Fraction(1), Fraction(1), Fraction(p))
