"""Reads and writes the values of parameters, and metric strings."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from numbers import Real
from typing import Any, Literal

from scorespec.catalog.model import Parameter, Value
from scorespec.errors import ScorespecError, UsageError, nearest

MOST_DIGITS = 400  # of a whole number; one that fits into 64 bits has 19
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)

Raise = Callable[[str], ScorespecError]
Values = Mapping[str, Value]
Origin = Literal["default", "suite", "varied", "--param", "metric", "call"]  # of a value, the weakest first
Layer = tuple[Origin, Values]  # the values that are set in one place
_SIGNS = frozenset(",[]'\"")  # a text with one of these is shown in quotes


def read_value(parameter: Parameter, written: Any, wrong: Raise = UsageError) -> Value:
    """A value in the type of its parameter; ``written`` is a text of the command line or a value of YAML.

    Raises ``wrong(message)`` if the type does not fit or the value is not allowed.
    """
    if parameter.nullable and written in (None, "null"):
        return None
    value = None if written is None else _converted(parameter.type, written)
    if value is None or (isinstance(value, float) and math.isinf(value) and not parameter.infinite):
        raise wrong(f"parameter {parameter.name!r} is {_shown(written)}; it must be {_wanted(parameter)}")
    each = value if isinstance(value, tuple) else (value,)
    if parameter.one_of and not set(parameter.one_of).issuperset(each):
        allowed = ", ".join(map(str, parameter.one_of))
        raise wrong(f"parameter {parameter.name!r} is {_shown(written)}; allowed: {allowed}")
    if isinstance(value, int | float) and not parameter.is_within(value):
        raise wrong(f"parameter {parameter.name!r} is {_shown_number(value)}; it must be {parameter.limits}")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise wrong(f"parameter {parameter.name!r} is {_shown_number(value)}; it must fit into 64 bits")
    return value


def decided(declared: Mapping[str, Parameter], layers: Iterable[Layer]) -> Mapping[str, tuple[Value, Origin]]:
    """The value of each declared parameter with its origin: the last of the ``layers`` that sets it, or the default.

    A layer sets the parameters that it names, and those to which their values give a value (``sets``) and that it does
    not name itself.
    """
    values: dict[str, tuple[Value, Origin]] = {name: (each.default, "default") for name, each in declared.items()}
    for origin, layer in layers:
        named = {name: value for name, value in layer.items() if name in declared}
        for name, value in named.items():
            others = declared[name].sets.get(show_value(value), {}).items()
            values |= {
                other: (read_value(declared[other], set_), origin) for other, set_ in others if other in declared
            }
        values |= {name: (value, origin) for name, value in named.items()}
    return values


def _shown(written: Any) -> str:
    if isinstance(written, int) and not isinstance(written, bool):
        return _shown_number(written)  # repr() refuses to write thousands of digits
    return repr(list(written) if isinstance(written, tuple) else written)


def _shown_number(number: float) -> str:
    """A number in short form; whole numbers of up to 20 digits in full."""
    if isinstance(number, int):
        return str(number) if abs(number) < 10**20 else f"{Decimal(number):.3e}"
    return f"{number:g}"


def _wanted(parameter: Parameter) -> str:
    words = {
        "DOUBLE": "a number",
        "BIGINT": "a whole number",
        "BOOLEAN": "true or false",
        "VARCHAR": "a text, with quotation marks around a number",
        "VARCHAR[]": "a list of texts such as [a, b], with quotation marks around a number",
    }
    unit = f" ({parameter.unit})" if parameter.unit else ""
    return words[parameter.type] + unit + (", or null" if parameter.nullable else "")


def _converted(type_: str, written: Any) -> Value | None:
    match type_:
        case "DOUBLE":
            return _number(written)
        case "BIGINT":
            return _whole_number(written)
        case "BOOLEAN":
            known = {"true": True, "false": False}
            return written if isinstance(written, bool) else known.get(str(written).lower())
        case "VARCHAR[]":
            return _texts(written)
        case _:
            return written if isinstance(written, str) else None  # 012 and 1e3 of YAML would be 12 and 1000.0


def _number(written: Any) -> float | None:
    """A finite or infinite number; None if the value is no number, or too large."""
    if isinstance(written, str):
        if _INFINITE.fullmatch(written.strip()):
            return float(written)
        return _finite(written) if _is_number(written) else None
    if isinstance(written, bool) or not isinstance(written, Real):
        return None
    if isinstance(written, float) and math.isinf(written):
        return written
    return _finite(written)


def _finite(written: Any) -> float | None:
    try:
        number = float(written)
    except (OverflowError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _whole_number(written: Any) -> int | None:
    """A whole number with all its digits; None if the value is not a whole number."""
    if isinstance(written, str):
        try:
            number = Decimal(written) if _is_number(written) else Decimal("NaN")
        except InvalidOperation:  # an exponent of too many digits
            return None
        is_whole = number.is_finite() and abs(number.adjusted()) < MOST_DIGITS and number == number.to_integral_value()
        return int(number) if is_whole else None
    if isinstance(written, bool) or not isinstance(written, Real):
        return None
    real: Any = written
    return int(real) if real % 1 == 0 else None  # the remainder of infinity and NaN is NaN


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text.strip()) is not None


def _texts(written: Any) -> tuple[str, ...] | None:
    if isinstance(written, list | tuple):
        return tuple(written) if all(isinstance(each, str) for each in written) else None
    if not isinstance(written, str):
        return None
    inner = written.strip().removeprefix("[").removesuffix("]")
    return tuple(map(_unquoted, _split_top(inner)))


def show_value(value: Value | list[Any]) -> str:
    """A value as in metric strings and signatures: ``0.01``, ``[SIL,SPN]``, ``true``, ``'a, b'``."""
    if value is None:
        return "null"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(show_value, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and (value != value.strip() or not value or _SIGNS.intersection(value)):
        return text_literal(value)
    return str(value)


def _unquoted(text: str) -> str:
    """A text without the quotes around it."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def literal(value: Value) -> str:
    """A value as a typed SQL literal."""
    if value is None:
        return "NULL"
    if isinstance(value, tuple):
        return f"[{', '.join(map(literal, value))}]::VARCHAR[]"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        if math.isinf(value):
            return f"'{value}'::DOUBLE"
        text = repr(value)
        return text if "e" in text else f"{text}e0"  # without an exponent it would be a DECIMAL
    if isinstance(value, int):
        return f"{value}::BIGINT"
    return text_literal(value)


