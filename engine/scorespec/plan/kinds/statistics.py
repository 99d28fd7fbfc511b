"""The kind ``statistics``: sums over units, and components computed from the sums."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scorespec.plan.kinds.context import Context, Expressions, Given, Note, Slices
from scorespec.plan.kinds.counting import Counting
from scorespec.plan.kinds.replicates import replicates
from scorespec.plan.kinds.steps import ScoredMetric
from scorespec.plan.needs import has_overall


@dataclass(frozen=True)
class StatisticsScores(Context, template="statistics/scores.sql"):
    """The sums of the statistics in each slice and the components; notes say why a component is undefined.

    The components ``of_slice`` have one value in each slice, and are not averaged over units. ``remarks`` are notes on
    these or, if there are none, on all components, whether they are defined or not.
    """

    slices: Slices
    statistics: Expressions
    components: Expressions
    given: Given | None
    notes: tuple[Note, ...]
    of_slice: Expressions
    remarks: tuple[Note, ...]


def scored(counting: Counting) -> ScoredMetric:
    """The steps of a metric of this kind."""
    body, given = counting.body, counting.given
    kept = [name for _, name in given.keys if name in counting.unit] if given and counting.mean else []
    components, of_slice, remarks = body["components"], body.get("of_slice", {}), counting.notes("remarks")
    context = StatisticsScores(
        counting.slices(kept), body["statistics"], components, given, counting.notes(), of_slice, remarks
    )
    return ScoredMetric(
        counting.add(context, "scores"),
        (*components, *of_slice),
        counting.standing,
        counting.distinct_units,
        tuple(body["statistics"]),
        remarked=tuple(of_slice or components) if remarks else (),
        overall=has_overall(body),
        resampled=replicates(counting, lambda slices: replace(context, slices=slices)),
    )
