"""Columns of inputs under other names, or in another form, such as an end in place of a duration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import scorespec
from scorespec.errors import InputError, UsageError

# One of ten seconds is confused from 4.5 s to 5 s.
TURNS = {"file": ["talk", "talk"], "start": [0.0, 4.5], "end": [4.5, 10.0], "speaker": ["x", "y"]}
RTTM = """SPEAKER talk 1 0 5 <NA> <NA> ann <NA> <NA>
SPEAKER talk 1 5 5 <NA> <NA> bob <NA> <NA>
"""


def rate(hypothesis: Any, folder: Path) -> float | None:
    (folder / "ref.rttm").write_text(RTTM)
    inputs = {"reference": folder / "ref.rttm", "hypothesis": hypothesis}
    return scorespec.score("der_pyannote", inputs=inputs, metrics="der").value("der")


def test_turns_with_an_end_are_read_from_each_kind_of_file(tmp_path: Path) -> None:
    table = pa.table(TURNS)
    pq.write_table(table, tmp_path / "hyp.parquet")
    rows = [dict(zip(TURNS, row, strict=True)) for row in zip(*TURNS.values(), strict=True)]
    (tmp_path / "hyp.jsonl").write_text(f"{rows[0]}\n{rows[1]}\n".replace("'", '"'))
    lines = [list(TURNS), *([str(value) for value in row.values()] for row in rows)]
    (tmp_path / "hyp.csv").write_text("".join(",".join(line).title() + "\n" for line in lines).replace("Talk", "talk"))
    for given in (table, *(tmp_path / f"hyp.{suffix}" for suffix in ("parquet", "jsonl", "csv"))):
        assert rate(given, tmp_path) == 0.05
    (tmp_path / "more.csv").write_text("file,tbeg,dur,speaker\nother,0,1,z\n")
    assert rate([tmp_path / "hyp.csv", tmp_path / "more.csv"], tmp_path) == pytest.approx(0.15)


def test_a_column_of_the_table_and_one_that_the_user_names_go_first(tmp_path: Path) -> None:
    (tmp_path / "hyp.csv").write_text("doc,file,start,dur,end,speaker\ntalk,x,0,5,9,x\ntalk,x,5,5,9,y\n")
    assert rate(tmp_path / "hyp.csv", tmp_path) == 0
    (tmp_path / "hyp.csv").write_text("file,uri,start,end,speaker\nx,talk,0,5,x\nx,talk,5,10,y\n")
    assert rate(f"{tmp_path / 'hyp.csv'}::(doc=uri)", tmp_path) == 0


def test_messages_have_the_line_and_the_value(tmp_path: Path) -> None:
    (tmp_path / "hyp.csv").write_text("file,start,end,speaker\ntalk,0,4,x\ntalk,4,late,y\n")
    with pytest.raises(InputError, match=r"hyp.csv:3: end is not a number: 'late'"):
        rate(tmp_path / "hyp.csv", tmp_path)
    (tmp_path / "hyp.csv").write_text("file,start,end,speaker\ntalk,5,4,x\n")
    with pytest.raises(InputError, match=r"hyp.csv:2: dur -1.0 is negative"):
        rate(tmp_path / "hyp.csv", tmp_path)
    (tmp_path / "hyp.csv").write_text("start,speaker\n5,x\n")
    with pytest.raises(InputError, match=r"no columns 'doc', 'dur' \(it has: start, speaker\)"):
        rate(tmp_path / "hyp.csv", tmp_path)


def test_a_breakdown_needs_the_column_in_the_system_too(tmp_path: Path) -> None:
    """Otherwise all turns of the system would be scored against those of one channel."""
    reference = pa.table({**TURNS, "channel": ["1", "2"]})
    inputs = {"reference": reference, "hypothesis": pa.table(TURNS)}
    with pytest.raises(UsageError, match="--by channel: it may be missing in 'hypothesis'"):
        scorespec.score("der_pyannote", inputs=inputs, metrics="der", by=["channel"])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hyp.csv", "file,start,end,speaker\ntalk,0,5,\n"),
        ("hyp.tsv", "file\tstart\tend\tspeaker\ntalk\t0\t5\t\n"),
        ("hyp.json", '[{"session_id": "talk", "speaker": "", "start_time": 0, "end_time": 5, "words": "a"}]'),
        ("hyp.jsonl", '{"file": "talk", "start": 0, "end": 5, "speaker": " "}\n'),
    ],
)
def test_an_empty_speaker_is_missing(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=rf"{name}(:\d)?: speaker is missing"):
        rate(tmp_path / name, tmp_path)


def test_labels_and_scores_without_names_are_trials() -> None:
    trials = pa.table({"label": [1, 0, 1, 0], "score": [0.9, 0.1, 0.4, 0.5]})
    run = scorespec.score("verification", inputs={"scores": trials}, metrics="eer")
    assert run.value("eer") == 0.5
    assert run.warnings == ["note: <scores>: read with model = '', segment = line, target = label"]


def test_equal_rows_of_two_files_are_two_trials(tmp_path: Path) -> None:
    files = [tmp_path / "one.csv", tmp_path / "other.csv"]
    for path in files:
        path.write_text("label,score\n1,0.5\n0,0.2\n")
    run = scorespec.score("verification", inputs={"scores": files}, metrics="counts")
    assert (run["counts"].targets, run["counts"].nontargets) == (2, 2)


KEY = [("a", "1", "target"), ("a", "2", "nontarget"), ("b", "3", "target"), ("b", "4", "nontarget")]
SCORES = [("b", "4", -5), ("b", "3", 4), ("a", "2", -3), ("a", "1", 5)]  # in another order


def eer(folder: Path, names: str, scores: str, suffix: str = "tsv", form: str = "") -> float | None:
    """The equal error rate of KEY and SCORES, in files with these names of columns."""
    inputs = {}
    for name, header, rows in (("trials", names, KEY), ("scores", scores, SCORES)):
        inputs[name] = f"{folder / name}.{suffix}{form}"
        lines = (header.split(), *rows)
        text = "".join(("," if suffix == "csv" else "\t").join(map(str, line)) + "\n" for line in lines)
        (folder / f"{name}.{suffix}").write_text(text)
    return scorespec.score("verification", inputs=inputs, metrics="eer").value("eer")


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
@pytest.mark.parametrize(
    ("key", "scores"),
    [
        ("modelid segmentid targettype", "modelid segmentid LLR"),
        ("ModelID SegmentID TargetType", "MODELID SEGMENTID llr"),
        ("file1 file2 label", "file1 file2 score"),
        ("enroll_path test_path label", "model_id segment_id score"),
        ("utt1 utt2 label", "enrollment_id test_file score"),
    ],
)
def test_trials_and_scores_are_joined_by_names_not_lines(tmp_path: Path, key: str, scores: str, suffix: str) -> None:
    assert eer(tmp_path, key, scores, suffix) == 0


def test_the_format_of_nist_and_columns_that_the_user_names(tmp_path: Path) -> None:
    assert eer(tmp_path, "modelid segmentid targettype", "modelid segmentid LLR", form="::sre") == 0
    for form in ("::(model=x,segment=y)", "::tsv(model=x,segment=y)", "::sre(model=x,segment=y)"):
        assert eer(tmp_path, "x y label", "x y score", form=form) == 0


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_trials_and_scores_are_never_joined_by_line(tmp_path: Path, suffix: str) -> None:
    found = r"trials.*no columns 'model', 'segment' \(it has: x, y, label\); write .*::\(model=COLUMN,segment=COLUMN\)"
    with pytest.raises(InputError, match=found):
        eer(tmp_path, "x y label", "x y score", suffix)
    frames = {"trials": pa.table({"label": [1, 0]}), "scores": pa.table({"score": [0.5, 0.2]})}
    with pytest.raises(InputError, match="no columns 'model', 'segment'"):
        scorespec.score("verification", inputs=frames, metrics="eer")


def test_one_file_is_reference_and_metadata(tmp_path: Path) -> None:
    (tmp_path / "ref.csv").write_text("id,text,accent\na,one two,us\nb,three,uk\n")
    inputs = {"reference": tmp_path / "ref.csv", "hypothesis": tmp_path / "ref.csv", "metadata": tmp_path / "ref.csv"}
    run = scorespec.score("wer", inputs=inputs, by=["accent"], metrics="wer")
    assert [run.value("wer", "words", accent=each) for each in ("us", "uk")] == [2, 1]


def test_json_of_one_recording_has_its_turns(tmp_path: Path) -> None:
    turns = '[{"start": 0, "end": 4.5, "speaker": "x"}, {"start": 4.5, "end": 10, "speaker": "y"}]'
    path = tmp_path / "talk.json"
    for text in (
        turns,
        f'{{"diarization": {turns}}}',
        f'{{"jobId": "7", "status": "succeeded", "output": {{"diarization": {turns}}}}}',
        f'{{"segments": {turns}, "language": "en"}}',
    ):
        path.write_text(text)
        assert rate(path, tmp_path) == 0.05
    with pytest.raises(InputError, match="recording other is not in the reference, and no other"):
        rate(path.rename(tmp_path / "other.json"), tmp_path)


def test_a_frame_of_segments_as_in_seglst_has_words_and_turns() -> None:
    columns = ("session_id", "speaker", "start_time", "end_time", "words")
    rows = [("talk", "a", 0.0, 5.0, "one two three"), ("talk", "b", 5.0, 10.0, "four")]
    reference, hypothesis = (
        pa.table(dict(zip(columns, zip(*each, strict=True), strict=True)))
        for each in (rows, [("talk", "a", 0.0, 5.0, "one two"), rows[1]])
    )
    inputs = {"reference": reference, "hypothesis": hypothesis}
    assert scorespec.score("meeting", inputs=inputs, metrics="cpwer").value("cpwer") == 0.25
    assert scorespec.score("der_pyannote", inputs=inputs, metrics="der").value("der") == 0
