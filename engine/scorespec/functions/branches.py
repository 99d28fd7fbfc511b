"""Which alternatives of two texts the alignment of least cost uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Ints, arrow_ints
from scorespec.errors import RunError
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
CELL = 8  # bytes of memory for each pair of words
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
    best = _least_costs(left, right, costs)
    cell = _cheapest(best, [(i, j) for i in left[-1].before for j in right[-1].before])
    found = {}
    while cell != (-1, -1):
        for side, arcs, at in ((0, left, cell[0]), (1, right, cell[1])):
            if at >= 0 and arcs[at].alternation != OUTSIDE:
                found[side, arcs[at].alternation] = arcs[at].branch
        cell = _cell_before(best, cell, left, right, costs)
    return ((*key, branch) for key, branch in found.items())


def _least_costs(left: list[_Arc], right: list[_Arc], costs: StepCosts) -> Ints:
    """The least cost of a partial path to each pair of arcs, its last arcs; index 0 is the beginning of a text.

    A row is computed at once. Only insertions depend on other columns of the row: within a run of columns that follow
    each other, the least cost is a running minimum; from run to run, it is found in order.
    """
    columns = _Columns(right, costs)
    most = max(*costs, THOUSAND) * (len(left) + len(right) + 1)
    if 2 * most * len(right) > 2**62:
        raise RunError(f"costs of {max(costs) // THOUSAND:,} are too high for {len(right):,} words with alternatives")
    best = np.empty((len(left), len(right)), np.int32 if most < 2**31 else np.int64)
    best[0] = columns.with_insertions(np.where(np.arange(len(right)) > 0, most, 0), most)
    for row, arc in enumerate(left[:-1], 1):
        above = np.min(best[[at + 1 for at in arc.before]], axis=0).astype(np.int64)
        reached = above + _alone_cost(arc, costs.deletion_cost, costs)
        paired = columns.before(above) + columns.pair_costs(arc, costs)
        reached[1:] = np.minimum(reached[1:], paired)
        best[row] = columns.with_insertions(reached, most)
    return best


class _Columns:
    """The arcs of the right text as columns; column 0 is the beginning of the text."""

    def __init__(self, right: list[_Arc], costs: StepCosts) -> None:
        self._arcs = right[:-1]
        befores = [[at + 1 for at in arc.before] for arc in self._arcs]
        self._before = np.array([at for each in befores for at in each], np.int64)
        self._starts = np.cumsum([0, *map(len, befores)])[:-1]
        self._numbers: dict[str | None, int] = {}
        self._words = np.array([self._number(arc.word) for arc in self._arcs], np.int64)
        self._fragments = [at for at, arc in enumerate(self._arcs) if arc.fragment]
        added = np.array([0, *(_alone_cost(arc, costs.insertion_cost, costs) for arc in self._arcs)], np.int64)
        # A run ends before a column that does not just follow it, and where another column goes on from it.
        branching = {at: each for at, each in enumerate(befores, 1) if each != [at - 1]}
        after = {at + 1 for each in branching.values() for at in each if at < len(befores)}
        begins = sorted({0, *branching, *after})
        self._run = np.searchsorted(begins, np.arange(len(added)), side="right") - 1
        self._ends = np.append(begins[1:], len(added)) - 1
        self._runs_before = [[int(self._run[at]) for at in befores[begin - 1]] for begin in begins[1:]]
        sums = np.cumsum(added)
        self._added = sums - (sums - added)[begins][self._run]  # from the begin of the run

    def _number(self, word: str | None) -> int:
        return self._numbers.setdefault(word, len(self._numbers))

    def before(self, values: Ints) -> Ints:
        """The least value of the columns before each column but the first."""
        found: Ints = np.minimum.reduceat(values[self._before], self._starts) if len(self._starts) else values[:0]
        return found

    def pair_costs(self, arc: _Arc, costs: StepCosts) -> Ints:
        """The cost of a pair of an arc and each column but the first."""
        found = np.where(self._words == self._number(arc.word), 0 if arc.word is not None else TWO_NOTHINGS_COST,
                         costs.substitution_cost)  # fmt: skip
        for at in range(len(self._arcs)) if arc.fragment else self._fragments:
            found[at] = _pair_cost(arc, self._arcs[at], costs)
        return found

    def with_insertions(self, reached: Ints, most: int) -> Ints:
        """The least cost of each column, where it may also be reached from columns before it by insertions.

        By definition, least(j) = min(reached(j), least(a column before j) + added(j)). Within a run, this is the
        running minimum of reached - the sum of added so far, plus that sum. ``shift`` puts each run below the runs
        before it, so that one running minimum serves all runs. tests/unit/functions/test_alignment.py compares with all
        combinations of branches.
        """
        shift = self._run * (2 * most)
        within = np.minimum.accumulate(reached - self._added - shift) + shift + self._added
        if not self._runs_before:
            return within
        ends, lengths = within[self._ends].tolist(), self._added[self._ends].tolist()
        entries = [most]
        for run, before in enumerate(self._runs_before, 1):
            entries.append(min(ends[each] for each in before))
            ends[run] = min(ends[run], entries[run] + lengths[run])
        least: Ints = np.minimum(within, np.array(entries)[self._run] + self._added)
        return least


def _cell_before(
    best: Ints, cell: tuple[int, int], left: list[_Arc], right: list[_Arc], costs: StepCosts
) -> tuple[int, int]:
    """The cell before a cell on a path of least cost."""
    row, column = cell
    steps: list[tuple[int, tuple[int, int]]] = []
    # Ties as without alternatives: a pair first; a deletion only if it costs less than an insertion.
    if row >= 0 and column >= 0:
        cells = [(i, j) for i in left[row].before for j in right[column].before]
        steps.append(_least(best, cells, _pair_cost(left[row], right[column], costs)))
    if column >= 0:
        alone = _alone_cost(right[column], costs.insertion_cost, costs)
        steps.append(_least(best, [(row, j) for j in right[column].before], alone))
    if row >= 0:
        alone = _alone_cost(left[row], costs.deletion_cost, costs)
        steps.append(_least(best, [(i, column) for i in left[row].before], alone))
    return min(steps, key=lambda step: step[0])[1]


def _cheapest(best: Ints, cells: list[tuple[int, int]]) -> tuple[int, int]:
    """The cheapest of some cells: the first of equal ones."""
    return min(cells, key=lambda cell: best[cell[0] + 1, cell[1] + 1])


def _least(best: Ints, cells: list[tuple[int, int]], cost: int) -> tuple[int, tuple[int, int]]:
    """The cost of a step from the cheapest of some cells, and that cell."""
    cell = _cheapest(best, cells)
    return int(best[cell[0] + 1, cell[1] + 1]) + cost, cell


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
