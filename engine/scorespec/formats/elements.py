"""The elements of an XML file: a parser that refuses DTDs, and for uniform lines a reader that is faster."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, NoReturn
from xml.parsers import expat

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.arrays import Ints, arrow_ints, arrow_texts
from scorespec.errors import Problems
from scorespec.formats import text
from scorespec.formats.base import Columns
from scorespec.formats.layout import Layout, Rows
from scorespec.formats.shapes import Shaped, find_shaped, shape_of
from scorespec.formats.text import read_chunks, shown


class _Run(NamedTuple):
    """Lines of a block, from one index up to another, of which each is a row: the line and number of the first."""

    begin: int
    end: int
    line: int
    element: int
    context: int


class _BrokenError(Exception):
    """Nothing more can be read: the problem has been told."""


class Reading:
    """A file being read: where in it the parser is, and the rows that were found since the last block."""

    def __init__(
        self, layouts: Collection[Layout], columns: Columns, problems: Problems, optional: Collection[str]
    ) -> None:
        self._layouts = {layout.root: layout for layout in layouts}
        self._wanted = [name for name in columns if name != "element"]
        self._optional = frozenset(optional)
        self._problems = problems
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartCdataSectionHandler = self._open_cdata
        self._parser.EndCdataSectionHandler = self._close_cdata
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.XmlDeclHandler = self._declaration
        self._names: dict[str, str] = {}  # of attributes of rows
        # Where the parser is. It is not given the lines that are read without it: `_passed` counts them.
        self._fed, self._passed = 0, 0
        self._newline, self._newline_line = -1, 0
        self._cdata = False
        self._utf8 = True
        self._path: list[str] = []
        self._skipping = 0
        self._characters_at = 0
        self._text: list[str] | None = None
        # What the elements around have.
        self._layout: Layout | None = None
        self._inside: dict[str, tuple[str, ...]] = {}
        self._required: set[str] = set()  # what a row must have
        self._root: dict[str, str] = {}
        self._groups: dict[str, int] = {}
        self._contexts: list[dict[str, str] | None] = []
        # The rows.
        self._count = 0
        self._row: dict[str, str] = {}
        self._info: dict[str, str] = {}
        self._begun = (0, 0)
        self._parsed: list[tuple[int, int, int, dict[str, str]]] = []  # line, element, context, fields

    def read(self, path: Path) -> Iterator[Rows]:
        """The rows of the file, block by block."""
        try:
            for data in _blocks(path, self._problems.source):
                block = self._begin(data)
                shaped = self._recognise(block)
                if shaped is None:
                    self._feed(block)
                else:
                    yield from self._read_lines(shaped)
                yield from self._take_parsed()
            self._feed(b"", last=True)
        except _BrokenError:
            pass  # what was read before is good for the checks of its rows
        yield from self._take_parsed()

    def other_names(self) -> list[str]:
        """The attributes of the rows read so far, and of the root, that no column of the layout is filled from."""
        if self._layout is None:
            return []
        used = {*self._layout.columns.values(), *self._layout.around.values(), *(self._layout.text or ())}
        return [name for name in self._names | self._root if name not in used]

    def _begin(self, block: bytes) -> bytes:
        """Give the parser the lines up to the root, so that it is known what the rows are; the others."""
        while block and self._layout is None:
            end = block.find(b"\n") + 1 or len(block)
            self._feed(block[:end])
            block = block[end:]
        return block

    # -- lines that need no parser -------------------------------------------------------------------

    def _recognise(self, block: bytes) -> Shaped | None:
        """The lines of a block, if there are any that can be read without the parser."""
        if not (self._layout and self._layout.group and self._utf8 and block.endswith(b"\n")):
            return None
        shape = shape_of(block, self._layout.row)
        if not shape or not self._required.issubset(shape.names):
            return None
        return find_shaped(block, shape)

    def _read_lines(self, shaped: Shaped) -> Iterator[Rows]:
        """The rows of those lines that need no parser; the parser gets the others, in their turn."""
        turns = np.flatnonzero(shaped.good[1:] != shaped.good[:-1]) + 1
        runs: list[_Run] = []
        try:
            for begin, end in pairwise([0, *turns.tolist(), len(shaped.good)]):
                runs += self._read_run(shaped, begin, end)
        except _BrokenError:
            yield from self._rows_of_runs(shaped, runs)
            raise
        yield from self._rows_of_runs(shaped, runs)

    def _read_run(self, shaped: Shaped, begin: int, end: int) -> list[_Run]:
        """Read some lines that either all have the shape or all have not; those that need no parser."""
        if not shaped.good[begin]:
            self._feed(shaped.text(begin, end))
            return []
        # Inside a comment, or where no row may be, the parser must say what a line means.
        while not self._between_rows():
            self._feed(shaped.text(begin, begin + 1))
            begin += 1
            if begin == end:
                return []
        run = _Run(begin, end, self._newline_line + 1 + self._passed, self._count + 1, len(self._contexts) - 1)
        self._passed += end - begin
        self._count += end - begin
        return [run] if self._contexts[-1] is not None else []

    def _between_rows(self) -> bool:
        """Whether the parser has understood all that it was given, and is where rows may be."""
        # The last line end it told of is the last byte, or the last two, that it has.
        return (
            self._newline >= self._fed - 2
            and not self._cdata
            and not self._skipping
            and len(self._path) == 2
            and self._layout is not None
        )

    def _rows_of_runs(self, shaped: Shaped, runs: list[_Run]) -> Iterator[Rows]:
        if not runs:
            return
        count = [run.end - run.begin for run in runs]
        at = _counted([run.begin for run in runs], count)
        line = _counted([run.line for run in runs], count)
        element = _counted([run.element for run in runs], count)
        context = np.repeat([run.context for run in runs], count)
        texts = {}
        for column in self._wanted:
            attribute = self._attribute(column)
            if attribute in shaped.shape.names:
                texts[column] = pc.ascii_trim_whitespace(shaped.column(attribute, at))
            elif (filled := self._from_around(column, context)) is not None:
                texts[column] = filled
        yield Rows(line, element, texts)

    # -- rows ----------------------------------------------------------------------------------------

    def _attribute(self, column: str) -> str:
        """The attribute of a row that fills a column; none has the name '' that a group's column gets."""
        assert self._layout is not None
        if self._layout.group_id and column == self._layout.group_id[0]:
            return ""
        return self._layout.columns.get(column, column)

    def _from_around(self, column: str, context: Ints) -> pa.StringArray | None:
        """A column as the elements around the rows have it, trimmed; None if they do not."""
        first = int(context[0])
        values = [(each or {}).get(column) for each in self._contexts[first : int(context[-1]) + 1]]
        if all(value is None for value in values):
            return None
        return pc.ascii_trim_whitespace(arrow_texts(values)).take(arrow_ints(context - first))

    def _take_parsed(self) -> Iterator[Rows]:
        """The rows that the parser found since the last time."""
        parsed, self._parsed = self._parsed, []
        if parsed and self._layout:
            context = np.array([each[2] for each in parsed], np.int64)
            texts = {}
            for column in self._wanted:
                attribute = self._attribute(column)
                values = [fields.get(attribute) for *_, fields in parsed]
                around = self._from_around(column, context)
                own = None if values.count(None) == len(values) else pc.ascii_trim_whitespace(arrow_texts(values))
                if own is not None and around is not None:
                    texts[column] = pc.coalesce(own, around)
                elif own is not None or around is not None:
                    texts[column] = around if own is None else own
            line, element = (np.array([each[at] for each in parsed], np.int64) for at in (0, 1))
            yield Rows(line, element, texts)
        del self._contexts[:-1]  # of those before no more rows will come

    # -- the parser ----------------------------------------------------------------------------------

    def _feed(self, data: bytes, last: bool = False) -> None:
        try:
            self._fed += len(data)
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            said = expat.ErrorString(error.code)
            self._refuse(f"not well-formed XML: {said} (column {error.offset + 1})", error.lineno + self._passed)

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber + self._passed

    def _refuse(self, message: str, line: int | None = None) -> NoReturn:
        """Say what is wrong, and read no further."""
        self._problems.add(line or self._line, message)
        raise _BrokenError

    def _doctype(self, *_: object) -> None:
        self._refuse("a document type (<!DOCTYPE …>) is not read, nor are entities expanded; remove it")

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        self._utf8 = encoding is None or encoding.lower() == "utf-8"

    def _open_cdata(self) -> None:
        self._cdata = True

    def _close_cdata(self) -> None:
        self._cdata = False

    def _characters(self, data: str) -> None:
        if data == "\n":
            self._newline, self._newline_line = self._parser.CurrentByteIndex, self._parser.CurrentLineNumber
        if self._text is not None:
            self._text.append(data)
        elif data.strip() and not self._skipping and self._characters_at != self._line:
            self._characters_at = self._line
            self._problems.add(self._line, f"text between the elements: {shown(data.strip())}")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._skipping:
            self._skipping += 1
        elif not self._path:
            self._open_root(tag, attributes)
        elif tag not in self._inside.get(self._path[-1], ()):
            wanted = " or ".join(f"<{each}>" for each in self._inside.get(self._path[-1], ()))
            self._problems.add(
                self._line, f"unexpected <{tag}> in <{self._path[-1]}>; expected {wanted or 'no element there'}"
            )
            self._skipping = 1
        else:
            self._path.append(tag)
            self._open(tag, attributes)

    def _open_root(self, tag: str, attributes: dict[str, str]) -> None:
        if tag not in self._layouts:
            wanted = " or ".join(f"<{root}>" for root in self._layouts)
            self._refuse(f"the file is a <{tag}>; expected {wanted}")
        self._path.append(tag)
        self._layout = self._layouts[tag]
        self._inside = self._layout.inside
        always = {**self._layout.columns, **({self._layout.text[0]: self._layout.text[0]} if self._layout.text else {})}
        self._required = {
            name for column, name in always.items() if column in self._wanted and column not in self._optional
        }
        if fault := self._layout.root_fault(attributes):
            self._problems.add(self._line, fault)
            attributes = {}
        self._root = attributes | {
            column: attributes[name] for column, name in self._layout.around.items() if name in attributes
        }
        self._contexts.append(self._root)

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element that may be where it is."""
        assert self._layout is not None
        if tag == self._layout.group and len(self._path) == 2:
            self._contexts.append(self._group(attributes))
        elif tag == self._layout.row:
            self._count += 1
            self._begun = (self._line, self._count)
            self._row = attributes
        elif tag == "attr":
            self._info = {}
        elif tag != self._layout.info:
            self._text = []

    def _group(self, attributes: dict[str, str]) -> dict[str, str] | None:
        """What the rows of a group get from around them; None if they cannot be told whose they are."""
        assert self._layout is not None
        if self._layout.group_id is None:
            return self._root | attributes
        column, name = self._layout.group_id
        found = attributes.get(name, "").strip()
        if not found:
            self._problems.add(self._line, f"<{self._layout.group}> has no attribute {name!r}")
            return None
        if found in self._groups:
            first = self._groups[found]
            self._problems.add(self._line, f"{name} {shown(found)} is listed a second time; it was at line {first}")
        self._groups.setdefault(found, self._line)
        return self._root | attributes | {column: found}

    def _end(self, tag: str) -> None:
        if self._skipping:
            self._skipping -= 1
            return
        self._path.pop()
        assert self._layout is not None
        if self._text is not None:
            self._close_text(tag, "".join(self._text).strip())
            self._text = None
        elif tag == self._layout.row:
            self._close_row()
        elif tag == "attr" and self._info.get("name"):
            self._row.setdefault(self._info["name"], self._info.get("value", ""))

    def _close_text(self, tag: str, said: str) -> None:
        assert self._layout is not None
        if self._path[-1] == "attr":
            self._info[tag] = said
        elif self._layout.text:
            column = self._layout.text[0]
            if column in self._row:
                self._problems.add(self._line, f"a second <{tag}> in <{self._layout.row}>")
            self._row[column] = said

    def _close_row(self) -> None:
        assert self._layout is not None
        line, element = self._begun
        row = self._row
        if not self._names.keys() >= row.keys():
            self._names |= row
        if not self._required <= row.keys():
            tag = self._layout.text[1] if self._layout.text else ""
            lacking = [
                f"<{tag}>" if self._layout.text and name == self._layout.text[0] else f"attribute {name!r}"
                for name in (*self._layout.columns.values(), *(self._layout.text or ())[:1])
                if name in self._required and name not in row
            ]
            self._problems.add(line, f"<{self._layout.row}> has no {', no '.join(lacking)}")
        elif self._contexts[-1] is not None:
            self._parsed.append((line, element, len(self._contexts) - 1, row))


def _counted(first: list[int], count: list[int]) -> Ints:
    """For each number, it and those after it, as many as its count."""
    begun = np.cumsum(count) - count
    return np.arange(sum(count), dtype=np.int64) + np.repeat(np.array(first, np.int64) - begun, count)


def _blocks(path: Path, source: str) -> Iterator[bytes]:
    """The bytes of a file, cut between lines, or anywhere in a line that is very long."""
    pending = b""
    for chunk in read_chunks(path, source):
        data = pending + chunk
        end = data.rfind(b"\n") + 1
        if not end and len(data) > text.MAX_LINE:
            end = len(data)
        if end:
            yield data[:end]
        pending = data[end:]
    if pending:
        yield pending
