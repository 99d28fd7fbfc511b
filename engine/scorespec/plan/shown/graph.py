"""Lays a graph of steps out in rows: what a step reads is above it, and a row holds only a few steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import permutations

COLUMNS = 4  # steps next to each other, so that their names can be read in half of a laptop's screen
BOX = 132, 38  # width and height of a step
GAP = 26, 30  # between columns, where long lines run, and between rows
LANES = (0, -4, 4, -8, 8)  # places of lines next to each other between two columns
SWEEPS = 4

Cell = tuple[int, int]  # row and column


@dataclass(frozen=True)
class GraphLayout:
    """The place of each step (the upper left corner of its box), and the line of each pair of a step and its reader."""

    corners: Mapping[str, tuple[int, int]]
    lines: Mapping[tuple[str, str], str]
    width: int
    height: int


def layout(reads: Mapping[str, Set[str]]) -> GraphLayout:
    """Lay out steps, in an order in which each comes after those that it ``reads``."""
    rows = _rows(reads)
    cells = _cells(rows, reads)
    corners = {name: _corner(*cell) for name, cell in cells.items()}
    lines = _Lines(cells).drawn(reads)
    width, height = _corner(len(rows), COLUMNS)
    return GraphLayout(corners, lines, width, height)


def _rows(reads: Mapping[str, Set[str]]) -> list[list[str]]:
    """The steps of each row: as low as their readers and the width allow, with the inputs at the top."""
    depths: dict[str, int] = {}  # row from below
    filled: dict[int, list[str]] = {}
    for name in reversed([each for each, above in reads.items() if above]):
        depth = max((depths[reader] + 1 for reader, above in reads.items() if name in above), default=0)
        while len(filled.get(depth, ())) == COLUMNS:
            depth += 1
        depths[name] = depth
        filled.setdefault(depth, []).append(name)
    inputs = [each for each, above in reads.items() if not above]
    top = [inputs[at : at + COLUMNS] for at in range(0, len(inputs), COLUMNS)]
    return [*top, *(filled[depth][::-1] for depth in sorted(filled, reverse=True))]


def _cells(rows: Sequence[Sequence[str]], reads: Mapping[str, Set[str]]) -> dict[str, Cell]:
    """The row and column of each step: near those that it reads and those that read it."""
    readers = {name: {other for other, above in reads.items() if name in above} for name in reads}
    columns = {name: place for row in rows for place, name in enumerate(row)}
    for sweep in range(SWEEPS):
        near = reads if sweep % 2 == 0 else readers
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wished = [_mean([columns[each] for each in near[name]], columns[name]) for name in row]
            columns |= dict(zip(row, _nearest_columns(wished), strict=True))
    return {name: (number, columns[name]) for number, row in enumerate(rows) for name in row}


def _mean(values: Sequence[int], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _nearest_columns(wished: Sequence[float]) -> tuple[int, ...]:
    """A column for each step of a row, so that all are near to the wished ones."""

    def cost(columns: tuple[int, ...]) -> float:
        return sum((column - wish) ** 2 for column, wish in zip(columns, wished, strict=True))

    return min(permutations(range(COLUMNS), len(wished)), key=cost)


def _corner(row: int, column: int) -> tuple[int, int]:
    return GAP[0] + column * (BOX[0] + GAP[0]), GAP[1] // 2 + row * (BOX[1] + GAP[1])


@dataclass
class _Lines:
    """Lines from each step to its readers. A line over several rows runs between two columns, in a lane of its step."""

    cells: Mapping[str, Cell]
    taken: dict[tuple[int, int], list[tuple[range, str]]] = field(default_factory=dict)

    def drawn(self, reads: Mapping[str, Set[str]]) -> dict[tuple[str, str], str]:
        """The line of each pair, as the data of an SVG path; short lines first."""
        pairs = [(source, reader) for reader, above in reads.items() for source in sorted(above)]
        pairs.sort(key=lambda pair: self.cells[pair[1]][0] - self.cells[pair[0]][0])
        lines = {pair: self._line(*pair) for pair in pairs}
        return {(source, reader): lines[source, reader] for source, reader in sorted(lines)}

    def _line(self, source: str, reader: str) -> str:
        (from_row, from_column), (to_row, to_column) = self.cells[source], self.cells[reader]
        x, y = _corner(from_row, from_column)
        x, y = x + BOX[0] // 2, y + BOX[1]
        to_x, to_y = _corner(to_row, to_column)
        to_x += BOX[0] // 2
        if to_row == from_row + 1:
            return f"M{x} {y}{_bend(y, to_x, to_y, x)}"
        lane = self._lane(source, range(from_row + 1, to_row), (from_column + to_column + 1) / 2)
        turn, end = y + GAP[1], to_y - GAP[1]
        return f"M{x} {y}{_bend(y, lane, turn, x)}V{end}{_bend(end, to_x, to_y, lane)}"

    def _lane(self, source: str, rows: range, middle: float) -> int:
        """Where a line crosses some rows: in the nearest gap between columns that has room, or next to its own line."""
        gaps = sorted(range(COLUMNS + 1), key=lambda gap: abs(gap - middle))
        places = [(gap, lane) for gap in gaps for lane in LANES]
        gap, lane = next((each for each in places if self._is_free(each, source, rows)), places[0])
        self.taken.setdefault((gap, lane), []).append((rows, source))
        return gap * (BOX[0] + GAP[0]) + GAP[0] // 2 + lane

    def _is_free(self, place: tuple[int, int], source: str, rows: range) -> bool:
        return all(
            other == source or rows.stop <= taken.start or taken.stop <= rows.start
            for taken, other in self.taken.get(place, ())
        )


def _bend(y: int, to_x: int, to_y: int, x: int) -> str:
    middle = (y + to_y) // 2
    return f"C{x} {middle} {to_x} {middle} {to_x} {to_y}"
