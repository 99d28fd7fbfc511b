"""The paper that a figure is drawn on, and the result; parts that kinds of figures share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from scorespec.catalog.model import Axis, Plot
from scorespec.report.drawing.scales import Scale
from scorespec.report.drawing.svg import FONT, WIDTH, Side, picture
from scorespec.report.figure_rows import Row


@dataclass(frozen=True)
class Paper:
    """The width of a picture and the size of its text, in pixels; ``id`` is unique on its page."""

    id: str
    width: float = WIDTH
    font: float = FONT

    def picture(self, content: Iterable[Markup], height: float, figure: Plot) -> Markup:
        """A picture of a figure."""
        return picture(content, self.width, height, figure.title, figure.about, self.id)


@dataclass(frozen=True)
class Drawing:
    """A picture, what it leaves out, and the rows of the table behind it."""

    svg: Markup
    notes: Sequence[str]
    rows: Sequence[Row]


def side_of(axis: Axis, scale: Scale) -> Side:
    """An axis of a figure with its scale."""
    return Side(scale, axis.name, axis.unit)
