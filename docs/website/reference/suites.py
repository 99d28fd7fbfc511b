"""Suites, and how the suites of a domain differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from reference.markdown import Lines, cell, names, of, pairs, row, sources, table, title, value
from scorespec.catalog.lookup import Catalog
from scorespec.catalog.model import Parameter, Suite
from scorespec.plan.needs import needs_of


def suite_lines(suite: Suite, catalog: Catalog) -> Lines:
    """What a suite reads and reports."""
    if suite.page:
        yield f"* [its page](../{suite.page})"
    yield f"* inputs: {names(suite.inputs)}"
    if suite.optional:
        yield f"* optional inputs: {names(suite.optional)}"
    for choice in suite.one_of:
        yield f"* one of: {names(choice)}"
    yield f"* metrics: {names(suite.metrics)}"
    yield from (f"* layout `{name}`: {layout.about}" for name, layout in suite.layouts.items())
    if suite.describe:
        yield f"* metrics of the corpus: {names(suite.describe)}"
    yield from (f"* reference point `{name}`: {point.about}" for name, point in suite.reference_points.items())
    yield from [f"* figures of reports: {names(suite.report)}"] if suite.report else []
    yield f"* evidence: {names(suite.keep)}"
    yield from sources(suite.cites, catalog.of_suite(suite))
    yield from table(
        ("parameter", "value", "meaning"),
        (
            (f"`{each.name}`", value(each, suite.params.get(each.name, each.default)), cell(each.about))
            for each in _read_by(suite, catalog).values()
        ),
    )


def compared(catalog: Catalog, domains: Iterable[str]) -> list[str]:
    """The domains that have several suites."""
    return [domain for domain in domains if len(of(catalog, "suites", domain)) > 1]


def differences(catalog: Catalog, domain: str) -> Lines:
    """What differs between the suites of a domain."""
    suites = of(catalog, "suites", domain)
    heads = [f"`{suite.name}`" for suite in suites]
    yield f"# {title(domain)}: how the suites differ"
    yield from (
        "",
        "Computed from the documents. — means that a suite has no such thing, or does not read the parameter.",
        "",
    )
    yield from (row("", *heads), row(*["---"] * (len(heads) + 1)))
    for convention, shown in _CONVENTIONS.items():
        yield row(convention, *(shown(suite) or "—" for suite in suites))
    yield from ("", "## Parameters", "", "The parameters that differ in value or in meaning.", "")
    yield from (row("parameter", *heads, "meaning"), row(*["---"] * (len(heads) + 2)))
    read = [_read_by(suite, catalog) for suite in suites]
    for parameter in sorted(set().union(*read)):
        values = [
            _value(parameter, suite, catalog) if parameter in each else "—"
            for suite, each in zip(suites, read, strict=True)
        ]
        meanings = {suite: each[parameter].about for suite, each in zip(heads, read, strict=True) if parameter in each}
        if len({*values}) > 1 or len({*meanings.values()}) > 1:
            one = len({*meanings.values()}) == 1
            every = "; ".join(f"{suite}: {each}" for suite, each in meanings.items())
            meaning = next(iter(meanings.values())) if one else every
            yield row(f"`{parameter}`", *values, cell(meaning))


def _read_by(suite: Suite, catalog: Catalog) -> dict[str, Parameter]:
    """The parameters that a suite reads."""
    needs = needs_of(catalog.of_suite(suite))
    return needs.parameters_of([needs.call(text).metric for text in suite.metrics], suite.keep.values())


def _value(name: str, suite: Suite, catalog: Catalog) -> str:
    """The value of a parameter in a suite: varied, its own or the default; and those of metrics that set it."""
    parameter = _read_by(suite, catalog)[name]
    values = suite.vary[name].values if name in suite.vary else (suite.params.get(name, parameter.default),)
    set_by: dict[str, list[str]] = {}
    for call in map(needs_of(catalog.of_suite(suite)).call, suite.metrics):
        own = {**call.metric.params, **call.arguments}
        if name in own:
            set_by.setdefault(value(parameter, own[name]), []).append(call.text)
    of_metrics = (f"{shown} in {names(texts)}" for shown, texts in set_by.items())
    return "; ".join([", ".join(value(parameter, each) for each in values), *of_metrics])


def _varied(suite: Suite) -> str:
    varied = []
    for name, vary in suite.vary.items():
        given = names(each for each in (vary.input, vary.param) if each)
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
    "inputs": lambda suite: names(suite.inputs),
    "optional inputs": lambda suite: names(suite.optional),
    "metrics": lambda suite: names(suite.metrics),
    "scored only if a parameter is set": lambda suite: pairs(suite.only_with),
    "parameters from the scores of another run": lambda suite: pairs(suite.calibration),
    "layouts": lambda suite: names(suite.layouts),
    "metrics of the corpus": lambda suite: names(suite.describe),
    "reference points": lambda suite: names(suite.reference_points),
    "slices": _varied,
    "folds": _folded,
    "undefined folds": _undefined,
    "evidence": lambda suite: names(suite.keep),
    "figures of reports": lambda suite: names(suite.report),
}
