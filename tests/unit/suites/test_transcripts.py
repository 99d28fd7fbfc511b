"""Files of transcripts: tagged SGML, CoNLL, TRN, STM, CTM, sclite's alignments; and what is refused in them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import scorespec
from marks import some
from scorespec.errors import InputError, Problems
from scorespec.formats import FORMATS
from scorespec.formats import format as text_blocks

TEXT, NUMBER, WHOLE = pa.string(), pa.float64(), pa.int64()
COLUMNS = {
    "document": TEXT,
    "segment": TEXT,
    "token": TEXT,
    "entity": WHOLE,
    "tag": TEXT,
    "speaker": TEXT,
    "segment_onset": NUMBER,
    "segment_offset": NUMBER,
    "onset": NUMBER,
    "duration": NUMBER,
    "channel": TEXT,
    "alternation": WHOLE,
    "branch": WHOLE,
    "number": WHOLE,
}


class Given:
    """Reads a text as a file of a format."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "given"

    def read(self, name: str, content: str, columns: Any = COLUMNS) -> tuple[list[dict[str, Any]], list[str]]:
        self.path.write_text(content, "utf-8")
        self.problems = problems = Problems("given")
        reader = FORMATS[name].read
        assert reader is not None
        batches = list(reader(self.path, columns, problems, [each for each in columns if each != "document"]))
        assert all(batch.schema.names == ["line", *columns] for batch in batches)
        return [row for batch in batches for row in batch.to_pylist()], [
            f"{p.line}: {p.message}" for p in problems.kept
        ]

    def tokens(self, name: str, content: str, *columns: str) -> list[tuple[Any, ...]]:
        rows, problems = self.read(name, content)
        assert not problems
        assert [row["number"] for row in rows] == list(range(1, len(rows) + 1))
        return [tuple(row[column] for column in columns) for row in rows]


@pytest.fixture(params=[9, text_blocks.BLOCK_BYTES])
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Given:
    monkeypatch.setattr(text_blocks, "BLOCK_BYTES", request.param)
    return Given(tmp_path)


def test_sgml(given: Given) -> None:
    rows = given.tokens(
        "sgml",
        '<DOC><DOCNO> d1 </DOCNO>\n<Segment ID=s S_time=0 E_time="1.5" speaker=ann>\n'
        'Said <ENAMEX type="person" ALT=x>Jo &amp; Co</ENAMEX>. [noise]\n</Segment>\n'
        "<Segment>\n</Segment>\n</DOC>\n<DOC>\n<p>x</p>\n</DOC>\n",
        *("line", "document", "segment", "token", "entity", "tag", "speaker", "segment_onset", "segment_offset"),
    )
    assert rows == [
        (3, "d1", "s", "Said", None, None, "ann", 0.0, 1.5),
        (3, "d1", "s", "Jo", 0, "ENAMEX PERSON", "ann", 0.0, 1.5),
        (3, "d1", "s", "&", 0, "ENAMEX PERSON", "ann", 0.0, 1.5),
        (3, "d1", "s", "Co.", 0, "ENAMEX PERSON", "ann", 0.0, 1.5),
        (5, "d1", "2", None, None, None, None, None, None),
        (9, "2", None, "x", 0, "P", None, None, None),
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("\"<P>Ann Lee</P>'s", [('"Ann', 0), ("Lee's", 0)]),
        ("<P>Ann</P>-<P>Lee</P>", [("Ann", 0), ("-", None), ("Lee", 1)]),
        ("pre<P>Ann</P>post", [("preAnnpost", 0)]),
        ("<P> Ann </P>", [("Ann", 0)]),
        ("<P></P> x", [(None, 0), ("x", None)]),
        ("pre<P></P>post", [("pre", None), (None, 0), ("post", None)]),
        ("a <!-- <P> --> b [[x y]] c {d / e}", [("a", None), ("b", None), ("c", None)]),
        ("<NG>the <!-- \nmore --> man</NG>", [("the", 0), ("man", 0)]),
        ("a<Sync Time=3>b", [("a", None), ("b", None)]),
        ("a&nbsp;b\u3000c\u00a0d\x1ce", [("a\u00a0b\u3000c\u00a0d\x1ce", None)]),
        ("a&#32;b&#9;c\x0bd\fe", [(each, None) for each in "abcde"]),
        ("<P>a</P>&lt;b <O ALT='&#10;'>c</O> &no; &", [("a<b", 0), ("c", 1), ("&no;", None), ("&", None)]),
        ("<P>é</P><!-- --><P>é</P>", [("é", 0), ("é", 1)]),
    ],
)
def test_tags_belong_to_words(given: Given, line: str, words: list[tuple[str | None, int | None]]) -> None:
    assert given.tokens("sgml", f"{line}\n</DOC>\n", "token", "entity") == words


@pytest.mark.parametrize(("name", "utterance"), [("lines", ""), ("kaldi", "ann-1 ")])
def test_lines_have_the_signs_of_nist_if_asked_for(tmp_path: Path, name: str, utterance: str) -> None:
    for text, line in (("r", "the { giants / big @ } won;x @"), ("h", "the giants won")):
        (tmp_path / text).write_text(f"{utterance}{line}\n")
    inputs = {"reference": f"{tmp_path}/r::{name}(marks=nist)", "hypothesis": f"{tmp_path}/h::{name}"}
    assert scorespec.score("wer", **inputs).value("wer") == 0
    assert scorespec.score("wer", **inputs | {"reference": f"{tmp_path}/r::{name}"}).value("wer", "words") == 9
    with pytest.raises(InputError, match="unknown marks 'n'; leave out marks=n or write marks=nist"):
        scorespec.score("wer", **inputs | {"reference": f"{tmp_path}/r::{name}(marks=n)"})


def test_tags_divide_texts_without_blanks(given: Given) -> None:
    text = "昨天<P>王小明</P>去了 a<P>b</P>。<O>超市</O>\n</DOC>\n"
    rows, problems = given.read("sgml", text, {**COLUMNS, "attached": pa.bool_()})
    assert not problems
    assert [(row["token"], row["entity"], row["attached"]) for row in rows] == [
        ("昨天", None, False),
        ("王小明", 0, True),
        ("去了", None, True),
        ("ab。", 1, False),
        ("超市", 2, True),
    ]
    rows, problems = given.read("sgml", text.replace("a<P>b</P>。", ""))
    assert [row["token"] for row in rows] == ["昨天王小明去了", "超市"]  # as in meetings


