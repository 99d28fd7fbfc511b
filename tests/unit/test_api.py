"""What the Python call takes and leaves behind."""

from __future__ import annotations

import inspect
import tempfile
from dataclasses import fields
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import typer

import scorespec
from scorespec.app.job import OPTIONS, Job
from scorespec.cli import app
from scorespec.plan.request import Asked
from scorespec.results.reading import stored_runs

DATA = Path(__file__).parents[1] / "data" / "term_discovery"
INPUTS = {
    "phones": DATA / "alpha.phn",
    "words": DATA / "alpha.wrd",
    "fragments": DATA / "alpha.edges.class",
}


def score(**options):
    return scorespec.score("zerospeech2017", inputs=INPUTS, **options)


def test_one_metric_and_one_breakdown_may_be_texts():
    listed = score(metrics=["coverage"], by=["file"], keep_evidence=False)
    assert score(metrics="coverage", by="file", keep_evidence=False).scores == listed.scores


def test_a_column_crossed_with_itself_is_that_column():
    assert score(metrics="coverage", by="file, file").scores == score(metrics="coverage", by="file").scores


def test_numbers_of_numpy_are_numbers():
    run = score(metrics="token", params={"edge_time": np.float64(0.02)}, keep_evidence=False)
    assert run.parameters["edge_time"] == 0.02


@pytest.mark.parametrize("name", ["suite", "keep_evidence", "threads"])
def test_the_name_of_an_option_is_no_input(name):
    with pytest.raises(scorespec.UsageError, match=f"unknown input '{name}' of suite"):
        scorespec.score("zerospeech2017", inputs={**INPUTS, name: "x"})


def test_a_refused_run_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(scorespec.InputError):
        scorespec.score("zerospeech2017", **{**INPUTS, "fragments": DATA / "nothing.class"})
    assert list(tmp_path.iterdir()) == []


