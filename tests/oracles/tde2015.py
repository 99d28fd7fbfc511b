"""The term-discovery scores of the ZeroSpeech 2015 evaluator (tde 0.2.1) by brute force.

An independent witness for the engine: plain loops over plain tuples, no shared code with the engine and no
dependency beyond the standard library. Written from the rules (column T15 of the write-up of what the
evaluators compute; "T15 §4" below names its sections). It is meant to be obviously right, not fast.

Where the rules leave a choice, a comment marked SETTLED names the reading that reproduces the recorded
numbers (tests/unit/suites/test_oracle_tde2015.py) and a number that refutes the other, one marked OPEN a choice that
no recorded number decides, and one marked BUG a rule of the tool that its authors cannot have meant.

The tool compares raw floats, with a tolerance in two places, and times on a grid of 1 or 10 ms are full of
exact ties, which the last bits of the floats decide. `FLOATS` does the same, operation by operation;
`MICROSECONDS` takes every time as a whole number of microseconds and has no tolerance. SETTLED: only the
former reproduces the recorded numbers (NED of alpha.edges is 0.94335, in microseconds 0.94795).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from oracles.edits import levenshtein

Segment = tuple[str, float, float, str]  # file, onset, offset, label: a phone or a word
Span = tuple[str, float, float]  # file, onset, offset: an utterance, or an interval of a fold
Member = tuple[str, str, float, float]  # cluster, file, onset, offset: one line of a submission
Label = tuple[str, ...]

METRICS = ("ned", "coverage", "matching", "grouping", "token", "type", "boundary")
SHORTEST = 3  # phones of a gold n-gram and of a substring of a discovered pair
LONGEST_GOLD = 20
LONGEST_FOUND = 19  # BUG (T15 §4, Matching): the tool excludes its own upper bound here, not in the gold
HALF = 0.5


class Fragment(NamedTuple):
    """A stretch of speech with its transcription; two are the same when all four fields are."""

    file: str
    onset: float
    offset: float
    label: Label


Pair = tuple[Fragment, Fragment]
Clusters = dict[str, list[Fragment]]  # members in the order of the file, repeats and all
Values = dict[str, float]


class Clock(NamedTuple):
    """How times are read and compared."""

    read: Callable[[float], float]
    seconds: float  # how many units make a second
    threshold: float  # 30 ms
    nothing: float  # an overlap up to this is none, in the tests that have this tolerance
    meets: Callable[[float, float], bool]  # does an interval that ends at the first time touch one that starts there?


FLOATS = Clock(
    read=float,
    seconds=1,
    threshold=0.03,
    nothing=1e-8,
    # BUG (T15 §7): a tolerance that grows with the time: 5 ms after 500 s.
    meets=lambda a, b: abs(a - b) <= 1e-8 + 1e-5 * abs(b),
)
MICROSECONDS = Clock(
    read=lambda t: round(t * 1_000_000),
    seconds=1_000_000,
    threshold=30_000,
    nothing=0,
    meets=lambda a, b: a == b,
)


class Folded(NamedTuple):
    """Everything that is measured in one fold."""

    clusters: Clusters  # what is left of each cluster, single members too
    gold: Clusters  # what is left of each gold n-gram, single members too
    words: list[list[Segment]]  # what is left of each run of words


# ---------------------------------------------------------------------------------------------------- spans


def overlap(a_onset: float, a_offset: float, b_onset: float, b_offset: float) -> float:
    """Time shared by two intervals, 0 when they do not meet."""
    return max(min(a_offset, b_offset) - max(a_onset, b_onset), 0)


def overlaps(clock: Clock, a_onset: float, a_offset: float, b_onset: float, b_offset: float) -> bool:
    """Do two intervals share more than 30 ms, or more than half of either? (T15 §2.3 and §3, all strict).

    The one test of the tool, for the phones of a fragment, for the words under it and for pairs alike.
    """
    shared = overlap(a_onset, a_offset, b_onset, b_offset)
    if shared <= clock.nothing:
        return False
    shorter = min(a_offset - a_onset, b_offset - b_onset)
    return shared > clock.threshold or shared > HALF * shorter


def inside(span: Segment | Fragment, intervals: Iterable[Span]) -> bool:
    """Is it wholly inside one of the intervals? Nothing of no duration is."""
    file, onset, offset = span[:3]
    return onset < offset and any(file == f and on <= onset and offset <= off for f, on, off in intervals)


def clipped(span: Span, utterances: Iterable[Span]) -> Span | None:
    """The part in the utterance that it shares most time with, the earliest of equals (T15 §2.1)."""
    file, onset, offset = span
    best, most = None, 0.0
    for f, on, off in sorted(utterances):
        if f == file and overlap(onset, offset, on, off) > most:
            best, most = (file, max(onset, on), min(offset, off)), overlap(onset, offset, on, off)
    return best


def runs(segments: Iterable[Segment], clock: Clock) -> list[list[Segment]]:
    """Consecutive lines of one file without a gap between them (T15 §1)."""
    found: list[list[Segment]] = []
    for segment in segments:
        if found and found[-1][-1][0] == segment[0] and clock.meets(found[-1][-1][2], segment[1]):
            found[-1].append(segment)
        else:
            found.append([segment])
    return found


def under(span: Span, all_runs: Iterable[list[Segment]], clock: Clock) -> list[Segment]:
    """The phones or words of a fragment: those of one run that it overlaps (T15 §2.2, §2.3).

    The run is the last one in time that overlaps the fragment or begins before it. BUG: a fragment over a
    pause loses what is left of the pause, and raises ValueError (as the tool does) if it has no more than a
    bit of the run at its end. Clipped fragments lie inside one run of phones, so this matters for words only.
    """
    file, onset, offset = span
    in_file = sorted((run for run in all_runs if run[0][0] == file), key=lambda run: run[0][1])
    reached = [r for r in in_file if r[0][1] < onset or overlaps(clock, r[0][1], r[-1][2], onset, offset)]
    if not reached or overlap(reached[-1][0][1], reached[-1][-1][2], onset, offset) == 0:
        raise ValueError(f"nothing at {span}")
    return [s for s in reached[-1] if overlaps(clock, s[1], s[2], onset, offset)]


# ------------------------------------------------------------------------------------ clusters and gold n-grams


def discovered(
    members: Iterable[Member], phones: Iterable[Segment], utterances: Iterable[Span], clock: Clock = FLOATS
) -> Clusters:
    """The clusters of a submission, clipped and transcribed.

    A fragment outside every utterance is dropped; one whose transcription is empty is kept (T15 §2.4); two that
    are equal once clipped are one fragment listed twice.
    """
    utterances, phone_runs = list(utterances), runs(phones, clock)
    clusters: Clusters = defaultdict(list)
    for cluster, file, onset, offset in members:
        part = clipped((file, onset, offset), utterances)
        if part is not None:
            clusters[cluster].append(Fragment(*part, tuple(p[3] for p in under(part, phone_runs, clock))))
    return clusters


def gold_ngrams(phones: Iterable[Segment], utterances: Iterable[Span]) -> Clusters:
    """Every string of 3 to 20 phones of an utterance that occurs at least twice in the corpus (T15 §4).

    SETTLED: an n-gram stays within an utterance, whether what separates two is a gap or the phone SIL (beta:
    1054 classes).
    """
    by_file: dict[str, list[Segment]] = defaultdict(list)
    for phone in sorted(phones):
        by_file[phone[0]].append(phone)
    classes: dict[str, set[Fragment]] = defaultdict(set)
    for file, onset, offset in utterances:
        inner = [p for p in by_file[file] if onset <= p[1] and p[2] <= offset]
        for first in range(len(inner)):
            for n in range(SHORTEST, min(LONGEST_GOLD, len(inner) - first) + 1):
                fragment = spelled(inner[first : first + n])
                classes["\n".join(fragment.label)].add(fragment)
    return {key: sorted(members) for key, members in classes.items() if len(members) > 1}


def cut(clusters: Clusters, fold: Iterable[Span]) -> Clusters:
    """The members of each cluster that lie wholly inside one interval of the fold (T15 §5)."""
    fold = list(fold)
    kept = {key: [f for f in members if inside(f, fold)] for key, members in clusters.items()}
    return {key: members for key, members in kept.items() if members}


def fragments_of(clusters: Clusters) -> set[Fragment]:
    """The distinct fragments."""
    return {f for members in clusters.values() for f in members}


def pairs_of(clusters: Clusters, clock: Clock) -> set[Pair]:
    """Distinct pairs within a cluster that do not overlap, the earlier by file and onset first (T15 §3).

    BUG: the file is not looked at when the times are compared, so that fragments of two files at the same
    times are no pair. SETTLED: NED of alpha.edges is 0.94335; if the file were looked at it would be 0.94134.
    A fragment listed twice in a cluster is no pair either, and a pair of two clusters is one pair.
    """
    return {
        (min(a, b), max(a, b))
        for members in clusters.values()
        for a, b in combinations(members, 2)
        if not overlaps(clock, a.onset, a.offset, b.onset, b.offset)
    }


def both_ways(pairs: Iterable[Pair]) -> set[Pair]:
    """Ordered pairs: each and its reverse."""
    return {ordered for a, b in pairs for ordered in ((a, b), (b, a))}


# ---------------------------------------------------------------------------------------------- small sums


def ratio(part: float, whole: float) -> float:
    """A share; nan of nothing."""
    return part / whole if whole else math.nan


def fscore(precision: float, recall: float) -> float:
    """The harmonic mean, 0 when both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def share_of_types(pairs: set[Pair], common: set[Pair]) -> float:
    """Sum over types of w(t) * N_common(t) / N(t) (T15 §4, Matching and Grouping); nan of no pairs.

    w(t) is the share of t among the distinct fragments in any pair, N counts the pairs whose second member is
    t. A type that is never second has a weight all the same. SETTLED: N of both members would make precision
    of alpha.edges 0.0045, not 0.0027. (Pairs both ways, as in matching, have every member second.)
    """
    if not pairs:
        return math.nan
    weight = Counter(f.label for f in {f for pair in pairs for f in pair})
    second, second_common = Counter(b.label for _, b in pairs), Counter(b.label for _, b in common)
    return math.fsum(weight[t] / weight.total() * second_common[t] / second[t] for t in second)


