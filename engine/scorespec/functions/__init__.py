"""Python functions that SQL calls, each over whole Arrow columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scorespec.functions.distance import edit_distance_of_symbols


@dataclass(frozen=True)
class ScalarFunction:
    """A function of columns: takes Arrow arrays of equal length, returns one; no argument is NULL."""

    name: str
    call: Callable[..., Any]
    arguments: tuple[str, ...]
    result: str


SCALAR_FUNCTIONS = (
    ScalarFunction("edit_distance_of_symbols", edit_distance_of_symbols, ("VARCHAR", "VARCHAR"), "INTEGER"),
)
