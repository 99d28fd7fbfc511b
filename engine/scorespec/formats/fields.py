"""Lines of fields that are separated by blanks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Ints, Mask, arrow_ints
from scorespec.errors import Problems
from scorespec.formats.format import Block, Columns, Quote, blanks, read_blocks, read_lines, report, shown


@dataclass(frozen=True)
class Fields:
    """The fields of each line of a block; a line of blanks has none."""

    block: Block
    edges: Ints
    """The positions in the block where fields begin and end, alternately."""
    before: Ints
    """The number of fields of the block before each line."""
    count: Ints
    """The number of fields of each line."""

    @cached_property
    def line(self) -> Ints:
        """The number of each line in the file."""
        return np.arange(self.block.first, self.block.first + len(self.count), dtype=np.int64)

    @cached_property
    def _fields_and_blanks(self) -> pa.StringArray:
        """The fields and the blanks between them, alternately: the strings of an Arrow array have no gaps."""
        offsets = pa.py_buffer(self.edges.astype(np.int32))
        return pa.StringArray.from_buffers(max(len(self.edges) - 1, 0), offsets, pa.py_buffer(self.block.data))

    def column(self, at: Ints, number: int | Ints) -> pa.StringArray:
        """A field by its number, from 0, of the lines at these indices; each line must have it."""
        return self._fields_and_blanks.take(arrow_ints(2 * (self.before[at] + number)))

    def columns(self, at: Ints, names: Sequence[str]) -> dict[str, pa.StringArray]:
        """The first fields of these lines by name."""
        return {name: self.column(at, number) for number, name in enumerate(names)}

    def shown(self, at: int) -> str:
        """The line at this index, without the blanks around it, for a message."""
        return shown(self.block.text(at).strip(" \t\v\f"))

    def begins_with(self, word: bytes) -> Mask:
        """Which lines have this word as their first field."""
        text, found = self.block.bytes, self.count > 0
        for place, letter in enumerate((*word, None)):
            at = self.edges[2 * self.before[found]] + place
            # There is always a byte after the word: at least the end of the line.
            found[found] = blanks(text[at]) if letter is None else text[at] == letter
        return found

    def without_remarks(self, begin: bytes) -> Fields:
        """The same lines, each up to its first field that begins with these two bytes."""
        if begin not in self.block.data:
            return self
        text, fields = self.block.bytes, self.edges[::2]
        remarks = np.flatnonzero((text[fields] == begin[0]) & (text[fields + 1] == begin[1]))
        line = np.searchsorted(self.before, remarks, side="right") - 1
        count = self.count.copy()
        np.minimum.at(count, line, remarks - self.before[line])
        return replace(self, count=count)

    def of_length(self, names: Sequence[str], among: Mask, problems: Problems, further: int = 0) -> Ints:
        """The indices of the lines ``among`` these that have a field for each name; reports the others.

        A line may have up to ``further`` more fields.
        """
        good = (self.count >= len(names)) & (self.count <= len(names) + further)
        wanted = f"expected {len(names)} columns ({' '.join(names)})"
        report(problems, self.line, among & ~good, lambda at: f"{wanted}, found {self.count[at]}: {self.shown(at)}")
        return np.flatnonzero(among & good)


def read_fields(path: Path, source: str) -> Iterator[Fields]:
    """The lines of a file and their fields, separated by ASCII blanks only, block by block."""
    for block in read_blocks(path, source):
        blank = np.ones(len(block.data) + 1, np.bool_)
        blank[1:] = blanks(block.bytes)
        edges = np.flatnonzero(blank[1:] != blank[:-1])
        upto = np.searchsorted(edges[::2], block.ends)
        before = np.concatenate((np.zeros(1, np.int64), upto[:-1]))
        yield Fields(block, edges, before, upto - before)


def quoting(names: Sequence[str]) -> Quote:
    """Quotes lines with fields of these names."""

    def quote(path: Path, columns: Columns, lines: Collection[int]) -> dict[int, dict[str, str]]:
        return quote_fields(path, names, lines)

    return quote


def quote_fields(path: Path, names: Sequence[str], lines: Collection[int]) -> dict[int, dict[str, str]]:
    """The fields of these lines as they are written, by line and name."""
    return {
        # Bytes are split at ASCII blanks only.
        line: {name: field.decode() for name, field in zip(names, text.encode().split(), strict=False)}
        for line, text in read_lines(path, str(path), lines)
    }
