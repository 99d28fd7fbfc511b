"""Figures of documents: their rows, drawn or as a table, with the query and the rule of what is left out."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from scorespec.catalog.model import Figure, Heading, Plot, Shape
from scorespec.core.groups import grouped
from scorespec.core.result_tables import EVIDENCE, TABLES, run_column
from scorespec.core.score_text import value_text
from scorespec.errors import Place, SpecError
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.report.drawing import dots, lines, matrix, spans
from scorespec.report.drawing.svg import RUN, Drawing, Paper, Row, RunNames
from scorespec.report.subject import ChosenRun, Subject
from scorespec.results.reading import StoredRuns
from scorespec.run.statements import unordered

# The largest number of rows of each kind, unless a figure names another.
MOST: Mapping[Shape, int | None] = {
    "lines": None,
    "points": 500,
    "dots": 40,
    "bars": 40,
    "spans": 500,
    "matrix": 900,
    "table": 200,
    "texts": 1_000_000,
}
OF_EACH_RUN = ("dots", "bars", "spans", "points", "matrix")  # kinds in which the limit holds for each run
DRAWN = ("lines", "points", "dots", "bars", "spans", "matrix")  # kinds with a picture
BEGIN = re.compile(r"\A((?:\s|--[^\n]*\n)*)WITH(\s+RECURSIVE)?\s", re.IGNORECASE)
MOST_ROWS = 200_000  # of a query without a limit

# -- what a page shows --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """A cell: its text, whether it is a number, a link to a part of the page, a hint, whether it stays on one line.

    ``interval`` is that of the number. Of the scores of a leaderboard, the best one of each column ``is_best``.
    """

    text: str
    is_number: bool = False
    link: str = ""
    hint: str = ""
    is_unbroken: bool = False
    is_best: bool = False
    interval: str = ""

    @property
    def style(self) -> str:
        """The classes of the cell in the style sheet of the page."""
        kind = "n" if self.is_number else "i" if self.is_unbroken else ""
        return f"{kind} best" if self.is_best else kind


@dataclass(frozen=True)
class CellTable:
    """A table with its headings."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def is_number(self, column: int) -> bool:
        """Whether a column has numbers."""
        return any(row[column].is_number for row in self.rows)


@dataclass(frozen=True)
class Shown:
    """A figure as a page shows it: a picture, a table, the query, and the rule of what is left out.

    The script of the page shows ``data`` of the ``kind``; without scripts, the picture is shown.
    """

    id: str
    title: str
    about: str
    svg: Markup | None = None
    table: CellTable | None = None
    data: Mapping[str, Any] | None = None
    sql: str = ""
    rule: str = ""
    kind: Shape | None = None


def why_not(figure: Figure, subject: Subject, stored: StoredRuns) -> str:
    """Why a figure cannot be shown; empty if it can be. ``stored`` is the results database of the report."""
    if figure.runs is not None and figure.runs != len(subject.runs):
        return f"it compares {figure.runs} runs"
    needs = (*figure.needs, *(figure.guides.needs if figure.guides else ()))
    if lacking := [name for name in needs if name not in stored.tables]:
        return f"the results database has no table {', '.join(lacking)}"
    unsliced = [name for name in needs if name.startswith(EVIDENCE)]
    return f"the rows of {', '.join(unsliced)} have no slices" if unsliced and subject.runs[0].part else ""


def show(figure: Figure, subject: Subject, stored: StoredRuns, paper: Paper) -> Shown | None:
    """A figure of the chosen runs; None if the query has no rows. Raises SpecError for SQL at fault."""
    runs, most = subject.run_names, figure.most or MOST[figure.kind]
    figure = _naming(figure, [*runs.values()]) if figure.runs == 2 else figure
    if most and figure.kind in OF_EACH_RUN and not figure.runs:  # a figure that compares runs has a row for all of them
        most *= len(runs)
    found = _find(subject, stored, figure.sql.text, figure.needs, most, figure.origin.place("sql"))
    _check_columns(figure, found.columns)
    if not found.rows:
        return None
    _check_numbers(figure, found.rows)
    noun = figure.kind if figure.kind in ("dots", "bars", "points") else "rows"
    limited = f"the first {len(found.rows):,} of {found.total:,} {noun}"
    rule = [limited if found.total > len(found.rows) else "", figure.leaves_out]
    if figure.kind not in DRAWN:
        data = _texts(figure, found, runs) if figure.kind == "texts" else None
        table = None if data else table_of(*_across_runs(figure, found, runs), runs)
        return Shown(paper.id, figure.title, figure.about, None, table, data, found.sql, sentences(rule), figure.kind)
    drawing = draw(figure, found.rows, _guide_rows(figure, subject, stored), runs, paper)
    data = _panels(figure, found, runs) if figure.kind == "spans" and figure.panels else None
    table = None if data else table_of(figure, found.columns, drawing.rows, runs)
    said = sentences([*rule, *drawing.notes])
    return Shown(paper.id, figure.title, figure.about, drawing.svg, table, data, found.sql, said, figure.kind)


