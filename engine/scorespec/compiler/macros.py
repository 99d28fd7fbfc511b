"""SQL macros: which of those that documents define some SQL uses, as the statements that create them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import indent

from scorespec.catalog.model import Macro
from scorespec.catalog.namespaces import Namespace

_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")


def macros_used(names: Namespace, texts: Iterable[str]) -> list[Macro]:
    """The macros that some SQL calls, and those that they call, each after the macros it calls itself."""
    ordered: dict[str, Macro] = {}

    def visit(text: str, above: frozenset[str]) -> None:
        for name in sorted(set(_CALL.findall(text)) - above):
            macro = None if name in ordered else names.macro(name)
            if macro:
                visit(macro.sql, above | {name})
                ordered[name] = macro

    for text in texts:
        visit(text, frozenset())
    return list(ordered.values())


def create_macros(macros: Iterable[Macro]) -> str:
    """The script that creates macros, each below its meaning."""
    return "\n".join(f"-- {each.about}\n{_statement(each)}" for each in macros)


def _statement(macro: Macro) -> str:
    body = indent(macro.sql.strip(), "    ")
    return f"CREATE OR REPLACE MACRO {macro.name}({', '.join(macro.params)}) AS (\n{body}\n);"
