"""A file format, and what readers of text share: blocks of whole lines, fields, and their conversion.

A format has its name and suffixes, a function that reads a file, and one that quotes lines of a file.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import IO, Protocol, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Bytes, Ints, Mask, arrow_ints, arrow_text, arrow_texts, null_where, numpy_mask
from scorespec.errors import SHOWN_PROBLEMS, Code, Problems, bad_input

Columns = Mapping[str, pa.DataType]
"""A table's columns in their declared order; their types are string, float64, int64 or bool."""

Quote = Callable[[Path, Columns, Collection[int]], dict[int, dict[str, str]]]
"""``quote(path, columns, lines)``: the fields of these lines as they are written, by line and column.

For messages about values only: it reads the file again, up to the largest of the lines.
"""


class Reader(Protocol):
    """Reads one file as a stream of record batches."""

    def __call__(
        self, path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
    ) -> Iterator[pa.RecordBatch]:
        """Yield the good rows of ``path`` as batches; add a problem for every bad one to ``problems``.

        A batch has the columns ``line`` (int64, counted from 1), then those of ``columns`` in their
        order (null where the file has no such column), then ``group_line`` (int64) if the format
        groups its rows. There are no batches of 0 rows.

        ``optional`` names the columns that a file with a header may leave out, and in which an
        empty field is null.

        Raises :class:`~scorespec.errors.InputError` for a file that cannot be read as text at all.
        """


@dataclass(frozen=True)
class Format:
    """A file format. ``read`` is None where the engine reads the file by other means.

    Without ``quote``, messages show the values that were read, and not how the file writes them.
    """

    name: str
    about: str
    suffixes: tuple[str, ...]
    read: Reader | None
    quote: Quote | None = None
    #: The columns that a file fills under names of the format, if the table has them.
    fills: tuple[str, ...] = ()
    #: Which other columns a file fills, such as those of its header; '' for none.
    others: str = ""
    #: The columns that a file could fill besides those it always fills; None if the reader cannot list them.
    names: Callable[[Path], list[str]] | None = None
    #: The column filled from the header above a row; batches then have ``group_line``, the line of that header.
    group: str | None = None
    #: Whether a second header of the same name continues that group; otherwise it is a fault.
    group_goes_on: bool = False
    #: The name of the system that a file states, such as the attribute `system_id`; None if it states none.
    system: Callable[[Path], str | None] | None = None
    #: What may be written in brackets after the format, for the reader.
    options: tuple[str, ...] = ()
    #: A column. All rows with one value of it must be in one file, because numbering restarts in each file.
    whole: str | None = None

    def leaves_empty(self, column: str) -> bool:
        """Whether no file fills a column; False for a format that does not say which columns it fills."""
        return bool(self.fills) and not self.others and column not in self.fills


PARQUET = Format(
    name="parquet",
    about="a Parquet file with the columns of the table; read by DuckDB itself",
    suffixes=(".parquet",),
    read=None,
    quote=None,
    others="those of the file",
)
DUCKDB = Format(
    name="duckdb",
    about="a table or view of a DuckDB file, with the columns of the table; wherever parquet is read",
    suffixes=(".duckdb",),
    read=None,
    quote=None,
    others="those of its table or view",
)


BLOCK_BYTES = 2 << 20
"""The bytes of text that are read at once. Of 1, 2, 4 and 8 MB this was the fastest: larger blocks do not fit into the
caches of the processor."""

MAX_LINE = 1 << 20
"""The most bytes of a line: without a limit, a file without line ends would be in memory as a whole."""

BLANKS = " \t\n\v\f\r"
"""The characters that separate words and fields in every text format: ASCII white space, as in C's ``isspace`` and so
in NIST's tools. Other white space, such as a no-break space, is a part of a word."""

BOM = b"\xef\xbb\xbf"
_WORD = re.compile(f"[^{BLANKS}]+")


