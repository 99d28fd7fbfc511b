"""Renders SQL templates: a sandboxed Jinja environment, references to relations, typed literals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from textwrap import indent
from typing import Any

from jinja2 import Template

from scorespec.catalog.data import file_below, shipped
from scorespec.catalog.model import Value
from scorespec.compiler.parameters import literal, text_literal
from scorespec.compiler.sandbox import Sandbox, made_by
from scorespec.errors import Place, SpecError

_IMPORTED = re.compile(r"""{%-?\s*(?:import|from|include|extends)\s+["']([^"']+)""")
_HEADER = re.compile(r"\s*\{#-?(.*?)-?#\}", re.DOTALL)
# A whole value that is one variable keeps that variable's own type, such as a list of columns.
_ONE_VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def quoted(name: str) -> str:
    """A name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def indented(sql: str) -> str:
    """SQL that is nested in parentheses, indented. It stays as it is when a text in it may extend over lines."""
    return sql if any(line.count("'") % 2 for line in sql.splitlines()) else indent(sql, "    ")


def comma_ended(names: tuple[str, ...] | list[str]) -> str:
    """Identifiers, each followed by a comma, so that they may stand before others or be none."""
    return "".join(f"{quoted(name)}, " for name in names)


@dataclass(frozen=True)
class Reference:
    """A table or relation as a template sees it: writes its physical name.

    ``scope`` are the scope columns it carries; ``given`` is False for an optional input left out.
    """

    physical: str
    scope: tuple[str, ...] = ()
    given: bool = True

    def __str__(self) -> str:
        return quoted(self.physical)


@dataclass(frozen=True)
class Setting:
    """A parameter as a template sees it: writes a typed literal; ``value`` is for ``{% if %}``."""

    value: Value

    def __str__(self) -> str:
        return literal(self.value)


def shared_scope(*read: Reference) -> str:
    """The scope columns that every one of the relations carries, each followed by a comma (for USING)."""
    first, *others = read
    return comma_ended([name for name in first.scope if all(name in other.scope for other in others)])


def same_scope(alias: str, reference: Reference, other_alias: str, other: Reference) -> str:
    """Conditions, each after AND, that two relations agree in the scope columns both carry (for ON)."""
    return "".join(
        f" AND {alias}.{quoted(name)} = {other_alias}.{quoted(name)}" for name in reference.scope if name in other.scope
    )


@cache
def _environment() -> Sandbox:
    functions = {"shared": shared_scope, "same": same_scope}
    filters = {"name": quoted, "names": _names, "comma_ended": comma_ended, "text": text_literal}
    return Sandbox(shipped("sql"), functions, filters)


def _names(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))


@cache
def _compiled(template: str) -> Template:
    return _environment().from_string(template)


def render(template: str, context: Mapping[str, Any], place: Place | str) -> str:
    """Render a template. Raises SpecError at ``place`` for a fault of the template."""
    try:
        text = made_by(_compiled(template), context)
        text.encode()  # a surrogate is no character, and nothing behind this could write it
    except Exception as error:  # a template may do anything: divide by zero, call itself, fill the memory
        line = getattr(error, "lineno", None)
        where = f" (line {line} of the template)" if line else ""
        raise SpecError(f"template: {error}{where}", place) from None
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def render_value(value: Any, context: Mapping[str, Any], place: Place | str) -> Any:
    """Render every text inside a document's value."""
    if isinstance(value, Mapping):
        rendered = {render_value(k, context, place): render_value(v, context, place) for k, v in value.items()}
        return {key: each for key, each in rendered.items() if key}
    if isinstance(value, list):
        return [render_value(each, context, place) for each in value]
    if not isinstance(value, str) or "{" not in value:
        return value
    if (one := _ONE_VARIABLE.fullmatch(value)) and one[1] in context:
        return context[one[1]]
    return render(value, context, place)


def header(template: str) -> str:
    """What a template says of itself: its first comment, ``{# … #}``; '' when it does not begin with one."""
    found = _HEADER.match(template)
    return " ".join(found[1].split()) if found else ""


def has_sql(name: str) -> bool:
    """Whether there is a template of that name under ``sql/``."""
    return file_below(shipped("sql"), name, links=True) is not None


def with_imports(template: str) -> list[str]:
    """A template and those under ``sql/`` that it imports, and they import, as far as they can be read."""
    found = {"": template}
    waiting = [template]
    while waiting:
        for name in _IMPORTED.findall(waiting.pop()):
            if name not in found and has_sql(name):
                found[name] = shipped_sql(name)
                waiting.append(found[name])
    return [found[name] for name in sorted(found)]


@cache
def shipped_sql(name: str) -> str:
    """The text of a template under ``sql/``."""
    return (shipped("sql") / name).read_text(encoding="utf-8")
