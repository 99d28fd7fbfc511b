"""A suite in a run: the metrics that are asked of it, the values of its parameters, its folds and its setups.

The signature of a run pins all of these.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import (
    ComponentMeaning,
    Definition,
    Deprecable,
    Folds,
    Metric,
    Parameter,
    Relation,
    Resample,
    Suite,
    Table,
    Value,
)
from scorespec.core.score_text import level_text
from scorespec.errors import Code, Place, SpecError, UsageError, nearest, unknown
from scorespec.plan.kinds.context import MetricRows
from scorespec.plan.kinds.steps import ScoredMetric, Setup
from scorespec.plan.metrics import Metrics
from scorespec.plan.needs import Call, expanded, needs_of, stable_json
from scorespec.plan.parameters import (
    Layer,
    decided,
    literal,
    read_metric_text,
    read_value,
    show_value,
    unknown_parameter,
)
from scorespec.plan.plan import Signature
from scorespec.plan.relations import Relations
from scorespec.plan.rendering.macros import macros_used
from scorespec.plan.rendering.templates import quoted, templates_in
from scorespec.plan.request import DROP, Request, split_suite
from scorespec.plan.resampling.interval_sql import REPLICATES, SEED, SWEPT_REPLICATES
from scorespec.plan.scopes import Breakdowns, Scope, Scopes, scope_column
from scorespec.version import __version__


def suites_of_run(names: Namespace, suite: Suite, metrics: Sequence[str]) -> list[Suite]:
    """The suite that is scored, then the other suites that the metric strings name (empty: those of the suite).

    Raises UsageError for a suite that is not of the domain, SpecError if the document of the suite names it.
    """
    found = {suite.name: suite}
    for at, text in enumerate(metrics or suite.metrics):
        name, _ = split_suite(text)
        if name and name not in found:
            try:
                found[name] = _suite_of_domain(names, suite, name, text)
            except UsageError as error:
                if metrics:
                    raise
                raise SpecError(str(error), suite.origin.place("metrics", at)) from None
    return list(found.values())


def _suite_of_domain(names: Namespace, suite: Suite, name: str, text: str) -> Suite:
    """Another suite of the domain, which a metric string takes a metric from."""
    known = names.catalog.suites(suite.domain)
    if name not in known:
        domains = [key.domain for key in names.catalog.keys("suites") if key.name == name]
        said = (
            f"it is a suite of {domains[0]}, {suite.name} of {suite.domain}"
            if domains
            else names.of_component(text) or nearest(name, known)
        )
        raise UsageError(f"metric {text!r}: no suite {name!r} of this domain; {said}", Code.UNKNOWN_NAME)
    return names.catalog.suite(name)


def submitted_inputs(suites: Iterable[Suite]) -> frozenset[str]:
    """The inputs that belong to a submission, in one of the suites of a run."""
    return frozenset(name for suite in suites for name in suite.submitted)


def inputs_of_gold(names: Namespace, suite: Suite) -> set[str]:
    """The inputs that a run without a submission needs, with the gold that a submission could also have."""
    submitted = [table for name in suite.submitted if (table := names.table(name))]
    return {*suite.inputs, *(gold for each in submitted if (gold := each.in_place_of))} - suite.submitted


def with_metrics_of_suite(suite: Suite, request: Request) -> Request:
    """A request that asks for the metrics of the suite by name, if some of them are of other suites."""
    if request.metrics or not any(split_suite(text)[0] for text in suite.metrics):
        return request
    return replace(request, metrics=suite.metrics, listed_by=suite)


class ScoredSuite:
    """One suite of a run with all that its metrics are compiled from.

    A run scores one suite, and may add metrics of other suites of the domain. Of such a suite (``beside``) only
    the metrics that are asked for are scored. It keeps its own parameters, folds and varied values: the parameters of
    the run are those of the scored suite.
    """

    def __init__(self, names: Namespace, suite: Suite, request: Request, *, beside: bool = False) -> None:
        self.names = names = names.with_tables(tables) if (tables := request.tables.get(suite.name)) else names
        self.suite, self.request, self.beside = suite, request, beside
        inputs = {*suite.inputs, *suite.optional}
        self.given = frozenset(suite.inputs if request.given is None else inputs.intersection(request.given))
        self.expected = inputs_of_gold(names, suite) if request.describe else {*suite.inputs}
        self.needs, self._prefix = needs_of(names), f"{suite.name}." if beside else ""
        self.changed: Mapping[str, Any] = {} if beside else request.params
        self.calls = self._calls()
        called = [call.metric for call in self.calls]
        self.sources = [name for metric in called for name in self.needs.relations_of(metric)]
        kept = suite.keep if request.keeps_evidence and not (beside or request.describe) else {}
        wanted = {None, *(metric.name for metric in called)}  # metrics to which evidence may belong
        self.keep = {
            name: each for name, each in kept.items() if self._at_hand(each) and suite.keep_with.get(name) in wanted
        }
        self.blocks = self._tables_of_blocks(called)
        self.declared = self.needs.parameters_of(called, [*self.keep.values(), *self.blocks])
        self.of_suite, self.of_run = self._layers(self.declared)
        self.decided = decided(self.declared, (self.of_suite, self.of_run))
        self.values = {name: value for name, (value, _) in self.decided.items()}
        self.varied = self._varied()
        self.slices = {name: suite.vary[name].slice or name for name in self.varied}
        # A table that the suite does not name is as absent as an optional one that was not given.
        absent = {*names.names("tables")} - self.expected - self.given
        read = [*self.sources, *self.keep.values(), *self.blocks]
        self.relations = Relations(self.needs, Scopes(self.needs, read, absent), self._prefix)
        resampled = request.confidence is not None or request.resampled
        self.metrics = Metrics(self.relations, suite.resample, resampled, request.blocks, request.given is None)

    # -- metrics ---------------------------------------------------------------------------------

    def _calls(self) -> list[Call]:
        asked = [(at, *split_suite(text)) for at, text in enumerate(self.request.metrics)]
        self.asked = [self._asked(at, rest) for at, suite, rest in asked if self._is_meant(suite)]
        return list({call.text: call for call in self.asked or self._usual_calls()}.values())

    def _tables_of_blocks(self, metrics: Iterable[Metric]) -> list[str]:
        """The relations that resampling some metrics needs in addition to their own."""
        resamples = (each for metric in metrics for each in self.needs.resamples(metric, self.suite.resample))
        return list(dict.fromkeys(name for each in resamples for name in (each.from_, each.rows) if name))

    def _usual_calls(self) -> list[Call]:
        """The metrics that are scored when none of the suite is asked for, if the parameter of each is set."""
        names = [*self.suite.only_with.values(), *self.suite.params, *self.changed]
        declared = {name: found for name in names if (found := self.names.parameter(name))}
        values = decided(declared, self._layers(declared))
        unset = {metric for metric, name in self.suite.only_with.items() if values[name][0] is None}
        return [call for call in self.suite_calls if call.metric.name not in unset]

    def _is_meant(self, suite: str) -> bool:
        return suite == self.suite.name or (suite == "" and not self.beside)

    def _asked(self, at: int, text: str) -> Call:
        lister = self.request.listed_by
        call = self._call(text, lister.origin.place("metrics", at) if lister else None)
        describing = [read_metric_text(each)[0] for each in self.suite.describe]
        if self.request.describe and call.metric.name not in describing:
            said = f"metric {call.metric.name!r} does not describe the corpus"
            raise unknown(said, call.metric.name, describing)
        return call

    def call_of(self, text: str) -> Call | None:
        """The call that a metric string of the request stands for; None if it is of another suite."""
        suite, rest = split_suite(text)
        return self.needs.call(rest) if self._is_meant(suite) else None

    @cached_property
    def suite_calls(self) -> list[Call]:
        """The metrics that the suite lists, for a submission or for the corpus, without those of other suites."""
        key, texts = ("describe", self.suite.describe) if self.request.describe else ("metrics", self.suite.metrics)
        if self.request.describe and not texts:
            raise UsageError(f"suite {self.suite.name!r} describes no corpus; list metrics under its key `describe`")
        listed = [(index, *split_suite(text)) for index, text in enumerate(texts)]
        place = self.suite.origin.place
        return [self._call(text, place(key, index)) for index, suite, text in listed if self._is_meant(suite)]

    def _call(self, text: str, place: Place | None) -> Call:
        """The call of a metric string. Raises SpecError with a place in a document, otherwise UsageError."""
        try:
            return self.needs.call(text)
        except UsageError as error:
            said = f"suite {self.suite.name!r}: {error}" if self.beside else str(error)
            raise (SpecError(said, place) if place else UsageError(said, error.code)) from None

    def full_name(self, name: str) -> str:
        """What a metric or parameter of the suite is called in the run."""
        return self._prefix + name

    # -- parameters ------------------------------------------------------------------------------

    def _layers(self, declared: Mapping[str, Parameter]) -> tuple[Layer, Layer]:
        """The values that the suite sets, and those that the run sets."""
        of_suite = {name: self._suite_value(name, each, "params", name) for name, each in self.suite.params.items()}
        of_run = {name: read_value(declared[name], each) for name, each in self.changed.items() if name in declared}
        return ("suite", of_suite), ("--param", of_run)

    def _varied(self) -> dict[str, tuple[Value, ...]]:
        """The values of each varied parameter that this run reads; --param leaves one of them."""
        varied = {}
        for name, vary in self.suite.vary.items():
            values = [self._suite_value(name, each, "vary", name, at) for at, each in enumerate(vary.values)]
            if name in self.declared:
                always = vary.input is None and vary.param is None
                more = always or vary.input in self.given or bool(self.values.get(vary.param or ""))
                value, origin = self.decided[name]
                asked = (value,) if origin == "--param" else tuple(values)
                varied[name] = asked if more else asked[:1]
        return varied

    def _suite_value(self, name: str, written: Any, *path: str | int) -> Value:
        """A parameter's value as the suite writes it at ``path``, whether this run reads it or not."""
        parameter = self.names.parameter(name)
        if parameter is None:
            place = self.suite.origin.place(path[0], name, key=True)
            raise SpecError(
                unknown_parameter(name, self.names.names("parameters"), f"suite {self.suite.name!r}"), place
            )
        return read_value(parameter, written, lambda m: SpecError(m, self.suite.origin.place(*path)))

    # -- inputs ----------------------------------------------------------------------------------

    @cached_property
    def pinned_calls(self) -> list[Call]:
        """The metrics that the signature of the run covers: all of the scored suite, those asked of another suite."""
        return [*self.calls, *([] if self.beside else self.suite_calls)]

    @cached_property
    def pinned_sources(self) -> list[str]:
        """The relations that the signature of the run covers, asked for or not, and those kept as evidence."""
        kept = () if self.beside else self.suite.keep.values()
        pinned = [call.metric for call in self.pinned_calls]
        read = [name for metric in pinned for name in self.needs.relations_of(metric)]
        return [*read, *self._tables_of_blocks(pinned), *kept]

    def _at_hand(self, name: str) -> bool:
        """Whether a kept input, or the inputs that a kept relation depends on and the suite requires, were given."""
        lacking = {*self.suite.inputs, name} - self.given
        return not any(found.name in lacking for found in self.needs.upstream([name]) if isinstance(found, Table))

    def tables(self) -> list[str]:
        """The inputs of the suite that were given or are read, in the suite's order."""
        read = [*self.sources, *self.keep.values(), *self.blocks]
        upstream = {found.name for found in self.needs.upstream(read)}
        given = self._describing() if self.request.describe else self.given
        return [n for n in (*self.suite.inputs, *self.suite.optional) if n in given or n in upstream]

    def _describing(self) -> frozenset[str]:
        """The given inputs that describe rows of other inputs, for breakdowns."""
        return frozenset(name for name in self.given if (table := self.names.table(name)) and table.describes)

    def required(self) -> set[str]:
        """The inputs that the metrics read, and that the suite does not call optional."""
        return {found.name for found in self.needs.upstream(self.sources)}.intersection(self.expected)

    # -- setups ----------------------------------------------------------------------------------

    def setups(self) -> Iterator[Setup]:
        """Each setup that the metrics are scored in: per varied value, overall and for each --by."""
        fold = self.fold()
        for values in product(*self.varied.values()):
            varied: Layer = ("varied", dict(zip(self.varied, values, strict=True)))
            layers = self.of_suite, varied, self.of_run
            for by in dict.fromkeys(((), *map(tuple, self.request.by))):
                yield Setup(self.declared, layers, by, fold.column if fold else None, self.slices)

    def fold(self) -> Folds | None:
        """The suite's folds, where this run has them."""
        folds = self.suite.folds
        if folds is None or self.request.describe:
            return None
        counted = folds.count is not None and float(str(self.values.get(folds.count, 0))) > 0
        always = folds.input is None and folds.count is None
        return folds if always or counted or folds.input in self.given else None

    def why_no_folds(self) -> str:
        """Why this run has no folds of the suite, and how it would have some."""
        folds = self.suite.folds
        if self.request.describe:
            return "a corpus is described as a whole"
        if folds is None:
            return f"suite {self.suite.name!r} has no folds"
        ways = [f"give the input {folds.input}"] if folds.input else []
        ways += [f"set --param {folds.count}=10, or another number above 0"] if folds.count else []
        return f"suite {self.suite.name!r} has no folds in this run; {', or '.join(ways)}"

    @cached_property
    def breakdowns(self) -> Breakdowns:
        counted = [self.needs.relations_of(call.metric, counted=True) for call in self.calls]
        upstream = self.needs.upstream(self.sources)
        return Breakdowns(self.suite, self.relations.scopes, upstream, counted, self.request.others)

    def refusal(self, by: Scope) -> UsageError | None:
        """Why no metric of the suite can be broken down by some columns; None if a metric can."""
        try:
            self.breakdowns.check(by)
        except UsageError as error:
            return error
        return None

    def check_apart(self, by: Scope) -> None:
        """Raise UsageError for a column of a breakdown whose values the suite itself keeps apart."""
        apart = dict.fromkeys(self.slices.values(), f"suite {self.suite.name!r} has a slice for each of its values")
        if fold := self.fold():
            apart[fold.column] = f"suite {self.suite.name!r} averages over it"
        for column in by:
            if column in apart:
                raise UsageError(f"--by {column}: {apart[column]}")


