"""Reads and quotes XML files of rows, and lists the columns that they could fill."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import arrow_ints
from scorespec.errors import Problems
from scorespec.formats.base import Columns
from scorespec.formats.convert import record_batch
from scorespec.formats.elements import Reading
from scorespec.formats.layout import Layout, Rows


def read_markup(
    path: Path,
    layouts: Collection[Layout],
    columns: Columns,
    problems: Problems,
    optional: Collection[str],
    mend: Mapping[str, Callable[[pa.StringArray], pa.StringArray]] | None = None,
) -> Iterator[pa.RecordBatch]:
    """See :class:`.base.Reader`; ``mend`` has functions that change the fields of a column before they are converted.

    A column ``element`` counts the rows of the file, from 1: a line may have several.
    """
    for rows in read_rows(path, layouts, columns, problems, optional):
        yield from record_batch(
            rows.line,
            columns,
            problems,
            texts={name: mend[name](each) if mend and name in mend else each for name, each in rows.texts.items()},
            ready={"element": arrow_ints(rows.element)},
            optional=optional,
        )


def quote_markup(
    path: Path, layouts: Collection[Layout], columns: Columns, lines: Collection[int]
) -> dict[int, dict[str, str]]:
    """The fields of the row on each of these lines, as they are written; lines with several rows are left out."""
    found: dict[int, dict[str, str]] = {}
    repeated: set[int] = set()
    last = max(lines, default=0)
    for rows in read_rows(path, layouts, columns, Problems(str(path)), columns):
        for at in np.flatnonzero(np.isin(rows.line, list(lines))):
            line = int(rows.line[at])
            fields = {name: values[int(at)].as_py() for name, values in rows.texts.items()}
            if line in found:
                repeated.add(line)
            found[line] = {name: value for name, value in fields.items() if value is not None}
        if rows.line[-1] > last:
            break
    return {line: fields for line, fields in found.items() if line not in repeated}


def names_in_markup(path: Path, layouts: Collection[Layout]) -> list[str]:
    """The columns that the rows of a file could fill besides those of its layout: the names of their attributes."""
    reading = Reading(layouts, {}, Problems(str(path)), ())
    for _ in reading.read(path):
        pass
    return reading.other_names()


def read_rows(
    path: Path, layouts: Collection[Layout], columns: Columns, problems: Problems, optional: Collection[str]
) -> Iterator[Rows]:
    """The rows of a file, block by block, with trimmed fields; reports faults of its elements."""
    return Reading(layouts, columns, problems, optional).read(path)
