"""One run in parts on an engine: the same results as in one process, whatever happens to the workers.

`make test-engines` also scores whole suites, and runs Dask and Ray, which need not be installed.
"""

from __future__ import annotations

import os
import resource
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import failing_workers
import pytest
from command_line import DATA
from command_line import rows_of_tables as tables
from failing_workers import part_of
from here import Here
from pyarrow import compute, csv, parquet

import scorespec
from marks import slow
from scorespec.core.events import StepDone
from scorespec.errors import InputError, RunError, SpecError, UsageError
from scorespec.parts import run_in_parts as runner
from scorespec.parts import worker_tasks
from scorespec.parts.engines import protocol
from scorespec.parts.engines.computing import computing
from scorespec.parts.engines.protocol import lost
from scorespec.parts.worker_tasks import PartTask, ReadTask

HEAD = "file,talker,item,said,wanted,score\n"
# A function that ends its process at the talker `bea` while there is a file `deadly`.
PLUGIN = """
import os, signal
from pathlib import Path
from scorespec.plugin import TEXT, WHOLE, Column, group_function
def act(group):
    if group["talker"][0] == "t5" and Path({deadly!r}).exists():
        Path({deadly!r}).unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return {{"answers": [len(group["talker"])]}}
FUNCTIONS = {{"act": group_function(act, about="x", columns=[Column("talker", (TEXT,))], result={{"answers": WHOLE}})}}
"""
# Steps by talker, by file, over single rows and as a whole; a sum that is a HUGEINT, lists, a negative zero.
DOCUMENT = """
domain: toy
relations:
  acted:
    {about: x, needs: [answers], function: act, split_by: [talker],
     input: "SELECT talker AS who, talker FROM {{ answers }} ORDER BY who",
     sql: "SELECT who AS talker, answers, answers * (10::HUGEINT ** 25)::HUGEINT AS large FROM {{ rows }}",
     columns: {talker: x, answers: x, large: x},
     warnings: [{sql: answers > 20, says: "{count} of {rows} talkers gave many answers: {talker}"}]}
  judged:
    {about: x, needs: [answers], split_by: rows,
     sql: "SELECT line, file, talker, item, [score, -0.0e0] AS scores, coalesce(said = wanted, false) AS right_answer
           FROM {{ answers }}",
     columns: {line: x, file: x, talker: x, item: x, scores: x, right_answer: x},
     errors: [{sql: "item = 'i9'", says: "no item {item}", input: answers}]}
  talkers:
    {about: x, needs: [acted, judged], split_by: [talker],
     sql: "SELECT talker, answers, large, count(*) FILTER (WHERE right_answer) AS correct, min(scores) AS least
           FROM {{ acted }} LEFT JOIN {{ judged }} USING (talker) GROUP BY ALL",
     columns: {talker: x, answers: x, large: x, correct: x, least: x}}
  files:
    {about: x, needs: [judged], split_by: [file],
     sql: "SELECT file, count(*) AS answers, count(*) FILTER (WHERE right_answer) AS correct FROM {{ judged }}
           GROUP BY file",
     columns: {file: x, answers: x, correct: x}}
  totals:
    {about: x, needs: [talkers], sql: "SELECT sum(large) AS large FROM {{ talkers }}", columns: {large: x}}
metrics:
  by_talker:
    {about: x, kind: statistics, from: talkers, unit: [talker],
     statistics: {correct: sum(correct), answers: sum(answers), large: sum(large)},
     components: {right: "ratio(correct, answers)", large: "large"}}
  by_file:
    {about: x, kind: statistics, from: files, unit: [file], statistics: {correct: sum(correct), answers: sum(answers)},
     components: {right: "ratio(correct, answers)"}}
suites:
  pieces:
    {about: x, inputs: [answers], metrics: [by_talker, by_file], keep: [talkers, judged, totals],
     resample: {blocks: [file]}}
"""


def make_pieces(place: Path) -> None:
    """Write answers of 40 talkers in 25 files, some of them in several, and a suite that scores them."""
    said = ("yes", "no", "maybe", "")
    rows = [
        f"f{at * 7 % 25},t{at * 11 % 40},i{at % 7},{said[at % 4]},{said[at % 3]},{at % 13 / 10 - 0.5}\n"
        for at in range(600)
    ]
    (place / "answers.csv").write_text(HEAD + "".join(rows))
    (place / "plug.py").write_text(PLUGIN.format(deadly=str(place / "deadly")))
    (place / "pieces.yaml").write_text(DOCUMENT)


