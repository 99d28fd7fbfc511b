"""The names of columns in tables with a text a row, such as an utterance or the text of a recording.

Tables of transcripts have a row for each token. A file with a text a row has other columns: a text, and, if it has
them, the document, the name and the times of the segment, and its speaker.
"""

from __future__ import annotations

import re
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
HYPOTHESIS = (
    "hypothesis",
    "hypothesis_text",
    "hyp",
    "hyp_text",
    "pred_text",
    "pred_str",
    "prediction",
    "predicted",
    "prediction_text",
    "predicted_text",
    "pred",
    "asr",
    "asr_text",
    "asr_output",
    "model_output",
    "generated_text",
    "recognized_text",
)
"""The names of the columns with the texts of both sides, in any case, with any signs between their words."""

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
    "uid",
    "key",
)
_FILE = (
    "audio_filepath",
    "audio_path",
    "audio_file",
    "audio",
    "file_name",
    "filename",
    "filepath",
    "file_path",
    "file_id",
    "file",
    "path",
    "wav_path",
    "wav_file",
    "wav",
    "clip",
)
_ROW = ("row_id", "idx", "index")  # where nothing else names the rows
_SPEAKER = ("speaker", "speaker_id", "talker")
_TIMES = (("segment_onset", ("start", "start_time", "begin")), ("segment_offset", ("end", "end_time")))
_OFFSET, _DURATION = ("offset",), ("duration",)  # of a manifest of NeMo


def may_have_texts(columns: Collection[str]) -> bool:
    """Whether a table with these columns can be read from a file with a text a row."""
    return {"document", "segment", WORD} <= {*columns}


def text_columns(found: Iterable[str], given: Mapping[str, str], submitted: bool, shown: str) -> dict[str, str]:
    """The columns of a file with a text a row, by the names of the table; none if it is empty or has a token a row.

    ``found`` are the columns of the file, ``given`` those that the user names, and ``shown`` is the name of the file.
    Raises UsageError if no column, or more than one, can be the text.
    """
    names = _plain(found)
    if not names or WORD in given or (WORD in names and TEXT not in given):
        return {}
    columns = {TEXT: given.get(TEXT) or _text_of(names, submitted, shown)}
    documents, segments = _first(names, _DOCUMENT), _first(names, _SEGMENT)
    if not documents and not segments:
        documents = _first(names, _FILE)
        segments = "" if documents else _first(names, _ROW)
    columns |= {"document": documents, "segment": segments, "speaker": _first(names, _SPEAKER)}
    times = {name: _first(names, each) for name, each in _TIMES}
    if not times["segment_offset"]:
        onset = times["segment_onset"] or _first(names, _OFFSET)
        times = {"segment_onset": onset, "segment_duration": _first(names, _DURATION)}
    columns |= times if all(times.values()) else {}
    return {name: theirs for name, theirs in columns.items() if theirs} | dict(given)


def pair_columns(found: Iterable[str], given: Mapping[str, str], shown: str) -> dict[str, dict[str, str]]:
    """For both texts in one file, the columns of each by the names of the table: its text, document and segment.

    Without a column for documents or segments, each row is a document, which is later named by its number.
    """
    names = _plain(found)
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
    names = _plain(row)
    return {"start", "end"} <= names.keys() and not names.keys().isdisjoint((TEXT, "speaker")) and not _is_named(row)


def is_text_alone(row: Mapping[str, Any]) -> bool:
    """Whether a row has a text, and no text of another side, that names neither its recording nor itself."""
    return [name for name in (*REFERENCE, *HYPOTHESIS) if name in _plain(row)] == [TEXT] and not _is_named(row)


def _is_named(row: Mapping[str, Any]) -> bool:
    names = _plain(row)
    return bool(_first(names, (*_DOCUMENT, *_FILE))) or isinstance(row.get(_first(names, _SEGMENT)), str)


def unread_columns(found: Iterable[str], columns: Mapping[str, str]) -> list[str]:
    """The columns of a file with a text a row that are not read and that have unusual names."""
    usual = {*REFERENCE, *HYPOTHESIS, *(name for _, each in _TIMES for name in each), *_OFFSET, *_DURATION, *_SPEAKER}
    return [name for plain, name in _plain(found).items() if name not in columns.values() and plain not in usual]


def _plain(found: Iterable[str]) -> dict[str, str]:
    """The columns of a file by their names in small letters, with ``_`` between words."""
    return {re.sub("[^a-z0-9]+", "_", name.lower()).strip("_"): name for name in found}


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
