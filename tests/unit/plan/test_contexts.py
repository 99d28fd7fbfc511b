"""Each template of a kind reads every variable that it is given, and nothing else."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from jinja2 import Environment, meta, nodes

from marks import for_each
from scorespec.catalog.lookup import load_catalog
from scorespec.plan.kinds import context, fit, formula, overlap, statistics, sweep
from scorespec.plan.metrics import COUNTING
from scorespec.plan.rendering.templates import quoted

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "sql" / "kinds"
CONTEXTS = sorted(context.Context.__subclasses__(), key=lambda each: each.template)
SHARED = {"kinds/shared/components.sql", "kinds/shared/slices.sql"}
MACROS = {*SHARED, "kinds/sweep/crossing.sql", "kinds/sweep/points.sql"}  # only imported

# The variables, fields and arguments of macros that have fields of their own.
PARTS = {
    "slices": context.Slices,
    "breakdown": context.Breakdown,
    "given": context.Given,
    "note": context.Note,
    "sweep": sweep.Sweep,
    "first": formula.Operand,
    "other": formula.Operand,
    "operand": formula.Operand,
}


def environment() -> Environment:
    found = Environment()
    found.filters |= dict.fromkeys(("name", "names", "comma_ended", "text"), str)
    return found


def parsed(template: str) -> nodes.Template:
    return environment().parse((ROOT / "sql" / template).read_text(encoding="utf-8"))


def variables(template: str) -> set[str]:
    """The variables that a template reads and does not set. Those set by a block in a branch count as read in Jinja."""
    tree = parsed(template)
    return meta.find_undeclared_variables(tree) - {node.target.name for node in tree.find_all(nodes.AssignBlock)}


def names_of(kind: type) -> set[str]:
    return {field.name for field in fields(kind)}


def fields_read(template: str) -> Iterator[tuple[type, str]]:
    """The fields of PARTS that a template reads: `slices.by` and `sweep.slices.by` are the field `by` of Slices."""
    for node in parsed(template).find_all(nodes.Getattr):
        of = node.node.name if isinstance(node.node, nodes.Name) else getattr(node.node, "attr", "")
        if of in PARTS:
            yield PARTS[of], node.attr


def test_every_template_has_a_context_or_only_macros() -> None:
    shipped = {f"kinds/{path.relative_to(FOLDER).as_posix()}" for path in FOLDER.rglob("*.sql")}
    assert {each.template for each in CONTEXTS} == shipped - MACROS
    assert len(CONTEXTS) == len({each.template for each in CONTEXTS})


@for_each(kind=CONTEXTS)
def test_the_variables_of_a_template_are_the_fields_of_its_context(kind: type[context.Context]) -> None:
    assert variables(kind.template) == names_of(kind)
    place = Path(str(importlib.import_module(kind.__module__).__file__)).name
    said = f"{{# Variables: the fields of {kind.__name__} in plan/kinds/{place}. #}}"
    assert said in (ROOT / "sql" / kind.template).read_text(encoding="utf-8")


@for_each(template=sorted(MACROS))
def test_macros_read_their_arguments_alone(template: str) -> None:
    assert not variables(template)
    assert not [node for node in parsed(template).find_all((nodes.Import, nodes.FromImport)) if node.with_context]


@for_each(part=sorted(set(PARTS.values()), key=str))
def test_the_fields_of_what_is_passed_on_are_read(part: type) -> None:
    templates = [*MACROS, *(each.template for each in CONTEXTS)]
    read = {name for template in templates for of, name in fields_read(template) if of is part}
    computed = {name for name, value in vars(part).items() if isinstance(value, property)}
    assert names_of(part) <= read <= names_of(part) | computed


def test_a_variable_that_is_missing_is_named() -> None:
    with pytest.raises(TypeError, match="points"):
        fit.Minimum()  # type: ignore[call-arg]


def test_the_tables_of_a_context_are_found_wherever_they_stand() -> None:
    found, gold, units = (context.Reference(name) for name in ("found", "gold", "units"))
    rows = context.Subquery("(SELECT 1)", (found, gold))
    per_unit = context.StatisticsPerUnit(rows, None, (), {"n": "count(*)"}, units, (), (), (units, gold))
    assert per_unit.tables() == [found, gold, units]
    assert "FROM (SELECT 1)" in per_unit.sql("here")
    assert quoted("units") in per_unit.sql("here")


def test_all_that_belongs_to_a_kind_has_its_name() -> None:
    kinds = load_catalog().kinds
    documents = {path.stem for path in (ROOT / "specs" / "kinds").iterdir()}
    assert documents == kinds.keys()
    for name, kind in kinds.items():
        assert kind.origin.place().path == f"specs/kinds/{name}.yaml"
    modules = {each.__name__.rpartition(".")[2] for each in (fit, formula, overlap, statistics, sweep)}
    assert {path.name for path in FOLDER.iterdir()} == modules | {"shared"}
    assert modules <= kinds.keys()
    assert {name for name, kind in kinds.items() if not kind.short_for} <= modules
    assert COUNTING.keys() == modules - {"formula", "overlap"}
