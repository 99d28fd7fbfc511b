"""The arithmetic of figures: scales of axes, ticks, points that a line can do without, places of labels."""

from __future__ import annotations

import itertools
import math
import random
from decimal import Decimal
from statistics import NormalDist
from xml.etree import ElementTree

import pytest

from scorespec.catalog.model import Axis, Plot
from scorespec.core.score_text import value_text
from scorespec.report.drawing import lines
from scorespec.report.drawing.scales import LARGEST_ERROR, MOST_POINTS, Scale, can_show, scale_of, thin, tick_text
from scorespec.report.drawing.svg import DARK, LIGHT, Paper, apart, marker, series_of, shortened, text, text_width
from scorespec.report.figures import statement


@pytest.mark.parametrize(
    ("scale", "value", "place"),
    [
        (Scale("linear", -1, 3), 0, 0.25),
        (Scale("log", 0.01, 100), 1, 0.5),
        (Scale("log", 1, 1000), 10, 1 / 3),
        (Scale("probit", 0.1, 0.9), 0.5, 0.5),
        (Scale("probit", NormalDist().cdf(-2), NormalDist().cdf(2)), NormalDist().cdf(1), 0.75),
    ],
)
def test_the_place_of_a_value(scale: Scale, value: float, place: float) -> None:
    assert scale.at(value) == pytest.approx(place, abs=1e-12)
    assert (scale.at(scale.low), scale.at(scale.high)) == pytest.approx((0, 1), abs=1e-12)


@pytest.mark.parametrize(
    ("kind", "shown", "not_shown"),
    [
        ("linear", [0, -1, 1e300], [None, math.nan, math.inf]),
        ("log", [1e-9, 5], [0, -1, math.inf]),
        ("probit", [1e-9, 0.5], [0, 1, 1.5, -0.1]),
    ],
)
def test_what_an_axis_can_show(kind: str, shown: list[float], not_shown: list[float | None]) -> None:
    assert all(can_show(kind, value) for value in shown)
    assert not any(can_show(kind, value) for value in not_shown)


@pytest.mark.parametrize(
    ("kind", "values", "bounds"),
    [
        ("linear", [2, 5, None, math.inf], (None, None)),
        ("linear", [3], (None, None)),
        ("linear", [3], (0, None)),
        ("linear", [], (None, None)),
        ("linear", [5], (None, 1)),
        ("log", [0.1, 0, 7], (None, None)),
        ("log", [], (None, None)),
        ("probit", [0, 0.2, 0.3, 1], (None, None)),
        ("probit", [1], (None, None)),
    ],
)
def test_a_scale_shows_all_values_that_can_be_shown(
    kind: str, values: list[float | None], bounds: tuple[float | None, float | None]
) -> None:
    scale = scale_of(kind, values, bounds)
    assert scale.low < scale.high
    assert bounds[0] is None or scale.low == pytest.approx(bounds[0])
    if bounds[1] is None:
        assert all(0 <= scale.at(value) <= 1 for value in values if value is not None and can_show(kind, value))
    ticks = scale.ticks(6)
    assert 2 <= len(ticks) <= 7
    assert list(ticks) == sorted(ticks)
    assert all(-1e-9 <= scale.at(tick) <= 1 + 1e-9 for tick in ticks)


