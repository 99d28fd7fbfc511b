"""Comparison of scores whose resampled values are kept in results, since sums of blocks cannot give them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scorespec.comparison.compared_runs import ComparedRun, ScoreKey, by_file
from scorespec.core.arrays import Floats, numpy_floats
from scorespec.plan.parameters import text_literal
from scorespec.results.reading import reading_table, stored_runs
from scorespec.statistics import Resampled

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


KeptScores = Mapping[tuple[ScoreKey, str], Kept]  # by score and method


def kept_scores(runs: Sequence[ComparedRun], keys: Collection[ScoreKey]) -> list[KeptScores]:
    """The replicates of some scores that the results of each run have."""
    found: list[dict[tuple[ScoreKey, str], Kept]] = [{} for _ in runs]
    metrics = ", ".join(text_literal(each) for each in dict.fromkeys(metric for metric, _, _ in keys))
    for (results, schema), places in by_file(runs).items():
        asked = (
            "SELECT run, metric, component, slice::VARCHAR AS slice, method, blocks, groups, scores FROM replicates "
            f"WHERE run IN ({', '.join(map(str, places))}) AND metric IN ({metrics})"
        )
        with stored_runs(results, schema) as stored, reading_table(results, "replicates"):
            if not metrics or "replicates" not in stored.tables:
                continue
            rows = stored.ask(asked)
            groups, scores = (rows[name] for name in ("groups", "scores"))
            texts = zip(*(rows[name].to_pylist() for name in ("metric", "component", "slice")), strict=True)
            for at, (key, run, method, blocks) in enumerate(
                zip(texts, *(rows[name].to_pylist() for name in ("run", "method", "blocks")), strict=True)
            ):
                if key in keys:
                    kept = Kept(blocks, tuple(map(int, groups[at].as_py() or ())), numpy_floats(scores[at].values))
                    found[places[run]][key, method] = kept
    return list(found)


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


def why_unpaired(key: ScoreKey, runs: Sequence[ComparedRun], kept: Sequence[KeptScores]) -> str:
    """Why a score has no paired replicates in some runs."""
    pairs = zip(runs, kept, strict=True)
    lacking = [run for run, each in pairs if all(key != known for known, _ in each)]
    if not lacking:
        return "blocks differ"
    if names := [run.name for run in lacking if run.level is None]:
        return f"score {' and '.join(names)} with --confidence"
    notes = dict(zip(lacking[0].values, lacking[0].scores["note"].to_pylist(), strict=True))
    note = str(notes[key]).partition("no interval: ")[2] or "results have no replicates"
    return f"{note} ({lacking[0].name})"
