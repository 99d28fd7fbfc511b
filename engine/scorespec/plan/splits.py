"""A way to divide a step among parts: what it is, and the ways that documents declare.

The parts of a step are computed from parts of the tables that it reads, on other machines or one after another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scorespec.catalog.model import ROWS as WRITTEN_ROWS
from scorespec.catalog.model import WHOLE, Relation, Table
from scorespec.errors import SpecError, nearest
from scorespec.plan.rendering.templates import Reference, quoted

ROWS = "\0"  # in place of a column: the rows can be divided in any way; no column has this name
OWN = ""  # in place of a table: the result of the step itself
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


def declared_ways(
    relation: Relation, needs: Mapping[str, tuple[Table | Relation | None, Reference]], scope_columns: Iterable[str]
) -> tuple[str | Mapping[str, str], ...]:
    """The ways to divide a relation that its document declares, and the columns of a breakdown.

    A way is a column of all needs that have it, or says by which column each table is divided: OWN stands for the
    result. Raises SpecError for a column that no need has.
    """
    if WHOLE in relation.split_by:
        return (WHOLE,)
    ways: list[str | Mapping[str, str]] = [*scope_columns]
    for way in relation.split_by:
        divided = {
            name: way if isinstance(way, str) else way[name] for name in needs if isinstance(way, str) or name in way
        }
        for column in {*divided.values()} - {WRITTEN_ROWS}:
            columns = [
                c for name in divided if divided[name] == column and (found := needs[name][0]) for c in found.columns
            ]
            known = {name for each in columns for name in (each.name, each.same_as) if name}
            if known and column not in known:
                said = f"no need that is divided by {column!r} has this column; {nearest(column, known)}"
                raise SpecError(said, relation.origin.place("split_by"))
        if isinstance(way, str):
            ways.append(way)
        else:
            tables = [(needs[name][1].physical, ROWS if c == WRITTEN_ROWS else c) for name, c in divided.items()]
            own = {OWN: way[relation.name]} if relation.name in way else {}
            if len({*tables}) == len(dict(tables)):  # otherwise one table would be divided in two ways
                ways.append({**dict(tables), **own})
    return tuple(ways)
