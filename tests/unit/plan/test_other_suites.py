"""Metrics of another suite of the domain in one run: names, parameters, inputs that both read, what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pytest

import scorespec
import toy
from scorespec.errors import InputError, SpecError, UsageError

OTHER = """
suite: exam
suites:
  exam:
    about: Another suite of the toy.
    inputs: [answers]
    optional: [items]
    metrics: [accuracy]
    params: {pass_score: 0.85}
"""
MARKS = """
relations:
  marks:
    extends: marks
    sql: "SELECT file, speaker, item, score, false AS right_answer FROM {{ answers }}"
    params: []
"""


def tables(**written: str) -> str:
    lines = "".join(f"    {key}: {value}\n" for key, value in written.items())
    return f"{OTHER}tables:\n  answers:\n    extends: answers\n    about: The answers of an exam.\n{lines}"


def test_rows_are_named_after_the_suite() -> None:
    run = toy.score(OTHER, metrics=["exam.accuracy", "accuracy", "quiz.accuracy", "exam.accuracy(pass_score=0.5)"])
    found = toy.values(run)
    assert list(found) == [(name, "value") for name in ("exam.accuracy", "accuracy", "exam.accuracy(pass_score=0.5)")]
    assert found["exam.accuracy", "value"] == pytest.approx(1 / 7)
    assert found["accuracy", "value"] == found["exam.accuracy(pass_score=0.5)", "value"] == pytest.approx(2 / 7)


def test_a_parameter_of_the_run_is_one_of_the_scored_suite() -> None:
    run = toy.score(OTHER, metrics=["exam.accuracy", "accuracy"], params={"pass_score": 0.3})
    assert toy.values(run)["exam.accuracy", "value"] == pytest.approx(1 / 7)
    assert toy.values(run)["accuracy", "value"] == pytest.approx(3 / 7)
    assert run.signature.startswith("quiz+exam|")
    assert "|pass_score:0.3|" in run.signature
    assert "|exam.pass_score:0.85|" in run.signature
    assert run.short_signature.startswith("quiz+exam|pass_score:0.3|spec:")
    assert run.parameters["exam.pass_score"] == 0.85


def test_relations_of_one_name_in_two_suites() -> None:
    run = toy.score(OTHER + MARKS, metrics=["exam.accuracy", "accuracy"])
    assert list(toy.values(run).values()) == [0, pytest.approx(2 / 7)]


def test_what_two_suites_have_in_common_is_made_once() -> None:
    plan = toy.plan(OTHER, metrics=["exam.accuracy(pass_score=0.5)", "accuracy"])
    assert [step.name for step in plan.steps].count("marks") == 1


def test_rows_of_one_name_by_different_functions() -> None:
    """The functions have the same input."""
    document = OTHER + (
        "relations:\n"
        "  chosen: {about: x, needs: [answers], input: SELECT 1 AS left_id, FUNCTION, sql: 'FROM {{ rows }}'}\n"
    )
    first, other = (
        toy.plan(document.replace("FUNCTION", f"function: {name}") + metric, metrics=["chosen"], suite="exam")
        .steps[0]
        .function_rows
        for metric in ["metrics:\n  chosen: {about: x, kind: mean, from: chosen, value: '1'}\n"]
        for name in ("best_matching", "first_best_matching")
    )
    assert first is not None
    assert other is not None
    assert first.sql == other.sql
    assert first.name != other.name


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("exm.accuracy", "metric 'exm.accuracy': no suite 'exm' of this domain; did you mean 'exam'?"),
        (
            "zerospeech2017.token",
            "metric 'zerospeech2017.token': no suite 'zerospeech2017' of this domain; "
            "it is a suite of term_discovery, quiz of toy",
        ),
        (
            "accuracy.value",
            "metric 'accuracy.value': no suite 'accuracy' of this domain; a metric is scored with all its components: "
            "write accuracy (compare and leaderboard take accuracy.value)",
        ),
        (
            "quiz.accuracy.value",
            "unknown metric 'quiz.accuracy.value'; a metric is scored with all its components: write quiz.accuracy (",
        ),
        ("exam.acuracy", "suite 'exam': unknown metric 'acuracy'; did you mean 'accuracy'?"),
        (".accuracy", "unknown metric '.accuracy'; did you mean 'accuracy'?"),
        ("exam.accuracy(fold=1)", "suite 'exam': unknown parameter 'fold' of metric 'accuracy'; "),
    ],
)
def test_a_metric_that_there_is_not(metric: str, said: str) -> None:
    with pytest.raises(UsageError, match="^" + re.escape(said)):
        toy.plan(OTHER, metrics=[metric])


def test_a_parameter_that_only_the_other_suite_reads() -> None:
    with pytest.raises(UsageError) as caught:
        toy.plan(OTHER, metrics=["exam.accuracy", "words"], params={"pass_score": 1})
    assert str(caught.value) == (
        "parameter 'pass_score' changes no metric of suite 'quiz' in this run; "
        "that of another suite is set by its metric: exam.accuracy(pass_score=…)"
    )


# -- suites that list metrics of other suites ---------------------------------------------------------

BOTH = """
  both:
    extends: quiz
    about: The quiz with a metric of the exam.
    metrics: [accuracy, exam.accuracy, "exam.accuracy(pass_score=0.5)"]
    params: {pass_score: 0.3}
