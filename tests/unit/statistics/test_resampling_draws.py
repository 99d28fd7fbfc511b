"""Draws of blocks: the same on every machine, alone or together, in any order; sums that are the same in any order."""

from __future__ import annotations

import numpy as np
import pytest

from scorespec.statistics import Draws, block_groups, draws, replicate_sums
from scorespec.statistics.exact import exact_block_sums, exact_rows, whole_multiples


def philox(key: tuple[int, int], counter: list[int]) -> list[int]:
    """Philox-4x64-10 as Salmon et al. (2011) define it, in Python's whole numbers: four words for a counter."""
    word, (low_key, high_key) = 2**64 - 1, key
    for _ in range(10):
        first, second = 0xD2E7470EE14C6C93 * counter[0], 0xCA5A826395121157 * counter[2]
        counter = [
            (second >> 64) ^ counter[1] ^ low_key,
            second & word,
            (first >> 64) ^ counter[3] ^ high_key,
            first & word,
        ]
        low_key, high_key = (low_key + 0x9E3779B97F4A7C15) & word, (high_key + 0xBB67AE8584CAA73B) & word
    return counter


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
@pytest.mark.parametrize("replicate", [0, 1, 9_998])
def test_draws_are_those_of_the_published_generator(seed: int, replicate: int) -> None:
    words = [word for draw in range(1, 4) for word in philox((seed, 0), [draw, replicate, 0, 0])][:10]
    expected = [10 * (word >> 11) // 2**53 for word in words]
    assert Draws(seed, 10).drawn(replicate, replicate + 1)[0].tolist() == expected


def test_draws_are_pinned() -> None:
    """These numbers are in published results: they may never change."""
    assert Draws(1, 12).drawn(3, 5).tolist() == [
        [6, 11, 10, 9, 7, 10, 6, 2, 5, 8, 11, 5],
        [2, 5, 8, 5, 2, 2, 8, 0, 9, 7, 1, 8],
    ]
    assert draws.flips(1, 12, 3, 5).tolist() == [
        [0, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1],
        [1, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1],
    ]
    assert block_groups(1, 12, 4).tolist() == [3, 1, 2, 3, 0, 2, 0, 2, 1, 0, 3, 1]


def test_a_replicate_is_the_same_alone_and_among_others() -> None:
    one = Draws(3, 50)
    together = one.counts(0, 40)
    for replicate in (39, 0, 17):
        assert one.counts(replicate, replicate + 1)[0].tolist() == together[replicate].tolist()
    assert draws.flips(3, 50, 0, 40)[17].tolist() == draws.flips(3, 50, 17, 18)[0].tolist()


def test_batches_are_all_replicates_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "_AT_ONCE", 70)
    one = Draws(3, 10)
    batches = list(one.batches(23))
    assert [part.stop - part.start for part, _ in batches] == [7, 7, 7, 2]
    assert np.concatenate([counts for _, counts in batches]).tolist() == one.counts(0, 23).tolist()


def test_every_block_is_drawn_as_often_as_every_other() -> None:
    counts = Draws(1, 8).counts(0, 20_000)
    assert (counts.sum(axis=1) == 8).all()
    assert counts.mean(axis=0) == pytest.approx(np.ones(8), abs=0.03)
    assert counts.var(axis=0) == pytest.approx(np.full(8, 7 / 8), abs=0.05)
    assert draws.flips(1, 8, 0, 20_000).mean(axis=0) == pytest.approx(np.full(8, 0.5), abs=0.02)


@pytest.mark.parametrize("blocks", [1, 3, 2**31 + 1, 2**52 + 1, 2**53])
def test_the_largest_uniform_number_is_the_last_block(blocks: int) -> None:
    assert int((1 - 2.0**-53) * blocks) == blocks - 1


def test_bad_draws_are_refused() -> None:
    with pytest.raises(ValueError, match="no block"):
        Draws(1, 0)
    with pytest.raises(ValueError, match="a seed is a whole number"):
        Draws(-1, 3).drawn(0, 1)


def test_groups_are_of_equal_size() -> None:
    groups = block_groups(1, 100, 30)
    assert set(np.bincount(groups).tolist()) == {3, 4}
    assert block_groups(1, 7, 30).tolist() == list(range(7))
    assert block_groups(2, 100, 30).tolist() != groups.tolist()


def test_all_flips_are_different() -> None:
    every = draws.every_flip(5)
    assert every.shape == (32, 5)
    assert every[0].tolist() == [0] * 5
    assert len({tuple(row) for row in every.tolist()}) == 32


def test_sums_of_multiples_are_the_same_in_any_order() -> None:
    random = np.random.default_rng(1)
    values = random.lognormal(0, 5, (200, 3)) * random.choice([-1, 1], (200, 3))
    exact = exact_block_sums(values)
    assert exact == pytest.approx(values, abs=float(np.abs(values).max()) * 200 * 2.0**-52)
    counts = Draws(1, 200).counts(0, 100)
    forwards = np.array([sum((row[:, None] * exact)[order] for order in range(200)) for row in counts])
    assert (counts @ exact).tobytes() == forwards.tobytes() == (counts[:, ::-1].copy() @ exact[::-1].copy()).tobytes()


def test_replicates_do_not_depend_on_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    sums = np.random.default_rng(1).normal(size=(60, 5))
    whole = replicate_sums(sums, Draws(1, 60), 300)
    monkeypatch.setattr(draws, "_AT_ONCE", 61)
    assert replicate_sums(sums, Draws(1, 60), 300).tobytes() == whole.tobytes()


def test_whole_numbers_stay_as_they_are() -> None:
    counts = np.random.default_rng(1).integers(0, 10**9, (1000, 2)).astype(np.float64)
    assert exact_block_sums(counts).tolist() == counts.tolist()
    assert whole_multiples(np.zeros(3), 0.0).tolist() == [0, 0, 0]


def test_rows_have_the_same_multiples_in_any_order() -> None:
    """Blocks of 3/3 and of 1/2 + 1/3 + 1/6: in some orders their sums round to less than 1."""
    random = np.random.default_rng(1)
    values = np.tile([1 / 3, 1 / 3, 1 / 3, 1 / 2, 1 / 3, 1 / 6, 0.1], 100)[:, None]
    blocks = np.tile([0, 0, 0, 1, 1, 1, 2], 100)
    exact = exact_rows(values, blocks, 3)
    for _ in range(20):
        order = random.permutation(700)
        assert exact_rows(values[order], blocks[order], 3).tobytes() == exact[order].tobytes()


def test_an_infinite_statistic_is_refused() -> None:
    with pytest.raises(ValueError, match="must be finite"):
        exact_block_sums(np.array([[1.0], [np.inf]]))
