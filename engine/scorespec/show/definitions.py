"""Definitions as text: the meaning, the place, the parameters, and what the definition stands on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from scorespec.catalog.lookup import Catalog
from scorespec.catalog.model import (
    Column,
    ColumnMeaning,
    ComponentMeaning,
    Definition,
    Kind,
    Macro,
    Metric,
    Parameter,
    Relation,
    Suite,
    Table,
    Value,
)
from scorespec.catalog.namespaces import Namespace
from scorespec.compiler.compile import Request, compile_suite
from scorespec.compiler.counting import expanded
from scorespec.compiler.metrics import Metrics
from scorespec.compiler.parameters import show_value
from scorespec.compiler.relations import Relations
from scorespec.formats.base import Format
from scorespec.functions.base import RelationFunction

Lines = Iterator[str]
INDENT = "  "
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z])")


# -- definitions -------------------------------------------------------------------------------------


def definition_lines(definition: Definition, names: Namespace) -> Lines:
    """A definition: what it is, its place, its meaning, and what its section has besides."""
    what = type(definition).__name__.lower().removesuffix("meaning")
    domain = f", {definition.domain}" if definition.domain else ""
    yield f"{what} {definition.full_name}{domain}  ({definition.origin.place(key=True)})"
    if definition.about:
        yield f"{INDENT}{definition.about}"
    match definition:
        case Table():
            yield from _table(definition)
        case Relation():
            yield from _relation(definition, names)
        case Metric():
            yield from _metric(definition, names)
        case Suite():
            yield from _suite(definition, names)
        case Kind():
            yield from _kind(definition)
        case Parameter():
            yield from _parameter_definition(definition, names)
        case Macro():
            yield from _block(f"SQL of {definition.name}({', '.join(definition.params)})", definition.sql.splitlines())
        case ColumnMeaning() | ComponentMeaning():
            yield from _block("", filter(None, [reading(definition)]))


def _block(heading: str, lines: Iterable[str]) -> Lines:
    """Lines below a heading; nothing when there are no lines."""
    lines = list(lines)
    if heading and lines:
        yield f"{INDENT}{heading}:"
    yield from (f"{INDENT}{INDENT if heading else ''}{line}".rstrip() for line in lines)


def _written(definition: Definition) -> Lines:
    """The definition as its documents have it, those that it extends below."""
    origin = definition.origin
    while origin is not None:
        yield from _block(f"written at {origin.place(key=True)}", origin.source.splitlines())
        origin = origin.parent  # type: ignore[assignment]


def reading(meaning: ColumnMeaning | ComponentMeaning) -> str:
    """How a value is read: ``0 to 1, higher is better``."""
    said = [meaning.unit] if meaning.unit else []
    if isinstance(meaning, ComponentMeaning):
        if meaning.range and meaning.range != (None, None):
            low, high = (None if bound is None else f"{bound:g}" for bound in meaning.range)
            said.append(f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}")
        if meaning.better in ("higher", "lower"):
            said.append(f"{meaning.better} is better")
    return ", ".join(said)


def _metric(metric: Metric, names: Namespace) -> Lines:
    components = expanded(metric, names.kinds[metric.kind]).get("components", {})
    readings = {name: reading(names.component(metric, name)) for name in components}
    width = max(map(len, components), default=0)
    yield from _block("components", (f"{name:<{width}}  {reading}" for name, reading in readings.items()))
    yield from _block("", (f"cites: {cite}" for cite in metric.cites))
    if metric.depends_on_row_order:
        yield f"{INDENT}depends on the order of rows: the same rows in another order may have another score"
    yield from _block("", _suites_that_report(metric, names))
    yield from _block("cases", map(str, _cases(metric, names)))
    yield from _written(metric)
    relations = Relations(names, frozenset())
    sources = Metrics(names, relations).relations_of(metric)
    yield from _block("parameters", _parameters(names, relations, sources, _values(names, metric.params)))
    yield from _block("stands on", _tree(relations, sources))


def _suites_that_report(metric: Metric, names: Namespace) -> Lines:
    for name in names.catalog.suites(metric.domain):
        suite = names.catalog.suite(name)
        if metric.name in suite.metrics and names.catalog.of_suite(suite).key("metrics", metric.name) == _key(metric):
            yield f"suite {name}" + (f", docs/{suite.page}" if suite.page else "")


def _key(metric: Metric) -> tuple[str, str, str, str]:
    return ("metrics", metric.domain, metric.suite, metric.name)


def _cases(metric: Metric, names: Namespace) -> Iterator[object]:
    """Where the cases of a metric stand."""
    for document in names.catalog.documents:
        of_metric = (document.data.get("domain"), document.data.get("suite", "")) == (metric.domain, metric.suite)
        for index in range(len((document.data.get("cases") or {}).get(metric.name, ())) if of_metric else 0):
            yield document.place(("cases", metric.name, index))


def _values(names: Namespace, own: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values that a suite and a metric of it set."""
    suite = names.suite_of(names.suite) if names.suite else None
    return {**(suite.params if suite else {}), **own}


