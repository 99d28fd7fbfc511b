"""RTTM files: the tokens and the speakers in them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from scorespec.errors import Problems
from scorespec.formats import FORMATS
from scorespec.formats import format as text_blocks

DATA = Path(__file__).parents[2] / "data" / "term_detection"
TEXT, NUMBER = pa.string(), pa.float64()
TOKENS = {"doc": TEXT, "channel": TEXT, "tbeg": NUMBER, "dur": NUMBER, "token": TEXT, "speaker": TEXT}


def rows_of(name, path, columns, left_out=(), **more):
    problems = Problems("given")
    batches = list(FORMATS[name].read(path, columns, problems, **more))
    rows = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
    assert problems.omitted == list(left_out)
    return rows, [(each.line, each.message) for each in problems.kept]


@pytest.fixture(params=[7, text_blocks.BLOCK_BYTES])
def read(tmp_path, monkeypatch, request):
    monkeypatch.setattr(text_blocks, "BLOCK_BYTES", request.param)

    def read(name, content, columns, **more):
        path = tmp_path / "given.rttm"
        path.write_text(content)
        return rows_of(name, path, columns, **more)

    return read


@pytest.mark.parametrize("case", sorted(each.parent.name for each in DATA.glob("*/refs.tsv")))
def test_tokens_are_those_of_the_twin(case):
    rows, problems = rows_of("rttm", DATA / case / "ref.rttm", {**TOKENS, "subtype": TEXT})
    twin, _ = rows_of("tsv", DATA / case / "refs.tsv", TOKENS)
    # The twin has neither filled pauses nor fragments.
    assert sorted(row[1:7] for row in rows if row[7] == "lex") == sorted(row[1:] for row in twin)
    assert not problems


def test_tokens(read):
    content = """\
;; a remark
SPEAKER d 1 0 9 <NA> <NA> s1 <NA>
LEXEME d 1 0.5 0.25 hello lex s1 0.9

LEXEME d 1 1.5 0.25 uh fp <NA> <NA>
SPKR-INFO d 1 <NA> <NA> <NA> unknown s1 <NA>
;x
"""
    columns = {**TOKENS, "subtype": TEXT, "confidence": NUMBER, "type": TEXT, "other": TEXT}
    rows, problems = read("rttm", content, columns, left_out=["1 line of type ';X' left out, at line 7"])
    assert rows == [
        (3, "d", "1", 0.5, 0.25, "hello", "s1", "lex", 0.9, "LEXEME", None),
        (5, "d", "1", 1.5, 0.25, "uh", None, "fp", None, "LEXEME", None),
    ]
    assert not problems
    speakers = {name: TOKENS[name] for name in ("doc", "tbeg", "dur", "speaker")}
    assert read("rttm_speaker", content.replace(";x", ""), speakers)[0] == [(2, "d", 0.0, 9.0, "s1")]


NAMES = "type doc channel tbeg dur token subtype speaker confidence"


def test_lines_of_other_types_are_left_out(read):
    content = """\
LEXEM d 1 0 1 a lex s <NA>
NONLEX d 1 0
lexeme d 1 0 1 a lex s <NA> ;; a remark of many words
XYZ
speaker d 1 x
NONLEX d 1 0 ? <NA> breath s <NA>
"""
    left_out = [
        "1 line of type 'LEXEM' left out, at line 1; did you mean 'LEXEME'?",
        "2 lines of type 'NONLEX' left out, the first at line 2; did you mean 'NON-LEX'?",
        "1 line of type 'XYZ' left out, at line 4",
    ]
    rows, problems = read("rttm", content, TOKENS, left_out=left_out)
    assert rows == [(3, "d", "1", 0.0, 1.0, "a", "s")]
    assert not problems


def test_a_file_without_a_line_of_rttm_is_refused(read):
    """Words of a CTM file, whose first field is the recording."""
    left_out = ["2 lines of type 'D' left out, the first at line 2"]
    rows, problems = read("rttm_speaker", "\nd 1 0 1 a\nd 1 1 1 b\n", TOKENS, left_out=left_out)
    assert (rows, problems) == ([], [(2, "not RTTM: no line begins with a type such as SPEAKER")])
    assert read("rttm_speaker", "\n;; nobody speaks\nLEXEME d\n", TOKENS) == ([], [])


def test_of_many_unknown_types_few_are_named(tmp_path):
    path = tmp_path / "given.rttm"
    path.write_text("".join(f"#{number} x\n" for number in range(1000)))
    problems = Problems("given")
    assert list(FORMATS["rttm"].read(path, TOKENS, problems)) == []
    assert len(problems.omitted) == 21
    assert problems.omitted[-1] == "980 lines of other kinds left out, the first at line 21"


def test_a_word_without_an_orthography_stands_between_others(read):
    content = "LEXEME d 1 0 1 <NA> un-lex s <NA>\nLEXEME d 1 1 1 a for-lex s <NA>\nLEXEME d 1 2 1 <NA> <NA> s <NA>\n"
    said = "2 tokens without an orthography (<NA>) can be part of no occurrence, the first at line 1"
    rows, problems = read("rttm", content, {"token": TEXT, "subtype": TEXT}, left_out=[said])
    assert rows == [(1, "<NA>", "un-lex"), (2, "a", "for-lex"), (3, "<NA>", None)]
    assert not problems


def test_refused(read):
    content = """\