@dataclass(frozen=True)
class Result:
    """A metric of a suite in one setup: the tables that score it, and its rows in `scores`."""

    suite: ScoredSuite
    call: Call
    setup: Setup
    scored: ScoredMetric
    rows: MetricRows

    @property
    def name(self) -> str:
        """What the rows of the metric are called."""
        return self.rows.metric

    @cached_property
    def meanings(self) -> Mapping[str, ComponentMeaning]:
        """What its components mean."""
        return self.suite.names.components(self.call.metric, self.scored.components)

    @property
    def unit(self) -> set[str]:
        """The columns that identify a unit of the metric."""
        return {*expanded(self.call.metric, self.suite.names.kinds[self.call.metric.kind]).get("unit", ())}

    @property
    def relations(self) -> Relations:
        """The relations over the part of the inputs that the metric is computed from."""
        return self.suite.metrics.relations_over(self.call.metric)

    @property
    def label_of_setup(self) -> list[tuple[str, str]]:
        """The parts of the slices of scores that the setup fixes: SQL by name."""
        varied = [(name, literal(value)) for name, value in self.setup.fixed.items()]
        return [*varied, *((column, quoted(scope_column(column))) for column in self.setup.by)]

    @property
    def resample(self) -> Resample | None:
        """How the metric is resampled; None if that is unknown, or if it is a formula of metrics that differ in it."""
        found = {*self.suite.metrics.resamples(self.call.metric)}
        return found.pop() if len(found) == 1 else None


