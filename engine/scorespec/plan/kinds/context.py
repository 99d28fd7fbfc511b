"""What the templates of ``sql/kinds/`` read: a dataclass for each template, whose fields are its variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar

from scorespec.core.groups import grouped
from scorespec.errors import Place
from scorespec.plan.plan import StepRole
from scorespec.plan.rendering.render import render
from scorespec.plan.rendering.templates import Reference, header, shipped_sql
from scorespec.plan.scopes import Scope

Expressions = Mapping[str, str]  # SQL by the name of the column that it computes


class Context:
    """The variables of one template. A subclass is a frozen dataclass that names its template below ``sql/kinds/``.

    ``role`` is the role of the step with the SQL of the template.
    """

    template: ClassVar[str]
    role: ClassVar[StepRole | None]

    @property
    def added(self) -> Scope | None:
        """The columns that are added up over rows of several partitions that agree in all others; None if none can."""
        return None

    def __init_subclass__(cls, *, template: str, role: StepRole | None = None) -> None:
        cls.template, cls.role = f"kinds/{template}", role

    def sql(self, place: Place | str) -> str:
        """The SQL of the template. A fault of the template is reported at ``place``, the metric's document."""
        return render(shipped_sql(self.template), dict(_fields_of(self)), place)

    def explained(self) -> str:
        """What the template says of itself."""
        return header(shipped_sql(self.template))

    def tables(self) -> list[Reference]:
        """The tables and relations that the template can read."""
        return list(dict.fromkeys(_references_in(self)))


def _fields_of(found: Any) -> Iterator[tuple[str, Any]]:
    for field in fields(found):
        yield field.name, getattr(found, field.name)


def _references_in(value: object) -> Iterator[Reference]:
    if isinstance(value, Reference):
        yield value
    elif is_dataclass(value):
        for _, each in _fields_of(value):
            yield from _references_in(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from _references_in(each)


@dataclass(frozen=True)
class Subquery:
    """A query in parentheses that stands where the name of a relation could, with what it reads."""

    sql: str
    reads: tuple[Reference, ...]

    def __str__(self) -> str:
        return self.sql


@dataclass(frozen=True)
class Breakdown:
    """The columns by which the rows of a metric are broken down, and the table of statistics per unit to be summed."""

    columns: Scope
    units: Reference | Subquery


@dataclass(frozen=True)
class Slices:
    """The slices of a metric: what the macros of ``shared/slices.sql`` read.

    ``by`` are the columns of the scope. ``label_columns`` are those that the label of a slice shows, each with its name
    in the label: all but the fold. ``varied`` is the fixed part of the label: SQL literals by name. ``breakdowns`` are
    the breakdown without columns, unless ``overall`` is false, and the standing slices; ``columns`` are the columns of
    all breakdowns. ``scopes`` is a table of all values of the scope columns, or None without a scope.

    With ``mean``, the components are first computed for each unit, whose columns are ``unit``, and then averaged.
    ``kept`` are the columns of the unit that the sums of a unit keep.
    """

    by: Scope
    label_columns: tuple[tuple[str, str], ...]
    varied: tuple[tuple[str, str], ...]
    breakdowns: tuple[Breakdown, ...]
    columns: Scope
    overall: bool
    scopes: Reference | None
    mean: bool
    unit: Scope
    kept: Scope

    @property
    def keys(self) -> Scope:
        """The columns that, with the number of the breakdown, identify a row of sums."""
        return tuple(dict.fromkeys((*self.by, *self.columns, *self.kept)))


class SummedRows:
    """A context whose template computes ``statistics`` of rows, which are added up over partitions."""

    statistics: Expressions

    @property
    def added(self) -> Scope:
        return tuple(self.statistics)


@dataclass(frozen=True)
class Given:
    """Values that the components read from a relation: what the macros of ``shared/components.sql`` join to the sums.

    ``name`` is that of the relation, ``columns`` are the columns with the values, ``keys`` pairs of a column of the
    relation and a column of the sums.
    """

    relation: Reference
    columns: tuple[str, ...]
    keys: tuple[tuple[str, str], ...]
    name: str


@dataclass(frozen=True)
class Note:
    """What a note says of components if a condition on the sums and the values of `given` holds."""

    sql: str
    says: str


@dataclass(frozen=True)
class StatisticsPerUnit(SummedRows, Context, template="shared/units.sql", role="unit statistics"):
    """Of the rows that meet the condition ``where``, if there is one, the statistics for each value of ``keys``.

    ``units`` is a relation of all units, or None. It has the keys ``units_keys`` and lacks ``other_keys``; the tables
    ``listed`` have all values of these.
    """

    rows: Reference | Subquery
    where: str | None
    keys: Scope
    statistics: Expressions
    units: Reference | None
    units_keys: Scope
    other_keys: Scope
    listed: tuple[Reference, ...]


@dataclass(frozen=True)
class SumsOfBlocks(Context, template="shared/block_sums.sql"):
    """``sums`` over the units of each block in each slice. The units of ``slices`` have the column unit_block."""

    slices: Slices
    sums: Expressions

    @property
    def added(self) -> Scope:
        return tuple(self.sums)


@dataclass(frozen=True)
class ScopeValues(Context, template="shared/scopes.sql", role="slices"):
    """All values of the scope ``columns`` in the tables and relations where they come from."""

    columns: Scope
    origins: tuple[Reference, ...]

    @property
    def added(self) -> Scope:
        return ()


@dataclass(frozen=True)
class ReplicateRows(Context, template="shared/replicates.sql"):
    """The components of a metric in each replicate and slice. The other fields are those of MetricRows."""

    wide: Subquery
    components: tuple[str, ...]
    remarked: tuple[str, ...]
    fold: str | None
    jointly: bool
    none_left: Expressions
    standing: bool


@dataclass(frozen=True)
class MetricRows:
    """The rows of a metric in `scores`.

    ``position`` is that of the metric in the run; ``variant`` is 0 for the slices of the suite, and counts the
    breakdowns by ``--by`` from 1. ``wide`` is the table of scores. Those of ``components`` that are
    ``remarked`` can have a remark although they are defined. ``fold`` is the column of the folds, or None, and
    ``fold_label`` is its name in slices. With ``jointly``, a fold with an undefined component is left out for all
    components. ``none_left`` has the value of each component if no fold is left. ``overall`` is the slice of the whole
    input, which has a row even without folds, or None in a ``--by``. ``standing`` says that the suite itself already
    has the slices of this ``--by``.
    """

    position: int
    variant: int
    metric: str
    wide: Reference
    components: tuple[str, ...]
    remarked: tuple[str, ...]
    fold: str | None
    fold_label: str | None
    jointly: bool
    none_left: Expressions
    overall: str | None
    standing: bool


@dataclass(frozen=True)
class ScoreRows(Context, template="shared/rows.sql"):
    """The rows of metrics in `scores`. With ``each_fold``, each fold has a row, too.

    ``by_fold`` has the metrics with each column of folds, after the column and its name in slices. Both are None for
    metrics without folds.
    """

    by_fold: tuple[tuple[str | None, str | None, tuple[MetricRows, ...]], ...]
    each_fold: bool

    @classmethod
    def of(cls, metrics: Iterable[MetricRows], each_fold: bool = False) -> ScoreRows:
        """The rows of some metrics."""
        by_fold = grouped(((each.fold, each.fold_label), each) for each in metrics)
        return cls(tuple((*fold, tuple(found)) for fold, found in by_fold.items()), each_fold)
