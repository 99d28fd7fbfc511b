"""Scopes over the toy domain: varied parameters, folds, and `--by`, alone and together."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from statistics import fmean, pstdev

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scorespec
import toy
from marks import first, slow, some
from scorespec.errors import SpecError, UsageError

sys.path.insert(0, str(Path(__file__).parents[2]))  # tests/, whatever pytest was started with

from unit.suites.test_oracle_tdev2 import read_case

# -- an oracle of the suite `quiz` in plain Python ---------------------------------------------------


def is_right(row: toy.Row, pass_score: float = 0.5) -> bool:
    _, _, _, said, wanted, score = row
    return said is not None and said == wanted and score >= pass_score


def divided(a: float, b: float) -> float | None:
    return a / b if b else None


def fscore(p: float | None, r: float | None) -> float | None:
    if p is None or r is None:
        return None
    return 0 if p + r == 0 else 2 * p * r / (p + r)


def quiz(rows: list[toy.Row]) -> dict[toy.Row, float | None]:
    """What the suite `quiz` comes to over some rows, by metric and component."""
    said, wanted = {row[3] for row in rows}, {row[4] for row in rows}
    both = (said & wanted) - {None}
    p, r = divided(len(both), len(said)), divided(len(both), len(wanted))
    words = Counter(row[3] for row in rows if row[3] is not None)
    return {
        ("accuracy", "value"): divided(sum(map(is_right, rows)), len(rows)),
        ("words", "precision"): p,
        ("words", "recall"): r,
        ("words", "fscore"): fscore(p, r),
        ("sureness", "value"): divided(sum(row[5] for row in rows), len(rows)),
        ("agreement", "pairs"): sum(n * (n - 1) // 2 for n in words.values()),
    }


COLUMNS = ("file", "speaker", "item", "said", "wanted", "score")


def sliced(rows: list[toy.Row], *columns: str) -> dict[tuple[tuple[str, str], ...], list[toy.Row]]:
    """The rows of each slice by some columns, keyed as :func:`toy.values` keys slices."""
    found: dict[tuple[tuple[str, str], ...], list[toy.Row]] = {}
    for row in rows:
        key = tuple((column, row[COLUMNS.index(column)]) for column in sorted(columns))
        found.setdefault(key, []).append(row)
    return found


def expected(
    rows: list[toy.Row],
    breakdowns: Iterable[tuple[str, ...]],
    oracle: Callable[..., dict[toy.Row, float | None]],
) -> dict[toy.Row, object]:
    """The oracle's values of each slice of each breakdown."""
    return {
        (*name, *slice_): value if value is None else pytest.approx(value, abs=1e-12)
        for columns in breakdowns
        for slice_, some in sliced(rows, *columns).items()
        for name, value in oracle(some).items()
    }


# -- --by --------------------------------------------------------------------------------------------

WORDS = st.sampled_from(["a", "b", "c", None])
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["f1", "f2", "f3"]),
        st.sampled_from(["t1", "t2"]),
        st.sampled_from(["i1", "i2"]),
        WORDS,
        WORDS,
        st.sampled_from([0.0, 0.25, 0.5, 0.75]),
    ),
    min_size=1,
    max_size=12,
)


@slow
@settings(max_examples=12, deadline=None)
@given(ROWS)
def test_a_row_of_by_is_the_score_of_the_input_restricted_to_the_slice(rows: list[toy.Row]) -> None:
    """One column, two breakdowns, two columns crossed: in each slice the sets are rebuilt."""
    breakdowns = [(), ("file",), ("speaker",), ("file", "speaker")]
    run = toy.score(answers=rows, by=["file", "speaker", "file,speaker"])
    assert toy.values(run) == expected(rows, breakdowns, quiz)


def test_two_breakdowns_are_not_crossed() -> None:
    slices = {key[2:] for key in toy.values(toy.score(by=["file", "speaker"]))}
    columns = {tuple(name for name, _ in slice_) for slice_ in slices}
    assert columns == {(), ("file",), ("speaker",)}


def test_a_breakdown_given_twice_counts_once() -> None:
    assert toy.values(toy.score(by=["file", "file"])) == toy.values(toy.score(by=["file"]))


