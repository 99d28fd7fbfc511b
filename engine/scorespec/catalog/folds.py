"""Folds: parts of a corpus that are scored apart and averaged, as documents state them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from scorespec.catalog.keys import FullName, Key, Name

_NONE_LEFT = "the value of a component that is defined in no fold: one for all, or by metric or metric.component"


@dataclass(frozen=True)
class Folds:
    """Scores per fold of a column, reported as mean, standard deviation and number of folds.

    Folds are always used if neither ``input`` nor ``count`` is set.
    """

    column: Annotated[Name, Key("the column with the name of the fold")]
    input: Annotated[Name | None, Key("an optional input; folds are used if it is given")] = None
    count: Annotated[Name | None, Key("a parameter; folds are used if it is above 0")] = None
    undefined: Annotated[Literal["each", "jointly"], Key("what an undefined fold drops: a component, or a metric")] = (
        "each"
    )
    none_left: Annotated[float | Mapping[FullName, float] | None, Key(_NONE_LEFT)] = field(default=None, hash=False)

    def value_of_none(self, metric: str, component: str) -> float | None:
        """The value of a component that is defined in no fold; None is undefined."""
        if not isinstance(self.none_left, Mapping):
            return self.none_left
        return self.none_left.get(f"{metric}.{component}", self.none_left.get(metric))
