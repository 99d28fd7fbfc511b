"""The arithmetic of figures: scales of axes, ticks, points that a line can do without, places of labels."""

from __future__ import annotations

import itertools
import math
import random
import re
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from statistics import NormalDist
from xml.etree import ElementTree

import pytest

from pictures import boxes, is_clear
from scorespec.catalog.model import Axis, Plot
from scorespec.core.result_tables import RunRecord
from scorespec.core.score_text import value_text
from scorespec.report.drawing import dots, lines, matrix, spans
from scorespec.report.drawing.scales import LARGEST_ERROR, MOST_POINTS, Scale, can_show, scale_of, thin, tick_text
from scorespec.report.drawing.svg import (
    DARK,
    LIGHT,
    Paper,
    apart,
    marker,
    series_of,
    text,
    text_width,
    wrapped,
)
from scorespec.report.figures import statement
from scorespec.report.subject import ChosenRun


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
    assert 3 <= len(ticks) <= 7
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
        (Scale("linear", -10.4, 27.6), 3, ["-10", "0", "10", "20"]),
        (Scale("log", 0.9, 110), 2, ["1", "10", "100"]),
        (Scale("probit", 0.3, 0.55), 3, ["0.3", "0.4", "0.5"]),
        (Scale("probit", 0.001, 0.9), 3, ["0.001", "0.1", "0.6"]),
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
    thinned = thin(points, marked)
    kept = list(thinned.kept)
    assert {0, 2999, *marked} <= set(kept)
    assert kept == sorted(set(kept))
    assert len(kept) <= MOST_POINTS
    assert largest_distance(points, kept) == pytest.approx(thinned.error, abs=1e-9)
    assert thinned.error <= LARGEST_ERROR or len(kept) == MOST_POINTS


def test_points_on_one_line_need_only_its_ends() -> None:
    thinned = thin([(0, 0), (1, 2), (2, 4), (3, 6), (10, 20)])
    assert (list(thinned.kept), thinned.error) == ([0, 4], 0)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_points_stay(count: int) -> None:
    assert list(thin([(at, at) for at in range(count)]).kept) == list(range(count))


def test_a_curve_that_needs_more_points_says_how_far_it_is() -> None:
    zigzag = [(float(at), float(at % 2)) for at in range(2000)]
    thinned = thin(zigzag, most=100)
    assert len(thinned.kept) == 100
    assert thinned.error > LARGEST_ERROR
    assert largest_distance(zigzag, list(thinned.kept)) == pytest.approx(thinned.error)


@pytest.mark.parametrize(
    ("points", "note"),
    [
        ([(at, at) for at in range(10)], []),
        ([(at, at) for at in range(10)] + [(10, math.inf)], ["1 point lies at infinity"]),
        ([(0, 0), (1, 2), (2, -math.inf), (3, math.inf)], ["2 points lie at infinity"]),
        ([(0, 0), (1, 2)], []),
    ],
)
def test_a_figure_says_what_it_leaves_out(points: list[tuple[int, float]], note: list[str]) -> None:
    plot = Plot(title="t", about="a", kind="lines", x=Axis("x"), y=Axis("y"))
    rows = [{"run": 1, "x": x, "y": y} for x, y in points]
    assert lines.draw(plot, rows, (), {1: "a"}, Paper("p")).notes == note


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


def test_the_lines_of_a_wrapped_text_fit() -> None:
    name = "Our Conformer, 12 layers, language-specific fine-tuning"
    assert wrapped(name, 1000) == [name]
    for width in (60, 80, 200):
        assert max(map(text_width, wrapped(name, width))) <= width
    assert wrapped(name, 240) == ["Our Conformer, 12 layers, language-", "specific fine-tuning"]
    assert "".join(wrapped("x" * 40, 100)) == "x" * 40
    assert wrapped("conformer_large_streaming_2024", 150) == ["conformer_large_", "streaming_2024"]
    assert [wrapped(blank, 100) for blank in ("", " ", "   ")] == [[""], [" "], ["   "]]


def test_long_names_that_begin_alike_stay_apart() -> None:
    first, second = (wrapped(f"{'Our Conformer ' * 30}{end}", 130) for end in ("fine-tuned", "multilingual"))
    assert len(first) <= 6
    assert "…" in "".join(first)
    assert first[0] == second[0]
    assert "".join(first).endswith("fine-tuned")
    assert "".join(second).endswith("multilingual")


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


# -- nothing is cut, and nothing overprinted ---------------------------------------------------------

