"""JSON of speech services, a file a recording: AWS Transcribe, Google, Azure, Deepgram, AssemblyAI and Speechmatics.

:data:`SERVICES` has the paths of what is read of each. A path has keys and numbers of list elements between dots; of
several paths between bars, the first that has a value is read.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from scorespec.formats.format import shown
from scorespec.formats.seglst import NO_TEXT, text_of
from scorespec.formats.segment_rows import WORD, Piece, Segment, format_of, second


class Service(NamedTuple):
    """The paths of a service; those of a word are also those of a segment, except for the text.

    ``told_by`` exists in each of its files, and ``sign`` matches near the begin of each. ``segments`` are segments or,
    without ``words``, words and punctuation. An ``end`` with a plus is a duration. Times are in ``unit`` seconds.
    """

    told_by: str
    sign: str
    segments: str
    text: str = "text"
    words: str = "words"
    word: str = "text"
    begin: str = "start"
    end: str = "end"
    speaker: str = "speaker"
    unit: str = "1"
    repeats: bool = False  # whether words with speakers are all in the last segment


_ASSEMBLYAI = Service("utterances.0", r'"(?:audio_url|acoustic_model|speech_models?)"', "utterances", unit="0.001")
_DEEPGRAM = Service(
    "results.utterances.0", r'"channels"\s*:\s*\[', "results.utterances", "transcript", word="punctuated_word|word"
)
_ITEM, _TIMES = "alternatives.0.content", ("start_time", "end_time")
_GOOGLE = ("startTime|startOffset", "endTime|endOffset", "speakerTag|speakerLabel")
_WORDS = "alternatives.0.words"
SERVICES = {
    "AWS Transcribe": Service(
        "results.items", r'"transcripts"\s*:\s*\[', "results.items", _ITEM, "", _ITEM, *_TIMES, "speaker_label"
    ),
    "Speechmatics": Service(
        "results.0.type", r'"format"\s*:\s*"2', "results", _ITEM, "", _ITEM, *_TIMES, "alternatives.0.speaker"
    ),
    "Google": Service(
        "results.0.alternatives",
        r'"results"\s*:\s*\[\s*\{\s*"alternatives"',
        "results",
        "alternatives.0.transcript",
        _WORDS,
        "word",
        *_GOOGLE,
        repeats=True,
    ),
    "Azure": Service(
        "recognizedPhrases", r'"recognizedPhrases"|"combinedRecognizedPhrases"', "recognizedPhrases", "nBest.0.display",
        "nBest.0.words", "word", "offsetInTicks", "+durationInTicks", unit="0.0000001",
    ),
    "Azure, fast transcription": Service(
        "phrases", r'"combinedPhrases"', "phrases", begin="offsetMilliseconds", end="+durationMilliseconds",
        unit="0.001",
    ),
    "Deepgram": _DEEPGRAM,
    "Deepgram without utterances": _DEEPGRAM._replace(
        told_by="results.channels", segments="results.channels", text="alternatives.0.transcript", words=_WORDS
    ),
    "AssemblyAI": _ASSEMBLYAI,
    "AssemblyAI without speakers": _ASSEMBLYAI._replace(told_by="words.0.text", segments=""),
}  # fmt: skip
_SIGNS = re.compile("|".join(each.sign for each in SERVICES.values()))
_BEGINNING = 2**16


def is_of_service(text: str) -> bool:
    """Whether a text begins like a file of a service."""
    return bool(_SIGNS.search(text[:_BEGINNING]))


def parse(path: Path, source: str) -> list[Segment]:
    """The segments of a file. Raises ValueError for a file of no known service."""
    found = json.loads(text_of(path, source), parse_float=str, parse_int=str)
    service = next((each for each in SERVICES.values() if _at(found, each.told_by) is not None), None)
    if service is None:
        raise ValueError(f"JSON of no known service ({', '.join(SERVICES)}): {shown(str(found))}")
    listed = _at(found, service.segments)
    rows = [listed] if isinstance(listed, dict) else listed
    if not service.words:
        return _by_speaker(_joined(service, rows))
    segments = [(_piece(service, each, service.text), _words(service, each)) for each in rows]
    of_speakers = [words for piece, words in segments if not piece.speaker and any(word.speaker for word in words)]
    if of_speakers:
        first, last = of_speakers[0][0].begin, of_speakers[-1][0].begin
        repeats = service.repeats and (first is None or last is None or Decimal(last) <= Decimal(first))
        return _by_speaker(of_speakers[-1] if repeats else [word for words in of_speakers for word in words])
    return [
        (piece, words if [word.text for word in words] == WORD.findall(piece.text) else ()) for piece, words in segments
    ]


def _words(service: Service, segment: Any) -> list[Piece]:
    return [_piece(service, each, service.word) for each in _at(segment, service.words) or ()]


def _piece(service: Service, found: Any, text: str) -> Piece:
    """A segment or a word. Raises ValueError for a value that is not a text or a time."""
    said, speaker = _at(found, text), _at(found, service.speaker)
    if not isinstance(said, str | None) or NO_TEXT.search(said or ""):
        raise ValueError(f"{text} is not text: {shown(str(found))}")
    begin, end = (_time(service, found, each.removeprefix("+")) for each in (service.begin, service.end))
    if service.end.startswith("+") and begin is not None and end is not None:
        end = str(Decimal(begin) + Decimal(end))
    return Piece(said or "", begin, end, None if speaker is None else str(speaker))


def _time(service: Service, found: Any, path: str) -> str | None:
    """A time in seconds, which Google writes as `1.200s`. Raises ValueError for a value that is not a number."""
    time = second(path, None if (value := _at(found, path)) is None else str(value).removesuffix("s"))
    return None if time is None else str(Decimal(time) * Decimal(service.unit))


def _joined(service: Service, items: list[Any]) -> list[Piece]:
    """The words of a list of words and punctuation, each with the marks that belong to it."""
    words: list[Piece] = []
    opening = ""  # marks before the next word
    for item in items:
        piece = _piece(service, item, service.text)
        if _at(item, "type") != "punctuation":
            words.append(piece._replace(text=opening + piece.text))
            opening = ""
        elif _at(item, "attaches_to") == "next" or not words:
            opening += piece.text
        else:
            words[-1] = words[-1]._replace(text=words[-1].text + piece.text)
    return words


def _by_speaker(words: list[Piece]) -> list[Segment]:
    """A segment for each run of words of one speaker."""
    runs = (list(run) for _, run in groupby(words, key=lambda word: word.speaker))
    return [
        (Piece(" ".join(word.text for word in run), run[0].begin, run[-1].end, run[0].speaker), run) for run in runs
    ]


def _at(value: Any, path: str) -> Any:
    """The value at a path, or None."""
    for each in path.split("|"):
        found = value
        for key in filter(None, each.split(".")):
            if isinstance(found, list):
                found = found[int(key)] if key.isdecimal() and int(key) < len(found) else None
            else:
                found = found.get(key) if isinstance(found, dict) else None
        if found is not None:
            return found
    return None


_ABOUT = (
    f"JSON of a speech service ({', '.join(name for name in SERVICES if ' without' not in name)}), a file a recording"
)

FORMATS = (
    format_of("service", f"{_ABOUT}; its words, with their times if all have some", ".json", parse, "words"),
    format_of("service_segments", f"{_ABOUT}; its segments with their times", ".json", parse, "segments"),
    format_of("service_turns", f"{_ABOUT}; its segments as turns of their speakers", ".json", parse, "turns"),
)
