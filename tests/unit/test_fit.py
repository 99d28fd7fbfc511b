"""The least logistic cost over the toy domain, against a minimiser of scipy and limits worked out by hand."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import toy
from marks import first
from scorespec.errors import ScorespecError, SpecError
from scorespec.plan.kinds.fit import Minimum

INF = math.inf
FIT = """
relations:
  tries:
    about: Each answer with its weight; `said` is the weight, `wanted` the class.
    needs: [answers]
    sql: >
      SELECT file, speaker, item, score, said::DOUBLE AS weight, wanted = 'yes' AS yes
      FROM {{ answers }}
    columns: {file: name, speaker: who speaks, item: what, score: how sure, weight: how often, yes: the class}
metrics:
  own:
    about: a metric of a test
    kind: fit
    from: tries
    score: score
    positives: exact_sum(if(yes, weight, 0))
    negatives: exact_sum(if(yes, 0, weight))
    prior: "{prior}"
    components: {value: "ratio(cost, prior_cost)", gamma: slope, delta: shift}
"""

Try = tuple[float, float, bool]  # score, weight, is it a positive


def rows(tries: Sequence[Try], speaker: str = "t") -> list[toy.Row]:
    return [
        (f"f{n % 2}", speaker, "i", repr(weight), "yes" if yes else "no", score)
        for n, (score, weight, yes) in enumerate(tries)
    ]


def fit(tries: Sequence[Try], prior: float = 0.3) -> tuple[float | None, float | None, float | None, set[str]]:
    run = toy.score(FIT.replace("{prior}", repr(prior)), metrics=["own"], answers=rows(tries))
    found = toy.values(run, "own")
    return found["value",], found["gamma",], found["delta",], set(toy.notes(run, "own").values())


def cost(line: Sequence[float], tries: Sequence[Try], prior: float) -> float:
    """The normalised cost of slope * score + shift."""
    score, weight, yes = (np.array(column) for column in zip(*tries, strict=True))
    odds = line[0] * score + line[1] + math.log(prior / (1 - prior))
    total = prior * np.average(np.logaddexp(0, -odds)[yes], weights=weight[yes])
    total += (1 - prior) * np.average(np.logaddexp(0, odds)[~yes], weights=weight[~yes])
    return float(total / -(prior * math.log(prior) + (1 - prior) * math.log(1 - prior)))


def least(tries: Sequence[Try], prior: float) -> float:
    """What scipy finds, of several starts."""
    starts = ((0.0, 0.0), (1.0, 0.0), (-1.0, 0.0))
    return min(
        float(minimize(cost, start, (tries, prior), "Nelder-Mead", tol=1e-13, options={"maxiter": 4000}).fun)
        for start in starts
    )


def drawn(seed: int, n: int, apart: float, rounded: int | None = None) -> list[Try]:
    dice = random.Random(seed)
    made = []
    for at in range(n):
        yes = at % 3 == 0
        score = dice.gauss(apart if yes else 0, 1)
        made.append((score if rounded is None else round(score, rounded), dice.choice((1.0, 0.5, 7.25)), yes))
    return made


@pytest.mark.parametrize("prior", first([0.3, 0.0148, 1e-4, 0.9]))
@pytest.mark.parametrize(
    ("seed", "apart", "rounded"), first([(1, 1.0, None), (2, -2.0, None), (3, 0.1, 0), (4, 3.0, 1)], 2)
)
def test_the_least_cost_is_that_of_scipy(seed: int, apart: float, rounded: int | None, prior: float) -> None:
    tries = drawn(seed, 90, apart, rounded)
    value, gamma, delta, notes = fit(tries, prior)
    assert value is not None
    assert gamma is not None
    assert delta is not None
    assert value == pytest.approx(cost((gamma, delta), tries, prior), rel=1e-11)
    assert value == pytest.approx(least(tries, prior), rel=1e-9)
    assert notes == ({"inverted scores"} if gamma < 0 else set())
    shuffled = random.Random(seed).sample(tries, len(tries))
    assert fit(shuffled, prior) == (value, gamma, delta, notes)


@pytest.mark.parametrize("apart", first([1.0, -0.2]))
def test_many_scores_which_begin_at_a_guess_from_bins(apart: float) -> None:
    tries = drawn(11, 6000, apart)
    found = fit(tries)
    assert found[0] == pytest.approx(least(tries, 0.3), rel=1e-9)
    assert fit(random.Random(11).sample(tries, len(tries))) == found


def test_a_guess_from_one_bin_is_no_worse_than_none() -> None:
    """A score so far away that all the others are in one bin; how far changes nothing."""
    tries = drawn(12, 6000, 1.0)
    near, far = (fit([*tries, (floor, 1.0, False)])[0] for floor in (-1e3, -1e9))
    assert far == pytest.approx(near, rel=1e-9)


def test_nearly_all_scores_are_a_floor() -> None:
    """Measured in units of the standard deviation after the first step, the highest score is thousands."""
    points = """
        0.2 13 33407; 0.3 0 2; 0.31 0 1; 0.35 2 0; 0.4 3 0; 0.44 0 1; 0.45 0 2; 0.5 4 7; 0.52 1 0; 0.55 3 1;
        0.6 4 2; 0.65 0 2; 0.66 1 0; 0.7 6 1; 0.701 1 0; 0.75 0 1; 0.8 4 4; 0.87 1 0; 0.9 9 0; 0.95 2 1;
        0.96 0 1; 0.97 0 1; 0.98 0 1; 0.99 0 1
    """
    tries: list[Try] = []
    for point in points.split(";"):  # a score, the number of positives, that of negatives
        score, *numbers = map(float, point.split())
        tries += [(score, number, yes) for number, yes in zip(numbers, (True, False), strict=True) if number]
    for prior in (0.0147805, 1e-4):
        value, gamma, delta, _ = fit(tries, prior)
        assert value == pytest.approx(least(tries, prior), rel=1e-9)
        assert gamma is not None
        assert delta is not None
        assert derivatives((gamma, delta), tries, prior) == pytest.approx((0, 0), abs=1e-9)


CERTAIN = [(-5.2272, 1, True), (-5.2272, 11_992, False)] + [
    (score, 1, score > 0) for score in (-1.7271, -0.6335, -0.2508, 0.0765, 1.6671, 2.5585, 2.5697)
]


def test_a_step_that_is_far_too_long() -> None:
    """Where the first step leads, all scores but the floor are certain, and the paraboloid is nearly flat."""
    value, gamma, delta, notes = fit(CERTAIN, 0.0147805)
    assert value == pytest.approx(least(CERTAIN, 0.0147805), rel=1e-9)
    assert gamma is not None
    assert delta is not None
    assert derivatives((gamma, delta), CERTAIN, 0.0147805) == pytest.approx((0, 0), abs=1e-9)
    assert notes == set()


def test_a_fit_that_ends_too_early_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a step that increases the cost were not tried again."""
    sql = Minimum.sql
    monkeypatch.setattr(Minimum, "sql", lambda self, place: sql(self, place).replace("length < 1e-30", "length < 1"))
    value, *_, notes = fit(CERTAIN, 0.0147806)
    assert value is not None
    assert value > least(CERTAIN, 0.0147806) + 1e-3
    assert notes == {"not settled: even short steps increase the cost"}


