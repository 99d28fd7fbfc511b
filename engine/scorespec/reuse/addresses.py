"""Addresses of results: a hash of everything that the rows of an input or of a step depend on."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, cast

from scorespec.catalog.model import Table
from scorespec.formats import DUCKDB, FORMATS, Format
from scorespec.functions import RELATION_FUNCTIONS
from scorespec.functions.function import RelationFunction
from scorespec.plan.plan import Count, Plan, Refused, Step
from scorespec.plan.rendering.macros import macro_body, macros_called
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.files import Content
from scorespec.run.inputs.sources import Source
from scorespec.run.statements import tables_named
from scorespec.version import library_versions

# What a reader of the package or a function of the package may call, in addition to its own folder.
SHARED = ("core", "errors.py")


def hashed(*parts: Any) -> str:
    """The hash of some values, which are texts, numbers, and lists and mappings of these.

    Raises TypeError for any other object: its text may have its place in memory, which differs between processes.
    """
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def libraries() -> tuple[str, ...]:
    """The versions on which readers and functions depend. SQL depends on the first alone, that of DuckDB."""
    return (*library_versions().values(), sys.version)


@cache
def _package(*parts: str) -> str:
    """The hash of the source of some folders and modules of this package."""
    root = Path(__file__).parents[1]
    return _sources(
        each for part in parts for each in ([root / part] if part.endswith(".py") else [*(root / part).rglob("*.py")])
    )


def _sources(paths: Iterable[Path]) -> str:
    found = sorted(paths)
    return hashed([(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in found])


def _source_of(brought: Format | RelationFunction, folder: str) -> str | None:
    """The hash of the source of a format or function; None if it is not in a file.

    For one of this package it is that of its ``folder``, for one of a plugin that of the plugin's top package.
    """
    if brought in (FORMATS.get(brought.name), RELATION_FUNCTIONS.get(brought.name)):
        return _package(folder, *SHARED)
    return _source_of_code(cast(Hashable, brought.read if isinstance(brought, Format) else brought.rows))


@cache
def _source_of_code(called: Any) -> str | None:
    if isinstance(called, partial):
        given = [called.func, *called.args, *sorted(called.keywords.items())]
        functions = {at: _source_of_code(each) for at, each in enumerate(given) if hasattr(each, "__qualname__")}
        named = [each.__qualname__ if at in functions else each for at, each in enumerate(given)]
        with suppress(TypeError):  # an object whose text is another in each process, or a set, which has no order
            return None if None in functions.values() else hashed(sorted(functions.items()), named)
        return None
    name = str(getattr(called, "__module__", None) or type(called).__module__)
    if name.startswith("scorespec."):
        return _package(name.split(".")[1], *SHARED)
    file = getattr(sys.modules.get(name.partition(".")[0]), "__file__", None)
    if not file or not Path(file).is_file():
        return None
    path = Path(file)
    return _sources(path.parent.rglob("*.py") if path.name == "__init__.py" else [path])


# -- inputs ------------------------------------------------------------------------------------------


def _rows_of(table: Table) -> list[Any]:
    """The parts of the definition of an input on which its rows depend."""
    columns = [(each.name, each.type, each.booleans, each.undeclared, each.nullable) for each in table.columns]
    return [table.name, columns, table.key, table.duplicates, table.part_column, table.other_columns]


def _conditions_of(table: Table) -> list[Any]:
    """The parts of the definition of an input on which the outcome of its checks depends."""
    columns = [(each.name, each.nullable, each.infinite) for each in table.columns]
    checks = [(each.sql, each.says, each.needs, each.droppable) for each in table.checks]
    return [columns, checks, table.min_rows, table.needs_value, table.describes, table.droppable]


def identity(source: Source, contents: Sequence[Content]) -> str | None:
    """The hash of the files of an input, with these contents, and of how they are read; None if that is not known."""
    files = []
    for each, content in zip(source.each, contents, strict=True):
        if each.format is None:
            return None
        reader = _source_of(each.format, "formats") if each.format.read else ""
        if reader is None:
            return None
        files.append(
            [content.sha256, each.format.name, reader, each.columns, each.filled, each.stored, each.options, each.part]
        )
    return hashed("input", libraries(), _package("run", *SHARED), _rows_of(source.table), bool(source.pieces), files)


def is_whole(source: Source) -> bool:
    """Whether the hash of its file covers an input: a DuckDB file may have changes next to it."""
    return source.path is not None and not (
        source.format is DUCKDB and source.path.with_name(f"{source.path.name}.wal").exists()
    )


class Addresses:
    """The addresses of the inputs and steps of a plan, by name; None for a result that has none.

    ``identities`` are those of the inputs that are given. Rows of an object in memory have no address, and neither
    have steps that read them.
    """

    def __init__(self, plan: Plan, identities: Mapping[str, str | None]) -> None:
        self._macros = plan.macros
        self._identities = identities
        self._tables = {table.name: table for table in plan.tables}
        self._describing = [table.name for table in plan.describing()]
        self.rows: dict[str, str | None] = {}  # of the rows of an input or a step
        self.checks: dict[str, str | None] = {}  # of the outcome of the checks of an input
        self.reads: dict[str, frozenset[str]] = {}  # the inputs and steps that a step reads, by any name
        for table in plan.tables:
            self._add_input(table, plan.inputs.droppable)
        texts = [text for step in plan.steps for text in _texts(step)]
        named = tables_named([*texts, *map(_query_of, self._macros_in(texts))])
        for step in plan.steps:
            self._add_step(step, named)

    def needs(self, name: str) -> frozenset[str]:
        """The other inputs that the checks of an input read."""
        checks = self._tables[name].checks
        words = {word for each in checks for word in re.findall(r"\w+", each.sql)}
        needed = {need for each in checks for need in each.needs} | {*self._describing} | words
        return frozenset((needed & self._identities.keys()) - {name})

    def _add_input(self, table: Table, droppable: frozenset[str]) -> None:
        if table.name not in self._identities:
            self.rows[table.name] = hashed("absent", _rows_of(table))
            return
        own = self._identities[table.name]
        needed = {table.name}
        while more := frozenset().union(*(self.needs(each) for each in needed)) - needed:
            needed |= more
        others = {each: self._identities[each] for each in sorted(needed)}
        known = None not in others.values()
        conditions = [_conditions_of(self._tables[each]) for each in sorted(needed)]
        macros = self._macros_in([check.sql for each in needed for check in self._tables[each].checks])
        dropping = sorted(needed & droppable)
        checked = hashed("checks", own, others, conditions, macros, self._describing, dropping) if known else None
        self.checks[table.name] = checked
        self.rows[table.name] = checked and hashed("left rows", checked) if table.name in droppable else own

    def _macros_in(self, texts: Iterable[str]) -> list[tuple[str, Sequence[str], str]]:
        """The macros that some SQL uses, directly or not: name, parameters, and body."""
        used = macros_called(self._macros, "\n".join(texts))
        return sorted((each.name, each.params, macro_body(each.sql)) for each in used)

    def _add_step(self, step: Step, named: Mapping[str, frozenset[str]]) -> None:
        texts, macros = _texts(step), self._macros_in(_texts(step))
        tables = frozenset().union(*(named[text] for text in (*texts, *map(_query_of, macros))))
        reads = step.reads | {name for name in self.rows if name.lower() in tables}
        self.reads[step.physical] = reads
        addresses = {name: self.rows.get(name) for name in sorted(reads)}
        calls = [
            (function.name, _source_of(function, "functions"), sorted(values.items()))
            for function, values in (step.function_rows.calls if step.function_rows else ())
        ]
        if None in addresses.values() or any(source is None for _, source, _ in calls):
            self.rows[step.physical] = None
            return
        inputs = {name: address for name, address in addresses.items() if name in self._tables}
        # The name of a step has the hash of its SQL, so that an address can stand in its place wherever it occurs.
        steps = {name: str(address) for name, address in addresses.items() if name not in inputs}
        if step.function_rows:
            steps[step.function_rows.name] = "rows"
        sql = [_with_addresses(text, steps) for text in texts]
        versions = libraries() if calls else libraries()[:1]
        self.rows[step.physical] = hashed("step", versions, sql, sorted(steps.values()), inputs, macros, calls)


def _texts(step: Step) -> list[str]:
    """The SQL of a step."""
    return [step.sql, *([step.function_rows.sql] if step.function_rows else [])]


def _query_of(macro: tuple[str, Sequence[str], str]) -> str:
    """A query with the SQL of a macro."""
    return f"SELECT {macro[-1]}"


def _with_addresses(sql: str, addresses: Mapping[str, str]) -> str:
    for name, address in addresses.items():
        sql = sql.replace(quoted(name), address)
    return sql


def notice_key(notice: Count | Refused) -> str:
    """The key of a warning or an error in what is kept of a step."""
    return hashed(notice.sql, notice.columns, notice.says)
