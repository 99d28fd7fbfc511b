"""Sums of statistics by block, and the components of scores that are computed from resampled sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Floats, Ints, arrow_floats, arrow_ints, numpy_floats, numpy_ints
from scorespec.intervals.found_intervals import Place, Slice
from scorespec.plan.resampling.interval_sql import OF_CELL, BlockSums, ResampledScores
from scorespec.run.session import Session

ROWS_AT_ONCE = 2**18  # of replicates and cells; bounds the memory of one query
SUMS_AT_ONCE = 2**25  # of all replicates; bounds the memory
OF_RUN = "of run"  # the place of a row's run, if a table of sums has the rows of several runs


@dataclass(frozen=True, eq=False)
class Sums:
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

    @property
    def is_finite(self) -> bool:
        """Whether all sums are finite numbers."""
        return bool(np.isfinite(self.values).all())

    def effective(self) -> dict[Slice, float]:
        """The effective number of blocks of each slice: that of the statistic that gives their sizes."""
        slices = {each: at for at, each in enumerate(dict.fromkeys(self.slices))}
        owner = np.array([slices[each] for each in self.slices])[self.cell]
        pairs, at = np.unique(owner * self.number + self.block, return_inverse=True)
        found = np.zeros(len(slices))
        sized = [self.of.size in ("", name) for name in self.of.statistics]
        for column in np.abs(self.values[:, sized]).T:
            amounts = np.bincount(at, weights=column)
            totals, squares = (
                np.bincount(pairs // self.number, weights=each, minlength=len(slices)) for each in (amounts, amounts**2)
            )
            with np.errstate(all="ignore"):
                found = np.fmax(found, totals**2 / squares)
        # Where all sums are 0, the blocks are equal.
        return {each: float(found[at] or self.number) for each, at in slices.items()}

    def of_slices(self, slices: Collection[Slice]) -> Sums:
        """The sums of some slices."""
        return self._only([each in slices for each in self.slices])

    def of_scopes(self, other: Sums) -> Sums:
        """The sums in the slices of a breakdown and the folds that another table has."""
        known = {*other._scopes()}
        return self._only([each in known for each in self._scopes()])

    def _scopes(self) -> list[tuple[Any, ...]]:
        columns = self.of.keys[: self.of.keys.index("slice")]
        return list(zip(*(self.cells[name].to_pylist() for name in columns), strict=True)) or [()] * len(self.slices)

    def _only(self, wanted: Sequence[bool]) -> Sums:
        kept = np.flatnonzero(wanted)
        new = np.full(len(wanted), -1)
        new[kept] = np.arange(len(kept))
        cell = new[self.cell]
        rows = cell >= 0
        slices = [self.slices[at] for at in kept.tolist()]
        cells = self.cells.take(arrow_ints(kept))
        return Sums(self.of, self.number, cells, slices, self.block[rows], cell[rows], self.values[rows])

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
        every = np.tile(np.arange(cells), replicates)
        return self.rows(every, np.repeat(np.arange(replicates), cells), sums.reshape(replicates * cells, -1))

    def rows(self, cell: Ints, replicate: Ints, statistics: Floats) -> pa.Table:
        """Rows of a table of replicates, each with the keys of its cell."""
        keys = self.cells.take(arrow_ints(cell))
        columns = dict(zip(keys.schema.names, keys.columns, strict=True)) | {"replicate": arrow_ints(replicate)}
        return pa.table(columns | dict(zip(self.of.statistics, map(arrow_floats, statistics.T), strict=True)))


def read_sums(session: Session, of: BlockSums, blocks: pa.ChunkedArray, runs: int = 1) -> list[Sums]:
    """The sums of each run in a table; ``blocks`` are the sorted names of blocks. All runs have the same cells."""
    cells = session.table(of.whole).select(of.keys).combine_chunks()
    slices = [*zip(cells["breakdown"].to_pylist(), cells["slice"].to_pylist(), strict=True)]
    rows = session.table(of.rows)
    block, cell, values = block_numbers(rows, blocks), numpy_ints(rows[OF_CELL]), statistics_of(rows, of)
    owner = numpy_ints(rows[OF_RUN]) if OF_RUN in rows.schema.names else np.zeros(len(cell), np.int64)
    each = [np.flatnonzero(owner == number) for number in range(runs)]
    return [Sums(of, len(blocks), cells, slices, block[at], cell[at], values[at]) for at in each]


def block_numbers(rows: pa.Table, blocks: pa.ChunkedArray) -> Ints:
    """The number of the block of each row."""
    return numpy_ints(pc.index_in(rows["unit_block"], value_set=blocks.combine_chunks()))


def statistics_of(rows: pa.Table, of: BlockSums) -> Floats:
    """The statistics in some rows: rows × statistics."""
    return np.stack([numpy_floats(rows[name].combine_chunks()) for name in of.statistics], axis=1)


def components_of(rows: pa.Table, names: Sequence[str]) -> Floats:
    """The components in some rows, with NaN for null: rows × components."""
    none = arrow_floats(np.array([np.nan]))[0]
    return np.stack([numpy_floats(pc.fill_null(rows[name], none).combine_chunks()) for name in names], axis=1)


def slices_of(rows: pa.Table) -> list[Slice]:
    """The slices of rows, each once, in the order of the rows."""
    return list(dict.fromkeys(zip(rows["breakdown"].to_pylist(), rows["slice"].to_pylist(), strict=True)))


class SomeScores:
    """Some slices of the scores of a metric, with the sums from which they are computed.

    ``effective`` has the effective number of blocks of each slice, ``sums`` (blocks × sums) those of all tables. The
    query of ``scores`` always gets whole sets of ``together`` replicates.
    """

    def __init__(
        self,
        session: Session,
        scores: ResampledScores,
        tables: Sequence[Sums],
        effective: Mapping[Slice, float],
        together: int = 1,
    ) -> None:
        self._session, self._scores, self._tables, self._effective = session, scores, tables, effective
        self._together = together
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
        """The components of each slice by the SQL of the metric: from … × sums to … × components of slices."""
        flat = sums.reshape(-1, sums.shape[-1])
        rows = sum(each.cells.num_rows for each in self._tables) * self._together
        size = max(1, ROWS_AT_ONCE // rows) * self._together
        found = np.concatenate([self._evaluated(flat[at : at + size]) for at in range(0, len(flat), size)])
        return found.reshape(*sums.shape[:-1], found.shape[-1])

    def _evaluated(self, sums: Floats) -> Floats:
        ends = np.cumsum([each.size for each in self._tables])[:-1]
        with ExitStack() as readable:
            for each, part in zip(self._tables, np.split(sums, ends, axis=1), strict=True):
                readable.enter_context(self._session.reading(each.of.replicates, each.table(part)))
            rows = self._session.table(self._scores.sql)
        self._slices = self._slices or slices_of(rows[: len(rows) // len(sums)])
        return components_of(rows, self._scores.components).reshape(len(sums), -1)


def portions(slices: Collection[Slice], tables: Sequence[Sums], replicates: int) -> Iterator[set[Slice]]:
    """The slices in portions whose replicates have a bounded number of sums.

    The slices of a formula, which reads several tables of sums, are one portion: it may read any row of a scope.
    """
    sums, *others = tables
    cells = Counter(sums.slices)
    portion: set[Slice] = set()
    filled = 0
    for each in slices:
        size = 0 if others else replicates * cells[each] * len(sums.of.statistics)
        if portion and filled + size > SUMS_AT_ONCE:
            yield portion
            portion, filled = set(), 0
        portion.add(each)
        filled += size
    if portion:
        yield portion
