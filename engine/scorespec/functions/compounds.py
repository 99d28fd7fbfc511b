"""Compounds: several neighbouring words of one text whose joint spelling is one word of the other text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

import numpy as np

from scorespec.core.arrays import Ints, Mask
from scorespec.functions.cheapest_paths import LEFT_OUT, MOST_JOINED, Joins, SideSequences


def compounds(words: Sequence[str], groups: Sequence[str | None], left: SideSequences, right: SideSequences) -> Joins:
    """The compounds in each pair of texts, for each place where the other text has the joint spelling.

    Neighbours are joined if they have an equal group; a word without a group is never joined. The sequences begin at
    places of ``words``. At most ``MOST_JOINED`` words are joined.
    """
    rows: dict[str, list[int]] = {}
    for row, word in enumerate(words):
        rows.setdefault(word, []).append(row)
    begins = {word[:end] for word in rows for end in range(2, len(word) + 1)}
    found = []
    for side, other, step in ((left, right, LEFT_OUT), (right, left, MOST_JOINED + 1)):
        bounds = [[each.starts.tolist(), (each.starts + each.counts).tolist()] for each in (side, other)]
        alone = [np.append(0, np.cumsum(each.alone)).tolist() for each in (side, other)]
        for pair, (begin, end, there, there_end) in enumerate(zip(*bounds[0], *bounds[1], strict=True)):
            for first, last, joint in _joint(words, groups, begin, end, begins):
                same = rows.get(joint, [])
                for row in same[bisect_left(same, there) : bisect_left(same, there_end)]:
                    saved = alone[0][last] - alone[0][first] + alone[1][row + 1] - alone[1][row]
                    upto = [last - begin, row + 1 - there]
                    found.append((pair, *upto[:: 1 if side is left else -1], step + last - first - 1, saved))
    return Joins(*np.array(found, np.int64).reshape(-1, len(Joins._fields)).T)


def are_compounds(words: Sequence[str], groups: Sequence[str | None], firsts: Sequence[Ints], counts: Ints) -> Mask:
    """Whether blocks are compounds. A block has ``counts`` words of each text, from the rows ``firsts`` on."""
    found: Mask = (counts.min(axis=1) == 1) & (counts.max(axis=1) > 1)
    for at in np.flatnonzero(found).tolist():
        parts = [range(first[at], first[at] + count) for first, count in zip(firsts, counts[at].tolist(), strict=True)]
        joinable = {groups[row] for row in max(parts, key=len)}
        spellings = {"".join(words[row] for row in part) for part in parts}
        found[at] = len(joinable) == len(spellings) == 1 and None not in joinable
    return found


def _joint(
    words: Sequence[str], groups: Sequence[str | None], begin: int, end: int, begins: set[str]
) -> Iterator[tuple[int, int, str]]:
    """The neighbours, from the first to before the last, whose joint spelling begins a word, with this spelling."""
    for first in range(begin, end - 1):
        joint, group = words[first], groups[first]
        for last in range(first + 1, min(end, first + MOST_JOINED) if group is not None else first):
            joint += words[last]
            if groups[last] != group or joint not in begins:
                break
            yield first, last + 1, joint
