"""The SQL of a document is someone else's code: it may ask, and do nothing else."""

from __future__ import annotations

import json
import re

import pyarrow as pa
import pytest
from command_line import RELATION
from pyarrow import parquet

from scorespec.check import binding
from scorespec.run import statements

LOCKED = "disabled by configuration"


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT * FROM 'secret.csv'", LOCKED),
        ("SELECT * FROM 'https://example.com/x.csv'", ""),
        ("SELECT getenv('HOME')", "getenv does not exist"),
        ("SELECT * FROM {{ fragments }}, read_text('alpha.phn')", "may not call read_text()"),
        ("SELECT (SELECT content FROM READ_TEXT('secret.txt'))", "may not call read_text()"),
        ("SELECT * FROM system.main.read_csv('secret.csv')", "may not call read_csv()"),
        ("SELECT * FROM sqlite_scan('x.db', 'x')", "may not call sqlite_scan()"),
        ("SELECT * FROM query('SELECT * FROM read_text(''secret.txt'')')", "may not call query()"),
        ("SELECT * FROM duckdb_secrets()", "may not call duckdb_secrets()"),
        ("PIVOT (FROM read_csv('secret.csv')) ON secret USING count(*)", "may not contain the word 'read_csv'"),
    ],
)
def test_sql_reads_nothing(attack, sql, message):
    assert message in attack(sql)


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("COPY (SELECT 1) TO 'leak.csv'", "COPY"),
        ("COPY {{ fragments }} FROM 'secret.csv'", "COPY"),
        ("ATTACH 'leak.duckdb'", "ATTACH"),
        ("ATTACH ':memory:' AS other", "ATTACH"),
        ("EXPORT DATABASE 'leak'", "EXPORT"),
        ("INSTALL httpfs", "LOAD"),
        ("LOAD httpfs", "LOAD"),
        ("SET lock_configuration = false", "SET"),
        ("SET memory_limit = '1TB'", "SET"),
        ("RESET enable_external_access", "SET"),
        ("CALL enable_logging()", "CALL"),
        ("DROP TABLE {{ fragments }}", "DROP"),
        ("SELECT 1 AS x; DROP TABLE {{ fragments }}", "SELECT, DROP"),
        ("SELECT 1 AS x; DROP TABLE {{ fragments }}; --", "SELECT, DROP"),
        ("SELECT 1 AS x; COPY (SELECT 1) TO 'leak.csv'", "SELECT, COPY"),
        ("SELECT 1 AS x; SET lock_configuration = false; SELECT 2", "SELECT, SET, SELECT"),
        ("SELECT 1; SELECT 2", "SELECT, SELECT"),
        ("-- nothing", "nothing"),
    ],
)
def test_sql_is_one_select(attack, sql, found):
    assert attack(sql) == f"evil.yaml:3:3: the SQL must be one SELECT statement; it is {found}\n"


@pytest.mark.parametrize("sql", ["SELECT 1); DROP TABLE f; --", "SELECT 1) AS x; SELECT (2", 'SELECT "'])
def test_sql_does_not_escape(attack, sql):
    assert "Parser Error" in attack(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM {{ fragments }};",
        "SELECT * FROM {{ fragments }} -- all of them",
        "WITH f AS (SELECT * FROM {{ fragments }}) FROM f",
        "PIVOT {{ fragments }} ON file USING count(*) GROUP BY cluster",
    ],
)
def test_every_form_of_select_is_taken(score, write, sql):
    write("mine.yaml", RELATION.format(sql=json.dumps(sql)))
    score("--specs", "mine.yaml", "--metric", "evil").scored()


