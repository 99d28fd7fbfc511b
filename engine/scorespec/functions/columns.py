"""The columns and settings of a function: their types and limits, and the checks of its input against them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import numpy_floats, numpy_ints, numpy_mask

TEXT, WHOLE, NUMBER, TRUTH = "VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN"
SEQUENCE, CHANNELS = "DOUBLE[]", "DOUBLE[][]"
_ARROW = {
    TEXT: pa.string(),
    WHOLE: pa.int64(),
    NUMBER: pa.float64(),
    TRUTH: pa.bool_(),
    SEQUENCE: pa.list_(pa.float64()),
    CHANNELS: pa.list_(pa.list_(pa.float64())),
}
FINITE = float(np.finfo(np.float64).max)
SUMMED = 2**53  # whole numbers up to this are exact as DOUBLE, and can be summed


class Column(NamedTuple):
    """A column of the input of a function: the types that it may have (``kinds``), and the limits of its numbers."""

    name: str
    kinds: tuple[str, ...]
    nullable: bool = False
    least: float = -np.inf
    most: float = np.inf


class Setting(NamedTuple):
    """A setting of a function: its type, the limits of its numbers, and whether it may be None."""

    kind: str = NUMBER
    least: float = -np.inf
    most: float = np.inf
    nullable: bool = False


Columns = Callable[[pa.Schema], Sequence[Column]]
"""The columns of the input of a function, where they depend on the columns that the input has."""

Settings = Mapping[str, Setting]
_PYTHON: Mapping[str, tuple[type, ...]] = {
    WHOLE: (int,),
    NUMBER: (int, float),
    TRUTH: (bool,),
    TEXT: (str,),
    "VARCHAR[]": (tuple, list),
}


def check_settings(function: str, settings: Settings, values: Mapping[str, Any]) -> None:
    """Raise ValueError for a value that a setting of a function cannot have."""
    for name, setting in settings.items():
        value = values[name]
        if value is None and setting.nullable:
            continue
        if not isinstance(value, _PYTHON[setting.kind]) or isinstance(value, bool) != (setting.kind == TRUTH):
            raise ValueError(f"function {function} takes {name!r} as {setting.kind}; it is {value!r}")
        if isinstance(value, int | float) and not setting.least <= value <= setting.most:
            limits = f"between {setting.least:g} and {setting.most:g}"
            raise ValueError(f"function {function} takes {name!r} {limits}; it is {value!r}")


def check_names(function: str, input_schema: pa.Schema) -> None:
    """Raise ValueError if two columns have one name."""
    for name in input_schema.names:
        if input_schema.names.count(name) > 1:
            raise ValueError(f"the input of {function} has more than one column {name!r}")


def check_columns(function: str, columns: Sequence[Column], input_schema: pa.Schema, grouped: bool) -> pa.Schema:
    """The schema of the input after its columns are cast to the types that the function knows.

    Raises ValueError for a column that is missing or has another type. With ``grouped``, the other columns are those of
    the group; their values must be comparable.
    """
    known = {column.name: column for column in columns}
    if missing := [name for name in known if name not in input_schema.names]:
        raise ValueError(f"the input of {function} has no column {missing[0]!r}")
    fields = []
    for field in input_schema:
        column = known.get(field.name)
        kind = field.type if column is None else _kind(column, field.type)
        if kind is None or (column is None and grouped and not _can_be_compared(kind)):
            wanted = " or ".join(column.kinds) if column else "of a type that can be compared, as a column of the group"
            raise ValueError(
                f"the input of {function} has {field.name!r} as {_sql_type(field.type)}; it must be {wanted}"
            )
        fields.append(pa.field(field.name, kind))
    return pa.schema(fields)


def _can_be_compared(kind: pa.DataType) -> bool:
    none = pa.nulls(0, kind)
    try:
        pc.not_equal(none, none)
    except pa.ArrowNotImplementedError:  # so for lists, structs and intervals; Arrow offers no other test
        return False
    return True


def _kind(column: Column, found: pa.DataType) -> pa.DataType | None:
    """The type to which a column is cast; None if it has a type that is not allowed."""
    depth = 0
    while pa.types.is_list(found):
        depth, found = depth + 1, found.value_type
    for kind in column.kinds:
        if kind.count("[]") == depth and (pa.types.is_floating(found) if depth else _is(kind, found)):
            return _ARROW[kind]
    return None


def _is(kind: str, found: pa.DataType) -> bool:
    types = pa.types
    is_whole = types.is_integer(found) or (types.is_decimal(found) and found.scale == 0)
    are = {
        TEXT: types.is_string(found) or types.is_large_string(found),
        WHOLE: is_whole,
        NUMBER: is_whole or types.is_floating(found) or types.is_decimal(found),
        TRUTH: types.is_boolean(found),
    }
    return bool(are.get(kind))


def _sql_type(found: pa.DataType) -> str:
    """The type of a column as SQL names it."""
    if pa.types.is_list(found):
        return f"{_sql_type(found.value_type)}[]"
    return next((name for name, kind in _ARROW.items() if kind == found), str(found).upper())


def checked_rows(
    function: str, columns: Sequence[Column], batches: Iterator[pa.RecordBatch], schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """The rows, cast to the schema that :func:`check_columns` returned.

    Raises ValueError for a value that the function cannot take: NULL, NaN, or one beyond the limits of its column.
    """
    row = 1
    for batch in batches:
        arrays = dict(zip(schema.names, batch.columns, strict=True))
        for column in columns:
            kind = schema.field(column.name).type
            try:
                arrays[column.name] = values = arrays[column.name].cast(kind)
            except pa.ArrowInvalid as error:
                reason = f"has a value in column {column.name!r} that does not fit into {_sql_type(kind)}"
                raise ValueError(f"the input of {function} {reason}: {str(error).lower()}") from None
            if found := _fault(column, values):
                at, value, wanted = found
                raise ValueError(
                    f"the input of {function} has {value} in column {column.name!r} (row {row + at:,}){wanted}"
                )
        yield pa.RecordBatch.from_arrays(list(arrays.values()), schema=schema)
        row += batch.num_rows


def quiet(rows: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The rows, without numpy's warnings about numbers that are too large: functions report these as faults of rows."""
    while True:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            batch = next(rows, None)
        if batch is None:
            return
        yield batch


def _fault(column: Column, values: pa.Array) -> tuple[int, str, str] | None:
    """The index of the first value that a column may not have, the value, and a text that says what it must be."""
    if values.null_count and not column.nullable:
        return int(np.argmax(numpy_mask(values.is_null()))), "NULL", ""
    if not pa.types.is_integer(values.type) and not pa.types.is_floating(values.type):
        return None
    present = values.drop_null()
    numbers = numpy_ints(present) if pa.types.is_integer(values.type) else numpy_floats(present)
    good = (numbers >= column.least) & (numbers <= column.most)
    if good.all():
        return None
    at = int(np.argmin(good))
    place = int(numpy_ints(pc.indices_nonzero(values.is_valid()))[at])
    return place, str(present[at].as_py()), f"; it must be between {column.least:g} and {column.most:g}"
