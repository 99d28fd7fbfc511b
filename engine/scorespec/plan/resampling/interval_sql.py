"""How the scores of a plan are resampled: every query that a run executes for intervals, as data.

A query over replicates reads the sums of each replicate from a table that the run makes with numpy. ``whole`` and the
running sums of the plan take the place of such a table where a script is read or run by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scorespec.plan.rendering.templates import quoted

REPLICATES = 9_999
SWEPT_REPLICATES = 1_999  # of a metric whose best threshold is found again in each
SEED = 0
OF_CELL = "of cell"  # a column that we add; no column of a document has a space in its name
ASIDE = "aside"  # the schema of tables that are made a second time
LEFT_OUT = "blocks left out"  # the table with the blocks of the group that is left out


@dataclass(frozen=True)
class BlockSums:
    """A table with the ``statistics`` of each block in each slice: ``keys``, unit_block, statistics.

    A row without a block stands for a slice without units. In a query over replicates, the table ``replicates`` stands
    in its place: it has replicate instead of unit_block. If the sums depend on something that is ``fitted`` to all
    rows of a system, such as a calibration, those of two systems cannot be swapped. ``size`` is the statistic that
    gives the size of a block; without it, this is the statistic that is spread most evenly.
    """

    table: str
    keys: tuple[str, ...]
    statistics: tuple[str, ...]
    wanted: tuple[str, ...]
    fitted: bool = False
    size: str = ""

    @property
    def replicates(self) -> str:
        return f"{self.table}_replicates"

    @property
    def whole(self) -> str:
        """The query of the sums over all blocks in each cell, as those of replicate 0."""
        sums = ", ".join(f"sum({quoted(name)}) AS {quoted(name)}" for name in self.statistics)
        keys = _names(self.keys)
        return f"SELECT 0 AS replicate, {keys}, {sums}\nFROM {quoted(self.table)}\nGROUP BY ALL\nORDER BY {keys}"

    @property
    def rows(self) -> str:
        """The query of the sums of each block, with the number of their cell in ``whole``."""
        columns = f"* EXCLUDE ({_names(self.keys)}), {self.cell}"
        return f"SELECT {columns}\nFROM {quoted(self.table)}\nQUALIFY unit_block IS NOT NULL"

    @property
    def cell(self) -> str:
        """The number of the cell of a row, from 0, as a column."""
        return f"dense_rank() OVER (ORDER BY {_names(self.keys)}) - 1 AS {quoted(OF_CELL)}"

    def rows_of_cells(self, table: str, point: str) -> str:
        """The query of another table with the statistics of each block at each ``point``, and the cell of each row."""
        keys = (quoted(key) for key in self.keys if key != "slice")  # rows at points lack the label
        agree = " AND ".join(f"of_points.{key} IS NOT DISTINCT FROM cells.{key}" for key in keys)
        columns = ", ".join(f"of_points.{quoted(name)}" for name in ("unit_block", point, *self.statistics))
        return (
            f"SELECT cells.{quoted(OF_CELL)}, {columns}\nFROM {quoted(table)} AS of_points\n"
            f"JOIN (SELECT DISTINCT {_names(self.keys)}, {self.cell} FROM {quoted(self.table)}) AS cells ON {agree}"
        )


@dataclass(frozen=True)
class ResampledScores:
    """How the scores of a ``metric`` are resampled from sums of blocks.

    ``sql`` has a row for each replicate and slice: replicate, breakdown, slice, and all components, of which
    ``components`` depend on sums. It reads the tables of replicates of ``sums``, and has the slices of the first of
    them. ``reads`` are the tables of the sums, and the further tables that ``sql`` reads. A kind gives the query
    without a metric; a plan has the mean over folds, and the rows in order.
    """

    components: tuple[str, ...]
    sql: str
    sums: tuple[BlockSums, ...]
    reads: frozenset[str]
    metric: str = ""

    @property
    def blocks(self) -> str:
        """The query of the sorted names of all blocks."""
        tables = " UNION ALL ".join(f"SELECT unit_block FROM {quoted(each.table)}" for each in self.sums)
        return f"SELECT DISTINCT unit_block\nFROM ({tables})\nWHERE unit_block IS NOT NULL\nORDER BY unit_block"


@dataclass(frozen=True)
class ResampledSweep:
    """How the scores of a metric are resampled at the best threshold of each replicate.

    ``scores`` are those of replicates whose best thresholds are known; their query has the components `threshold` and
    ``best``. It reads the table ``points`` instead of the table ``running`` of running sums: the points among which it
    takes the best one. The sums of blocks are those of all rows, accepted or not.

    The table ``by_score`` has the statistics at each score, for each block in each slice: the keys of the sums of
    blocks without the label `slice`, unit_block, threshold, statistics. The table ``by_mark`` has the same columns with
    mark instead of threshold, for the marked points of the curve; None without marks. ``objective`` has the values of
    the columns ``banded`` and ``rates`` at each point, ordered by replicate and rank; the first of ``banded`` is
    ``best``. Values within ``tie`` of the largest, or of the smallest without ``largest``, are ties. ``rates`` are two
    rates that cross at the threshold, or none; with ``hull``, the components are those on the convex hull. With
    ``reject_all``, the query also tries accepting no row. With ``folds``, a score is the mean over folds with
    thresholds of their own.
    """

    scores: ResampledScores
    by_score: str
    by_mark: str | None
    points: str
    running: str
    best: str
    largest: bool
    tie: float
    reject_all: bool
    objective: str
    banded: tuple[str, ...]
    rates: tuple[str, ...]
    hull: bool
    folds: bool = False

    @property
    def metric(self) -> str:
        return self.scores.metric

    @property
    def sums(self) -> BlockSums:
        """The sums of blocks over all rows."""
        return self.scores.sums[0]

    @property
    def rows(self) -> str:
        """The query of the statistics at each score."""
        return self.sums.rows_of_cells(self.by_score, "threshold")

    @property
    def marked(self) -> str | None:
        """The query of the statistics at each marked point of the curve; None without marks."""
        return self.by_mark and self.sums.rows_of_cells(self.by_mark, "mark")

    @property
    def reads(self) -> frozenset[str]:
        """The tables that exist after the last step and are read."""
        return self.scores.reads | {self.by_score} | ({self.by_mark} if self.by_mark else set())


@dataclass(frozen=True)
class InputsInBlocks:
    """The ``inputs`` whose rows can be divided into blocks; the first input says which blocks exist.

    ``with_blocks`` are the statements that make views of their rows with their blocks. Each of ``disagreements`` is a
    query of whether another input has rows that belong to several blocks of the first input. ``block_rows`` is a query
    of the number of rows of each block: slice (JSON), unit_block, rows. The rows of the whole are those of the first
    input. It lacks slices by columns that no input has. ``without`` are the statements that make views of the inputs
    without the blocks in the table ``LEFT_OUT``. ``reads`` are the tables that all of these read.
    """

    inputs: tuple[str, ...]
    with_blocks: tuple[str, ...]
    disagreements: tuple[str, ...]
    block_rows: str
    without: tuple[str, ...]
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
    divisions: tuple[InputsInBlocks, ...]
    wanted: tuple[str, ...]
    groups: int
    proportions: frozenset[tuple[str, str]]
    counts: frozenset[tuple[str, str]]

    @property
    def inputs(self) -> set[str]:
        """The inputs that some way divides."""
        return {name for way in self.divisions for name in way.inputs}


@dataclass(frozen=True)
class Resampling:
    """How the scores of a plan are resampled, for intervals or later.

    ``scores`` are computed from sums of blocks, ``sweeps`` at a best threshold of each replicate, ``jackknifed``
    without groups of blocks.
    """

    scores: tuple[ResampledScores, ...] = ()
    sweeps: tuple[ResampledSweep, ...] = ()
    jackknifed: tuple[JackknifedScores, ...] = ()

    def selects(self) -> Iterator[str]:
        """The SELECTs whose SQL is that of documents."""
        yield from (each.sql for each in self.scores)
        yield from (sql for each in self.sweeps for sql in (each.scores.sql, each.objective))
        for each in self.jackknifed:
            yield from (each.sql, *(way.block_rows for way in each.divisions))

    def reads(self) -> set[str]:
        """The tables that sums of blocks and rows at thresholds are read from."""
        tables = (*(each.reads for each in self.scores), *(each.reads for each in self.sweeps))
        return set().union(*tables)


def _names(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))
