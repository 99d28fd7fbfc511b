"""``.dict``: a pronouncing dictionary, ``word phones`` a line, as the CMU Pronouncing Dictionary."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import arrow_texts
from scorespec.errors import Code, Problems
from scorespec.formats.format import BLANKS, Columns, Format, read_blocks, record_batch, shown

_NUMBER = re.compile(r"\([0-9]+\)$")  # of a further pronunciation
_ENTRY = re.compile(r"\s+", re.ASCII)  # between a word and its phones


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; ``;;;`` at the beginning of a line and ``#`` begin a comment."""
    for block in read_blocks(path, problems.source):
        line, words, phones = [], [], []
        for number, text in block.lines():
            word, *sounds = _ENTRY.split(text.partition("#")[0].strip(BLANKS), 1)
            if word and not word.startswith(";;;"):
                if not sounds:
                    problems.add(number, f"no phones after the word {shown(word)}", Code.MISSING_VALUE, "phones")
                line.append(number)
                words.append(_NUMBER.sub("", word))
                phones.append("".join(sounds))
        texts = {"word": arrow_texts(words), "phones": arrow_texts(phones)}
        yield from record_batch(np.array(line, np.int64), columns, problems, texts=texts)


FORMATS = (
    Format(
        name="cmudict",
        about="a pronouncing dictionary: lines of 'word phones', fields separated by blanks",
        suffixes=(".dict",),
        read=read,
        quote=None,
        fills=("word", "phones"),
    ),
)
