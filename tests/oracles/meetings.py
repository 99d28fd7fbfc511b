"""Word errors of meetings by definition: every assignment of speakers and of utterances is tried.

Also random meetings with overlaps, missing and extra speakers, and speakers without words.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import NamedTuple

TimedWord = tuple[str, Fraction, Fraction]
Distance = Callable[[Sequence[TimedWord], Sequence[TimedWord]], int]


class Utterance(NamedTuple):
    """An utterance of a speaker, with its times in hundredths of a second."""

    speaker: str
    begin: int
    end: int
    words: tuple[str, ...]


Meeting = Sequence[Utterance]


def timed(meeting: Meeting, speaker: str) -> list[TimedWord]:
    """The words of a speaker in the order of time; an utterance is divided in proportion to numbers of characters."""
    words = []
    for _, begin, end, said in sorted(
        (each for each in meeting if each.speaker == speaker), key=lambda each: each.begin
    ):
        total, before = sum(map(len, said)), 0
        for word in said:
            edges = (
                Fraction(begin, 100) + Fraction(end - begin, 100) * Fraction(at, total)
                for at in (before, before + len(word))
            )
            words.append((word, *edges))
            before += len(word)
    return words  # type: ignore[return-value]  # a word with two edges


def fewest_errors(
    left: Sequence[TimedWord], right: Sequence[TimedWord], may_pair: Callable[[TimedWord, TimedWord], bool]
) -> int:
    """The Levenshtein distance in which only some pairs of words are allowed, by the recursion of its definition."""
    row = list(range(len(right) + 1))
    for number, word in enumerate(left, 1):
        before, row = row, [number]
        for at, other in enumerate(right):
            costs = [before[at + 1] + 1, row[at] + 1]
            if may_pair(word, other):
                costs.append(before[at] + (word[0] != other[0]))
            row.append(min(costs))
    return row[-1]


def any_pair(_: TimedWord, __: TimedWord) -> bool:
    return True


def within(collar: Fraction) -> Callable[[TimedWord, TimedWord], bool]:
    """Whether a reference word overlaps the midpoint of a hypothesis word, with a collar on both sides."""

    def overlap(word: TimedWord, other: TimedWord) -> bool:
        middle = (other[1] + other[2]) / 2
        return word[1] < middle + collar and middle - collar < word[2]

    return overlap


def speakers(meeting: Meeting) -> list[str]:
    return sorted({each.speaker for each in meeting})


def assigned_errors(
    reference: Meeting, hypothesis: Meeting, may_pair: Callable[[TimedWord, TimedWord], bool] = any_pair
) -> int:
    """The errors of the best one-to-one assignment of speakers: every permutation is tried (cpWER, tcpWER)."""
    left = [timed(reference, each) for each in speakers(reference)]
    right = [timed(hypothesis, each) for each in speakers(hypothesis)]
    size = max(len(left), len(right))
    left += [[]] * (size - len(left))
    right += [[]] * (size - len(right))
    distance = [[fewest_errors(one, other, may_pair) for other in right] for one in left]
    return min(sum(distance[at][to] for at, to in enumerate(chosen)) for chosen in permutations(range(size)))


def divided_errors(reference: Meeting, hypothesis: Meeting) -> int:
    """The errors of the best division of utterances among the hypothesis speakers: every one is tried (ORC-WER)."""
    utterances = [each for each in sorted(reference, key=lambda each: each.begin) if each.words]
    streams = [timed(hypothesis, each) for each in speakers(hypothesis)]

    def errors(chosen: Sequence[int]) -> int:
        total = 0
        for at, stream in enumerate(streams):
            words = [word for said, to in zip(utterances, chosen, strict=True) if to == at for word in said.words]
            total += fewest_errors([(word, Fraction(), Fraction()) for word in words], stream, any_pair)
        return total

    return min(errors(chosen) for chosen in product(range(len(streams)), repeat=len(utterances)))


# -- random meetings ---------------------------------------------------------------------------------

WORDS = ("a", "to", "yes", "well", "maybe", "tomorrow")


def random_meeting(chance: random.Random, *, utterances: int = 6) -> tuple[Meeting, Meeting]:
    """A reference, and a hypothesis with errors in words, times and speakers."""
    count = chance.randint(1, 4)
    step = chance.choice((1, 50, 100))  # with whole and half seconds, many times only touch

    def times() -> tuple[int, int]:
        begin = chance.randrange(0, 3000 // step) * step
        return begin, begin + chance.randrange(0, 500 // step + 1) * step

    reference = [
        Utterance(f"s{chance.randrange(count)}", *times(), tuple(chance.choices(WORDS, k=chance.randrange(5))))
        for _ in range(chance.randint(1, utterances))
    ]
    names = chance.sample(["s0", "s1", "x", "y"], 4)
    hypothesis = []
    for each in reference:
        words = tuple(
            chance.choice(WORDS) if chance.random() < 0.2 else word for word in each.words if chance.random() < 0.85
        )
        moved = chance.choice((0, 0, step, 3 * step))
        speaker = names[int(each.speaker[1:])] if chance.random() < 0.8 else chance.choice(names)
        if chance.random() < 0.9:
            hypothesis.append(Utterance(speaker, each.begin + moved, each.end + moved, words))
    if not hypothesis or chance.random() < 0.3:
        hypothesis.append(
            Utterance(chance.choice(names), *times(), tuple(chance.choices(WORDS, k=chance.randrange(4))))
        )
    chance.shuffle(hypothesis)
    return reference, hypothesis


def seconds(hundredths: int) -> str:
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def as_stm(document: str, meeting: Meeting) -> Iterator[str]:
    for speaker, begin, end, words in meeting:
        yield f"{document} 1 {speaker} {seconds(begin)} {seconds(end)} {' '.join(words)}\n"


def as_seglst(document: str, meeting: Meeting) -> list[dict[str, str]]:
    return [
        {
            "session_id": document,
            "speaker": speaker,
            "start_time": seconds(begin),
            "end_time": seconds(end),
            "words": " ".join(words),
        }
        for speaker, begin, end, words in meeting
    ]


def as_ctm(document: str, meeting: Meeting) -> Iterator[str]:
    """The words as CTM, with the speaker as the channel; the words of an utterance share its time evenly."""
    for speaker, begin, end, words in meeting:
        for at, word in enumerate(words):
            length = (end - begin) // len(words)
            yield f"{document} {speaker} {seconds(begin + at * length)} {seconds(length)} {word}\n"


def seglst_text(meetings: dict[str, Meeting]) -> str:
    """Meetings as one SegLST file."""
    return json.dumps([segment for name, meeting in meetings.items() for segment in as_seglst(name, meeting)], indent=1)


def words_of_wrong_speakers(reference: Meeting, hypothesis: Meeting) -> set[tuple[int, int]]:
    """The numbers of aligned words, and of those with the wrong speaker, of each alignment with the fewest errors."""
    left, right = (
        [(word, each.speaker) for each in sorted(meeting, key=lambda each: each.begin) for word in each.words]
        for meeting in (reference, hypothesis)
    )

    @cache
    def aligned(refs: int, hyps: int) -> tuple[int, frozenset[tuple[tuple[str, str], ...]]]:
        """The fewest errors of the first words of both texts, with the pairs of speakers of each such alignment."""
        if not refs or not hyps:
            return refs + hyps, frozenset([()])
        (word, speaker), (other, heard) = left[refs - 1], right[hyps - 1]
        errors, pairs = aligned(refs - 1, hyps - 1)
        paired = frozenset(tuple(sorted([*each, (speaker, heard)])) for each in pairs)
        ways = [(errors + (word != other), paired)]
        ways += [(cost + 1, pairs) for cost, pairs in (aligned(refs - 1, hyps), aligned(refs, hyps - 1))]
        fewest = min(cost for cost, _ in ways)
        return fewest, frozenset().union(*(pairs for cost, pairs in ways if cost == fewest))

    def right_words(pairs: Sequence[tuple[str, str]]) -> int:
        heard = [*speakers(hypothesis), *[""] * len(speakers(reference))]
        mappings = permutations(heard, len(speakers(reference)))
        return max(sum(map(pairs.count, zip(speakers(reference), each, strict=True))) for each in mappings)

    return {(len(pairs), len(pairs) - right_words(pairs)) for pairs in aligned(len(left), len(right))[1]}