def _parameters(names: Namespace, relations: Relations, sources: Sequence[str], values: Mapping[str, Any]) -> Lines:
    """The parameters that some relations stand on, by the relation that reads them, the nearest first.

    Those that make the folds and slices of suites come last.
    """
    last = _of_folds_and_slices(names)
    shown: set[str] = set()
    delayed: dict[str, Parameter] = {}
    for relation in _nearest_first(relations, sources):
        new = [parameter for parameter in relation.params if parameter.name not in shown]
        shown |= {parameter.name for parameter in new}
        delayed |= {each.name: each for each in new if each.name in last}
        lines = [f"{INDENT}{_parameter(each, values)}" for each in new if each.name not in last]
        yield from [f"of {relation.name}", *lines] if lines else ()
    if delayed:
        yield "of folds and slices"
        yield from (f"{INDENT}{_parameter(each, values)}" for each in delayed.values())


def _of_folds_and_slices(names: Namespace) -> set[str]:
    """The parameters that make folds, or slices, in some suite of the domain."""
    suites = [names.catalog.suite(name) for name in names.catalog.suites(names.domain)]
    found = {suite.folds.count for suite in suites if suite.folds}
    found |= {name for suite in suites for parameter, vary in suite.vary.items() for name in (parameter, vary.param)}
    return {name for name in found if name}


def _nearest_first(relations: Relations, sources: Iterable[str]) -> Iterator[Relation]:
    waiting, seen = list(sources), set[str]()
    for name in waiting:
        found = relations.find(name)
        if isinstance(found, Relation) and name not in seen:
            seen.add(name)
            waiting += found.needs
            yield found


def _parameter(parameter: Parameter, values: Mapping[str, Any]) -> str:
    value: Value = values.get(parameter.name, parameter.default)
    shown = show_value(tuple(value) if isinstance(value, list) else value)
    unit = f" {parameter.unit}" if parameter.unit else ""
    limits = _limits(parameter)
    return f"{parameter.name} = {shown}{unit}: {parameter.about}" + (f" ({limits})" if limits else "")


def _limits(parameter: Parameter) -> str:
    return f"one of {', '.join(map(show_value, parameter.one_of))}" if parameter.one_of else parameter.limits


def _tree(relations: Relations, sources: Iterable[str]) -> Lines:
    """What some relations stand on, a line each; what stands there already is not unfolded again."""
    unfolded: set[str] = set()

    def below(name: str, before: str, mark: str, after: str) -> Lines:
        found = relations.find(name)
        again = name in unfolded
        unfolded.add(name)
        needs = found.needs if isinstance(found, Relation) and not again else ()
        above = again and isinstance(found, Relation) and found.needs
        about = "(above)" if above else first_sentence(found.about) if found else ""
        yield f"{before}{mark}{name}  {about}".rstrip()
        for index, need in enumerate(needs):
            last = index == len(needs) - 1
            yield from below(need, before + after, "└─ " if last else "├─ ", "   " if last else "│  ")

    for source in dict.fromkeys(sources):
        yield from below(source, "", "", "")


def _relation(relation: Relation, names: Namespace) -> Lines:
    yield from _block("", [f"symbol: {relation.symbol}"] if relation.symbol else [])
    yield from _block("needs", (f"{need}  {_about(names, need)}" for need in relation.needs))
    yield from _block("columns", _table_of(relation.columns))
    yield from _block("parameters", (_parameter(each, _values(names, {})) for each in relation.params))
    for heading, counted in (("ends the run where", relation.errors), ("warns where", relation.warnings)):
        yield from _block(heading, (f"{each.sql}: {each.says}" for each in counted))
    if relation.function_input:
        functions = ", then ".join(call.function.name for call in relation.function_input.calls)
        read = {setting: name for call in relation.function_input.calls for setting, name in call.arguments.items()}
        settings = [setting if setting == name else f"{setting} = {name}" for setting, name in read.items()]
        heading = f"rows made by the function {functions}" + (f", with {', '.join(settings)}" if settings else "")
        yield from _block(f"{heading}, out of the rows of", relation.function_input.template.text.splitlines())
    yield from _block(f"SQL ({relation.template.name})", relation.template.text.splitlines())


def _about(names: Namespace, name: str) -> str:
    found = names.table(name) or names.relation(name)
    return first_sentence(found.about) if found else ""


def first_sentence(text: str) -> str:
    """The first sentence of a text, for lists with one line each."""
    return _SENTENCE_END.split(text, maxsplit=1)[0]


def _table(table: Table) -> Lines:
    yield f"{INDENT}formats: {', '.join(table.formats)}; a repeated {', '.join(table.key)}: {table.duplicates}"
    yield from _block("columns", _table_of(table.columns))
    yield from _block("refuses a row", (check.says for check in table.checks))


