"""Functions over sequences: what they compute, what they say of sequences at fault, which inputs they refuse."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import PchipInterpolator

from scorespec.errors import UsageError
from scorespec.functions import RELATION_FUNCTIONS
from scorespec.functions.sequences import read_frames, write_frames
from scorespec.functions.spectrograms import MelSettings
from scorespec.functions.trajectories import pchip

FLAT = pa.list_(pa.float64())
NESTED = pa.list_(FLAT)
NUMBERS = st.floats(-1e3, 1e3).map(lambda x: round(x, 3))


def made(
    functions: Sequence[str], columns: dict[str, tuple[pa.DataType, list[Any]]], **values: Any
) -> list[dict[str, Any]]:
    """The rows that functions make, one after the other, of columns by their names; each takes its settings."""
    schema = pa.schema({name: kind for name, (kind, _) in columns.items()})
    table = pa.table({name: pa.array(values, kind) for name, (kind, values) in columns.items()}, schema)
    rows = iter(table.to_batches(max_chunksize=2))
    for name in functions:
        function = RELATION_FUNCTIONS[name]
        settings = {each: values[each] for each in function.settings}
        rows, schema = function.call(rows, schema, **settings), function.schema(schema)
    return pa.Table.from_batches(rows, schema).to_pylist()


def errors(kind: pa.DataType, one: Any, other: Any, *before: str, broadcast: bool = False) -> dict[str, Any]:
    columns = {"id": (pa.int64(), [7]), "x": (kind, [one]), "reference_x": (kind, [other])}
    (row,) = made([*before, "rmse"], columns, broadcast=broadcast)
    assert (row.pop("id"), row.pop("compared")) == (7, "x")
    return row


def test_errors_over_frames_and_channels() -> None:
    row = errors(NESTED, [[1.0, 0.0], [1.0, 0.0]], [[0.0, 0.0], [0.0, 2.0]])
    assert row["rmse"] == pytest.approx(math.sqrt(6 / 4))
    assert row["channel_rmse"] == pytest.approx([1, math.sqrt(2)])
    assert (row["comparable"], row["shape"], row["fault"], row["reference_fault"]) == (True, "2 x 2", None, None)
    assert errors(FLAT, [1.0, 1.0], [0.0, 0.0])["channel_rmse"] == [1]


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ([[1.0], [math.nan]], [[1.0], [1.0]], ("2 x 1", "2 x 1", "frame 1 holds nan", None)),
        ([[1.0], [None]], [[1.0], [math.inf]], ("2 x 1", "2 x 1", "frame 1 holds nan", "frame 1 holds infinity")),
        ([[1.0], [1.0, 2.0]], [[1.0]], ("2 x ?", "1 x 1", "frame 1 has 2 channels, frame 0 has 1", None)),
        ([[1.0], None], [[1.0], [1.0]], ("2 x ?", "2 x 1", "frame 1 has 0 channels, frame 0 has 1", None)),
        ([[1.0]] * 3, [[1.0]] * 2, ("3 x 1", "2 x 1", None, None)),
        ([[1.0]], None, ("1 x 1", None, None, None)),
        ([], [], ("0 x 0", "0 x 0", "there are no numbers", "there are no numbers")),
        ([[1e200]], [[0.0]], ("1 x 1", "1 x 1", None, None)),
    ],
)
@pytest.mark.parametrize("broadcast", [False, True])
def test_what_has_no_error(one: Any, other: Any, said: tuple[Any, ...], broadcast: bool) -> None:
    row = errors(NESTED, one, other, broadcast=broadcast)
    assert (row["rmse"], row["channel_rmse"]) == (None, None)
    assert (row["shape"], row["reference_shape"], row["fault"], row["reference_fault"]) == said


@pytest.mark.parametrize(
    ("one", "other", "comparable"),
    [
        ([[1.0, 1.0]], [[0.0, 0.0], [2.0, 2.0]], (False, True)),
        ([[1.0], [1.0]], [[0.0, 0.0], [2.0, 2.0]], (False, True)),
        ([[1.0, 1.0]] * 3, [[0.0, 0.0], [2.0, 2.0]], (False, False)),
        ([[math.nan]] * 3, [[1.0]] * 2, (False, False)),
        ([[1.0], [1.0, 2.0]], [[1.0]], (False, False)),
        ([[1.0], [1.0, 2.0]], [[1.0], [1.0, 2.0]], (False, False)),
        ([[math.nan]], [[1.0]], (True, True)),
        ([[1.0]], None, (False, False)),
    ],
)
def test_what_can_be_compared(one: Any, other: Any, comparable: tuple[bool, bool]) -> None:
    found = [errors(NESTED, one, other, broadcast=broadcast) for broadcast in (False, True)]
    assert tuple(row["comparable"] for row in found) == comparable


def test_a_single_frame_or_channel_is_held_against_all() -> None:
    assert errors(NESTED, [[1.0, 1.0]], [[0.0, 0.0], [2.0, 2.0]], broadcast=True)["rmse"] == 1
    assert errors(NESTED, [[1.0], [1.0]], [[1.0, 2.0], [1.0, 2.0]], broadcast=True)["channel_rmse"] == [0, 1]
    assert errors(NESTED, [[1.0, 1.0]], [[0.0, 0.0], [2.0, 2.0]])["rmse"] is None


def test_every_pair_of_every_row() -> None:
    columns = {
        "x": (FLAT, [[1.0], None, [3.0]]), "y": (FLAT, [[0.0]] * 3),
        "reference_x": (FLAT, [[0.0]] * 3), "reference_y": (FLAT, [[5.0]] * 3),
    }  # fmt: skip
    rows = made(["rmse"], columns, broadcast=False)
    assert (
        sorted((row["compared"], row["rmse"] or 0) for row in rows) == [("x", 0), ("x", 1), ("x", 3)] + [("y", 5)] * 3
    )


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=12), st.integers(2, 30))
def test_interpolation_is_that_of_scipy(frames: list[tuple[float, float]], count: int) -> None:
    values = np.array(frames)
    expected = PchipInterpolator(np.linspace(0, 1, len(frames)), values)(np.linspace(0, 1, count))
    assert pchip(values, count) == pytest.approx(expected, abs=1e-9)


def test_the_shorter_side_is_resampled() -> None:
    assert errors(FLAT, [0.0, 1.0, 2.0], [0.0, 2.0], "resample_to_longer")["rmse"] == pytest.approx(0, abs=1e-15)
    assert errors(NESTED, [[0.0], [2.0]], [[0.0], [1.0], [2.0]], "resample_to_longer")["rmse"] == pytest.approx(0)


@pytest.mark.parametrize("shorter", [[1.0], [], [1.0, math.nan]])
def test_what_cannot_be_resampled_stays_as_it_is(shorter: list[float]) -> None:
    assert errors(FLAT, [1.0, 2.0, 3.0], shorter, "resample_to_longer")["reference_shape"] == str(len(shorter))


def test_differences() -> None:
    sequences = [
        [[0.0, 0.0], [1.0, 0.0], [3.0, 5.0], [6.0, 5.0]],
        [[1.0], [2.0]], None, [[1.0]] * 3 + [[math.inf]], [[1.0], [math.nan]], [[1.0]] * 4 + [[]],
        [[1e308], [-1e308]] * 2,
    ]  # fmt: skip
    rows = made(["differences"], {"sequence": (NESTED, sequences)})
    assert rows[0]["first"] == [1, 0, 2, 5, 3, 0]
    assert rows[0]["third"] == [0, -10]
    assert [row["first"] for row in rows[1:]] == [row["third"] for row in rows[1:]] == [[], None, None, [], [], None]
    assert [row["fault"] for row in rows] == [
        None, None, None, "frame 3 holds infinity", "frame 1 holds nan", "frame 4 has 0 channels, frame 0 has 1", None
    ]  # fmt: skip


def test_means_that_are_not_given() -> None:
    columns = {"x": (NESTED, [[[1.0, 3.0]], [[1.0, 3.0]], None, []]), "mean_x": (FLAT, [[5.0], None, None, None])}
    assert [row["mean_x"] for row in made(["channel_means"], columns)] == [[5], [2], None, []]


@given(st.lists(st.none() | st.lists(st.lists(NUMBERS, min_size=2, max_size=2), max_size=3), max_size=5))
def test_what_is_written_is_what_was_read(rows: list[Any]) -> None:
    column = pa.array(rows, NESTED)
    assert write_frames(list(read_frames(column)), NESTED).to_pylist() == rows


@pytest.mark.parametrize(
    ("name", "columns", "said"),
    [
        ("rmse", {"x": FLAT}, "the input of rmse has no pair of columns 'x' and 'reference_x'"),
        ("rmse", {"x": pa.float64(), "reference_x": FLAT}, "the input of rmse has 'x' as DOUBLE; it must be DOUBLE"),
        ("rmse", {"x": pa.list_(pa.string()), "reference_x": FLAT}, "must be DOUBLE"),
        ("differences", {}, "the input of differences has no column 'sequence'"),
        ("resample_to_longer", {}, "the input of resample_to_longer has no pair"),
        ("channel_means", {"x": NESTED}, "the input of channel_means has no column 'mean_x'"),
        ("log_mel", {"log_mel": NESTED}, "the input of log_mel has no column 'signal'"),
    ],
)
def test_what_functions_refuse_to_be_fed(name: str, columns: dict[str, pa.DataType], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        RELATION_FUNCTIONS[name].schema(pa.schema(columns))


def test_bands_of_a_spectrogram_need_room() -> None:
    with pytest.raises(UsageError, match="mel_low is 500; it must be below mel_high, which is 400"):
        MelSettings(44100.0, 1024, 220, 60, 500.0, 400.0, 0.15, 1e-5, 80.0)
