"""Each code of a problem: an input, a call or an event that leads to it; the page that lists them all."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from command_line import INPUTS

import scorespec
from marks import some
from scorespec.errors import (
    Code,
    InputError,
    Place,
    Problem,
    Problems,
    RunError,
    ScorespecError,
    SpecError,
    UnsavedRunError,
    failure_of,
)
from scorespec.formats import FORMATS
from scorespec.run.inputs.files import Stamp
from scorespec.run.limits import Limits
from scorespec.run.session import resource_error

ROOT = Path(__file__).parents[2]
COLUMNS = {"name": pa.string(), "number": pa.float64(), "whole": pa.int64(), "truth": pa.bool_()}
HEADER = "name,number,whole,truth\n"
WALKS = """
domain: strides
tables:
  walks:
    about: x
    columns: {walker: {type: VARCHAR}, steps: {type: "DOUBLE[]"}}
    key: [walker]
    formats: [csv]
relations:
  sums: {about: x, needs: [walks], sql: "SELECT walker, list_sum(steps) AS steps FROM {{ walks }}"}
  short:
    about: x
    needs: [walks]
    sql: "SELECT walker, len(steps) AS n FROM {{ walks }}"
    errors: [{sql: n < 2, says: "{walker} walks {n} steps"}]
metrics:
  walked: {about: x, kind: statistics, from: sums, statistics: {n: exact_sum(steps)}, components: {value: n}}
  short: {about: x, kind: statistics, from: short, statistics: {n: count(*)}, components: {value: n}}
suites:
  walks: {about: x, inputs: [walks], metrics: [walked]}
