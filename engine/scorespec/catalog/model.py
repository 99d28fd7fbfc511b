"""The definitions of a catalog as frozen dataclasses: tables, relations, metrics, suites, kinds, parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol

from scorespec.errors import Place
from scorespec.functions.base import RelationFunction

Value = bool | int | float | str | tuple[str, ...] | None

LONGEST_CHAIN = 100  # of definitions that refer to each other; the compiler follows a chain by recursion


@dataclass(frozen=True)
class Column:
    """A column of a table or relation; ``infinite`` and ``nullable`` say which values a table allows.

    ``booleans`` are the texts for true and false, if an input has booleans.
    ``undeclared`` marks a column of the user's file that no document declares: only breakdowns read it.
    """

    name: str
    type: str = ""
    unit: str | None = None
    about: str = ""
    nullable: bool = False
    infinite: bool = False
    booleans: tuple[str, str] | None = None
    undeclared: bool = False


@dataclass(frozen=True)
class Check:
    """A condition that every row of a table must meet; ``says`` is the message about a row that does not.

    ``sql`` may use window functions and, for the tables in ``needs``, ``{{ table }}``; ``{column}`` in
    ``says`` stands for the row's value.
    """

    sql: str
    says: str
    needs: tuple[str, ...] = ()


class Origin(Protocol):
    """The origin of a definition: its data after ``extends``, and the place of each part."""

    data: Mapping[str, Any]

    @property
    def parent(self) -> Origin | None:
        """The definition that this one extends; None if there is none."""

    @property
    def source(self) -> str:
        """The text of the definition in its document."""

    def place(self, *path: str | int, key: bool = False) -> Place:
        """The place of a part of the definition; without a path, of the definition itself."""


@dataclass(frozen=True)
class Definition:
    """A definition: its name in a domain, or in one suite of the domain; its meaning; its origin."""

    name: str
    domain: str
    suite: str
    about: str
    origin: Origin = field(repr=False, compare=False, hash=False)

    @property
    def full_name(self) -> str:
        """``suite.name`` for a definition of one suite, otherwise the bare name."""
        return f"{self.suite}.{self.name}" if self.suite else self.name


@dataclass(frozen=True)
class Parameter(Definition):
    """A parameter of a domain: its DuckDB type, default and unit.

    ``one_of`` lists the allowed values and the limits bound a number. ``nullable`` allows null (None), ``infinite``
    allows ±infinity. ``sets`` has, for some values, the values that they give to other parameters.
    """

    type: str
    default: Value
    unit: str | None = None
    one_of: tuple[Value, ...] = ()
    nullable: bool = False
    infinite: bool = False
    at_least: float | None = None
    above: float | None = None
    at_most: float | None = None
    below: float | None = None
    sets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)

    @property
    def limits(self) -> str:
        """The limits in words: ``at least 0 and below 1``; empty without limits."""
        named = {"at least": self.at_least, "above": self.above, "at most": self.at_most, "below": self.below}
        return " and ".join(f"{words} {limit:g}" for words, limit in named.items() if limit is not None)

    def is_within(self, number: float) -> bool:
        """Whether a number is within the limits."""
        return (
            (self.at_least is None or number >= self.at_least)
            and (self.above is None or number > self.above)
            and (self.at_most is None or number <= self.at_most)
            and (self.below is None or number < self.below)
        )


@dataclass(frozen=True)
class ColumnMeaning(Definition):
    """The meaning and unit of the columns of this name in all tables and relations of a domain."""

    unit: str | None = None


@dataclass(frozen=True)
class Macro(Definition):
    """An SQL macro: an expression over its parameters. Macros without a domain can be used in every domain."""

    params: tuple[str, ...]
    sql: str


COUNT = "count"  # the unit of numbers of things, which are whole
Better = Literal["higher", "lower", "none"]
Range = tuple[float | None, float | None]  # the least and the greatest value; None without a bound


@dataclass(frozen=True)
class ComponentMeaning(Definition):
    """The meaning of the components of this name in the metrics of a domain: direction, range and unit."""

    better: Better | None = None
    range: Range | None = None
    unit: str | None = None


@dataclass(frozen=True)
class Table(Definition):
    """An input: its columns, the key of a row, the meaning of a repeated key, the conditions of a row.

    With ``other_columns``, a breakdown may name columns that the table does not declare. An input may be given in parts
    if the table has a ``part_column``, which has the name of the part in each row.
    """

    columns: tuple[Column, ...]
    key: tuple[str, ...]
    duplicates: Literal["error", "keep", "merge"]
    checks: tuple[Check, ...]
    formats: tuple[str, ...]
    min_rows: int
    other_columns: bool = False
    part_column: str | None = None

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def nested(self) -> bool:
        """Whether columns have lists. Then rows may be large, and are read in place."""
        return any(column.type.endswith("]") for column in self.columns)


@dataclass(frozen=True)
class CountedWarning:
    """A warning about the rows of a relation for which ``sql`` holds; ``says`` is its message."""

    sql: str
    says: str


@dataclass(frozen=True)
class Refusal:
    """An error about the rows of a relation for which ``sql`` holds: if there are any, the run ends.

    ``says`` is the message; ``{column}`` in it stands for the value of the row. With ``input``, the column ``line`` of
    the relation is the line of that input from which the row comes. A relation that returns one of several inputs
    unchanged stands for that input.
    """

    sql: str
    says: str
    input: str | None = None


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


@dataclass(frozen=True)
class Relation(Definition):
    """A named SQL step: its template, the tables and relations it reads, the parameters it declares.

    ``scoped`` is False for a relation that is the same in every slice and fold. Otherwise it is broken down by the
    columns that all of ``scope_of`` have, or any of ``scope_of_any``. With neither, it is broken down by a column of
    an input that any of ``needs`` has, and by a column of relations that all of them have. With ``function_input``
    its template reads ``{{ rows }}``, the result of Python functions. ``errors`` end the run.
    """

    symbol: str | None
    needs: tuple[str, ...]
    params: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    template: SqlTemplate
    function_input: FunctionInput | None
    warnings: tuple[CountedWarning, ...]
    errors: tuple[Refusal, ...]
    scoped: bool
    scope_of: tuple[str, ...]
    scope_of_any: tuple[str, ...] | None = None

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


@dataclass(frozen=True)
class Kind(Definition):
    """A kind of metric, with the JSON Schema of its keys.

    ``relations`` and ``metrics`` are the keys of a metric's body whose values are relations and metrics. A short form
    (``short_for``) has a ``body`` with the keys that it stands for.
    """

    short_for: str | None
    relations: tuple[str, ...]
    metrics: tuple[str, ...]
    body: Mapping[str, Any] = field(repr=False, compare=False, hash=False)
    schema: Mapping[str, Any] = field(repr=False, compare=False, hash=False)


@dataclass(frozen=True)
class Metric(Definition):
    """A metric: its kind, the kind's own keys (``body``) and the parameters it sets.

    ``meanings`` are the meanings of its components where the domain does not declare them, or declares others.
    ``depends_on_row_order`` says that scores depend on the order of the rows of an input.
    """

    kind: str
    body: Mapping[str, Any] = field(repr=False, compare=False, hash=False)
    params: Mapping[str, Any] = field(hash=False)
    cites: tuple[str, ...]
    depends_on_row_order: bool = False
    meanings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Vary:
    """A parameter that is varied: its metrics are scored with each of its values, each in a slice.

    If ``input`` or ``param`` is set, only the first value is used unless that input is given or that parameter is
    neither false nor empty. The slices have the name ``slice``, or else that of the parameter.
    """

    values: tuple[Value, ...]
    input: str | None = None
    param: str | None = None
    slice: str | None = None


@dataclass(frozen=True)
class Folds:
    """Scores per fold of ``column``, reported as mean, standard deviation and number of folds.

    Folds are used if ``input`` is given or the parameter ``count`` is above 0; always if neither is set. ``none_left``
    is the value of a component that is defined in no fold: one value for all, or one for each ``metric`` or
    ``metric.component``.
    """

    column: str
    input: str | None
    count: str | None
    undefined: Literal["each", "jointly"]
    none_left: float | Mapping[str, float] | None = field(hash=False)

    def value_of_none(self, metric: str, component: str) -> float | None:
        """The value of a component that is defined in no fold; None is undefined."""
        if not isinstance(self.none_left, Mapping):
            return self.none_left
        return self.none_left.get(f"{metric}.{component}", self.none_left.get(metric))


@dataclass(frozen=True)
class ScoreLayout:
    """A format of the scores of a suite: the text of a Jinja template, and the metrics that it shows."""

    about: str
    template: SqlTemplate
    metrics: tuple[str, ...]


@dataclass(frozen=True)
class ReferencePoint:
    """A trivial submission: ``inputs`` maps each input of a submission to the relation that has its rows.

    An input that is mapped to None is left out. With ``input``, it is scored only if that optional input is given.
    """

    about: str
    inputs: Mapping[str, str | None]
    input: str | None = None


@dataclass(frozen=True)
class Suite(Definition):
    """A suite: metrics with their inputs, parameters, evidence, varied parameters and folds.

    ``keep`` maps the name of each evidence table to its relation. Exactly one input of each list in ``one_of`` must be
    given. A name that the suite does not define is looked up in the suite ``based_on``, then in the domain. ``page`` is
    the page of the suite in the docs. The metrics in ``only_with`` are scored only if a parameter is set, unless they
    are asked for. ``calibration`` maps each parameter that a run can take from another run to ``metric.component``.
    ``layouts`` are further formats of the scores, by name. ``describe`` are the metrics that describe the corpus.
    ``reference_points`` are trivial submissions by name.
    """

    inputs: tuple[str, ...]
    optional: tuple[str, ...]
    metrics: tuple[str, ...]
    params: Mapping[str, Any] = field(hash=False)
    keep: Mapping[str, str] = field(hash=False)
    vary: Mapping[str, Vary] = field(hash=False)
    folds: Folds | None
    cites: tuple[str, ...]
    one_of: tuple[tuple[str, ...], ...] = ()
    based_on: str | None = None
    page: str | None = None
    only_with: Mapping[str, str] = field(default_factory=dict, hash=False)
    calibration: Mapping[str, str] = field(default_factory=dict, hash=False)
    layouts: Mapping[str, ScoreLayout] = field(default_factory=dict, hash=False)
    describe: tuple[str, ...] = ()
    reference_points: Mapping[str, ReferencePoint] = field(default_factory=dict, hash=False)

    @property
    def submitted(self) -> frozenset[str]:
        """The inputs that belong to a submission, as far as reference points name them."""
        return frozenset(name for point in self.reference_points.values() for name in point.inputs)
