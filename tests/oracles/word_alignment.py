"""An alignment of two texts by sclite's rule, cell by cell, for comparison."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import eq

SUBSTITUTION, ALONE = 4, 3
Block = tuple[int, int, int, int]


def equal_with_fragments(reference: str, hypothesis: str) -> bool:
    """Whether two words are equal with sclite -F, by patterns: of two fragments, that of the reference decides."""
    for word, other in ((reference, hypothesis), (hypothesis, reference)):
        if found := re.fullmatch("-(.+)|(.+)-", word):
            pattern = f".*{re.escape(found[1])}" if found[1] else f"{re.escape(found[2])}.*"
            return bool(re.fullmatch(pattern, other))
    return reference == hypothesis


def sclite_blocks(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    equal: Callable[[str, str], bool] = eq,
    substitution: int = SUBSTITUTION,
    drop: Callable[[str], int] = lambda _: ALONE,
    add: Callable[[str], int] = lambda _: ALONE,
) -> list[Block]:
    """The steps of sclite's path, each as the words it begins and ends with on both sides.

    ``drop`` and ``add`` are the costs of a word without partner in the reference and in the hypothesis.

    A cell is reached by a pair if that costs no more than the others, otherwise by a deletion if that costs less than
    an insertion, otherwise by an insertion.
    """
    rows, columns = len(reference), len(hypothesis)
    drops, adds = [0, *accumulate(map(drop, reference))], [0, *accumulate(map(add, hypothesis))]
    cost = [[dropped + added for added in adds] for dropped in drops]
    step = [["i" if column else "d" for column in range(columns + 1)] for _ in range(rows + 1)]
    for row in range(1, rows + 1):
        step[row][0] = "d"
        for column in range(1, columns + 1):
            same = equal(reference[row - 1], hypothesis[column - 1])
            pair = cost[row - 1][column - 1] + (0 if same else substitution)
            deletion = cost[row - 1][column] + drop(reference[row - 1])
            insertion = cost[row][column - 1] + add(hypothesis[column - 1])
            if pair <= deletion and pair <= insertion:
                cost[row][column], step[row][column] = pair, "p"
            elif deletion < insertion:
                cost[row][column], step[row][column] = deletion, "d"
            else:
                cost[row][column], step[row][column] = insertion, "i"
    blocks, row, column = [], rows, columns
    while row or column:
        left, right = step[row][column] != "i", step[row][column] != "d"
        blocks.append((row - left, row, column - right, column))
        row, column = row - left, column - right
    return blocks[::-1]
