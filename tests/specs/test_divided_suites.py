"""Every relation of every suite can be divided as its document says, and every other step as the compiler derives.

The inputs are those of tests/dividing/corpora.py; what is compared, and how, is in tests/dividing/proof.py.
"""

from __future__ import annotations

import pytest

from dividing.corpora import (
    Task,
    articulation,
    documents_with_terms,
    named_entities,
    of_half,
    term_detection,
    term_discovery,
    whole_documents,
    with_folds,
    without,
)
from dividing.proof import prove

DETECTION, DISCOVERY, ENTITIES = term_detection(1), term_discovery(1), named_entities(1)
DROP, TIMED = {"outside_audio": "drop"}, ("times", "glm")
VIRTUAL, ALL_TALKERS = without(DETECTION, "speech"), without(DISCOVERY, "talkers")

TASKS = {
    "detection": Task("sws2013", VIRTUAL, {**DROP, "p_target": 0.5, "threshold": 0.5}),
    "detection in segments": Task("sws2013", DETECTION, {**DROP, "trials": "segment"}),
    "detection by document": Task("sws2013", VIRTUAL, {**DROP, "trials": "document"}, (("doc",),), ("mtwv", "cnxe")),
    "pooled detection by query": Task(
        "sws2013",
        VIRTUAL,
        {"outside_audio": "false_alarm", "assignment": "gain", "pooled": True},
        (("query",),),
        ("atwv", "upper_bound_twv"),
    ),
    "detection as in OpenKWS13": Task("openkws13", VIRTUAL, {}, (), ("upper_bound_twv",)),
    "documents with terms": Task("quesst2015", documents_with_terms(1), {"default_score": -1}),
    "discovery by talker": Task(
        "zerospeech2017", DISCOVERY, {"same_token": "span"}, (("talker",),), ("grouping", "type")
    ),
    "discovery": Task("zerospeech2017", ALL_TALKERS),
    "discovery in folds": Task("zerospeech2015", ALL_TALKERS, {"n_folds": 4}),
    "discovery as in 2015": Task("tde2015", with_folds(ALL_TALKERS, 1)),
    "entities": Task("speech_ne", without(ENTITIES, *TIMED)),
    "entities by document": Task("speech_ne", ENTITIES, {"fillers": ["uh"]}, (("document",),), ("slots",)),
    "words": Task("wer", whole_documents(ENTITIES), {"align_within": "document", "anchor_words": 1}),
    "words of other documents": Task("wer", {**ENTITIES, "hypothesis": of_half(ENTITIES["hypothesis"])}),
    "articulation": Task("articulation", articulation(1)),
}
ONE_VALUE = {"pooled detection by query": "block"}  # a column that has the same value in all rows of a task


@pytest.mark.parametrize("name", TASKS)
def test_parts_together_are_the_whole(name: str) -> None:
    found = prove(TASKS[name].plan(), TASKS[name].inputs)
    assert found.faults == []
    # A way is not true only because all rows are in one part.
    idle = [way for way in found.idle if way.startswith("relation ") and "by_" not in way]
    assert [way for way in idle if f": '{ONE_VALUE.get(name)}'" not in way] == []
