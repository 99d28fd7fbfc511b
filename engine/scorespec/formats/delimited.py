"""``.csv`` and ``.tsv``: a header that names the columns, then one row a line."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Ints, Mask, numpy_mask
from scorespec.errors import Code, Problems
from scorespec.formats.format import (
    BOM,
    Block,
    Columns,
    Format,
    read_blocks,
    read_lines,
    record_batch,
    report,
    shown,
)


@dataclass(frozen=True)
class _Header:
    """The delimiter and the header of a file, and the columns that are read."""

    delimiter: str
    names: list[str]
    columns: Columns

    @property
    def places(self) -> dict[str, str]:
        """The index of each column that is read, from 0, as text: this is its name in the parser."""
        return {name: str(self.names.index(name)) for name in self.columns if name in self.names}


def read(
    delimiter: str, path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; a file may have its columns in any order, and other columns as well."""
    header: _Header | None = None
    for block in read_blocks(path, problems.source):
        filled = block.filled()
        if header is None:
            if not filled.any():
                continue
            top = int(np.argmax(filled))
            delimiter = _delimiter_of(block.text(top), delimiter)
            header = _Header(delimiter, _split(block.text(top), delimiter), columns)
            if not _check_header(header, problems, optional, block.first + top):
                return
            filled[top] = False
        at, texts = _parse(block, _well_quoted(block, filled, delimiter, problems), header, problems)
        yield from record_batch(at + block.first, columns, problems, texts=texts, optional=optional)


def _check_header(header: _Header, problems: Problems, optional: Collection[str], line: int) -> bool:
    """Whether the header has each required column once; reports columns that are missing or repeated."""
    before = problems.total
    missing = [name for name in header.columns if name not in header.names and name not in optional]
    problems.lack_columns(line, missing, header.names, header.columns)
    for name in header.columns:
        if header.names.count(name) > 1:
            problems.add(line, f"the header has the column {name!r} more than once", Code.REPEATED_COLUMN, name)
    problems.leave_out_columns(header.names, header.columns)
    return problems.total == before


def _well_quoted(block: Block, filled: Mask, delimiter: str, problems: Problems) -> Ints:
    """The indices of the filled lines whose quotation marks are paired; reports the others.

    The parser would read the lines after an unpaired mark as a part of the field.
    """
    if b'"' not in block.data:
        return np.flatnonzero(filled)
    offsets = np.append(block.starts, len(block.data)).astype(np.int32)
    texts = pa.StringArray.from_buffers(len(filled), pa.py_buffer(offsets), pa.py_buffer(block.data))
    good = numpy_mask(pc.match_substring_regex(texts, _quoting(delimiter)))

    said = "a quotation mark is not closed, or not where a field begins"
    lines = np.arange(len(filled)) + block.first
    report(problems, lines, filled & ~good, lambda at: f"{said}: {shown(block.text(at))}")
    return np.flatnonzero(filled & good)


def _quoting(delimiter: str) -> str:
    """A pattern for lines whose fields are quoted as a whole or not at all.

    In a field that does not begin with a quotation mark, such a mark is an ordinary character.
    """
    blanks = "[ ]*" if delimiter == "\t" else r"[ \t]*"
    quoted = rf'"(?:[^"]|"")*"{blanks}'
    plain = rf'{blanks}(?:[^" \t{delimiter}][^{delimiter}]*)?'
    return rf"^(?:{quoted}|{plain})(?:{delimiter}(?:{quoted}|{plain}))*\n$"


def _parse(block: Block, at: Ints, header: _Header, problems: Problems) -> tuple[Ints, dict[str, pa.StringArray]]:
    """The lines at these indices that have a field for each column, and their trimmed fields; reports the others."""
    if not len(at):
        return at, {}
    table, wrong = _parse_lines(_only(block, at), header)
    bad = np.zeros(len(at), np.bool_)
    bad[[number - 1 for number in wrong]] = True

    def message(row: int) -> str:
        found = wrong[row + 1]
        return f"expected {len(header.names)} columns, found {found}: {shown(block.text(at[row]))}"

    report(problems, at + block.first, bad, message)
    texts = {name: pc.ascii_trim_whitespace(table[place]) for name, place in header.places.items()}
    return at[~bad], {name: text.combine_chunks() for name, text in texts.items()}


