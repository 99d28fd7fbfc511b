"""A short fixed part of the fuzzers, and every input that once was at fault (`make fuzz` runs more)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from marks import first, slow, some

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
ENTRIES = sorted(each.parent for each in (HERE / "corpus").glob("*/call"))


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs `run.py` in a process of its own: it forks one for each call, which a process with threads should not."""
    command = [sys.executable, str(HERE / "run.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)


@pytest.fixture(scope="module")
def fixed_part():
    """A few calls of each fuzzer, all of them made by one process.

    With this seed, each fuzzer has calls that are scored and calls that are refused, and a small folder is checked.
    """
    return run("--seed", "10", "--cases", "6")


@slow
@pytest.mark.parametrize("fuzzer", ["readers", "columns", "documents", "calls", "transcripts"])
def test_a_short_fixed_part(fixed_part, fuzzer):
    *lines, last = fixed_part.stdout.splitlines()
    assert not [line for line in lines if line.startswith(f"--- {fuzzer} ")], fixed_part.stdout
    ended = re.findall(rf"^{fuzzer}: (\d+) calls ended with \d+$", fixed_part.stdout, re.MULTILINE)
    assert sum(map(int, ended)) == 6, fixed_part.stdout + fixed_part.stderr
    assert last.startswith("0 faults in 30 calls")
    assert fixed_part.returncode == 0


@pytest.fixture(scope="module")
def corpus():
    """What each entry of the corpus left; all of them run by one process."""
    done = run("--corpus", *map(str, ENTRIES))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("name", [each.name for each in ENTRIES])
def test_what_once_was_at_fault(corpus, name):
    assert corpus[name]["faults"] == [], corpus[name]["err"]


@slow
def test_every_ninth_seed_is_scored_as_it_is():
    done = run("--every", "9", "--corpus", str(ENTRIES[0]))
    assert done.returncode == 0, done.stderr
    left = json.loads(done.stdout).items()
    seeds = [(each["code"], each["faults"]) for name, each in left if name.startswith("seed ")]
    assert seeds == [(0, [])] * len(seeds)
    assert len(seeds) > 10


# -- the fuzzers themselves ------------------------------------------------------------------------


def test_a_call_is_made_again_from_its_number(tmp_path):
    from fuzzers import FUZZERS

    for name, fuzzer in some(FUZZERS.items()):
        calls = []
        for folder in ("a", "b"):
            (tmp_path / name / folder).mkdir(parents=True)
            arguments = fuzzer(Random(f"{name} 1 3"), tmp_path / name / folder)
            files = [each for each in sorted((tmp_path / name / folder).rglob("*")) if each.is_file()]
            calls.append((arguments, [(each.name, each.read_bytes()) for each in files]))
        assert calls[0] == calls[1], name


FAULTY = """
import sys
sys.path.insert(0, {here!r})
import judging
from pathlib import Path
def faulty(arguments):
    import scorespec.cli as cli
    def app(given, prog_name):
        {body}
    cli.app = app
    return arguments
print(judging.attempt(lambda folder: faulty(["x"])).faults)
"""


@pytest.mark.parametrize(
    ("body", "fault"),
    first(
        [
            ("raise KeyError('a')", "exit code 70"),
            ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "ended by SIGSEGV"),
            ("print('x'); raise SystemExit(1)", "refused, with something on standard output"),
            ("raise SystemExit(1)", "refused without a message"),
            ("print('Internal Error: x', file=sys.stderr); raise SystemExit(1)", "says 'Internal Error'"),
            ("import tempfile; tempfile.mkdtemp()", "in the folder for temporary files"),
            ("x = bytearray(1 << 30); x[::4096] = b'x' * (1 << 18)", "took 1,"),
            ("print('odd', file=sys.stderr)", "other than warnings"),
        ],
        3,
    ),
)
def test_faults_are_found(body, fault):
    code = FAULTY.format(here=str(HERE), body=body)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert fault in done.stdout, done.stdout + done.stderr
