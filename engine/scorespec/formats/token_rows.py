"""Collects the tokens of transcripts and turns them into record batches.

A transcript names a document, a segment or a speaker once for many tokens. So tokens are collected in runs that have
everything but the token in common, and become columns when a block has been read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Ints, Mask, arrow_ints, arrow_mask, arrow_texts, null_where
from scorespec.errors import Problems
from scorespec.formats.format import Columns, record_batch, refuse_long

OUTSIDE = -1  # the number of no entity, no alternation and no branch


class Passage(NamedTuple):
    """The document, segment, speaker and channel of tokens, as text; None where the file has no value."""

    document: str
    segment: str | None = None
    segment_onset: str | None = None
    segment_offset: str | None = None
    speaker: str | None = None
    channel: str | None = None


class Mark(NamedTuple):
    """The entity with its tag, or the branch of an alternation, that a token belongs to."""

    entity: int = OUTSIDE
    tag: str | None = None
    alternation: int = OUTSIDE
    branch: int = OUTSIDE


UNMARKED = Mark()


class Runs:
    """Runs of consecutive tokens that have everything but text and line in common."""

    def __init__(self) -> None:
        self._passages: list[Passage] = []
        self._passage_of_run: list[int] = []
        self._marks: list[Mark] = []

    def add(self, passage: Passage, mark: Mark) -> None:
        if not self._passages or self._passages[-1] is not passage:
            self._passages.append(passage)
        self._passage_of_run.append(len(self._passages) - 1)
        self._marks.append(mark)

    def batches(
        self,
        texts: pa.StringArray,
        number: Ints,
        line: Ints,
        run: Ints,
        columns: Columns,
        problems: Problems,
        attached: Mask | None = None,
    ) -> list[pa.RecordBatch]:
        """Tokens, given by text, number, line and run, as at most one batch; reports times that are not numbers.

        ``attached``: whether a token continues the token before it without a blank; none does by default.
        """
        entity, tag, alternation, branch = zip(*self._marks, strict=True)
        tags = arrow_texts(tag)
        first_of_run = np.minimum(np.searchsorted(run, np.arange(len(tag))), len(run) - 1)
        if refuse_long("tag", tags, line[first_of_run], problems).any():
            return []
        of_token = {"number": arrow_ints(number), "token": texts, "tag": tags.take(arrow_ints(run))}
        for name, numbers in (("entity", entity), ("alternation", alternation), ("branch", branch)):
            values = np.array(numbers, np.int64)[run]
            of_token[name] = null_where(arrow_mask(values == OUTSIDE), arrow_ints(values))
        if attached is not None:
            of_token["attached"] = arrow_mask(attached)
        passage = np.array(self._passage_of_run, np.int64)[run]
        # A field at fault is reported once, with the line of its first token.
        new = np.append(True, passage[1:] != passage[:-1])
        firsts = np.flatnonzero(new)
        fields = {
            name: arrow_texts(values).take(arrow_ints(passage[firsts]))
            for name, values in zip(Passage._fields, zip(*self._passages, strict=True), strict=True)
            if name in columns
        }
        long = [refuse_long(name, text, line[firsts], problems).any() for name, text in fields.items()]
        if any(long):
            return []
        wanted = {name: columns[name] for name in fields}
        for each in record_batch(line[firsts], wanted, problems, texts=fields, optional=wanted):
            if each.num_rows == len(firsts):
                at = arrow_ints(np.cumsum(new) - 1)
                of_token |= {name: each[name].take(at) for name in wanted}
                return record_batch(line, columns, problems, texts={}, ready=of_token)
        return []


class Tokens:
    """The tokens of a block, in the order of the file."""

    def __init__(self) -> None:
        self._tokens: list[str | None] = []
        self._lines: list[int] = []
        self._counts: list[int] = []
        self._runs = Runs()
        self._before = 0  # tokens that have become columns

    def add(self, tokens: Sequence[str | None], line: int, passage: Passage, mark: Mark = UNMARKED) -> None:
        """Tokens of one line; None stands for a segment without tokens."""
        if not tokens:
            return
        self._tokens += tokens
        self._lines.append(line)
        self._counts.append(len(tokens))
        self._runs.add(passage, mark)

    def batches(self, columns: Columns, problems: Problems) -> Iterator[pa.RecordBatch]:
        """The tokens since the last call, as at most one batch; reports times that are not numbers."""
        if not self._tokens:
            return
        run = np.repeat(np.arange(len(self._counts)), self._counts)
        number = np.arange(self._before, self._before + len(self._tokens)) + 1
        line = np.array(self._lines, np.int64)[run]
        yield from self._runs.batches(_texts(self._tokens), number, line, run, columns, problems)
        self.__init__()  # type: ignore[misc]
        self._before = int(number[-1])


def _texts(tokens: Sequence[str | None]) -> pa.StringArray:
    """Tokens as an Arrow array. They are joined by line ends and encoded at once, which takes a fifth of the time."""
    data = "\n".join(["" if token is None else token for token in tokens] if None in tokens else tokens).encode()  # type: ignore[arg-type]
    ends = np.append(np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")), len(data))
    edges = np.column_stack((np.append(0, ends[:-1] + 1), ends)).astype(np.int32)
    # Tokens and line ends alternately: the strings of an Arrow array have no gaps between them.
    tokens_and_ends = pa.StringArray.from_buffers(2 * len(tokens) - 1, pa.py_buffer(edges), pa.py_buffer(data))
    texts = tokens_and_ends.take(arrow_ints(np.arange(0, 2 * len(tokens), 2)))
    return null_where(arrow_mask(np.array([token is None for token in tokens])), texts) if None in tokens else texts
