"""Common parts of the kinds that count rows: their relations, slices and statistics per unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from scorespec.catalog.model import Kind, Metric
from scorespec.compiler.parameters import literal
from scorespec.compiler.plan import PER_UNIT
from scorespec.compiler.relations import Relations, scope_column
from scorespec.compiler.scopes import Scope
from scorespec.compiler.scored import Setup, Units
from scorespec.compiler.templates import Reference, header, quoted, render, render_value, shipped_sql
from scorespec.errors import SpecError


class Counting:
    """A metric of a kind that counts rows, in one setup; adds steps to ``relations``.

    ``body`` are the keys of the metric with the values of parameters, ``counted`` the relations whose rows it counts.
    """

    def __init__(
        self,
        relations: Relations,
        metric: Metric,
        kind: Kind,
        setup: Setup,
        body: Mapping[str, Any],
        counted: Sequence[str],
    ) -> None:
        self._relations, self._metric, self._kind, self._counted = relations, metric, kind, counted
        self.setup, self.body = setup, body
        # Rows without a value of a column form a slice only if the column begins in all counted relations: then no
        # join drops them.
        begins = [{relations.scopes.begins(name, column) for name in counted} for column in setup.scope]
        self._reference = relations.filled if any(len(each) > 1 for each in begins) else relations.reference
        self.read = {
            path: self._reference(name, setup.values, setup.scope)
            for path in kind.relations
            if (name := name_at(body, path))
        }
        self.breakdowns = _breakdowns(body, setup)
        self.slices: tuple[Scope, ...] = tuple(map(tuple, body.get("slices", ())))
        self.mean = body.get("then") == "mean"

    @property
    def unit(self) -> Scope:
        return tuple(self.body.get("unit", ()))

    @property
    def slice_columns(self) -> Scope:
        return _united(self.breakdowns)

    @property
    def by(self) -> list[str]:
        return [scope_column(column) for column in self.setup.scope]

    def step(self, template: str, suffix: str, part: str, context: Mapping[str, Any], reads: Iterable[object]) -> str:
        """Add the step of a template of ``sql/kinds``; its table has the name of the metric with ``suffix``.

        ``reads`` are names of tables, or references; None is ignored. Returns the name of the table.
        """
        sql = self.rendered(template, context)
        name = self._metric.name + suffix
        explained = header(shipped_sql(f"kinds/{template}.sql"))
        return add_step(self._relations, self._metric, name, sql, part, self.names(reads), explained, self.setup)

    @staticmethod
    def names(reads: Iterable[object]) -> list[str]:
        """The names of tables that are given as names or references; None is ignored."""
        return [each.physical if isinstance(each, Reference) else str(each) for each in reads if each]

    def fault(self, message: str, *path: str) -> SpecError:
        """A fault of the metric's document, at its place."""
        return SpecError(message, self._metric.origin.place(*path))

    def rendered(self, template: str, context: Mapping[str, Any]) -> str:
        """The SQL of a template of ``sql/kinds``."""
        return render(shipped_sql(f"kinds/{template}.sql"), context, self._metric.origin.place())

    # -- statistics per unit ---------------------------------------------------------------------

    @cached_property
    def scopes(self) -> Reference | None:
        """A table of all values of the scope, also of those without rows of the metric; None without a scope."""
        if not self.setup.scope:
            return None
        names = self._relations.scopes.origins(self._counted, self.setup.scope)
        origins = [
            (self._reference if name in self._counted else self._relations.filled)(
                name, self.setup.values, self.setup.scope
            )
            for name in names
        ]
        table = self.step("scopes", "_scopes", "slices", {"columns": self.by, "origins": origins}, origins)
        self._relations.slices.setdefault(self.setup.by, table)
        return Reference(table)

    def units(self) -> list[tuple[Scope, Units]]:
        """The statistics of each unit, for each breakdown.

        Breakdowns share one table of units, whose statistics are summed. They have a table each if the kind computes
        its own rows, or if units without rows are listed.
        """
        separate = self._computes_rows or "units" in self.read
        groups = self.breakdowns if separate else [self.slice_columns]
        units = [self._add_units(columns) for columns in groups]
        return list(zip(self.breakdowns, units if separate else units * len(self.breakdowns), strict=True))

    @property
    def _computes_rows(self) -> bool:
        """Whether the kind computes rows, instead of counting those of a relation."""
        return "from" not in self._kind.relations

    def _add_units(self, slice_columns: Scope) -> Units:
        unit = tuple(column for column in self.unit if column not in slice_columns)
        keys = [*self.by, *slice_columns, *unit]
        every, given = self.read.get("units"), self.read.get("given.from")
        units_keys = [key for key in keys if every and (key in every.scope or self._has("units", key))]
        other_keys = [key for key in keys if key not in units_keys]
        listed = given and all(key in given.scope or self._has("given.from", key) for key in other_keys)
        scoped = set(self.by).issuperset(other_keys)
        context = {
            **self.body,
            **{path: reference for path, reference in self.read.items() if "." not in path},
            "keys": keys,
            "where": self.body.get("where"),
            "units": every,
            "units_keys": units_keys,
            "other_keys": other_keys,
            "listed": [each for each, has in ((given, listed), (self.scopes, scoped)) if each and has],
        }
        context["rows"] = self.rendered(self._kind.name, context) if self._computes_rows else self.read["from"]
        reads = (*self.read.values(), self.scopes)
        return Units(self.step("units", "_units", PER_UNIT, context, reads), unit, slice_columns)

    def _has(self, path: str, column: str) -> bool:
        """Whether the relation at a path of the metric has a column."""
        found = self._relations.find(str(name_at(self.body, path)))
        return found is not None and column in found.column_names

    # -- sums per slice --------------------------------------------------------------------------

    def sums(self, paired: Iterable[tuple[Scope, Units]]) -> dict[str, Any]:
        """The context of templates that sum units, overall and for each slice, and compute components."""
        given = self.read.get("given.from")
        return {
            "scopes": self.scopes,
            "by": self.by,
            "label_columns": [(scope_column(column), column) for column in self.setup.by],
            "varied": [(name, literal(value)) for name, value in self.setup.fixed.items()],
            "breakdowns": [{"columns": c, "units": Reference(u.table)} for c, u in paired],
            "slice_columns": self.slice_columns,
            "unit": list(self.unit),
            "statistics": self.body["statistics"],
            "components": self.body["components"],
            "notes": self.body.get("notes", ()),
            "given": given,
            "given_values": self.body.get("given", {}).get("values", ()),
            "given_keys": self._given_keys(given) if given else (),
            "overall": has_overall(self.body),
            "mean": self.mean,
        }

    def reads(self, paired: Iterable[tuple[Scope, Units]]) -> list[object]:
        """The tables that a template with the context of :meth:`sums` reads."""
        return [*(units.table for _, units in paired), self.read.get("given.from"), self.scopes]

    def _given_keys(self, given: Reference) -> list[tuple[str, str]]:
        """The columns of the given relation that identify a slice or unit, each with its name in the metric."""
        carried = [(scope_column(c), scope_column(c)) for c in self.setup.scope if scope_column(c) in given.scope]
        columns = [(c, scope_column(c)) for c in self.setup.scope if scope_column(c) not in given.scope]
        columns += [(c, c) for c in self.slice_columns]
        columns += [(c, c) for c in self.unit if self.mean and c not in self.slice_columns]
        return carried + [(given_name, name) for given_name, name in columns if self._has("given.from", given_name)]


