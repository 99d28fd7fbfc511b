"""Which of the pairs of a group are matched: one-to-one, as many as can be, and the best of such matchings.

Gains are compared as exact integers in a group of ordinary size. In a larger one the first gain decides by
descending value which rows are matched, which is exact where it belongs to the left row alone (matched rows form
a matroid: what can be matched beside better rows is taken); the second is then a sum of binary64 numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa

from scorespec.arrays import Floats, Ints, arrow_ints, numpy_floats, numpy_ints
from scorespec.functions.columns import FINITE, NUMBER, WHOLE, Column
from scorespec.functions.groups import check_room, whole_groups

GAINS = ("gain_1", "gain_2", "gain_3")
COLUMNS = (
    *(Column(name, (WHOLE,)) for name in ("left_row", "right_row")),
    *(Column(name, (WHOLE, NUMBER), least=-FINITE, most=FINITE) for name in GAINS),
)
HELD = 4  # bytes for each byte of a row
CELL = 16  # bytes for each cell of a matrix, of which there is a copy
EXACT_STEPS = 100_000  # above, weights are binary64: the smaller side squared times the larger
MATRIX_CELLS = 16_000_000  # above, no matrix is made (128 MB): matched rows keep the partner they were found with
EXACT = 2**53  # whole numbers below are exact in binary64

Pairs = list[tuple[int, int]]


def matching_schema(input_schema: pa.Schema) -> pa.Schema:
    """The columns of the group as they are, then left_row and right_row (int64 each)."""
    group = [input_schema.field(name) for name in input_schema.names if name not in ("left_row", "right_row", *GAINS)]
    return pa.schema([*group, ("left_row", pa.int64()), ("right_row", pa.int64())])


def best_matching(batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int) -> Iterator[pa.RecordBatch]:
    """Match the rows left and right of each group one-to-one.

    The input has a row per pair that can be matched: left_row and right_row (integers), what the pair gains
    (gain_1, gain_2, gain_3: numbers, all finite) and the columns of the group, whose rows stand together, in an
    order of their own: equal matchings are decided by it. Of the matchings with the most pairs, that of the
    largest sum of gain_1 is taken; of these that of the largest sum of gain_2, then of gain_3. Yields the pairs
    of that matching.
    """
    schema = matching_schema(input_schema)
    group = schema.names[:-2]
    for table, starts in whole_groups(batches, input_schema, group, room, HELD):
        left, right = numpy_ints(table["left_row"]), numpy_ints(table["right_row"])
        gains = [_numbers(table[name].combine_chunks()) for name in GAINS]
        chosen = [
            start + at
            for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
            for at in _chosen(left[start:end], right[start:end], [gain[start:end] for gain in gains], room)
        ]
        rows = np.array(chosen, np.int64)
        columns = [column.combine_chunks() for column in table.select(group).take(arrow_ints(rows)).columns]
        numbers = [arrow_ints(side[rows]) for side in (left, right)]
        yield pa.RecordBatch.from_arrays([*columns, *numbers], schema=schema)


def _chosen(left: Ints, right: Ints, gains: Sequence[Any], room: int) -> list[int]:
    """Of the pairs of one group, which are matched, ascending."""
    rows, row = np.unique(left, return_inverse=True)
    columns, column = np.unique(right, return_inverse=True)
    short, long = sorted((len(rows), len(columns)))
    if short * short * long <= EXACT_STEPS:
        exact = _weights([gain.tolist() for gain in gains], short)
        pairs = largest_assignment(row.tolist(), column.tolist(), exact, len(rows), len(columns))
    else:
        large = _Large(row, column, gains, len(rows), len(columns))
        if large.has_matrix:
            sizes = f"{len(rows):,} and {len(columns):,}"
            check_room(CELL * len(rows) * len(columns), room, f"to match groups of {sizes} rows")
        pairs = large.pairs()
    place = row * len(columns) + column
    order = np.argsort(place)
    wanted = np.array([i * len(columns) + j for i, j in pairs], np.int64)
    found: list[int] = np.sort(order[np.searchsorted(place, wanted, sorter=order)]).tolist()
    return found


def _numbers(column: pa.Array) -> Ints | Floats:
    """A column of numbers as numpy's, whole numbers as such."""
    return numpy_ints(column) if pa.types.is_integer(column.type) else numpy_floats(column)


