"""How a plan says that scores are resampled: from sums of blocks, at a best threshold, or without groups of blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorespec.plan.scored import Blocks, BlockSums, SweptRows


@dataclass(frozen=True)
class ResampledScores:
    """How the scores of a metric are resampled.

    ``sql`` has a row for each replicate and slice, in order. Its columns are replicate, breakdown, slice, and all
    components, of which ``components`` depend on sums. ``sums`` are the sums of blocks; ``sql`` reads their tables of
    replicates, and has the slices of the first of these sums. ``reads`` are the tables of the sums, and the further
    tables that ``sql`` reads.
    """

    metric: str
    components: tuple[str, ...]
    sql: str
    sums: tuple[BlockSums, ...]
    reads: frozenset[str]


@dataclass(frozen=True)
class DividedInputs:
    """The blocks of the rows of each input that can be divided into blocks; the first input says which blocks exist.

    ``block_rows`` is a query of the number of rows of each block: slice (JSON), unit_block, rows. The rows of the
    whole are those of the first input. It lacks slices by columns that no input has. ``reads`` are the tables that
    ``block_rows`` and the queries of blocks read.
    """

    blocks: Mapping[str, Blocks] = field(hash=False)
    block_rows: str
    reads: frozenset[str]


@dataclass(frozen=True)
class JackknifedScores:
    """Scores whose intervals are made from values without a group of blocks, for which steps are run again.

    ``sql`` has their rows: metric, component, slice, value. It reads the tables ``reads``. ``divisions`` are the ways
    to divide inputs into blocks, the best first: a way is possible if the blocks of all inputs agree. ``wanted`` are
    the columns of blocks that documents list. There are at most ``groups`` groups. ``proportions`` are the metrics and
    components with values from 0 to 1, ``counts`` those that count something.
    """

    metrics: tuple[str, ...]
    sql: str
    reads: frozenset[str]
    divisions: tuple[DividedInputs, ...]
    wanted: tuple[str, ...]
    groups: int
    proportions: frozenset[tuple[str, str]]
    counts: frozenset[tuple[str, str]]


@dataclass(frozen=True)
class ResampledSweep:
    """How the scores of a metric at its best threshold are resampled: ``swept`` says how the threshold is found.

    ``scores`` are those of replicates whose best thresholds are known; their query has the components `threshold` and
    ``swept.best``. With ``folds``, a score is the mean over folds with thresholds of their own.
    """

    scores: ResampledScores
    swept: SweptRows
    folds: bool

    @property
    def metric(self) -> str:
        return self.scores.metric

    @property
    def reads(self) -> frozenset[str]:
        """The tables that exist after the last step and are read."""
        return self.scores.reads | {self.swept.rows} | ({self.swept.marked} if self.swept.marked else set())
