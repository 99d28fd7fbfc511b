"""The best threshold of each resample against a walk through all rows; intervals at the best threshold."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from scorespec.arrays import Floats, Ints
from scorespec.resampling import (
    Draws,
    RankedRows,
    bca_interval,
    best_thresholds,
    mean_of,
    rank_rows,
    resample,
    resample_sweep,
    sweeps,
)


def walked(rows: RankedRows, weight: Floats, tie: float, reject_all: bool) -> tuple[float, int, Floats]:
    """The naive way, row by row: every threshold of the rows that one resample has."""
    taken = np.flatnonzero(weight[rows.blocks])
    steps, scores = weight[rows.blocks[taken]], rows.scores[taken].tolist()
    points = [(0.0, -1)] if reject_all or not len(taken) else []
    total = 0.0
    for place, value in enumerate((steps * rows.values[taken]).tolist()):
        total += value
        if place + 1 == len(taken) or scores[place + 1] != scores[place]:
            points.append((total, int(taken[place])))
    best = max(value for value, _ in points)
    value, end = [point for point in points if point[0] >= best - tie][-1]
    end = int(np.flatnonzero(rows.scores == rows.scores[end])[-1]) if end >= 0 else -1
    return value, end, (weight[rows.blocks[: end + 1], None] * rows.statistics[: end + 1]).sum(axis=0)


def search(
    seed: int, rows: int, blocks: int, distinct: int, hits: float = 0.3, cost: float = 0.02
) -> tuple[Floats, Ints, Floats, Floats]:
    """Scores, blocks, values and statistics (gain and loss) of rows, in random order."""
    random = np.random.default_rng(seed)
    hit = random.random(rows) < hits
    scores = np.round(random.normal(size=rows) + 1.5 * hit, 12 if distinct == 0 else 0) if distinct != 1 else None
    if scores is None:
        scores = np.zeros(rows)
    owners = random.integers(0, blocks, rows)
    gain, loss = hit / (1 + owners % 7), ~hit * cost / (3 + owners % 5)
    return scores, owners, gain - loss, np.column_stack((gain, loss))


@pytest.mark.parametrize("distinct", [0, 1, 2], ids=["no ties", "one score", "long ties"])
@pytest.mark.parametrize("reject_all", [True, False])
@pytest.mark.parametrize("cost", [0.02, 2.0, 50.0, 1e6], ids=["all accepted", "inside", "few accepted", "none"])
def test_the_best_thresholds_are_those_of_a_walk_through_all_rows(
    distinct: int, reject_all: bool, cost: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeps, "CHUNK", 16)
    rows = rank_rows(*search(7, 600, 9, distinct, cost=cost), 11)
    # A resample may take blocks that have no row, or rows far down only.
    counts = np.concatenate((Draws(5, 11).counts(0, 50), np.eye(11)))
    for tie in (0.0, 0.05):
        sums, ends, accepted = best_thresholds(rows, counts, tie, reject_all=reject_all)
        for each in range(len(counts)):
            value, end, sums_there = walked(rows, counts[each], tie, reject_all)
            assert (sums[each], ends[each]) == (value, end)
            assert np.array_equal(accepted[each], sums_there)


def test_chunks_and_batches_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rank_rows(*search(3, 5000, 40, 0, cost=3.0), 40)
    counts = Draws(1, 40).counts(0, 200)
    whole = best_thresholds(rows, counts, 1e-12)
    monkeypatch.setattr(sweeps, "CHUNK", 37)
    monkeypatch.setattr(sweeps, "_MOST_WALKED", 100)
    alone = [best_thresholds(rows, counts[each : each + 1], 1e-12) for each in range(200)]
    for number, parts in enumerate(zip(*alone, strict=True)):
        assert np.concatenate(parts).tobytes() == whole[number].tobytes()


def test_the_order_of_rows_changes_no_bit() -> None:
    columns = search(9, 3000, 25, 2, cost=3.0)
    order = np.random.default_rng(0).permutation(3000)
    counts = Draws(1, 25).counts(0, 100)
    one = best_thresholds(rank_rows(*columns, 25), counts)
    other = best_thresholds(rank_rows(*(column[order] for column in columns), 25), counts)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))


def test_rows_without_a_score_are_never_accepted() -> None:
    scores = np.array([0.5, np.nan, 0.9])
    rows = rank_rows(scores, np.array([0, 0, 1]), np.array([1.0, 100.0, -3.0]), np.ones((3, 1)), 2)
    sums, ends, accepted = best_thresholds(rows, np.array([[1.0, 1.0], [4.0, 1.0], [4.0, 0.0]]))
    assert sums.tolist() == [0, 1, 4]
    assert ends.tolist() == [-1, 1, 1]
    assert accepted.tolist() == [[0], [5], [4]]


def test_without_rows_nothing_is_accepted() -> None:
    empty = np.empty(0)
    rows = rank_rows(empty, np.empty(0, np.int64), empty, np.empty((0, 2)), 3)
    sums, ends, accepted = best_thresholds(rows, np.ones((2, 3)), reject_all=False)
    assert (sums.tolist(), ends.tolist(), accepted.tolist()) == ([0, 0], [-1, -1], [[0, 0], [0, 0]])


def value_of(sums: Floats) -> Floats:
    """(gain − loss) / queries, gain / queries."""
    gain, loss, queries = np.moveaxis(sums, -1, 0)
    return np.stack(((gain - loss) / queries, gain / queries), axis=-1)


def test_a_sweep_is_optimised_anew_in_each_resample() -> None:
    """Each of the 4^4 resamples of four blocks has the value of a walk, and so has the corpus without each block."""
    rows = rank_rows(*search(2, 80, 4, 0, cost=2.0), 4)
    draws = Draws(11, 4)
    swept = resample_sweep(rows, np.ones((4, 1)), value_of, draws, 500)
    known = {}
    for blocks in itertools.product(range(4), repeat=4):
        weight = np.bincount(blocks, minlength=4).astype(np.float64)
        value, end, accepted = walked(rows, weight, 4e-12, True)
        known[tuple(weight)] = (value / 4, accepted[0] / 4, rows.scores[end] if end >= 0 else np.inf)
    for each, weight in enumerate(draws.counts(0, 500)):
        expected = known[tuple(weight)]
        assert swept.best.replicates[each] == pytest.approx(expected[:2], abs=1e-12)
        assert swept.thresholds[each] == expected[2]
    for block in range(4):
        value, _, accepted = walked(rows, (np.arange(4) != block).astype(np.float64), 4e-12, True)
        assert swept.best.left_out[block] == pytest.approx((value / 3, accepted[0] / 3), abs=1e-12)
    assert swept.best.value == pytest.approx(np.array(known[1, 1, 1, 1][:2]), abs=1e-12)
    assert (swept.best.replicates[:, 0] >= swept.fixed.replicates[:, 0] - 1e-12).all()
    assert swept.best.bias()[0] > 0
    low, high = swept.threshold_interval()
    assert low <= np.median(swept.thresholds) <= high
    assert {low, high} <= set(swept.thresholds.tolist())


def test_strata_have_their_own_best_thresholds() -> None:
    """Two strata with other scales of scores: the mean of the best values of each, in the same resamples."""
    scores, owners, values, statistics = search(6, 300, 12, 0, cost=2.0)
    strata = np.arange(12) % 2
    draws = Draws(3, 12, strata)
    parts, expected = [], np.zeros(100)
    for stratum in (0, 1):
        own = strata[owners] == stratum
        rows = rank_rows(scores[own] + 9 * stratum, owners[own], values[own], statistics[own], 12)
        inside = (strata == stratum).astype(np.float64)
        parts.append(resample_sweep(rows, inside[:, None], value_of, draws, 100, units=inside).best)
        expected += [walked(rows, weight, 0.0, True)[0] / 6 / 2 for weight in draws.counts(0, 100)]
    together = mean_of(parts)
    np.testing.assert_allclose(together.replicates[:, 0], expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(together.value, (parts[0].value + parts[1].value) / 2)
    assert np.ptp(parts[0].left_out[strata == 1, 0]) == 0 < np.ptp(parts[0].left_out[strata == 0, 0])
    assert bca_interval(together).note is None


def test_the_fixed_threshold_is_a_plain_bootstrap() -> None:
    scores, owners, values, statistics = search(4, 400, 20, 0, cost=2.0)
    swept = resample_sweep(
        rank_rows(scores, owners, values, statistics, 20), np.ones((20, 1)), value_of, Draws(1, 20), 300
    )
    taken = scores >= swept.threshold
    columns = [np.bincount(owners[taken], weights=column, minlength=20) for column in statistics[taken].T]
    plain = resample(np.column_stack((*columns, np.ones(20))), value_of, Draws(1, 20), 300)
    np.testing.assert_allclose(swept.fixed.replicates, plain.replicates, rtol=0, atol=1e-13)


def test_a_flat_optimum_is_told_from_a_sharp_one() -> None:
    """100 good rows stand above 100 costly rows; in the flat case, 100 rows follow that neither gain nor lose."""
    blocks = np.arange(300) % 10
    for middle, flat in ((-0.1, False), (-1e-9, True)):
        values = np.repeat((0.1, middle, -0.1), 100)
        rows = rank_rows(np.arange(300.0)[::-1], blocks, values + (blocks - 4.5) * 0.001, values[:, None], 10)
        swept = resample_sweep(rows, np.ones((10, 1)), lambda sums: sums[..., :1] / sums[..., 1:], Draws(1, 10), 200)
        assert swept.flat == flat
        assert swept.plateau[0] >= swept.threshold >= swept.plateau[1]


def test_that_nothing_is_accepted_has_an_infinite_threshold() -> None:
    rows = rank_rows(np.arange(20.0), np.arange(20) % 10, np.full(20, -1.0), np.ones((20, 1)), 10)
    swept = resample_sweep(rows, np.ones((10, 1)), lambda sums: -sums[..., :1] / sums[..., 1:], Draws(1, 10), 50)
    assert swept.threshold == np.inf
    assert swept.threshold_interval() == (np.inf, np.inf)
    assert swept.best.value.tolist() == [0]
