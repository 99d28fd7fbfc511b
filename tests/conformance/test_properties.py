"""zerospeech2017 against the plain-Python oracle, on small corpora made to be awkward."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import scorespec
from marks import slow
from oracles import tdev2
from oracles.corpora import Corpus, small_corpora
from oracles.joint_corpora import JointCorpus, table, whole

METRICS = {
    "ned": ("value", "pairs"),
    "coverage": ("value",),
    **dict.fromkeys(("grouping", "type", "token", "boundary"), ("precision", "recall", "fscore")),
}


def score(inputs: dict[str, Any], **options: Any) -> scorespec.Run:
    return scorespec.score("zerospeech2017", inputs=inputs, threads=1, **options)


# Two words that end together, the second inside the first: which is first must not be left to a join.
NESTED_WORDS = Corpus(
    phones=[(f, a, b, "a") for f in ("f1", "f2") for a, b in ((0, 0.01), (0.01, 0.02), (0.02, 0.04), (0.03, 0.05))],
    words=[(f, a, b, "one") for f in ("f1", "f2") for a, b in ((0, 0.02), (0.02, 0.05), (0.03, 0.05))],
    fragments=[("0", "f1", 0.02, 0.05)],
)


CORPORA = small_corpora().filter(lambda corpus: corpus.words and corpus.fragments)
CHECKS = [HealthCheck.too_slow, HealthCheck.filter_too_much]


@slow
@example(NESTED_WORDS)
@settings(max_examples=12, deadline=None, suppress_health_check=CHECKS)
@given(CORPORA)
def test_scores_and_verdicts_are_those_of_the_oracle(corpus: Corpus) -> None:
    run = score({name: table(name, rows) for name, rows in corpus._asdict().items()})
    assert not wrong_values(run, corpus)
    assert evidence(run) == sorted(map(oracle_row, tdev2.verdicts(*corpus)))


@slow
@example([NESTED_WORDS] * 2)
@settings(max_examples=10, deadline=None, suppress_health_check=[*CHECKS, HealthCheck.data_too_large])
@given(st.lists(CORPORA, min_size=4, max_size=8))
def test_corpora_as_folds_of_one_run(corpora: list[Corpus]) -> None:
    joint = JointCorpus()
    for corpus in corpora:
        files = whole(corpus.phones, corpus.words, (row[1:] for row in corpus.fragments))
        joint.add(corpus._asdict(), {"folds": [files]})
    run = score(joint.inputs(), folds=True)
    assert not [wrong for fold, each in enumerate(corpora) if (wrong := wrong_values(run, each, fold=fold))]
    verdicts = [
        verdict._replace(file=f"{verdict.file}@{number}")
        for number, corpus in enumerate(corpora, 1)
        for verdict in tdev2.verdicts(*corpus)
    ]
    assert evidence(run) == sorted(map(oracle_row, verdicts))


def wrong_values(run: scorespec.Run, corpus: Corpus, **slice_: int) -> dict[tuple[str, str], Any]:
    """The values that are not those of the oracle."""
    wrong = {}
    expected = tdev2.score(*corpus)
    for metric, components in METRICS.items():
        for component in components:
            want, found = expected[metric][component], run.value(metric, component, **slice_)
            if found is not want and found != pytest.approx(want, abs=1e-12):
                wrong[metric, component] = (found, want)
    return wrong


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
