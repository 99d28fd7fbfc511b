"""What scores mean: their direction, from the records of the runs; their range and unit, from the documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import COUNT, MAIN_COMPONENT, Metric, Range
from scorespec.core.score_text import whole_slices
from scorespec.errors import ScorespecError
from scorespec.plan.parameters import read_metric_text
from scorespec.plan.request import split_suite
from scorespec.report.chosen import ChosenRun

Score = tuple[str, str]  # metric, component
DIRECTED = ("higher", "lower")
MOST_WHOLES = 4  # the largest number of slices that together stand for a whole submission


@dataclass(frozen=True)
class ScoreMeaning:
    """What a score is: in words, which values are better, its range and unit."""

    about: str = ""
    better: str = "none"
    range: Range | None = None
    unit: str | None = None

    @property
    def is_rated(self) -> bool:
        """Whether one value is better than another, and the score is no number of things."""
        return self.better in DIRECTED and self.unit != COUNT

    @property
    def reading(self) -> str:
        """The direction and the range in words."""
        low, high = self.range or (None, None)
        ends = ("−∞" if low is None else f"{low:g}", "∞" if high is None else f"{high:g}")
        direction = f"{self.better} is better" if self.better in DIRECTED else ""
        bounds = "" if low is None and high is None else f"from {ends[0]} to {ends[1]}"
        return ", ".join(filter(None, [direction, bounds, self.unit]))


class Meanings:
    """The meanings of the scores of some runs.

    Without the documents of the suite, only what the runs have recorded is known: the main scores, which values are
    better, and which scores are counts.
    """

    def __init__(self, runs: Sequence[ChosenRun], names: Namespace | None) -> None:
        self._runs, self._names = runs, names
        self._better = {(metric, component): better for run in runs for metric, component, better in run.record.better}
        self._counts = {score for run in runs for score in run.record.counts}
        self.of = cache(self._of)

    def metric(self, text: str) -> Metric | None:
        """The definition of a metric by its name in the scores, such as ``m`` or ``suite.m(parameter=1)``."""
        other, name = split_suite(text)
        names = self._names
        if names and other and other != names.suite:
            names = names.catalog.namespace(names.domain, other)
        try:
            return names.metric(read_metric_text(name)[0]) if names else None
        except ScorespecError:
            return None

    def _of(self, metric: str, component: str) -> ScoreMeaning:
        found = self.metric(metric)
        if not found or not self._names:
            score = (metric, component)
            return ScoreMeaning("", self._better.get(score, "none"), None, COUNT if score in self._counts else None)
        meaning = self._names.component(found, component)
        about = found.about if component == MAIN_COMPONENT and not meaning.about else meaning.about
        return ScoreMeaning(about, meaning.better or "none", meaning.range, meaning.unit)

    @cached_property
    def main_score(self) -> Score | None:
        """The score that is stated first: the first primary score that the runs have, or the first rated score."""
        return next(iter(self.main_scores), None)

    @cached_property
    def main_scores(self) -> Sequence[Score]:
        """The primary scores that the runs have; without any, the first rated score."""
        scored = dict.fromkeys((row["metric"], row["component"]) for run in self._runs for row in run.scores)
        primary = [name.rpartition(".") for run in self._runs for name in run.record.primary_scores]
        stated = dict.fromkeys((metric, component) for metric, _, component in primary if (metric, component) in scored)
        return [*stated] or [score for score in scored if self.of(*score).is_rated][:1]


def wholes(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The slices that stand for a whole submission among the rows of one metric, as JSON.

    If more than :data:`MOST_WHOLES` slices do, such as many tasks, there are none.
    """
    found = whole_slices(row["key"] for row in rows)
    return found if len(found) <= MOST_WHOLES else []
