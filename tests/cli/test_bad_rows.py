"""--on-bad-row drop: rows of a submission that fail a droppable check are left out, counted and listed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import DATA, SUITE, Command

import scorespec
from marks import first
from scorespec import errors

DROP = ("--on-bad-row", "drop", "--metric", "ned", "--no-evidence")
ADDED = {2: "alpha_sa1 0.50 0.50", 5: "alpha_sa1 0.5 0.40", 6: "alpha_sa2 half 1", 8: "alpha_sb1 0.1 nan"}
MESSAGES = {
    2: ("check", "offset 0.5 is not after onset 0.5"),
    5: ("check", "offset 0.4 is not after onset 0.5"),
    6: ("not_a_number", "onset is not a number: 'half'"),
    8: ("not_finite", "offset is nan; it must be a finite number"),
}
# The first class has 10 members or more, so all of these lines are in it.
WARNINGS = [
    "bad.class: 2 of 10 rows (20 %) are dropped, the first at line 2: offset 0.5 is not after onset 0.5",
    "bad.class: 1 of 10 rows (10 %) is dropped, at line 6: onset is not a number: 'half'",
    "bad.class: 1 of 10 rows (10 %) is dropped, at line 8: offset is nan; it must be a finite number",
]


@pytest.fixture
def bad(folder: Path) -> Path:
    """The submission `bad.class`, with four bad rows, and the other rows alone, `good.class`."""
    good = ["Class 1", *(DATA / "alpha.jitter.class").read_text().splitlines()[1:4]]
    good += [*(DATA / "alpha.overlap.class").read_text().splitlines()[1:4]]
    (folder / "good.class").write_text("\n".join(good) + "\n")
    for line, text in ADDED.items():
        good.insert(line - 1, text)
    (folder / "bad.class").write_text("\n".join(good) + "\n")
    return folder


def query(cli: Command, results: str, asked: str) -> Any:
    return json.loads(cli("query", results, asked, "--format", "json").scored())


def test_a_bad_row_is_an_error_unless_asked_for(score: Command, bad: Path) -> None:
    result = score("fragments=bad.class")
    result.refused_with("bad.class:2: offset 0.50 is not after onset 0.50\n", "bad.class:6: onset is not a number")
    assert score("fragments=bad.class", "--on-bad-row", "error").err == result.err


def test_the_scores_are_those_without_the_rows(score: Command, bad: Path) -> None:
    found = score("fragments=bad.class", *DROP, "--format", "csv")
    assert found.err.splitlines() == [f"warning: {each}" for each in WARNINGS]
    assert found.out == score("fragments=good.class", *DROP, "--format", "csv").scored()


def test_the_rows_are_listed(score: Command, cli: Command, bad: Path) -> None:
    score("fragments=good.class", *DROP, "-o", "results.duckdb").scored()
    score("fragments=bad.class", *DROP, "-o", "other.duckdb", "--quiet").scored()
    expected = [
        {"input": "fragments", "path": str(bad / "bad.class"), "line": line, "code": code, "message": message}
        for line, (code, message) in MESSAGES.items()
    ]
    assert query(cli, "other.duckdb", "SELECT * EXCLUDE (run) FROM dropped_rows") == expected
    assert query(cli, "results.duckdb", "FROM dropped_rows") == []
    cli("runs", "add", "results.duckdb", "other.duckdb").scored()
    assert query(cli, "results.duckdb", "FROM dropped_rows") == [{"run": 2, **each} for each in expected]


def test_programs_see_the_number(score: Command, bad: Path) -> None:
    found = json.loads(score("fragments=bad.class", *DROP, "--format", "json", "--quiet").scored())
    assert [(each["name"], each["rows"], each["dropped_rows"]) for each in found["run"]["inputs"]] == [
        ("phones", 2030, 0),
        ("words", 774, 0),
        ("fragments", 10, 4),
    ]
    assert found["warnings"] == WARNINGS


def test_a_stored_run_is_shown_as_it_was_scored(score: Command, cli: Command, bad: Path) -> None:
    """A run that drops rows does not supersede one that did not, as it was scored by another rule."""
    options = (
        "--metric",
        "ned",
        "--no-evidence",
        "--name",
        "mine",
        "-o",
        "results.duckdb",
        "--quiet",
        "--format",
        "json",
    )
    score("fragments=good.class", *options).scored()
    run = json.loads(score("fragments=bad.class", "--on-bad-row", "drop", *options).scored())
    shown = json.loads(cli("runs", "show", "results.duckdb", "2", "--format", "json").out)
    assert shown["run"] == run["run"]
    assert [each["dropped_rows"] for each in shown["run"]["inputs"]] == [0, 0, 4]
    assert query(cli, "results.duckdb", "SELECT id FROM runs WHERE superseded_by IS NULL") == [{"id": 1}, {"id": 2}]


def test_the_signature_says_it(bad: Path) -> None:
    inputs = {"phones": "alpha.phn", "words": "alpha.wrd", "fragments": "good.class"}
    asked = {"inputs": inputs, "metrics": "coverage", "keep_evidence": False}
    plain = scorespec.score(SUITE, **asked)
    dropping = scorespec.score(SUITE, **asked, on_bad_row="drop")
    for each in ("signature", "short_signature"):
        before = getattr(plain, each)
        assert getattr(dropping, each) == before.replace(f"{SUITE}|", f"{SUITE}|on_bad_row:drop|")
    assert plain.table() == dropping.table()
    points = scorespec.reference_points(SUITE, **asked, on_bad_row="drop")
    assert {each.signature for each in points.values()} == {dropping.signature}


# -- what is refused ---------------------------------------------------------------------------------


def test_what_is_not_droppable_ends_the_run(score: Command, bad: Path, write: Callable[[str, str], str]) -> None:
    """A recording of another corpus, a line that is no row, and a bad row of the gold."""
    lines = "Class 1\nalpha_sa1 0.5 0.5\nbeta_sa1 0.5 0.9\nalpha_sa1 0.5 0.9\n"
    score("fragments=" + write("other.class", lines), *DROP).refused(
        "other.class:3: unknown file beta_sa1: no phone and no word is in it"
    )
    score("fragments=" + write("short.class", "Class 1\nalpha_sa1 0.5\nalpha_sa1 0.5 0.9\n"), *DROP).refused(
        "short.class:2: expected 3 columns (file onset offset), found 2: 'alpha_sa1 0.5'"
    )
    words = write("gold.wrd", (bad / "alpha.wrd").read_text() + "alpha_sa1 0.5 0.5 the\n")
    score("fragments=bad.class", f"words={words}", *DROP).refused(
        "gold.wrd:775: offset 0.5 is not after onset 0.5",
    )


def test_a_submission_without_a_good_row_is_refused(score: Command, write: Callable[[str, str], str]) -> None:
    none = write("none.class", "Class 1\nalpha_sa1 0.5 0.5\nalpha_sa1 x 0.9\n")
    score(f"fragments={none}", *DROP).refused(
        "none.class: every row would be dropped, and none is left to score\n"
        "none.class:2: offset 0.5 is not after onset 0.5\n"
        "none.class:3: onset is not a number: 'x'"
    )
    empty = write("empty.class", "Class 1\n")
    score(f"fragments={empty}", *DROP).refused("empty.class: no rows; fragments needs at least 1")


NOTHING = (
    "error: --on-bad-row drop: this run reads no input of a submission from which rows can be dropped; "
    "leave the option out"
)


def test_the_option_is_refused_where_it_does_nothing(
    cli: Command, score: Command, write: Callable[[str, str], str]
) -> None:
    """A corpus is described without a submission; a transcript is a sequence, of which no word can be left out."""
    cli("describe", SUITE, "phones=alpha.phn", "words=alpha.wrd", "--on-bad-row", "drop").refused(NOTHING, code=2)
    words = write("h.ctm", "d 1 0.0 0.1 yes\n")
    said = (
        "error: --on-bad-row drop: input 'hypothesis' is a sequence of words, of which none may be missing; "
        "rows are dropped if each has a text, or leave the option out"
    )
    cli("score", "wer", f"reference={words}", f"hypothesis={words}", "--on-bad-row", "drop").refused(said, code=2)
    said = "error: --on-bad-row skip: it must be error or drop"
    score("--on-bad-row", "skip").refused(said, code=2)


def test_very_many_unreadable_rows_are_another_file(
    score: Command, write: Callable[[str, str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "MOST_UNREADABLE", 3)
    rows = "".join(f"alpha_sa1 x{number} 0.9\n" for number in range(4))
    name = write("many.class", f"Class 1\nalpha_sa1 0.5 0.9\n{rows}")
    score(f"fragments={name}", *DROP).refused("many.class: more than 3 rows cannot be read; is this the right file?")


# -- kinds of inputs ---------------------------------------------------------------------------------

COLUMNS = ("cluster", "file", "onset", "offset")
GIVEN = [
    ("1", "alpha_sa1", 0.5, 0.9),
    ("1", "alpha_sa2", 0.7, 0.7),
    ("1", None, 0.7, 0.9),
    ("1", "alpha_sa2", 0.7, 1.2),
]


def given(kind: str, rows: list[tuple[Any, ...]], folder: Path) -> Any:
    table = pa.Table.from_pylist([dict(zip(COLUMNS, row, strict=True)) for row in rows])
    if kind == "parquet":
        pq.write_table(table, folder / "f.parquet")
        return folder / "f.parquet"
    return table if kind == "arrow" else table.to_pandas()


@pytest.mark.parametrize("kind", first(["parquet", "arrow", "pandas"]))
def test_rows_of_other_inputs(folder: Path, kind: str) -> None:
    def run(rows: list[tuple[Any, ...]]) -> scorespec.Run:
        inputs = {"phones": "alpha.phn", "words": "alpha.wrd", "fragments": given(kind, rows, folder)}
        return scorespec.score(SUITE, inputs=inputs, metrics=["ned"], on_bad_row="drop")

    found, expected = run(GIVEN), run([GIVEN[0], GIVEN[3]])
    assert found.table() == expected.table()
    assert found.sql("SELECT line, message FROM dropped_rows").to_pylist() == [
        {"line": 2, "message": "offset 0.7 is not after onset 0.7"},
        {"line": 3, "message": "file is missing"},
    ]


KWSLIST = """<kwslist kwlist_filename="k" language="l" system_id="s">
<detected_kwlist kwid="Q1" search_time="1" oov_count="0"><kw file="d01" channel="1" tbeg="10" dur="1" score="0.9" decision="YES"/><kw file="d01" channel="1" tbeg="10" dur="-1" score="0.8" decision="YES"/><kw file="d02" channel="1" tbeg="21" dur="1" score="x" decision="YES"/></detected_kwlist>
</kwslist>
"""  # fmt: skip  # noqa: E501


def test_rows_of_one_line_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "kws.xml").write_text(KWSLIST)
    found = {
        "queries": pa.table({"query": ["Q1"]}),
        "audio": pa.table({"doc": ["d01", "d02"], "channel": ["1"] * 2, "tbeg": [0.0] * 2, "dur": [60.0] * 2}),
        "occurrences": pa.table({"query": ["Q1"], "doc": ["d01"], "channel": ["1"], "tbeg": [10.0], "dur": [1.0]}),
        "detections": tmp_path / "kws.xml",
    }
    run = scorespec.score("std2006", inputs=found, metrics="counts", on_bad_row="drop")
    assert (run.value("counts", "detections"), run.value("counts", "hits")) == (1, 1)
    assert run.sql("SELECT line, message FROM dropped_rows").to_pylist() == [
        {"line": 2, "message": "dur -1.0 is negative"},
        {"line": 2, "message": "score is not a number: 'x'"},
    ]


OWN = """\
domain: own
tables:
  labels: {about: x, columns: {item: {type: VARCHAR}}, key: [item], formats: [csv]}
  answers:
    about: x
    columns: {item: {type: VARCHAR}, part: {type: VARCHAR, nullable: true}, path: {type: "DOUBLE[]", nullable: true},
              level: {type: DOUBLE, nullable: true}}
    key: [part, item]
    part_column: part
    formats: [csv, parquet]
    checks:
      - {sql: "coalesce(level > 0, true)", says: "level {level} of {item} is not above 0", droppable: true}
      - {sql: item <> 'z', says: "no {item}"}
