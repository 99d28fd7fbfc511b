"""``.phrases``: a list of words and phrases, such as names, one a line. The list has the name of the file."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import arrow_texts
from scorespec.errors import Problems
from scorespec.formats.format import Columns, Format, read_blocks, record_batch
from scorespec.formats.segment_rows import WORD, document_of


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`."""
    for block in read_blocks(path, problems.source):
        words = ((number, WORD.findall(line)) for number, line in block.lines())
        phrases = {number: " ".join(found) for number, found in words if found}
        texts = {"list": arrow_texts([document_of(path)] * len(phrases)), "phrase": arrow_texts([*phrases.values()])}
        yield from record_batch(np.array([*phrases], np.int64), columns, problems, texts=texts, optional=optional)


FORMATS = (
    Format(
        name="phrases",
        about="a word or phrase a line; the list has the name of the file",
        suffixes=(".phrases",),
        read=read,
        quote=None,
        fills=("list", "phrase"),
    ),
)
