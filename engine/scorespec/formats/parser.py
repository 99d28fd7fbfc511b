"""expat, bounded: without document types, and with tokens, names and depths that cannot fill the memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn
from xml.parsers import expat

from scorespec.errors import Problems
from scorespec.formats.text import shown

MAX_TOKEN = 1 << 20
"""The longest tag, comment or the like, in bytes: expat holds each whole."""

MAX_NAMES = 10_000
"""The most names of elements and attributes: expat holds each to the end of the file."""

MAX_DEPTH = 1000
"""The most elements that are inside of each other."""

_ENCODINGS = ("utf-8", "utf-16", "iso-8859-1", "us-ascii")  # expat's own


class BrokenError(Exception):
    """Nothing more can be read: the problem has been told."""


class Parser:
    """Parses pieces of a file. It is not given the lines that are read without it: ``passed`` counts them."""

    def __init__(
        self,
        problems: Problems,
        start: Callable[[str, dict[str, str]], None],
        end: Callable[[str], None],
        characters: Callable[[str], None],
    ) -> None:
        self._problems = problems
        self._given_characters = characters
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = start
        self._parser.EndElementHandler = end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartCdataSectionHandler = self._open_cdata
        self._parser.EndCdataSectionHandler = self._close_cdata
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.XmlDeclHandler = self._declaration
        self._parser.CommentHandler = self.bound
        self._parser.ProcessingInstructionHandler = self.bound
        self._fed = 0
        self.passed = 0
        self._newline, self._newline_line = -1, 0
        self._cdata = False
        self.utf8 = True

    def feed(self, data: bytes, last: bool = False) -> None:
        """Parse the next bytes. Raises :class:`BrokenError` for what cannot be parsed."""
        self._fed += len(data)
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            said = expat.ErrorString(error.code)
            self.refuse(f"not well-formed XML: {said} (column {error.offset + 1})", error.lineno + self.passed)
        if self._fed - self._parser.CurrentByteIndex > MAX_TOKEN:
            self._refuse_long()
        if len(self._parser.intern) > MAX_NAMES:
            self.refuse(f"more than {MAX_NAMES:,} names of elements and attributes; is this the right file?")

    @property
    def line(self) -> int:
        """The line of what is being parsed."""
        return self._parser.CurrentLineNumber + self.passed

    @property
    def next_line(self) -> int:
        """The line after the last line end that was parsed as text."""
        return self._newline_line + 1 + self.passed

    @property
    def settled(self) -> bool:
        """Whether all that was given has been parsed, and ended with a line end between elements."""
        # The last line end it told of is the last byte, or the last two, that it has.
        return self._newline >= self._fed - 2 and not self._cdata

    def refuse(self, message: str, line: int | None = None) -> NoReturn:
        """Say what is wrong, and read no further."""
        self._problems.add(line or self.line, message)
        raise BrokenError

    def bound(self, *texts: str) -> None:
        """Refuse a token with a text that is too long."""
        if max(map(len, texts), default=0) > MAX_TOKEN:
            self._refuse_long()

    def _refuse_long(self) -> NoReturn:
        self.refuse(f"a tag, a text or a comment is longer than {MAX_TOKEN:,} bytes; is this the right file?")

    def _doctype(self, *_: object) -> None:
        self.refuse("a document type (<!DOCTYPE …>) is not read, nor are entities expanded; remove it")

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        self.utf8 = encoding is None or encoding.lower() == "utf-8"
        if encoding is None or encoding.lower() in _ENCODINGS:
            return
        try:  # as expat is told by Python
            single = len(bytes(range(256)).decode(encoding, "replace")) == 256
        except (LookupError, ValueError):
            single = False
        if not single:
            self.refuse(
                f"the encoding {shown(encoding)} is not read; write the file in UTF-8 (UTF-16 and encodings of one "
                "byte a character are read too)"
            )

    def _open_cdata(self) -> None:
        self._cdata = True

    def _close_cdata(self) -> None:
        self._cdata = False

    def _characters(self, data: str) -> None:
        if data == "\n":
            self._newline, self._newline_line = self._parser.CurrentByteIndex, self._parser.CurrentLineNumber
        self._given_characters(data)
