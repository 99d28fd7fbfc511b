"""One-to-one matching against every matching there is, and in groups of thousands."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from marks import first, some
from scorespec.functions import RELATION_FUNCTIONS

Gains = tuple[float, ...]
Group = dict[tuple[int, int], Gains]

SCHEMA = pa.schema(
    [("name", pa.string()), ("left_row", pa.int64()), ("right_row", pa.int64())]
    + [(f"gain_{number}", pa.int64()) for number in (1, 2, 3)]
)


def matched(groups: dict[str, Group], schema: pa.Schema = SCHEMA, batch: int = 10**6) -> dict[str, set[Any]]:
    """The pairs that the function chooses of each group."""
    rows = [(name, *pair, *gains) for name, group in groups.items() for pair, gains in group.items()]
    table = pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)
    found: dict[str, set[Any]] = {name: set() for name in groups}
    for made in RELATION_FUNCTIONS["best_matching"].call(iter(table.to_batches(batch)), schema):
        assert made.schema == RELATION_FUNCTIONS["best_matching"].schema(schema)
        for row in made.to_pylist():
            found[row["name"]].add((row["left_row"], row["right_row"]))
    return found


def total(group: Group, pairs: Any) -> Gains:
    """The number of pairs, and the sums of their gains."""
    return (len(pairs), *(sum(group[pair][k] for pair in pairs) for k in range(3)))


def best(group: Group) -> Gains:
    """The most pairs and the largest sums that any matching has."""
    left = sorted({i for i, _ in group})
    right: list[int | None] = sorted({j for _, j in group})
    right += [None] * len(left)
    return max(
        total(group, [pair for pair in zip(left, order, strict=False) if pair in group])
        for order in set(permutations(right, len(left)))
    )


def one_to_one(pairs: set[tuple[int, int]]) -> bool:
    return len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)


def random_group(r: random.Random, of_row_alone: bool, values: int) -> Group:
    """Up to four rows on each side; with few values, many gains are equal."""
    rows, columns = r.randint(1, 4), r.randint(1, 4)
    first = [r.randrange(values) for _ in range(rows)]
    third = [r.randrange(3) for _ in range(rows)]
    group = {
        (i, j): (first[i] if of_row_alone else r.randrange(values), r.randint(-values, values), third[i])
        for i in range(rows)
        for j in range(columns)
        if r.random() < 0.7
    }
    return group or {(0, 0): (0, 0, 0)}


@pytest.mark.parametrize("of_row_alone", [True, False], ids=["ranks", "gain"])
@pytest.mark.parametrize("values", [1, 2, 100, 10**18])
def test_no_matching_is_better(of_row_alone: bool, values: int) -> None:
    r = random.Random(values)
    groups = {str(at): random_group(r, of_row_alone, values) for at in range(120)}
    for name, pairs in some(matched(groups).items()):
        group = groups[name]
        assert pairs <= group.keys()
        assert one_to_one(pairs)
        assert total(group, pairs) == best(group)


def test_gains_in_binary64_are_compared_exactly() -> None:
    """0.1 + 0.2 is above 0.3 in binary64, and 1e300 hides nothing that is beside it."""
    schema = SCHEMA.set(3, pa.field("gain_1", pa.float64()))
    group = {(0, 0): (0.1, 0, 0), (1, 1): (0.2, 0, 0), (0, 1): (0.3, 0, 0), (1, 0): (0.0, 0, 0)}
    assert matched({"a": group}, schema) == {"a": {(0, 0), (1, 1)}}
    far = {(0, 0): (1e300, 0, 0), (1, 1): (0.0, 0, 0), (0, 1): (1e300, 0, 0), (1, 0): (5e-324, 0, 0)}
    assert matched({"a": far}, schema) == {"a": {(0, 1), (1, 0)}}


def test_groups_may_lie_across_batches() -> None:
    r = random.Random(5)
    groups = {str(at): random_group(r, True, 3) for at in range(40)}
    assert matched(groups, batch=1) == matched(groups, batch=3) == matched(groups)
    assert matched({}) == {}


def test_thousands_of_rows_in_one_group() -> None:
    """Every detection near a few occurrences: as many are matched and their sum is as large as scipy finds."""
    from scipy.optimize import linear_sum_assignment

    r = np.random.default_rng(1)
    rows, columns = 3000, 2000
    at, score = np.sort(r.uniform(0, 1000, rows)), r.permutation(rows)
    group = {
        (i, j): (int(score[i]), int(r.integers(-500, 500)), 0)
        for i in range(rows)
        for j in range(max(int(at[i] * 2) - 2, 0), min(int(at[i] * 2) + 3, columns))
    }
    pairs = matched({"a": group})["a"]
    assert one_to_one(pairs)
    matrix = np.zeros((rows, columns))
    for (i, j), gains in group.items():
        matrix[i, j] = 1e7 + gains[0]
    want = linear_sum_assignment(matrix, maximize=True)
    chosen = matrix[want] > 0
    assert total(group, pairs)[:2] == (chosen.sum(), sum(int(score[i]) for i in want[0][chosen]))


@pytest.mark.parametrize("scores", first([7, 1, 5000]), ids=["few", "equal", "distinct"])
def test_a_large_group_where_all_goes_with_all(scores: int) -> None:
    r = random.Random(2)
    first = [r.randrange(scores) for _ in range(700)]
    group = {(i, j): (first[i], (i * j) % 11, i % 5) for i in range(700) for j in range(200)}
    pairs = matched({"a": group})["a"]
    assert one_to_one(pairs)
    assert total(group, pairs)[:2] == (200, sum(sorted(first)[-200:]))
    assert total(group, pairs)[2] >= 8 * 200


def test_a_column_that_is_not_fed_is_named() -> None:
    with pytest.raises(ValueError, match="the input of best_matching has no column 'gain_2'"):
        RELATION_FUNCTIONS["best_matching"].schema(SCHEMA.remove(SCHEMA.get_field_index("gain_2")))
