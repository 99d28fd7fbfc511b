"""Inputs that the tasks of a run in parts read and check: the results and messages are those of one process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import rows_of_tables
from here import Here
from pyarrow import csv

import scorespec
from marks import first, slow
from scorespec.errors import Code, InputError, RunError, ScorespecError
from scorespec.parts import divided_inputs as inputs
from scorespec.parts import run_in_parts as runner
from scorespec.parts.worker_tasks import CheckTask, ReadTask
from scorespec.run.inputs import nested as in_place

# Conditions on single rows, on all rows, through a macro, and on another table; rows that can be dropped or are merged.
DOCUMENT = """
domain: own
macros:
  agrees: {about: x, params: [x, y], sql: "x = first(x) OVER (ORDER BY y)"}
tables:
  calls:
    about: x
    columns: {file: {type: VARCHAR}, item: {type: VARCHAR}, level: {type: DOUBLE}, kind: {type: VARCHAR},
              times: {type: BIGINT, nullable: true}, lang: {type: VARCHAR, nullable: true}}
    key: [file, item]
    min_rows: 1
    formats: [tsv, parquet]
    droppable: true
    checks:
      - {sql: level >= 0, says: "level {level} is negative"}
      - {sql: "coalesce(times < 900, true)", says: "times {times} of {item}", droppable: true}
      - {sql: "agrees(kind, line)", says: "kind {kind} differs"}
      - {sql: "item IN (SELECT item FROM {{ items }})", needs: [items], says: "unknown item {item}"}
  items:
    about: x
    columns: {item: {type: VARCHAR}, weight: {type: BIGINT}}
    key: [item, weight]
    duplicates: merge
    min_rows: 2
    formats: [tsv, parquet]
  files: {about: x, columns: {file: {type: VARCHAR}}, describes: file, formats: [tsv]}
relations:
  weighed:
    {about: x, needs: [calls, items], split_by: {calls: rows},
     sql: "SELECT calls.line, file, item, coalesce(lang, '') AS lang, weight * times AS n
           FROM {{ calls }} AS calls JOIN {{ items }} USING (item)",
     columns: {line: x, file: x, item: x, lang: x, n: x}}
metrics:
  total: {about: x, kind: statistics, from: weighed, unit: [file], statistics: {n: sum(n), r: count(*)},
          components: {n: n, r: r}}
suites:
  mine: {about: x, inputs: [calls, items], submitted: [calls], optional: [files], metrics: [total], keep: [weighed]}
"""
ROWS, GROUP = 400, 30  # of the calls, and of a row group


def calls() -> dict[str, list[Any]]:
    numbers = range(ROWS)
    return {
        "file": [f"f{n % 23}" for n in numbers],
        "item": [f"i{n // 23}" for n in numbers],
        "level": [n / 7 for n in numbers],
        "times": [n * 5 % 800 for n in numbers],
        "kind": ["k"] * ROWS,
    }


Columns = dict[str, list[Any]]
Form = Callable[[Columns], None]


def write(path: str, columns: Columns, rows: slice = slice(None)) -> None:
    """Write some rows to a file, in row groups of which the last is smaller."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    unsigned = {"times": pa.uint64()} if max(columns.get("times") or [0]) > 2**62 else {}
    table = pa.table({name: pa.array(values[rows], unsigned.get(name)) for name, values in columns.items()})
    if path.endswith(".parquet"):
        pq.write_table(table, path, row_group_size=GROUP)
    else:
        options = csv.WriteOptions(delimiter="\t", quoting_style="none")
        csv.write_csv(table, path, options)


def one_parquet(columns: Columns) -> None:
    write("calls.parquet", columns)


def one_text(columns: Columns) -> None:
    write("calls.tsv", columns)


def folder_of_parquet(columns: Columns) -> None:
    """Two files are small, and one is cut into shares."""
    for lang, rows in (("de", slice(0, 20)), ("en", slice(20, 330)), ("fr", slice(330, 400))):
        write(f"calls/lang={lang}/1.parquet", columns, rows)


def folder_of_text(columns: Columns) -> None:
    for at in range(0, ROWS, 50):
        write(f"calls/lang=l{at // 100}/{at}.tsv", columns, slice(at, at + 50))


