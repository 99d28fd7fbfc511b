"""Converts between numpy and Arrow without a copy.

``pyarrow.array``, ``to_numpy`` and a Python value in a call of ``pyarrow.compute`` import pandas if it is installed,
which takes as long as scoring a small submission. The functions of this module do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]
    Bytes = npt.NDArray[np.uint8]
    Mask = npt.NDArray[np.bool_]
else:
    Ints = Floats = Bytes = Mask = np.ndarray  # numpy.typing takes a while to import


def arrow_ints(values: npt.NDArray[Any]) -> pa.Int64Array:
    """Whole numbers as an Arrow array of 64-bit integers."""
    whole = np.ascontiguousarray(values, np.int64)
    return pa.Array.from_buffers(pa.int64(), len(whole), [None, pa.py_buffer(whole)])


def arrow_floats(values: npt.NDArray[Any], present: Mask | None = None) -> pa.DoubleArray:
    """Numbers as an Arrow array of 64-bit floats; null where ``present`` is false."""
    numbers = np.ascontiguousarray(values, np.float64)
    return pa.Array.from_buffers(pa.float64(), len(numbers), [validity(present), pa.py_buffer(numbers)])


def validity(present: npt.NDArray[np.bool_] | Sequence[bool] | None) -> pa.Buffer | None:
    """The first buffer of an Arrow array: which values are present; None for all."""
    if present is None or np.all(present):
        return None
    return pa.py_buffer(np.packbits(present, bitorder="little"))


def arrow_texts(values: Sequence[str | None]) -> pa.StringArray:
    """Texts as an Arrow array of strings; None is null."""
    encoded = [b"" if value is None else value.encode() for value in values]
    offsets = np.zeros(len(values) + 1, np.int32)
    np.cumsum([len(each) for each in encoded], out=offsets[1:])
    return pa.StringArray.from_buffers(
        len(values),
        pa.py_buffer(offsets),
        pa.py_buffer(b"".join(encoded)),
        validity([value is not None for value in values]),
    )


def arrow_text(value: str) -> pa.StringScalar:
    """A text as an Arrow scalar."""
    return arrow_texts([value])[0]


def arrow_mask(values: Mask) -> pa.BooleanArray:
    """Truth values as an Arrow array."""
    return pc.cast(arrow_ints(values), pa.bool_())


def null_where(absent: pa.BooleanArray, values: pa.Array) -> pa.Array:
    """The values, null where ``absent``."""
    return pc.if_else(absent, pa.nulls(1, values.type)[0], values)


def numpy_mask(values: pa.BooleanArray) -> Mask:
    """An Arrow array of truth values, none of them null, as a numpy array."""
    return np.from_dlpack(values.cast(pa.int8())).astype(np.bool_)


def numpy_ints(values: pa.Array | pa.ChunkedArray) -> Ints:
    """An Arrow array of whole numbers, none of them null, as a numpy array."""
    array = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    numbers: Ints = np.from_dlpack(array.cast(pa.int64())).astype(np.int64, copy=False)
    return numbers


def numpy_floats(values: pa.Array) -> Floats:
    """An Arrow array of numbers, none of them null, as a numpy array."""
    numbers: Floats = np.from_dlpack(values.cast(pa.float64())).astype(np.float64, copy=False)
    return numbers