@pytest.fixture
def pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with answers and their suite."""
    make_pieces(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def score(output: str | None = None, answers: str = "answers.csv", **options: Any) -> scorespec.Run:
    documents = [DATA.parent / "toy", "pieces.yaml"]
    return scorespec.score("pieces", answers=answers, specs=documents, plugins="plug.py", output=output, **options)


ON = ("--on", "processes:2")
pytestmark = pytest.mark.filterwarnings("default")  # those of the engines themselves

# -- results -----------------------------------------------------------------------------------------


def test_a_run_in_parts_has_the_results_of_one_process_even_if_a_worker_is_killed(on, pieces):
    told: list[Any] = []
    alone = score("alone.duckdb")
    (pieces / "deadly").touch()
    there = score("there.duckdb", on=on, shared="new/shared", parts=3, progress=told.append)
    assert not (pieces / "deadly").exists()
    assert there.scores.equals(alone.scores)
    assert there.warnings == alone.warnings
    expected = tables("alone.duckdb")
    assert expected.keys() > {"scores", "unit_statistics", "block_sums", "evidence_judged", "evidence_talkers"}
    assert tables("there.duckdb") == expected
    assert {each.label: each.rows for each in there.costs} == {each.label: each.rows for each in alone.costs}
    done = [each for each in told if isinstance(each, StepDone)]
    assert [each.number for each in done] == [*range(2, done[0].total + 1)]  # the first is the input
    assert [*(pieces / "new" / "shared").iterdir()] == []


@pytest.fixture
def here(pieces: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    """The engine of this process, in place of every other."""
    engine = Here()
    monkeypatch.setattr(runner, "connect", lambda on: engine)
    return engine


def in_parts(parts: int | None = 2, **options: Any) -> scorespec.Run:
    return score(on="processes:2", shared="shared", parts=parts, **options)


def test_the_number_of_parts_changes_no_result(here):
    score("alone.duckdb", confidence=90)
    expected = tables("alone.duckdb")
    for parts in (1, 3):
        in_parts(output=f"{parts}.duckdb", parts=parts, confidence=90)
        assert tables(f"{parts}.duckdb") == expected
        assert max(each.part for each in here.tasks) == parts - 1


@slow
def test_there_are_twice_as_many_parts_as_workers(here):
    in_parts(metrics="by_file", parts=None)
    assert {each.workplace.parts for each in here.tasks} == {4}


def test_steps_with_one_key_run_together_and_others_as_a_whole(here):
    in_parts(parts=3, output="there.duckdb")
    groups = Counter(" ".join(step.name for step in each.todo.steps) for each in here.tasks)
    assert groups == {
        "acted judged talkers by_talker": 3,
        "files by_file": 3,
        "by_file by_file": 1,
        "by_talker totals": 1,
    }


def test_a_task_reads_only_its_files_and_writes_only_to_its_folder(here, pieces, monkeypatch):
    tried: list[str] = []

    def try_everything(session: Any, *_: Any, **__: Any) -> Any:
        own = next(each for each in (pieces / "shared").rglob("stage*"))
        for sql in (
            f"SELECT * FROM read_csv('{pieces}/answers.csv')",
            f"COPY (SELECT 1) TO '{pieces}/x.parquet' (FORMAT parquet)",
            f"COPY (SELECT 1) TO '{own.parent}/x.parquet' (FORMAT parquet)",
            f"SET allowed_directories = ['{pieces}']",
        ):
            with pytest.raises(duckdb.Error) as refused:
                session.connection.execute(sql)
            tried.append(str(refused.value).split(":")[0])
        raise RunError("enough")

    monkeypatch.setattr(worker_tasks, "run_steps", try_everything)
    with pytest.raises(RunError, match="enough"):
        in_parts()
    assert tried[:4] == ["Permission Error"] * 3 + ["Invalid Input Error"]


@slow
def test_what_an_attempt_without_a_manifest_left_does_not_count(here, pieces, monkeypatch):
    """The first attempt writes its files, and ends before it returns."""
    expected = score().scores

    def twice(function: Callable[[Any], Any], tasks: Any) -> Iterator[tuple[int, Any]]:
        for number, each in enumerate(tasks):
            function(each)
            yield number, function(each)

    monkeypatch.setattr(here, "map", twice)
    assert in_parts(parts=2).scores.equals(expected)
    assert [*(pieces / "shared").iterdir()] == []


# -- whole suites, in `make test-engines` ----------------------------------------------------------------

TESTS = DATA.parent
SMALL = {"queries": "queries.tsv", "audio": "docs.tsv", "references": "refs.tsv", "detections": "dets.tsv"}
ALPHA = {"phones": "alpha.phn", "words": "alpha.wrd", "fragments": "alpha.jitter.class"}
NOISY = {"reference": "noisy200.ref.sgml", "hypothesis": "noisy200.hyp.sgml"}
SPOKEN = {
    "tokens": "tokens.parquet",
    "labels": "labels.parquet",
    "submission": "submission_A.parquet",
    "baseline": "submission_baseline.parquet",
}
SUITES = {
    "sws2013": (TESTS / "term_detection" / "medium_small", SMALL),
    "zerospeech2015": (DATA, ALPHA),
    "zerospeech2017": (DATA, ALPHA),
    "wer": (TESTS / "named_entities", NOISY),
    "speech_ne": (TESTS / "named_entities", NOISY),
    "articulation": (TESTS / "articulation", SPOKEN),
}


def _finite(path: Path, folder: Path) -> Path:
    """An input without the token t09, whose trajectories have a frame that is no number, which ends the run."""
    if path.suffix != ".parquet" or "token" not in parquet.read_schema(path).names:
        return path
    table = parquet.read_table(path)
    parquet.write_table(table.filter(compute.not_equal(table["token"], "t09")), folder / path.name)
    return folder / path.name


def inputs_of(suite: str, tmp_path: Path) -> dict[str, Path]:
    """The inputs of a suite."""
    where, files = SUITES[suite]
    return {name: _finite(where / file, tmp_path) for name, file in files.items()}


whole_suites = pytest.mark.skipif("SUITES" not in os.environ, reason="whole suites are scored by `make test-engines`")


@whole_suites
@pytest.mark.parametrize("suite", SUITES)
def test_suites_have_the_same_results_in_any_number_of_parts(on, suite, tmp_path):
    inputs = inputs_of(suite, tmp_path)
    alone = scorespec.score(suite, inputs=inputs, output=tmp_path / "alone.duckdb")
    expected = tables(tmp_path / "alone.duckdb")
    for parts in (1, 3, 8):
        path = tmp_path / f"{parts}.duckdb"
        there = scorespec.score(suite, inputs=inputs, output=path, on=on, shared=tmp_path / "shared", parts=parts)
        assert there.scores.equals(alone.scores)
        assert tables(path) == expected


class Weighing(Here):
    """An engine of this process; ``bytes`` are those of the files that each task reads."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes: Counter[str] = Counter()

    def map(self, function: Callable[[Any], Any], tasks: Any) -> Iterator[tuple[int, Any]]:
        for each in filter(None, map(part_of, tasks)):
            read = (Path(path) for rows in each.reads.values() for path in rows.paths)
            self.bytes[each.name] = sum(path.stat().st_size for path in read)
        return super().map(function, tasks)

    @property
    def largest(self) -> str:
        """The task of the stage that reads most which itself reads most."""
        stages: Counter[str] = Counter()
        for name, size in self.bytes.items():
            stages[name.partition(".")[0]] += size
        ((stage, _),) = stages.most_common(1)
        return max((name for name in self.bytes if name.startswith(f"{stage}.")), key=self.bytes.__getitem__)


