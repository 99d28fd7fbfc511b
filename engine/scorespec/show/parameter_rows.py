"""The parameters that a definition depends on, with the values that suites give them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from scorespec.catalog.lookup import DefinitionKey, Namespace
from scorespec.catalog.model import Metric, Parameter, Relation, Suite, Vary
from scorespec.core.terminal import first_sentence
from scorespec.plan.parameters import show_value
from scorespec.plan.relations import Relations
from scorespec.show.paragraphs import INDENT, Lines

NO_LIMIT = 1e6  # an upper limit from here on only guards the arithmetic, and is not shown
LONGEST_LIST = 12  # a list with more entries is not shown whole beside other parameters
FIRST = 3  # the entries of such a list that are shown


def key_of(definition: Metric | Relation) -> DefinitionKey:
    """The key under which the catalog has a definition."""
    section = "metrics" if isinstance(definition, Metric) else "relations"
    return DefinitionKey(section, definition.domain, definition.suite, definition.name)


def suites_that_report(metric: Metric, names: Namespace) -> list[Suite]:
    """The suites that have a metric in their list of metrics."""
    suites = map(names.catalog.suite, names.catalog.suites(metric.domain))
    return [
        suite
        for suite in suites
        if metric.name in suite.metrics and names.catalog.of_suite(suite).key("metrics", metric.name) == key_of(metric)
    ]


def values_by_suite(definition: Metric | Relation, names: Namespace) -> Mapping[str, Mapping[str, Any]]:
    """The values that each suite and a metric of it set or vary, by the suite.

    Seen from a suite, that is this suite alone; seen from a domain, the suites that report the metric or, if there are
    none, all that can use the definition.
    """
    catalog, own = names.catalog, definition.params if isinstance(definition, Metric) else {}
    if names.suite:
        suites = [catalog.suite(names.suite)]
    else:
        key = key_of(definition)
        every = map(catalog.suite, catalog.suites(definition.domain))
        suites = suites_that_report(definition, names) if isinstance(definition, Metric) else []
        suites = suites or [each for each in every if catalog.of_suite(each).key(key.section, key.name) == key]
    return {suite.name: {**suite.params, **suite.vary, **own} for suite in suites}


def parameter_lines(
    names: Namespace, relations: Relations, sources: Sequence[str], values: Mapping[str, Mapping[str, Any]]
) -> Lines:
    """The parameters that some relations depend on, below the relation that reads them, the nearest first.

    Those that make the folds and slices of suites come last. ``values`` are the values that each suite sets.
    """
    last = _of_folds_and_slices(names)
    shown: set[str] = set()
    delayed: dict[str, Parameter] = {}
    for relation in nearest_first(relations, sources):
        new = [parameter for parameter in relation.params if parameter.name not in shown]
        shown |= {parameter.name for parameter in new}
        delayed |= {each.name: each for each in new if each.name in last}
        lines = [f"{INDENT}{parameter_line(each, values)}" for each in new if each.name not in last]
        yield from [f"of {relation.name}", *lines] if lines else ()
    if setting := [each for each in relations.parameters(sources).values() if each.sets]:
        yield "setting several of these"
        yield from (f"{INDENT}{parameter_line(each, values)}" for each in setting)
    if delayed:
        yield "of folds and slices"
        yield from (f"{INDENT}{parameter_line(each, values)}" for each in delayed.values())


def _of_folds_and_slices(names: Namespace) -> set[str]:
    """The parameters that make folds, or slices, in some suite of the domain."""
    suites = [names.catalog.suite(name) for name in names.catalog.suites(names.domain)]
    found = {suite.folds.count for suite in suites if suite.folds}
    found |= {name for suite in suites for parameter, vary in suite.vary.items() for name in (parameter, vary.param)}
    return {name for name in found if name}


def nearest_first(relations: Relations, sources: Iterable[str]) -> Iterator[Relation]:
    """Some relations and those that they depend on, the nearest first."""
    waiting, seen = list(sources), set[str]()
    for name in waiting:
        found = relations.find(name)
        if isinstance(found, Relation) and name not in seen:
            seen.add(name)
            waiting += found.needs
            yield found


def parameter_line(parameter: Parameter, values: Mapping[str, Mapping[str, Any]]) -> str:
    """``edge_time = 0.03 s: what it means``, with its limits; with the suites, where they give it different values."""
    limits = limits_text(parameter)
    about = first_sentence(parameter.about)
    return f"{parameter.name} = {_values_text(parameter, values)}: {about}" + (f" ({limits})" if limits else "")


def _values_text(parameter: Parameter, values: Mapping[str, Mapping[str, Any]]) -> str:
    suites: dict[str, list[str]] = {}
    texts: dict[str, str] = {}  # the short text of each value, by its whole text
    for suite, each in values.items():
        value = each.get(parameter.name, parameter.default)
        whole = value_text(parameter, value)
        suites.setdefault(whole, []).append(suite)
        texts[whole] = _short_text(parameter, value)
    if len(suites) > 1:
        return ", ".join(f"{texts[whole]} ({', '.join(names)})" for whole, names in suites.items())
    return next(iter(texts.values()), _short_text(parameter, parameter.default))


def _short_text(parameter: Parameter, value: Any) -> str:
    """A value of a parameter; of a long list, the first entries, and where all of them are shown."""
    if isinstance(value, list | tuple) and len(value) > LONGEST_LIST:
        first = ", ".join(map(show_value, value[:FIRST]))
        return f"[{first}, …] ({len(value)} entries, see `scorespec show {parameter.name}`)"
    return value_text(parameter, value)


def value_text(parameter: Parameter, value: Any) -> str:
    """A value of a parameter, with its unit; all values of a parameter that a suite varies."""
    if isinstance(value, Vary):
        return ", ".join(value_text(parameter, each) for each in value.values) + ", each in a slice"
    shown = show_value(tuple(value) if isinstance(value, list) else value)
    return f"{shown} {parameter.unit}" if parameter.unit else shown


def limits_text(parameter: Parameter) -> str:
    """The values that a parameter can have, without the limits that only guard the arithmetic."""
    if parameter.one_of:
        return f"one of {', '.join(map(show_value, parameter.one_of))}"
    limits = {"at least": parameter.at_least, "above": parameter.above}
    limits |= {"at most": parameter.at_most, "below": parameter.below}
    if parameter.at_least is not None and parameter.at_most is not None and parameter.at_most < NO_LIMIT:
        return f"{parameter.at_least:g} to {parameter.at_most:g}"
    said = {words: limit for words, limit in limits.items() if limit is not None and abs(limit) < NO_LIMIT}
    return " and ".join(f"{words} {limit:g}" for words, limit in said.items())
