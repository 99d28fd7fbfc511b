"""Intervals against scipy, against the linearised ratio and against all resamples of few blocks."""

from __future__ import annotations

import itertools
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from scipy import stats

from marks import first
from scorespec.core.arrays import Floats, Ints
from scorespec.statistics import (
    Draws,
    Interval,
    Resampled,
    bca_interval,
    effective_blocks,
    mean_over_corpora,
    percentile_interval,
    replicate_sums,
    resample,
)
from scorespec.statistics.confidence import in_range
from scorespec.statistics.paired_tests import t_quantile, t_two_sided


def ratio(sums: Floats) -> Floats:
    """Errors per unit."""
    return sums[..., :1] / sums[..., 1:2]


def corpus(seed: int, blocks: int) -> Floats:
    """Errors and units of each block."""
    random = np.random.default_rng(seed)
    units = random.integers(20, 200, blocks)
    return np.column_stack((random.binomial(units, random.beta(3, 9, blocks)), units)).astype(np.float64)


def ends(interval: Interval) -> tuple[float | None, float | None]:
    return interval.low, interval.high


def test_all_replicates_come_in_order() -> None:
    draws = Draws(seed=1, blocks=4)
    parts = list(draws.every(5, size=2))
    assert [row for part, _ in parts for row in range(part.start, part.stop)] == list(range(1 + 5 + 4))
    counts = np.concatenate([each for _, each in parts])
    assert np.array_equal(counts, [[1] * 4, *draws.counts(0, 5), *(1 - np.eye(4))])


@pytest.mark.parametrize("seed", first(range(5)))
@pytest.mark.parametrize("blocks", [8, 25, 60])
@pytest.mark.parametrize("confidence", [0.95, 0.9])
def test_intervals_of_a_ratio_are_those_of_scipy(seed: int, blocks: int, confidence: float) -> None:
    """scipy gets the same replicates, so both must agree to rounding."""
    sums = corpus(seed, blocks)
    ours = resample(sums, ratio, Draws(seed, blocks), 999)
    kept = stats.bootstrap(
        (sums[:, 0], sums[:, 1]),
        lambda errors, units, axis=-1: errors.sum(axis=axis) / units.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=0,
        method="BCa",
        confidence_level=confidence,
        bootstrap_result=scipy_result(ours.replicates[:, 0]),
    ).confidence_interval
    assert ends(bca_interval(ours, 0, confidence, expanded=False)) == pytest.approx(tuple(kept), rel=1e-12)
    plain = np.percentile(ours.replicates[:, 0], [50 * (1 - confidence), 50 * (1 + confidence)])
    assert ends(percentile_interval(ours, 0, confidence)) == pytest.approx(tuple(plain), rel=1e-12)


def scipy_result(replicates: Floats) -> object:
    """What ``stats.bootstrap`` takes as an earlier result: replicates that it uses instead of its own."""
    return type("Result", (), {"bootstrap_distribution": replicates})()


def test_intervals_of_means_over_corpora_are_those_of_scipy() -> None:
    """The difference of the means of two samples: scipy calls the corpora samples. The mean over corpora is half of the
    difference, if the second corpus has the opposite sign."""
    random = np.random.default_rng(4)
    one, other = random.exponential(1, 14), random.exponential(3, 9)
    sums = [np.column_stack((values, np.ones(len(values)))) for values in (one, -other)]
    ours = mean_over_corpora([resample(each, ratio, Draws(seed, len(each)), 999) for seed, each in enumerate(sums)])
    result = stats.bootstrap(
        (one, other),
        lambda x, y, axis=-1: (x.mean(axis=axis) - y.mean(axis=axis)) / 2,
        n_resamples=0,
        method="BCa",
        bootstrap_result=scipy_result(ours.replicates[:, 0]),
    )
    assert ends(bca_interval(ours, expanded=False)) == pytest.approx(tuple(result.confidence_interval), rel=1e-10)


def test_own_resamples_of_scipy_give_nearly_the_same_interval() -> None:
    sums = corpus(3, 40)
    ours = bca_interval(resample(sums, ratio, Draws(1, 40)), expanded=False)
    theirs = stats.bootstrap(
        (sums[:, 0], sums[:, 1]),
        lambda errors, units, axis=-1: errors.sum(axis=axis) / units.sum(axis=axis),
        paired=True,
        random_state=np.random.default_rng(1),
    )
    assert ends(ours) == pytest.approx(tuple(theirs.confidence_interval), abs=0.1 * theirs.standard_error)


