"""A plan: the steps from input tables to scores, as data."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from scorespec.catalog.model import (
    COUNT,
    Column,
    Macro,
    Meaning,
    PairedErrors,
    Range,
    ScoreLayout,
    Table,
    Value,
)
from scorespec.core.disclosure import ALL, Disclosure
from scorespec.core.groups import grouped
from scorespec.functions.function import RelationFunction
from scorespec.plan.parameters import show_value
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.request import Asked
from scorespec.plan.resampling.interval_sql import JackknifedScores, Resampling

StepKind = Literal["table", "relation", "metric"]
# What is special about a step: it counts the rows of a metric's relation; has the slices of a breakdown; or has an
# input before rows without a value in a column, which are in every slice, are repeated.
StepRole = Literal["unit statistics", "slices", "shared rows"]


@dataclass(frozen=True)
class FunctionRows:
    """The result of a chain of Python functions; SQL reads it under its ``name``.

    The first function reads the rows of a query, each later one the rows of its predecessor. Each function is called
    with the values of its settings. ``whole`` is the query over whole tables, which ``sql`` may compute for each slice.
    """

    name: str
    calls: tuple[tuple[RelationFunction, Mapping[str, Value]], ...] = field(hash=False)
    sql: str
    whole: str = field(default="", compare=False, hash=False)

    @property
    def shown(self) -> str:
        """The functions in words, each with the values of its settings."""
        return "the Python function " + ", then ".join(_shown(function.name, values) for function, values in self.calls)


@dataclass(frozen=True)
class Step:
    """One CREATE statement: ``physical`` is its name with the hash of its SQL, ``reads`` the tables that it reads.

    ``name`` is the input or relation that the step computes, or the metric to which it belongs. ``detail`` is the
    symbol of a relation, or says what a step of a metric has, such as ``scores``; nothing depends on this text. A step
    has a ``role`` if the engine treats it in a special way. ``place`` says where the step is defined,
    ``about`` and ``explained`` what its rows are and how they are computed. ``values`` are the parameters that it
    depends on, ``scope`` the columns by which it is broken down, ``columns`` those that a relation declares,
    or the column of shared rows. ``only`` are the conditions on the inputs behind a relation.
    ``function_rows`` is the result of Python functions that its SQL reads. ``whole`` is the query of a relation over
    whole tables; ``sql`` may compute it for each slice.

    If the submission is in partitions, rows of several partitions that agree in all columns but ``sums`` are added up;
    None if the rows of the step cannot be added up. A step ``of_whole`` needs the whole submission (`slices: none`).
    """

    physical: str
    sql: str
    kind: StepKind
    name: str
    detail: str
    place: str
    about: str
    reads: frozenset[str] = frozenset()
    view: bool = False
    function_rows: FunctionRows | None = None
    explained: str = ""
    values: Mapping[str, Value] = field(default_factory=dict, compare=False, hash=False)
    scope: tuple[str, ...] = ()
    columns: tuple[Column, ...] = field(default=(), compare=False, hash=False)
    whole: str = field(default="", compare=False, hash=False)
    sums: tuple[str, ...] | None = field(default=None, compare=False, hash=False)
    of_whole: bool = field(default=False, compare=False, hash=False)
    only: tuple[str, ...] = field(default=(), compare=False, hash=False)
    role: StepRole | None = None

    @property
    def label(self) -> str:
        """What the step is, for people."""
        return f"{self.kind} {self.name}{f', {self.detail}' if self.detail else ''}"

    @property
    def statement(self) -> str:
        """The SQL statement of the step."""
        return f"CREATE {'VIEW' if self.view else 'TABLE'} {quoted(self.physical)} AS\n{self.sql}"


@dataclass(frozen=True)
class Evidence:
    """Evidence: its name, the table in the work database, the query of its rows, and the slice of these rows."""

    name: str
    physical: str
    sql: str
    varied: Mapping[str, Value] = field(default_factory=dict, hash=False)


def ends_of(component: str) -> tuple[str, str]:
    """The columns of `curves` with the ends of the intervals of a component that is not the optimised one."""
    return f"{component}_low", f"{component}_high"


@dataclass(frozen=True)
class Curve:
    """The curve of a metric: the query of its points, which has the columns of `curves`, and the tables it reads.

    ``banded`` are the components whose intervals are kept, the optimised component first. In the query, the columns of
    the intervals of the others are NULL.
    """

    metric: str
    sql: str
    reads: frozenset[str]
    place: str
    banded: tuple[str, ...]


@dataclass(frozen=True)
class _Message:
    """A message about rows of a ``relation`` that ``sql`` finds. They do not depend on the inputs ``without``."""

    physical: str
    relation: str
    sql: str
    columns: tuple[str, ...]
    says: str
    place: str
    without: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Count(_Message):
    """A warning that counts rows: ``sql`` has one row (count, rows, a list of the values of each of ``columns``).

    If the count is above 0, the warning is the message ``says`` with these numbers and values. With
    ``submissions_only``, runs of reference points do not have the warning. Without a ``relation``, it counts slices.
    """

    submissions_only: bool = False


@dataclass(frozen=True)
class Refused(_Message):
    """An error that ends the run: ``sql`` has the first rows at fault of each part of an input.

    Its columns are the part, the line, values of ``columns``, and the number of all rows of the part. The line is one
    of the file of ``input``; it is NULL without an input. The part is NULL if the rows do not name it.
    """

    input: str | None = None


@dataclass(frozen=True)
class Reported:
    """A component that the scores of a metric have, with its meaning, in a slice of varied parameters.

    If ``by_rows``, its scores are in further slices, whose values are those of rows. ``place`` is that of the metric.
    """

    metric: str
    component: str
    slice: Mapping[str, Value]
    meaning: Meaning
    by_rows: bool
    place: str = ""

    @property
    def bounds(self) -> Range:
        """The least and the greatest value that is possible; a count without a range is at least 0."""
        return self.meaning.range or ((0, None) if self.meaning.unit == COUNT else (None, None))


Notice = TypeVar("Notice", Count, Refused)


def first_of_each(of_suites: Iterable[Iterable[Notice]]) -> Iterator[Notice]:
    """The warnings or errors of suites, once for a step that two suites share."""
    seen: set[tuple[str, str]] = set()
    for each in of_suites:
        new = [notice for notice in each if (notice.physical, notice.sql) not in seen]
        seen.update((notice.physical, notice.sql) for notice in new)
        yield from new


@dataclass(frozen=True)
class Signature:
    """What pins scores, as ``long`` text with every parameter that they depend on, and ``short`` with those of the run.

    The other parameters are those of the suite. Two runs with equal short signatures have equal long ones, because both
    have ``documents``: a hash of all that is written about the suites, and the versions of the plugins that they use.
    ``plugins`` are the versions of all plugins that were loaded, by name.
    """

    long: str
    short: str
    documents: str
    plugins: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class ResultQuery:
    """A query of results, and the tables that it reads."""

    sql: str
    reads: frozenset[str]


NO_SCORES = ResultQuery("SELECT NULL AS scores", frozenset())


@dataclass(frozen=True)
class InputRoles:
    """What a run knows of its inputs in addition to their tables: the names of some.

    ``submitted`` belong to a submission. Rows of the inputs ``droppable`` are left out if they fail a droppable check.
    Only the scores of breakdowns depend on the inputs ``of_slices``. ``in_place_of`` has, by the name of a submitted
    input, the table of the gold that was not given and whose columns it has.
    """

    required: tuple[str, ...] = ()
    submitted: frozenset[str] = frozenset()
    droppable: frozenset[str] = frozenset()
    of_slices: frozenset[str] = frozenset()
    in_place_of: Mapping[str, Table] = field(default_factory=dict, hash=False)

    def gold_in(self, name: str, table: Table) -> Table | None:
        """The ``table`` of an input with those of its columns that are gold; None if it has none."""
        if name not in self.submitted:
            return table
        if (gold := self.in_place_of.get(name)) is None:
            return None
        columns = (each for each in table.columns if each.undeclared or each.name in gold.column_names)
        return replace(table, columns=tuple(columns))


@dataclass(frozen=True)
class Notices:
    """What a run says: errors that end it, warnings that count rows, and warnings that are known before it begins."""

    refused: tuple[Refused, ...] = ()
    counts: tuple[Count, ...] = ()
    warnings: tuple[str, ...] = ()

    def of(self, steps: Collection[str]) -> Notices:
        """The notices without errors and warnings about rows of other steps."""
        counts = tuple(each for each in self.counts if each.physical in steps)
        return replace(self, counts=counts, refused=tuple(each for each in self.refused if each.physical in steps))


@dataclass(frozen=True)
class ScoreMeanings:
    """What the scores of a run mean.

    ``reported`` are their components, in order; ``better`` has those with a direction: metric, component, and which
    values are better. ``counted`` are the components that count something, each with its metric. ``primary`` are the
    main scores, ``matched_pairs`` the evidence of that test. ``row_ordered`` are the metrics whose scores depend on the
    order of rows. ``layouts`` are the formats of the suite in which scores can be printed, by name.
    """

    reported: tuple[Reported, ...] = field(default=(), hash=False)
    better: tuple[tuple[str, str, str], ...] = ()
    counted: frozenset[tuple[str, str]] = frozenset()
    primary: tuple[str, ...] = ()
    matched_pairs: PairedErrors | None = None
    row_ordered: tuple[str, ...] = ()
    layouts: Mapping[str, ScoreLayout] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Plan:
    """Everything that a run needs, before a database is opened.

    ``about`` says what the suite is, ``metrics`` are those that it scores, in order. ``tables`` are the inputs that it
    reads. ``scores`` and ``unit_statistics`` are the queries of these results. ``asked`` is what the user asks for.
    ``disclosure`` says what may leave the run. ``resampling`` says how scores are resampled for
    intervals.
    """

    suite: str
    about: str
    identity: Signature
    parameters: Mapping[str, Value] = field(hash=False)
    metrics: tuple[str, ...]
    tables: tuple[Table, ...]
    macros: tuple[Macro, ...]
    steps: tuple[Step, ...]
    scores: ResultQuery
    inputs: InputRoles = InputRoles()
    meanings: ScoreMeanings = ScoreMeanings()
    notices: Notices = Notices()
    unit_statistics: tuple[ResultQuery, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    curves: tuple[Curve, ...] = ()
    disclosure: Disclosure = ALL
    asked: Asked = field(default=Asked({}), hash=False)
    resampling: Resampling = field(default_factory=Resampling)

    def tables_read(self) -> tuple[Table, ...]:
        """The inputs that some step reads."""
        read = {name for step in self.steps for name in step.reads}
        return tuple(table for table in self.tables if table.name in read)

    def texts(self) -> list[str]:
        """All SQL of a run: its SELECTs, and the checks of its tables."""
        return [*self.selects(), *(check.sql for table in self.tables for check in table.checks)]

    def selects(self) -> list[str]:
        """The SELECTs of a run: of its steps, its results, its warnings and errors."""
        steps = [
            text for step in self.steps for text in (step.sql, step.function_rows and step.function_rows.sql) if text
        ]
        results = [self.scores.sql]
        for each in (self.unit_statistics, self.evidence, self.curves, self.notices.counts, self.notices.refused):
            results += [one.sql for one in each]
        return [*steps, *results, *self.resampling.selects()]

    def describing(self) -> tuple[Table, ...]:
        """The inputs that describe the rows of others and that a breakdown or the key `only` of a metric reads."""
        by, described = {column for step in self.steps for column in step.scope}, described_by(self.steps)
        return tuple(
            each
            for each in self.tables
            if each.describes and (each.name in described or by & {*each.column_names} - {each.describes})
        )

    def sources_of(self) -> dict[str, tuple[str, ...]]:
        """For each step, the names of the inputs and relations that it reads."""
        names = {table.name: table.name for table in self.tables}
        names |= {each.physical: each.name for each in self.steps if each.kind == "relation"}
        return {
            step.physical: tuple(sorted({names[read] for read in step.reads if read in names})) for step in self.steps
        }

    def inputs_behind(self) -> dict[str, frozenset[str]]:
        """For each input and each step, the inputs that it is made from."""
        behind = {table.name: frozenset((table.name,)) for table in self.tables}
        for step in self.steps:
            behind[step.physical] = frozenset().union(*(behind.get(name, frozenset()) for name in step.reads))
        return behind

    def last_reads(self) -> dict[str, list[str]]:
        """For each step, the tables of inputs and steps that no later step reads."""
        return last_reads(self.steps, self.finals())

    def with_needed_steps(self) -> Plan:
        """The plan without steps, and their warnings and errors, that do not contribute to its results."""
        needed = self._with_reads(self.finals())
        steps = tuple(step for step in self.steps if step.physical in needed)
        return replace(self, steps=steps, notices=self.notices.of(needed))

    @property
    def checks(self) -> tuple[Refused | Count, ...]:
        """The errors and warnings of relations."""
        return (*self.notices.refused, *(each for each in self.notices.counts if each.relation))

    def only_checks(self, checks: Collection[Count | Refused]) -> Plan:
        """The plan that makes some of its :attr:`checks`, and neither scores nor evidence."""
        needed = self._with_reads({each.physical for each in checks})
        return replace(
            self._only_scores(NO_SCORES),
            steps=tuple(step for step in self.steps if step.physical in needed),
            notices=replace(
                self.notices,
                counts=tuple(each for each in self.notices.counts if each in checks),
                refused=tuple(each for each in self.notices.refused if each in checks),
            ),
        )

    def without_blocks(self, scores: JackknifedScores) -> Plan:
        """The plan of some scores for inputs without some blocks: only steps whose rows may then be others."""
        changed = self.made_from(scores.inputs)
        needed = self._with_reads(set(scores.reads)) & changed
        steps = tuple(step for step in self.steps if step.physical in needed)
        notices = replace(self.notices.of({step.physical for step in steps}), counts=())
        return replace(self._only_scores(ResultQuery(scores.sql, scores.reads)), steps=steps, notices=notices)

    def _only_scores(self, scores: ResultQuery) -> Plan:
        """The plan with a query of scores as its only result."""
        return replace(self.without_results(), scores=scores)

    def without_results(self) -> Plan:
        """The plan without what a run keeps in addition to its scores."""
        resampling = replace(self.resampling, scores=(), sweeps=(), jackknifed=())
        return replace(self, unit_statistics=(), evidence=(), curves=(), resampling=resampling)

    def made_from(self, names: Collection[str]) -> set[str]:
        """Some tables, and the tables of all steps that read one of them, directly or through other steps."""
        found = set(names)
        for step in self.steps:
            if step.reads & found:
                found.add(step.physical)
        return found

    def _with_reads(self, names: set[str]) -> set[str]:
        """Some tables, and all tables that they are made from."""
        for step in reversed(self.steps):
            if step.physical in names:
                names = names | step.reads
        return names

    def behind_errors(self) -> set[str]:
        """The tables of steps that can refuse rows, and all tables that they are made from."""
        return self._with_reads({each.physical for each in self.notices.refused})

    def finals(self) -> set[str]:
        """The tables that are read after the last step."""
        found = {e.physical for e in self.evidence} | self.scores.reads | self.resampling.reads()
        found |= {name for each in self.unit_statistics for name in each.reads}
        for scores in self.resampling.jackknifed:
            again = self.without_blocks(scores).steps
            made = {step.physical for step in again}
            found |= {name for step in again for name in step.reads} - made
            found |= scores.reads.union(*(way.reads for way in scores.divisions))
        return found | {name for curve in self.curves for name in curve.reads}


def described_by(steps: Iterable[Step]) -> set[str]:
    """The inputs whose columns the key `only` of metrics reads in rows of other inputs."""
    return {name for each in steps if each.kind == "table" and not each.scope for name in each.reads - {each.name}}


def last_reads(steps: Sequence[Step], kept: Set[str]) -> dict[str, list[str]]:
    """For each of some steps, the tables that no later step reads, and that are not ``kept``."""
    behind: dict[str, Set[str]] = {}  # who reads a view also reads its tables, and those of the views that it reads
    for step in steps:
        if step.view:
            behind[step.physical] = _with_tables(step.reads, behind)
    last: dict[str, str] = {}
    for step in steps:
        last |= dict.fromkeys(_with_tables(step.reads, behind), step.physical)
    kept = _with_tables(kept, behind) | behind.keys()
    return grouped((reader, name) for name, reader in last.items() if name not in kept)


def _shown(function: str, values: Mapping[str, Value]) -> str:
    settings = ", ".join(f"{name} = {show_value(value)}" for name, value in values.items())
    return f"{function} ({settings})" if settings else function


def _with_tables(names: Set[str], behind: Mapping[str, Set[str]]) -> set[str]:
    """Some tables and views, and the tables behind the views."""
    return {each for name in names for each in (name, *behind.get(name, ()))}
