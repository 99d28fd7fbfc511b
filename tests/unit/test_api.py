"""What the Python call takes and leaves behind."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import scorespec

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
  agreement: {about: a, kind: overlap, found: found, gold: gold, match_on: [element], slices: [[part]]}
suites:
  nulls: {about: n, inputs: [pairs], metrics: [agreement]}
"""


def test_a_slice_without_a_name_is_a_slice(tmp_path):
    document = tmp_path / "nulls.yaml"
    document.write_text(NULLS)
    rows = [("found", None, "a"), ("gold", None, "a"), ("gold", None, "b"), ("found", "x", "b")]
    pairs = pa.table({n: [row[i] for row in rows] for i, n in enumerate(("side", "part", "element"))})
    run = scorespec.score("nulls", specs=document, pairs=pairs)
    assert run.value("agreement", "recall", part=None) == 0.5
    assert run.value("agreement", "recall") == 1
    with pytest.raises(scorespec.UsageError, match="--by part: it may be missing in 'pairs'"):
        scorespec.score("nulls", specs=document, pairs=pairs, by="part")