LEXEME d 1 0 1 a lex s
LEXEME d 1 x 1 a lex s <NA>
LEXEME d 1 0 1 a lex s <NA> <NA> x
LEXEME d 1 <NA> 1 a lex s <NA>
LEXEME d 1 0 1 a lex ;; s <NA>
"""
    rows, problems = read("rttm", content, TOKENS)
    assert rows == [(4, "d", "1", None, 1.0, "a", "s")]
    assert problems == [
        (1, f"expected 9 or 10 columns ({NAMES}), found 8: 'LEXEME d 1 0 1 a lex s'"),
        (2, "tbeg is not a number: 'x'"),
        (3, f"expected 9 or 10 columns ({NAMES}), found 11: 'LEXEME d 1 0 1 a lex s <NA> <NA> x'"),
        (5, f"expected 9 or 10 columns ({NAMES}), found 7: 'LEXEME d 1 0 1 a lex ;; s <NA>'"),
    ]


A_BLANK = "a name with a blank takes two columns; write _ for the blank"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("SPEAKER d 1 0 4 <NA> <NA> Ms Lee <NA>", "'Lee', not <NA> or a number from 0 to 1"),
        ("SPEAKER d 1 0 4 <NA> <NA> speaker 2 <NA>", "'2', not <NA> or a number from 0 to 1"),
        ("SPEAKER board meeting 1 0 4 <NA> <NA> lee <NA>", "'lee', not <NA> or a number from 0 to 1"),
        ("SPEAKER d 1 0 4 <NA> <NA> lee high", "'high', not <NA> or a number"),
        ("SPEAKER d 1 0 4 <NA> <NA> lee 87.5", ""),
        ("SPEAKER d 1 0 4 <NA> <NA> lee 0.875 <NA>", ""),
    ],
)
def test_a_blank_in_a_name_moves_the_confidence(read, line, said):
    rows, problems = read("rttm_speaker", line + "\n", {"speaker": TEXT})
    assert rows == ([] if said else [(1, "lee")])
    assert problems == ([(1, f"confidence (column 9) is {said} ({A_BLANK}): '{line}'")] if said else [])


def test_a_blank_in_some_words_makes_lines_longer(read):
    content = "LEXEME d 1 0 1 very good lex <NA> <NA>\nLEXEME d 1 1 1 morning lex <NA> <NA>\n" * 2
    said = f"10 columns, but line 2 has 9: {A_BLANK}, or 9 columns in all lines"
    assert read("rttm", content, {"token": TEXT})[1] == [(1, said)]
    # Columns after the times are not read here, and types may differ in their number of columns.
    assert not read("rttm_other", content, {"tbeg": NUMBER})[1]
    assert not read("rttm_speaker", content + "SPEAKER d 1 0 4 <NA> <NA> lee <NA>\n", {"speaker": TEXT})[1]


def test_a_recording_without_a_name(read):
    said = "the recording has no name (<NA>), as pyannote.core writes an annotation without uri"
    assert read("rttm_speaker", "SPEAKER <NA> 1 0 4 <NA> <NA> lee <NA> <NA>\n", {"doc": TEXT}) == ([], [(1, said)])


def test_quote(tmp_path):
    path = tmp_path / "a.rttm"
    path.write_text("LEXEME d 1 0.50 1 a lex s <NA>\n")
    assert FORMATS["rttm"].quote(path, TOKENS, [1])[1]["tbeg"] == "0.50"
