"""Intervals of the least cost of a calibration: the costs of blocks, and resamples that are fitted again."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

import scorespec
import toy
from marks import first, slow, some
from scorespec.core.arrays import Floats
from scorespec.intervals import run_intervals as intervals
from scorespec.statistics import Draws, Resampled, bca_interval, resample
from simulations import fits

FILES, PRIOR = 30, fits.PRIOR
FIT = """
domain: toy
relations:
  tries:
    about: Each answer, and whether it is right.
    needs: [answers]
    sql: SELECT file, speaker, score, said = wanted AS good FROM {{ answers }}
    columns: {file: name of the recording, speaker: who speaks, score: how sure, good: is it right}
metrics:
  own:
    about: a metric of a test
    kind: fit
    better: lower
    from: tries
    score: score
    positives: count_if(good)
    negatives: count_if(NOT good)
    prior: PRIOR
    components:
      {value: "ratio(cost, prior_cost)", gamma: slope, delta: shift, share: "ratio(positives, negatives)"}
    groups: [[speaker]]
suites: {fitted_quiz: {extends: quiz, about: "answers of systems, which may differ", submitted: [answers]}}
"""
Try = tuple[int, float, bool]  # file, score, is it right


def tries(seed: int = 1) -> list[Try]:
    dice = random.Random(seed)
    found = []
    for at in range(FILES * 12):
        right = dice.random() < 0.4
        found.append((at % FILES, round(dice.gauss(right + 0.4 * math.sin(at % FILES), 1), 2), right))
    return found


def scored(tmp_path: Path, rows: list[Try], prior: str = str(PRIOR)) -> scorespec.Run:
    own = tmp_path / "own.yaml"
    own.write_text(FIT.replace("PRIOR", f'"{prior}"'), encoding="utf-8")
    answers = [
        (f"f{file:02}", f"t{at % 2}", "i", "a" if right else "b", "a", score)
        for at, (file, score, right) in enumerate(rows)
    ]
    return scorespec.score(
        "fitted_quiz", specs=[toy.TOY, own], metrics=["own"], answers=toy.rows("answers", answers), confidence=95
    )


def ends(run: scorespec.Run, component: str = "value", **slice_: str) -> tuple[float | None, float | None]:
    (row,) = (row for row in run["own"].table() if (row["component"], row["slice"]) == (component, slice_))
    return row["low"], row["high"]


def columns(rows: list[Try]) -> tuple[np.ndarray, Floats, np.ndarray]:  # type: ignore[type-arg]
    files, scores, right = zip(*rows, strict=True)
    return np.array(files), np.array(scores), np.array(right)


def cost(line: Floats, scores: Floats, right: Floats, weight: Floats) -> float:
    """The normalised cost of slope · score + intercept, which are log odds."""
    odds = line[0] * scores + line[1]
    total = PRIOR * np.average(np.logaddexp(0, -odds)[right], weights=weight[right])
    total += (1 - PRIOR) * np.average(np.logaddexp(0, odds)[~right], weights=weight[~right])
    return float(total / -(PRIOR * math.log(PRIOR) + (1 - PRIOR) * math.log(1 - PRIOR)))


def class_cost(sums: Floats) -> Floats:
    """The normalised cost, from the sums of the costs and of the numbers of rows of either class."""
    means = sums[..., 0::2] / sums[..., 1::2]
    entropy = -(PRIOR * math.log(PRIOR) + (1 - PRIOR) * math.log(1 - PRIOR))
    return np.asarray((means * (PRIOR, 1 - PRIOR)).sum(axis=-1, keepdims=True) / entropy)


def fitted(scores: Floats, right: Floats, weight: Floats) -> Floats:
    found = minimize(cost, np.array([1.0, -1.0]), (scores, right, weight), method="BFGS", options={"gtol": 1e-8})
    return np.asarray(found.x)


def test_the_interval_is_that_of_block_costs_at_the_calibration_of_all_rows(tmp_path: Path) -> None:
    rows = tries()
    run = scored(tmp_path, rows)
    for slice_, own in (({}, rows), ({"speaker": "t1"}, rows[1::2])):
        files, scores, right = columns(own)
        line = fitted(scores, right, np.ones(len(own)))
        bits = np.logaddexp(0, np.where(right, -1, 1) * (line[0] * scores + line[1]))
        rows_of_blocks = np.stack((right * bits, right, ~right * bits, ~right), axis=1)
        sums = np.array([rows_of_blocks[files == file].sum(axis=0) for file in range(FILES)])
        found = bca_interval(resample(sums, class_cost, Draws(0, FILES)))
        assert ends(run, **slice_) == pytest.approx((found.low, found.high), rel=1e-5)
    assert run.value("own") == pytest.approx(
        cost(fitted(*columns(rows)[1:], np.ones(len(rows))), *columns(rows)[1:], np.ones(len(rows)))
    )


def test_resamples_that_are_fitted_again_have_the_same_spread(tmp_path: Path) -> None:
    rows = tries()
    low, high = ends(scored(tmp_path, rows))
    files, scores, right = columns(rows)
    refitted = [
        cost(fitted(scores, right, counts[files]), scores, right, counts[files])
        for counts in Draws(0, FILES).counts(0, 100)
    ]
    assert low is not None
    assert high is not None
    # Student's t with 29 degrees of freedom, widened as for 30 blocks; 100 resamples know the error to 7 %.
    assert high - low == pytest.approx(2 * 2.045 * math.sqrt(30 / 29) * np.std(refitted, ddof=1), rel=0.2)


def test_calibrations_have_the_intervals_of_resamples_that_are_fitted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same resamples are fitted again. They differ by terms of third order, which fewer rows make larger."""
    monkeypatch.setattr(intervals, "REPLICATES", 999)
    rows = tries()
    run = scored(tmp_path, rows)
    weights = np.concatenate((np.ones((1, FILES)), Draws(0, FILES).counts(0, 999), 1 - np.eye(FILES)))
    for slice_, own, rounding in (({}, rows, 0.02), ({"speaker": "t1"}, rows[1::2], 0.05)):
        files, scores, right = columns(own)
        lines = fits.fitted(scores, right, weights[:, files])
        refitted = Resampled(*np.split(lines - [0, fits.LOG_ODDS], (1, 1_000)))
        refitted = Resampled(refitted.value[0], refitted.replicates, refitted.left_out)
        derived = fits.resampled(fits.derivatives(files, scores, right, lines[0]), lines[0], Draws(0, FILES), 999)
        for at, component in enumerate(("gamma", "delta")):
            found = ends(run, component, **slice_)
            by_derivatives, again = bca_interval(derived, at), bca_interval(refitted, at)
            assert found == pytest.approx((by_derivatives.low, by_derivatives.high), rel=1e-6)
            assert again.low is not None
            assert again.high is not None
            assert found == pytest.approx((again.low, again.high), abs=rounding * (again.high - again.low))


