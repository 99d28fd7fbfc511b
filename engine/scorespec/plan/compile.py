"""Compiles a suite, its parameters and breakdowns into a plan; also the relations of its reference points."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from functools import cached_property, reduce
from weakref import WeakKeyDictionary

from scorespec.catalog.lookup import Catalog, Namespace, load_catalog
from scorespec.catalog.model import COUNT, DIRECTED, Metric, Relation, Suite, Table
from scorespec.core.disclosure import NUMBERS
from scorespec.core.groups import grouped
from scorespec.errors import SHOWN_PROBLEMS, Code, SpecError, UsageError, unknown
from scorespec.formats.text_rows import may_have_texts
from scorespec.plan.kinds.context import MetricRows, ReplicateRows, ScoreRows, Subquery
from scorespec.plan.kinds.steps import ScoredMetric, Setup, Units, labelled
from scorespec.plan.needs import Call, needs_of
from scorespec.plan.parameters import literal, show_value, text_literal, unknown_parameter
from scorespec.plan.plan import (
    NO_SCORES,
    Count,
    Curve,
    Evidence,
    InputRoles,
    Notices,
    Plan,
    Refused,
    Reported,
    ResultQuery,
    ScoreMeanings,
    Step,
    described_by,
    ends_of,
    first_of_each,
)
from scorespec.plan.rendering.macros import macros_of_all
from scorespec.plan.rendering.templates import Reference, indented, names_in, quoted
from scorespec.plan.request import (
    DEPENDENT,
    DROP,
    Request,
    split_suite,
)
from scorespec.plan.resampling.interval_sql import ResampledScores, ResampledSweep, Resampling
from scorespec.plan.resampling.left_out import jackknifed_scores, without_intervals
from scorespec.plan.scopes import Scope, scope_column
from scorespec.plan.scored_suites import (
    Result,
    ScoredSuite,
    deprecated,
    inputs_of_gold,
    signature_of,
    submitted_inputs,
    suites_of_run,
    with_metrics_of_suite,
)

DEFINED = ", ".join(f"if(lacking IS NULL, {name}, NULL) AS {name}" for name in ("value", "std", "folds"))
DEFINED += ", coalesce(lacking, note) AS note"  # the columns of scores of metrics, some of which lack rows
MANY_SLICES = 10_000  # with more than these, a run has a warning
__all__ = ["Request", "compile_suite", "split_suite", "suites_of_run"]


def compile_suite(names: Namespace, suite: Suite, request: Request) -> Plan:
    """The plan of a run; ``names`` is the namespace of the suite.

    Raises UsageError for an unknown metric, parameter or column, and SpecError for documents at fault.
    """
    return _PlanCompiler(names, suite, request).plan()


class _PlanCompiler:
    def __init__(self, names: Namespace, suite: Suite, request: Request) -> None:
        scored, *others = suites_of_run(names, suite, request.metrics)
        self.request = request = with_metrics_of_suite(suite, request)
        self.scored_suite = ScoredSuite(names, scored, request)
        beside = [ScoredSuite(names.catalog.of_suite(each), each, request, beside=True) for each in others]
        self.suites = [self.scored_suite, *beside]
        self._submitted = submitted_inputs(each.suite for each in self.suites)
        self.calls = self._calls()
        self.warnings: list[str] = []
        self._check_params()
        self._check_folds()
        replaced = names.catalog.plugins.warnings()
        for said in (*replaced, *(said for each in self.suites for said in deprecated(each))):
            self._warn(said)

    def _calls(self) -> list[tuple[ScoredSuite, Call]]:
        """The metrics in the order in which they are asked for, after those of the suite if none of these is."""
        asked = [(each, call) for text in self.request.metrics for each in self.suites if (call := each.call_of(text))]
        if all(each.beside for each, _ in asked):
            asked = [*((self.scored_suite, call) for call in self.scored_suite.calls), *asked]
        return list({each.full_name(call.text): (each, call) for each, call in asked}.values())

    def _check_params(self) -> None:
        """Refuse a parameter that no scored metric of the suite reads."""
        for name in self.request.params:
            if name not in self.scored_suite.declared:
                whose = f"suite {self.scored_suite.suite.name!r}"
                said = unknown_parameter(name, self.scored_suite.declared, whose)
                if self.scored_suite.names.parameter(name):
                    said = f"parameter {name!r} changes no metric of {whose} in this run"
                elif owners := [each for each in load_catalog().keys("parameters") if each.name == name]:
                    others = ", ".join(
                        each.suite or f"the domain {each.domain} ({', '.join(load_catalog().suites(each.domain))})"
                        for each in owners
                    )
                    said = f"unknown parameter {name!r} of {whose}; it is a parameter of {others}"
                readers = [(each, call) for each, call in self.calls if name in each.declared]
                for suite, call in readers[:1]:
                    metric = suite.full_name(call.metric.name)
                    said += f"; that of another suite is set by its metric: {metric}({name}=…)"
                raise UsageError(said, Code.UNKNOWN_NAME)

    def _check_folds(self) -> None:
        """Refuse the scores of each fold if no suite has folds in this run."""
        scored = [each for each in self.suites if each.calls]
        if self.request.folds and not any(each.fold() for each in scored):
            raise UsageError("--folds: " + "; ".join(each.why_no_folds() for each in scored))

    def _check_columns(self) -> None:
        """Refuse a breakdown that fits no suite, or that has a column which a suite averages over or slices by."""
        scored = [each for each in self.suites if each.calls]
        for by in self.request.by:
            refusals = [said for each in scored if (said := each.refusal(tuple(by)))]
            if len(refusals) == len(scored):
                raise refusals[0]
            for each in scored:
                each.check_apart(tuple(by))

    def _check_blocks(self, are_used: bool) -> None:
        """Refuse columns of blocks that no metric has, and warn of blocks that may depend on each other.

        These are blocks by other columns than the first of a suite, which are the largest, and those of a description.
        """
        if not (blocks := self.request.blocks):
            return
        if not are_used and (self.request.confidence is not None or self.request.resampled):
            known = {name for each in self.suites if each.suite.resample for name in each.suite.resample.blocks}
            raise unknown(f"--blocks {blocks}: no metric of this run has units with this column", blocks, known)
        described = {name for table in self._tables if table.describes for name in table.column_names}
        usual = {each.suite.resample.blocks[0] for each in self.suites if each.suite.resample}
        if blocks not in described | usual:
            self._warn(f"blocks are {blocks} (--blocks): {DEPENDENT}")

    # -- the plan --------------------------------------------------------------------------------

    def plan(self) -> Plan:
        self._check_columns()
        scored = self._results()
        for each in scored if not self._may_leave("scores of units") else ():
            _refuse_units(each.name, each.setup.by, each.unit)
        evidence = self._evidence()
        resampling = self._resampling(scored)
        lacking, counted = self._lacking()
        scores = f"SELECT metric, component, slice, {DEFINED if lacking else 'value, std, folds, note'}\nFROM (\n"
        scores += indented(
            ScoreRows.of((each.rows for each in scored), self.request.folds).sql(self.scored_suite.suite.origin.place())
        )
        order = "slice_order(slice), slice::VARCHAR"
        if self.request.folds:  # after their mean
            order = f"slice_order(whole), whole::VARCHAR, slice <> whole, {order}"
        scores += "\n)\n"
        if lacking:
            first = f"SELECT metric, min(lacking) AS lacking FROM (\n{lacking}\n) GROUP BY metric"
            scores += f"LEFT JOIN (\n{indented(first)}\n) USING (metric)\n"
        scores += f"{self._kept_scores(scored)}ORDER BY position, variant, breakdown, {order}, place"
        values = {each.full_name(name): value for each in self.suites for name, value in sorted(each.values.items())}
        read = {found.name for each in self.suites for found in each.needs.upstream(each.sources)}
        tables, suite, steps = self._tables, self.scored_suite.suite, self._steps()
        read |= described_by(steps)
        plan = Plan(
            suite=suite.name,
            about=suite.about,
            identity=signature_of(self.suites),
            parameters={**values, **self.request.settings},
            metrics=tuple(each.full_name(call.text) for each, call in self.calls),
            tables=tables,
            inputs=InputRoles(
                required=self._required(),
                submitted=self._submitted,
                droppable=self._droppable(),
                in_place_of=self._in_place_of(),
                of_slices=frozenset(each.name for each in tables if each.describes and each.name not in read),
            ),
            macros=(),
            steps=steps,
            scores=ResultQuery(scores, counted.union(each.scored.wide.physical for each in scored)),
            meanings=self._meanings(scored),
            notices=Notices(
                refused=tuple(first_of_each(map(self._refused, self.suites))),
                counts=tuple(first_of_each(map(self._counts, self.suites))),
                warnings=tuple(self.warnings),
            ),
            unit_statistics=tuple(
                _unit_statistics(each.name, each.setup, each.scored, units)
                for each in scored
                for units in (each.scored.units if self._may_leave("unit_statistics") else ())
            ),
            evidence=tuple(evidence),
            curves=tuple(self._curves(scored)),
            disclosure=self.request.disclosure,
            asked=self.request.asked(),
            resampling=resampling,
        )
        plan = plan.with_needed_steps()
        return replace(plan, macros=tuple(macros_of_all([each.names for each in self.suites], plan.texts())))

    def _lacking(self) -> tuple[str, frozenset[str]]:
        """A query of the metrics whose key `only` leaves no row, with a note, and what it reads; '' without `only`."""
        found, reads = [], set[str]()
        for suite, call in self.calls:
            for numbers in suite.metrics.rows_left(call.metric):
                rows = {table.name: f'(SELECT "rows" FROM {counted})' for table, counted in numbers.items()}
                none = {table.name: f"{rows[table.name]} < {table.min_rows}" for table in numbers if table.min_rows}
                none[" and ".join(rows)] = f"{' + '.join(rows.values())} = 0"
                metric = text_literal(suite.full_name(call.text))
                for inputs, condition in none.items():
                    note = text_literal(f"undefined: too few rows of {inputs} meet `only`")
                    found.append(f"SELECT {metric} AS metric, {note} AS lacking WHERE {condition}")
                reads |= {counted.physical for counted in numbers.values()}
        return "\nUNION ALL\n".join(found), frozenset(reads)

    def _meanings(self, scored: Sequence[Result]) -> ScoreMeanings:
        components = [(each.name, name, meaning) for each in scored for name, meaning in each.meanings.items()]
        better = ((metric, name, each.better) for metric, name, each in components if each.better in DIRECTED)
        primary = self.scored_suite.suite.primary
        return ScoreMeanings(
            reported=tuple(each for result in scored for each in _reported(result)),
            better=tuple(dict.fromkeys(better)),
            counted=frozenset((metric, name) for metric, name, each in components if each.unit == COUNT),
            primary=primary and (*primary, *dict.fromkeys(name for each in scored for name in _primary_beside(each))),
            matched_pairs=self.scored_suite.suite.matched_pairs,
            layouts=self.scored_suite.suite.layouts,
            row_ordered=tuple(
                each.full_name(call.text) for each, call in self.calls if call.metric.depends_on_row_order
            ),
        )

    @property
    def _may_leave(self) -> Callable[[str], bool]:
        """Whether something may leave the run."""
        return self.request.disclosure.allows

    @property
    def _keeps_curves(self) -> bool:
        return self.request.curves and self._may_leave("curves")

    def _steps(self) -> tuple[Step, ...]:
        """The steps of every suite; one that two suites have in common is one step."""
        steps: dict[str, Step] = {}
        for each in self.suites:
            for name, step in each.relations.steps.items():
                steps.setdefault(name, step)
        return tuple(steps.values())

    def _results(self) -> list[Result]:
        """Each metric in each of its setups."""
        found = []
        for position, (suite, call) in enumerate(self.calls):
            setups = suite.metrics.setups_of(call, suite.setups())
            possible = {variant: setup for variant, setup in enumerate(setups) if self._is_possible(suite, call, setup)}
            for variant, setup in possible.items():
                scored = suite.metrics.scored(call.metric, setup)
                if not (setup.by and scored.has_slices_of(setup.by)):
                    rows = _rows(suite, call, setup, scored, position, variant)
                    found.append(Result(suite, call, setup, scored, rows))
            self._check_idle(suite, call, list(possible.values()))
        return found

    def _is_possible(self, suite: ScoredSuite, call: Call, setup: Setup) -> bool:
        """Whether a metric has all columns of a setup, with a warning if not. Raises SpecError for those of folds."""
        name, lacking = suite.full_name(call.text), suite.metrics.lacks(call.metric, setup)
        if setup.fold and setup.fold in lacking:
            said = f"metric {name} has no column {setup.fold!r} to be averaged over"
            raise SpecError(said, suite.suite.origin.place("folds", "column"))
        if lacking:
            reason = f"it has no column {lacking[0]!r} ({suite.metrics.why_lacking(call.metric, lacking[0])})"
            self._warn(f"no rows of {name} by {', '.join(setup.by)}: {reason}")
        return not lacking

    def _check_idle(self, suite: ScoredSuite, call: Call, setups: Sequence[Setup]) -> None:
        """Refuse parameters of a call that change no score, and warn of those of documents."""
        for idle in suite.metrics.idle(call, setups) if setups else ():
            said = f"parameter {idle!r} changes nothing of {suite.full_name(call.text)} in this run"
            if idle in call.arguments and self.request.metrics and not self.request.listed_by:
                raise UsageError(said)
            self._warn(said)

    def _resampling(self, results: Sequence[Result]) -> Resampling:
        """How the scores are resampled; warns of metrics without intervals."""
        wanted = self.request.confidence is not None
        how = [(result, result.scored.resampled) for result in results]
        scores = [_resampled(result, each) for result, each in how if isinstance(each, ResampledScores)]
        sweeps = [self._swept(result, each) for result, each in how if isinstance(each, ResampledSweep)]
        others = [result for result, each in how if each is None and wanted]
        jackknifed = tuple(jackknifed_scores(others, self.request.confidence_groups))
        self._check_blocks(bool(scores or sweeps or jackknifed))
        for said in without_intervals(others, jackknifed):
            self._warn(said)
        return Resampling(tuple(scores), tuple(sweeps) if wanted else (), jackknifed)

    def _swept(self, result: Result, sweep: ResampledSweep) -> ResampledSweep:
        by_mark, folds = sweep.by_mark if self._keeps_curves else None, result.rows.fold is not None
        return replace(sweep, scores=_resampled(result, sweep.scores), by_mark=by_mark, folds=folds)

    def _warn(self, message: str) -> None:
        if message not in self.warnings:
            self.warnings.append(message)

    def _kept_scores(self, scored: Iterable[Result]) -> str:
        """The condition for the rows of scores that may leave the run, with a line end; '' if all may."""
        withheld: list[str] = []
        for each in scored:
            of_metric = f"metric = {text_literal(each.name)}"
            amounts = [text_literal(name) for name, meaning in each.meanings.items() if meaning.is_amount]
            if amounts and not self._may_leave("amounts"):
                withheld.append(f"{of_metric} AND component IN ({', '.join(amounts)})")
            if not self._may_leave("scores of units"):
                units = [column for columns in each.scored.slices for column in columns if column in each.unit]
                paths = (text_literal(f'$."{column}"') for column in units)
                withheld += (f"{of_metric} AND json_exists(slice, {path})" for path in paths)
        said = "\n    AND ".join(f"NOT ({row})" for row in dict.fromkeys(withheld))
        return f"WHERE {said}\n" if said else ""

    def _curves(self, scored: Iterable[Result]) -> Iterator[Curve]:
        """The points of the curves, if the run keeps them."""
        for each in scored if self._keeps_curves else ():
            if curve := each.scored.curve:
                ends = [f"NULL::DOUBLE AS {quoted(end)}" for name in curve.banded[1:] for end in ends_of(name)]
                columns = ", ".join([*map(quoted, curve.columns), *ends])
                sql = (
                    f"SELECT {text_literal(each.name)} AS metric, slice, rank, threshold, mark, {columns}\n"
                    f"FROM (\n{indented(curve.sql)}\n)"
                )
                yield Curve(each.name, sql, curve.reads, str(each.call.metric.origin.place()), curve.banded)

    def _evidence(self) -> list[Evidence]:
        kept: dict[tuple[str, str], Evidence] = {}
        for setup in self.scored_suite.setups():
            for name, relation in self.scored_suite.keep.items() if not setup.by else ():
                if table := self.scored_suite.names.table(relation):
                    sql = f"SELECT * EXCLUDE (line) FROM {quoted(table.name)}"
                    kept.setdefault((name, table.name), Evidence(name, table.name, sql))
                    continue
                reference = self.scored_suite.relations.reference(relation, setup.values, setup.scope)
                sql = self._evidence_rows(relation, reference, setup.scope)
                kept.setdefault((name, reference.physical), Evidence(name, reference.physical, sql, setup.fixed))
        return list(kept.values())

    def _evidence_rows(self, name: str, reference: Reference, scope: Scope) -> str:
        """The rows of a kept relation, with the scope columns first, under the names of the columns that they copy."""
        found = self.scored_suite.needs.find(name)
        carried = [column for column in scope if scope_column(column) in reference.scope]
        undeclared = [column for column in carried if found and column not in found.column_names]
        named = "".join(f"{quoted(scope_column(column))} AS {quoted(column)}, " for column in undeclared)
        without = f" EXCLUDE ({', '.join(quoted(scope_column(column)) for column in carried)})" if carried else ""
        return f"SELECT {named}*{without} FROM {reference}"

    def _counts(self, suite: ScoredSuite) -> Iterator[Count]:
        """The warnings of relations: counted over the whole input, once for each set of parameters."""
        for step, relation in _checked(suite):
            other = _other_values(suite, step, relation)
            for at, warning in enumerate(relation.warnings):
                says = self.request.disclosure.message(warning.says)
                columns = tuple(name for name in names_in(says) if name not in NUMBERS)
                where = f"FILTER (WHERE {warning.sql})"
                texts = [f"{quoted(column)}::VARCHAR" for column in columns]
                listed = "".join(f", list(DISTINCT {text} ORDER BY {text}) {where}" for text in texts)
                sql = f"SELECT count(*) {where}, count(*){listed} FROM {quoted(step.physical)}"
                place, without = str(relation.origin.place("warnings", at, "sql")), frozenset(warning.without)
                yield Count(
                    step.physical,
                    relation.name,
                    sql,
                    columns,
                    says + other,
                    place,
                    without,
                    warning.submissions_only,
                )
        for physical, table, column in _shared_rows(suite):
            lacking, class_ = f"FILTER (WHERE {quoted(scope_column(column))} IS NULL)", str(table.class_column)
            sql = (  # rows without a class have that of another input
                f"SELECT count(*) {lacking}, count(*), list(DISTINCT {quoted(class_)}::VARCHAR) {lacking}\n"
                f"FROM {quoted(physical)}\nWHERE {quoted(class_)} IS NOT NULL"
            )
            says = (
                f"{{count}} of {{rows}} rows of {table.name}, with {class_} {{{class_}}}, have no {column} and are in "
            )
            says += f"every slice of --by {column}"
            yield Count(physical, "", sql, (class_,), says, str(table.origin.place()))
        for by, physical in _tables_of_slices(suite).items() if self.request.by else ():
            sql = f"SELECT if(count(*) > {MANY_SLICES}, count(*), 0), count(*) FROM {quoted(physical)}"
            says = f"--by {','.join(by)} makes {{count}} slices, each with rows of every metric"
            yield Count(physical, "", sql, (), says, str(suite.suite.origin.place()))

    def _refused(self, suite: ScoredSuite) -> Iterator[Refused]:
        """The rows that the errors of relations refuse: over the whole input, once for each set of parameters."""
        for step, relation in _checked(suite):
            other = _other_values(suite, step, relation)
            for at, error in enumerate(relation.errors):
                columns = names_in(error.says)
                line = "line" if error.input else "NULL"
                shown = ", ".join([line, *(f"{quoted(column)}::VARCHAR" for column in columns)])
                input_ = error.input and suite.relations.input_of(error.input, step.values)
                table = suite.names.table(input_) if input_ else None
                part = table.part_column if table and table.part_column in relation.column_names else None
                part = quoted(part) if part else "NULL"
                sql = (
                    f"SELECT {part}, {shown}, count(*) OVER (PARTITION BY {part}) AS rows\n"
                    f"FROM {quoted(step.physical)}\nWHERE {error.sql}\n"
                    f"QUALIFY row_number() OVER (PARTITION BY {part} ORDER BY {shown}) <= {SHOWN_PROBLEMS}\n"
                    "ORDER BY ALL"
                )
                place = str(relation.origin.place("errors", at, "sql"))
                says, without = error.says + other, frozenset(error.without)
                yield Refused(step.physical, relation.name, sql, columns, says, place, without, input_)

        for physical, table, column in _shared_rows(suite):
            yield _not_of_one_class(physical, table, column)

    @cached_property
    def _tables(self) -> tuple[Table, ...]:
        """The inputs that were given or are read, some of which a suite based on another may not name.

        One that several suites read meets the conditions of all.
        """
        tables = grouped(
            (name, table)
            for suite in self.suites
            for name in dict.fromkeys(
                (*suite.tables(), *(name for step in suite.relations.steps.values() for name in step.reads))
            )
            if (table := suite.names.table(name)) is not None
        )
        return tuple(reduce(_stricter, each) for each in tables.values())

    def _in_place_of(self) -> dict[str, Table]:
        """The gold that was not given, by the name of the submitted input that has its columns."""
        given = {name for each in self.suites for name in each.given}
        absent = {each.name: each.in_place_of or "" for each in self._tables if each.in_place_of not in given}
        find = self.scored_suite.names.table
        return {name: gold for name in absent if name in self._submitted and (gold := find(absent[name]))}

    def _droppable(self) -> frozenset[str]:
        """The inputs whose rows may be dropped: those of a submission, because without a row of gold scores change."""
        if self.request.on_bad_row != DROP:
            return frozenset()
        found = frozenset(
            table.name
            for table in self._tables
            if table.name in self._submitted and (table.may_drop or may_have_texts(table.column_names))
        )
        if not found:
            said = "this run reads no input of a submission from which rows can be dropped"
            raise UsageError(f"--on-bad-row drop: {said}; leave the option out")
        return found

    def _required(self) -> tuple[str, ...]:
        names = {name for each in self.suites for name in each.required()}
        return tuple(dict.fromkeys(name for each in self.suites for name in each.tables() if name in names))


def _refuse_units(metric: str, by: Iterable[str], unit: Collection[str]) -> None:
    """Raise UsageError if a breakdown of a metric asks for numbers of its units, which are withheld."""
    for column in by:
        if column in unit:
            said = f"--by {column} asks for the scores of each unit of {metric}, which `units` withholds"
            raise UsageError(f"{said}; leave out one of the two")


def _checked(suite: ScoredSuite) -> Iterator[tuple[Step, Relation]]:
    """The steps with warnings or errors that scores or intervals depend on, without those of breakdowns."""
    fold = suite.fold()
    scored = suite.needs.upstream([*suite.sources, *suite.blocks])
    relations = {each.name: each for each in scored if isinstance(each, Relation)}
    for step in [*suite.relations.steps.values()]:  # the caller may add the step that an error reads
        name = step.name.removeprefix(suite.relations.prefix)
        relation = relations.get(name) if step.kind == "relation" and not step.view else None
        if relation and (relation.warnings or relation.errors) and {*step.scope} <= ({fold.column} if fold else set()):
            yield step, relation


def _tables_of_slices(suite: ScoredSuite) -> dict[Scope, str]:
    """For each breakdown, the first table of its slices that a metric has made."""
    fold, found = suite.fold(), dict[Scope, str]()
    for step in suite.relations.steps.values():
        if step.role == "slices":
            found.setdefault(tuple(c for c in step.scope if fold is None or c != fold.column), step.physical)
    return found


def _shared_rows(suite: ScoredSuite) -> Iterator[tuple[str, Table, str]]:
    """Views of inputs before rows without a value in a column of ``--by``, which are in every slice, are repeated."""
    for step in suite.relations.steps.values():
        table = suite.names.table(step.name)
        if step.role == "shared rows" and table and suite.request.by:
            yield step.physical, table, step.columns[0].name


def _not_of_one_class(physical: str, table: Table, column: str) -> Refused:
    """The error of a breakdown whose rows without a value are not all rows of one class, and only these."""
    class_, lacking = quoted(str(table.class_column)), f"count_if({quoted(scope_column(column))} IS NULL)"
    classes = (
        f"SELECT {class_}::VARCHAR AS class, count(*) AS rows, {lacking} AS lacking, min(line) AS line\n"
        f"FROM {quoted(physical)}\nWHERE {class_} IS NOT NULL\nGROUP BY ALL"
    )
    sql = (
        f"SELECT NULL, line, class, lacking, rows, count(*) OVER ()\nFROM (\n{indented(classes)}\n)\n"
        "QUALIFY bool_or(lacking NOT IN (0, rows)) OVER () OR bool_and(lacking > 0) OVER ()\nORDER BY class"
    )
    says = (
        f"{column} is missing in {{lacking}} of {{rows}} rows with {table.class_column} {{class}}; --by {column} needs "
        "a value in every row, or in all rows of one class and in none of the other"
    )
    place = str(table.origin.place())
    return Refused(physical, table.name, sql, ("class", "lacking", "rows"), says, place, input=table.name)


def _other_values(suite: ScoredSuite, step: Step, relation: Relation) -> str:
    """What a message adds: the suite if it is another one, parameters that differ from the run's, and filters."""
    declared = suite.needs.parameters([relation.name])
    other = [f"{n}={show_value(step.values[n])}" for n in sorted(declared) if step.values[n] != suite.values[n]]
    other += [f"only {' '.join(condition[1:-1].split())}" for condition in step.only]
    said = [f"suite {suite.suite.name}", *other] if suite.beside else other
    return f" ({', '.join(said)})" if said else ""


