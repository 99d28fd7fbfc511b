"""What functions over groups share: groups of adjacent rows as input, the columns and batches of the result.

A group is rows with equal values in the columns of the group.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Ints, arrow_ints, numpy_ints
from scorespec.errors import RunError

BATCH_ROWS = 200_000
Arrays = TypeVar("Arrays", bound=tuple[Any, ...])


def check_room(needed: float, room: int, what: str) -> None:
    """Raise RunError, before memory is taken, if ``what`` needs more bytes than a group may have."""
    if needed > room:
        raise RunError(
            f"{what} needs about {needed / 1e6:,.0f} MB at once, more than the memory limit of {room / 1e6:,.0f} MB; "
            "raise --memory-limit"
        )


def result_schema(
    input_schema: pa.Schema, columns: Collection[str], added: Iterable[tuple[str, pa.DataType]]
) -> pa.Schema:
    """The columns of the group, which are those of the input without ``columns``, then those that are ``added``."""
    group = [input_schema.field(name) for name in input_schema.names if name not in columns]
    return pa.schema([*group, *added])


def columns_at(table: pa.Table, names: Sequence[str], rows: Ints) -> list[pa.Array]:
    """Some columns of a table, at some rows."""
    return [column.combine_chunks() for column in table.select(names).take(arrow_ints(rows)).columns]


def in_large_batches(found: Iterator[Arrays]) -> Iterator[Arrays]:
    """Tuples of arrays with a value per row, joined: a batch of few rows costs as much time as one of thousands."""
    held: list[Arrays] = []
    rows = 0
    for arrays in found:
        held.append(arrays)
        rows += len(arrays[0])
        if rows > BATCH_ROWS:
            yield _joined(held)
            held, rows = [], 0
    if held:
        yield _joined(held)


def _joined(batches: Sequence[Arrays]) -> Arrays:
    return tuple(map(np.concatenate, zip(*batches, strict=True)))  # type: ignore[return-value]  # as many arrays


def whole_groups(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, group: Sequence[str], room: int, row_factor: int
) -> Iterator[tuple[pa.Table, Ints]]:
    """The rows in tables of whole groups, with the index at which each group starts, and the number of rows.

    Raises RunError for a group that needs more than ``room`` bytes: ``row_factor`` bytes for each byte of its rows.
    """
    held: list[pa.RecordBatch] = []
    for batch in batches:
        if held:
            rows, size = (sum(each) for each in zip(*((some.num_rows, some.nbytes) for some in held), strict=True))
            check_room(row_factor * size, room, f"a group of more than {rows:,} rows")
        held.append(batch)
        if len(starts := group_starts(pa.Table.from_batches([batch], input_schema), group)) > 2 or _ends_before_last(
            held, group
        ):
            table = pa.Table.from_batches(held, input_schema)
            last = table.num_rows - batch.num_rows + int(starts[-2])
            if last:
                yield table[:last], group_starts(table[:last], group)
            held = table[last:].to_batches()
    if held:
        table = pa.Table.from_batches(held, input_schema)
        yield table, group_starts(table, group)


def _ends_before_last(held: Sequence[pa.RecordBatch], group: Sequence[str]) -> bool:
    """Whether a group ends with the batch before the last one."""
    if len(held) < 2 or not held[-1].num_rows:
        return False
    ends = (held[-2].slice(held[-2].num_rows - 1), held[-1].slice(0, 1))
    before, after = (tuple(each.select(list(group)).to_pylist()[0].values()) for each in ends)
    return before != after


def group_starts(table: pa.Table | pa.RecordBatch, group: Sequence[str]) -> Ints:
    """The index of the first row of each group, then the number of rows."""
    starts = [np.array([0, table.num_rows])]
    for name in group:
        column = table[name]
        column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        starts.append(numpy_ints(pc.indices_nonzero(_differ(column[1:], column[:-1]))) + 1)
    return np.unique(np.concatenate(starts))


def _differ(one: pa.Array, other: pa.Array) -> pa.BooleanArray:
    """Which values differ; NULL equals NULL, as in GROUP BY."""
    differ = pc.not_equal(one, other)
    if not differ.null_count:
        return differ
    return pc.if_else(differ.is_null(), pc.xor(one.is_null(), other.is_null()), differ)
