"""Confidence intervals of scores at a best threshold, which each replicate chooses anew, and of points of curves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Floats, Ints, arrow_floats
from scorespec.intervals.block_sums import Place, Slice, Sums, block_names, portions, read_sums
from scorespec.intervals.bootstrap_intervals import Intervals, note_of, slices_to_resample
from scorespec.intervals.replicate_queries import SEED, SWEPT_REPLICATES
from scorespec.intervals.replicates import Replicates, hash_of_blocks
from scorespec.intervals.resampled_scores import ResampledSweep
from scorespec.intervals.sweep_points import (
    BestOfCell,
    ScoredRows,
    SumOfRows,
    SweepSql,
    best_points,
    every_point,
    read_marked,
    read_rows,
    sum_of_rows,
)
from scorespec.plan.plan import Curve, Plan, ends_of
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.request import ELLIPSIS
from scorespec.run.session import Session
from scorespec.statistics import (
    Draws,
    Interval,
    RankedRows,
    Resampled,
    bca_bounds,
    plateau_of,
    stacked,
    unstacked,
    with_values,
)
from scorespec.statistics.confidence import MOST_UNDEFINED

THRESHOLD = "threshold"  # the component of every sweep that is no sum of rows
BYTES_OF_ROW = 200  # while rows are sorted and walked through
MOST_POINTS = 2**24  # thresholds times replicates whose components SQL computes
CURVE_SUMS_AT_ONCE = 2**22  # of blocks at points of a curve; bounds the memory


def add_sweeps(intervals: Intervals, session: Session, plan: Plan, level: float) -> None:
    """Add the intervals of scores at best thresholds to others, at a level in percent."""
    for each in plan.resampled_sweeps:
        blocks = block_names(session, each.scores)
        if not len(blocks):
            continue
        sums = read_sums(session, each.scores.sums[0], blocks)
        effective = sums.effective()
        many = slices_to_resample(intervals, each.scores, blocks, effective, sums.is_finite)
        (number,) = session.row(f"SELECT count(*) FROM {quoted(each.swept.rows)}")
        if many and number > (most := session.room // BYTES_OF_ROW):
            _refuse(intervals, each, many, f"{{}} rows; at most {most:,} fit into the memory limit", number)
            continue
        rows = read_rows(session, each, blocks) if many else None
        if rows is None:
            continue
        hashed, marked = hash_of_blocks(blocks.to_pylist()), read_marked(session, each, blocks)
        sweep = _Sweep(intervals, session, each, level / 100, hashed, rows, marked, effective)
        ranks = _ranks(session, plan, each)
        for portion in portions(many, [sums], SWEPT_REPLICATES + len(blocks)):
            sweep.add(sums, portion, ranks)


def _refuse(intervals: Intervals, sweep: ResampledSweep, slices: Sequence[Slice], why: str, number: int) -> None:
    """Note why slices have no interval; ``why`` has a place for a number of rows, which can be withheld."""
    why = why.format(ELLIPSIS if intervals.withheld else f"{number:,}")
    places = product(sweep.scores.components, slices)
    intervals.notes |= {(sweep.metric, name, slice_[1]): f"no interval: {why}" for name, slice_ in places}


def _ranks(session: Session, plan: Plan, sweep: ResampledSweep) -> Mapping[str, Sequence[int]]:
    """The ranks of the points with a threshold of the curves of a metric, in order, by slice."""
    found: dict[str, set[int]] = defaultdict(set)
    for curve in plan.curves:
        if curve.metric == sweep.metric and not sweep.folds:
            for slice_, rank in session.rows(f"SELECT slice::VARCHAR, rank FROM ({curve.sql})"):
                found[slice_].add(rank or 0)
    return {slice_: sorted(ranks - {0}) for slice_, ranks in found.items()}


class _Sweep:
    """The resampling of one metric: ``hashed`` is the hash of its blocks, ``effective`` their effective number."""

    def __init__(
        self,
        intervals: Intervals,
        session: Session,
        sweep: ResampledSweep,
        confidence: float,
        hashed: str,
        rows: ScoredRows,
        marked: Mapping[tuple[int, str], Floats],
        effective: Mapping[Slice, float],
    ) -> None:
        self._intervals, self._session, self._sweep, self._confidence = intervals, session, sweep, confidence
        self._hashed, self._rows, self._marked, self._effective = hashed, rows, marked, effective
        self._biases: dict[Slice, float] = {}

    def add(self, sums: Sums, slices: set[Slice], ranks: Mapping[str, Sequence[int]]) -> None:
        """Add the intervals of some slices; ``ranks`` are those of the points of their curves."""
        cells = np.flatnonzero([each in slices for each in sums.slices])
        kept = sums.of_slices(slices)
        draws = Draws(SEED, sums.number)
        by_block = kept.by_block().reshape(sums.number, len(cells), -1)
        totals = stacked(by_block, draws, SWEPT_REPLICATES)
        sql = SweepSql(self._session, self._sweep, kept)
        objective = sum_of_rows(sql, self._sweep.swept.best, totals)
        best: list[BestOfCell] = []
        if objective:
            points, best = best_points(self._rows, cells, draws, SWEPT_REPLICATES, self._sweep, objective)
            values = sql.components(totals, points)
        else:
            number = self._rows.thresholds(cells) * len(totals)
            if number > MOST_POINTS:
                why = f"{self._sweep.swept.best} is no sum over rows, and replicates have {{}} points"
                _refuse(self._intervals, self._sweep, [*slices], f"{why}; at most {MOST_POINTS:,} are tried", number)
                return
            parts = every_point(self._rows, cells, draws, SWEPT_REPLICATES)
            values = np.concatenate([sql.components(totals[part], points) for part, points in parts])
        self._add_scores(sql, unstacked(values, SWEPT_REPLICATES))
        if objective and not self._sweep.folds:
            _, *banded = self._sweep.swept.banded
            others = {name: found for name in banded if (found := sum_of_rows(sql, name, totals))}
            for at, slice_ in enumerate(kept.slices):
                cell = _Cell.of(best[at].rows, objective, at, draws, self._sweep.swept.largest)
                self._describe(slice_, cell, best[at].end, self._sweep.swept.reject_all)
                if slice_[1] in ranks:
                    of_others = {
                        name: _Cell.with_weights(best[at].rows, found, at, draws) for name, found in others.items()
                    }
                    for name, each in {self._sweep.swept.best: cell, **of_others}.items():
                        place = self._sweep.metric, name, slice_[1]
                        self._add_curve(place, each, ranks[slice_[1]])
                        self._add_marks(place, each, int(cells[at]))

    def _add_scores(self, sql: SweepSql, resampled: Resampled) -> None:
        """Add the intervals and replicates of all components, from replicates × slices × components."""
        names = self._sweep.scores.components
        main, threshold = names.index(self._sweep.swept.best), names.index(THRESHOLD)
        # Where no row is accepted, there is no threshold, although the score is defined.
        none = np.isnan(resampled.replicates[..., threshold]) & ~np.isnan(resampled.replicates[..., main])
        resampled.replicates[..., threshold][none] = np.inf
        for at, slice_ in enumerate(sql.slices):
            of_slice = Resampled(resampled.value[at], resampled.replicates[:, at], resampled.left_out[:, at])
            self._biases[slice_] = float(of_slice.bias()[main])
            for number, name in enumerate(names):
                if name == THRESHOLD and self._sweep.folds:
                    continue
                place = self._sweep.metric, name, slice_[1]
                if name == THRESHOLD:
                    self._add_threshold(place, of_slice, number)
                else:
                    self._intervals.add(place, of_slice, number, self._confidence, self._effective[slice_])
                values = of_slice.replicates[:, number]
                blocks = np.array([len(of_slice.left_out)])
                self._intervals.replicates.append(Replicates(*place, "bootstrap", self._hashed, values, blocks))
                without, alone = of_slice.left_out[:, number], np.ones(len(of_slice.left_out), np.int64)
                self._intervals.replicates.append(Replicates(*place, "jackknife", self._hashed, without, alone))

    def _add_threshold(self, place: Place, resampled: Resampled, component: int) -> None:
        """Add the interval of a best threshold, which is a percentile interval in any case."""
        found = self._intervals.found[place] = threshold_interval(resampled, component, self._confidence)
        if self._intervals.percentile is not None:
            self._intervals.percentile[place] = found
        if note := note_of(found, SWEPT_REPLICATES):
            self._intervals.notes.setdefault(place, note)

    def _describe(self, slice_: Slice, cell: _Cell, end: int, reject_all: bool) -> None:
        """Add what is special about a best value and its threshold, the score of row ``end``, to notes of intervals."""
        swept, metric = self._sweep.swept, self._sweep.metric
        best, threshold = ((metric, name, slice_[1]) for name in (swept.best, THRESHOLD))
        if self._intervals.found[best].low is None:
            return
        error = cell.error(end)
        said = f"bias {self._biases[slice_]:+.2g}; standard error {error:.2g} at a fixed threshold"
        self._note(best, said)
        (high, low), flat = plateau_of(cell.rows, end, error, reject_all)
        if flat:
            reach = f"from {low:.4g} up" if np.isinf(high) else f"from {low:.4g} to {high:.4g}"
            self._note(threshold, f"flat optimum: thresholds {reach} are within one standard error of the best")

    def _note(self, place: Place, said: str) -> None:
        before = self._intervals.notes.get(place)
        self._intervals.notes[place] = f"{before}; {said}" if before else said

    def _add_curve(self, place: Place, cell: _Cell, ranks: Sequence[int]) -> None:
        """Add the intervals of a component at the points of a curve that have a threshold."""
        for part, values in cell.at_ranks(np.array(ranks, np.int64)):
            self._add_points(place, ranks[part], values, cell.draws)

    def _add_marks(self, place: Place, cell: _Cell, number: int) -> None:
        """Add the intervals of a component at the marked points of a curve, and where no row is accepted."""
        sign = 1.0 if cell.largest else -1.0
        sums: dict[int | str, Floats] = {0: np.zeros(cell.draws.blocks)}
        sums |= {mark: sign * (each @ cell.weights) for (of, mark), each in self._marked.items() if of == number}
        self._add_points(place, [*sums], cell.component(np.stack([*sums.values()], axis=1)), cell.draws)

    def _add_points(self, place: Place, points: Sequence[int | str], values: Floats, draws: Draws) -> None:
        bounds = bca_bounds(unstacked(values, SWEPT_REPLICATES), self._confidence)
        found = self._intervals.curves.setdefault(place, {})
        found |= zip(points, bounds.tolist(), strict=True)


@dataclass(frozen=True, eq=False)
class _Cell:
    """A slice without folds: its rows with what each adds to a component, which is a sum over rows in all replicates.

    ``weights`` are those of the statistics of a row. Without ``largest``, the values of the rows have the other sign.
    """

    rows: RankedRows
    offset: Floats
    factor: Floats
    weights: Floats
    draws: Draws
    largest: bool

    @staticmethod
    def of(rows: RankedRows, component: SumOfRows, at: int, draws: Draws, largest: bool) -> _Cell:
        """The optimised component in the slice number ``at``, for which rows were ranked."""
        return _Cell(rows, component.offset[:, at], component.factor[:, at], component.weights[at], draws, largest)

    @staticmethod
    def with_weights(rows: RankedRows, component: SumOfRows, at: int, draws: Draws) -> _Cell:
        """Another component in the slice number ``at``."""
        return _Cell.of(with_values(rows, component.weights[at]), component, at, draws, True)

    def component(self, sums: Floats) -> Floats:
        """The component in replicates, from sums of values by block: blocks × points to replicates × points."""
        sign = 1.0 if self.largest else -1.0
        return self.offset[:, None] + sign * self.factor[:, None] * stacked(sums, self.draws, SWEPT_REPLICATES)

    def error(self, end: int) -> float:
        """The standard error of the component at the threshold that accepts the rows up to ``end``."""
        rows, number = self.rows, end + 1
        sums = np.bincount(rows.blocks[:number], weights=rows.values[:number], minlength=self.draws.blocks)
        values = self.component(sums.astype(np.float64)[:, None])
        return float(unstacked(values, SWEPT_REPLICATES).standard_errors()[0])

    def at_ranks(self, ranks: Ints) -> Iterator[tuple[slice, Floats]]:
        """The component in replicates at thresholds with some ranks, in order, in parts."""
        rows, blocks = self.rows, self.draws.blocks
        ends, carried = rows.ends[ranks - 1], np.zeros(blocks)
        size, first = max(1, CURVE_SUMS_AT_ONCE // (blocks + SWEPT_REPLICATES)), 0
        for at in range(0, len(ranks), size):
            part = slice(at, min(at + size, len(ranks)))
            last = int(ends[part][-1]) + 1
            owner, values = rows.blocks[first:last], rows.values[first:last]
            point = np.searchsorted(ends[part], np.arange(first, last))
            number = part.stop - part.start
            added = np.bincount(point * blocks + owner, weights=values, minlength=number * blocks)
            sums = carried + np.cumsum(added.reshape(number, blocks), axis=0)
            first, carried = last, sums[-1]
            yield part, self.component(sums.T)


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


def with_curve_intervals(points: pa.Table, curve: Curve, intervals: Intervals) -> pa.Table:
    """The points of a curve with the ends of intervals, which are NULL where there is no interval."""
    keys = [*zip(*(points[name].to_pylist() for name in ("slice", "rank", "mark")), strict=True)]
    none = [np.nan, np.nan]
    for component in curve.banded:
        found = [
            intervals.curves.get((curve.metric, component, slice_), {}).get(mark if rank is None else rank, none)
            for slice_, rank, mark in keys
        ]
        columns = ("low", "high") if component == curve.banded[0] else ends_of(component)
        points = points.drop_columns([name for name in columns if name in points.schema.names])
        for name, ends in zip(columns, np.array(found).reshape(-1, 2).T, strict=True):
            points = points.append_column(name, arrow_floats(ends, ~np.isnan(ends)))
    return points
