"""What SQL of a document may do: the judge of statements, and the fences behind it."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pyarrow as pa
import pytest

from scorespec.errors import SpecError
from scorespec.plan.rendering.syntax import parser
from scorespec.run.limits import Limits
from scorespec.run.session import Session, open_session
from scorespec.run.statements import TABLE_FUNCTIONS, asked, statements_of, unordered


@pytest.mark.parametrize(
    ("sql", "subquery"),
    [
        ("SELECT 1", "(\nSELECT 1\n)"),
        ("SELECT 1; -- x", "(\nSELECT 1\n)"),
        ("SELECT 'é;' ;; /* a */ ; -- d", "(\nSELECT 'é;' \n)"),
        ("SELECT ';' -- ;", "(\nSELECT ';' -- ;\n)"),
        ("VALUES (1)", "(\nVALUES (1)\n)"),
        ("DESCRIBE t", "(\nDESCRIBE t\n)"),
        ("PIVOT t ON a USING count(*)", "(\nPIVOT t ON a USING count(*)\n)"),
        ("WITH RECURSIVE a AS (SELECT 1 AS x UNION SELECT x FROM a) FROM a", None),
        ("FROM t PIVOT (count(*) FOR k IN ('delete', 'copy'))", None),
        ("SELECT \"update\", copy AS \"delete\" FROM t -- insert", None),
        ("SELECT '\"type\":\"DELETE_QUERY_NODE\",\"modifiers\":'", None),
        ("SELECT '\"type\":\"TABLE_FUNCTION\"', '\"function_name\":\"query\"'", None),
        ("SELECT query FROM t AS read_csv", None),
    ],
)  # fmt: skip
def test_a_query_is_taken(sql, subquery):
    assert asked(sql) == (subquery or f"(\n{sql}\n)")


def test_of_the_table_functions_only_those_that_read_nothing_are_taken():
    """Whatever DuckDB knows now or later: what is not known to be harmless is refused."""
    known = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type LIKE '%table%'"
    names = {name for (name,) in parser().cursor().execute(known).fetchall()}
    assert len(names - TABLE_FUNCTIONS) > 50
    for name in {*names, "one_of_tomorrow"} - TABLE_FUNCTIONS:
        for sql in (f"FROM {name}('x')", f'SELECT (FROM main."{name}"())', f"FROM (VALUES (1)), LATERAL {name}(1)"):
            with pytest.raises(SpecError, match=r"may not call|may not contain|one SELECT"):
                asked(sql)
    for name in TABLE_FUNCTIONS:
        asked(f"FROM {name}(1)")


@pytest.mark.parametrize("name", ["query", "read_csv", "json_execute_serialized_sql", "duckdb_settings"])
def test_a_pivot_without_values_may_not_name_them(name):
    with pytest.raises(SpecError, match=f"may not contain the word '{name}'"):
        asked(f"PIVOT (FROM {name.upper()}('x')) ON a USING count(*)")


@pytest.fixture
def session() -> Iterator[Session]:
    """A locked session with one loaded table."""
    with open_session(Limits("200MB", 1)) as session:
        session.create("t", "SELECT range AS a FROM range(10)")
        session.lock()
        yield session


@pytest.mark.parametrize("sql", ["DELETE FROM t", "UPDATE t SET a = 1", "INSERT INTO t VALUES (1)", "DROP TABLE t"])
def test_a_loaded_table_cannot_be_written(session, sql):
    with pytest.raises(duckdb.Error):
        session.run(sql)
    assert session.rows("SELECT count(*), sum(a) FROM t") == [(10, 45)]


def test_a_loaded_table_stays_so_when_the_database_is_opened_anew_and_can_be_dropped(session):
    with session.one_thread(), pytest.raises(duckdb.Error, match="base table"):
        session.run("DELETE FROM t")
    session.drop("t")
    assert session.connection.execute("SELECT count(*) FROM duckdb_tables()").fetchall() == [(0,)]


@pytest.mark.parametrize(
    "function",
    ["read_csv('x.csv')", "read_parquet('x')", "read_text('x')", "read_blob('x')", "read_json('x')", "glob('*')",
     "sniff_csv('x.csv')", "duckdb_secrets()", "read_csv('https://example.com/x.csv')", "enable_logging()",
     "enable_profiling(save_location = 'leak.json')"],
)  # fmt: skip
def test_a_locked_session_reads_nothing_that_is_not_judged_either(session, function):
    with pytest.raises(duckdb.Error, match=r"disabled by configuration|has been locked|disabled through"):
        session.run(f"CREATE TABLE x AS FROM {function}")


def test_a_variable_of_python_is_no_table(session):
    secret = pa.table({"a": [1]})
    assert len(secret) == 1
    with pytest.raises(duckdb.CatalogException, match="secret does not exist"):
        session.rows("SELECT * FROM secret")


@pytest.mark.parametrize(
    ("sql", "without"),
    [
        ("SELECT a FROM t ORDER BY b DESC", "SELECT a FROM t"),
        (
            "WITH t AS (SELECT 1 AS a ORDER BY a) FROM t ORDER BY a",
            "WITH t AS (SELECT 1 AS a ORDER BY a) SELECT * FROM t",
        ),
        ("SELECT 1 AS a UNION ALL SELECT 2 ORDER BY a", "(SELECT 1 AS a) UNION ALL (SELECT 2)"),
        ("SELECT a FROM t ORDER BY a LIMIT 3", "SELECT a FROM t LIMIT 3"),
        ("PIVOT t ON a USING sum(b) ORDER BY 1", "PIVOT t ON a USING sum(b) ORDER BY 1"),
        ("no SQL ORDER BY 1", "no SQL ORDER BY 1"),
    ],
)
def test_a_query_without_its_order(sql: str, without: str) -> None:
    assert unordered(sql) == without


def test_a_statement_is_parsed_once_and_asked_of_each_session(session):
    sql = "SELECT sum(a) FROM t"
    assert session.rows(sql) == [(45,)]
    parsed = statements_of(f"FROM {asked(sql)}")
    with open_session(Limits("200MB", 1)) as other:
        other.create("t", "SELECT 'x' AS b, 7::TINYINT AS a")
        other.lock()
        assert other.rows(sql) == [(7,)]
        other.drop("t")
        with pytest.raises(duckdb.CatalogException, match="Table with name t as loaded does not exist"):
            other.rows(sql)
    assert statements_of(f"FROM {asked(sql)}") is parsed
    assert session.rows(sql) == [(45,)]


def test_the_last_statement_of_a_text_answers():
    with open_session(Limits("200MB", 1)) as session:
        assert session.rows("CREATE TABLE t AS SELECT 1 AS a; INSERT INTO t VALUES (2); FROM t") == [(1,), (2,)]
        assert session.run("-- nothing") == 0
        with pytest.raises(duckdb.ParserException, match=r"LINE 2: SELECT \+"):
            session.run("SELECT 1;\nSELECT +")