@dataclass(frozen=True)
class Block:
    """Some whole lines of a file, each ended by one ``\\n``; valid UTF-8."""

    data: bytes
    first: int
    """The number of the first line, counted from 1."""
    ends: Ints
    """The position in ``data`` of the ``\\n`` of each line."""

    @property
    def bytes(self) -> Bytes:
        """The text as an array of bytes."""
        return np.frombuffer(self.data, np.uint8)

    @cached_property
    def starts(self) -> Ints:
        """The position in ``data`` where each line begins."""
        return np.concatenate((np.zeros(1, np.int64), self.ends[:-1] + 1))

    def lines(self) -> Iterator[tuple[int, str]]:
        """Each line with its number."""
        return enumerate(self.data.decode().split("\n")[:-1], self.first)

    @cached_property
    def split(self) -> Callable[[str], list[str]]:
        """Splits a line of the block at :data:`BLANKS`."""
        # str.split is faster, but also splits at other characters, four of them in ASCII.
        plain = self.data.isascii() and not ((self.bytes >= 0x1C) & (self.bytes <= 0x1F)).any()
        return str.split if plain else _WORD.findall

    def filled(self) -> Mask:
        """Which lines are not blank."""
        return cast(Mask, np.logical_or.reduceat(~blanks(self.bytes), self.starts))

    def text(self, at: int) -> str:
        """The line at this index of the block, from 0."""
        return self.data[self.starts[at] : self.ends[at]].decode()


def blanks(text: Bytes) -> Mask:
    """Which bytes are ASCII white space: the blank, and the five from tab to carriage return."""
    # For bytes below 9 the difference wraps around to a large number: one comparison checks both ends.
    return cast(Mask, (text == 32) | ((text - np.uint8(9)) < 5))


def cut(text: str, most: int) -> str:
    """The text, or its beginning if it has more than ``most`` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def shown(text: str) -> str:
    """A part of a file, cut and quoted for a message."""
    return repr(cut(text, 60))


def read_blocks(path: Path, source: str) -> Iterator[Block]:
    """The lines of a file, in blocks of about :data:`BLOCK_BYTES`; ``source`` names it in errors.

    A line ends with ``\\n``, ``\\r\\n`` or ``\\r``; the last one need not. A name that ends in ``.gz`` is
    unpacked. Raises :class:`InputError` if the file cannot be read, or is not UTF-8 text.
    """
    first = 1
    for data in whole_lines(path, source):
        # A byte order mark would become a part of the first name.
        text = _unify(data.removeprefix(BOM) if first == 1 else data)
        ends = np.flatnonzero(np.frombuffer(text, np.uint8) == 10)
        if not len(ends):  # nothing but a byte order mark
            continue
        block = Block(text, first, ends)
        _check(block, source)
        yield block
        first += len(ends)


def read_lines(path: Path, source: str, wanted: Collection[int]) -> Iterator[tuple[int, str]]:
    """The wanted lines with their numbers, in the order of the file; reads no further than the last."""
    left = sorted(set(wanted), reverse=True)
    if not left:
        return
    for block in read_blocks(path, source):
        while left and left[-1] < block.first + len(block.ends):
            line = left.pop()
            yield line, block.text(line - block.first)
        if not left:
            return


def whole_lines(path: Path, source: str) -> Iterator[bytes]:
    """The unpacked bytes of a file in blocks of whole lines; a very long line is divided.

    Raises :class:`InputError` if the file cannot be read.
    """
    pending = b""
    for chunk in _chunks(path, source):
        data = pending + chunk
        # A final '\r' is left for the next block, which may begin with its '\n'.
        end = data.rfind(b"\n") + 1 or data.rstrip(b"\r").rfind(b"\r") + 1
        if not end and len(data) > MAX_LINE:
            end = len(data)
        if end:
            yield data[:end]
        pending = data[end:]
    if pending:
        yield pending


def _chunks(path: Path, source: str) -> Iterator[bytes]:
    """The unpacked bytes of a file, :data:`BLOCK_BYTES` at a time."""
    is_packed = path.suffix.lower() == ".gz"
    try:
        with (
            path.open("rb", buffering=0) as packed,
            cast(IO[bytes], gzip.open(packed) if is_packed else packed) as file,
        ):
            while chunk := file.read(BLOCK_BYTES):
                yield chunk
    except FileNotFoundError:
        raise bad_input(source, "no such file", code=Code.NO_FILE) from None
    except IsADirectoryError:
        raise bad_input(source, "is a folder, not a file", code=Code.NO_FILE) from None
    except EOFError:
        raise bad_input(source, "ends in the middle of its gzip data: is it complete?") from None
    except (gzip.BadGzipFile, zlib.error) as fault:
        with path.open("rb") as file:
            is_packed = file.read(2) == b"\x1f\x8b"
        damaged = f"is damaged: its gzip data cannot be unpacked ({fault})"
        raise bad_input(source, damaged if is_packed else "is not gzip data, though its name ends in .gz") from None
    except OSError as fault:
        raise bad_input(source, f"cannot be read: {(fault.strerror or str(fault)).lower()}") from None


def _unify(data: bytes) -> bytes:
    """The same lines, each ended by one ``\\n``."""
    if b"\r" in data:
        # A file that was converted twice has '\r\r\n'; read as two line ends it would be a blank line, which has a
        # meaning in some formats.
        while b"\r\r\n" in data:
            data = data.replace(b"\r\r\n", b"\r\n")
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data if not data or data.endswith(b"\n") else data + b"\n"


def _check(block: Block, source: str) -> None:
    """Raise :class:`InputError` unless the block is UTF-8 text with lines of limited length."""
    nul = block.data.find(b"\0")
    if nul >= 0:
        where = f"byte 0x00 at line {_line_of(nul, block)}"
        said = f"not a text file ({where}); is it binary, or compressed without .gz?"
        raise bad_input(source, said, code=Code.NOT_TEXT)
    long = block.ends - block.starts > MAX_LINE
    if long.any():
        line = block.first + int(np.argmax(long))
        said = f"line {line} is longer than {MAX_LINE:,} bytes; is this the right file?"
        raise bad_input(source, said, code=Code.TOO_LONG)
    if not block.data.isascii():
        try:
            block.data.decode()
        except UnicodeDecodeError as fault:
            said = f"line {_line_of(fault.start, block)} is not UTF-8 text"
            raise bad_input(source, said, code=Code.NOT_TEXT) from None


def _line_of(byte: int, block: Block) -> int:
    """The line of a byte of the block."""
    return block.first + block.data.count(b"\n", 0, byte)


MAX_NAME = 1000
"""The maximum number of bytes of a name that is once in a file and applies to many rows: each row gets a copy."""

_MOST, _NONE = (arrow_ints(np.array([each]))[0].cast(pa.int32()) for each in (MAX_NAME, 0))

_NUMBER = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"
_NOT_FINITE = r"^[+-]?(?i:nan|inf|infinity)$"
# 18 digits always fit 64 bits.
_WHOLE = r"^[+-]?0*[0-9]{1,18}$"

TRUTH_VALUES = {
    True: ("true", "t", "yes", "y", "1", "1.0", "target", "tgt", "tar", "genuine", "bonafide"),
    False: ("false", "f", "no", "n", "0", "0.0", "nontarget", "non", "imp", "impostor", "spoof"),
}
"""How true and false are written, in any case, in every format. Trials have words of their own for them.