# ------------------------------------------------------------------------------------------------ measures


def ned(folded: Folded, clock: Clock) -> Values:
    """Mean over the distinct pairs; of two empty transcriptions ZeroDivisionError, as the tool."""
    pairs = pairs_of(folded.clusters, clock)
    distances = [levenshtein(a.label, b.label) / max(len(a.label), len(b.label)) for a, b in pairs]
    return {"value": ratio(math.fsum(distances), len(distances)), "pairs": len(pairs)}


def covered(fragments: Iterable[Fragment], clock: Clock) -> float:
    """Duration in seconds of the union, the gap between two that nearly touch included (T15 §4, Coverage)."""
    total, file, start, end = 0.0, None, 0.0, 0.0
    for f in sorted(fragments):
        # OPEN: the tolerance is of the gap between two fragments; that between the union so far and the next
        # is the same here, as fragments come in order of onset. No recorded corpus has a gap so small.
        if f.file != file or (f.onset > end and not clock.meets(end, f.onset)):
            total += end - start
            file, start, end = f.file, f.onset, f.offset
        end = max(end, f.offset)
    return (total + end - start) / clock.seconds


def coverage(folded: Folded, clock: Clock) -> Values:
    """Time of all fragments, clipped but not snapped to phones, over that of all gold n-grams (T15 §4).

    Single members count on both sides: an n-gram is gold if the corpus has it twice, wherever the fold has it.
    """
    found, gold = covered(fragments_of(folded.clusters), clock), covered(fragments_of(folded.gold), clock)
    return {"value": ratio(found, gold) if found > 0 else math.nan, "found": found, "gold": gold}


