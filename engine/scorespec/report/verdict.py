"""The verdict of a report: the main scores in large type and, in words, what was scored, and how well."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from scorespec.catalog.model import DIRECTED
from scorespec.comparison.targets import MISSED
from scorespec.core.score_text import counted, level_text, score_name, slice_text
from scorespec.core.terminal import NOTE
from scorespec.errors import UsageError
from scorespec.report.drawing.svg import Row
from scorespec.report.subject import (
    PERCENT,
    ChosenRun,
    Score,
    ScoreMeaning,
    Subject,
    best_of,
    decimals_of,
    interval_text,
    rounded,
    with_unit,
)

if TYPE_CHECKING:
    from scorespec.comparison.paired import Comparison

MOST_TILES = 4
MOST_SLICES = 8  # in a sentence
MOST_NAMES = 4


@dataclass(frozen=True)
class Tile:
    """A main score in large type: its name, the value of each run with whether it is the best, and what is below."""

    name: str
    values: Sequence[tuple[str, str, bool]]
    below: str


@dataclass(frozen=True)
class Paired:
    """What paired comparisons of the runs tell, by main score and slice as JSON.

    ``ranks`` are the possible ranks of each run by its name, ``reasons`` say why there are none, ``compared`` is the
    comparison of two runs. ``of_material`` is the verdict of their matched pairs. All is empty if the runs cannot be
    compared.
    """

    ranks: Mapping[tuple[Score, str], Mapping[str, tuple[int, int]]] = field(default_factory=dict)
    reasons: Mapping[tuple[Score, str], str] = field(default_factory=dict)
    compared: Mapping[tuple[Score, str], Comparison] = field(default_factory=dict)
    of_material: str = ""
    block: str = ""


def paired(subject: Subject) -> Paired:
    """Compare the runs in their main scores."""
    from scorespec.comparison.compared_runs import stored_run, with_distinct_names
    from scorespec.comparison.leaderboard import leaderboard_of  # slow to load
    from scorespec.comparison.paired import compare_runs

    names, shared = subject.run_names, [{*_scores(run)} for run in subject.runs]
    texts = [".".join(score) for score in subject.main_scores[:MOST_TILES] if all(score in each for each in shared)]
    if len(names) < 2 or not texts:
        return Paired()
    try:
        stored = with_distinct_names([stored_run(subject.results, subject.schema, number) for number in names])
        entries = leaderboard_of(stored, texts)
        compared, tests = compare_runs(stored, texts, level=subject.level) if len(stored) == 2 else ((), ())
    except UsageError:
        return Paired()
    ranks: dict[tuple[Score, str], dict[str, tuple[int, int]]] = {}
    for each in entries:
        if each.best is not None and each.worst is not None and each.run is not None:
            of = ranks.setdefault(((each.metric, each.component), each.slice), {})
            of[names[each.run]] = (each.best, each.worst)
    reasons = {((each.metric, each.component), each.slice): each.note for each in entries if each.note}
    by_score = {((each.metric, each.component), each.slice): each for each in compared}
    block = next((each.block or "" for each in compared), "") if tests else ""
    return Paired(ranks, reasons, by_score, tests[0].verdict if tests else "", block)


def _scores(run: ChosenRun) -> Iterator[Score]:
    return ((row["metric"], row["component"]) for row in run.scores)


def tiles(subject: Subject, found: Paired) -> Iterator[Tile]:
    """The main scores of the whole submission: of two runs with their difference and its p."""
    for score in subject.main_scores[:MOST_TILES]:
        rows = {run.name: row for run in subject.runs for row in _of_score(run, score)[:1] if row["value"] is not None}
        meaning, decimals = subject.meaning(*score), decimals_of(rows.values())
        if not 0 < len(rows) <= MOST_NAMES:
            continue
        values = [row["value"] for row in rows.values()]
        best = best_of(values, meaning.better)
        key = next(iter(rows.values()))["key"]
        yield Tile(
            ", ".join(filter(None, [meaning.name, slice_text(json.loads(key))])),
            [
                (name, with_unit(row["value"], decimals, meaning.unit), len(set(values)) > 1 and row["value"] == best)
                for name, row in rows.items()
            ],
            _below(found.compared.get((score, key)), rows, meaning, decimals, subject.level),
        )


def _below(
    compared: Comparison | None, rows: Mapping[str, Row], meaning: ScoreMeaning, decimals: int | None, level: float
) -> str:
    """The difference of two runs with its interval and p; of one run the interval of its value."""
    from scorespec.comparison.paired import p_text

    if len(rows) == 1:
        ends = interval_text(next(iter(rows.values())), decimals, meaning.unit)
        return f"{level_text(level)} % {ends}" if ends else ""
    if compared is None or compared.difference is None:
        return ""
    size = rounded(compared.difference, decimals, meaning.unit).replace("-", "−")
    said = f"Δ {'' if size.startswith('−') else '+'}{size}{' points' if meaning.unit == PERCENT else ''}"
    ends = interval_text(vars(compared), decimals, meaning.unit).replace("-", "−")
    interval = f" ({level_text(level)} % {ends})" if ends else ""
    return f"{said}{interval}, p {p_text(compared.p)}" if compared.p is not None else f"{said}{interval}"


def verdict(subject: Subject, found: Paired) -> list[str]:
    """The sentences at the top of a report."""
    runs = subject.runs
    corpora = list(dict.fromkeys(run.record.corpus for run in runs if run.record.corpus))
    where = f" on {', '.join(corpora)}" if corpora else ""
    said = [f"{_who([run.name for run in runs])}{where}, scored with the suite {runs[0].record.suite}."]
    if not subject.main_scores:
        return [*said, "No score of these runs has a direction: neither higher nor lower values are better."]
    score = subject.main_scores[0]
    meaning, level = subject.meaning(*score), f"{level_text(subject.level)} % "
    rows = {run.name: _of_score(run, score) for run in runs}
    slices = {row["key"]: row["slice"] for each in rows.values() for row in each}
    further = counted(len(slices) - MOST_SLICES, "further slice") if len(slices) > MOST_SLICES else ""
    if len(runs) == 1:
        shown = rows[runs[0].name][:MOST_SLICES]
        values = [f"{_of_slice(row['slice'])}{_value_text(row, decimals_of(shown), meaning, level)}" for row in shown]
        reading = f" ({meaning.reading})" if meaning.reading else ""
        return [*said, f"{meaning.name}{reading} is {'; '.join(values)}{further and f', and {further}'}."]
    for key, slice_ in islice(slices.items(), MOST_SLICES):
        of_runs = {run: row for run, each in rows.items() for row in each if row["key"] == key}
        of, compared_runs = (score, key), found.compared.get((score, key))
        in_points = (100, " points") if meaning.unit == PERCENT else (1, "")
        size = compared_runs.size_text(subject.level, *in_points) if compared_runs else ""
        size += f" if only blocks are independent (one per {found.block})" if size and found.block else ""
        said.append(compared(meaning, slice_, of_runs, level, found.ranks.get(of, {}), found.reasons.get(of), size))
    said += [f"{meaning.name} has {further}."] if further else []
    return [*said, found.of_material] if found.of_material else said


def _of_score(run: ChosenRun, score: Score) -> list[Row]:
    """The rows of a score: those of the whole submission, or those of all slices if no slice is the whole."""
    rows = run.by_metric.get(score[0], [])
    whole = run.wholes.get(score[0], [])
    return [row for row in rows if row["component"] == score[1] and (row["key"] in whole or not whole)]


def compared(
    meaning: ScoreMeaning,
    slice_: Row,
    values: Mapping[str, Row],
    level: str,
    ranks: Mapping[str, tuple[int, int]],
    reason: str | None = None,
    size: str = "",
) -> str:
    """What can be said about one score of several runs: all values, and which run a paired comparison finds the best.

    ``ranks`` are the possible ranks of each run; empty if the runs cannot be compared, maybe for a known ``reason``.
    ``size`` is the difference of two runs, with its interval.
    """
    scored = {name: row for name, row in values.items() if row["value"] is not None}
    if not scored:
        return f"{meaning.name} is undefined for all runs."
    head, ranked = f"{_of_slice(slice_)}{meaning.name}", list(scored)
    if meaning.better in DIRECTED:
        head += f" ({meaning.better} is better)"
        ranked.sort(key=lambda name: scored[name]["value"], reverse=meaning.better == "higher")
    listed = "; ".join(
        f"{name} {_value_text(scored[name], decimals_of(scored.values()), meaning, level if at == 0 else '')}"
        for at, name in enumerate(ranked)
    )
    said = f"{head}: {listed}."
    if len({row["value"] for row in scored.values()}) == 1:
        return said
    if not ranks:
        return f"{said} Whether the difference is chance is not tested{f': {reason}' if reason else ''}."
    first = [name for name in ranked if name in ranks and ranks[name][0] == 1]
    if len(first) == 1:
        return f"{said} {first[0]} is better{f' by {size}' if size else ' than all others'}."
    return f"{said} {_and(first)}: {f'the difference of {size}' if size else 'their differences'} may be chance."


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _value_text(row: Row, decimals: int | None, meaning: ScoreMeaning, level: str = "") -> str:
    value = "undefined" if row["value"] is None else with_unit(row["value"], decimals, meaning.unit)
    return f"{value} ({level}{ends})" if (ends := interval_text(row, decimals, meaning.unit)) else value


def _of_slice(slice_: Row) -> str:
    return f"{said}: " if (said := slice_text(slice_)) else ""


def notes(runs: Sequence[ChosenRun]) -> Iterator[str]:
    """Sentences about the targets that runs miss, the parts of the results that they withhold, and their warnings."""
    for run in runs:
        missed = [(row, score_name(row["metric"], row["component"])) for row in run.scores if row["missed"]]
        if said := [f"{_of_slice(row['slice'])}{name} {row['missed']}" for row, name in missed]:
            more = f"; and {len(said) - MOST_SLICES} more" if len(said) > MOST_SLICES else ""
            yield f"{run.name} misses targets ({MISSED}): {'; '.join(said[:MOST_SLICES])}{more}."
    found = ((run.name, sum(not each.startswith(NOTE) for each in run.record.warnings)) for run in runs)
    warned = [(name, number) for name, number in found if number]
    for parts in dict.fromkeys(tuple(run.record.withheld) for run in runs if run.record.withheld):
        those = [run.name for run in runs if tuple(run.record.withheld) == parts]
        yield f"{_who(those)} withhold{'s' if len(those) == 1 else ''} {', '.join(parts)}."
    each_run = [f"{name} has {counted(number, 'warning')}." for name, number in warned]
    yield from each_run if len(warned) <= MOST_NAMES else [f"{len(warned)} of {len(runs)} runs have warnings."]


def _who(names: Sequence[str]) -> str:
    """Runs by their names; the number of them if there are many."""
    return _and(names) if len(names) <= MOST_NAMES else counted(len(names), "run")
