"""Confidence intervals from the replicates of a bootstrap, and how often such intervals contain the true value.

`make simulate` writes simulated.csv next to this module, and docs/simulations.md shows the table.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import Literal

import numpy as np

from scorespec.core.arrays import Floats, Ints
from scorespec.statistics.bootstrap import Resampled
from scorespec.statistics.exact import ROUNDING


@dataclass(frozen=True)
class Population:
    """A simulated population, and the part of its corpora whose 95 % interval contained the true value.

    ``effective`` is the mean effective number of blocks, ``correlation`` that of two units of a block.
    """

    lengths: str
    blocks: int
    effective: float
    correlation: float
    covered: float


@cache
def simulated() -> tuple[Population, ...]:
    """All simulated populations."""
    lines = Path(__file__).with_name("simulated.csv").read_text(encoding="utf-8").splitlines()
    return tuple(
        Population(
            row["lengths"],
            int(row["blocks"]),
            float(row["effective"]),
            float(row["correlation"]),
            float(row["covered"]),
        )
        for row in csv.DictReader(lines)
    )


def nearest_population(blocks: int, effective: float) -> Population:
    """The simulated population most like a corpus, by the ratios of numbers and of effective numbers of blocks.

    The intra-block correlation of a corpus is not known, so the one with the lowest coverage is taken.
    """

    def distance(cell: Population) -> float:
        return math.hypot(math.log(cell.blocks / blocks), math.log(cell.effective / effective))

    nearest = min(simulated(), key=distance)
    alike = [cell for cell in simulated() if (cell.blocks, cell.lengths) == (nearest.blocks, nearest.lengths)]
    return min(alike, key=lambda cell: cell.covered)


FEWEST_BLOCKS = 6.0  # with a smaller effective number of blocks there is no interval
FEW_BLOCKS = 20.0  # with a smaller effective number of blocks there is a warning
MOST_UNDEFINED = 0.05  # the largest part of replicates in which a component may be undefined

# undefined: the component is undefined in the corpus, or in too many replicates; few_blocks: too few effective blocks;
# constant: all replicates have the value of the corpus, which then has no interval; outside: all replicates lie on one
# side of this value.
Note = Literal["undefined", "few_blocks", "constant", "outside"]


@dataclass(frozen=True)
class Interval:
    """An interval of one component; ``low`` and ``high`` are None if there is none, and ``note`` says why.

    ``undefined`` is the number of replicates that are left out because the component is undefined in them.
    """

    low: float | None
    high: float | None
    undefined: int = 0
    note: Note | None = None


def in_range(
    interval: Interval, value: float, bounds: tuple[float | None, float | None], whole: bool = False
) -> Interval:
    """The part of an interval that a component can reach: what is beyond ``bounds``, None where there is none, is cut.

    A parameter inside the bounds is in the interval if and only if it is in this part. A ``value`` beyond the bounds
    stays inside. The ends of a ``whole`` number are rounded outwards.
    """
    low, high = interval.low, interval.high
    if low is not None:
        low = math.floor(low) if whole else low
        low = low if bounds[0] is None else max(low, min(bounds[0], value))
    if high is not None:
        high = math.ceil(high) if whole else high
        high = high if bounds[1] is None else min(high, max(bounds[1], value))
    return replace(interval, low=low, high=high)


def effective_blocks(units: Floats) -> float:
    """The effective number of blocks, 1 / Σ (n_g / N)², where a block has n_g of all N units.

    Equal blocks count fully: 10 blocks of 50 units are 10. Blocks of 97, 1, 1 and 1 units are 1.06.
    """
    return float(units.sum() ** 2 / (units**2).sum())  # exact for numbers of rows: 6 equal blocks are 6


def percentile_interval(
    resampled: Resampled, component: int = 0, confidence: float = 0.95, effective: float = np.inf
) -> Interval:
    """The interval between the (1 − confidence)/2 and (1 + confidence)/2 quantiles of the replicates."""
    kept, refused = _usable(resampled, component, effective)
    if refused:
        return refused
    tail = (1 - confidence) / 2
    return _interval(resampled, component, kept, tail, 1 - tail)


def bca_interval(
    resampled: Resampled,
    component: int = 0,
    confidence: float = 0.95,
    effective: float = np.inf,
    *,
    expanded: bool = True,
) -> Interval:
    """The bias-corrected and accelerated interval (Efron and Tibshirani 1993, section 14.3).

    The quantiles of the replicates are taken at Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z))) for z = ±Φ⁻¹((1 + confidence)/2). z₀
    is Φ⁻¹ of the part of replicates below the value, where equal replicates count half. a is the acceleration of the
    delete-one-block jackknife.

    ``expanded`` widens the interval for few blocks (Hesterberg 2015, "What teachers should know about the
    bootstrap"). z is then √(G/(G − 1)) times the quantile of Student's t with G − 1 degrees of freedom. In a
    mean over H corpora, G − H replaces G − 1.
    """
    kept, refused = _usable(resampled, component, effective)
    if refused:
        return refused
    value = resampled.value[component]
    below = float(_below(kept, value))
    acceleration = _acceleration(resampled.left_out[:, component], resampled.corpora)
    if np.isnan(acceleration):
        return Interval(None, None, len(resampled.replicates) - len(kept), "undefined")
    reach = _reach(len(resampled.left_out), resampled.corpora, confidence, expanded)
    return _interval(resampled, component, kept, *_levels(below, len(kept), acceleration, reach))


def bca_bounds(resampled: Resampled, confidence: float = 0.95) -> Floats:
    """The ends of the ``bca_interval`` of each of many components without strata: components × 2.

    NaN where a component is undefined in the corpus, in a replicate or without a block.
    """
    number, blocks = len(resampled.replicates), len(resampled.left_out)
    ranked, value = np.sort(resampled.replicates, axis=0), resampled.value
    below = _below(ranked, value)
    left_out = resampled.left_out
    influence = (blocks - 1) * (left_out.mean(axis=0) - left_out) / blocks
    squares = (influence**2).sum(axis=0)
    with np.errstate(invalid="ignore"):
        moves = (squares > 0) & (np.ptp(left_out, axis=0) > 0)  # see _acceleration
        accelerations = np.where(moves, (influence**3).sum(axis=0) / (6 * squares**1.5), 0.0)
    reach = _reach(blocks, None, confidence, True)
    pairs = zip(below.tolist(), accelerations.tolist(), strict=True)
    places = np.array([_levels(each, number, acceleration, reach) for each, acceleration in pairs]).reshape(-1, 2)
    places = places * (number - 1)
    before = np.floor(places).astype(np.int64)
    low, high = (np.take_along_axis(ranked, np.minimum(at, number - 1).T, axis=0).T for at in (before, before + 1))
    defined = np.isfinite(value) & np.isfinite(ranked[[0, -1]]).all(axis=0) & np.isfinite(squares)
    bounds: Floats = np.where(defined[:, None], low + (places - before) * (high - low), np.nan)
    return bounds


def _below(replicates: Floats, value: Floats | float) -> Floats:
    """How many replicates are below the value, where those that differ from it only by rounding count half."""
    room = ROUNDING * np.abs(value)
    found: Floats = ((replicates < value - room).sum(axis=0) + (replicates <= value + room).sum(axis=0)) / 2
    return found


def _levels(below: float, number: int, acceleration: float, reach: float) -> tuple[float, float]:
    """The levels of the quantiles of a BCa interval; ``below`` of the ``number`` of replicates are below the value."""
    normal = NormalDist()
    # If all replicates are on one side, half a replicate stands for none.
    shift = normal.inv_cdf(min(max(below, 0.5), number - 0.5) / number)

    def level(z: float) -> float:
        moved = shift + z
        slope = 1 - acceleration * moved
        return normal.cdf(shift + moved / slope) if slope > 0 else float(moved > 0)

    return level(-reach), level(reach)


def _usable(resampled: Resampled, component: int, effective: float) -> tuple[Floats, Interval | None]:
    """The defined replicates of a component, and the refusal if there cannot be an interval."""
    every = resampled.replicates[:, component]
    kept = every[np.isfinite(every)]
    undefined = len(every) - len(kept)
    if not np.isfinite(resampled.value[component]) or undefined > MOST_UNDEFINED * len(every) or not len(kept):
        return kept, Interval(None, None, undefined, "undefined")
    if effective < FEWEST_BLOCKS:
        return kept, Interval(None, None, undefined, "few_blocks")
    return kept, None


def _interval(resampled: Resampled, component: int, kept: Floats, low: float, high: float) -> Interval:
    """The interval between two quantiles, with linear interpolation between replicates."""
    value = resampled.value[component]
    undefined = len(resampled.replicates) - len(kept)
    if np.abs(kept - value).max() <= ROUNDING * abs(value):
        return Interval(None, None, undefined, "constant")
    ends = np.quantile(kept, (low, high))
    note: Note | None = "outside" if kept.min() > value or kept.max() < value else None
    return Interval(float(ends[0]), float(ends[1]), undefined, note)


def _reach(blocks: int, corpora: Ints | None, confidence: float, expanded: bool) -> float:
    """How many standard errors the interval reaches to each side, before correction."""
    level = (1 + confidence) / 2
    freedom = blocks - (1 if corpora is None else corpora.max() + 1)
    if not expanded or freedom < 1:
        return NormalDist().inv_cdf(level)
    return float(np.sqrt(blocks / freedom) * t_quantile(level, freedom))


def _acceleration(left_out: Floats, corpora: Ints | None) -> float:
    """Σ l³/n³ / (6 (Σ l²/n²)^1.5) over blocks (Efron and Tibshirani 1993, Eq 15.36); 0 if no block changes the value.

    l is the empirical influence of a block: (n − 1) times the mean of the values without one block of the corpus,
    minus the value without this block. n is the number of blocks of the corpus. NaN if a value is undefined.
    """
    if not np.isfinite(left_out).all():
        return float("nan")
    number = np.zeros(len(left_out), np.int64) if corpora is None else corpora
    # The mean of equal values can differ from them by rounding, which would look like the influence of every block.
    if all(np.ptp(left_out[number == each]) == 0 for each in range(number.max() + 1)):
        return 0.0
    numbers = np.bincount(number)[number]
    means = (np.bincount(number, weights=left_out) / np.bincount(number))[number]
    influence = (numbers - 1) * (means - left_out) / numbers
    squares = (influence**2).sum()
    return float((influence**3).sum() / (6 * squares**1.5)) if squares != 0 else 0.0


def t_quantile(level: float, freedom: float) -> float:
    """The value below which Student's t with ``freedom`` degrees of freedom lies with probability ``level``."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, level))


def t_two_sided(t: float, freedom: float) -> float:
    """The probability that the absolute value of Student's t is at least |t|."""
    from scipy.special import stdtr

    return float(2 * stdtr(freedom, -abs(t)))


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
    standard error / (value · (1 − value)), so that both ends are between 0 and 1. Differences are not proportions.
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
