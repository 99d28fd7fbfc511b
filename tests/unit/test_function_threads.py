"""Functions over rows that compute several tables of groups at the same time, in threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from test_function_columns import INPUTS

import scorespec
from scorespec.functions import RELATION_FUNCTIONS, edits
from scorespec.functions.threads import Groups, in_threads

DATA = Path(__file__).parents[1] / "data" / "named_entities"
THREADED = [name for name, function in RELATION_FUNCTIONS.items() if function.threaded]
MUCH = 10**9
PATIENCE = 30  # seconds


def tables(count: int) -> Iterator[Groups]:
    for number in range(count):
        yield pa.table({"number": [number]}), np.array([0, 1])


def same(table: pa.Table, starts: object) -> list[pa.RecordBatch]:
    return table.to_batches()


def numbers(rows: Iterator[pa.RecordBatch]) -> list[int]:
    return [number for batch in rows for number in batch["number"].to_pylist()]


@pytest.mark.parametrize("name", THREADED)
def test_the_rows_do_not_depend_on_the_number_of_threads(name: str) -> None:
    given, settings = INPUTS[name]
    groups = [pa.RecordBatch.from_pydict({"group": [number] * 2, **given}) for number in range(20)]
    call = partial(RELATION_FUNCTIONS[name].call, input_schema=groups[0].schema, **settings)
    one, three = (pa.Table.from_batches(call(iter(groups), threads=threads)) for threads in (1, 3))
    assert one.equals(three)
    assert list(dict.fromkeys(one["group"].to_pylist())) == [*range(20)]


def test_two_tables_are_computed_at_the_same_time() -> None:
    together = threading.Barrier(2)

    def compute(table: pa.Table, starts: object) -> list[pa.RecordBatch]:
        together.wait(PATIENCE)
        return same(table, starts)

    assert numbers(in_threads(compute, tables(2), 2, MUCH)) == [0, 1]


def test_the_order_is_that_of_the_tables() -> None:
    done = threading.Event()

    def compute(table: pa.Table, starts: object) -> list[pa.RecordBatch]:
        if table["number"].to_pylist() == [0]:
            assert done.wait(PATIENCE)
        done.set()
        return same(table, starts)

    assert numbers(in_threads(compute, tables(5), 2, MUCH)) == [0, 1, 2, 3, 4]


def test_tables_that_are_too_large_together_are_computed_one_after_another() -> None:
    working: list[int] = []

    def compute(table: pa.Table, starts: object) -> list[pa.RecordBatch]:
        working.append(1)
        assert len(working) == 1
        working.pop()
        return same(table, starts)

    taken = 0

    def counted() -> Iterator[Groups]:
        nonlocal taken
        for each in tables(50):
            taken += 1
            yield each

    found = in_threads(compute, counted(), 4, 15)  # a table has 8 bytes
    assert next(found)["number"].to_pylist() == [0]
    assert taken == 2  # the second table waits for the first
    assert numbers(found) == [*range(1, 50)]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_is_raised_after_the_rows_before_it(threads: int) -> None:
    def compute(table: pa.Table, starts: object) -> list[pa.RecordBatch]:
        if table["number"].to_pylist() == [1]:
            raise ValueError("the second table")
        return same(table, starts)

    found = in_threads(compute, tables(50), threads, MUCH)
    assert next(found)["number"].to_pylist() == [0]
    with pytest.raises(ValueError, match="the second table"):
        next(found)


def test_the_settings_of_numpy_apply_in_the_threads() -> None:
    def compute(table: pa.Table, starts: object) -> list[pa.RecordBatch]:
        assert np.geterr()["divide"] == "raise"
        return same(table, starts)

    with np.errstate(divide="raise"):
        assert numbers(in_threads(compute, tables(3), 2, MUCH)) == [0, 1, 2]


def test_a_function_has_the_threads_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []

    def spy(compute: object, groups: object, threads: int, most: int) -> Iterator[pa.RecordBatch]:
        found.append(threads)
        return in_threads(compute, groups, threads, most)  # type: ignore[arg-type]

    monkeypatch.setattr(edits, "in_threads", spy)
    texts = {name: DATA / f"noisy200.{name[:3]}.sgml" for name in ("reference", "hypothesis")}
    scorespec.score("wer", inputs=texts, threads=3)
    assert found == [3]
