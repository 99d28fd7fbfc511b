"""Functions over groups: the groups of adjacent rows of an input, the columns and batches of a result.

A group is rows with equal values in the columns of the group.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Ints, arrow_floats, arrow_ints, arrow_mask, arrow_texts, numpy_ints
from scorespec.errors import RunError
from scorespec.functions.function import (
    ARROW_TYPES,
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    FunctionExample,
    FunctionSettings,
    InputColumn,
    RelationFunction,
)

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


def result_batch(table: pa.Table, rows: Ints, added: Iterable[pa.Array], schema: pa.Schema) -> pa.RecordBatch:
    """Rows of the result: the columns of the group from these rows of the input, then those that are ``added``."""
    arrays = list(added)
    group = table.select(schema.names[: len(schema) - len(arrays)]).take(arrow_ints(rows))
    return pa.RecordBatch.from_arrays([*(column.combine_chunks() for column in group.columns), *arrays], schema=schema)


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
        if not batch.num_rows:
            continue
        rows, size = sum(each.num_rows for each in held), sum(each.nbytes for each in held)
        check_room(row_factor * size, room, f"a group of more than {rows:,} rows")
        held.append(batch)
        # The rows of the batch, with the row before them.
        edge = pa.Table.from_batches([*(each.slice(each.num_rows - 1) for each in held[-2:-1]), batch], input_schema)
        if len(starts := group_starts(edge, group)) > 2:
            table = pa.Table.from_batches(held, input_schema)
            last = table.num_rows - edge.num_rows + int(starts[-2])
            yield table[:last], group_starts(table[:last], group)
            held = table[last:].to_batches()
    if held:
        table = pa.Table.from_batches(held, input_schema)
        yield table, group_starts(table, group)


def group_starts(table: pa.Table | pa.RecordBatch, group: Sequence[str]) -> Ints:
    """The index of the first row of each group, then the number of rows."""
    starts = [np.array([0, table.num_rows])]
    for name in group:
        column = table[name]
        column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        one, other = column[1:], column[:-1]
        differ = pc.not_equal(one, other)
        if differ.null_count:  # NULL equals NULL, as in GROUP BY
            differ = pc.if_else(differ.is_null(), pc.xor(one.is_null(), other.is_null()), differ)
        starts.append(numpy_ints(pc.indices_nonzero(differ)) + 1)
    return np.unique(np.concatenate(starts))


# -- functions over one group ------------------------------------------------------------------------

ROW_FACTOR = 20  # bytes of Python objects for each byte of a row
_ARRAYS: Mapping[str, Callable[[Sequence[Any]], pa.Array]] = {
    TEXT: arrow_texts,
    WHOLE: lambda values: arrow_ints(np.array(values, np.int64)),
    NUMBER: lambda values: arrow_floats(np.array(values, np.float64)),
    TRUTH: lambda values: arrow_mask(np.array(values, np.bool_)),
}


def group_function(
    call: Callable[..., Mapping[str, Sequence[Any]]],
    *,
    about: str,
    columns: Sequence[InputColumn],
    result: Mapping[str, str],
    settings: FunctionSettings | None = None,
    example: FunctionExample | None = None,
) -> RelationFunction:
    """A function over rows that calls ``call(group, **settings)`` once for each group of rows.

    ``group`` maps each name in ``columns`` to the list of its values in the rows of the group, in order. ``call``
    returns the values of the columns in ``result``, which maps their names to ``VARCHAR``, ``BIGINT``, ``DOUBLE`` or
    ``BOOLEAN``: any number of rows, but equally many values for each column. All other columns of the input name the
    group. The result has the columns of the group, then those of ``result``.

    The function is known by the name of ``call``. `scorespec show` prints its result for the rows of ``example``. An
    error that ``call`` raises ends the run with its type, its text and the line that raised it.
    """
    names = [column.name for column in columns]

    def schema_of(input_schema: pa.Schema) -> pa.Schema:
        return result_schema(input_schema, names, [(name, ARROW_TYPES[kind]) for name, kind in result.items()])

    @wraps(call, assigned=("__name__",))
    def rows(
        batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int, **given: Any
    ) -> Iterator[pa.RecordBatch]:
        schema = schema_of(input_schema)
        group = [name for name in input_schema.names if name not in names]
        for table, starts in whole_groups(batches, input_schema, group, room, ROW_FACTOR):
            for start, end in pairwise(starts.tolist()):
                part = table[start:end].combine_chunks()
                found = call({name: part[name].to_pylist() for name in names}, **given)
                try:
                    arrays = [_ARRAYS[kind](found[name]) for name, kind in result.items()]
                    batch = result_batch(part, np.zeros(len(arrays[0]), np.int64), arrays, schema)
                except (ValueError, TypeError, ArithmeticError, LookupError) as error:
                    wanted = ", ".join(f"{name} ({kind})" for name, kind in result.items())
                    raise TypeError(f"{call.__name__} must return the columns {wanted}: {error!r}") from error
                yield batch

    return RelationFunction(about, rows, schema_of, columns, settings or {}, example=example)
