"""Parameters from the scores of another run: `calibrate` and `--from`, for a domain of the user's own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest
from command_line import Command

import scorespec
from marks import slow

DOCUMENT = """\
domain: quiz
tables:
  answers:
    about: One row per answer.
    columns:
      certainty: {type: DOUBLE, about: how certain the answer is}
      correct: {type: BOOLEAN, about: whether the answer is correct}
    duplicates: keep
    formats: [csv]
parameters:
  cut: {type: DOUBLE, default: null, nullable: true, at_most: 1, about: least certainty of an answer that counts}
  gain: {type: DOUBLE, default: 1, about: worth of a correct answer}
  exam: {type: VARCHAR, default: open, one_of: [open, strict], sets: {strict: {cut: 0.9}}, about: kind of exam}
relations:
  counted:
    about: The answers that count.
    needs: [answers]
    sql: "SELECT *, {{ gain }} AS worth, {{ exam }} AS exam FROM {{ answers }} WHERE certainty >= {{ cut }}"
    params: [cut, gain, exam]
metrics:
  best:
    about: Correct minus wrong answers at the best cut.
    kind: sweep
    from: answers
    score: certainty
    statistics: {correct: count_if(correct), wrong: count_if(NOT correct)}
    components: {value: correct - wrong}
    best: max value
    better: higher
  given:
    about: Worth of the answers that count.
    kind: statistics
    from: counted
    statistics: {correct: sum(worth) FILTER (WHERE correct), wrong: count_if(NOT correct)}
    components: {value: correct - wrong}
suites:
  quiz:
    about: The quiz.
    inputs: [answers]
    metrics: [best, given]
    only_with: {given: cut}
    calibration: {cut: best.threshold}
  other:
    about: The quiz without calibration.
    inputs: [answers]
    metrics: [best]
"""
DEV = "certainty,correct\n0.9,true\n0.8125,true\n0.7,false\n"
EVAL = "certainty,correct\n0.95,true\n0.85,false\n0.8,true\n"
QUIZ = ("quiz", "--specs", "quiz.yaml")


@pytest.fixture(scope="session")
def files(cli: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the documents, both sets, and `dev.duckdb`, which has a run of the development set."""
    folder = tmp_path_factory.mktemp("quiz")
    for name, text in (("quiz.yaml", DOCUMENT), ("dev.csv", DEV), ("eval.csv", EVAL)):
        (folder / name).write_text(text)
    with chdir(folder):
        cli("score", *QUIZ, "answers=dev.csv", "-o", "dev.duckdb", "--no-evidence").scored()
    return folder


@pytest.fixture
def quiz(cli: Command, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Command]:
    """Scores the evaluation set; `dev.duckdb` has a run of the development set."""
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: cli("score", *QUIZ, "answers=eval.csv", "--no-evidence", *arguments)


def values(text: str) -> dict[str, float]:
    scores = json.loads(text)["scores"]
    return {f"{row['metric']}.{row['component']}": row["value"] for row in scores}


CALIBRATE = ("calibrate", "dev.duckdb", "1", "--specs", "quiz.yaml")


@pytest.mark.parametrize(
    ("options", "printed"),
    [
        ([], "--param cut=0.8125\n"),
        (["cut"], "--param cut=0.8125\n"),
        (["--format", "json"], '{\n  "cut": 0.8125\n}\n'),
        (["--format", "yaml"], "cut: 0.8125\n"),
    ],
)
def test_what_is_printed(quiz, cli, options, printed):
    assert cli(*CALIBRATE, *options).scored() == printed


