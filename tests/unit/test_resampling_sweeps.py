"""The best threshold of each resample against a walk through all rows."""

from __future__ import annotations

import numpy as np
import pytest

from scorespec.core.arrays import Floats, Ints
from scorespec.statistics import (
    Draws,
    RankedRows,
    best_of_resamples,
    best_thresholds,
    plateau_of,
    rank_rows,
    stacked,
    sweeps,
    unstacked,
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


def test_the_best_threshold_is_found_anew_in_each_resample() -> None:
    """Each of the 4^4 resamples of four blocks has the sum of a walk, and so has the corpus without each block."""
    rows = rank_rows(*search(2, 80, 4, 0, cost=2.0), 4)
    draws = Draws(11, 4)
    every = [np.ones(4), *draws.counts(0, 500), *(1.0 - np.eye(4))]
    accepted, ends = best_of_resamples(rows, draws, 500, np.full(len(every), 4e-12))
    for each, weight in enumerate(every):
        _, end, sums = walked(rows, weight, 4e-12, True)
        assert ends[each] == end
        assert accepted[each] == pytest.approx(sums, abs=1e-12)
    best = unstacked(accepted @ [[1.0], [-1.0]] / stacked(np.ones((4, 1)), draws, 500), 500)
    assert best.bias()[0] > 0


def test_with_many_blocks_the_corpus_without_one_keeps_its_best_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "MOST_LEFT_OUT", 11)
    scores, owners, values, statistics = search(4, 400, 12, 0, cost=2.0)
    rows = rank_rows(scores, owners, values, statistics, 12)
    accepted, ends = best_of_resamples(rows, Draws(1, 12), 5, np.zeros(18))
    assert set(ends[6:].tolist()) == {ends[0]}
    taken = scores >= rows.scores[ends[0]]
    for block in range(12):
        assert accepted[6 + block] == pytest.approx(statistics[taken & (owners != block)].sum(axis=0))


def test_a_flat_optimum_is_told_from_a_sharp_one() -> None:
    """100 good rows stand above 100 costly rows; in the flat case, 100 rows follow that neither gain nor lose."""
    blocks = np.arange(300) % 10
    for middle, is_flat in ((-0.1, False), (-1e-9, True)):
        values = np.repeat((0.1, middle, -0.1), 100)
        rows = rank_rows(np.arange(300.0)[::-1], blocks, values, values[:, None], 10)
        (high, low), flat = plateau_of(rows, 99, 0.5, True)
        assert flat == is_flat
        assert high >= rows.scores[99] >= low


def test_that_nothing_is_accepted_has_an_infinite_threshold() -> None:
    rows = rank_rows(np.arange(20.0), np.arange(20) % 10, np.full(20, -1.0), np.ones((20, 1)), 10)
    accepted, ends = best_of_resamples(rows, Draws(1, 10), 50, np.zeros(61))
    assert set(ends.tolist()) == {-1}
    assert not accepted.any()
    assert plateau_of(rows, -1, 0.5, True) == ((np.inf, np.inf), False)
