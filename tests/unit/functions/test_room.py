"""A group that needs more memory than there is for it is refused before the memory is taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from test_function_columns import COSTS, INPUTS

from marks import only
from scorespec.errors import RunError
from scorespec.functions import RELATION_FUNCTIONS

GROUPED = [name for name in INPUTS if RELATION_FUNCTIONS[name].grouped]


def one_row(name: str) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(
        {"group": ["g"], **{column: some[:1] for column, some in INPUTS[name][0].items()}}
    )


@pytest.mark.parametrize("name", [name for name in GROUPED if name != "pool_adjacent_violators"])
def test_rows_are_taken_no_further_than_there_is_room(name: str) -> None:
    taken = 0

    def rows() -> Iterator[Any]:
        nonlocal taken
        for _ in range(1000):
            taken += 1
            yield one_row(name)

    with pytest.raises(
        RunError,
        match=r"^a group of more than \d+ rows needs about \d+ MB at once, more than the memory limit of 0 MB; ",
    ):
        list(RELATION_FUNCTIONS[name].call(rows(), one_row(name).schema, room=10_000, **INPUTS[name][1]))
    assert 2 < taken < 300


@pytest.mark.parametrize("name", only(["best_matching", "fewest_edits"], GROUPED))
def test_small_groups_need_no_room(name: str) -> None:
    def rows() -> Iterator[Any]:
        for group in range(1000):
            yield one_row(name).set_column(0, "group", pa.array([str(group)]))

    list(RELATION_FUNCTIONS[name].call(rows(), one_row(name).schema, room=10_000, **INPUTS[name][1]))


def words(count: int) -> dict[str, list[Any]]:
    numbers = [*range(count), *range(count, 2 * count)]
    return {"group": ["g"] * 2 * count, "side": [0] * count + [1] * count, "text": list(map(str, numbers))}


LARGE: dict[str, tuple[dict[str, list[Any]], str]] = {
    "cheapest_edits": ({**words(1000), "optional": [False] * 2000}, "to align sequences of 1,000 and 1,000 needs"),
    "fewest_edits": (
        {**words(1000), "begin": [0.0] * 2000, "end": [1.0] * 2000},
        "to align sequences of 1,000 and 1,000 needs",
    ),
    "fewest_errors_division": ({**words(100), "stream": [0] * 100 + [1] * 50 + [2] * 50}, "to divide utterances needs"),
    "improved_division": (
        {
            **words(1000),
            "stream": [*range(1000), *[0] * 1000],
            "begin": [0.0] * 2000,
            "end": [1.0] * 2000,
            "given": [0] * 2000,
        },
        "to divide utterances needs",
    ),
    "phonetic_alignment": (
        {**words(1000), "sounds": ["A B"] * 1000 + ["C D"] * 1000},
        "to align sequences of 3,000 and 3,000 needs",
    ),
    "cheapest_branches": (
        {
            **words(1000),
            "optional": [False] * 2000,
            "alternation": [-1] * 2000,
            "branch": [-1] * 2000,
            "fragment": [False] * 2000,
        },
        "to align texts of 1,001 and 1,001 words needs",
    ),
    "best_matching": (
        {"group": ["g"] * 1000, "left_row": [*range(1000)], "right_row": [*range(1000)]}
        | {f"gain_{number}": [*range(1000)] for number in (1, 2, 3)},
        "to match groups of 1,000 and 1,000 rows needs",
    ),
    "first_best_matching": (
        {"group": ["g"] * 2500, "left_row": [i // 50 for i in range(2500)], "right_row": [i % 50 for i in range(2500)]}
        | {"gain_1": [1] * 2500},
        "to match groups of 50 and 50 rows needs",
    ),
    "pool_adjacent_violators": (
        {"group": ["g"] * 1000, "score": [float(i) for i in range(1000)], "positives": [*range(1000)]}
        | {"negatives": [1000 - i for i in range(1000)]},
        "a fit of 1,000 blocks needs",
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_what_a_group_needs_is_known_before_it_is_taken(name: str) -> None:
    columns, said = LARGE[name]
    batches = pa.table(columns).to_batches()
    if name == "pool_adjacent_violators":  # blocks are counted before the next rows
        batches *= 2
    settings = COSTS if name == "cheapest_edits" else INPUTS[name][1]
    with pytest.raises(RunError, match=f"^{said} about"):
        list(RELATION_FUNCTIONS[name].call(iter(batches), batches[0].schema, room=30_000, **settings))
