"""The stages of small plans: which steps run together, how tables are divided, and what is written for others."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from scorespec.parts.stages import AS_MADE, FEW_ROWS, Stages, StepGroup, packed, stages_of
from scorespec.plan.plan import ROWS, Split, Step

INPUTS = {"words": 10**9, "calls": 10**7}  # rows
COLUMNS = ("file", "word", "time")


def step(name: str, reads: str, *ways: tuple[dict[str, str | None], str]) -> Step:
    """A step that reads some tables; each way says how tables are divided, and by what the result then is."""
    tables = frozenset(reads.split())
    splits = (Split({**dict.fromkeys(tables), **divided}, frozenset(result.split())) for divided, result in ways)
    return Step(name, "", "relation", name, "", "", "", tables, splits=tuple(splits))


def plan_of(*steps: Step, finals: str = "", counts: Any = ()) -> Any:
    """A plan whose results are read from the tables ``finals``, by default from the last step."""
    tables = [SimpleNamespace(name=name, column_names=COLUMNS) for name in INPUTS]
    names = set(finals.split()) or {steps[-1].physical}
    notices = SimpleNamespace(counts=counts)
    return SimpleNamespace(steps=steps, tables=tables, notices=notices, finals=lambda: names)


def stages(*steps: Step, finals: str = "", counts: Any = (), rows: dict[str, int] | None = None) -> Stages:
    return stages_of(plan_of(*steps, finals=finals, counts=counts), 4, INPUTS if rows is None else rows)


def shown(found: Stages) -> list[list[str]]:
    """The steps of each group of each stage; a group with * is divided."""
    return [[f"{'*' if each.divided else ''}{names(each)}" for each in groups] for groups in found.stages]


def names(group: StepGroup) -> str:
    return " ".join(each.physical for each in group.steps)


def test_steps_that_cannot_be_divided_run_in_one_task():
    found = stages(step("a", "words calls"), step("b", "a"))
    assert shown(found) == [["a b"]]
    assert found.inputs == {"words": (None,), "calls": (None,)}
    assert found.stages[0][0].writes == {"b": (None,)}


def test_adjacent_steps_with_one_key_are_one_group_and_exchange_nothing():
    found = stages(
        step("a", "words", ({"words": "file"}, "file")),
        step("b", "a", ({"a": "file"}, "file")),
        step("total", "b"),
    )
    assert shown(found) == [["*a b"], ["total"]]
    assert found.inputs == {"words": ("file",)}
    group = found.stages[0][0]
    assert (group.reads, group.writes) == ({"words": "file"}, {"b": (None,)})
    assert found.stages[1][0].reads == {"b": None}


def test_another_key_needs_an_exchange():
    found = stages(
        step("a", "words", ({"words": "file"}, "file")),
        step("b", "a", ({"a": "word"}, "word")),
        step("c", "b", ({"b": "word"}, "word")),
    )
    assert shown(found) == [["*a"], ["*b c"]]
    assert found.stages[0][0].writes == {"a": ("word",)}
    assert found.stages[1][0].reads == {"a": "word"}


def test_of_several_keys_the_one_with_the_fewest_exchanges_is_chosen():
    both = ({"words": "file"}, "file"), ({"words": "word"}, "word")
    found = stages(
        step("a", "words", *both),
        step("b", "a", ({"a": "file"}, "file"), ({"a": "word"}, "word")),
        step("c", "b", ({"b": "word"}, "word")),
    )
    assert shown(found) == [["*a b c"]]
    assert found.inputs == {"words": ("word",)}


def test_columns_with_the_same_values_are_one_key():
    found = stages(
        step("a", "words", ({"words": "file"}, "file recording")),
        step("b", "a", ({"a": "recording"}, "recording")),
    )
    assert shown(found) == [["*a b"]]


def test_a_table_that_is_to_be_divided_is_not_copied_even_if_it_was_made_whole():
    found = stages(
        step("gold", "calls"),
        step("a", "words gold", ({"words": "file", "gold": "file"}, "file")),
    )
    assert shown(found) == [["gold"], ["*a"]]
    assert found.stages[0][0].writes == {"gold": ("file",)}
    assert found.stages[1][0].reads == {"gold": "file", "words": "file"}


def test_a_result_without_a_key_is_divided_anew_or_read_whole():
    found = stages(
        step("a", "words", ({"words": "file"}, "")),
        step("b", "a", ({"a": "file"}, "file")),
        step("c", "a words", ({"words": "file"}, "file")),
        finals="b c",
    )
    assert shown(found) == [["*a"], ["*b", "*c"]]  # a task has one table of a name: b and c are apart
    assert found.stages[0][0].writes == {"a": ("file",)}  # all of its parts are the whole table
    assert [each.reads["a"] for each in found.stages[1]] == ["file", None]


def test_steps_over_single_rows_follow_what_they_read():
    by_rows = step("b", "a", ({"a": ROWS}, "file word time"))
    found = stages(step("a", "words", ({"words": "file"}, "file")), by_rows, step("c", "b", ({"b": "file"}, "file")))
    assert shown(found) == [["*a b c"]]


def test_rows_of_an_input_are_divided_by_a_column_that_others_need():
    found = stages(step("a", "words", ({"words": ROWS}, "file word time")), step("b", "a", ({"a": "word"}, "word")))
    assert shown(found) == [["*a b"]]
    assert found.inputs == {"words": ("word",)}


def test_rows_of_a_whole_table_are_divided_in_any_way():
    found = stages(step("a", "words"), step("b", "a", ({"a": ROWS}, "")))
    assert shown(found) == [["a"], ["*b"]]
    assert found.stages[0][0].writes == {"a": (ROWS,)}


def test_the_large_table_is_divided():
    ways = ({"calls": ROWS}, ""), ({"words": ROWS}, "")
    assert stages(step("a", "calls words", *ways)).inputs == {"calls": (None,), "words": (ROWS,)}


def test_steps_are_scheduled_late_so_that_large_tables_are_not_written():
    found = stages(
        step("a", "words", ({"words": "file"}, "file")),
        step("size", "calls", ({"calls": "word"}, "word")),
        step("whole", "size"),
        step("b", "a whole", ({"a": "file"}, "file")),
    )
    assert shown(found) == [["*size"], ["whole"], ["*a b"]]


def test_a_step_runs_where_its_rows_are_at_hand_even_if_its_result_is_needed_later():
    found = stages(
        step("a", "words", ({"words": "file"}, "file")),
        step("whole", "a"),
        step("sums", "a", ({"a": "file"}, "file")),
        step("scores", "sums whole"),
    )
    assert shown(found) == [["*a sums"], ["whole scores"]]


def test_results_that_nothing_else_reads_are_made_where_their_rows_are():
    found = stages(
        step("a", "words", ({"words": "file"}, "file")),
        step("evidence", "a", ({"a": "file"}, "file")),
        step("size", "calls"),
        step("b", "a size", ({"a": "file"}, "file")),
        finals="evidence b",
    )
    assert shown(found) == [["size"], ["*a evidence b"]]


def test_two_groups_become_one_when_a_step_reads_both():
    found = stages(
        step("a", "words", ({"words": "file"}, "file")),
        step("b", "words calls", ({"words": "word", "calls": "file"}, "file")),
        step("c", "a b", ({"a": "file", "b": "file"}, "file")),
    )
    # a and b divide the words in two ways, so that they cannot be one group
    assert shown(found) == [["*a", "*b"], ["*c"]]
    assert found.stages[1][0].reads == {"a": AS_MADE, "b": AS_MADE}
    found = stages(
        step("a", "words", ({"words": "file"}, "file")),
        step("x", "a"),
        step("b", "calls", ({"calls": "file"}, "file")),
        step("c", "a b", ({"a": "file", "b": "file"}, "file")),
        finals="x c",
    )
    assert shown(found) == [["*a b c"], ["x"]]


def test_a_condition_on_the_number_of_rows_keeps_its_step_whole():
    a = step("a", "words", ({"words": "file"}, "file"))
    assert shown(stages(a)) == [["*a"]]
    assert shown(stages(a, counts=[SimpleNamespace(physical="a", relation="")])) == [["a"]]
    assert shown(stages(a, counts=[SimpleNamespace(physical="a", relation="a")])) == [["*a"]]


def test_each_step_runs_once_after_what_it_reads():
    """A chain of steps that alternate between keys, with steps that gather everything."""
    made = [step("s0", "words calls", ({"words": "file"}, "file"))]
    for at in range(1, 12):
        key = ("file", "word", None)[at % 3]
        reads = f"s{at - 1} s{max(at - 4, 0)} words"
        made.append(step(f"s{at}", reads, *([(dict.fromkeys(reads.split(), key), key)] if key else [])))
    found = stages(*made, finals="s11 s3")
    done = {*INPUTS}
    for groups in found.stages:
        for group in groups:
            assert group.reads.keys() <= done
            own = {each.physical for each in group.steps}
            for at, each in enumerate(group.steps):
                assert each.reads <= group.reads.keys() | {other.physical for other in group.steps[:at]}
            assert {*group.writes} <= own
        done |= {name for group in groups for name in group.writes}
    assert sorted(each.physical for groups in found.stages for group in groups for each in group.steps) == sorted(
        each.physical for each in made
    )
    assert {"s11", "s3"} <= done


def test_small_tasks_of_a_stage_are_one():
    groups = [StepGroup(False, (step(name, read),), {read: None}, {name: (None,)}) for name, read in ("ax", "by")]
    (one,) = packed(groups, {"x": 1, "y": 1})
    assert (names(one), one.reads, one.writes) == ("a b", {"x": None, "y": None}, {"a": (None,), "b": (None,)})
    assert packed(groups, {"x": 1, "y": FEW_ROWS + 1}) == groups


@pytest.mark.parametrize("parts", [2, 3, 400])
def test_the_number_of_parts_changes_no_key(parts):
    plan = plan_of(step("a", "words", ({"words": "file"}, "file")), step("b", "a"))
    assert shown(stages_of(plan, parts, INPUTS)) == [["*a"], ["b"]]