def find_victim(suite: str, inputs: dict[str, Path], shared: Path) -> Any:
    """Name the victim of `failing_workers` in the shared folder: the largest task; the results of the run."""
    engine = Weighing()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(runner, "connect", lambda on: engine)
        run = scorespec.score(suite, inputs=inputs, on="processes:1", shared=shared, parts=3)
    (shared / "victim").write_text(engine.largest)
    return run


@whole_suites
@pytest.mark.parametrize("suite", SUITES)
def test_suites_have_the_same_results_if_a_worker_is_killed_in_the_largest_stage(on, suite, tmp_path, monkeypatch):
    inputs, shared = inputs_of(suite, tmp_path), tmp_path / "shared"
    scorespec.score(suite, inputs=inputs, output=tmp_path / "alone.duckdb")
    find_victim(suite, inputs, shared)
    monkeypatch.setattr(protocol, "run_task", failing_workers.killed_once)
    scorespec.score(suite, inputs=inputs, output=tmp_path / "there.duckdb", on=on, shared=shared, parts=3)
    assert tables(tmp_path / "there.duckdb") == tables(tmp_path / "alone.duckdb")
    assert [*shared.iterdir()] == []  # neither the victim's name nor its files


@whole_suites
def test_a_worker_that_runs_out_of_disk_is_named(on, tmp_path, monkeypatch):
    inputs, shared = inputs_of("sws2013", tmp_path), tmp_path / "shared"
    find_victim("sws2013", inputs, shared)
    monkeypatch.setattr(protocol, "run_task", failing_workers.without_disk)
    said = rf"cannot write \w+ to the shared folder {shared}/scorespec-parts-\w+/.*[Ff]ile too large|--temp-dir"
    with pytest.raises(RunError, match=said) as refused:
        scorespec.score("sws2013", inputs=inputs, output=tmp_path / "r.duckdb", on=on, shared=shared, parts=3)
    assert "\n" not in str(refused.value)
    assert [path.name for path in shared.iterdir()] == ["victim"]
    assert [*tmp_path.glob("*.duckdb*")] == []


