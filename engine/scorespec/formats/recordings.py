"""One file a recording, named after the document: JSON of Whisper, faster-whisper and WhisperX, and plain text.

Segments of a recogniser are not those of a reference. So its words belong to the recording as a whole, with their times
if each word has some; ``whisper_segments`` keeps the segments instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from scorespec.core.arrays import arrow_texts
from scorespec.errors import Code, Problems
from scorespec.formats.format import BLANKS, Columns, Format, fault_of_time, read_blocks, record_batch, shown
from scorespec.formats.seglst import NO_TEXT, text_of
from scorespec.formats.token_rows import Passage, Tokens

_WORD = re.compile(f"[^{BLANKS}]+")
_MORE = ("onset", "duration", "speaker", "segment", "segment_onset", "segment_offset")


class _Piece(NamedTuple):
    """A word or a text with its times and its speaker, as far as they are known."""

    text: str
    begin: float | None
    end: float | None
    speaker: str | None


def document_of(path: Path) -> str:
    """The name of the document in a file: that of the file up to its last suffix, not counting ``.gz``."""
    return Path(path.name.removesuffix(".gz")).stem


def read(
    segments: bool, path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; all rows are on line 1."""
    try:
        found = json.loads(text_of(path, problems.source))
        pieces = [(piece, _words(each, piece)) for each in _segments(found) for piece in [_piece(each, "text")]]
    except json.JSONDecodeError as fault:
        problems.add(fault.lineno, f"not JSON: {fault.msg[0].lower()}{fault.msg[1:]}", Code.WRONG_FORMAT)
        return
    except (ValueError, RecursionError) as fault:
        problems.add(1, str(fault), Code.WRONG_FORMAT)
        return
    timed = not segments and all(words and all(_is_timed(each) for each in words) for _, words in pieces)
    rows: list[list[str | None]] = []
    for number, (piece, words) in enumerate(pieces, 1):
        name = [str(number), _shown(piece.begin), _shown(piece.end)] if segments else [None, None, None]
        if timed:
            for word in words:
                begin, end = word.begin or 0.0, word.end or 0.0
                rows.append([word.text, str(begin), str(round(end - begin, 6)), word.speaker or piece.speaker, *name])
        else:
            tokens = _WORD.findall(piece.text) or ([None] if segments else [])
            rows += [[token, None, None, piece.speaker, *name] for token in tokens]
    rows = rows or [[None] * 7]
    texts = dict(zip(("token", *_MORE), map(arrow_texts, zip(*rows, strict=True)), strict=True))
    texts |= {"document": arrow_texts([document_of(path)] * len(rows))}
    ready = {"number": pa.array(range(1, len(rows) + 1), pa.int64())}
    yield from record_batch([1] * len(rows), columns, problems, texts=texts, ready=ready, optional=optional)


def _segments(found: Any) -> list[Mapping[str, Any]]:
    """The segments of a file. Raises ValueError for a file without texts."""
    if isinstance(found, dict):
        for key in ("segments", "chunks"):
            if isinstance(listed := found.get(key), list) and all(isinstance(each, dict) for each in listed):
                return listed
        if isinstance(found.get("text"), str):
            return [found]
    if isinstance(found, list) and all(isinstance(each, dict) for each in found):
        return found
    raise ValueError(f"no JSON of Whisper, with a text or a list of segments: {shown(str(found))}")


def _piece(found: Mapping[str, Any], key: str) -> _Piece:
    """A segment or a word. Raises ValueError for values that are not texts or times."""
    text, speaker = found.get(key), found.get("speaker")
    if not isinstance(text, str) or NO_TEXT.search(text):
        raise ValueError(f"a segment or word without a {key}, or with one that is not text: {shown(str(found))}")
    times = found.get("timestamp") or (found.get("start"), found.get("end"))
    begin, end = (_seconds(name, time) for name, time in zip(("start", "end"), times, strict=True))
    return _Piece(text, begin, end, None if speaker is None else str(speaker))


def _seconds(name: str, time: Any) -> float | None:
    """A time of a segment or word. Raises ValueError for another value."""
    fault = None if time is None else fault_of_time(name, str(time))
    if fault:
        raise ValueError(fault[0])
    return None if time is None else float(time)


def _words(segment: Mapping[str, Any], whole: _Piece) -> list[_Piece]:
    """The words of a segment. A word that does not begin with a blank, where others do, continues the word before."""
    listed = segment.get("words")
    parts = [_piece(each, "word") for each in listed] if isinstance(listed, list) else []
    spaced = any(each.text.startswith(" ") for each in parts)
    words: list[_Piece] = []
    for part in parts:
        if words and spaced and not part.text.startswith(" "):
            words[-1] = words[-1]._replace(text=words[-1].text + part.text.strip(BLANKS), end=part.end)
        elif text := part.text.strip(BLANKS):
            words.append(part._replace(text=text))
    # Words that are not those of the text are not used: the text is what is scored.
    return words if [each.text for each in words] == _WORD.findall(whole.text) else []


def _is_timed(word: _Piece) -> bool:
    return word.begin is not None and word.end is not None


def _shown(time: float | None) -> str | None:
    return None if time is None else str(time)


def read_text(
    path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; line ends separate words as blanks do."""
    tokens, passage, none = Tokens(), Passage(document_of(path)), True
    for block in read_blocks(path, problems.source):
        for number, line in block.lines():
            if words := block.split(line):
                none = False
                tokens.add(words, number, passage)
        yield from tokens.batches(columns, problems)
    if none:
        tokens.add([None], 1, passage)
        yield from tokens.batches(columns, problems)


_WORDS = ("document", "number", "token")

FORMATS = (
    *(
        Format(
            name=name,
            about=f"JSON of Whisper, faster-whisper or WhisperX, a file a recording; {what}",
            suffixes=(".json",),
            read=partial(read, segments),
            quote=None,
            fills=(*_WORDS, "speaker", *columns),
            whole="document",
        )
        for name, segments, what, columns in (
            ("whisper", False, "its words, with their times if all have some", ("onset", "duration")),
            ("whisper_segments", True, "its segments with their times", ("segment", "segment_onset", "segment_offset")),
        )
    ),
    Format(
        name="text",
        about="the words of one recording; the name of the file is the document",
        suffixes=(".text",),
        read=read_text,
        quote=None,
        fills=_WORDS,
        whole="document",
    ),
)
