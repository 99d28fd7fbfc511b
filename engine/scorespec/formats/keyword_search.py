"""XML files of keyword search: ``kwlist`` and ``ecf``, what is searched; ``kwslist``, what a system has found.

Lists of queries and detections have an older dialect: ``<termlist>`` and ``<stdlist>``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from scorespec.errors import Problems
from scorespec.formats.format import BLANKS, Format, is_number, shown
from scorespec.formats.xml_rows import XmlLayout, names_in_xml, quote_xml, read_xml

_FOLDER_AND_SPH = r"^(?:.*/)?(.*?)(?:\.sph)?$"
_FOLDER_AND_SUFFIX = r"^(?:.*/)?(.*?)(?:\.[^./]*)?$"
_BOUNDS = ("min_score", "max_score")


def _bounds_fault(attributes: Mapping[str, str]) -> str | None:
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


_QUERIES = (
    XmlLayout(
        root="kwlist",
        row="kw",
        columns={"query": "kwid"},
        around={"compare_normalize": "compareNormalize"},
        text=("text", "kwtext"),
        info="kwinfo",
    ),
    XmlLayout(root="termlist", row="term", columns={"query": "termid"}, text=("text", "termtext"), info="terminfo"),
)
_EXCERPTS = (
    XmlLayout(
        root="ecf",
        row="excerpt",
        columns={"doc": "audio_filename", "channel": "channel", "tbeg": "tbeg", "dur": "dur"},
    ),
)
_KWSLIST = XmlLayout(
    root="kwslist",
    group=("detected_kwlist", "query", "kwid"),
    row="kw",
    columns={"doc": "file", **{name: name for name in ("channel", "tbeg", "dur", "score", "decision")}},
    unread=frozenset(
        ("kwlist_filename", "termlist_filename", "language", "system_id", "indexing_time", "index_size", "search_time",
         "term_search_time", "oov_count", "oov_term_count", *_BOUNDS)
    ),
    root_fault=_bounds_fault,
)  # fmt: skip
_DETECTIONS = (
    _KWSLIST,
    replace(_KWSLIST, root="stdlist", group=("detected_termlist", "query", "termid"), row="term"),
)
_SEARCHES = (
    XmlLayout(
        root="kwslist",
        row="detected_kwlist",
        columns={"query": "kwid", "search_time": "search_time", "oov_count": "oov_count"},
        unread=frozenset(("kwlist_filename", "language", "system_id", *_BOUNDS)),
        passed_over=frozenset(("kw",)),
    ),
    XmlLayout(
        root="stdlist",
        row="detected_termlist",
        columns={"query": "termid", "search_time": "term_search_time", "oov_count": "oov_term_count"},
        unread=frozenset(("termlist_filename", "language", "system_id")),
        passed_over=frozenset(("term",)),
    ),
)


def _bare(pattern: str, names: pa.StringArray) -> pa.StringArray:
    """Names of documents without their folder and suffix: the group of a pattern."""
    # A search is faster than a replacement, and there is rarely anything to replace.
    if any(pc.any(pc.match_substring(names, each)).as_py() for each in "/."):
        return pc.replace_substring_regex(names, pattern, r"\1")
    return names


def _system(path: Path) -> str | None:
    """The attribute ``system_id`` of a list that has detections."""
    batches = read_xml(_DETECTIONS, path, {"system_id": pa.string()}, Problems(str(path)), ["system_id"])
    name: str | None = next((batch["system_id"][0].as_py() for batch in batches), None)
    return name


def _format(name: str, about: str, layouts: Collection[XmlLayout], bare: str | None = None, **more: Any) -> Format:
    """A format of these layouts; of the names of documents, the group of the pattern ``bare`` is read."""
    return Format(
        name=name,
        about=f"XML: {about}",
        suffixes=more.pop("suffixes", (".xml",)),
        read=partial(read_xml, layouts, mend={"doc": partial(_bare, bare)} if bare else {}),
        quote=partial(quote_xml, layouts),
        fills=tuple(dict.fromkeys(column for layout in layouts for column in layout.filled)),
        others="those with the name of an attribute of a row, or of an element around it",
        **more,
    )


FORMATS = (
    _format(
        "kwlist",
        "a <kwlist> of <kw kwid=…><kwtext>, or a <termlist> of <term termid=…><termtext>",
        _QUERIES,
        names=partial(names_in_xml, layouts=_QUERIES),
    ),
    _format(
        "ecf",
        "an <ecf> of <excerpt audio_filename=… channel=… tbeg=… dur=…>; read without folder and last suffix",
        _EXCERPTS,
        _FOLDER_AND_SUFFIX,
        suffixes=(".xml", ".ecf"),
        names=partial(names_in_xml, layouts=_EXCERPTS),
    ),
    _format(
        "kwslist",
        "a <kwslist> of <detected_kwlist kwid=…> of <kw file=… score=… …>, or a <stdlist>",
        _DETECTIONS,
        _FOLDER_AND_SPH,
        system=_system,
    ),
    _format(
        "kwslist_searches",
        "the times of a <kwslist> of <detected_kwlist kwid=… search_time=…>, or of a <stdlist>",
        _SEARCHES,
    ),
)