@pytest.mark.parametrize(
    ("scale", "most", "ticks"),
    [
        (Scale("linear", 0, 1), 6, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (Scale("linear", -120, 130), 6, ["-100", "-50", "0", "50", "100"]),
        (Scale("linear", 0, 25_000), 6, ["0", "5,000", "10,000", "15,000", "20,000", "25,000"]),
        (Scale("log", 0.001, 100), 6, ["0.001", "0.01", "0.1", "1", "10", "100"]),
        (Scale("log", 1, 10), 6, ["1", "2", "5", "10"]),
        (Scale("log", 1.1, 1.9), 6, ["1.2", "1.4", "1.6", "1.8"]),
    ],
)
def test_ticks(scale: Scale, most: int, ticks: list[str]) -> None:
    assert [tick_text(value) for value in scale.ticks(most)] == ticks


def test_ticks_of_probabilities_are_in_per_cent_and_have_room() -> None:
    scale = Scale("probit", 0.0005, 0.6)
    ticks = scale.ticks(8)
    assert [tick_text(value, "%") for value in ticks] == ["0.05", "0.5", "2", "10", "40", "60"]
    assert all(scale.at(b) - scale.at(a) >= 1 / 8 for a, b in itertools.pairwise(ticks))


@pytest.mark.parametrize("whole", [1, 1.0, Decimal(1)])
def test_a_share_is_in_per_cent_whatever_its_type(whole: float | Decimal) -> None:
    assert (value_text(whole), value_text(whole, "%")) == ("1", "100")


# -- thinning ----------------------------------------------------------------------------------------


def distance(point: tuple[float, float], begin: tuple[float, float], end: tuple[float, float]) -> float:
    """The distance of a point from a piece of a line, without numpy."""
    (px, py), (ax, ay), (bx, by) = point, begin, end
    length = (bx - ax) ** 2 + (by - ay) ** 2
    share = max(0.0, min(1.0, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length)) if length else 0.0
    return math.hypot(px - ax - share * (bx - ax), py - ay - share * (by - ay))


def largest_distance(points: list[tuple[float, float]], kept: list[int]) -> float:
    return max(
        distance(points[at], points[begin], points[end])
        for begin, end in itertools.pairwise(kept)
        for at in range(begin, end + 1)
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_thinned_curve_is_as_near_as_promised(seed: int) -> None:
    drawn = random.Random(seed)
    steps = [(drawn.random() < 0.2, drawn.expovariate(3)) for _ in range(3000)]
    x = y = 0.0
    points = []
    for is_down, length in steps:  # a curve such as that of misses and false alarms
        x, y = (x, y + length) if is_down else (x + length, y)
        points.append((x * 500 / 800, y * 300 / 200))
    marked = [17, 1200]
    thinned = thin([x for x, _ in points], [y for _, y in points], marked)
    kept = list(thinned.kept)
    assert {0, 2999, *marked} <= set(kept)
    assert kept == sorted(set(kept))
    assert len(kept) <= MOST_POINTS
    assert largest_distance(points, kept) == pytest.approx(thinned.error, abs=1e-9)
    assert thinned.error <= LARGEST_ERROR or len(kept) == MOST_POINTS


def test_points_on_one_line_need_only_its_ends() -> None:
    thinned = thin([0, 1, 2, 3, 10], [0, 2, 4, 6, 20])
    assert (list(thinned.kept), thinned.error) == ([0, 4], 0)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_points_stay(count: int) -> None:
    assert list(thin(range(count), range(count)).kept) == list(range(count))


def test_a_curve_that_needs_more_points_says_how_far_it_is() -> None:
    zigzag = [float(at % 2) for at in range(2000)]
    thinned = thin(range(2000), zigzag, most=100)
    assert len(thinned.kept) == 100
    assert thinned.error > LARGEST_ERROR
    assert largest_distance(
        list(zip(map(float, range(2000)), zigzag, strict=True)), list(thinned.kept)
    ) == pytest.approx(thinned.error)


@pytest.mark.parametrize(
    ("points", "note"),
    [
        ([(at, at) for at in range(10)], "lines leave out 8 points, each at most 0.25 pixels from its line"),
        ([(at, at % 2) for at in range(2000)], "lines leave out 1,500 points, each at most "),
        ([(0, 0), (1, 2)], ""),
    ],
)
def test_a_figure_says_how_far_its_lines_are_from_the_points_that_they_leave_out(
    points: list[tuple[int, int]], note: str
) -> None:
    plot = Plot(title="t", about="a", kind="lines", x=Axis("x"), y=Axis("y"))
    rows = [{"run": 1, "x": x, "y": y} for x, y in points]
    notes = lines.draw(plot, rows, (), {1: "a"}, Paper("p")).notes
    assert len(notes) == bool(note)
    for said in notes:
        assert said.startswith(note)
        assert (float(said.split()[-5]) > LARGEST_ERROR) == (len(points) == 2000)


# -- elements ----------------------------------------------------------------------------------------


def test_text_and_attributes_are_escaped() -> None:
    hostile = "\"><script>alert('x')</script>&"
    drawn = text(hostile, 1.005, -0.001, class_=hostile)
    parsed = ElementTree.fromstring(str(drawn))
    assert (parsed.text, parsed.attrib["class"], parsed.attrib["x"], parsed.attrib["y"]) == (hostile, hostile, "1", "0")
    (title,) = ElementTree.fromstring(str(marker(0, 1, 1, hostile)))
    assert title.text == hostile


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([10, 50, 90], [10, 50, 90]),
        ([50, 50, 50], [50, 60, 70]),
        ([98, 99, 100], [80, 90, 100]),
        ([100, 0], [100, 0]),
        ([-5, -5], [0, 10]),
        ([], []),
    ],
)
def test_labels_do_not_overlap(places: list[float], expected: list[float]) -> None:
    assert apart(places, 10, 0, 100) == expected


