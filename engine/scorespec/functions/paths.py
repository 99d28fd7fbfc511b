"""The cheapest way to turn one sequence into another: which symbols are paired, left out and put in.

Of the ways that cost the same, the one is taken that sclite takes: looked at from the end, a symbol is paired if it
can be, otherwise left out if that is cheaper than to put one in. Libraries for edit distances have other rules for
ties, so that their paths differ; here the tables of many pairs of sequences are filled at once, row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scorespec.arrays import Ints
from scorespec.errors import RunError

if TYPE_CHECKING:
    import numpy.typing as npt

    Costs = npt.NDArray[np.int32]
    Steps = npt.NDArray[np.int8]
else:
    Costs = Steps = np.ndarray

CELLS_AT_ONCE = 500_000  # of the tables that are filled together: larger ones fall out of the processor's caches
MOST_CELLS = 2_000_000_000  # of one table: a byte each

KEPT, REPLACED, LEFT_OUT, PUT_IN = 1, 2, 3, 4
OF_LEFT, OF_RIGHT = np.array([0, 1, 1, 1, 0]), np.array([0, 1, 1, 0, 1])  # how many symbols a step has

PairCosts = Callable[[Ints, Ints], Any]
"""What it costs to pair symbols of the left (an array of one column) with those of the right."""


class Side(NamedTuple):
    """The sequences of one side: where each begins, how long it is; all symbols, and what each costs alone."""

    starts: Ints
    counts: Ints
    symbols: Ints
    alone: Ints

    def padded(self, some: Ints, width: int) -> tuple[Ints, Costs]:
        """Symbols and costs of some sequences as rows of one width; behind the end of one they mean nothing."""
        if not len(self.symbols):
            return np.zeros((len(some), width), np.int64), np.zeros((len(some), width), np.int32)
        at = np.minimum(self.starts[some, None] + np.arange(width), len(self.symbols) - 1)
        return self.symbols[at], self.alone[at].astype(np.int32)


def of_like_sizes(left: Side, right: Side) -> Iterator[Ints]:
    """The pairs of sequences in parts of similar lengths, so that the tables of a part, all as large as its largest,
    are small enough to be filled together.

    Raises RunError for a pair whose own table is too large.
    """
    order = np.lexsort((right.counts, left.counts))
    rows, columns = (left.counts + 1)[order].tolist(), (right.counts + 1)[order].tolist()
    begin = 0
    while begin < len(order):
        end, height, width = begin + 1, rows[begin], columns[begin]
        if height * width > MOST_CELLS:
            raise RunError(f"sequences of {height - 1:,} and {width - 1:,} are too long to be aligned as a whole")
        while end < len(order):
            height, width = max(height, rows[end]), max(width, columns[end])
            if height * width * (end + 1 - begin) > CELLS_AT_ONCE:
                break
            end += 1
        yield order[begin:end]
        begin = end


def cheapest_paths(left: Side, right: Side, pair: PairCosts) -> Iterator[tuple[Ints, Ints, Steps]]:
    """The steps of every pair of sequences, some pairs at a time: the number of the pair, the number of the step
    in its path, the step."""
    for some in of_like_sizes(left, right):
        path = _trace(_steps(left, right, some, pair), left.counts[some], right.counts[some])
        which, place = np.nonzero(path)
        length = np.count_nonzero(path, axis=1)
        yield some[which], place - (path.shape[1] - length)[which], path[which, place]


def consumed(number: Ints, amount: Ints) -> Ints:
    """Sums of an amount of each step along its path, that of the step itself included; ``number`` is 0 where a path
    begins."""
    upto = np.cumsum(amount)
    begin = np.flatnonzero(number == 0)
    before = (upto - amount)[begin]
    return upto - np.repeat(before, np.diff(np.append(begin, len(number))))


def cost_tables(left: Side, right: Side, some: Ints, pair: PairCosts) -> Costs:
    """What it costs to turn each beginning of a left sequence into each of the right one: pairs, rows, columns."""
    rows = [row for row, *_ in _rows(left, right, some, pair)]
    return np.stack(rows, axis=1)


def _steps(left: Side, right: Side, some: Ints, pair: PairCosts) -> Steps:
    """The last step of the cheapest way to each cell: an array of pairs, rows, columns."""
    height, width = int(left.counts[some].max()), int(right.counts[some].max())
    steps = np.empty((len(some), height + 1, width + 1), np.int8)
    steps[:, 0, 1:] = PUT_IN
    steps[:, :, 0] = LEFT_OUT
    steps[:, 0, 0] = 0
    for row, (_, paired, without, inserted, equal) in enumerate(_rows(left, right, some, pair)):
        if row:
            alone = np.where(without < inserted, np.int8(LEFT_OUT), np.int8(PUT_IN))
            together = np.where(equal, np.int8(KEPT), np.int8(REPLACED))
            steps[:, row, 1:] = np.where((paired <= without) & (paired <= inserted), together, alone)
    return steps


def _rows(left: Side, right: Side, some: Ints, pair: PairCosts) -> Iterator[tuple[Costs, ...]]:
    """The rows of the tables: costs; then of the cells behind the first column what it costs to come there by a pair,
    by leaving out, by putting in; and whether the symbols are equal."""
    symbols, dropped = left.padded(some, int(left.counts[some].max()))
    others, added = right.padded(some, int(right.counts[some].max()))
    row = np.zeros((len(some), others.shape[1] + 1), np.int32)
    np.cumsum(added, axis=1, out=row[:, 1:])
    all_added = row  # what it costs to put in all symbols up to a column
    yield row, row, row, row, row
    for at in range(symbols.shape[1]):
        symbol = symbols[:, at, None]
        paired = row[:, :-1] + pair(symbol, others)
        without = row + dropped[:, at, None]
        # To put in is the only step within a row: a running minimum, once all costs are counted from its start.
        row = without - all_added
        np.minimum(row[:, 1:], paired - all_added[:, 1:], out=row[:, 1:])
        np.minimum.accumulate(row, axis=1, out=row)
        row += all_added
        yield row, paired, without[:, 1:], row[:, :-1] + added, symbol == others


def _trace(steps: Steps, rows: Ints, columns: Ints) -> Steps:
    """The steps of each pair from its end to the start, written from right to left: 0 where there are no more."""
    row, column, every = rows.copy(), columns.copy(), np.arange(len(rows))
    path = np.zeros((len(rows), int((rows + columns).max())), np.int8)
    for place in range(path.shape[1] - 1, -1, -1):
        step = steps[every, row, column]
        path[:, place] = step
        row -= OF_LEFT[step]
        column -= OF_RIGHT[step]
    return path
