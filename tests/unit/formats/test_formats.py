"""Readers of input files: what they tolerate, what they refuse and in which words, and where they cut."""

from __future__ import annotations

import csv
import gzip
import io
import re
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marks import some
from scorespec import formats
from scorespec.errors import InputError, Problems, UsageError
from scorespec.formats import FORMATS, format_by_name, format_of_suffix
from scorespec.formats import format as text_blocks
from scorespec.formats.format import TRUTH
from scorespec.formats.trial_lists import list_of_trials

TEXT, NUMBER, WHOLE, FLAG = pa.string(), pa.float64(), pa.int64(), pa.bool_()
INTERVAL = {"file": TEXT, "onset": NUMBER, "offset": NUMBER}
TABLES = {
    "phn": {**INTERVAL, "label": TEXT},
    "class": {"cluster": TEXT, **INTERVAL},
    "intervals": {**INTERVAL, "fold": WHOLE},
    "csv": {**INTERVAL, "label": TEXT},
    "tsv": {**INTERVAL, "label": TEXT},
    "voxceleb": {"model": TEXT, "segment": TEXT},
}


@pytest.fixture(params=[7, text_blocks.BLOCK_BYTES])
def read(tmp_path, monkeypatch, request):
    """Reads a text in a format, in many blocks and in one: rows as tuples, problems as (line, message)."""
    monkeypatch.setattr(text_blocks, "BLOCK_BYTES", request.param)

    def read(name, content, columns=None, suffix="", **more):
        path = tmp_path / f"given{suffix or FORMATS[name].suffixes[0]}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return rows_of(name, path, columns or TABLES[name], **more)

    return read


def rows_of(name, path, columns, **more):
    problems = Problems("given")
    names = ["line", *columns, *(["group_line"] if FORMATS[name].group else [])]
    rows = []
    for batch in FORMATS[name].read(path, columns, problems, **more):
        assert batch.num_rows
        assert batch.schema.names == names
        assert batch.schema.types == [WHOLE, *columns.values(), *([WHOLE] if FORMATS[name].group else [])]
        batch.validate(full=True)
        rows += zip(*(column.to_pylist() for column in batch.columns), strict=True)
    assert problems.total >= len(problems.kept)
    return rows, [(each.line, each.message) for each in problems.kept]


# --- the registry ------------------------------------------------------------------------------------


SERVICES = ("service", "service_segments", "service_turns")
OF_PACKAGES = (
    *("srt", "vtt", "vtt_turns"),
    *("textgrid", "textgrid_turns", "textgrid_labels", "eaf", "eaf_turns", "eaf_labels"),
)


def test_formats_by_name():
    assert list(FORMATS) == [
        *(
            "phn",
            "class",
            "class_merge",
            "intervals",
            "uem",
            "rttm",
            "rttm_speaker",
            "rttm_other",
            "kwlist",
            "ecf",
            "kwslist",
            "kwslist_searches",
            "sgml",
            "trn",
            "stm",
            "kaldi",
            "lines",
            "ctm",
            "seglst",
            "seglst_turns",
            "jsonl",
            "whisper",
            "whisper_segments",
            "whisper_turns",
            "text",
            *SERVICES,
            *OF_PACKAGES,
            "nlp",
            "nlp_segments",
            "conll",
            "sclite",
            "cmudict",
            "phrases",
            "glm",
            "csv",
            "tsv",
            "voxceleb",
            "voxceleb_scores",
            "kaldi_trials",
            "kaldi_scores",
            "asvspoof",
            "asvspoof_scores",
            "sre",
            "parquet",
            "duckdb",
        )
    ]
    assert format_by_name("tsv").suffixes == (".tsv",)
    assert all("\n" not in each.about for each in FORMATS.values())
    with pytest.raises(UsageError, match=r"^unknown format 'phm'; did you mean 'phn'\?$"):
        format_by_name("phm")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.phn", "phn"),
        ("a/b.WRD", "phn"),
        ("a.class", "class"),
        ("a.b.Classes.GZ", "class"),
        ("a.split", "intervals"),
        ("a.utt", "intervals"),
        ("a.intervals", "intervals"),
        ("a.csv.gz", "csv"),
        ("a.tsv", "tsv"),
        ("a.parquet", "parquet"),
        ("a.parquet.gz", None),
        ("a.gz", None),
        ("phn", None),
        ("a.txt", None),
        ("a.phn/b", None),
    ],
)
def test_formats_by_suffix(path, name):
    found = format_of_suffix(Path(path))
    assert (found.name if found else None) == name
    assert format_of_suffix(path) == found


