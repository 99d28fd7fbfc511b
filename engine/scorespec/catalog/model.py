"""The definitions of a catalog as frozen dataclasses, which also state what documents may say.

A field that is ``Annotated`` with a ``Key`` is a key of documents: ``schema.py`` derives its JSON Schema, and
``build.py`` reads it. A class ``Written`` has the keys from which ``build.py`` computes other fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal

from scorespec.catalog.entry import Entry
from scorespec.catalog.folds import Folds
from scorespec.catalog.keys import ColumnName, Columns, Key, Name, Names, Rule, Short, Sql, Texts, only_with
from scorespec.catalog.resampling import MatchedPairs, Resample
from scorespec.catalog.templates import FunctionInput, SqlTemplate

Value = str | int | float | bool | tuple[str, ...] | None  # of a parameter


@dataclass(frozen=True)
class Column:
    """A column of a table or relation.

    ``undeclared`` marks a column of the user's file that no document declares: only breakdowns read it.
    """

    name: str = ""  # a document writes the keys of a column below its name
    type: Annotated[str, Key("DuckDB type")] = ""
    unit: Annotated[str | None, Key("unit")] = None
    about: Annotated[str, Key("what it means; the default is the entry of the domain's `columns` with its name")] = ""
    nullable: Annotated[bool, Key("whether a value may be missing or empty")] = False
    infinite: Annotated[bool, Key("whether ±infinity is a legal value")] = False
    booleans: tuple[str, str] | None = None
    undeclared: bool = False


_TYPE = r"^[A-Z][A-Z0-9_]*(\([0-9]+(, ?[0-9]+)?\))?(\[[0-9]*\])*$"


@dataclass(frozen=True)
class TableColumn(Column):
    """A column of a table, as a document states it."""

    type: Annotated[str, Key("DuckDB type; nested types can only be lists", pattern=_TYPE)] = ""
    booleans: Annotated[tuple[str, str] | None, Key("the texts for true and false, if an input has booleans")] = None


@dataclass(frozen=True)
class Check:
    """A condition that every row of a table must meet."""

    sql: Annotated[Sql, Key("the condition; it may use window functions, and {{ table }} for each table in `needs`")]
    says: Annotated[str, Key("message about a row that does not meet it; {column} stands for the row's value")]
    needs: Annotated[Names, Key("other tables that the condition reads")] = ()
    droppable: Annotated[bool, Key("whether on_bad_row=drop leaves out a row of a submission that fails it")] = False


@dataclass(frozen=True)
class Definition:
    """A definition: its name in a domain, or in one suite of the domain; its meaning; its origin."""

    name: str
    domain: str
    suite: str
    about: Annotated[str, Key("what it is")]
    origin: Entry = field(repr=False, compare=False, hash=False)

    @property
    def full_name(self) -> str:
        """``suite.name`` for a definition of one suite, otherwise the bare name."""
        return f"{self.suite}.{self.name}" if self.suite else self.name


@dataclass(frozen=True)
class Parameter(Definition):
    """A parameter of a domain."""

    type: Annotated[Literal["DOUBLE", "BIGINT", "BOOLEAN", "VARCHAR", "VARCHAR[]"], Key("DuckDB type")]
    default: Annotated[Value, Key("value if none is set")]
    unit: Annotated[str | None, Key("unit")] = None
    one_of: Annotated[tuple[str | float, ...], Key("the allowed values", minItems=2)] = ()
    nullable: Annotated[bool, Key("whether null is a legal value")] = False
    infinite: Annotated[bool, Key("whether ±infinity is a legal value")] = False
    at_least: Annotated[float | None, Key("the least value")] = None
    above: Annotated[float | None, Key("every value is above it")] = None
    at_most: Annotated[float | None, Key("the greatest value")] = None
    below: Annotated[float | None, Key("every value is below it")] = None
    sets: Annotated[Mapping[str, Mapping[str, Value]], Key("for a value, those of other parameters that it sets")] = (
        field(default_factory=dict, hash=False)
    )

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

    unit: Annotated[str | None, Key("unit")] = None
    same_as: Annotated[ColumnName | None, Key("a column that has the same value in every row that has both")] = None
    unless: Annotated[Name | None, Key("a parameter; if true, the values are not the same", beside="same_as")] = None


@dataclass(frozen=True)
class Macro(Definition):
    """An SQL macro: an expression over its parameters. Macros without a domain can be used in every domain."""

    sql: Annotated[Sql, Key("SQL expression over its parameters")]
    params: Annotated[Names, Key("the names of its parameters, as its SQL has them")] = ()


MAIN_COMPONENT = "value"
COUNT = "count"  # the unit of numbers of things, which are whole
Better = Literal["higher", "lower", "none"]
Range = tuple[float | None, float | None]  # the least and the greatest value; None without a bound


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """What a component means: direction, range and unit."""

    about: Annotated[str, Key("what the component is")] = ""
    better: Annotated[Better | None, Key("which values are better")] = None
    range: Annotated[Range | None, Key("the least and the greatest value; null without a bound")] = None
    unit: Annotated[str | None, Key("unit; `count` is that of numbers of things, which are whole")] = None


@dataclass(frozen=True)
class ComponentMeaning(Meaning, Definition):
    """The meaning of the components of this name in the metrics of a domain."""


_WITHOUT = "inputs on which the rows that it is about do not depend; `scorespec validate` checks it without them"
_DESCRIBES = (
    "the column whose values the rows describe, a row each; --by and the blocks of intervals may name "
    "any other column of the table"
)
_RULES = [only_with("VARCHAR", "booleans"), only_with("DOUBLE", "infinite")]
_TypedColumn = Annotated[TableColumn, Rule(required=["type"], allOf=_RULES)]


@dataclass(frozen=True)
class Table(Definition):
    """An input: its columns, the key of a row, the meaning of a repeated key, the conditions of a row."""

    columns: tuple[Column, ...]
    key: Annotated[Columns, Key("the columns that identify a row (all columns)")] = ()
    duplicates: Annotated[Literal["error", "keep", "merge"], Key("what a repeated key means")] = "error"
    checks: Annotated[tuple[Check, ...], Key("conditions that every row must meet")] = ()
    formats: Annotated[tuple[str, ...], Key("file formats, the default first")] = ()
    min_rows: Annotated[int, Key("the least number of rows", minimum=0)] = 0
    other_columns: Annotated[bool, Key("whether --by may name columns of the input that are not declared")] = False
    describes: Annotated[ColumnName | None, Key(_DESCRIBES)] = None
    droppable: Annotated[
        bool, Key("whether on_bad_row=drop leaves out a row of a submission with a missing or illegal value")
    ] = False
    part_column: Annotated[Name | None, Key("the column with the name of the part, if an input has several")] = None
    manifest: Annotated[bool, Key("whether it is no input of suites, but what `validate --manifest` reads")] = False

    @dataclass(frozen=True)
    class Written:
        columns: Annotated[Mapping[ColumnName, _TypedColumn], Key("its columns", minProperties=1)]

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def may_drop(self) -> bool:
        """Whether there are rows at fault that can be left out."""
        return self.droppable or any(check.droppable for check in self.checks)

    @property
    def nested(self) -> bool:
        """Whether columns have lists. Then rows may be large, and are read in place."""
        return any(column.type.endswith("]") for column in self.columns)


@dataclass(frozen=True)
class CountedWarning:
    """A warning about the rows of a relation that satisfy a condition."""

    sql: Annotated[Sql, Key("the condition")]
    says: Annotated[str, Key("message: {count} of {rows} …; {column} lists the values of these rows")]
    submissions_only: Annotated[bool, Key("whether runs of reference points are without this warning")] = False
    without: Annotated[Names, Key(_WITHOUT)] = ()


@dataclass(frozen=True)
class Refusal:
    """An error about the rows of a relation that satisfy a condition: if there are any, the run ends.

    ``input`` can also name a relation that returns one of several inputs unchanged.
    """

    sql: Annotated[Sql, Key("the condition")]
    says: Annotated[str, Key("message about a row; {column} stands for the row's value")]
    input: Annotated[Name | None, Key("the input that has the row at the line in the row's column `line`")] = None
    without: Annotated[Names, Key(_WITHOUT)] = ()


_RelationColumn = Annotated[Column, Short(str | None, lambda about: {"about": about or ""})]
_FUNCTION = "a Python function, whose result `sql` reads as {{ rows }}; or several, each of which reads the one before"
ROWS, WHOLE = "rows", "whole"  # as documents write it in place of a column: rows can be divided in any way; in no way
_SPLIT = (
    "how it can be divided among parts: by any one of these columns, of all needs that have it; by columns of some "
    "needs; by `rows`, if each row of the need gives rows of its own; `whole`: not even by columns of a breakdown"
)
_SplitWay = ColumnName | Mapping[Name, ColumnName]
_WITH = "the parameter that fills each setting of the function (the one with the name of the setting)"


@dataclass(frozen=True, kw_only=True)
class Relation(Definition):
    """A named SQL step: its template, the tables and relations it reads, the parameters it declares.

    Without ``scope_of`` and ``scope_of_any``, a relation is broken down by a column of an input that any of ``needs``
    has, and by a column of relations that all of them have. With ``function_input`` its template reads ``{{ rows }}``,
    the result of Python functions.
    """

    params: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    template: SqlTemplate
    function_input: FunctionInput | None
    symbol: Annotated[str | None, Key("its symbol in the literature")] = None
    needs: Annotated[Names, Key("the tables and relations it reads")] = ()
    warnings: Annotated[tuple[CountedWarning, ...], Key("warnings about its rows")] = ()
    errors: Annotated[tuple[Refusal, ...], Key("errors about its rows, which end the run")] = ()
    scoped: Annotated[bool, Key("whether it differs between slices and folds")] = True
    scope_of: Annotated[Names, Key("it is broken down by the columns that all of these needs have")] = ()
    scope_of_any: Annotated[Names | None, Key("it is broken down by the columns that any of these needs has")] = None
    split_by: tuple[str | Mapping[str, str], ...] = field(default=(), hash=False)
    sums: Annotated[Names, Key("columns that are added up over rows of parts that agree in all others")] = ()

    @dataclass(frozen=True, kw_only=True)
    class Written:
        split_by: Annotated[tuple[_SplitWay, ...], Short(_SplitWay, lambda way: (way,)), Key(_SPLIT)] = ()
        sql: Annotated[str, Key("a .sql template, or SQL itself")]
        function: Annotated[Texts, Key(_FUNCTION, beside="input", minItems=1)] = ()
        input: Annotated[str, Key("the rows that the function reads: a .sql template, or SQL", beside="function")] = ""
        with_: Annotated[Mapping[str, Name], Key(_WITH, beside="function")] = field(default_factory=dict)
        columns: Annotated[Mapping[Name, _RelationColumn], Key("its columns")] = field(default_factory=dict)
        params: Annotated[Names, Key("the parameters that its SQL, or its function, reads")] = ()

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


@dataclass(frozen=True, kw_only=True)
class Kind(Definition):
    """A kind of metric, with the JSON Schema of its keys."""

    short_for: Annotated[Name | None, Key("the kind that has the keys of `body`, if this is a short form of it")] = None
    relations: Annotated[tuple[str, ...], Key("the keys of a metric whose values are relations: from, given.from")] = ()
    metrics: Annotated[tuple[str, ...], Key("the keys of a metric whose values are metrics by short name")] = ()
    body: Annotated[Mapping[str, Any], Key("keys of `short_for`; their texts are templates over the metric's keys")] = (
        field(default_factory=dict, repr=False, compare=False, hash=False)
    )
    schema: Annotated[Mapping[str, Any], Key("JSON Schema of the keys that a metric of this kind has")] = field(
        repr=False, compare=False, hash=False
    )


@dataclass(frozen=True, kw_only=True)
class Metric(Definition):
    """A metric: its kind, the kind's own keys (``body``) and the parameters it sets."""

    kind: Annotated[str, Key("how the metric is scored")]
    body: Mapping[str, Any] = field(repr=False, compare=False, hash=False)
    params: Annotated[Mapping[str, Value], Key("values of the parameters that its relations read")] = field(
        default_factory=dict, hash=False
    )
    cites: Annotated[Texts, Key("the publications that define it")] = ()
    depends_on_row_order: Annotated[bool, Key("whether scores depend on the order of an input's rows")] = False
    better: Annotated[Better | None, Key("which values of the component `value` are better")] = None
    range: Annotated[Range | None, Key("the least and the greatest value of the component `value`")] = None
    meanings: Annotated[Mapping[str, Meaning], Key("what components mean, unless as in the domain")] = field(
        default_factory=dict, hash=False
    )
    resample: Annotated[Resample | None, Key("how its scores are resampled, if not as the suite says")] = None

    def meaning(self, component: str) -> Meaning:
        """What the metric itself says about a component."""
        main = Meaning(better=self.better, range=self.range) if component == MAIN_COMPONENT else Meaning()
        return self.meanings.get(component, main)


