"""The keys of documents, as dataclasses state them.

A field of a dataclass is a key of documents if its type is ``Annotated`` with a :class:`Key`. From these fields
``json_schema.py`` derives the JSON Schema, and ``build.py`` reads the value of the field. A key that is not a field as
it stands belongs to the dataclass ``Written`` inside the dataclass; ``build.py`` computes fields from such keys.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints


class Rule:
    """Keywords of JSON Schema for a type, in addition to those that follow from the type itself, or instead of them."""

    def __init__(self, **keywords: Any) -> None:
        self.keywords = keywords


class Key(Rule):
    """Makes a field a key of documents: what the key means, and its rules.

    ``beside`` is another key that must be given, too.
    """

    def __init__(self, about: str, *, beside: str = "", **keywords: Any) -> None:
        super().__init__(description=about, **keywords)
        self.beside = beside


def only_with(types: str, *keys: str) -> dict[str, Any]:
    """JSON Schema: each of these keys is allowed only with some values of the key `type`."""
    named = " or ".join(f"`{key}`" for key in keys)
    then = {"properties": {"type": {"enum": types.split(), "title": f"beside {named}"}}}
    return {"if": {"anyOf": [{"required": [key]} for key in keys]}, "then": then}


class Short:
    """A type that may be written instead of the annotated type; ``long`` turns it into the full value."""

    def __init__(self, kind: Any, long: Callable[[Any], Any]) -> None:
        self.kind, self.long = kind, long


Name = Annotated[str, Rule(pattern="^[a-z][a-z0-9_]*$")]
FullName = Annotated[str, Rule(pattern=r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$")]  # a name, or suite.name
ColumnName = Annotated[str, Rule(pattern="^[A-Za-z][A-Za-z0-9_]*$")]
Names = tuple[Name, ...]
Columns = Annotated[Names, Rule(minItems=1)]
Texts = Annotated[tuple[str, ...], Short(str, lambda text: [text])]
Sql = Annotated[str, Rule(type=["string", "number", "boolean"])]  # an expression: 1 and true are some, too


@dataclass(frozen=True)
class StatedKey:
    """A key as a dataclass states it: its type, and the field that has its value."""

    type: Any
    key: Key
    field: Field[Any]

    @property
    def required(self) -> bool:
        return self.field.default is MISSING and self.field.default_factory is MISSING


@cache
def own_keys(kind: type) -> dict[str, StatedKey]:
    """The fields of a dataclass that are keys as they stand, by key. The key of the field ``with_`` is ``with``."""
    types = get_type_hints(kind, include_extras=True)
    found = {}
    for field in fields(kind):
        rules = getattr(types[field.name], "__metadata__", ())
        for key in (each for each in rules if isinstance(each, Key)):
            found[field.name.rstrip("_")] = StatedKey(_written(types[field.name], field.default), key, field)
    return found


def _written(kind: Any, default: Any) -> Any:
    """The type of a key in documents. If None is the default of its field, it means that the key is not written."""
    inner = get_args(kind)[0]
    if default is not None or get_origin(inner) not in (Union, UnionType):
        return kind
    rest = tuple(each for each in get_args(inner) if each is not NoneType)
    return Annotated[(Union[rest], *kind.__metadata__)]  # noqa: UP007


def all_keys(kind: type) -> dict[str, StatedKey]:
    """The keys that a document can write for a dataclass."""
    return own_keys(kind) | (own_keys(kind.Written) if hasattr(kind, "Written") else {})
