"""The rows of figures: the SQL of a document, asked of the runs that a report is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from scorespec.core.result_tables import run_column
from scorespec.errors import Place, SpecError
from scorespec.plan.rendering.templates import quoted
from scorespec.run.statements import unordered

BEGIN = re.compile(r"\A((?:\s|--[^\n]*\n)*)WITH(\s+RECURSIVE)?\s", re.IGNORECASE)
MOST_ROWS = 200_000  # of a query without a limit

Row = Mapping[str, Any]
Ask = Callable[[str], pa.Table]  # the rows of a query


@dataclass(frozen=True)
class Found:
    """The rows of a query; ``sql`` is the query, ``total`` the number of rows that it has without its limit."""

    columns: Sequence[str]
    rows: Sequence[Row]
    sql: str
    total: int


def statement(sql: str, needs: Iterable[str], runs: Sequence[int], schema: str = "main") -> str:
    """SQL over tables that have only the rows of some runs, as one query that any DuckDB client can run."""
    listed = ", ".join(map(str, runs))
    views = [
        f"{quoted(name)} AS (SELECT * FROM {quoted(schema)}.{quoted(name)} WHERE {column} IN ({listed}))"
        for name in needs
        if (column := run_column(name))
    ]
    sql = sql.strip().rstrip(";").rstrip()
    if not views:
        return sql
    begin = BEGIN.match(sql)
    head = f"WITH{(begin[2] or '').upper() if begin else ''} " + ",\n  ".join(views)
    return f"{head},\n  {sql[begin.end() :]}" if begin else f"{head}\n{sql}"


def find(ask: Ask, sql: str, most: int | None, place: Place | str) -> Found:
    """The first rows of a query, and how many it has. Raises SpecError for SQL at fault, at its place."""
    most = most or MOST_ROWS
    limited = f"{sql}\nLIMIT {most}"
    try:
        table = ask(limited)
        total = table.num_rows
        if total == most:
            (row,) = ask(f"SELECT count(*) AS rows FROM ({unordered(sql)}\n)").to_pylist()
            total = row["rows"]
    except SpecError as error:
        raise SpecError(str(error).splitlines()[0], place) from None
    return Found(table.schema.names, table.to_pylist(), sql if total <= most else limited, total)


def missing(needs: Iterable[str], there: Iterable[str]) -> Sequence[str]:
    """The tables that a figure reads and a results database does not have."""
    known = set(there)
    return [name for name in needs if name not in known]