DELETED = "WITH gone AS (DELETE FROM {{ fragments }} RETURNING *)"


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        (f"{DELETED} SELECT 1 AS x", "DELETE"),
        (f"SELECT * FROM ({DELETED} SELECT 1 AS x)", "DELETE"),
        (f"SELECT ({DELETED} SELECT count(*) FROM gone) AS x", "DELETE"),
        (f"WITH a AS ({DELETED} SELECT 1 AS x) FROM a", "DELETE"),
        (f"SELECT 1 AS x UNION ({DELETED} SELECT 2)", "DELETE"),
        (f"SELECT * FROM {{{{ fragments }}}} WHERE EXISTS ({DELETED} FROM gone)", "DELETE"),
        ("WITH a AS MATERIALIZED (UPDATE {{ fragments }} SET cluster = 'a' RETURNING *) FROM a", "UPDATE"),
        ("WITH a AS (INSERT INTO {{ fragments }} FROM {{ fragments }} RETURNING *) FROM a", "INSERT"),
        ("WITH a AS (COPY (SELECT 1) TO 'leak.csv') SELECT 1 AS x", "COPY"),
        ("WITH a AS (COPY (SELECT 1) TO 'alpha.phn' (FORMAT csv, USE_TMP_FILE false)) SELECT 1 AS x", "COPY"),
    ],
)
def test_a_cte_changes_nothing(attack, monkeypatch, sql, found):
    assert attack(sql) == f"evil.yaml:3:3: the SQL must only ask; a CTE in it is {found}\n"
    # The second fence is DuckDB's, which takes such a CTE at the top of a statement only.
    monkeypatch.setattr(statements, "_fault", lambda sql: None)
    assert "must be at the top level" in attack(sql)


def test_a_pivot_that_lists_no_values_changes_nothing(attack, monkeypatch):
    sql = f"{DELETED}, p AS (PIVOT {{{{ fragments }}}} ON file USING count(*)) SELECT 1 AS x"
    assert "the SQL may not contain the word 'delete'" in attack(sql)
    monkeypatch.setattr(statements, "_fault", lambda sql: None)
    # DuckDB 2.0.1 refuses it because inputs are seen through views.
    assert re.search("must be at the top level|Can only delete from base table", attack(sql))


@pytest.mark.parametrize(
    "table", ["results.main.scores", "results.scores", "scores", "'r.duckdb'", '"r.duckdb".scores']
)
def test_sql_sees_no_results(score, write, table):
    score("-o", "r.duckdb", "--metric", "token").scored()
    write("evil.yaml", RELATION.format(sql=json.dumps(f"SELECT * FROM {table}")))
    score("-o", "r.duckdb", "--specs", "evil.yaml", "--metric", "evil").refused_with("evil.yaml:3:3: ")


def test_sql_that_is_text_is_not_run(attack):
    """DuckDB can run a statement out of JSON, where no parser sees it, and at the top level."""
    tree = statements.parsed('WITH gone AS (DELETE FROM "fragments" RETURNING *) SELECT 1').replace("'", "''")
    assert "may not call json_execute_serialized_sql()" in attack(f"FROM json_execute_serialized_sql('{tree}')")


@pytest.mark.parametrize("first_fence", [True, False])
def test_an_input_that_is_read_in_place_is_not_written(cli, write, folder, monkeypatch, first_fence):
    """Its path is allowed to the connection, for reading and for writing alike."""
    said = "a CTE in it is COPY"
    if not first_fence:
        monkeypatch.setattr(statements, "_fault", lambda sql: None)
        said = "must be at the top level"
    parquet.write_table(pa.table({"name": ["a"], "values": [[1.0, 2.0]]}), folder / "labels.parquet")
    before = (folder / "labels.parquet").read_bytes()
    paths = "list_filter(current_setting('allowed_paths'), lambda path: path LIKE '%labels.parquet')"
    target = f"(coalesce({paths}[1], current_setting('allowed_paths')[1]))"
    sql = f"WITH x AS (COPY (SELECT 'gone') TO {target} (FORMAT csv, USE_TMP_FILE false)) SELECT 1 AS y"
    write(
        "evil.yaml",
        f"""\
        domain: made_up
        tables:
          m:
            about: sequences
            columns: {{name: {{type: VARCHAR}}, values: {{type: "DOUBLE[]"}}}}
            key: [name]
            formats: [parquet]
        relations:
          r: {{about: an attack, sql: {json.dumps(sql)}}}
        metrics:
          n: {{about: x, kind: statistics, from: r, statistics: {{n: count(*)}}, components: {{value: n}}}}
        suites:
          s: {{about: a suite, inputs: [m], metrics: [n]}}
        """,
    )
    for command in (["score", "s"], ["explain", "s", "r"]):
        cli(*command, "m=labels.parquet", "--specs", "evil.yaml").refused_with("evil.yaml:9:", said)
    assert (folder / "labels.parquet").read_bytes() == before


