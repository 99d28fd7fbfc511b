"""Many tasks of term discovery as the inputs of one run: each has files of its own, and its own folds score it alone.

A run of a suite takes most of a second, however small its inputs are. The scores of a fold depend only on what the
fold contains. So one run gives the scores of many tasks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

TIMED = {"file": pa.string(), "onset": pa.float64(), "offset": pa.float64()}
COLUMNS = {
    "phones": {**TIMED, "label": pa.string()},
    "words": {**TIMED, "label": pa.string()},
    "fragments": {"cluster": pa.string(), **TIMED},
    "utterances": TIMED,
    "speakers": {"file": pa.string(), "speaker": pa.string()},
}
FOLDS = {"fold": pa.int64(), **TIMED}
Rows = Iterable[Sequence[Any]]


def table(name: str, rows: Rows) -> pa.Table:
    """The rows of an input. Those of folds (`folds`, `folds_total`, …) begin with the number of the fold."""
    types = FOLDS if name.startswith("folds") else COLUMNS[name]
    return pa.Table.from_pylist([dict(zip(types, row, strict=True)) for row in rows], pa.schema(list(types.items())))


def numbered(folds: Iterable[Rows]) -> list[tuple[Any, ...]]:
    """The intervals of folds, each with the number of its fold."""
    return [(number, *row) for number, fold in enumerate(folds) for row in fold]


class JointCorpus:
    """The rows of many tasks. With ``own_labels``, no phone of a task has a label that another task has."""

    def __init__(self, own_labels: bool = False) -> None:
        self.own_labels = own_labels
        self.rows: dict[str, list[tuple[Any, ...]]] = {}
        self.folds: dict[str, list[list[tuple[Any, ...]]]] = {}
        self.tasks = 0

    def add(self, inputs: Mapping[str, Rows], folds: Mapping[str, Sequence[Rows]]) -> dict[str, range]:
        """Adds a task, and says which numbers its folds have in each input of folds."""
        self.tasks += 1
        for name, rows in inputs.items():
            own = self._own(rows, [*COLUMNS[name]].index("file"))
            if self.own_labels and name == "phones":
                own = [(*timed, f"{label}@{self.tasks}") for *timed, label in own]
            self.rows.setdefault(name, []).extend(own)
        numbers = {}
        for name, each in folds.items():
            known = self.folds.setdefault(name, [])
            numbers[name] = range(len(known), len(known) + len(each))
            known.extend(self._own(fold, 0) for fold in each)
        return numbers

    def _own(self, rows: Rows, file: int) -> list[tuple[Any, ...]]:
        """The rows in files of the task: the number of the task stands after the name of each file."""
        return [(*row[:file], f"{row[file]}@{self.tasks}", *row[file + 1 :]) for row in rows]

    def inputs(self) -> dict[str, pa.Table]:
        folds = {name: numbered(each) for name, each in self.folds.items()}
        return {name: table(name, rows) for name, rows in (self.rows | folds).items()}


def whole(*inputs: Rows) -> list[tuple[str, float, float]]:
    """One fold of all files, each from its earliest time to its latest: rows of file, onset and offset first."""
    ends: dict[str, tuple[float, float]] = {}
    for rows in inputs:
        for file, onset, offset, *_ in rows:
            begin, end = ends.get(file, (onset, offset))
            ends[file] = min(begin, onset), max(end, offset)
    return [(file, *each) for file, each in ends.items()]


# -- recorded corpora --------------------------------------------------------------------------------------


def timed(path: Path) -> list[tuple[Any, ...]]:
    """The rows of a file of phones, words or utterances."""
    lines = (line.split() for line in path.read_text("utf-8").splitlines())
    return [(file, float(onset), float(offset), *label) for file, onset, offset, *label in lines]


def blocks(path: Path) -> list[list[list[str]]]:
    """The lines of a file between its empty lines, each as its words."""
    found = [[line.split() for line in block.splitlines()] for block in path.read_text("utf-8").split("\n\n")]
    return [block for block in found if block]


def recorded_folds(path: Path) -> list[list[tuple[str, float, float]]]:
    """The intervals of each fold."""
    return [[(file, float(onset), float(offset)) for file, onset, offset in block] for block in blocks(path)]


def recorded_fragments(path: Path) -> list[tuple[str, str, float, float]]:
    """The fragments of a submission, each after its cluster."""
    return [
        (" ".join(name), file, float(onset), float(offset))
        for (_, *name), *members in blocks(path)
        for file, onset, offset in members
    ]
