"""What the kinds that count rows share: the relations that they read, statistics per unit, and slices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from scorespec.catalog.model import Kind, Resample
from scorespec.plan.kinds.context import Breakdown, Given, Note, ScopeValues, Slices, StatisticsPerUnit, Subquery
from scorespec.plan.kinds.steps import Steps, Units
from scorespec.plan.needs import has_overall, name_at
from scorespec.plan.parameters import literal
from scorespec.plan.rendering.templates import Reference
from scorespec.plan.resampling.blocks import Blocks, blocks_of
from scorespec.plan.scopes import Scope, scope_column

RowsOf = Callable[["Counting", Scope], Subquery]  # the rows of a short form that has no relation `from`


@dataclass(frozen=True, eq=False)
class Counting(Steps):
    """A metric of a kind that counts rows, in one setup.

    ``body`` are the keys of the metric with the values of parameters. ``rows_of`` gives the rows of a kind that
    computes rows, instead of counting those of a relation. ``resample`` says how scores are resampled, and
    ``replicated`` whether that is asked for.
    """

    kind: Kind
    body: Mapping[str, Any]
    rows_of: RowsOf | None
    resample: Resample | None
    replicated: bool

    def with_keys(self, **keys: Any) -> Counting:
        """The metric with other values of some keys."""
        return replace(self, body={**self.body, **keys})

    # -- relations -------------------------------------------------------------------------------

    @cached_property
    def _counted(self) -> Sequence[str]:
        return self.relations.needs.relations_of(self.metric, counted=True)

    @cached_property
    def reference(self) -> Callable[[str], Reference]:
        """The reference to a relation whose rows are counted.

        Rows without a value of a column form a slice only if the column begins in all counted relations: then no join
        drops them.
        """
        begins = self.relations.scopes.begins
        only_in_some = any(len({begins(name, column) for name in self._counted}) > 1 for column in self.setup.scope)
        reference = self.relations.filled if only_in_some else self.relations.reference
        return lambda name: reference(name, self.setup.values, self.setup.scope)

    @cached_property
    def read(self) -> Mapping[str, Reference]:
        """The relations that the metric reads, by the path of the key that names each."""
        named = {path: name for path in self.kind.relations if (name := name_at(self.body, path))}
        return {path: self.reference(name) for path, name in named.items()}

    def has(self, path: str, column: str) -> bool:
        """Whether the relation at a path of the metric has a column."""
        found = self.relations.needs.find(str(name_at(self.body, path)))
        return found is not None and column in found.column_names

    @property
    def given(self) -> Given | None:
        """The values that the metric reads from a relation."""
        relation = self.read.get("given.from")
        if relation is None:
            return None
        given = self.body["given"]
        return Given(relation, tuple(given.get("values", ())), tuple(self._given_keys(relation)), given["from"])

    def _given_keys(self, given: Reference) -> list[tuple[str, str]]:
        """The columns of the given relation that identify a slice or unit, each with its name in the metric."""
        carried = [(scope_column(c), scope_column(c)) for c in self.setup.scope if scope_column(c) in given.scope]
        columns = [(c, scope_column(c)) for c in self.setup.scope if scope_column(c) not in given.scope]
        columns += [(c, c) for c in self.columns]
        columns += [(c, c) for c in self.unit if self.mean and c not in self.columns]
        return carried + [(given_name, name) for given_name, name in columns if self.has("given.from", given_name)]

    # -- what the keys say -----------------------------------------------------------------------

    @property
    def mean(self) -> bool:
        """Whether components are computed for each unit, and then averaged."""
        return bool(self.body.get("then") == "mean")

    @property
    def standing(self) -> tuple[Scope, ...]:
        """The slices that the metric itself has."""
        return tuple(map(tuple, self.body.get("groups", ())))

    @property
    def breakdowns(self) -> list[Scope]:
        """The overall row, if there is one, then the slices of the metric, without columns of ``--by``."""
        slices = (tuple(c for c in columns if c not in self.setup.by) for columns in self.standing)
        return list(dict.fromkeys([*([()] if has_overall(self.body) else []), *slices]))

    @property
    def by(self) -> Scope:
        """The columns of the scope, as relations carry them."""
        return tuple(map(scope_column, self.setup.scope))

    @property
    def unit(self) -> Scope:
        """The columns that identify a unit."""
        return tuple(self.body.get("unit", ()))

    @property
    def columns(self) -> Scope:
        """The columns of all breakdowns."""
        return tuple(dict.fromkeys(column for columns in self.breakdowns for column in columns))

    def notes(self, key: str = "notes") -> tuple[Note, ...]:
        """The notes of the metric; its ``remarks`` do not depend on whether a component is defined."""
        return tuple(Note(note["sql"], note["says"]) for note in self.body.get(key, ()))

    # -- units and slices ------------------------------------------------------------------------

    @cached_property
    def scopes(self) -> Reference | None:
        """A table of all values of the scope, also of those without rows of the metric; None without a scope."""
        if not self.setup.scope:
            return None
        names = self.relations.scopes.origins(self._counted, self.setup.scope)
        filled = self.relations.filled
        origins = (
            self.reference(name) if name in self._counted else filled(name, self.setup.values, self.setup.scope)
            for name in names
        )
        return self.add(ScopeValues(self.by, tuple(origins)), "slices", "_scopes")

    @cached_property
    def units(self) -> tuple[Units, ...]:
        """The statistics of each unit, for each breakdown.

        Breakdowns share one table of units, whose statistics are summed. They have a table each if the kind computes
        its own rows, or if units without rows are listed.
        """
        separate = self.rows_of is not None or "units" in self.read
        groups = self.breakdowns if separate else [self.columns]
        units = tuple(self._units(columns) for columns in groups)
        return units if separate else units * len(self.breakdowns)

    @property
    def distinct_units(self) -> tuple[Units, ...]:
        """The tables of statistics per unit, each once."""
        return tuple(dict.fromkeys(self.units))

    def _units(self, columns: Scope) -> Units:
        unit = tuple(column for column in self.unit if column not in columns)
        keys = (*self.by, *columns, *unit)
        every, given = self.read.get("units"), self.read.get("given.from")
        units_keys = tuple(key for key in keys if every and (key in every.scope or self.has("units", key)))
        other_keys = tuple(key for key in keys if key not in units_keys)
        listed = given and all(key in given.scope or self.has("given.from", key) for key in other_keys)
        scoped = set(self.by).issuperset(other_keys)
        context = StatisticsPerUnit(
            rows=self.rows_of(self, keys) if self.rows_of else self.read["from"],
            where=self.body.get("where"),
            keys=keys,
            statistics=self.body["statistics"],
            units=every,
            units_keys=units_keys,
            other_keys=other_keys,
            listed=tuple(table for table, has in ((given, listed), (self.scopes, scoped)) if table and has),
        )
        return Units(self.add(context, "statistics per unit", "_units"), unit, columns, blocks=self.blocks)

    @cached_property
    def blocks(self) -> Blocks | None:
        """The blocks of units; None if the units have none of the columns by which the document names blocks."""
        if self.resample is None:
            return None
        return blocks_of(self.resample, self.unit, self.relations, self.setup.values)

    def slices(self, kept: Iterable[str] = ()) -> Slices:
        """The slices in which statistics are summed; ``kept`` are columns of the unit that the sums of a unit keep."""
        return Slices(
            by=self.by,
            label_columns=tuple((scope_column(column), column) for column in self.setup.by),
            varied=tuple((name, literal(value)) for name, value in self.setup.fixed.items()),
            breakdowns=tuple(
                Breakdown(columns, units.table) for columns, units in zip(self.breakdowns, self.units, strict=True)
            ),
            columns=self.columns,
            overall=has_overall(self.body),
            scopes=self.scopes,
            mean=self.mean,
            unit=self.unit,
            kept=tuple(kept),
        )
