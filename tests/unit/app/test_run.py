"""What a run returns: scores by name, as text, and the metrics that it can be asked for."""

from __future__ import annotations

import re
from typing import Any

import pytest

import scorespec
import toy
from scorespec.app.runs import Run
from scorespec.core.score_text import exact, four_digits, shown

COUNTED = """
components:
  answers: {about: Number of answers., unit: count, better: none, range: [0, null]}
metrics:
  tally:
    about: Number of answers and their sureness.
    kind: statistics
    from: marks
    unit: [file]
    statistics: {answers: count(*), sureness: sum(score)}
  large: {extends: tally, statistics: {answers: "count(*) * 10 ** 15", sureness: sum(score)}}
  parts_tally:
    about: Number of answers in each part.
    kind: statistics
    from: part_marks
    unit: [file]
    statistics: {answers: count(*)}
suites:
  parted:
    about: Counts over folds.
    inputs: [answers]
    metrics: [parts_tally]
    params: {n_parts: 3}
    folds: {column: part, count: n_parts}
"""


def row(value: float | None, folds: int | None = None, component: str = "n") -> dict[str, Any]:
    return {"metric": "m", "component": component, "slice": {}, "value": value, "std": None, "folds": folds, "note": ""}


# -- scores by name ----------------------------------------------------------------------------------


def test_a_score_is_an_attribute() -> None:
    run = toy.score(metrics=["words", "accuracy"])
    assert (
        run["words"].fscore
        == run["words"]["fscore"]
        == run.value("words", "fscore")
        == run.value("words.fscore")
        == toy.values(run)["words", "fscore"]
    )
    assert run["accuracy"].value == run.value("accuracy")
    assert run["words"].components == ("precision", "recall", "fscore")
    assert list(run) == ["words", "accuracy"]
    assert "accuracy" in run
    assert "topical" not in run
    assert run["words"].table() == [each for each in run.table() if each["metric"] == "words"]


def test_the_whole_submission_goes_before_slices() -> None:
    run = toy.score(metrics=["accuracy"], by=["file"])
    assert run["accuracy"].value == run.value("accuracy") == toy.values(run)["accuracy", "value"]
    assert run["accuracy"].at(file="ann").value == run.value("accuracy", file="ann") == pytest.approx(1 / 3)
    assert run["accuracy"].slices == [{}, *({"file": name} for name in ("ann", "bob", "cat"))]


def test_the_only_slice_need_not_be_named() -> None:
    run = toy.score(suite="voices", metrics=["accuracy"], params={"voice": "own"})
    assert run["accuracy"].slices == [{"voice": "own"}]
    assert run["accuracy"].value == run.value("accuracy") == run.value("accuracy", voice="own")


def test_one_of_several_slices_has_to_be_named() -> None:
    run = toy.score(suite="voices", metrics=["accuracy"])
    said = "accuracy has several slices; name one of them: voice=any; voice=own"
    for ask in (lambda: run["accuracy"].value, lambda: run["accuracy"]["value"], lambda: run.value("accuracy")):
        with pytest.raises(scorespec.UsageError, match=f"^{said}$"):
            ask()
    assert run["accuracy"].at(voice="any").value == run.value("accuracy", voice="any")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("word", "fscore"), "this run has no metric 'word'; did you mean 'words'?"),
        (("words", "fscor"), "this run has no component 'fscor' of words; did you mean 'fscore'?"),
        (("words.fscor",), "this run has no component 'fscor' of words; did you mean 'fscore'?"),
        (("words.fscore", "recall"), "this run has no metric 'words.fscore'; known: words"),
        (("words",), "this run has no component 'value' of words; known: fscore, precision, recall"),
    ],
)
def test_a_score_that_there_is_not(asked: tuple[str, ...], said: str) -> None:
    with pytest.raises(scorespec.UsageError, match=f"^{re.escape(said)}$"):
        toy.score(metrics=["words"]).value(*asked)


def test_a_slice_that_there_is_not() -> None:
    run = toy.score(metrics=["accuracy"], by=["file"])
    said = "this run has no slice file=dan of accuracy; known: (the whole submission); file=ann; file=bob; file=cat"
    with pytest.raises(scorespec.UsageError, match=f"^{re.escape(said)}$"):
        run.value("accuracy", file="dan")


def test_a_missing_attribute_is_an_attribute_error() -> None:
    scores = toy.score(metrics=["words"])["words"]
    with pytest.raises(AttributeError, match=r"^words has no component 'fscor'; did you mean 'fscore'\?$"):
        scores.fscor  # noqa: B018
    assert not hasattr(scores, "_repr_html_")


# -- as text -----------------------------------------------------------------------------------------


