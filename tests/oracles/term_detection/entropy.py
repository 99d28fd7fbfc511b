"""Cross entropy of scores taken for log-likelihood ratios, and its minima (Eqs 32-45).

Trials come as groups (score, weight of the target trials, weight of the non-target trials): a weight is a
number of trials, and trials that no system lists are one heavy group.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

Group = tuple[float, float, float]


class Minimum(NamedTuple):
    """The least normalised cross entropy, and by which line it is reached (None: only in the limit)."""

    value: float
    gamma: float | None
    delta: float | None
    note: str = ""


def logit(p: float) -> float:
    """The log odds."""
    return math.log(p) - math.log1p(-p)


def softplus(x: float) -> float:
    """ln(1 + e^x), for infinite x too."""
    if x == math.inf:
        return math.inf
    return math.log1p(math.exp(x)) if x < 0 else x + math.log1p(math.exp(-x))


def mapped(score: float, scale: float, offset: float) -> float:
    """Eq 44; a scale of 0 leaves nothing of the score, even if it is infinite."""
    return scale * score + offset if scale else offset


def prior_entropy(p_tar: float) -> float:
    """Eq 39, in bits."""
    return -(p_tar * math.log(p_tar) + (1 - p_tar) * math.log1p(-p_tar)) / math.log(2)


def cross_entropy(groups: Iterable[Group], p_tar: float) -> float | None:
    """Eqs 38 and 43, in bits; infinite if a target is at -INF or a non-target at +INF, None without either kind."""
    groups = list(groups)
    n_true, n_false = math.fsum(g[1] for g in groups), math.fsum(g[2] for g in groups)
    if n_true <= 0 or n_false <= 0:
        return None
    shift = logit(p_tar)
    true = math.fsum(w * softplus(-(s + shift)) for s, w, _ in groups if w > 0)
    false = math.fsum(w * softplus(s + shift) for s, _, w in groups if w > 0)
    return (p_tar * true / n_true + (1 - p_tar) * false / n_false) / math.log(2)


def cnxe(groups: Iterable[Group], p_tar: float) -> float | None:
    """Eq 40."""
    value = cross_entropy(groups, p_tar)
    return None if value is None else value / prior_entropy(p_tar)


def merge(groups: Iterable[Group]) -> list[Group]:
    """One group per score (−0.0 is 0.0), ascending, empty ones left out."""
    found: dict[float, list[tuple[float, float]]] = {}
    for score, true, false in groups:
        found.setdefault(score + 0.0, []).append((true, false))
    merged = [(s, math.fsum(w[0] for w in ws), math.fsum(w[1] for w in ws)) for s, ws in found.items()]
    return sorted(g for g in merged if g[1] > 0 or g[2] > 0)


def separated(groups: list[Group], p_tar: float) -> Minimum | None:
    """The limit where no line attains the minimum: all targets on one side of all non-targets.

    If the two kinds meet at one score, what is left is the entropy of the trials there; else nothing.
    """
    true, false = [s for s, w, _ in groups if w > 0], [s for s, _, w in groups if w > 0]
    n_true, n_false = math.fsum(g[1] for g in groups), math.fsum(g[2] for g in groups)
    if min(true) >= max(false):
        at, note = max(false), "separable scores"
    elif max(true) <= min(false):
        at, note = min(false), "separable scores, inverted scores"
    else:
        return None
    here = [(w, v) for s, w, v in groups if s == at]
    a = p_tar * math.fsum(w for w, _ in here) / n_true
    b = (1 - p_tar) * math.fsum(v for _, v in here) / n_false
    rest = sum(x * math.log((a + b) / x) for x in (a, b) if x > 0) / math.log(2)
    return Minimum(rest / prior_entropy(p_tar), None, None, note)


def newton(groups: list[Group], p_tar: float) -> Minimum:
    """Weighted logistic regression with two parameters, where the minimum exists.

    The scores are centred and scaled first, which changes gamma and delta but not the minimum.
    """
    s, true, false = (np.array(column) for column in zip(*groups, strict=True))
    true, false = p_tar * true / true.sum(), (1 - p_tar) * false / false.sum()
    weight = true + false
    centre = float((weight * s).sum() / weight.sum())
    scale = math.sqrt(float((weight * (s - centre) ** 2).sum() / weight.sum())) or 1.0
    x, shift = (s - centre) / scale, logit(p_tar)

    def objective(gamma: float, delta: float) -> float:
        y = gamma * x + delta + shift
        return float((true * np.logaddexp(0, -y) + false * np.logaddexp(0, y)).sum())

    gamma, delta = 0.0, 0.0
    value = objective(gamma, delta)
    for _ in range(200):
        posterior = 1 / (1 + np.exp(-np.clip(gamma * x + delta + shift, -700, 700)))
        slope = false * posterior - true * (1 - posterior)
        curve = weight * posterior * (1 - posterior)
        gradient = np.array([(slope * x).sum(), slope.sum()])
        hessian = np.array([[(curve * x * x).sum(), (curve * x).sum()], [(curve * x).sum(), curve.sum()]])
        step = np.linalg.solve(hessian, gradient)
        size = 1.0
        while size > 1e-10 and objective(gamma - size * step[0], delta - size * step[1]) > value:
            size /= 2
        if size <= 1e-10:
            break
        gamma, delta = gamma - size * step[0], delta - size * step[1]
        value = objective(gamma, delta)
        if abs(size * float(gradient @ step)) < 1e-18:
            break
    note = "inverted scores" if gamma < 0 else ""
    gamma, delta = float(gamma), float(delta)
    return Minimum(value / math.log(2) / prior_entropy(p_tar), gamma / scale, delta - gamma * centre / scale, note)


def affine_minimum(groups: Iterable[Group], p_tar: float) -> Minimum | None:
    """Eqs 44-45. A constant system gives 1; None when Cnxe is undefined or infinite.

    OPEN: infinite scores. Targets at +INF and non-targets at -INF cost nothing while gamma is positive, so
    the others are calibrated with gamma >= 0; if they want a negative one, the value is the limit at 0.
    """
    groups = merge(groups)
    value = cnxe(groups, p_tar)
    if value is None or math.isinf(value):
        return None
    finite = [g for g in groups if math.isfinite(g[0])]
    if len(finite) < len(groups):
        return with_infinite(groups, finite, p_tar)
    if len(groups) == 1:
        return Minimum(1.0, 0.0, 0.0, "constant scores")
    return separated(groups, p_tar) or newton(groups, p_tar)


def with_infinite(groups: list[Group], finite: list[Group], p_tar: float) -> Minimum:
    """The minimum over gamma >= 0 of the finite scores, weighed as parts of all."""
    n_true, n_false = math.fsum(g[1] for g in groups), math.fsum(g[2] for g in groups)
    a, b = math.fsum(g[1] for g in finite) / n_true * p_tar, math.fsum(g[2] for g in finite) / n_false * (1 - p_tar)
    if a == 0 or b == 0:
        return Minimum(0.0, None, None, "separable scores")
    # The same problem with the prior a / (a + b) and another delta; its minima are scaled by the entropies.
    part = a / (a + b)
    inner = Minimum(1.0, 0.0, 0.0) if len(finite) == 1 else separated(finite, part) or newton(finite, part)
    factor = (a + b) * prior_entropy(part) / prior_entropy(p_tar)
    if "inverted" in inner.note:
        return Minimum(factor, None, None, "limit at gamma 0")
    if inner.gamma is None or inner.delta is None:
        return Minimum(inner.value * factor, None, None, inner.note)
    return Minimum(inner.value * factor, inner.gamma, inner.delta + logit(part) - logit(p_tar), inner.note)


def pav(rows: list[tuple[float, float]]) -> list[float]:
    """Pool adjacent violators: for rows (target weight, other weight) in ascending order, the fitted posterior."""
    blocks: list[tuple[float, float, int]] = []
    for true, false in rows:
        blocks.append((true, false, 1))
        while len(blocks) > 1 and blocks[-2][0] * sum(blocks[-1][:2]) >= blocks[-1][0] * sum(blocks[-2][:2]):
            last, previous = blocks.pop(), blocks.pop()
            blocks.append((last[0] + previous[0], last[1] + previous[1], last[2] + previous[2]))
    return [true / (true + false) for true, false, n in blocks for _ in range(n)]


def pav_groups(groups: list[Group], odds: float | None = None) -> list[Group]:
    """Groups in the order of their scores, with log posterior odds less the log odds of the prior as scores.

    `odds` is that prior's, by default that of these groups.
    """
    if odds is None:
        odds = math.log(math.fsum(g[1] for g in groups)) - math.log(math.fsum(g[2] for g in groups))
    fitted = pav([(true, false) for _, true, false in groups])
    infinite = {0.0: -math.inf, 1.0: math.inf}
    return [
        (infinite[p] if p in infinite else logit(p) - odds, true, false)
        for p, (_, true, false) in zip(fitted, groups, strict=True)
    ]


def pav_minimum(groups: Iterable[Group], p_tar: float) -> float | None:
    """The least cross entropy over non-decreasing maps of the scores, equal scores pooled."""
    return cnxe(pav_groups(merge(groups)), p_tar)