def _primary_beside(result: Result) -> Iterator[str]:
    """The main scores of a metric of another suite: what that suite calls so, or else `value`."""
    of_suite = [each for each in result.meanings if f"{result.call.metric.name}.{each}" in result.suite.suite.primary]
    for component in of_suite or result.meanings.keys() & {"value"} if result.suite.beside else ():
        yield f"{result.name}.{component}"


def _reported(result: Result) -> Iterator[Reported]:
    """The components of a metric in one setup, without those of breakdowns."""
    fixed = result.setup.fixed
    for component, meaning in result.meanings.items() if not result.setup.by else ():
        place = str(result.call.metric.origin.place())
        yield Reported(result.name, component, fixed, meaning, not result.scored.overall, place)


def _rows(
    suite: ScoredSuite, call: Call, setup: Setup, scored: ScoredMetric, position: int, variant: int
) -> MetricRows:
    """The rows of a metric in `scores`, in one setup."""
    folds = suite.suite.folds
    return MetricRows(
        position=position,
        variant=variant,
        metric=suite.full_name(call.text),
        wide=scored.wide,
        components=scored.components,
        remarked=scored.remarked,
        fold=setup.fold and scope_column(setup.fold),
        fold_label=setup.fold,
        jointly=bool(setup.fold and folds and folds.undefined == "jointly"),
        none_left={name: _none_left(suite.suite, call.metric, name) for name in scored.components},
        overall=None if setup.by else labelled((n, literal(v)) for n, v in setup.fixed.items()),
        standing=set(setup.by) in map(set, scored.slices),
    )


