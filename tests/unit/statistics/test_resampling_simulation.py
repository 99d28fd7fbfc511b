"""A small version of `make simulate`: intervals cover, tests and gates keep their size and have their power."""

from __future__ import annotations

from pathlib import Path

import pytest

from marks import first
from scorespec.comparison.targets import FAILS, HOLDS, UNDECIDED
from scorespec.statistics import nearest_population
from scorespec.statistics.confidence import simulated
from simulations.gates import LIMIT, detectable, systems, verdicts
from simulations.populations import CELLS, Cell, coverage, coverage_table, findings, rate

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("blocks", first([20, 50]))
@pytest.mark.parametrize("correlation", first([0.0, 0.3]))
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
    swapped, resampled, corrected, without, level = findings(Cell(20, "lognormal .3", 0.1), 1_000, 499)
    assert level == pytest.approx(0.05)
    assert 0.03 <= swapped <= 0.07
    assert 0.03 <= corrected <= 0.07
    assert corrected < resampled
    assert 0.03 <= without <= 0.07


def test_tests_have_the_power_of_the_normal_approximation() -> None:
    *found, expected = findings(Cell(50, "lognormal .3", 0.1), 500, 499, 0.02)
    assert 0.5 < expected < 0.95
    assert found == pytest.approx([expected] * 4, abs=0.06)


def test_the_page_has_the_table_that_warnings_quote() -> None:
    """Both are made by `make simulate`, of the populations that the script has."""
    assert [(each.blocks, each.lengths, each.correlation) for each in simulated()] == [
        (cell.blocks, cell.lengths, cell.correlation) for cell in CELLS
    ]
    assert "\n".join(coverage_table(simulated())) in (DOCS / "simulations.md").read_text(encoding="utf-8")


def test_mild_lengths_are_covered_in_92_to_97_per_cent() -> None:
    mild = [each.covered for each in simulated() if each.blocks >= 20 and each.lengths in ("equal", "lognormal .3")]
    assert len(mild) == 18
    assert all(0.92 <= covered <= 0.97 for covered in mild)


@pytest.mark.parametrize(
    ("blocks", "effective", "lengths", "nearest"),
    [(18, 7.5, "Zipf", 20), (12, 11.0, "equal", 10), (300, 20, "Zipf", 200), (20, 13, "lognormal .8", 20)],
)
def test_a_warning_quotes_the_nearest_population(blocks: int, effective: float, lengths: str, nearest: int) -> None:
    found = nearest_population(blocks, effective)
    assert (found.lengths, found.blocks) == (lengths, nearest)
    alike = [each.covered for each in simulated() if (each.lengths, each.blocks) == (lengths, nearest)]
    assert found.covered == min(alike)


def test_a_gate_fails_rarely_if_the_true_difference_is_the_limit() -> None:
    """A two-sided interval of 95 % lies beyond the limit in 2.5 % of pairs; with 2,000 pairs, the error is 0.35 %."""
    found = verdicts(Cell(50, "lognormal .3", 0.1), 2_000, 499, LIMIT)
    assert 0.015 <= found[FAILS] / 2_000 <= 0.04
    assert found[UNDECIDED] > 0.9 * 2_000


def test_a_gate_finds_large_losses_and_holds_for_equal_systems() -> None:
    cell, more = Cell(200, "lognormal .3", 0.0), detectable(200)
    assert 0.6 <= verdicts(cell, 300, 499, LIMIT + more)[FAILS] / 300 <= 0.9
    assert verdicts(cell, 300, 499, LIMIT - 2 * more)[HOLDS] > 0.95 * 300


def test_the_second_system_is_worse_by_the_loss_that_is_stated() -> None:
    first, second, _ = systems(Cell(200, "lognormal .3", 0.3), 1_000, 0.05, seed=1)
    difference = rate(second.sum(axis=0)) - rate(first.sum(axis=0))
    assert difference.mean() == pytest.approx(0.05, abs=4 * difference.std() / 1_000**0.5)
