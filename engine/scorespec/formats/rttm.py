"""``.rttm``: what was said and who spoke, one token or stretch a line."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.arrays import Ints, Mask, arrow_text, arrow_texts, null_where, numpy_mask
from scorespec.errors import Problems, nearest
from scorespec.formats.base import Columns, Format
from scorespec.formats.convert import record_batch, report
from scorespec.formats.fields import Fields, quote_fields, read_fields

_NAMES = ("type", "doc", "channel", "tbeg", "dur", "token", "subtype", "speaker", "confidence")
_TYPES = ("LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "SU", "IP", "CB", "A/P", "SEGMENT", "NOSCORE",
          "NO_RT_METADATA", "SPEAKER", "SPKR-INFO")  # fmt: skip
_NOTHING = "<NA>"
_COMMENT = ord(";")


def read(
    wanted: str, path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.base.Reader`; lines of another type are passed over, ``<NA>`` is null."""
    for fields in read_fields(path, problems.source):
        at = _whole(fields, problems)
        kind = fields.column(at, 0)
        _refuse_unknown(fields, at, kind, problems)
        at = at[numpy_mask(pc.equal(kind, arrow_text(wanted)))]
        if len(at):
            texts = {name: _or_null(text) for name, text in fields.columns(at, _NAMES).items() if name in columns}
            yield from record_batch(fields.line[at], columns, problems, texts=texts, optional=optional)


def _whole(fields: Fields, problems: Problems) -> Ints:
    """The indices of the lines that are neither blank nor remarks and have as many fields as they must.

    Adds the other ones. A tenth field, the look-ahead time of later versions, is passed over.
    """
    said = fields.count > 0
    first = fields.edges[2 * fields.before[said]]
    said[said] = ~((fields.block.bytes[first] == _COMMENT) & (fields.block.bytes[first + 1] == _COMMENT))
    good: Mask = (fields.count == len(_NAMES)) | (fields.count == len(_NAMES) + 1)

    def message(at: int) -> str:
        return f"expected {len(_NAMES)} columns ({' '.join(_NAMES)}), found {fields.count[at]}: {fields.shown(at)}"

    report(problems, fields.line, said & ~good, message)
    return np.flatnonzero(said & good)


def _refuse_unknown(fields: Fields, at: Ints, kind: pa.StringArray, problems: Problems) -> None:
    """Add the lines of a type that there is not: passed over, a misspelled token would be missing."""
    known = numpy_mask(pc.is_in(kind, arrow_texts(_TYPES)))

    def message(row: int) -> str:
        found: str = kind[row].as_py()
        return f"unknown type {found!r}; {nearest(found, _TYPES)}"

    report(problems, fields.line[at], ~known, message)


def _or_null(text: pa.StringArray) -> pa.StringArray:
    return null_where(pc.equal(text, arrow_text(_NOTHING)), text)


def quote(path: Path, columns: Columns, lines: Collection[int]) -> dict[int, dict[str, str]]:
    """See :data:`.base.Quote`."""
    return quote_fields(path, _NAMES, lines)


def _format(name: str, wanted: str) -> Format:
    return Format(
        name=name,
        about=f"of lines '{' '.join(_NAMES)}' those of type {wanted}",
        suffixes=(".rttm",),
        read=partial(read, wanted),
        quote=quote,
    )


RTTM = _format("rttm", "LEXEME")
RTTM_SPEAKER = _format("rttm_speaker", "SPEAKER")
