"""The columns of a table of scores in the order in which they are shown, names of scores, and whole submissions."""

from __future__ import annotations

import json
from collections.abc import Iterable

IDENTITY = ("metric", "component", "slice")  # what a row is the score of
INTERVAL = ("low", "high")  # only if intervals were asked for
PERCENTILE = ("percentile_low", "percentile_high")  # only if percentile intervals were asked for
SPREAD = ("std", "folds")
ENDS = (*INTERVAL, *PERCENTILE)
NUMBERS = ("value", *ENDS, *SPREAD)
COLUMNS = (*IDENTITY, *NUMBERS, "note")
EVIDENCE = "evidence_"  # so begin the names of tables of evidence in results


def whole_slices(slices: Iterable[str]) -> list[str]:
    """The slices of a metric that stand for the whole submission, among its slices as JSON: those with fewest columns.

    This is the slice without columns, if there is one; otherwise, for example, each of several tasks. A slice of a
    single fold has one column more than the mean over folds.
    """
    columns = {slice_: len(json.loads(slice_)) for slice_ in slices}
    fewest = min(columns.values(), default=0)
    return [slice_ for slice_, number in columns.items() if number == fewest]


def score_name(metric: str, component: str) -> str:
    """A score as text: the metric, and the component unless it is the main one."""
    return metric if component == "value" else f"{metric} {component}"
