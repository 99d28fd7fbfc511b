"""TextGrid of Praat and ELAN's EAF: the intervals of a tier as words, segments, turns or labels, such as phones.

A tier is named in brackets, ``talk.TextGrid::(tier=words)``. ``tier=*`` reads all tiers, each of a speaker.
"""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from scorespec.formats.format import BLANKS, cut, whole_lines
from scorespec.formats.seglst import text_of
from scorespec.formats.segment_rows import WORD, Piece, Segment, format_of, library

_ALL = "*"
_BEGINNING = 100  # characters
_SCHEMA = "{http://www.w3.org/2001/XMLSchema-instance}noNamespaceSchemaLocation"
_Tiers = list[tuple[str, Callable[[], list[Piece]]]]


def _textgrid(path: Path, source: str) -> _Tiers:
    """The tiers of intervals of a TextGrid, in UTF-8 or, as Praat writes other than ASCII letters, in UTF-16."""
    textgrid_io = library("praatio.utilities.textgrid_io", "annotations")
    errors = library("praatio.utilities.errors", "annotations")
    data = b"".join(whole_lines(path, source))
    text = data.decode("utf-16") if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else text_of(path, source)
    if "ooTextFile" not in text[:_BEGINNING]:
        raise ValueError("no TextGrid of Praat")
    try:
        tiers = textgrid_io.parseTextgridStr(text, includeEmptyIntervals=True)["tiers"]
    except (errors.PraatioException, IndexError, KeyError, ValueError) as fault:
        raise ValueError(f"no TextGrid that praatio reads: {fault}") from None
    return [(tier["name"], partial(_intervals, tier["entries"])) for tier in tiers if tier["class"] == "IntervalTier"]


def _intervals(entries: list[tuple[float, float, str]]) -> list[Piece]:
    """The intervals that have a label: the others are pauses."""
    return [Piece(label, str(begin), str(end)) for begin, end, label in entries if label.strip(BLANKS)]


def _eaf(path: Path, source: str) -> _Tiers:
    """The tiers of an EAF file. An annotation that refers to another one has its times."""
    if "<!DOCTYPE" in (text := text_of(path, source)) or "<ANNOTATION_DOCUMENT" not in text:
        raise ValueError("no EAF file of ELAN, or one with a document type")
    elan = library("pympi.Elan", "annotations")
    found = elan.Eaf()
    found.remove_tier("default")
    found.adocument[_SCHEMA] = ""  # pympi deletes this attribute, and fails without it
    try:
        elan.parse_eaf(str(path), found, suppress_version_warning=True)
    except Exception as fault:  # pympi raises no narrower class for a file that is not XML
        raise ValueError(f"no EAF file that pympi reads: {fault}") from None
    return [(name, partial(_annotations, found, name)) for name in found.get_tier_names()]


def _annotations(found: Any, tier: str) -> list[Piece]:
    """The annotations of a tier, sorted if all have times: those that divide another one may have none."""
    try:
        rows = found.get_annotation_data_for_tier(tier)
    except KeyError:
        said = f"pympi cannot read the times of the tier {tier}, whose annotations refer to a tier that divides another"
        raise ValueError(said) from None
    if all(None not in row[:2] for row in rows):
        rows = sorted(rows, key=lambda row: row[:2])
    return [Piece(text or "", _seconds(begin), _seconds(end)) for begin, end, text, *_ in rows]


def _seconds(milliseconds: int | None) -> str | None:
    return None if milliseconds is None else f"{milliseconds // 1000}.{milliseconds % 1000:03}"


def parse(
    tiers_of: Callable[[Path, str], _Tiers], of_speakers: bool, path: Path, source: str, tier: str = ""
) -> list[Segment]:
    """The intervals of a tier that have a label, which is the name of a speaker if the tier is one ``of_speakers``.

    Of all tiers, each has a speaker; turns then need no label. If each label is a word, it is also the only word of
    its segment. Raises ValueError if it is unclear which tier is meant, or who speaks.
    """
    tiers = tiers_of(path, source)
    if tier == _ALL:
        each_tier = ((name, pieces() if of_speakers else _labelled(pieces)) for name, pieces in tiers)
        every = [piece._replace(speaker=name) for name, turns in each_tier for piece in turns]
        return [(piece, ()) for piece in sorted(every, key=lambda each: float(each.begin or 0))]
    named = [pieces for name, pieces in tiers if name == tier or (not tier and len(tiers) == 1)]
    if len(named) != 1:
        said = f"{len(named)} tiers are named {tier!r}" if tier else "there are several tiers"
        listed = cut(", ".join(name for name, _ in tiers), 300)
        raise ValueError(f"{said}; write {source}::(tier=NAME), or (tier={_ALL}) if each has a speaker: {listed}")
    if of_speakers:
        return [(piece._replace(speaker=piece.text.strip(BLANKS) or None), ()) for piece in named[0]()]
    found = _labelled(named[0])
    words = all(len(WORD.findall(piece.text)) == 1 for piece in found)
    return [(piece, (piece,) if words else ()) for piece in found]


def _labelled(pieces: Callable[[], list[Piece]]) -> list[Piece]:
    return [each._replace(text=each.text.strip(BLANKS)) for each in pieces() if each.text.strip(BLANKS)]


FORMATS = tuple(
    format_of(
        f"{name}{ending}",
        f"{about}, a file a recording; {what}",
        suffix,
        partial(parse, tiers_of, shape == "turns"),
        shape,
        ("tier",),
    )
    for name, about, suffix, tiers_of in (
        ("textgrid", "TextGrid of Praat", ".textgrid", _textgrid),
        ("eaf", "EAF file of ELAN", ".eaf", _eaf),
    )
    for ending, what, shape in (
        ("", "the labels of a tier are words with times or, if some have blanks, segments", "words or segments"),
        ("_turns", "the labels of a tier, or the names of all tiers, are speakers", "turns"),
        ("_labels", "the labels of a tier, such as phones", "labels"),
    )
)
