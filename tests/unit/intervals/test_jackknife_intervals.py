"""Intervals from runs without a group of blocks: what they are, when there are none, and what ends the runs."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import scorespec
import toy
from scorespec.core.events import Event, RunsEstimated, StepBegun
from scorespec.errors import RunError, UsageError
from scorespec.intervals import jackknife_intervals as jackknife
from scorespec.run.limits import Limits
from scorespec.run.session import open_session
from scorespec.statistics import jackknife_interval
from scorespec.statistics.paired_tests import t_quantile

FILES = 12
Rows = list[toy.Row]
# A metric over pairs of answers, whose range is 0 to 1, and which is undefined if nothing was said.
DOCUMENT = """
metrics:
  same:
    about: Part of the words that were said more than once.
    kind: statistics
    from: word_pairs
    unit: [word]
    statistics: {words: count(*), again: count(*) FILTER (WHERE pairs > 0)}
    components: {value: "ratio(again, words)"}
    range: [0, 1]
"""


def answers(files: int = FILES, items: int = 2, seed: int = 1) -> Rows:
    """As many answers in each file, of either speaker."""
    chance = random.Random(seed)
    return [
        (f"f{file:02}", ("ann", "bob")[file % 2], f"i{item}", chance.choice("abcdefghij"), "a", chance.random())
        for file in range(files)
        for item in range(items)
    ]


def stored(rows: Rows, **asked: Any) -> scorespec.Run:
    """A run of the toy with its results."""
    return scorespec.score("quiz", specs=toy.TOY, answers=toy.rows("answers", rows), confidence=95, threads=1, **asked)


def ends(run: scorespec.Run, metric: str, component: str = "value", **slice_: Any) -> tuple[Any, Any]:
    (row,) = (row for row in run[metric].table() if (row["component"], row["slice"]) == (component, slice_))
    return row["low"], row["high"]


def test_a_plain_mean_has_the_known_standard_error() -> None:
    rows = answers()
    run = toy.score(answers=rows, metrics=["sureness"], confidence=95)
    means = np.array([np.mean([row[-1] for row in rows if row[0] == f"f{file:02}"]) for file in range(FILES)])
    reach = t_quantile(0.975, FILES - 1) * means.std(ddof=1) / math.sqrt(FILES)
    assert ends(run, "sureness") == pytest.approx((means.mean() - reach, means.mean() + reach), rel=1e-9)


def test_groups_have_several_blocks_and_are_kept_with_the_values_without_them() -> None:
    rows = answers()
    run = stored(rows, metrics=["sureness"], confidence_groups=7)
    (kept,) = run.sql("SELECT metric, component, slice, method, blocks, groups, scores FROM replicates").to_pylist()
    assert (kept["metric"], kept["component"], kept["slice"], kept["method"]) == (
        "sureness",
        "value",
        "{}",
        "jackknife",
    )
    assert sorted(kept["groups"]) == [1, 1, 2, 2, 2, 2, 2]
    found = jackknife_interval(
        run.value("sureness"), np.array(kept["scores"]), blocks=np.array(kept["groups"], np.float64), proportion=False
    )
    assert ends(run, "sureness") == (found.low, found.high)
    assert "|resample:bootstrap(file)+replicates=9999+groups=7+seed=0|" in run.signature
    shuffled = stored(random.Random(2).sample(rows, len(rows)), metrics=["sureness"], confidence_groups=7)
    assert shuffled.scores == run.scores


def test_an_interval_of_a_proportion_stays_inside_its_range() -> None:
    run = toy.score(DOCUMENT, answers=answers(8), metrics=["same", "agreement"], confidence=99.9)
    low, high = ends(run, "same")
    assert 0 < low < run.value("same") < high < 1
    low, _ = ends(run, "agreement", "pairs")
    assert low < 0  # a count without a declared range


@pytest.mark.slow
def test_a_slice_has_the_interval_of_its_own_blocks() -> None:
    rows = answers(24)
    run = toy.score(answers=rows, metrics=["sureness"], by=["speaker"], confidence=95)
    own = toy.score(answers=[row for row in rows if row[1] == "ann"], metrics=["sureness"], confidence=95)
    assert ends(run, "sureness", speaker="ann") == ends(own, "sureness")
    assert ends(run, "sureness") != ends(own, "sureness")
    few = toy.score(answers=rows[:20], metrics=["sureness"], by=["speaker"], confidence=95)
    assert None not in ends(few, "sureness")
    reason = "no interval: the effective number of blocks is 5, less than 6"
    assert {key[1:]: note for key, note in toy.notes(few).items() if note == reason} == {
        ("value", ("speaker", name)): reason for name in ("ann", "bob")
    }


SLICED = """
relations:
  sliced_words:
    about: The answers, each with the class of its word, which no input has.
    needs: [answers]
    sql: SELECT file, speaker, score, if(said < 'c', 'early', 'late') AS class FROM {{ answers }}
    columns: {file: name of the recording, speaker: who speaks, score: how sure, class: which half of the alphabet}