def deprecated(suite: ScoredSuite) -> Iterator[str]:
    """The warnings about definitions that a suite uses, or the run sets, and that should not be used any more."""
    names, calls = suite.names, suite.calls
    used: list[Definition | None] = [names.suite_of(each) for each in names.catalog.bases(names.domain, names.suite)]
    used += (each for call in calls for each in suite.needs.with_operands(call.metric))
    used += suite.needs.upstream([*suite.sources, *suite.keep.values()])
    set_by_call = (name for call in calls for _, values in call.layers for name in values)
    used += map(names.parameter, [*suite.suite.params, *suite.changed, *set_by_call])
    for each in used:
        if isinstance(each, Deprecable) and each.deprecated:
            written = each.origin.writer("deprecated")  # this definition may extend it
            yield f"{written.section.removesuffix('s')} {written.name} is {each.deprecated}"


LONGEST_SHOWN = 80  # characters of a value in a signature
UNSCORED = ("report", "conforms_to")  # the keys of a suite that change no score


def signature_of(suites: Sequence[ScoredSuite]) -> Signature:
    """The signature of the scores of some suites."""
    names = "+".join(each.suite.name for each in suites)
    request = suites[0].request
    options = [f"on_bad_row:{DROP}"] if request.on_bad_row == DROP else []
    given = sorted({name for each in suites for name in each.suite.optional if name in (request.given or ())})
    options += [f"with:{'+'.join(given)}"] if given else []
    if request.confidence is not None:
        options += _resampling(suites, request, request.confidence)
    plugins = sorted({each for suite in suites for each in _plugins(suite)})
    documents = "|".join([f"spec:{_digest(suites)}", *plugins])
    settings = ([each for suite in suites for each in _settings(suite, brief)] for brief in (False, True))
    long, short = ("|".join([names, *options, *each, documents, f"scorespec:{__version__}"]) for each in settings)
    return Signature(long, short, documents, suites[0].names.catalog.plugins.versions)


