"""``.sgml``: a transcript with tagged entities, in segments that have times and speakers.

The elements of a transcript are known (``_STRUCTURE``) and removed; any other element is the tag of an entity, so that
a table of tags can have any. A tag belongs to words, not to characters: an opening one to the next, a closing one to
the last.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from scorespec.errors import Problems
from scorespec.formats.base import Columns, Format
from scorespec.formats.text import read_blocks, shown
from scorespec.formats.wording import UNMARKED, Mark, Passage, Tokens

_STRUCTURE = frozenset(
    ("BACKGROUND", "BODY", "DOC", "EPISODE", "EXPAND", "FOREIGN", "NOISE", "OVERLAP", "RECORDING", "SECTION", "SEGMENT",
     "SYNC", "TEXT", "TIME", "TRANS", "TURN", "UNCLEAR", "UTF")
)  # fmt: skip
_NAMES = frozenset(("DOCNO", "DOCID"))  # their text names the document
_KNOWN = _STRUCTURE | _NAMES
_SIGNS = re.compile(r"[<>&{}\[\]]")  # what may make a line more than words
_MARKUP = re.compile(r"(<[^<>]*>)")
_TAG = re.compile(r"<\s*(/?)\s*([A-Za-z][\w.-]*)([^<>]*?)/?\s*>")
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w.-]*)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
_NOISE = re.compile(r"\[\[.*?\]\]|\[[^][]*\]|\{[^{}]*\}")
_STRAY = re.compile(r"[][{}]")
_HYPHENS = "-‐‑–—"  # a tag beside one parts two words

_Said = list[tuple[list[str], Mark]]  # words of a line, as many together as have a mark in common


class _Tag(NamedTuple):
    name: str
    closing: bool
    attributes: dict[str, str]


class _Entity(NamedTuple):
    name: str
    line: int
    mark: Mark


@lru_cache(1000)
def _parsed(markup: str) -> _Tag | None:
    """A tag, its names in capitals; quotes around values are optional. None for what is no tag."""
    found = _TAG.fullmatch(markup)
    if found is None:
        return None
    attributes = {name.upper(): html.unescape(value.strip("\"'")) for name, value in _ATTRIBUTE.findall(found[3])}
    return _Tag(found[2].upper(), bool(found[1]), attributes)


class _Transcript:
    """Where in a file the reader is."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self.tokens = Tokens()
        self._documents = self._segments = self._entities = 0
        self._passage = Passage("1")
        self._named: str | None = None  # what the tag of the document calls it
        self._naming = False  # inside an element of _NAMES
        # The lines of documents and, as no document comes again, of the segments of this one alone.
        self._begun: dict[str, int] = {}
        self._begun_here: dict[str, int] = {}
        self._comment: int | None = None  # the line of an open comment
        self._segment: int | None = None  # the line of an open segment
        self._said = True  # whether it has words
        self._open: _Entity | None = None
        self._filled = False  # whether it has words

    def read(self, line: str, number: int) -> None:
        """One line of the file."""
        if self._comment is None and not self._naming and not _SIGNS.search(line):
            said: _Said = []
            self._collect(line, False, said, number)
            self._flush(said, number)
            return
        if self._comment is not None or "<!--" in line:
            line = self._without_comments(line, number)
        if "[" in line or "{" in line:
            line = _NOISE.sub(" ", line)
        if stray := _STRAY.search(line):
            self._problems.add(number, f"{stray[0]!r} without its counterpart on the line: {shown(line.strip())}")
        self._read_parts(_MARKUP.split(line), number)

    def _without_comments(self, line: str, number: int) -> str:
        """The line without what is in ``<!-- -->``, which may begin or end on another line."""
        kept = []
        while line:
            if self._comment is not None:
                _, end, line = line.partition("-->")
                self._comment = None if end else self._comment
            else:
                before, begin, line = line.partition("<!--")
                kept.append(before)
                self._comment = number if begin else None
        return " ".join(kept)

    def _read_parts(self, parts: list[str], number: int) -> None:
        """Text and markup by turns. A word that tags stand in stays one word."""
        said: _Said = []
        glued = False
        for at, part in enumerate(parts):
            if at % 2:
                tag = _parsed(part)
                if tag is None or tag.name in _KNOWN:
                    self._flush(said, number)
                    self._structure(part, tag, number)
                    glued = False
                elif tag.closing:
                    self._close(tag.name, number, said)
                else:
                    self._begin(tag, number)
            elif part:
                if "<" in part or ">" in part:
                    self._problems.add(number, f"a tag is not closed on its line: {shown(part.strip())}")
                glued = self._collect(html.unescape(part) if "&" in part else part, glued, said, number)
        self._flush(said, number)

    def _collect(self, text: str, glued: bool, said: _Said, number: int) -> bool:
        """Add the words of a text; whether its last may go on behind a tag."""
        found = text.split()
        if self._naming:
            if found:
                name = " ".join(found)
                if name != self._named:
                    self._begin_document(name, number)
                self._named = None
            return False
        if not found:
            return False
        mark = self._open.mark if self._open else UNMARKED
        self._filled = True
        if (
            glued
            and said
            and not text[0].isspace()
            and not (found[0][0] in _HYPHENS or said[-1][0][-1][-1] in _HYPHENS)
        ):
            self._join(found.pop(0), mark, said, number)
        if found:
            said.append((found, mark))
        return not text[-1].isspace()

    def _join(self, end: str, mark: Mark, said: _Said, number: int) -> None:
        """Make the last word longer: what is inside of the tag decides which entity it is in."""
        words, other = said[-1]
        word = words.pop() + end
        if other is UNMARKED:
            said.append(([word], mark))
            return
        if mark is not UNMARKED and mark is not other:
            self._problems.add(number, f"two entities in the word {shown(word)}; part them with a blank")
        words.append(word)

    def _flush(self, said: _Said, number: int) -> None:
        """Hand the words on."""
        for words, mark in said:
            self._said = True
            self.tokens.add(words, number, self._passage, mark)
        said.clear()

    # -- entities ------------------------------------------------------------------------------------

    def _begin(self, tag: _Tag, number: int) -> None:
        if self._open:
            around = f"<{self._open.name}> of line {self._open.line}"
            self._problems.add(number, f"<{tag.name}> inside {around}: entities may not nest")
        mark = Mark(self._entities, f"{tag.name} {tag.attributes.get('TYPE', '').upper()}".strip())
        self._open = _Entity(tag.name, number, mark)
        self._entities += 1
        self._filled = False

    def _close(self, name: str, number: int, said: _Said) -> None:
        if self._open is None:
            self._problems.add(number, f"</{name}> closes nothing: there is no <{name}> before it")
            return
        if self._open.name != name:
            self._problems.add(number, f"</{name}> does not close <{self._open.name}> of line {self._open.line}")
        if not self._filled:
            self._flush(said, number)
            self.tokens.add([None], self._open.line, self._passage, self._open.mark)
        self._open = None

    def _refuse_open(self, number: int, where: str) -> None:
        """An entity that is open where none may be."""
        if self._open:
            name, line, _ = self._open
            self._problems.add(line, f"<{name}> is not closed before {where} (line {number}); close it with </{name}>")
            self._open = None

    # -- the transcript itself -----------------------------------------------------------------------

    def _structure(self, markup: str, tag: _Tag | None, number: int) -> None:
        if self._naming and not (tag and tag.name in _NAMES):
            self._problems.add(number, f"the document's name is not closed before {shown(markup)}; write </DOCNO>")
            self._naming = False
        if tag is None:
            if not markup.startswith(("<!", "<?")):
                self._problems.add(number, f"not a tag: {shown(markup)}")
        elif tag.name in _NAMES:
            self._naming = not tag.closing
        elif tag.name == "SEGMENT":
            self._end_segment(number, "the segment ends" if tag.closing else "a segment begins")
            if not tag.closing:
                self._begin_segment(tag.attributes, number)
        elif tag.name == "DOC":
            self._end_segment(number, "the document ends")
            if not tag.closing:
                self._documents += 1
                self._entities = self._segments = 0
                self._passage, self._begun_here = Passage(str(self._documents)), {}
                self._named = tag.attributes.get("ID")
                if self._named:
                    self._begin_document(self._named, number)

    def _begin_document(self, name: str, number: int) -> None:
        self._refuse_again(f"document {name}", self._begun, number)
        self._passage, self._begun_here = Passage(name), {}

    def _begin_segment(self, attributes: dict[str, str], number: int) -> None:
        self._segments += 1
        self._segment, self._said = number, False
        self._passage = Passage(
            self._passage.document,
            attributes.get("ID", str(self._segments)),
            attributes.get("S_TIME"),
            attributes.get("E_TIME"),
            attributes.get("SPEAKER"),
        )
        what = f"segment {self._passage.segment} of document {self._passage.document}"
        self._refuse_again(what, self._begun_here, number)

    def _refuse_again(self, what: str, begun: dict[str, int], number: int) -> None:
        """What has the name of another: its words would be taken for more of that."""
        if what in begun:
            self._problems.add(number, f"{what} again; it is at line {begun[what]} already")
        begun.setdefault(what, number)

    def _end_segment(self, number: int, where: str) -> None:
        self._refuse_open(number, where)
        if self._segment is not None and not self._said:
            self.tokens.add([None], self._segment, self._passage)
        self._segment = None
        self._passage = Passage(self._passage.document)

    def end(self, number: int) -> None:
        """The file is read: what is still open?"""
        self._end_segment(number, "the file ends")
        if self._comment is not None:
            self._problems.add(self._comment, "a comment is not closed: --> is missing")


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.base.Reader`."""
    transcript = _Transcript(problems)
    number = 0
    for block in read_blocks(path, problems.source):
        for number, line in enumerate(block.data.decode().split("\n")[:-1], block.first):
            transcript.read(line, number)
        yield from transcript.tokens.batches(columns, problems)
    transcript.end(number)
    yield from transcript.tokens.batches(columns, problems)


SGML = Format(
    name="sgml",
    about="a transcript: documents, segments with times and speakers, and entities in tags such as <ENAMEX TYPE=…>",
    suffixes=(".sgml", ".sgm"),
    read=read,
    quote=None,
)
