"""A small version of `make simulate`: intervals cover, tests keep their size and have their power."""

from __future__ import annotations

import pytest

from simulations.populations import Cell, coverage, findings


@pytest.mark.parametrize("blocks", [20, 50])
@pytest.mark.parametrize("correlation", [0.0, 0.3])
def test_intervals_of_mild_lengths_cover_as_often_as_they_say(blocks: int, correlation: float) -> None:
    covered, effective = coverage(Cell(blocks, "lognormal .3", correlation), 500, 999)
    assert 0.92 <= covered <= 0.97
    assert 0.8 * blocks < effective < blocks


def test_intervals_of_zipf_lengths_cover_too_rarely() -> None:
    """The reason for the effective number of blocks: 20 blocks with Zipf's lengths count as 8."""
    covered, effective = coverage(Cell(20, "Zipf", 0.3), 300, 999)
    assert covered < 0.92
    assert effective < 10


def test_tests_keep_their_size() -> None:
    swapped, resampled, corrected, level = findings(Cell(20, "lognormal .3", 0.1), 1_000, 499)
    assert level == pytest.approx(0.05)
    assert 0.03 <= swapped <= 0.07
    assert 0.03 <= corrected <= 0.07
    assert corrected < resampled


def test_tests_have_the_power_of_the_normal_approximation() -> None:
    *found, expected = findings(Cell(50, "lognormal .3", 0.1), 500, 499, 0.02)
    assert 0.5 < expected < 0.95
    assert found == pytest.approx([expected] * 3, abs=0.06)
