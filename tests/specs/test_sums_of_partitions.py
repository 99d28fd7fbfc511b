"""The sums over two partitions of a submission are those of all its rows, for every suite that has partitions.

The inputs are those of tests/random_corpora.py.
"""

from __future__ import annotations

import pytest

from examples import CATALOG, suite_of
from marks import only
from random_corpora import (
    Task,
    diarization,
    in_channels,
    meetings,
    named_entities,
    term_detection,
    verification,
    without,
)
from scorespec.check.binding import TRIAL
from scorespec.check.case_proofs import CaseRuns, differences_of_partitions
from scorespec.parts.plan_in_partitions import partitioned

DETECTION, ENTITIES, TURNS = term_detection(1), named_entities(1), diarization(1)
VIRTUAL, TEXTS = without(DETECTION, "speech"), without(ENTITIES, "times", "glm")
DROP = {"outside_audio": "drop"}
GAIN = {"outside_audio": "false_alarm", "assignment": "gain"}
TRIALS = {name: rows for name, rows in verification(1).items() if name in ("scores", "trials")}
ADDED = ("eer", "min_dcf", "act_dcf", "c_primary", "cllr", "min_cllr", "min_cllr_affine", "counts")

TASKS = {
    "detection": Task("sws2013", VIRTUAL, {**DROP, "p_target": 0.5, "threshold": 0.5}),
    "detection in segments": Task("sws2013", DETECTION, {**DROP, "trials": "segment"}, (), ("atwv", "mtwv")),
    "detection by document": Task("sws2013", VIRTUAL, {**DROP, "trials": "document"}, (("doc",),), ("mtwv",)),
    "pooled detection by query": Task("sws2013", VIRTUAL, {**GAIN, "pooled": True}, (("query",),)),
    "pooled detection": Task("sws2013", VIRTUAL, {**GAIN, "pooled": True}),
    "detection of all queries": Task("openkws13", VIRTUAL, {**DROP, "include_queries_without_targets": True}),
    "detection as in STD 2006": Task("std2006", VIRTUAL, DROP),
    "words": Task("wer", TEXTS, by=(("document",),)),
    "characters": Task("cer", TEXTS),
    "meetings": Task("meeting", meetings(1)),
    "turns": Task("der_pyannote", TURNS, {"collar": 0.5}, (("doc",),)),
    "turns in channels": Task("der_mdeval", in_channels(TURNS)),
    "turns as in dscore": Task("der_dscore", in_channels(TURNS)),
    "trials": Task("verification", TRIALS, metrics=ADDED),
}


@pytest.mark.parametrize("name", only(["words", "trials"], TASKS))
def test_sums_over_partitions_are_those_of_all_rows(name: str) -> None:
    task, suite = TASKS[name], suite_of(TASKS[name].suite)
    plan = task.plan()
    assert suite.partitions
    assert partitioned(plan, suite, named=True).added
    with CaseRuns(TRIAL) as runs:
        runs.scores(plan, task.inputs, CATALOG.of_suite(suite))
        assert [*differences_of_partitions(plan, suite, task.inputs, runs.last_session())] == []
