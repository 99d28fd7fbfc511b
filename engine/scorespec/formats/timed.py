"""``.ctm``: the output of a recogniser, a word with its time a line."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Ints, arrow_ints, arrow_mask, null_where
from scorespec.errors import Problems
from scorespec.formats.format import Columns, Fields, Format, quoting, read_fields, record_batch, report

_NAMES = ("document", "channel", "onset", "duration", "token")
_ALSO = {"doc": "document", "tbeg": "onset", "dur": "duration"}  # the names in tables of term detection
_MARKS = ("<ALT_BEGIN>", "<ALT>", "<ALT_END>")  # lines that begin, separate and end alternatives
_COMMENT = ord(";")
NO_WORD = "@"
MARKED = (
    r"^((?:[^;\\]|\\.)+);.*$"  # a word, then its marks after a semicolon; a semicolon of the word itself is escaped
)


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; the fields after a word, such as confidences, are ignored.

    NIST's signs are read if the table has a column for alternations: alternatives, marks of a word, ``word;mark``, and
    ``@`` for no word.
    """
    signs = "alternation" in columns
    alternatives = _Alternatives(problems)
    before = 0
    for fields in read_fields(path, problems.source):
        at = _whole(fields, problems)
        found = fields.columns(at, _NAMES)
        found |= {name: found[theirs] for name, theirs in _ALSO.items()}
        texts = {name: text for name, text in found.items() if name in columns}
        if signs and b";" in fields.block.data:
            unmarked = pc.replace_substring_regex(texts["token"], MARKED, r"\1")
            texts["token"] = pc.replace_substring(unmarked, r"\;", ";")
        if signs and b"@" in fields.block.data:
            texts["token"] = null_where(pc.equal(texts["token"], NO_WORD), texts["token"])
        line = fields.line[at]
        said, alternation, branch = alternatives.read(fields, at, signs)
        ready = {"number": arrow_ints(np.arange(before, before + len(at)) + 1)}
        for name, numbers in (("alternation", alternation), ("branch", branch)):
            ready[name] = null_where(arrow_mask(numbers < 0), arrow_ints(numbers))
        before += len(at)
        rows = arrow_ints(said)
        texts = {name: text.take(rows) for name, text in texts.items()}
        ready = {name: each.take(rows) for name, each in ready.items() if name in columns}
        yield from record_batch(line[said], columns, problems, texts=texts, ready=ready, optional=optional)
    alternatives.end()


class _Alternatives:
    """The alternation and branch of each line, from block to block."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._alternations = 0
        self._branch = -1  # outside of alternatives
        self._begun = 0
        self._empty = False  # whether the branch has no words so far

    def read(self, fields: Fields, at: Ints, signs: bool) -> tuple[Ints, Ints, Ints]:
        """Which of the lines at these indices are words; alternation and branch of each line, -1 outside."""
        alternation, branch = np.full(len(at), -1), np.full(len(at), -1)
        words = fields.column(at, len(_NAMES) - 1).to_pylist() if signs and b"<ALT" in fields.block.data else []
        marks = [row for row, word in enumerate(words) if word.upper() in _MARKS]
        for mark, following in pairwise([None, *marks, len(at)]):
            begin = 0 if mark is None else mark + 1
            if mark is not None:
                self._mark(words[mark].upper(), int(fields.line[at[mark]]))
            if self._branch >= 0:
                alternation[begin:following], branch[begin:following] = self._alternations, self._branch
            self._empty &= begin == following
        return np.delete(np.arange(len(at)), marks), alternation, branch

    def _mark(self, mark: str, line: int) -> None:
        if (mark == "<ALT_BEGIN>") == (self._branch >= 0):
            self._problems.add(line, f"{mark} {'inside of' if self._branch >= 0 else 'outside of'} alternatives")
            return
        if self._empty:
            self._problems.add(line, f"an alternative without words before {mark}; write @ for no word")
        if mark == "<ALT_BEGIN>":
            self._alternations, self._branch, self._begun = self._alternations + 1, 0, line
        elif mark == "<ALT>":
            self._branch += 1
        else:
            self._branch = -1
        self._empty = self._branch >= 0

    def end(self) -> None:
        """Report alternatives that are still open at the end of the file."""
        if self._branch >= 0:
            self._problems.add(self._begun, "<ALT_BEGIN> without <ALT_END>")


def _whole(fields: Fields, problems: Problems) -> Ints:
    """The indices of the lines with a word; reports other lines that are neither blank nor comments."""
    filled = fields.count > 0
    first = fields.edges[2 * fields.before[filled]]
    filled[filled] = ~((fields.block.bytes[first] == _COMMENT) & (fields.block.bytes[first + 1] == _COMMENT))
    good = fields.count >= len(_NAMES)

    def message(at: int) -> str:
        lacking = "no word: " if fields.count[at] == len(_NAMES) - 1 else ""
        return f"{lacking}expected {' '.join(_NAMES)}, found {fields.count[at]} columns: {fields.shown(at)}"

    report(problems, fields.line, filled & ~good, message)
    return np.flatnonzero(filled & good)


FORMATS = (
    Format(
        name="ctm",
        about=f"lines of '{' '.join(_NAMES)} [confidence]', fields separated by blanks",
        suffixes=(".ctm",),
        read=read,
        quote=quoting(_NAMES),
        fills=(*_NAMES, *_ALSO, "number", "alternation", "branch"),
        whole="document",
    ),
)
