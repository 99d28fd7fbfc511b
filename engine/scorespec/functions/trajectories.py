"""Sequences and their references: errors, means over channels, resampling to one length, differences in time."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Floats, arrow_floats, arrow_mask, arrow_texts
from scorespec.functions.function import (
    CHANNELS,
    SEQUENCE,
    TRUTH,
    FunctionExample,
    FunctionSetting,
    InputColumn,
    RelationFunction,
)
from scorespec.functions.sequences import Frames, lists, read_frames, write_frames

REFERENCE = "reference_"
_MEAN = re.compile(f"(?:{REFERENCE})?mean_")


def _pairs(input_schema: pa.Schema) -> list[str]:
    """The columns ``x`` for which the input also has ``reference_x``."""
    return [name for name in input_schema.names if REFERENCE + name in input_schema.names]


def paired_columns(input_schema: pa.Schema) -> list[InputColumn]:
    """Pairs of sequences ``x`` and ``reference_x``: both of frames, or both of frames by channels."""
    if not _pairs(input_schema):
        raise ValueError(f"no pair of columns 'x' and '{REFERENCE}x'")
    pairs = [(name, REFERENCE + name) for name in _pairs(input_schema)]
    kinds = [
        CHANNELS if any(_has_channels(input_schema.field(each).type) for each in pair) else SEQUENCE for pair in pairs
    ]
    return [InputColumn(each, (kind,), nullable=True) for pair, kind in zip(pairs, kinds, strict=True) for each in pair]


def _has_channels(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) and pa.types.is_list(kind.value_type))


# -- errors ------------------------------------------------------------------------------------------


def rmse_schema(input_schema: pa.Schema) -> pa.Schema:
    """The other columns of the input, then the columns that :func:`rmse` adds."""
    paired = {each for name in _pairs(input_schema) for each in (name, REFERENCE + name)}
    texts = ("shape", "reference_shape", "fault", "reference_fault")
    return pa.schema(
        [
            *(input_schema.field(name) for name in input_schema.names if name not in paired),
            ("compared", pa.string()),
            ("comparable", pa.bool_()),
            ("rmse", pa.float64()),
            ("channel_rmse", pa.list_(pa.float64())),
            *((name, pa.string()) for name in texts),
        ]
    )


def rmse(batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, broadcast: bool) -> Iterator[pa.RecordBatch]:
    """Root mean squared errors of sequences against their references.

    The input has pairs of columns ``x`` and ``reference_x`` (DOUBLE[] of frames, or DOUBLE[][] of frames by channels).
    Yields a row for each row and pair, with the other columns and these:

    * ``compared``: the name ``x``;
    * ``comparable``: whether both sides have one shape. With ``broadcast``, an axis of length 1 is compared with each
      index of the other side;
    * ``rmse``: over all frames and channels, with equal weight for each number;
    * ``channel_rmse``: of each channel over the frames;
    * ``shape``, ``reference_shape``, ``fault`` and ``reference_fault``: see :class:`.Frames`.

    Errors are null if the sides are not comparable or have no numbers, or if a number or the error is not finite.
    """
    schema = rmse_schema(input_schema)
    pairs = _pairs(input_schema)
    for batch in batches:
        kept = [batch.column(name) for name in schema.names if name in input_schema.names]
        for name in pairs:
            found = list(zip(read_frames(batch[name]), read_frames(batch[REFERENCE + name]), strict=True))
            comparable = [_comparable(*pair, broadcast) for pair in found]
            squares = [
                _mean_squares(a, b) if a and b and ok else None for (a, b), ok in zip(found, comparable, strict=True)
            ]
            sides = [list(side) for side in zip(*found, strict=True)] or [[], []]
            texts = [[each.shape if each else None for each in side] for side in sides]
            # A fault is looked for only where the result is not finite.
            good = [each is not None and bool(np.isfinite(each).all()) for each in squares]
            for side in sides:
                texts.append([None if ok or not each else each.fault for each, ok in zip(side, good, strict=True)])
            yield pa.RecordBatch.from_arrays(
                [
                    *kept,
                    arrow_texts([name] * len(found)),
                    arrow_mask(np.array(comparable, np.bool_)),
                    *_roots(squares),
                    *map(arrow_texts, texts),
                ],
                schema=schema,
            )


def _comparable(one: Frames | None, other: Frames | None, broadcast: bool) -> bool:
    if one is None or other is None or one.uneven or other.uneven:
        return False
    a, b = one.values.shape, other.values.shape
    return a == b or (broadcast and all(m == n or 1 in (m, n) for m, n in zip(a, b, strict=True)))


def _mean_squares(one: Frames, other: Frames) -> Floats | None:
    """The mean squared difference of each channel over the frames; None if there are no numbers."""
    with np.errstate(over="ignore", invalid="ignore"):
        difference = one.values - other.values
    if not difference.size:
        return None
    by_channel = difference.reshape(len(difference), -1)
    squares: Floats = np.einsum("ij,ij->j", by_channel, by_channel) / len(difference)
    return squares


def _roots(squares: list[Floats | None]) -> tuple[pa.Array, pa.Array]:
    """The root of the mean over the channels, and of each channel; null if a number is not finite."""
    good = [None if each is None or not np.isfinite(each).all() else each for each in squares]
    joint = np.array([np.nan if each is None else np.sqrt(each.mean()) for each in good])
    apart = [np.empty(0) if each is None else np.sqrt(each) for each in good]
    values = arrow_floats(np.concatenate(apart) if apart else np.empty(0))
    return (
        arrow_floats(joint, np.isfinite(joint)),
        lists(map(len, apart), values, [each is None for each in good]),
    )


# -- means over channels -----------------------------------------------------------------------------


def _means(input_schema: pa.Schema) -> list[tuple[str, str]]:
    """The columns of means, ``mean_x`` or ``reference_mean_x``, each with the column ``x`` or ``reference_x``."""
    return [(name, re.sub("mean_", "", name, count=1)) for name in input_schema.names if _MEAN.match(name)]


def mean_columns(input_schema: pa.Schema) -> list[InputColumn]:
    """The columns of means and the columns that these are means of."""
    if not _means(input_schema):
        raise ValueError("no column 'mean_x'")
    pairs = [((means, SEQUENCE), (of, CHANNELS)) for means, of in _means(input_schema)]
    return [InputColumn(name, (kind,), nullable=True) for pair in pairs for name, kind in pair]


def _same_columns(input_schema: pa.Schema) -> pa.Schema:
    return input_schema


def channel_means(batches: Iterator[pa.RecordBatch], input_schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Compute the means over the channels of each frame that are not given.

    The input has ``mean_x`` (DOUBLE[]) next to ``x`` (DOUBLE[][], frames by channels), with or without ``reference_``
    before both names. A mean is null where neither is given.
    """
    for batch in batches:
        columns = dict(zip(batch.schema.names, batch.columns, strict=True))
        for means, of in _means(input_schema):
            if columns[means].null_count:
                rows = zip(read_frames(columns[means]), read_frames(columns[of]), strict=True)
                frames = [given or (each and _mean(each)) for given, each in rows]
                columns[means] = write_frames(frames, input_schema.field(means).type)
        yield pa.RecordBatch.from_arrays(list(columns.values()), schema=input_schema)


