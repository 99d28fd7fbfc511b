"""Diarization errors by the definition: time is sampled, and every mapping of speakers tried. Times are in tenths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from random import Random
from typing import NamedTuple


class Turn(NamedTuple):
    onset: int
    offset: int
    speaker: str


def random_turns(r: Random, speakers: int) -> list[Turn]:
    """A few turns; each begins and ends at whole tenths, and turns of one speaker can overlap."""
    begins = [r.randint(0, 110) for _ in range(r.randint(1, 9))]
    return [Turn(begin, begin + r.randint(1, 30), f"s{r.randrange(speakers)}") for begin in begins]


def renamed(r: Random, turns: Sequence[Turn]) -> list[Turn]:
    """The turns with other names of the speakers, in another order."""
    names = sorted({turn.speaker for turn in turns})
    others = dict(zip(names, r.sample(["ann", "s0", "s1", "s2", "s3", "zoe"], len(names)), strict=True))
    return [turn._replace(speaker=others[turn.speaker]) for turn in turns]


def errors(
    reference: Sequence[Turn], hypothesis: Sequence[Turn], region: tuple[int, int], collar: int, skip_overlap: bool
) -> dict[str, int]:
    """The errors in tenths of a second, as md-eval counts them: the mapping is that of the whole region."""
    evaluated = [(said(reference, at), said(hypothesis, at), at) for at in range(*region)]
    scored = [each for each in evaluated if is_scored(reference, each[2], collar, skip_overlap)]
    by_mapping = (
        (correct(evaluated, mapping), correct(scored, mapping)) for mapping in mappings(reference, hypothesis)
    )
    return {
        "scored": sum(len(ref) for ref, _, _ in scored),
        "missed": sum(max(len(ref) - len(hyp), 0) for ref, hyp, _ in scored),
        "false_alarm": sum(max(len(hyp) - len(ref), 0) for ref, hyp, _ in scored),
        "confusion": sum(min(len(ref), len(hyp)) for ref, hyp, _ in scored) - max(by_mapping)[1],
    }


def named_errors(
    reference: Sequence[Turn], hypothesis: Sequence[Turn], region: tuple[int, int], collar: int, skip_overlap: bool
) -> dict[str, int]:
    """The confusion in tenths of a second if speakers are right who have the same name, and the overlapped speech."""
    times = [at for at in range(*region) if is_scored(reference, at, collar, skip_overlap)]
    scored = [(said(reference, at), said(hypothesis, at)) for at in times]
    return {
        "identification.confusion": sum(min(len(ref), len(hyp)) - len(ref & hyp) for ref, hyp in scored),
        "overlapped_speech.shared": sum(len(ref) > 1 and len(hyp) > 1 for ref, hyp in scored),
        "overlapped_speech.found": sum(len(hyp) > 1 for _, hyp in scored),
        "overlapped_speech.overlapped": sum(len(ref) > 1 for ref, _ in scored),
    }


def said(turns: Sequence[Turn], at: int) -> frozenset[str]:
    """Who speaks in the tenth of a second that begins at this time."""
    return frozenset(turn.speaker for turn in turns if turn.onset <= at < turn.offset)


def is_scored(reference: Sequence[Turn], at: int, collar: int, skip_overlap: bool) -> bool:
    near = any(edge - collar <= at < edge + collar for turn in reference for edge in (turn.onset, turn.offset))
    return not near and not (skip_overlap and sum(turn.onset <= at < turn.offset for turn in reference) > 1)


def mappings(reference: Sequence[Turn], hypothesis: Sequence[Turn]) -> Iterator[Mapping[str, str]]:
    """Every one-to-one mapping of reference speakers to hypothesis speakers; some have no partner."""
    left, right = (sorted({turn.speaker for turn in turns}) for turns in (reference, hypothesis))
    for order in permutations([*right, *[""] * len(left)], len(left)):
        yield dict(zip(left, order, strict=True))


def correct(times: Sequence[tuple[frozenset[str], frozenset[str], int]], mapping: Mapping[str, str]) -> int:
    return sum(mapping[speaker] in hyp for ref, hyp, _ in times for speaker in ref)
