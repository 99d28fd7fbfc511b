"""Measures of texts against oracles that count one segment after the other, and against the counts of score.py."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import scorespec
from external import BIASING
from oracles.word_alignment import sclite_blocks

DATA = Path(__file__).parents[1] / "data" / "named_entities"
Text = Sequence[str]
Texts = Sequence[tuple[str, Text, Text]]  # segments: name, reference and hypothesis
Lists = Sequence[tuple[str, str, str | None]]  # rows of list, phrase and segment
COUNTS = {"ref_words": "words", "subs": "substitutions", "dels": "deletions", "ins": "insertions"}


def tables(texts: Texts) -> dict[str, pa.Table]:
    """The inputs reference and hypothesis."""
    none: list[str | None] = [None]
    return {
        input: pa.table({
            "document": [name for name, *sides in texts for _ in sides[side] or none],
            "segment": [name for name, *sides in texts for _ in sides[side] or none],
            "token": pa.array([word for _, *sides in texts for word in sides[side] or none], pa.string()),
        })
        for side, input in enumerate(("reference", "hypothesis"))
    }  # fmt: skip


def random_texts(letters: str, seed: str, least: int = 1) -> Texts:
    chance = random.Random(seed)
    return [
        (f"s{at}", chance.choices(letters, k=chance.randint(least, 9)), chance.choices(letters, k=chance.randint(0, 9)))
        for at in range(60)
    ]


def scored(texts: Texts, lists: Lists) -> Any:
    columns = dict(zip(("list", "phrase", "segment"), zip(*lists, strict=True), strict=True))
    given = {name: pa.array(values, pa.string()) for name, values in columns.items()}
    return scorespec.score("wordlists", **tables(texts), lists=pa.table(given))


def places(phrase: Text, text: Text) -> list[int]:
    """Where a phrase occurs in a text."""
    return [first for first in range(len(text)) if list(text[first : first + len(phrase)]) == list(phrase)]


def counted(texts: Texts, lists: Lists) -> dict[str, Counter[str]]:
    """The counts of b_wer, u_wer and, by list, of phrases, one segment and one phrase after the other."""
    found = dict[str, Counter[str]](b_wer=Counter(), u_wer=Counter())
    for name, *sides in texts:
        phrases = {(each, tuple(phrase.split())) for each, phrase, segment in lists if segment in (None, name)}
        listed = [
            {first + nth for _, phrase in phrases for first in places(phrase, text) for nth in range(len(phrase))}
            for text in sides
        ]
        for ref, ref_end, hyp, hyp_end in sclite_blocks(*sides):
            inside = ref in listed[0] if ref < ref_end else hyp in listed[1]
            kind = "deletions" if hyp == hyp_end else "insertions"
            if ref < ref_end and hyp < hyp_end:
                kind = "correct" if sides[0][ref] == sides[1][hyp] else "substitutions"
            found["b_wer" if inside else "u_wer"].update({kind: 1, "words": ref_end - ref})
        for of, phrase in phrases:
            possible, actual = (len(places(phrase, text)) for text in sides)
            outcome = {"possible": possible, "actual": actual, "correct": min(possible, actual)}
            found.setdefault(of, Counter()).update(outcome)
    return found


def test_word_lists() -> None:
    chance = random.Random("lists")
    phrases = ["A", "B", "A B", "B A", "C C", "A B C"]
    lists: list[tuple[str, str, str | None]] = [(chance.choice("XY"), each, None) for each in phrases[:4]]
    lists += [(chance.choice("XY"), chance.choice(phrases), f"s{chance.randrange(60)}") for _ in range(40)]
    texts = random_texts("ABCDE", "lists")
    run, expected = scored(texts, lists), counted(texts, lists)
    for metric, names in {"b_wer": [*COUNTS.values(), "correct"], "u_wer": [*COUNTS.values(), "correct"]}.items():
        assert {name: run.value(metric, name) for name in names} == {name: expected[metric][name] for name in names}
    for each in "XY":
        assert {name: run.value("phrases", name, list=each) for name in expected[each]} == dict(expected[each])


def test_hallucinations() -> None:
    """With runs of 2 words, and groups of 2 words that are there 2 times."""
    texts = random_texts("ABC", "hallucinations", least=0)
    found = Counter[str]()
    for _, reference, hypothesis in texts:
        inserted, errors = Counter[int](), 0
        for ref, ref_end, hyp, hyp_end in sclite_blocks(reference, hypothesis):
            paired = ref < ref_end and hyp < hyp_end
            errors += not paired or reference[ref] != hypothesis[hyp]
            inserted[ref] += ref == ref_end
        pairs = {first + second for first in "ABC" for second in "ABC"}
        often = [{pair for pair in pairs if len(places(pair, text)) >= 2} for text in (reference, hypothesis)]
        signs = {
            "insertion_runs": any(number >= 2 for number in inserted.values()),
            "loops": bool(often[1] - often[0]),
            "over_silence": bool(hypothesis and not reference),
        }
        others = not any(signs.values())
        found.update({name: int(sign) for name, sign in signs.items()})
        found.update({"hallucinated": int(not others), "silent": int(not reference)})
        found.update({"words": len(reference), "capped": min(errors, len(reference))})
        found.update({"other_words": others * len(reference), "other_errors": others * errors})
    params = {"insertion_run": 2, "loop_words": 2}
    run = scorespec.score("wer", **tables(texts), metrics=["hallucinations"], params=params)
    assert 0 < found["loops"] < found["hallucinated"] < 60
    for name, numerator, denominator in [
        ("value", found["hallucinated"], 60),
        ("insertion_runs", found["insertion_runs"], 60),
        ("loops", found["loops"], 60),
        ("over_silence", found["over_silence"], found["silent"]),
        ("capped", found["capped"], found["words"]),
        ("wer_of_others", found["other_errors"], found["other_words"]),
    ]:
        assert run.value("hallucinations", name) == numerator / denominator, name


def test_formatting() -> None:
    chance = random.Random("formatting")

    def written(words: Text) -> list[str]:
        return [chance.choice((each, each.capitalize())) + chance.choice(("", "", ",", ".", "?!")) for each in words]

    texts = [(name, written(left), written(right)) for name, left, right in random_texts("abc", "formatting")]
    found = {sign: Counter[str]() for sign in ",.?!"}
    capitals = Counter[str]()
    for _, *sides in texts:
        reference, hypothesis = ([token.rstrip(",.?!").lower() for token in side] for side in sides)
        for ref, ref_end, hyp, hyp_end in sclite_blocks(reference, hypothesis):
            if ref == ref_end or hyp == hyp_end or reference[ref] != hypothesis[hyp]:
                continue
            left, right = sides[0][ref], sides[1][hyp]
            capitals.update({"words": 1, "errors": int(left[0] != right[0])})
            alone = [sorted(set(one[1:]) - set(other[1:])) for one, other in ((left, right), (right, left))]
            replaced = min(map(len, alone))
            for sign, of in found.items():
                of["correct"] += sign in left and sign in right
                of["substituted"] += sign in alone[0][:replaced]
                of["missing"] += sign in alone[0][replaced:]
                of["spurious"] += sign in alone[1][replaced:]
    run = scorespec.score("formatting", **tables(texts))
    for sign, of in found.items():
        assert {name: run.value("punctuation", name, sign=sign) for name in of} == dict(of)
        assert run.value("punctuation", sign=sign) == 1 - of["correct"] / of.total()
    assert run.value("capitals", "words") == capitals["words"]
    assert run.value("capitals") == capitals["errors"] / capitals["words"]


def of_nemo() -> Iterator[tuple[str, float, float]]:
    """What is compared, NeMo's count or rate, and ours. The words are equal, and signs are two words apart."""
    recorded = json.loads((DATA / "punctuation.json").read_text(encoding="utf-8"))
    texts = [(f"s{at}", each["reference"].split(), each["hypothesis"].split()) for at, each in enumerate(recorded)]
    run = scorespec.score("formatting", **tables(texts), metrics=["punctuation"], by=["segment"])
    for at, each in enumerate(recorded):
        for sign, counts in each["counts"].items():
            for name, count in counts.items():
                yield f"{at} {sign} {name}", count, run.value("punctuation", name, sign=sign, segment=f"s{at}")
        if each["counts"]:
            yield f"{at} value", each["value"], run.value("punctuation", segment=f"s{at}")


