"""The setup in which a metric is compiled, and the tables that it is compiled to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scorespec.plan.parameters import Values, literal, text_literal
from scorespec.plan.rendering.templates import Reference, quoted
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
class BlockNames:
    """A table that has some ``columns`` of blocks for each value of its ``keys``, which are columns of units."""

    table: Reference
    keys: tuple[str, ...]
    columns: tuple[str, ...]

    def alias(self, column: str) -> str:
        """The name of a column beside those of units."""
        return f"{column} of {self.table.physical}"

    @property
    def joined(self) -> str:
        """The table with one row for each value of its keys, joined to units, as SQL."""
        keys = ", ".join(map(quoted, self.keys))
        columns = ", ".join(f"min({quoted(each)}) AS {quoted(self.alias(each))}" for each in self.columns)
        return f" LEFT JOIN (SELECT {keys}, {columns} FROM {self.table} GROUP BY ALL) USING ({keys})"


@dataclass(frozen=True)
class Blocks:
    """The blocks of units: a unit is in the block of the first of ``columns`` in which it has a value.

    Its value in a column is its own, if the column is one of ``own``, or else that of the first of the tables ``names``
    that has one. ``wanted`` are the columns of blocks that the document lists, whether there are any or not.
    """

    columns: tuple[str, ...]
    wanted: tuple[str, ...]
    own: tuple[str, ...]
    names: tuple[BlockNames, ...] = ()

    @property
    def reads(self) -> tuple[Reference, ...]:
        """The tables with names of blocks."""
        return tuple(each.table for each in self.names)

    @property
    def split_by(self) -> str | None:
        """A column of units by which they can be divided so that each block is in one part; None if there may be none.

        Units with equal values of the first column are in one block, and so are not spread over parts. Units without
        a value are in one part, too.
        """
        return None if self.names else self.columns[0]

    @property
    def added(self) -> tuple[str, ...]:
        """The columns that ``rows`` has beside those of units."""
        return ("unit_block", *(each.alias(column) for each in self.names for column in each.columns))

    def name(self, column: str) -> str:
        """The name of the block of a unit by one of the columns, as SQL."""
        return block_name(column, self._value(column))

    def _value(self, column: str) -> str:
        own = [quoted(column)] if column in self.own else []
        found = own + [quoted(each.alias(column)) for each in self.names if column in each.columns]
        return found[0] if len(found) == 1 else f"coalesce({', '.join(found)})"

    def rows(self, units: Reference | str) -> str:
        """The rows of a table of units with the further columns ``added``, as a query in parentheses."""
        *firsts, last = self.columns
        cases = "".join(f"WHEN {self._value(each)} IS NOT NULL THEN {self.name(each)} " for each in firsts)
        block = f"CASE {cases}ELSE {self.name(last)} END" if cases else self.name(last)
        return f"(SELECT {block}::VARCHAR AS unit_block, * FROM {units}{''.join(each.joined for each in self.names)})"


def block_name(column: str, value: str) -> str:
    """The name of the block of a row, as SQL: a JSON object of the column and its value."""
    return f"json_object({text_literal(column)}, {value})"


@dataclass(frozen=True)
class Units:
    """A table of statistics per unit and per value of ``slice_columns``; only rows that meet ``where`` count."""

    table: Reference
    unit: tuple[str, ...]
    slice_columns: tuple[str, ...]
    where: str = ""
    blocks: Blocks | None = None


@dataclass(frozen=True)
class Points:
    """The points of the curve of a metric: a query, and the tables that it reads.

    The columns of the query are the scope columns; slice (JSON); rank, threshold, mark; and ``columns``, each DOUBLE.
    ``banded`` are the components whose intervals are kept, the optimised component first.
    """

    sql: str
    reads: frozenset[str]
    columns: tuple[str, ...]
    banded: tuple[str, ...]


@dataclass(frozen=True)
class BlockSums:
    """A table with the ``statistics`` of each block in each slice: ``keys``, unit_block, statistics.

    A row without a block stands for a slice without units. In a query over replicates, the table ``replicates`` stands
    in its place: it has replicate in place of unit_block. If the sums depend on something that is ``fitted`` to all
    rows of a system, such as a calibration, those of two systems cannot be swapped.
    """

    table: str
    keys: tuple[str, ...]
    statistics: tuple[str, ...]
    wanted: tuple[str, ...]
    fitted: bool = False

    @property
    def replicates(self) -> str:
        return f"{self.table}_replicates"


@dataclass(frozen=True)
class ReplicateQuery:
    """The components of a metric in each replicate: a query like that of ``Scored.wide``, with a column replicate.

    It reads the tables of replicates of ``sums``, and the tables ``reads``. Only ``components`` depend on sums.
    """

    components: tuple[str, ...]
    sql: str
    sums: tuple[BlockSums, ...]
    reads: frozenset[str]


@dataclass(frozen=True)
class SweptRows:
    """How the best threshold of a metric is found anew in each replicate.

    The table ``rows`` has the statistics at each score, for each block in each slice: the keys of the sums of blocks
    without the label `slice`, unit_block, threshold, statistics. The table ``marked`` has the same columns with mark in
    place of threshold, for the marked points of the curve; None without marks. The query of ``replicates`` reads the
    table ``points`` in place of running sums: the points among which it takes the best one, with the columns of running
    sums. Their sums of blocks are those of all rows, accepted or not. ``objective`` has the values of the components
    ``banded`` at each point, ordered by replicate and rank; the first of them is ``best``. Values within ``tie`` of
    the largest, or of the smallest without ``largest``, are ties. With ``reject_all``, the query also tries accepting
    no row.
    """

    replicates: ReplicateQuery
    rows: str
    marked: str | None
    points: str
    best: str
    largest: bool
    tie: float
    reject_all: bool
    objective: str
    banded: tuple[str, ...]


@dataclass(frozen=True)
class Scored:
    """The tables of a metric in one setup: ``wide`` has a row per slice, ``units`` a row per unit (none for a formula).

    ``wide`` has the scope columns; scope and slice (JSON); breakdown (the number of the slicing in ``slices``, 0 for
    none); the components; note (why a component may be undefined). For the components ``remarked`` it also has a
    remark, which is shown whether the component is defined or not. With ``overall`` there is a row over all slices.
    ``replicates`` are None if none are asked for, or if the metric cannot be computed from sums of blocks. A metric
    with a best threshold has ``swept`` instead.
    """

    wide: Reference
    components: tuple[str, ...]
    slices: tuple[Scope, ...]
    units: tuple[Units, ...] = ()
    statistics: tuple[str, ...] = ()
    remarked: tuple[str, ...] = ()
    curve: Points | None = None
    overall: bool = True
    replicates: ReplicateQuery | None = None
    swept: SweptRows | None = None

    def has_slices_of(self, by: Scope) -> bool:
        """Whether the metric reports the slices of a breakdown anyway."""
        return not self.overall and any(set(by) <= set(columns) for columns in self.slices)


def unit_statistics(metric: str, setup: Setup, scored: Scored, units: Units) -> tuple[frozenset[str], str]:
    """The tables that the rows of `unit_statistics` for a table of units are read from, and the query of these rows."""
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
    return frozenset(each.physical for each in reads), sql


def labelled(pairs: Iterable[tuple[str, str]]) -> str:
    """SQL expressions with their names, as one JSON object."""
    return f"json_object({', '.join(f'{text_literal(name)}, {sql}' for name, sql in pairs)})"
