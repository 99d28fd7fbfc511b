"""Figures of spans: in the row of each name, bars from where something begins to where it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from scorespec.catalog.model import Plot
from scorespec.core.score_text import counted, value_text
from scorespec.report.drawing.dots import FURTHER, named_rows
from scorespec.report.drawing.scales import can_show, scale_of
from scorespec.report.drawing.svg import (
    COLOURS,
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

THICK, THIN = 0.9, 0.62  # of a bar, in sizes of the font: alone, and beside those of other runs
THINNEST = 0.8  # pixels: shorter spans are as wide, except those of no length


def draw(figure: Plot, rows: Sequence[Row], runs: RunNames, paper: Paper) -> Drawing:
    """The picture of spans. With panels, it is that of the first panel, with the rows of each run below each other.

    Without panels, the bars of all runs are in the row of their name.
    """
    assert figure.x and figure.until and figure.label
    x, label, ends, font = figure.x, figure.label, (figure.x.column, figure.until), paper.font
    first = value_text(rows[0][figure.panels]) if figure.panels else ""
    rows = [row for row in rows if not figure.panels or value_text(row[figure.panels]) == first]
    shown = [row for row in rows if all(can_show(x.scale, row[end]) for end in ends)]
    series = series_of(shown, [RUN, *(each for each in figure.series if each != RUN)], runs)
    parts = [each for each in series_of(shown, [each for each in figure.series if each != RUN], {}) if each.name]
    of_row = {id(row): each for each in series for row in each.rows}
    scale = scale_of(x.scale, (row[end] for row in shown for end in ends), x.bounds)
    of_value = colours(figure, shown)
    side = named_rows((value_text(row[label]) for row in shown), 1, 0, paper).side
    lanes = {run: at for at, run in enumerate(runs)} if not figure.panels and len(runs) > 1 else {}

    def bars(rows: Sequence[Row], top: float) -> tuple[list[Markup], float]:
        """The bars of some rows with their axis, and the height of all this."""
        named = named_rows((value_text(row[label]) for row in rows), max(len(lanes), 1), top + 4, paper)
        left, right, thick = side + font, paper.width - 2 * font, font * (THIN if lanes else THICK)
        frame = Frame(left, top + 4, right - left, named.end - top - 4, x, scale, None, None, paper)
        content = [*frame.axes(), *named.texts(left - 6, font)]
        for row in rows:
            name, each, values = value_text(row[label]), of_row[id(row)], [row[end] for end in ends]
            extent = " to ".join(value_text(end, x.unit) for end in values)
            said = name if figure.panels else ", ".join(filter(None, (name, each.name)))
            begin, last = (
                min(max(frame.across(end), left), right) for end in values
            )  # as far as it is within the axis
            width = max(last - begin, THINNEST) if values[0] < values[1] else 0
            y = named.middles[name] + (lanes.get(row.get(RUN, 0), 0) - (max(len(lanes), 1) - 1) / 2) * font * FURTHER
            place = {"x": begin, "y": y - thick / 2, "width": width, "height": thick}
            style = f"f{of_value[colour_key(figure, row)]}" if figure.panels else each.fill
            content.append(element("rect", element("title", Markup.escape(f"{said}: {extent}")), class_=style, **place))
        return content, frame.bottom - top

    named = [
        *(series_of(shown, [RUN], runs) if lanes else ()),
        *(parts if len(parts) > 1 and not figure.panels else ()),
    ]
    head, top = names_of_series(named, paper, "bars")
    if figure.panels:
        content, bottom = below_each_other(figure, shown, runs, top, paper, bars)
    else:
        content, height = bars(shown, top)
        bottom = top + height
    lost = len(rows) - len(shown)
    notes = [counted(lost, "row") + " without a place on the axis"] if lost else []
    return Drawing(paper.picture([*head, *content], bottom, figure), notes, rows)


def colour_key(figure: Plot, row: Row) -> tuple[str, ...]:
    """What the colour of a span in a panel says: its values of the series but for the run; empty if they are NULL."""
    return tuple(value_text(row[each]) for each in figure.series if each != RUN and row[each] is not None)


def colours(figure: Plot, rows: Sequence[Row]) -> Mapping[tuple[str, ...], str]:
    """The colours of spans in panels, each as the end of a class of the style sheet; grey without a value."""
    keys = [key for key in dict.fromkeys(colour_key(figure, row) for row in rows) if key]
    return {(): "n", **{key: str(at % COLOURS) for at, key in enumerate(keys)}}
