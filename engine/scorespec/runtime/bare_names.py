"""Names that SQL writes without ``{{ }}``: tables that it reads undeclared, and names that DuckDB does not know."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from scorespec.catalog.model import Relation
from scorespec.catalog.namespaces import Namespace
from scorespec.compiler.plan import Step
from scorespec.compiler.undeclared import hint_for_relation
from scorespec.errors import SpecError
from scorespec.runtime.statements import parsed

_NO_COLUMN = re.compile(r'Referenced column "(\w+)" not found')
_NO_TABLE = re.compile(r"Table with name (\w+) does not exist")


def bare_tables(relation: Relation, step: Step, names: Namespace) -> list[str]:
    """The faults of a step that reads an input by its bare name, so that nothing knows that it reads it."""
    hint = hint_for_relation(relation, names)
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
    said = str(error)
    if not (_NO_TABLE.search(said) or _NO_COLUMN.search(said)):
        return ""
    relations = filter(None, map(names.relation, names.names("relations")))
    relation = next((each for each in relations if str(each.origin.place()) == str(error.place)), None)
    if (found := _NO_TABLE.search(said)) and found[1] in names.names("tables") + names.names("relations"):
        return _written(found[1], relation, names)
    if (found := _NO_COLUMN.search(said)) and names.parameter(found[1]):
        return _written(found[1], relation, names)
    if found:
        rows = names.names("tables") + names.names("relations")
        owners = [
            each for each in rows if (row := names.table(each) or names.relation(each)) and found[1] in row.column_names
        ]
        if owners:
            shown = ", ".join(owners[:5]) + (", …" if len(owners) > 5 else "")
            return f"{found[1]} is a column of {shown}: join one of these in a relation, and list it in its `needs`"
    return ""


def _written(name: str, relation: Relation | None, names: Namespace) -> str:
    add = f", and {hint_for_relation(relation, names)(name)}" if relation else ""
    return f"write {{{{ {name} }}}}{add}"


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, list):
        for each in tree:
            yield from _nodes(each)
    if isinstance(tree, dict):
        yield tree
        for each in tree.values():
            yield from _nodes(each)
