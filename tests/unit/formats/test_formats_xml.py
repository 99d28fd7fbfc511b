"""XML lists of queries, excerpts and detections: rows, refusals, and the reader of lines beside the parser."""

from __future__ import annotations

import gzip
import math
from pathlib import Path
from unittest import mock

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marks import only
from scorespec.errors import InputError, Problems
from scorespec.formats import FORMATS, xml_lines, xml_parser, xml_rows
from scorespec.formats import format as text_blocks

DATA = Path(__file__).parents[2] / "data" / "term_detection"
CASES = sorted(each.name for each in DATA.iterdir() if (each / "dets.tsv").exists())
TRIALS = sorted(each.name for each in DATA.iterdir() if (each / "trials.tsv").exists())
TEXT, NUMBER, WHOLE = pa.string(), pa.float64(), pa.int64()
PLACE = {"doc": TEXT, "channel": TEXT, "tbeg": NUMBER, "dur": NUMBER}
HITS = {"query": TEXT, **PLACE, "score": NUMBER, "decision": TEXT}
BOUNDS = {"min_score": NUMBER, "max_score": NUMBER}
TERMS = {"query": TEXT, "text": TEXT}
EXCERPTS = {**PLACE, "source_type": TEXT}


def rows_of(name, path, columns, **more):
    """The rows as tuples without their lines, their lines, and the problems as (line, message)."""
    problems = Problems("given")
    rows, lines = [], []
    for batch in FORMATS[name].read(path, columns, problems, **more):
        assert batch.num_rows
        assert batch.schema.names == ["line", *columns]
        assert batch.schema.types == [WHOLE, *columns.values()]
        batch.validate(full=True)
        values = list(zip(*(column.to_pylist() for column in batch.columns), strict=True))
        lines += [row[0] for row in values]
        rows += [row[1:] for row in values]
    order = sorted(range(len(rows)), key=lambda at: lines[at])
    assert problems.total >= len(problems.kept)
    return [rows[at] for at in order], sorted(lines), [(each.line, each.message) for each in problems.kept]


@pytest.fixture
def read(tmp_path):
    def read(name, content, columns, **more):
        path = tmp_path / "given.xml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return rows_of(name, path, columns, **more)

    return read


# --- the same as TSV ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [50, text_blocks.BLOCK_BYTES])
@pytest.mark.parametrize("case", only({*CASES} - {"medium_small"}, CASES))
def test_xml_has_the_rows_of_its_twin(case, size, monkeypatch):
    monkeypatch.setattr(text_blocks, "BLOCK_BYTES", size)
    folder = DATA / case
    hits, _, _ = rows_of("tsv", folder / "dets.tsv", HITS)
    for name in ("kwslist.xml", "stdlist.xml"):
        rows, lines, problems = rows_of("kwslist", folder / name, HITS)
        if (case, name) == ("probe_dupkw", "kwslist.xml"):  # what its twin does not have
            assert problems == [(25, "kwid 'Q1' is listed a second time; it was at line 2")]
            rows.remove(("Q1", "d03", "1", 7.0, 0.5, 0.92, "YES"))
        else:
            assert not problems
        assert sorted(map(repr, rows)) == sorted(map(repr, hits))
        written = (folder / name).read_text().splitlines()
        assert lines == [at for at, line in enumerate(written, 1) if " file=" in line]
    terms, _, _ = rows_of("tsv", folder / "queries.tsv", TERMS)
    for name in ("kwlist.xml", "tlist.xml"):
        assert rows_of("kwlist", folder / name, TERMS)[0::2] == (terms, [])
    excerpts, _, _ = rows_of("tsv", folder / "docs.tsv", EXCERPTS)
    assert rows_of("ecf", folder / "ecf.xml", EXCERPTS)[0::2] == (excerpts, [])


@pytest.mark.parametrize("case", TRIALS)
def test_trials_have_the_rows_of_their_twin(case):
    rows, _, problems = rows_of("kwslist", DATA / case / "stdlist.xml", HITS)
    columns = {"query": TEXT, "doc": TEXT, "score": NUMBER, "decision": TEXT, "submitted": WHOLE}
    twin, _, _ = rows_of("tsv", DATA / case / "trials.tsv", columns)
    assert repr([(r[0], r[1], r[5], r[6]) for r in rows]) == repr([row[:4] for row in twin if row[4]])
    assert not problems


# --- what is read --------------------------------------------------------------------------------------------