def _resampled(result: Result, of: ResampledScores) -> ResampledScores:
    """How the scores of a metric are resampled: with the mean over folds, as in its rows."""
    shared = {each.name: getattr(result.rows, each.name) for each in fields(ReplicateRows) if each.name != "wide"}
    replicates = ReplicateRows(wide=Subquery(indented(of.sql), ()), **shared)
    sql = replicates.sql(result.suite.suite.origin.place())
    return replace(of, metric=result.name, sql=sql, reads=of.reads.union(sums.table for sums in of.sums))


def _unit_statistics(metric: str, setup: Setup, scored: ScoredMetric, units: Units) -> ResultQuery:
    """The query of the rows of `unit_statistics` for a table of units."""
    scope = [(column, quoted(scope_column(column))) for column in setup.scope]
    slices = [(column, quoted(column)) for column in units.slice_columns]
    varied = [(name, literal(value)) for name, value in setup.fixed.items()]
    reads, rows, block = [units.table], str(units.table), "NULL::JSON"
    if units.blocks:
        reads += units.blocks.reads
        rows, block = units.blocks.rows(units.table), "unit_block::JSON"
    sql = (
        f"SELECT {text_literal(metric)} AS metric, {labelled((n, quoted(n)) for n in units.unit)} AS unit, "
        f"{labelled([*varied, *slices, *scope])} AS slice, "
        f"{labelled((n, quoted(n)) for n in scored.statistics)} AS statistics, "
        f"{block} AS block\nFROM {rows}{f' WHERE {units.where}' if units.where else ''}"
    )
    return ResultQuery(sql, frozenset(each.physical for each in reads))