"""


def test_a_suite_lists_metrics_of_another_suite() -> None:
    """They keep the parameters of their suite, as when the user asks for them."""
    listed = toy.score(OTHER + BOTH, "both")
    asked = toy.score(OTHER + BOTH, "both", metrics=["accuracy", "exam.accuracy", "exam.accuracy(pass_score=0.5)"])
    assert toy.values(listed) == toy.values(asked)
    assert [round(7 * (value or 0)) for value in toy.values(listed).values()] == [3, 1, 2]
    assert listed.signature == asked.signature
    assert list(toy.values(toy.score(OTHER + BOTH, "both", metrics=["accuracy"]))) == [("accuracy", "value")]


def test_the_inputs_of_the_other_suite_are_required(tmp_path: Path) -> None:
    document = tmp_path / "own.yaml"
    suite = "topics: {about: x, inputs: [answers, items], metrics: [topical]}"
    document.write_text(f"domain: toy\nsuites:\n  {suite}\n  both: {{extends: dealt, metrics: [topics.topical]}}\n")
    with pytest.raises(UsageError, match=r"^missing input 'items'"):
        scorespec.score("both", specs=[toy.TOY, document], answers=toy.rows("answers", toy.ANSWERS))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "exam.accuracy,",
            "exm.accuracy,",
            "own.yaml:15:25: metric 'exm.accuracy': no suite 'exm' of this domain; did you",
        ),
        ("exam.accuracy,", "exam.acuracy,", "own.yaml:15:25: suite 'exam': unknown metric 'acuracy'; did you mean"),
        ("[accuracy", "[acuracy", "own.yaml:15:15: unknown metric 'acuracy'; did you mean 'accuracy'?"),
        ("=0.5", "=high", "own.yaml:15:40: suite 'exam': parameter 'pass_score' is 'high'; it must be a number"),
    ],
)
def test_a_listed_metric_that_there_is_not(old: str, new: str, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        toy.plan(OTHER + BOTH.replace(old, new), "both")
    assert str(caught.value).startswith(said)


def test_show_has_the_metrics_of_another_suite() -> None:
    from scorespec.show import show

    found = show(toy.catalog(OTHER + BOTH), "both")
    assert "exam.accuracy" in found
    assert "exam.pass_score:0.85" in found


FORMULA = """
metrics:
  own:
    about: Half of the accuracy in the exam.
    kind: formula
    of: {exam: exam.accuracy}
    components: {value: exam.value / 2}
