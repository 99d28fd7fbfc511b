"""Rows of a relation that end the run."""

from __future__ import annotations

import pytest

import toy
from scorespec.check.additive import expression_faults
from scorespec.check.binding import bind
from scorespec.errors import InputError, SpecError
from scorespec.show import show

DOCUMENT = """parameters: {least_score: {type: DOUBLE, default: 0.0, about: x}}
relations:
  sure_marks:
    about: x
    needs: [answers]
    sql: "SELECT file, speaker, item, score, score < {{ least_score }} AS unsure FROM {{ answers }}"
    params: [least_score]
    errors: [{sql: CONDITION, says: "{speaker} is not sure of {item} in {file}: {score}"}]
metrics:
  sure: {about: x, kind: mean, from: sure_marks, value: score}
"""


def document(condition: str = "unsure") -> str:
    return DOCUMENT.replace("CONDITION", condition)


def test_each_row_is_told() -> None:
    with pytest.raises(InputError) as caught:
        toy.score(document(), metrics=["sure"], params={"least_score": 0.45}, by=["speaker"])
    assert str(caught.value).splitlines() == [
        "sure_marks: bob is not sure of i1 in bob: 0.4",
        "sure_marks: bob is not sure of i3 in ann: 0.1",
    ]


def test_a_run_without_such_rows_goes_on() -> None:
    assert toy.score(document(), metrics=["sure"]).warnings == []


def test_a_row_of_an_input_is_told_with_its_line() -> None:
    of_input = document().replace("unsure FROM", "unsure, line FROM").replace('{score}"}', '{score}", input: answers}')
    with pytest.raises(InputError) as caught:
        toy.score(of_input, metrics=["sure"], params={"least_score": 0.45})
    assert str(caught.value).splitlines() == [
        "<answers>:3: bob is not sure of i3 in ann: 0.1",
        "<answers>:4: bob is not sure of i1 in bob: 0.4",
    ]
    with pytest.raises(SpecError, match=r"own\.yaml:\d+.*unknown table 'answer'; did you mean 'answers'"):
        toy.plan(of_input.replace("input: answers", "input: answer"), metrics=["sure"])


def test_inputs_that_an_error_does_not_depend_on_are_known() -> None:
    of_input = document().replace('{score}"}', '{score}", without: [answer]}')
    with pytest.raises(SpecError, match=r"own\.yaml:\d+.*unknown table 'answer'; did you mean 'answers'"):
        toy.plan(of_input, metrics=["sure"])


def test_three_are_told_and_all_are_counted() -> None:
    answers = [("f", "t", f"i{at:02}", "a", "a", 0.5) for at in range(30)]
    with pytest.raises(InputError) as caught:
        toy.score(document(), metrics=["sure(least_score=0.6)"], answers=answers)
    lines = str(caught.value).splitlines()
    assert lines[:2] == [f"sure_marks: t is not sure of i0{at} in f: 0.5 (least_score=0.6)" for at in (0, 1)]
    assert (len(lines), lines[-1]) == (4, "sure_marks: and 27 more problems")


ERRORS = 'errors: [{sql: CONDITION, says: "{speaker} is not sure of {item} in {file}: {score}"}]'
WARNINGS = 'warnings: [{sql: unsure, says: "{count} of {rows} are unsure: {speaker} of {item}"}]'


def test_two_warnings_of_the_same_rows_are_both_given() -> None:
    both = 'warnings: [{sql: unsure, says: "{count} are unsure"}, {sql: unsure, says: "ask {count} again"}]'
    run = toy.score(DOCUMENT.replace(ERRORS, both), metrics=["sure"], params={"least_score": 0.65})
    assert run.warnings == ["4 are unsure", "ask 4 again"]


def test_a_warning_lists_what_it_names() -> None:
    listing = DOCUMENT.replace(ERRORS, WARNINGS)
    run = toy.score(listing, metrics=["sure"], params={"least_score": 0.65}, by=["speaker"])
    assert run.warnings == ["4 of 7 are unsure: ann, bob of i1, i2, i3"]
    answers = [("f", f"t{at:02}", "i", "a", "a", 0.5) for at in range(25)]
    names = ", ".join(f"t{at:02}" for at in range(20))
    (said,) = toy.score(listing, metrics=["sure"], params={"least_score": 0.6}, answers=answers).warnings
    assert said == f"25 of 25 are unsure: {names} and 5 more of i"


def test_all_that_is_refused_is_told_at_once() -> None:
    document = document_of_two()
    with pytest.raises(InputError) as caught:
        toy.score(document, metrics=["sure", "other"], params={"least_score": 0.45})
    assert {line.partition(":")[0] for line in str(caught.value).splitlines()} == {"sure_marks", "other_marks"}
    # What only one of them stands on, or evidence alone, does not refuse the other.
    assert toy.score(document, metrics=["accuracy"], params={}).warnings == []


def document_of_two() -> str:
    relations, _, metrics = document().partition("metrics:")
    other = relations.partition("relations:\n")[2].replace("sure_marks", "other_marks").replace("score < ", "score <= ")
    return f"{relations}{other}metrics:{metrics}  other: {{about: x, kind: mean, from: other_marks, value: score}}\n"


def test_a_fault_of_the_condition_is_told_with_its_place() -> None:
    with pytest.raises(SpecError, match=r"own\.yaml:9:.*unsur"):
        bind(toy.plan(document("unsur"), metrics=["sure"]))
    names = toy.catalog(document("un sure (")).namespace("toy", "quiz")
    relation = names.relation("sure_marks")
    assert relation is not None
    assert "bad SQL expression 'un sure ('" in expression_faults(relation, names)[0]


def test_show_says_what_is_refused() -> None:
    said = "ends the run where:\n    unsure: {speaker} is not sure of {item} in {file}: {score}\n"
    assert said in show(toy.catalog(document()), "sure_marks")
