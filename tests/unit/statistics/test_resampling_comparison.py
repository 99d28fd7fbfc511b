"""Paired comparison against scipy, by hand, and against naive definitions; corrections and ranks."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from marks import first
from scorespec.core.arrays import Floats
from scorespec.statistics import (
    Draws,
    Outcomes,
    Resampled,
    Standing,
    benjamini_hochberg,
    bootstrap_tests,
    error_segments,
    expanded,
    holm,
    matched_pairs,
    outcomes,
    outcomes_without,
    pairwise_max_t,
    randomisation_tests,
    resample,
    smallest_detectable,
    standings,
    step_down_max_t,
)
from scorespec.statistics import draws as drawing


def ratio(sums: Floats) -> Floats:
    return sums[..., :1] / sums[..., 1:2]


def two_systems(seed: int, blocks: int, gain: float = 0.0) -> tuple[Floats, Floats]:
    """Errors and units of each block for two systems whose errors are alike within a block."""
    random = np.random.default_rng(seed)
    units = random.integers(20, 200, blocks)
    rate = random.beta(3, 9, blocks)
    first, second = (random.binomial(units, np.clip(rate + each, 0, 1)) for each in (0, gain))
    return tuple(np.column_stack((errors, units)).astype(np.float64) for errors in (first, second))  # type: ignore[return-value]


@pytest.mark.parametrize("blocks", [1, 4, 8])
@pytest.mark.parametrize("seed", first(range(4)))
def test_the_randomisation_test_tries_all_swaps_of_few_blocks(blocks: int, seed: int) -> None:
    first, second = two_systems(seed, blocks, 0.05)
    observed = (ratio(second.sum(axis=0)) - ratio(first.sum(axis=0)))[0]
    larger = 0
    for swap in itertools.product((False, True), repeat=blocks):
        chosen = np.array(swap)[:, None]
        one, other = np.where(chosen, second, first), np.where(chosen, first, second)
        larger += abs(ratio(other.sum(axis=0)) - ratio(one.sum(axis=0)))[0] >= abs(observed) - 1e-12
    made = randomisation_tests(first, second, ratio, 1)
    assert made.exact
    assert made.difference[0] == pytest.approx(observed, abs=1e-14)
    assert made.p[0] == larger / 2**blocks


def test_all_swaps_are_tried_up_to_13_blocks() -> None:
    assert len(randomisation_tests(*two_systems(1, 13), ratio, 1).null) == 2**13
    sampled = randomisation_tests(*two_systems(1, 14), ratio, 1, 500)
    assert not sampled.exact
    assert len(sampled.null) == 500


def test_sampled_swaps_are_counted_one_by_one() -> None:
    first, second = two_systems(3, 25, 0.02)
    made = randomisation_tests(first, second, ratio, 9, 300)
    flips = drawing.flips(9, 25, 0, 300)[..., None] == 1
    differences = [
        (ratio(np.where(flip, first, second).sum(axis=0)) - ratio(np.where(flip, second, first).sum(axis=0)))[0]
        for flip in flips
    ]
    assert made.null[:, 0] == pytest.approx(differences, abs=1e-13)
    larger = np.count_nonzero(np.abs(differences) >= abs(made.difference[0]))
    assert made.p[0] == (1 + larger) / 301


def test_the_randomisation_test_of_means_is_that_of_scipy() -> None:
    random = np.random.default_rng(2)
    first, second = random.normal(size=11), random.normal(0.4, 1, 11)
    theirs = stats.permutation_test(
        (second, first), lambda x, y, axis=-1: (x - y).mean(axis=axis), permutation_type="samples", n_resamples=np.inf
    )
    sums = [np.column_stack((values, np.ones(11))) for values in (first, second)]
    assert randomisation_tests(*sums, ratio, 1).p[0] == pytest.approx(theirs.pvalue, abs=1e-12)


def test_equal_systems_have_p_of_one() -> None:
    first, _ = two_systems(1, 20)
    assert randomisation_tests(first, first, ratio, 1, 99).p[0] == 1
    assert (
        bootstrap_tests(resample(first, ratio, Draws(1, 20), 99) - resample(first, ratio, Draws(1, 20), 99)).p[0] == 1
    )


def test_swapping_the_systems_changes_the_sign_alone() -> None:
    first, second = two_systems(5, 30, 0.03)
    one, other = (randomisation_tests(*pair, ratio, 1, 999) for pair in ((first, second), (second, first)))
    assert one.p[0] == other.p[0]
    assert one.difference[0] == -other.difference[0]


def test_undefined_swaps_are_left_out_up_to_five_per_cent() -> None:
    """Only block 0 has units: a swap gives the system without units none, so no difference is defined."""
    first, second = np.zeros((14, 2)), np.zeros((14, 2))
    first[0], second[0] = (1, 4), (2, 4)
    defined = randomisation_tests(first, second, ratio, 1, 200)
    assert defined.undefined[0] == 0
    second[0, 1], second[1, 1] = 0, 4
    broken = randomisation_tests(first, second, ratio, 1, 200)
    assert broken.undefined[0] > 10
    assert np.isnan(broken.p[0])


def test_an_undefined_value_has_no_p() -> None:
    first, second = two_systems(1, 8)
    for blocks in (8, 16):
        nothing = np.zeros((blocks, 2))
        made = randomisation_tests(nothing, np.resize(second, (blocks, 2)), ratio, 1, 50)
        assert np.isnan(made.p[0])
    difference = resample(first, ratio, Draws(1, 8), 50) - resample(np.zeros((8, 2)), ratio, Draws(1, 8), 50)
    assert np.isnan(bootstrap_tests(difference).p[0])


def test_the_paired_bootstrap_test_is_counted_one_by_one() -> None:
    first, second = two_systems(2, 30, 0.03)
    difference = resample(second, ratio, Draws(1, 30), 400) - resample(first, ratio, Draws(1, 30), 400)
    observed = difference.value[0]
    larger = sum(abs(each - observed) >= abs(observed) for each in difference.replicates[:, 0].tolist())
    assert bootstrap_tests(difference).p[0] == (1 + larger) / 401


def test_expanded_p_by_hand() -> None:
    """p = 0.05 is z = 1.96; with 10 blocks, t = 1.96 · √0.9 with 9 degrees of freedom."""
    found = expanded(np.array([0.05, 1.0, np.nan]), 10)
    assert found[:2] == pytest.approx([2 * stats.t.sf(stats.norm.isf(0.025) * math.sqrt(0.9), 9), 1])
    assert np.isnan(found[2])
    assert expanded(np.array([0.05]), 100_000) == pytest.approx(0.05, rel=1e-3)


def test_pairs_of_systems_are_compared_with_the_largest_of_all_pairs() -> None:
    systems = [resample(two_systems(2, 30, gain)[1], ratio, Draws(1, 30), 300) for gain in (0, 0.01, 0.04)]
    values, replicates = np.array([each.value[0] for each in systems]), [each.replicates[:, 0] for each in systems]
    p = pairwise_max_t(values, np.stack(replicates), 30)
    pairs = [(0, 1), (0, 2), (1, 2)]
    null = {pair: replicates[pair[1]] - replicates[pair[0]] - (values[pair[1]] - values[pair[0]]) for pair in pairs}
    scale = {pair: math.sqrt((each**2).mean()) for pair, each in null.items()}
    largest = [max(abs(null[pair][at]) / scale[pair] for pair in pairs) for at in range(300)]
    for one, other in pairs:
        ratio_ = abs(values[other] - values[one]) / scale[one, other]
        count = sum(each >= ratio_ * (1 - 1e-12) for each in largest)
        assert p[one, other] == p[other, one] == expanded(np.array([(1 + count) / 301]), 30)[0]
    assert np.diag(p).tolist() == [1, 1, 1]


def test_the_largest_of_one_pair_is_the_test_of_the_pair() -> None:
    values, replicates = np.array([0.1, 0.2]), np.random.default_rng(1).normal(0.15, 0.05, (2, 400))
    pair = Resampled(values[1:] - values[:1], (replicates[1:] - replicates[:1]).T, np.empty((0, 1)))
    assert pairwise_max_t(values, replicates, 20)[0, 1] == expanded(bootstrap_tests(pair).p, 20)[0]


def test_a_system_that_is_often_undefined_has_no_p() -> None:
    values, replicates = np.array([0.1, 0.2, 0.4]), np.random.default_rng(1).normal(0.2, 0.1, (3, 100))
    replicates[0, :3], replicates[2, 90:] = np.inf, np.nan
    p = pairwise_max_t(values, replicates, 20)
    assert 0 < p[0, 1] == p[1, 0] < 1
    assert np.isnan(p[[0, 1, 2, 2], [2, 2, 0, 1]]).all()


def test_equal_systems_are_never_different_and_constant_ones_always() -> None:
    same = np.zeros((2, 99)) + 0.5
    assert pairwise_max_t(np.array([0.5, 0.5]), same, 1000)[0, 1] == pytest.approx(1)
    replicates = np.stack([same[0], same[0] + 0.1])
    assert pairwise_max_t(replicates[:, 0], replicates, 100_000)[0, 1] == pytest.approx(1 / 100, rel=1e-2)


def test_the_two_tests_and_the_t_test_agree_for_many_blocks() -> None:
    first, second = two_systems(8, 300, 0.008)
    gain = ratio(second)[:, 0] - ratio(first)[:, 0]
    theirs = stats.ttest_1samp(gain, 0).pvalue
    sums = [np.column_stack((ratio(each)[:, 0], np.ones(300))) for each in (first, second)]
    difference = resample(sums[1], ratio, Draws(1, 300), 9_999) - resample(sums[0], ratio, Draws(1, 300), 9_999)
    assert 0.001 < theirs < 0.5
    assert randomisation_tests(*sums, ratio, 1).p[0] == pytest.approx(theirs, abs=0.015)
    assert bootstrap_tests(difference).p[0] == pytest.approx(theirs, abs=0.015)


def test_the_smallest_detectable_difference_by_hand() -> None:
    """t.975 = 2.093 and t.8 = 0.861 with 19 degrees of freedom."""
    assert smallest_detectable(0.01, 19) == pytest.approx(0.01 * (2.093024 + 0.860951), rel=1e-6)


def test_the_smallest_detectable_difference_is_found_with_the_power() -> None:
    """True difference of t tests over 30 normal blocks with the standard error 1: found in 80 % of samples."""
    random = np.random.default_rng(1)
    samples = random.normal(smallest_detectable(1 / math.sqrt(30), 29), 1, (4000, 30))
    found = stats.ttest_1samp(samples, 0, axis=1).pvalue < 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.03)


def test_outcomes_respect_the_direction() -> None:
    first, second = np.array([1.0, 2, 3, np.nan, 5]), np.array([2.0, 2, 1, 4, 7])
    assert outcomes(first, second, higher_is_better=True) == Outcomes(2, 1, 1)
    assert outcomes(first, second, higher_is_better=False) == Outcomes(1, 1, 2)


def test_outcomes_of_groups_are_those_of_their_means() -> None:
    """Two systems over blocks in groups of 2, 1, 3 and 2: the mean of each group, from means without the group."""
    first, second = (
        np.array([0.1, 0.4, 0.3, 0.2, 0.3, 0.4, 0.7, 0.1]),
        np.array([0.2, 0.3, 0.1, 0.4, 0.4, 0.5, 0.2, 0.2]),
    )
    group = np.repeat(np.arange(4), (2, 1, 3, 2))
    left_out = np.array([(second - first)[group != each].mean() for each in range(4)])
    for higher, expected in ((True, Outcomes(1, 1, 2)), (False, Outcomes(2, 1, 1))):
        blocks = np.bincount(group).astype(float)
        found = outcomes_without(first.mean(), second.mean(), left_out, blocks, higher_is_better=higher)
        assert found == expected


def test_matched_pairs_by_hand() -> None:
    """Differences 1, 0, 2, 1: mean 1, variance 2/3, Z = 1 / √(2/3 / 4) = √6."""
    made = matched_pairs(np.array([0, 3, 1, 2]), np.array([1, 3, 3, 3]))
    assert (made.pairs, made.mean) == (4, 1)
    assert made.z == pytest.approx(math.sqrt(6))
    assert made.p_normal == pytest.approx(2 * stats.norm.sf(math.sqrt(6)))
    assert made.p_student == pytest.approx(stats.ttest_rel([1, 3, 3, 3], [0, 3, 1, 2]).pvalue)


def test_matched_pairs_without_variation() -> None:
    assert math.isnan(matched_pairs(np.array([1, 1]), np.array([1, 1])).z)
    assert matched_pairs(np.array([1, 1]), np.array([1, 1])).p_normal == 1
    assert matched_pairs(np.array([2, 2]), np.array([1, 1])).z == -math.inf
    assert math.isnan(matched_pairs(np.array([2]), np.array([1])).p_student)


def segments_of(*sentences: str) -> list[tuple[float, float]]:
    """Segments of rows that are written as + (both right), 1 or 2 (an error of this system alone) or - (of both)."""
    marks = np.array(list("".join(sentences)))
    numbers = np.repeat(np.arange(len(sentences)), [len(each) for each in sentences])
    errors = [np.isin(marks, [system, "-"]).astype(np.float64) for system in ("1", "2")]
    return list(zip(*(each.tolist() for each in error_segments(numbers, marks == "+", *errors)), strict=True))


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (["+-+1++2"], [(2, 1), (0, 1)]),
        (["++++"], []),
        (["-+", "+-"], [(1, 1), (1, 1)]),
        (["-++"], [(1, 1)]),
        (["1++2+++-+1+2"], [(1, 0), (0, 1), (2, 2)]),
        (["12-"], [(2, 2)]),
        (["1", "2", "-"], [(1, 0), (0, 1), (1, 1)]),
        (["+", "+1"], [(1, 0)]),
        ([], []),
    ],
)
def test_segments_by_hand(sentences: list[str], expected: list[tuple[float, float]]) -> None:
    assert segments_of(*sentences) == expected


def state_transitions(sentence: str) -> list[tuple[float, float]]:
    """The graph of states of SCTK's mtchprs.c, for rows without trailing insertions: b(egin), e(rror), g(ood)."""
    segments, state, good, errors = [], "b", 0, [0, 0]
    for mark in sentence:
        if mark != "+":
            state, good = "e", 0
            errors = [errors[0] + (mark in "1-"), errors[1] + (mark in "2-")]
        elif state in "eg":
            good, state = good + 1, "g"
            if good == 2:
                segments.append((errors[0], errors[1]))
                state, good, errors = "b", 0, [0, 0]
    return segments + ([(errors[0], errors[1])] if state != "b" else [])


