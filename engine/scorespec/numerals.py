"""Numbers as text, for people."""

from __future__ import annotations

LARGEST_WHOLE = 1e15  # a number above it has no digits to spare behind the point


def number_text(value: float | None) -> str:
    """A number for people: whole numbers above 1 without decimals, since they are likely to count something."""
    if value is None:
        return ""
    whole = abs(value) < LARGEST_WHOLE and value == int(value)
    return f"{int(value):,}" if whole and abs(value) > 1 else four_digits(value)


def end_text(value: float | None) -> str:
    """An end of an interval, for people: with decimals, also where the score is a count."""
    if value is None:
        return ""
    return f"{value:,.1f}" if abs(value) >= 1000 else four_digits(value)


def four_digits(value: float) -> str:
    """A value with four decimals, or four digits where those would hide it: a rate of false alarms may be 1e-5."""
    return f"{value:.4g}" if 0 < abs(value) < 1e-3 else f"{value:.4f}"
