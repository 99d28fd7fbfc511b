"""Numbers as text, for people."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
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
