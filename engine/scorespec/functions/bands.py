"""The table of costs of two sequences, of which only a band about the diagonal is filled.

A cell says what it costs to turn the first i symbols of the left into the first j of the right. The cells of an
antidiagonal, i + j = s, depend on those of the two before it and not on each other, so that for many pairs of
sequences at once an antidiagonal is one array: down the diagonals j - i of the band, two apart, across the pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scorespec.arrays import Ints

if TYPE_CHECKING:
    import numpy.typing as npt

    Costs = npt.NDArray[np.signedinteger]
    Steps = npt.NDArray[np.int8]
    Mask = npt.NDArray[np.bool_]
else:
    Costs = Steps = Mask = np.ndarray

# In the order in which equal costs are decided. Costs are held in fours, with the step in what is left over: the least
# of them is the right one.
PAIRED, PUT_IN, LEFT_OUT, NO_STEP = 0, 1, 2, 3
OF_LEFT, OF_RIGHT = np.array([1, 0, 1, 0]), np.array([1, 1, 0, 0])  # how many symbols a step has

PairCosts = Callable[[Ints, Ints], Any]
"""What it costs to pair symbols of the left with those of the right: int32, an array of its own."""


class Side(NamedTuple):
    """The sequences of one side: where each begins, how long it is; all symbols, and what each costs alone."""

    starts: Ints
    counts: Ints
    symbols: Ints
    alone: Ints

    def placed(self, some: Ints, first: Ints, length: int) -> tuple[Ints, Ints]:
        """Symbols and costs of sequences, down from a first one of each; outside of a sequence they mean nothing."""
        if not len(self.symbols):
            return np.zeros((length, len(some)), np.int64), np.zeros((length, len(some)), np.int64)
        within = np.clip(first + np.arange(length)[:, None], 0, np.maximum(self.counts[some] - 1, 0))
        at = np.minimum(self.starts[some] + within, len(self.symbols) - 1)
        return self.symbols[at], self.alone[at]

    @property
    def least(self) -> int:
        """What any symbol costs alone."""
        return int(self.alone.min()) if len(self.alone) else 0


class Sizes(NamedTuple):
    """Of each pair of sequences: their lengths, and how many diagonals of the band are below that of the begin, in
    twos; how many diagonals all bands have, in twos."""

    rows: Ints
    columns: Ints
    below: Ints
    width: int

    @classmethod
    def of(cls, rows: Ints, columns: Ints, slack: int) -> Sizes:
        """Bands that begin and end within by at least some diagonals."""
        below = np.minimum(slack + np.maximum(rows - columns, 0), rows) + 1 >> 1
        above = np.minimum(slack + np.maximum(columns - rows, 0), columns) // 2 + 1
        return cls(rows, columns, below, int((below + above).max()))

    @property
    def whole(self) -> Mask:
        """Whether the band is the whole table."""
        all_of_it: Mask = (2 * self.below >= self.rows) & (2 * (self.width - self.below) > self.columns)
        return all_of_it


def filled(left: Side, right: Side, some: Ints, sizes: Sizes, pair: PairCosts) -> tuple[Steps, Mask]:
    """The last step to each cell (antidiagonals, diagonals, pairs); which pairs surely have their best way there."""
    rows, columns, below, width = sizes
    total, last = rows + columns, int((rows + columns).max())
    lefts, dropped = left.placed(some, below - width, last // 2 + 1 + width)
    rights, added = right.placed(some, -below - 1, last // 2 + 1 + width)
    kind = np.int32 if 8 * last * max(dropped.max(), added.max()) < 2**29 else np.int64
    never = np.iinfo(kind).max // 4 + 1
    dropped, added = (dropped * 4 + LEFT_OUT).astype(kind), (added * 4 + PUT_IN).astype(kind)
    steps = np.full((last + 1, width, len(some)), NO_STEP, np.int8)
    two_before, before, now = np.full((3, width + 2, len(some)), never, kind)
    before[1 + below, np.arange(len(some))] = 0
    ending = np.split(np.argsort(total), np.searchsorted(np.sort(total), np.arange(1, last + 1)))
    edges = np.full((2, len(some)), never, kind)
    ends = np.zeros_like(edges[0])
    for diagonal in range(1, last + 1):
        half, odd = divmod(diagonal, 2)
        down, up = slice(half, half + width), slice(half + odd, half + odd + width)
        cost = pair(lefts[down][::-1], rights[up]).astype(kind, copy=False)
        cost <<= 2
        cost += two_before[1:-1]
        np.minimum(cost, before[odd : odd + width] + added[up], out=cost)
        np.minimum(cost, before[1 + odd : 1 + odd + width] + dropped[down][::-1], out=cost)
        np.bitwise_and(cost, 3, out=steps[diagonal], casting="unsafe")
        np.bitwise_and(cost, ~3, out=now[1:-1])
        np.minimum(edges[odd], now[width if odd else 1], out=edges[odd])
        if len(done := ending[diagonal]):
            ends[done] = now[1 + below[done] + (columns - rows)[done] // 2, done]
        two_before, before, now = before, now, two_before
    return steps, sizes.whole | _best_of_all(ends, edges, sizes, left.least, right.least)


def _best_of_all(ends: Costs, edges: Costs, sizes: Sizes, drop: int, add: int) -> Mask:
    """Whether all ways that leave the band cost more than the best one in it.

    Such a way has come to an edge of the band, leaves it by a step and has to come back as far. No cost is negative.
    """
    lowest, highest = -2 * sizes.below, 2 * (sizes.width - sizes.below) - 1
    goal = sizes.columns - sizes.rows
    under = edges[0] + 4 * (drop + (goal - lowest + 1) * add)
    over = edges[1] + 4 * (add + (highest + 1 - goal) * drop)
    best: Mask = (ends < under) & (ends < over)
    return best


def traced(steps: Steps, sizes: Sizes) -> Steps:
    """The steps of each pair from its end to the start, written from right to left (pairs, steps)."""
    row, column, below, width = sizes.rows.copy(), sizes.columns.copy(), sizes.below, sizes.width
    every = np.arange(len(row))
    flat = steps.ravel()
    path = np.empty((len(steps) - 1, len(row)), np.int8)
    for place in range(len(path) - 1, -1, -1):
        diagonal = row + column
        across = (column - row >> 1) + below
        step = flat[(diagonal * width + across) * len(row) + every]
        path[place] = step
        row -= OF_LEFT[step]
        column -= OF_RIGHT[step]
    return np.ascontiguousarray(path.T)