def test_segments_are_those_of_sc_stats() -> None:
    random = np.random.default_rng(1)
    sentences = ["".join(random.choice(list("+++12-"), random.integers(1, 20))) for _ in range(300)]
    assert segments_of(*sentences) == [segment for sentence in sentences for segment in state_transitions(sentence)]


def test_corrections_by_hand() -> None:
    """Holm: 3 · 0.01, 2 · 0.03, 0.04 raised to 0.06. Benjamini and Hochberg: 0.03, 1.5 · 0.03 lowered to 0.04, 0.04."""
    p = np.array([0.04, np.nan, 0.01, 0.03])
    np.testing.assert_allclose(holm(p), [0.06, np.nan, 0.03, 0.06])
    np.testing.assert_allclose(benjamini_hochberg(p), [0.04, np.nan, 0.03, 0.04])
    assert holm(np.array([0.9, 0.8])).tolist() == [1, 1]
    assert holm(np.empty(0)).tolist() == []
    assert np.isnan(benjamini_hochberg(np.array([np.nan]))).all()


@pytest.mark.parametrize("seed", first(range(5), 2))
def test_corrections_against_their_definitions(seed: int) -> None:
    p = np.random.default_rng(seed).random(12) ** 3
    np.testing.assert_allclose(benjamini_hochberg(p), stats.false_discovery_control(p))
    # Holm is the closed test of Bonferroni: the largest min(1, size · smallest p) of the sets that contain a test.
    closed = np.zeros(12)
    for members in itertools.product((False, True), repeat=12):
        chosen = np.array(members)
        if chosen.any():
            closed[chosen] = np.maximum(closed[chosen], min(1, chosen.sum() * p[chosen].min()))
    np.testing.assert_allclose(holm(p), closed)


