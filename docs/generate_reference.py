"""Writes docs/reference/ from what is defined: a page for each domain, of kinds, and of file formats."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scorespec.catalog.lookup import Catalog, load_catalog
from scorespec.catalog.model import Column, Kind, Metric, Parameter, Relation, Suite, Table
from scorespec.compiler.metrics import Metrics
from scorespec.compiler.parameters import show_value
from scorespec.compiler.relations import Relations
from scorespec.formats import FORMATS

FOLDER = Path(__file__).parent / "reference"


def generate(folder: Path) -> None:
    """Write every page into ``folder``."""
    catalog = load_catalog()
    domains = sorted({domain for _, domain, _ in catalog.keys("tables")})
    pages = {
        "index.md": _index(catalog, domains),
        "kinds.md": _kinds(catalog),
        "formats.md": _formats(),
        **{f"{_file(domain)}.md": _domain(catalog, domain) for domain in domains},
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in pages.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _index(catalog: Catalog, domains: Iterable[str]) -> Iterator[str]:
    yield from ("# Reference", "", "Generated from the documents.", "")
    for domain in domains:
        names = ", ".join(f"`{suite.name}`" for suite in _of(catalog, "suites", domain))
        yield f"* [{_title(domain)}]({_file(domain)}.md): suites {names}"
    yield "* [Kinds of metric](kinds.md)"
    yield "* [File formats](formats.md)"


def _domain(catalog: Catalog, domain: str) -> Iterator[str]:
    yield f"# {_title(domain)}"
    for heading, section, shown in (
        ("Suites", "suites", _suite),
        ("Metrics", "metrics", _metric),
        ("Relations", "relations", _relation),
        ("Tables", "tables", _table),
    ):
        yield from ("", f"## {heading}")
        for definition in _of(catalog, section, domain):
            yield from ("", f"### {definition.name}", "", definition.about, "")
            yield from shown(definition, catalog)


def _suite(suite: Suite, catalog: Catalog) -> Iterator[str]:
    yield f"* inputs: {_names(suite.inputs)}"
    if suite.optional:
        yield f"* optional inputs: {_names(suite.optional)}"
    yield f"* metrics: {_names(suite.metrics)}"
    yield f"* evidence: {_names(suite.keep)}"
    yield from (f"* cites: {each}" for each in suite.cites)
    relations = Relations(catalog, suite.domain, frozenset())
    metrics = Metrics(catalog, suite.domain, relations, suite.aliases)
    sources = [name for text in suite.metrics for name in metrics.relations_of(metrics.call(text).metric)]
    yield from _parameters(relations.parameters(sources).values(), suite.params)


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
    relations = Relations(catalog, metric.domain, frozenset())
    sources = Metrics(catalog, metric.domain, relations).relations_of(metric)
    yield from _parameters(relations.parameters(sources).values(), metric.params)


def _relation(relation: Relation, catalog: Catalog) -> Iterator[str]:
    if relation.symbol:
        yield f"* symbol: {relation.symbol}"
    yield f"* needs: {_names(relation.needs)}"
    if relation.fed:
        yield f"* rows made by the Python function `{relation.fed.function}`"
    yield from (f"* refuses the run: {each.says}" for each in relation.errors)
    yield from (f"* warning: {each.says}" for each in relation.warnings)
    yield from _columns(relation.columns)
    yield from _parameters(relation.params, {})
    yield from ("", "```sql", relation.template.strip(), "```")


def _table(table: Table, catalog: Catalog) -> Iterator[str]:
    yield f"* key: {_names(table.key)}; a repeat: {table.duplicates}"
    yield f"* formats: {_names(table.formats)}"
    yield f"* at least {table.min_rows} rows"
    yield from (f"* refused: “{check.says}”" for check in table.checks)
    yield from _columns(table.columns)


def _kinds(catalog: Catalog) -> Iterator[str]:
    yield "# Kinds of metric"
    for kind in catalog.kinds.values():
        yield from ("", f"## {kind.name}", "", kind.about, "")
        if kind.short_for:
            yield from (f"A short form of `{kind.short_for}`.", "")
        yield from _keys(kind)


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


def _of(catalog: Catalog, section: str, domain: str) -> list[Any]:
    return [catalog.definition(key) for key in catalog.keys(section) if key[1] == domain]


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _title(domain: str) -> str:
    return domain.replace("_", " ").capitalize()


def _file(domain: str) -> str:
    return domain.replace("_", "-")


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
