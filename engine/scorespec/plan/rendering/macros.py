"""SQL macros: which of those that documents define some SQL uses, and the statements that create them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from textwrap import indent

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Macro
from scorespec.errors import UsageError

_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")


def macros_used(names: Namespace, texts: Iterable[str]) -> list[Macro]:
    """The macros that some SQL calls, directly or not; each comes after the macros that it calls itself."""
    ordered: dict[str, Macro] = {}

    def visit(text: str, above: frozenset[str]) -> None:
        for name in sorted(_called(text) & names.macros - above):
            if name not in ordered and (macro := names.macro(name)):
                visit(macro.sql, above | {name})
                ordered[name] = macro

    for text in texts:
        visit(text, frozenset())
    return list(ordered.values())


def macros_called(macros: Sequence[Macro], text: str) -> list[Macro]:
    """Those of some macros that some SQL calls, directly or not, in the order of ``macros``: callees come first."""
    called = set(_called(text))
    for macro in reversed(macros):
        if macro.name in called:
            called |= _called(macro.sql)
    return [each for each in macros if each.name in called]


@lru_cache(maxsize=10_000)
def _called(text: str) -> frozenset[str]:
    """The names that some SQL calls."""
    return frozenset(_CALL.findall(text))


def macros_of_all(namespaces: Iterable[Namespace], texts: Iterable[str]) -> list[Macro]:
    """The macros that some SQL calls in any of the suites of a run.

    Raises UsageError for two different macros of one name: in a database, a name has one meaning.
    """
    texts = list(texts)
    found: dict[str, Macro] = {}
    for macro in (each for names in namespaces for each in macros_used(names, texts)):
        first = found.setdefault(macro.name, macro)
        if (first.params, first.sql) != (macro.params, macro.sql):
            raise UsageError(
                f"the macro {macro.name!r} has two meanings in this run ({first.origin.place(key=True)} and "
                f"{macro.origin.place(key=True)}); score the metrics of each suite in a run of their own"
            )
    return list(found.values())


def create_macros(macros: Iterable[Macro]) -> str:
    """The statements that create macros, each after a comment with its meaning."""
    return "\n".join(f"-- {each.about}\n{create_macro(each.name, each.params, each.sql)}" for each in macros)


def create_macro(name: str, params: Iterable[str], sql: str) -> str:
    """The statement that creates a macro."""
    return f"CREATE OR REPLACE MACRO {name}({', '.join(params)}) AS {macro_body(sql)};"


def macro_body(sql: str) -> str:
    """The expression of a macro, in parentheses."""
    return f"(\n{indent(sql.strip(), '    ')}\n)"