def test_numbers_are_printed_with_all_their_digits(quiz, cli):
    Path("third.csv").write_text(f"certainty,correct\n{1 / 3!r},true\n1e-07,false\n")
    cli("score", *QUIZ, "answers=third.csv", "-o", "dev.duckdb", "--no-evidence").scored()
    Path("tiny.csv").write_text("certainty,correct\n1e-07,true\n")
    cli("score", *QUIZ, "answers=tiny.csv", "-o", "dev.duckdb", "--no-evidence").scored()
    ask = ("--specs", "quiz.yaml")
    assert cli("calibrate", "dev.duckdb", "2", *ask).scored() == f"--param cut={1 / 3!r}\n"
    assert cli("calibrate", "dev.duckdb", "3", *ask).scored() == "--param cut=1e-07\n"
    # YAML 1.1 reads 1e-07 as a text.
    assert cli("calibrate", "dev.duckdb", "3", *ask, "--format", "yaml").scored() == "cut: 1.0e-07\n"


def test_options_and_from_are_the_same_run(quiz, cli):
    options = cli(*CALIBRATE).scored().split()
    pasted, taken = quiz(*options), quiz("--from", "dev.duckdb:1")
    assert pasted.scored() == taken.scored()
    assert "\nquiz|cut:0.8125|spec:" in taken.out
    found = values(quiz("--from", "dev.duckdb:1", "--format", "json").scored())
    assert found == {"best.value": 1, "best.threshold": 0.8, "given.value": 0}


def test_a_metric_without_its_parameter_is_left_out_unless_it_is_asked_for(quiz):
    assert set(values(quiz("--format", "json").scored())) == {"best.value", "best.threshold"}
    assert set(values(quiz("--param", "cut=null", "--metric", "given", "--format", "json").scored())) == {"given.value"}
    quiz("--param", "cut=null").refused_with("parameter 'cut' changes no metric of suite 'quiz' in this run", code=2)


def test_a_parameter_that_another_one_sets_is_set(quiz):
    found = values(quiz("--param", "exam=strict", "--format", "json").scored())
    assert found["given.value"] == 1


def test_what_a_run_sets_wins_over_the_suite_in_the_choice_of_metrics(quiz, cli):
    suite = "{extends: quiz, about: The quiz without a cut of its own., params: {cut: null}}"
    Path("open.yaml").write_text(f"domain: quiz\nsuites:\n  uncut: {suite}\n")
    ask = ("uncut", "--specs", "quiz.yaml", "--specs", "open.yaml", "answers=eval.csv", "--format", "json")
    assert "given.value" not in values(cli("score", *ask).scored())
    assert "given.value" in values(cli("score", *ask, "--param", "exam=strict").scored())


def test_a_param_comes_before_from(quiz):
    found = values(quiz("--from", "dev.duckdb:1", "--param", "cut=0.9", "--format", "json").scored())
    assert found["given.value"] == 1


def test_the_run_is_one_of_several(quiz, cli):
    cli("score", *QUIZ, "answers=eval.csv", "-o", "dev.duckdb", "--no-evidence").scored()
    assert cli("calibrate", "dev.duckdb", "2", "--specs", "quiz.yaml").scored() == "--param cut=0.8\n"
    assert values(quiz("--from", "dev.duckdb:2", "--format", "json").scored())["given.value"] == 1
    message = "error: there is no run 3 of dev.duckdb; its runs: 1, 2"
    cli("calibrate", "dev.duckdb", "3").refused(message, code=2)
    quiz("--from", "dev.duckdb:3").refused(message, code=2)


def test_a_schema(quiz, cli):
    cli("score", *QUIZ, "answers=dev.csv", "-o", "dev.duckdb", "--schema", "mine").scored()
    assert cli(*CALIBRATE, "--schema", "mine").scored() == "--param cut=0.8125\n"
    assert quiz("--from", "dev.duckdb:1", "--schema", "mine").scored() == quiz("--from", "dev.duckdb:1").scored()


def test_a_compiled_plan_has_the_values(quiz, cli):
    script = cli("compile", *QUIZ, "--from", "dev.duckdb:1").scored()
    assert "certainty >= 0.8125e0" in script


def test_an_explained_step_has_the_values(quiz, cli):
    explained = cli("explain", "quiz", "counted", "answers=eval.csv", "--specs", "quiz.yaml", "--from", "dev.duckdb:1")
    assert "Filters: certainty >= 0.8125" in explained.scored()


