"""``.rttm``: tokens and speaker turns with their times, one a line."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Ints, arrow_mask, arrow_text, arrow_texts, null_where, numpy_mask
from scorespec.errors import LEFT_OUT_KINDS, Problems, nearest_only
from scorespec.formats.convert import record_batch, report
from scorespec.formats.fields import Fields, quoting, read_fields
from scorespec.formats.format import Columns, Format
from scorespec.formats.text_blocks import shown

_NAMES = ("type", "doc", "channel", "tbeg", "dur", "token", "subtype", "speaker", "confidence")
_TYPES = ("LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "SU", "IP", "CB", "A/P", "SEGMENT", "NOSCORE",
          "NO_RT_METADATA", "SPEAKER", "SPKR-INFO")  # fmt: skip
_NOTHING = "<NA>"
_REMARK = b";;"


def read(
    wanted: str, path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; only lines of the wanted type are read; ``<NA>`` is null.

    A word whose orthography is ``<NA>`` keeps that as its token, as in F4DE: it matches no query, but it separates the
    words around it.
    """
    for all_fields in read_fields(path, problems.source):
        fields = all_fields.without_remarks(_REMARK)
        at = _of_type(wanted, fields, problems)
        good = (fields.count[at] == len(_NAMES)) | (fields.count[at] == len(_NAMES) + 1)
        _report_count(fields, at[~good], problems)
        at = at[good]
        if len(at):
            texts = {name: text for name, text in fields.columns(at, _NAMES).items() if name in columns}
            if "token" in texts:
                _count_nameless(texts["token"], fields.line[at], problems)
            texts = {name: text if name == "token" else _or_null(text) for name, text in texts.items()}
            yield from record_batch(fields.line[at], columns, problems, texts=texts, optional=optional)


def _of_type(wanted: str, fields: Fields, problems: Problems) -> Ints:
    """The indices of the lines of a type, in any case; counts the lines of types that RTTM does not define."""
    filled = np.flatnonzero(fields.count > 0)
    kind = pc.ascii_upper(fields.column(filled, 0))
    unknown = ~numpy_mask(pc.is_in(kind, arrow_texts(_TYPES)))
    if unknown.any():
        _count_unknown(kind.filter(arrow_mask(unknown)), fields.line[filled[unknown]], problems)
    return filled[numpy_mask(pc.equal(kind, arrow_text(wanted)))]


def _count_unknown(kind: pa.StringArray, line: Ints, problems: Problems) -> None:
    """Count the lines of each type that RTTM does not define."""
    found: dict[str, list[int]] = {}
    for name, number in zip(kind.to_pylist(), line.tolist(), strict=True):
        found.setdefault(name, []).append(number)
    for name, lines in islice(found.items(), LEFT_OUT_KINDS):
        problems.leave_out("line", f"of type {shown(name)}", lines[0], len(lines), hint=nearest_only(name, _TYPES))
    if rest := [number for lines in islice(found.values(), LEFT_OUT_KINDS, None) for number in lines]:
        problems.leave_out("line", "of other kinds", rest[0], len(rest))


def _report_count(fields: Fields, at: Ints, problems: Problems) -> None:
    """Report the lines at these indices, which have a wrong number of fields."""

    def message(row: int) -> str:
        line = at[row]
        return f"expected {len(_NAMES)} columns ({' '.join(_NAMES)}), found {fields.count[line]}: {fields.shown(line)}"

    report(problems, fields.line[at], np.ones(len(at), np.bool_), message)


def _count_nameless(token: pa.StringArray, line: Ints, problems: Problems) -> None:
    """Count the words without an orthography."""
    nameless = np.flatnonzero(numpy_mask(pc.equal(token, arrow_text(_NOTHING))))
    if len(nameless):
        which, verdict = f"without an orthography ({_NOTHING})", "can be part of no occurrence"
        problems.leave_out("token", which, int(line[nameless[0]]), len(nameless), verdict=verdict)


def _or_null(text: pa.StringArray) -> pa.StringArray:
    return null_where(pc.equal(text, arrow_text(_NOTHING)), text)


def _format(name: str, wanted: str) -> Format:
    return Format(
        name=name,
        about=f"lines of '{' '.join(_NAMES)}'; only lines of type {wanted} are read",
        suffixes=(".rttm",),
        read=partial(read, wanted),
        quote=quoting(_NAMES),
    )


FORMATS = (_format("rttm", "LEXEME"), _format("rttm_speaker", "SPEAKER"))