def test_a_suffix_of_several_formats_is_told_by_those_at_hand():
    assert format_of_suffix("a.xml.gz", ["tsv", "ecf"]) is FORMATS["ecf"]
    assert format_of_suffix("a.rttm", ["rttm_speaker"]) is FORMATS["rttm_speaker"]
    assert format_of_suffix("a.xml", ["tsv"]) is FORMATS["kwlist"]
    assert format_of_suffix("a.tsv", ["sre", "tsv"]) is FORMATS["sre"]
    assert format_of_suffix("a.tsv", ["csv", "tsv", "sre"]) is FORMATS["tsv"]


def test_formats_that_others_read():
    assert FORMATS["parquet"].read is None
    assert FORMATS["parquet"].quote is None
    assert [name for name, each in FORMATS.items() if each.group] == ["class", "class_merge"]


FILES = {
    "phn": "f 0 1 a\n",
    "class": "Class 1\nf 0 1\n\n",
    "intervals": "f 0 1\n",
    "uem": "d 1 0 1\n",
    "rttm": "LEXEME d 1 0 1 w lex s 0.5\n",
    "sgml": "<DOC ID=d><SEGMENT ID=s S_TIME=0 E_TIME=1 SPEAKER=s><ENAMEX TYPE=PERSON>w</ENAMEX></SEGMENT></DOC>\n",
    "conll": "w B-PER\n",
    "trn": "{ a / b } (s-1)\n",
    "stm": "d 1 s 0 1 { a / b }\n",
    "kaldi": "s-1 a\n",
    "lines": "a\n",
    "ctm": "d 1 * * <ALT_BEGIN>\nd 1 0 1 w 0.5\nd 1 * * <ALT_END>\n",
    "seglst": '[{"session_id": "d", "speaker": "s", "start_time": 0, "end_time": 1, "words": "w"}]\n',
    "seglst_turns": '[{"session_id": "d", "speaker": "s", "start_time": 0, "end_time": 1}]\n',
    "whisper": '{"segments": [{"text": "w", "speaker": "s", "words": [{"word": "w", "start": 0, "end": 1}]}]}',
    "whisper_segments": '{"segments": [{"text": "w", "speaker": "s", "start": 0, "end": 1}]}',
    "text": "w\n",
    "sclite": '<PATH id="(s-1)">\nC,"w","w"\n</PATH>\n<PATH file="d">\nC,"w","w"\n</PATH>\n',
    "cmudict": "w W AH\n",
    "phrases": "w x\n",
    "glm": ';; x\n;; INPUT_DEPENDENT_APPLICATION = "hyp"\na => b / c __ d\na\n',
    "voxceleb": "1 a/b c/d\n",
    "voxceleb_scores": "0.5 a/b c/d\n",
    "kaldi_trials": "a/b c/d target\n",
    "kaldi_scores": "a/b c/d 0.5\n",
    "kwlist": '<kwlist compareNormalize="x"><kw kwid="q"><kwtext>w</kwtext></kw></kwlist>\n',
    "ecf": '<ecf><excerpt audio_filename="f" channel="1" tbeg="0" dur="1"/></ecf>\n',
    "kwslist": '<kwslist><detected_kwlist kwid="q"><kw file="f" channel="1" tbeg="0" dur="1" score="1" decision="YES"/>'
    "</detected_kwlist></kwslist>\n",
    "kwslist_searches": '<kwslist><detected_kwlist kwid="q" search_time="1" oov_count="0"/></kwslist>\n',
}


@pytest.mark.parametrize("name", FILES)
def test_the_columns_that_a_format_fills(read, name):
    known = FORMATS.values() if not FORMATS[name].others else [FORMATS[name]]
    names = sorted({column for each in known for column in each.fills})
    rows, problems = read(name, FILES[name], dict.fromkeys(names, TEXT))
    filled = {column for row in rows for column, value in zip(names, row[1:], strict=False) if value is not None}
    elsewhere = {"alternation", "branch"} if FORMATS[name].options == ("marks",) else set()  # with marks=nist
    elsewhere |= {"segment_onset", "segment_offset", "speaker"} if name == "kaldi" else set()  # files next to the text
    assert (filled, problems) == ({*FORMATS[name].fills} - elsewhere, [])


def test_every_format_says_which_columns_it_fills():
    fixed = {name for name, known in FORMATS.items() if known.fills}
    assert fixed - FILES.keys() == {
        *("class_merge", "rttm_speaker", "rttm_other"),  # which share their reader with another format
        *(*SERVICES, *OF_PACKAGES, "nlp", "nlp_segments", "whisper_turns"),  # which have tests of their own
    }
    assert all(known.others for name, known in FORMATS.items() if name not in fixed)