def test_a_pair_belongs_to_a_slice_when_both_members_do() -> None:
    """yes is said in ann once, in bob once, in cat twice: 6 pairs, of which 1 is within a file."""
    assert toy.values(toy.score(metrics=["agreement"], by=["file"])) == {
        ("agreement", "pairs"): 6,
        ("agreement", "pairs", ("file", "ann")): 0,
        ("agreement", "pairs", ("file", "bob")): 0,
        ("agreement", "pairs", ("file", "cat")): 1,
    }


def test_a_column_that_one_metric_lacks_is_a_warning() -> None:
    document = "metrics:\n  own: {about: x, kind: mean, from: topics, value: 1}\n"
    run = toy.score(document, metrics=["own", "accuracy(pass_score=0.4)", "accuracy"], by=["speaker", "item"])
    assert run.warnings == [
        "no rows of own by speaker: it has no column 'speaker' (topics is the same in every slice)",
        "no rows of own by item: it has no column 'item' (topics is the same in every slice)",
    ]
    slices = {key[2:] for key in toy.values(run) if key[0] == "accuracy"}
    speakers, items = (
        ((("speaker", name),) for name in ("ann", "bob")),
        ((("item", n),) for n in ("i1", "i2", "i3")),
    )
    assert slices == {(), *speakers, *items}


def test_a_column_that_begins_at_a_relation() -> None:
    """The topic of an item is known to `topical_marks` alone: its rows are divided, and no set is rebuilt."""
    run = toy.score(metrics=["topical", "accuracy"], by=["topic", "topic,speaker"], items=toy.ITEMS)
    topics = dict(toy.ITEMS)
    assert {key[1:]: v for key, v in toy.values(run).items() if key[0] == "topical" and len(key) == 3} == {
        ("value", ("topic", topic)): divided(
            sum(is_right(row) for row in toy.ANSWERS if topics[row[2]] == topic),
            sum(topics[row[2]] == topic for row in toy.ANSWERS),
        )
        for topic in ("talk", "pets")
    }
    assert toy.values(run)["topical", "value", ("speaker", "bob"), ("topic", "pets")] == 1 / 3
    assert run.warnings == [
        "no rows of accuracy by topic: it has no column 'topic' (answers has none)",
        "no rows of accuracy by topic, speaker: it has no column 'topic' (answers has none)",
    ]


def test_columns_of_several_tables_meet_in_a_relation() -> None:
    """Speakers come with the answers, topics with the items; a slice is where an answer brings them together."""
    document = """
relations:
  joined:
    about: x
    needs: [answers, items]
    sql: "SELECT said FROM {{ answers }} JOIN {{ items }} USING (item)"
metrics:
  spoken: {about: x, kind: mean, from: joined, value: 1}
suites:
  interview: {about: x, inputs: [answers, items], metrics: [spoken]}
"""
    run = toy.score(document, suite="interview", by=["speaker,topic"], items=toy.ITEMS)
    topics = dict(toy.ITEMS)
    assert toy.values(run) == {("spoken", "value"): 1} | {
        ("spoken", "value", ("speaker", speaker), ("topic", topic)): 1
        for speaker, topic in {(row[1], topics[row[2]]) for row in toy.ANSWERS}
    }


def test_an_unknown_column_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"unknown column 'speakr' in --by; did you mean 'speaker'?"):
        toy.score(by=["speakr"])


def test_slices_of_all_needs_or_of_one() -> None:
    """agreed_words has the columns of said_words alone if `topics`, which has none, did not count too."""
    document = """
metrics:
  agreed:
    about: distinct words
    kind: statistics
    from: agreed_words
    statistics: {n: count(*)}
    components: {n: n}
  agreed_anywhere:
    extends: agreed
    from: agreed_somewhere
relations:
  agreed_somewhere:
    extends: agreed_words
    slices: [said_words]
    sql: SELECT DISTINCT word FROM {{ said_words }}
"""
    run = toy.score(document, metrics=["agreed", "agreed_anywhere"], by=["file"], items=toy.ITEMS)
    reason = "it has no column 'file' (topics is the same in every slice)"
    assert run.warnings == [f"no rows of agreed by file: {reason}"]
    assert toy.values(run) == {
        ("agreed", "n"): 4,  # yes, no, Dog, and nothing
        ("agreed_anywhere", "n"): 4,
        ("agreed_anywhere", "n", ("file", "ann")): 3,
        ("agreed_anywhere", "n", ("file", "bob")): 2,
        ("agreed_anywhere", "n", ("file", "cat")): 1,
    }


