"""The kinds of metric. The module of a kind turns a metric into its steps, by the templates of ``sql/kinds/<kind>/``.

A short form has no module, unless its rows are not those of a relation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scorespec.plan.kinds import fit, overlap, statistics, sweep
from scorespec.plan.kinds.counting import Counting, RowsOf
from scorespec.plan.kinds.steps import ScoredMetric

# The kinds that count rows, and the rows of those that do not count the rows of a relation.
COUNTING: Mapping[str, Callable[[Counting], ScoredMetric]] = {
    "statistics": statistics.scored,
    "sweep": sweep.scored,
    "fit": fit.scored,
}
ROWS: Mapping[str, RowsOf] = {"overlap": overlap.rows}