def test_the_csv_parser_is_loaded_when_it_is_needed():
    code = "import sys, scorespec.formats; sys.exit('pyarrow.csv' in sys.modules)"
    here = str(Path(formats.__file__).parents[2])
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": here}).returncode == 0


# --- what all text formats tolerate ---------------------------------------------------------------------


PHN_ROWS = [(1, "s1", 0.5, 1.0, "a"), (2, "s2", 1.5, 2.0, "é")]


@pytest.mark.parametrize(
    "content",
    [
        "s1 0.5 1.0 a\ns2 1.5 2.0 é\n",
        "s1 0.5 1.0 a\ns2 1.5 2.0 é",
        "s1 0.5 1.0 a\r\ns2 1.5 2.0 é\r\n",
        "s1 0.5 1.0 a\r\r\r\ns2 1.5 2.0 é\r\r\n",
        "s1 0.5 1.0 a\rs2 1.5 2.0 é\r",
        "s1 0.5 1.0 a\rs2 1.5 2.0 é",
        "s1\t0.5\t1.0\ta\ns2 \t 1.5  2.0\té\n",
        "  s1 0.5 1.0 a  \n\ts2 1.5 2.0 é\t\n",
        "s1\f0.5\v1.0 a\ns2 1.5 2.0 é\n\n\n",
        "\ufeffs1 0.5 1.0 a\ns2 1.5 2.0 é\n",
        "s1 +.5 1. a\ns2 15e-1 0.2E+1 é\n \t \n",
    ],
)
@pytest.mark.parametrize("size", [1, 13])
def test_tolerated_text(read, content, size, monkeypatch):
    monkeypatch.setattr(text_blocks, "BLOCK_BYTES", size)
    assert read("phn", content) == (PHN_ROWS, [])


def test_blank_lines_count_as_lines(read):
    rows, problems = read("phn", "\n  \ns1 0 1 a\n\n\t\ns1 1 2 b\n")
    assert [row[0] for row in rows] == [3, 6]
    assert not problems


def test_only_ascii_blanks_part_fields(read):
    rows, problems = read("phn", "s\u00a01 0 1 a\u2028b\x1c\u3000\x85\ns2 0 1 \u200b\n")
    assert rows == [(1, "s\u00a01", 0.0, 1.0, "a\u2028b\x1c\u3000\x85"), (2, "s2", 0.0, 1.0, "\u200b")]
    assert not problems


@pytest.mark.parametrize("name", ["phn", "class", "intervals", "csv", "tsv"])
@pytest.mark.parametrize("content", ["", "\n", " \t\r\n\r\n", "\ufeff", "\ufeff\n", "\r"])
def test_blank_files_have_no_rows(read, name, content):
    assert read(name, content) == ([], [])


def test_gzip(read):
    content = gzip.compress(b"s1 0.5 1.0 a\n") + gzip.compress("s2 1.5 2.0 é".encode())
    assert read("phn", content, suffix=".PHN.GZ") == (PHN_ROWS, [])
    rows, _ = read("csv", gzip.compress(b"file,onset,offset,label\ns1,0.5,1,a"), suffix=".csv.gz")
    assert rows == [(2, "s1", 0.5, 1.0, "a")]


def test_columns_the_format_does_not_have_are_null(read):
    columns = {"speaker": TEXT, "file": TEXT, "rate": NUMBER, "ok": FLAG, "n": WHOLE}
    assert read("phn", "s1 0 1 a\n", columns) == ([(1, None, "s1", None, None, None)], [])


# --- what all text formats refuse -----------------------------------------------------------------------


def test_wrong_number_of_columns(read):
    rows, problems = read("phn", "s1 0 1 a\n  s1 0.1\t0.2 \ns1 0 1 a b\n\nx" + "y" * 80 + "\n")
    wanted = "expected 4 columns (file onset offset label), found"
    assert rows == [(1, "s1", 0.0, 1.0, "a")]
    assert problems == [
        (2, f"{wanted} 3: 's1 0.1\\t0.2'"),
        (3, f"{wanted} 5: 's1 0 1 a b'"),
        (5, f"{wanted} 1: 'x{'y' * 58}…'"),
    ]


