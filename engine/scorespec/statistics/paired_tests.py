"""Paired comparison of two systems: tests over blocks or segments, corrections for several tests, and ranks."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from scorespec.core.arrays import Floats, Ints, Mask
from scorespec.statistics.bootstrap import Formula, Resampled
from scorespec.statistics.confidence import MOST_UNDEFINED, t_quantile, t_two_sided
from scorespec.statistics.draws import MOST_ENUMERATED, at_once, every_flip, flips, parts
from scorespec.statistics.exact import ROUNDING, whole_multiples

FEW_PAIRS = 50  # with fewer pairs of segments, Z is not nearly normal


def error_segments(
    sentences: Ints, right: Mask, first: Floats, second: Floats, apart: int = 2
) -> tuple[Floats, Floats]:
    """Errors of two systems in each segment of the sentences.

    A row is a word of the reference, or words that a system inserts between two of them. Rows are in the order of the
    text. ``sentences`` has the sentence of each row, and ``right`` says that both systems have the word right.
    ``first`` and ``second`` have the errors of the systems. A segment begins and ends with an error. Two segments are
    separated by the end of a sentence, or by at least ``apart`` words that both systems have right. If + is right and -
    is an error, ``+ - + - + + -`` has the segments ``- + -`` and ``-``.
    """
    if not len(sentences):
        return np.empty(0), np.empty(0)
    new_sentence = np.append(True, sentences[1:] != sentences[:-1])
    runs = np.cumsum(new_sentence | np.append(True, right[1:] != right[:-1])) - 1
    between = right & (np.bincount(runs)[runs] >= apart)
    wrong = np.flatnonzero(~right)
    # A number that is the same for all errors of a segment: it grows at each sentence and at each gap between segments.
    passed = np.cumsum(new_sentence | between)[wrong]
    _, segment = np.unique(passed, return_inverse=True)
    one, other = (np.bincount(segment, weights=errors[wrong]).astype(np.float64) for errors in (first, second))
    return one, other


@dataclass(frozen=True)
class MatchedPairsTest:
    """The matched-pairs test: number of pairs of segments, mean difference of errors (second − first), Z, two-sided p.

    ``p_normal`` reads Z as a standard normal variable, as NIST's sc_stats does; ``p_student`` as Student's t with one
    degree of freedom less than pairs.
    """

    pairs: int
    mean: float
    z: float
    p_normal: float
    p_student: float


def matched_pairs(first: Floats, second: Floats) -> MatchedPairsTest:
    """Matched pairs of sentence segments (Gillick and Cox 1989): Z = mean / (standard deviation / √n).

    ``first`` and ``second`` have the word errors of each segment. The standard deviation divides by n − 1. If all
    differences are equal, Z is infinite, or NaN if there is no difference.
    """
    gain = np.asarray(second, np.float64) - first
    number = len(gain)
    if number < 2:
        return MatchedPairsTest(number, float(gain.sum()) if number else math.nan, math.nan, math.nan, math.nan)
    mean = float(gain.mean())
    error = float(gain.std(ddof=1)) / math.sqrt(number)
    if error == 0:
        p = float(mean == 0)
        return MatchedPairsTest(number, mean, math.copysign(math.inf, mean) if mean else math.nan, p, p)
    z = mean / error
    return MatchedPairsTest(number, mean, z, math.erfc(abs(z) / math.sqrt(2)), t_two_sided(z, number - 1))


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
    # An undefined difference of a replicate is not evidence for a large one.
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
