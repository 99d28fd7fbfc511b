"""Rows of XML files of lists: uniform lines are read without a parser, everything else with expat."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Ints, arrow_ints, arrow_texts
from scorespec.errors import Code, Problems, nearest_only
from scorespec.formats.format import BLANKS, MAX_NAME, Columns, cut, record_batch, shown, whole_lines
from scorespec.formats.xml_lines import Shaped, find_shaped, shape_of
from scorespec.formats.xml_parser import MAX_DEPTH, MAX_NAMES, BrokenError, Parser

_hint = lru_cache(1000)(nearest_only)


@dataclass(frozen=True)
class XmlLayout:
    """The elements of a file: a root with rows, or with groups of rows.

    A column that is not named here is filled from the attribute of the same name, of the row or of an element around
    it; if rows have an element ``info``, also from a name and value in that element.
    """

    root: str
    row: str
    columns: Mapping[str, str]
    """The attribute of a row that fills each column; every row must have it."""
    group: tuple[str, str, str] | None = None
    """The element of a group, the column that it fills, and the attribute with its value, which is unique in a file."""
    unread: frozenset[str] = frozenset()
    """Attributes of any element that the format defines and that fill no column."""
    around: Mapping[str, str] = field(default_factory=dict)
    """The attribute of the root that fills each column, if the root has it."""
    text: tuple[str, str] | None = None
    """A column, and the element inside a row whose text fills it."""
    info: str | None = None
    """The element inside a row with further attributes, as ``<attr><name>…</name><value>…</value></attr>``."""
    passed_over: frozenset[str] = frozenset()
    """Elements inside a row that the format defines and that are not read."""
    root_fault: Callable[[Mapping[str, str]], str | None] = lambda attributes: None
    """The fault of the attributes of the root; None if there is none."""

    @property
    def filled(self) -> tuple[str, ...]:
        """The columns that have names of the format: those of a group and of a row, and the number of the row."""
        named = [self.group and self.group[1], *self.columns, self.text and self.text[0], *self.around, "element"]
        return tuple(filter(None, named))

    @property
    def inside(self) -> dict[str, tuple[str, ...]]:
        """The elements that each element may contain."""
        children = {self.row: tuple(each for each in (self.text and self.text[1], self.info) if each)}
        if self.group:
            children |= {self.root: self.group[:1], self.group[0]: (self.row,)}
        else:
            children[self.root] = (self.row,)
        if self.info:
            children |= {self.info: ("attr",), "attr": ("name", "value")}
        return children


@dataclass(frozen=True)
class XmlRows:
    """Some rows of a file: the line and the number of each, and its fields as text, by column."""

    line: Ints
    element: Ints
    texts: dict[str, pa.StringArray]


def read_xml(
    layouts: Collection[XmlLayout],
    path: Path,
    columns: Columns,
    problems: Problems,
    optional: Collection[str] = (),
    *,
    mend: Mapping[str, Callable[[pa.StringArray], pa.StringArray]] | None = None,
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; ``mend`` has functions that change the fields of a column before they are converted.

    A column ``element`` counts the rows of the file, from 1: a line may have several.
    """
    for rows in XmlReader(layouts, columns, problems, optional).read(path):
        yield from record_batch(
            rows.line,
            columns,
            problems,
            texts={name: mend[name](each) if mend and name in mend else each for name, each in rows.texts.items()},
            ready={"element": arrow_ints(rows.element)},
            optional=optional,
        )


def quote_xml(
    layouts: Collection[XmlLayout], path: Path, columns: Columns, lines: Collection[int]
) -> dict[int, dict[str, str]]:
    """The fields of the row on each of these lines, as they are written; lines with several rows are left out."""
    found: dict[int, dict[str, str]] = {}
    repeated: set[int] = set()
    last = max(lines, default=0)
    for rows in XmlReader(layouts, columns, Problems(str(path)), columns).read(path):
        for at in np.flatnonzero(np.isin(rows.line, list(lines))):
            line = int(rows.line[at])
            fields = {name: values[int(at)].as_py() for name, values in rows.texts.items()}
            if line in found:
                repeated.add(line)
            found[line] = {name: value for name, value in fields.items() if value is not None}
        if rows.line[-1] > last:
            break
    return {line: fields for line, fields in found.items() if line not in repeated}


def names_in_xml(path: Path, layouts: Collection[XmlLayout]) -> list[str]:
    """The columns that the rows of a file could fill besides those of its layout: the names of their attributes."""
    reading = XmlReader(layouts, {}, Problems(str(path)), ())
    for _ in reading.read(path):
        pass
    return reading.other_names()


