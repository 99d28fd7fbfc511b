"""One-to-one matchings of the pairs of a group with the largest gains.

:func:`best_matching` wants the most pairs first, :func:`first_best_matching` the largest gains. Gains are compared
exactly: the gains of a pair become one whole number of any size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, groupby, pairwise
from operator import add
from typing import Any

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import arrow_ints, numpy_floats, numpy_ints
from scorespec.functions.function import (
    FINITE,
    NUMBER,
    SUMMED,
    WHOLE,
    FunctionExample,
    InputColumn,
    RelationFunction,
    check_room,
    result_schema,
    whole_groups,
)

ROWS = tuple(InputColumn(name, (WHOLE,)) for name in ("left_row", "right_row"))
GAINS = tuple(InputColumn(f"gain_{number}", (WHOLE, NUMBER), least=-FINITE, most=FINITE) for number in (1, 2, 3))
GAIN = re.compile(r"gain_[0-9]{1,4}")  # of the function that reads all columns with such a name
ROW_FACTOR = 10  # bytes of memory for each byte of a row: pairs are tuples
CELL = 16  # bytes for each cell of a matrix of costs and its copy
OPTION = 150  # bytes of memory for each option of a state
MOST_STATES = 1000  # a group with more is solved as an assignment, whose time is cubic in its rows

Pairs = Sequence[tuple[int, int]]
Gains = tuple[Any, ...]  # of a pair
Taken = frozenset[int]  # right rows
Option = tuple[int | None, Taken]  # the index of a pair, or None; the state after it


def _schema(input_schema: pa.Schema, gains: Iterable[InputColumn]) -> pa.Schema:
    """The columns of the group, then left_row and right_row (int64), for an input with these gains."""
    read = [column.name for column in (*ROWS, *gains)]
    return result_schema(input_schema, read, [(column.name, pa.int64()) for column in ROWS])


def _matched(
    batches: Iterator[pa.RecordBatch],
    input_schema: pa.Schema,
    gains: Sequence[InputColumn],
    choose: Callable[[Pairs, Sequence[Gains]], Iterable[int]],
    room: int,
) -> Iterator[pa.RecordBatch]:
    """The pairs whose indices ``choose`` returns for the pairs of a group and their gains."""
    schema = _schema(input_schema, gains)
    for table, starts in whole_groups(batches, input_schema, schema.names[:-2], room, ROW_FACTOR):
        pairs = list(zip(*(_values(table, column) for column in ROWS), strict=True))
        values = list(zip(*(_values(table, column) for column in gains), strict=True)) or [()] * len(pairs)
        chosen = [
            start + at for start, end in pairwise(starts.tolist()) for at in choose(pairs[start:end], values[start:end])
        ]
        found = table.select(schema.names).take(arrow_ints(np.array(chosen, np.int64))).cast(schema)
        yield from found.combine_chunks().to_batches()


def _values(table: pa.Table, column: InputColumn) -> list[Any]:
    values = table[column.name].combine_chunks()
    numbers = numpy_ints(values) if pa.types.is_integer(values.type) else numpy_floats(values)
    found: list[Any] = numbers.tolist()
    return found


# -- the most pairs ----------------------------------------------------------------------------------


def best_matching(batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int) -> Iterator[pa.RecordBatch]:
    """Match left and right rows of each group one-to-one.

    The input has a row for each pair that can be matched: left_row and right_row (integers), the gains of the pair
    (gain_1, gain_2, gain_3: finite numbers) and the columns of the group. The rows of a group are adjacent; their order
    decides between matchings of equal gains. The matching has the most pairs possible, of such matchings the largest
    sum of gain_1, then of gain_2, then of gain_3. Yields its pairs.
    """

    def choose(pairs: Pairs, gains: Sequence[Gains]) -> list[int]:
        weights, above = [0] * len(pairs), 1  # ``above`` is more than any sum of weights
        most = min(len(set(side)) for side in zip(*pairs, strict=True))
        for gain in reversed(list(zip(*gains, strict=True))):
            whole = _whole(gain)
            least = min(whole)
            weights = [weight + (value - least) * above for weight, value in zip(weights, whole, strict=True)]
            above = max(weights) * most + 1
        return assigned(pairs, [weight + above for weight in weights], room)  # one more pair outweighs all gains

    return _matched(batches, input_schema, GAINS, choose, room)


def _whole(values: Sequence[Any]) -> Sequence[int]:
    """Numbers as integers: each times the least common denominator."""
    if all(isinstance(value, int) for value in values):
        return values
    exact = [Fraction(value) for value in values]
    scale = max(value.denominator for value in exact)  # powers of 2
    return [int(value * scale) for value in exact]


def assigned(pairs: Pairs, weights: Sequence[int], room: int) -> list[int]:
    """The indices of the pairs of the matching with the largest sum of weights, all of which are positive.

    This is the Hungarian method. A search from each row takes the path of least cost to a free column. Columns are
    reached in the order of their costs, those of equal cost in their own order.
    """
    row_of, column_of = ({value: i for i, value in enumerate(sorted(set(side)))} for side in zip(*pairs, strict=True))
    rows, columns, out = len(row_of), len(column_of), 1 + sum(weights)  # ``out`` is more than the cost of any path
    size = CELL * rows * columns + (out.bit_length() // 8 + 60) * len(pairs)
    check_room(size, room, f"to match groups of {rows:,} and {columns:,} rows")
    if rows > columns:
        return assigned([(right, left) for left, right in pairs], weights, room)
    place = {(row_of[left], column_of[right]): at for at, (left, right) in enumerate(pairs)}
    kind: Any = np.int64 if out < 2**61 else object
    cost = np.zeros((rows, columns), kind)
    cost[*np.array(list(place)).T] = [-weights[at] for at in place.values()]
    of_row, of_column, owner = np.zeros(rows, kind), np.zeros(columns, kind), np.full(columns, -1)
    for start in range(rows):
        nearest, before, free = np.full(columns, out, kind), np.full(columns, -1), np.ones(columns, np.bool_)
        row, at, length = start, -1, 0
        while row >= 0:
            reduced = cost[row] + (length - of_row[row]) - of_column
            better = free & (reduced < nearest)
            nearest[better], before[better] = reduced[better], at
            left = np.flatnonzero(free)
            at = left[np.argmin(nearest[left])]
            free[at], row, length = False, owner[at], nearest[at]
        free[at] = True  # the end of the path
        reached = np.flatnonzero(~free)
        of_row[start] += length
        of_row[owner[reached]] += length - nearest[reached]
        of_column[reached] -= length - nearest[reached]
        while at >= 0:
            owner[at], at = owner[before[at]] if before[at] >= 0 else start, before[at]
    matched = ((row, column) for column, row in enumerate(owner.tolist()))
    return sorted(place[pair] for pair in matched if pair in place)


# -- the first of the largest gains ------------------------------------------------------------------


def gain_columns(input_schema: pa.Schema) -> list[InputColumn]:
    """The columns of gains of an input, in order."""
    names = sorted((name for name in input_schema.names if GAIN.fullmatch(name)), key=lambda name: int(name[5:]))
    return [InputColumn(name, (WHOLE,), least=0, most=SUMMED) for name in names]


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
    columns = gain_columns(input_schema)

    def choose(pairs: Pairs, gains: Sequence[Gains]) -> Iterable[int]:
        return _first_best(pairs, gains, room) if columns else _in_order(pairs)

    return _matched(batches, input_schema, columns, choose, room)


def _in_order(pairs: Pairs) -> Iterator[int]:
    """The pairs that are matched in order, each if both of its rows are free."""
    taken_left, taken_right = set[int](), set[int]()
    for at, (left, right) in enumerate(pairs):
        if left not in taken_left and right not in taken_right:
            taken_left.add(left)
            taken_right.add(right)
            yield at


def _first_best(pairs: Pairs, gains: Sequence[Gains], room: int) -> Iterable[int]:
    """The pairs of the first of the best matchings of a group, by dynamic programming over the left rows.

    A forward pass over the left rows lists the states and the options of each; a backward pass chooses the best option.
    A state is the set of taken right rows that this left row or a later one could have. Where pairs run side by side,
    as overlapping spans of two texts do, states are few, and the time grows with the number of pairs.
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
            return _as_assignment(pairs, gains, room)
    best = dict.fromkeys(states, (0,) * len(gains[0]))
    plans = []
    for step in reversed(steps):
        plan = {taken: max(options, key=lambda option: _gained(option, gains, best)) for taken, options in step.items()}
        best = {taken: _gained(option, gains, best) for taken, option in plan.items()}
        plans.append(plan)
    chosen, taken = [], Taken()
    for plan in reversed(plans):
        at, taken = plan[taken]
        chosen += [] if at is None else [at]
    return chosen


