"""Figures of cells: a number for each pair of a row and a column, such as a confusion matrix."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from scorespec.catalog.model import Plot
from scorespec.core.score_text import value_text
from scorespec.report.drawing.svg import RUN, Drawing, Paper, Row, RunNames, element, shortened, text, text_width

CELL = 2.1  # height of a cell, in sizes of the font
WIDEST = 7.0
MOST_SIDE = 0.3  # of the width that names of rows may take
DARKEST = 0.65  # opacity; text on it keeps its contrast


def draw(figure: Plot, rows: Sequence[Row], runs: RunNames, paper: Paper) -> Drawing:
    """The picture of a matrix; of several runs, one below the other."""
    content: list[Markup] = []
    top = 0.0
    for number, name in runs.items():
        of_run = [row for row in rows if row.get(RUN, number) == number]
        if of_run:
            if len(runs) > 1:
                content.append(text(name, 0, top + paper.font * 1.2, paper.font, font_weight="600"))
                top += paper.font * 2
            drawn, height = _matrix(figure, of_run, top, paper)
            content += drawn
            top += height + paper.font
    return Drawing(paper.picture(content, max(top, paper.font), figure), [], rows)


def _matrix(figure: Plot, rows: Sequence[Row], top: float, paper: Paper) -> tuple[list[Markup], float]:
    assert figure.x and figure.y and figure.value
    across = list(dict.fromkeys(value_text(row[figure.x.column]) for row in rows))
    down = list(dict.fromkeys(value_text(row[figure.y.column]) for row in rows))
    font = paper.font
    left = min(max(text_width(name, font) for name in (*down, figure.y.name)) + font, paper.width * MOST_SIDE)
    width, height = min((paper.width - left) / len(across), font * WIDEST), font * CELL
    content = [
        text(figure.y.name, left - 6, top + font * 2.6, font, class_="muted", text_anchor="end"),
        text(figure.x.name, left, top + font, font, class_="muted"),
    ]
    head = top + font * 3.2
    for at, name in enumerate(across):
        middle = left + (at + 0.5) * width
        said = shortened(name, width - 2, font * 0.85)
        content.append(text(said, middle, top + font * 2.6, font * 0.85, text_anchor="middle"))
    totals: dict[str, float] = {}
    for row in rows:
        name = value_text(row[figure.y.column])
        totals[name] = totals.get(name, 0) + float(row[figure.value.column] or 0)
    for at, name in enumerate(down):
        y = head + at * height + height / 2 + font / 3
        content.append(text(shortened(name, left - font, font), left - 6, y, font, text_anchor="end"))
    for row in rows:
        name, other = value_text(row[figure.y.column]), value_text(row[figure.x.column])
        value = float(row[figure.value.column] or 0)
        share = value / totals[name] if totals[name] > 0 else 0
        x, y = left + across.index(other) * width, head + down.index(name) * height
        said = value_text(row[figure.value.column], figure.value.unit)
        title = element("title", Markup.escape(f"{name}, {other}: {said}"))
        content.append(
            element(
                "rect", title, class_="cell", x=x, y=y, width=width - 1, height=height - 1, fill_opacity=share * DARKEST
            )
        )
        style = None if value else "muted"
        content.append(
            text(said, x + width / 2, y + height / 2 + font / 3, font * 0.92, class_=style, text_anchor="middle")
        )
    return content, font * 3.2 + height * len(down)
