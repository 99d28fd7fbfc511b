"""The names in templates: what a relation reads follows from them, and unknown ones are reported at their line."""

from __future__ import annotations

from pathlib import Path

import pytest

import toy
from scorespec.catalog.documents import parse_document
from scorespec.catalog.lookup import Catalog, load_catalog
from scorespec.check.binding import TRIAL, Binder
from scorespec.check.case_proofs import CaseRuns
from scorespec.check.documents_checked import verify_documents
from scorespec.errors import SpecError
from scorespec.show import show

LINE = " (line 1 of the template)"
DOCUMENT = """domain: toy
parameters: {least: {type: DOUBLE, default: 0.0, about: x}}
relations:
  mine: {about: x, sql: "SQL"KEYS}
metrics:
  m: {about: x, kind: mean, from: mine, value: scoreOF}
"""


def document(sql: str = "FROM {{ answers }}", keys: str = "", of: str = "") -> str:
    written = DOCUMENT.replace("SQL", sql).replace("KEYS", keys and f", {keys}").replace("OF", of and f", {of}")
    return written.removeprefix("domain: toy\n")


def faults(written: str) -> list[str]:
    catalog = toy.catalog(written)
    own = [each for each in catalog.documents if each.shown == "own.yaml"]
    with pytest.raises(SpecError) as caught, Binder() as binder, CaseRuns(TRIAL) as runs:
        verify_documents(catalog, own, binder, runs)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        (
            "FROM {{ answers }} WHERE {{ score }} > 0",
            "'score' is undefined; it is a column of answers: write it without {{ }}",
        ),
        (
            "FROM {{ answers }} WHERE {{ ratio(score, 2) }} > 0",
            "'ratio' is undefined; it is an SQL macro: write it without {{ }}",
        ),
        ("FROM {{ answrs }}", "'answrs' is undefined; did you mean 'answers'?"),
        ("FROM {{ answers }} WHERE score > {{ leas }}", "'leas' is undefined; did you mean 'least'?"),
        (
            "FROM {{ answers }}{% if false %} JOIN {{ itms }} USING (item){% endif %}",
            "'itms' is undefined; did you mean 'items'?",
        ),
    ],
)
def test_an_unknown_name_in_a_template(sql: str, message: str) -> None:
    assert faults(document(sql))[0].replace(LINE, "") == f"own.yaml:4:25: template: {message}"


@pytest.mark.parametrize(("form", "place"), [("|", "own.yaml:7"), ("|2-", "own.yaml:7"), (">", "own.yaml:5:10")])
def test_the_line_of_a_name_in_sql_that_stands_in_the_document(form: str, place: str) -> None:
    """The lines of `sql: |` are those of the document; other forms of text in YAML are folded."""
    mine = f"  mine:\n    sql: {form}\n      SELECT item\n      FROM {{{{ answrs }}}}\n    about: x\n"
    written = document().replace('  mine: {about: x, sql: "FROM {{ answers }}"}\n', mine)
    assert faults(written)[0].replace(LINE, "") == f"{place}: template: 'answrs' is undefined; did you mean 'answers'?"


def reads(sql: str, keys: str = "", more: str = "") -> tuple[list[str], list[str]]:
    """What the relation `mine` needs, and its parameters."""
    written = document(sql, keys).replace("parameters: {", f"parameters: {{{more}, " if more else "parameters: {")
    relation = toy.catalog(written).namespace("toy").relation("mine")
    assert relation
    return list(relation.needs), [each.name for each in relation.params]


@pytest.mark.parametrize(
    ("sql", "needs", "params"),
    [
        ("FROM {{ items }} JOIN {{ answers }} USING (item) WHERE score > {{ least }}", ["items", "answers"], ["least"]),
        (
            "{% if least.value > 0 %}FROM {{ answers }}{% else %}FROM {{ items }}{% endif %}",
            ["answers", "items"],
            ["least"],
        ),
        ("FROM {{ answers }}{% if items.given %} WHERE true{% endif %}", ["answers", "items"], []),
        ("{% set least = 1 %}FROM {{ answers }} WHERE score > {{ least }}", ["answers"], []),
        (
            "{% set least = least if least.value else 1 %}FROM {{ answers }} WHERE {{ least }} > 0",
            ["answers"],
            ["least"],
        ),
        ("FROM {{ answers }}{% for items in [] %} JOIN {{ items }}{% endfor %}", ["answers"], []),
        ("{% macro of(items) %}FROM {{ items }}{% endmacro %}{{ of(answers) }}", ["answers"], []),
        ("{% macro of(items) %}FROM {{ items }}{% endmacro %}{{ of(items) }}", ["items"], []),
        ("FROM {{ answers }} WHERE item <> {{ 'items' | text }}", ["answers"], []),
        ("FROM {{ answers }} WHERE {{ answers.items }} > 0", ["answers"], []),
        ("{# FROM {{ items }} #}FROM {{ answers }}", ["answers"], []),
    ],
)
def test_what_a_template_reads(sql: str, needs: list[str], params: list[str]) -> None:
    assert reads(sql) == (needs, params)


