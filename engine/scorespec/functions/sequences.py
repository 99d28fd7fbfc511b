"""Sequences of numbers: nested Arrow lists as numpy arrays, and the faults of a sequence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Floats, Ints, arrow_floats, arrow_ints, numpy_floats, numpy_ints, numpy_mask, validity


@dataclass(frozen=True)
class Frames:
    """One sequence: ``values`` has a row for each frame, and a column for each channel if the frames have channels.

    If the frames have different numbers of channels, the values are nan, and ``uneven`` says which frame differs.
    """

    values: Floats
    uneven: str | None = None

    @property
    def shape(self) -> str:
        """The number of frames, and of channels if there are any: ``31 x 60``, or ``31``."""
        frames = str(len(self.values))
        if self.uneven:
            return f"{frames} x ?"
        return " x ".join(map(str, self.values.shape))

    @property
    def fault(self) -> str | None:
        """The first frame (from 0) that has a number which is not finite, or another fault; None if there is none."""
        if self.uneven:
            return self.uneven
        if not self.values.size:
            return "there are no numbers"
        finite = np.isfinite(self.values)
        if finite.all():
            return None
        bad = np.argwhere(~finite)
        value = self.values[tuple(bad[0])]
        return f"frame {bad[0][0]} holds {'nan' if np.isnan(value) else 'infinity'}"


def read_frames(column: pa.ListArray) -> Iterator[Frames | None]:
    """The sequences of a column of lists of numbers, or of lists of lists of numbers; a null number is nan."""
    ends, values, frame_ends = numpy_ints(column.offsets), column.values, None
    if pa.types.is_list(values.type):
        frame_ends, values = numpy_ints(values.offsets), values.values
    numbers = numpy_floats(values.fill_null(float("nan")) if values.null_count else values)
    for row, is_present in enumerate(numpy_mask(column.is_valid())):
        part = slice(ends[row], ends[row + 1])
        if not is_present:
            yield None
        elif frame_ends is None:
            yield Frames(numbers[part])
        else:
            yield _of_channels(numbers, frame_ends[part.start : part.stop + 1])


def _of_channels(numbers: Floats, ends: Ints) -> Frames:
    """The frames that lie between these ends."""
    widths = np.diff(ends)
    other = np.flatnonzero(widths != widths[:1])
    if len(other):
        said = f"frame {other[0]} has {widths[other[0]]} channels, frame 0 has {widths[0]}"
        return Frames(np.full((len(widths), 1), np.nan), said)
    return Frames(numbers[ends[0] : ends[-1]].reshape(len(widths), widths[0] if len(widths) else 0))


def write_frames(rows: Sequence[Frames | None], kind: pa.DataType) -> pa.ListArray:
    """Sequences as a column of lists of lists of numbers, or of flat lists: frame by frame, channel by channel."""
    values = [np.empty(0) if row is None else row.values for row in rows]
    absent = [row is None for row in rows]
    numbers = arrow_floats(np.concatenate([each.ravel() for each in values]) if values else np.empty(0))
    if not pa.types.is_list(kind.value_type):
        return lists([each.size for each in values], numbers, absent)
    frames = [len(each) for each in values]
    widths = [each.shape[1] if each.ndim > 1 else 0 for each in values]
    return lists(frames, pa.ListArray.from_arrays(_ends(np.repeat(widths, frames)), numbers), absent)


def lists(lengths: Iterable[int], values: pa.Array, absent: Sequence[bool] = ()) -> pa.ListArray:
    """Lists of these lengths over the values; the ``absent`` ones are null."""
    ends = _ends(np.fromiter(lengths, np.int64))
    there = validity(~np.asarray(absent, np.bool_))
    return pa.Array.from_buffers(pa.list_(values.type), len(ends) - 1, [there, ends.buffers()[1]], children=[values])


def _ends(lengths: Ints) -> pa.Int32Array:
    ends = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
    return arrow_ints(ends).cast(pa.int32())
