"""The kind ``statistics``: sums over units, and components computed from the sums."""

from __future__ import annotations

from dataclasses import dataclass

from scorespec.compiler.kinds.body import has_overall
from scorespec.compiler.kinds.context import Context, Expressions, Given, Note, Slices
from scorespec.compiler.kinds.counting import Counting
from scorespec.compiler.scored import Scored


@dataclass(frozen=True)
class Scores(Context, template="statistics/scores.sql"):
    """The sums of the statistics in each slice and the components; notes say why a component is undefined."""

    slices: Slices
    statistics: Expressions
    components: Expressions
    given: Given | None
    notes: tuple[Note, ...]


def scored(counting: Counting) -> Scored:
    """The steps of a metric of this kind."""
    body, given = counting.body, counting.given
    kept = [name for _, name in given.keys if name in counting.unit] if given and counting.mean else []
    context = Scores(counting.slices(kept), body["statistics"], body["components"], given, counting.notes)
    return Scored(
        counting.add(context, "scores"),
        tuple(body["components"]),
        counting.standing,
        counting.distinct_units,
        tuple(body["statistics"]),
        overall=has_overall(body),
    )
