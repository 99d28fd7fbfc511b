"""The steps of a metric, and what the kinds that count rows share: relations, slices and statistics per unit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from scorespec.catalog.model import Kind, Metric, Resample
from scorespec.errors import Place, SpecError
from scorespec.plan.kinds.context import (
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
from scorespec.plan.metric_keys import has_overall, name_at
from scorespec.plan.parameters import Values, literal, text_literal
from scorespec.plan.plan import Step
from scorespec.plan.relations import Relations, hashed
from scorespec.plan.rendering.templates import Reference, quoted
from scorespec.plan.resampling.blocks import Blocks, blocks_of
from scorespec.plan.resampling.interval_sql import BlockSums, ResampledScores, ResampledSweep
from scorespec.plan.scopes import Scope, scope_column


@dataclass(frozen=True)
class Setup:
    """The setup of a metric: values of parameters, columns of its scope, and the varied parameters.

    ``slices`` maps a varied parameter to its name in the slices of scores.
    """

    values: Values
    by: Scope = ()
    fold: str | None = None
    varied: Values = field(default_factory=dict)
    slices: Mapping[str, str] = field(default_factory=dict)

    @property
    def fixed(self) -> Values:
        """The fixed part of a slice: the values of varied parameters by their names in scores."""
        return {self.slices.get(name, name): value for name, value in self.varied.items()}

    @property
    def scope(self) -> Scope:
        return (*((self.fold,) if self.fold else ()), *self.by)


@dataclass(frozen=True)
class Units:
    """A table of statistics per unit and per value of ``slice_columns``; only rows that meet ``where`` count."""

    table: Reference
    unit: tuple[str, ...]
    slice_columns: tuple[str, ...]
    where: str = ""
    blocks: Blocks | None = None


@dataclass(frozen=True)
class CurvePoints:
    """The points of the curve of a metric: a query, and the tables that it reads.

    The columns of the query are the scope columns; slice (JSON); rank, threshold, mark; and ``columns``, each DOUBLE.
    ``banded`` are the components whose intervals are kept, the optimised component first.
    """

    sql: str
    reads: frozenset[str]
    columns: tuple[str, ...]
    banded: tuple[str, ...]


@dataclass(frozen=True)
class ScoredMetric:
    """The tables of a metric in one setup: ``wide`` has a row per slice, ``units`` a row per unit (none for a formula).

    ``wide`` has the scope columns; scope and slice (JSON); breakdown (the number of the slicing in ``slices``, 0 for
    none); the components; note (why a component may be undefined). For the components ``remarked`` it also has a
    remark, which is shown whether the component is defined or not. With ``overall`` there is a row over all slices.
    ``resampled`` is None if no replicates are asked for, or if the metric cannot be computed from sums of blocks.
    """

    wide: Reference
    components: tuple[str, ...]
    slices: tuple[Scope, ...]
    units: tuple[Units, ...] = ()
    statistics: tuple[str, ...] = ()
    remarked: tuple[str, ...] = ()
    curve: CurvePoints | None = None
    overall: bool = True
    resampled: ResampledScores | ResampledSweep | None = None

    def has_slices_of(self, by: Scope) -> bool:
        """Whether the metric reports the slices of a breakdown anyway."""
        return not self.overall and any(set(by) <= set(columns) for columns in self.slices)


def labelled(pairs: Iterable[tuple[str, str]]) -> str:
    """SQL expressions with their names, as one JSON object."""
    return f"json_object({', '.join(f'{text_literal(name)}, {sql}' for name, sql in pairs)})"


REPLICATE = "replicate"  # the column with the number of a replicate
RowsOf = Callable[["Counting", Scope], Subquery]  # the rows of a short form that has no relation `from`


# -- steps -------------------------------------------------------------------------------------------


class Steps:
    """The steps of one metric in one setup; they are added to ``relations``."""

    def __init__(self, relations: Relations, metric: Metric, setup: Setup) -> None:
        self.relations, self.metric, self.setup = relations, metric, setup

    def add(self, context: Context, part: str, suffix: str = "", view: bool = False) -> Reference:
        """Add the step of a template. Its table has the metric's name and a suffix; ``part`` says what is in it.

        A ``view`` is computed where it is read, which is only one step.
        """
        sql = context.sql(self.place)
        step = Step(
            hashed(self.metric.name + suffix, sql),
            sql,
            "metric",
            self.relations.prefix + self.metric.name,
            part,
            str(self.place),
            self.metric.about,
            frozenset(reads(context, sql)),
            view,
            explained=context.explained(),
            values=self.setup.values,
            scope=self.setup.scope,
            sums=context.added,
            role=context.role,
        )
        self.relations.add(step)
        return Reference(step.physical)

    @property
    def place(self) -> Place:
        """Where the metric is defined."""
        return self.metric.origin.place()

    def fault(self, message: str, *path: str | int) -> SpecError:
        """A fault of the metric's document, at the value with this path."""
        return SpecError(message, self.metric.origin.place(*path))


