"""Where two rates of a sweep cross, against every threshold tried in turn and the whole convex hull."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import scorespec
import toy
from marks import first, some
from scorespec.core.arrays import Floats
from scorespec.errors import SpecError
from scorespec.intervals import sweep_intervals
from scorespec.statistics import Draws, Resampled, bca_interval, sweeps

INF = math.inf
DOCUMENT = """
parameters:
  way: {type: VARCHAR, default: nearest, one_of: [nearest, linear, hull], about: where the rates cross}
relations:
  shots:
    about: Each answer, and whether it is the one that was wanted.
    sql: SELECT file, speaker, item, score, coalesce(said = wanted, false) AS good FROM {{ answers }}
    columns: {file: name of the recording, speaker: who speaks, item: what was asked, score: how sure, good: right}
metrics:
  own:
    about: a metric of a test
    kind: sweep
    from: shots
    score: score
    statistics: {hits: count_if(good), alarms: count_if(NOT good)}
    components:
      p_miss: 1 - ratio(hits, total.hits)
      p_fa: ratio(alarms, total.alarms)
      value: (p_miss + p_fa) / 2
    cross: [p_miss, p_fa]
    crossing: "{{ way }}"
"""
Point = tuple[Fraction, Fraction, float]  # miss rate, false alarm rate, threshold


def shots(seed: int, size: int = 60, decimals: int = 1) -> list[toy.Row]:
    """Answers with many ties, and infinite scores."""
    dice = random.Random(seed)
    good = [True, False, *(dice.random() < 0.4 for _ in range(size))]
    scores = [INF, -INF, *(round(dice.gauss(1.5 if each else 0, 1), decimals) for each in good[2:])]
    return [
        (f"f{dice.randrange(3)}", f"t{dice.randrange(2)}", "i", "a" if each else "b", "a", score)
        for each, score in zip(good, dice.sample(scores, len(scores)), strict=True)
    ]


def points(rows: Sequence[toy.Row]) -> list[Point]:
    """The curve in exact numbers, from accepting no row to accepting all."""
    good = [row[5] for row in rows if row[3] == row[4]]
    bad = [row[5] for row in rows if row[3] != row[4]]
    thresholds = [math.inf, *sorted({row[5] for row in rows}, reverse=True)]
    curve = [
        (Fraction(sum(each < at for each in good), len(good)), Fraction(sum(each >= at for each in bad), len(bad)), at)
        for at in thresholds[1:]
    ]
    return [(Fraction(1), Fraction(0), math.nan), *curve]


def nearest(curve: Sequence[Point]) -> Fraction:
    least = min(abs(miss - alarm) for miss, alarm, _ in curve)
    miss, alarm, _ = next(each for each in reversed(curve) if abs(each[0] - each[1]) == least)
    return (miss + alarm) / 2


def on_line(curve: Sequence[Point]) -> Fraction:
    """The rate at which the line through the points crosses the diagonal."""
    for (miss, alarm, _), (miss_after, alarm_after, _) in pairwise(curve):
        if miss > alarm and miss_after <= alarm_after:
            part = (miss - alarm) / (miss - alarm + alarm_after - miss_after)
            return miss + part * (miss_after - miss)
    raise AssertionError("the rates do not cross")


def on_hull(curve: Sequence[Point]) -> Fraction:
    """The rate at which the lower hull (Andrew's monotone chain) crosses the diagonal."""
    hull: list[Point] = []
    for point in curve:
        while len(hull) > 1 and _turn(hull[-2], hull[-1], point) <= 0:
            hull.pop()
        hull.append(point)
    return on_line(hull)


def _turn(one: Point, other: Point, last: Point) -> Fraction:
    return (other[1] - one[1]) * (last[0] - one[0]) - (other[0] - one[0]) * (last[1] - one[1])


WAYS = {"nearest": nearest, "linear": on_line, "hull": on_hull}


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_rates_cross_where_the_naive_way_finds_it(way: str) -> None:
    for seed in range(12):
        rows = shots(seed, size=(2, 5, 20, 60)[seed % 4], decimals=seed % 3)
        run = toy.score(f"{DOCUMENT}    groups: [[speaker]]\n", metrics=["own"], params={"way": way}, answers=rows)
        found = toy.values(run, "own")
        assert found["value",] == pytest.approx(float(WAYS[way](points(rows))), abs=1e-12)
        for speaker in ("t0", "t1"):
            own = [row for row in rows if row[1] == speaker]
            if {row[3] for row in own} == {"a", "b"}:
                value = found["value", ("speaker", speaker)]
                assert value == pytest.approx(float(WAYS[way](points(own))), abs=1e-12)


@pytest.mark.parametrize("way", WAYS)
def test_the_threshold_is_that_of_the_nearest_rates(way: str) -> None:
    rows = shots(3)
    found = toy.values(toy.score(DOCUMENT, metrics=["own"], params={"way": way}, answers=rows), "own")
    curve = points(rows)
    least = min(abs(miss - alarm) for miss, alarm, _ in curve)
    assert found["threshold",] == min(at for miss, alarm, at in curve if abs(miss - alarm) == least)
    if way != "nearest":
        assert found["p_miss",] == pytest.approx(found["p_fa",], abs=1e-15)


@pytest.mark.parametrize("way", WAYS)
def test_rates_without_one_class_are_undefined(way: str) -> None:
    rows = [row for row in shots(1) if row[3] == "a"]
    run = toy.score(DOCUMENT, metrics=["own"], params={"way": way}, answers=rows)
    assert toy.values(run, "own") == {(name,): None for name in ("p_miss", "p_fa", "value", "threshold")}


def test_rates_that_do_not_cross_have_their_nearest_point() -> None:
    """All right answers lack a score, so that the miss rate stays 1."""
    text = DOCUMENT.replace("score: score\n", "score: if(good, NULL, score)\n")
    for way in some(WAYS):
        rows = [row for row in shots(1) if row[3] != "a" or row[5] > 0][:20]
        found = toy.values(toy.score(text, metrics=["own"], params={"way": way}, answers=rows), "own")
        assert (found["p_miss",], found["p_fa",], found["value",]) == (1, 1, 1)


@pytest.mark.parametrize("way", WAYS)
def test_rates_that_are_no_components(way: str) -> None:
    """The rates are written in `cross`; the tables have the value and the threshold only."""
    rates = ["1 - ratio(hits, total.hits)", "ratio(alarms, total.alarms)"]
    before, _, after = DOCUMENT.partition("    components:")
    text = f"{before}    components: {{value: 'ratio(alarms, total.alarms)'}}\n    cross: {rates}\n"
    text += after[after.index("    crossing") :]
    found = toy.values(toy.score(text, metrics=["own"], params={"way": way}, answers=shots(5)), "own")
    assert found.keys() == {("value",), ("threshold",)}
    same = toy.values(toy.score(DOCUMENT, metrics=["own"], params={"way": way}, answers=shots(5)), "own")
    assert (found["value",], found["threshold",]) == (same["p_fa",], same["threshold",])


def test_each_unit_has_rates_that_cross() -> None:
    more = "    per: unit\n    unit: [speaker]\n    then: mean\n"
    rows = shots(7)
    for way, naive in some(WAYS.items()):
        run = toy.score(DOCUMENT + more, metrics=["own"], params={"way": way}, answers=rows)
        of_speakers = [naive(points([row for row in rows if row[1] == speaker])) for speaker in ("t0", "t1")]
        assert toy.values(run, "own")["value",] == pytest.approx(float(sum(of_speakers) / 2), abs=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("cross: [p_miss, p_fa]", "best: min value\n    cross: [p_miss, p_fa]", "write one of `best` and `cross`"),
        ('cross: [p_miss, p_fa]\n    crossing: "{{ way }}"', "", "write one of `best` and `cross`"),
        ("cross: [p_miss, p_fa]", "best: min value", "'cross' is needed beside 'crossing'"),
        ("[p_miss, p_fa]", "[p_miss]", "metrics.own.cross"),
        ("[p_miss, p_fa]", "[p_mis, p_fa]", r"own.yaml:\d+:\d+: unknown component 'p_mis'; did you mean 'p_miss'"),
        ('"{{ way }}"', "hul", r"own.yaml:\d+:\d+: crossing 'hul'; allowed: nearest, linear, hull"),
        ("cross: [p_miss, p_fa]", 'cross: [p_miss, "p_fa +"]', "own.yaml"),
    ],
)
def test_what_is_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        toy.score(DOCUMENT.replace(old, new), metrics=["own"], answers=shots(1))