def text_literal(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def metric_text(name: str, arguments: Values) -> str:
    """The canonical metric string, such as ``token(edge_time=0.01)``."""
    if not arguments:
        return name
    inner = ",".join(f"{key}={show_value(arguments[key])}" for key in sorted(arguments))
    return f"{name}({inner})"


def read_metric_text(text: str, what: str = "a metric", form: str = "parameter") -> tuple[str, dict[str, str]]:
    """The name and the arguments, as text, of a metric string, or of another text in the same form.

    Raises UsageError for a text in another form; the message calls the text ``what`` and an argument ``form``.
    """
    name, bracket, rest = text.strip().partition("(")
    if not bracket:
        return name, {}
    wrong = f"{text!r} is not {what}; write {name}({form}=value,…)"
    if not rest.endswith(")"):
        raise UsageError(wrong)
    arguments: dict[str, str] = {}
    for part in _split_top(rest[:-1]):
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise UsageError(wrong)
        if key.strip() in arguments:
            raise UsageError(f"{text!r} gives {key.strip()!r} twice")
        arguments[key.strip()] = _unquoted(value)
    return name.strip(), arguments


def _split_top(text: str) -> list[str]:
    """Split at the commas outside of square brackets and quotes."""
    parts, depth, inside = [""], 0, ""
    for character in text:
        if character in "'\"" and inside in ("", character):
            inside = "" if inside else character
        depth += 0 if inside else {"[": 1, "]": -1}.get(character, 0)
        if character == "," and depth == 0 and not inside:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part.strip()]


def unknown_parameter(name: str, known: Iterable[str], whose: str) -> str:
    """The message about an unknown parameter."""
    return f"unknown parameter {name!r} of {whose}; {nearest(name, known)}"
