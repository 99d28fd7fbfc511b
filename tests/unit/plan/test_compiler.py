"""Parameters, the names and signatures they make, and the SQL that a suite is compiled to."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorespec
import toy
from scorespec.catalog.documents import parse_document
from scorespec.catalog.lookup import Catalog, shipped_documents
from scorespec.catalog.model import Parameter
from scorespec.errors import SpecError, UsageError
from scorespec.plan.compile import Request, compile_suite
from scorespec.plan.parameters import literal, metric_text, read_metric_text, read_value

sys.path.insert(0, str(Path(__file__).parents[2]))  # tests/, whatever pytest was started with

from unit.suites.test_oracle_tdev2 import DATA, read_case

# -- which value a parameter has ---------------------------------------------------------------------

LEVELS = """
metrics:
  variant:
    extends: accuracy
    params: {pass_score: 0.55}
suites:
  set:
    extends: quiz
    metrics: [accuracy, variant]
    params: {pass_score: 0.85}
"""
# How many of the right words are sure enough: of 0.9, 0.5 and 0.4.
SURE = {0.5: 2 / 7, 0.85: 1 / 7, 0.3: 3 / 7, 0.55: 1 / 7, 0.95: 0}


@pytest.mark.parametrize(
    ("suite", "params", "metric", "value"),
    [
        ("quiz", {}, "accuracy", 0.5),  # the default
        ("set", {}, "accuracy", 0.85),  # the suite
        ("set", {"pass_score": 0.3}, "accuracy", 0.3),  # --param
        ("set", {"pass_score": 0.3}, "variant", 0.55),  # the variant
        ("set", {"pass_score": 0.3}, "variant(pass_score=0.95)", 0.95),  # the call
        ("set", {"pass_score": 0.3}, "accuracy(pass_score=0.95)", 0.95),
    ],
)
def test_a_call_goes_before_a_variant_a_run_a_suite_a_default(
    suite: str, params: dict[str, float], metric: str, value: float
) -> None:
    run = toy.score(LEVELS, suite, params=params, metrics=[metric])
    assert toy.values(run) == {(metric, "value"): SURE[value]}


def test_one_metric_stands_beside_itself_with_other_values() -> None:
    metrics = ["accuracy", "accuracy(pass_score=0.3)", "accuracy(lenient=true,pass_score=0.3)"]
    assert toy.values(toy.score(metrics=metrics)) == {
        (metrics[0], "value"): 2 / 7,
        (metrics[1], "value"): 3 / 7,
        (metrics[2], "value"): 4 / 7,
    }


def test_equal_calls_are_one_metric() -> None:
    metrics = ["accuracy(pass_score=0.30)", "accuracy( pass_score = 3e-1 )", "accuracy()", "accuracy"]
    run = toy.score(metrics=metrics)
    assert [row["metric"] for row in run.table()] == ["accuracy(pass_score=0.3)", "accuracy"]


def test_param_changes_the_run_and_no_name() -> None:
    run = toy.score(metrics=["accuracy"], params={"pass_score": "0.3", "skipped": "[i1, i2]"})
    assert toy.values(run) == {("accuracy", "value"): 0}
    assert "|pass_score:0.3|skipped:[i1,i2]|" in run.signature


def test_equal_work_is_done_once() -> None:
    one = toy.plan(metrics=["accuracy"])
    two = toy.plan(metrics=["accuracy", "accuracy(pass_score=0.5)", "sureness"])
    marks = [step.physical for step in two.steps if step.physical.startswith("marks_")]
    assert marks == [step.physical for step in one.steps if step.physical.startswith("marks_")]


def test_a_breakdown_that_a_metric_lacks_costs_nothing() -> None:
    document = "metrics:\n  own: {extends: topical, from: topics, numerator: count(*), unit: [item]}\n"
    given = ["answers", "items"]
    plain = toy.plan(document, given=given, metrics=["own", "accuracy"])
    by = toy.plan(document, given=given, metrics=["own", "accuracy"], by=["file"])
    own = [[s.physical for s in plan.steps if s.label.startswith("metric own")] for plan in (plain, by)]
    assert own[0] == own[1]


# -- what a value may be -----------------------------------------------------------------------------


def parameter(type_: str, default: object = None, one_of: tuple[object, ...] = ()) -> Parameter:
    return Parameter("p", "toy", "", "a parameter", None, type_, default, "s", one_of)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("type_", "written", "value", "sql"),
    [
        ("DOUBLE", "0.01", 0.01, "0.01e0"),
        ("DOUBLE", 1, 1.0, "1.0e0"),
        ("DOUBLE", "1e-7", 1e-7, "1e-07"),
        ("BIGINT", "3", 3, "3::BIGINT"),
        ("BIGINT", 3.0, 3, "3::BIGINT"),
        ("BOOLEAN", "true", True, "TRUE"),
        ("BOOLEAN", False, False, "FALSE"),
        ("VARCHAR", "it's", "it's", "'it''s'"),
        ("VARCHAR[]", "[SIL, SPN]", ("SIL", "SPN"), "['SIL', 'SPN']::VARCHAR[]"),
        ("VARCHAR[]", "[012, 1e3]", ("012", "1e3"), "['012', '1e3']::VARCHAR[]"),
        ("VARCHAR[]", "SIL", ("SIL",), "['SIL']::VARCHAR[]"),
        ("VARCHAR[]", ["a,b"], ("a,b",), "['a,b']::VARCHAR[]"),
        ("VARCHAR[]", "[]", (), "[]::VARCHAR[]"),
    ],
)
def test_values_are_read_as_their_type_and_reach_sql_as_literals(
    type_: str, written: object, value: object, sql: str
) -> None:
    read = read_value(parameter(type_), written)
    assert (read, type(read)) == (value, type(value))
    assert literal(read) == sql
    assert duckdb.sql(f"SELECT {sql}").fetchall()[0][0] == (list(value) if isinstance(value, tuple) else value)


@pytest.mark.parametrize(
    ("type_", "written", "said"),
    [
        ("DOUBLE", "wide", "parameter 'p' is 'wide'; it must be a number (s)"),
        ("DOUBLE", True, "it must be a number"),
        ("DOUBLE", "nan", "it must be a number"),
        ("DOUBLE", "inf", "it must be a number"),
        ("DOUBLE", [1.0], "parameter 'p' is [1.0]; it must be a number"),
        ("BIGINT", "2.5", "it must be a whole number"),
        *(("BIGINT", each, "it must be a whole number") for each in ("1_0", "١", "９", "0x10", "1e", "1e999", "inf")),
        *(("DOUBLE", each, "it must be a number") for each in ("1_0", "١", "９", "0x10", "1e", "1e999", "", "1e9" * 9)),
        ("BIGINT", "9223372036854775808", "parameter 'p' is 9223372036854775808; it must fit into 64 bits"),
        ("BIGINT", 10**4000, "parameter 'p' is 1.000e+4000; it must fit into 64 bits"),
        ("DOUBLE", 10**4000, "parameter 'p' is 1.000e+4000; it must be a number"),
        ("BOOLEAN", "yes", "it must be true or false"),
        ("VARCHAR", ["a"], "it must be a text"),
        ("VARCHAR", 3, "parameter 'p' is 3; it must be a text, with quotation marks around a number"),
        ("VARCHAR[]", 3, "it must be a list of texts such as [a, b]"),
        (
            "VARCHAR[]",
            ["a", 12],
            "is ['a', 12]; it must be a list of texts such as [a, b], with quotation marks around",
        ),
    ],
)
def test_values_of_another_type_are_refused(type_: str, written: object, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_value(parameter(type_), written)
    assert said in str(caught.value)


@pytest.mark.parametrize("written", ["9007199254740993", 9007199254740993, "9007199254740993.0", "+9007199254740993"])
def test_whole_numbers_keep_all_their_digits(written: object) -> None:
    assert read_value(parameter("BIGINT"), written) == 9007199254740993


def test_one_of() -> None:
    with pytest.raises(UsageError, match="parameter 'voice' is 'mine'; allowed: any, own, other"):
        toy.plan(params={"voice": "mine"})
    assert read_value(parameter("BIGINT", one_of=(1, 2)), "2") == 2
    several = parameter("VARCHAR[]", one_of=("own", "other"))
    assert read_value(several, "[other, own]") == ("other", "own")
    with pytest.raises(UsageError, match="parameter 'p' is '\\[own, mine\\]'; allowed: own, other"):
        read_value(several, "[own, mine]")


@pytest.mark.parametrize(
    ("limits", "written", "said"),
    [
        ({"at_least": 0}, -5, "parameter 'p' is -5; it must be at least 0"),
        ({"above": 0, "below": 1}, "1", "parameter 'p' is 1; it must be above 0 and below 1"),
        ({"above": 0}, 0, "it must be above 0"),
        ({"at_least": 0, "at_most": 0.5}, 0.6, "it must be at least 0 and at most 0.5"),
    ],
)
def test_limits(limits: dict[str, float], written: object, said: str) -> None:
    limited = replace(parameter("DOUBLE"), **limits)  # type: ignore[arg-type]
    with pytest.raises(UsageError) as caught:
        read_value(limited, written)
    assert said in str(caught.value)
    assert read_value(limited, 0.25) == 0.25


def test_null_is_a_value_where_the_document_says_so() -> None:
    nullable = replace(parameter("DOUBLE"), nullable=True, at_least=0)
    assert [read_value(nullable, each) for each in (None, "null", "2")] == [None, None, 2.0]
    assert literal(None) == "NULL"
    infinite = replace(parameter("DOUBLE"), infinite=True)
    assert duckdb.sql(f"SELECT {literal(read_value(infinite, '-inf'))}").fetchall() == [(float("-inf"),)]
    with pytest.raises(UsageError, match="it must be a number \\(s\\), or null"):
        read_value(nullable, "low")
    with pytest.raises(UsageError, match="parameter 'p' is None; it must be a number"):
        read_value(parameter("DOUBLE"), None)


def test_unknown_parameters_name_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"unknown parameter 'pass_scor' of suite 'quiz'; did you mean 'pass_score'?"):
        toy.plan(params={"pass_scor": 1})
    with pytest.raises(UsageError, match=r"unknown parameter 'voicing' of metric 'accuracy'; did you mean 'voice'?"):
        toy.plan(metrics=["accuracy(voicing=own)"])
    with pytest.raises(UsageError, match="unknown parameter 'voice' of metric 'words'; there are none"):
        toy.plan(metrics=["words(voice=own)"])


OWN_METRIC = """metrics:
  own: {extends: accuracy, %s}
