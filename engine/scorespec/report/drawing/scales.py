"""The scales of axes: where a value lies between the two ends of an axis, and where the ticks are."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import NormalDist

import numpy as np

Bounds = tuple[float | None, float | None]  # the ends of an axis; None means that the values decide
Forward = Callable[[float], float]

PROBABILITIES = (
    *(1e-6, 1e-5, 1e-4, 2e-4, 5e-4, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9),
    *(0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9999),
)  # where ticks of a probit axis may be
ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)  # steps between ticks of a linear axis, times a power of ten
FORWARD: Mapping[str, Forward] = {"linear": float, "log": math.log10, "probit": NormalDist().inv_cdf}
INVERSE: Mapping[str, Forward] = {"linear": float, "log": lambda x: 10.0**x, "probit": NormalDist().cdf}
FEWEST_TICKS = 3  # of an axis
PAD = 0.04  # of the length of an axis, beside the outermost values of a linear axis


@dataclass(frozen=True)
class Scale:
    """An axis from ``low`` to ``high``, which are different values that the scale can show."""

    kind: str
    low: float
    high: float

    def at(self, value: float) -> float:
        """The place of a value: 0 at the low end of the axis, 1 at the high end. A value at infinity is at an end."""
        if not can_show(self.kind, value):
            return float(value > 0)
        forward, (begin, end) = FORWARD[self.kind], self._ends
        return (forward(float(value)) - begin) / (end - begin)

    @cached_property
    def _ends(self) -> tuple[float, float]:
        return FORWARD[self.kind](self.low), FORWARD[self.kind](self.high)

    def ticks(self, most: int) -> Sequence[float]:
        """The values of about ``most`` ticks, at least three, in ascending order."""
        if self.kind == "linear":
            return _linear_ticks(self.low, self.high, most)
        wanted = PROBABILITIES if self.kind == "probit" else _decades(self.low, self.high)
        inside = [each for each in wanted if self.low <= each <= self.high]
        if len(inside) < FEWEST_TICKS:
            return _linear_ticks(self.low, self.high, most)
        found: Sequence[float] = ()
        while len(found) < FEWEST_TICKS:
            found, most = self._spread(inside, most), most + 1
        return found

    def _spread(self, values: Sequence[float], most: int) -> Sequence[float]:
        """Those of some values that are not too near to each other."""
        found: list[float] = []
        for value in values:
            if not found or self.at(value) - self.at(found[-1]) >= 1 / most:
                found.append(value)
        return found


def can_show(kind: str, value: float | None) -> bool:
    """Whether an axis can show a number: 0 has no place on a log axis, 0 and 1 have none on a probit axis."""
    if value is None or not math.isfinite(value):
        return False
    return kind == "linear" or (value > 0 and (kind == "log" or value < 1))


def scale_of(kind: str, values: Iterable[float | None], bounds: Bounds = (None, None)) -> Scale:
    """The scale that shows all values that can be shown, within the given bounds."""
    forward, inverse = FORWARD[kind], INVERSE[kind]
    shown = [forward(float(value)) for value in values if value is not None and can_show(kind, value)]
    low, high = (forward(each) if can_show(kind, each) and each is not None else None for each in bounds)
    begin = low if low is not None else min(shown, default=min(-1.0, (high or 0) - 1))
    end = high if high is not None else max(shown, default=max(1.0, begin + 1))
    begin, end = (begin, end) if begin <= end else (begin, begin)
    room = (end - begin) * PAD if end > begin else max(abs(begin) * 0.1, 0.5)
    begin = begin - room if low is None else begin
    end = end + room if high is None or end == begin else end
    return Scale(kind, inverse(begin), inverse(end))


def _linear_ticks(low: float, high: float, most: int) -> Sequence[float]:
    rough = (high - low) / max(most - 1, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(each * power for each in ROUND if each * power >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    if last - first + 1 < FEWEST_TICKS:
        return _linear_ticks(low, high, most + 1)
    return [number * step for number in range(first, last + 1)]


def _decades(low: float, high: float) -> Sequence[float]:
    """Powers of ten; where fewer than three of them lie between the ends, also twice and five times as much."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    whole = [10.0**power for power in powers if low <= 10.0**power <= high]
    return whole if len(whole) >= 3 else [first * 10.0**power for power in powers for first in (1, 2, 5)]


def tick_text(value: float, unit: str | None = None) -> str:
    """A tick as text. The values of an axis in per cent are shares: 0.05 is the tick 5."""
    shown = value * 100 if unit == "%" else value
    if abs(shown) < 1e-12:
        return "0"
    if abs(shown) >= 1e6 or abs(shown) < 1e-4:
        return f"{shown:.3g}".replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")
    return f"{shown:,.6g}" if abs(shown) < 1000 else f"{shown:,.0f}"


MOST_POINTS = 500
LARGEST_ERROR = 0.25  # pixels


@dataclass(frozen=True)
class Thinned:
    """The positions of the points that a curve keeps, and the largest distance of another point from it, in pixels."""

    kept: Sequence[int]
    error: float


def thin(places: Sequence[tuple[float, float]], keep: Iterable[int] = (), most: int = MOST_POINTS) -> Thinned:
    """The points that a curve keeps, so that every other point is at most LARGEST_ERROR from the curve.

    Coordinates are pixels. Both ends and the points ``keep`` always stay. The curve begins as straight lines between
    these. Then, again and again, the point that is farthest from the curve is added to it (Ramer 1972, Douglas and
    Peucker 1973). This ends early at ``most`` points; then the error is larger, and the result says how large.
    """
    points = np.array(places, float)
    last = len(points) - 1
    if last < 1:
        return Thinned(range(last + 1), 0.0)
    kept = sorted({0, last, *keep})
    spans = [_farthest(points, *pair) for pair in pairwise(kept)]
    heapq.heapify(spans)
    while len(kept) < most and -spans[0][0] > LARGEST_ERROR:
        _, at, begin, end = heapq.heappop(spans)
        kept.append(at)
        heapq.heappush(spans, _farthest(points, begin, at))
        heapq.heappush(spans, _farthest(points, at, end))
    return Thinned(sorted(kept), max(0.0, -spans[0][0]))


def _farthest(points: np.ndarray, begin: int, end: int) -> tuple[float, int, int, int]:
    """Minus the distance of the point that is farthest from the line between two points, its place, and the two."""
    if end - begin < 2:
        return 0.0, begin, begin, end
    inner, first, line = points[begin + 1 : end], points[begin], points[end] - points[begin]
    length = float(line @ line)
    share = np.clip((inner - first) @ line / length, 0, 1) if length else np.zeros(len(inner))
    away = np.hypot(*(inner - first - share[:, None] * line).T)
    at = int(away.argmax())
    return -float(away[at]), begin + 1 + at, begin, end
