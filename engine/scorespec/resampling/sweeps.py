"""The best threshold of a score in each resample, from rows that are sorted once.

The naive way walks through all rows for each resample: it adds up weight × value from the highest score to the lowest,
and takes the largest sum at an end of ties. For a million rows and 2,000 resamples these are 2 · 10⁹ steps. Here the
rows are cut into chunks at ends of ties. The sum at each end of a chunk is a product of two matrices, weights and sums
of chunks by block. Inside a chunk the sum cannot rise above its beginning plus all positive values of the chunk. A chunk
is walked through only in the resamples in which this bound reaches the best sum at an end of a chunk. All sums are exact
(exact.py), so that both ways give the same bits; tests/unit/test_resampling_sweeps.py compares them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorespec.arrays import Floats, Ints
from scorespec.resampling.exact import whole_multiples

if TYPE_CHECKING:
    from scorespec.arrays import Mask

CHUNK = 1024  # rows of a chunk; a longer run of equal scores stays together
_MOST_SUMS = 2**23  # sums of chunks by block; bounds the memory
_MOST_WALKED = 2**21  # numbers that are added up together while a chunk is walked through


@dataclass(frozen=True, eq=False)
class RankedRows:
    """Rows from the highest score to the lowest, with what each adds to the objective if it is accepted.

    ``ends`` has the position of the last row of each distinct score. ``statistics`` (rows × statistics) are summed over
    the accepted rows, too.
    """

    scores: Floats
    blocks: Ints
    values: Floats
    statistics: Floats
    ends: Ints


def rank_rows(scores: Floats, blocks: Ints, values: Floats, statistics: Floats, number: int) -> RankedRows:
    """Sort rows for ``best_thresholds``. Rows without a score (NaN) are never accepted. ``number`` counts all blocks."""
    order = np.argsort(-scores, kind="stable")
    order = order[: len(scores) - np.count_nonzero(np.isnan(scores))]
    ranked = scores[order]
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)) if len(ranked) else np.empty(0, np.int64)
    owners = blocks[order]
    return RankedRows(
        ranked,
        owners,
        _exact(values[order, None], owners, number)[:, 0],
        _exact(statistics[order], owners, number),
        ends,
    )


def _exact(rows: Floats, blocks: Ints, number: int) -> Floats:
    """Values as multiples whose sums are exact, if as many blocks are drawn as there are."""
    totals = [np.bincount(blocks, weights=np.abs(column), minlength=1).max() for column in rows.T]
    return whole_multiples(rows, number * np.array(totals))


def best_thresholds(
    rows: RankedRows, weights: Floats, tie: Floats | float = 0.0, *, reject_all: bool = True
) -> tuple[Floats, Ints, Floats]:
    """The best threshold in each resample: the largest Σ weight × value over the accepted rows.

    ``weights`` has how often each resample takes each block (resamples × blocks). Among thresholds within ``tie`` of the
    best sum, the lowest is taken. To accept no row has the sum 0; it is tried if ``reject_all``, or if no row exists.
    Returns the sum of each resample, the position in ``rows`` of the last accepted row (-1 if none is accepted), and
    the sums of the statistics of the accepted rows (resamples × statistics).
    """
    resamples, blocks = weights.shape
    ties = np.broadcast_to(np.asarray(tie, np.float64), resamples)
    if not len(rows.scores):
        return np.zeros(resamples), np.full(resamples, -1), np.zeros((resamples, rows.statistics.shape[1]))
    chunks = _Chunks.of(rows, blocks)
    before, largest = _largest(rows, chunks, weights, ties, reject_all)
    best = largest.max(axis=0)
    # Chunk 0 stands for the threshold above all scores. The last chunk that comes near the best has the lowest threshold.
    near = len(largest) - 1 - np.argmax((largest >= best - ties)[::-1], axis=0)
    sums, ends = np.zeros(resamples), np.full(resamples, -1)
    accepted = np.zeros((resamples, rows.statistics.shape[1]))
    by_block = np.zeros((blocks, rows.statistics.shape[1]))
    for chunk in range(near.max(initial=0)):
        for members in _portions(np.flatnonzero(near == chunk + 1), chunks.size(chunk)):
            walked = _walk(rows, chunks, chunk, weights[members], before[chunk, members])
            good = walked >= (best - ties)[members, None]
            last = good.shape[1] - 1 - np.argmax(good[:, ::-1], axis=1)
            sums[members] = walked[np.arange(len(members)), last]
            ends[members] = chunks.tie_ends(rows, chunk)[last]
            accepted[members] = weights[members] @ by_block + _accepted(rows, chunks, chunk, weights, members, ends)
        _add(by_block, rows, chunks.start(chunk), chunks.stop(chunk))
    return sums, ends, accepted


@dataclass(frozen=True, eq=False)
class _Chunks:
    """Rows cut at ends of ties. ``net`` and ``positive`` are sums of values by chunk and block: chunks × blocks."""

    stops: Ints  # position after the last row of each chunk
    net: Floats
    positive: Floats

    @staticmethod
    def of(rows: RankedRows, blocks: int) -> _Chunks:
        size = max(CHUNK, -(-len(rows.scores) * blocks // _MOST_SUMS))
        targets = np.minimum(np.arange(size, len(rows.scores) + size, size), len(rows.scores)) - 1
        stops = np.unique(rows.ends[np.searchsorted(rows.ends, targets)]) + 1
        place = np.repeat(np.arange(len(stops)), np.diff(stops, prepend=0)) * blocks + rows.blocks
        shape = (len(stops), blocks)
        net = np.bincount(place, weights=rows.values, minlength=len(stops) * blocks).reshape(shape)
        gains = np.maximum(rows.values, 0)
        return _Chunks(stops, net, np.bincount(place, weights=gains, minlength=len(stops) * blocks).reshape(shape))

    def start(self, chunk: int) -> int:
        return int(self.stops[chunk - 1]) if chunk else 0

    def stop(self, chunk: int) -> int:
        return int(self.stops[chunk])

    def size(self, chunk: int) -> int:
        return self.stop(chunk) - self.start(chunk)

    def tie_ends(self, rows: RankedRows, chunk: int) -> Ints:
        first, last = np.searchsorted(rows.ends, (self.start(chunk), self.stop(chunk)))
        return rows.ends[first:last]


def _largest(
    rows: RankedRows, chunks: _Chunks, weights: Floats, ties: Floats, reject_all: bool
) -> tuple[Floats, Floats]:
    """Sums before each chunk (chunks × resamples), and the largest sum inside each chunk (1 + chunks × resamples).

    Row 0 of the second is the sum of accepting no row. In chunks that cannot come near the best sum, the sum at the end
    of the chunk stands for the largest.
    """
    after = np.cumsum(chunks.net @ weights.T, axis=0)
    before = np.concatenate((np.zeros((1, len(weights))), after[:-1]))
    bounds = before + chunks.positive @ weights.T
    largest = np.concatenate((np.full((1, len(weights)), 0.0 if reject_all else -np.inf), after))
    best = largest.max(axis=0)
    # Chunks that may hold the best sum in many resamples come first: they raise the best sums, which saves other walks.
    often = np.count_nonzero(bounds >= best - ties, axis=1)
    for chunk in np.argsort(-often, kind="stable")[: np.count_nonzero(often)].tolist():
        for members in _portions(np.flatnonzero(bounds[chunk] >= best - ties), chunks.size(chunk)):
            found = _walk(rows, chunks, chunk, weights[members], before[chunk, members]).max(axis=1)
            largest[chunk + 1, members] = found
            best[members] = np.maximum(best[members], found)
    return before, largest


def _portions(members: Ints, size: int) -> list[Ints]:
    """The resamples in parts, so that a walk through ``size`` rows stays in memory."""
    most = max(1, _MOST_WALKED // size)
    return [members[first : first + most] for first in range(0, len(members), most)]


def _walk(rows: RankedRows, chunks: _Chunks, chunk: int, weights: Floats, before: Floats) -> Floats:
    """The sum at each end of ties in a chunk: resamples × ends."""
    start, stop = chunks.start(chunk), chunks.stop(chunk)
    steps = np.take(weights, rows.blocks[start:stop], axis=1)
    steps *= rows.values[start:stop]
    steps[:, 0] += before
    np.cumsum(steps, axis=1, out=steps)
    ends = chunks.tie_ends(rows, chunk)
    return steps if len(ends) == stop - start else steps[:, ends - start]


def _accepted(rows: RankedRows, chunks: _Chunks, chunk: int, weights: Floats, members: Ints, ends: Ints) -> Floats:
    """Sums of the statistics of the accepted rows inside a chunk: members × statistics."""
    start, stop = chunks.start(chunk), chunks.stop(chunk)
    taken = np.take(weights[members], rows.blocks[start:stop], axis=1)
    inside: Mask = np.arange(start, stop) <= ends[members, None]
    return (taken * inside) @ rows.statistics[start:stop]


def _add(by_block: Floats, rows: RankedRows, start: int, stop: int) -> None:
    for column, into in zip(rows.statistics[start:stop].T, by_block.T, strict=True):
        into += np.bincount(rows.blocks[start:stop], weights=column, minlength=len(into))
