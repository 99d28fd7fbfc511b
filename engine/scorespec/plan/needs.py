"""What the definitions of a namespace need, and what the keys of metrics say. Only documents decide it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from scorespec.catalog.documents import LONGEST_CHAIN, shipped
from scorespec.catalog.lookup import Catalog, DefinitionKey, Namespace
from scorespec.catalog.model import Kind, Metric, Parameter, Relation, Resample, SqlTemplate, Table
from scorespec.catalog.template_names import fault_at_line, names_read
from scorespec.errors import Code, ScorespecError, SpecError, UsageError, nearest
from scorespec.plan.parameters import (
    Layer,
    Values,
    decided,
    metric_text,
    read_metric_text,
    read_value,
    show_value,
    unknown_parameter,
)
from scorespec.plan.rendering.render import render_value
from scorespec.plan.rendering.templates import quoted, templates_in, with_imports

Path = tuple[str | int, ...]  # of a value in a document
UNCOUNTED = ("units", "given.from")  # the relations of a kind whose rows are not counted

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


@dataclass(frozen=True)
class Call:
    """A metric with the values of parameters in its call, and its canonical text: ``token(edge_time=0.01)``.

    ``layers`` are the values that the document of the metric sets, and those of the call.
    """

    metric: Metric
    arguments: Values
    text: str
    layers: tuple[Layer, Layer]


def _kept(method: Callable[Concatenate[Needs, Arguments], Found]) -> Callable[Concatenate[Needs, Arguments], Found]:
    """A method whose result is kept for each of its arguments."""

    @wraps(method)
    def found(self: Needs, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Found:
        key = (method.__name__, *arguments, *named.items())
        if key not in self._results:
            self._results[key] = method(self, *arguments, **named)
        return self._results[key]  # type: ignore[no-any-return]

    return found


def needs_of(names: Namespace) -> Needs:
    """The needs in a namespace; all runs with it share them."""
    found: Needs = names.derived.setdefault("needs", Needs(names))
    return found


class Needs:
    """What the tables, relations and metrics of a namespace need."""

    def __init__(self, names: Namespace) -> None:
        self.names = names
        self._results: dict[tuple[object, ...], Any] = {}

    # -- relations -------------------------------------------------------------------------------

    @_kept
    def find(self, name: str) -> Table | Relation | None:
        """A table or relation by name."""
        return self.names.table_or_relation(name)

    def upstream(self, names: Iterable[str]) -> tuple[Table | Relation, ...]:
        """The tables and relations that ``names`` need, directly or not, and these themselves; inputs come first."""
        return self._upstream(tuple(names))

    @_kept
    def _upstream(self, names: tuple[str, ...]) -> tuple[Table | Relation, ...]:
        ordered: dict[str, Table | Relation] = {}
        for name in names:
            self._visit(name, ordered, ())
        return tuple(ordered.values())

    def _visit(self, name: str, ordered: dict[str, Table | Relation], path: tuple[str, ...]) -> None:
        if name in ordered:
            return
        found = self.known(name)
        if name in path:
            raise SpecError(f"{' needs '.join((*path, name))}: a cycle", found.origin.place("needs"))
        if isinstance(found, Relation):
            if len(path) >= LONGEST_CHAIN:
                said = f"a chain of more than {LONGEST_CHAIN} relations, each of which needs the next"
                raise SpecError(said, found.origin.place("needs"))
            for need in found.needs:
                self._visit(need, ordered, (*path, name))
        ordered[name] = found

    def known(self, name: str) -> Table | Relation:
        """A table or relation by name. Raises SpecError for an unknown one."""
        if found := self.find(name):
            return found
        hint = nearest(name, self.names.names("tables", "relations"))
        raise SpecError(f"unknown table or relation {name!r}; {hint}")

    # -- parameters ------------------------------------------------------------------------------

    def parameters(self, names: Iterable[str], used: Iterable[str] = ()) -> Mapping[str, Parameter]:
        """Every parameter that something upstream of ``names`` reads, those ``used``, and those that set one of these.

        Each has its default as a value of its type. Names in ``used`` that are not parameters are left out.
        """
        return self._parameters(tuple(names), tuple(used))

    @_kept
    def _parameters(self, names: tuple[str, ...], used: tuple[str, ...]) -> Mapping[str, Parameter]:
        relations = [found for found in self._upstream(names) if isinstance(found, Relation)]
        read = {parameter.name: parameter for found in relations for parameter in found.params}
        read |= {name: found for name in used if (found := self.names.parameter(name))}
        setting = {
            each.name: each
            for each in self._setting
            if any(read.keys() & others.keys() for others in each.sets.values())
        }
        return {name: self._with_default(parameter) for name, parameter in {**read, **setting}.items()}

    @cached_property
    def _setting(self) -> list[Parameter]:
        """The parameters that set others. Raises SpecError for a value that does not fit."""
        known = (self.names.parameter(name) for name in self.names.names("parameters"))
        found = [parameter for parameter in known if parameter and parameter.sets]
        for parameter in found:
            for value, others in parameter.sets.items():
                place = parameter.origin.place("sets", value, key=True)
                read_value(parameter, value, partial(SpecError, place=place))
                for name, written in others.items():
                    place = parameter.origin.place("sets", value, name)
                    if other := self.names.parameter(name):
                        read_value(other, written, partial(SpecError, place=place))
        return found

    @_kept
    def _with_default(self, parameter: Parameter) -> Parameter:
        place = parameter.origin.place("default")
        return replace(parameter, default=read_value(parameter, parameter.default, partial(SpecError, place=place)))

    def parameters_of(self, metrics: Iterable[Metric], relations: Iterable[str] = ()) -> Mapping[str, Parameter]:
        """The parameters that the texts of some metrics, the relations that these read, and others use."""
        found = list(metrics)
        read = [name for metric in found for name in self.relations_of(metric)]
        return self.parameters([*read, *relations], [name for metric in found for name in self._used_by(metric)])

    @_kept
    def _used_by(self, metric: Metric) -> list[str]:
        """The names in the templates among the keys of a metric; for a formula, also those of its metrics."""
        own = [name for _, template in templates_of(metric) for name in names_read(template)]
        return [*own, *(name for _, operand in self.operands(metric).values() for name in self._used_by(operand))]

    # -- metrics ---------------------------------------------------------------------------------

    def call(self, text: str) -> Call:
        """Read a metric string. Raises UsageError for an unknown metric or parameter, or a wrong value."""
        name, written = read_metric_text(text)
        metric = self.names.own_metric(name)
        declared = self.parameters_of([metric])
        for key in written:
            if key not in declared:
                raise UsageError(unknown_parameter(key, declared, f"metric {name!r}"), Code.UNKNOWN_NAME)
        return self.called(metric, {key: read_value(declared[key], value) for key, value in written.items()})

    def called(self, metric: Metric, arguments: Values) -> Call:
        """The call of a metric with typed arguments."""
        declared, place = self.parameters_of([metric]), partial(metric.origin.place, "params")
        if undeclared := next((name for name in metric.params if name not in declared), None):
            raise SpecError(unknown_parameter(undeclared, declared, f"metric {metric.name!r}"), place(undeclared))
        own = {
            name: read_value(declared[name], written, partial(SpecError, place=place(name)))
            for name, written in metric.params.items()
        }
        layers: tuple[Layer, Layer] = (("metric", own), ("call", arguments))
        values = decided(declared, layers)
        for name in sorted(values.keys() & self.names.catalog.fold_counts(metric.domain)):
            value, origin = values[name]
            said = (
                f"metric {metric.name!r} cannot set {name!r}: a suite is scored in folds as a whole; "
                f"use --param {name}={show_value(value)}, or `params` of a suite"
            )
            if origin != "default":
                raise UsageError(said) if origin == "call" else SpecError(said, place())
        return Call(metric, arguments, metric_text(metric.name, arguments), layers)

    @_kept
    def relations_of(self, metric: Metric, above: tuple[str, ...] = (), *, counted: bool = False) -> list[str]:
        """The relations that a metric reads; for a formula, those of its metrics.

        With ``counted`` only those whose rows it counts, without `units` and `given`.
        """
        found = []
        for path in self.names.kinds[metric.kind].relations:
            if (name := name_at(metric.body, path)) and not (counted and path in UNCOUNTED):
                if self.find(name) is None:
                    hint = nearest(name, self.names.names("tables", "relations"))
                    raise SpecError(f"unknown relation {name!r}; {hint}", metric.origin.place(*path.split(".")))
                found.append(name)
        for alias, (_, operand) in self.operands(metric).items():
            if metric.name in above:
                place = metric.origin.place("of", alias)
                raise SpecError(f"{' of '.join((*above, metric.name))}: a cycle", place)
            if len(above) > LONGEST_CHAIN:
                said = f"a chain of more than {LONGEST_CHAIN} metrics, each of which refers to the next"
                raise SpecError(said, metric.origin.place("of", alias))
            found += self.relations_of(operand, (*above, metric.name), counted=counted)
        return found

    @_kept
    def operands(self, metric: Metric) -> Mapping[str, tuple[str, Metric]]:
        """The metrics of a formula by their short names, each with its metric string; none for other kinds."""
        written = [metric.body.get(path, {}) for path in self.names.kinds[metric.kind].metrics]
        named = {alias: text for of in written for alias, text in of.items()}
        return {alias: (text, self._operand(metric, alias, text)) for alias, text in named.items()}

    def _operand(self, metric: Metric, alias: str, text: str) -> Metric:
        try:
            return self.names.own_metric(read_metric_text(text)[0])
        except UsageError as error:
            raise SpecError(str(error), metric.origin.place("of", alias)) from None

    def with_operands(self, metric: Metric) -> Iterator[Metric]:
        """A metric and the metrics to which it refers."""
        yield metric
        for _, operand in self.operands(metric).values():
            yield from self.with_operands(operand)

    def resamples(self, metric: Metric, usual: Resample | None) -> list[Resample]:
        """How a metric is resampled, if documents say so; of a formula, how its metrics are."""
        if operands := self.operands(metric):
            return [each for _, operand in operands.values() for each in self.resamples(operand, usual)]
        resample = metric.resample or usual
        return [resample] if resample else []

    # -- documents, as JSON ----------------------------------------------------------------------

    @_kept
    def documents(self, metric: Metric) -> list[str]:
        """The documents and SQL of a metric and of the metrics it refers to, without their relations."""
        found: list[Any] = []
        for each in self.with_operands(metric):
            kind = self.names.kinds[each.kind]
            found += [each.origin.data, kind.origin.data]
            for name in filter(None, (kind.name, kind.short_for)):
                found += templates_in(f"kinds/{name}")
        return [*map(stable_json, found)]

    @_kept
    def document_of(self, name: str) -> str:
        """The document of a table or relation, with the templates of a relation and the files that they import."""
        found = self.known(name)
        templates = found.templates.values() if isinstance(found, Relation) else ()
        return stable_json([found.origin.data, *(text for template in templates for text in with_imports(template))])


def stable_json(data: Any) -> str:
    """Data as JSON with sorted keys: equal data give equal text."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, default=str, separators=(",", ":"))


