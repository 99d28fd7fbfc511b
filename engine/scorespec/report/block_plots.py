"""Two runs: the difference of a main score in each block, sorted, with the interval of the difference of all blocks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scorespec.catalog.model import Axis, Heading, Plot
from scorespec.core.score_text import level_text, score_name, slice_text
from scorespec.errors import UsageError
from scorespec.plan.parameters import text_literal
from scorespec.report.cells import headings_of, table_of
from scorespec.report.chosen import ChosenRun
from scorespec.report.drawing.canvas import Paper
from scorespec.report.figure_rows import Row, statement
from scorespec.report.figures import Shown, draw, sentences
from scorespec.report.meanings import Meanings

if TYPE_CHECKING:
    from scorespec.comparison.block_differences import BlockDifferences

LEVEL = 95.0  # of the interval, if the runs have none of their own
MOST_BLOCKS = 40  # in the picture
MOST_ROWS = 200  # in the table
ALL = "whole corpus"


def block_figures(results: Path, schema: str, runs: Sequence[ChosenRun], meanings: Meanings) -> Iterator[Shown]:
    """A figure for each whole slice of the first main score of two runs that follows from sums of blocks."""
    from scorespec.comparison.block_differences import block_differences  # slow to load
    from scorespec.comparison.compared_runs import stored_run

    if len(runs) != 2:
        return
    level = float(runs[0].record.parameters.get("confidence") or LEVEL)
    try:
        compared = [stored_run(results, schema, run.number) for run in runs]
        for metric, component in meanings.main_scores:
            if found := block_differences(compared, metric, component, level):
                break
        else:
            return
    except UsageError:  # the verdict says that the runs cannot be compared
        return
    for at, each in enumerate(found, start=1):
        if any(block.difference for block in each.blocks):
            yield _figure(f"blocks{at}", each, level, runs, schema)


def _figure(id: str, found: BlockDifferences, level: float, runs: Sequence[ChosenRun], schema: str) -> Shown:
    compared, (first, second) = found.comparison, runs
    name = score_name(compared.metric, compared.component)
    where = f" ({slice_text(slice_)})" if (slice_ := json.loads(compared.slice)) else ""
    whole = {"block": ALL, "difference": compared.difference, "first": compared.value_a, "second": compared.value_b}
    rows: list[Row] = [{**whole, "low": compared.low, "high": compared.high}]
    for each in found.blocks:
        values = {"first": each.value_a, "second": each.value_b, "low": None, "high": None}
        rows.append({"block": each.block, "difference": each.difference, **values})
    unit, side = found.unit, "Above" if compared.better == "higher" else "Below"
    about = (
        f"Score of {second.name} minus score of {first.name} in each {unit}, sorted. {side} 0, {second.name} is better."
        f" The score in a {unit} is that of a corpus in which each {unit} is like this one. The row `{ALL}` has the "
        f"difference of the scores, with its {level_text(level)} % interval."
    )
    plot = Plot(
        title=f"Difference of {name} by {unit}{where}",
        about=about,
        kind="dots",
        x=Axis("difference", f"difference of {name}"),
        label="block",
        series=(),
        low="low",
        high="high",
        columns={"block": Heading(unit), "first": Heading(first.name), "second": Heading(second.name)},
    )
    drawn, rule = rows, []
    if len(rows) > MOST_BLOCKS:
        half = MOST_BLOCKS // 2
        drawn = [*rows[:half], *rows[-half:]]
        rule.append(f"the picture has {len(drawn):,} of {len(rows):,} rows, from both ends")
    if len(rows) > MOST_ROWS:
        rule.append(f"the table has the first {MOST_ROWS} rows")
    rule.append(f"the scores of a {unit} follow from its sums by the queries in `resampled`")
    picture = draw(plot, drawn, (), {}, Paper(id))
    columns = ["block", "first", "second", "difference", "low", "high"]
    table = table_of(columns, rows[:MOST_ROWS], headings_of(plot), {})
    sources = ", ".join(map(text_literal, found.sources))
    sql = statement(
        f"FROM block_sums\nWHERE source IN ({sources})", ["block_sums"], [run.number for run in runs], schema
    )
    return Shown(id, plot.title, plot.about, picture.svg, table, (), sql, sentences(rule))