def _gained(option: Option, gains: Sequence[Gains], best: Mapping[Taken, Gains]) -> Gains:
    """The gains of an option, plus the best gains of the left rows after it."""
    at, after = option
    return best[after] if at is None else tuple(map(add, gains[at], best[after]))


def _as_assignment(pairs: Pairs, gains: Sequence[Gains], room: int) -> list[int]:
    """The same matching as an assignment: the gains of a pair and its place in the order are one whole number."""
    row_of, column_of = ({value: i for i, value in enumerate(sorted(set(side)))} for side in zip(*pairs, strict=True))
    rows, columns = len(row_of), len(column_of)
    weights = [(columns - column_of[right]) * (columns + 1) ** (rows - 1 - row_of[left]) for left, right in pairs]
    above = (columns + 1) ** rows  # more than any sum of weights
    for gain in reversed(list(zip(*gains, strict=True))):
        weights = [weight + value * above for weight, value in zip(weights, gain, strict=True)]
        above *= max(gain) * min(rows, columns) + 1
    return assigned(pairs, weights, room)


FUNCTIONS = (
    RelationFunction(
        "One-to-one matching of left rows to right rows with the most pairs; of such matchings, the one with the "
        "largest sums of gain_1, gain_2 and gain_3, in this order. One row per matched pair.",
        best_matching,
        lambda input_schema: _schema(input_schema, GAINS),
        (*ROWS, *GAINS),
        promised=True,
        example=FunctionExample(
            {
                "query": ["q"] * 3,
                "left_row": [1, 1, 2],
                "right_row": [1, 2, 1],
                "gain_1": [9, 1, 1],
                "gain_2": [0.0, 0.0, 0.5],
                "gain_3": [0, 0, 0],
            }
        ),
    ),
    RelationFunction(
        "One-to-one matching of left rows to right rows with the largest sums of gain_1, gain_2 and so on, in this "
        "order; of equal matchings, the first in the order of the rows. Without gains, pairs are matched in order. "
        "One row per matched pair. It reads the columns left_row and right_row and all columns gain_…; all other "
        "columns together name a group.",
        first_best_matching,
        lambda input_schema: _schema(input_schema, gain_columns(input_schema)),
        lambda input_schema: [*ROWS, *gain_columns(input_schema)],
        promised=True,
        example=FunctionExample(
            {"segment": [1] * 3, "left_row": [1, 1, 2], "right_row": [1, 2, 1], "gain_1": [9, 1, 1]}
        ),
    ),
)