PLAIN = """
metrics:
  longer:
    about: the number of answers, and of those with more words of their file than the mean file has
    kind: statistics
    from: compared
    statistics: {n: count(*), above: count_if(above)}
    components: {n: n, above: above}
  longer_of_all:
    extends: longer
    from: compared_with_all
relations:
  mean_length:
    about: the mean number of answers of a file
    sql: SELECT avg(n) AS mean FROM (SELECT count(*) AS n FROM {{ answers }} GROUP BY file)
    columns: {mean: answers of a file}
  overall_length:
    extends: mean_length
    slices: none
  compared:
    about: each answer, and whether its file has more answers than the mean
    sql: >-
      SELECT speaker, above FROM {{ answers }} JOIN (
        SELECT file, count(*) > max(mean) AS above FROM {{ answers }}, {{ mean_length }} GROUP BY file) USING (file)
    columns: {speaker: who speaks, above: whether the file has more answers than the mean}
  compared_with_all:
    extends: compared
    sql: >-
      SELECT speaker, above FROM {{ answers }} JOIN (
        SELECT file, count(*) > max(mean) AS above FROM {{ answers }}, {{ overall_length }} GROUP BY file) USING (file)
"""


def test_a_plain_query_is_computed_from_the_rows_of_each_slice() -> None:
    """With `slices: none`, a slice is compared with the mean of all files, and otherwise with that of its own."""
    run = toy.score(PLAIN, metrics=["longer", "longer_of_all"], by=["speaker"])
    speakers = {row[1] for row in toy.ANSWERS}
    whole = Counter(row[0] for row in toy.ANSWERS)
    for speaker in some(speakers):
        own = Counter(row[0] for row in toy.ANSWERS if row[1] == speaker)
        for metric, files in (("longer", own), ("longer_of_all", whole)):
            found = toy.values(run, metric)
            assert found["n", ("speaker", speaker)] == own.total()
            above = sum(n for n in own.values() if n > fmean(files.values()))
            assert found["above", ("speaker", speaker)] == above


def test_the_needs_that_must_have_a_slice() -> None:
    """Without `slices`, a slice of any need is one of the relation; with it, all needs that it names must have it."""
    document = """
metrics:
  pairs:
    about: pairs of an answer and a topic
    kind: statistics
    from: %s
    statistics: {n: count(*)}
    components: {n: n}
relations:
  any_pairs:
    about: x
    sql: SELECT 1 AS one FROM {{ answers }}, {{ items }}
    columns: {one: x}
  pairs_of_both:
    extends: any_pairs
    slices: [answers, items]
"""
    some = toy.score(document % "any_pairs", metrics=["pairs"], by=["file"], items=toy.ITEMS)
    files = Counter(row[0] for row in toy.ANSWERS)
    assert toy.values(some, "pairs") == {("n",): files.total() * len(toy.ITEMS)} | {
        ("n", ("file", file)): n * len(toy.ITEMS) for file, n in files.items()
    }
    both = toy.score(document % "pairs_of_both", metrics=["pairs"], by=["file"], items=toy.ITEMS)
    assert both.warnings == ["no rows of pairs by file: it has no column 'file' (items has none)"]
    with pytest.raises(SpecError, match=r"unknown need 'itmes'; did you mean 'items'\?"):
        toy.score(document.replace("[answers, items]", "[answers, itmes]") % "pairs_of_both", metrics=["pairs"])


