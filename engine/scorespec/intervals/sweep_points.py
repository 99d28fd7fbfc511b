"""The points of a sweep in replicates: thresholds with the sums of the rows that they accept, and their components."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Floats, Ints, arrow_floats, arrow_ints, numpy_floats, numpy_ints
from scorespec.intervals.block_sums import ROWS_AT_ONCE, Slice, Sums, numbers, slices_of
from scorespec.intervals.resampled_scores import ResampledSweep
from scorespec.plan.rendering.templates import quoted
from scorespec.run.session import Session
from scorespec.statistics import Draws, RankedRows, best_of_resamples, rank_rows

WALKED_AT_ONCE = 2**22  # rows of replicates that are added up together
COMBINATIONS = (0.25, 0.7)  # parts of the sums of all rows, for which an objective is compared with a sum over rows
ROUNDING = 1e-9  # relative; larger differences show that an objective is no sum over rows


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """The rows of cells by score and block, in the order of ``cell``: ``statistics`` is rows × statistics."""

    cell: Ints
    block: Ints
    scores: Floats
    statistics: Floats

    def of_cell(self, cell: int) -> ScoredRows:
        """The rows of one cell."""
        first, last = np.searchsorted(self.cell, (cell, cell + 1))
        own = slice(first, last)
        return ScoredRows(self.cell[own], self.block[own], self.scores[own], self.statistics[own])

    def thresholds(self, cells: Ints) -> int:
        """The number of different scores of some cells together."""
        return sum(len(np.unique(self.of_cell(cell).scores)) for cell in cells.tolist())


def read_rows(session: Session, sweep: ResampledSweep, blocks: pa.ChunkedArray) -> ScoredRows:
    """The rows of a sweep; cells are numbered as in its sums of blocks."""
    found = _rows_of_cells(session, sweep, sweep.swept.rows, "threshold", blocks)
    return ScoredRows(found.cell, found.block, numpy_floats(found.points.combine_chunks()), found.statistics)


def read_marked(session: Session, sweep: ResampledSweep, blocks: pa.ChunkedArray) -> dict[tuple[int, str], Floats]:
    """For each cell and marked point, the statistics of the marked rows of each block: blocks × statistics."""
    if sweep.swept.marked is None:
        return {}
    found = _rows_of_cells(session, sweep, sweep.swept.marked, "mark", blocks)
    sums: dict[tuple[int, str], Floats] = {}
    for at, (cell, mark) in enumerate(zip(found.cell.tolist(), found.points.to_pylist(), strict=True)):
        of_point = sums.setdefault((cell, mark), np.zeros((len(blocks), found.statistics.shape[1])))
        of_point[found.block[at]] = found.statistics[at]
    return sums


@dataclass(frozen=True, eq=False)
class _RowsOfCells:
    """Rows of blocks in the order of ``cell``; ``points`` has the score or mark of each."""

    cell: Ints
    block: Ints
    points: pa.ChunkedArray
    statistics: Floats


def _rows_of_cells(
    session: Session, sweep: ResampledSweep, table: str, point: str, blocks: pa.ChunkedArray
) -> _RowsOfCells:
    """The rows of a table by score or mark; cells are numbered as in the sums of blocks of the sweep."""
    sums = sweep.scores.sums[0]
    keys = ", ".join(map(quoted, sums.keys))
    numbered = f"SELECT DISTINCT {keys}, dense_rank() OVER (ORDER BY {keys}) - 1 AS cell FROM {quoted(sums.table)}"
    both = [quoted(key) for key in sums.keys if key != "slice"]
    agree = " AND ".join(f"scored.{key} IS NOT DISTINCT FROM cells.{key}" for key in both)
    columns = ", ".join(f"scored.{quoted(name)}" for name in ("unit_block", point, *sums.statistics))
    found = session.table(
        f"SELECT cells.cell, {columns} FROM {quoted(table)} AS scored JOIN ({numbered}) AS cells ON {agree}"
    )
    cell = numpy_ints(found["cell"])
    order = np.argsort(cell, kind="stable")
    block = numpy_ints(pc.index_in(found["unit_block"], value_set=blocks.combine_chunks()))
    statistics = np.stack([numpy_floats(found[name].combine_chunks()) for name in sums.statistics], axis=1)
    return _RowsOfCells(cell[order], block[order], found[point].take(arrow_ints(order)), statistics[order])


@dataclass(frozen=True, eq=False)
class Points:
    """Thresholds of cells in replicates, in the order of ``replicate``, each with the sums of its accepted rows."""

    replicate: Ints
    cell: Ints
    thresholds: Floats
    accepted: Floats

    def of_replicates(self, part: slice) -> Points:
        """The points of some replicates, which are numbered from 0."""
        first, last = np.searchsorted(self.replicate, (part.start, part.stop))
        inside = slice(first, last)
        replicate = self.replicate[inside] - part.start
        return Points(replicate, self.cell[inside], self.thresholds[inside], self.accepted[inside])


class SweepSql:
    """The queries of a sweep over replicates of some cells: ``totals`` are sums of all rows, replicates × cells × …"""

    def __init__(self, session: Session, sweep: ResampledSweep, cells: Sums) -> None:
        self._session, self._sweep, self._cells = session, sweep, cells
        self.slices: list[Slice] = []  # known after the first query of components

    def components(self, totals: Floats, points: Points) -> Floats:
        """The components at the best of the points of each replicate: replicates × slices × components."""
        size = max(1, ROWS_AT_ONCE // max(1, totals.shape[1]))
        parts = (slice(at, min(at + size, len(totals))) for at in range(0, len(totals), size))
        return np.concatenate([self._components(totals[part], points.of_replicates(part)) for part in parts])

    def _components(self, totals: Floats, points: Points) -> Floats:
        taken = self._cells.cells.take(arrow_ints(points.cell))
        rank = np.ones(len(points.cell), np.int64)  # above 0, which means that no row is accepted
        with self._reading(self._cells.table(totals.reshape(len(totals), -1)), taken, points, rank):
            rows = self._session.table(self._sweep.scores.sql)
        self.slices = self.slices or slices_of(rows)
        columns = [numbers(rows[name]) for name in self._sweep.scores.components]
        return np.stack(columns, axis=1).reshape(len(totals), len(self.slices), len(columns))

    def at_points(self, component: str, totals: Floats, accepted: Floats) -> Floats:
        """A component at points of each replicate and cell, from replicates × cells × points × statistics."""
        replicates, cells, number, statistics = accepted.shape
        flat, at_points = totals.reshape(-1, statistics), accepted.reshape(-1, number, statistics)
        size = max(1, ROWS_AT_ONCE // number)
        parts = (slice(at, min(at + size, len(flat))) for at in range(0, len(flat), size))
        every = [
            self._at_points(component, np.arange(len(flat))[part] % cells, flat[part], at_points[part])
            for part in parts
        ]
        return np.concatenate(every).reshape(replicates, cells, number)

    def _at_points(self, component: str, cell: Ints, totals: Floats, accepted: Floats) -> Floats:
        """A component, where each replicate has only one cell: replicates × points."""
        replicates, number = accepted.shape[:2]
        keys = self._cells.cells.take(arrow_ints(cell))
        table = _with_columns(keys, np.arange(replicates), dict(zip(self._cells.of.statistics, totals.T, strict=True)))
        replicate, rank = np.repeat(np.arange(replicates), number), np.tile(np.arange(1, number + 1), replicates)
        every = accepted.reshape(-1, accepted.shape[2])
        points = Points(replicate, cell[replicate], np.full(len(replicate), np.nan), every)
        taken = keys.take(arrow_ints(replicate))
        with self._reading(table, taken, points, rank):
            rows = self._session.table(self._sweep.swept.objective)
        found = rows.filter(pc.greater(rows["rank"], arrow_ints(np.zeros(1))[0]))
        return numbers(found[component]).reshape(replicates, number)

    @contextmanager
    def _reading(self, sums: pa.Table, keys: pa.Table, points: Points, rank: Ints) -> Iterator[None]:
        """Inside the block, SQL can read the sums of all rows of replicates, and points of replicates."""
        columns = {
            "threshold": points.thresholds,
            **dict(zip(self._cells.of.statistics, points.accepted.T, strict=True)),
        }
        table = _with_columns(keys.drop_columns(["slice"]), points.replicate, columns)
        table = table.append_column("rank", arrow_ints(rank))
        reading = self._session.reading
        with reading(self._cells.of.replicates, sums), reading(self._sweep.swept.points, table):
            yield


def _with_columns(keys: pa.Table, replicates: Ints, columns: Mapping[str, Floats]) -> pa.Table:
    """The keys of cells with the number of a replicate, and further columns."""
    named = dict(zip(keys.schema.names, keys.columns, strict=True)) | {"replicate": arrow_ints(replicates)}
    return pa.table(named | {name: arrow_floats(values) for name, values in columns.items()})


@dataclass(frozen=True, eq=False)
class SumOfRows:
    """A component that is a sum over the accepted rows: ``offset`` + ``factor`` · Σ of the ``weights`` of statistics.

    ``offset`` and ``factor`` are those of each replicate and cell, ``weights`` those of each cell and statistic.
    Because the weights are the same in all replicates, the best threshold of a replicate is found without SQL.
    """

    offset: Floats
    factor: Floats
    weights: Floats


def sum_of_rows(sql: SweepSql, component: str, totals: Floats) -> SumOfRows | None:
    """A component as a sum over the accepted rows; None if it is not such a sum. Replicate 0 is the whole corpus.

    The weights follow from the component where no row is accepted, and where all of one statistic are. Where parts of
    all statistics are accepted, the sum must agree with the component.
    """
    statistics = totals.shape[-1]
    scale = np.where(totals[0] != 0, np.abs(totals[0]), 1.0)
    mixed = [[parts[each % len(parts)] for each in range(statistics)] for parts in (COMBINATIONS, COMBINATIONS[::-1])]
    fractions = np.concatenate((np.zeros((1, statistics)), np.eye(statistics), np.array(mixed)))
    shape = (*totals.shape[:2], *fractions.shape)
    found = sql.at_points(component, totals, np.broadcast_to(fractions * scale[:, None], shape))
    offset, slopes = found[..., 0], found[..., 1 : statistics + 1] - found[..., :1]
    base = slopes[0]
    defined, known = np.isfinite(offset), np.isfinite(base).all(axis=-1)
    with np.errstate(all="ignore"):
        factor = (slopes * base).sum(axis=-1) / (base**2).sum(axis=-1)
        size = np.abs(offset) + np.abs(slopes).sum(axis=-1)
        sums = offset[..., None] + factor[..., None] * (base @ fractions[1:].T)
        agree = (np.abs(found[..., 1:] - sums) <= ROUNDING * size[..., None]).all(axis=-1) & (factor > 0)
    flat = (found == found[..., :1]).all(axis=-1)  # no threshold is better than another
    if not (agree | flat | ~defined | ~known).all():
        return None
    factor, base = np.where(agree, factor, 1.0), np.where(known[:, None], base, 0.0)
    return SumOfRows(offset, factor, base / scale)


@dataclass(frozen=True, eq=False)
class BestOfCell:
    """The sorted rows of a cell, with the objective as values, and the end of those accepted in the whole corpus."""

    rows: RankedRows
    end: int


def best_points(
    rows: ScoredRows, cells: Ints, draws: Draws, replicates: int, sweep: ResampledSweep, objective: SumOfRows
) -> tuple[Points, list[BestOfCell]]:
    """The best point of each cell in the corpus, its resamples and the corpus without each block, in this order."""
    swept, sign = sweep.swept, 1.0 if sweep.swept.largest else -1.0
    every, found = [], []
    for at, cell in enumerate(cells.tolist()):
        own = rows.of_cell(cell)
        values = sign * (own.statistics @ objective.weights[at])
        ranked = rank_rows(own.scores, own.block, values, own.statistics, draws.blocks)
        ties = swept.tie / objective.factor[:, at]
        accepted, ends = best_of_resamples(ranked, draws, replicates, ties, swept.reject_all)
        replicate = np.flatnonzero(ends >= 0)
        thresholds = np.append(ranked.scores, np.inf)[ends[replicate]]
        every.append(Points(replicate, np.full(len(replicate), at), thresholds, accepted[replicate]))
        found.append(BestOfCell(ranked, int(ends[0])))
    return _joined(every), found


def every_point(rows: ScoredRows, cells: Ints, draws: Draws, replicates: int) -> Iterator[tuple[slice, Points]]:
    """All points of the cells in the corpus, its resamples and the corpus without each block, in this order, in parts.

    Each part has the numbers of its replicates; in its points, they are counted from 0.
    """
    ranked = []
    for cell in cells.tolist():
        own = rows.of_cell(cell)
        ranked.append(rank_rows(own.scores, own.block, np.zeros(len(own.scores)), own.statistics, draws.blocks))
    most = max(1, WALKED_AT_ONCE // max(1, sum(len(each.scores) for each in ranked)))
    for first, weights in _all_weights(draws, replicates, most):
        points = [_points(each, weights, at) for at, each in enumerate(ranked)]
        yield slice(first, first + len(weights)), _joined(points)


def _points(rows: RankedRows, weights: Floats, cell: int) -> Points:
    """The points of some replicates in a cell. The thresholds of a replicate are scores of its rows."""
    taken = weights[:, rows.blocks]
    sums = np.cumsum(taken[..., None] * rows.statistics, axis=1)[:, rows.ends]
    rows_before = np.cumsum(taken > 0, axis=1)[:, rows.ends]
    replicate, end = np.nonzero(np.diff(rows_before, axis=1, prepend=0))
    thresholds = rows.scores[rows.ends][end]
    return Points(replicate, np.full(len(replicate), cell), thresholds, sums[replicate, end])


def _all_weights(draws: Draws, replicates: int, most: int) -> Iterator[tuple[int, Floats]]:
    """How often each block is taken in the corpus, its resamples, and the corpus without each block, in parts.

    Each part has the number of its first row.
    """
    yield 0, np.ones((1, draws.blocks))
    for first in range(0, replicates, most):
        yield 1 + first, draws.counts(first, min(first + most, replicates))
    for first in range(0, draws.blocks, most):
        without = np.arange(first, min(first + most, draws.blocks))
        yield 1 + replicates + first, 1.0 - (without[:, None] == np.arange(draws.blocks))


def _joined(every: Sequence[Points]) -> Points:
    replicate = np.concatenate([each.replicate for each in every])
    cell = np.concatenate([each.cell for each in every])
    thresholds = np.concatenate([each.thresholds for each in every])
    accepted = np.concatenate([each.accepted for each in every])
    order = np.argsort(replicate, kind="stable")
    return Points(replicate[order], cell[order], thresholds[order], accepted[order])
