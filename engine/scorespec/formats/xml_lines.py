"""Reads lines of one XML element without a parser, if they differ only between the quotation marks.

Lines that a program writes in a loop have one shape. A line of another shape, or with anything that needs a parser (an
entity, a tab in a value), is left to the parser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Bytes, Ints, Mask, arrow_ints
from scorespec.formats.format import MAX_LINE

_NAME = rb"[A-Za-z_][A-Za-z0-9_.-]*"
_VALUE = rb'[^"<>&\x00-\x1f]*'
_NO_CHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")  # U+FFFE, U+FFFF: UTF-8, but not XML

_WORD = 8  # bytes compared at once


@dataclass(frozen=True)
class Shape:
    """The shape of a line of one element: the names of its attributes, and the text around their values."""

    names: tuple[str, ...]
    around: tuple[bytes, ...]
    """The text before each value, from the end of the previous value up to its opening quotation mark; then the text
    after the last value, with the line end."""
    specials: int
    """The number of special bytes of a line, with the line end."""
    quotes: Ints
    """The indices, among the special bytes of a line, of the quotation marks around values."""


@dataclass(frozen=True)
class Shaped:
    """The lines of a block, some of which have a shape."""

    data: bytes
    starts: Ints
    """The beginning of each line, then the end of the block."""
    good: Mask
    """Which lines have the shape."""
    nth: Ints
    """For each line, the number of lines before it that have the shape."""
    shape: Shape
    _values_and_gaps: pa.StringArray

    def text(self, begin: int, end: int) -> bytes:
        """The bytes of the lines from one index up to another."""
        return self.data[self.starts[begin] : self.starts[end]]

    def column(self, name: str, at: Ints) -> pa.StringArray:
        """The values of an attribute in the lines at these indices; all these lines must have the shape."""
        place = self.shape.names.index(name)
        return self._values_and_gaps.take(arrow_ints(2 * (self.nth[at] * len(self.shape.names) + place)))


@cache
def _line_of(tag: str) -> re.Pattern[bytes]:
    return re.compile(
        rb'^[ \t]*<%s(?:[ ]+%s="%s")+[ ]*/>[ \t]*\r?\n' % (tag.encode(), _NAME, _VALUE),
        re.MULTILINE,
    )


def shape_of(data: bytes, tag: str) -> Shape | None:
    """The shape of the first line that is one element of this name; None if there is none."""
    found = _line_of(tag).search(data)
    if not found:
        return None
    parts = found[0].split(b'"')
    names = tuple(part.strip(b" =").rpartition(b" ")[2].decode() for part in parts[0:-1:2])
    if len(set(names)) < len(names):
        return None
    ends = [b""] + [b'"'] * (len(names) - 1)
    around = [end + part + b'"' for end, part in zip(ends, parts[0:-1:2], strict=True)]
    line = np.frombuffer(found[0], np.uint8)
    special = line[_special(line)]  # no value contains one
    return Shape(names, (*around, b'"' + parts[-1]), len(special), np.flatnonzero(special == ord('"')))


def find_shaped(data: bytes, shape: Shape) -> Shaped | None:
    """The lines of a block of whole lines, with those that have a shape; None if the block is not UTF-8."""
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            return None
        if any(each in data for each in _NO_CHARACTERS):
            return None
    text = np.frombuffer(data, np.uint8)
    special = np.flatnonzero(_special(text))
    # The number of special bytes up to the end of each line, and so in each line.
    upto = np.flatnonzero(text[special] == 10) + 1
    starts = np.concatenate((np.zeros(1, np.int64), special[upto - 1] + 1))
    before = np.concatenate((np.zeros(1, np.int64), upto[:-1]))
    at = np.flatnonzero((upto - before == shape.specials) & (np.diff(starts) <= MAX_LINE))
    marks = special[before[at][:, None] + shape.quotes[None, :]]
    same = _same(data, starts, at, marks, shape)
    good = np.zeros(len(upto), np.bool_)
    good[at[same]] = True
    inner = marks[same].astype(np.int32)
    inner[:, ::2] += 1
    offsets = pa.py_buffer(np.ascontiguousarray(inner).reshape(-1))
    values_and_gaps = pa.StringArray.from_buffers(max(inner.size - 1, 0), offsets, pa.py_buffer(data))
    return Shaped(data, starts, good, np.cumsum(good, dtype=np.int64) - good, shape, values_and_gaps)


def _special(text: Bytes) -> Mask:
    """Which bytes occur in no value: control characters, with the line end, and ``"&<>``."""
    # With one bit set, two of the characters are equal: one comparison finds both.
    return cast(Mask, (text < 32) | ((text | 4) == ord("&")) | ((text | 2) == ord(">")))


def _same(data: bytes, starts: Ints, at: Ints, marks: Ints, shape: Shape) -> Mask:
    """Which lines have the text of the shape around their values, given the positions of their quotation marks."""
    # The beginning and the end of each text around the values.
    begins = [starts[at], *marks.T[1::2]]
    ends = [*(marks.T[::2] + 1), starts[at + 1]]
    # The eight bytes from each position on as one number, so that eight bytes are compared at once.
    words = np.ndarray((len(data),), "<u8", data + bytes(_WORD - 1), strides=(1,))
    same = np.ones(len(at), np.bool_)
    for wanted, begin, end in zip(shape.around, begins, ends, strict=True):
        same &= end - begin == len(wanted)
        for place in range(0, len(wanted), _WORD):
            part = wanted[place : place + _WORD]
            # A line of another length may end before this; it is excluded already.
            found = words[np.minimum(begin + place, len(data) - 1)]
            ours = np.uint64(256 ** len(part) - 1)
            same &= (found & ours) == np.uint64(int.from_bytes(part, "little"))
    return same
