"""The verdict of a report: in words, what was scored, and how well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from scorespec.catalog.model import DIRECTED
from scorespec.comparison.targets import MISSED
from scorespec.core.score_text import counted, level_text, score_name, slice_text
from scorespec.core.terminal import NOTE
from scorespec.errors import UsageError
from scorespec.report.drawing.svg import Row
from scorespec.report.subject import ChosenRun, Score, Subject, decimals_of, interval_text, rounded

MOST_SLICES = 8  # in a sentence
MOST_NAMES = 4


def verdict(subject: Subject) -> list[str]:
    """The sentences at the top of a report."""
    runs = subject.runs
    corpora = list(dict.fromkeys(run.record.corpus for run in runs if run.record.corpus))
    where = f" on {', '.join(corpora)}" if corpora else ""
    said = [f"{_who([run.name for run in runs])}{where}, scored with the suite {runs[0].record.suite}."]
    if not subject.main_scores:
        return [*said, "No score of these runs has a direction: neither higher nor lower values are better."]
    score = subject.main_scores[0]
    name, meaning, level = score_name(*score), subject.meaning(*score), f"{level_text(subject.level)} % "
    rows = {run.name: _of_score(run, score) for run in runs}
    slices = {row["key"]: row["slice"] for each in rows.values() for row in each}
    further = counted(len(slices) - MOST_SLICES, "further slice") if len(slices) > MOST_SLICES else ""
    if len(runs) == 1:
        shown = rows[runs[0].name][:MOST_SLICES]
        values = [f"{_of_slice(row['slice'])}{_value_text(row, decimals_of(shown), level)}" for row in shown]
        reading = f" ({meaning.reading})" if meaning.reading else ""
        return [*said, f"{name}{reading} is {'; '.join(values)}{further and f', and {further}'}."]
    ranks, reasons, extents, of_material = paired(subject, score)
    for key, slice_ in islice(slices.items(), MOST_SLICES):
        of_runs = {run: row for run, each in rows.items() for row in each if row["key"] == key}
        tested = ranks.get(key, {}), reasons.get(key), extents.get(key, "")
        said.append(compared(score, slice_, of_runs, meaning.better, level, *tested))
    said += [f"{name} has {further}."] if further else []
    return [*said, of_material] if of_material else said


def _of_score(run: ChosenRun, score: Score) -> list[Row]:
    """The rows of a score: those of the whole submission, or those of all slices if no slice is the whole."""
    rows = run.by_metric.get(score[0], [])
    whole = run.wholes.get(score[0], [])
    return [row for row in rows if row["component"] == score[1] and (row["key"] in whole or not whole)]


def compared(
    score: Score,
    slice_: Row,
    values: Mapping[str, Row],
    better: str,
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
        return f"{score_name(*score)} is undefined for all runs."
    head, ranked = f"{_of_slice(slice_)}{score_name(*score)}", list(scored)
    if better in DIRECTED:
        head += f" ({better} is better)"
        ranked.sort(key=lambda name: scored[name]["value"], reverse=better == "higher")
    listed = "; ".join(
        f"{name} {_value_text(scored[name], decimals_of(scored.values()), level if at == 0 else '')}"
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


def paired(
    subject: Subject, score: Score
) -> tuple[Mapping[str, Mapping[str, tuple[int, int]]], Mapping[str, str], Mapping[str, str], str]:
    """The possible ranks of each run in a score, by slice as JSON; why there are none; and what is known of two runs.

    This is their difference with its interval, by slice, and the verdict of their matched pairs. All is empty if the
    runs cannot be compared.
    """
    from scorespec.comparison.compared_runs import stored_run, with_distinct_names
    from scorespec.comparison.leaderboard import leaderboard_of  # slow to load
    from scorespec.comparison.paired import compare_runs

    names, text = subject.run_names, [".".join(score)]
    try:
        stored = with_distinct_names([stored_run(subject.results, subject.schema, number) for number in names])
        entries = leaderboard_of(stored, text)
        compared, tests = compare_runs(stored, text, level=subject.level) if len(stored) == 2 else ((), ())
    except UsageError:
        return {}, {}, {}, ""
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for each in entries:
        if each.best is not None and each.worst is not None and each.run is not None:
            found.setdefault(each.slice, {})[names[each.run]] = (each.best, each.worst)
    reasons = {each.slice: each.note for each in entries if each.note}
    extents = {
        each.slice: each.size_text(subject.level)
        + (f" if only blocks are independent (one per {each.block})" if tests else "")
        for each in compared
    }
    return found, reasons, extents, tests[0].verdict if tests else ""


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _value_text(row: Row, decimals: int | None, level: str = "") -> str:
    value = "undefined" if row["value"] is None else rounded(row["value"], decimals)
    return f"{value} ({level}{ends})" if (ends := interval_text(row, decimals)) else value


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
