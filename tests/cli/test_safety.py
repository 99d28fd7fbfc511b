"""A document is someone else's code: whatever its SQL, template or YAML tries ends in a clean error."""

from __future__ import annotations

import json

import pytest

ODD = ("phones=odd.phn", "words=odd.wrd", "fragments=odd.class")

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


@pytest.fixture
def attack(cli, score, write, folder):
    """Tries the SQL of a relation in `score` and in `check`; both must refuse it and leave no file."""

    def run(sql: str) -> str:
        (folder / "secret.csv").write_text("secret\ngeheim\n")
        (folder / "secret.txt").write_text("geheim")
        write("evil.yaml", RELATION.format(sql=json.dumps(sql)))
        before = sorted(folder.rglob("*"))
        told = [score("--specs", "evil.yaml", "--metric", "evil"), cli("check", "evil.yaml")]
        for result in told:
            result.refused_with()
            assert result.err.startswith("evil.yaml:")
            assert "geheim" not in result.err
        assert sorted(folder.rglob("*")) == before
        return told[0].err

    return run


LOCKED = "disabled by configuration"


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT * FROM read_csv('secret.csv')", LOCKED),
        ("SELECT * FROM 'secret.csv'", LOCKED),
        ("SELECT * FROM read_parquet('secret.parquet')", LOCKED),
        ("SELECT * FROM read_text('secret.txt')", LOCKED),
        ("SELECT * FROM read_blob('secret.txt')", LOCKED),
        ("SELECT * FROM read_json('secret.txt')", LOCKED),
        ("SELECT * FROM glob('*')", LOCKED),
        ("SELECT * FROM sniff_csv('secret.csv')", LOCKED),
        ("SELECT * FROM query('SELECT * FROM read_text(''secret.txt'')')", LOCKED),
        ("SELECT * FROM {{ fragments }}, read_text('alpha.phn')", LOCKED),
        ("SELECT * FROM read_csv('https://example.com/x.csv')", ""),
        ("SELECT * FROM read_parquet('s3://bucket/x.parquet')", ""),
        ("SELECT * FROM sqlite_scan('x.db', 'x')", "sqlite_scan"),
        ("SELECT getenv('HOME')", "getenv does not exist"),
        ("SELECT * FROM enable_logging(storage = 'file')", "locked"),
        ("SELECT * FROM enable_profiling(save_location = 'leak.json')", ""),
        ("SELECT * FROM duckdb_secrets()", LOCKED),
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


@pytest.mark.parametrize(
    "template",
    [
        "SELECT '{{ ''.__class__.__mro__ }}'",
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ fragments.__init__.__globals__ }}",
        "{{ fragments|attr('__class__') }}",
        "{{ shared.__globals__ }}",
        "{{ self.__init__ }}",
        "{{ '{0.__class__}'.format(fragments) }}",
        "{{ ''['__class__']['__mro__'] }}",
        "{% include '/etc/passwd' %}",
        "{% include '../../../../../../../../etc/passwd' %}",
        "{% import '/etc/passwd' as x %}",
        "{{ cycler }}",
        "{{ undefined }}",
        "{% if %}",
        "{{ 1/0 }}",
        "{{ shared() }}",
        "{{ 'a' * 99999999999999 }}",
        "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}",
    ],
)
def test_template_is_boxed_in(attack, template):
    assert "template: " in attack(template) or "Parser Error" in attack(template)


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
    ],
)
def test_expressions_of_a_metric(cli, score, write, place, expression):
    parts = {"where": "true", "statistic": "count(*)", "component": "n"} | {place: expression}
    write("evil.yaml", METRIC.format(**{key: json.dumps(value) for key, value in parts.items()}))
    score("--specs", "evil.yaml", "--metric", "evil").refused_with("evil.yaml:")
    cli("check", "evil.yaml").refused_with("evil.yaml:")


TABLE = """\
domain: made_up
tables:
  m:
    about: a table
    columns: {file: {type: VARCHAR}}
    formats: [csv, parquet]
    checks: [{sql: "(SELECT count(*) FROM read_text('secret.txt')) > 0", says: hm}]
relations:
  r: {about: its rows, needs: [m], sql: "SELECT * FROM {{ m }}"}
metrics:
  n: {about: how many, kind: statistics, from: r, statistics: {n: count(*)}, components: {value: n}}
suites:
  s: {about: a suite, inputs: [m], metrics: [n]}
"""


def test_conditions_of_a_table_read_nothing(cli, write):
    write("secret.txt", "geheim")
    write("m.csv", "file\na\n")
    write("evil.yaml", TABLE)
    cli("score", "s", "m=m.csv", "--specs", "evil.yaml").refused_with("evil.yaml:7:", LOCKED)


@pytest.mark.parametrize(
    "oracle", ["SELECT count(*) AS value FROM read_text('secret.txt')", "COPY (SELECT 1) TO 'leak.csv'"]
)
def test_oracle_of_a_case_is_locked(cli, write, folder, oracle):
    write("secret.txt", "geheim")
    cases = f'cases:\n  n:\n  - {{about: x, tables: {{m: [[a]]}}, expect: {{value: 1}}, oracle: "{oracle}"}}\n'
    write("evil.yaml", TABLE.replace("(SELECT count(*) FROM read_text('secret.txt')) > 0", "true") + cases)
    cli("check", "evil.yaml").refused_with("evil.yaml:", "the oracle: ", LOCKED)
    assert not (folder / "leak.csv").exists()