pandas writes 1.0 and 0.0 if a column had a missing value."""

TRUTH = f"true ({', '.join(TRUTH_VALUES[True][1:])}) or false ({', '.join(TRUTH_VALUES[False][1:])})"  # for messages

_WANTED = {pa.float64(): "a number", pa.int64(): "a whole number", pa.bool_(): TRUTH}


def _as_array(text: pa.StringArray | Sequence[str], is_optional: bool) -> pa.StringArray:
    """A column of text as an array; in an optional column, an empty field is null."""
    found = text if isinstance(text, pa.Array) else arrow_texts(text)
    return null_where(pc.equal(found, arrow_text("")), found) if is_optional else found


def record_batch(
    line: Ints | Sequence[int],
    columns: Columns,
    problems: Problems,
    *,
    texts: Mapping[str, pa.StringArray | Sequence[str]],
    ready: Mapping[str, pa.Array] | None = None,
    optional: Collection[str] = (),
    group_line: Ints | None = None,
) -> list[pa.RecordBatch]:
    """One batch of the rows without faulty fields, or none if there are no such rows.

    ``line`` has the line of each row, ``texts`` the columns as text (Arrow arrays or lists), and ``ready`` the columns
    that the reader has converted itself; all other ``columns`` are null. A field that does not have the type of its
    column is reported to ``problems``; an empty field is null in the ``optional`` columns.
    """
    line = np.asarray(line, np.int64)
    good = np.ones(len(line), np.bool_)
    arrays: dict[str, pa.Array] = {"line": arrow_ints(line)}
    for name, kind in columns.items():
        if name in texts:
            text = _as_array(texts[name], name in optional)
            arrays[name], bad = convert(text, kind)
            if bad is None:
                continue
            if problems.unreadable is not None:  # a row is listed once
                problems.unreadable.add(name, _faults(line, good & bad, name, kind, text), problems)
            else:
                for number, code, message in islice(_faults(line, bad, name, kind, text), SHOWN_PROBLEMS):
                    problems.add(number, message, code, name)
                problems.add_more(int(bad.sum()) - SHOWN_PROBLEMS)
            good &= ~bad
        elif ready and name in ready:
            arrays[name] = pc.cast(ready[name], kind)
        else:
            arrays[name] = pa.nulls(len(line), kind)
    if group_line is not None:
        arrays["group_line"] = arrow_ints(group_line)
    batch = pa.RecordBatch.from_arrays(list(arrays.values()), names=list(arrays))
    if not good.all():
        batch = batch.take(arrow_ints(np.flatnonzero(good)))
    return [batch] if batch.num_rows else []


def is_number(text: str) -> bool:
    """Whether a field is a number. Unlike in Python, it has no underscores and no digits of other scripts."""
    return bool(re.fullmatch(_NUMBER, text) or re.fullmatch(_NOT_FINITE, text))


def fault_of_time(name: str, text: str) -> tuple[str, str] | None:
    """The message and the code of a time, called ``name`` in its file, that is not a finite number; None if it is."""
    if not is_number(text):
        return f"{name} is not a number: {shown(text)}", Code.NOT_A_NUMBER
    if not isfinite(float(text)):
        return f"{name} is {text}; it must be a finite number", Code.NOT_FINITE
    return None


def refuse_long(name: str, text: pa.StringArray, line: Ints, problems: Problems) -> Mask:
    """Which names, each of which is copied to many rows, are too long; reports these."""
    long = numpy_mask(pc.greater(pc.fill_null(pc.binary_length(text), _NONE), _MOST))
    said = f"{name} has more than {MAX_NAME:,} bytes"
    report(problems, line, long, lambda row: f"{said}: {shown(text[row].as_py())}", Code.TOO_LONG, name)
    return long


def report(
    problems: Problems,
    line: Ints,
    bad: Mask,
    message: Callable[[int], str],
    code: str = Code.MALFORMED,
    column: str | None = None,
) -> None:
    """Report each bad row; ``message(row)`` is called only for the rows that are shown."""
    at = np.flatnonzero(bad)
    found = [(int(line[row]), message(int(row))) for row in at[:SHOWN_PROBLEMS]]
    problems.add_all(found, len(at), code, column)


def _faults(
    line: Ints, bad: Mask, name: str, kind: pa.DataType, text: pa.StringArray
) -> Iterator[tuple[int, str, str]]:
    """The line, the code and the message of each bad field of a column."""
    for row in np.flatnonzero(bad):
        field = text[row].as_py()
        code, message = Code.NOT_A_NUMBER, f"{name} is not {_WANTED[kind]}: {shown(field)}"
        if not field:
            code, message = Code.MISSING_VALUE, f"{name} is empty"
        elif kind == pa.int64() and re.fullmatch(r"[+-]?[0-9]+", field):
            code, message = Code.OUT_OF_RANGE, f"{name} has more than 18 digits: {shown(field)}"
        elif kind == pa.bool_():
            code = Code.NOT_A_BOOLEAN
        yield int(line[row]), code, message


def convert(text: pa.StringArray, kind: pa.DataType) -> tuple[pa.Array, Mask | None]:
    """The values of a column, and which fields are not of its type (None if all are)."""
    if kind == pa.string():
        return text, None
    if kind == pa.float64():
        return _numbers(text)
    if kind == pa.int64():
        return _cast_good(text, kind, pc.match_substring_regex(text, _WHOLE))
    if kind == pa.bool_():
        lower = pc.utf8_lower(text)
        true, false = (pc.is_in(lower, arrow_texts(TRUTH_VALUES[value])) for value in (True, False))
        return _where(pc.or_(true, false), true, text)
    raise TypeError(f"no text is read as {kind}")


def _numbers(text: pa.StringArray) -> tuple[pa.Array, Mask | None]:
    """Fields as numbers: the nearest float64, as of Python's ``float``."""
    try:
        values = pc.cast(text, pa.float64())
    except pa.ArrowInvalid:
        pass
    else:
        # Apart from our numbers, Arrow only accepts 'nan(…)'.
        if pc.all(pc.is_finite(values)).as_py() is not False:
            return values, None
    number = pc.match_substring_regex(text, _NUMBER)
    return _cast_good(text, pa.float64(), pc.or_(number, pc.match_substring_regex(text, _NOT_FINITE)))


