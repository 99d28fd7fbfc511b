"""``.jsonl``: one JSON object a row; its keys are the columns. An object is on a line of its own, or in a JSON list."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Ints, arrow_texts
from scorespec.errors import Code, InputError, Problems, bad_input
from scorespec.formats.format import BLANKS, Block, Columns, Format, cut, read_blocks, record_batch, shown
from scorespec.formats.seglst import NO_TEXT, elements, text_of

_AT_ONCE = 10_000  # objects of a list that become rows together
_ESCAPED = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")  # may be a character that a text cannot have
_decode = json.JSONDecoder().raw_decode
_NOT_JSON = "not JSON"  # begins a message
_TYPES = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), float: pa.float64()}

Row = Mapping[str, Any]


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`. The keys of the first object are the columns; a key without a value is null.

    A required text must be text. Where a text may be missing, numbers and truth values are read as texts.
    """
    found = first_row(path, problems.source)
    if found is None or not _has_columns(*found[:2], columns, problems, optional):
        return
    _, first, is_list = found
    if is_list:
        rows = elements(text_of(path, problems.source), problems, _decode)
        while some := list(islice(rows, _AT_ONCE)):
            yield from _batch(some, columns, problems, optional)
        return
    types = {name: _type(first.get(name), kind) for name, kind in columns.items()}
    for block in read_blocks(path, problems.source):
        at = np.flatnonzero(block.filled())
        if len(at):
            yield from _fast_batch(block, at, columns, types, problems, optional) or _batch(
                ((block.first + row, _object(block.text(row))) for row in at.tolist()), columns, problems, optional
            )


def _type(value: Any, wanted: pa.DataType) -> pa.DataType:
    """The type as which Arrow reads a key: that of its first value; whole numbers may be followed by others."""
    kind = _TYPES.get(type(value), pa.string())
    return pa.float64() if (kind, wanted) == (pa.int64(), pa.float64()) else kind


def _fast_batch(
    block: Block, at: Ints, columns: Columns, types: Columns, problems: Problems, optional: Collection[str]
) -> list[pa.RecordBatch]:
    """The rows of the lines at these indices, parsed by Arrow; none if a line is at fault or has other types."""
    from pyarrow import json as arrow_json  # slow to import

    try:
        table = arrow_json.read_json(
            pa.BufferReader(block.data),
            arrow_json.ReadOptions(use_threads=False, block_size=len(block.data) + 1),
            arrow_json.ParseOptions(explicit_schema=pa.schema(types), unexpected_field_behavior="ignore"),
        )
    except pa.ArrowInvalid:
        return []
    required = [name for name in columns if name not in optional]
    wrong = table.num_rows != len(at) or any(table[name].null_count for name in required)
    if wrong or any(columns[name] == pa.string() != types[name] for name in required) or _ESCAPED.search(block.data):
        return []
    texts = {name: pc.cast(table[name].combine_chunks(), pa.string()) for name in columns}
    return record_batch(at + block.first, columns, problems, texts=texts, optional=optional)


def _object(line: str) -> Any:
    """The object on a line; the message of the fault as text if it is not JSON."""
    try:
        return json.loads(line)
    except (json.JSONDecodeError, RecursionError) as fault:
        reason = fault.msg if isinstance(fault, json.JSONDecodeError) else "Nested too deeply"
        return f"{_NOT_JSON}: {reason[0].lower()}{reason[1:].removesuffix(' at')}: {shown(line.strip(BLANKS))}"


def _has_columns(line: int, first: Row, columns: Columns, problems: Problems, optional: Collection[str]) -> bool:
    """Whether the first object has each required column; reports those that are missing."""
    missing = [name for name in columns if name not in first and name not in optional]
    for name in missing:
        said = f"no key {name!r} (there are: {cut(', '.join(first), 200)}); ::({name}=KEY) after the path names another"
        problems.add(line, said, Code.MISSING_COLUMN, name)
    problems.leave_out_columns([name for name, value in first.items() if _is_plain(value)], columns)
    return not missing


def _not_an_object(value: Any) -> str:
    return f"not an object, {{…}}: {shown(str(value))}"


def _is_plain(value: Any) -> bool:
    return not isinstance(value, dict | list)


def _batch(
    rows: Iterable[tuple[int, Any]], columns: Columns, problems: Problems, optional: Collection[str]
) -> list[pa.RecordBatch]:
    """The objects as rows; reports objects at fault."""
    lines, kept = list[int](), list[list[str | None]]()
    for line, row in rows:
        try:
            kept.append([_text(row, name, kind, name in optional) for name, kind in columns.items()])
            lines.append(line)
        except ValueError as fault:
            problems.add_row(line, str(fault))
    texts = dict(zip(columns, map(arrow_texts, zip(*kept, strict=True)), strict=True)) if kept else {}
    return record_batch(lines, columns, problems, texts=texts, optional=optional) if kept else []


def _text(row: Any, name: str, kind: pa.DataType, is_optional: bool) -> str | None:
    """The value of a key as text. Raises ValueError for a row or a value at fault."""
    if not isinstance(row, dict):
        raise ValueError(row if str(row).startswith(_NOT_JSON) else _not_an_object(row))
    value = row.get(name)
    if isinstance(value, str):
        if NO_TEXT.search(value):
            raise ValueError(f"{name} has the character U+0000 or a half of a surrogate pair")
        return value
    if value is None:
        if is_optional:
            return None
        raise ValueError(f"the object has no {name}")
    if not _is_plain(value) or (kind == pa.string() and not is_optional):
        raise ValueError(
            f"{name} is not {'text' if _is_plain(value) else 'a single value'}: {shown(json.dumps(value))}"
        )
    return json.dumps(value)


def first_row(path: Path, source: str) -> tuple[int, Any, bool] | None:
    """The line and the value of the first row of a file, and whether it is in a list; None if there is no row.

    Raises InputError if the row is not an object.
    """
    for block in read_blocks(path, source):
        for line in map(int, np.flatnonzero(block.filled())[:1]):
            text, number = block.text(line), block.first + line
            if text.lstrip(BLANKS).startswith("["):
                problems = Problems(source)
                number, row = next(elements(text_of(path, source), problems, _decode), (0, None))
                if problems:
                    raise InputError([problems])
                return None if number == 0 else (number, _checked(row, number, source), True)
            return number, _checked(_object(text), number, source), False
    return None


def _checked(row: Any, line: int, source: str) -> Any:
    if isinstance(row, dict):
        return row
    said = row if str(row).startswith(_NOT_JSON) else _not_an_object(row)
    raise bad_input(source, said, line, Code.WRONG_FORMAT)


def names(path: Path) -> list[str]:
    """The keys of the first object whose values are neither lists nor objects."""
    found = first_row(path, str(path))
    return [name for name, value in found[1].items() if _is_plain(value)] if found else []


FORMATS = (
    Format(
        name="jsonl",
        about="an object a line, {…}, or a JSON list of objects; its keys are the columns",
        suffixes=(".jsonl", ".ndjson"),
        read=read,
        quote=None,
        names=names,
        others="the keys of its first object",
    ),
)
