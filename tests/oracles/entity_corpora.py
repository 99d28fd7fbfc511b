"""Small adversarial corpora of tagged and aligned texts, seeded, and corpora as the tables that the suites read."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa

from oracles.named_entities import Block, Document, Entity

WORDS = ("A", "B")  # few, so that many blocks are correct
TYPES = ("PERSON", "LOCATION", "DATE")
ELEMENTS = {"PERSON": "ENAMEX", "LOCATION": "ENAMEX", "ORGANIZATION": "ENAMEX", "DATE": "TIMEX", "TIME": "TIMEX"}
SHAPES = ((1, 1),) * 8 + ((1, 0), (0, 1), (1, 2), (2, 1), (2, 2), (3, 2), (3, 3))

TOKENS = pa.schema(
    {name: pa.string() for name in ("document", "segment", "token", "tag", "speaker")} | {"entity": pa.int64()}
)
BLOCKS = pa.schema({"document": pa.string()} | {name: pa.int64() for name in Block._fields})


class Segmented(NamedTuple):
    """A document, and where the words of its segments end in either text."""

    document: Document
    ref_ends: list[int]
    hyp_ends: list[int]


def random_document(r: random.Random) -> Segmented:
    """A document of up to three segments; entities are dense, so that they overlap in chains."""
    ref: list[str] = []
    hyp: list[str] = []
    blocks, ref_ends, hyp_ends = [], [], []
    for _ in range(r.randint(1, 3)):
        for _ in range(r.randint(1, 7)):
            words, heard = r.choice(SHAPES)
            blocks.append(Block(len(ref), len(ref) + words, len(hyp), len(hyp) + heard))
            ref += r.choices(WORDS, k=words)
            hyp += ref[-1:] if words == heard == 1 and r.random() < 0.5 else r.choices(WORDS, k=heard)
        ref_ends.append(len(ref))
        hyp_ends.append(len(hyp))
    most = r.choice((2, 4, 7))
    document = Document(ref, hyp, random_entities(r, ref_ends, most), random_entities(r, hyp_ends, most), blocks)
    return Segmented(document, ref_ends, hyp_ends)


def random_entities(r: random.Random, ends: Sequence[int], most: int) -> list[Entity]:
    """Entities of up to ``most`` words, none across the ends of segments."""
    found = []
    begin = 0
    for end in ends:
        while begin < end:
            begin += r.choice((0, 0, 1, 2))
            last = min(end, begin + r.randint(1, most))
            if begin < last:
                found.append(Entity(begin, last, r.choice(TYPES)))
            begin = max(begin, last)
        begin = end
    return found


def tables(corpus: Sequence[Segmented]) -> dict[str, pa.Table]:
    """The inputs `reference`, `hypothesis` and `alignment`; documents are d0, d1, …, their segments s0, s1, …"""
    reference, hypothesis, alignment = list[dict[str, object]](), list[dict[str, object]](), list[dict[str, object]]()
    for number, (document, ref_ends, hyp_ends) in enumerate(corpus):
        name = f"d{number}"
        reference += tokens(name, document.ref, document.ref_entities, ref_ends)
        hypothesis += tokens(name, document.hyp, document.hyp_entities, hyp_ends)
        alignment += [{"document": name, **block._asdict()} for block in document.blocks]
    return {
        "reference": pa.Table.from_pylist(reference, TOKENS),
        "hypothesis": pa.Table.from_pylist(hypothesis, TOKENS),
        "alignment": pa.Table.from_pylist(alignment, BLOCKS),
    }


def tokens(
    document: str, words: Sequence[str], entities: Sequence[Entity], ends: Sequence[int]
) -> list[dict[str, object]]:
    """The rows of a text; a segment without words has one without a token."""
    tagged = {at: (number, e.type) for number, e in enumerate(entities) for at in range(e.first, e.last)}
    rows: list[dict[str, object]] = []
    for number, (begin, end) in enumerate(zip([0, *ends], ends, strict=False)):
        place = {"document": document, "segment": f"s{number}", "speaker": f"spk{number % 2}"}
        for at in range(begin, end):
            entity, type_ = tagged.get(at, (None, None))
            tag = type_ and f"{ELEMENTS.get(type_, 'NUMEX')} {type_}"
            rows.append({**place, "token": words[at], "entity": entity, "tag": tag})
        if begin == end:
            rows.append(place)
    return rows