# -- intervals ---------------------------------------------------------------------------------------

FILES, REPLICATES = 9, 40


def spread(seed: int) -> list[toy.Row]:
    """Answers in all files; every speaker is in every file."""
    rows = shots(seed, 150)
    return [(f"f{at % FILES}", f"t{at // FILES % 2}", *row[2:]) for at, row in enumerate(rows)]


def resampled(rows: Sequence[toy.Row], weights: Floats, naive: str) -> Floats:
    """The rate in each resample, whose rows are listed as often as it takes them."""
    every = [[row for row in rows for _ in range(int(weight[int(row[0][1:])]))] for weight in weights]
    return np.array([float(WAYS[naive](points(each))) for each in every])


def kept(tmp_path: Path, way: str, rows: Sequence[toy.Row], text: str = DOCUMENT) -> scorespec.Run:
    own = tmp_path / "own.yaml"
    own.write_text(f"domain: toy\n{text}    groups: [[speaker]]\n", encoding="utf-8")
    params = {"way": way} if "{{ way }}" in text else {}
    asked = {"specs": [toy.TOY, own], "metrics": ["own"], "params": params, "confidence": 90}
    return scorespec.score("quiz", answers=toy.rows("answers", rows), **asked)


def replicates(run: scorespec.Run, slice_: str, method: str) -> Floats:
    where = f"component = 'value' AND slice::VARCHAR = '{slice_}' AND method = '{method}'"
    return np.array(run.sql(f"SELECT scores FROM replicates WHERE {where}")["scores"][0].as_py())


