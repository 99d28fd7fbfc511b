"""The keys of documents: how dataclasses state them, and how values are read by their types.

A field of a dataclass is a key of documents if its type is ``Annotated`` with a :class:`Key`. From these fields
``schema.py`` derives the JSON Schema, and :func:`reader` the value of the field. A key that is not a field as it stands
belongs to the dataclass ``Written`` inside the dataclass; ``build.py`` computes fields from such keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

Shape = TypeVar("Shape")


class Rule:
    """Keywords of JSON Schema for a type, beside those that follow from the type itself, or in place of them."""

    def __init__(self, **keywords: Any) -> None:
        self.keywords = keywords


class Key(Rule):
    """Makes a field a key of documents: what the key means, and its rules.

    ``beside`` is another key without which this key means nothing.
    """

    def __init__(self, about: str, *, beside: str = "", **keywords: Any) -> None:
        super().__init__(description=about, **keywords)
        self.beside = beside


def only_with(types: str, *keys: str) -> dict[str, Any]:
    """JSON Schema: each of these keys means something only beside one of some values of the key `type`."""
    named = " or ".join(f"`{key}`" for key in keys)
    then = {"properties": {"type": {"enum": types.split(), "title": f"beside {named}"}}}
    return {"if": {"anyOf": [{"required": [key]} for key in keys]}, "then": then}


class Short:
    """A type that may be written in place of the annotated type; ``long`` turns it into the full value."""

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


def read_keys(kind: type, written: Mapping[str, Any]) -> dict[str, Any]:
    """The values of those fields of a dataclass that are written, by field. Keys of others are left out."""
    keys = own_keys(kind)
    return {keys[name].field.name: reader(keys[name].type)(each) for name, each in written.items() if name in keys}


def read_as(kind: type[Shape], written: Mapping[str, Any]) -> Shape:
    """A dataclass, all of whose fields are keys, out of a mapping that its schema accepts."""
    return kind(**read_keys(kind, written))


@cache
def reader(kind: Any) -> Callable[[Any], Any]:
    """The function that turns plain data into a value of a type: lists into tuples, mappings into dataclasses."""
    outer, inner = get_origin(kind), get_args(kind)
    if outer is Annotated:
        plain, shorts = reader(inner[0]), [each for each in kind.__metadata__ if isinstance(each, Short)]
        return partial(_read_short, inner[0], plain, shorts[0].long) if shorts else plain
    if outer in (Union, UnionType):
        return partial(_read_either, inner)
    if outer is tuple:
        item = reader(inner[0])
        return lambda written: tuple(map(item, written))
    if outer is Mapping:
        value = reader(inner[1])
        return lambda written: {name: value(each) for name, each in written.items()}
    if isinstance(kind, type) and is_dataclass(kind):
        return partial(read_as, kind)
    return str if kind is str else lambda written: written


def _read_short(kind: Any, plain: Callable[[Any], Any], long: Callable[[Any], Any], written: Any) -> Any:
    return plain(written if _fits(kind, written) else long(written))


def _read_either(kinds: Iterable[Any], written: Any) -> Any:
    if not isinstance(written, list | dict):
        return written
    return reader(next(each for each in kinds if _fits(each, written)))(written)


def _fits(kind: Any, written: Any) -> bool:
    """Whether a list or a mapping can be a value of a type; False for other values."""
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if isinstance(written, list):
        return get_origin(bare) is tuple
    return isinstance(written, dict) and (get_origin(bare) is Mapping or is_dataclass(bare))
