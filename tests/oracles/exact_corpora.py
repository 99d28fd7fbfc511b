"""Small adversarial corpora, submissions and parameters for zerospeech2015, from a seeded generator.

Few labels and words made of them, so that runs of phones recur and overlap themselves; silences and pauses at
the tie of one millisecond; fragments near edges, nested, equal, across pauses, without phones; folds that cut
through words and through fragments. Seeds, not a hypothesis strategy: a run of the suite is dear, and
independent tasks differ more from each other than those that hypothesis varies.
"""

from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from oracles import tde2015
from oracles.corpora import Row  # here in whole microseconds
from oracles.zerospeech2015 import Clustered, Labelled, Timed

LEXICONS = (
    ("a", "a", "aa", "aaa"),
    ("ab", "a", "abab", "aba"),
    ("abc", "abd", "bc", "abcabd"),
    ("ab", "Sa", "ba", "S", "aPb", "bab", "aba"),  # S and P are the silences
)
LABELS = {"a": "a", "b": "ɛː", "c": "c", "d": "d", "S": "SIL", "P": "SPN"}
DURATIONS = (*(1000 * ms for ms in (10, 20, 30, 31, 40, 50, 60, 61, 70, 100)), 400, 60_001)
STEPS = (0,) * 16 + (-1, 1, 1000, 1001, 30_000, 200_000)  # from a phone to the next; 1 us shared is allowed
JITTERS = (0,) * 12 + (1000, 10_000, 15_000, 20_000, 29_999, 30_000, 30_001, 31_000, 50_000)
FILES = ("s1_a", "s1_b", "s2_a", "none")  # the last has no speaker
SPEAKER_PATTERN = r"^(s\d)_"
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "min_phones": (2, 2, 3, 4),
    "found_min_phones": (1, 2, 3, 4),
    "max_phones": (4, 5, 20),
    "overlap_fraction": (0.0, 0.3, 1.0),
    "edge_cover_time": (0.0, 0.015, 0.1),
    "edge_cover_fraction": (0.0, 0.25, 0.7, 1.0),
    "pause": (0.0, 0.03, 0.000001),
    "boundary_tolerance": (0.010, 0.030001, 0.1),
    "silence": (["SIL"], ["SIL", "a"], ["c"]),
    "fold_order": ("runs",),
    "cover": ("intervals",),
    "empty_pair_distance": (0.5, 1),
    "corpus": ("covered",),
    "self_pairs": ("kept",),
}


class Task(NamedTuple):
    """What is scored, and how: `inputs` beside the three, and parameters that may differ from the defaults."""

    phones: list[Labelled]
    words: list[Labelled]
    fragments: list[Clustered]
    inputs: dict[str, Any]
    params: dict[str, Any]


def seconds(file: str, onset: int, offset: int) -> Timed:
    return file, onset / 1_000_000, offset / 1_000_000


def make_phones(rng: Random, lexicon: tuple[str, ...]) -> list[Row]:
    """Up to 20 phones, spelled by words of the lexicon."""
    letters = "".join(rng.choice(lexicon) for _ in range(rng.randint(2, 10)))[:20]
    regular = rng.random() < 0.4  # of one duration and without gaps, so that edges tie
    onset = rng.choice((1, 0, 50_000))
    phones = []
    for letter in letters:
        offset = onset + (40_000 if regular else rng.choice(DURATIONS))
        phones.append(Row(onset, offset, LABELS[letter]))
        onset = offset + (0 if regular else rng.choice(STEPS))
    return phones


def near(rng: Random, onset: int, offset: int) -> tuple[int, int]:
    """The interval, or one of which an edge is a little elsewhere."""
    onset = max(0, onset + rng.choice(JITTERS) * rng.choice((1, -1)))
    return onset, max(onset + 1, offset + rng.choice(JITTERS) * rng.choice((1, -1)))


def make_run(rng: Random, phones: list[Row]) -> tuple[int, int]:
    """From the onset of a phone to the offset of another."""
    first = rng.randrange(len(phones))
    last = min(len(phones) - 1, first + rng.choice((0, 1, 2, 2, 3, 3, 4, 5, 8, 20)))
    return phones[first].onset, phones[last].offset


def make_fragment(rng: Random, phones: list[Row]) -> tuple[int, int]:
    """Nearly a run of phones; now and then a gap, or past the end."""
    gaps = [(a.offset, b.onset) for a, b in pairwise(phones) if a.offset < b.onset]
    kind = rng.random()
    if kind < 0.1 and gaps:
        return rng.choice(gaps)
    if kind > 0.9:
        return phones[-1].offset - 20_000, phones[-1].offset + 100_000
    return near(rng, *make_run(rng, phones))


def recurring(rng: Random, gold: dict[str, list[Row]]) -> list[Timed]:
    """Some places of a run of labels."""
    length = rng.choice((1, 2, 3, 4, 5))
    places = [(file, start) for file, phones in gold.items() for start in range(len(phones) - length + 1)]
    if not places:
        return []

    def spelling(file: str, start: int) -> list[str]:
        return [phone.label for phone in gold[file][start : start + length]]

    wanted = spelling(*rng.choice(places))
    found = [place for place in places if spelling(*place) == wanted]
    return [
        seconds(file, *near(rng, gold[file][start].onset, gold[file][start + length - 1].offset))
        for file, start in rng.sample(found, min(len(found), rng.randint(2, 6)))
    ]