def _resampling(suites: Sequence[ScoredSuite], request: Request, level: float) -> Iterator[str]:
    """The level of intervals, and how scores are resampled."""
    metrics = [(each.metrics, call.metric) for each in suites for call in each.calls]
    resamples = (each for compiled, metric in metrics for each in compiled.resamples(metric))
    blocks = dict.fromkeys(f"{each.method}({'/'.join(each.blocks)})" for each in resamples)
    swept = any({"best", "cross"} & metric.body.keys() and "then" not in metric.body for _, metric in metrics)
    of_thresholds = [f"replicates(threshold)={SWEPT_REPLICATES}"] if swept else []
    groups = f"groups={request.confidence_groups}"
    yield f"confidence:{level_text(level)}{'+percentile' if request.percentile else ''}"
    yield f"resample:{'+'.join([*blocks, f'replicates={REPLICATES}', *of_thresholds, groups, f'seed={SEED}'])}"


def _settings(suite: ScoredSuite, short: bool) -> Iterator[str]:
    blocks = suite.blocks if suite.request.confidence is not None else ()
    for name in sorted(suite.needs.parameters_of([call.metric for call in suite.calls], blocks)):
        if name in suite.changed or not short:
            value = "+".join(map(show_value, suite.varied.get(name, (suite.values[name],))))
            yield f"{suite.full_name(name)}:{_brief(value)}"