def test_the_example_of_the_template() -> None:
    value, slope, shift, _ = fit([(-1, 0.1, True), (-1, 0.4, False), (1, 0.4, True), (1, 0.1, False)], prior=0.5)
    entropy = -(0.8 * math.log2(0.8) + 0.2 * math.log2(0.2))
    assert value == pytest.approx(entropy, abs=1e-12)
    assert (slope, shift) == pytest.approx((math.log(4), 0), abs=1e-9)


def derivatives(line: Sequence[float], tries: Sequence[Try], prior: float) -> tuple[float, float]:
    """The derivatives of the cost, in units of the entropy of the prior, by shift and by slope."""
    score, weight, yes = (np.array(column) for column in zip(*tries, strict=True))
    share = np.where(yes, prior * weight / weight[yes].sum(), (1 - prior) * weight / weight[~yes].sum())
    odds = line[0] * score + line[1] + math.log(prior / (1 - prior))
    residual = share * np.where(yes, -1 / (1 + np.exp(odds)), 1 / (1 + np.exp(-odds)))
    entropy = -(prior * math.log(prior) + (1 - prior) * math.log(1 - prior))
    return float(residual.sum() / entropy), float((residual * score).sum() / entropy)


def fits(parts: dict[str, list[Try]], prior: float) -> dict[str, tuple[float, float]]:
    """The slope and shift of each speaker whose classes are not separated."""
    answers = [row for speaker, tries in parts.items() for row in rows(tries, speaker)]
    run = toy.score(FIT.replace("{prior}", repr(prior)), metrics=["own"], by=["speaker"], answers=answers)
    found = toy.values(run, "own")
    lines = {speaker: tuple(found[name, ("speaker", speaker)] for name in ("gamma", "delta")) for speaker in parts}
    return {speaker: (gamma, delta) for speaker, (gamma, delta) in lines.items() if gamma and delta is not None}


