"""Documents and what they come to: `extends`, faults with their places, and the catalog's look-ups."""

from __future__ import annotations

from pathlib import Path

import pytest

import toy
from scorespec.catalog.documents import MOST_VALUES, merge, parse_document, read_document
from scorespec.catalog.lookup import Catalog, load_catalog
from scorespec.catalog.model import Relation, Suite
from scorespec.check.documents_checked import verify
from scorespec.errors import SpecError, UsageError
from scorespec.show import show

METRIC = """
metrics:
  own:
    about: a metric of a test
    kind: ratio
    from: marks
    numerator: count(*)
    denominator: count(*)
"""


def fault(text: str, *, raw: bool = False) -> str:
    """What is said against a document of the toy domain (``raw``: against the text as it stands)."""
    with pytest.raises(SpecError) as caught:
        parse_document(text, "own.yaml", Path()) if raw else build_all(toy.catalog(text))
    return str(caught.value)


def build_all(catalog: Catalog) -> None:
    """Build every definition, which is otherwise done when it is first asked for."""
    for section in ("tables", "relations", "metrics", "suites"):
        for key in catalog.keys(section):
            catalog.definition(key)


# -- reading -----------------------------------------------------------------------------------------


def test_a_duplicate_key_is_refused() -> None:
    said = fault("metrics:\n  a: {about: x}\n  b: {about: y}\n  a: {about: z}\n", raw=True)
    assert said == "own.yaml:4:3: duplicate key 'a': it is already at line 2"


def test_a_syntax_error_has_its_place() -> None:
    assert fault("metrics:\n  a: [1, 2\nb: 3\n", raw=True).startswith("own.yaml:3:2: not valid YAML: ")


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system [ls]", "!own 3", "!!binary aGk="])
def test_a_tag_is_refused(tag: str) -> None:
    text = tag.partition(" ")[2]
    if text.startswith("["):
        text, tag = "x", "!!python/name:os.system x"
    assert "own.yaml:1:4: tags are not allowed in a document" in fault(f"a: {tag}\n", raw=True)


def test_aliases_of_aliases_are_refused_before_they_unfold() -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for n in range(1, 9):
        bomb += f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n"
    assert fault(bomb, raw=True).endswith(f"more than {MOST_VALUES:,} values in one document")


@pytest.mark.parametrize("text", ["- a\n- b\n", "just a text\n"])
def test_a_document_is_a_mapping(text: str) -> None:
    assert fault(text, raw=True) == "own.yaml:1:1: a document is a mapping (domain: …, metrics: …)"


def test_an_empty_document_says_nothing() -> None:
    assert parse_document("# nothing yet\n", "own.yaml", Path()).data == {}


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SpecError, match=r"own\.yaml: cannot read this document: it is not UTF-8 text"):
        read_document(tmp_path / "own.yaml", "own.yaml")
    with pytest.raises(SpecError, match="No such file"):
        read_document(tmp_path / "none.yaml", "none.yaml")


def test_scalars_are_those_of_yaml_1_2() -> None:
    data = parse_document("{a: yes, b: 010, c: 1e3, d: true, e: 2020-01-01, f: null}", "own.yaml", Path()).data
    assert data == {"a": "yes", "b": 10, "c": 1000.0, "d": True, "e": "2020-01-01", "f": None}


# -- the schema --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("metric:\n  a: {about: x}\n", "own.yaml:2:1: unknown key 'metric' in the document; did you mean 'metrics'?"),
        (METRIC + "    unti: [file]\n", "own.yaml:10:5: unknown key 'unti' in metrics.own; did you mean 'unit'?"),
        (METRIC + "    unit: file\n", "own.yaml:10:11: metrics.own.unit is \"file\"; it must be a list such as [file]"),
        (METRIC.replace("ratio", "ration"), "own.yaml:6:11: unknown kind 'ration'; did you mean 'ratio'?"),
        (METRIC.replace("    from: marks\n", ""), "own.yaml:4:3: metrics.own has no 'from'"),
        (METRIC.replace("own:", "Own:"), "own.yaml:4:3: \"Own\" is not a name"),
        (
            "suites:\n  own: {about: x, inputs: [answers], metrics: []}\n",
            "own.yaml:3:47: suites.own.metrics",
        ),
        ("suites:\n  own: {about: x, metrics: [accuracy]}\n", "own.yaml:3:3: suites.own has no 'inputs'"),
        (
            "tables:\n  own: {about: x, columns: {a: {type: VARCHAR}}, duplicates: drop}\n",
            'own.yaml:3:62: tables.own.duplicates is "drop"; allowed: error, keep, merge',
        ),
        ("metrics: [accuracy]\n", 'own.yaml:2:10: metrics is ["accuracy"]; it must be a mapping'),
        ("metrics: [{a: b}]\n", 'own.yaml:2:10: metrics is [{"a": "b"}]; it must be a mapping'),
        ("metrics:\n  own: 3\n", "own.yaml:3:8: metrics.own is 3; it must be a mapping"),
    ],
)  # fmt: skip
def test_a_fault_of_shape_has_its_place_and_what_is_allowed(text: str, said: str) -> None:
    assert said in fault(text)


