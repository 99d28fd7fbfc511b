"""Finds the words and the tags of a block of marked text with array operations."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Bytes, Ints, arrow_mask, null_where
from scorespec.errors import Problems
from scorespec.formats.format import BLANKS, Block, Columns, blanks, shown
from scorespec.formats.token_rows import UNMARKED, Mark, Passage, Runs

_COMMENT = re.compile(rb"<!--(?:.*?(-->)|.*)", re.DOTALL)
_NOISE = re.compile(rb"\[\[[^\n]*?\]\]|\[[^][\n]*\]|\{[^{}\n]*\}")
_STRAY = re.compile(rb"[][{}]")
_TAG = rb"<[^<>\n]*>"
_MARKUP, _MARKUPS = re.compile(rb"(%s)" % _TAG), re.compile(rb"(?:%s)+" % _TAG)
_BY_NAME = rb"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <>&#;]{1,32};?)"
_TO_WRITE_OUT = re.compile(rb"%s|(%s)" % (_TAG, _BY_NAME))
# Instead of < and > that are text: bytes that do not occur in UTF-8.
_LESS, _GREATER = b"\xfe", b"\xff"


class PlainText:
    """Plain text: blocks without comments and noises, and with characters instead of ``&name;``. Lines stay lines."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._comment: int | None = None  # the line of an open comment

    def text(self, block: Block) -> bytes:
        """The plain text of the next block; reports noises without an end or a beginning."""
        data = block.data
        if self._comment is not None or b"<!--" in data:
            data = self._without_comments(data, block.first)
        if b"[" in data or b"{" in data:
            data = _NOISE.sub(b" ", data)
        if _STRAY.search(data):
            self._refuse_stray(data, block.first)
        if b"&" in data:
            data = _TO_WRITE_OUT.sub(_as_itself, data)
        return data

    def _without_comments(self, data: bytes, first: int) -> bytes:
        """The text without what is in ``<!-- -->``, which may begin or end in another block."""
        if self._comment is not None:
            _, end, after = data.partition(b"-->")
            data = b"\n" * (data.count(b"\n") - after.count(b"\n")) + after
            if not end:
                return data
            self._comment = None
        for found in _COMMENT.finditer(data):
            if not found[1]:
                self._comment = first + data.count(b"\n", 0, found.start())
        return _COMMENT.sub(lambda found: b" " + b"\n" * found[0].count(b"\n"), data)

    def _refuse_stray(self, data: bytes, first: int) -> None:
        """Report noises that do not end, or do not begin, on their line."""
        for number, line in enumerate(data.split(b"\n"), first):
            if stray := _STRAY.search(line):
                fault = f"{stray[0].decode()!r} without its counterpart on the line: {shown(line.strip().decode())}"
                self._problems.add(number, fault)

    def end(self) -> None:
        """Report a comment that is still open at the end of the file."""
        if self._comment is not None:
            self._problems.add(self._comment, "a comment is not closed: --> is missing")


def _as_itself(found: re.Match[bytes]) -> bytes:
    """A tag unchanged; for ``&name;`` its character, or a blank for white space, which must not end a line."""
    if not found[1]:
        return found[0]
    text = html.unescape(found[1].decode(errors="surrogateescape"))
    plain = "".join(" " if character in BLANKS else character for character in text)
    return plain.encode(errors="surrogateescape").replace(b"<", _LESS).replace(b">", _GREATER)


