"""Writes a tagged reference and what a recogniser and a tagger might make of it, of any size, the same for a seed.

python tests/benchmarks/transcripts.py WORDS FOLDER
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator
from itertools import accumulate, islice
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
    frequent = list(accumulate(1 / (rank + 10) for rank in range(len(vocabulary))))
    left, tag = 0, None
    for _ in range(count):
        (word,) = chance.choices(vocabulary, cum_weights=frequent)
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
    """Write a pair of this many words, in documents of 2,200 words, segment by segment; the inputs by name."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {side: folder / f"{side}.sgml" for side in ("reference", "hypothesis")}
    chance = random.Random(seed)
    text = _said(chance, words)
    with paths["reference"].open("w") as reference, paths["hypothesis"].open("w") as hypothesis:
        for number in range(math.ceil(words / SEGMENT_WORDS)):
            document, segment = divmod(number, DOCUMENT_SEGMENTS)
            said = list(islice(text, SEGMENT_WORDS))
            heard = [each for word in said for each in _heard(chance, word)]
            name = f"show{document:05}-{segment:03}"
            times = f"S_time={9 * segment}.00 E_time={9 * segment + 8}.50"
            for out in (reference, hypothesis):
                if not segment:
                    out.write("</DOC>\n" * bool(document) + f"<DOC>\n<DOCNO> show{document:05} </DOCNO>\n")
            reference.write(f'<Segment ID="{name}" {times} Speaker="s{segment % 7}">\n{_tagged(said)}.\n</Segment>\n')
            hypothesis.write(f'<Segment ID="{name}">\n{_tagged(heard)}\n</Segment>\n')
        for out in (reference, hypothesis):
            out.write("</DOC>\n")
    return paths


if __name__ == "__main__":
    write_transcripts(int(sys.argv[1]), Path(sys.argv[2]))
