"""Transcripts of several channels, in any case, and text without tags; what must become of each.

The name of the file with the hypothesis says what must become of it: `hN.ctm` has N words, all of which are scored;
`refused` has words that no segment takes, or no tags.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from random import Random

WORDS = ("yes", "no", "new", "york", "a")
PLAIN = {  # texts without a closing tag
    "trn": "{words} (ann-{number})",
    "stm": "rec A ann {number} {number}.5 {words}",
    "ctm": "rec A {number} 0.5 yes",
    "kaldi": "ann-{number} {words}",
    "lines": "{words} <noise>",
}


def transcripts(random: Random, folder: Path) -> list[str]:
    """A reference with one to three channels, whose segments have gaps and overlaps, and a hypothesis."""
    if random.random() < 0.25:
        return _without_tags(random, folder)
    channels = ["a", "b", "c"][: random.randint(1, 3)]
    segments = [(channel, random.uniform(0, 20)) for channel in channels for _ in range(random.randint(1, 4))]
    reference = [
        f"rec {_cased(random, channel)} s {onset:.2f} {onset + random.uniform(0, 6):.2f} {_words(random)}"
        for channel, onset in sorted(segments)
    ]
    words = [(random.choice(channels), random.uniform(0, 30)) for _ in range(random.randint(1, 12))]
    recording = "rec"
    lacking = random.random()
    if lacking < 0.15:
        words.append(("d", 1.0))
    elif lacking < 0.3:
        recording = "Rec"
    hypothesis = [
        f"{recording} {_cased(random, channel)} {onset:.2f} {random.uniform(0, 2):.2f} {random.choice(WORDS)}"
        for channel, onset in sorted(words)
    ]
    name = "refused.ctm" if lacking < 0.3 else f"h{len(words)}.ctm"
    (folder / "r.stm").write_text("\n".join(reference))
    (folder / name).write_text("\n".join(hypothesis))
    return ["score", "wer", "reference=r.stm", f"hypothesis={name}", "--format", "csv"]


def _without_tags(random: Random, folder: Path) -> list[str]:
    layout = PLAIN[random.choice(sorted(PLAIN))]
    lines = [layout.format(number=number, words=_words(random)) for number in range(random.randint(1, 9))]
    name = random.choice(("refused", "refused.txt", "refused.sgml"))
    (folder / name).write_text("\n".join(lines))
    (folder / "r.sgml").write_text(f"<DOC>\n{_words(random)}\n</DOC>\n")
    return ["score", "wer", "reference=r.sgml", f"hypothesis={name}", "--format", "csv"]


def _cased(random: Random, name: str) -> str:
    return random.choice((name, name.upper()))


def _words(random: Random) -> str:
    return " ".join(random.choice(WORDS) for _ in range(random.randint(1, 6)))


def faults_of_words(arguments: list[str], code: int, out: str) -> list[str]:
    """What is wrong with the outcome: words that vanished, or a hypothesis that should, or should not, be refused."""
    name = arguments[3].partition("=")[2]
    if code or name.startswith("refused"):
        return [] if code and name.startswith("refused") else [f"{name} ended with {code}"]
    rows = csv.DictReader(io.StringIO(out))
    counts = {row["component"]: float(row["value"]) for row in rows if row.get("slice", "{}") in ("", "{}")}
    scored = counts["correct"] + counts["substitutions"] + counts["insertions"]
    wanted = int(name[1:].removesuffix(".ctm"))
    return [] if scored == wanted else [f"{scored:g} of {wanted} words were scored"]
