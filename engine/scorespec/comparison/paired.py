"""Paired comparison of systems that were scored on the same data, by blocks and by matched pairs (MAPSSWE)."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pyarrow as pa

from scorespec.comparison.compared_runs import (
    By,
    ComparedRun,
    ScoreKey,
    check_comparable,
    compared_scores,
    place_of,
    shared,
    together,
    with_distinct_names,
)
from scorespec.comparison.resampled import (
    BOOTSTRAP,
    JACKKNIFE,
    UNDEFINED,
    Kept,
    KeptScores,
    Portion,
    kept_scores,
    portions_of,
    resampled_scores,
    resampling_session,
    why_unpaired,
    without_groups,
)
from scorespec.core.arrays import Floats, numpy_floats, numpy_ints
from scorespec.core.groups import grouped
from scorespec.core.result_tables import EVIDENCE
from scorespec.core.score_text import level_text, score_name, slice_text
from scorespec.errors import UsageError
from scorespec.intervals.found_intervals import too_few
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.resampling.interval_sql import REPLICATES
from scorespec.results.reading import reading_table, stored_runs
from scorespec.run.limits import Limits
from scorespec.run.session import Session
from scorespec.statistics import (
    FEW_PAIRS,
    MatchedPairsTest,
    Resampled,
    Significance,
    bca_interval,
    benjamini_hochberg,
    bootstrap_tests,
    error_segments,
    expanded,
    holm,
    jackknife_interval,
    jackknife_test,
    matched_pairs,
    outcomes,
    outcomes_without,
    smallest_detectable,
    step_down_max_t,
)
from scorespec.statistics.confidence import FEWEST_BLOCKS, jackknife_error

APART = 2  # words that both systems have right, and that separate two segments


@dataclass(frozen=True)
class SegmentTest(MatchedPairsTest):
    """The matched-pairs test over ``pairs`` of segments: the mean difference of errors, ``b`` − ``a``, Z, and its p.

    ``p_normal`` reads Z as a normal variable, as NIST's sc_stats does, ``p_student`` as Student's t.
    """

    a: str
    b: str

    def __str__(self) -> str:
        few = ", few for Z" if self.pairs < FEW_PAIRS else ""
        return (
            f"if stretches of speech are independent (matched pairs, {self.pairs:,} with errors{few}):\n"
            f"{self.b} makes {abs(self.mean):.3g} {'fewer' if self.mean < 0 else 'more'} errors per stretch "
            f"than {self.a}; Z = {self.z:.3g}, p {p_text(self.p_student)}"
        )

    @property
    def verdict(self) -> str:
        """What the test says, in a sentence."""
        fewer, more = (self.b, self.a) if self.mean < 0 else (self.a, self.b)
        unclear = f"the errors of {self.a} and {self.b} are not distinguishable"
        found = f"{fewer} makes fewer errors than {more}" if self.p_student <= LEVEL else unclear
        return f"If stretches of speech are independent as well, {found} (matched pairs, p {p_text(self.p_student)})."


def p_text(p: float | None) -> str:
    """A probability after its `p`: ``= 0.0020``, ``< 0.0001``; empty without one."""
    return "" if p is None else "< 0.0001" if p < 1e-4 else f"= {p:.4f}"


def segment_tests(session: Session, runs: Sequence[ComparedRun]) -> Iterator[SegmentTest]:
    """The test of each pair of runs whose suite declares `matched_pairs`, and whose results have this evidence."""
    if not all(run.record.matched_pairs and _has_evidence(run) for run in runs):
        return
    errors = [_errors(run) for run in runs]
    for a, b in combinations(range(len(runs)), 2):
        found = _test(session, errors[a], errors[b])
        yield SegmentTest(**vars(found), a=runs[a].name, b=runs[b].name)


def _table(run: ComparedRun) -> str:
    return f"{EVIDENCE}{run.record.matched_pairs['errors']}"


def _has_evidence(run: ComparedRun) -> bool:
    with stored_runs(run.results, run.schema) as stored:
        return _table(run) in stored.tables


def _errors(run: ComparedRun) -> pa.Table:
    """The errors of a run: sentence, position, errors."""
    columns = ", ".join(f"{quoted(name)}::VARCHAR" for name in run.record.matched_pairs["sentence"])
    asked = (
        f"SELECT [{columns}] AS sentence, position::BIGINT AS position, sum(errors)::DOUBLE AS errors "
        f"FROM {quoted(_table(run))} WHERE run = {run.number:d} GROUP BY ALL"
    )
    with stored_runs(run.results, run.schema) as stored, reading_table(run.results, _table(run)):
        return stored.ask(asked)


def _test(session: Session, first: pa.Table, second: pa.Table) -> MatchedPairsTest:
    """The test over the errors of two runs.

    Between two errors, only the number of words that both systems have right matters: those at odd positions.
    """
    with session.reading("first_errors", first), session.reading("second_errors", second):
        rows = session.table(
            "SELECT dense_rank() OVER (ORDER BY sentence) AS sentence, position, "
            "coalesce(one.errors, 0) AS first, coalesce(other.errors, 0) AS second "
            "FROM first_errors AS one FULL JOIN second_errors AS other USING (sentence, position) "
            "ORDER BY sentence, position"
        )
    sentence, position = numpy_ints(rows["sentence"]), numpy_ints(rows["position"])
    one, other = (numpy_floats(rows[name].combine_chunks()) for name in ("first", "second"))
    # The words between an error and the one before it: odd positions in between.
    between = np.append(0, position[1:] // 2 - (position[:-1] + 1) // 2) if len(rows) else np.empty(0, np.int64)
    right = np.clip(between, 0, APART)
    place = np.cumsum(right + 1) - 1  # of each error among errors and words between
    number = int(place[-1]) + 1 if len(place) else 0
    is_right = np.ones(number, np.bool_)
    is_right[place] = False
    sentences = np.repeat(sentence, right + 1)
    every = np.zeros((2, number))
    every[:, place] = one, other
    return matched_pairs(*error_segments(sentences, is_right, every[0], every[1], APART))


CORRECTIONS = ("holm", "bh", "maxt")
LEVEL = 0.05  # a difference is found if its corrected p is at most this
RANDOMISATION = "randomisation"


@dataclass(frozen=True)
class Comparison:
    """The difference of a score between two systems, ``value_b`` − ``value_a``, and how sure it is.

    ``low`` and ``high`` are the ends of its confidence interval, ``p`` that of the hypothesis that the systems do not
    differ, and ``p_corrected`` p corrected for all comparisons. ``detectable`` is the smallest true difference that is
    found with a probability of 80 %. ``wins``, ``ties`` and ``losses`` are the numbers of blocks, or of the groups of a
    jackknife, in which the second system is better, equal and worse. ``better`` says which values are better. ``note``
    says why something is None. ``block`` has the columns that name blocks, if these are known.
    """

    metric: str
    component: str
    slice: str
    a: str
    b: str
    value_a: float | None
    value_b: float | None
    difference: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_corrected: float | None = None
    detectable: float | None = None
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None
    blocks: int | None = None
    method: str | None = None
    better: str = "higher"
    note: str | None = None
    block: str | None = None

    @property
    def is_found(self) -> bool:
        """Whether the systems differ significantly."""
        return self.p_corrected is not None and self.p_corrected <= LEVEL

    @property
    def is_better(self) -> bool:
        """Whether the value of the second system is better than that of the first."""
        gain = self.difference or 0.0
        return gain > 0 if self.better == "higher" else gain < 0

    def size_text(self, level: float, factor: float = 1.0, unit: str = "") -> str:
        """How much better the better system is, with its unit and the interval: ``0.218 (95 % 0.108 to 0.323)``."""
        sign = math.copysign(factor, self.difference or 0.0)
        size = f"{sign * (self.difference or 0.0):.3g}{unit}"
        if self.low is None or self.high is None:
            return size
        low, high = sorted((sign * self.low, sign * self.high))
        return f"{size} ({level_text(level)} % {low:.3g} to {high:.3g})"


@dataclass(frozen=True)
class _Tested:
    """A comparison, with the differences of its randomisation test; these are needed for the maxT correction.

    ``swapped`` is the number of blocks that the test swaps, those of all slices.
    """

    comparison: Comparison
    null: Floats | None = None
    exact: bool = False
    swapped: int = 0


def compare_runs(
    runs: Sequence[ComparedRun],
    metrics: Iterable[str] = (),
    *,
    slices: bool = False,
    by: By = (),
    level: float = 95.0,
    correction: str = "holm",
    limits: Limits | None = None,
    by_segment: bool = True,
) -> tuple[list[Comparison], list[SegmentTest]]:
    """Compare each pair of some runs in the scores that all of them have and, if ``by_segment``, by matched pairs.

    Raises UsageError for runs that cannot be compared, and for a metric or a breakdown that they do not have.
    """
    if correction not in CORRECTIONS:
        raise UsageError(f"--correction {correction}: it must be {', '.join(CORRECTIONS[:-1])} or {CORRECTIONS[-1]}")
    wanted = [*map(runs[0].own, metrics)] or shared(runs)
    for at, run in enumerate(runs):
        if run.place in (other.place for other in runs[:at]):
            raise UsageError(f"run {run.number} is named twice; a comparison needs different runs")
    runs = with_distinct_names(runs)
    check_comparable(runs, slices=slices or bool(by))
    found: dict[tuple[ScoreKey, int, int], _Tested] = {}
    matched: list[SegmentTest] = []
    pairs = list(combinations(range(len(runs)), 2))
    for chosen, names in together(runs, wanted, by) or [(runs, [])]:
        keys = compared_scores(chosen, names, slices, by)
        with resampling_session(chosen, {key[0] for key in keys}, limits or Limits()) as (session, every):
            for metric in every:
                for portion in portions_of(session, chosen, metric, REPLICATES):
                    found |= _of_portion(portion, chosen, {*keys}, level / 100)
            matched = matched or (list(segment_tests(session, chosen)) if by_segment else [])
            kept = kept_scores(chosen, {*keys} - {key for key, _, _ in found})
        for a, b in pairs:
            for key in keys:
                if (key, a, b) not in found:
                    of_pair = (chosen[a], chosen[b])
                    found[key, a, b] = _from_kept(of_pair, key, (kept[a], kept[b]), level / 100)
    ordered = sorted(found, key=lambda each: place_of(each[0], wanted))
    tested = [found[each] for pair in pairs for each in ordered if each[1:] == pair]
    return _corrected(tested, correction), matched


def _plain(one: ComparedRun, other: ComparedRun, key: ScoreKey) -> Comparison:
    """The comparison of two values, without anything that is resampled."""
    values = one.values[key], other.values[key]
    difference = values[1] - values[0] if None not in values else None  # type: ignore[operator]
    return Comparison(*key, one.name, other.name, *values, difference, better=one.better[key[:2]])


def _from_kept(
    runs: tuple[ComparedRun, ComparedRun], key: ScoreKey, kept: Sequence[KeptScores], level: float
) -> _Tested:
    """The comparison of a score that cannot be resampled from sums of blocks, from replicates that results keep."""
    plain = _plain(*runs, key)
    if plain.difference is None:
        return _Tested(replace(plain, note="undefined"))
    without = without_groups(key, kept)
    if drawn := resampled_scores(key, [plain.value_a or 0.0, plain.value_b or 0.0], kept):
        difference, blocks = drawn[1] - drawn[0], len(drawn[0].left_out)
        compared = _compared(plain, difference, _bootstrap_tests(difference, [blocks]), 0, blocks, blocks, level)
        return _Tested(_counted(replace(compared, method=BOOTSTRAP), without))
    if without:
        return _Tested(_counted(_jackknifed(plain, without, level), without))
    return _Tested(replace(plain, note=f"no test: {why_unpaired(key, runs, kept)}"))


def _counted(compared: Comparison, without: Sequence[Kept]) -> Comparison:
    """A comparison with its wins, ties and losses, if it has a test and if both values without each group are known."""
    if not without or compared.p is None or compared.value_a is None or compared.value_b is None:
        return compared
    left_out, groups = without[1].scores - without[0].scores, np.array(without[0].groups, np.float64)
    higher = compared.better == "higher"
    found = outcomes_without(compared.value_a, compared.value_b, left_out, groups, higher_is_better=higher)
    return replace(compared, wins=found.wins, ties=found.ties, losses=found.losses)


def _jackknifed(plain: Comparison, without: Sequence[Kept], level: float) -> Comparison:
    """A comparison by the jackknife over groups of blocks."""
    left_out, groups = without[1].scores - without[0].scores, np.array(without[0].groups, np.float64)
    difference = float(plain.difference or 0.0)
    interval = jackknife_interval(difference, left_out, level, blocks=groups, proportion=False)
    p = jackknife_test(difference, left_out, blocks=groups)
    if interval.note == "undefined" or math.isnan(p):
        return replace(plain, note="no test: undefined without one of the groups")
    detectable = smallest_detectable(jackknife_error(difference, left_out, groups), len(groups) - 1)
    ends = replace(plain, low=interval.low, high=interval.high)
    return replace(ends, p=p, detectable=detectable, blocks=int(groups.sum()), method=JACKKNIFE)


def _of_portion(
    portion: Portion, runs: Sequence[ComparedRun], wanted: set[ScoreKey], level: float
) -> dict[tuple[ScoreKey, int, int], _Tested]:
    """The comparisons of some scores of a metric, for each pair of runs."""
    resampled = portion.resampled(REPLICATES)
    by_block = portion.components(portion.sums)
    found = {}
    for a, b in combinations(range(len(runs)), 2):
        difference = resampled[b] - resampled[a]
        if portion.can_be_swapped(a, b):
            tests, method = portion.swapped(a, b, REPLICATES), RANDOMISATION
        else:  # sums of the two runs mean different things
            of_scores = [portion.blocks_of(key) for key, _ in portion.scores]
            tests, method = _bootstrap_tests(difference, of_scores), BOOTSTRAP
        for at, (key, effective) in enumerate(portion.scores):
            if key not in wanted:
                continue
            plain = replace(_plain(runs[a], runs[b], key), block=portion.block)
            compared = _compared(plain, difference, tests, at, portion.blocks_of(key), effective, level)
            if compared.p is None:
                found[key, a, b] = _Tested(compared)
                continue
            counted = outcomes(by_block[:, a, at], by_block[:, b, at], higher_is_better=plain.better == "higher")
            compared = replace(compared, wins=counted.wins, ties=counted.ties, losses=counted.losses, method=method)
            null = tests.null[:, at] if method == RANDOMISATION else None
            found[key, a, b] = _Tested(compared, null, tests.exact, portion.blocks)
    return found


def _bootstrap_tests(difference: Resampled, blocks: Sequence[int]) -> Significance:
    """The tests of some scores; ``blocks`` has the number of blocks of each."""
    tests = bootstrap_tests(difference)
    p = [expanded(tests.p[[at]], max(number, 2)) for at, number in enumerate(blocks)]
    return replace(tests, p=np.concatenate(p))


def _compared(
    plain: Comparison,
    difference: Resampled,
    tests: Significance,
    at: int,
    blocks: int,
    effective: float,
    level: float,
) -> Comparison:
    """A comparison with its interval and its p."""
    if plain.difference is None:
        return replace(plain, note="undefined")
    compared = replace(plain, blocks=blocks)
    if effective < FEWEST_BLOCKS:
        return replace(compared, note=f"no test: {too_few(effective)}")
    if math.isnan(tests.p[at]):
        return replace(compared, note="no test: undefined in too many replicates")
    interval = bca_interval(difference, at, level, effective)
    error = float(difference.standard_errors()[at])
    return replace(
        compared,
        low=interval.low,
        high=interval.high,
        p=float(tests.p[at]),
        detectable=smallest_detectable(error, blocks - 1),
        note=f"no interval: {UNDEFINED}" if interval.note == "undefined" else None,
    )


def _corrected(tested: Sequence[_Tested], correction: str) -> list[Comparison]:
    """The comparisons with p corrected for all of them."""
    p = np.array([math.nan if each.comparison.p is None else each.comparison.p for each in tested])
    corrected = _max_t(tested) if correction == "maxt" else (holm if correction == "holm" else benjamini_hochberg)(p)
    return [
        replace(each.comparison, p_corrected=None if math.isnan(value) else float(value))
        for each, value in zip(tested, corrected, strict=True)
    ]


def _max_t(tested: Sequence[_Tested]) -> Floats:
    """p by the step-down maxT correction. Raises UsageError if a test does not swap the same blocks as the others."""
    having = [each for each in tested if each.comparison.p is not None]
    others = {each.comparison.metric for each in having if each.null is None}
    if others:
        said = "--correction maxt needs tests that swap blocks, and there are none of "
        raise UsageError(f"{said}{', '.join(sorted(others))}; name other metrics, or use holm")
    blocks = {each.swapped: each.comparison.metric for each in having}
    if len(blocks) > 1:
        said = ", ".join(f"{number} blocks of {metric}" for number, metric in blocks.items())
        raise UsageError(f"--correction maxt needs metrics of the same blocks, and there are {said}; use holm")
    found = np.full(len(tested), np.nan)
    if having:
        null = np.stack([each.null for each in having if each.null is not None], axis=1)
        difference = np.array([each.comparison.difference for each in having], np.float64)
        at = [number for number, each in enumerate(tested) if each.comparison.p is not None]
        found[at] = step_down_max_t(difference, null, exact=having[0].exact)
    return found


def verdict(
    comparisons: Sequence[Comparison], level: float = 95.0, in_percent: Collection[tuple[str, str]] = ()
) -> str:
    """What the comparisons say, in a sentence for each pair of systems."""
    pairs = grouped(((each.a, each.b), each) for each in comparisons)
    return " ".join(_verdict(*pair, found, level, in_percent) for pair, found in pairs.items())


def _verdict(a: str, b: str, found: Sequence[Comparison], level: float, in_percent: Collection[tuple[str, str]]) -> str:
    tested = [each for each in found if each.p is not None]
    if not tested:
        reason = str(found[0].note).removeprefix("no test: ")
        reason += " (`score --blocks` chooses other blocks)" if found[0].blocks else ""
        return f"No difference between {a} and {b} could be tested: {reason}."
    sentences = []
    for winner, loser, is_second in ((b, a, True), (a, b, False)):
        won = [each for each in tested if each.is_found and each.is_better is is_second]
        if won:
            said = ", ".join(_said(each, level, in_percent) for each in won)
            sentences.append(f"{winner} is better than {loser} {said}")
    if not sentences:
        return f"No difference between {a} and {b} is significant."
    rest = "; no other difference is significant" if any(not each.is_found for each in tested) else ""
    return "; ".join(sentences) + rest + "."


def _said(each: Comparison, level: float, in_percent: Collection[tuple[str, str]]) -> str:
    """One score and its difference: ``in wer by 0.218 (95 % 0.108 to 0.323)``."""
    is_percent = (each.metric, each.component) in in_percent
    name = [score_name(each.metric, each.component), "(%)" if is_percent else "", slice_text(json.loads(each.slice))]
    return " ".join(["in", *filter(None, name), "by", each.size_text(level, 100.0 if is_percent else 1.0)])
