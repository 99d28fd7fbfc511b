"""The JSON Schema of documents, derived from the dataclasses that state their keys."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from scorespec.catalog.documents import FORMAT
from scorespec.catalog.keys import (
    ColumnName,
    Columns,
    FullName,
    Key,
    Name,
    Names,
    Rule,
    Short,
    Sql,
    StatedKey,
    all_keys,
    only_with,
)
from scorespec.catalog.model import (
    PUBLICATION_NAME,
    Agreement,
    Case,
    ColumnMeaning,
    ComponentMeaning,
    Figure,
    Kind,
    Macro,
    Metric,
    Parameter,
    Publication,
    ReferencePoint,
    Relation,
    Rows,
    Suite,
    Table,
    Value,
)
from scorespec.core.result_tables import COLUMNS, SCORE_COLUMNS

EXTENDED = (Table, Relation, Metric, ReferencePoint, Figure, Suite)  # definitions that can extend another
JSON_TYPES: Mapping[Any, str] = {str: "string", float: "number", int: "integer", bool: "boolean", NoneType: "null"}


def _says(kind: Any, about: str) -> Any:
    return Annotated[kind, Rule(description=about)]


_OF_TYPES = [
    only_with("DOUBLE BIGINT", "at_least", "above", "at_most", "below"),
    only_with("DOUBLE", "infinite"),
    only_with("DOUBLE BIGINT VARCHAR VARCHAR[]", "one_of"),
]
_Case = Annotated[Case, Rule(anyOf=[{"required": ["expect"]}, {"required": ["oracle"]}])]
DOCUMENT = {
    "format": _says(Annotated[int, Rule(minimum=1)], f"the version of this language (1); {FORMAT} is the latest"),
    "domain": _says(Name, "the domain that the document adds to"),
    "suite": _says(Name, "the suite of the domain to which all that the document defines belongs"),
    "tables": _says(Mapping[Name, Table], "the inputs"),
    "relations": _says(Mapping[Name, Relation], "named SQL steps"),
    "metrics": _says(Mapping[Name, Metric], "the metrics; the keys of a metric depend on its kind"),
    "reference_points": _says(
        Mapping[Annotated[Name, Rule(**{"not": {"enum": [*SCORE_COLUMNS]}})], ReferencePoint],
        "submissions that relations compute from the gold; suites list those that are scored for comparison",
    ),
    "figures": _says(Mapping[Name, Figure], "figures and tables of reports, over results databases"),
    "suites": _says(Mapping[Name, Suite], "sets of metrics that are scored together"),
    "parameters": _says(Mapping[Name, Annotated[Parameter, Rule(allOf=_OF_TYPES)]], "the parameters of relations"),
    "columns": _says(
        Mapping[ColumnName, Annotated[ColumnMeaning, Short(str, lambda about: {"about": about})]],
        "what a column of this name means, in every table and relation that does not say otherwise",
    ),
    "macros": _says(Mapping[Name, Macro], "SQL macros"),
    "components": _says(
        Mapping[Name, ComponentMeaning],
        "what a component of this name means, in every metric that does not say otherwise",
    ),
    "examples": _says(Mapping[Name, Rows], "rows from which cases start"),
    "cases": _says(
        Mapping[Name, Annotated[tuple[_Case, ...], Rule(minItems=1)]],
        "cases by metric: rows in, scores out; `scorespec check` runs them",
    ),
    "publications": _says(
        Mapping[Annotated[str, Rule(pattern=f"^{PUBLICATION_NAME}$")], Publication],
        "publications and programs that `cites` can name",
    ),
    "agreement": _says(tuple[Agreement, ...], "how many scores of the suite equal those of other programs"),
    "kinds": _says(Mapping[Name, Kind], "kinds of metric"),
}

# Sections of a part that may lack the domain.
WITHOUT_DOMAIN = ("format", "domain", "macros", "publications", "examples", "cases", "kinds")


@dataclass(frozen=True)
class GivenKeys:
    """Values of a relation that components of a metric use as they are."""

    from_: Annotated[Name, Key("a relation with one row, or one row per slice")]
    values: Annotated[Columns, Key("the columns with the values")]


@dataclass(frozen=True)
class NoteKeys:
    """Why components of a metric are undefined."""

    sql: Annotated[Sql, Key("SQL condition over the sums of a slice and the values of `given`")]
    says: Annotated[str, Key("the text of the note")]


RESERVED = ["scope", "slice", "breakdown", "note", "remark", "unit_block", "replicate"]  # columns that the engine adds

EXPRESSIONS = Annotated[Mapping[Annotated[Name, Rule(**{"not": {"enum": RESERVED}})], Sql], Rule(minProperties=1)]

# What the schema of a kind's keys refers to, as "#/$defs/name".
SHARED = {
    "name": Name,
    "name_in_curves": Annotated[str, Rule(**{"not": {"enum": [*COLUMNS["curves"]]}})],
    "names": Names,
    "columns": Columns,
    "value": Value,
    "expression": _says(Sql, "an SQL expression"),
    "expressions": EXPRESSIONS,
    "unit_sum": _says(Sql, "an SQL aggregate that adds up over units, such as sum or count"),
    "unit_sums": EXPRESSIONS,
    "row_sum": _says(Sql, "an SQL aggregate that adds up over rows, such as sum or count"),
    "row_sums": EXPRESSIONS,
    "groups": _says(
        tuple[Columns, ...],
        "lists of columns of the relation: rows with equal values are a group, which always has a score of its own "
        "beside the overall score (unlike --by, by which the inputs are restricted); a row without a value in any of "
        "the columns is in no group",
    ),
    "overall": _says(
        bool,
        "whether a score over all rows is reported (true); if false, the label of a group leaves out columns that are "
        "NULL",
    ),
    "given": _says(GivenKeys, "values that components use as they are; they are not summed over units"),
    "notes": _says(
        tuple[NoteKeys, ...],
        "why components are undefined: the text of the first condition that holds is the note of each undefined "
        "component",
    ),
}


@cache
def document_schema() -> dict[str, Any]:
    """The schema of a document without the keys of kinds."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "scorespec document",
        "description": "Definitions of one domain, and cases of its metrics.",
        "type": "object",
        "additionalProperties": False,
        "properties": {key: schema_of(kind) for key, kind in DOCUMENT.items()},
        "$defs": {name: schema_of(kind) for name, kind in SHARED.items()},
    }


