"""Many submissions on an engine: the same results as one after the other, whatever happens to the workers.

`make test-engines` also runs Dask and Ray, which need not be installed.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from command_line import ask, rows_of_tables

import scorespec
from marks import slow
from scorespec.app import on_engines as engines
from scorespec.core.events import RunEnded, RunStarted
from scorespec.errors import RunError, SpecError, UnsavedRunError, UsageError, bad_input
from scorespec.formats import FORMATS
from scorespec.parts.engines import connect, processes, protocol
from scorespec.parts.engines.computing import computing
from scorespec.run.limits import Limits

TOY = Path(__file__).parents[1] / "data" / "toy"
HEAD = "file,speaker,item,said,wanted,score\n"
ANSWERS = {
    "a": "ann,ann,i1,yes,yes,0.9\nann,bob,i2,no,yes,-0.8\n",
    "b": "ann,bea,i1,yes,yes,0.9\nann,bea,i2,yes,yes,0.8\n",
    "c": "ann,ann,i1,yes,yes,high\n",
    "d": "ann,dan,i1,no,yes,0.9\nann,dan,i2,yes,yes,0.8\n",
}
ITEMS = "item,topic\ni1,x\ni2,y\n"
# A metric whose function ends its process at `b` while there is a file `deadly`, and waits at `d` if there is `stuck`.
PLUGIN = """
import os, signal, time
from pathlib import Path
from scorespec.plugin import TEXT, Column, group_function
def act(group):
    speaker = group["speaker"][0]
    if speaker == "bea" and Path("deadly").exists():
        Path("deadly").unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    if speaker == "dan" and Path("stuck").exists():
        Path("stuck").write_text(str(os.getpid()))
        time.sleep(600)
    return {"same": list(group["speaker"])}
FUNCTIONS = {"act": group_function(act, about="x", columns=[Column("speaker", (TEXT,))], result={"same": TEXT})}
"""
DOCUMENT = """
domain: toy
relations:
  acted:
    {about: x, needs: [answers], function: act, input: "SELECT 1 AS group_id, speaker FROM {{ answers }}",
     sql: "FROM {{ rows }}"}
metrics:
  acted: {about: x, kind: statistics, from: acted, statistics: {n: count(*)}, components: {n: n}}
