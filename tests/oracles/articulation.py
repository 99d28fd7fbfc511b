"""The scores of articulatory synthesis token by token: an independent witness for tests.

Written from the description of the benchmark, with no code shared with the engine: a dictionary per row, one error
after the other, numpy for RMSE and quantile, scipy for the interpolation, means as plain sums. A row has the columns
of the input tables; what is missing is None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import PchipInterpolator

Row = Mapping[str, Any]
SUBSCORES = ("tongue_height", "ema", "velocity_jerk", "loudness", "spectrogram", "semantic_distance", "semantic_rank")


@dataclass(frozen=True)
class Rules:
    """The parameters of the suite `articulation`, and their defaults."""

    unusable: str = "refuse"
    denominator: str = "same_tokens"
    ema_form: str = "program"
    quantile_of: str = "absolute"
    rank_ties: str = "strict"
    rank_span: int = 0
    normalise: str = "program"
    zero_counts: bool = False  # whether the total takes an undefined subscore for 0


PROGRAM = Rules(
    "leave_out", "all_tokens", quantile_of="signed", rank_ties="table_order", rank_span=4311, zero_counts=True
)


def rmse(a: Any, b: Any) -> float | None:
    """Over all elements; None where one is missing or a number is not finite."""
    if a is None or b is None:
        return None
    error = math.sqrt(np.mean((np.array(a, float) - np.array(b, float)) ** 2))
    return error if math.isfinite(error) else None


def resampled(frames: Sequence[Any], count: int) -> Any:
    """As many frames over the same time."""
    old, new = np.linspace(0, 1, len(frames)), np.linspace(0, 1, count)
    return PchipInterpolator(old, np.array(frames, float))(new)


def sensor_errors(a: Any, b: Any, form: str) -> list[float] | None:
    """Of all axes together, or of each."""
    if a is None or b is None:
        return None
    if len(a) != len(b):
        count = max(len(a), len(b))
        a, b = (each if len(each) == count else resampled(each, count) for each in (a, b))
    a, b = np.array(a, float), np.array(b, float)
    errors = [rmse(a, b)] if form == "program" else [rmse(a[:, axis], b[:, axis]) for axis in range(3)]
    return None if None in errors else errors  # type: ignore[return-value]


def quantile(values: Any, of: str) -> float:
    flat = np.abs(values) if of == "absolute" else values
    return float(np.quantile(flat, 0.999))


def loudness(mel: Any, given: Any) -> Any:
    return given if given is not None or mel is None else [sum(frame) / len(frame) for frame in mel]


def rank(vector: Any, label: str, labels: Sequence[Row], ties: str) -> int | None:
    """1 + the labels before the own one."""
    if vector is None or not np.isfinite(np.array(vector, float)).all():
        return None
    distances = [math.dist(vector, each["vector"]) for each in labels]
    own = next(place for place, each in enumerate(labels) if each["label"] == label)
    in_order = ties == "table_order"
    before = [d < distances[own] or (in_order and d == distances[own] and at < own) for at, d in enumerate(distances)]
    return 1 + sum(before)


def errors_of(row: Row | None, token: Row, labels: Sequence[Row], rules: Rules) -> dict[str, Any]:
    """The error of each subscore, None where there is none; movement as (velocity, jerk)."""
    if row is None:
        return dict.fromkeys(SUBSCORES)
    both = [
        sensor_errors(row[f"ema_{sensor}"], token[f"reference_ema_{sensor}"], rules.ema_form) for sensor in ("TT", "TB")
    ]
    ema = None if None in both else sum(sum(each) for each in both if each)
    if ema is not None and rules.ema_form != "program":
        ema /= 6
    place = rank(row["semantic_vector"], token["label"], labels, rules.rank_ties)
    return {
        "tongue_height": rmse(row["tongue_height"], token["reference_tongue_height"]),
        "ema": ema,
        "velocity_jerk": movement(row["cps"], rules.quantile_of),
        "loudness": rmse(
            loudness(row["log_mel"], row.get("loudness")),
            loudness(token["target_log_mel"], token.get("target_loudness")),
        ),
        "spectrogram": rmse(row["log_mel"], token["target_log_mel"]),
        "semantic_distance": rmse(row["semantic_vector"], token["target_semantic_vector"]),
        "semantic_rank": None if place is None else place - 1,
    }


def movement(cps: Any, of: str) -> tuple[float | None, float | None] | None:
    """Velocity and jerk on the logarithmic scale; each None where it has no logarithm."""
    if cps is None or not np.isfinite(np.array(cps, float)).all():
        return None
    quantiles = [quantile(np.diff(np.array(cps, float), n=order, axis=0), of) for order in (1, 3)]
    velocity, jerk = (math.log(1 + q) / math.log(151) if q > -1 else None for q in quantiles)
    return velocity, jerk


def mean(values: Iterable[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return math.fsum(there) / len(there) if there else None


def scores(
    tokens: Sequence[Row], labels: Sequence[Row], submission: Sequence[Row], baseline: Sequence[Row], rules: Rules
) -> dict[str, dict[str, float | None]]:
    """{task: {subscore or group: score}}, the baseline's under `baseline`."""
    rows = {(row["task"], row["token"]): row for row in submission}
    rows |= {("baseline", row["token"]): row for row in baseline}
    tasks = dict.fromkeys(task for task, _ in rows)
    errors = {
        task: [errors_of(rows.get((task, token["token"])), token, labels, rules) for token in tokens] for task in tasks
    }
    return {task: _scores_of(errors[task], errors["baseline"], len(labels), rules) for task in tasks}