def _only(block: Block, at: Ints) -> pa.Buffer:
    """The text of the lines at these indices."""
    data = block.data
    if len(at) < len(block.ends):
        keep = np.zeros(len(block.ends), np.bool_)
        keep[at] = True
        data = block.bytes[np.repeat(keep, block.ends + 1 - block.starts)].tobytes()
    # The parser skips one byte order mark; that of the file is removed already.
    return pa.py_buffer(BOM + data if data.startswith(BOM) else data)


def _parse_lines(lines: pa.Buffer, header: _Header) -> tuple[pa.Table, dict[int, int]]:
    """The columns that are read, as text; and the lines (from 1) that have a wrong number of fields, with that number.

    The lines are not blank, and no field continues on another line.
    """
    # Slow to import, and not needed by other formats.
    from pyarrow import csv as arrow_csv

    wrong: dict[int, int] = {}

    def skip(row: Any) -> str:
        wrong[row.number] = row.actual_columns
        return "skip"

    places = list(header.places.values())
    table = arrow_csv.read_csv(
        pa.BufferReader(lines),
        # One thread, otherwise invalid rows have no numbers. Columns are named by index: a header may repeat a name.
        arrow_csv.ReadOptions(
            use_threads=False,
            block_size=lines.size + 1,
            column_names=[str(place) for place in range(len(header.names))],
        ),
        arrow_csv.ParseOptions(delimiter=header.delimiter, invalid_row_handler=skip),
        arrow_csv.ConvertOptions(
            check_utf8=False,
            include_columns=places,
            column_types=dict.fromkeys(places, pa.string()),
            strings_can_be_null=False,
        ),
    )
    return table, wrong


def _split(line: str, delimiter: str) -> list[str]:
    """The trimmed fields of one line."""
    try:
        fields = next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:  # a field of more than 128 KiB
        fields = line.split(delimiter)
    return [field.strip(" \t\v\f") for field in fields]


def quote(delimiter: str, path: Path, columns: Columns, lines: Collection[int]) -> dict[int, dict[str, str]]:
    """See :data:`.format.Quote`."""
    header = names(path, delimiter)
    delimiter = _delimiter_of(_header_of(path), delimiter)
    found = {}
    for line, text in read_lines(path, str(path), lines):
        fields = dict(zip(header, _split(text, delimiter), strict=False))
        found[line] = {name: fields[name] for name in columns if name in fields}
    return found


def names(path: Path, delimiter: str) -> list[str]:
    """The names in the header of a file."""
    header = _header_of(path)
    return _split(header, _delimiter_of(header, delimiter)) if header else []


def _header_of(path: Path) -> str:
    """The first line of a file that is not blank, or ''."""
    for block in read_blocks(path, str(path)):
        filled = block.filled()
        if filled.any():
            return block.text(int(np.argmax(filled)))
    return ""


def _delimiter_of(header: str, delimiter: str) -> str:
    """The delimiter of a file with this header: of CSV without a comma it is the semicolon that Excel may write."""
    return ";" if delimiter == "," and "," not in header and ";" in header else delimiter


def _format(name: str, delimiter: str, between: str) -> Format:
    return Format(
        name=name,
        about=f"a header that names the columns, in any order, then rows; {between} between the fields",
        suffixes=(f".{name}",),
        read=partial(read, delimiter),
        quote=partial(quote, delimiter),
        names=partial(names, delimiter=delimiter),
        others="those of its header",
    )


TSV = _format("tsv", "\t", "tabs")
FORMATS = (_format("csv", ",", "commas, or semicolons if its header has no comma,"), TSV)