@pytest.mark.parametrize("seed", first(range(4)))
@pytest.mark.parametrize("exact", [False, True])
def test_step_down_max_t_against_its_definition(seed: int, exact: bool) -> None:
    random = np.random.default_rng(seed)
    null = random.normal(size=(200, 5)) * (1, 2, 3, 4, 100)
    difference = random.normal(size=5) * (3, 2, 3, 12, 100)
    scale = np.sqrt((null**2).mean(axis=0))
    remaining, floor, expected = list(range(5)), 0.0, np.empty(5)
    while remaining:
        test = max(remaining, key=lambda each: abs(difference[each]) / scale[each])
        largest = [max(abs(row[each]) / scale[each] for each in remaining) for row in null]
        larger = sum(each >= abs(difference[test]) / scale[test] for each in largest)
        floor = expected[test] = max(floor, larger / 200 if exact else (1 + larger) / 201)
        remaining.remove(test)
    np.testing.assert_allclose(step_down_max_t(difference, null, exact=exact), expected)


def test_step_down_max_t_of_one_test_is_its_own_p() -> None:
    made = randomisation_tests(*two_systems(3, 20, 0.03), ratio, 1, 999)
    assert step_down_max_t(made.difference, made.null)[0] == made.p[0]


def test_copies_of_a_test_cost_nothing_with_shared_flips() -> None:
    made = randomisation_tests(*two_systems(3, 20, 0.03), ratio, 1, 999)
    twice = step_down_max_t(np.repeat(made.difference, 4), np.repeat(made.null, 4, axis=1))
    assert twice.tolist() == [made.p[0]] * 4


