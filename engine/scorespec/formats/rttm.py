"""``.rttm``: tokens and speaker turns with their times, one a line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import (
    Ints,
    Mask,
    arrow_floats,
    arrow_mask,
    arrow_text,
    arrow_texts,
    null_where,
    numpy_floats,
    numpy_ints,
    numpy_mask,
)
from scorespec.errors import LEFT_OUT_KINDS, Code, Problems, nearest_only
from scorespec.formats.format import Columns, Fields, Format, convert, quoting, read_fields, record_batch, report, shown

_NAMES = ("type", "doc", "channel", "tbeg", "dur", "token", "subtype", "speaker", "confidence")
_TYPES = ("LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "SU", "IP", "CB", "A/P", "SEGMENT", "NOSCORE",
          "NO_RT_METADATA", "SPEAKER", "SPKR-INFO")  # fmt: skip
_AROUND_TURNS = ("NOSCORE", "SEGMENT", "LEXEME", "NON-LEX", "SU", "EDIT", "FILLER", "IP", "CB", "A/P")
_NOTHING = "<NA>"
_ZERO = arrow_floats(np.array([0.0]))[0]  # a number of Python would make Arrow import pandas
_REMARK = b";;"
_BLANK = "a name with a blank takes two columns; write _ for the blank"


def read(
    wanted: Sequence[str], path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; only lines of the wanted types are read; ``<NA>`` is null.

    A word whose orthography is ``<NA>`` keeps that as its token, as in F4DE: it matches no query, but it separates the
    words around it. A file that has lines, but none with a type of RTTM, is refused.
    """
    first_other, is_rttm = 0, False
    widths: dict[int, int] = {}  # the first line with each number of columns
    for all_fields in read_fields(path, problems.source):
        fields = all_fields.without_remarks(_REMARK)
        found, other = _of_type(wanted, fields, problems)
        is_rttm |= len(other) < int(np.count_nonzero(fields.count))
        first_other = first_other or int(other[0] if len(other) else 0)
        at = _with_whole_names(fields, fields.of_length(_NAMES, found, problems, further=1), problems)
        if len(wanted) == 1:
            _compare_widths(widths, fields, at, problems)
        texts = {name: text for name, text in fields.columns(at, _NAMES).items() if name in columns}
        absent = {name: pc.equal(text, arrow_text(_NOTHING)) for name, text in texts.items()}
        if "token" in texts and len(nameless := fields.line[at[numpy_mask(absent.pop("token"))]]):
            which, verdict = f"without an orthography ({_NOTHING})", "can be part of no occurrence"
            problems.leave_out("token", which, int(nameless[0]), len(nameless), verdict=verdict)
        texts |= {name: null_where(each, texts[name]) for name, each in absent.items()}
        yield from record_batch(fields.line[at], columns, problems, texts=texts, optional=optional)
    if first_other and not is_rttm:
        said = f"not RTTM: no line begins with a type such as {wanted[0]}"
        problems.add(first_other, said, Code.WRONG_FORMAT)


def _with_whole_names(fields: Fields, at: Ints, problems: Problems) -> Ints:
    """The indices of the lines with a document and a possible confidence; reports the others.

    A blank in a name moves the columns after it to the right: a word of a name is where the confidence should be.
    """
    nothing = arrow_text(_NOTHING)
    unnamed = numpy_mask(pc.equal(fields.column(at, _NAMES.index("doc")), nothing))
    said = f"the recording has no name ({_NOTHING}), as pyannote.core writes an annotation without uri"
    report(problems, fields.line[at], unnamed, lambda row: said, Code.MISSING_VALUE, "doc")

    text = fields.column(at, _NAMES.index("confidence"))
    confidence, wrong = convert(null_where(pc.equal(text, nothing), text), pa.float64())
    number, is_longer = numpy_floats(pc.fill_null(confidence, _ZERO)), fields.count[at] > len(_NAMES)
    wrong = (is_longer & ((number < 0) | (number > 1))) | (False if wrong is None else wrong)

    def message(row: int) -> str:
        wanted = f"{_NOTHING} or a number{' from 0 to 1' if is_longer[row] else ''}"
        return f"confidence (column 9) is {shown(text[row].as_py())}, not {wanted} ({_BLANK}): {fields.shown(at[row])}"

    report(problems, fields.line[at], wrong, message)
    return at[~(unnamed | wrong)]


def _compare_widths(widths: dict[int, int], fields: Fields, at: Ints, problems: Problems) -> None:
    """Report, once for a file, that some lines have nine columns and others ten: a name may contain a blank."""
    before = len(widths)
    for count, first in zip(*np.unique(fields.count[at], return_index=True), strict=True):
        widths.setdefault(int(count), int(fields.line[at[first]]))
    if before < len(widths) == 2:
        (fewer, one), (more, other) = sorted(widths.items())
        problems.add(other, f"{more} columns, but line {one} has {fewer}: {_BLANK}, or {fewer} columns in all lines")


def _of_type(wanted: Sequence[str], fields: Fields, problems: Problems) -> tuple[Mask, Ints]:
    """Which lines have one of the types, in any case, and the lines of types that RTTM does not define.

    The latter are counted for a warning.
    """
    found = fields.count > 0
    filled = np.flatnonzero(found)
    kind = pc.ascii_upper(fields.column(filled, 0))
    unknown = ~numpy_mask(pc.is_in(kind, arrow_texts(_TYPES)))
    others, lines = kind.filter(arrow_mask(unknown)).dictionary_encode(), fields.line[filled[unknown]]
    _, first, count = np.unique(numpy_ints(others.indices), return_index=True, return_counts=True)
    for nth, (line, lines_of_type) in enumerate(zip(lines[first].tolist(), count.tolist(), strict=True)):
        name = others.dictionary[nth].as_py()
        hint = nearest_only(name, _TYPES) if nth < LEFT_OUT_KINDS else ""
        problems.leave_out("line", f"of type {shown(name)}", line, lines_of_type, hint=hint)
    found[filled] = numpy_mask(pc.is_in(kind, arrow_texts(wanted)))
    return found, lines


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
