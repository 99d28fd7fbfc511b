"""Computes a query, which is written over whole tables, for each slice of these tables.

``SELECT count(*) FROM words`` becomes, for the slices of the column `by_file` of `words`::

    SELECT slice_.*, rows_.*
    FROM (SELECT DISTINCT by_file FROM words) AS slice_, LATERAL (
        WITH words AS MATERIALIZED (SELECT * EXCLUDE (by_file) FROM words AS all_ WHERE all_.by_file = slice_.by_file)
        FROM (
            SELECT count(*) FROM words
        )
    ) AS rows_

DuckDB computes this in one pass over all slices, and not slice after slice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scorespec.plan.rendering.syntax import sql_of, trees
from scorespec.plan.rendering.templates import Reference, indented, quoted
from scorespec.plan.scopes import Scope


def over_slices(sql: str, sliced: Sequence[Reference], once: Reference | None = None) -> str:
    """A query for each slice of the tables ``sliced``, which it reads; the columns of slices come first.

    In the query, each table has only the rows of the slice. If tables have different columns of slices, the slices are
    the combinations of their values. The rows of ``once`` can be read only one time, so they are kept while the query
    runs.
    """
    kept = f"WITH {once} AS MATERIALIZED (FROM {once})\n" if once in sliced else ""
    tables = []
    for table in sliced:
        names = ", ".join(map(quoted, table.scope))
        same = " AND ".join(f"all_.{quoted(name)} = slice_.{quoted(name)}" for name in table.scope)
        tables.append(f"{table} AS MATERIALIZED (SELECT * EXCLUDE ({names}) FROM {table} AS all_ WHERE {same})")
    of_slice = ",\n".join(tables)
    body = f"WITH {of_slice}\nFROM (\n{indented(sql)}\n)"
    slices = f"FROM (\n{indented(_slices(sliced))}\n) AS slice_"
    return f"{kept}SELECT slice_.*, rows_.*\n{slices}, LATERAL (\n{indented(body)}\n) AS rows_"


def sorted_over_slices(sql: str, sliced: Sequence[Reference]) -> str:
    """:func:`over_slices` of the query that a function reads: the rows of a slice are adjacent, sorted as in ``sql``.

    The order of the rows inside LATERAL would be lost. So they are numbered there, and sorted by number at the end.
    """
    statement = _parsed(sql)
    query = statement["node"]
    orders = [each for each in query["modifiers"] if each["type"] == "ORDER_MODIFIER"]
    if query["modifiers"] == orders:  # LIMIT needs its order
        query["modifiers"] = []
    if any(order["expression"]["class"] == "STAR" for each in orders for order in each["orders"]):
        sorted_ = _parsed(f"FROM ({over_slices(sql_of(statement), sliced)})")  # ALL begins with the columns of slices
        sorted_["node"]["modifiers"] = orders
        return sql_of(sorted_)
    if query["type"] != "SELECT_NODE" or query["modifiers"] or _aggregates(query):
        statement = _parsed(f"FROM ({sql_of(statement)})")
    (place,) = _parsed("SELECT row_number() OVER () AS place_")["node"]["select_list"]
    place["orders"] = [order for each in orders for order in each["orders"]]
    statement["node"]["select_list"].append(place)
    columns = ", ".join(map(quoted, columns_of(sliced)))
    by_slice = over_slices(sql_of(statement), sliced)
    return f"SELECT * EXCLUDE (place_)\nFROM (\n{indented(by_slice)}\n)\nORDER BY {columns}, place_"


def _aggregates(query: Mapping[str, Any]) -> bool:
    """Whether the rows of a query are groups."""
    return bool(query["group_sets"]) or query["aggregate_handling"] != "STANDARD_HANDLING"


def _parsed(sql: str) -> dict[str, Any]:
    """The syntax tree of a query."""
    statement: dict[str, Any] = json.loads(trees([sql])[0][0])["statements"][0]
    return statement


def columns_of(tables: Iterable[Reference]) -> Scope:
    """The columns of the slices of some tables."""
    return tuple(dict.fromkeys(name for table in tables for name in table.scope))


def _slices(sliced: Sequence[Reference]) -> str:
    """The slices of some tables, as SQL; a table with only some of the columns adds no slices."""
    scopes = sorted({table.scope for table in sliced}, key=lambda scope: (-len(scope), scope))
    widest = [scope for scope in scopes if not any(set(scope) < set(other) for other in scopes)]
    rows = {
        scope: "\nUNION\n".join(
            f"SELECT DISTINCT {', '.join(map(quoted, scope))} FROM {table}" for table in sliced if table.scope == scope
        )
        for scope in widest
    }
    found, joined = rows[widest[0]], widest[0]
    for scope in widest[1:]:
        common = ", ".join(quoted(name) for name in scope if name in joined)
        join, on = ("JOIN", f" USING ({common})") if common else ("CROSS JOIN", "")
        found = f"FROM (\n{indented(found)}\n)\n{join} (\n{indented(rows[scope])}\n){on}"
        joined += scope
    return found