def _digest(suites: Sequence[ScoredSuite]) -> str:
    """A hash of everything that is written about the suites."""
    pinned: set[str] = set()
    for suite in suites:
        written = [*templates_in("kinds/shared"), *_documents(suite)]
        pinned |= {*written, *(f"{each.name}: {each.sql}" for each in macros_used(suite.names, written))}
    return hashlib.sha256("\n".join(sorted(pinned)).encode()).hexdigest()[:8]


def _documents(suite: ScoredSuite) -> Iterator[str]:
    """The documents of a suite as JSON: of all its metrics, or of those that are added to another suite's."""
    yield stable_json({key: each for key, each in suite.suite.origin.data.items() if key not in UNSCORED})
    pinned = [call.metric for call in suite.pinned_calls]
    for metric in pinned:
        yield from suite.needs.documents(metric)
    for found in suite.needs.upstream(suite.pinned_sources):
        yield suite.needs.document_of(found.name)
    for parameter in suite.needs.parameters_of(pinned, suite.pinned_sources).values():
        yield stable_json(parameter.origin.data)


def _plugins(suite: ScoredSuite) -> Iterator[str]:
    """The plugins whose functions make relations of the suite, or that replace what ships, with their versions."""
    loaded = suite.names.catalog.plugins
    relations = suite.needs.upstream(suite.pinned_sources)
    inputs = [each.function_input for each in relations if isinstance(each, Relation) and each.function_input]
    replacing = {plugin for plugin, _ in loaded.replaces}
    for name in {*replacing, *(loaded.origins.get(call.function.name) for each in inputs for call in each.calls)}:
        if name is not None:
            yield f"{name}:{loaded.versions[name]}"


def _brief(value: str) -> str:
    """A value as the signature has it: a long one, such as a table of names, by its hash."""
    return value if len(value) <= LONGEST_SHOWN else f"#{hashlib.sha256(value.encode()).hexdigest()[:8]}"
