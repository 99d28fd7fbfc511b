"""Pooled adjacent violators against scipy and by hand, in batches cut anywhere."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from scipy.optimize import isotonic_regression

from marks import first
from scorespec.functions import RELATION_FUNCTIONS

Row = tuple[str, float, int, int]  # group, score, positives, negatives


def blocks(rows: list[Row], size: int = 1000) -> list[tuple[str, float, float, int, int]]:
    names = ("group", "score", "positives", "negatives")
    types = (pa.string(), pa.float64(), pa.int64(), pa.int64())
    schema = pa.schema(list(zip(names, types, strict=True)))
    table = pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows], schema)
    made = RELATION_FUNCTIONS["pool_adjacent_violators"].call(iter(table.to_batches(size)), schema)
    return [tuple(row.values()) for batch in made for row in batch.to_pylist()]


def test_by_hand() -> None:
    rows = [("g", s, p, 1 - p) for s, p in ((-1.0, 0), (0.0, 1), (0.0, 0), (0.0, 0), (2.0, 1))]
    assert blocks(rows) == [("g", -1.0, -1.0, 0, 1), ("g", 0.0, 0.0, 1, 2), ("g", 2.0, 2.0, 1, 0)]
    assert blocks(rows[::-1]) == [("g", 2.0, 0.0, 1, 2), ("g", 0.0, -1.0, 1, 1)]
    assert blocks([]) == []


def test_equal_shares_are_one_block_and_rows_of_nothing_are_none() -> None:
    rows = [("g", 0.0, 1, 2), ("g", 1.0, 0, 0), ("g", 2.0, 2, 4), ("g", 3.0, 3, 5)]
    assert blocks(rows) == [("g", 0.0, 2.0, 3, 6), ("g", 3.0, 3.0, 3, 5)]


@pytest.mark.parametrize("seed", first(range(20), 4))
def test_as_scipy_has_it_whatever_the_batches(seed: int) -> None:
    dice = random.Random(seed)
    most = 1 if seed % 2 else 3
    rows = [
        (group, float(n), positives, negatives)
        for group in "abc"
        for n in range(dice.randint(1, 60))
        for positives, negatives in [dice.choice([(1, 0), (0, 1), (dice.randint(0, most), dice.randint(1, most))])]
    ]
    found = blocks(rows)
    assert all(blocks(rows, size) == found for size in (1, 2, 7, 30))
    for group in "abc":
        own = [row for row in rows if row[0] == group]
        weights = np.array([p + n for _, _, p, n in own], float)
        fitted = isotonic_regression([p / (p + n) for _, _, p, n in own], weights=weights).x
        shares = [b for b in found if b[0] == group]
        mine = [p / (p + n) for s in (row[1] for row in own) for _, low, high, p, n in shares if low <= s <= high]
        assert mine == pytest.approx(fitted.tolist(), abs=1e-12)
        assert all(p1 * (p2 + n2) < p2 * (p1 + n1) for (*_, p1, n1), (*_, p2, n2) in pairwise(shares))


def test_a_column_that_is_not_fed_is_named() -> None:
    with pytest.raises(ValueError, match="the input of pool_adjacent_violators has no column 'negatives'"):
        RELATION_FUNCTIONS["pool_adjacent_violators"].schema(
            pa.schema({"score": pa.float64(), "positives": pa.int64()})
        )