def test_the_evidence_of_a_run_lies_in_the_given_folder_and_goes_with_the_run(tmp_path):
    run = score(metrics="token", temp_dir=tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    assert run.sql("SELECT count(*) AS n FROM scores").to_pylist() == [{"n": 3}]
    del run
    assert list(tmp_path.iterdir()) == []


def test_documents_nested_too_deeply_are_refused(tmp_path):
    document = tmp_path / "deep.yaml"
    document.write_text("metrics: " + "[" * 5000 + "]" * 5000)
    with pytest.raises(scorespec.SpecError, match="nested more than 100 deep"):
        scorespec.load_catalog(document)


NULLS = """
domain: made_up
tables:
  pairs:
    about: elements
    columns: {side: {type: VARCHAR}, part: {type: VARCHAR, nullable: true}, element: {type: VARCHAR}}
relations:
  found: {about: f, needs: [pairs], sql: "SELECT * FROM {{ pairs }} WHERE side = 'found'"}
  gold: {about: g, needs: [pairs], sql: "SELECT * FROM {{ pairs }} WHERE side = 'gold'"}
metrics:
  agreement: {about: a, kind: overlap, found: found, gold: gold, match_on: [element], groups: [[part]]}
suites:
  nulls: {about: n, inputs: [pairs], metrics: [agreement]}
"""


def test_a_row_without_the_value_of_a_group_only_counts_overall(tmp_path):
    document = tmp_path / "nulls.yaml"
    document.write_text(NULLS)
    rows = [("found", None, "a"), ("gold", None, "a"), ("gold", None, "b"), ("found", "x", "b")]
    pairs = pa.table({n: [row[i] for row in rows] for i, n in enumerate(("side", "part", "element"))})
    run = scorespec.score("nulls", specs=document, pairs=pairs)
    assert {*map(str, run.scores["slice"])} == {"{}", '{"part":"x"}'}
    assert run.value("agreement", "recall") == 1
    with pytest.raises(
        scorespec.InputError,
        match=r"^<pairs>:1: part is missing\n<pairs>:2: part is missing\n<pairs>:3: part is missing$",
    ):
        scorespec.score("nulls", specs=document, pairs=pairs, by="part")


@pytest.mark.parametrize("ending", [KeyboardInterrupt, SystemExit])
def test_what_ends_the_program_in_a_user_s_own_reader_ends_it(ending):
    schema = pa.schema(
        [("file", pa.string()), ("onset", pa.float64()), ("offset", pa.float64()), ("label", pa.string())]
    )

    def batches():
        yield pa.RecordBatch.from_pylist([{"file": "a", "onset": 0.0, "offset": 1.0, "label": "x"}], schema)
        raise ending

    reader = pa.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(ending):
        scorespec.score("zerospeech2017", inputs={**INPUTS, "phones": reader}, metrics="coverage")


def test_what_readers_leave_out_is_a_warning(tmp_path):
    """An RTTM as NIST writes it: types of its own, words without an orthography; columns that no table has."""
    files = {
        "q.xml": "<kwlist><kw kwid='Q' lang='x'><kwtext>e\u0301 b</kwtext></kw></kwlist>",
        "e.xml": "<ecf><excerpt audio_filename='d.wav' channel='1' tbeg='0' dur='10'/></ecf>",
        "d.csv": "query,doc,channel,tbeg,dur,score,decision,rank\nQ,d,1,0,1,0.5,YES,1\n",
        "r.rttm": (
            "SPEAKER d 1 0 10 <NA> <NA> s <NA>\nNONLEX d 1 0 .2 <NA> breath s <NA>\n"
            "LEXEME d 1 0 .5 \u00e9 lex s <NA>\nLEXEME d 1 .5 .5 b lex s <NA>\n"
            "LEXEME d 1 2 .5 \u00e9 lex s <NA>\nLEXEME d 1 2.5 .1 <NA> un-lex s <NA>\nLEXEME d 1 2.6 .5 b lex s <NA>\n"
        ),
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content, "utf-8")
    names = {"queries": "q.xml", "audio": "e.xml", "detections": "d.csv", "references": "r.rttm"}
    run = scorespec.score("std2006", inputs={name: tmp_path / file for name, file in names.items()}, metrics="counts")
    assert run.value("counts", "targets") == 1  # a word without an orthography stands between the others
    assert [each.replace(f"{tmp_path}/", "") for each in run.warnings] == [
        "words that are not in the Unicode form NFC and are compared in that form: 1",
        "d.csv: 1 column 'rank' left out",
        "r.rttm: 1 line of type 'NONLEX' left out, at line 2; did you mean 'NON-LEX'?",
        "r.rttm: 1 token without an orthography (<NA>) can be part of no occurrence, at line 6",
    ]


def test_a_refusal_for_want_of_rows_tells_what_was_left_out(tmp_path):
    path = tmp_path / "q.xml"
    path.write_text("<kwlist><KW kwid='Q'><kwtext>a</kwtext></KW></kwlist>")
    (tmp_path / "r.tsv").write_text("doc\tchannel\ttbeg\tdur\ttoken\n")
    inputs = {"queries": path, "audio": path, "detections": path, "references": tmp_path / "r.tsv"}
    with pytest.raises(scorespec.InputError) as raised:
        scorespec.score("std2006", inputs=inputs)
    said = (
        "q.xml: no rows; queries needs at least 1; 1 element <KW> in <kwlist> left out, at line 1; did you mean 'kw'?"
    )
    assert said in str(raised.value)


def test_every_argument_of_a_job_is_an_option_of_score():
    """Apart from the function that the command itself passes. Four options of the command are no arguments."""
    named = {name for name in inspect.signature(scorespec.score).parameters if name != "more_inputs"}
    assert named - OPTIONS.keys() == {"before_saving"}
    command = typer.main.get_command(app).commands["score"]
    assert {each.name for each in command.params} - OPTIONS.keys() == {"each", "signature", "quiet", "verbose"}
    assert OPTIONS.keys() <= {each.name for each in command.params}
    assert all(f"* ``{name}``: " in scorespec.score.__doc__ for name in OPTIONS)


def test_a_run_records_all_that_was_asked(tmp_path):
    """Its call has all values that are no defaults."""
    asked = {"params": {"edge_time": 0.02}, "metrics": ["token"], "by": ["file"], "on_bad_row": "drop"}
    asked |= {"confidence": 90, "confidence_groups": 6, "percentile": True, "keep_evidence": False, "blocks": "file"}
    score(**asked, output=tmp_path / "r.duckdb")
    with stored_runs(tmp_path / "r.duckdb", "main") as stored:
        record = stored.record(1)
    expected = Job("zerospeech2017", inputs=INPUTS, **asked).request.asked()
    call = {**record.call, "by": [tuple(columns) for columns in record.call["by"]]}
    assert Asked(**{each.name: call[each.name] for each in fields(Asked)}) == expected
    unchanged = [
        each.name for each in fields(Asked) if each.name != "params" and getattr(expected, each.name) == each.default
    ]
    assert unchanged == ["folds", "describe"]
