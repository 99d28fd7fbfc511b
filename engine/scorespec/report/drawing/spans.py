"""Figures of spans: in the row of each name, bars from where something begins to where it ends."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from scorespec.catalog.model import Plot
from scorespec.core.score_text import counted, value_text
from scorespec.report.drawing.dots import named_rows
from scorespec.report.drawing.scales import can_show, scale_of
from scorespec.report.drawing.svg import (
    RUN,
    Drawing,
    Frame,
    Paper,
    Row,
    RunNames,
    Series,
    below_each_other,
    element,
    legend,
    series_of,
)

THICK = 0.9  # of a bar, in sizes of the font
THINNEST = 0.8  # pixels: shorter spans are as wide, except those of no length


def draw(figure: Plot, rows: Sequence[Row], runs: RunNames, paper: Paper) -> Drawing:
    """The picture of spans; of several runs or panels, one below the other with equal axes."""
    assert figure.x and figure.until
    x, ends, font = figure.x, (figure.x.column, figure.until), paper.font
    shown = [row for row in rows if all(can_show(x.scale, row[end]) for end in ends)]
    columns = [each for each in figure.series if each != RUN]
    series, parts = series_of(shown, [RUN, *columns], runs), series_of(shown, columns, {})
    of_row = {id(row): each for each in series for row in each.rows}
    scale = scale_of(x.scale, (row[end] for row in shown for end in ends), x.bounds)

    def bars(rows: Sequence[Row], top: float) -> tuple[list[Markup], float]:
        """The bars of some rows with their axis, and the height of all this."""
        named = named_rows((value_text(row[figure.label or ""]) for row in rows), 1, top + 4, paper)
        left, right = named.side + font, paper.width - 2 * font
        frame = Frame(left, top + 4, right - left, named.end - top - 4, x, scale, None, None, paper)
        content = [*frame.axes(), *named.texts(left - 6, font)]
        for row in rows:
            name = value_text(row[figure.label or ""])
            content.append(_bar(figure, row, of_row[id(row)], named.middles[name], frame))
        return content, frame.bottom - top

    icons = [
        (each.name, element("rect", class_=each.fill, y=-0.7 * font, width=font, height=0.7 * font))
        for each in parts
        if each.name
    ]
    head, top = legend(icons if len(icons) > 1 else [], 1.3 * font, paper, 0)
    content, bottom = below_each_other(figure, shown, runs, top, paper, bars)
    lost = len(rows) - len(shown)
    notes = [counted(lost, "row") + " without a place on the axis"] if lost else []
    return Drawing(paper.picture([*head, *content], bottom, figure), notes, rows)


def _bar(figure: Plot, row: Row, series: Series, middle: float, frame: Frame) -> Markup:
    """The bar of a span, as far as it is within the axis."""
    assert figure.x and figure.until
    values = row[figure.x.column], row[figure.until]
    first, last = (min(max(frame.across(value), frame.left), frame.left + frame.width) for value in values)
    names = ", ".join(filter(None, (value_text(row[figure.label or ""]), series.name)))
    said = f"{names}: {' to '.join(value_text(value, figure.x.unit) for value in values)}"
    title, thick = element("title", Markup.escape(said)), frame.font * THICK
    width = max(last - first, THINNEST) if values[0] < values[1] else 0
    return element("rect", title, class_=series.fill, x=first, y=middle - thick / 2, width=width, height=thick)
