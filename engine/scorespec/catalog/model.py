"""What a catalog holds, as frozen dataclasses: tables, relations, metrics, suites, kinds, parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from scorespec.errors import Place

Value = bool | int | float | str | tuple[str, ...] | None

LONGEST_CHAIN = 100  # definitions that stand on one another; the compiler goes along a chain by recursion


@dataclass(frozen=True)
class Parameter:
    """A declared parameter: its DuckDB type, default, unit and meaning.

    ``one_of`` lists what is allowed, the limits say between which numbers; ``nullable``: null (None) is a value too;
    ``infinite``: so are ±infinity.
    """

    name: str
    type: str
    default: Value
    about: str
    unit: str | None = None
    one_of: tuple[Value, ...] = ()
    nullable: bool = False
    infinite: bool = False
    at_least: float | None = None
    above: float | None = None
    at_most: float | None = None
    below: float | None = None

    @property
    def limits(self) -> str:
        """What a number must be: ``at least 0 and below 1``; empty without limits."""
        named = {"at least": self.at_least, "above": self.above, "at most": self.at_most, "below": self.below}
        return " and ".join(f"{words} {limit:g}" for words, limit in named.items() if limit is not None)

    def is_within(self, number: float) -> bool:
        """Whether a number keeps to the limits."""
        return (
            (self.at_least is None or number >= self.at_least)
            and (self.above is None or number > self.above)
            and (self.at_most is None or number <= self.at_most)
            and (self.below is None or number < self.below)
        )


@dataclass(frozen=True)
class Column:
    """A column of a table or relation; ``infinite`` and ``nullable`` say what a table lets through.

    ``own`` marks a column of the user's file that no document declares: only breakdowns read it.
    """

    name: str
    type: str = ""
    unit: str | None = None
    about: str = ""
    nullable: bool = False
    infinite: bool = False
    own: bool = False


@dataclass(frozen=True)
class Check:
    """A condition that every row of a table meets; ``says`` tells of a row that does not.

    ``sql`` may use window functions and, for the tables in ``needs``, ``{{ table }}``; ``{column}`` in
    ``says`` stands for the row's value.
    """

    sql: str
    says: str
    needs: tuple[str, ...] = ()


class Origin(Protocol):
    """Where a definition was written: its data after ``extends``, and the place of each part."""

    data: Mapping[str, Any]

    def place(self, *path: str | int, key: bool = False) -> Place:
        """The place of a part of the definition; of the definition itself when no path is given."""


@dataclass(frozen=True)
class Definition:
    """What every named document has: a name within a domain, a meaning, an origin."""

    name: str
    domain: str
    about: str
    origin: Origin = field(repr=False, compare=False, hash=False)


@dataclass(frozen=True)
class Table(Definition):
    """An input: what a row is, what names it (``key``), what a repeated key means, what is refused.

    With ``other_columns``, further columns of an input are read when a breakdown names them. An input may be given in
    several parts where there is a column that tells them apart, ``several``.
    """

    columns: tuple[Column, ...]
    key: tuple[str, ...]
    duplicates: Literal["error", "keep", "merge"]
    checks: tuple[Check, ...]
    formats: tuple[str, ...]
    min_rows: int
    other_columns: bool = False
    several: str | None = None

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def nested(self) -> bool:
        """Whether columns hold lists; then rows may be large, and are read where they are."""
        return any(column.type.endswith("]") for column in self.columns)


@dataclass(frozen=True)
class CountedWarning:
    """Rows of a relation that a convention leaves out: counted where ``sql`` holds, told by ``says``."""

    sql: str
    says: str


@dataclass(frozen=True)
class Refusal:
    """Rows of a relation that cannot be scored: where ``sql`` holds for one, the run ends; ``says`` tells of it.

    ``{column}`` in ``says`` stands for the row's value. With ``input``, the rows have a column ``line`` and come
    from these lines of that input.
    """

    sql: str
    says: str
    input: str | None = None


@dataclass(frozen=True)
class FunctionInput:
    """Python functions that make rows, each of those of the one before; the template of the query that feeds them."""

    functions: tuple[str, ...]
    template: str = field(repr=False)


@dataclass(frozen=True)
class Relation(Definition):
    """A named SQL step: its template, the tables and relations it reads, the parameters it declares.

    ``scoped`` is False for a relation that is the same in every slice and fold. Otherwise it is broken down by the
    columns that all of ``scope_of`` have, or any of ``scope_of_any``. With neither, it is broken down by a column of
    an input that any of ``needs`` has, and by a column of relations that all of them have. With ``fed`` its template
    reads ``{{ rows }}``, what a Python function made. ``warnings`` are told, ``errors`` refuse the run.
    """

    symbol: str | None
    needs: tuple[str, ...]
    params: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    template: str = field(repr=False)
    template_name: str
    fed: FunctionInput | None
    warnings: tuple[CountedWarning, ...]
    errors: tuple[Refusal, ...]
    scoped: bool
    scope_of: tuple[str, ...]
    scope_of_any: tuple[str, ...] | None = None

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


@dataclass(frozen=True)
class Kind(Definition):
    """A way of scoring: one SQL template for the rows that are counted, one schema fragment.

    ``relations`` names the keys of a metric's body that hold relations, ``metrics`` those that hold
    metrics; ``body`` is what a short form stands for.
    """

    short_for: str | None
    relations: tuple[str, ...]
    metrics: tuple[str, ...]
    body: Mapping[str, Any] = field(repr=False, compare=False, hash=False)
    schema: Mapping[str, Any] = field(repr=False, compare=False, hash=False)


@dataclass(frozen=True)
class Metric(Definition):
    """A metric: its kind, the kind's own keys (``body``) and the parameters it sets.

    ``depends_on_row_order`` says that another order of the rows of an input is another score.
    """

    kind: str
    body: Mapping[str, Any] = field(repr=False, compare=False, hash=False)
    params: Mapping[str, Any] = field(hash=False)
    cites: tuple[str, ...]
    depends_on_row_order: bool = False


@dataclass(frozen=True)
class Vary:
    """A parameter whose values are scored one after the other, each a slice.

    Only the first is unless ``input`` is given or the parameter ``param`` is not empty; all are when neither
    is named. Scores call it ``slice``, or else by the parameter's own name.
    """

    values: tuple[Value, ...]
    input: str | None = None
    param: str | None = None
    slice: str | None = None


@dataclass(frozen=True)
class Folds:
    """Scores per fold of ``column``, reported as mean, standard deviation and number of folds.

    The folds are on when ``input`` is given or the parameter ``count`` is above 0; on always when
    neither is named. ``none_left`` is the value when no fold is left: one for all, or one by ``metric`` or
    ``metric.component``, as the suite calls them.
    """

    column: str
    input: str | None
    count: str | None
    undefined: Literal["each", "jointly"]
    none_left: float | Mapping[str, float] | None = field(hash=False)

    def value_of_none(self, metric: str, component: str) -> float | None:
        """The value of a component when no fold is left; None is undefined."""
        if not isinstance(self.none_left, Mapping):
            return self.none_left
        return self.none_left.get(f"{metric}.{component}", self.none_left.get(metric))


@dataclass(frozen=True)
class Suite(Definition):
    """Metrics with their inputs, parameters, evidence and scopes: what one call of ``score`` runs.

    ``aliases`` are metrics by the names that the suite gives them, ``keep`` relations by those of their evidence;
    ``tables`` the tables that its inputs are held to where these are not of the same name; of each list of ``one_of``
    exactly one input is to be given.
    """

    inputs: tuple[str, ...]
    optional: tuple[str, ...]
    metrics: tuple[str, ...]
    params: Mapping[str, Any] = field(hash=False)
    keep: Mapping[str, str] = field(hash=False)
    vary: Mapping[str, Vary] = field(hash=False)
    folds: Folds | None
    cites: tuple[str, ...]
    aliases: Mapping[str, str] = field(default_factory=dict, hash=False)
    tables: Mapping[str, str] = field(default_factory=dict, hash=False)
    one_of: tuple[tuple[str, ...], ...] = ()
