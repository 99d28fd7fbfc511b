"""Names that templates use but documents do not declare, and the key that declares each."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from scorespec.catalog.documents import shipped
from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Metric, Relation, SqlTemplate
from scorespec.catalog.template_names import fault_at_line, names_read
from scorespec.errors import Place, SpecError, nearest


def hint_for_metric(relations: Sequence[str], names: Namespace, name: str) -> str:
    """Says what to do about an undeclared name in a metric that reads ``relations``."""
    read = [found for each in relations if (found := names.relation(each))]
    if names.parameter(name) and read:
        return _add(name, "params", [each.name for each in read[0].params], read[0])
    if names.parameter(name):
        return "a metric uses the parameters of the relations that it reads: count the rows of a relation that has it"
    if name in _rows(names):
        return "it is a table or relation: join it in a relation, and count the rows of that relation"
    if owner := next((each for each in relations if name in _columns(names, each)), None):
        return f"it is a column of {owner}: write it without {{{{ }}}}"
    return nearest(name, names.names("parameters"))


def undeclared_in_metric(
    metric: Metric, relations: Sequence[str], declared: Container[str], names: Namespace
) -> Iterator[SpecError]:
    """A fault for each name that a template of a metric uses and that is not among the ``declared`` parameters."""
    hint = partial(hint_for_metric, relations, names)
    for path, text in texts_in(metric.body):
        template = SqlTemplate("", text, shipped("sql"))
        for name, line in names_read(template).items():
            if name not in declared:
                yield fault_at_line(f"{name!r} is undefined", "", line, metric.origin.place(*path), hint(name))


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


def _add(name: str, key: str, there: Sequence[str], relation: Relation) -> str:
    place: Place = relation.origin.place(key, key=True)
    return f"add it to relation {relation.name!r} at {place}: {key}: [{', '.join([*there, name])}]"


def _rows(names: Namespace) -> tuple[str, ...]:
    return names.names("tables", "relations")


def _columns(names: Namespace, name: str) -> Sequence[str]:
    found = names.table_or_relation(name)
    return found.column_names if found else ()
