"""What a file is by its content: the format of a text or of JSON, and markup of other programs, which is no text."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from scorespec.formats.format import BOM, whole_lines
from scorespec.formats.markup import format_of_markup, is_json
from scorespec.formats.recordings import result_of
from scorespec.formats.services import is_of_service
from scorespec.formats.text_rows import is_segment_alone, is_text_alone
from scorespec.formats.trial_lists import list_of_trials
from scorespec.formats.utterances import looks_like

_JSON = (
    "seglst",
    "seglst_turns",
    "jsonl",
    "whisper",
    "whisper_segments",
    "whisper_turns",
    "service",
    "service_segments",
    "service_turns",
)
_OTHER_SHAPES = {
    "seglst": ("seglst_turns",),
    "whisper": ("whisper_segments", "whisper_turns"),
    "service": ("service_segments", "service_turns"),
}


def format_of_content(
    path: Path, shown: str, allowed: Collection[str], by_suffix: str | None, several: bool
) -> tuple[str, str] | None:
    """The ``allowed`` format that a file has by its content, and what messages call it; None if the suffix decides.

    The suffix does not decide if it is unknown or one of JSON. Of ``several`` files of plain text, each is a recording.
    """
    if by_suffix not in (None, *_JSON):
        return None
    text = next(whole_lines(path, shown), b"").removeprefix(BOM).decode("utf-8", "replace").lstrip()
    if is_json(text):
        found = _json_format(text, path)
        shapes = (found, *_OTHER_SHAPES.get(found, ()))
        return next(((each, "JSON") for each in shapes if each in allowed), None)
    name, looks = format_of_markup(text)
    if name in allowed:
        return name, looks
    if not by_suffix and (found := list_of_trials(text.splitlines(), allowed)):
        return found, "a list of trials"
    if not by_suffix and "phrases" in allowed and not re.search("[,\t]", text.partition("\n")[0]):
        return "phrases", "a phrase a line"
    if by_suffix or "lines" not in allowed or "\0" in text or text.startswith("<") or not text.strip():
        return None
    name, looks = looks_like(text.splitlines())
    if several and path.suffix and name in ("lines", "kaldi"):
        name, looks = "text", "the text of one recording, which has the name of the file"
    return (name, looks) if name in allowed else None


def _json_format(text: str, path: Path) -> str:
    """The format of a text that begins a JSON list or object."""
    try:
        if text.startswith("["):
            if re.search(r'"session_id"\s*:', text[: 2**16]):
                return "seglst"
            first: Any = json.JSONDecoder().raw_decode(text, text.index("{"))[0]
            return "whisper" if is_segment_alone(first) else "jsonl"
        if is_of_service(text):
            return "service"
        first = json.loads(text.partition("\n")[0])
    except (ValueError, RecursionError):
        return "jsonl" if text.startswith("[") else "whisper"
    if not isinstance(first, dict):
        return "jsonl"
    is_one_text = path.suffix == ".json" and "\n" not in text.strip() and is_text_alone(first)
    return "whisper" if is_one_text or {"segments", "chunks", "diarization"} & result_of(first).keys() else "jsonl"
