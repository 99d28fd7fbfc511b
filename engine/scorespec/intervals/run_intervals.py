"""The confidence intervals of all scores of a run, each by the method for its kind of score."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pyarrow as pa

from scorespec.errors import ScorespecError
from scorespec.intervals.bootstrap_intervals import add_resampled
from scorespec.intervals.found_intervals import Intervals
from scorespec.intervals.jackknife_intervals import add_jackknifed
from scorespec.intervals.sweep_intervals import add_sweeps
from scorespec.plan.plan import Plan
from scorespec.run.loop import Done
from scorespec.run.progress import Listener
from scorespec.run.session import Session, error_context


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
        return Intervals(withheld=bool(plan.withheld), percentile={} if plan.asked.percentile else None)

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