@pytest.mark.parametrize("wrong", ["abc", "1,5", "1_0", "0x10", "1e", ".", "+", "--1", "1.5.2", "infi", "nan(1)", "٣"])
def test_not_a_number(read, wrong):
    rows, problems = read("phn", f"s1 0 1 a\ns1 {wrong} {wrong} a\ns1 1 2 b\n")
    assert [row[0] for row in rows] == [1, 3]
    assert problems == [
        (2, f"onset is not a number: {wrong!r}"),
        (2, f"offset is not a number: {wrong!r}"),
    ]


def test_numbers_that_are_not_finite_are_let_through(read):
    rows, problems = read("intervals", "s nan INF\ns -Infinity +NaN\ns 1e400 -1e999\ns +inf 1\n")
    assert str([row[1:4] for row in rows]) == ("[('s', nan, inf), ('s', -inf, nan), ('s', inf, -inf), ('s', inf, 1.0)]")
    assert not problems


def test_whole_numbers(read):
    columns = {"n": WHOLE}
    rows, problems = read("csv", "n\n7\n-07\n+3\n1.5\n0x1F\n1e3\n\n9223372036854775808\n999999999999999999\n", columns)
    assert rows == [(2, 7), (3, -7), (4, 3), (10, 999999999999999999)]
    assert problems == [
        (5, "n is not a whole number: '1.5'"),
        (6, "n is not a whole number: '0x1F'"),
        (7, "n is not a whole number: '1e3'"),
        (9, "n has more than 18 digits: '9223372036854775808'"),
    ]


def test_booleans(read):
    content = "x,ok\n,true\n,T\n,Yes\n,1.0\n,tgt\n,FALSE\n,f\n,no\n,0.0\n,Imp\n,maybe\n,\n"
    rows, problems = read("csv", content, {"ok": FLAG})
    assert [row[1] for row in rows] == [True] * 5 + [False] * 5
    assert problems == [(12, f"ok is not {TRUTH}: 'maybe'"), (13, "ok is empty")]


def test_no_other_types(read):
    with pytest.raises(TypeError, match="date32"):
        read("csv", "day\n1\n", {"day": pa.date32()})


def test_every_problem_is_counted_and_few_are_made(tmp_path):
    path = tmp_path / "a.phn"
    path.write_text("s1 x 1 a\n" * 500 + "s1 0 1\n" * 500)
    problems = Problems("a.phn")
    with mock.patch.object(text_blocks, "BLOCK_BYTES", 100):
        assert list(FORMATS["phn"].read(path, TABLES["phn"], problems)) == []
    assert problems.total == 1000
    assert [each.line for each in problems.kept] == list(range(1, 21))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"s 0 1\n\ns\0 0 1\n",
            "not a text file (byte 0x00 at line 3); is it binary, or compressed without .gz?",
        ),
        (
            "s 0 1\n".encode("utf-16"),
            "not a text file (byte 0x00 at line 1); is it binary, or compressed without .gz?",
        ),
        (b"s 0 1\r\n" * 6 + b"s\xe9 0 1\r\n", "line 7 is not UTF-8 text"),
        (b"s 0 1\n" + b"x" * 101 + b"\ny", "line 2 is longer than 100 bytes; is this the right file?"),
        (b"s 0 1\n" + "é".encode() * 101, "line 2 is longer than 100 bytes; is this the right file?"),
    ],
)
@pytest.mark.parametrize("name", ["phn", "csv"])
def test_files_that_are_not_text(read, monkeypatch, content, message, name):
    monkeypatch.setattr(text_blocks, "MAX_LINE", 100)
    columns = {"s 0 1": TEXT} if name == "csv" else INTERVAL
    with pytest.raises(InputError) as caught:
        read(name, content, columns)
    assert str(caught.value) == f"given: {message}"


def test_the_longest_line_is_accepted(read, monkeypatch):
    monkeypatch.setattr(text_blocks, "MAX_LINE", 100)
    rows, problems = read("intervals", "s" * 96 + " 0 1\n")
    assert len(rows) == 1
    assert not problems


def not_packed(whole):
    return b"s1 0 1 a\n"


def damaged(whole):
    return whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda whole: whole[:-9], "ends in the middle of its gzip data: is it complete?"),
        (lambda whole: whole[:3], "ends in the middle of its gzip data: is it complete?"),
        (not_packed, "is not gzip data, though its name ends in .gz"),
        (damaged, "is damaged: its gzip data cannot be unpacked (CRC check failed 0x"),
        (
            lambda whole: whole[:20] + b"\xff" * 9 + whole[29:],
            "is damaged: its gzip data cannot be unpacked (",
        ),
    ],
)
def test_gzip_that_does_not_unpack(read, spoil, message):
    whole = gzip.compress("".join(f"s{number} 0 1 a\n" for number in range(500)).encode())
    with pytest.raises(InputError) as caught:
        read("phn", spoil(whole), suffix=".phn.gz")
    assert str(caught.value).startswith(f"given: {message}")


