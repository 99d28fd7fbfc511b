"""The resampled scores of several runs, from the sums of blocks that their results have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path

import numpy as np
import pyarrow as pa

from scorespec.arrays import Floats
from scorespec.comparison.runs import ComparedRun, ScoreKey
from scorespec.compiler.resampling import SEED
from scorespec.compiler.templates import quoted
from scorespec.errors import UsageError
from scorespec.resampling import Draws, Resampled, resample
from scorespec.runtime.block_sums import Part, block_names, portions, read_sums_of_runs
from scorespec.runtime.session import Limits, Session, open_session
from scorespec.runtime.stored_sums import STORED, StoredScores, make_macros, read_rows, read_scores, typed_rows


class Portion:
    """Some scores of a metric of several runs, over the same ``blocks``.

    ``parts`` has what the scores of each run are computed from, ``given`` the tables that they read beside sums.
    """

    def __init__(self, parts: Sequence[Part], given: Sequence[Mapping[str, pa.Table]], session: Session) -> None:
        self._parts, self._given, self._session = parts, given, session
        self.blocks = parts[0].blocks

    def scores(self) -> list[tuple[ScoreKey, float]]:
        """The scores, each with the effective number of its blocks; known once components were computed."""
        return [*self._parts[0].places()]

    def sums(self, run: int) -> Floats:
        """The sums of a run: blocks × sums."""
        return self._parts[run].sums

    def components(self, run: int, sums: Floats) -> Floats:
        """The scores of a run from sums: … × sums to … × scores."""
        with ExitStack() as readable:
            for name, table in self._given[run].items():
                readable.enter_context(self._session.reading(name, table))
            return self._parts[run].components(sums)

    def resampled(self, replicates: int, seed: int = SEED) -> list[Resampled]:
        """The scores of each run in each resample. All runs have the same draws, which are made once."""
        number = len(self._parts)

        def components(sums: Floats) -> Floats:
            of_runs = np.split(sums, number, axis=-1)
            return np.concatenate([self.components(run, each) for run, each in enumerate(of_runs)], axis=-1)

        sums = np.concatenate([each.sums for each in self._parts], axis=1)
        found = resample(sums, components, Draws(seed, self.blocks), replicates)
        scores = np.split(np.arange(len(found.value)), number)
        return [found.only(each) for each in scores]

    def can_be_swapped(self, run: int, other: int) -> bool:
        """Whether blocks of two runs can be swapped: their scores are the same function of sums, and nothing is fitted.

        Scores may depend on further values of each run.
        """
        if self._parts[run].is_fitted:
            return False
        if self._given[run] == self._given[other]:
            return True
        tried = np.concatenate([self.sums(run), self.sums(other)])
        tried = np.concatenate([tried, tried.sum(axis=0) - tried])
        return bool(np.array_equal(self.components(run, tried), self.components(other, tried), equal_nan=True))


def stored_scores(runs: Sequence[ComparedRun], metrics: Collection[str]) -> list[list[StoredScores]]:
    """How some metrics of some runs are resampled: for each metric that all runs have, that of each run."""
    of_files = {file: read_scores(*file, numbers) for file, numbers in _by_file(runs).items()}
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
    with ExitStack() as readable:
        for of in scores.sums:
            readable.enter_context(session.reading(of.table, typed_rows(session, metric[0], of)))
        blocks = block_names(session, scores)
        if not len(blocks):
            return
        _check_blocks(session, runs, metric)
        tables = [read_sums_of_runs(session, of, blocks, len(runs)) for of in scores.sums]
    given = [{name: each.table(session) for name, each in one.given.items()} for one in metric]
    effective = [tables[0][run].effective() for run in range(len(runs))]
    least = {slice_: min(each[slice_] for each in effective) for slice_ in effective[0]}
    every = [each[0] for each in tables]
    for portion in portions(least, every, replicates * len(runs)):
        kept = every[0].of_slices(portion)
        parts = []
        for run in range(len(runs)):
            first, *others = (table[run] for table in tables)
            of_run = [first.of_slices(portion), *(each.of_scopes(kept) for each in others)]
            parts.append(Part(session, metric[run].scores, of_run, least))
        yield Portion(parts, given, session)


def _by_file(runs: Sequence[ComparedRun]) -> dict[tuple[Path, str], dict[int, int]]:
    """For each results database and schema, the numbers of its runs, each with its place among all runs."""
    files: dict[tuple[Path, str], dict[int, int]] = {}
    for at, run in enumerate(runs):
        files.setdefault((run.results, run.schema), {})[run.number] = at
    return files


@contextmanager
def resampling_session(
    runs: Sequence[ComparedRun], metrics: Sequence[Sequence[StoredScores]], limits: Limits
) -> Iterator[Session]:
    """A session in which the queries of stored scores can run over the sums of blocks of some runs."""
    files = _by_file(runs).items() if metrics else ()
    rows = pa.concat_tables([read_rows(*file, numbers) for file, numbers in files]) if metrics else None
    with open_session(limits) as session:
        session.lock()
        make_macros(session, [each for metric in metrics for each in metric])
        with session.reading(STORED, rows) if metrics else nullcontext():
            yield session


def _check_blocks(session: Session, runs: Sequence[ComparedRun], metric: Sequence[StoredScores]) -> None:
    """Raise UsageError if blocks are named by one column in a run and by another column in another run."""
    table = metric[0].scores.sums[0].table
    asked = (
        f"SELECT run, list(DISTINCT json_keys(unit_block)[1] ORDER BY json_keys(unit_block)[1]) AS columns "
        f"FROM {quoted(table)} WHERE unit_block IS NOT NULL GROUP BY run ORDER BY run"
    )
    first, *others = session.table(asked).to_pylist() or [None]
    for other in others:
        if first and not {*first["columns"]} & {*other["columns"]}:
            names = [runs[each["run"]].name for each in (first, other)]
            columns = [", ".join(each["columns"]) for each in (first, other)]
            said = f"{names[0]} and {names[1]} cannot be compared: the blocks of {metric[0].scores.metric} are"
            raise UsageError(f"{said} {columns[0]} in one and {columns[1]} in the other")
