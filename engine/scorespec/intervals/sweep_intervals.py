"""Confidence intervals of scores at a best threshold, which each replicate finds again, and of points of curves.

SQL gives the objective at a few points. If it is a sum over accepted rows, numpy finds the best point of each replicate
from rows that are sorted once. In the same way it finds the points between which two rates cross. Otherwise every point
of every replicate is tried. In both cases the query of the scores reads the points instead of running sums, so that
ties, rejection of all rows and components are those of the document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Floats, Ints, arrow_floats, arrow_ints, numpy_floats, numpy_ints
from scorespec.core.result_tables import Replicates
from scorespec.intervals.block_sums import (
    ROWS_AT_ONCE,
    Sums,
    block_numbers,
    components_of,
    portions,
    read_sums,
    slices_of,
    statistics_of,
)
from scorespec.intervals.found_intervals import Intervals, Slice, hash_of_blocks
from scorespec.plan.plan import Plan
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.resampling.interval_sql import OF_CELL, SEED, SWEPT_REPLICATES, ResampledSweep
from scorespec.run.session import Session
from scorespec.statistics import (
    Draws,
    Interval,
    Points,
    RankedRows,
    Resampled,
    SumOfRows,
    Walk,
    accepted_by_block,
    bca_bounds,
    best_points,
    crossing_points,
    crossing_without_blocks,
    hull_points,
    plateau_of,
    points_of_resamples,
    rank_rows,
    stacked,
    unstacked,
)
from scorespec.statistics.confidence import MOST_UNDEFINED
from scorespec.statistics.draws import parts

THRESHOLD = "threshold"  # the component of every sweep that is not a sum of rows
BYTES_OF_ROW = 200  # while rows are sorted and walked through
MOST_POINTS = 2**24  # thresholds times replicates whose components SQL computes
WALKED_AT_ONCE = 2**22  # rows of replicates that are added up together
CURVE_SUMS_AT_ONCE = 2**22  # of blocks at points of a curve; bounds the memory
COMBINATIONS = (0.25, 0.7)  # parts of the sums of all rows, for which an objective is compared with a sum over rows
ROUNDING = 1e-9  # relative; larger differences show that an objective is not a sum over rows


def add_sweeps(intervals: Intervals, session: Session, plan: Plan, level: float) -> None:
    """Add the intervals of scores at best thresholds to others, at a level in percent."""
    for sweep in plan.resampling.sweeps:
        blocks = session.table(sweep.scores.blocks)["unit_block"]
        if not len(blocks):
            continue
        (sums,) = read_sums(session, sweep.sums, blocks)
        effective = sums.effective()
        many = intervals.slices_to_resample(sweep.scores, blocks, effective, sums.is_finite)
        (number,) = session.row(f"SELECT count(*) FROM {quoted(sweep.by_score)}")
        if many and number > (most := session.room // BYTES_OF_ROW):
            _refuse(intervals, sweep, many, f"{{}} rows; at most {most:,} fit into the memory limit", number)
        elif many:
            found = _Sweep(
                intervals,
                session,
                sweep,
                level / 100,
                hash_of_blocks(blocks.to_pylist()),
                effective,
                _read_rows(session, sweep, blocks, len(sums.slices)),
                _read_marked(session, sweep, blocks),
                _ranks(session, plan, sweep),
            )
            for portion in portions(many, [sums], SWEPT_REPLICATES + len(blocks)):
                found.add(sums, portion)


def _refuse(intervals: Intervals, sweep: ResampledSweep, slices: Iterable[Slice], why: str, number: int) -> None:
    """Note why slices have no interval; ``why`` has a place for a number of rows, which can be withheld."""
    why = why.format(intervals.disclosure.shown("numbers of blocks", f"{number:,}"))
    for slice_ in slices:
        intervals.refuse(sweep.scores, slice_, why)


# -- rows ------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """The rows of one cell by score and block: ``statistics`` is rows × statistics."""

    block: Ints
    scores: Floats
    statistics: Floats


def _read_rows(session: Session, sweep: ResampledSweep, blocks: pa.ChunkedArray, cells: int) -> list[ScoredRows]:
    """The rows of each cell of a sweep; cells are numbered as in its sums of blocks."""
    found = session.table(sweep.rows)
    cell, scores = numpy_ints(found[OF_CELL]), numpy_floats(found[THRESHOLD].combine_chunks())
    block, statistics = block_numbers(found, blocks), statistics_of(found, sweep.sums)
    order = np.argsort(cell, kind="stable")
    of_cells = np.split(order, np.searchsorted(cell[order], np.arange(1, cells)))
    return [ScoredRows(block[at], scores[at], statistics[at]) for at in of_cells]


def _read_marked(session: Session, sweep: ResampledSweep, blocks: pa.ChunkedArray) -> dict[tuple[int, str], Floats]:
    """For each cell and marked point, the statistics of the marked rows of each block: blocks × statistics."""
    sums: dict[tuple[int, str], Floats] = {}
    if sweep.marked:
        found = session.table(sweep.marked)
        block, statistics = block_numbers(found, blocks), statistics_of(found, sweep.sums)
        for at, of_point in enumerate(zip(found[OF_CELL].to_pylist(), found["mark"].to_pylist(), strict=True)):
            by_block = sums.setdefault(of_point, np.zeros((len(blocks), statistics.shape[1])))
            by_block[block[at]] = statistics[at]
    return sums


def _ranks(session: Session, plan: Plan, sweep: ResampledSweep) -> dict[str, list[int]]:
    """The ranks of the points with a threshold of the curves of a metric, in order, by slice."""
    found: dict[str, set[int]] = {}
    for curve in plan.curves:
        if curve.metric == sweep.metric and not sweep.folds:
            points = session.table(curve.sql)
            for slice_, rank in zip(points["slice"].to_pylist(), points["rank"].to_pylist(), strict=True):
                found.setdefault(slice_, set()).add(rank or 0)
    return {slice_: sorted(ranks - {0}) for slice_, ranks in found.items()}


# -- points of replicates --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PointsOfReplicates:
    """Thresholds of cells in replicates, in the order of ``replicate``, each with the sums of its accepted rows."""

    replicate: Ints
    cell: Ints
    thresholds: Floats
    accepted: Floats

    def of_replicates(self, part: slice) -> PointsOfReplicates:
        """The points of some replicates, which are numbered from 0."""
        inside = slice(*np.searchsorted(self.replicate, (part.start, part.stop)))
        replicate = self.replicate[inside] - part.start
        return PointsOfReplicates(replicate, self.cell[inside], self.thresholds[inside], self.accepted[inside])


class SweepSql:
    """The queries of a sweep over replicates of some cells: ``totals`` are sums of all rows, replicates × cells × …"""

    def __init__(self, session: Session, sweep: ResampledSweep, cells: Sums) -> None:
        self._session, self._sweep, self._cells = session, sweep, cells
        self.slices: list[Slice] = []  # known after the first query of components

    def components(self, totals: Floats, points: PointsOfReplicates) -> Floats:
        """The components at the best of the points of each replicate: replicates × slices × components."""
        names, found = self._sweep.scores.components, []
        for part in parts(len(totals), ROWS_AT_ONCE // max(1, totals.shape[1])):
            some = points.of_replicates(part)
            rank = np.arange(1, len(some.cell) + 1)  # 0 means that no row is accepted
            rows = self._asked(self._sweep.scores.sql, self._cells.table(totals[part]), some, rank)
            self.slices = self.slices or slices_of(rows)
            found.append(components_of(rows, names).reshape(len(totals[part]), len(self.slices), -1))
        return np.concatenate(found)

    def at_points(self, component: str, totals: Floats, accepted: Floats) -> Floats:
        """A component at points of each replicate and cell, from replicates × cells × points × statistics."""
        replicates, cells, number, statistics = accepted.shape
        of_cells, of_points = totals.reshape(-1, statistics), accepted.reshape(-1, number, statistics)
        every = []
        for part in parts(len(of_cells), ROWS_AT_ONCE // number):  # here, each replicate has only one cell
            cell, size = np.arange(len(of_cells))[part] % cells, part.stop - part.start
            sums = self._cells.rows(cell, np.arange(size), of_cells[part])
            at, none = np.repeat(np.arange(size), number), np.full(size * number, np.nan)
            points = PointsOfReplicates(at, cell[at], none, of_points[part].reshape(-1, statistics))
            rank = np.tile(np.arange(1, number + 1), size)
            rows = self._asked(self._sweep.objective, sums, points, rank)
            rows = rows.filter(pc.greater(rows["rank"], arrow_ints(np.zeros(1))[0]))
            every.append(components_of(rows, [component]))
        return np.concatenate(every).reshape(replicates, cells, number)

    def _asked(self, sql: str, sums: pa.Table, points: PointsOfReplicates, rank: Ints) -> pa.Table:
        """The rows of a query that reads the sums of all rows of replicates, and points of replicates."""
        table = self._cells.rows(points.cell, points.replicate, points.accepted).drop_columns(["slice"])
        table = table.append_column(THRESHOLD, arrow_floats(points.thresholds)).append_column("rank", arrow_ints(rank))
        reading = self._session.reading
        with reading(self._cells.of.replicates, sums), reading(self._sweep.points, table):
            return self._session.table(sql)


def _sums_of_rows(sql: SweepSql, column: str, totals: Floats) -> list[SumOfRows] | None:
    """A column as a sum over the accepted rows of each cell, in all replicates; None if it is not such a sum.

    The slopes follow from the column where no row is accepted, and where all of one statistic are. Where parts of all
    statistics are accepted, the sum must agree with the column.
    """
    statistics = totals.shape[-1]
    scale = np.where(totals[0] != 0, np.abs(totals[0]), 1.0)
    some = [[parts[each % len(parts)] for each in range(statistics)] for parts in (COMBINATIONS, COMBINATIONS[::-1])]
    fractions = np.concatenate((np.zeros((1, statistics)), np.eye(statistics), np.array(some)))
    shape = (*totals.shape[:2], *fractions.shape)
    found = sql.at_points(column, totals, np.broadcast_to(fractions * scale[:, None], shape))
    offset, slopes = found[..., 0], found[..., 1 : statistics + 1] - found[..., :1]
    defined = np.count_nonzero(np.isfinite(found), axis=-1) > 0
    with np.errstate(all="ignore"):
        size = np.abs(offset) + np.abs(slopes).sum(axis=-1)
        sums = offset[..., None] + slopes @ fractions.T
        agree = (np.abs(found - sums) <= ROUNDING * size[..., None]).all(axis=-1)
    if not (agree | ~defined).all():
        return None
    # Where the column is undefined, no threshold is better than another.
    offset, slopes = np.where(defined, offset, 0.0), np.where(defined[..., None], slopes, 0.0) / scale
    return [SumOfRows(offset[:, cell], slopes[:, cell]) for cell in range(totals.shape[1])]


# -- intervals -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Sweep:
    """The resampling of one metric: ``hashed`` is the hash of its blocks, ``effective`` their effective number.

    ``rows`` and ``marked`` are those of all slices, ``ranks`` those of the points of their curves.
    """

    intervals: Intervals
    session: Session
    sweep: ResampledSweep
    confidence: float
    hashed: str
    effective: Mapping[Slice, float]
    rows: Sequence[ScoredRows]
    marked: Mapping[tuple[int, str], Floats]
    ranks: Mapping[str, Sequence[int]]

    def add(self, sums: Sums, slices: set[Slice]) -> None:
        """Add the intervals of some slices."""
        sweep = self.sweep
        cells = np.flatnonzero([each in slices for each in sums.slices])
        kept, draws = sums.of_slices(slices), Draws(SEED, sums.number)
        totals = stacked(kept.by_block().reshape(sums.number, len(cells), -1), draws, SWEPT_REPLICATES)
        sql = SweepSql(self.session, self.sweep, kept)
        ranked = [
            rank_rows(own.scores, own.block, own.statistics, draws.blocks)
            for own in (self.rows[cell] for cell in cells.tolist())
        ]
        chosen = self._chosen(sql, totals, ranked, draws)
        if chosen is None:
            number = sum(len(np.unique(self.rows[cell].scores)) for cell in cells.tolist()) * len(totals)
            if number > MOST_POINTS:
                why = f"{sweep.best} is no sum over rows, and replicates have {{}} points"
                _refuse(self.intervals, self.sweep, slices, f"{why}; at most {MOST_POINTS:,} are tried", number)
                return
            tried = _every_point(ranked, draws)
            values = np.concatenate([sql.components(totals[part], points) for part, points in tried])
            self._add_scores(sql, unstacked(values, SWEPT_REPLICATES))
            return
        every = [_points_of_cell(rows, *each, at) for at, (rows, each) in enumerate(zip(ranked, chosen, strict=True))]
        values = sql.components(totals, _joined(every))
        biases = self._add_scores(sql, unstacked(values, SWEPT_REPLICATES))
        if self.sweep.folds:
            return
        banded = {name: found for name in sweep.banded if (found := _sums_of_rows(sql, name, totals))}
        for at, slice_ in enumerate(kept.slices):
            if sweep.best in sweep.scores.components:
                end = int(chosen[at][1][0, 0])
                self._describe(slice_, ranked[at], end, biases[slice_], banded[sweep.best][at], draws)
            if slice_[1] in self.ranks:
                for name, found in banded.items():
                    self._add_curve(name, slice_[1], ranked[at], int(cells[at]), found[at], draws)

    def _chosen(self, sql: SweepSql, totals: Floats, ranked: Sequence[RankedRows], draws: Draws) -> list[Points] | None:
        """The points that are chosen in each cell; None if what they are chosen by is not a sum over rows."""
        names = self.sweep.rates or (self.sweep.best,)
        found = [sums for name in names if (sums := _sums_of_rows(sql, name, totals))]
        if len(found) < len(names):
            return None
        of_cells = list(zip(ranked, zip(*found, strict=True), strict=True))
        if self.sweep.rates and not all((falling - rising).only_falls(rows) for rows, (falling, rising) in of_cells):
            return None
        return [_chosen_points(self.sweep, rows, draws, *sums) for rows, sums in of_cells]

    def _add_scores(self, sql: SweepSql, resampled: Resampled) -> dict[Slice, float]:
        """Add the intervals and replicates of all components, from replicates × slices × components.

        Returns the bias of the best value in each slice.
        """
        names = self.sweep.scores.components
        main = names.index(self.sweep.best) if self.sweep.best in names else 0
        threshold = names.index(THRESHOLD)
        # Where no row is accepted, there is no threshold, although the score is defined.
        none = np.isnan(resampled.replicates[..., threshold]) & ~np.isnan(resampled.replicates[..., main])
        resampled.replicates[..., threshold][none] = np.inf
        biases = {}
        for at, slice_ in enumerate(sql.slices):
            of_slice = Resampled(resampled.value[at], resampled.replicates[:, at], resampled.left_out[:, at])
            biases[slice_] = float(of_slice.bias()[main])
            blocks = len(of_slice.left_out)
            for number, name in enumerate(names):
                if name == THRESHOLD and self.sweep.folds:
                    continue
                place = self.sweep.metric, name, slice_[1]
                if name == THRESHOLD:
                    # It is a percentile interval in any case.
                    found = threshold_interval(of_slice, number, self.confidence)
                    self.intervals.add(place, found, found, SWEPT_REPLICATES)
                else:
                    self.intervals.add_resampled(place, of_slice, number, self.confidence, self.effective[slice_])
                values, without = of_slice.replicates[:, number], of_slice.left_out[:, number]
                drawn = Replicates(*place, "bootstrap", self.hashed, np.array([blocks]), values)
                alone = Replicates(*place, "jackknife", self.hashed, np.ones(blocks, np.int64), without)
                self.intervals.replicates += [drawn, alone]
        return biases

    def _describe(
        self, slice_: Slice, rows: RankedRows, end: int, bias: float, objective: SumOfRows, draws: Draws
    ) -> None:
        """Add what is special about a best value and its threshold, the score of row ``end``, to notes of intervals."""
        best, threshold = ((self.sweep.metric, name, slice_[1]) for name in (self.sweep.best, THRESHOLD))
        if self.intervals.found[best].low is None:
            return
        fixed = _in_replicates(objective, accepted_by_block(rows, end, draws.blocks)[:, None], draws)
        error = float(unstacked(fixed, SWEPT_REPLICATES).standard_errors()[0])
        self.intervals.note(best, f"bias {bias:+.2g}; standard error {error:.2g} at a fixed threshold")
        slopes = objective.slopes[0] if self.sweep.largest else -objective.slopes[0]
        (high, low), flat = plateau_of(rows, slopes, end, error, self.sweep.reject_all)
        if flat:
            reach = f"from {low:.4g} up" if np.isinf(high) else f"from {low:.4g} to {high:.4g}"
            said = f"flat optimum: thresholds {reach} are within one standard error of the best"
            self.intervals.note(threshold, said)

    def _add_curve(self, name: str, slice_: str, rows: RankedRows, cell: int, of: SumOfRows, draws: Draws) -> None:
        """Add the intervals of a component at the points of a curve: those with a threshold, and marked ones."""
        points = self.intervals.curves.setdefault((self.sweep.metric, name, slice_), {})

        def add(names: Sequence[int | str], sums: Floats) -> None:
            bounds = bca_bounds(unstacked(_in_replicates(of, sums, draws), SWEPT_REPLICATES), self.confidence)
            points.update(zip(names, bounds.tolist(), strict=True))

        ranks = [each for each in self.ranks[slice_] if each <= len(rows.ends)]
        for part, sums in _sums_at_ranks(rows, np.array(ranks, np.int64), draws.blocks):
            add(ranks[part], sums)
        of_marks: dict[int | str, Floats] = {0: np.zeros((draws.blocks, of.slopes.shape[1]))}  # no row is accepted
        of_marks |= {mark: each for (owner, mark), each in self.marked.items() if owner == cell}
        add([*of_marks], np.stack([*of_marks.values()], axis=1))


def _chosen_points(sweep: ResampledSweep, rows: RankedRows, draws: Draws, *sums: SumOfRows) -> Points:
    """The points that are chosen in one cell: by the optimised value, or between which two rates cross."""
    if not sweep.rates:
        objective = sums[0] if sweep.largest else -sums[0]

        def best(walk: Walk, part: slice) -> Points:
            return best_points(walk, objective.of(part), sweep.tie, sweep.reject_all)

        return points_of_resamples(rows, draws, SWEPT_REPLICATES, best)
    falling, rising = sums
    difference = falling - rising

    def crossing(walk: Walk, part: slice) -> Points:
        return crossing_points(walk, difference.of(part))

    def hull(walk: Walk, part: slice) -> Points:
        corners, around = hull_points(walk, falling.of(part), rising.of(part)), crossing(walk, part)
        sums = np.concatenate((corners[0][:, :1], around[0], corners[0][:, 1:]), axis=1)
        return sums, np.concatenate((corners[1][:1], around[1], corners[1][1:]))

    if sweep.hull:
        return points_of_resamples(rows, draws, SWEPT_REPLICATES, hull)
    without = partial(crossing_without_blocks, rows, difference.of(slice(SWEPT_REPLICATES + 1, None)))
    return points_of_resamples(rows, draws, SWEPT_REPLICATES, crossing, without)


def _points_of_cell(rows: RankedRows, sums: Floats, ends: Ints, cell: int) -> PointsOfReplicates:
    """The points of one cell in all replicates, those that accept a row, from the highest threshold to the lowest."""
    last, replicate = ends.T.ravel(), np.repeat(np.arange(ends.shape[1]), len(ends))
    some = np.flatnonzero(last >= 0)
    accepted = sums.T.reshape(len(last), -1)
    return PointsOfReplicates(replicate[some], np.full(len(some), cell), rows.scores[last[some]], accepted[some])


def _in_replicates(of: SumOfRows, sums: Floats, draws: Draws) -> Floats:
    """A component in replicates, from sums by block: blocks × points × statistics to replicates × points."""
    return of.at(stacked(sums, draws, SWEPT_REPLICATES).T).T


def _sums_at_ranks(rows: RankedRows, ranks: Ints, blocks: int) -> Iterator[tuple[slice, Floats]]:
    """The sums by block at thresholds with some ranks, in order, in parts: blocks × points × statistics."""
    statistics = rows.statistics.shape[1]
    ends, carried, first = rows.ends[ranks - 1], np.zeros((blocks, statistics)), 0
    for part in parts(len(ranks), CURVE_SUMS_AT_ONCE // ((blocks + SWEPT_REPLICATES) * statistics)):
        last, number = int(ends[part][-1]) + 1, part.stop - part.start
        point = np.searchsorted(ends[part], np.arange(first, last)) * blocks + rows.blocks[first:last]
        columns = rows.statistics[first:last].T
        added = np.stack([np.bincount(point, weights=each, minlength=number * blocks) for each in columns], axis=-1)
        sums = carried + np.cumsum(added.reshape(number, blocks, statistics), axis=0)
        first, carried = last, sums[-1]
        yield part, sums.transpose(1, 0, 2)


def _every_point(ranked: Sequence[RankedRows], draws: Draws) -> Iterator[tuple[slice, PointsOfReplicates]]:
    """All points of cells in the corpus, its resamples and the corpus without each block, in this order, in parts.

    Each part has the numbers of its replicates; in its points, they are counted from 0.
    """
    most = max(1, WALKED_AT_ONCE // max(1, sum(len(each.scores) for each in ranked)))
    for part, weights in draws.every(SWEPT_REPLICATES, most):
        yield part, _joined([_points(each, weights, at) for at, each in enumerate(ranked)])


def _points(rows: RankedRows, weights: Floats, cell: int) -> PointsOfReplicates:
    """The points of some replicates in a cell. The thresholds of a replicate are scores of its rows."""
    taken = weights[:, rows.blocks]
    sums = np.cumsum(taken[..., None] * rows.statistics, axis=1)[:, rows.ends]
    rows_before = np.cumsum(taken > 0, axis=1)[:, rows.ends]
    replicate, end = np.nonzero(np.diff(rows_before, axis=1, prepend=0))
    thresholds = rows.scores[rows.ends][end]
    return PointsOfReplicates(replicate, np.full(len(replicate), cell), thresholds, sums[replicate, end])


def _joined(every: Sequence[PointsOfReplicates]) -> PointsOfReplicates:
    columns = ("replicate", "cell", "thresholds", "accepted")
    joined = [np.concatenate([getattr(each, name) for each in every]) for name in columns]
    order = np.argsort(joined[0], kind="stable")
    return PointsOfReplicates(*(column[order] for column in joined))


def threshold_interval(resampled: Resampled, component: int, confidence: float) -> Interval:
    """The percentile interval of best thresholds. An infinite end, which accepts no row or every row, is None."""
    values = resampled.replicates[:, component]
    kept = values[~np.isnan(values)]
    undefined = len(values) - len(kept)
    if not len(kept) or undefined > MOST_UNDEFINED * len(values):
        return Interval(None, None, undefined, "undefined")
    tail = (1 - confidence) / 2
    if kept.min() == kept.max():
        return Interval(None, None, undefined, "constant")
    low, high = np.quantile(kept, (tail, 1 - tail), method="inverted_cdf").tolist()
    return Interval(low if np.isfinite(low) else None, high if np.isfinite(high) else None, undefined)
