"""How the scores of a run are resampled: the queries of replicates, and the part of the signature."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import TypedDict

from scorespec.catalog.resampling import Resample
from scorespec.compiler.kinds.context import ReplicateRows, ScoreRows, Subquery
from scorespec.compiler.resampled_scores import ResampledScores, ResampledSweep
from scorespec.compiler.scored import ReplicateQuery, Scored
from scorespec.compiler.templates import indented
from scorespec.errors import Place, UsageError

REPLICATES = 9_999
SWEPT_REPLICATES = 1_999  # of a metric whose best threshold is found anew in each
SEED = 0
GROUPS = 30  # of blocks, at most, that are left out in turn
FEWEST_GROUPS, MOST_GROUPS = 6, 1_000  # that a user may ask for


Resampled = ResampledScores | ResampledSweep | None  # how the scores of a metric are resampled; None if they are not


def resampled_scores(rows: ScoreRows, scored: Scored, place: Place, curves: bool) -> Resampled:
    """How the scores of ``rows`` are resampled; None if they are not. Without ``curves``, no marked points are."""
    if scored.swept:
        swept = scored.swept if curves else replace(scored.swept, marked=None)
        return ResampledSweep(_resampled(rows, swept.replicates, place), swept, rows.fold is not None)
    return _resampled(rows, scored.replicates, place) if scored.replicates else None


def _resampled(rows: ScoreRows, replicates: ReplicateQuery, place: Place) -> ResampledScores:
    shared = {each.name: getattr(rows, each.name) for each in fields(ReplicateRows) if each.name != "wide"}
    sql = ReplicateRows(wide=Subquery(indented(replicates.sql), ()), **shared).sql(place)
    reads = replicates.reads.union(each.table for each in replicates.sums)
    return ResampledScores(rows.metric, replicates.components, sql, replicates.sums, reads)


def read_confidence(written: object) -> float | None:
    """The confidence level in percent; None if it is not asked for. Raises UsageError for another value."""
    if written is None:
        return None
    try:
        level = float(str(written))
    except ValueError:
        level = 0.0
    if isinstance(written, bool) or not 0 < level < 100:
        raise UsageError(f"--confidence {written}: write a level in percent above 0 and below 100, such as 95")
    return level


def read_groups(written: object, level: float | None) -> int:
    """The greatest number of groups of blocks; None stands for the default. Raises UsageError for another value."""
    if written is None:
        return GROUPS
    if level is None:
        raise UsageError(f"--confidence-groups {written}: there are no intervals; give --confidence 95, too")
    text = str(written)
    if isinstance(written, bool) or not text.isdecimal() or not FEWEST_GROUPS <= int(text) <= MOST_GROUPS:
        said = f"write a whole number from {FEWEST_GROUPS} to {MOST_GROUPS:,}, such as {GROUPS}"
        raise UsageError(f"--confidence-groups {written}: {said}")
    return int(text)


class AskedIntervals(TypedDict):
    """The intervals that a run is asked for, as fields of a request."""

    confidence: float | None
    confidence_groups: int
    percentile: bool


def read_intervals(confidence: object, groups: object, percentile: bool = False) -> AskedIntervals:
    """The intervals that a run is asked for. Raises UsageError for values that are no level or number of groups."""
    level = read_confidence(confidence)
    if percentile and level is None:
        raise UsageError("--percentile: there are no intervals; give --confidence 95, too")
    return {"confidence": level, "confidence_groups": read_groups(groups, level), "percentile": percentile}


def shown_level(level: float) -> str:
    """A confidence level as it is written: ``95``."""
    return f"{level:.15g}"


def signed(
    level: float | None, groups: int, percentile: bool, resamples: Iterable[Resample | None], swept: bool
) -> list[str]:
    """What a signature says of intervals: the level, and how scores are resampled; nothing if none are asked for.

    ``percentile`` says that there are percentile intervals, too, and ``swept`` that some metric finds its best
    threshold anew in each replicate.
    """
    if level is None:
        return []
    blocks = dict.fromkeys(f"{each.method}({'/'.join(each.blocks)})" for each in resamples if each)
    of_thresholds = [f"replicates(threshold)={SWEPT_REPLICATES}"] if swept else []
    drawn = "+".join([*blocks, f"replicates={REPLICATES}", *of_thresholds, f"groups={groups}", f"seed={SEED}"])
    return [f"confidence:{shown_level(level)}{'+percentile' if percentile else ''}", f"resample:{drawn}"]
