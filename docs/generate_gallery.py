"""Writes the pictures of docs/gallery.md to docs/pictures/figures/: figures of the corpora of the tests."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import scorespec

DATA = Path(__file__).parents[1] / "tests" / "data"
TERMS, DISCOVERY = DATA / "term_detection" / "medium_small", DATA / "term_discovery"
ENTITIES, ARTICULATION = DATA / "named_entities", DATA / "articulation"
FIGURES = {
    "sws2013": ("det", "twv_by_threshold", "queries"),
    "zerospeech2017": ("precision_recall", "cluster_sizes"),
    "speech_ne": ("confusion",),
    "articubench": ("subscores",),
}


def generate(folder: Path) -> None:
    """Write every picture into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for suite, names in FIGURES.items():
            results = Path(scratch, f"{suite}.duckdb")
            _score(suite, results, Path(scratch))
            for name in names:
                scorespec.open_results(results).plot(name).save(folder / f"{name}.svg")


def _score(suite: str, results: Path, scratch: Path) -> None:
    """Score the submissions of a suite, two where a comparison says something."""
    if suite == "sws2013":
        rounded = re.sub(r'(score="-?\d+)\.\d+', r"\1.0", (TERMS / "kwslist.xml").read_text("utf-8"))
        (scratch / "rounded.xml").write_text(rounded, encoding="utf-8")
        gold = {"queries": TERMS / "kwlist.xml", "audio": TERMS / "ecf.xml", "references": TERMS / "ref.rttm"}
        systems = {"base": {"detections": TERMS / "kwslist.xml"}, "rounded": {"detections": scratch / "rounded.xml"}}
    elif suite == "zerospeech2017":
        gold = {"phones": DISCOVERY / "alpha.phn", "words": DISCOVERY / "alpha.wrd"}
        systems = {name: {"fragments": DISCOVERY / f"alpha.{name}.class"} for name in ("jitter", "overlap")}
    elif suite == "speech_ne":
        gold = {"reference": ENTITIES / "noisy200.ref.sgml"}
        systems = {"recogniser": {"hypothesis": ENTITIES / "noisy200.hyp.sgml"}}
    else:
        files = {"tokens": "tokens", "labels": "labels", "baseline": "submission_baseline"}
        gold = {name: ARTICULATION / f"{file}.parquet" for name, file in files.items()}
        systems = {name: {"submission": ARTICULATION / f"submission_{name}.parquet"} for name in ("A", "B")}
    for name, submission in systems.items():
        scorespec.score(suite, output=results, name=name, confidence=95, **gold, **submission)


if __name__ == "__main__":
    generate(Path(__file__).parent / "pictures" / "figures")