relations:
  sums: {about: x, needs: [answers], sql: "SELECT item, list_sum(path) AS n FROM {{ answers }}"}
  none: {about: x, needs: [labels], sql: "SELECT item FROM {{ labels }}"}
metrics:
  size: {about: x, kind: ratio, from: sums, numerator: sum(n), denominator: count(*)}
reference_points: {gold: {about: x, inputs: {answers: none}}}
suites:
  mine: {about: x, inputs: [answers], optional: [labels], metrics: [size], reference_points: [gold]}
"""


@pytest.fixture
def own(tmp_path: Path) -> Callable[..., scorespec.Run]:
    (tmp_path / "own.yaml").write_text(OWN)
    return lambda answers, **asked: scorespec.score(
        "mine", specs=tmp_path / "own.yaml", answers=answers, on_bad_row="drop", **asked
    )


def test_sequences_that_are_read_in_place(own: Callable[..., scorespec.Run], tmp_path: Path) -> None:
    """In parts, too: the view of a file leaves the rows out, and the file stays as it is."""
    types = pa.schema({"item": pa.string(), "path": pa.list_(pa.float64()), "level": pa.float64()})
    rows = [("a", [1.0, 2.0], 1.0), ("b", [9.0], 0.0), ("c", [5.0], None), ("d", [9.0], -1.0)]
    paths = []
    for name in ("one", "two"):
        table = pa.Table.from_pylist([dict(zip(types.names, row, strict=True)) for row in rows], types)
        pq.write_table(table, tmp_path / f"{name}.parquet")
        paths.append(tmp_path / f"{name}.parquet")
    run = own(paths)
    assert run.value("size") == 4
    assert [(each["rows"], each["dropped_rows"]) for each in run.to_dict()["run"]["inputs"]] == [(4, 2), (4, 2)]
    listed = run.sql("SELECT input, path, line FROM dropped_rows").to_pylist()
    assert listed == [{"input": "answers", "path": str(path), "line": line} for path in paths for line in (2, 4)]


def test_a_row_per_frame(own: Callable[..., scorespec.Run], tmp_path: Path) -> None:
    """A sequence is dropped as a whole; a frame that cannot be read refuses the run, as it would shift the others."""
    text = "item,level,frame,path\na,1,0,1\na,1,1,2\nb,0,0,9\nb,0,1,9\n"
    (tmp_path / "a.csv").write_text(text)
    run = own(tmp_path / "a.csv")
    assert (run.value("size"), len(run.warnings)) == (3, 1)
    (tmp_path / "a.csv").write_text(text.replace("a,1,1,2", "a,1,1,x"))
    with pytest.raises(scorespec.InputError, match=r"a\.csv:3: path is not a number: 'x'$"):
        own(tmp_path / "a.csv")


def test_only_what_a_document_calls_droppable(own: Callable[..., scorespec.Run], tmp_path: Path) -> None:
    """This table lists no missing value as droppable; a row that fails another check as well is dropped."""
    with pytest.raises(scorespec.InputError, match=r"<answers>:2: item is missing$"):
        own(pa.table({"item": ["a", None], "path": [[1.0]] * 2, "level": [1.0] * 2}))
    (tmp_path / "a.csv").write_text("item,level,frame,path\na,1,0,1\nz,0,0,1\n")
    assert own(tmp_path / "a.csv").value("size") == 1
    (tmp_path / "a.csv").write_text("item,level,frame,path\na,1,0,1\nz,1,0,1\n")
    with pytest.raises(scorespec.InputError, match=r"a\.csv:3: no z$"):
        own(tmp_path / "a.csv")


def test_no_row_is_left_of_repeated_rows_either(tmp_path: Path) -> None:
    flat = OWN.replace(', path: {type: "DOUBLE[]", nullable: true}', "").replace("list_sum(path)", "1")
    (tmp_path / "own.yaml").write_text(flat.replace("part_column: part", "duplicates: merge"))
    answers = pa.table({"item": ["a", "a"], "part": ["p", "p"], "level": [0.0, 0.0]})
    with pytest.raises(scorespec.InputError, match="every row would be dropped"):
        scorespec.score("mine", specs=tmp_path / "own.yaml", answers=answers, on_bad_row="drop")


def test_a_repeated_key_is_not_droppable(folder: Path) -> None:
    """Which of two scores of a trial is meant cannot be known; a bad row that repeats a good one is only bad."""
    row = {"query": "q", "doc": "d", "score": 1.0, "decision": "YES"}
    found = {
        "queries": pa.table({"query": ["q", "p"]}),
        "audio": pa.table({"doc": ["d", "e"], "channel": ["1"] * 2, "tbeg": [0.0] * 2, "dur": [9.0] * 2}),
        "occurrences": pa.table({"query": ["q"], "doc": ["d"], "channel": ["1"], "tbeg": [1.0], "dur": [1.0]}),
    }

    def run(*rows: dict[str, Any]) -> scorespec.Run:
        inputs = {**found, "detections": pa.Table.from_pylist([*rows])}
        return scorespec.score(
            "quesst2015", inputs=inputs, metrics="atwv", params={"default_score": -1}, on_bad_row="drop"
        )

    assert run(row, row | {"decision": "MAYBE"}).warnings[0] == (
        "<detections>: 1 of 2 rows (50 %) is dropped, at line 2: decision MAYBE is neither YES nor NO"
    )
    with pytest.raises(scorespec.InputError, match=r"<detections>:2: repeats an earlier line: query q, doc d$"):
        run(row, row)


@pytest.mark.parametrize("item", ["{level}", "{item}", "{}", "it's"])
def test_braces_in_a_value_stay_as_they_are(tmp_path: Path, item: str) -> None:
    (tmp_path / "own.yaml").write_text(OWN)
    rows = [
        {"item": "a", "part": None, "path": [1.0], "level": 1.0},
        {"item": item, "part": None, "path": [1.0], "level": -2.0},
    ]
    given = {"specs": tmp_path / "own.yaml", "inputs": {"answers": pa.Table.from_pylist(rows)}}
    said = f"level -2.0 of {item} is not above 0"
    dropped = scorespec.score("mine", **given, on_bad_row="drop").sql("SELECT message FROM dropped_rows")
    assert dropped.to_pylist() == [{"message": said}]
    with pytest.raises(scorespec.InputError) as refused:
        scorespec.score("mine", **given)
    assert [each.message for each in refused.value.problems] == [said]


FAULTS = """domain: repairs
tables:
  repairs:
    about: One row per repair.
    columns: {fault: {type: VARCHAR}, hours: {type: DOUBLE}}
    formats: [csv]
    submitted: true
    droppable: true
    checks: [{sql: hours > 0, says: "{fault} took {hours} h", droppable: true}]
metrics:
  time: {about: Mean time of a repair., kind: mean, from: repairs, value: hours}
suites:
  repairs: {about: Repairs., inputs: [repairs], metrics: [time]}
"""


def test_a_column_with_any_name_is_checked(tmp_path: Path) -> None:
    (tmp_path / "repairs.yaml").write_text(FAULTS)
    (tmp_path / "repairs.csv").write_text("fault,hours\nleak,2\nspark,-1\n")
    asked = {"specs": [tmp_path / "repairs.yaml"], "repairs": tmp_path / "repairs.csv"}
    with pytest.raises(errors.InputError, match=r"repairs\.csv:3: spark took -1 h"):
        scorespec.score("repairs", **asked)
    run = scorespec.score("repairs", on_bad_row="drop", **asked)
    assert run["time"].value == 2
    assert "repairs.csv: 1 of 2 rows (50 %) is dropped, at line 3: spark took -1.0 h" in run.warnings[0]