@whole_suites
def test_a_shared_folder_that_a_worker_does_not_see_is_named(on, tmp_path, monkeypatch):
    inputs = inputs_of("sws2013", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(protocol, "run_task", failing_workers.elsewhere)
    shared = "/proc/self/cwd/shared"
    said = (
        f"process [0-9]+ does not see the folder {shared}; --shared must be a folder that all workers have at the same"
    )
    with pytest.raises(RunError, match=said):
        scorespec.score("sws2013", inputs=inputs, output="r.duckdb", on=on, shared=shared, parts=3)
    assert [*(tmp_path / "shared").iterdir()] == []
    assert [*tmp_path.glob("*.duckdb*")] == []


# -- warnings and errors -------------------------------------------------------------------------------


def change_answers(pieces: Path, old: str, new: str) -> None:
    path = pieces / "answers.csv"
    path.write_text(path.read_text().replace(old, new))


def test_rows_that_refuse_the_run_are_those_of_one_process(here, pieces):
    change_answers(pieces, ",i3,", ",i9,")
    errors = []
    for run in (score, lambda: in_parts(parts=3)):
        with pytest.raises(InputError) as refused:
            run()
        errors.append(str(refused.value))
    assert errors[0] == errors[1]
    assert errors[0].count("no item i9") == 20
    assert errors[0].endswith("answers.csv: and 66 more problems")


@slow
def test_an_error_reports_refused_rows_of_all_steps(here, pieces):
    """Rows of an early stage refuse the run, and so do those of a late one; a later task fails because of them."""
    change_answers(pieces, ",i3,", ",i9,")
    late = "columns: {file: x, answers: x, correct: x}, errors: [{sql: file = 'f3', says: 'not {file}'}]}"
    (pieces / "pieces.yaml").write_text(DOCUMENT.replace("columns: {file: x, answers: x, correct: x}}", late))
    errors = []
    for run in (lambda: score("x.duckdb"), lambda: in_parts(parts=3, output="y.duckdb")):
        with pytest.raises(InputError) as refused:
            run()
        errors.append(str(refused.value))
    assert errors[0] == errors[1]
    assert "files: not f3" in errors[0]
    (pieces / "pieces.yaml").write_text(DOCUMENT.replace("sum(large) AS large", "error('no') AS large"))
    with pytest.raises(InputError, match="no item i9"):
        in_parts(parts=3, output="z.duckdb")


def test_a_warning_adds_its_numbers_and_lists_each_value_once(here, pieces):
    change_answers(pieces, ",t11,", ",t22,")
    alone = score().warnings
    assert in_parts(parts=3).warnings == alone
    assert any("t22" in each for each in alone)


def test_faults_of_inputs_are_found_before_any_step(here, pieces):
    change_answers(pieces, "-0.5", "high")
    with pytest.raises(InputError, match=r"answers.csv:2: score is not a number: 'high'"):
        in_parts()
    assert here.tasks == []


def test_the_error_of_a_task_names_its_step(here, pieces):
    (pieces / "pieces.yaml").write_text(DOCUMENT.replace("sum(large) AS large", "error('no') AS large"))
    with pytest.raises(SpecError, match=r"relation totals: .*no"):
        in_parts()


@pytest.mark.parametrize(("kind", "label"), [(PartTask, "part 1 of 2 of relation .*"), (ReadTask, "loading answers")])
def test_a_lost_task_is_named(here, monkeypatch, kind, label):
    inner = here.map

    def losing(function: Callable[[Any], Any], tasks: Any) -> Iterator[tuple[int, Any]]:
        for number, result in inner(function, tasks):
            run = (*here.tasks, *here.of_inputs)
            yield number, lost("signal 9") if any(isinstance(each, kind) for each in run) else result

    monkeypatch.setattr(here, "map", losing)
    with pytest.raises(RunError, match=rf"{label}: each worker .* ended without a result \(signal 9\)"):
        in_parts()


def test_a_worker_that_does_not_see_the_folder_is_named(here, pieces, monkeypatch):
    monkeypatch.setattr(worker_tasks, "CALL", "elsewhere")
    with pytest.raises(RunError, match=f"the worker .* does not see the folder {pieces}/shared; --shared must be a"):
        in_parts()


def test_a_shared_folder_that_is_removed_during_the_run_is_named(here, pieces, monkeypatch):
    inner = here.map

    def removing(function: Callable[[Any], Any], tasks: Any) -> Iterator[tuple[int, Any]]:
        if here.tasks:  # of the first stage, whose rows the next one reads
            shutil.rmtree(pieces / "shared")
        yield from inner(function, tasks)

    monkeypatch.setattr(here, "map", removing)
    with pytest.raises(RunError, match=f"the folder {pieces}/shared/scorespec-parts-.* was removed during the run"):
        in_parts()


def test_a_full_disk_is_named(here, pieces, monkeypatch):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    write_table = worker_tasks.write_table

    def limited(*arguments: Any) -> Any:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))  # Python ignores the signal that comes with it
        try:
            return write_table(*arguments)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    monkeypatch.setattr(worker_tasks, "write_table", limited)
    said = rf"^cannot write \w+ to the shared folder {pieces}/shared/.*too large"
    with pytest.raises(RunError, match=said):
        in_parts()


