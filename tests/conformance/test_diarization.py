"""Diarization against what pyannote.metrics, md-eval and dscore printed, and against the oracle that samples time."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import first, only, some
from oracles import diarization

DATA = Path(__file__).parents[1] / "data" / "diarization"
RECORDS: list[dict[str, Any]] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
# The md-eval of dscore prints six decimals. It does not print times of speech, of which the md-eval of NIST prints two.
DIGITS = {"der_pyannote": 1e-9, "der_mdeval": 1e-6, "der_dscore": 1e-6}
SPEECH = 0.005001


def scores(run: scorespec.Run) -> dict[tuple[str, str], float | None]:
    """The scores by recording (ALL: of all recordings) and metric.component."""
    return {
        (json.loads(row["slice"]).get("doc", "ALL"), f"{row['metric']}.{row['component']}"): row["value"]
        for row in run.scores.to_pylist()
    }


@pytest.mark.parametrize(
    "record",
    only(
        [RECORDS[at] for at in (4, 16, 21, 24, 29)], RECORDS
    ),  # of each program; both rules of overlap; channels; names
    ids=lambda each: f"{each['suite']}-{each['params']}-{each.get('data', '')}{'uem' if each['uem'] else 'extent'}",
)
def test_the_programs_have_these_scores(record: dict[str, Any]) -> None:
    compared = [*of_program(record)]
    for name, value, found in compared:
        rounded = record["suite"] == "der_mdeval" and " detection" in name
        assert found == pytest.approx(value, abs=SPEECH if rounded else DIGITS[record["suite"]]), name
    assert len(compared) > 30


def of_program(record: dict[str, Any]) -> Iterator[tuple[str, Any, float | None]]:
    """What a program recorded of each recording, with our values; with ``names``, of speakers with common names."""
    data = record.get("data", "")
    inputs: dict[str, Any] = {side: DATA / f"{data}{side}.rttm" for side in ("reference", "hypothesis")}
    if record["uem"]:
        inputs["uem"] = DATA / f"{data}regions.uem"
    if "names" in record:
        inputs["hypothesis"] = named_as_in_reference(inputs["hypothesis"])
    metrics = sorted(
        {name.partition(".")[0] for values in record["values"].values() for name in values} | {"der_percent"}
    )
    run = scorespec.score(record["suite"], **inputs, params=record["params"], by=["doc"], metrics=metrics)
    found = scores(run)
    for doc, values in record["values"].items():
        yield from ((f"{doc} {name}", value, found[doc, name]) for name, value in values.items())
        if values.get("der.scored"):
            for name in ("missed", "false_alarm", "confusion"):
                percent = 100 * values[f"der.{name}"] / values["der.scored"]
                yield f"{doc} der_percent.{name}", percent, found[doc, f"der_percent.{name}"]


def named_as_in_reference(path: Path) -> pa.Table:
    """The hypothesis, in which hs1 is the speaker s1 of the reference."""
    turns = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [(doc, float(onset), float(duration), name[1:]) for _, doc, _, onset, duration, _, _, name, *_ in turns]
    return pa.table(dict(zip(("doc", "tbeg", "dur", "speaker"), map(list, zip(*rows, strict=True)), strict=True)))


@pytest.mark.parametrize("suite", first(DIGITS))
def test_seglst_has_the_scores_of_rttm(suite: str, tmp_path: Path) -> None:
    rttm = {side: DATA / f"{side}.rttm" for side in ("reference", "hypothesis")}
    for side, path in rttm.items():
        turns = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
        segments = [
            {
                "session_id": doc,
                "speaker": speaker,
                "start_time": onset,
                "end_time": str(Decimal(onset) + Decimal(duration)),
            }
            for _, doc, _, onset, duration, _, _, speaker, *_ in turns
        ]
        (tmp_path / f"{side}.json").write_text(json.dumps(segments), encoding="utf-8")
    seglst = {side: tmp_path / f"{side}.json" for side in rttm}
    found = [scores(scorespec.score(suite, **inputs, by=["doc"])) for inputs in (rttm, seglst)]
    assert found[0] == found[1]


NO_HYPOTHESIS = "{} recordings have no turns in the hypothesis, so that all their speech is missed: {}"
NO_REFERENCE = "{} recordings have no turns in the reference, so that all turns of the hypothesis are false alarms: {}"
TOGETHER = "--param channels=ignored scores all channels as one recording"
NOT_SCORED = "{} recordings have turns in the hypothesis alone and are not scored: {}"
NO_REGION = "{} recordings have no region in uem and are scored from their first to their last turn: {}"
LEFT_OUT = "{} recordings have no region in uem and are not scored: {}"


@pytest.mark.parametrize(
    ("suite", "said", "scored"),
    [
        ("der_pyannote", [NO_HYPOTHESIS.format("1 of 4", "b"), NO_REFERENCE.format("1 of 4", "c"),
                          NO_REGION.format("1 of 4", "d")], 30),
        ("der_mdeval", [NO_HYPOTHESIS.format("1 of 4", "b"), NOT_SCORED.format("1 of 4", "c"),
                        NO_REGION.format("1 of 4", "d")], 30),
        ("der_dscore", [NO_HYPOTHESIS.format("1 of 4", "b"), NOT_SCORED.format("1 of 4", "c"),
                        LEFT_OUT.format("1 of 4", "d")], 20),
    ],
)  # fmt: skip
def test_recordings_that_an_input_lacks_have_a_warning(suite: str, said: list[str], scored: float) -> None:
    """The reference has a, b and d; the hypothesis a, c and d; the regions a, b and c."""
    inputs = {
        name: pa.table({"doc": docs, "tbeg": [0.0] * 3, "dur": [10.0] * 3, "speaker": ["s"] * 3})
        for name, docs in (("reference", ["a", "b", "d"]), ("hypothesis", ["a", "c", "d"]))
    }
    inputs["uem"] = pa.table({"doc": ["a", "b", "c"], "onset": [0.0] * 3, "offset": [10.0] * 3})
    run = scorespec.score(suite, **inputs, metrics=["der"])
    found = scores(run)
    assert run.warnings == said
    assert found["ALL", "der.scored"] == scored
    assert found["ALL", "der.false_alarm"] == (10 if suite == "der_pyannote" else 0)
    without = scorespec.score(suite, reference=inputs["reference"], hypothesis=inputs["reference"], metrics=["der"])
    assert without.warnings == []


def test_a_region_without_a_turn_of_the_reference_has_a_warning_if_it_is_not_scored() -> None:
    """b has a turn at 50 s, outside of its region; dscore does not score it, pyannote.metrics finds false alarms."""
    turns = {"doc": ["a", "b"], "tbeg": [0.0, 50.0], "dur": [5.0, 10.0], "speaker": ["x", "x"]}
    inputs = {"reference": pa.table(turns), "hypothesis": pa.table({**turns, "tbeg": [0.0, 0.0]})}
    inputs["uem"] = pa.table({"doc": ["a", "b"], "onset": [0.0, 0.0], "offset": [10.0, 20.0]})
    said = "1 of 2 recordings have no turn of the reference in their regions and are not scored: b"
    for suite, false_alarm, warnings in (("der_dscore", 0, [said]), ("der_pyannote", 10, [])):
        run = scorespec.score(suite, **inputs, metrics=["der"])
        assert (scores(run)["ALL", "der.false_alarm"], run.warnings) == (false_alarm, warnings)


def test_repeated_turns_are_counted_as_pyannote_does_with_a_warning() -> None:
    turns = {"doc": ["m", "m", "m"], "tbeg": [0.0, 0.0, 4.0], "dur": [4.0, 4.0, 4.0], "speaker": ["a", "a", "b"]}
    inputs = {"reference": pa.table(turns), "hypothesis": pa.table(turns).slice(1)}
    said = "1 of 1 recordings have repeated turns, each of which is counted: m"
    for suite, scored, warnings in (("der_pyannote", 12, [said]), ("der_mdeval", 8, []), ("der_dscore", 8, [])):
        run = scorespec.score(suite, **inputs, metrics=["der"])
        assert (scores(run)["ALL", "der.scored"], run.warnings) == (scored, warnings)


def test_equal_regions_are_one_and_regions_with_two_ends_are_refused() -> None:
    turns = pa.table({"doc": ["m"], "tbeg": [0.0], "dur": [8.0], "speaker": ["a"]})

    def scored(*ends: float) -> scorespec.Run:
        uem = pa.table({"doc": ["m"] * len(ends), "onset": [0.0] * len(ends), "offset": ends})
        return scorespec.score("der_mdeval", reference=turns, hypothesis=turns, uem=uem, metrics=["der"])

    assert scores(scored(6.0, 6.0)) == scores(scored(6.0))
    assert scored(6.0, 6.0).warnings == ["1 repeated row of <uem> is counted once"]
    with pytest.raises(scorespec.InputError, match=r"^<uem>:2: repeats an earlier line: doc m, "):
        scored(6.0, 7.0)


def test_channels_that_the_reference_lacks_have_a_warning() -> None:
    data = {side: DATA / f"channels_{side}.rttm" for side in ("reference", "hypothesis")}
    run = scorespec.score("der_mdeval", **data, metrics=["der"])
    assert run.warnings == [
        "2 of 15 recordings, each of one channel, have no turns in the hypothesis, so that all their speech is missed; "
        f"{TOGETHER}: rec00003 channel a, rec00003 channel b",
        NO_HYPOTHESIS.format("1 of 15", "rec00005"),
        "3 of 15 recordings, each of one channel, have no turns in the reference, and their turns in the hypothesis "
        f"are false alarms or not scored; {TOGETHER}: rec00005 channel 1, rec00008 channel b, rec00036 channel b",
        NOT_SCORED.format("1 of 15", "rec00004"),
    ]
    run = scorespec.score("der_mdeval", **data, metrics=["der"], params={"channels": "ignored"})
    assert run.warnings == [NO_HYPOTHESIS.format("1 of 8", "rec00003"), NOT_SCORED.format("1 of 8", "rec00004")]


@pytest.mark.parametrize("seed", first(range(20), 4))
def test_time_that_is_sampled_has_the_same_errors(seed: int) -> None:
    """The oracle tries every mapping of the speakers, and looks at each tenth of a second."""
    r = random.Random(seed)
    reference, hypothesis = (diarization.random_turns(r, r.randint(1, 4)) for _ in range(2))
    region, collar, skip_overlap = (r.randint(0, 20), r.randint(80, 120)), r.choice((0, 2)), r.random() < 0.5
    expected = diarization.errors(reference, hypothesis, region, collar, skip_overlap)
    run = scorespec.score(
        "der_mdeval",
        reference=table(reference),
        hypothesis=table(hypothesis),
        uem=pa.table({"doc": ["d"], "onset": [region[0] / 10], "offset": [region[1] / 10]}),
        params={"collar": collar / 10, "skip_overlap": skip_overlap},
        metrics=["der", "identification", "overlapped_speech"],
    )
    found = scores(run)
    expected |= diarization.named_errors(reference, hypothesis, region, collar, skip_overlap)
    for component, tenths in some(expected.items()):
        name = component if "." in component else f"der.{component}"
        assert found["ALL", name] == pytest.approx(tenths / 10, abs=1e-9), component


@pytest.mark.parametrize("suite", first(DIGITS))
@pytest.mark.parametrize("params", first([{}, {"skip_overlap": True}, {"own_overlap": "count"}, {"collar": 0.2}]))
def test_scores_do_not_depend_on_the_names_of_speakers(suite: str, params: dict[str, Any]) -> None:
    """Of 300 small recordings, several have mappings of speakers with equal common times."""
    r = random.Random(47)
    sides = {
        side: [diarization.random_turns(r, r.randint(1, 4)) for _ in range(300)] for side in ("reference", "hypothesis")
    }
    renamed = {side: [diarization.renamed(r, turns) for turns in recordings] for side, recordings in sides.items()}
    assert sides != renamed
    found, again = (
        scores(
            scorespec.score(suite, **{side: tables(each) for side, each in inputs.items()}, params=params, by=["doc"])
        )
        for inputs in (sides, renamed)
    )
    assert found == pytest.approx(again, abs=1e-9, nan_ok=True)


def tables(recordings: list[list[diarization.Turn]]) -> pa.Table:
    """The turns of several recordings."""
    return pa.concat_tables(
        table(turns).set_column(0, "doc", pa.array([f"d{number}"] * len(turns)))
        for number, turns in enumerate(recordings)
    )


def table(turns: list[diarization.Turn]) -> pa.Table:
    return pa.table(
        {
            "doc": ["d"] * len(turns),
            "tbeg": [turn.onset / 10 for turn in turns],
            "dur": [(turn.offset - turn.onset) / 10 for turn in turns],
            "speaker": [turn.speaker for turn in turns],
        }
    )