"""


def score(**given: object) -> None:
    """Score with the inputs of the folder, and others or options in their place."""
    scorespec.score("zerospeech2017", **({**dict(each.split("=") for each in INPUTS), "metrics": "token"} | given))


def fragments(line: str) -> None:
    Path("a.class").write_text(f"Class 1\n{line}\n")
    score(fragments="a.class")


def read(text: str, format: str = "csv") -> None:
    """Read a file in a format, whose columns are those above."""
    Path("a.csv").write_text(text)
    problems = Problems("a.csv")
    list(FORMATS[format].read(Path("a.csv"), COLUMNS, problems))
    raise InputError([problems])


def walk(text: str, metric: str) -> None:
    Path("walks.yaml").write_text(WALKS)
    Path("walks.csv").write_text(text)
    scorespec.score("walks", specs="walks.yaml", walks="walks.csv", metrics=metric)


def written(name: str, content: bytes) -> str:
    Path(name).write_bytes(content)
    return name


def change() -> None:
    stamp = Stamp.of(Path(written("a.parquet", b"1")))
    Path("a.parquet").unlink()
    stamp.check("a.parquet")


def fail(error: BaseException | None) -> None:
    assert error is not None
    raise error


TYPED = pa.table({"cluster": ["1"], "file": ["alpha_sa1"], "onset": ["0.1"], "offset": [1.0]})

# What leads to each code, and the line and the column that the first problem has.
EXAMPLES: dict[Code, tuple[Callable[[], None], int | None, str | int | None]] = {
    Code.NO_FILE: (lambda: score(fragments="none.class"), None, None),
    Code.UNREADABLE: (lambda: score(fragments=written("a.class.gz", b"Class 1\n")), None, None),
    Code.CHANGED: (change, None, None),
    Code.NOT_TEXT: (lambda: score(fragments=written("a.class", b"Class 1\n\xff 0.1 0.2\n")), None, None),
    Code.WRONG_FORMAT: (lambda: read("<kwlist/>", "kwslist"), 1, None),
    Code.TOO_FEW_ROWS: (lambda: score(fragments=written("a.class", b"")), None, None),
    Code.MISSING_COLUMN: (lambda: read("name,number,whole\nx,1,2\n"), 1, "truth"),
    Code.REPEATED_COLUMN: (lambda: read("name,name,number,whole,truth\n"), 1, "name"),
    Code.WRONG_TYPE: (lambda: score(fragments=TYPED), None, "onset"),
    Code.MALFORMED: (lambda: fragments("alpha_sa1 0.1"), 2, None),
    Code.TOO_LONG: (lambda: score(fragments=written("a.class", b"Class " + b"x" * 2000 + b"\n")), 1, "cluster"),
    Code.MISSING_VALUE: (lambda: read(f"{HEADER}x,,1,true\n"), 2, "number"),
    Code.NOT_A_NUMBER: (lambda: read(f"{HEADER}x,1,1.5,true\n"), 2, "whole"),
    Code.NOT_A_BOOLEAN: (lambda: read(f"{HEADER}x,1,1,perhaps\n"), 2, "truth"),
    Code.OUT_OF_RANGE: (lambda: read(f"{HEADER}x,1,{'9' * 19},true\n"), 2, "whole"),
    Code.NOT_FINITE: (lambda: fragments("alpha_sa1 nan 1.0"), 2, "onset"),
    Code.REPEATED_KEY: (lambda: fragments("alpha_sa1 0.1 0.2\n\nClass 1\nalpha_sa1 0.3 0.4"), 4, "cluster"),
    Code.FRAME_GAP: (lambda: walk("walker,frame,steps\nann,0,1\nann,2,1\n", "walked"), 2, "steps"),
    Code.CHECK: (lambda: fragments("alpha_sa1 0.5 0.1"), 2, None),
    Code.REFUSED: (lambda: walk("walker,frame,steps\nann,0,1\n", "short"), None, None),
    Code.USAGE: (lambda: score(threads=0), None, None),
    Code.UNKNOWN_NAME: (lambda: score(metrics="tokens"), None, None),
    Code.MISSING_INPUT: (lambda: score(fragments=None), None, None),
    Code.DOCUMENT: (lambda: score(specs=written("a.yaml", b"domain: term_discovery\nx: 1\n")), 2, 1),
    Code.RUN: (lambda: print(scorespec.open_results("none.duckdb")), None, None),
    Code.OUT_OF_MEMORY: (lambda: fail(resource_error(duckdb.OutOfMemoryException("x"), "x", Limits())), None, None),
    Code.DISK_FULL: (lambda: fail(resource_error(duckdb.IOException("No space left"), "x", Limits())), None, None),
    Code.UNSAVED: (lambda: fail(UnsavedRunError("x", None, None)), None, None),
    Code.SYSTEM: (lambda: fail(OSError(24, "Too many open files")), None, None),
    Code.INTERRUPTED: (lambda: fail(KeyboardInterrupt()), None, None),
    Code.FAULT: (lambda: fail(KeyError("x")), None, None),
}  # fmt: skip


@pytest.mark.parametrize("code", EXAMPLES)
@pytest.mark.usefixtures("folder")
def test_each_code_is_that_of_its_example(code: Code) -> None:
    lead, line, column = EXAMPLES[code]
    with pytest.raises(BaseException) as caught:  # noqa: PT011
        lead()
    first = failure_of(caught.value).problems[0]
    assert (first.code, first.line, first.column) == (code, line, column), first
    assert first.message
    if isinstance(caught.value, ScorespecError):
        assert caught.value.problems[0] == first


def test_every_code_has_an_example() -> None:
    assert list(EXAMPLES) == list(Code)


def test_the_engine_writes_no_other_code() -> None:
    """A code is a member of `Code` wherever a problem is recorded."""
    for path in some((ROOT / "engine").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"code(: str)?\s*=\s*[\"']", text), path
        used = set(re.findall(r"\bCode\.([A-Z]\w*)", text))
        assert used <= set(Code.__members__), path


def test_a_problem_has_file_line_column_code_and_message(folder: Path) -> None:
    (folder / "a.class").write_text("Class 1\nalpha_sa1 x 0.2\nalpha_sa1 0.3\n")
    with pytest.raises(InputError) as caught:
        score(fragments="a.class")
    assert caught.value.problems == [
        Problem("a.class", 2, "onset", "not_a_number", "onset is not a number: 'x'"),
        Problem("a.class", 3, None, "malformed", "expected 3 columns (file onset offset), found 2: 'alpha_sa1 0.3'"),
    ]
    assert list(asdict(caught.value.problems[0])) == ["file", "line", "column", "code", "message"]
    assert caught.value.total == 2


def test_of_many_problems_the_first_are_there_and_all_are_counted(folder: Path) -> None:
    (folder / "a.class").write_text("Class 1\n" + "alpha_sa1 0.3\n" * 50)
    with pytest.raises(InputError) as caught:
        score(fragments="a.class")
    assert [each.line for each in caught.value.problems] == list(range(2, 22))
    assert caught.value.total == 50


def test_a_plugin_may_have_codes_of_its_own() -> None:
    problems = Problems("a.txt")
    problems.add(3, "no such speaker", "unknown_speaker", "speaker")
    assert InputError([problems]).problems == [Problem("a.txt", 3, "speaker", "unknown_speaker", "no such speaker")]
    assert RunError("x").problems[0].code is Code.RUN


def test_each_problem_of_a_document_has_its_place() -> None:
    said = "a.yaml:3:5: no such key\nb.yaml:7: template: wrong\n  its second line"
    assert SpecError(said).problems == [
        Problem("a.yaml", 3, 5, "document", "no such key"),
        Problem("b.yaml", 7, None, "document", "template: wrong\n  its second line"),
    ]
    assert SpecError("wrong", Place("a.yaml", 3, 5)).problems == [Problem("a.yaml", 3, 5, "document", "wrong")]
    assert SpecError("not YAML", "a.yaml").problems == [Problem("a.yaml", None, None, "document", "not YAML")]
