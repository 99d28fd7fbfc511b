"""Names that SQL writes without ``{{ }}``: tables that it reads undeclared, and names that DuckDB does not know."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Relation
from scorespec.errors import SpecError
from scorespec.plan.plan import Step
from scorespec.plan.rendering.undeclared import hint_for_relation
from scorespec.run.statements import parsed

_NO_COLUMN = re.compile(r'Referenced column "(\w+)" not found')
_NO_TABLE = re.compile(r"Table with name (\w+) does not exist")


def bare_tables(relation: Relation, step: Step, names: Namespace) -> list[str]:
    """The faults of a step that reads an input by its bare name, so that nothing knows that it reads it."""
    hint = partial(hint_for_relation, relation, names)
    read: dict[str, None] = {}
    for sql in filter(None, (step.sql, step.function_rows.sql if step.function_rows else "")):
        tree = json.loads(parsed(sql))
        with_names = {each["key"] for node in _nodes(tree) if "map" in node for each in node["map"]}
        tables = (node["table_name"] for node in _nodes(tree) if node.get("type") == "BASE_TABLE")
        read |= dict.fromkeys(name for name in tables if name not in with_names)
    bare = [name for name in read if name not in step.reads and name in names.names("tables")]
    return [f"the SQL reads {name!r} by its bare name: write {{{{ {name} }}}}, and {hint(name)}" for name in bare]


def hint_for_error(error: SpecError, names: Namespace) -> str:
    """What to do about a column or table that DuckDB does not know; '' for other errors."""
    table, column = _NO_TABLE.search(str(error)), _NO_COLUMN.search(str(error))
    rows = names.names("tables", "relations")
    if table and table[1] in rows:
        return _in_braces(table[1], error, names)
    if column and names.parameter(column[1]):
        return _in_braces(column[1], error, names)
    owners = [each for each in rows if column and column[1] in _columns(names, each)]
    if not column or not owners:
        return ""
    shown = ", ".join(owners[:5]) + (", …" if len(owners) > 5 else "")
    return f"{column[1]} is a column of {shown}: join one of these in a relation, and list it in its `needs`"


def _in_braces(name: str, error: SpecError, names: Namespace) -> str:
    catalog, said = names.catalog, f"write {{{{ {name} }}}}"
    at = (key for key in catalog.keys("relations") if str(catalog.origin(key)) == str(error.place))
    relation = next((names.relation(key.name) for key in at), None)
    return f"{said}, and {hint_for_relation(relation, names, name)}" if relation else said


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