def test_a_line_end_that_is_written_out_ends_no_line(given: Given) -> None:
    assert given.tokens("sgml", "a&#10;b\n<!--\n-->c\n</DOC>", "line", "token") == [(1, "a"), (1, "b"), (3, "c")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<P>a <O>b</O></P>", "1: <O> inside <P> of line 1: entities may not nest"),
        ("a</P>", "1: </P> closes nothing: there is no <P> before it"),
        ("<P>a</O>", "1: </O> does not close <P> of line 1"),
        ("<P>a", "1: <P> is not closed before the file ends (line 1); close it with </P>"),
        (
            "<Segment>\n<P>a\n</Segment>",
            "2: <P> is not closed before the segment ends (line 3); close it with </P>",
        ),
        ("<P>a</P>,<P>b</P>", "1: two entities in the word 'a,b'; separate them with a blank"),
        ("a [b", "1: '[' without its counterpart on the line: 'a [b'"),
        ("a <P", "1: a tag is not closed on its line: 'a <P'"),
        ("a <!-- b", "1: a comment is not closed: --> is missing"),
        (
            "<DOC>\n<DOCNO> d\n<Segment ID=s>\na",
            "3: the document's name is not closed before '<Segment ID=s>'; write </DOCNO>",
        ),
        (
            "<DOC><DOCNO>d</DOCNO>\n</DOC>\n<DOC><DOCNO>d</DOCNO>\n</DOC>",
            "3: document d is repeated; it is already at line 1",
        ),
        (
            "<Segment ID=s>\na\n</Segment>\n<Segment ID=s>\nb\n</Segment>",
            "4: segment s of document 1 is repeated; it is already at line 1",
        ),
        ("<3>", "1: not a tag: '<3>'"),
        ("u1 a <NOISE> b\nu2 c", "1: no closing tag, such as </DOC>, so this is not SGML"),
        ("<Segment E_time=inf>\na\n</Segment>", "1: E_time is inf; it must be a finite number"),
        ("<Segment S_time=x>\na\n</Segment>", "1: S_time is not a number: 'x'"),
    ],
)
def test_sgml_that_is_refused(given: Given, content: str, said: str) -> None:
    assert any(each.startswith(said) for each in given.read("sgml", content + "\n")[1])


@pytest.mark.parametrize(
    ("content", "looks"),
    [
        ("a b (s-1)\n\n(s-2)\n", "trn ('words (utterance)'): read it as {path}::trn"),
        ("f A s 0 1.5 a b\nf A s 2 3\n", "stm ('document channel speaker begin end words'): read it as {path}::stm"),
        ("f A 0 1.5 a\nf A 2 .5 b 0.9\n", "ctm ('document channel onset duration word'): read it as {path}::ctm"),
        (
            "s-1 a b\ns-2\n",
            "the text of Kaldi ('utterance words'): read it as {path}::kaldi",
        ),
        (
            "a b\nc <NOISE>\n",
            "plain lines, which are paired by their numbers: read it as {path}::lines",
        ),
    ],
)
def test_text_without_tags_is_not_sgml(tmp_path: Path, content: str, looks: str) -> None:
    path = tmp_path / "given.sgml"
    path.write_text(content)
    fault = f"{path}:1: no closing tag, such as </DOC>, so this is not SGML; it looks like {looks.format(path=path)}"
    with pytest.raises(InputError) as caught:
        scorespec.score("wer", reference=path, hypothesis=path)
    assert fault in str(caught.value)
    problems = scorespec.validate("wer", reference=path, hypothesis=path).problems
    assert [f"{each.file}:{each.line}: {each.message}" for each in problems] == [fault] * 2

    unknown = tmp_path / "given.txt"
    unknown.write_text(content)
    run = scorespec.score(
        "wer", reference=unknown, hypothesis=path.rename(tmp_path / f"given.{looks[-7:].split(':')[-1]}")
    )
    assert run.value("wer") == 0
    assert any(f"{unknown}: read as {looks.split(':')[-1]}: {looks.split(':')[0]}" in each for each in run.warnings)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (
            "h.trn",
            "s-1 a b\ns-2 c\n",
            "read as trn, but it looks like the text of Kaldi ('utterance words'): write {}::kaldi",
        ),
        (
            "h.trn",
            "s-1 A 0 1 a\n",
            "read as trn, but it looks like ctm ('document channel onset duration word'): write {}::ctm",
        ),
        (
            "h.trn",
            "a b\na c\n",
            "read as trn, but it looks like plain lines, which are paired by their numbers: write {}::lines",
        ),
        (
            "h.trn",
            "<DOC>a\n</DOC>\n",
            "read as trn, but it looks like sgml (words with tags such as <DOC>): write {}::sgml",
        ),
        ("h.stm", "a b (s-1)\n", "read as stm, but it looks like trn ('words (utterance)'): write {}::trn"),
        ("h.ctm", "a b (s-1)\n", "read as ctm, but it looks like trn ('words (utterance)'): write {}::trn"),
        (
            "h.kaldi",
            "a b (s-1)\nc (s-2)\n",
            "read as kaldi, but it looks like trn ('words (utterance)'): write {}::trn",
        ),
        (
            "h.kaldi",
            ";; x\ns-1 A 0 1 a\ns-1 A 1 1 b\n",
            "read as kaldi, but it looks like ctm ('document channel onset duration word'): write {}::ctm",
        ),
        (
            "h.lines",
            "a b (s-1)\nc (s-2)\n",
            "read as lines, but it looks like trn ('words (utterance)'): write {}::trn",
        ),
        ("h.trn", "a b (s-1)\nc\n", None),
        ("h.trn", "a b (x-1)\n", None),
        ("h.kaldi", "a b\n", None),
        ("h.lines", "", None),
    ],
)
def test_a_text_in_another_format_is_recognised(tmp_path: Path, name: str, content: str, said: str | None) -> None:
    reference, hypothesis = tmp_path / "ref.trn", tmp_path / name
    reference.write_text("a b (s-1)\nc (s-2)\n")
    hypothesis.write_text(content)
    with pytest.raises(InputError) as caught:
        scorespec.score("wer", reference=reference, hypothesis=hypothesis)
    looks = [each for each in str(caught.value).splitlines() if "looks like" in each]
    assert looks == ([f"{hypothesis}: {said.format(f'hypothesis={hypothesis}')}"] if said else [])