FORMS = {
    one_parquet: "calls.parquet",
    one_text: "calls.tsv",
    folder_of_parquet: "calls",
    folder_of_text: "calls",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    """The engine of this process; small inputs are divided as large ones are."""
    engine = Here()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(runner, "connect", lambda on: engine)
    monkeypatch.setattr(inputs, "LEAST_BYTES", 1)
    monkeypatch.setattr(inputs, "FEW_ROWS", 100)
    (tmp_path / "own.yaml").write_text(DOCUMENT)
    write("items.tsv", {"item": [f"i{n % 18}" for n in range(20)], "weight": [n % 18 for n in range(20)]})
    write("files.tsv", {"file": [f"f{n}" for n in range(23)]})
    return engine


def outcome(form: Form, parts: int | None, **options: Any) -> tuple[Any, ...]:
    """The results and warnings of a run over calls, or its error."""
    given = {"calls": FORMS[form], "items": "items.tsv", **options.pop("given", {})}
    return outcome_of("mine", given, parts, **options)


def outcome_of(suite: str, given: dict[str, str], parts: int | None, **options: Any) -> tuple[Any, ...]:
    """The results and warnings of a run, or its error."""
    divided = {"on": "processes:2", "shared": "shared", "parts": parts} if parts else {}
    path = Path("results.duckdb")
    path.unlink(missing_ok=True)
    told: list[Any] = []
    try:
        run = scorespec.score(
            suite, specs="own.yaml", inputs=given, output=path, progress=told.append, threads=1, **options, **divided
        )
    except ScorespecError as error:
        warnings = [each.message for each in told if hasattr(each, "message")]
        return type(error), str(error), error.problems, error.total, warnings
    return run.scores, run.warnings, {each.label: each.rows for each in run.costs}, rows_of_tables(path)


@pytest.mark.parametrize(
    ("form", "parts"), first([(folder_of_parquet, (3,)), (folder_of_text, (3,)), (one_parquet, (1, 5))])
)
def test_the_results_are_those_of_one_process(here: Here, form: Form, parts: tuple[int, ...]) -> None:
    form(calls())
    more = {"given": {"files": "files.tsv"}}
    alone = outcome(form, None, **more)
    assert len(alone) == 4, alone
    assert "evidence_weighed" in alone[3]
    assert "2 repeated rows of items.tsv are counted once" in alone[1]
    for number in parts:
        assert outcome(form, number, **more) == alone
    reported = {each.label for each in here.of_inputs if isinstance(each, CheckTask)}
    assert reported == {"checking items"}  # of which rows are merged; no other row is at fault


def faulty_rows(found: Columns) -> Columns:
    """Each sort of fault: found by a reader or a check, within a share or between shares and inputs."""
    changed = {name: [*values] for name, values in found.items()}
    for at in (2, 120):
        changed["file"][at], changed["item"][at] = found["file"][5], found["item"][5]
    for at in (3, 333):
        changed["item"][at] = None
    for at in (4, 350):
        changed["item"][at] = "i99"
    changed["file"][6:10] = ["f99"] * 4
    changed["level"][11:390:17] = [-1.0] * len(changed["level"][11:390:17])
    changed["kind"][200:203] = ["j"] * 3
    return changed


BAD: dict[str, Callable[[Columns], Columns]] = {
    "faulty rows": faulty_rows,
    "repeated keys": lambda found: found | {name: [*found[name][:-1], found[name][0]] for name in ("file", "item")},
    "a missing column": lambda found: {name: values for name, values in found.items() if name != "level"},
    "a column of another type": lambda found: found | {"level": [f"{level}x" for level in found["level"]]},
    "too large numbers": lambda found: found | {"times": [2**63 * (at % 9 == 0) + at for at in range(ROWS)]},
    "no rows": lambda found: {name: values[:0] for name, values in found.items()},
}  # fmt: skip


@pytest.mark.parametrize(
    ("fault", "form"),
    first(
        [
            ("faulty rows", one_text),
            ("a missing column", folder_of_parquet),
            ("a column of another type", one_parquet),
            ("faulty rows", one_parquet),
            ("faulty rows", folder_of_parquet),
            ("a column of another type", folder_of_text),
            ("too large numbers", folder_of_parquet),
            ("no rows", one_text),
        ],
        3,
    ),
)
def test_bad_inputs_have_the_messages_of_one_process(here: Here, form: Form, fault: str) -> None:
    form(BAD[fault](calls()))
    more = {"given": {"files": "files.tsv"}}
    alone = outcome(form, None, **more)
    assert alone[0] is InputError, alone
    assert outcome(form, 2, **more) == alone
    assert not here.tasks


@slow
def test_columns_that_are_not_read_are_named_once(here: Here) -> None:
    folder_of_parquet(calls() | {"tiems": [1] * ROWS})
    alone = outcome(folder_of_parquet, None)
    assert sum("tiems" in each for each in alone[1]) == 1
    assert outcome(folder_of_parquet, 2) == alone


@pytest.mark.parametrize("form", first([one_text, folder_of_parquet]))
def test_rows_are_dropped_as_in_one_process(here: Here, form: Form) -> None:
    """By readers and by checks, and before a row of another input is looked for."""
    found = calls()
    found["times"] = [times + 900 if at % 13 == 1 else times for at, times in enumerate(found["times"])]
    if form is one_text:
        found["level"] = ["x" if at % 50 == 7 else str(level) for at, level in enumerate(found["level"])]
    form(found)
    alone = outcome(form, None, on_bad_row="drop")
    assert "dropped_rows" in alone[3]
    assert any("dropped" in each for each in alone[1])
    assert outcome(form, 2, on_bad_row="drop") == alone


def test_a_run_of_which_every_row_would_be_dropped(here: Here) -> None:
    one_parquet(calls() | {"times": [900] * ROWS})
    alone = outcome(one_parquet, None, on_bad_row="drop")
    assert "every row would be dropped" in alone[1]
    assert outcome(one_parquet, 2, on_bad_row="drop") == alone


def test_all_problems_of_all_inputs_are_reported_in_their_order(here: Here) -> None:
    one_parquet(calls() | {"level": [-1.0] * ROWS})
    write("items.tsv", {"item": ["i1"], "weight": ["x"]})
    alone = outcome(one_parquet, None)
    assert [each.file for each in alone[2][18:]] == ["calls.parquet"] * 2 + ["items.tsv"]
    assert outcome(one_parquet, 2) == alone


def test_the_first_input_that_cannot_be_read_is_named(here: Here) -> None:
    one_parquet(calls())
    Path("calls.parquet").write_bytes(Path("calls.parquet").read_bytes()[:-9])
    write("items.tsv", {"thing": ["i1"]})
    alone = outcome(one_parquet, None)
    assert "calls.parquet: cannot be read" in alone[1]
    assert outcome(one_parquet, 2) == alone


def test_rows_of_a_parquet_file_are_read_by_whole_row_groups(here: Here) -> None:
    one_parquet(calls())
    assert outcome(one_parquet, 3)[0].num_rows
    asked = [task.share for task in here.of_inputs if isinstance(task, ReadTask)]
    ranges = sorted(share.source.rows for share in asked if share.source.rows)
    assert ranges[0][0] == 0
    assert ranges[-1][1] == ROWS
    assert [end for _, end in ranges[:-1]] == [begin for begin, _ in ranges[1:]]
    assert len(ranges) == 3
    assert all(begin % GROUP == 0 for begin, _ in ranges)
    assert [share.hashed for share in sorted(asked, key=lambda share: share.source.rows or (0, 0))].count(True) == 2


@pytest.mark.parametrize(("unit", "tasks"), [("lang", 1), ("file", 3)])
def test_keys_are_compared_in_parts_where_the_key_divides_the_rows(here: Here, unit: str, tasks: int) -> None:
    Path("own.yaml").write_text(DOCUMENT.replace("unit: [file]", f"unit: [{unit}]"))
    one_parquet(BAD["repeated keys"](calls()))
    alone = outcome(one_parquet, None)
    assert "calls.parquet:400: repeats an earlier line: file f0, item i0" in alone[1]
    assert outcome(one_parquet, 3) == alone
    asked = [each for task in here.of_inputs for each in getattr(task, "examinations", ())]
    assert [each.key for each in asked if each.table == "calls"].count(("file", "item")) == tasks


def test_a_file_that_changes_while_its_rows_are_read(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    one_parquet(calls())

    def changing(function: Callable[[Any], Any], tasks: Any) -> Any:
        found = [function(task) for task in tasks]
        one_parquet(calls() | {"kind": ["other"] * ROWS})
        return iter(enumerate(found))

    monkeypatch.setattr(here, "map", changing)
    kind, said, problems, *_ = outcome(one_parquet, 3)
    assert (kind, problems[0].code) == (InputError, Code.CHANGED)
    assert said == "calls.parquet: was changed while it was read; score it again"


def test_a_worker_that_does_not_see_an_input_is_named(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    one_parquet(calls())
    inner = here.map

    def elsewhere(function: Callable[[Any], Any], tasks: Any) -> Any:
        Path("calls.parquet").rename("gone.parquet")
        return inner(function, tasks)

    monkeypatch.setattr(here, "map", elsewhere)
    kind, said, *_ = outcome(one_parquet, 3)
    assert kind is RunError
    assert "does not see the file calls.parquet at /" in said
    assert said.endswith("inputs must be at the same paths on all workers")


PATHS = """
domain: own
tables:
  paths: {about: x, columns: {name: {type: VARCHAR}, steps: {type: "DOUBLE[]"}}, key: [name], formats: [parquet],
          checks: [{sql: len(steps) < 9, says: "{name} has too many steps"}]}
relations:
  sums: {about: x, needs: [paths], split_by: rows, columns: {line: x, name: x, n: x},
         sql: "SELECT line, name, list_sum(steps) AS n FROM {{ paths }}"}
metrics:
  walked: {about: x, kind: statistics, from: sums, statistics: {n: exact_sum(n)}, components: {n: n}}
suites:
  paths: {about: x, inputs: [paths], metrics: [walked], keep: [sums]}
"""


@pytest.mark.parametrize("group_bytes", first([100, in_place.ROW_GROUP_BYTES]))
def test_rows_with_lists_are_read_by_row_groups(here: Here, monkeypatch: pytest.MonkeyPatch, group_bytes: int) -> None:
    """Large row groups are written anew as smaller ones, and the lines are still those of the file."""
    monkeypatch.setattr(in_place, "ROW_GROUP_BYTES", group_bytes)
    Path("own.yaml").write_text(PATHS)
    given = {"paths": "paths.parquet"}
    columns: Columns = {"name": [f"n{n}" for n in range(200)], "steps": [[n / 2] * (n % 7 + 1) for n in range(200)]}
    write("paths.parquet", columns)
    alone = outcome_of("paths", given, None)
    assert "evidence_sums" in alone[3]
    assert outcome_of("paths", given, 3) == alone
    assert [each.label for each in here.of_inputs if "loading" in each.label][-1].endswith(" of 3")
    for at in (40, 150, 199):
        columns["steps"][at] = [1.0] * 9
    write("paths.parquet", columns)
    alone = outcome_of("paths", given, None)
    assert "paths.parquet:151: n150 has too many steps" in alone[1]
    assert outcome_of("paths", given, 3) == alone


def test_rows_with_lists_in_several_files(here: Here) -> None:
    Path("own.yaml").write_text(PATHS)
    for file, numbers in (("a", range(60)), ("b", range(60, 200))):
        write(f"{file}.parquet", {"name": [f"n{n}" for n in numbers], "steps": [[n / 2] * (n % 7) for n in numbers]})
    given = {"paths": "[ab].parquet"}
    alone = outcome_of("paths", given, None)
    assert len(alone) == 4, alone
    assert outcome_of("paths", given, 3) == alone


def test_the_frames_of_a_sequence_are_read_together(here: Here) -> None:
    Path("own.yaml").write_text(PATHS)
    frames = range(8)
    columns = {"name": [f"n{n}" for n in range(50) for _ in frames], "frame": [*frames] * 50, "steps": [1.0] * 400}
    write("paths.parquet", columns)
    given = {"paths": "paths.parquet"}
    alone = outcome_of("paths", given, None)
    assert len(alone) == 4, alone
    assert outcome_of("paths", given, 3) == alone
