"""Thresholds over the toy domain, against every threshold tried in turn."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import scorespec
import toy
from marks import first, some
from scorespec.check.documents_checked import verify
from scorespec.core.result_tables import COLUMNS
from scorespec.errors import ScorespecError, SpecError

INF = math.inf
SHOTS = """
relations:
  shots:
    about: Each answer, and whether it is the one that was wanted.
    needs: [answers]
    sql: SELECT file, speaker, item, score, coalesce(said = wanted, false) AS good FROM {{ answers }}
    columns: {file: name of the recording, speaker: who speaks, item: what was asked, score: how sure, good: right}
"""
# Weights that no DOUBLE holds, as a mean over items would have them.
SWEEP = """
    kind: sweep
    from: shots
    score: score
    statistics:
      gain: sum(if(good, 412691952932612763042562223::HUGEINT, -123807585879783828912768667::HUGEINT))
      n: count(*)
    components: {value: "gain::DOUBLE / 1237940039285380274899124224e0", share: "ratio(n, total.n)"}
    best: max value
"""
GAIN = {True: Fraction(412691952932612763042562223), False: Fraction(-123807585879783828912768667)}
UNIT = 1237940039285380274899124224


def document(more: str = "", body: str = SWEEP) -> str:
    return f"{SHOTS}metrics:\n  own:\n    about: a metric of a test{body.rstrip()}\n{more}"


def scored(given: Iterable[toy.Row], more: str = "", **asked: Any) -> dict[toy.Row, float | None]:
    return toy.values(toy.score(document(more), metrics=["own"], answers=list(given), **asked), "own")


def shots(seed: int, n: int = 60) -> list[toy.Row]:
    """Answers with many ties, and infinite scores."""
    dice = random.Random(seed)
    scores = [*(round(dice.gauss(0, 1), 1) for _ in range(n // 2)), INF, -INF, 0.0, -0.0]
    return [
        (
            f"f{dice.randrange(3)}",
            f"t{dice.randrange(2)}",
            f"i{dice.randrange(4)}",
            dice.choice("ab"),
            "a",
            dice.choice(scores),
        )
        for _ in range(n)
    ]


def brute(rows: Iterable[toy.Row], reject_all: bool = True) -> tuple[float, float, float | None]:
    """The best (value, share, threshold), every threshold tried; equal values: the lowest."""
    rows = list(rows)
    thresholds: list[float | None] = sorted({row[5] + 0.0 for row in rows})
    best: tuple[float, float, float | None] | None = None
    for threshold in thresholds + ([None] if reject_all or not rows else []):
        accepted = [row for row in rows if threshold is not None and row[5] >= threshold]
        value = float(sum((GAIN[row[3] == row[4]] for row in accepted), Fraction(0)) / UNIT)
        if best is None or value >= best[0] + 1e-12:
            best = (value, len(accepted) / len(rows) if rows else math.nan, threshold)
    assert best is not None
    return best


def finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def slices(rows: list[toy.Row], column: int, name: str) -> Iterator[tuple[toy.Row, list[toy.Row]]]:
    yield (), rows
    for each in sorted({row[column] for row in rows}):
        yield ((name, each),), [row for row in rows if row[column] == each]


def expected(key: toy.Row, rows: list[toy.Row], reject_all: bool = True) -> dict[toy.Row, Any]:
    value, share, threshold = brute(rows, reject_all)
    return {
        ("value", *key): pytest.approx(value, abs=1e-12),
        ("share", *key): finite(share),
        ("threshold", *key): finite(threshold),
    }


@pytest.mark.parametrize("seed", first(range(6), 1))
@pytest.mark.parametrize("reject_all", [True, False])
def test_the_best_threshold_of_all_and_of_each_slice(seed: int, reject_all: bool) -> None:
    rows = shots(seed)
    wanted: dict[toy.Row, Any] = {}
    for key, each in slices(rows, 1, "speaker"):
        wanted |= expected(key, each, reject_all)
    more = f"    reject_all: {str(reject_all).lower()}\n    groups: [[speaker]]\n"
    assert scored(rows, more) == wanted
    dice = random.Random(seed)
    assert scored(dice.sample(rows, len(rows)), more) == wanted


def test_by_a_column() -> None:
    rows = shots(11)
    wanted: dict[toy.Row, Any] = {}
    for key, each in slices(rows, 0, "file"):
        wanted |= expected(key, each)
    assert scored(rows, by=["file"]) == wanted


def noted(rows: list[toy.Row], more: str = "", **asked: Any) -> dict[toy.Row, str]:
    return toy.notes(toy.score(document(more), metrics=["own"], answers=rows, **asked), "own")


RIGHT = ("f", "t", "i", "a", "a")
WRONG = ("f", "t", "i", "b", "a")


def test_accepting_no_row_wins_alone_and_is_said() -> None:
    rows = [(*WRONG, 1.0), (*RIGHT, 0.5)]
    assert scored([(*WRONG, 1.0)]) == {("value",): 0, ("share",): 0, ("threshold",): None}
    assert noted([(*WRONG, 1.0)]) == {("threshold",): "reject all"}
    assert scored(rows)["threshold",] == 0.5
    lost = scored([(*WRONG, 1.0)], "    reject_all: false\n")
    assert (lost["value",], lost["threshold",]) == (pytest.approx(-0.1, abs=1e-3), 1)


def test_thresholds_that_tie_the_lowest_wins_also_against_accepting_no_row() -> None:
    body = SWEEP.replace("412691952932612763042562223", "1").replace("123807585879783828912768667", "1")
    rows = [(*WRONG, 3.0), (*RIGHT, 2.0), (*WRONG, 1.0), (*RIGHT, 0.0)]
    run = toy.score(document("", body), metrics=["own"], answers=rows)
    assert toy.values(run, "own") == {("value",): 0, ("share",): 1, ("threshold",): 0}


def test_values_nearer_than_1e_12_tie() -> None:
    body = SWEEP.replace("gain::DOUBLE / 1237940039285380274899124224e0", "if(n = 1, 1e0, 1e0 - {})")
    rows = [(*RIGHT, 2.0), (*RIGHT, 1.0)]
    for less, threshold in ((9e-13, 1), (1.1e-12, 2)):
        run = toy.score(
            document("    reject_all: false\n", body.replace("{}", repr(less))), metrics=["own"], answers=rows
        )
        assert toy.values(run, "own")["threshold",] == threshold


def test_a_metric_says_which_values_tie() -> None:
    body = SWEEP.replace("gain::DOUBLE / 1237940039285380274899124224e0", "if(n = 1, 1e0, 0.75e0)")
    rows = [(*RIGHT, 2.0), (*RIGHT, 1.0)]
    for tie, threshold in ((0.2, 2), (0.3, 1)):
        more = f"    reject_all: false\n    tie: {tie}\n"
        run = toy.score(document(more, body), metrics=["own"], answers=rows)
        assert toy.values(run, "own")["threshold",] == threshold


@pytest.mark.parametrize(("score", "note"), [(INF, "infinite"), (-INF, "minus infinite")])
def test_an_infinite_threshold_is_null_with_a_note(score: float, note: str) -> None:
    rows = [(*RIGHT, score)]
    assert scored(rows)["threshold",] is None
    assert noted(rows) == {("threshold",): note}


def test_no_rows_leave_the_point_that_accepts_none() -> None:
    for reject_all in ("true", "false"):
        more = f"    reject_all: {reject_all}\n    groups: [[speaker]]\n"
        assert scored([], more) == {("value",): 0, ("share",): None, ("threshold",): None}
        assert noted([], more)["threshold",] == "reject all"


def test_the_least_value_and_one_that_is_nowhere_defined() -> None:
    body = SWEEP.replace("max value", "min value")
    run = toy.score(document("", body), metrics=["own"], answers=[(*RIGHT, 2.0), (*WRONG, 1.0), (*WRONG, 0.0)])
    assert toy.values(run, "own")["threshold",] is None
    body = SWEEP.replace("gain::DOUBLE / 1237940039285380274899124224e0", "NULL::DOUBLE")
    run = toy.score(document("", body), metrics=["own"], answers=[(*RIGHT, 2.0)])
    assert toy.values(run, "own") == {("value",): None, ("share",): None, ("threshold",): None}
    assert set(toy.notes(run, "own").values()) == {"undefined: at every threshold"}


def test_a_row_without_a_score_counts_in_the_totals_alone() -> None:
    body = SWEEP.replace("score: score", "score: nullif(score, 9)")
    run = toy.score(document("", body), metrics=["own"], answers=[(*RIGHT, 1.0), (*RIGHT, 9.0), (*WRONG, 9.0)])
    assert toy.values(run, "own")["share",] == 1 / 3


def test_a_score_that_is_not_a_number_is_refused() -> None:
    body = SWEEP.replace("score: score", "score: sqrt(score) * 'nan'::DOUBLE")
    with pytest.raises(ScorespecError, match="a score is not a number"):
        toy.score(document("", body), metrics=["own"], answers=[(*RIGHT, 1.0)])


def test_folds_are_swept_apart() -> None:
    rows = shots(3)
    text = (
        document()
        .replace("item, score,", "item, part, score,")
        .replace("FROM {{ answers }}", "FROM {{ answers }} JOIN {{ parts }} USING (file)")
    )
    text = text.replace("needs: [answers]", "needs: [answers, parts]").replace("columns: {", "columns: {part: fold, ")
    text += "suites:\n  over:\n    about: folds\n    inputs: [answers, parts]\n    metrics: [own]\n"
    text += "    folds: {column: part}\n"
    run = toy.score(text, "over", answers=rows, parts=[(1, "f0"), (2, "f1"), (2, "f2")])
    values = [brute([row for row in rows if row[0] in files])[0] for files in (["f0"], ["f1", "f2"])]
    assert toy.folds(run)["own", "value"] == (
        pytest.approx(sum(values) / 2),
        pytest.approx(abs(values[0] - values[1]) / 2),
        2,
    )


PER = "    per: unit\n    unit: [item]\n    then: mean\n"


def mean_of_best(rows: list[toy.Row], items: Iterable[str], reject_all: bool) -> float:
    best = [brute([row for row in rows if row[2] == item], reject_all)[0] for item in items]
    return sum(best) / len(best)


@pytest.mark.parametrize("seed", first(range(3)))
@pytest.mark.parametrize("reject_all", [True, False])
def test_the_best_threshold_of_each_unit(seed: int, reject_all: bool) -> None:
    rows = shots(seed)
    items = sorted({row[2] for row in rows})
    more = f"{PER}    reject_all: {str(reject_all).lower()}\n"
    found = scored(rows, more)
    assert found["value",] == pytest.approx(mean_of_best(rows, items, reject_all), abs=1e-12)
    assert ("threshold",) not in found
    every = scored(
        rows, f"{more}    units: topics\n    groups: [[speaker]]\n", items=[*((i, "x") for i in items), ("none", "x")]
    )
    wanted: dict[toy.Row, Callable[..., Any]] = {
        ("value", *key): pytest.approx(mean_of_best(each, [*items, "none"], reject_all), abs=1e-12)
        for key, each in slices(rows, 1, "speaker")
    }
    assert {key: value for key, value in every.items() if key[0] == "value"} == wanted


WEIGHTS = """relations:
  weights:
    about: How often each item counts.
    needs: [items]
    slices: none
    sql: "SELECT item, topic::BIGINT AS times FROM {{ items }}"
    columns: {item: what was asked, times: how often}
