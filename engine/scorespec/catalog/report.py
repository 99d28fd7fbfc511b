"""What a suite shows in reports: the keys of a suite that are about them, and the parts of a figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from scorespec.catalog.keys import ColumnName, Key, Names, Rule, Sql

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


_SCORE = Annotated[str, Rule(pattern=r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$")]  # metric.component


@dataclass(frozen=True)
class Report:
    """What the reports of a suite show beside the scores, which every report shows."""

    figures: Annotated[Names, Key("figures and tables, in the order in which they are shown")] = ()
    score: Annotated[
        _SCORE | None, Key("the metric.component that is stated first (the first score that can be better or worse)")
    ] = None