LIST = """\
<?xml version="1.0" encoding="UTF-8"?>
<kwslist kwlist_filename="k.xml" language="x" system_id="s" min_score="-1" max_score="INF">
  <detected_kwlist kwid="Q1" search_time="1.0" oov_count="NA">
    <kw file="a" channel="1" tbeg="0.5" dur="1.0" score="0.5" decision="YES"/>
    <kw file="b/c.sph" channel="2" tbeg="1" dur="1.0" score="INF" decision="NO"/>
    <kw file="ä" channel="A" tbeg="1" dur="1.0" score="-INF" decision="NO"/>
  </detected_kwlist>
  <detected_kwlist kwid="Q&amp;2" search_time="2.0" oov_count="1">
  </detected_kwlist>
  <detected_kwlist kwid="Q3" search_time="2.0" oov_count="1">
    <kw file="d" channel="1" tbeg="0.5" dur="1.0" score="7" decision="maybe"/>
  </detected_kwlist>
</kwslist>
"""


def test_a_list_of_detections(read):
    columns = {**HITS, **BOUNDS, "search_time": NUMBER, "element": WHOLE, "system_id": TEXT, "other": TEXT}
    rows, lines, problems = read("kwslist", LIST, columns, optional=["other"])
    assert rows == [
        ("Q1", "a", "1", 0.5, 1.0, 0.5, "YES", -1.0, math.inf, 1.0, 1, "s", None),
        ("Q1", "c", "2", 1.0, 1.0, math.inf, "NO", -1.0, math.inf, 1.0, 2, "s", None),
        ("Q1", "ä", "A", 1.0, 1.0, -math.inf, "NO", -1.0, math.inf, 1.0, 3, "s", None),
        ("Q3", "d", "1", 0.5, 1.0, 7.0, "maybe", -1.0, math.inf, 2.0, 4, "s", None),
    ]
    assert lines == [4, 5, 6, 11]
    assert not problems


@pytest.mark.parametrize("end", ["", " ", "\r"])
def test_several_rows_on_a_line(read, end):
    content = LIST.replace("\n", end)
    rows, lines, problems = read("kwslist", content, {**HITS, "element": WHOLE})
    assert [row[-1] for row in rows] == [1, 2, 3, 4]
    assert lines == ([4, 5, 6, 11] if end == "\r" else [1, 1, 1, 1])
    assert not problems


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "utf-8-sig"])
def test_encodings(read, encoding):
    content = LIST.replace("UTF-8", encoding.removesuffix("-sig")).encode(encoding)
    assert [row[1] for row in read("kwslist", content, HITS)[0]] == ["a", "c", "ä", "d"]


def test_gzip(tmp_path):
    path = tmp_path / "a.xml.gz"
    path.write_bytes(gzip.compress(LIST.encode()))
    assert len(rows_of("kwslist", path, HITS)[0]) == 4
    path.write_bytes(gzip.compress(LIST.encode())[:-9])
    with pytest.raises(InputError, match=r"^given: ends in the middle of its gzip data"):
        rows_of("kwslist", path, HITS)


def test_queries_with_attributes(read):
    content = """\
<kwlist ecf_filename="e" language="tr" encoding="UTF-8" compareNormalize="lowercase" version="1">
<kw kwid="Q1"><kwtext> iki
 kelime </kwtext><kwinfo><attr><name>length</name><value>2</value></attr></kwinfo></kw>
<kw kwid="Q2" language="en"><kwtext>a&lt;b</kwtext></kw>
</kwlist>"""
    columns = {**TERMS, "length": WHOLE, "language": TEXT, "compare_normalize": TEXT}
    rows, lines, problems = read("kwlist", content, columns, optional=["length"])
    assert rows == [("Q1", "iki\n kelime", 2, "tr", "lowercase"), ("Q2", "a<b", None, "en", "lowercase")]
    assert lines == [2, 4]
    assert not problems


def test_names_of_documents_lose_folder_and_suffix(read):
    names = ["a/b/c.d.wav", "c", "c.x", "./c.x/y", ".wav"]
    made = "".join(f'<excerpt audio_filename="{n}" channel="1" tbeg="0" dur="1" source_type="cts"/>' for n in names)
    rows, _, problems = read("ecf", f"<ecf>{made}</ecf>", PLACE)
    assert [row[0] for row in rows] == ["c.d", "c", "c", "y", ""]
    assert not problems


