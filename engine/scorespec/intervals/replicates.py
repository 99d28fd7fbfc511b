"""The values of scores in replicates, which results keep if they cannot be made from sums of blocks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Floats, Ints, arrow_floats, arrow_ints, arrow_texts, validity

_TEXTS = ("metric", "component", "slice", "method", "blocks")


@dataclass(frozen=True, eq=False)
class Replicates:
    """A row of the table `replicates`: the values of one score in the replicates, in order. NaN is undefined.

    ``blocks`` is the :func:`hash_of_blocks`. ``groups`` has the number of blocks in each group of a jackknife, whose
    replicate r is the score without group r; of a bootstrap, it has the number of all blocks. Two rows with equal
    ``method``, ``blocks`` and ``groups`` are paired, replicate by replicate.
    """

    metric: str
    component: str
    slice: str
    method: Literal["bootstrap", "jackknife"]
    blocks: str
    scores: Floats
    groups: Ints | None = None


def hash_of_blocks(names: Sequence[str]) -> str:
    """A hash of the names of all blocks, each a JSON object. It does not depend on their order."""
    return hashlib.sha256(json.dumps(sorted(names)).encode()).hexdigest()


def replicates_table(every: Iterable[Replicates]) -> pa.Table:
    """The rows of the table `replicates`, without the run."""
    rows = list(every)
    texts = {name: arrow_texts([getattr(row, name) for row in rows]) for name in _TEXTS}
    groups = _lists(arrow_ints, [row.groups for row in rows])
    return pa.table({**texts, "groups": groups, "scores": _lists(arrow_floats, [row.scores for row in rows])})


def _lists(arrow: Callable[[Any], pa.Array], rows: Sequence[Floats | Ints | None]) -> pa.Array:
    """Arrays as an Arrow array of lists; None is null."""
    offsets = np.zeros(len(rows) + 1, np.int32)
    np.cumsum([0 if row is None else len(row) for row in rows], out=offsets[1:])
    present = [row for row in rows if row is not None]
    values = arrow(np.concatenate(present) if present else np.empty(0))
    buffers = [validity([row is not None for row in rows]), pa.py_buffer(offsets)]
    return pa.Array.from_buffers(pa.list_(values.type), len(rows), buffers, children=[values])