def test_files_that_cannot_be_opened(tmp_path, monkeypatch):
    def fault(path):
        with pytest.raises(InputError) as caught:
            rows_of("phn", path, TABLES["phn"])
        return str(caught.value)

    (tmp_path / "folder.phn.gz").mkdir()
    assert fault(tmp_path / "none.phn") == "given: no such file"
    assert fault(tmp_path / "none.phn.gz") == "given: no such file"
    assert fault(tmp_path) == "given: is a folder, not a file"
    assert fault(tmp_path / "folder.phn.gz") == "given: is a folder, not a file"
    denied = mock.Mock(side_effect=PermissionError(13, "Permission denied"))
    monkeypatch.setattr(Path, "open", denied)
    assert fault(tmp_path) == "given: cannot be read: permission denied"


# --- class ----------------------------------------------------------------------------------------------


def test_classes(read):
    content = "\n\nClass 1 [aa b] \ns1 0 1\ns2 1 2\n\n\nClass x\n\nClass 7\nClass 8\ns1 2 3\nClass 1\ns3 3 4"
    rows, problems = read("class", content)
    assert rows == [
        (4, "1", "s1", 0.0, 1.0, 3),
        (5, "1", "s2", 1.0, 2.0, 3),
        (12, "8", "s1", 2.0, 3.0, 11),
        (14, "1", "s3", 3.0, 4.0, 13),
    ]
    assert not problems


def test_class_columns_have_the_order_and_types_of_the_table(read):
    columns = {"onset": NUMBER, "cluster": WHOLE, "weight": NUMBER}
    assert read("class", "Class 12\ns1 0.5 1\n", columns) == ([(2, 0.5, 12, None, 1)], [])


def test_refused_classes(read):
    content = (
        "s1 0 1\nClass 1\ns1 0\ns1 0 1\n\ns1 1 2\nclass 2\n\nClass \ns1 2 3\n\nClasses 3\n\nClass 4\ns1 a 3\ns2 b 1\n"
    )
    rows, problems = read("class", content)
    orphan = "this line is not under a 'Class N' header"
    assert rows == [(4, "1", "s1", 0.0, 1.0, 2)]
    assert problems == [
        (1, orphan),
        (3, "expected 3 columns (file onset offset), found 2: 's1 0'"),
        (6, orphan),
        (7, orphan),
        (9, "expected 'Class N' (N: the id of the class), found 'Class'"),
        (12, orphan),
        (15, "onset is not a number: 'a'"),
        (16, "onset is not a number: 'b'"),
    ]


def test_the_name_of_a_class_is_short(read):
    content = f"Class {'x' * 1000}\ns1 0 1\n\nClass {'y' * 1001}\ns1 0 1\n"
    rows, problems = read("class", content)
    assert [row[0] for row in rows] == [2]
    assert problems == [(4, f"cluster has more than 1,000 bytes: '{'y' * 59}…'")]


# --- intervals --------------------------------------------------------------------------------------------


def test_folds(read):
    content = "\n \ns1 0 1\ns2 0 1\n\n\t\n\ns3 0 1\n\ns4 0 1\n\n\n"
    rows, problems = read("intervals", content)
    assert [(row[0], row[1], row[4]) for row in rows] == [
        (3, "s1", 0),
        (4, "s2", 0),
        (8, "s3", 1),
        (10, "s4", 2),
    ]
    assert not problems
    without, _ = read("intervals", content, INTERVAL)
    assert without == [row[:4] for row in rows]


def test_a_bad_line_is_still_a_line_of_its_fold(read):
    rows, problems = read("intervals", "s1 0\n\ns2 0 1\ns3 x 1\n")
    assert rows == [(3, "s2", 0.0, 1.0, 1)]
    assert [line for line, _ in problems] == [1, 4]


# --- csv and tsv ------------------------------------------------------------------------------------------


def test_columns_of_a_csv_by_name(read):
    content = '\n \t\n x ,label, offset,file,onset,x\n\n1,a, 1.5 ,s1,0.5,2\n\t\n ,"b, ""c""" ,2,s\u00a02,1,\n'
    rows, problems = read("csv", content)
    assert rows == [(5, "s1", 0.5, 1.5, "a"), (7, "s\u00a02", 1.0, 2.0, 'b, "c"')]
    assert not problems


