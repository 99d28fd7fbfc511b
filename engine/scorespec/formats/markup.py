"""Recognises files that are not lines of words: JSON, subtitles, TextGrid, and reports of sclite."""

from __future__ import annotations

import re

from scorespec.formats.text_rows import HYPOTHESIS, REFERENCE, WORD

_JSON = re.compile(r'\s*(?:\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})|\[\s*(?:\{|\]))')
_TIMES = re.compile(r"^[ \t]*(?:\d+:)?\d+:\d\d[.,]\d+[ \t]+-->", re.MULTILINE)
_TABLE = "write a table with a text a row: CSV with the columns document, text, start and end, in seconds"
_CONTENTS = (  # what a text is, how it looks, and its format or what to do
    ("WebVTT subtitles", re.compile(r"\A\s*WEBVTT\b"), "vtt"),
    ("SRT subtitles", _TIMES, "srt"),
    ("a TextGrid of Praat", re.compile(r'\A\s*(?:File type = )?"ooTextFile'), "textgrid"),
    (
        "a report of sclite (.pra)",
        re.compile(r"^\s*(?:DUMP OF SYSTEM ALIGNMENT|id: \(\S+\)\s*$|Scores: \(#C #S #D #I\))", re.MULTILINE),
        "give the texts that sclite has read, such as trn",
    ),
    ("tokens of fstalign", re.compile(r"\A\s*token\|"), "nlp"),
    ("an EAF file of ELAN", re.compile(r"<ANNOTATION_DOCUMENT\b"), "eaf"),
    ("a label file of HTK (MLF)", re.compile(r"\A#!MLF!#"), _TABLE),
    ("XML", re.compile(r"\A\s*<\?xml\b"), _TABLE),
)


def is_json(text: str) -> bool:
    """Whether a text begins a JSON object, or a list of objects."""
    return bool(_JSON.match(text))


def markup_of(text: str) -> str:
    """What the beginning of a text is if it is not lines of words, and what to do; '' for lines of words."""
    if is_json(text):
        return "JSON; leave out the format after the path, or write ::jsonl if each row has a text"
    header = re.split("[,\t]", text.partition("\n")[0].strip().lower())
    if (
        len(header) > 1
        and {*header} & {*REFERENCE, *HYPOTHESIS, WORD}
        and not any(re.search(r"\s", each) for each in header)
    ):
        return "a table with a header; write ::csv or ::tsv"
    name, way = next(((name, way) for name, pattern, way in _CONTENTS if pattern.search(text)), ("", ""))
    return f"{name}; {way if ' ' in way else f'write ::{way}'}" if name else ""


def format_of_markup(text: str) -> tuple[str, str]:
    """The format of subtitles or tiers, and what messages call it; '' for any other text."""
    return next(((way, name) for name, pattern, way in _CONTENTS if " " not in way and pattern.search(text)), ("", ""))
