"""SegLST files: their segments, and what is wrong with a file that is none."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from scorespec.errors import InputError, Problems
from scorespec.formats import FORMATS, Columns, seglst

TEXT, NUMBER = pa.string(), pa.float64()
COLUMNS = {
    "document": TEXT,
    "segment": TEXT,
    "token": TEXT,
    "speaker": TEXT,
    "segment_onset": NUMBER,
    "segment_offset": NUMBER,
    "number": pa.int64(),
    "channel": TEXT,
}


def read(
    path: Path, content: str | bytes, form: str = "seglst", columns: Columns = COLUMNS
) -> tuple[list[tuple[Any, ...]], list[str]]:
    """The rows of a file with this content, and its problems."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    problems, reader = Problems("given"), FORMATS[form].read
    assert reader is not None
    batches = list(reader(path, columns, problems, [each for each in columns if each != "document"]))
    rows = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
    return rows, [f"{each.line}: {each.message}" for each in problems.kept]


CONTENT = """\ufeff[
  {"session_id": "d", "speaker": "ann", "start_time": 0.50, "end_time": "2", "words": "a  b", "other": {"x": [1]}},
  {
    "session_id": 7, "words": " "
  }, {"words": "c\\n\\u00e9", "session_id": "d", "start_time": null}
]
"""


@pytest.mark.parametrize("at_once", [1, 10_000])
def test_segments(at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seglst, "_AT_ONCE", at_once)
    rows, problems = read(tmp_path / "given.json", CONTENT)
    assert rows == [
        (2, "d", "1", "a", "ann", 0.5, 2.0, 1, None),
        (2, "d", "1", "b", "ann", 0.5, 2.0, 2, None),
        (3, "7", "1", None, None, None, None, 3, None),
        (5, "d", "2", "c", None, None, None, 4, None),
        (5, "d", "2", "é", None, None, None, 5, None),
    ]
    assert not problems


@pytest.mark.slow
def test_the_whole_file_may_be_one_long_line(tmp_path: Path) -> None:
    segments = [{"session_id": "d", "words": "word " * 100}] * 3000
    rows, problems = read(tmp_path / "given.json.gz", gzip.compress(json.dumps(segments).encode()))
    assert len(rows) == 300_000
    assert not problems


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "1: not a list of segments, [{…}, …], as SegLST is"),
        ("\n{}", "2: not a list of segments, [{…}, …], as SegLST is"),
        ("[\n", "2: not JSON: expecting value"),
        ("[{}", "1: the segment has no session_id|1: not JSON: expecting ',' or ']' after a segment"),
        ('[\n{"a"\n}]', "3: not JSON: expecting ':' delimiter"),
        ('[{"a": "\t"}]', "1: not JSON: invalid control character"),
        ("[" * 100_000, "1: not JSON: nested too deeply"),
        ("[]\n[]", "2: text after the list of segments: '[]'"),
        ("[\n1]", "2: not a segment, {…}: '1'"),
        ('[{"session_id": "d"}]', "1: the segment has no words"),
        ('[{"session_id": "d", "words": ["a"]}]', "1: words is neither text nor a number: \"['a']\""),
        ('[{"session_id": true, "words": "a"}]', "1: session_id is neither text nor a number: 'True'"),
        (
            '[{"session_id": "d", "words": "\\ud800"}]',
            "1: words has the character U+0000 or a half of a surrogate pair",
        ),
        (
            '[{"session_id": "d", "words": "\\u0000"}]',
            "1: words has the character U+0000 or a half of a surrogate pair",
        ),
        ('[{"session_id": "d", "words": "a", "end_time": "x"}]', "1: end_time is not a number: 'x'"),
        ('[{"session_id": "d", "words": "a", "start_time": NaN}]', "1: start_time is NaN; it must be a finite number"),
    ],
)
def test_what_is_refused(content: str, said: str, tmp_path: Path) -> None:
    assert read(tmp_path / "given.json", content)[1] == said.split("|")


TURNS = {"doc": TEXT, "channel": TEXT, "tbeg": NUMBER, "dur": NUMBER, "speaker": TEXT}


def test_segments_as_turns(tmp_path: Path) -> None:
    """Durations are exact differences: 0.3 - 0.1 is 0.19999999999999998 in binary numbers."""
    content = """[
      {"session_id": "d", "speaker": "ann", "start_time": 0.1, "end_time": 0.3, "words": ["not", "read"]},
      {"session_id": 7, "speaker": 1, "start_time": "2", "end_time": 2e0}
    ]"""
    rows, problems = read(tmp_path / "given.json", content, "seglst_turns", TURNS)
    assert rows == [(2, "d", None, 0.1, 0.2, "ann"), (3, "7", None, 2.0, 0.0, "1")]
    assert not problems


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"speaker": None}, "the segment has no speaker"),
        ({"start_time": None}, "the segment has no start_time"),
        ({"end_time": "x"}, "end_time is not a number: 'x'"),
        ({"start_time": "1_0"}, "start_time is not a number: '1_0'"),
        ({"end_time": 0.25}, "end_time 0.25 is before start_time 0.5"),
    ],
)
def test_segments_that_are_no_turns(changed: dict[str, Any], said: str, tmp_path: Path) -> None:
    segment = {"session_id": "d", "speaker": "ann", "start_time": 0.5, "end_time": 2} | changed
    rows, problems = read(tmp_path / "given.json", f"[\n{json.dumps(segment)}]", "seglst_turns", TURNS)
    assert (rows, problems) == ([], [f"2: {said}"])


@pytest.mark.parametrize("end", ["Infinity", "NaN", "1e999999999999999999999"])
def test_a_turn_without_an_end(end: str, tmp_path: Path) -> None:
    content = f'[{{"session_id": "d", "speaker": "s", "start_time": 0, "end_time": {end}}}]'
    (tmp_path / "r.json").write_text(content)
    with pytest.raises(InputError, match=r"r\.json:1: "):
        scorespec.score("der_pyannote", reference=tmp_path / "r.json", hypothesis=tmp_path / "r.json")


def test_text_in_another_encoding(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 2 is not UTF-8 text"):
        read(tmp_path / "given.json", b"[\n\xff]")


def test_other_suites_of_transcripts_read_it(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('[{"session_id": "d", "words": "a b"}]')
    run = scorespec.score("wer", reference=tmp_path / "r.json", hypothesis=tmp_path / "r.json")
    assert (run.value("wer"), run.value("wer", "words")) == (0, 2)
