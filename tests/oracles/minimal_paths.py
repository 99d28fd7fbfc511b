"""Every cheapest edit path of two sequences, listed one by one, and the pairs of substrings that lie on them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

from oracles.edits import levenshtein

Node = tuple[int, int]  # before symbol i of the first and symbol k of the second sequence
STEPS = ((1, 1), (1, 0), (0, 1))  # a match or a substitution, a deletion, an insertion


def cheapest_paths(x: Sequence[Hashable], y: Sequence[Hashable]) -> Iterator[list[Node]]:
    """The nodes of each path from (0, 0) to (len(x), len(y)) that costs no more than the edit distance."""
    end = (len(x), len(y))

    def walk(path: list[Node], left: int) -> Iterator[list[Node]]:
        i, k = path[-1]
        if path[-1] == end:
            yield path
        for down, right in STEPS:
            j, m = i + down, k + right
            if j <= end[0] and m <= end[1]:
                cost = 0 if down and right and x[i] == y[k] else 1
                if cost + levenshtein(tuple(x[j:]), tuple(y[m:])) <= left:
                    yield from walk([*path, (j, m)], left - cost)

    yield from walk([(0, 0)], levenshtein(tuple(x), tuple(y)))


def substrings(
    x: Sequence[Hashable], y: Sequence[Hashable], least: int, most: int
) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """The pairs of substrings (begin, end) of x and y, each of ``least`` to ``most`` symbols, on some cheapest path."""
    return {
        ((i, j), (k, m))
        for path in cheapest_paths(x, y)
        for (i, k), (j, m) in combinations(path, 2)
        if least <= j - i <= most and least <= m - k <= most
    }
