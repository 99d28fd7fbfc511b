"""Subtitles, and tiers of Praat and ELAN, which packages read that not everybody has installed."""

import re
from pathlib import Path
from typing import Any

import pytest

from scorespec import score
from scorespec.errors import InputError

VTT = """WEBVTT - talk

NOTE a remark

1
00:00.500 --> 00:01.500 align:start
<v Ann>this &amp; that</v>
<v Bob>yes <i>sir</i> {laughs}</v>

last
01:00:02.000 --> 01:00:03.250
<v Ann>a <00:00:02.500>b
"""
SRT = """1
00:00:00,500 --> 00:00:01,500
so {laughs} <i>yes</i> a < b

2
00:00:02,000 --> 00:00:03,250
no
"""


def textgrid(**tiers: list[tuple[float, float, str]]) -> str:
    text = f'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n9\n<exists>\n{len(tiers)}\n'
    for name, intervals in tiers.items():
        text += f'"IntervalTier"\n"{name}"\n0\n9\n{len(intervals)}\n'
        text += "".join(f'{begin}\n{end}\n"{label}"\n' for begin, end, label in intervals)
    return text


def eaf(**tiers: list[tuple[int, int, str]]) -> Any:
    pympi = pytest.importorskip("pympi")
    made = pympi.Elan.Eaf()
    made.remove_tier("default")
    for name, annotations in tiers.items():
        made.add_tier(name)
        for begin, end, label in annotations:
            made.add_annotation(name, begin, end, label)
    return made


def written(path: Path, content: Any) -> Path:
    path.parent.mkdir(exist_ok=True)
    content.to_file(str(path)) if hasattr(content, "to_file") else path.write_text(content)
    return path


def segments(path: str | Path, stm: Path) -> list[tuple[Any, ...]]:
    """The segments of a reference; its words are all deleted."""
    run = score(
        "wer",
        reference=path,
        hypothesis=stm,
        params={"missing": "deletions"},
        output=stm.parent / f"{Path(path).name}.duckdb",
    )
    found = run.sql(
        "SELECT segment_onset, segment_offset, speaker, string_agg(ref_words, ' ' ORDER BY ref_begin) "
        "FROM evidence_alignment WHERE document = 'a' GROUP BY ALL ORDER BY 1, 3"
    )
    return [tuple(row.values()) for row in found.to_pylist()]


@pytest.fixture
def nothing(tmp_path: Path) -> Path:
    """A hypothesis without words."""
    return written(tmp_path / "none.stm", "a 1 x 0 4000\n")


def test_subtitles_have_times_and_voices(tmp_path: Path, nothing: Path) -> None:
    pytest.importorskip("webvtt")
    assert segments(written(tmp_path / "vtt" / "a.vtt", VTT), nothing) == [
        (0.5, 1.5, "Ann", "THIS & THAT"),
        (0.5, 1.5, "Bob", "YES SIR {LAUGHS}"),
        (3602.0, 3603.25, "Ann", "A B"),
    ]
    assert segments(written(tmp_path / "srt" / "a.srt", SRT.replace("\n", "\r\n")), nothing) == [
        (0.5, 1.5, "", "SO {LAUGHS} YES A < B"),
        (2.0, 3.25, "", "NO"),
    ]


def test_voices_are_turns(tmp_path: Path) -> None:
    pytest.importorskip("webvtt")
    vtt = written(tmp_path / "a.vtt", VTT)
    turns = (("0.5", "1", "x"), ("0.5", "1", "y"), ("3602", "1.25", "x"))
    rttm = "".join(f"SPEAKER a 1 {begin} {dur} <NA> <NA> {who} <NA> <NA>\n" for begin, dur, who in turns)
    assert score("der_pyannote", reference=written(tmp_path / "a.rttm", rttm), hypothesis=vtt).value("der") == 0
    without = written(tmp_path / "b.vtt", "WEBVTT\n\n00:00.500 --> 00:01.500\nyes\n")
    with pytest.raises(InputError, match=r"b.vtt:1: a segment without a speaker: 'yes'"):
        score("der_pyannote", reference=without, hypothesis=vtt)


WORDS = [(0.0, 0.5, ""), (0.5, 1.0, "good"), (1.0, 1.5, "morning"), (2.0, 2.5, "yes")]
TURNS = [(0.5, 1.5, "good morning"), (2.0, 2.5, "yes")]


