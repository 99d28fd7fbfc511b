"""Edit distances within groups: every pair once, however many are compared and handed on together."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pyarrow as pa
import pytest

from oracles.edits import levenshtein
from scorespec.functions import RELATION_FUNCTIONS, distance


@pytest.mark.parametrize(("at_once", "enough"), [(500_000, 200_000), (100, 200_000), (100, 0)])
def test_pairs_are_those_of_the_oracle(at_once: int, enough: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distance, "PAIRS_AT_ONCE", at_once)
    monkeypatch.setattr("scorespec.functions.function.BATCH_ROWS", enough)
    chance = random.Random(at_once)
    groups = [
        ["".join(chance.choices("abc", k=chance.randrange(9))) for _ in range(n)] for n in (1, 30, 2, 16, 17, 130)
    ]
    rows = [(group, text, chance.randrange(1, 9)) for group, texts in enumerate(groups) for text in texts]
    table = pa.table(dict(zip(("group", "text", "weight"), map(list, zip(*rows, strict=True)), strict=True)))
    made = RELATION_FUNCTIONS["pairwise_edit_distance"].call(iter(table.to_batches(50)), table.schema)
    found = Counter(tuple(row.values()) for batch in made for row in batch.to_pylist())
    assert found == Counter(
        (group, weight * other_weight, levenshtein(tuple(text), tuple(other)), max(len(text), len(other)))
        for (group, text, weight), (other_group, other, other_weight) in combinations(rows, 2)
        if group == other_group
    )