"""


def act(how: str) -> Any:
    """A task: a number is returned, `die` ends the worker, a file ends it once."""
    if how == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if not how.isdigit() and os.path.exists(how):
        os.unlink(how)
        os.kill(os.getpid(), signal.SIGKILL)
    return how


@pytest.fixture
def quiz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with submissions to the suite of tests/data/toy, of which `c` is bad."""
    for name, rows in ANSWERS.items():
        (tmp_path / f"{name}.csv").write_text(HEAD + rows)
    (tmp_path / "items.csv").write_text(ITEMS)
    (tmp_path / "plug.py").write_text(PLUGIN)
    (tmp_path / "acted.yaml").write_text(DOCUMENT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def score_each(**options: Any) -> scorespec.Batch:
    return scorespec.score_each("quiz", {"answers": "[abcd].csv"}, items="items.csv", specs=TOY, **options)


pytestmark = pytest.mark.filterwarnings("default")  # those of the engines themselves

# -- results -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_results_are_those_of_one_after_the_other_even_if_a_worker_is_killed(on, quiz):
    events: dict[str | None, list[Any]] = {}
    batches = {}
    for where in (None, on):
        (quiz / "deadly").write_text("") if where else None
        events[where] = []
        batches[where] = scorespec.score_each(
            "quiz",
            {"answers": "[abcd].csv"},
            items="items.csv",
            specs=[TOY, "acted.yaml"],
            plugins="plug.py",
            metrics=["accuracy", "acted"],
            output=f"{'on' if where else 'alone'}.duckdb",
            on=where,
            progress=events[where].append,
        )
    assert not (quiz / "deadly").exists()
    alone, there = batches[None], batches[on]
    assert ([*there], [*there.failed]) == ([*alone], [*alone.failed]) == (["a", "b", "d"], ["c"])
    assert str(there.failed["c"]) == str(alone.failed["c"]) == "c.csv:2: score is not a number: 'high'"
    for name, run in alone.runs.items():
        assert there[name].scores.equals(run.scores)
        assert (there[name].warnings, there[name].signature) == (run.warnings, run.signature)
        assert there[name].number == run.number
        assert there[name].sql("FROM scores").num_rows > 0
    tables = rows_of_tables("alone.duckdb")
    assert tables.keys() > {"runs", "scores", "unit_statistics", "evidence_marks"}
    assert rows_of_tables("on.duckdb") == tables
    assert runs_told(events[on]) == runs_told(events[None])


def runs_told(events: list[Any]) -> list[dict[str, Any]]:
    """The events of runs, without those of preparing gold, and without times and folders."""
    found, running = [], False
    for event in events:
        running = running or isinstance(event, RunStarted)
        if running:
            found.append({k: v for k, v in event.to_dict().items() if k not in ("time", "seconds", "folder")})
        running = running and not isinstance(event, RunEnded)
    return found


def test_a_task_whose_worker_ends_is_repeated(on, tmp_path):
    (tmp_path / "once").touch()
    engine = connect(on, 4)
    try:
        assert sorted(engine.map(act, ["1", str(tmp_path / "once"), "2", "3"])) == [
            *((0, "1"), (1, str(tmp_path / "once")), (2, "2"), (3, "3"))
        ]
    finally:
        engine.close()


@slow
def test_a_task_that_ends_every_worker_is_lost_and_no_other():
    engine = processes.Processes(2)
    found = dict(engine.map(act, ["1", "die", "2", "die", "3"]))
    engine.close()
    assert [found[0], found[2], found[4]] == ["1", "2", "3"]
    for number in (1, 3):
        assert isinstance(found[number], RunError)
        assert "each worker that scored it ended without a result (signal 9); if memory ran out, " in str(found[number])


# -- results of a call that ends early -----------------------------------------------------------------


class Scripted:
    """An engine whose workers are this process; an exception among the numbers is raised in its place."""

    processes = None

    def __init__(self, *script: int | BaseException) -> None:
        self.script = script

    def map(self, function: Callable[[Any], Any], tasks: Any) -> Iterator[tuple[int, Any]]:
        for each in self.script:
            if isinstance(each, BaseException):
                raise each
            yield each, function(tasks[each])

    def close(self) -> None:
        pass


def stored() -> list[str]:
    return [name for (name,) in ask("SELECT name FROM runs ORDER BY id", "r.duckdb")]


@slow
def test_results_in_any_order_are_stored_in_the_order_of_submissions(quiz, monkeypatch):
    monkeypatch.setattr(engines, "connect", lambda *_: Scripted(3, 1, 2, 0))
    score_each(output="r.duckdb", on="processes:2")
    assert stored() == ["a", "b", "d"]


def test_an_interrupted_call_keeps_finished_results(quiz, monkeypatch):
    monkeypatch.setattr(engines, "connect", lambda *_: Scripted(0, 3, KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        score_each(output="r.duckdb", on="processes:2")
    assert stored() == ["a", "d"]


def test_a_fault_of_an_engine_is_named_and_keeps_finished_results(quiz, monkeypatch):
    monkeypatch.setattr(engines, "connect", lambda *_: Scripted(1, OSError("scheduler is gone\nmore")))
    with pytest.raises(RunError, match=r"^the engine dask://h:1 reports: scheduler is gone$"):
        score_each(output="r.duckdb", on="dask://h:1")
    assert stored() == ["b"]


@slow
def test_a_lost_submission_fails_alone(quiz, monkeypatch):
    class Losing(Scripted):
        def map(self, function, tasks):
            for number, result in super().map(function, tasks):
                yield number, RunError("lost") if number == 1 else result

    told: list[Any] = []
    monkeypatch.setattr(engines, "connect", lambda *_: Losing(0, 1, 2, 3))
    batch = score_each(output="r.duckdb", on="processes:2", progress=told.append)
    assert ([*batch], {name: str(each) for name, each in batch.failed.items()}["b"]) == (["a", "d"], "lost")
    assert [each.name for each in told if isinstance(each, RunStarted)] == ["a", "b", "c", "d"]
    assert [each.error for each in told if isinstance(each, RunEnded)] == [None, "run", "input", None]


def test_a_fault_in_a_worker_has_its_kind(quiz, monkeypatch):
    monkeypatch.setattr(engines, "connect", lambda *_: Scripted(0, 1, 2, 3))
    monkeypatch.setattr("scorespec.app.on_engines.compute", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        score_each(on="processes:2")


@slow
def test_ctrl_c_ends_workers_and_keeps_finished_results(quiz):
    stuck = quiz / "stuck"
    stuck.touch()
    call = ["score", "quiz", "items=items.csv", "--each", "answers=[ad].csv", "-o", "r.duckdb", "--progress", "json"]
    documents = ["--specs", str(TOY), "--specs", "acted.yaml", "--plugin", "plug.py", "--metric", "acted"]
    running = subprocess.Popen(
        [sys.executable, "-m", "scorespec", *call, *documents, "--on", "processes:2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # a background job ignores it
    )
    with running:
        assert running.stderr is not None
        next(line for line in running.stderr if line[0] == "{" and json.loads(line)["event"] == "end")  # of `a`
        while not (process := stuck.read_text()):
            assert running.poll() is None
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert stored() == ["a"]
    with pytest.raises(ProcessLookupError):
        os.kill(int(process), 0)


# -- what is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--on", "processes:0"], "--on 'processes:0': write processes:N, dask://HOST:PORT or ray://HOST:PORT"),
        (["--on", "spark://h:1"], "--on 'spark://h:1': write processes:N, dask://HOST:PORT or ray://HOST:PORT"),
        (["--on", "processes:2", "items=-"], "input 'items' is a pipe, which workers of processes:2 cannot read"),
    ],
)
def test_a_wrong_call(cli, quiz, arguments, said):
    items = [] if "items=-" in arguments else ["items=items.csv"]
    result = cli("score", "quiz", "--specs", str(TOY), *items, "--each", "answers=[ab].csv", *arguments)
    result.refused_with(said, code=2)


def test_an_engine_needs_many_submissions_or_a_shared_folder(cli, quiz):
    result = cli("score", "quiz", "--specs", str(TOY), "items=items.csv", "answers=a.csv", "--on", "processes:2")
    said = "--on needs --each, to score many submissions, or --shared DIR, to score one in parts"
    result.refused(f"error: {said}", code=2)


def test_an_engine_that_is_not_installed(quiz, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "scorespec.parts.engines.dask", raising=False)
    with pytest.raises(UsageError, match=r"--on dask://h:1 needs a package .*; pip install 'scorespec\[dask\]'"):
        score_each(on="dask://h:1")


def test_objects_in_memory_are_refused(quiz):
    import pyarrow.csv

    items = pyarrow.csv.read_csv("items.csv")
    with pytest.raises(UsageError, match="input 'items' is an object in memory, which workers of ray://h:1 cannot"):
        scorespec.score_each("quiz", {"answers": "[ab].csv"}, items=items, specs=TOY, on="ray://h:1")


def test_results_that_cannot_be_written_are_refused_at_once(quiz, monkeypatch):
    monkeypatch.setattr(engines, "connect", lambda *_: pytest.fail("scored for nothing"))
    with pytest.raises(RunError, match="there is no folder none"):
        score_each(output="none/r.duckdb", on="processes:2")


def test_a_worker_that_computes_otherwise_is_refused(quiz, monkeypatch):
    here = {**computing(), "duckdb": "1.4.0", "pow() of DuckDB": "0"}
    monkeypatch.setattr(protocol, "computing", lambda: here)
    monkeypatch.setattr(engines, "connect", lambda *_: Scripted(0, 1, 2, 3))
    asked = f"it has duckdb {computing()['duckdb']} instead of 1.4.0, pow.. of DuckDB {computing()['pow() of DuckDB']}"
    with pytest.raises(RunError, match=f"^the worker .* would not compute the same scores: {asked}"):
        score_each(on="processes:2")


# -- parts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error",
    [
        bad_input("a.csv", "is wrong", 3),
        SpecError("wrong", "a.yaml:1:2"),
        UsageError("wrong"),
        UnsavedRunError("not saved", None, Path("r.duckdb")),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_are_the_same_in_another_process(error):
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (str(copy), copy.problems, copy.total) == (str(error), error.problems, error.total)
    assert copy.__dict__.keys() == error.__dict__.keys()


@dataclass
class Naming:
    """A task that finds all formats."""

    label = ""

    def run(self, answer: protocol.Answer) -> None:
        answer.found = [*FORMATS.values()]


def test_formats_go_by_their_names():
    """Their readers may be functions that no other process can read."""
    ((_, answer),) = protocol.answers(Scripted(0), "processes:1", [Naming()])
    assert [each is FORMATS[each.name] for each in answer.found] == [True] * len(FORMATS)


def test_processes_share_what_is_not_limited():
    share = Limits().shared_by(2)
    assert int(share.memory_limit[:-3]) * 2 <= int(Limits().memory_limit[:-3])
    assert share.threads == max((os.cpu_count() or 1) // 2, 1)
    assert Limits("1GB", 3).shared_by(2) == Limits("1GB", 3)
