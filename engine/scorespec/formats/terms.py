"""``kwlist``: the queries of a term search, as ``<kwlist>`` or, in the older dialect, ``<termlist>``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa

from scorespec.errors import Problems
from scorespec.formats.base import Columns, Format
from scorespec.formats.layout import Layout
from scorespec.formats.markup import names_in_markup, quote_markup, read_markup

_LAYOUTS = (
    Layout(
        root="kwlist",
        row="kw",
        columns={"query": "kwid"},
        around={"compare_normalize": "compareNormalize"},
        text=("text", "kwtext"),
        info="kwinfo",
    ),
    Layout(
        root="termlist",
        row="term",
        columns={"query": "termid"},
        text=("text", "termtext"),
        info="terminfo",
    ),
)


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.base.Reader`; other columns are attributes of the term, of its info, or of the list."""
    return read_markup(path, _LAYOUTS, columns, problems, optional)


def quote(path: Path, columns: Columns, lines: Collection[int]) -> dict[int, dict[str, str]]:
    """See :data:`.base.Quote`."""
    return quote_markup(path, _LAYOUTS, columns, lines)


KWLIST = Format(
    name="kwlist",
    about="XML: a <kwlist> of <kw kwid=…><kwtext>, or a <termlist> of <term termid=…><termtext>",
    suffixes=(".xml",),
    read=read,
    quote=quote,
    names=partial(names_in_markup, layouts=_LAYOUTS),
)
