"""Trials and scores, a line each: lists of VoxCeleb and of Kaldi, tables of NIST SRE, keys and scores of ASVspoof."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from scorespec.errors import Code, Problems
from scorespec.formats import delimited
from scorespec.formats.format import Columns, Format, quoting, read_fields, record_batch

_NUMBER = r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?"
_LINES = {
    "voxceleb": re.compile(r"\s*[01]\s+\S+\s+\S+\s*"),
    "voxceleb_scores": re.compile(rf"\s*{_NUMBER}\s+\S+\s+\S+\s*"),
    "kaldi_trials": re.compile(r"(?!\s*model\s)\s*\S+\s+\S+\s+(non)?target\s*"),  # a header has `model` first
    "kaldi_scores": re.compile(rf"\s*\S+\s+\S+\s+{_NUMBER}\s*"),
    "asvspoof": re.compile(r"\s*(\S+\s+){4,5}(bonafide|spoof)(\s+\S+){0,2}\s*"),
    "asvspoof_scores": re.compile(rf"\s*\S+\s+(\S+\s+(bonafide|spoof)\s+)?{_NUMBER}\s*"),
}
_ASVSPOOF = {  # the columns of keys and scores, by their number
    2: ("segment", "score"),
    4: ("segment", "attack", "target", "score"),
    5: ("speaker", "segment", "environment", "attack", "target"),
    8: ("speaker", "segment", "codec", "transmission", "attack", "target", "trim", "phase"),
}


def _read_list(
    names: Sequence[str], path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; the speaker of a recording is the first folder of its name, if it has one."""
    for fields in read_fields(path, problems.source):
        at = fields.of_length(names, fields.count > 0, problems)
        texts = fields.columns(at, names)
        speakers = {"speaker": _folder(texts["model"]), "test_speaker": _folder(texts["segment"])}
        yield from record_batch(fields.line[at], columns, problems, texts=texts | speakers)


def _read_asvspoof(
    path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; the number of fields of the first line tells the columns, and the model is `-`."""
    names: tuple[str, ...] = ()
    for fields in read_fields(path, problems.source):
        filled = fields.count > 0
        if not names and filled.any():
            count = int(fields.count[filled][0])
            if count not in _ASVSPOOF:
                said = f"{count} fields; a key of ASVspoof has 5 (2019) or 8 (2021), its scores have 2 or 4"
                problems.add(int(fields.line[filled][0]), said, Code.WRONG_FORMAT)
                return
            names = _ASVSPOOF[count]
        at = fields.of_length(names, filled, problems)
        texts = {**fields.columns(at, names), "model": ["-"] * len(at)}
        yield from record_batch(fields.line[at], columns, problems, texts=texts, optional=optional)


def _names_of_asvspoof(path: Path) -> list[str]:
    for fields in read_fields(path, str(path)):
        if (fields.count > 0).any():
            return ["model", *_ASVSPOOF.get(int(fields.count[fields.count > 0][0]), ())]
    return []


def _folder(name: pa.StringArray) -> pa.StringArray:
    return pc.struct_field(pc.extract_regex(name, r"^(?P<folder>[^/]+)/"), "folder")


def _list(name: str, *names: str, what: str) -> Format:
    return Format(
        name=name,
        about=f"lines of '{' '.join(names)}', {what}; the speaker is the first folder of a name",
        suffixes=(f".{name}",),
        read=partial(_read_list, names),
        quote=quoting(names),
        fills=(*names, "speaker", "test_speaker"),
    )


def list_of_trials(lines: Collection[str], allowed: Collection[str]) -> str:
    """The ``allowed`` format of a list whose lines begin a file; '' for none."""
    found = (name for name, pattern in _LINES.items() if name in allowed and all(map(pattern.fullmatch, lines)))
    return next(found, "") if lines else ""


FORMATS = (
    _list("voxceleb", "target", "model", "segment", what="as the lists of VoxCeleb; target is 1 or 0"),
    _list("voxceleb_scores", "score", "model", "segment", what="the scores of a list of VoxCeleb"),
    _list("kaldi_trials", "model", "segment", "target", what="as in Kaldi; target is target or nontarget"),
    _list("kaldi_scores", "model", "segment", "score", what="as in Kaldi"),
    *(
        Format(
            name=name,
            about=f"{what} of ASVspoof, lines of {' or '.join(repr(' '.join(_ASVSPOOF[count])) for count in counts)}",
            suffixes=(f".{name}",),
            read=_read_asvspoof,
            quote=None,
            names=_names_of_asvspoof,
            others="those of its lines",
        )
        for name, what, counts in (("asvspoof", "the key", (5, 8)), ("asvspoof_scores", "the scores", (2, 4)))
    ),
    replace(
        delimited.TSV,
        name="sre",
        about="tsv, with the names of columns that NIST SRE uses: modelid, segmentid, targettype and LLR",
    ),
)
