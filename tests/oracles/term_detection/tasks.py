"""Tasks of spoken term detection, recorded or at random: as inputs of a suite, and as the oracle takes them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa

from . import fixture, occurrences, scoring
from .rows import Detection, Excerpt, Query, Token, Turn


@dataclass
class Rows:
    """What a task consists of."""

    queries: list[Query] = field(default_factory=list)
    audio: list[Excerpt] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    detections: list[Detection] = field(default_factory=list)


def recorded(folder: Path) -> Rows:
    """A recorded case, its name in those of its documents, queries and words, so that cases can be scored as one."""
    name = folder.name
    tokens, turns = fixture.rttm(folder / "ref.rttm")
    found, _, _ = fixture.detections(folder / "kwslist.xml")

    def own(text: str) -> str:
        return " ".join(f"{name}/{word}" for word in text.split())

    return Rows(
        [Query(own(q.query), own(q.text)) for q in fixture.queries(folder / "kwlist.xml")],
        [e._replace(doc=own(e.doc)) for e in fixture.audio(folder / "ecf.xml")],
        [t._replace(doc=own(t.doc), text=own(t.text)) for t in tokens],
        [t._replace(doc=own(t.doc)) for t in turns],
        [d._replace(query=own(d.query), doc=own(d.doc)) for d in found],
    )


def tables(drawn: Iterable[Rows], r: random.Random) -> dict[str, pa.Table]:
    """The rows of tasks as inputs."""
    drawn = list(drawn)
    detections = [d for each in drawn for d in each.detections]
    r.shuffle(detections)
    columns: dict[str, list[dict[str, Any]]] = {
        "queries": [{"query": q.query, "text": q.text} for each in drawn for q in each.queries],
        "audio": [{**span(e), "source_type": e.source_type} for each in drawn for e in each.audio],
        "references": [
            {**span(t), "token": t.text, "speaker": t.speaker, "subtype": t.kind} for each in drawn for t in each.tokens
        ],
        "speech": [span(t) for each in drawn for t in each.turns],
        "detections": [
            {"query": d.query, **span(d), "score": d.score, "decision": "YES" if d.yes else "NO"} for d in detections
        ],
    }
    return {name: pa.Table.from_pylist(rows) for name, rows in columns.items()}


def span(row: Any) -> dict[str, Any]:
    return {"doc": row.doc, "channel": row.channel, "tbeg": float(row.tbeg), "dur": float(row.dur)}


def joint(drawn: Iterable[Rows], nist: bool) -> scoring.Task:
    """The same for the oracle."""
    drawn = list(drawn)
    return scoring.Task(
        [q.query for each in drawn for q in each.queries],
        [e for each in drawn for e in each.audio],
        [o for each in drawn for o in occurrences.find(each.queries, each.tokens, nist=nist)],
        [d for each in drawn for d in each.detections],
        [t for each in drawn for t in each.turns],
    )


WORDS = ("a", "b", "B", "c")
TEXTS = ("a", "B", "c", "a b", "b a", "a a", "a b c", "A c")
SCORES = (float("-inf"), -1.0, -0.0, 0.0, 0.25, 0.5, 0.5, 1.0, float("inf"))


def hundredths(r: random.Random, low: int, high: int) -> Decimal:
    return Decimal(r.randint(low, high)) / 100


class Drawn(Rows):
    """A small task at random; ``name`` is in the names of its documents, queries and words."""

    def __init__(self, r: random.Random, name: str) -> None:
        super().__init__()
        docs = [f"d{name}.{at}" for at in range(r.randint(1, 3))]
        self.queries = [Query(f"q{name}.{at}", self.own(text, name)) for at, text in enumerate(r.sample(TEXTS, 5))]
        for doc in docs:
            channels = r.choice((("1",), ("1", "2")))
            for channel in channels:
                begin = hundredths(r, 0, 200)
                for _ in range(r.randint(1, 2)):
                    long = hundredths(r, 300, 900)
                    self.audio.append(Excerpt(doc, channel, begin, long, r.choice(("cts", "splitcts", "bnews"))))
                    begin += long + hundredths(r, 0, 100)
                self.speak(r, doc, channel, name)
                self.detect(r, doc, channel)
        self.detect(r, docs[0], "9")
        r.shuffle(self.tokens)

    @staticmethod
    def own(text: str, name: str) -> str:
        return " ".join(f"{word}{name}x" for word in text.split())

    def speak(self, r: random.Random, doc: str, channel: str, name: str) -> None:
        for speaker in ("s", "t")[: r.randint(1, 2)]:
            at = hundredths(r, 0, 100)
            for _ in range(r.randint(3, 14)):
                long = hundredths(r, 0, 60)
                word, kind = self.own(r.choice(WORDS), name), r.choice(("lex", "lex", "lex", "fp"))
                self.tokens.append(Token(doc, channel, at, long, word, speaker, kind))
                if r.random() < 0.3:
                    self.turns.append(Turn(doc, channel, at, long + hundredths(r, 0, 200)))
                at += max(long + r.choice((Decimal(0), Decimal("0.5"), hundredths(r, -20, 120))), Decimal("0.01"))

    def detect(self, r: random.Random, doc: str, channel: str) -> None:
        grid = r.choice((1, 25, 50))
        for query in self.queries:
            for _ in range(r.randint(0, 9)):
                tbeg, long = (
                    Decimal(r.randint(0, 1500 // grid) * grid) / 100,
                    Decimal(r.randint(0, 100 // grid) * grid) / 100,
                )
                yes = r.random() < 0.5
                self.detections.append(Detection(query.query, doc, channel, tbeg, long, r.choice(SCORES), yes))


class Pieces(Drawn):
    """A small task at random whose excerpts touch, overlap and leave gaps.

    Times are on a grid of 0.1 s, so that midpoints lie on borders. Source types differ from excerpt to excerpt.
    """

    def __init__(self, r: random.Random, name: str) -> None:
        Rows.__init__(self)
        self.queries = [Query(f"q{name}.{at}", self.own(text, name)) for at, text in enumerate(("a", "b", "a b"))]
        for doc, channel in ((f"d{name}", "1"), (f"d{name}", "2"), (f"e{name}", "1")):
            at, excerpts = Decimal(r.randint(0, 9)) / 10, set[tuple[Decimal, Decimal]]()
            for _ in range(r.randint(1, 4)):
                long = Decimal(r.randint(2, 20)) / 10
                excerpts.add((at, long))
                at = max(at + long + Decimal(r.choice((-6, -1, 0, 0, 0, 1, 5, 12))) / 10, Decimal(0))
            self.audio += [Excerpt(doc, channel, *span, r.choice(("x", "y", "z"))) for span in sorted(excerpts)]
            self.speak_and_detect(r, doc, channel, name, int(10 * at) + 10)
        self.speak_and_detect(r, f"e{name}", "9", name, 20)

    def speak_and_detect(self, r: random.Random, doc: str, channel: str, name: str, end: int) -> None:
        for _ in range(r.randint(2, 8)):
            tbeg, long = Decimal(r.randint(0, end)) / 10, Decimal(r.randint(0, 6)) / 10
            word = self.own(r.choice("ab"), name)
            self.tokens.append(Token(doc, channel, tbeg, long, word, f"s{r.randint(0, 1)}", "lex"))
        for query in self.queries:
            for _ in range(r.randint(0, 5)):
                tbeg, long = Decimal(r.randint(0, end)) / 10, Decimal(r.randint(0, 8)) / 10
                score, yes = r.choice(SCORES), r.random() < 0.6
                self.detections.append(Detection(query.query, doc, channel, tbeg, long, score, yes))
