"""One-to-one matching of the pairs of a group with the largest gains; of equal matchings, the first.

This is dynamic programming over the left rows, in order. The state is the set of taken right rows that later left rows
could also have. Where pairs run side by side, as overlapping spans of two texts do, states are few, and the time grows
with the number of pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, pairwise
from operator import add

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import arrow_ints, numpy_ints
from scorespec.functions.assignment import ROWS, Pairs, largest_assignment, matched_schema
from scorespec.functions.columns import SUMMED, WHOLE, Column
from scorespec.functions.groups import check_room, whole_groups

ROW_FACTOR = 10  # bytes of memory for each byte of a row: pairs are tuples
OPTION = 150  # bytes of memory for each option of a state
MOST_STATES = 1000  # a group with more is solved as an assignment in integers of any size, cubic in its rows

GAIN = re.compile(r"gain_[0-9]{1,4}")

Gains = tuple[int, ...]
Taken = frozenset[int]  # right rows
Option = tuple[int | None, Taken]  # the index of a pair, or None; the state after it


def columns(input_schema: pa.Schema) -> list[Column]:
    """The columns that :func:`first_best_matching` reads."""
    gains = [Column(name, (WHOLE,), least=0, most=SUMMED) for name in _columns(input_schema)[1]]
    return [*(Column(name, (WHOLE,)) for name in ROWS), *gains]


def first_matching_schema(input_schema: pa.Schema) -> pa.Schema:
    """The columns of the group, then left_row and right_row (int64)."""
    return matched_schema(input_schema, _columns(input_schema)[1])


def first_best_matching(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int
) -> Iterator[pa.RecordBatch]:
    """Match left and right rows of each group one-to-one.

    The input has a row for each pair that can be matched: left_row and right_row (integers), the gains of the pair
    (gain_1, gain_2, …: whole numbers that are not negative; there may be none) and the columns of the group. The rows
    of a group are adjacent, ordered by left_row, then by right_row. The matching has the largest sum of gain_1, of such
    matchings the largest sum of gain_2, and so on. Of equal matchings, the first one matches the first left row, and
    with the smallest right row; then the same holds for the second left row, and so on. Without gains, pairs are
    matched in order, each if both of its rows are free. Yields the pairs of the matching.
    """
    schema = first_matching_schema(input_schema)
    group, names = _columns(input_schema)
    for table, starts in whole_groups(batches, input_schema, group, room, ROW_FACTOR):
        pairs = list(zip(*(numpy_ints(table[side]).tolist() for side in ROWS), strict=True))
        gains = list(zip(*(numpy_ints(table[name]).tolist() for name in names), strict=True)) or [()] * len(pairs)
        chosen = [
            start + at
            for start, end in pairwise(starts.tolist())
            for at in (_best if names else _in_order)(pairs[start:end], gains[start:end], room)
        ]
        found = table.select(schema.names).take(arrow_ints(np.array(chosen, np.int64))).cast(schema)
        yield from found.combine_chunks().to_batches()


def _columns(input_schema: pa.Schema) -> tuple[list[str], list[str]]:
    """The columns of the group, and those of gains."""
    gains = sorted((name for name in input_schema.names if GAIN.fullmatch(name)), key=lambda name: int(name[5:]))
    return [name for name in input_schema.names if name not in (*ROWS, *gains)], gains


def _in_order(pairs: Pairs, _: Sequence[Gains], __: int) -> Iterator[int]:
    """The pairs that are matched in order, each if both of its rows are free."""
    taken_left, taken_right = set[int](), set[int]()
    for at, (left, right) in enumerate(pairs):
        if left not in taken_left and right not in taken_right:
            taken_left.add(left)
            taken_right.add(right)
            yield at


def _best(pairs: Pairs, gains: Sequence[Gains], room: int) -> Iterable[int]:
    """The pairs of the first of the best matchings of a group.

    A forward pass over the left rows lists the states and the options of each; a backward pass chooses the best option.
    A state is the set of taken right rows that this left row or a later one could have.
    """
    last = {right: left for left, right in pairs}
    states = {Taken()}
    steps: list[dict[Taken, list[Option]]] = []
    memory = 0
    for left, row in groupby(range(len(pairs)), key=lambda at: pairs[at][0]):
        of_row = list(row)
        kept = {right for right in chain.from_iterable(states) if last[right] > left}
        kept.update(right for _, right in (pairs[at] for at in of_row) if last[right] > left)
        steps.append({taken: [] for taken in states})
        for taken, options in steps[-1].items():
            options += [(at, (taken | {pairs[at][1]}) & kept) for at in of_row if pairs[at][1] not in taken]
            options.append((None, taken & kept))
        states = {after for options in steps[-1].values() for _, after in options}
        memory += OPTION * sum(map(len, steps[-1].values()))
        if len(states) > MOST_STATES or memory > room:
            return _assigned(pairs, gains, room)
    best = dict.fromkeys(states, (0,) * len(gains[0]))
    plans = []
    for step in reversed(steps):
        plan = {taken: max(options, key=lambda option: _gained(option, gains, best)) for taken, options in step.items()}
        best = {taken: _gained(option, gains, best) for taken, option in plan.items()}
        plans.append(plan)
    return _followed(reversed(plans))


def _gained(option: Option, gains: Sequence[Gains], best: Mapping[Taken, Gains]) -> Gains:
    """The gains of an option, plus the best gains of the left rows after it."""
    at, after = option
    return best[after] if at is None else tuple(map(add, gains[at], best[after]))


def _followed(plans: Iterable[Mapping[Taken, Option]]) -> Iterator[int]:
    """The pairs that the plans choose, from the first left row on."""
    taken = Taken()
    for plan in plans:
        at, taken = plan[taken]
        if at is not None:
            yield at


def _assigned(pairs: Pairs, gains: Sequence[Gains], room: int) -> Iterator[int]:
    """The pairs of the same matching, found as an assignment: gains and order of a pair are one whole number."""
    row_of, column_of = ({value: i for i, value in enumerate(sorted(set(side)))} for side in zip(*pairs, strict=True))
    rows, columns = len(row_of), len(column_of)
    digits = rows * (columns + 1).bit_length() // 8 + 60  # bytes of a weight
    check_room(digits * len(pairs) + 8 * rows * columns, room, f"to match groups of {rows:,} and {columns:,} rows")
    row, column = [row_of[left] for left, _ in pairs], [column_of[right] for _, right in pairs]
    weights = [(columns - j) * (columns + 1) ** (rows - 1 - i) for i, j in zip(row, column, strict=True)]
    above = (columns + 1) ** rows  # more than any sum of weights
    for gain in reversed(list(zip(*gains, strict=True))):
        weights = [weight + value * above for weight, value in zip(weights, gain, strict=True)]
        above *= max(gain) * min(rows, columns) + 1
    place = {pair: at for at, pair in enumerate(zip(row, column, strict=True))}
    return (place[pair] for pair in largest_assignment(row, column, weights, rows, columns))
