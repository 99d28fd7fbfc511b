"""Compiled plans are kept where Python keeps compiled modules, and compiled again when what they depend on changes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scorespec
from examples import SUITES, inputs_of
from scorespec.api import _job
from scorespec.catalog.lookup import load_catalog
from scorespec.compiler import kept_plans, shared_plans
from scorespec.compiler.kept_plans import KeptPlan, keep_plan, plan_name, read_plan
from scorespec.compiler.plan import Plan
from scorespec.compiler.request import Request
from scorespec.runtime import statements
from scorespec.scoring import planned

SUITE = "resources"
PLUGIN = "FUNCTIONS = {}\nSPECS = None\nfrom scorespec.formats import CSV\nfrom dataclasses import replace\n"
PLUGIN += "FORMATS = [replace(CSV, name='other')]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(kept_plans, "_read", {})
    monkeypatch.setattr(kept_plans, "_written", set())
    return tmp_path


@pytest.fixture
def compiled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The number of plans that a process with an empty memory compiles for a run."""
    compile_suite = shared_plans.compile_suite

    def count(suite: str = SUITE, **options: Any) -> int:
        made: list[Plan] = []
        monkeypatch.setattr(
            shared_plans, "compile_suite", lambda *given: made.append(compile_suite(*given)) or made[-1]
        )
        for memory in (kept_plans._read, shared_plans._plans):
            memory.clear()
        planned(_job(suite, **{**inputs_of(suite), **options}))
        return len(made)

    return count


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob(f"*{kept_plans.SUFFIX}"))


def test_a_plan_is_compiled_once(compiled: Callable[..., int], folder: Path) -> None:
    assert (compiled(), compiled()) == (1, 0)
    assert len(files(folder)) == 1


@pytest.mark.parametrize("suite", SUITES)
def test_a_kept_plan_is_the_compiled_one(folder: Path, suite: str) -> None:
    """In all of its fields, also those that do not count when plans are compared."""
    job = _job(suite, **inputs_of(suite))
    plan, _ = planned(job)
    shared_plans._plans.clear()
    kept_plans._read.clear()
    kept, _ = planned(job)
    assert kept is not plan
    assert kept == plan
    assert (kept.layouts, kept.reported, kept.parameters) == (plan.layouts, plan.reported, plan.parameters)
    assert [each.origin.place() for each in kept.macros] == [each.origin.place() for each in plan.macros]
    assert [each.values for each in kept.steps] == [each.values for each in plan.steps]
    assert kept.finals() == plan.finals()
    functions = [each.function_rows.calls for each in kept.steps if each.function_rows]
    assert functions == [each.function_rows.calls for each in plan.steps if each.function_rows]


@pytest.mark.parametrize("length", [0, 10, 40, 5000])
def test_a_damaged_file_is_made_again(compiled: Callable[..., int], folder: Path, length: int) -> None:
    compiled()
    (kept,) = files(folder)
    kept.write_bytes(kept.read_bytes()[:length])
    assert (compiled(), compiled()) == (1, 0)


