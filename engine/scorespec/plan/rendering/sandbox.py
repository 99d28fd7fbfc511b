"""The Jinja environment of documents: limits what a template may call, and how much text it may produce.

Templates have the filters and methods that SQL needs. The size of each intermediate value is counted before or while it
is computed; a limit of the final text alone would come too late.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextvars import ContextVar
from functools import wraps
from types import BuiltinMethodType, MethodType
from typing import Any

from jinja2 import BaseLoader, BytecodeCache, StrictUndefined, Template, Undefined, nodes
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

MOST_CHARACTERS = 10_000_000  # characters
ITEM_SIZE = 10  # an item of a list, or an iteration of a loop, counts as this many characters
MOST_BITS = 256  # of a whole number
FILTERS = ("abs", "count", "d", "default", "dictsort", "first", "float", "int", "items", "last", "length", "list",
           "map", "max", "min", "reject", "rejectattr", "reverse", "select", "selectattr", "sort",
           "unique")  # fmt: skip
TEXT_FILTERS = ("capitalize", "lower", "string", "title", "trim", "upper")
METHODS = ("capitalize", "count", "endswith", "find", "get", "index", "isalnum", "isalpha", "isdecimal", "isdigit",
           "items", "keys", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "rfind", "rpartition",
           "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "title", "upper", "values",
           "changed", "cycle")  # fmt: skip  # the last two are of loops
_left: ContextVar[list[int]] = ContextVar("left")


def rendered_within_limits(template: Template, context: Mapping[str, Any]) -> str:
    """The text of a template. Raises what the template raises, OverflowError if it produces too much."""
    before = _left.set([MOST_CHARACTERS])
    try:
        return _joined(template.generate(context))
    finally:
        _left.reset(before)


def spend(amount: int) -> None:
    """Count characters that a template produces. Raises OverflowError if there are too many in all."""
    left = _left.get()
    left[0] -= amount
    if left[0] < 0:
        raise OverflowError(f"it produces more than {MOST_CHARACTERS:,} characters")


def _size(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    return ITEM_SIZE * len(value) if isinstance(value, Collection) else 1


def _text(value: Any) -> str:
    """A value as text. An item that a list contains several times counts as many times."""
    if type(value) is str:  # nearly always; to ask for a Collection takes longer
        return value
    if isinstance(value, Collection) and not isinstance(value, str):
        _unfold(value)
    return str(value)


def _unfold(value: Any) -> None:
    spend(_size(value))
    if isinstance(value, Mapping):
        _unfold(value.items())
    elif isinstance(value, Collection) and not isinstance(value, str):
        for item in value:
            _unfold(item)


def _counted(items: Iterable[Any]) -> Iterator[Any]:
    """The items of a loop; each counts."""
    for item in items:
        spend(ITEM_SIZE)
        yield item


def _counted_value(value: Any) -> Any:
    """Count a new value; the items of an iterator are counted one by one."""
    if type(value) is not str and isinstance(value, Iterator):
        return _counted(value)
    spend(_size(value))
    return value


def _joined(texts: Iterable[str]) -> str:
    parts = []
    for text in texts:
        spend(len(text))
        parts.append(text)
    return "".join(parts)


def _join(values: Iterable[Any], between: str = "", attribute: str | None = None) -> str:
    """Jinja's filter `join`, without its attribute."""
    if attribute is not None:
        raise TypeError("join has no attribute here; use map(attribute=…) before it")
    texts = _counted(map(_text, values))
    return _joined(text if number == 0 else f"{between}{text}" for number, text in enumerate(texts))


def _replace(text: str, old: str, new: str) -> str:
    """Jinja's filter `replace`, for all occurrences."""
    text, old, new = _text(text), _text(old), _text(new)
    spend(len(text) + text.count(old) * len(new))
    return text.replace(old, new)


def _indent(text: str, width: int = 4, first: bool = False) -> str:
    """Jinja's filter `indent`: lines with text, without the first line unless ``first``."""
    text = _text(text)
    spend(len(text) + (text.count("\n") + 1) * max(int(width), 0))
    lines = text.split("\n")
    begin = " " * int(width)
    return "\n".join(f"{begin}{line}" if line and (first or number) else line for number, line in enumerate(lines))


def _counting_result(function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter whose result is counted."""

    @wraps(function)
    def counting(*arguments: Any, **named: Any) -> Any:
        return _counted_value(function(*arguments, **named))

    return counting


def of_text(function: Callable[..., str]) -> Callable[..., str]:
    """A filter of text that also accepts other values."""
    return lambda value, *arguments: function(_text(value), *arguments)


class _Counting(NodeTransformer):
    """Makes the loops and the operator `~` of a template count."""

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802 (the name is Jinja's)
        node.iter = _filtered(node.iter, "counted")
        return self.generic_visit(node)

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        return self.generic_visit(_filtered(nodes.List(node.nodes, lineno=node.lineno), "join"))


def _filtered(node: Any, name: str) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja for documents, with the functions that templates may call and further filters."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(
        self,
        loader: BaseLoader,
        functions: Mapping[str, Any],
        filters: Mapping[str, Any],
        bytecode_cache: BytecodeCache | None = None,
    ) -> None:
        super().__init__(
            loader=loader,
            bytecode_cache=bytecode_cache,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,
            finalize=_text,
        )
        self.globals = dict(functions)
        known = {name: self.filters[name] for name in FILTERS}
        known |= {name: of_text(self.filters[name]) for name in TEXT_FILTERS}
        known |= {**filters, "join": _join, "replace": _replace, "indent": _indent}
        self.filters = {name: _counting_result(each) for name, each in known.items()} | {"counted": _counted}

    @staticmethod
    def concat(texts: Iterable[str]) -> str:
        """Join the text of macros and blocks."""
        return _joined(texts)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        return _Counting().visit(super()._parse(source, name, filename))  # type: ignore[no-any-return]

    def is_safe_callable(self, obj: Any) -> bool:
        """Whether a template may call something."""
        if isinstance(obj, BuiltinMethodType | MethodType):
            return obj.__name__ in METHODS
        return isinstance(obj, Macro | Undefined) or obj in self.globals.values()

    def call(self, context: Context, called: Any, /, *arguments: Any, **named: Any) -> Any:
        """Call something for a template."""
        if not self.is_safe_callable(called):
            raise SecurityError(f"{getattr(called, '__name__', 'this')}() is not for templates")
        return _counted_value(super().call(context, called, *arguments, **named))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """The value of ``left operator right``, if its size, known beforehand, is within the limits."""
        if operator in ("*", "**") and isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length() * right if operator == "**" else left.bit_length() + right.bit_length()
            if bits > MOST_BITS:
                raise OverflowError("it computes a number that is too large")
        elif operator == "*":
            times, value = (left, right) if isinstance(left, int) else (right, left)
            if isinstance(value, Collection):
                spend(_size(value) * max(times, 0))
        elif operator == "%" and isinstance(left, str):
            raise SecurityError("% on a text is not for templates")
        elif operator == "+":
            spend(_size(left) + _size(right))
        return super().call_binop(context, operator, left, right)
