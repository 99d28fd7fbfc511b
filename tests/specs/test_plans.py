"""The SQL of every suite is as reviewed.

`UPDATE_SNAPSHOTS=1 pytest tests/specs/test_plans.py` writes the snapshots anew; read the difference.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import snapshots

import scorespec
from marks import only, some
from scorespec.catalog.lookup import load_catalog
from scorespec.plan.plan import Plan

PLANS = Path(__file__).parent / "plans"
SUITES = load_catalog().keys("suites")
DOMAINS = sorted({key.domain for key in SUITES})


@cache
def compiled(domain: str) -> snapshots.Domain:
    found = snapshots.Domain()
    for key in SUITES:
        if key.domain == domain:
            found.add(scorespec.compile(key.name))
    return found


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_sql_of_each_suite_is_as_reviewed(domain: str) -> None:
    path, text = PLANS / f"{domain}.sql", compiled(domain).write()
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_a_snapshot_is_compared_unless_it_is_to_be_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "PLANS", tmp_path / "plans")
    path = tmp_path / "plans" / "articulation.sql"
    monkeypatch.setenv("UPDATE_SNAPSHOTS", "1")
    test_the_sql_of_each_suite_is_as_reviewed("articulation")
    made = path.read_text(encoding="utf-8")
    assert made == compiled("articulation").write()
    path.write_text(made.replace("SELECT", "select", 1), encoding="utf-8")
    monkeypatch.delenv("UPDATE_SNAPSHOTS")
    with pytest.raises(AssertionError):
        test_the_sql_of_each_suite_is_as_reviewed("articulation")


def test_every_snapshot_has_a_domain() -> None:
    assert sorted(path.stem for path in PLANS.iterdir()) == DOMAINS


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_snapshot_gives_the_steps_of_each_suite_again(domain: str) -> None:
    """So two snapshots are equal only if all steps of all suites are."""
    assert snapshots.read(compiled(domain).write()) == compiled(domain)


def steps(plan: Plan) -> list[tuple[str, str]]:
    return list(snapshots.named(snapshots.steps_of(plan)))


@pytest.mark.parametrize("suite", only(["quesst2015", "wer", "zerospeech2017"], (key.name for key in SUITES)))
def test_a_change_of_any_part_of_a_plan_changes_its_steps(suite: str) -> None:
    plan = scorespec.compile(suite)
    empty = replace(plan, steps=(), tables=(), curves=(), macros=())
    changes = [(plan, replace(plan, scores=replace(plan.scores, sql=f"{plan.scores.sql} ")))]
    for macro in plan.macros:
        other = replace(macro, sql=f"{macro.sql} + 0")
        changes.append((replace(empty, macros=(macro,)), replace(empty, macros=(other,))))
    for table in plan.tables_read():
        other = replace(table, columns=table.columns[1:])
        changes.append((plan, replace(plan, tables=tuple(other if each is table else each for each in plan.tables))))
    for curve in plan.curves:
        other = replace(curve, sql=f"{curve.sql} ")
        changes.append((replace(empty, curves=(curve,)), replace(empty, curves=(other,))))
    for step in plan.steps:
        others = [replace(step, sql=f"{step.sql} "), replace(step, view=not step.view)]
        for chain in [step.function_rows] if step.function_rows else []:
            others.append(replace(step, function_rows=replace(chain, sql=f"{chain.sql}\n1")))
            *first, (function, settings) = chain.calls
            for calls in ([*chain.calls, *chain.calls], [*first, (function, {**settings, "other": 1})]):
                others.append(replace(step, function_rows=replace(chain, calls=tuple(calls))))
        changes += [(replace(empty, steps=(step,)), replace(empty, steps=(other,))) for other in others]
    for before, after in some(changes):
        assert steps(before) != steps(after)