def test_the_derivatives_are_0_at_the_minimum() -> None:
    parts = {f"t{seed}": drawn(seed, 30, 1 + seed % 3) for seed in range(150)}
    found = fits(parts, 0.3)
    steepest = max(abs(each) for speaker, line in found.items() for each in derivatives(line, parts[speaker], 0.3))
    assert 0 < steepest < 1e-9
    assert len(found) > 100


def test_the_derivatives_are_0_above_a_floor() -> None:
    """The floor has from half to nearly all of the weight."""
    dice, prior = random.Random(1), 0.0147
    parts: dict[str, list[Try]] = {}
    for number in range(40):
        floor, spread = dice.choice([-5.2, 0.0, -1e3]), dice.choice([0.1, 1.0, 1e3])
        above = [(round(dice.gauss(spread * yes, spread), 3), 1, yes) for yes in dice.choices([True, False], k=15)]
        parts[f"t{number}"] = [
            (floor, dice.choice([1, 13]), True),
            (floor, dice.choice([10, 33_407, 5e6]), False),
            *above,
        ]
    found = fits(parts, prior)
    for speaker, line in found.items():
        by_shift, by_slope = derivatives(line, parts[speaker], prior)
        assert abs(by_shift) < 1e-9
        assert abs(by_slope) < 1e-9 * max(abs(score) for score, _, _ in parts[speaker])
    assert len(found) == len(parts)


def test_the_smallest_prior() -> None:
    """Sums are in units of 2^-60. Few digits are left of a prior of 1e-14, but the slope is found."""
    parts = {f"t{seed}": drawn(seed, 30, 1.5) for seed in range(20)}
    usual, smallest = (fits(parts, prior) for prior in (0.3, 1e-14))
    assert smallest.keys() == usual.keys()


@pytest.mark.parametrize(
    ("scale", "offset"), first([(1e12, 0.0), (1e-9, 0.0), (1.0, 1e6), (-3.0, 2.0), (1e150, 0.0)], 2)
)
def test_the_value_is_that_of_any_line_of_the_scores(scale: float, offset: float) -> None:
    tries = drawn(7, 60, 1.5)
    plain, gamma, _, _ = fit(tries)
    value, other, _, _ = fit([(scale * score + offset, weight, yes) for score, weight, yes in tries])
    assert value == pytest.approx(plain, rel=1e-9)
    assert gamma is not None
    assert other == pytest.approx(gamma / scale, rel=1e-4)


@pytest.mark.parametrize("floor", first([-40.0, -99_999.0, -1e10, -1e100], 2))
def test_a_far_floor_that_most_scores_have(floor: float) -> None:
    """As when whatever was not found has one low score: both classes are there."""
    tries = [*drawn(8, 60, 2.0), (floor, 1000.0, False), (floor, 3.0, True)]
    value, _, _, _ = fit(tries)
    # At a floor as far, the rest is a shift that only the floor's own odds would tell: flat slopes are best, or a jump.
    scaled = [((score if score != floor else -40.0), weight, yes) for score, weight, yes in tries]
    assert value is not None
    if floor == -40.0:
        assert value == pytest.approx(least(scaled, 0.3), rel=1e-8)
    else:
        level = fit([((0.0 if score != floor else -1.0), weight, yes) for score, weight, yes in tries])[0]
        assert value <= level + 1e-9  # type: ignore[operator]