def add_step(
    relations: Relations,
    metric: Metric,
    name: str,
    sql: str,
    part: str,
    reads: Iterable[str],
    explained: str,
    setup: Setup,
) -> str:
    """Add a step of a metric; returns the name of its table."""
    label, place = f"metric {relations.prefix}{metric.name}, {part}", str(metric.origin.place())
    read = [each for each in reads if quoted(each) in sql]  # a template may leave one out
    step = relations.add(
        name, sql, label, place, metric.about, read, explained=explained, values=setup.values, scope=setup.scope
    )
    return step.physical


def expanded(metric: Metric, kind: Kind) -> Mapping[str, Any]:
    """The keys of a metric, with those that a short form stands for."""
    body = metric.body
    if isinstance(body.get("statistics"), list):  # columns that are summed
        body = {**body, "statistics": {column: f"sum({quoted(column)})" for column in body["statistics"]}}
    if kind.short_for is None:
        return {"components": {name: quoted(name) for name in body.get("statistics", ())}, **body}
    return {**render_value(kind.body, body, metric.origin.place()), **body}


def name_at(body: Mapping[str, Any], path: str) -> str | None:
    """The name at a dotted path of a metric's body, if there is one."""
    value: Any = body
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value if value is None else str(value)


def _breakdowns(body: Mapping[str, Any], setup: Setup) -> list[Scope]:
    """The overall row, if there is one, then the slices of the metric, without columns of ``--by``."""
    slices = (tuple(c for c in columns if c not in setup.by) for columns in body.get("slices", ()))
    return list(dict.fromkeys([*([()] if has_overall(body) else []), *slices]))


def has_overall(body: Mapping[str, Any]) -> bool:
    """Whether a metric has a row for all of its slices together."""
    return bool(body.get("overall", True))


def _united(breakdowns: Iterable[Scope]) -> Scope:
    return tuple(dict.fromkeys(column for columns in breakdowns for column in columns))
