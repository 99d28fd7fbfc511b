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
    below_each_other,
    element,
    names_of_series,
    series_of,
)

THICK = 0.9  # of a bar, in sizes of the font
THINNEST = 0.8  # pixels: shorter spans are as wide, except those of no length


def draw(figure: Plot, rows: Sequence[Row], runs: RunNames, paper: Paper) -> Drawing:
    """The picture of spans; of several runs or panels, one below the other with equal axes."""
    assert figure.x and figure.until and figure.label
    x, label, ends, font = figure.x, figure.label, (figure.x.column, figure.until), paper.font
    shown = [row for row in rows if all(can_show(x.scale, row[end]) for end in ends)]
    columns = [each for each in figure.series if each != RUN]
    series, parts = (
        series_of(shown, [RUN, *columns], runs),
        [each for each in series_of(shown, columns, {}) if each.name],
    )
    of_row = {id(row): each for each in series for row in each.rows}
    scale = scale_of(x.scale, (row[end] for row in shown for end in ends), x.bounds)

    def bars(rows: Sequence[Row], top: float) -> tuple[list[Markup], float]:
        """The bars of some rows with their axis, and the height of all this."""
        named = named_rows((value_text(row[label]) for row in rows), 1, top + 4, paper)
        left, right, thick = named.side + font, paper.width - 2 * font, font * THICK
        frame = Frame(left, top + 4, right - left, named.end - top - 4, x, scale, None, None, paper)
        content = [*frame.axes(), *named.texts(left - 6, font)]
        for row in rows:
            name, each, values = value_text(row[label]), of_row[id(row)], [row[end] for end in ends]
            extent = " to ".join(value_text(end, x.unit) for end in values)
            said = f"{', '.join(filter(None, (name, each.name)))}: {extent}"
            first, last = (
                min(max(frame.across(end), left), right) for end in values
            )  # as far as it is within the axis
            width = max(last - first, THINNEST) if values[0] < values[1] else 0
            place = {"x": first, "y": named.middles[name] - thick / 2, "width": width, "height": thick}
            content.append(element("rect", element("title", Markup.escape(said)), class_=each.fill, **place))
        return content, frame.bottom - top

    head, top = names_of_series(parts if len(parts) > 1 else (), paper, "bars")
    content, bottom = below_each_other(figure, shown, runs, top, paper, bars)
    lost = len(rows) - len(shown)
    notes = [counted(lost, "row") + " without a place on the axis"] if lost else []
    return Drawing(paper.picture([*head, *content], bottom, figure), notes, rows)
