"""``.split``, ``.utt`` and ``.intervals``: one interval a line; blank lines separate folds."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Ints, Mask, arrow_ints
from scorespec.errors import Problems
from scorespec.formats.base import Columns, Format
from scorespec.formats.convert import record_batch
from scorespec.formats.fields import quote_fields, read_fields

_NAMES = ("file", "onset", "offset")


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.base.Reader`; a column ``fold`` has the number of the fold, from 0."""
    folds = _Folds()
    for fields in read_fields(path, problems.source):
        fold = folds.number(fields.count > 0)
        at = fields.of_length(_NAMES, fields.count > 0, problems)
        yield from record_batch(
            fields.line[at],
            columns,
            problems,
            texts=fields.columns(at, _NAMES),
            ready={"fold": arrow_ints(fold[at])},
        )


class _Folds:
    """Numbers the folds of a file from one block to the next."""

    def __init__(self) -> None:
        self._begun = 0
        self._after_blank = True

    def number(self, filled: Mask) -> Ints:
        """The fold of each line of the next block, given which of its lines are not blank."""
        after_blank = np.concatenate(([self._after_blank], ~filled[:-1]))
        begun = self._begun + np.cumsum(filled & after_blank, dtype=np.int64)
        self._begun, self._after_blank = int(begun[-1]), not filled[-1]
        return begun - 1


def quote(path: Path, columns: Columns, lines: Collection[int]) -> dict[int, dict[str, str]]:
    """See :data:`.base.Quote`."""
    return quote_fields(path, _NAMES, lines)


INTERVALS = Format(
    name="intervals",
    about="lines of 'file onset offset', fields separated by blanks; a blank line separates two folds",
    suffixes=(".split", ".utt", ".intervals"),
    read=read,
    quote=quote,
    whole="fold",
)
