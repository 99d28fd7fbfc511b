"""Names that may occur only once in a file: finds repeated names in bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from tempfile import TemporaryFile
from typing import IO, NamedTuple

import numpy as np

from scorespec.core.arrays import Ints
from scorespec.errors import SHOWN_PROBLEMS, Code, Problems

HELD = 1 << 17
"""The most names in memory; the others are in a temporary file, with their hashes and lines."""

CHUNKS_AT_ONCE = 8
"""The hashes of this many times :data:`HELD` names are sorted together."""

_END = "\0"  # no name has it: readers refuse it
_COMPARED = 8  # names of one hash; even two different names of one hash are rare


class Repeat(NamedTuple):
    """A repeated name: its line, and the line of its first occurrence."""

    name: str
    line: int
    first: int


class _Candidate(NamedTuple):
    """A name whose hash occurred before: its number and line, and the first names with this hash."""

    number: int
    line: int
    before: tuple[tuple[int, int], ...]  # number and line


class Names:
    """Names in the order of the file, each with its line."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._lines: list[int] = []
        self._file: IO[bytes] | None = None
        self._chunks: list[tuple[int, int, int]] = []  # where in the file, how many names, bytes of their text

    def add(self, name: str, line: int) -> None:
        """Add a name."""
        self._names.append(name)
        self._lines.append(line)
        if len(self._names) == HELD:
            self._spill()

    def report(self, problems: Problems, message: Callable[[Repeat], str]) -> None:
        """Report each repeated name. No name can be added afterwards."""
        found, total = self.repeats()
        problems.add_all([(each.line, message(each)) for each in found], total, Code.REPEATED_KEY)

    def repeats(self) -> tuple[list[Repeat], int]:
        """The first repeated names, and the number of all. No name can be added afterwards."""
        if self._file is None:
            found = _repeats(self._names, self._lines) if len(set(self._names)) < len(self._names) else []
            return found[:SHOWN_PROBLEMS], len(found)
        self._spill()
        with self._file:
            return self._repeats_in_file()

    def _spill(self) -> None:
        if self._file is None:
            self._file = TemporaryFile()  # noqa: SIM115 - `repeats` closes it
        hashes = np.fromiter(map(hash, self._names), np.int64, len(self._names))
        text = _END.join(self._names).encode()
        self._chunks.append((self._file.tell(), len(self._names), len(text)))
        for part in (hashes.tobytes(), np.array(self._lines, np.int64).tobytes(), text):
            self._file.write(part)
        self._names, self._lines = [], []

    def _repeats_in_file(self) -> tuple[list[Repeat], int]:
        """Sort the hashes in parts, where equal hashes are in one part; compare names that have equal hashes."""
        parts = -(-len(self._chunks) // CHUNKS_AT_ONCE)
        total, candidates = 0, list[_Candidate]()
        for part in range(parts):
            count, found = _candidates(*self._part(part, parts))
            total += count
            candidates = sorted(candidates + found)[:SHOWN_PROBLEMS]
        repeats = []
        name = lru_cache(2)(self._chunk_names)
        for number, line, before in candidates:
            repeated = name(number // HELD)[number % HELD]
            lines = [first for other, first in before if name(other // HELD)[other % HELD] == repeated]
            repeats += [Repeat(repeated, line, lines[0])] if lines else []
        return repeats, total - len(candidates) + len(repeats)

    def _part(self, part: int, parts: int) -> tuple[Ints, Ints, Ints]:
        """The hashes of one part, with the number and line of each name."""
        assert self._file is not None
        found = []
        for chunk, (start, count, _) in enumerate(self._chunks):
            self._file.seek(start)
            hashes, lines = np.frombuffer(self._file.read(16 * count), np.int64).reshape(2, count)
            at = np.flatnonzero(hashes % parts == part)
            found.append((hashes[at], at + chunk * HELD, lines[at]))
        hashes, numbers, lines = (np.concatenate(each) for each in zip(*found, strict=True))
        return hashes, numbers, lines

    def _chunk_names(self, chunk: int) -> list[str]:
        assert self._file is not None
        start, count, size = self._chunks[chunk]
        self._file.seek(start + 16 * count)
        return self._file.read(size).decode().split(_END)


def _repeats(names: list[str], lines: list[int]) -> list[Repeat]:
    first: dict[str, int] = {}
    found = []
    for name, line in zip(names, lines, strict=True):
        if name in first:
            found.append(Repeat(name, line, first[name]))
        first.setdefault(name, line)
    return found


def _candidates(hashes: Ints, numbers: Ints, lines: Ints) -> tuple[int, list[_Candidate]]:
    """The number of names whose hash occurred before, and the first of these names."""
    order = np.lexsort((numbers, hashes))
    hashes, numbers, lines = hashes[order], numbers[order], lines[order]
    again = np.append(False, hashes[1:] == hashes[:-1])
    begin = np.maximum.accumulate(np.where(again, 0, np.arange(len(hashes))))
    at = np.flatnonzero(again)
    first = at[np.argsort(numbers[at], kind="stable")[:SHOWN_PROBLEMS]]
    return len(at), [
        _Candidate(
            int(numbers[each]),
            int(lines[each]),
            tuple((int(numbers[other]), int(lines[other])) for other in range(begin[each], each)[:_COMPARED]),
        )
        for each in first.tolist()
    ]
