"""Comparison of scores whose resampled values are kept in results, since sums of blocks cannot give them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scorespec.arrays import Floats
from scorespec.comparison.runs import ComparedRun, ScoreKey
from scorespec.resampling import Resampled
from scorespec.runtime.querying import read, table_names

BOOTSTRAP, JACKKNIFE = "bootstrap", "jackknife"


@dataclass(frozen=True, eq=False)
class Kept:
    """The values of a score in replicates. Two runs are paired if all but the ``scores`` are equal.

    ``blocks`` is a hash of the names of all blocks, ``groups`` the number of blocks of each group that was left out.
    For a bootstrap, ``groups`` has the number of all blocks.
    """

    blocks: str
    groups: tuple[int, ...]
    scores: Floats

    def is_paired(self, other: Kept) -> bool:
        """Whether the replicates of two runs left out or drew the same blocks."""
        same = (self.blocks, self.groups, len(self.scores)) == (other.blocks, other.groups, len(other.scores))
        return same and bool(self.groups)


def kept_replicates(run: ComparedRun) -> dict[tuple[ScoreKey, str], Kept]:
    """The replicates that the results of a run have, by score and method."""
    if "replicates" not in table_names(run.results, run.schema):
        return {}
    columns = "metric, component, slice::VARCHAR AS slice, method, blocks, groups, scores"
    asked = f"SELECT {columns} FROM replicates WHERE run = {run.number:d}"
    return {
        ((row["metric"], row["component"], row["slice"]), row["method"]): Kept(
            row["blocks"], tuple(row["groups"] or ()), np.array(row["scores"], np.float64)
        )
        for row in read(run.results, asked, run.schema).to_pylist()
    }


Replicates = Mapping[tuple[ScoreKey, str], Kept]


def resampled_difference(
    key: ScoreKey, difference: float, first: Replicates, second: Replicates
) -> tuple[Resampled, int] | None:
    """The difference of a score in each bootstrap replicate, and the number of blocks; None without paired replicates.

    Without the values that leave out each block, the interval has no acceleration.
    """
    one, other = first.get((key, BOOTSTRAP)), second.get((key, BOOTSTRAP))
    if one is None or other is None or not one.is_paired(other):
        return None
    blocks = sum(one.groups)
    left_out = np.full((blocks, 1), difference)
    without = first.get((key, JACKKNIFE)), second.get((key, JACKKNIFE))
    if without[0] and without[1] and without[0].is_paired(without[1]) and len(without[0].groups) == blocks:
        left_out = (without[1].scores - without[0].scores)[:, None]
    return Resampled(np.array([difference]), (other.scores - one.scores)[:, None], left_out), blocks


def jackknife_difference(key: ScoreKey, first: Replicates, second: Replicates) -> tuple[Floats, Floats] | None:
    """The difference of a score without each group, and the number of blocks of each group.

    None without paired replicates.
    """
    one, other = first.get((key, JACKKNIFE)), second.get((key, JACKKNIFE))
    if one is None or other is None or not one.is_paired(other):
        return None
    return other.scores - one.scores, np.array(one.groups, np.float64)


def why_unpaired(key: ScoreKey, *runs: Replicates) -> str:
    """Why a score has no paired replicates in some runs."""
    if all(any(key == known for known, _ in each) for each in runs):
        return "blocks differ"
    return "score with --confidence"
