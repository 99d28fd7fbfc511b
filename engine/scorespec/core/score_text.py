"""Numbers, slices and scores: as text for people, as values for programs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from decimal import Decimal
from typing import Any

from scorespec.core.result_tables import ENDS, SCORE_COLUMNS
from scorespec.core.terminal import visible

Row = dict[str, Any]
NumberText = Callable[[float | None], str]
Part = tuple[tuple[str, str], ...]  # of the whole: the heading and the value of each column of breakdowns

FOR_PROGRAMS = ("json", "csv")
PRINTED = ("table", "markdown", "latex", *FOR_PROGRAMS)  # formats in which every suite can print its scores
LARGEST_WHOLE = 1e15  # larger floats have few decimals or none, so that a whole one need not be a count


# -- numbers -----------------------------------------------------------------------------------------


def number_text(value: float | None) -> str:
    """A number for people: whole numbers above 1 without decimals, since they are likely to count something."""
    if value is None:
        return ""
    return f"{int(value):,}" if _is_whole(value) and abs(value) > 1 else four_digits(value)


def end_text(value: float | None, whole: bool = False) -> str:
    """An end of an interval, for people: with decimals, unless the score is a ``whole`` number."""
    if value is None:
        return ""
    if whole:
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= 1000 else four_digits(value)


def value_text(value: object, unit: str | None = None) -> str:
    """A value of any type: numbers with at most four decimals, lists with blanks between their items.

    With the unit `%`, a number is a share: 0.05 is 5, and 1 is 100.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(map(value_text, value))
    if not isinstance(value, int | float | Decimal):
        return visible(value)
    number: float = finite(value)
    if isinstance(number, float) and not math.isfinite(number):
        return "" if math.isnan(number) else "∞" if number > 0 else "−∞"
    shown = number * 100 if unit == "%" else number
    if isinstance(shown, int) or _is_whole(shown):
        return f"{int(shown):,}"
    text = end_text(shown)
    return text if abs(shown) >= 1000 or abs(shown) < 1e-3 else text.rstrip("0").rstrip(".")


def four_digits(value: float) -> str:
    """A value with four decimals, or four digits where those would hide it: a rate of false alarms may be 1e-5."""
    return f"{value:.4g}" if 0 < abs(value) < 1e-3 else f"{value:.4f}"


def percent_text(value: float | None) -> str:
    """A ratio in percent, with two decimals, or three digits where those would hide it: 0.075 is 7.50."""
    if value is None:
        return ""
    percent = value * 100
    return f"{percent:.3g}" if 0 < abs(percent) < 0.1 else f"{percent:,.2f}"


def texts_of(
    score: tuple[str, str], in_percent: Collection[tuple[str, str]], counts: Collection[tuple[str, str]]
) -> tuple[NumberText, NumberText]:
    """How values and ends of intervals of a score are written: as percent, as whole numbers, or with decimals."""
    if score in in_percent:
        return percent_text, percent_text
    return (count_text, count_text) if score in counts else (number_text, end_text)


def count_text(value: float | None) -> str:
    """A number of things: 0 is 0, and a mean has decimals."""
    return number_text(value) if value is None or not _is_whole(value) else f"{int(value):,}"


def counted(count: int, noun: str) -> str:
    """A number of things, such as `1 point` and `1,500 points`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def level_text(level: float) -> str:
    """A confidence level in percent: ``95``."""
    return f"{level:.15g}"


def finite(value: Any) -> Any:
    """A value as strict JSON has it: null for NaN, the texts Infinity and -Infinity, a number for a decimal."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Decimal):  # such as the sum of whole numbers
        return int(value) if value == int(value) else float(value)
    if isinstance(value, Mapping):
        return {key: finite(each) for key, each in value.items()}
    return [finite(each) for each in value] if isinstance(value, list | tuple) else value


def _is_whole(value: float) -> bool:
    return abs(value) < LARGEST_WHOLE and value == int(value)


# -- names and slices --------------------------------------------------------------------------------


def score_name(metric: str, component: str) -> str:
    """A score as text: the metric, and the component unless it is the main one."""
    return metric if component == "value" else f"{metric} {component}"