def _mean(frames: Frames) -> Frames:
    return Frames(frames.values.mean(axis=1) if frames.values.size else np.empty(0), frames.uneven)


# -- resampling --------------------------------------------------------------------------------------


def resample_to_longer(batches: Iterator[pa.RecordBatch], input_schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Resample the shorter of each sequence and its reference to the number of frames of the longer.

    The input has pairs of columns ``x`` and ``reference_x``, as in :func:`rmse`. The shorter is interpolated by
    :func:`pchip`. A sequence of fewer than two frames, or with a number that is not finite, stays as it is.
    """
    pairs = _pairs(input_schema)
    for batch in batches:
        columns = dict(zip(batch.schema.names, batch.columns, strict=True))
        for name in pairs:
            sides = name, REFERENCE + name
            if not pc.any(pc.not_equal(*(pc.list_value_length(columns[side]) for side in sides))).as_py():
                continue
            both = [_resampled(*pair) for pair in zip(*(read_frames(columns[side]) for side in sides), strict=True)]
            for side, frames in zip(sides, zip(*both, strict=True), strict=True):
                columns[side] = write_frames(frames, input_schema.field(side).type)
        yield pa.RecordBatch.from_arrays(list(columns.values()), schema=input_schema)


def _resampled(one: Frames | None, other: Frames | None) -> tuple[Frames | None, Frames | None]:
    if one is None or other is None or one.uneven or other.uneven:
        return one, other
    frames = max(len(one.values), len(other.values))
    return _lengthened(one, frames), _lengthened(other, frames)


def _lengthened(each: Frames, frames: int) -> Frames:
    if len(each.values) in (0, 1, frames) or not np.isfinite(each.values).all():
        return each
    return Frames(pchip(each.values, frames))


def pchip(values: Floats, frames: int) -> Floats:
    """Resample a sequence of two or more frames (rows) to a number of frames; the first and last frame stay.

    This is monotone piecewise cubic interpolation (PCHIP, Fritsch and Butland 1984) of each channel over equidistant
    frames. The slope at an inner frame is the harmonic mean of the two adjacent differences, or 0 if their signs
    differ. The slope at an end is that of the parabola through three frames, limited to keep the shape. Two frames are
    joined by a line. scipy's PchipInterpolator gives the same numbers up to rounding, but takes two to eight times as
    long, and is slow to import; tests/unit/functions/test_sequences.py compares the two.
    """
    steps = np.diff(values, axis=0)
    slopes = np.zeros_like(values)
    if len(steps) == 1:
        slopes[:] = steps
    else:
        same = steps[1:] * steps[:-1] > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes[1:-1] = np.where(same, 2 / (1 / steps[1:] + 1 / steps[:-1]), 0)
        slopes[0] = _end_slope(steps[0], steps[1])
        slopes[-1] = _end_slope(steps[-1], steps[-2])
    place = np.arange(frames) * (len(steps) / (frames - 1))
    before = np.minimum(place.astype(np.int64), len(steps) - 1)
    part = (place - before).reshape((-1,) + (1,) * (values.ndim - 1))
    step, left, right = steps[before], slopes[before], slopes[before + 1]
    cubic = left + right - 2 * step
    resampled: Floats = values[before] + part * (left + part * ((step - left - cubic) + part * cubic))
    resampled[-1] = values[-1]
    return resampled


def _end_slope(first: Floats, second: Floats) -> Floats:
    """The slope at an end of a sequence, from the first difference there and the next one."""
    slope = (3 * first - second) / 2
    steep = (np.sign(first) != np.sign(second)) & (np.abs(slope) > 3 * np.abs(first))
    limited: Floats = np.where(steep, 3 * first, slope)
    return np.where(np.sign(slope) == np.sign(first), limited, 0)


# -- differences in time ----------------------------------------------------------------------------------------


SEQUENCES = (InputColumn("sequence", (SEQUENCE, CHANNELS), nullable=True),)


def differences_schema(input_schema: pa.Schema) -> pa.Schema:
    """The other columns of the input, then the columns that :func:`differences` adds."""
    numbers = pa.list_(pa.float64())
    added = [("first", numbers), ("third", numbers), ("shape", pa.string()), ("fault", pa.string())]
    return pa.schema([*(input_schema.field(name) for name in input_schema.names if name != "sequence"), *added])


def differences(batches: Iterator[pa.RecordBatch], input_schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """First and third differences of sequences from frame to frame, all channels in one list.

    The input has the column ``sequence`` (DOUBLE[] of frames, or DOUBLE[][] of frames by channels). Yields the other
    columns, ``first`` and ``third``, and ``shape`` and ``fault`` (see :class:`.Frames`). Both differences are null if a
    number or a difference is not finite. Both are empty if there are fewer than four frames, or if the frames have
    different numbers of channels.
    """
    schema = differences_schema(input_schema)
    for batch in batches:
        kept = [batch.column(name) for name in schema.names if name in input_schema.names]
        found = list(read_frames(batch["sequence"]))
        firsts, thirds = zip(*map(_differences, found), strict=True) if found else ((), ())
        yield pa.RecordBatch.from_arrays(
            [
                *kept,
                *(write_frames(each, schema.field("first").type) for each in (firsts, thirds)),
                arrow_texts([each.shape if each else None for each in found]),
                arrow_texts([each.fault if each else None for each in found]),
            ],
            schema=schema,
        )


def _differences(frames: Frames | None) -> tuple[Frames | None, Frames | None]:
    """The first and the third differences of one sequence."""
    if frames is None:
        return None, None
    if frames.uneven or len(frames.values) < 4:
        return Frames(np.empty(0)), Frames(np.empty(0))
    with np.errstate(over="ignore", invalid="ignore"):
        first = np.diff(frames.values, axis=0)
        third = np.diff(first, n=2, axis=0)
    # Every number contributes to some third difference, so the third differences show every number at fault.
    return (Frames(first), Frames(third)) if np.isfinite(third).all() else (None, None)


FUNCTIONS = (
    RelationFunction(
        "Root mean squared error (RMSE) of each sequence x against its reference. One row per input row and "
        "sequence, with the name x in the column compared. It reads every pair of columns x and reference_x.",
        rmse,
        rmse_schema,
        paired_columns,
        {"broadcast": FunctionSetting(TRUTH)},
        grouped=False,
        promised=True,
        example=FunctionExample(
            {"token": ["a"], "pitch": [[1.0, 2.0]], "reference_pitch": [[1.0, 4.0]]}, {"broadcast": False}
        ),
    ),
    RelationFunction(
        "Interpolates the shorter of each sequence x and its reference to the number of frames of the longer. One "
        "row per input row. It reads every pair of columns x and reference_x.",
        resample_to_longer,
        _same_columns,
        paired_columns,
        grouped=False,
        promised=True,
        example=FunctionExample({"token": ["a"], "pitch": [[1.0, 2.0, 3.0]], "reference_pitch": [[1.0, 3.0]]}),
    ),
    RelationFunction(
        "Fills each mean_x that is NULL with the mean over the channels of each frame of x. One row per input row. "
        "It reads every pair of columns x and mean_x.",
        channel_means,
        _same_columns,
        mean_columns,
        grouped=False,
    ),
    RelationFunction(
        "First and third differences of a sequence from frame to frame, with the shape of the sequence and its "
        "fault, if it has one. One row per input row.",
        differences,
        differences_schema,
        SEQUENCES,
        grouped=False,
    ),
)
