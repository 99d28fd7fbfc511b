"""A tagger is scored on the words of the reference and on the output of a recogniser, in one run."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import first, slow, some
from oracles import entity_corpora

DATA = Path(__file__).parents[1] / "data" / "named_entities"
CASES = ["muc_ne", "speech_ne"]
METRICS = ["slots", "entities", "whole_entities", "wer"]


@cache
def corpus() -> tuple[dict[str, pa.Table], pa.Table]:
    """The inputs of random texts, and the reference with other entities: the transcript of another tagger."""
    r = random.Random("two hypotheses")
    documents = [entity_corpora.random_document(r) for _ in range(30)]
    tagged = [
        each._replace(
            document=each.document._replace(
                ref_entities=entity_corpora.random_entities(r, each.ref_ends, len(each.document.ref))
            )
        )
        for each in documents
    ]
    return entity_corpora.tables(documents), entity_corpora.tables(tagged)["reference"]


@pytest.mark.parametrize("suite", first(CASES))
@pytest.mark.parametrize("align_within", first(["segment", "document"]))
def test_the_transcript_scores_as_it_does_alone(suite: str, align_within: str) -> None:
    """The alignment that is given for the hypothesis is not used for the transcript."""
    inputs, transcript = corpus()
    named = [f"{name}(scored_input=transcript)" for name in METRICS]
    options: dict[str, Any] = {"params": {"align_within": align_within}, "keep_evidence": False}
    both = scorespec.score(suite, **inputs, transcript=transcript, metrics=[*METRICS, *named], **options)
    first = scorespec.score(suite, **inputs, metrics=METRICS, **options)
    second = scorespec.score(suite, reference=inputs["reference"], hypothesis=transcript, metrics=METRICS, **options)
    for name, call in some(zip(METRICS, named, strict=True)):
        assert both[name].table() == first[name].table()
        assert [{**row, "metric": name} for row in both[call].table()] == second[name].table()


@pytest.mark.parametrize("suite", first(CASES))
def test_the_prediction_is_that_of_two_runs(suite: str) -> None:
    inputs, transcript = corpus()
    texts = {"reference": inputs["reference"], "hypothesis": transcript}
    alone = scorespec.score(suite, **texts, metrics="entities", keep_evidence=False)["entities"].fscore
    options: dict[str, Any] = {"metrics": "prediction", "keep_evidence": False}
    given = scorespec.score(suite, **inputs, params={"transcript_fscore": alone}, **options)
    found = scorespec.score(suite, **inputs, transcript=transcript, **options)
    assert 0 < (alone or 0) < 1
    assert [row["value"] for row in found.table()] == pytest.approx([row["value"] for row in given.table()], abs=1e-15)


@slow
def test_by_document_the_transcript_has_a_score_of_its_own() -> None:
    inputs, transcript = corpus()
    texts = {"reference": inputs["reference"], "hypothesis": transcript}
    options: dict[str, Any] = {"by": "document", "keep_evidence": False}
    run = scorespec.score("speech_ne", **inputs, transcript=transcript, metrics="prediction", **options)
    alone = scorespec.score("speech_ne", **texts, metrics="entities", **options)
    names = {row["document"] for row in alone["entities"].slices if row.keys() == {"document"}}
    assert len(names) > 20
    for name in names:
        found = run.value("prediction", "transcript_fscore", document=name)
        assert found == alone.value("entities", "fscore", document=name)


def test_without_the_transcript() -> None:
    inputs, _ = corpus()
    with pytest.raises(scorespec.InputError, match="scored_input is transcript, so give the input transcript"):
        scorespec.score("speech_ne", **inputs, metrics="entities(scored_input=transcript)")


def test_faults_of_the_transcript_name_its_file(tmp_path: Path) -> None:
    text = '<DOC>\n<DOCNO> d </DOCNO>\n<Segment ID="s">\n<{0}>Ann</{0}> left\n</Segment>\n</DOC>\n'
    for name, tag in (("ref", "P"), ("hyp", "P"), ("typed", "X")):
        (tmp_path / f"{name}.sgml").write_text(text.format(tag))
    inputs = {"reference": tmp_path / "ref.sgml", "hypothesis": tmp_path / "hyp.sgml"}
    with pytest.raises(scorespec.InputError, match=r"typed\.sgml:4: unknown tag X"):
        scorespec.score("speech_ne", **inputs, transcript=tmp_path / "typed.sgml", metrics="prediction")
    (tmp_path / "other.sgml").write_text(text.format("P").replace("> d <", "> e <"))
    with pytest.raises(scorespec.InputError) as raised:
        scorespec.score("speech_ne", **inputs, transcript=tmp_path / "other.sgml", metrics="prediction")
    said = str(raised.value)
    assert "ref.sgml:4: document d is not in the transcript" in said
    assert "other.sgml:4: document e is not in the reference" in said


def test_coarse_segmentation_cuts_the_text_at_every_anchor() -> None:
    """The words between anchors and the anchors are all words of the reference; counted from the alignment."""
    inputs = {"reference": DATA / "noisy200.ref.sgml", "hypothesis": DATA / "noisy200.hyp.sgml"}
    params = {"align_within": "document", "aligner": "sclite"}
    run = scorespec.score("speech_ne", **inputs, params=params, metrics=["coarse_segmentation", "wer"])
    found, words = run["coarse_segmentation"], run["wer"].words
    assert words is not None
    blocks = run.sql("SELECT ref_words, hyp_words FROM evidence_alignment ORDER BY block").to_pylist()
    same = [row["ref_words"] == row["hyp_words"] for row in blocks]
    # An anchor is a word of a run of three identical words of both texts, in order.
    anchored = [
        any(0 <= at <= len(same) - 3 and all(same[at : at + 3]) for at in range(i - 2, i + 1)) for i in range(len(same))
    ]
    sequences = sum(not each and (i == 0 or anchored[i - 1]) for i, each in enumerate(anchored))
    assert (found.sequences, found.anchors) == (sequences, sum(anchored))
    assert found.mean_length == (words - sum(anchored)) / sequences
    assert found.mean_distance == words / sequences


def test_coarse_segmentation_of_several_documents() -> None:
    """The counts of documents add up, and the means are over all of them."""
    inputs, _ = corpus()
    texts = {name: inputs[name] for name in ("reference", "hypothesis")}
    params = {"align_within": "document"}
    options: dict[str, Any] = {"by": "document", "keep_evidence": False}
    run = scorespec.score("speech_ne", **texts, params=params, metrics="coarse_segmentation", **options)
    rows = [row for row in run.table() if row["slice"]]
    total = {name: sum(row["value"] for row in rows if row["component"] == name) for name in ("sequences", "anchors")}
    found = run["coarse_segmentation"].at()
    assert (found.sequences, found.anchors) == (total["sequences"], total["anchors"])
    lengths = [run["coarse_segmentation"].at(**slice) for slice in run["coarse_segmentation"].slices if slice]
    words = sum((each.mean_length or 0) * (each.sequences or 0) for each in lengths)
    assert found.mean_length == pytest.approx(words / total["sequences"])