def test_names_of_other_columns(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text('<ecf language="x"><excerpt audio_filename="a" channel="1" tbeg="0" dur="1" room="2"/></ecf>')
    assert FORMATS["ecf"].names(path) == ["room", "language"]


def test_quote(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(LIST)
    found = FORMATS["kwslist"].quote(path, HITS, [4, 11, 99])
    assert {line: (fields["query"], fields["tbeg"], fields["score"]) for line, fields in found.items()} == {
        4: ("Q1", "0.5", "0.5"),
        11: ("Q3", "0.5", "7"),
    }
    path.write_text(LIST.replace("\n", " "))
    assert FORMATS["kwslist"].quote(path, HITS, [1]) == {}


# --- what is refused ------------------------------------------------------------------------------------------

ROW = '<kw file="a" channel="1" tbeg="0" dur="1" score="1" decision="YES"/>\n'


def hits(*blocks, more=""):
    inner = "".join(f'<detected_kwlist kwid="{query}">\n{rows}</detected_kwlist>\n' for query, rows in blocks)
    return f"<kwslist{more}>\n{inner}</kwslist>\n"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", (1, "not well-formed XML: no element found (column 1)")),
        ("query\tdoc\n", (1, "not well-formed XML: syntax error (column 1)")),
        ("<kwlist/>", (1, "the file is a <kwlist>; expected <kwslist> or <stdlist>")),
        ("<kwslist>\n", (2, "not well-formed XML: no element found (column 1)")),
        (hits(("Q", ROW), ("Q", "")), (5, "kwid 'Q' is listed a second time; it was at line 2")),
        (hits(("Q", ""), ("Q", ROW)), (4, "kwid 'Q' is listed a second time; it was at line 2")),
        (hits((" ", ROW)), (2, "<detected_kwlist> has no attribute 'kwid'")),
        (hits(("Q", ROW.replace("score", "scores"))), (3, "<kw> has no attribute 'score'")),
        (hits(("Q", ROW.replace('"1" d', '"x" d'))), (3, "score is not a number: 'x'")),
        (hits(("Q", ROW.replace('r="1"', 'r=""'))), (3, "dur is empty")),
        (hits(("Q", ROW.replace("/>", ">"))), (4, "not well-formed XML: mismatched tag (column 3)")),
        (hits(("Q", ROW), more=' min_score="1"'), (1, "min_score is given without max_score; give both or neither")),
        (hits(("Q", ROW), more=' max_score="1"'), (1, "max_score is given without min_score; give both or neither")),
        (hits(more=' min_score="x" max_score="1"'), (1, "min_score is not a number: 'x'")),
        (hits(more=' min_score="2" max_score="1"'), (1, "min_score 2 is not at most max_score 1")),
        (hits(more=' min_score="NaN" max_score="1"'), (1, "min_score NaN is not at most max_score 1")),
        (
            '<?xml version="1.0"?>\n<!DOCTYPE kwslist [<!ENTITY a "b">]>\n<kwslist/>',
            (2, "a document type (<!DOCTYPE …>) is not read, nor are entities expanded; remove it"),
        ),
        ("<kwslist>&a;</kwslist>", (1, "not well-formed XML: undefined entity (column 10)")),
    ],
)
def test_refused(read, content, problem):
    assert read("kwslist", content, {**HITS, **BOUNDS})[2] == [problem]


@pytest.mark.parametrize(
    ("content", "rows", "said"),
    [
        (
            hits(("Q", ROW.replace("kw", "KW") + ROW)),
            1,
            "1 element <KW> in <detected_kwlist> left out, at line 3; did you mean 'kw'?",
        ),
        (hits(("Q", ROW.replace("/>", "><x><y/></x></kw>"))), 1, "1 element <x> in <kw> left out, at line 3"),
        (hits(("Q", ROW + "hm &amp; hm\n" + ROW)), 2, "1 line with text between the elements left out, at line 4"),
        (
            hits(("Q", 3 * ROW.replace("/>", ' conf="1"/>'))),
            3,
            "3 attributes 'conf' of <kw> left out, the first at line 3",
        ),
        (
            hits(("Q", 2 * (ROW.replace("/>", " conf='1'/>") + ROW))),
            4,
            "2 attributes 'conf' of <kw> left out, the first at line 3",
        ),
        (
            hits(("Q", ROW), more=' minscore="1"'),
            1,
            "1 attribute 'minscore' of <kwslist> left out, at line 1; did you mean 'min_score'?",
        ),
    ],
)
def test_what_is_not_read_is_left_out(tmp_path, content, rows, said):
    path = tmp_path / "given.xml"
    path.write_text(content)
    problems = Problems("given")
    batches = list(FORMATS["kwslist"].read(path, {**HITS, **BOUNDS}, problems))
    assert sum(each.num_rows for each in batches) == rows
    assert (problems.omitted, problems.total) == ([said], 0)


