"""What a figure is drawn on, and what comes of it; numbers of figures as text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from markupsafe import Markup

from scorespec.catalog.figures import Plot
from scorespec.report.rows import Row
from scorespec.report.svg import FONT, WIDTH, picture
from scorespec.terminal import visible


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


def counted(count: int, noun: str) -> str:
    """A number of things."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def value_text(value: object, unit: str | None = None) -> str:
    """A value of a cell as text: numbers with four digits, lists with blanks between their items."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        value = int(value) if value == int(value) else float(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return _number_text(value, unit)
    if isinstance(value, list):
        return " ".join(value_text(each) for each in value)
    return visible(str(value))


def _number_text(value: float, unit: str | None) -> str:
    if not math.isfinite(value):
        return "" if math.isnan(value) else "∞" if value > 0 else "−∞"
    shown = value * 100 if unit == "%" else value
    if shown == int(shown) and abs(shown) < 1e15:
        return f"{int(shown):,}"
    if abs(shown) >= 1000:
        return f"{shown:,.1f}"
    return f"{shown:.4g}" if abs(shown) < 1e-3 else f"{shown:.4f}".rstrip("0").rstrip(".")