def test_a_changed_byte_is_noticed(compiled: Callable[..., int], folder: Path) -> None:
    compiled()
    (kept,) = files(folder)
    content = bytearray(kept.read_bytes())
    content[len(content) // 2] ^= 1
    kept.write_bytes(content)
    assert (compiled(), compiled()) == (1, 0)


def test_what_a_request_asks_for_is_part_of_the_name() -> None:
    asked: list[dict[str, Any]] = [{}, {"params": {"a": 1}}, {"params": {"a": "1"}}, {"params": {"a": True}},
                                   {"metrics": ["a"]}, {"given": frozenset("a")}, {"given": frozenset("b")},
                                   {"evidence": False}, {"folds": True}, {"confidence": 95.0}, {"on_bad_row": "drop"},
                                   {"withhold": ("units",)}, {"resampled": True}, {"curves": False}]  # fmt: skip
    names = [plan_name(SUITE, Request(**{"params": {}, **each})) for each in asked]
    assert None not in names
    assert len({*names, plan_name("other", Request({}))}) == len(asked) + 1


def test_the_order_of_a_set_is_no_part_of_the_name() -> None:
    letters = [chr(97 + at) for at in range(20)]
    one, other = (plan_name(SUITE, Request({}, given=given)) for given in (set(letters), set().union(*letters[::-1])))
    assert one == other
    assert one == plan_name(SUITE, Request({}, given=frozenset(letters)))


def test_a_folder_on_the_path_of_python_changes_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin may be installed there."""
    before = plan_name(SUITE, Request({}))
    (tmp_path / "plugin-1.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert plan_name(SUITE, Request({})) != before


def test_plans_that_depend_on_more_have_no_name() -> None:
    assert plan_name(SUITE, Request({"a": object()})) is None
    assert plan_name(SUITE, Request({}, by=[("file",)])) is None
    assert plan_name(SUITE, Request({}, describe=True)) is None


def test_plans_with_documents_or_plugins_of_the_user_are_not_kept(
    compiled: Callable[..., int], folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "own.yaml").write_text("domain: term_discovery\n")
    (tmp_path / "own.py").write_text(PLUGIN)
    for options in ({"specs": tmp_path / "own.yaml"}, {"plugins": tmp_path / "own.py"}):
        assert (compiled(**options), compiled(**options)) == (1, 1)
    assert not files(folder)


def test_a_plan_is_compiled_again_when_what_ships_changes(
    compiled: Callable[..., int], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled()
    monkeypatch.setattr(kept_plans, "_state", lambda path: "another")
    assert (compiled(), compiled()) == (1, 0)


@pytest.mark.parametrize("change", ["write", "add", "remove", "install"])
def test_the_state_changes_with_files_and_distributions(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "specs" / "a" / "one.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("one")
    (tmp_path / "site").mkdir()
    monkeypatch.setattr(kept_plans, "shipped", lambda folder: tmp_path / "specs")
    state, path = kept_plans._state.__wrapped__, (str(tmp_path / "site"), str(tmp_path / "none"))
    before = state(path)
    assert state(path) == before
    if change == "write":
        file.write_text("four")
    elif change == "add":
        file.with_name("two.yaml").touch()
    elif change == "remove":
        file.unlink()
    else:
        (tmp_path / "site" / "plugin-1.0.dist-info").mkdir()
    assert state(path) != before


def test_old_files_are_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_plans, "MOST_FILES", 3)
    suite = load_catalog(suite=SUITE).suite(SUITE)
    kept = KeptPlan(scorespec.compile(SUITE), suite, (suite,))
    for name in "abcde":
        keep_plan(name, kept)
    kept_plans._read.clear()
    assert len(files(folder)) == 3
    assert read_plan("e") == kept


def test_a_process_writes_few_plans(
    compiled: Callable[..., int], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_plans, "MOST_WRITTEN", 2)
    asked = [{"confidence": level} for level in (90, 95, 99)]
    assert [compiled(**options) for options in asked] == [1, 1, 1]
    assert len(files(folder)) == 2
    assert [compiled(**options) for options in asked] == [0, 0, 1]


def test_nothing_is_written_where_python_writes_no_bytecode(
    compiled: Callable[..., int], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert (compiled(), compiled()) == (1, 1)
    assert not files(folder)


def test_the_statements_of_a_kept_plan_are_not_judged_again(
    compiled: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled()
    monkeypatch.setattr(statements, "_faults", {})
    judged: list[str] = []
    trees = statements.trees
    monkeypatch.setattr(statements, "trees", lambda texts: judged.extend(texts) or trees(texts))
    assert compiled() == 0
    plan, _ = planned(_job(SUITE, **inputs_of(SUITE)))
    statements.judge(plan.selects())
    assert not judged
