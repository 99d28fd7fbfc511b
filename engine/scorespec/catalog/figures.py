"""Figures and tables of reports: SQL over a results database, and how its rows are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from scorespec.catalog.keys import ColumnName, Columns, Key, Names, Short, Sql
from scorespec.catalog.model import Definition
from scorespec.catalog.templates import SqlTemplate

Bounds = tuple[float | None, float | None]


@dataclass(frozen=True)
class Axis:
    """An axis of a figure: the column whose values it shows, and how."""

    column: Annotated[ColumnName, Key("the column of the query with the values")]
    label: Annotated[str, Key("what the values are (the name of the column)")] = ""
    unit: Annotated[str | None, Key("unit; with `%` the values are shares, and 0.05 is shown as 5")] = None
    scale: Annotated[
        Literal["linear", "log", "probit"], Key("the scale; probit is that of the normal distribution, for shares")
    ] = "linear"
    range: Annotated[Bounds | None, Key("the ends of the axis; null where the values decide")] = None

    @property
    def name(self) -> str:
        """What the values are: the label, or the name of the column."""
        return self.label or self.column

    @property
    def bounds(self) -> Bounds:
        """The ends of the axis; None where the values decide."""
        return self.range or (None, None)


@dataclass(frozen=True)
class Guides:
    """Thin lines for orientation, such as those of equal value."""

    sql: Annotated[Sql, Key("SQL of their points: the columns of both axes, and the column `label`")]
    needs: Annotated[Names, Key("the tables of the results database that the SQL reads")] = ()


@dataclass(frozen=True)
class Heading:
    """A column of a table of a report."""

    label: Annotated[str, Key("the heading")]
    unit: Annotated[str | None, Key("unit; with `%` the values are shares, and 0.05 is shown as 5")] = None


Shape = Literal["lines", "points", "dots", "bars", "matrix", "table", "texts"]
# The keys that a figure of each kind must have.
REQUIRED: Mapping[Shape, tuple[str, ...]] = {
    "lines": ("x", "y"),
    "points": ("x", "y"),
    "dots": ("x", "label"),
    "bars": ("x", "label"),
    "matrix": ("x", "y", "value"),
    "table": (),
    "texts": ("above", "below", "wrong"),
}
_AxisOrColumn = Annotated[Axis, Short(ColumnName, lambda column: {"column": column})]
_HeadingOrLabel = Annotated[Heading, Short(str, lambda label: {"label": label})]
_KIND = (
    "how rows are shown: lines through points, points, dots or bars in rows, a matrix of cells, a table, or texts, "
    "one above the other"
)
_SQL = "a .sql file, or SQL itself: a query over the results database, whose tables have only rows of the runs shown"
_LABEL = "the column that names a dot, a bar or a point; dots and bars of one name are in one row"
_SERIES = (
    "the columns whose values tell lines, dots or bars apart; values of the column `run` are shown as names of runs"
)
_GROUP = "the columns that name a text; each text has its own heading"
_MOST = "the largest number of rows that are shown; of dots, bars, points and cells, the largest number for each run"
_PANELS = "the column that divides a figure of lines into panels; each value has axes of its own, and is the heading"
_MARK = "the column with names of single points, such as best; a point without a name has NULL"
_ALONE = "the column that says whether a named point stands beside the line, which then does not pass through it"
_WRONG = "the column that says whether a pair of words is an error"


@dataclass(frozen=True, kw_only=True)
class Plot:
    """How rows are shown: the keys of a figure without those of its SQL."""

    about: Annotated[str, Key("what it shows, and how to read it")]
    title: Annotated[str, Key("its heading")]
    kind: Annotated[Shape, Key(_KIND)]
    x: Annotated[_AxisOrColumn | None, Key("the horizontal axis; the columns of a matrix")] = None
    y: Annotated[_AxisOrColumn | None, Key("the vertical axis; the rows of a matrix")] = None
    label: Annotated[ColumnName | None, Key(_LABEL)] = None
    series: Annotated[Names, Key(_SERIES)] = ("run",)
    low: Annotated[
        ColumnName | None, Key("the column with the lower ends of intervals or of a band", beside="high")
    ] = None
    high: Annotated[
        ColumnName | None, Key("the column with the upper ends of intervals or of a band", beside="low")
    ] = None
    panels: Annotated[ColumnName | None, Key(_PANELS)] = None
    mark: Annotated[ColumnName | None, Key(_MARK)] = None
    alone: Annotated[ColumnName | None, Key(_ALONE, beside="mark")] = None
    guides: Annotated[Guides | None, Key("thin lines for orientation")] = None
    value: Annotated[_AxisOrColumn | None, Key("the value of a cell of a matrix")] = None
    beside: Annotated[_AxisOrColumn | None, Key("a number that is written beside each row of dots or bars")] = None
    columns: Annotated[Mapping[ColumnName, _HeadingOrLabel], Key("headings of columns of a table (their names)")] = (
        field(default_factory=dict, hash=False)
    )
    group: Annotated[Columns | None, Key(_GROUP)] = None
    above: Annotated[ColumnName | None, Key("the column with the upper words of texts")] = None
    below: Annotated[ColumnName | None, Key("the column with the lower words of texts")] = None
    wrong: Annotated[ColumnName | None, Key(_WRONG)] = None


@dataclass(frozen=True, kw_only=True)
class Figure(Plot, Definition):
    """A figure or a table of a report: SQL over a results database, and how its rows are shown."""

    sql: SqlTemplate
    needs: Annotated[Names, Key("the tables of the results database that the SQL reads")] = ()
    runs: Annotated[int | None, Key("the number of runs that it compares (any number)", minimum=1)] = None
    most: Annotated[int | None, Key(_MOST, minimum=1)] = None
    leaves_out: Annotated[str, Key("which rows the SQL leaves out, in words")] = ""

    @dataclass(frozen=True, kw_only=True)
    class Written:
        sql: Annotated[str, Key(_SQL)]
