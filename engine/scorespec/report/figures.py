"""Figures of documents: their rows, drawn or as a table, with the query and the rule of what is left out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from markupsafe import Markup

from scorespec.catalog.model import Figure, Plot, Shape
from scorespec.core.score_text import value_text
from scorespec.errors import SpecError
from scorespec.report.cells import Table, headings_of, table_of
from scorespec.report.drawing import dots, lines, matrix
from scorespec.report.drawing.canvas import Drawing, Paper
from scorespec.report.drawing.series import RunNames, named
from scorespec.report.figure_rows import Ask, Found, Row, find, missing, statement

# The largest number of rows of each kind, unless a figure names another.
MOST: Mapping[Shape, int | None] = {
    "lines": None,
    "points": 500,
    "dots": 40,
    "bars": 40,
    "matrix": 900,
    "table": 200,
    "texts": 2000,
}
OF_EACH_RUN = ("dots", "bars", "points", "matrix")  # kinds in which the limit holds for each run
DRAWN = ("lines", "points", "dots", "bars", "matrix")  # kinds with a picture


@dataclass(frozen=True)
class Word:
    """Two words of texts, one above the other."""

    above: str
    below: str
    is_wrong: bool


@dataclass(frozen=True)
class Text:
    """A pair of texts with its heading."""

    name: str
    words: Sequence[Word]


@dataclass(frozen=True)
class Shown:
    """A figure as a page shows it: a picture, a table or texts, the query, and the rule of what is left out."""

    id: str
    title: str
    about: str
    svg: Markup | None = None
    table: Table | None = None
    texts: Sequence[Text] = ()
    sql: str = ""
    rule: str = ""


@dataclass(frozen=True)
class Question:
    """The source of the rows of figures: a function that queries the results database, its tables, and the runs."""

    ask: Ask
    runs: RunNames
    tables: Collection[str]
    schema: str


def why_not(figure: Figure, question: Question) -> str:
    """Why a figure cannot be shown; empty if it can be."""
    if figure.runs is not None and figure.runs != len(question.runs):
        return f"it compares {figure.runs} runs"
    needs = (*figure.needs, *(figure.guides.needs if figure.guides else ()))
    if lacking := missing(needs, question.tables):
        return f"the results database has no table {', '.join(lacking)}"
    return ""


def show(figure: Figure, question: Question, paper: Paper) -> Shown | None:
    """A figure of the chosen runs; None if the query has no rows. Raises SpecError for SQL at fault."""
    place = figure.origin.place("sql")
    sql = statement(figure.sql.text, figure.needs, [*question.runs], question.schema)
    most = figure.most or MOST[figure.kind]
    if most and figure.kind in OF_EACH_RUN and not figure.runs:  # a figure that compares runs has a row for all of them
        most *= len(question.runs)
    found = find(question.ask, sql, most, place)
    _check_columns(figure, found.columns)
    if not found.rows:
        return None
    _check_numbers(figure, found.rows)
    rule = [_limit_rule(found), figure.leaves_out]
    if figure.kind not in DRAWN:
        texts = _texts(figure, found.rows, question.runs) if figure.kind == "texts" else ()
        table = None if texts else table_of(found.columns, found.rows, headings_of(figure), question.runs)
        return Shown(paper.id, figure.title, figure.about, None, table, texts, found.sql, sentences(rule))
    drawing = draw(figure, found.rows, _guide_rows(figure, question), question.runs, paper)
    table = table_of(found.columns, drawing.rows, headings_of(figure), question.runs)
    if len(drawing.rows) < len(found.rows):
        rule.append(f"the table has {len(drawing.rows):,} of the {len(found.rows):,} points, the query returns all")
    rule += drawing.notes
    return Shown(paper.id, figure.title, figure.about, drawing.svg, table, (), found.sql, sentences(rule))


def draw(plot: Plot, rows: Sequence[Row], guides: Sequence[Row], runs: RunNames, paper: Paper) -> Drawing:
    """The picture of some rows."""
    if plot.kind in ("lines", "points"):
        return lines.draw(plot, rows, guides, runs, paper)
    drawn: Callable[[Plot, Sequence[Row], RunNames, Paper], Drawing] = (
        matrix.draw if plot.kind == "matrix" else dots.draw
    )
    return drawn(plot, rows, runs, paper)


def _guide_rows(figure: Figure, question: Question) -> Sequence[Row]:
    if not figure.guides:
        return ()
    sql = statement(figure.guides.sql, figure.guides.needs, [*question.runs], question.schema)
    place = figure.origin.place("guides")
    found = find(question.ask, sql, None, place)
    for name in (lines.GUIDE, *(axis.column for axis in (figure.x, figure.y) if axis)):
        if name not in found.columns:
            raise SpecError(f"figure {figure.name}: the SQL of its guides returns no column {name!r}", place)
    _check_numbers(figure, found.rows)
    return found.rows


def _check_columns(figure: Figure, columns: Collection[str]) -> None:
    """Raise SpecError for a column that a figure names and its SQL does not return."""
    axes = [axis.column for axis in (figure.x, figure.y, figure.value, figure.beside) if axis]
    others = [
        figure.label,
        figure.low,
        figure.high,
        figure.panels,
        figure.mark,
        figure.alone,
        figure.above,
        figure.below,
        figure.wrong,
    ]
    series = [name for name in figure.series if name != "run"]
    for name in [*axes, *filter(None, others), *(figure.group or ()), *series, *figure.columns]:
        if name not in columns:
            said = f"its SQL returns no column {name!r}; it returns {', '.join(columns)}"
            raise SpecError(f"figure {figure.name}: {said}", figure.origin.place("sql"))


def _check_numbers(figure: Figure, rows: Sequence[Row]) -> None:
    """Raise SpecError for a value on an axis that is no number."""
    axes = {"matrix": (figure.value,), "lines": (figure.x, figure.y), "points": (figure.x, figure.y)}
    shown = axes.get(figure.kind, (figure.x,)) if figure.kind in DRAWN else ()
    for name in [*(axis.column for axis in shown if axis), *filter(None, (figure.low, figure.high))]:
        for value in (row[name] for row in rows if name in row):
            if not isinstance(value, int | float | Decimal | None):
                said = f"its column {name!r} is on an axis, and has {value_text(value)!r}, which is no number"
                raise SpecError(f"figure {figure.name}: {said}", figure.origin.place("sql"))


def _limit_rule(found: Found) -> str:
    if found.total <= len(found.rows):
        return ""
    shown = f"{len(found.rows):,} of {found.total:,} rows, the first in the order of the query"
    return f"{shown}; without LIMIT the query returns all"


def sentences(parts: Sequence[str]) -> str:
    """Parts of a rule as sentences."""
    said = dict.fromkeys(part.strip().rstrip(".") for part in parts if part.strip())
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in said)


def _texts(figure: Figure, rows: Sequence[Row], runs: RunNames) -> Sequence[Text]:
    assert figure.above and figure.below and figure.wrong
    columns = figure.group or ()
    found = []
    for key, words in groupby(rows, key=lambda row: tuple(row[column] for column in columns)):
        pairs = [
            Word(value_text(row[figure.above]), value_text(row[figure.below]), bool(row[figure.wrong])) for row in words
        ]
        found.append(Text(named(columns, key, runs), pairs))
    return found