def test_other_parameters_that_differ_are_a_warning(quiz):
    result = quiz("--from", "dev.duckdb:1", "--metric", "given", "--param", "gain=3")
    assert (result.code, result.err) == (0, "")  # the run of the development set had no parameter gain
    quiz("--param", "cut=0.8", "-o", "dev.duckdb").scored()
    result = quiz("--from", "dev.duckdb:2", "--param", "gain=3")
    assert result.err == "warning: run 2 of dev.duckdb was scored with gain=1.0; this run has gain=3.0\n"


@pytest.mark.parametrize("written", ["dev.duckdb", "dev.duckdb:", ":1"])
def test_a_run_that_is_written_wrongly(quiz, written):
    said = "is not a run of a results database; write RESULTS:RUN, such as dev.duckdb:1"
    quiz("--from", written).refused(f"error: {written!r} {said}", code=2)


@pytest.mark.parametrize("run", ["x", "²", "1" * 5000])
def test_a_run_that_there_is_not(quiz, run):
    quiz("--from", f"dev.duckdb:{run}").refused(f"error: there is no run {run} of dev.duckdb; its runs: 1", code=2)


def test_a_run_by_its_name(quiz):
    quiz("--name", "first", "-o", "dev.duckdb").scored()
    assert quiz("--from", "dev.duckdb:first").scored() == quiz("--from", "dev.duckdb:2").scored()


def test_metrics_that_read_nothing_of_the_run(quiz):
    said = "error: no metric of this run reads cut, which run 1 of dev.duckdb would set"
    quiz("--from", "dev.duckdb:1", "--metric", "best").refused(said, code=2)


def test_databases_that_cannot_be_read(quiz):
    quiz("--from", "none.duckdb:1").refused("error: none.duckdb: no such results database")
    quiz("--from", "dev.csv:1").refused("error: dev.csv: cannot be opened: it is not a DuckDB database")


def test_a_database_of_another_program(quiz, cli):
    import duckdb

    with duckdb.connect("t.duckdb") as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS a")
    quiz("--from", "t.duckdb:1").refused_with(
        "error: t.duckdb is not a results database of scorespec: Table with name runs does not exist!", code=2
    )


def written_elsewhere(parameters="'{}'", slice="'{}'", value="0.5", runs=1):
    """Write `t.duckdb`: a database of results with runs that have one score each."""
    import duckdb

    from scorespec.results.schema import ResultTables

    with duckdb.connect("t.duckdb") as connection:
        ResultTables(connection, "main", "t").make()
        ids = f"SELECT unnest(range(1, {runs} + 1)) AS id"
        connection.execute(
            "INSERT INTO runs BY NAME SELECT *, now() AS time, 'quiz' AS suite, 'quiz|scorespec:0.1.0' AS signature, "
            f"{parameters} AS parameters FROM ({ids})"
        )
        connection.execute(
            "INSERT INTO scores BY NAME SELECT id AS run, 'best' AS metric, 'threshold' AS component, "
            f"{slice} AS slice, {value} AS value FROM runs"
        )


@pytest.mark.parametrize(
    ("parameters", "slice", "table"),
    [("NULL", "'{}'", "runs"), ("'5'", "'{}'", "runs"), ("'{}'", "'0'", "scores"), ("'{}'", "NULL", "scores")],
)
def test_a_database_with_odd_rows(quiz, parameters, slice, table):
    written_elsewhere(parameters, slice)
    quiz("--from", "t.duckdb:1").refused_with(f"error: t.duckdb: its table {table} is damaged (")


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_a_value_that_is_not_finite(quiz, cli, value):
    written_elsewhere(value=f"'{value}'::DOUBLE")
    said = f"error: run 1 of t.duckdb: best.threshold is {value}, so that it cannot set cut; "
    quiz("--from", "t.duckdb:1").refused(f"{said}set it: --param cut=VALUE", code=2)
    refused = cli("calibrate", "t.duckdb", "1", "--specs", "quiz.yaml")
    refused.refused(f"{said}name the parameters that you need of cut", code=2)


