"""``ecf``: the audio that is searched, one ``<excerpt>`` for each stretch of a channel."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from scorespec.errors import Problems
from scorespec.formats.base import Columns, Format
from scorespec.formats.layout import Layout
from scorespec.formats.markup import names_in_markup, quote_markup, read_markup

_LAYOUTS = (
    Layout(
        root="ecf",
        row="excerpt",
        columns={"doc": "audio_filename", "channel": "channel", "tbeg": "tbeg", "dur": "dur"},
    ),
)
_FOLDER_AND_SUFFIX = r"^(?:.*/)?(.*?)(?:\.[^./]*)?$"


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.base.Reader`; names of documents are read without folder and last suffix."""
    return read_markup(path, _LAYOUTS, columns, problems, optional, {"doc": _bare})


def _bare(names: pa.StringArray) -> pa.StringArray:
    return pc.replace_substring_regex(names, _FOLDER_AND_SUFFIX, r"\1")


def quote(path: Path, columns: Columns, lines: Collection[int]) -> dict[int, dict[str, str]]:
    """See :data:`.base.Quote`."""
    return quote_markup(path, _LAYOUTS, columns, lines)


ECF = Format(
    name="ecf",
    about="XML: an <ecf> of <excerpt audio_filename=… channel=… tbeg=… dur=…>; read without folder and last suffix",
    suffixes=(".xml", ".ecf"),
    read=read,
    quote=quote,
    names=partial(names_in_markup, layouts=_LAYOUTS),
)