METRIC = """\
domain: term_discovery
metrics:
  evil:
    about: x
    kind: statistics
    from: token_outcomes
    where: {where}
    statistics: {{n: {statistic}}}
    components: {{value: {component}}}
"""


@pytest.mark.parametrize("place", ["where", "statistic", "component"])
@pytest.mark.parametrize(
    "expression",
    [
        "1); DROP TABLE fragments; --",
        "true; DROP TABLE fragments",
        "(SELECT count(*) FROM read_text('/etc/passwd')) > 0",
        "1 FROM read_text('/etc/passwd'); --",
        "{{ ''.__class__ }}",
        "getenv('HOME') = ''",
        "(WITH gone AS (DELETE FROM fragments RETURNING *) SELECT count(*) FROM gone) = 0",
    ],
)
def test_expressions_of_a_metric(cli, score, write, place, expression):
    parts = {"where": "true", "statistic": "count(*)", "component": "n"} | {place: expression}
    write("evil.yaml", METRIC.format(**{key: json.dumps(value) for key, value in parts.items()}))
    score("--specs", "evil.yaml", "--metric", "evil").refused_with("evil.yaml:")
    cli("check", "evil.yaml").refused_with("evil.yaml:")


READS = "(SELECT count(*) FROM read_text('secret.txt')) > 0"
TABLE = """\
domain: made_up
tables:
  m:
    about: a table
    columns: {file: {type: VARCHAR}}
    formats: [csv, parquet]
    checks: [{sql: "READS", says: hm}]
relations:
  r: {about: its rows, sql: "SELECT * FROM {{ m }}"}
metrics:
  n: {about: how many, kind: statistics, from: r, statistics: {n: count(*)}, components: {value: n}}
suites:
  s: {about: a suite, inputs: [m], metrics: [n]}
""".replace("READS", READS)
CASE = 'cases:\n  n:\n  - {{about: x, tables: {{m: [[a], [b]]}}, oracle: "{}"}}\n'


def test_conditions_of_a_table_read_nothing(cli, write):
    write("secret.txt", "geheim")
    write("m.csv", "file\na\n")
    write("evil.yaml", TABLE)
    cli("score", "s", "m=m.csv", "--specs", "evil.yaml").refused_with("evil.yaml:7:", "may not call read_text()")


CHANGE = "(WITH gone AS (DELETE FROM {table} RETURNING *) SELECT count(*) FROM gone) = 0"


@pytest.mark.parametrize("key", ["checks", "warnings", "errors", "oracle", "given", "score"])
def test_no_expression_changes_what_is_scored(cli, write, key):
    change = CHANGE.format(table="m" if key in ("checks", "oracle") else "fragments")
    parts = {
        "checks": TABLE.replace(READS, change),
        "warnings": TABLE.replace(READS, "true").replace(
            "its rows,", f'its rows, warnings: [{{sql: "{change}", says: x}}],'
        ),
        "errors": TABLE.replace(READS, "true").replace(
            "its rows,", f'its rows, errors: [{{sql: "{change}", says: x}}],'
        ),
        "oracle": TABLE.replace(READS, "true") + CASE.format(f"SELECT {change}::INT AS value"),
        "given": TABLE.replace(READS, "true").replace("value: n}", f'value: "n + {change}::INT"}}'),
        "score": TABLE.replace(READS, "true").replace("n: count(*)", f'n: "count(*) FILTER (WHERE {change})"'),
    }
    write("evil.yaml", parts[key])
    cli("check", "evil.yaml").refused_with("evil.yaml:", "the SQL must only ask; a CTE in it is DELETE")


@pytest.mark.parametrize(
    ("oracle", "said"),
    [
        ("SELECT count(*) AS value FROM read_text('secret.txt')", "may not call read_text()"),
        ("SELECT count(*) AS value FROM 'secret.csv'", LOCKED),
        ("COPY (SELECT 1) TO 'leak.csv'", "it is COPY"),
        ("WITH x AS (COPY (SELECT 1) TO 'leak.csv') SELECT 1 AS value", "a CTE in it is COPY"),
        ("SET threads = 64", "it is SET"),
        ("SELECT len(list(range)) AS value FROM range(1000000000)", "needs more than the memory limit of 500MB"),
    ],
)
def test_oracle_of_a_case_is_locked(cli, write, folder, oracle, said):
    write("secret.csv", "geheim")
    write("evil.yaml", TABLE.replace(READS, "true") + CASE.format(oracle))
    cli("check", "evil.yaml").refused_with("evil.yaml:", "the oracle", said)
    assert not (folder / "leak.csv").exists()


