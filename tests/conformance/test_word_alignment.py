"""Words and their alignment against sclite's path, the generator's truth and the paper's examples."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import first
from oracles.word_alignment import Block, sclite_blocks

DATA = Path(__file__).parents[1] / "data" / "named_entities"
PROSE = {"punctuation": "remove", "hyphen": "split"}
COUNTS = {"correct": 1972, "substitutions": 342, "deletions": 154, "insertions": 73, "words": 2468}


def score(reference: Any = "noisy200.ref.sgml", hypothesis: Any = "noisy200.hyp.sgml", **more: Any) -> Any:
    inputs = {"reference": reference, "hypothesis": hypothesis, **more.pop("inputs", {})}
    inputs = {name: str(DATA / each) if isinstance(each, str) else each for name, each in inputs.items()}
    return scorespec.score("wer", **inputs, **more)


def blocks(run: Any) -> list[Block]:
    rows = run.sql("SELECT ref_begin, ref_end, hyp_begin, hyp_end FROM evidence_alignment ORDER BY document, block")
    return [tuple(row.values()) for row in rows.to_pylist()]


def path_of_sclite() -> list[tuple[int, int, int, int, str]]:
    found = []
    ref = hyp = 0
    for line in (DATA / "sclite" / "noisy200.sgml").read_text().splitlines():
        for step in line.split(":") if re.match("[CSDI],", line) else ():
            left, right = step[0] != "I", step[0] != "D"
            found.append((ref, ref + left, hyp, hyp + right, step[0]))
            ref, hyp = ref + left, hyp + right
    return found


def segments() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / "noisy200.truth.jsonl").read_text().splitlines()]


def truth() -> list[Block]:
    found: list[Block] = []
    ref = hyp = 0
    for segment in segments():
        found += [(a + ref, b + ref, c + hyp, d + hyp) for a, b, c, d in segment["blocks"]]
        ref, hyp = ref + len(segment["ref"]), hyp + len(segment["hyp"])
    return found


def test_words_are_those_of_the_generator() -> None:
    run = score(params=PROSE)
    for side in ("ref", "hyp"):
        said = " ".join(word for segment in segments() for word in segment[side])
        rows = run.sql(
            f"SELECT {side}_words AS words FROM evidence_alignment WHERE {side}_words IS NOT NULL ORDER BY block"
        )
        assert " ".join(row["words"] for row in rows.to_pylist()) == said


def test_the_path_is_sclite_s() -> None:
    run = score(params=PROSE)
    path = path_of_sclite()
    assert blocks(run) == [step[:4] for step in path]
    letters = {"correct": "C", "substituted": "S", "deleted": "D", "inserted": "I"}
    outcomes = run.sql("SELECT outcome FROM evidence_alignment ORDER BY block").to_pylist()
    assert [letters[row["outcome"]] for row in outcomes] == [step[4] for step in path]


def test_the_oracle_agrees_with_sclite() -> None:
    ref = hyp = 0
    found: list[Block] = []
    for segment in segments():
        steps = sclite_blocks(segment["ref"], segment["hyp"])
        found += [(a + ref, b + ref, c + hyp, d + hyp) for a, b, c, d in steps]
        ref, hyp = ref + len(segment["ref"]), hyp + len(segment["hyp"])
    assert found == [step[:4] for step in path_of_sclite()]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "more"),
    first(
        [
            ("noisy200.ref.sgml", "noisy200.hyp.sgml", {"params": PROSE}),
            ("noisy200.ref.trn", "noisy200.hyp.trn", {}),
            ("noisy200.ref.stm", "noisy200.hyp.ctm", {}),
            ("noisy200.ref.sgml", "noisy200.hyp.ctm", {"params": PROSE}),
            ("noisy200.ref.sgml", "noisy200.hyp.sgml", {"params": PROSE, "inputs": {"times": "noisy200.hyp.ctm"}}),
            (
                "noisy200.ref.sgml",
                "noisy200.hyp.sgml",
                {"params": PROSE, "inputs": {"alignment": "sclite/noisy200.sgml"}},
            ),
        ],
        3,
    ),
)
def test_counts_are_sclite_s_from_any_files(reference: str, hypothesis: str, more: dict[str, Any]) -> None:
    run = score(reference, hypothesis, **more)
    assert {name: run.value("wer", name) for name in COUNTS} == COUNTS
    assert run.value("wer") == 569 / 2468
    assert run.value("wer", "word_correctness") == 1972 / 2468


def test_inside_and_outside_of_entities_add_up() -> None:
    run = score(params=PROSE, by=["speaker"])
    for name, total in COUNTS.items():
        assert sum(run.value("wer", name, region=each) for each in ("inside", "outside")) == total
        assert sum(run.value("wer", name, speaker=f"spk{n}") for n in range(1, 6)) == total
    named = sum(end - begin for segment in segments() for begin, end, _ in segment["ref_nes"])
    assert run.value("wer", "words", region="inside") == named


@pytest.mark.parametrize(("size", "cost"), [(3, 2047), (0, 2047), (4, 2079)])
def test_documents_are_aligned_between_anchors(size: int, cost: int) -> None:
    params = {**PROSE, "align_within": "document", "anchor_words": size}
    run = score(params=params, inputs={"times": "noisy200.hyp.ctm"})
    counts = {name: run.value("wer", name) for name in COUNTS}
    assert 4 * counts["substitutions"] + 3 * counts["deletions"] + 3 * counts["insertions"] == cost


@pytest.mark.parametrize("within", first(["segment", "document"]))
def test_sounds_find_the_blocks_of_the_generator(within: str) -> None:
    found = blocks(score(params={**PROSE, "aligner": "phonetic", "align_within": within}))
    true = set(truth())
    common = len(true.intersection(found))
    assert common / len(found) >= 0.97
    assert common / len(true) >= 0.97


def words(text: str) -> pa.Table:
    """A document with the words of a text."""
    return pa.table({"document": ["d"] * len(text.split()), "token": text.split()})


@pytest.mark.parametrize(
    ("reference", "hypothesis", "aligned"),
    [
        (
            "AT THE NEW YORK DESK I'M PHILIP BOROFF MISSISSIPPI REPUBLICAN",
            "AT THE NEWARK BASK ON FILM FORUM MISSES THE REPUBLICAN",
            "AT|AT THE|THE NEW YORK|NEWARK DESK|BASK I'M|ON PHILIP|FILM BOROFF|FORUM MISSISSIPPI|MISSES THE "
            "REPUBLICAN|REPUBLICAN",
        ),
        (
            "INVESTING AND TRADING WITH CUBA FROM OTTAWA THIS IS",
            "INVESTING IN TRAINING WOULD KEEP OFF A LOT OF WHAT THIS IS",
            "INVESTING|INVESTING AND|IN TRADING|TRAINING WITH|WOULD CUBA|KEEP FROM|OFF A OTTAWA|LOT OF WHAT THIS|THIS "
            "IS|IS",
        ),
        ("NEWT GINGRICH", "NEWT GOODRICH", "NEWT|NEWT GINGRICH|GOODRICH"),
        ("NEWT GINGRICH", "NEWT GOOD RICH", "NEWT|NEWT GINGRICH|GOOD RICH"),
        ("NEWT GINGRICH", "NEW GINGRICH", "NEWT|NEW GINGRICH|GINGRICH"),
    ],
)
def test_the_alignments_of_the_paper(reference: str, hypothesis: str, aligned: str) -> None:
    run = score(words(reference), words(hypothesis), params={"aligner": "phonetic"})
    rows = run.sql("SELECT ref_words, hyp_words FROM evidence_alignment ORDER BY block").to_pylist()
    assert " ".join(f"{row['ref_words'] or ''}|{row['hyp_words'] or ''}" for row in rows) == aligned


@pytest.mark.parametrize(
    ("reference", "hypothesis", "aligner", "errors"),
    [
        ("A B", "X A Y", "sclite", [(0, 1), (3, 1)]),
        ("NEWT GINGRICH", "NEWT GOOD RICH", "phonetic", [(3, 2)]),
    ],
)
def test_the_positions_of_errors(reference: str, hypothesis: str, aligner: str, errors: list[tuple[int, int]]) -> None:
    run = score(words(reference), words(hypothesis), params={"aligner": aligner})
    rows = run.sql("FROM evidence_word_errors ORDER BY position")
    assert [(row["position"], row["errors"]) for row in rows.to_pylist()] == errors


def test_sclite_s_alignment_of_the_third_example() -> None:
    reference = ["INVESTING", "AND", "TRADING", "WITH", "CUBA", "FROM", "OTTAWA", "THIS", "IS"]
    hypothesis = ["INVESTING", "IN", "TRAINING", "WOULD", "KEEP", "OFF", "A", "LOT", "OF", "WHAT", "THIS", "IS"]
    tables = [pa.table({"document": ["d"] * len(t), "token": t}) for t in (reference, hypothesis)]
    assert blocks(score(*tables)) == sclite_blocks(reference, hypothesis)
