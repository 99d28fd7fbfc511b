"""Lines of ``file onset offset``: with a label (``phn``), in folds (``intervals``), in clusters (``class``); UEM."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Ints, Mask, arrow_ints, arrow_mask, null_where, numpy_mask
from scorespec.errors import Code, Problems
from scorespec.formats.format import (
    Columns,
    Fields,
    Format,
    quote_fields,
    quoting,
    read_fields,
    record_batch,
    refuse_long,
    report,
)

_LABELLED = ("file", "onset", "offset", "label")
_INTERVAL = _LABELLED[:3]
_REGION = ("doc", "channel", "onset", "offset")
_GROUP = "cluster"
_WORD = "Class"


def _read_labelled(
    path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    for fields in read_fields(path, problems.source):
        at = fields.of_length(_LABELLED, fields.count > 0, problems)
        yield from record_batch(fields.line[at], columns, problems, texts=fields.columns(at, _LABELLED))


def _read_regions(
    path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    for all_fields in read_fields(path, problems.source):
        fields = all_fields.without_remarks(b";;")
        at = fields.of_length(_REGION, fields.count > 0, problems)
        yield from record_batch(fields.line[at], columns, problems, texts=fields.columns(at, _REGION))


# -- folds -------------------------------------------------------------------------------------------


def _read_folds(
    path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; a column ``fold`` has the number of the fold, from 0."""
    begun, after_blank = 0, True
    for fields in read_fields(path, problems.source):
        filled = fields.count > 0
        folds = begun + np.cumsum(filled & np.concatenate(([after_blank], ~filled[:-1])), dtype=np.int64)
        begun, after_blank = int(folds[-1]), not filled[-1]
        at = fields.of_length(_INTERVAL, filled, problems)
        texts, ready = fields.columns(at, _INTERVAL), {"fold": arrow_ints(folds[at] - 1)}
        yield from record_batch(fields.line[at], columns, problems, texts=texts, ready=ready)


# -- clusters ----------------------------------------------------------------------------------------


def _read_clusters(
    path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; a class without members makes no rows."""
    header_line = 0  # of the last header
    last = pa.StringArray.from_buffers(1, pa.py_buffer(bytes(8)), pa.py_buffer(b""))  # its id; at first an empty text
    for fields in read_fields(path, problems.source):
        header = fields.begins_with(_WORD.encode())
        ids = pa.concat_arrays([last, _ids(fields, header, problems)])
        nth = np.cumsum(header, dtype=np.int64)  # for each line, the index of its id
        opened = np.maximum.accumulate(np.where(header, fields.line, header_line))
        closed = np.maximum.accumulate(np.where(fields.count == 0, fields.line, 0))
        above = np.where(closed > opened, 0, opened)  # the line of the header of each line; 0 stands for none
        header_line, last = int(above[-1]), ids[-1:]
        member = (fields.count > 0) & ~header
        report(problems, fields.line, member & (above == 0), lambda at: f"this line is not under a '{_WORD} N' header")
        at = fields.of_length(_INTERVAL, member & (above > 0), problems)
        if ids.null_count:
            at = at[numpy_mask(ids.is_valid())[nth[at]]]
        texts = {**fields.columns(at, _INTERVAL), _GROUP: ids.take(arrow_ints(nth[at]))}
        yield from record_batch(fields.line[at], columns, problems, texts=texts, group_line=above[at])


def _ids(fields: Fields, header: Mask, problems: Problems) -> pa.StringArray:
    """The id of each header, null if it has none or a too long one; reports these headers."""
    said = f"expected '{_WORD} N' (N: the id of the class), found"
    nameless = header & (fields.count < 2)
    report(problems, fields.line, nameless, lambda at: f"{said} {fields.shown(at)}", Code.MISSING_VALUE, _GROUP)
    headers: Ints = np.flatnonzero(header)
    named = fields.count[headers] > 1
    # Where there is no second field, the first is read and discarded.
    ids = fields.column(headers, named.astype(np.int64))
    long = refuse_long(_GROUP, ids, fields.line[headers], problems)
    return ids if (named & ~long).all() else null_where(arrow_mask(~named | long), ids)


def _quote_clusters(path: Path, columns: Columns, lines: Collection[int]) -> dict[int, dict[str, str]]:
    """See :data:`.format.Quote`; a header has only its id."""
    fields = quote_fields(path, _INTERVAL, lines)
    for line, field in fields.items():
        if field.get("file") == _WORD:
            fields[line] = {_GROUP: field.get("onset", "")}
    return fields


_CLASS = Format(
    name="class",
    about="classes of intervals: a line 'Class N', then lines of 'file onset offset', then a blank line",
    suffixes=(".class", ".classes"),
    read=_read_clusters,
    quote=_quote_clusters,
    fills=(*_INTERVAL, _GROUP),
    group=_GROUP,
)
FORMATS = (
    Format(
        name="phn",
        about="lines of 'file onset offset label', fields separated by blanks",
        suffixes=(".phn", ".wrd"),
        read=_read_labelled,
        quote=quoting(_LABELLED),
        fills=_LABELLED,
    ),
    _CLASS,
    replace(
        _CLASS,
        name="class_merge",
        about="the lines of the format class, where a class can have several headers; their members are one class",
        suffixes=(),
        group_goes_on=True,
    ),
    Format(
        name="intervals",
        about="lines of 'file onset offset', fields separated by blanks; a blank line separates two folds",
        suffixes=(".split", ".utt", ".intervals"),
        read=_read_folds,
        quote=quoting(_INTERVAL),
        fills=(*_INTERVAL, "fold"),
        whole="fold",
    ),
    Format(
        name="uem",
        about=f"lines of '{' '.join(_REGION)}': the regions that are scored; ;; begins a comment",
        suffixes=(".uem",),
        read=_read_regions,
        quote=quoting(_REGION),
        fills=_REGION,
    ),
)
