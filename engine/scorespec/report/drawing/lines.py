"""Figures of lines and of points: values of two axes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from markupsafe import Markup

from scorespec.catalog.model import Plot
from scorespec.core.score_text import counted, value_text
from scorespec.report.drawing.scales import LARGEST_ERROR, can_show, scale_of, thin
from scorespec.report.drawing.svg import (
    LEADING,
    MARKERS,
    Drawing,
    Frame,
    Paper,
    Row,
    RunNames,
    Series,
    apart,
    axis_title,
    element,
    legend,
    marker,
    names_of_series,
    number,
    path,
    sample,
    series_of,
    text,
    text_lines,
    text_width,
    wrapped,
)

SHARE = 0.62  # height of a figure divided by its width
WIDEST_NAME = 0.3  # of the width, the widest names at the ends of lines
MOST_NAMES = 10  # at the ends of lines
MOST_BANDS = 4  # the largest number of lines that have bands
NARROWEST_PANEL = 15  # width of a panel in sizes of the font
GUIDE = "label"  # the column with the name of a guide
NAMED_POINTS = 20  # rows for each curve in the table behind a figure
STEP = 3  # pixels between the points of a line that a name must not cover

Points = Sequence[tuple[float, float]]


def draw(figure: Plot, rows: Sequence[Row], guides: Sequence[Row], runs: RunNames, paper: Paper) -> Drawing:
    """The picture of a figure of lines or points."""
    series, thinned = series_of(_shown(figure, rows), figure.series, runs), list[float]()
    notes = list[str]()
    if figure.low and len(series) > MOST_BANDS:
        figure, notes = replace(figure, low=None, high=None), [f"more than {MOST_BANDS} lines have no bands"]
    has_panels = figure.panels is not None
    room = 0.0 if has_panels or figure.kind != "lines" else _room(series, paper)
    shapes = _shapes(figure, series)
    # Where shapes tell points apart, the legend shows the colours of runs as bars.
    kind = "bars" if shapes and figure.kind == "points" else figure.kind
    content, top = names_of_series(() if room else series, paper, kind)
    icons = [
        (name, marker(shape, paper.font / 2, -paper.font / 3, name, paper.font / 2.6)) for name, shape in shapes.items()
    ]
    marks, top = legend(icons, 1.3 * paper.font, paper, top)
    content += marks
    if has_panels:
        panels, height = _panels(figure, rows, guides, series, shapes, top + paper.font * 0.6, paper, thinned)
        content += panels
    else:
        frame = _frame(figure, series, top, room, paper)
        content += _plotted(figure, guides, series, shapes, frame, f"{paper.id}-clip", thinned)
        content += _labels(figure, series, frame, paper) if room else ()
        height = frame.bottom
    unplaced = len(rows) - sum(len(each.rows) for each in series)
    lost = ["points that hardly differ from a line are left out"] if max(thinned, default=0) > LARGEST_ERROR else []
    lost += [f"{counted(unplaced, 'point')} lie{'s' if unplaced == 1 else ''} at infinity"] if unplaced else []
    notes += ["; ".join(lost)] if lost else []
    return Drawing(paper.picture(content, height, figure), notes, _named_points(figure, series))


def _shown(figure: Plot, rows: Iterable[Row]) -> list[Row]:
    """The rows that have a place on both axes. A named point at infinity has one at the end of the axis."""
    assert figure.x and figure.y
    axes = (figure.x, figure.y)
    return [
        row
        for row in rows
        if all(can_show("linear" if figure.mark and row.get(figure.mark) else a.scale, row[a.column]) for a in axes)
    ]


def _panels(
    figure: Plot,
    rows: Sequence[Row],
    guides: Sequence[Row],
    series: Sequence[Series],
    shapes: Mapping[str, int],
    top: float,
    paper: Paper,
    thinned: list[float],
) -> tuple[list[Markup], float]:
    """The panels of a figure, beside each other where there is room, and the height at which they end."""
    assert figure.panels
    names = dict.fromkeys(value_text(row[figure.panels]) for row in rows)
    across = max(1, min(len(names), int(paper.width // (NARROWEST_PANEL * paper.font))))
    width, content, height = paper.width / across, [], 0.0
    panel = replace(paper, width=width - (paper.font if across > 1 else 0))
    headings = {name: wrapped(name, panel.width, paper.font) for name in names}
    above = paper.font * LEADING * max(map(len, headings.values()))
    for at, (name, heading) in enumerate(headings.items()):
        own = [
            replace(each, rows=[row for row in each.rows if value_text(row[figure.panels]) == name]) for each in series
        ]
        frame = _frame(figure, own, above, 0, panel)
        height = frame.bottom + paper.font * 0.2
        title = text_lines(heading, 0, paper.font, paper.font, font_weight="600")
        drawn = _plotted(figure, guides, own, shapes, frame, f"{paper.id}-clip{at}", thinned)
        place = f"translate({number(at % across * width)} {number(top + at // across * height)})"
        content.append(element("g", *title, *drawn, transform=place))
    return content, top + height * -(-len(names) // across)


def _plotted(
    figure: Plot,
    guides: Sequence[Row],
    series: Sequence[Series],
    shapes: Mapping[str, int],
    frame: Frame,
    clip: str,
    thinned: list[float],
) -> Iterator[Markup]:
    """Axes, guides, bands, lines and named points. The errors of lines are added to ``thinned``.

    Names of guides and points are placed where no line, marker or other name is, if there is such a place.
    """
    area = element("rect", x=frame.left - 5, y=frame.top - 5, width=frame.width + 10, height=frame.height + 10)
    yield element("clipPath", area, id=clip)
    yield from frame.axes()
    drawn = {
        name: _places(figure, _shown(figure, points), frame)
        for name, points in groupby(guides, key=lambda row: value_text(row[GUIDE]))
    }
    places = [_places(figure, each.rows, frame) for each in series]
    inked = [(x + side, y) for each in places for x, y in each for side in (-4, 4)]
    for points in (*drawn.values(), *(places if figure.kind == "lines" else ())):
        inked += _dense(points, frame)
    yield from _guides(drawn, frame, clip, inked)
    for each in series:
        yield from _band(figure, each, frame, clip)
        if figure.kind == "lines":
            yield _line(figure, each, frame, clip, thinned)
    yield from _marks(figure, series, shapes, frame, inked)


def _room(series: Sequence[Series], paper: Paper) -> float:
    """The width of the names of lines if they fit at the ends of the lines; 0 if they need a legend."""
    widest = max((text_width(each.name, paper.font) + 3 * paper.font for each in series if each.name), default=0.0)
    return widest if widest <= WIDEST_NAME * paper.width and len(series) <= MOST_NAMES else 0.0


def _shapes(figure: Plot, series: Sequence[Series]) -> Mapping[str, int]:
    """The shapes of markers by the names of points; empty if the names are printed next to the points."""
    named = (row.get(figure.mark or "") for each in series for row in each.rows)
    names = sorted({value_text(name) for name in named if name is not None})
    # In a figure of points, a name that is the only one is printed next to its points.
    return {name: at for at, name in enumerate(names) if (figure.kind == "points") < len(names) <= MARKERS}


def _frame(figure: Plot, series: Sequence[Series], above: float, room: float, paper: Paper) -> Frame:
    assert figure.x and figure.y
    rows = [row for each in series for row in each.rows]
    band = [row[end] for row in rows for end in (figure.low, figure.high) if end]
    across, up = [row[figure.x.column] for row in rows], [row[figure.y.column] for row in rows]
    if figure.equal:
        across = up = [*across, *up]
    x = scale_of(figure.x.scale, across, figure.x.bounds)
    y = scale_of(figure.y.scale, [*up, *(() if figure.equal else band)], figure.y.bounds)
    left, top = paper.font * 4.2, above + paper.font * (1.15 + LEADING * len(axis_title(figure.y, paper)))
    width = paper.width - left - (room or paper.font * 2)
    height = width if figure.equal else (paper.width - left) * SHARE
    return Frame(left, top, width, height, figure.x, x, figure.y, y, paper)


def _places(figure: Plot, rows: Sequence[Row], frame: Frame) -> list[tuple[float, float]]:
    assert figure.x and figure.y
    return [(frame.across(row[figure.x.column]), frame.up(row[figure.y.column])) for row in rows]


def _line(figure: Plot, series: Series, frame: Frame, clip: str, thinned: list[float]) -> Markup:
    """The line of a series. Its largest distance from a point that it omits is added to ``thinned``."""
    rows = _of_line(figure, series)
    places = _places(figure, rows, frame)
    keep = [at for at, row in enumerate(rows) if figure.mark and row[figure.mark] is not None]
    found = thin(places, keep)
    thinned.append(found.error)
    return element(
        "path",
        class_=f"line s{series.colour} d{series.dash}",
        d=path(places[at] for at in found.kept),
        clip_path=f"url(#{clip})",
        data_series=str(series.index),
    )


def _of_line(figure: Plot, series: Series) -> list[Row]:
    """The rows of a series without the named points that are not on the line."""
    return [row for row in series.rows if not (figure.alone and row[figure.alone])]


def _band(figure: Plot, series: Series, frame: Frame, clip: str) -> Iterator[Markup]:
    """The area between the ends of intervals, thinned like a line."""
    if figure.low and figure.high and figure.kind == "lines":
        assert figure.x and figure.y
        kind, ends = figure.y.scale, (figure.low, figure.high)
        rows = [row for row in _of_line(figure, series) if all(can_show(kind, row[end]) for end in ends)]
        low, high = ([(frame.across(row[figure.x.column]), frame.up(row[end])) for row in rows] for end in ends)
        if rows:
            d = path([*(low[at] for at in thin(low).kept), *(high[at] for at in reversed(thin(high).kept))]) + "Z"
            yield element("path", class_=f"band f{series.colour}", d=d, clip_path=f"url(#{clip})")


def _marks(
    figure: Plot,
    series: Sequence[Series],
    shapes: Mapping[str, int],
    frame: Frame,
    inked: list[tuple[float, float]],
) -> Iterator[Markup]:
    """The markers of named points, in a figure of points those of all points; then their names."""
    assert figure.x and figure.y
    names: list[tuple[str, float, float]] = []
    for each in series:
        for row, (x, y) in zip(each.rows, _places(figure, each.rows, frame), strict=True):
            name = row[figure.mark] if figure.mark else None
            if (figure.kind == "points" or name is not None) and _inside(frame, x, y):
                label = row[figure.label] if figure.label else None
                said = ", ".join(value_text(part) for part in (each.name, label, name) if part)
                values = ", ".join(
                    f"{axis.name} {value_text(row[axis.column], axis.unit)}" for axis in (figure.x, figure.y)
                )
                yield each.marker(
                    x, y, f"{said}: {values}" if said else values, frame.font / 2.6, shapes.get(value_text(name))
                )
                if name is not None and not shapes:
                    names.append((value_text(name), x, y))
    for name, x, y in names:
        gap, width = frame.font * 0.6, text_width(name, frame.font * 0.92)
        downs = (0.3, -0.5, 1.2, -1.6, 2.3, -2.7, 3.4, -3.8, 4.5, -4.9, 5.6)
        places = [(left, y + down * frame.font) for down in downs for left in (x + gap, x - gap - width)]
        yield from _name(name, places, frame.font * 0.92, frame, inked, is_needed=True)


def _name(
    name: str,
    places: Points,
    size: float,
    frame: Frame,
    inked: list[tuple[float, float]],
    *,
    is_needed: bool = False,
    style: str | None = None,
) -> Iterator[Markup]:
    """A name at the first of some places that is free; at any place if it ``is_needed`` and none is free."""
    width, end, bottom = text_width(name, size), frame.left + frame.width, frame.top + frame.height
    inside = [
        (left, base)
        for left, base in places
        if frame.left < left and left + width <= end + 3 and frame.top <= base - size and base < bottom
    ]
    for left, base in inside:
        if not any(left - 2 < x < left + width + 2 and base - size < y < base + 3 for x, y in inked):
            break
    else:
        if not is_needed:
            return
        left, base = (inside or places)[0]
    top, right = base - 0.8 * size, left + width
    inked += _dense([(left, top), (right, top), (right, base), (left, base)], frame)
    yield text(name, left, base, size, class_=style)


def _dense(places: Points, frame: Frame) -> Iterator[tuple[float, float]]:
    """Points of a line, as far as it is in the frame, a few pixels from each other."""
    for (x, y), (to_x, to_y) in pairwise(places):
        if _inside(frame, x, y) or _inside(frame, to_x, to_y):
            steps = min(int(max(abs(to_x - x), abs(to_y - y)) // STEP) + 1, int(frame.width))
            yield from ((x + (to_x - x) * at / steps, y + (to_y - y) * at / steps) for at in range(steps + 1))


def _inside(frame: Frame, x: float, y: float) -> bool:
    return frame.left - 1 <= x <= frame.left + frame.width + 1 and frame.top - 1 <= y <= frame.top + frame.height + 1


def _labels(figure: Plot, series: Sequence[Series], frame: Frame, paper: Paper) -> Iterator[Markup]:
    """The names of lines, each at the end of its line, as far as there is room."""
    named = [each for each in series if each.name]
    inside = ([place for place in _places(figure, each.rows, frame) if _inside(frame, *place)] for each in named)
    ends = [max(places, default=(frame.left, frame.top)) for places in inside]
    gap = paper.font * 1.25
    places = apart([y for _, y in ends], gap, frame.top, frame.top + frame.height)
    x = frame.left + frame.width + paper.font * 0.6
    for each, y in zip(named, places, strict=True):
        yield sample(each, x, y, paper.font)
        yield text(each.name, x + paper.font * 2, y + paper.font / 3, paper.font)


def _guides(
    guides: Mapping[str, Points], frame: Frame, clip: str, inked: list[tuple[float, float]]
) -> Iterator[Markup]:
    """Thin lines, each with its name beside it."""
    size = frame.font * 0.85
    for name, places in guides.items():
        inside, width = [each for each in places if _inside(frame, *each)], text_width(name, size)
        yield element("path", class_="guide", d=path(places[at] for at in thin(places).kept), clip_path=f"url(#{clip})")
        half = len(inside) // 2  # places near the middle of the line come first
        beside = [
            (left, base)
            for x, y in inside[half:] + inside[:half]
            for left in (x + 3, x - 3 - width)
            for base in (y - 3, y + size + 1)
        ]
        yield from _name(name, beside, size, frame, inked, style="muted")


def _named_points(figure: Plot, series: Sequence[Series]) -> list[Row]:
    """The rows of the table behind a figure: of each line its named points, its ends, and points between them."""
    if figure.kind == "points":
        return [row for each in series for row in each.rows]
    found: list[Row] = []
    for each in series:
        marked = [at for at, row in enumerate(each.rows) if figure.mark and row[figure.mark] is not None]
        room, last = max(NAMED_POINTS - len(marked), 2), len(each.rows) - 1
        spread = {round(at * last / (room - 1)) for at in range(room)}
        found += [each.rows[at] for at in sorted({*marked[:NAMED_POINTS], *spread})]
    return found
