"""Writes docs/reference/ from what is defined: a page for each domain, of its suites, of kinds, and of file formats."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scorespec.catalog.lookup import Catalog, load_catalog
from scorespec.catalog.model import (
    Column,
    ColumnMeaning,
    ComponentMeaning,
    Kind,
    Macro,
    Metric,
    Parameter,
    ReferencePoint,
    Relation,
    Suite,
    Table,
)
from scorespec.compiler.metrics import Metrics
from scorespec.compiler.parameters import show_value
from scorespec.compiler.relations import Relations
from scorespec.formats import FORMATS
from scorespec.show.text import singular

FOLDER = Path(__file__).parent / "reference"


def generate(folder: Path) -> None:
    """Write every page into ``folder``."""
    catalog = load_catalog()
    domains = sorted({key.domain for key in catalog.keys("tables")})
    pages = {
        "index.md": _index(catalog, domains),
        "kinds.md": _kinds(catalog),
        "formats.md": _formats(),
        "macros.md": _macros(catalog),
        **{f"{_file(domain)}.md": _domain(catalog, domain) for domain in domains},
        **{f"{_file(domain)}-suites.md": _differences(catalog, domain) for domain in _compared(catalog, domains)},
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in pages.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _index(catalog: Catalog, domains: Iterable[str]) -> Iterator[str]:
    yield from ("# Reference", "", "Generated from the documents.", "")
    for domain in domains:
        names = ", ".join(f"`{suite.name}`" for suite in _of(catalog, "suites", domain))
        compared = f", and [how they differ]({_file(domain)}-suites.md)" if _compared(catalog, [domain]) else ""
        yield f"* [{_title(domain)}]({_file(domain)}.md): suites {names}{compared}"
    yield "* [Kinds of metric](kinds.md)"
    yield "* [SQL macros](macros.md) for every domain"
    yield "* [File formats](formats.md)"


def _domain(catalog: Catalog, domain: str) -> Iterator[str]:
    yield f"# {_title(domain)}"
    yield from ("", "## Suites")
    for suite in _of(catalog, "suites", domain):
        yield from ("", f"### {suite.name}", "", suite.about, "")
        yield from _suite(suite, catalog)
    for home in ("", *catalog.suites(domain)):
        yield from ("", f"## Of the suite {home}" if home else "## Of all suites")
        for section, shown in _OF_HOMES.items():
            for definition in _of(catalog, section, domain, home):
                yield from ("", f"### {definition.name}", "", f"*{singular(section)}* {definition.about}", "")
                yield from shown(definition, catalog)
    for section, shown in _SAID_ONCE.items():
        homes = ("", *catalog.suites(domain))
        for index, definition in enumerate(each for home in homes for each in _of(catalog, section, domain, home)):
            yield from (["", f"## {section.capitalize()}"] if not index else [])
            yield from ("", f"### {definition.name}", "", definition.about)
            yield from shown(definition)


def _suite(suite: Suite, catalog: Catalog) -> Iterator[str]:
    yield f"* inputs: {_names(suite.inputs)}"
    if suite.optional:
        yield f"* optional inputs: {_names(suite.optional)}"
    for choice in suite.one_of:
        yield f"* one of: {_names(choice)}"
    yield f"* metrics: {_names(suite.metrics)}"
    yield from (f"* layout `{name}`: {layout.about}" for name, layout in suite.layouts.items())
    if suite.describe:
        yield f"* metrics of the corpus: {_names(suite.describe)}"
    yield from (f"* reference point `{name}`: {point.about}" for name, point in suite.reference_points.items())
    yield f"* evidence: {_names(suite.keep)}"
    yield from (f"* cites: {each}" for each in suite.cites)
    yield from _parameters(_read_by(suite, catalog).values(), suite.params)


def _compared(catalog: Catalog, domains: Iterable[str]) -> list[str]:
    """The domains that have several suites."""
    return [domain for domain in domains if len(_of(catalog, "suites", domain)) > 1]


def _differences(catalog: Catalog, domain: str) -> Iterator[str]:
    suites = _of(catalog, "suites", domain)
    names = [f"`{suite.name}`" for suite in suites]
    yield f"# {_title(domain)}: how the suites differ"
    yield from ("", "Made of the documents; — stands where a suite has no such thing or reads no such parameter.", "")
    yield from (_row("", *names), _row(*["---"] * (len(names) + 1)))
    for convention, shown in _CONVENTIONS.items():
        yield _row(convention, *(shown(suite) or "—" for suite in suites))
    yield from ("", "## Parameters", "", "Those that differ in value or in meaning.", "")
    yield from (_row("parameter", *names, "meaning"), _row(*["---"] * (len(names) + 2)))
    read = [_read_by(suite, catalog) for suite in suites]
    for parameter in sorted(set().union(*read)):
        values = [
            _value(parameter, suite, catalog) if parameter in each else "—"
            for suite, each in zip(suites, read, strict=True)
        ]
        meanings = {suite: each[parameter].about for suite, each in zip(names, read, strict=True) if parameter in each}
        if len({*values}) > 1 or len({*meanings.values()}) > 1:
            one = len({*meanings.values()}) == 1
            every = "; ".join(f"{suite}: {each}" for suite, each in meanings.items())
            meaning = next(iter(meanings.values())) if one else every
            yield _row(f"`{parameter}`", *values, _cell(meaning))


def _read_by(suite: Suite, catalog: Catalog) -> dict[str, Parameter]:
    """The parameters that a suite reads."""
    relations = Relations(catalog.of_suite(suite), frozenset())
    metrics = Metrics(catalog.of_suite(suite), relations)
    sources = [name for text in suite.metrics for name in metrics.relations_of(metrics.call(text).metric)]
    return relations.parameters([*sources, *suite.keep.values()])


def _value(name: str, suite: Suite, catalog: Catalog) -> str:
    """The value of a parameter in a suite: varied, its own or the default; and those of metrics that set it."""
    parameter = _read_by(suite, catalog)[name]
    values = suite.vary[name].values if name in suite.vary else (suite.params.get(name, parameter.default),)
    names = catalog.of_suite(suite)
    metrics = Metrics(names, Relations(names, frozenset()))
    set_by: dict[str, list[str]] = {}
    for call in map(metrics.call, suite.metrics):
        own = {**call.metric.params, **call.arguments}
        if name in own:
            set_by.setdefault(_shown(own[name], parameter), []).append(call.text)
    of_metrics = (f"{value} in {_names(texts)}" for value, texts in set_by.items())
    return "; ".join([", ".join(_shown(value, parameter) for value in values), *of_metrics])


def _shown(value: Any, parameter: Parameter) -> str:
    text = show_value(tuple(value) if isinstance(value, list) else value)
    return _cell(f"{text} {parameter.unit or ''}")


def _varied(suite: Suite) -> str:
    varied = []
    for name, vary in suite.vary.items():
        given = _names(each for each in (vary.input, vary.param) if each)
        varied.append(f"`{name}`, when one of these is given: {given}" if given else f"`{name}`")
    return "; ".join(varied)


def _folded(suite: Suite) -> str:
    if (folds := suite.folds) is None:
        return ""
    given = [f"`{folds.input}` is given"] if folds.input else []
    counted = [f"`{folds.count}` is above 0"] if folds.count else []
    return f"when {' or '.join(given + counted)}" if given + counted else f"always, by `{folds.column}`"


def _undefined(suite: Suite) -> str:
    if (folds := suite.folds) is None:
        return ""
    dropped = {"each": "left out of the component", "jointly": "left out of all components of the metric"}
    return dropped[folds.undefined] + _none_left(folds.none_left)


def _none_left(value: float | Mapping[str, float] | None) -> str:
    """What scores are when no fold is left."""
    if value is None:
        return ""
    by_name = value.items() if isinstance(value, Mapping) else [("", value)]
    return "; when none is left " + ", ".join(
        f"{number:g}" + (f" (`{name}`)" if name else "") for name, number in by_name
    )


_CONVENTIONS: Mapping[str, Callable[[Suite], str]] = {
    "inputs": lambda suite: _names(suite.inputs),
    "optional inputs": lambda suite: _names(suite.optional),
    "metrics": lambda suite: _names(suite.metrics),
    "scored only if a parameter is set": lambda suite: _pairs(suite.only_with),
    "parameters from the scores of another run": lambda suite: _pairs(suite.calibration),
    "layouts": lambda suite: _names(suite.layouts),
    "metrics of the corpus": lambda suite: _names(suite.describe),
    "reference points": lambda suite: _names(suite.reference_points),
    "slices": _varied,
    "folds": _folded,
    "undefined folds": _undefined,
    "evidence": lambda suite: _names(suite.keep),
}


def _metric(metric: Metric, catalog: Catalog) -> Iterator[str]:
    yield f"* kind: `{metric.kind}`"
    if metric.depends_on_row_order:
        yield "* depends on the order of rows"
    for key, value in metric.body.items():
        if isinstance(value, Mapping):
            yield f"* {key}:"
            yield from (f"    * {name}: `{sql}`" for name, sql in value.items())
        else:
            yield f"* {key}: `{', '.join(map(str, value)) if isinstance(value, list) else value}`"
    yield from (f"* cites: {each}" for each in metric.cites)
    names = catalog.namespace(metric.domain, metric.suite)
    relations = Relations(names, frozenset())
    sources = Metrics(names, relations).relations_of(metric)
    yield from _parameters(relations.parameters(sources).values(), metric.params)


def _relation(relation: Relation, catalog: Catalog) -> Iterator[str]:
    if relation.symbol:
        yield f"* symbol: {relation.symbol}"
    yield f"* needs: {_names(relation.needs)}"
    if relation.function_input:
        functions = [f"`{call.function.name}`" for call in relation.function_input.calls]
        yield f"* rows computed by the Python function {', then '.join(functions)}"
    yield from (f"* warning: {each.says}" for each in relation.warnings)
    yield from (f"* error: {each.says}" for each in relation.errors)
    yield from _columns(relation.columns)
    yield from _parameters(relation.params, {})
    yield from ("", "```sql", relation.template.text.strip(), "```")


def _parameter(parameter: Parameter) -> Iterator[str]:
    unit = f" {parameter.unit}" if parameter.unit else ""
    limits = f"one of {_names(map(str, parameter.one_of))}" if parameter.one_of else parameter.limits
    yield from (
        "",
        f"{parameter.type}, default {show_value(parameter.default)}{unit}" + (f"; {limits}" if limits else ""),
    )


def _reference_point(point: ReferencePoint, catalog: Catalog) -> Iterator[str]:
    for name, relation in point.inputs.items():
        yield f"* {name}: {'rows of `' + relation + '`' if relation else 'left out'}"


def _macro(macro: Macro) -> Iterator[str]:
    yield from ("", "```sql", f"{macro.name}({', '.join(macro.params)}) = {macro.sql}", "```")


def _meaning(meaning: ColumnMeaning | ComponentMeaning) -> Iterator[str]:
    yield from ("", f"unit: {meaning.unit}") if meaning.unit else ()
    if isinstance(meaning, ComponentMeaning):
        yield from ("", f"range: {_range(meaning)}") if meaning.range else ()
        yield from ("", f"better: {meaning.better}") if meaning.better else ()


def _range(meaning: ComponentMeaning) -> str:
    low, high = (None if bound is None else f"{bound:g}" for bound in meaning.range or (None, None))
    return f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}"


_SAID_ONCE: Mapping[str, Callable[[Any], Iterator[str]]] = {
    "parameters": _parameter,
    "components": _meaning,
    "columns": _meaning,
    "macros": _macro,
}


def _table(table: Table, catalog: Catalog) -> Iterator[str]:
    yield f"* key: {_names(table.key)}; a repeat: {table.duplicates}"
    yield f"* formats: {_names(table.formats)}"
    yield f"* at least {table.min_rows} rows"
    if table.describes:
        yield f"* describes: `{table.describes}`; `--by` may name any other column"
    for check in table.checks:
        yield f"* refused{', or dropped with `--on-bad-row drop`' if check.droppable else ''}: “{check.says}”"
    if table.droppable:
        yield "* refused, or dropped with `--on-bad-row drop`: a row with a missing or illegal value"
    yield from _columns(table.columns)


_OF_HOMES: Mapping[str, Callable[[Any, Catalog], Iterator[str]]] = {
    "metrics": _metric,
    "reference_points": _reference_point,
    "relations": _relation,
    "tables": _table,
}


def _kinds(catalog: Catalog) -> Iterator[str]:
    yield "# Kinds of metric"
    for kind in catalog.kinds.values():
        yield from ("", f"## {kind.name}", "", kind.about, "")
        if kind.short_for:
            yield from (f"A short form of `{kind.short_for}`.", "")
        yield from _keys(kind)


def _macros(catalog: Catalog) -> Iterator[str]:
    yield "# SQL macros"
    for macro in _of(catalog, "macros", ""):
        yield from ("", f"## {macro.name}", "", macro.about)
        yield from _macro(macro)


def _keys(kind: Kind) -> Iterator[str]:
    yield from ("| key | required | meaning |", "|---|---|---|")
    for key, schema in kind.schema["properties"].items():
        required = "yes" if key in kind.schema.get("required", ()) else ""
        yield f"| `{key}` | {required} | {_cell(schema.get('description', ''))} |"


def _formats() -> Iterator[str]:
    yield from ("# File formats", "", "| format | suffixes | |", "|---|---|---|")
    for known in FORMATS.values():
        yield f"| `{known.name}` | {_names(known.suffixes)} | {_cell(known.about)} |"


def _columns(columns: Iterable[Column]) -> Iterator[str]:
    yield from ("", "| column | type | unit | meaning |", "|---|---|---|---|")
    for each in columns:
        yield f"| `{each.name}` | {each.type} | {each.unit or ''} | {_cell(each.about)} |"


def _parameters(parameters: Iterable[Parameter], values: Mapping[str, Any]) -> Iterator[str]:
    parameters = list(parameters)
    if parameters:
        yield from ("", "| parameter | value | unit | meaning |", "|---|---|---|---|")
    for each in parameters:
        value = values.get(each.name, each.default)
        shown = show_value(tuple(value) if isinstance(value, list) else value)
        yield f"| `{each.name}` | {_cell(shown)} | {each.unit or ''} | {_cell(each.about)} |"


def _of(catalog: Catalog, section: str, domain: str, suite: str = "") -> list[Any]:
    """The definitions of a section that belong to a suite of a domain, or to the whole domain."""
    return [catalog.definition(key) for key in catalog.keys(section) if (key.domain, key.suite) == (domain, suite)]


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _pairs(names: Mapping[str, str]) -> str:
    return ", ".join(f"`{name}`: `{other}`" for name, other in names.items())


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _title(domain: str) -> str:
    return domain.replace("_", " ").capitalize()


def _file(domain: str) -> str:
    return domain.replace("_", "-")


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
