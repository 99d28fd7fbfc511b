"""``.sgml`` of sclite (``-o sgml``): a path for each utterance, with an entry for each step of the alignment."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import arrow_ints, arrow_texts
from scorespec.errors import Code, Problems
from scorespec.formats.format import BLANKS, MAX_NAME, Columns, Format, read_blocks, record_batch, shown

_TAG = re.compile(r"<\s*(/?[A-Z]+)([^<>]*)>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_ENTRY = re.compile(r'([CSDI]),("(?:[^"])*")?,("(?:[^"])*")?(?:,[^:]*)?')
_STEPS = re.compile(r':(?=[CSDI],(?:"|,))')  # a colon may also be in a word

_Row = tuple[int, str | None, str | None, int, int, int, int, str | None, str | None]
_COLUMNS = ("document", "segment", "ref_begin", "ref_end", "hyp_begin", "hyp_end", "ref_word", "hyp_word")


class _Paths:
    """The state of the reader: the current path, and the rows that are not yet in a batch."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self.rows: list[_Row] = []
        self._document: str | None = None
        self._segment: str | None = None
        self._inside = self.found = False
        self._reached: dict[
            str | None, list[int]
        ] = {}  # numbers of words, left and right, in the paths of each document

    def read(self, line: str, number: int) -> None:
        """One line of the file, without the blanks around it."""
        tag = _TAG.fullmatch(line)
        if tag and tag[1] == "PATH":
            self._begin(dict(_ATTRIBUTE.findall(tag[2])), number)
        elif tag:
            self._inside = False
        elif self._inside and line:
            self._steps(line, number)
        elif line:
            self._problems.leave_out("line", "outside of a <PATH>", number)

    def _begin(self, attributes: dict[str, str], number: int) -> None:
        """Begin a path: of a named utterance or, if the path names a recording, of the next words of that recording."""
        self._inside = self.found = True
        self._document = attributes.get("file")
        self._segment = None if self._document else attributes.get("id", "").strip("()")
        if len(self._document or self._segment or "") > MAX_NAME:
            said = f"the name of the path has more than {MAX_NAME:,} characters"
            self._problems.add(number, said, Code.TOO_LONG)
            self._inside = False

    def _steps(self, line: str, number: int) -> None:
        reached = self._reached.setdefault(self._document, [0, 0]) if self._document else [0, 0]
        for entry in _STEPS.split(line):
            found = _ENTRY.fullmatch(entry)
            if found is None:
                self._problems.add(number, f'not a step such as C,"word","word": {shown(entry)}')
                return
            words = [None if word is None else html.unescape(word.strip('"')) or None for word in (found[2], found[3])]
            ref, hyp = reached[0] + (words[0] is not None), reached[1] + (words[1] is not None)
            self.rows.append((number, self._document, self._segment, reached[0], ref, reached[1], hyp, *words))  # type: ignore[arg-type]
            reached[:] = ref, hyp

    def batches(self, columns: Columns, problems: Problems) -> Iterator[pa.RecordBatch]:
        """The rows since the last call, as at most one batch."""
        if self.rows:
            line, *fields = zip(*self.rows, strict=True)
            ready = {
                name: arrow_ints(np.array(values)) if name[-3:] in ("gin", "end") else arrow_texts(values)
                for name, values in zip(_COLUMNS, fields, strict=True)
            }
            yield from record_batch(np.array(line, np.int64), columns, problems, texts={}, ready=ready)
            self.rows = []


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`."""
    paths = _Paths(problems)
    for block in read_blocks(path, problems.source):
        for number, line in block.lines():
            paths.read(line.strip(BLANKS), number)
        yield from paths.batches(columns, problems)
    if not paths.found:
        problems.add(None, "not a file that sclite writes with -o sgml: it has no <PATH>", Code.WRONG_FORMAT)


FORMATS = (
    Format(
        name="sclite",
        about="alignments as sclite writes them with -o sgml",
        suffixes=(".sgml",),
        read=read,
        quote=None,
        fills=_COLUMNS,
        whole="segment",
    ),
)
