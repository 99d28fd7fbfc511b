"""The scoring of named entities on speech by brute force: an independent witness for tests.

Plain Python over plain tuples, no code shared with the engine. Written from Burger, Palmer and Hirschman (1998),
stages 3 to 5. It is meant to be obviously right, not fast: words and blocks of a region are listed, and the optimal
mapping is sought among all that there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

ASPECTS = ("type", "extent", "content", "text")


class Entity(NamedTuple):
    """The words first … last - 1 of a text."""

    first: int
    last: int
    type: str


class Block(NamedTuple):
    """Words of either text that are aligned with each other; one side may be empty."""

    ref_begin: int
    ref_end: int
    hyp_begin: int
    hyp_end: int

    @property
    def ref(self) -> range:
        return range(self.ref_begin, self.ref_end)

    @property
    def hyp(self) -> range:
        return range(self.hyp_begin, self.hyp_end)


class Document(NamedTuple):
    """Two texts with their entities, in order, and the blocks that part both."""

    ref: list[str]
    hyp: list[str]
    ref_entities: list[Entity]
    hyp_entities: list[Entity]
    blocks: list[Block]

    def is_error(self, block: Block) -> bool:
        """Whether a block is anything but one word of either text, and the same."""
        return not (len(block.ref) == len(block.hyp) == 1 and self.ref[block.ref_begin] == self.hyp[block.hyp_begin])

    def mirrored(self) -> Document:
        """The document read backwards."""
        n, m = len(self.ref), len(self.hyp)
        return Document(
            self.ref[::-1],
            self.hyp[::-1],
            [turned(entity, n) for entity in self.ref_entities],
            [turned(entity, m) for entity in self.hyp_entities],
            [Block(n - b.ref_end, n - b.ref_begin, m - b.hyp_end, m - b.hyp_begin) for b in reversed(self.blocks)],
        )


class Rules(NamedTuple):
    """The parameters."""

    tolerance: int = 1
    tolerance_rule: str = "span"
    mapping: str = "greedy"
    aspects: Sequence[str] = ("type", "extent", "content")


Verdicts = dict[str, bool]
Pair = tuple[int, int]  # numbers of a reference and a hypothesis entity


def turned(entity: Entity, words: int) -> Entity:
    return Entity(words - entity.last, words - entity.first, entity.type)


# -- comparison ----------------------------------------------------------------------------------------


def words_of(entity: Entity) -> range:
    return range(entity.first, entity.last)


def common_blocks(document: Document, ref: Entity, hyp: Entity) -> list[int]:
    """The blocks that hold a word of both."""
    return [
        number
        for number, block in enumerate(document.blocks)
        if set(block.ref) & set(words_of(ref)) and set(block.hyp) & set(words_of(hyp))
    ]


def end_is_correct(document: Document, ref: Entity, hyp: Entity, rules: Rules) -> bool:
    """Whether the ends of two entities agree, as far as the tolerance lets them."""
    i, j = ref.last - 1, hyp.last - 1
    of_ref = next(number for number, block in enumerate(document.blocks) if i in block.ref)
    of_hyp = next(number for number, block in enumerate(document.blocks) if j in block.hyp)
    ref_after = [word for word in document.blocks[of_ref].ref if word > i]
    hyp_after = [word for word in document.blocks[of_hyp].hyp if word > j]
    if of_ref == of_hyp:
        distance, region = max(len(ref_after), len(hyp_after)), [of_ref]
    else:
        near, far = sorted((of_ref, of_hyp))
        between = document.blocks[near + 1 : far + 1]
        ref_words = [word for block in between for word in block.ref]
        hyp_words = [word for block in between for word in block.hyp]
        if of_ref < of_hyp:
            ref_words += ref_after
            hyp_words = [word for word in hyp_words if word <= j]
        else:
            hyp_words += hyp_after
            ref_words = [word for word in ref_words if word <= i]
        distance = max(len(ref_words), len(hyp_words))
        region = [*range(near + 1, far + 1), *([near] if (ref_after if of_ref < of_hyp else hyp_after) else [])]
    if distance == 0:
        return True
    if distance > rules.tolerance:
        return False
    if rules.tolerance_rule == "span":
        return all(document.is_error(document.blocks[number]) for number in region)
    if rules.tolerance_rule == "adjacent":
        return any(
            document.is_error(block)
            for block in document.blocks
            if {i, i + 1} & {*block.ref} or {j, j + 1} & {*block.hyp}
        )
    return True


def compared(document: Document, ref: Entity, hyp: Entity, rules: Rules) -> Verdicts:
    """The verdict on each aspect."""
    backwards = document.mirrored()
    begin = end_is_correct(backwards, turned(ref, len(document.ref)), turned(hyp, len(document.hyp)), rules)
    common = common_blocks(document, ref, hyp)
    region = document.blocks[min(common) : max(common) + 1]
    verdicts = {
        "type": ref.type == hyp.type,
        "extent": begin and end_is_correct(document, ref, hyp, rules),
        "content": not any(map(document.is_error, region)),
    }
    return {**verdicts, "text": verdicts["extent"] and verdicts["content"]}


# -- mapping -------------------------------------------------------------------------------------------


def mapped(document: Document, rules: Rules) -> dict[Pair, Verdicts]:
    """The pairs that are mapped, with their verdicts."""
    possible = {
        (i, j): compared(document, ref, hyp, rules)
        for i, ref in enumerate(document.ref_entities)
        for j, hyp in enumerate(document.hyp_entities)
        if common_blocks(document, ref, hyp)
    }
    if rules.mapping == "optimal":
        chosen = [pair for part in components(list(possible)) for pair in best_of(part, possible, rules)]
    else:
        chosen = []
        for pair in possible:
            if not any(pair[0] == i or pair[1] == j for i, j in chosen):
                chosen.append(pair)
    return {pair: possible[pair] for pair in sorted(chosen)}


def components(pairs: list[Pair]) -> Iterator[list[Pair]]:
    """The pairs that hang together by entities they share."""
    while pairs:
        part = [pairs[0]]
        for i, j in part:
            part += [pair for pair in pairs if (pair[0] == i or pair[1] == j) and pair not in part]
        yield sorted(part)
        pairs = [pair for pair in pairs if pair not in part]


def matchings(pairs: list[Pair]) -> Iterator[list[Pair]]:
    """Every set of pairs of which no two share an entity."""
    if not pairs:
        yield []
        return
    first, *others = pairs
    yield from matchings(others)
    for rest in matchings([pair for pair in others if pair[0] != first[0] and pair[1] != first[1]]):
        yield [first, *rest]


def best_of(part: list[Pair], possible: dict[Pair, Verdicts], rules: Rules) -> list[Pair]:
    """Of the most correct aspects, the most pairs, the most of one type, the most of one extent; then the first."""

    def worth(pairs: list[Pair]) -> tuple[int, ...]:
        verdicts = [possible[pair] for pair in pairs]
        correct = sum(each[aspect] for each in verdicts for aspect in rules.aspects)
        return correct, len(pairs), sum(each["type"] for each in verdicts), sum(each["extent"] for each in verdicts)

    every = list(matchings(part))
    most = max(map(worth, every))
    return min(pairs for pairs in every if worth(pairs) == most)


# -- totals --------------------------------------------------------------------------------------------


class Slots:
    """How many slots came out how, and the rates over them."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(("correct", "substituted", "missing", "spurious"), 0)

    def values(self) -> dict[tuple[str, str], int | Fraction | None]:
        """Every component of the metrics."""
        correct, substituted, missing, spurious = self.counts.values()
        possible, actual = correct + substituted + missing, correct + substituted + spurious
        p, r = over(correct, actual), over(correct, possible)
        both = None if p is None or r is None else p + r
        counts = {**self.counts, "possible": possible, "actual": actual}
        rates = {
            "precision": p,
            "recall": r,
            "fscore": None if both is None else over(2 * (p or 0) * (r or 0), both) or Fraction(0),
            "slot_error_rate": over(substituted + missing + spurious, possible),
        }
        errors = {
            "undergeneration": over(missing, possible),
            "overgeneration": over(spurious, actual),
            "substitution": over(substituted, correct + substituted),
            "error_per_response": over(substituted + spurious + missing, sum(self.counts.values())),
        }
        metrics = {"slots": counts, "entities": rates, "muc_errors": errors}
        return {(metric, name): n for metric, numbers in metrics.items() for name, n in numbers.items()}


def over(part: int | Fraction, whole: int | Fraction) -> Fraction | None:
    return Fraction(part) / whole if whole else None


def totals(documents: Sequence[Document], rules: Rules) -> dict[tuple[str, str], Slots]:
    """The slots overall, by aspect and by type: keys ("", ""), ("aspect", …), ("entity_type", …)."""
    found: dict[tuple[str, str], Slots] = {}

    def count(entity_type: str, aspect: str, outcome: str) -> None:
        for key in (("", ""), ("aspect", aspect), ("entity_type", entity_type)):
            found.setdefault(key, Slots()).counts[outcome] += 1

    for document in documents:
        pairs = mapped(document, rules)
        for (i, _), verdicts in pairs.items():
            for aspect in rules.aspects:
                count(document.ref_entities[i].type, aspect, "correct" if verdicts[aspect] else "substituted")
        for side, entities, outcome in ((0, document.ref_entities, "missing"), (1, document.hyp_entities, "spurious")):
            taken = {pair[side] for pair in pairs}
            for number, entity in enumerate(entities):
                for aspect in rules.aspects if number not in taken else ():
                    count(entity.type, aspect, outcome)
    return found