def substrings(
    a: Fragment, b: Fragment, phones_of: Callable[[Fragment], tuple[Segment, ...]]
) -> Iterable[tuple[Fragment, Fragment]]:
    """Substrings of 3 to 19 phones of a pair: the shorter is laid on the longer at every offset (T15 §4)."""
    p, q = phones_of(a), phones_of(b)
    if len(p) > len(q):
        yield from ((y, x) for x, y in substrings(b, a, phones_of))
        return
    for shift in range(len(q) - len(p) + 1):
        for n in range(SHORTEST, min(len(p), LONGEST_FOUND) + 1):
            for first in range(len(p) - n + 1):
                yield spelled(p[first : first + n]), spelled(q[first + shift : first + shift + n])


def spelled(phones: Sequence[Segment]) -> Fragment:
    """The fragment from the first phone to the last."""
    return Fragment(phones[0][0], phones[0][1], phones[-1][2], tuple(p[3] for p in phones))


def matching(folded: Folded, clock: Clock, phones_of: Callable[[Fragment], tuple[Segment, ...]]) -> Values:
    """Substring pairs of the found pairs against pairs of a gold n-gram (T15 §4, Matching)."""
    found = both_ways({sub for a, b in pairs_of(folded.clusters, clock) for sub in substrings(a, b, phones_of)})
    gold = both_ways(pairs_of(folded.gold, clock))
    common = found & gold
    return {"precision": share_of_types(found, common), "recall": share_of_types(gold, common)}