def test_a_column_that_a_relation_computes_begins_where_a_metric_counts() -> None:
    document = """
metrics:
  lengths:
    about: the number of answers
    kind: statistics
    from: %s
    statistics: {n: count(*)}
    components: {n: n}
relations:
  measured:
    about: x
    sql: SELECT length(item) AS letters FROM {{ answers }}
    columns: {letters: x}
  read_again:
    about: x
    sql: SELECT letters > 0 AS some FROM {{ measured }}
    columns: {some: x}
"""
    run = toy.score(document % "measured", metrics=["lengths"], by=["letters"])
    assert toy.values(run, "lengths")["n", ("letters", 2)] == len(toy.ANSWERS)
    further = toy.score(document % "read_again", metrics=["lengths"], by=["letters"])
    assert further.warnings == ["no rows of lengths by letters: it has no column 'letters' (read_again has none)"]
    begun = document.replace("columns: {letters: x}", "columns: {letters: x}\n    begins: [letters]")
    run = toy.score(begun % "read_again", metrics=["lengths"], by=["letters"])
    assert toy.values(run, "lengths")["n", ("letters", 2)] == len(toy.ANSWERS)
    with pytest.raises(SpecError, match="unknown column 'lettres'"):
        toy.score(begun.replace("[letters]", "[lettres]") % "read_again", metrics=["lengths"])


UNITS = """
metrics:
  own:
    about: x
    kind: statistics
    from: said_by_bob
    unit: [item]
    %s
    then: mean
    statistics: {n: count(*)}
    components: {n: n}
relations:
  said_by_bob:
    about: what bob said
    needs: [answers]
    sql: "SELECT file, item FROM {{ answers }} WHERE speaker = 'bob'"
    columns: {file: name of the recording, item: what was asked}
"""


def test_a_slice_in_which_a_metric_has_no_rows_is_there_all_the_same() -> None:
    """bob says nothing in the file eve: no item has a mean there, and each of four items a count of 0."""
    answers = [*toy.ANSWERS, ("eve", "ann", "i1", "yes", "yes", 0.9)]
    run = toy.score(UNITS % "groups: []", metrics=["own"], answers=answers, by=["file"])
    assert toy.values(run, "own")["n", ("file", "eve")] is None
    assert toy.notes(run, "own") == {("n", ("file", "eve")): "undefined: no units"}
    every = toy.score(UNITS % "units: topics", metrics=["own"], answers=answers, items=toy.ITEMS, by=["file"])
    assert toy.values(every, "own") == {
        ("n",): 4 / 4,
        ("n", ("file", "ann")): 1 / 4,
        ("n", ("file", "bob")): 2 / 4,
        ("n", ("file", "cat")): 1 / 4,
        ("n", ("file", "eve")): 0,
    }


SLICED = """
metrics:
  own:
    about: sliced
    kind: ratio
    from: marks
    numerator: count(*) FILTER (WHERE right_answer)
    denominator: count(*)
    groups: [[speaker]]
"""


def test_by_adds_rows_to_each_standing_slice() -> None:
    run = toy.score(SLICED, metrics=["own"], by=["file"])
    breakdowns = [(), ("speaker",), ("file",), ("file", "speaker")]
    assert toy.values(run) == expected(
        toy.ANSWERS, breakdowns, lambda rows: {("own", "value"): sum(map(is_right, rows)) / len(rows)}
    )


def test_by_what_is_a_standing_slice_tells_it_once() -> None:
    assert toy.values(toy.score(SLICED, metrics=["own"], by=["speaker"])) == toy.values(
        toy.score(SLICED, metrics=["own"])
    )


# -- vary --------------------------------------------------------------------------------------------


def own(rows: list[toy.Row]) -> list[toy.Row]:
    return [row for row in rows if row[0] == row[1]]


def vary(rows: list[toy.Row]) -> dict[toy.Row, float | None]:
    return {key: value for key, value in quiz(rows).items() if key[0] in ("accuracy", "words")}


def test_a_varied_parameter_is_a_slice() -> None:
    """`words` does not read the parameter: its rows are the same in both slices."""
    found = toy.values(toy.score(suite="voices"))
    any_, own_ = vary(toy.ANSWERS), vary(own(toy.ANSWERS))
    assert found == {
        **{(*key, ("voice", "any")): pytest.approx(value) for key, value in any_.items()},
        **{(*key, ("voice", "own")): pytest.approx(any_[key]) for key in any_ if key[0] == "words"},
        ("accuracy", "value", ("voice", "own")): own_["accuracy", "value"],
    }


