"""The suite `meeting`: against meeteval's numbers, and against an oracle that tries every assignment.

tests/data/named_entities/meetings has random meetings with the numbers of meeteval 0.4.3. Its own example files are
tested where they are, if the environment variable MEETEVAL names a copy of its source.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import scorespec
from external import MEETEVAL
from marks import first, some
from oracles.meetings import (
    as_ctm,
    as_stm,
    assigned_errors,
    divided_errors,
    random_meeting,
    seglst_text,
    speakers,
    within,
    words_of_wrong_speakers,
)

RECORDED = Path(__file__).parents[1] / "data" / "named_entities" / "meetings"

Scores = dict[str, dict[str, dict[str, float]]]  # by document, metric and component


def scored(*, by: str = "document", **given: Any) -> Scores:
    """The scores by document; without a breakdown, those of the document ''."""
    found: Scores = {}
    for row in scorespec.score("meeting", by=by or (), keep_evidence=False, **given).table():
        document = row["slice"].get("document", "")
        found.setdefault(document, {}).setdefault(row["metric"], {})[row["component"]] = row["value"]
    return found


Pairs = Iterator[tuple[str, float, float]]  # what is compared, the recorded value, and ours
COMPARED: dict[str, tuple[str, dict[str, float]]] = {  # what is recorded, the metric, and its parameters
    "cpwer": ("cpwer", {}),
    "di_cpwer": ("di_cpwer", {}),
    "tcpwer": ("tcpwer", {"collar": 1}),
    "tcpwer without collar": ("tcpwer", {"collar": 0}),
    "orcwer": ("orcwer", {}),
    "greedy orcwer": ("orcwer", {"orc_cells": 0}),
    "tcorcwer": ("tcorcwer", {"collar": 1}),
    "cpcer": ("cpcer", {"blanks": "remove"}),
    "tcpcer": ("tcpcer", {"blanks": "remove", "collar": 1}),
    "attribution": ("attribution", {}),
    "cpwer in regions": ("cpwer", {}),  # of regions.uem
    "orcwer in regions": ("orcwer", {}),
}


@pytest.mark.parametrize("recorded", first([*COMPARED], 2))
def test_numbers_are_those_of_meeteval(recorded: str) -> None:
    compared = [*of_meeteval(recorded)]
    assert [each for each in compared if each[1] != each[2]] == []
    assert len({name.split()[0] for name, _, _ in compared}) >= 37


def of_meeteval(recorded: str) -> Pairs:
    """What meeteval recorded of the random meetings, with our numbers. In three, no utterance is in the region."""
    metric, params = COMPARED[recorded]
    inputs = {name: RECORDED / f"{name}.json" for name in ("reference", "hypothesis")}
    inputs |= {"uem": RECORDED / "regions.uem"} if "regions" in recorded else {}
    found = scored(**inputs, metrics=[metric], params=params)
    expected = json.loads((RECORDED / "expected.json").read_text(encoding="utf-8"))
    for document, numbers in expected.items():
        yield from (
            (f"{document} {name}", want, found[document][metric][name])
            for name, want in numbers.get(recorded, {}).items()
        )


@pytest.mark.parametrize("form", ["json", "stm"])
def test_numbers_are_those_of_the_best_assignment(form: str, tmp_path: Path) -> None:
    chance = random.Random(form)
    pairs = {f"m{number}": random_meeting(chance, utterances=5) for number in range(25)}
    for at, side in enumerate(("r", "h")):
        meetings = {name: pair[at] for name, pair in pairs.items()}
        lines = "".join(line for name, meeting in meetings.items() for line in as_stm(name, meeting))
        (tmp_path / f"{side}.{form}").write_text(lines if form == "stm" else seglst_text(meetings))
    collar = Fraction(1, 2)
    inputs = {"reference": tmp_path / f"r.{form}", "hypothesis": tmp_path / f"h.{form}"}
    found = scored(**inputs, params={"collar": float(collar)})
    for name, (reference, hypothesis) in some(pairs.items()):
        errors = {metric: each["errors"] for metric, each in found[name].items()}
        assert errors == {
            "cpwer": assigned_errors(reference, hypothesis),
            "tcpwer": assigned_errors(reference, hypothesis, within(collar)),
            "orcwer": divided_errors(reference, hypothesis),
        }, (reference, hypothesis)
        more = len(speakers(reference)) - len(speakers(hypothesis))
        counts = found[name]["cpwer"]
        assert (counts["missed_speakers"], counts["extra_speakers"]) == (max(more, 0), max(-more, 0))
        for each in found[name].values():
            assert each["errors"] == each["substitutions"] + each["deletions"] + each["insertions"]
            said = sum(len(utterance.words) for utterance in hypothesis)
            assert each["words"] + each["insertions"] - each["deletions"] == said


def test_words_of_wrong_speakers_are_those_of_an_alignment_with_the_fewest_errors(tmp_path: Path) -> None:
    chance = random.Random("wder")
    pairs = {f"m{number}": random_meeting(chance, utterances=4) for number in range(40)}
    for at, side in enumerate(("r", "h")):
        (tmp_path / f"{side}.json").write_text(seglst_text({name: pair[at] for name, pair in pairs.items()}))
    found = scored(reference=tmp_path / "r.json", hypothesis=tmp_path / "h.json", metrics=["wder"])
    possible = {name: words_of_wrong_speakers(*pair) for name, pair in pairs.items()}
    assert sum(len(each) == 1 and each != {(0, 0)} for each in possible.values()) > 20
    for name, each in some(possible.items()):
        counts = found[name]["wder"]
        assert (counts["aligned_words"], counts["wrong_speaker"]) in each, name


def test_words_of_ctm_are_those_of_utterances_with_a_word_each(tmp_path: Path) -> None:
    """The channel of CTM stands for the speaker."""
    chance = random.Random(3)
    while True:
        reference, hypothesis = random_meeting(chance)
        hypothesis = [each._replace(words=each.words[:1]) for each in hypothesis if each.words]
        if len(speakers(hypothesis)) > 1:
            break
    (tmp_path / "r.stm").write_text("".join(as_stm("m", reference)))
    (tmp_path / "h.stm").write_text("".join(as_stm("m", hypothesis)))
    (tmp_path / "h.ctm").write_text("".join(as_ctm("m", hypothesis)))
    one, other = (scored(reference=tmp_path / "r.stm", hypothesis=tmp_path / f"h.{form}") for form in ("stm", "ctm"))
    assert one == other


# Reference, hypothesis and collar, and the errors that meeteval counts in cpwer, tcpwer and orcwer.
EXAMPLES = [
    ("ref.stm", "hyp.stm", 5.0, 25, 25, 9),
    ("ref.stm", "hyp.stm", 0.0, 25, 88, 9),
    ("ref.seglst.json", "hyp.seglst.json", 5.0, 25, 25, 9),
    ("ref.seglst.json", "hyp.seglst.json", 0.5, 25, 40, 9),
    ("ref.stm", "hyp.ctm", 5.0, 25, 146, 9),
    ("refA.stm", "hypA.stm", 5.0, 2, 2, 2),
    ("refB.stm", "hypB.stm", 5.0, 23, 23, 7),
    ("ref_siso.stm", "hyp_siso.stm", 5.0, 2, 2, 2),
]


@pytest.mark.skipif(not MEETEVAL.is_dir(), reason="there is no copy of meeteval (MEETEVAL)")
@pytest.mark.parametrize("example", first(map(pytest.param, EXAMPLES), 2))
def test_numbers_of_the_example_files_are_those_of_meeteval(example: tuple[Any, ...], tmp_path: Path) -> None:
    compared = [*of_example(MEETEVAL, example, tmp_path)]
    assert [each for each in compared if each[1] != each[2]] == []


def of_example(source: Path, example: tuple[Any, ...], tmp_path: Path) -> Pairs:
    """The errors that meeteval counts in a pair of its example files, with ours."""
    reference, hypothesis, collar, *errors = example
    folder = source / "example_files"
    found = folder / hypothesis
    if hypothesis == "hyp.ctm":  # a file for each speaker, which we read as channels
        found = tmp_path / hypothesis
        lines = [
            (document, f"{document} {name} {rest}")
            for name in ("hyp1", "hyp2")
            for line in (folder / f"{name}.ctm").read_text().splitlines()
            for document, _, rest in [line.split(maxsplit=2)]
        ]
        found.write_text("".join(f"{line}\n" for _, line in sorted(lines, key=lambda each: each[0])))
    scores = scored(reference=folder / reference, hypothesis=found, by="", params={"collar": collar})[""]
    for metric, want in zip(("cpwer", "tcpwer", "orcwer"), errors, strict=True):
        yield f"{reference} {hypothesis} {collar} {metric}", want, scores[metric]["errors"]
