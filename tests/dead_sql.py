"""Finds conditions in SQL that do not depend on any row, such as `ON true AND …` or `WHERE true`.

A template that writes one has put an empty list of columns, or a number, where it decides nothing. A condition with a
text in it, such as `'words' = 'characters'`, shows the value of a parameter, and DuckDB decides it once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from scorespec.plan.plan import Plan
from scorespec.plan.rendering.syntax import trees
from scorespec.run.statements import TOGETHER

CONDITIONS = ("where_clause", "having", "qualify", "filter", "when_expr")
# Classes of expressions, and a function, that may differ between rows or groups of rows.
DEPENDENT = {"COLUMN_REF", "SUBQUERY", "STAR", "WINDOW", "count_star"}
_found: dict[str, list[str]] = {}  # of each query that was looked at: suites have many queries in common


def dead_conditions(sql: str) -> list[str]:
    """The conditions of a query that have one value for all rows, each with the SQL that follows it."""
    _find_dead([sql])
    return _found[sql]


def _find_dead(queries: Iterable[str]) -> None:
    """Fill ``_found``: DuckDB parses many queries in half the time that it takes one by one."""
    unknown = [sql for sql in queries if sql not in _found]
    for first in range(0, len(unknown), TOGETHER):
        some = unknown[first : first + TOGETHER]
        for sql, (text, _) in zip(some, trees(some), strict=True):
            tree = json.loads(text)
            assert not tree["error"], tree
            _found[sql] = [sql[node.get("query_location", 0) :][:80] for node in _dead(tree) if _is_constant(node)]


def dead_conditions_of_plan(plan: Plan) -> list[str]:
    """The constant conditions of all SQL that `compile` prints, each once."""
    inputs = (step.function_rows.sql for step in plan.steps if step.function_rows)
    queries = dict.fromkeys(
        [*(step.sql for step in plan.steps), *inputs, plan.scores.sql, *(c.sql for c in plan.curves)]
    )
    _find_dead(queries)
    return list(dict.fromkeys(found for sql in queries for found in dead_conditions(sql)))


def _dead(node: Any) -> Iterator[dict[str, Any]]:
    """The expressions that decide something; a LEFT JOIN on a constant is the way to keep the row of one side."""
    if isinstance(node, list):
        for each in node:
            yield from _dead(each)
    if isinstance(node, dict):
        yield from (node[key] for key in CONDITIONS if node.get(key))
        if node.get("type") == "JOIN" and node.get("join_type") == "INNER" and node.get("condition"):
            yield node["condition"]
        if node.get("class") == "CONJUNCTION":
            yield from node["children"]
        if node.get("class") in ("COMPARISON", "BETWEEN"):
            yield node
        if node.get("function_name") == "if":
            yield node["arguments"][0]["expression"]
        for each in node.values():
            yield from _dead(each)


def _is_constant(node: Any) -> bool:
    if isinstance(node, list):
        return all(map(_is_constant, node))
    return not isinstance(node, dict) or (
        not _is_text(node)
        and DEPENDENT.isdisjoint({node.get("class"), node.get("function_name")})
        and all(map(_is_constant, node.values()))
    )


def _is_text(node: dict[str, Any]) -> bool:
    return node.get("class") == "CONSTANT" and node["literal"]["kind"] == "STRING"
