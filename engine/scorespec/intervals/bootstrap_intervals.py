"""Confidence intervals of scores, from the sums of their statistics by block."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Floats, arrow_floats, arrow_texts
from scorespec.core.score_text import INTERVAL, PERCENTILE, is_count
from scorespec.intervals.block_sums import SUMS_AT_ONCE, Part, Place, Slice, block_names, portions, read_sums
from scorespec.intervals.replicate_queries import REPLICATES, SEED, shown_level
from scorespec.intervals.replicates import Replicates
from scorespec.intervals.resampled_scores import ResampledScores
from scorespec.plan.plan import Plan
from scorespec.plan.request import ELLIPSIS
from scorespec.run.session import Session
from scorespec.statistics import Draws, Interval, Resampled, bca_interval, percentile_interval, resample
from scorespec.statistics.confidence import FEW_BLOCKS, FEWEST_BLOCKS, MOST_UNDEFINED, in_range
from scorespec.statistics.simulated import nearest_population

NOTES = {
    "constant": "no interval: the same in every replicate",
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
    ``replicates`` are values in replicates that cannot be computed from sums of blocks. ``curves`` has the ends of
    the intervals of points of curves by metric, component and slice, then by rank, or by mark if a point has no rank.
    ``percentile`` has the percentile intervals of bootstrapped scores; it is None if none are asked for.
    """

    found: dict[Place, Interval] = field(default_factory=dict)
    notes: dict[Place, str] = field(default_factory=dict)
    blocks: dict[str, Blocks] = field(default_factory=dict)
    withheld: bool = False
    replicates: list[Replicates] = field(default_factory=list)
    curves: dict[Place, dict[int | str, list[float]]] = field(default_factory=dict)
    percentile: dict[Place, Interval] | None = None

    def add(self, place: Place, resampled: Resampled, component: int, confidence: float, effective: float) -> None:
        """Add the interval of a component of bootstrapped scores."""
        found = self.found[place] = bca_interval(resampled, component, confidence, effective)
        if self.percentile is not None:
            self.percentile[place] = percentile_interval(resampled, component, confidence, effective)
        if note := note_of(found, len(resampled.replicates)):
            self.notes.setdefault(place, note)


def restrict(intervals: Intervals, scores: pa.Table, plan: Plan) -> None:
    """Keep intervals in the ranges of their components. Counts have whole ends; a property of the gold has none."""
    reported = {(each.metric, each.component): each for each in plan.reported}
    for row in scores.to_pylist():
        place = row["metric"], row["component"], row["slice"]
        component = reported[place[:2]]
        if component.meaning.of_gold:
            intervals.notes[place] = "no interval: a property of the gold"
        for found in (intervals.found, intervals.percentile or {}):
            if component.meaning.of_gold:
                found.pop(place, None)
            elif place in found:
                found[place] = in_range(
                    found[place], row["value"], component.bounds, is_count(row, plan.count_components)
                )


def too_few(effective: float, withheld: bool = False) -> str:
    """The reason that there is no interval and no test where there are few blocks."""
    said = ELLIPSIS if withheld else f"{math.floor(effective * 100) / 100:g}"  # 5.998 is not written as 6
    return f"the effective number of blocks is {said}, less than {FEWEST_BLOCKS:g}"


def add_resampled(intervals: Intervals, session: Session, every: Sequence[ResampledScores], level: float) -> None:
    """Add the intervals of scores that are computed from sums of blocks, at a level in percent."""
    for parts in _together(part for scores in every for part in _parts(intervals, session, scores)):
        _resample(intervals, parts, level / 100)


def _parts(intervals: Intervals, session: Session, scores: ResampledScores) -> Iterator[Part]:
    """The scores of a metric, in parts that are resampled; why others are not goes to the notes of ``intervals``."""
    blocks = block_names(session, scores)
    if not len(blocks):
        return
    first, *others = (read_sums(session, each, blocks) for each in scores.sums)
    effective, finite = first.effective(), all(each.is_finite for each in (first, *others))
    many = slices_to_resample(intervals, scores, blocks, effective, finite)
    for portion in portions(many, [first, *others], REPLICATES):
        kept = first.of_slices(portion)
        yield Part(session, scores, [kept, *(each.of_scopes(kept) for each in others)], effective)


