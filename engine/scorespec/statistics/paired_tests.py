"""Paired comparison of two systems that were scored on the same blocks."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from scorespec.core.arrays import Floats, Ints
from scorespec.statistics.bootstrap import Formula, Resampled
from scorespec.statistics.confidence import MOST_UNDEFINED
from scorespec.statistics.draws import MOST_ENUMERATED, at_once, every_flip, flips, parts
from scorespec.statistics.exact import ROUNDING, whole_multiples
from scorespec.statistics.matched_pairs import t_quantile, t_two_sided


@dataclass(frozen=True, eq=False)
class Significance:
    """Differences second − first under the hypothesis that the systems do not differ.

    ``difference`` has a component each, ``null`` has the differences of the replicates (replicates × components), and
    ``p`` the part of replicates whose difference is at least as large. ``exact`` says that all ways to swap blocks were
    tried. Undefined replicates are left out; above 5 % of them p is NaN. ``undefined`` has their number.
    """

    difference: Floats
    null: Floats
    p: Floats
    undefined: Ints
    exact: bool = False


@dataclass(frozen=True)
class Outcomes:
    """Numbers of blocks, or groups of them, in which the second system is better (win), equal, or worse (loss)."""

    wins: int
    ties: int
    losses: int


def randomisation_tests(
    first: Floats, second: Floats, formula: Formula, seed: int, replicates: int = 9_999
) -> Significance:
    """The paired randomisation test that swaps whole blocks (Noreen 1989).

    ``first`` and ``second`` have the sums of each block (blocks × … × statistics). A replicate swaps the sums of the
    two systems in a random half of the blocks. With G ≤ 13 blocks, all 2^G ways are tried, and p is the part of them
    with |D*| ≥ |D|. Otherwise p = (1 + #{|D*| ≥ |D|}) / (replicates + 1). The flips depend on seed, replicate and
    number of blocks only, so tests of several metrics over the same blocks share them.
    """
    blocks = len(first)
    exact = blocks <= MOST_ENUMERATED
    one, other = _together_exact(first, second)
    step = (other - one).reshape(blocks, -1)
    total, other_total = one.sum(axis=0), other.sum(axis=0)
    number = 2**blocks if exact else replicates
    moved = np.empty((number, step.shape[1]))
    every = every_flip(blocks) if exact else None
    for part in parts(number, at_once(blocks)):
        moved[part] = (flips(seed, blocks, part.start, part.stop) if every is None else every[part]) @ step
    moved = moved.reshape(-1, *first.shape[1:])
    with np.errstate(all="ignore"):  # one call, since a formula may be a query
        values = formula(np.concatenate([total[None], other_total[None], total + moved, other_total - moved]))
        difference = values[1] - values[0]
        null = values[2 + number :] - values[2 : 2 + number]
        scale = np.abs(values[:2]).max(axis=0)
    return _test(difference, null, scale, exact)


def _together_exact(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """The sums of both systems as multiples of the same units, so that swapping both ways gives the same sums."""
    both = np.stack((first, second), axis=1)
    exact = whole_multiples(both, 2 * len(both) * np.abs(both).max(axis=(0, 1), initial=0.0))
    return exact[:, 0], exact[:, 1]


def bootstrap_tests(difference: Resampled) -> Significance:
    """The paired bootstrap test (Efron and Tibshirani 1993, chapter 16).

    p = (1 + #{|D* − D| ≥ |D|}) / (replicates + 1). This is for scores whose rows cannot be swapped, because the score
    scales of the systems differ: maxima over thresholds, and fits. ``difference`` is the difference of two
    ``Resampled`` with the same draws.
    """
    null = difference.replicates - difference.value
    return _test(difference.value, null, np.abs(difference.value), False)


def expanded(p: Floats, blocks: int) -> Floats:
    """p of bootstrap tests, corrected for few blocks as ``bca_interval`` corrects its reach.

    p is read as a two-sided p of a normal variable z. The corrected p is that of Student's t with G − 1 degrees of
    freedom at z · √((G − 1)/G). Then a difference is found at 5 % about as often as its expanded 95 % interval excludes
    0. Without the correction, the test finds differences between equal systems in 7 to 9 % of corpora with 10 to 20
    blocks (`make simulate`).
    """
    distinct, at = np.unique(p, return_inverse=True)
    scores = [0.0 if each == 1 else NormalDist().inv_cdf(each / 2) for each in distinct.tolist()]
    shrunk = np.array(scores) * np.sqrt((blocks - 1) / blocks)
    return np.array([t_two_sided(each, blocks - 1) for each in shrunk.tolist()])[at]


def pairwise_max_t(values: Floats, replicates: Floats, blocks: int) -> Floats:
    """p of the paired bootstrap test for each pair of systems, corrected for all pairs: systems × systems.

    ``values`` has the score of each system, ``replicates`` (systems × replicates) those of shared resamples. T of a
    pair is |D| divided by the root mean square of D* − D. It is compared with the largest T of all pairs in each
    replicate (Westfall and Young 1993, single-step maxT). So the probability of any false finding is at most the level,
    and the smallest p does not depend on the number of pairs. p is ``expanded`` for few blocks. A system that is
    undefined in more than 5 % of the replicates has no p.
    """
    number = replicates.shape[1]
    centred = np.where(np.isfinite(replicates), replicates - values[:, None], np.nan)
    usable = np.isfinite(values) & (np.isnan(centred).sum(axis=1) <= MOST_UNDEFINED * number)
    systems = np.flatnonzero(usable)
    ratios, largest = [np.empty(0)], np.zeros(number)
    for at, one in enumerate(systems):
        others = systems[at + 1 :]
        null = np.abs(np.nan_to_num(centred[others] - centred[one]))
        difference, scale = np.abs(values[others] - values[one]), np.sqrt((null**2).mean(axis=1))
        with np.errstate(divide="ignore", invalid="ignore"):  # without any difference in any replicate, T is 0
            ratios.append(np.where(difference > 0, difference / scale, 0.0))
            drawn = np.where(scale[:, None] > 0, null / scale[:, None], 0.0)
        np.maximum(largest, drawn.max(axis=0, initial=0.0), out=largest)
    largest.sort()
    count = number - np.searchsorted(largest, np.concatenate(ratios) * (1 - ROUNDING))
    p = np.full((len(values), len(values)), np.nan)
    first, second = (systems[each] for each in np.triu_indices(len(systems), 1))
    p[first, second] = p[second, first] = expanded((1 + count) / (1 + number), blocks)
    np.fill_diagonal(p, 1.0)
    return p


def _test(difference: Floats, null: Floats, scale: Floats, exact: bool) -> Significance:
    """Count replicates. ``scale`` is the size of the numbers whose rounding must not decide."""
    null = np.where(np.isfinite(null), null, np.nan)
    undefined = np.isnan(null).sum(axis=0)
    kept = len(null) - undefined
    count = (np.abs(null) >= np.abs(difference) - ROUNDING * scale).sum(axis=0)
    p = count / np.maximum(kept, 1) if exact else (1 + count) / (1 + kept)
    usable = (undefined <= MOST_UNDEFINED * len(null)) & np.isfinite(difference)
    return Significance(difference, null, np.where(usable, p, np.nan), undefined, exact)


def smallest_detectable(error: float, freedom: float, power: float = 0.8, confidence: float = 0.95) -> float:
    """The smallest true difference that a two-sided test finds with the given power: (t.975 + t.8) · standard error.

    ``error`` is the standard error of the difference, ``freedom`` the number of blocks (or groups) minus 1.
    """
    return (t_quantile((1 + confidence) / 2, freedom) + t_quantile(power, freedom)) * error


def outcomes(first: Floats, second: Floats, *, higher_is_better: bool) -> Outcomes:
    """Wins, ties and losses of the second system over blocks. Blocks without a defined value of both are left out."""
    return _counted(second - first, higher_is_better)


def outcomes_without(
    first: float, second: float, left_out: Floats, blocks: Floats, *, higher_is_better: bool
) -> Outcomes:
    """Wins, ties and losses of the second system over groups of blocks, from the values of both without each group.

    ``left_out`` has the values D_r of second − first without each of the groups, ``blocks`` the number of blocks m_r of
    each group. The outcome of a group is the sign of its pseudo-value h · D − (h − 1) · D_r with h = Σ m / m_r: the
    difference in this group. For a mean over equal groups, the pseudo-value is the difference of the two means of the
    group.
    """
    shares = blocks.sum() / blocks
    pseudo = shares * (second - first) - (shares - 1) * left_out
    rounding = ROUNDING * shares * max(abs(first), abs(second))
    return _counted(np.where(np.abs(pseudo) <= rounding, 0.0, pseudo), higher_is_better)


def _counted(differences: Floats, higher_is_better: bool) -> Outcomes:
    gain = differences[np.isfinite(differences)] * (1 if higher_is_better else -1)
    wins, losses = int(np.count_nonzero(gain > 0)), int(np.count_nonzero(gain < 0))
    return Outcomes(wins, len(gain) - wins - losses, losses)