class _Run(NamedTuple):
    """Consecutive lines of a block (``begin`` to ``end``) that are rows; ``line`` and ``element`` are of the first."""

    begin: int
    end: int
    line: int
    element: int
    context: int


class XmlReader:
    """The state of the reader: the position of the parser, and the rows that are not yet returned."""

    def __init__(
        self, layouts: Collection[XmlLayout], columns: Columns, problems: Problems, optional: Collection[str]
    ) -> None:
        self._layouts = {layout.root: layout for layout in layouts}
        self._wanted = [name for name in columns if name != "element"]
        self._optional = frozenset(optional)
        self._problems = problems
        self._parser = Parser(problems, self._start, self._end, self._between)
        self._names: dict[str, None] = {}  # of attributes of rows
        # The position of the parser.
        self._path: list[str] = []
        self._skipping = 0
        self._characters_at = 0
        # From the enclosing elements.
        self._layout = XmlLayout(root="", row="", columns={})  # until the root is read
        self._inside: dict[str, tuple[str, ...]] = {}
        self._required: list[str] = []  # attributes that every row must have
        self._known: frozenset[str] = frozenset()  # attributes that are read or defined by the format
        self._root: dict[str, str] = {}
        self._root_names: list[str] = []
        self._groups: dict[str, int] = {}  # the line of the first group of each name
        self._contexts: list[dict[str, str] | None] = []
        # The rows.
        self._count = 0
        self._row: dict[str, str] = {}
        self._info: dict[str, str] = {}
        self._begun = (0, 0)
        self._parsed: list[tuple[int, int, int, dict[str, str]]] = []  # line, element, context, fields

    def read(self, path: Path) -> Iterator[XmlRows]:
        """The rows of the file, block by block."""
        try:
            for data in whole_lines(path, self._problems.source):
                block = self._begin(data)
                shaped = self._recognise(block)
                if shaped is None:
                    self._parser.feed(block)
                else:
                    yield from self._read_lines(shaped)
                yield from self._take_parsed()
            self._parser.feed(b"", last=True)
        except BrokenError:
            pass  # the rows before the fault are still checked
        yield from self._take_parsed()

    def other_names(self) -> list[str]:
        """The attributes of the rows so far, and of the root, that fill no column of the layout."""
        if not self._layout.root:
            return []
        used = {*self._layout.columns.values(), *self._layout.around.values(), *(self._layout.text or ())}
        return [name for name in dict.fromkeys([*self._names, *self._root_names]) if name not in used]

    def _begin(self, block: bytes) -> bytes:
        """Parse the lines up to the root, which decides the layout; returns the rest of the block."""
        while block and not self._layout.root:
            end = block.find(b"\n") + 1 or len(block)
            self._parser.feed(block[:end])
            block = block[end:]
        return block

    # -- lines read without the parser ---------------------------------------------------------------

    def _recognise(self, block: bytes) -> Shaped | None:
        """The lines of a block, if some of them can be read without the parser; otherwise None."""
        if not (self._layout.group and self._parser.utf8 and block.endswith(b"\n")):
            return None
        shape = shape_of(block, self._layout.row)
        return find_shaped(block, shape) if shape and {*self._required} <= {*shape.names} else None

    def _read_lines(self, shaped: Shaped) -> Iterator[XmlRows]:
        """The rows of the shaped lines; the parser gets the other lines, in the order of the file."""
        changes = np.flatnonzero(shaped.good[1:] != shaped.good[:-1]) + 1
        runs: list[_Run] = []
        broken = None
        try:
            for begin, end in pairwise([0, *changes.tolist(), len(shaped.good)]):
                runs += self._read_run(shaped, begin, end)
        except BrokenError as error:
            broken = error
        if runs:
            yield self._rows_of_runs(shaped, runs)
        if broken:
            raise broken

    def _read_run(self, shaped: Shaped, begin: int, end: int) -> list[_Run]:
        """Read consecutive lines that all have the shape, or all have not; returns those that are rows."""
        if not shaped.good[begin]:
            self._parser.feed(shaped.text(begin, end))
            return []
        # Inside a comment, or where rows are not allowed, the parser decides what a line means. It gets twice as many
        # lines each time, because it parses an incomplete token again from its beginning.
        count = 1
        # Otherwise the parser has no incomplete token, and is at a place where rows are allowed.
        while not (self._parser.settled and not self._skipping and len(self._path) == 2):
            self._parser.feed(shaped.text(begin, min(begin + count, end)))
            begin, count = begin + count, 2 * count
            if begin >= end:
                return []
        run = _Run(begin, end, self._parser.next_line, self._count + 1, len(self._contexts) - 1)
        self._parser.passed += end - begin
        self._count += end - begin
        return [run] if self._contexts[-1] is not None else []

    def _rows_of_runs(self, shaped: Shaped, runs: list[_Run]) -> XmlRows:
        begin, end, *firsts, context = np.array(runs, np.int64).T
        count = end - begin
        nth = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)  # the number of a row in its run
        at, line, element = (np.repeat(first, count) + nth for first in (begin, *firsts))
        self._count_attributes(self._layout.row, shaped.shape.names, runs[0].line, len(at))

        def values(attribute: str) -> pa.StringArray | None:
            return shaped.column(attribute, at) if attribute in shaped.shape.names else None

        return XmlRows(line, element, self._texts(values, np.repeat(context, count)))

    # -- rows ----------------------------------------------------------------------------------------

    def _texts(self, values: Callable[[str], pa.StringArray | None], context: Ints) -> dict[str, pa.StringArray]:
        """The trimmed fields of rows by column: the values of their attributes, or those of the elements around."""
        texts = {}
        for column in self._wanted:
            # The column of a group has no attribute.
            is_group = self._layout.group and column == self._layout.group[1]
            of_rows = None if is_group else values(self._layout.columns.get(column, column))
            found = None if of_rows is None else pc.ascii_trim_whitespace(of_rows)
            around = self._from_around(column, context) if found is None or found.null_count else None
            if found is not None and around is not None:
                texts[column] = pc.coalesce(found, around)
            elif found is not None or around is not None:
                texts[column] = around if found is None else found
        return texts

    def _from_around(self, column: str, context: Ints) -> pa.StringArray | None:
        """The trimmed values of a column from the elements around the rows; None if these do not have it."""
        first = int(context[0])
        values = [(each or {}).get(column) for each in self._contexts[first : int(context[-1]) + 1]]
        if all(value is None for value in values):
            return None
        return pc.ascii_trim_whitespace(arrow_texts(values)).take(arrow_ints(context - first))

    def _take_parsed(self) -> Iterator[XmlRows]:
        """The rows that the parser has found since the last call."""
        parsed, self._parsed = self._parsed, []
        if parsed:
            *numbers, rows = zip(*parsed, strict=True)
            line, element, context = np.array(numbers, np.int64)

            def values(attribute: str) -> pa.StringArray | None:
                found = [row.get(attribute) for row in rows]
                return None if found.count(None) == len(found) else arrow_texts(found)

            yield XmlRows(line, element, self._texts(values, context))
        del self._contexts[:-1]  # no more rows of the earlier groups follow

    # -- events of the parser -------------------------------------------------------------------------

    def _between(self) -> None:
        """Count a line with text between the elements."""
        if not self._skipping and self._characters_at != self._parser.line:
            self._characters_at = self._parser.line
            self._problems.leave_out("line", "with text between the elements", self._parser.line)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._parser.bound_tag(tag, attributes)
        if self._skipping:
            self._skipping += 1
            if self._skipping > MAX_DEPTH:
                self._parser.refuse(f"more than {MAX_DEPTH:,} elements are inside of each other", code=Code.TOO_LONG)
        elif not self._path:
            self._open_root(tag, attributes)
        elif self._path[-1] == self._layout.row and tag in self._layout.passed_over:
            self._skipping = 1
        elif tag not in (expected := self._inside.get(self._path[-1], ())):
            self._skipping, which = 1, f"<{cut(tag, 60)}> in <{self._path[-1]}>"
            if self._parser.collecting:
                self._problems.add(self._parser.line, f"unexpected {which}; expected no element there")
            else:
                self._problems.leave_out("element", which, self._parser.line, hint=_hint(tag.lower(), expected))
        else:
            self._path.append(tag)
            self._open(tag, attributes)

    def _open_root(self, tag: str, attributes: dict[str, str]) -> None:
        if tag not in self._layouts:
            wanted = " or ".join(f"<{root}>" for root in self._layouts)
            self._parser.refuse(f"the file is a <{cut(tag, 60)}>; expected {wanted}", code=Code.WRONG_FORMAT)
        self._path.append(tag)
        self._layout = self._layouts[tag]
        self._inside = self._layout.inside
        always, around = dict(self._layout.columns), self._layout.around
        if self._layout.text:
            always[self._layout.text[0]] = self._layout.text[0]
        self._required = [
            name for column, name in always.items() if column in self._wanted and column not in self._optional
        ]
        of_group = (self._layout.group or ())[2:]
        self._known = frozenset((*always.values(), *around.values(), *of_group, *self._layout.unread, *self._wanted))
        if fault := self._layout.root_fault(attributes):
            self._problems.add(self._parser.line, fault)
            attributes = {}
        self._root_names = list(attributes)
        named = {column: attributes[name] for column, name in around.items() if name in attributes}
        self._root = self._around(tag, attributes | named)
        self._contexts.append(self._root)

    def _around(self, tag: str, attributes: dict[str, str]) -> dict[str, str]:
        """The columns that an element around the rows fills; counts its unknown attributes."""
        if not attributes.keys() <= self._known:
            self._count_attributes(tag, attributes, self._parser.line)
        found = {name: attributes[name] for name in self._wanted if name in attributes}
        for name, value in found.items():
            if len(value) > MAX_NAME:
                self._parser.refuse(f"{name} of <{tag}> has more than {MAX_NAME:,} characters", code=Code.TOO_LONG)
        return found

    def _count_attributes(self, tag: str, names: Collection[str], line: int, elements: int = 1) -> None:
        """Count the unknown attributes among ``names``, which ``elements`` elements have."""
        for name in names:
            if name not in self._known:
                which, hint = f"{shown(name)} of <{tag}>", _hint(name, self._known)
                self._problems.leave_out("attribute", which, line, elements, hint=hint)

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element at a place where it is allowed."""
        if self._layout.group and tag == self._layout.group[0]:
            self._contexts.append(self._group(attributes, *self._layout.group))
        elif tag == self._layout.row:
            self._count += 1
            self._begun = (self._parser.line, self._count)
            self._row = attributes
            self._parser.begin_row()
        elif tag == "attr":
            self._info = {}
        elif tag != self._layout.info:
            self._parser.collect()

    def _group(self, attributes: dict[str, str], tag: str, column: str, name: str) -> dict[str, str] | None:
        """The columns that the group and the root fill; None for a group without its identifying attribute."""
        around = self._around(tag, attributes)
        found = attributes.get(name, "").strip(BLANKS)
        if not found:
            self._problems.add(self._parser.line, f"<{tag}> has no attribute {name!r}", Code.MISSING_VALUE, column)
            return None
        if len(found) > MAX_NAME:
            self._parser.refuse(f"{name} of <{tag}> has more than {MAX_NAME:,} characters", code=Code.TOO_LONG)
        if found in self._groups:
            said = f"{name} {shown(found)} is listed a second time; it was at line {self._groups[found]}"
            self._problems.add(self._parser.line, said, Code.REPEATED_KEY)
        self._groups.setdefault(found, self._parser.line)
        return self._root | around | {column: found}

    def _end(self, tag: str) -> None:
        if self._skipping:
            self._skipping -= 1
            return
        self._path.pop()
        said = self._parser.collected()
        if said is not None and self._path[-1] == "attr":
            self._info[tag] = said
        elif said is not None and self._layout.text:
            column = self._layout.text[0]
            if column in self._row:
                self._problems.add(self._parser.line, f"a second <{tag}> in <{self._layout.row}>")
            self._row[column] = said
        elif tag == self._layout.row:
            self._close_row(self._row, *self._begun)
        elif tag == "attr" and self._info.get("name"):
            self._row.setdefault(self._info["name"], self._info.get("value", ""))

    def _close_row(self, row: dict[str, str], line: int, element: int) -> None:
        if not row.keys() <= self._known:
            self._count_attributes(self._layout.row, row.keys(), line)
            self._names |= dict.fromkeys(row)
            if len(self._names) > MAX_NAMES:
                self._parser.refuse(
                    f"more than {MAX_NAMES:,} names of attributes; is this the right file?", code=Code.TOO_LONG
                )
        if lacking := [name for name in self._required if name not in row]:
            column, tag = self._layout.text or ("", "")
            each = (f"<{tag}>" if name == column else f"attribute {name!r}" for name in lacking)
            self._problems.add(line, f"<{self._layout.row}> has no {', no '.join(each)}", Code.MISSING_VALUE)
        elif self._contexts[-1] is not None:
            self._parsed.append((line, element, len(self._contexts) - 1, row))