def test_a_parameter_of_the_run_collapses_what_varies() -> None:
    run = toy.score(suite="voices", metrics=["accuracy"], params={"voice": "other"})
    assert toy.values(run) == {("accuracy", "value", ("voice", "other")): 1 / 3}


def test_a_metric_that_sets_what_varies_has_only_its_own_slice() -> None:
    run = toy.score(suite="voices", metrics=["accuracy(voice=own)", "accuracy"])
    assert toy.values(run) == {
        ("accuracy(voice=own)", "value", ("voice", "own")): 1 / 4,
        ("accuracy", "value", ("voice", "any")): 2 / 7,
        ("accuracy", "value", ("voice", "own")): 1 / 4,
    }


def test_the_signature_shows_what_varies() -> None:
    assert "|voice:any+own|" in toy.plan(suite="voices").identity.long
    assert "|voice:own|" in toy.plan(suite="voices", params={"voice": "own"}).identity.long


def test_a_slice_may_have_another_name_than_its_parameter() -> None:
    document = "suites:\n  own:\n    extends: voices\n    vary: {voice: {values: [any, own], slice: who}}\n"
    run = toy.score(document, "own", metrics=["accuracy", "accuracy(voice=other)"])
    assert toy.values(run) == {
        ("accuracy", "value", ("who", "any")): 2 / 7,
        ("accuracy", "value", ("who", "own")): 1 / 4,
        ("accuracy(voice=other)", "value", ("who", "other")): 1 / 3,
    }
    plan = toy.plan(document, "own", metrics=["accuracy"])
    assert all("json_object('who', " in each.sql for each in plan.unit_statistics)
    assert "|voice:any+own|" in plan.identity.long


@pytest.mark.parametrize(
    ("vary", "said"),
    [
        ("{voice: [any, mine]}", "parameter 'voice' is 'mine'; allowed: any, own, other"),
        ("{voic: [any]}", "unknown parameter 'voic' of suite 'own'; did you mean 'voice'?"),
        ("{pass_score: [0.5, high]}", "parameter 'pass_score' is 'high'; it must be a number"),
    ],
)
def test_bad_varied_values_are_refused(vary: str, said: str) -> None:
    document = f"suites:\n  own:\n    extends: quiz\n    vary: {vary}\n"
    with pytest.raises(SpecError) as caught:
        toy.plan(document, "own")
    assert str(caught.value).startswith("own.yaml:5:")
    assert said in str(caught.value)


def test_varied_numbers_are_of_the_parameter_s_type() -> None:
    document = "suites:\n  own:\n    extends: quiz\n    metrics: [accuracy]\n    vary: {pass_score: [0, 1]}\n"
    found = toy.values(toy.score(document, "own"))
    assert found == {
        ("accuracy", "value", ("pass_score", 0.0)): 3 / 7,
        ("accuracy", "value", ("pass_score", 1.0)): 0,
    }


# -- folds -------------------------------------------------------------------------------------------

PARTS: list[toy.Row] = [(1, "ann"), (2, "bob"), (2, "cat"), (3, "cat")]


def part_accuracy(rows: list[toy.Row]) -> dict[str, float | None]:
    hits = sum(map(is_right, rows))
    return {"value": divided(hits, len(rows)), "odds": divided(hits, len(rows) - hits)}


def over_folds(parts: Iterable[list[toy.Row]], jointly: bool = False) -> dict[str, tuple[object, object, int]]:
    """Mean, population standard deviation and number of the folds where a component is defined."""
    scores = [part_accuracy(rows) for rows in parts]
    if jointly:
        scores = [each for each in scores if None not in each.values()]
    found: dict[str, tuple[object, object, int]] = {}
    for name in ("value", "odds"):
        defined = [value for each in scores if (value := each[name]) is not None]
        close = (pytest.approx(fmean(defined)), pytest.approx(pstdev(defined))) if defined else (None, None)
        found[name] = (*close, len(defined))
    return found


