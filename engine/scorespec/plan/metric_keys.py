"""What the keys of a metric say, before a run: its relations, templates, components and statistics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorespec.catalog.documents import shipped
from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Kind, Metric, SqlTemplate
from scorespec.catalog.template_names import fault_at_line, names_read
from scorespec.errors import SpecError, nearest
from scorespec.plan.parameters import read_metric_text
from scorespec.plan.rendering.render import render_value
from scorespec.plan.rendering.templates import quoted

Path = tuple[str | int, ...]  # of a value in a document


def expanded(metric: Metric, kind: Kind) -> Mapping[str, Any]:
    """The keys of a metric, with those that a short form stands for."""
    body = metric.body
    if isinstance(body.get("statistics"), list):  # columns that are summed
        body = {**body, "statistics": {column: f"sum({quoted(column)})" for column in body["statistics"]}}
    if kind.short_for is None:
        return {"components": {name: quoted(name) for name in body.get("statistics", ())}, **body}
    return {**render_value(kind.body, body, lambda *path: metric.origin.place()), **body}


def name_at(body: Mapping[str, Any], path: str) -> str | None:
    """The name at a dotted path of a metric's keys, if there is one."""
    value: Any = body
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value if value is None else str(value)


def has_overall(body: Mapping[str, Any]) -> bool:
    """Whether a metric has a row for all of its slices together."""
    return bool(body.get("overall", True))


def components_of(body: Mapping[str, Any]) -> Mapping[str, str]:
    """The components that the expanded body of a metric writes: SQL by name."""
    return {**body.get("components", {}), **body.get("of_slice", {})}


def direct_references(metric: Metric, kind: Kind) -> Iterator[tuple[str, str]]:
    """The section and name of everything that a metric refers to: relations, and the metrics of a formula."""
    for path in kind.relations:
        if name := name_at(metric.body, path):
            yield from (("relations", name), ("tables", name))
    for path in kind.metrics:
        yield from (("metrics", read_metric_text(text)[0]) for text in metric.body.get(path, {}).values())


def hint_for_metric(relations: Sequence[str], names: Namespace, name: str) -> str:
    """Says what to do about an unknown name in a metric that reads ``relations``."""
    if name in names.names("tables", "relations"):
        return "it is a table or relation: join it in a relation, and count the rows of that relation"
    if owner := next((each for each in relations if name in names.written(each, "columns")), None):
        return f"it is a column of {owner}: write it without {{{{ }}}}"
    return nearest(name, names.names("parameters"))


def undefined_in_metric(metric: Metric, relations: Sequence[str], names: Namespace) -> Iterator[SpecError]:
    """A fault for each name that a template of a metric uses and that is not a parameter."""
    for path, template in templates_of(metric):
        for name, line in names_read(template).items():
            if name not in names.names("parameters"):
                hint = hint_for_metric(relations, names, name)
                yield fault_at_line(f"{name!r} is undefined", "", line, metric.origin.place(*path), hint)


def templates_of(metric: Metric) -> Iterator[tuple[Path, SqlTemplate]]:
    """Every text among the keys of a metric, with its path."""
    return ((path, SqlTemplate("", text, shipped("sql"))) for path, text in texts_in(metric.body) if "{" in text)


def texts_in(value: Any, *path: str | int) -> Iterator[tuple[Path, str]]:
    """Every text inside a value of a document, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from texts_in(each, *path, key)
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from texts_in(each, *path, at)
