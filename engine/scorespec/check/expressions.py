"""What parsing the SQL of definitions shows: syntax errors of expressions, and names without ``{{ }}``.

Such a name is a table that the SQL reads unseen, or a name that DuckDB does not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Kind, Metric, Relation, Table
from scorespec.errors import Place, SpecError
from scorespec.plan.plan import Step
from scorespec.run.statements import parsed

_NO_COLUMN = re.compile(r'Referenced column "(\w+)" not found')
_NO_TABLE = re.compile(r"Table with name (\w+) does not exist")
_VARIABLE = re.compile(r"\{\{.*?\}\}")
# The shapes of the keys of a kind that have expressions: one, or several by name (catalog/json_schema.py).
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
    if isinstance(definition, Metric):
        yield from ((place, sql) for place, sql, _ in expressions_of(definition, names.kinds[definition.kind]))
    for key in ("checks", "warnings", "errors"):
        for index, condition in enumerate(getattr(definition, key, ())):
            yield definition.origin.place(key, index, "sql"), condition.sql


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


# -- names without {{ }} ------------------------------------------------------------------------------


def bare_tables(step: Step, names: Namespace) -> list[str]:
    """The faults of a step that reads an input by its bare name, so that nothing knows that it reads it."""
    read: dict[str, None] = {}
    for sql in filter(None, (step.sql, step.function_rows.sql if step.function_rows else "")):
        tree = json.loads(parsed(sql))
        with_names = {each["key"] for node in _nodes(tree) if "map" in node for each in node["map"]}
        tables = (node["table_name"] for node in _nodes(tree) if node.get("type") == "BASE_TABLE")
        read |= dict.fromkeys(name for name in tables if name not in with_names)
    bare = [name for name in read if name not in step.reads and name in names.names("tables")]
    return [f"the SQL reads {name!r} by its bare name: write {{{{ {name} }}}}" for name in bare]


def hint_for_error(error: SpecError, names: Namespace) -> str:
    """What to do about a column or table that DuckDB does not know; '' for other errors."""
    table, column = _NO_TABLE.search(str(error)), _NO_COLUMN.search(str(error))
    rows = names.names("tables", "relations")
    if table and table[1] in rows:
        return f"write {{{{ {table[1]} }}}}"
    if column and names.parameter(column[1]):
        return f"write {{{{ {column[1]} }}}}"
    owners = [each for each in rows if column and column[1] in _columns(names, each)]
    if not column or not owners:
        return ""
    shown = ", ".join(owners[:5]) + (", …" if len(owners) > 5 else "")
    return f"{column[1]} is a column of {shown}: join one of these in a relation"


def _columns(names: Namespace, name: str) -> Sequence[str]:
    """The columns of a table or relation; none if it is at fault itself."""
    try:
        found = names.table_or_relation(name)
    except SpecError:
        return ()
    return found.column_names if found else ()


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, list):
        for each in tree:
            yield from _nodes(each)
    if isinstance(tree, dict):
        yield tree
        for each in tree.values():
            yield from _nodes(each)
