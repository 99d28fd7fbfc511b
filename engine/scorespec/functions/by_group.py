"""Functions over rows from plain Python functions over one group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import arrow_floats, arrow_ints, arrow_mask, arrow_texts
from scorespec.functions.base import RelationFunction
from scorespec.functions.columns import NUMBER, TEXT, TRUTH, WHOLE, Column, Settings
from scorespec.functions.groups import columns_at, result_schema, whole_groups

ROW_FACTOR = 20  # bytes of Python objects for each byte of a row
_ARRAYS: Mapping[str, Callable[[Sequence[Any]], pa.Array]] = {
    TEXT: arrow_texts,
    WHOLE: lambda values: arrow_ints(np.array(values, np.int64)),
    NUMBER: lambda values: arrow_floats(np.array(values, np.float64)),
    TRUTH: lambda values: arrow_mask(np.array(values, np.bool_)),
}
_TYPES = {TEXT: pa.string(), WHOLE: pa.int64(), NUMBER: pa.float64(), TRUTH: pa.bool_()}


def group_function(
    call: Callable[..., Mapping[str, Sequence[Any]]],
    *,
    about: str,
    columns: Sequence[Column],
    result: Mapping[str, str],
    settings: Settings | None = None,
) -> RelationFunction:
    """A function over rows that calls ``call(group, **settings)`` once for each group of rows.

    ``group`` maps each name in ``columns`` to the list of its values in the rows of the group, in order. ``call``
    returns the values of the columns in ``result``, which maps their names to ``VARCHAR``, ``BIGINT``, ``DOUBLE`` or
    ``BOOLEAN``: any number of rows, but equally many values for each column. All other columns of the input name the
    group. The result has the columns of the group, then those of ``result``.

    The function is known by the name of ``call``. An error that ``call`` raises ends the run with its type, its text
    and the line that raised it.
    """
    names = [column.name for column in columns]

    def schema_of(input_schema: pa.Schema) -> pa.Schema:
        return result_schema(input_schema, names, [(name, _TYPES[kind]) for name, kind in result.items()])

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
                    group_columns = columns_at(part, group, np.zeros(len(arrays[0]), np.int64))
                    batch = pa.RecordBatch.from_arrays([*group_columns, *arrays], schema=schema)
                except (ValueError, TypeError, ArithmeticError, LookupError) as error:
                    wanted = ", ".join(f"{name} ({kind})" for name, kind in result.items())
                    raise TypeError(f"{call.__name__} must return the columns {wanted}: {error!r}") from error
                yield batch

    return RelationFunction(about, rows, schema_of, columns, settings or {})