def test_a_far_floor_of_one_class_alone_leaves_the_others_their_line() -> None:
    tries = drawn(8, 60, 2.0)
    value, gamma, _, notes = fit([*tries, (-1e9, 50.0, False)])
    # The floor costs nothing: its weight only thins out that of the other negatives.
    others = sum(weight for _, weight, yes in tries if not yes)
    share = others / (others + 50)
    prior = 0.3 / (0.3 + 0.7 * share)
    bits = -(prior * math.log(prior) + (1 - prior) * math.log(1 - prior)) * (0.3 + 0.7 * share)
    whole = -(0.3 * math.log(0.3) + 0.7 * math.log(0.7))
    rest = fit(tries, prior)
    assert value == pytest.approx(rest[0] * bits / whole, rel=1e-9)  # type: ignore[operator]
    assert gamma == pytest.approx(rest[1], rel=1e-4)
    assert notes == set()


# -- limits ------------------------------------------------------------------------------------------

APART = "the limit of an endless slope: separated scores"
INVERTED = [(3.0, 1.0, False), (2.0, 1.0, False), (2.0, 3.0, True), (1.0, 1.0, True)]
MIXED = [(2.0, 1.0, False), (1.0, 1.0, True), (1.5, 1.0, False), (1.7, 1.0, True)]
FLAT = "the limit as the slope goes to 0: infinite scores"


def shared(positive: float, negative: float, prior: float = 0.3) -> float:
    """The normalised cost of these shares of either class at one score."""
    a, b = prior * positive, (1 - prior) * negative
    return (a * math.log(a / (a + b)) + b * math.log(b / (a + b))) / (
        prior * math.log(prior) + (1 - prior) * math.log(1 - prior)
    )


@pytest.mark.parametrize(
    ("tries", "value", "note"),
    [
        ([(1.0, 1.0, False), (2.0, 1.0, True)], 0, APART),
        ([(2.0, 1.0, False), (1.0, 1.0, True)], 0, f"{APART}, inverted"),
        ([(1.0, 1.0, False), (2.0, 1.0, False), (2.0, 3.0, True), (3.0, 1.0, True)], shared(3 / 4, 1 / 2), APART),
        (INVERTED, shared(3 / 4, 1 / 2), f"{APART}, inverted"),
        ([(1.0, 1.0, False), (1.0, 1.0, True), (2.0, 1.0, True)], shared(1 / 2, 1), APART),
        ([(-INF, 1.0, False), (INF, 1.0, True)], 0, APART),
        ([(-INF, 1.0, False), (0.0, 1.0, False), (INF, 1.0, True)], 0, APART),
        ([(0.0, 1.0, False), (0.0, 1.0, True), (INF, 1.0, True)], shared(1 / 2, 1), APART),
        # A positive at infinity forbids negative slopes, which the finite scores ask for.
        ([(2.0, 1.0, False), (1.0, 1.0, True), (INF, 1.0, True)], shared(1 / 2, 1), FLAT),
        ([*MIXED, (INF, 2.0, True)], shared(1 / 2, 1), FLAT),
    ],
)  # fmt: skip
def test_where_no_slope_is_best_the_value_is_the_limit(tries: list[Try], value: float, note: str) -> None:
    assert fit(tries) == (pytest.approx(value, abs=1e-12), None, None, {note})


def test_infinite_scores_on_the_right_side_cost_nothing() -> None:
    tries = drawn(9, 30, 1.0)
    value, gamma, _, notes = fit([*tries, (INF, 4.0, True), (-INF, 9.0, False)])
    far = [*tries, (1e7, 4.0, True), (-1e7, 9.0, False)]
    assert value == pytest.approx(fit(far)[0], rel=1e-9)
    assert gamma is not None
    assert gamma > 0
    assert notes == set()


def test_scores_that_tell_nothing_are_worth_the_prior() -> None:
    assert fit([(5.0, 2.0, True), (5.0, 1.0, False)]) == (1, 0, 0, {"constant scores"})
    both = [(INF, 1.0, False), (-INF, 1.0, False), (0.0, 1.0, True)]
    assert fit(both) == (1, 0, 0, {"infinite scores on the wrong side of both classes"})
    value, gamma, _, _ = fit([(s, 1.0, yes) for s in (0.0, 1.0) for yes in (True, False)])
    assert (value, gamma) == (pytest.approx(1, abs=1e-15), pytest.approx(0, abs=1e-12))


