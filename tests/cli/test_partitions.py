"""One run in partitions on an engine: the same results as in one process, whatever happens to the workers.

`make test-engines` also runs Dask and Ray, which need not be installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from shutil import copytree
from typing import Any

import duckdb
import pytest
from command_line import DATA
from command_line import rows_of_tables as tables
from here import Here
from pyarrow import csv, parquet

import scorespec
from marks import slow
from scorespec.errors import InputError, RunError, UsageError
from scorespec.parts import partition_tasks, partitions_added
from scorespec.parts.engines import protocol
from scorespec.parts.engines.computing import computing
from scorespec.parts.engines.protocol import lost

HEAD = "file,speaker,item,said,wanted,score\n"
# A function that ends its process at the speaker `t5` while there is a file `deadly`.
PLUGIN = """
import os, signal
from pathlib import Path
from scorespec.plugin import TEXT, WHOLE, Column, group_function
def act(group):
    if group["speaker"][0] == "t5" and Path({deadly!r}).exists():
        Path({deadly!r}).unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return {{"answers": [len(group["speaker"])]}}
FUNCTIONS = {{"act": group_function(act, about="x", columns=[Column("speaker", (TEXT,))], result={{"answers": WHOLE}})}}
"""
# Rows of the submission and of the gold by speaker, sums by item and score, a sum that is a HUGEINT, a negative zero.
DOCUMENT = """
domain: toy
relations:
  acted:
    {about: x, function: act, input: "SELECT speaker AS who, speaker FROM {{ answers }} ORDER BY who",
     sql: "SELECT who AS speaker, answers, answers * (10::HUGEINT ** 25)::HUGEINT AS large FROM {{ rows }}",
     columns: {speaker: x, answers: x, large: x},
     warnings: [{sql: answers > 12, says: "{count} of {rows} speakers gave many answers: {speaker}"}]}
  shares: {about: x, sql: "SELECT speaker, asked, sum(asked) OVER () AS all_asked FROM {{ trials }}",
     columns: {speaker: x, asked: x, all_asked: x}}
  judged:
    {about: x,
     sql: "SELECT line, file, speaker, item, score * -1 AS score, said = wanted AS correct FROM {{ answers }}",
     columns: {line: x, file: x, speaker: x, item: x, score: x, correct: x},
     errors: [{sql: "item = 'i9'", says: "no item {item}", input: answers}]}
  speakers:
    {about: x, sql: "SELECT speaker, coalesce(answers, 0) AS answers, large, asked, asked * 1000 // all_asked AS share
           FROM {{ shares }} LEFT JOIN {{ acted }} USING (speaker)",
     columns: {speaker: x, answers: x, large: x, asked: x, share: x}}
  item_sums: {about: x, sums: [answers], sql: "SELECT item, count(*) AS answers FROM {{ judged }} GROUP BY item",
     columns: {item: x, answers: x}}
  most: {about: x, sql: "SELECT max(answers) AS most FROM {{ item_sums }}", columns: {most: x}}
  all_files: {about: x, slices: none, sql: "SELECT count(DISTINCT file) AS files FROM {{ answers }}",
     columns: {files: x}}
  ranked: {about: x, slices: none, sql: "SELECT item, line FROM {{ judged }} ORDER BY line",
     columns: {item: x, line: x}}
metrics:
  by_speaker:
    {about: x, kind: statistics, from: speakers, unit: [speaker], given: {from: all_files, values: [files]},
     statistics: {answers: sum(answers), large: "coalesce(sum(large), 0)", asked: sum(asked), share: sum(share)},
     components: {rate: "ratio(answers, asked)", large: "large", share: "share", files: "files"}}
  by_item:
    {about: x, kind: statistics, from: judged, unit: [item], groups: [[file]], given: {from: most, values: [most]},
     statistics: {correct: count_if(correct), answers: count(*)},
     components: {right: "ratio(correct, answers)", most: "most"}}
  best:
    {about: x, kind: sweep, from: judged, score: score, unit: [file], best: max balance, where: "line > 9",
     statistics: {hits: count_if(correct), false_alarms: count_if(NOT correct)},
     components: {balance: "ratio(hits, total.hits) - ratio(false_alarms, total.false_alarms)", hits: hits},
     curve: {marks: {half: "item = 'i1'", none: "item = 'i8'"}, intervals: [hits]}}
  fitted:
    {about: x, kind: fit, from: judged, score: score, unit: [file], positives: count_if(correct),
     negatives: count_if(NOT correct), components: {cost: cost, slope: slope}}
  both: {about: x, kind: formula, of: {best: best, by_item: by_item}, components: {x: best.balance + by_item.right}}
  first: {about: x, kind: statistics, from: ranked, statistics: {lines: sum(line)}, components: {lines: lines}}
