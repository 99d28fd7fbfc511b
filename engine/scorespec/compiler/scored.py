"""What metrics are compiled in and into: the setup that surrounds one, and the tables that score it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorespec.compiler.parameters import Values
from scorespec.compiler.scopes import Scope


@dataclass(frozen=True)
class Setup:
    """What surrounds a metric: values of the run, columns of its scope, the parameters that vary.

    ``slices`` are the names that the latter have in scores.
    """

    values: Values
    by: Scope = ()
    fold: str | None = None
    varied: Values = field(default_factory=dict)
    slices: Mapping[str, str] = field(default_factory=dict)

    @property
    def fixed(self) -> Values:
        """The fixed part of a slice: what varies, by its name in scores."""
        return {self.slices.get(name, name): value for name, value in self.varied.items()}

    @property
    def scope(self) -> Scope:
        return (*((self.fold,) if self.fold else ()), *self.by)


@dataclass(frozen=True)
class Units:
    """A table of statistics per unit, whose rows are apart by ``slice_columns`` too; those that meet ``where``."""

    table: str
    unit: tuple[str, ...]
    slice_columns: tuple[str, ...]
    where: str = ""


@dataclass(frozen=True)
class Points:
    """The points of a metric's curve: a query, and the tables that it reads.

    It has the scope columns; slice (JSON); rank, threshold, mark; ``columns``, each a DOUBLE.
    """

    sql: str
    reads: frozenset[str]
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Scored:
    """A metric's tables in one setup: ``wide`` has a row per slice, ``units`` one per unit (formulas: none).

    ``wide`` has the scope columns; scope and slice (JSON); breakdown (which standing slice, 0 is none);
    the components; note (why one of them may be undefined). ``slices`` are the metric's standing ones.
    It also has a remark that is told with each of the components ``remarked``, defined or not. With ``overall``
    there is a row over all slices.
    """

    wide: str
    components: tuple[str, ...]
    slices: tuple[Scope, ...]
    units: tuple[Units, ...] = ()
    statistics: tuple[str, ...] = ()
    remarked: tuple[str, ...] = ()
    curve: Points | None = None
    overall: bool = True

    def stands(self, by: Scope) -> bool:
        """Whether the slices of a breakdown are among the metric's own, so that they are not told twice."""
        return not self.overall and any(set(by) <= set(columns) for columns in self.slices)
