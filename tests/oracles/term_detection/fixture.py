"""The recorded cases as rows: a line-wise reader of what those files hold, not of the formats at large."""

import re
from pathlib import Path

from .occurrences import find
from .quesst import Trial
from .rows import Detection, Excerpt, Query, Token, Turn, number
from .scoring import Task

# What KWSEval's records call the counts.
COUNTS = {
    "targets": "targ",
    "detections": "sys",
    "hits": "corr",
    "misses": "miss",
    "false_alarms": "fa",
    "correct_rejections": "corr_notdet",
}


def elements(path: Path, *names: str) -> list[dict[str, str]]:
    """The attributes of the elements of some names, in document order, with `element` for the name."""
    pattern = re.compile(rf"<({'|'.join(names)})\s+([^>]*)>")
    return [
        {"element": m[1]} | dict(re.findall(r'([\w:]+)="([^"]*)"', m[2]))
        for m in pattern.finditer(path.read_text(encoding="utf-8"))
    ]


def stem(name: str) -> str:
    """A document's name without directory and extension."""
    return Path(name).stem if "." in Path(name).name else Path(name).name


def audio(path: Path) -> list[Excerpt]:
    """The excerpts of an ecf.xml."""
    return [
        Excerpt(stem(e["audio_filename"]), e["channel"], number(e["tbeg"]), number(e["dur"]), e["source_type"])
        for e in elements(path, "excerpt")
    ]


def queries(path: Path) -> list[Query]:
    """The queries of a kwlist.xml."""
    text = path.read_text(encoding="utf-8")
    return [Query(*m) for m in re.findall(r'<kw kwid="([^"]*)">\s*<kwtext>(.*?)</kwtext>', text)]


def rttm(path: Path) -> tuple[list[Token], list[Turn]]:
    """Words and turns of an RTTM file."""
    tokens, turns = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        columns = line.split(";;")[0].split()
        if columns and columns[0] in ("LEXEME", "SPEAKER"):
            kind, doc, channel, tbeg, dur, text, sort, speaker = columns[:8]
            if kind == "LEXEME":
                tokens.append(Token(doc, channel, number(tbeg), number(dur), text, speaker, sort))
            else:
                turns.append(Turn(doc, channel, number(tbeg), number(dur)))
    return tokens, turns


def decision(text: str) -> bool:
    """YES or NO."""
    return {"YES": True, "NO": False}[text]


def detections(path: Path) -> tuple[list[Detection], list[str], dict[str, str]]:
    """The detections of a kwslist.xml, the queries that it has a block for, and its own attributes."""
    found, blocks, query, head = [], [], "", {}
    for e in elements(path, "kwslist", "detected_kwlist", "kw"):
        if e["element"] == "kwslist":
            head = e
        elif e["element"] == "detected_kwlist":
            query = e["kwid"]
            blocks.append(query)
        else:
            score, yes = float(e["score"]), decision(e["decision"])
            span = number(e["tbeg"]), number(e["dur"])
            found.append(Detection(query, stem(e["file"]), e["channel"], *span, score, yes))
    return found, blocks, head


def task(case: Path, nist: bool) -> Task:
    """A case from its XML and RTTM files."""
    listed = queries(case / "kwlist.xml")
    tokens, turns = rttm(case / "ref.rttm")
    found, blocks, head = detections(case / "kwslist.xml")
    if len(set(blocks)) < len(blocks):
        raise ValueError("a kwid has two blocks")
    limits = [float(head[name]) if name in head else None for name in ("min_score", "max_score")]
    return Task(
        [q.query for q in listed],
        audio(case / "ecf.xml"),
        find(listed, tokens, nist=nist),
        found,
        turns,
        *limits,
    )


def trials(case: Path) -> tuple[list[str], list[str], set[tuple[str, str]], list[Trial]]:
    """A QUESST case: queries, documents, target trials and submitted trials."""
    listed = [e["termid"] for e in elements(case / "tlist.xml", "term")]
    docs = [e.doc for e in audio(case / "ecf.xml")]
    lines = (case / "ref.rttm").read_text(encoding="utf-8").splitlines()
    targets = {(columns[5], columns[1]) for columns in map(str.split, lines) if columns[5] in set(listed)}
    submitted, query = [], ""
    for e in elements(case / "stdlist.xml", "detected_termlist", "term"):
        if e["element"] == "detected_termlist":
            query = e["termid"]
        else:
            submitted.append(Trial(query, stem(e["file"]), float(e["score"]), decision(e["decision"])))
    return listed, docs, targets, submitted
