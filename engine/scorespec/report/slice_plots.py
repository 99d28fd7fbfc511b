"""The scores of slices: for each metric and each way to divide a submission, a dot plot and a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorespec.catalog.model import Axis, Plot, Range
from scorespec.core.score_text import score_name, slice_text, value_text
from scorespec.report.cells import Cell, Table
from scorespec.report.chosen import ChosenRun, names_of
from scorespec.report.drawing.canvas import Paper
from scorespec.report.drawing.series import RUN
from scorespec.report.figures import Shown, draw
from scorespec.report.meanings import Meanings, wholes
from scorespec.report.score_plots import by_metric, interval_cell, scores_sql, value_cell

MOST_DOTS = 40  # slices of a plot
MOST_ROWS = 200  # of a table
Row = Mapping[str, Any]


def slice_figures(runs: Sequence[ChosenRun], meanings: Meanings, schema: str) -> Iterator[Shown]:
    """A plot and a table for each metric with a rated component, and each set of columns that its slices have."""
    groups: dict[tuple[str, tuple[str, ...]], list[Row]] = {}
    for run in runs:
        for metric, rows in by_metric(run).items():
            keys = wholes(rows)
            for row in rows:
                if row["key"] not in keys:
                    named = {**row, RUN: run.number, "name": _slice_name(row["slice"])}
                    groups.setdefault((metric, tuple(row["slice"])), []).append(named)
    main = meanings.main_score
    for at, ((metric, columns), rows) in enumerate(groups.items(), start=1):
        components = dict.fromkeys(row["component"] for row in rows)
        rated = [each for each in components if meanings.of(metric, each).is_rated]
        if rated:
            first = main[1] if main and main[0] == metric and main[1] in rated else rated[0]
            alike = [each for each in rated if meanings.of(metric, each).range == meanings.of(metric, first).range]
            drawn = [first] if len(runs) > 1 else alike
            sql = scores_sql(runs, schema, metric)
            yield _slices(f"slices{at}", metric, columns, drawn, rows, runs, meanings, sql)


def _slice_name(slice_: Row) -> str:
    """The name of a slice in a figure whose title names the columns: the value of the only column, or all columns."""
    return value_text(next(iter(slice_.values()))) if len(slice_) == 1 else slice_text(slice_)


def _slices(
    id: str,
    metric: str,
    columns: Sequence[str],
    drawn: Sequence[str],
    rows: Sequence[Row],
    runs: Sequence[ChosenRun],
    meanings: Meanings,
    sql: str,
) -> Shown:
    """The scores of the slices of a metric; ``drawn`` are the components in the plot."""
    names = dict.fromkeys(row["name"] for row in rows)
    drawn_names = {*list(names)[:MOST_DOTS]}
    plotted = [row for row in rows if row["component"] in drawn and row["name"] in drawn_names]
    meaning = meanings.of(metric, drawn[0])
    said = score_name(metric, drawn[0]) if len(drawn) == 1 else metric
    plot = Plot(
        title=f"{metric} by {' and '.join(each.replace('_', ' ') for each in columns)}",
        about=f"{said}: {meaning.reading}." if meaning.reading else f"{said}.",
        kind="dots",
        x=Axis("value", said, meaning.unit, range=_bounds(plotted, meaning.range)),
        label="name",
        series=(RUN, "component"),
        low="low",
        high="high",
    )
    picture = draw(plot, plotted, (), names_of(runs), Paper(id))
    rule = [f"{len(drawn_names)} of {len(names):,} slices are drawn."] if len(names) > MOST_DOTS else []
    if len(rows) > MOST_ROWS:
        rule.append(f"The table has {MOST_ROWS} of {len(rows):,} rows; the query returns all.")
    table = _slice_table(columns, rows[:MOST_ROWS], runs)
    return Shown(id, plot.title, plot.about, picture.svg, table, (), sql, " ".join(rule))


def _bounds(rows: Sequence[Row], range: Range | None) -> Range:
    """The ends of the axis: it begins at the least possible value unless all values are far from that."""
    least = range[0] if range else None
    values = [row["value"] for row in rows if row["value"] is not None]
    if least is None or not values:
        return None, None
    spread = max(values) - min(values)
    return (least if min(values) - least <= spread or spread == 0 else None), None


def _slice_table(columns: Sequence[str], rows: Sequence[Row], runs: Sequence[ChosenRun]) -> Table:
    names, several = names_of(runs), len(runs) > 1
    has_ends = any(row["low"] is not None for row in rows)
    headings = [*(["run"] if several else []), *columns, "component", "value", *(["interval"] if has_ends else [])]
    counts = {score for run in runs for score in run.record.counts}
    found = []
    for row in rows:
        cells = [Cell(names[row[RUN]])] if several else []
        cells += [Cell(value_text(row["slice"][column])) for column in columns]
        cells += [Cell(row["component"]), value_cell(row, counts), *([interval_cell(row, counts)] if has_ends else [])]
        found.append(cells)
    return Table(headings, found)