def _none_left(suite: Suite, metric: Metric, component: str) -> str:
    """The value of a component if no fold of it is left, as SQL."""
    value = suite.folds.value_of_none(metric.name, component) if suite.folds else None
    return "NULL::DOUBLE" if value is None else literal(float(value))


def _stricter(first: Table, other: Table) -> Table:
    """The table of an input that two suites declare: what one of them refuses is refused, since it is read once.

    Raises UsageError where the suites read different rows or columns.
    """
    if first == other:
        return first
    formats = tuple(each for each in first.formats if each in other.formats)
    alike = _shape(first) == _shape(other) and formats
    repeated = next((each for each in (first, other) if each.duplicates == "error"), first)
    if not alike or not _same_rows(first, other):
        raise UsageError(
            f"input {first.name!r} is read differently by the other suite ({first.origin.place(key=True)} and "
            f"{other.origin.place(key=True)}); score the metrics of each suite in a run of their own"
        )
    return replace(
        first,
        columns=tuple(
            replace(a, nullable=a.nullable and b.nullable, infinite=a.infinite and b.infinite)
            for a, b in zip(first.columns, other.columns, strict=True)
        ),
        checks=tuple(dict.fromkeys((*first.checks, *other.checks))),
        key=repeated.key,
        duplicates=repeated.duplicates,
        formats=formats,
        min_rows=max(first.min_rows, other.min_rows),
    )


