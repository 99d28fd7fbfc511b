"""The columns of a table of scores, in the order in which they are shown, and the name of a score."""

from __future__ import annotations

IDENTITY = ("metric", "component", "slice")  # what a row is the score of
INTERVAL = ("low", "high")  # only if intervals were asked for
PERCENTILE = ("percentile_low", "percentile_high")  # only if percentile intervals were asked for
SPREAD = ("std", "folds")
ENDS = (*INTERVAL, *PERCENTILE)
NUMBERS = ("value", *ENDS, *SPREAD)
COLUMNS = (*IDENTITY, *NUMBERS, "note")


def score_name(metric: str, component: str) -> str:
    """A score as text: the metric, and the component unless it is the main one."""
    return metric if component == "value" else f"{metric} {component}"