suites:
  pieces:
    {about: x, inputs: [answers, trials], submitted: [answers], metrics: [by_speaker, by_item, best, fitted, both],
     keep: [speakers], resample: {blocks: [file, speaker]}, partitions: speaker}
  ordered: {about: x, inputs: [answers], submitted: [answers], metrics: [by_item, first], partitions: speaker}
  undivided: {about: x, inputs: [answers], submitted: [answers], metrics: [by_item]}
"""
METRICS = ["by_speaker", "by_item", "best", "both"]


def make_pieces(place: Path) -> None:
    """Write answers of 40 speakers, one never asked and two who never answered, and a suite that scores them."""
    said = ("yes", "no", "maybe", "")
    rows = [
        f"f{at * 7 % 25},t{at * 11 % 40},i{at % 7},{said[at % 4]},{said[at % 3] or 'no'},{at % 13 / 10 - 0.5}\n"
        for at in range(600)
    ]
    (place / "answers.csv").write_text(HEAD + "".join(rows))
    asked = "".join(f"t{at},{20 + at % 3}\n" for at in range(1, 42))
    (place / "trials.csv").write_text(f"speaker,asked\n{asked}")
    (place / "plug.py").write_text(PLUGIN.format(deadly=str(place / "deadly")))
    (place / "pieces.yaml").write_text(DOCUMENT)


@pytest.fixture
def pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with answers and their suite."""
    make_pieces(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


DOCUMENTS = (DATA.parent / "toy", "pieces.yaml")


def score(
    output: str | None = None,
    answers: Any = "answers.csv",
    suite: str = "pieces",
    documents: Sequence[str | Path] = DOCUMENTS,
    **options: Any,
) -> Any:
    given = {"trials": "trials.csv"} if suite == "pieces" else {}
    options = {"keep_evidence": False, "output": output, **given, **options}
    return scorespec.score(suite, answers=answers, specs=[*documents], plugins="plug.py", **options)


ON = ("--on", "processes:2")
pytestmark = pytest.mark.filterwarnings("default")  # those of the engines themselves


@pytest.fixture
def here(pieces: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    """The engine of this process, in place of every other."""
    engine = Here()
    monkeypatch.setattr(partitions_added, "connect", lambda on: engine)
    return engine


def in_parts(parts: int | None = 2, **options: Any) -> scorespec.Run:
    return score(on="processes:2", shared="shared", parts=parts, **options)


# -- results -----------------------------------------------------------------------------------------


def test_a_run_in_partitions_has_the_results_of_one_process_even_if_a_worker_is_killed(on, pieces):
    alone = score("alone.duckdb", metrics=METRICS)
    (pieces / "deadly").touch()
    there = score("there.duckdb", metrics=METRICS, on=on, shared="new/shared", parts=3)
    assert not (pieces / "deadly").exists()
    assert there.scores.equals(alone.scores)
    assert there.warnings == alone.warnings
    assert any("speakers gave many answers: t" in each for each in alone.warnings)
    expected = tables("alone.duckdb")
    assert expected.keys() > {"scores", "unit_statistics", "block_sums", "curves"}
    assert tables("there.duckdb") == expected
    assert [*(pieces / "new" / "shared").iterdir()] == []


@slow
def test_the_number_of_partitions_and_files_changes_no_result(here, pieces):
    asked: dict[str, Any] = {"metrics": ["by_speaker", "best"], "confidence": 90, "by": "item"}
    score("alone.duckdb", **asked)
    expected = tables("alone.duckdb")
    rows = csv.read_csv("answers.csv").sort_by("speaker")
    parquet.write_table(rows, "answers.parquet", row_group_size=100)
    (pieces / "answers").mkdir()
    for at in range(3):
        parquet.write_table(rows.slice(at * 200, 200), f"answers/{at}.parquet")
    for parts in (1, 3):
        in_parts(output=f"{parts}.duckdb", parts=parts, **asked)
        assert tables(f"{parts}.duckdb") == expected
    in_parquet = score("parquet.duckdb", answers="answers.parquet", **asked)
    for answers in ("answers.parquet", "answers"):
        here.tasks.clear()
        assert in_parts(answers=answers, parts=4, **asked).scores.equals(in_parquet.scores)
        assert len(here.tasks) == 4


def test_what_no_partition_can_add_up_is_refused_by_name(here):
    assert in_parts(metrics=["fitted", "both"]).scores.equals(score(metrics=["fitted", "both"]).scores)
    said = "both, by_item, fitted: these metrics, or their intervals, are not computed from sums over partitions; leave"
    with pytest.raises(UsageError, match=f"^{said}"):  # by the jackknife, and from costs of blocks
        in_parts(metrics=["by_speaker", "by_item", "best", "fitted", "both"], confidence=90)
    with pytest.raises(UsageError, match=r"^first: .*name other metrics with --metric \(possible: by_item\)"):
        in_parts(metrics=["by_item", "first"])
    with pytest.raises(UsageError, match="--on: a run of undivided is not computed from sums over partitions"):
        in_parts(suite="undivided")


def test_what_no_partition_can_add_up_is_left_out_if_no_metric_is_named(here):
    there, alone = in_parts(suite="ordered"), score(suite="ordered", metrics="by_item")
    assert there.scores.equals(alone.scores)
    assert there.signature == alone.signature
    said = "left out, because not computed from sums over partitions: first; leave out --on to score these"
    assert said in there.warnings
    there, alone = in_parts(confidence=90), score(confidence=90)
    assert there.scores.select(["metric", "component", "value"]).equals(
        alone.scores.select(["metric", "component", "value"])
    )
    said = "no intervals of both, by_item, fitted: they are not computed from sums over partitions; leave out --on for"
    assert any(each.startswith(said) for each in there.warnings)
    with_ends = {row["metric"] for row in there.scores.to_pylist() if row["low"] is not None}
    assert with_ends == {"best", "by_speaker"}


def test_repeated_rows_are_counted_once_in_all_partitions(here, pieces):
    rows = [f"m{at % 5},s{at},{at % 7 / 10},{str(at % 3 == 0).lower()}\n" for at in range(40)]
    (pieces / "scores.csv").write_text("model,segment,score,target\n" + "".join([*rows, *rows[:7]]))
    given: dict[str, Any] = {"scores": "scores.csv", "metrics": ["eer", "act_dcf"], "keep_evidence": False}
    alone = scorespec.score("verification", **given)
    there = scorespec.score("verification", **given, on="processes:2", shared="shared", parts=3)
    assert there.scores.equals(alone.scores)
    assert "7 repeated rows of scores.csv are counted once" in alone.warnings
    assert sorted(there.warnings) == sorted(alone.warnings)


def test_an_empty_submission_has_the_scores_of_one_process(here, pieces):
    (pieces / "answers.csv").write_text(HEAD)
    assert in_parts(metrics=METRICS).scores.equals(score(metrics=METRICS).scores)


def test_values_that_a_submission_needs_are_looked_for_in_all_partitions(here, pieces):
    copytree(DATA.parent / "toy", pieces / "toy")
    toy = pieces / "toy" / "toy.yaml"
    needs = "    duplicates: keep\n    needs_value: said\n    min_rows: 1\n"
    toy.write_text(toy.read_text().replace("    duplicates: keep\n", needs, 1))
    (pieces / "answers.csv").write_text(f"{HEAD}f1,t1,i1,,no,0.5\nf1,t2,i1,,no,0.5\n")
    with pytest.raises(InputError, match=r"answers.csv: none of 2 rows has a said; answers needs at least 1"):
        in_parts(metrics=["by_item"], documents=[toy.parent, "pieces.yaml"])


@slow
def test_there_are_twice_as_many_partitions_as_workers(here):
    in_parts(metrics="by_item", parts=None)
    assert [each.label for each in here.tasks] == [f"partition {number} of 4" for number in (4, 3, 2, 1)]


@slow
def test_what_an_attempt_left_that_did_not_return_does_not_count(here, pieces, monkeypatch):
    """The first attempt writes its files, and ends before it returns."""
    expected = score(metrics=METRICS).scores

    def twice(function: Callable[[Any], Any], tasks: Any) -> Iterator[tuple[int, Any]]:
        for number, each in enumerate(tasks):
            function(each)
            yield number, function(each)

    monkeypatch.setattr(here, "map", twice)
    assert in_parts(metrics=METRICS).scores.equals(expected)
    assert [*(pieces / "shared").iterdir()] == []


def test_a_task_reads_only_its_files_and_writes_only_to_its_folder(here, pieces, monkeypatch):
    tried: list[str] = []

    def try_everything(session: Any, name: str, folder: Path) -> Any:
        for sql in (
            f"SELECT * FROM read_csv('{pieces}/answers.csv')",
            f"COPY (SELECT 1) TO '{pieces}/x.parquet' (FORMAT parquet)",
            f"COPY (SELECT 1) TO '{folder.parent}/x.parquet' (FORMAT parquet)",
            f"SET allowed_directories = ['{pieces}']",
        ):
            with pytest.raises(duckdb.Error) as refused:
                session.connection.execute(sql)
            tried.append(str(refused.value).split(":")[0])
        raise RunError("enough")

    monkeypatch.setattr(partition_tasks, "write_rows", try_everything)
    with pytest.raises(RunError, match="enough"):
        in_parts(metrics=METRICS)
    assert tried[:4] == ["Permission Error"] * 3 + ["Invalid Input Error"]


# -- errors --------------------------------------------------------------------------------------------


def change_answers(pieces: Path, old: str, new: str) -> None:
    path = pieces / "answers.csv"
    path.write_text(path.read_text().replace(old, new))


def test_rows_that_refuse_the_run_have_the_lines_of_the_file(here, pieces):
    change_answers(pieces, "f0,t0,i0", "f0,t0,i9")
    with pytest.raises(InputError, match=r"answers\.csv:2: no item i9"):
        in_parts()
    change_answers(pieces, "-0.5", "high")
    with pytest.raises(InputError, match=r"answers.csv:2: score is not a number: 'high'"):
        in_parts()


def test_a_lost_task_is_named(here, monkeypatch):
    inner = here.map

    def losing(function: Callable[[Any], Any], tasks: Any) -> Iterator[tuple[int, Any]]:
        for number, _ in inner(function, tasks):
            yield number, lost("signal 9")

    monkeypatch.setattr(here, "map", losing)
    with pytest.raises(RunError, match=r"partition 1 of 2: each worker .* ended without a result \(signal 9\)"):
        in_parts(metrics=METRICS)


def test_a_worker_that_does_not_see_the_folder_is_named(here, pieces, monkeypatch):
    monkeypatch.setattr(partition_tasks, "CALL", "elsewhere")
    with pytest.raises(RunError, match=f"the worker .* does not see the folder {pieces}/shared; --shared must be a"):
        in_parts(metrics=METRICS)


def test_a_worker_that_computes_otherwise_is_refused(here, monkeypatch):
    monkeypatch.setattr(protocol, "computing", lambda: {**computing(), "duckdb": "1.4.0"})
    with pytest.raises(RunError, match=r"would not compute the same scores: it has duckdb .* instead of 1\.4\.0"):
        in_parts(metrics=METRICS)


# -- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([*ON, "--parts", "2"], "--on needs --each, to score many submissions, or --shared DIR, to score one in parts"),
        (["--shared", "s"], "--shared is about a run on an engine, and needs --on"),
        (["--parts", "2"], "--parts is about a run on an engine, and needs --on"),
        ([*ON, "--shared", "s", "--each", "answers=*.csv"], "--shared is for one run in parts, and --each for many"),
        ([*ON, "--shared", "s", "--with-reference-points"], "reference points are scored in one process"),
        ([*ON, "--shared", "s", "--on-bad-row", "drop"], "--on-bad-row needs all rows: leave it out, or --shared"),
        ([*ON, "--shared", "answers.csv/s"], "cannot make a temporary folder in "),
        (["--on", "spark://h:1", "--shared", "s"], "--on 'spark://h:1': write processes:N, dask://HOST:PORT or ray"),
    ],
)
def test_a_wrong_call(cli, pieces, arguments, said):
    given = [] if "--each" in arguments else ["answers=answers.csv"]
    documents = ["--specs", str(DATA.parent / "toy"), "--specs", "pieces.yaml", "--plugin", "plug.py"]
    result = cli("score", "pieces", *given, "trials=trials.csv", *documents, *arguments)
    assert said in result.err
    assert (result.code, result.out) == (1 if "answers.csv/s" in arguments else 2, "")


