"""Leaderboards: the systems of a results database by their scores, with the orders that are established."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np

from scorespec.comparison.compared_runs import (
    By,
    ComparedRun,
    ScoreKey,
    check_comparable,
    compared_runs,
    compared_scores,
    newest_gold,
    place_of,
    shared,
    together,
)
from scorespec.comparison.resampled import (
    UNDEFINED,
    Kept,
    KeptScores,
    kept_scores,
    portions_of,
    resampled_scores,
    resampling_session,
    why_unpaired,
    without_groups,
)
from scorespec.comparison.targets import Targets
from scorespec.core.arrays import Floats
from scorespec.core.groups import grouped
from scorespec.errors import UsageError
from scorespec.intervals.found_intervals import too_few
from scorespec.results.reading import stored_runs
from scorespec.run.limits import Limits
from scorespec.statistics import (
    Interval,
    Resampled,
    bca_interval,
    holm,
    jackknife_interval,
    jackknife_test,
    mean_over_corpora,
    pairwise_max_t,
    standings,
)
from scorespec.statistics.confidence import FEWEST_BLOCKS

REPLICATES = 1_999
Column = tuple[str, str, str, str | None, int]  # metric, component, slice, corpus, number of corpora


@dataclass(frozen=True)
class Entry:
    """A score of a system on a leaderboard.

    ``best`` and ``worst`` are the ends of its rank interval: 1 + the number of systems that are significantly better,
    and the number of systems minus those that are significantly worse. Systems in different groups are always
    significantly different; ``group`` counts them from the best. The value of a single corpus has its name in
    ``corpus``, if it has one. A mean has the number of its ``corpora``; without a mean, ``lacks`` names the corpora
    on which the system was not scored. ``note`` says why there is no interval. ``missed`` has the targets that the
    value misses.
    """

    metric: str
    component: str
    slice: str
    corpus: str | None
    system: str
    run: int | None
    value: float | None
    low: float | None = None
    high: float | None = None
    best: int | None = None
    worst: int | None = None
    group: int | None = None
    better: str = "higher"
    note: str | None = None
    corpora: int = 1
    lacks: str | None = None
    missed: str | None = None

    @property
    def column(self) -> Column:
        """What the score is a score of."""
        return self.metric, self.component, self.slice, self.corpus, self.corpora


@dataclass(frozen=True, eq=False)
class _TestedScore:
    """A score of several systems: intervals, and p of each pair (systems × systems); None where there are none."""

    intervals: Sequence[Interval]
    p: Floats | None
    resampled: Sequence[Resampled] = ()
    note: str | None = None


def board_runs(
    results: Path, schema: str, runs: Iterable[int | str] = (), suite: str | None = None
) -> tuple[list[ComparedRun], list[str]]:
    """The runs of a leaderboard: those that are named, or all current runs of submissions with the newest gold.

    The runs of one system are one. The second list names the runs that are left out because their gold is older.
    Raises UsageError if there are no runs, or if they were scored by several suites.
    """
    asked = list(runs)
    with stored_runs(results, schema) as stored:
        named = sorted({number for run in asked for number in stored.named(run)})
        numbers = named or [row["id"] for row in stored.submissions()]
        found = compared_runs(results, schema, stored, numbers)
    if suite is not None:
        found = [run for run in found if run.record.suite == suite]
    if not found:
        raise UsageError(f"{results} has no run of a submission" + (f" scored by {suite}" if suite else ""))
    suites = list(dict.fromkeys(run.record.suite for run in found))
    if len(suites) > 1:
        raise UsageError(f"the runs were scored by {', '.join(suites)}; name one of them with --suite, or name runs")
    numbered = {*map(str, asked)}
    found, older = newest_gold(found, {run.number for run in found if str(run.number) in numbered})
    systems = grouped(((run.record.corpus, run.name), run) for run in found)
    for each in systems.values():
        _check_metrics(each, numbered)
    return [replace(each[-1], others=tuple(each[:-1])) for each in systems.values()], older


def _check_metrics(runs: Sequence[ComparedRun], numbered: set[str]) -> None:
    """Raise UsageError if two runs of one name have a metric in common, and were named or may differ in their gold."""
    for one, other in combinations(runs, 2):
        unknown_gold = None in (one.record.gold, other.record.gold)
        named = {str(one.number), str(other.number)} <= numbered
        if (unknown_gold or named) and {*one.record.metrics} & {*other.record.metrics}:
            where = f" of corpus {one.record.corpus!r}" if one.record.corpus else ""
            raise UsageError(
                f"there are two runs{where} called {one.name!r}; give runs names, or name the runs to rank"
            )


def leaderboard_of(
    runs: Sequence[ComparedRun],
    metrics: Iterable[str] = (),
    *,
    by: By = (),
    by_corpus: bool = False,
    level: float = 95.0,
    limits: Limits | None = None,
    targets: Targets | None = None,
) -> list[Entry]:
    """The scores of systems, each with its interval and rank, the best system in the first score first.

    ``metrics`` are as for a comparison, and their order is that of the scores. Without them, scores are the primary
    scores of the suite that all systems have, or else their first metric. The scores of the parts ``by`` some columns
    are added to those of the whole. If the runs have several corpora, the scores are means over corpora, and a system
    without a run of each has none; ``by_corpus`` adds the scores of each corpus. Values that miss ``targets`` are
    marked. Raises UsageError for runs that cannot be compared.
    """
    primary, every = runs[0].record.primary_scores, shared(runs)
    wanted = [*map(runs[0].own, metrics)] or [name for name in primary if name.rpartition(".")[0] in every] or every[:1]
    check_comparable(runs, same_gold=False)
    entries = [
        entry
        for chosen, names in together(runs, wanted, by)
        for entry in _board(chosen, names, by, by_corpus, level, limits or Limits())
    ]
    if targets:
        missed = targets.missed([(each.column[:3], each.value) for each in entries], runs[0].record.suite)
        entries = [replace(each, missed=limits or None) for each, limits in zip(entries, missed, strict=True)]
    entries.sort(key=lambda each: place_of(each.column, wanted))
    merit = {
        each.system: -each.value if each.better == "higher" else each.value
        for each in entries
        if each.column == entries[0].column and each.value is not None
    }
    return sorted(entries, key=lambda each: (merit.get(each.system, math.inf), each.system))


def _board(
    runs: Sequence[ComparedRun], metrics: Sequence[str], by: By, by_corpus: bool, level: float, limits: Limits
) -> list[Entry]:
    """The scores of some metrics, which are taken from one run of each system and corpus."""
    corpora = grouped((run.record.corpus, run) for run in runs)
    lacking = _lacking(corpora)
    if not by_corpus and all(lacking.values()):
        said = ", ".join(map(corpus_name, corpora))
        raise UsageError(f"no system has a run of each corpus ({said}); rank the systems of each with --by corpus")
    for of_corpus in corpora.values():
        check_comparable(of_corpus, slices=bool(by))
    keys = compared_scores(runs, metrics, by=by)
    tested = {
        corpus: _tested_scores(of_corpus, keys, level / 100, seed, limits)
        for seed, (corpus, of_corpus) in enumerate(corpora.items())
    }
    entries = _means([*corpora.values()], lacking, keys, [*tested.values()], level / 100) if len(corpora) > 1 else []
    if by_corpus or len(corpora) == 1:
        for corpus, of_corpus in corpora.items():
            entries += _entries(of_corpus, keys, tested[corpus], corpus, level)
    return entries


def _lacking(corpora: dict[str | None, list[ComparedRun]]) -> dict[str, str]:
    """The corpora that a system lacks a run of, by the name of the system; empty if it has all."""
    scored = {corpus_name(corpus): {run.name for run in runs} for corpus, runs in corpora.items()}
    names = dict.fromkeys(run.name for runs in corpora.values() for run in runs)
    return {name: ", ".join(corpus for corpus, has in scored.items() if name not in has) for name in names}


def _tested_scores(
    runs: Sequence[ComparedRun], keys: Sequence[ScoreKey], level: float, seed: int, limits: Limits
) -> dict[ScoreKey, _TestedScore]:
    """Intervals and p of some scores of the runs of a corpus; corpora are resampled with different seeds."""
    found: dict[ScoreKey, _TestedScore] = {}
    wanted = {*keys}
    with resampling_session(runs, {key[0] for key in keys}, limits) as (session, every):
        for metric in every:
            for portion in portions_of(session, runs, metric, REPLICATES):
                resampled = portion.resampled(REPLICATES, seed)
                for at, (key, effective) in enumerate(portion.scores):
                    if key in wanted:
                        of_runs = [each.only([at]) for each in resampled]
                        found[key] = _bootstrapped(of_runs, portion.blocks_of(key), effective, level)
        others = [key for key in keys if key not in found]
        kept = kept_scores(runs, others)
    return found | {key: _from_kept(runs, key, kept, level) for key in others}


def _from_kept(runs: Sequence[ComparedRun], key: ScoreKey, kept: Sequence[KeptScores], level: float) -> _TestedScore:
    """Intervals and p of a score that cannot be resampled from sums of blocks, from replicates that results keep."""
    values = np.array([math.nan if (value := run.values[key]) is None else value for run in runs])
    if resampled := resampled_scores(key, values.tolist(), kept):
        blocks = len(resampled[0].left_out)
        return _bootstrapped(resampled, blocks, blocks, level)
    if without := without_groups(key, kept):
        return _jackknifed(without, values, level, runs[0].bounds.get(key[:2]) == (0, 1))
    return _without_intervals(len(runs), why_unpaired(key, runs, kept))


def _without_intervals(systems: int, note: str) -> _TestedScore:
    return _TestedScore([Interval(None, None)] * systems, None, note=note)


def _bootstrapped(resampled: Sequence[Resampled], blocks: int, effective: float, level: float) -> _TestedScore:
    """Intervals and p from the replicates of each system."""
    if effective < FEWEST_BLOCKS:
        return _without_intervals(len(resampled), too_few(effective))
    values = np.array([each.value[0] for each in resampled])
    replicates = np.stack([each.replicates[:, 0] for each in resampled])
    intervals = [bca_interval(each, 0, level, effective) for each in resampled]
    return _TestedScore(intervals, pairwise_max_t(values, replicates, blocks), resampled)


def _jackknifed(without: Sequence[Kept], values: Floats, level: float, proportion: bool) -> _TestedScore:
    """Intervals and p from the values of each system without groups of blocks; p is corrected by Holm's method."""
    blocks = np.array(without[0].groups, np.float64)
    intervals = [
        jackknife_interval(value, each.scores, level, blocks=blocks, proportion=proportion)
        for each, value in zip(without, values.tolist(), strict=True)
    ]
    pairs = list(combinations(range(len(values)), 2))
    tested = [
        jackknife_test(float(values[b] - values[a]), without[b].scores - without[a].scores, blocks=blocks)
        for a, b in pairs
    ]
    p = np.ones((len(values), len(values)))
    for (a, b), value in zip(pairs, holm(np.array(tested)), strict=True):
        p[a, b] = p[b, a] = value
    return _TestedScore(intervals, p)