def test_counts_are_whole_numbers() -> None:
    run = toy.score(COUNTED, metrics=["tally", "large"])
    texts = [(each["metric"], each["component"], each["value"]) for each in run.shown_rows()]
    assert texts[0] == ("tally", "answers", "7")
    assert texts[2] == ("large", "answers", "7,000,000,000,000,000")
    assert [type(each["value"]) for each in run.exact_rows()] == [int, float, int, float]
    assert [each["value"] for each in run.to_dict()["scores"]][::2] == [7, 7 * 10**15]


def test_a_mean_of_counts_is_no_count() -> None:
    document = COUNTED
    run = toy.score(document, suite="parted", answers=toy.ANSWERS)
    (shown_row,) = run.shown_rows()
    assert shown_row["folds"] == "3"
    assert re.fullmatch(r"\d\.\d{4}", shown_row["value"])
    assert isinstance(run.exact_rows()[0]["value"], float)


@pytest.mark.parametrize(
    ("value", "folds", "text", "exactly"),
    [
        (0.0, None, "0", 0),
        (1.0, None, "1", 1),
        (1e300, None, f"{int(1e300):,}", int(1e300)),
        (2.5, None, "2.5000", 2.5),
        (3.0, 2, "3.0000", 3.0),
        (None, None, "", None),
        (float("inf"), None, "inf", float("inf")),
    ],
)
def test_a_component_that_counts(value: float | None, folds: int | None, text: str, exactly: float | None) -> None:
    counts = frozenset([("m", "n")])
    assert shown(row(value, folds), counts)["value"] == text
    found = exact(row(value, folds), counts)["value"]
    assert (found, type(found)) == (exactly, type(exactly))


def test_small_values_keep_four_digits() -> None:
    assert [four_digits(value) for value in (0.00012345, -1.23456e-7, 0.001, 0.0)] == [
        "0.0001234",
        "-1.235e-07",
        "0.0010",
        "0.0000",
    ]
    assert shown(row(1.5e-5), frozenset())["value"] == "1.5e-05"


def test_repr_has_a_line_for_each_score() -> None:
    run = toy.score(metrics=["words", "accuracy"], by=["file"])
    first, *lines = repr(run).splitlines()
    assert first == run.short_signature
    assert lines[0].split() == ["words", "precision", four_digits(run["words"].precision or 0)]
    assert len(lines) == len(run.table())
    assert repr(run["accuracy"]).splitlines()[0].split() == [
        "accuracy",
        "value",
        four_digits(run["accuracy"].value or 0),
    ]
    assert repr(run["accuracy"]).splitlines()[1].split()[:3] == ["accuracy", "value", "file=ann"]


# -- signatures --------------------------------------------------------------------------------------


def test_the_short_signature_has_what_differs_from_the_suite() -> None:
    plain = toy.plan()
    assert re.fullmatch(r"quiz\|spec:[0-9a-f]{8}\|scorespec:[0-9.]+", plain.identity.short)
    assert plain.identity.short.partition("|")[2] in plain.identity.long
    other = toy.plan(params={"pass_score": 0.3, "skipped": ["i1"]}).identity.short
    assert other == plain.identity.short.replace("quiz|", "quiz|pass_score:0.3|skipped:[i1]|")


def test_the_short_signature_pins_the_defaults() -> None:
    """A default that a domain declares is in no other document of the suite."""
    from scorespec.catalog.documents import parse_document
    from scorespec.catalog.lookup import Catalog, shipped_documents
    from scorespec.plan.compile import Request, compile_suite

    written = (toy.TOY / "toy.yaml").read_text("utf-8")
    signatures = set()
    for text in (
        written,
        written.replace("pass_score: {type: DOUBLE, default: 0.5", "pass_score: {type: DOUBLE, default: 0.4"),
    ):
        catalog = Catalog([*shipped_documents(), parse_document(text, "toy.yaml", toy.TOY)])
        suite = catalog.suite("quiz")
        signatures.add(compile_suite(catalog.of_suite(suite), suite, Request({})).identity.short)
    assert len(signatures) == 2


# -- metrics as objects ------------------------------------------------------------------------------


def test_metrics_are_texts_or_objects() -> None:
    catalog = scorespec.load_catalog(toy.TOY)
    names = catalog.namespace("toy", "quiz")

    def asked(metrics: Any) -> tuple[str, ...]:
        return scorespec.compile("quiz", specs=toy.TOY, metrics=metrics).metrics

    call = scorespec.metric("accuracy", pass_score=0.25, skipped=["i1", "a, b"])
    assert str(call) == "accuracy(pass_score=0.25,skipped=[i1,'a, b'])"
    assert asked(call) == (str(call),)
    assert asked([names.metric("words"), "accuracy", call]) == ("words", "accuracy", str(call))
    assert asked(names.metric("words")) == ("words",)
    run: Run = toy.score(metrics=[str(call)])
    assert asked(run[str(call)]) == (str(call),)