def test_a_worker_that_computes_otherwise_is_refused(here, monkeypatch):
    monkeypatch.setattr(protocol, "computing", lambda: {**computing(), "duckdb": "1.4.0"})
    with pytest.raises(RunError, match=r"would not compute the same scores: it has duckdb .* instead of 1\.4\.0"):
        in_parts()


def test_a_whole_step_over_many_rows_is_named(here, monkeypatch):
    monkeypatch.setattr(runner, "MANY_ROWS", 30)
    warnings = in_parts(output="there.duckdb").warnings
    assert "relation totals cannot be divided: one worker reads 40 rows" in warnings


SWEPT = """
  tallied:
    {about: x, needs: [judged], split_by: rows, sums: [correct],
     sql: "SELECT item, scores[1] AS score, sum(right_answer::INT) AS correct FROM {{ judged }} GROUP BY ALL",
     columns: {item: x, score: x, correct: x}}
metrics:
  best:
    {about: x, kind: sweep, from: judged, score: "scores[1]", unit: [file], best: max balance, where: "line > 9",
     statistics: {hits: count_if(right_answer), false_alarms: count_if(NOT right_answer)},
     components: {balance: "ratio(hits, total.hits) - ratio(false_alarms, total.false_alarms)", hits: hits},
     curve: {marks: {half: "item = 'i1'", none: "item = 'i9'"}, intervals: [hits]}}
  fitted:
    {about: x, kind: fit, from: judged, score: "scores[1]", unit: [file], positives: count_if(right_answer),
     negatives: count_if(NOT right_answer), components: {cost: cost, slope: slope}}
  tallied:
    {about: x, kind: sweep, from: tallied, score: score, groups: [[item]], best: max n,
     statistics: {n: sum(correct)}, components: {n: n}}
"""


@pytest.fixture
def swept(pieces: Path) -> None:
    """Metrics over thresholds and a calibration, of which one score is -0.0."""
    document = DOCUMENT.replace("\nmetrics:\n", SWEPT).replace("[score, -0.0e0]", "[score * -1, score]")
    document = document.replace("SELECT line", "SELECT line").replace("SELECT item", "SELECT item")
    (pieces / "pieces.yaml").write_text(document)


def test_metrics_over_thresholds_add_up_the_sums_of_all_parts(here, swept):
    asked: dict[str, Any] = {"metrics": ["best", "fitted"], "confidence": 90}
    score("alone.duckdb", **asked)
    expected = tables("alone.duckdb")
    assert expected.keys() > {"curves", "unit_statistics", "block_sums"}
    in_parts(output="there.duckdb", parts=3, **asked)
    assert tables("there.duckdb") == expected


