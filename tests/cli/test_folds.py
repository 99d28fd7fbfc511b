"""`--folds`: the scores of each fold beside their means."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from command_line import DATA, Command

import scorespec
from scorespec.errors import UsageError

INPUTS = {"phones": DATA / "alpha.phn", "words": DATA / "alpha.wrd", "fragments": DATA / "alpha.jitter.class"}
OF_CROSS = 3  # folds of alpha.intervals.cross
Row = dict[str, Any]


def differing_means(rows: list[Row]) -> tuple[int, list[Row]]:
    """The number of means over folds, and those that are not the mean of the rows of their folds."""
    of_folds: dict[tuple[str, str, str], list[float | None]] = defaultdict(list)
    means = {}
    for row in rows:
        whole = {key: value for key, value in row["slice"].items() if key != "fold"}
        key = (row["metric"], row["component"], json.dumps(whole))
        if "fold" in row["slice"]:
            assert (row["std"], row["folds"]) == (None, None)
            assert (row["value"] is None) == str(row["note"]).startswith("undefined")
            of_folds[key].append(row["value"])
        else:
            means[key] = row
    differing = []
    for key, row in means.items():
        defined = [value for value in of_folds[key] if value is not None]
        mean = math.fsum(defined) / len(defined) if defined else row["value"]
        undefined = re.match(r"undefined in (\d+) of \d+ folds", row["note"] or "")
        lacking = len(of_folds[key]) - len(defined)
        same = row["value"] == mean or math.isclose(row["value"], mean, rel_tol=1e-12)
        if not same or row["folds"] != len(defined) or (undefined and int(undefined[1]) != lacking):
            differing.append(row)
    return len(means), differing


def score(suite: str = "zerospeech2015", **options: Any) -> scorespec.Run:
    return scorespec.score(suite, **{"inputs": INPUTS, "metrics": "token", "keep_evidence": False, **options})


@cache
def by_fold() -> scorespec.Run:
    """The scores of each fold and of none."""
    return score(folds=True)


@pytest.mark.slow
def test_a_mean_is_that_of_the_rows_of_its_folds() -> None:
    metrics, params = ["token", "ned", "grouping"], {"speaker_pattern": "^(..)"}
    broken_down = score(metrics=metrics, params=params, by=["file", "cluster"], folds=True)
    for run, least in ((broken_down, 30), (by_fold(), 3)):
        count, differing = differing_means(run.table())
        assert count >= least
        assert differing == []


def test_a_fold_that_is_left_out_for_another_component_is_undefined(tmp_path: Path) -> None:
    """With `undefined: jointly`, a fold without fragments has no precision, and so its recall of 0 is left out, too."""
    first, *_ = (DATA / "alpha.jitter.class").read_text().split("\n\n")
    few = tmp_path / "few.class"
    few.write_text(f"{first}\n\n")
    inputs = {
        **INPUTS,
        "fragments": few,
        "utterances": DATA / "alpha.split",
        "folds_total": DATA / "alpha.intervals.cross",
        "folds_within": DATA / "alpha.intervals.within",
    }
    run = score("tde2015", inputs=inputs, metrics=["token", "type", "boundary"], folds=True)
    assert differing_means(run.table())[1] == []
    notes = {row["note"] for row in run.table()}
    assert "undefined: another component is undefined in this fold" in notes


def test_without_the_option_only_the_rows_of_folds_are_missing() -> None:
    alone, apart = score(), by_fold()
    assert [row for row in apart.table() if "fold" not in row["slice"]] == alone.table()
    assert apart["token"].fscore == alone["token"].fscore
    folds = [row["slice"]["fold"] for row in apart.table() if row["component"] == "fscore" and "fold" in row["slice"]]
    assert folds == list(range(10))  # by number: 2 is before 10
    assert apart.value("token", "fscore", speakers="all", fold=3) == apart["token"].at(speakers="all", fold=3).fscore


def test_counts_of_a_fold_are_whole_numbers() -> None:
    run = score(metrics="sizes", folds=True)
    rows = [row for row in run.exact_rows() if row["component"] == "fragments"]
    assert [type(row["value"]) for row in rows] == [float] + [int] * 10


def test_every_output_has_the_rows_of_folds(cli: Command, tmp_path: Path) -> None:
    call = [f"{name}={path}" for name, path in INPUTS.items()]
    call = ["score", "zerospeech2015", *call, "--metric", "token", "--folds", "--param", "fold_order=runs", "--quiet"]
    table = cli(*call, "--no-evidence", "-o", str(tmp_path / "r.duckdb"))
    assert re.search(r"^token +fscore +speakers=all fold=3 +0\.7179 *$", table.out, re.MULTILINE), table
    rows = json.loads(cli(*call, "--format", "json").out)["scores"]
    assert sum(row["slice"] == {"speakers": "all", "fold": 3} for row in rows) == 3
    written = list(csv.DictReader(io.StringIO(cli(*call, "--format", "csv").out)))
    assert [json.loads(row["slice"]) for row in written] == [row["slice"] for row in rows]
    asked = "SELECT value FROM scores WHERE slice->>'fold' = '3' AND component = 'fscore'"
    ((value,),) = [row.values() for row in scorespec.open_results(tmp_path / "r.duckdb").sql(asked).to_pylist()]
    assert value == next(row["value"] for row in rows if row["slice"].get("fold") == 3 and row["component"] == "fscore")


def test_a_slice_without_rows_in_a_fold_is_undefined_there() -> None:
    """A file lies in one or two of the folds; the other folds have rows of it without a value."""
    runs = {"fold_order": "runs"}
    run = score(params=runs, by="file", folds=True)
    rows = [row for row in run.table() if row["component"] == "recall" and len(row["slice"]) == 3]
    files = {row["slice"]["file"] for row in rows}
    assert len(rows) == 10 * len(files)
    assert any(row["value"] is None for row in rows)


@pytest.mark.parametrize(
    ("suite", "said"),
    [
        ("wer", "suite 'wer' has no folds"),
        (
            "zerospeech2017",
            "suite 'zerospeech2017' has no folds in this run; give the input folds, or set --param n_folds=10, or "
            "another number above 0",
        ),
    ],
)
def test_a_run_without_folds_refuses_them(cli: Command, suite: str, said: str) -> None:
    inputs = ("reference=x", "hypothesis=y") if suite == "wer" else [f"{n}={path}" for n, path in INPUTS.items()]
    for command in ("score", "compile"):
        cli(command, suite, *inputs, "--folds").refused(f"error: --folds: {said}", code=2)


OWN = """
domain: term_discovery
metrics:
  thirds: {extends: token, params: {n_folds: 3}}
