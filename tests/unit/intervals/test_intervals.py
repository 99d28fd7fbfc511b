"""Confidence intervals: of what they are computed, when there are none, and that nothing else changes with them."""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import scorespec
import toy
from examples import SUITES, inputs_of
from marks import first, only, slow
from scorespec.catalog.model import Meaning
from scorespec.errors import RunError, SpecError, UsageError
from scorespec.examples import find_example
from scorespec.intervals import block_sums, found_intervals, run_intervals, sweep_intervals
from scorespec.plan.plan import Reported
from scorespec.results.reading import stored_runs
from scorespec.statistics import (
    Draws,
    Interval,
    Resampled,
    bca_interval,
    effective_blocks,
    percentile_interval,
    resample,
)

REPLICATES = 9_999
WORDS = "abcdefgh"
OCCURRENCE = ("query", "doc", "channel", "tbeg", "dur")
DISCOVERY = Path(__file__).parents[2] / "data" / "term_discovery"
POINT = ("metric", "component", "slice", "value", "std", "folds")  # columns that do not change


def transcripts(folder: Path, speakers: int = 30, lines: int = 4) -> dict[str, Any]:
    """A reference and a hypothesis in TRN with errors at a rate of each speaker's own; the suite `wer` scores them."""
    chance = random.Random(7)
    texts: dict[str, list[str]] = {"reference": [], "hypothesis": []}
    for speaker in range(speakers):
        rate = chance.random() * 0.4
        for line in range(lines):
            said = chance.choices(WORDS, k=chance.randint(3, 12))
            heard = [chance.choice(WORDS) if chance.random() < rate else word for word in said]
            texts["reference"].append(f"{' '.join(said)} (t{speaker:02}-{line})")
            texts["hypothesis"].append(
                f"{' '.join(heard[: len(heard) - (chance.random() < rate)])} (t{speaker:02}-{line})"
            )
    return {name: written(folder / f"{name}.trn", lines) for name, lines in texts.items()}


