"""``.json``: SegLST, a JSON list of segments, as meeteval and the CHiME challenges write it.

It is read as the words of a transcript, or as the turns of speakers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from decimal import Context
from json import JSONDecodeError, JSONDecoder
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import arrow_texts
from scorespec.errors import Code, Problems, bad_input
from scorespec.formats.format import BLANKS, BOM, Columns, Format, fault_of_time, record_batch, shown, whole_lines
from scorespec.formats.token_rows import Passage, Tokens

_SPACE = re.compile(r"[ \t\n\r]*")
_WORD = re.compile(f"[^{BLANKS}]+")
NO_TEXT = re.compile("[\0\ud800-\udfff]")  # what JSON can write with \u and a text file cannot have
_KEYS = ("session_id", "speaker", "start_time", "end_time", "words")
_NEEDED = ("session_id", "words")
_OF_TURNS = _KEYS[:-1]
_TURN = ("doc", "tbeg", "dur", "speaker")
_AT_ONCE = 10_000  # segments that become rows together
Decode = Callable[[str, int], tuple[Any, int]]
_decode = JSONDecoder(parse_float=str, parse_int=str, parse_constant=str).raw_decode  # numbers as they are written
_exact = Context(traps=[])  # 0.3 - 0.1 is 0.2


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; segments are numbered within their session, and all other keys are ignored."""
    tokens, counts = Tokens(), dict[str, int]()
    for number, (line, segment) in enumerate(elements(text_of(path, problems.source), problems)):
        if (fault := _fault(segment, _KEYS, _NEEDED) or _fault_of_times(segment)) is not None:
            problems.add(line, *fault)
            continue
        session, speaker, begin, end, words = map(segment.get, _KEYS)
        counts[session] = counts.get(session, 0) + 1
        passage = Passage(session, str(counts[session]), begin, end, speaker)
        tokens.add(_WORD.findall(words) or [None], line, passage)
        if number % _AT_ONCE == _AT_ONCE - 1:
            yield from tokens.batches(columns, problems)
    yield from tokens.batches(columns, problems)


def read_turns(
    path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; a segment is a turn of its speaker, whatever its words."""
    lines, turns = list[int](), list[tuple[str, str, str, str]]()
    for line, segment in elements(text_of(path, problems.source), problems):
        fault = _fault(segment, _OF_TURNS, _OF_TURNS) or _fault_of_times(segment)
        if fault is not None:
            problems.add(line, *fault)
            continue
        session, speaker, begin, end = map(segment.get, _OF_TURNS)
        if float(end) < float(begin):
            problems.add(line, f"end_time {end} is before start_time {begin}")
            continue
        lines.append(line)
        turns.append((session, begin, exact_difference(end, begin), speaker))
    if turns:
        texts = dict(zip(_TURN, map(arrow_texts, zip(*turns, strict=True)), strict=True))
        yield from record_batch(np.array(lines, np.int64), columns, problems, texts=texts, optional=optional)


def _fault_of_times(segment: Any) -> tuple[str, str] | None:
    """The message and the code of the first time that is not a finite number; None without one."""
    faults = (fault_of_time(key, segment[key]) for key in ("start_time", "end_time") if segment.get(key) is not None)
    return next(filter(None, faults), None)


def exact_difference(end: str, begin: str) -> str:
    """The difference of two numbers as they are written."""
    return str(_exact.subtract(_exact.create_decimal(end), _exact.create_decimal(begin)))


def text_of(path: Path, source: str) -> str:
    """The text of a file; it may be a single line of any length."""
    data = b"".join(whole_lines(path, source)).removeprefix(BOM)
    try:
        return data.decode()
    except UnicodeDecodeError as fault:
        line = 1 + data.count(b"\n", 0, fault.start)
        raise bad_input(source, f"line {line} is not UTF-8 text", code=Code.NOT_TEXT) from None


def elements(text: str, problems: Problems, decode: Decode = _decode) -> Iterator[tuple[int, Any]]:
    """Each element of the list with the line at which it begins; reports where the text is not such a list."""
    line, counted = 1, 0

    def line_of(place: int) -> int:
        nonlocal line, counted
        line, counted = line + text.count("\n", counted, place), place
        return line

    at = _past_space(text, 0)
    if text[at : at + 1] != "[":
        problems.add(line_of(at), "not a list of segments, [{…}, …], as SegLST is", Code.WRONG_FORMAT)
        return
    at = _past_space(text, at + 1)
    while text[at : at + 1] != "]":
        try:
            segment, end = decode(text, at)
        except (JSONDecodeError, RecursionError) as fault:
            place, said = (fault.pos, fault.msg) if isinstance(fault, JSONDecodeError) else (at, "nested too deeply")
            problems.add(line_of(max(place, at)), f"not JSON: {said[0].lower()}{said[1:].removesuffix(' at')}")
            return
        yield line_of(at), segment
        at = _past_space(text, end)
        if text[at : at + 1] == ",":
            at = _past_space(text, at + 1)
        elif text[at : at + 1] != "]":
            problems.add(line_of(at), "not JSON: expecting ',' or ']' after a segment")
            return
    if (rest := _past_space(text, at + 1)) < len(text):
        problems.add(line_of(rest), f"text after the list of segments: {shown(text[rest : rest + 100])}")


def _past_space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]  # it always matches


def _fault(segment: Any, keys: Collection[str], needed: Collection[str]) -> tuple[str, str] | None:
    """The message and the code of the first fault of the keys of a segment; None if it has none."""
    if not isinstance(segment, dict):
        return f"not a segment, {{…}}: {shown(str(segment))}", Code.MALFORMED
    for key in keys:
        value = segment.get(key)
        if value is None:
            if key in needed:
                return f"the segment has no {key}", Code.MISSING_VALUE
        elif not isinstance(value, str):
            return f"{key} is neither text nor a number: {shown(str(value))}", Code.MALFORMED
        elif NO_TEXT.search(value):
            return f"{key} has the character U+0000 or a half of a surrogate pair", Code.NOT_TEXT
    return None


FORMATS = (
    Format(
        name="seglst",
        about="a JSON list of segments {session_id, speaker, start_time, end_time, words}",
        suffixes=(".json",),
        read=read,
        quote=None,
        fills=(*Passage._fields[:-1], "number", "token"),
        whole="document",
    ),
    Format(
        name="seglst_turns",
        about="the segments of the format seglst as turns of their speakers; words are not read",
        suffixes=(".json",),
        read=read_turns,
        quote=None,
        fills=_TURN,
    ),
)
