"""Faults of documents: exit code 1, the place first, then what is wrong and what is allowed."""

from __future__ import annotations

import pytest

from marks import first

HEAD = "domain: term_discovery\nmetrics:\n"

FAULTS = [
    (
        "duplicate key",
        "  a: {extends: token}\n  a: {extends: ned}\n",
        "4:3: duplicate key 'a': ",
    ),
    (
        "unknown key",
        "  a: {extends: token, parms: {}}\n",
        "3:23: unknown key 'parms' in metrics.a; did",
    ),
    ("unknown kind", "  a: {about: x, kind: ration}\n", "3:23: unknown kind 'ration'; did you mean 'ratio'?"),
    ("cycle", "  a: {extends: b}\n  b: {extends: a}\n", "4:16: a extends b extends a: a cycle"),
    ("cycle of one", "  a: {extends: a}\n", "3:16: a extends a: a cycle"),
    ("unknown base", "  a: {extends: tokn}\n", "3:16: extends unknown 'tokn'; did you mean 'token'?"),
    (
        "defined twice",
        "  token: {extends: ned}\n",
        "3:3: 'token' is defined at specs/term_discovery/tde2015/token.yaml:5:3 already; extend it under a new name",
    ),
    (
        "not a name",
        "  B: {extends: token}\n",
        '3:3: "B" is not a name: lower-case letters, ',
    ),
    ("wrong type", "  a: 3\n", "3:6: metrics.a is 3; it must be a mapping"),
    ("tag", "  a: !include /etc/passwd\n", "3:6: tags are not allowed in a document: !include"),
    ("syntax", "  a: [\n", "4:1: not valid YAML: "),
    ("missing key", "  a: {about: x, kind: ratio}\n", "3:3: metrics.a has no 'from'"),
]


@pytest.mark.parametrize(("text", "message"), [fault[1:] for fault in FAULTS], ids=[f[0] for f in FAULTS])
@pytest.mark.parametrize("command", ["score", "check"])
def test_fault_of_a_document(cli, score, write, command, text, message):
    write("my.yaml", HEAD + text)
    result = score("--specs", "my.yaml") if command == "score" else cli("check", "my.yaml")
    result.refused_with()
    assert result.err.startswith(f"my.yaml:{message}")


def test_unknown_section(score, write):
    write("my.yaml", "domain: term_discovery\nmetrcs: {}\n")
    score("--specs", "my.yaml").refused("my.yaml:2:1: unknown key 'metrcs' in the document; did you mean 'metrics'?")


def test_faults_of_a_document_are_told_together(score, write):
    write("my.yaml", HEAD + "  a: {extends: token, x: 1}\n  b: {extends: token, y: 2}\n")
    score("--specs", "my.yaml").refused_with("my.yaml:3:23: unknown key 'x'", "my.yaml:4:23: unknown key 'y'")


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ("edge_time: x", "3:43: parameter 'edge_time' is 'x'; it must be a number"),
        ("silence: [012, SPN]", "3:52: metrics.a.params.silence.0 is 12; it must be a text; put it in quotes"),
        ("silence: [SPN, 1e3]", "3:57: metrics.a.params.silence.1 is 1000.0; it must be a text; put it in quotes"),
        ("speaker_pattern: 012", "3:49: parameter 'speaker_pattern' is 12; it must be a text, with quotation marks"),
        ("edge_tme: 1", "3:42: unknown parameter 'edge_tme' of metric 'a'; did you mean 'edge_time'?"),
    ],
)
def test_parameters_of_a_variant(score, write, params, message):
    write("my.yaml", HEAD + f"  a: {{extends: token, params: {{{params}}}}}\n")
    result = score("--specs", "my.yaml", "--metric", "a")
    result.refused_with()
    line, _, _ = message.split(":", 2)
    assert result.err.startswith(f"my.yaml:{line}:")
    assert message.split(": ", 1)[1] in result.err


METRIC = """\
domain: term_discovery
metrics:
  mine:
    about: a metric of one's own
    kind: statistics
    from: token_outcomes
    statistics:
      n: {statistic}
    components:
      value: {component}
"""


def test_syntax_of_an_expression(cli, write):
    write("my.yaml", METRIC.format(statistic="count(*", component="n"))
    cli("check", "my.yaml").refused("my.yaml:8:10: bad SQL expression 'count(*': syntax error at or near \")\"")


def test_a_column_called_like_a_keyword(cli, write):
    write("my.yaml", METRIC.format(statistic="count_if(right)", component="n"))
    cli("check", "my.yaml").refused_with('; right is an SQL keyword: write "right", in quotes, or rename the column')


@pytest.mark.parametrize("statistic", ["count(nope)", "count(*"])
def test_bad_sql_names_the_metric_before_anything_is_loaded(score, write, statistic):
    write("my.yaml", METRIC.format(statistic=statistic, component="n"))
    result = score("--specs", "my.yaml", "--metric", "mine", "fragments=nothere.class")
    result.refused_with("metric mine, statistics per unit: ", statistic)
    assert result.err.startswith("my.yaml:3:3: ")
    hint = "\n`scorespec check`, with the document, names the key at fault and the columns that there are\n"
    assert result.err.endswith(hint) == ("nope" in statistic)


