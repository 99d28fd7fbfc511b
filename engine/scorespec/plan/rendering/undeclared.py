"""Names that templates use but documents do not declare, and the key that declares each."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from scorespec.catalog.documents import shipped
from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Metric, Relation, SqlTemplate, Table
from scorespec.errors import Place, SpecError, nearest
from scorespec.plan.rendering.render import Hint, fault_of_name, free_names

SCOPE = ("scope", "scope_columns")  # the engine gives these to the templates of every relation


def undeclared_in_relation(relation: Relation, names: Namespace) -> Iterator[SpecError]:
    """A fault for each name that a template of a relation uses, in whatever branch, and that it does not declare."""
    declared = {*SCOPE, *relation.needs, *(each.name for each in relation.params)}
    templates: list[tuple[str, SqlTemplate]] = [("sql", relation.template)]
    if relation.function_input:
        templates.append(("input", relation.function_input.template))
    for key, template in templates:
        of_function = {"rows"} if key == "sql" and relation.function_input else set()
        for name, line in free_names(template):
            if name not in declared | of_function:
                hint = partial(hint_for_relation, relation, names)
                yield fault_of_name(name, template, line, relation.origin.place(key), hint)


def hint_for_relation(relation: Relation, names: Namespace, name: str) -> str:
    """Says what to add to the document of a relation whose template uses an undeclared name."""
    if name in _rows(names):
        return _add(name, "needs", relation.needs, relation)
    params = [each.name for each in relation.params]
    if names.parameter(name):
        return _add(name, "params", params, relation)
    if owner := next((need for need in relation.needs if name in _columns(names, need)), None):
        return f"it is a column of {owner}: write it without {{{{ }}}}"
    if names.macro(name):
        return "it is an SQL macro: write it without {{ }}"
    return nearest(name, [*_rows(names), *names.names("parameters"), *SCOPE])


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
        for name, line in free_names(template) if "{" in text else ():
            if name not in declared:
                yield fault_of_name(name, template, line, metric.origin.place(*path), hint)


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


def hint_for_check(table: Table, at: int) -> Hint:
    """Says what to add to a check of a table that uses an undeclared name."""

    def hint(name: str) -> str:
        if name in table.column_names:
            return "it is a column of this table: write it without {{ }}"
        return f"if it is a table, add it to this check: needs: [{', '.join([*table.checks[at].needs, name])}]"

    return hint


def _add(name: str, key: str, there: Sequence[str], relation: Relation) -> str:
    place: Place = relation.origin.place(key, key=True)
    return f"add it to relation {relation.name!r} at {place}: {key}: [{', '.join([*there, name])}]"


def _rows(names: Namespace) -> tuple[str, ...]:
    return names.names("tables", "relations")


def _columns(names: Namespace, name: str) -> Sequence[str]:
    found = names.table_or_relation(name)
    return found.column_names if found else ()
