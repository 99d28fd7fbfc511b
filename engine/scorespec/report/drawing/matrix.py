"""Figures of cells: a number for each pair of a row and a column, such as a confusion matrix."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from scorespec.catalog.model import Plot
from scorespec.core.score_text import value_text
from scorespec.report.drawing.svg import (
    LEADING,
    Drawing,
    Paper,
    Row,
    RunNames,
    below_each_other,
    element,
    number,
    text,
    text_lines,
    text_width,
    wrapped,
)

CELL = 2.1  # height of a cell, in sizes of the font
WIDEST = 7.0
MOST_SIDE = 0.3  # of the width that names of rows may take
DARKEST = 0.65  # opacity; text on it keeps its contrast


def draw(figure: Plot, rows: Sequence[Row], runs: RunNames, paper: Paper) -> Drawing:
    """The picture of a matrix; of several runs, one below the other."""
    content, end = below_each_other(figure, rows, runs, 0, paper, lambda part, top: _matrix(figure, part, top, paper))
    return Drawing(paper.picture(content, end, figure), [], rows)


def _matrix(figure: Plot, rows: Sequence[Row], top: float, paper: Paper) -> tuple[list[Markup], float]:
    assert figure.x and figure.y and figure.value
    across = list(dict.fromkeys(value_text(row[figure.x.column]) for row in rows))
    down = list(dict.fromkeys(value_text(row[figure.y.column]) for row in rows))
    font, size = paper.font, paper.font * 0.85
    side = min(max(text_width(name, font) for name in (*down, figure.y.name)) + 1, paper.width * MOST_SIDE)
    left, row_names = side + font, [wrapped(name, side, font) for name in down]
    width = min((paper.width - left) / len(across), font * WIDEST)
    height = font * max(CELL, max(map(len, row_names)) * LEADING + 0.6)
    longest = max(text_width(name, size) for name in across)
    is_upright = longest > width - 2  # the names of columns, if there is no room for them beside each other
    head = top + font * 2.4 + (longest if is_upright else size)
    content = [text(figure.x.name, left, top + font, font, class_="muted")]
    content += text_lines(
        wrapped(figure.y.name, side, font), left - 6, head - font * 0.6, font, class_="muted", text_anchor="end"
    )
    for at, name in enumerate(across):
        x, y = left + (at + 0.5) * width, head - font * 0.6
        if is_upright:
            turned = f"rotate(-90 {number(x + size / 3)} {number(y)})"
            content.append(text(name, x + size / 3, y, size, transform=turned))
        else:
            content.append(text(name, x, y, size, text_anchor="middle"))
    totals: dict[str, float] = {}
    for row in rows:
        name = value_text(row[figure.y.column])
        totals[name] = totals.get(name, 0) + float(row[figure.value.column] or 0)
    for at, lines in enumerate(row_names):
        y = head + (at + 0.5) * height + font * (1 / 3 - LEADING * (len(lines) - 1) / 2)
        content += text_lines(lines, left - 6, y, font, text_anchor="end")
    numbers = [value_text(row[figure.value.column], figure.value.unit) for row in rows]
    size = font * min(0.92, (width - 3) / max(text_width(said, font) for said in numbers))
    for row, said in zip(rows, numbers, strict=True):
        name, other = value_text(row[figure.y.column]), value_text(row[figure.x.column])
        value = float(row[figure.value.column] or 0)
        share = value / totals[name] if totals[name] > 0 else 0
        x, y = left + across.index(other) * width, head + down.index(name) * height
        title = element("title", Markup.escape(f"{name}, {other}: {said}"))
        content.append(
            element(
                "rect", title, class_="cell", x=x, y=y, width=width - 1, height=height - 1, fill_opacity=share * DARKEST
            )
        )
        style = None if value else "muted"
        content.append(text(said, x + width / 2, y + height / 2 + font / 3, size, class_=style, text_anchor="middle"))
    return content, head - top + height * len(down)
