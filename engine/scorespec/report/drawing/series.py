"""The series of a figure: which rows belong to one line, dot or bar, and how it looks and is called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from scorespec.core.score_text import value_text
from scorespec.report.drawing.svg import COLOURS, DASHES, Row, element, marker, path, shortened, text, text_width

RUN = "run"  # the column with the number of a run
RunNames = Mapping[int, str]


@dataclass(frozen=True)
class Series:
    """A series: its rows, its name, and the number that decides how it looks."""

    index: int
    name: str
    rows: Sequence[Row]

    @property
    def colour(self) -> int:
        return self.index % COLOURS

    @property
    def dash(self) -> int:
        return (self.index // COLOURS + self.index) % len(DASHES)


def series_of(rows: Iterable[Row], columns: Sequence[str], runs: RunNames) -> list[Series]:
    """The series of some rows, in the order of the runs, and within a run in the order of the rows.

    A series of a run alone always looks the same, in every figure of a report.
    """
    found: dict[tuple[object, ...], list[Row]] = {}
    rows = list(rows)
    there = [column for column in columns if column != RUN or (rows and RUN in rows[0])]
    columns = [column for column in there if column == RUN or len({value_text(row[column]) for row in rows}) > 1]
    for row in rows:
        key = tuple(row[column] if column == RUN else value_text(row[column]) for column in columns)
        found.setdefault(key, []).append(row)
    order: dict[object, int] = {number: at for at, number in enumerate(runs)}
    if RUN not in columns:
        return [Series(index, named(columns, key, runs), found[key]) for index, key in enumerate(found)]
    at = columns.index(RUN)
    ranked = sorted(found, key=lambda key: order.get(key[at], len(order)))
    if len(columns) == 1:
        return [Series(order.get(key[0], len(order)), named(columns, key, runs), found[key]) for key in ranked]
    return [Series(index, named(columns, key, runs), found[key]) for index, key in enumerate(ranked)]


def named(columns: Sequence[str], key: Sequence[object], runs: RunNames) -> str:
    """The name of a series: the values of its columns. A single run is not named."""
    parts = [
        runs.get(value, f"run {value}") if column == RUN and isinstance(value, int) else value_text(value)
        for column, value in zip(columns, key, strict=True)
        if column != RUN or len(runs) > 1
    ]
    return ", ".join(filter(None, parts))


def legend(
    series: Sequence[Series], width: float, font: float, *, of_lines: bool = False
) -> tuple[list[Markup], float]:
    """Markers, or pieces of lines, with the names of series, in as many rows as they need, and the height of these."""
    if not any(each.name for each in series):
        return [], 0
    found: list[Markup] = []
    x, y = 0.0, font
    before = 2.4 * font if of_lines else 1.3 * font
    for each in series:
        name = shortened(each.name, width - 1.7 * font - before, font)
        room = text_width(name, font) + 1.3 * font + before
        if x > 0 and x + room > width:
            x, y = 0.0, y + 1.5 * font
        if of_lines:
            found.append(sample(each, x, y - font / 3, font))
        else:
            found.append(marker(each.index, x + font / 2, y - font / 3, each.name, font / 3))
        found.append(text(name, x + before, y, font))
        x += room
    return found, y + font


def sample(series: Series, x: float, y: float, font: float) -> Markup:
    """A short piece of the line of a series, for its label."""
    style = f"line s{series.colour} d{series.dash}"
    return element("path", class_=style, d=path([(x, y), (x + 1.6 * font, y)]))
