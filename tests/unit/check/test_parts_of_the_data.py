"""The key `only` of metrics, variants that change rows, undeclared columns in documents, and impossible scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import first, for_each, only
from scorespec.check.documents_checked import verify

TRIALS = [
    ("m", "s1", True, "ann", "-", 0.9),
    ("m", "s2", True, "ann", "-", 0.4),
    ("m", "s3", False, "A", "A07", 0.1),
    ("m", "s4", False, "B", "A09", 0.8),
]
NAMES = ("model", "segment", "target", "test_speaker", "attack", "score")


def inputs(*without: str, apart: bool = False) -> dict[str, pa.Table]:
    """The trials with their scores, in one table or two, without some columns."""
    columns = {name: list(values) for name, values in zip(NAMES, zip(*TRIALS, strict=True), strict=True)}
    columns = {name: values for name, values in columns.items() if name not in without}
    if not apart:
        return {"scores": pa.table(columns)}
    scores = {name: columns[name] for name in ("model", "segment", "score")}
    del columns["score"]
    return {"trials": pa.table(columns), "scores": pa.table(scores)}


def document(folder: Path, written: str, domain: str = "verification") -> Path:
    path = folder / "variants.yaml"
    path.write_text(f"domain: {domain}\n{written}\n")
    return path


def scored(folder: Path, keys: str, tables: dict[str, pa.Table], extends: str = "eer", **options: Any) -> scorespec.Run:
    path = document(folder, f"metrics:\n  mine: {{extends: {extends}, about: Mine., {keys}}}")
    return scorespec.score("verification", inputs=tables, metrics=["mine"], specs=[path], **options)


def values(run: scorespec.Run) -> dict[str, float | None]:
    return {row["component"]: row["value"] for row in run.scores.to_pylist() if str(row["slice"]) == "{}"}


WITHOUT_B = "only: \"test_speaker <> 'B'\""


@pytest.mark.parametrize("apart", first([False, True]))
def test_a_condition_filters_each_input_that_has_its_columns(tmp_path: Path, apart: bool) -> None:
    assert values(scored(tmp_path, WITHOUT_B, inputs(apart=apart))) == {"value": 0, "threshold": 0.4}
    assert values(scored(tmp_path, "params: {}", inputs(apart=apart)))["value"] == 0.5


def test_a_condition_can_read_a_column_that_no_document_declares(tmp_path: Path) -> None:
    run = scored(tmp_path, "only: \"attack = 'A07' OR target\"", inputs(apart=True))
    assert values(run)["value"] == 0


def test_a_condition_can_read_a_table_that_describes_rows(tmp_path: Path) -> None:
    language = pa.table({"segment": ["s1", "s2", "s3", "s4"], "language": ["fi", "fi", "fi", "sv"]})
    tables = {**inputs(apart=True), "segments": language}
    assert values(scored(tmp_path, "only: \"language = 'fi'\"", tables))["value"] == 0
    with pytest.raises(scorespec.InputError, match="segments has no row for segment s4"):
        scored(tmp_path, "only: \"language = 'fi'\"", {**tables, "segments": language.slice(0, 3)})


def test_a_formula_passes_its_condition_to_its_metrics(tmp_path: Path) -> None:
    part = inputs()["scores"].slice(0, 3)
    expected = scorespec.score("verification", scores=part, metrics=["calibration_loss"])
    found = scored(tmp_path, WITHOUT_B, inputs(), "calibration_loss")
    assert values(found) == values(expected)


def test_conditions_on_named_inputs_filter_these_alone(tmp_path: Path) -> None:
    with pytest.raises(scorespec.InputError, match=r"no score of model m and segment s4.*\(only score < 0.5\)"):
        scored(tmp_path, "only: {scores: score < 0.5}", inputs(apart=True))
    run = scored(tmp_path, "only: {trials: \"test_speaker <> 'B'\"}", inputs(apart=True))
    assert values(run)["value"] == 0


REFUSED = {
    "only: attac = 'A07'": "no input of the metric has all columns of `only`: trials lacks attac; scores lacks attac",
    "only: {scores: \"test_speaker = 'B'\"}": "scores lacks test_speaker",
    "only: {models: model = 'm'}": "`only` filters models, but the metric does not read it, or it is not given",
    "only: {trails: target}": "unknown input 'trails'; did you mean 'trials'?",
    "only: target AND": "bad SQL condition 'target AND'",
    "only: model IN (SELECT 'm')": "`only` is one SQL condition on the columns of a row",
    "only: target) UNION SELECT (true": "`only` is one SQL condition on the columns of a row",
    "only: true) FROM range(3) WHERE (true": "`only` is one SQL condition on the columns of a row",
    'only: "true), (false"': "`only` is one SQL condition on the columns of a row",
    "only: count(*) OVER () > 1": "`only` is one SQL condition on the columns of a row",
    "only: sum(model) > 1": "WHERE clause cannot contain aggregates",
    "only: random() < 0.5": "`only` cannot use random()",
    "only: trials.target": "`only` names columns without their table; write target",
    "only: read_text('x') = ''": "read_text",
}


@for_each(keys=REFUSED)
def test_a_condition_that_cannot_be_met_is_refused_at_its_line(tmp_path: Path, keys: str) -> None:
    with pytest.raises(scorespec.ScorespecError) as error:
        scored(tmp_path, keys, inputs(apart=True))
    assert f"{tmp_path}/variants.yaml:3:" in str(error.value)
    assert REFUSED[keys] in str(error.value)


@pytest.mark.parametrize(
    "extends",
    only(["eer", "cllr"], ["eer", "min_dcf", "cllr", "min_cllr", "calibration_loss", "min_cllr_affine", "counts"]),
)
def test_without_rows_a_score_is_undefined_with_a_note(tmp_path: Path, extends: str) -> None:
    for options in ({}, {"confidence": 95}):
        run = scored(tmp_path, 'only: "false"', inputs(apart=True), extends, **options)
        rows = run.scores.to_pylist()
        assert {row["value"] for row in rows} == {None}
        assert {row["note"] for row in rows} == {"undefined: too few rows of trials and scores meet `only`"}


def test_a_note_names_the_class_without_rows(tmp_path: Path) -> None:
    for extends, condition, missing in (
        ("eer", "attack IS NULL OR NOT target", "target"),
        ("min_dcf", "target", "nontarget"),
    ):
        rows = scored(tmp_path, f'only: "{condition}"', inputs(), extends).scores.to_pylist()
        assert {row["note"] for row in rows} == {f"undefined: no {missing}"}


def test_check_tells_columns_that_no_document_declares(tmp_path: Path) -> None:
    path = document(tmp_path, "metrics:\n  mine: {extends: eer, about: Mine., only: \"attack = 'A07'\"}")
    assert any("variants.yaml:3:44: no input declares attack" in each for each in verify(path).notices)


# -- variants that change the rows ------------------------------------------------------------------

STATED = "summed: trial_scores, resample: {rows: trial_scores}"
CHANGES = ("where: target", "from: scores", "score: llr", "statistics: {more: sum(targets)}", "unit: [model]")


@for_each(keys=CHANGES)
def test_other_rows_than_those_of_inherited_relations_are_refused(tmp_path: Path, keys: str) -> None:
    with pytest.raises(scorespec.SpecError) as error:
        scored(tmp_path, keys, inputs())
    key = keys.partition(":")[0]
    assert f"variants.yaml:3:38: `{key}` changes the rows that are counted" in str(error.value)
    assert "those of the inherited `summed` and `resample.rows`" in str(error.value)


def test_a_variant_states_the_relations_of_its_rows(tmp_path: Path) -> None:
    assert values(scored(tmp_path, f"where: test_speaker <> 'B', {STATED}", inputs()))["value"] == 0
    path = document(
        tmp_path,
        f'metrics:\n  one: {{extends: eer, about: One., where: "true", {STATED}}}\n'
        "  two: {extends: one, about: Two., score: llr}",
    )
    with pytest.raises(scorespec.SpecError, match=r"variants.yaml:4:36: `score` changes"):
        scorespec.score("verification", inputs=inputs(), metrics=["two"], specs=[path])


def test_the_relation_that_lacks_a_column_is_named(tmp_path: Path) -> None:
    keys = "score: llr, summed: score_steps, resample: {rows: stepped_trials}"
    path = document(tmp_path, f"metrics:\n  mine: {{extends: eer, about: Mine., {keys}}}")
    with pytest.raises(scorespec.SpecError, match="score_steps has no column 'llr'"):
        verify(path)


# -- undeclared columns -----------------------------------------------------------------------------

OF_ATTACK = """
relations:
  attacks:
    about: Bona fide trials, and those of one attack.
    other_columns: {trials: [attack]}
    sql: >-
      SELECT scored.* FROM {{ trial_scores }} AS scored JOIN {{ trials }} AS trial USING (model, segment)
      WHERE trial.attack = 'A07' OR trial.target
metrics:
  mine: {extends: eer, about: Mine., from: attacks, summed: attacks, resample: {rows: attacks}}
"""


def test_a_relation_can_read_columns_that_no_document_declares(tmp_path: Path) -> None:
    path = document(tmp_path, OF_ATTACK)
    verify(path)
    run = scorespec.score("verification", inputs=inputs(apart=True), metrics=["mine"], specs=[path])
    assert values(run)["value"] == 0
    with pytest.raises(scorespec.SpecError, match="the input trials has no column 'attack'"):
        scorespec.score("verification", inputs=inputs("attack", apart=True), metrics=["mine"], specs=[path])


# -- scores out of range ----------------------------------------------------------------------------


def test_a_score_out_of_its_range_has_a_warning(tmp_path: Path) -> None:
    keys = 'range: [0, 0.4], components: {value: hits * 1.5}, cross: ["1", "0"]'
    run = scored(tmp_path, f"{keys}, {STATED}", inputs())
    (said,) = (each for each in run.warnings if "range" in each)
    assert "variants.yaml:3:3: mine is " in said
    assert "outside of its range from 0 to 0.4" in said
