"""Renders the layouts of suites: the scores of a run as text, by a template of a document."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import ScoreLayout, Suite
from scorespec.errors import SpecError, UsageError, nearest, unknown
from scorespec.plan.parameters import read_metric_text
from scorespec.plan.rendering.render import imports, template_faults
from scorespec.plan.rendering.sandbox import Sandbox, of_text, rendered_within_limits, spend

MOST_DECIMALS = 20
Rows = Sequence[Mapping[str, Any]]


def check_format(suite: Suite, name: str, scored: Collection[str], others: Sequence[str]) -> None:
    """Raise UsageError for a format that the suite lacks, or a layout of metrics that are not among those ``scored``.

    ``others`` are the formats that every suite has. Raises SpecError for a layout at fault.
    """
    if name in others:
        return
    if name not in suite.layouts:
        raise unknown(f"--format {name!r}", name, [*others, *suite.layouts])
    for metric in suite.layouts[name].metrics:
        if metric not in scored:
            raise UsageError(f"--format {name} shows the metric {metric!r}, which is not scored; add --metric {metric}")
    laid_out(suite.layouts[name], [], "")


def check_layouts(suite: Suite, names: Namespace) -> None:
    """Raise SpecError for a layout at fault, or of an unknown metric; ``names`` is the suite's namespace.

    A layout must not need a score: each may be undefined.
    """
    for name, layout in suite.layouts.items():
        for at, metric in enumerate(layout.metrics):
            if names.key("metrics", read_metric_text(metric)[0]) is None:
                place = suite.origin.place("layouts", name, "metrics", at)
                raise SpecError(f"unknown metric {metric!r}; {nearest(metric, names.names('metrics'))}", place)
        laid_out(layout, [], "")


def laid_out(layout: ScoreLayout, rows: Rows, signature: str) -> str:
    """The text of a layout. ``rows`` are the scores, each with metric, component, slice and value.

    Raises SpecError for a fault of the template, at its file and line.
    """
    values = {(row["metric"], row["component"], frozenset(row["slice"].items())): row["value"] for row in rows}

    def value(metric: str, component: str, slice: Mapping[str, Any] | None = None) -> float | None:
        """A score; None if it is undefined, or if the run does not have it."""
        return values.get((metric, component, frozenset((slice or {}).items())))

    def slices(metric: str, *columns: str) -> list[Mapping[str, Any]]:
        """The slices of a metric that have these columns and no others, in the order of the scores."""
        found = (row["slice"] for row in rows if row["metric"] == metric and row["slice"].keys() == {*columns})
        return list({frozenset(slice.items()): slice for slice in found}.values())

    functions = {"value": value, "slices": slices}
    filters = {"left": of_text(_left), "right": of_text(_right), "fixed": _fixed, "percent": _percent}
    with template_faults(layout.template, layout.template.file):
        template = Sandbox(imports(layout.template.home), functions, filters).from_string(layout.template.text)
        return rendered_within_limits(template, {"signature": signature})


def _left(text: str, width: int) -> str:
    """A text at the left of a column."""
    spend(max(width, 0))
    return text.ljust(width)


def _right(text: str, width: int) -> str:
    """A text, such as a number, at the right of a column."""
    spend(max(width, 0))
    return text.rjust(width)


def _fixed(number: float | None, decimals: int = 0, undefined: str = "-") -> str:
    """A number with a fixed number of decimals."""
    return undefined if number is None else f"{number:.{min(decimals, MOST_DECIMALS)}f}"


def _percent(number: float | None, decimals: int = 0, undefined: str = "-") -> str:
    """A share in percent, with a fixed number of decimals."""
    return _fixed(None if number is None else 100 * number, decimals, undefined)
