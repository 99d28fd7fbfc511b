"""The intervals that a run finds, the notes on scores without one, and the replicates that results keep."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Floats, Ints, arrow_floats, arrow_ints, arrow_texts
from scorespec.core.disclosure import ALL, Disclosure
from scorespec.core.groups import grouped
from scorespec.core.result_tables import INTERVAL, PERCENTILE, SCORE_COLUMNS, TABLES, Replicates
from scorespec.core.score_text import is_count, level_text
from scorespec.core.terminal import NOTE
from scorespec.plan.plan import Curve, Plan, ends_of
from scorespec.plan.resampling.interval_sql import ResampledScores
from scorespec.statistics import Interval, Resampled, bca_interval, percentile_interval
from scorespec.statistics.confidence import FEW_BLOCKS, FEWEST_BLOCKS, MOST_UNDEFINED, in_range, nearest_population

Place = tuple[str, str, str]  # metric, component, slice
Slice = tuple[int, str]  # the number of a breakdown, and the values of its columns as JSON
NOTES = {
    "constant": "no interval: the same in every replicate",
    "outside": "all replicates are on one side of the value",
}
BLOCKS = "numbers of blocks"  # what a disclosure calls them
_LISTS: Mapping[str, Callable[[Any], pa.Array]] = {"BIGINT[]": arrow_ints, "DOUBLE[]": arrow_floats}


@dataclass(frozen=True)
class BlocksOfMetric:
    """The blocks of the whole score of a metric: ``said`` has their number by each column that names them, in words."""

    said: str
    number: int
    effective: float


@dataclass
class Intervals:
    """The intervals of scores by metric, component and slice; why some have none; and the blocks of each metric.

    ``disclosure`` says whether numbers of blocks are told. ``replicates`` are values in replicates that cannot be
    computed from sums of blocks. ``curves`` has the ends of the intervals of points of curves by metric, component and
    slice, then by rank, or by mark if a point has no rank. ``percentile`` has the percentile intervals of bootstrapped
    scores; it is None if none are asked for.
    """

    found: dict[Place, Interval] = field(default_factory=dict)
    notes: dict[Place, str] = field(default_factory=dict)
    blocks: dict[str, BlocksOfMetric] = field(default_factory=dict)
    disclosure: Disclosure = ALL
    replicates: list[Replicates] = field(default_factory=list)
    curves: dict[Place, dict[int | str, list[float]]] = field(default_factory=dict)
    percentile: dict[Place, Interval] | None = None

    def add_resampled(
        self, place: Place, resampled: Resampled, component: int, confidence: float, effective: float
    ) -> None:
        """Add the interval of a component of bootstrapped scores."""
        found = bca_interval(resampled, component, confidence, effective)
        percentile = None
        if self.percentile is not None:
            percentile = percentile_interval(resampled, component, confidence, effective)
        self.add(place, found, percentile, len(resampled.replicates))

    def add(self, place: Place, found: Interval, percentile: Interval | None, replicates: int) -> None:
        """Add an interval that was found from a number of replicates, with the note that it needs."""
        self.found[place] = found
        if self.percentile is not None and percentile is not None:
            self.percentile[place] = percentile
        note = NOTES.get(found.note or "", "")
        if found.note == "undefined" and found.undefined <= MOST_UNDEFINED * replicates:
            note = "no interval: undefined without one of the blocks"
        elif found.note == "undefined":
            note = f"no interval: undefined in {found.undefined:,} of {replicates:,} replicates"
        if note:
            self.notes.setdefault(place, note)

    def note(self, place: Place, said: str) -> None:
        """Add to the note on an interval."""
        self.notes[place] = "; ".join(filter(None, (self.notes.get(place), said)))

    def refuse(self, scores: ResampledScores, slice_: Slice, why: str) -> None:
        """Note why the scores of a slice have no interval."""
        self.notes |= {(scores.metric, name, slice_[1]): f"no interval: {why}" for name in scores.components}

    def slices_to_resample(
        self, scores: ResampledScores, blocks: pa.ChunkedArray, effective: Mapping[Slice, float], finite: bool
    ) -> list[Slice]:
        """The slices of a metric with enough blocks; it is noted why others have no interval.

        ``blocks`` are the names of all blocks, ``effective`` has the effective number of blocks of each slice, and
        ``finite`` says that all statistics are.
        """
        said = named_blocks(blocks.to_pylist(), scores.sums[0].wanted)
        # The scores of the whole come first, those by other columns later.
        of_whole = BlocksOfMetric(said, len(blocks), next(iter(effective.values())))
        self.blocks.setdefault(scores.metric, of_whole)
        many = [slice_ for slice_, number in effective.items() if finite and number >= FEWEST_BLOCKS]
        for slice_ in effective.keys() - {*many}:
            self.refuse(
                scores, slice_, too_few(effective[slice_], self.disclosure) if finite else "a statistic is infinite"
            )
        return many

    def restrict(self, scores: pa.Table, plan: Plan) -> None:
        """Keep intervals in the ranges of components. Counts have whole ends.

        What the reference fixes has none, and neither has an undefined score.
        """
        reported = {(each.metric, each.component): each for each in plan.meanings.reported}
        for row in scores.to_pylist():
            place = row["metric"], row["component"], row["slice"]
            component = reported[place[:2]]
            if component.meaning.of_gold:
                self.notes[place] = "no interval: fixed by the reference"
            whole = is_count(row, plan.meanings.counted)
            for found in (self.found, self.percentile or {}):
                if component.meaning.of_gold or row["value"] is None:
                    found.pop(place, None)
                elif place in found:
                    found[place] = in_range(found[place], row["value"], component.bounds, whole)

    def warnings(self, level: float) -> Iterator[str]:
        """What blocks were drawn, and whether a metric has few of them: notes, if there are intervals."""
        metrics = grouped((found.said, metric) for metric, found in self.blocks.items())
        for blocks, names in metrics.items():
            of = f" of {', '.join(names)}" if len(metrics) > 1 else ""
            yield f"{NOTE}blocks of the {level_text(level)} % intervals{of}: {self.disclosure.shown(BLOCKS, blocks)}"
        few = {metric: found for metric, found in self.blocks.items() if found.effective < FEW_BLOCKS}
        if few:
            metric, least = min(few.items(), key=lambda each: each[1].effective)
            if least.effective < FEWEST_BLOCKS:
                without = [name for name, found in few.items() if found.effective < FEWEST_BLOCKS]
                yield f"no intervals of {', '.join(without)}: {too_few(least.effective, self.disclosure)}"
            else:
                cell = nearest_population(least.number, least.effective)
                covered = f"{100 * cell.covered:.0f} % of the 95 % intervals contained the true value"
                said = f"{least.effective:.3g}; in simulations with {cell.effective:.3g}, {covered}"
                yield f"{NOTE}few effective blocks (fewest for {metric}): {self.disclosure.shown(BLOCKS, said)}"

    def added_to(self, scores: pa.Table) -> pa.Table:
        """The scores with the ends of their intervals after their value, and with notes on intervals."""
        keys = list(zip(*(scores[name].to_pylist() for name in ("metric", "component", "slice")), strict=True))
        rows = zip(scores["value"].to_pylist(), scores["note"].to_pylist(), keys, strict=True)
        notes = [
            note if value is None else "; ".join(filter(None, (note, self.notes.get(key)))) or None
            for value, note, key in rows
        ]
        columns = dict(zip(INTERVAL, _ends(keys, self.found), strict=True))
        if self.percentile is not None:
            columns |= zip(PERCENTILE, _ends(keys, self.percentile), strict=True)
        found = dict(zip(scores.column_names, scores.columns, strict=True)) | columns | {"note": arrow_texts(notes)}
        return pa.table({name: found[name] for name in SCORE_COLUMNS if name in found})

    def added_to_curve(self, points: pa.Table, curve: Curve) -> pa.Table:
        """The points of a curve with the ends of intervals, which are NULL where there is no interval."""
        keys = [*zip(*(points[name].to_pylist() for name in ("slice", "rank", "mark")), strict=True)]
        none = [np.nan, np.nan]
        for component in curve.banded:
            found = [
                self.curves.get((curve.metric, component, slice_), {}).get(mark if rank is None else rank, none)
                for slice_, rank, mark in keys
            ]
            columns = ("low", "high") if component == curve.banded[0] else ends_of(component)
            points = points.drop_columns([name for name in columns if name in points.schema.names])
            for name, ends in zip(columns, np.array(found).reshape(-1, 2).T, strict=True):
                points = points.append_column(name, arrow_floats(ends, ~np.isnan(ends)))
        return points

    def replicates_of(self, scores: pa.Table) -> pa.Table:
        """The rows of the table `replicates` for the scores of a run."""
        keys = set(zip(*(scores[name].to_pylist() for name in ("metric", "component", "slice")), strict=True))
        return replicates_table(each for each in self.replicates if (each.metric, each.component, each.slice) in keys)


def _ends(keys: Sequence[Place], found: Mapping[Place, Interval]) -> Iterator[pa.Array]:
    """The lower and the upper ends of the intervals of some scores; NULL where there is none."""
    intervals = [found.get(key) for key in keys]
    for ends in ([each and each.low for each in intervals], [each and each.high for each in intervals]):
        yield arrow_floats(
            np.array([each or 0.0 for each in ends]), np.array([each is not None for each in ends], np.bool_)
        )


def too_few(effective: float, disclosure: Disclosure = ALL) -> str:
    """The reason that there is no interval and no test where there are few blocks."""
    said = disclosure.shown(BLOCKS, f"{math.floor(effective * 100) / 100:g}")  # 5.998 is not written as 6
    return f"the effective number of blocks is {said}, less than {FEWEST_BLOCKS:g}"


def named_blocks(blocks: Sequence[str], wanted: Sequence[str]) -> str:
    """The number of blocks by each column that names them."""
    numbers = Counter(",".join(json.loads(text)) for text in blocks)
    used = [each for each in wanted if each in numbers]
    said = " and ".join(f"{numbers[each]:,} by {each}" for each in used)
    return said if used[0] == wanted[0] else f"{said}, because no {wanted[0]} is known"


def hash_of_blocks(names: Sequence[str]) -> str:
    """A hash of the names of all blocks, each a JSON object. It does not depend on their order."""
    return hashlib.sha256(json.dumps(sorted(names)).encode()).hexdigest()


def replicates_table(every: Iterable[Replicates]) -> pa.Table:
    """The rows of the table `replicates`, without the run."""
    rows, kinds = list(every), TABLES["replicates"]
    columns = {name: [getattr(row, name) for row in rows] for name in kinds if name != "run"}
    lists = {name: _LISTS[kind] for name, kind in kinds.items() if kind in _LISTS}
    return pa.table(
        {name: _list(lists[name], each) if name in lists else arrow_texts(each) for name, each in columns.items()}
    )


def _list(arrow: Callable[[Any], pa.Array], rows: Sequence[Floats | Ints]) -> pa.Array:
    """Arrays as an Arrow array of lists."""
    offsets = np.zeros(len(rows) + 1, np.int32)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    values = arrow(np.concatenate(rows) if rows else np.empty(0))
    buffers = [None, pa.py_buffer(offsets)]
    return pa.Array.from_buffers(pa.list_(values.type), len(rows), buffers, children=[values])
