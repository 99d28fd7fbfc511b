"""The blocks that are drawn together: the columns that name the block of a unit, or of a row of an input."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from scorespec.catalog.model import Relation, Resample
from scorespec.plan.parameters import Values, text_literal
from scorespec.plan.relations import ROWS, Relations, described_value
from scorespec.plan.rendering.templates import Reference, quoted


@dataclass(frozen=True)
class BlockNames:
    """A table that has some ``columns`` of blocks for each value of its ``keys``, which are columns of units.

    If there is a ``value``, SQL that reads units, it is looked for in the only key.
    """

    table: Reference
    keys: tuple[str, ...]
    columns: tuple[str, ...]
    value: str = ""

    def alias(self, column: str) -> str:
        """The name of a column in addition to those of units."""
        return f"{column} of {self.table.physical}"

    @property
    def added(self) -> tuple[str, ...]:
        """The columns that ``joined`` adds to those of units."""
        return tuple(map(self.alias, (*(self.keys if self.value else ()), *self.columns)))

    @property
    def joined(self) -> str:
        """The table with one row for each value of its keys, joined to units, as SQL."""
        keys = ", ".join(map(quoted, self.keys))
        columns = ", ".join(f"min({quoted(each)}) AS {quoted(self.alias(each))}" for each in self.columns)
        alias = quoted(self.alias(self.keys[0]))
        named, joins = (f"{keys} AS {alias}", f"ON {alias} = {self.value}") if self.value else (keys, f"USING ({keys})")
        return f" LEFT JOIN (SELECT {named}, {columns} FROM {self.table} GROUP BY ALL) {joins}"


@dataclass(frozen=True)
class Blocks:
    """The blocks of units: a unit is in the block of the first of ``columns`` in which it has a value.

    Its value in a column is that of the first of the tables ``names`` that has one, or else its own, if the column is
    one of ``own``. One of ``columns`` may be several with commas between them, whose values together name a block.
    """

    columns: tuple[str, ...]
    own: tuple[str, ...]
    names: tuple[BlockNames, ...]

    @property
    def reads(self) -> tuple[Reference, ...]:
        """The tables with names of blocks."""
        return tuple(each.table for each in self.names)

    @property
    def added(self) -> tuple[str, ...]:
        """The columns that ``rows`` has beside those of units."""
        return ("unit_block", *(column for each in self.names for column in each.added))

    def name(self, column: str) -> str:
        """The name of the block of a unit by one of the columns, as SQL."""
        return block_name(column, self._value)

    def _value(self, column: str) -> str:
        found = [quoted(each.alias(column)) for each in self.names if column in each.columns]
        found += [quoted(column)] if column in self.own else []
        return found[0] if len(found) == 1 else f"coalesce({', '.join(found)})"

    def rows(self, units: Reference | str) -> str:
        """The rows of a table of units with the further columns ``added``, as a query in parentheses."""
        *firsts, last = self.columns
        cases = "".join(f"WHEN {self._value(each)} IS NOT NULL THEN {self.name(each)} " for each in firsts)
        block = f"CASE {cases}ELSE {self.name(last)} END" if cases else self.name(last)
        joined = "".join(each.joined for each in self.names)
        return f"(SELECT {block}::VARCHAR AS unit_block, * FROM {units} AS {ROWS}{joined})"


def block_name(column: str, value: Callable[[str], str]) -> str:
    """The name of the block of a row, as SQL: a JSON object of the column, or of several, and their values."""
    return f"json_object({', '.join(f'{text_literal(each)}, {value(each)}' for each in column.split(','))})"


def blocks_of(resample: Resample, columns: Collection[str], relations: Relations, values: Values) -> Blocks | None:
    """The blocks of rows that have some ``columns``; None if these name no block.

    The first column, and columns that the rows lack, come from the relation `from`, if the rows have its other columns:
    it knows the speakers of rows that name none. Where it gives no value, it comes from a table that describes the
    values of one of the ``columns``.
    """
    wanted = [name for each in resample.blocks for name in each.split(",")]
    own = tuple(each for each in wanted if each in columns)
    names = []
    found = relations.needs.find(resample.from_) if resample.from_ else None
    if isinstance(found, Relation):
        lacking = {wanted[0]} | {*wanted} - {*columns}
        named = tuple(each for each in wanted if each in found.column_names and each in lacking)
        keys = tuple(each for each in found.column_names if each not in named)
        if named and keys and {*columns}.issuperset(keys):
            names.append(BlockNames(relations.reference(found.name, values, ()), keys, named))
    for table in relations.scopes.describing_tables():
        key = str(table.describes)
        named = tuple(each for each in wanted if each in table.column_names and each != key)
        if named and key in columns:
            value = described_value(table, columns, ROWS) if table.parts in columns else ""
            names.append(BlockNames(Reference(table.name), (key,), named, value))
    known = {*own, *(column for each in names for column in each.columns)}
    either = tuple(each for each in resample.blocks if known.issuperset(each.split(",")))
    return Blocks(either, own, tuple(names)) if either else None