@pytest.mark.parametrize(
    ("tries", "prior", "note"),
    [
        ([], 0.3, "undefined: positives = 0, negatives = 0"),
        ([(1.0, 1.0, True)], 0.3, "undefined: negatives = 0"),
        ([(1.0, 1.0, True), (0.0, 1.0, False)], 1.0, "undefined: prior = 1.0"),
        (
            [(1.0, 1.0, True), (0.0, 1.0, True), (1.0, -2.0, False), (2.0, 3.0, False)],
            0.3,
            "undefined: a weight below 0",
        ),
    ],
)
def test_what_has_no_cost(tries: list[Try], prior: float, note: str) -> None:
    assert fit(tries, prior) == (None, None, None, {note})


def test_a_score_that_is_not_a_number_is_refused() -> None:
    text = FIT.replace("{prior}", "0.3").replace("score: score\n", "score: score * 'nan'::DOUBLE\n", 1)
    with pytest.raises(ScorespecError, match="a score is not a number"):
        toy.score(text, metrics=["own"], answers=rows([(1.0, 1.0, True)]))


# -- slices ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("standing", [True, False])
def test_each_slice_has_a_line_of_its_own(standing: bool) -> None:
    parts = {"s": drawn(1, 40, 1.0), "t": drawn(2, 50, -1.0), "u": [(1.0, 1.0, True), (0.0, 1.0, False)]}
    answers = [row for speaker, tries in parts.items() for row in rows(tries, speaker)]
    text = FIT.replace("{prior}", "0.3") + ("    groups: [[speaker]]\n" if standing else "")
    asked: dict[str, Any] = {} if standing else {"by": ["speaker"]}
    found = toy.values(toy.score(text, metrics=["own"], answers=answers, **asked), "own")
    for speaker, tries in parts.items():
        value, gamma, delta, _ = fit(tries)
        key = ("speaker", speaker)
        assert (found["value", key], found["gamma", key], found["delta", key]) == (value, gamma, delta)
    assert found["value",] == fit([each for tries in parts.values() for each in tries])[0]


def test_folds_are_fitted_apart() -> None:
    tries = drawn(5, 80, 1.0)
    text = FIT.replace("{prior}", "0.3").replace("speaker, item, score,", "speaker, item, part, score,")
    text = text.replace("FROM {{ answers }}", "FROM {{ answers }} JOIN {{ parts }} USING (file)")
    text = text.replace("needs: [answers]", "needs: [answers, parts]").replace("columns: {", "columns: {part: fold, ")
    text += "suites:\n  over:\n    about: folds\n    inputs: [answers, parts]\n    metrics: [own]\n"
    text += "    folds: {column: part}\n"
    run = toy.score(text, "over", answers=rows(tries), parts=[(1, "f0"), (2, "f1")])
    values = [fit(tries[at::2])[0] for at in range(2)]
    assert toy.folds(run)["own", "value"] == (
        pytest.approx(sum(values) / 2),
        pytest.approx(abs(values[0] - values[1]) / 2),
        2,
    )  # type: ignore[operator, arg-type]


def test_the_prior_may_be_given_and_is_else_the_share_of_the_positives() -> None:
    tries = drawn(6, 40, 1.0)
    text = FIT.replace('    prior: "{prior}"\n', "")
    share = sum(w for _, w, yes in tries if yes) / sum(w for _, w, _ in tries)
    found = toy.values(toy.score(text, metrics=["own"], answers=rows(tries)), "own")
    assert found["value",] == pytest.approx(fit(tries, share)[0], rel=1e-12)
    text = FIT.replace("{prior}", "1 / asked") + "    given: {from: trials, values: [asked]}\n"
    run = toy.score(text, metrics=["own"], answers=rows(tries), trials=[(None, 5)])
    assert toy.values(run, "own")["value",] == pytest.approx(fit(tries, 0.2)[0], rel=1e-12)
    with pytest.raises(SpecError, match="relation trials: `given` reads a single row, and it has several"):
        toy.score(text, metrics=["own"], answers=rows(tries), trials=[(None, 5), ("ann", 6)])