@pytest.mark.parametrize("way", first(WAYS))
def test_rates_cross_anew_in_each_replicate(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_intervals, "SWEPT_REPLICATES", REPLICATES)
    monkeypatch.setattr(sweep_intervals, "MOST_POINTS", 0)  # not every point of every replicate
    rows = spread(2)
    run = kept(tmp_path, way, rows)
    counts, without = Draws(0, FILES).counts(0, REPLICATES), 1 - np.eye(FILES)
    for slice_, own in (("{}", rows), ('{"speaker":"t1"}', [row for row in rows if row[1] == "t1"])):
        drawn, left_out = resampled(own, counts, way), resampled(own, without, way)
        np.testing.assert_allclose(replicates(run, slice_, "bootstrap"), drawn, atol=1e-12)
        np.testing.assert_allclose(replicates(run, slice_, "jackknife"), left_out, atol=1e-12)
        whole = resampled(own, np.ones((1, FILES)), way)
        found = bca_interval(Resampled(whole, drawn[:, None], left_out[:, None]), 0, 0.9)
        label = {} if own is rows else {"speaker": "t1"}
        (row,) = (each for each in run.table() if (each["component"], each["slice"]) == ("value", label))
        assert (row["low"], row["high"]) == pytest.approx((found.low, found.high), abs=1e-9)


@pytest.mark.parametrize("way", first(["nearest", "linear"]))
def test_with_many_blocks_rates_cross_anew_without_each(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_intervals, "SWEPT_REPLICATES", 3)
    monkeypatch.setattr(sweeps, "MOST_LEFT_OUT", 5)
    rows = spread(4)
    left_out = resampled(rows, 1 - np.eye(FILES), way)
    np.testing.assert_allclose(replicates(kept(tmp_path, way, rows), "{}", "jackknife"), left_out, atol=1e-12)


def test_with_many_blocks_the_corners_of_the_hull_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rate without a block is that of the line between the corners of the corpus, which is at least the least."""
    monkeypatch.setattr(sweep_intervals, "SWEPT_REPLICATES", 3)
    exact = replicates(kept(tmp_path, "hull", spread(4)), "{}", "jackknife")
    monkeypatch.setattr(sweeps, "MOST_LEFT_OUT", 5)
    near = replicates(kept(tmp_path, "hull", spread(4)), "{}", "jackknife")
    assert (near >= exact - 1e-12).all()
    np.testing.assert_allclose(near, exact, atol=0.01)


def test_rates_that_both_fall_have_every_point_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = DOCUMENT.replace("ratio(alarms, total.alarms)\n", "ratio(hits - alarms, total.alarms)\n")
    assert "hits - alarms" in text
    monkeypatch.setattr(sweep_intervals, "MOST_POINTS", 0)
    notes = toy.notes(kept(tmp_path, "nearest", spread(1), text), "own")
    assert notes["value",].startswith("no interval: optimised value is no sum over rows, and replicates have ")


def test_an_optimised_value_that_is_no_component_has_no_note(tmp_path: Path) -> None:
    cost = "0.5e0 * p_miss + 0.5e0 * p_fa"
    text = DOCUMENT.replace('cross: [p_miss, p_fa]\n    crossing: "{{ way }}"', f"best: min {cost}")
    found = kept(tmp_path, "nearest", spread(6), text)
    same = kept(tmp_path, "nearest", spread(6), text.replace(f"best: min {cost}", "best: min value"))
    assert toy.notes(found, "own").get(("value",)) is None
    assert toy.notes(same, "own")["value",].startswith("bias ")
    for one, other in zip(found.table(), same.table(), strict=True):
        assert (one["value"], one["low"], one["high"]) == (other["value"], other["low"], other["high"])
