"""Common parts of the kinds that count rows: their relations, slices and statistics per unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from scorespec.catalog.model import Kind, Metric
from scorespec.catalog.resampling import Resample
from scorespec.compiler.blocks import blocks_of
from scorespec.compiler.kinds.body import has_overall, name_at
from scorespec.compiler.kinds.context import (
    Breakdown,
    Context,
    Given,
    Note,
    ScopeValues,
    Slices,
    StatisticsPerUnit,
    Subquery,
    SumsOfBlocks,
)
from scorespec.compiler.kinds.steps import Steps, reads
from scorespec.compiler.parameters import literal
from scorespec.compiler.plan import PER_UNIT
from scorespec.compiler.relations import Relations, scope_column
from scorespec.compiler.scopes import Scope
from scorespec.compiler.scored import Blocks, BlockSums, Replicates, Setup, Units
from scorespec.compiler.templates import Reference, quoted

REPLICATE = "replicate"  # the column with the number of a replicate
RowsOf = Callable[["Counting", Scope], Subquery]  # the rows of a short form that has no relation `from`


class Counting(Steps):
    """A metric of a kind that counts rows, in one setup.

    ``body`` are the keys of the metric with the values of parameters, ``counted`` the relations whose rows it counts.
    ``rows_of`` gives the rows of a kind that computes rows, instead of counting those of a relation. ``resample`` says
    how scores are resampled, and ``replicates`` whether that is asked for.
    """

    def __init__(
        self,
        relations: Relations,
        metric: Metric,
        kind: Kind,
        setup: Setup,
        body: Mapping[str, Any],
        counted: Sequence[str],
        rows_of: RowsOf | None = None,
        resample: Resample | None = None,
        replicates: bool = False,
    ) -> None:
        super().__init__(relations, metric, setup)
        self._resample, self._replicates = resample, replicates
        self.body, self._counted, self._rows_of = body, counted, rows_of
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
        self.standing: tuple[Scope, ...] = tuple(map(tuple, body.get("slices", ())))
        self.mean = body.get("then") == "mean"

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

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes of the metric."""
        return self._notes("notes")

    @property
    def remarks(self) -> tuple[Note, ...]:
        """The notes of the metric that do not depend on whether a component is defined."""
        return self._notes("remarks")

    def _notes(self, key: str) -> tuple[Note, ...]:
        return tuple(Note(note["sql"], note["says"]) for note in self.body.get(key, ()))

    # -- statistics per unit ---------------------------------------------------------------------

    @cached_property
    def scopes(self) -> Reference | None:
        """A table of all values of the scope, also of those without rows of the metric; None without a scope."""
        if not self.setup.scope:
            return None
        names = self.relations.scopes.origins(self._counted, self.setup.scope)
        origins = [
            (self._reference if name in self._counted else self.relations.filled)(
                name, self.setup.values, self.setup.scope
            )
            for name in names
        ]
        table = self.add(ScopeValues(self.by, tuple(origins)), "slices", "_scopes")
        self.relations.slices.setdefault(self.setup.by, table.physical)
        return table

    @cached_property
    def units(self) -> tuple[Units, ...]:
        """The statistics of each unit, for each breakdown.

        Breakdowns share one table of units, whose statistics are summed. They have a table each if the kind computes
        its own rows, or if units without rows are listed.
        """
        separate = self._rows_of is not None or "units" in self.read
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
        units_keys = tuple(key for key in keys if every and (key in every.scope or self._has("units", key)))
        other_keys = tuple(key for key in keys if key not in units_keys)
        listed = given and all(key in given.scope or self._has("given.from", key) for key in other_keys)
        scoped = set(self.by).issuperset(other_keys)
        context = StatisticsPerUnit(
            rows=self._rows_of(self, keys) if self._rows_of else self.read["from"],
            where=self.body.get("where"),
            keys=keys,
            statistics=self.body["statistics"],
            units=every,
            units_keys=units_keys,
            other_keys=other_keys,
            listed=tuple(each for each, has in ((given, listed), (self.scopes, scoped)) if each and has),
        )
        return Units(self.add(context, PER_UNIT, "_units"), unit, columns, blocks=self.blocks)

    def _has(self, path: str, column: str) -> bool:
        """Whether the relation at a path of the metric has a column."""
        found = self.relations.find(str(name_at(self.body, path)))
        return found is not None and column in found.column_names

    # -- sums per slice --------------------------------------------------------------------------

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

    # -- resampling ------------------------------------------------------------------------------

    @cached_property
    def blocks(self) -> Blocks | None:
        """The blocks of units; None if the units have none of the columns by which the document names blocks."""
        if self._resample is None:
            return None
        return blocks_of(self._resample, self.unit, self.relations, self.setup.values, self.columns)

    def replicates(self, components: Callable[[Slices], Context]) -> Replicates | None:
        """The components in each replicate; ``components`` is the step of the scores, with other slices.

        A replicate is one more column of the scope, and its sums are those of a single unit in each slice.
        """
        blocks = self.blocks
        is_drawn = self._resample is not None and self._resample.method == "bootstrap"
        if not self._replicates or blocks is None or self.mean or not is_drawn:
            return None
        slices, statistics = self.slices(), self.body["statistics"]
        tables = [each.table for each in self.units]
        with_blocks = [Subquery(blocks.rows(each), (each, *blocks.reads)) for each in tables]
        step = self.add(SumsOfBlocks(_reading(slices, with_blocks), statistics), "sums of blocks", "_blocks")
        keys = tuple(dict.fromkeys((*slices.by, "slice", "breakdown", *slices.columns)))
        sums = BlockSums(step.physical, keys, tuple(statistics), blocks.wanted)
        rows = f"FROM {quoted(sums.replicates)} WHERE breakdown = "
        replicated = _reading(slices, [Subquery(f"({rows}{number})", ()) for number in range(len(tables))])
        context = components(replace(replicated, by=(*slices.by, REPLICATE), scopes=None))
        sql = context.sql(self.place)
        return Replicates(tuple(self.body["components"]), sql, (sums,), frozenset(reads(context, sql)))

    @property
    def given(self) -> Given | None:
        """The values that the metric reads from a relation."""
        relation = self.read.get("given.from")
        if relation is None:
            return None
        return Given(relation, tuple(self.body["given"].get("values", ())), tuple(self._given_keys(relation)))

    def _given_keys(self, given: Reference) -> list[tuple[str, str]]:
        """The columns of the given relation that identify a slice or unit, each with its name in the metric."""
        carried = [(scope_column(c), scope_column(c)) for c in self.setup.scope if scope_column(c) in given.scope]
        columns = [(c, scope_column(c)) for c in self.setup.scope if scope_column(c) not in given.scope]
        columns += [(c, c) for c in self.columns]
        columns += [(c, c) for c in self.unit if self.mean and c not in self.columns]
        return carried + [(given_name, name) for given_name, name in columns if self._has("given.from", given_name)]


def _reading(slices: Slices, tables: Iterable[Subquery]) -> Slices:
    """The slices with other tables of units, one for each breakdown."""
    pairs = zip(slices.breakdowns, tables, strict=True)
    return replace(slices, breakdowns=tuple(replace(each, units=units) for each, units in pairs))


def _breakdowns(body: Mapping[str, Any], setup: Setup) -> list[Scope]:
    """The overall row, if there is one, then the slices of the metric, without columns of ``--by``."""
    slices = (tuple(c for c in columns if c not in setup.by) for columns in body.get("slices", ()))
    return list(dict.fromkeys([*([()] if has_overall(body) else []), *slices]))
