"""Turns metrics into steps: the kind's rows, its statistics per unit, its components per slice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scorespec.catalog.data import shipped
from scorespec.catalog.lookup import Catalog
from scorespec.catalog.model import Kind, Metric, Value
from scorespec.compiler.parameters import (
    Values,
    literal,
    metric_text,
    read_metric_text,
    read_value,
    unknown_parameter,
)
from scorespec.compiler.relations import Relations, Scope, scope_column
from scorespec.compiler.templates import Reference, Setting, render, render_value, shipped_sql
from scorespec.errors import SpecError, UsageError, nearest

KINDS_TO_COME = frozenset({"sweep", "fit"})


@dataclass(frozen=True)
class Call:
    """A metric with the parameters given to it, and its canonical text: ``token(edge_time=0.01)``."""

    metric: Metric
    arguments: Values
    text: str


@dataclass(frozen=True)
class Setup:
    """What surrounds a metric: parameter values of the run, columns of its scope, the fixed part of its slice."""

    values: Values
    by: Scope = ()
    fold: str | None = None
    varied: Values = field(default_factory=dict)

    @property
    def scope(self) -> Scope:
        return (*((self.fold,) if self.fold else ()), *self.by)


@dataclass(frozen=True)
class Scored:
    """A metric's tables in one setup: ``wide`` has a row per slice, ``units`` one per unit (formulas: None).

    ``wide`` has the scope columns; scope and slice (JSON); breakdown (which standing slice, 0 is none);
    the components; note (why one of them may be undefined).
    """

    wide: str
    components: tuple[str, ...]
    sliced: bool
    units: str | None = None
    unit: tuple[str, ...] = ()
    slice_columns: tuple[str, ...] = ()
    statistics: tuple[str, ...] = ()


class Metrics:
    """Compiles the metrics of one domain into steps that it adds to ``relations``."""

    def __init__(self, catalog: Catalog, domain: str, relations: Relations) -> None:
        self._catalog = catalog
        self._domain = domain
        self._relations = relations

    # -- what a metric is made of ----------------------------------------------------------------

    def call(self, text: str) -> Call:
        """Read a metric string. Raises UsageError for an unknown metric or parameter, or a wrong value."""
        name, written = read_metric_text(text)
        metric = self._catalog.metric(self._domain, name)
        declared = self._relations.parameters(self.relations_of(metric))
        for key in written:
            if key not in declared:
                raise UsageError(unknown_parameter(key, declared, f"metric {name!r}"))
        values = {key: read_value(declared[key], value) for key, value in written.items()}
        return Call(metric, values, metric_text(name, values))

    def relations_of(self, metric: Metric, above: tuple[str, ...] = ()) -> list[str]:
        """The relations that a metric reads; for a formula, those of its metrics."""
        kind = self._catalog.kinds[metric.kind]
        found = []
        for path in kind.relations:
            if name := _at(metric.body, path):
                if self._relations.find(name) is None:
                    said = f"unknown relation {name!r}; {nearest(name, self._relations.known())}"
                    raise SpecError(said, metric.origin.place(*path.split(".")))
                found.append(name)
        for alias, text in self._referred(metric):
            if metric.name in above:
                place = metric.origin.place("of", alias)
                raise SpecError(f"{' of '.join((*above, metric.name))}: a cycle", place)
            name, _ = read_metric_text(text)
            found += self.relations_of(self._named(metric, alias, name), (*above, metric.name))
        return found

    def _referred(self, metric: Metric) -> Iterator[tuple[str, str]]:
        for path in self._catalog.kinds[metric.kind].metrics:
            yield from metric.body.get(path, {}).items()

    def _named(self, metric: Metric, alias: str, name: str) -> Metric:
        try:
            return self._catalog.metric(self._domain, name)
        except UsageError as error:
            raise SpecError(str(error), metric.origin.place("of", alias)) from None

    def _own_values(self, metric: Metric, arguments: Values) -> Values:
        """The values that a metric sets itself: in its document, then in its call."""
        declared = self._relations.parameters(self.relations_of(metric))
        own: dict[str, Value] = {}
        for name, written in metric.params.items():
            place = metric.origin.place("params", name)
            if name not in declared:
                raise SpecError(unknown_parameter(name, declared, f"metric {metric.name!r}"), place)
            own[name] = read_value(declared[name], written, _at_place(place))
        return {**own, **arguments}

    def lacks(self, metric: Metric, setup: Setup) -> list[str]:
        """The columns of ``--by`` that some relation of the metric does not have."""
        relations = dict.fromkeys(self.relations_of(metric))
        given = _at(metric.body, "given.from"), _at(metric.body, "units")
        scopes = [
            self._relations.reference(n, setup.values, setup.scope).scope for n in relations if n not in given
        ]
        return [column for column in setup.by if any(scope_column(column) not in scope for scope in scopes)]

    # -- the steps -------------------------------------------------------------------------------

    def scored(self, metric: Metric, arguments: Values, setup: Setup) -> Scored:
        """The steps of a metric in one setup."""
        if metric.kind in KINDS_TO_COME:
            raise SpecError(
                f"metrics of kind {metric.kind!r} cannot be scored yet", metric.origin.place("kind")
            )
        values = {**setup.values, **self._own_values(metric, arguments)}
        inner = Setup(values, setup.by, setup.fold, setup.varied)
        if metric.kind == "formula":
            return self._formula(metric, inner)
        return self._statistics(metric, inner)

    def _formula(self, metric: Metric, setup: Setup) -> Scored:
        parts = []
        for alias, text in self._referred(metric):
            call = self.call(text)
            parts.append((alias, self.scored(call.metric, call.arguments, setup)))
        views = [{"alias": alias, "table": part.wide, "sliced": part.sliced} for alias, part in parts]
        components = self._rendered(metric, setup, metric.body["components"])
        context = {
            "first": views[0],
            "others": views[1:],
            "by": [scope_column(column) for column in setup.scope],
            "components": components,
        }
        sql = render(shipped_sql("kinds/formula.sql"), context, metric.origin.place())
        wide = self._add(metric, metric.name, sql, "scores", [part.wide for _, part in parts])
        return Scored(wide, tuple(components), parts[0][1].sliced)

    def _statistics(self, metric: Metric, setup: Setup) -> Scored:
        kind = self._catalog.kinds[metric.kind]
        body = self._rendered(metric, setup, _expanded(metric, kind))
        read = {
            p: self._relations.reference(n, setup.values, setup.scope)
            for p in kind.relations
            if (n := _at(body, p))
        }
        slice_columns = tuple(
            dict.fromkeys(column for columns in body.get("slices", ()) for column in columns)
        )
        unit = tuple(column for column in body.get("unit", ()) if column not in slice_columns)
        by = tuple(scope_column(column) for column in setup.scope)
        keys = [*by, *slice_columns, *unit]
        units = self._add_units(metric, kind, body, read, keys)
        wide = self._add_wide(metric, body, read.get("given.from"), units, by, slice_columns, setup)
        statistics = tuple(body["statistics"])
        sliced = bool(body.get("slices"))
        return Scored(wide, tuple(body["components"]), sliced, units, unit, slice_columns, statistics)

    def _add_units(
        self,
        metric: Metric,
        kind: Kind,
        body: Mapping[str, Any],
        read: Mapping[str, Reference],
        keys: list[str],
    ) -> str:
        place = metric.origin.place()
        every = read.get("units")
        units_keys = [
            key for key in keys if every and (key in every.scope or self._has(str(body["units"]), key))
        ]
        context = {
            **body,
            **{path: reference for path, reference in read.items() if "." not in path},
            "keys": keys,
            "where": body.get("where"),
            "units": every,
            "units_keys": units_keys,
            "other_keys": [key for key in keys if key not in units_keys],
        }
        own_rows = shipped("sql") / "kinds" / f"{kind.name}.sql"
        context["rows"] = (
            render(own_rows.read_text("utf-8"), context, place) if own_rows.is_file() else read["from"]
        )
        sql = render(shipped_sql("kinds/units.sql"), context, place)
        reads = [reference.physical for path, reference in read.items() if path != "given.from"]
        return self._add(metric, f"{metric.name}_units", sql, "statistics per unit", reads)

    def _has(self, name: str, column: str) -> bool:
        found = self._relations.find(name)
        return found is not None and column in found.column_names

    def _add_wide(
        self,
        metric: Metric,
        body: Mapping[str, Any],
        given: Reference | None,
        units: str,
        by: tuple[str, ...],
        slice_columns: tuple[str, ...],
        setup: Setup,
    ) -> str:
        given_name = str(_at(body, "given.from"))
        context = {
            "units": Reference(units),
            "by": by,
            "label_columns": [(scope_column(column), column) for column in setup.by],
            "varied": [(name, literal(value)) for name, value in setup.varied.items()],
            "breakdowns": [[], *body.get("slices", ())],
            "slice_columns": slice_columns,
            "statistics": body["statistics"],
            "components": body["components"],
            "given": given,
            "given_values": body.get("given", {}).get("values", ()),
            "given_keys": [k for k in by if given and k in given.scope]
            + [k for k in slice_columns if given and self._has(given_name, k)],
            "mean": body.get("then") == "mean",
        }
        sql = render(shipped_sql("kinds/scores.sql"), context, metric.origin.place())
        return self._add(metric, metric.name, sql, "scores", [units, *([given.physical] if given else [])])

    def _add(self, metric: Metric, name: str, sql: str, part: str, reads: list[str]) -> str:
        label = f"metric {metric.name}, {part}"
        return self._relations.add(name, sql, label, str(metric.origin.place()), metric.about, reads).physical

    def _rendered(self, metric: Metric, setup: Setup, written: Mapping[str, Any]) -> Mapping[str, Any]:
        """The texts of a metric with its parameters put in."""
        declared = self._relations.parameters(self.relations_of(metric))
        context = {name: Setting(setup.values[name]) for name in declared}
        rendered: Mapping[str, Any] = render_value(written, context, metric.origin.place())
        return rendered


def _expanded(metric: Metric, kind: Kind) -> Mapping[str, Any]:
    """The metric's keys, with what a short form stands for."""
    if kind.short_for is None:
        return metric.body
    context = {key: value for key, value in metric.body.items()}
    return {**render_value(kind.body, context, metric.origin.place()), **metric.body}


def _at(body: Mapping[str, Any], path: str) -> str | None:
    """The name at a dotted path of a metric's body, if there is one."""
    value: Any = body
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _at_place(place: object) -> Any:
    return lambda message: SpecError(message, str(place))
