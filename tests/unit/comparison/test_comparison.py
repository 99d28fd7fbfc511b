"""Paired comparison and leaderboards: the numbers, what cannot be compared, and what results of runs suffice."""

from __future__ import annotations

import itertools
import json
import math
import random
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import scorespec
from examples import SUITES, inputs_of
from marks import first, only, slow, some
from scorespec.comparison import leaderboard, paired
from scorespec.comparison.compared_runs import stored_run
from scorespec.comparison.comparison_tables import Comparisons, Leaderboard
from scorespec.comparison.differences import worst_queries
from scorespec.comparison.leaderboard import Entry
from scorespec.comparison.paired import compare_runs, p_text, verdict
from scorespec.comparison.resampled import Portion, portions_of, resampling_session
from scorespec.core.disclosure import Disclosure
from scorespec.core.score_text import texts_of
from scorespec.core.terminal import latex_table, markdown_table
from scorespec.errors import UsageError
from scorespec.intervals.block_sums import OF_RUN, SomeScores
from scorespec.intervals.found_intervals import too_few
from scorespec.intervals.stored_sums import GivenTable, given_rows
from scorespec.report.report_page import leaderboard_page
from scorespec.report.worst_texts import worst_texts
from scorespec.run.limits import Limits
from scorespec.run.session import Session
from scorespec.statistics import (
    Draws,
    bca_interval,
    error_segments,
    holm,
    jackknife_interval,
    jackknife_test,
    matched_pairs,
    pairwise_max_t,
    randomisation_tests,
    resample,
    smallest_detectable,
    standings,
    step_down_max_t,
)

WORDS = "abcdefgh"
REPLICATES = 499
STATISTICS = ("substitutions", "deletions", "insertions", "words")


def transcripts(folder: Path, speakers: int, seed: int, rates: dict[str, float]) -> dict[str, Path]:
    """A reference in TRN, and the hypothesis of each system with errors at a rate of its own and of the speaker's."""
    chance = random.Random(seed)
    texts: dict[str, list[str]] = {name: [] for name in ("reference", *rates)}
    for speaker in range(speakers):
        hard = chance.random() * 0.3
        for line in range(3):
            said = chance.choices(WORDS, k=chance.randint(4, 12))
            texts["reference"].append(f"{' '.join(said)} (t{speaker:02}-{line})")
            for name, rate in rates.items():
                heard = [chance.choice(WORDS) if chance.random() < rate + hard else word for word in said]
                texts[name].append(f"{' '.join(heard)} (t{speaker:02}-{line})")
    paths = {name: folder / f"{name}{seed}.trn" for name in texts}
    for name, path in paths.items():
        path.write_text("\n".join(texts[name]) + "\n", encoding="utf-8")
    return paths


def scored(folder: Path, speakers: int, seed: int = 1, corpus: str | None = None, **rates: float) -> Path:
    """A results database with a run of `wer` for each system."""
    paths, results = transcripts(folder, speakers, seed, rates), folder / "results.duckdb"
    for name in rates:
        inputs = {"reference": paths["reference"], "hypothesis": paths[name]}
        scorespec.score("wer", inputs=inputs, output=results, name=name, corpus=corpus)
    return results


@pytest.fixture(autouse=True, scope="module")
def fewer_replicates() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (paired, leaderboard):
            patch.setattr(module, "REPLICATES", REPLICATES)
        yield


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return scored(tmp_path_factory.mktemp("compared"), 25, bad=0.3, good=0.1, same=0.29)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return scored(tmp_path_factory.mktemp("few"), 8, bad=0.3, good=0.1)


@pytest.fixture
def copied(few: Path, tmp_path: Path) -> Path:
    return shutil.copy(few, tmp_path / "copied.duckdb")


def sums_of(results: Path, run: int) -> np.ndarray:
    """Sums by speaker, from `unit_statistics`: blocks × statistics."""
    columns = ", ".join(f"sum((statistics ->> '{name}')::DOUBLE) AS {name}" for name in STATISTICS)
    found = scorespec.open_results(results).sql(
        f"SELECT block::VARCHAR AS block, {columns} FROM unit_statistics WHERE run = {run} GROUP BY 1 ORDER BY 1"
    )
    return np.stack([np.array(found[name].to_pylist()) for name in STATISTICS], axis=1)