def test_punctuation_is_that_of_nemo() -> None:
    compared = [*of_nemo()]
    assert len(compared) > 500
    assert [each for each in compared if abs(each[1] - each[2]) > 1e-12] == []


def test_several_references() -> None:
    given = {name: random_texts("ABC", name) for name in ("ann", "bob", "cy", "hypothesis")}
    texts = {name: {segment: text for segment, text, _ in of} for name, of in given.items()}

    def errors(name: str, reference: str, segment: str) -> int:
        left, right = texts[reference][segment], texts[name][segment]
        blocks = sclite_blocks(left, right)
        return sum(a == b or c == d or left[a] != right[c] for a, b, c, d in blocks)

    def best(name: str, segments: Iterable[str]) -> list[int]:
        """Errors and words against the best reference of some segments together."""
        counts = [
            [sum(errors(name, each, of) for of in segments), sum(len(texts[each][of]) for of in segments)]
            for each in texts
            if each not in (name, "hypothesis")
        ]
        return min(counts, key=lambda both: (both[0], -both[1]))

    recordings = {f"d{tens}": [f"s{tens}{ones}" if tens else f"s{ones}" for ones in range(10)] for tens in range(6)}
    found = {
        "best_segment": [best("hypothesis", [each]) for each in texts["ann"]],
        "best_recording": [best("hypothesis", each) for each in recordings.values()],
        "annotators": [best(name, [each]) for name in ("ann", "bob", "cy") for each in texts["ann"]],
    }
    document = {segment: name for name, segments in recordings.items() for segment in segments}
    rows = [
        (document[segment], segment, word, name)
        for name, of in texts.items()
        for segment, text in of.items()
        for word in text
    ]
    columns = ("document", "segment", "token", "annotator")
    table = pa.table(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)))
    spoken = pc.equal(table["annotator"], "hypothesis")
    hypothesis = table.filter(spoken).drop_columns("annotator")
    run = scorespec.score("multi_reference", reference=table.filter(pc.invert(spoken)), hypothesis=hypothesis)
    sums = {metric: [sum(each[at] for each in counts) for at in (0, 1)] for metric, counts in found.items()}
    assert {metric: [run.value(metric, name) for name in ("errors", "words")] for metric in found} == sums