def test_unknown_column_of_a_component(cli, write):
    write("my.yaml", METRIC.format(statistic="count(*)", component="nope"))
    result = cli("check", "my.yaml")
    result.refused_with('metric mine, scores: Binder Error: Referenced column "nope" not found')
    assert result.err.startswith("my.yaml:3:3: ")


def test_document_without_end(score):
    said = "cannot read this document: it has more than 10,000,000 characters"
    score("--specs", "/dev/zero").refused(f"error: /dev/zero: {said}")


def test_missing_document(score):
    score("--specs", "nothere.yaml").refused_with("nothere.yaml: cannot read this document: No such file")


def test_folder_without_documents(score, folder):
    (folder / "mine").mkdir()
    score("--specs", "mine").refused_with("mine: no .yaml document in this folder")


def test_binary_document(score, folder):
    (folder / "my.yaml").write_bytes(b"\xff\xfe\x00")
    score("--specs", "my.yaml").refused_with("my.yaml: cannot read this document: it is not UTF-8 text")


@pytest.mark.parametrize(
    ("case", "message"),
    first(
        [
            ("expect: {value: abc}", "'abc' is not a number, nor a fraction such as 2/3"),
            ("expect: {value: 1/0}", "'1/0' is not a number, nor a fraction such as 2/3"),
            ("oracle: SELECT 1 AS value WHERE false", "the oracle has 0 rows; it must have one"),
            ("oracle: SELECT 'x' AS value", "the oracle: could not convert string to float: 'x'"),
            ("tables: {fragmentz: []}", "unknown table 'fragmentz'; did you mean 'fragments'?"),
            ("tables: {fragments: [[c, f1, x, 1.0]]}", "the rows of 'fragments': Could not convert 'x' with type str"),
            ("tables: {fragments: [[c], [c, f1]]}", "the rows of 'fragments': a row has 1 and another 2 values; the "),
        ],
        4,
    ),
)
def test_faulty_case(cli, write, case, message):
    expect = "" if "expect" in case or "oracle" in case else ", expect: {value: 1}"
    write("my.yaml", f"domain: term_discovery\ncases:\n  ned:\n    - {{about: x, example: tiny, {case}{expect}}}\n")
    cli("check", "my.yaml").refused_with(f"my.yaml:4:7: ned: {message}")


def test_faulty_condition_of_a_table(cli, write):
    write("m.csv", "file\na\n")
    write("my.yaml", TABLE.format(type="VARCHAR", check="nope > 0"))
    result = cli("score", "s", "m=m.csv", "--specs", "my.yaml")
    result.refused_with("checks of table 'm': Binder Error: Referenced column \"nope\" not found")
    assert result.err.startswith("my.yaml:7:")


def test_type_of_a_column(cli, write):
    write("my.yaml", TABLE.format(type="'VARCHAR, (SELECT 1) AS x'", check="true"))
    cli("check", "my.yaml").refused(
        'my.yaml:5:28: tables.m.columns.file.type is "VARCHAR, (SELECT 1) AS x"; '
        "it must be a DuckDB type such as VARCHAR, BIGINT, DOUBLE, BOOLEAN, DECIMAL(18,3) or DOUBLE[]"
    )


def test_another_name_of_a_type(cli, write):
    write("my.yaml", TABLE.format(type="TEXT", check="true"))
    cli("check", "my.yaml").refused_with(
        'tables.m.columns.file.type is "TEXT"; it must be a DuckDB type such as VARCHAR'
    )


TABLE = """\
domain: made_up
tables:
  m:
    about: a table
    columns: {{file: {{type: {type}}}}}
    formats: [csv]
    checks: [{{sql: "{check}", says: hm}}]
relations:
  r: {{about: its rows, needs: [m], sql: "SELECT * FROM {{{{ m }}}}"}}
metrics:
  n: {{about: how many, kind: statistics, from: r, statistics: {{n: count(*)}}, components: {{value: n}}}}
suites:
  s: {{about: a suite, inputs: [m], metrics: [n]}}
"""


def test_a_statistic_that_does_not_add_up_is_refused_before_anything_is_loaded(cli, score, write):
    per_file = METRIC.replace("    statistics:\n", "    unit: [file]\n    statistics:\n")
    write("my.yaml", per_file.format(statistic="avg(length)", component="n"))
    said = (
        "my.yaml:9:10: 'avg(length)' is summed over units (file), but avg() does not add up; write sum(…) and count(…) "
        "as two statistics, and their quotient as a component"
    )
    cli("check", "my.yaml").refused(said)
    score("--specs", "my.yaml", "--metric", "mine", "fragments=nothere.class").refused(said)
    score("--specs", "my.yaml", "--metric", "token", "fragments=nothere.class").refused_with("nothere.class")