NAMES = [
    f"Our Conformer, {12 + at} layers, {how} fine-tuning" for at in range(4) for how in ("language-specific", "own")
]
COLUMN = Paper("p", 3.3 * 96, 8 * 96 / 72)  # a column of a paper
RUNS = dict(enumerate(NAMES))


@pytest.mark.parametrize("ends", [(1e-6, 1.5e-6), (4e-4, 0.02), (0.02, 0.9), (0.1231, 0.124), (0.97, 0.9999)])
@pytest.mark.parametrize("kinds", [("probit", "probit"), ("log", "linear"), ("linear", "log")])
@pytest.mark.parametrize("shown", [1, 2, 8])
def test_lines_in_a_column_of_a_paper(kinds: tuple[str, str], ends: tuple[float, float], shown: int) -> None:
    low, high = ends
    rows = [
        {"run": run, "x": low + (high - low) * at / 9, "y": high - (high - low) * at / 9, "mark": mark}
        for run in range(shown)
        for at, mark in enumerate([None, "actual", None, "best", "θ_mincost", "θ_devel", None, None, None, None])
    ]
    x, y = Axis("x", "false alarm rate", "%", kinds[0]), Axis("y", "miss rate", "%", kinds[1])
    plot = Plot(title="t", about="a", kind="lines", x=x, y=y, mark="mark")
    said = is_clear(lines.draw(plot, rows, (), dict(list(RUNS.items())[:shown]), COLUMN), COLUMN)
    assert {"actual", "best", "θ_devel", "θ_mincost", "miss rate (%)"} <= set(said)
    assert "…" not in "".join(said)
    whole = " ".join(said).replace("- ", "-")
    assert all(name in whole for name in NAMES[:shown]) == (shown > 1)
    numbers = [each for each in said if re.fullmatch(r"[\d.,e-]+", each)]
    assert len(numbers) >= 6  # three ticks on each axis


def test_markers_tell_named_points_apart() -> None:
    rows = [{"run": 1, "x": at, "y": at, "mark": mark} for at, mark in enumerate(["best", None, "actual", "best"])]
    plot = Plot(title="t", about="a", kind="lines", x=Axis("x"), y=Axis("y"), mark="mark")
    svg = str(lines.draw(plot, rows, (), {1: "a"}, COLUMN).svg)
    assert (svg.count('<circle class="marker f0'), svg.count('<path class="marker f0')) == (1, 2)
    assert (svg.count(">actual</text>"), svg.count(">best</text>")) == (1, 1)


@pytest.mark.parametrize(("shown", "bands"), [(4, 4), (5, 0)])
def test_many_lines_have_no_bands(shown: int, bands: int) -> None:
    rows = [{"run": run, "x": at, "y": run, "low": run - at, "high": run + at} for run in range(shown) for at in (1, 2)]
    plot = Plot(title="t", about="a", kind="lines", x=Axis("x"), y=Axis("y"), low="low", high="high")
    drawn = lines.draw(plot, rows, (), RUNS, COLUMN)
    assert str(drawn.svg).count('class="band ') == bands
    assert drawn.notes == ([] if bands else ["more than 4 lines have no bands"])


@pytest.mark.parametrize("kind", ["dots", "bars"])
@pytest.mark.parametrize("shown", [1, 8])
@pytest.mark.parametrize("size", [1, 1000, -600_000])
def test_dots_and_bars_in_a_column_of_a_paper(kind: str, shown: int, size: float) -> None:
    names = [*NAMES[:2], "d", "noisy200 noisy200-00049-of-a-long-recording"]
    rows = [
        {"run": run, "name": name, "x": size * (at + 1), "low": size * at, "high": size * (at + 2), "words": 1234}
        for run in range(shown)
        for at, name in enumerate(names)
    ]
    x = Axis("x", "difference of the actual term-weighted values of two systems, the second minus the first")
    plot = Plot(title="t", about="a", kind=kind, x=x, label="name", low="low", high="high", beside=Axis("words"))
    said = " ".join(is_clear(dots.draw(plot, rows, dict(list(RUNS.items())[:shown]), COLUMN), COLUMN)).replace(
        "- ", "-"
    )
    assert all(name in said for name in names)
    assert all(name in said for name in NAMES[:shown])