def make_clusters(rng: Random, gold: dict[str, list[Row]]) -> list[list[Timed]]:
    """Up to eight clusters; members recur in them, in others and in files that are not theirs."""
    names = sorted(gold)
    pool = []
    for _ in range(rng.randint(1, 9)):
        file = rng.choice(names)
        home = rng.choice((file, file, file, rng.choice(names)))
        pool.append(seconds(home, *make_fragment(rng, gold[file])))
    clusters = [[rng.choice(pool) for _ in range(rng.randint(1, 5))] for _ in range(rng.randint(1, 4))]
    for _ in range(rng.randint(0, 3)):
        clusters.append([*recurring(rng, gold), *rng.sample(pool, rng.randint(0, 1))])
    if rng.random() < 0.4:
        clusters.append(rng.choice(clusters))
    return clusters


def cut(rng: Random, phones: list[Row]) -> list[tuple[int, int]]:
    """Intervals of a file that do not overlap; some parts of it are in none."""
    edges = sorted({time for phone in phones for time in (phone.onset, phone.offset, phone.onset + 7000)})
    chosen = {edges[0], edges[-1], *rng.sample(edges, min(len(edges), rng.randint(0, 4)))}
    return [part for part in pairwise(sorted(chosen)) if rng.random() < 0.8]


def make_task(seed: int) -> Task:
    """One to four files with up to 20 phones each, clusters of fragments, and any of the options."""
    rng = Random(seed)
    lexicon = rng.choice(LEXICONS)
    gold: dict[str, list[Row]] = {}
    for file in FILES[: rng.randint(1, len(FILES))]:
        twin = gold and rng.random() < 0.3
        gold[file] = gold[FILES[0]] if twin else make_phones(rng, lexicon)

    words = []
    for file, phones in gold.items():
        for _ in range(rng.randint(1, 6)):
            run = make_run(rng, phones)
            edges = run if rng.random() < 0.6 else near(rng, *run)
            words.append((*seconds(file, *edges), rng.choice(("w", "v", "w", "SIL"))))
    clusters = make_clusters(rng, gold)
    fragments = [(f"c{number}", *each) for number, members in enumerate(clusters) for each in members]

    def cut_all() -> list[Timed]:
        return [seconds(file, *part) for file, phones in gold.items() for part in cut(rng, phones)]

    inputs: dict[str, Any] = {}
    params: dict[str, Any] = {"n_folds": rng.choice((0, 0, 0, 1, 2, 3, 3, 10))}
    if rng.random() < 0.4 and (utterances := cut_all()):
        inputs["utterances"] = utterances
    if rng.random() < 0.3 and (folds := [fold for _ in range(rng.randint(1, 3)) if (fold := cut_all())]):
        inputs["folds"] = folds
    match rng.choice(("pattern", "pattern", "table", "unknown")):
        case "pattern":
            params["speaker_pattern"] = SPEAKER_PATTERN
        case "table":
            inputs["speakers"] = [(file, rng.choice(("one", "two"))) for file in list(gold)[:3]]
    params |= {name: rng.choice(values) for name, values in PARAMETERS.items() if rng.random() < 0.3}
    rows = [(*seconds(file, *phone[:2]), phone.label) for file, phones in gold.items() for phone in phones]
    return Task(rows, words, fragments, inputs, params)


def make_folded_task(seed: int) -> Task:
    """As the evaluator of 2015 wants it: utterances, and folds that are samples of them or any other intervals.

    Phones of a file do not overlap; a pause, however short, may end an utterance. Words may do anything.
    """
    rng = Random(seed)
    lexicon = rng.choice(LEXICONS)
    gold: dict[str, list[Row]] = {}
    for file in FILES[: rng.randint(1, len(FILES))]:
        twin = gold and rng.random() < 0.4
        gold[file] = gold[FILES[0]] if twin else apart(make_phones(rng, lexicon))
    phones = [(*seconds(file, *phone[:2]), phone.label) for file, rows in gold.items() for phone in rows]
    words = set()
    for file, rows in gold.items():
        tiled = rng.random() < 0.6
        first = 0
        while first < len(rows):
            last = min(len(rows) - 1, first + rng.choice((0, 1, 2, 2, 3)))
            edges = rows[first].onset, rows[last].offset
            words.add(
                (*seconds(file, *(edges if tiled or rng.random() < 0.5 else near(rng, *edges))), rng.choice("wvu"))
            )
            first = last + 1 + (rng.random() < 0.2)
    clusters = make_clusters(rng, gold)
    fragments = [(f"c{number}", *each) for number, members in enumerate(clusters) for each in members]
    utterances = [(run[0][0], run[0][1], run[-1][2]) for run in tde2015.runs(phones, tde2015.FLOATS)]

    def fold() -> list[Timed]:
        if rng.random() < 0.7:
            return [each for each in utterances if rng.random() < 0.7]
        return [seconds(file, *part) for file, rows in gold.items() for part in cut(rng, rows)]

    drawn = {name: [each for _ in range(rng.randint(1, 3)) if (each := fold())] for name in ("total", "within")}
    folds = {name: each or [utterances] for name, each in drawn.items()}  # an empty file of folds is refused
    return Task(phones, sorted(words), fragments, {"utterances": utterances, **folds}, {})


def apart(phones: list[Row]) -> list[Row]:
    """The phones without the microseconds that two share."""
    found: list[Row] = []
    for phone in phones:
        found.append(phone._replace(onset=max(phone.onset, found[-1].offset)) if found else phone)
    return found