"""
LISTED = """
domain: term_discovery
suites:
  mine: {extends: zerospeech2017, about: Mine., metrics: ["token(n_folds=3)"], describe: [token], keep: []}
"""
CANNOT = "cannot set 'n_folds': a suite is scored in folds as a whole; use --param n_folds=3, or `params` of a suite"


def test_a_metric_cannot_set_the_number_of_folds(cli: Command, score: Command, write: Any) -> None:
    score("--metric", "token(n_folds=3)").refused(f"error: metric 'token' {CANNOT}", code=2)
    with pytest.raises(UsageError, match=re.escape(CANNOT)):
        scorespec.score("zerospeech2017", **INPUTS, metrics="token(n_folds=3)")
    write("own.yaml", OWN)
    said = f"own.yaml:4:36: metric 'thirds' {CANNOT}"
    score("--specs", "own.yaml", "--metric", "thirds").refused(said)
    cli("check", "own.yaml").refused(said)
    write("listed.yaml", LISTED)
    for result in (cli("check", "listed.yaml"), cli("compile", "mine", "--specs", "listed.yaml")):
        result.refused(f"listed.yaml:4:59: metric 'token' {CANNOT}")


def test_a_parameter_of_a_metric_that_changes_nothing_is_refused_or_warned_of(score: Command, write: Any) -> None:
    idle = "parameter 'fold_order' changes nothing of"
    score("--metric", "token(fold_order=dealt)").refused(f"error: {idle} token(fold_order=dealt) in this run", code=2)
    score("--metric", "token(fold_order=runs)").scored()  # the default
    score("--metric", "token(fold_order=dealt)", "--param", "n_folds=2").scored()
    write("own.yaml", OWN.replace("n_folds: 3", "fold_order: dealt"))
    assert f"warning: {idle} thirds in this run" in score("--specs", "own.yaml", "--metric", "thirds").err
    assert score("--specs", "own.yaml", "--metric", "thirds", "--param", "n_folds=2").err == ""


def test_a_metric_of_another_suite_brings_its_folds() -> None:
    run = score("zerospeech2017", metrics=["token", "zerospeech2015.token"], folds=True)
    assert {"fold" in row["slice"] for row in run["token"].table()} == {False}
    assert len(run["zerospeech2015.token"].table()) == 33


def test_an_input_called_folds_is_still_an_input() -> None:
    folds = DATA / "alpha.intervals.cross"
    run = scorespec.score("zerospeech2015", inputs=INPUTS, metrics="token", folds=folds, keep_evidence=False)
    both = score(inputs={**INPUTS, "folds": folds}, folds=True)
    assert [len(each["token"].table()) for each in (run, both)] == [3, 3 * (1 + OF_CROSS)]


BY_DOCUMENT = """
domain: transcripts
suites:
  mine: {extends: wer, about: Mine., metrics: [wer], folds: {column: document}}
"""


def test_folds_of_a_column_of_inputs_are_its_slices(write: Any) -> None:
    """The column is in relations that compare all documents, too: a hypothesis has no document beyond the reference."""
    texts = {"reference": {"ann": "a b", "bob": "c d"}, "hypothesis": {"ann": "a b", "bob": "x d"}}
    inputs = {
        name: pa.Table.from_pylist([{"document": key, "token": word} for key in rows for word in rows[key].split()])
        for name, rows in texts.items()
    }
    run = scorespec.score("mine", inputs=inputs, specs=write("own.yaml", BY_DOCUMENT), folds=True)
    values = [(row["slice"], row["value"], row["folds"]) for row in run["wer"].table() if row["component"] == "value"]
    assert values == [({}, 0.25, 2), ({"document": "ann"}, 0, None), ({"document": "bob"}, 0.5, None)]