metrics:
  sliced: {about: Mean score., kind: mean, from: sliced_words, value: score, groups: [[speaker], [class]]}
"""


@pytest.mark.slow
def test_standing_slices_have_the_intervals_of_their_own_blocks() -> None:
    """The rows of a speaker are known by file. Files with early words are those without which the score is another."""
    rows = [(*row[:3], "ab"[at % 2] if int(row[0][1:]) % 3 else "x", *row[4:]) for at, row in enumerate(answers(24))]
    run = toy.score(SLICED, answers=rows, metrics=["sliced"], confidence=95)
    slices: dict[str, tuple[Rows, str]] = {
        "speaker": ([row for row in rows if row[1] == "ann"], "ann"),
        "class": ([row for row in rows if row[3] in "ab"], "early"),
    }
    for column, (own, value) in slices.items():
        alone = toy.score(answers=own, metrics=["sureness"], confidence=95)
        assert ends(run, "sliced", **{column: value}) == pytest.approx(ends(alone, "sureness"))
    few = toy.score(SLICED, answers=rows[:20], metrics=["sliced"], confidence=95)
    assert None not in ends(few, "sliced")
    notes = toy.notes(few, "sliced")
    assert notes["value", ("speaker", "ann")] == "no interval: the effective number of blocks is 5, less than 6"
    assert notes["value", ("class", "late")] == "no interval: the effective number of blocks is 4, less than 6"


COUNTS = """
relations:
  sizes:
    about: Number of answers in each file.
    needs: [answers]
    sql: SELECT file, count(*) AS size FROM {{ answers }} GROUP BY ALL
    columns: {file: name of the recording, size: number of answers}
  size_pairs:
    about: Numbers of pairs of answers in two files.
    needs: [sizes]
    sql: >
      SELECT one.size * other.size AS pairs FROM {{ sizes }} AS one JOIN {{ sizes }} AS other ON one.file < other.file
    columns: {pairs: number of pairs}
metrics:
  size:
    about: Number of answers.
    kind: statistics
    from: sizes
    statistics: {value: sum(size)}
    meanings: {value: {about: a number of things, unit: count, better: none}}
  pairs:
    extends: size
    about: Number of pairs of answers in two files.
    from: size_pairs
    statistics: {value: sum(pairs)}
"""


def test_counts_have_the_standard_error_of_a_corpus_of_this_size() -> None:
    """That of a sum over blocks is √(G · variance); that of pairs of blocks follows from the mean over all pairs."""
    rows = [row for row in answers(items=9) if (int(row[0][1:]) * 7) % 9 >= int(row[2][1:])]
    run = toy.score(COUNTS, answers=rows, metrics=["size", "pairs"], confidence=95)
    sizes = np.array([sum(row[0] == f"f{file:02}" for row in rows) for file in range(FILES)], np.float64)
    reach = t_quantile(0.975, FILES - 1) * math.sqrt(FILES * sizes.var(ddof=1))
    assert ends(run, "size") == (math.floor(sizes.sum() - reach), math.ceil(sizes.sum() + reach))
    pairs = math.comb(FILES, 2) * np.array([_mean_pair(np.delete(sizes, at)) for at in range(FILES)])
    reach = t_quantile(0.975, FILES - 1) * math.sqrt(((pairs - pairs.mean()) ** 2).sum() * (FILES - 1) / FILES)
    value = run.value("pairs")
    assert value == round(math.comb(FILES, 2) * _mean_pair(sizes))
    assert ends(run, "pairs") == (math.floor(value - reach), math.ceil(value + reach))


def _mean_pair(sizes: np.ndarray) -> float:
    """The mean product of the sizes of two files."""
    return float(sizes.sum() ** 2 - (sizes**2).sum()) / (len(sizes) * (len(sizes) - 1))


@pytest.mark.slow
def test_folds_are_made_anew_and_single_folds_have_no_interval() -> None:
    document = """