def test_columns_of_a_tsv_by_name(read):
    content = '\tfile\tonset\toffset\tlabel\n0\ts1\t0\t1\tt"a"\n1\ts2\t1\t2\t"a\tb"\r\n\t\t\n2\ts 3\t2\t3\t\n'
    rows, problems = read("tsv", content)
    assert rows == [(2, "s1", 0.0, 1.0, 't"a"'), (3, "s2", 1.0, 2.0, "a\tb"), (5, "s 3", 2.0, 3.0, "")]
    assert not problems


def test_missing_columns(read):
    rows, problems = read("csv", "file,start,file\ns1,0,1\n", {"file": TEXT, "onset": NUMBER, "note": TEXT})
    assert not rows
    assert problems == [
        (1, "no columns 'onset', 'note' (it has: file, start, file); write given::(onset=COLUMN,note=COLUMN)"),
        (1, "the header has the column 'file' more than once"),
    ]


def test_long_headers(read, monkeypatch):
    monkeypatch.setattr(text_blocks, "BLOCK_BYTES", 1 << 20)
    other = "); write given::(file=COLUMN)"
    _, problems = read("csv", "\n" + "x," * 200_000 + "\n", {"file": TEXT})
    assert problems == [(2, f"no column 'file' (it has: {('x, ' * 200)[:199]}…{other}")]
    _, problems = read("csv", '"' + "x" * 200_000 + "\n", {"file": TEXT})
    assert problems == [(1, f"no column 'file' (it has: \"{'x' * 198}…{other}")]


def test_optional_columns_may_be_missing_or_empty(read):
    columns = {"file": TEXT, "onset": NUMBER, "note": TEXT, "rate": NUMBER, "n": WHOLE, "ok": FLAG}
    content = "file,onset,note,n,ok\ns1,0,,,\n,,x,2,no\ns3,1,y,z,\n"
    rows, problems = read("csv", content, columns, optional={"note", "rate", "n", "ok"})
    assert rows == [(2, "s1", 0.0, None, None, None, None)]
    assert problems == [(3, "onset is empty"), (4, "n is not a whole number: 'z'")]
    assert read("csv", "x\n1\n", {"note": TEXT}, optional=["note"]) == ([(2, None)], [])


def test_wrong_number_of_fields(read):
    content = 'file,onset,offset,label\ns1,0,1,a\ns1,0,1\n\ns1,0,1,a,b\ns2,0,1,"a,b"\n'
    rows, problems = read("csv", content)
    assert [row[0] for row in rows] == [2, 6]
    assert problems == [
        (3, "expected 4 columns, found 3: 's1,0,1'"),
        (5, "expected 4 columns, found 5: 's1,0,1,a,b'"),
    ]


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ('s1,0,1,"a', None),
        ('s1,0,1,"a""', None),
        ('s1,0,1,"a"b', None),
        ('s1,0,1, "a"', None),
        ('s"1,0,1,"a', None),
        ('s1,0,1,a"', 'a"'),
        ('s1,0,1,""', ""),
        ('s1,0,1,""""', '"'),
        ('s1,0,1,"a" ', "a"),
        ('"s1","0","1"," a "', "a"),
    ],
)
def test_quotation_marks(read, line, label):
    rows, problems = read("csv", f"file,onset,offset,label\n{line}\ns2,0,1,b\n")
    message = f"a quotation mark is not closed, or not where a field begins: {line!r}"
    assert [(row[0], row[4]) for row in rows] == ([] if label is None else [(2, label)]) + [(3, "b")]
    assert problems == ([(2, message)] if label is None else [])


def test_a_byte_order_mark_of_a_line_is_a_character(read):
    rows, problems = read("csv", "file,onset,offset,label\n\ufeff,0,1,a\n\ufeff\n")
    assert rows == [(2, "\ufeff", 0.0, 1.0, "a")]
    assert problems == [(3, "expected 4 columns, found 1: '\\ufeff'")]


