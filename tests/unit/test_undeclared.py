"""Names that SQL uses undeclared: the message names the key that declares them, and where it belongs."""

from __future__ import annotations

from pathlib import Path

import pytest
import toy

from scorespec.check.binding import TRIAL, Binder
from scorespec.check.case_runs import CaseRuns
from scorespec.check.documents_checked import verify_documents
from scorespec.errors import SpecError
from scorespec.show import show

LINE = " (line 1 of the template)"
ADDED = "add it to relation 'mine' at own.yaml:4:20: needs: [answers, items]"
DOCUMENT = """domain: toy
parameters: {least: {type: DOUBLE, default: 0.0, about: x}}
relations:
  mine: {about: x, needs: [answers], sql: "SQL"KEYS}
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
            "FROM {{ answers }} JOIN {{ items }} USING (item)",
            f"'items' is undefined; {ADDED}",
        ),
        (
            "FROM {{ answers }} WHERE score > {{ least }}",
            "'least' is undefined; add it to relation 'mine' at own.yaml:4:3: params: [least]",
        ),
        (
            "FROM {{ answers }} WHERE {{ score }} > 0",
            "'score' is undefined; it is a column of answers: write it without {{ }}",
        ),
        (
            "FROM {{ answers }} WHERE {{ ratio(score, 2) }} > 0",
            "'ratio' is undefined; it is an SQL macro: write it without {{ }}",
        ),
        ("FROM {{ answrs }}", "'answrs' is undefined; did you mean 'answers'?"),
        (
            "FROM {{ answers }}{% if false %} JOIN {{ items }} USING (item){% endif %}",
            f"'items' is undefined; {ADDED}",
        ),
    ],
)
def test_a_name_in_a_template(sql: str, message: str) -> None:
    assert faults(document(sql))[0].replace(LINE, "") == f"own.yaml:4:43: template: {message}"


def test_every_undeclared_name_is_listed_by_check_and_show() -> None:
    written = document("FROM {{ answers }} JOIN {{ items }} USING (item) WHERE score > {{ least }}")
    found = faults(written)[:2]
    assert [each.partition("needs: ")[2] or each.partition("params: ")[2] for each in found] == [
        "[answers, items]",
        "[least]",
    ]
    shown = show(toy.catalog(written), "mine")
    assert [line.strip() for line in shown.splitlines() if "is undefined" in line] == found
    assert "not declared" not in show(toy.catalog(document()), "mine")


def test_a_run_says_it_as_well() -> None:
    with pytest.raises(SpecError, match=r"own\.yaml:4:43: .*'items' is undefined.*needs: \[answers, items\]"):
        toy.plan(document("FROM {{ answers }} JOIN {{ items }} USING (item)"), metrics=["m"])


def test_a_file_is_named_with_the_line(tmp_path: Path) -> None:
    from scorespec.catalog.lookup import load_catalog

    (tmp_path / "mine.sql").write_text("FROM {{ answers }}\nJOIN {{ items }} USING (item)\n", "utf-8")
    (tmp_path / "own.yaml").write_text(
        "domain: toy\nrelations:\n  mine: {about: x, needs: [answers], sql: mine.sql}\n", "utf-8"
    )
    shown = show(load_catalog(toy.TOY / "toy.yaml", tmp_path / "own.yaml"), "mine")
    assert "mine.sql:2: template: 'items' is undefined; add it to relation 'mine' at " in shown


@pytest.mark.parametrize(
    ("of", "message"),
    [
        (
            "where: 'score > {{ least }}'",
            "'least' is undefined; add it to relation 'mine' at own.yaml:4:3: params: [least]",
        ),
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


def test_every_undeclared_name_of_a_metric_is_listed() -> None:
    written = document(of="where: '{% if false %}{{ leas }}{% endif %} score > {{ least }}'")
    found = faults(written)
    assert [each.partition("template: ")[2].partition(" is")[0] for each in found] == ["'leas'", "'least'"]
    assert [line.strip() for line in show(toy.catalog(written), "m").splitlines() if "is undefined" in line] == found


def test_a_name_in_a_condition_of_rows() -> None:
    found = faults(document(keys="warnings: [{sql: 'score > {{ least }}', says: x}]"))
    said = "it cannot have {{ }}; compute a column in the SQL of the relation, and use the column here"
    assert found[0] == f"own.yaml:4:82: bad SQL expression 'score > {{{{ least }}}}': {said}"


def test_a_name_in_a_check_of_a_table() -> None:
    written = (
        "tables: {more: {about: x, columns: {item: {type: VARCHAR, about: x}}, formats: [csv], "
        "checks: [{sql: 'item IN (FROM {{ items }})', says: x}]}}\n"
        "metrics: {m: {about: x, kind: statistics, from: more, statistics: {n: count(*)}}}"
    )
    assert faults(written)[0].replace(LINE, "") == (
        "own.yaml:2:102: template: 'items' is undefined; if it is a table, add it to this check: needs: [items]"
    )


def test_an_input_by_its_bare_name_is_refused_although_it_is_there() -> None:
    written = document("FROM {{ right_answers }} JOIN answers USING (item)").replace("[answers]", "[right_answers]")
    right = "relations:\n  right_answers: {about: x, needs: [answers], sql: 'SELECT item, score FROM {{ answers }}'}"
    found = faults(written.replace("relations:", right))
    assert found[0] == (
        "own.yaml:5:49: the SQL reads 'answers' by its bare name: write {{ answers }}, and add it to relation 'mine' "
        "at own.yaml:5:20: needs: [right_answers, answers]"
    )


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
            "FROM {{ answers }} JOIN trials USING (talker)",
            "write {{ trials }}, and add it to relation 'mine' at own.yaml:4:20: needs: [answers, trials]",
        ),
        (
            "FROM {{ answers }} WHERE score > least",
            "write {{ least }}, and add it to relation 'mine' at own.yaml:4:3: params: [least]",
        ),
        (
            "FROM {{ answers }} WHERE asked > 1",
            "asked is a column of trials: join one of these in a relation, and list it in its `needs`",
        ),
    ],
)
def test_a_bare_name_that_is_not_there(sql: str, hint: str) -> None:
    assert hint in faults(document(sql))