@dataclass(frozen=True)
class Vary:
    """A parameter that is varied: its metrics are scored with each of its values, each in a slice."""

    values: Annotated[tuple[Value, ...], Key("its values", minItems=1)]
    input: Annotated[Name | None, Key("an input; unless it is given, only the first value is used")] = None
    param: Annotated[Name | None, Key("a parameter; if false or empty, only the first value is used")] = None
    slice: Annotated[Name | None, Key("the name of the slice (that of the parameter)")] = None


Varied = Annotated[Vary, Short(Annotated[tuple[Value, ...], Rule(minItems=1)], lambda values: {"values": values})]


@dataclass(frozen=True)
class ScoreLayout:
    """A format of the scores of a suite: the text of a Jinja template, and the metrics that it shows."""

    about: Annotated[str, Key("what it is")]
    template: SqlTemplate
    metrics: Annotated[tuple[str, ...], Key("the metrics that the template shows; a run must score them", minItems=1)]

    @dataclass(frozen=True)
    class Written:
        template: Annotated[str, Key("the file of the template, beside the document or below it")]


_MADE = "for each input of a submission, the relation that has its rows; null leaves the input out"


@dataclass(frozen=True)
class ReferencePoint(Definition):
    """A reference point: a submission whose rows relations compute from the other inputs, such as the gold itself.

    Its scores show what scores of real submissions can be compared with.
    """

    inputs: Annotated[Mapping[Name, Name | None], Key(_MADE, minProperties=1)] = field(hash=False)
    input: Annotated[Name | None, Key("an optional input; unless it is given, this point is not scored")] = None


