"""Leaves out points of a curve whose absence nobody sees."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

MOST_POINTS = 500
LARGEST_ERROR = 0.25  # pixels


@dataclass(frozen=True)
class Thinned:
    """The positions of the points that a curve keeps, and the largest distance of another point from it, in pixels."""

    kept: Sequence[int]
    error: float


def thin(
    x: Sequence[float],
    y: Sequence[float],
    keep: Iterable[int] = (),
    most: int = MOST_POINTS,
) -> Thinned:
    """The points that a curve keeps, so that every other point is at most LARGEST_ERROR from the curve.

    Coordinates are pixels. Both ends and the points ``keep`` always stay. The curve begins as straight lines between
    these. Then, again and again, the point that is farthest from the curve is added to it (Ramer 1972, Douglas and
    Peucker 1973). This ends early at ``most`` points; then the error is larger, and the result says how large.
    """
    points = np.column_stack([np.asarray(x, float), np.asarray(y, float)])
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
