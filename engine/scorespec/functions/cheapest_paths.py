"""The path of least cost from one sequence to another: which symbols are paired, left out and put in.

Ties are decided as in sclite: seen from the end, a pair comes first, and a symbol is left out only if that costs less
than to put one in. Libraries for edit distances decide ties otherwise, so their paths differ.

The cell (i, j) of a table is the most that pairs can save when the first i symbols of the left sequence are turned into
the first j symbols of the right one. A pair saves what its two symbols cost alone, minus what the pair costs. With
sclite's costs, equal words save 3 + 3 - 0 = 6 and different words 3 + 3 - 4 = 2. A symbol alone saves 0, so that the
cheapest path is the one that saves the most, and a table never falls along a row or a column.

Tables are filled row by row. Several tables are filled side by side, as one row. Of a long table only a band around the
diagonal is filled. A path that leaves the band costs more than a known path.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scorespec.core.arrays import Ints
from scorespec.errors import RunError
from scorespec.functions.function import check_room

if TYPE_CHECKING:
    import numpy.typing as npt

    Costs = npt.NDArray[np.signedinteger]
    Symbols = npt.NDArray[np.signedinteger]
    Steps = npt.NDArray[np.uint8]
else:
    Costs = Symbols = Steps = np.ndarray

COLUMNS_AT_ONCE = 16_000  # of the tables that are filled side by side
FEW_ROWS = 32  # tables of fewer rows are filled together
LONG = 4_000_000  # cells from which only a band of a table is filled
WIDEST_BAND = 3_000  # columns up to which bands are filled side by side
BAND_COLUMNS = 48_000  # of the bands that are filled side by side
MOST_LEVELS = 12  # of what a pair saves, in whole numbers; with more, a row holds numbers instead of bits
STEP_BYTES = 128_000_000  # of the steps that are kept at a time; those of a larger table are computed in parts
MOST_KINDS = 40  # of pairs, by what the symbols cost alone and together
CELLS_AT_ONCE = 100_000  # whose pairs are compared together
KNOWN_BYTES = 32_000_000  # of what the pairs of a symbol with all symbols of a long sequence save
TABLES_AT_ONCE = 4_000_000  # cells of the tables of costs that are filled together
MOST_JOINED = 100  # symbols of one side that are joined
PAIRED, PUT_IN, LEFT_OUT = 0, 1, 2
# Number of symbols that a step consumes on each side. After the three steps above: joins of 2, 3, … left symbols, which
# are paired with one right symbol, and joins of 2, 3, … right symbols.
OF_LEFT = np.array([1, 0, 1, *range(2, MOST_JOINED + 1), *[1] * (MOST_JOINED - 1)])
OF_RIGHT = np.array([1, 1, 0, *[1] * (MOST_JOINED - 1), *range(2, MOST_JOINED + 1)])

Pair = Callable[[Symbols, Symbols], Any]
"""The index, in a list of costs, of the cost of pairing symbols of the left with symbols of the right."""


class SideSequences(NamedTuple):
    """The sequences of one side: starts and lengths; all symbols, and the cost of each without partner (``alone``)."""

    starts: Ints
    counts: Ints
    symbols: Symbols
    alone: Ints

    def placed(self, some: Ints, length: int) -> tuple[Symbols, Ints]:
        """The first symbols of some sequences, and their costs: a column for each sequence.

        Beyond the end of a sequence the values are arbitrary.
        """
        if not len(self.symbols):
            return np.zeros((length, len(some)), np.int64), np.zeros((length, len(some)), np.int64)
        at = np.minimum(self.starts[some] + np.arange(length)[:, None], len(self.symbols) - 1)
        return self.symbols[at], self.alone[at]


class Joins(NamedTuple):
    """Several symbols of one side and one of the other that may be paired without cost.

    The pair of sequences; numbers of symbols of each side up to the end of the join; the step (see ``OF_LEFT``); what
    its symbols cost alone.
    """

    pair: Ints
    left: Ints
    right: Ints
    step: Ints
    saved: Ints


NO_JOINS = Joins(*[np.zeros(0, np.int64)] * len(Joins._fields))


class Paths(NamedTuple):
    """Steps: the pair of sequences, the number of the step in its path, the step; symbols consumed of each side."""

    pair: Ints
    number: Ints
    step: Steps
    left: Ints
    right: Ints


def cheapest_paths(
    left: SideSequences,
    right: SideSequences,
    pair: Pair,
    costs: Sequence[int] | Costs,
    room: int,
    joins: Joins = NO_JOINS,
) -> Iterator[Paths]:
    """The steps of every pair of sequences, some pairs at a time.

    ``pair`` gives the index in ``costs`` of the cost of a pair. Equal symbols must cost nothing, and no cost may be
    negative. Of equally cheap steps, a join comes after a pair. Raises RunError for a pair whose table is too large, or
    needs more than ``room`` bytes.
    """
    values = np.asarray(costs, np.int64)
    joined = np.isin(np.arange(len(left.counts)), joins.pair)
    ends = np.where(joined, 0, _equal_ends(left, right, pair, values))
    rows, columns = left.counts - ends, right.counts - ends
    groups = [np.flatnonzero(each) for each in (~joined, joined)]
    reach = np.full((len(rows), 2), -1)  # diagonals below and above the main one; -1 for pairs that are not long
    long = np.flatnonzero(rows * columns >= LONG)
    for at in long.tolist():
        below, above = (
            (side.symbols[side.starts[at] :][: count[at]], side.alone[side.starts[at] :][: count[at]])
            for side, count in ((left, rows), (right, columns))
        )
        reach[at] = _reach(*below, *above, pair, values)
    widest = [WIDEST_BAND if _small_gains(left, right, long, values) else 0, 0]
    for some in (
        group[each]
        for group, most in zip(groups, widest, strict=True)
        for each in _batches(rows[group], columns[group], reach[group].sum(axis=1) + 1, most)
    ):
        steps = [bytes(count) for count in ends[some].tolist()]  # pairs, from the end of each path
        if rows[some].all() and columns[some].all():
            found = _tables(
                joins if joined[some[0]] else NO_JOINS,
                *(left, right, some, rows[some], columns[some], pair, values, *reach[some].max(axis=0).tolist()),
            ).paths(room)
        else:
            alone = zip(rows[some].tolist(), columns[some].tolist(), strict=True)
            found = [bytes([LEFT_OUT]) * row + bytes([PUT_IN]) * column for row, column in alone]
        paths = [bytes(reversed(end + each)) for end, each in zip(steps, found, strict=True)]
        length = np.array([len(each) for each in paths], np.int64)
        step = np.frombuffer(b"".join(paths), np.uint8)
        number = ranges(np.zeros_like(length), length)
        yield Paths(
            np.repeat(some, length), number, step, *(consumed(number, each[step]) for each in (OF_LEFT, OF_RIGHT))
        )


def cost_tables(left: SideSequences, right: SideSequences, pair: Pair, costs: Costs) -> Iterator[tuple[Ints, Costs]]:
    """The whole cost tables of some pairs of sequences at a time: rows, columns, pairs.

    The cell (i, j) is the cost of turning the first i symbols of the left into the first j symbols of the right.
    """
    for some in _of_like_sizes(left.counts, (left.counts + 1) * (right.counts + 1), TABLES_AT_ONCE):
        symbols, dropped = left.placed(some, int(left.counts[some].max()))
        others, added = right.placed(some, int(right.counts[some].max()))
        table = np.zeros((len(symbols) + 1, len(others) + 1, len(some)), np.int32)
        np.cumsum(added, axis=0, out=table[0, 1:])
        for at, row in enumerate(table[1:]):
            # Within a row the only step is to put in. Relative to the costs of these steps, it is a running minimum.
            row[:] = table[at] - table[0] + dropped[at]
            np.minimum(row[1:], table[at, :-1] + costs.take(pair(symbols[at], others)) - table[0, 1:], out=row[1:])
            np.minimum.accumulate(row, axis=0, out=row)
            row += table[0]
        yield some, table


def consumed(number: Ints, amount: Ints) -> Ints:
    """The sum of ``amount`` along each path, up to and with each step; ``number`` is 0 where a path begins."""
    upto = np.cumsum(amount)
    begin = np.flatnonzero(number == 0)
    before = (upto - amount)[begin]
    return upto - np.repeat(before, np.diff(np.append(begin, len(number))))


def ranges(starts: Ints, counts: Ints) -> Ints:
    """The numbers of some ranges, one range after the other."""
    before = np.cumsum(counts) - counts
    numbers: Ints = np.arange(int(counts.sum())) + np.repeat(starts - before, counts)
    return numbers


def _equal_ends(left: SideSequences, right: SideSequences, pair: Pair, costs: Ints) -> Ints:
    """The number of pairs without cost in which each path ends.

    Such a pair is on the path if no symbol costs more alone than its two symbols do. Take a path that ends without the
    pair (i, j), for example after i alone. If j is paired with k instead, then pairing j with i and leaving out k costs
    no more. The beginning of a path has no such rule: of `a` and `a a`, the last two symbols are paired.
    """
    shorter = np.minimum(left.counts, right.counts)
    if not shorter.any():
        return shorter
    back = ranges(np.ones_like(shorter), shorter)
    at, other = (np.repeat(side.starts + side.counts, shorter) - back for side in (left, right))
    pairs = costs.take(pair(left.symbols[at], right.symbols[other])) == 0
    pairs &= (left.alone[at] == left.alone.max()) & (right.alone[other] == right.alone.max())
    begin = np.cumsum(shorter) - shorter
    unequal = np.append(np.flatnonzero(~pairs), len(pairs))
    equal: Ints = np.minimum(unequal[np.searchsorted(unequal, begin)] - begin, shorter)
    return equal


def _batches(rows: Ints, columns: Ints, widths: Ints, widest: int) -> Iterator[Ints]:
    """The pairs of sequences whose tables are filled together.

    ``widths`` has the columns of the band of a long pair. Bands of up to ``widest`` columns are filled together.
    """
    empty = (rows == 0) | (columns == 0)
    long = ~empty & (rows * columns >= LONG)
    if empty.any():
        yield np.flatnonzero(empty)
    short = np.flatnonzero(~empty & ~long)
    for each in _of_like_sizes(rows[short], columns[short] + 1, COLUMNS_AT_ONCE, FEW_ROWS):
        yield short[each]
    yield from np.flatnonzero(long & (widths > widest))[:, None]
    narrow = np.flatnonzero(long & (widths <= widest))
    for alike in _of_like_sizes(widths[narrow], np.zeros_like(narrow), 1):
        for each in _of_like_sizes(rows[narrow[alike]], widths[narrow[alike]], BAND_COLUMNS):
            yield narrow[alike[each]]


def _of_like_sizes(length: Ints, size: Ints, at_once: int, short: int = 1) -> Iterator[Ints]:
    """Batches of tables of similar lengths: in a batch, every table has as many rows as the longest.

    All lengths up to ``short`` are similar.
    """
    if not len(length):
        return
    order = np.argsort(length, kind="stable")
    octave = np.floor(2 * np.log2(np.maximum(length[order], short) + 1))
    part = np.cumsum(size[order]) // at_once
    yield from np.split(order, np.flatnonzero((np.diff(octave) != 0) | (np.diff(part) != 0)) + 1)


# -- tables side by side -----------------------------------------------------------------------------


def _reach(lefts: Symbols, dropped: Ints, rights: Symbols, added: Ints, pair: Pair, costs: Ints) -> tuple[int, int]:
    """How many diagonals below and above the main one the cheapest path of two sequences can reach.

    A path that reaches a diagonal has symbols alone: some to get there, others to come back to the last cell. It is
    not the cheapest if these cost more than some path does: the one with the fewest edits.
    """
    from rapidfuzz.distance import Levenshtein

    edits = Levenshtein.editops(lefts.tolist(), rights.tolist()).as_list()
    replaced, deleted, inserted = (
        np.array([(at, other) for edit, at, other in edits if edit == name], np.int64).reshape(-1, 2).T
        for name in ("replace", "delete", "insert")
    )
    together = costs.take(pair(lefts[replaced[0]], rights[replaced[1]]))
    apart = dropped[replaced[0]] + added[replaced[1]]
    most = np.minimum(together, apart).sum() + dropped[deleted[0]].sum() + added[inserted[1]].sum()
    drop, add = (np.append(0, np.cumsum(np.sort(each))) for each in (dropped, added))
    longer = len(rights) - len(lefts)
    below, above = (
        first + int(np.searchsorted(there[first:] + back[first - more :], most, "right")) - 1
        for there, back, more, first in ((drop, add, -longer, max(-longer, 0)), (add, drop, longer, max(longer, 0)))
    )
    return below, above


class _Tables(ABC):
    """Tables side by side. The columns of a table are its column 0, then one for each symbol of its right sequence.

    Of a long table, only a band of ``width`` columns is filled, which has the diagonals from ``below`` the main one to
    ``above`` it. (If there is no band, ``below`` is -1.) The row i, whose last left symbol is the i-th, begins
    at the column ``low[i]``. What cells outside of the band save is not overestimated.
    """

    most_cells: int
    spare = 0  # diagonals that joins can reach in addition

    def __init__(
        self,
        left: SideSequences,
        right: SideSequences,
        some: Ints,
        rows: Ints,
        columns: Ints,
        pair: Pair,
        costs: Ints,
        below: int,
        above: int,
    ) -> None:
        self.rows, self.columns, self.pair, self.costs = rows, columns, pair, costs
        self.joined: dict[tuple[int, int], int] = {}  # the joins that are last steps, by row and column
        self.sizes = f"{left.counts[some].max():,} and {right.counts[some].max():,}"
        self.begins = np.cumsum(columns + 1) - columns - 1
        self.of = np.repeat(np.arange(len(some)), columns + 1) if len(some) > 1 else np.zeros(1, np.int64)
        at = np.maximum(ranges(right.starts[some] - 1, columns + 1), 0)
        self.symbols, self.added = right.symbols[at], right.alone[at]
        self.lefts, self.dropped = left.placed(some, int(rows.max()))
        self.width = min(below + above + 1 + 2 * self.spare, len(at)) if below >= 0 else len(at)
        self.low: list[int] = np.clip(
            np.arange(len(self.lefts) + 1) - below - self.spare, 0, len(at) - self.width
        ).tolist()

    @abstractmethod
    def first(self) -> Any:
        """The row before all left symbols."""

    @abstractmethod
    def after(self, before: Any, row: int) -> tuple[Any, Any, Any]:
        """The row of the left symbol ``row``, from 1 on, and two sets of columns.

        In the columns of the first set, the last step is a pair. In those of the second set, it is to put in, unless it
        is a pair or a join.
        """

    @abstractmethod
    def packed(self, columns: Any) -> bytes:
        """A set of columns, a bit for each."""

    def paths(self, room: int) -> list[bytearray]:
        """The steps of each path, from its end. Raises RunError for a band that is too large."""
        rows, row_bytes = len(self.lefts), self.width // 4 + 1
        if rows * self.width > self.most_cells and len(self.rows) == 1:
            raise RunError(
                f"sequences of {self.sizes} are too long to be aligned as a whole; divide them into segments"
            )
        check_room(min(rows * row_bytes, STEP_BYTES), room, f"to align sequences of {self.sizes}")
        part = max(STEP_BYTES // row_bytes, 1)
        states = [self.first()]
        for begin in range(0, rows - part, part):
            state = states[-1]
            for row in range(begin + 1, begin + part + 1):
                state, *_ = self.after(state, row)
            states.append(state)
        paths, places = (
            [bytearray() for _ in self.rows],
            list(zip(self.rows.tolist(), self.columns.tolist(), strict=True)),
        )
        for number in reversed(range(len(states))):
            begin, state, steps = number * part, states[number], []
            for row in range(begin + 1, min(begin + part, rows) + 1):
                state, *sets = self.after(state, row)
                steps.append([self.packed(each) for each in sets])
            for index, (path, first) in enumerate(zip(paths, self.begins.tolist(), strict=True)):
                places[index] = _walked(path, steps, self.joined, self.low, begin, first, *places[index])
        for path, (row, column) in zip(paths, places, strict=True):
            path.extend(bytes([LEFT_OUT]) * row + bytes([PUT_IN]) * column)
        return paths


def _walked(
    path: bytearray,
    steps: list[list[bytes]],
    joined: dict[tuple[int, int], int],
    low: list[int],
    begin: int,
    first: int,
    row: int,
    column: int,
) -> tuple[int, int]:
    """Follow a path back until the row ``begin`` or column 0. Returns the cell, and adds its steps to the path."""
    while row > begin and column:
        paired, put_in = steps[row - 1 - begin]
        place = first + column - low[row]
        byte, bit = place >> 3, 1 << (place & 7)
        if paired[byte] & bit:
            path.append(PAIRED)
            row -= 1
            column -= 1
        elif joined and (step := joined.get((row, first + column))):
            path.append(step)
            row -= int(OF_LEFT[step])
            column -= int(OF_RIGHT[step])
        elif put_in[byte] & bit:
            path.append(PUT_IN)
            column -= 1
        else:
            path.append(LEFT_OUT)
            row -= 1
    return row, column


class _Numbers(_Tables):
    """Rows of numbers, with one number more before the first column. A state is the rows in which a join can begin."""

    most_cells = 4_000_000_000

    def __init__(self, joins: Joins, left: SideSequences, right: SideSequences, some: Ints, *given: Any) -> None:
        here = Joins(*(each[np.isin(joins.pair, some)] for each in joins))
        sizes = OF_LEFT[here.step], OF_RIGHT[here.step]
        # Symbols that joins need not leave out or put in: a symbol is the last of one join on a path.
        several = np.column_stack((here.step, np.where(sizes[0] > 1, here.left, here.right)))
        self.spare = int((OF_LEFT + OF_RIGHT - 2)[np.unique(several, axis=0)[:, 0]].sum())
        self.kept = int(sizes[0].max(initial=1))
        super().__init__(left, right, some, *given)
        order = np.argsort(some)
        column = self.begins[order[np.searchsorted(some, here.pair, sorter=order)]] + here.right
        self.joins: dict[int, list[tuple[int, int, int]]] = {}  # of a row: column, step, what is saved
        for row, *each in zip(
            here.left.tolist(), column.tolist(), here.step.tolist(), here.saved.tolist(), strict=True
        ):
            self.joins.setdefault(row, []).append((each[0], each[1], each[2]))

    def first(self) -> Any:
        # Each table begins far above the table before it, so that nothing reaches from one into the next.
        most = len(self.lefts) + int(self.columns.max())
        far = (int(self.added.max()) + int(self.dropped.max())) * (most + 1) + 1
        self.added[self.begins] = -far  # nothing is paired in a column 0
        above = np.repeat(far * np.arange(len(self.rows)), self.columns + 1)[: self.width]
        return [np.append(0, above)]

    def after(self, before: Any, row: int) -> tuple[Any, Any, Any]:
        low, above = self.low[row], before[-1]
        here = slice(low, low + self.width)
        if low > self.low[row - 1]:
            above = np.append(above[1:], above[-1])
        saved = self.dropped[row - 1][self.of] + self.added[here]
        saved -= self.costs.take(self.pair(self.lefts[row - 1][self.of], self.symbols[here]))
        saved += above[:-1]
        after = above.copy()
        np.maximum(after[1:], saved, out=after[1:])
        joins = list(self._joins(before, row))
        for at, _, value in joins:
            after[at] = max(after[at], value)
        np.maximum.accumulate(after, out=after)
        self.joined.update({(row, at + low - 1): step for at, step, value in joins if after[at] == value})
        return [*before, after][-self.kept :], saved == after[1:], after[1:] == after[:-1]

    def _joins(self, before: Any, row: int) -> Iterator[tuple[int, int, int]]:
        """The joins that end in a row: the place in the row, the step, what is saved up to its end."""
        for column, step, saved in self.joins.get(row, ()):
            back = int(OF_LEFT[step])
            begin = column - int(OF_RIGHT[step]) - self.low[row - back]
            if 0 <= begin < self.width and 0 <= column - self.low[row] < self.width:
                yield column - self.low[row] + 1, step, int(before[-back][begin + 1]) + saved

    def packed(self, columns: Any) -> bytes:
        return _packed(columns)


class _Bits(_Tables):
    """Rows of differences, as sets of columns: those in which what is saved grows by at least 1, by at least 2, ….

    A set is a whole number with a bit for each column, so that one operation handles a whole row. With a = the
    difference of the two cells above, v = the difference of the two cells before, and g = what the pair saves, the cell
    saves d = max(g, a, v) more than the cell diagonally before it. Then d - a is the v of the next column, and d - v is
    the a of the next row. Every v depends on the v before it; the addition of whole numbers carries it through columns
    in which a is 0. See Hyyrö (2003), and Loving, Hernandez and Benson (2014) for costs that are small whole numbers.
    """

    most_cells = 20_000_000_000

    def __init__(self, gains: dict[tuple[int, int, int], int], *given: Any) -> None:
        super().__init__(*given)
        self.gains, self.top = gains, max(gains.values())
        inner = np.ones(len(self.symbols), np.bool_)
        inner[self.begins] = False
        self.all, self.inner = (1 << self.width) - 1, as_number(inner)
        self.put_in = {added: as_number(self.added == added) for _, added, _ in gains}
        self.known: dict[tuple[int, int], list[int]] = {}

    def first(self) -> Any:
        return [0] * self.top

    def after(self, before: Any, row: int) -> tuple[Any, Any, Any]:
        every = self.all
        before, inner, (possible, *gains) = self._here(before, row)
        after, differences = row_of_bits(before, gains, inner, every)
        beaten, last = 0, inner  # what is beaten is known from the lowest level of those with equal gains
        for level, gain in enumerate(gains):
            if gain is not last:
                last = gain
                beaten |= (before[level] | differences[level] | gain) ^ gain
        return after, (possible | beaten) ^ beaten, every ^ after[0]

    def _here(self, before: list[int], row: int) -> tuple[list[int], int, list[int]]:
        """What a row is computed from.

        The row before it, moved to the columns of the band; the columns in which a pair can end, and those in which the
        pair of the left symbol saves at least 0, at least 1, ….
        """
        low = self.low[row]
        if low > self.low[row - 1]:
            before = [each >> 1 for each in before]
        inner = self.inner if self.width == len(self.symbols) else self.all ^ (low == 0)
        if len(self.rows) > 1:
            symbols, dropped = self.lefts[row - 1], self.dropped[row - 1]
            kind = self.pair(symbols[self.of], self.symbols)
            kinds = [as_number(kind == each) for each in range(len(self.costs) - 1)]
            costs = set(dropped.tolist())
            gains = self._gains(kinds, {cost: as_number(dropped[self.of] == cost) for cost in costs})
        else:
            key = int(self.lefts[row - 1, 0]), int(self.dropped[row - 1, 0])
            if key not in self.known:
                self._know(row)
            gains = self.known[key]
        here, last, columns = [], self.inner, inner
        for each in gains:
            if each is not last:
                last, columns = each, each >> low & self.all
            here.append(columns)
        return before, inner, here

    def _know(self, row: int) -> None:
        """Keep the gains of a left symbol, and those of some symbols after it, which are computed together."""
        if len(self.known) * len(self.symbols) * len(self.put_in) > 8 * KNOWN_BYTES:
            self.known.clear()
        some = slice(row - 1, row - 1 + max(CELLS_AT_ONCE // len(self.symbols), 1))
        keys = zip(self.lefts[some, 0].tolist(), self.dropped[some, 0].tolist(), strict=True)
        fresh = list(dict.fromkeys(key for key in keys if key not in self.known))
        kind = self.pair(np.array([symbol for symbol, _ in fresh])[:, None], self.symbols)
        kinds = [as_numbers(kind == each) for each in range(len(self.costs) - 1)]
        for key, *of_symbol in zip(fresh, *kinds, strict=True):
            self.known[key] = self._gains(of_symbol, {key[1]: self.inner})

    def _gains(self, kinds: list[int], alone: dict[int, int]) -> list[int]:
        """The same of all columns. Equal numbers are one object, which is ``inner`` for all columns.

        ``kinds`` has the columns of each kind of pair but the last, and ``alone`` those of each cost of a left symbol.
        """
        kinds = [self.inner & each for each in kinds]
        kinds.append(self.inner & ~sum(kinds))
        found, columns = [0] * (self.top + 1), 0
        for level in reversed(range(self.top + 1)):
            more = columns
            for (left_out, put_in, each), gain in self.gains.items():
                if gain == level and left_out in alone:
                    more |= alone[left_out] & self.put_in[put_in] & kinds[each]
            if more != columns:
                columns = self.inner if more == self.inner else more
            found[level] = columns
        return found

    def packed(self, columns: Any) -> bytes:
        found: bytes = columns.to_bytes(self.width // 8 + 1, "little")
        return found


class _Bands(_Bits):
    """The bands of several long tables side by side.

    Each band begins with an empty column, which separates it from the band before it. In each row it moves by a column.
    Columns before the first and after the last column of a table save nothing.
    """

    def __init__(
        self,
        gains: dict[tuple[int, int, int], int],
        left: SideSequences,
        right: SideSequences,
        some: Ints,
        rows: Ints,
        columns: Ints,
        pair: Pair,
        costs: Ints,
        below: int,
        above: int,
    ) -> None:
        self.gains, self.top = gains, max(gains.values())
        self.rows, self.columns, self.pair, self.costs = rows, columns, pair, costs
        self.joined, self.sizes = {}, f"{left.counts[some].max():,} and {right.counts[some].max():,}"
        self.band = below + above + 1
        self.begins = np.arange(len(some)) * (self.band + 1) + 1
        self.width = len(some) * (self.band + 1)
        self.lefts, self.dropped = left.placed(some, int(rows.max()))
        self.low = list(range(-below, len(self.lefts) + 1 - below))
        # The columns of all rows but the row 0. The bands of the row i begin at the i-th, with the empty column.
        column = np.arange(-below, len(self.lefts) + above + 1)
        self.there = (column >= 1) & (column <= columns[:, None])
        at = np.clip(right.starts[some, None] + column - 1, 0, len(right.symbols) - 1)
        self.symbols, self.added = right.symbols[at], right.alone[at]
        kept = np.ones((len(some), self.band + 1), np.bool_)
        kept[:, [0, -1]] = False
        self.all, self.kept = (1 << self.width) - 1, as_number(kept)
        kept[:, -1] = True
        self.filled = as_number(kept)
        self.costs_alone = [np.unique(each).tolist() for each in (self.dropped, self.added)]

    def _here(self, before: list[int], row: int) -> tuple[list[int], int, list[int]]:
        here, dropped = slice(row - 1, row + self.band), self.dropped[row - 1]
        self.inner = inner = as_number(self.there[:, here]) & self.filled
        kind = self.pair(self.lefts[row - 1][:, None], self.symbols[:, here])
        kinds = [as_number(kind == each) for each in range(len(self.costs) - 1)]
        alone, self.put_in = (
            {cost: -1 if len(costs) == 1 else as_number(np.broadcast_to(side == cost, kind.shape)) for cost in costs}
            for costs, side in zip(self.costs_alone, (dropped[:, None], self.added[:, here]), strict=True)
        )
        return [each >> 1 & self.kept for each in before], inner, self._gains(kinds, alone)


def row_of_bits(before: list[int], gains: list[int], inner: int, every: int) -> tuple[list[int], list[int]]:
    """The row after ``before``, and the differences within columns (v): sets of columns, as in ``_Bits``.

    ``gains`` has the columns in which the pair saves at least 1, at least 2, …; where all of ``inner`` do, it is that
    object. ``inner`` has all columns but the columns 0, and ``every`` all columns.
    """
    top = len(gains)
    levels = range(top)
    at_most = [every ^ each for each in before]  # the columns in which a is at most 0, 1, …
    through = at_most[0] & inner
    differences, either = [0] * top, gains[:]  # v, in the next column, and the larger of v and g
    for level in reversed(levels):
        gain = gains[level]
        found = through if gain is inner else through & gain
        for less in range(1, top - level):
            found |= at_most[less] & either[level + less]
        if gain is not inner:
            run = found << 1 & through
            found |= run | (run + through ^ through) & through
        differences[level] = found = found << 1 & inner
        if gain is not inner:
            either[level] |= found
    either = [gain if gain is inner else gain | each for gain, each in zip(gains, before, strict=True)]
    at_most = [every ^ each for each in differences]
    after = [at_most[0] & each for each in either]
    for level in levels:
        for less in range(1, top - level):
            after[level] |= at_most[less] & either[level + less]
    return after, differences


def _tables(joins: Joins, left: SideSequences, right: SideSequences, some: Ints, *given: Any) -> _Tables:
    """Tables of bits, if what a pair saves is a small multiple of a common unit, otherwise or with joins of numbers."""
    *_, costs, below, _ = given
    gains = {} if joins is not NO_JOINS else _small_gains(left, right, some, costs)
    if not gains:
        return _Numbers(joins, left, right, some, *given)
    return (_Bands if len(some) > 1 and below >= 0 else _Bits)(gains, left, right, some, *given)


def _small_gains(left: SideSequences, right: SideSequences, some: Ints, costs: Ints) -> dict[tuple[int, int, int], int]:
    """What pairs save, by the costs of their symbols alone and the kind of pair; nothing if no unit divides it well."""
    alone = [np.unique(side.alone[ranges(side.starts[some], side.counts[some])]).tolist() for side in (left, right)]
    if len(alone[0]) * len(alone[1]) * len(costs) > MOST_KINDS:
        return {}
    saved = {
        (one, other, kind): one + other - cost
        for one in alone[0]
        for other in alone[1]
        for kind, cost in enumerate(costs.tolist())
        if one + other >= cost
    }
    unit = gcd(*saved.values())
    small = saved and 0 < max(saved.values()) <= MOST_LEVELS * unit
    return {key: each // unit for key, each in saved.items()} if small else {}


def _packed(columns: Any) -> bytes:
    found: bytes = np.packbits(columns, bitorder="little").tobytes()
    return found


def as_number(columns: Any) -> int:
    """A set of columns as a number."""
    return int.from_bytes(_packed(columns), "little")


def as_numbers(columns: Any) -> list[int]:
    """A set of columns of each row, as numbers."""
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(columns, axis=1, bitorder="little")]
