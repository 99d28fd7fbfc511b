"""SQL as the syntax tree of DuckDB's parser, in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import duckdb

Node = Mapping[str, Any]


@cache
def parser() -> Any:
    """A locked connection without data, for parsing SQL."""
    connection = duckdb.connect(
        config={
            "threads": 1,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "enable_external_access": False,
            "python_enable_replacements": False,
        }
    )
    connection.execute("SET lock_configuration = true")
    return connection


def trees(texts: Sequence[str]) -> list[tuple[str, int | None]]:
    """The statements of each text as JSON, or the parser's error as JSON, with their number.

    The number is None if one of the statements of a text is no SELECT, or is no SQL.
    """
    count = "json_array_length(tree, '$.statements')"
    asked = f"SELECT tree, {count} FROM (SELECT json_serialize_sql(unnest($1)) AS tree)"
    cursor = parser().cursor()
    try:
        found = cursor.execute(asked, [list(texts)]).fetchall()  # by one thread, in this order
        return [(str(tree), statements) for tree, statements in found]
    finally:
        cursor.close()


def query_trees(texts: Iterable[str]) -> list[Node | None]:
    """The tree of each query; None for a text that is not one SELECT."""
    return [json.loads(tree)["statements"][0]["node"] if count == 1 else None for tree, count in trees([*texts])]


def nodes(tree: Any, inside: bool = True) -> Iterator[Node]:
    """Every node of a tree. Without ``inside``, the queries in subqueries are left out."""
    if isinstance(tree, dict):
        yield tree
        for key, value in tree.items():
            if inside or key != "subquery":
                yield from nodes(value, inside)
    elif isinstance(tree, list):
        for each in tree:
            yield from nodes(each, inside)
