"""Cuts an input into shares, each of which is read by one task: some row groups of a Parquet file, or some files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from glob import escape
from itertools import pairwise
from pathlib import Path

import duckdb

from scorespec.formats import PARQUET
from scorespec.plan.parameters import text_literal
from scorespec.run.inputs.files import Stamp, unreadable
from scorespec.run.inputs.nested import FRAME
from scorespec.run.inputs.sources import Source
from scorespec.run.session import Session

LEAST_BYTES = 4 * 2**20  # of a share: reading fewer bytes takes hardly longer than starting a task


@dataclass(frozen=True)
class Share:
    """A share of an input: ``source`` has what is read.

    ``first`` is the number of its first file among those of the input, from 0. ``bytes`` are those of its files, or of
    its rows. A file is ``hashed`` with one of its shares.
    """

    source: Source
    first: int
    bytes: int
    hashed: bool


def stamps_of(source: Source) -> list[Stamp]:
    """The stamp of each file of an input. Raises InputError for a file that cannot be read."""
    found = []
    for file in source.each:
        assert file.path is not None  # inputs in memory are refused
        try:
            found.append(Stamp.of(file.path))
        except OSError as error:
            raise unreadable(file.shown, error) from None
    return found


def shares_of(session: Session, source: Source, file_bytes: list[int], parts: int, hashed: bool) -> Iterator[Share]:
    """The shares of an input, in its order. ``file_bytes`` are those of its files.

    There are about as many as ``parts``, of similar size. A text file, or a table with a row per frame, is in one
    share. So are files of several formats, which may have different columns.
    """
    whole = moved(source)
    if len({file.format and file.format.name for file in source.each}) > 1:
        yield Share(whole, 0, sum(file_bytes), hashed)
        return
    most = max(LEAST_BYTES, -(-sum(file_bytes) // parts))
    held: list[int] = []  # numbers of files that are read together

    def together() -> Iterator[Share]:
        if held:
            files = tuple(whole.each[at] for at in held)
            read = replace(whole, pieces=files) if whole.pieces else whole
            yield Share(read, held[0], sum(file_bytes[at] for at in held), hashed)
            held.clear()

    for number, file in enumerate(whole.each):
        ranges = _ranges(session, file, -(-file_bytes[number] // most)) if file_bytes[number] > most else []
        if len(ranges) > 1:
            yield from together()
            for rows in ranges:
                cut = replace(file, rows=rows)
                read = replace(whole, pieces=(cut,)) if whole.pieces else cut
                yield Share(read, number, file_bytes[number] // len(ranges), hashed and rows[0] == 0)
            continue
        if sum(file_bytes[at] for at in held) + file_bytes[number] > most:
            yield from together()
        held.append(number)
    yield from together()


def moved(source: Source) -> Source:
    """A source for another process, which has other current folders."""
    path = source.path and Path(source.path).absolute()
    return replace(source, path=path, files=None, pieces=tuple(map(moved, source.pieces)))


def _ranges(session: Session, file: Source, shares: int) -> list[tuple[int, int]]:
    """The rows of a Parquet file in some shares of whole row groups; an empty list if it is read as a whole."""
    if file.format is not PARQUET:
        return []
    if file.table.nested and (file.columns or file.filled):  # which may have the numbers of frames
        return []
    path = text_literal(escape(str(file.path)))
    groups = f"SELECT DISTINCT row_group_id, row_group_num_rows FROM parquet_metadata({path}) ORDER BY 1"
    try:
        if file.table.nested and (FRAME,) in session.rows(f"SELECT name FROM parquet_schema({path})"):
            return []  # the frames of a sequence may be in several row groups
        rows = [int(number) for _, number in session.rows(groups)]
    except duckdb.Error:  # which reading the file will report
        return []
    ends, end, left = [0], 0, shares
    for number in rows:
        end += number
        if left > 1 and end - ends[-1] >= (sum(rows) - ends[-1]) / left:
            ends.append(end)
            left -= 1
    if ends[-1] < end:
        ends.append(end)
    return list(pairwise(ends))
