"""``.nlp`` of fstalign: a token a line, with its speaker, times and entities; the name of the file is the document.

The classes of entities are in the column ``tags``, as ``['5:TIME']``, or, by the numbers in ``wer_tags``, in a JSON
file of the same name with the ending ``.wer_tag.json`` or ``.wer_tags.json``: ``{"5": {"entity_type": "TIME"}}``. It is
next to the file, or in a folder ``wer_tags`` next to its folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from scorespec.core.arrays import arrow_texts
from scorespec.errors import Code, Problems
from scorespec.formats.format import Columns, Format, fault_of_time, read_blocks, record_batch, shown
from scorespec.formats.seglst import exact_difference, text_of
from scorespec.formats.segment_rows import document_of

_NEEDED, _TIMES = ("token", "speaker"), ("ts", "endTs")
_LISTED = re.compile(r"'(\d+)(?::([^']*))?'|\b(\d+)\b")  # a number, with the class after a colon


class _Token(NamedTuple):
    """A token with its times and duration in seconds, as text; the number of its entity and that of its turn."""

    line: int
    token: str
    speaker: str | None
    begin: str | None
    end: str | None
    entity: int | None
    tag: str | None
    turn: int


def read(
    segmented: bool, path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; ``segmented``: a run of tokens of one speaker is a segment."""
    tokens = [*_tokens(path, problems)]
    if not tokens:
        return
    line, token, speaker, begin, end, entity, tag, turn = zip(*tokens, strict=True)
    durations = [
        exact_difference(last, first) if first and last else None for first, last in zip(begin, end, strict=True)
    ]
    texts = {
        "token": token,
        "onset": begin,
        "duration": durations,
        "tag": tag,
        "document": [document_of(path)] * len(line),
    }
    if segmented:
        begins = {number: time for time, number in zip(reversed(begin), reversed(turn), strict=True)}
        ends = dict(zip(turn, end, strict=True))
        texts |= {"speaker": speaker, "segment": [*map(str, turn)]}
        texts |= {"segment_onset": [*map(begins.get, turn)], "segment_offset": [*map(ends.get, turn)]}
    ready = {"number": pa.array(range(1, len(line) + 1), pa.int64()), "entity": pa.array(entity, pa.int64())}
    arrays = {name: arrow_texts(values) for name, values in texts.items()}
    yield from record_batch(line, columns, problems, texts=arrays, ready=ready, optional=optional)


def _tokens(path: Path, problems: Problems) -> Iterator[_Token]:
    """The tokens of a file. One in several entities belongs to that of the token before it, or to the first."""
    classes, header = _classes(path, problems), list[str]()
    entity, turn, before, last = 0, 0, "", ""
    for block in read_blocks(path, problems.source):
        for number, line in block.lines():
            fields = line.split("|")
            if not header:
                header = fields
                if missing := [name for name in _NEEDED if name not in header]:
                    problems.add(number, f"no column {missing[0]!r} in the header: {shown(line)}", Code.WRONG_FORMAT)
                    return
            elif line.strip():
                row = dict(zip(header, fields, strict=False))
                begin, end = (row.get(name) or None for name in _TIMES)
                faults = (fault_of_time("time", time) for time in (begin, end) if time)
                fault = next((each[0] for each in faults if each), "")
                if fault or len(fields) != len(header):
                    said = f"expected {len(header)} columns, found {len(fields)}: {shown(line)}"
                    problems.add(number, fault or said)
                    continue
                listed = [*_entities(row)]
                classes |= {name: tag for name, tag in listed if tag}
                known = {name: classes.get(name, "") for name, _ in listed}
                if not all(known.values()):
                    which = "of an entity whose class is in no file of wer_tags,"
                    problems.leave_out("token", which, number, verdict="read without it")
                named = [name for name, tag in known.items() if tag]
                current = before if before in named else next(iter(named), "")
                entity += bool(current) and current != before
                turn += row["speaker"] != last or not turn
                before, last = current, row["speaker"]
                inside, tag = (entity, known[current]) if current else (None, None)
                yield _Token(number, row["token"], row["speaker"] or None, begin, end, inside, tag, turn)


def _entities(row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The identifier of each entity of a token, and its class, or '' in the column `wer_tags`."""
    for name in ("wer_tags", "tags"):
        for number, tag, alone in _LISTED.findall(row.get(name, "")):
            yield number or alone, tag


def _classes(path: Path, problems: Problems) -> dict[str, str]:
    """The class of each entity, by its identifier; none without a file that has them."""
    name, source = document_of(path), Path(problems.source)
    for folder in (path.parent, path.parent.parent / "wer_tags"):
        for suffix in (".wer_tag.json", ".wer_tags.json"):
            if (file := folder / f"{name}{suffix}").is_file():
                try:
                    found = json.loads(text_of(file, str(source.with_name(file.name))))
                    return {key: str(value["entity_type"]) for key, value in found.items()}
                except (ValueError, TypeError, KeyError, AttributeError):
                    problems.add(None, f'{file.name} is not {{"5": {{"entity_type": "TIME"}}, …}}', Code.WRONG_FORMAT)
    return {}


_WORDS = ("document", "number", "token", "onset", "duration", "entity", "tag")

FORMATS = tuple(
    Format(
        name=name,
        about=f"lines of 'token|speaker|ts|endTs|punctuation|case|tags|wer_tags' of fstalign, a file each; {what}",
        suffixes=(".nlp",),
        read=partial(read, segmented),
        quote=None,
        fills=(*_WORDS, *more),
        whole="document",
    )
    for name, segmented, what, more in (
        ("nlp", False, "its words, without speakers", ()),
        (
            "nlp_segments",
            True,
            "a turn of a speaker is a segment",
            ("speaker", "segment", "segment_onset", "segment_offset"),
        ),
    )
)
