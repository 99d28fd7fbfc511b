"""Compiled templates are kept where Python keeps compiled modules, and are compiled again when their source changes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jinja2 import BaseLoader

from scorespec.plan.rendering.render import KeptBytecode
from scorespec.plan.rendering.sandbox import Sandbox, rendered_within_limits


class Counting(Sandbox):
    """Counts the templates that Jinja compiles."""

    compiled = 0

    def _generate(self, *arguments: object, **named: object) -> str:
        self.compiled += 1
        return super()._generate(*arguments, **named)  # type: ignore[no-any-return, misc]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path


def compiled(source: str = "a {{ b }}", sandbox: bytes = b"1") -> int:
    """The number of templates that a process with an empty memory compiles for one template."""
    environment = Counting(BaseLoader(), {}, {})
    code = KeptBytecode(sandbox).code(environment, "a.sql", source)
    template = environment.template_class.from_code(environment, code, environment.make_globals(None))
    assert rendered_within_limits(template, {"b": "c"}) == source.replace("{{ b }}", "c")
    return environment.compiled


def test_a_template_is_compiled_once(folder: Path) -> None:
    assert (compiled(), compiled()) == (1, 0)
    assert len([each for each in folder.rglob("*") if each.is_file()]) == 1


def test_a_template_is_compiled_again_when_it_or_the_sandbox_changes(folder: Path) -> None:
    assert (compiled(), compiled("b {{ b }}"), compiled("b {{ b }}")) == (1, 1, 0)
    assert (compiled("b {{ b }}", b"2"), compiled("b {{ b }}", b"2")) == (1, 0)


@pytest.mark.parametrize("length", [0, 10, 30, 200])
def test_a_damaged_file_is_made_again(folder: Path, length: int) -> None:
    compiled()
    (kept,) = (each for each in folder.rglob("*") if each.is_file())
    kept.write_bytes(kept.read_bytes()[:length])
    assert (compiled(), compiled()) == (1, 0)


def test_nothing_is_written_where_python_writes_no_bytecode(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert (compiled(), compiled()) == (1, 1)
    assert not any(folder.iterdir())


def test_a_folder_that_cannot_be_written_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").touch()
    monkeypatch.setattr(sys, "pycache_prefix", str(folder / "file"))
    assert (compiled(), compiled()) == (1, 1)