def reads(context: Context, sql: str) -> list[str]:
    """The names of the tables that the SQL of a template reads; a template may leave a table of its context out."""
    return [each.physical for each in context.tables() if quoted(each.physical) in sql]


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
        self._resample = resample
        self._replicates = replicates and resample is not None and resample.method == "bootstrap"
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
        self.standing: tuple[Scope, ...] = tuple(map(tuple, body.get("groups", ())))
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
        return Units(self.add(context, "statistics per unit", "_units"), unit, columns, blocks=self.blocks)

    def _has(self, path: str, column: str) -> bool:
        """Whether the relation at a path of the metric has a column."""
        found = self.relations.needs.find(str(name_at(self.body, path)))
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
        return self._blocks_of(self.unit)

    def _blocks_of(self, columns: Collection[str]) -> Blocks | None:
        """The blocks of rows with some columns."""
        if self._resample is None:
            return None
        return blocks_of(self._resample, columns, self.relations, self.setup.values)

    @cached_property
    def rows_of_blocks(self) -> Subquery | None:
        """The rows that are counted, with their block in the column unit_block; None if they are not resampled."""
        if self._resample is None or not self._replicates:
            return None
        name = self._resample.rows or str(name_at(self.body, "from"))
        found = self.relations.needs.find(name)
        blocks = self._blocks_of(found.column_names) if found else None
        if blocks is None or not all(self.relations.scopes.carries(name, column) for column in self.setup.scope):
            return None
        rows = self._reference(name, self.setup.values, self.setup.scope)
        return Subquery(blocks.rows(rows), (rows, *blocks.reads))

    def with_blocks(self, tables: Iterable[Reference | Subquery]) -> Slices | None:
        """The slices with tables of units that have their block in the column unit_block.

        None if the units have no blocks, or if no replicates are asked for.
        """
        blocks = self.blocks
        if not self._replicates or blocks is None:
            return None
        read = [(each, each.reads if isinstance(each, Subquery) else (each,)) for each in tables]
        return _reading(
            self.slices(), [Subquery(blocks.rows(str(each)), (*reads, *blocks.reads)) for each, reads in read]
        )

    def block_sums(self, table: Reference, statistics: Iterable[str], fitted: bool = False) -> BlockSums:
        """A table of sums of blocks in the slices of the metric."""
        slices, wanted = self.slices(), self._resample.blocks if self._resample else ()
        keys = tuple(dict.fromkeys((*slices.by, "slice", "breakdown", *slices.columns)))
        return BlockSums(table.physical, keys, tuple(statistics), wanted, fitted)

    def replicates(self, components: Callable[[Slices], Context]) -> ResampledScores | None:
        """The components in each replicate; ``components`` is the step of the scores, with other slices."""
        of_rows = self._resample is not None and self._resample.rows is not None
        sums = None if self.mean else self.totals_of_blocks if of_rows else self._sums_of_units
        return self.replicated(components, sums, tuple(self.body["components"])) if sums else None

    @property
    def _sums_of_units(self) -> BlockSums | None:
        """The sums of the statistics of the units of each block, if units have blocks."""
        return self._sums_of(self.with_blocks([each.table for each in self.units]))

    @property
    def totals_of_blocks(self) -> BlockSums | None:
        """The sums of the statistics of each block: over units that have blocks, otherwise over the rows of blocks."""
        if sums := self._sums_of_units:
            return sums
        if self.rows_of_blocks is None:
            return None
        tables = [self._statistics_of_blocks(self.rows_of_blocks, columns) for columns in self.breakdowns]
        return self._sums_of(_reading(self.slices(), tables))

    def _sums_of(self, slices: Slices | None) -> BlockSums | None:
        if slices is None:
            return None
        sums = {name: f"coalesce(sum({quoted(name)}), 0)" for name in self.body["statistics"]}
        return self.block_sums(self.add(SumsOfBlocks(slices, sums), "sums of blocks", "_blocks"), sums)

    def _statistics_of_blocks(self, rows: Subquery, columns: Scope) -> Subquery:
        """The statistics of the rows of each block, and a row of zeros for each block, which may have no row."""
        keys = ", ".join(map(quoted, (*self.by, *columns, "unit_block")))
        sums = ", ".join(f"{sql} AS {quoted(name)}" for name, sql in self.body["statistics"].items())
        zeros = ", ".join(f"0 AS {quoted(name)}" for name in self.body["statistics"])
        where = f" WHERE {self.body['where']}" if self.body.get("where") else ""
        summed = f"SELECT {keys}, {sums} FROM {rows} AS counted_rows{where} GROUP BY ALL"
        return Subquery(f"({summed} UNION ALL SELECT DISTINCT {keys}, {zeros} FROM {rows})", rows.reads)

    def replicated(
        self, components: Callable[[Slices], Context], sums: BlockSums, names: tuple[str, ...]
    ) -> ResampledScores:
        """The components with these names in each replicate; ``components`` computes them in some slices.

        A replicate is one more column of the scope, and its sums are those of a single unit in each slice.
        """
        slices = self.slices()
        rows = f"FROM {quoted(sums.replicates)} WHERE breakdown = "
        replicated = _reading(slices, [Subquery(f"({rows}{number})", ()) for number in range(len(self.breakdowns))])
        context = components(replace(replicated, by=(*slices.by, REPLICATE), scopes=None))
        sql = context.sql(self.place)
        return ResampledScores(names, sql, (sums,), frozenset(reads(context, sql)))

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
        return carried + [(given_name, name) for given_name, name in columns if self._has("given.from", given_name)]


def _reading(slices: Slices, tables: Iterable[Subquery]) -> Slices:
    """The slices with other tables of units, one for each breakdown."""
    pairs = zip(slices.breakdowns, tables, strict=True)
    return replace(slices, breakdowns=tuple(replace(each, units=units) for each, units in pairs))


def _breakdowns(body: Mapping[str, Any], setup: Setup) -> list[Scope]:
    """The overall row, if there is one, then the slices of the metric, without columns of ``--by``."""
    slices = (tuple(c for c in columns if c not in setup.by) for columns in body.get("groups", ()))
    return list(dict.fromkeys([*([()] if has_overall(body) else []), *slices]))
