"""Small random inputs of suites, in which rows of partitions or slices could be mixed up.

They have many files, few labels, equal times in several files, words with two transcriptions, equal scores,
repeated rows, files without rows of a submission, and units without gold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random
from typing import Any

import pyarrow as pa

from examples import CATALOG, suite_of
from scorespec.catalog.model import Table
from scorespec.check.documents_checked import _rows_as_arrow
from scorespec.plan.compile import Request, compile_suite
from scorespec.plan.plan import Plan
from scorespec.run.inputs.sources import find_source
from scorespec.run.progress import Silent
from scorespec.run.runner import Runner
from scorespec.run.session import Session

FILES = 24
Rows = list[Sequence[Any]]


@dataclass(frozen=True)
class Task:
    """A run: rows of inputs, parameters, breakdowns, and metrics (none: those of the suite).

    With ``intervals``, it also has the steps of blocks, from which scores are resampled.
    """

    suite: str
    rows: Mapping[str, Rows]
    params: Mapping[str, Any] = field(default_factory=dict)
    by: tuple[tuple[str, ...], ...] = ()
    metrics: tuple[str, ...] = ()
    intervals: bool = False

    @property
    def inputs(self) -> dict[str, pa.Table]:
        """The inputs as Arrow tables."""
        names = CATALOG.of_suite(suite_of(self.suite))
        tables = {name: names.table(name) for name in self.rows}
        return {
            name: _rows_as_arrow(table, self.rows[name]) for name, table in tables.items() if isinstance(table, Table)
        }

    def plan(self) -> Plan:
        """The plan of the run."""
        suite = suite_of(self.suite)
        level = 95 if self.intervals else None
        request = Request(dict(self.params), self.metrics, list(self.by), given=frozenset(self.rows), confidence=level)
        return compile_suite(CATALOG.of_suite(suite), suite, request)


def loaded(plan: Plan, inputs: Mapping[str, Any], session: Session) -> Runner:
    """A runner of a plan that has loaded the inputs."""
    runner = Runner(plan, session, Silent())
    runner.load([find_source(each, inputs[each.name]) for each in plan.tables if each.name in inputs], hashed=False)
    return runner


def without(rows: Mapping[str, Rows], *names: str) -> dict[str, Rows]:
    """The rows of all inputs but some."""
    return {name: each for name, each in rows.items() if name not in names}


def files(prefix: str) -> list[str]:
    return [f"{prefix}{number:02}" for number in range(FILES)]


# -- detection of terms ----------------------------------------------------------------------------

WORDS = ("a", "b", "c", "B")
TERMS = ("a", "b", "c", "a b", "b c", "a b c", "c c", "b", "x", "b a")  # two queries have equal words; nobody says x


def term_detection(seed: int) -> dict[str, Rows]:
    """Queries, audio, references, turns and detections of 24 documents that have tokens at equal times."""
    r = Random(seed)
    queries = [(f"q{number}", text, r.choice(("", "lowercase"))) for number, text in enumerate(TERMS)]
    audio, references, speech, detections = list[Any](), list[Any](), list[Any](), set[Any]()
    for doc in files("d"):
        for channel in ("1", "2")[: r.randint(1, 2)]:
            audio += [(doc, channel, 0, 12, None), (doc, channel, 12, 8, None)][: r.randint(1, 2)]
            speech += [(doc, channel, 0, 5, "s"), (doc, channel, 5.5, 4, "t"), (doc, channel, 11, 8, "s")]
            said = [(n * 0.5, r.choice(WORDS)) for n in range(40) if r.random() < 0.4]
            references += [
                (doc, channel, onset, 0.4, word, r.choice(("lex", None, "fp", "frag")), r.choice(("s", "t")), None)
                for onset, word in said
            ]
            for onset, _ in r.sample(said, 5):
                query, near = r.choice(queries)[0], onset + r.choice((-0.4, 0, 0, 0.1, 0.5))
                for shift in (0, 0.2)[: r.randint(1, 2)]:
                    score = r.choice((-1, 0.25, 0.5, 0.5, 0.75, 2))
                    detections.add((query, doc, channel, round(abs(near + shift), 2), 0.4, score))
    listed = [(*row, "YES" if row[-1] > 0.4 else "NO", None, None) for row in sorted(detections)]
    return {"queries": queries, "audio": audio, "references": references, "speech": speech, "detections": listed}


def documents_with_terms(seed: int) -> dict[str, Rows]:
    """Which of 24 documents contain each query, and a score for most pairs of a query and a document."""
    r = Random(seed)
    queries = [(f"q{number}",) for number in range(9)]
    pairs = [(query, doc, "1", 0.0, 8.0) for (query,) in queries for doc in files("d")]
    scores, kept = (-1.0, 0.0, 0.5, 0.5, 2.0, 3.0), [pair for pair in pairs if r.random() < 0.8]
    detections = [(*pair, r.choice(scores), r.choice(("YES", "NO"))) for pair in kept]
    return {
        "queries": queries,
        "audio": [(doc, "1", 0.0, 8.0) for doc in files("d")],
        "occurrences": [pair for pair in pairs if r.random() < 0.2],
        "detections": detections,
    }


# -- discovery of terms ----------------------------------------------------------------------------

LEXICON = {"one": ("ab", "aba", "abb"), "two": ("ba", "baa"), "three": ("cab",), "SIL": ("S",)}
PHONES = {"a": "a", "b": "b", "c": "c", "S": "SIL"}
PHONE = 0.05


def term_discovery(seed: int) -> dict[str, Rows]:
    """Phones and words at equal times in all files, and clusters of fragments near their edges."""
    r = Random(seed)
    phones, words, places = list[Any](), list[Any](), list[Any]()
    for file in files("f"):
        at = 0
        for _ in range(r.randint(3, 6)):
            word = r.choice(tuple(LEXICON))
            spelt = r.choice(LEXICON[word])
            phones += [(file, times(at + k), times(at + k + 1), PHONES[letter]) for k, letter in enumerate(spelt)]
            words.append((file, times(at), times(at + len(spelt)), word))
            at += len(spelt)
        places += [(file, begin, begin + n) for begin in range(at) for n in (1, 2, 2, 3, 4) if begin + n <= at]
    fragments = []
    for cluster in range(24):
        # Most members are of two files, so that they overlap and recur; the next cluster has some of them, too.
        of = r.sample(files("f"), 2)
        near = [place for place in places if place[0] in of]
        members = [*r.choices(places, k=r.randint(0, 3)), *r.choices(near, k=r.randint(0, 5))]
        for file, begin, end in members:
            shift = r.choice((0, 0, 0.02))
            for name in (cluster, cluster + 1)[: r.randint(1, 2)]:
                fragments.append((f"c{name}", file, times(begin) + shift, times(end)))
    speakers = [(file, f"t{at % 5}") for at, file in enumerate(files("f"))]
    return {"phones": phones, "words": words, "fragments": fragments, "speakers": speakers}


def with_folds(rows: Mapping[str, Rows], seed: int) -> dict[str, Rows]:
    """A corpus with an utterance for each file, and with folds of some of these."""
    r, ends = Random(seed), {file: offset for file, _, offset, _ in rows["phones"]}
    utterances = [(file, 0.0, end) for file, end in ends.items()]
    names = {"folds_total": 3, "folds_within": 4}
    folds = {
        name: [(number, *each) for number in range(many) for each in utterances if r.random() < 0.6]
        for name, many in names.items()
    }
    return {**rows, "utterances": utterances, **folds}


def folds_of_speakers(rows: Mapping[str, Rows]) -> Rows:
    """A fold for each speaker, of whole files. Each fold has a single speaker, although the corpus has several."""
    ends = {file: offset for file, _, offset, _ in rows["phones"]}
    return [(int(speaker[1:]), file, 0.0, ends[file]) for file, speaker in rows["speakers"]]


def times(at: int) -> float:
    return round(at * PHONE, 2)


# -- named entities --------------------------------------------------------------------------------

TOKENS = ("the", "giants", "of", "rome", "won", "too", "two", "U.S.", "well-known", "(uh)")
TAGS = ("ENAMEX PERSON", "ENAMEX LOCATION", "TIMEX DATE")


def named_entities(seed: int) -> dict[str, Rows]:
    """A reference with alternatives, and a hypothesis with times, of 24 documents. Some segments have no words."""
    r = Random(seed)
    rows: dict[str, Rows] = {
        "reference": [],
        "hypothesis": [],
        "times": [],
        "glm": [("TOO", "TWO"), ("ROME", "{A / B}")],
    }
    for document in files("d"):
        for number in range(r.randint(1, 3)):
            segment = (document, f"s{number}", f"spk{number % 2}", 2 * number, 2 * number + 2)
            words = [(word, None, None) for word in r.choices(TOKENS, k=r.randint(0, 6))]
            heard = [heard for word, *_ in words for heard in misheard(r, word)]
            words += [("to", number, 0), ("too", number, 1), ("two", number, 1)][: r.choice((0, 3))]
            rows["reference"] += tokens(r, segment, words)
            rows["hypothesis"] += tokens(r, segment, [(word, None, None) for word in heard])
            rows["times"] += [(document, word, 2 * number + at * 0.1, 0.1, None) for at, word in enumerate(heard)]
    return rows


def tokens(r: Random, segment: Sequence[Any], words: Rows) -> Rows:
    """The rows of a segment; entities are single words, which are numbered within the segment."""
    document, name, speaker, onset, offset = segment
    rows: Rows = []
    for at, (word, alternation, branch) in enumerate(words or [(None, None, None)]):
        tag = r.choice((None, None, *TAGS)) if word and alternation is None else None
        entity = 10 * onset + at if tag else None
        times = (onset, offset, None, None, None)
        rows.append((document, name, word, entity, tag, speaker, *times, alternation, branch, None))
    return rows


def meetings(seed: int) -> dict[str, Rows]:
    """Meetings of up to three speakers, whose utterances overlap; some speakers and texts have no words."""
    r = Random(seed)
    rows: dict[str, Rows] = {"reference": [], "hypothesis": []}
    for document in files("d"):
        for number in range(r.randint(1, 4)):
            speaker, onset = r.randrange(3), r.randrange(6)
            words = r.choices(TOKENS, k=r.randint(0, 4))
            heard = [heard for word in words for heard in misheard(r, word)]
            for name, said, who in (
                ("reference", words, f"s{speaker}"),
                ("hypothesis", heard, f"h{r.choice((0, speaker))}"),
            ):
                for word in said or [None]:
                    rows[name].append((document, f"u{number}", word, None, None, who, onset, onset + 2))
    return rows


def diarization(seed: int) -> dict[str, Rows]:
    """Turns of up to three speakers, which overlap, and regions of 12 of the recordings."""
    r = Random(seed)
    rows: dict[str, Rows] = {"reference": [], "hypothesis": [], "uem": []}
    for doc in files("d"):
        for _ in range(r.randint(1, 6)):
            begin, dur, speaker = r.randint(0, 40) / 4, r.randint(1, 12) / 4, r.randrange(3)
            rows["reference"].append((doc, "1", begin, dur, f"s{speaker}"))
            rows["hypothesis"].append((doc, "1", begin + r.choice((0, 0.25)), dur, f"h{r.choice((0, speaker))}"))
        if r.random() < 0.5:
            rows["uem"].append((doc, "1", r.randint(0, 8) / 4, r.randint(20, 50) / 4))
    return rows


def in_channels(turns: Mapping[str, Rows]) -> dict[str, Rows]:
    """The same rows on three channels, with a laugh in each recording."""
    by_channel = {
        name: [(doc, str(nth % 3), *row) for nth, (doc, _, *row) in enumerate(rows)] for name, rows in turns.items()
    }
    return by_channel | {"other_lines": [("NON-LEX", doc, "1", 4.0, 0.5) for doc in files("d")]}


def verification(seed: int) -> dict[str, Rows]:
    """Trials of models of a few speakers, with equal and infinite scores."""
    r = Random(seed)
    rows: dict[str, Rows] = {"trials": [], "scores": []}
    for model in files("m"):
        for segment in range(r.randint(3, 8)):
            target, speaker = r.random() < 0.4, f"p{r.randrange(7)}"
            rows["trials"].append((model, f"s{segment}", target, f"p{model[-1]}", speaker))
            score = r.choice((r.randint(-3, 3) / 2 + target, r.gauss(2 * target, 1), float("-inf"), float("inf")))
            rows["scores"].append((model, f"s{segment}", float(score)))
    r.shuffle(rows["scores"])
    return rows


def of_half(rows: Rows) -> Rows:
    """The rows of the documents with an even number."""
    return [row for row in rows if int(row[0][1:]) % 2 == 0]


def whole_documents(rows: Mapping[str, Rows]) -> dict[str, Rows]:
    """Rows without alternatives, which are chosen within segments."""
    reference = [row for row in rows["reference"] if row[-3] is None]
    return {"reference": reference, "hypothesis": rows["hypothesis"]}


def misheard(r: Random, word: str) -> Iterable[str]:
    """What a recogniser may write for a word."""
    return r.choice(((word,), (word,), (word,), (), (r.choice(TOKENS),), (word, "of")))


# -- articulation ----------------------------------------------------------------------------------


TASKS = ("copy-synthesis", "semantic-acoustic", "semantic-only")


def articulation(seed: int) -> dict[str, Rows]:
    """24 tokens of five labels, synthesised in three tasks, and by a baseline."""
    r = Random(seed)

    def series(length: int) -> list[float]:
        return [*accumulate(r.choice((-0.5, 0.25, 1)) for _ in range(length))]

    def frames(length: int, width: int) -> list[list[float]]:
        return [series(width) for _ in range(length)]

    def synthesis() -> Sequence[Any]:
        return (frames(6, 2), series(5), frames(5, 3), frames(5, 3), frames(6, 4), None, None, None, series(3))

    labels = [(f"l{number}", series(3)) for number in range(5)]
    tokens, submission, baseline = list[Any](), list[Any](), list[Any]()
    for at, token in enumerate(files("t")):
        measured = [series(5), frames(5, 3), frames(5, 3)] if at % 3 else [None] * 3
        tokens.append((token, f"l{at % 5}", series(3), frames(6, 4), None, None, None, *measured))
        submission += [
            (None, token, task, *synthesis()) for task in ("copy-synthesis", "semantic-acoustic", "semantic-only")
        ]
        baseline.append((token, *synthesis()))
    return {"tokens": tokens, "labels": labels, "submission": submission, "baseline": baseline}
