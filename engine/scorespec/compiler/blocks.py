"""The blocks of rows: which columns name the block of a unit, or of a row of an input."""

from __future__ import annotations

from collections.abc import Collection

from scorespec.catalog.model import Relation
from scorespec.catalog.resampling import Resample
from scorespec.compiler.parameters import Values
from scorespec.compiler.relations import Relations
from scorespec.compiler.scored import Blocks


def blocks_of(
    resample: Resample, columns: Collection[str], relations: Relations, values: Values, taken: Collection[str] = ()
) -> Blocks | None:
    """The blocks of rows that have some ``columns``; None if these name no block.

    Columns that the rows lack come from the relation `from`, if the rows have its other columns, and if none of these
    names is ``taken``.
    """
    wanted = resample.blocks
    own = tuple(each for each in wanted if each in columns)
    found = relations.find(resample.from_) if resample.from_ else None
    if isinstance(found, Relation):
        named = tuple(each for each in wanted if each in found.column_names and each not in own)
        keys = tuple(each for each in found.column_names if each not in named)
        if named and keys and {*columns}.issuperset(keys) and not {*named}.intersection(taken):
            names = relations.reference(found.name, values, ())
            either = tuple(each for each in wanted if each in own or each in named)
            return Blocks(either, wanted, names, keys, named)
    return Blocks(own, wanted) if own else None
