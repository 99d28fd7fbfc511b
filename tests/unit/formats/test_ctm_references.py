"""CTM as references of term detection: the scores are those of the same words in RTTM."""

from pathlib import Path

from scorespec import score
from scorespec.examples import HERE


def test_references_in_ctm(tmp_path: Path) -> None:
    example = HERE / "sws2013"
    lines = [line.split() for line in (example / "references.rttm").read_text().splitlines()]
    words = [fields for fields in lines if fields[0] == "LEXEME"]
    ctm = tmp_path / "references.ctm"
    ctm.write_text("".join(f"{doc} {channel} {at} {dur} {word}\n" for _, doc, channel, at, dur, word, *_ in words))
    inputs = {"queries": example / "queries.xml", "audio": example / "audio.xml"}
    values = [
        score(
            "sws2013", references=each, detections=example / "detections" / "lattices.tsv", **inputs, metrics=["atwv"]
        )
        for each in (ctm, example / "references.rttm")
    ]
    assert values[0].scores.equals(values[1].scores)
