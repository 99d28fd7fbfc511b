"""``.phn`` and ``.wrd``: one labelled interval a line."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import pyarrow as pa

from scorespec.errors import Problems
from scorespec.formats.base import Columns, Format
from scorespec.formats.convert import record_batch
from scorespec.formats.fields import quote_fields, read_fields

_NAMES = ("file", "onset", "offset", "label")


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.base.Reader`."""
    for fields in read_fields(path, problems.source):
        at = fields.of_length(_NAMES, fields.count > 0, problems)
        yield from record_batch(fields.line[at], columns, problems, texts=fields.columns(at, _NAMES))


def quote(path: Path, columns: Columns, lines: Collection[int]) -> dict[int, dict[str, str]]:
    """See :data:`.base.Quote`."""
    return quote_fields(path, _NAMES, lines)


PHN = Format(
    name="phn",
    about="lines of 'file onset offset label', fields separated by blanks",
    suffixes=(".phn", ".wrd"),
    read=read,
    quote=quote,
)