def _scores_of(
    own: Sequence[dict[str, Any]], schwa: Sequence[dict[str, Any]], labels: int, rules: Rules
) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for name in SUBSCORES:
        errors, of_schwa = [each[name] for each in own], [each[name] for each in schwa]
        if name == "velocity_jerk" and rules.normalise == "program":
            found[name] = _movement_score(errors)
        elif name == "semantic_rank" and rules.normalise == "program":
            found[name] = _over(mean(errors), rules.rank_span or labels - 1)
        else:
            if name == "velocity_jerk":
                errors, of_schwa = [list(map(_added, each)) for each in (errors, of_schwa)]
            if rules.denominator == "same_tokens":
                pairs = [(a, b) for a, b in zip(errors, of_schwa, strict=True) if a is not None and b is not None]
                errors, of_schwa = [a for a, _ in pairs], [b for _, b in pairs]
            found[name] = _over(mean(errors), mean(of_schwa))
            if name == "ema" and rules.ema_form == "document" and found[name] is not None:
                found[name] += 300  # type: ignore[operator]
    groups = {"articulatory": SUBSCORES[:3], "acoustic": SUBSCORES[3:5], "semantic": SUBSCORES[5:]}
    found |= {group: _sum(found[name] for name in names) for group, names in groups.items()}
    counted: Callable[[float | None], float | None] = (lambda x: x or 0.0) if rules.zero_counts else (lambda x: x)
    found["total"] = _sum(counted(found[name]) for name in SUBSCORES)
    return found


def _movement_score(errors: Sequence[Any]) -> float | None:
    halves = [mean(each and each[side] for each in errors) for side in (0, 1)]
    return None if None in halves else 100 * (1 - sum(min(half, 0.5) for half in halves if half is not None))


def _added(pair: tuple[float | None, float | None] | None) -> float | None:
    return None if pair is None or None in pair else pair[0] + pair[1]  # type: ignore[operator]


def _over(error: float | None, whole: float | None) -> float | None:
    return None if error is None or not whole else 100 * (1 - error / whole)


def _sum(values: Iterable[float | None]) -> float | None:
    listed = list(values)
    return None if None in listed else sum(value for value in listed if value is not None)
