"""One file a recording, named after the document: JSON of Whisper, faster-whisper and WhisperX, and plain text.

Segments of a recogniser are not those of a reference. So its words belong to the recording as a whole, with their times
if each word has some; ``whisper_segments`` keeps the segments instead, and ``whisper_turns`` their speakers.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from scorespec.errors import Problems
from scorespec.formats.format import BLANKS, Columns, Format, shown
from scorespec.formats.seglst import NO_TEXT, text_of
from scorespec.formats.segment_rows import WORD, Piece, Segment, document_of, format_of, second
from scorespec.formats.token_rows import Passage, Tokens
from scorespec.formats.utterances import warn_of_names, word_blocks


def parse(path: Path, source: str) -> list[Segment]:
    """The segments of a file. Raises ValueError for one without texts."""
    listed = _segments(json.loads(text_of(path, source)))
    return [(piece, _words(each, piece)) for each in listed for piece in [_piece(each, "text")]]


def parse_turns(path: Path, source: str) -> list[Segment]:
    """The segments of a file, of which only times and speakers are read. Raises ValueError for one without segments."""
    return [(_piece({**each, "text": ""}, "text"), ()) for each in _segments(json.loads(text_of(path, source)))]


def _segments(found: Any) -> list[Mapping[str, Any]]:
    """The segments of a file. Raises ValueError for a file without texts."""
    if isinstance(found, dict):
        found = result_of(found)
        for key in ("segments", "chunks", "diarization"):
            listed = found.get(key)
            if isinstance(listed, list) and all(isinstance(each, dict) for each in listed):
                return listed or ([found] if found.get("text") else [])
        if isinstance(found.get("text"), str):
            return [found]
    if isinstance(found, list) and all(isinstance(each, dict) for each in found):
        return found
    raise ValueError(f"no JSON of Whisper, with a text or a list of segments: {shown(str(found))}")


def result_of(found: Mapping[str, Any]) -> Mapping[str, Any]:
    """A JSON object or, if it is a job of pyannoteAI, the output of the job."""
    output = found.get("output")
    return output if isinstance(output, dict) else found


def _piece(found: Mapping[str, Any], key: str) -> Piece:
    """A segment or a word. Raises ValueError for values that are not texts or times."""
    text, speaker = found.get(key), found.get("speaker")
    if not isinstance(text, str) or NO_TEXT.search(text):
        raise ValueError(f"a segment or word without a {key}, or with one that is not text: {shown(str(found))}")
    times = found.get("timestamp") or (found.get("start"), found.get("end"))
    begin, end = (second(name, time) for name, time in zip(("start", "end"), times, strict=True))
    return Piece(text, begin, end, None if speaker is None else str(speaker))


def _words(segment: Mapping[str, Any], whole: Piece) -> list[Piece]:
    """The words of a segment. A word that does not begin with a blank, where others do, continues the word before."""
    listed = segment.get("words")
    parts = [_piece(each, "word") for each in listed] if isinstance(listed, list) else []
    spaced = any(each.text.startswith(" ") for each in parts)
    words: list[Piece] = []
    for part in parts:
        if words and spaced and not part.text.startswith(" "):
            words[-1] = words[-1]._replace(text=words[-1].text + part.text.strip(BLANKS), end=part.end)
        elif text := part.text.strip(BLANKS):
            words.append(part._replace(text=text))
    # Words that are not those of the text are not used: the text is what is scored.
    return words if [each.text for each in words] == WORD.findall(whole.text) else []


def read_text(
    path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; line ends separate words as blanks do."""
    tokens, passage, none = Tokens(), Passage(document_of(path)), True
    for block in word_blocks(path, problems):
        if block.first == 1:
            warn_of_names(block, False, problems)
        for number, line in block.lines():
            if words := block.split(line):
                none = False
                tokens.add(words, number, passage)
        yield from tokens.batches(columns, problems)
    if none:
        tokens.add([None], 1, passage)
        yield from tokens.batches(columns, problems)


_WORDS = ("document", "number", "token")

_JSON = "JSON of Whisper, faster-whisper or WhisperX, a file a recording"

FORMATS = (
    format_of("whisper", f"{_JSON}; its words, with their times if all have some", ".json", parse, "words"),
    format_of("whisper_segments", f"{_JSON}; its segments with their times", ".json", parse, "segments"),
    format_of("whisper_turns", f"{_JSON}, or of pyannoteAI; its segments are turns", ".json", parse_turns, "turns"),
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