def test_a_shortened_text_fits() -> None:
    name = "a name that is much too long for its place"
    assert shortened(name, 1000) == name
    assert text_width(shortened(name, 80)) <= 80
    assert shortened(name, 80).endswith("…")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_have_the_contrast_of_wcag_aa(colours: dict[str, str]) -> None:
    read = {name: value for name, value in colours.items() if name not in ("paper", "grid", "shade")}
    assert {name: value for name, value in read.items() if contrast(value, colours["paper"]) < 4.5} == {}


# -- series and SQL ----------------------------------------------------------------------------------


def test_a_run_looks_the_same_in_every_figure() -> None:
    runs = {3: "a", 1: "b", 2: "c"}
    rows = [{"run": number, "x": 1} for number in (2, 1)]
    found = [(each.index, each.name) for each in series_of(rows, ["run"], runs)]
    assert found == [(1, "b"), (2, "c")]


def test_series_are_named_by_what_tells_them_apart() -> None:
    rows = [{"run": 1, "task": task, "same": "s"} for task in ("u", "v")]
    assert [each.name for each in series_of(rows, ["run", "task", "same"], {1: "a"})] == ["u", "v"]
    assert [each.name for each in series_of(rows, ["run", "task"], {1: "a", 2: "b"})] == ["a, u", "a, v"]
    assert [each.name for each in series_of(rows, [], {1: "a"})] == [""]


@pytest.mark.parametrize(
    ("sql", "whole"),
    [
        ("SELECT 1;\n", 'WITH "curves" AS (SELECT * FROM "s"."curves" WHERE run IN (1, 2))\nSELECT 1'),
        (
            "-- why\nwith a AS (SELECT 1) FROM a",
            'WITH "curves" AS (SELECT * FROM "s"."curves" WHERE run IN (1, 2)),\n  a AS (SELECT 1) FROM a',
        ),
        (
            "WITH RECURSIVE a AS (SELECT 1) FROM a",
            'WITH RECURSIVE "curves" AS (SELECT * FROM "s"."curves" WHERE run IN (1, 2)),\n  a AS (SELECT 1) FROM a',
        ),
    ],
)
def test_a_statement_sees_only_the_rows_of_its_runs(sql: str, whole: str) -> None:
    assert statement(sql, ["curves"], [1, 2], "s") == whole
    assert '"id"' not in statement(sql, ["runs"], [1])
    assert "WHERE id IN (1)" in statement(sql, ["runs"], [1])
    assert statement("SELECT 1", ["current_scores"], [1]) == "SELECT 1"
