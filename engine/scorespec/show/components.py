"""Components and statistics of metrics as text: what the name means, and which metrics report it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scorespec.catalog.lookup import DefinitionKey, Namespace
from scorespec.catalog.model import ColumnMeaning, ComponentMeaning, Metric
from scorespec.core.text_tables import in_columns
from scorespec.plan.kinds.counting import components_of, expanded
from scorespec.show.paragraphs import block, headed

_A_STATISTIC = re.compile(r'"(\w+)"')  # the formula of a component that only reports a statistic
Owners = Iterable[tuple[DefinitionKey, Namespace]]


def component_blocks(declared: Owners, metrics: Owners, name: str) -> Iterator[str]:
    """A block for each meaning of a component, with the metrics that report it and their formulas.

    ``declared`` are the definitions of the name in documents of domains. A metric may give it another meaning.
    """
    groups: dict[tuple[str, ...], tuple[list[str], list[tuple[str, str]]]] = {}
    for key, names in declared:
        meaning = names.built(key)
        if isinstance(meaning, ComponentMeaning):
            places, _ = groups.setdefault(_identity(meaning), ([], []))
            places.append(f"({meaning.origin.place(key=True)})")
    for metric, names in _metrics(metrics):
        body = expanded(metric, names.kinds[metric.kind])
        components, statistics = components_of(body), body.get("statistics", {})
        if name in components:
            formula = str(components[name])
            counted = _A_STATISTIC.fullmatch(formula)
            formula = str(statistics.get(counted[1], formula)) if counted else formula
            _, reported = groups.setdefault(_identity(names.component(metric, name)), ([], []))
            place = metric.origin.place("of_slice" if name in body.get("of_slice", {}) else "components", name)
            line = (metric.full_name, f"{formula}  ({place})")
            if line not in reported:
                reported.append(line)
    for (domain, about, read), (places, reported) in groups.items():
        said = [line for line in (about, read) if line]
        lines = [line.removeprefix("  ") for line in block("reported by the metrics", in_columns(reported))]
        yield headed("  ".join([f"component {name}, {domain}", *places]), [*said, *lines])


def statistic_blocks(metrics: Owners, name: str) -> Iterator[str]:
    """The metrics that have a statistic of this name, and no component."""
    rows = []
    for metric, names in _metrics(metrics):
        body = expanded(metric, names.kinds[metric.kind])
        if name in body.get("statistics", {}) and name not in components_of(body):
            place = metric.origin.place("statistics", name)
            rows.append((metric.full_name, f"{body['statistics'][name]}  ({place})"))
    if rows:
        yield headed(f"statistic {name}, of the metrics", in_columns(dict.fromkeys(rows)))


def _metrics(owners: Owners) -> Iterator[tuple[Metric, Namespace]]:
    for key, names in owners:
        if key.section == "metrics" and isinstance(metric := names.built(key), Metric):
            yield metric, names


def _identity(meaning: ComponentMeaning) -> tuple[str, str, str]:
    return meaning.domain, meaning.about, reading(meaning)


def reading(meaning: ColumnMeaning | ComponentMeaning) -> str:
    """How a value is read: ``0 to 1, higher is better``, or ``unit: s``."""
    if isinstance(meaning, ColumnMeaning):
        unless = f", unless {meaning.unless} is true" if meaning.unless else ""
        same = f"the same value as {meaning.same_as}{unless}" if meaning.same_as else ""
        return "; ".join(filter(None, [f"unit: {meaning.unit}" if meaning.unit else "", same]))
    said = [meaning.unit] if meaning.unit else []
    if meaning.range and meaning.range != (None, None):
        low, high = (None if bound is None else f"{bound:g}" for bound in meaning.range)
        said.append(f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}")
    if meaning.better in ("higher", "lower"):
        said.append(f"{meaning.better} is better")
    said += ["a property of the gold"] if meaning.of_gold else []
    return ", ".join(said)
