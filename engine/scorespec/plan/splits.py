"""How steps can be divided among parts: the declared ways of relations, and those that follow from columns.

The parts of a step are computed from parts of the tables that it reads, on other machines or one after another. The
documents say by which columns a relation can be divided (``split_by``). The engine knows it of the steps that it makes
itself. tests/dividing/ divides every step in each of its ways and compares the parts together with the whole.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import ROWS as WRITTEN_ROWS
from scorespec.catalog.model import WHOLE, Relation
from scorespec.errors import SpecError, nearest
from scorespec.plan.parameters import Values
from scorespec.plan.rendering.templates import Reference, quoted

ROWS = "\0"  # in place of a column: the rows can be divided in any way; no column has this name
_NUMBER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*")


@dataclass(frozen=True)
class Split:
    """One way to divide a step among parts: the results of all parts together are the rows of the step.

    ``reads`` has every table that the step reads. The value is the column by which the rows of the table are divided:
    :func:`part_of` says in which part a row is, so that rows with equal values are in one part. None means that each
    part reads the whole table. ROWS means that the rows can be divided in any way; all other tables are then None.

    ``result`` are the columns by which the result is then divided, too: each row is in the part that :func:`part_of`
    gives for its value of any of these columns. With ROWS, they are the columns that the result takes unchanged from
    the divided table: if that table is divided by one of them, so is the result. Without ``result``, a step that reads
    the result must read it as a whole, or divide its rows again.
    """

    reads: Mapping[str, str | None]
    result: frozenset[str]


def part_of(column: str, type_: str, parts: int) -> str:
    """The number of the part of a row, from 0, as SQL: a function of the value of a column of a DuckDB type.

    Equal numbers are in one part whatever their types, although ``hash(1::BIGINT)`` is not ``hash(1::DOUBLE)``. Rows
    without a value are in one part.
    """
    as_type = "DOUBLE" if _NUMBER.fullmatch(type_) else "VARCHAR"
    return f"hash({quoted(column)}::{as_type}) % {parts}"


def totals(sums: Iterable[str], rows: str) -> str:
    """The rows of a step from the ``rows`` of all parts, as SQL; ``sums`` are the columns that are added up."""
    added = ", ".join(f"sum({quoted(name)}) AS {quoted(name)}" for name in sums)
    return f"SELECT * REPLACE ({added})\nFROM {rows}\nGROUP BY ALL"


class Splits:
    """Finds the ways to divide steps.

    ``columns`` has, for each table and step, those of its columns that the engine knows.
    """

    def __init__(self, names: Namespace) -> None:
        self.columns: dict[str, frozenset[str]] = {}
        known = names.columns.values()
        self._same = [(found.name, found.same_as, found.unless) for found in known if found.same_as]

    def by_columns(
        self, keys: Iterable[str], reads: Collection[str], made: frozenset[str], values: Values
    ) -> tuple[Split, ...]:
        """The ways to divide a step by each of some columns; ``made`` are the columns of its result.

        Every table that has the column, or a column with the same values, is divided.
        """
        found = (Split(self._having(key, reads, values), made & {*self._equal(key, values)}) for key in keys)
        return tuple(split for split in found if any(split.reads.values()))

    def by_rows(self, table: str, reads: Collection[str], made: frozenset[str]) -> Split:
        """The way to divide a step each of whose rows is made from one row of a table."""
        return Split({each: ROWS if each == table else None for each in reads}, made & self.columns[table])

    def of_relation(
        self,
        relation: Relation,
        needs: Mapping[str, Reference],
        reads: Collection[str],
        made: frozenset[str],
        values: Values,
        scope_columns: Iterable[str],
    ) -> tuple[Split, ...]:
        """The ways to divide a relation: those of its document, and by the columns of a breakdown.

        A way of the document counts as far as the step reads what it divides. Raises SpecError for a column that a need
        does not have.
        """
        found: list[Split] = []
        if WHOLE in relation.split_by:
            return ()
        for way in relation.split_by:
            if isinstance(way, str):
                self._check(relation, way, needs, values)
                found += self.by_columns([way], reads, made, values)
            else:
                found += self._by_needs(relation, way, needs, reads, made, values)
        return (*found, *self.by_columns(scope_columns, reads, made, values))

    def _by_needs(
        self,
        relation: Relation,
        way: Mapping[str, str],
        needs: Mapping[str, Reference],
        reads: Collection[str],
        made: frozenset[str],
        values: Values,
    ) -> Iterator[Split]:
        """The way to divide each need by a column of its own, or one need by rows."""
        divided: dict[str, str] = {}
        for need, written in way.items():
            if need in needs:
                table, column = needs[need].physical, ROWS if written == WRITTEN_ROWS else written
                if column != ROWS:
                    self._check(relation, column, {need: needs[need]}, values)
                if divided.setdefault(table, column) != column:
                    return  # two needs are one table, which cannot be divided in two ways
        tables = {table: column for table, column in divided.items() if table in reads}
        if ROWS in tables.values():
            yield from (self.by_rows(table, reads, made) for table in tables)
        elif tables:
            own = [way[relation.name]] if relation.name in way else divided.values()
            equal = {each for column in own for each in self._equal(column, values)}
            yield Split({each: tables.get(each) for each in reads}, made & equal)

    def check_result(self, relation: Relation) -> None:
        """Raise SpecError for a way by columns that the relation lacks. Rows of two parts could then be one row."""
        for way in relation.split_by:
            keys = [way] if isinstance(way, str) else [way.get(relation.name) or key for key in way.values()]
            kept = {each for key in keys for each in self._equal(key, {})}
            if not {WRITTEN_ROWS, WHOLE} & {*keys} and not relation.sums and kept.isdisjoint(relation.column_names):
                said = f"{relation.name} has no column {keys[0]!r}, by which it is to be divided"
                hint = f"declare it, or name the column that has its values: {{need: column, {relation.name}: column}}"
                raise SpecError(f"{said}; {hint}", relation.origin.place("split_by"))

    def _check(self, relation: Relation, column: str, needs: Mapping[str, Reference], values: Values) -> None:
        """Raise SpecError unless some need has a column, and the columns of all of them are known."""
        known: set[str] = set()
        for name, need in needs.items():
            columns = self.columns[need.physical].difference(need.scope)
            if not columns:
                said = f"the need {name} declares no columns, so it is not known how it is divided; list its `columns`"
                raise SpecError(said, relation.origin.place("split_by"))
            known |= columns
        if not known.intersection(self._equal(column, values)):
            said = f"no need that is divided by {column!r} has this column; {nearest(column, known)}"
            raise SpecError(said, relation.origin.place("split_by"))

    def _having(self, key: str, reads: Collection[str], values: Values) -> dict[str, str | None]:
        """For each table, its column with the values of a column."""
        equal = self._equal(key, values)
        return {table: next((name for name in equal if name in self.columns.get(table, ())), None) for table in reads}

    def _equal(self, column: str, values: Values) -> list[str]:
        """A column, and the columns that have the same value in every row that has both."""
        pairs = [(one, other) for one, other, unless in self._same if not (unless and values.get(unless))]
        return [column, *(one for one, other in pairs if other == column), *(o for one, o in pairs if one == column)]


def with_copies(splits: Iterable[Split], copies: Mapping[str, str], joined: Collection[str]) -> tuple[Split, ...]:
    """Ways to divide a step whose rows get the copies of some columns, by column, and those of ``joined`` tables.

    Each part gets the whole of a joined table, so that ways which divide it are left out.
    """
    return tuple(
        Split(
            {**each.reads, **dict.fromkeys(joined)},
            each.result.union(copies[name] for name in each.result if name in copies),
        )
        for each in splits
        if not any(each.reads.get(table) for table in joined)
    )