def test_names_of_guides_keep_clear_of_lines() -> None:
    """The line of a run runs through the first places for a name."""
    guides = [
        {"label": name, "x": at, "y": height + at / 100}
        for name, height in (("low", 2), ("high", 8))
        for at in range(21)
    ]
    rows = [{"run": 1, "x": at, "y": 2 if at % 2 else 3} for at in range(16)]
    plot = Plot(title="t", about="a", kind="lines", x=Axis("x", range=(0, 20)), y=Axis("y", range=(0, 10)))
    drawing = lines.draw(plot, rows, guides, {1: "a"}, COLUMN)
    named = {said: box for said, *box in boxes(drawing, COLUMN)}
    assert {"low", "high"} <= named.keys()
    path = re.search(r'class="line [^>]* d="M([^"]+)"', str(drawing.svg))
    assert path
    corners = [tuple(map(float, each.split())) for each in path[1].split("L")]
    left, top, right, bottom = named["low"]
    assert not any(left < x < right and top < y < bottom for x, y in corners)


def test_a_matrix_in_a_column_of_a_paper() -> None:
    types = ["ORGANIZATION", "GEOPOLITICAL ENTITY", "DATE", "none", "LANGUAGE", "PERCENT", "PERSON"]
    rows = [
        {"run": run, "reference": one, "hypothesis": other, "entities": 12_345}
        for run in range(2)
        for one in types
        for other in types
    ]
    axes = {"x": Axis("hypothesis"), "y": Axis("reference"), "value": Axis("entities")}
    said = is_clear(matrix.draw(Plot(title="t", about="a", kind="matrix", **axes), rows, RUNS, COLUMN), COLUMN)
    assert {name: said.count(name) for name in types} == dict.fromkeys(types, 4) | {types[1]: 2}
    assert said.count("12,345") == 98


def span(
    figure: Plot, rows: list[dict[str, object]], runs: dict[int, str], paper: Paper = COLUMN
) -> list[tuple[float, float, float, str]]:
    """Left end, width, middle and classes of each bar: its colour and its shade."""
    picture = ElementTree.fromstring(str(spans.draw(figure, rows, runs, paper).svg))
    bars = (each.attrib for each in picture if each.tag.endswith("rect"))
    return [
        (float(bar["x"]), float(bar["width"]), float(bar["y"]) + float(bar["height"]) / 2, bar["class"]) for bar in bars
    ]


TURNS = Plot(
    title="t", about="a", kind="spans", x=Axis("onset", "time", "s"), until="end", label="who", series=("kind",)
)


def test_spans_lie_on_one_axis_with_a_row_for_each_name() -> None:
    times = [("ann", 0, 10, "speech"), ("bob", 10, 15, "speech"), ("ann", 15, 20, "error")]
    rows = [{"onset": a, "end": b, "who": who, "kind": kind} for who, a, b, kind in times]
    one, two, three = span(TURNS, rows, {1: "a"})
    assert (two[1] / one[1], three[1] / one[1]) == pytest.approx((0.5, 0.5), abs=1e-3)
    assert (one[0] + one[1], two[0] + two[1]) == pytest.approx((two[0], three[0]), abs=0.02)
    assert one[2] == three[2] < two[2]
    assert (one[3], two[3], three[3]) == ("f0 s0 t0", "f0 s0 t0", "f0 s0 t1")


def test_spans_end_at_the_ends_of_the_axis_and_can_be_seen() -> None:
    figure = replace(TURNS, x=Axis("onset", range=(0, 10)))
    rows = [{"onset": a, "end": b, "who": "ann", "kind": "k"} for a, b in ((-5, 20), (3, 3.0001), (3, 3), (3, None))]
    whole, short, nothing = span(figure, rows, {1: "a"})
    assert whole[0] + whole[1] == pytest.approx(COLUMN.width - 2 * COLUMN.font, abs=0.02)
    assert (short[1], nothing[1]) == (spans.THINNEST, 0)
    assert spans.draw(figure, rows, {1: "a"}, COLUMN).notes == ["1 row without a place on the axis"]


SPANS = [
    {"run": run, "doc": doc, "onset": 0, "end": 10 * run, "who": "ann", "kind": f"kind {run}"}
    for run in (2, 1)
    for doc in ("d", "e")
]


def test_spans_of_the_first_panel_are_below_each_other_with_equal_axes() -> None:
    """The rows of the second run come first. A colour is a value of the series."""
    one, twice = span(replace(TURNS, panels="doc"), SPANS, {1: "a", 2: "b"})
    assert (one[0], one[1] * 2) == pytest.approx((twice[0], twice[1]), abs=0.02)
    assert one[2] < twice[2]
    assert (one[3], twice[3]) == ("f1", "f0")
    said = is_clear(spans.draw(replace(TURNS, panels="doc"), SPANS, {1: "a", 2: "b"}, COLUMN), COLUMN)
    assert [each for each in said if each in ("a, d", "a, e", "b, d", "b, e")] == ["a, d", "b, d"]


