"""The points that each resample chooses, against a walk through all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from marks import first, slow, some
from scorespec.core.arrays import Floats, Ints
from scorespec.statistics import (
    Draws,
    Points,
    RankedRows,
    SumOfRows,
    Walk,
    best_points,
    crossing_points,
    crossing_without_blocks,
    hull_points,
    plateau_of,
    points_of_resamples,
    rank_rows,
    stacked,
    sweeps,
    unstacked,
)

GAIN_LESS_LOSS = np.array((1.0, -1.0))


def every_point(rows: RankedRows, weight: Floats) -> list[tuple[Floats, int]]:
    """The naive way, row by row: accepting no row, and every threshold of the rows that one resample has.

    Each has the sums of the accepted rows, and the position of the last row with the score of the last of them.
    """
    taken = np.flatnonzero(weight[rows.blocks])
    steps, scores = weight[rows.blocks[taken], None] * rows.statistics[taken], rows.scores[taken].tolist()
    total = np.zeros(rows.statistics.shape[1])
    points = [(total, -1)]
    for place, step in enumerate(steps):
        total = total + step
        if place + 1 == len(taken) or scores[place + 1] != scores[place]:
            points.append((total, int(np.flatnonzero(rows.scores == scores[place])[-1])))
    return points


def walked(
    rows: RankedRows, weight: Floats, tie: float, reject_all: bool, slopes: Floats = GAIN_LESS_LOSS
) -> tuple[Floats, int]:
    """The best of all points of one resample."""
    points = every_point(rows, weight)
    if not reject_all and len(points) > 1:
        points = points[1:]
    values = [float(slopes[0] * sums[0] + slopes[1] * sums[1]) for sums, _ in points]
    return [point for point, value in zip(points, values, strict=True) if value >= max(values) - tie][-1]


def chosen(
    rows: RankedRows, weights: Floats, tie: float = 0.0, reject_all: bool = True, slopes: Floats = GAIN_LESS_LOSS
) -> Points:
    """The best point of each resample: resamples × statistics, resamples."""
    value = SumOfRows(np.zeros(len(weights)), np.broadcast_to(slopes, (len(weights), rows.statistics.shape[1])))
    sums, ends = best_points(Walk.of(rows, weights), value, tie, reject_all)
    return sums[:, 0].T, ends[0]


def search(
    seed: int, rows: int, blocks: int, distinct: int, hits: float = 0.3, cost: float = 0.02
) -> tuple[Floats, Ints, Floats]:
    """Scores, blocks and statistics (gain and loss) of rows, in random order."""
    random = np.random.default_rng(seed)
    hit = random.random(rows) < hits
    scores = np.round(random.normal(size=rows) + 1.5 * hit, 12 if distinct == 0 else 0) if distinct != 1 else None
    if scores is None:
        scores = np.zeros(rows)
    owners = random.integers(0, blocks, rows)
    gain, loss = hit / (1 + owners % 7), ~hit * cost / (3 + owners % 5)
    return scores, owners, np.column_stack((gain, loss))


@pytest.mark.parametrize("distinct", [0, 1, 2], ids=["no ties", "one score", "long ties"])
@pytest.mark.parametrize("reject_all", [True, False])
@pytest.mark.parametrize(
    "cost", first([0.02, 2.0, 50.0, 1e6], 2), ids=["all accepted", "inside", "few accepted", "none"]
)
def test_the_best_thresholds_are_those_of_a_walk_through_all_rows(
    distinct: int, reject_all: bool, cost: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeps, "CHUNK", 16)
    rows = rank_rows(*search(7, 600, 9, distinct, cost=cost), 11)
    # A resample may take blocks that have no row, or rows far down only.
    counts = np.concatenate((Draws(5, 11).counts(0, 50), np.eye(11)))
    for tie in (0.0, 0.05):
        sums, ends = chosen(rows, counts, tie, reject_all)
        for each in some(range(len(counts))):
            sums_there, end = walked(rows, counts[each], tie, reject_all)
            assert ends[each] == end
            assert np.array_equal(sums[each], sums_there)


@slow
def test_each_resample_can_have_slopes_of_its_own() -> None:
    """Statistics may be below 0, too."""
    scores, owners, statistics = search(8, 3000, 9, 0, cost=1.0)
    rows = rank_rows(scores, owners, statistics - 0.01, 9)
    counts = Draws(2, 9).counts(0, 40)
    slopes = np.random.default_rng(1).normal(size=(40, 2))
    sums, ends = best_points(Walk.of(rows, counts), SumOfRows(slopes[:, 0], slopes))
    for each in range(40):
        sums_there, end = walked(rows, counts[each], 0.0, True, slopes[each])
        assert ends[0, each] == end
        assert np.array_equal(sums[:, 0, each], sums_there)


def test_chunks_and_batches_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rank_rows(*search(3, 5000, 40, 0, cost=3.0), 40)
    counts = Draws(1, 40).counts(0, 200)
    whole = chosen(rows, counts, 1e-12)
    monkeypatch.setattr(sweeps, "CHUNK", 37)
    monkeypatch.setattr(sweeps, "_MOST_WALKED", 100)
    alone = [chosen(rows, counts[each : each + 1], 1e-12) for each in range(200)]
    for number, parts in some(enumerate(zip(*alone, strict=True))):
        assert np.concatenate(parts).tobytes() == whole[number].tobytes()


def test_the_order_of_rows_changes_no_bit() -> None:
    columns = search(9, 3000, 25, 2, cost=3.0)
    order = np.random.default_rng(0).permutation(3000)
    counts = Draws(1, 25).counts(0, 100)
    one = chosen(rank_rows(*columns, 25), counts)
    other = chosen(rank_rows(*(column[order] for column in columns), 25), counts)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))


def test_rows_without_a_score_are_never_accepted() -> None:
    scores = np.array([0.5, np.nan, 0.9])
    rows = rank_rows(scores, np.array([0, 0, 1]), np.array([[1.0, 1], [100, 1], [-3, 1]]), 2)
    sums, ends = chosen(rows, np.array([[1.0, 1.0], [4.0, 1.0], [4.0, 0.0]]), slopes=np.array((1.0, 0.0)))
    assert ends.tolist() == [-1, 1, 1]
    assert sums.tolist() == [[0, 0], [1, 5], [4, 4]]


def test_without_rows_nothing_is_accepted() -> None:
    empty = np.empty(0)
    rows = rank_rows(empty, np.empty(0, np.int64), np.empty((0, 2)), 3)
    sums, ends = chosen(rows, np.ones((2, 3)), reject_all=False)
    assert (sums.tolist(), ends.tolist()) == ([[0, 0], [0, 0]], [-1, -1])
    rate = SumOfRows(np.ones(2), -np.ones((2, 2)))
    for sums, ends in (
        crossing_points(Walk.of(rows, np.ones((2, 3))), rate),
        hull_points(Walk.of(rows, np.ones((2, 3))), rate, -rate),
    ):
        assert (ends == -1).all()
        assert not sums.any()


def test_the_best_threshold_is_found_anew_in_each_resample() -> None:
    """Each of the 4^4 resamples of four blocks has the sum of a walk, and so has the corpus without each block."""
    rows = rank_rows(*search(2, 80, 4, 0, cost=2.0), 4)
    draws = Draws(11, 4)
    every = [np.ones(4), *draws.counts(0, 500), *(1.0 - np.eye(4))]
    value = SumOfRows(np.zeros(len(every)), np.broadcast_to(GAIN_LESS_LOSS, (len(every), 2)))
    accepted, ends = points_of_resamples(rows, draws, 500, lambda walk, part: best_points(walk, value.of(part), 4e-12))
    for each, weight in enumerate(every):
        sums, end = walked(rows, weight, 4e-12, True)
        assert ends[0, each] == end
        assert accepted[:, 0, each] == pytest.approx(sums, abs=1e-12)
    best = unstacked(value.at(accepted).T / stacked(np.ones((4, 1)), draws, 500), 500)
    assert best.bias()[0] > 0


def test_with_many_blocks_the_corpus_without_one_keeps_its_best_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "MOST_LEFT_OUT", 11)
    scores, owners, statistics = search(4, 400, 12, 0, cost=2.0)
    rows = rank_rows(scores, owners, statistics, 12)
    value = SumOfRows(np.zeros(18), np.broadcast_to(GAIN_LESS_LOSS, (18, 2)))
    accepted, ends = points_of_resamples(rows, Draws(1, 12), 5, lambda walk, part: best_points(walk, value.of(part)))
    assert set(ends[0, 6:].tolist()) == {ends[0, 0]}
    taken = scores >= rows.scores[ends[0, 0]]
    for block in range(12):
        assert accepted[:, 0, 6 + block] == pytest.approx(statistics[taken & (owners != block)].sum(axis=0))


def test_a_flat_optimum_is_told_from_a_sharp_one() -> None:
    """100 good rows stand above 100 costly rows; in the flat case, 100 rows follow that neither gain nor lose."""
    blocks = np.arange(300) % 10
    for middle, is_flat in ((-0.1, False), (-1e-9, True)):
        values = np.repeat((0.1, middle, -0.1), 100)
        rows = rank_rows(np.arange(300.0)[::-1], blocks, values[:, None], 10)
        (high, low), flat = plateau_of(rows, np.ones(1), 99, 0.5, True)
        assert flat == is_flat
        assert high >= rows.scores[99] >= low


def test_that_nothing_is_accepted_has_an_infinite_threshold() -> None:
    rows = rank_rows(np.arange(20.0), np.arange(20) % 10, np.ones((20, 1)), 10)
    accepted, ends = chosen(rows, Draws(1, 10).counts(0, 50), slopes=np.array((-1.0,)))
    assert set(ends.tolist()) == {-1}
    assert not accepted.any()
    assert plateau_of(rows, -np.ones(1), -1, 0.5, True) == ((np.inf, np.inf), False)


# -- where two rates cross ---------------------------------------------------------------------------


def trials(seed: int, number: int, blocks: int, decimals: int) -> tuple[RankedRows, Floats]:
    """Rows with the statistics hit and false alarm, and their sums by block."""
    random = np.random.default_rng(seed)
    hit = random.random(number) < 0.3
    owners, scores = random.integers(0, blocks, number), np.round(random.normal(size=number) + 1.5 * hit, decimals)
    statistics = np.column_stack((hit, ~hit)).astype(np.float64)
    by_block = [np.bincount(owners, weights=each, minlength=blocks) for each in statistics.T]
    return rank_rows(scores, owners, statistics, blocks), np.column_stack(by_block)


def rates_of(weights: Floats, by_block: Floats) -> tuple[SumOfRows, SumOfRows]:
    """Miss rate and false alarm rate of resamples."""
    hits, alarms = (weights @ by_block).T
    none = np.zeros(len(weights))
    miss = SumOfRows(none + 1, np.column_stack((-1 / hits, none)))
    return miss, SumOfRows(none, np.column_stack((none, 1 / alarms)))


@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_the_points_around_a_crossing_are_those_of_a_walk_through_all_rows(
    decimals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeps, "CHUNK", 16)
    rows, by_block = trials(3, 200, 9, decimals)
    counts = np.concatenate((Draws(5, 9).counts(0, 15), 1 - np.eye(9)))
    miss, alarm = rates_of(counts, by_block)
    around, corners = (
        crossing_points(Walk.of(rows, counts), miss - alarm),
        hull_points(Walk.of(rows, counts), miss, alarm),
    )
    for each in some(range(len(counts))):
        total = counts[each] @ by_block
        points = [
            (1 - sums[0] / total[0], sums[1] / total[1], sums, end) for sums, end in every_point(rows, counts[each])
        ]
        first = next(at for at, point in enumerate(points) if point[0] <= point[1])
        for at, point in enumerate(points[first - 1 : first + 1]):
            assert np.array_equal(around[0][:, at, each], point[2])
            assert around[1][at, each] == point[3]
        assert _on_diagonal(*[_rates(corners[0][:, at, each], total) for at in (0, 1)]) == pytest.approx(
            _hull(points), abs=1e-12
        )


def _rates(sums: Floats, total: Floats) -> tuple[float, float]:
    return 1 - sums[0] / total[0], sums[1] / total[1]


def _on_diagonal(above: tuple[float, ...], below: tuple[float, ...]) -> float:
    """Where the line between two points has equal rates."""
    part = (above[0] - above[1]) / (above[0] - above[1] + below[1] - below[0])
    return above[0] + part * (below[0] - above[0])


def _hull(points: list[tuple[Any, ...]]) -> float:
    """The least rate at which a line between any point above the diagonal and any below it has equal rates."""
    above = [each for each in points if each[0] > each[1]]
    return min(_on_diagonal(one, other) for one in above for other in points if other[0] <= other[1])


@pytest.mark.parametrize("decimals", [0, 12])
def test_a_crossing_without_each_block_is_found_by_bisection(decimals: int) -> None:
    rows, by_block = trials(4, 700, 31, decimals)
    weights = 1 - np.eye(31)
    miss, alarm = rates_of(weights, by_block)
    expected = crossing_points(Walk.of(rows, weights), miss - alarm)
    assert np.array_equal(crossing_without_blocks(rows, miss - alarm)[0], expected[0])


def test_a_row_that_raises_a_difference() -> None:
    rows = rank_rows(np.arange(4.0), np.zeros(4, np.int64), np.array([[1.0, 0], [0, -1], [1, 0], [0, 0]]), 1)
    for slopes, falls in (((-1.0, 1.0), True), ((0.0, 0.0), True), ((1.0, 1.0), False), ((-1.0, -1.0), False)):
        assert SumOfRows(np.zeros(1), np.array([slopes])).only_falls(rows) == falls