def test_oracle_of_a_case_sees_its_rows(cli, write):
    write("mine.yaml", TABLE.replace(READS, "true") + CASE.format("SELECT count(*) AS value FROM m"))
    assert cli("check", "mine.yaml").scored() == "1 document, 1 metric, 1 case: all well\n"


@pytest.mark.parametrize(
    ("options", "limits"),
    [((), ("500MB", 1, None)), (("--memory-limit", "300MB", "--temp-dir", "spill"), ("300MB", 1, "spill"))],
)
def test_a_trial_of_documents_has_the_limits_of_the_run(score, write, folder, monkeypatch, options, limits):
    from scorespec.check import binding

    seen, opened = [], binding.open_session

    def open_session(given):
        seen.append((given.memory, given.threads, given.folder and str(given.folder)))
        return opened(given)

    monkeypatch.setattr(binding, "open_session", open_session)
    (folder / "spill").mkdir()
    write("mine.yaml", RELATION.format(sql="SELECT 1 AS x"))
    score("--specs", "mine.yaml", "--metric", "evil", *options).scored()
    assert seen == [limits]


MACRO = """\
domain: term_discovery
macros:
  {name}: {{about: x, params: [p], sql: {sql}}}
metrics:
  evil:
    about: x
    kind: statistics
    from: token_outcomes
    statistics: {{n: "count({name}(1))"}}
    components: {{value: n}}
"""
# The trial of a document runs locked, and does not see what its SQL does where files are open.
WHERE_OPEN = "query(if(current_setting('enable_external_access')::BOOL, 'FROM read_text(''secret.txt'')', 'SELECT 1'))"
ONE_SELECT = "the SQL must be one SELECT statement; it is SELECT"


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("1); COPY (SELECT 1) TO 'leak.csv'; SELECT (2", f"{ONE_SELECT}, COPY, SELECT"),
        (f"1); CREATE TABLE stolen AS FROM {WHERE_OPEN}; SELECT (2", f"{ONE_SELECT}, CREATE, SELECT"),
        (f"(FROM {WHERE_OPEN})", "the SQL may not call query()"),
        ("(SELECT content FROM read_text('secret.txt'))", "the SQL may not call read_text()"),
        ("(SELECT secret FROM 'secret.csv')", "macro 'own_macro': Permission Error: Cannot access file"),
        ("(WITH a AS (DELETE FROM fragments RETURNING *) FROM a)", "the SQL must only ask; a CTE in it is DELETE"),
        ("1) AS (2", "macro 'own_macro': Parser Error"),
    ],
)
def test_the_sql_of_a_macro_is_one_expression(cli, score, write, folder, sql, said):
    (folder / "secret.txt").write_text("geheim")
    (folder / "secret.csv").write_text("secret\ngeheim\n")
    write("evil.yaml", MACRO.format(name="own_macro", sql=json.dumps(sql)))
    for result in (score("--specs", "evil.yaml", "--metric", "evil"), cli("check", "evil.yaml")):
        result.refused_with(f"evil.yaml:3:43: {said}")
        assert "geheim" not in result.err
    assert not (folder / "leak.csv").exists()


def test_the_run_judges_macros_too(score, write, monkeypatch):
    """Not only the trial of the documents before it."""
    monkeypatch.setattr(binding, "bind", lambda plan, limits: [])
    write("evil.yaml", MACRO.format(name="own_macro", sql=json.dumps(f"1); SELECT * FROM {WHERE_OPEN}; SELECT (2")))
    score("--specs", "evil.yaml", "--metric", "evil").refused_with(f"evil.yaml:3:43: {ONE_SELECT}, SELECT, SELECT")


@pytest.mark.parametrize("name", ["count_if", "sum", "read_text", "if"])
def test_a_macro_takes_the_place_of_no_function(cli, score, write, name):
    write("evil.yaml", MACRO.format(name=name, sql="'1'"))
    for result in (score("--specs", "evil.yaml", "--metric", "evil"), cli("check", "evil.yaml")):
        result.refused_with(f"evil.yaml:3:3: DuckDB has a function {name!r}; give the macro another name")