def slices_to_resample(
    intervals: Intervals,
    scores: ResampledScores,
    blocks: pa.ChunkedArray,
    effective: Mapping[Slice, float],
    finite: bool,
) -> list[Slice]:
    """The slices of a metric with enough blocks; why others have no interval goes to the notes of ``intervals``.

    ``blocks`` are the names of all blocks, ``effective`` has the effective number of blocks of each slice, and
    ``finite`` says that all statistics are.
    """
    said = named_blocks(blocks.to_pylist(), scores.sums[0].wanted)
    # The scores of the whole come first, those by other columns later.
    intervals.blocks.setdefault(scores.metric, Blocks(said, len(blocks), next(iter(effective.values()))))
    many = []
    for slice_, number in effective.items():
        reason = too_few(number, intervals.withheld)
        if not finite:
            reason = "a statistic is infinite"
        elif number >= FEWEST_BLOCKS:
            many.append(slice_)
            continue
        intervals.notes |= {(scores.metric, name, slice_[1]): f"no interval: {reason}" for name in scores.components}
    return many


def _together(parts: Iterable[Part]) -> Iterator[list[Part]]:
    """Parts that follow one another and have as many blocks, so that blocks are drawn once for all of them."""
    together: list[Part] = []
    for each in parts:
        size = sum(one.size for one in (*together, each))
        if together and (each.blocks != together[0].blocks or REPLICATES * size > SUMS_AT_ONCE):
            yield together
            together = []
        together.append(each)
    if together:
        yield together


def _resample(intervals: Intervals, parts: Sequence[Part], confidence: float) -> None:
    """Add the intervals of scores that have the same number of blocks."""
    ends = np.cumsum([each.size for each in parts])[:-1]

    def components(sums: Floats) -> Floats:
        pairs = zip(parts, np.split(sums, ends, axis=-1), strict=True)
        return np.concatenate([part.components(of_part) for part, of_part in pairs], axis=-1)

    sums = np.concatenate([each.sums for each in parts], axis=1)
    resampled = resample(sums, components, Draws(SEED, parts[0].blocks), REPLICATES)
    places = [(key, effective) for part in parts for key, effective in part.places()]
    for at, (key, effective) in enumerate(places):
        intervals.add(key, resampled, at, confidence, effective)


def named_blocks(blocks: Sequence[str], wanted: Sequence[str]) -> str:
    """The number of blocks by each column that names them."""
    numbers = Counter(next(iter(json.loads(text))) for text in blocks)
    used = [each for each in wanted if each in numbers]
    said = " and ".join(f"{numbers[each]:,} by {each}" for each in used)
    return said if used[0] == wanted[0] else f"{said}, because no {wanted[0]} is known"


def note_of(interval: Interval, replicates: int) -> str:
    """Why a score has no interval, or what is special about the interval; empty for others."""
    if interval.note == "undefined" and interval.undefined <= MOST_UNDEFINED * replicates:
        return "no interval: undefined without one of the blocks"
    if interval.note == "undefined":
        return f"no interval: undefined in {interval.undefined:,} of {replicates:,} replicates"
    return NOTES.get(interval.note or "", "")


def with_intervals(scores: pa.Table, intervals: Intervals) -> pa.Table:
    """The scores with the ends of their intervals after their value, and with notes on intervals."""
    keys = list(zip(*(scores[name].to_pylist() for name in ("metric", "component", "slice")), strict=True))
    rows = zip(scores["value"].to_pylist(), scores["note"].to_pylist(), keys, strict=True)
    notes = [
        note if value is None else "; ".join(filter(None, (note, intervals.notes.get(key)))) or None
        for value, note, key in rows
    ]
    columns = dict(zip(INTERVAL, _ends(keys, intervals.found), strict=True))
    if intervals.percentile is not None:
        columns |= zip(PERCENTILE, _ends(keys, intervals.percentile), strict=True)
    at = scores.schema.get_field_index("value") + 1
    for name, ends in reversed(columns.items()):
        scores = scores.add_column(at, name, ends)
    place = scores.schema.get_field_index("note")
    return scores.set_column(place, "note", arrow_texts(notes))


def _ends(keys: Sequence[Place], found: Mapping[Place, Interval]) -> Iterator[pa.Array]:
    """The lower and the upper ends of the intervals of some scores; NULL where there is none."""
    intervals = [found.get(key) for key in keys]
    for ends in ([each and each.low for each in intervals], [each and each.high for each in intervals]):
        yield arrow_floats(
            np.array([each or 0.0 for each in ends]), np.array([each is not None for each in ends], np.bool_)
        )


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