def namespaces_of(catalog: Catalog, key: DefinitionKey) -> list[Namespace]:
    """The namespaces that have everything that a definition refers to; if none has, its home."""
    home = catalog.home(key)
    suites = [] if key.suite or not key.domain else catalog.suites(key.domain)
    namespaces = [home, *(catalog.namespace(key.domain, suite) for suite in suites)]
    return [names for names in dict.fromkeys(namespaces) if resolves(names, key)] or [home]


def resolves(names: Namespace, key: DefinitionKey) -> bool:
    """Whether the name means this definition in a namespace, which has everything that the definition refers to."""
    try:
        definition = names.definition(key.section, key.name)
        if isinstance(definition, Metric):
            declared = needs_of(names).parameters_of([definition])
            if not declared.keys() >= definition.params.keys():
                return False
        return key.section == "suites" or names.key(key.section, key.name) == key
    except ScorespecError:
        return False


# -- the keys of a metric ----------------------------------------------------------------------------


def expanded(metric: Metric, kind: Kind) -> Mapping[str, Any]:
    """The keys of a metric, with those that a short form stands for."""
    body = metric.body
    if isinstance(body.get("statistics"), list):  # columns that are summed
        body = {**body, "statistics": {column: f"sum({quoted(column)})" for column in body["statistics"]}}
    if kind.short_for is None:
        return {"components": {name: quoted(name) for name in body.get("statistics", ())}, **body}
    return {**render_value(kind.body, body, lambda *path: metric.origin.place()), **body}


def name_at(body: Mapping[str, Any], path: str) -> str | None:
    """The name at a dotted path of a metric's keys, if there is one."""
    value: Any = body
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value if value is None else str(value)


def has_overall(body: Mapping[str, Any]) -> bool:
    """Whether a metric has a row for all of its slices together."""
    return bool(body.get("overall", True))


def components_of(body: Mapping[str, Any]) -> Mapping[str, str]:
    """The components that the expanded body of a metric writes: SQL by name."""
    return {**body.get("components", {}), **body.get("of_slice", {})}


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


def templates_of(metric: Metric) -> Iterator[tuple[Path, SqlTemplate]]:
    """Every text among the keys of a metric, with its path."""
    return ((path, SqlTemplate("", text, shipped("sql"))) for path, text in texts_in(metric.body) if "{" in text)


def texts_in(value: Any, *path: str | int) -> Iterator[tuple[Path, str]]:
    """Every text inside a value of a document, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from texts_in(each, *path, key)
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from texts_in(each, *path, at)
