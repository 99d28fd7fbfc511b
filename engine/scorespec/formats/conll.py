"""``.conll``, ``.bio``: a token a line, its tag last (B-, I-, O, also E- and S- or L- and U-); sentences are separated
by blank lines, documents begin with ``-DOCSTART-``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import pyarrow as pa

from scorespec.errors import Problems
from scorespec.formats.format import Columns, Format, read_blocks, shown
from scorespec.formats.token_rows import UNMARKED, Mark, Passage, Tokens

_BEGINS, _CONTINUES, _ENDS, _SINGLE = "B", "I", "EL", "SU"
_DOCUMENT = "-DOCSTART-"


class _Sentences:
    """The state of the reader. Documents and sentences are numbered from 1."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self.tokens = Tokens()
        self._documents, self._sentences, self._entities = 1, 0, 0
        self._passage: Passage | None = None
        self._mark = UNMARKED  # of the entity that may continue

    def read(self, fields: list[str], number: int) -> None:
        """The fields of one line of the file."""
        if not fields:
            self._passage, self._mark = None, UNMARKED
        elif fields[0] == _DOCUMENT:
            self._documents += self._sentences > 0
            self._sentences = self._entities = 0
            self._passage, self._mark = None, UNMARKED
        elif len(fields) == 1:
            self._problems.add(number, f"no tag after the token {shown(fields[0])}")
        else:
            if self._passage is None:
                self._sentences += 1
                self._passage = Passage(str(self._documents), str(self._sentences))
            self.tokens.add([fields[0]], number, self._passage, self._tagged(fields[-1], number))

    def _tagged(self, tag: str, number: int) -> Mark:
        """The entity of a token: the current one, or a new one."""
        letter, dash, kind = tag.partition("-")
        if tag == "O":
            self._mark = UNMARKED
            return UNMARKED
        if not dash or not kind or letter not in (_BEGINS, _CONTINUES, *_ENDS, *_SINGLE):
            self._problems.add(number, f"{shown(tag)} is no tag; expected O, or B-, I-, E- or S- and a type")
            return UNMARKED
        continues = letter in (_CONTINUES, *_ENDS) and self._mark.tag == kind
        mark = self._mark if continues else Mark(self._entities, kind)
        self._entities += not continues
        self._mark = UNMARKED if letter in _ENDS + _SINGLE else mark
        return mark


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`."""
    sentences = _Sentences(problems)
    for block in read_blocks(path, problems.source):
        for number, line in block.lines():
            sentences.read(block.split(line), number)
        yield from sentences.tokens.batches(columns, problems)


FORMATS = (
    Format(
        name="conll",
        about="a token a line, first the token and last its tag (B-TYPE, I-TYPE, O); a blank line ends a sentence",
        suffixes=(".conll", ".bio", ".iob"),
        read=read,
        quote=None,
        fills=("document", "segment", "number", "token", "tag", "entity"),
        whole="document",
    ),
)
