"""The templates that definitions name, and the Python functions whose rows they read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scorespec.functions.base import RelationFunction


@dataclass(frozen=True)
class SqlTemplate:
    """The SQL of a relation, or the text of a layout, with Jinja in it.

    ``name`` is the name of its file, as the document writes it. ``home`` is the folder of the document: files that the
    template imports are looked for there, then among those that ship. ``file`` is the path that messages show; it is
    '' for a template that stands in the document itself.
    """

    name: str
    text: str = field(repr=False)
    home: Path
    file: str = ""


@dataclass(frozen=True)
class FunctionCall:
    """A Python function that a relation uses; ``arguments`` has the parameter that fills each setting of it."""

    function: RelationFunction
    arguments: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True)
class FunctionInput:
    """A chain of Python functions: the first reads the rows of a query, each later one those of its predecessor."""

    calls: tuple[FunctionCall, ...]
    template: SqlTemplate