def _table_of(columns: Sequence[Column]) -> Lines:
    width = max((len(column.name) for column in columns), default=0)
    return (f"{column.name:<{width}}  {column_text(column)}" for column in columns)


def column_text(column: Column) -> str:
    """The type, unit and meaning of a column."""
    unit = f"[{column.unit}]" if column.unit else ""
    return " ".join(filter(None, [column.type, unit, column.about]))


def _suite(suite: Suite, names: Namespace) -> Lines:
    yield from _block("", (f"cites: {cite}" for cite in suite.cites))
    yield from _block("", [f"docs/{suite.page}"] if suite.page else [])
    yield from _block("", [f"based on {suite.based_on}"] if suite.based_on else [])
    inputs = ((name, " (optional)" if name in suite.optional else "") for name in (*suite.inputs, *suite.optional))
    yield from _block("inputs", (f"{name}{optional}  {_about(names, name)}" for name, optional in inputs))
    yield from _block("", (f"exactly one of: {', '.join(choice)}" for choice in suite.one_of))
    abouts = ((name, names.metric(name.partition("(")[0]).about) for name in suite.metrics)
    yield from _block("metrics", (f"{name}  {first_sentence(about)}" for name, about in abouts))
    yield from _block("evidence", (f"{name}  {_about(names, kept)}" for name, kept in suite.keep.items()))
    plan = compile_suite(names, suite, Request({}))
    relations = Relations(names, frozenset())
    metrics = Metrics(names, relations)
    sources = [name for text in suite.metrics for name in metrics.relations_of(metrics.call(text).metric)]
    yield from _block("parameters", _parameters(names, relations, sources, plan.parameters))
    yield f"{INDENT}signature: {plan.signature}"


def _kind(kind: Kind) -> Lines:
    yield from _block("", [f"a short form of {kind.short_for}"] if kind.short_for else [])
    required = kind.schema.get("required", ())
    keys = kind.schema["properties"].items()
    yield from _block(
        "keys",
        (
            f"{key}{' (required)' if key in required else ''}: {schema.get('description', '')}".rstrip(": ")
            for key, schema in keys
        ),
    )


def _parameter_definition(parameter: Parameter, names: Namespace) -> Lines:
    catalog = names.catalog
    unit = f" {parameter.unit}" if parameter.unit else ""
    yield f"{INDENT}default: {show_value(parameter.default)}{unit}"
    yield from _block("", [f"type: {parameter.type}" + (f", {limits}" if (limits := _limits(parameter)) else "")])
    for name in catalog.suites(parameter.domain):
        suite = catalog.suite(name)
        if parameter.name in suite.params:
            yield f"{INDENT}suite {name}: {_parameter(parameter, suite.params).partition(':')[0]}"
        if parameter.name in suite.vary:
            values = ", ".join(map(show_value, suite.vary[parameter.name].values))
            yield f"{INDENT}suite {name} has a slice for each of: {values}"
    here = [
        key for section in ("relations", "metrics") for key in catalog.keys(section) if key.domain == parameter.domain
    ]
    definitions = [(key, catalog.definition(key)) for key in here]
    for key, each in definitions:
        if isinstance(each, Metric) and parameter.name in each.params:
            yield f"{INDENT}metric {key}: {_parameter(parameter, each.params).partition(':')[0]}"
    yield from _block(
        "read by",
        (str(key) for key, each in definitions if isinstance(each, Relation) and parameter.name in _read(each)),
    )


def _read(relation: Relation) -> list[str]:
    return [parameter.name for parameter in relation.params]


def _functions(relation: Relation) -> list[RelationFunction]:
    return [call.function for call in relation.function_input.calls] if relation.function_input else []


def format_lines(known: Format, catalog: Catalog) -> Lines:
    """A format, and the tables that can be read from it."""
    yield f"format {known.name}  ({', '.join(known.suffixes)})"
    yield f"{INDENT}{known.about}"
    keys = sorted(catalog.keys("tables"))
    tables = [(key, catalog.definition(key)) for key in keys]
    accepted = [
        (key.domain, str(key)) for key, each in tables if isinstance(each, Table) and known.name in each.formats
    ]
    for domain, group in groupby(accepted, key=lambda each: each[0]):
        yield f"{INDENT}tables of {domain}: {', '.join(name for _, name in group)}"


def function_lines(function: RelationFunction, catalog: Catalog) -> Lines:
    """A function, its settings, and the relations whose rows it makes."""
    yield f"function {function.name}"
    yield f"{INDENT}{function.about}"
    yield from _block("", [f"settings: {', '.join(function.settings)}"] if function.settings else [])
    relations = [(key, catalog.definition(key)) for key in catalog.keys("relations")]
    users = [str(key) for key, each in relations if isinstance(each, Relation) and function in _functions(each)]
    yield from _block("", [f"makes the rows of: {', '.join(users)}"] if users else [])
