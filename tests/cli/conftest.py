"""Runs `scorespec` as a user does: in a process of its own, or in this one where a process adds nothing."""

from __future__ import annotations

import io
import json
import math
import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

import pytest
from command_line import DATA, INPUTS, RELATION, SUITE, Command, Result
from typer.main import get_command


@pytest.fixture(scope="session")
def process() -> Command:
    """Runs the real executable, in the current folder."""

    def run(*arguments: str) -> Result:
        command = [sys.executable, "-m", "scorespec", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        return Result(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def cli() -> Command:
    """Runs the command line in this process.

    Typer makes the commands anew in each call of the app, which takes longer than many a command. Here they are made
    once. Runs print no lines of progress, however slow the machine is.
    """
    from scorespec.cli import app
    from scorespec.run import progress

    progress.PAUSE = math.inf
    command = get_command(app)

    def run(*arguments: str) -> Result:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            try:
                command(list(arguments), prog_name="scorespec")
                code = 0
            except SystemExit as ended:
                code = int(ended.code or 0)
        return Result(code, out.getvalue(), err.getvalue())

    return run


def put_inputs(folder: Path) -> None:
    for source, name in (("phn", "phn"), ("wrd", "wrd"), ("perfect.class", "class")):
        shutil.copy(DATA / f"alpha.{source}", folder / f"alpha.{name}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: `alpha.phn`, `alpha.wrd` and a submission without warnings, `alpha.class`."""
    put_inputs(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def score(cli: Command, folder: Path) -> Command:
    """Scores in this process; the three inputs are those of the folder unless given anew."""

    def run(*arguments: str) -> Result:
        given = {each.partition("=")[0] for each in arguments}
        inputs = [each for each in INPUTS if each.partition("=")[0] not in given]
        return cli("score", SUITE, *inputs, *arguments)

    return run


@pytest.fixture(scope="session")
def stored_run(cli: Command, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[Path, str]]:
    """A results database with one run of the inputs of `folder`, to be copied; and what scoring printed.

    Runs with the same options are scored once.
    """

    @cache
    def scored(*options: str) -> tuple[Path, str]:
        where = tmp_path_factory.mktemp("stored")
        put_inputs(where)
        with chdir(where):
            printed = cli("score", SUITE, *INPUTS, "-o", "r.duckdb", *options).scored()
        return where / "r.duckdb", printed

    return scored


@pytest.fixture
def write(folder: Path) -> Callable[[str, str], str]:
    """Writes a text file into the folder; its name."""

    def put(name: str, text: str) -> str:
        (folder / name).write_text(textwrap.dedent(text), encoding="utf-8")
        return name

    return put


@pytest.fixture
def attack(cli: Command, score: Command, write: Callable[[str, str], str], folder: Path) -> Callable[[str], str]:
    """Tries the SQL of a relation in `score` and in `check`; both must refuse it, and every file stays as it was."""

    def run(sql: str) -> str:
        (folder / "secret.csv").write_text("secret\ngeheim\n")
        (folder / "secret.txt").write_text("geheim")
        write("evil.yaml", RELATION.format(sql=json.dumps(sql)))
        before = {each: each.read_bytes() for each in folder.rglob("*")}
        results = [score("--specs", "evil.yaml", "--metric", "evil"), cli("check", "evil.yaml")]
        for result in results:
            result.refused_with()
            assert result.err.startswith("evil.yaml:")
            assert "geheim" not in result.err
        assert {each: each.read_bytes() for each in folder.rglob("*")} == before
        return results[0].err

    return run


@pytest.fixture(scope="session")
def big(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The inputs of a corpus that takes seconds to score: 90,000 phones, 45,000 fragments."""
    where = tmp_path_factory.mktemp("big")
    phones, words, fragments = [], [], []
    for file in range(300):
        for number in range(300):
            onset = number * 0.08
            phones.append(f"f{file} {onset:.2f} {onset + 0.08:.2f} p{(file * number * 7 + number) % 40}\n")
            if number % 4 == 0:
                words.append(f"f{file} {onset:.2f} {onset + 0.32:.2f} w{(file * number) % 500}\n")
    for cluster in range(900):
        fragments.append(f"Class {cluster}\n")
        for member in range(50):
            onset = (cluster * 31 + member * 17) % 280 * 0.08
            end = onset + 0.08 * (3 + member % 6)
            fragments.append(f"f{(cluster + member * 7) % 300} {onset:.2f} {end:.2f}\n")
        fragments.append("\n")
    for name, lines in (("b.phn", phones), ("b.wrd", words), ("b.class", fragments)):
        (where / name).write_text("".join(lines))
    return f"phones={where}/b.phn", f"words={where}/b.wrd", f"fragments={where}/b.class"


# -- engines -----------------------------------------------------------------------------------------


def _dask() -> Iterator[str]:
    import dask
    from distributed import LocalCluster

    # A cluster gives up a worker that was killed and does not start anew within 15 s, which a busy machine may take.
    patient = dask.config.set({"distributed.deploy.lost-worker-timeout": "10 minutes"})
    options = {"dashboard_address": None, "silence_logs": "CRITICAL"}
    with patient, LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster:
        yield cluster.scheduler_address.replace("tcp://", "dask://")


def _ray() -> Iterator[str]:
    import ray

    folder = f"/tmp/scorespec-ray-{os.getpid()}"  # names of sockets are in it, which may not be long
    port, client_port = 30_000 + os.getpid() % 10_000, 20_000 + os.getpid() % 10_000  # Ray itself uses 10002 to 19999
    command = [
        *(str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", "--disable-usage-stats"),
        *(f"--port={port}", f"--ray-client-server-port={client_port}", "--num-cpus=2", "--include-dashboard=false"),
        *("--object-store-memory=100000000", f"--temp-dir={folder}"),
    ]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    started = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 120
        address = f"ray://127.0.0.1:{client_port}"
        # On a busy machine the port is open some seconds before Ray can start a server for a client.
        while True:
            try:
                ray.init(address, allow_multiple=True, log_to_driver=False).disconnect()
                break
            except ConnectionError:
                assert started.poll() is None, "Ray did not start"
                assert time.monotonic() < deadline, "Ray serves no client"
                time.sleep(0.1)
        yield address
    finally:
        started.terminate()  # it ends all of its processes
        started.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


STARTED: dict[str, Callable[[], Iterator[str]]] = {
    "processes": lambda: iter(["processes:2"]),
    "dask": _dask,
    "ray": _ray,
}
NEEDED = {"dask": "distributed", "ray": "ray"}  # packages


@pytest.fixture(scope="session", params=STARTED)
def on(request: pytest.FixtureRequest) -> Iterator[str]:
    """An engine with two workers, as `--on` names it."""
    if request.param in NEEDED:
        pytest.importorskip(NEEDED[request.param])
    yield from STARTED[request.param]()
