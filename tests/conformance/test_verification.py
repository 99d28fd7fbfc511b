"""Verification against an oracle that tries every threshold, and against what published packages computed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import scorespec
from marks import first, only, some
from oracles import verification
from oracles.verification import OperatingPoint, Trial

DATA = Path(__file__).parents[1] / "data" / "verification"
SETS = 300
CROSSINGS = ("linear", "hull", "nearest")
POINTS = (OperatingPoint(0.01), OperatingPoint(0.5, 10.0, 0.3), OperatingPoint(0.3))


@cache
def random_sets() -> dict[str, list[Trial]]:
    r = Random(0)
    return {str(number): verification.random_trials(r) for number in range(SETS)}


def scores_of(params: dict[str, Any], metrics: list[str]) -> dict[tuple[str, str], float]:
    """The scores by set and metric; an infinite score is infinity."""
    rows = [(name, str(at), *trial) for name, trials in random_sets().items() for at, trial in enumerate(trials)]
    columns = zip(*rows, strict=True)
    table = pa.table(dict(zip(("model", "segment", "target", "score"), columns, strict=True)))
    run = scorespec.score(
        "verification", scores=table.append_column("set", table["model"]), by=["set"], params=params, metrics=metrics
    )
    return {
        (json.loads(row["slice"])["set"], row["metric"]): math.inf if row["note"] == "infinite" else row["value"]
        for row in run.scores.to_pylist()
        if row["component"] == "value" and row["slice"] != "{}"
    }


@pytest.mark.parametrize("name", first(["scores.csv", "scores.parquet"]))
def test_equal_trials_are_one_and_trials_with_two_scores_are_refused(tmp_path: Path, name: str) -> None:
    def scored(*scores: float) -> scorespec.Run:
        trials = {"model": ["a"] * len(scores), "segment": ["t", "n", "t"][: len(scores)], "score": scores}
        table = pa.table(trials | {"target": [segment == "t" for segment in trials["segment"]]})
        {"csv": csv.write_csv, "parquet": parquet.write_table}[name.partition(".")[2]](table, tmp_path / name)
        return scorespec.score("verification", scores=tmp_path / name, metrics=["counts", "eer"])

    once, twice = scored(0.9, 0.1), scored(0.9, 0.1, 0.9)
    assert twice.table() == once.table()
    assert twice.warnings == [f"1 repeated row of {tmp_path / name} is counted once"]
    with pytest.raises(scorespec.InputError, match=r"repeats an earlier line: model a, segment t$"):
        scored(0.9, 0.1, 0.8)


@pytest.mark.parametrize("crossing", first(CROSSINGS))
def test_equal_error_rates_of_every_threshold_and_line(crossing: str) -> None:
    found = scores_of({"eer_crossing": crossing}, ["eer"])
    for name, trials in some(random_sets().items()):
        assert found[name, "eer"] == pytest.approx(verification.eer(trials, crossing), abs=1e-12), name


@pytest.mark.parametrize("at", first(map(pytest.param, POINTS)))
def test_detection_costs_of_every_threshold(at: OperatingPoint) -> None:
    found = scores_of(at._asdict(), ["min_dcf", "act_dcf"])
    for name, trials in some(random_sets().items()):
        assert found[name, "min_dcf"] == pytest.approx(verification.min_dcf(trials, at), abs=1e-12), name
        assert found[name, "act_dcf"] == pytest.approx(verification.act_dcf(trials, at), rel=1e-12), name


ATTACKS = [f"A{number:02}" for number in range(1, 4)]


def spoofing(bona_fide: str | None = "-") -> pa.Table:
    """60 bona fide and 90 spoofed trials with scores; ``bona_fide`` is written as the attack of bona fide trials."""
    r = Random(16)
    attacks = [bona_fide if number < 60 else ATTACKS[number % 3] for number in range(150)]
    return pa.table(
        {
            "model": ["cm"] * 150,
            "segment": [f"s{number}" for number in range(150)],
            "target": [number < 60 for number in range(150)],
            "attack": pa.array(attacks, pa.string()),
            "score": [round(r.gauss(number < 60, 1), 1) for number in range(150)],
        }
    )


def forms(table: pa.Table) -> dict[str, dict[str, Any]]:
    """The trials of a table as the inputs of the suite: in one table, in two, or with properties of segments."""
    return {
        "scores": {"scores": table},
        "trials": {"trials": table.drop_columns("score"), "scores": table.select(["model", "segment", "score"])},
        "segments": {"scores": table.drop_columns("attack"), "segments": table.select(["segment", "attack"])},
    }


def test_trials_have_the_columns_of_breakdowns() -> None:
    """The declared columns `speaker` and `target` of trials are as good for --by as others."""
    key = {"model": ["a", "a", "b", "b"], "segment": ["1", "2", "3", "4"]}
    trials = pa.table({**key, "target": [True, False, True, False], "speaker": ["x", "x", "y", "y"]})
    scores = pa.table({**key, "score": [1.0, 2.0, 2.0, 1.0]})
    run = scorespec.score(
        "verification", trials=trials, scores=scores, by=["speaker", "target"], metrics=["eer", "counts"]
    )
    assert [run.value("eer", speaker=each) for each in ("x", "y")] == [1, 0]
    assert [run.value("counts", "targets", target=each) for each in (True, False)] == [2, 0]


def test_targets_of_scores_that_contradict_the_trials_are_refused() -> None:
    trials = {"model": ["a", "a"], "segment": ["1", "2"], "target": [True, False]}
    for targets in ([True, False], [None, False]):
        scores = pa.table({**trials, "target": targets, "score": [1.0, 0.0]})
        run = scorespec.score("verification", trials=pa.table(trials), scores=scores, metrics=["eer"])
        assert run.value("eer") == 0
    scores = pa.table({**trials, "target": [True, True], "score": [1.0, 0.0]})
    said = r"scores>:2: target true of model a and segment 2 contradicts the input trials$"
    with pytest.raises(scorespec.InputError, match=said):
        scorespec.score("verification", trials=pa.table(trials), scores=scores, metrics=["eer"])


@pytest.mark.parametrize(("form", "bona_fide"), first([("scores", "-"), ("trials", ""), ("segments", None)]))
def test_trials_of_one_class_without_a_value_are_in_every_slice(form: str, bona_fide: str | None) -> None:
    """A slice has the scores of a corpus with the trials of one attack and all bona fide trials."""
    table, metrics = spoofing(bona_fide), ["eer", "cllr", "min_cllr", "counts"]
    options = {"metrics": metrics, "keep_evidence": False}
    run = scorespec.score("verification", **forms(table)[form], by=["attack"], **options)
    owner = "scores" if form == "segments" else form
    said = f"60 of 150 rows of {owner}, with target true, have no attack and are in every slice of --by attack"
    assert said in run.warnings
    rows = run.scores.to_pylist()
    assert {row["slice"] for row in rows} == {
        "{}",
        *(json.dumps({"attack": attack}, separators=(",", ":")) for attack in ATTACKS),
    }
    for attack in ATTACKS:
        alone = scorespec.score(
            "verification",
            scores=pa.Table.from_pylist([row for row in table.to_pylist() if row["target"] or row["attack"] == attack]),
            **options,
        )
        found = [row | {"slice": "{}"} for row in rows if json.loads(row["slice"]) == {"attack": attack}]
        assert found == alone.scores.to_pylist()


@pytest.mark.parametrize(
    ("attacks", "said"),
    [
        (["-", "A", "A", "A"], [(1, 2, "true"), (0, 2, "false")]),
        (["-", "-", "", "A"], [(2, 2, "true"), (1, 2, "false")]),
        ([None, "-", "-", ""], [(2, 2, "true"), (2, 2, "false")]),
    ],
)
@pytest.mark.parametrize("form", first(["scores", "trials", "segments"]))
def test_other_trials_without_a_value_refuse_a_breakdown(
    form: str, attacks: list[str | None], said: list[tuple[int, int, str]]
) -> None:
    table = spoofing().take([0, 1, 60, 61]).set_column(3, "attack", pa.array(attacks, pa.string()))
    with pytest.raises(scorespec.InputError) as caught:
        scorespec.score("verification", **forms(table)[form], by=["attack"], metrics=["eer"])
    for lacking, rows, target in said:
        assert f"attack is missing in {lacking} of {rows} rows with target {target}; --by attack needs" in str(
            caught.value
        )


def test_means_over_operating_points() -> None:
    params = {"operating_points": [" ".join(map(str, each)) for each in POINTS]}
    found = scores_of(params, ["c_primary", "min_c_primary"])
    for name, trials in some(random_sets().items()):
        costs = [(verification.min_dcf(trials, at), verification.act_dcf(trials, at)) for at in POINTS]
        least, actual = (sum(each) / len(POINTS) for each in zip(*costs, strict=True))
        assert found[name, "min_c_primary"] == pytest.approx(least, abs=1e-12), name
        assert found[name, "c_primary"] == pytest.approx(actual, rel=1e-12), name


def test_logarithmic_costs_of_every_fit() -> None:
    found = scores_of({}, ["cllr", "min_cllr", "calibration_loss"])
    for name, trials in some(random_sets().items()):
        cost, least = verification.cllr(trials), verification.min_cllr(trials)
        assert found[name, "cllr"] == pytest.approx(cost, rel=1e-12, abs=1e-12), name
        assert found[name, "min_cllr"] == pytest.approx(least, abs=1e-12), name


RECORDS: list[dict[str, Any]] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "record",
    only([*{each["tool"]: each for each in RECORDS}.values()], RECORDS),
    ids=lambda each: f"{each['tool']}-{each['system']}-{each['params']}",
)
def test_published_packages_have_these_scores(record: dict[str, Any]) -> None:
    """llreval finds the equal error rate in steps, and stops when a step is small."""
    for name, value, found in some(of_package(record)):
        in_steps = record["tool"] == "llreval" and name == "eer.value"
        assert found == pytest.approx(value, abs=1e-9 if in_steps else 1e-12), name


def of_package(record: dict[str, Any]) -> Iterator[tuple[str, float, float | None]]:
    """What a package computed of a system, with our values."""
    run = scorespec.score(
        "verification",
        trials=DATA / "trials.csv",
        scores=DATA / f"{record['system']}.csv",
        params=record["params"],
        metrics=sorted({name.split(".")[0] for name in record["values"]}),
    )
    found = {f"{row['metric']}.{row['component']}": row["value"] for row in run.scores.to_pylist()}
    yield from ((name, value, found[name]) for name, value in record["values"].items())
