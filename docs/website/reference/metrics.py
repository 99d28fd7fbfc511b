"""A page for each metric: the definitions of its name in a domain, and how they differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from reference import formulas
from reference.markdown import (
    Lines,
    cell,
    file,
    first_sentence,
    folded,
    names,
    of,
    sources,
    table,
    title,
    value,
)
from scorespec.catalog.lookup import Catalog, Namespace
from scorespec.catalog.model import MAIN_COMPONENT, ComponentMeaning, Metric, Parameter, Suite
from scorespec.plan.needs import components_of, expanded, needs_of
from scorespec.show.definitions import (
    REPORTED_BY_KIND,
    cases_of_metric,
    nearest_first,
    reading,
    suites_that_report,
    values_by_suite,
)
from scorespec.show.first_screen import example_of, suite_of


class Defined:
    """A metric with what its page says of it."""

    def __init__(self, metric: Metric, names: Namespace) -> None:
        self.metric, self.names = metric, names
        self.body = expanded(metric, names.kinds[metric.kind])
        self.components = components_of(self.body)
        self.statistics: Mapping[str, str] = self.body.get("statistics", {})
        needs = needs_of(names)
        self.sources = list(dict.fromkeys(needs.relations_of(metric)))
        self.parameters = needs.parameters_of([metric])
        self.suites: list[Suite] = suites_that_report(metric, names)

    @property
    def heading(self) -> str:
        """The full name; for a metric of the whole domain, the suites that report it."""
        return self.metric.full_name if self.metric.suite else f"{self.metric.name}, for all suites of the domain"

    def rendered(self, sql: str) -> str:
        """An expression of the document, with the names of parameters instead of their values."""
        return formulas.rendered(sql, {name: each.default for name, each in self.parameters.items()})

    @property
    def order(self) -> int:
        """The least `order` of its suites: the definition that most people want comes first."""
        return min((self.names.catalog.suite(suite).order for suite in self.values()), default=0)

    def values(self) -> Mapping[str, Mapping[str, Any]]:
        """The values of parameters by suite."""
        return values_by_suite(self.metric, self.names)


def metric_pages(catalog: Catalog, domain: str) -> Mapping[str, Lines]:
    """The pages of the metrics of a domain, by name of the metric."""
    found: dict[str, list[Defined]] = {}
    for key in catalog.keys("metrics"):
        if key.domain == domain:
            metric = catalog.definition(key)
            assert isinstance(metric, Metric)
            found.setdefault(key.name, []).append(Defined(metric, catalog.home(key)))
    ranked = {name: sorted(each, key=lambda one: one.order) for name, each in sorted(found.items())}
    return {name: _page(catalog, name, definitions) for name, definitions in ranked.items()}


def metric_list(catalog: Catalog, domain: str) -> Lines:
    """A line for each metric of a domain."""
    rows: dict[str, list[Metric]] = {}
    for home in ("", *catalog.suites(domain)):
        for metric in of(catalog, "metrics", domain, home):
            rows.setdefault(metric.name, []).append(metric)
    yield from table(
        ("metric", "defined for", "definition"),
        (
            (
                f"[`{name}`]({file(domain)}/{name}.md)",
                ", ".join(each.suite or "all suites" for each in metrics),
                cell(first_sentence(metrics[0].about)),
            )
            for name, metrics in sorted(rows.items())
        ),
    )


def _page(catalog: Catalog, name: str, definitions: list[Defined]) -> Lines:
    domain = definitions[0].metric.domain
    yield from (f"# {name}", "", f"A metric of [{title(domain).lower()}](../{file(domain)}.md).", "")
    if len(definitions) > 1:
        yield f"Several suites define `{name}`, and [the definitions differ](#how-the-definitions-differ)."
    for each in definitions:
        yield from ("", f"## {each.heading}", "", each.metric.about, "")
        yield from _definition(catalog, each)
    if len(definitions) > 1:
        yield from ("", "## How the definitions differ", "")
        yield from _differences(definitions)


def _definition(catalog: Catalog, each: Defined) -> Lines:
    metric = each.metric
    yield from _equation(metric)
    yield from sources(metric.cites, each.names, up="../")
    yield from _components(each)
    if metric.depends_on_row_order:
        yield "The same rows in another order may have another score."
    yield from _use(each)
    yield from _parameters(each)
    yield from _as_computed(each)
    yield from _relations(each)
    yield from _cases(catalog, metric)
    place = f"The document: {metric.origin.place(key=True).path}"
    yield from ("", *folded(place, ["```yaml", *_unindented(metric.origin.source), "```"]))


def _use(each: Defined) -> Lines:
    """The files that a run needs, and its command."""
    suites = (f"[`{suite.name}`](../../{suite.page})" if suite.page else f"`{suite.name}`" for suite in each.suites)
    tables, command = example_of(
        each.metric, suite := suite_of(each.metric, each.names), each.names.catalog.of_suite(suite)
    )
    home = f"../{file(each.metric.domain)}-tables.md"
    yield from ("", "### Inputs and example")
    yield from table(
        ("input", "what it is"),
        (
            (" or ".join(f"[`{one}`]({home}#{found.name})" for one in name.split(" or ")), first_sentence(found.about))
            for name, found in tables.items()
        ),
    )
    yield from (
        "```console",
        *(f"{'   ' if number else '$'} {line}" for number, line in enumerate(command)),
        "```",
        "",
    )
    yield f"Reported by {', '.join(suites) or 'no suite, unless you ask for it with `--metric`'}."


def _components(each: Defined) -> Lines:
    reported = [*each.components, *REPORTED_BY_KIND.get(each.metric.kind, ())]
    meanings = {name: each.names.component(each.metric, name) for name in dict.fromkeys(reported)}
    yield from ("", "### Components")
    yield from table(
        ("component", "values", "meaning"),
        (
            (f"`{name}`", reading(meaning), cell(_meant(each.metric, name, meaning)))
            for name, meaning in meanings.items()
        ),
    )


def _meant(metric: Metric, name: str, meaning: ComponentMeaning) -> str:
    return meaning.about or (first_sentence(metric.about) if name == MAIN_COMPONENT else "")


def _equation(metric: Metric) -> Lines:
    """The published equations, and what their symbols are here."""
    if metric.equation:
        yield from ("", "### Equation", "")
        yield from (line for equation in metric.equation for line in ("```math", equation, "```", ""))
        rows = ((cell(f"${name}$"), cell(said)) for name, said in metric.symbols.items())
        yield from table(("symbol", "here"), rows)


def _as_computed(each: Defined) -> Lines:
    """The formulas of components and statistics, from the SQL."""
    if lines := [*_formulas(each), *_statistics(each)]:
        kind = each.metric.kind
        yield from ("", "### As it is computed", "", *lines)
        yield from ("", f"Kind of metric: [`{kind}`](../kinds.md#{kind}).")


def _formulas(each: Defined) -> Lines:
    written = [(name, sql) for name, sql in each.components.items() if sql.strip('"') != name]
    if written:
        unless: dict[str, list[str]] = {}
        for name, sql in written:
            formula, condition = formulas.guarded(each.rendered(sql))
            yield from ("```math", f"{formulas.name(name)} = {formula}", "```", "")
            unless.setdefault(condition, []).append(name)
        unless.pop("", None)
        for condition, found in unless.items():
            yield from (f"Undefined unless `{condition}`: {names(found)}.", "")
    used = sorted({word for sql in each.components.values() for word in re.findall(r"\w+(?=\()", sql)} & _macros(each))
    if used:
        linked = (f"[`{name}`]({_macro_page(each, name)})" for name in used)
        yield from (f"Functions: {', '.join(linked)}.", "")


def _macros(each: Defined) -> set[str]:
    catalog = each.names.catalog
    return {key.name for key in catalog.keys("macros") if key.domain in ("", each.metric.domain)}


def _macro_page(each: Defined, name: str) -> str:
    domains = {key.domain for key in each.names.catalog.keys("macros") if key.name == name}
    home = "macros" if "" in domains else f"{file(each.metric.domain)}-names"
    return f"../{home}.md#{name}"


def _statistics(each: Defined) -> Lines:
    if not each.statistics:
        return
    yield f"Counted over the rows of {_sources(each)}{_where(each)}{_per(each)}:"
    yield ""
    for name, sql in each.statistics.items():
        yield from ("```math", f"{formulas.name(name)} = {formulas.formula(each.rendered(sql))}", "```", "")
    if given := each.body.get("given"):
        yield f"Read from `{given['from']}`, not counted: {names(given['values'])}."


def _sources(each: Defined) -> str:
    keys = ("found", "gold") if each.metric.kind == "overlap" else ("from",)
    return " and ".join(_relation_link(each, str(each.body[key])) for key in keys if key in each.body)


def _where(each: Defined) -> str:
    return f" for which `{each.body['where']}` holds" if "where" in each.body else ""


def _per(each: Defined) -> str:
    unit = each.body.get("unit")
    then = "; scores are computed from the sums over units" if unit else ""
    return f", for each value of {names(unit)}{then}" if unit else ""


def _parameters(each: Defined) -> Lines:
    """Those that people often set, then all others."""
    often = {name: parameter for name, parameter in sorted(each.parameters.items()) if parameter.often_set}
    others = {name: parameter for name, parameter in sorted(each.parameters.items()) if name not in often}
    if each.parameters:
        yield from ("", "### Parameters", "")
    yield from _parameter_table(each, often)
    if others:
        yield from folded(f"{len(others)} {'other ' * bool(often)}parameters", _parameter_table(each, others))


def _parameter_table(each: Defined, parameters: Mapping[str, Parameter]) -> Lines:
    rows = ((f"`{name}`", _of_suites(each, name), cell(found.about)) for name, found in parameters.items())
    yield from table(("parameter", "value", "meaning"), rows)


def _value(parameter: Parameter, of_suite: Mapping[str, Any]) -> str:
    found = of_suite.get(parameter.name, parameter.default)
    several = getattr(found, "values", None)
    return (
        ", ".join(value(parameter, one) for one in several) if isinstance(several, tuple) else value(parameter, found)
    )


def _relations(each: Defined) -> Lines:
    found = list(nearest_first(needs_of(each.names), each.sources))
    if found:
        yield from ("", "### Relations", "", "The tables that the engine computes for it, the last one first.", "")
        symbols = {relation.name: f" ({relation.symbol})" if relation.symbol else "" for relation in found}
        yield from folded(
            f"{len(found)} relations",
            (f"* {_relation_link(each, one.name)}{symbols[one.name]}: {first_sentence(one.about)}" for one in found),
        )


def _relation_link(each: Defined, name: str) -> str:
    relation = each.names.relation(name)
    if relation is None:
        return f"[`{name}`](../{file(each.metric.domain)}-tables.md#{name})"
    return f"[`{name}`](../{file(each.metric.domain)}-relations-{relation.suite or 'shared'}.md#{name})"


def _cases(catalog: Catalog, metric: Metric) -> Lines:
    shown = []
    for place, case in cases_of_metric(metric, catalog):
        expect = ", ".join(f"{name} {found}" for name, found in (case.get("expect") or {}).items())
        about = cell(str(case.get("about", ""))).rstrip(".")
        shown.append(f"* {about}{f': {expect}' if expect else ''} (`{place.path}:{place.line}`)")
    if shown:
        yield from ("", "### Cases", "", "Rows with expected scores, which `scorespec check` computes.", "", *shown)


def _differences(definitions: Iterable[Defined]) -> Lines:
    definitions = list(definitions)
    facets: dict[str, list[str]] = {
        "counts rows of": [_sources(each) or names(each.body.get("of", {})) for each in definitions],
        "that fulfil": [f"`{each.body['where']}`" if "where" in each.body else "—" for each in definitions],
        "unit": [names(each.body.get("unit", ())) or "—" for each in definitions],
        "components": [names(each.components) for each in definitions],
    }
    for name in dict.fromkeys(name for each in definitions for name in each.components):
        facets[f"`{name}`"] = [_code(each.components.get(name)) for each in definitions]
    for name in dict.fromkeys(name for each in definitions for name in each.statistics):
        facets[f"statistic `{name}`"] = [_code(each.statistics.get(name)) for each in definitions]
    for name in sorted({name for each in definitions for name in each.parameters}):
        facets[f"parameter `{name}`"] = [_of_suites(each, name) for each in definitions]
    rows = [(facet, *cells) for facet, cells in facets.items() if len(set(cells)) > 1]
    yield from table(("", *(each.metric.suite or "all other suites" for each in definitions)), rows)
    yield "Facets in which all definitions agree are left out. — means that a definition has no such thing."


def _code(sql: str | None) -> str:
    return f"`{cell(sql)}`" if sql else "—"


def _of_suites(each: Defined, name: str) -> str:
    parameter = each.parameters.get(name)
    if parameter is None:
        return "—"
    found: dict[str, list[str]] = {}
    for suite, values in each.values().items():
        found.setdefault(_value(parameter, values), []).append(suite)
    return "; ".join(f"{shown} in {names(suites)}" if len(found) > 1 else shown for shown, suites in found.items())


def _unindented(source: str) -> list[str]:
    lines = source.splitlines()
    depth = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[depth:] for line in lines]