suites:
  parted:
    extends: dealt
    resample: {blocks: [file], method: jackknife}
"""
    rows = [(file, *rest[:2], "yes" if at % 3 else "no", "yes", 0.9) for at, (file, *rest) in enumerate(answers())]
    run = toy.score(document, "parted", answers=rows, params={"n_parts": 2}, confidence=95)
    without = [
        toy.score(document, "parted", answers=[row for row in rows if row[0] != f"f{at:02}"], params={"n_parts": 2})
        for at in range(FILES)
    ]
    values = np.array([each.value("part_accuracy") for each in without])
    found = jackknife_interval(run.value("part_accuracy"), values, proportion=False)
    assert ends(run, "part_accuracy") == pytest.approx((found.low, found.high), rel=1e-12)


def test_few_blocks_have_no_interval_and_need_no_runs() -> None:
    run, events = told(answers(4))
    assert ends(run, "sureness") == (None, None)
    assert notes_of(run) == {"no interval: the effective number of blocks is 4, less than 6"}
    assert "note: blocks of the 95 % intervals: 4 by file" in run.warnings
    assert not any(isinstance(event, RunsEstimated) for event in events)


def test_a_value_that_is_undefined_without_a_group_leaves_no_interval() -> None:
    rows = [(*row[:3], "a" if row[0] == "f03" else None, *row[4:]) for row in answers()]
    run = toy.score(DOCUMENT, answers=rows, metrics=["same"], confidence=95)
    assert run.value("same") is not None
    assert ends(run, "same") == (None, None)
    assert notes_of(run, "same") == {"no interval: undefined without one of the groups of blocks"}


def test_rows_that_a_run_would_refuse_leave_no_interval() -> None:
    """Without the file f03, no answer has the item i9, and a run is refused."""
    document = """
relations:
  checked:
    about: The answers, which must have the item i9.
    needs: [answers]
    sql: >-
      SELECT file, score, (SELECT count(*) FROM {{ answers }} WHERE item = 'i9') AS found FROM {{ answers }}
    columns: {file: name of the recording, score: how sure the answer is, found: number of answers to i9}
    errors: [{sql: found = 0, says: there is no answer to i9}]
metrics:
  checked_sureness: {about: Mean score., kind: mean, from: checked, value: score}
