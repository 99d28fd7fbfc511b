"""Segments of one recording, from any format that has a file a recording, as tokens, as turns or as labels.

A format gives its segments as :class:`Piece`, each with its words if the file has them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from json import JSONDecodeError
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from scorespec.core.arrays import arrow_texts
from scorespec.errors import Code, Problems, UsageError
from scorespec.formats.format import BLANKS, Columns, Format, fault_of_time, record_batch
from scorespec.formats.seglst import exact_difference

WORD = re.compile(f"[^{BLANKS}]+")
_TOKENS = ("document", "number", "token", "speaker")
_TIMES, _SEGMENT = ("onset", "duration"), ("segment", "segment_onset", "segment_offset")


class Piece(NamedTuple):
    """A segment or a word with its times in seconds, as text, and its speaker, as far as they are known."""

    text: str
    begin: str | None = None
    end: str | None = None
    speaker: str | None = None

    @property
    def is_timed(self) -> bool:
        return self.begin is not None and self.end is not None

    @property
    def duration(self) -> str | None:
        return exact_difference(self.end, self.begin) if self.begin is not None and self.end is not None else None


_Row = tuple[str | None, ...]
Segment = tuple[Piece, Sequence[Piece]]
Parse = Callable[..., list[Segment]]
"""``parse(path, source, **options)``: the segments of a file. Raises ValueError for a file at fault."""

Shape = Callable[[list[Segment], str], dict[str, list[str | None]]]
"""The columns of a table, as text, from the segments of a recording and its name."""


def document_of(path: Path) -> str:
    """The name of the document in a file: that of the file up to its last suffix, not counting ``.gz``."""
    return Path(path.name.removesuffix(".gz")).stem


def second(name: str, time: Any) -> str | None:
    """A time in seconds, as text. Raises ValueError for a value that is not a number."""
    if time is None:
        return None
    if fault := fault_of_time(name, str(time)):
        raise ValueError(fault[0])
    return str(time)


def library(name: str, extra: str) -> Any:
    """A package that reads a format. Raises UsageError if it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        said = f"the package {name.partition('.')[0]} is needed to read this format, and is not installed"
        raise UsageError(f"{said}; pip install 'scorespec[{extra}]'") from None


def words_of(segments: list[Segment], document: str) -> dict[str, list[str | None]]:
    """The tokens of a recording, without segments; with times, if every segment has words with times."""
    timed = all(words and all(each.is_timed for each in words) for _, words in segments)
    rows: list[_Row] = []
    for piece, words in segments:
        if timed:
            rows += [(word.text, word.begin, word.duration, word.speaker or piece.speaker) for word in words]
        else:
            rows += [(token, None, None, piece.speaker) for token in WORD.findall(piece.text)]
    return _columns(("token", *_TIMES, "speaker"), rows or [(None,) * 4], document)


def segments_of(segments: list[Segment], document: str) -> dict[str, list[str | None]]:
    """The tokens of a recording with their segments, which are numbered; a segment may have no tokens."""
    rows: list[_Row] = [
        (token, piece.speaker, str(number), piece.begin, piece.end)
        for number, (piece, _) in enumerate(segments, 1)
        for token in WORD.findall(piece.text) or [None]
    ]
    return _columns(("token", "speaker", *_SEGMENT), rows or [(None,) * 5], document)


def words_or_segments_of(segments: list[Segment], document: str) -> dict[str, list[str | None]]:
    """The tokens of a recording, with segments unless every segment has words with times."""
    return (words_of if all(words for _, words in segments) else segments_of)(segments, document)


def turns_of(segments: list[Segment], document: str) -> dict[str, list[str | None]]:
    """The turns of speakers. Raises ValueError for a segment without a speaker or times."""
    for piece, _ in segments:
        if piece.speaker is None or not piece.is_timed:
            said = f"a segment without {'a speaker' if piece.speaker is None else 'times'}: {piece.text!r}"
            raise ValueError(f"{said}, {piece.begin} to {piece.end} s" if piece.is_timed else said)
    rows: list[_Row] = [(piece.begin, piece.duration, piece.speaker) for piece, _ in segments]
    return _columns(("tbeg", "dur", "speaker"), rows, document, "doc")


def labels_of(segments: list[Segment], document: str) -> dict[str, list[str | None]]:
    """Labels with their times, such as phones."""
    rows: list[_Row] = [(piece.begin, piece.end, piece.text) for piece, _ in segments]
    return _columns(("onset", "offset", "label"), rows, document, "file")


def _columns(
    names: Sequence[str], rows: Sequence[_Row], document: str, named: str = "document"
) -> dict[str, list[str | None]]:
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)) if rows else {}
    return {**columns, named: [document] * len(rows)}


def read(
    parse: Parse,
    shape: Shape,
    path: Path,
    columns: Columns,
    problems: Problems,
    optional: Collection[str] = (),
    **options: str,
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; all rows are on line 1, and ``number`` orders them."""
    try:
        texts = shape(parse(path, problems.source, **options), document_of(path))
    except JSONDecodeError as fault:
        problems.add(fault.lineno, f"not JSON: {fault.msg[0].lower()}{fault.msg[1:]}", Code.WRONG_FORMAT)
        return
    except (ValueError, RecursionError) as fault:
        problems.add(1, str(fault), Code.WRONG_FORMAT)
        return
    count = max(map(len, texts.values()))
    ready = {"number": pa.array(range(1, count + 1), pa.int64())}
    arrays = {name: arrow_texts(values) for name, values in texts.items()}
    yield from record_batch([1] * count, columns, problems, texts=arrays, ready=ready, optional=optional)


_SHAPES: Mapping[str, tuple[Shape, tuple[str, ...]]] = {
    "words": (words_of, (*_TOKENS, *_TIMES)),
    "segments": (segments_of, (*_TOKENS, *_SEGMENT)),
    "words or segments": (words_or_segments_of, (*_TOKENS, *_TIMES, *_SEGMENT)),
    "turns": (turns_of, ("doc", "tbeg", "dur", "speaker")),
    "labels": (labels_of, ("file", "onset", "offset", "label")),
}


def format_of(name: str, about: str, suffix: str, parse: Parse, shape: str, options: tuple[str, ...] = ()) -> Format:
    """A format with a file a recording, read in the shape of a table."""
    make, fills = _SHAPES[shape]
    return Format(
        name=name,
        about=about,
        suffixes=(suffix,),
        read=partial(read, parse, make),
        fills=fills,
        whole="document" if "document" in fills else None,
        options=options,
    )
