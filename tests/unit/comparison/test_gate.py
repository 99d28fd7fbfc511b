"""The gate: verdicts on targets, from numbers that are known and from those of `compare`; faults of documents."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import scorespec
import toy
from examples import inputs_of
from marks import for_each, some
from scorespec.catalog.json_schema import schema_of
from scorespec.comparison.gate import Gate, Judgement
from scorespec.comparison.targets import FAILS, HOLDS, UNDECIDED, UNJUDGED, Target, Targets, read_targets
from scorespec.errors import SpecError, UsageError

WORDS = 10  # of each of eight speakers
# The errors of each speaker, all substitutions: 8, 10 and 24 of 80 words.
ERRORS = {"old": [1] * 8, "new": [1, 1, 2, 1, 1, 1, 1, 2], "bad": [2, 3, 4, 3, 2, 3, 4, 3], "same": [1] * 8}
ISSUE = """\
targets:
  - {score: wer.value, at_most: 0.25}
  - {score: wer.value, max_drop: 0.005, confidence: 95}
  - {score: mtwv.value, at_least: 0.4, by: language}
"""


def transcript(path: Path, errors: list[int], words: int = WORDS) -> Path:
    lines = []
    for speaker, wrong in enumerate(errors):
        said = ["wrong" if at < wrong else f"word{at}" for at in range(words)]
        lines.append(f"{' '.join(said)} (t{speaker}-1)")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def metadata(path: Path) -> Path:
    """Of eight speakers, two speak each of four languages."""
    rows = "".join(f"t{speaker},{'abcd'[speaker // 2]}\n" for speaker in range(8))
    path.write_text(f"document,language\n{rows}", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gate")


@pytest.fixture(scope="module")
def results(folder: Path) -> Path:
    inputs = {"reference": transcript(folder / "ref.trn", [0] * 8), "metadata": metadata(folder / "languages.csv")}
    for name, errors in ERRORS.items():
        hypothesis = transcript(folder / f"{name}.trn", errors)
        given = {**inputs, "hypothesis": hypothesis}
        scorespec.score("wer", inputs=given, by=["language"], output=folder / "r.duckdb", name=name)
    return folder / "r.duckdb"


@pytest.fixture
def judged(results: Path, tmp_path: Path) -> object:
    """Judges a run by one target, written as a flow mapping without braces, or by several."""

    def judge(run: str, *targets: str, **options: object) -> Gate:
        path = tmp_path / "targets.yaml"
        path.write_text("targets:\n" + "".join(f"  - {{{each}}}\n" for each in targets), encoding="utf-8")
        return scorespec.gate(run, path, **{"results": results, "baseline": "old", **options})

    return judge


def only(found: Gate) -> Judgement:
    (row,) = found
    return row


# -- numbers -------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "verdict"),
    [
        ("score: wer.value, at_most: 0.125", HOLDS),  # 10 of 80 words
        ("score: wer, at_most: 0.124", FAILS),
        ("score: wer.value, at_least: 0.125", HOLDS),
        ("score: wer.value, at_least: 0.126", FAILS),
        ("score: wer.substitutions, at_most: 9", FAILS),
        ("score: wer.words, at_least: 80", HOLDS),  # neither higher nor lower values are better
        ("score: wer.value, max_drop: 0.025", HOLDS),  # from 8 to 10 of 80 words
        ("score: wer.value, max_drop: 0.024", FAILS),
        ("score: wer.word_correctness, max_drop: 0.025", HOLDS),
        ("score: wer.word_correctness, max_drop: 0.024", FAILS),
        ("score: wer.substitutions, max_drop: 2", HOLDS),
        ("score: wer.substitutions, max_drop: 1", FAILS),
    ],
)
def test_a_number_decides_alone(judged: object, target: str, verdict: str) -> None:
    found = judged("new", target)
    assert only(found).verdict == verdict
    assert found.verdict == verdict
    assert (only(found).low, only(found).high) == (None, None)


def test_a_limit_in_percent_is_noticed(judged: object) -> None:
    found = judged(
        "new",
        "score: wer.value, at_most: 30",
        "score: wer, max_drop: 1.5",
        "score: wer.mer, at_most: 30",
        "score: wer.wip, at_least: 70",
        "score: wer.mer, max_drop: 30",
        "score: wer.substitutions, at_most: -1",
        "score: wer.value, at_most: 1",
        "score: wer.substitutions, at_most: 30",
    )
    rates = "scores are shares: write 0.3 for 30 %"
    assert [(each.verdict, each.note) for each in found] == [
        (HOLDS, rates),
        (HOLDS, "scores are shares: write 0.015 for 1.5 %"),
        (UNJUDGED, f"the limit is above 1, the greatest possible value; {rates}"),
        (UNJUDGED, "the limit is above 1, the greatest possible value; scores are shares: write 0.7 for 70 %"),
        (UNJUDGED, f"the limit is above 1, the greatest possible drop; {rates}"),
        (UNJUDGED, "the limit is below 0, the least possible value"),
        (HOLDS, None),
        (HOLDS, None),
    ]


def test_a_better_score_is_no_drop(judged: object) -> None:
    for score in ("wer.value", "wer.word_correctness"):
        row = only(judged("new", f"score: {score}, max_drop: 0", baseline="bad"))
        assert row.verdict == HOLDS
    assert (row.value, row.baseline) == (70 / 80, 56 / 80)
    assert row.difference == pytest.approx(14 / 80)


def test_rounding_does_not_decide() -> None:
    """0.8 − 0.7 is greater than 0.1 in binary numbers."""
    assert 0.8 - 0.7 > 0.1
    target = Target("m.value", max_drop=0.1)
    assert target.verdict(0.8 - 0.7, 0.8 - 0.7, "lower") == HOLDS
    assert target.verdict(0.7 - 0.8, 0.7 - 0.8, "higher") == HOLDS
    assert target.verdict(0.1001, 0.1001, "lower") == FAILS


@for_each(better=["lower", "higher"])
def test_an_interval_decides_if_it_does_not_contain_the_limit(better: str) -> None:
    target, sign = Target("m.value", max_drop=0.01, confidence=95), 1 if better == "lower" else -1

    def verdict(*losses: float) -> str:
        return target.verdict(*sorted(sign * each for each in losses), better)

    assert verdict(-0.02, 0.009) == verdict(0.002, 0.01) == HOLDS
    assert verdict(-0.02, 0.011) == verdict(0.01, 0.02) == UNDECIDED
    assert verdict(0.011, 0.02) == FAILS


def test_an_interval_of_the_value_is_within_or_beyond_its_limit() -> None:
    least, most = Target("m.value", at_least=0.4, confidence=95), Target("m.value", at_most=0.4, confidence=95)
    assert [each.verdict(0.4, 0.5) for each in (least, most)] == [HOLDS, UNDECIDED]
    assert [each.verdict(0.3, 0.4) for each in (least, most)] == [UNDECIDED, HOLDS]
    assert [each.verdict(0.41, 0.5) for each in (least, most)] == [HOLDS, FAILS]
    assert [each.verdict(0.3, 0.39) for each in (least, most)] == [FAILS, HOLDS]


def test_what_is_no_number_fails() -> None:
    nan = float("nan")
    assert Target("m.value", at_most=1.0).verdict(nan, nan) == FAILS
    assert Target("m.value", at_most=nan).verdict(0.5, 0.5) == FAILS


# -- intervals -----------------------------------------------------------------------------------------


@pytest.mark.slow
@for_each(score=["wer.value", "wer.word_correctness"])
def test_the_interval_is_that_of_compare(results: Path, judged: object, score: str) -> None:
    (compared,) = scorespec.compare("old", "bad", results=results, metrics=score)
    low, high = sorted(abs(each) for each in (compared.low, compared.high))
    limits = {high + 0.001: HOLDS, (low + high) / 2: UNDECIDED, low - 0.001: FAILS}
    for limit, verdict in some(limits.items()):
        row = only(judged("bad", f"score: {score}, max_drop: {limit}, confidence: 95"))
        assert (row.low, row.high, row.difference) == (compared.low, compared.high, compared.difference)
        assert row.verdict == verdict


@pytest.mark.slow
def test_a_lower_level_decides_more(results: Path, judged: object) -> None:
    (compared,) = scorespec.compare("old", "bad", results=results, metrics="wer.value", confidence=50)
    limit = compared.low - 0.001
    assert only(judged("bad", f"score: wer.value, max_drop: {limit}, confidence: 50")).verdict == FAILS
    assert only(judged("bad", f"score: wer.value, max_drop: {limit}, confidence: 95")).verdict == UNDECIDED


def test_a_limit_of_the_value_has_the_interval_of_the_leaderboard(results: Path, judged: object) -> None:
    (entry,) = scorespec.leaderboard(results, "bad", metrics="wer.value")
    for limit, verdict in {entry.high: HOLDS, entry.value: UNDECIDED, entry.low - 0.001: FAILS}.items():
        row = only(judged("bad", f"score: wer.value, at_most: {limit}, confidence: 95"))
        assert (row.verdict, row.low, row.high) == (verdict, entry.low, entry.high)
        assert (row.baseline, row.difference) == (None, None)


def test_what_is_undecided_can_count_as_what_fails(judged: object) -> None:
    targets = "score: wer.value, at_most: 1", "score: wer.value, max_drop: 0.2, confidence: 95"
    found = judged("bad", *targets)
    assert ([each.verdict for each in found], found.verdict) == ([HOLDS, UNDECIDED], HOLDS)
    found = judged("bad", *targets, undecided="fail")
    assert ([each.verdict for each in found], found.verdict) == ([HOLDS, FAILS], FAILS)
    assert [each.note for each in found] == [None, UNDECIDED]
    with pytest.raises(UsageError, match=r"^--undecided 'fial'; did you mean 'fail'\?$"):
        judged("bad", *targets, undecided="fial")


def test_equal_outputs_have_no_interval_and_hold(judged: object) -> None:
    row = only(judged("same", "score: wer.value, max_drop: 0, confidence: 95"))
    assert (row.verdict, row.difference, row.low) == (HOLDS, 0.0, None)


def test_a_value_without_errors_has_no_interval_and_holds(folder: Path, judged: object) -> None:
    path = folder / "perfect.duckdb"
    scorespec.score("wer", reference=folder / "ref.trn", hypothesis=folder / "ref.trn", output=path, name="perfect")
    row = only(judged("perfect", "score: wer.value, at_most: 0.1, confidence: 95", results=path, baseline=None))
    assert (row.verdict, row.value, row.low) == (HOLDS, 0.0, None)


# -- what cannot be judged -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "note"),
    [
        ("score: wer.valeu, at_most: 1", "the run has no score 'wer.valeu'; did you mean 'wer.value'?"),
        ("score: wer.words, max_drop: 1", "neither higher nor lower values are better, so that the score cannot drop"),
        (
            "score: wer.words, at_most: 90, confidence: 95",
            "neither higher nor lower values of 'wer.words' are better; did you mean 'wer.wip'?",
        ),
        (
            "score: wer.value, at_most: 1, by: region",
            "the run has no score 'wer.value by region' (`score --by region` adds it); did you mean "
            "'wer.value by language'?",
        ),
    ],
)
def test_a_score_that_the_run_lacks_is_not_judged(judged: object, target: str, note: str) -> None:
    found = judged("new", target, "score: wer.value, at_most: 1")
    row, other = found
    assert (row.verdict, other.verdict, found.verdict) == (UNJUDGED, HOLDS, UNJUDGED)
    assert row.note == note


def test_what_fails_comes_before_what_is_not_judged(judged: object) -> None:
    assert judged("new", "score: wer.no, at_most: 1", "score: wer.value, at_most: 0").verdict == FAILS


def test_a_drop_needs_a_baseline(judged: object) -> None:
    row = only(judged("new", "score: wer.value, max_drop: 1", baseline=None))
    assert (row.verdict, row.note) == (UNJUDGED, "max_drop needs a baseline: name a run with --baseline")


@for_each(confidence=["", ", confidence: 95"])
def test_other_gold_is_not_judged(results: Path, folder: Path, judged: object, confidence: str) -> None:
    path = shutil.copy(results, folder / "other.duckdb")
    reference = transcript(folder / "longer.trn", [0] * 8, WORDS + 1)
    scorespec.score("wer", reference=reference, hypothesis=folder / "new.trn", output=path, name="other")
    row = only(judged("other", f"score: wer.value, max_drop: 1{confidence}", results=path))
    assert row.verdict == UNJUDGED
    assert "old and other cannot be compared: input reference, which is gold, differs" in row.note


@pytest.mark.slow
def test_few_speakers_are_not_judged_by_an_interval(folder: Path, judged: object) -> None:
    path = folder / "few.duckdb"
    reference = transcript(folder / "few.trn", [0] * 3)
    for name in ("old", "new"):
        hypothesis = transcript(folder / f"few-{name}.trn", ERRORS[name][:3])
        scorespec.score("wer", reference=reference, hypothesis=hypothesis, output=path, name=name)
    found = judged(
        "new",
        "score: wer.value, max_drop: 0.5, confidence: 95",
        "score: wer.value, at_most: 0.5, confidence: 95",
        "score: wer.value, max_drop: 0.5",
        results=path,
    )
    assert [each.verdict for each in found] == [UNJUDGED, UNJUDGED, HOLDS]
    drop, value, _ = found
    assert drop.note == value.note
    assert drop.note.startswith("no interval: ")
    assert "3" in drop.note


def test_an_undefined_score_is_not_judged(tmp_path: Path, judged: object) -> None:
    path = tmp_path / "r.duckdb"
    scorespec.score("zerospeech2017", inputs=inputs_of("zerospeech2017"), by=["file"], output=path, name="x")
    found = judged("x", "score: ned.value, at_most: 0.8, by: file", results=path, baseline=None)
    assert [(each.slice, each.value, each.verdict, each.note) for each in found] == [
        ('{"file":"f1"}', 0.0, HOLDS, None),
        ('{"file":"f2"}', None, UNJUDGED, "undefined"),
    ]


RECALL = """\
domain: toy
metrics:
  found:
    about: Share of the answers `yes` that were found.
    better: higher
    kind: statistics
    from: answers
    unit: [file]
    statistics:
      hits: count(*) FILTER (wanted = 'yes' AND said = 'yes')
      wanted: count(*) FILTER (wanted = 'yes')
      answers: count(*)
    components: {value: "ratio(hits, wanted)"}
