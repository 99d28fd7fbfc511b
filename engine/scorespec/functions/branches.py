"""Which of the alternatives in two texts are taken, so that the texts can be aligned most cheaply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from scorespec.arrays import arrow_ints
from scorespec.functions.columns import TEXT, TRUTH, WHOLE, Column
from scorespec.functions.groups import check_room, whole_groups

HELD = 20  # bytes for each byte of a row: words are tuples
CELL = 300  # bytes for each pair of words
COLUMNS = (
    Column("side", (WHOLE,), least=0, most=1),
    Column("text", (TEXT,)),
    Column("optional", (TRUTH,)),
    Column("alternation", (WHOLE,)),
    Column("branch", (WHOLE,)),
)
_FED = tuple(column.name for column in COLUMNS)
_MADE = ("side", "alternation", "branch")
NOTHING = "@"  # the word of a branch without words
THOUSAND = 1000  # costs of words are compared in thousandths: a branch without words costs one
NOTHING_COST, TWO_NOTHINGS_COST = 1, 1000
OUTSIDE = -1


class _Arc(NamedTuple):
    """A word of a text: from the arcs ``before`` it can be reached; -1 is the begin of the text."""

    word: str
    optional: bool
    alternation: int
    branch: int
    before: tuple[int, ...]


class Costs(NamedTuple):
    """What steps cost: see the parameters of the same names."""

    substitution_cost: int
    deletion_cost: int
    insertion_cost: int
    optional_cost: int


def branches_schema(input_schema: pa.Schema) -> pa.Schema:
    """The group's columns as they are, then side, alternation and branch (int64 each)."""
    group = [input_schema.field(name) for name in input_schema.names if name not in _FED]
    return pa.schema([*group, *((name, pa.int64()) for name in _MADE)])


def cheapest_branches(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int, **costs: int
) -> Iterator[pa.RecordBatch]:
    """Choose a branch of each alternation.

    The input has a row per word: side (0 left, 1 right), text (string; @ stands for nothing), optional (bool),
    alternation and branch (integers, -1 outside of alternatives) and the columns of the group. The rows of a group
    stand together, those of the left first, each side in order. Yields a row for each alternation that the cheapest
    path goes through: the group, its side, the alternation and the branch. ``costs`` are those of :class:`Costs`.
    """
    schema = branches_schema(input_schema)
    group = schema.names[: -len(_MADE)]
    weights = Costs(*(THOUSAND * costs[name] for name in Costs._fields))
    for table, starts in whole_groups(batches, input_schema, group, room, HELD):
        rows = list(zip(*(table[name].to_pylist() for name in _FED), strict=True))
        found = []
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            arcs = [_arcs([row[1:] for row in rows[start:end] if row[0] == side]) for side in (0, 1)]
            sizes = [len(each) for each in arcs]
            check_room(CELL * sizes[0] * sizes[1], room, f"to align texts of {sizes[0]:,} and {sizes[1]:,} words")
            found += [(start, *each) for each in _chosen(arcs[0], arcs[1], weights)]
        row, *made = np.array(found, np.int64).reshape(-1, 1 + len(_MADE)).T
        columns = [column.combine_chunks() for column in table.select(group).take(arrow_ints(row)).columns]
        yield pa.RecordBatch.from_arrays([*columns, *map(arrow_ints, made)], schema=schema)


def _arcs(words: Sequence[tuple[str, bool, int, int]]) -> list[_Arc]:
    """The words of a text with the ways through it; the last arc is its end."""
    arcs: list[_Arc] = []
    before: tuple[int, ...] = (-1,)
    for alternation, some in groupby(words, key=lambda each: each[2]):
        if alternation == OUTSIDE:
            for word, optional, _, branch in some:
                arcs.append(_Arc(word, optional, alternation, branch, before))
                before = (len(arcs) - 1,)
            continue
        ends: list[int] = []
        for branch, branch_words in groupby(some, key=lambda each: each[3]):
            last = before
            for word, optional, _, _ in branch_words:
                arcs.append(_Arc(word, optional, alternation, branch, last))
                last = (len(arcs) - 1,)
            ends += last
        before = tuple(ends)
    return [*arcs, _Arc("", False, OUTSIDE, OUTSIDE, before)]


def _chosen(left: list[_Arc], right: list[_Arc], costs: Costs) -> Iterator[tuple[int, int, int]]:
    """Side, alternation and branch of what the cheapest path goes through."""
    # A cell is a pair of arcs that have been gone through; -1 is the last row or column: the begin.
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
            # Ties as for words without alternatives: a pair first, then to leave out only if it costs less.
            ways = [way for way in (paired, added, dropped) if way]
            best[row, column], last[row, column] = min(ways, key=lambda way: way[0])
    cell = min(((i, j) for i in left[-1].before for j in right[-1].before), key=best.__getitem__)
    found = {}
    while cell != (-1, -1):
        for side, arcs, at in ((0, left, cell[0]), (1, right, cell[1])):
            if at >= 0 and arcs[at].alternation != OUTSIDE:
                found[side, arcs[at].alternation] = arcs[at].branch
        cell = last[cell]
    return ((*key, branch) for key, branch in found.items())


def _least(best: dict[tuple[int, int], int], cells: list[tuple[int, int]], cost: int) -> tuple[int, tuple[int, int]]:
    """The cheapest of some cells, the first of equal ones, with what a step from it comes to."""
    cell = min(cells, key=best.__getitem__)
    return best[cell] + cost, cell


def _pair_cost(left: _Arc, right: _Arc, costs: Costs) -> int:
    if left.word == right.word:
        return TWO_NOTHINGS_COST if left.word == NOTHING else 0
    return costs.substitution_cost


def _alone_cost(arc: _Arc, cost: int, costs: Costs) -> int:
    if arc.word == NOTHING:
        return NOTHING_COST
    return costs.optional_cost if arc.optional else cost
