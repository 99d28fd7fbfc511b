"""The command as a process: streams that cannot be written, encodings, interruptions, faults of its own."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import FRAGMENTS, PHONES, SUITE, WORDS

import scorespec
from marks import first, slow
from scorespec import errors
from scorespec.core import process as processes

SCORE = f"score {SUITE} {PHONES} {WORDS} {FRAGMENTS} --metric token"
ROOT = Path(__file__).parents[2]


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command with redirections as bash reads them."""
    line = f"{shlex.quote(sys.executable)} -m scorespec {command}"
    given = {"capture_output": True, "encoding": "utf-8", "env": os.environ | environment}
    return subprocess.run(["bash", "-c", line], timeout=60, check=False, **given)


# -- output that cannot be written -----------------------------------------------------------------

FULL = "error: cannot write to standard output: No space left on device\n"
CLOSED = "error: cannot write to standard output: Bad file descriptor\n"


REDIRECTED = {  # the exit code and the message
    ">/dev/full": (1, FULL),
    ">&-": (1, CLOSED),
    ">/dev/full 2>/dev/full": (1, ""),
    "<&- >&- 2>&-": (1, ""),
    '>"$PIPE"': (141, ""),
}


# A command and its format say what is printed, not how a stream that cannot be written is treated.
@pytest.mark.parametrize(
    ("command", "redirected"),
    first(
        [(SCORE, each) for each in REDIRECTED]
        + [(f"{SCORE} --format json", ">/dev/full"), (f"{SCORE} --format csv", '>"$PIPE"')]
        + [(command, each) for command in ("list", "-h") for each in (">/dev/full", '>"$PIPE"')],
        1,
    ),
)
def test_output_is_lost_and_the_run_is_not(folder, command, redirected):
    code, message = REDIRECTED[redirected]
    reader, writer = os.pipe()
    os.close(reader)
    output = " -o r.duckdb" if command.startswith("score") else ""
    try:
        os.set_inheritable(writer, True)
        line = f'"$PYTHON" -m scorespec {command}{output} {redirected}'
        done = subprocess.run(
            ["bash", "-c", line.replace('>"$PIPE"', f">&{writer}")],
            pass_fds=[writer],
            env=os.environ | {"PYTHON": sys.executable},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", message)
    if output:
        rows = scorespec.open_results("r.duckdb").sql("SELECT run, count(*) AS n FROM scores GROUP BY run")
        assert rows.to_pylist() == [{"run": 1, "n": 3}]
        assert [each.name for each in folder.glob("r.duckdb*")] == ["r.duckdb"]


@pytest.mark.parametrize(
    ("command", "code", "redirected"),
    first(
        [
            ("list", 0, "2>&-"),
            ("list nope", 2, "2>&-"),
            ("list nope", 2, "2>/dev/full"),
            ("check nope.yaml", 1, "2>/dev/full"),
            ("--nope", 2, "2>/dev/full"),
        ],
        3,
    ),
)
def test_messages_are_lost_and_the_exit_code_is_not(folder, command, code, redirected):
    done = shell(f"{command} {redirected}")
    assert (done.returncode, done.stderr) == (code, "")
    assert bool(done.stdout) == (code == 0)


@slow
def test_a_closed_stream_is_no_file_of_the_run(cli, folder):
    """The results database is not opened under the number of standard output, where prints would go."""
    assert shell(f"{SCORE} -o r.duckdb <&- >&- 2>&-").returncode == 1
    assert cli(*f"{SCORE} -o r.duckdb".split()).code == 0
    assert scorespec.open_results("r.duckdb").sql("SELECT count(*) AS n FROM runs").to_pylist() == [{"n": 2}]


# -- encodings -------------------------------------------------------------------------------------


COMMANDS = """
import sys
from scorespec.cli import app
from scorespec.core.process import run
for command in sys.argv[1:]:
    try:
        run(lambda: app(command.split(), prog_name="scorespec"))
    except SystemExit as ended:
        assert ended.code == 0
    print(end="\f", flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("encoding", first(["ascii", "latin-1", "utf-8", "ascii:strict"]))
def test_characters_that_the_encoding_lacks_are_escaped(folder, encoding):
    """Escaped as JSON does in JSON. One process runs all commands: its streams have the encoding."""
    (folder / "語é.yaml").write_text(
        "domain: d\ntables:\n  t: {about: 語é, columns: {a: {type: VARCHAR}}, formats: [csv]}"
    )
    Path("語é.phn").write_bytes(Path("alpha.phn").read_bytes())
    scored = f"{SCORE} phones=語é.phn --format json".replace(f" {PHONES}", "")
    command = [sys.executable, "-c", COMMANDS, "show t --specs 語é.yaml", scored, "schema"]
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "1"}
    done = subprocess.run(command, capture_output=True, env=environment, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    encoding = encoding.partition(":")[0]
    shown, found, schema, _ = done.stdout.decode(encoding).split("\f")
    escaped = "語é".encode(encoding, "backslashreplace").decode(encoding)
    assert f"table t, d  ({escaped}.yaml:3:3)\n  {escaped}\n" in shown
    assert json.loads(found)["run"]["inputs"][0]["path"] == str(Path.cwd() / "語é.phn")
    assert json.loads(schema)


def test_the_c_locale(folder):
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = shell("list metrics", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()


@pytest.mark.parametrize(
    "command",
    [f"{SCORE} $'fragments=\\xff.class'", f"{SCORE} --param $'silence=\\xff'", "list --specs $'\\xff'", "$'\\xff'"],
)
def test_an_argument_that_is_not_utf_8(folder, command):
    done = shell(command)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"error: the argument .*\\udcff.* is not UTF-8; rename the file, or link to it\n", done.stderr)


# -- names that are too long -----------------------------------------------------------------------

LONG = "x" * 300


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--specs", LONG], f"{LONG}: cannot read this document: File name too long"),
        (["-o", LONG], f"error: cannot write results to {LONG}: File name too long"),
        (["--temp-dir", LONG], f"error: cannot make a temporary folder in {LONG}: File name too long"),
        ([f"phones={LONG}.parquet"], f"{LONG}.parquet: cannot be read: file name too long"),
        ([f"phones={LONG}.phn"], f"{LONG}.phn: cannot be read: file name too long"),
    ],
)
def test_a_name_that_is_too_long(score, arguments, message):
    result = score(*arguments)
    result.refused_with(message)
    assert len(result.err.splitlines()) == 1


def test_check_and_query_of_a_name_that_is_too_long(cli, folder):
    cli("check", LONG).refused(f"error: {LONG}: cannot read this document: File name too long")
    cli("query", LONG, "SELECT 1").refused_with(f"{LONG}: no such results database")


# -- interruptions and faults ----------------------------------------------------------------------


def process_of(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {"capture_output": True, "encoding": "utf-8", "env": os.environ | environment}
    return subprocess.run([sys.executable, "-c", code], timeout=60, check=False, **given)


@pytest.mark.parametrize(
    "at",
    [
        "import sys; sys.meta_path.insert(0, type('Key', (), {'find_spec': lambda self, name, *_: interrupt(name)})())",
        "import typer.core; typer.core.TyperGroup.make_context = interrupt",
        "import typer.core; typer.core.TyperGroup.parse_args = interrupt",
        "import typer.core; typer.core.TyperCommand.make_context = interrupt",
        "import scorespec.catalog.lookup as m; m.load_catalog = interrupt",
    ],
    ids=["import", "context", "arguments of all", "arguments of a command", "command"],
)
def test_an_interruption_at_any_time(at):
    code = f"""
import signal, os
def interrupt(name="", *rest, **options):
    if not isinstance(name, str) or name in ("", "scorespec.cli"):
        os.kill(os.getpid(), signal.SIGINT)
{at}
import sys
sys.argv = ["scorespec", "list"]
from scorespec.__main__ import main
main()
"""
    done = process_of(code)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


FAULT = "import scorespec.catalog.lookup as m, sys\nsys.argv = ['scorespec', 'list']\n"
BROKEN = (
    "def broken(*rest, **more): raise {error}\nm.load_catalog = broken\nfrom scorespec.__main__ import main\nmain()\n"
)


def test_a_fault_of_scorespec_is_one_line():
    code = FAULT + BROKEN.format(error="KeyError('a\\x1b')")
    done = process_of(code)
    said = r"error: a fault of scorespec, please report it: KeyError: 'a\x1b' (SCORESPEC_TRACEBACK=1 shows where)"
    assert (done.returncode, done.stdout, done.stderr) == (70, "", said + "\n")
    done = process_of(code, SCORESPEC_TRACEBACK="1")
    assert done.returncode == 70
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    assert "line 3, in broken\n" in done.stderr
    assert done.stderr.endswith(said + "\n")


@pytest.mark.parametrize(
    ("error", "said"),
    first(
        [
            ("OSError(24, 'Too many open files', 'a\\x1b')", r"a\x1b: Too many open files"),
            ("OSError('odd')", "odd"),
            ("MemoryError()", "not enough memory"),
            ("MemoryError('Unable to allocate 8 GB')", "not enough memory (Unable to allocate 8 GB)"),
        ],
        2,
    ),
)
def test_what_the_system_refuses_is_no_fault_of_scorespec(error, said):
    done = process_of(FAULT + BROKEN.format(error=error))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"error: {said}\n")


def test_a_fault_is_not_hidden_from_tests(cli, monkeypatch):
    from scorespec.catalog import lookup

    monkeypatch.setattr(lookup, "load_catalog", lambda *_, **__: {}["fault"])
    with pytest.raises(KeyError):
        cli("list")


def test_the_command_that_is_installed():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'scorespec = "scorespec.__main__:main"' in project


def test_without_arguments_the_help_is_printed(cli):
    assert cli().scored() == cli("--help").scored()


def test_exit_codes_are_those_of_the_documents():
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    codes = {int(each) for each in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}
    assert codes >= {0, 1, 2, 3, errors.FAULT, errors.INTERRUPTED, processes.BROKEN_PIPE}
    assert errors.INTERRUPTED == 128 + signal.SIGINT
    assert processes.BROKEN_PIPE == 128 + signal.SIGPIPE