def test_all_faults_of_a_document_are_told_at_once() -> None:
    said = fault("suites:\n  a: {about: 1, inputs: [answers], metrics: [x]}\n  b: {about: x, kepe: [y]}\n")
    assert len(said.splitlines()) == 4  # about is no text; an unknown key; two keys lacking


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("suites:\n  own: {extends: quiz, inputs: [answer]}\n", "own.yaml:3:33: unknown table 'answer'; did you mean 'answers'?"),  # noqa: E501
        ("suites:\n  own: {extends: quiz, keep: [mark]}\n", "own.yaml:3:31: unknown relation 'mark'; did you mean 'marks'?"),  # noqa: E501
        ("relations:\n  own: {extends: marks, needs: [answrs]}\n", "own.yaml:3:33: unknown table or relation 'answrs'; did you mean 'answers'?"),  # noqa: E501
        ("relations:\n  own: {extends: marks, slices: [items]}\n", "own.yaml:3:34: unknown need 'items'; known: answers"),  # noqa: E501
        ("relations:\n  own: {extends: marks, sql: missing.sql}\n", "own.yaml:3:30: no SQL file 'missing.sql' beside this document"),  # noqa: E501
        ("tables:\n  own: {extends: items, key: [itme]}\n", "own.yaml:3:31: unknown column 'itme'; did you mean 'item'?"),  # noqa: E501
    ],
)  # fmt: skip
def test_an_unknown_reference_names_the_nearest(text: str, said: str) -> None:
    assert said in fault(text)


# -- extends -----------------------------------------------------------------------------------------


def test_mappings_merge_key_by_key_and_lists_are_replaced() -> None:
    base = {"a": {"b": 1, "c": {"d": 2}}, "e": [1, 2], "f": 3}
    over = {"a": {"c": {"g": 4}}, "e": [5], "h": 6}
    assert merge(base, over) == {"a": {"b": 1, "c": {"d": 2, "g": 4}}, "e": [5], "f": 3, "h": 6}
    assert base["a"] == {"b": 1, "c": {"d": 2}}


VARIANTS = """
tables:
  timed_answers:
    extends: answers
    columns: {time: {type: DOUBLE, unit: s}, score: {nullable: true}}
    formats: [csv]
relations:
  strict_marks:
    extends: marks
    about: stricter marks
metrics:
  strict:
    extends: accuracy
    params: {pass_score: 0.8}
  stricter:
    extends: strict
    about: stricter still
    params: {pass_score: 0.9, lenient: true}
suites:
  long_quiz:
    extends: quiz
    metrics: [accuracy, stricter]
    params: {lenient: true}
"""


def test_evidence_may_have_another_name() -> None:
    suite = toy.catalog("suites:\n  own: {extends: quiz, keep: {answers: marks}}\n").suite("own")
    assert isinstance(suite, Suite)
    assert suite.keep == {"answers": "marks"}
    with pytest.raises(SpecError, match=r"own\.yaml:3:40: unknown relation 'mark'; did you mean 'marks'\?"):
        toy.catalog("suites:\n  own: {extends: quiz, keep: {answers: mark}}\n").suite("own")


def test_every_section_extends() -> None:
    catalog = toy.catalog(VARIANTS)
    names = catalog.namespace("toy")
    table = names.table("timed_answers")
    assert table is not None
    assert table.column_names == ("file", "speaker", "item", "said", "wanted", "score", "time")
    assert next(c for c in table.columns if c.name == "score").nullable
    assert (table.duplicates, table.formats) == ("keep", ("csv",))
    relation = names.relation("strict_marks")
    assert isinstance(relation, Relation)
    assert relation.about == "stricter marks"
    assert [parameter.name for parameter in relation.params] == ["lenient", "pass_score", "skipped", "voice"]
    assert relation.template.name == "marks.sql"
    suite = catalog.suite("long_quiz")
    assert isinstance(suite, Suite)
    assert (suite.metrics, suite.keep, suite.params) == (
        ("accuracy", "stricter"),
        {"marks": "marks"},
        {"lenient": True},
    )


def test_a_chain_of_extends() -> None:
    metric = toy.catalog(VARIANTS).namespace("toy").metric("stricter")
    assert metric.about == "stricter still"
    assert metric.params == {"pass_score": 0.9, "lenient": True}
    assert metric.body["from"] == "marks"


def test_the_place_of_an_inherited_key_is_where_it_is_written() -> None:
    origin = toy.catalog(VARIANTS).namespace("toy").metric("stricter").origin
    assert str(origin.place("params", "pass_score")) == "own.yaml:19:26"
    assert str(origin.place()) == "own.yaml:16:3"
    assert str(origin.place("kind")).startswith("toy.yaml:")


