"""What happens to results and disk when a run is killed, or two runs meet; and how little memory is enough."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest
from command_line import DATA

from marks import only, slow

SEEDS = 32
DETECTION = DATA.parent / "term_detection"
FRAGMENTS = {"phones": "alpha.phn", "words": "alpha.wrd", "fragments": "alpha.perfect.class"}
INPUTS = [f"{name}={DATA / file}" for name, file in FRAGMENTS.items()]


class Runs:
    """Starts runs, each in a process of its own that `warm.py` forks."""

    def __init__(self, warm: subprocess.Popen[str]) -> None:
        self._warm = warm

    def _ask(self, **call: Any) -> int:
        assert self._warm.stdin is not None
        assert self._warm.stdout is not None
        print(json.dumps(call), file=self._warm.stdin, flush=True)
        return int(self._warm.stdout.readline())

    def start(self, place: Path, name: str = "run") -> int:
        """A run that appends to a database in ``place`` and works in its folder ``spill``; the id of its process."""
        options = ["--metric", "token", "-o", str(place / "r.duckdb"), "--temp-dir", str(place / "spill"), "--quiet"]
        return self._ask(start=["score", "zerospeech2017", *INPUTS, *options], err=str(place / f"{name}.err"))

    def ended(self, process: int) -> int:
        """The exit code of a run, when it has ended."""
        return self._ask(wait=process)


@pytest.fixture(scope="module")
def runs() -> Iterator[Runs]:
    command = [sys.executable, str(Path(__file__).with_name("warm.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as warm:
        yield Runs(warm)
        warm.communicate()


def make_place(place: Path) -> Path:
    (place / "spill").mkdir(parents=True)
    return place


def rows_of_runs(place: Path) -> dict[int, tuple[int, ...]]:
    """How many rows each run has in each table of the database."""
    if not (place / "r.duckdb").exists():
        return {}
    connection = duckdb.connect(str(place / "r.duckdb"))
    try:
        asked = (
            "SELECT table_name FROM duckdb_columns() SEMI JOIN duckdb_tables() USING (table_name) "  # without views
            "WHERE column_name = 'run' ORDER BY table_name"
        )
        tables = [name for (name,) in connection.execute(asked).fetchall()]
        rows: dict[int, list[int]] = {}
        for table in tables:
            for run, count in connection.execute(f'SELECT run, count(*) FROM "{table}" GROUP BY run').fetchall():
                rows.setdefault(run, []).append(count)
        return {run: tuple(counts) for run, counts in rows.items()}
    finally:
        connection.close()


def left(place: Path) -> list[Path]:
    """What lies in the folder for temporary files, and of such files beside the results, after time to clean up."""
    deadline = time.monotonic() + 20
    while (found := [*(place / "spill").rglob("*"), *place.glob(".scorespec-*")]) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


@dataclass(frozen=True)
class Whole:
    """A run that was not killed: its folder, how long it took, and how many rows it has in each table."""

    place: Path
    seconds: float
    rows: tuple[int, ...]


@pytest.fixture(scope="module")
def whole(runs: Runs, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    seconds = []
    for name in ("first", "run"):  # the first run of a machine takes longer than all that are killed
        place = make_place(tmp_path_factory.mktemp("whole") / name)
        begun = time.monotonic()
        assert runs.ended(runs.start(place)) == 0
        seconds.append(time.monotonic() - begun)
    assert (place / "run.err").read_text() == ""
    assert (place / "r.duckdb").stat().st_size > 1e6
    (rows,) = rows_of_runs(place).values()
    return Whole(place, min(seconds), rows)


@slow
def test_killed_runs_are_there_as_a_whole_or_not_at_all(tmp_path: Path, runs: Runs, whole: Whole) -> None:
    codes = {}
    for seed in range(SEEDS):
        place = make_place(tmp_path / str(seed))
        if seed % 2:  # into a database that has a run already
            shutil.copy(whole.place / "r.duckdb", place)
        running = runs.start(place)
        time.sleep(random.Random(seed).uniform(0, 1.1 * whole.seconds))
        os.kill(running, signal.SIGKILL)
        codes[seed] = runs.ended(running)
    assert sum(code < 0 for code in codes.values()) > SEEDS / 2  # most were killed before they were done
    for seed, code in codes.items():
        place = tmp_path / str(seed)
        found = rows_of_runs(place)
        assert set(found.values()) <= {whole.rows}, seed
        assert len(found) >= seed % 2 + (code == 0), seed
        assert left(place) == [], seed
        assert [each.name for each in place.glob("r.duckdb*") if each.stat().st_size > 1e6] in ([], ["r.duckdb"])


def test_two_runs_into_one_database(tmp_path: Path, runs: Runs, whole: Whole) -> None:
    place = make_place(tmp_path / "both")
    both = {name: runs.start(place, name) for name in ("first", "second")}
    for name, each in both.items():
        assert runs.ended(each) == 0
        message = (place / f"{name}.err").read_text()
        waiting = rf"waiting for {re.escape(str(place / 'r.duckdb'))}: another process \([^()\n]+\) has it open\n"
        assert re.fullmatch(rf"({waiting})?", message)
    assert rows_of_runs(place) == {1: whole.rows, 2: whole.rows}
    assert left(place) == []


def test_a_guard_that_is_killed_does_no_harm(tmp_path: Path) -> None:
    code = f"""
from scorespec.run.folders import TemporaryFolder, _guards
for moment in ("before", "after"):
    folder = TemporaryFolder("some-", {str(tmp_path)!r})
    (folder.path / "file").write_text("x")
    _guards[0].kill()
    _guards[0].wait()
    folder.close()
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["detections.parquet", "detections.tsv.gz"])
def test_what_was_cut_off_is_refused(cli, tmp_path: Path, name: str) -> None:
    tsv = DETECTION / "small" / "dets.tsv"
    columns = "query, doc, channel::VARCHAR AS channel, tbeg, dur, score, decision"
    duckdb.connect().execute(f"COPY (SELECT {columns} FROM '{tsv}') TO '{tmp_path / name}'")
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(data[: len(data) * 2 // 3])
    small = DETECTION / "small"
    inputs = [f"queries={small}/kwlist.xml", f"references={small}/ref.rttm", f"audio={small}/ecf.xml"]
    result = cli("score", "std2006", *inputs, f"detections={tmp_path / name}", "-o", str(tmp_path / "r.duckdb"))
    assert result.code == 1
    assert result.err.startswith(f"{tmp_path / name}: ")
    assert len(result.err.splitlines()) == 1
    assert not (tmp_path / "r.duckdb").exists()


FILES = {
    "medium_small": ("kwlist.xml", "ref.rttm", "ecf.xml", "kwslist.xml"),
    "quesst_complete": ("tlist.xml", "ref.rttm", "ecf.xml", "stdlist.xml"),
}


def detection_inputs(case: str) -> list[str]:
    names = ("queries", "references", "audio", "detections")
    return [f"{name}={DETECTION / case / file}" for name, file in zip(names, FILES[case], strict=True)]


SUITES = {
    "zerospeech2017": INPUTS,
    "zerospeech2015": INPUTS,
    "std2006": detection_inputs("medium_small"),
    "quesst2015": detection_inputs("quesst_complete"),
}


@pytest.mark.parametrize("suite", only(["zerospeech2017"], SUITES))
def test_the_memory_that_is_said_to_be_enough_is(cli, suite: str) -> None:
    cli("score", suite, *SUITES[suite], "--memory-limit", "64MB", "--quiet").scored()
