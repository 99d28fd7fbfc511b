"""The path of least cost from one sequence to another: which symbols are paired, left out and put in.

Ties are decided as in sclite: seen from the end, a pair comes first, and a symbol is left out only if that costs less
than to put one in. Libraries for edit distances decide ties otherwise, so their paths differ. The cost tables of many
pairs of sequences are filled together, and of each table only the band that has the path.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from scorespec.core.arrays import Ints
from scorespec.errors import RunError
from scorespec.functions.bands import NO_STEP, OF_LEFT, OF_RIGHT, Costs, PairCosts, Side, Sizes, Steps, filled, traced
from scorespec.functions.groups import check_room

CELLS_AT_ONCE = 4_000_000  # of the bands that are filled together; a cell has one byte
MOST_CELLS = 2_000_000_000  # of one band
FIRST_SLACK, WIDER = 12, 4  # diagonals that a band has beyond its ends; the factor by which these grow
USUAL_WIDTH = 32  # of most tables


class Paths(NamedTuple):
    """Steps: the pair of sequences, the number of the step in its path, the step; symbols consumed of each side."""

    pair: Ints
    number: Ints
    step: Steps
    left: Ints
    right: Ints


def cheapest_paths(left: Side, right: Side, pair: PairCosts, room: int) -> Iterator[Paths]:
    """The steps of every pair of sequences, some pairs at a time. No cost may be negative.

    Raises RunError for a pair whose table is too large, or needs more than ``room`` bytes.
    """
    slack, unsure = FIRST_SLACK, np.arange(len(left.counts))
    while len(unsure):
        left_over = []
        for some, sizes in _banded(left, right, unsure, slack, room):
            steps, sure = filled(left, right, some, sizes, pair)
            path = traced(steps, sizes)[sure]
            which, place = np.nonzero(path != NO_STEP)
            length = np.bincount(which, minlength=len(path))
            number = place - (path.shape[1] - length)[which]
            step = path[which, place]
            taken = (consumed(number, each[step]) for each in (OF_LEFT, OF_RIGHT))
            yield Paths(some[sure][which], number, step, *taken)
            left_over.append(some[~sure])
        slack, unsure = slack * WIDER, np.concatenate(left_over)


def cost_tables(left: Side, right: Side, pair: PairCosts) -> Iterator[tuple[Ints, Costs]]:
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


def _banded(left: Side, right: Side, some: Ints, slack: int, room: int) -> Iterator[tuple[Ints, Sizes]]:
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
        yield some[each], Sizes.of(rows[each], columns[each], slack)


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
