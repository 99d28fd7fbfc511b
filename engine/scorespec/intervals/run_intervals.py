"""The confidence intervals of all scores of a run, each by the method for its kind of score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Floats
from scorespec.errors import ScorespecError
from scorespec.intervals.block_sums import SUMS_AT_ONCE, SomeScores, portions, read_sums
from scorespec.intervals.found_intervals import Intervals
from scorespec.intervals.jackknife_intervals import add_jackknifed
from scorespec.intervals.sweep_intervals import add_sweeps
from scorespec.plan.plan import Plan
from scorespec.plan.resampling.interval_sql import REPLICATES, SEED, ResampledScores
from scorespec.run.loop import Done
from scorespec.run.progress import Listener
from scorespec.run.session import Session, error_context
from scorespec.statistics import Draws, resample


def add_resampled(intervals: Intervals, session: Session, every: Sequence[ResampledScores], level: float) -> None:
    """Add the intervals of scores that are computed from sums of blocks, at a level in percent."""
    for some in _together(each for scores in every for each in _resampled(intervals, session, scores)):
        sums = np.concatenate([each.sums for each in some], axis=1)
        resampled = resample(sums, partial(_components, some), Draws(SEED, some[0].blocks), REPLICATES)
        for at, (place, effective) in enumerate(found for each in some for found in each.places()):
            intervals.add_resampled(place, resampled, at, level / 100, effective)


def _components(some: Sequence[SomeScores], sums: Floats) -> Floats:
    ends = np.cumsum([each.size for each in some])[:-1]
    pairs = zip(some, np.split(sums, ends, axis=-1), strict=True)
    return np.concatenate([each.components(of_each) for each, of_each in pairs], axis=-1)


def _resampled(intervals: Intervals, session: Session, scores: ResampledScores) -> Iterator[SomeScores]:
    """The scores of a metric that are resampled, in portions; why others are not goes to the notes of ``intervals``."""
    blocks = session.table(scores.blocks)["unit_block"]
    if len(blocks):
        first, *others = (read_sums(session, each, blocks)[0] for each in scores.sums)
        effective, finite = first.effective(), all(each.is_finite for each in (first, *others))
        many = intervals.slices_to_resample(scores, blocks, effective, finite)
        for portion in portions(many, [first, *others], REPLICATES):
            kept = first.of_slices(portion)
            yield SomeScores(session, scores, [kept, *(each.of_scopes(kept) for each in others)], effective)


def _together(every: Iterable[SomeScores]) -> Iterator[list[SomeScores]]:
    """Scores that follow one another and have as many blocks, so that blocks are drawn once for all of them."""
    together: list[SomeScores] = []
    for each in every:
        size = sum(one.size for one in (*together, each))
        if together and (each.blocks != together[0].blocks or REPLICATES * size > SUMS_AT_ONCE):
            yield together
            together = []
        together.append(each)
    if together:
        yield together


def intervals_of(
    session: Session,
    plan: Plan,
    scores: pa.Table,
    level: float,
    done: Mapping[str, Done],
    tell: Listener,
    warn: Callable[[str], None],
    begin: Callable[[str, int], None],
) -> Intervals:
    """The intervals of the scores of a run at a level in percent. An error leaves scores without intervals.

    ``done`` are the steps that the run has made, by their names in the database; ``begin`` is called with a further
    step and the number of steps that are left.
    """

    def none_yet() -> Intervals:
        return Intervals(disclosure=plan.disclosure, percentile={} if plan.asked.percentile else None)

    found = none_yet()
    try:
        with error_context(session, "intervals"):
            add_resampled(found, session, plan.resampling.scores, level)
            add_sweeps(found, session, plan, level)
    except ScorespecError as error:  # the scores are computed, and are kept
        warn(f"there are no intervals: {error}")
        found = none_yet()
    for warning in add_jackknifed(found, session, plan, scores, level, done, tell, begin):
        warn(warning)
    found.restrict(scores, plan)
    for warning in found.warnings(level):
        warn(warning)
    return found