def test_one_of_many_runs(quiz, cli):
    written_elsewhere(runs=3000)
    assert cli("calibrate", "t.duckdb", "3000", "--specs", "quiz.yaml").scored() == "--param cut=0.5\n"
    quiz("--from", "t.duckdb:3001").refused("error: there is no run 3001 of t.duckdb; it has 3,000 runs, 1 to 3000", 2)


def test_a_run_of_another_suite(quiz, cli):
    cli("score", "other", "--specs", "quiz.yaml", "answers=dev.csv", "-o", "dev.duckdb", "--no-evidence").scored()
    said = "error: run 2 of dev.duckdb is of suite 'other', not of 'quiz'; score its data with 'quiz', too"
    quiz("--from", "dev.duckdb:2").refused(said, code=2)
    said = "error: suite 'other' takes no parameter from another run: it has no key `calibration`"
    cli("calibrate", "dev.duckdb", "2", "--specs", "quiz.yaml").refused(said, code=2)
    result = cli("score", "other", "--specs", "quiz.yaml", "answers=eval.csv", "--from", "dev.duckdb:2")
    result.refused(said, code=2)
    cli("calibrate", "dev.duckdb", "1").refused_with("error: unknown suite 'quiz'", code=2)
    said = "error: suite 'quiz' takes no 'gain' from another run, only cut"
    cli(*CALIBRATE, "gain").refused(said, code=2)


def test_a_run_without_the_score(quiz, cli):
    quiz("--param", "cut=0.8", "--metric", "given", "-o", "dev.duckdb").scored()
    said = "error: run 2 of dev.duckdb has no score best.threshold, which sets cut; score again with --metric best, or "
    quiz("--from", "dev.duckdb:2").refused(f"{said}set it: --param cut=VALUE", code=2)
    refused = cli("calibrate", "dev.duckdb", "2", "--specs", "quiz.yaml")
    refused.refused(f"{said}name the parameters that you need of cut", code=2)


def test_an_undefined_value(quiz, cli):
    Path("none.csv").write_text("certainty,correct\n0.5,false\n")
    cli("score", *QUIZ, "answers=none.csv", "-o", "dev.duckdb", "--no-evidence").scored()
    said = "error: run 2 of dev.duckdb: best.threshold has no value (reject all), so that it cannot set cut; "
    quiz("--from", "dev.duckdb:2").refused(f"{said}set it: --param cut=VALUE", code=2)
    quiz("--from", "dev.duckdb:2", "--param", "cut=1").scored()


def test_a_value_beyond_the_limits_of_the_parameter(quiz, cli):
    Path("large.csv").write_text("certainty,correct\n5,true\n")
    cli("score", *QUIZ, "answers=large.csv", "-o", "dev.duckdb", "--no-evidence").scored()
    quiz("--from", "dev.duckdb:2").refused("error: parameter 'cut' is 5; it must be at most 1", code=2)


def test_scores_of_slices_are_not_taken(quiz, cli):
    cli("score", *QUIZ, "answers=dev.csv", "--by", "correct", "-o", "dev.duckdb", "--no-evidence").scored()
    assert cli("calibrate", "dev.duckdb", "2", "--specs", "quiz.yaml").scored() == "--param cut=0.8125\n"