def test_columns_of_no_table_are_counted(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("file,onset,offset,labl,room,\ns,0,1,a,b,\n")
    problems = Problems("given")
    assert list(FORMATS["csv"].read(path, TABLES["csv"], problems, ["label"]))
    assert problems.omitted == ["2 columns 'labl' (did you mean 'label'?), 'room' left out"]


# --- trials and scores ----------------------------------------------------------------------------------

TRIALS = {"model": TEXT, "segment": TEXT, "target": FLAG, "speaker": TEXT, "test_speaker": TEXT}


def test_lists_of_trials(read):
    lists = {
        "voxceleb": "1 a/x/1.wav b/2.wav\n0 c.wav /d.wav\n",
        "kaldi_trials": "a/x/1.wav b/2.wav target\nc.wav /d.wav nontarget\n",
    }
    for name, content in lists.items():
        assert read(name, content, TRIALS, ".txt") == (
            [(1, "a/x/1.wav", "b/2.wav", True, "a", "b"), (2, "c.wav", "/d.wav", False, None, None)],
            [],
        )
    assert read("kaldi_trials", "a b maybe\n", TRIALS, ".txt")[1] == [(1, f"target is not {TRUTH}: 'maybe'")]


def test_lists_of_scores(read):
    columns = {"model": TEXT, "segment": TEXT, "score": NUMBER}
    assert read("voxceleb_scores", "-inf a b\n", columns, ".txt") == ([(1, "a", "b", -float("inf"))], [])
    assert read("kaldi_scores", "a b 0.5\n", columns, ".txt") == ([(1, "a", "b", 0.5)], [])


# --- quoting ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 5, 1 << 20])
@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "phn",
            "\ufeffs1 3.450  03.2\ta\u00a0\r\n\r\ns2 1 2 b c\r\n",
            "file=s1 onset=3.450 offset=03.2 label=a\u00a0",
        ),
        ("intervals", "s1 3.450\f03.2\r\r\n\ns2 1", "file=s1 onset=3.450 offset=03.2"),
        ("class", "Class 7 x\n\ns2 1 2", "cluster=7"),
        ("class", "Class\n\ns2 1 2", "cluster="),
        ("csv", "\tfile , x,onset\n\n", "file=file onset=onset"),
        ("tsv", '\t"file"\tonset\n\n', "file=file onset=onset"),
        ("voxceleb", "1 a b", "target=1 model=a segment=b"),
    ],
)
def test_quote_of_the_first_line(tmp_path, monkeypatch, size, name, content, expected):
    monkeypatch.setattr(text_blocks, "BLOCK_BYTES", size)
    path = tmp_path / "a"
    path.write_text(content, newline="")
    found = FORMATS[name].quote(path, TABLES[name], [1])
    assert " ".join(f"{column}={field}" for column, field in found[1].items()) == expected


def test_quote_of_some_lines(tmp_path):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b'onset,label,other\n3.20,"a,b",c\n\n03.45,d\n'))
    quote = FORMATS["csv"].quote
    assert quote(path, TABLES["csv"], {4, 2, 99}) == {
        2: {"onset": "3.20", "label": "a,b"},
        4: {"onset": "03.45", "label": "d"},
    }
    assert quote(path, TABLES["csv"], []) == {}


def test_quote_reads_no_further_than_it_must(tmp_path, monkeypatch):
    monkeypatch.setattr(text_blocks, "BLOCK_BYTES", 16)
    path = tmp_path / "a.phn"
    path.write_bytes(b"s1 0 1.50 a\n" * 9 + b"\0\0\0")
    assert FORMATS["phn"].quote(path, TABLES["phn"], [2, 1])[2]["offset"] == "1.50"


# --- against plain readings ---------------------------------------------------------------------------------

PIECES = [
    "s1",
    "é€𝄞",
    "Class",
    "0.5",
    "+1",
    "-2e3",
    "x",
    "nan",
    "1_0",
    "\u00a0",
    "\x1c",
    "Class 4\n",
    "s1 0 1\n",
    "s2 3 4 b\r\n",
]
GAPS = [" ", " ", " ", "\t", "\n", "\n", "\n\n", "\r\n", "\r", "\r\r\r\n", "\f", "\v ", ""]
MESSY = st.lists(st.sampled_from(PIECES + GAPS * 2), max_size=60).map("".join)


def plain(name, content):
    """A reading of blank-separated formats in plain Python: the rows, and the lines of the problems."""
    rows, problems, header, fold, after_blank = [], [], None, -1, True
    wanted = 4 if name == "phn" else 3
    for line, raw in enumerate(re.split(r"\r*\n|\r", content.removeprefix("\ufeff")), start=1):
        fields = [field.decode() for field in raw.encode().split()]
        if not fields:
            header, after_blank = None, True
            continue
        fold, after_blank = fold + after_blank, False
        if name == "class" and fields[0] == "Class":
            header = (line, fields[1] if len(fields) > 1 else None)
            problems += [line] * (len(fields) == 1)
        elif (name == "class" and not header) or len(fields) != wanted:
            problems.append(line)
        elif wrong := [field for field in fields[1:3] if not is_number(field)]:
            problems += [line] * len(wrong) if name != "class" or header[1] else []
        elif name != "class" or header[1]:
            values = (fields[0], float(fields[1]), float(fields[2]))
            rest = {"phn": fields[3:], "intervals": [fold], "class": []}[name]
            rows.append((line, header[1], *values, header[0]) if name == "class" else (line, *values, *rest))
    return rows, problems