def wer(sums: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return sums[..., :3].sum(axis=-1, keepdims=True) / sums[..., 3:4]


def one(found: Any, metric: str = "wer", component: str = "value") -> Any:
    (row,) = (each for each in found if (each.metric, each.component) == (metric, component))
    return row


@pytest.fixture(scope="module")
def compared(results: Path) -> Comparisons:
    return scorespec.compare("bad", "good", results=results)


def test_a_comparison_is_that_of_the_statistics_of_units(results: Path, compared: Comparisons) -> None:
    row = one(compared)
    first, second = sums_of(results, 1), sums_of(results, 2)
    draws = Draws(0, 25)
    difference = resample(second, wer, draws, REPLICATES) - resample(first, wer, draws, REPLICATES)
    interval = bca_interval(difference)
    assert (row.value_a, row.value_b) == (wer(first.sum(axis=0))[0], wer(second.sum(axis=0))[0])
    assert row.difference == row.value_b - row.value_a
    assert (row.low, row.high) == pytest.approx((interval.low, interval.high))
    assert row.p == randomisation_tests(first, second, wer, 0, REPLICATES).p[0] < 0.01
    assert row.detectable == pytest.approx(smallest_detectable(difference.standard_errors()[0], 24))
    gains = (wer(second) - wer(first))[:, 0]
    assert (row.wins, row.ties, row.losses) == ((gains < 0).sum(), (gains == 0).sum(), (gains > 0).sum())
    assert (row.blocks, row.method, row.better) == (25, "randomisation", "lower")


@slow
def test_the_same_bytes_whatever_threads_and_order_of_runs(results: Path) -> None:
    one_thread, two = ({"threads": threads, "memory_limit": limit} for threads, limit in ((1, "200MB"), (2, None)))
    compared = [scorespec.compare("bad", "good", results=results, **each).table for each in (one_thread, two)]
    assert compared[0] == compared[1]
    boards = [
        scorespec.leaderboard(results, *names, metrics="wer", **each).table
        for names, each in ((("bad", "good", "same"), one_thread), (("same", "good", "bad"), two))
    ]
    assert boards[0] == boards[1]


@slow
def test_few_blocks_are_swapped_in_all_ways(few: Path) -> None:
    row = one(scorespec.compare("bad", "good", results=few))
    first, second = sums_of(few, 1), sums_of(few, 2)
    larger = 0
    for swaps in itertools.product((False, True), repeat=8):
        sides = [np.where(np.array(swaps)[:, None], *pair).sum(axis=0) for pair in ((second, first), (first, second))]
        larger += abs(wer(sides[1])[0] - wer(sides[0])[0]) >= abs(row.difference) - 1e-12
    assert row.p == larger / 2**8


@pytest.mark.parametrize("correction", first(["holm", "bh", "maxt"]))
def test_p_is_corrected_for_all_pairs_and_scores(results: Path, correction: str) -> None:
    found = scorespec.compare("bad", "good", "same", results=results, correction=correction)
    assert [(each.a, each.b) for each in found][::6] == [("bad", "good"), ("bad", "same"), ("good", "same")]
    assert [each.component for each in found][:5] == ["value", "word_correctness", "mer", "wil", "wip"]
    p = np.array([each.p for each in found])
    corrected = [each.p_corrected for each in found]
    if correction == "holm":
        assert corrected == holm(p).tolist()
    elif correction == "bh":
        ranked = np.sort(p) * len(p) / np.arange(1, len(p) + 1)
        assert min(corrected) == ranked.min()
    else:
        sums = {name: sums_of(results, run) for run, name in enumerate(("bad", "good", "same"), 1)}
        wers = [each for each in found if each.component == "value"]
        tests = [randomisation_tests(sums[each.a], sums[each.b], wer, 0, REPLICATES) for each in wers]
        null = np.concatenate([each.null for each in tests], axis=1)
        alone = step_down_max_t(np.array([each.difference for each in wers]), null)
        found = scorespec.compare("bad", "good", "same", results=results, metrics="wer.value", correction=correction)
        assert [each.p_corrected for each in found] == alone.tolist()


def test_the_verdict_says_what_is_better_and_what_is_not_distinguishable(results: Path) -> None:
    found = scorespec.compare("bad", "good", results=results, metrics="wer.value")
    row = one(found)
    assert found.verdict == (
        f"good is better than bad in wer by {-row.difference:.3g} (95 % {-row.high:.3g} to {-row.low:.3g})."
    )
    # The winner is the same, and better by the same size, whichever run is named first.
    assert scorespec.compare("good", "bad", results=results, metrics="wer.value").verdict == found.verdict
    percent = scorespec.compare("bad", "good", results=results, metrics="wer.value", percent=True)
    assert percent.verdict.startswith(f"good is better than bad in wer (%) by {-100 * row.difference:.3g} (95 % ")
    assert percent.notes[0] == "difference: good minus bad"
    same = scorespec.compare("bad", "same", results=results)
    assert same.verdict == "No difference between bad and same is significant."
    assert found.verdict in repr(found)
    assert "<td>wer</td>" in found._repr_html_()
    assert verdict([]) == ""
    assert pa.table(found) == found.table
    assert found.table.num_rows == 1
    printed = json.loads(json.dumps(found.to_dict()))
    assert [*printed] == ["comparisons", "matched_pairs", "verdict"]
    assert [*printed["comparisons"][0]] == [
        "metric",
        "component",
        "slice",
        "a",
        "b",
        "value_a",
        "value_b",
        "difference",
        "low",
        "high",
        "p",
        "p_corrected",
        "detectable",
        "wins",
        "ties",
        "losses",
        "blocks",
        "method",
        "better",
        "note",
        "block",
    ]
    assert printed["comparisons"][0]["difference"] == row.difference


def test_matched_pairs_are_those_of_all_words(results: Path, compared: Comparisons) -> None:
    """From the whole alignment: a row for each word of the reference, and for each place where words are inserted."""
    (test,) = compared.matched_pairs
    rows: dict[tuple[str, int], list[float]] = {}
    asked = "SELECT run, segment, ref_begin, ref_end, outcome FROM evidence_alignment WHERE run < 3"
    for row in scorespec.open_results(results).sql(asked).to_pylist():
        assert row["ref_end"] - row["ref_begin"] <= 1
        place = 2 * row["ref_begin"] + (row["ref_end"] > row["ref_begin"])
        rows.setdefault((row["segment"], place), [0.0, 0.0])[row["run"] - 1] += row["outcome"] != "correct"
    names = {name: at for at, name in enumerate(sorted({name for name, _ in rows}))}
    ordered = [(names[name], *errors) for (name, _), errors in sorted(rows.items())]
    sentences, first, second = (np.array(column) for column in zip(*ordered, strict=True))
    found = matched_pairs(*error_segments(sentences, (first == 0) & (second == 0), first, second))
    assert (test.pairs, test.mean, test.z) == (found.pairs, found.mean, found.z)
    assert (test.p_normal, test.p_student) == (found.p_normal, found.p_student)
    assert test.pairs > 20
    assert test.mean < 0
    assert str(test).startswith(
        f"if stretches of speech are independent (matched pairs, {test.pairs} with errors):\n"
        f"good makes {-test.mean:.3g} fewer errors per stretch than bad; Z = "
    )


def test_a_count_is_compared_if_it_is_named(results: Path) -> None:
    found = scorespec.compare("bad", "good", results=results, metrics=["wer.substitutions"])
    assert [each.component for each in found] == ["substitutions"]
    assert one(found, component="substitutions").p < 0.02


def doubled(given: Mapping[str, GivenTable]) -> dict[str, GivenTable]:
    """Tables in which floating-point numbers are twice as large."""
    found = {}
    for name, each in given.items():
        is_float = [kind == "DOUBLE" for kind in each.types.values()]
        rows = [
            [str(2 * float(text)) if text and double else text for text, double in zip(row, is_float, strict=True)]
            for row in each.rows
        ]
        found[name] = replace(each, rows=rows)
    return found


def one_by_one(session: Session, portion: Portion, sums: np.ndarray) -> np.ndarray:
    """The scores of each run by the stored query itself, which knows nothing of other runs."""
    found = []
    for run, stored in enumerate(portion._metric):
        with ExitStack() as readable:
            for name, given in stored.given.items():
                rows = given_rows(session, [given]).drop_columns([OF_RUN])
                readable.enter_context(session.reading(name, rows))
            part = SomeScores(session, stored.scores, portion._cells, portion._effective)
            found.append(part.components(sums[:, run]))
    return np.stack(found, axis=1)


@pytest.mark.parametrize(
    "suite", only(["wer"], sorted({*SUITES} - {"sws2012", "sws2013", "articubench"}))
)  # variants of others
def test_what_results_keep_gives_the_scores(suite: str, tmp_path: Path) -> None:
    """From results alone, without documents and inputs: the components of the sums of all blocks are the scores."""
    results = tmp_path / "r.duckdb"
    scorespec.score(suite, inputs=inputs_of(suite), output=results, keep_evidence=False)
    scorespec.add_runs(results, shutil.copy(results, tmp_path / "again.duckdb"))
    runs = [stored_run(results, "main", number) for number in (1, 2)]
    with resampling_session(runs, runs[0].record.metrics, Limits(threads=1)) as (session, every):
        for metric in every:
            for portion in portions_of(session, runs, metric, 9):
                whole = portion.components(portion.sums.sum(axis=0))
                for run, found in enumerate(whole.tolist()):
                    values = [runs[run].values[key] for key, _ in portion.scores]
                    expected = [math.nan if value is None else value for value in values]
                    assert found == pytest.approx(expected, rel=1e-9, abs=1e-7, nan_ok=True)
            one, other = metric
            for portion in portions_of(session, runs, [one, replace(other, given=doubled(other.given))], 9):
                sums = portion.sums.sum(axis=0) * np.random.default_rng(1).random((7, *portion.sums.shape[1:]))
                assert np.array_equal(portion.components(sums), one_by_one(session, portion, sums), equal_nan=True)
    for row in some(compare_runs(runs, slices=True, limits=Limits(threads=1))[0]):
        assert row.difference in (0, None)
        assert row.p in (1, None)
        assert (row.p is None) == (row.note is not None)


@slow
def test_runs_of_different_files_are_compared(results: Path, few: Path, compared: Comparisons, tmp_path: Path) -> None:
    paths = transcripts(tmp_path, 25, 1, {"bad": 0.3, "good": 0.1, "same": 0.29})
    apart = [
        scorespec.score("wer", inputs={"reference": paths["reference"], "hypothesis": paths[name]}, name=name)
        for name in ("bad", "good")
    ]
    assert scorespec.compare(*apart).table == compared.table
    added = shutil.copy(few, tmp_path / "added.duckdb")
    scorespec.remove_runs(added, 1, 2)
    scorespec.add_runs(added, shutil.copy(results, tmp_path / "copy.duckdb"))
    assert scorespec.compare("bad", "good", results=added).table == compared.table


def test_runs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    paths = transcripts(tmp_path, 8, 1, {"monday": 0.3, "tuesday": 0.1})
    results = tmp_path / "results.duckdb"
    nights = [
        scorespec.score("wer", reference=paths["reference"], hypothesis=paths[night], name="ours", output=results)
        for night in ("monday", "tuesday")
    ]
    found = scorespec.compare(1, 2, results=results, metrics="wer.value")
    (row,) = found.shown_rows()
    assert {"ours (run 1)", "ours (run 2)"} <= row.keys()
    assert row["ours (run 1)"] == f"{nights[0].value('wer'):.4f}"
    assert found.verdict.startswith("ours (run 2) is better than ours (run 1)")
    units, *_ = worst_queries(results, "main", found, ["1", "2"], 1)
    worst = scorespec.open_results(results).sql(units).to_pylist()
    assert {row["unit"] for row in worst} == {worst[0]["unit"]}
    assert all(row["ours (run 1)"] != row["ours (run 2)"] for row in worst)


@pytest.mark.slow
def test_the_worst_units_come_with_their_rows(results: Path) -> None:
    found = scorespec.compare("bad", "good", results=results, metrics="wer.value")
    units, *tables = worst_queries(results, "main", found, ["bad", "good"], 2)
    database = scorespec.open_results(results)
    counted = database.sql("""
        SELECT document || ' ' || segment AS unit, sum(abs(in_1 - in_2)) AS apart
        FROM (
            SELECT document, segment, outcome, count(*) FILTER (run = 1) AS in_1, count(*) FILTER (run = 2) AS in_2
            FROM evidence_alignment GROUP BY ALL
        )
        GROUP BY unit ORDER BY apart DESC
    """).to_pylist()
    apart = {row["unit"]: row["apart"] for row in counted}
    worst = [*dict.fromkeys(row["unit"] for row in database.sql(units).to_pylist())]
    assert [apart[unit] for unit in worst] == [*apart.values()][:2]
    (comparison,) = found
    texts = [*worst_texts(results, "main", comparison, ["bad", "good"], 2, 60)]
    assert [text.partition(":")[0] for text in texts] == worst
    for text in texts:
        lines = text.splitlines()[1:]
        assert max(map(len, lines)) <= 60
        said = [" ".join(line for line in lines if line.startswith(f"{name} ")) for name in ("bad", "good")]
        unit = text.partition(":")[0].split()[-1]
        errors = "SELECT run, count(*) FROM evidence_alignment WHERE segment = ? AND outcome <> 'correct' GROUP BY run"
        with duckdb.connect(str(results), read_only=True) as connection:
            counted = dict(connection.execute(errors, [unit]).fetchall())
        assert [each.count("[") for each in said] == [counted.get(1, 0), counted.get(2, 0)]
    of_alignment = next(query for query in tables if "evidence_alignment" in query)
    rows = database.sql(of_alignment).to_pylist()
    assert {f"{row['document']} {row['segment']}" for row in rows} == {*worst}
    assert {row["only_in"] for row in rows} == {"bad", "good"}
    for row in rows:
        system = row.pop("only_in")
        where = " AND ".join(f'"{name}" IS NOT DISTINCT FROM ?' for name in row)
        with duckdb.connect(str(results), read_only=True) as connection:
            runs = connection.execute(f"SELECT run FROM evidence_alignment WHERE {where}", [*row.values()]).fetchall()
        assert runs == [(1,)] if system == "bad" else [(2,)]


@pytest.mark.parametrize("name", first(["difference", "low", "p", "metric"], 2))
def test_a_system_may_be_called_like_a_column(copied: Path, name: str) -> None:
    with duckdb.connect(str(copied)) as connection:
        connection.execute("UPDATE runs SET name = CASE id WHEN 1 THEN ? ELSE 'system ' || ? END", [name, name])
    found = scorespec.compare(1, 2, results=copied, metrics="wer.value")
    (row,), compared = found.shown_rows(), one(found)
    assert row["metric"] == "wer"
    assert row["difference"] == f"{compared.difference:+.4g}"
    assert row[f"system {name}"] == f"{compared.value_a:.4f}"
    assert row[f"system system {name}"] == f"{compared.value_b:.4f}"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two transcripts, and a results database with their run."""
    folder = tmp_path_factory.mktemp("plain")
    paths = {name: folder / f"{name}.trn" for name in ("reference", "hypothesis")}
    for path in paths.values():
        path.write_text("a b c (t00-0)\nd (t01-0)\n", encoding="utf-8")
    scorespec.score("wer", inputs=paths, output=folder / "r.duckdb", name="plain")
    return folder


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"params": {"case": "keep"}}, 'case is "fold" in one and "keep" in the other'),
        ({"reference": "a b c (t00-0)"}, "input reference, which is gold, differs"),
        ({"withhold": "units"}, "changed cannot be compared: units were withheld when it was scored"),
        ({"suite": "speech_ne"}, "one was scored by suite wer, the other by speech_ne"),
    ],
)
def test_runs_that_differ_cannot_be_compared(plain: Path, tmp_path: Path, change: dict[str, Any], message: str) -> None:
    folder = shutil.copytree(plain, tmp_path / "copied")
    paths = {name: folder / f"{name}.trn" for name in ("reference", "hypothesis")}
    results = folder / "r.duckdb"
    change = dict(change)
    if "reference" in change:
        paths["reference"].write_text(change.pop("reference"), encoding="utf-8")
        paths["hypothesis"].write_text("a b c (t00-0)", encoding="utf-8")
    suite = change.pop("suite", "wer")
    scorespec.score(
        suite, inputs=inputs_of(suite) if suite != "wer" else paths, output=results, name="changed", **change
    )
    with pytest.raises(UsageError) as raised:
        scorespec.compare("plain", "changed", results=results)
    assert message in str(raised.value)


@pytest.mark.parametrize(("suite", "metric"), [("verification", "eer"), ("sws2013", "mtwv")])
def test_parameters_of_metrics_that_runs_do_not_share_make_no_difference(
    tmp_path: Path, suite: str, metric: str
) -> None:
    given = {"inputs": inputs_of(suite), "output": tmp_path / "r.duckdb"}
    scorespec.score(suite, name="all", **given)
    scorespec.score(suite, name="single", metrics=metric, **given)
    found = scorespec.compare("all", "single", results=tmp_path / "r.duckdb", metrics=f"{metric}.value")
    assert [each.difference for each in found] == [0]
    assert {each.system for each in scorespec.leaderboard(tmp_path / "r.duckdb", metrics=metric)} == {"all", "single"}
    scorespec.score(suite, name="dropped", metrics=metric, on_bad_row="drop", **given)
    with pytest.raises(UsageError, match='on_bad_row is null in one and "drop" in the other'):
        scorespec.compare("single", "dropped", results=tmp_path / "r.duckdb")


def test_a_level_of_intervals_makes_no_difference(results: Path, compared: Comparisons, tmp_path: Path) -> None:
    paths = transcripts(tmp_path, 25, 1, {"bad": 0.3, "good": 0.1, "same": 0.29})
    inputs = {"reference": paths["reference"], "hypothesis": paths["good"]}
    run = scorespec.score("wer", inputs=inputs, confidence=90, name="good")
    assert one(scorespec.compare("bad", run, results=results)) == one(compared)


@slow
def test_few_effective_blocks_have_no_test(tmp_path: Path) -> None:
    """What is tested are the errors on this material: it is said which test answers which question."""
    results = scored(tmp_path, 3, bad=0.3, good=0.1)
    found = scorespec.compare("bad", "good", results=results, metrics="wer.value")
    row, (test,) = one(found), found.matched_pairs
    assert (row.low, row.p) == (None, None)
    assert row.note.startswith("no test: the effective number of blocks is ")
    assert row.note.endswith(", less than 6")
    assert row.block == "speaker"
    reason = row.note.removeprefix("no test: ")
    said = f"No difference between bad and good could be tested: {reason} (`score --blocks` chooses other blocks)."
    assert found.verdict == said
    beyond = "if only blocks are independent (a block per speaker):"
    assert found.notes == ["difference: good minus bad", *str(test).splitlines(), beyond, said]
    assert repr(found).splitlines()[-5:] == found.notes
    assert test.mean < 0
    assert test.p_student < 0.05
    assumed = "If stretches of speech are independent as well, "
    of_material = f"{assumed}good makes fewer errors than bad (matched pairs, p {p_text(test.p_student)})."
    assert test.verdict == of_material
    assert replace(test, mean=0.5).verdict.startswith(f"{assumed}bad makes fewer errors than good (")
    unclear = f"{assumed}the errors of bad and good are not distinguishable (matched pairs, p = "
    assert replace(test, p_student=0.2).verdict == f"{unclear}0.2000)."
    assert replace(test, p_student=math.nan).verdict == f"{unclear}nan)."
    page = scorespec.open_results(results).report().html
    assert f"Whether the difference is chance is not tested: {reason}." in page
    assert of_material in page


@pytest.mark.parametrize("correction", first(["holm", "maxt"]))
def test_the_blocks_of_a_slice_are_those_that_have_units_in_it(tmp_path: Path, correction: str) -> None:
    paths, results = transcripts(tmp_path, 20, 1, {"bad": 0.3, "good": 0.1}), tmp_path / "results.duckdb"
    rooms = tmp_path / "rooms.csv"
    lines = [f"t{speaker:02},{'hall' if speaker < 8 else 'lab'}" for speaker in range(20)]
    rooms.write_text("\n".join(["document,room", *lines]) + "\n", encoding="utf-8")
    for name in ("bad", "good"):
        inputs = {"reference": paths["reference"], "hypothesis": paths[name], "metadata": rooms}
        scorespec.score("wer", inputs=inputs, output=results, name=name, by="room")
    found = scorespec.compare("bad", "good", results=results, metrics="wer.value", by="room", correction=correction)
    assert [each.blocks for each in found] == [20, 8, 12]
    assert [each.wins + each.ties + each.losses for each in found] == [20, 8, 12]


def test_blocks_that_are_chosen_are_named(tmp_path: Path) -> None:
    """Runs with other blocks are no pair; the latest run of a system counts."""
    paths, results = transcripts(tmp_path, 3, 1, {"bad": 0.3, "good": 0.1}), tmp_path / "results.duckdb"

    def score(name: str, blocks: str | None) -> None:
        inputs = {"reference": paths["reference"], "hypothesis": paths[name]}
        scorespec.score("wer", inputs=inputs, output=results, name=name, blocks=blocks)

    score("bad", None)
    score("good", "segment")
    message = r"^bad and good cannot be compared: their blocks \(--blocks\) are those of the suite and segment$"
    with pytest.raises(UsageError, match=message):
        scorespec.compare("bad", "good", results=results)
    score("bad", "segment")
    found = scorespec.compare("bad", "good", results=results, metrics="wer.value")
    assert (one(found).blocks, one(found).block) == (9, "segment")
    warning = "segment (--blocks): if units of different blocks are alike, intervals are too narrow, and p is too small"
    assert found.verdict.endswith(f" Blocks are {warning}.")
    board = scorespec.leaderboard(results)
    assert f"blocks are {warning}" in board.notes
    assert [(each.system, each.low is None) for each in board] == [("good", False), ("bad", False)]


def test_almost_enough_effective_blocks_are_not_said_to_be_enough() -> None:
    assert too_few(5.998) == "the effective number of blocks is 5.99, less than 6"
    assert too_few(5.998, Disclosure(("counts",))) == "the effective number of blocks is …, less than 6"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"correction": "none"}, "--correction none: it must be holm, bh or maxt"),
        ({"metrics": "wr"}, "unknown metric 'wr' of these runs; did you mean 'wer'?"),
        ({"b": "bad"}, "run 1 is named twice"),
        ({"results": None}, "a comparison needs two runs at least: compare(RESULTS, RUN, RUN)"),
    ],
)
def test_wrong_questions(results: Path, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        scorespec.compare("bad", **{"b": "good", "results": results, **arguments})
    assert str(raised.value).startswith(message)


DIRECTIONS = """
domain: answers
tables:
  answers:
    about: One row per answer.
    submitted: true
    columns: {id: {type: VARCHAR}, right: {type: BOOLEAN}}
    key: [id]
    formats: [csv]
metrics:
  plain:
    {about: Share of right answers., kind: ratio, from: answers, numerator: count_if("right"), denominator: count(*)}
  good: {extends: plain, better: higher}
  fine: {extends: good}
  number:
    about: Number of right answers.
    kind: statistics
    from: answers
    unit: [id]
    statistics: {n: count_if("right")}
    components: {value: n}
    meanings: {value: {about: Number of right answers., unit: count, better: higher}}
suites: {answers: {about: Answers., inputs: [answers], metrics: [plain, good, fine, number]}}
"""


@pytest.mark.parametrize(
    ("metrics", "asked", "message"),
    [
        ("plain plain", (), "no score of these runs says which direction is better: write `better: higher` or"),
        ("plain plain", "plain", "no score of these runs says which direction is better"),
        ("good fine", (), "these runs share no score for which a direction is better"),
        ("number number", (), "these runs share only counts, or scores of slices: name a count with --metric"),
    ],
)
def test_runs_without_a_score_to_compare_are_refused(tmp_path: Path, metrics: str, asked: str, message: str) -> None:
    (tmp_path / "answers.yaml").write_text(DIRECTIONS)
    (tmp_path / "answers.csv").write_text("id,right\n1,true\n2,false\n")
    given = {"answers": tmp_path / "answers.csv", "specs": tmp_path / "answers.yaml", "output": tmp_path / "r.duckdb"}
    for name, metric in zip("ab", metrics.split(), strict=True):
        scorespec.score("answers", **given, metrics=metric, name=name)
    with pytest.raises(UsageError, match=message):
        scorespec.compare("a", "b", results=given["output"], metrics=asked)
    with pytest.raises(UsageError, match=message):
        scorespec.leaderboard(given["output"], metrics=asked)


@pytest.mark.parametrize("name", first(["wer", "wer.wer", "wer.value", "wer.wer.value"], 2))
def test_a_score_may_be_named_with_its_suite(results: Path, name: str) -> None:
    compared = scorespec.compare("bad", "good", results=results, metrics=name)
    for found in (compared, scorespec.leaderboard(results, metrics=name)):
        assert ("wer", "value") in {(each.metric, each.component) for each in found}


def with_replicates(results: Path, method: str, groups: list[int], **scores: np.ndarray) -> None:
    """Give runs kept replicates of `wer.value`, as if it could not be computed from sums."""
    with duckdb.connect(str(results)) as connection:
        connection.execute("DELETE FROM resampled")
        for name, values in scores.items():
            (run,) = connection.execute("SELECT id FROM runs WHERE name = ?", [name]).fetchone() or ()
            row = [run, "wer", "value", "{}", method, "f00", groups, values.tolist()]
            connection.execute("INSERT INTO replicates VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)


def test_kept_replicates_of_a_jackknife_are_compared(copied: Path) -> None:
    results = copied
    random_ = np.random.default_rng(1)
    without = {name: random_.normal(level, 0.01, 6) for name, level in (("bad", 0.4), ("good", 0.2))}
    groups = [1, 1, 1, 1, 3, 1]
    with_replicates(results, "jackknife", groups, **without)
    row = one(scorespec.compare("bad", "good", results=results))
    left_out = without["good"] - without["bad"]
    interval = jackknife_interval(row.difference, left_out, blocks=np.array(groups, float), proportion=False)
    assert (row.low, row.high) == (interval.low, interval.high)
    assert row.p == jackknife_test(row.difference, left_out, blocks=np.array(groups, float))
    shares = 8 / np.array(groups)
    in_groups = shares * row.difference - (shares - 1) * left_out
    assert (row.method, row.blocks, row.ties) == ("jackknife", 8, 0)
    assert (row.wins, row.losses) == ((in_groups < 0).sum(), (in_groups > 0).sum())
    assert row.wins > 0
    with pytest.raises(UsageError) as raised:
        scorespec.compare("bad", "good", results=results, correction="maxt")
    assert "--correction maxt needs tests that swap blocks, and there are none of wer" in str(raised.value)
    assert one(scorespec.compare("bad", "good", results=results), component="word_correctness").note == (
        "no test: score bad and good with --confidence"
    )


def test_kept_replicates_of_a_bootstrap_are_compared(copied: Path) -> None:
    results = copied
    values = {row["name"]: row["id"] for row in scorespec.open_results(results).runs().to_pylist()}
    assert values == {"bad": 1, "good": 2}
    random_ = np.random.default_rng(1)
    drawn = {name: random_.normal(level, 0.03, 199) for name, level in (("bad", 0.4), ("good", 0.2))}
    with_replicates(results, "bootstrap", [8], **drawn)
    row = one(scorespec.compare("bad", "good", results=results))
    larger = sum(abs(each - row.difference) >= abs(row.difference) for each in drawn["good"] - drawn["bad"])
    assert row.p >= (1 + larger) / 200
    assert row.low < row.high < 0
    assert (row.method, row.blocks) == ("bootstrap", 8)
    board = scorespec.leaderboard(results)
    assert [(each.system, each.best, each.worst) for each in board] == [("good", 1, 1), ("bad", 2, 2)]


def test_a_leaderboard_has_the_stored_intervals_of_kept_replicates(copied: Path) -> None:
    """They rest on more than replicates: on the range of the score, and on the values without each block."""
    without = {"bad": np.array([0.3, 0.5]), "good": np.array([0.2, 0.1])}
    with_replicates(copied, "jackknife", [4, 4], **without)
    unknown = [(each.low, each.high) for each in scorespec.leaderboard(copied)]
    with duckdb.connect(str(copied)) as connection:
        connection.execute("""UPDATE runs SET parameters = json_merge_patch(parameters, '{"confidence": 95}')""")
        connection.execute("UPDATE scores SET low = run / 100, high = run / 10 WHERE component = 'value'")
    assert {each.system: (each.low, each.high) for each in scorespec.leaderboard(copied)} == {
        "bad": (0.01, 0.1),
        "good": (0.02, 0.2),
    }
    assert [(each.low, each.high) for each in scorespec.leaderboard(copied, confidence=90)] != unknown
    assert None not in unknown[0]


@pytest.mark.parametrize("proportion", first([True, False]))
def test_intervals_of_another_level_are_of_the_kind_of_the_stored_ones(copied: Path, proportion: bool) -> None:
    without = {"bad": np.array([0.36, 0.37]), "good": np.array([0.2, 0.24])}
    with_replicates(copied, "jackknife", [4, 4], **without)
    values = {each.system: each.value for each in scorespec.leaderboard(copied)}
    arguments: dict[str, Any] = {"blocks": np.array([4.0, 4.0]), "proportion": proportion}
    with duckdb.connect(str(copied)) as connection:
        connection.execute("""UPDATE runs SET parameters = json_merge_patch(parameters, '{"confidence": 95}')""")
        connection.execute("UPDATE runs SET ranges = ?", [json.dumps([["wer", "value", 0, 1 if proportion else None]])])
        for name, scores in without.items():
            found = jackknife_interval(values[name], scores, 0.95, **arguments)
            connection.execute(
                "UPDATE scores SET low = ?, high = ? FROM runs WHERE id = run AND name = ? AND component = 'value'",
                [found.low, found.high, name],
            )
    for each in some(scorespec.leaderboard(copied, confidence=80)):
        found = jackknife_interval(values[each.system], without[each.system], 0.8, **arguments)
        assert (each.low, each.high) == (found.low, found.high)


def test_replicates_of_other_blocks_are_not_compared(copied: Path) -> None:
    results = copied
    with_replicates(results, "jackknife", [4, 4], bad=np.array([0.4, 0.5]))
    with_replicates(results, "jackknife", [5, 3], good=np.array([0.1, 0.2]))
    assert one(scorespec.compare("bad", "good", results=results)).note == "no test: blocks differ"
    assert {each.note for each in scorespec.leaderboard(results)} == {"blocks differ"}


def test_replicates_of_one_run_are_not_compared(copied: Path) -> None:
    """The other run was scored without --confidence, or has no interval for a reason of its own."""
    with_replicates(copied, "jackknife", [4, 4], bad=np.array([0.4, 0.5]))
    assert one(scorespec.compare("bad", "good", results=copied)).note == "no test: score good with --confidence"
    assert {each.note for each in scorespec.leaderboard(copied)} == {"score good with --confidence"}
    with duckdb.connect(str(copied)) as connection:
        connection.execute("""UPDATE runs SET parameters = json_merge_patch(parameters, '{"confidence": 95}')""")
        connection.execute("UPDATE scores SET note = 'no interval: 7 rows; at most 5 fit into the memory limit'")
    why = "7 rows; at most 5 fit into the memory limit (good)"
    assert one(scorespec.compare("bad", "good", results=copied)).note == f"no test: {why}"
    assert f"no interval of WER: {why}" in scorespec.leaderboard(copied).notes


def test_results_of_anyone_cannot_run_statements(few: Path, tmp_path: Path) -> None:
    """The types of columns, and the names of macros, are text of the file."""
    for key, change in (("keys", "INTEGER); DROP TABLE runs; --"), ("macros", "f() AS 1; DROP TABLE runs; --")):
        results = shutil.copy(few, tmp_path / f"{key}.duckdb")
        with duckdb.connect(str(results)) as connection:
            (text,) = connection.execute("SELECT definition FROM resampled LIMIT 1").fetchone() or ()
            definition = json.loads(text)
            if key == "keys":
                definition["sums"][0]["keys"]["breakdown"] = change
            else:
                definition["macros"][0]["name"] = change
            connection.execute("UPDATE resampled SET definition = ?", [json.dumps(definition)])
        with pytest.raises(UsageError) as raised:
            scorespec.compare("bad", "good", results=results)
        assert "the results database has " in str(raised.value)
        assert scorespec.open_results(results).runs().num_rows == 2


def test_results_without_sums_of_blocks_are_compared_without_tests(copied: Path) -> None:
    results = copied
    with duckdb.connect(str(results)) as connection:
        for table in ("block_sums", "resampled", "replicates"):
            connection.execute(f"DELETE FROM {table}")
    row = one(scorespec.compare("bad", "good", results=results))
    assert row.difference == row.value_b - row.value_a
    assert row.note == "no test: score bad and good with --confidence"


# -- leaderboards ------------------------------------------------------------------------------------


def test_a_leaderboard_has_the_intervals_and_ranks_of_all_pairs(results: Path) -> None:
    board = scorespec.leaderboard(results)
    assert next(iter(board)).system == "good"
    assert [each.value for each in board] == sorted(each.value for each in board)
    systems = {
        name: resample(sums_of(results, run), wer, Draws(0, 25), REPLICATES)
        for name, run in (("bad", 1), ("good", 2), ("same", 3))
    }
    values = np.array([each.value[0] for each in systems.values()])
    p = pairwise_max_t(values, np.stack([each.replicates[:, 0] for each in systems.values()]), 25)
    ranks = dict(zip(systems, standings(values, p, higher_is_better=False), strict=True))
    for each in board:
        interval = bca_interval(systems[each.system])
        assert (each.low, each.high) == pytest.approx((interval.low, interval.high))
        standing = ranks[each.system]
        assert (each.best, each.worst, each.group) == (standing.best, standing.worst, standing.group)
    assert [(each.best, each.worst) for each in board] == [(1, 1), (2, 3), (2, 3)]


def test_a_report_says_which_system_is_better(results: Path) -> None:
    page = scorespec.open_results(results).report().html
    assert "On this material" not in page  # there are three pairs of systems
    assert "good is better than all others." in page


@pytest.mark.slow
def test_a_mean_over_corpora_draws_blocks_within_each(tmp_path: Path) -> None:
    for seed, corpus in ((1, "en"), (2, "sw")):
        scored(tmp_path, 10 * seed, seed, corpus, bad=0.3, good=0.1)
    results = tmp_path / "results.duckdb"
    board = scorespec.leaderboard(results)
    assert {(each.corpus, each.corpora, each.lacks) for each in board} == {(None, 2, None)}
    parts = [
        resample(sums_of(results, run), wer, Draws(seed, blocks), REPLICATES)
        for run, seed, blocks in ((2, 0, 10), (4, 1, 20))
    ]
    (good,) = (each for each in board if each.system == "good")
    assert good.value == pytest.approx(np.mean([each.value[0] for each in parts]))
    assert good.low < good.value < good.high
    means = (parts[0].replicates + parts[1].replicates) / 2
    assert np.quantile(means, 0.01) < good.low < np.quantile(means, 0.1)
    each_corpus = scorespec.leaderboard(results, by_corpus=True)
    assert {(each.corpus, each.corpora) for each in each_corpus} == {("en", 1), ("sw", 1), (None, 2)}
    assert [*each_corpus.shown_rows()[0]] == ["rank", "system", "WER mean of 2 corpora (%)", "WER en (%)", "WER sw (%)"]


@slow
def test_systems_that_lack_a_corpus_are_shown_without_a_mean(tmp_path: Path) -> None:
    """Also where a corpus is called like the mean, and where runs have no corpus."""
    scored(tmp_path, 8, 1, "mean", bad=0.3, good=0.1)
    results = scored(tmp_path, 8, 2, None, late=0.2, good=0.1)
    board = scorespec.leaderboard(results)
    assert [(each.system, each.value is None, each.best, each.worst, each.lacks) for each in board] == [
        ("good", False, 1, 1, None),
        ("bad", True, None, None, "unnamed data"),
        ("late", True, None, None, "mean"),
    ]
    assert board.notes[-2:] == ["no mean of bad: no run of unnamed data", "no mean of late: no run of mean"]
    assert [row["WER (%)"] for row in board.shown_rows()][1:] == ["-", "-"]
    every = scorespec.leaderboard(results, by_corpus=True)
    assert [*every.shown_rows()[0]][2:] == ["WER mean of 2 corpora (%)", "WER mean (%)", "WER unnamed data (%)"]
    assert all(len({*row.values()} - {"-"}) > 1 for row in every.shown_rows())


def test_corpora_without_a_system_in_common_have_no_means(copied: Path) -> None:
    with duckdb.connect(str(copied)) as connection:
        connection.execute("UPDATE runs SET corpus = 'corpus of ' || name")
    message = r"^no system has a run of each corpus \(corpus of bad, corpus of good\); rank .* with --by corpus$"
    with pytest.raises(UsageError, match=message):
        scorespec.leaderboard(copied)
    assert {each.corpus for each in scorespec.leaderboard(copied, by_corpus=True)} == {
        "corpus of bad",
        "corpus of good",
    }


def test_a_leaderboard_as_text(results: Path) -> None:
    board = scorespec.leaderboard(results)
    ranks = [(row["rank"], row["system"]) for row in board.shown_rows()]
    assert ranks == [("1", "good"), ("2–3", "bad"), ("2–3", "same")]
    assert board.notes[0] == "ranked by WER (%): lower is better"
    assert board.notes[1] == "rank: a range such as 1–2 where a difference in WER (%) may be chance"
    assert "\n| --- | --- | ---: |\n| 1 | good | **20.21** (" in board.markdown()
    assert board.markdown().endswith("\n* in parentheses: the 95 % interval of the run, or else one of 1,999 resamples")
    assert r"1 & good & \textbf{20.21} (" in board.latex()
    assert board.latex().splitlines()[:2] == [r"\begin{tabular}{llr}", r"\toprule"]
    assert board.table.num_rows == len(board) == 3
    assert pa.table(board) == board.table
    assert "<th>system</th>" in board._repr_html_()
    assert repr(board).splitlines()[0].split() == ["rank", "system", "WER", "(%)"]
    assert scorespec.leaderboard(results, "good", "bad").table["system"].to_pylist() == ["good", "bad"]


def test_later_scores_have_their_ranks_in_brackets(results: Path) -> None:
    board = scorespec.leaderboard(results, metrics=["wer.value", "wer.word_correctness"])
    ranks = {each.system: (each.best, each.worst) for each in board if each.component == "word_correctness"}
    for row in board.shown_rows():
        best, worst = ranks[row["system"]]
        assert row["word correctness (%)"].endswith(f" [{best}]" if best == worst else f" [{best}–{worst}]")
        assert "[" not in row["WER (%)"]
    assert board.notes[-1] == "in brackets: the ranks in this score"


def test_without_tests_equal_values_share_their_ranks() -> None:
    values = {"a": 0.1, "b": 0.2, "c": 0.2, "d": None, "e": 0.3}
    for better, ranks in (("lower", ["1", "2–3", "2–3", "-", "4"]), ("higher", ["4", "2–3", "2–3", "-", "1"])):
        entries = [
            Entry("wer", "value", "{}", None, name, at, value, better=better, note="too few blocks")
            for at, (name, value) in enumerate(values.items())
        ]
        board = Leaderboard(entries)
        assert [row["rank"] for row in board.shown_rows()] == ranks
        assert board.notes[1] == "rank: by value alone; no difference in wer was tested"


def test_rates_as_percent_and_intervals_as_asked(results: Path) -> None:
    metrics = ["wer.value", "wer.substitutions"]
    (plain, ends), (half, middle), (none, _) = (
        (board.shown_rows()[0], board)
        for board in (
            scorespec.leaderboard(results, metrics=metrics),
            scorespec.leaderboard(results, metrics=metrics, percent=True, intervals="plus-minus"),
            scorespec.leaderboard(results, metrics=metrics, percent=False, intervals="none"),
        )
    )
    rate, count = (each for each in ends if each.system == "good")
    assert None not in (rate.value, rate.low, rate.high, count.value)
    assert plain["WER (%)"] == f"{100 * rate.value:.2f} ({100 * rate.low:.2f}–{100 * rate.high:.2f})"
    assert plain["wer substitutions"].startswith(f"{count.value:.0f} (")
    assert half["WER (%)"] == f"{100 * rate.value:.2f} ± {50 * (rate.high - rate.low):.2f}"
    assert rf"\textbf{{{100 * rate.value:.2f}}} $\pm$ " in middle.latex()
    assert "after ±: half the width of the 95 % interval of the run, or else one of 1,999 resamples" in middle.notes
    assert none["WER"] == f"{rate.value:.4f}"
    assert ends.to_dict()["leaderboard"][0]["value"] == rate.value  # programs read the ratio
    with pytest.raises(UsageError, match=r"^--intervals 'ens'; did you mean 'ends'"):
        scorespec.leaderboard(results, intervals="ens")


def test_a_comparison_as_percent(results: Path) -> None:
    found = scorespec.compare("bad", "good", results=results, metrics="wer.value", percent=True)
    ((row,), (each,)) = found.shown_rows(), found
    assert row["metric"] == "wer (%)"
    assert None not in (each.difference, each.low)
    assert (row["difference"], row["low"]) == (f"{100 * each.difference:+.4g}", f"{100 * each.low:.2f}")


def test_names_of_systems_are_text_in_every_format(copied: Path) -> None:
    with duckdb.connect(str(copied)) as connection:
        for run, name in ((1, "a_b|*"), (2, "<b>&%\\")):
            connection.execute("UPDATE runs SET name = ? WHERE id = ?", [name, run])
    board = scorespec.leaderboard(copied)
    assert "| a\\_b\\|\\* |" in board.markdown()
    assert "&lt;b>" in board.markdown()
    assert r"\textless{}b\textgreater{}\&\%\textbackslash{} &" in board.latex()
    assert "&lt;b&gt;" in board._repr_html_()


@pytest.mark.parametrize(
    "name", first(["[a](http://x.org)", "![a](//x.org/y.png)", "https://x.org", "www.x.org", "[a][b]"], 3)
)
def test_names_make_no_links_in_markdown(name: str) -> None:
    text = markdown_table([{"system": name}], ["system"], set(), [f"{name}", f"[b]: {name}"])
    for live in ("](", "][", "]:", "://", "www."):
        assert live not in text


def test_rows_in_latex_are_no_arguments_of_the_rows_before() -> None:
    rows = [{"system": name, "mtwv": value} for name, value in (("[1]", "-0.1000 (-0.2000–-0.0500)"), ("*", "-"))]
    assert latex_table(rows, ["system"], {(0, "mtwv")}, ["a\nb"]).splitlines()[4:] == [
        r"{}[1] & \textbf{$-$0.1000} ($-$0.2000--$-$0.0500) \\",
        r"{}* & -- \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"% a\nb",
    ]


def test_runs_of_several_suites_need_a_choice(results: Path, tmp_path: Path) -> None:
    both = shutil.copy(results, tmp_path / "both.duckdb")
    scorespec.score("speech_ne", inputs=inputs_of("speech_ne"), output=both, name="other")
    with pytest.raises(UsageError, match="the runs were scored by wer, speech_ne; name one of them with --suite"):
        scorespec.leaderboard(both)
    assert len(scorespec.leaderboard(both, suite="wer")) == 3
    with pytest.raises(UsageError, match="has no run of a submission scored by nope"):
        scorespec.leaderboard(both, suite="nope")


def test_a_mean_over_corpora_needs_equal_parameters(tmp_path: Path) -> None:
    for seed, corpus, case in ((1, "en", "fold"), (2, "sw", "keep")):
        paths = transcripts(tmp_path, 2, seed, {"only": 0.1})
        inputs = {"reference": paths["reference"], "hypothesis": paths["only"]}
        given = {"output": tmp_path / "r.duckdb", "name": "only", "corpus": corpus}
        scorespec.score("wer", inputs=inputs, params={"case": case}, **given)
    with pytest.raises(UsageError, match='case is "fold" in one and "keep" in the other'):
        scorespec.leaderboard(tmp_path / "r.duckdb")


def test_two_runs_of_one_name_need_names(results: Path, tmp_path: Path) -> None:
    twice = shutil.copy(results, tmp_path / "twice.duckdb")
    scorespec.add_runs(twice, shutil.copy(results, tmp_path / "copy.duckdb"))
    with pytest.raises(UsageError, match="there are two runs called 'bad'"):
        scorespec.leaderboard(twice, 1, 4)


# -- parts of the whole ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of two systems, broken down by the columns `group`, and `group` and `rank`."""
    folder = tmp_path_factory.mktemp("parts")
    paths, results = transcripts(folder, 16, 1, {"bad": 0.3, "good": 0.1}), folder / "results.duckdb"
    described = folder / "metadata.csv"
    rows = [f"t{speaker:02},{('hall', 'lab')[speaker % 2]},{speaker % 4 // 2}" for speaker in range(16)]
    described.write_text("\n".join(["document,group,rank", *rows]) + "\n", encoding="utf-8")
    for name in ("bad", "good"):
        inputs = {"reference": paths["reference"], "hypothesis": paths[name], "metadata": described}
        by = ["group", ("group", "rank")]
        scorespec.score("wer", inputs=inputs, by=by, output=results, name=name, params={"case": "keep"})
    return results


def test_a_leaderboard_has_the_intervals_and_ranks_of_each_part(parts: Path) -> None:
    """Blocks are drawn from the whole; those outside of the part have sums of 0."""
    board = scorespec.leaderboard(parts, by="group")
    assert [(each.system, each.slice) for each in board] == [
        (system, slice_) for system in ("good", "bad") for slice_ in ("{}", '{"group":"hall"}', '{"group":"lab"}')
    ]
    for at, part in enumerate(("hall", "lab")):
        inside = (np.arange(16) % 2 == at)[:, None]
        systems = {
            name: resample(sums_of(parts, run) * inside, wer, Draws(0, 16), REPLICATES)
            for run, name in ((1, "bad"), (2, "good"))
        }
        values = np.array([each.value[0] for each in systems.values()])
        p = pairwise_max_t(values, np.stack([each.replicates[:, 0] for each in systems.values()]), 16)
        ranks = dict(zip(systems, standings(values, p, higher_is_better=False), strict=True))
        for each in (row for row in board if json.loads(row.slice) == {"group": part}):
            interval = bca_interval(systems[each.system])
            assert each.value == pytest.approx(systems[each.system].value[0])
            assert (each.low, each.high) == pytest.approx((interval.low, interval.high))
            assert (each.best, each.worst) == (ranks[each.system].best, ranks[each.system].worst)


def test_a_leaderboard_by_parts_as_text(parts: Path) -> None:
    """The rows of a part are below each other; a column may be called like one of a leaderboard."""
    board = scorespec.leaderboard(parts, by=["group,rank"])
    rows = board.shown_rows()
    assert [*rows[0]] == ["group", "slice rank", "rank", "system", "WER (%)"]
    places = [("all", "all"), ("hall", "0"), ("hall", "1"), ("lab", "0"), ("lab", "1")]
    named = [(row["group"], row["slice rank"], row["system"]) for row in rows]
    assert named == [(*place, system) for place in places for system in ("good", "bad")]
    assert [row["rank"] for row in rows] == ["1", "2"] * 5
    assert board.notes[0] == "ranked by WER (%): lower is better"
    every = "hall 0, hall 1, lab 0, lab 1"
    assert (
        f"{every}: rank: by value alone; no difference in WER (%) was tested" in board.notes
    )  # four speakers are too few
    assert any("no interval of WER: the effective number of blocks is 3." in note for note in board.notes)
    lines = [line for line in board.markdown().splitlines() if line.startswith("| ")][2:]
    assert ["**" in line for line in lines] == [True, False] * 5  # the best of each part
    page = leaderboard_page(board).html
    assert all(f">{heading}<" in page for heading in rows[0])
    assert page.count(">hall<") == 4


def test_slices_of_a_single_score_without_intervals_are_columns(parts: Path) -> None:
    """The table of systems by conditions, as papers print it; two scores stay below each other."""
    board = scorespec.leaderboard(parts, by="group", intervals="none", percent=True)
    headings = ["WER (%)", "hall", "lab"]
    assert "other columns: WER (%) by group" in board.notes
    assert board.latex().splitlines()[2] == r"rank & system & WER (\%) & hall & lab \\"
    rows = board.shown_rows()
    assert [*rows[0]] == ["rank", "system", *headings]
    assert [row["system"] for row in rows] == ["good", "bad"]
    values = {(each.system, each.slice): f"{100 * each.value:.2f}" for each in board}
    for row in rows:
        for heading, slice_ in zip(headings, ("{}", '{"group":"hall"}', '{"group":"lab"}'), strict=True):
            assert row[heading].split()[0] == values[row["system"], slice_]
    several = ["wer.value", "wer.word_correctness"]
    both = scorespec.leaderboard(parts, by="group", intervals="none", metrics=several)
    assert [*both.shown_rows()[0]] == ["group", "rank", "system", "WER (%)", "word correctness (%)"]
    assert len(both.shown_rows()) == 6


def test_a_metric_that_is_not_broken_down_is_named(copied: Path, parts: Path, tmp_path: Path) -> None:
    changed = shutil.copy(parts, tmp_path / "changed.duckdb")
    with duckdb.connect(str(changed)) as connection:
        where = "component = 'word_correctness' AND json_exists(slice, '$.group')"
        connection.execute(f"DELETE FROM scores WHERE {where}")
    board = scorespec.leaderboard(changed, metrics=["wer.value", "wer.word_correctness"], by="group")
    assert [row["word correctness (%)"] == "-" for row in board.shown_rows()] == [False] * 2 + [True] * 4
    assert "not broken down: word correctness (%)" in board.notes


def test_a_breakdown_that_runs_lack_is_refused_with_those_that_they_have(copied: Path, parts: Path) -> None:
    message = (
        r"^--by day: not all of these runs have scores by day; they have scores by group; (.*; )?group,rank(; .*)?$"
    )
    for metrics in ((), ("wer.value",)):
        with pytest.raises(UsageError, match=message):
            scorespec.leaderboard(parts, by="day", metrics=metrics)
        with pytest.raises(UsageError, match=message):
            scorespec.compare("bad", "good", results=parts, by="day", metrics=metrics)
    with pytest.raises(UsageError, match=r"have scores by room; they have scores by (region|no column)$"):
        scorespec.leaderboard(copied, by="room")


def test_parts_are_compared_that_are_asked_for(parts: Path) -> None:
    """Their comparisons are those among all slices; p is corrected for the number of comparisons."""
    every = scorespec.compare("bad", "good", results=parts, metrics="wer.value", slices=True)
    found = scorespec.compare("bad", "good", results=parts, metrics="wer.value", by="group")
    slices = ["{}", '{"group":"hall"}', '{"group":"lab"}']
    assert [each.slice for each in found] == slices
    of_all = {each.slice: each for each in every}
    assert len(of_all) > 3
    for each in found:
        other = of_all[each.slice]
        assert (each.difference, each.low, each.high, each.p) == (other.difference, other.low, other.high, other.p)
    assert [each.p_corrected for each in found] == pytest.approx(holm(np.array([each.p for each in found])))
    assert "in wer group=hall by 0." in found.verdict


def test_a_run_that_was_broken_down_is_preferred_to_a_later_one(parts: Path, tmp_path: Path) -> None:
    copied = shutil.copy(parts, tmp_path / "later.duckdb")
    with duckdb.connect(str(copied)) as connection:
        ((path,),) = connection.execute("SELECT DISTINCT path FROM inputs WHERE name = 'reference'").fetchall()
    inputs = {"reference": path, "hypothesis": Path(path).with_name("bad1.trn")}
    scorespec.score("wer", inputs=inputs, output=copied, name="bad", params={"case": "keep"})
    assert {each.run for each in scorespec.leaderboard(copied) if each.system == "bad"} == {3}
    assert {each.run for each in scorespec.leaderboard(copied, by="group") if each.system == "bad"} == {1}


# -- runs of one system, and gold of several versions ------------------------------------------------


def renamed(folder: Path, **asked: Any) -> Path:
    """Results with runs of the systems `a` and `b`, in which `reference.trn` is the reference."""
    results = folder / "r.duckdb"
    for name in ("a", "b"):
        inputs = {"reference": folder / "reference.trn", "hypothesis": folder / f"{name}.trn"}
        scorespec.score("wer", inputs=inputs, output=results, name=name, **asked)
    return results


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A folder with a reference and the hypotheses of two systems: `a` is better."""
    for name, path in transcripts(tmp_path, 8, 1, {"a": 0.1, "b": 0.3}).items():
        path.rename(tmp_path / f"{name}.trn")
    return tmp_path


@pytest.mark.parametrize("names", [("word_correctness", "value"), ("value", "word_correctness")])
def test_systems_are_ranked_by_the_first_metric_that_is_asked_for(copied: Path, names: tuple[str, ...]) -> None:
    with duckdb.connect(str(copied)) as connection:  # `good` has the lower error rate, and the lower correctness
        connection.execute("UPDATE scores SET value = 0.1 * run WHERE component = 'word_correctness'")
        connection.execute("UPDATE scores SET value = 0.3 * run WHERE component = 'value' AND run = 1")
        connection.execute("UPDATE scores SET value = 0.9 - run / 10 WHERE component = 'word_correctness'")
    metrics = [f"wer.{name}" for name in names]
    board = scorespec.leaderboard(copied, metrics=metrics)
    assert [*board.shown_rows()[0]][-2:] == ["WER (%)" if name == "value" else "word correctness (%)" for name in names]
    assert board.notes[0].startswith(
        "ranked by WER (%): lower" if names[0] == "value" else "ranked by word correctness (%)"
    )
    first, second = board.shown_rows()
    assert (first["system"], second["system"]) == (("good", "bad") if board.rows[0].value < 0.3 else ("bad", "good"))
    assert board.to_dict()["notes"] == board.notes
    assert [each.component for each in scorespec.compare("bad", "good", results=copied, metrics=metrics)] == [*names]


@slow
def test_runs_of_one_system_with_different_metrics_are_one_system(tmp_path: Path) -> None:
    results, together = tmp_path / "r.duckdb", tmp_path / "together.duckdb"
    inputs = inputs_of("zerospeech2017")
    for name in ("x", "y"):
        for metric in ("coverage", "boundary"):
            scorespec.score("zerospeech2017", inputs=inputs, metrics=metric, name=name, output=results)
        scorespec.score("zerospeech2017", inputs=inputs, metrics=["coverage", "boundary"], name=name, output=together)
    with duckdb.connect(str(results)) as connection:
        assert connection.execute("SELECT count(*) FROM runs WHERE superseded_by IS NULL").fetchone() == (4,)
    apart, whole = (scorespec.leaderboard(each) for each in (results, together))
    assert [replace(each, run=None) for each in apart] == [replace(each, run=None) for each in whole]
    assert {each.run for each in apart if each.metric == "coverage"} == {1, 3}
    found = scorespec.compare("x", "y", results=results)
    expected = scorespec.compare("x", "y", results=together)
    assert {(each.metric, each.component) for each in found} == {(each.metric, each.component) for each in expected}
    scorespec.score("zerospeech2017", inputs=inputs, metrics="coverage", name="x", output=results)
    with pytest.raises(UsageError, match="there are two runs called 'x'"):
        scorespec.leaderboard(results, 1, 5)


@pytest.mark.slow
def test_the_newest_gold_is_taken_and_older_gold_is_named(two: Path) -> None:
    results = renamed(two)
    lines = (two / "reference.trn").read_text().splitlines(keepends=True)
    (two / "reference.trn").write_text("".join(["a a a (t00-0)\n", *lines[1:]]))
    given = {"reference": two / "reference.trn", "output": results}
    found = [scorespec.score("wer", hypothesis=two / f"{name}.trn", name=name, **given) for name in "ab"]
    assert [run.number for run in found] == [3, 4]
    ask = "SELECT id, superseded_by FROM runs ORDER BY id"
    later = [(3, None), (4, None)]
    with duckdb.connect(str(results), read_only=True) as connection:
        assert connection.execute(ask).fetchall() == [(1, None), (2, None), *later]
    board, compared = scorespec.leaderboard(results), scorespec.compare("a", "b", results=results)
    page = scorespec.open_results(results).report()
    assert {each.run for each in board} == {3, 4}
    assert {each.value_a for each in compared if each.component == "value"} == {found[0].value("wer")}
    said = "eft out, because the latest run has other gold: a (run 1), b (run 2)"
    texts = (" ".join(board.notes), compared.verdict, " ".join(page.warnings))
    assert [said in text for text in texts] == [True] * 3
    with pytest.raises(UsageError, match="input reference, which is gold, differs"):
        scorespec.compare(1, 4, results=results)
    assert {each.run for each in scorespec.leaderboard(results, 1, 2)} == {1, 2}
    other = two / "merged.duckdb"
    scorespec.score(
        "wer",
        inputs={name: two / f"{name}.trn" for name in ("reference",)} | {"hypothesis": two / "a.trn"},
        output=other,
        name="c",
    )
    scorespec.add_runs(other, results)
    with duckdb.connect(str(other), read_only=True) as connection:
        assert connection.execute(ask).fetchall() == [(number, None) for number in range(1, 6)]
    scorespec.remove_runs(results, 3)
    with duckdb.connect(str(results), read_only=True) as connection:
        assert connection.execute(ask).fetchall() == [(1, None), (2, None), (4, None)]


@slow
def test_a_table_that_only_breakdowns_read_blocks_no_comparison(two: Path) -> None:
    results = two / "r.duckdb"
    described = [("one", None), ("two", "x\n"), ("three", "y\n")]
    names = [f"t{speaker:02}" for speaker in range(8)]
    for name, room in described:
        inputs = {"reference": two / "reference.trn", "hypothesis": two / "a.trn"}
        if room:
            (two / f"{name}.csv").write_text("document,room\n" + "".join(f"{each},{room}" for each in names))
            inputs["metadata"] = two / f"{name}.csv"
        scorespec.score("wer", inputs=inputs, output=results, name=name, by=["room"] if room else ())
    assert len(scorespec.compare("one", "two", "three", results=results, metrics="wer.value")) == 3
    assert len(scorespec.compare("one", "two", results=results, metrics="wer.value", slices=True)) >= 1
    with pytest.raises(UsageError, match="input metadata, which is gold, differs"):
        scorespec.compare("two", "three", results=results, slices=True)


def test_the_database_may_come_first(results: Path) -> None:
    named = scorespec.compare("bad", "good", results=results, metrics="wer.value")
    assert scorespec.compare(results, "bad", "good", metrics="wer.value").table == named.table
    with pytest.raises(UsageError, match="needs two runs at least"):
        scorespec.compare(results, "bad")


def test_a_count_of_nothing_is_0() -> None:
    assert [each(0.0) for each in texts_of(("wer", "insertions"), (), {("wer", "insertions")})] == ["0", "0"]
    assert [each(2.5) for each in texts_of(("wer", "insertions"), (), {("wer", "insertions")})] == ["2.5000", "2.5000"]
    assert texts_of(("wer", "value"), (), ())[0](0.0) == "0.0000"
