"""The differences of a score between two systems, block by block."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from scorespec.comparison.compared_runs import ComparedRun, ScoreKey, opens_once
from scorespec.comparison.paired import Comparison, compare_runs
from scorespec.comparison.resampled import portions_of, resampling_session, stored_scores
from scorespec.run.limits import Limits


@dataclass(frozen=True)
class BlockDifference:
    """The score of two systems in one block: that of a corpus in which all blocks are like this one.

    If the score is a ratio of sums, it is the ratio of the sums of the block. If the score is a mean over units, whose
    number is given, it is the mean over the units of the block as if each block had as many units.
    """

    block: str
    value_a: float
    value_b: float

    @property
    def difference(self) -> float:
        """The score of the second system minus that of the first."""
        return self.value_b - self.value_a


@dataclass(frozen=True)
class BlockDifferences:
    """The comparison of a score of two systems, and the differences in the blocks in which both have the score.

    ``unit`` is what blocks are, such as talkers. ``sources`` are the rows of `block_sums` from which the scores follow.
    """

    comparison: Comparison
    blocks: Sequence[BlockDifference]
    unit: str
    sources: Sequence[str]


@opens_once
def block_differences(
    runs: Sequence[ComparedRun], metric: str, component: str, level: float, limits: Limits | None = None
) -> list[BlockDifferences]:
    """The differences of a score of two runs, for each slice that stands for the whole; the largest differences first.

    Empty for a score that is no function of sums of blocks. Raises UsageError for runs that cannot be compared.
    """
    limits = limits or Limits()
    compared, _ = compare_runs(runs, [f"{metric}.{component}"], level=level, limits=limits)
    tested: dict[ScoreKey, Comparison] = {
        (each.metric, each.component, each.slice): each for each in compared if each.low is not None
    }
    every = stored_scores(runs, {metric} if tested else set())
    found = []
    with resampling_session(runs, every, limits) as session:
        for scores in every:
            blocks = [json.loads(text) for text in session.table(scores[0].scores.blocks)["unit_block"].to_pylist()]
            for portion in portions_of(session, runs, scores, 1):
                values = portion.components(portion.sums * portion.blocks)
                for at, (key, _) in enumerate(portion.scores()):
                    if key in tested:
                        rows = zip(blocks, values[:, 0, at].tolist(), values[:, 1, at].tolist(), strict=True)
                        differences = [
                            BlockDifference(" ".join(map(str, block.values())), a, b)
                            for block, a, b in rows
                            if math.isfinite(a) and math.isfinite(b)
                        ]
                        differences.sort(key=lambda each: (-each.difference, each.block))
                        unit = " or ".join(dict.fromkeys(name for block in blocks for name in block))
                        sources = [of.table for of in scores[0].scores.sums]
                        found.append(BlockDifferences(tested[key], differences, unit, sources))
    return found
