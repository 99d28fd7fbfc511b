"""What every kind of metric has: a setup in which it is scored, its steps, and the tables that it ends in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from scorespec.catalog.model import Metric, Parameter
from scorespec.errors import Place, SpecError
from scorespec.plan.kinds.context import Context
from scorespec.plan.parameters import Layer, Values, decided, text_literal
from scorespec.plan.plan import Step
from scorespec.plan.relations import Relations, hashed
from scorespec.plan.rendering.templates import Reference, quoted
from scorespec.plan.resampling.blocks import Blocks
from scorespec.plan.resampling.interval_sql import ResampledScores, ResampledSweep
from scorespec.plan.scopes import Scope


@dataclass(frozen=True)
class Setup:
    """What a metric is scored in: the values of the ``declared`` parameters, and the columns of its scope.

    The ``layers`` set the values, the strongest last. ``varied`` are the names of the varied parameters in the slices
    of scores.
    """

    declared: Mapping[str, Parameter]
    layers: Sequence[Layer]
    by: Scope = ()
    fold: str | None = None
    varied: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def values(self) -> Values:
        """The value of each parameter."""
        return {name: value for name, (value, _) in decided(self.declared, self.layers).items()}

    @property
    def fixed(self) -> Values:
        """The fixed part of a slice: the values of varied parameters by their names in scores."""
        return {shown: self.values[name] for name, shown in self.varied.items()}

    def of(self, layers: Iterable[Layer]) -> Setup:
        """The setup with the values that a metric and its call set."""
        return replace(self, layers=(*self.layers, *layers))

    def without(self, name: str) -> Setup:
        """The setup without the values of a parameter that metrics and calls set."""
        layers = [
            (origin, {key: value for key, value in layer.items() if key != name or origin not in ("metric", "call")})
            for origin, layer in self.layers
        ]
        return replace(self, layers=layers)

    @property
    def scope(self) -> Scope:
        return (*((self.fold,) if self.fold else ()), *self.by)


@dataclass(frozen=True)
class Units:
    """A table of statistics per unit and per value of ``slice_columns``; only rows that meet ``where`` count."""

    table: Reference
    unit: tuple[str, ...]
    slice_columns: tuple[str, ...]
    where: str = ""
    blocks: Blocks | None = None


@dataclass(frozen=True)
class CurvePoints:
    """The points of the curve of a metric: a query, and the tables that it reads.

    The columns of the query are the scope columns; slice (JSON); rank, threshold, mark; and ``columns``, each DOUBLE.
    ``banded`` are the components whose intervals are kept, the optimised component first.
    """

    sql: str
    reads: frozenset[str]
    columns: tuple[str, ...]
    banded: tuple[str, ...]


@dataclass(frozen=True)
class ScoredMetric:
    """The tables of a metric in one setup: ``wide`` has a row per slice, ``units`` a row per unit (none for a formula).

    ``wide`` has the scope columns; scope and slice (JSON); breakdown (the number of the slicing in ``slices``, 0 for
    none); the components; note (why a component may be undefined). For the components ``remarked`` it also has a
    remark, which is shown whether the component is defined or not. With ``overall`` there is a row over all slices.
    ``resampled`` is None if no replicates are asked for, or if the metric cannot be computed from sums of blocks.
    """

    wide: Reference
    components: tuple[str, ...]
    slices: tuple[Scope, ...]
    units: tuple[Units, ...] = ()
    statistics: tuple[str, ...] = ()
    remarked: tuple[str, ...] = ()
    curve: CurvePoints | None = None
    overall: bool = True
    resampled: ResampledScores | ResampledSweep | None = None

    def has_slices_of(self, by: Scope) -> bool:
        """Whether the metric reports the slices of a breakdown anyway."""
        return not self.overall and any(set(by) <= set(columns) for columns in self.slices)


@dataclass(frozen=True, eq=False)
class Steps:
    """The steps of one metric in one setup; they are added to ``relations``."""

    relations: Relations
    metric: Metric
    setup: Setup

    def add(self, context: Context, part: str, suffix: str = "", view: bool = False) -> Reference:
        """Add the step of a template. Its table has the metric's name and a suffix; ``part`` says what is in it.

        A ``view`` is computed where it is read, which is only one step.
        """
        sql = context.sql(self.place)
        step = Step(
            hashed(self.metric.name + suffix, sql),
            sql,
            "metric",
            self.relations.prefix + self.metric.name,
            part,
            str(self.place),
            self.metric.about,
            frozenset(reads(context, sql)),
            view,
            explained=context.explained(),
            values=self.setup.values,
            scope=self.setup.scope,
            sums=context.added,
            role=context.role,
        )
        return Reference(self.relations.add(step))

    @property
    def place(self) -> Place:
        """Where the metric is defined."""
        return self.metric.origin.place()

    def fault(self, message: str, *path: str | int) -> SpecError:
        """A fault of the metric's document, at the value with this path."""
        return SpecError(message, self.metric.origin.place(*path))


def reads(context: Context, sql: str) -> list[str]:
    """The names of the tables that the SQL of a template reads; a template may leave a table of its context out."""
    return [table.physical for table in context.tables() if quoted(table.physical) in sql]


def labelled(pairs: Iterable[tuple[str, str]]) -> str:
    """SQL expressions with their names, as one JSON object."""
    return f"json_object({', '.join(f'{text_literal(name)}, {sql}' for name, sql in pairs)})"
