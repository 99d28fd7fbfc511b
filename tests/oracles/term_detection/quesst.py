"""The suite of the QUESST 2015 scorer: a trial is a query and a document."""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from . import entropy, twv

COST = ("100", "1", "0.0008")


class Trial(NamedTuple):
    """What a system says of a query in a document; times play no part."""

    query: str
    doc: str
    score: float
    yes: bool


def completed(
    queries: list[str], docs: list[str], submitted: Iterable[Trial], default_score: float | None
) -> list[Trial]:
    """All trials: the submitted ones in their order, then the missing ones in the order of queries and documents.

    OPEN: where a missing trial stands among submitted ones of the same score.
    """
    found: dict[tuple[str, str], Trial] = {}
    for t in submitted:
        if t.query not in queries or t.doc not in docs:
            raise ValueError(f"unknown trial {t.query} {t.doc}")
        if (t.query, t.doc) in found:
            raise ValueError(f"duplicate trial {t.query} {t.doc}")
        if math.isnan(t.score):
            raise ValueError(f"the score of {t.query} {t.doc} is not a number")
        found[t.query, t.doc] = t
    absent = [(q, d) for q in queries for d in docs if (q, d) not in found]
    if absent and default_score is None:
        raise ValueError(f"{len(absent)} trials are missing")
    return [*found.values(), *(Trial(q, d, default_score or 0.0, False) for q, d in absent)]


def java_order(score: float) -> tuple[float, float]:
    """−0.0 sorts before 0.0."""
    return score, math.copysign(1.0, score)


def strict(points: list[twv.Point]) -> list[twv.Point]:
    """The same points where YES is score > threshold: each threshold becomes the largest score it rejects."""
    return [p._replace(threshold=t) for p, t in zip(points, [-math.inf, *(p.threshold for p in points)], strict=False)]


def score(
    queries: list[str],
    docs: list[str],
    targets: set[tuple[str, str]],
    submitted: Iterable[Trial],
    *,
    default_score: float | None = None,
    c_miss: str = COST[0],
    c_fa: str = COST[1],
    p_target: str = COST[2],
    threshold: float | None = None,
    score_scale: float = 1,
    score_offset: float = 0,
) -> dict[str, Any]:
    """Every metric of the suite. Queries without a target document are removed with their scores, first of all."""
    trials = completed(queries, docs, submitted, default_score)
    real = [q for q in queries if any((q, d) in targets for d in docs)]
    trials = [t for t in trials if t.query in set(real)]
    cost = twv.truncated_prior(twv.Cost.of(c_miss, c_fa, p_target))
    p_tar = float(cost.p_tar)
    blocks = []
    for q in real:
        rows = [twv.Scored(t.score, t.yes, (q, t.doc) in targets) for t in trials if t.query == q]
        n_true = sum(r.target for r in rows)
        blocks.append(twv.Block(q, n_true, Fraction(len(docs) - n_true), rows))
    points = strict(twv.sweep(blocks, cost.beta, reject_all=True))
    act, top = twv.actual(blocks, cost.beta), twv.best(points)
    given = {}
    if threshold is not None:
        at = twv.point(blocks, cost.beta, lambda d: d.score > threshold)
        given = {"twv": {"value": at.value, "p_miss": at.p_miss, "p_fa": at.p_fa}}
    in_order = ordered(trials, targets)
    pooled = entropy.merge(in_order)
    odds = math.log(sum(g[1] for g in in_order)) - math.log(sum(g[2] for g in in_order))
    lower, lower_pooled = [], []
    for q in real:
        own = ordered([t for t in trials if t.query == q], targets)
        lower += entropy.pav_groups(own, odds)
        lower_pooled += entropy.pav_groups(entropy.merge(own), odds)
    value = entropy.cnxe([(entropy.mapped(s, score_scale, score_offset), *w) for s, *w in in_order], p_tar)
    least = entropy.affine_minimum(in_order, p_tar)
    in_file_order = entropy.cnxe(entropy.pav_groups(in_order), p_tar)
    return {
        **given,
        "atwv": {"value": act.value, "threshold": twv.actual_threshold(blocks, strict=True)[0]},
        "p_miss": {"value": act.p_miss},
        "p_fa": {"value": act.p_fa},
        "mtwv": {"value": top.value, "threshold": top.threshold, "p_miss": top.p_miss, "p_fa": top.p_fa},
        "counts": twv.counts(blocks),
        "upper_bound_twv": {"value": twv.upper_bound(blocks, cost.beta, reject_all=True)},
        "bayes_twv": {"value": twv.bayes(twv.calibrated(blocks, score_scale, score_offset), cost).value},
        "cost": twv.expected_cost(act, cost),
        "cnxe": {"value": value, "prior_entropy": entropy.prior_entropy(p_tar)},
        "min_cnxe": {"value": in_file_order},
        "min_cnxe_pooled": {"value": entropy.cnxe(entropy.pav_groups(pooled), p_tar)},
        "min_cnxe_affine": least._asdict() if least else None,
        "calibration_loss": {"value": None if value is None or in_file_order is None else value - in_file_order},
        "lower_bound_cnxe": {"value": entropy.cnxe(lower, p_tar)},
        "lower_bound_cnxe_pooled": {"value": entropy.cnxe(lower_pooled, p_tar)},
        "details": {"points": points, "queries": real, "trials": len(trials), "p_tar": cost.p_tar},
    }


def ordered(trials: Iterable[Trial], targets: set[tuple[str, str]]) -> list[entropy.Group]:
    """One group per trial by ascending score; equal ones keep their order."""
    return [
        (t.score, float((t.query, t.doc) in targets), float((t.query, t.doc) not in targets))
        for t in sorted(trials, key=lambda t: java_order(t.score))
    ]