def _naming(figure: Figure, runs: Sequence[str]) -> Figure:
    """A figure of two runs with their names in its texts instead of `the first run` and `the second run`."""

    def said(text: str) -> str:
        return text.replace("the first run", runs[0]).replace("the second run", runs[1])

    return replace(
        figure,
        about=said(figure.about),
        x=figure.x and replace(figure.x, label=said(figure.x.name)),
        columns={name: replace(each, label=said(each.label)) for name, each in figure.columns.items()},
    )


def draw(plot: Plot, rows: Sequence[Row], guides: Sequence[Row], runs: RunNames, paper: Paper) -> Drawing:
    """The picture of some rows."""
    if plot.kind in ("lines", "points"):
        return lines.draw(plot, rows, guides, runs, paper)
    draw_rows = {"matrix": matrix.draw, "spans": spans.draw}.get(plot.kind, dots.draw)
    return draw_rows(plot, rows, runs, paper)


def _guide_rows(figure: Figure, subject: Subject, stored: StoredRuns) -> Sequence[Row]:
    if not figure.guides:
        return ()
    place = figure.origin.place("guides")
    found = _find(subject, stored, figure.guides.sql, figure.guides.needs, None, place)
    for name in (lines.GUIDE, *(axis.column for axis in (figure.x, figure.y) if axis)):
        if name not in found.columns:
            raise SpecError(f"figure {figure.name}: the SQL of its guides returns no column {name!r}", place)
    _check_numbers(figure, found.rows)
    return found.rows


def _check_columns(figure: Figure, columns: Collection[str]) -> None:
    """Raise SpecError for a column that a figure names and its SQL does not return."""
    axes = [axis.column for axis in (figure.x, figure.y, figure.value, figure.beside) if axis]
    names = ("until", "label", "low", "high", "panels", "mark", "alone", "above", "below", "wrong")
    others = [getattr(figure, name) for name in names]
    series = [name for name in figure.series if name != "run"]
    for name in [*axes, *filter(None, others), *(figure.group or ()), *series, *figure.columns]:
        if name not in columns:
            said = f"its SQL returns no column {name!r}; it returns {', '.join(columns)}"
            raise SpecError(f"figure {figure.name}: {said}", figure.origin.place("sql"))


def _check_numbers(figure: Figure, rows: Sequence[Row]) -> None:
    """Raise SpecError for a value on an axis that is not a number."""
    axes = {"matrix": (figure.value,), "lines": (figure.x, figure.y), "points": (figure.x, figure.y)}
    shown = axes.get(figure.kind, (figure.x,)) if figure.kind in DRAWN else ()
    for name in [*(axis.column for axis in shown if axis), *filter(None, (figure.low, figure.high, figure.until))]:
        for value in (row[name] for row in rows if name in row):
            if not isinstance(value, int | float | Decimal | None):
                said = f"its column {name!r} is on an axis, and has {value_text(value)!r}, which is not a number"
                raise SpecError(f"figure {figure.name}: {said}", figure.origin.place("sql"))


def sentences(parts: Sequence[str]) -> str:
    """Parts of a rule as sentences."""
    said = dict.fromkeys(part.strip().rstrip(".") for part in parts if part.strip())
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in said)


