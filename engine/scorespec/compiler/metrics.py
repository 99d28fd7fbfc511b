"""Turns metrics into steps: the kind's rows, its statistics per unit, its components per slice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

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
from scorespec.compiler.templates import Reference, Setting, has_sql, render, render_value, shipped_sql
from scorespec.errors import SpecError, UsageError, nearest

KINDS_TO_COME = frozenset({"sweep", "fit"})
BESIDE = ("units", "given.from")  # the relations of a kind whose rows are not counted


@dataclass(frozen=True)
class Call:
    """A metric with the parameters given to it, and its canonical text: ``token(edge_time=0.01)``."""

    metric: Metric
    arguments: Values
    text: str


@dataclass(frozen=True)
class Setup:
    """What surrounds a metric: values of the run, columns of its scope, the parameters that vary.

    ``slices`` are the names that the latter have in scores.
    """

    values: Values
    by: Scope = ()
    fold: str | None = None
    varied: Values = field(default_factory=dict)
    slices: Mapping[str, str] = field(default_factory=dict)

    @property
    def fixed(self) -> Values:
        """The fixed part of a slice: what varies, by its name in scores."""
        return {self.slices.get(name, name): value for name, value in self.varied.items()}

    @property
    def scope(self) -> Scope:
        return (*((self.fold,) if self.fold else ()), *self.by)


@dataclass(frozen=True)
class Units:
    """A table of statistics per unit, whose rows are apart by ``slice_columns`` too."""

    table: str
    unit: tuple[str, ...]
    slice_columns: tuple[str, ...]


@dataclass(frozen=True)
class Scored:
    """A metric's tables in one setup: ``wide`` has a row per slice, ``units`` one per unit (formulas: none).

    ``wide`` has the scope columns; scope and slice (JSON); breakdown (which standing slice, 0 is none);
    the components; note (why one of them may be undefined). ``slices`` are the metric's standing ones.
    """

    wide: str
    components: tuple[str, ...]
    slices: tuple[Scope, ...]
    units: tuple[Units, ...] = ()
    statistics: tuple[str, ...] = ()


class Metrics:
    """Compiles the metrics of one domain into steps that it adds to ``relations``."""

    def __init__(
        self, catalog: Catalog, domain: str, relations: Relations, aliases: Mapping[str, str] | None = None
    ) -> None:
        self._catalog = catalog
        self._domain = domain
        self._relations = relations
        self._aliases = aliases or {}

    # -- what a metric is made of ----------------------------------------------------------------

    def call(self, text: str) -> Call:
        """Read a metric string. Raises UsageError for an unknown metric or parameter, or a wrong value."""
        name, written = read_metric_text(text)
        metric = self._catalog.metric(self._domain, self._aliases.get(name, name))
        declared = self._relations.parameters(self.relations_of(metric))
        for key in written:
            if key not in declared:
                raise UsageError(unknown_parameter(key, declared, f"metric {name!r}"))
        values = {key: read_value(declared[key], value) for key, value in written.items()}
        return Call(metric, values, metric_text(name, values))

    def relations_of(self, metric: Metric, above: tuple[str, ...] = (), *, counted: bool = False) -> list[str]:
        """The relations that a metric reads; for a formula, those of its metrics.

        With ``counted`` only those whose rows it counts, without `units` and `given`.
        """
        kind = self._catalog.kinds[metric.kind]
        found = []
        for path in kind.relations:
            if (name := _at(metric.body, path)) and not (counted and path in BESIDE):
                if self._relations.find(name) is None:
                    said = f"unknown relation {name!r}; {nearest(name, self._relations.known())}"
                    raise SpecError(said, metric.origin.place(*path.split(".")))
                found.append(name)
        for alias, text in self._referred(metric):
            if metric.name in above:
                place = metric.origin.place("of", alias)
                raise SpecError(f"{' of '.join((*above, metric.name))}: a cycle", place)
            name, _ = read_metric_text(text)
            named = self._named(metric, alias, name)
            found += self.relations_of(named, (*above, metric.name), counted=counted)
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
        """The columns of the scope that some relation whose rows the metric counts does not have."""
        counted = self.relations_of(metric, counted=True)
        return [c for c in setup.scope if not all(self._relations.carries(name, c) for name in counted)]

    def setups_of(self, call: Call, setups: Iterable[Setup]) -> list[Setup]:
        """The setups to score a metric in: one that sets a varied parameter itself has only its own value."""
        own = self._own_values(call.metric, call.arguments)
        found: list[Setup] = []
        for setup in setups:
            varied = {name: own.get(name, value) for name, value in setup.varied.items()}
            narrowed = replace(setup, values={**setup.values, **varied}, varied=varied)
            if narrowed not in found:
                found.append(narrowed)
        return found

    def documents(self, metric: Metric) -> Iterator[Any]:
        """What a metric is made of beside its relations: documents and SQL of it and those it refers to."""
        kind = self._catalog.kinds[metric.kind]
        parts = ("formula",) if kind.metrics else ("units", "scores", kind.name)
        yield from (metric.origin.data, kind.origin.data)
        yield from (shipped_sql(f"kinds/{part}.sql") for part in parts if has_sql(f"kinds/{part}.sql"))
        for alias, text in self._referred(metric):
            yield from self.documents(self._named(metric, alias, read_metric_text(text)[0]))

    # -- the steps -------------------------------------------------------------------------------

    def scored(self, metric: Metric, arguments: Values, setup: Setup) -> Scored:
        """The steps of a metric in one setup."""
        if metric.kind in KINDS_TO_COME:
            raise SpecError(f"metrics of kind {metric.kind!r} cannot be scored yet", metric.origin.place("kind"))
        values = {**setup.values, **self._own_values(metric, arguments)}
        inner = replace(setup, values=values)
        if metric.kind == "formula":
            return self._formula(metric, inner)
        return self._statistics(metric, inner)

    def _formula(self, metric: Metric, setup: Setup) -> Scored:
        parts = []
        for alias, text in self._referred(metric):
            call = self.call(text)
            parts.append((alias, self.scored(call.metric, call.arguments, setup)))
        views = [{"alias": alias, "table": part.wide, "sliced": bool(part.slices)} for alias, part in parts]
        components = self._rendered(metric, setup, metric.body["components"])
        context = {
            "first": views[0],
            "others": views[1:],
            "by": [scope_column(column) for column in setup.scope],
            "components": components,
        }
        sql = render(shipped_sql("kinds/formula.sql"), context, metric.origin.place())
        wide = self._add(metric, metric.name, sql, "scores", [part.wide for _, part in parts])
        return Scored(wide, tuple(components), parts[0][1].slices)

    def _statistics(self, metric: Metric, setup: Setup) -> Scored:
        kind = self._catalog.kinds[metric.kind]
        body = self._rendered(metric, setup, _expanded(metric, kind))
        read = {
            p: self._relations.reference(n, setup.values, setup.scope) for p in kind.relations if (n := _at(body, p))
        }
        breakdowns = _breakdowns(body, setup)
        # Sets and missing units are made anew in each breakdown; all else adds up from one table.
        apart = _has_rows(kind) or "units" in read
        scopes = self._scopes(metric, setup)
        groups = breakdowns if apart else [_united(breakdowns)]
        units = [self._add_units(metric, kind, body, read, setup, columns, scopes) for columns in groups]
        paired = list(zip(breakdowns, units if apart else units * len(breakdowns), strict=True))
        wide = self._add_wide(metric, body, read.get("given.from"), paired, setup, scopes)
        statistics = tuple(body["statistics"])
        slices = tuple(map(tuple, body.get("slices", ())))
        return Scored(wide, tuple(body["components"]), slices, tuple(units), statistics)

    def _scopes(self, metric: Metric, setup: Setup) -> Reference | None:
        """A table of the scope's values, also those in which the metric has no rows; none without a scope."""
        if not setup.scope:
            return None
        counted = self.relations_of(metric, counted=True)
        origins = [
            self._relations.reference(name, setup.values, setup.scope)
            for name in self._relations.origins(counted, setup.scope)
        ]
        columns = [scope_column(column) for column in setup.scope]
        sql = render(shipped_sql("kinds/scopes.sql"), {"columns": columns, "origins": origins}, "")
        reads = [origin.physical for origin in origins]
        return Reference(self._add(metric, f"{metric.name}_scopes", sql, "slices", reads))

    def _add_units(
        self,
        metric: Metric,
        kind: Kind,
        body: Mapping[str, Any],
        read: Mapping[str, Reference],
        setup: Setup,
        slice_columns: Scope,
        scopes: Reference | None,
    ) -> Units:
        place = metric.origin.place()
        unit = tuple(column for column in body.get("unit", ()) if column not in slice_columns)
        keys = [*map(scope_column, setup.scope), *slice_columns, *unit]
        every, given = read.get("units"), read.get("given.from")
        units_keys = [key for key in keys if every and (key in every.scope or self._has(str(body["units"]), key))]
        other_keys = [key for key in keys if key not in units_keys]
        given_name = str(_at(body, "given.from"))
        listed = given and all(key in given.scope or self._has(given_name, key) for key in other_keys)
        scoped = {scope_column(column) for column in setup.scope}.issuperset(other_keys)
        context = {
            **body,
            **{path: reference for path, reference in read.items() if "." not in path},
            "keys": keys,
            "where": body.get("where"),
            "units": every,
            "units_keys": units_keys,
            "other_keys": other_keys,
            "listed": [each for each, has in ((given, listed), (scopes, scoped)) if each and has],
        }
        own_rows = f"kinds/{kind.name}.sql"
        context["rows"] = render(shipped_sql(own_rows), context, place) if _has_rows(kind) else read["from"]
        sql = render(shipped_sql("kinds/units.sql"), context, place)
        reads = [reference.physical for reference in (*read.values(), *([scopes] if scopes else []))]
        table = self._add(metric, f"{metric.name}_units", sql, "statistics per unit", reads)
        return Units(table, unit, slice_columns)

    def _has(self, name: str, column: str) -> bool:
        found = self._relations.find(name)
        return found is not None and column in found.column_names

    def _add_wide(
        self,
        metric: Metric,
        body: Mapping[str, Any],
        given: Reference | None,
        breakdowns: Sequence[tuple[Scope, Units]],
        setup: Setup,
        scopes: Reference | None,
    ) -> str:
        slice_columns = _united(columns for columns, _ in breakdowns)
        context = {
            "scopes": scopes,
            "by": [scope_column(column) for column in setup.scope],
            "label_columns": [(scope_column(column), column) for column in setup.by],
            "varied": [(name, literal(value)) for name, value in setup.fixed.items()],
            "breakdowns": [{"columns": c, "units": Reference(u.table)} for c, u in breakdowns],
            "slice_columns": slice_columns,
            "unit": list(body.get("unit", ())),
            "statistics": body["statistics"],
            "components": body["components"],
            "given": given,
            "given_values": body.get("given", {}).get("values", ()),
            "given_keys": self._given_keys(body, given, setup, slice_columns) if given else (),
            "mean": body.get("then") == "mean",
        }
        sql = render(shipped_sql("kinds/scores.sql"), context, metric.origin.place())
        reads = [units.table for _, units in breakdowns]
        reads += [reference.physical for reference in (given, scopes) if reference]
        return self._add(metric, metric.name, sql, "scores", reads)

    def _given_keys(
        self, body: Mapping[str, Any], given: Reference, setup: Setup, slice_columns: Scope
    ) -> list[tuple[str, str]]:
        """The columns of what is given that say which slice a row is for, each with its name in the sums."""
        name = str(_at(body, "given.from"))
        carried = [(scope_column(c), scope_column(c)) for c in setup.scope if scope_column(c) in given.scope]
        columns = [(c, scope_column(c)) for c in setup.scope if scope_column(c) not in given.scope]
        columns += [(c, c) for c in slice_columns]
        return carried + [(theirs, ours) for theirs, ours in columns if self._has(name, theirs)]

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
    return {**render_value(kind.body, metric.body, metric.origin.place()), **metric.body}


def _has_rows(kind: Kind) -> bool:
    """Whether a kind makes rows of its own, rather than counting those of a relation."""
    return "from" not in kind.relations


def _breakdowns(body: Mapping[str, Any], setup: Setup) -> list[Scope]:
    """The overall row, then the standing slices; what ``--by`` breaks down is not broken down again."""
    slices = (tuple(c for c in columns if c not in setup.by) for columns in body.get("slices", ()))
    return list(dict.fromkeys([(), *slices]))


def _united(breakdowns: Iterable[Scope]) -> Scope:
    return tuple(dict.fromkeys(column for columns in breakdowns for column in columns))


def _at(body: Mapping[str, Any], path: str) -> str | None:
    """The name at a dotted path of a metric's body, if there is one."""
    value: Any = body
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value if value is None else str(value)


def _at_place(place: object) -> Any:
    return lambda message: SpecError(message, str(place))
