"""Prints runs, rows and definitions on standard output: as tables for people, JSON or CSV for programs."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import count
from typing import TYPE_CHECKING, Any

from scorespec.api import finite, four_digits
from scorespec.catalog.lookup import Catalog
from scorespec.catalog.model import Column, Definition, Kind, Metric, Parameter, Relation, Suite, Table
from scorespec.compiler.metrics import Metrics
from scorespec.compiler.parameters import show_value
from scorespec.compiler.relations import Relations
from scorespec.errors import UsageError, nearest
from scorespec.terminal import complain, say, visible

if TYPE_CHECKING:
    import pyarrow as pa

    from scorespec.api import Run
    from scorespec.runtime.runner import StepCost

FORMATS = ("table", "json", "csv")
PIPED_WIDTH = 200


def check_format(name: str) -> None:
    """Raise UsageError for an unknown output format."""
    if name not in FORMATS:
        raise UsageError(f"--format {name!r}; {nearest(name, FORMATS)}")


# -- runs and rows -----------------------------------------------------------------------------------


def print_run(run: Run, format: str) -> None:
    """The scores of a run; JSON has the run and its warnings too."""
    if format == "json":
        print_json(run.to_dict())
    elif format == "csv":
        _print_csv(run.scores.to_pylist(), run.scores.column_names)
    else:
        rows = [{**row, "slice": " ".join(f"{k}={v}" for k, v in row["slice"].items())} for row in run.table()]
        kept = [
            c
            for c in run.scores.column_names
            if c in ("metric", "component", "value") or any(r[c] not in (None, "") for r in rows)
        ]
        _print_table(rows, kept)
        say(run.signature)


def print_rows(rows: pa.Table, format: str) -> None:
    """The rows of a query; a column whose name stands before has a number after it."""
    rows = rows.rename_columns(_distinct(rows.column_names))
    columns = [_values(column) for column in rows.columns]
    found = [dict(zip(rows.column_names, values, strict=True)) for values in zip(*columns, strict=True)]
    if format == "json":
        print_json(found)
    elif format == "csv":
        _print_csv(found, rows.column_names)
    else:
        _print_table(found, rows.column_names)


def _values(column: Any) -> list[Any]:
    """The values of a column; as DuckDB writes them where Python lacks one, such as the date `infinity`."""
    try:
        values: list[Any] = column.to_pylist()
    except OverflowError:
        import duckdb
        import pyarrow as pa

        with duckdb.connect() as connection:
            texts = connection.from_arrow(pa.table({"value": column})).project("value::VARCHAR AS value")
            values = texts.to_arrow_table()["value"].to_pylist()
    return values


def _distinct(names: Sequence[str]) -> list[str]:
    """Names of which no two are the same: ``a``, ``a_1``, ``a_2``."""
    found: list[str] = []
    for name in names:
        others = (f"{name}_{number}" for number in count(1))
        found.append(name if name not in found else next(each for each in others if each not in {*found, *names}))
    return found


def print_costs(costs: Sequence[StepCost]) -> None:
    """Seconds, rows and spilled megabytes of each step, and what it is made from, on standard error."""
    total = sum(cost.seconds for cost in costs)
    for cost in costs:
        spilled = f"{(cost.spilled or 0) / 1e6:8,.0f} MB spilled"
        made = f"  <- {', '.join(cost.sources)}" if cost.sources else ""
        complain(f"{cost.seconds:9.3f} s  {cost.rows:>12,} rows  {spilled}  {cost.label}{made}")
    complain(f"{total:9.3f} s  in all")


def print_json(data: Any) -> None:
    """Strict JSON; characters that the encoding of standard output lacks are escaped as JSON does."""
    plain = finite(data)
    text = json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False, default=str)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(plain, indent=2, allow_nan=False, default=str)
    print(text)


def print_script(script: str) -> None:
    """SQL: for people on a terminal; elsewhere exactly, since its literals mean what they say."""
    if sys.stdout.isatty():
        say(script)
    else:
        print(script)


class _Lines:
    """Rows of CSV on standard output, each ended by a line feed.

    Before Python 3.13 the csv module quotes a carriage return only if it is part of what ends a row.
    """

    end = "\r\n"

    def write(self, row: str) -> None:
        sys.stdout.write(row.removesuffix(self.end) + "\n")


def _print_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> None:
    writer = csv.DictWriter(_Lines(), columns, lineterminator=_Lines.end)
    writer.writeheader()
    writer.writerows(rows)


def _print_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        numeric = any(isinstance(row[column], int | float | Decimal) for row in rows)
        grid.add_column(Text(visible(column)), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(Text(_cell(row[column])) for column in columns))
    console = Console() if sys.stdout.isatty() else Console(width=PIPED_WIDTH, no_color=True)
    console.print(grid)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        whole = value == int(value) if abs(value) < 1e15 and value == value else False
        return f"{int(value):,}" if whole and abs(value) > 1 else four_digits(value)
    return visible(value)


# -- definitions -------------------------------------------------------------------------------------


def print_list(definitions: Sequence[Definition]) -> None:
    """A line for each definition: its name and the first sentence of what it means."""
    width = max((len(each.name) for each in definitions), default=0)
    for each in definitions:
        say(f"{each.name:<{width}}  {each.about}")


def print_definition(definition: Definition, catalog: Catalog) -> None:
    """All there is to say about a definition."""
    say(f"{type(definition).__name__.lower()} {definition.name}  ({definition.origin.place(key=True)})")
    say(f"  {definition.about}")
    match definition:
        case Table():
            _print_table_document(definition)
        case Relation():
            _print_relation(definition)
        case Metric():
            _print_metric(definition, catalog)
        case Suite():
            _print_suite(definition, catalog)
        case Kind():
            _print_kind(definition)


def _print_table_document(table: Table) -> None:
    say(f"  formats: {', '.join(table.formats)}; a repeated {', '.join(table.key)}: {table.duplicates}")
    _print_columns(table.columns)


def _print_columns(columns: Sequence[Column]) -> None:
    say("  columns:")
    for column in columns:
        unit = f" [{column.unit}]" if column.unit else ""
        say(f"    {column.name:<14} {column.type:<9}{unit}  {column.about}".rstrip())


def _print_relation(relation: Relation) -> None:
    if relation.symbol:
        say(f"  symbol: {relation.symbol}")
    say(f"  needs: {', '.join(relation.needs)}")
    _print_columns(relation.columns)
    _print_parameters(relation.params)
    for heading, counted in (("refused", relation.errors), ("left out", relation.warnings)):
        for each in counted:
            say(f"  {heading} where {each.sql}: {each.says}")
    say(f"  SQL ({relation.template_name}):")
    say("".join(f"    {line}\n" for line in relation.template.splitlines()))


def _print_parameters(parameters: Iterable[Parameter], values: Mapping[str, Any] | None = None) -> None:
    parameters = list(parameters)
    if parameters:
        say("  parameters:")
    for each in parameters:
        unit = f" {each.unit}" if each.unit else ""
        value = show_value((values or {}).get(each.name, each.default))
        limits = f"one of {', '.join(map(str, each.one_of))}" if each.one_of else each.limits
        allowed = f" ({limits})" if limits else ""
        say(f"    {each.name} = {value}{unit}: {each.about}{allowed}")


def _print_metric(metric: Metric, catalog: Catalog) -> None:
    relations = Relations(catalog, metric.domain, frozenset())
    metrics = Metrics(catalog, metric.domain, relations)
    sources = metrics.relations_of(metric)
    if metric.cites:
        say(f"  cites: {'; '.join(metric.cites)}")
    say(f"  kind: {metric.kind}")
    if metric.depends_on_row_order:
        say("  depends on the order of rows: the same rows in another order may have another score")
    for key, value in metric.body.items():
        if isinstance(value, Mapping):
            say(f"  {key}:")
            say("\n".join(f"    {name}: {sql}" for name, sql in value.items()))
        else:
            say(f"  {key}: {', '.join(map(str, value)) if isinstance(value, list) else value}")
    _print_parameters(relations.parameters(sources).values(), metric.params)
    say(f"  stands on: {', '.join(found.name for found in relations.upstream(sources))}")
    from scorespec.compiler.compile import Request, compile_suite
    from scorespec.runtime.verifying import trial_suite

    plan = compile_suite(catalog, trial_suite(catalog, metric.domain, [metric.name]), Request({}))
    say("  SQL of the metric itself (`scorespec show` names each relation's; `scorespec compile` has all):")
    for step in plan.steps:
        if step.label.startswith(f"metric {metric.name},"):
            say("".join(f"    {line}\n" for line in step.statement.splitlines()))


def _print_suite(suite: Suite, catalog: Catalog) -> None:
    from scorespec.compiler.compile import Request, compile_suite

    catalog = catalog.of_suite(suite)
    for cite in suite.cites:
        say(f"  cites: {cite}")
    for name in (*suite.inputs, *suite.optional):
        table = catalog.table(suite.domain, name)
        optional = " (optional)" if name in suite.optional else ""
        say(f"  input {name}{optional}: {table.about if table else ''}")
    for choice in suite.one_of:
        say(f"  one of: {', '.join(choice)}")
    say(f"  metrics: {', '.join(suite.metrics)}")
    say(f"  evidence: {', '.join(suite.keep)}")
    plan = compile_suite(catalog, suite, Request({}))
    relations = Relations(catalog, suite.domain, frozenset())
    metrics = Metrics(catalog, suite.domain, relations, suite.aliases)
    sources = [n for text in suite.metrics for n in metrics.relations_of(metrics.call(text).metric)]
    _print_parameters(relations.parameters(sources).values(), plan.parameters)
    say(f"  signature: {plan.signature}")


def _print_kind(kind: Kind) -> None:
    if kind.short_for:
        say(f"  a short form of: {kind.short_for}")
    say("  keys:")
    required = kind.schema.get("required", ())
    for key, schema in kind.schema["properties"].items():
        must = " (required)" if key in required else ""
        say(f"    {key}{must}: {schema.get('description', '')}".rstrip(": "))