def test_files_in_another_format_are_recognised_together(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.trn").write_text(f"{name}-1 a b\n")
    with pytest.raises(InputError) as caught:
        scorespec.score("wer", reference=f"{tmp_path}/*.trn", hypothesis=f"{tmp_path}/*.trn")
    assert str(caught.value).splitlines()[:2] == [
        f"{tmp_path}/*.trn: read as trn, but it looks like the text of Kaldi ('utterance words'): "
        f"write reference={tmp_path}/*.trn::kaldi",
        f"{tmp_path}/a.trn:1: the line does not end with the name of its utterance in parentheses: 'a-1 a b'",
    ]


def test_documents_that_only_one_text_has(tmp_path: Path) -> None:
    reference, hypothesis = tmp_path / "ref.trn", tmp_path / "hyp.trn"
    reference.write_text("a (r1-1)\nb (r2-1)\n")
    hypothesis.write_text("".join(f"a (h{at}-1)\n" for at in (9, 2, 3, 4)))
    with pytest.raises(InputError) as caught:
        scorespec.score("wer", reference=reference, hypothesis=hypothesis)
    rest = "is not in the hypothesis, which has h9, h2, h3, …; with missing=deletions, its words count as deletions"
    assert str(caught.value).splitlines()[:3] == [
        f"{reference}:1: document r1 {rest}",
        f"{reference}:2: document r2 {rest}",
        f"{hypothesis}:1: document h9 is not in the reference; extra=ignore leaves it out",
    ]


def test_conll(given: Given) -> None:
    rows = given.tokens(
        "conll",
        "-DOCSTART- O\n\nJo B-PER\nLee I-PER\nof O\nRome I-LOC\nAcme B-ORG\nInc I-PER\n\nAnn S-PER\nX B-ORG\nY E-ORG\n"
        "Z I-ORG\n-DOCSTART- -X- O\n\nHi O\n",
        *("document", "segment", "token", "entity", "tag"),
    )
    assert rows == [
        ("1", "1", "Jo", 0, "PER"),
        ("1", "1", "Lee", 0, "PER"),
        ("1", "1", "of", None, None),
        ("1", "1", "Rome", 1, "LOC"),
        ("1", "1", "Acme", 2, "ORG"),
        ("1", "1", "Inc", 3, "PER"),
        ("1", "2", "Ann", 4, "PER"),
        ("1", "2", "X", 5, "ORG"),
        ("1", "2", "Y", 5, "ORG"),
        ("1", "2", "Z", 6, "ORG"),
        ("2", "1", "Hi", None, None),
    ]
    assert given.read("conll", "a\nb X\n")[1] == [
        "1: no tag after the token 'a'",
        "2: 'X' is no tag; expected O, or B-, I-, E- or S- and a type",
    ]


def test_the_text_of_kaldi(given: Given) -> None:
    """An utterance without words has a row, and braces are words like any other."""
    columns = ("document", "segment", "speaker", "token")
    assert given.tokens("kaldi", "ann-1 the { cat }\n\nbob_2\n;;c d\n", *columns) == [
        *(("ann", "ann-1", None, word) for word in ("the", "{", "cat", "}")),
        ("bob", "bob_2", None, None),
        (";;c", ";;c", None, "d"),
    ]
    assert given.read("kaldi", "a-1 b\na-1 c\n")[1] == ["2: utterance a-1 is repeated; it is already at line 1"]


def test_plain_lines(given: Given) -> None:
    """Each line is a segment, also a line without words."""
    assert given.tokens("lines", "a b\n\n;; c\n", "document", "segment", "speaker", "token") == [
        ("text", "1", None, "a"),
        ("text", "1", None, "b"),
        ("text", "2", None, None),
        ("text", "3", None, ";;"),
        ("text", "3", None, "c"),
    ]


def test_trn(given: Given) -> None:
    columns = ("document", "segment", "speaker", "token", "alternation", "branch")
    assert given.tokens("trn", ";; no\na { b / @ } (s1-2)\n(s2)\n", *columns) == [
        ("s1", "s1-2", "s1", "a", None, None),
        ("s1", "s1-2", "s1", "b", 0, 0),
        ("s1", "s1-2", "s1", None, 0, 1),
        ("s2", "s2", "s2", None, None, None),
    ]
    assert given.read("trn", "a b\n{ a (x)\na } (y)\n{ { a } (z)\n")[1] == [
        "1: the line does not end with the name of its utterance in parentheses: 'a b'",
        "2: '{' without its counterpart on the line",
        "3: '}' without its counterpart",
        "4: '{' without its counterpart on the line",
    ]


@pytest.mark.parametrize(
    ("text", "branches"),
    [
        ("{a/b c}", ["a", "b c"]),
        ("{ a / { b / c d } e }", ["a", "b e", "c d e"]),
        ("{{a / @} b {c/d}}", ["a b c", "a b d", "@ b c", "@ b d"]),
        ("{ a;tag / b\\;c;;tag }", ["a", "b;c"]),
    ],
)
def test_alternatives_inside_of_alternatives(given: Given, text: str, branches: list[str]) -> None:
    rows = given.tokens("trn", f"x/y {text}z (s-1)\n", "token", "alternation", "branch")
    assert rows == [
        ("x/y", None, None),
        *(
            (None if word == "@" else word, 0, branch)
            for branch, words in enumerate(branches)
            for word in words.split()
        ),
        ("z", None, None),
    ]


def test_too_many_alternatives(given: Given) -> None:
    said = "1: more than 100 alternatives, with those inside of others multiplied out"
    assert given.read("trn", "{ " + "{ a / b } " * 7 + "} (s-1)\n")[1] == [said]
    assert not given.read("trn", "{ " + " / ".join("a" * 500) + " } (s-1)\n")[1]


PLAIN = {name: type for name, type in COLUMNS.items() if name not in ("alternation", "branch")}


def test_signs_are_words_in_a_table_without_alternations(given: Given) -> None:
    stm = "f A ann 0 1 <o,f0,male> <unk> a;b @ { c / d }\nf A ann 1 2 <unk> e\n"
    said = [(row["segment"], row["token"]) for row in given.read("stm", stm, PLAIN)[0]]
    assert said == [
        *(("1", word) for word in ["<unk>", "a;b", "@", "{", "c", "/", "d", "}"]),
        ("2", "<unk>"),
        ("2", "e"),
    ]
    assert given.problems.omitted == []
    said = [(row["segment"], row["token"]) for row in given.read("stm", stm)[0]]
    assert said == [("1", "<unk>"), ("1", "a"), ("1", None), ("1", "c"), ("1", "d"), ("2", "e")]
    ctm = "f A 0 1 a;b\nf A 1 1 @\n"
    assert [row["token"] for row in given.read("ctm", ctm, PLAIN)[0]] == ["a;b", "@"]
    assert [row["token"] for row in given.read("ctm", ctm)[0]] == ["a", None]


def test_braces_without_a_slash_are_words(given: Given) -> None:
    rows, problems = given.read("trn", "{wmrhm bynhm} { a } {lmbAd} {b/c} (s-1)\n")
    assert [(row["token"], row["branch"]) for row in rows] == [
        ("{wmrhm", None), ("bynhm}", None), ("a", None), ("{lmbAd}", None), ("b", 0), ("c", 1)
    ]  # fmt: skip
    assert not problems
    assert given.problems.omitted == [
        "3 groups of words in braces without a slash, which are no alternatives, read as words, the first at line 1"
    ]


def test_labels_that_only_some_lines_have(given: Given) -> None:
    given.read("stm", "f A s 0 1 <o> a\nf A s 1 2 b\nf A s 2 3 c\n")
    assert given.problems.omitted == [
        "2 lines without a label, unlike 1 with one (<…> before the words), read as words, the first at line 2"
    ]
    given.read("stm", "f A s 0 1 <o> a\nf A s 1 2 <o> b\nf A s 2 3\n")
    assert given.problems.omitted == []


def test_a_segment_with_words_of_several_speakers_is_refused() -> None:
    words = {"document": ["d", "d"], "segment": ["s", "s"], "token": ["a", "b"]}
    reference = pa.table({**words, "speaker": ["ann", "bob"]})
    said = r"segment s of document d has words of several speakers \(ann, bob\)"
    with pytest.raises(InputError, match=said):
        scorespec.score("wer", reference=reference, hypothesis=pa.table(words))


@pytest.mark.parametrize(("suite", "counted"), [("wer", "words"), ("cer", "characters")])
def test_a_slice_without_words_of_the_reference_is_named(tmp_path: Path, suite: str, counted: str) -> None:
    for side, silent in (("reference", ""), ("hypothesis", " x")):
        (tmp_path / f"{side}.stm").write_text(f"d 1 ann 0 1{silent}\nd 1 bob 1 2 x\n")
    sides = {side: tmp_path / f"{side}.stm" for side in ("reference", "hypothesis")}
    rows = scorespec.score(suite, **sides, by=["speaker"]).table()
    assert {row["note"] for row in rows if row["value"] is None} == {f"undefined: the reference has no {counted}"}


def test_stm_and_ctm(given: Given) -> None:
    columns = ("document", "channel", "segment", "speaker", "segment_onset", "segment_offset", "token")
    assert given.tokens("stm", ";; no\nf A ann 0 1.5 <o,f0> a b\nf B bob 1e-05 +2\n", *columns) == [
        ("f", "A", "1", "ann", 0.0, 1.5, "a"),
        ("f", "A", "1", "ann", 0.0, 1.5, "b"),
        ("f", "B", "2", "bob", 0.00001, 2.0, None),
    ]
    assert given.read("stm", "f A ann 0\nf A ann x 1 a\nf A ann 0 nan a\n")[1] == [
        "1: expected document channel speaker begin end and words: 'f A ann 0'",
        "2: begin is not a number: 'x'",
        "3: end is nan; it must be a finite number",
    ]
    columns = ("document", "channel", "onset", "duration", "token", "alternation", "branch")
    rows, problems = given.read(
        "ctm",
        ";; no\nf A 0 1 a 0.9\nf A * * <ALT_BEGIN>\nf A 1 1 b\nf A * * <ALT>\nf A 1 1 c\n"
        "f A * * <ALT_END>\nf A 2 1 d\n",
    )
    assert not problems
    assert [tuple(row[column] for column in columns) for row in rows] == [
        ("f", "A", 0.0, 1.0, "a", None, None),
        ("f", "A", 1.0, 1.0, "b", 1, 0),
        ("f", "A", 1.0, 1.0, "c", 1, 1),
        ("f", "A", 2.0, 1.0, "d", None, None),
    ]
    said = given.read("ctm", "f A 0 1\nf A * * <ALT>\nf A * * <ALT_BEGIN>\n")[1]
    assert said[0] == "1: no word: expected document channel onset duration token, found 4 columns: 'f A 0 1'"
    assert said[1:] == ["2: <ALT> outside of alternatives", "3: <ALT_BEGIN> without <ALT_END>"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("trn", "a { b / } (s-1)\n", "1: an alternative without words; write @ for no word"),
        ("trn", "a { } (s-1)\n", "1: an alternative without words; write @ for no word"),
        ("stm", "f A s 0 1 { / b }\n", "1: an alternative without words; write @ for no word"),
        ("trn", "a (s-1)\nb (s-1)\n", "2: utterance s-1 is repeated; it is already at line 1"),
        (
            "ctm",
            "f A 0 1 <ALT_BEGIN>\nf A 0 1 a\nf A 0 1 <ALT>\nf A 0 1 <ALT_END>\n",
            "4: an alternative without words before <ALT_END>; write @ for no word",
        ),
        ("ctm", "f A 0 1 <ALT>\n", "1: <ALT> outside of alternatives"),
    ],
)
def test_utterances_that_are_refused(given: Given, name: str, content: str, said: str) -> None:
    assert given.read(name, content)[1] == [said]


