"""zerospeech2017 against the plain-Python oracle, on small corpora made to be awkward."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings

import scorespec
from oracles import tdev2
from oracles.corpora import Corpus, small_corpora

METRICS = {
    "ned": ("value", "pairs"),
    "coverage": ("value",),
    **dict.fromkeys(("grouping", "type", "token", "boundary"), ("precision", "recall", "fscore")),
}
GOLD = {"file": pa.string(), "onset": pa.float64(), "offset": pa.float64(), "label": pa.string()}
FRAGMENTS = {"cluster": pa.string(), "file": pa.string(), "onset": pa.float64(), "offset": pa.float64()}


def arrow(rows: Any, types: dict[str, pa.DataType]) -> pa.Table:
    return pa.Table.from_pylist([dict(zip(types, row, strict=True)) for row in rows], pa.schema(list(types.items())))


def score(corpus: Corpus, **options: Any) -> scorespec.Run:
    return scorespec.score(
        "zerospeech2017",
        phones=arrow(corpus.phones, GOLD),
        words=arrow(corpus.words, GOLD),
        fragments=arrow(corpus.fragments, FRAGMENTS),
        threads=1,
        **options,
    )


# Two words that end together, the second inside the first: which is first must not be left to a join.
NESTED_WORDS = Corpus(
    phones=[(f, a, b, "a") for f in ("f1", "f2") for a, b in ((0, 0.01), (0.01, 0.02), (0.02, 0.04), (0.03, 0.05))],
    words=[(f, a, b, "one") for f in ("f1", "f2") for a, b in ((0, 0.02), (0.02, 0.05), (0.03, 0.05))],
    fragments=[("0", "f1", 0.02, 0.05)],
)


@example(NESTED_WORDS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(small_corpora().filter(lambda corpus: corpus.words and corpus.fragments))
def test_scores_and_verdicts_are_those_of_the_oracle(corpus: Corpus) -> None:
    run = score(corpus)
    expected = tdev2.score(*corpus)
    for metric, components in METRICS.items():
        for component in components:
            want = expected[metric][component]
            if want is None:
                assert run.value(metric, component) is None, (metric, component)
            else:
                assert run.value(metric, component) == pytest.approx(want, abs=1e-12), (metric, component)
    assert evidence(run) == sorted(map(oracle_row, tdev2.verdicts(*corpus)))


def evidence(run: scorespec.Run) -> list[tuple[Any, ...]]:
    rows = run.sql(
        """
        SELECT DISTINCT file, onset, "offset" AS "end", transcription, word_label, word_onset, word_offset, onset_hit,
            offset_hit
        FROM evidence_fragment_verdicts WHERE transcription IS NOT NULL
        """
    )
    return sorted(tuple(map(sortable, row.values())) for row in rows.to_pylist())


def oracle_row(verdict: Any) -> tuple[Any, ...]:
    word = verdict.word or (None, None, None, None)
    row = (
        verdict.file, verdict.onset, verdict.offset, " ".join(verdict.transcription), word[3], word[1], word[2],
        verdict.onset_hit, verdict.offset_hit,
    )  # fmt: skip
    return tuple(map(sortable, row))


def sortable(value: Any) -> Any:
    return (value is not None, value if value is not None else 0) if not isinstance(value, str) else (2, value)
