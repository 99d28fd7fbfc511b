"""Parameters that give values to other parameters (`sets`): in a run, a suite, a metric and a call."""

from __future__ import annotations

import pytest

import toy
from scorespec.errors import SpecError, UsageError

STRICTNESS = """
parameters:
  strictness:
    type: VARCHAR
    default: usual
    one_of: [usual, strict]
    about: How strict the marks are.
    sets:
      usual: {pass_score: 0.5, lenient: false}
      strict: {pass_score: 0.85}
"""
SUITE = """
suites:
  exam: {extends: quiz, about: A strict quiz., params: {strictness: strict}}
metrics:
  hard: {extends: accuracy, about: A strict accuracy., params: {strictness: strict}}
"""
BOTH = STRICTNESS + SUITE


def pass_score(suite: str = "quiz", metric: str = "accuracy", **params: object) -> object:
    """The value of `pass_score` in the step of the marks."""
    plan = toy.plan(BOTH, suite, metrics=[metric], params=params)
    (step,) = (step for step in plan.steps if step.name == "marks")
    return step.values["pass_score"]


def test_the_parameter_that_sets_others_is_one_of_the_suite() -> None:
    assert toy.plan(BOTH).parameters["strictness"] == "usual"
    assert "|strictness:usual|" in toy.plan(BOTH).identity.long


def test_a_score_depends_on_it() -> None:
    found = [toy.values(toy.score(BOTH, params=params))["accuracy", "value"] for params in ({}, {"pass_score": 0.85})]
    assert toy.values(toy.score(BOTH, params={"strictness": "strict"}))["accuracy", "value"] == found[1] != found[0]


@pytest.mark.parametrize(
    ("suite", "metric", "params", "wanted"),
    [
        ("quiz", "accuracy", {}, 0.5),
        ("quiz", "accuracy", {"strictness": "strict"}, 0.85),
        ("quiz", "accuracy", {"strictness": "strict", "pass_score": 0.7}, 0.7),
        ("quiz", "accuracy(strictness=strict)", {}, 0.85),
        ("quiz", "accuracy(strictness=strict)", {"pass_score": 0.7}, 0.85),  # what is nearer to the metric wins
        ("quiz", "accuracy(strictness=strict,pass_score=0.6)", {}, 0.6),
        ("quiz", "hard", {"pass_score": 0.7}, 0.85),
        ("quiz", "hard(strictness=usual)", {}, 0.5),
        ("exam", "accuracy", {}, 0.85),
        ("exam", "accuracy", {"pass_score": 0.7}, 0.7),
        ("exam", "accuracy", {"strictness": "usual"}, 0.5),
    ],
)
def test_what_is_given_beside_it_wins(suite: str, metric: str, params: dict[str, object], wanted: float) -> None:
    assert pass_score(suite, metric, **params) == wanted


def test_a_run_in_which_it_sets_nothing_does_not_have_it() -> None:
    document = STRICTNESS.replace("pass_score: 0.5, lenient: false", "n_parts: 2").replace(
        "pass_score: 0.85", "n_parts: 3"
    )
    with pytest.raises(UsageError, match="parameter 'strictness' changes no metric of suite 'quiz' in this run"):
        toy.plan(document, metrics=["accuracy"], params={"strictness": "strict"})


def test_a_varied_parameter_that_is_set_has_one_value() -> None:
    document = STRICTNESS.replace("pass_score: 0.85", "voice: own")
    slices = {key[2:] for key in toy.values(toy.score(document, "voices", params={"strictness": "strict"}))}
    assert slices == {(("voice", "own"),)}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "pass_score: 0.85",
            "pas_score: 0.85",
            "own.yaml:11:27: unknown parameter 'pas_score'; did you mean 'pass_score'?",
        ),
        ("strict: {", "strickt: {", "own.yaml:11:7: parameter 'strictness' is 'strickt'; allowed: usual, strict"),
        (
            "pass_score: 0.85",
            "pass_score: high",
            "own.yaml:11:28: parameter 'pass_score' is 'high'; it must be a number",
        ),
    ],
)
def test_faults_have_their_place(old: str, new: str, said: str) -> None:
    with pytest.raises(SpecError) as raised:
        toy.plan(STRICTNESS.replace(old, new))
    assert str(raised.value).startswith(said)
