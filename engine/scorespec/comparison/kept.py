"""Comparison of scores whose resampled values are kept in results, since sums of blocks cannot give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


KeptScores = Mapping[tuple[ScoreKey, str], Kept]


def resampled_scores(key: ScoreKey, values: Sequence[float], runs: Sequence[KeptScores]) -> list[Resampled]:
    """A score of some runs in bootstrap replicates; empty without replicates that are paired.

    Without the values that leave out each block, intervals have no acceleration.
    """
    drawn = paired([run.get((key, BOOTSTRAP)) for run in runs])
    without = without_groups(key, runs)
    resampled = []
    for at, (each, value) in enumerate(zip(drawn, values, strict=bool(drawn))):
        blocks = sum(each.groups)
        left_out = without[at].scores if without and len(without[at].groups) == blocks else np.full(blocks, value)
        resampled.append(Resampled(np.array([value]), each.scores[:, None], left_out[:, None]))
    return resampled


def without_groups(key: ScoreKey, runs: Sequence[KeptScores]) -> list[Kept]:
    """A score of some runs without each group of blocks; empty without values that are paired."""
    return paired([run.get((key, JACKKNIFE)) for run in runs])


def paired(kept: Sequence[Kept | None]) -> list[Kept]:
    """The replicates of all runs, if all have some, of the same blocks; otherwise none."""
    having = [each for each in kept if each is not None]
    return having if len(having) == len(kept) and all(having[0].is_paired(each) for each in having) else []


def why_unpaired(key: ScoreKey, *runs: KeptScores) -> str:
    """Why a score has no paired replicates in some runs."""
    if all(any(key == known for known, _ in each) for each in runs):
        return "blocks differ"
    return "score with --confidence"
