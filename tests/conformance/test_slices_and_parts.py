"""Random corpora: each slice is scored from its own rows, sums over partitions add up, and swapped inputs are seen.

``SEEDS=20`` tries more corpora than a test run has time for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import pytest

import random_corpora as corpora
import scorespec
from examples import CATALOG, suite_of
from marks import first, only
from random_corpora import Rows, Task, without
from scorespec.check.binding import TRIAL
from scorespec.check.case_proofs import CaseRuns, differences_of_partitions, differences_of_slices
from scorespec.plan.compile import Request

FIRST = 101
SEEDS = range(FIRST, FIRST + int(os.environ.get("SEEDS", "1")))
Corpus = Callable[[int], Mapping[str, Rows]]
TASKS: dict[str, tuple[Corpus, tuple[str, ...], dict[str, Any], tuple[str, ...]]] = {
    # Detections outside the audio are in the total and in no slice, so that they are left out here.
    "sws2013": (corpora.term_detection, ("speech",), {"outside_audio": "drop"}, ("atwv",)),
    "openkws13": (corpora.term_detection, ("speech",), {}, ("atwv",)),
    "zerospeech2017": (corpora.term_discovery, ("speakers",), {}, ("grouping",)),
    "zerospeech2015": (corpora.term_discovery, ("speakers",), {"n_folds": 0}, ("token",)),
    "wer": (corpora.named_entities, ("times", "glm"), {}, ("wer",)),
    "speech_ne": (corpora.named_entities, ("times", "glm"), {}, ("slots",)),
}


def task(suite: str, seed: int) -> Task:
    corpus, left_out, params, metrics = TASKS[suite]
    return Task(suite, without(corpus(seed), *left_out), params, metrics=metrics)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", only(["speech_ne", "zerospeech2017"], TASKS))
def test_slices_are_scored_from_their_own_rows(name: str, seed: int) -> None:
    of, suite = task(name, seed), suite_of(name)
    names = CATALOG.of_suite(suite)
    request = Request(dict(of.params), of.metrics, given=frozenset(of.rows))
    with CaseRuns(TRIAL) as runs:
        assert [*differences_of_slices(names, suite, of.plan(), request, of.inputs, runs)] == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", [name for name in TASKS if suite_of(name).partitions])
def test_sums_over_partitions_are_those_of_all_rows(name: str, seed: int) -> None:
    of, suite = task(name, seed), suite_of(name)
    assert suite.partitions
    with CaseRuns(TRIAL) as runs:
        runs.scores(of.plan(), of.inputs, CATALOG.of_suite(suite))
        assert [*differences_of_partitions(of.plan(), suite, of.inputs, runs.last_session())] == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("suite", first(["zerospeech2017", "zerospeech2015", "tde2015"]))
def test_swapped_phones_and_words_are_never_scored_without_a_word(suite: str, seed: int) -> None:
    rows = without(corpora.term_discovery(seed), "speakers")
    rows = corpora.with_folds(rows, seed) if suite == "tde2015" else rows
    swapped = Task(suite, {**rows, "phones": rows["words"], "words": rows["phones"]}, metrics=("token",))
    try:
        said = scorespec.score(suite, inputs=swapped.inputs, metrics=["token"], keep_evidence=False).warnings
    except scorespec.InputError as refused:
        said = [str(refused)]
    assert any("swapped?" in each for each in said)
