"""Checks documents against the JSON Schema, with messages that say what is wrong and what is allowed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from operator import getitem
from typing import TYPE_CHECKING, Any

from scorespec.catalog.documents import Document, KeyPath, WrittenDefinition
from scorespec.catalog.json_schema import definition_schema, document_schema, metric_schema, schema_of
from scorespec.catalog.model import Kind
from scorespec.core.groups import grouped
from scorespec.errors import Place, nearest, nearest_only

if TYPE_CHECKING:
    from jsonschema import ValidationError

Placer = Callable[[KeyPath, bool], Place]
WORDS = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}

TYPE_WORDS = "it must be a DuckDB type such as VARCHAR, BIGINT, DOUBLE, BOOLEAN, DECIMAL(18,3) or DOUBLE[]"


def validate_document(document: Document) -> list[str]:
    """Every fault of a document, each with file, line and column."""
    faults = list(
        _faults(
            document.data,
            document_schema(),
            lambda path, key: document.place(path, key=key),
            unfinished=lambda path: _extends(document.data, path),
        )
    )
    sections = set(document.data) - {"format", "domain", "kinds", "macros", "publications"}
    if not faults and sections and "domain" not in document.data:
        faults.append(f"{document.place(())}: no `domain:`; it says which domain the document adds to")
    if not faults and not any(each for key, each in document.data.items() if key not in ("format", "domain", "suite")):
        faults.append(f"{document.place(())}: the document is empty: it has neither definitions nor cases")
    return faults


def validate_keys(document: Document, kind: type) -> list[str]:
    """Every fault of a document that has the keys of one dataclass."""
    # An unknown key can also be why a needed key is missing: then the same fault is found twice.
    return [*dict.fromkeys(_faults(document.data, schema_of(kind), lambda path, key: document.place(path, key=key)))]


def validate_metric(entry: WrittenDefinition, kinds: Mapping[str, Kind]) -> list[str]:
    """Every fault of a metric whose ``extends`` is resolved."""
    written = entry.data["kind"]
    if written not in kinds:
        return [f"{entry.place('kind')}: unknown kind {written!r}; {nearest(written, kinds)}"]
    return list(
        _faults(
            entry.data,
            metric_schema(kinds[written]),
            lambda path, key: entry.place(*path, key=key),
            (entry.section, entry.name),
        )
    )


def validate_extended(entry: WrittenDefinition) -> list[str]:
    """Every fault of a definition other than a metric, whose ``extends`` is resolved."""
    schema = definition_schema(entry.section)
    above = (entry.section, entry.name)
    return list(_faults(entry.data, schema, lambda path, key: entry.place(*path, key=key), above))


def _extends(data: Any, path: KeyPath) -> bool:
    """Whether a path leads to keys that ``extends`` merges with those of another definition; lists are not merged."""
    merged = len(path) > 1 and not any(isinstance(part, int) for part in path)
    return merged and "extends" in data[path[0]][path[1]]


def _faults(
    data: Any,
    schema: Mapping[str, Any],
    placer: Placer,
    above: KeyPath = (),
    unfinished: Callable[[KeyPath], bool] = lambda path: False,
) -> Iterator[str]:
    """The faults of ``data``, whose path is ``above``. Keys may be missing at paths that are ``unfinished``."""
    from jsonschema import Draft202012Validator

    errors = [each for error in Draft202012Validator(schema).iter_errors(data) for each in _innermost(error)]
    for error in sorted(errors, key=lambda each: [str(part) for part in each.absolute_path]):
        if error.validator not in ("required", "dependentRequired") or not unfinished(tuple(error.absolute_path)):
            yield from _explain(error, placer, above, data)


def _innermost(error: ValidationError) -> Iterator[ValidationError]:
    """The fault itself; of a value that fits no alternative, the faults within the one that has the value's type."""
    alternatives = grouped((each.schema_path[0], each) for each in error.context or ())
    fitting = [
        found
        for found in alternatives.values()
        if not any(each.validator == "type" and not each.relative_path for each in found)
    ]
    if len(fitting) != 1:
        yield error
        return
    for each in fitting[0]:
        yield from _innermost(each)


