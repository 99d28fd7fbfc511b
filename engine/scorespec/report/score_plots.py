"""The scores of whole submissions: dot plots with intervals, and the table beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from scorespec.catalog.model import Axis, Plot, Range
from scorespec.core.score_text import end_text, is_count, score_name, score_text, slice_text
from scorespec.plan.parameters import text_literal
from scorespec.report.cells import Cell, Table
from scorespec.report.chosen import ChosenRun, names_of
from scorespec.report.drawing.canvas import Paper
from scorespec.report.drawing.series import RUN
from scorespec.report.figure_rows import statement
from scorespec.report.figures import Shown, draw
from scorespec.report.meanings import Meanings, Score, wholes

Row = Mapping[str, Any]


def score_figures(runs: Sequence[ChosenRun], meanings: Meanings) -> Iterator[Shown]:
    """Plots of the scores of whole submissions: one for all scores with the same range and unit."""
    found: dict[Score, list[Row]] = {}
    for run in runs:
        for row in _whole_rows(run):
            score = (row["metric"], row["component"])
            if meanings.of(*score).is_rated:
                name = ", ".join(filter(None, [score_name(*score), row["whole"]]))
                found.setdefault(score, []).append({**row, RUN: run.number, "score": name})
    groups: dict[tuple[Range, str | None], list[Row]] = {}
    for score, rows in found.items():
        meaning = meanings.of(*score)
        low, high = (0, 1) if meaning.unit is None and _are_shares(rows) else (meaning.range or (None, None))
        bounds = (low, high if low is not None else None)
        groups.setdefault((bounds, meaning.unit), []).extend(rows)
    for at, (((low, high), unit), rows) in enumerate(groups.items(), start=1):
        title = f"Scores from {low:g} to {high:g}" if low is not None and high is not None else "Scores"
        plot = Plot(
            title=f"{title} ({unit})" if unit else title,
            about="The scores of whole submissions, with their intervals if any were asked for.",
            kind="dots",
            x=Axis("value", "value", unit, range=(low, high)),
            label="score",
            low="low",
            high="high",
        )
        drawn = draw(plot, rows, (), names_of(runs), Paper(f"scores{at}"))
        yield Shown(f"scores{at}", plot.title, plot.about, drawn.svg)


def _are_shares(rows: Sequence[Row]) -> bool:
    """Whether all values and intervals are from 0 to 1."""
    values = [row[name] for row in rows for name in ("value", "low", "high") if row[name] is not None]
    return all(0 <= value <= 1 for value in values)


def score_table(runs: Sequence[ChosenRun], meanings: Meanings) -> Table:
    """All scores of whole submissions: a row for each score, the values of each run beside each other."""
    found = [(run, row) for run in runs for row in _whole_rows(run)]
    values = {(run.number, row["metric"], row["component"], row["whole"]): row for run, row in found}
    counts = {score for run in runs for score in run.record.counts}
    several, has_ends = len(runs) > 1, any(row["low"] is not None for _, row in found)
    has_slices = any(row["whole"] for _, row in found)
    headings = ["metric", "component", *(["slice"] if has_slices else []), "better"]
    for run in runs:
        headings += [run.name if several else "value", *(["interval"] if has_ends else [])]
    rows = []
    for metric, component, whole in dict.fromkeys((row["metric"], row["component"], row["whole"]) for _, row in found):
        *names, better = _names(metric, component, meanings)
        cells = [*names, *([Cell(whole, is_unbroken=True)] if has_slices else []), better]
        for run in runs:
            row = values.get((run.number, metric, component, whole))
            cells += [value_cell(row, counts), *([interval_cell(row, counts)] if has_ends else [])]
        rows.append(cells)
    return Table(headings, rows)


def scores_sql(runs: Sequence[ChosenRun], schema: str, metric: str | None = None) -> str:
    """The query of the scores of some runs, or of those of one metric."""
    condition = f"\nWHERE metric = {text_literal(metric)}" if metric is not None else ""
    sql = f"SELECT run, metric, component, slice, value, low, high, note\nFROM scores{condition}"
    return statement(sql, ["scores"], [run.number for run in runs], schema)


def _names(metric: str, component: str, meanings: Meanings) -> Iterator[Cell]:
    meaning = meanings.of(metric, component)
    definition = meanings.metric(metric)
    yield Cell(metric, link=f"metric-{metric}" if definition else "", hint=definition.about if definition else "")
    yield Cell(component, hint=meaning.about)
    yield Cell(meaning.better if meaning.better != "none" else "")


def value_cell(row: Row | None, counts: Collection[Score]) -> Cell:
    """The value of a score, with its note as a hint; empty for a run that does not have the score."""
    if row is None:
        return Cell("", True)
    return Cell("undefined" if row["value"] is None else score_text(row, counts), True, hint=row["note"] or "")


def interval_cell(row: Row | None, counts: Collection[Score]) -> Cell:
    """The interval of a score, or the note that says why there is none as a hint."""
    if row is None or row["low"] is None:
        return Cell("", hint=(row or {}).get("note") or "")
    low, high = (end_text(row[name], is_count(row, counts)) for name in ("low", "high"))
    return Cell(f"{low} to {high}", is_unbroken=True)


def _whole_rows(run: ChosenRun) -> Iterator[Row]:
    """The rows of the scores of whole submissions, metric by metric; ``whole`` names the slice if there are several."""
    for rows in by_metric(run).values():
        keys = wholes(rows)
        for row in rows:
            if row["key"] in keys:
                yield {**row, "whole": slice_text(row["slice"]) if len(keys) > 1 else ""}


def by_metric(run: ChosenRun) -> dict[str, list[Row]]:
    """The rows of scores by metric."""
    found: dict[str, list[Row]] = {}
    for row in run.scores:
        found.setdefault(row["metric"], []).append(row)
    return found
