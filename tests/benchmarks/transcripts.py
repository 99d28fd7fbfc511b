"""Writes a tagged reference and what a recogniser and a tagger might make of it, of any size, the same for a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

SEGMENT_WORDS = 22
DOCUMENT_SEGMENTS = 100
NAMES = 1 / 30  # entities per word
TAGS = ("ENAMEX PERSON", "ENAMEX LOCATION", "ENAMEX ORGANIZATION", "TIMEX DATE", "NUMEX MONEY")
SYLLABLES = [a + b for a in "b d f g k l m n p r s t v sh th".split() for b in "aeiou"]  # noqa: SIM905

Word = tuple[str, str | None]  # the word, and the tag of the entity that it is in


def _said(chance: random.Random, count: int) -> Iterator[Word]:
    """The words of a text; some are frequent, most are rare."""
    vocabulary = [
        "".join(chance.choices(SYLLABLES, k=chance.randint(1, 4))) + chance.choice(["", "n", "r", "s", "t"])
        for _ in range(15_000)
    ]
    left, tag = 0, None
    for word in chance.choices(vocabulary, [1 / (rank + 10) for rank in range(len(vocabulary))], k=count):
        if left == 0:
            tag = chance.choice(TAGS) if chance.random() < NAMES else None
            left = chance.choice((1, 1, 2, 3)) if tag else 0
        left = max(left - 1, 0)
        yield word, tag


def _heard(chance: random.Random, word: Word) -> Iterator[Word]:
    """What is heard of a word: itself, nothing, another word, or two; the tagger misses some."""
    text, tag = word
    tag = tag if chance.random() < 0.9 else None
    fate = chance.random()
    if fate < 0.78:
        yield text, tag
    elif fate >= 0.86:
        yield text[: chance.randint(1, len(text))] + chance.choice(SYLLABLES), tag
        if fate >= 0.96:
            yield chance.choice(SYLLABLES), tag


def _tagged(words: list[Word]) -> str:
    written: list[str] = []
    inside: str | None = None
    for text, tag in [*words, ("", None)]:
        if inside and tag != inside:
            written[-1] += f"</{inside.split()[0]}>"
        if tag and tag != inside:
            element, kind = tag.split()
            text = f'<{element} TYPE="{kind}">{text}'
        written.append(text)
        inside = tag
    return " ".join(written).strip()


def write_transcripts(words: int, folder: Path, seed: int = 1) -> dict[str, Path]:
    """Write a pair of this many words, in documents of 2,200 words; the inputs by name."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)
    text = list(_said(chance, words))
    reference, hypothesis = [], []
    for number in range(0, words, SEGMENT_WORDS):
        document, segment = divmod(number // SEGMENT_WORDS, DOCUMENT_SEGMENTS)
        if not segment:
            for side in (reference, hypothesis):
                side += ["</DOC>"] * bool(document) + ["<DOC>", f"<DOCNO> show{document:05} </DOCNO>"]
        said = text[number : number + SEGMENT_WORDS]
        times = f"S_time={9 * segment}.00 E_time={9 * segment + 8}.50"
        name = f"show{document:05}-{segment:03}"
        reference += [f'<Segment ID="{name}" {times} Speaker="s{segment % 7}">', f"{_tagged(said)}.", "</Segment>"]
        heard = [each for word in said for each in _heard(chance, word)]
        hypothesis += [f'<Segment ID="{name}">', _tagged(heard), "</Segment>"]
    paths = {"reference": folder / "reference.sgml", "hypothesis": folder / "hypothesis.sgml"}
    for path, lines in zip(paths.values(), (reference, hypothesis), strict=True):
        path.write_text("\n".join([*lines, "</DOC>", ""]), encoding="utf-8")
    return paths
