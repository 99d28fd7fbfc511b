"""Large Parquet files are read in place, with the results that a copy of their rows gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import scorespec
from examples import inputs_of
from marks import slow
from scorespec.core.events import StepBegun
from scorespec.run.inputs import nested as in_place
from scorespec.run.session import Session

SUITE = "quesst2015"
METRICS = ["counts", "cnxe"]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The inputs of the suite as Parquet files."""
    paths = {}
    for name, table in inputs_of(SUITE).items():
        paths[name] = tmp_path / f"{name}.parquet"
        pq.write_table(table, paths[name])
    return paths


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the tables of inputs that are copied from now on; every file is large."""
    monkeypatch.setattr(in_place, "LARGE_FILE", 1)
    create, names = Session.create, list[str]()

    def noted(session: Session, name: str, sql: str) -> None:
        names.append(name)
        create(session, name, sql)

    monkeypatch.setattr(Session, "create", noted)
    return names


def results(run: scorespec.Run) -> dict[str, list[Any]]:
    """The scores, and the rows of all other tables of results that tell something of the inputs."""
    tables = run.sql("SELECT table_name FROM duckdb_tables()")["table_name"].to_pylist()
    kept = [name for name in tables if name not in ("runs", "results_version", "scores")]
    rows = {name: run.sql(f"FROM {name} ORDER BY ALL").to_pylist() for name in kept}
    return {"scores": run.table(), **rows}


@slow
def test_results_are_those_of_a_copy(files: dict[str, Path], request: pytest.FixtureRequest) -> None:
    of_copy = results(scorespec.score(SUITE, metrics=METRICS, inputs=files))
    copied = request.getfixturevalue("copied")
    assert results(scorespec.score(SUITE, metrics=METRICS, inputs=files)) == of_copy
    assert not copied


def test_an_input_in_several_files(files: dict[str, Path], copied: list[str]) -> None:
    rows = pq.read_table(files["detections"])
    halves = [files["detections"].with_name(f"{name}.parquet") for name in "ab"]
    for path, half in zip(halves, (rows.slice(0, 1), rows.slice(1)), strict=True):
        pq.write_table(half, path)
    together = scorespec.score(SUITE, metrics=METRICS, inputs={**files, "detections": halves})
    assert together.table() == scorespec.score(SUITE, metrics=METRICS, inputs=files).table()
    assert copied == ["detections"]


def test_numbers_of_single_precision_are_converted_once(files: dict[str, Path], copied: list[str]) -> None:
    rows = pq.read_table(files["detections"])
    place = rows.schema.get_field_index("score")
    pq.write_table(rows.set_column(place, "score", rows["score"].cast(pa.float32())), files["detections"])
    scorespec.score(SUITE, metrics=METRICS, inputs=files)
    assert copied == ["detections"]


def test_rows_that_may_be_dropped_are_copied(files: dict[str, Path], copied: list[str]) -> None:
    scorespec.score(SUITE, metrics=METRICS, inputs=files, on_bad_row="drop")
    assert "detections" in copied


def test_the_gold_of_many_submissions_is_copied(files: dict[str, Path], copied: list[str]) -> None:
    alone = scorespec.score(SUITE, metrics=METRICS, inputs=files)
    submissions = [files["detections"], files["detections"].rename(files["detections"].with_name("other.parquet"))]
    submissions[0].write_bytes(submissions[1].read_bytes())
    batch = scorespec.score_each(
        SUITE, {"detections": list(map(str, submissions))}, metrics=METRICS, inputs=_gold(files)
    )
    assert [run.table() for run in batch.runs.values()] == [alone.table()] * 2
    assert sorted(copied) == sorted(_gold(files))


def _gold(files: dict[str, Path]) -> dict[str, Path]:
    return {name: path for name, path in files.items() if name != "detections"}


@pytest.mark.parametrize("step", ["relation trial_scores", "scores"])
def test_a_file_that_changes_during_the_run_is_refused(files: dict[str, Path], copied: list[str], step: str) -> None:
    """Also if SQL cannot read the file any more."""

    def tell(event: object) -> None:
        if isinstance(event, StepBegun) and event.step == step:
            files["detections"].write_bytes(b"x" * 100)

    with pytest.raises(scorespec.InputError, match=r"detections\.parquet.*changed"):
        scorespec.score(SUITE, metrics=METRICS, inputs=files, progress=tell)
