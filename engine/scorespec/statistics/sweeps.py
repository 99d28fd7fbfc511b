"""The best threshold of a score in each resample, from rows that are sorted once.

The naive way walks through all rows for each resample: it adds up weight × value from the highest score to the lowest,
and takes the largest sum at an end of ties. For a million rows and 2,000 resamples these are 2 · 10⁹ steps. Here the
rows are cut into chunks at ends of ties. The sum at each end of a chunk is a product of two matrices, weights and sums
of chunks by block. Inside a chunk the sum cannot rise above its beginning plus all positive values of the chunk. A
chunk is walked through only in the resamples in which this bound reaches the best sum at an end of a chunk. All sums
are exact (exact.py), so that both ways give the same bits; tests/unit/test_resampling_sweeps.py compares them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from scorespec.core.arrays import Floats, Ints
from scorespec.statistics.bootstrap import Resampled, replicate_sums
from scorespec.statistics.draws import Draws
from scorespec.statistics.exact import exact_block_sums, exact_rows

if TYPE_CHECKING:
    from scorespec.core.arrays import Mask

# With more blocks, one block less does not move the best threshold: values without a block keep that of the corpus.
MOST_LEFT_OUT = 2_000


def best_of_resamples(
    rows: RankedRows, draws: Draws, replicates: int, ties: Floats, reject_all: bool = True
) -> tuple[Floats, Ints]:
    """The best threshold of the corpus, of its resamples, and of the corpus without each block, in this order.

    ``ties`` has the tie of each of them. Returns the sums of the statistics of the rows that each accepts, and the
    position of its last accepted row, as ``best_thresholds`` does. With many blocks, the corpus without a block keeps
    the best threshold of the corpus.
    """
    blocks = draws.blocks
    accepted = np.empty((1 + replicates + blocks, rows.statistics.shape[1]))
    ends = np.empty(len(accepted), np.int64)
    for part, weights in draws.every(replicates):
        if blocks > MOST_LEFT_OUT and part.start > replicates:
            ends[part.start :] = ends[0]
            accepted[part.start :] = accepted[0] - accepted_by_block(rows, int(ends[0]), blocks)
            break
        _, ends[part], accepted[part] = best_thresholds(rows, weights, ties[part], reject_all=reject_all)
    return accepted, ends


def stacked(sums: Floats, draws: Draws, replicates: int) -> Floats:
    """Sums over the blocks of the corpus, of its resamples, and of the corpus without each block: … × statistics."""
    exact = exact_block_sums(sums)
    total = exact.sum(axis=0, keepdims=True)
    return np.concatenate((total, replicate_sums(exact, draws, replicates), total - exact))


def unstacked(values: Floats, replicates: int) -> Resampled:
    """The components of the corpus, of its resamples, and of the corpus without each block, in this order."""
    return Resampled(values[0], values[1 : replicates + 1], values[replicates + 1 :])


def _threshold(rows: RankedRows, ends: Ints) -> Floats:
    """The score of the last accepted row; infinite if no row is accepted."""
    found: Floats = np.append(rows.scores, np.inf)[ends]
    return found


def accepted_by_block(rows: RankedRows, end: int, blocks: int) -> Floats:
    """Sums by block of the statistics of the rows up to ``end``: blocks × statistics."""
    columns = rows.statistics[: end + 1].T
    return np.column_stack([np.bincount(rows.blocks[: end + 1], weights=each, minlength=blocks) for each in columns])


def plateau_of(rows: RankedRows, end: int, error: float, reject_all: bool) -> tuple[tuple[float, float], bool]:
    """The highest and the lowest threshold within one standard error of the best, and whether the optimum is flat."""
    objective, accepted = np.cumsum(rows.values)[rows.ends], rows.ends + 1
    if reject_all or not len(accepted):
        objective, accepted = np.append(0.0, objective), np.append(0, accepted)
    near = np.flatnonzero(objective >= objective.max() - error)
    fewest, most = int(accepted[near[0]]), int(accepted[near[-1]])
    ends = _threshold(rows, np.array([fewest, most]) - 1)
    chosen = max(end + 1, 1)
    return (float(ends[0]), float(ends[1])), (end >= 0 and 2 * fewest <= chosen) or most >= 2 * chosen


CHUNK = 1024  # rows of a chunk; a longer run of equal scores stays together
_MOST_SUMS = 2**23  # sums of chunks by block; bounds the memory
_MOST_WALKED = 2**21  # numbers that are added up together while a chunk is walked through


@dataclass(frozen=True, eq=False)
class Chunks:
    """Rows cut at ends of ties. ``net`` and ``positive`` are sums of values by chunk and block: chunks × blocks."""

    stops: Ints  # position after the last row of each chunk
    net: Floats
    positive: Floats

    @staticmethod
    def of(values: Floats, owners: Ints, ends: Ints, blocks: int) -> Chunks:
        """Cut rows after the first end of ties at or beyond every ``CHUNK``-th row.

        With many blocks, chunks are longer, so that the sums by chunk and block stay in memory.
        """
        size = max(CHUNK, -(-len(values) * blocks // _MOST_SUMS))
        cuts = np.minimum(np.arange(size, len(values) + size, size), len(values)) - 1
        stops = np.unique(ends[np.searchsorted(ends, cuts)]) + 1
        place = np.repeat(np.arange(len(stops)), np.diff(stops, prepend=0)) * blocks + owners
        shape = (len(stops), blocks)

        def sums(values: Floats) -> Floats:
            added = np.bincount(place, weights=values, minlength=len(stops) * blocks)
            return added.astype(np.float64, copy=False).reshape(shape)

        return Chunks(stops, sums(values), sums(np.maximum(values, 0)))

    def rows(self, chunk: int) -> slice:
        return slice(int(self.stops[chunk - 1]) if chunk else 0, int(self.stops[chunk]))

    def tie_ends(self, ends: Ints, chunk: int) -> Ints:
        inside = self.rows(chunk)
        first, last = np.searchsorted(ends, (inside.start, inside.stop))
        return ends[first:last]


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
    chunks: Chunks


def rank_rows(scores: Floats, blocks: Ints, values: Floats, statistics: Floats, number: int) -> RankedRows:
    """Sort rows for ``best_thresholds``, where ``number`` is the number of all blocks.

    Rows without a score (NaN) are left out: they are never accepted.
    """
    order = np.argsort(-scores, kind="stable")
    order = order[: len(scores) - np.count_nonzero(np.isnan(scores))]
    ranked = scores[order]
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)) if len(ranked) else np.empty(0, np.int64)
    owners = blocks[order]
    exact = exact_rows(values[order, None], owners, number)[:, 0]
    chunks = Chunks.of(exact, owners, ends, number)
    return RankedRows(ranked, owners, exact, exact_rows(statistics[order], owners, number), ends, chunks)


def with_values(rows: RankedRows, weights: Floats) -> RankedRows:
    """Ranked rows whose values are sums of their statistics with other weights."""
    values = exact_rows((rows.statistics @ weights)[:, None], rows.blocks, rows.chunks.net.shape[1])[:, 0]
    return replace(rows, values=values)


def best_thresholds(
    rows: RankedRows, weights: Floats, tie: Floats | float = 0.0, *, reject_all: bool = True
) -> tuple[Floats, Ints, Floats]:
    """The best threshold in each resample: the largest Σ weight × value over the accepted rows.

    ``weights`` has how often each resample takes each block (resamples × blocks). The thresholds of a resample are the
    scores of its rows, which are those of the blocks that it takes. Among thresholds within ``tie`` of the best sum,
    the lowest is taken. To accept no row has the sum 0; it is tried if ``reject_all``, or if the resample has no row.

    Returns the sum of each resample, the position in ``rows`` of the last row with the score of its last accepted row
    (-1 if none is accepted), and the sums of the statistics of its accepted rows (resamples × statistics).
    """
    ties = np.broadcast_to(np.asarray(tie, np.float64), len(weights))
    ends, sums = np.full(len(weights), -1), np.zeros(len(weights))
    accepted = np.zeros((len(weights), rows.statistics.shape[1]))
    if not len(rows.scores):
        return sums, ends, accepted
    walk = _Walk.of(rows, weights, reject_all)
    largest = walk.largest(ties)
    enough = largest.max(axis=0) - ties
    # Row 0 is the threshold above all scores. The last chunk that comes near the best has the lowest threshold.
    near = len(largest) - 1 - np.argmax((largest >= enough)[::-1], axis=0)
    by_block = np.zeros((weights.shape[1], rows.statistics.shape[1]))  # sums of statistics before the chunk
    for chunk in range(near.max(initial=0)):
        inside = rows.chunks.rows(chunk)
        for members in walk.portions(chunk, near == chunk + 1):
            walked = walk.sums(chunk, members)
            last = walked.shape[1] - 1 - np.argmax((walked >= enough[members, None])[:, ::-1], axis=1)
            sums[members] = walked[np.arange(len(members)), last]
            taken = np.take(weights[members], rows.blocks[inside], axis=1)
            taken *= np.arange(inside.start, inside.stop) <= rows.chunks.tie_ends(rows.ends, chunk)[last, None]
            accepted[members] = weights[members] @ by_block + taken @ rows.statistics[inside]
            ends[members] = walk.last_taken(chunk, members, taken)
        for column, into in zip(rows.statistics[inside].T, by_block.T, strict=True):
            into += np.bincount(rows.blocks[inside], weights=column, minlength=len(into))
    return sums, ends, accepted


@dataclass(frozen=True, eq=False)
class _Walk:
    """The sums of some resamples. Thresholds above the first row of a resample are not its own: their sum is -∞.

    ``firsts`` has the position of the first row of each resample, 0 if rejecting all is tried, which has the same sum.
    ``before`` has the sums before each chunk, ``after`` those at its end, and ``bounds`` what no sum inside the chunk
    exceeds (chunks × resamples). ``rejecting`` is the sum of accepting no row.
    """

    rows: RankedRows
    weights: Floats
    firsts: Ints
    before: Floats
    after: Floats
    bounds: Floats
    rejecting: Floats

    @staticmethod
    def of(rows: RankedRows, weights: Floats, reject_all: bool) -> _Walk:
        after = np.cumsum(rows.chunks.net @ weights.T, axis=0)
        before = np.concatenate((np.zeros((1, len(weights))), after[:-1]))
        bounds = before + rows.chunks.positive @ weights.T
        if reject_all:
            firsts = np.zeros(len(weights), np.int64)
            return _Walk(rows, weights, firsts, before, after, bounds, np.zeros(len(weights)))
        number = len(rows.scores)
        first_of_block = np.full(weights.shape[1], number)
        np.minimum.at(first_of_block, rows.blocks, np.arange(number))
        firsts = np.where(weights > 0, first_of_block, number).min(axis=1)
        above = rows.chunks.stops[:, None] <= firsts
        after, bounds = np.where(above, -np.inf, after), np.where(above, -np.inf, bounds)
        return _Walk(rows, weights, firsts, before, after, bounds, np.where(firsts < number, -np.inf, 0.0))

    def largest(self, ties: Floats) -> Floats:
        """The sum of accepting no row, and the largest sum in each chunk: 1 + chunks × resamples.

        In a chunk that cannot come near the best sum, the sum at its end stands for the largest.
        """
        largest = np.concatenate((self.rejecting[None], self.after))
        best = largest.max(axis=0)
        # Chunks that may hold the best sum in many resamples come first: they raise the best sums, which saves walks.
        often = np.count_nonzero(self.bounds >= best - ties, axis=1)
        for chunk in np.argsort(-often, kind="stable")[: np.count_nonzero(often)].tolist():
            for members in self.portions(chunk, self.bounds[chunk] >= best - ties):
                found = self.sums(chunk, members).max(axis=1)
                largest[chunk + 1, members] = found
                best[members] = np.maximum(best[members], found)
        return largest

    def portions(self, chunk: int, where: Mask) -> list[Ints]:
        """The chosen resamples in parts, so that a walk through the chunk stays in memory."""
        members, inside = np.flatnonzero(where), self.rows.chunks.rows(chunk)
        most = max(1, _MOST_WALKED // (inside.stop - inside.start))
        return [members[first : first + most] for first in range(0, len(members), most)]

    def sums(self, chunk: int, members: Ints) -> Floats:
        """The sum at each end of ties in a chunk: members × ends."""
        inside = self.rows.chunks.rows(chunk)
        steps = np.take(self.weights[members], self.rows.blocks[inside], axis=1)
        steps *= self.rows.values[inside]
        steps[:, 0] += self.before[chunk, members]
        np.cumsum(steps, axis=1, out=steps)
        ends = self.rows.chunks.tie_ends(self.rows.ends, chunk)
        at_ends = steps if len(ends) == steps.shape[1] else steps[:, ends - inside.start]
        firsts = self.firsts[members]
        if firsts.max() > ends[0]:
            at_ends[ends < firsts[:, None]] = -np.inf
        return at_ends

    def last_taken(self, chunk: int, members: Ints, taken: Floats) -> Ints:
        """The end of ties at the last accepted row of each member, which may lie before the chunk.

        ``taken`` has the weights of the accepted rows of the chunk, and 0 for other rows.
        """
        inside = self.rows.chunks.rows(chunk)
        positions: Ints = inside.stop - 1 - np.argmax((taken > 0)[:, ::-1], axis=1)
        for each in np.flatnonzero(~(taken > 0).any(axis=1)):
            earlier = np.flatnonzero(self.weights[members[each]][self.rows.blocks[: inside.start]])
            positions[each] = earlier[-1] if len(earlier) else -1
        ends = np.append(self.rows.ends, -1)
        return ends[np.where(positions < 0, -1, np.searchsorted(self.rows.ends, positions))]