def slice_text(slice_: Mapping[str, Any]) -> str:
    """A slice as text, such as `speaker=a`; empty for the whole submission."""
    return visible(" ".join(f"{key}={value}" for key, value in slice_.items()))


def score_key(metric: str, component: str, slice_: Mapping[str, Any]) -> str:
    """One name for a score: metric, component and the values of its slice, as in ``ned_value_within``.

    Characters other than letters, digits and hyphens are underscores.
    """
    parts = (metric, component, *map(str, slice_.values()))
    return "_".join(re.sub(r"[^A-Za-z0-9-]+", "_", part).strip("_") for part in parts)


def whole_slices(slices: Iterable[str]) -> list[str]:
    """The slices of a metric that stand for the whole submission, among its slices as JSON: those with fewest columns.

    This is the slice without columns, if there is one; otherwise, for example, each of several tasks. A slice of a
    single fold has one column more than the mean over folds.
    """
    columns = {slice_: len(json.loads(slice_)) for slice_ in slices}
    fewest = min(columns.values(), default=0)
    return [slice_ for slice_, number in columns.items() if number == fewest]


def part_text(slice_: Mapping[str, Any], by: Iterable[str], others: Collection[str]) -> Part:
    """The values of some columns in a slice, `all` without a value, for a table that has ``others``, too."""
    return tuple((f"slice {name}" if name in others else name, visible(slice_.get(name, "all"))) for name in by)


def parts_of_whole(slices: Iterable[str]) -> dict[str, frozenset[str]]:
    """The slices of a metric as JSON, each with the columns by which it is a part of a slice that stands for the whole.

    A slice that stands for the whole has no such columns.
    """
    columns = {slice_: frozenset(json.loads(slice_)) for slice_ in slices}
    wholes = dict.fromkeys(columns[slice_] for slice_ in whole_slices(columns))
    return {slice_: next((each - whole for whole in wholes if whole <= each), each) for slice_, each in columns.items()}


# -- rows of scores ----------------------------------------------------------------------------------


def is_count(row: Mapping[str, Any], counts: Collection[tuple[str, str]]) -> bool:
    """Whether the value of a row of scores is a number of things. A mean over folds is not, even if it is whole.

    ``counts`` are the components that count something, each with its metric.
    """
    value = row["value"]
    is_counted = (row["metric"], row["component"]) in counts and row["folds"] is None
    return is_counted and value is not None and math.isfinite(value) and value == int(value)


def score_text(row: Mapping[str, Any], counts: Collection[tuple[str, str]]) -> str:
    """The value of a row of scores: counts are whole numbers, means over folds have decimals."""
    value = row["value"]
    if is_count(row, counts):
        return f"{int(value):,}"
    return four_digits(value) if row["folds"] is not None and value is not None else number_text(value)


def exact(row: Row, counts: Collection[tuple[str, str]]) -> Row:
    """A row of scores, for programs: a count and the ends of its interval are whole numbers."""
    whole = [name for name in ("value", *ENDS) if row.get(name) is not None] if is_count(row, counts) else []
    return row | {name: int(row[name]) for name in whole}


def shown(
    row: Row, counts: Collection[tuple[str, str]], in_percent: Collection[tuple[str, str]] = ()
) -> dict[str, str]:
    """A row of scores as text. The components ``in_percent``, each with its metric, are printed as percent."""
    texts = {"slice": slice_text(row["slice"]), "value": score_text(row, counts)}
    texts |= {name: end_text(row.get(name), is_count(row, counts)) for name in ENDS}
    if (row["metric"], row["component"]) in in_percent:
        found = {name: percent_text(row.get(name)) for name in ("value", *ENDS, "std")}
        texts |= {name: text and f"{text} %" for name, text in found.items()}
    for name in SCORE_COLUMNS:
        value = row.get(name)
        other = number_text(value) if isinstance(value, float) else visible("" if value is None else value)
        texts.setdefault(name, other)
    return {name: texts[name] for name in SCORE_COLUMNS}