def test_marks_of_words_are_passed_over(given: Given) -> None:
    rows, problems = given.read("ctm", ";; remark\nf A 0 1 one;x;y 0.9\nf A 1 1 a\\;b;z\nf A 2 1 ;\n")
    assert not problems
    assert [row["token"] for row in rows] == ["one", "a;b", ";"]
    for layout in ("{} (s-1)\n", "f A ann 0 1 <o> {}\n"):
        rows, problems = given.read("trn" if "(" in layout else "stm", layout.format("one;x;y a\\;b;z ; (c;x)"))
        assert not problems
        assert [row["token"] for row in rows] == ["one", "a;b", ";", "(c"]


def test_sclite_s_alignments(given: Given) -> None:
    columns = {name: TEXT if name in ("document", "segment") or "word" in name else WHOLE for name in (
        "document", "segment", "ref_begin", "ref_end", "hyp_begin", "hyp_end", "ref_word", "hyp_word")}  # fmt: skip
    path = '<SYSTEM title="x">\n<SPEAKER id="s">\n<PATH id="(s-1)" sequence="0">\n{}\n</PATH>\n</SPEAKER>\n'
    rows, problems = given.read("sclite", path.format('C,"a","a":D,"b:c",:I,,"d"'), columns)
    assert not problems
    assert [tuple(row.values())[1:] for row in rows] == [
        (None, "s-1", 0, 1, 0, 1, "a", "a"),
        (None, "s-1", 1, 2, 1, 1, "b:c", None),
        (None, "s-1", 2, 2, 1, 2, None, "d"),
    ]
    rows, _ = given.read(
        "sclite", 2 * path.replace("sequence", 'file="f" channel="a" sequence').format('C,"a","a",0+1'), columns
    )
    assert [(row["document"], row["segment"], row["ref_begin"]) for row in rows] == [("f", None, 0), ("f", None, 1)]
    assert given.read("sclite", path.format("C,a,a") + "junk\n", columns)[1] == [
        '4: not a step such as C,"word","word": \'C,a,a\'',
    ]
    assert given.problems.omitted == ["1 line outside of a <PATH> left out, at line 7"]
    assert given.read("sclite", "junk\n", columns)[1] == [
        "None: not a file that sclite writes with -o sgml: it has no <PATH>"
    ]


def test_a_pronouncing_dictionary(given: Given) -> None:
    columns = {"word": TEXT, "phones": TEXT}
    rows, problems = given.read("cmudict", ";;; no\na AH0\na(2) EY1 # no\nb\n", columns)
    assert [tuple(row.values()) for row in rows] == [(2, "a", "AH0"), (3, "a", "EY1"), (4, "b", "")]
    assert problems == ["4: no phones after the word 'b'"]


# -- what scoring refuses ----------------------------------------------------------------------------

REFERENCE = "<DOC><DOCNO>d</DOCNO>\n<Segment ID=s S_time=0 E_time=2>\n<P>Ann</P> spoke\n</Segment>\n</DOC>\n"
HYPOTHESIS = "<DOC><DOCNO>d</DOCNO>\n<Segment ID=s>\n<P>Ann</P> spoke\n</Segment>\n</DOC>\n"


