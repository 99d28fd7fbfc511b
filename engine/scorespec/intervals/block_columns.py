"""The blocks of rows: which columns name the block of a unit, or of a row of an input."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from scorespec.catalog.model import Relation, Resample
from scorespec.plan.parameters import Values
from scorespec.plan.relations import Relations
from scorespec.plan.rendering.templates import Reference
from scorespec.plan.scored import BlockNames, Blocks


def blocks_of(resample: Resample, columns: Collection[str], relations: Relations, values: Values) -> Blocks | None:
    """The blocks of rows that have some ``columns``; None if these name no block.

    Columns that the rows lack come from the relation `from`, if the rows have its other columns. Where neither gives a
    value, it comes from a table that describes the values of one of the ``columns``.
    """
    own = tuple(each for each in resample.blocks if each in columns)
    names = (*_of_relation(resample, columns, relations, values), *_of_tables(resample, columns, relations))
    known = {*own, *(column for each in names for column in each.columns)}
    either = tuple(each for each in resample.blocks if each in known)
    return Blocks(either, resample.blocks, own, names) if either else None


def _of_relation(
    resample: Resample, columns: Collection[str], relations: Relations, values: Values
) -> Iterator[BlockNames]:
    """The relation `from` with the columns of blocks that rows lack."""
    found = relations.find(resample.from_) if resample.from_ else None
    if isinstance(found, Relation):
        named = tuple(each for each in resample.blocks if each in found.column_names and each not in columns)
        keys = tuple(each for each in found.column_names if each not in named)
        if named and keys and {*columns}.issuperset(keys):
            yield BlockNames(relations.reference(found.name, values, ()), keys, named)


def _of_tables(resample: Resample, columns: Collection[str], relations: Relations) -> Iterator[BlockNames]:
    """The tables that describe the values of a column, with the columns of blocks that they have."""
    for table in relations.scopes.describing_tables():
        key = str(table.describes)
        named = tuple(each for each in resample.blocks if each in table.column_names and each != key)
        if named and key in columns:
            yield BlockNames(Reference(table.name), (key,), named)
