"""Tables with lists: read in place, cut into smaller row groups, gathered from a row per frame, given in parts."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import scorespec
from scorespec.errors import InputError, SpecError, UsageError
from scorespec.run import table_files
from scorespec.run.inputs import nested as in_place

DOCUMENT = """
domain: strides
tables:
  walks:
    about: x
    columns:
      walker: {type: VARCHAR}
      day: {type: VARCHAR, nullable: true}
      steps: {type: "DOUBLE[]", nullable: true}
      places: {type: "DOUBLE[][]", nullable: true}
    key: [walker, day]
    part_column: day
    formats: [parquet, csv]
    checks: [{sql: walker <> 'nobody', says: "{walker} walks"}]
relations:
  sums:
    about: x
    needs: [walks]
    sql: "SELECT walker, day, list_sum(steps) AS steps, list_sum(flatten(places)) AS places FROM {{ walks }}"
metrics:
  walked:
    about: x
    kind: statistics
    from: sums
    unit: [walker]
    groups: [[day, walker]]
    overall: false
    statistics: {steps: exact_sum(steps), places: exact_sum(places)}
    components: {steps: steps, places: places}
suites:
  walking: {about: x, inputs: [walks], metrics: [walked], keep: {totals: sums}}
"""
ROWS = [
    {"walker": "ann", "day": None, "steps": [1.0, 2.0, 3.0], "places": [[1.0, 1.0], [2.0, 2.0]]},
    {"walker": "bob", "day": "mon", "steps": [4.0], "places": None},
]
WALKED = {("steps", "ann"): 6, ("places", "ann"): 6, ("steps", "bob"): 4, ("places", "bob"): 0}
NUMBERS = pa.list_(pa.float64())
TYPES = pa.schema({"walker": pa.string(), "day": pa.string(), "steps": NUMBERS, "places": pa.list_(NUMBERS)})


@pytest.fixture
def score(tmp_path: Path) -> Callable[..., scorespec.api.Run]:
    document = tmp_path / "strides.yaml"
    document.write_text(DOCUMENT, "utf-8")
    return lambda walks, **asked: scorespec.score("walking", specs=document, walks=walks, **asked)


def walked(run: Any) -> dict[tuple[str, str], float]:
    return {(row["component"], row["slice"]["walker"]): row["value"] for row in run.table()}


@pytest.fixture
def table() -> pa.Table:
    return pa.Table.from_pylist(ROWS, TYPES)


def test_a_null_has_no_part_in_a_slice_where_there_is_no_overall_row(score: Any, table: pa.Table) -> None:
    run = score(table)
    assert [row["slice"] for row in run.table()][::2] == [{"day": "mon", "walker": "bob"}, {"walker": "ann"}]
    assert walked(run) == WALKED
    assert run.sql("SELECT sum(steps) AS steps FROM evidence_totals").to_pylist() == [{"steps": 10}]


def test_a_breakdown_that_stands_is_not_told_twice(score: Any, table: pa.Table) -> None:
    assert score(table, by=["walker"]).table() == score(table).table()


@pytest.mark.parametrize("name", ["walks.parquet", "a [1]* ?.parquet", "it's.parquet"])
def test_files_are_read_where_they_are(score: Any, table: pa.Table, tmp_path: Path, name: str) -> None:
    pq.write_table(table, tmp_path / name)
    assert walked(score(tmp_path / name)) == WALKED


def test_large_row_groups_are_cut(score: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_place, "ROW_GROUP_BYTES", 4000)
    monkeypatch.setattr(table_files, "GROUP_BYTES", 2000)
    rows = [{**ROWS[0], "walker": f"w{at}", "steps": [1.0] * 100} for at in range(50)]
    pq.write_table(pa.Table.from_pylist(rows, TYPES), tmp_path / "walks.parquet")
    cut: list[int] = []
    write = in_place.write_in_place

    def spy(session: Any, name: str, *rest: Any) -> str:
        scan = write(session, name, *rest)
        cut.append(pq.ParquetFile(session.folder / f"{name}.parquet").num_row_groups)
        return scan

    monkeypatch.setattr(in_place, "write_in_place", spy)
    found = walked(score(tmp_path / "walks.parquet"))
    assert cut[0] > 2
    assert {value for (component, _), value in found.items() if component == "steps"} == {100}


def test_nothing_is_left_behind(score: Any, table: pa.Table, tmp_path: Path) -> None:
    here = tmp_path / "temp"
    here.mkdir()
    pq.write_table(table, tmp_path / "walks.parquet")
    score(tmp_path / "walks.parquet", temp_dir=here, keep_evidence=False)
    assert not list(here.iterdir())
    assert Path(tempfile.gettempdir()).is_dir()


def test_other_files_stay_shut(score: Any, table: pa.Table, tmp_path: Path) -> None:
    pq.write_table(table, tmp_path / "walks.parquet")
    (tmp_path / "spy.yaml").write_text(
        f"domain: strides\nrelations:\n  spied: {{about: x, sql: \"FROM '{tmp_path}/walks.parquet'\"}}\n"
        "metrics:\n  spying: {about: x, kind: ratio, from: spied, numerator: count(*), denominator: count(*)}\n",
        "utf-8",
    )
    with pytest.raises(SpecError, match="disabled"):
        scorespec.score(
            "walking",
            specs=[tmp_path / "strides.yaml", tmp_path / "spy.yaml"],
            walks=tmp_path / "walks.parquet",
            metrics=["spying"],
        )


# -- a row per frame ---------------------------------------------------------------------------------

FRAMES = """places.2,walker,day,frame,steps,places.1
1.0,ann,,0,1,1
,bob,mon,0,4,
2.0,ann,,1,2,2
,ann,,2,3,
"""


def test_a_row_per_frame(score: Any, tmp_path: Path) -> None:
    path = tmp_path / "walks.csv"
    path.write_text(FRAMES, "utf-8")
    assert walked(score(path)) == WALKED
    from pyarrow import csv

    frames = csv.read_csv(path)
    pq.write_table(frames, tmp_path / "frames.parquet")
    assert walked(score(tmp_path / "frames.parquet")) == WALKED
    assert walked(score(frames)) == WALKED


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ann,,1,2", "ann,,3,2", "walks.csv:2: walker ann: the frames of steps have a gap, or a frame occurs twice"),
        ("ann,,1,2", "ann,,2,2", "walks.csv:2: walker ann: the frames of steps have a gap, or a frame occurs twice"),
        ("ann,,1,2", "ann,,x,2", "walks.csv:4: frame is not a whole number: 'x'"),
        ("day,frame", "day,time", "walks.csv:1: no column 'frame'"),
        ("bob,mon", "nobody,mon", "walks.csv:3: nobody walks"),
    ],
)
def test_frames_at_fault(score: Any, tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "walks.csv"
    path.write_text(FRAMES.replace(old, new), "utf-8")
    with pytest.raises(InputError) as caught:
        score(path)
    assert said in str(caught.value)


# -- parts -------------------------------------------------------------------------------------------


def test_parts_are_told_apart_by_the_names_of_their_files(score: Any, tmp_path: Path) -> None:
    names = ["tue.parquet", "other/wed.parquet", "other/tue.parquet"]
    for name, rows in zip(names, (ROWS, ROWS[:1], ROWS[:1]), strict=True):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows, TYPES), tmp_path / name)
    days = [row["slice"].get("day") for row in score([tmp_path / name for name in names[:2]]).table()]
    assert days == ["mon", "mon", "tue", "tue", "wed", "wed"]
    run = score([tmp_path / name for name in names])
    assert {row["slice"]["day"] for row in run.table()} == {"mon", "wed", *(str(tmp_path / names[at]) for at in (0, 2))}
    inputs = run.sql("SELECT name, path, rows FROM inputs ORDER BY path").to_pylist()
    assert [(row["name"], row["rows"]) for row in inputs] == [("walks", 1)] * 2 + [("walks", 2)]


def test_a_pattern_names_its_only_part(score: Any, table: pa.Table, tmp_path: Path) -> None:
    pq.write_table(table, tmp_path / "tue.parquet")
    assert {row["slice"].get("day") for row in score(tmp_path / "*.parquet").table()} == {"mon", "tue"}
    assert {row["slice"].get("day") for row in score(tmp_path / "tue.parquet").table()} == {"mon", None}


def test_parts_with_names_of_their_own(score: Any, table: pa.Table) -> None:
    found = {row["slice"]["day"] for row in score({"it's one": table, "two": table[:1]}).table()}
    assert found == {"mon", "it's one", "two"}
    assert {row["slice"]["day"] for row in score([table, table[:1]]).table()} == {"mon", "1", "2"}


def test_parts_do_not_repeat_rows_of_each_other(score: Any, table: pa.Table) -> None:
    with pytest.raises(InputError, match=r"^<walks 2>:2: repeats <walks 1>:2: walker bob, day mon$"):
        score([table, table])


def test_other_inputs_have_no_names_of_parts() -> None:
    with pytest.raises(UsageError, match="input 'phones' is a mapping, but its table has no column for names"):
        scorespec.score("zerospeech2017", phones={"a": "a.phn", "b": "b.phn"}, words="w", fragments="f")


@pytest.mark.parametrize("name", ["walks.pkl", "walks.PICKLE", "walks.p", "walks.pkl.gz"])
def test_a_pickle_is_refused(score: Any, name: str) -> None:
    with pytest.raises(UsageError) as caught:
        score(name)
    assert f'pandas.read_pickle("{name}")' in str(caught.value)
    assert 'to_parquet("walks.parquet")' in str(caught.value)


def test_a_column_that_tells_parts_apart_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(DOCUMENT.replace("part_column: day", "part_column: dya"), "utf-8")
    with pytest.raises(SpecError, match=r"unknown column 'dya'; did you mean 'day'\?"):
        scorespec.score("walking", specs=tmp_path / "bad.yaml", walks="w.parquet")
