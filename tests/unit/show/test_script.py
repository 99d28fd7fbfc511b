"""The script of a plan explains itself, for every suite that ships."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

import scorespec
from dead_sql import dead_conditions, dead_conditions_of_plan
from marks import for_each, some
from scorespec.api import CompiledPlan
from scorespec.catalog.lookup import load_catalog
from scorespec.plan.parameters import show_value
from scorespec.plan.rendering.macros import _CALL as CALL
from scorespec.plan.rendering.templates import header, quoted

SUITES = load_catalog().names("suites")
ALL_INPUTS = [*SUITES, *(f"{name} with all inputs" for name in SUITES)]


@cache
def plan_of(case: str) -> CompiledPlan:
    name, _, every = case.partition(" with ")
    suite = load_catalog().suite(name)
    return scorespec.compile(name, inputs=[*suite.inputs, *suite.optional] if every else None)


def comments(plan: CompiledPlan) -> list[str]:
    """The comment above each step."""
    parts = plan.script().split("\n\n")
    return [
        "\n".join(line for line in part.splitlines() if line.startswith("--")) for part in parts if "CREATE " in part
    ]


@for_each(suite=ALL_INPUTS)
def test_a_few_lines_say_what_is_computed_from_which_inputs_in_which_order(suite: str) -> None:
    plan = plan_of(suite)
    top, _, _ = plan.script().partition("\n\n")
    said = " ".join(line.removeprefix("--").strip() for line in top.splitlines())
    assert len(top.splitlines()) <= 11
    assert said.startswith(f"Suite {plan.suite}: {plan.about}")
    assert all(table.name in said for table in plan.tables)
    assert all(metric.partition("(")[0] in said for metric in plan.metrics)
    assert f"the {len(plan.steps)} steps" in said
    assert plan.identity.long in said


@for_each(suite=ALL_INPUTS)
def test_no_two_steps_have_the_same_comment(suite: str) -> None:
    plan = plan_of(suite)
    places = {f"({step.place})" for step in plan.steps}
    said = []
    for comment in comments(plan):
        flat = " ".join(comment.replace("\n--", " ").split())
        for place in places:
            flat = flat.replace(place, "")
        said.append(flat)
    assert len(said) >= len(plan.steps)
    assert len(set(said)) == len(said)


@for_each(suite=ALL_INPUTS)
def test_each_step_has_the_comment_of_its_template_and_its_label(suite: str) -> None:
    plan = plan_of(suite)
    flat = " ".join(plan.script().replace("\n--", " ").split())
    for step in some(plan.steps):
        assert step.label in flat
        for paragraph in (step.explained or step.about).split("\n\n"):  # one that explains several steps is said once
            assert " ".join(paragraph.split()) in flat


@for_each(suite=ALL_INPUTS)
def test_each_paragraph_of_a_template_begins_a_line(suite: str) -> None:
    plan = plan_of(suite)
    lines = plan.script().splitlines()
    for step in some(plan.steps):
        for paragraph in some(step.explained.split("\n\n")):
            first_words = " ".join(paragraph.split()[:4])
            assert any(line.startswith(f"-- {first_words}") for line in lines), paragraph


def test_paragraphs_of_a_template() -> None:
    assert (
        header("{# One thing\n   said.\n\n   Another\n   thing. #}\n{# no more #}FROM t")
        == "One thing said.\n\nAnother thing."
    )
    assert header("FROM t {# no header #}") == ""


def test_each_python_function_has_the_values_of_its_settings() -> None:
    plans = [plan_of(suite) for suite in ALL_INPUTS]
    chains = [(plan, step.function_rows) for plan in plans for step in plan.steps if step.function_rows]
    for plan, chain in some(chains):
        flat = " ".join(plan.script().replace("\n--", " ").split())
        said = flat.partition(f"{quoted(chain.name)} is what the Python function ")[2].partition(
            " makes of the rows of"
        )[0]
        calls = []
        for function, values in chain.calls:
            settings = ", ".join(f"{name} = {show_value(value)}" for name, value in values.items())
            calls.append(f"{function.name} ({settings})" if settings else function.name)
        assert said == ", then ".join(calls)


@for_each(suite=ALL_INPUTS)
def test_the_macros_that_are_created_are_those_that_are_called(suite: str) -> None:
    plan = plan_of(suite)
    created = [macro.name for macro in plan.macros]
    texts = (*plan.texts(), *(macro.sql for macro in plan.macros))
    called = {name for text in texts for name in CALL.findall(text)}
    assert set(created) <= called
    assert len(set(created)) == len(created)


@for_each(suite=ALL_INPUTS)
def test_a_step_reads_what_its_sql_names(suite: str) -> None:
    plan = plan_of(suite)
    made: set[str] = {table.name for table in plan.tables_read()}
    for step in some(plan.steps):
        sql = step.sql + (step.function_rows.sql if step.function_rows else "")
        assert {name for name in made - {table.name for table in plan.tables} if quoted(name) in sql} == {
            name for name in step.reads if name in made and name not in {table.name for table in plan.tables}
        }
        made.add(step.physical)


# -- SQL that does nothing ----------------------------------------------------------------------------


@for_each(suite=ALL_INPUTS)
def test_no_condition_is_decided_before_the_run(suite: str) -> None:
    """`test_every_column_of_every_suite` looks for them in plans with breakdowns."""
    assert dead_conditions_of_plan(plan_of(suite)) == []


@pytest.mark.parametrize(
    ("sql", "dead"),
    [
        ("SELECT a FROM t WHERE true", ["true"]),
        ("SELECT a FROM t WHERE 'words' <> 'characters' AND a > 1", []),
        ("SELECT a FROM t LEFT JOIN u ON true AND t.a = u.a", ["true AND t.a = u.a"]),
        ("SELECT a FROM t JOIN u ON true", ["true"]),
        ("SELECT count(*) FILTER (WHERE true) FROM t", ["true) FROM t"]),
        ("SELECT if([1] <> [], a, b) FROM t", ["[1] <> [], a, b) FROM t"]),
        ("SELECT CASE WHEN 1 < 2 THEN a END FROM t", ["1 < 2 THEN a END FROM t"]),
        ("SELECT true FROM t CROSS JOIN u LEFT JOIN v ON true", []),
        ("SELECT a FROM t GROUP BY a HAVING count(*) > 1 QUALIFY count(*) OVER () > 1", []),
        ("SELECT a FROM t WHERE (SELECT max(b) FROM u) > 1 AND coalesce(a, false)", []),
    ],
)
def test_a_condition_that_is_decided_before_the_run_is_found(sql: str, dead: list[str]) -> None:
    assert sorted(set(dead_conditions(sql))) == sorted(dead)


# -- indentation ---------------------------------------------------------------------------------------


def not_indented(sql: str) -> Iterator[str]:
    """The lines that stand inside parentheses and are not indented more than the line that opens them."""
    opened: list[int] = []  # the indentation of the lines whose parentheses are open
    quote = ""
    for line in sql.splitlines():
        indentation = len(line) - len(line.lstrip())
        closing = len(line.strip()) - len(line.strip().lstrip(")]}"))
        if not quote and opened and not closing and indentation <= opened[-1]:
            yield line
        for at, character in enumerate(line):
            if quote:
                quote = "" if character == quote else quote
            elif character in "'\"":
                quote = character
            elif line.startswith("--", at):
                break
            elif character in "([{":
                opened.append(indentation)
            elif character in ")]}":
                opened.pop()


@for_each(suite=ALL_INPUTS)
def test_what_stands_in_parentheses_is_indented(suite: str) -> None:
    plan = plan_of(suite)
    assert not list(not_indented(plan.scores.sql))
    for step in plan.steps:
        for sql in (step.sql, *([step.function_rows.sql] if step.function_rows else [])):
            assert not list(not_indented(sql)), f"{step.label}:\n{sql}"
