"""The scores of a report: dot plots with intervals, the tables beside them, and the scores of slices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorespec.catalog.figures import Plot
from scorespec.catalog.model import COUNT, Range
from scorespec.catalog.report import Axis
from scorespec.numerals import end_text, number_text
from scorespec.report.chosen import ChosenRun, names_of
from scorespec.report.drawing import Paper, value_text
from scorespec.report.figures import Shown, draw
from scorespec.report.meanings import Meanings, Score, wholes
from scorespec.report.series import RUN
from scorespec.report.tables import Cell, Table
from scorespec.report.verdict import score_name, slice_text

MOST_DOTS = 40  # rows of a plot of slices
MOST_ROWS = 200  # of a table of slices
Row = Mapping[str, Any]


def score_figures(runs: Sequence[ChosenRun], meanings: Meanings) -> Iterator[Shown]:
    """Plots of the scores of whole submissions: one for all scores with the same range and unit."""
    found: dict[Score, list[Row]] = {}
    for run in runs:
        for row in _whole_rows(run):
            score = (row["metric"], row["component"])
            if meanings.of(*score).is_rated:
                found.setdefault(score, []).append({**row, RUN: run.number, "score": score_name(score)})
    groups: dict[tuple[Range, str | None], list[Row]] = {}
    for score, rows in found.items():
        meaning = meanings.of(*score)
        bounds: Range = (0, 1) if meaning.unit is None and _are_shares(rows) else (meaning.range or (None, None))
        groups.setdefault((bounds, meaning.unit), []).extend(rows)
    for at, (((low, high), unit), rows) in enumerate(groups.items(), start=1):
        title = f"Scores from {low:g} to {high:g}" if low is not None and high is not None else "Scores"
        plot = Plot(
            title=f"{title} ({unit})" if unit else title,
            about="The scores of whole submissions, with their intervals if any were asked for.",
            kind="dots",
            x=Axis("value", "value", unit, range=(low, high if low is not None else None)),
            label="score",
            low="low",
            high="high",
        )
        drawn = draw(plot, rows, (), names_of(runs), Paper(f"scores{at}"))
        yield Shown(f"scores{at}", plot.title, plot.about, drawn.svg, None, (), "", "")


def _are_shares(rows: Sequence[Row]) -> bool:
    """Whether all values and intervals are from 0 to 1."""
    values = [row[name] for row in rows for name in ("value", "low", "high") if row[name] is not None]
    return all(0 <= value <= 1 for value in values)


def score_table(runs: Sequence[ChosenRun], meanings: Meanings) -> Table:
    """All scores of whole submissions: a row for each score, the values of each run beside each other."""
    scores = list(dict.fromkeys((row["metric"], row["component"]) for run in runs for row in _whole_rows(run)))
    values = {(run.number, row["metric"], row["component"]): row for run in runs for row in _whole_rows(run)}
    counts = {score for run in runs for score in run.record.counts}
    several, low = len(runs) > 1, any(row["low"] is not None for row in values.values())
    headings = ["metric", "component", "better"]
    for run in runs:
        headings += [run.name if several else "value", *(["interval"] if low else [])]
    rows = []
    for metric, component in scores:
        cells = [*_names(metric, component, meanings)]
        for run in runs:
            row = values.get((run.number, metric, component))
            cells.append(_value(row, (metric, component), counts))
            cells += [_interval(row)] if low else []
        rows.append(cells)
    return Table(headings, rows)


def _names(metric: str, component: str, meanings: Meanings) -> Iterator[Cell]:
    meaning = meanings.of(metric, component)
    definition = meanings.metric(metric)
    yield Cell(metric, link=f"metric-{metric}" if definition else "", hint=definition.about if definition else "")
    yield Cell(component, hint=meaning.about)
    yield Cell(meaning.better if meaning.better != "none" else "")


def _value(row: Row | None, score: Score, counts: set[Score]) -> Cell:
    if row is None or row["value"] is None:
        return Cell("" if row is None else "undefined", True, hint=(row or {}).get("note") or "")
    value = row["value"]
    is_count = score in counts and row["folds"] is None and value == int(value)
    return Cell(f"{int(value):,}" if is_count else number_text(value), True, hint=row["note"] or "")


def _interval(row: Row | None) -> Cell:
    if row is None or row["low"] is None:
        return Cell("", hint=(row or {}).get("note") or "")
    return Cell(f"{end_text(row['low'])} to {end_text(row['high'])}", is_interval=True)


def _whole_rows(run: ChosenRun) -> Iterator[Row]:
    """The rows of the scores of whole submissions, metric by metric."""
    for rows in _by_metric(run).values():
        whole = wholes(rows)
        yield from (row for row in rows if row["slice"] in whole)


def _by_metric(run: ChosenRun) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in run.scores:
        found.setdefault(row["metric"], []).append(row)
    return found


# -- slices ------------------------------------------------------------------------------------------


def slice_figures(runs: Sequence[ChosenRun], meanings: Meanings) -> Iterator[Shown]:
    """For each metric and each set of columns that slices have: a plot of its first rated component, and a table."""
    groups: dict[tuple[str, tuple[str, ...]], list[Row]] = {}
    for run in runs:
        for metric, rows in _by_metric(run).items():
            whole = wholes(rows)
            for row in rows:
                if row["slice"] not in whole:
                    key = (metric, tuple(row["slice"]))
                    groups.setdefault(key, []).append({**row, RUN: run.number, "name": _slice_name(row["slice"])})
    for at, ((metric, columns), rows) in enumerate(groups.items(), start=1):
        yield _slices(f"slices{at}", metric, columns, rows, runs, meanings)


def _slice_name(slice_: Row) -> str:
    """What a slice is called below the names of its columns."""
    return value_text(next(iter(slice_.values()))) if len(slice_) == 1 else slice_text(slice_)


def _slices(
    id: str, metric: str, columns: Sequence[str], rows: Sequence[Row], runs: Sequence[ChosenRun], meanings: Meanings
) -> Shown:
    components = list(dict.fromkeys(row["component"] for row in rows))
    rated = [each for each in components if meanings.of(metric, each).is_rated]
    component = (rated or components)[0]
    names = list(dict.fromkeys(row["name"] for row in rows))
    drawn_names = set(names[:MOST_DOTS])
    plotted = [row for row in rows if row["component"] == component and row["name"] in drawn_names]
    title = f"{metric} by {' and '.join(each.replace('_', ' ') for each in columns)}"
    meaning = meanings.of(metric, component)
    about = f"{score_name((metric, component))}{f', {meaning.reading}' if meaning.reading else ''}."
    unit = None if meaning.unit == COUNT else meaning.unit
    axis = Axis("value", score_name((metric, component)), unit)
    plot = Plot(title=title, about=about, kind="dots", x=axis, label="name", low="low", high="high")
    drawn = draw(plot, plotted, (), names_of(runs), Paper(id))
    rule = f"{len(drawn_names)} of {len(names):,} slices are drawn. " if len(names) > MOST_DOTS else ""
    rule += f"The table has {MOST_ROWS} of {len(rows):,} rows; the query returns all." if len(rows) > MOST_ROWS else ""
    numbers = ", ".join(str(run.number) for run in runs)
    quoted = metric.replace("'", "''")
    columns_read = "run, slice, component, value, low, high, note"
    sql = f"SELECT {columns_read}\nFROM scores\nWHERE metric = '{quoted}' AND run IN ({numbers})"
    return Shown(id, title, about, drawn.svg, _slice_table(columns, rows[:MOST_ROWS], runs), (), sql, rule)


def _slice_table(columns: Sequence[str], rows: Sequence[Row], runs: Sequence[ChosenRun]) -> Table:
    names, several = names_of(runs), len(runs) > 1
    low = any(row["low"] is not None for row in rows)
    headings = [*(["run"] if several else []), *columns, "component", "value", *(["interval"] if low else [])]
    counts = {score for run in runs for score in run.record.counts}
    found = []
    for row in rows:
        cells = [Cell(names[row[RUN]])] if several else []
        cells += [Cell(value_text(row["slice"][column])) for column in columns]
        score = (row["metric"], row["component"])
        cells += [Cell(row["component"]), _value(row, score, counts), *([_interval(row)] if low else [])]
        found.append(cells)
    return Table(headings, found)
