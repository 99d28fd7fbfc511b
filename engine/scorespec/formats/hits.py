"""``kwslist``: the detections of each query, as ``<kwslist>`` or, in the older dialect, ``<stdlist>``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from scorespec.errors import Problems
from scorespec.formats.base import Columns, Format
from scorespec.formats.convert import is_number
from scorespec.formats.layout import Attributes, Layout
from scorespec.formats.markup import quote_markup, read_markup
from scorespec.formats.text import BLANKS, shown

_COLUMNS = {
    "doc": "file",
    "channel": "channel",
    "tbeg": "tbeg",
    "dur": "dur",
    "score": "score",
    "decision": "decision",
}
_UNREAD = frozenset(
    ("kwlist_filename", "termlist_filename", "language", "system_id", "indexing_time", "index_size", "search_time",
     "term_search_time", "oov_count", "oov_term_count", "min_score", "max_score")
)  # fmt: skip
_BOUNDS = ("min_score", "max_score")
_FOLDER_AND_SPH = r"^(?:.*/)?(.*?)(?:\.sph)?$"


def _bounds_fault(attributes: Attributes) -> str | None:
    """The fault of the bounds of scores that a list declares; None if there is none."""
    there = [name for name in _BOUNDS if name in attributes]
    if not there:
        return None
    if len(there) == 1:
        return f"{there[0]} is given without {_BOUNDS[_BOUNDS[0] == there[0]]}; give both or neither"
    texts = [attributes[name].strip(BLANKS) for name in _BOUNDS]
    for name, text in zip(_BOUNDS, texts, strict=True):
        if not is_number(text):
            return f"{name} is not a number: {shown(text)}"
    low, high = texts
    return None if float(low) <= float(high) else f"min_score {low} is not at most max_score {high}"


_KWSLIST = Layout(
    root="kwslist",
    group="detected_kwlist",
    group_id=("query", "kwid"),
    row="kw",
    columns=_COLUMNS,
    unread=_UNREAD,
    root_fault=_bounds_fault,
)
_STDLIST = replace(_KWSLIST, root="stdlist", group="detected_termlist", group_id=("query", "termid"), row="term")
_LAYOUTS = (_KWSLIST, _STDLIST)


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.base.Reader`; names of documents are read without folder and '.sph'.

    A column ``element`` is the number of the detection in the file; other columns are attributes of the
    elements around it, such as ``min_score`` of the list.
    """
    return read_markup(path, _LAYOUTS, columns, problems, optional, {"doc": _bare})


def _bare(names: pa.StringArray) -> pa.StringArray:
    # A search is faster than a replacement, and there is rarely anything to replace.
    if any(pc.any(pc.match_substring(names, each)).as_py() for each in ("/", ".sph")):
        return pc.replace_substring_regex(names, _FOLDER_AND_SPH, r"\1")
    return names


def quote(path: Path, columns: Columns, lines: Collection[int]) -> dict[int, dict[str, str]]:
    """See :data:`.base.Quote`."""
    return quote_markup(path, _LAYOUTS, columns, lines)


def system(path: Path) -> str | None:
    """The attribute ``system_id`` of a list that has detections."""
    batches = read(path, {"system_id": pa.string()}, Problems(str(path)), ["system_id"])
    name: str | None = next((batch["system_id"][0].as_py() for batch in batches), None)
    return name


KWSLIST = Format(
    name="kwslist",
    about="XML: a <kwslist> of <detected_kwlist kwid=…> of <kw file=… score=… …>, or a <stdlist>",
    suffixes=(".xml",),
    read=read,
    quote=quote,
    system=system,
)