def grouping(folded: Folded, clock: Clock) -> Values:
    """Pairs of a cluster against pairs of found fragments of equal transcription (T15 §4, Grouping)."""
    found = pairs_of(folded.clusters, clock)
    alike: Clusters = defaultdict(list)
    # SETTLED: only fragments of clusters that still have two members in the fold (recall of alpha.singletons:
    # 0.70046, not 0.43332), though they need not be in any pair.
    for f in sorted({f for members in folded.clusters.values() if len(members) > 1 for f in members}):
        alike["\n".join(f.label)].append(f)
    gold = {
        (a, b)
        for a, b in pairs_of(alike, clock)
        if a.file != b.file or overlap(a.onset, a.offset, b.onset, b.offset) == 0
    }
    common = found & gold
    return {"precision": share_of_types(found, common), "recall": share_of_types(gold, common)}


def token_and_type(folded: Folded, clock: Clock) -> tuple[Values, Values]:
    """Fragments over one word with both edges within 30 ms of its own (T15 §4, Token and Type)."""
    fragments = fragments_of(folded.clusters)
    hits, seen, hit = 0, set(), set()
    for f in fragments:
        words = under(f[:3], folded.words, clock)
        seen.add(tuple(w[3] for w in words))
        if len(words) == 1:
            _, onset, offset, label = words[0]
            if abs(onset - f.onset) <= clock.threshold and abs(offset - f.offset) <= clock.threshold:
                hits += 1  # BUG: several fragments may hit one word
                hit.add(label)
    gold = {w for run in folded.words for w in run}
    token = {"precision": ratio(hits, len(fragments)), "recall": ratio(hits, len(gold))}
    types = {"precision": ratio(len(hit), len(seen)), "recall": ratio(len(hit), len({w[3] for w in gold}))}
    return token, types


def boundary(folded: Folded, clock: Clock) -> Values:
    """Distinct edges with one of the other side strictly less than 30 ms away (T15 §4, Boundary)."""
    found = {(f.file, t) for f in fragments_of(folded.clusters) for t in (f.onset, f.offset)}
    gold = {(w[0], t) for run in folded.words for w in run for t in (w[1], w[2])}

    def near(points: set[tuple[str, float]], others: set[tuple[str, float]]) -> float:
        times = defaultdict(list)
        for file, t in others:
            times[file].append(t)
        close = [any(abs(t - u) < clock.threshold for u in times[file]) for file, t in points]
        return ratio(sum(close), len(close))

    return {"precision": near(found, gold), "recall": near(gold, found)}


