"""What a report is about: some runs of a results database, what they are called, and what their scores mean."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import Any

from scorespec.catalog.lookup import Namespace, documents_of
from scorespec.catalog.model import COUNT, DIRECTED, MAIN_COMPONENT, Figure, Metric, Range, Suite
from scorespec.comparison.targets import Targets
from scorespec.core.groups import grouped
from scorespec.core.result_tables import InputRecord, RunRecord
from scorespec.core.score_text import (
    end_text,
    number_text,
    percent_text,
    score_name,
    slice_text,
    value_text,
    whole_slices,
)
from scorespec.core.terminal import visible
from scorespec.errors import Code, ScorespecError, UsageError, unknown
from scorespec.plan.parameters import read_metric_text
from scorespec.plan.request import split_suite
from scorespec.report.drawing.svg import Row, RunNames
from scorespec.results.reading import OLDER, StoredRuns, run_names, with_older_gold

Score = tuple[str, str]  # metric, component
MOST_GROUPS = 20  # a message lists at most so many groups of runs, and so many runs of each
PERCENT = "%"  # the unit of shares that are shown in percent
LEVEL = 95.0  # of the interval of a difference, if the runs have none of their own
MOST_WHOLES = 4  # the largest number of slices that together are a whole submission


# -- runs --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ChosenRun:
    """A run of a report: its number and name, its record, its scores, and its inputs.

    In a row of ``scores``, ``slice`` is a dictionary, ``key`` is the slice as JSON, and ``missed`` has the targets that
    the value misses. Figures show a slice as if it
    were a run: then ``part`` is the number of its run, and the slice as JSON.
    """

    number: int
    name: str
    record: RunRecord
    scores: Sequence[Row]
    inputs: Sequence[InputRecord]
    part: tuple[int, str] | None = None

    @cached_property
    def by_metric(self) -> dict[str, list[Row]]:
        """The rows of scores by metric."""
        return grouped((row["metric"], row) for row in self.scores)

    @cached_property
    def wholes(self) -> dict[str, list[str]]:
        """The slices of each metric that are the whole submission, as JSON."""
        return {metric: wholes(rows) for metric, rows in self.by_metric.items()}

    def slices(self, columns: Collection[str]) -> dict[str, str]:
        """The slices by these columns, as JSON, each with its name. Raises UsageError if the run has none."""
        slices = {row["key"]: row["slice"] for row in self.scores if row["slice"]}
        found = {key: slice_name(slice_) for key, slice_ in slices.items() if slice_.keys() == {*columns}}
        if not found:
            by, known = ",".join(columns), sorted({",".join(slice_) for slice_ in slices.values()})
            said = f"--by {by}: {self.name} has no scores by {by}"
            raise UsageError(f"{said}; it has scores by {'; '.join(known) or 'no column'}", Code.UNKNOWN_NAME)
        return found


def choose(
    results: Path, asked: Sequence[int | str], stored: StoredRuns, several_corpora: bool = False
) -> tuple[dict[int, RunRecord], list[str]]:
    """The runs that are asked for, by number; if none are, all current submissions of the one suite.

    Of runs that are not asked for by number, those with older gold are left out; the second value has their names.
    Raises UsageError for an unknown run, for runs of several suites, and if no run is asked for and the database has
    runs of several suites or, unless ``several_corpora``, of several corpora.
    """
    numbers = {number for each in asked for number in stored.named(each)} or _all(stored, results, several_corpora)
    found = dict(zip(sorted(numbers), stored.records(sorted(numbers)), strict=True))
    older = {*with_older_gold(found)}.difference(number for number in found if str(number) in map(str, asked))
    records = {number: record for number, record in found.items() if number not in older}
    if len(suites := sorted({record.suite for record in records.values()})) > 1:
        raise UsageError(f"the runs are of several suites: {', '.join(suites)}; a report shows runs of one suite")
    return records, [visible(f"{found[number].name} (run {number})") for number in sorted(older)]


def _chosen(records: Mapping[int, RunRecord], stored: StoredRuns, targets: Targets) -> list[ChosenRun]:
    """Runs with their scores and inputs."""
    chosen = []
    names = run_names([*records.values()], [*records])
    for (number, record), name, table in zip(records.items(), names, stored.scores_of([*records]), strict=True):
        scores = [
            {"low": None, "high": None, **row, "slice": json.loads(row["slice"]), "key": row["slice"]}
            for row in table.to_pylist()
        ]
        values = [((row["metric"], row["component"], row["key"]), row["value"]) for row in scores]
        scores = [
            {**row, "missed": each} for row, each in zip(scores, targets.missed(values, record.suite), strict=True)
        ]
        chosen.append(ChosenRun(number, visible(name), record, scores, stored.inputs(number)))
    return chosen


def _all(stored: StoredRuns, results: Path, several_corpora: bool) -> set[int]:
    systems = stored.submissions() or stored.current()
    groups = grouped(((row["suite"], "" if several_corpora else row.get("corpus") or ""), row) for row in systems)
    if not groups:
        raise UsageError(f"{results} has no runs")
    if len(groups) > 1:
        listed = "; ".join(_group_text(*key, rows) for key, rows in list(groups.items())[:MOST_GROUPS])
        what = "suites" if several_corpora else "suites or corpora"
        raise UsageError(f"{results} has runs of several {what}; name the runs to show: {listed}")
    return {row["id"] for row in systems}


def _group_text(suite: str, corpus: str, rows: Sequence[Row]) -> str:
    numbers = " ".join(str(row["id"]) for row in rows[:MOST_GROUPS])
    return f"{suite}{f' on {corpus}' if corpus else ''}: {numbers}" + (" …" if len(rows) > MOST_GROUPS else "")


# -- scores ------------------------------------------------------------------------------------------


def decimals_of(rows: Iterable[Row]) -> int | None:
    """The decimals of a score in some rows: three digits of the widest interval; None without an interval."""
    widths = [row["high"] - row["low"] for row in rows if row["low"] is not None and row["high"] > row["low"]]
    return max(0, 2 - math.floor(math.log10(max(widths)))) if widths and max(widths) < math.inf else None


def rounded(value: float, decimals: int | None, unit: str | None = None) -> str:
    """A value or an end of its interval, with the decimals of its score; with the unit `%`, in percent."""
    if unit == PERCENT:
        return percent_text(value) if decimals is None else f"{value * 100:,.{max(decimals - 2, 0)}f}"
    return number_text(value) if decimals is None else f"{value:,.{decimals}f}"


def with_unit(value: float, decimals: int | None, unit: str | None) -> str:
    """A value with the decimals of its score, and with the sign of percent if it is shown in percent."""
    return rounded(value, decimals, unit) + (" %" if unit == PERCENT else "")


def interval_text(row: Row, decimals: int | None, unit: str | None = None, whole: bool = False) -> str:
    """The interval of a score, such as `0.108 to 0.323`, of a count in ``whole`` numbers; empty without one."""
    ends = [row["low"], row["high"]] if row["low"] is not None else []
    return " to ".join(end_text(end, True) if whole else rounded(end, decimals, unit) for end in ends)


def best_of(values: Iterable[float | None], better: str) -> float | None:
    """The best of some values; None if no value is better than another."""
    there = [value for value in values if value is not None]
    return max(there) if there and better == "higher" else min(there) if there and better == "lower" else None


def slice_name(slice_: Mapping[str, Any]) -> str:
    """A slice as text where its columns are known: the value, if there is one column."""
    return value_text(*slice_.values()) or "none" if len(slice_) == 1 else slice_text(slice_)


@dataclass(frozen=True)
class ScoreMeaning:
    """What a score is: its name and meaning in words, which values are better, its range and unit.

    The unit is `%` if the value is a share that is shown in percent.
    """

    name: str
    about: str = ""
    better: str = "none"
    range: Range | None = None
    unit: str | None = None

    @property
    def is_rated(self) -> bool:
        """Whether one value is better than another, and the score is not a count."""
        return self.better in DIRECTED and self.unit != COUNT

    @property
    def reading(self) -> str:
        """The direction and the range in words."""
        low, high = self.range or (None, None)
        factor = 100 if self.unit == PERCENT else 1
        ends = ("−∞" if low is None else f"{low * factor:g}", "∞" if high is None else f"{high * factor:g}")
        direction = f"{self.better} is better" if self.better in DIRECTED else ""
        bounds = "" if low is None and high is None else f"from {ends[0]} to {ends[1]}"
        return ", ".join(filter(None, [direction, bounds, None if self.unit == PERCENT else self.unit]))


def wholes(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The slices that are a whole submission, among the rows of one metric, as JSON.

    If more than :data:`MOST_WHOLES` slices do, such as many tasks, there are none.
    """
    found = whole_slices(row["key"] for row in rows)
    return found if len(found) <= MOST_WHOLES else []