"""


def test_what_is_given_for_each_unit() -> None:
    text = document(PER + "    given: {from: weights, values: [times]}\n").replace("relations:\n", WEIGHTS, 1)
    text = text.replace('value: "gain', 'value: "times * gain')
    rows = [(*RIGHT[:2], "i1", "a", "a", 1.0), (*RIGHT[:2], "i2", "a", "a", 1.0)]
    run = toy.score(text, metrics=["own"], answers=rows, items=[("i1", "1"), ("i2", "5")])
    assert toy.values(run, "own")["value",] == pytest.approx(3 * float(GAIN[True] / UNIT))
    with pytest.raises(SpecError, match="relation weights: `given` reads one row per item, and it has several"):
        toy.score(
            text.replace("AS times FROM", "AS times FROM range(2),"), metrics=["own"], answers=rows, items=[("i1", "1")]
        )


# -- what is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("    per: unit\n", "'unit' is needed beside 'per'"),
        ("    then: mean\n", "'per' is needed beside 'then'"),
        ("    curve: {marks: {best: true}}\n", '"best" is reserved for the engine; choose another name'),
        ("    curve: {columns: {low: 1}}\n", '"low" is reserved for the engine; choose another name'),
    ],
)
def test_keys_that_need_each_other(more: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        toy.score(document(more), metrics=["own"])


@pytest.mark.parametrize("name", [*COLUMNS["curves"], "accepted"])
def test_a_component_cannot_be_called_like_another_column_of_its_curve(name: str) -> None:
    with pytest.raises(SpecError, match=f'"{name}" is reserved for the engine; choose another name'):
        toy.score(document("", SWEEP.replace("{value:", f"{{{name}: 1, value:")), metrics=["own"])


def test_an_unknown_component_cannot_be_best() -> None:
    with pytest.raises(SpecError, match=r"own\.yaml:\d+:\d+: unknown component 'valu'; did you mean 'value'"):
        toy.score(document("", SWEEP.replace("max value", "max valu")), metrics=["own"])


# -- curves ------------------------------------------------------------------------------------------

CURVE = """    groups: [[speaker]]
    curve:
      columns: {quantile: probit(share)}
      marks: {sure: score > 0.3 AND good}
