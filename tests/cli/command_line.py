"""What the tests of the command line share."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

DATA = Path(__file__).parents[1] / "data" / "term_discovery"
PHONES, WORDS, FRAGMENTS = "phones=alpha.phn", "words=alpha.wrd", "fragments=alpha.class"
INPUTS = (PHONES, WORDS, FRAGMENTS)
SUITE = "zerospeech2017"


@dataclass(frozen=True)
class Result:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str

    def refused(self, message: str, code: int = 1) -> None:
        """It said exactly this on standard error, and nothing on standard output."""
        assert (self.code, self.out, self.err) == (code, "", message + "\n")

    def refused_with(self, *parts: str, code: int = 1) -> None:
        """It said these on standard error, without a traceback, and nothing on standard output."""
        assert (self.code, self.out) == (code, "")
        assert "Traceback" not in self.err
        assert "nanobind" not in self.err
        for part in parts:
            assert part in self.err

    def scored(self) -> str:
        """It went well and warned of nothing; what it printed."""
        assert (self.code, self.err) == (0, "")
        return self.out


Command = Callable[..., Result]

# A document of somebody else's whose relation is this SQL.
RELATION = """\
domain: term_discovery
relations:
  evil:
    about: an attack
    needs: [fragments]
    sql: {sql}
metrics:
  evil: {{about: x, kind: statistics, from: evil, statistics: {{n: count(*)}}, components: {{value: n}}}}
"""

# A suite of a user's own; further keys of the suite can be appended.
OWN_SUITE = """\
domain: term_discovery
suites:
  mine:
    about: A suite of a user.
    based_on: zerospeech2017
    inputs: [phones, words, fragments]
    metrics: [token]
"""


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    """A database in memory, which results databases are attached to: another connection takes ten times as long."""
    return duckdb.connect(config={"threads": 1})


def ask(sql: str, path: str | Path = "r.duckdb") -> list[tuple[Any, ...]]:
    """The rows of a query of a results database."""
    with _asking(path) as connection:
        return connection.execute(sql).fetchall()


def rows_of(sql: str, path: str | Path = "r.duckdb") -> list[dict[str, Any]]:
    """The rows of a query of a results database, with the names of their columns."""
    with _asking(path) as connection:
        rows: list[dict[str, Any]] = connection.sql(sql).to_arrow_table().to_pylist()
        return rows


def rows_of_tables(path: str | Path) -> dict[str, str]:
    """The rows of each table of a results database, without the times of runs; `repr` tells 0.0 from -0.0."""
    with _asking(path) as connection:
        names = connection.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = 'asked'").fetchall()
        columns = {"runs": "* EXCLUDE time"}
        asked = {name: f'SELECT {columns.get(name, "*")} FROM "{name}" ORDER BY ALL' for (name,) in names}
        return {name: repr(connection.execute(sql).fetchall()) for name, sql in asked.items()}


@contextmanager
def _asking(path: str | Path) -> Iterator[duckdb.DuckDBPyConnection]:
    connection = _connection()
    connection.execute(f"ATTACH '{path}' AS asked (READ_ONLY)")
    try:
        connection.execute("USE asked")
        yield connection
    finally:
        connection.execute("USE memory")
        connection.execute("DETACH asked")


def strict(text: str) -> Any:
    """JSON as the standard has it: without NaN and Infinity."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)
