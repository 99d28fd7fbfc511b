"""How the scores of a run are resampled: the queries of replicates, and the part of the signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from scorespec.catalog.resampling import Resample
from scorespec.compiler.kinds.context import ReplicateRows, ScoreRows, Subquery
from scorespec.compiler.plan import ResampledScores, ResampledSweep
from scorespec.compiler.scored import Replicates, Scored
from scorespec.compiler.templates import indented
from scorespec.errors import Place, UsageError

REPLICATES = 9_999
SWEPT_REPLICATES = 1_999  # of a metric whose best threshold is found anew in each
SEED = 0


Resampled = ResampledScores | ResampledSweep | None  # how the scores of a metric are resampled; None if they are not


def resampled_scores(rows: ScoreRows, scored: Scored, place: Place) -> Resampled:
    """How the scores of ``rows`` are resampled; None if they are not."""
    if scored.swept:
        scores = _resampled(rows, scored.swept.replicates, place)
        return ResampledSweep(scores, scored.swept, rows.fold is not None)
    return _resampled(rows, scored.replicates, place) if scored.replicates else None


def _resampled(rows: ScoreRows, replicates: Replicates, place: Place) -> ResampledScores:
    shared = {each.name: getattr(rows, each.name) for each in fields(ReplicateRows) if each.name != "wide"}
    sql = ReplicateRows(wide=Subquery(indented(replicates.sql), ()), **shared).sql(place)
    reads = replicates.reads.union(each.table for each in replicates.sums)
    return ResampledScores(rows.metric, replicates.components, sql, replicates.sums, reads)


def sums_of(resampled: Iterable[Resampled]) -> tuple[ResampledScores, ...]:
    """The metrics that are resampled from sums of blocks."""
    return tuple(each for each in resampled if isinstance(each, ResampledScores))


def sweeps_of(resampled: Iterable[Resampled]) -> tuple[ResampledSweep, ...]:
    """The metrics that find a best threshold anew in each replicate."""
    return tuple(each for each in resampled if isinstance(each, ResampledSweep))


def without_intervals(metrics: Iterable[str], resampled: Iterable[Resampled]) -> Iterator[str]:
    """The warning that metrics have no interval, if there are such metrics."""
    having = {each.metric for each in resampled if each}
    lacking = [each for each in metrics if each not in having]
    if lacking:
        yield f"no interval yet of {', '.join(lacking)}: not computed from sums over the blocks that the suite names"


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


def shown_level(level: float) -> str:
    """A confidence level as it is written: ``95``."""
    return f"{level:.15g}"


def signed(level: float | None, resamples: Iterable[Resample | None], swept: bool) -> list[str]:
    """What a signature says of intervals: the level, and how scores are resampled; nothing if none are asked for.

    ``swept`` says that some metric finds its best threshold anew in each replicate.
    """
    if level is None:
        return []
    blocks = dict.fromkeys(f"{each.method}({'/'.join(each.blocks)})" for each in resamples if each)
    of_thresholds = [f"replicates(threshold)={SWEPT_REPLICATES}"] if swept else []
    drawn = "+".join([*blocks, f"replicates={REPLICATES}", *of_thresholds, f"seed={SEED}"])
    return [f"confidence:{shown_level(level)}", f"resample:{drawn}"]