def test_the_document_lists_what_cannot_be_seen() -> None:
    assert reads("FROM {{ answers }}", "needs: [items], params: [least]") == (["items", "answers"], ["least"])


def test_a_function_reads_its_input_and_its_settings() -> None:
    keys = "function: longest_chain, with: {anchor_words: few}, input: 'FROM {{ items }}'"
    few = "few: {type: BIGINT, default: 1, about: x}"
    assert reads("FROM {{ rows }} JOIN {{ answers }}", keys, few) == (["items", "answers"], ["few"])


def test_a_name_with_two_meanings_is_chosen_in_the_document() -> None:
    both = "items: {type: BIGINT, default: 1, about: x}"
    sql = "FROM {{ answers }} LIMIT {{ items }}"
    with pytest.raises(
        SpecError, match=r"own\.yaml:4:25: .*'items' is a parameter, and a table or relation.*; list it"
    ):
        reads(sql, "", both)
    assert reads(sql, "params: [items]", both) == (["answers"], ["items"])
    assert reads(sql, "needs: [items]", both) == (["items", "answers"], [])


def test_a_relation_of_a_suite_changes_no_name_in_relations_of_the_domain() -> None:
    own = "domain: toy\nsuite: quiz\nrelations: {least: {about: x, sql: 'FROM {{ items }}'}}"
    found = toy.catalog(document("FROM {{ answers }} LIMIT {{ least }}"))
    catalog = Catalog([*found.documents, parse_document(own, "suite.yaml", toy.TOY)])
    relation = catalog.namespace("toy", "quiz").relation("mine")
    assert relation
    assert (relation.needs, [each.name for each in relation.params]) == (("answers",), ["least"])


MACROS = """
{% set few = least %}
{% macro rated(rows) %}FROM {{ rows }} WHERE {{ good() }}{% endmacro %}
{% macro good() %}score > {{ few }} AND item IN (FROM {{ items }}){% endmacro %}
{% macro other() %}{{ trials }}{% endmacro %}
"""


@pytest.mark.parametrize(
    ("sql", "needs", "params"),
    [
        ("{% import 'm.jinja' as m with context %}{{ m.rated(answers) }}", ["answers", "items"], ["least"]),
        ("{% from 'm.jinja' import rated as r with context %}{{ r(answers) }}", ["items", "answers"], ["least"]),
        ("{% import 'm.jinja' as m %}{{ m.rated(answers) }}", ["answers"], []),
    ],
)
def test_macros_of_an_imported_file(tmp_path: Path, sql: str, needs: list[str], params: list[str]) -> None:
    (tmp_path / "m.jinja").write_text(MACROS, "utf-8")
    (tmp_path / "own.yaml").write_text(f"domain: toy\n{document(sql)}", "utf-8")
    relation = load_catalog(toy.TOY / "toy.yaml", tmp_path / "own.yaml").namespace("toy").relation("mine")
    assert relation
    assert (sorted(relation.needs), [each.name for each in relation.params]) == (sorted(needs), params)


def test_a_run_says_it_as_well() -> None:
    with pytest.raises(SpecError, match=r"own\.yaml:4:25: .*'itms' is undefined.*did you mean 'items'"):
        toy.plan(document("FROM {{ answers }} JOIN {{ itms }} USING (item)"), metrics=["m"])


def test_a_file_is_named_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "mine.sql").write_text("FROM {{ answers }}\nJOIN {{ itms }} USING (item)\n", "utf-8")
    (tmp_path / "own.yaml").write_text("domain: toy\nrelations:\n  mine: {about: x, sql: mine.sql}\n", "utf-8")
    catalog = load_catalog(toy.TOY / "toy.yaml", tmp_path / "own.yaml")
    with pytest.raises(SpecError, match=r"mine\.sql:2: template: 'itms' is undefined; did you mean 'items'\?"):
        show(catalog, "mine")