def test_spans_of_runs_without_panels_are_beside_each_other_in_their_row() -> None:
    """A run has its colour, a kind its shade in all runs."""
    rows = [each for each in SPANS if each["doc"] == "d"]
    twice, one = span(TURNS, rows, {1: "a", 2: "b"})
    assert (one[0], one[1] * 2) == pytest.approx((twice[0], twice[1]), abs=0.02)
    assert 0 < twice[2] - one[2] < COLUMN.font
    assert (one[3], twice[3]) == ("f0 s0 t1", "f1 s1 t0")


@pytest.mark.parametrize("shown", [1, 8])
def test_spans_in_a_column_of_a_paper(shown: int) -> None:
    rows = [
        {"run": run, "who": name, "onset": at, "end": at + 100, "kind": f"a kind of speech {at}"}
        for run in range(shown)
        for at, name in enumerate(NAMES)
    ]
    said = " ".join(is_clear(spans.draw(TURNS, rows, dict(list(RUNS.items())[:shown]), COLUMN), COLUMN)).replace(
        "- ", "-"
    )
    assert all(f"a kind of speech {at}" in said for at in range(len(NAMES)))


# -- series and SQL ----------------------------------------------------------------------------------


def test_a_run_looks_the_same_in_every_figure() -> None:
    runs = {3: "a", 1: "b", 2: "c"}
    rows = [{"run": number, "x": 1} for number in (2, 1)]
    found = [(each.colour, each.shape, each.name) for each in series_of(rows, ["run"], runs)]
    assert found == [("1", 1, "b"), ("2", 2, "c")]


def test_a_colour_is_a_run_and_a_shape_what_else_tells_series_apart() -> None:
    runs = {3: "a", 1: "b"}
    rows = [{"run": run, "component": each} for run in (1, 3) for each in ("precision", "recall")]
    found = [(each.colour, each.shape, each.dash, each.name) for each in series_of(rows, ["run", "component"], runs)]
    assert found == [
        ("0", 0, 0, "a, precision"),
        ("0", 1, 1, "a, recall"),
        ("1", 0, 0, "b, precision"),
        ("1", 1, 1, "b, recall"),
    ]
    of_one = series_of(rows[:2], ["run", "component"], {1: "b"})
    assert [(each.colour, each.fill) for each in of_one] == [("0", "f0 s0 t0"), ("0", "f0 s0 t1")]


def test_what_belongs_to_no_run_is_grey() -> None:
    runs = {1: "a", 2: "b"}
    of_target = [*({"run": run, "line": "synthesis"} for run in runs), {"run": None, "line": "target"}]
    assert [each.colour for each in series_of(of_target, ["run", "line"], runs)] == ["0", "1", "n"]
    of_gold = [{"run": run, "side": side} for run in runs for side in (None, "system")]
    assert [each.colour for each in series_of(of_gold, ["run", "side"], runs)] == ["0", "1", "n", "n"]
    assert [each.colour for each in series_of([{"side": "a"}, {"side": "b"}], ["side"], runs)] == ["n", "n"]


def test_bars_of_one_series_each_are_in_the_middle_of_their_rows() -> None:
    """Such as differences, which have the colour of the better run."""
    rows = [{"run": run, "name": name, "x": 1} for run, name in ((1, "u"), (2, "v"))]
    plot = Plot(title="t", about="a", kind="bars", x=Axis("x"), label="name")
    one, other = re.findall(
        r'class="f(.) s. t0"[^>]* y="([\d.]+)"', str(dots.draw(plot, rows, {1: "a", 2: "b"}, COLUMN).svg)
    )
    assert (one[0], other[0]) == ("0", "1")
    assert float(other[1]) - float(one[1]) == pytest.approx(dots.ROW * COLUMN.font, abs=0.02)


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
    record = RunRecord(time=datetime.now(), suite="s", signature="s", parameters={})
    runs = [ChosenRun(number, f"run {number}", record, (), ()) for number in (1, 2)]
    assert statement(sql, ["curves"], runs, "s") == whole
    assert '"id"' not in statement(sql, ["runs"], runs)
    assert "WHERE id IN (1, 2)" in statement(sql, ["runs"], runs)
    assert statement("SELECT 1", ["current_scores"], runs) == "SELECT 1"
