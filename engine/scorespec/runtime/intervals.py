"""Confidence intervals of scores, from the sums of their statistics by block."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.arrays import Floats, Ints, arrow_floats, arrow_ints, arrow_texts, numpy_floats, numpy_ints
from scorespec.compiler.plan import ResampledScores
from scorespec.compiler.resampling import REPLICATES, SEED, shown_level
from scorespec.compiler.scored import BlockSums
from scorespec.compiler.templates import quoted
from scorespec.compiler.withholding import ELLIPSIS
from scorespec.resampling import Draws, Interval, bca_interval, resample
from scorespec.resampling.intervals import FEW_BLOCKS, FEWEST_BLOCKS, MOST_UNDEFINED
from scorespec.resampling.simulated import nearest_population
from scorespec.runtime.session import Session

ROWS_AT_ONCE = 2**18  # of replicates and cells; bounds the memory of one query
SUMS_AT_ONCE = 2**25  # of all replicates; bounds the memory
Place = tuple[str, str, str]  # metric, component, slice
Slice = tuple[int, str]  # the number of a breakdown, and the values of its columns as JSON
NOTES = {
    "constant": "the same in every replicate",
    "outside": "all replicates are on one side of the value",
}


@dataclass(frozen=True)
class Blocks:
    """The blocks of a metric: ``said`` has their number by each column that names them, in words."""

    said: str
    number: int
    effective: float


@dataclass
class Intervals:
    """The intervals of scores by metric, component and slice; why some have none; and the blocks of each metric.

    ``blocks`` are those of the whole score of each metric. If something is ``withheld``, their numbers are not told.
    """

    found: dict[Place, Interval] = field(default_factory=dict)
    notes: dict[Place, str] = field(default_factory=dict)
    blocks: dict[str, Blocks] = field(default_factory=dict)
    withheld: bool = False


def intervals_of(session: Session, every: Sequence[ResampledScores], level: float, withheld: bool = False) -> Intervals:
    """The intervals of the scores of some metrics at a level in percent."""
    intervals = Intervals(withheld=withheld)
    for parts in _together(part for scores in every for part in _parts(intervals, session, scores)):
        _resample(intervals, parts, level / 100)
    return intervals


def _parts(intervals: Intervals, session: Session, scores: ResampledScores) -> Iterator[_Part]:
    """The scores of a metric, in parts that are resampled; why others are not goes to the notes of ``intervals``."""
    tables = " UNION ALL ".join(f"SELECT unit_block FROM {quoted(each.table)}" for each in scores.sums)
    asked = f"SELECT DISTINCT unit_block FROM ({tables}) WHERE unit_block IS NOT NULL ORDER BY unit_block"
    blocks = session.table(asked)["unit_block"]
    if not len(blocks):
        return
    first, *others = (_Sums.of_table(session, each, blocks) for each in scores.sums)
    effective = first.effective()
    said = _named(blocks.to_pylist(), scores.sums[0].wanted)
    # The scores of the whole come first, those by other columns later.
    intervals.blocks.setdefault(scores.metric, Blocks(said, len(blocks), next(iter(effective.values()))))
    many = []
    for slice_, number in effective.items():
        told = ELLIPSIS if intervals.withheld else f"{number:.3g}"
        reason = f"the effective number of blocks is {told}, less than {FEWEST_BLOCKS:g}"
        if not all(each.is_finite for each in (first, *others)):
            reason = "a statistic is infinite"
        elif number >= FEWEST_BLOCKS:
            many.append(slice_)
            continue
        intervals.notes |= {(scores.metric, name, slice_[1]): f"no interval: {reason}" for name in scores.components}
    # The slices of a formula may read any row of the same scope.
    portions = [{*many}] if others and many else _portions(many, first)
    for portion in portions:
        kept = first.of_slices(portion)
        yield _Part(session, scores, [kept, *(each.of_scopes(kept) for each in others)], effective)


def _portions(slices: Iterable[Slice], sums: _Sums) -> Iterator[set[Slice]]:
    """The slices in portions whose replicates have a bounded number of sums."""
    cells = Counter(sums.slices)
    portion: set[Slice] = set()
    filled = 0
    for each in slices:
        size = REPLICATES * cells[each] * len(sums.of.statistics)
        if portion and filled + size > SUMS_AT_ONCE:
            yield portion
            portion, filled = set(), 0
        portion.add(each)
        filled += size
    if portion:
        yield portion


def _together(parts: Iterable[_Part]) -> Iterator[list[_Part]]:
    """Parts that follow one another and have as many blocks, so that blocks are drawn once for all of them."""
    together: list[_Part] = []
    for each in parts:
        size = sum(one.size for one in (*together, each))
        if together and (each.blocks != together[0].blocks or REPLICATES * size > SUMS_AT_ONCE):
            yield together
            together = []
        together.append(each)
    if together:
        yield together


def _resample(intervals: Intervals, parts: Sequence[_Part], confidence: float) -> None:
    """Add the intervals of scores that have the same number of blocks."""
    ends = np.cumsum([each.size for each in parts])[:-1]

    def components(sums: Floats) -> Floats:
        pairs = zip(parts, np.split(sums, ends, axis=-1), strict=True)
        return np.concatenate([part.components(of_part) for part, of_part in pairs], axis=-1)

    sums = np.concatenate([each.sums for each in parts], axis=1)
    resampled = resample(sums, components, Draws(SEED, parts[0].blocks), REPLICATES)
    places = [(key, effective) for part in parts for key, effective in part.places()]
    for at, (key, effective) in enumerate(places):
        found = bca_interval(resampled, at, confidence, effective)
        intervals.found[key] = found
        if note := _note(found):
            intervals.notes.setdefault(key, note)


def _named(blocks: Sequence[str], wanted: Sequence[str]) -> str:
    """The number of blocks by each column that names them."""
    numbers = Counter(next(iter(json.loads(text))) for text in blocks)
    used = [each for each in wanted if each in numbers]
    said = " and ".join(f"{numbers[each]:,} by {each}" for each in used)
    return said if used[0] == wanted[0] else f"{said}, because no {wanted[0]} is known"


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums of blocks. A cell is a fold of a slice: ``cells`` has its keys, ``slices`` its slice.

    A row has the sums (``values``, rows × statistics) of one of the ``number`` blocks in one cell.
    """

    of: BlockSums
    number: int
    cells: pa.Table
    slices: Sequence[Slice]
    block: Ints
    cell: Ints
    values: Floats

    @staticmethod
    def of_table(session: Session, of: BlockSums, blocks: pa.ChunkedArray) -> _Sums:
        """The sums of a table; ``blocks`` are the sorted names of blocks."""
        keys, statistics = (", ".join(map(quoted, names)) for names in (of.keys, of.statistics))
        cells = session.table(f"SELECT DISTINCT {keys} FROM {quoted(of.table)} ORDER BY {keys}").combine_chunks()
        number = f"dense_rank() OVER (ORDER BY {keys}) - 1 AS cell"
        rows = session.table(
            f"SELECT * FROM (SELECT {number}, unit_block, {statistics} FROM {quoted(of.table)}) "
            "WHERE unit_block IS NOT NULL"
        )
        block = numpy_ints(pc.index_in(rows["unit_block"], value_set=blocks.combine_chunks()))
        values = np.stack([numpy_floats(rows[name].combine_chunks()) for name in of.statistics], axis=1)
        slices = zip(cells["breakdown"].to_pylist(), cells["slice"].to_pylist(), strict=True)
        return _Sums(of, len(blocks), cells, [*slices], block, numpy_ints(rows["cell"]), values)

    @property
    def is_finite(self) -> bool:
        """Whether all sums are finite numbers."""
        return bool(np.isfinite(self.values).all())

    def effective(self) -> dict[Slice, float]:
        """The effective number of blocks of each slice: that of the statistic that is spread most evenly over them."""
        slices = {each: at for at, each in enumerate(dict.fromkeys(self.slices))}
        owner = np.array([slices[each] for each in self.slices])[self.cell]
        pairs, at = np.unique(owner * self.number + self.block, return_inverse=True)
        found = np.zeros(len(slices))
        for column in np.abs(self.values).T:
            amounts = np.bincount(at, weights=column)
            totals, squares = (
                np.bincount(pairs // self.number, weights=each, minlength=len(slices)) for each in (amounts, amounts**2)
            )
            with np.errstate(all="ignore"):
                found = np.fmax(found, totals**2 / squares)
        # Where all sums are 0, the blocks are equal.
        return {each: float(found[at] or self.number) for each, at in slices.items()}

    def of_slices(self, slices: Collection[Slice]) -> _Sums:
        """The sums of some slices."""
        return self._only([each in slices for each in self.slices])

    def of_scopes(self, other: _Sums) -> _Sums:
        """The sums in the slices of a breakdown and the folds that another table has."""
        known = {*other._scopes()}
        return self._only([each in known for each in self._scopes()])

    def _scopes(self) -> list[tuple[Any, ...]]:
        columns = self.of.keys[: self.of.keys.index("slice")]
        return list(zip(*(self.cells[name].to_pylist() for name in columns), strict=True)) or [()] * len(self.slices)

    def _only(self, wanted: Sequence[bool]) -> _Sums:
        kept = np.flatnonzero(wanted)
        new = np.full(len(wanted), -1)
        new[kept] = np.arange(len(kept))
        cell = new[self.cell]
        rows = cell >= 0
        slices = [each for each, is_wanted in zip(self.slices, wanted, strict=True) if is_wanted]
        cells = self.cells.take(arrow_ints(kept))
        return _Sums(self.of, self.number, cells, slices, self.block[rows], cell[rows], self.values[rows])

    def by_block(self) -> Floats:
        """The sums as an array: blocks × (cells × statistics)."""
        found = np.zeros((self.number, self.cells.num_rows, len(self.of.statistics)))
        found[self.block, self.cell] = self.values
        return found.reshape(self.number, -1)

    @property
    def size(self) -> int:
        """The number of sums of a block."""
        return int(self.cells.num_rows) * len(self.of.statistics)

    def table(self, sums: Floats) -> pa.Table:
        """The table of replicates, with a row for each replicate and cell, from replicates × sums."""
        cells, replicates = self.cells.num_rows, len(sums)
        every = self.cells.take(arrow_ints(np.tile(np.arange(cells), replicates)))
        columns = dict(zip(every.schema.names, every.columns, strict=True))
        columns["replicate"] = arrow_ints(np.repeat(np.arange(replicates), cells))
        by_statistic = sums.reshape(replicates * cells, -1).T
        return pa.table(columns | dict(zip(self.of.statistics, map(arrow_floats, by_statistic), strict=True)))


class _Part:
    """Some slices of the scores of a metric, with the sums from which they are computed.

    ``effective`` has the effective number of blocks of each slice, ``sums`` (blocks × sums) those of all tables.
    """

    def __init__(
        self, session: Session, scores: ResampledScores, tables: Sequence[_Sums], effective: Mapping[Slice, float]
    ) -> None:
        self._session, self._scores, self._tables, self._effective = session, scores, tables, effective
        self.blocks = tables[0].number
        self.sums: Floats = np.concatenate([each.by_block() for each in tables], axis=1)
        self._slices: list[Slice] = []

    @property
    def size(self) -> int:
        """The number of sums of a block."""
        return int(self.sums.shape[1])

    def places(self) -> Iterator[tuple[Place, float]]:
        """The place of each component that is computed, and the effective number of its blocks."""
        for slice_, component in product(self._slices, self._scores.components):
            yield (self._scores.metric, component, slice_[1]), self._effective[slice_]

    def components(self, sums: Floats) -> Floats:
        """The components of each slice: from … × sums to … × components of slices."""
        flat = sums.reshape(-1, sums.shape[-1])
        size = max(1, ROWS_AT_ONCE // sum(each.cells.num_rows for each in self._tables))
        found = np.concatenate([self._evaluated(flat[at : at + size]) for at in range(0, len(flat), size)])
        return found.reshape(*sums.shape[:-1], found.shape[-1])

    def _evaluated(self, sums: Floats) -> Floats:
        """The components by the SQL of the metric: from replicates × sums to replicates × components of slices."""
        ends = np.cumsum([each.size for each in self._tables])[:-1]
        with ExitStack() as readable:
            for each, part in zip(self._tables, np.split(sums, ends, axis=1), strict=True):
                readable.enter_context(self._session.reading(each.of.replicates, each.table(part)))
            rows = self._session.table(self._scores.sql)
        if not self._slices:
            slices = zip(rows["breakdown"].to_pylist(), rows["slice"].to_pylist(), strict=True)
            self._slices = list(dict.fromkeys(slices))
        columns = [_numbers(rows[name]) for name in self._scores.components]
        return np.stack(columns, axis=1).reshape(len(sums), -1)


def _numbers(column: pa.ChunkedArray) -> Floats:
    """Numbers with NaN for null."""
    return numpy_floats(pc.fill_null(column, arrow_floats(np.array([np.nan]))[0]).combine_chunks())


def _note(interval: Interval) -> str:
    """Why a score has no interval, or what is special about the interval; empty for others."""
    if interval.note == "undefined" and interval.undefined <= MOST_UNDEFINED * REPLICATES:
        return "no interval: undefined without one of the blocks"
    if interval.note == "undefined":
        return f"no interval: undefined in {interval.undefined:,} of {REPLICATES:,} replicates"
    return NOTES.get(interval.note or "", "")


def with_intervals(scores: pa.Table, intervals: Intervals) -> pa.Table:
    """The scores with the columns `low` and `high` after their value, and with notes on intervals."""
    keys = list(zip(*(scores[name].to_pylist() for name in ("metric", "component", "slice")), strict=True))
    found = [intervals.found.get(key) for key in keys]
    rows = zip(scores["value"].to_pylist(), scores["note"].to_pylist(), keys, strict=True)
    notes = [
        note if value is None else "; ".join(filter(None, (note, intervals.notes.get(key)))) or None
        for value, note, key in rows
    ]
    at = scores.schema.get_field_index("value") + 1
    for name in ("high", "low"):
        ends = [getattr(each, name) if each else None for each in found]
        present = np.array([each is not None for each in ends], np.bool_)
        column = arrow_floats(np.array([each or 0.0 for each in ends]), present)
        scores = scores.add_column(at, name, column)
    place = scores.schema.get_field_index("note")
    return scores.set_column(place, "note", arrow_texts(notes))


def interval_warnings(intervals: Intervals, level: float) -> Iterator[str]:
    """What blocks were drawn, and which metrics have few of them."""
    metrics: dict[str, list[str]] = {}
    for metric, found in intervals.blocks.items():
        metrics.setdefault(found.said, []).append(metric)
    for blocks, names in metrics.items():
        said = ELLIPSIS if intervals.withheld else blocks
        yield f"blocks of the {shown_level(level)} % intervals of {', '.join(names)}: {said}"
    few = {metric: found for metric, found in intervals.blocks.items() if found.effective < FEW_BLOCKS}
    if few:
        told = [each if intervals.withheld else f"{each} ({found.effective:.3g})" for each, found in few.items()]
        said = f"fewer than {FEW_BLOCKS:g} effective blocks: {', '.join(told)}"
        yield said + ("" if intervals.withheld else f"; {_simulated(few.values())}")


def _simulated(few: Iterable[Blocks]) -> str:
    """How often intervals of such blocks contained the true value."""
    least = min(few, key=lambda found: found.effective)
    cell = nearest_population(least.number, least.effective)
    return (
        f"in the simulated corpora most like this ({cell.blocks} blocks, {cell.effective:.1f} effective), "
        f"{cell.covered:.0%} of the 95 % intervals contained the true value"
    )
