"""Inputs that several suites read: one table that meets the conditions of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from scorespec.catalog.model import Column, Table
from scorespec.errors import UsageError


def united(tables: Sequence[Table]) -> Table:
    """The table of an input as each suite declares it: what one of them refuses is refused, since it is read once.

    Raises UsageError where the suites read different rows or columns.
    """
    return reduce(_stricter, tables)


def _stricter(first: Table, other: Table) -> Table:
    """The first table, with what the other refuses as well."""
    if first == other:
        return first
    formats = tuple(each for each in first.formats if each in other.formats)
    alike = _shape(first) == _shape(other) and formats
    repeated = next((each for each in (first, other) if each.duplicates == "error"), first)
    if not alike or not _same_rows(first, other):
        raise UsageError(
            f"input {first.name!r} is read differently by the other suite ({first.origin.place(key=True)} and "
            f"{other.origin.place(key=True)}); score the metrics of each suite in a run of their own"
        )
    return replace(
        first,
        columns=tuple(map(_stricter_column, first.columns, other.columns)),
        checks=tuple(dict.fromkeys((*first.checks, *other.checks))),
        key=repeated.key,
        duplicates=repeated.duplicates,
        formats=formats,
        min_rows=max(first.min_rows, other.min_rows),
    )


def _shape(table: Table) -> object:
    columns = [(each.name, each.type, each.booleans, each.undeclared) for each in table.columns]
    return columns, table.other_columns, table.part_column


def _same_rows(first: Table, other: Table) -> bool:
    """Whether the rows that both let through are the same: equal rows are not merged in one of the tables only."""
    if first.duplicates == other.duplicates:
        return first.key == other.key or first.duplicates == "keep"
    return {first.duplicates, other.duplicates} == {"keep", "error"}


def _stricter_column(first: Column, other: Column) -> Column:
    return replace(first, nullable=first.nullable and other.nullable, infinite=first.infinite and other.infinite)