def _shape(table: Table) -> object:
    columns = [(each.name, each.type, each.booleans, each.undeclared) for each in table.columns]
    return columns, table.other_columns, table.part_column


def _same_rows(first: Table, other: Table) -> bool:
    """Whether the rows that both let through are the same: equal rows are not merged in one of the tables only."""
    if first.duplicates == other.duplicates:
        return first.key == other.key or first.duplicates == "keep"
    return {first.duplicates, other.duplicates} == {"keep", "error"}


MOST_PLANS = 32  # that are kept of a catalog: each has some hundred kilobytes of SQL
_plans: WeakKeyDictionary[Catalog, dict[str, Plan]] = WeakKeyDictionary()


def shared_plan(names: Namespace, suite: Suite, request: Request) -> Plan:
    """The plan of :func:`.compile_suite`, compiled once for each request."""
    plans = _plans.setdefault(names.catalog, {})
    asked = f"{suite.name} {request!r}"
    plan = plans.get(asked)  # another thread may clear the plans
    if plan is None:
        plan = compile_suite(names, suite, request)
        if len(plans) >= MOST_PLANS:
            plans.clear()
        plans[asked] = plan
    return plan


def relations_plan(names: Namespace, suite: Suite, request: Request) -> Plan:
    """A plan without metrics, whose evidence are the relations of the reference points, over the whole corpus.

    It needs the inputs that the suite requires and these relations read. Raises SpecError for a relation that reads an
    input of a submission.
    """
    needs = needs_of(names)
    kept = {relation for _, _, relation in made_inputs(suite)}
    read = [found.name for found in needs.upstream(sorted(kept)) if isinstance(found, Table)]
    for point, made, relation in made_inputs(suite):
        for table in needs.upstream([relation]):
            if table.name in suite.submitted:
                said = f"relation {relation!r} reads the input {table.name!r}, which is part of a submission"
                raise SpecError(said, suite.reference_points[point].origin.place("inputs", made))
    trial = replace(suite, metrics=(), keep={each: each for each in sorted(kept)}, vary={}, folds=None)
    declared = needs.parameters(kept)
    params = {name: value for name, value in request.params.items() if name in declared}
    needed = inputs_of_gold(names, suite).intersection(read)
    given = needed.union(name for name in read if name in (request.given or ()))
    plan = compile_suite(names, trial, Request(params, given=given))
    required = tuple(name for name in (*suite.inputs, *suite.optional) if name in needed)
    evidence = tuple(_in_order(names, suite, each) for each in plan.evidence)
    return replace(plan, scores=NO_SCORES, inputs=replace(plan.inputs, required=required), evidence=evidence)


def _in_order(names: Namespace, suite: Suite, kept: Evidence) -> Evidence:
    """The rows of a relation in the order in which they are read as an input: by `line`, or by the key of the input."""
    made = next(made for _, made, relation in made_inputs(suite) if relation == kept.name)
    table, relation = names.table(made), names.relation(kept.name)
    declared = relation.column_names if relation else ()
    present = declared or [each.name for each in table.columns if not each.nullable] if table else ()
    key = ["line"] if "line" in declared else [each for each in (table.key if table else ()) if each in present]
    order = f"\nORDER BY {', '.join(map(quoted, key))}" if key else ""
    without = " EXCLUDE (line)" if "line" in declared else ""
    return replace(kept, sql=f"SELECT *{without} FROM ({kept.sql}){order}")


def made_inputs(suite: Suite) -> Iterator[tuple[str, str, str]]:
    """The inputs that relations make: name of the reference point, input, relation."""
    for name, point in suite.reference_points.items():
        for made, relation in point.inputs.items():
            if relation is not None:
                yield name, made, relation