@pytest.mark.parametrize("suffix", ["TextGrid", "eaf"])
def test_a_tier_has_words_segments_turns_or_labels(tmp_path: Path, suffix: str) -> None:
    make, unit = (textgrid, 1) if suffix == "TextGrid" else (eaf, 1000)
    pytest.importorskip("praatio" if suffix == "TextGrid" else "pympi")

    def timed(tier: list[tuple[float, float, str]]) -> list[Any]:
        return [
            (type(unit)(begin * unit), type(unit)(end * unit), label) if unit > 1 else (begin, end, label)
            for begin, end, label in tier
        ]

    speakers = [(0.5, 1.5, "ann"), (2.0, 2.5, "bob")]
    path = written(tmp_path / f"a.{suffix}", make(words=timed(WORDS), turns=timed(TURNS), speakers=timed(speakers)))
    stm = written(tmp_path / "a.stm", "a 1 x 0.4 1.6 good morning\na 1 y 1.9 2.6 no\n")
    assert score("wer", reference=stm, hypothesis=f"{path}::(tier=words)").value("wer") == pytest.approx(1 / 3)
    assert score("wer", reference=f"{path}::(tier=turns)", hypothesis=stm).value("wer") == pytest.approx(1 / 3)
    der = score("der_pyannote", reference=f"{path}::(tier=speakers)", hypothesis=f"{path}::(tier=turns)")
    assert der.value("der") == 0
    with pytest.raises(
        InputError, match=rf"there are several tiers; write .*a.{suffix}::\(tier=NAME\).*: words, turns, sp"
    ):
        score("wer", reference=path, hypothesis=stm)
    with pytest.raises(InputError, match="0 tiers are named 'word'"):
        score("wer", reference=f"{path}::(tier=word)", hypothesis=stm)
    both = written(tmp_path / f"b.{suffix}", make(ann=timed(TURNS[:1]), bob=timed(TURNS[1:])))
    named = written(tmp_path / "b.stm", "b 1 x 0.5 1.5 good morning\nb 1 y 2.0 2.5 no\n")
    assert score("meeting", reference=f"{both}::(tier=*)", hypothesis=named).value("cpwer") == pytest.approx(1 / 3)


def test_a_textgrid_in_utf_16_has_phones(tmp_path: Path) -> None:
    pytest.importorskip("praatio")
    path = tmp_path / "a.TextGrid"
    path.write_text(textgrid(phones=[(0.0, 1e-05, ""), (1e-05, 0.5, "\u0259"), (0.5, 1.0, "t")]), encoding="utf-16")
    words = written(tmp_path / "a.wrd", "a 0.00001 1.0 et\n")
    found = score(
        "zerospeech2017",
        phones=f"{path}::(tier=phones)",
        words=words,
        fragments=written(tmp_path / "a.class", "Class 1\na 0.00001 1.0\n\n"),
        metrics=["coverage"],
    )
    assert found.value("coverage") == 1


def test_annotations_of_elan_without_text_are_turns_of_their_tier(tmp_path: Path) -> None:
    """Turns are often segmented before they are transcribed. The file says nothing of its schema, as some tools do."""
    made = written(tmp_path / "talk.eaf", eaf(x=[(200, 5400, "hello")], y=[(5400, 10_000, "")]))
    made.write_text(re.sub(r' xsi:noNamespaceSchemaLocation="[^"]*"', "", made.read_text()))
    rttm = "".join(
        f"SPEAKER talk 1 {begin} {dur} <NA> <NA> {who} <NA> <NA>\n"
        for begin, dur, who in ((0, 6, "ann"), (5, 5, "bob"), (11, 3, "ann"))
    )
    reference = written(tmp_path / "talk.rttm", rttm)
    der = score("der_pyannote", reference=reference, hypothesis=f"{made}::(tier=*)", metrics="der")
    assert der.value("der") == pytest.approx((0.2 + 0.6 + 0.4 + 3) / 14)
    stm = written(tmp_path / "talk.stm", "talk 1 x 0 5 hello\n")
    assert score("wer", reference=f"{made}::(tier=*)", hypothesis=stm).value("wer", "words") == 1
    with pytest.raises(InputError, match=r"a segment without a speaker: '', 5.400 to 10.000 s"):
        score("der_pyannote", reference=reference, hypothesis=f"{made}::(tier=y)")
    made.write_text(made.read_text().replace("</TIER>", "", 1))
    with pytest.raises(InputError, match=r"talk.eaf:1: no EAF file that pympi reads: Unable to parse"):
        score("der_pyannote", reference=reference, hypothesis=f"{made}::(tier=*)")
