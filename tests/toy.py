"""The toy domain of tests/data/toy: its rows as Arrow tables, and scoring with documents of a test's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from scorespec.api import Run
from scorespec.app.score import input_records, scores_with_intervals
from scorespec.catalog.documents import parse_document, read_document
from scorespec.catalog.lookup import Catalog, shipped_documents
from scorespec.plan.compile import Request, compile_suite
from scorespec.plan.plan import Plan
from scorespec.results.saving import Outcome, record_of
from scorespec.run.inputs.sources import find_source
from scorespec.run.limits import Limits
from scorespec.run.progress import Silent
from scorespec.run.runner import Runner
from scorespec.run.session import open_session

TOY = Path(__file__).parent / "data" / "toy"

SCHEMAS = {
    "answers": pa.schema(
        {name: pa.string() for name in ("file", "speaker", "item", "said", "wanted")} | {"score": pa.float64()}
    ),
    "items": pa.schema({"item": pa.string(), "topic": pa.string()}),
    "trials": pa.schema({"speaker": pa.string(), "asked": pa.int64()}),
    "parts": pa.schema({"part": pa.int64(), "file": pa.string()}),
}

Row = tuple[Any, ...]
# file, speaker, item, said, wanted, score
ANSWERS: list[Row] = [
    ("ann", "ann", "i1", "yes", "yes", 0.9),
    ("ann", "ann", "i2", "no", "yes", 0.8),
    ("ann", "bob", "i3", None, "cat", 0.1),
    ("bob", "bob", "i1", "yes", "yes", 0.4),
    ("bob", "bob", "i2", "Dog", "dog", 0.7),
    ("cat", "ann", "i1", "yes", None, 0.6),
    ("cat", "bob", "i2", "yes", "yes", 0.5),
]
ITEMS: list[Row] = [("i1", "talk"), ("i2", "pets"), ("i3", "pets"), ("i4", "talk")]


def rows(table: str, values: Iterable[Sequence[Any]]) -> pa.Table:
    """Rows as an Arrow table of the toy domain."""
    schema = SCHEMAS[table]
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in values], schema)


@cache
def catalog(document: str = "") -> Catalog:
    """What ships, the toy domain, and a further document of it, held against the schema."""
    own = [read_document(TOY / "toy.yaml", "toy.yaml")]
    if document:
        own.append(parse_document(f"domain: toy\n{document}", "own.yaml", TOY))
    found = Catalog([*shipped_documents(), *own], own)
    found.validate(own)
    return found


def plan(document: str = "", suite: str = "quiz", given: Iterable[str] = ("answers",), **asked: Any) -> Plan:
    """The plan of a suite; ``params``, ``metrics`` and ``by`` (a text each) are as on the command line."""
    by = [tuple(columns.split(",")) for columns in asked.pop("by", ())]
    of_intervals = {name: asked.pop(name) for name in ("confidence", "confidence_groups") if name in asked}
    request = Request(
        asked.pop("params", {}), asked.pop("metrics", ()), by, given=frozenset(given), evidence=False, **of_intervals
    )
    assert not asked
    found = catalog(document)
    found_suite = found.suite(suite)
    return compile_suite(found.of_suite(found_suite), found_suite, request)


def score(document: str = "", suite: str = "quiz", **given: Any) -> Run:
    """Score the toy, with a further document; tables are lists of rows, all else is as for :func:`plan`."""
    names = ("by", "params", "metrics", "confidence", "confidence_groups")
    asked = {name: given.pop(name) for name in names if name in given}
    inputs = {name: rows(name, values) for name, values in ({"answers": ANSWERS} | given).items()}
    made = plan(document, suite, inputs, **asked)
    sources = [find_source(table, inputs[table.name]) for table in made.tables if table.name in inputs]
    with open_session(Limits("500MB", 1)) as session:
        runner = Runner(made, session, Silent())
        runner.load(sources, hashed=False)
        runner.run_steps()
        scores, _ = scores_with_intervals(runner)
    outcome = Outcome(replace(record_of(made), warnings=runner.warnings), scores, input_records(runner.loaded), [])
    return Run(outcome, made.meanings.layouts, None)


def values(run: Run, metric: str | None = None) -> dict[Row, float | None]:
    """{(metric, component, *slice items): value}; of one metric, its name left out. No row is there twice."""
    return {key: row["value"] for key, row in _keyed(run, metric)}


def notes(run: Run, metric: str | None = None) -> dict[Row, str]:
    """The notes, keyed as :func:`values`; only of the rows that have one."""
    return {key: row["note"] for key, row in _keyed(run, metric) if row["note"]}


def folds(run: Run) -> dict[Row, Row]:
    """{(metric, component, *slice items): (mean, standard deviation, number of folds)}."""
    return {key: (row["value"], row["std"], row["folds"]) for key, row in _keyed(run, None)}


def _keyed(run: Run, metric: str | None) -> list[tuple[Row, dict[str, Any]]]:
    found = []
    for row in run.table():
        slice_ = tuple(sorted(row["slice"].items()))
        if metric in (None, row["metric"]):
            key = (row["component"], *slice_)
            found.append((key if metric else (row["metric"], *key), row))
    assert len(found) == len({key for key, _ in found})
    return found