def rows_by_part(rows: list[toy.Row], parts: Iterable[toy.Row]) -> list[list[toy.Row]]:
    files: dict[object, set[str]] = {}
    for part, file in parts:
        files.setdefault(part, set()).add(file)
    found = ([row for row in rows if row[0] in names] for names in files.values())
    return [rows for rows in found if rows]


def test_folds_of_an_input_are_averaged() -> None:
    """The fold begins at a relation: `parts` alone has it."""
    found = toy.folds(toy.score(suite="dealt", parts=PARTS))
    wanted = over_folds(rows_by_part(toy.ANSWERS, PARTS))
    assert found == {("part_accuracy", name): values for name, values in wanted.items()}
    assert wanted["value"][2] == 3


def test_folds_of_a_count_parameter_are_averaged() -> None:
    found = toy.folds(toy.score(suite="dealt", params={"n_parts": 2}))
    dealt = [(0, "ann"), (1, "bob"), (0, "cat")]
    wanted = over_folds(rows_by_part(toy.ANSWERS, dealt))
    assert found == {("part_accuracy", name): values for name, values in wanted.items()}


def test_without_input_or_count_there_are_no_folds() -> None:
    found = toy.folds(toy.score(suite="dealt"))
    wanted = part_accuracy(toy.ANSWERS)
    assert found == {("part_accuracy", name): (value, None, None) for name, value in wanted.items()}


ALL_RIGHT = [*toy.ANSWERS, ("dan", "dan", "i1", "yes", "yes", 1.0)]  # no wrong answer: the odds are undefined
SUITE = "suites:\n  own:\n    extends: dealt\n    folds: {%s}\n"


@pytest.mark.parametrize("undefined", ["each", "jointly"])
def test_an_undefined_component_drops_itself_or_the_fold(undefined: str) -> None:
    parts = [*PARTS, (4, "dan")]
    run = toy.score(SUITE % f"undefined: {undefined}", "own", answers=ALL_RIGHT, parts=parts)
    wanted = over_folds(rows_by_part(ALL_RIGHT, parts), jointly=undefined == "jointly")
    assert toy.folds(run) == {("part_accuracy", name): values for name, values in wanted.items()}
    short = {"odds"} if undefined == "each" else {"value", "odds"}
    assert toy.notes(run, "part_accuracy") == {(name,): "undefined in 1 of 4 folds" for name in short}


@pytest.mark.parametrize(("none_left", "value"), [("", None), (", none_left: 0", 0), (", none_left: 1.5", 1.5)])
def test_when_no_fold_is_left(none_left: str, value: float | None) -> None:
    run = toy.score(SUITE % f"undefined: jointly{none_left}", "own", answers=ALL_RIGHT[-1:], parts=[(1, "dan")])
    assert toy.folds(run) == {("part_accuracy", name): (value, None, 0) for name in ("value", "odds")}
    assert set(toy.notes(run).values()) == {"undefined in every fold"}


@pytest.mark.parametrize(
    ("none_left", "value", "odds"),
    [
        ("{part_accuracy: 2}", 2, 2),
        ("{part_accuracy: 2, part_accuracy.odds: 3}", 2, 3),
        ("{part_accuracy.odds: 3, words: 1}", None, 3),
        ("{}", None, None),
    ],
)
def test_when_no_fold_is_left_by_metric_and_component(none_left: str, value: float, odds: float) -> None:
    document = SUITE % f"undefined: jointly, none_left: {none_left}"
    run = toy.score(document, "own", answers=ALL_RIGHT[-1:], parts=[(1, "dan")])
    assert toy.folds(run) == {
        ("part_accuracy", "value"): (value, None, 0),
        ("part_accuracy", "odds"): (odds, None, 0),
    }


def test_when_there_are_no_folds_at_all() -> None:
    run = toy.score(SUITE % "none_left: 0", "own", answers=toy.ANSWERS, parts=[])
    assert toy.folds(run) == {("part_accuracy", name): (0, None, 0) for name in ("value", "odds")}
    assert set(toy.notes(run).values()) == {"undefined: no folds"}


