"""Every relation of every suite can be divided as its document says, and every other step as the compiler derives.

The inputs are those of tests/dividing/corpora.py; what is compared, and how, is in tests/dividing/proof.py.
"""

from __future__ import annotations

from functools import cache

import pytest

from dividing.corpora import (
    Task,
    articulation,
    named_entities,
    of_half,
    term_detection,
    term_discovery,
    whole_documents,
    without,
)
from dividing.proof import Proof, Way, prove

DETECTION, DISCOVERY, ENTITIES = term_detection(1), term_discovery(1), named_entities(1)
DROP, TIMED = {"outside_audio": "drop"}, ("times", "glm")
VIRTUAL, ALL_TALKERS = without(DETECTION, "speech"), without(DISCOVERY, "talkers")

TASKS = {
    "detection": Task("sws2013", VIRTUAL, {**DROP, "p_target": 0.5, "threshold": 0.5}),
    "detection in segments": Task("sws2013", DETECTION, {**DROP, "trials": "segment"}),
    "detection by document": Task(
        "sws2013", VIRTUAL, {**DROP, "trials": "document"}, (("doc",),), ("mtwv", "upper_bound_twv", "cnxe")
    ),
    "pooled detection by query": Task(
        "sws2013",
        VIRTUAL,
        {"outside_audio": "false_alarm", "assignment": "gain", "pooled": True},
        (("query",),),
        ("atwv", "upper_bound_twv"),
    ),
    "discovery by talker": Task("zerospeech2017", DISCOVERY, {"same_token": "span"}, (("talker",),)),
    "discovery": Task("zerospeech2017", ALL_TALKERS, {}, (), ("grouping",)),
    "discovery in folds": Task("zerospeech2015", ALL_TALKERS, {"n_folds": 4}),
    "entities": Task("speech_ne", without(ENTITIES, *TIMED)),
    "entities by document": Task("speech_ne", ENTITIES, {"fillers": ["uh"]}, (("document",),), ("slots",)),
    "words": Task("wer", whole_documents(ENTITIES), {"align_within": "document", "anchor_words": 1}),
    "words of other documents": Task("wer", {**ENTITIES, "hypothesis": of_half(ENTITIES["hypothesis"])}),
    "articulation": Task("articulation", articulation(1)),
}


@cache
def proof(name: str) -> Proof:
    return prove(TASKS[name].plan(), TASKS[name].inputs)


@pytest.mark.parametrize("name", TASKS)
def test_parts_together_are_the_whole(name: str) -> None:
    assert proof(name).faults == []


def test_each_way_that_a_document_declares_divides_some_rows() -> None:
    """So a way is not true only because all rows are in one part."""
    proofs = [proof(name) for name in TASKS]
    idle = set().union(*(each.declared for each in proofs)) - set().union(*(each.exercised for each in proofs))
    assert not [way for way in idle if way[0].startswith("relation ") and not by_breakdown(way)]


def by_breakdown(way: Way) -> bool:
    return any(column.startswith("by_") for column in way[1])
