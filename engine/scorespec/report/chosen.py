"""The runs that a report is about: which they are, and what each is called."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorespec.core.result_tables import InputRecord, RunRecord
from scorespec.core.terminal import visible
from scorespec.errors import UsageError
from scorespec.report.drawing.series import RunNames
from scorespec.results.golds import with_older_gold
from scorespec.results.reading import StoredRuns, run_names

MOST_GROUPS = 20  # a message lists at most so many groups of runs, and so many runs of each


@dataclass(frozen=True)
class ChosenRun:
    """A run of a report: its number and name, its record, its scores, and its inputs.

    In a row of ``scores``, ``slice`` is a dictionary, and ``key`` is the slice as JSON.
    """

    number: int
    name: str
    record: RunRecord
    scores: Sequence[Mapping[str, Any]]
    inputs: Sequence[InputRecord]


def choose(results: Path, asked: Sequence[int | str], stored: StoredRuns) -> tuple[list[ChosenRun], list[str]]:
    """The runs that are asked for; if none are, all current submissions of the one suite and corpus.

    Of runs that are not asked for by number, those with older gold are left out; the second list has their names.
    The runs are in the order of their numbers. Raises UsageError for an unknown
    run, for runs of several suites, and if no run is asked for and the database has runs of several suites or corpora.
    """
    numbers = sorted({number for each in asked for number in stored.named(each)}) if asked else _all(stored, results)
    found = dict(zip(numbers, stored.records(numbers), strict=True))
    older = {*with_older_gold(found)}.difference(number for number in numbers if str(number) in map(str, asked))
    records = {number: record for number, record in found.items() if number not in older}
    if len(suites := sorted({record.suite for record in records.values()})) > 1:
        raise UsageError(f"the runs are of several suites: {', '.join(suites)}; a report shows runs of one suite")
    names = run_names([*records.values()], [*records])
    chosen = [
        ChosenRun(number, visible(name), records[number], _rows(scores.to_pylist()), stored.inputs(number))
        for number, name, scores in zip(records, names, stored.scores_of([*records]), strict=True)
    ]
    return chosen, [visible(f"{found[number].name} (run {number})") for number in sorted(older)]


def names_of(runs: Sequence[ChosenRun]) -> RunNames:
    """The names of runs by their numbers."""
    return {run.number: run.name for run in runs}


def _rows(scores: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    no_interval = {"low": None, "high": None}
    return [{**no_interval, **row, "slice": json.loads(row["slice"]), "key": row["slice"]} for row in scores]


def _all(stored: StoredRuns, results: Path) -> list[int]:
    systems = stored.submissions() or stored.current()
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in systems:
        groups.setdefault((row["suite"], row.get("corpus") or ""), []).append(row)
    if not groups:
        raise UsageError(f"{results} has no runs")
    if len(groups) > 1:
        listed = "; ".join(_group_text(*key, rows) for key, rows in list(groups.items())[:MOST_GROUPS])
        raise UsageError(f"{results} has runs of several suites or corpora; name the runs to show: {listed}")
    return [row["id"] for row in systems]


def _group_text(suite: str, corpus: str, rows: Sequence[Mapping[str, Any]]) -> str:
    numbers = " ".join(str(row["id"]) for row in rows[:MOST_GROUPS])
    return f"{suite}{f' on {corpus}' if corpus else ''}: {numbers}" + (" …" if len(rows) > MOST_GROUPS else "")