def test_an_extending_document_may_change_what_a_fault_is_in() -> None:
    text = "metrics:\n  own:\n    extends: accuracy\n    numeratr: count(*)\n"
    assert fault(text) == "own.yaml:5:5: unknown key 'numeratr' in metrics.own; did you mean 'numerator'?"
    text = "relations:\n  own:\n    extends: marks\n    params: [new]\n"
    assert fault(text) == "own.yaml:5:14: unknown parameter 'new'; known: lenient, n_parts, pass_score, skipped, voice"


def test_extends_of_an_unknown_name() -> None:
    said = fault("metrics:\n  own: {extends: acuracy}\n")
    assert said == "own.yaml:3:18: extends unknown 'acuracy'; did you mean 'accuracy'?"


def test_extends_stays_within_a_section_and_a_domain() -> None:
    assert "extends unknown 'marks'" in fault("metrics:\n  own: {extends: marks}\n")
    said = "own.yaml:3:18: 'token' belongs to the domain 'term_discovery', this document to 'toy'"
    assert fault("metrics:\n  own: {extends: token}\n") == said


def test_extends_in_a_circle() -> None:
    said = fault("metrics:\n  a: {extends: b}\n  b: {extends: c}\n  c: {extends: a}\n")
    assert "a extends b extends c extends a: a cycle" in said
    assert "own extends own: a cycle" in fault("suites:\n  own: {extends: own}\n")


def test_a_name_is_defined_once() -> None:
    said = fault("metrics:\n  accuracy: {extends: words}\n")
    assert said.startswith("own.yaml:3:3: 'accuracy' is defined at toy.yaml:")
    assert said.endswith("already; extend it under a new name")


# -- look-ups ----------------------------------------------------------------------------------------


def test_unknown_names_suggest_the_nearest() -> None:
    catalog = toy.catalog()
    with pytest.raises(UsageError, match=r"unknown suite 'quizz'; did you mean 'quiz'?"):
        catalog.suite("quizz")
    with pytest.raises(UsageError, match=r"unknown metric 'sureless'; did you mean 'sureness'?"):
        catalog.namespace("toy").metric("sureless")
    with pytest.raises(UsageError, match=r"nothing is called 'mraks'; did you mean 'marks'?"):
        show(catalog, "mraks")


def test_show_finds_every_definition_of_a_name() -> None:
    heads = [line for line in show(toy.catalog(), "words").splitlines() if line and not line.startswith(" ")]
    assert {head.split()[0] for head in heads} >= {"table", "metric"}


def test_a_folder_without_documents(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"no \.yaml document in this folder"):
        load_catalog(tmp_path)


def test_what_ships_is_valid() -> None:
    catalog = load_catalog()
    catalog.validate(catalog.documents)


def test_a_document_without_a_domain() -> None:
    with pytest.raises(SpecError, match=r"own\.yaml:2:1: no `domain:`"):
        Catalog([]).validate([parse_document("\nsuites: {}\n", "own.yaml", Path())])


def test_relations_that_need_each_other_are_refused() -> None:
    text = "relations:\n  a: {about: x, needs: [b], sql: SELECT 1}\n  b: {about: x, needs: [a], sql: SELECT 1}\n"
    text += METRIC.replace("marks", "a")
    with pytest.raises(SpecError, match=r"own\.yaml:3:.*a needs b needs a: a cycle"):
        toy.plan(text, metrics=["own"])


# -- SQL in documents --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (METRIC.replace("numerator: count(*)", "numerator: count(* FILTER"), ":8:16: bad SQL expression 'count(* FILTER'"),  # noqa: E501
        (METRIC.replace("numerator: count(*)", "numerator: count(nothing)"), ":8:16: marks has no column 'nothing'; known: file, item"),  # noqa: E501
        ("metrics: {own: {extend: words}}\n", ":2:17: unknown key 'extend' in metrics.own; did you mean 'extends'?"),
        (METRIC.replace("from: marks", "from: mraks"), ":7:11: unknown relation 'mraks'; did you mean 'marks'?"),
        ("relations:\n  own: {about: x, needs: [answers], sql: 'SELECT {{ nothing }}'}\n", "template: 'nothing' is undefined"),  # noqa: E501
        ("relations:\n  own: {about: x, needs: [answers], sql: 'SELECT {{ answers '}\n", "template: "),
        ('relations:\n  own: {about: x, needs: [answers], sql: "SELECT file FROM {{ answers }}", columns: {fil: x}}\n', "declared but missing: fil; not declared: file"),  # noqa: E501
    ],
)  # fmt: skip
def test_check_tells_bad_sql_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    for each in toy.TOY.iterdir():
        (tmp_path / each.name).write_bytes(each.read_bytes())
    own = tmp_path / "own.yaml"
    own.write_text(f"domain: toy\n\n{text.lstrip()}" if "relations" in text else f"domain: toy\n{text}", "utf-8")
    with pytest.raises(SpecError) as caught:
        verify(tmp_path)
    assert str(caught.value).startswith(str(own))
    assert said in str(caught.value)