# -- exact -------------------------------------------------------------------------------------------


def _weights(gains: Sequence[list[Any]], most: int) -> list[int]:
    """The gains of each pair as one positive integer, whose sums over ``most`` pairs compare as the gains do."""
    weights, room = [0] * len(gains[0]), 1
    for gain in reversed(gains):
        whole = _whole(gain)
        least = min(whole)
        weights = [weight + (value - least) * room for weight, value in zip(weights, whole, strict=True)]
        room = max(weights) * most + 1
    return [weight + room for weight in weights]  # one more pair outweighs all gains


def _whole(values: list[Any]) -> list[int]:
    """Numbers as integers, all times the same number."""
    if all(isinstance(value, int) for value in values):
        return values
    exact = [Fraction(value) for value in values]
    scale = max(value.denominator for value in exact)  # powers of 2
    return [int(value * scale) for value in exact]


def largest_assignment(row: list[int], column: list[int], weights: list[int], rows: int, columns: int) -> Pairs:
    """The matching of the largest sum of weights, by the Hungarian method in integers of any size."""
    if rows > columns:
        return [(i, j) for j, i in largest_assignment(column, row, weights, columns, rows)]
    cost = [[0] * columns for _ in range(rows)]
    for i, j, weight in zip(row, column, weights, strict=True):
        cost[i][j] = -weight
    out = 1 + sum(weights)  # more than any path
    of_row, of_column = [0] * rows, [0] * (columns + 1)  # potentials; the last column is where a search starts
    owner = [-1] * (columns + 1)
    for start in range(rows):
        owner[columns], at = start, columns
        nearest, before, used = [out] * columns, [columns] * columns, [False] * (columns + 1)
        while owner[at] >= 0:
            used[at] = True
            i, step, found = owner[at], out, -1
            costs, potential = cost[i], of_row[i]
            for j in range(columns):
                if not used[j]:
                    reduced = costs[j] - potential - of_column[j]
                    if reduced < nearest[j]:
                        nearest[j], before[j] = reduced, at
                    if nearest[j] < step:
                        step, found = nearest[j], j
            for j in range(columns + 1):
                if used[j]:
                    of_row[owner[j]] += step
                    of_column[j] -= step
                elif j < columns:
                    nearest[j] -= step
            at = found
        while at != columns:
            owner[at], at = owner[before[at]], before[at]
    return [(i, j) for j, i in enumerate(owner[:columns]) if i >= 0 and cost[i][j] < 0]


# -- large groups ------------------------------------------------------------------------------------


