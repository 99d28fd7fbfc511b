"""Numbers as text, for people."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any

LARGEST_WHOLE = 1e15  # larger floats have few decimals or none, so that a whole one need not be a count


def number_text(value: float | None) -> str:
    """A number for people: whole numbers above 1 without decimals, since they are likely to count something."""
    if value is None:
        return ""
    whole = abs(value) < LARGEST_WHOLE and value == int(value)
    return f"{int(value):,}" if whole and abs(value) > 1 else four_digits(value)


def end_text(value: float | None, whole: bool = False) -> str:
    """An end of an interval, for people: with decimals, unless the score is a ``whole`` number."""
    if value is None:
        return ""
    if whole:
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= 1000 else four_digits(value)


def four_digits(value: float) -> str:
    """A value with four decimals, or four digits where those would hide it: a rate of false alarms may be 1e-5."""
    return f"{value:.4g}" if 0 < abs(value) < 1e-3 else f"{value:.4f}"


def is_count(row: Mapping[str, Any], counts: Collection[tuple[str, str]]) -> bool:
    """Whether the value of a row of scores is a number of things. A mean over folds is not, even if it is whole.

    ``counts`` are the components that count something, each with its metric.
    """
    value = row["value"]
    counted = (row["metric"], row["component"]) in counts and row["folds"] is None
    return counted and value is not None and math.isfinite(value) and value == int(value)


def score_text(row: Mapping[str, Any], counts: Collection[tuple[str, str]]) -> str:
    """The value of a row of scores: counts are whole numbers, means over folds have decimals."""
    value = row["value"]
    if is_count(row, counts):
        return f"{int(value):,}"
    return four_digits(value) if row["folds"] is not None and value is not None else number_text(value)


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