def of_score_py() -> Iterator[tuple[str, float, float]]:
    """What is compared, the recorded count of score.py, and ours, for the transcripts of its repository."""
    for test in ("test-clean", "test-other"):
        rows = (BIASING / "ref" / f"{test}.biasing_100.tsv").read_text(encoding="utf-8").splitlines()
        references = {
            name: (text.split(), json.loads(listed)) for name, text, listed, _ in (row.split("\t") for row in rows)
        }
        lists: Lists = [("rare", word, name) for name, (_, words) in references.items() for word in words]
        for path in sorted((BIASING / "hyp").glob(f"{test}.*")):
            heard = dict(row.split("\t") for row in path.read_text(encoding="utf-8").splitlines())
            run = scored([(name, text, heard[name].split()) for name, (text, _) in references.items()], lists)
            recorded = (BIASING / "results" / f"{path.name}.result").read_text(encoding="utf-8")
            for metric, line in re.findall(r"^([UB]?-?WER): (.*)$", recorded, re.M):
                ours = metric.lower().replace("-", "_")
                for name, value in re.findall(r"(\w+)=([\d.]+)", line):
                    found = run.value(ours, COUNTS[name]) if name in COUNTS else 100 * run.value(ours)
                    yield f"{path.name} {metric} {name}", float(value), found


@pytest.mark.slow
@pytest.mark.skipif(not BIASING.is_dir(), reason="a copy of fbai-speech is not on this machine (FBAI_SPEECH)")
def test_counts_are_those_of_score_py() -> None:
    compared = [*of_score_py()]
    assert compared
    assert [each for each in compared if abs(each[1] - each[2]) > 1e-9] == []
