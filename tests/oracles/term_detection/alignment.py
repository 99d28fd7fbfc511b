"""Which detection finds which occurrence: one-to-one, within one query, document and channel."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction

from .rows import Detection, Occurrence, seconds

Gain = tuple[int | Fraction, ...]  # added component by component, compared lexicographically
Graph = dict[int, dict[int, Gain]]  # detection: {occurrence: gain}
Key = tuple[str, str, str]

HALF_SECOND = Decimal("0.5")


def compatible(d: Detection, o: Occurrence, tolerance: Decimal = HALF_SECOND, nist: bool = False) -> bool:
    """Is the midpoint at most `tolerance` seconds outside the occurrence, both ends included?

    Exactly, or as F4DE does in binary64 (which loses pairs that are half a second apart: case boundary).
    """
    if nist:
        mid, half = float(d.tbeg) + float(d.dur) / 2, float(tolerance)
        return float(o.tbeg) - half <= mid <= float(f"{float(o.end):.4f}") + half
    twice_mid = 2 * d.tbeg + d.dur
    return 2 * (o.tbeg - tolerance) <= twice_mid <= 2 * (o.end + tolerance)


def best_matching(graph: Graph) -> dict[int, int]:
    """The matching of largest cardinality, and of the largest sum of gains among those.

    Successive best augmenting paths (Bellman-Ford): after k of them the matching is the best one of size k.
    Gains are tuples of integers or fractions, so sums are exact and their order never matters.
    """
    matched: dict[int, int] = {}  # occurrence: detection
    while True:
        reached, before = best_paths(graph, matched)
        free = [o for o in reached if o not in matched]
        if not free:
            return {d: o for o, d in matched.items()}
        at: int | None = max(free, key=lambda o: (reached[o], -o))
        while at is not None:
            d = before[at]
            left = next((o for o, by in matched.items() if by == d), None)
            if left is not None:
                del matched[left]
            matched[at] = d
            at = left


def best_paths(graph: Graph, matched: dict[int, int]) -> tuple[dict[int, Gain], dict[int, int]]:
    """For each occurrence the gain of the best augmenting path that ends there, and its last detection."""
    reached: dict[int, Gain] = {}
    before: dict[int, int] = {}
    sources = {d: None for d in graph if d not in matched.values()}
    changed = True
    while changed:
        changed = False
        for d, edges in graph.items():
            if d in sources:
                start: Gain | None = None
            else:
                own = next(o for o, by in matched.items() if by == d)
                if own not in reached:
                    continue
                start = tuple(a - b for a, b in zip(reached[own], graph[d][own], strict=True))
            for o, gain in edges.items():
                if matched.get(o) == d:
                    continue
                total = gain if start is None else tuple(a + b for a, b in zip(start, gain, strict=True))
                if o not in reached or total > reached[o]:
                    reached[o], before[o] = total, d
                    changed = True
    return reached, before


def document_gains(detections: list[Detection], occurrences: list[Occurrence]) -> Callable[[int, int], Gain]:
    """Larger sum of scores, then larger overlap, then earlier onset, earlier end, YES before NO.

    Ranks stand for scores: which scores a matching of largest cardinality can have is decided by their order
    (detections that can be matched together form a matroid), so ±INF needs no arithmetic. Only overlap
    depends on the pair; what follows it orders the sums over the matched detections.
    """
    ranks = {score: rank for rank, score in enumerate(sorted({d.score for d in detections}))}

    def gain(i: int, j: int) -> Gain:
        d, o = detections[i], occurrences[j]
        end = d.tbeg + d.dur
        overlap = Fraction(min(end, o.end)) - Fraction(max(d.tbeg, o.tbeg))
        return ranks[d.score], overlap, -Fraction(d.tbeg), -Fraction(end), int(d.yes)

    return gain


def nist_gains(
    detections: list[Detection], occurrences: list[Occurrence], lowest: float | None, highest: float | None
) -> Callable[[int, int], Gain]:
    """1 + 1e-6 score + 1e-8 overlap (overlap may beat a score difference below 1 % of the range).

    Scores are scaled by the list's min_score and max_score, else by the extremes in this file and channel;
    the overlap, negative when disjoint, by the length of the occurrence; neither range below 1e-5. Equal
    gains, which the tool decides by memory address, go by onset, end, YES before NO as in the document's
    rule. OPEN: infinite scores (here 1 and 0, and the range is that of the finite ones).
    """
    finite = [d.score for d in detections if math.isfinite(d.score)] or [0.0]
    low = min(finite) if lowest is None else lowest
    high = max(finite) if highest is None else highest

    def gain(i: int, j: int) -> Gain:
        d, o = detections[i], occurrences[j]
        begin, end = float(d.tbeg), seconds(d.tbeg, d.dur)
        ref_begin, ref_end = float(o.tbeg), float(f"{float(o.end):.4f}")
        score = (d.score - low) / max(high - low, 1e-5) if math.isfinite(d.score) else float(d.score > 0)
        time = (min(end, ref_end) - max(begin, ref_begin)) / max(ref_end - ref_begin, 1e-5)
        exact = Fraction(1, 10**6) * Fraction(score) + Fraction(1, 10**8) * Fraction(time)
        return exact, -Fraction(d.tbeg), -Fraction(d.tbeg + d.dur), int(d.yes)

    return gain


def align(
    detections: Iterable[Detection],
    occurrences: Iterable[Occurrence],
    *,
    tolerance: Decimal = HALF_SECOND,
    nist: bool = False,
    nist_gain: bool | None = None,
    lowest: float | None = None,
    highest: float | None = None,
) -> tuple[list[tuple[Detection, Occurrence | None]], list[Occurrence]]:
    """Every detection with what it found, and the occurrences that none found.

    `nist_gain` says which assignment if it is not that of `nist`, which says how times are compared.
    """
    nist_gain = nist if nist_gain is None else nist_gain
    found: dict[Key, list[Detection]] = defaultdict(list)
    real: dict[Key, list[Occurrence]] = defaultdict(list)
    for d in detections:
        found[d.query, d.doc, d.channel].append(d)
    for o in occurrences:
        real[o.query, o.doc, o.channel].append(o)
    pairs: list[tuple[Detection, Occurrence | None]] = []
    unfound: list[Occurrence] = []
    for key in sorted(found.keys() | real.keys()):
        here = sorted(found[key], key=lambda d: (-d.score, d.tbeg, d.dur, not d.yes))
        there = sorted(real[key])
        gain = nist_gains(here, there, lowest, highest) if nist_gain else document_gains(here, there)
        graph = {
            i: {j: gain(i, j) for j, o in enumerate(there) if compatible(d, o, tolerance, nist)}
            for i, d in enumerate(here)
        }
        matching = best_matching({i: edges for i, edges in graph.items() if edges})
        pairs += [(d, there[matching[i]] if i in matching else None) for i, d in enumerate(here)]
        unfound += [o for j, o in enumerate(there) if j not in matching.values()]
    return pairs, unfound
