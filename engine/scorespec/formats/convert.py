"""Converts text fields to a record batch of typed columns, and reports the fields that do not fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Ints, Mask, arrow_ints, arrow_text, null_where, numpy_mask
from scorespec.errors import SHOWN_PROBLEMS, Code, Problems
from scorespec.formats.format import Columns
from scorespec.formats.text_blocks import shown

MAX_NAME = 1000
"""The most bytes of a name that stands once in a file for many rows: each row gets a copy."""

_MOST, _NONE = (arrow_ints(np.array([each]))[0].cast(pa.int32()) for each in (MAX_NAME, 0))

_NUMBER = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"
_NOT_FINITE = r"^[+-]?(?i:nan|inf|infinity)$"
# 18 digits always fit 64 bits.
_WHOLE = r"^[+-]?0*[0-9]{1,18}$"
_TRUE = r"^(true|t|yes|1)$"
_FALSE = r"^(false|f|no|0)$"

_WANTED = {pa.float64(): "a number", pa.int64(): "a whole number", pa.bool_(): "true or false"}


def record_batch(
    line: Ints,
    columns: Columns,
    problems: Problems,
    *,
    texts: Mapping[str, pa.StringArray],
    ready: Mapping[str, pa.Array] | None = None,
    optional: Collection[str] = (),
    group_line: Ints | None = None,
) -> list[pa.RecordBatch]:
    """One batch of the rows without faulty fields, or none if there are no such rows.

    ``line`` has the line of each row, ``texts`` the columns as text, and ``ready`` the columns that the reader has
    converted itself; all other ``columns`` are null. A field that does not have the type of its column is reported to
    ``problems``; an empty field is null in the ``optional`` columns.
    """
    good = np.ones(len(line), np.bool_)
    arrays: dict[str, pa.Array] = {"line": arrow_ints(line)}
    for name, kind in columns.items():
        if name in texts:
            text = texts[name]
            if name in optional:
                text = null_where(pc.equal(text, arrow_text("")), text)
            arrays[name], bad = convert(text, kind)
            if bad is None:
                continue
            if problems.unreadable is not None:  # a row is listed once
                problems.unreadable.add(name, _faults(line, good & bad, name, kind, text), problems)
            else:
                for number, code, message in islice(_faults(line, bad, name, kind, text), SHOWN_PROBLEMS):
                    problems.add(number, message, code, name)
                problems.add_more(int(bad.sum()) - SHOWN_PROBLEMS)
            good &= ~bad
        elif ready and name in ready:
            arrays[name] = pc.cast(ready[name], kind)
        else:
            arrays[name] = pa.nulls(len(line), kind)
    if group_line is not None:
        arrays["group_line"] = arrow_ints(group_line)
    batch = pa.RecordBatch.from_arrays(list(arrays.values()), names=list(arrays))
    if not good.all():
        batch = batch.take(arrow_ints(np.flatnonzero(good)))
    return [batch] if batch.num_rows else []


def is_number(text: str) -> bool:
    """Whether a field is a number. Unlike in Python, it has no underscores and no digits of other scripts."""
    return bool(re.fullmatch(_NUMBER, text) or re.fullmatch(_NOT_FINITE, text))


def refuse_long(name: str, text: pa.StringArray, line: Ints, problems: Problems) -> Mask:
    """Which names, each of which is copied to many rows, are too long; reports these."""
    long = numpy_mask(pc.greater(pc.fill_null(pc.binary_length(text), _NONE), _MOST))
    said = f"{name} has more than {MAX_NAME:,} bytes"
    report(problems, line, long, lambda row: f"{said}: {shown(text[row].as_py())}", Code.TOO_LONG, name)
    return long


def report(
    problems: Problems,
    line: Ints,
    bad: Mask,
    message: Callable[[int], str],
    code: str = Code.MALFORMED,
    column: str | None = None,
) -> None:
    """Report each bad row; ``message(row)`` is called only for the rows that are shown."""
    at = np.flatnonzero(bad)
    found = [(int(line[row]), message(int(row))) for row in at[:SHOWN_PROBLEMS]]
    problems.add_all(found, len(at), code, column)


def _faults(
    line: Ints, bad: Mask, name: str, kind: pa.DataType, text: pa.StringArray
) -> Iterator[tuple[int, str, str]]:
    """The line, the code and the message of each bad field of a column."""
    for row in np.flatnonzero(bad):
        field = text[row].as_py()
        code, message = Code.NOT_A_NUMBER, f"{name} is not {_WANTED[kind]}: {shown(field)}"
        if not field:
            code, message = Code.MISSING_VALUE, f"{name} is empty"
        elif kind == pa.int64() and re.fullmatch(r"[+-]?[0-9]+", field):
            code, message = Code.OUT_OF_RANGE, f"{name} has more than 18 digits: {shown(field)}"
        elif kind == pa.bool_():
            code = Code.NOT_A_BOOLEAN
        yield int(line[row]), code, message


def convert(text: pa.StringArray, kind: pa.DataType) -> tuple[pa.Array, Mask | None]:
    """The values of a column, and which fields are not of its type (None if all are)."""
    if kind == pa.string():
        return text, None
    if kind == pa.float64():
        return _numbers(text)
    if kind == pa.int64():
        return _cast_good(text, kind, pc.match_substring_regex(text, _WHOLE))
    if kind == pa.bool_():
        lower = pc.utf8_lower(text)
        true = pc.match_substring_regex(lower, _TRUE)
        return _where(pc.or_(true, pc.match_substring_regex(lower, _FALSE)), true, text)
    raise TypeError(f"no text is read as {kind}")


def _numbers(text: pa.StringArray) -> tuple[pa.Array, Mask | None]:
    """Fields as numbers: the nearest float64, as of Python's ``float``."""
    try:
        values = pc.cast(text, pa.float64())
    except pa.ArrowInvalid:
        pass
    else:
        # Apart from our numbers, Arrow only accepts 'nan(…)'.
        if pc.all(pc.is_finite(values)).as_py() is not False:
            return values, None
    number = pc.match_substring_regex(text, _NUMBER)
    return _cast_good(text, pa.float64(), pc.or_(number, pc.match_substring_regex(text, _NOT_FINITE)))


def _cast_good(text: pa.StringArray, kind: pa.DataType, good: pa.BooleanArray) -> tuple[pa.Array, Mask | None]:
    """The values of the good fields, null for the others, and which those are."""
    digits = pc.replace_substring_regex(text, r"^\+", "")  # a sign that Arrow does not accept
    values = pc.cast(null_where(pc.invert(good), digits), kind)
    return _where(good, values, text)


def _where(good: pa.BooleanArray, values: pa.Array, text: pa.StringArray) -> tuple[pa.Array, Mask | None]:
    """The values, null where the text is null; and the rows whose text is neither good nor null (None if none)."""
    absent = pc.is_null(text)
    bad = numpy_mask(pc.invert(pc.or_kleene(good, absent)))
    return null_where(absent, values), bad if bad.any() else None
