"""The scores of a report, as dot plots and tables: of whole submissions, of slices, and of blocks."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from scorespec.catalog.model import DIRECTED, MAIN_COMPONENT, Axis, Heading, Plot, Range
from scorespec.comparison.targets import MISSED
from scorespec.core.groups import grouped
from scorespec.core.score_text import is_count, level_text, score_text, slice_text, value_text
from scorespec.errors import UsageError
from scorespec.plan.parameters import text_literal
from scorespec.report.drawing.svg import RUN, Paper, Row
from scorespec.report.figures import Cell, CellTable, Shown, draw, sentences, statement, table_of
from scorespec.report.subject import (
    PERCENT,
    ChosenRun,
    Score,
    Subject,
    best_of,
    decimals_of,
    interval_text,
    slice_name,
    with_unit,
)

if TYPE_CHECKING:
    from scorespec.comparison.differences import BlockDifferences

MOST_DOTS = 40  # slices, or blocks, of a plot
MOST_ROWS = 200  # of a table
ALL = "all"


def scores_sql(subject: Subject, metric: str | None = None) -> str:
    """The query of the scores of the runs, or of those of one metric."""
    condition = f"\nWHERE metric = {text_literal(metric)}" if metric is not None else ""
    sql = f"SELECT run, metric, component, slice, value, low, high, note\nFROM scores{condition}"
    return statement(sql, ["scores"], subject.runs, subject.schema)


def value_cell(
    row: Row | None,
    counts: Collection[Score],
    decimals: int | None = None,
    unit: str | None = None,
    is_best: bool = False,
) -> Cell:
    """The value of a score with its interval; empty without the score. With the unit `%`, both are in percent.

    Its hint has the note of the score, such as why there is no interval, and the targets that it misses.
    """
    if row is None:
        return Cell("", True)
    whole = is_count(row, counts)
    as_scored = whole or (decimals is None and unit != PERCENT)
    text = score_text(row, counts) if as_scored else with_unit(row["value"] or 0, decimals, unit)
    text = "undefined" if row["value"] is None else text + (MISSED if row["missed"] else "")
    hint = "; ".join(filter(None, [row["missed"] and f"misses {row['missed']}", row["note"]]))
    return Cell(text, True, hint=hint, is_best=is_best, interval=interval_text(row, decimals, unit, whole) or " ")


# -- whole submissions -------------------------------------------------------------------------------


def score_figures(subject: Subject) -> Iterator[Shown]:
    """Plots of the scores of whole submissions: one for all scores with the same range and unit."""
    found = grouped(
        ((row["metric"], row["component"]), row) for run in subject.runs for row in _whole_rows(run, subject)
    )
    groups: dict[tuple[Range, str | None], list[Row]] = {}
    for score, rows in found.items():
        meaning = subject.meaning(*score)
        if not meaning.is_rated:
            continue
        are_shares = meaning.unit in (None, PERCENT) and all(0 <= (row["value"] or 0) <= 1 for row in rows)
        low, high = (0, 1) if are_shares else (meaning.range or (None, None))
        bounds = (low, high if low is not None else None)
        groups.setdefault((bounds, meaning.unit), []).extend(rows)
    for at, (((low, high), unit), rows) in enumerate(groups.items(), start=1):
        names = {row["name"] for row in rows}
        title = f"Scores from {low:g} to {high:g}" if low is not None and high is not None and not unit else "Scores"
        title = names.pop() if len(names) == 1 and low is None else title
        largest = max((row["high"] or 0 for row in rows), default=0)  # an interval can end beyond the range
        plot = Plot(
            title=f"{title} ({unit})" if unit else title,
            about="Scores of the complete submissions, with their intervals.",
            kind="dots",
            x=Axis("value", "value", unit, range=(low, None if high is not None and largest > high else high)),
            label="score",
            low="low",
            high="high",
        )
        drawn = draw(plot, rows, (), subject.run_names, Paper(f"{subject.prefix}scores{at}"))
        yield Shown(f"{subject.prefix}scores{at}", plot.title, plot.about, drawn.svg)


def score_tables(subject: Subject) -> tuple[CellTable, CellTable, CellTable]:
    """The scores of whole submissions, a row each: the metrics, their components, and values without an interval.

    A value without an interval, such as the size of the reference, has no direction and is the same in all runs.
    Without a metric that has a main component, all scores are in the first table.
    """
    found = [row for run in subject.runs for row in _whole_rows(run, subject)]
    runs = _best_first(subject, found)
    scores = grouped(((row["metric"], row["component"], row["whole"]), row) for row in found)
    slices = ["slice"] if any(row["whole"] for row in found) else []
    has_ends = any(row["low"] is not None for row in found)
    main, further, fixed = list[list[Cell]](), list[list[Cell]](), list[list[Cell]]()
    shared = min(max((decimals_of(rows) or 0 for rows in scores.values()), default=0), 4)  # decimals
    for (metric, component, whole), rows in scores.items():
        meaning, definition = subject.meaning(metric, component), subject.metric(metric)
        hint = meaning.about or (definition.about if definition else "")
        link = f"metric-{metric}" if definition else ""
        head = [
            Cell(meaning.name, link=link, hint=hint),
            *(Cell(whole, is_unbroken=True) for _ in slices),
        ]
        values, by_run = {row["value"] for row in rows}, {row[RUN]: row for row in rows}
        is_fixed = has_ends and len(values) == 1 and meaning.better not in DIRECTED
        if is_fixed and all(row["low"] is None and row["note"] for row in rows):
            fixed.append([*head, value_cell(rows[0], subject.counts, unit=meaning.unit)])
        else:
            decimals = None if (own := decimals_of(rows)) is None else max(own, shared)
            head.append(Cell(meaning.better if meaning.better in DIRECTED else ""))
            best = best_of(values, meaning.better) if len(values) > 1 else None
            shown = [(row, row is not None and row["value"] == best) for row in map(by_run.get, runs)]
            cells = [value_cell(row, subject.counts, decimals, meaning.unit, is_best) for row, is_best in shown]
            is_main = component == MAIN_COMPONENT or (metric, component) in subject.main_scores
            (main if is_main else further).append([*head, *cells])
    names = [subject.run_names[run] for run in runs] if len(runs) > 1 else ["value"]
    headings, main, further = ["score", *slices, "better", *names], main or further, further if main else []
    return CellTable(headings, main), CellTable(headings, further), CellTable(["score", *slices, "value"], fixed)


def _best_first(subject: Subject, rows: Sequence[Row]) -> list[int]:
    """The numbers of the runs, three or more from the best in the main score on: a narrow screen shows the first ones.

    Of two runs, the first is the one that the second is compared with.
    """
    numbers = list(subject.run_names)
    if len(numbers) > 2 and subject.main_scores:
        main, sign = subject.main_scores[0], -1 if subject.meaning(*subject.main_scores[0]).better == "higher" else 1
        scored = [row for row in rows if (row["metric"], row["component"]) == main and row["value"] is not None]
        merits = {row[RUN]: sign * row["value"] for row in reversed(scored)}  # if there are several, by the first slice
        numbers.sort(key=lambda number: merits.get(number, math.inf))
    return numbers


def _whole_rows(run: ChosenRun, subject: Subject) -> Iterator[Row]:
    """The rows of the scores of whole submissions, metric by metric, each with the number of the run.

    ``name`` is the name of the score, ``whole`` names the slice if there are several, ``score`` has both.
    """
    for metric, rows in run.by_metric.items():
        for row in rows:
            if row["key"] in run.wholes[metric]:
                whole = slice_text(row["slice"]) if len(run.wholes[metric]) > 1 else ""
                name = subject.meaning(metric, row["component"]).name
                score = ", ".join(filter(None, [name, whole]))
                yield {**row, RUN: run.number, "whole": whole, "name": name, "score": score}


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
    table, sql = _slice_table(columns, rows[:MOST_ROWS], subject), scores_sql(subject, metric)
    return Shown(id, plot.title, plot.about, picture.svg, table, None, sql, " ".join(rule))


def score_figure(subject: Subject, score: Score, columns: Sequence[str], paper: Paper) -> Shown | None:
    """A plot of one score, with a row for each slice by some columns, or for each run; None if there are no rows."""
    metric, component = score
    rows: list[Row] = []
    for run in subject.runs:
        found = [row for row in _whole_rows(run, subject) if row["metric"] == metric]
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
    said = meaning.name if len(drawn) == 1 else metric
    return Plot(
        title=f"{said} by {' and '.join(each.replace('_', ' ') for each in columns or ['run'])}",
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
    several, of_component = len(subject.runs) > 1, grouped((row["component"], row) for row in rows)
    headings = [*(["run"] if several else []), *columns, "component", "value"]
    units = {each: subject.meaning(rows[0]["metric"], each).unit for each in of_component}
    found = [
        [
            *([Cell(subject.run_names[row[RUN]])] if several else []),
            *(Cell(value_text(row["slice"][column])) for column in columns),
            Cell(row["component"]),
            value_cell(row, subject.counts, decimals_of(of_component[row["component"]]), units[row["component"]]),
        ]
        for row in rows
    ]
    return CellTable(headings, found)


# -- blocks of two runs ------------------------------------------------------------------------------


def block_figures(subject: Subject) -> Iterator[Shown]:
    """For each whole slice of the first main score of two runs: how much better the second is in each block, sorted.

    Only a score that follows from sums of blocks has such figures.
    """
    from scorespec.comparison.compared_runs import stored_run
    from scorespec.comparison.differences import block_differences  # slow to load

    if len(subject.runs) != 2 or not subject.main_scores:
        return
    try:
        compared = [stored_run(subject.results, subject.schema, run.number) for run in subject.runs]
        found = block_differences(compared, *subject.main_scores[0], subject.level)
    except UsageError:  # the verdict says that the runs cannot be compared
        return
    for at, each in enumerate(found, start=1):
        if any(block.difference for block in each.blocks):
            yield _blocks(f"{subject.prefix}blocks{at}", each, subject)


def _blocks(id: str, found: BlockDifferences, subject: Subject) -> Shown:
    compared, (first, second) = found.comparison, subject.run_names
    (a, b), sign = subject.run_names.values(), 1 if compared.better == "higher" else -1
    meaning, ends = subject.meaning(compared.metric, compared.component), [compared.low, compared.high][::sign]
    name, percent = meaning.name, meaning.unit if meaning.unit == PERCENT else None
    where = f" ({said})" if (said := slice_text(json.loads(compared.slice))) else ""
    words = (figure.columns[found.unit].label for figure in subject.figures if found.unit in figure.columns)
    unit = next(words, found.unit.replace("_", " "))
    low, high = (end if end is None else sign * end for end in ends)
    rows: list[Row] = [
        {"block": block, "first": of_a, "second": of_b, "gain": sign * gain, "low": None, "high": None}
        for block, of_a, of_b, gain in [
            (ALL, compared.value_a, compared.value_b, compared.difference or 0),
            *((each.block, each.value_a, each.value_b, each.difference) for each in found.blocks),
        ]
    ]
    rows = [{**rows[0], "low": low, "high": high}, *sorted(rows[1:], key=lambda row: (-row["gain"], row["block"]))]
    shown = [{**row, RUN: second if row["gain"] > 0 else first if row["gain"] < 0 else None} for row in rows]
    gains = [row[end] for row in rows for end in ("gain", "low", "high") if row[end] is not None]
    plot = Plot(
        title=f"Difference of {name} by {unit}{where}",
        about=f"Each dot is one {unit}. Right of 0, {b} is better; left of 0, {a} is better. The row `{ALL}` is the "
        f"whole corpus, with the {level_text(subject.level)} % interval of the difference.",
        kind="dots",
        x=Axis(
            "gain",
            f"advantage of {b} in {name}",
            percent,
            range=(0 if min(gains) > 0 else None, 0 if max(gains) < 0 else None),
        ),
        label="block",
        low="low",
        high="high",
        columns={
            "block": Heading(unit),
            "first": Heading(a, percent),
            "second": Heading(b, percent),
            "low": Heading("from", percent),
            "high": Heading("to", percent),
        },
    )
    drawn, rule = shown, []
    if len(rows) > MOST_DOTS:
        drawn = [*shown[: MOST_DOTS // 2], *shown[-MOST_DOTS // 2 :]]
        rule.append(f"the picture has {len(drawn):,} of {len(rows):,} rows, from both ends")
    if len(rows) > MOST_ROWS:
        rule.append(f"the table has the first {MOST_ROWS} rows")
    picture = draw(plot, drawn, (), subject.run_names, Paper(id))
    table = table_of(plot, [*rows[0]], rows[:MOST_ROWS], {})
    sources = f"FROM block_sums\nWHERE source IN ({', '.join(map(text_literal, found.sources))})"
    sql = statement(sources, ["block_sums"], subject.runs, subject.schema)
    return Shown(id, plot.title, plot.about, picture.svg, table, None, sql, sentences(rule))