def refused(tmp_path: Path, suite: str = "wer", **files: str) -> list[str]:
    named = {"reference": REFERENCE, "hypothesis": HYPOTHESIS} | files
    paths = {}
    for name, content in named.items():
        suffix = {"times": "ctm", "alignment": "csv"}.get(name, "sgml")
        paths[name] = tmp_path / f"{name}.{suffix}"
        paths[name].write_text(content, "utf-8")
    with pytest.raises(scorespec.InputError) as caught:
        scorespec.score(suite, **paths)  # type: ignore[arg-type]
    return str(caught.value).replace(f"{tmp_path}/", "").splitlines()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"reference": REFERENCE.replace("P>", "Q>"), "suite": "speech_ne"},
            "reference.sgml:3: unknown tag Q; add it to the parameter tags, as Q=TYPE; tags=[*] takes all tags",
        ),
        (
            {"hypothesis": HYPOTHESIS.replace("ID=s", "ID=t")},
            "hypothesis.sgml:3: segment t of document d is not in the reference; extra=ignore leaves it out",
        ),
        (
            {"hypothesis": HYPOTHESIS.replace(">d<", ">e<")},
            "hypothesis.sgml:3: document e is not in the reference; extra=ignore leaves it out",
        ),
        (
            {"hypothesis": "<DOC><DOCNO>d</DOCNO>\nAnn spoke\n</DOC>\n"},
            "hypothesis.sgml:2: document d is read without segments, but in the reference it has segments; give the "
            "times of the words in both texts, or read the segments of JSON (::whisper_segments or ::service_segments)"
            ", or set align_within=document to align it as a whole",
        ),
        (
            {"times": "d A 0 1 Ann\nd A 1 1 spoken\n"},
            "hypothesis.sgml:3: word 1 of document d is SPOKE here and SPOKEN at line 2 in times; both must have the "
            "same words",
        ),
        (
            {"reference": REFERENCE.replace("E_time=2", "E_time=-1")},
            "reference.sgml:3: segment s ends at -1.0, before it begins at 0.0",
        ),
        (
            {
                "reference": REFERENCE.replace("</DOC>", "<Segment ID=t S_time=-1 E_time=3>\nx\n</Segment></DOC>"),
                "hypothesis": HYPOTHESIS.replace("</DOC>", "<Segment ID=t>\nx\n</Segment></DOC>"),
            },
            "reference.sgml:6: times run backwards: segment t begins at -1.0, before a segment above it; sort "
            "the segments by time",
        ),
        (
            {"alignment": "segment,ref_begin,ref_end,hyp_begin,hyp_end\ns,0,1,0,1\n"},
            "alignment.csv:2: the last block ends at ref_end 1, and there are 2 words",
        ),
        (
            {"alignment": "segment,ref_begin,ref_end,hyp_begin,hyp_end\ns,0,1,0,1\ns,1,2,0,2\n"},
            "alignment.csv:3: hyp_begin is 0, and the block before it ends at 1",
        ),
        (
            {"alignment": "document,ref_begin,ref_end,hyp_begin,hyp_end\nx,0,1,0,1\n"},
            "alignment.csv:2: document x is not in the reference",
        ),
    ],
)
def test_what_cannot_be_scored_is_told_with_its_line(tmp_path: Path, files: dict[str, str], said: str) -> None:
    assert said in refused(tmp_path, **files)


def test_an_entity_without_words_is_left_out_with_a_warning(tmp_path: Path) -> None:
    for name, content in (("r.sgml", REFERENCE.replace("spoke", "spoke <O>...</O>")), ("h.sgml", HYPOTHESIS)):
        (tmp_path / name).write_text(content, "utf-8")
    run = scorespec.score("speech_ne", reference=tmp_path / "r.sgml", hypothesis=tmp_path / "h.sgml")
    assert "entities of the reference that have no words and are left out: 1" in run.warnings
    assert run.value("entities", "recall") == 1


def test_words_of_a_recogniser_go_to_the_segment_that_has_not_ended(tmp_path: Path) -> None:
    (tmp_path / "r.stm").write_text("f A s 0 2 a\nf A s 2 4 b\nf A s 4 5 IGNORE_TIME_SEGMENT_IN_SCORING\nf A s 6 7 c\n")
    heard = "f A 0 1 a\nf A 1.5 1 b\nf A 4 0.5 x\nf A 6 9 c\nf A 9 9 d\n"  # the middle of b is at 2
    (tmp_path / "h.ctm").write_text(heard)
    run = scorespec.score("wer", reference=tmp_path / "r.stm", hypothesis=tmp_path / "h.ctm")
    assert placed(run) == [("1", "A", "A"), ("2", "B", "B"), ("4", "C", "C"), ("4", None, "D")]
    assert run.warnings == [
        "1 of 4 segments are not scored, because they have the token of the parameter ignored_text; hypothesis words "
        "during these segments are left out",
        OUTSIDE.format(2),
    ]


OUTSIDE = (
    "hypothesis words that were recognised outside of all segments: {}; as in sclite, each is scored in the next "
    "segment of its channel or, after the end, in the last"
)


def placed(run: scorespec.Run) -> list[tuple[str | None, ...]]:
    rows = run.sql("SELECT segment, ref_words, hyp_words FROM evidence_alignment ORDER BY document, block").to_pylist()
    return [tuple(row.values()) for row in rows]


def heard(folder: Path, reference: str, hypothesis: str, **more: Any) -> scorespec.Run:
    (folder / "r.stm").write_text(reference)
    (folder / "h.ctm").write_text(hypothesis)
    return scorespec.score("wer", reference=folder / "r.stm", hypothesis=folder / "h.ctm", **more)


CHANNELS = "rec a s1 0 5 a b c\nrec B s2 0 5 x y z\n"
RECOGNISED = "rec A .1 .2 a\nrec A 1 .2 b\nrec A 2 .2 c\nrec b .1 .2 x\nrec b 1 .2 y\n"


@pytest.mark.parametrize("case", ["fold", "keep"])
def test_the_case_of_channels_is_ignored(tmp_path: Path, case: str) -> None:
    run = heard(tmp_path, CHANNELS, RECOGNISED, params={"case": case})
    counts = [run.value("wer", each) for each in ("correct", "substitutions", "deletions", "insertions")]
    assert counts == [5, 0, 1, 0]
    assert run.warnings == []