def test_check_says_which_lists_are_superfluous() -> None:
    def notices(keys: str) -> list[str]:
        catalog = toy.catalog(document("FROM {{ answers }} WHERE score > {{ least }}", keys))
        own = [each for each in catalog.documents if each.shown == "own.yaml"]
        catalog = Catalog(catalog.documents, own, catalog.plugins)
        with Binder() as binder, CaseRuns(TRIAL) as runs:
            return [each for each in verify_documents(catalog, own, binder, runs).notices if "can go" in each]

    assert notices("needs: [answers], params: [least]") == [
        "own.yaml:4:73: `needs` can go: the SQL has these names",
        "own.yaml:4:91: `params` can go: the SQL has these names",
    ]
    assert notices("needs: [answers, items]") == []


@pytest.mark.parametrize(
    ("of", "message"),
    [
        (
            "where: 'score > {{ leas }}'",
            "'leas' is undefined; did you mean 'least'?",
        ),
        (
            "where: 'item IN (SELECT item FROM {{ items }})'",
            "'items' is undefined; it is a table or relation: join it in a "
            "relation, and count the rows of that relation",
        ),
    ],
)
def test_a_name_in_a_metric(of: str, message: str) -> None:
    assert faults(document(of=of))[0].replace(LINE, "") == f"own.yaml:6:62: template: {message}"


def test_every_unknown_name_of_a_metric_is_listed() -> None:
    written = document(of="where: '{% if false %}{{ leas }}{% endif %} score > {{ last }}'")
    found = faults(written)
    assert [each.partition("template: ")[2].partition(" is")[0] for each in found] == ["'leas'", "'last'"]
    assert [line.strip() for line in show(toy.catalog(written), "m").splitlines() if "is undefined" in line] == found


def test_a_metric_reads_the_parameters_in_its_formulas() -> None:
    written = document(of="where: 'score > {{ least }}'")
    run = toy.score(written, metrics=["m", "m(least=0.5)"])
    assert run.value("m") != run.value("m(least=0.5)")
    assert "least:0.0" in toy.plan(written, metrics=["m"]).identity.long
    assert "in formulas\n      least = 0.0" in show(toy.catalog(written), "m")


def test_a_name_in_a_condition_of_rows() -> None:
    found = faults(document(keys="warnings: [{sql: 'score > {{ least }}', says: x}]"))
    said = "it cannot have {{ }}; compute a column in the SQL of the relation, and use the column here"
    assert found[0] == f"own.yaml:4:64: bad SQL expression 'score > {{{{ least }}}}': {said}"


def test_a_name_in_a_check_of_a_table() -> None:
    written = (
        "tables: {more: {about: x, columns: {item: {type: VARCHAR, about: x}}, formats: [csv], "
        "checks: [{sql: 'item IN (FROM {{ itms }})', says: x}]}}\n"
        "metrics: {m: {about: x, kind: statistics, from: more, statistics: {n: count(*)}}}"
    )
    assert faults(written)[0].replace(LINE, "") == (
        "own.yaml:2:102: template: 'itms' is undefined; did you mean 'items'?"
    )


def test_an_input_by_its_bare_name_is_refused_although_it_is_there() -> None:
    written = document("FROM {{ right_answers }} JOIN answers USING (item)")
    right = "relations:\n  right_answers: {about: x, sql: 'SELECT item, score FROM {{ answers }}'}"
    found = faults(written.replace("relations:", right))
    assert found[0] == "own.yaml:5:25: the SQL reads 'answers' by its bare name: write {{ answers }}"


def test_a_common_table_expression_may_have_the_name_of_an_input() -> None:
    written = document("WITH items AS (FROM {{ answers }}) FROM items")
    catalog = toy.catalog(written)
    own = [each for each in catalog.documents if each.shown == "own.yaml"]
    with Binder() as binder, CaseRuns(TRIAL) as runs:
        verify_documents(catalog, own, binder, runs)


@pytest.mark.parametrize(
    ("sql", "hint"),
    [
        (
            "FROM {{ answers }} JOIN trials USING (speaker)",
            "write {{ trials }}",
        ),
        (
            "FROM {{ answers }} WHERE score > least",
            "write {{ least }}",
        ),
        (
            "FROM {{ answers }} WHERE asked > 1",
            "asked is a column of trials: join one of these in a relation",
        ),
    ],
)
def test_a_bare_name_that_is_not_there(sql: str, hint: str) -> None:
    assert hint in faults(document(sql))
