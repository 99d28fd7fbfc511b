"""The names in the templates of metrics, and what to do about unknown ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorespec.catalog.documents import shipped
from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Metric, SqlTemplate
from scorespec.catalog.template_names import fault_at_line, names_read
from scorespec.errors import SpecError, nearest


def hint_for_metric(relations: Sequence[str], names: Namespace, name: str) -> str:
    """Says what to do about an unknown name in a metric that reads ``relations``."""
    if name in names.names("tables", "relations"):
        return "it is a table or relation: join it in a relation, and count the rows of that relation"
    if owner := next((each for each in relations if name in names.written_columns(each)), None):
        return f"it is a column of {owner}: write it without {{{{ }}}}"
    return nearest(name, names.names("parameters"))


def undefined_in_metric(metric: Metric, relations: Sequence[str], names: Namespace) -> Iterator[SpecError]:
    """A fault for each name that a template of a metric uses and that is not a parameter."""
    for path, template in templates_of(metric):
        for name, line in names_read(template).items():
            if name not in names.names("parameters"):
                hint = hint_for_metric(relations, names, name)
                yield fault_at_line(f"{name!r} is undefined", "", line, metric.origin.place(*path), hint)


def templates_of(metric: Metric) -> Iterator[tuple[tuple[str | int, ...], SqlTemplate]]:
    """Every text among the keys of a metric, with its path."""
    return ((path, SqlTemplate("", text, shipped("sql"))) for path, text in texts_in(metric.body) if "{" in text)


def texts_in(value: Any, *path: str | int) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text inside a value of a document, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from texts_in(each, *path, key)
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from texts_in(each, *path, at)
