"""Turns metrics into steps: statistics per unit, then components per slice; and finds unknown names in metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from scorespec.catalog.documents import LONGEST_CHAIN, shipped
from scorespec.catalog.lookup import Catalog, DefinitionKey, Namespace
from scorespec.catalog.model import Kind, Metric, Parameter, Relation, Resample, SqlTemplate, Suite, Table, Value
from scorespec.catalog.template_names import fault_at_line, names_read
from scorespec.errors import Code, ScorespecError, SpecError, UsageError, nearest
from scorespec.plan.kinds import COUNTING, ROWS, formula
from scorespec.plan.kinds.counting import Counting, ScoredMetric, Setup, Steps, expanded, name_at
from scorespec.plan.only import columns_read, conditions_of, filters_of
from scorespec.plan.parameters import (
    Values,
    metric_text,
    read_metric_text,
    read_value,
    show_value,
    unknown_parameter,
    with_set_values,
)
from scorespec.plan.relations import Relations
from scorespec.plan.rendering.render import render_value
from scorespec.plan.rendering.templates import Reference, Setting, templates_in

UNCOUNTED = ("units", "given.from")  # the relations of a kind whose rows are not counted


@dataclass(frozen=True)
class Call:
    """A metric with the values of parameters in its call, and its canonical text: ``token(edge_time=0.01)``.

    ``values`` are all parameters that are set: in the call, otherwise in the document of the metric.
    """

    metric: Metric
    arguments: Values
    text: str
    values: Values


class Metrics:
    """Compiles the metrics of a namespace into steps that it adds to ``relations``.

    ``resample`` says how metrics are resampled that do not say so themselves; with ``replicates``, the steps of
    resampling are added. ``blocks`` are the columns that name the blocks of all metrics, if documents do not. If the
    inputs of a run are only ``assumed``, each table may be one.
    """

    def __init__(
        self,
        names: Namespace,
        relations: Relations,
        resample: Resample | None = None,
        replicates: bool = False,
        blocks: str | None = None,
        assumed: bool = False,
    ) -> None:
        self._names, self._kinds = names, names.kinds
        self._relations, self._assumed = relations, assumed
        self._resample, self._replicates, self._blocks = resample, replicates, blocks
        self._relations_of: dict[tuple[str, str, bool], list[str]] = names.derived("relations of metrics")
        self._used: dict[tuple[str, str], list[str]] = names.derived("names in metrics")
        self._operands: dict[tuple[str, str], Mapping[str, tuple[str, Metric]]] = names.derived("operands of formulas")

    # -- metrics and their relations -------------------------------------------------------------

    def call(self, text: str) -> Call:
        """Read a metric string. Raises UsageError for an unknown metric or parameter, or a wrong value."""
        name, written = read_metric_text(text)
        metric = self._names.own_metric(name)
        declared = self.parameters([metric])
        for key in written:
            if key not in declared:
                raise UsageError(unknown_parameter(key, declared, f"metric {name!r}"), Code.UNKNOWN_NAME)
        return self._call(metric, {key: read_value(declared[key], value) for key, value in written.items()})

    def _call(self, metric: Metric, arguments: Values) -> Call:
        return Call(metric, arguments, metric_text(metric.name, arguments), self._set_values(metric, arguments))

    def parameters(self, metrics: Iterable[Metric], relations: Iterable[str] = ()) -> Mapping[str, Parameter]:
        """The parameters that the texts of some metrics, the relations that these read, and others use."""
        found = list(metrics)
        read = [name for metric in found for name in self.relations_of(metric)]
        return self._relations.parameters([*read, *relations], [name for each in found for name in self._used_by(each)])

    def _used_by(self, metric: Metric) -> list[str]:
        """The names in the templates among the keys of a metric; for a formula, also those of its metrics."""
        key = metric.suite, metric.name
        if key not in self._used:
            operands = [operand for _, operand in self._operands_of(metric).values()]
            own = [name for _, template in templates_of(metric) for name in names_read(template)]
            self._used[key] = [*own, *(name for each in operands for name in self._used_by(each))]
        return self._used[key]

    def relations_of(self, metric: Metric, above: tuple[str, ...] = (), *, counted: bool = False) -> list[str]:
        """The relations that a metric reads; for a formula, those of its metrics.

        With ``counted`` only those whose rows it counts, without `units` and `given`.
        """
        key = metric.suite, metric.name, counted
        if key not in self._relations_of:
            self._relations_of[key] = self._find_relations(metric, above, counted)
        return self._relations_of[key]

    def _find_relations(self, metric: Metric, above: tuple[str, ...], counted: bool) -> list[str]:
        found = []
        for path in self._kinds[metric.kind].relations:
            if (name := name_at(metric.body, path)) and not (counted and path in UNCOUNTED):
                if self._relations.find(name) is None:
                    said = f"unknown relation {name!r}; {nearest(name, self._relations.known())}"
                    raise SpecError(said, metric.origin.place(*path.split(".")))
                found.append(name)
        for alias, (_, operand) in self._operands_of(metric).items():
            if metric.name in above:
                place = metric.origin.place("of", alias)
                raise SpecError(f"{' of '.join((*above, metric.name))}: a cycle", place)
            if len(above) > LONGEST_CHAIN:
                said = f"a chain of more than {LONGEST_CHAIN} metrics, each of which refers to the next"
                raise SpecError(said, metric.origin.place("of", alias))
            found += self.relations_of(operand, (*above, metric.name), counted=counted)
        return found

    def _operands_of(self, metric: Metric) -> Mapping[str, tuple[str, Metric]]:
        """The metrics of a formula by their short names, each with its metric string; none for other kinds."""
        key = metric.suite, metric.name
        if key not in self._operands:
            written = [metric.body.get(path, {}) for path in self._kinds[metric.kind].metrics]
            named = {alias: text for of in written for alias, text in of.items()}
            self._operands[key] = {alias: (text, self._operand(metric, alias, text)) for alias, text in named.items()}
        return self._operands[key]

    def _operand(self, metric: Metric, alias: str, text: str) -> Metric:
        try:
            return self._names.own_metric(read_metric_text(text)[0])
        except UsageError as error:
            raise SpecError(str(error), metric.origin.place("of", alias)) from None

    def block_names(self, metric: Metric) -> list[str]:
        """The relations that resampling a metric needs in addition to its own; of a formula, those of its metrics."""
        named = (name for each in self.resamples(metric) for name in (each.from_, each.rows))
        return list(dict.fromkeys(name for name in named if name))

    def resamples(self, metric: Metric) -> list[Resample]:
        """How a metric is resampled; of a formula, how its metrics are."""
        if operands := self._operands_of(metric):
            return [each for _, operand in operands.values() for each in self.resamples(operand)]
        resample = metric.resample or self._resample
        if self._blocks:
            return [replace(resample or Resample(), blocks=(self._blocks,))]
        return [resample] if resample else []

    def _set_values(self, metric: Metric, arguments: Values) -> Values:
        """The values that a metric sets: in its call, otherwise in its document."""
        declared = self.parameters([metric])
        values: dict[str, Value] = {}
        for name, written in metric.params.items():
            place = metric.origin.place("params", name)
            if name not in declared:
                raise SpecError(unknown_parameter(name, declared, f"metric {metric.name!r}"), place)
            values[name] = read_value(declared[name], written, partial(SpecError, place=place))
        values, called = with_set_values(values, declared), with_set_values(arguments, declared)
        for name in sorted({**values, **called}.keys() & self._names.catalog.of_folds(metric.domain, "count")):
            said = (
                f"metric {metric.name!r} cannot set {name!r}: a suite is scored in folds as a whole; "
                f"use --param {name}={show_value({**values, **called}[name])}, or `params` of a suite"
            )
            raise UsageError(said) if name in called else SpecError(said, metric.origin.place("params"))
        return {**values, **called}

    def idle(self, call: Call, setups: Sequence[Setup]) -> list[str]:
        """The parameters that a call or its metric sets, and that change nothing of the scores in these setups.

        Those that set others are left out: the call or the metric may also set each of the others.
        """
        declared = self.parameters([call.metric])
        names = {**call.metric.params, **call.arguments}
        return [name for name in names if not declared[name].sets and self._is_idle(name, call, setups)]

    def _is_idle(self, name: str, call: Call, setups: Sequence[Setup]) -> bool:
        params = {key: value for key, value in call.metric.params.items() if key != name}
        arguments = {key: value for key, value in call.arguments.items() if key != name}
        without = self._call(replace(call.metric, params=params), arguments)
        return all(
            name not in each.varied
            and _inside(call, each).values[name] != _inside(without, each).values[name]
            and self.scored(call, each).wide == self.scored(without, each).wide
            for each in setups
        )

    def lacks(self, metric: Metric, setup: Setup) -> list[str]:
        """The columns of the scope that some counted relation of the metric does not have."""
        counted = self.relations_of(metric, counted=True)
        return [c for c in setup.scope if not all(self._relations.scopes.carries(name, c) for name in counted)]

    def why_lacking(self, metric: Metric, column: str) -> str:
        """Why a metric cannot be broken down by a column."""
        scopes = self._relations.scopes
        counted = self.relations_of(metric, counted=True)
        return scopes.why_not(next(name for name in counted if not scopes.carries(name, column)), column)

    def setups_of(self, call: Call, setups: Iterable[Setup]) -> list[Setup]:
        """The setups of a metric. A metric that sets a varied parameter is scored only with its own value."""
        found: list[Setup] = []
        for setup in setups:
            varied = {name: call.values.get(name, value) for name, value in setup.varied.items()}
            narrowed = replace(setup, values={**setup.values, **varied}, varied=varied)
            if narrowed not in found:
                found.append(narrowed)
        return found

    def documents(self, metric: Metric) -> list[Any]:
        """The documents and SQL of a metric and of the metrics it refers to, without their relations."""
        found = []
        for each in self.with_operands(metric):
            kind = self._kinds[each.kind]
            found += [each.origin.data, kind.origin.data]
            for name in filter(None, (kind.name, kind.short_for)):
                found += templates_in(f"kinds/{name}")
        return found

    def with_operands(self, metric: Metric) -> Iterator[Metric]:
        """A metric and the metrics to which it refers."""
        yield metric
        for _, operand in self._operands_of(metric).values():
            yield from self.with_operands(operand)

    # -- the steps -------------------------------------------------------------------------------

    def relations_over(self, metric: Metric, relations: Relations | None = None) -> Relations:
        """Relations, those of this namespace or others, over the part of the inputs that a metric is computed from."""
        relations = relations or self._relations
        if not metric.only:
            return relations
        behind = relations.upstream(self.relations_of(metric))
        given = behind if self._assumed else relations.scopes.tables
        read = [each for each in behind if isinstance(each, Table) and each in given]
        return relations.filtered(filters_of(metric, read, None if self._assumed else relations.scopes))

    def rows_left(self, metric: Metric, within: Relations | None = None) -> Iterator[Mapping[Table, Reference]]:
        """The numbers of rows that the key `only` of a metric leaves, and of each metric to which it refers."""
        relations = self.relations_over(metric, within)
        tables = [table for name in relations.filters if isinstance(table := relations.find(name), Table)]
        if metric.only and tables:
            yield {table: relations.number_of_rows(table) for table in tables}
        for _, operand in self._operands_of(metric).values():
            yield from self.rows_left(operand, relations)

    def scored(self, call: Call, setup: Setup, within: Relations | None = None) -> ScoredMetric:
        """The steps of a metric in one setup; ``within`` are the relations of the formula that it is part of."""
        metric, inner = call.metric, _inside(call, setup)
        relations, kind = self.relations_over(metric, within), self._kinds[metric.kind]
        if kind.metrics:
            return self._formula(metric, inner, relations)
        body = self._rendered(metric, inner, expanded(metric, kind))
        counted = self.relations_of(metric, counted=True)
        rows = ROWS.get(kind.name)
        resample = next(iter(self.resamples(metric)), None)
        counting = Counting(relations, metric, kind, inner, body, counted, rows, resample, self._replicates)
        return COUNTING[kind.short_for or kind.name](counting)

    def _formula(self, metric: Metric, setup: Setup, relations: Relations) -> ScoredMetric:
        operands = self._operands_of(metric).items()
        scored = [(alias, self.scored(self.call(text), setup, relations)) for alias, (text, _) in operands]
        components = self._rendered(metric, setup, metric.body["components"], "components")
        return formula.scored(Steps(relations, metric, setup), scored, components)

    def _rendered(self, metric: Metric, setup: Setup, written: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
        """The keys of a metric below ``path``, with the values of parameters in their texts."""
        context = {name: Setting(setup.values[name]) for name in self.parameters([metric])}
        hint = partial(hint_for_metric, self.relations_of(metric), self._names)
        rendered: Mapping[str, Any] = render_value(written, context, metric.origin.place, *path, hint=hint)
        return rendered


def _inside(call: Call, setup: Setup) -> Setup:
    """A setup with the values that a metric sets."""
    return replace(setup, values={**setup.values, **call.values})


def block_columns(names: Namespace, suite: Suite, texts: Iterable[str]) -> set[str]:
    """The columns that name the blocks of a suite, or of the metrics of some metric strings."""
    metrics = Metrics(names, Relations(names, frozenset()), suite.resample)
    found = {*suite.resample.blocks} if suite.resample else set[str]()
    for text in texts:
        with suppress(ScorespecError):  # the compiler reports a wrong metric string at its place
            called = names.own_metric(read_metric_text(text)[0].rpartition(".")[2])
            found |= {column for each in metrics.resamples(called) for column in each.blocks}
    return found


def undeclared_columns(names: Namespace, suite: Suite, texts: Iterable[str]) -> tuple[set[str], list[Relation]]:
    """The columns that `only` of some metrics reads, declared or not; with the relations that read undeclared ones."""
    relations = Relations(names, frozenset())
    metrics, found, read = Metrics(names, relations), set[str](), [*suite.keep.values()]
    for text in texts:
        with suppress(ScorespecError):  # the compiler reports it at its place
            for metric in metrics.with_operands(names.own_metric(read_metric_text(text)[0].rpartition(".")[2])):
                found |= {column for _, sql, place in conditions_of(metric) for column in columns_read(sql, place)}
                read += metrics.relations_of(metric)
    reading: list[Relation] = []
    with suppress(ScorespecError):
        reading = [each for each in relations.upstream(read) if isinstance(each, Relation) and each.other_columns]
    return found.union(*(columns for each in reading for columns in each.other_columns.values())), reading


def namespaces_of(catalog: Catalog, key: DefinitionKey) -> list[Namespace]:
    """The namespaces that have everything that a definition refers to; if none has, its home."""
    home = catalog.home(key)
    suites = [] if key.suite or not key.domain else catalog.suites(key.domain)
    namespaces = [home, *(catalog.namespace(key.domain, suite) for suite in suites)]
    return [names for names in dict.fromkeys(namespaces) if resolves(names, key)] or [home]


def resolves(names: Namespace, key: DefinitionKey) -> bool:
    """Whether the name means this definition in a namespace, which has everything that the definition refers to."""
    try:
        definition, relations = names.definition(key.section, key.name), Relations(names, frozenset())
        if isinstance(definition, Metric):
            declared = Metrics(names, relations).parameters([definition])
            if not declared.keys() >= definition.params.keys():
                return False
        return key.section == "suites" or names.key(key.section, key.name) == key
    except ScorespecError:
        return False


def direct_references(metric: Metric, kind: Kind) -> Iterator[tuple[str, str]]:
    """The section and name of everything that a metric refers to: relations, and the metrics of a formula."""
    for path in kind.relations:
        if name := name_at(metric.body, path):
            yield from (("relations", name), ("tables", name))
    for path in kind.metrics:
        yield from (("metrics", read_metric_text(text)[0]) for text in metric.body.get(path, {}).values())


def hint_for_metric(relations: Sequence[str], names: Namespace, name: str) -> str:
    """Says what to do about an unknown name in a metric that reads ``relations``."""
    if name in names.names("tables", "relations"):
        return "it is a table or relation: join it in a relation, and count the rows of that relation"
    if owner := next((each for each in relations if name in names.written(each, "columns")), None):
        return f"it is a column of {owner}: write it without {{{{ }}}}"
    return nearest(name, names.names("parameters"))


def undefined_in_metric(metric: Metric, relations: Sequence[str], names: Namespace) -> Iterator[SpecError]:
    """A fault for each name that a template of a metric uses and that is not a parameter."""
    for path, template in templates_of(metric):
        for name, line in names_read(template).items():
            if name not in names.names("parameters"):
                hint = hint_for_metric(relations, names, name)
                yield fault_at_line(f"{name!r} is undefined", "", line, metric.origin.place(*path), hint)


def templates_of(metric: Metric) -> Iterator[tuple[tuple[str | int, ...], SqlTemplate]]:
    """Every text among the keys of a metric, with its path."""
    return ((path, SqlTemplate("", text, shipped("sql"))) for path, text in texts_in(metric.body) if "{" in text)


def texts_in(value: Any, *path: str | int) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text inside a value of a document, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from texts_in(each, *path, key)
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from texts_in(each, *path, at)