# -- entries -----------------------------------------------------------------------------------------


def _entries(
    runs: Sequence[ComparedRun],
    keys: Sequence[ScoreKey],
    tested: dict[ScoreKey, _TestedScore],
    corpus: str | None,
    level: float,
) -> list[Entry]:
    """The scores of the runs of a corpus, with the intervals that the runs printed if these have the ``level``."""
    found = []
    for key in keys:
        plain = [Entry(*key, corpus, run.name, run.number, run.values[key], better=run.better[key[:2]]) for run in runs]
        for each, run in zip(_ranked(plain, tested[key], runs[0]), runs, strict=True):
            printed = run.ends[key] if run.level and math.isclose(run.level, level) else (each.low, each.high)
            found.append(replace(each, low=printed[0], high=printed[1]))
    return found


def _ranked(entries: Sequence[Entry], tested: _TestedScore, run: ComparedRun) -> list[Entry]:
    """The scores of systems with their intervals and ranks; ``run`` is one of the runs."""
    pairs = zip(entries, tested.intervals, strict=True)
    inside = ((each, run.inside(interval, each.value, entries[0].column[:2])) for each, interval in pairs)
    ends = [
        replace(each, low=interval.low, high=interval.high, note=UNDEFINED if interval.note == "undefined" else None)
        for each, interval in inside
    ]
    if tested.p is None:
        return [replace(each, note=tested.note) for each in ends]
    values = np.array([math.nan if each.value is None else each.value for each in entries])
    found = standings(values, tested.p, higher_is_better=entries[0].better == "higher")
    return [replace(e, best=s.best, worst=s.worst, group=s.group) for e, s in zip(ends, found, strict=True)]