def test_the_standard_error_of_a_ratio_is_that_of_its_linearisation() -> None:
    """SE² = G/(G − 1) · Σ (E_g − R · N_g)² / N², up to terms of order 1/G and the noise of the replicates."""
    sums = corpus(6, 400)
    errors, units = sums.T
    rate = errors.sum() / units.sum()
    linear = np.sqrt(400 / 399 * ((errors - rate * units) ** 2).sum()) / units.sum()
    ours = resample(sums, ratio, Draws(2, 400), 20_000)
    assert ours.standard_errors()[0] == pytest.approx(linear, rel=0.02)
    low, high = ends(bca_interval(ours))
    assert low is not None
    assert high is not None
    assert high - low == pytest.approx(2 * 1.96 * linear, rel=0.05)


@pytest.mark.parametrize("blocks", first([3, 5]))
def test_replicates_are_distributed_like_all_resamples(blocks: int) -> None:
    """All G^G resamples have known values; each replicate has one of these values, about as often as it must."""
    sums = corpus(1, blocks)
    values = [ratio(sums[list(each)].sum(axis=0))[0] for each in itertools.product(range(blocks), repeat=blocks)]
    ours = resample(sums, ratio, Draws(5, blocks), 40_000).replicates[:, 0]
    assert set(np.round(ours, 12)) <= set(np.round(values, 12))
    assert ours.mean() == pytest.approx(np.mean(values), abs=4 * np.std(values) / 200)
    assert ours.std() == pytest.approx(np.std(values), rel=0.03)
    for level in (0.025, 0.2, 0.5, 0.8, 0.975):
        share = np.mean(np.array(values) <= np.quantile(values, level) + 1e-12)
        assert np.mean(ours <= np.quantile(values, level) + 1e-12) == pytest.approx(share, abs=0.012)


def test_the_expansion_is_that_of_hesterberg() -> None:
    """Replicates that are exactly normal quantiles, and no bias or acceleration: value ± √(n/(n − 1)) · t · SE."""
    normal = NormalDist()
    replicates = np.array([normal.inv_cdf((2 * k + 1) / 20_002) for k in range(10_001)])
    left_out = np.tile([-1.0, 1.0], 5)
    made = Resampled(np.zeros(1), replicates[:, None], left_out[:, None])
    reach = np.sqrt(10 / 9) * stats.t.ppf(0.975, 9)
    assert ends(bca_interval(made)) == pytest.approx((-reach, reach), rel=1e-3)
    assert ends(bca_interval(made, expanded=False)) == pytest.approx((-1.96, 1.96), rel=1e-3)


def test_a_difference_is_paired() -> None:
    """A second system with 0.01 more errors per unit in each block differs by just that in each replicate."""
    sums = corpus(2, 30)
    worse = sums + np.column_stack((0.01 * sums[:, 1], np.zeros(30)))
    difference = resample(worse, ratio, Draws(1, 30), 500) - resample(sums, ratio, Draws(1, 30), 500)
    assert difference.replicates == pytest.approx(np.full((500, 1), 0.01), abs=1e-12)
    assert bca_interval(difference) == Interval(None, None, 0, "constant")


def test_folds_are_averaged_within_each_replicate() -> None:
    """A block has one weight in all folds: the replicates are the means of those of single folds."""
    random = np.random.default_rng(1)
    sums = random.integers(5, 50, (12, 3, 2)).astype(np.float64)
    together = resample(sums, lambda each: ratio(each).mean(axis=-2), Draws(1, 12), 200)
    apart = [resample(sums[:, fold], ratio, Draws(1, 12), 200) for fold in range(3)]
    for name in ("value", "replicates", "left_out"):
        mean = np.mean([getattr(each, name) for each in apart], axis=0)
        assert getattr(together, name) == pytest.approx(mean, abs=1e-14)


def test_corpora_are_averaged_within_each_replicate() -> None:
    corpora = [corpus(seed, blocks) for seed, blocks in enumerate((7, 6, 7))]
    draws = [Draws(seed, len(sums)) for seed, sums in enumerate(corpora)]
    ours = mean_over_corpora([resample(*pair, 100) for pair in zip(corpora, [ratio] * 3, draws, strict=True)])
    for each in range(100):
        drawn = [of_corpus.counts(each, each + 1).T * sums for sums, of_corpus in zip(corpora, draws, strict=True)]
        rates = [ratio(sums.sum(axis=0))[0] for sums in drawn]
        assert ours.replicates[each, 0] == pytest.approx(np.mean(rates), abs=1e-14)
    kept = (corpora[0], np.delete(corpora[1], 4, axis=0), corpora[2])
    without = [ratio(sums.sum(axis=0)) for sums in kept]
    assert ours.left_out[7 + 4, 0] == pytest.approx(np.mean(without), abs=1e-14)
    assert ours.corpora is not None
    assert np.bincount(ours.corpora).tolist() == [7, 6, 7]