def test_attributes_that_the_format_defines_are_not_counted(tmp_path):
    path = tmp_path / "given.xml"
    path.write_text(LIST)
    problems = Problems("given")
    assert list(FORMATS["kwslist"].read(path, HITS, problems))
    assert not problems.omitted


@pytest.mark.parametrize(
    "encoding",
    ["foo", "shift_jis", "gb18030", "big5", "utf-32", "utf-7", "hex", "idna", "undefined", "euc-jp", "x" * 99],
)
def test_encodings_that_are_not_read(read, encoding):
    rows, _, problems = read("kwslist", LIST.replace("UTF-8", encoding), HITS)
    assert not rows
    (line, message), *more = problems
    assert (line, more) == (1, [])
    assert message.startswith(f"the encoding {text_blocks.shown(encoding)} is not read; write the file in UTF-8 ")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<!-- ", " -->"),
        ("<?x ", " ?>"),
        ('<x y="', '"/>'),
        ("<x", "/>"),
        ('<kw file="', '" channel="1" tbeg="0" dur="1" score="1" decision="YES"/>'),
        ("<kw\nfile='", "' channel='1' tbeg='0' dur='1' score='1' decision='YES'/>"),
    ],
)
@pytest.mark.parametrize("size", [100, text_blocks.BLOCK_BYTES])
@pytest.mark.parametrize("end", ["\n", ""])
def test_tokens_are_bounded(read, monkeypatch, before, after, size, end):
    monkeypatch.setattr(text_blocks, "BLOCK_BYTES", size)
    monkeypatch.setattr(text_blocks, "MAX_LINE", 200)
    monkeypatch.setattr(xml_lines, "MAX_LINE", 1000)
    monkeypatch.setattr(xml_parser, "MAX_TOKEN", 1000)
    assert not read("kwslist", hits(("Q", before + "x" * 800 + after + end)), HITS)[2]
    (_, message), *_ = read("kwslist", hits(("Q", before + "x" * 1200 + after + end)), HITS)[2]
    assert message == "a tag, a text or a comment is longer than 1,000 bytes; is this the right file?"


def test_texts_are_bounded(read, monkeypatch):
    monkeypatch.setattr(xml_parser, "MAX_TOKEN", 1000)
    content = "<kwlist><kw kwid='a'><kwtext>{}</kwtext><kwinfo><attr><name>{}</name></attr></kwinfo></kw></kwlist>"
    assert not read("kwlist", content.format("x" * 500, "y" * 400), TERMS)[2]
    said = (1, "the texts of a row have more than 1,000 characters")
    assert read("kwlist", content.format("x" * 500, "y" * 600), TERMS)[2] == [said]


def test_depth_and_names_are_bounded(read, monkeypatch):
    monkeypatch.setattr(xml_rows, "MAX_DEPTH", 20)
    monkeypatch.setattr(xml_parser, "MAX_NAMES", 50)
    assert not read("kwslist", hits(("Q", "<x>" * 20 + "</x>" * 20)), HITS)[2]
    assert read("kwslist", hits(("Q", "<x>" * 21)), HITS)[2] == [(3, "more than 20 elements are inside of each other")]
    many = "".join(f"<x{number}/>\n" for number in range(60))
    assert read("kwslist", hits(("Q", many)), HITS)[2] == [
        (65, "more than 50 names of elements and attributes; is this the right file?")
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (hits(("x" * 1001, ROW)), "kwid of <detected_kwlist> has more than 1,000 characters"),
        (
            hits(("Q", ROW), more=f' min_score="{"1" * 1001}" max_score="INF"'),
            "min_score of <kwslist> has more than 1,000 characters",
        ),
    ],
)
def test_what_many_rows_have_is_short(read, content, said):
    rows, _, problems = read("kwslist", content, {**HITS, **BOUNDS})
    assert not rows
    assert [message for _, message in problems] == [said]


def test_queries_listed_again_among_many(read):
    content = hits(*((query, ROW) for query in "ABCBDA"))
    assert read("kwslist", content, HITS)[2] == [
        (11, "kwid 'B' is listed a second time; it was at line 5"),
        (17, "kwid 'A' is listed a second time; it was at line 2"),
    ]


