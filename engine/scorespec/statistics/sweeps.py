"""The best threshold of a score in each resample, or where two rates cross, from rows that are sorted once.

The naive way walks through all rows for each resample: it adds up weight × statistic from the highest score to the
lowest, and tries each end of ties. For a million rows and 2,000 resamples these are 2 · 10⁹ steps. Here the rows are
cut into chunks at ends of ties. The sums at each end of a chunk are a product of two matrices, weights and sums of
chunks by block. An objective is a sum of slope × statistic, with slopes of each resample. Inside a chunk it cannot rise
above its beginning plus all that raises it in the chunk. A chunk is walked through only in the resamples in which this
bound reaches the best value at an end of a chunk. Two rates that fall and rise cross in one chunk. All sums are exact
(exact.py), so that both ways give the same bits; tests/unit/statistics/test_resampling_sweeps.py compares them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scorespec.core.arrays import Floats, Ints, Mask
from scorespec.statistics.bootstrap import Resampled, replicate_sums
from scorespec.statistics.draws import Draws
from scorespec.statistics.exact import exact_block_sums, exact_rows

# With more blocks, one block less does not move the best threshold: values without a block keep that of the corpus.
MOST_LEFT_OUT = 2_000
CHUNK, _MOST_CHUNKS = 1024, 2048  # rows of a chunk, in which a longer run of equal scores stays together; chunks
_MOST_SUMS = 2**23  # sums of chunks by block; bounds the memory
_MOST_WALKED = 2**21  # numbers that are added up together while a chunk is walked through


# -- rows ------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Chunks:
    """Rows cut at ends of ties, with sums of statistics above and below 0: statistics × chunks × blocks."""

    stops: Ints  # position after the last row of each chunk
    positive: Floats
    negative: Floats

    @staticmethod
    def of(statistics: Floats, owners: Ints, ends: Ints, blocks: int) -> Chunks:
        """Cut rows after the first end of ties at or beyond every ``CHUNK``-th row.

        With many rows or blocks, chunks are longer, so that the sums by chunk and block stay in memory.
        """
        number = len(statistics)
        size = max(CHUNK, -(-number // _MOST_CHUNKS), -(-statistics.size * blocks // _MOST_SUMS))
        cuts = np.minimum(np.arange(size, number + size, size), number) - 1
        stops = np.unique(ends[np.searchsorted(ends, cuts)]) + 1
        place = np.repeat(np.arange(len(stops)), np.diff(stops, prepend=0)) * blocks + owners

        def sums(values: Floats) -> Floats:
            added = [np.bincount(place, weights=each, minlength=len(stops) * blocks) for each in values.T]
            return np.array(added, np.float64).reshape(len(added), len(stops), blocks)

        return Chunks(stops, sums(np.maximum(statistics, 0)), sums(np.minimum(statistics, 0)))

    def rows(self, chunk: int) -> slice:
        return slice(int(self.stops[chunk - 1]) if chunk else 0, int(self.stops[chunk]))

    def tie_ends(self, ends: Ints, chunk: int) -> Ints:
        inside = self.rows(chunk)
        first, last = np.searchsorted(ends, (inside.start, inside.stop))
        return ends[first:last]


@dataclass(frozen=True, eq=False)
class RankedRows:
    """Rows from the highest score to the lowest, with their ``statistics``: rows × statistics.

    ``ends`` has the position of the last row of each distinct score.
    """

    scores: Floats
    blocks: Ints
    statistics: Floats
    ends: Ints
    chunks: Chunks


def rank_rows(scores: Floats, blocks: Ints, statistics: Floats, number: int) -> RankedRows:
    """Sort rows, where ``number`` is the number of all blocks.

    Rows without a score (NaN) are left out: they are never accepted.
    """
    order = np.argsort(-scores, kind="stable")
    order = order[: len(scores) - np.count_nonzero(np.isnan(scores))]
    ranked = scores[order]
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)) if len(ranked) else np.empty(0, np.int64)
    owners = blocks[order]
    exact = exact_rows(statistics[order], owners, number)
    return RankedRows(ranked, owners, exact, ends, Chunks.of(exact, owners, ends, number))


@dataclass(frozen=True, eq=False)
class SumOfRows:
    """A value that is ``offset`` + Σ slope × statistic over the accepted rows, in each of some resamples.

    ``offset`` is resamples, ``slopes`` resamples × statistics.
    """

    offset: Floats
    slopes: Floats

    def of(self, part: slice | Ints) -> SumOfRows:
        """The same value in some of the resamples."""
        return SumOfRows(self.offset[part], self.slopes[part])

    def __neg__(self) -> SumOfRows:
        return SumOfRows(-self.offset, -self.slopes)

    def __sub__(self, other: SumOfRows) -> SumOfRows:
        return SumOfRows(self.offset - other.offset, self.slopes - other.slopes)

    def only_falls(self, rows: RankedRows) -> bool:
        """Whether no row raises the value."""
        most, least = rows.statistics.max(axis=0, initial=0), rows.statistics.min(axis=0, initial=0)
        return bool((self.slopes * most <= 0).all() and (self.slopes * least <= 0).all())

    def at(self, sums: Floats) -> Floats:
        """The value of sums of statistics: statistics × … × resamples, to … × resamples."""
        value = np.zeros(sums.shape[1:])
        for slope, each in zip(self.slopes.T, sums, strict=True):  # in this order on every machine
            value += slope * each
        return value + self.offset


def accepted_by_block(rows: RankedRows, end: int, blocks: int) -> Floats:
    """Sums by block of the statistics of the rows up to ``end``: blocks × statistics."""
    columns = rows.statistics[: end + 1].T
    return np.column_stack([np.bincount(rows.blocks[: end + 1], weights=each, minlength=blocks) for each in columns])


def plateau_of(
    rows: RankedRows, slopes: Floats, end: int, error: float, reject_all: bool
) -> tuple[tuple[float, float], bool]:
    """The highest and the lowest threshold within one standard error of the best, and whether the optimum is flat."""
    objective, accepted = np.cumsum(rows.statistics, axis=0)[rows.ends] @ slopes, rows.ends + 1
    if reject_all or not len(accepted):
        objective, accepted = np.append(0.0, objective), np.append(0, accepted)
    near = np.flatnonzero(objective >= objective.max() - error)
    fewest, most = int(accepted[near[0]]), int(accepted[near[-1]])
    ends = np.append(rows.scores, np.inf)[np.array([fewest, most]) - 1]  # infinite if no row is accepted
    chosen = max(end + 1, 1)
    return (float(ends[0]), float(ends[1])), (end >= 0 and 2 * fewest <= chosen) or most >= 2 * chosen


# -- all resamples ---------------------------------------------------------------------------------


def stacked(sums: Floats, draws: Draws, replicates: int) -> Floats:
    """Sums over the blocks of the corpus, of its resamples, and of the corpus without each block: … × statistics."""
    exact = exact_block_sums(sums)
    total = exact.sum(axis=0, keepdims=True)
    return np.concatenate((total, replicate_sums(exact, draws, replicates), total - exact))


def unstacked(values: Floats, replicates: int) -> Resampled:
    """The components of the corpus, of its resamples, and of the corpus without each block, in this order."""
    return Resampled(values[0], values[1 : replicates + 1], values[replicates + 1 :])


# The points that some resamples choose: the sums of the statistics of the rows that each accepts (statistics × points ×
# resamples), and the position of its last accepted row, -1 if there is none (points × resamples).
Points = tuple[Floats, Ints]


def points_of_resamples(
    rows: RankedRows,
    draws: Draws,
    replicates: int,
    choose: Callable[[Walk, slice], Points],
    without_blocks: Callable[[], Points] | None = None,
) -> Points:
    """The points of the corpus, of its resamples, and of the corpus without each block, in this order.

    ``choose`` gives the points of some of these. With many blocks, ``without_blocks`` gives those of the corpus without
    each block, which otherwise keeps the points of the corpus.
    """
    chosen: list[Points] = []
    for part, weights in draws.every(replicates):
        if draws.blocks > MOST_LEFT_OUT and part.start > replicates:
            chosen.append(without_blocks() if without_blocks else _less_blocks(rows, *chosen[0], draws.blocks))
            break
        chosen.append(choose(Walk.of(rows, weights), part))
    sums, ends = zip(*chosen, strict=True)
    return np.concatenate(sums, axis=2), np.concatenate(ends, axis=1)


def _less_blocks(rows: RankedRows, sums: Floats, ends: Ints, blocks: int) -> Points:
    """The points of the corpus, without the rows of each block in turn."""
    kept = [accepted_by_block(rows, end, blocks).T for end in ends[:, 0].tolist()]
    return sums - np.stack(kept, axis=1), np.repeat(ends, blocks, axis=1)


# -- a walk through the chunks ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Walk:
    """The running sums of statistics in some resamples. ``weights`` has how often each takes each block.

    ``before`` has the sums before each chunk and after the last one: statistics × (chunks + 1) × resamples.
    ``positive`` and ``negative`` are the parts above and below 0 of the sums inside each chunk.
    """

    rows: RankedRows
    weights: Floats
    before: Floats
    positive: Floats
    negative: Floats

    @staticmethod
    def of(rows: RankedRows, weights: Floats) -> Walk:
        """The running sums of resamples with these weights: resamples × blocks."""
        chunks = rows.chunks
        positive, negative = (
            part @ weights.T if part.any() else np.zeros((len(part), len(chunks.stops), 1))
            for part in (chunks.positive, chunks.negative)
        )
        before = np.zeros((len(positive), len(chunks.stops) + 1, len(weights)))
        ends = before[:, 1:]
        np.add(positive, negative, out=ends)
        np.cumsum(ends, axis=1, out=ends)
        return Walk(rows, weights, before, positive, negative)

    def portions(self, chunk: int, where: Mask) -> list[Ints]:
        """The chosen resamples in parts, so that a walk through the chunk stays in memory."""
        members, inside = np.flatnonzero(where), self.rows.chunks.rows(chunk)
        most = max(1, _MOST_WALKED // (len(self.before) * (inside.stop - inside.start)))
        return [members[first : first + most] for first in range(0, len(members), most)]

    def sums(self, chunk: int, members: Ints) -> Floats:
        """The sums at each end of ties in a chunk: statistics × ends × members."""
        inside = self.rows.chunks.rows(chunk)
        taken = np.take(self.weights[members], self.rows.blocks[inside], axis=1)
        ends = self.rows.chunks.tie_ends(self.rows.ends, chunk) - inside.start
        found = np.empty((len(self.before), len(ends), len(members)))
        for each, column, before in zip(
            found, self.rows.statistics[inside].T, self.before[:, chunk, members], strict=True
        ):
            each[:] = (np.cumsum(taken * column, axis=1)[:, ends] + before[:, None]).T
        return found

    def last_taken(self, chunk: int, members: Ints, last: Ints) -> Ints:
        """The end of ties at the last row that each member takes, up to end of ties number ``last`` of a chunk.

        -1 stands for the end before the chunk. The last row may lie before the chunk.
        """
        inside = self.rows.chunks.rows(chunk)
        stops = np.append(self.rows.chunks.tie_ends(self.rows.ends, chunk), inside.start - 1)[last]
        taken = np.take(self.weights[members], self.rows.blocks[inside], axis=1) > 0
        taken &= np.arange(inside.start, inside.stop) <= stops[:, None]
        positions: Ints = inside.stop - 1 - np.argmax(taken[:, ::-1], axis=1)
        for each in np.flatnonzero(~taken.any(axis=1)):
            earlier = np.flatnonzero(self.weights[members[each]][self.rows.blocks[: inside.start]])
            positions[each] = earlier[-1] if len(earlier) else -1
        ends = np.append(self.rows.ends, -1)
        return ends[np.where(positions < 0, -1, np.searchsorted(self.rows.ends, positions))]


# -- which points are chosen -----------------------------------------------------------------------


def best_points(walk: Walk, objective: SumOfRows, tie: float = 0.0, reject_all: bool = True) -> Points:
    """The point of each resample at which an objective is largest.

    The thresholds of a resample are the scores of its rows, which are those of the blocks that it takes. Among
    thresholds within ``tie`` of the largest value, the lowest is taken. To accept no row is tried if ``reject_all``, or
    if the resample has no row.
    """
    rows, chunks, resamples = walk.rows, walk.rows.chunks, len(walk.weights)
    sums, ends = np.zeros((len(walk.before), 1, resamples)), np.full((1, resamples), -1)
    if not len(rows.scores):
        return sums, ends
    firsts = np.zeros(resamples, np.int64) if reject_all else _first_rows(walk)
    above = chunks.stops[:, None] <= firsts  # the thresholds of these chunks are not those of the resample
    values = objective.at(walk.before)
    bounds, after = values[:-1].copy(), values[1:]
    for slope, positive, negative in zip(objective.slopes.T, walk.positive, walk.negative, strict=True):
        bounds += np.maximum(slope, 0) * positive + np.minimum(slope, 0) * negative
    bounds, after = (np.where(above, -np.inf, each) for each in (bounds, after))
    has_rows = firsts < len(rows.scores)
    rejecting = objective.offset if reject_all else np.where(has_rows, -np.inf, objective.offset)

    def walked(chunk: int, members: Ints) -> tuple[Floats, Floats]:
        found = walk.sums(chunk, members)
        values = objective.of(members).at(found)
        values[chunks.tie_ends(rows.ends, chunk)[:, None] < firsts[members]] = -np.inf
        return found, values

    # The value of accepting no row, and the largest in each chunk. In a chunk that cannot come near the best value, the
    # value at its end stands for the largest. Chunks that may hold the best value in many resamples come first: they
    # raise the best values, which saves walks.
    largest = np.concatenate((rejecting[None], after))
    best = largest.max(axis=0)
    often = np.count_nonzero(bounds >= best - tie, axis=1)
    for chunk in np.argsort(-often, kind="stable")[: np.count_nonzero(often)].tolist():
        for members in walk.portions(chunk, bounds[chunk] >= best - tie):
            largest[chunk + 1, members] = walked(chunk, members)[1].max(axis=0)
            best[members] = np.maximum(best[members], largest[chunk + 1, members])
    enough = best - tie
    # Row 0 is the threshold above all scores. The last chunk that comes near the best has the lowest threshold.
    near = len(largest) - 1 - np.argmax((largest >= enough)[::-1], axis=0)
    for chunk in np.unique(near[near > 0]).tolist():
        for members in walk.portions(chunk - 1, near == chunk):
            found, values = walked(chunk - 1, members)
            last = len(values) - 1 - np.argmax((values >= enough[members])[::-1], axis=0)
            sums[:, 0, members] = found[:, last, np.arange(len(members))]
            ends[0, members] = walk.last_taken(chunk - 1, members, last)
    return sums, ends


def _first_rows(walk: Walk) -> Ints:
    """The position of the first row of each resample; the number of all rows if it has none."""
    number = len(walk.rows.scores)
    first_of_block = np.full(walk.weights.shape[1], number)
    np.minimum.at(first_of_block, walk.rows.blocks, np.arange(number))
    firsts: Ints = np.where(walk.weights > 0, first_of_block, number).min(axis=1)
    return firsts


def crossing_points(walk: Walk, difference: SumOfRows) -> Points:
    """The two neighbouring points of each resample between which a difference, which only falls, reaches 0.

    Both are the last point if the difference stays above 0.
    """
    resamples, chunks = len(walk.weights), len(walk.rows.chunks.stops)
    sums, ends = np.zeros((len(walk.before), 2, resamples)), np.full((2, resamples), -1)
    whole = np.count_nonzero(difference.at(walk.before[:, 1:]) > 0, axis=0)
    for chunk in np.unique(np.minimum(whole, chunks - 1)).tolist() if chunks else []:
        for members in walk.portions(chunk, np.minimum(whole, chunks - 1) == chunk):
            found = walk.sums(chunk, members)
            above = np.count_nonzero(difference.of(members).at(found) > 0, axis=0)
            found = np.concatenate((walk.before[:, chunk][:, None, members], found), axis=1)
            for point, place in enumerate((above, np.minimum(above + 1, found.shape[1] - 1))):
                sums[:, point, members] = found[:, place, np.arange(len(members))]
                ends[point, members] = walk.last_taken(chunk, members, place - 1)
    return sums, ends


def crossing_without_blocks(rows: RankedRows, difference: SumOfRows) -> Points:
    """The points of ``crossing_points`` for the corpus without each of many blocks, each found by bisection."""
    blocks, number = len(difference.offset), len(rows.scores)
    every = np.concatenate((np.zeros((1, rows.statistics.shape[1])), np.cumsum(rows.statistics, axis=0)[rows.ends]))
    place = rows.blocks * number + np.arange(number)
    order = np.argsort(place)
    of_blocks = np.concatenate((np.zeros((1, rows.statistics.shape[1])), np.cumsum(rows.statistics[order], axis=0)))
    starts = np.arange(blocks) * number
    begin, last = np.searchsorted(place[order], starts), np.append(-1, rows.ends)

    def without(point: Ints) -> Floats:
        end = np.searchsorted(place[order], starts + last[point], side="right")
        sums: Floats = every[point] - (of_blocks[end] - of_blocks[begin])
        return sums.T

    above, below = np.zeros(blocks, np.int64), np.full(blocks, len(rows.ends))
    while (below - above > 1).any():
        middle = (above + below) // 2
        falls = difference.at(without(middle)) > 0
        above, below = np.where(falls, middle, above), np.where(falls, below, middle)
    return np.stack((without(above), without(below)), axis=1), last[np.stack((above, below))]


def hull_points(walk: Walk, falling: SumOfRows, rising: SumOfRows) -> Points:
    """The two corners of the lower convex hull of each resample between which two rates cross.

    sql/kinds/sweep/crossing.sql says how the edge is found.
    """
    every, chunks = np.arange(len(walk.weights)), len(walk.rows.chunks.stops)
    sums, ends = np.stack((walk.before[:, 0], walk.before[:, -1]), axis=1), np.full((2, len(every)), -1)
    if chunks:
        ends[1] = walk.last_taken(chunks - 1, every, np.full(len(every), -2))  # accepts all rows
    while len(every) and chunks:
        some, points = Walk.of(walk.rows, walk.weights[every]), sums[..., every]
        down, up = falling.of(every), rising.of(every)
        fallen, risen = down.at(points), up.at(points)
        slopes = (risen[0] - risen[1])[:, None] * down.slopes + (fallen[1] - fallen[0])[:, None] * up.slopes
        depth = SumOfRows(np.zeros(len(every)), slopes)
        corners, last = best_points(some, depth)
        below = (depth.at(corners)[0] > depth.at(points)[0]) & (ends[0, every] < last[0]) & (last[0] < ends[1, every])
        side = (down.at(corners)[0] <= up.at(corners)[0]).astype(np.int64)
        every, side = every[below], side[below]
        sums[:, side, every], ends[side, every] = corners[:, 0, below], last[0, below]
    return sums, ends
