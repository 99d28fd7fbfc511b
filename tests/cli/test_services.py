"""What a service reads: progress as lines and JSON, errors as JSON, and events in Python."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import duckdb
import pytest
from command_line import DATA, INPUTS, SUITE, Command, Result, strict

import scorespec
from scorespec.core import events
from scorespec.core.events import Event, InputRead, ProblemFound, RunEnded, RunStarted, StepBegun, StepDone, Warned
from scorespec.errors import InputError, UsageError
from scorespec.run import progress
from scorespec.run.progress import Lines, shown

TOKEN = ("--metric", "token")
GIVEN = dict(each.split("=") for each in INPUTS)


def log_of(result: Result) -> list[dict[str, Any]]:
    """The events on standard error, each a line of JSON."""
    return [strict(line) for line in result.err.splitlines() if line[:1] == "{"]


@pytest.fixture
def warned(folder: Path) -> str:
    """An input with a warning: a fragment in which there is no phone."""
    (folder / "tiny.class").write_text("Class 1\nalpha_sa1 0.431 0.432\n")
    return "fragments=tiny.class"


# -- progress ----------------------------------------------------------------------------------------


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_lines_come_at_most_every_few_seconds(monkeypatch, capsys):
    clock = Clock()
    monkeypatch.setattr(progress.time, "monotonic", clock)
    monkeypatch.setattr(progress, "PAUSE", 10.0)
    lines = Lines()
    printed = []
    for number, (seconds, event) in enumerate(
        [
            (1, InputRead("words", "a.wrd", 1, 9, 1000, 1.0)),
            (2, StepBegun("relation a", 2, 9, Path())),
            (5, StepDone("relation a", 2, 9, 2_000_000, 3.0)),
            (5, StepBegun("relation b", 3, 9, Path())),
            (75, StepDone("relation b", 3, 9, 3_000_000, 70.0)),
            (75, StepBegun("relation c", 4, 9, Path())),
            (80, StepDone("relation c", 4, 9, 1, 5.0)),
            (80, StepBegun("relation d", 5, 9, Path())),
            (85, StepDone("relation d", 5, 9, 10, 5.0)),
            (90, RunEnded(90.0)),
        ]
    ):
        clock.now = float(seconds)
        lines(event)
        printed += [(number, line) for line in capsys.readouterr().err.splitlines()]
    assert printed == [
        (4, "0:01:15 3/9 relation b: 3,000,000 rows in 70.0 s"),
        (5, "0:01:15 4/9 relation c …"),
        (8, "0:01:25 5/9 relation d: 10 rows in 5.0 s"),
    ]


def test_without_a_terminal_progress_is_lines(score, monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    for result in (score(*TOKEN), score(*TOKEN, "--progress", "lines")):
        assert result.code == 0
        lines = result.err.splitlines()
        assert re.fullmatch(r"0:\d\d:\d\d 1/\d+ loading phones: 2,030 rows in [\d.]+ s", lines[0])
        last = re.fullmatch(r"0:\d\d:\d\d (\d+)/(\d+) scores: 3 rows in [\d.]+ s", lines[-1])
        assert last
        assert last[1] == last[2]
    for silent in (("--quiet",), ("--progress", "none"), ("--quiet", "--progress", "lines")):
        score("--metric", "coverage", *silent).scored()


def test_lines_name_the_run_where_there_are_several(cli, folder, monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    for name in ("a", "b"):
        (folder / f"{name}.sub").write_text((folder / "alpha.class").read_text())
    call = ("score", SUITE, *INPUTS[:2], *TOKEN, "--each", "fragments=*.sub", "--progress", "lines")
    lines = cli(*call).err.splitlines()
    runs = [re.match(r"0:\d\d:\d\d (run [12]/2 [ab]: )\d+/\d+ ", line) for line in lines]
    assert list(dict.fromkeys(found[1] for found in runs if found)) == ["run 1/2 a: ", "run 2/2 b: "]
    lines = cli("reference-points", SUITE, *INPUTS[:2], *TOKEN, "--progress", "lines").err.splitlines()
    assert any(re.match(r"0:\d\d:\d\d gold: \d+/\d+ scores: 3 rows", line) for line in lines)


def test_several_runs_have_the_pauses_of_one(cli, folder, monkeypatch):
    """Many short runs print as many lines as a long one."""
    clock = Clock()
    monkeypatch.setattr(progress.time, "monotonic", clock)
    monkeypatch.setattr(progress, "PAUSE", 10.0)
    for name in ("a", "b", "c"):
        (folder / f"{name}.sub").write_text((folder / "alpha.class").read_text())
    tick = Lines.__call__

    def later(self, event):
        clock.now += 4.0 * isinstance(event, RunStarted)
        tick(self, event)

    monkeypatch.setattr(Lines, "__call__", later)
    result = cli("score", SUITE, *INPUTS[:2], *TOKEN, "--each", "fragments=*.sub", "--progress", "lines")
    assert [line.partition(": ")[0] for line in result.err.splitlines()] == ["0:00:12 run 3/3 c"] * 2


def test_labels_in_lines_are_shown_as_they_are(monkeypatch, capsys):
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    Lines()(StepDone("relation \x1b[31m", 1, 2, 3, 0.0))
    assert r"relation \x1b[31m: 3 rows" in capsys.readouterr().err


def test_progress_as_json_says_how_far_the_run_is(score, warned):
    result = score(*TOKEN, warned, "--progress", "json")
    assert [line[:8] for line in result.err.splitlines() if line[0] != "{"] == ["warning:"]  # which is an event, too
    log = [each for each in log_of(result) if each["event"] != "warning"]
    total = log[-2]["total"]
    assert [each["event"] for each in log] == [
        "start", *["begin", "input"] * 3, *["begin", "step"] * (total - 3), "end",
    ]  # fmt: skip
    assert [each["number"] for each in log[1:-1]] == [at for at in range(1, total + 1) for _ in range(2)]


def test_unknown_ways_to_show_progress(score):
    score("--progress", "bars").refused("error: --progress 'bars'; did you mean 'bar'?", code=2)
    with pytest.raises(UsageError, match="progress='bars'; did you mean 'bar'"):
        scorespec.score(SUITE, inputs=GIVEN, progress="bars")


# -- events as JSON ----------------------------------------------------------------------------------


def test_the_events_of_a_run(score, warned):
    result = score(*TOKEN, warned, "--progress", "json")
    log = log_of(result)
    assert (result.code, result.out.splitlines()[1]) == (0, "token   precision          undefined: found = 0, hits = 0")
    assert log[0] | {"time": 0} == {
        "event": "start", "time": 0, "suite": SUITE, "reference_point": None, "version": scorespec.__version__,
        "name": None, "number": 1, "total": 1,
    }  # fmt: skip
    read = [(each["input"], each["file"], each["rows"]) for each in log if each["event"] == "input"]
    assert read == [("phones", "alpha.phn", 2030), ("words", "alpha.wrd", 774), ("fragments", "tiny.class", 1)]
    done = [each for each in log if each["event"] == "step"]
    assert all(isinstance(each["rows"], int) and each["seconds"] >= 0 for each in done)
    assert (done[-1]["step"], done[-1]["number"], done[-1]["rows"]) == ("scores", done[-1]["total"], 3)
    assert [each["message"] for each in log if each["event"] == "warning"] == [
        "1 of 1 distinct fragments have no phone in their transcription; only the metric sizes counts them"
    ]
    assert log[-1] | {"time": 0, "seconds": 0} == {
        "event": "end", "time": 0, "seconds": 0, "error": None, "problems": 0,
    }  # fmt: skip
    assert [each["time"] for each in log] == sorted(each["time"] for each in log)


def test_the_events_have_the_problems(score, write):
    bad = write("bad.class", "Class 1\nalpha_sa1 x 0.2\nalpha_sa1 0.3\n")
    result = score(*TOKEN, f"fragments={bad}", "--progress", "json")
    log = log_of(result)
    assert (result.code, result.out) == (1, "")
    found = [tuple(each.values())[2:] for each in log if each["event"] == "problem"]
    assert found == [
        ("bad.class", 2, "onset", "not_a_number", "onset is not a number: 'x'"),
        ("bad.class", 3, None, "malformed", "expected 3 columns (file onset offset), found 2: 'alpha_sa1 0.3'"),
    ]
    assert (log[-1]["event"], log[-1]["error"], log[-1]["problems"]) == ("end", "input", 2)
    assert [each["event"] for each in log].count("end") == 1


def test_each_reference_point_has_its_start_and_end(cli, folder):
    result = cli("reference-points", SUITE, *INPUTS[:2], *TOKEN, "--progress", "json", "--format", "json")
    points = strict(result.out)["reference_points"]
    log = log_of(result)
    assert [each["reference_point"] for each in log if each["event"] == "start"] == list(points)
    assert [each["event"] for each in log].count("end") == len(points)


def test_explain_shows_progress(cli, folder, monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    assert "loading phones" in cli("explain", SUITE, "token", *INPUTS).err
    assert cli("explain", SUITE, "token", *INPUTS, "--progress", "none").err == ""


# -- errors as JSON ----------------------------------------------------------------------------------


def test_an_error_under_json_is_json_and_text(score, write):
    bad = write("bad.class", "Class 1\nalpha_sa1 0.5 0.1\n")
    plain, result = (score(*TOKEN, f"fragments={bad}", *form) for form in ([], ["--format", "json"]))
    assert (plain.code, plain.out) == (1, "")
    assert (result.code, result.err) == (1, plain.err)
    assert strict(result.out) == {
        "error": {
            "kind": "input",
            "message": plain.err.strip(),
            "total": 1,
            "problems": [
                {
                    "file": "bad.class", "line": 2, "column": None, "code": "check",
                    "message": plain.err.strip().removeprefix("bad.class:2: "),
                }
            ],
        }
    }  # fmt: skip


@pytest.mark.parametrize(
    ("call", "code", "kind", "problem"),
    [
        (["score", "zerospeech2071"], 2, "usage", "unknown_name"),
        (["score", SUITE, "phones=alpha.phn"], 2, "usage", "missing_input"),
        (["score", SUITE, "--foo"], 2, "usage", "usage"),
        (["query", "none.duckdb", "SELECT 1"], 1, "run", "run"),
        (["describe", SUITE, "phones=none.phn", "words=alpha.wrd"], 1, "input", "no_file"),
        (["score", SUITE, *INPUTS, "--specs", "bad.yaml"], 1, "document", "document"),
    ],
)
def test_errors_of_all_kinds(cli: Command, write, call, code, kind, problem):
    write("bad.yaml", "domain: term_discovery\nmetrics:\n  a: {kind: men}\n")
    result = cli(*call, "--format=json")
    error = strict(result.out)["error"]
    assert (result.code, error["kind"], [each["code"] for each in error["problems"]]) == (code, kind, [problem])
    if kind == "document":
        assert [error["problems"][0][name] for name in ("file", "line", "column")] == ["bad.yaml", 3, 13]
    assert cli(*call, "--format", "csv").out == ""


def test_a_fault_and_an_error_of_the_system_are_json_too():
    code = (
        "import sys, scorespec.catalog.lookup as m\n"
        "sys.argv = ['scorespec', 'score', 'x', '--format', 'json']\n"
        "def broken(*rest, **more): raise {}\nm.load_catalog = broken\n"
        "import scorespec.app.score; scorespec.app.score.load_catalog = broken\n"
        "from scorespec.__main__ import main\nmain()\n"
    )
    for error, kind, exit_code in (("KeyError('a')", "fault", 70), ("OSError(24, 'Too many')", "system", 1)):
        command = [sys.executable, "-c", code.format(error)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, strict(done.stdout)["error"]["kind"]) == (exit_code, kind)


def test_scores_that_are_printed_stay_alone(process, stored_run, folder):
    """A run that could not be saved has printed its scores; the error is on standard error only."""
    shutil.copy(stored_run(*TOKEN)[0], folder)
    with duckdb.connect("r.duckdb") as connection:
        connection.execute("ALTER TABLE evidence_token_outcomes ALTER word_label TYPE BIGINT USING NULL")
    result = process("score", SUITE, *INPUTS, *TOKEN, "-o", "r.duckdb", "--format", "json")
    assert (result.code, set(strict(result.out))) == (3, {"run", "scores", "warnings"})
    assert result.err.startswith("error: the run could not be added to r.duckdb")


# -- in Python ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_a_function_is_told_of_each_event():
    told: list[Event] = []
    run = scorespec.score(SUITE, inputs=GIVEN, metrics="token", progress=told.append, keep_evidence=False)
    assert isinstance(told[0], RunStarted)
    assert isinstance(told[-1], RunEnded)
    assert told[-1].error is None
    read = {each.input: each.rows for each in told if isinstance(each, InputRead)}
    assert read == {"phones": 2030, "words": 774, "fragments": 774}
    assert [each.message for each in told if isinstance(each, Warned)] == run.warnings
    steps = {each.step: each.rows for each in told if isinstance(each, StepDone)}
    assert steps.items() >= {each.label: each.rows for each in run.costs if not each.label.startswith("load ")}.items()


@pytest.mark.usefixtures("folder")
def test_an_exception_of_the_function_ends_the_run(tmp_path_factory, monkeypatch):
    temporary = tmp_path_factory.mktemp("temporary")
    told: list[Event] = []

    def stop(event: Event) -> None:
        told.append(event)
        if isinstance(event, StepDone):
            raise StopAsyncIteration("enough")

    with pytest.raises(StopAsyncIteration, match="enough"):
        scorespec.score(SUITE, inputs=GIVEN, metrics="token", progress=stop, temp_dir=temporary)
    assert isinstance(told[-1], StepDone)  # the function is not told of its own exception
    assert not list(temporary.iterdir())


@pytest.mark.usefixtures("folder")
def test_problems_are_told_before_the_error_is_raised():
    told: list[Event] = []
    with pytest.raises(InputError) as caught:
        scorespec.score(SUITE, inputs={**GIVEN, "fragments": "none.class"}, metrics="token", progress=told.append)
    found = [each for each in told if isinstance(each, ProblemFound)]
    assert [(each.file, each.code, each.message) for each in found] == [("none.class", "no_file", "no such file")]
    assert [(each.file, each.line, each.code) for each in caught.value.problems] == [("none.class", None, "no_file")]
    assert isinstance(told[-1], RunEnded)
    assert (told[-1].error, told[-1].problems) == ("input", 1)


def test_the_page_lists_the_events_with_their_fields():
    page = (DATA.parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \| ", page, re.MULTILINE)
    kinds = [each for each in vars(events).values() if isinstance(each, type) and issubclass(each, Event)]
    own = [(each.event, [f.name for f in fields(each) if f.name != "time"]) for each in kinds if each is not Event]
    assert [(name, re.findall(r"\w+", text)) for name, text in listed] == own


def test_an_event_is_json():
    begun = StepBegun("a", 1, 2, Path("/spill"))
    found = json.loads(json.dumps(begun.to_dict()))
    assert found | {"time": 0} == {
        "event": "begin", "time": 0, "step": "a", "number": 1, "total": 2, "folder": "/spill",
    }  # fmt: skip
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", found["time"])
    with shown("none") as tell:
        tell(begun)