@pytest.mark.parametrize(
    ("hypothesis", "said"),
    [
        (
            "rec A 1 .2 b\nrec c .1 .2 x\nrec c 1 .2 y\nrec d 1 .2 y\n",
            "channel c is not in the reference of document rec (2 words)",
        ),
        (
            "REC A 1 .2 b\n",
            "document REC is not in the reference, but rec is; write the name in the same case, or set name_case=fold",
        ),
    ],
)
def test_words_that_no_segment_takes_are_refused(tmp_path: Path, hypothesis: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        heard(tmp_path, CHANNELS, hypothesis)
    line = 2 if "channel" in said else 1
    assert f"{tmp_path / 'h.ctm'}:{line}: {said}" in str(caught.value)


def test_a_recording_that_the_hypothesis_lacks(tmp_path: Path) -> None:
    reference = f"{CHANNELS}other A s3 0 5 d e\n"
    with pytest.raises(InputError) as caught:
        heard(tmp_path, reference, RECOGNISED)
    said = "document other is not in the hypothesis; with missing=deletions, its words count as deletions"
    assert str(caught.value) == f"{tmp_path}/r.stm:3: {said}"
    run = heard(tmp_path, reference, RECOGNISED, params={"missing": "deletions"})
    assert [run.value("wer", each) for each in ("words", "correct", "deletions")] == [8, 5, 3]
    assert run.warnings == [
        "documents and segments of the reference that the hypothesis lacks, so that their words count as deletions "
        "(missing=deletions): 1"
    ]
    with pytest.raises(InputError, match="document more is not in the reference"):
        heard(tmp_path, CHANNELS, f"{RECOGNISED}more A 0 1 a\n", params={"missing": "deletions"})


def test_names_whose_case_differs(tmp_path: Path) -> None:
    hypothesis = RECOGNISED.replace("rec", "REC")
    assert heard(tmp_path, CHANNELS, hypothesis, params={"name_case": "fold"}).value("wer") == pytest.approx(1 / 6)
    (tmp_path / "t.ctm").write_text(hypothesis)
    (tmp_path / "h.sgml").write_text("<DOC><DOCNO>Rec</DOCNO>\na b c x y\n</DOC>\n")
    inputs = {name: tmp_path / file for name, file in (("hypothesis", "h.sgml"), ("times", "t.ctm"))}
    run = scorespec.score("wer", reference=tmp_path / "r.stm", params={"name_case": "fold"}, by="document", **inputs)
    assert run.value("wer", document="rec") == pytest.approx(1 / 6)


def test_alternatives_of_a_ctm_file_begin_at_one_time(tmp_path: Path) -> None:
    alternatives = (
        "rec A * * <ALT_BEGIN>\nrec A 2 .2 x\nrec A 2.2 .2 y\nrec A * * <ALT>\nrec A 2 .4 c\nrec A * * <ALT_END>\n"
    )
    hypothesis = RECOGNISED.replace("rec A 2 .2 c\n", alternatives)
    assert heard(tmp_path, CHANNELS, hypothesis).value("wer") == pytest.approx(1 / 6)
    warned = heard(tmp_path, CHANNELS, hypothesis.replace("2.2 .2 y", "1.2 .2 y")).warnings
    said = "times run backwards; the words are scored in the order of the file: rec (1 word of the hypothesis)"
    assert said in warned


def test_words_without_a_channel_or_a_time_are_refused() -> None:
    words = {"document": ["d", "d"], "token": ["a", "b"], "duration": [1.0, 1.0]}
    reference = pa.table({**words, "segment": ["1", "1"], "segment_onset": [0.0, 0.0], "segment_offset": [5.0, 5.0]})
    with pytest.raises(InputError, match=r"words without a time in document d \(1 word\)"):
        scorespec.score("wer", reference=reference, hypothesis=pa.table({**words, "onset": [1.0, None]}))
    heard = pa.table({**words, "onset": [1.0, 2.0]})
    one = reference.append_column("channel", [["A", "A"]])
    assert scorespec.score("wer", reference=one, hypothesis=heard).value("wer") == 0
    reference = one.drop_columns(["segment", "channel"])
    reference = reference.append_column("segment", [["1", "2"]]).append_column("channel", [["A", "B"]])
    with pytest.raises(InputError, match=r"words without a channel in document d \(2 words\)"):
        scorespec.score("wer", reference=reference, hypothesis=heard)


def test_the_input_times_gives_the_channels_of_words(tmp_path: Path) -> None:
    (tmp_path / "r.stm").write_text(CHANNELS)
    (tmp_path / "h.sgml").write_text("<DOC><DOCNO>rec</DOCNO>\na b c x y\n</DOC>\n")
    (tmp_path / "t.ctm").write_text(RECOGNISED)
    inputs = {
        name: tmp_path / file for name, file in (("reference", "r.stm"), ("hypothesis", "h.sgml"), ("times", "t.ctm"))
    }
    assert scorespec.score("wer", **inputs).value("wer") == pytest.approx(1 / 6)


def test_segments_of_another_channel_are_refused(tmp_path: Path) -> None:
    (tmp_path / "r.stm").write_text(CHANNELS)
    (tmp_path / "h.stm").write_text("rec b s2 0 5 x y z\nrec A s1 0 5 a b c\n")
    with pytest.raises(
        InputError, match=r"h\.stm:1: segment 1 of document rec is of channel b, but in the reference of another"
    ):
        scorespec.score("wer", reference=tmp_path / "r.stm", hypothesis=tmp_path / "h.stm")


def test_a_word_goes_to_the_first_of_overlapping_segments(tmp_path: Path) -> None:
    """As in sclite, which takes the words of a segment before it looks at the next segment."""
    reference = "f A s 0 6 a b\nf A t 1 4 c\nf A u 2 6 d\nf A v 7 8 e\n"
    run = heard(tmp_path, reference, "f A 1 1 a\nf A 3 1 b\nf A 6.2 .2 x\nf A 7 1 e\n")
    segments = [("1", "A", "A"), ("1", "B", "B"), ("2", "C", None), ("3", "D", None), ("4", None, "X"), ("4", "E", "E")]
    assert placed(run) == segments
    assert run.warnings == [OUTSIDE.format(1)]


ALTERNATIVES = "f A s 0 2 a { b / c }\nf A t 2 4 d { e / f }\n"


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        (
            ALTERNATIVES,
            "r.stm:1: document f has alternatives and several segments, but alternatives are chosen within a segment; "
            "set align_within=segment",
        ),
        (
            "f A s 0 2 a b\nf A t 2 4 IGNORE_TIME_SEGMENT_IN_SCORING\n",
            "r.stm:2: segment 2 of document f is not scored, but with align_within=document the hypothesis words "
            "during it are not known; set align_within=segment",
        ),
    ],
)
def test_what_needs_segments_is_refused_within_documents(tmp_path: Path, reference: str, said: str) -> None:
    (tmp_path / "r.stm").write_text(reference)
    (tmp_path / "h.ctm").write_text("f A 0 1 a\nf A 1 1 c\nf A 2 1 d\nf A 3 1 f\n")
    inputs = {"reference": tmp_path / "r.stm", "hypothesis": tmp_path / "h.ctm"}
    scorespec.score("wer", **inputs)
    with pytest.raises(scorespec.InputError) as caught:
        scorespec.score("wer", **inputs, params={"align_within": "document"})
    assert said in str(caught.value).replace(f"{tmp_path}/", "").splitlines()


def test_alternatives_of_a_document_that_is_one_segment(tmp_path: Path) -> None:
    (tmp_path / "r.stm").write_text(ALTERNATIVES.splitlines()[0] + "\n")
    (tmp_path / "h.ctm").write_text("f A 0 1 a\nf A 1 1 c\n")
    run = scorespec.score("wer", reference=tmp_path / "r.stm", hypothesis=tmp_path / "h.ctm", params={
        "align_within": "document"})  # fmt: skip
    assert run.value("wer") == 0


TWO = [
    {"document": "d", "segment": "s", "token": "a", "entity": 0, "tag": "P"},
    {"document": "d", "segment": "t", "token": "b", "entity": None, "tag": None},
]
HEARD = [
    {"document": "d", "segment": "s", "token": "a", "entity": 0, "tag": "L"},
    {"document": "d", "segment": "t", "token": "x", "entity": None, "tag": None},
    {"document": "d", "segment": "t", "token": "b", "entity": 1, "tag": "P"},
]