def written(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return transcripts(tmp_path_factory.mktemp("spoken"))


def sums_of(run: scorespec.Run, metric: str, *statistics: str) -> np.ndarray:
    """The sums of statistics by block, from the results database: blocks in the order of their names."""
    columns = ", ".join(f"sum((statistics ->> '{name}')::DOUBLE) AS {name}" for name in statistics)
    found = run.sql(
        f"SELECT {columns} FROM (SELECT * REPLACE (block::VARCHAR AS block) FROM unit_statistics) "
        f"WHERE metric = '{metric}' GROUP BY block ORDER BY block"
    )
    return np.stack([np.array(found[name].to_pylist()) for name in statistics], axis=1)


def ends(run: scorespec.Run, metric: str, component: str = "value", **slice_: Any) -> tuple[Any, Any]:
    (row,) = (row for row in run[metric].table() if (row["component"], row["slice"]) == (component, slice_))
    return row["low"], row["high"]


def test_an_interval_is_that_of_the_block_sums_in_the_results(spoken: dict[str, Any]) -> None:
    run = scorespec.score("wer", inputs=spoken, confidence=95)
    sums = sums_of(run, "wer", "substitutions", "deletions", "insertions", "words")
    assert len(sums) == 30

    def rate(totals: np.ndarray) -> np.ndarray:
        return (totals[..., :3].sum(axis=-1) / totals[..., 3])[..., None]

    found = bca_interval(resample(sums, rate, Draws(0, 30), REPLICATES), effective=effective_blocks(sums[:, 3]))
    assert ends(run, "wer") == pytest.approx((found.low, found.high), rel=1e-12)
    low, high = ends(run, "wer")
    assert low < run.value("wer") < high
    # The standard error of a ratio of sums, by linearisation.
    errors, words = sums[:, :3].sum(axis=1), sums[:, 3]
    residuals = errors - errors.sum() / words.sum() * words
    error = math.sqrt(30 / 29 * (residuals**2).sum()) / words.sum()
    assert (high - low) / 2 == pytest.approx(2.045 * error, rel=0.05)  # t with 29 degrees of freedom


@pytest.mark.slow
def test_scores_and_units_are_those_of_a_run_without_intervals(spoken: dict[str, Any]) -> None:
    plain, run = (scorespec.score("wer", inputs=spoken, confidence=level) for level in (None, 95))
    assert [tuple(row[name] for name in POINT) for row in run.scores.to_pylist()] == [
        tuple(row[name] for name in POINT) for row in plain.scores.to_pylist()
    ]
    assert "low" not in plain.scores.schema.names
    asked = "SELECT * FROM unit_statistics ORDER BY ALL"
    assert run.sql(asked) == plain.sql(asked)
    assert {json.loads(each)["speaker"] for each in run.sql(asked)["block"].to_pylist()} == {
        f"t{at:02}" for at in range(30)
    }
    assert (
        "|confidence:95|resample:bootstrap(speaker/document/segment)+replicates=9999+groups=30+seed=0|" in run.signature
    )
    assert run.signature.replace(
        "|confidence:95|resample:bootstrap(speaker/document/segment)+replicates=9999+groups=30+seed=0", ""
    ) == (plain.signature)


VARIANTS = {"sws2012", "sws2013", "articubench"}  # of other suites
TOO_FEW_BLOCKS = {"muc_ne", "speech_ne", "resources", "tde2015"}  # their examples have one block or none: no interval


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ends of each interval are the score as it is computed from the sums of all blocks."""

    def interval(resampled: Resampled, at: int, *_: float) -> Interval:
        value = float(resampled.value[at])
        return Interval(value, value) if math.isfinite(value) else Interval(None, None, note="undefined")

    monkeypatch.setattr(found_intervals, "bca_interval", interval)
    monkeypatch.setattr(sweep_intervals, "threshold_interval", interval)
    monkeypatch.setattr(sweep_intervals, "SWEPT_REPLICATES", 3)
    monkeypatch.setattr(found_intervals, "FEWEST_BLOCKS", 0.0)
    monkeypatch.setattr(run_intervals, "REPLICATES", 3)


def compared(run: scorespec.Run) -> int:
    """The number of scores with an interval, each of which is the score itself."""
    rows = [row for row in run.table() if row["low"] is not None]
    for row in rows:
        assert row["value"] == pytest.approx(row["low"], rel=1e-9, abs=1e-7), row
    return len(rows)


@pytest.mark.slow
@pytest.mark.usefixtures("whole")
@pytest.mark.parametrize("suite", only(["std2006", "wer"], sorted({*SUITES} - VARIANTS - TOO_FEW_BLOCKS)))
def test_the_value_of_all_blocks_is_the_score(suite: str) -> None:
    """The components of replicates are the same SQL, over other sums: those of all blocks give the score itself."""
    assert compared(scorespec.score(suite, inputs=inputs_of(suite), confidence=95)) > 0


@pytest.mark.slow
@pytest.mark.usefixtures("whole")
@pytest.mark.parametrize(
    ("suite", "by"), first([("tde2015", ()), ("zerospeech2017", ("file",)), ("zerospeech2015", ("file",))], 1)
)
def test_the_value_of_all_blocks_is_the_mean_over_folds(suite: str, by: tuple[str, ...]) -> None:
    """Also with folds that are left out jointly, that are empty, and in the slices of a column."""
    alpha = {"phones": "phn", "words": "wrd", "fragments": "jitter.class"}
    if suite == "tde2015":
        alpha |= {"utterances": "split", "folds_total": "intervals.cross", "folds_within": "intervals.within"}
    inputs = {name: DISCOVERY / f"alpha.{suffix}" for name, suffix in alpha.items()}
    metrics = ["coverage", "token", "boundary"]
    assert compared(scorespec.score(suite, inputs=inputs, metrics=metrics, by=by, confidence=95)) >= 7 * (
        1 + 6 * len(by)
    )


@pytest.mark.usefixtures("whole")
def test_the_value_of_all_blocks_is_the_score_of_a_formula_in_slices() -> None:
    document = """
metrics:
  sum_of_two:
    about: Accuracy plus accuracy.
    kind: formula
    of: {one: accuracy, other: accuracy(lenient=true)}
    components: {value: one.value + other.value}
"""
    run = toy.score(document, metrics=["sum_of_two"], by=["speaker", "file"], confidence=95)
    assert compared(run) == 1 + 2 + 3


def answers(files: int = 24, seed: int = 3) -> list[toy.Row]:
    chance = random.Random(seed)
    rows: list[toy.Row] = []
    for file in range(files):
        for item in range(chance.randint(2, 9)):
            said = "yes" if chance.random() < 0.7 else "no"
            rows.append((f"f{file:02}", "ann", f"i{item}", said, "yes", 0.9))
    return rows


def test_folds_are_averaged_in_each_replicate() -> None:
    """A block has one weight in all folds: file f of fold f % 3 is drawn for the whole corpus."""
    rows = answers()
    run = toy.score(suite="dealt", answers=rows, params={"n_parts": 3}, confidence=95)
    files = sorted({row[0] for row in rows})
    sums = np.zeros((len(files), 3, 2))  # blocks × folds × statistics
    for row in rows:
        at = files.index(row[0])
        sums[at, at % 3, 0 if row[3] == "yes" else 1] += 1

    def mean_rate(totals: np.ndarray) -> np.ndarray:
        return np.nanmean(totals[..., 0] / totals.sum(axis=-1), axis=-1)[..., None]

    resampled = resample(sums, mean_rate, Draws(0, len(files)), REPLICATES)
    found = bca_interval(resampled)
    assert run.value("part_accuracy") == pytest.approx(resampled.value[0])
    assert ends(run, "part_accuracy") == pytest.approx((found.low, found.high), rel=1e-9)


@pytest.mark.parametrize("name", ["cell", "run", "block", "number"])
def test_a_statistic_may_have_any_name(name: str) -> None:
    document = f"""
metrics:
  shares:
    about: Share of right answers.
    kind: statistics
    from: answers
    unit: [file]
    statistics: {{{name}: count(*) FILTER (said = wanted), answers: count(*)}}
    components: {{value: "{name} / answers"}}
"""
    assert ends(toy.score(document, metrics=["shares"], confidence=95, answers=answers()), "shares") == ends(
        toy.score(metrics=["accuracy"], confidence=95, answers=answers()), "accuracy"
    )


def test_a_slice_has_the_interval_of_its_own_units() -> None:
    rows = [(file, "ann" if at % 2 else "bob", *rest) for at, (file, _, *rest) in enumerate(answers())]
    run = toy.score(answers=rows, metrics=["accuracy"], by=["speaker"], confidence=95)
    own = toy.score(answers=[row for row in rows if row[1] == "bob"], metrics=["accuracy"], confidence=95)
    blocks = {row[0] for row in rows}
    assert blocks == {row[0] for row in rows if row[1] == "bob"}  # so that both draw the same blocks
    assert ends(run, "accuracy", speaker="bob") == ends(own, "accuracy")
    assert ends(run, "accuracy") != ends(own, "accuracy")


def test_the_same_bytes_whatever_threads_and_order_of_rows() -> None:
    rows = answers()
    shuffled = random.Random(1).sample(rows, len(rows))
    every = [
        scorespec.score(
            "quiz",
            specs=toy.TOY,
            answers=toy.rows("answers", each),
            metrics=["accuracy"],
            threads=threads,
            confidence=90,
        ).scores
        for each in (rows, shuffled)
        for threads in (1, 2)
    ]
    assert all(each == every[0] for each in every)
    assert every[0]["low"].null_count < len(every[0])


def test_percentile_intervals_stand_beside_those_of_bca(spoken: dict[str, Any], tmp_path: Path) -> None:
    results = tmp_path / "results.duckdb"
    plain = scorespec.score("wer", inputs=spoken, confidence=90)
    run = scorespec.score("wer", inputs=spoken, confidence=90, percentile=True, output=results)
    sums = sums_of(run, "wer", "substitutions", "deletions", "insertions", "words")

    def rate(totals: np.ndarray) -> np.ndarray:
        return (totals[..., :3].sum(axis=-1) / totals[..., 3])[..., None]

    found = percentile_interval(resample(sums, rate, Draws(0, 30), REPLICATES), 0, 0.9)
    (row,) = (row for row in run["wer"].table() if (row["component"], row["slice"]) == ("value", {}))
    assert (row["percentile_low"], row["percentile_high"]) == pytest.approx((found.low, found.high), rel=1e-12)
    assert run.scores.drop_columns(["percentile_low", "percentile_high"]) == plain.scores
    assert run.confidence("wer").table.schema.names[3:7] == ["low", "high", "percentile_low", "percentile_high"]
    assert "|confidence:90+percentile|" in run.signature
    with stored_runs(results, "main") as stored:
        assert stored.scores(1) == run.scores
    with pytest.raises(UsageError, match=r"^--percentile: there are no intervals; give --confidence 95, too$"):
        scorespec.score("wer", inputs=spoken, percentile=True)


def test_a_higher_level_has_a_wider_interval() -> None:
    narrow, wide = (
        ends(toy.score(answers=answers(), metrics=["accuracy"], confidence=level), "accuracy") for level in (80, 99)
    )
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_few_blocks_have_no_interval_and_say_so() -> None:
    run = toy.score(confidence=95)
    assert toy.notes(run, "accuracy")["value",].startswith("no interval: the effective number of blocks is 2.")
    assert ends(run, "accuracy") == (None, None)
    assert any(warning.startswith("no intervals of ") and "less than 6" in warning for warning in run.warnings)


def test_a_component_that_is_often_undefined_has_no_interval() -> None:
    """Correct to wrong answers: where only one file has wrong answers, a third of the replicates has none."""
    rows = [(f"f{at:02}", "ann", "i", "no" if at == 0 else "yes", "yes", 0.9) for at in range(24)]
    run = toy.score(suite="dealt", answers=rows, params={"n_parts": 1}, confidence=95)
    note = toy.notes(run, "part_accuracy")["odds",]
    assert note.startswith("no interval: undefined in ")
    undefined = int(note.split()[4].replace(",", ""))
    assert undefined / REPLICATES == pytest.approx((23 / 24) ** 24, abs=0.02)
    assert None not in ends(run, "part_accuracy")


def test_an_infinite_statistic_has_no_interval() -> None:
    document = """
metrics:
  sum_of_scores:
    about: Sum of scores.
    kind: statistics
    from: answers
    unit: [file]
    statistics: {total: sum(score)}
"""
    rows = answers()
    for value, note in ((0.5, None), (math.inf, "no interval: a statistic is infinite")):
        changed = [*rows[:-1], (*rows[-1][:-1], value)]
        run = toy.score(document, answers=changed, metrics=["sum_of_scores", "accuracy"], confidence=95)
        assert (ends(run, "sum_of_scores", "total") == (None, None)) == (note is not None)
        assert None not in ends(run, "accuracy")
    # An infinite score is NULL in the table, so the reason is already there.
    assert toy.notes(run, "sum_of_scores")["total",] == "infinite"


def test_scores_stay_where_intervals_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RunError("no memory")

    monkeypatch.setattr(run_intervals, "resample", fail)
    run = toy.score(answers=answers(), metrics=["accuracy"], confidence=95)
    assert run.value("accuracy") == toy.score(answers=answers(), metrics=["accuracy"]).value("accuracy")
    assert "there are no intervals: no memory" in run.warnings
    assert ends(run, "accuracy") == (None, None)


@pytest.mark.parametrize("level", [0, 100, -5, "abc", math.nan, True, 49.9, 0.3])
def test_another_level_is_refused(level: Any, spoken: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"write a level in percent, at least 50 and below 100, such as 95$"):
        scorespec.score("wer", inputs=spoken, confidence=level)


@pytest.mark.parametrize(("level", "meant"), first([(0.95, "95"), ("0.999", "99.9"), (".5", "50")]))
def test_a_level_that_is_no_percentage_is_refused_with_the_one_that_is_meant(
    level: Any, meant: str, spoken: dict[str, Any], tmp_path: Path
) -> None:
    results = tmp_path / "r.duckdb"
    scorespec.score("wer", inputs=spoken, output=results, name="a")
    scorespec.score("wer", inputs=spoken, output=results, name="b")
    for ask in (
        lambda: scorespec.score("wer", inputs=spoken, confidence=level),
        lambda: scorespec.compile("wer", confidence=level),
        lambda: scorespec.compare("a", "b", results=results, confidence=level),
        lambda: scorespec.leaderboard(results, confidence=level),
    ):
        with pytest.raises(
            UsageError, match=rf"^--confidence {re.escape(str(level))}: .* such as 95; did you mean {meant}\?$"
        ):
            ask()


def test_a_run_gives_the_intervals_of_a_metric(spoken: dict[str, Any], tmp_path: Path) -> None:
    results = tmp_path / "results.duckdb"
    run = scorespec.score("wer", inputs=spoken, confidence=95, output=results)
    shown = run.confidence("wer")
    found = shown.table
    assert pa.table(shown) == found
    assert repr(shown).splitlines() == [line for line in repr(run).splitlines() if line.startswith("  wer")]
    assert f"<td>{shown._shown[0]['low']}</td>" in shown._repr_html_()
    assert "<th>low</th>" in run._repr_html_()
    assert "<th>folds</th>" not in run._repr_html_()  # no row has a value
    database = scorespec.open_results(results)
    assert [line.split()[-1] for line in repr(database).splitlines()[1:]] == ["suite", "wer"]
    assert "<td>wer</td>" in database._repr_html_()
    with pytest.raises(scorespec.ScorespecError) as missing:
        scorespec.score("wer", reference="none.trn", hypothesis="none.trn")
    assert missing.value._render_traceback_() == ["none.trn: no such file"]
    assert len(shown) == len(found)
    assert found.schema.names == ["component", "slice", "value", "low", "high", "note"]
    assert (found["low"][0].as_py(), found["high"][0].as_py()) == ends(run, "wer")
    plain = scorespec.score("wer", inputs=spoken, output=results)
    with stored_runs(results, "main") as stored:
        assert (stored.scores(1), stored.scores(2)) == (run.scores, plain.scores)
    with pytest.raises(UsageError, match="this run has no intervals; score with confidence=95"):
        plain.confidence("wer")
    with pytest.raises(UsageError, match="this run has no metric 'wor'"):
        run.confidence("wor")


@slow
def test_the_first_named_column_of_blocks_is_used(tmp_path: Path) -> None:
    """Speakers of recordings come from an input; without them, recordings stand in and a warning says so."""
    chance = random.Random(5)
    phones, fragments = [], []
    for file in range(30):
        for at in range(8):
            phones.append((f"f{file:02}", at / 10, (at + 1) / 10, chance.choice("abc")))
        fragments += [(f"c{file % 3}", f"f{file:02}", at, at + chance.choice([0.2, 0.3])) for at in (0.0, 0.2, 0.4)]
    words = [(file, onset, onset + 0.2, "w") for file, onset, _, _ in phones if round(onset * 10) % 2 == 0]
    inputs = {
        "phones": table(phones, "file", "onset", "offset", "label"),
        "words": table(words, "file", "onset", "offset", "label"),
        "fragments": table(fragments, "cluster", "file", "onset", "offset"),
    }
    speakers = table([(f"f{file:02}", f"t{file // 2:02}") for file in range(30)], "file", "speaker")
    without = scorespec.score("zerospeech2017", inputs=inputs, metrics="token", confidence=95)
    with_speakers = scorespec.score(
        "zerospeech2017", inputs={**inputs, "speakers": speakers}, metrics="token", confidence=95
    )
    assert "note: blocks of the 95 % intervals: 30 by file, because no speaker is known" in without.warnings
    assert "note: blocks of the 95 % intervals: 15 by speaker" in with_speakers.warnings
    assert ends(without, "token", "recall") != ends(with_speakers, "token", "recall")
    metadata = table([(f"f{file:02}", f"t{file // 2:02}", "f") for file in range(30)], "file", "speaker", "gender")
    described = scorespec.score(
        "zerospeech2017", inputs={**inputs, "metadata": metadata}, metrics=["token", "ned"], confidence=95
    )
    assert "note: blocks of the 95 % intervals: 15 by speaker" in described.warnings
    assert described.confidence("token").table == with_speakers.confidence("token").table
    hits, gold = sums_of(with_speakers, "token", "hits", "gold").T
    found = bca_interval(
        resample(np.stack([hits, gold], axis=1), lambda sums: sums[..., :1] / sums[..., 1:], Draws(0, 15), REPLICATES)
    )
    assert ends(with_speakers, "token", "recall") == pytest.approx((found.low, found.high), rel=1e-12)


DESCRIBED = """
domain: toy
tables:
  properties:
    about: Properties of files.
    columns: {file: {type: VARCHAR}}
    describes: file
    formats: [csv]
suites:
  described:
    about: The quiz with properties of files.
    inputs: [answers]
    optional: [properties]
    metrics: [accuracy, agreement]
    resample: {blocks: [owner, file]}
"""


@pytest.mark.slow
def test_a_table_that_describes_files_names_their_blocks(tmp_path: Path) -> None:
    """Files without an owner are blocks of their own. Sums over blocks and the jackknife have the same blocks."""
    rows = answers()
    files = sorted({row[0] for row in rows})
    owners = {file: f"o{at % 8}" if at < 16 else "" for at, file in enumerate(files)}
    lines = ["file,gender,owner", *(f"{file},f,{owner}" for file, owner in owners.items())]
    given = {"answers": toy.rows("answers", rows), "properties": written(tmp_path / "properties.csv", lines)}
    own = written(tmp_path / "own.yaml", DESCRIBED.splitlines())
    run = scorespec.score("described", specs=[toy.TOY, own], inputs=given, confidence=95)
    assert "note: blocks of the 95 % intervals: 8 by owner and 8 by file" in run.warnings
    named = [(row[0] if not owners[row[0]] else owners[row[0]], *row[1:]) for row in rows]
    same = toy.score(answers=named, metrics=["accuracy", "agreement"], confidence=95)
    for metric in ("accuracy", "agreement"):
        assert None not in ends(run, metric, run[metric].components[0])
    assert ends(run, "accuracy") == ends(same, "accuracy")
    without = scorespec.score("described", specs=[toy.TOY, own], inputs={"answers": given["answers"]}, confidence=95)
    assert "24 by file, because no owner is known" in "".join(without.warnings)


def meetings(folder: Path) -> dict[str, str]:
    """Two documents with 30 segments each, of three speakers; segments have equal numbers in both documents."""
    chance = random.Random(11)
    said, heard = [], []
    for document in ("m1", "m2"):
        for segment in range(30):
            words = chance.choices(WORDS, k=8)
            said.append(f"{document} 1 {'xyz'[segment % 3]} {10 * segment} {10 * segment + 9} {' '.join(words)}")
            for at, word in enumerate(words):
                word = chance.choice(WORDS) if chance.random() < 0.2 else word
                heard.append(f"{document} 1 {10 * segment + at + 0.1:.1f} 0.5 {word}")
    texts = {"reference": (folder / "said.stm", said), "hypothesis": (folder / "heard.ctm", heard)}
    return {name: f"{written(path, lines)}::{path.suffix[1:]}" for name, (path, lines) in texts.items()}


@pytest.mark.slow
def test_other_blocks_may_be_chosen(tmp_path: Path) -> None:
    """Utterances instead of speakers; a warning says what that means. A run without intervals keeps their sums, too."""
    inputs, results = meetings(tmp_path), tmp_path / "results.duckdb"
    by_speaker = scorespec.score("wer", inputs=inputs, confidence=95)
    assert ends(by_speaker, "wer") == (None, None)
    run = scorespec.score("wer", inputs=inputs, confidence=95, blocks="document, segment", output=results)
    units = run.sql("SELECT DISTINCT unit::VARCHAR AS unit, block::VARCHAR AS block FROM unit_statistics").to_pylist()
    assert len(units) == 60
    assert all(each["unit"] == each["block"] for each in units)
    sums = sums_of(run, "wer", "substitutions", "deletions", "insertions", "words")

    def rate(totals: np.ndarray) -> np.ndarray:
        return (totals[..., :3].sum(axis=-1) / totals[..., 3])[..., None]

    found = bca_interval(resample(sums, rate, Draws(0, 60), REPLICATES), effective=60)
    assert ends(run, "wer") == pytest.approx((found.low, found.high), rel=1e-12)
    assert "note: blocks of the 95 % intervals: 60 by document,segment" in run.warnings
    said = "if units of different blocks are alike, intervals are too narrow, and p is too small"
    assert f"blocks are document,segment (--blocks): {said}" in run.warnings
    assert "|resample:bootstrap(document,segment)+" in run.signature
    assert run.parameters["blocks"] == "document,segment"
    kept = scorespec.score("wer", inputs=inputs, blocks="segment")
    assert kept.sql("SELECT count(DISTINCT block::VARCHAR) AS number FROM block_sums")["number"].to_pylist() == [30]
    assert kept.signature == scorespec.score("wer", inputs=inputs).signature
    assert kept.scores.select(["metric", "component", "slice", "value"]) == by_speaker.scores.select(
        ["metric", "component", "slice", "value"]
    )
    message = r"^--blocks room: no metric of this run has units with this column; known: document, segment, speaker$"
    with pytest.raises(UsageError, match=message):
        scorespec.score("wer", inputs=inputs, confidence=95, blocks="room")


def test_a_column_that_no_document_names_may_name_blocks(tmp_path: Path) -> None:
    """Also those that a jackknife leaves out."""
    rows = answers()
    files = sorted({row[0] for row in rows})
    own = written(tmp_path / "own.yaml", DESCRIBED.splitlines())
    runs = []
    for column, asked in (("owner", {}), ("house", {"blocks": "house"})):
        lines = [f"file,{column}", *(f"{file},o{at % 8}" for at, file in enumerate(files))]
        given = {"answers": toy.rows("answers", rows), "properties": written(tmp_path / f"{column}.csv", lines)}
        runs.append(scorespec.score("described", specs=[toy.TOY, own], inputs=given, confidence=95, **asked))
        assert f"note: blocks of the 95 % intervals: 8 by {column}" in runs[-1].warnings
    assert None not in ends(runs[0], "agreement", runs[0]["agreement"].components[0])
    assert runs[0].scores == runs[1].scores


def table(rows: list[tuple[Any, ...]], *names: str) -> pa.Table:
    return pa.table({name: [row[at] for row in rows] for at, name in enumerate(names)})


def test_a_formula_of_metrics_is_resampled_with_one_draw() -> None:
    """Accuracy minus itself is 0 in every replicate, which it is only if both are drawn together."""
    document = """
metrics:
  nothing:
    about: Accuracy minus accuracy, and twice the accuracy.
    kind: formula
    of: {one: accuracy, other: accuracy(lenient=true)}
    components: {difference: one.value - other.value, twice: one.value + other.value}
"""
    run = toy.score(document, answers=answers(), metrics=["nothing", "accuracy"], confidence=95)
    assert ends(run, "nothing", "difference") == (None, None)
    assert toy.notes(run, "nothing")["difference",] == "no interval: the same in every replicate"
    assert ends(run, "nothing", "twice") == pytest.approx([2 * end for end in ends(run, "accuracy")], rel=1e-12)


@pytest.mark.parametrize("suite", first(["wer", "zerospeech2017", "sws2013", "articulation"]))
def test_intervals_stay_in_the_ranges_of_their_components(suite: str) -> None:
    """Counts have whole ends. What is of the gold is equal for all systems, and has no interval."""
    example = find_example(suite)
    reported = scorespec.compile(suite).meanings.reported
    meanings = {(each.metric, each.component): each.meaning for each in reported}
    bounds = {(each.metric, each.component): each.bounds for each in reported}
    values: dict[tuple[str, str, str], set[float | None]] = {}
    for submission in example.systems.values():
        inputs = {**example.inputs, example.submission: submission}
        run = scorespec.score(suite, inputs=inputs, confidence=95, percentile=True, keep_evidence=False)
        for row in run.scores.to_pylist():
            meaning, known = meanings[row["metric"], row["component"]], row["value"] is not None
            values.setdefault((row["metric"], row["component"], row["slice"]), set()).add(row["value"])
            if meaning.of_gold:
                assert (row["low"], row["high"], row["percentile_low"]) == (None, None, None)
                assert not known or "no interval: fixed by the reference" in row["note"]
            for low, high in ((row["low"], row["high"]), (row["percentile_low"], row["percentile_high"])):
                least, most = bounds[row["metric"], row["component"]]
                assert low is None or least is None or low >= least
                assert high is None or most is None or high <= most
                assert low is None or high is None or low < high
                if meaning.unit == "count" and row["folds"] is None:
                    assert {each % 1 for each in (low, high) if each is not None} <= {0}
    of_gold = {place for place in values if meanings[place[:2]].of_gold}
    assert of_gold or suite == "articulation"
    assert {len(values[place]) for place in of_gold} <= {1}


def test_a_count_without_a_range_is_at_least_0_and_a_score_without_one_has_no_bound() -> None:
    for meaning, bounds in (
        (Meaning(unit="count"), (0, None)),
        (Meaning(unit="count", range=(None, 3)), (None, 3)),
        (Meaning(), (None, None)),
    ):
        assert Reported("m", "c", {}, meaning, by_rows=False).bounds == bounds


def test_intervals_are_withheld_with_the_scores(spoken: dict[str, Any]) -> None:
    run = scorespec.score("wer", inputs=spoken, confidence=95, withhold=["units", "counts"])
    assert {row["component"] for row in run.table()} == {"value", "word_correctness", "mer", "wil", "wip", "ser"}
    assert "note: blocks of the 95 % intervals: …" in run.warnings
    assert None not in ends(run, "wer")
    few = scorespec.score("wer", inputs=inputs_of("wer"), confidence=95, withhold="units")
    assert "no intervals of wer: the effective number of blocks is …, less than 6" in few.warnings
    notes = {row["note"] for row in few["wer"].table() if row["value"] is not None and row["component"] != "words"}
    assert notes == {"no interval: the effective number of blocks is …, less than 6"}


@pytest.mark.slow
def test_many_slices_are_resampled_in_portions(spoken: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_intervals, "REPLICATES", 999)
    run = scorespec.score("wer", inputs=spoken, confidence=95)
    for module in (run_intervals, block_sums):
        monkeypatch.setattr(module, "SUMS_AT_ONCE", 1)
    monkeypatch.setattr(block_sums, "ROWS_AT_ONCE", 100)
    assert scorespec.score("wer", inputs=spoken, confidence=95).scores == run.scores


def test_a_component_that_is_no_sum_has_no_interval() -> None:
    """The smallest score with the decision YES is read from a relation."""
    queries = [f"q{at:02}" for at in range(12)]
    inputs = {
        "queries": table([(each, "word") for each in queries], "query", "text"),
        "audio": table([("d", "1", 0.0, 1000.0)], "doc", "channel", "tbeg", "dur"),
        "occurrences": table([(each, "d", "1", 10.0 * at, 1.0) for at, each in enumerate(queries)], *OCCURRENCE),
        "detections": table(
            [(each, "d", "1", 10.0 * at, 1.0, 0.9, "YES") for at, each in enumerate(queries) if at % 3],
            *(*OCCURRENCE, "score", "decision"),
        ),
    }
    run = scorespec.score("std2006", inputs=inputs, metrics="atwv", confidence=95)
    assert run.value("atwv", "threshold") == 0.9
    assert ends(run, "atwv", "threshold") == (None, None)
    low, high = ends(run, "atwv")
    assert run.value("atwv") == pytest.approx(2 / 3)
    assert low < 2 / 3 < high
    assert high - low == pytest.approx(2 * 2.2 * math.sqrt(2 / 9 / 11), rel=0.1)  # t with 11 degrees of freedom


def test_many_submissions_have_intervals(spoken: dict[str, Any]) -> None:
    batch = scorespec.score_each(
        "wer", {"hypothesis": [spoken["hypothesis"]]}, inputs={"reference": spoken["reference"]}, confidence=95
    )
    (run,) = batch.runs.values()
    assert run.scores == scorespec.score("wer", inputs=spoken, confidence=95).scores


def test_a_metric_may_name_other_blocks_than_its_suite() -> None:
    document = """
metrics:
  own:
    extends: accuracy
    unit: [file, item]
    resample: {blocks: [speaker, item]}
"""
    run = toy.score(document, answers=answers(), metrics=["own", "accuracy"], confidence=95)
    assert "|resample:bootstrap(speaker/item)+bootstrap(file)+replicates=9999+groups=30+seed=0|" in run.signature
    assert any("intervals of own: 9 by item, because no speaker is known" in each for each in run.warnings)


@pytest.mark.parametrize(
    ("resample", "said"),
    [
        ("{blocks: [file], from: nowhere}", "unknown relation 'nowhere'"),
        ("{blocks: []}", "should be non-empty"),
        ("{blocks: [file], method: guess}", 'method is "guess"; allowed: bootstrap'),
        ("{from: marks}", "`resample` has no key `blocks`"),
    ],
)
def test_how_scores_are_resampled_is_checked(resample: str, said: str) -> None:
    document = f"metrics:\n  own:\n    extends: accuracy\n    resample: {resample}\n"
    with pytest.raises(SpecError, match=said):
        toy.score(document, metrics=["own"])