"""


@pytest.mark.parametrize("named", ["exam.accuracy", "exam.accuracy(pass_score=1)"])
def test_a_formula_reads_metrics_of_one_suite(named: str) -> None:
    """Those of another suite have folds of their own, which cannot be joined with those of this one."""
    document = OTHER.replace("suite: exam", "") + FORMULA.replace("exam.accuracy", f"'{named}'")
    with pytest.raises(SpecError) as caught:
        toy.plan(document, metrics=["own"])
    assert str(caught.value) == (
        "own.yaml:16:16: 'exam.accuracy' is a metric of another suite, with parameters and folds of its own; "
        "name a metric of quiz here (--metric exam.accuracy scores that one beside it)"
    )


def test_a_formula_may_name_its_own_suite() -> None:
    run = toy.score(OTHER + FORMULA, "exam", metrics=["own"])
    assert toy.values(run) == {("own", "value"): pytest.approx(1 / 14)}
    listed = toy.score(OTHER.replace("[accuracy]", "[exam.accuracy]"), "exam")
    assert list(toy.values(listed)) == [("accuracy", "value")]


def test_an_unknown_metric_that_other_suites_have() -> None:
    own = "metrics:\n  depth: {extends: accuracy, about: x}\n"
    with pytest.raises(UsageError) as caught:
        toy.plan(OTHER + own, metrics=["depth"])
    said = "unknown metric 'depth'; to score that of another suite, give its full name: exam.depth"
    assert str(caught.value) == said


def test_metrics_of_another_suite_alone_follow_those_of_the_suite() -> None:
    both = toy.plan(OTHER, metrics=["exam.accuracy"])
    assert both.metrics == (*toy.plan(OTHER).metrics, "exam.accuracy")
    listed = OTHER + "  listed: {extends: quiz, about: x, metrics: [exam.accuracy]}\n"
    assert toy.plan(listed, "listed").metrics == ("exam.accuracy",)


def test_main_scores_are_those_of_the_suite_and_of_the_metrics_beside_it() -> None:
    asked = ["exam.accuracy", "accuracy", "exam.words", "exam.accuracy(pass_score=0.5)"]
    assert toy.plan(OTHER, metrics=asked).meanings.primary == ()  # then it is the first metric
    ours = "  ours: {extends: quiz, about: x, primary: [words.fscore]}\n"
    beside = ["exam.accuracy.value", "exam.accuracy(pass_score=0.5).value"]
    found = toy.plan(OTHER + ours, "ours", metrics=asked, by=["speaker"])
    assert found.meanings.primary == ("words.fscore", *beside)
    main = "    primary: [words.recall]\n"
    beside.insert(1, "exam.words.recall")
    assert toy.plan(OTHER + main + ours, "ours", metrics=asked).meanings.primary == ("words.fscore", *beside)


def test_a_table_says_that_it_belongs_to_a_submission() -> None:
    """The suite `exam` names no input under `submitted`, and `quiz` does not take the input at all."""
    items = "tables:\n  items: {extends: items, submitted: true}\n"
    assert toy.catalog(OTHER).suite("exam").submitted == frozenset()
    assert toy.catalog(OTHER + items).suite("exam").submitted == {"items"}
    assert toy.catalog(OTHER + "    submitted: [answers]\n" + items).suite("exam").submitted == {"answers", "items"}
    of_quiz = toy.plan(OTHER + items, metrics=["accuracy"]).inputs.submitted
    both = toy.plan(OTHER + items, metrics=["accuracy", "exam.accuracy"]).inputs.submitted
    assert both == of_quiz | {"items"} != of_quiz


# -- inputs that both read ---------------------------------------------------------------------------


@pytest.mark.parametrize(("suite", "other"), [("quiz", "exam"), ("exam", "quiz")])
def test_what_either_suite_refuses_is_refused(suite: str, other: str) -> None:
    document = tables(
        checks="[{sql: score < 0.9, says: 'score {score} is too good'}]", key="[file, item]", duplicates="error"
    )
    metrics = ["accuracy", f"{other}.accuracy"]
    with pytest.raises(InputError, match=r"score 0\.9 is too good"):
        toy.score(document, suite, metrics=metrics)
    with pytest.raises(InputError, match="repeats an earlier line: file bob, item i1"):
        toy.score(document, suite, metrics=metrics, answers=toy.ANSWERS[3:4] * 2)
    assert toy.values(toy.score(document, suite, metrics=metrics, answers=toy.ANSWERS[1:]))


def test_a_value_that_one_suite_requires() -> None:
    document = tables(columns="{said: {nullable: false}, wanted: {nullable: false}, score: {infinite: false}}")
    run = toy.plan(document, metrics=["accuracy", "exam.accuracy"])
    assert [each.name for each in run.tables[0].columns if each.nullable or each.infinite] == []


@pytest.mark.parametrize(
    "written", [{"duplicates": "merge"}, {"formats": "[tsv]"}, {"columns": "{more: {type: BIGINT}}"}], ids=str
)
def test_an_input_that_two_suites_read_differently(written: dict[str, str]) -> None:
    with pytest.raises(UsageError) as caught:
        toy.plan(tables(**written), metrics=["accuracy", "exam.accuracy"])
    assert str(caught.value) == (
        "input 'answers' is read differently by the other suite (toy.yaml:5:3 and own.yaml:12:3); "
        "score the metrics of each suite in a run of their own"
    )


def test_an_input_of_the_other_suite_is_required_and_known() -> None:
    inputs = {"answers": toy.rows("answers", toy.ANSWERS)}
    asked = {"specs": toy.TOY, "suite": "dealt", "metrics": ["quiz.topical", "part_accuracy"]}
    run = scorespec.score(**asked, params={"n_parts": 2}, **inputs, items=toy.rows("items", toy.ITEMS))
    assert {row["metric"] for row in run.table()} == {"quiz.topical", "part_accuracy"}
    with pytest.raises(UsageError, match=r"^unknown input 'trails' of suite 'dealt'; did you mean 'trials'\? "):
        scorespec.score(**asked, **inputs, trails=toy.rows("trials", []))


def test_a_macro_has_one_meaning_in_a_run() -> None:
    macro = "macros:\n  ratio: {about: x, params: [a, b], sql: a * b}\n"
    with pytest.raises(UsageError) as caught:
        toy.plan(OTHER + macro, metrics=["accuracy", "exam.accuracy"])
    assert re.fullmatch(
        r"the macro 'ratio' has two meanings in this run \(specs/macros.yaml:\d+:\d+ and own.yaml:\d+:\d+\); "
        "score the metrics of each suite in a run of their own",
        str(caught.value),
    )
    assert toy.plan(OTHER + macro, "exam")


# -- breakdowns --------------------------------------------------------------------------------------


def test_a_breakdown_that_one_of_the_suites_has() -> None:
    run = toy.score(suite="dealt", metrics=["quiz.accuracy", "quiz.sureness"], by=["item"], params={})
    assert ("quiz.accuracy", "value", ("item", "i1")) in toy.values(run)
    with pytest.raises(UsageError, match=r"^--by part: suite 'dealt' averages over it$"):
        toy.plan(suite="quiz", metrics=["accuracy", "dealt.part_accuracy"], by=["part"], given=["answers", "parts"])
    with pytest.raises(UsageError, match=r"^unknown column 'itm' in --by; did you mean 'item'\?$"):
        toy.plan(OTHER, metrics=["accuracy", "exam.accuracy"], by=["itm"])


def test_a_suite_based_on_another_need_not_name_its_optional_inputs(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    suite = "{about: x, based_on: wer, inputs: [reference, hypothesis], metrics: [wer]}"
    path.write_text(f"domain: transcripts\nsuites:\n  mine: {suite}\n")
    texts = pa.table({"id": ["a", "b"], "text": ["one two", "three"]})
    inputs = {"reference": texts, "hypothesis": texts}
    run = scorespec.score("mine", inputs=inputs, specs=path)
    assert run.value("wer", "words") == 3


def test_compile_reads_the_columns_of_files_for_breakdowns(tmp_path: Path) -> None:
    (tmp_path / "talks.csv").write_text("document,accent\na,us\n")
    (tmp_path / "text.txt").write_text("a one two\n")
    texts = dict.fromkeys(("reference", "hypothesis"), tmp_path / "text.txt")
    plan = scorespec.compile("wer", inputs={**texts, "metadata": tmp_path / "talks.csv"}, by=["accent"])
    assert "accent" in plan.script()
    assert scorespec.compile("wer", inputs={"reference": "not/there"}, by=["document"]).steps
