"""``.sgml``: a transcript with tagged entities, in segments that have times and speakers.

The known elements of a transcript (``_STRUCTURE``) are removed; every other element is the tag of an entity. A tag
belongs to words, not to characters: an opening tag to the next word, a closing tag to the last one. In scripts without
blanks between words, a tag divides a word, and the column ``attached`` says that no blank precedes the second part. The
words of a block are found together (:mod:`.tagged_words`); only tags are handled one by one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from scorespec.errors import Code, Problems
from scorespec.formats.format import Block, Columns, Format, fault_of_time, read_blocks, shown
from scorespec.formats.tagged_words import PlainText, WordParts
from scorespec.formats.token_rows import UNMARKED, Mark, Passage
from scorespec.formats.utterances import looks_like

_STRUCTURE = frozenset(
    ("BACKGROUND", "BODY", "DOC", "EPISODE", "EXPAND", "FOREIGN", "NOISE", "OVERLAP", "RECORDING", "SECTION", "SEGMENT",
     "SYNC", "TEXT", "TIME", "TRANS", "TURN", "UNCLEAR", "UTF")
)  # fmt: skip
_NAMES = frozenset(("DOCNO", "DOCID"))  # their text is the name of the document
_KNOWN = _STRUCTURE | _NAMES
_TAG = re.compile(r"<\s*(/?)\s*([A-Za-z][\w.-]*)([^<>]*)>")
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w.-]*)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
# The scripts that are written without blanks between words: Thai, Lao, Khmer, Kana and Han.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1780-\u17ff\u19e0-\u19ff\u3005\u3007\u3021-\u3029\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
_HYPHENS = "-‐‑–—"  # a tag next to a hyphen separates two words


class _Tag(NamedTuple):
    name: str
    closing: bool
    attributes: dict[str, str]


class _Entity(NamedTuple):
    name: str
    line: int
    mark: Mark


@lru_cache(1000)
def _parsed(markup: bytes) -> _Tag | None:
    """A tag with its names in capitals; quotes around values are optional. None if it is not a tag."""
    found = _TAG.fullmatch(markup.decode())
    if found is None:
        return None
    # A pattern that leaves out the slash of <NAME/> takes five times as long.
    written = _ATTRIBUTE.findall(found[3].rstrip().removesuffix("/"))
    attributes = {name.upper(): html.unescape(value.strip("\"'")) for name, value in written}
    return _Tag(found[2].upper(), bool(found[1]), attributes)


class _Transcript:
    """The state of the reader."""

    def __init__(self, problems: Problems, divides: bool) -> None:
        self._problems = problems
        self._divides = divides  # whether tags divide words of scripts without blanks
        self._documents = self._segments = self._entities = 0
        self._passage = Passage("1")
        self._named: str | None = None  # the name of the document in its own tag
        self._naming = False  # inside an element of _NAMES
        # The first line of each name: of all documents, and of the segments of this document.
        self._document_names: dict[str, int] = {}
        self._segment_names: dict[str, int] = {}
        self._segment: int | None = None  # the line of an open segment
        self._has_words = True  # of the open segment
        self._open: _Entity | None = None
        self._entity_has_words = False  # of the open entity
        self._closed = False  # whether there is a closing tag
        self._boundary = 0  # parts from this one on are not joined to earlier ones

    def read(self, parts: WordParts) -> None:
        """Read the words and tags of a block."""
        self._boundary = before = 0
        for markup, line, first in parts.tags():
            if first > before:
                self._add(parts, before, first)
                before = first
            tag = _parsed(markup)
            self._closed |= tag is not None and tag.closing
            if tag is None or tag.name in _KNOWN:
                self._boundary = first
                self._structure(markup.decode(), tag, line, parts, first)
            elif tag.closing:
                self._close(tag.name, line, parts, first)
            else:
                self._begin(tag, line)
        if parts.count > before:
            self._add(parts, before, parts.count)

    def _add(self, parts: WordParts, first: int, end: int) -> None:
        """Add the words between two tags.

        A word with tags inside stays one word, unless its script has no blanks between words and the table has a column
        for what no blank precedes.
        """
        if self._naming:
            for name, line in parts.lines(first, end):
                if name != self._named:
                    self._begin_document(name, line)
                self._named = None
            parts.leave_out(first, end)
            return
        mark = self._open.mark if self._open else UNMARKED
        self._entity_has_words = self._has_words = True
        if first > self._boundary and parts.touches(first):
            around = parts.text(first - 1)[-1] + parts.text(first)[0]
            if self._divides and _UNSPACED.search(around):
                parts.attach(first)
            elif not any(sign in around for sign in _HYPHENS):
                first = self._join(parts, first, mark)
        if first < end:
            parts.begin(first, self._passage, mark)

    def _join(self, parts: WordParts, at: int, mark: Mark) -> int:
        """Join a part to the last word; the part inside a tag decides the entity. Returns where ``mark`` begins."""
        other = parts.mark
        word = parts.join(at)
        if other is UNMARKED:
            return word
        if mark is not UNMARKED and mark is not other:
            said = "".join(map(parts.text, range(word, at + 1)))
            self._problems.add(parts.line(at), f"two entities in the word {shown(said)}; separate them with a blank")
        return at + 1

    # -- entities ------------------------------------------------------------------------------------

    def _begin(self, tag: _Tag, line: int) -> None:
        if self._open:
            around = f"<{self._open.name}> of line {self._open.line}"
            self._problems.add(line, f"<{tag.name}> inside {around}: entities may not nest")
        mark = Mark(self._entities, f"{tag.name} {tag.attributes.get('TYPE', '').upper()}".strip())
        self._open = _Entity(tag.name, line, mark)
        self._entities += 1
        self._entity_has_words = False

    def _close(self, name: str, line: int, parts: WordParts, first: int) -> None:
        if self._open is None:
            self._problems.add(line, f"</{name}> closes nothing: there is no <{name}> before it")
            return
        if self._open.name != name:
            self._problems.add(line, f"</{name}> does not close <{self._open.name}> of line {self._open.line}")
        if not self._entity_has_words:
            parts.add_empty(first, self._open.line, self._passage, self._open.mark)
            self._boundary = first
        self._open = None

    def _refuse_open(self, line: int, where: str) -> None:
        """Report an entity that is open where it must be closed."""
        if self._open:
            name, begun, _ = self._open
            self._problems.add(begun, f"<{name}> is not closed before {where} (line {line}); close it with </{name}>")
            self._open = None

    # -- the transcript itself -----------------------------------------------------------------------

    def _structure(self, markup: str, tag: _Tag | None, line: int, parts: WordParts, first: int) -> None:
        if self._naming and not (tag and tag.name in _NAMES):
            self._problems.add(line, f"the document's name is not closed before {shown(markup)}; write </DOCNO>")
            self._naming = False
        if tag is None:
            if not markup.startswith(("<!", "<?")):
                self._problems.add(line, f"not a tag: {shown(markup)}")
        elif tag.name in _NAMES:
            self._naming = not tag.closing
        elif tag.name == "SEGMENT":
            self._end_segment(line, "the segment ends" if tag.closing else "a segment begins", parts, first)
            if not tag.closing:
                self._begin_segment(tag.attributes, line)
        elif tag.name == "DOC":
            self._end_segment(line, "the document ends", parts, first)
            if not tag.closing:
                self._documents += 1
                self._entities = self._segments = 0
                self._begin_passage(str(self._documents))
                self._named = tag.attributes.get("ID")
                if self._named:
                    self._begin_document(self._named, line)

    def _begin_document(self, name: str, line: int) -> None:
        self._refuse_repeated(self._document_names, f"document {name}", line)
        self._begin_passage(name)

    def _begin_passage(self, document: str) -> None:
        self._passage, self._segment_names = Passage(document), {}

    def _begin_segment(self, attributes: dict[str, str], line: int) -> None:
        self._segments += 1
        self._segment, self._has_words = line, False
        self._passage = Passage(
            self._passage.document,
            attributes.get("ID", str(self._segments)),
            self._time("S_time", attributes, line),
            self._time("E_time", attributes, line),
            attributes.get("SPEAKER"),
        )
        name = f"segment {self._passage.segment} of document {self._passage.document}"
        self._refuse_repeated(self._segment_names, name, line)

    def _time(self, name: str, attributes: dict[str, str], line: int) -> str | None:
        text = attributes.get(name.upper())
        if text and (fault := fault_of_time(name, text)):
            self._problems.add(line, *fault)
            return None
        return text

    def _refuse_repeated(self, begun: dict[str, int], name: str, line: int) -> None:
        """Report a repeated name: the words of both would be taken for one document or segment."""
        if name in begun:
            said = f"{name} is repeated; it is already at line {begun[name]}"
            self._problems.add(line, said, Code.REPEATED_KEY)
        begun.setdefault(name, line)

    def _end_segment(self, line: int, where: str, parts: WordParts, first: int) -> None:
        self._refuse_open(line, where)
        if self._segment is not None and not self._has_words:
            parts.add_empty(first, self._segment, self._passage, UNMARKED)
        self._segment = None
        self._passage = Passage(self._passage.document)

    def end(self, line: int, parts: WordParts, beginning: Block | None) -> None:
        """Report what is still open at the end of the file, and a file that is not SGML."""
        if beginning and beginning.data.strip() and not self._closed:
            name, looks = looks_like(line for _, line in beginning.lines())
            said = f"no closing tag, such as </DOC>, so this is not SGML; it looks like {looks}"
            said += f": read it as {self._problems.source}::{name}" if name else ""
            self._problems.add(beginning.first, said, Code.WRONG_FORMAT)
        self._end_segment(line, "the file ends", parts, parts.count)


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`."""
    transcript, plain = _Transcript(problems, "attached" in columns), PlainText(problems)
    before = line = 0  # rows so far; the last line
    beginning = None
    for block in read_blocks(path, problems.source):
        parts = WordParts(plain.text(block), block.first, problems)
        transcript.read(parts)
        beginning = beginning or block
        yield from parts.batches(before, columns)
        before, line = before + parts.rows, block.first + len(block.ends) - 1
    plain.end()
    parts = WordParts(b"", line, problems)
    transcript.end(line, parts, beginning)
    yield from parts.batches(before, columns)


FORMATS = (
    Format(
        name="sgml",
        about="a transcript: documents, segments with times and speakers, and entities in tags such as <ENAMEX TYPE=…>",
        suffixes=(".sgml", ".sgm"),
        read=read,
        quote=None,
        fills=(*Passage._fields[:-1], "number", "token", "tag", "entity", "attached"),
        whole="document",
    ),
)