@slow
def test_a_run_in_python(quiz):
    options = {"specs": "quiz.yaml", "answers": "eval.csv", "keep_evidence": False}
    dev = scorespec.score("quiz", specs="quiz.yaml", answers="dev.csv", keep_evidence=False)
    for run in (dev, "dev.duckdb:1", Path("dev.duckdb:1"), ("dev.duckdb", 1), (Path("dev.duckdb"), 1)):
        scored = scorespec.score("quiz", from_run=run, **options)
        assert (scored.parameters["cut"], scored.value("given")) == (0.8125, 0)
        assert scorespec.compile("quiz", specs="quiz.yaml", from_run=run).parameters["cut"] == 0.8125
    assert scorespec.calibrate("dev.duckdb", 1, specs="quiz.yaml") == {"cut": 0.8125}
    assert scorespec.calibrate("dev.duckdb", 1, "cut", specs="quiz.yaml") == {"cut": 0.8125}
    given = scorespec.score("quiz", metrics="given", params={"cut": 0.5}, **options)
    with pytest.raises(scorespec.UsageError, match=r"^the other run has no score best\.threshold, which sets cut; "):
        scorespec.score("quiz", from_run=given, **options)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{cut: best.threshold}", "{cuts: best.threshold}", "unknown parameter 'cuts'; did you mean 'cut'?"),
        ("{cut: best.threshold}", "{cut: bets.threshold}", "unknown metric 'bets'; did you mean 'best'?"),
        ("{cut: best.threshold}", "{cut: best}", "best"),
        ("{given: cut}", "{given: cuts}", "unknown parameter 'cuts'; did you mean 'cut'?"),
    ],
)
def test_documents_at_fault(quiz, cli, old, new, message):
    Path("bad.yaml").write_text(DOCUMENT.replace(old, new))
    line = DOCUMENT[: DOCUMENT.index(old)].count("\n") + 1
    cli("check", "bad.yaml").refused_with(f"bad.yaml:{line}:", message)


# -- several parameters, and several suites --------------------------------------------------------------

SCALED = """\
domain: quiz
parameters:
  scale: {type: DOUBLE, default: 1, about: slope, across_suites: true}
  shift: {type: DOUBLE, default: 0, about: intercept, across_suites: true}
relations:
  scaled:
    about: The answers with their scaled certainty.
    sql: "SELECT {{ scale }} * certainty + {{ shift }} AS value FROM {{ answers }}"
    columns: {value: scaled certainty}
metrics:
  fitted:
    about: A map of certainties; it has no slope if no answer is wrong.
    kind: statistics
    from: answers
    statistics: {correct: count_if(correct), wrong: count_if(NOT correct)}
    components: {gamma: "ratio(correct, wrong)", delta: correct}
  used: {about: Sum of the scaled certainties., kind: statistics, from: scaled, statistics: {value: exact_sum(value)}}
suites:
  first:
    about: The quiz with a scale.
    inputs: [answers]
    metrics: [best, fitted, given, used]
    only_with: {given: cut}
    calibration: {cut: best.threshold, scale: fitted.gamma, shift: fitted.delta}
  second: {extends: first, about: Another quiz with a scale.}
"""
FIRST = ("first", "--specs", "quiz.yaml", "--specs", "scaled.yaml", "--no-evidence")


@pytest.fixture
def scaled(quiz, cli) -> Callable[..., Command]:
    """Scores with the suites `first` and `second`."""
    Path("scaled.yaml").write_text(SCALED)
    return lambda suite, *arguments: cli("score", suite, *FIRST[1:], *arguments)


def test_a_run_of_another_suite_sets_what_does_not_depend_on_the_suite(scaled):
    scaled("second", "answers=dev.csv", "-o", "other.duckdb").scored()
    result = scaled("first", "answers=eval.csv", "--from", "other.duckdb:1", "-o", "r.duckdb")
    assert result.err == "warning: run 1 of other.duckdb is of suite 'second', which sets no cut of 'first'\n"
    assert "\nfirst|scale:2.0|shift:2.0|spec:" in result.out
    assert scorespec.open_results("r.duckdb").run(1, specs=["quiz.yaml", "scaled.yaml"]).value("used") == 2 * 2.6 + 6
    (call,) = (
        scorespec.open_results("r.duckdb").sql("SELECT call->'params' AS params, calibrated FROM runs").to_pylist()
    )
    assert {key: json.loads(value) for key, value in call.items()} == {
        "params": {"scale": 2.0, "shift": 2.0},
        "calibrated": ["scale", "shift"],
    }
    said = "error: run 1 of other.duckdb is of suite 'second', not of 'first'; score its data with 'first', too"
    scaled("first", "answers=eval.csv", "--from", "other.duckdb:1", "--metric", "given").refused(said, code=2)


