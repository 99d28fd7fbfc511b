"""Which of the pairs of a group are matched, where fewer may gain more; of equal matchings the first is taken.

Left rows are taken in order; all that the rows after one need to know of those before is which right rows are
taken that they can still have. In groups of pairs that run side by side, such as overlapping spans of two
texts, these are few, so that every matching is weighed in time that grows with the pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import add

import numpy as np
import pyarrow as pa

from scorespec.arrays import arrow_ints, numpy_ints
from scorespec.functions.assignment import Pairs, largest_assignment
from scorespec.functions.columns import SUMMED, WHOLE, Column
from scorespec.functions.groups import check_room, whole_groups

HELD = 10  # bytes for each byte of a row: pairs are tuples
OPTION = 150  # bytes for each option of a state
MOST_STATES = 1000  # above, a group is an assignment in integers of any size, cubic in its rows

GAIN = re.compile(r"gain_[0-9]{1,4}")

Gains = tuple[int, ...]
Taken = frozenset[int]  # right rows
Option = tuple[int | None, Taken]  # a pair or none, and the state after it


def columns(input_schema: pa.Schema) -> list[Column]:
    """What :func:`first_best_matching` is input_schema."""
    gains = [Column(name, (WHOLE,), least=0, most=SUMMED) for name in _columns(input_schema)[1]]
    return [*(Column(name, (WHOLE,)) for name in ("left_row", "right_row")), *gains]


def first_matching_schema(input_schema: pa.Schema) -> pa.Schema:
    """The columns of the group as they are, then left_row and right_row (int64 each)."""
    group, _ = _columns(input_schema)
    return pa.schema(
        [*(input_schema.field(name) for name in group), ("left_row", pa.int64()), ("right_row", pa.int64())]
    )


def first_best_matching(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int
) -> Iterator[pa.RecordBatch]:
    """Match the rows left and right of each group one-to-one.

    The input has a row per pair that can be matched: left_row and right_row (integers), what the pair gains
    (gain_1, gain_2, …: whole numbers, none negative; there may be none) and the columns of the group, whose rows
    stand together, by left_row and then right_row. Of all matchings that of the largest sum of gain_1 is taken; of
    these that of the largest sum of gain_2, and so on. Of equal ones the first left row decides, then the next: it is
    matched rather than not, and to the first right row. Without gains pairs are taken in order, each whose rows are
    free. Yields the pairs of that matching.
    """
    schema = first_matching_schema(input_schema)
    group, names = _columns(input_schema)
    for table, starts in whole_groups(batches, input_schema, group, room, HELD):
        pairs = list(zip(*(numpy_ints(table[side]).tolist() for side in ("left_row", "right_row")), strict=True))
        gains = list(zip(*(numpy_ints(table[name]).tolist() for name in names), strict=True)) or [()] * len(pairs)
        chosen = [
            start + at
            for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
            for at in (_best if names else _in_order)(pairs[start:end], gains[start:end], room)
        ]
        found = table.select(schema.names).take(arrow_ints(np.array(chosen, np.int64))).cast(schema)
        yield from found.combine_chunks().to_batches()


def _columns(input_schema: pa.Schema) -> tuple[list[str], list[str]]:
    """The columns of the group, and those of gains."""
    gains = sorted((name for name in input_schema.names if GAIN.fullmatch(name)), key=lambda name: int(name[5:]))
    return [name for name in input_schema.names if name not in ("left_row", "right_row", *gains)], gains


def _in_order(pairs: Pairs, _: Sequence[Gains], __: int) -> Iterator[int]:
    """The pairs that are taken from first to last, each whose rows are free."""
    taken_left, taken_right = set[int](), set[int]()
    for at, (left, right) in enumerate(pairs):
        if left not in taken_left and right not in taken_right:
            taken_left.add(left)
            taken_right.add(right)
            yield at


def _best(pairs: Pairs, gains: Sequence[Gains], room: int) -> Iterable[int]:
    """The pairs of the first of the best matchings of a group.

    What may be done is walked through from the first row to the last, what it is best to do from the last to the
    first. A state is what is taken of the right rows that this or a later row can have.
    """
    last = {right: left for left, right in pairs}
    states = {Taken()}
    steps: list[dict[Taken, list[Option]]] = []
    taken_up = 0  # bytes
    for left, row in groupby(range(len(pairs)), key=lambda at: pairs[at][0]):
        own = list(row)
        kept = {right for right in chain.from_iterable(states) if last[right] > left}
        kept.update(right for _, right in (pairs[at] for at in own) if last[right] > left)
        steps.append({taken: [] for taken in states})
        for taken, options in steps[-1].items():
            options += [(at, (taken | {pairs[at][1]}) & kept) for at in own if pairs[at][1] not in taken]
            options.append((None, taken & kept))
        states = {after for options in steps[-1].values() for _, after in options}
        taken_up += OPTION * sum(map(len, steps[-1].values()))
        if len(states) > MOST_STATES or taken_up > room:
            return _assigned(pairs, gains, room)
    best = dict.fromkeys(states, (0,) * len(gains[0]))
    plans = []
    for step in reversed(steps):
        plan = {taken: max(options, key=lambda option: _gained(option, gains, best)) for taken, options in step.items()}
        best = {taken: _gained(option, gains, best) for taken, option in plan.items()}
        plans.append(plan)
    return _followed(reversed(plans))


def _gained(option: Option, gains: Sequence[Gains], best: Mapping[Taken, Gains]) -> Gains:
    """What an option gains, and what is best after it."""
    at, after = option
    return best[after] if at is None else tuple(map(add, gains[at], best[after]))


def _followed(plans: Iterable[Mapping[Taken, Option]]) -> Iterator[int]:
    """The pairs of the plans, followed from the first row on."""
    taken = Taken()
    for plan in plans:
        at, taken = plan[taken]
        if at is not None:
            yield at


def _assigned(pairs: Pairs, gains: Sequence[Gains], room: int) -> Iterator[int]:
    """The same by assignment: the gains of a pair and its place in the order as one whole number."""
    row_of, column_of = ({value: i for i, value in enumerate(sorted(set(side)))} for side in zip(*pairs, strict=True))
    rows, columns = len(row_of), len(column_of)
    digits = rows * (columns + 1).bit_length() // 8 + 60  # bytes of a weight
    check_room(digits * len(pairs) + 8 * rows * columns, room, f"to match groups of {rows:,} and {columns:,} rows")
    row, column = [row_of[left] for left, _ in pairs], [column_of[right] for _, right in pairs]
    weights = [(columns - j) * (columns + 1) ** (rows - 1 - i) for i, j in zip(row, column, strict=True)]
    room = (columns + 1) ** rows
    for gain in reversed(list(zip(*gains, strict=True))):
        weights = [weight + value * room for weight, value in zip(weights, gain, strict=True)]
        room *= max(gain) * min(rows, columns) + 1
    place = {pair: at for at, pair in enumerate(zip(row, column, strict=True))}
    return (place[pair] for pair in largest_assignment(row, column, weights, rows, columns))
