"""SQL as the syntax tree of DuckDB's parser, in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from typing import Any, NamedTuple

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


def answers(query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The rows of a query that reads no tables."""
    with closing(parser().cursor()) as cursor:
        return list(cursor.execute(query, values).fetchall())


def trees(texts: Sequence[str]) -> list[tuple[str, int | None]]:
    """The statements of each text as JSON, or the parser's error as JSON, with their number.

    The number is None if one of the statements of a text is not a SELECT, or is not SQL.
    """
    count = "json_array_length(tree, '$.statements')"
    asked = f"SELECT tree, {count} FROM (SELECT json_serialize_sql(unnest($1)) AS tree)"
    return [(str(tree), statements) for tree, statements in answers(asked, [list(texts)])]  # by one thread, in order


def sql_of(statement: Mapping[str, Any]) -> str:
    """The SQL of the tree of a statement."""
    whole = json.dumps({"error": False, "statements": [statement]})
    ((text,),) = answers("SELECT json_deserialize_sql(?::JSON)", [whole])
    return str(text)


class Function(NamedTuple):
    """A function of DuckDB: its name in lower case, its kind, and, of a macro, its parameters and its SQL.

    The value of one that ``changes`` may differ between two calls.
    """

    name: str
    kind: str
    parameters: Sequence[str]
    sql: str | None
    changes: bool


@cache
def functions_of_duckdb() -> list[Function]:
    """All functions of DuckDB, each with all of its forms."""
    changes = "coalesce(stability = 'VOLATILE', false) AND function_name <> 'error'"
    columns = f"lower(function_name), function_type, parameters, macro_definition, {changes}"
    return [Function(*row) for row in answers(f"SELECT {columns} FROM duckdb_functions()")]


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
