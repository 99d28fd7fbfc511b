"""Writes a task of articulatory synthesis, the same for the same seed; and scores it with a plain numpy loop.

python tests/benchmarks/syntheses.py write TOKENS TASKS FOLDER
python tests/benchmarks/syntheses.py loop FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.interpolate import PchipInterpolator

FRAMES, MEL_FRAMES, SENSOR_FRAMES = 401, 201, 250  # of one second: control frames, spectrogram, measured sensors
LABELS, DIMENSIONS = 4312, 300
TASKS = ("copy-synthesis", "semantic-only", "acoustic-only")
ROW_GROUP = 64  # rows: 14 MB of a submission


def lists(values: Any) -> pa.Array:
    """An array of numbers as an Arrow array of lists, or of lists of lists."""
    array = pa.array(values.ravel())
    for size in values.shape[:0:-1]:
        array = pa.ListArray.from_arrays(pa.array(np.arange(0, len(array) + 1, size, dtype=np.int32)), array)
    return array


def moving(rng: Any, *shape: int) -> Any:
    """Sequences that wander."""
    return rng.normal(size=shape).cumsum(axis=1)


def made(rng: Any, count: int) -> dict[str, pa.Array]:
    return {
        "cps": lists(moving(rng, count, FRAMES, 30)),
        "tongue_height": lists(moving(rng, count, FRAMES // 5)),
        "ema_TT": lists(moving(rng, count, FRAMES, 3)),
        "ema_TB": lists(moving(rng, count, FRAMES, 3)),
        "log_mel": lists(rng.random((count, MEL_FRAMES, 60))),
        "semantic_vector": lists(rng.normal(size=(count, DIMENSIONS))),
    }


def wanted(rng: Any, count: int, sensor_frames: int) -> dict[str, pa.Array]:
    return {
        "label": pa.array([f"w{at}" for at in rng.integers(0, LABELS, count)]),
        "target_semantic_vector": lists(rng.normal(size=(count, DIMENSIONS))),
        "target_log_mel": lists(rng.random((count, MEL_FRAMES, 60))),
        "reference_tongue_height": lists(moving(rng, count, FRAMES // 5)),
        "reference_ema_TT": lists(moving(rng, count, sensor_frames, 3)),
        "reference_ema_TB": lists(moving(rng, count, sensor_frames, 3)),
    }


def write_syntheses(tokens: int, tasks: int, folder: Path, seed: int = 1) -> dict[str, Path]:
    """Write the four tables as Parquet, some rows after the other; the inputs of a suite by name.

    In every other row group of tokens the measured sensors have as many frames as the virtual ones.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    names = [f"t{at:06}" for at in range(tokens)]
    groups = [names[at : at + ROW_GROUP] for at in range(0, tokens, ROW_GROUP)]
    inputs = {name: folder / f"{name}.parquet" for name in ("tokens", "labels", "submission", "baseline")}
    labels = {
        "label": pa.array([f"w{at}" for at in range(LABELS)]),
        "vector": lists(rng.normal(size=(LABELS, DIMENSIONS))),
    }
    pq.write_table(pa.table(labels), inputs["labels"])
    _write(inputs["tokens"], (
        {"token": pa.array(group), **wanted(rng, len(group), SENSOR_FRAMES if at % 2 else FRAMES)}
        for at, group in enumerate(groups)
    ))  # fmt: skip
    _write(inputs["baseline"], ({"token": pa.array(group), **made(rng, len(group))} for group in groups))
    _write(inputs["submission"], (
        {"token": pa.array(group), "task": pa.array([task] * len(group)), **made(rng, len(group))}
        for task in TASKS[:tasks]
        for group in groups
    ))  # fmt: skip
    return inputs


def _write(path: Path, groups: Iterator[dict[str, pa.Array]]) -> None:
    first = pa.table(next(groups))
    with pq.ParquetWriter(path, first.schema, compression="none", use_dictionary=False) as writer:
        writer.write_table(first)
        for group in groups:
            writer.write_table(pa.table(group))


# -- the same with numpy ------------------------------------------------------------------------------


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file as numpy arrays that are views of a row group."""
    file = pq.ParquetFile(path)
    for at in range(file.num_row_groups):
        group = file.read_row_group(at).combine_chunks()
        columns = {name: group[name].chunk(0) for name in group.column_names}
        for row in range(group.num_rows):
            yield {name: _value(column, row) for name, column in columns.items()}


def _value(column: Any, row: int) -> Any:
    if not pa.types.is_list(column.type):
        return column[row].as_py()
    begin, end = column.offsets[row].as_py(), column.offsets[row + 1].as_py()
    inner = column.values
    if not pa.types.is_list(inner.type):
        return inner.to_numpy()[begin:end]
    first, last = inner.offsets[begin].as_py(), inner.offsets[end].as_py()
    return inner.values.to_numpy()[first:last].reshape(end - begin, -1)


def rmse(a: Any, b: Any) -> float:
    return float(np.sqrt(np.mean((a - b) ** 2)))


def sensors(a: Any, b: Any) -> float:
    if len(a) != len(b):
        b = PchipInterpolator(np.linspace(0, 1, len(b)), b)(np.linspace(0, 1, len(a)))
    return rmse(a, b)


def numpy_loop(folder: Path) -> dict[str, Any]:
    """The mean errors of each task: one row after the other, nothing checked, nothing kept; the tokens in memory."""
    tokens = {row["token"]: row for row in rows_of(folder / "tokens.parquet")}
    labels = {row["label"]: row["vector"] for row in rows_of(folder / "labels.parquet")}
    vectors = np.stack(list(labels.values()))
    errors: dict[str, list[list[float]]] = {}
    for name in ("baseline", "submission"):
        for row in rows_of(folder / f"{name}.parquet"):
            token, vector = tokens[row["token"]], row["semantic_vector"]
            distances = np.linalg.norm(vectors - vector, axis=1)
            errors.setdefault(row.get("task", name), []).append([
                rmse(row["tongue_height"], token["reference_tongue_height"]),
                sensors(row["ema_TT"], token["reference_ema_TT"]) + sensors(row["ema_TB"], token["reference_ema_TB"]),
                float(np.quantile(np.abs(np.diff(row["cps"], axis=0)), 0.999)),
                float(np.quantile(np.abs(np.diff(row["cps"], n=3, axis=0)), 0.999)),
                rmse(row["log_mel"].mean(axis=1), token["target_log_mel"].mean(axis=1)),
                rmse(row["log_mel"], token["target_log_mel"]),
                rmse(vector, token["target_semantic_vector"]),
                float(np.sum(distances < np.linalg.norm(labels[token["label"]] - vector))),
            ])  # fmt: skip
    return {task: np.mean(each, axis=0).round(6).tolist() for task, each in errors.items()}


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write_syntheses(int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
    else:
        print(numpy_loop(Path(sys.argv[2])))
