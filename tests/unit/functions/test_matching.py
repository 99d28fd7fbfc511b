"""Matching for the largest gains, the first of equal ones: against every matching there is."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from scorespec.functions import RELATION_FUNCTIONS, matching

Group = dict[tuple[int, int], tuple[int, ...]]


def matched(groups: dict[str, Group], gains: int, batch: int = 10**6) -> dict[str, list[tuple[int, int]]]:
    """The pairs that the function chooses of each group, in order."""
    names = ["left_row", "right_row", *(f"gain_{k + 1}" for k in range(gains))]
    schema = pa.schema([("name", pa.string()), *((name, pa.int64()) for name in names)])
    rows = [(name, *pair, *group[pair]) for name, group in groups.items() for pair in sorted(group)]
    table = pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)
    found: dict[str, list[tuple[int, int]]] = {name: [] for name in groups}
    for made in RELATION_FUNCTIONS["first_best_matching"].call(iter(table.to_batches(batch)), schema):
        assert made.schema == RELATION_FUNCTIONS["first_best_matching"].schema(schema)
        for row in made.to_pylist():
            found[row["name"]].append((row["left_row"], row["right_row"]))
    return {name: sorted(pairs) for name, pairs in found.items()}


def matchings(group: Group, rows: list[int]) -> Iterator[list[tuple[int, int]]]:
    """Every matching; of two, that comes first which matches the first row where they differ, and to an earlier one."""
    if not rows:
        yield []
        return
    for left, right in [pair for pair in sorted(group) if pair[0] == rows[0]]:
        for rest in matchings({pair: group[pair] for pair in group if pair[1] != right}, rows[1:]):
            yield [(left, right), *rest]
    yield from matchings(group, rows[1:])


def best(group: Group) -> list[tuple[int, int]]:
    """Of the matchings of the largest sums the first."""
    rows = sorted({left for left, _ in group})
    return max(matchings(group, rows), key=lambda pairs: [sum(g) for g in zip(*(group[p] for p in pairs), strict=True)])


def random_group(r: random.Random, gains: int) -> Group:
    """Up to four rows on each side; many gains are equal. The pair (0, 0) gains something."""
    pairs = [(i, j) for i in range(r.randint(1, 4)) for j in range(r.randint(1, 4)) if r.random() < 0.7]
    return {pair: tuple(r.randrange(3) for _ in range(gains)) for pair in [(0, 0), *pairs]} | {(0, 0): (1,) * gains}


@pytest.mark.parametrize("most_states", [matching.MOST_STATES, 0])
def test_it_is_the_first_of_the_best(monkeypatch: pytest.MonkeyPatch, most_states: int) -> None:
    monkeypatch.setattr(matching, "MOST_STATES", most_states)  # 0: always by assignment
    r = random.Random(5)
    groups = {str(number): random_group(r, 2) for number in range(300)}
    wanted = {name: best(group) for name, group in groups.items()}
    assert matched(groups, 2) == matched(groups, 2, batch=7) == wanted


def test_without_gains_pairs_are_taken_in_order() -> None:
    groups: dict[str, Group] = {"a": dict.fromkeys([(0, 1), (0, 2), (1, 1), (1, 2), (2, 2)], ())}
    assert matched(groups, 0) == {"a": [(0, 1), (1, 2)]}


def test_more_pairs_may_gain_less() -> None:
    groups: dict[str, Group] = {"chain": {(0, 0): (0,), (1, 0): (3,), (1, 1): (0,)}}
    assert matched(groups, 1) == {"chain": [(1, 0)]}


@pytest.mark.slow
def test_a_long_chain_takes_time_that_grows_with_it() -> None:
    pairs = [pair for i in range(50_000) for pair in ((i, i), (i, i + 1))]
    groups: dict[str, Group] = {"chain": {(i, j): (int(i < j),) for i, j in pairs}}
    assert matched(groups, 1) == {"chain": [(i, i + 1) for i in range(50_000)]}


def test_rows_that_can_all_be_paired_with_all_are_assigned() -> None:
    groups: dict[str, Group] = {"wide": {(i, j): (int(i + j == 19),) for i in range(20) for j in range(20)}}
    assert matched(groups, 1) == {"wide": [(i, 19 - i) for i in range(20)]}


@pytest.mark.parametrize("lacking", ["left_row", "right_row"])
def test_it_says_what_it_is_not_fed(lacking: str) -> None:
    fields: list[Any] = [(name, pa.int64()) for name in ("left_row", "right_row") if name != lacking]
    with pytest.raises(ValueError, match=f"the input of first_best_matching has no column '{lacking}'"):
        RELATION_FUNCTIONS["first_best_matching"].schema(pa.schema(fields))