def test_objects_in_memory_are_refused(pieces):
    with pytest.raises(UsageError, match="input 'answers' is an object in memory, which workers of processes:2 cannot"):
        score(answers=csv.read_csv("answers.csv"), on="processes:2", shared="s")


@pytest.mark.parametrize("function", ["validate", "reference_points", "explain", "score_each"])
def test_other_functions_have_no_parts(pieces, function):
    more = {"explain": {"step": "marks"}, "score_each": {"each": {"answers": "*.csv"}}}.get(function, {})
    given = {} if function == "score_each" else {"answers": "answers.csv"}
    said = "--shared is for one run" if function == "score_each" else "only a run that scores a submission or describes"
    with pytest.raises(UsageError, match=said):
        getattr(scorespec, function)("quiz", specs=DATA.parent / "toy", on="processes:2", shared="s", **given, **more)


def test_metrics_that_depend_on_the_order_of_rows_are_refused(here, pieces):
    ordered = DOCUMENT.replace("from: judged, unit: [item],", "from: judged, unit: [item], depends_on_row_order: true,")
    (pieces / "pieces.yaml").write_text(ordered)
    said = "scores of by_item depend on the order of rows, which partitions do not keep; leave out --on, or name other"
    with pytest.raises(UsageError, match=f"^{said} metrics"):
        in_parts()
    in_parts(metrics="by_speaker")
