"""The XML parser expat with limits: no document types, and bounded tokens, names and depth."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NoReturn
from xml.parsers import expat

from scorespec.errors import Code, Problems
from scorespec.formats.format import BLANKS, shown

MAX_TOKEN = 1 << 20
"""The most bytes of a tag, a comment or another token: expat keeps a whole token in memory."""

MAX_NAMES = 10_000
"""The most names of elements and attributes: expat keeps each until the end of the file."""

MAX_DEPTH = 1000
"""The greatest depth of nested elements."""

_ENCODINGS = ("utf-8", "utf-16", "iso-8859-1", "us-ascii")  # of expat itself


class BrokenError(Exception):
    """The file cannot be read further; the problem is reported already."""


class Parser:
    """Parses a file in chunks. ``passed`` counts the lines that are read without the parser."""

    def __init__(
        self,
        problems: Problems,
        start: Callable[[str, dict[str, str]], None],
        end: Callable[[str], None],
        between: Callable[[], None],
    ) -> None:
        """``between`` is called for text that is not collected."""
        self._problems = problems
        self._between = between
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = start
        self._parser.EndElementHandler = end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartCdataSectionHandler = partial(self._in_cdata, True)
        self._parser.EndCdataSectionHandler = partial(self._in_cdata, False)
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.XmlDeclHandler = self._declaration
        self._parser.CommentHandler = self._bound
        self._parser.ProcessingInstructionHandler = self._bound
        self._fed = 0
        self.passed = 0
        self._newline, self._newline_line = -1, 0
        self._cdata = False
        # Whether the last chunk, or this one together with it, may have a tag that is too long.
        self._far = self._long = False
        self._text: list[str] | None = None
        self._size = 0  # of the collected text
        self.utf8 = True

    def feed(self, data: bytes, last: bool = False) -> None:
        """Parse the next bytes. Raises :class:`BrokenError` for what cannot be parsed."""
        self._fed += len(data)
        far, self._far = self._far, _is_far(data)
        self._long = far or self._far
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            said = expat.ErrorString(error.code)
            self.refuse(f"not well-formed XML: {said} (column {error.offset + 1})", error.lineno + self.passed)
        if self._fed - self._parser.CurrentByteIndex > MAX_TOKEN:
            self._refuse_long()
        if len(self._parser.intern) > MAX_NAMES:
            said = f"more than {MAX_NAMES:,} names of elements and attributes; is this the right file?"
            self.refuse(said, code=Code.TOO_LONG)

    @property
    def line(self) -> int:
        """The line of the current token."""
        return self._parser.CurrentLineNumber + self.passed

    @property
    def next_line(self) -> int:
        """The line after the last line end that was parsed as text."""
        return self._newline_line + 1 + self.passed

    @property
    def settled(self) -> bool:
        """Whether everything so far is parsed, and ends with a line end between elements."""
        # The last line end that expat reported is the last byte, or the last two bytes.
        return self._newline >= self._fed - 2 and not self._cdata

    def refuse(self, message: str, line: int | None = None, code: Code = Code.MALFORMED) -> NoReturn:
        """Report a problem, and stop reading."""
        self._problems.add(line or self.line, message, code)
        raise BrokenError

    def _bound(self, *texts: str) -> None:
        if max(map(len, texts)) > MAX_TOKEN:
            self._refuse_long()

    def bound_tag(self, tag: str, attributes: dict[str, str]) -> None:
        """Refuse a tag that is too long."""
        if self._long:
            self._bound(tag, *attributes, *attributes.values())

    def collect(self) -> None:
        """Collect text from here on."""
        self._text = []

    @property
    def collecting(self) -> bool:
        """Whether text is collected."""
        return self._text is not None

    def collected(self) -> str | None:
        """Stop collecting; the text without surrounding blanks, None if no text was collected."""
        text, self._text = self._text, None
        return None if text is None else "".join(text).strip(BLANKS)

    def begin_row(self) -> None:
        """Begin to count the characters in the texts of a new row."""
        self._size = 0

    def _refuse_long(self) -> NoReturn:
        said = f"a tag, a text or a comment is longer than {MAX_TOKEN:,} bytes; is this the right file?"
        self.refuse(said, code=Code.TOO_LONG)

    def _doctype(self, *_: object) -> None:
        self.refuse("a document type (<!DOCTYPE …>) is not read, nor are entities expanded; remove it")

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        self.utf8 = encoding is None or encoding.lower() == "utf-8"
        if encoding is None or encoding.lower() in _ENCODINGS:
            return
        try:  # as Python tells expat
            single = len(bytes(range(256)).decode(encoding, "replace")) == 256
        except (LookupError, ValueError):
            single = False
        if not single:
            self.refuse(
                f"the encoding {shown(encoding)} is not read; write the file in UTF-8 (UTF-16 and encodings of one "
                "byte a character are read too)",
                code=Code.NOT_TEXT,
            )

    def _in_cdata(self, inside: bool) -> None:
        self._cdata = inside

    def _characters(self, data: str) -> None:
        if data == "\n":
            self._newline, self._newline_line = self._parser.CurrentByteIndex, self._parser.CurrentLineNumber
        if self._text is not None:
            self._text.append(data)
            self._size += len(data)
            if self._size > MAX_TOKEN:
                self.refuse(f"the texts of a row have more than {MAX_TOKEN:,} characters", code=Code.TOO_LONG)
        elif data.strip(BLANKS):
            self._between()


def _is_far(data: bytes) -> bool:
    """Whether a tag that is too long may lie in some bytes, begin or end there: it contains no other ``<``."""
    step = MAX_TOKEN // 4
    return any(data.find(b"<", at, at + step) < 0 for at in range(0, len(data) - step, step))
