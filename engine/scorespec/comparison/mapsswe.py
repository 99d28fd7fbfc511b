"""The matched-pairs test of two runs (MAPSSWE), from the errors that their results keep as evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pyarrow as pa

from scorespec.comparison.compared_runs import ComparedRun
from scorespec.core.arrays import numpy_floats, numpy_ints
from scorespec.core.result_tables import EVIDENCE
from scorespec.plan.rendering.templates import quoted
from scorespec.results.reading import reading_table, stored_runs
from scorespec.run.session import Session
from scorespec.statistics import FEW_PAIRS, MatchedPairsTest, error_segments, matched_pairs

APART = 2  # words that both systems have right, and that separate two segments


@dataclass(frozen=True)
class SegmentTest:
    """The matched-pairs test over ``pairs`` of segments: the mean difference of errors, ``b`` − ``a``, Z, and its p.

    ``p_normal`` reads Z as a normal variable, as NIST's sc_stats does, ``p_student`` as Student's t.
    """

    a: str
    b: str
    pairs: int
    mean: float
    z: float
    p_normal: float
    p_student: float

    def __str__(self) -> str:
        few = f"; fewer than {FEW_PAIRS} pairs: Z may not be normal" if self.pairs < FEW_PAIRS else ""
        p = f"p = {self.p_normal:.4g} (normal), {self.p_student:.4g} (Student's t)"
        return (
            f"matched pairs of {self.a} and {self.b}: {self.pairs:,} segment pairs, {self.mean:+.3g} errors each, "
            f"Z = {self.z:.3g}, {p}{few}"
        )


def segment_tests(session: Session, runs: Sequence[ComparedRun]) -> Iterator[SegmentTest]:
    """The test of each pair of runs whose suite declares `matched_pairs`, and whose results have this evidence."""
    if not all(run.record.matched_pairs and _has_evidence(run) for run in runs):
        return
    errors = [_errors(run) for run in runs]
    for a, b in combinations(range(len(runs)), 2):
        found = _test(session, errors[a], errors[b])
        yield SegmentTest(runs[a].name, runs[b].name, found.pairs, found.mean, found.z, found.p_normal, found.p_student)


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
