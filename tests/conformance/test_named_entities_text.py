"""Identical texts: agreement with an independent scorer of entities, and markup other than entities."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from nervaluate.evaluator import Evaluator

import scorespec
from marks import first
from oracles.entity_corpora import TYPES, Segmented, random_entities, tables
from oracles.named_entities import Document, Entity

REFERENCE = """<DOC>
<DOCNO> d </DOCNO>
<Segment ID="s" S_time=0.0 E_time=4.0 Speaker="a">
<NG>The big dog</NG> saw <NG>a cat</NG> on <NG>the mat</NG> and <NG>it</NG> ran.
</Segment>
</DOC>
"""
HYPOTHESIS = """<DOC>
<DOCNO> d </DOCNO>
<Segment ID="s">
<NG>The big dog</NG> <VG>saw</VG> a <NG>cat</NG> on <NG>the mad</NG> and it ran.
</Segment>
</DOC>
"""


def tagged_twice(r: random.Random) -> Document:
    """A text with two sets of entities, of which half are the same."""
    words = [str(number) for number in range(r.randint(1, 30))]
    entities = random_entities(r, [len(words)], 4)
    kept = [
        Entity(each.first, each.last, each.type if r.random() < 0.8 else r.choice(TYPES))
        for each in entities
        if r.random() < 0.5
    ]
    free = {*range(len(words))} - {at for each in kept for at in range(each.first, each.last)}
    own = [each for each in random_entities(r, [len(words)], 4) if free.issuperset(range(each.first, each.last))]
    return Document(words, words, entities, sorted(kept + own), [])


def judged(documents: list[Document]) -> Evaluator:
    """What nervaluate makes of the documents; its ends are last words."""
    sides = [
        [[{"label": e.type, "start": e.first, "end": e.last - 1} for e in entities] for entities in side]
        for side in ([d.ref_entities for d in documents], [d.hyp_entities for d in documents])
    ]
    return Evaluator(*sides, tags=list(TYPES), loader="dict").evaluate()


@pytest.mark.parametrize("mapping", ["greedy", "optimal"])
@pytest.mark.parametrize("seed", first(range(3)))
def test_agreement_with_nervaluate(seed: int, mapping: str) -> None:
    r = random.Random(f"nervaluate {seed}")
    documents = [tagged_twice(r) for _ in range(100)]
    inputs = tables([Segmented(each, [len(each.ref)], [len(each.hyp)]) for each in documents])
    del inputs["alignment"]
    metrics = ["slots", "entities", "whole_entities"]
    run = scorespec.score("muc_ne", params={"mapping": mapping}, metrics=metrics, keep_evidence=False, **inputs)
    theirs = judged(documents)["overall"]
    for (metric, counts, slice_), name in {
        ("whole_entities", "whole_entities", ()): "strict",
        ("entities", "slots", (("aspect", "text"),)): "exact",
    }.items():
        counted = {each: run.value(counts, each, **dict(slice_)) for each in ("correct", "possible", "actual")}
        assert counted == {each: getattr(theirs[name], each) for each in counted}
        rates = {each: run.value(metric, each, **dict(slice_)) for each in ("precision", "recall", "fscore")}
        wanted = {"precision": theirs[name].precision, "recall": theirs[name].recall, "fscore": theirs[name].f1}
        assert rates == pytest.approx(wanted, abs=1e-12)


def test_noun_groups(tmp_path: Path) -> None:
    (tmp_path / "reference.sgml").write_text(REFERENCE)
    (tmp_path / "hypothesis.sgml").write_text(HYPOTHESIS)
    run = scorespec.score(
        "speech_ne",
        reference=tmp_path / "reference.sgml",
        hypothesis=tmp_path / "hypothesis.sgml",
        params={"tags": ["NG=noun group", "VG=verb group"]},
    )
    rows = run.sql("FROM evidence_entities ORDER BY coalesce(reference_first, hypothesis_first)").to_pylist()
    columns = ("reference_text", "hypothesis_text", "outcome", "type", "extent", "content")
    assert [tuple(row[column] for column in columns) for row in rows] == [
        ("THE BIG DOG", "THE BIG DOG", "mapped", "correct", "correct", "correct"),
        (None, "SAW", "spurious", "spurious", "spurious", "spurious"),
        ("A CAT", "CAT", "mapped", "correct", "substituted", "correct"),
        ("THE MAT", "THE MAD", "mapped", "correct", "correct", "substituted"),
        ("IT", None, "missing", "missing", "missing", "missing"),
    ]
    assert run.value("slots", "correct", entity_type="noun group") == 7
    assert run.value("slots", "spurious", entity_type="verb group") == 3
