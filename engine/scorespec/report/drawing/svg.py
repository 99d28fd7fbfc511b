"""Pictures as SVG: elements, colours, text, the paper, and the frame of a plot with its axes."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from scorespec.catalog.model import Axis, Plot
from scorespec.core.groups import grouped
from scorespec.core.score_text import value_text
from scorespec.report.drawing.scales import FEWEST_TICKS, Scale, tick_text

Row = Mapping[str, Any]  # of a query

# Colours by the name of their CSS variable. Text and lines have a contrast of at least 4.5 to the background.
LIGHT = {
    **{"ink": "#1a1d21", "muted": "#5a6068", "grid": "#dfe2e6", "paper": "#ffffff", "shade": "#5a6068"},
    **{"c0": "#0b5fa5", "c1": "#b3500b", "c2": "#1b7a3d", "c3": "#8a3fb0"},
    **{"c4": "#b01f4b", "c5": "#5c5f00", "c6": "#00727a", "c7": "#6b4a36"},
}
DARK = {
    **{"ink": "#e8eaed", "muted": "#a9b0b8", "grid": "#383d44", "paper": "#15181c", "shade": "#6b7380"},
    **{"c0": "#6cb6ff", "c1": "#ffab5e", "c2": "#6fd08c", "c3": "#d0a3f0"},
    **{"c4": "#ff8aa8", "c5": "#cbd35a", "c6": "#5fd4dc", "c7": "#d9b49c"},
}
COLOURS = 8
DASHES = ("", "7 3", "2 3", "8 3 2 3", "12 4")  # how lines are broken
MARKERS = 5  # shapes of markers
SHADES = ("1", ".5", ".25", ".08")  # opacities of bars
WIDTH = 440  # pixels of a figure on a page: on a screen of 400 pixels, its text has 10
FONT = 12  # pixels
LEADING = 1.25  # from one baseline of a text to the next, in sizes of the font
LETTERS = 6  # of a wrapped text, for each size of the font that it is wide
NARROW, WIDE = set("iljtf.,:;|!'()[] "), set("mwMW%@—")

RULES = (
    ("text", "fill:{ink};font-family:{font}"),
    (".muted", "fill:{muted}"),
    (".grid", "stroke:{grid};stroke-width:1;fill:none"),
    (".axis", "stroke:{muted};stroke-width:1;fill:none"),
    (".guide", "stroke:{muted};stroke-width:1;stroke-dasharray:1 3;fill:none"),
    (".line", "fill:none;stroke-width:1.8;stroke-linejoin:round"),
    (".band", "stroke:none;fill-opacity:.16"),
    (".whisker", "fill:none;stroke-width:1.5"),
    (".marker", "stroke:{paper};stroke-width:.8"),
    (".cell", "fill:{shade}"),
    *((f".s{at}", f"stroke:{{c{at}}}") for at in range(COLOURS)),
    *((f".f{at}", f"fill:{{c{at}}}") for at in range(COLOURS)),
    (".sn", "stroke:{muted}"),
    (".fn", "fill:{muted}"),
    *((f".t{at}", f"fill-opacity:{opacity};stroke-width:.8") for at, opacity in enumerate(SHADES)),
    *((f".d{at}", f"stroke-dasharray:{dash}") for at, dash in enumerate(DASHES) if dash),
)
SANS = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,'Liberation Sans',sans-serif"


def rules(colours: Mapping[str, str] | None = None, font: str = SANS, scope: str = "") -> str:
    """The style sheet of pictures: with these colours, or with the variables of their page."""
    values = colours or {name: f"var(--{name})" for name in LIGHT}
    return "\n".join(f"{scope}{name}{{{body.format(font=font, **values)}}}" for name, body in RULES)


def variables(colours: Mapping[str, str]) -> str:
    """Colours as the CSS variables of a page."""
    return ";".join(f"--{name}:{value}" for name, value in colours.items())


def element(name: str, *content: str, **attributes: str | float | None) -> Markup:
    """An element with escaped attributes and content; content that is Markup stays as it is.

    The attribute ``class_`` is `class`; another `_` is a hyphen. Numbers have two decimals.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{Markup.escape(value if isinstance(value, str) else number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = Markup("").join(content)
    return Markup(f"<{name}{written}>{inner}</{name}>" if content else f"<{name}{written}/>")


def number(value: float) -> str:
    """A coordinate: at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def text(content: str, x: float, y: float, size: float = FONT, **attributes: str | float | None) -> Markup:
    """A line of text at a point of its baseline."""
    return element("text", Markup.escape(content), x=x, y=y, font_size=size, **attributes)


def text_width(content: str, size: float = FONT) -> float:
    """About how wide a text is: a page that is read without its fonts cannot know it exactly."""
    units = sum(
        0.36 if each in NARROW else 0.95 if each in WIDE else 0.7 if each.isupper() else 0.61 for each in content
    )
    return units * size


def wrapped(content: str, width: float, size: float = FONT) -> list[str]:
    """The lines of a text, none wider than ``width``.

    A text of more than about four lines has `…` in its middle: long names that begin alike differ at their ends.
    """
    most = max(int(LETTERS * width / size), 3)
    if len(content) > most:
        content = f"{content[: most // 2]}…{content[-(most // 2) :]}"
    parted = content.replace("_", "_ ")  # names break between their words
    for columns in range(len(parted), 1, -1):
        lines = [line.replace("_ ", "_") for line in textwrap.wrap(parted, columns)]
        if lines and all(text_width(line, size) <= width for line in lines):
            return lines
    return [content]


def text_lines(
    lines: Sequence[str], x: float, y: float, size: float = FONT, **attributes: str | float | None
) -> Iterator[Markup]:
    """Lines of text one below the other, the first at a point of its baseline."""
    for at, line in enumerate(lines):
        yield text(line, x, y + at * LEADING * size, size, **attributes)


def path(points: Iterable[tuple[float, float]]) -> str:
    """Straight lines through some points, as the attribute `d` of a path; empty without points."""
    lines = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{lines}" if lines else ""


def marker(shape: int, x: float, y: float, title: str, size: float = 4, colour: str = "muted") -> Markup:
    """A marker at a point; its title is shown where the mouse points at it. ``colour`` is a class of :data:`RULES`."""
    shape, style = shape % MARKERS, f"marker {colour}"
    said = element("title", Markup.escape(title))
    if shape == 0:
        return element("circle", said, class_=style, cx=x, cy=y, r=size)
    corners = {
        1: [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2: [(0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
        3: [(0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)],
        4: [(0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
    }[shape]
    return element("path", said, class_=style, d=path((x + size * dx, y + size * dy) for dx, dy in corners) + "Z")


@dataclass(frozen=True)
class Drawing:
    """A picture, what it leaves out, and the rows of the table behind it."""

    svg: Markup
    notes: Sequence[str]
    rows: Sequence[Row]


@dataclass(frozen=True)
class Paper:
    """The width of a picture and the size of its text, in pixels; ``id`` is unique on its page."""

    id: str
    width: float = WIDTH
    font: float = FONT

    def picture(self, content: Iterable[Markup], height: float, figure: Plot) -> Markup:
        """A picture with its title and its description, which screen readers read."""
        return element(
            "svg",
            element("title", Markup.escape(figure.title), id=f"{self.id}-title"),
            element("desc", Markup.escape(figure.about), id=f"{self.id}-desc"),
            *content,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(self.width)} {number(height)}",
            role="img",
            aria_labelledby=f"{self.id}-title {self.id}-desc",
        )


@dataclass(frozen=True)
class Frame:
    """The rectangle in which values are drawn, with its axes; in pixels from the upper left corner of the picture."""

    left: float
    top: float
    width: float
    height: float
    x: Axis
    x_scale: Scale
    y: Axis | None
    y_scale: Scale | None
    paper: Paper

    @property
    def font(self) -> float:
        """The size of the text, in pixels."""
        return self.paper.font

    @property
    def bottom(self) -> float:
        """The lower end of the labels of the horizontal axis."""
        return self.top + self.height + self.font * (2.15 + LEADING * len(axis_title(self.x, self.paper)))

    def across(self, value: float) -> float:
        """The place of a value of the horizontal axis."""
        return self.left + self.x_scale.at(value) * self.width

    def up(self, value: float) -> float:
        """The place of a value of the vertical axis."""
        assert self.y_scale
        return self.top + (1 - self.y_scale.at(value)) * self.height

    def axes(self) -> Sequence[Markup]:
        """The grid, the ticks and the labels of the axes."""
        return [*self._horizontal(), *(self._vertical() if self.y else ())]

    def _horizontal(self) -> Iterable[Markup]:
        bottom, size = self.top + self.height, self.font * 0.92
        for value in self.x_scale.ticks(max(FEWEST_TICKS, int(self.width // (self.font * 4.5)))):
            x = self.across(value)
            yield element("path", class_="grid", d=path([(x, self.top), (x, bottom)]))
            said = tick_text(value, self.x.unit)
            yield text(said, x, bottom + self.font * 1.3, size, class_="muted", text_anchor="middle")
        yield element("path", class_="axis", d=path([(self.left, bottom), (self.left + self.width, bottom)]))
        title = axis_title(self.x, self.paper)
        half = max(text_width(line, self.font) for line in title) / 2
        middle = min(max(self.left + self.width / 2, half), self.paper.width - half)
        yield from text_lines(title, middle, bottom + self.font * 2.8, self.font, text_anchor="middle")

    def _vertical(self) -> Iterable[Markup]:
        assert self.y and self.y_scale
        right, size = self.left + self.width, self.font * 0.92
        for value in self.y_scale.ticks(max(FEWEST_TICKS, int(self.height // (self.font * 2.5)))):
            y = self.up(value)
            yield element("path", class_="grid", d=path([(self.left, y), (right, y)]))
            said = tick_text(value, self.y.unit)
            yield text(said, self.left - self.font / 2, y + self.font / 3, size, class_="muted", text_anchor="end")
        yield element("path", class_="axis", d=path([(self.left, self.top), (self.left, self.top + self.height)]))
        title = axis_title(self.y, self.paper)
        first = self.top - self.font * (0.8 + LEADING * (len(title) - 1))
        yield from text_lines(title, 2, first, self.font)


def axis_title(axis: Axis, paper: Paper) -> list[str]:
    """The lines of the title of an axis."""
    return wrapped(f"{axis.name} ({axis.unit})" if axis.unit else axis.name, paper.width - 4, paper.font)


def apart(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places of labels, moved so that neighbours are at least ``gap`` apart, within bounds if there is room."""
    order = sorted(range(len(places)), key=lambda at: (places[at], at))
    found = list(places)
    least = low
    for at in order:
        found[at] = max(found[at], least)
        least = found[at] + gap
    most = high
    for at in reversed(order):
        found[at] = min(found[at], most)
        most = found[at] - gap
    return found


RUN = "run"  # the column with the number of a run
RunNames = Mapping[int, str]


@dataclass(frozen=True)
class Series:
    """A series: its rows, its name, and how it looks.

    The colour means the ``run``, by its place among the runs of a report; without a run, it is grey. The ``part`` is
    the place of the other values that tell series apart, such as the component of a score. It decides how lines are
    broken, the shape of markers, and the shade of bars. Without parts, lines and markers of runs differ, too.
    """

    index: int
    name: str
    rows: Sequence[Row]
    run: int | None = None
    part: int | None = None

    @property
    def colour(self) -> str:
        return "n" if self.run is None else str(self.run % COLOURS)

    @property
    def shape(self) -> int:
        return self.part if self.part is not None else self.run or 0

    @property
    def dash(self) -> int:
        return (self.shape // COLOURS + self.shape) % len(DASHES)

    @property
    def fill(self) -> str:
        """The classes of a bar."""
        return f"f{self.colour} s{self.colour} t{min(self.part or 0, len(SHADES) - 1)}"

    def marker(self, x: float, y: float, title: str, size: float, shape: int | None = None) -> Markup:
        """A marker in the colour of the series, and in its shape unless another one is given."""
        return marker(self.shape if shape is None else shape, x, y, title, size, f"f{self.colour}")


def series_of(rows: Iterable[Row], columns: Sequence[str], runs: RunNames) -> list[Series]:
    """The series of some rows, in the order of the runs, and within a run in the order of the rows.

    Rows belong to no run if their run is NULL, or if all values are NULL that tell series of a run apart.
    """
    rows = list(rows)
    there = [column for column in columns if column != RUN or (rows and RUN in rows[0])]
    columns = [column for column in there if column == RUN or len({value_text(row[column]) for row in rows}) > 1]
    found = grouped(
        (tuple(row[column] if column == RUN else value_text(row[column]) for column in columns), row) for row in rows
    )
    order: dict[object, int] = {number: at for at, number in enumerate(runs)}
    values = {key: tuple(each for name, each in zip(columns, key, strict=True) if name != RUN) for key in found}
    parts = {part: at for at, part in enumerate(dict.fromkeys(part for part in values.values() if any(part)))}
    of_run = {
        key: order.get(key[columns.index(RUN)]) if RUN in columns else 0 if len(runs) == 1 else None for key in found
    }
    of_run |= {key: None for key, part in values.items() if part and not any(part)}
    names = {key: named(columns, key, runs) if any(part) or not part else "" for key, part in values.items()}
    ranked = sorted(found, key=lambda key: (of_run[key] is None, of_run[key] or 0))
    return [Series(at, names[key], found[key], of_run[key], parts.get(values[key])) for at, key in enumerate(ranked)]


def named(columns: Sequence[str], key: Sequence[object], runs: RunNames) -> str:
    """The name of a series: the values of its columns. A single run is not named."""
    parts = [
        runs.get(value, f"run {value}") if column == RUN and isinstance(value, int) else value_text(value)
        for column, value in zip(columns, key, strict=True)
        if column != RUN or len(runs) > 1
    ]
    return ", ".join(filter(None, parts))


def legend(entries: Sequence[tuple[str, Markup]], icon: float, paper: Paper, top: float) -> tuple[list[Markup], float]:
    """Names, each beside its icon, in as many rows as they need from ``top`` on, and the place at which these end.

    An icon is drawn at the begin of the baseline, and is ``icon`` wide.
    """
    found: list[Markup] = []
    x, y, deep, font = 0.0, top + paper.font, 1, paper.font
    for name, drawn in entries:
        lines = wrapped(name, paper.width - icon - 0.4 * font, font)
        room = icon + max(text_width(line, font) for line in lines)
        if x > 0 and x + room > paper.width:
            x, y, deep = 0.0, y + (deep * LEADING + 0.25) * font, 1
        found.append(element("g", drawn, transform=f"translate({number(x)} {number(y)})"))
        found += text_lines(lines, x + icon, y, font)
        x, deep = x + room + 1.3 * font, max(deep, len(lines))
    return found, y + ((deep - 1) * LEADING + 0.4) * font if entries else top


def names_of_series(series: Sequence[Series], paper: Paper, kind: str) -> tuple[list[Markup], float]:
    """The legend of series: the name of each beside a piece of its line or bar, or its marker; empty without names."""
    font, named = paper.font, [each for each in series if each.name]
    icons: Mapping[str, Callable[[Series], Markup]] = {
        "lines": lambda each: sample(each, 0, -font / 3, font),
        "bars": lambda each: element("rect", class_=each.fill, y=-0.7 * font, width=font, height=0.7 * font),
        "dots": lambda each: each.marker(font / 2, -font / 3, each.name, font / 3),
    }
    icon = icons.get(kind, icons["dots"])
    return legend([(each.name, icon(each)) for each in named], (2.4 if kind == "lines" else 1.4) * font, paper, 0)


def below_each_other(
    figure: Plot,
    rows: Sequence[Row],
    runs: RunNames,
    top: float,
    paper: Paper,
    draw: Callable[[Sequence[Row], float], tuple[list[Markup], float]],
) -> tuple[list[Markup], float]:
    """What ``draw`` draws of each run and panel, one below the other from ``top`` on, and where all of it ends.

    ``draw`` returns the height of what it draws. Its heading names the run, if there are several, and the panel.
    """
    columns = [each for each in (RUN, figure.panels) if each and rows and each in rows[0]]
    places = {(run,): at for at, run in enumerate(runs)} if RUN in columns else {}
    parts, content = grouped((tuple(row[each] for each in columns), row) for row in rows), list[Markup]()
    for key, part in sorted(parts.items(), key=lambda each: places.get(each[0][:1], 0)):
        if name := named(columns, key, runs):
            heading = wrapped(name, paper.width, paper.font)
            content += text_lines(heading, 0, top + paper.font * 1.2, paper.font, font_weight="600")
            top += paper.font * (0.75 + LEADING * len(heading))
        drawn, height = draw(part, top)
        content += drawn
        top += height + paper.font
    return content, max(top, paper.font)


def sample(series: Series, x: float, y: float, font: float) -> Markup:
    """A short piece of the line of a series, for its label."""
    style = f"line s{series.colour} d{series.dash}"
    return element("path", class_=style, d=path([(x, y), (x + 1.6 * font, y)]))