@pytest.mark.parametrize("number", ["1_0", "١", "0x1", "", "1,5"])
def test_bounds_that_are_no_numbers(read, number):
    content = hits(("Q", ROW), more=f' min_score="{number}" max_score="INF"')
    assert read("kwslist", content, HITS)[2] == [(1, f"min_score is not a number: {number!r}")]


def test_the_rows_beside_a_problem_are_read(read):
    content = hits(("Q", ROW + ROW.replace("file", "f") + ROW), ("R", ROW + "<kw<\n" + ROW))
    _, lines, problems = read("kwslist", content, HITS)
    assert lines == [3, 5, 8]
    assert problems == [
        (4, "<kw> has no attribute 'file'"),
        (9, "not well-formed XML: not well-formed (invalid token) (column 4)"),
    ]


def test_refused_queries(read):
    content = '<kwlist>\n<kw><kwtext/></kw>\n<kw kwid="a"/>\n<kw kwid="b"><kwtext>x</kwtext><kwtext>y</kwtext></kw>\n'
    rows, _, problems = read("kwlist", content + "</kwlist>", TERMS)
    assert rows == [("b", "y")]
    assert problems == [
        (2, "<kw> has no attribute 'kwid'"),
        (3, "<kw> has no <kwtext>"),
        (4, "a second <kwtext> in <kw>"),
    ]
    inside = '<kwlist><kw kwid="a"><kwtext>x <i>y</i></kwtext></kw></kwlist>'
    assert read("kwlist", inside, TERMS)[2] == [(1, "unexpected <i> in <kwtext>; expected no element there")]
    assert read("kwlist", '<kwlist><kw kwid="a"/></kwlist>', TERMS, optional=["text"])[0] == [("a", None)]


# --- lines without the parser are as with it -------------------------------------------------------------------


def test_uniform_lines_are_read_without_the_parser(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(hits(*((f"Q{n}", "    " + ROW * 1) for n in range(50))).replace("<kw ", "\t<kw "))
    with mock.patch.object(xml_rows.XmlReader, "_close_row", side_effect=AssertionError):
        assert len(rows_of("kwslist", path, HITS)[0]) == 50


PARTS = [
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    '"',
    "'",
    "<",
    ">",
    "/>",
    "&",
    "&amp;",
    "&#65;",
    "<!--",
    "-->",
    "<!-- x -->",
    "<![CDATA[",
    "]]>",
    "<?a b?>",
    "x",
    "é",
    "\ufffe",
    "\x01",
    "\x7f",
    "0",
    ".sph",
    "a/",
    "nan",
    "INF",
    "</detected_kwlist>",
    "<detected_kwlist kwid='R'>",
    '<detected_kwlist kwid="Q1">',
    "</kwslist>",
    ROW,
    ROW.strip(),
    ROW.replace("kw ", "kw  "),
    ROW.replace('"', "'"),
    ROW.replace("score", "file"),
    '<kw score="2" file="z" channel="1" tbeg="0" dur="1" decision="NO"/>\n',
]
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(["", *PARTS])), max_size=6)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    edits=EDITS,
    size=st.sampled_from([30, 100, 400, 1 << 20]),
    longest=st.sampled_from([40, 1 << 20]),
    indent=st.sampled_from(["", "  ", "\t"]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_both_readers_agree(tmp_path_factory, edits, size, longest, indent, end):
    rows = "".join(indent + ROW.replace('"a"', f'"d{at}"') for at in range(5))
    content = hits(("Q1", rows), ("Q2", ""), ("Q3", rows)).replace("\n", end)
    for where, removed, added in edits:
        at = int(where * len(content))
        content = content[:at] + added + content[at + removed :]
    path = tmp_path_factory.getbasetemp() / "edited.xml"
    path.write_bytes(content.encode())
    columns = {**HITS, "element": WHOLE}
    with mock.patch.object(text_blocks, "BLOCK_BYTES", size), mock.patch.object(text_blocks, "MAX_LINE", longest):
        by_lines = rows_of("kwslist", path, columns)
    with mock.patch.object(xml_rows, "shape_of", return_value=None):
        by_parser = rows_of("kwslist", path, columns)
    assert repr(sorted(map(repr, by_lines[0]))) == repr(sorted(map(repr, by_parser[0])))
    assert by_lines[1] == by_parser[1]
    # A line that is longer than a line may be comes in parts, and so does a text on it.
    cut = ": " if longest < 1000 else "\n"
    messages = [[(line, message.partition(cut)[0]) for line, message in each[2]] for each in (by_lines, by_parser)]
    assert messages[0] == messages[1]