def test_step_down_max_t_without_any_difference() -> None:
    null = np.column_stack((np.zeros(50), np.linspace(-1, 1, 50), np.full(50, np.nan)))
    corrected = step_down_max_t(np.array([0.0, 2.0, np.nan]), null)
    assert corrected[0] == 1
    assert corrected[1] == 1 / 51
    assert np.isnan(corrected[2])


def test_standings_by_hand() -> None:
    """A beats C and D, B beats D; E has no score. A and B, B and C, C and D are not distinguishable."""
    values = np.array([0.7, 0.9, 0.8, 0.6, np.nan])
    d, a, c, e, b = 3, 1, 0, 4, 2
    p = np.ones((5, 5))
    for one, other in ((a, c), (a, d), (b, d)):
        p[one, other] = p[other, one] = 0.01
    p[e] = p[:, e] = np.nan
    found = standings(values, p)
    assert [(found[each].best, found[each].worst) for each in (a, b, c, d, e)] == [
        (1, 3),
        (1, 4),
        (2, 5),
        (3, 5),
        (1, 5),
    ]
    assert {standing.group for standing in found} == {1}


@pytest.mark.parametrize("higher", [True, False])
def test_groups_begin_where_all_above_beat_all_below(higher: bool) -> None:
    values = np.array([4.0, 3, 2, 1]) if higher else np.array([1.0, 2, 3, 4])
    p = np.ones((4, 4))
    p[:2, 2:] = p[2:, :2] = 0.05
    found = standings(values, p, higher_is_better=higher)
    assert found == [Standing(1, 2, 1), Standing(1, 2, 1), Standing(3, 4, 2), Standing(3, 4, 2)]


