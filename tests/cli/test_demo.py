"""`scorespec demo` and the examples that it shows."""

from __future__ import annotations

import contextlib
import re
import shlex
import sys
from pathlib import Path

import pytest
from command_line import Command, Result
from typer.core import TyperCommand

import scorespec
from marks import only, slow
from scorespec.catalog.lookup import load_catalog
from scorespec.examples import FIRST, HERE, find_example

ALIKE = ("leaderboard", "show", "compile")  # commands that are the same in every example: tried once


@pytest.fixture(scope="module")
def demo(cli: Command, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A folder with the files of a demo, and what the demo printed."""
    folder = tmp_path_factory.mktemp("demo")
    with contextlib.chdir(folder), pytest.MonkeyPatch.context() as patched:
        patched.setenv("PATH", str(Path(sys.executable).parent))
        return folder, cli("demo", "wer", "-o", "page.html")


def test_demo(demo):
    folder, result = demo
    assert result.code == 0
    assert all(line.startswith("note: ") for line in result.err.splitlines())
    lines = result.out.splitlines()
    assert lines[0].startswith("$ INPUTS=(reference=")
    shown = [line.partition("scorespec ")[2] for line in lines if line.startswith("$ ")]
    assert [line.split()[0] for line in shown[1:]] == ["score", "score", "compare", "report"]
    assert "--name greedy --corpus example --confidence 95 -o page.duckdb" in shown[1]
    assert any("rescored is better than greedy in wer by 0.235 (95 % " in line for line in lines)
    assert "Try next:" in lines
    assert lines[-1] == "The report, for a browser: page.html"
    assert "rescored 10.0\N{NO-BREAK SPACE}% (95\N{NO-BREAK SPACE}% 7.2 to 12.1)" in (folder / "page.html").read_text(
        "utf-8"
    )


@slow
def test_what_the_demo_shows_is_what_its_commands_print(cli, demo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = demo[1].out
    inputs = shown.splitlines()[0].removeprefix("$ INPUTS=(").removesuffix(")")
    parts = re.findall(r"^\$ scorespec (.*)\n\n((?:(?!\$ |Try next).*\n)+)", shown, re.MULTILINE)
    assert len(parts) == 4
    for command, printed in parts:
        assert cli(*shlex.split(command.replace('"${INPUTS[@]}"', inputs))).out.strip() == printed.strip()


@slow
@pytest.mark.parametrize("suite", only([FIRST], sorted(each.stem for each in HERE.glob("*.txt"))))
def test_an_example_has_two_systems_of_which_one_is_better(cli, suite, tmp_path, monkeypatch):
    """The scores need no intervals: they would take most of the time."""
    monkeypatch.chdir(tmp_path)
    example = find_example(suite)
    for name, path in example.systems.items():
        given = {**example.inputs, example.submission: path}
        scorespec.score(suite, name=name, output="r.duckdb", **given)
    found = scorespec.compare(
        *example.systems, results="r.duckdb", metrics=load_catalog(suite=suite).suite(suite).primary
    )
    assert " is better than " in found.verdict
    first, _ = example.systems.values()
    known = {"RESULTS": ["r.duckdb"], "FIRST": [f"{example.submission}={first}"]}
    known["INPUTS"] = [f"{name}={path}" for name, path in example.inputs.items()]
    commands = [line.removeprefix("  scorespec ") for line in example.what_next.splitlines() if line[2:3] == "s"]
    assert len(commands) >= 5
    for command in commands if suite == FIRST else [each for each in commands if each.split()[0] not in ALIKE]:
        typed = [word for each in shlex.split(command) for word in known.get(each.removeprefix("$"), [each])]
        assert cli(*typed).code == 0, command


def test_the_files_of_examples_are_small():
    assert max(each.stat().st_size for each in HERE.rglob("*.*")) < 60_000


def test_the_demo_names_a_command_that_the_shell_finds(cli, tmp_path, monkeypatch):
    """Without an active environment, `scorespec` alone would not be found. The commands that are shown are not run."""
    invoke = TyperCommand.invoke
    monkeypatch.setattr(TyperCommand, "invoke", lambda self, ctx: invoke(self, ctx) if self.name == "demo" else None)
    installed = tmp_path / "env" / "bin" / "scorespec"
    installed.parent.mkdir(parents=True)
    installed.touch(mode=0o755)
    installed.with_name("activate").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", str(installed.with_name("python")))
    monkeypatch.setenv("PATH", "/nowhere")
    shown = cli("demo", "wer").out
    assert "\n$ env/bin/scorespec score" in shown
    assert "\n  env/bin/scorespec show wer\n" in shown
    assert "  scorespec" not in shown
    assert "\nTo type scorespec without its path: . env/bin/activate\n" in shown
    monkeypatch.setenv("PATH", str(installed.parent))
    found = cli("demo", "wer").out
    assert "\n$ scorespec score" in found
    assert "activate" not in found


def test_demo_of_an_unknown_suite(cli):
    cli("demo", "nope").refused_with("nope", code=2)
