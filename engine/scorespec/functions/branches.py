"""Which alternatives of two texts the alignment of least cost uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import arrow_ints
from scorespec.functions.edits import COST_SETTINGS, SIDE, alike
from scorespec.functions.function import (
    TEXT,
    TRUTH,
    WHOLE,
    InputColumn,
    RelationFunction,
    check_room,
    result_batch,
    result_schema,
    whole_groups,
)

ROW_FACTOR = 20  # bytes of memory for each byte of a row: words are tuples
CELL = 300  # bytes of memory for each pair of words
COLUMNS = (
    SIDE,
    InputColumn("text", (TEXT,), nullable=True),
    InputColumn("optional", (TRUTH,)),
    InputColumn("alternation", (WHOLE,)),
    InputColumn("branch", (WHOLE,)),
    InputColumn("fragment", (TRUTH,)),
)
_READ = tuple(column.name for column in COLUMNS)
_RESULT = ("side", "alternation", "branch")
THOUSAND = 1000  # costs are whole thousandths; a branch without words costs one thousandth
NOTHING_COST, TWO_NOTHINGS_COST = 1, 1000
OUTSIDE = -1


class _Arc(NamedTuple):
    """A word of a text, and the indices of the words that may come ``before`` it; -1 is the beginning of the text."""

    before: tuple[int, ...]
    word: str | None  # None: the branch has no words
    optional: bool
    alternation: int
    branch: int
    fragment: bool


class StepCosts(NamedTuple):
    """The costs of the steps: see the parameters of the same names."""

    substitution_cost: int
    deletion_cost: int
    insertion_cost: int
    optional_cost: int


branches_schema = partial(result_schema, columns=_READ, added=[(name, pa.int64()) for name in _RESULT])


def cheapest_branches(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int, **costs: int
) -> Iterator[pa.RecordBatch]:
    """Choose a branch of each alternation, so that the two texts of a group have the alignment of least cost.

    The input has a row for each word: side (0 left, 1 right), text (string; None where a branch has no word), optional
    (bool), alternation and branch (integers, -1 outside of alternatives), fragment (bool: whether it equals all words
    that are :func:`.alike`) and the columns of the group. The rows of a group are adjacent, those of the left side
    first, each side in order. Yields a row for each alternation on the path of least cost: the columns of the group,
    its side, the alternation and the branch. ``costs`` are those of :class:`StepCosts`.
    """
    schema = branches_schema(input_schema)
    weights = StepCosts(*(THOUSAND * costs[name] for name in StepCosts._fields))
    for table, starts in whole_groups(batches, input_schema, schema.names[: -len(_RESULT)], room, ROW_FACTOR):
        rows = list(zip(*(table[name].to_pylist() for name in _READ), strict=True))
        found = []
        for start, end in pairwise(starts.tolist()):
            arcs = [_arcs([row[1:] for row in rows[start:end] if row[0] == side]) for side in (0, 1)]
            sizes = [len(each) for each in arcs]
            check_room(CELL * sizes[0] * sizes[1], room, f"to align texts of {sizes[0]:,} and {sizes[1]:,} words")
            found += [(start, *each) for each in _chosen(arcs[0], arcs[1], weights)]
        row, *numbers = np.array(found, np.int64).reshape(-1, 1 + len(_RESULT)).T
        yield result_batch(table, row, map(arrow_ints, numbers), schema)


def _arcs(words: Sequence[tuple[Any, ...]]) -> list[_Arc]:
    """The words of a text as a graph; the last arc is the end of the text."""
    arcs: list[_Arc] = []
    before: tuple[int, ...] = (-1,)
    for alternation, some in groupby(words, key=lambda each: each[2]):
        if alternation == OUTSIDE:
            for word in some:
                arcs.append(_Arc(before, *word))
                before = (len(arcs) - 1,)
            continue
        ends: list[int] = []
        for _, branch_words in groupby(some, key=lambda each: each[3]):
            last = before
            said = list(branch_words)
            for word in [each for each in said if each[0] is not None] or said[:1]:
                arcs.append(_Arc(last, *word))
                last = (len(arcs) - 1,)
            ends += last
        before = tuple(ends)
    return [*arcs, _Arc(before, "", False, OUTSIDE, OUTSIDE, False)]


def _chosen(left: list[_Arc], right: list[_Arc], costs: StepCosts) -> Iterator[tuple[int, int, int]]:
    """Side, alternation and branch of each alternative on the path of least cost."""
    # A cell is a pair of arcs, the last ones of a partial path on each side; -1 is the beginning of a text.
    best = {(-1, -1): 0}
    last: dict[tuple[int, int], tuple[int, int]] = {}
    for row in range(-1, len(left) - 1):
        for column in range(-1, len(right) - 1):
            if (row, column) == (-1, -1):
                continue
            paired = dropped = added = None
            if row >= 0 and column >= 0:
                cells = [(i, j) for i in left[row].before for j in right[column].before]
                paired = _least(best, cells, _pair_cost(left[row], right[column], costs))
            if row >= 0:
                alone = _alone_cost(left[row], costs.deletion_cost, costs)
                dropped = _least(best, [(i, column) for i in left[row].before], alone)
            if column >= 0:
                alone = _alone_cost(right[column], costs.insertion_cost, costs)
                added = _least(best, [(row, j) for j in right[column].before], alone)
            # Ties as without alternatives: a pair first; a deletion only if it costs less than an insertion.
            steps = [step for step in (paired, added, dropped) if step]
            best[row, column], last[row, column] = min(steps, key=lambda step: step[0])
    cell = min(((i, j) for i in left[-1].before for j in right[-1].before), key=best.__getitem__)
    found = {}
    while cell != (-1, -1):
        for side, arcs, at in ((0, left, cell[0]), (1, right, cell[1])):
            if at >= 0 and arcs[at].alternation != OUTSIDE:
                found[side, arcs[at].alternation] = arcs[at].branch
        cell = last[cell]
    return ((*key, branch) for key, branch in found.items())


def _least(best: dict[tuple[int, int], int], cells: list[tuple[int, int]], cost: int) -> tuple[int, tuple[int, int]]:
    """The cost of a step from the cheapest of some cells, and that cell: the first of equal ones."""
    cell = min(cells, key=best.__getitem__)
    return best[cell] + cost, cell


def _pair_cost(left: _Arc, right: _Arc, costs: StepCosts) -> int:
    if left.word == right.word:
        return TWO_NOTHINGS_COST if left.word is None else 0
    equal = (left.fragment or right.fragment) and alike(left.word or "", right.word or "")
    return 0 if equal else costs.substitution_cost


def _alone_cost(arc: _Arc, cost: int, costs: StepCosts) -> int:
    if arc.word is None:
        return NOTHING_COST
    return costs.optional_cost if arc.optional else cost


FUNCTIONS = (
    RelationFunction(
        "Alternatives in two texts (side 0 and 1) that the alignment of least cost uses. One row per alternation, "
        "with its branch.",
        cheapest_branches,
        branches_schema,
        COLUMNS,
        COST_SETTINGS,
    ),
)