def _cast_good(text: pa.StringArray, kind: pa.DataType, good: pa.BooleanArray) -> tuple[pa.Array, Mask | None]:
    """The values of the good fields, null for the others, and which those are."""
    digits = pc.replace_substring_regex(text, r"^\+", "")  # a sign that Arrow does not accept
    values = pc.cast(null_where(pc.invert(good), digits), kind)
    return _where(good, values, text)


def _where(good: pa.BooleanArray, values: pa.Array, text: pa.StringArray) -> tuple[pa.Array, Mask | None]:
    """The values, null where the text is null; and the rows whose text is neither good nor null (None if none)."""
    absent = pc.is_null(text)
    bad = numpy_mask(pc.invert(pc.or_kleene(good, absent)))
    return null_where(absent, values), bad if bad.any() else None


@dataclass(frozen=True)
class Fields:
    """The fields of each line of a block; a line of blanks has none."""

    block: Block
    edges: Ints
    """The positions in the block where fields begin and end, alternately."""
    before: Ints
    """The number of fields of the block before each line."""
    count: Ints
    """The number of fields of each line."""

    @cached_property
    def line(self) -> Ints:
        """The number of each line in the file."""
        return np.arange(self.block.first, self.block.first + len(self.count), dtype=np.int64)

    @cached_property
    def _fields_and_blanks(self) -> pa.StringArray:
        """The fields and the blanks between them, alternately: the strings of an Arrow array have no gaps."""
        offsets = pa.py_buffer(self.edges.astype(np.int32))
        return pa.StringArray.from_buffers(max(len(self.edges) - 1, 0), offsets, pa.py_buffer(self.block.data))

    def column(self, at: Ints, number: int | Ints) -> pa.StringArray:
        """A field by its number, from 0, of the lines at these indices; each line must have it."""
        return self._fields_and_blanks.take(arrow_ints(2 * (self.before[at] + number)))

    def columns(self, at: Ints, names: Sequence[str]) -> dict[str, pa.StringArray]:
        """The first fields of these lines by name."""
        return {name: self.column(at, number) for number, name in enumerate(names)}

    def shown(self, at: int) -> str:
        """The line at this index, without the blanks around it, for a message."""
        return shown(self.block.text(at).strip(" \t\v\f"))

    def begins_with(self, word: bytes) -> Mask:
        """Which lines have this word as their first field."""
        text, found = self.block.bytes, self.count > 0
        for place, letter in enumerate((*word, None)):
            at = self.edges[2 * self.before[found]] + place
            # There is always a byte after the word: at least the end of the line.
            found[found] = blanks(text[at]) if letter is None else text[at] == letter
        return found

    def without_remarks(self, begin: bytes) -> Fields:
        """The same lines, each up to its first field that begins with these two bytes."""
        if begin not in self.block.data:
            return self
        text, fields = self.block.bytes, self.edges[::2]
        remarks = np.flatnonzero((text[fields] == begin[0]) & (text[fields + 1] == begin[1]))
        line = np.searchsorted(self.before, remarks, side="right") - 1
        count = self.count.copy()
        np.minimum.at(count, line, remarks - self.before[line])
        return replace(self, count=count)

    def of_length(self, names: Sequence[str], among: Mask, problems: Problems, further: int = 0) -> Ints:
        """The indices of the lines ``among`` these that have a field for each name; reports the others.

        A line may have up to ``further`` more fields.
        """
        good = (self.count >= len(names)) & (self.count <= len(names) + further)
        wanted = f"expected {len(names)}{f' or {len(names) + further}' if further else ''} columns ({' '.join(names)})"
        report(problems, self.line, among & ~good, lambda at: f"{wanted}, found {self.count[at]}: {self.shown(at)}")
        return np.flatnonzero(among & good)


def read_fields(path: Path, source: str) -> Iterator[Fields]:
    """The lines of a file and their fields, separated by ASCII blanks only, block by block."""
    for block in read_blocks(path, source):
        blank = np.ones(len(block.data) + 1, np.bool_)
        blank[1:] = blanks(block.bytes)
        edges = np.flatnonzero(blank[1:] != blank[:-1])
        upto = np.searchsorted(edges[::2], block.ends)
        before = np.concatenate((np.zeros(1, np.int64), upto[:-1]))
        yield Fields(block, edges, before, upto - before)


def quoting(names: Sequence[str]) -> Quote:
    """Quotes lines with fields of these names."""

    def quote(path: Path, columns: Columns, lines: Collection[int]) -> dict[int, dict[str, str]]:
        return quote_fields(path, names, lines)

    return quote


def quote_fields(path: Path, names: Sequence[str], lines: Collection[int]) -> dict[int, dict[str, str]]:
    """The fields of these lines as they are written, by line and name."""
    return {
        # Bytes are split at ASCII blanks only.
        line: {name: field.decode() for name, field in zip(names, text.encode().split(), strict=False)}
        for line, text in read_lines(path, str(path), lines)
    }
