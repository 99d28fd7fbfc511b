"""How the scores of a run are resampled: the queries of replicates, and the part of the signature."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace

from scorespec.catalog.model import Resample
from scorespec.errors import Place
from scorespec.intervals.resampled_scores import ResampledScores, ResampledSweep
from scorespec.plan.kinds.context import MetricRows, ReplicateRows, Subquery
from scorespec.plan.rendering.templates import indented
from scorespec.plan.scored import ReplicateQuery, Scored

REPLICATES = 9_999
SWEPT_REPLICATES = 1_999  # of a metric whose best threshold is found anew in each
SEED = 0

Resampled = ResampledScores | ResampledSweep | None  # how the scores of a metric are resampled; None if they are not


def resampled_scores(rows: MetricRows, scored: Scored, place: Place, curves: bool) -> Resampled:
    """How the scores of ``rows`` are resampled; None if they are not. Without ``curves``, no marked points are."""
    if scored.swept:
        swept = scored.swept if curves else replace(scored.swept, marked=None)
        return ResampledSweep(_resampled(rows, swept.replicates, place), swept, rows.fold is not None)
    return _resampled(rows, scored.replicates, place) if scored.replicates else None


def _resampled(rows: MetricRows, replicates: ReplicateQuery, place: Place) -> ResampledScores:
    shared = {each.name: getattr(rows, each.name) for each in fields(ReplicateRows) if each.name != "wide"}
    sql = ReplicateRows(wide=Subquery(indented(replicates.sql), ()), **shared).sql(place)
    reads = replicates.reads.union(each.table for each in replicates.sums)
    return ResampledScores(rows.metric, replicates.components, sql, replicates.sums, reads)


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
