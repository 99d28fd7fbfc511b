"""Figures of lines and of points: values of two axes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

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
NARROWEST_PANEL = 24  # width of a panel in sizes of the font
GUIDE = "label"  # the column with the name of a guide
NAMED_POINTS = 20  # rows for each curve in the table behind a figure


@dataclass
class Lost:
    """What a figure does not show: the number of points without a place on its axes, and of points beside its lines."""

    unplaced: int = 0
    thinned: int = 0
    farthest: float = LARGEST_ERROR  # pixels from a line to a point that it leaves out

    def notes(self) -> list[str]:
        """What is not shown, in words."""
        notes = [counted(self.unplaced, "point") + " without a place on the axes"] if self.unplaced else []
        if self.thinned:
            thinned = counted(self.thinned, "point")
            notes.append(f"lines leave out {thinned}, each at most {self.farthest:.2f} pixels from its line")
        return notes


def draw(figure: Plot, rows: Sequence[Row], guides: Sequence[Row], runs: RunNames, paper: Paper) -> Drawing:
    """The picture of a figure of lines or points."""
    series, lost = series_of(_shown(figure, rows), figure.series, runs), Lost()
    notes = list[str]()
    if figure.low and len(series) > MOST_BANDS:
        figure, notes = replace(figure, low=None, high=None), [f"more than {MOST_BANDS} lines have no bands"]
    of_lines, has_panels = figure.kind == "lines", figure.panels is not None and figure.kind == "lines"
    room = 0.0 if has_panels or not of_lines else _room(series, paper)
    content, top = names_of_series(() if room else series, paper, of_lines=of_lines)
    shapes = _shapes(figure, series)
    icons = [
        (name, marker(shape, paper.font / 2, -paper.font / 3, name, paper.font / 2.6)) for name, shape in shapes.items()
    ]
    marks, top = legend(icons, 1.3 * paper.font, paper, top)
    content += marks
    if has_panels:
        panels, height = _panels(figure, rows, guides, series, shapes, top + paper.font * 0.6, paper, lost)
        content += panels
    else:
        frame = _frame(figure, series, top, room, paper)
        content += _plotted(figure, rows, guides, series, shapes, frame, f"{paper.id}-clip", lost)
        content += _labels(figure, series, frame, paper) if room else ()
        height = frame.bottom
    return Drawing(paper.picture(content, height, figure), [*lost.notes(), *notes], _named_points(figure, series))


def _shown(figure: Plot, rows: Iterable[Row]) -> list[Row]:
    """The rows that have a place on both axes."""
    assert figure.x and figure.y
    x, y = figure.x, figure.y
    return [row for row in rows if can_show(x.scale, row[x.column]) and can_show(y.scale, row[y.column])]


def _panels(
    figure: Plot,
    rows: Sequence[Row],
    guides: Sequence[Row],
    series: Sequence[Series],
    shapes: Mapping[str, int],
    top: float,
    paper: Paper,
    lost: Lost,
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
        part = [row for row in rows if value_text(row[figure.panels]) == name]
        own = [
            replace(each, rows=[row for row in each.rows if value_text(row[figure.panels]) == name]) for each in series
        ]
        frame = _frame(figure, own, above, 0, panel)
        height = frame.bottom + paper.font * 0.2
        title = text_lines(heading, 0, paper.font, paper.font, font_weight="600")
        drawn = _plotted(figure, part, guides, own, shapes, frame, f"{paper.id}-clip{at}", lost)
        place = f"translate({number(at % across * width)} {number(top + at // across * height)})"
        content.append(element("g", *title, *drawn, transform=place))
    return content, top + height * -(-len(names) // across)


def _plotted(
    figure: Plot,
    rows: Sequence[Row],
    guides: Sequence[Row],
    series: Sequence[Series],
    shapes: Mapping[str, int],
    frame: Frame,
    clip: str,
    lost: Lost,
) -> Iterator[Markup]:
    """Axes, guides, bands, lines and named points; what they leave out is added to ``lost``."""
    lost.unplaced += len(rows) - sum(len(each.rows) for each in series)
    area = element("rect", x=frame.left - 5, y=frame.top - 5, width=frame.width + 10, height=frame.height + 10)
    yield element("clipPath", area, id=clip)
    yield from frame.axes()
    yield from _guides(figure, guides, frame, clip)
    for each in series:
        yield from _band(figure, each, frame, clip)
        if figure.kind == "lines":
            line, thinned, error = _line(figure, each, frame, clip)
            yield line
            lost.thinned, lost.farthest = lost.thinned + thinned, max(lost.farthest, error)
    yield from _marks(figure, series, shapes, frame)


def _room(series: Sequence[Series], paper: Paper) -> float:
    """The width of the names of lines if these can stand at the ends of the lines; 0 if they need a legend."""
    widest = max((text_width(each.name, paper.font) + 3 * paper.font for each in series if each.name), default=0.0)
    return widest if widest <= WIDEST_NAME * paper.width and len(series) <= MOST_NAMES else 0.0


def _shapes(figure: Plot, series: Sequence[Series]) -> Mapping[str, int]:
    """The shapes of markers by the names of points; empty if the names stand beside the points."""
    named = (row.get(figure.mark or "") for each in series for row in each.rows)
    names = sorted({value_text(name) for name in named if name is not None})
    return {name: at for at, name in enumerate(names) if figure.kind == "lines" and len(names) <= MARKERS}


def _frame(figure: Plot, series: Sequence[Series], above: float, room: float, paper: Paper) -> Frame:
    assert figure.x and figure.y
    rows = [row for each in series for row in each.rows]
    band = [row[end] for row in rows for end in (figure.low, figure.high) if end]
    x = scale_of(figure.x.scale, (row[figure.x.column] for row in rows), figure.x.bounds)
    y = scale_of(figure.y.scale, [*(row[figure.y.column] for row in rows), *band], figure.y.bounds)
    left, top = paper.font * 4.2, above + paper.font * (1.15 + LEADING * len(axis_title(figure.y, paper)))
    width = paper.width - left - (room or paper.font * 2)
    return Frame(left, top, width, (paper.width - left) * SHARE, figure.x, x, figure.y, y, paper)


def _places(figure: Plot, rows: Sequence[Row], frame: Frame) -> list[tuple[float, float]]:
    assert figure.x and figure.y
    return [(frame.across(row[figure.x.column]), frame.up(row[figure.y.column])) for row in rows]


def _line(figure: Plot, series: Series, frame: Frame, clip: str) -> tuple[Markup, int, float]:
    """The line of a series, the number of points that it leaves out, and how far it is from them."""
    rows = _of_line(figure, series)
    places = _places(figure, rows, frame)
    keep = [at for at, row in enumerate(rows) if figure.mark and row[figure.mark] is not None]
    thinned = thin(places, keep)
    kept = [places[at] for at in thinned.kept]
    style = f"line s{series.colour} d{series.dash}"
    drawn = element("path", class_=style, d=path(kept), clip_path=f"url(#{clip})", data_series=str(series.index))
    return drawn, len(places) - len(kept), thinned.error


def _of_line(figure: Plot, series: Series) -> list[Row]:
    """The rows of a series without the named points that stand beside the line."""
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


def _marks(figure: Plot, series: Sequence[Series], shapes: Mapping[str, int], frame: Frame) -> Iterator[Markup]:
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
                shape = shapes.get(value_text(name)) if shapes else None
                yield each.marker(x, y, f"{said}: {values}" if said else values, frame.font / 2.6, shape)
                if name is not None and not shapes:
                    names.append((value_text(name), x, y))
    yield from _beside(names, frame)


def _beside(names: Sequence[tuple[str, float, float]], frame: Frame) -> Iterator[Markup]:
    """The names of points, each at the first of four places beside its point that no other name takes."""
    size, gap, right = frame.font * 0.92, frame.font * 0.6, frame.left + frame.width
    taken = [
        (x - gap / 2, x + gap / 2, y + gap / 2) for _, x, y in names
    ]  # left end, right end, baseline; first markers
    for name, x, y in names:
        width = text_width(name, size)
        lefts = (x + gap, x - gap - width) if x + gap + width <= right + gap else (x - gap - width,)
        places = [(left, left + width, y + down * frame.font) for down in (-0.5, 1.2, -1.6, 2.3) for left in lefts]
        free = [
            (left, end, base)
            for left, end, base in places
            if not any(left < last and first < end and abs(base - other) < size for first, last, other in taken)
        ]
        place = (free or places)[0]
        taken.append(place)
        yield text(name, place[0], place[2], size)


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


def _guides(figure: Plot, rows: Sequence[Row], frame: Frame, clip: str) -> Iterator[Markup]:
    """Thin lines, each with its name where the line begins, or farther along if another name stands there."""
    size, taken = frame.font * 0.85, list[tuple[float, float]]()
    for name, points in groupby(rows, key=lambda row: row[GUIDE]):
        places = _places(figure, _shown(figure, points), frame)
        if inside := [each for each in places if _inside(frame, *each)]:
            kept = thin(places).kept
            yield element("path", class_="guide", d=path(places[at] for at in kept), clip_path=f"url(#{clip})")
            said, end = value_text(name), frame.left + frame.width
            width = text_width(said, size)
            free = (
                (left + 3, base)
                for left, top in inside
                for base in [max(top - 3, frame.top + size)]
                if left + 3 + width <= end and all(abs(left + 3 - x) > width or abs(base - y) > size for x, y in taken)
            )
            if place := next(free, None):
                taken.append(place)
                yield text(said, *place, size, class_="muted")


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
