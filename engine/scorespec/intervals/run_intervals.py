"""The confidence intervals of all scores of a run, each by the method for its kind of score."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pyarrow as pa

from scorespec.errors import ScorespecError
from scorespec.intervals.bootstrap_intervals import Intervals, add_resampled, interval_warnings, restrict
from scorespec.intervals.jackknife_runs import add_intervals
from scorespec.intervals.sweep_intervals import add_sweeps
from scorespec.run.session import error_context

if TYPE_CHECKING:
    from scorespec.run.runner import Runner


def intervals_of(runner: Runner, scores: pa.Table, level: float, warn: Callable[[str], None]) -> Intervals:
    """The intervals of the scores of a run at a level in percent. An error leaves scores without intervals."""
    session, plan = runner.session, runner.plan

    def none_yet() -> Intervals:
        return Intervals(withheld=bool(plan.withheld), percentile={} if plan.percentile else None)

    found = none_yet()
    try:
        with error_context(session, "intervals"):
            add_resampled(found, session, plan.resampled, level)
            add_sweeps(found, session, plan, level)
    except ScorespecError as error:  # the scores are computed, and are kept
        warn(f"there are no intervals: {error}")
        found = none_yet()
    for warning in add_intervals(runner, scores, found):
        warn(warning)
    restrict(found, scores, plan)
    for warning in interval_warnings(found, level):
        warn(warning)
    return found
