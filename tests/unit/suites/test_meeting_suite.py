"""The suite `meeting`: what it refuses, leaves undefined, keeps and breaks down."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import scorespec
from scorespec.errors import InputError, ScorespecError

REFERENCE = "m 1 ann 0 2 shall we go\nm 1 bob 1 3 not yet\nm 1 ann 3 4 when\n"
HYPOTHESIS = "m 1 x 0 2 shall you go\nm 1 y 1 3 not\nm 1 y 3 4 when\n"


class Meeting:
    """Scores two texts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def score(self, reference: str = REFERENCE, hypothesis: str = HYPOTHESIS, form: str = "stm", **more: Any) -> Any:
        paths = {}
        for side, text in (("reference", reference), ("hypothesis", hypothesis)):
            paths[side] = self.folder / f"{side}.{form}"
            paths[side].write_text(text)
        return scorespec.score("meeting", **paths, **more)


@pytest.fixture
def meeting(tmp_path: Path) -> Meeting:
    return Meeting(tmp_path)


ROWS = "document,speaker,token\n"


@pytest.mark.parametrize(
    ("reference", "hypothesis", "said"),
    [
        (
            "m,a,x\nn,a,x\n",
            "m,a,x\n",
            "reference.csv:3: document n is not in the hypothesis; with missing=deletions, its words count as "
            "deletions",
        ),
        (
            "m,a,x\n",
            "m,a,x\nn,a,x\n",
            "hypothesis.csv:3: document n is not in the reference; extra=ignore leaves it out",
        ),
        (
            "m,a,x\n",
            "m,a,x\nm,,y\nm,,z\n",
            "hypothesis.csv:3: document m has words without a speaker (2); name the speaker or, in the hypothesis, the "
            "stream of each word",
        ),
        (
            "m,a,IGNORE_TIME_SEGMENT_IN_SCORING\n",
            "m,a,x\n",
            "reference.csv:2: document m has the token of ignored_text here, but all segments of a meeting are scored; "
            "remove the segment from both texts",
        ),
    ],
)
def test_texts_that_are_refused(reference: str, hypothesis: str, said: str, meeting: Meeting) -> None:
    with pytest.raises(InputError) as caught:
        meeting.score(ROWS + reference, ROWS + hypothesis, "csv")
    assert f"{meeting.folder}/{said}" == str(caught.value)


def test_alternatives_are_refused(meeting: Meeting) -> None:
    with pytest.raises(InputError, match="document m has alternatives, which are not scored here; write one of them"):
        meeting.score("m 1 ann 0 1 { a / b }\n")


def test_rules_that_write_alternatives_are_refused(meeting: Meeting, tmp_path: Path) -> None:
    (tmp_path / "r.glm").write_text(";;\n[GO] => [{GO / WENT}] / [ ] __ [ ]\n")
    with pytest.raises(
        InputError, match=r"r\.glm:2: the replacement \{GO / WENT\} has alternatives, which are not possible"
    ):
        meeting.score(glm=tmp_path / "r.glm")


@pytest.mark.parametrize("params", [{"filler_treatment": "optional", "fillers": ["uh"]}, {"optional_words": True}])
def test_words_cannot_be_optional(params: dict[str, Any], meeting: Meeting) -> None:
    with pytest.raises(ScorespecError, match=f"{next(iter(params))}=.* is not possible in the suite meeting"):
        meeting.score(params=params)


def test_a_document_without_times_leaves_only_tcpwer_undefined(meeting: Meeting) -> None:
    run = meeting.score(ROWS + "m,a,x\nn,a,y\n", ROWS + "m,b,x\nn,b,z\n", "csv")
    scores = {(row["metric"], row["component"]): row for row in run.table()}
    assert scores["tcpwer", "errors"]["value"] is None
    assert scores["tcpwer", "value"]["note"] == "undefined: a word has no time"
    assert (run.value("cpwer"), run.value("orcwer")) == (1 / 2, 1 / 2)


def test_a_note_names_a_greedy_division(meeting: Meeting) -> None:
    """The table has 6 words · 2 streams · (3 + 1) · (2 + 1) cells."""
    assert meeting.score(metrics=["orcwer"], params={"orc_cells": 144}).warnings == []
    run = meeting.score(metrics=["orcwer"], params={"orc_cells": 143})
    said = "1 of 1 documents need more cells than orc_cells allows, and get a greedy division; they need 1.4e+02 cells"
    assert run.warnings == [said]
    assert {row["note"] for row in run.table()} == {"greedy: a document needs more than orc_cells"}


def test_each_metric_keeps_its_evidence() -> None:
    kept = {
        metric: {each.name for each in scorespec.compile("meeting", metrics=[metric]).evidence}
        for metric in ("cpwer", "tcpwer", "orcwer")
    }
    assert kept == {"cpwer": {"speakers", "alignment"}, "tcpwer": {"timed_speakers"}, "orcwer": {"utterances"}}


def test_a_reference_is_described_without_a_hypothesis(tmp_path: Path) -> None:
    """In CTM, the channel stands for the speaker."""
    (tmp_path / "r.ctm").write_text("m ann 0 1 a\nm ann 1 1 b\nm bob 0 1 a\n")
    run = scorespec.describe("meeting", reference=tmp_path / "r.ctm")
    assert run.value("speaker_statistics", "speakers") == 2
    assert (run.value("word_statistics", "tokens"), run.value("word_statistics", "types")) == (3, 2)


def test_errors_of_each_speaker(meeting: Meeting) -> None:
    """X is ann: YOU is a substitution, and WHEN is deleted. Y is bob: WHEN is a substitution."""
    run = meeting.score(metrics=["cpwer"], by="speaker")
    found = {row["slice"].get("speaker"): row["value"] for row in run.table() if row["component"] == "errors"}
    assert found == {None: 3, "ann": 2, "bob": 1}
