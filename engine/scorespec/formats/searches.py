"""``kwslist_searches``: the time of the search for each query in a ``<kwslist>`` or ``<stdlist>``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import pyarrow as pa

from scorespec.errors import Problems
from scorespec.formats.base import Columns, Format
from scorespec.formats.layout import Layout
from scorespec.formats.markup import quote_markup, read_markup

_LAYOUTS = (
    Layout(
        root="kwslist",
        row="detected_kwlist",
        columns={"query": "kwid", "search_time": "search_time", "oov_count": "oov_count"},
        unread=frozenset(("kwlist_filename", "language", "system_id", "min_score", "max_score")),
        passed_over=frozenset(("kw",)),
    ),
    Layout(
        root="stdlist",
        row="detected_termlist",
        columns={"query": "termid", "search_time": "term_search_time", "oov_count": "oov_term_count"},
        unread=frozenset(("termlist_filename", "language", "system_id")),
        passed_over=frozenset(("term",)),
    ),
)


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.base.Reader`; columns that are not of a search are attributes of the list."""
    return read_markup(path, _LAYOUTS, columns, problems, optional)


def quote(path: Path, columns: Columns, lines: Collection[int]) -> dict[int, dict[str, str]]:
    """See :data:`.base.Quote`."""
    return quote_markup(path, _LAYOUTS, columns, lines)


KWSLIST_SEARCHES = Format(
    name="kwslist_searches",
    about="XML: the times of a <kwslist> of <detected_kwlist kwid=… search_time=…>, or of a <stdlist>",
    suffixes=(".xml",),
    read=read,
    quote=quote,
)
