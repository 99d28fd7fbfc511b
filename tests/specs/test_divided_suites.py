"""Every step of every suite can be divided in each way that follows from its SQL, or that its document declares.

The inputs are those of tests/dividing/corpora.py; what is compared, and how, is in tests/dividing/proof.py.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from dividing.corpora import (
    Task,
    articulation,
    diarization,
    documents_with_terms,
    folds_of_talkers,
    in_channels,
    meetings,
    named_entities,
    of_half,
    term_detection,
    term_discovery,
    verification,
    whole_documents,
    with_folds,
    without,
)
from dividing.proof import prove
from marks import only
from scorespec.plan.plan import OWN, Step

DETECTION, DISCOVERY, ENTITIES = term_detection(1), term_discovery(1), named_entities(1)
DROP, TIMED = {"outside_audio": "drop"}, ("times", "glm")
VIRTUAL, ALL_TALKERS = without(DETECTION, "speech"), without(DISCOVERY, "talkers")

TASKS = {
    "detection": Task("sws2013", VIRTUAL, {**DROP, "p_target": 0.5, "threshold": 0.5}, intervals=True),
    "detection in segments": Task("sws2013", DETECTION, {**DROP, "trials": "segment"}, (), ("atwv",)),
    "detection by document": Task("sws2013", VIRTUAL, {**DROP, "trials": "document"}, (("doc",),), ("mtwv",)),
    "pooled detection by query": Task(
        "sws2013",
        VIRTUAL,
        {"outside_audio": "false_alarm", "assignment": "gain", "pooled": True},
        (("query",),),
        ("atwv",),
    ),
    "detection of all queries": Task(
        "openkws13", VIRTUAL, {**DROP, "include_queries_without_targets": True, "tolerance": 0.0}, (), ("atwv", "cnxe")
    ),
    "detection as in OpenKWS13": Task("openkws13", VIRTUAL, {}, (), ("upper_bound_twv",)),
    "documents with terms": Task("quesst2015", documents_with_terms(1), {"default_score": -1}),
    "discovery by talker": Task(
        "zerospeech2017", DISCOVERY, {"same_token": "span"}, (("talker",),), ("grouping", "type")
    ),
    "discovery": Task("zerospeech2017", ALL_TALKERS),
    "discovery within talkers": Task("zerospeech2017", DISCOVERY, {"talkers": "within"}, (), ("ned", "grouping")),
    "discovery within talkers of given folds": Task(
        "zerospeech2015",
        {**DISCOVERY, "folds": folds_of_talkers(DISCOVERY)},
        {"talkers": "within", "fold_set": "folds"},
        (),
        ("ned", "coverage", "type", "boundary"),
    ),
    "discovery in given folds": Task(
        "zerospeech2015", {**DISCOVERY, "folds": folds_of_talkers(DISCOVERY)}, {"talkers": "within"}, (), ("token",)
    ),
    "discovery in folds": Task("zerospeech2015", ALL_TALKERS, {"n_folds": 4}),
    "discovery as in 2015": Task("tde2015", with_folds(ALL_TALKERS, 1), {}, (), ("matching",)),
    "entities": Task("speech_ne", without(ENTITIES, *TIMED)),
    "entities by document": Task("speech_ne", ENTITIES, {"fillers": ["uh"]}, (("document",),), ("slots",)),
    "mapped entities": Task("muc_ne", without(ENTITIES, *TIMED), {"mapping": "optimal", "extent_tolerance": 1}),
    "words": Task("wer", whole_documents(ENTITIES), {"align_within": "document", "anchor_words": 1}),
    "words as sclite takes them": Task(
        "wer",
        {**ENTITIES, "hypothesis": of_half(ENTITIES["hypothesis"]), "times": of_half(ENTITIES["times"])},
        {"name_case": "fold", "missing": "deletions", "fragments": "correct", "glm_faults": "skip"},
    ),
    "words of other documents": Task("wer", {**ENTITIES, "hypothesis": of_half(ENTITIES["hypothesis"])}),
    "meetings": Task("meeting", meetings(1)),
    "diarization": Task("der_pyannote", diarization(1), {"collar": 0.5, "skip_overlap": True}),
    "diarization in frames": Task("der_dscore", diarization(1)),
    "diarization by channel": Task("der_mdeval", in_channels(diarization(1))),
    "verification": Task("verification", verification(1), {"score_scale": 0.5}),
    "verification by model": Task(
        "verification", verification(1), {"eer_crossing": "nearest"}, (("model",),), ("eer", "min_cllr")
    ),
    "articulation": Task("articulation", articulation(1)),
}
ONE_VALUE = {"pooled detection by query": "block"}  # a column that has the same value in all rows of a task


@pytest.mark.parametrize("name", only(["detection in segments", "discovery", "entities", "articulation"], TASKS))
def test_parts_together_are_the_whole(name: str) -> None:
    found = prove(TASKS[name].plan(), TASKS[name].inputs)
    assert found.faults == []
    # A way is not true only because all rows are in one part.
    idle = [way for way in found.idle if way.startswith("relation ") and "by_" not in way]
    assert [way for way in idle if f": '{ONE_VALUE.get(name)}'" not in way] == []


FALSE = [
    ("detection", "occurrence_islands", {"located_occurrences": "query"}),  # islands are numbered over all queries
    ("detection", "scored_queries", {"query_sizes": "query"}),  # weights depend on the number of queries
    ("detection", "query_sizes", {"targets": "query"}),  # each part would list all queries
    ("discovery", "type_outcomes", {"fragment_words": "text", "word_tokens": "text"}),  # words with two transcriptions
    ("discovery", "span_tokens", {"distinct_spans": "file", "phone_tokens": "file"}),  # equal times in several files
    ("discovery", "clustered_spans", {"member_partners": "cluster"}),  # a fragment in two clusters
    ("entities", "aligned_entities", {"text_entities": "document"}),
]


@pytest.mark.parametrize("name", sorted({name for name, *_ in FALSE}))
def test_a_false_declaration_would_be_found(name: str) -> None:
    plan = TASKS[name].plan()
    names = {step.physical: step.name for step in plan.steps} | {table.name: table.name for table in plan.tables}
    false = {relation: keys for task, relation, keys in FALSE if task == name}

    def falsely(step: Step) -> Step:
        keys = false.get(step.name, {})
        reads = {table: keys[names[table]] for table in step.reads if names[table] in keys}
        return replace(step, split_by=({**reads, OWN: "no column"},) if keys else step.split_by)

    faults = prove(replace(plan, steps=tuple(map(falsely, plan.steps))), TASKS[name].inputs).faults
    assert {each.split(",")[0].split(" by ")[0] for each in faults} == {f"relation {relation}" for relation in false}
    assert all("the parts have" in each for each in faults)
