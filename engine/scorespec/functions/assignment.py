"""One-to-one matching of the pairs of a group: the most pairs, and of such matchings the largest gains.

In a group of ordinary size, gains are compared as exact integers (:func:`largest_assignment`). In a larger group, left
rows are matched in the order of their first gain. That is exact where all pairs of a left row have the same first gain:
sets of left rows that can be matched together form a matroid, where the greedy choice is the best one. The second gain
is then summed in binary64.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Floats, Ints, arrow_ints, numpy_floats, numpy_ints
from scorespec.functions.columns import FINITE, NUMBER, WHOLE, Column
from scorespec.functions.groups import check_room, columns_at, result_schema, whole_groups

ROWS = ("left_row", "right_row")
GAINS = ("gain_1", "gain_2", "gain_3")
COLUMNS = (
    *(Column(name, (WHOLE,)) for name in ROWS),
    *(Column(name, (WHOLE, NUMBER), least=-FINITE, most=FINITE) for name in GAINS),
)
ROW_FACTOR = 4  # bytes of memory for each byte of a row
CELL = 16  # bytes for each cell of a matrix and its copy
EXACT_STEPS = 100_000  # smaller side squared times the larger; a group with more has weights in binary64
MATRIX_CELLS = 16_000_000  # 128 MB; in a group with more, matched rows keep the partner that the search found
EXACT = 2**53  # smaller whole numbers are exact in binary64

Pairs = list[tuple[int, int]]


def matching_schema(input_schema: pa.Schema) -> pa.Schema:
    """The columns of the group, then left_row and right_row (int64)."""
    return matched_schema(input_schema, GAINS)


def matched_schema(input_schema: pa.Schema, gains: Sequence[str]) -> pa.Schema:
    """The columns of the group, then left_row and right_row (int64), for an input with these gains."""
    return result_schema(input_schema, (*ROWS, *gains), [(name, pa.int64()) for name in ROWS])


def best_matching(batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int) -> Iterator[pa.RecordBatch]:
    """Match left and right rows of each group one-to-one.

    The input has a row for each pair that can be matched: left_row and right_row (integers), the gains of the pair
    (gain_1, gain_2, gain_3: finite numbers) and the columns of the group. The rows of a group are adjacent; their order
    decides between matchings of equal gains. The matching has the most pairs possible, of such matchings the largest
    sum of gain_1, then of gain_2, then of gain_3. Yields its pairs.
    """
    schema = matching_schema(input_schema)
    group = schema.names[:-2]
    for table, starts in whole_groups(batches, input_schema, group, room, ROW_FACTOR):
        left, right = numpy_ints(table["left_row"]), numpy_ints(table["right_row"])
        gains = [_numbers(table[name].combine_chunks()) for name in GAINS]
        chosen = [
            start + at
            for start, end in pairwise(starts.tolist())
            for at in _chosen(left[start:end], right[start:end], [gain[start:end] for gain in gains], room)
        ]
        rows = np.array(chosen, np.int64)
        numbers = [arrow_ints(side[rows]) for side in (left, right)]
        yield pa.RecordBatch.from_arrays([*columns_at(table, group, rows), *numbers], schema=schema)


def _chosen(left: Ints, right: Ints, gains: Sequence[Any], room: int) -> list[int]:
    """The indices of the matched pairs of one group, ascending."""
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
    """A column as a numpy array: of int64 for whole numbers, else of float64."""
    return numpy_ints(column) if pa.types.is_integer(column.type) else numpy_floats(column)


# -- exact -------------------------------------------------------------------------------------------


def _weights(gains: Sequence[list[Any]], most: int) -> list[int]:
    """The gains of each pair as one positive integer; sums over up to ``most`` pairs compare as the gains do."""
    weights, above = [0] * len(gains[0]), 1  # ``above`` is more than any sum of weights
    for gain in reversed(gains):
        whole = _whole(gain)
        least = min(whole)
        weights = [weight + (value - least) * above for weight, value in zip(weights, whole, strict=True)]
        above = max(weights) * most + 1
    return [weight + above for weight in weights]  # one more pair outweighs all gains


def _whole(values: list[Any]) -> list[int]:
    """Numbers as integers: each times the least common denominator."""
    if all(isinstance(value, int) for value in values):
        return values
    exact = [Fraction(value) for value in values]
    scale = max(value.denominator for value in exact)  # powers of 2
    return [int(value * scale) for value in exact]


def largest_assignment(row: list[int], column: list[int], weights: list[int], rows: int, columns: int) -> Pairs:
    """The matching with the largest sum of weights: the Hungarian method, in integers of any size."""
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
    """A group of hundreds or thousands of rows: the pairs of each left row, and the matching so far."""

    def __init__(self, row: Ints, column: Ints, gains: Sequence[Any], rows: int, columns: int) -> None:
        if (np.diff(row) < 0).any():
            order = np.argsort(row, kind="stable")
            row, column, gains = row[order], column[order], [gain[order] for gain in gains]
        self.row, self.column, self.gains = row, column, gains
        self.starts = np.searchsorted(self.row, np.arange(rows))
        self.partners = np.split(self.column, self.starts[1:])
        self.owner = np.full(columns, -1, np.int64)
        self.closed = np.zeros(columns, bool)  # columns from which no augmenting path leads on
        self.most = min(rows, columns)
        self.has_matrix = rows * columns <= MATRIX_CELLS

    def pairs(self) -> Pairs:
        """The pairs of the matching."""
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
        """Match rows in descending order of value, then of gain_3, where every row matched so far keeps a partner.

        Returns the rows that occur in some matching of the best values, and the values of which every such matching
        leaves out some row.
        """
        last = [self.gains[2][start] for start in self.starts]
        order = sorted(range(len(value)), key=lambda i: (-value[i], -last[i], i))
        able, open_values = [], []
        for each, equal in groupby(order, key=lambda i: value[i]):
            # Rows that can be matched beside all better rows; then, whether beside rows of equal value as well.
            those = [i for i in equal if self._search(i, match=False)]
            if sum(self._search(i, match=True) for i in those) < len(those):
                open_values.append(float(each))
            able += those
        return np.array(sorted(able), np.int64), open_values

    def _search(self, start: int, match: bool) -> bool:
        """Whether a row can be matched beside all matched rows: a breadth-first search for an augmenting path."""
        before: dict[int, tuple[int, int]] = {
            -1: (start, -1)
        }  # of a column: its row on the path, and the previous column
        seen = self.closed.copy()
        waiting = [(start, -1)]  # rows with their columns; -1 is no column
        for row, column in waiting:
            new = self.partners[row][~seen[self.partners[row]]]
            free = new[self.owner[new] < 0]
            if len(free):
                if match:
                    self._augment(int(free[0]), row, column, before)
                return True
            seen[new] = True
            before |= dict.fromkeys(new.tolist(), (row, column))
            waiting += [(int(self.owner[j]), j) for j in new.tolist()]
        self.closed = seen
        return False

    def _augment(self, free: int, row: int, column: int, before: dict[int, tuple[int, int]]) -> None:
        """Match along a path, from its free end back to the start."""
        self.owner[free] = row
        while column >= 0:
            free = column
            row, column = before[column]
            self.owner[free] = row

    def _weights_among_equals(self, able: Ints, open_values: list[float]) -> Floats | None:
        """Weights that decide between rows of equal gain_1: whole numbers in binary64; None where they do not fit.

        Rows that are in every best matching have one weight; values of the other rows are ranked.
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
        """Gains plus a constant, so that one more pair outweighs all differences of gains."""
        least, span = float(gain.min()), float(gain.max() - gain.min())
        return np.subtract(gain, least) + (span or 1.0) * (self.most + 1)

    def _assigned(self, rows: Ints, weights: Floats) -> Pairs:
        """The matching of some rows with the largest sum of weights. Every weight is positive."""
        from scipy.optimize import linear_sum_assignment  # takes a while to import

        inside = np.isin(self.row, rows)
        matrix = np.zeros((len(rows), len(self.owner)))
        matrix[np.searchsorted(rows, self.row[inside]), self.column[inside]] = weights[inside]
        matched = zip(*linear_sum_assignment(matrix, maximize=True), strict=True)
        return [(int(rows[i]), int(j)) for i, j in matched if matrix[i, j] > 0]
