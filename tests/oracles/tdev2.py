"""The term-discovery scores of the ZeroSpeech 2017 evaluator (tdev2 2.0.2) by brute force.

An independent witness for property tests: plain loops over plain tuples, no shared code with the engine and
no dependency beyond the standard library. Written from the rules alone (column T17 of the write-up of what
the evaluators compute; "T17 §4" below names its sections). It is meant to be obviously right, not fast.

Where the rules leave a choice, a comment marked SETTLED names the reading that reproduces the recorded
numbers (tests/unit/suites/test_oracle_tdev2.py) and a number that refutes the other, and one marked OPEN a choice
that no recorded number decides. No recorded corpus has the label SPN, a silence among its words, overlapping
phones or a word whose edges are not phone edges: what the rules say of these is followed, not confirmed.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from oracles.edits import levenshtein

Phone = tuple[str, float, float, str]  # file, onset, offset, label
Word = tuple[str, float, float, str]  # file, onset, offset, label
Fragment = tuple[str, str, float, float]  # cluster, file, onset, offset
Span = tuple[str, float, float]  # file, onset, offset: a fragment whatever its cluster
Pair = tuple[Span, Span]  # in sorted order, so that a pair is unordered
Scores = dict[str, dict[str, float | int | None]]

WORD_SILENCE = "SIL"  # T17 §1: lines of the words file with this label are skipped
HALF_MILLISECOND = 0.0005  # T17 §2: times are rounded to 3 decimals before they are compared with edge_time


class Verdict(NamedTuple):
    """What became of one distinct transcribed fragment."""

    file: str
    onset: float
    offset: float
    transcription: tuple[str, ...]
    word: Word | None
    token_hit: bool
    onset_hit: bool
    offset_hit: bool


# ---------------------------------------------------------------------------------------------------- spans


def overlap(onset: float, offset: float, other_onset: float, other_offset: float) -> float:
    """Seconds shared by two intervals; zero or negative when they do not meet."""
    return min(offset, other_offset) - max(onset, other_onset)


def overlapping(phones: Iterable[Phone], span: Span) -> list[Phone]:
    """Every phone that shares more than nothing with the span, in time order (T17 §2.1)."""
    file, onset, offset = span
    touched = [p for p in phones if p[0] == file and p[1] < offset and p[2] > onset]
    return sorted(touched, key=lambda p: (p[1], p[2], p[3]))


def is_kept(phone: Phone, span: Span, edge_time: float, edge_fraction: float) -> bool:
    """Is enough of this edge phone covered? (T17 §2.2, both tests inclusive).

    Comparing with half a millisecond less is the tool's rounding to 3 decimals, for times and edge_time in
    whole milliseconds; with edge_time = 0.030 it is `round(x, 3) >= 0.030` for every float.
    """
    duration = phone[2] - phone[1]
    covered = overlap(phone[1], phone[2], span[1], span[2])
    if duration > 2 * edge_time - HALF_MILLISECOND:
        return covered > edge_time - HALF_MILLISECOND
    return covered / duration >= edge_fraction


def transcribe(phones: Iterable[Phone], span: Span, edge_time: float, edge_fraction: float) -> list[Phone]:
    """The phones of a fragment: those it overlaps, less a first and a last one barely touched (T17 §2)."""
    touched = overlapping(phones, span)
    kept = []
    for index, phone in enumerate(touched):
        is_edge = index in (0, len(touched) - 1)
        if not is_edge or is_kept(phone, span, edge_time, edge_fraction):
            kept.append(phone)
    return kept


def labels(phones: Iterable[Phone]) -> tuple[str, ...]:
    """The label string of some phones."""
    return tuple(p[3] for p in phones)


def by_file(rows: Iterable[Phone]) -> dict[str, list[Phone]]:
    """Distinct gold rows by file, in time order: duplicate lines collapse (T17 §1)."""
    found: dict[str, list[Phone]] = defaultdict(list)
    for row in sorted(set(rows)):
        found[row[0]].append(row)
    return found


# ---------------------------------------------------------------------------------------------- small sums


def ratio(part: int, whole: int) -> float | None:
    """A share, undefined over nothing."""
    return part / whole if whole else None


def fscore(precision: float | None, recall: float | None) -> float | None:
    """The harmonic mean: undefined when either is, and 0 when both are 0."""
    if precision is None or recall is None:
        return None
    if precision + recall == 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


def found_against_gold(found: int, gold: int, hits: int) -> dict[str, float | int | None]:
    """Precision, recall and F of three counts, with the counts."""
    precision, recall = ratio(hits, found), ratio(hits, gold)
    f = fscore(precision, recall)
    return {"precision": precision, "recall": recall, "fscore": f, "found": found, "gold": gold, "hits": hits}


# ------------------------------------------------------------------------------------------------ measures


def ned_of(a: tuple[str, ...], b: tuple[str, ...], unaligned: tuple[str, ...]) -> float:
    """Distance of one pair over the longer length, silence dropped first; two empties are 1.0 (T17 §4)."""
    a = tuple(label for label in a if label not in unaligned)
    b = tuple(label for label in b if label not in unaligned)
    return levenshtein(a, b) / max(len(a), len(b)) if a or b else 1.0


def ned(
    clusters: dict[str, list[Span]], phones_of: dict[Span, list[Phone]], unaligned: tuple[str, ...]
) -> dict[str, float | int | None]:
    """Mean over every combination within a cluster, whatever is listed twice counted twice (T17 §3, §4)."""
    distances = [
        ned_of(labels(phones_of[a]), labels(phones_of[b]), unaligned)
        for members in clusters.values()
        for a, b in combinations(members, 2)
    ]
    value = math.fsum(distances) / len(distances) if distances else None
    return {"value": value, "pairs": len(distances)}


def coverage(
    phones: Iterable[Phone], phones_of: dict[Span, list[Phone]], silence: tuple[str, ...]
) -> dict[str, float | int | None]:
    """Distinct gold phones inside some transcription over all of them, silences aside (T17 §4)."""
    # SETTLED: an edge phone that the transcription drops is not covered (alpha.edges: 623 phones are covered,
    # 667 are touched).
    gold = {p for p in phones if p[3] not in silence}
    covered = {p for spelled in phones_of.values() for p in spelled if p[3] not in silence}
    return {"value": ratio(len(covered), len(gold)), "covered": len(covered), "phones": len(gold)}


def tokens_by_type(
    pairs: set[Pair], phones_of: dict[Span, list[Phone]]
) -> dict[tuple[str, ...], set[tuple[tuple[float, float, str], ...]]]:
    """For each label string its distinct tokens among the members of the pairs (T17 §4, Grouping).

    A token is the tuple of its phones *without the file*: what snaps to the same phones is one token, and so
    are equal times and labels in two files. (OPEN: no recorded corpus has the latter.)
    """
    tokens = defaultdict(set)
    for pair in pairs:
        for span in pair:
            tokens[labels(phones_of[span])].add(tuple(p[1:] for p in phones_of[span]))
    return tokens


def grouping(clusters: dict[str, list[Span]], phones_of: dict[Span, list[Phone]]) -> dict[str, float | int | None]:
    """Are the pairs of a cluster pairs of equal transcription? (T17 §4, Grouping).

    precision = sum over types t of w_X(t) * N_both(t) / N_X(t), with w_X(t) = N_X(t) / sum of N_X; recall the
    same over Y. X are the found pairs, Y the gold ones. In exact fractions, as the sums are of ratios.
    """
    # SETTLED: a pair is of raw intervals (two that snap to the same phones remain two; alpha.edges: 189 found
    # pairs, not 188), and a member listed twice in a cluster is paired with itself: such a pair is in X
    # (alpha.singletons: 337 found pairs, not 299), never in Y.
    found = {(min(a, b), max(a, b)) for members in clusters.values() for a, b in combinations(members, 2)}
    # SETTLED: "not overlapping" in Y looks at the raw intervals (alpha.jitter: 8042 gold pairs, not the 8047
    # of the snapped ones), and those that only touch do not overlap (alpha.overlap: 1520, not 1512).
    spelling = {span: labels(spelled) for span, spelled in phones_of.items()}
    gold = {
        (a, b)
        for a, b in combinations(sorted(spelling), 2)
        if spelling[a] == spelling[b] and not (a[0] == b[0] and overlap(*a[1:], *b[1:]) > 0)
    }
    common = found & gold
    n_found, n_gold, n_common = (
        {t: len(tokens) for t, tokens in tokens_by_type(pairs, phones_of).items()} for pairs in (found, gold, common)
    )

    def weighted(n: dict[tuple[str, ...], int]) -> float | None:
        total = sum(n.values())
        if total == 0:
            return None
        return float(sum(Fraction(n[t], total) * Fraction(n_common.get(t, 0), n[t]) for t in n))

    precision, recall = weighted(n_found), weighted(n_gold)
    return {
        "precision": precision,
        "recall": recall,
        "fscore": fscore(precision, recall),
        "found_tokens": sum(n_found.values()),
        "gold_tokens": sum(n_gold.values()),
        "hit_tokens": sum(n_common.values()),
        "found_pairs": len(found),
        "gold_pairs": len(gold),
        "common_pairs": len(common),
        "found_types": len(n_found),
        "gold_types": len(n_gold),
    }


def word_of(words: Iterable[Word], span: Span) -> Word | None:
    """The word that the fragment overlaps most, as a fraction of the word; the earlier of two equals."""
    # SETTLED: the overlap is that of the raw fragment, not of its snapped phones, and the fraction that of
    # the word, not of the fragment (alpha.random: 21 hits, not 20). OPEN: which of two equals; 50 fragments
    # of alpha.random have such a tie, and no score depends on any of them. Equal means equal as floats.
    best, best_fraction = None, 0.0
    for word in sorted(words):
        if word[0] == span[0]:
            fraction = overlap(word[1], word[2], span[1], span[2]) / (word[2] - word[1])
            if fraction > best_fraction:
                best, best_fraction = word, fraction
    return best


# ------------------------------------------------------------------------------------------ the two answers


def _spell(
    phones: Iterable[Phone], fragments: Iterable[Fragment], edge_time: float, edge_fraction: float
) -> tuple[dict[str, list[Span]], dict[Span, list[Phone]]]:
    """Cluster members (repeats and all) and the phones of each distinct one.

    A fragment that keeps no phone is discarded before everything else (T17 §2.3).
    """
    phones_in = by_file(phones)
    clusters: dict[str, list[Span]] = defaultdict(list)
    phones_of: dict[Span, list[Phone]] = {}
    for cluster, file, onset, offset in fragments:
        span = (file, onset, offset)
        if span not in phones_of:
            spelled = transcribe(phones_in.get(file, []), span, edge_time, edge_fraction)
            if not spelled:
                continue
            phones_of[span] = spelled
        clusters[cluster].append(span)
    return clusters, phones_of


def _judge(phones: Iterable[Phone], words: Iterable[Word], phones_of: dict[Span, list[Phone]]) -> list[Verdict]:
    """One verdict for each distinct fragment; `words` come without their silences."""
    phones_in, words_in = by_file(phones), by_file(words)
    # A word is transcribed by all phones that overlap it (T17 §4, Token). OPEN: whether the edge rule applies
    # to it too; the text says "all", and no word of the recorded corpora has an edge within a phone.
    spelling = {
        word: labels(overlapping(phones_in.get(word[0], []), word[:3]))
        for in_file in words_in.values()
        for word in in_file
    }
    onsets = {(file, onset) for file, onset, _, _ in spelling}
    offsets = {(file, offset) for file, _, offset, _ in spelling}
    judged = []
    for span, spelled in sorted(phones_of.items()):
        word = word_of(words_in.get(span[0], []), span)
        judged.append(
            Verdict(
                *span,
                transcription=labels(spelled),
                word=word,
                token_hit=word is not None and labels(spelled) == spelling[word],
                # T17 §4, Boundary: edges snap to the transcription and must equal a word's own, as floats.
                onset_hit=(span[0], spelled[0][1]) in onsets,
                offset_hit=(span[0], spelled[-1][2]) in offsets,
            )
        )
    return judged


def verdicts(
    phones: Iterable[Phone],
    words: Iterable[Word],
    fragments: Iterable[Fragment],
    *,
    edge_time: float = 0.030,
    edge_fraction: float = 0.5,
) -> list[Verdict]:
    """What became of each distinct transcribed fragment, in order of file, onset and offset.

    `token_hit` says that the fragment is spelled as its word; several fragments may hit one word.
    """
    phones = list(phones)
    _, phones_of = _spell(phones, fragments, edge_time, edge_fraction)
    return _judge(phones, [w for w in words if w[3] != WORD_SILENCE], phones_of)


def score(
    phones: Iterable[Phone],
    words: Iterable[Word],
    fragments: Iterable[Fragment],
    *,
    edge_time: float = 0.030,
    edge_fraction: float = 0.5,
    silence: tuple[str, ...] = ("SIL", "SPN"),
    unaligned: tuple[str, ...] = ("SIL",),
) -> Scores:
    """Every score of the evaluator with its counts; None where a denominator is zero."""
    phones = list(phones)
    gold = {w for w in words if w[3] != WORD_SILENCE}
    clusters, phones_of = _spell(phones, fragments, edge_time, edge_fraction)
    judged = _judge(phones, gold, phones_of)

    # Token: a word is hit once, however many fragments hit it (T17 §4). SETTLED: every distinct raw fragment
    # is in the denominator (alpha.overlap: 678 of them). OPEN: a word without any phone counts as gold and is
    # never hit; the recorded corpora have none.
    hit_words = {v.word for v in judged if v.token_hit}
    token = found_against_gold(len(judged), len(gold), len(hit_words))

    # Type: phone strings are found and hit, orthographic words are gold (T17 §4; the sample corpus has 1408
    # of these and 2576 spellings; in alpha and beta the two counts happen to be equal).
    seen = {v.transcription for v in judged}
    hit = {v.transcription for v in judged if v.token_hit}
    types = found_against_gold(len(seen), len({w[3] for w in gold}), len(hit))

    # Boundary: an onset is right where a word begins, an offset where a word ends. SETTLED: found, gold and
    # hit points are each the union of onsets and offsets, a point that is both counted once. A point that is
    # hit as the one is a hit even if it is wrong as the other.
    found_points = {(file, spelled[0][1]) for (file, _, _), spelled in phones_of.items()}
    found_points |= {(file, spelled[-1][2]) for (file, _, _), spelled in phones_of.items()}
    gold_points = {(w[0], w[1]) for w in gold} | {(w[0], w[2]) for w in gold}
    hit_points = {(v.file, phones_of[v[:3]][0][1]) for v in judged if v.onset_hit}
    hit_points |= {(v.file, phones_of[v[:3]][-1][2]) for v in judged if v.offset_hit}
    boundary = found_against_gold(len(found_points), len(gold_points), len(hit_points))

    return {
        "ned": ned(clusters, phones_of, unaligned),
        "coverage": coverage(phones, phones_of, silence),
        "grouping": grouping(clusters, phones_of),
        "token": token,
        "type": types,
        "boundary": boundary,
    }