Choices = Annotated[Names, Rule(minItems=2)]
Kept = Annotated[Mapping[Name, Name], Short(Names, lambda names: {name: name for name in names})]
_COMPONENT = Annotated[str, Rule(pattern=r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$")]  # metric.component
_LAYOUT = Annotated[Name, Rule(**{"not": {"enum": ["table", "json", "csv"]}})]  # the formats of every suite
_ONLY_WITH = "metrics that are scored, unless they are asked for, only if a parameter is set (not null)"
_CALIBRATION = "parameters that a run can take from the scores of another run: the metric.component with the value"
_POINTS = "the reference points that `scorespec reference-points` scores, in this order"
_SUBMITTED = "the inputs that belong to a submission; without this key, those that reference points fill"
_PRIMARY = (
    "the main scores, each as metric.component, the most important one first; without it, `value` of the first metric"
)
_DESCRIBE = "the metrics of `scorespec describe`: they describe the corpus, and need no submission"


@dataclass(frozen=True, kw_only=True)
class Suite(Definition):
    """A suite: metrics with their inputs, parameters, evidence, varied parameters and folds."""

    inputs: Annotated[Columns, Key("the tables to be given")]
    optional: Annotated[Names, Key("tables that may be given")] = ()
    one_of: Annotated[
        tuple[Choices, ...], Key("lists of optional tables; exactly one of each list is to be given")
    ] = ()
    metrics: Annotated[tuple[str, ...], Key("the metrics it reports, in this order", minItems=1)]
    params: Annotated[Mapping[str, Value], Key("values of parameters")] = field(default_factory=dict, hash=False)
    keep: Annotated[Kept, Key("relations kept as evidence; or the relations by the name of their evidence")] = field(
        default_factory=dict, hash=False
    )
    vary: Annotated[Mapping[str, Varied], Key("parameters that are varied, each with its values")] = field(
        default_factory=dict, hash=False
    )
    folds: Annotated[Folds | None, Key("the folds over which scores are averaged")] = None
    cites: Annotated[Texts, Key("the publications that define it")] = ()
    based_on: Annotated[Name | None, Key("the suite in which names are looked up that this one does not define")] = None
    page: Annotated[str | None, Key("its page in the documentation")] = None
    only_with: Annotated[Mapping[str, Name], Key(_ONLY_WITH)] = field(default_factory=dict, hash=False)
    calibration: Annotated[Mapping[Name, _COMPONENT], Key(_CALIBRATION)] = field(default_factory=dict, hash=False)
    layouts: Mapping[str, ScoreLayout] = field(default_factory=dict, hash=False)
    primary: Annotated[tuple[_COMPONENT, ...], Key(_PRIMARY)] = ()
    describe: Annotated[tuple[str, ...], Key(_DESCRIBE, minItems=1)] = ()
    reference_points: Mapping[str, ReferencePoint] = field(default_factory=dict, hash=False)
    submitted: frozenset[str] = frozenset()
    resample: Annotated[Resample | None, Key("how the scores of its metrics are resampled (--confidence)")] = None
    matched_pairs: Annotated[MatchedPairs | None, Key("the errors of the matched-pairs test (scorespec compare)")] = (
        None
    )
    report: Annotated[Names, Key("the figures and tables of its reports, in the order in which they are shown")] = ()

    @dataclass(frozen=True)
    class Written:
        layouts: Annotated[Mapping[_LAYOUT, ScoreLayout], Key("further formats of the scores (--format)")] = field(
            default_factory=dict
        )
        reference_points: Annotated[Names, Key(_POINTS)] = ()
        submitted: Annotated[Names, Key(_SUBMITTED)] = ()