def test_an_undefined_value_leaves_out_what_was_fitted_with_it(scaled):
    """All answers are right, so that the slope is undefined, and the intercept, which is 1, means nothing."""
    Path("right.csv").write_text("certainty,correct\n0.9,true\n")
    scaled("first", "answers=right.csv", "-o", "dev2.duckdb").scored()
    result = scaled("first", "answers=eval.csv", "--from", "dev2.duckdb:1", "--format", "json")
    assert json.loads(result.out)["run"]["parameters"] | {"on_bad_row": 0} == {
        "cut": 0.9, "gain": 1.0, "exam": "open", "scale": 1.0, "shift": 0.0, "on_bad_row": 0,
    }  # fmt: skip
    undefined = "run 1 of dev2.duckdb: fitted.gamma has no value (undefined: wrong = 0), so that it cannot set scale"
    assert result.err.splitlines() == [
        "warning: run 1 of dev2.duckdb does not set shift, because fitted lacks a value",
        f"warning: {undefined}; set it: --param scale=VALUE",
    ]
    said = f"error: {undefined}; set it: --param scale=VALUE"
    scaled("first", "answers=eval.csv", "--from", "dev2.duckdb:1", "--metric", "used").refused(said, code=2)
    assert scaled("first", "answers=eval.csv", "--from", "dev2.duckdb:1", "--param", "scale=2").err == ""


# -- runs of many systems --------------------------------------------------------------------------------


@pytest.mark.slow
def test_each_system_takes_values_from_a_run_of_its_own(quiz, cli):
    """Paths begin in the folder of the list. The values belong to the system, so that the runs can be compared."""
    Path("second.csv").write_text("certainty,correct\n0.95,true\n0.9,false\n")
    cli("score", *QUIZ, "answers=second.csv", "-o", "dev.duckdb", "--no-evidence", "--name", "two").scored()
    Path("lists").mkdir()
    lines = ["name,answers,from,meta.team", "a,../eval.csv,../dev.duckdb:1,A", "b,../eval.csv,../dev.duckdb:two,"]
    Path("lists/runs.csv").write_text("\n".join([*lines, "c,../eval.csv,,", "d,../eval.csv,../dev.duckdb:9,", ""]))
    ask = ("score", *QUIZ, "--each", "lists/runs.csv", "-o", "r.duckdb", "--no-evidence", "--quiet")
    result = cli(*ask)
    assert (result.code, result.err.splitlines()[0]) == (2, "1 of 4 submissions failed:")
    assert "there is no run 9 of lists/../dev.duckdb; its runs: 1, 2" in result.err
    asked = "SELECT name, parameters->>'cut' AS cut, meta, calibrated FROM runs ORDER BY id"
    found = scorespec.open_results("r.duckdb").sql(asked).to_pylist()
    assert [tuple(row.values()) for row in found] == [
        ("a", "0.8125", '{"team": "A"}', '["cut"]'),
        ("b", "0.95", "{}", '["cut"]'),
        ("c", None, "{}", "[]"),
    ]
    lines = result.out.splitlines()[-3:]
    assert [line[: line.index("|spec:")] for line in lines] == ["a: quiz|cut:0.8125", "b: quiz|cut:0.95", "c: quiz"]
    assert [each.system for each in scorespec.leaderboard("r.duckdb", "a", "b", metrics="best.value")] == ["a", "b"]


def test_the_run_of_a_system_comes_before_the_run_of_all(quiz):
    given = {"specs": "quiz.yaml", "answers": "eval.csv"}
    one = scorespec.score("quiz", **given)
    rows = [{"name": "own", "from": one}, {"name": "shared"}]
    batch = scorespec.score_each("quiz", rows, from_run=("dev.duckdb", 1), **given)
    assert {name: run.parameters["cut"] for name, run in batch.runs.items()} == {"own": 0.8, "shared": 0.8125}
