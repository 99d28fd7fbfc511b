"""The scores of a report, as dot plots and tables: of whole submissions, of slices, and of blocks."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from scorespec.catalog.model import Axis, Heading, Plot, Range
from scorespec.comparison.targets import MISSED
from scorespec.core.groups import grouped
from scorespec.core.score_text import end_text, is_count, level_text, score_name, score_text, slice_text, value_text
from scorespec.errors import UsageError
from scorespec.plan.parameters import text_literal
from scorespec.report.drawing.svg import RUN, Paper, Row
from scorespec.report.figures import Cell, CellTable, Shown, draw, sentences, statement, table_of
from scorespec.report.subject import ChosenRun, Score, Subject, slice_name

if TYPE_CHECKING:
    from scorespec.comparison.differences import BlockDifferences

MOST_DOTS = 40  # slices, or blocks, of a plot
MOST_ROWS = 200  # of a table
LEVEL = 95.0  # of the interval of a difference, if the runs have none of their own
ALL = "whole corpus"


def scores_sql(subject: Subject, metric: str | None = None) -> str:
    """The query of the scores of the runs, or of those of one metric."""
    condition = f"\nWHERE metric = {text_literal(metric)}" if metric is not None else ""
    sql = f"SELECT run, metric, component, slice, value, low, high, note\nFROM scores{condition}"
    return statement(sql, ["scores"], subject.runs, subject.schema)


def value_cell(row: Row | None, counts: Collection[Score]) -> Cell:
    """The value of a score, with its note and the targets that it misses as a hint; empty without the score."""
    if row is None:
        return Cell("", True)
    text = "undefined" if row["value"] is None else score_text(row, counts) + (MISSED if row["missed"] else "")
    return Cell(text, True, hint="; ".join(filter(None, [row["missed"] and f"misses {row['missed']}", row["note"]])))


def _interval_cell(row: Row | None, counts: Collection[Score]) -> Cell:
    """The interval of a score, or the note that says why there is none as a hint."""
    if row is None or row["low"] is None:
        return Cell("", hint=(row or {}).get("note") or "")
    low, high = (end_text(row[name], is_count(row, counts)) for name in ("low", "high"))
    return Cell(f"{low} to {high}", is_unbroken=True)


# -- whole submissions -------------------------------------------------------------------------------


def score_figures(subject: Subject) -> Iterator[Shown]:
    """Plots of the scores of whole submissions: one for all scores with the same range and unit."""
    found = grouped(((row["metric"], row["component"]), row) for run in subject.runs for row in _whole_rows(run))
    groups: dict[tuple[Range, str | None], list[Row]] = {}
    for score, rows in found.items():
        meaning = subject.meaning(*score)
        if not meaning.is_rated:
            continue
        values = [row[name] for row in rows for name in ("value", "low", "high") if row[name] is not None]
        are_shares = meaning.unit is None and all(0 <= value <= 1 for value in values)
        low, high = (0, 1) if are_shares else (meaning.range or (None, None))
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
        drawn = draw(plot, rows, (), subject.run_names, Paper(f"{subject.prefix}scores{at}"))
        yield Shown(f"{subject.prefix}scores{at}", plot.title, plot.about, drawn.svg)


def score_table(subject: Subject) -> CellTable:
    """All scores of whole submissions: a row for each score, the values of each run beside each other."""
    runs, counts = subject.runs, subject.counts
    found = [row for run in runs for row in _whole_rows(run)]
    values = {(row[RUN], row["metric"], row["component"], row["whole"]): row for row in found}
    has_ends = any(row["low"] is not None for row in found)
    has_slices = any(row["whole"] for row in found)
    headings = ["metric", "component", *(["slice"] if has_slices else []), "better"]
    for run in runs:
        headings += [run.name if len(runs) > 1 else "value", *(["interval"] if has_ends else [])]
    rows = []
    for metric, component, whole in dict.fromkeys((row["metric"], row["component"], row["whole"]) for row in found):
        meaning, definition = subject.meaning(metric, component), subject.metric(metric)
        cells = [
            Cell(metric, link=f"metric-{metric}" if definition else "", hint=definition.about if definition else ""),
            Cell(component, hint=meaning.about),
            *([Cell(whole, is_unbroken=True)] if has_slices else []),
            Cell(meaning.better if meaning.better != "none" else ""),
        ]
        for run in runs:
            row = values.get((run.number, metric, component, whole))
            cells += [value_cell(row, counts), *([_interval_cell(row, counts)] if has_ends else [])]
        rows.append(cells)
    return CellTable(headings, rows)


def _whole_rows(run: ChosenRun) -> Iterator[Row]:
    """The rows of the scores of whole submissions, metric by metric, each with the number of the run.

    ``whole`` names the slice if there are several, ``score`` has the name of the score and of this slice.
    """
    for metric, rows in run.by_metric.items():
        for row in rows:
            if row["key"] in run.wholes[metric]:
                whole = slice_text(row["slice"]) if len(run.wholes[metric]) > 1 else ""
                name = ", ".join(filter(None, [score_name(metric, row["component"]), whole]))
                yield {**row, RUN: run.number, "whole": whole, "score": name}


# -- slices ------------------------------------------------------------------------------------------


def slice_figures(subject: Subject) -> Iterator[Shown]:
    """A plot and a table for each metric with a rated component, and each set of columns that its slices have."""
    groups = grouped(
        ((metric, tuple(row["slice"])), {**row, RUN: run.number, "name": slice_name(row["slice"])})
        for run in subject.runs
        for metric, rows in run.by_metric.items()
        for row in rows
        if row["key"] not in run.wholes[metric]
    )
    for at, ((metric, columns), rows) in enumerate(groups.items(), start=1):
        meanings = {row["component"]: subject.meaning(metric, row["component"]) for row in rows}
        rated = [component for component, meaning in meanings.items() if meaning.is_rated]
        if rated:
            main = [component for of, component in subject.main_scores[:1] if of == metric and component in rated]
            first = (main or rated)[0]
            alike = [each for each in rated if meanings[each].range == meanings[first].range]
            drawn = alike if len(subject.runs) == 1 else [first]
            yield _slices(f"{subject.prefix}slices{at}", metric, columns, drawn, rows, subject)


def _slices(
    id: str, metric: str, columns: Sequence[str], drawn: Sequence[str], rows: Sequence[Row], subject: Subject
) -> Shown:
    """The scores of the slices of a metric; ``drawn`` are the components in the plot."""
    names = dict.fromkeys(row["name"] for row in rows)
    drawn_names = {*list(names)[:MOST_DOTS]}
    plotted = [row for row in rows if row["component"] in drawn and row["name"] in drawn_names]
    plot = _dots(metric, columns, drawn, plotted, subject)
    picture = draw(plot, plotted, (), subject.run_names, Paper(id))
    rule = [f"{len(drawn_names)} of {len(names):,} slices are drawn."] if len(names) > MOST_DOTS else []
    if len(rows) > MOST_ROWS:
        rule.append(f"The table has {MOST_ROWS} of {len(rows):,} rows; the query returns all.")
    table = _slice_table(columns, rows[:MOST_ROWS], subject)
    return Shown(id, plot.title, plot.about, picture.svg, table, (), scores_sql(subject, metric), " ".join(rule))


def score_figure(subject: Subject, score: Score, columns: Sequence[str], paper: Paper) -> Shown | None:
    """A plot of one score, with a row for each slice by some columns, or for each run; None if there are no rows."""
    metric, component = score
    rows: list[Row] = []
    for run in subject.runs:
        found = [row for row in _whole_rows(run) if row["metric"] == metric]
        of_run = {row["key"]: ", ".join(filter(None, [run.name, row["whole"]])) for row in found}
        names = run.slices(columns) if columns else of_run
        for row in run.by_metric.get(metric, ()):
            if row["component"] == component and row["key"] in names:
                rows.append({**row, RUN: run.number, "name": names[row["key"]]})
    if not rows:
        return None
    plot = _dots(metric, columns, [component], rows, subject)
    return Shown(paper.id, plot.title, plot.about, draw(plot, rows, (), subject.run_names, paper).svg)


def _dots(metric: str, columns: Sequence[str], drawn: Sequence[str], rows: Sequence[Row], subject: Subject) -> Plot:
    """The plot of some components of a metric by some columns; without columns, by run."""
    meaning = subject.meaning(metric, drawn[0])
    said = score_name(metric, drawn[0]) if len(drawn) == 1 else metric
    return Plot(
        title=f"{metric} by {' and '.join(each.replace('_', ' ') for each in columns or ['run'])}",
        about=f"{said}: {meaning.reading}." if meaning.reading else f"{said}.",
        kind="dots",
        x=Axis("value", said, meaning.unit, range=_bounds(rows, meaning.range)),
        label="name",
        series=(RUN, "component") if columns else (),
        low="low",
        high="high",
    )


def _bounds(rows: Sequence[Row], range: Range | None) -> Range:
    """The ends of the axis: it begins at the least possible value unless all values are far from that."""
    least = range[0] if range else None
    values = [row["value"] for row in rows if row["value"] is not None]
    if least is None or not values:
        return None, None
    spread = max(values) - min(values)
    return (least if min(values) - least <= spread or spread == 0 else None), None


def _slice_table(columns: Sequence[str], rows: Sequence[Row], subject: Subject) -> CellTable:
    several, has_ends = len(subject.runs) > 1, any(row["low"] is not None for row in rows)
    headings = [*(["run"] if several else []), *columns, "component", "value", *(["interval"] if has_ends else [])]
    found = [
        [
            *([Cell(subject.run_names[row[RUN]])] if several else []),
            *(Cell(value_text(row["slice"][column])) for column in columns),
            Cell(row["component"]),
            value_cell(row, subject.counts),
            *([_interval_cell(row, subject.counts)] if has_ends else []),
        ]
        for row in rows
    ]
    return CellTable(headings, found)


# -- blocks of two runs ------------------------------------------------------------------------------


def block_figures(subject: Subject) -> Iterator[Shown]:
    """For each whole slice of the first main score of two runs: its difference in each block, sorted.

    Only a score that follows from sums of blocks has such figures.
    """
    from scorespec.comparison.compared_runs import stored_run
    from scorespec.comparison.differences import block_differences  # slow to load

    if len(subject.runs) != 2:
        return
    level = float(subject.runs[0].record.parameters.get("confidence") or LEVEL)
    try:
        compared = [stored_run(subject.results, subject.schema, run.number) for run in subject.runs]
        differences = (block_differences(compared, *score, level) for score in subject.main_scores)
        found = next(filter(None, differences), [])
    except UsageError:  # the verdict says that the runs cannot be compared
        return
    for at, each in enumerate(found, start=1):
        if any(block.difference for block in each.blocks):
            yield _blocks(f"{subject.prefix}blocks{at}", each, level, subject)


def _blocks(id: str, found: BlockDifferences, level: float, subject: Subject) -> Shown:
    compared, (first, second) = found.comparison, subject.run_names.values()
    name = score_name(compared.metric, compared.component)
    where = f" ({said})" if (said := slice_text(json.loads(compared.slice))) else ""
    whole = {"block": ALL, "difference": compared.difference, "first": compared.value_a, "second": compared.value_b}
    rows: list[Row] = [{**whole, "low": compared.low, "high": compared.high}]
    for each in found.blocks:
        values = {"first": each.value_a, "second": each.value_b, "low": None, "high": None}
        rows.append({"block": each.block, "difference": each.difference, **values})
    unit, side = found.unit, "Above" if compared.better == "higher" else "Below"
    plot = Plot(
        title=f"Difference of {name} by {unit}{where}",
        about=f"Score of {second} minus score of {first} in each {unit}, sorted. {side} 0, {second} is better. "
        f"The score in a {unit} is that of a corpus in which each {unit} is like this one. The row `{ALL}` has the "
        f"difference of the scores, with its {level_text(level)} % interval.",
        kind="dots",
        x=Axis("difference", f"difference of {name}"),
        label="block",
        series=(),
        low="low",
        high="high",
        columns={"block": Heading(unit), "first": Heading(first), "second": Heading(second)},
    )
    drawn, rule = rows, []
    if len(rows) > MOST_DOTS:
        drawn = [*rows[: MOST_DOTS // 2], *rows[-MOST_DOTS // 2 :]]
        rule.append(f"the picture has {len(drawn):,} of {len(rows):,} rows, from both ends")
    if len(rows) > MOST_ROWS:
        rule.append(f"the table has the first {MOST_ROWS} rows")
    rule.append(f"the scores of a {unit} follow from its sums by the queries in `resampled`")
    picture = draw(plot, drawn, (), {}, Paper(id))
    columns = ["block", "first", "second", "difference", "low", "high"]
    table = table_of(plot, columns, rows[:MOST_ROWS], {})
    sources = f"FROM block_sums\nWHERE source IN ({', '.join(map(text_literal, found.sources))})"
    sql = statement(sources, ["block_sums"], subject.runs, subject.schema)
    return Shown(id, plot.title, plot.about, picture.svg, table, (), sql, sentences(rule))
