"""The resampled scores of several runs: from the sums of blocks that their results have, or as results keep them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from scorespec.comparison.compared_runs import ComparedRun, ScoreKey, by_file
from scorespec.core.arrays import Floats, numpy_floats
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
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.resampling.interval_sql import SEED
from scorespec.results.reading import opened_once, reading_table, stored_runs
from scorespec.run.limits import Limits
from scorespec.run.session import Session, open_session
from scorespec.statistics import Draws, Resampled, Significance, randomisation_tests, resample

BOOTSTRAP, JACKKNIFE = "bootstrap", "jackknife"
UNDEFINED = "undefined without some blocks"  # why a score has no interval


# -- from sums of blocks ------------------------------------------------------------------------------


class Portion:
    """Some scores of a metric of several runs, over blocks with these ``names``; ``sums`` are blocks × runs × sums.

    ``tables`` has the sums of each run, ``given`` the other tables that the query of the metric reads. ``scores``
    has the scores, each with the effective number of its blocks; they are known once components were computed.
    """

    def __init__(
        self,
        session: Session,
        metric: Sequence[StoredScores],
        tables: Sequence[Sequence[Sums]],
        effective: Mapping[Slice, float],
        given: Mapping[str, pa.Table],
        names: pa.ChunkedArray,
    ) -> None:
        self._session, self._metric, self._cells, self._effective = session, metric, tables[0], effective
        self._given, self.names, self.blocks = given, names, len(names)
        self.scores: list[tuple[ScoreKey, float]] = []
        firsts = [run[0] for run in tables]
        pairs = {
            (at, block) for each in firsts for at, block in zip(each.cell.tolist(), each.block.tolist(), strict=True)
        }
        self._of_slices = Counter(
            slice_ for slice_, _ in {(self._cells[0].slices[at][1], block) for at, block in pairs}
        )
        self.sums = np.stack([np.concatenate([each.by_block() for each in run], axis=1) for run in tables], axis=1)

    @property
    def block(self) -> str:
        """The columns that name blocks, such as `speaker or file`."""
        return " or ".join(dict.fromkeys(", ".join(json.loads(name)) for name in self.names.to_pylist()))

    def blocks_of(self, key: ScoreKey) -> int:
        """The number of blocks that have units in the slice of a score, in any of the runs."""
        return self._of_slices[key[2]] or self.blocks

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
        self.scores = [*part.places()]
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
        of_runs = [
            [first.of_slices(portion), *(each.of_scopes(kept) for each in others)]
            for first, *others in zip(*tables, strict=True)
        ]
        yield Portion(session, metric, of_runs, least, given, blocks)


@contextmanager
def resampling_session(
    runs: Sequence[ComparedRun], metrics: Collection[str], limits: Limits
) -> Iterator[tuple[Session, list[list[StoredScores]]]]:
    """A session that has the sums of blocks of some runs, whose results stay open; and how metrics are resampled.

    That is, for each of the ``metrics`` that can be resampled in all runs, the query of each run. Raises UsageError if
    the runs were scored with different --blocks.
    """
    for run in runs:
        chosen = [each.record.parameters.get("blocks") for each in (runs[0], run)]
        if chosen[0] != chosen[1]:
            said = " and ".join(each or "those of the suite" for each in chosen)
            raise UsageError(f"{runs[0].name} and {run.name} cannot be compared: their blocks (--blocks) are {said}")
    with ExitStack() as opened:
        for file in by_file(runs):
            opened.enter_context(opened_once(*file))
        of_files = {file: read_scores(*file, numbers) for file, numbers in by_file(runs).items()}
        of_runs = [of_files[run.results, run.schema].get(run.number, []) for run in runs]
        keyed = [
            {(each.scores.metric, each.scores.sql): each for each in found if each.scores.metric in metrics}
            for found in of_runs
        ]
        every = [[found[key] for found in keyed] for key in keyed[0] if all(key in found for found in keyed)]
        firsts = [metric[0] for metric in every]
        files = [read_block_sums(*file, places, firsts) for file, places in by_file(runs).items()] if every else [{}]
        opened.enter_context(reading_table(runs[0].results, "resampled or block_sums"))
        session = opened.enter_context(open_session(limits))
        session.lock()
        make_macros(session, [each for metric in every for each in metric])
        for name in files[0]:
            opened.enter_context(session.reading(name, pa.concat_tables(file[name] for file in files)))
        yield session, every


def _check_blocks(session: Session, runs: Sequence[ComparedRun], metric: Sequence[StoredScores]) -> None:
    """Raise UsageError if blocks are named by one column in a run and by another column in another run."""
    table = metric[0].scores.sums[0].table
    asked = (
        f"SELECT {quoted(OF_RUN)} AS run, list(DISTINCT array_to_string(json_keys(unit_block), ',')) AS columns "
        f"FROM {quoted(table)} WHERE unit_block IS NOT NULL GROUP BY ALL ORDER BY run"
    )
    first, *others = session.table(asked).to_pylist() or [None]
    for other in others:
        if first and not {*first["columns"]} & {*other["columns"]}:
            names = [runs[each["run"]].name for each in (first, other)]
            columns = [", ".join(sorted(each["columns"])) for each in (first, other)]
            said = f"{names[0]} and {names[1]} cannot be compared: the blocks of {metric[0].scores.metric} are"
            raise UsageError(f"{said} {columns[0]} in one and {columns[1]} in the other")


# -- kept in results ----------------------------------------------------------------------------------


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
    lacking = [run for run, each in zip(runs, kept, strict=True) if all(key != known for known, _ in each)]
    if not lacking:
        return "blocks differ"
    if names := [run.name for run in lacking if run.level is None]:
        return f"score {' and '.join(names)} with --confidence"
    notes = dict(zip(lacking[0].values, lacking[0].scores["note"].to_pylist(), strict=True))
    note = str(notes[key]).partition("no interval: ")[2] or "results have no replicates"
    return f"{note} ({lacking[0].name})"
