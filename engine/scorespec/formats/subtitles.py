"""SRT and WebVTT subtitles: a cue is a segment with its times; in WebVTT, each voice, ``<v Name>``, is a speaker."""

from __future__ import annotations

import html
import re
from decimal import Decimal
from functools import partial
from io import StringIO
from pathlib import Path

from scorespec.formats.seglst import text_of
from scorespec.formats.segment_rows import Piece, Segment, format_of, library

_VOICE = re.compile(r"<v(?:\.[^ \t>]*)?[ \t]+([^>]*)>", re.IGNORECASE)
_MARKUP = re.compile(r"</?(?:c|i|b|u|s|v|ruby|rt|lang|font)\b[^>]*>|<[\d:.]+>|\{\\[^}]*\}", re.IGNORECASE)


def parse(kind: str, path: Path, source: str) -> list[Segment]:
    """The segments of a file of this kind, ``srt`` or ``vtt``. Raises ValueError for any other file."""
    webvtt = library("webvtt", "subtitles")
    try:
        cues = webvtt.from_buffer(StringIO(text_of(path, source)), format=kind)
    except webvtt.errors.MalformedFileError as fault:
        raise ValueError(f"no subtitles: {str(fault) or 'the file does not begin with WEBVTT'}") from None
    segments: list[Segment] = []
    for cue in cues:
        begin, end = _seconds(cue.start), _seconds(cue.end)
        first, *voices = _VOICE.split(cue.raw_text)
        said = [(None, first), *zip(voices[::2], voices[1::2], strict=True)]
        for speaker, text in said:
            plain = _MARKUP.sub("", text)
            plain = html.unescape(plain) if kind == "vtt" else plain
            if speaker or plain.strip() or len(said) == 1:
                segments.append((Piece(plain, begin, end, speaker), ()))
    return segments


def _seconds(time: str) -> str:
    """Seconds of a time that is written as ``01:02:03.004``."""
    hours, minutes, seconds = map(Decimal, time.split(":"))
    return str(3600 * hours + 60 * minutes + seconds)


_CUES = "subtitles, a file a recording"

FORMATS = (
    format_of("srt", f"SRT {_CUES}; a segment is a cue", ".srt", partial(parse, "srt"), "segments"),
    format_of("vtt", f"WebVTT {_CUES}; a segment is a voice of a cue", ".vtt", partial(parse, "vtt"), "segments"),
    format_of("vtt_turns", f"WebVTT {_CUES}; a turn is a voice of a cue", ".vtt", partial(parse, "vtt"), "turns"),
)