"""
    rows = [*answers(), ("f03", "ann", "i9", "a", "a", 0.5)]
    run = toy.score(document, answers=rows, metrics=["checked_sureness"], confidence=95)
    assert notes_of(run, "checked_sureness") == {"no interval: undefined without one of the groups of blocks"}


def test_metrics_whose_inputs_have_no_blocks_are_named_once() -> None:
    run = toy.score(suite="voices", answers=answers(), confidence=95)
    (warning,) = (each for each in run.warnings if each.startswith("no interval"))
    assert warning == "no interval of accuracy, words: no document says how their inputs are divided into blocks"


def told(rows: Rows, tell: Callable[[Event], None] | None = None, **asked: Any) -> tuple[scorespec.Run, list[Event]]:
    """A run with a metric of each method, and its events."""
    events: list[Event] = []

    def listen(event: Event) -> None:
        events.append(event)
        if tell:
            tell(event)

    return stored(rows, metrics=["accuracy", "sureness"], progress=listen, **asked), events


def notes_of(run: scorespec.Run, metric: str = "sureness") -> set[str | None]:
    return {row["note"] for row in run[metric].table()}


def test_the_cost_is_estimated_before_the_runs() -> None:
    _, events = told(answers(), confidence_groups=6)
    (estimated,) = (at for at, event in enumerate(events) if isinstance(event, RunsEstimated))
    runs = [at for at, event in enumerate(events) if isinstance(event, StepBegun) and "without group" in event.step]
    assert estimated < runs[0]
    assert len(runs) == 6
    event = events[estimated]
    assert isinstance(event, RunsEstimated)
    assert (event.metrics, event.runs) == (("sureness",), 6)
    assert event.seconds > 0
    assert event.message.startswith("intervals of sureness: 6 runs without a group of blocks, about 0:00:0")


def ended(run: scorespec.Run, why: str) -> None:
    """The runs have ended, all else is there."""
    assert f"there are no intervals of sureness: {why}" in run.warnings
    assert run.value("sureness") is not None
    assert ends(run, "sureness") == (None, None)
    assert None not in ends(run, "accuracy")
    assert "note: blocks of the 95 % intervals: 12 by file" in run.warnings
    assert run.sql("SELECT count(*) AS n FROM scores")["n"][0].as_py() == len(run.scores)


def test_ctrl_c_ends_the_runs_and_keeps_the_scores() -> None:
    def interrupt(event: Event) -> None:
        if isinstance(event, StepBegun) and event.step == "without group 3 of 12":
            raise KeyboardInterrupt

    ended(told(answers(), interrupt)[0], "interrupted")


def test_a_failure_of_a_run_keeps_the_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RunError("no memory is left")

    monkeypatch.setattr(jackknife, "run_steps", fail)
    ended(told(answers())[0], "no memory is left")


def test_withheld_units_are_not_told() -> None:
    run = stored(answers(), metrics=["sureness"], withhold="units")
    assert None not in ends(run, "sureness")
    assert run.sql("FROM replicates").num_rows == 0
    few = stored(answers(4), metrics=["sureness"], withhold="units")
    assert notes_of(few) == {"no interval: the effective number of blocks is …, less than 6"}


def spoken(segments: bool) -> dict[str, pa.Table]:
    """Five speakers in four documents. Only the reference says who speaks, and the hypothesis may name no segments."""
    lines = [(f"d{at % 4}", f"s{at}", word, f"t{at % 5}") for at in range(20) for word in "ab"]
    columns = ("document", "segment", "token", "speaker")
    reference = pa.table({name: [line[at] for line in lines] for at, name in enumerate(columns)})
    heard = reference.drop_columns(["speaker"])
    return {"reference": reference, "hypothesis": heard if segments else heard.drop_columns(["segment"])}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("segments", "said"), [(True, "5 by speaker"), (False, "4 by document, because no speaker is known")]
)
def test_rows_of_several_speakers_are_left_out_with_their_document(segments: bool, said: str, tmp_path: Path) -> None:
    """Without segments, the words of a document belong to all of its speakers."""
    document = tmp_path / "jackknifed.yaml"
    document.write_text("""
domain: transcripts
suites:
  jackknifed:
    extends: wer
    resample: {blocks: [speaker, document, segment], from: segment_speakers, method: jackknife}
""")
    params = {} if segments else {"align_within": "document"}
    run = scorespec.score("jackknifed", inputs=spoken(segments), specs=document, confidence=95, params=params)
    assert f"note: blocks of the 95 % intervals: {said}" in run.warnings


@pytest.mark.parametrize("groups", ["5", "1001", "7.5", "many"])
def test_another_number_of_groups_is_refused(groups: str) -> None:
    said = f"--confidence-groups {groups}: write a whole number from 6 to 1,000, such as 30"
    with pytest.raises(UsageError, match=f"^{said}$"):
        stored([], confidence_groups=groups)
    with pytest.raises(
        UsageError, match=r"^--confidence-groups 10: there are no intervals; give --confidence 95, too$"
    ):
        scorespec.score("quiz", specs=toy.TOY, answers=toy.rows("answers", []), confidence_groups=10)


def test_tables_aside_hide_others_and_are_dropped(tmp_path: Path) -> None:
    with open_session(Limits("500MB", 1, tmp_path)) as session:
        session.make("one", "SELECT 1 AS x")
        session.make("two", "SELECT 2 AS x")
        session.lock()
        with session.aside():
            session.make("one", "SELECT 10 * x AS x FROM main.one")
            with session.one_thread(), session.batches("SELECT one.x + two.x AS x FROM one, two") as reader:
                assert reader.read_all()["x"].to_pylist() == [12]
            session.drop("two")  # of the other schema: stays
        assert session.rows("FROM one UNION ALL FROM two") == [(1,), (2,)]
