"""Substitutions and fillers: the output of NIST's rfilter1, and an oracle that tries every rule at every character."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pytest

import scorespec
from marks import first
from oracles.substitution import Rule, preprocessed
from oracles.word_alignment import sclite_blocks

DATA = Path(__file__).parents[1] / "data" / "named_entities" / "substitution"
FILLERS = ["UH", "UM"]
LETTERS = "ABC-'"


def counts(run: scorespec.Run) -> dict[str, float | None]:
    return {name: run.value("wer", name) for name in ("correct", "substitutions", "deletions", "insertions", "words")}


def glm_of(rules: list[Rule]) -> pa.Table:
    names = ("pattern", "replacement", "before", "after")
    return pa.Table.from_pylist([dict(zip(names, rule, strict=True)) for rule in rules])


def transcript(path: Path, texts: list[str]) -> Path:
    path.write_text("".join(f"{text} (s-{at})\n" for at, text in enumerate(texts)), "utf-8")
    return path


@pytest.mark.parametrize("case", first(["fold", "keep"]))
def test_the_output_of_rfilter1(tmp_path: Path, case: str) -> None:
    """The texts after rfilter1 are the reference; a recogniser that wrote the texts before it has no errors."""
    before, after = ((DATA / name).read_text("utf-8").splitlines() for name in ("before.txt", "after.txt"))
    glm = (DATA / "rules.glm").read_text("utf-8")
    (tmp_path / "hyp.glm").write_text(f'{glm.splitlines()[0]}\n;; INPUT_DEPENDENT_APPLICATION = "hyp"\n{glm}', "utf-8")
    run = scorespec.score(
        "wer",
        reference=transcript(tmp_path / "ref.trn", after),
        hypothesis=transcript(tmp_path / "hyp.trn", before),
        glm=tmp_path / "hyp.glm",
        params={"case": case},
    )
    assert run.value("wer") == 0
    assert run.value("wer", "words") == sum(len(text.split()) for text in after)
    unchanged = scorespec.score(
        "wer", reference=transcript(tmp_path / "ref.trn", after), hypothesis=transcript(tmp_path / "hyp.trn", before)
    )
    assert (unchanged.value("wer") or 0) > 0.3


def random_rule(r: random.Random) -> Rule:
    def letters(least: int, most: int) -> str:
        return "".join(r.choice(f"{LETTERS}  ") for _ in range(r.randint(least, most)))

    before, after = r.choice([("", ""), (" ", " "), (letters(0, 1), letters(0, 2))])
    return letters(1, 4), letters(0, 4), before, after


@pytest.mark.parametrize("seed", first(range(6), 1))
def test_wer_of_random_texts_and_rules(seed: int) -> None:
    r = random.Random(seed)
    rules = [random_rule(r) for _ in range(r.randint(1, 8))]
    words = ["".join(r.choice(LETTERS) for _ in range(r.randint(1, 3))) for _ in range(8)] + FILLERS
    texts = [[[r.choice(words) for _ in range(r.randint(1, 9))] for _ in range(2)] for _ in range(30)]
    fillers = FILLERS if seed % 2 else []
    reference, hypothesis = (
        pa.Table.from_pylist(
            [
                {"document": "d", "segment": f"s{at}", "token": word}
                for at, pair in enumerate(texts)
                for word in pair[side]
            ]
        )
        for side in (0, 1)
    )
    params = {"fillers": fillers}
    run = scorespec.score("wer", reference=reference, hypothesis=hypothesis, glm=glm_of(rules), params=params)
    wanted = dict.fromkeys(counts(run), 0)
    for pair in texts:
        left, right = (preprocessed(each, rules, fillers) for each in pair)
        for ref_begin, ref_end, hyp_begin, hyp_end in sclite_blocks(left, right):
            both = ref_begin < ref_end and hyp_begin < hyp_end
            same = both and left[ref_begin] == right[hyp_begin]
            outcome = (
                "correct" if same else "substitutions" if both else "deletions" if ref_begin < ref_end else "insertions"
            )
            wanted[outcome] += 1
        wanted["words"] += len(left)
    assert counts(run) == wanted


@pytest.mark.parametrize("seed", first(range(4)))
def test_entities_keep_their_words(seed: int) -> None:
    """Without contexts, the words of each entity are those of its own text after substitution."""
    r = random.Random(seed)
    rules: list[Rule] = [(*random_rule(r)[:2], "", "") for _ in range(4)]
    rows, wanted = [], []
    for entity in range(40):
        inside = ["".join(r.choice("ABC") for _ in range(r.randint(1, 3))) for _ in range(r.randint(1, 4))]
        rows += [{"document": "d", "segment": f"s{entity}", "token": "ZZ", "entity": None, "tag": None}]
        rows += [{"document": "d", "segment": f"s{entity}", "token": w, "entity": entity, "tag": "P"} for w in inside]
        rows += [{"document": "d", "segment": f"s{entity}", "token": "ZZ", "entity": None, "tag": None}]
        wanted.append(" ".join(inside))
    plain = [rule for rule in rules if rule[0].strip() == rule[0] and " " not in rule[1] and rule[1]]
    used = plain or [("A", "BB", "", "")]
    text = pa.Table.from_pylist(rows)
    params = {"hyphen": "keep", "punctuation": "keep"}
    run = scorespec.score("speech_ne", reference=text, hypothesis=text, glm=glm_of(used), params=params)
    assert run.value("entities", "fscore") == 1
    found = run.sql("SELECT reference_text FROM evidence_entities ORDER BY reference_first").to_pylist()
    assert [row["reference_text"] for row in found] == [
        " ".join(preprocessed(text.split(), used, [])) for text in wanted
    ]