def test_a_system_of_many_is_one_of_many() -> None:
    values = np.linspace(1, 0, 100)
    p = np.where(np.abs(values[:, None] - values) > 0.1, 0.001, 0.5)
    found = standings(values, p)
    assert found[0] == Standing(1, 1 + np.count_nonzero(values[0] - values <= 0.1) - 1, 1)
    assert found[-1].worst == 100


def test_a_resampled_difference_keeps_its_shape() -> None:
    one = Resampled(np.zeros(2), np.zeros((5, 2)), np.zeros((3, 2)))
    assert (one - one).replicates.shape == (5, 2)
    assert (one - one).bias().tolist() == [0, 0]


def test_a_mean_over_folds_is_tested_with_sums_by_fold() -> None:
    first, second = two_systems(4, 12, 0.05)
    fold = np.arange(12) % 3
    in_fold = np.eye(3)[fold][:, :, None]  # blocks × folds × 1
    made = randomisation_tests(
        first[:, None] * in_fold, second[:, None] * in_fold, lambda sums: ratio(sums).mean(axis=-2), 1
    )
    apart = [(ratio(second[fold == each].sum(axis=0)) - ratio(first[fold == each].sum(axis=0)))[0] for each in range(3)]
    assert made.difference[0] == pytest.approx(np.mean(apart), abs=1e-14)
    assert made.null.shape == (2**12, 1)
    assert made.null.mean() == pytest.approx(0, abs=1e-12)