def _explain(error: ValidationError, placer: Placer, above: KeyPath, data: Any) -> Iterator[str]:
    path: KeyPath = tuple(error.absolute_path)
    within = reduce(getitem, path, data)
    name = ".".join(map(str, (*above, *path))) or "the document"
    start = placer(path, not path or isinstance(path[-1], str))  # of the key; of a value in a list, which has no key
    match error.validator:
        case "additionalProperties" if error.validator_value is False:
            known = error.schema.get("properties", {})
            for key in (key for key in error.instance if key not in known):
                place = placer((*path, key), True)
                yield f"{place}: unknown key {key!r} in {name}; {_comma(within, key) or nearest(key, known)}"
        case "required":
            missing = [key for key in error.validator_value if key not in error.instance]
            # jsonschema reports each missing key as an error of its own
            yield from (f"{start}: {name} has no {k!r}" for k in missing if repr(k) in error.message)
        case "dependentRequired":
            yield f"{start}: {name}: {error.message.replace('is a dependency of', 'is needed beside')}"
        case "pattern" if path[-1:] != ("type",):
            place = placer((*path, error.instance), True) if isinstance(error.instance, str) else placer(path, False)
            said = "is not a name: " + (
                _comma(within, error.instance) or "lower-case letters, digits and _, a letter first"
            )
            yield f"{place}: {_quote(error.instance)} {said}"
        case "not":
            place = placer((*path, error.instance), True)
            yield f"{place}: {_quote(error.instance)} is reserved for the engine; choose another name"
        case "anyOf" | "oneOf":
            needed = [key for option in error.validator_value for key in option.get("required", ())]
            others = [key for key in error.instance if key not in needed] if isinstance(error.instance, dict) else []
            near = {key: nearest_only(key, needed) for key in others}
            if key := next(filter(near.get, near), None):
                yield f"{placer((*path, key), True)}: unknown key {key!r} in {name}; {near[key]}"
            else:
                yield f"{placer(path, False)}: {name} is {_quote(error.instance)}; {_wanted(error)}"
        case _:
            wanted = _wanted(error)
            said = f" is {_quote(error.instance)}; {wanted}" if wanted else f": {error.message}"
            yield f"{placer(path, False)}: {name}{said}"


def _wanted(error: ValidationError) -> str:
    """What a value must be instead; '' if the message of the schema says it."""
    wanted, value = error.validator_value, error.instance
    match error.validator:
        case "type":
            quotes = "; put it in quotes"  # 012 and 1e3 have become 12 and 1000.0
            unquoted = wanted == "string" and isinstance(value, int | float)
            listed = f" such as [{value}]" if wanted == "array" and isinstance(value, str) else ""
            return f"it must be {_types(wanted)}{quotes if unquoted else ''}{listed}"
        case "enum":
            where = f" {error.schema['title']}" if "title" in error.schema else ""
            return f"allowed{where}: {', '.join(map(str, wanted))}"
        case "pattern":
            return TYPE_WORDS
        case "anyOf" | "oneOf":
            return _alternatives(wanted)
        case _:
            return ""


def _comma(within: Any, key: str) -> str:
    """The hint that a comma has cut a text between braces: the rest of the text is a key without a value."""
    if not isinstance(within, Mapping) or within.get(key, "") is not None:
        return ""
    before = list(within)[: list(within).index(key)]
    cut = before and isinstance(within[before[-1]], str)
    return f"if it belongs to the text of {before[-1]!r}, put that text in quotes, because of its comma" if cut else ""


def _types(types: str | Iterable[str]) -> str:
    return WORDS[types] if isinstance(types, str) else " or ".join(WORDS[each] for each in types)


def _quote(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"


def _alternatives(options: Iterable[Mapping[str, Any]]) -> str:
    said = []
    for option in options:
        if "required" in option:
            said.append(f"a mapping with the key {', '.join(option['required'])}")
        elif "type" in option:
            said.append(_types(option["type"]))
    return "it must be " + " or ".join(said)
