"""The resampled scores of several runs, from the sums of blocks that their results have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import numpy as np
import pyarrow as pa

from scorespec.comparison.compared_runs import ComparedRun, ScoreKey, by_file
from scorespec.core.arrays import Floats
from scorespec.errors import UsageError
from scorespec.intervals.block_sums import OF_RUN, SomeScores, Sums, portions, read_sums
from scorespec.intervals.found_intervals import Slice
from scorespec.intervals.stored_sums import (
    StoredScores,
    given_rows,
    make_macros,
    query_of_runs,
    read_block_sums,
    read_scores,
)
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.resampling.interval_sql import SEED
from scorespec.results.reading import reading_table
from scorespec.run.limits import Limits
from scorespec.run.session import Session, open_session
from scorespec.statistics import Draws, Resampled, Significance, randomisation_tests, resample


class Portion:
    """Some scores of a metric of several runs, over the same ``blocks``; ``sums`` are blocks × runs × sums.

    ``tables`` has the sums of each run, ``given`` the tables that the query of the metric reads beside sums.
    """

    def __init__(
        self,
        session: Session,
        metric: Sequence[StoredScores],
        tables: Sequence[Sequence[Sums]],
        effective: Mapping[Slice, float],
        given: Mapping[str, pa.Table],
    ) -> None:
        self._session, self._metric, self._cells, self._effective = session, metric, tables[0], effective
        self._given = given
        self._scores: list[tuple[ScoreKey, float]] = []
        self.blocks = tables[0][0].number
        self.sums = np.stack([np.concatenate([each.by_block() for each in run], axis=1) for run in tables], axis=1)

    def scores(self) -> list[tuple[ScoreKey, float]]:
        """The scores, each with the effective number of its blocks; known once components were computed."""
        return self._scores

    def components(self, sums: Floats, runs: Sequence[int] | None = None) -> Floats:
        """The scores of some runs, or of all, from their sums: … × runs × sums to … × runs × scores."""
        runs = range(len(self._metric)) if runs is None else runs
        one = self._metric[0]
        scores = replace(one.scores, sql=query_of_runs(one, runs))
        part = SomeScores(self._session, scores, self._cells, self._effective, together=len(runs))
        with ExitStack() as readable:
            for name, table in self._given.items():
                readable.enter_context(self._session.reading(name, table))
            found = part.components(sums)
        self._scores = [*part.places()]
        return found

    def resampled(self, replicates: int, seed: int = SEED) -> list[Resampled]:
        """The scores of each run in each resample. All runs have the same draws, which are made once."""
        found = resample(self.sums, self.components, Draws(seed, self.blocks), replicates)
        runs = range(len(self._metric))
        return [Resampled(found.value[run], found.replicates[:, run], found.left_out[:, run]) for run in runs]

    def can_be_swapped(self, run: int, other: int) -> bool:
        """Whether blocks of two runs can be swapped: their scores are the same function of sums, and nothing is fitted.

        Scores may depend on further values of each run.
        """
        if any(each.of.fitted for each in self._cells):
            return False
        if self._metric[run].given == self._metric[other].given:
            return True
        tried = np.concatenate([self.sums[:, run], self.sums[:, other]])
        tried = np.concatenate([tried, tried.sum(axis=0) - tried])
        found = self.components(np.stack([tried, tried], axis=1), (run, other))
        return bool(np.array_equal(found[:, 0], found[:, 1], equal_nan=True))

    def swapped(self, run: int, other: int, replicates: int) -> Significance:
        """The randomisation tests of two runs whose blocks can be swapped."""

        def components(sums: Floats) -> Floats:
            return self.components(sums[..., None, :], (run,))[..., 0, :]

        return randomisation_tests(self.sums[:, run], self.sums[:, other], components, SEED, replicates)


def stored_scores(runs: Sequence[ComparedRun], metrics: Collection[str]) -> list[list[StoredScores]]:
    """How some metrics of some runs are resampled: for each metric that all runs have, that of each run."""
    of_files = {file: read_scores(*file, numbers) for file, numbers in by_file(runs).items()}
    of_runs = [of_files[run.results, run.schema].get(run.number, []) for run in runs]
    keyed = [
        {(each.scores.metric, each.scores.sql): each for each in found if each.scores.metric in metrics}
        for found in of_runs
    ]
    return [[found[key] for found in keyed] for key in keyed[0] if all(key in found for found in keyed)]


def portions_of(
    session: Session, runs: Sequence[ComparedRun], metric: Sequence[StoredScores], replicates: int
) -> Iterator[Portion]:
    """The scores of a metric of some runs, in portions that are resampled at once.

    A block that is missing in a run has sums of 0 there. Raises UsageError if the runs have different kinds of blocks.
    """
    scores = metric[0].scores
    blocks = session.table(scores.blocks)["unit_block"]
    if not len(blocks):
        return
    _check_blocks(session, runs, metric)
    tables = [read_sums(session, of, blocks, len(runs)) for of in scores.sums]
    given = {name: given_rows(session, [each.given[name] for each in metric]) for name in metric[0].given}
    effective = [tables[0][run].effective() for run in range(len(runs))]
    least = {slice_: min(each[slice_] for each in effective) for slice_ in effective[0]}
    every = [each[0] for each in tables]
    for portion in portions(least, every, replicates * len(runs)):
        kept = every[0].of_slices(portion)
        of_runs = []
        for run in range(len(runs)):
            first, *others = (table[run] for table in tables)
            of_runs.append([first.of_slices(portion), *(each.of_scopes(kept) for each in others)])
        yield Portion(session, metric, of_runs, least, given)


@contextmanager
def resampling_session(
    runs: Sequence[ComparedRun], metrics: Sequence[Sequence[StoredScores]], limits: Limits
) -> Iterator[Session]:
    """A session in which the queries of stored scores can run over the sums of blocks of some runs."""
    firsts = [metric[0] for metric in metrics]
    files = [read_block_sums(*file, places, firsts) for file, places in by_file(runs).items()] if metrics else [{}]
    with (
        reading_table(runs[0].results, "resampled or block_sums"),
        open_session(limits) as session,
        ExitStack() as readable,
    ):
        session.lock()
        make_macros(session, [each for metric in metrics for each in metric])
        for name in files[0]:
            readable.enter_context(session.reading(name, pa.concat_tables(file[name] for file in files)))
        yield session


def _check_blocks(session: Session, runs: Sequence[ComparedRun], metric: Sequence[StoredScores]) -> None:
    """Raise UsageError if blocks are named by one column in a run and by another column in another run."""
    table = metric[0].scores.sums[0].table
    asked = (
        f"SELECT {quoted(OF_RUN)} AS run, list(DISTINCT json_keys(unit_block)[1]) AS columns "
        f"FROM {quoted(table)} WHERE unit_block IS NOT NULL GROUP BY ALL ORDER BY run"
    )
    first, *others = session.table(asked).to_pylist() or [None]
    for other in others:
        if first and not {*first["columns"]} & {*other["columns"]}:
            names = [runs[each["run"]].name for each in (first, other)]
            columns = [", ".join(sorted(each["columns"])) for each in (first, other)]
            said = f"{names[0]} and {names[1]} cannot be compared: the blocks of {metric[0].scores.metric} are"
            raise UsageError(f"{said} {columns[0]} in one and {columns[1]} in the other")