def definition_schema(section: str) -> dict[str, Any]:
    """The schema of the definitions of a section."""
    base = document_schema()
    return {**base["properties"][section]["additionalProperties"], "$defs": base["$defs"]}


def metric_schema(kind: Kind) -> dict[str, Any]:
    """The schema of a metric of one kind, after ``extends``."""
    base, of_kind = definition_schema("metrics"), kind.schema
    required = [name for name, key in all_keys(Metric).items() if key.required]
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [*required, *of_kind.get("required", ())],
        "dependentRequired": of_kind.get("dependentRequired", {}),
        "properties": {**base["properties"], **of_kind["properties"]},
        "$defs": base["$defs"],
    }


def full_schema(kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """The schema for editors: of one part of a document, above or below the line ---, with every kind's keys."""
    schema: dict[str, Any] = json.loads(json.dumps(document_schema()))
    schema["dependentRequired"] = {name: ["domain"] for name in DOCUMENT if name not in WITHOUT_DOMAIN}
    metric = schema["properties"]["metrics"]["additionalProperties"]
    del metric["anyOf"]
    metric["properties"]["kind"]["enum"] = sorted(kinds)
    required = [name for name, key in all_keys(Metric).items() if key.required]
    metric |= _unless_it_extends({"required": required})
    common = dict.fromkeys(metric["properties"], True)
    of_any_kind = {"properties": {**common, **_keys_of_any_kind(kinds)}, "additionalProperties": False}
    metric["allOf"] = [
        _if({"not": {"required": ["kind"]}}, of_any_kind),
        *(
            _if({"required": ["kind"], "properties": {"kind": {"const": kind.name}}}, _of_kind(kind, common))
            for kind in kinds.values()
        ),
    ]
    return schema


def _keys_of_any_kind(kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """The keys of a metric that does not name its kind, because it inherits the kind from another metric."""
    found: dict[str, list[dict[str, Any]]] = {}
    for kind in kinds.values():
        for key, each in kind.schema["properties"].items():
            if each not in found.setdefault(key, []):
                found[key].append(each)
    about = {key: list(dict.fromkeys(each.get("description") for each in several)) for key, several in found.items()}
    return {
        key: several[0]
        if len(several) == 1
        else {"anyOf": several, "description": " / ".join(filter(None, about[key]))}
        for key, several in found.items()
    }


def _of_kind(kind: Kind, common: Mapping[str, bool]) -> dict[str, Any]:
    """The schema of a metric that names its kind. Keys of other kinds are unknown keys."""
    needed = {key: kind.schema[key] for key in ("required", "dependentRequired") if key in kind.schema}
    return {
        "properties": {**common, **kind.schema["properties"]},
        "additionalProperties": False,
        **_unless_it_extends(needed),
    }


def _if(condition: Mapping[str, Any], then: Mapping[str, Any]) -> dict[str, Any]:
    return {"if": condition, "then": then}


def _unless_it_extends(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What holds of a definition that does not inherit keys from another one."""
    return {"if": {"required": ["extends"]}, "else": schema}


def schema_of(kind: Any) -> dict[str, Any]:
    """The schema of the values of a type, as a document writes them."""
    outer, inner = get_origin(kind), get_args(kind)
    if outer is Annotated:
        shorts = [each.kind for each in kind.__metadata__ if isinstance(each, Short)]
        schema = _either([*shorts, inner[0]])
        for rule in kind.__metadata__:
            schema |= rule.keywords if isinstance(rule, Rule) else {}
        return schema
    if outer in (Union, UnionType):
        return _either(inner)
    if outer is Literal:
        return {"enum": list(inner)}
    if outer is tuple:
        length = {} if inner[-1] is ... else {"minItems": len(inner), "maxItems": len(inner)}
        return {"type": "array", "items": schema_of(inner[0]), **length}
    if outer is Mapping:
        named = {} if inner[0] is str else {"propertyNames": schema_of(inner[0])}
        return {"type": "object", **named, "additionalProperties": schema_of(inner[1])}
    if isinstance(kind, type) and is_dataclass(kind):
        return _schema_of_keys(kind)
    return {} if kind is Any else {"type": JSON_TYPES[kind]}


def _either(kinds: Iterable[Any]) -> dict[str, Any]:
    """The schema of a value of one of several types. The plain types are one alternative, the first."""
    schemas = [schema_of(each) for each in kinds]
    plain = [each["type"] for each in schemas if each.keys() == {"type"}]
    types = list(dict.fromkeys(name for each in plain for name in ([each] if isinstance(each, str) else each)))
    if "number" in types and "integer" in types:
        types.remove("integer")
    found = [{"type": types[0] if len(types) == 1 else types}] if types else []
    found += [each for each in schemas if each.keys() != {"type"}]
    return found[0] if len(found) == 1 else {"oneOf": found}


def _schema_of_keys(kind: type) -> dict[str, Any]:
    """The schema of a mapping with the keys of a dataclass."""
    keys = all_keys(kind)
    properties = {name: _schema_of_key(each) for name, each in keys.items()}
    required = [name for name, each in keys.items() if each.required]
    beside = {name: [each.key.beside] for name, each in keys.items() if each.key.beside}
    needed: dict[str, Any] = {"required": required} if required else {}
    needed |= {"dependentRequired": beside} if beside else {}
    if kind in EXTENDED:
        properties["extends"] = schema_of(_says(FullName, "the definition that this one is a variant of"))
        needed = _unless_it_extends(needed)
    if kind is Metric:  # the rest is in the schema of the metrics of its kind
        return {
            "type": "object",
            "properties": properties,
            "anyOf": [{"required": ["kind"]}, {"required": ["extends"]}],
        }
    return {"type": "object", **needed, "additionalProperties": False, "properties": properties}


def _schema_of_key(key: StatedKey) -> dict[str, Any]:
    default = key.field.default
    shown = {"default": default} if isinstance(default, bool | int | str) and default != "" else {}
    return schema_of(key.type) | shown