@slow
def test_more_distinct_scores_than_one_worker_takes_are_refused_with_their_number(here, swept, monkeypatch):
    monkeypatch.setattr(worker_tasks, "MOST_SCORES", 12)
    for metric, step in (("best", "running sums"), ("fitted", "points")):
        said = f"metric {metric}, {step}: 13 distinct scores are too many for one worker, which can take 12"
        with pytest.raises(RunError, match=f"^{said}; round the scores, or name other metrics with --metric$"):
            in_parts(metrics=metric, parts=2)
    monkeypatch.setattr(worker_tasks, "MOST_SCORES", 104)
    here.tasks.clear()
    in_parts(metrics=["best", "fitted", "tallied"], parts=2)
    whole = [each for each in here.tasks if {"running sums", "points"} & {step.detail for step in each.todo.steps}]
    steps = [step for each in whole for step in each.todo.steps]
    assert {step.name for step in steps} >= {"best", "fitted", "tallied"}
    read = {table for step in steps if step.detail != "costs of blocks" for table in step.reads}
    assert not [table for table in read if table.startswith("judged")]


@slow
def test_a_relation_is_no_step_of_a_metric_whatever_its_symbol(here, pieces, monkeypatch):
    document = DOCUMENT.replace("  judged:\n    {", "  judged:\n    {symbol: points, ")
    (pieces / "pieces.yaml").write_text(document.replace("  totals:\n    {", "  totals:\n    {symbol: running sums, "))
    monkeypatch.setattr(worker_tasks, "MOST_SCORES", 1)
    assert in_parts(parts=2).scores.equals(score().scores)


# -- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([*ON, "--parts", "2"], "--on needs --each, to score many submissions, or --shared DIR, to score one in parts"),
        (["--shared", "s"], "--shared is about a run on an engine, and needs --on"),
        (["--parts", "2"], "--parts is about a run on an engine, and needs --on"),
        ([*ON, "--shared", "s", "--each", "answers=*.csv"], "--shared is for one run in parts, and --each for many"),
        ([*ON, "--shared", "s", "--reuse", "r"], "--reuse keeps results of runs in one process; leave it out"),
        ([*ON, "--shared", "s", "--with-reference-points"], "reference points are scored in one process"),
        ([*ON, "--shared", "answers.csv/s"], "cannot make a temporary folder in "),
        (["--on", "spark://h:1", "--shared", "s"], "--on 'spark://h:1': write processes:N, dask://HOST:PORT or ray"),
    ],
)
def test_a_wrong_call(cli, pieces, arguments, said):
    given = [] if "--each" in arguments else ["answers=answers.csv"]
    documents = ["--specs", str(DATA.parent / "toy"), "--specs", "pieces.yaml", "--plugin", "plug.py"]
    result = cli("score", "pieces", *given, *documents, *arguments)
    assert said in result.err
    assert (result.code, result.out) == (1 if "answers.csv/s" in arguments else 2, "")


def test_objects_in_memory_are_refused(pieces):
    answers = csv.read_csv("answers.csv")
    with pytest.raises(UsageError, match="input 'answers' is an object in memory, which workers of processes:2 cannot"):
        scorespec.score("quiz", answers=answers, specs=DATA.parent / "toy", on="processes:2", shared="s")


@pytest.mark.parametrize("function", ["validate", "reference_points", "explain", "score_each"])
def test_other_functions_have_no_parts(pieces, function):
    more = {"explain": {"step": "marks"}, "score_each": {"each": {"answers": "*.csv"}}}.get(function, {})
    given = {} if function == "score_each" else {"answers": "answers.csv"}
    said = "--shared is for one run" if function == "score_each" else "only a run that scores a submission or describes"
    with pytest.raises(UsageError, match=said):
        getattr(scorespec, function)("quiz", specs=DATA.parent / "toy", on="processes:2", shared="s", **given, **more)


def test_metrics_that_depend_on_the_order_of_rows_are_refused(here, pieces):
    ordered = DOCUMENT.replace("from: files,", "from: files, depends_on_row_order: true,")
    (pieces / "pieces.yaml").write_text(ordered)
    said = "scores of by_file depend on the order of rows, which parts do not keep; leave out --shared, or name other"
    with pytest.raises(UsageError, match=f"^{said} metrics"):
        in_parts()
    in_parts(metrics="by_talker")