def test_oracle_of_a_case_sees_its_rows(cli, write):
    oracle = "SELECT count(*) AS value FROM m"
    cases = f"cases:\n  n:\n  - {{about: x, tables: {{m: [[a], [b]]}}, oracle: {oracle}}}\n"
    write("mine.yaml", TABLE.replace("(SELECT count(*) FROM read_text('secret.txt')) > 0", "true") + cases)
    assert cli("check", "mine.yaml").scored() == "1 document, 1 metric, 1 case: all well\n"


@pytest.mark.parametrize("value", ["a'); DROP TABLE x; --", "[a', 'b']", "'", '"', "\\", "{{ 1 }}", "$1", "]::INT[]"])
def test_values_of_parameters_are_literals(score, value):
    plain = json.loads(score("--metric", "coverage", "--format", "json", "--param", "silence=[zz]").scored())
    odd = json.loads(score("--metric", "coverage", "--format", "json", "--param", f"silence=[{value}]").scored())
    assert odd["scores"] == plain["scores"]


@pytest.mark.parametrize("value", ["x'; DROP TABLE phones; --", "times' OR '1'='1"])
def test_texts_of_metric_strings_are_values(score, value):
    score("--metric", f"grouping(same_token={value})").refused_with("allowed: times, span", code=2)


@pytest.mark.parametrize("name", ["token; DROP TABLE phones", "../token", 'tok"en', "{{ 1 }}"])
def test_names_are_looked_up(score, name):
    score("--metric", name).refused_with(f"error: unknown metric {name!r}", code=2)
    score("--by", name).refused_with(f"error: unknown column {name!r}", code=2)


def test_labels_with_quotes_are_data(cli, folder):
    odd = {"a": "a'--", "s": '"; DROP TABLE phones; --', "ii": "{{x}}"}
    for suffix in ("phn", "wrd", "class"):
        text = (folder / f"alpha.{suffix}").read_text().replace("alpha_sa1", "al'pha\"{{1}}")
        if suffix == "phn":
            rows = [line.split() for line in text.splitlines()]
            text = "".join(f"{f} {a} {b} {odd.get(x, x).replace(' ', '')}\n" for f, a, b, x in rows)
        (folder / f"odd.{suffix}").write_text(text)
    names = ("--metric", "ned", "--metric", "coverage", "--metric", "token", "--format", "json")
    scores = [
        json.loads(
            cli("score", "zerospeech2017", f"phones={n}.phn", f"words={n}.wrd", f"fragments={n}.class", *names).scored()
        )["scores"]
        for n in ("alpha", "odd")
    ]
    assert scores[0] == scores[1]


def test_slices_with_quotes_are_data(cli, folder):
    for suffix in ("phn", "wrd", "class"):
        text = (folder / f"alpha.{suffix}").read_text().replace("alpha_sa1", "al'pha\"sa")
        (folder / f"odd.{suffix}").write_text(text)
    out = cli(
        "score",
        "zerospeech2017",
        "phones=odd.phn",
        "words=odd.wrd",
        "fragments=odd.class",
        "--by",
        "file",
        "--format",
        "json",
    ).scored()
    assert {"file": "al'pha\"sa"} in [row["slice"] for row in json.loads(out)["scores"]]


@pytest.mark.parametrize(
    "text",
    [
        "domain: !!python/name:os.system\n",
        "domain: term_discovery\nmetrics:\n  a: !!python/object/apply:os.system ['touch leak']\n",
        "domain: term_discovery\nmetrics: !!python/object:x {a: {extends: token}}\n",
        "domain: term_discovery\nmetrics: !include x.yaml\n",
        "domain: term_discovery\nmetrics:\n  a: &a [1, *a]\n",
    ],
)
def test_yaml_is_plain(score, write, folder, text):
    write("evil.yaml", text)
    score("--specs", "evil.yaml").refused_with("evil.yaml:")
    assert not (folder / "leak").exists()


def test_many_aliases_are_refused(score, write):
    lines = ["domain: term_discovery", "x0: &x0 [1,1,1,1,1,1,1,1,1,1]"]
    lines += [f"x{n}: &x{n} [{','.join([f'*x{n - 1}'] * 10)}]" for n in range(1, 9)]
    write("evil.yaml", "\n".join(lines))
    score("--specs", "evil.yaml").refused_with("evil.yaml:", "more than 200,000 values in one document")


def test_query_sees_only_the_results(score, cli, folder):
    score("-o", "r.duckdb").scored()
    before = (folder / "r.duckdb").read_bytes()
    cli("query", "r.duckdb", "DROP TABLE scores").refused_with("read-only")
    cli("query", "r.duckdb", "INSERT INTO runs (id) VALUES (7)").refused_with("read-only")
    assert (folder / "r.duckdb").read_bytes() == before
