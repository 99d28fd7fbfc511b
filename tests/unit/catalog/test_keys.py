"""The keys of documents: one field of a dataclass states the key, its schema and its value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

import toy
from marks import some
from scorespec.catalog.build import read_as, read_keys, reader
from scorespec.catalog.documents import parse_document
from scorespec.catalog.json_schema import DOCUMENT, schema_of
from scorespec.catalog.keys import Columns, Key, Name, Names, Short, Texts, all_keys
from scorespec.catalog.lookup import SECTIONS
from scorespec.catalog.model import Definition, Table, Value, Vary
from scorespec.errors import SpecError

NAME = {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"}
KEPT = Annotated[Mapping[Name, Name], Short(Names, lambda names: {name: name for name in names})]


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        (int, {"type": "integer"}),
        (str | None, {"type": ["string", "null"]}),
        (int | float, {"type": "number"}),
        (Any, {}),
        (Literal["a", "b"], {"enum": ["a", "b"]}),
        (Names, {"type": "array", "items": NAME}),
        (Columns, {"type": "array", "items": NAME, "minItems": 1}),
        (
            tuple[float | None, float | None],
            {"type": "array", "items": {"type": ["number", "null"]}, "minItems": 2, "maxItems": 2},
        ),
        (Mapping[str, bool], {"type": "object", "additionalProperties": {"type": "boolean"}}),
        (KEPT, {"oneOf": [schema_of(Names), schema_of(Mapping[Name, Name])]}),
        (float | Mapping[str, str], {"oneOf": [{"type": "number"}, schema_of(Mapping[str, str])]}),
    ],
)
def test_the_schema_of_a_type(kind: Any, schema: dict[str, Any]) -> None:
    assert schema_of(kind) == schema


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        (Names, ["a", "b"], ("a", "b")),
        (Texts, "a", ("a",)),
        (Texts, ["a", "b"], ("a", "b")),
        (KEPT, ["a"], {"a": "a"}),
        (KEPT, {"b": "a"}, {"b": "a"}),
        (Value, ["a", 1], ("a", "1")),
        (Value, 1, 1),
        (Value, None, None),
        (float | Mapping[str, float], {"a": 1}, {"a": 1}),
        (tuple[Vary, ...], [{"values": [1, 2], "input": "items"}], (Vary((1, 2), "items"),)),
        (str, True, "True"),
        (Any, {"a": [1]}, {"a": [1]}),
    ],
)
def test_the_value_of_a_type(kind: Any, written: Any, value: Any) -> None:
    assert reader(kind)(written) == value


@dataclass(frozen=True)
class Wider(Table):
    """Tables with three more keys: this is all that it takes to add them."""

    least: Annotated[int, Key("the least number", minimum=2, beside="with")] = 3
    with_: Annotated[Name | None, Key("another name")] = None
    not_a_key: str = "made by the builder"


def test_a_key_is_added_in_one_place() -> None:
    schema = schema_of(Wider)
    assert schema["properties"]["least"] == {
        "type": "integer", "description": "the least number", "minimum": 2, "default": 3,
    }  # fmt: skip
    assert schema["properties"]["with"] == {**NAME, "description": "another name"}
    assert schema["dependentRequired"] == {"least": ["with"]}
    assert schema["properties"].keys() == schema_of(Table)["properties"].keys() - {"extends"} | {"least", "with"}
    assert read_keys(Wider, {"least": 5, "with": "b", "others": 1}) == {"least": 5, "with_": "b"}


@dataclass(frozen=True)
class Shape:
    first: Annotated[str | None, Key("null is a value")]
    second: Annotated[str | None, Key("null is no value")] = None
    third: Annotated[Names, Key("names")] = field(default_factory=tuple)


def test_a_field_without_a_default_is_required_and_none_is_not_written() -> None:
    schema = schema_of(Shape)
    assert schema["required"] == ["first"]
    assert [schema["properties"][key]["type"] for key in ("first", "second")] == [["string", "null"], "string"]
    assert read_as(Shape, {"first": None}) == Shape(None)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_key_says_what_it_means(section: str) -> None:
    properties = schema_of(DOCUMENT[section])["additionalProperties"]
    properties = properties.get("properties") or properties["oneOf"][-1]["properties"]
    assert properties.keys() >= {"about"}
    assert all(each["description"] for each in properties.values())


def test_no_field_of_a_definition_is_left_out_by_accident() -> None:
    """A field is a key, or is made by build.py; a new field without a Key has to be named here."""
    made = {"columns", "params", "template", "function_input", "body", "layouts"}
    identity = {"name", "domain", "suite", "origin"}
    for kind in some(Definition.__subclasses__()):
        keys = {stated.field.name for stated in all_keys(kind).values()}
        assert {each.name for each in fields(kind)} - keys <= made | identity, kind


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "suites:\n  own: {extends: quiz, vary: {voice: {inptu: items}}}\n",
            "own.yaml:3:39: unknown key 'inptu' in suites.own.vary.voice; did you mean 'input'?",
        ),
        (
            "relations:\n  own: {extends: marks, columns: {item: {abuot: x}}}\n",
            "own.yaml:3:42: unknown key 'abuot' in relations.own.columns.item; did you mean 'about'?",
        ),
        (
            "columns:\n  item: {about: x, unti: s}\n",
            "own.yaml:3:20: unknown key 'unti' in columns.item; did you mean 'unit'?",
        ),
        (
            "suites:\n  own: {extends: quiz, cites: [3]}\n",
            "own.yaml:3:32: suites.own.cites.0 is 3; it must be a text; put it in quotes",
        ),
        (
            "suites:\n  own: {extends: quiz, cites: 3}\n",
            "own.yaml:3:31: suites.own.cites is 3; it must be a text or a list",
        ),
        (
            "metrics:\n  own: {extends: accuracy, params: {voice: {a: b}}}\n",
            "own.yaml:3:44: metrics.own.params.voice is {\"a\": \"b\"}; "
            "it must be a text or a number or true or false or null or a list",
        ),
        # a list replaces that of the definition which is extended, so nothing can complete its parts
        (
            "tables:\n  own: {extends: answers, checks: [{says: x}]}\n",
            "own.yaml:3:36: tables.own.checks.0 has no 'sql'",
        ),
    ],
)  # fmt: skip
def test_a_fault_inside_of_a_value_has_its_place(text: str, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        toy.catalog(text)
    assert str(caught.value).splitlines()[0] == said


def test_a_mapping_that_extends_another_may_be_completed_by_it() -> None:
    both = "suites:\n  a: {extends: quiz, vary: {voice: {values: [own], input: items}}}\n"
    found = toy.catalog(both + "  b: {extends: a, vary: {voice: {slice: how}}}\n").suite("b").vary["voice"]
    assert found == Vary(("own",), "items", slice="how")


def test_a_document_s_data_has_the_types_that_are_read() -> None:
    """``reader`` tells lists and mappings apart from other values by Python's own types."""
    data = parse_document("domain: toy\nmetrics: {a: [1]}\n", "own.yaml", Path()).data
    assert type(data["metrics"]) is dict
    assert type(data["metrics"]["a"]) is list
