"""The ways to divide a query, as they follow from its syntax tree."""

from __future__ import annotations

import pytest
import toy

from scorespec.plan.division import with_splits
from scorespec.plan.plan import ROWS, Step

DOCUMENT = """
macros:
  own_share: {{about: it, params: [x], sql: x / sum(x)}}
  own_place: {{about: it, params: [x], sql: row_number() OVER (ORDER BY x)}}
relations:
  own:
    about: it
    sql: "{sql}"
    columns: {{}}
metrics:
  own: {{about: it, kind: statistics, from: own, statistics: {{sum: count(*)}}, components: {{sum: sum}}}}
"""
A, B = "{{ answers }}", "{{ items }}"


def step(sql: str) -> Step:
    plan = toy.plan(DOCUMENT.format(sql=sql), metrics=["own"], given=["answers", "items"])
    return next(each for each in with_splits(plan).steps if each.name == "own" and each.kind == "relation")


def ways(sql: str) -> set[str]:
    """The ways to divide a query: the divided tables, each with its column, and the columns of the result."""
    found = set()
    for each in step(sql).splits:
        divided = (f"{table} by {'rows' if key == ROWS else key}" for table, key in sorted(each.reads.items()) if key)
        found.add(f"{', '.join(divided)} -> {' '.join(sorted(each.result))}".strip())
    return found


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (f"SELECT file, talker FROM {A} WHERE score > 1", {"answers by rows -> file talker"}),
        (f"SELECT file AS name, file, score FROM {A}", {
            "answers by file -> file name", "answers by rows -> file score",
        }),
        (f"SELECT file, count(*) AS n FROM {A} GROUP BY file", {"answers by file -> file"}),
        (f"SELECT file, talker, max(score) AS best FROM {A} GROUP BY ALL", {
            "answers by file -> file", "answers by talker -> talker",
        }),
        (f"SELECT file, count(*) AS n FROM {A} GROUP BY GROUPING SETS ((file), (file, talker))", {
            "answers by file -> file",
        }),
        (f"SELECT DISTINCT file FROM {A}", {"answers by file -> file"}),
        (f"SELECT file, row_number() OVER (PARTITION BY file ORDER BY score) AS n FROM {A}", {
            "answers by file -> file",
        }),
        (f"SELECT item, topic, score FROM {A} JOIN {B} USING (item) WHERE topic IS NOT NULL", {
            "answers by item, items by item -> item", "answers by rows -> item score", "items by rows -> item topic",
        }),
        (f"SELECT item, count(score) AS n FROM {B} LEFT JOIN {A} USING (item) GROUP BY ALL", {
            "answers by item, items by item -> item",
        }),
        (f"SELECT item FROM (SELECT DISTINCT item FROM {B}) FULL JOIN (SELECT DISTINCT item FROM {A}) USING (item)", {
            "answers by item, items by item -> item",
        }),
        (f"SELECT file, item FROM {A} WHERE item IN (SELECT item FROM {B}) OR file IS NULL", {
            "answers by rows -> file item",
        }),
        (f"SELECT item FROM {A} UNION ALL SELECT item FROM {B}", {"answers by item, items by item -> item"}),
        (f"SELECT file, own_share(score) AS share FROM {A} GROUP BY ALL", {"answers by file -> file"}),
    ],
)  # fmt: skip
def test_the_ways_of_a_query(sql: str, expected: set[str]) -> None:
    assert ways(sql) == expected


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT count(*) AS n FROM {A}",
        f"SELECT file FROM {A} ORDER BY score LIMIT 3",
        f"SELECT file FROM {A} USING SAMPLE 10%",
        f"SELECT file FROM {A} HAVING true",
        f"SELECT file, rowid AS n FROM {A}",
        f"SELECT file, random() AS n FROM {A}",
        f"SELECT file, row_number() OVER (ORDER BY score) AS n FROM {A}",
        f"SELECT file, own_place(score) AS n FROM {A}",
        f"SELECT file, own_place(file) AS n FROM {A} GROUP BY file",
        f"SELECT own_share(score) AS share FROM {A}",
        f"SELECT file, count(*) AS n FROM {A} GROUP BY file HAVING max(score) > (SELECT max(score) FROM {A})",
        f"SELECT file, count(*) AS n FROM {A} GROUP BY ROLLUP (file)",
        f"WITH RECURSIVE r AS (SELECT file FROM {A} UNION SELECT file FROM r) FROM r",
        f"WITH x(talker, file) AS (SELECT file, talker FROM {A}) SELECT count(*) AS n FROM x GROUP BY score",
        f"SELECT a.file, (SELECT max(score) FROM {A}) AS best FROM {A} AS a",
        f"SELECT file, score NOT IN (SELECT score FROM {A}) AS other FROM {A}",
        f"SELECT a.file FROM {A} AS a JOIN {A} AS b ON a.score < b.score",
        f"SELECT file FROM {A} EXCEPT ALL SELECT 'x'",
        f"SELECT file FROM {A} UNION ALL SELECT 'x' AS file",
        f"SELECT a.file FROM {A} AS a POSITIONAL JOIN {A} AS b",
        f"PIVOT {A} ON talker IN ('a', 'b') USING count(*)",
    ],
)
def test_what_is_not_known_is_not_divided(sql: str) -> None:
    assert ways(sql) == set()


def test_an_alias_does_not_hide_a_column() -> None:
    """DuckDB groups by the column `file`. The analysis does not know which one is meant."""
    assert ways(f"SELECT max(talker) AS file, count(*) AS n FROM {A} GROUP BY file") == set()


def test_the_rows_of_another_table_are_given_whole() -> None:
    assert ways(f"SELECT a.file FROM {A} AS a ANTI JOIN {A} AS b ON a.score < b.score") == set()
    assert ways(f"SELECT item, topic FROM {B} ANTI JOIN {A} USING (item)") == {
        "answers by item, items by item -> item",
        "items by rows -> item topic",
    }


def test_an_id_determines_a_column() -> None:
    made = DOCUMENT.format(sql=f"SELECT file, item, row_number() OVER (ORDER BY file) AS island FROM {A}")
    made = made.replace("about: it\n    sql", "about: it\n    determines: {island: [file]}\n    sql")
    read = """  read: {about: it, sql: "SELECT island, count(*) AS n, min(file) AS file FROM {{ own }} GROUP BY island"}
metrics:
"""
    plan = toy.plan(made.replace("metrics:\n", read).replace("from: own", "from: read"), metrics=["own"])
    (found,) = (each for each in with_splits(plan).steps if each.name == "read" and each.kind == "relation")
    assert {(*filter(None, each.reads.values()), *sorted(each.result)) for each in found.splits} == {
        ("file", "file"),
        ("island", "island"),
    }