suites:
  search:
    about: What was found.
    inputs: [answers]
    submitted: [answers]
    metrics: [found]
    resample: {blocks: [file]}
"""


def test_what_one_block_alone_defines_has_no_interval(tmp_path: Path, judged: object) -> None:
    """Only the first of ten files has answers `yes`: a third of the resamples has none of them."""
    path, document = tmp_path / "r.duckdb", tmp_path / "found.yaml"
    document.write_text(RECALL, encoding="utf-8")
    for name, found in {"old": 8, "new": 6}.items():
        rows = [f"f0,ann,i{at},{'yes' if at < found else 'no'},yes,1" for at in range(8)]
        rows += [f"f{file},ann,i{at},no,no,1" for file in range(1, 10) for at in range(8)]
        answers = tmp_path / f"{name}.csv"
        answers.write_text("\n".join(["file,speaker,item,said,wanted,score", *rows]) + "\n", encoding="utf-8")
        specs = [toy.TOY, document]
        scorespec.score("search", specs=specs, answers=answers, output=path, name=name)
    numbers, *others = judged(
        "new",
        "score: found.value, max_drop: 0.25",
        "score: found.value, max_drop: 0.5, confidence: 95",
        "score: found.value, at_least: 0.5, confidence: 95",
        results=path,
    )
    assert (numbers.verdict, numbers.difference) == (HOLDS, -2 / 8)
    assert [(each.verdict, each.low) for each in others] == [(UNJUDGED, None)] * 2
    assert [each.note for each in others] == ["no interval: undefined without some blocks"] * 2


# -- slices --------------------------------------------------------------------------------------------


def test_every_slice_is_judged(judged: object) -> None:
    """Speakers 2 and 7 of `new` have two errors of ten words, all others one."""
    found = judged("new", "score: wer.value, at_most: 0.1, by: language", "score: wer.value, at_most: 0.125")
    assert [(json.loads(each.slice), each.value, each.verdict) for each in found] == [
        ({"language": "a"}, 2 / 20, HOLDS),
        ({"language": "b"}, 3 / 20, FAILS),
        ({"language": "c"}, 2 / 20, HOLDS),
        ({"language": "d"}, 3 / 20, FAILS),
        ({}, 10 / 80, HOLDS),
    ]


def test_the_difference_of_every_slice_is_judged(results: Path, judged: object) -> None:
    found = judged("bad", "score: wer.value, max_drop: 0.2, by: language")
    assert [round(each.difference, 10) for each in found] == [3 / 20, 5 / 20, 3 / 20, 5 / 20]
    assert [each.verdict for each in found] == [HOLDS, FAILS, HOLDS, FAILS]
    # Two speakers of a language are too few for an interval.
    found = judged("bad", "score: wer.value, max_drop: 0.2, by: language, confidence: 95")
    assert {each.verdict for each in found} == {UNJUDGED}


@pytest.mark.slow
def test_slices_of_other_metadata_are_not_judged(tmp_path: Path, folder: Path, judged: object) -> None:
    path, described = tmp_path / "r.duckdb", metadata(tmp_path / "languages.csv")
    for name in ("old", "new"):
        inputs = {"reference": folder / "ref.trn", "hypothesis": folder / "new.trn", "metadata": described}
        scorespec.score("wer", inputs=inputs, by=["language"], output=path, name=name)
        described.write_text(described.read_text("utf-8").replace("t1,a", "t1,b"), encoding="utf-8")
    found = judged("new", "score: wer, max_drop: 0, by: language", "score: wer, max_drop: 0", results=path)
    slices, whole = found
    assert (slices.verdict, whole.verdict) == (UNJUDGED, HOLDS)
    assert slices.note == "old and new cannot be compared: input metadata, which is gold, differs"


# -- runs ----------------------------------------------------------------------------------------------


def test_runs_are_judged_directly(folder: Path, judged: object) -> None:
    old, new = (
        scorespec.score("wer", reference=folder / "ref.trn", hypothesis=folder / f"{name}.trn", name=name)
        for name in ("old", "new")
    )
    found = judged(new, "score: wer.value, max_drop: 0.024", baseline=old, results=None)
    assert (found.run, found.verdict) == ("new", FAILS)
    assert only(found).difference == pytest.approx(2 / 80)


def test_a_run_that_there_is_not_is_refused(judged: object) -> None:
    with pytest.raises(UsageError, match=r"there is no run gone of .*; its runs: 1 old, 2 new, 3 bad, 4 same$"):
        judged("gone", "score: wer.value, at_most: 1")
    with pytest.raises(UsageError, match=r"^run new: name the results database that has it, with results=$"):
        judged("new", "score: wer.value, at_most: 1", results=None)


def test_verdicts_are_a_table(judged: object) -> None:
    found = judged("new", "score: wer.value, at_most: 0.125", "score: wer.value, max_drop: 0.024")
    assert found.table["verdict"].to_pylist() == [HOLDS, FAILS]
    assert found.table["line"].to_pylist() == [2, 3]
    assert repr(found).splitlines() == [
        "score       value  baseline  difference  limit           verdict",
        "wer.value  0.1250                        at_most 0.125   holds",
        "wer.value  0.1250    0.1000      +0.025  max_drop 0.024  fails",
        "new: 1 holds, 1 fails",
    ]
    assert found._repr_html_().count("<tr>") == 3


# -- documents -----------------------------------------------------------------------------------------


def test_the_targets_of_the_issue_are_read(tmp_path: Path) -> None:
    path = tmp_path / "targets.yaml"
    path.write_text(ISSUE, encoding="utf-8")
    first, second, third = read_targets(path).targets
    assert (first.limit, first.confidence, first.line) == ("at_most 0.25", None, 2)
    assert (second.limit, second.confidence, second.line) == ("max_drop 0.005", 95, 3)
    assert (third.limit, third.names[0], third.file) == ("at_least 0.4", "mtwv.value by language", str(path))


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("- {score: m, at_most: 1}", ["1:1: a document is a mapping (targets: …)"]),
        ("", ["1:1: the document has no 'targets'"]),
        ("targets: []", ["1:10: targets: [] should be non-empty"]),
        ("targets: {score: m, at_most: 1}", None),
        ("targets:\n - {at_most: 1}", ["2:4: targets.0 has no 'score'"]),
        ("targets:\n - {score: m, at_most: x}", ['2:24: targets.0.at_most is "x"; it must be a number']),
        ("targets:\n - {score: m, max_drop: -1}", ["2:25: targets.0.max_drop: -1 is less than the minimum of 0"]),
        (
            "targets:\n - {score: m, at_most: 1, confidence: 0.95}",
            ["2:39: targets.0.confidence: 0.95 is less than the minimum of 50"],
        ),
        (
            "targets:\n - {score: m, at_most: 1}\n - {score: m, at_most: 1, atleast: 1}",
            ["3:27: unknown key 'atleast' in targets.1; did you mean 'at_least'?"],
        ),
        ("targets:\n - {score: m", ["did not find expected ',' or '}'"]),
        ("targets:\n - {score: m, score: n, at_most: 1}", ["2:15: duplicate key 'score'"]),
    ],
)
def test_a_fault_of_a_document_has_its_place(tmp_path: Path, text: str, faults: list[str] | None) -> None:
    path = tmp_path / "targets.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SpecError) as raised:
        read_targets(path)
    assert str(raised.value).startswith(f"{path}:")
    for fault in faults or ["targets is ", "; it must be a list"]:
        assert fault in str(raised.value)


@for_each(keys=["score: m", "score: m, at_most: 1, at_least: 0", "score: m, at_most: 1, max_drop: 0"])
def test_a_target_has_exactly_one_limit(tmp_path: Path, keys: str) -> None:
    path = tmp_path / "targets.yaml"
    path.write_text(f"targets:\n - {{{keys}}}\n", encoding="utf-8")
    with pytest.raises(SpecError, match=r":2:4: targets\.0 is .*; it must be a mapping with the key at_most or "):
        read_targets(path)


def test_a_document_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"none\.yaml: cannot read this document: No such file or directory$"):
        read_targets(tmp_path / "none.yaml")


def test_the_schema_accepts_what_is_read() -> None:
    schema = schema_of(Targets)
    Draft202012Validator.check_schema(schema)
    target = schema["properties"]["targets"]["items"]
    assert {*target["properties"]} == {"score", "at_most", "at_least", "max_drop", "confidence", "by"}
    assert all(each["description"] for each in target["properties"].values())
    valid = {"targets": [{"score": "m.value", "max_drop": 0.1, "confidence": 95}]}
    assert Draft202012Validator(schema).is_valid(valid)
    assert not Draft202012Validator(schema).is_valid({"targets": [{"score": "m.value"}]})


# -- marks ---------------------------------------------------------------------------------------------


@pytest.fixture
def targets(tmp_path: Path) -> Path:
    path = tmp_path / "targets.yaml"
    path.write_text(
        "targets:\n  - {score: wer.value, at_most: 0.2}\n  - {score: wer.value, max_drop: 0}\n"
        "  - {score: wer.value, at_most: 0.14, by: language}\n",
        encoding="utf-8",
    )
    return path


def test_a_leaderboard_marks_values_that_miss_a_target(results: Path, targets: Path) -> None:
    board = scorespec.leaderboard(results, targets=targets)
    assert {each.system: each.missed for each in board} == {
        **dict.fromkeys(("old", "new", "same")),
        "bad": "at_most 0.2",
    }
    (cell,) = (row["WER (%)"] for row in board.shown_rows() if "†" in row["WER (%)"])
    assert cell.startswith("30.00† (")
    assert board.notes[-1] == "†: misses a target: WER at_most 0.2"
    assert "†" not in repr(scorespec.leaderboard(results))


def test_slices_of_a_leaderboard_have_targets_of_their_own(results: Path, targets: Path) -> None:
    board = scorespec.leaderboard(results, by="language", targets=targets)
    missed = {(each.system, each.slice): each.missed for each in board if each.missed}
    assert missed.pop(("bad", "{}")) == "at_most 0.2"
    assert missed == dict.fromkeys(
        [("new", f'{{"language":"{each}"}}') for each in "bd"]
        + [("bad", f'{{"language":"{each}"}}') for each in "abcd"],
        "at_most 0.14",
    )


@pytest.mark.slow
def test_a_report_marks_values_that_miss_a_target(results: Path, targets: Path) -> None:
    page = scorespec.open_results(results).report("new", "bad", targets=targets).html
    assert 'title="misses at_most 0.2">30.00 %†' in page
    assert page.count('title="misses at_most 0.14">15.00 %†') == 2
    assert "bad misses targets (†): wer at_most 0.2; language=a: wer at_most 0.14; " in page
    assert "new misses targets (†): language=b: wer at_most 0.14; language=d: wer at_most 0.14." in page
    assert "†" not in scorespec.open_results(results).report("new", "bad").html


def test_a_run_is_no_baseline_of_itself(judged: object) -> None:
    with pytest.raises(UsageError, match="the baseline is the run itself; name an earlier run by its number"):
        judged("4", "score: wer, max_drop: 0", baseline="4")
    row = only(judged("same", "score: wer, max_drop: 0", baseline="same"))
    said = "this is the first run called same with this gold, these documents and parameters; a baseline must be"
    assert (row.verdict, row.note) == (UNJUDGED, f"{said} an earlier run")


def test_a_nightly_run_is_compared_with_that_of_the_night_before(folder: Path, tmp_path: Path) -> None:
    results, path = tmp_path / "nights.duckdb", tmp_path / "targets.yaml"
    path.write_text("targets:\n  - {score: wer, max_drop: 0.01}\n")
    nights = []
    for night in ("old", "bad", "new"):
        inputs = {"reference": folder / "ref.trn", "hypothesis": folder / f"{night}.trn"}
        scorespec.score("wer", inputs=inputs, output=results, name="nightly")
        nights.append(scorespec.gate("nightly", path, results=results, baseline="nightly"))
    assert [(only(each).verdict, only(each).baseline) for each in nights] == [
        (UNJUDGED, None),
        (FAILS, pytest.approx(0.1)),
        (HOLDS, pytest.approx(0.3)),
    ]
    assert [each.note for each in nights] == [
        None,
        "the baseline is nightly (run 1), which run 2 superseded",
        "the baseline is nightly (run 2), which run 3 superseded",
    ]
    assert nights[2].notes == [nights[2].note, "nightly: 1 holds"]
    assert nights[2].to_dict()["note"] == nights[2].note
    fixed = scorespec.gate("nightly", path, results=results, baseline=1)
    assert (only(fixed).verdict, fixed.note) == (FAILS, None)
