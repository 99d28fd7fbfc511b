"""Times intervals, tests and leaderboards, without scoring.

make bench-resampling
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy as np
from searches import write_search

import scorespec
from scorespec.core.arrays import Floats
from scorespec.statistics import (
    Draws,
    SumOfRows,
    bca_interval,
    best_points,
    crossing_points,
    pairwise_max_t,
    points_of_resamples,
    randomisation_tests,
    rank_rows,
    resample,
    stacked,
    standings,
    unstacked,
)


def _ratio(sums: Floats) -> Floats:
    values: Floats = sums[..., 0] / sums[..., 1]
    return values


def _systems(blocks: int, *systems: int) -> Floats:
    """Errors and units: blocks × systems × statistics."""
    random = np.random.default_rng(1)
    units = random.integers(50, 150, blocks).astype(np.float64)
    errors = random.poisson(0.2 * units, (*systems, blocks)).T
    return np.stack((errors, np.broadcast_to(units[:, None], errors.shape)), axis=-1).astype(np.float64)


def intervals_of_two() -> None:
    """Intervals of two systems and of their difference, and their randomisation test."""
    made = resample(_systems(1_000, 2), _ratio, Draws(1, 1_000), 10_000)
    assert all(bca_interval(made, system).note is None for system in (0, 1))


def randomisation_of_two() -> None:
    """The randomisation test of two systems."""
    sums = _systems(1_000, 2)
    assert randomisation_tests(sums[:, :1], sums[:, 1:], _ratio, 1, 10_000).p.shape == (1,)


def _sweep(false_alarms: float) -> Callable[[], None]:
    def sweep() -> None:
        random, blocks, number = np.random.default_rng(1), 500, 1_000_000
        hit = random.random(number) >= false_alarms
        owners = random.integers(0, blocks, number)
        found = np.bincount(owners[hit], minlength=blocks) + 1
        gain, loss = hit / found[owners], ~hit / (72_000 - found[owners])
        cost = 999.9 if false_alarms > 0.9 else found.mean() ** -1 * 72_000
        scores = random.normal(size=number) + (2.5 * hit if false_alarms > 0.9 else 0)
        rows = rank_rows(scores, owners, np.column_stack((gain, loss)), blocks)
        draws, replicates = Draws(1, blocks), 1_999
        slopes = np.array((1.0, -cost)) / stacked(np.ones((blocks, 1)), draws, replicates)
        value = SumOfRows(np.zeros(len(slopes)), slopes)
        accepted, _ = points_of_resamples(
            rows, draws, replicates, lambda walk, part: best_points(walk, value.of(part), 1e-12)
        )
        assert bca_interval(unstacked(value.at(accepted).T, replicates)).low is not None

    return sweep


def crossing() -> None:
    """Where miss rate and false alarm rate cross."""
    random, blocks, number = np.random.default_rng(1), 500, 1_000_000
    hit, owners = random.random(number) < 0.05, random.integers(0, 500, number)
    rows = rank_rows(random.normal(size=number) + 3 * hit, owners, np.column_stack((hit, ~hit)).astype(float), blocks)
    draws, replicates = Draws(1, blocks), 1_999
    by_block = np.column_stack([np.bincount(owners[each], minlength=blocks) for each in (hit, ~hit)])
    totals = stacked(by_block.astype(float), draws, replicates)
    difference = SumOfRows(np.ones(len(totals)), -1 / totals)
    accepted, _ = points_of_resamples(
        rows, draws, replicates, lambda walk, part: crossing_points(walk, difference.of(part))
    )
    assert np.diff(difference.at(accepted) > 0, axis=0).all()


def leaderboard() -> None:
    """All pairs of 100 systems in 10 metrics, 1,999 replicates of 200 blocks, corrected, with rank intervals."""
    made = resample(_systems(200, 1_000), _ratio, Draws(1, 200), 1_999)
    for metric in range(10):
        part = slice(100 * metric, 100 * metric + 100)
        p = pairwise_max_t(made.value[part], np.ascontiguousarray(made.replicates[:, part].T), 200)
        assert len(standings(made.value[part], p)) == 100


def stored_leaderboard(results: Path) -> None:
    """All pairs of the runs of a results database in 10 scores."""
    names = (
        "atwv p_miss p_fa upper_bound_twv supremum_twv bayes_twv cost.c_norm cnxe.value min_cnxe.value calibration_loss"
    )
    assert len(scorespec.leaderboard(results, metrics=names.split())) == 1_000


def stored_comparison(results: Path) -> None:
    """Two runs of a results database in all scores."""
    assert len(scorespec.compare(1, 2, results=results)) > 10


def write_results(results: Path) -> None:
    """A results database with 100 runs: the first is scored, the others have its block sums, changed at random."""
    inputs = write_search(3_000, 200, 10, results.parent, ".parquet")
    scorespec.score("std2006", inputs=inputs, output=results, name="system 0")
    with duckdb.connect(str(results)) as connection:
        connection.execute("CREATE TEMP TABLE others AS SELECT other FROM range(1, 100) AS numbers(other)")
        changed = "list_transform(map_entries(statistics), lambda each: {'key': each.key, 'value': each.value * less})"
        for table, change in (
            ("runs", "id + other AS id, 'system ' || other AS name"),
            ("scores", "run + other AS run"),
            ("resampled", "run + other AS run"),
            ("block_sums", f"run + other AS run, map_from_entries({changed}) AS statistics"),
        ):
            rows = f"SELECT *, 1 - random() * other / 1000 AS less FROM {table}, others"
            connection.execute(f"INSERT INTO {table} SELECT * EXCLUDE (other, less) REPLACE ({change}) FROM ({rows})")


TASKS: tuple[tuple[str, str, Callable[[], None]], ...] = (
    ("intervals", "10,000 replicates × 1,000 blocks × 2 systems", intervals_of_two),
    ("randomisation test", "10,000 replicates × 1,000 blocks × 2 systems", randomisation_of_two),
    ("best threshold", "1,000,000 detections × 1,999 replicates, 500 blocks", _sweep(0.99)),
    ("best threshold", "the same, hits and false alarms in balance", _sweep(0.5)),
    ("equal error rate", "1,000,000 trials × 1,999 replicates, 500 blocks", crossing),
    ("leaderboard", "100 systems × 10 metrics, all pairs, 1,999 replicates", leaderboard),
)


STORED = (
    ("leaderboard", "100 runs × 10 scores of a results database, 200 queries", stored_leaderboard),
    ("comparison", "2 runs × 15 scores of a results database, 200 queries", stored_comparison),
)


def main() -> None:
    """Print the seconds and processor seconds of each task."""
    with TemporaryDirectory() as folder:
        results = Path(folder) / "results.duckdb"
        write_results(results)
        _time([*TASKS, *((name, size, partial(task, results)) for name, size, task in STORED)])


def _time(tasks: Iterable[tuple[str, str, Callable[[], None]]]) -> None:
    for name, size, task in tasks:
        wall, processor = time.perf_counter(), time.process_time()
        task()
        spent = time.perf_counter() - wall, time.process_time() - processor
        print(" | ".join([name, size, *(f"{each:.1f}" for each in spent)]), flush=True)


if __name__ == "__main__":
    main()
