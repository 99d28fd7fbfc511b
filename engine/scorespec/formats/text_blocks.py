"""Reads text files as blocks of whole lines: unpacks, checks and numbers them."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, cast

import numpy as np

from scorespec.core.arrays import Bytes, Ints, Mask
from scorespec.errors import Code, bad_input

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
        # str.split is faster, but also splits at other characters, of which four are in ASCII.
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
