"""The SQL expressions that definitions have, and their syntax errors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Kind, Metric, Relation, Table
from scorespec.errors import Place
from scorespec.run.statements import parsed

_VARIABLE = re.compile(r"\{\{.*?\}\}")
# The shapes of the keys of a kind that have expressions: one, or several by name (catalog/schema.py).
SHAPES = ("expression", "unit_sum", "row_sum")


def expression_faults(definition: Metric | Relation | Table, names: Namespace) -> list[str]:
    """The syntax errors of the SQL expressions of a definition, each with its place."""
    faults = []
    for place, sql in _expressions(definition, names):
        if isinstance(definition, Relation) and "{{" in sql:
            said = "it cannot have {{ }}; compute a column in the SQL of the relation, and use the column here"
            faults.append(f"{place}: bad SQL expression {sql!r}: {said}")
            continue
        if "{%" in sql:
            continue  # which of its branches is SQL shows when the metric is compiled
        answer = _answer(sql)
        if answer["error"]:
            faults.append(f"{place}: bad SQL expression {sql!r}: {answer['error_message']}")
    return faults


def parsed_expression(sql: str) -> Any:
    """An expression as DuckDB parses it; empty if it cannot be parsed before its template is rendered."""
    answer = _answer(sql)
    return [] if answer["error"] else answer["statements"][0]["node"]["select_list"]


def _answer(sql: str) -> Any:
    # A variable stands for a literal or a table; the parser accepts a name in place of either.
    return json.loads(parsed(f"SELECT ({_VARIABLE.sub('variable', sql)})"))


def _expressions(definition: Metric | Relation | Table, names: Namespace) -> Iterator[tuple[Place, str]]:
    origin = definition.origin
    if isinstance(definition, Table):
        for index, check in enumerate(definition.checks):
            yield origin.place("checks", index, "sql"), check.sql
    elif isinstance(definition, Relation):
        for index, warning in enumerate(definition.warnings):
            yield origin.place("warnings", index, "sql"), warning.sql
        for index, error in enumerate(definition.errors):
            yield origin.place("errors", index, "sql"), error.sql
    else:
        yield from ((place, sql) for place, sql, _ in expressions_of(definition, names.kinds[definition.kind]))


def expressions_of(metric: Metric, kind: Kind) -> Iterator[tuple[Place, str, str]]:
    """The expressions among the keys of the kind of a metric, each with its place and its shape."""
    for key, schema in kind.schema["properties"].items():
        value = metric.body.get(key)
        shapes = {str(each.get("$ref", "")).rpartition("/")[2] for each in (schema, *schema.get("oneOf", ()))}
        for shape in SHAPES:
            if shape in shapes and value is not None:
                yield metric.origin.place(key), str(value), shape
            elif f"{shape}s" in shapes and isinstance(value, Mapping):
                for name, sql in value.items():
                    yield metric.origin.place(key, name), str(sql), shape