# -- the subject -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Subject:
    """The runs of a report in a results database, and the suite that scored them.

    ``older`` names runs that are left out. ``prefix`` begins the ids of its figures, which are then unique on a page.
    The documents of the suite may not be at hand. Then only what the runs have recorded is known of scores: which are
    the main ones, which values are better, and which scores are counts.
    """

    results: Path
    schema: str
    runs: Sequence[ChosenRun]
    older: Sequence[str] = ()
    suite: Suite | None = None
    names: Namespace | None = None
    prefix: str = ""

    @property
    def warnings(self) -> list[str]:
        """What the report leaves out: runs with older gold, and all that only the documents of the suite say."""
        older = [OLDER + ", ".join(self.older)] if self.older else []
        if self.suite:
            return older
        named = dict.fromkeys(str(each) for run in self.runs for each in run.record.call.get("specs", ()))
        scored = f", as when it was scored: --specs {' '.join(named)}" if named else ""
        suite = self.runs[0].record.suite
        lacking = f"the documents of the suite {suite} are missing, so the page has no figures"
        return [*older, f"{lacking}; name them with --specs{scored}"]

    @cached_property
    def run_names(self) -> RunNames:
        """The names of the runs by their numbers."""
        return {run.number: run.name for run in self.runs}

    @property
    def level(self) -> float:
        """The confidence level of the runs, in percent."""
        return float(self.runs[0].record.parameters.get("confidence") or LEVEL)

    @cached_property
    def counts(self) -> set[Score]:
        """The scores that are numbers of things."""
        return {score for run in self.runs for score in run.record.counts}

    @cached_property
    def figures(self) -> Sequence[Figure]:
        """The figures that the suite lists, in their order."""
        found = [self.names.figure(name) for name in self.suite.report] if self.suite and self.names else []
        return [figure for figure in found if figure]

    def figure(self, name: str) -> Figure | Score:
        """A figure that the suite lists, or a score: ``[suite.]metric[.component]``.

        Raises UsageError for another name.
        """
        figures = {figure.name: figure for figure in self.figures}
        own = name.removeprefix(f"{self.runs[0].record.suite}.")
        found = figures.get(name) or self._score(name) or self._score(own)
        if found:
            return found
        if not self.suite:
            raise UsageError(self.warnings[-1])
        said = f"the reports of the suite {self.suite.name!r} have no figure {name!r}, and the runs have no such score"
        scored = (row["metric"] for run in self.runs for row in run.scores)
        raise unknown(said, name, {*figures, *scored})

    def _score(self, name: str) -> Score | None:
        """A score by its name; of several components of a metric the primary one, or else a rated one."""
        scored = dict.fromkeys((row["metric"], row["component"]) for run in self.runs for row in run.scores)
        named = [score for score in scored if name in (score[0], ".".join(score))]
        rank = [(score not in self.main_scores, not self.meaning(*score).is_rated) for score in named]
        return named[rank.index(min(rank))] if named else None

    def by_slices(self, columns: Collection[str]) -> Subject:
        """The slices by some columns, as if each were a run. Raises UsageError if a run has none."""
        slices = [
            replace(run, name=f"{run.name}, {name}" if len(self.runs) > 1 else name, part=(run.number, key))
            for run in self.runs
            for key, name in run.slices(columns).items()
        ]
        return replace(self, runs=[replace(each, number=at) for at, each in enumerate(slices, start=1)])

    def metric(self, text: str) -> Metric | None:
        """The definition of a metric by its name in the scores, such as ``m`` or ``suite.m(parameter=1)``."""
        other, name = split_suite(text)
        names = self.names
        if names and other and other != names.suite:
            names = names.catalog.namespace(names.domain, other)
        try:
            return names.metric(read_metric_text(name)[0]) if names else None
        except ScorespecError:
            return None

    def sources(self, metric: Metric) -> list[str]:
        """The citations of a metric in full."""
        return [self.names.cited(each) if self.names else each for each in metric.cites]

    @cached_property
    def meaning(self) -> Callable[[str, str], ScoreMeaning]:
        """The meaning of a score, given its metric and component."""
        better = {(metric, component): better for run in self.runs for metric, component, better in run.record.better}
        percent_names = {score: name for run in self.runs for score, name in run.record.percent_names.items()}

        @cache
        def of(metric: str, component: str) -> ScoreMeaning:
            found, score = self.metric(metric), (metric, component)
            name, unit = percent_names.get(score) or score_name(*score), PERCENT if score in percent_names else None
            if not found or not self.names:
                unit = COUNT if score in self.counts else unit
                return ScoreMeaning(name, "", better.get(score, "none"), None, unit)
            meaning = self.names.component(found, component)
            about = found.about if component == MAIN_COMPONENT and not meaning.about else meaning.about
            return ScoreMeaning(name, about, meaning.better or "none", meaning.range, unit or meaning.unit)

        return of

    @cached_property
    def main_scores(self) -> Sequence[Score]:
        """The primary scores that the runs have; without any, the first rated score. The first one is stated first."""
        scored = dict.fromkeys((row["metric"], row["component"]) for run in self.runs for row in run.scores)
        primary = [name.rpartition(".") for run in self.runs for name in run.record.primary_scores]
        stated = dict.fromkeys((metric, component) for metric, _, component in primary if (metric, component) in scored)
        return [*stated] or [score for score in scored if self.meaning(*score).is_rated][:1]


def read_subjects(
    stored: StoredRuns,
    results: Path,
    schema: str,
    runs: Sequence[int | str],
    specs: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
    by_corpus: bool = False,
    targets: Targets | None = None,
) -> list[Subject]:
    """The subject of some runs, by number or name, or ``by_corpus`` one for each corpus.

    The results database ``stored`` is open. ``specs`` and ``plugins`` are needed for a suite that does not ship. Values
    that miss ``targets`` are marked. Raises UsageError as :func:`choose` does.
    """
    records, older = choose(results, runs, stored, by_corpus)
    groups = grouped((each[1].corpus if by_corpus else None, each) for each in records.items())
    suite, names = documents_of(next(iter(records.values())).suite, specs, plugins)
    prefixes = (f"corpus{number}-" if len(groups) > 1 else "" for number in count(1))
    return [
        Subject(results, schema, _chosen(dict(group), stored, targets or Targets(())), older, suite, names, prefix)
        for group, prefix in zip(groups.values(), prefixes, strict=False)
    ]
