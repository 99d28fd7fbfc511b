"""Edit distance, shared by the oracles and by nothing else."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache


@cache
def levenshtein(a: tuple[Hashable, ...], b: tuple[Hashable, ...]) -> int:
    """Edit distance with unit costs, by rows."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        above, row = row, [i]
        for j, right in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (left != right)))
    return row[-1]
