"""Checks with DuckDB's parser that the SQL of documents only queries data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from contextlib import closing, suppress
from functools import cache, lru_cache
from typing import Any

import duckdb

from scorespec.catalog.model import Macro
from scorespec.errors import Place, SpecError
from scorespec.plan.rendering.syntax import functions_of_duckdb, parser, sql_of, trees

# The kinds of query nodes that are allowed; all others, also those of later versions of DuckDB, are refused.
ALLOWED = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE", "RECURSIVE_CTE_NODE"})
# Table functions that only use their arguments. Others read files, or run SQL that they get as text (`query`,
# `json_execute_serialized_sql`), which this module cannot check.
TABLE_FUNCTIONS = frozenset({"generate_series", "json_each", "json_tree", "range", "repeat", "repeat_row", "unnest"})
CHANGES = ("copy", "delete", "insert", "merge", "truncate", "update")
# As DuckDB writes a parsed statement. A quotation mark inside a text is written \", so that no text looks like this.
_QUERY = re.compile(r'"type":"(\w+)","modifiers":')
_CALLED = '"type":"TABLE_FUNCTION"'
_UNREPORTED = "the SQL cannot be checked: DuckDB does not report all of its parts"
_TABLE_FUNCTION = re.compile(rf'{_CALLED}.*?"function_name":"([^"]*)"')
TOGETHER = 100  # statements that are parsed in one call: their JSON has a megabyte or two
MOST_FAULTS = 10_000
MOST_PARSED = 2_000  # statements that are kept parsed: each has some 25 kB
_faults: dict[str, str | None] = {}  # of the statements that were judged


def asked(sql: str, place: Place | str | None = None) -> str:
    """The SQL of a document as a subquery for FROM, if it is a single query.

    These are two independent barriers: the parsed statement is checked here, and inside a subquery DuckDB itself
    refuses a CTE that changes a table or writes a file.

    Raises SpecError at ``place`` for a statement that is not a query, duckdb.Error for text that is not SQL.
    """
    if fault := _fault(sql):
        raise SpecError(fault, place)
    return f"(\n{_without_semicolon(sql)}\n)"


@lru_cache(MOST_PARSED)
def statements_of(sql: str) -> tuple[Any, ...]:
    """The statements of a text, which every connection can execute.

    Parsing takes a fourth of the time of a step over few rows, and runs of one process have many statements in common.
    Raises duckdb.Error for text that is not SQL.
    """
    with closing(parser().cursor()) as cursor:
        return tuple(cursor.extract_statements(sql))


@lru_cache(MOST_PARSED)
def parsed(sql: str) -> str:
    """A SELECT as JSON, or the parser's error as JSON."""
    return trees([sql])[0][0]


def unordered(text: str) -> str:
    """A query without its ORDER BY, for counting its rows: DuckDB sorts the rows of a subquery even to count them.

    A query that DuckDB cannot write as JSON stays as it is.
    """
    ((tree, statements),) = trees([text])
    if statements != 1:
        return text
    statement = json.loads(tree)["statements"][0]
    node = statement["node"]
    node["modifiers"] = [each for each in node["modifiers"] if each["type"] != "ORDER_MODIFIER"]
    return sql_of(statement)


def judge(texts: Iterable[str]) -> None:
    """Check statements that :func:`asked` will soon be given; together they take half as long as one by one."""
    unknown = [text for text in dict.fromkeys(texts) if text not in _faults]
    if len(_faults) + len(unknown) > MOST_FAULTS:
        _faults.clear()
    for first in range(0, len(unknown), TOGETHER):
        some = unknown[first : first + TOGETHER]
        for text, (tree, statements) in zip(some, trees(some), strict=True):
            with suppress(duckdb.Error):  # raised when the text is asked for
                _faults[text] = _fault_of(text, tree, statements)


def _fault(sql: str) -> str | None:
    """Why a statement may not be run; None if it may. Raises duckdb.Error for text that is not SQL."""
    try:
        return _faults[sql]
    except KeyError:
        ((tree, statements),) = trees([sql])
        _faults[sql] = found = _fault_of(sql, tree, statements)
        return found


def _fault_of(sql: str, tree: str, statements: int | None) -> str | None:
    if statements != 1:
        return _fault_of_others(sql)
    for name in _QUERY.findall(tree):
        if name not in ALLOWED:
            return f"the SQL must only ask; a CTE in it is {name.partition('_')[0]}"
    functions = _TABLE_FUNCTION.findall(tree)
    for name in functions:
        if name.lower() not in TABLE_FUNCTIONS:
            return f"the SQL may not call {name}(); allowed in FROM: {', '.join(sorted(TABLE_FUNCTIONS))}"
    if len(functions) != tree.count(_CALLED) or not _QUERY.search(tree):
        return _UNREPORTED
    return None


def _fault_of_others(sql: str) -> str | None:
    """What is wrong with a text that is not one SELECT. Raises duckdb.Error for text that is not SQL."""
    types = [str(each.type).rpartition(".")[2] for each in parser().extract_statements(sql)]
    if types == ["MULTI"]:
        return _fault_of_pivot(sql)
    if types == ["SELECT"]:
        return _UNREPORTED
    return f"the SQL must be one SELECT statement; it is {', '.join(types) or 'nothing'}"


def _fault_of_pivot(sql: str) -> str | None:
    """Check a PIVOT that does not list its values. DuckDB splits it into several statements, without JSON for any.

    So such a query may not contain, even in a text literal, a word that changes data or names a refused function.
    """
    words = set(re.findall(r"[a-z_0-9]+", sql.lower()))
    if found := sorted(words & ({*CHANGES} | _refused_functions())):
        return f"with a PIVOT that does not list its values (IN), the SQL may not contain the word {found[0]!r}"
    return None


def check_names(macros: Iterable[Macro]) -> None:
    """Raise SpecError for a macro that would take the place of a function of DuckDB in the SQL that ships."""
    known = {each.name for each in functions_of_duckdb()}
    for macro in macros:
        if macro.name in known:
            said = f"DuckDB has a function {macro.name!r}; give the macro another name"
            raise SpecError(said, macro.origin.place(key=True))


@cache
def _refused_functions() -> frozenset[str]:
    return frozenset(each.name for each in functions_of_duckdb() if "table" in each.kind) - TABLE_FUNCTIONS


def _without_semicolon(sql: str) -> str:
    """A statement without the semicolons at its end and the comments after them."""
    if ";" not in sql:
        return sql
    text = sql.encode()
    end = len(text)
    for start, kind in reversed(duckdb.tokenize(sql)):
        if text[start : start + 1] == b";":
            end = start
        elif kind != duckdb.token_type.comment:
            break
    return text[:end].decode()