"""


def kept(tmp_path: Path, rows: list[toy.Row], more: str = CURVE, **asked: Any) -> scorespec.Run:
    own = tmp_path / "own.yaml"
    own.write_text(f"domain: toy\n{document(more)}", encoding="utf-8")
    return scorespec.score("quiz", specs=[toy.TOY, own], metrics=["own"], answers=toy.rows("answers", rows), **asked)


def test_the_curve_has_every_threshold_and_what_is_marked(tmp_path: Path) -> None:
    rows = shots(5)
    run = kept(tmp_path, rows)
    for key, each in some(slices(rows, 1, "speaker")):
        slice_ = "{}" if not key else f'{{"speaker":"{key[0][1]}"}}'
        found = run.sql(f"SELECT * FROM curves WHERE slice::VARCHAR = '{slice_}' ORDER BY rank NULLS LAST").to_pylist()
        *points, sure = found
        thresholds = sorted({row[5] + 0.0 for row in each}, reverse=True)
        assert [point["threshold"] for point in points] == [None, *thresholds]
        assert [point["rank"] for point in points] == list(range(len(points)))
        for point in points[1:]:
            accepted = [row for row in each if row[5] >= point["threshold"]]
            assert point["share"] == len(accepted) / len(each)
            assert point["value"] == pytest.approx(float(sum(GAIN[row[3] == row[4]] for row in accepted) / UNIT))
        assert (points[0]["quantile"], points[-1]["quantile"]) == (-INF, INF)
        value, _, threshold = brute(each)
        best = [point for point in points if point["mark"] == "best"]
        assert [(point["value"], point["threshold"]) for point in best] == [
            (pytest.approx(value, abs=1e-12), threshold)
        ]
        marked = [row for row in each if row[5] > 0.3 and row[3] == row[4]]
        assert (sure["mark"], sure["rank"], sure["share"]) == ("sure", None, len(marked) / len(each))


def test_a_long_curve_is_thinned_evenly(tmp_path: Path) -> None:
    rows = [(*(RIGHT if n % 3 else WRONG), float(n)) for n in range(25_001)]
    run = kept(tmp_path, rows, "    curve: {}\n")
    found = run.sql("SELECT rank, mark FROM curves ORDER BY rank").to_pylist()
    ranks = [row["rank"] for row in found]
    best = [row["rank"] for row in found if row["mark"] == "best"]
    assert len(best) == 1
    assert ranks == sorted({0, 1, 25_001, *best, *range(3, 25_001, 3)})


def test_no_rows_have_a_curve_of_one_point(tmp_path: Path) -> None:
    run = kept(tmp_path, [])
    found = run.sql(
        "SELECT slice::VARCHAR AS slice, rank, threshold, mark, value FROM curves ORDER BY rank"
    ).to_pylist()
    assert found == [
        {"slice": "{}", "rank": 0, "threshold": None, "mark": "best", "value": 0},
        {"slice": "{}", "rank": None, "threshold": None, "mark": "sure", "value": 0},
    ]


def test_units_keep_their_best_threshold(tmp_path: Path) -> None:
    rows = shots(4)
    run = kept(tmp_path, rows, PER + "    groups: [[speaker]]\n")
    asked = (
        "SELECT unit->>'item' AS item, (statistics->>'threshold')::DOUBLE AS threshold, (statistics->>'n')::BIGINT AS n"
    )
    found = run.sql(f"{asked} FROM unit_statistics WHERE slice::VARCHAR = '{{}}' ORDER BY item").to_pylist()
    for each in found:
        own = [row for row in rows if row[2] == each["item"]]
        _, share, threshold = brute(own)
        assert (each["threshold"], each["n"]) == (finite(threshold), round(share * len(own)))
    assert len(found) == len({row[2] for row in rows})


def test_the_curve_by_a_column_and_the_script(tmp_path: Path) -> None:
    run = kept(tmp_path, shots(6), CURVE, by=["file"])
    found = run.sql("SELECT DISTINCT slice->>'file' AS file, slice->>'speaker' AS speaker FROM curves").to_pylist()
    assert {(row["file"], row["speaker"]) for row in found} >= {(None, None), (None, "t0"), ("f0", None), ("f0", "t1")}
    script = scorespec.compile("quiz", specs=[toy.TOY, tmp_path / "own.yaml"], metrics=["own"]).script()
    assert "-- metric own, points of its curve" in script


def test_check_tries_the_curve_too(tmp_path: Path) -> None:
    own = document(CURVE.replace("probit(share)", "probit(shar)"))
    (tmp_path / "own.yaml").write_text(f"domain: toy\n{own}", encoding="utf-8")
    for each in toy.TOY.iterdir():
        (tmp_path / each.name).write_bytes(each.read_bytes())
    with pytest.raises(SpecError, match="shar"):
        verify(tmp_path)
