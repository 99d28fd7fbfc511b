"""What a function over rows is: its name, the columns and settings that it takes, and the columns of its result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from inspect import unwrap
from types import CodeType
from typing import Any, cast

from scorespec.functions.columns import (
    Column,
    Columns,
    Settings,
    check_columns,
    check_names,
    check_settings,
    checked_rows,
    quiet,
)

AMPLE = 2**62


@dataclass(frozen=True)
class RelationFunction:
    """A function over the rows of a query, whose result is rows again.

    ``rows(batches, schema, **settings)`` is a generator: it takes an iterator of Arrow record batches and their schema,
    and yields record batches. Its name is the name of the function in documents. ``result(schema)`` is the schema of
    what ``rows`` yields. ``columns`` are the columns that the input must have. ``settings`` are the keyword arguments
    of ``rows``, which relations fill from their parameters.

    With ``grouped``, all other columns of the input name groups: the rows of a group stand together, and ``rows`` is
    also given ``room``, the bytes of memory that the rows of one group may take.
    """

    about: str
    rows: Callable[..., Iterator[Any]]
    result: Callable[[Any], Any]
    columns: Sequence[Column] | Columns
    settings: Settings = field(default_factory=dict)
    grouped: bool = True

    @property
    def name(self) -> str:
        """The name of the function in documents."""
        return self.rows.__name__

    @property
    def code(self) -> CodeType:
        """The code of the function that its author wrote."""
        return cast(CodeType, unwrap(self.rows).__code__)

    def schema(self, input_schema: Any) -> Any:
        """The columns of the result for an input with these columns. Raises ValueError where they do not fit."""
        return self.result(self._checked(input_schema))

    def call(self, batches: Iterator[Any], input_schema: Any, *, room: int = AMPLE, **settings: Any) -> Iterator[Any]:
        """The rows of the result; ``room`` is how many bytes of memory the rows of a group may take.

        Raises ValueError for columns, values or parameters that do not fit, RunError for a group that is too large.
        """
        check_settings(self.name, self.settings, settings)
        schema = self._checked(input_schema)
        rows = checked_rows(self.name, self._columns(input_schema), batches, schema)
        given = {"room": room} if self.grouped else {}
        return quiet(self.rows(rows, schema, **settings, **given))

    def _checked(self, input_schema: Any) -> Any:
        check_names(self.name, input_schema)
        return check_columns(self.name, self._columns(input_schema), input_schema, self.grouped)

    def _columns(self, input_schema: Any) -> Sequence[Column]:
        try:
            return self.columns(input_schema) if callable(self.columns) else self.columns
        except ValueError as error:
            raise ValueError(f"the input of {self.name} has {error}") from None