def test_folds_that_are_alike_do_not_deviate() -> None:
    answers = [(f"f{n}", "t", f"i{m}", "a", "a", 1.0 if m else 0.0) for n in range(7) for m in range(10)]
    run = toy.score(suite="dealt", answers=answers, params={"n_parts": 7})
    assert toy.folds(run)["part_accuracy", "value"] == (pytest.approx(0.9), 0, 7)


def test_a_metric_without_the_fold_s_column_is_refused() -> None:
    with pytest.raises(SpecError, match=r"toy\.yaml:\d+:\d+: metric accuracy has no column 'part'"):
        toy.plan(suite="dealt", metrics=["accuracy"], given=["answers", "parts"])


def test_the_fold_s_column_is_no_breakdown() -> None:
    with pytest.raises(UsageError, match="--by part: suite 'dealt' averages over it"):
        toy.plan(suite="dealt", by=["part"], given=["answers", "parts"])


def test_an_optional_input_that_is_absent_is_empty() -> None:
    document = "metrics:\n  own: {extends: topical, from: topics, numerator: count(*)}\n"
    run = toy.score(document, metrics=["own"])
    assert toy.values(run) == {("own", "value"): None}


def test_a_table_that_the_suite_does_not_name_is_absent() -> None:
    document = """
relations:
  own:
    about: Whether the trials are given.
    needs: [answers, trials]
    sql: "SELECT {{ 'true' if trials.given else 'false' }} AS told FROM {{ answers }}"
metrics:
  own: {about: x, kind: ratio, from: own, numerator: count_if(told), denominator: count(*)}
suites:
  own: {about: x, inputs: [answers], metrics: [own]}
"""
    assert toy.values(toy.score(document, "own")) == {("own", "value"): 0}


# -- all together ------------------------------------------------------------------------------------


def test_by_slices_vary_and_folds_together() -> None:
    document = """
metrics:
  sliced:
    extends: part_accuracy
    groups: [[speaker]]
suites:
  own:
    extends: dealt
    metrics: [sliced]
    vary: {voice: [any, own], pass_score: [0.5, 0.85]}
"""
    run = toy.score(document, "own", parts=PARTS, by=["file"])
    wanted = {}
    for voice, pass_score in product(["any", "own"], [0.5, 0.85]):
        heard = own(toy.ANSWERS) if voice == "own" else toy.ANSWERS
        judged = [(*row[:5], 1.0 if is_right(row, pass_score) else -1.0) for row in heard]
        for columns in [(), ("speaker",), ("file",), ("file", "speaker")]:
            for slice_, rows in sliced(judged, *columns).items():
                key = tuple(sorted((*slice_, ("voice", voice), ("pass_score", pass_score))))
                for name, values in over_folds(rows_by_part(rows, PARTS)).items():
                    wanted[("sliced", name, *key)] = values
    assert toy.folds(run) == wanted


# -- the suite that ships ----------------------------------------------------------------------------


@pytest.mark.parametrize("file", first(["alpha_sa1", "alpha_sc2"]))
def test_zerospeech2017_by_file_is_the_score_of_that_file_alone(file: str) -> None:
    corpus = read_case("alpha.jitter")
    names = {
        "phones": ("file", "onset", "offset", "label"),
        "words": ("file", "onset", "offset", "label"),
        "fragments": ("cluster", "file", "onset", "offset"),
    }

    def tables(only: str | None) -> dict[str, pa.Table]:
        found = {}
        for name, columns in names.items():
            rows = [dict(zip(columns, row, strict=True)) for row in getattr(corpus, name)]
            found[name] = pa.Table.from_pylist([row for row in rows if only in (None, row["file"])])
        return found

    whole = scorespec.score("zerospeech2017", **tables(None), by=["file"], keep_evidence=False)
    alone = scorespec.score("zerospeech2017", **tables(file), keep_evidence=False)
    by_file = {key[:2]: value for key, value in toy.values(whole).items() if ("file", file) in key}
    assert by_file == toy.values(alone)
    assert len(by_file) == 23
