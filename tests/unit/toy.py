"""The toy domain of tests/data/toy: its rows as Arrow tables, and scoring with documents of a test's own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

import scorespec
from scorespec.api import Run

TOY = Path(__file__).parents[1] / "data" / "toy"

SCHEMAS = {
    "answers": pa.schema(
        {name: pa.string() for name in ("file", "talker", "item", "said", "wanted")} | {"score": pa.float64()}
    ),
    "items": pa.schema({"item": pa.string(), "topic": pa.string()}),
    "trials": pa.schema({"talker": pa.string(), "asked": pa.int64()}),
    "parts": pa.schema({"part": pa.int64(), "file": pa.string()}),
}

# file, talker, item, said, wanted, score
ANSWERS: list[tuple[Any, ...]] = [
    ("ann", "ann", "i1", "yes", "yes", 0.9),
    ("ann", "ann", "i2", "no", "yes", 0.8),
    ("ann", "bob", "i3", None, "cat", 0.1),
    ("bob", "bob", "i1", "yes", "yes", 0.4),
    ("bob", "bob", "i2", "Dog", "dog", 0.7),
    ("cat", "ann", "i1", "yes", None, 0.6),
    ("cat", "bob", "i2", "yes", "yes", 0.5),
]
ITEMS = [("i1", "talk"), ("i2", "pets"), ("i3", "pets"), ("i4", "talk")]


def rows(table: str, values: Iterable[Sequence[Any]]) -> pa.Table:
    """Rows as an Arrow table of the toy domain."""
    schema = SCHEMAS[table]
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in values], schema)


def score(document: str = "", suite: str = "quiz", metrics: Sequence[str] = (), **given: Any) -> Run:
    """Score the toy, with a further document of the toy domain; tables are lists of rows.

    ``by``, ``params`` and ``threads`` are passed on.
    """
    options = {name: given.pop(name) for name in ("by", "params", "output") if name in given}
    inputs = {name: rows(name, values) for name, values in ({"answers": ANSWERS} | given).items()}
    with tempfile.TemporaryDirectory() as folder:
        specs = [TOY]
        if document:
            specs.append(Path(folder) / "own.yaml")
            specs[-1].write_text(f"domain: toy\n{document}", encoding="utf-8")
        return scorespec.score(suite, specs=specs, metrics=metrics, threads=1, **options, **inputs)


def table(run: Run) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """{(metric, component, *slice items): (value, std, folds, note)}; refuses a row that is there twice."""
    found: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for row in run.table():
        key = (row["metric"], row["component"], *sorted(row["slice"].items()))
        assert key not in found, key
        found[key] = (row["value"], row["std"], row["folds"], row["note"])
    return found


def values(run: Run, metric: str | None = None) -> dict[tuple[Any, ...], float | None]:
    """The values alone; of one metric, its name left out."""
    found = {key: row[0] for key, row in table(run).items()}
    return found if metric is None else {key[1:]: value for key, value in found.items() if key[0] == metric}
