"""``.class`` and ``.classes``: clusters of intervals, each under a header 'Class N'."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Ints, Mask, arrow_ints, arrow_mask, null_where, numpy_mask
from scorespec.errors import Code, Problems
from scorespec.formats.base import Columns, Format
from scorespec.formats.convert import record_batch, refuse_long, report
from scorespec.formats.fields import Fields, quote_fields, read_fields

_NAMES = ("file", "onset", "offset")
_GROUP = "cluster"
_WORD = "Class"
_NO_ID = pa.StringArray.from_buffers(1, pa.py_buffer(bytes(8)), pa.py_buffer(b""))  # one empty string


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.base.Reader`; a class without members makes no rows."""
    state = _Headers()
    for fields in read_fields(path, problems.source):
        header = fields.begins_with(_WORD.encode())
        _refuse_nameless(fields, header, problems)
        above, ids, nth = state.advance(fields, header, problems)
        member = (fields.count > 0) & ~header
        report(problems, fields.line, member & (above == 0), _not_under_a_header)
        at = fields.of_length(_NAMES, member & (above > 0), problems)
        if ids.null_count:
            at = at[numpy_mask(ids.is_valid())[nth[at]]]
        yield from record_batch(
            fields.line[at],
            columns,
            problems,
            texts={**fields.columns(at, _NAMES), _GROUP: ids.take(arrow_ints(nth[at]))},
            group_line=above[at],
        )


class _Headers:
    """The header above each line, from one block to the next."""

    def __init__(self) -> None:
        self._line = 0
        self._id: pa.StringArray = _NO_ID

    def advance(self, fields: Fields, header: Mask, problems: Problems) -> tuple[Ints, pa.StringArray, Ints]:
        """For each line of the next block: the line of its header (0: none), all ids, and the index of its id.

        The ids are those of the last header before the block and of the headers in the block, in order. The id is null
        for a header without an id or with one that is too long.
        """
        opened = np.maximum.accumulate(np.where(header, fields.line, self._line))
        closed = np.maximum.accumulate(np.where(fields.count == 0, fields.line, 0))
        above = np.where(closed > opened, 0, opened)
        ids = pa.concat_arrays([self._id, _ids(fields, np.flatnonzero(header), problems)])
        self._line, self._id = int(above[-1]), ids[-1:]
        return above, ids, np.cumsum(header, dtype=np.int64)


def _ids(fields: Fields, headers: Ints, problems: Problems) -> pa.StringArray:
    """The id of each header, null if it has none or a too long one; reports the long ones."""
    named = fields.count[headers] > 1
    # Where there is no second field, the first is read and discarded.
    ids = fields.column(headers, named.astype(np.int64))
    long = refuse_long(_GROUP, ids, fields.line[headers], problems)
    return ids if (named & ~long).all() else null_where(arrow_mask(~named | long), ids)


def _refuse_nameless(fields: Fields, header: Mask, problems: Problems) -> None:
    """Report the headers without an id."""

    def message(at: int) -> str:
        return f"expected 'Class N' (N: the id of the class), found {fields.shown(at)}"

    report(problems, fields.line, header & (fields.count < 2), message, Code.MISSING_VALUE, _GROUP)


def _not_under_a_header(at: int) -> str:
    return "this line is not under a 'Class N' header"


def quote(path: Path, columns: Columns, lines: Collection[int]) -> dict[int, dict[str, str]]:
    """See :data:`.base.Quote`; a header has only its id."""
    fields = quote_fields(path, _NAMES, lines)
    for line, field in fields.items():
        if field.get("file") == _WORD:
            fields[line] = {_GROUP: field.get("onset", "")}
    return fields


CLASS = Format(
    name="class",
    about="classes of intervals: a line 'Class N', then lines of 'file onset offset', then a blank line",
    suffixes=(".class", ".classes"),
    read=read,
    quote=quote,
    group=_GROUP,
)

CLASS_MERGE = replace(
    CLASS,
    name="class_merge",
    about="the lines of the format class, where a class can have several headers; their members are one class",
    suffixes=(),
    group_goes_on=True,
)