def _texts(figure: Figure, found: QueryRows, runs: RunNames) -> dict[str, Any]:
    """The texts as the script of a page reads them: the upper words of a text, and what each run has below them.

    `systems` are the names of the runs, `columns` the headings of the columns that say what a text is. A text has their
    values, its upper words, and a list for each run, or null if the run lacks the text. The list has the pairs that are
    wrong or not equal: the numbers of upper words before the pair and in it, its lower words, and whether it is wrong.
    """
    assert figure.above and figure.below and figure.wrong
    names = [each for each in found.columns if each not in (RUN, figure.above, figure.below, figure.wrong)]
    places = {number: at for at, number in enumerate(runs)}
    texts: dict[tuple[str, ...], tuple[list[str], list[str], list[list[Any] | None]]] = {}
    words_before: dict[tuple[tuple[str, ...], int], int] = {}
    for row in found.rows:
        key = tuple(value_text(row[each]) for each in figure.group or names)
        text = texts.setdefault(key, ([value_text(row[each]) for each in names], [], [None] * len(runs)))
        above, below, of_run = (
            value_text(row[figure.above]),
            value_text(row[figure.below]),
            places.get(row.get(RUN, 0), 0),
        )
        words, at = above.split() or [above] * bool(above), words_before.get((key, of_run), 0)
        words_before[key, of_run] = at + len(words)
        text[1].extend(words if at == len(text[1]) else ())
        text[2][of_run] = pairs = text[2][of_run] or []
        if row[figure.wrong] or above != below:
            pairs.append([at, len(words), below, int(bool(row[figure.wrong]))])
    headings = {name: heading.label for name, heading in figure.columns.items()}
    return {
        "above": headings.get(figure.above, figure.above),
        "systems": list(runs.values()),
        "columns": [headings.get(each, each.replace("_", " ")) for each in names],
        "texts": list(texts.values()),
    }


def _panels(figure: Figure, found: QueryRows, runs: RunNames) -> dict[str, Any]:
    """Spans as the script of a page reads them: of each panel the lanes, each with its run, its name and its spans.

    A span has its colour, its begin and its end.
    """
    assert figure.x and figure.until and figure.label and figure.panels
    x, until, label, panels = figure.x, figure.until, figure.label, []
    for name, rows in grouped((value_text(row[figure.panels]), row) for row in found.rows).items():
        of_value = spans.colours(figure, rows)
        lanes = grouped(((runs.get(row.get(RUN, 0), ""), value_text(row[label])), row) for row in rows)
        of_lanes = [
            [*key, [[of_value[spans.colour_key(figure, row)], row[x.column], row[until]] for row in lane]]
            for key, lane in lanes.items()
        ]
        panels.append([name, of_lanes])
    heading = figure.columns.get(figure.panels, Heading(figure.panels)).label
    return {"panel": heading, "axis": x.name, "unit": x.unit or "", "panels": panels}


def _across_runs(figure: Figure, found: QueryRows, runs: RunNames) -> tuple[Figure, Sequence[str], Sequence[Row]]:
    """A table. With a `value`, rows that differ in the run and value alone are one row, with a value for each run."""
    if figure.value is None:
        return figure, found.columns, found.rows
    value, axis = figure.value.column, figure.value
    keys = [each for each in found.columns if each not in (RUN, value)]
    rows = grouped((tuple(row[key] for key in keys), row) for row in found.rows)
    columns = {f"{value} {run}": Heading(name if len(runs) > 1 else axis.name, axis.unit) for run, name in runs.items()}
    values = [{f"{value} {row[RUN]}": row[value] for row in of_key} for of_key in rows.values()]
    wide = [
        {**dict.fromkeys(columns), **dict(zip(keys, key, strict=True)), **each}
        for key, each in zip(rows, values, strict=True)
    ]
    return replace(figure, value=None, columns={**figure.columns, **columns}), [*keys, *columns], wide


# -- the rows of a query ------------------------------------------------------------------------------


@dataclass(frozen=True)
class QueryRows:
    """The rows of a query; ``sql`` is the query, ``total`` the number of rows that it has without its limit."""

    columns: Sequence[str]
    rows: Sequence[Row]
    sql: str
    total: int


def statement(
    sql: str, needs: Iterable[str], runs: Sequence[ChosenRun], schema: str = "main", of_evidence: str = ""
) -> str:
    """SQL over tables that have only the rows of some runs, as one query that any DuckDB client can run.

    Tables of evidence have only the rows that meet the condition ``of_evidence``, if there is one.
    """
    rows = _rows_of_slices if any(run.part for run in runs) else _rows_of_runs
    views = [
        f"{quoted(name)} AS ({rows(name, f'{quoted(schema)}.{quoted(name)}', runs)}"
        + (f" AND {of_evidence})" if of_evidence and name.startswith(EVIDENCE) else ")")
        for name in needs
        if run_column(name)
    ]
    sql = sql.strip().rstrip(";").rstrip()
    if not views:
        return sql
    begin = BEGIN.match(sql)
    head = f"WITH{(begin[2] or '').upper() if begin else ''} " + ",\n  ".join(views)
    return f"{head},\n  {sql[begin.end() :]}" if begin else f"{head}\n{sql}"


