"""The key ``only`` of metrics: the inputs that its conditions filter, and what is said if no row is left."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Metric, Relation, Suite, Table
from scorespec.errors import Place, ScorespecError, SpecError, nearest
from scorespec.plan.needs import needs_of
from scorespec.plan.parameters import read_metric_text
from scorespec.plan.rendering.syntax import functions_of_duckdb, nodes, trees
from scorespec.plan.scopes import Scopes


class Filter(NamedTuple):
    """A condition that the rows of an input must meet: SQL over one row, in parentheses; and its place."""

    sql: str
    place: str


Filters = Mapping[str, Filter]  # by input


def filters_of(metric: Metric, read: Sequence[Table], scopes: Scopes | None) -> Filters:
    """The condition on each input that a metric filters, of the inputs that it reads.

    A condition without the name of an input filters each input that has all its columns, itself or, as for ``--by``, in
    a table that describes its rows. Without ``scopes``, the inputs of the run are not known: each may be given, and may
    have further columns. Raises SpecError for a condition that no input can meet.
    """
    found: dict[str, Filter] = {}
    for name, sql, place in conditions_of(metric):
        columns = columns_read(sql, place)
        tables = [each for each in read if name in ("", each.name)]
        if not tables:
            known = ", ".join(each.name for each in read) or "none"
            said = f"`only` filters {name or 'inputs'}, but the metric does not read it, or it is not given"
            raise SpecError(f"{said}; inputs of the metric in this run: {known}", place)
        lacking = {each: [column for column in columns if not _has(each, column, scopes)] for each in tables}
        if all(lacking.values()) and (scopes or not any(each.other_columns for each in tables)):
            said = "; ".join(f"{table.name} lacks {', '.join(each)}" for table, each in lacking.items())
            unknown = min(lacking.values(), key=len)[0]
            known = nearest(unknown, {each.name for table in tables for each in table.columns if not each.absent})
            raise SpecError(f"no input of the metric has all columns of `only`: {said}; {known}", place)
        found |= {each.name: Filter(f"({sql}\n)", str(place)) for each, columns in lacking.items() if not columns}
    return found


def conditions_of(metric: Metric) -> Iterable[tuple[str, str, Place]]:
    """The conditions of a metric: the input ('' for each that has the columns), the SQL and its place."""
    return [(name, sql, metric.origin.place("only", *([name] if name else ()))) for name, sql in metric.only.items()]


def columns_read(sql: str, place: Place | str) -> Sequence[str]:
    """The columns that a condition reads. Raises SpecError for text that is not one condition on one row."""
    tree = json.loads(trees([f"SELECT (\n{sql}\n)"])[0][0])
    if tree["error"]:
        raise SpecError(f"bad SQL condition {sql!r}: {tree['error_message']}", place)
    plain = json.loads(trees(["SELECT (true)"])[0][0])
    selected = plain["statements"][0]["node"]["select_list"] = tree["statements"][0]["node"].get("select_list")
    varying = {each.name for each in functions_of_duckdb() if each.kind == "scalar" and each.changes}
    found = [*nodes(selected)]
    if tree != plain or len(selected) > 1 or any(each.get("class") in ("SUBQUERY", "STAR", "WINDOW") for each in found):
        raise SpecError(f"`only` is one SQL condition on the columns of a row, not {sql!r}", place)
    if volatile := [each["function_name"] for each in found if each.get("function_name") in varying]:
        raise SpecError(f"`only` cannot use {volatile[0]}(): its value may differ between two calls", place)
    names = [each["column_names"] for each in found if each.get("class") == "COLUMN_REF"]
    if qualified := [".".join(each) for each in names if len(each) > 1]:
        raise SpecError(f"`only` names columns without their table; write {qualified[0].rpartition('.')[2]}", place)
    return [*dict.fromkeys(each[0] for each in names)]


def _has(table: Table, column: str, scopes: Scopes | None) -> bool:
    """Whether a condition can read a column of an input, or of a table that describes the rows of the input."""
    present = {each.name for each in table.columns if not each.absent}
    described = scopes and scopes.described(column)
    return column in present or bool(described and described[0].describes in present)


def undeclared_columns(names: Namespace, suite: Suite, texts: Iterable[str]) -> tuple[set[str], list[Relation]]:
    """The columns that `only` of some metrics reads, declared or not; with the relations that read undeclared ones."""
    needs, found, read = needs_of(names), set[str](), [*suite.keep.values()]
    for text in texts:
        with suppress(ScorespecError):  # the compiler reports it at its place
            for metric in needs.with_operands(names.own_metric(read_metric_text(text)[0].rpartition(".")[2])):
                found |= {column for _, sql, place in conditions_of(metric) for column in columns_read(sql, place)}
                read += needs.relations_of(metric)
    reading: list[Relation] = []
    with suppress(ScorespecError):
        reading = [each for each in needs.upstream(read) if isinstance(each, Relation) and each.other_columns]
    return found.union(*(columns for each in reading for columns in each.other_columns.values())), reading