class _Large:
    """A group of hundreds or thousands of rows: the pairs of each left row, and who is matched so far."""

    def __init__(self, row: Ints, column: Ints, gains: Sequence[Any], rows: int, columns: int) -> None:
        if (np.diff(row) < 0).any():
            order = np.argsort(row, kind="stable")
            row, column, gains = row[order], column[order], [gain[order] for gain in gains]
        self.row, self.column, self.gains = row, column, gains
        self.starts = np.searchsorted(self.row, np.arange(rows))
        self.partners = np.split(self.column, self.starts[1:])
        self.owner = np.full(columns, -1, np.int64)
        self.closed = np.zeros(columns, bool)  # those that no path leads on from
        self.most = min(rows, columns)
        self.has_matrix = rows * columns <= MATRIX_CELLS

    def pairs(self) -> Pairs:
        """The pairs that are matched."""
        first = self.gains[0].astype(np.float64)
        best = np.maximum.reduceat(first, self.starts)
        of_row_alone = bool(np.array_equal(best[self.row], first))
        if self.has_matrix and not of_row_alone:
            return self._assigned(np.arange(len(best)), self._more_pairs_first(first))
        able, open_values = self._match_best(best)
        weights = self._weights_among_equals(able, open_values) if open_values and of_row_alone else None
        if self.has_matrix and weights is not None:
            return self._assigned(able, weights)
        if self.has_matrix:
            return self._assigned(
                np.unique(self.owner[self.owner >= 0]), self._more_pairs_first(self.gains[1].astype(np.float64))
            )
        return [(int(i), j) for j, i in enumerate(self.owner) if i >= 0]

    def _match_best(self, value: Floats) -> tuple[Ints, list[float]]:
        """Match rows by descending value, of equal ones by gain_3, while all of them can keep a partner.

        Returns the rows that some matching of the best values holds, and the values of which each such matching
        leaves out some of these rows.
        """
        last = [self.gains[2][start] for start in self.starts]
        order = sorted(range(len(value)), key=lambda i: (-value[i], -last[i], i))
        able, open_values = [], []
        for each, equal in groupby(order, key=lambda i: value[i]):
            # Whether a row can be matched beside all better ones, and then whether beside its equals as well.
            those = [i for i in equal if self._search(i, match=False)]
            if sum(self._search(i, match=True) for i in those) < len(those):
                open_values.append(float(each))
            able += those
        return np.array(sorted(able), np.int64), open_values

    def _search(self, start: int, match: bool) -> bool:
        """Whether a row can be matched beside all that are, breadth first."""
        came: dict[int, tuple[int, int]] = {-1: (start, -1)}  # column: the row before it, and the column before that
        seen = self.closed.copy()
        waiting = [(start, -1)]
        for row, own in waiting:
            new = self.partners[row][~seen[self.partners[row]]]
            free = new[self.owner[new] < 0]
            if len(free):
                if match:
                    self._turn(int(free[0]), row, own, came)
                return True
            seen[new] = True
            came |= dict.fromkeys(new.tolist(), (row, own))
            waiting += [(int(self.owner[j]), j) for j in new.tolist()]
        self.closed = seen
        return False

    def _turn(self, free: int, row: int, own: int, came: dict[int, tuple[int, int]]) -> None:
        """Match along a path, from its free end."""
        self.owner[free] = row
        while own >= 0:
            free = own
            row, own = came[own]
            self.owner[free] = row

    def _weights_among_equals(self, able: Ints, open_values: list[float]) -> Floats | None:
        """What decides between rows of equal gain_1, as whole numbers in binary64; None where they do not fit.

        Rows that every best matching holds weigh the same; of the others, values are ranked.
        """
        if self.gains[1].dtype.kind == "f" or int(self.gains[1].max()) - int(self.gains[1].min()) >= 2**63:
            return None
        values = np.sort(np.array(open_values))
        is_open = np.isin(self.gains[0], values)
        level = np.where(is_open, np.searchsorted(values, self.gains[0]), len(values))
        steps = self.gains[1] - self.gains[1].min()
        second = steps // max(int(np.gcd.reduce(steps)), 1)
        ranks = np.unique(self.gains[2][is_open])
        third = np.where(is_open, np.searchsorted(ranks, self.gains[2]), 0)
        factors, largest, room = [], 0, 1
        for part in (third, second, level):
            factors.append(room)
            largest += int(part.max()) * room
            room = largest * self.most + 1
        if (largest + room) * self.most >= EXACT:
            return None
        return np.asarray(third + second * factors[1] + level * factors[2] + room, np.float64)

    def _more_pairs_first(self, gain: Floats) -> Floats:
        """Gains, raised so that one more pair outweighs all differences."""
        least, span = float(gain.min()), float(gain.max() - gain.min())
        return np.subtract(gain, least) + (span or 1.0) * (self.most + 1)

    def _assigned(self, rows: Ints, weights: Floats) -> Pairs:
        """The matching of some rows with the largest sum of weights, all of which are positive."""
        from scipy.optimize import linear_sum_assignment  # takes a while to import

        inside = np.isin(self.row, rows)
        matrix = np.zeros((len(rows), len(self.owner)))
        matrix[np.searchsorted(rows, self.row[inside]), self.column[inside]] = weights[inside]
        matched = zip(*linear_sum_assignment(matrix, maximize=True), strict=True)
        return [(int(rows[i]), int(j)) for i, j in matched if matrix[i, j] > 0]
