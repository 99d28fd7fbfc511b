"""The keys of a metric: what a short form stands for, and the names at paths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorespec.catalog.model import Kind, Metric
from scorespec.plan.rendering.render import render_value
from scorespec.plan.rendering.templates import quoted


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
