"""Lines of one XML element each that differ only between the quotation marks, read without a parser.

What a program writes line by line has one shape. A line that has not exactly this shape, or in which
anything could need a parser (an entity, a tab in a value), is not recognised here; it is for the parser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np
import pyarrow as pa

from scorespec.arrays import Bytes, Ints, Mask, arrow_ints
from scorespec.formats.text import MAX_LINE

_NAME = rb"[A-Za-z_][A-Za-z0-9_.-]*"
_VALUE = rb'[^"<>&\x00-\x1f]*'
_NO_CHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")  # U+FFFE, U+FFFF: UTF-8, but not XML

_WORD = 8  # bytes that are compared at once


@dataclass(frozen=True)
class Shape:
    """A line of one element: the attributes' names, and all text around their values."""

    names: tuple[str, ...]
    around: tuple[bytes, ...]
    """What is before each value, from the end of the one before to the quotation mark that opens it; and
    what is behind the last, with the line end."""

    @property
    def quotes(self) -> Ints:
        """Which of the special bytes of such a line are the quotation marks around values."""
        number, found = -1, []
        for place, text in enumerate(self.around):
            if place:
                found.append(number + 1)
            number += _count_special(text)
            if place < len(self.names):
                found.append(number)
        return np.array(found, np.int64)

    @property
    def specials(self) -> int:
        """How many special bytes such a line has, the line end included."""
        return sum(map(_count_special, self.around))


@dataclass(frozen=True)
class Shaped:
    """The lines of a block, and those of them that have a shape."""

    data: bytes
    starts: Ints
    """Where each line begins; and, last, the end of the block."""
    good: Mask
    """Which lines have the shape."""
    nth: Ints
    """For each line, how many before it have the shape."""
    shape: Shape
    _pieces: pa.StringArray

    def text(self, begin: int, end: int) -> bytes:
        """The bytes of the lines from one index up to another."""
        return self.data[self.starts[begin] : self.starts[end]]

    def column(self, name: str, at: Ints) -> pa.StringArray:
        """The values of an attribute in the lines at these indices, all of which have the shape."""
        place = self.shape.names.index(name)
        return self._pieces.take(arrow_ints(2 * (self.nth[at] * len(self.shape.names) + place)))


@cache
def _line_of(tag: str) -> re.Pattern[bytes]:
    return re.compile(
        rb'^[ \t]*<%s(?:[ ]+%s="%s")+[ ]*/>[ \t]*\r?\n' % (tag.encode(), _NAME, _VALUE),
        re.MULTILINE,
    )


def shape_of(data: bytes, tag: str) -> Shape | None:
    """The shape of the first line that is one such element, if there is any."""
    found = _line_of(tag).search(data)
    if not found:
        return None
    parts = found[0].split(b'"')
    names = tuple(part.strip(b" =").rpartition(b" ")[2].decode() for part in parts[0:-1:2])
    if len(set(names)) < len(names):
        return None
    ends = [b""] + [b'"'] * (len(names) - 1)
    around = [end + part + b'"' for end, part in zip(ends, parts[0:-1:2], strict=True)]
    return Shape(names, (*around, b'"' + parts[-1]))


def find_shaped(data: bytes, shape: Shape) -> Shaped | None:
    """The lines of a block (whole lines, each ended by ``\\n``) that have a shape; None if it is no UTF-8 text."""
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            return None
        if any(each in data for each in _NO_CHARACTERS):
            return None
    text = np.frombuffer(data, np.uint8)
    special = np.flatnonzero(_special(text))
    # How many special bytes there are up to the end of each line, and so in each line.
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
    pieces = pa.StringArray.from_buffers(max(inner.size - 1, 0), offsets, pa.py_buffer(data))
    return Shaped(data, starts, good, np.cumsum(good, dtype=np.int64) - good, shape, pieces)


def _special(text: Bytes) -> Mask:
    """Which bytes are never in a value here: controls, the line end among them, and ``"&<>``."""
    # Setting a bit makes one of two characters the other: one comparison does for both.
    return cast(Mask, (text < 32) | ((text | 4) == ord("&")) | ((text | 2) == ord(">")))


def _count_special(text: bytes) -> int:
    return int(np.count_nonzero(_special(np.frombuffer(text, np.uint8))))


def _same(data: bytes, starts: Ints, at: Ints, marks: Ints, shape: Shape) -> Mask:
    """Which of the lines, given the quotation marks that each should have, have the shape's text around them."""
    # Where each text around should begin, and where the next byte after it is.
    begins = [starts[at], *marks.T[1::2]]
    ends = [*(marks.T[::2] + 1), starts[at + 1]]
    # Every eight bytes of the block as one number, so that no byte is looked at alone.
    words = np.ndarray((len(data),), "<u8", data + bytes(_WORD - 1), strides=(1,))
    same = np.ones(len(at), np.bool_)
    for wanted, begin, end in zip(shape.around, begins, ends, strict=True):
        same &= end - begin == len(wanted)
        for place in range(0, len(wanted), _WORD):
            part = wanted[place : place + _WORD]
            # A line of another length may end before; it is out already.
            found = words[np.minimum(begin + place, len(data) - 1)]
            ours = np.uint64(256 ** len(part) - 1)
            same &= (found & ours) == np.uint64(int.from_bytes(part, "little"))
    return same
