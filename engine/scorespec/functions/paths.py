"""The cheapest way to turn one sequence into another: which symbols are paired, left out and put in.

Of the ways that cost the same, the one is taken that sclite takes: looked at from the end, a symbol is paired if it
can be, otherwise left out if that is cheaper than to put one in. Libraries for edit distances have other rules for
ties, so that their paths differ; here the tables of many pairs of sequences are filled at once, of each the band that
its best way is in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from scorespec.arrays import Ints
from scorespec.errors import RunError
from scorespec.functions.bands import NO_STEP, OF_LEFT, OF_RIGHT, Costs, PairCosts, Side, Sizes, Steps, filled, traced
from scorespec.functions.groups import check_room

CELLS_AT_ONCE = 4_000_000  # of the bands that are filled together, a byte each
MOST_CELLS = 2_000_000_000  # of one band
FIRST_SLACK, WIDER = 12, 4  # by how many diagonals a band is wider than it has to be; what is not enough is made wider
USUAL = 32  # as wide as most tables are


class Paths(NamedTuple):
    """Steps: of which pair of sequences, the number in its path, the step; how many symbols of each side are behind."""

    pair: Ints
    number: Ints
    step: Steps
    left: Ints
    right: Ints


def cheapest_paths(left: Side, right: Side, pair: PairCosts, room: int) -> Iterator[Paths]:
    """The steps of every pair of sequences, some pairs at a time. No cost may be negative.

    Raises RunError for a pair whose table is too large, or larger than there is ``room`` for.
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
    """What it costs to turn each beginning of a left sequence into each of the right one, some pairs at a time: rows,
    columns, pairs."""
    for some in _of_like_sizes(left.counts + right.counts, left.counts, (left.counts + 1) * (right.counts + 1)):
        height, width = int(left.counts[some].max()), int(right.counts[some].max())
        begin = np.zeros_like(some)
        symbols, dropped = left.placed(some, begin, height)
        others, added = right.placed(some, begin, width)
        table = np.zeros((height + 1, width + 1, len(some)), np.int32)
        np.cumsum(added, axis=0, out=table[0, 1:])
        for at, row in enumerate(table[1:]):
            # To put in is the only step within a row: a running minimum, once all costs are counted from its start.
            row[:] = table[at] - table[0] + dropped[at]
            np.minimum(row[1:], table[at, :-1] + pair(symbols[at], others) - table[0, 1:], out=row[1:])
            np.minimum.accumulate(row, axis=0, out=row)
            row += table[0]
        yield some, table


def _banded(left: Side, right: Side, some: Ints, slack: int, room: int) -> Iterator[tuple[Ints, Sizes]]:
    """Pairs of sequences in parts, with the sizes of their bands."""
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
    """Tables in parts of similar sizes, to be filled together: those of a part are all as large as its largest."""
    octave = np.floor(2 * np.log2(length + 1))
    order = np.lexsort((width, octave))
    part = np.cumsum(cells[order]) // CELLS_AT_ONCE
    wide = np.floor(np.log2(np.maximum(width / USUAL, 1)) / 2)
    new = np.any([np.diff(each) != 0 for each in (part, octave[order], wide[order])], axis=0)
    yield from np.split(order, np.flatnonzero(new) + 1)


def consumed(number: Ints, amount: Ints) -> Ints:
    """Sums of an amount of each step along its path, that of the step itself included; ``number`` is 0 where a path
    begins."""
    upto = np.cumsum(amount)
    begin = np.flatnonzero(number == 0)
    before = (upto - amount)[begin]
    return upto - np.repeat(before, np.diff(np.append(begin, len(number))))
