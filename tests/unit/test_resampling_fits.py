"""Costs at the fixed best map against maps that are fitted again in each resample."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from scorespec.arrays import Floats
from scorespec.resampling import Draws, bca_interval, class_cost, class_cost_sums, logistic_bits, resample

PRIOR = 0.2


def trials(seed: int, blocks: int, each: int) -> tuple[Floats, Floats, np.ndarray]:  # type: ignore[type-arg]
    """Scores, whether each is a positive, and blocks; blocks differ in the level of their scores."""
    random = np.random.default_rng(seed)
    owners = np.repeat(np.arange(blocks), each)
    positive = (random.random(blocks * each) < 0.3).astype(np.float64)
    scores = 1.2 * positive + random.normal(size=blocks * each) + random.normal(0, 0.3, blocks)[owners]
    return scores, positive, owners


def cost(affine: Floats, scores: Floats, positive: Floats, weight: Floats) -> float:
    """Prior × mean bits of positives + (1 − prior) × mean bits of negatives, over the entropy of the prior."""
    bits = logistic_bits(affine[0] * scores + affine[1], positive)
    means = [(weight * bits)[positive == kind].sum() / weight[positive == kind].sum() for kind in (1, 0)]
    entropy = -(PRIOR * np.log2(PRIOR) + (1 - PRIOR) * np.log2(1 - PRIOR))
    return float(PRIOR * means[0] + (1 - PRIOR) * means[1]) / float(entropy)


def fit(*rows: Floats) -> Floats:
    best = minimize(cost, np.array([1.0, -2.0]), rows, method="BFGS", options={"gtol": 1e-7})
    return np.asarray(best.x)


def test_bits_by_hand() -> None:
    bits = logistic_bits(np.array([0.0, np.log(3), np.log(3), -800.0, np.inf]), np.array([1, 1, 0, 1, 1]))
    assert bits == pytest.approx([1, np.log2(4 / 3), 2, 800 / np.log(2), 0])


def test_the_cost_of_the_corpus_is_the_sum_over_its_blocks() -> None:
    scores, positive, owners = trials(1, 20, 30)
    sums = class_cost_sums(scores, positive, 1 - positive, owners, 20)
    assert class_cost(PRIOR)(sums.sum(axis=0))[0] == pytest.approx(
        cost(np.array([1.0, 0.0]), scores, positive, np.ones(600)), rel=1e-9
    )


def test_a_class_that_has_no_row_costs_nothing() -> None:
    sums = class_cost_sums(np.array([np.inf, 0.0]), np.array([1.0, 1]), np.array([0.0, 2]), np.array([0, 1]), 2)
    assert sums.tolist() == [[0, 1, 0, 0], [1, 1, 2, 2]]


@pytest.mark.parametrize("seed", [1, 2])
def test_refitted_resamples_agree_with_the_fixed_map(seed: int) -> None:
    """At the minimum a change of the map costs nothing to first order: differences are small against the error."""
    scores, positive, owners = trials(seed, 40, 50)
    affine = fit(scores, positive, np.ones(2000))
    sums = class_cost_sums(affine[0] * scores + affine[1], positive, 1 - positive, owners, 40)
    draws = Draws(1, 40)
    fixed = resample(sums, class_cost(PRIOR), draws, 100)
    refitted = []
    for counts in draws.counts(0, 100):
        weight = counts[owners]
        refitted.append(cost(fit(scores, positive, weight), scores, positive, weight))
    error = fixed.standard_errors()[0]
    assert (np.array(refitted) <= fixed.replicates[:, 0] + 1e-9).all()
    assert np.abs(refitted - fixed.replicates[:, 0]).mean() < 0.1 * error
    assert np.std(refitted, ddof=1) == pytest.approx(error, rel=0.05)
    assert bca_interval(fixed).note is None
