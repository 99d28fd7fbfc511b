"""Tables of a page: cells as text, with the values by which the page can sort them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from scorespec.catalog.model import Heading, Plot
from scorespec.core.score_text import value_text
from scorespec.report.drawing.series import RUN, RunNames
from scorespec.report.figure_rows import Row


@dataclass(frozen=True)
class Cell:
    """A cell: its text, whether it is a number, a link to a part of the page, a hint, whether it stays on one line."""

    text: str
    is_number: bool = False
    link: str = ""
    hint: str = ""
    is_unbroken: bool = False

    @property
    def style(self) -> str:
        """The class of the cell in the style sheet of the page."""
        return "n" if self.is_number else "i" if self.is_unbroken else ""


@dataclass(frozen=True)
class Table:
    """A table with its headings."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def is_number(self, column: int) -> bool:
        """Whether a column has numbers."""
        return any(row[column].is_number for row in self.rows)


def table_of(
    columns: Sequence[str], rows: Iterable[Row], headings: Sequence[tuple[str, Heading]], runs: RunNames
) -> Table:
    """Rows of a query as a table. Columns without a heading have their name; that of a single run is left out."""
    known = dict(headings)
    shown = [name for name in columns if name != RUN or len(runs) > 1]
    said = [known.get(name, Heading(name.replace("_", " "))) for name in shown]
    titles = [f"{each.label} ({each.unit})" if each.unit else each.label for each in said]
    units = [each.unit for each in said]
    return Table(
        titles, [[_cell(name, row, unit, runs) for name, unit in zip(shown, units, strict=True)] for row in rows]
    )


def headings_of(plot: Plot) -> list[tuple[str, Heading]]:
    """The headings of the columns of a figure: those that it names, and the labels of its axes."""
    axes = [axis for axis in (plot.x, plot.y, plot.value, plot.beside) if axis and axis.label]
    return [*((axis.column, Heading(axis.label, axis.unit)) for axis in axes), *plot.columns.items()]


def _cell(name: str, row: Row, unit: str | None, runs: RunNames) -> Cell:
    value = row[name]
    if name == RUN and value in runs:
        return Cell(runs[value])
    is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    return Cell(value_text(value, unit), is_number)
