"""``.rttm``: tokens and speaker turns with their times, one a line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Mask, arrow_mask, arrow_text, arrow_texts, null_where, numpy_ints, numpy_mask
from scorespec.errors import LEFT_OUT_KINDS, Problems, nearest_only
from scorespec.formats.format import Columns, Fields, Format, quoting, read_fields, record_batch, shown

_NAMES = ("type", "doc", "channel", "tbeg", "dur", "token", "subtype", "speaker", "confidence")
_TYPES = ("LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "SU", "IP", "CB", "A/P", "SEGMENT", "NOSCORE",
          "NO_RT_METADATA", "SPEAKER", "SPKR-INFO")  # fmt: skip
_AROUND_TURNS = ("NOSCORE", "SEGMENT", "LEXEME", "NON-LEX", "SU", "EDIT", "FILLER", "IP", "CB", "A/P")
_NOTHING = "<NA>"
_REMARK = b";;"


def read(
    wanted: Sequence[str], path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; only lines of the wanted types are read; ``<NA>`` is null.

    A word whose orthography is ``<NA>`` keeps that as its token, as in F4DE: it matches no query, but it separates the
    words around it.
    """
    for all_fields in read_fields(path, problems.source):
        fields = all_fields.without_remarks(_REMARK)
        at = fields.of_length(_NAMES, _of_type(wanted, fields, problems), problems, further=1)
        texts = {name: text for name, text in fields.columns(at, _NAMES).items() if name in columns}
        absent = {name: pc.equal(text, arrow_text(_NOTHING)) for name, text in texts.items()}
        if "token" in texts and len(nameless := fields.line[at[numpy_mask(absent.pop("token"))]]):
            which, verdict = f"without an orthography ({_NOTHING})", "can be part of no occurrence"
            problems.leave_out("token", which, int(nameless[0]), len(nameless), verdict=verdict)
        texts |= {name: null_where(each, texts[name]) for name, each in absent.items()}
        yield from record_batch(fields.line[at], columns, problems, texts=texts, optional=optional)


def _of_type(wanted: Sequence[str], fields: Fields, problems: Problems) -> Mask:
    """Which lines have one of the types, in any case; counts the lines of types that RTTM does not define."""
    found = fields.count > 0
    filled = np.flatnonzero(found)
    kind = pc.ascii_upper(fields.column(filled, 0))
    unknown = ~numpy_mask(pc.is_in(kind, arrow_texts(_TYPES)))
    others = kind.filter(arrow_mask(unknown)).dictionary_encode()
    _, first, count = np.unique(numpy_ints(others.indices), return_index=True, return_counts=True)
    lines = fields.line[filled[unknown]][first]
    for nth, (line, lines_of_type) in enumerate(zip(lines.tolist(), count.tolist(), strict=True)):
        name = others.dictionary[nth].as_py()
        hint = nearest_only(name, _TYPES) if nth < LEFT_OUT_KINDS else ""
        problems.leave_out("line", f"of type {shown(name)}", line, lines_of_type, hint=hint)
    found[filled] = numpy_mask(pc.is_in(kind, arrow_texts(wanted)))
    return found


def _format(name: str, *wanted: str) -> Format:
    return Format(
        name=name,
        about=f"lines of '{' '.join(_NAMES)}'; only lines of type {' or '.join(wanted)} are read",
        suffixes=(".rttm",),
        read=partial(read, wanted),
        quote=quoting(_NAMES),
        fills=_NAMES,
    )


FORMATS = (
    _format("rttm", "LEXEME"),
    _format("rttm_speaker", "SPEAKER"),
    _format("rttm_other", *_AROUND_TURNS),
)