def test_a_spurious_entity_is_where_its_words_are_aligned_within_documents() -> None:
    inputs = {"reference": pa.Table.from_pylist(TWO), "hypothesis": pa.Table.from_pylist(HEARD)}
    run = scorespec.score("speech_ne", **inputs, params={"align_within": "document"})
    rows = run.sql("SELECT segment FROM evidence_entities WHERE outcome = 'spurious'").to_pylist()
    assert rows == [{"segment": "t"}]


@pytest.mark.parametrize(("segments", "of_inserted"), [(["s", "t", "t"], "t"), ([None, None, None], "s")])
def test_the_segment_of_a_word_that_was_put_in(segments: list[str | None], of_inserted: str) -> None:
    """That which the alignment names, or else that of the words before."""
    places = [(0, 1, 0, 1), (0, 0, 0, 1), (0, 1, 1, 2)] if segments[0] else [(0, 1, 0, 1), (1, 1, 1, 2), (1, 2, 2, 3)]
    names = ("ref_begin", "ref_end", "hyp_begin", "hyp_end")
    rows = [
        {"document": "d", "segment": segment} | dict(zip(names, place, strict=True))
        for segment, place in zip(segments, places, strict=True)
    ]
    tables = [pa.Table.from_pylist(each) for each in (TWO, HEARD, rows)]
    run = scorespec.score("wer", **dict(zip(("reference", "hypothesis", "alignment"), tables, strict=True)))
    found = run.sql("SELECT segment FROM evidence_alignment WHERE outcome = 'inserted'").to_pylist()
    assert found == [{"segment": of_inserted}]


def test_reasons_are_of_the_aspects_that_count() -> None:
    inputs = {"reference": pa.Table.from_pylist(TWO), "hypothesis": pa.Table.from_pylist(HEARD)}
    for aspects, reason in ((["type"], "type: LOCATION, not PERSON"), (["extent"], None)):
        run = scorespec.score("speech_ne", **inputs, params={"aspects": aspects})
        rows = run.sql("SELECT reason FROM evidence_entities WHERE outcome = 'mapped'").to_pylist()
        assert rows == [{"reason": reason}]


@pytest.mark.parametrize("case", ["fold", "keep"])
def test_sounds_do_not_depend_on_capitals(case: str) -> None:
    inputs = {
        side: pa.table({"document": ["d"] * len(tokens), "segment": ["s"] * len(tokens), "token": tokens})
        for side, tokens in (
            ("reference", ["Cuba", "from", "Ottawa"]),
            ("hypothesis", ["keep", "off", "a", "lot", "of"]),
        )
    }
    run = scorespec.score("wer", **inputs, params={"aligner": "phonetic", "case": case})
    rows = run.sql("SELECT lower(hyp_words) AS words FROM evidence_alignment ORDER BY block").to_pylist()
    assert [row["words"] for row in rows] == ["keep", "off a", "lot", "of"]


# -- what parts words --------------------------------------------------------------------------------

NOT_BLANK = "a\x1cb\x85c\u00a0d\u2003e\u3000f"
LAYOUTS = {
    "trn": "{} x (u)\n",
    "stm": "f A s 0 1 {} x\n",
    "kaldi": "u {} x\n",
    "lines": "{} x\n",
    "ctm": "f A 0 1 {}\nf A 1 1 x\n",
    "conll": "{} O\nx O\n",
    "sgml": "<DOC>{} x\n</DOC>\n",
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("more", ["", "é"])
def test_words_are_parted_by_ascii_blanks_only(given: Given, name: str, more: str) -> None:
    word = NOT_BLANK + more
    assert given.tokens(name, LAYOUTS[name].format(word).replace(" ", "\v\f\t"), "token") == [(word,), ("x",)]
    ascii_word = "a\x1cb\x1fc"
    assert given.tokens(name, LAYOUTS[name].format(ascii_word), "token") == [(ascii_word,), ("x",)]


def test_a_line_of_other_white_space_is_not_blank(given: Given) -> None:
    assert given.read("trn", "\u00a0\n \t\n")[1] == [
        "1: the line does not end with the name of its utterance in parentheses: '\\xa0'"
    ]


def test_phones_are_behind_any_ascii_blank(given: Given) -> None:
    rows, problems = given.read("cmudict", "a\tAH0\nb\u00a0c \tB  IY1\t\n", {"word": TEXT, "phones": TEXT})
    assert [tuple(row.values()) for row in rows] == [(1, "a", "AH0"), (2, "b\u00a0c", "B  IY1")]
    assert not problems


# -- names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("trn", "a b (*)\n", ["document", "segment", "speaker"]),
        ("stm", "* A s 0 1 a\n", ["document"]),
        ("ctm", "* A 0 1 a\n", []),
        ("sgml", "<Segment ID=*>\na b\n</Segment>\n", ["segment"]),
        ("sgml", "<ENAMEX TYPE=*>a b</ENAMEX>\n", ["tag"]),
    ],
)
def test_names_that_many_words_have_are_short(given: Given, name: str, content: str, said: list[str]) -> None:
    assert not given.read(name, content.replace("*", "x" * 900))[1]
    messages = given.read(name, content.replace("*", "x" * 1001))[1]
    assert [each.split(" has more than 1,000 bytes")[0].split(": ")[1] for each in messages] == said


def test_names_of_many_utterances(given: Given) -> None:
    lines = [f"a (u-{number})\n" for number in (1, 2, 3, 2, 4, 1)]
    assert given.read("trn", "".join(lines))[1] == [
        "4: utterance u-2 is repeated; it is already at line 2",
        "6: utterance u-1 is repeated; it is already at line 1",
    ]


def test_words_are_parted_as_bytes_are() -> None:
    """Whatever white space Unicode has: a line is split at ASCII's."""
    for code in some(each for each in range(0x3100) if chr(each).isspace() and chr(each) not in "\r\n"):
        line = f"a{chr(code)}b c"
        block = text_blocks.Block(f"{line}\n".encode(), 1, np.array([len(line.encode())]))
        assert block.split(line) == [word.decode() for word in line.encode().split()]


def test_the_alignment_has_times_and_speakers(tmp_path: Path) -> None:
    (tmp_path / "r.stm").write_text("d 1 anna 0.00 4.00 the giants won\nd 1 bert 4.00 8.00 yes\n")
    words = ["0.50 0.25 the", "1.00 0.50 giants", "4.25 0.25 oh", "4.50 0.25 yes"]
    (tmp_path / "h.ctm").write_text("".join(f"d 1 {word}\n" for word in words))
    run = scorespec.score("wer", reference=tmp_path / "r.stm", hypothesis=tmp_path / "h.ctm")
    found = run.sql(
        "SELECT ref_words, hyp_words, segment_onset, segment_offset, speaker, hyp_speaker, ref_onset, hyp_onset, "
        "hyp_offset FROM evidence_alignment ORDER BY block"
    )
    anna, bert = (0.0, 4.0, "anna", None, None), (4.0, 8.0, "bert", None, None)
    assert [tuple(row.values()) for row in found.to_pylist()] == [
        ("THE", "THE", *anna, 0.5, 0.75),
        ("GIANTS", "GIANTS", *anna, 1.0, 1.5),
        ("WON", None, *anna, None, None),
        (None, "OH", *bert, 4.25, 4.5),
        ("YES", "YES", *bert, 4.5, 4.75),
    ]