# ------------------------------------------------------------------------------------------ the answers


class Corpus:
    """The gold of a corpus, read once for any number of submissions."""

    def __init__(
        self,
        phones: Iterable[Segment],
        words: Iterable[Segment],
        utterances: Iterable[Span],
        clock: Clock = FLOATS,
    ) -> None:
        self.clock = clock
        self.phones = [self._segment(p) for p in phones]
        self.utterances = [self._span(u) for u in utterances]
        self.gold = gold_ngrams(self.phones, self.utterances)
        self.word_runs = runs([self._segment(w) for w in words], clock)
        phone_runs = runs(self.phones, clock)
        self.phones_of = cache(lambda fragment: tuple(under(fragment[:3], phone_runs, clock)))

    def _segment(self, row: Segment) -> Segment:
        return (row[0], self.clock.read(row[1]), self.clock.read(row[2]), row[3])

    def _span(self, row: Span) -> Span:
        return (row[0], self.clock.read(row[1]), self.clock.read(row[2]))

    def discovered(self, members: Iterable[Member]) -> Clusters:
        """A submission in the terms of this corpus."""
        timed = [(cluster, *self._span((file, onset, offset))) for cluster, file, onset, offset in members]
        return discovered(timed, self.phones, self.utterances, self.clock)

    def score_fold(
        self, clusters: Clusters, fold: Iterable[Span], metrics: Sequence[str] = METRICS
    ) -> dict[str, Values]:
        """The values of one fold; nan where there is nothing to divide by."""
        intervals = [self._span(i) for i in fold]
        words = [[w for w in run if inside(w, intervals)] for run in self.word_runs]
        folded = Folded(cut(clusters, intervals), cut(self.gold, intervals), [run for run in words if run])
        scores: dict[str, Values] = {}
        if "ned" in metrics:
            scores["ned"] = ned(folded, self.clock)
        if "coverage" in metrics:
            scores["coverage"] = coverage(folded, self.clock)
        if "matching" in metrics:
            scores["matching"] = matching(folded, self.clock, self.phones_of)
        if "grouping" in metrics:
            scores["grouping"] = grouping(folded, self.clock)
        if "token" in metrics or "type" in metrics:
            scores["token"], scores["type"] = token_and_type(folded, self.clock)
        if "boundary" in metrics:
            scores["boundary"] = boundary(folded, self.clock)
        return scores


class Summary(NamedTuple):
    """One value over the folds that have it."""

    folds: list[float]
    mean: float
    std: float
    min: float
    max: float


def summary(folds: list[float]) -> Summary:
    """Mean and population standard deviation."""
    mean = math.fsum(folds) / len(folds)
    return Summary(
        folds, mean, math.sqrt(math.fsum((v - mean) ** 2 for v in folds) / len(folds)), min(folds), max(folds)
    )


def over_folds(metric: str, folds: Iterable[Values]) -> dict[str, Summary]:
    """The reduction of a metric over folds (T15 §5).

    A fold without precision or without recall is dropped, from both and from F; F is that of each fold, so
    that its mean is a mean of F. Of no fold at all NED is 1 and everything else 0.
    """
    if metric in ("ned", "coverage"):
        values = [f["value"] for f in folds if not math.isnan(f["value"])]
        return {"value": summary(values or [1.0 if metric == "ned" else 0.0])}
    both = [(f["precision"], f["recall"]) for f in folds]
    kept = [pr for pr in both if not any(map(math.isnan, pr))] or [(0.0, 0.0)]
    return {
        "precision": summary([p for p, _ in kept]),
        "recall": summary([r for _, r in kept]),
        "fscore": summary([fscore(p, r) for p, r in kept]),
    }