def test_calibrations_of_the_population_are_in_their_intervals_as_often_as_said() -> None:
    for part in some(fits.covered(30, 0.4, 150, 299, population=2_000)):
        assert 0.88 <= part <= 0.99


SEPARATED = [(at % FILES, 2.0 if at % 3 else 1.0, bool(at % 3)) for at in range(120)]
CASES = {
    "separated": SEPARATED,
    "touching": [*SEPARATED, *((at % FILES, 2.0, False) for at in range(40, 47))],
    "constant": [(file, 0.5, right) for file, _, right in tries()],
    "flattened": [*((file, -score, right) for file, score, right in tries()), (1, math.inf, True)],
    "contradictory": [*tries(), (0, math.inf, False), (1, -math.inf, False)],
    "infinite on the right side": [*tries(), (0, math.inf, True), (1, -math.inf, False)],
}


@pytest.mark.parametrize(
    ("case", "prior"),
    first([*((case, str(PRIOR)) for case in CASES), ("flattened", "ratio(positives, positives + negatives)")], 1),
)
def test_limits_without_a_calibration_have_intervals(case: str, prior: str, tmp_path: Path) -> None:
    """The costs of all blocks give the score itself, also where no slope is best."""
    run = scored(tmp_path, CASES[case], prior)
    low, high = ends(run)
    assert (None in ends(run, "gamma")) == (case != "infinite on the right side")
    if case in ("separated", "contradictory"):  # the same in every resample
        assert (low, high) == (None, None)
    elif case != "constant" or low is not None:
        assert low is not None
        assert high is not None
        assert low - 1e-9 <= run.value("own") <= high + 1e-9
        assert low < high


@slow
def test_costs_of_two_systems_are_compared_by_the_bootstrap(tmp_path: Path) -> None:
    """Each system has a calibration of its own, so that the costs of their blocks cannot be swapped."""
    runs = [scored(tmp_path, tries(seed)) for seed in (1, 2)]
    (row,) = scorespec.compare(*runs, metrics="own.value")
    difference = row.value_b - row.value_a
    assert (row.method, row.difference, row.blocks) == ("bootstrap", difference, FILES)
    assert row.low < difference < row.high
    assert 0 < row.p <= 1
