"""The runs of a comparison: their scores, and whether they can be compared."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from scorespec.core.disclosure import UNITS, Disclosure
from scorespec.core.groups import grouped
from scorespec.core.result_tables import INTERVAL, RunRecord
from scorespec.core.score_text import parts_of_whole
from scorespec.errors import Code, UsageError, unknown
from scorespec.plan.request import OF_INTERVALS, SETTINGS
from scorespec.results.reading import StoredRuns, gold_inputs, run_names, stored_runs, with_older_gold
from scorespec.statistics import Interval
from scorespec.statistics.confidence import in_range

ScoreKey = tuple[str, str, str]  # metric, component, slice as JSON
By = Sequence[tuple[str, ...]]  # breakdowns, each one column or several crossed


@dataclass(frozen=True)
class ComparedRun:
    """A stored run: the results database that has it, its number there, its record and its scores.

    ``others`` are earlier runs of the same system, which may have other metrics. ``older`` names the runs of the system
    that are left out, because they were scored against older gold.
    """

    results: Path
    schema: str
    number: int
    record: RunRecord
    scores: pa.Table
    others: tuple[ComparedRun, ...] = ()
    older: tuple[str, ...] = ()

    @property
    def place(self) -> tuple[Path, str, int]:
        """Where the run is: the results database, the schema, and the number."""
        return self.results.resolve(), self.schema, self.number

    @property
    def name(self) -> str:
        """The name of the system."""
        return self.record.name or f"run {self.number}"

    @cached_property
    def values(self) -> dict[ScoreKey, float | None]:
        """The value of each score."""
        keys = zip(*(self.scores[name].to_pylist() for name in ("metric", "component", "slice")), strict=True)
        return dict(zip(keys, self.scores["value"].to_pylist(), strict=True))

    @property
    def level(self) -> float | None:
        """The level of the stored intervals in percent; None if there are none."""
        level = self.record.parameters.get("confidence")
        return float(level) if isinstance(level, int | float) else None

    @cached_property
    def ends(self) -> dict[ScoreKey, tuple[float | None, float | None]]:
        """The ends of the stored interval of each score, None without intervals."""
        columns = [
            self.scores[name].to_pylist() if name in self.scores.column_names else [None] * len(self.scores)
            for name in INTERVAL
        ]
        return dict(zip(self.values, zip(*columns, strict=True), strict=True))

    @cached_property
    def bounds(self) -> dict[tuple[str, str], tuple[float | None, float | None]]:
        """For each metric and component, the least and the greatest value, if there is one or the other."""
        return {(metric, component): (low, high) for metric, component, low, high in self.record.ranges}

    def inside(self, interval: Interval, value: float | None, of: tuple[str, str]) -> Interval:
        """The part of an interval of a metric and component that is in the range of the component."""
        whole = of in self.record.counts and value is not None and float(value).is_integer()
        return in_range(interval, value or 0.0, self.bounds.get(of, (None, None)), whole)

    @cached_property
    def names(self) -> set[str]:
        """The metrics that have a better direction, and their components as ``metric.component``."""
        rated = {key[:2] for key in self.values if key[:2] in self.better}
        return {name for metric, component in rated for name in (metric, f"{metric}.{component}")}

    def own(self, name: str) -> str:
        """The name of a metric or component without the suite of the run: ``wer`` for ``sclite.wer``."""
        rest = name.removeprefix(f"{self.record.suite}.")
        metrics = (metric for run in (self, *self.others) for metric, *_ in run.values)
        return rest if any(f"{rest}.".startswith(f"{metric}.") for metric in metrics) else name

    def having(self, name: str, by: By = ()) -> ComparedRun:
        """The latest run of the system that has a metric or a component; the run itself if none has.

        A run that was broken down ``by`` some columns is preferred to later ones that were not.
        """
        found = [each for each in (self, *reversed(self.others)) if name in each.names] or [self]
        wanted = {*map(frozenset, by)}
        return next((each for each in found if wanted <= {*map(frozenset, each.record.breakdowns)}), found[0])

    @cached_property
    def better(self) -> dict[tuple[str, str], str]:
        """For each metric and component with a direction, whether higher or lower values are better."""
        return {(metric, component): better for metric, component, better in self.record.better}


def stored_run(results: Path, schema: str, run: int | str) -> ComparedRun:
    """A run of a results database by its number, or the runs of a system with the newest gold by its name.

    Raises UsageError if there is no such run, and for runs of one name that may not be those of one system.
    """
    with stored_runs(results, schema) as runs:
        found, older = newest_gold(compared_runs(results, schema, runs, runs.named(run)))
        if len({(each.record.suite, each.record.corpus) for each in found}) > 1:
            runs.find(run)  # which says that there are several
    return replace(found[-1], others=tuple(found[:-1]), older=tuple(older))


def run_before(run: ComparedRun) -> ComparedRun | None:
    """The run that a run superseded, such as that of the night before; None if there is none.

    Its ``others`` are the runs that the ``others`` of the run superseded.
    """
    with stored_runs(run.results, run.schema) as runs:
        before = {row["superseded_by"]: row["id"] for row in runs.list().to_pylist()}
        numbers = sorted(before[each.number] for each in (run, *run.others) if each.number in before)
        found = compared_runs(run.results, run.schema, runs, numbers)
    return replace(found[-1], others=tuple(found[:-1])) if found else None


def newest_gold(runs: Sequence[ComparedRun], kept: Collection[int] = ()) -> tuple[list[ComparedRun], list[str]]:
    """The runs of a results database with the newest gold of their corpus, and what the others are called.

    Those whose numbers are ``kept`` stay in any case.
    """
    older = {*with_older_gold({run.number: run.record for run in runs})}.difference(kept)
    names = [f"{run.name} (run {run.number})" for run in runs if run.number in older]
    return [run for run in runs if run.number not in older], names


def together(
    runs: Sequence[ComparedRun], names: Iterable[str], by: By = ()
) -> list[tuple[list[ComparedRun], list[str]]]:
    """The metrics that are taken from the same runs: of each system, the latest run that has the metric."""
    found: dict[tuple[int, ...], tuple[list[ComparedRun], list[str]]] = {}
    for name in names:
        named = ((run.name, run.having(name, by)) for run in runs)
        having = [replace(each, record=replace(each.record, name=system)) for system, each in named]
        found.setdefault(tuple(run.number for run in having), (having, []))[1].append(name)
    return [*found.values()]


def shared(runs: Sequence[ComparedRun]) -> list[str]:
    """The metrics that all systems have."""
    listed = (key[0] for run in runs for each in (*run.others, run) for key in each.values)
    return [name for name in dict.fromkeys(listed) if all(name in run.having(name).names for run in runs)]


def place_of(key: Sequence[object], names: Sequence[str]) -> int:
    """The place of a score, a metric and a component, in the order of some names of metrics and components."""
    either = key[0], f"{key[0]}.{key[1]}"
    return min(names.index(each) if each in names else len(names) for each in map(str, either))


def compared_runs(results: Path, schema: str, runs: StoredRuns, numbers: Sequence[int]) -> list[ComparedRun]:
    """Some runs of a results database that is open."""
    rows = zip(numbers, runs.records(numbers), runs.scores_of(numbers), strict=True)
    return [ComparedRun(results, schema, *each) for each in rows]


def by_file(runs: Sequence[ComparedRun]) -> dict[tuple[Path, str], dict[int, int]]:
    """For each results database and schema, the numbers of its runs, each with its place among all runs."""
    files: dict[tuple[Path, str], dict[int, int]] = {}
    for at, run in enumerate(runs):
        files.setdefault((run.results, run.schema), {})[run.number] = at
    return files


def with_distinct_names(runs: Sequence[ComparedRun]) -> list[ComparedRun]:
    """The runs, where runs of one name, such as those of two nights, have their numbers in their names.

    Runs of several results databases can have one number. Then the places of the runs in the list replace the numbers.
    """
    numbers = [run.number for run in runs]
    distinct = numbers if len({*numbers}) == len(numbers) else range(1, len(numbers) + 1)
    names = run_names([run.record for run in runs], distinct)
    return [replace(run, record=replace(run.record, name=name)) for run, name in zip(runs, names, strict=True)]


def check_comparable(runs: Sequence[ComparedRun], same_gold: bool = True, slices: bool = False) -> None:
    """Raise UsageError if the scores of some runs do not measure the same thing, or not on the same data.

    With ``slices``, the scores of slices are compared as well.
    """
    every = [each for run in runs for each in (run, *run.others)]
    for run in every[1:]:
        first, other = with_distinct_names((every[0], run))
        differences = list(_differences(first.record, other.record))
        differences += _of_gold(first, other, slices) if same_gold and first.record.suite == other.record.suite else []
        if differences:
            said = f"{first.name} and {other.name} cannot be compared: "
            raise UsageError(said + "; ".join(differences))
    for run in every:
        if not Disclosure(tuple(run.record.withheld)).allows("block_sums"):
            raise UsageError(f"{run.name} cannot be compared: {UNITS} were withheld when it was scored")


def _differences(one: RunRecord, other: RunRecord) -> Iterator[str]:
    """What makes the scores of two runs incomparable."""
    if one.suite != other.suite:
        yield f"one was scored by suite {one.suite}, the other by {other.suite}"
        return
    # A run records the parameters that its metrics read: shared metrics read none that only one of two runs records.
    read_by_both = one.parameters.keys() & other.parameters.keys()
    for name in sorted((read_by_both | {*SETTINGS}) - {*OF_INTERVALS, *one.calibrated, *other.calibrated}):
        values = [json.dumps(each.parameters.get(name)) for each in (one, other)]
        if values[0] != values[1]:
            yield f"{name} is {values[0]} in one and {values[1]} in the other"
    versions = [each.versions.get("scorespec", "?") for each in (one, other)]
    if one.documents != other.documents:
        yield "their documents or plugins differ"
    elif versions[0] != versions[1]:
        yield f"one was scored by version {versions[0]} of scorespec, the other by {versions[1]}"


def _of_gold(one: ComparedRun, other: ComparedRun, slices: bool) -> Iterator[str]:
    """Which inputs of the gold of two runs differ."""
    whole, golds = ([gold_inputs(run.record.gold, every) for run in (one, other)] for every in (False, slices))
    for name in sorted(golds[0].keys() | golds[1].keys()):
        having = [run.name for run, gold in zip((one, other), golds, strict=True) if name in gold]
        if len(having) == 2 and golds[0][name] != golds[1][name]:
            yield f"input {name}, which is gold, differs"
        elif len(having) == 1 and name in whole[0] | whole[1]:
            yield f"input {name} was given for {having[0]} alone"


def compared_scores(
    runs: Sequence[ComparedRun], metrics: Iterable[str], slices: bool = False, by: By = ()
) -> list[ScoreKey]:
    """The scores that all runs share and that have a better direction.

    ``metrics`` are names of metrics, or of components as ``metric.component``, in whose order the scores are; without
    them, all metrics are compared, in the order of the first run.
    A count is compared only if its component is named, because a count and the rate that is computed from it would be
    two tests of one thing. Unless ``slices``, only the scores of the whole submission are compared, and those of its
    parts ``by`` some columns. Raises UsageError for a metric or a breakdown that the runs do not have.
    """
    first = runs[0]
    found = [key for key in first.values if all(key in run.values for run in runs) and key[:2] in first.better]
    names, of_first = (
        {name for metric, component, _ in keys for name in (metric, f"{metric}.{component}")}
        for keys in (found, first.values)
    )
    wanted = list(metrics)
    if wanted and not names:
        raise UsageError(why_no_scores(runs))
    for each in wanted:
        if each not in names:
            has = each in of_first - first.names
            said = "neither higher nor lower values of {!r} are better" if has else "unknown metric {!r} of these runs"
            raise unknown(said.format(each), each, names)
    counts = {*first.record.counts}
    found = [
        key
        for key in found
        if f"{key[0]}.{key[1]}" in wanted or (key[:2] not in counts and (not wanted or key[0] in wanted))
    ]
    columns = columns_of_parts(found)
    for each in map(",".join, by):
        if frozenset(each.split(",")) not in columns.values():
            known = sorted({",".join(sorted(part)) for part in columns.values() if part})
            said = f"--by {each}: not all of these runs have scores by {each}"
            raise UsageError(f"{said}; they have scores by {'; '.join(known) or 'no column'}", Code.UNKNOWN_NAME)
    kept = (key for key in found if slices or columns[key] in (frozenset(), *map(frozenset, by)))
    return sorted(kept, key=lambda key: place_of(key, wanted))


def why_no_scores(runs: Sequence[ComparedRun]) -> str:
    """Why none of the scores of some runs is compared, and what to do."""
    if not any(each.better for run in runs for each in (run, *run.others)):
        said = "no score of these runs says which direction is better"
        return f"{said}: write `better: higher` or `better: lower` in its document, and score again"
    if not shared(runs):
        return "these runs share no score for which a direction is better"
    return "these runs share only counts, or scores of slices: name a count with --metric, or a column with --by"


def columns_of_parts(keys: Iterable[ScoreKey]) -> dict[ScoreKey, frozenset[str]]:
    """The columns by which each score is that of a part; none for a score of the whole submission."""
    found = [*keys]
    slices = grouped((metric, slice_) for metric, _, slice_ in found)
    parts = {metric: parts_of_whole(each) for metric, each in slices.items()}
    return {key: parts[key[0]][key[2]] for key in found}
