"""The path of least cost from one sequence to another: which symbols are paired, left out and put in.

Ties are decided as in sclite: seen from the end, a pair comes first, and a symbol is left out only if that costs less
than to put one in. Libraries for edit distances decide ties otherwise, so their paths differ.

The cell (i, j) of a cost table is the least cost of turning the first i symbols of the left sequence into the first j
symbols of the right one. Only a band around the diagonal is filled. The cells of an antidiagonal, i + j = s, depend
only on the two antidiagonals before it. So an antidiagonal of many pairs of sequences is one array: a row for every
second diagonal j - i of the band, a column for each pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scorespec.core.arrays import Ints, Mask
from scorespec.errors import RunError
from scorespec.functions.function import check_room

if TYPE_CHECKING:
    import numpy.typing as npt

    Costs = npt.NDArray[np.signedinteger]
    Steps = npt.NDArray[np.int8]
else:
    Costs = Steps = np.ndarray

CELLS_AT_ONCE = 4_000_000  # of the bands that are filled together; a cell has one byte
MOST_CELLS = 2_000_000_000  # of one band
FIRST_SLACK, WIDER = 12, 4  # diagonals that a band has beyond its ends; the factor by which these grow
USUAL_WIDTH = 32  # of most tables
# The first of equal costs wins. A cell holds four times its cost plus the step that leads to it, so that one minimum
# finds both.
PAIRED, PUT_IN, LEFT_OUT, NO_STEP = 0, 1, 2, 3
OF_LEFT, OF_RIGHT = np.array([1, 0, 1, 0]), np.array([1, 1, 0, 0])  # symbols that a step consumes on each side

PairCosts = Callable[[Ints, Ints], Any]
"""The costs of pairing symbols of the left with symbols of the right: a new array of int32."""


class SideSequences(NamedTuple):
    """The sequences of one side: starts and lengths; all symbols, and the cost of each without partner (``alone``)."""

    starts: Ints
    counts: Ints
    symbols: Ints
    alone: Ints

    def placed(self, some: Ints, first: Ints, length: int) -> tuple[Ints, Ints]:
        """Symbols and costs of some sequences: a column for each, from its index ``first`` on.

        Beyond the ends of a sequence the values are arbitrary.
        """
        if not len(self.symbols):
            return np.zeros((length, len(some)), np.int64), np.zeros((length, len(some)), np.int64)
        within = np.clip(first + np.arange(length)[:, None], 0, np.maximum(self.counts[some] - 1, 0))
        at = np.minimum(self.starts[some] + within, len(self.symbols) - 1)
        return self.symbols[at], self.alone[at]

    @property
    def least(self) -> int:
        """The least cost of a symbol without a partner."""
        return int(self.alone.min()) if len(self.alone) else 0


class Bands(NamedTuple):
    """The bands of some pairs of sequences, whose lengths are ``rows`` and ``columns``.

    ``below`` is half the number of diagonals of a band below the main diagonal, ``width`` half the number of diagonals
    of the widest band.
    """

    rows: Ints
    columns: Ints
    below: Ints
    width: int

    @classmethod
    def of(cls, rows: Ints, columns: Ints, slack: int) -> Bands:
        """Bands whose first and last cell are at least ``slack`` diagonals away from both edges."""
        below = np.minimum(slack + np.maximum(rows - columns, 0), rows) + 1 >> 1
        above = np.minimum(slack + np.maximum(columns - rows, 0), columns) // 2 + 1
        return cls(rows, columns, below, int((below + above).max()))

    @property
    def whole(self) -> Mask:
        """Whether each band is the whole table."""
        all_of_it: Mask = (2 * self.below >= self.rows) & (2 * (self.width - self.below) > self.columns)
        return all_of_it


class Paths(NamedTuple):
    """Steps: the pair of sequences, the number of the step in its path, the step; symbols consumed of each side."""

    pair: Ints
    number: Ints
    step: Steps
    left: Ints
    right: Ints


def cheapest_paths(left: SideSequences, right: SideSequences, pair: PairCosts, room: int) -> Iterator[Paths]:
    """The steps of every pair of sequences, some pairs at a time. No cost may be negative.

    Raises RunError for a pair whose table is too large, or needs more than ``room`` bytes.
    """
    slack, unsure = FIRST_SLACK, np.arange(len(left.counts))
    while len(unsure):
        left_over = []
        for some, sizes in _banded(left, right, unsure, slack, room):
            steps, sure = _filled(left, right, some, sizes, pair)
            path = _traced(steps, sizes)[sure]
            which, place = np.nonzero(path != NO_STEP)
            length = np.bincount(which, minlength=len(path))
            number = place - (path.shape[1] - length)[which]
            step = path[which, place]
            taken = (consumed(number, each[step]) for each in (OF_LEFT, OF_RIGHT))
            yield Paths(some[sure][which], number, step, *taken)
            left_over.append(some[~sure])
        slack, unsure = slack * WIDER, np.concatenate(left_over)


def cost_tables(left: SideSequences, right: SideSequences, pair: PairCosts) -> Iterator[tuple[Ints, Costs]]:
    """The whole cost tables of some pairs of sequences at a time: rows, columns, pairs.

    The cell (i, j) is the cost of turning the first i symbols of the left into the first j symbols of the right.
    """
    for some in _of_like_sizes(left.counts + right.counts, left.counts, (left.counts + 1) * (right.counts + 1)):
        height, width = int(left.counts[some].max()), int(right.counts[some].max())
        first = np.zeros_like(some)
        symbols, dropped = left.placed(some, first, height)
        others, added = right.placed(some, first, width)
        table = np.zeros((height + 1, width + 1, len(some)), np.int32)
        np.cumsum(added, axis=0, out=table[0, 1:])
        for at, row in enumerate(table[1:]):
            # Within a row the only step is to put in. Relative to the costs of these steps, it is a running minimum.
            row[:] = table[at] - table[0] + dropped[at]
            np.minimum(row[1:], table[at, :-1] + pair(symbols[at], others) - table[0, 1:], out=row[1:])
            np.minimum.accumulate(row, axis=0, out=row)
            row += table[0]
        yield some, table


def _banded(
    left: SideSequences, right: SideSequences, some: Ints, slack: int, room: int
) -> Iterator[tuple[Ints, Bands]]:
    """Batches of pairs of sequences, with the sizes of their bands."""
    rows, columns = left.counts[some], right.counts[some]
    total, width = rows + columns + 1, (abs(rows - columns) >> 1) + slack
    cells = total * np.minimum(width, total)
    if len(cells):
        sizes = " and ".join(f"{each[np.argmax(cells)]:,}" for each in (rows, columns))
        if cells.max() > MOST_CELLS:
            raise RunError(f"sequences of {sizes} are too long to be aligned as a whole")
        check_room(float(cells.max()), room, f"to align sequences of {sizes}")
    for each in _of_like_sizes(total, width, cells):
        yield some[each], Bands.of(rows[each], columns[each], slack)


def _of_like_sizes(length: Ints, width: Ints, cells: Ints) -> Iterator[Ints]:
    """Batches of tables of similar sizes: in a batch, every table takes the room of the largest."""
    octave = np.floor(2 * np.log2(length + 1))
    order = np.lexsort((width, octave))
    part = np.cumsum(cells[order]) // CELLS_AT_ONCE
    wide = np.floor(np.log2(np.maximum(width / USUAL_WIDTH, 1)) / 2)
    new = np.any([np.diff(each) != 0 for each in (part, octave[order], wide[order])], axis=0)
    yield from np.split(order, np.flatnonzero(new) + 1)


def consumed(number: Ints, amount: Ints) -> Ints:
    """The sum of ``amount`` along each path, up to and with each step; ``number`` is 0 where a path begins."""
    upto = np.cumsum(amount)
    begin = np.flatnonzero(number == 0)
    before = (upto - amount)[begin]
    return upto - np.repeat(before, np.diff(np.append(begin, len(number))))


# -- bands -------------------------------------------------------------------------------------------


def _filled(left: SideSequences, right: SideSequences, some: Ints, sizes: Bands, pair: PairCosts) -> tuple[Steps, Mask]:
    """Fill the bands of some pairs of sequences.

    Returns the last step to each cell (antidiagonals, diagonals, pairs), and for which pairs the path of least cost is
    known to lie in the band.
    """
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


def _best_of_all(ends: Costs, edges: Costs, sizes: Bands, drop: int, add: int) -> Mask:
    """Whether every path that leaves the band costs more than the best path inside.

    A path that leaves the band has reached an edge, takes a step outside, and needs enough steps to come back to the
    last cell. The cost of the edge plus the least cost of these steps is a lower bound, as no cost is negative.
    """
    lowest, highest = -2 * sizes.below, 2 * (sizes.width - sizes.below) - 1
    goal = sizes.columns - sizes.rows
    under = edges[0] + 4 * (drop + (goal - lowest + 1) * add)
    over = edges[1] + 4 * (add + (highest + 1 - goal) * drop)
    best: Mask = (ends < under) & (ends < over)
    return best


def _traced(steps: Steps, sizes: Bands) -> Steps:
    """The steps of each path (pairs, steps), aligned at the end: NO_STEP fills the start of a shorter path."""
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