def _rows_of_runs(name: str, table: str, runs: Sequence[ChosenRun]) -> str:
    return f"SELECT * FROM {table} WHERE {run_column(name)} IN ({', '.join(str(run.number) for run in runs)})"


def _rows_of_slices(name: str, table: str, runs: Sequence[ChosenRun]) -> str:
    """The rows of slices as if each slice were a run and the whole of it, so that the SQL of any figure can read them.

    A metric that is not broken down, such as an operating point, has its scores of the whole in every slice.
    """
    parts = ", ".join(f"({run.number}, {run.part[0]}, {text_literal(run.part[1])})" for run in runs if run.part)
    column, has_slices = run_column(name), "slice" in TABLES[name]
    shown = f"part.number AS {column}" + (", '{}' AS slice" if has_slices else "")
    of_run = f"FROM {table} AS t JOIN (VALUES {parts}) AS part(number, run, slice) ON t.{column} = part.run"
    if name == "scores":
        of_whole = "count_if(t.slice = part.slice) OVER (PARTITION BY part.number, t.metric) = 0"
        of_run += f" AND t.slice IN (part.slice, '{{}}') QUALIFY t.slice = part.slice OR {of_whole}"
    elif has_slices:
        of_run += " AND t.slice = part.slice"
    return f"SELECT t.* REPLACE ({shown}) {of_run}"


def _find(
    subject: Subject, stored: StoredRuns, sql: str, needs: Iterable[str], most: int | None, place: Place | str
) -> QueryRows:
    """The first rows of a query, and how many it has. Raises SpecError for SQL at fault, at its place."""
    sql, most = statement(sql, needs, subject.runs, subject.schema), most or MOST_ROWS
    limited = f"{sql}\nLIMIT {most}"
    try:
        table = stored.ask(limited, as_text=True)
        total = table.num_rows
        if total == most:
            total = stored.ask(f"SELECT count(*) AS rows FROM ({unordered(sql)}\n)")["rows"][0].as_py()
    except SpecError as error:
        raise SpecError(str(error).splitlines()[0], place) from None
    return QueryRows(table.schema.names, table.to_pylist(), sql if total <= most else limited, total)


# -- tables -------------------------------------------------------------------------------------------


def table_of(plot: Plot, columns: Sequence[str], rows: Sequence[Row], runs: RunNames) -> CellTable:
    """The rows of a figure as a table. If there is one run only, the table does not name it.

    The headings of columns are those that the figure names, the labels of its axes, and otherwise their names. A column
    without a value is left out.
    """
    axes = [axis for axis in (plot.x, plot.y, plot.value, plot.beside) if axis and axis.label]
    known = {**{axis.column: Heading(axis.label, axis.unit) for axis in axes}, **plot.columns}
    there = [name for name in columns if any(row[name] is not None for row in rows)]
    headings = {name: known.get(name, Heading(name.replace("_", " "))) for name in there}
    if len(runs) < 2:
        headings.pop(RUN, None)
    titles = [f"{each.label} ({each.unit})" if each.unit else each.label for each in headings.values()]
    columns_of_cells = [_cells(name, [row[name] for row in rows], each.unit, runs) for name, each in headings.items()]
    return CellTable(titles, list(zip(*columns_of_cells, strict=True)))


def _cells(name: str, values: Sequence[Any], unit: str | None, runs: RunNames) -> list[Cell]:
    """The cells of a column. Its numbers have equally many decimals, unless some are tiny."""
    if name == RUN:
        return [Cell(runs.get(value, value_text(value))) for value in values]
    numbers = [isinstance(value, int | float | Decimal) and not isinstance(value, bool) for value in values]
    texts, factor = [value_text(value, unit) for value in values], 100 if unit == "%" else 1
    finite = [at for at, is_number in enumerate(numbers) if is_number and math.isfinite(values[at])]
    parts = [texts[at].lstrip("-0").partition(".") for at in finite]
    whole, needed = (max((len(part[at]) for part in parts), default=0) for at in (0, 2))
    decimals = min(needed, max((3 if unit == "%" else 5) - whole, 1))
    for at in finite if needed and not any("e" in part[2] for part in parts) else ():
        texts[at] = f"{values[at] * factor:z,.{decimals}f}"
    return [Cell(text, is_number) for text, is_number in zip(texts, numbers, strict=True)]
