"""The names of columns in tables with a text a row, such as an utterance or the text of a recording.

Tables of transcripts have a row for each token. A file with a text a row has other columns: a text, and, if it has
them, the document, the name and the times of the segment, and its speaker.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from scorespec.errors import UsageError
from scorespec.formats.format import cut

PLAIN = "text"  # the document of texts without names
WORD, TEXT = "token", "text"
FROM_TEXTS = ("document", "segment", WORD, "number")  # the columns that follow from a text

REFERENCE = (
    "reference",
    "ref",
    TEXT,
    "sentence",
    "transcript",
    "transcription",
    "ground_truth",
    "target",
    "normalized_text",
)
HYPOTHESIS = ("hypothesis", "hyp", "pred_text", "prediction", "predicted", "predicted_text", "pred", "asr", "asr_text")
"""The names of the columns with the texts of both sides, in any case."""

_SESSION, _WORDS = "session_id", "words"  # of SegLST; elsewhere, words may be a number
_DOCUMENT = ("document", "doc", "recording", "recording_id", _SESSION)
_SEGMENT = (
    "segment",
    "segment_id",
    "utterance",
    "utterance_id",
    "utt",
    "utt_id",
    "uttid",
    "audio_id",
    "clip_id",
    "sample_id",
    "id",
    "key",
)
_FILE = ("audio_filepath", "audio_path", "audio_file", "audio", "file_name", "filename", "file", "path", "wav")
_SPEAKER = ("speaker", "speaker_id", "talker")
_TIMES = (("segment_onset", ("start", "start_time", "begin")), ("segment_offset", ("end", "end_time")))
_DURATION = ("duration",)


def may_have_texts(columns: Collection[str]) -> bool:
    """Whether a table with these columns can be read from a file with a text a row."""
    return {"document", "segment", WORD} <= {*columns}


def text_columns(found: Iterable[str], given: Mapping[str, str], submitted: bool, shown: str) -> dict[str, str]:
    """The columns of a file with a text a row, by the names of the table; none if it is empty or has a token a row.

    ``found`` are the columns of the file, ``given`` those that the user names, and ``shown`` is the name of the file.
    Raises UsageError if no column, or more than one, can be the text.
    """
    names = {name.lower(): name for name in found}
    if not names or WORD in given or (WORD in names and TEXT not in given):
        return {}
    columns = {TEXT: given.get(TEXT) or _text_of(names, submitted, shown)}
    documents, segments = _first(names, _DOCUMENT), _first(names, _SEGMENT)
    if not documents and not segments:
        documents = _first(names, _FILE)
    columns |= {"document": documents, "segment": segments, "speaker": _first(names, _SPEAKER)}
    times = {name: _first(names, each) for name, each in _TIMES}
    if not times["segment_offset"]:
        times = {"segment_onset": times["segment_onset"], "segment_duration": _first(names, _DURATION)}
    columns |= times if all(times.values()) else {}
    return {name: theirs for name, theirs in columns.items() if theirs} | dict(given)


def pair_columns(found: Iterable[str], given: Mapping[str, str], shown: str) -> dict[str, dict[str, str]]:
    """For both texts in one file, the columns of each by the names of the table: its text, document and segment.

    Without a column for documents or segments, each row is a document, which is later named by its number.
    """
    names = {name.lower(): name for name in found}
    texts = {}
    for side, known in (("reference", REFERENCE), ("hypothesis", HYPOTHESIS)):
        texts[side] = given.get(side) or _only(names, known)
    if None in texts.values():
        lists = f"one of {', '.join(REFERENCE)} and one of {', '.join(HYPOTHESIS)}"
        raise UsageError(
            f"{shown}: which columns are the two texts? Exactly {lists} can be found by its name. "
            f"Write {shown}::(reference=…,hypothesis=…); {_listed(names.values())}"
        )
    document, segment = (
        given.get(name) or _first(names, each) for name, each in (("document", _DOCUMENT), ("segment", _SEGMENT))
    )
    of_row = {name: theirs for name, theirs in (("document", document), ("segment", segment)) if theirs}
    return {side: {TEXT: str(text), **of_row} for side, text in texts.items()}


def is_segment_alone(row: Mapping[str, Any]) -> bool:
    """Whether a row is a segment with times and a text or speaker that names neither its recording nor itself."""
    names = {name.lower(): name for name in row}
    named = _first(names, (*_DOCUMENT, *_FILE)) or isinstance(row.get(_first(names, _SEGMENT)), str)
    return {"start", "end"} <= names.keys() and not names.keys().isdisjoint((TEXT, "speaker")) and not named


def _text_of(names: Mapping[str, str], submitted: bool, shown: str) -> str:
    for known in (HYPOTHESIS, REFERENCE) if submitted else (REFERENCE,):
        if any(name in names for name in known):
            if name := _only(names, known):
                return name
            break
    else:
        if {_SESSION, _WORDS} <= names.keys():
            return names[_WORDS]
    raise UsageError(
        f"{shown}: which column has the texts? Write {shown}::({TEXT}=COLUMN) for a text a row, or "
        f"::({WORD}=COLUMN) for a token a row; {_listed(names.values())}"
    )


def _listed(names: Iterable[str]) -> str:
    return f"the columns are: {cut(', '.join(names), 300)}"


def _first(names: Mapping[str, str], known: Iterable[str]) -> str:
    """The first of the known names that a file has, as the file writes it, or ''."""
    return next((names[name] for name in known if name in names), "")


def _only(names: Mapping[str, str], known: Iterable[str]) -> str | None:
    """The only one of the known names that a file has, or None."""
    found = [names[name] for name in known if name in names]
    return found[0] if len(found) == 1 else None