def is_number(field):
    """What Python takes for a number, but for the underscores and digits of other scripts."""
    try:
        float(field)
    except ValueError:
        return False
    return "_" not in field and field.isascii() and field == field.strip()


@settings(max_examples=75, deadline=None)
@given(
    content=MESSY,
    bom=st.booleans(),
    name=st.sampled_from(["phn", "class", "intervals"]),
    size=st.integers(1, 60),
)
def test_messy_files_are_read_as_plain_python_reads_them(tmp_path_factory, content, bom, name, size):
    path = tmp_path_factory.getbasetemp() / "messy"
    path.write_bytes(("\ufeff" * bom + content).encode())
    with mock.patch.object(text_blocks, "BLOCK_BYTES", size):
        rows, problems = rows_of(name, path, TABLES[name])
    expected, lines = plain(name, content)
    assert repr(rows) == repr(expected)
    assert [line for line, _ in problems] == lines[:20]


FIELD = st.text(st.sampled_from(list('ab"", \tö1')), max_size=5).map(lambda field: field.strip(" \t"))


@settings(max_examples=75, deadline=None)
@given(
    table=st.lists(st.one_of(st.just([]), st.lists(FIELD, min_size=2, max_size=4)), max_size=12),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    name=st.sampled_from(["csv", "tsv"]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    size=st.integers(1, 60),
)
def test_written_tables_are_read_back(tmp_path_factory, table, quoting, name, end, size):
    delimiter = "," if name == "csv" else "\t"
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end)
    writer.writerows([["b", "x", "a"], *table])
    path = tmp_path_factory.getbasetemp() / "table"
    path.write_text(out.getvalue(), newline="")
    with mock.patch.object(text_blocks, "BLOCK_BYTES", size):
        rows, problems = rows_of(name, path, {"a": TEXT, "b": TEXT})
    lines = out.getvalue().split(end)[1:-1]
    filled = [(line, row) for line, row in enumerate(table, start=2) if lines[line - 2].strip(" \t")]
    assert rows == [(line, row[2], row[0]) for line, row in filled if len(row) == 3]
    assert [line for line, _ in problems] == [line for line, row in filled if len(row) != 3]


DIGITS = st.text(st.sampled_from("0123456789"), max_size=25)
NUMERAL = st.one_of(
    st.floats().map(repr),
    st.floats(0, 1000).map("{:.17f}".format),
    st.builds("{}{}.{}e{}".format, st.sampled_from(["", "+", "-"]), DIGITS, DIGITS, st.integers(-330, 330)),
    st.text(st.sampled_from("+-.0123456789eEnaif_ x"), max_size=8),
)


@settings(max_examples=60, deadline=None)
@given(fields=st.lists(NUMERAL, min_size=1, max_size=20))
def test_numbers_are_those_of_python(fields):
    values, bad = text_blocks.convert(pa.array(fields), NUMBER)
    for row, field in some(enumerate(fields)):
        assert is_number(field) == (bad is None or not bad[row])
        if is_number(field):
            assert repr(values[row].as_py()) == repr(float(field))


def test_a_missing_column_that_only_one_can_be(read):
    _, problems = read("csv", "id,text\na,b\n", {"document": TEXT, "text": TEXT})
    assert problems == [(1, "no column 'document' (it has: id, text); write given::(document=id)")]


@pytest.mark.parametrize(
    ("lines", "allowed", "format"),
    [
        (["1 id1/a.wav id2/b.wav", "0 id1/a.wav id3/c.wav"], ("sre", "voxceleb", "kaldi_trials"), "voxceleb"),
        (["-0.5 id1/a.wav id2/b.wav"], ("sre", "voxceleb_scores", "kaldi_scores"), "voxceleb_scores"),
        (["a b target", "a c nontarget"], ("sre", "voxceleb", "kaldi_trials"), "kaldi_trials"),
        (["model\tsegment\ttarget", "a\tb\ttarget"], ("sre", "voxceleb", "kaldi_trials"), ""),
        ([], ("voxceleb",), ""),
    ],
)
def test_a_list_of_trials_is_known_by_its_lines(lines, allowed, format):
    assert list_of_trials(lines, allowed) == format
