"""Figures of dots and of bars: a row for each name, a value of the horizontal axis for each series."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from scorespec.catalog.model import Plot
from scorespec.core.groups import grouped
from scorespec.core.score_text import counted, value_text
from scorespec.report.drawing.scales import can_show, scale_of
from scorespec.report.drawing.svg import (
    LEADING,
    Drawing,
    Frame,
    Paper,
    Row,
    RunNames,
    Series,
    element,
    names_of_series,
    path,
    series_of,
    text,
    text_lines,
    text_width,
    wrapped,
)

ROW = 1.6  # height of a row with one series, in sizes of the font
FURTHER = 0.75  # additional height for each further series
MOST_SIDE = 0.42  # of the width that names of rows may take


@dataclass(frozen=True)
class NamedRows:
    """Rows one below the other: the lines of their names, their middles, where they end, and the width of the names."""

    names: Mapping[str, Sequence[str]]
    middles: Mapping[str, float]
    end: float
    side: float

    def texts(self, right: float, font: float) -> Iterator[Markup]:
        """The names, which end at ``right``."""
        for name, lines in self.names.items():
            y = self.middles[name] + font * (1 / 3 - LEADING * (len(lines) - 1) / 2)
            yield from text_lines(lines, right, y, font, text_anchor="end")


def named_rows(names: Iterable[str], several: int, top: float, paper: Paper) -> NamedRows:
    """Rows of these names from a place on, with room for ``several`` series in each."""
    distinct, middles, end = list(dict.fromkeys(names)), dict[str, float](), top
    side = min(max((text_width(name, paper.font) for name in distinct), default=0) + 1, paper.width * MOST_SIDE)
    row_names = {name: wrapped(name, side, paper.font) for name in distinct}
    for name, lines in row_names.items():
        height = paper.font * (ROW + max(FURTHER * (several - 1), LEADING * (len(lines) - 1)))
        middles[name], end = end + height / 2, end + height
    return NamedRows(row_names, middles, end, side)


def draw(figure: Plot, rows: Sequence[Row], runs: RunNames, paper: Paper) -> Drawing:
    """The picture of a figure of dots or bars."""
    assert figure.x and figure.label
    x, label = figure.x, figure.label
    shown = [row for row in rows if can_show(x.scale, row[x.column])]
    series = series_of(shown, figure.series, runs)
    head, top = names_of_series(series, paper, figure.kind)
    top += 4 + (paper.font * 1.4 if figure.beside else 0)
    lanes = {(value_text(row[label]), each.index) for each in series for row in each.rows}
    several = len(series) if len({name for name, _ in lanes}) < len(lanes) else 1
    named = named_rows((value_text(row[label]) for row in shown), several, top, paper)
    ends = [row[end] for row in shown for end in (figure.low, figure.high) if end]
    zero = [0.0] if figure.kind == "bars" and x.scale == "linear" else []
    scale = scale_of(x.scale, [*(row[x.column] for row in shown), *ends, *zero], x.bounds)
    left, height = named.side + paper.font, max(named.end - top, paper.font)
    width = paper.width - left - paper.font * (5 if figure.beside else 2)
    frame = Frame(left, top, width, height, x, scale, None, None, paper)
    content: list[Markup] = [*head, *frame.axes(), *named.texts(frame.left - 6, paper.font)]
    if x.scale == "linear" and 0 <= frame.x_scale.at(0) <= 1:
        at = frame.across(0)
        content.append(element("path", class_="axis", d=path([(at, top), (at, top + height)])))
    for place, each in enumerate(series):
        offset = (place - (several - 1) / 2) * paper.font * FURTHER if several > 1 else 0
        content += _drawn(figure, each, named.middles, offset, frame)
    content += _beside(figure, shown, named.middles, frame)
    lost = len(rows) - len(shown)
    notes = [counted(lost, "row") + " without a value on the axis"] if lost else []
    return Drawing(paper.picture(content, frame.bottom, figure), notes, rows)


def _drawn(figure: Plot, series: Series, middles: Mapping[str, float], offset: float, frame: Frame) -> Iterator[Markup]:
    """The dots with their whiskers, or the bars, of a series."""
    assert figure.x and figure.label
    for row in series.rows:
        value, name = row[figure.x.column], value_text(row[figure.label])
        x, y = frame.across(value), middles[name] + offset
        given = (row[end] if end else None for end in (figure.low, figure.high))
        low, high = (end if can_show(figure.x.scale, end) else None for end in given)
        said = f"{name}{f', {series.name}' if series.name else ''}: {value_text(value, figure.x.unit)}"
        if low is not None and high is not None:
            said += f" [{value_text(low, figure.x.unit)}, {value_text(high, figure.x.unit)}]"
        if figure.kind == "bars":
            yield _bar(series, frame, x, y, said, figure.x.scale == "linear")
        if low is not None and high is not None:
            ends = max(frame.across(low), frame.left), min(frame.across(high), frame.left + frame.width)
            marks = "".join(path([(end, y - 3), (end, y + 3)]) for end in ends)
            yield element("path", class_=f"whisker s{series.colour}", d=path([(end, y) for end in ends]) + marks)
        if figure.kind == "dots":
            yield series.marker(x, y, said, frame.font / 3)


def _bar(series: Series, frame: Frame, x: float, y: float, said: str, from_zero: bool) -> Markup:
    zero = min(max(frame.across(0), frame.left), frame.left + frame.width) if from_zero else frame.left
    thick = frame.font * 0.62
    return element(
        "rect",
        element("title", Markup.escape(said)),
        class_=series.fill,
        x=min(x, zero),
        y=y - thick / 2,
        width=abs(x - zero),
        height=thick,
    )


def _beside(figure: Plot, rows: Sequence[Row], middles: Mapping[str, float], frame: Frame) -> Iterator[Markup]:
    """The number beside each row, with its heading."""
    if not figure.beside or not figure.label:
        return
    right, size = frame.left + frame.width + frame.font * 4.6, frame.font * 0.92
    yield text(figure.beside.name, right, frame.top - 6, size, class_="muted", text_anchor="end")
    for name, (row, *_) in grouped((value_text(row[figure.label]), row) for row in rows).items():
        said = value_text(row[figure.beside.column], figure.beside.unit)
        yield text(said, right, middles[name] + frame.font / 3, size, class_="muted", text_anchor="end")
