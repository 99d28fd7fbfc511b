"""The JSON Schema that editors use: it accepts all that ships, and finds misspelt keys at their place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from marks import for_each, some
from scorespec.catalog.documents import parse_document
from scorespec.catalog.json_schema import full_schema
from scorespec.catalog.lookup import load_catalog

ROOT = Path(__file__).parents[3]
DOCUMENTS = sorted([*(ROOT / "specs").rglob("*.yaml"), *(ROOT / "docs" / "examples").rglob("*.yaml")])
DOCUMENTS += sorted((ROOT / "tests" / "data" / "toy").glob("*.yaml"))
TITLED = re.compile(r"^```yaml title=\"[^\"]*\"\n(.*?)^```", re.MULTILINE | re.DOTALL)

SCHEMA = full_schema(load_catalog().kinds)
VALIDATOR = Draft202012Validator(SCHEMA)


def faults(text: str) -> list[tuple[str, str]]:
    """The faults that an editor shows, each with its path; an editor checks the parts at the lines --- one by one."""
    return [
        (".".join(map(str, error.absolute_path)), error.message)
        for part in re.split(r"^---[ \t]*\n", text, flags=re.MULTILINE)
        if part.strip()
        for error in VALIDATOR.iter_errors(parse_document(part, "x.yaml", ROOT).data)
    ]


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@for_each(path=DOCUMENTS)
def test_what_ships_is_valid(path: Path) -> None:
    assert faults(path.read_text("utf-8")) == []


def test_the_documents_of_the_docs_are_valid() -> None:
    titled = [(page, text) for page in (ROOT / "docs").glob("*.md") for text in TITLED.findall(page.read_text("utf-8"))]
    for page, text in some(each for each in titled if "domain:" in each[1]):
        assert faults(text) == [], page


HEAD = "domain: toy\n"
RATIO = "metrics: {m: {about: x, kind: ratio, from: r, numerator: sum(a), denominator: sum(b)}}"


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        (RATIO.replace("from: r", "from: r, wher: a > 1"), "metrics.m", "'wher' was unexpected"),
        (RATIO.replace("numerator", "numeratr"), "metrics.m", "'numeratr' was unexpected"),
        (RATIO.replace("numerator", "numeratr"), "metrics.m", "'numerator' is a required property"),
        (RATIO.replace("about: x, ", ""), "metrics.m", "'about' is a required property"),
        (RATIO.replace("from: r", "from: r, value: a"), "metrics.m", "'value' was unexpected"),  # a key of kind mean
        (RATIO.replace("kind: ratio", "kind: ration"), "metrics.m.kind", "'ration' is not one of"),
        (RATIO.replace("kind: ratio, ", ""), "metrics.m", "'kind' is a required property"),
        (RATIO.replace("from: r", "from: R"), "metrics.m.from", "'R' does not match"),
        ("metrics: {m: {extends: n, wher: a > 1}}", "metrics.m", "'wher' was unexpected"),
        ("metrics: {m: {extends: n, parms: {a: 1}}}", "metrics.m", "'parms' was unexpected"),
        ("metrics: {m: {extends: n, meanings: {value: {uni: s}}}}", "metrics.m.meanings.value", "'uni' was unexpected"),
        ("metrics: {m: {extends: n, given: {from: r, value: [a]}}}", "metrics.m.given", "'value' was unexpected"),
        ("metrics: {m: {extends: n, notes: [{sql: a, say: x}]}}", "metrics.m.notes.0", "'say' was unexpected"),
        ("metrcs: {}", "", "'metrcs' was unexpected"),
        ("relations: {r: {about: x, neds: [a], sql: FROM a}}", "relations.r", "'neds' was unexpected"),
        ("relations: {r: {needs: [a], sql: FROM a}}", "relations.r", "'about' is a required property"),
        (
            "relations: {r: {about: x, needs: [a], sql: x, errors: [{sq: a, says: x}]}}",
            "relations.r.errors.0",
            "'sq' was",
        ),
        ("tables: {t: {about: x, colums: {a: {type: VARCHAR}}}}", "tables.t", "'colums' was unexpected"),
        ("tables: {t: {about: x, columns: {a: {typ: VARCHAR}}}}", "tables.t.columns.a", "'typ' was unexpected"),
        ("parameters: {p: {type: DOUBLE, default: 1}}", "parameters.p", "'about' is a required property"),
        ("parameters: {p: {about: x, type: DOUBLE, defualt: 1}}", "parameters.p", "'defualt' was unexpected"),
        ("suites: {s: {about: x, inputs: [a], metrics: [m], fold: {}}}", "suites.s", "'fold' was unexpected"),
        ("suites: {s: {about: x, inputs: [a], metrics: [m], folds: {colum: a}}}", "suites.s.folds", "'colum' was"),
        ("macros: {m: {sql: a}}", "macros.m", "'about' is a required property"),
    ],
)
def test_a_misspelt_or_missing_key_is_found_at_its_place(text: str, path: str, message: str) -> None:
    assert [each for each in faults(HEAD + text) if each[0] == path and message in each[1]]


def test_a_misspelt_key_is_the_only_fault() -> None:
    assert len(faults(HEAD + RATIO.replace("from: r", "from: r, wher: a > 1"))) == 1
    assert len(faults(HEAD + "metrics: {m: {extends: n, wher: a > 1}}")) == 1


def test_cases_below_the_line_are_checked() -> None:
    case = HEAD + "---\ncases: {m: [{about: x, expct: {value: 1}, expect: {value: 1}}]}\n"
    assert faults(case) == [("cases.m.0", "Additional properties are not allowed ('expct' was unexpected)")]
    assert faults(case.replace("expct: {value: 1}, ", "")) == []


def test_definitions_need_a_domain() -> None:
    assert faults(RATIO) == [("", "'domain' is a dependency of 'metrics'")]


def parts(schema: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Every mapping of a schema that describes keys, with its path."""
    if isinstance(schema, dict):
        of_type = path[-1:] == ("then",) and schema.get("properties", {}).keys() == {
            "type"
        }  # a rule about one key of others
        if isinstance(schema.get("properties"), dict) and path[-1:] not in (("properties",), ("if",)) and not of_type:
            yield path, schema
        for key, each in schema.items():
            yield from parts(each, (*path, key))
    if isinstance(schema, list):
        for at, each in enumerate(schema):
            yield from parts(each, (*path, str(at)))


METRIC = ("properties", "metrics", "additionalProperties")  # its keys depend on its kind: `allOf` refuses others


def test_no_mapping_of_keys_is_open() -> None:
    open_ones = [path for path, schema in parts(SCHEMA) if schema.get("additionalProperties") is not False]
    assert open_ones == [METRIC]


def test_every_key_is_explained() -> None:
    lacking = [
        (*path, key)
        for path, schema in parts(SCHEMA)
        for key, each in schema["properties"].items()
        if each is not True and "description" not in {**SCHEMA["$defs"].get(str(each.get("$ref"))[8:], {}), **each}
    ]
    assert lacking == []


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    from scorespec.cli import app

    with pytest.raises(SystemExit):
        app(["schema"], prog_name="scorespec")
    assert json.loads(capsys.readouterr().out) == SCHEMA
