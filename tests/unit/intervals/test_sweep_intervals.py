"""Intervals at best thresholds: each replicate against every threshold tried in turn."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import scorespec
import toy
from marks import first, slow
from scorespec.core.arrays import Floats
from scorespec.core.events import StepBegun
from scorespec.intervals import sweep_intervals
from scorespec.run.session import Session
from scorespec.show.script import script_of
from scorespec.statistics import Draws, Resampled, bca_interval, resample

FILES, REPLICATES = 9, 60
SHOTS = """
relations:
  shots:
    about: Each answer, and whether it is the one that was wanted.
    needs: [answers]
    sql: >
      SELECT file, speaker, item, nullif(score, 99) AS score, coalesce(said = wanted, false) AS good
      FROM {{ answers }}
    columns: {file: name of the recording, speaker: who speaks, item: what was asked, score: how sure, good: right}
metrics:
  own:
    about: a metric of a test
    kind: sweep
    from: shots
    score: score
    statistics: {hits: count_if(good), alarms: count_if(NOT good)}
    groups: [[speaker]]
"""
Formula = Callable[[Floats, Floats], Floats]  # the accepted and all (hits, alarms), to the value


def hits_less_alarms(accepted: Floats, _: Floats) -> Floats:
    return accepted[..., 0] - 0.75 * accepted[..., 1]


def rate_of_all(accepted: Floats, total: Floats) -> Floats:
    return (accepted[..., 0] - accepted[..., 1]) / total.sum()


def difference_of_rates(accepted: Floats, total: Floats) -> Floats:
    return accepted[..., 0] / total[0] - accepted[..., 1] / total[1]


def f_score(accepted: Floats, total: Floats) -> Floats:
    return 2 * accepted[..., 0] / (accepted.sum(axis=-1) + total[0])


LINEAR = ("max", "hits - 0.75e0 * alarms", hits_less_alarms)
CASES: dict[str, tuple[str, str, Formula]] = {
    "weights": LINEAR,
    "least": ("min", "0.75e0 * alarms - hits", lambda accepted, total: -hits_less_alarms(accepted, total)),
    "a scale of the replicate": ("max", "ratio(hits - alarms, total.hits + total.alarms)", rate_of_all),
    "weights of the replicate": (
        "max",
        "ratio(hits, total.hits) - ratio(alarms, total.alarms)",
        difference_of_rates,
    ),
    "no sum": ("max", "ratio(2 * hits, hits + alarms + total.hits)", f_score),
}


@pytest.fixture(autouse=True)
def few_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_intervals, "SWEPT_REPLICATES", REPLICATES)


def document(better: str, sql: str, more: str = "") -> str:
    components = f"{{value: '{sql}', share: 'ratio(hits + alarms, total.hits + total.alarms)'}}"
    return f"{SHOTS}    components: {components}\n    best: {better} value\n{more}"


def shots(seed: int = 1, size: int = 120) -> list[toy.Row]:
    """Answers with many ties; every speaker is in every file. The score 99 stands for none."""
    dice = random.Random(seed)
    rows: list[toy.Row] = []
    for at in range(size):
        good = dice.random() < 0.5
        score = round(dice.gauss(1 if good else 0, 1), 1)
        file, speaker = f"f{at % FILES}", f"t{at // FILES % 2}"
        rows.append((file, speaker, f"i{at}", "a" if good else "b", "a", 99.0 if at % 20 == 7 else score))
    return rows


def kept(tmp_path: Path, text: str, rows: list[toy.Row], suite: str = "quiz", **asked: Any) -> scorespec.Run:
    own = tmp_path / "own.yaml"
    own.write_text(f"domain: toy\n{text}", encoding="utf-8")
    answers = toy.rows("answers", rows)
    return scorespec.score(suite, specs=[toy.TOY, own], metrics=["own"], answers=answers, confidence=90, **asked)


def searched(rows: list[toy.Row], formula: Formula, largest: bool, weights: Floats) -> tuple[float, float, float]:
    """The best value, the share of accepted rows and the threshold of one resample; infinite: no row is accepted."""
    taken = [(row, weights[int(row[0][1:])]) for row in rows if weights[int(row[0][1:])]]
    weight = np.array([each for _, each in taken])
    good = np.array([row[3] == row[4] for row, _ in taken], np.bool_)
    scores = np.array([-np.inf if row[5] == 99 else row[5] for row, _ in taken])
    classes = np.stack((weight * good, weight * ~good), axis=1)
    total, best = classes.sum(axis=0), (np.nan, np.nan, np.nan)
    for threshold in (*sorted(set(scores[np.isfinite(scores)])), np.inf):
        accepted = classes[scores >= threshold].sum(axis=0)
        value = float(formula(accepted, total))
        if np.isnan(best[0]) or (value - best[0] if largest else best[0] - value) > 1e-12:
            best = (value, accepted.sum() / total.sum() if len(taken) else np.nan, threshold)
    return best


def replicates(run: scorespec.Run, slice_: str = "{}", method: str = "bootstrap") -> Floats:
    """The replicates of value, share and threshold in a slice."""
    found = run.sql(
        f"SELECT component, scores FROM replicates "
        f"WHERE metric = 'own' AND slice::VARCHAR = '{slice_}' AND method = '{method}'"
    )
    by_name = dict(zip(found["component"].to_pylist(), found["scores"].to_pylist(), strict=True))
    return np.array([by_name[name] for name in ("value", "share", "threshold")]).T


@pytest.mark.parametrize("case", first(CASES, 1))
def test_each_replicate_has_its_own_best_threshold(case: str, tmp_path: Path) -> None:
    better, sql, formula = CASES[case]
    rows, largest = shots(), better == "max"
    run = kept(tmp_path, document(better, sql), rows, percentile=True)
    draws = Draws(0, FILES)
    counts = draws.counts(0, REPLICATES)
    for slice_, own in (("{}", rows), ('{"speaker":"t1"}', [row for row in rows if row[1] == "t1"])):
        expected = np.array([searched(own, formula, largest, weights) for weights in counts])
        np.testing.assert_allclose(replicates(run, slice_), expected, rtol=1e-12)
    whole = searched(rows, formula, largest, np.ones(FILES))
    left_out = [searched(rows, formula, largest, 1.0 - (np.arange(FILES) == block)) for block in range(FILES)]
    np.testing.assert_allclose(replicates(run, method="jackknife")[:, :2], np.array(left_out)[:, :2], rtol=1e-12)
    resampled = Resampled(np.array(whole), replicates(run), np.array(left_out))
    for at, name in enumerate(("value", "share")):
        (row,) = (each for each in run.table() if (each["component"], each["slice"]) == (name, {}))
        found = bca_interval(resampled, at, 0.9)
        assert row["value"] == pytest.approx(whole[at])
        assert (row["low"], row["high"]) == pytest.approx((found.low, found.high), rel=1e-9)
        ends = np.quantile(replicates(run)[:, at], (0.05, 0.95))
        assert (row["percentile_low"], row["percentile_high"]) == pytest.approx(tuple(ends), rel=1e-9)
    (row,) = (each for each in run.table() if (each["component"], each["slice"]) == ("threshold", {}))
    assert (row["percentile_low"], row["percentile_high"]) == (row["low"], row["high"])


def test_runs_are_compared_at_their_own_best_thresholds(tmp_path: Path) -> None:
    """A file is won where its hits less alarms are larger; without a file, both runs keep their best thresholds."""
    submitted = "suites:\n  own: {extends: quiz, submitted: [answers]}\n"
    directed = document(*LINEAR[:2], "    better: higher\n") + submitted
    good, results = [1, 2, 2, 1, 0, 3, 1, 2, 1], tmp_path / "r.duckdb"
    for name, level, more in (("one", 0.5, 0), ("other", 7.0, 1)):
        hits = [number + more * (file % 3 - 1) for file, number in enumerate(good)]
        rows = [
            (f"f{file}", "ann", f"i{at}", "a", "a" if at < number else "b", level if at < number else level - 1)
            for file, number in enumerate(hits)
            for at in range(4)
        ]
        kept(tmp_path, directed, rows, suite="own", output=results, name=name)
    (row,) = scorespec.compare("one", "other", results=results, metrics="own.value")
    assert (row.value_a, row.value_b, row.method) == (13, 13, "bootstrap")
    assert (row.wins, row.ties, row.losses, row.blocks) == (3, 3, 3, 9)


def test_a_leaderboard_has_the_intervals_of_another_level(tmp_path: Path) -> None:
    run = kept(tmp_path, document(*LINEAR[:2], "    better: higher\n"), shots(), output=tmp_path / "r.duckdb")
    (entry,) = scorespec.leaderboard(tmp_path / "r.duckdb", metrics="own.value", confidence=80)
    drawn, left_out = (replicates(run, method=method)[:, :1] for method in ("bootstrap", "jackknife"))
    found = bca_interval(Resampled(np.array([entry.value]), drawn, left_out), 0, 0.8)
    assert (entry.low, entry.high) == (found.low, found.high)
    assert found != bca_interval(Resampled(np.array([entry.value]), drawn, np.zeros_like(left_out)), 0, 0.8)


def test_a_row_must_be_accepted_without_reject_all(tmp_path: Path) -> None:
    run = kept(tmp_path, document("max", "0 - hits - alarms", "    reject_all: false\n"), shots())
    values = replicates(run)
    assert np.isfinite(values[:, 2]).all()
    assert values[:, 0].max() < 0


DEALT = """
relations:
  dealt_shots:
    about: The shots of each part.
    needs: [answers, part_marks]
    slices: [answers]
    sql: >
      SELECT part, file, speaker, nullif(score, 99) AS score, coalesce(said = wanted, false) AS good
      FROM {{ answers }} JOIN (SELECT DISTINCT file, part FROM {{ part_marks }}) USING (file)
    columns: {part: the fold, file: name of the recording, speaker: who speaks, score: how sure, good: is it right}