class WordParts:
    """The parts of words between blanks and tags, by number from 0, and their runs of one passage and mark.

    Parts that are joined are one word.
    """

    def __init__(self, data: bytes, first: int, problems: Problems) -> None:
        self._data, self._first, self._problems = data, first, problems
        text = np.frombuffer(data, np.uint8)
        self._line_ends = np.flatnonzero(text == ord("\n"))
        self._opening, self._closing = self._find_tags(text)
        inside = np.zeros(len(text) + 1, np.int8)
        inside[self._opening] = 1
        inside[self._closing + 1] -= 1
        self._kept = (np.cumsum(inside[:-1], dtype=np.int8) == 0) & ~blanks(text)
        edges = np.flatnonzero(np.diff(self._kept, prepend=False, append=False))
        self._starts, self._ends = edges[::2], edges[1::2]
        self.count = len(self._starts)
        self._words = np.ones(self.count, np.bool_)  # whether a part begins a word
        self._attached = np.zeros(self.count, np.bool_)  # whether a part is a word that no blank precedes
        self._runs = Runs()
        self._begins: list[int] = []
        self._empty_runs: dict[int, int] = {}  # numbers of runs without a word, with their lines
        self.mark: Mark = UNMARKED  # of the last run
        self.rows = 0

    def _find_tags(self, text: Bytes) -> tuple[Ints, Ints]:
        """The positions of the ``<`` and ``>`` of each tag, on one line; reports a ``<`` or ``>`` that is not a tag."""
        signs = np.flatnonzero((text == ord("<")) | (text == ord(">")) | (text == ord("\n")))
        sign = text[signs]
        opens = (sign[:-1] == ord("<")) & (sign[1:] == ord(">"))
        opening, closing = signs[:-1][opens], signs[1:][opens]
        alone = sign != ord("\n")
        alone[:-1] &= ~opens
        alone[1:] &= ~opens
        for at in np.unique(np.searchsorted(self._line_ends, signs[alone])).tolist():
            begin = int(self._line_ends[at - 1]) + 1 if at else 0
            for part in _MARKUP.split(self._data[begin : self._line_ends[at]])[::2]:
                if b"<" in part or b">" in part:
                    fault = f"a tag is not closed on its line: {shown(part.decode(errors='replace').strip())}"
                    self._problems.add(self._first + at, fault)
        return opening, closing

    def tags(self) -> Iterator[tuple[bytes, int, int]]:
        """Each tag as it is written, its line, and the number of the first part after it."""
        lines = np.searchsorted(self._line_ends, self._opening) + self._first
        firsts = np.searchsorted(self._starts, self._opening)
        places = zip(self._opening.tolist(), (self._closing + 1).tolist(), strict=True)
        for (begin, end), line, first in zip(places, lines.tolist(), firsts.tolist(), strict=True):
            yield self._data[begin:end], line, first

    def text(self, at: int) -> str:
        """The text of a part, for a message or a name."""
        part = self._data[self._starts[at] : self._ends[at]]
        return part.replace(_LESS, b"<").replace(_GREATER, b">").decode()

    def line(self, at: int) -> int:
        """The line of a part."""
        return self._first + int(np.searchsorted(self._line_ends, self._starts[at]))

    def lines(self, first: int, end: int) -> Iterator[tuple[str, int]]:
        """The parts of each line, separated by blanks, with the number of the line."""
        lines: dict[int, list[str]] = {}
        for at in range(first, end):
            lines.setdefault(self.line(at), []).append(self.text(at))
        return ((" ".join(texts), line) for line, texts in lines.items())

    def touches(self, at: int) -> bool:
        """Whether only tags are between a part and the previous one."""
        return bool(_MARKUPS.fullmatch(self._data, self._ends[at - 1], self._starts[at]))

    def join(self, at: int) -> int:
        """Join a part to the word of the previous part; returns the number of the first part of that word."""
        self._words[at] = False
        while not self._words[at]:
            at -= 1
        return at

    def attach(self, at: int) -> None:
        """Make a part a word of its own, although no blank precedes it."""
        self._attached[at] = True

    def begin(self, at: int, passage: Passage, mark: Mark) -> None:
        """Begin a run: the parts from this one on have this passage and mark."""
        self._begins.append(at)
        self._runs.add(passage, mark)
        self.mark = mark

    def add_empty(self, at: int, line: int, passage: Passage, mark: Mark) -> None:
        """Add a row without a word before this part, for a segment or an entity that has no words."""
        self._empty_runs[len(self._begins)] = line
        self.begin(at, passage, mark)

    def leave_out(self, first: int, end: int) -> None:
        """Remove some parts, which are not words of the text."""
        self._words[first:end] = False
        self._kept[self._starts[first] : self._ends[end - 1]] = False
        self._ends[first:end] = self._starts[first:end]

    def batches(self, before: int, columns: Columns) -> list[pa.RecordBatch]:
        """The words as at most one batch; ``before`` is the number of earlier words."""
        words = np.flatnonzero(self._words)
        empties = np.searchsorted(words, np.array(self._begins, np.int64)[list(self._empty_runs)])
        self.rows = len(words) + len(empties)
        if not self.rows:
            return []
        edges = np.append(0, np.cumsum(self._ends - self._starts))[np.append(words, self.count)]
        edges = np.insert(edges, empties, edges[empties])
        line = np.searchsorted(self._line_ends, self._starts[words]) + self._first
        line = np.insert(line, empties, list(self._empty_runs.values()))
        run = np.searchsorted(np.array(self._begins), words, side="right") - 1
        run = np.insert(run, empties, list(self._empty_runs))
        letters = np.frombuffer(self._data, np.uint8)[self._kept].tobytes()
        plain = letters.replace(_LESS, b"<").replace(_GREATER, b">")
        texts = pa.StringArray.from_buffers(self.rows, pa.py_buffer(edges.astype(np.int32)), pa.py_buffer(plain))
        if len(empties):
            is_empty = np.zeros(self.rows, np.bool_)
            is_empty[empties + np.arange(len(empties))] = True
            texts = null_where(arrow_mask(is_empty), texts)
        number = np.arange(before, before + self.rows) + 1
        attached = np.insert(self._attached[words], empties, False)
        return self._runs.batches(texts, number, line, run, columns, self._problems, attached)
