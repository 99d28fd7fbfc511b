"""The query of a step for all slices at once, against the same query over the rows of one slice after another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

import duckdb
import pytest

from marks import first
from random_corpora import Task, articulation, loaded, term_detection, term_discovery, with_folds, without
from scorespec.plan.plan import Step
from scorespec.plan.rendering.slicing import over_slices, sorted_over_slices
from scorespec.plan.rendering.templates import Reference
from scorespec.run.limits import Limits
from scorespec.run.session import Session, open_session, run_step

DETECTION, ALL_SPEAKERS = without(term_detection(1), "speech"), without(term_discovery(1), "speakers")
TASKS = {
    "openkws13 by doc": Task("openkws13", DETECTION, by=(("doc",),)),
    "sws2013 by query": Task("sws2013", DETECTION, by=(("query",),)),
    "segments by channel": Task("openkws13", term_detection(1), {"trials": "segment"}, by=(("channel",),)),
    "zerospeech2015 by file": Task("zerospeech2015", ALL_SPEAKERS, {"n_folds": 0}, by=(("file",),)),
    "zerospeech2015 in folds": Task("zerospeech2015", ALL_SPEAKERS, {"n_folds": 4}),
    "zerospeech2017 by speaker": Task("zerospeech2017", term_discovery(1), {"speakers": "within"}, by=(("speaker",),)),
    "tde2015 by file, in folds": Task("tde2015", with_folds(ALL_SPEAKERS, 1), by=(("file",),)),
    "articulation by label": Task("articulation", articulation(1), by=(("label",),)),
}
QUERIES = [
    "SELECT * FROM t WHERE EXISTS (FROM u WHERE u.k = t.k AND u.a > t.v)",
    "SELECT * FROM t WHERE NOT EXISTS (FROM u WHERE u.k = t.k)",
    "SELECT k, (SELECT max(a) FROM u WHERE u.k = t.k) m FROM t",
    "SELECT * FROM t ORDER BY v LIMIT 3",
    "SELECT * FROM t ORDER BY v LIMIT 3 OFFSET 2",
    "SELECT DISTINCT ON (k) k, v FROM t ORDER BY k, v DESC",
    "SELECT k FROM t EXCEPT SELECT k FROM u",
    "SELECT k FROM t EXCEPT ALL SELECT k FROM u",
    "SELECT k FROM t INTERSECT SELECT k FROM u",
    "UNPIVOT (SELECT v, k, w FROM t) ON v, w",
    "PIVOT t ON k IN (0,1,2,3,4) USING sum(v)",
    "WITH RECURSIVE r AS (SELECT v, k, 0 AS d FROM t WHERE v < 8 "
    "UNION ALL SELECT t.v, t.k, d+1 FROM r JOIN t ON t.v = r.v + 4 WHERE d < 3) FROM r",
    "SELECT * FROM t FULL JOIN u ON t.v < u.a AND t.k = u.k",
    "SELECT count(*) n, sum(v) s FROM t",
    "SELECT (SELECT count(*) FROM t) n, (SELECT count(*) FROM u) m",
    "SELECT k, w, count(*) FROM t GROUP BY GROUPING SETS ((k), (w), ())",
    "SELECT k, count(*) FROM t GROUP BY ROLLUP (k)",
    "SELECT count(*) n FROM t HAVING count(*) > 14",
    "SELECT *, ntile(3) OVER (ORDER BY v) n, lag(v) OVER (ORDER BY v) l, v > avg(v) OVER () h FROM t",
    "SELECT *, sum(v) OVER (ORDER BY v RANGE BETWEEN 8 PRECEDING AND CURRENT ROW) FROM t",
    "SELECT * FROM t QUALIFY row_number() OVER (PARTITION BY k ORDER BY v DESC) = 1",
    "SELECT * FROM t WHERE (k, w) IN (SELECT (k, a) FROM u)",
    "SELECT * FROM t WHERE (k, w) IN (SELECT k, a FROM u)",
    "SELECT * FROM t WHERE k NOT IN (SELECT k FROM u)",
    "SELECT * FROM t WHERE v > ALL (SELECT a FROM u)",
    "SELECT t.v, u.a FROM t ASOF LEFT JOIN u ON t.k = u.k AND t.v >= u.a",
    "SELECT t.v, x FROM t, LATERAL (SELECT t.v + u.a AS x FROM u WHERE u.k = t.k) l",
    "SELECT v, unnest(range(k)) FROM t",
    "SELECT arg_max(v, w), mode(k), median(w), quantile_cont(v, 0.3) FROM t",
    "SELECT v FROM t UNION ALL BY NAME SELECT a FROM u",
    "SELECT v FROM t UNION SELECT 99",
    "SELECT * FROM (VALUES (1), (2)) AS x(k) LEFT JOIN t USING (k)",
    "SELECT k, count(*) FILTER (v > 10) FROM t GROUP BY ALL",
    "FROM t SEMI JOIN u USING (k)",
    "FROM t ANTI JOIN u USING (k)",
    "SELECT * EXCLUDE (w) REPLACE (v + 1 AS v) FROM t",
    "SELECT k FROM t UNION ALL SELECT k FROM u ORDER BY k LIMIT 4",
    "SELECT v, n FROM t, (SELECT count(*) n FROM u)",
    "SELECT true AS here, sum(v) s FROM t WHERE v > 1000 GROUP BY ALL",
    "WITH a AS (SELECT * FROM t), b AS MATERIALIZED (SELECT k, count(*) n FROM a GROUP BY k) "
    "SELECT a.v, b.n FROM a JOIN b USING (k) WHERE a.v IN (SELECT max(v) FROM a GROUP BY k)",
]
BODY = re.compile(
    r"SELECT slice_\.\*, rows_\.\*\nFROM \(\n(.*?)\n\) AS slice_, LATERAL \(\n(.*)\n\) AS rows_$", re.DOTALL
)
MOST_SLICES = 12  # of a step


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    """Two tables with slices; each has a slice that the other one lacks, and `t` has more of each key."""
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT i % 4 AS by_x, i AS v, i % 5 AS k, i * 7 % 11 AS w FROM range(60) r(i)"
        )
        connection.execute("CREATE TABLE u AS SELECT i % 4 + 1 AS by_x, i AS a, i % 5 AS k FROM range(20) r(i)")
        yield connection


def lifted(sql: str) -> str:
    """A query for each slice of the two tables."""
    return over_slices(sql, [Reference("t", ("by_x",)), Reference("u", ("by_x",))])


@pytest.mark.parametrize("sql", QUERIES)
def test_a_query_of_any_shape(tables: duckdb.DuckDBPyConnection, sql: str) -> None:
    alone = [
        (x, *row)
        for x in range(5)
        for row in tables.execute(re.sub(r'slice_."by_x"', str(x), BODY.search(lifted(sql))[2])).fetchall()
    ]
    assert Counter(map(repr, tables.execute(lifted(sql)).fetchall())) == Counter(map(repr, alone))


@pytest.mark.parametrize(
    ("sql", "order"),
    [
        ("SELECT w, v FROM t ORDER BY w DESC, v", lambda row: (row[0], -row[1], row[2])),
        ("SELECT w, v FROM t ORDER BY ALL", lambda row: row),
        ("SELECT w, v FROM t ORDER BY ALL DESC", lambda row: tuple(-each for each in row)),
        ("SELECT k, count(*) AS n FROM t GROUP BY k ORDER BY ALL", lambda row: row),
        ("SELECT w, v FROM t ORDER BY w DESC, v LIMIT 2", lambda row: (row[0], -row[1], row[2])),
    ],
)
def test_the_rows_of_a_slice_are_sorted(
    tables: duckdb.DuckDBPyConnection, sql: str, order: Callable[[tuple[int, ...]], object]
) -> None:
    slices = [Reference("t", ("by_x",))]
    found = tables.execute(sorted_over_slices(sql, slices)).fetchall()
    assert found == sorted(tables.execute(over_slices(sql, slices)).fetchall(), key=order)


@pytest.mark.parametrize("sql", ["FROM (SELECT v FROM t) POSITIONAL JOIN (SELECT a FROM u)", "FROM t USING SAMPLE 50%"])
def test_what_has_no_meaning_in_a_slice_is_refused(tables: duckdb.DuckDBPyConnection, sql: str) -> None:
    with pytest.raises(duckdb.BinderException, match=r"not \(yet\) supported"):
        tables.execute(lifted(sql))


def test_tables_with_other_columns_of_slices(tables: duckdb.DuckDBPyConnection) -> None:
    """A slice is a combination of values; a table with fewer columns adds none of its own."""
    tables.execute("CREATE OR REPLACE TEMP TABLE f AS SELECT i % 2 AS by_f, i % 5 AS k FROM range(10) r(i)")
    tables.execute("CREATE OR REPLACE TEMP TABLE g AS SELECT i % 2 AS by_f, i % 3 AS by_x, i FROM range(4) r(i)")
    t, f, g = Reference("t", ("by_x",)), Reference("f", ("by_f",)), Reference("g", ("by_f", "by_x"))
    both = tables.execute(over_slices("SELECT count(*) FROM t JOIN f USING (k)", [t, f])).fetchall()
    assert len(both) == 8
    assert sum(count for *_, count in both) == 60 * 2
    assert len(tables.execute(over_slices("SELECT 1 FROM t, f, g LIMIT 1", [t, f, g])).fetchall()) == 4


@pytest.mark.slow
@pytest.mark.parametrize("name", first(TASKS, 3))
def test_each_slice_has_the_rows_of_the_query_over_its_rows(name: str) -> None:
    task, compared = TASKS[name], 0
    plan = task.plan()
    with open_session(Limits("1GB", 1)) as session:
        loaded(plan, task.inputs, session)
        for step in plan.steps:
            run_step(session, step)
            if (parts := BODY.search(step.sql)) and not step.function_rows:
                compared += 1
                assert dict(by_slice(session, step, *parts.groups())) == {}
    assert compared


def by_slice(session: Session, step: Step, slices: str, body: str) -> Iterator[tuple[str, Counter[str]]]:
    """The slices whose rows differ from those of the query over the rows of the slice, each with the difference."""
    columns = [row[0] for row in session.rows(f"DESCRIBE {slices}")]
    for values in session.rows(f"{slices}\nORDER BY ALL\nLIMIT {MOST_SLICES}"):
        alone, same = body, []
        for column, value in zip(columns, values, strict=True):
            literal = repr(value) if value is not None else "NULL"
            alone = alone.replace(f'slice_."{column}"', literal)
            same.append(f'"{column}" = {literal}')
        excluded = ", ".join(f'"{column}"' for column in columns)
        there = f'SELECT * EXCLUDE ({excluded}) FROM "{step.physical}" WHERE {" AND ".join(same)}'
        one, other = (Counter(map(repr, session.rows(sql))) for sql in (alone, there))
        if one != other:
            yield f"{step.label}: {values}", (one - other) + (other - one)
