"""The gate: whether the scores of a run reach their targets."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from scorespec.comparison.compared_runs import ComparedRun, ScoreKey, check_comparable
from scorespec.comparison.comparison_tables import RowsTable, Texts
from scorespec.comparison.leaderboard import Entry, leaderboard_of
from scorespec.comparison.paired import Comparison, compare_runs
from scorespec.comparison.targets import FAILS, HOLDS, UNDECIDED, UNJUDGED, Target, Targets, score_names
from scorespec.core.score_text import end_text, finite, number_text, slice_text
from scorespec.core.terminal import visible
from scorespec.errors import UsageError, unknown
from scorespec.run.limits import Limits

JUNIT = {FAILS: "failure", UNJUDGED: "error", UNDECIDED: "skipped"}  # the result of a test, by verdict
GITHUB = {HOLDS: "notice", UNDECIDED: "warning", FAILS: "error", UNJUDGED: "error"}


@dataclass(frozen=True)
class Judgement:
    """The verdict on one score and one target, with the numbers that decide.

    ``score``, ``limit`` and ``confidence`` are those of the target, which is in a ``line`` of a ``file``.
    ``difference`` is the value minus that of the baseline. ``low`` and ``high`` are the ends of the interval of the
    difference, or, if no baseline is needed, of the value; None if the number alone decides. ``note`` says why a target
    is not judged, or that its limit is likely to be wrong.
    """

    score: str
    slice: str
    limit: str
    confidence: float | None
    verdict: str
    value: float | None = None
    baseline: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    note: str | None = None
    file: str = ""
    line: int = 0

    @property
    def name(self) -> str:
        """The score, with its slice if it has one."""
        return visible(f"{self.score} {slice_text(json.loads(self.slice))}").rstrip()

    @property
    def texts(self) -> Texts:
        """The numbers, the limit and the verdict as text for people."""
        return {
            "score": self.name,
            "value": number_text(self.value),
            "baseline": number_text(self.baseline),
            "difference": "" if self.difference is None else f"{self.difference:+.4g}",
            "low": end_text(self.low),
            "high": end_text(self.high),
            "limit": self.limit,
            "verdict": self.verdict,
        }

    def __str__(self) -> str:
        note = f": {visible(self.note)}" if self.note else ""
        return ", ".join(f"{name} {text}" for name, text in self.texts.items() if text) + note


@dataclass(frozen=True, eq=False, repr=False)
class Gate(RowsTable[Judgement]):
    """The verdicts on the scores of a run, one for each score and target.

    ``note`` says which run is the baseline if it has the name of the run.
    """

    run: str
    rows: Sequence[Judgement]
    note: str | None = None
    kind: ClassVar[type] = Judgement
    words: ClassVar[Sequence[str]] = ("score", "limit", "verdict")  # columns that are not numbers

    @property
    def verdict(self) -> str:
        """`fails` if a target fails; else `not judged` if a target cannot be judged; else `holds`."""
        found = {each.verdict for each in self.rows}
        return next((each for each in (FAILS, UNJUDGED) if each in found), HOLDS)

    @property
    def notes(self) -> list[str]:
        """Why targets are not judged or likely to be wrong, and the number of targets with each verdict."""
        times = Counter(each.verdict for each in self.rows)
        reasons = [f"{each.file}:{each.line}: {each.name}: {each.note}" for each in self.rows if each.note]
        counts = ", ".join(f"{times[each]} {each}" for each in GITHUB if times[each])
        baseline = [self.note] if self.note else []
        return [*map(visible, [*reasons, *baseline, f"{self.run}: {counts}"])]

    def to_dict(self) -> dict[str, Any]:
        """The verdicts as the command line prints them with ``--format json``."""
        rows = [{**vars(each), "slice": json.loads(each.slice)} for each in self.rows]
        note = {"note": self.note} if self.note else {}
        return finite({"run": self.run, "verdict": self.verdict, **note, "targets": rows})  # type: ignore[no-any-return]

    def shown_rows(self) -> list[Texts]:
        """The verdicts as text for people: a column for each field that some row has."""
        columns = [name for name in self.rows[0].texts if any(each.texts[name] for each in self.rows)]
        return [{name: each.texts[name] for name in columns} for each in self.rows]

    def junit(self) -> str:
        """The verdicts as JUnit XML, which CI servers show as tests: an undecided target is a skipped test."""
        times = Counter(each.verdict for each in self.rows)
        suite = Element(
            "testsuite",
            name=visible(f"gate {self.run}"),
            tests=str(len(self.rows)),
            failures=str(times[FAILS]),
            errors=str(times[UNJUDGED]),
            skipped=str(times[UNDECIDED]),
        )
        for each in self.rows:
            case = SubElement(suite, "testcase", classname=visible(each.file), name=f"{each.name} {each.limit}")
            if each.verdict in JUNIT:
                SubElement(case, JUNIT[each.verdict], message=str(each))
        indent(suite)
        return str(tostring(suite, encoding="us-ascii", xml_declaration=True), "ascii")

    def github(self) -> str:
        """The verdicts as commands of GitHub workflows, which show each of them at its line of the document."""
        return "\n".join(
            f"::{GITHUB[each.verdict]} file={_escaped(each.file, ':,')},line={each.line},"
            f"title={_escaped(each.limit, ':,')}::{_escaped(str(each))}"
            for each in self.rows
        )


def _escaped(text: str, others: str = "") -> str:
    """A text in a command of a GitHub workflow, where a percent sign and some other characters are written as %25."""
    return "".join(f"%{ord(each):02X}" if each in f"%{others}" else each for each in visible(text))


def judge(
    run: ComparedRun, targets: Targets, baseline: ComparedRun | None = None, limits: Limits | None = None
) -> list[Judgement]:
    """The verdicts on the scores of a run. Limits of drops are about the difference from a ``baseline``.

    The run is its own baseline if it is the first of its name: then these limits are not judged.
    """
    found: list[Judgement] = []
    for target in targets.targets:
        try:
            found += _judged(target, run, baseline, limits or Limits())
        except UsageError as error:
            found.append(replace(_unjudged(target, "{}"), note=str(error)))
    return found


def _unjudged(target: Target, slice_: str) -> Judgement:
    return Judgement(
        target.score, slice_, target.limit, target.confidence, UNJUDGED, file=target.file, line=target.line
    )


def _judged(target: Target, run: ComparedRun, baseline: ComparedRun | None, limits: Limits) -> list[Judgement]:
    """The verdict on each score that a target is about. Raises UsageError if none can be judged."""
    target = replace(target, score=run.own(target.score))
    runs, by = [run], [tuple(target.columns)] if target.by else []
    if target.max_drop is not None:
        if baseline is None:
            raise UsageError("max_drop needs a baseline: name a run with --baseline")
        if baseline.place == run.place:
            said = f"this is the first run called {run.name} with this gold, these documents and parameters"
            raise UsageError(f"{said}; a baseline must be an earlier run")
        runs = [baseline, run]
        check_comparable(runs, slices=bool(by))
    having = [each.having(target.score, by) for each in runs]
    names = score_names(having[-1].values)
    keys = [key for key, name in names.items() if name in target.names]
    if not keys:
        raise unknown(
            f"the run has no score {target.names[0]!r}" + (f" (`score --by {target.by}` adds it)" if by else ""),
            target.names[0],
            {*names.values()},
        )
    of = keys[0][:2]
    note = target.note(*runs[-1].bounds.get(of, (None, None)), is_share=of in runs[-1].record.percent_names)
    score = ".".join(of)
    if len(runs) > 1 and of not in having[-1].better:
        raise UsageError("neither higher nor lower values are better, so that the score cannot drop")
    measured: Sequence[Comparison | Entry] = ()
    if target.confidence and len(runs) > 1:
        measured, _ = compare_runs(runs, [score], by=by, level=target.confidence, limits=limits, by_segment=False)
    elif target.confidence:
        measured = leaderboard_of(runs, [score], by=by, level=target.confidence, limits=limits)
    intervals = {(each.metric, each.component, each.slice): each for each in measured}
    verdicts = [_verdict(target, key, having, intervals.get(key)) for key in keys]
    return [replace(each, note=each.note or note) for each in verdicts]


def _verdict(
    target: Target, key: ScoreKey, runs: Sequence[ComparedRun], interval: Comparison | Entry | None
) -> Judgement:
    """The verdict on one score of the last of the runs; of two runs, the first is the baseline."""
    value, before = runs[-1].values[key], runs[0].values.get(key)
    unjudged = replace(_unjudged(target, key[2]), value=value)
    if value is None or before is None:
        return replace(unjudged, note="undefined" if value is None else "undefined in the baseline")
    if len(runs) > 1:
        unjudged = replace(unjudged, baseline=before, difference=value - before)
    quantity = value if unjudged.difference is None else unjudged.difference
    low, high, note = (interval.low, interval.high, interval.note) if interval else (None, None, None)
    if low is None and note:
        return replace(unjudged, note="no interval: " + note.removeprefix("no test: ").removeprefix("no interval: "))
    # A score that is the same in all resamples has neither an interval nor a note. Then the number decides.
    ends = (quantity, quantity) if low is None or high is None else (low, high)
    return replace(unjudged, low=low, high=high, verdict=target.verdict(*ends, runs[-1].better.get(key[:2], "")))