suites:
  own: {extends: quiz, metrics: [own, accuracy]}
"""
OWN_DEFAULT = """parameters:
  least: {type: DOUBLE, default: %s, about: x}
relations:
  own:
    extends: marks
    params: [pass_score, voice, lenient, skipped, least]
"""


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("suites:\n  own: {extends: quiz, params: {voise: own}}\n", "own.yaml:3:33: unknown parameter 'voise' of suite"),  # noqa: E501
        ("suites:\n  own: {extends: quiz, params: {voice: mine}}\n", "own.yaml:3:40: parameter 'voice' is 'mine'"),
        ("suites:\n  own: {extends: quiz, metrics: [acuracy]}\n", "own.yaml:3:34: unknown metric 'acuracy'; did you mean"),  # noqa: E501
        ("suites:\n  own: {extends: quiz, metrics: ['accuracy(voice=mine)']}\n", "own.yaml:3:34: parameter 'voice'"),
        (OWN_METRIC % "params: {voise: own}", "own.yaml:3:44: unknown parameter 'voise' of metric 'own'"),
        (OWN_DEFAULT % "high" + OWN_METRIC % "from: own", "own.yaml:3:34: parameter 'least' is 'high'; it must"),
        (OWN_DEFAULT.replace("least]", "lest]") % "0.3" + OWN_METRIC % "from: own", "unknown parameter 'lest'; did you mean"),  # noqa: E501
    ],
)  # fmt: skip
def test_a_document_s_bad_parameter_has_its_place(document: str, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        toy.plan(document, "own")
    assert said in str(caught.value)


def test_a_default_is_a_value_of_its_type() -> None:
    document = "parameters:\n  least: {type: DOUBLE, default: 1, about: x}\n"
    document += "relations:\n  own: {extends: marks, params: [pass_score, voice, lenient, skipped, least]}\n"
    document += "metrics:\n  own: {extends: accuracy, from: own}\n"
    plan = toy.plan(document, metrics=["own"])
    assert repr(plan.parameters["least"]) == "1.0"
    assert plan.identity.long == toy.plan(document, metrics=["own"], params={"least": 1}).identity.long


# -- metric strings ----------------------------------------------------------------------------------

TYPES = {"number": "DOUBLE", "whole": "BIGINT", "flag": "BOOLEAN", "text": "VARCHAR", "texts": "VARCHAR[]"}
TEXTS = st.text(st.sampled_from("ab ,[]()='\"é:|\n"), max_size=5)
ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "number": st.floats(allow_nan=False, allow_infinity=False),
        "whole": st.integers(-(2**50), 2**50),
        "flag": st.booleans(),
        "text": TEXTS,
        "texts": st.lists(TEXTS, max_size=3).map(tuple),
    },
)


@given(ARGUMENTS)
def test_a_metric_string_is_read_as_what_it_was_made_of(arguments: dict[str, object]) -> None:
    text = metric_text("own", arguments)  # type: ignore[arg-type]
    name, written = read_metric_text(text)
    read = {key: read_value(parameter(TYPES[key]), value) for key, value in written.items()}
    assert (name, read) == ("own", arguments)
    assert metric_text(name, read) == text


@pytest.mark.parametrize("text", ["accuracy(pass_score)", "accuracy(=1)", "accuracy(pass_score=1", "accuracy(a=1,a=2)"])
def test_a_malformed_metric_string_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"is not a metric; write accuracy\(|gives 'a' twice"):
        toy.plan(metrics=[text])


def test_a_step_reads_what_its_template_writes() -> None:
    """A column may be called like an input that the template leaves out."""
    document = """
