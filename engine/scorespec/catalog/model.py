"""The definitions of a catalog as frozen dataclasses, which also state what documents may say.

A field that is ``Annotated`` with a ``Key`` is a key of documents: ``schema.py`` derives its JSON Schema, and
``build.py`` reads it. A class ``Written`` has the keys from which ``build.py`` computes other fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from scorespec.catalog.documents import WrittenDefinition
from scorespec.catalog.keys import ColumnName, Columns, FullName, Key, Name, Names, Rule, Short, Sql, Texts, only_with
from scorespec.functions.function import RelationFunction

Value = str | int | float | bool | tuple[str, ...] | None  # of a parameter


@dataclass(frozen=True)
class Column:
    """A column of a table or relation.

    ``undeclared`` marks a column of the user's file that no document declares: only breakdowns read it, and what names
    it. ``shared`` marks a column of a breakdown without which rows of one class are in every slice
    (:attr:`Table.class_column`). ``absent`` marks a declared column that `only` reads and the user's files lack.
    """

    name: str = ""  # a document writes the keys of a column below its name
    type: Annotated[str, Key("DuckDB type")] = ""
    unit: Annotated[str | None, Key("unit")] = None
    about: Annotated[str, Key("what it means; the default is the entry of the domain's `columns` with its name")] = ""
    nullable: Annotated[bool, Key("whether a value may be missing or empty")] = False
    infinite: Annotated[bool, Key("whether ±infinity is a legal value")] = False
    booleans: tuple[str, str] | None = None
    undeclared: bool = False
    shared: bool = False
    absent: bool = False


# Names such as INT are refused: types are compared by name, and DuckDB calls the type INTEGER.
_TYPE = r"^(?!(TEXT|STRING|STR|CHAR|INT|INT4|INT8|LONG|BOOL|FLOAT4|FLOAT8)\b)"
_TYPE += r"[A-Z][A-Z0-9_]*(\([0-9]+(, ?[0-9]+)?\))?(\[[0-9]*\])*$"


@dataclass(frozen=True)
class TableColumn(Column):
    """A column of a table, as a document states it."""

    type: Annotated[str, Key("DuckDB type; nested types can only be lists", pattern=_TYPE)] = ""
    booleans: Annotated[tuple[str, str] | None, Key("the texts for true and false, if an input has booleans")] = None


@dataclass(frozen=True)
class Check:
    """A condition that every row of a table must meet."""

    sql: Annotated[Sql, Key("the condition; it may use window functions, and {{ table }} for another table")]
    says: Annotated[str, Key("message about a row that does not meet it; {column} is replaced by the row's value")]
    needs: Annotated[Names, Key("other tables without which the condition is not checked")] = ()
    droppable: Annotated[bool, Key("whether on_bad_row=drop leaves out a row of a submission that fails it")] = False


@dataclass(frozen=True)
class Definition:
    """A definition: its name in a domain, or in one suite of the domain; its meaning; its origin."""

    name: str
    domain: str
    suite: str
    about: Annotated[str, Key("what it is")]
    origin: WrittenDefinition = field(repr=False, compare=False, hash=False)

    @property
    def full_name(self) -> str:
        """``suite.name`` for a definition of one suite, otherwise the bare name."""
        return f"{self.suite}.{self.name}" if self.suite else self.name


@dataclass(frozen=True)
class Deprecation:
    """Why a definition should not be used any more, and what to use in its place."""

    since: Annotated[str, Key("the version since which it is deprecated")]
    use: Annotated[str, Key("what to use in its place")]
    reason: Annotated[str, Key("why")]

    def __str__(self) -> str:
        return f"deprecated since {self.since}: use {self.use} ({self.reason})"


@dataclass(frozen=True)
class Deprecable(Definition):
    """A definition that can be deprecated. Who uses it is warned."""

    deprecated: Annotated[Deprecation | None, Key("since when, what to use in its place, and why")] = field(
        default=None, kw_only=True
    )


PUBLICATION_NAME = r"[a-z][a-z_]*[0-9][a-z0-9_]*"  # authors and year, or program and version
_VENUES = {"article": "journal", "inproceedings": "booktitle", "techreport": "institution", "misc": "howpublished"}


@dataclass(frozen=True, kw_only=True)
class Publication(Definition):
    """A publication or program that `cites` can name, with the fields of an entry of BibTeX."""

    about: Annotated[str, Key("the title, or the program and its version")]
    type: Annotated[Literal["article", "inproceedings", "techreport", "misc"], Key("the type of the entry")] = "misc"
    authors: Annotated[Texts, Key("the authors, the last one may be `others`; an organisation in braces", minItems=1)]
    venue: Annotated[str, Key("journal with volume, proceedings or institution; pages")] = ""
    year: Annotated[int | None, Key("year")] = None
    doi: Annotated[str, Key("DOI")] = ""
    url: Annotated[str, Key("address, if there is no DOI")] = ""

    def cited(self, place: str = "", brief: bool = False) -> str:
        """The entry as a sentence, with a place in it such as a section or equation after the year."""
        *first, last = (name.strip("{}") for name in self.authors)
        others = "others" if brief and len(first) > 1 else last
        named = f"{first[0] if others == 'others' and brief else ', '.join(first)} and {others}" if first else last
        head = ", ".join(filter(None, [f"{named} ({self.year})" if self.year else named, place]))
        link = f"https://doi.org/{self.doi}" if self.doi else self.url
        return ". ".join(filter(None, [head, self.about] + [self.venue, link] * (not brief)))

    @property
    def bibtex(self) -> str:
        """The entry as BibTeX has it."""
        texts = {"author": " and ".join(self.authors), "title": f"{{{self.about}}}", _VENUES[self.type]: self.venue}
        found = {**texts, "year": self.year, "doi": self.doi, "url": "" if self.doi else self.url}
        lines = [f"  {key} = {{{value}}}," for key, value in found.items() if value]
        return "\n".join([f"@{self.type}{{{self.name},", *lines, "}"])


_ACROSS_SUITES = (
    "whether a run of another suite can set it (`calibration`): costs and prior do not change its best value"
)


@dataclass(frozen=True)
class Parameter(Deprecable):
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
    across_suites: Annotated[bool, Key(_ACROSS_SUITES)] = False
    often_set: Annotated[bool, Key("whether people often set it, so that `show` of a metric has it")] = False
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


@dataclass(frozen=True)
class Macro(Definition):
    """An SQL macro: an expression over its parameters. Macros without a domain can be used in every domain."""

    sql: Annotated[Sql, Key("SQL expression over its parameters")]
    params: Annotated[Names, Key("the names of its parameters, as its SQL has them")] = ()


MAIN_COMPONENT = "value"
COUNT = "count"  # the unit of numbers of things, which are whole
DIRECTED = ("higher", "lower")
Better = Literal["higher", "lower", "none"]
Range = tuple[float | None, float | None]  # the least and the greatest value; None without a bound


_PERCENT = "its name in reports and leaderboards, which show it in percent, such as WER (in files, scores are shares)"


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """What a component means: direction, range and unit."""

    about: Annotated[str, Key("what the component is")] = ""
    better: Annotated[Better | None, Key("which values are better")] = None
    range: Annotated[Range | None, Key("the least and the greatest value; null without a bound")] = None
    unit: Annotated[str | None, Key("unit; `count` is that of numbers of things, which are whole")] = None
    of_gold: Annotated[bool, Key("whether it is a property of the gold, so that it has no interval")] = False
    percent: Annotated[str, Key(_PERCENT)] = ""

    @property
    def is_rate(self) -> bool:
        """Whether it is a ratio without a unit, which may be printed as percent. A score from 0 to 100 already is."""
        low, high = self.range or (None, None)
        return self.unit is None and self.better in DIRECTED and (low == 0 or high == 1) and (high or 1) < 100

    @property
    def is_amount(self) -> bool:
        """Whether it may be the size of something: it has a unit that is not one such as 1/h, or no declaration."""
        declared = self.about or self.better or self.range
        return not declared if self.unit is None else "/" not in self.unit


@dataclass(frozen=True)
class ComponentMeaning(Meaning, Definition):
    """The meaning of the components of this name in the metrics of a domain."""


_ORGANISER_ONLY = (
    "whether participants of a challenge cannot give it, although it belongs to a submission: it changes how the "
    "submission is scored"
)
_IN_PLACE_OF = (
    "the optional input whose columns this one, of a submission, also has if that is not given; they are then gold"
)
_WRITTEN_AS = (
    "SQL over other columns of a file that lacks this one; the first of which the file has the columns is taken. "
    "`line` is the number of the row, taken only if no other input is given"
)
_ALSO_IN = "other inputs, each with the format of a file that also has the rows of this one: read if it is not given"
_WITHOUT = "inputs on which the rows that it is about do not depend; `scorespec validate` checks it without them"
_DESCRIBES = (
    "the column whose values the rows describe, a row each; --by and the blocks of intervals may name "
    "any other column of the table"
)
_PARTS = (
    "a column of inputs with the names of parts, such as the segments of a document: a value without a row of its own "
    "is described by the rows of its parts, whose names begin with the value"
)
_CLASS_COLUMN = (
    "the column with the class of a row, one of two: if all rows of one class and no row of the other lack a value in "
    "a column of --by (empty or `-`), these rows are in every slice"
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
    needs_value: Annotated[ColumnName | None, Key("only rows with a value in this column count for min_rows")] = None
    other_columns: Annotated[bool, Key("whether --by, `only` and relations may name columns that are not declared")] = (
        False
    )
    describes: Annotated[ColumnName | None, Key(_DESCRIBES)] = None
    parts: Annotated[ColumnName | None, Key(_PARTS)] = None
    slices: Annotated[Literal["none"] | None, Key("`none`: its rows are the same in every slice")] = None
    class_column: Annotated[ColumnName | None, Key(_CLASS_COLUMN)] = None
    submitted: Annotated[bool, Key("whether it belongs to a submission, in every suite that takes it")] = False
    in_place_of: Annotated[Name | None, Key(_IN_PLACE_OF)] = None
    organiser_only: Annotated[bool, Key(_ORGANISER_ONLY)] = False
    droppable: Annotated[bool, Key("whether on_bad_row=drop leaves out a submitted row with an illegal value")] = False
    divided_into: Annotated[tuple[Name, ...], Key("inputs that its files hold: two texts and a description")] = ()
    also_in: Annotated[Mapping[Name, Name], Key(_ALSO_IN)] = field(default_factory=dict, hash=False)
    written_as: Annotated[Mapping[ColumnName, Texts], Key(_WRITTEN_AS)] = field(default_factory=dict, hash=False)
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
    says: Annotated[str, Key("message about a row; {column} is replaced by the row's value")]
    input: Annotated[Name | None, Key("the input that has the row at the line in the row's column `line`")] = None
    without: Annotated[Names, Key(_WITHOUT)] = ()


_RelationColumn = Annotated[Column, Short(str | None, lambda about: {"about": about or ""})]
_FUNCTION = "a Python function, whose result `sql` reads as {{ rows }}; or several: each reads the previous one"
_SLICES = (
    "the needs that must all have a slice, so that it is one of the relation; `none`: it is the same in every slice"
)
_SUMS = (
    "columns that are added up over the rows of several partitions of the submission that agree in all other columns"
)
_OTHER_COLUMNS = (
    "by input, columns of its file that no document declares and that the SQL reads as text; a run refuses a file "
    "without the column, and without the input all values are NULL"
)
_WITH = "the parameter that fills each setting of the function (the one with the name of the setting)"


@dataclass(frozen=True, kw_only=True)
class Relation(Deprecable):
    """A named SQL step: its template, the tables, relations and parameters that it reads.

    Its template is a query over whole tables. A slice of any of ``needs`` is a slice of the relation, unless ``slices``
    names the needs that must have it; () says that the relation is the same in every slice. With ``function_input`` its
    template reads ``{{ rows }}``, the result of Python functions.
    """

    needs: tuple[str, ...]
    params: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    template: SqlTemplate
    function_input: FunctionInput | None
    symbol: Annotated[str | None, Key("its symbol in the literature")] = None
    warnings: Annotated[tuple[CountedWarning, ...], Key("warnings about its rows")] = ()
    errors: Annotated[tuple[Refusal, ...], Key("errors about its rows, which end the run")] = ()
    slices: Annotated[Names | None, Short(Literal["none"], lambda _: ()), Key(_SLICES)] = None
    begins: Annotated[Names, Key("columns that it computes and by which what reads it can be broken down, too")] = ()
    sums: Annotated[Names, Key(_SUMS)] = ()
    other_columns: Annotated[Mapping[Name, tuple[ColumnName, ...]], Key(_OTHER_COLUMNS)] = field(
        default_factory=dict, hash=False
    )

    @dataclass(frozen=True, kw_only=True)
    class Written:
        sql: Annotated[str, Key("a .sql template, or SQL itself")]
        function: Annotated[Texts, Key(_FUNCTION, beside="input", minItems=1)] = ()
        input: Annotated[str, Key("the rows that the function reads: a .sql template, or SQL", beside="function")] = ""
        with_: Annotated[Mapping[str, Name], Key(_WITH, beside="function")] = field(default_factory=dict)
        columns: Annotated[Mapping[Name, _RelationColumn], Key("its columns")] = field(default_factory=dict)
        needs: Annotated[Names, Key("tables and relations that it reads and whose names are not in its SQL")] = ()
        params: Annotated[Names, Key("parameters that it reads and whose names are not in its SQL")] = ()

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def templates(self) -> Mapping[str, SqlTemplate]:
        """Its templates by key."""
        inputs = {"input": self.function_input.template} if self.function_input else {}
        return {**inputs, "sql": self.template}

    @cached_property
    def settings(self) -> tuple[str, ...]:
        """The parameters that fill the settings of its functions."""
        calls = self.function_input.calls if self.function_input else ()
        return tuple(name for call in calls for name in call.arguments.values())

    @property
    def differs_by_slice(self) -> bool:
        """Whether slices and folds can have different rows of it."""
        return self.slices != ()


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


_CITES = (
    "its sources: `name` or `name, place` of an entry of `publications`; a text that does not begin with such a name, "
    "letters and a number, is printed as it is"
)


_SYMBOLS = (
    "what each symbol of `equation` is here; what is in backticks is the name of a statistic, component, parameter, "
    "relation, table, column or metric"
)


_ONLY = (
    "an SQL condition on rows of inputs: the metric is that of a corpus that has only these rows. It filters each "
    "given input with all its columns. A mapping has a condition by input, and filters these inputs alone"
)
_Conditions = Annotated[Mapping[Name, Sql], Rule(minProperties=1), Short(Sql, lambda sql: {"": sql})]


@dataclass(frozen=True, kw_only=True)
class Metric(Deprecable):
    """A metric: its kind, the kind's own keys (``body``) and the parameters it sets.

    ``only`` are conditions by input; the name '' stands for each input that has the columns of the condition.
    """

    kind: Annotated[str, Key("how the metric is scored")]
    body: Mapping[str, Any] = field(repr=False, compare=False, hash=False)
    params: Annotated[Mapping[str, Value], Key("values of the parameters that its relations read")] = field(
        default_factory=dict, hash=False
    )
    cites: Annotated[Texts, Key(_CITES)] = ()
    equation: Annotated[Texts, Key("the published equations, in LaTeX")] = ()
    differs: Annotated[str, Key("how it differs from the metrics of its name in other suites")] = ""
    symbols: Annotated[Mapping[str, str], Key(_SYMBOLS, beside="equation")] = field(default_factory=dict, hash=False)
    depends_on_row_order: Annotated[bool, Key("whether scores depend on the order of an input's rows")] = False
    better: Annotated[Better | None, Key("which values of the component `value` are better")] = None
    range: Annotated[Range | None, Key("the least and the greatest value of the component `value`")] = None
    percent: Annotated[str, Key(f"of the component `value`: {_PERCENT}")] = ""
    meanings: Annotated[Mapping[str, Meaning], Key("what components mean, unless as in the domain")] = field(
        default_factory=dict, hash=False
    )
    resample: Annotated[Resample | None, Key("how its scores are resampled, if not as the suite says")] = None
    only: Annotated[_Conditions, Key(_ONLY)] = field(default_factory=dict, hash=False)

    def meaning(self, component: str) -> Meaning:
        """What the metric itself says about a component."""
        main = Meaning(better=self.better, range=self.range, percent=self.percent)
        return self.meanings.get(component, main if component == MAIN_COMPONENT else Meaning())


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
_KEEP_WITH = "evidence that is kept only if a metric is scored: the metric by the name of the evidence"
_CALIBRATION = "parameters that a run can take from the scores of another run: the metric.component with the value"
_POINTS = "the reference points that `scorespec reference-points` scores, in this order"
_SUBMITTED = (
    "inputs that belong to a submission, with the tables that say so (their key `submitted`); without this key, those "
    "that reference points fill"
)
_PRIMARY = (
    "the main scores, each as metric.component, the most important one first; without it, `value` of the first metric"
)
_CONFORMS_TO = "the programs, each with its version, whose scores the suite has; `agreement` has a record of each"
_DESCRIBE = "the metrics of `scorespec describe`: they describe the corpus, and need no submission"


_PARTITIONS = (
    "a column of all submitted inputs: rows with different values are scored independently, up to sums (--on). Gold "
    "inputs and relations of the gold that have the column are divided in the same way; others are given whole"
)
_WHOLE_WITH = "parameters, each with the value with which the submission is not divided into partitions"


@dataclass(frozen=True, kw_only=True)
class Suite(Deprecable):
    """A suite: metrics with their inputs, parameters, evidence, varied parameters and folds."""

    inputs: Annotated[Columns, Key("the tables to be given")]
    optional: Annotated[Names, Key("tables that may be given")] = ()
    one_of: Annotated[
        tuple[Choices, ...], Key("lists of optional tables; exactly one of each list is to be given")
    ] = ()
    metrics: Annotated[tuple[str, ...], Key("the metrics it reports, in this order", minItems=1)]
    params: Annotated[Mapping[str, Value], Key("values of parameters")] = field(default_factory=dict, hash=False)
    keep: Annotated[
        Kept,
        Key(
            "relations kept as evidence, or the relations by the name of their evidence; an input is kept, if it is "
            "given, with all of its columns"
        ),
    ] = field(default_factory=dict, hash=False)
    vary: Annotated[Mapping[str, Varied], Key("parameters that are varied, each with its values")] = field(
        default_factory=dict, hash=False
    )
    folds: Annotated[Folds | None, Key("the folds over which scores are averaged")] = None
    cites: Annotated[Texts, Key(_CITES)] = ()
    order: Annotated[int, Key("`show` of a metric prefers the suite with the least number")] = 100
    based_on: Annotated[Name | None, Key("the suite in which names are looked up that this one does not define")] = None
    conforms_to: Annotated[Texts, Key(_CONFORMS_TO)] = ()
    page: Annotated[str | None, Key("its page in the documentation")] = None
    only_with: Annotated[Mapping[str, Name], Key(_ONLY_WITH)] = field(default_factory=dict, hash=False)
    keep_with: Annotated[Mapping[Name, Name], Key(_KEEP_WITH)] = field(default_factory=dict, hash=False)
    calibration: Annotated[Mapping[Name, _COMPONENT], Key(_CALIBRATION)] = field(default_factory=dict, hash=False)
    layouts: Mapping[str, ScoreLayout] = field(default_factory=dict, hash=False)
    primary: Annotated[tuple[_COMPONENT, ...], Key(_PRIMARY)] = ()
    describe: Annotated[tuple[str, ...], Key(_DESCRIBE, minItems=1)] = ()
    reference_points: Mapping[str, ReferencePoint] = field(default_factory=dict, hash=False)
    submitted: frozenset[str] = frozenset()
    resample: Annotated[Resample | None, Key("how the scores of its metrics are resampled (--confidence)")] = None
    partitions: Annotated[ColumnName | None, Key(_PARTITIONS)] = None
    whole_with: Annotated[Mapping[Name, Value], Key(_WHOLE_WITH, beside="partitions")] = field(
        default_factory=dict, hash=False
    )
    matched_pairs: Annotated[PairedErrors | None, Key("the errors of the matched-pairs test (scorespec compare)")] = (
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


_BLOCKS = "columns that name independent units; a unit is in the block of the first column in which it has a value"
_FROM = "a relation that has columns of `blocks` that the units lack; its other columns are columns of the units"
_METHOD = (
    "bootstrap: blocks are drawn with replacement, if scores are computed from sums over blocks; "
    "jackknife: groups of blocks are left out of the inputs in turn, as for all other scores"
)
_ROWS = (
    "a relation with the columns of `blocks` and all that the metric reads, whose rows are resampled instead of those "
    "of the relation `from` of the metric, because `from` has added up rows of several blocks"
)


@dataclass(frozen=True)
class PairedErrors:
    """The errors over which two systems are compared by the matched-pairs test.

    The relation has the columns `position` and `errors`. Correct words have odd positions, but no rows.
    """

    errors: Annotated[
        Name, Key("a relation of `keep` with the errors: columns position, errors and those of `sentence`")
    ]
    sentence: Annotated[Columns, Key("columns that name a sentence; no pair of segments reaches into two sentences")]


@dataclass(frozen=True)
class Resample:
    """The blocks of units that a resample draws or leaves out together, and the method of resampling."""

    blocks: Annotated[Columns, Key(_BLOCKS)] = ()
    from_: Annotated[Name | None, Key(_FROM)] = None
    rows: Annotated[Name | None, Key(_ROWS)] = None
    method: Annotated[Literal["bootstrap", "jackknife"], Key(_METHOD)] = "bootstrap"


@dataclass(frozen=True)
class SqlTemplate:
    """The SQL of a relation, or the text of a layout, with Jinja in it.

    ``name`` is the name of its file, as the document writes it. ``home`` is the folder of the document: files that the
    template imports are looked for there, then among those that ship. ``file`` is the path that messages show, and
    ``above`` the number of lines above the template in this file. ``name`` is '' for a template that is in the document
    itself, and ``file``, too, if its lines are not those of the document.
    """

    name: str
    text: str = field(repr=False)
    home: Path
    file: str = ""
    above: int = 0

    def at(self, line: int) -> str:
        """The place of a line of the template; '' if its file is not known."""
        return f"{self.file}:{self.above + line}" if self.file and line else ""


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


Rows = Mapping[Name, tuple[tuple[Any, ...], ...]]  # by table


@dataclass(frozen=True)
class Case:
    """A case: rows of tables, and the components expected of them."""

    about: Annotated[str, Key("what the case shows, and how its numbers come about")]
    example: Annotated[Name | None, Key("rows of `examples` to start from")] = None
    tables: Annotated[Rows, Key("rows by table; they replace those of the example")] = field(default_factory=dict)
    params: Annotated[Mapping[str, Value], Key("values of parameters")] = field(default_factory=dict)
    slice: Annotated[Mapping[str, Any], Key("the group whose scores are meant, such as {speaker: ann} (all rows)")] = (
        field(default_factory=dict)
    )
    expect: Annotated[
        Mapping[str, float | str | None],
        Key("components and their values; a text is a fraction worth reading, such as 2/3", minProperties=1),
    ] = field(default_factory=dict)
    slices_differ: Annotated[
        str | None, Key("why slices differ from the scores of their rows alone; they are not compared")
    ] = None
    oracle: Annotated[str | None, Key("hand-written SQL over the input tables: one row of components")] = None
    tags: Annotated[Texts, Key("the published places that the case reproduces, such as `NIST 2006, Eq 3`")] = ()
    printed: Annotated[
        Mapping[str, float | str],
        Key("the published numbers by component, with the decimals that are printed", beside="tags", minProperties=1),
    ] = field(default_factory=dict)
    differs: Annotated[str | None, Key("why a published number is not the score", beside="printed")] = None


@dataclass(frozen=True)
class Agreement:
    """How many scores of a suite, of those that were compared on some data, equal the scores of a program."""

    conforms_to: Annotated[str, Key("the program, as the suite names it under `conforms_to`")]
    data: Annotated[str, Key("the data on which scores were compared")]
    size: Annotated[str, Key("the size of the data")]
    source: Annotated[str, Key("where the data and the scores of the program come from")]
    compared: Annotated[int, Key("the number of scores that were compared", minimum=1)]
    equal: Annotated[int, Key("the number of these scores that are equal", minimum=0)]
    tolerance: Annotated[float, Key("the greatest difference of equal scores; 0 for equal numbers", minimum=0)]
    differs: Annotated[Texts, Key("why the other scores differ, each reason with the number of scores")] = ()


Bounds = tuple[float | None, float | None]


@dataclass(frozen=True)
class Axis:
    """An axis of a figure: the column whose values it shows, and how."""

    column: Annotated[ColumnName, Key("the column of the query with the values")]
    label: Annotated[str, Key("what the values are (the name of the column)")] = ""
    unit: Annotated[str | None, Key("unit; with `%` the values are shares, and 0.05 is shown as 5")] = None
    scale: Annotated[
        Literal["linear", "log", "probit"], Key("the scale; probit is that of the normal distribution, for shares")
    ] = "linear"
    range: Annotated[Bounds | None, Key("the ends of the axis; null where the values decide")] = None

    @property
    def name(self) -> str:
        """What the values are: the label, or the name of the column."""
        return self.label or self.column

    @property
    def bounds(self) -> Bounds:
        """The ends of the axis; None where the values decide."""
        return self.range or (None, None)


@dataclass(frozen=True)
class Guides:
    """Thin lines for orientation, such as those of equal value."""

    sql: Annotated[Sql, Key("SQL of their points: the columns of both axes, and the column `label`")]
    needs: Annotated[Names, Key("the tables of the results database that the SQL reads")] = ()


@dataclass(frozen=True)
class Heading:
    """A column of a table of a report."""

    label: Annotated[str, Key("the heading")]
    unit: Annotated[str | None, Key("unit; with `%` the values are shares, and 0.05 is shown as 5")] = None


Shape = Literal["lines", "points", "dots", "bars", "spans", "matrix", "table", "texts"]
# The keys that a figure of each kind must have.
REQUIRED: Mapping[Shape, tuple[str, ...]] = {
    "lines": ("x", "y"),
    "points": ("x", "y"),
    "dots": ("x", "label"),
    "bars": ("x", "label"),
    "spans": ("x", "until", "label"),
    "matrix": ("x", "y", "value"),
    "table": (),
    "texts": ("above", "below", "wrong"),
}
_AxisOrColumn = Annotated[Axis, Short(ColumnName, lambda column: {"column": column})]
_HeadingOrLabel = Annotated[Heading, Short(str, lambda label: {"label": label})]
_KIND = (
    "how rows are shown: lines through points, points, dots or bars in rows, spans of time or of another axis in rows, "
    "a matrix of cells, a table, or texts, one above the other"
)
_SQL = "a .sql file, or SQL itself: a query over the results database, whose tables have only rows of the runs shown"
_LABEL = "the column that names a dot, a bar, a span or a point; dots, bars and spans of one name are in one row"
_SERIES = "the columns whose values tell lines, dots, bars or spans apart; values of `run` are shown as names of runs"
_GROUP = "the columns that name a text; the texts of all runs with this name are on one card (all columns)"
_MOST = (
    "the largest number of rows that are shown; of dots, bars, spans, points and cells, the largest number for each run"
)
_PANELS = (
    "the column that divides a figure of lines, points, spans or cells into panels; each value has axes of its own "
    "and is the heading; of spans, a page shows one panel at a time, and colours are the values of `series`"
)
_MARK = "the column with names of single points, such as best; a point without a name has NULL"
_ALONE = "the column that is true for a named point that the line does not pass through"
_VALUE = "the value of a cell of a matrix; in a table, rows that differ in `run` and this column alone are one row"
_WRONG = "the column that says whether a pair of words is an error"


@dataclass(frozen=True, kw_only=True)
class Plot:
    """How rows are shown: the keys of a figure without those of its SQL."""

    about: Annotated[str, Key("what it shows, and how to read it")]
    title: Annotated[str, Key("its heading")]
    kind: Annotated[Shape, Key(_KIND)]
    x: Annotated[_AxisOrColumn | None, Key("the horizontal axis; the columns of a matrix")] = None
    y: Annotated[_AxisOrColumn | None, Key("the vertical axis; the rows of a matrix")] = None
    until: Annotated[ColumnName | None, Key("the column with the ends of spans; they begin at the values of x")] = None
    label: Annotated[ColumnName | None, Key(_LABEL)] = None
    series: Annotated[Names, Key(_SERIES)] = ("run",)
    low: Annotated[
        ColumnName | None, Key("the column with the lower ends of intervals or of a band", beside="high")
    ] = None
    high: Annotated[
        ColumnName | None, Key("the column with the upper ends of intervals or of a band", beside="low")
    ] = None
    panels: Annotated[ColumnName | None, Key(_PANELS)] = None
    equal: Annotated[bool, Key("whether both axes have the same ends and the same length, as in a DET curve")] = False
    mark: Annotated[ColumnName | None, Key(_MARK)] = None
    alone: Annotated[ColumnName | None, Key(_ALONE, beside="mark")] = None
    guides: Annotated[Guides | None, Key("thin lines for orientation")] = None
    value: Annotated[_AxisOrColumn | None, Key(_VALUE)] = None
    beside: Annotated[_AxisOrColumn | None, Key("a number that is written beside each row of dots or bars")] = None
    columns: Annotated[Mapping[ColumnName, _HeadingOrLabel], Key("headings of columns of a table (their names)")] = (
        field(default_factory=dict, hash=False)
    )
    group: Annotated[Columns | None, Key(_GROUP)] = None
    above: Annotated[ColumnName | None, Key("the column with the upper words of texts")] = None
    below: Annotated[ColumnName | None, Key("the column with the lower words of texts")] = None
    wrong: Annotated[ColumnName | None, Key(_WRONG)] = None


@dataclass(frozen=True, kw_only=True)
class Figure(Plot, Definition):
    """A figure or a table of a report: SQL over a results database, and how its rows are shown."""

    sql: SqlTemplate
    needs: Annotated[Names, Key("the tables of the results database that the SQL reads")] = ()
    runs: Annotated[int | None, Key("the number of runs that it compares (any number)", minimum=1)] = None
    most: Annotated[int | None, Key(_MOST, minimum=1)] = None
    leaves_out: Annotated[str, Key("which rows the SQL leaves out, in words")] = ""

    @dataclass(frozen=True, kw_only=True)
    class Written:
        sql: Annotated[str, Key(_SQL)]
