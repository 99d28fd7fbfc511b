"""The published definitions of the ZeroSpeech Challenge 2015, made exact, by brute force.

An independent witness for property tests: plain sets of plain tuples, no shared code with the engine and no
dependency beyond the standard library. Every set of pairs is made in full, every fold anew. It is meant to be
obviously right, not fast. Times are whole microseconds and shares exact fractions until the last division.

Where the definitions leave a choice, a comment marked SETTLED names the reading that reproduces the recorded
numbers (tests/unit/suites/test_oracle_zerospeech2015.py), and one marked OPEN a choice that no recorded number decides.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple, TypeVar

from oracles.edits import levenshtein
from oracles.minimal_paths import substrings

Labelled = tuple[str, float, float, str]  # file, onset, offset, label: a phone or a word, in seconds
Clustered = tuple[str, str, float, float]  # cluster, file, onset, offset, in seconds
Timed = tuple[str, float, float]  # file, onset, offset, in seconds: an utterance or a part of a fold

Interval = tuple[str, int, int]  # file, onset, offset, in microseconds: a fragment whatever its cluster
Span = tuple[str, int, int]  # file, number of the first phone, number of the last
Labels = tuple[str, ...]
Element = TypeVar("Element", bound=Hashable)
Value = Fraction | int | None  # None is undefined

METRICS = {
    "ned": ("value", "pairs"),
    "coverage": ("value",),
    **dict.fromkeys(
        ("matching", "grouping", "matching_pairs", "grouping_pairs", "type", "token", "boundary"),
        ("precision", "recall", "fscore"),
    ),
}


class Phone(NamedTuple):
    """A phone that is not a silence; `number` counts those of the file, whatever the fold."""

    file: str
    onset: int
    offset: int
    label: str
    number: int
    utterance: int | None


class Summary(NamedTuple):
    """A component: its mean and deviation over the folds in which it is defined, and their number."""

    value: float | None
    std: float | None
    folds: int | None


class Report(NamedTuple):
    """Scores by metric and component, and the sizes of the sets in each fold."""

    scores: dict[tuple[str, str], Summary]
    sizes: list[dict[str, int]]


class Gold(NamedTuple):
    """The corpus and the submission, in microseconds."""

    phones: list[Phone]
    words: set[tuple[str, int, int, str]]
    utterances: list[Interval]
    clusters: dict[str, set[Interval]]


class Rules(NamedTuple):
    """The parameters that the sets of a fold depend on."""

    pause: int
    edge_cover_time: int
    edge_cover_fraction: Fraction
    overlap_fraction: Fraction
    min_phones: int
    found_min_phones: int
    max_phones: int
    boundary_tolerance: int
    cover: str
    empty_pair_distance: Fraction
    corpus: str
    self_pairs: str
    completion: str


# ------------------------------------------------------------------------------------------------ time


def microseconds(seconds: float) -> int:
    """The decimal that the float stands for, rounded half to even."""
    return round(Fraction(str(seconds)) * 1_000_000)


def interval(file: str, onset: float, offset: float) -> Interval:
    return file, microseconds(onset), microseconds(offset)


def shared(a: Interval, b: Interval) -> int:
    """Microseconds that two intervals share."""
    return max(0, min(a[2], b[2]) - max(a[1], b[1])) if a[0] == b[0] else 0


def union(intervals: Iterable[Interval]) -> int:
    """Microseconds that are in at least one interval, counted between any two edges that follow each other."""
    by_file: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for file, onset, offset in intervals:
        by_file[file].add((onset, offset))
    return sum(
        after - before
        for each in by_file.values()
        for before, after in pairwise(sorted({edge for one in each for edge in one}))
        if any(onset <= before and after <= offset for onset, offset in each)
    )


def midpoint_in(row: Interval, whole: Interval) -> bool:
    """onset <= midpoint < offset, doubled so that it stays whole."""
    return row[0] == whole[0] and 2 * whole[1] <= row[1] + row[2] < 2 * whole[2]


# ----------------------------------------------------------------------------------------- the corpus


def number_phones(
    rows: Iterable[Labelled], silence: Sequence[str], pause: int, given: Sequence[Interval] | None
) -> tuple[list[Phone], list[Interval]]:
    """Phones with their numbers and utterances, and the utterances by file and onset."""
    tokens = sorted({(*interval(file, onset, offset), label) for file, onset, offset, label in rows})
    phones: list[Phone] = []
    utterances = sorted(given) if given is not None else []
    before: tuple[str, int, int, str] | None = None
    number = 0
    for token in tokens:
        file, onset, offset, label = token
        first_of_file = before is None or before[0] != file
        number = 0 if first_of_file else number
        if label not in silence:
            if given is None:
                apart = first_of_file or before[3] in silence or onset - before[2] > pause
                if apart:
                    utterances.append((file, onset, offset))
                utterances[-1] = (file, utterances[-1][1], offset)
                utterance: int | None = len(utterances) - 1
            else:
                homes = [u for u, whole in enumerate(utterances) if midpoint_in(token[:3], whole)]
                utterance = homes[0] if homes else None
            phones.append(Phone(file, onset, offset, label, number, utterance))
            number += 1
        before = token
    return phones, utterances


def cut(utterances: Sequence[Interval], parts: int) -> list[list[Interval]]:
    """Runs of as equal a number as can be, the longer ones first.

    OPEN: whether a run of no utterance is a fold. Only the mean number of pairs of ned could tell: it is not one.
    """
    parts = min(parts, len(utterances))
    if not parts:
        return []
    size, longer = divmod(len(utterances), parts)
    ends = [part * size + min(part, longer) for part in range(parts + 1)]
    return [list(utterances[start:end]) for start, end in pairwise(ends)]


def dealt(utterances: Sequence[Interval], parts: int) -> list[list[Interval]]:
    """Utterance after utterance to fold after fold."""
    return [each for part in range(parts) if (each := [u for at, u in enumerate(utterances) if at % parts == part])]


def transcribe(phones: Iterable[Phone], whole: Interval, rules: Rules) -> tuple[Phone, ...]:
    """The phones that share time with the interval, less a first and a last one barely covered."""

    def kept(phone: Phone) -> bool:
        covered = shared(phone[:3], whole)
        return covered > rules.edge_cover_time or covered > rules.edge_cover_fraction * (phone.offset - phone.onset)

    touched = [phone for phone in phones if shared(phone[:3], whole) > 0]
    edges = (0, len(touched) - 1)
    return tuple(phone for index, phone in enumerate(touched) if index not in edges or kept(phone))


def labels(phones: Iterable[Phone]) -> Labels:
    return tuple(phone.label for phone in phones)


def span(phones: Sequence[Phone]) -> Span:
    return phones[0].file, phones[0].number, phones[-1].number


# -------------------------------------------------------------------------------------------- counting


def unordered(a: Element, b: Element) -> tuple[Element, Element]:
    return min(a, b), max(a, b)  # type: ignore[type-var]


def flat(pairs: Iterable[tuple[Element, Element]]) -> set[Element]:
    return {member for pair in pairs for member in pair}


def ratio(part: int | Fraction, whole: int) -> Fraction | None:
    return Fraction(part) / whole if whole else None


def with_fscore(precision: Fraction | None, recall: Fraction | None) -> dict[str, Value]:
    """Undefined when either is, and 0 when both are 0."""
    fscore = None
    if precision is not None and recall is not None:
        total = precision + recall
        fscore = 2 * precision * recall / total if total else Fraction(0)
    return {"precision": precision, "recall": recall, "fscore": fscore}


def compared(found: set[Hashable], gold: set[Hashable]) -> dict[str, Value]:
    both = len(found & gold)
    return with_fscore(ratio(both, len(found)), ratio(both, len(gold)))


def distance(a: Labels, b: Labels, empty: Fraction) -> Fraction:
    return Fraction(levenshtein(a, b), max(len(a), len(b))) if a or b else empty


def weighted(
    whole: set[tuple[Element, Element]],
    part: set[tuple[Element, Element]],
    type_of: Callable[[Element], Labels],
    *,
    pairs: bool,
) -> Fraction | None:
    """Sum over types t of freq(t, whole) * count(t, part) / count(t, whole).

    freq counts the distinct members; count does, too, or with `pairs` the ends of pairs.
    """

    def members(of: set[tuple[Element, Element]]) -> dict[Labels, int]:
        found: dict[Labels, int] = defaultdict(int)
        for member in flat(of):
            found[type_of(member)] += 1
        return found

    def ends(of: set[tuple[Element, Element]]) -> dict[Labels, int]:
        found: dict[Labels, int] = defaultdict(int)
        for pair in of:
            for member in pair:
                found[type_of(member)] += 1
        return found

    frequency = members(whole)
    count = ends if pairs else members
    in_whole, in_part = count(whole), count(part)
    if not frequency:
        return None
    total = sum(frequency.values())
    return sum((Fraction(n * in_part.get(t, 0), total * in_whole[t]) for t, n in frequency.items()), Fraction(0))


def against(
    found: set[tuple[Element, Element]],
    gold: set[tuple[Element, Element]],
    type_of: Callable[[Element], Labels],
    *,
    pairs: bool,
) -> dict[str, Value]:
    """Matching or grouping of found pairs against gold pairs."""
    both = found & gold
    precision, recall = (weighted(side, both, type_of, pairs=pairs) for side in (found, gold))
    return with_fscore(precision, recall)


# ------------------------------------------------------------------------------------ sets of one fold


def all_spans(phones: Iterable[Phone], rules: Rules) -> dict[Span, tuple[Phone, ...]]:
    """F_all: runs of phones of one utterance with consecutive numbers."""
    runs: list[list[Phone]] = []
    for phone in phones:
        last = runs[-1][-1] if runs else None
        joins = last is not None and (last.file, last.utterance, last.number + 1) == (
            phone.file,
            phone.utterance,
            phone.number,
        )
        if phone.utterance is None:
            continue
        if joins:
            runs[-1].append(phone)
        else:
            runs.append([phone])
    found = {}
    for run in runs:
        for size in range(rules.min_phones, min(rules.max_phones, len(run)) + 1):
            for start in range(len(run) - size + 1):
                part = tuple(run[start : start + size])
                found[span(part)] = part
    return found


def aligned(a: Span, b: Span, rules: Rules) -> Iterable[tuple[Span, Span]]:
    """Pairs of sub-spans of equal length at equal places, the shorter one laid everywhere along the longer.

    SETTLED: lengths and places are those of phone numbers, so that a phone of another fold within the fragment
    takes its place (s1.words, folds derived: 10 pairs in the second fold, not 6). Such a phone is in no label
    string all the same (s1.mixed, utterances given and 3 folds: matching_pairs).
    """
    short, long = sorted((a, b), key=lambda each: each[2] - each[1])
    room, slack = short[2] - short[1] + 1, (long[2] - long[1]) - (short[2] - short[1])
    for shift in range(slack + 1):
        for size in range(rules.found_min_phones, min(room, rules.max_phones) + 1):
            for start in range(room - size + 1):
                one, other = short[1] + start, long[1] + shift + start
                yield (short[0], one, one + size - 1), (long[0], other, other + size - 1)


def on_minimal_paths(a: Sequence[Phone], b: Sequence[Phone], rules: Rules) -> Iterable[tuple[Span, Span]]:
    """Pairs of sub-spans on a cheapest edit path of the two label strings.

    SETTLED: lengths and places are those of label strings, in which no phone of another fold is.
    """
    for (i, j), (k, m) in substrings(labels(a), labels(b), rules.found_min_phones, rules.max_phones):
        yield span(a[i:j]), span(b[k:m])


def phone_boundaries(phones: Iterable[Phone], pause: int) -> dict[str, list[int]]:
    """Onsets and offsets by file; one at most `pause` after the one before is the same, the earliest."""
    times: dict[str, set[int]] = defaultdict(set)
    for phone in phones:
        times[phone.file] |= {phone.onset, phone.offset}
    found: dict[str, list[int]] = {}
    for file, each in times.items():
        ordered = sorted(each)
        found[file] = [ordered[0]] + [time for before, time in pairwise(ordered) if time - before > pause]
    return found


def nearest(boundaries: Iterable[int], time: int, tolerance: int) -> int | None:
    """The nearest phone boundary, the earlier of two, if it is less than the tolerance away."""
    ordered = sorted((abs(boundary - time), boundary) for boundary in boundaries)
    return ordered[0][1] if ordered and ordered[0][0] < tolerance else None


def completed(a: Sequence[Phone], b: Sequence[Phone], rules: Rules) -> Iterable[tuple[Span, Span]]:
    if rules.completion == "minimal_paths":
        return on_minimal_paths(a, b, rules)
    return aligned(span(a), span(b), rules)


def overlap(a: Interval, b: Interval, rules: Rules) -> bool:
    return shared(a, b) > rules.overlap_fraction * min(a[2] - a[1], b[2] - b[1])


def time_of(run: Sequence[Phone]) -> Interval:
    return run[0].file, run[0].onset, run[-1].offset


def cover(runs: Iterable[tuple[Phone, ...]]) -> int:
    return sum(phone.offset - phone.onset for phone in {phone for run in runs for phone in run})


def matching_spans(
    of: dict[Span, tuple[Phone, ...]], rules: Rules, one_speaker: Callable[[Span, Span], bool]
) -> set[tuple[Span, Span]]:
    by_labels: dict[Labels, list[Span]] = defaultdict(list)
    for place, run in of.items():
        by_labels[labels(run)].append(place)
    return {
        unordered(a, b)
        for places in by_labels.values()
        for a, b in combinations(places, 2)
        if one_speaker(a, b) and not overlap(time_of(of[a]), time_of(of[b]), rules)
    }


def score_fold(
    gold: Gold, part: Sequence[Interval] | None, rules: Rules, speaker_of: dict[str, str] | None
) -> tuple[dict[tuple[str, str], Value], dict[str, int]]:
    """Scores and sizes of one fold, or of the corpus; `speaker_of` a file is given for `within`."""

    def is_in(row: Interval) -> bool:
        return part is None or any(midpoint_in(row, whole) for whole in part)

    def one_speaker(a: tuple[str, int, int], b: tuple[str, int, int]) -> bool:
        return speaker_of is None or (a[0] in speaker_of and speaker_of[a[0]] == speaker_of.get(b[0]))

    phones = [phone for phone in gold.phones if is_in(phone[:3])]
    words = {word for word in gold.words if is_in(word[:3])}
    clusters = [each for members in gold.clusters.values() if (each := {m for m in members if is_in(m)})]
    f_disc = {member for members in clusters for member in members}

    phones_in: dict[str, list[Phone]] = defaultdict(list)
    for phone in phones:
        phones_in[phone.file].append(phone)
    spelled = {whole: transcribe(phones_in[whole[0]], whole, rules) for whole in f_disc}
    spelling = {whole: labels(each) for whole, each in spelled.items()}

    # Pairs of fragments.
    apart = {unordered(a, b) for members in clusters for a, b in combinations(members, 2) if one_speaker(a, b)}
    p_clus = apart | ({(a, a) for a in f_disc if one_speaker(a, a)} if rules.self_pairs == "kept" else set())
    p_disc = {(a, b) for a, b in apart if not overlap(a, b, rules)}
    p_goldclus = {
        unordered(a, b)
        for a, b in combinations(f_disc, 2)
        if spelling[a] == spelling[b] != () and not shared(a, b) and one_speaker(a, b)
    }

    # What is scored is in a pair, if speakers are told apart; and what it covers.
    scored = f_disc if speaker_of is None else flat(apart)
    covered = {phone for whole in scored for phone in spelled[whole]}

    # Pairs of spans.
    whole_corpus = all_spans(phones, rules)
    p_whole = matching_spans(whole_corpus, rules, one_speaker)  # coverage is always that of the whole corpus
    f_all, p_all = whole_corpus, p_whole
    if rules.corpus == "covered":
        f_all = {place: run for place, run in whole_corpus.items() if covered.issuperset(run)}
        p_all = matching_spans(f_all, rules, one_speaker)
    p_star = {
        unordered(one, other)
        for a, b in p_disc
        if spelled[a] and spelled[b]
        for one, other in completed(spelled[a], spelled[b], rules)
        if one != other
    }

    def span_labels(place: Span) -> Labels:
        file, first, last = place
        return tuple(phone.label for phone in phones_in[file] if first <= phone.number <= last)

    if rules.cover == "intervals":
        cover_disc = union(flat(p_disc))
        cover_all = union(time_of(whole_corpus[place]) for place in flat(p_whole))
    else:
        cover_disc = cover(spelled[whole] for whole in flat(p_disc))
        cover_all = cover(whole_corpus[place] for place in flat(p_whole))

    # Type, token and boundary.
    if rules.corpus == "covered":
        words = {word for word in words if covered.intersection(transcribe(phones_in[word[0]], word[:3], rules))}
    word_phones = [transcribe(phones_in[word[0]], word[:3], rules) for word in words]
    type_disc: set[Hashable] = {spelling[whole] for whole in scored}
    type_gold: set[Hashable] = {labels(run) for run in word_phones if run}
    token_disc: set[Hashable] = {span(run) if (run := spelled[whole]) else ("none", whole) for whole in scored}
    token_gold: set[Hashable] = {span(run) for run in word_phones if run}
    boundaries = phone_boundaries(phones, rules.pause)

    def edges(rows: Iterable[Interval]) -> dict[tuple[str, int], int | None]:
        times = {(row[0], time) for row in rows for time in row[1:]}
        return {(file, time): nearest(boundaries.get(file, []), time, rules.boundary_tolerance) for file, time in times}

    boundary_disc: set[Hashable] = {
        ("none", *edge) if place is None else (edge[0], place) for edge, place in edges(scored).items()
    }
    boundary_gold: set[Hashable] = {
        (edge[0], place) for edge, place in edges(word[:3] for word in words).items() if place is not None
    }

    distances = [distance(spelling[a], spelling[b], rules.empty_pair_distance) for a, b in p_disc]
    scores: dict[str, dict[str, Value]] = {
        "ned": {"value": ratio(sum(distances, Fraction(0)), len(distances)), "pairs": len(distances)},
        "coverage": {"value": ratio(cover_disc, cover_all)},
        "matching": against(p_star, p_all, span_labels, pairs=False),
        "grouping": against(p_clus, p_goldclus, spelling.__getitem__, pairs=False),
        "matching_pairs": against(p_star, p_all, span_labels, pairs=True),
        "grouping_pairs": against(p_clus, p_goldclus, spelling.__getitem__, pairs=True),
        "type": compared(type_disc, type_gold),
        "token": compared(token_disc, token_gold),
        "boundary": compared(boundary_disc, boundary_gold),
    }
    sizes = {
        "phones": len(phones),
        "words": len(words),
        "utterances": sum(map(is_in, gold.utterances)),
        "clusters": len(clusters),
        "fragments": len(f_disc),
        "fragments_empty": sum(not run for run in spelled.values()),
        "fragments_scored": len(scored),
        "pairs": len(p_disc),
        "pairs_flat": len(flat(p_disc)),
        "clus_pairs": len(p_clus),
        "clus_flat": len(flat(p_clus)),
        "goldclus_pairs": len(p_goldclus),
        "goldclus_flat": len(flat(p_goldclus)),
        "clus_goldclus_pairs": len(p_clus & p_goldclus),
        "clus_goldclus_flat": len(flat(p_clus & p_goldclus)),
        "f_all": len(f_all),
        "all_pairs": len(p_all),
        "all_flat": len(flat(p_all)),
        "star_pairs": len(p_star),
        "star_flat": len(flat(p_star)),
        "star_all_pairs": len(p_star & p_all),
        "star_all_flat": len(flat(p_star & p_all)),
        "cover_disc_us": cover_disc,
        "cover_all_us": cover_all,
    }
    for name, found, true in (
        ("type", type_disc, type_gold),
        ("token", token_disc, token_gold),
        ("boundary", boundary_disc, boundary_gold),
    ):
        sizes |= {f"{name}_disc": len(found), f"{name}_gold": len(true), f"{name}_both": len(found & true)}
    return {(metric, name): scores[metric][name] for metric, names in METRICS.items() for name in names}, sizes


# --------------------------------------------------------------------------------------------- answer


def summary(values: Sequence[Value], in_folds: bool) -> Summary:
    """Mean and population standard deviation of what is defined; of the whole corpus only the value."""
    defined = [value for value in values if value is not None]
    if not in_folds:
        return Summary(float(defined[0]) if defined else None, None, None)
    if not defined:
        return Summary(None, None, 0)
    mean = sum(defined, Fraction(0)) / len(defined)
    variance = sum(((value - mean) ** 2 for value in defined), Fraction(0)) / len(defined)
    return Summary(float(mean), math.sqrt(variance), len(defined))


def score(
    phones: Iterable[Labelled],
    words: Iterable[Labelled],
    fragments: Iterable[Clustered],
    *,
    utterances: Iterable[Timed] | None = None,
    folds: Iterable[Iterable[Timed]] | None = None,
    speakers: Iterable[tuple[str, str]] | None = None,
    speaker_pattern: str = "",
    n_folds: int = 10,
    fold_order: str = "dealt",
    silence: Sequence[str] = ("SIL", "SPN"),
    silent_words: Sequence[str] = ("SIL",),
    pause: float = 0.001,
    edge_cover_time: float = 0.030,
    edge_cover_fraction: float = 0.5,
    overlap_fraction: float = 0.5,
    min_phones: int = 3,
    found_min_phones: int | None = None,
    max_phones: int = 20,
    boundary_tolerance: float = 0.030,
    cover: str = "phones",
    empty_pair_distance: float = 0,
    corpus: str = "whole",
    self_pairs: str = "dropped",
    completion: str = "diagonals",
) -> dict[str, Report]:
    """Scores of all pairs and, when speakers are known, those within one speaker."""
    rules = Rules(
        pause=microseconds(pause),
        edge_cover_time=microseconds(edge_cover_time),
        edge_cover_fraction=Fraction(str(edge_cover_fraction)),
        overlap_fraction=Fraction(str(overlap_fraction)),
        min_phones=min_phones,
        found_min_phones=found_min_phones or min_phones,
        max_phones=max_phones,
        boundary_tolerance=microseconds(boundary_tolerance),
        cover=cover,
        empty_pair_distance=Fraction(empty_pair_distance),
        corpus=corpus,
        self_pairs=self_pairs,
        completion=completion,
    )
    phones = list(phones)
    given = None if utterances is None else [interval(*row) for row in utterances]
    numbered, in_order = number_phones(phones, silence, rules.pause, given)
    clusters: dict[str, set[Interval]] = defaultdict(set)
    for cluster, *whole in fragments:
        clusters[cluster].add(interval(*whole))
    gold = Gold(
        phones=numbered,
        words={(*interval(*row), label) for *row, label in words if label not in silent_words},
        utterances=in_order,
        clusters=clusters,
    )

    parts: list[list[Interval] | None]
    if folds is not None:
        parts = [[interval(*row) for row in fold] for fold in folds]
    else:
        # A fold is the utterances themselves: what lies between two of them is in none.
        divide = dealt if fold_order == "dealt" else cut
        parts = [*divide(in_order, n_folds)] if n_folds else [None]
    in_folds = folds is not None or n_folds > 0

    speaker_of = dict(speakers) if speakers is not None else None
    if speaker_of is None and speaker_pattern:
        files = {phone[0] for phone in phones} | {whole[0] for members in clusters.values() for whole in members}
        found = {file: re.search(speaker_pattern, file) for file in files}
        speaker_of = {file: match[1] for file, match in found.items() if match}

    reports = {}
    for name, told in (("all", None), ("within", speaker_of)):
        if name == "within" and speaker_of is None:
            continue
        scored = [score_fold(gold, part, rules, told) for part in parts]
        keys = [(metric, component) for metric, components in METRICS.items() for component in components]
        reports[name] = Report(
            scores={key: summary([values[key] for values, _ in scored], in_folds) for key in keys},
            sizes=[sizes for _, sizes in scored],
        )
    return reports
