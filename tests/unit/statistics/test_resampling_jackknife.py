"""The delete-a-group jackknife: against formulas that are known, and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from scorespec.statistics import Interval, block_groups, jackknife_interval, jackknife_test
from scorespec.statistics.confidence import jackknife_error


def test_the_error_of_a_mean_is_that_of_the_textbook() -> None:
    values = np.random.default_rng(1).exponential(1, 25)
    left_out = (values.sum() - values) / 24
    assert jackknife_error(values.mean(), left_out) == pytest.approx(values.std(ddof=1) / 5, rel=1e-12)
    interval = jackknife_interval(values.mean(), left_out, proportion=False)
    theirs = stats.t.interval(0.95, 24, values.mean(), values.std(ddof=1) / 5)
    assert (interval.low, interval.high) == pytest.approx(theirs, rel=1e-12)


def test_groups_of_unequal_size_by_hand() -> None:
    """Blocks 1, 2 and 6 in the groups {1, 2} and {6}: mean 3, h = 1.5 and 3, pseudo-values 1.5 and 6.

    1.5 · 3 − 0.5 · 6 = 1.5 is the mean of the first group, 3 · 3 − 2 · 1.5 = 6 that of the second. Their weighted mean
    is 3. The variance is (1.5² / 0.5 + 3² / 2) / 2 = 4.5.
    """
    assert jackknife_error(3.0, np.array([6.0, 1.5]), np.array([2.0, 1.0])) == pytest.approx(math.sqrt(4.5))


def test_the_error_of_unequal_groups_is_right_on_average() -> None:
    """The mean of 10 blocks in groups of 1, 1, 2, 2 and 4: the expected variance is 1/10."""
    random, groups = np.random.default_rng(1), np.repeat(np.arange(5), (1, 1, 2, 2, 4))
    sizes = np.bincount(groups)
    variances = []
    for values in random.normal(5, 1, (4000, 10)):
        left_out = (values.sum() - np.bincount(groups, weights=values)) / (10 - sizes)
        variances.append(jackknife_error(values.mean(), left_out, sizes) ** 2)
    assert np.mean(variances) == pytest.approx(0.1, rel=0.05)


def test_the_test_of_a_mean_is_the_t_test() -> None:
    values = np.random.default_rng(3).normal(0.3, 1, 20)
    left_out = (values.sum() - values) / 19
    assert jackknife_test(values.mean(), left_out) == pytest.approx(stats.ttest_1samp(values, 0).pvalue, rel=1e-10)


def test_proportions_stay_inside_0_and_1() -> None:
    """Value 0.9, standard error 0.1: logit 2.197 ± 12.7 · 0.1 / 0.09."""
    left_out = np.array([0.8, 1.0])
    assert jackknife_error(0.9, left_out) == pytest.approx(0.1)
    interval = jackknife_interval(0.9, left_out)
    reach = stats.t.ppf(0.975, 1) * 0.1 / 0.09
    expected = [1 / (1 + math.exp(-(math.log(9) + sign * reach))) for sign in (-1, 1)]
    assert (interval.low, interval.high) == pytest.approx(expected, rel=1e-9)
    assert interval.low is not None
    assert interval.high is not None
    assert 0 < interval.low < 0.9 < interval.high < 1


@pytest.mark.parametrize("value", [0.0, 1.0, 1.4, -0.2])
def test_other_values_have_a_plain_interval(value: float) -> None:
    interval = jackknife_interval(value, np.array([value - 0.1, value, value + 0.1]))
    assert interval.low is not None
    assert interval.high is not None
    assert interval.low + interval.high == pytest.approx(2 * value, abs=1e-9)


def test_what_cannot_have_an_interval() -> None:
    assert jackknife_interval(0.5, np.array([0.4, np.nan])) == Interval(None, None, 1, "undefined")
    assert jackknife_interval(math.nan, np.array([0.4, 0.5])).note == "undefined"
    assert jackknife_interval(0.5, np.array([0.5])).note == "undefined"
    assert jackknife_interval(0.5, np.array([0.4, 0.6]), effective=5).note == "few_blocks"
    assert jackknife_interval(0.5, np.array([0.5, 0.5])) == Interval(None, None, 0, "constant")
    unequal = jackknife_interval(0.3, np.full(3, 0.3), blocks=np.array([3.0, 1, 2]), proportion=False)
    assert unequal == Interval(None, None, 0, "constant")
    assert math.isnan(jackknife_test(0.1, np.array([0.1, np.nan])))


def test_equal_differences_are_certain() -> None:
    assert jackknife_test(0.0, np.zeros(5)) == 1
    assert jackknife_test(0.1, np.full(5, 0.1)) == 0


def test_pairs_within_and_between_blocks_are_covered() -> None:
    """The share of equal pairs among all pairs of 200 values in 40 blocks, which couples all blocks.

    Values are 0 or 1 with a probability that differs between blocks; the expected share is known by simulation of the
    same population. The interval of 30 groups covers it about as often as it says.
    """
    random = np.random.default_rng(5)

    def sample() -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
        return random.binomial(5, random.beta(1, 4, 40)), np.full(40, 5)

    def share(ones: float, number: float) -> float:
        zeros = number - ones
        return float((ones * (ones - 1) + zeros * (zeros - 1)) / (number * (number - 1)))

    truth = np.mean([share(*(each.sum() for each in sample())) for _ in range(20_000)])
    covered = 0
    for _ in range(400):
        ones, number = sample()
        groups = block_groups(1, 40)
        left_out = np.array([share(ones[groups != g].sum(), number[groups != g].sum()) for g in range(30)])
        interval = jackknife_interval(share(ones.sum(), number.sum()), left_out, blocks=np.bincount(groups))
        assert interval.low is not None
        assert interval.high is not None
        covered += interval.low <= truth <= interval.high
    assert 0.9 <= covered / 400 <= 0.99