def test_a_block_has_the_times_of_its_words_and_both_speakers() -> None:
    segment = {"document": "d", "segment": "s"}
    said = [{"token": "a", "onset": 1.0, "duration": 0.5}, {"token": "b", "onset": 2.0, "duration": 0.25}]
    inputs = {
        "reference": pa.Table.from_pylist([{**segment, "speaker": "anna", **each} for each in said]),
        "hypothesis": pa.Table.from_pylist(
            [{**segment, "token": "ab", "speaker": "1", "onset": 1.25, "duration": 1.0}]
        ),
        "alignment": pa.Table.from_pylist([{**segment, "ref_begin": 0, "ref_end": 2, "hyp_begin": 0, "hyp_end": 1}]),
    }
    (row,) = scorespec.score("wer", inputs=inputs).sql("FROM evidence_alignment").to_pylist()
    assert (row["speaker"], row["hyp_speaker"], row["segment_onset"]) == ("anna", "1", None)
    assert (row["ref_onset"], row["ref_offset"], row["hyp_onset"], row["hyp_offset"]) == (1.0, 2.25, 1.25, 2.25)


@pytest.mark.parametrize("tagged", [True, False])
def test_words_have_regions_only_if_the_reference_tags_an_entity(tagged: bool) -> None:
    reference = pa.table(
        {
            "document": ["d", "d", "e"],
            "token": ["a", "b", "c"],
            "entity": pa.array([None, 0 if tagged else None, None], pa.int64()),
            "tag": pa.array([None, "ENAMEX PERSON" if tagged else None, None], pa.string()),
        }
    )
    hypothesis = pa.table({"document": ["d", "e"], "token": ["a", "c"]})
    run = scorespec.score("wer", reference=reference, hypothesis=hypothesis, by=["document"], confidence=95)
    found = [tuple(row.values()) for row in run["wer"].slices]
    whole = [(), ("d",), ("e",)]
    regions = [("inside",), ("outside",), ("d", "inside"), ("d", "outside"), ("e", "outside")]
    assert sorted(map(sorted, found)) == sorted(map(sorted, whole + regions if tagged else whole))
    assert run["wer"].value == 1 / 3


def test_what_only_the_hypothesis_has_is_left_out_with_a_warning(tmp_path: Path) -> None:
    for name, text in (("r.trn", "a b (d-1)\n"), ("h.trn", "a b (d-1)\nc (d-2)\nd (e-1)\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    inputs = {"reference": tmp_path / "r.trn", "hypothesis": tmp_path / "h.trn"}
    run = scorespec.score("wer", inputs=inputs, params={"extra": "ignore"})
    assert (run.value("wer"), run.value("wer", "words")) == (0, 2)
    said = "documents and segments of the hypothesis that the reference lacks, and that are left out (extra=ignore): 2"
    assert run.warnings == [said]


def test_a_document_too_many_is_refused_before_the_alignment(tmp_path: Path) -> None:
    """The run makes the steps that can refuse rows, and no others."""
    (tmp_path / "r.trn").write_text("a b (d-1)\n", encoding="utf-8")
    (tmp_path / "h.trn").write_text("a b (d-1)\nd (e-1)\n", encoding="utf-8")
    inputs = {"reference": tmp_path / "r.trn", "hypothesis": tmp_path / "h.trn"}
    begun: list[str] = []
    with pytest.raises(InputError, match=r"h\.trn:2: document e is not in the reference; extra=ignore leaves it out"):
        scorespec.score("wer", inputs=inputs, progress=lambda each: begun.append(getattr(each, "step", "")))
    assert "relation text_checks" in begun
    assert not [each for each in begun if "aligned" in each or "blocks" in each or "metric" in each]


@pytest.mark.parametrize(
    ("name", "more", "block", "said"),
    [
        ("S{}-W{}", {}, "speaker", ["such as S0 of S0-W0"]),
        ("S{}W{}", {}, "document", ["no two of 12 segments"]),
        ("S{}W{}", {"params": {"speaker_pattern": "(S.)W"}}, "speaker", []),
        (
            "S{}-W{}",
            {"params": {"speaker_pattern": "(T.)"}},
            "speaker",
            ["such as S0", "matches the name of no segment"],
        ),
        (
            "S{}W{}",
            {"metadata": [{"document": f"S{i}W{j}", "speaker": i} for i in range(6) for j in range(2)]},
            "speaker",
            [],
        ),
        ("common_S{}W{}", {}, "document", ["all 12 segments have one speaker"]),
    ],
)
def test_speakers_are_the_blocks_of_intervals(
    tmp_path: Path, name: str, more: dict[str, Any], block: str, said: list[str]
):
    text = "".join(f"{name.format(i, j)} a b {i}\n" for i in range(6) for j in range(2))
    (tmp_path / "a.kaldi").write_text(text)
    (tmp_path / "b.kaldi").write_text(text.replace("b 3", "c"))
    if "metadata" in more:
        more = {"metadata": pa.Table.from_pylist(more["metadata"])}
    files = {"reference": tmp_path / "a.kaldi", "hypothesis": tmp_path / "b.kaldi"}
    run = scorespec.score("wer", **files, **more, confidence=95)
    warned = [each for each in run.warnings if "speaker" in each and not each.startswith("note: ")]
    assert [part in each for part, each in zip(said, warned, strict=True)] == [True] * len(said)
    assert {next(iter(json.loads(each))) for each in run.sql("FROM unit_statistics")["block"].to_pylist()} == {block}


def test_lists_of_entities_are_compared_as_slue_defines_them() -> None:
    """Multisets of (type, text) of each utterance, counted by Python."""
    random = np.random.default_rng(7)
    rows: dict[str, list[dict[str, Any]]] = {"reference": [], "hypothesis": []}
    lists: dict[str, list[Counter[tuple[str, str]]]] = {"reference": [], "hypothesis": []}
    for side in rows:
        for segment in range(40):
            found = Counter[tuple[str, str]]()
            for entity in range(random.integers(0, 5)):
                tag, words = (
                    str(random.choice(["L", "P"])),
                    [str(each) for each in random.choice(["A", "B"], random.integers(1, 3))],
                )
                found[tag, " ".join(words)] += 1
                number = 10 * segment + entity
                rows[side] += [
                    {"document": "d", "segment": f"{segment:02}", "token": word, "entity": number, "tag": tag}
                    for word in words
                ]
            rows[side].append({"document": "d", "segment": f"{segment:02}", "token": "x", "entity": None, "tag": None})
            lists[side].append(found)
    tables = {side: pa.Table.from_pylist(each) for side, each in rows.items()}
    run = scorespec.score("muc_ne", **tables, metrics=["entity_lists"], params={"tags": ["*"]})
    both = sum((one & other).total() for one, other in zip(lists["reference"], lists["hypothesis"], strict=True))
    reference, hypothesis = (sum(each.total() for each in lists[side]) for side in ("reference", "hypothesis"))
    assert 0 < both < reference
    assert run.value("entity_lists", "correct") == both
    assert run.value("entity_lists", "fscore") == pytest.approx(2 * both / (reference + hypothesis))
