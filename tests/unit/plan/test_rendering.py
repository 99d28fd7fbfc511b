"""What the compiler keeps from one plan to the next: rendered texts, and what follows from definitions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scorespec.catalog.lookup import load_catalog
from scorespec.catalog.model import SqlTemplate, Value
from scorespec.errors import SpecError
from scorespec.plan.needs import needs_of
from scorespec.plan.rendering import render as rendering
from scorespec.plan.rendering.render import render, render_reading
from scorespec.plan.rendering.templates import Reference, Setting

TEMPLATE = SqlTemplate("", "{% if given.given %}FROM {{ given }}{% endif %} {{ limit }}", Path())


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "_rendered", {})


def test_values_that_python_calls_equal_have_texts_of_their_own() -> None:
    values: list[Value] = [1, True, 1.0, "1", 0.0, -0.0, False, 0, ("1",), None]
    texts = [render("{{ limit }}", {"limit": Setting(value)}, "") for value in [*values, *values]]
    written = ["1::BIGINT", "TRUE", "1.0e0", "'1'", "0.0e0", "-0.0e0", "FALSE", "0::BIGINT", "['1']::VARCHAR[]", "NULL"]
    assert texts == [*written, *written]


def test_a_kept_text_tells_which_references_it_writes() -> None:
    given, absent = Reference("words"), Reference("words", given=False)
    for _ in range(2):
        assert render_reading(TEMPLATE, {"given": given, "limit": 1}, "") == ('FROM "words" 1', {"words"})
        assert render_reading(TEMPLATE, {"given": absent, "limit": 1}, "") == (" 1", frozenset())
    assert len(rendering._rendered) == 2


def test_templates_of_several_folders_import_their_own_files(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "part.sql").write_text(f"{{% macro m() %}}{name}{{% endmacro %}}")
        template = SqlTemplate("", "{% from 'part.sql' import m %}{{ m() }}", tmp_path / name)
        found += [render(template, {}, ""), render(template, {}, "")]
    assert found == ["one", "one", "two", "two"]


def test_a_fault_is_reported_at_each_place() -> None:
    for place in ("a.yaml:1:1", "b.yaml:2:2"):
        with pytest.raises(SpecError, match=f"^{place}: template: 'limit' is undefined"):
            render(TEMPLATE, {"given": Reference("words")}, place)


def test_neither_long_nor_too_many_texts_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "MOST_KEPT", 3)
    for number in range(8):
        assert render("{{ number }}", {"number": number}, "") == str(number)
        assert len(rendering._rendered) == number % 3 + 1
    kept = dict(rendering._rendered)
    long = "x" * rendering.LONGEST_KEPT
    assert render("{{ text }}", {"text": long}, "") == long
    assert rendering._rendered == kept


def test_a_table_is_replaced_in_another_namespace() -> None:
    names = load_catalog(suite="wer").namespace("transcripts", "wer")
    (before,) = (found for found in needs_of(names).upstream(["reference"]) if found.name == "reference")
    changed = replace(before, about="Another one.")
    needs = needs_of(names.with_tables([changed]))
    assert needs_of(names).find("reference") is before
    assert needs.find("reference") is changed
    assert changed in needs.upstream(["reference"])