def _means(
    corpora: Sequence[Sequence[ComparedRun]],
    lacking: dict[str, str],
    keys: Sequence[ScoreKey],
    tested: Sequence[dict[ScoreKey, _TestedScore]],
    level: float,
) -> list[Entry]:
    """The mean over corpora of each score; systems that lack a run of a corpus have no mean, and are not ranked."""
    names = [name for name, lacks in lacking.items() if not lacks]
    if not names:
        return []
    by_name, first = [{run.name: at for at, run in enumerate(runs)} for runs in corpora], corpora[0][0]
    found = []
    for key in keys:
        plain = Entry(*key, None, "", None, None, better=first.better[key[:2]], corpora=len(corpora))
        scored = []
        for name in names:
            values = [runs[at[name]].values[key] for runs, at in zip(corpora, by_name, strict=True)]
            mean = None if None in values else float(np.mean(np.array(values, np.float64)))
            scored.append(replace(plain, system=name, value=mean))
        found += _ranked(scored, _tested_means([each[key] for each in tested], by_name, names, level), first)
        found += [replace(plain, system=name, lacks=lacks) for name, lacks in lacking.items() if lacks]
    return found


def corpus_name(corpus: str | None) -> str:
    """What a corpus is called."""
    return "unnamed data" if corpus is None else corpus


def _tested_means(
    tested: Sequence[_TestedScore], by_name: Sequence[dict[str, int]], names: Sequence[str], level: float
) -> _TestedScore:
    """Intervals and p of means over corpora: blocks are drawn within each corpus."""
    if not all(each.resampled for each in tested):
        note = next((each.note for each in tested if each.note), "means of jackknifed scores over corpora have none")
        return _without_intervals(len(names), note)
    resampled = [
        mean_over_corpora([each.resampled[at[name]] for each, at in zip(tested, by_name, strict=True)])
        for name in names
    ]
    blocks = len(resampled[0].left_out)
    return _bootstrapped(resampled, blocks, blocks, level)