@pytest.mark.parametrize(("undefined", "note"), [(50, None), (51, "undefined")])
def test_undefined_replicates_are_left_out_up_to_five_per_cent(undefined: int, note: str | None) -> None:
    replicates = np.linspace(0, 1, 1000)
    replicates[:undefined] = np.nan
    made = Resampled(np.array([0.5]), replicates[:, None], np.linspace(0, 1, 20)[:, None])
    for interval in (bca_interval(made), percentile_interval(made)):
        assert interval.undefined == undefined
        assert interval.note == note
        assert (interval.low is None) == (note is not None)


def test_an_undefined_value_has_no_interval() -> None:
    for value, left_out in ((np.nan, 1.0), (np.inf, 1.0), (0.5, np.nan), (0.5, np.inf)):
        left = np.append(np.linspace(0, 1, 9), left_out)
        made = Resampled(np.array([value]), np.linspace(0, 1, 100)[:, None], left[:, None])
        assert bca_interval(made).note == "undefined"
        assert bca_interval(made - made).note == "undefined"
    assert percentile_interval(Resampled(np.ones(1), np.empty((0, 1)), np.ones((9, 1)))).note == "undefined"


def test_fewer_than_six_effective_blocks_have_no_interval() -> None:
    made = resample(corpus(1, 10), ratio, Draws(1, 10), 100)
    assert bca_interval(made, effective=5.99) == Interval(None, None, 0, "few_blocks")
    assert bca_interval(made, effective=6.0).low is not None


@pytest.mark.parametrize(
    ("found", "value", "bounds", "whole", "expected"),
    [
        ((-0.43, 1.0473), 0.98, (0, 1), False, (0, 1)),
        ((-0.43, 1.0473), 0.98, (None, None), False, (-0.43, 1.0473)),
        ((-0.43, 1.0473), 0.98, (0, None), False, (0, 1.0473)),
        ((-0.97, 8.2), 3.0, (0, None), True, (0, 9)),
        ((1.5, 8.0), 3.0, (0, None), True, (1, 8)),
        ((1.1, 1.3), 1.2, (0, 1), False, (1.1, 1.2)),  # the declared range is wrong: the value stays inside
        ((None, 1.3), 0.9, (0, 1), True, (None, 1)),  # a threshold can lack one end
        ((None, None), 0.9, (0, 1), True, (None, None)),
    ],
)
def test_an_interval_stays_in_the_range_of_its_component(
    found: Any, value: float, bounds: Any, whole: bool, expected: Any
) -> None:
    assert in_range(Interval(*found, 3), value, bounds, whole) == Interval(*expected, 3)


def test_blocks_that_do_not_differ_are_noted() -> None:
    made = resample(np.tile([0.0, 5.0], (10, 1)), ratio, Draws(1, 10), 100)
    assert bca_interval(made) == Interval(None, None, 0, "constant")
    units = np.arange(1.0, 11)
    rounded = bca_interval(resample(np.column_stack((0.1 * units, units)), ratio, Draws(1, 10), 100))
    assert rounded == Interval(None, None, 0, "constant")


def test_a_value_outside_of_its_replicates_is_noted() -> None:
    made = Resampled(np.array([-1.0]), np.linspace(0, 1, 100)[:, None], np.linspace(0, 1, 20)[:, None])
    interval = bca_interval(made)
    assert interval.note == "outside"
    assert interval.low == pytest.approx(0, abs=1e-9)


def test_effective_numbers_of_blocks() -> None:
    assert effective_blocks(np.full(10, 7.0)) == pytest.approx(10)
    assert effective_blocks(np.array([97.0, 1, 1, 1])) == pytest.approx(1 / (0.97**2 + 3e-4))


def test_a_statistic_that_counts_blocks_is_the_number_of_blocks() -> None:
    assert (replicate_sums(np.ones((17, 1)), Draws(1, 17), 50) == 17).all()


@pytest.mark.parametrize("freedom", [1, 2, 29, 1000])
def test_students_t(freedom: int) -> None:
    for level in (0.5, 0.8, 0.975, 0.999):
        assert t_quantile(level, freedom) == pytest.approx(stats.t.ppf(level, freedom), rel=1e-9, abs=1e-12)
    for t in (-3.0, 0.0, 1.5):
        assert t_two_sided(t, freedom) == pytest.approx(2 * stats.t.sf(abs(t), freedom), rel=1e-12)
    assert t_quantile(0.975, 1) == pytest.approx(12.7062047, rel=1e-7)


@pytest.mark.parametrize("corpora", [None, np.repeat([0, 1], 15)])
def test_blocks_that_change_nothing_give_no_acceleration(corpora: Ints | None) -> None:
    """The mean of 30 times 0.1 is not 0.1: rounding is no influence."""
    replicates = np.random.default_rng(1).normal(0.1, 0.03, (199, 1))
    found = {
        level: ends(bca_interval(Resampled(np.array([0.1]), replicates, np.full((30, 1), level), corpora)))
        for level in (0.0, 0.1, -0.17)
    }
    assert found[0.1] == found[-0.17] == found[0.0]
