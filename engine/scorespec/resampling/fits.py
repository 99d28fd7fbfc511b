"""Intervals of a fitted score, such as the least logistic cost over affine maps of the scores.

At a minimum the derivatives of the cost are 0. So a resample that keeps the map of the corpus has the cost of a
resample with a map of its own, up to terms of second order. Hence the cost of each row at the map of the corpus is a
statistic that is summed over blocks, like any other. tests/unit/test_resampling_fits.py compares this with refitted
resamples.
"""

from __future__ import annotations

import numpy as np

from scorespec.arrays import Floats, Ints
from scorespec.resampling.bootstrap import Formula
from scorespec.resampling.exact import exact_rows


def logistic_bits(log_odds: Floats, positive: Floats) -> Floats:
    """The cost of each row in bits: log2(1 + exp(−log odds)) of a positive, log2(1 + exp(log odds)) of a negative."""
    bits: Floats = np.logaddexp(0.0, np.where(positive != 0, -log_odds, log_odds)) / np.log(2)
    return bits


def class_cost_sums(log_odds: Floats, positives: Floats, negatives: Floats, blocks: Ints, number: int) -> Floats:
    """Sums by block (blocks × 4): bits of positives, positives, bits of negatives, negatives.

    A row has the log odds at the map of the corpus, and its numbers of positives and negatives.
    """
    costs = logistic_bits(log_odds, np.ones_like(log_odds)), logistic_bits(log_odds, np.zeros_like(log_odds))
    # No row of a class costs nothing, also where one row would cost infinitely much.
    bits = [np.where(count > 0, cost, 0.0) * count for count, cost in zip((positives, negatives), costs, strict=True)]
    rows = np.column_stack((bits[0], positives, bits[1], negatives))
    columns = exact_rows(rows, blocks, number).T
    return np.column_stack([np.bincount(blocks, weights=column, minlength=number) for column in columns])


def class_cost(prior: float) -> Formula:
    """Prior × mean bits of positives + (1 − prior) × mean bits of negatives, over the entropy of the prior."""
    entropy = -(prior * np.log2(prior) + (1 - prior) * np.log2(1 - prior))

    def cost(sums: Floats) -> Floats:
        means: Floats = sums[..., 0::2] / sums[..., 1::2]
        value: Floats = (means * (prior, 1 - prior)).sum(axis=-1, keepdims=True) / entropy
        return value

    return cost
