"""The input of a function group by group: adjacent rows with equal values in the columns of the group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.arrays import Ints, numpy_ints
from scorespec.errors import RunError


def check_room(needed: float, room: int, what: str) -> None:
    """Raise RunError when ``what`` needs more bytes of memory than there are for a group: before they are taken."""
    if needed > room:
        raise RunError(
            f"{what} needs about {needed / 1e6:,.0f} MB at once, more than the memory limit of {room / 1e6:,.0f} MB; "
            "raise --memory-limit"
        )


def whole_groups(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, group: Sequence[str], room: int, times: int
) -> Iterator[tuple[pa.Table, Ints]]:
    """The rows in tables that part no group, with the index at which each group starts, and the end.

    Raises RunError for a group that is too large for its ``room``, in bytes: a function needs ``times`` the bytes of
    the rows that it is input_schema.
    """
    held: list[pa.RecordBatch] = []
    for batch in batches:
        if held:
            rows, size = (sum(each) for each in zip(*((some.num_rows, some.nbytes) for some in held), strict=True))
            check_room(times * size, room, f"a group of more than {rows:,} rows")
        held.append(batch)
        if len(starts := group_starts(pa.Table.from_batches([batch], input_schema), group)) > 2 or _parts(held, group):
            table = pa.Table.from_batches(held, input_schema)
            last = table.num_rows - batch.num_rows + int(starts[-2])
            if last:
                yield table[:last], group_starts(table[:last], group)
            held = table[last:].to_batches()
    if held:
        table = pa.Table.from_batches(held, input_schema)
        yield table, group_starts(table, group)


def _parts(held: Sequence[pa.RecordBatch], group: Sequence[str]) -> bool:
    """Whether the last batch begins with another group than the rows before it."""
    if len(held) < 2 or not held[-1].num_rows:
        return False
    ends = (held[-2].slice(held[-2].num_rows - 1), held[-1].slice(0, 1))
    before, after = (tuple(each.select(list(group)).to_pylist()[0].values()) for each in ends)
    return before != after


def group_starts(table: pa.Table | pa.RecordBatch, group: Sequence[str]) -> Ints:
    """Where a group differs from the row before, from 0 to the number of rows."""
    starts = [np.array([0, table.num_rows])]
    for name in group:
        column = table[name]
        column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        starts.append(numpy_ints(pc.indices_nonzero(_differ(column[1:], column[:-1]))) + 1)
    return np.unique(np.concatenate(starts))


def _differ(one: pa.Array, other: pa.Array) -> pa.BooleanArray:
    """Which values are not the same; NULL is the same as NULL, as in GROUP BY."""
    differ = pc.not_equal(one, other)
    if not differ.null_count:
        return differ
    return pc.if_else(differ.is_null(), pc.xor(one.is_null(), other.is_null()), differ)