relations:
  named:
    about: The files under the name of an input.
    needs: [answers, items]
    sql: >-
      SELECT file AS "items" FROM {{ answers }}
      {% if items.given %} JOIN {{ items }} USING (item) {% endif %}
metrics:
  named: {about: x, kind: mean, from: named, value: length("items")}
"""
    (alone, *_), (joined, *_) = (
        toy.plan(document, metrics=["named"], given=given).steps for given in (["answers"], ["answers", "items"])
    )
    assert (alone.reads, joined.reads) == ({"answers"}, {"answers", "items"})


# -- the signature -----------------------------------------------------------------------------------


def signature(*, old: str = "", new: str = "", suite: str = "quiz", **asked: object) -> str:
    """The signature of a plan of the toy, one text of its document changed."""
    written = (toy.TOY / "toy.yaml").read_text("utf-8")
    assert old in written
    document = parse_document(written.replace(old, new, 1) if old else written, "toy.yaml", toy.TOY)
    catalog = Catalog([*shipped_documents(), document])
    found = catalog.suite(suite)
    return compile_suite(catalog.of_suite(found), found, Request(**{"params": {}, **asked})).identity.long  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("numerator: count(*) FILTER (WHERE right_answer)", "numerator: count(*)"),  # a metric
        ("said AS word", "lower(said) AS word"),  # SQL
        ("score: {type: DOUBLE, infinite: true", "score: {type: DOUBLE, infinite: false"),  # a table
        ("keep: [marks]", "keep: []"),  # the suite
    ],
)
def test_the_signature_changes_with_a_document(old: str, new: str) -> None:
    assert signature(old=old, new=new) != signature()


def test_the_signature_changes_with_what_a_formula_refers_to() -> None:
    formula = "{about: x, kind: formula, of: {m: topical}, components: {value: m.value}}"
    added = f"metrics:\n  own: {formula}\n"
    first = signature(old="metrics:\n", new=added, metrics=["own"])
    changed = added + "  topical2: {about: x, kind: mean, from: marks, value: score}\n"
    assert signature(old="metrics:\n", new=changed, metrics=["own"]) == first
    other = added.replace("m: topical", "m: topical2")
    assert signature(old="metrics:\n", new=other + changed.partition(formula)[2][1:], metrics=["own"]) != first


def test_the_signature_changes_with_a_parameter_and_nothing_of_the_input() -> None:
    plain = signature()
    assert signature(params={"pass_score": 0.4}) != plain
    assert signature(params={"pass_score": 0.5}) == plain
    assert signature(by=[("file",)], given={"answers", "items"}) == plain.replace("quiz|", "quiz|with:items|")
    assert signature(metrics=["accuracy"]).rpartition("|spec:")[2] == plain.rpartition("|spec:")[2]


def test_the_signature_has_no_parameter_that_only_evidence_reads() -> None:
    asked: dict[str, Any] = {"old": "keep: [marks]", "new": "keep: [part_marks]", "given": {"answers", "parts"}}
    alone, kept = (signature(**asked, evidence=evidence) for evidence in (False, True))
    assert "|pass_score:0.5|" in kept
    assert kept == alone
    read_by_evidence = {"metrics": ["words"], "params": {"pass_score": 0.3}, "evidence": True}
    assert signature(**read_by_evidence) == signature(metrics=["words"], evidence=False)
    plan = scorespec.compile("zerospeech2017", metrics=["ned"])
    assert (plan.parameters["silent_words"], "silent_words" in plan.identity.long) == (("SIL",), False)


def test_the_signature_pins_what_templates_import() -> None:
    plan = scorespec.compile("zerospeech2017")
    assert plan.identity.long.count("|") == len(plan.parameters) + 2
    from scorespec.plan.rendering.templates import shipped_sql, with_imports

    imported = with_imports(shipped_sql("term_discovery/zerospeech2017/fragment_spans.sql"))
    assert shipped_sql("term_discovery/shared/spans.jinja") in imported


@pytest.mark.slow
def test_the_signature_is_the_same_in_another_process_and_folder(tmp_path: Path) -> None:
    """Neither the seed of hashes nor where the documents lie matters."""
    for each in toy.TOY.iterdir():
        (tmp_path / each.name).write_bytes(each.read_bytes())
    code = f"import scorespec; print(scorespec.compile('quiz', specs={str(tmp_path)!r}).identity.long)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == scorespec.compile("quiz", specs=toy.TOY).identity.long


# -- the SQL -----------------------------------------------------------------------------------------


def test_every_step_says_what_it_is_and_which_document_made_it() -> None:
    script = scorespec.compile("zerospeech2017", by=["file"]).script()
    lines = script.splitlines()
    made = [number for number, line in enumerate(lines) if line.startswith(("CREATE TABLE", "CREATE VIEW"))]
    assert made
    for number in made:
        above = lines[number - 1]
        assert above.startswith("--"), lines[number]
    assert script.count("(specs/term_discovery/") >= len(made)


def statements(script: str) -> Iterator[str]:
    """The statements of a script without the comments on lines of their own."""
    for statement in duckdb.extract_statements(script):
        yield "\n".join(line for line in statement.query.splitlines() if not line.startswith("--"))


@pytest.mark.slow
@pytest.mark.parametrize("by", [(), ("file",)])
def test_the_script_runs_as_it_stands(by: tuple[str, ...]) -> None:
    """In a plain connection with the inputs as tables, `line` among their columns.

    What a Python function makes is no SQL: where the script says that a name stands for the rows of one,
    the function is run here.
    """
    corpus = read_case("alpha.jitter")
    plan = scorespec.compile("zerospeech2017", by=by)
    chains = {step.function_rows.name: step.function_rows for step in plan.steps if step.function_rows}
    connection = duckdb.connect(config={"threads": 1})
    try:
        for table in (each for each in plan.tables if hasattr(corpus, each.name)):
            rows = [(line, *row) for line, row in enumerate(getattr(corpus, table.name), 1)]
            names = ["line", *table.column_names]
            incoming = pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows])
            connection.register("incoming", incoming)
            connection.execute(f"CREATE TABLE {table.name} AS FROM incoming")
        for statement in statements(plan.script()):
            for name in [name for name in chains if f'"{name}"' in statement]:
                ((function, settings),) = chains[name].calls
                asked = connection.sql(chains[name].sql).to_arrow_table()
                batches = function.call(iter(asked.to_batches()), asked.schema, **settings)
                result = pa.Table.from_batches(batches, function.schema(asked.schema))
                connection.register(name, result)
            answer = connection.execute(statement)
        scores = answer.fetchall()
    finally:
        connection.close()
    run = scorespec.score(
        "zerospeech2017",
        phones=DATA / "alpha.phn",
        words=DATA / "alpha.wrd",
        fragments=DATA / "alpha.jitter.class",
        by=by,
        keep_evidence=False,
    )
    assert scores == [tuple(row.values()) for row in run.scores.to_pylist()]