metrics:"""


def test_folds_have_thresholds_of_their_own(tmp_path: Path) -> None:
    """File f is in part f % 2; the score of a replicate is the mean over the parts, where it is defined."""
    better, sql, formula = LINEAR
    own = tmp_path / "own.yaml"
    text = document(better, sql).replace("from: shots", "from: dealt_shots")
    own.write_text(f"domain: toy\n{DEALT}{text.partition('metrics:')[2]}", encoding="utf-8")
    rows = shots()
    asked = {"metrics": ["own"], "params": {"n_parts": 2}, "confidence": 90}
    run = scorespec.score("dealt", specs=[toy.TOY, own], answers=toy.rows("answers", rows), **asked)
    parts = [[row for row in rows if int(row[0][1:]) % 2 == part] for part in (0, 1)]
    counts = Draws(0, FILES).counts(0, REPLICATES)
    expected = [np.mean([searched(part, formula, True, weights)[0] for part in parts]) for weights in counts]
    asked = "SELECT component, scores FROM replicates WHERE slice::VARCHAR = '{}' AND method = 'bootstrap'"
    found = run.sql(asked).to_pylist()
    (value,) = (each["scores"] for each in found if each["component"] == "value")
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    assert {each["component"] for each in found} == {"value", "share"}  # parts have no threshold in common


def test_notes_have_the_bias_and_the_error_at_a_fixed_threshold(tmp_path: Path) -> None:
    better, sql, _ = LINEAR
    rows = shots()
    run = kept(tmp_path, document(better, sql), rows)
    (value,) = (each for each in run.table() if (each["component"], each["slice"]) == ("value", {}))
    (threshold,) = (each for each in run.table() if (each["component"], each["slice"]) == ("threshold", {}))
    counts = Draws(0, FILES).counts(0, REPLICATES)
    accepted = [row for row in rows if 99 > row[5] >= threshold["value"]]
    worth = [sum(_worth(row) for row in accepted if row[0] == f"f{file}") for file in range(FILES)]
    bias, error = replicates(run)[:, 0].mean() - value["value"], np.std(counts @ np.array(worth), ddof=1)
    assert value["note"] == f"bias {bias:+.2g}; standard error {error:.2g} at a fixed threshold"
    drawn = np.sort(replicates(run)[:, 2])
    assert (threshold["low"], threshold["high"]) == (drawn[2], drawn[56])  # of 60: the first above 5 % and 95 %


def _worth(row: toy.Row) -> float:
    return 1.0 if row[3] == row[4] else -0.75


def test_a_flat_optimum_is_noted(tmp_path: Path) -> None:
    """Below the good answers stand as many that neither gain nor lose."""
    rows = [(f"f{at % FILES}", "t0", "i", "a" if at < 60 else "b", "a", 1 - at / 200) for at in range(180)]
    rows = [(*row[:3], "a" if (at * 7) % 5 else "b", "a", row[5]) if at < 60 else row for at, row in enumerate(rows)]
    run = kept(tmp_path, document("max", "hits - 1e-3 * alarms"), rows)
    notes = toy.notes(run, "own")
    assert notes["threshold",].startswith("flat optimum: thresholds from ")
    sharp = kept(tmp_path, document("max", "hits - 5 * alarms"), shots())
    assert ("threshold",) not in toy.notes(sharp, "own")


CURVE = "    curve: {marks: {sure: score > 0.3}, intervals: [share]}\n"


def test_points_of_curves_have_intervals_at_their_threshold(tmp_path: Path) -> None:
    better, sql, _ = LINEAR
    rows = shots()
    run = kept(tmp_path, document(better, sql, CURVE), rows)
    points = run.sql("SELECT * FROM curves WHERE slice::VARCHAR = '{}' ORDER BY rank NULLS LAST").to_pylist()
    for point in points:
        least = math.inf if point["rank"] == 0 else point["threshold"]
        is_marked = point["rank"] is None
        accepted = [row for row in rows if row[5] < 99 and (row[5] > 0.3 if is_marked else row[5] >= least)]
        of_files = [[[row for row in some if row[0] == f"f{at}"] for some in (accepted, rows)] for at in range(FILES)]
        sums = np.array([[sum(map(_worth, those)), len(those), len(every)] for those, every in of_files])
        resampled = resample(sums, _value_and_share, Draws(0, FILES), REPLICATES)
        found = [bca_interval(resampled, component, 0.9) for component in (0, 1)]
        expected = [  # a point of a band that is constant has its value as both ends
            [value, value] if each.note == "constant" else [each.low, each.high]
            for each, value in zip(found, resampled.value, strict=True)
        ]
        ends = [point[name] for name in ("low", "high", "share_low", "share_high")]
        assert ends == pytest.approx([end for each in expected for end in each], rel=1e-9, abs=1e-9)
    assert {(point["rank"], point["mark"]) for point in points} >= {(0, None), (None, "sure")}
    assert len(points) > 20


def _value_and_share(sums: np.ndarray) -> np.ndarray:
    return np.stack([sums[..., 0], sums[..., 1] / sums[..., 2]], axis=-1)


def test_a_component_that_is_no_sum_over_rows_has_no_interval_at_points(tmp_path: Path) -> None:
    better, sql, _ = LINEAR
    squared = document(better, sql, CURVE).replace("'ratio(hits + alarms, total.hits + total.alarms)'", "'hits * hits'")
    ends = kept(tmp_path, squared, shots()).sql("SELECT low, share_low FROM curves WHERE rank > 0").to_pylist()
    assert {(each["low"] is None, each["share_low"]) for each in ends} == {(False, None)}


def test_an_interval_of_no_component(tmp_path: Path) -> None:
    text = document(*LINEAR[:2], CURVE.replace("[share]", "[shares]"))
    with pytest.raises(scorespec.SpecError, match=r"unknown component 'shares'; did you mean 'share'\?"):
        kept(tmp_path, text, shots())


def test_without_confidence_points_have_no_interval(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(f"domain: toy\n{document(*LINEAR[:2], CURVE)}", encoding="utf-8")
    run = scorespec.score("quiz", specs=[toy.TOY, own], metrics=["own"], answers=toy.rows("answers", shots()))
    assert (
        run.sql("SELECT count(*) AS n FROM curves WHERE coalesce(low, high, share_low) IS NOT NULL")["n"][0].as_py()
        == 0
    )
    assert run.sql("SELECT count(*) AS n FROM replicates")["n"][0].as_py() == 0
    assert not [each.label for each in run.costs if "blocks" in each.label]


def test_too_many_rows_have_no_interval_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    better, sql, _ = LINEAR
    monkeypatch.setattr(sweep_intervals, "BYTES_OF_ROW", 10**8)
    run = kept(tmp_path, document(better, sql), shots(), memory_limit="1GB")
    assert toy.notes(run, "own")["value",].endswith(" rows; at most 10 fit into the memory limit")
    assert run["own"].table()[0]["low"] is None


def test_too_many_points_have_no_interval_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    better, sql, _ = CASES["no sum"]
    monkeypatch.setattr(sweep_intervals, "MOST_POINTS", 100)
    run = kept(tmp_path, document(better, sql), shots())
    note = toy.notes(run, "own")["value",]
    assert note.startswith("no interval: value is no sum over rows, and replicates have ")
    assert note.endswith(" points; at most 100 are tried")


@slow
def test_the_same_bytes_whatever_the_order_of_rows_and_threads(tmp_path: Path) -> None:
    rows = shots()
    shuffled = random.Random(3).sample(rows, len(rows))
    for case in ("weights", "no sum"):
        better, sql, _ = CASES[case]
        runs = [
            kept(tmp_path, document(better, sql), each, threads=threads)
            for each in (rows, shuffled)
            for threads in (1, 2)
        ]
        found = [(run.scores, run.sql("FROM replicates ORDER BY ALL")) for run in runs]
        assert all(each == found[0] for each in found)


def test_units_that_are_withheld_leave_no_replicates(tmp_path: Path) -> None:
    better, sql, _ = LINEAR
    run = kept(tmp_path, document(better, sql), shots(), withhold=["units"])
    assert run.sql("SELECT count(*) AS n FROM replicates")["n"][0].as_py() == 0
    assert run["own"].table()[0]["low"] is not None


def test_a_script_with_intervals_runs_and_its_queries_give_the_scores() -> None:
    """Replicate 0 of the script has each block once; the last query is run again without each group of blocks."""
    better, sql, _ = LINEAR
    plan = toy.plan(document(better, sql), metrics=["own", "accuracy", "agreement"], confidence=90)
    names = ["line", *toy.SCHEMAS["answers"].names]
    rows = [dict(zip(names, (line, *row), strict=True)) for line, row in enumerate(shots(), 1)]
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.register("incoming", pa.Table.from_pylist(rows))
        connection.execute("CREATE TABLE answers AS FROM incoming")
        answers = [
            ([name for name, *_ in connection.description or ()], connection.fetchall())
            for each in duckdb.extract_statements(script_of(plan))
            if connection.execute(each) and each.type == duckdb.StatementType.SELECT
        ]
    scores, agreement = [rows for columns, rows in answers if columns[:3] == ["metric", "component", "slice"]]
    accuracy, own = [rows for columns, rows in answers if columns[:3] == ["replicate", "breakdown", "slice"]]
    (blocks,) = [rows for columns, rows in answers if columns == ["slice", "unit_block", "rows"]]
    expected = {(metric, component, slice_): value for metric, component, slice_, value, *_ in scores}
    assert {("accuracy", "value", slice_): value for _, _, slice_, value, *_ in accuracy}.items() <= expected.items()
    for _, _, slice_, value, share, threshold in own:
        assert value == pytest.approx(expected["own", "value", slice_])
        assert (share, threshold) == (expected["own", "share", slice_], expected["own", "threshold", slice_])
    assert {tuple(row[:3]): row[3] for row in agreement}.items() <= expected.items()
    assert len(blocks) == FILES
    assert script_of(toy.plan(document(better, sql), metrics=["own"])).count("replicate") == 0


def test_the_script_shows_each_statement_that_a_run_executes_for_intervals(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    better, sql, _ = LINEAR
    text = document(better, sql, "    curve: {marks: {low: 'score < 0'}}\n")
    own = tmp_path / "own.yaml"
    own.write_text(f"domain: toy\n{text}", encoding="utf-8")
    asked: dict[str, Any] = {"metrics": ["own", "accuracy", "agreement"], "confidence": 90, "specs": [toy.TOY, own]}
    script = scorespec.compile("quiz", **asked).script()
    executed: list[str] = []
    doing = [""]

    def recorded(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(session: Session, statement: str) -> Any:
            if doing[-1].startswith(("intervals", "without group")):
                executed.append(statement)
            return function(session, statement)

        return call

    for name in ("table", "row", "run"):
        monkeypatch.setattr(Session, name, recorded(getattr(Session, name)))
    scorespec.score(
        "quiz",
        answers=toy.rows("answers", shots()),
        keep_evidence=False,
        progress=lambda event: doing.append(event.step if isinstance(event, StepBegun) else doing[-1]),
        **asked,
    )
    steps = re.compile(r"CREATE TABLE \S+ AS FROM \(\n(.*)\n\)", re.DOTALL)
    hidden = {each for each in executed if steps.sub(r"\1", each) not in script}
    assert {each.partition(" AS ")[0] for each in hidden if "own_rows" not in each} == {
        "CREATE SCHEMA aside",
        "DROP SCHEMA aside CASCADE",
        'CREATE OR REPLACE TABLE "blocks left out"',
    }
    assert len({each for each in executed if "own_rows" in each} & hidden) <= 1  # the number of rows
    assert len({*executed} - hidden) == 17
