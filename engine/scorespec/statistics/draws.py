"""Random draws of blocks, flips and groups, the same on every machine and in any order.

The random bits are those of Philox-4x64-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"), which
turns a key and a counter into bits. The key is the seed and the purpose, the counter is the number of the replicate and
of the draw. So each replicate can be made alone. Only raw words are taken from numpy, because numpy keeps these the
same in all versions, and keeps no such promise for derived numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from scorespec.core.arrays import Floats, Ints

if TYPE_CHECKING:
    import numpy.typing as npt

    Words = npt.NDArray[np.uint64]
    Times = npt.NDArray[np.unsignedinteger]

_DRAWS, _FLIPS, _GROUPS = 0, 1, 2  # purposes: what uses one random word is independent of what uses another
_AT_ONCE = 2**17  # draws of a batch; more do not stay in the cache, and take twice as long
_REMEMBERED = 64  # batches of draws, with a byte for each draw: 8 MB
MOST_ENUMERATED = 13  # up to this number of blocks, all 2^G flips are tried


@dataclass(frozen=True)
class Draws:
    """Resamples of blocks that are drawn whole, with replacement.

    Draw j of replicate b takes block ⌊G · u(seed, b, j)⌋, where u is uniform in [0, 1) and the blocks are numbered in
    the order of their sorted keys.
    """

    seed: int
    blocks: int

    def __post_init__(self) -> None:
        if self.blocks < 1:
            raise ValueError("there is no block to draw")

    def drawn(self, first: int, last: int) -> Ints:
        """The blocks that the replicates from ``first`` to before ``last`` take: replicates × draws."""
        taken: Ints = (_uniform(self.seed, _DRAWS, first, last, self.blocks) * self.blocks).astype(np.int64)
        return taken

    def counts(self, first: int, last: int) -> Floats:
        """How often each replicate from ``first`` to before ``last`` takes each block: replicates × blocks."""
        return _times(self, first, last).astype(np.float64)

    def batches(self, replicates: int, size: int = 0) -> Iterator[tuple[slice, Floats]]:
        """The counts of replicates 0 to before ``replicates``, in parts of a size, or of one that bounds the memory."""
        for part in parts(replicates, size or at_once(self.blocks)):
            yield part, self.counts(part.start, part.stop)

    def every(self, replicates: int, size: int = 0) -> Iterator[tuple[slice, Floats]]:
        """The counts of the corpus, of its resamples, and of the corpus without each block, in this order, in parts."""
        yield slice(0, 1), np.ones((1, self.blocks))
        for part, counts in self.batches(replicates, size):
            yield slice(1 + part.start, 1 + part.stop), counts
        for part in parts(self.blocks, size or at_once(self.blocks)):
            without = np.arange(part.start, part.stop)[:, None] == np.arange(self.blocks)
            yield slice(1 + replicates + part.start, 1 + replicates + part.stop), 1.0 - without


def at_once(blocks: int) -> int:
    """The number of replicates with about a hundred thousand draws."""
    return _AT_ONCE // max(blocks, 1)


def parts(number: int, size: int) -> Iterator[slice]:
    """The numbers from 0 in parts of a size, but of 1 at least."""
    size = max(1, size)
    return (slice(first, min(first + size, number)) for first in range(0, number, size))


@lru_cache(_REMEMBERED)
def _times(draws: Draws, first: int, last: int) -> Times:
    """``Draws.counts`` in the smallest type. Several metrics over the same blocks share them."""
    taken = draws.drawn(first, last)
    taken += draws.blocks * np.arange(last - first)[:, None]
    times = np.bincount(taken.ravel(), minlength=taken.size).reshape(taken.shape)
    return times.astype(np.min_scalar_type(times.max()))


def flips(seed: int, blocks: int, first: int, last: int) -> Floats:
    """Which blocks the replicates from ``first`` to before ``last`` swap (1) or keep (0): replicates × blocks."""
    return _swaps(seed, blocks, first, last).astype(np.float64)


@lru_cache(_REMEMBERED)
def _swaps(seed: int, blocks: int, first: int, last: int) -> npt.NDArray[np.bool_]:
    return (_words(seed, _FLIPS, first, last, blocks) >> np.uint64(63)).astype(np.bool_)


def every_flip(blocks: int) -> Floats:
    """All 2^blocks ways to swap (1) or keep (0) each block. The first way keeps all."""
    return (np.arange(2**blocks)[:, None] >> np.arange(blocks) & 1).astype(np.float64)


def block_groups(seed: int, blocks: int, groups: int = 30) -> Ints:
    """The group of each block, for a delete-a-group jackknife.

    Blocks are put in random order and dealt out one by one. So groups differ by one block at most (Kott 2001, "The
    delete-a-group jackknife"). With at most ``groups`` blocks, each is a group.
    """
    if blocks <= groups:
        return np.arange(blocks)
    keys = _words(seed, _GROUPS, 0, 1, blocks)[0]
    dealt = np.empty(blocks, np.int64)
    dealt[np.argsort(keys, kind="stable")] = np.arange(blocks) % groups
    return dealt


def _uniform(seed: int, purpose: int, first: int, last: int, number: int) -> Floats:
    """Multiples of 2^-53 in [0, 1). G · u rounds to less than G for every whole G."""
    words = _words(seed, purpose, first, last, number)
    words >>= np.uint64(11)
    return words.astype(np.float64) * 2.0**-53


def _words(seed: int, purpose: int, first: int, last: int, number: int) -> Words:
    """Random words: ``number`` for each replicate from ``first`` to before ``last``."""
    if not 0 <= seed < 2**64:
        raise ValueError(f"a seed is a whole number from 0 to 2^64 - 1; it is {seed}")
    generator = np.random.Philox(key=np.array([seed, purpose], np.uint64))
    state = generator.state
    words = np.empty((last - first, number), np.uint64)
    for row in range(last - first):
        # To set the counter of one generator is six times as fast as to make a generator for each replicate.
        state["state"]["counter"][:] = (0, first + row, 0, 0)
        state["buffer_pos"] = 4  # nothing is left of the words of the last counter
        generator.state = state
        words[row] = generator.random_raw(number)
    return words
