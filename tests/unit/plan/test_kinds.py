"""Every kind of metric over the toy domain, against values computed by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import toy
from scorespec.check.documents_checked import verify
from scorespec.errors import SpecError

# Of the seven answers two are right: ann's i1 in file ann, and bob's i2 in file cat.
COUNTED = """
    statistics: {hits: count(*) FILTER (WHERE right_answer), n: count(*)}
    components: {value: "ratio(hits, n)", n: n}
"""


def metric(body: str, name: str = "own") -> str:
    """A document with one metric."""
    return f"metrics:\n  {name}:\n    about: a metric of a test\n{body.rstrip()}\n"


def scored(body: str, **given: Any) -> dict[tuple[Any, ...], float | None]:
    return toy.values(toy.score(metric(body), metrics=["own"], **given), "own")


# -- statistics --------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["", "    unit: [file]\n", "    unit: [file, item, speaker]\n"])
def test_statistics_add_up_whatever_the_unit(unit: str) -> None:
    assert scored(f"    kind: statistics\n    from: marks\n{unit}{COUNTED}") == {("value",): 2 / 7, ("n",): 7}


def test_statistics_of_rows_that_meet_a_condition() -> None:
    body = f"    kind: statistics\n    from: marks\n    where: speaker = 'bob'{COUNTED}"
    assert scored(body) == {("value",): 1 / 4, ("n",): 4}


def test_a_component_may_use_those_above_it() -> None:
    body = """
    kind: statistics
    from: marks
    statistics: {hits: count(*) FILTER (WHERE right_answer), n: count(*)}
    components: {value: "ratio(hits, n)", error: 1 - value}
"""
    assert scored(body)["error",] == 1 - 2 / 7


def test_slices_stand_beside_the_overall_row_and_are_not_crossed() -> None:
    body = f"    kind: statistics\n    from: marks\n    unit: [item]\n    groups: [[file], [speaker]]{COUNTED}"
    assert scored(body) == {
        ("value",): 2 / 7,
        ("n",): 7,
        ("value", ("file", "ann")): 1 / 3,
        ("n", ("file", "ann")): 3,
        ("value", ("file", "bob")): 0,
        ("n", ("file", "bob")): 2,
        ("value", ("file", "cat")): 1 / 2,
        ("n", ("file", "cat")): 2,
        ("value", ("speaker", "ann")): 1 / 3,
        ("n", ("speaker", "ann")): 3,
        ("value", ("speaker", "bob")): 1 / 4,
        ("n", ("speaker", "bob")): 4,
    }


def test_groups_had_another_name() -> None:
    body = f"    kind: statistics\n    from: marks\n    unit: [item]\n    groups: [[file]]{COUNTED}"
    assert len(scored(body)) > 2
    assert scored(body.replace("groups", "slices")) == scored(body)


def test_a_slice_of_two_columns_is_crossed() -> None:
    body = f"    kind: statistics\n    from: marks\n    groups: [[file, speaker]]{COUNTED}"
    crossed = {key[1:]: n for key, n in scored(body).items() if key[0] == "n" and key[1:]}
    assert crossed == {
        (("file", "ann"), ("speaker", "ann")): 2,
        (("file", "ann"), ("speaker", "bob")): 1,
        (("file", "bob"), ("speaker", "bob")): 2,
        (("file", "cat"), ("speaker", "ann")): 1,
        (("file", "cat"), ("speaker", "bob")): 1,
    }


MACRO = "    kind: statistics\n    from: marks\n    unit: [item]\n    then: mean"


def test_mean_of_units_leaves_out_undefined_ones_and_says_so() -> None:
    """i1 1/3, i2 1/3, i3 0/1, i4 has no rows: 0/0."""
    run = toy.score(metric(f"{MACRO}\n    units: topics{COUNTED}"), metrics=["own"], items=toy.ITEMS)
    assert toy.values(run, "own") == {("value",): pytest.approx(2 / 9, abs=1e-15), ("n",): 7 / 4}
    note = "defined in 3 (value), 4 (n) of 4 units"
    assert toy.notes(run, "own") == {("value",): note, ("n",): note}


def test_mean_of_units_that_have_rows() -> None:
    run = toy.score(metric(f"{MACRO}{COUNTED}"), metrics=["own"])
    assert toy.values(run, "own") == {
        ("value",): pytest.approx(2 / 9, abs=1e-15),
        ("n",): pytest.approx(7 / 3),
    }
    assert toy.notes(run, "own") == {}


def test_mean_of_no_units_is_undefined() -> None:
    run = toy.score(metric(f"{MACRO}{COUNTED}"), metrics=["own"], answers=[])
    assert toy.values(run, "own") == {("value",): None, ("n",): None}
    assert toy.notes(run, "own") == {(name,): "undefined: no units" for name in ("value", "n")}


def test_mean_of_units_one_of_which_is_infinite_is_infinite() -> None:
    body = f"{MACRO}\n    statistics: {{total: sum(score)}}\n    components: {{value: total}}"
    answers = [("f", "t", f"i{n}", "a", "a", each) for n, each in enumerate((1.0, float("inf")))]
    run = toy.score(metric(body), metrics=["own"], answers=answers)
    assert (toy.values(run, "own"), toy.notes(run, "own")) == ({("value",): None}, {("value",): "infinite"})


SURE = """
relations:
  surest:
    about: the score of the surest answer
    needs: [marks]
    sql: SELECT max(score) AS top, count(*) AS total FROM {{ marks }} GROUP BY ALL
"""
OF_SLICE = f"""
    given: {{from: surest, values: [top, total]}}{COUNTED}
    of_slice: {{top: top, rest: total - total * top}}
    remarks:
      - {{sql: total > 4, says: many answers}}
      - {{sql: top > 0.8, says: sure}}
"""


@pytest.mark.parametrize("then", ["", "    then: mean\n"])
def test_components_of_a_slice_are_not_averaged_and_have_remarks(then: str) -> None:
    body = f"    kind: statistics\n    from: marks\n    unit: [item]\n{then}{OF_SLICE.lstrip(chr(10))}"
    run = toy.score(metric(body) + SURE, metrics=["own"], by=["speaker"])
    found, notes = toy.values(run, "own"), toy.notes(run, "own")
    of_slice = {key: value for key, value in found.items() if key[0] in ("top", "rest")}
    assert of_slice == {
        ("top",): 0.9,
        ("rest",): pytest.approx(0.7),
        ("top", ("speaker", "ann")): 0.9,
        ("rest", ("speaker", "ann")): pytest.approx(0.3),
        ("top", ("speaker", "bob")): 0.7,
        ("rest", ("speaker", "bob")): pytest.approx(1.2),
    }
    assert notes == {
        ("top",): "many answers",
        ("rest",): "many answers",
        ("top", ("speaker", "ann")): "sure",
        ("rest", ("speaker", "ann")): "sure",
    }
    assert found["value",] == pytest.approx(2 / 9 if then else 2 / 7, abs=1e-15)


def test_a_remark_on_an_undefined_component_stands_in_place_of_the_reason() -> None:
    body = f"    kind: statistics\n    from: marks\n    where: false{OF_SLICE}"
    body = body.replace("total - total * top", "NULL::DOUBLE")
    run = toy.score(metric(body) + SURE, metrics=["own"])
    assert toy.values(run, "own")["rest",] is None
    assert toy.notes(run, "own")["rest",] == "many answers"


def test_components_of_a_slice_need_given_values() -> None:
    body = f"    kind: statistics\n    from: marks{COUNTED}    of_slice: {{top: 1}}\n"
    with pytest.raises(SpecError, match="given"):
        toy.score(metric(body), metrics=["own"])


def test_mean_of_units_in_slices_that_cut_through_units() -> None:
    """Overall a unit is an item, whoever answered; in a slice it is an item as the speaker answered it."""
    found = scored(f"{MACRO}\n    groups: [[speaker]]{COUNTED}")
    assert found == {
        ("value",): pytest.approx((1 / 3 + 1 / 3 + 0) / 3),
        ("n",): pytest.approx(7 / 3),
        ("value", ("speaker", "ann")): pytest.approx((1 / 2 + 0 / 1) / 2),  # i1 once of two, i2
        ("n", ("speaker", "ann")): 3 / 2,
        ("value", ("speaker", "bob")): pytest.approx((0 / 1 + 1 / 2 + 0 / 1) / 3),  # i1, i2, i3
        ("n", ("speaker", "bob")): pytest.approx(4 / 3),
    }


def test_a_slice_by_a_column_of_the_unit_keeps_the_unit() -> None:
    """(item, file) are seven units of one row each, in the overall row as in the slices."""
    found = scored(f"{MACRO}\n    groups: [[file]]{COUNTED}".replace("[item]", "[item, file]"))
    assert found["value",] == pytest.approx(2 / 7)
    assert {key: n for key, n in found.items() if key[0] == "n"} == {
        ("n",): 1,
        ("n", ("file", "ann")): 1,
        ("n", ("file", "bob")): 1,
        ("n", ("file", "cat")): 1,
    }


def test_units_without_rows_are_there_in_each_slice() -> None:
    body = f"{MACRO}\n    units: topics\n    groups: [[speaker]]{COUNTED}"
    found = scored(body, items=toy.ITEMS)
    assert {key: n for key, n in found.items() if key[0] == "n"} == {
        ("n",): 7 / 4,
        ("n", ("speaker", "ann")): 3 / 4,
        ("n", ("speaker", "bob")): 4 / 4,
    }


def test_units_are_there_when_nothing_was_found() -> None:
    body = f"{MACRO}\n    units: topics\n    groups: [[speaker]]{COUNTED}"
    assert scored(body, items=toy.ITEMS, answers=[]) == {("value",): None, ("n",): 0}


def test_units_of_a_metric_that_is_summed() -> None:
    body = f"    kind: statistics\n    from: marks\n    unit: [item]\n    units: topics{COUNTED}"
    run = toy.score(metric(body), metrics=["own"], items=toy.ITEMS)
    assert toy.values(run, "own") == {("value",): 2 / 7, ("n",): 7}


TRIALS = [(None, 30), ("ann", 10), ("bob", 20)]
GIVEN = """
    kind: statistics
    from: marks
    given: {from: trials, values: [asked]}
    statistics: {hits: count(*) FILTER (WHERE right_answer)}
    components: {value: "ratio(hits, asked)"}
"""


def test_what_is_given_is_joined_by_slice_and_never_summed() -> None:
    found = scored(f"    groups: [[speaker], [file]]{GIVEN}", trials=TRIALS)
    assert found == {
        ("value",): 2 / 30,
        ("value", ("speaker", "ann")): 1 / 10,
        ("value", ("speaker", "bob")): 1 / 20,
        ("value", ("file", "ann")): 1 / 30,
        ("value", ("file", "bob")): 0,
        ("value", ("file", "cat")): 1 / 30,
    }


def test_what_is_given_per_scope() -> None:
    found = scored(f"    groups: [[speaker]]{GIVEN}", trials=TRIALS, by=["speaker"])
    assert found == {
        ("value",): 2 / 30,
        ("value", ("speaker", "ann")): 1 / 10,
        ("value", ("speaker", "bob")): 1 / 20,
    }


def test_one_scalar_is_given_to_every_slice_and_unit() -> None:
    body = GIVEN + "    unit: [item]\n    then: mean\n    groups: [[file]]"
    found = scored(body, trials=[(None, 10)])
    assert found["value",] == pytest.approx((1 + 1 + 0) / 10 / 3)
    assert found["value", ("file", "ann")] == pytest.approx((1 + 0 + 0) / 10 / 3)


SEVERAL = "relation {}: `given` reads {}, and it has several: {{'"


@pytest.mark.parametrize("more", ["", "    unit: [item]\n    then: mean\n"])
def test_two_given_rows_end_the_run_with_the_rows(more: str) -> None:
    with pytest.raises(SpecError) as raised:
        scored(GIVEN + more, trials=TRIALS)
    assert SEVERAL.format("trials", "a single row") in str(raised.value)
    assert all(f"'asked': {asked}" in str(raised.value) for _, asked in TRIALS)


def test_two_given_rows_for_one_slice_end_the_run() -> None:
    twice = """relations:
  twice: {about: it, needs: [trials], sql: "SELECT speaker, asked + n AS asked FROM {{ trials }}, range(2) AS t(n)",
    columns: {speaker: it, asked: it}}
"""
    body = f"    groups: [[speaker]]{GIVEN}".replace("from: trials", "from: twice")
    with pytest.raises(SpecError) as raised:
        toy.score(metric(body) + twice, metrics=["own"], trials=TRIALS)
    assert SEVERAL.format("twice", "one row per speaker") in str(raised.value)
    assert str(raised.value).count("'asked': ") == 2


def test_a_slice_without_a_given_scalar_is_undefined() -> None:
    found = scored(f"    groups: [[speaker]]{GIVEN}", trials=TRIALS[:2])
    assert found["value", ("speaker", "bob")] is None


def test_a_slice_that_only_what_is_given_knows_has_every_unit() -> None:
    body = GIVEN + "    unit: [item]\n    units: topics\n    then: mean\n    groups: [[speaker]]"
    found = scored(body, trials=[*TRIALS, ("cy", 5)], items=toy.ITEMS)
    assert found["value", ("speaker", "cy")] == 0
    assert found["value", ("speaker", "bob")] == pytest.approx(1 / 20 / 4)


def test_an_undefined_value_is_null_with_a_note() -> None:
    run = toy.score(metrics=["accuracy", "words"], answers=[("f", "t", "i", None, None, 0.5)][:0])
    assert set(toy.values(run).values()) == {None}
    assert toy.notes(run, "accuracy") == {("value",): "undefined: numerator = 0, denominator = 0"}
    assert "undefined: found = 0" in toy.notes(run, "words")["precision",]


def test_only_sums_that_are_zero_stand_in_a_note() -> None:
    body = """
    kind: statistics
    from: marks
    statistics: {found: count(*) FILTER (WHERE score > 1), gold: count(*)}
    components: {value: "ratio(gold, found)", share: "ratio(found, gold)"}
"""
    run = toy.score(metric(body), metrics=["own"])
    assert toy.values(run, "own") == {("value",): None, ("share",): 0}
    assert toy.notes(run, "own") == {("value",): "undefined: found = 0"}


@pytest.mark.parametrize(
    ("scores", "note"),
    [
        ((float("inf"), 1.0), "infinite"),
        ((-float("inf"), 1.0), "minus infinite"),
        ((float("inf"), -float("inf")), "undefined: not a number"),
    ],
)
def test_an_infinite_value_is_null_with_a_note(scores: tuple[float, ...], note: str) -> None:
    body = """
    kind: statistics
    from: marks
    statistics: {total: sum(score)}
    components: {value: total}
"""
    answers = [("f", "t", f"i{n}", "a", "a", each) for n, each in enumerate(scores)]
    run = toy.score(metric(body), metrics=["own"], answers=answers)
    assert toy.values(run, "own") == {("value",): None}
    assert toy.notes(run, "own") == {("value",): note}


def test_parameters_in_a_metric_s_own_sql() -> None:
    body = f"    kind: statistics\n    from: marks\n    where: score > {{{{ pass_score }}}}{COUNTED}"
    assert scored(body)["n",] == 4
    assert scored(body, params={"pass_score": 0.75})["n",] == 2


def test_a_formula_reads_a_parameter_that_no_relation_reads() -> None:
    counted = COUNTED.replace("n: n}", 'n: "n * {{ price }}"}')
    own = metric(f"    kind: statistics\n    from: marks{counted}")
    text = f"parameters:\n  price: {{type: BIGINT, default: 2, about: price of an answer}}\n{own}"
    for params, price in (({}, 2), ({"price": 3}, 3)):
        run = toy.score(text, metrics=["own"], params=params, answers=toy.ANSWERS)
        assert toy.values(run, "own")["n",] == 7 * price


@pytest.mark.parametrize("written", ["{{ no_such }}", "score > {{ no_such }}"])
def test_an_unknown_variable_is_refused(written: str) -> None:
    body = f"    kind: statistics\n    from: marks\n    where: '{written}'{COUNTED}"
    with pytest.raises(SpecError, match=r"^own\.yaml:7:12: template: 'no_such' is undefined"):
        scored(body)


# -- overlap -----------------------------------------------------------------------------------------

OVERLAP = "    kind: overlap\n    found: said_words\n    gold: wanted_words\n    match_on: [word]\n"


def prf(found: dict[tuple[Any, ...], float | None], *slice_: Any) -> tuple[float | None, ...]:
    return tuple(found[(name, *slice_)] for name in ("precision", "recall", "fscore"))


def test_overlap_counts_distinct_elements_and_null_matches_nothing() -> None:
    """Said: yes, no, Dog, nothing. Wanted: yes, cat, dog, nothing. In both: yes."""
    assert prf(scored(OVERLAP)) == (1 / 4, 1 / 4, 1 / 4)


def test_overlap_of_elements_that_meet_a_condition() -> None:
    assert prf(scored(OVERLAP + "    where: word <> 'no'")) == (1 / 2, 1 / 3, pytest.approx(2 / 5))


def test_overlap_with_a_unit_counts_an_element_once_in_each() -> None:
    """ann: 3 said, 2 wanted, 1 both; bob: 2, 2, 1; cat: 1, 2, 1."""
    assert prf(scored(OVERLAP + "    unit: [file]")) == (3 / 6, 3 / 6, 1 / 2)


def test_overlap_rebuilds_its_sets_in_a_standing_slice() -> None:
    found = scored(OVERLAP + "    groups: [[file]]")
    assert prf(found) == (1 / 4, 1 / 4, 1 / 4)
    assert prf(found, ("file", "ann")) == (1 / 3, 1 / 2, pytest.approx(2 / 5))
    assert prf(found, ("file", "bob")) == (1 / 2, 1 / 2, 1 / 2)
    assert prf(found, ("file", "cat")) == (1, 1 / 2, pytest.approx(2 / 3))


def test_overlap_at_the_edges() -> None:
    """F is undefined when precision or recall is, and 0 when both are 0."""
    neither = [("f", "t", "i", "a", "b", 1.0)]
    assert prf(scored(OVERLAP, answers=neither)) == (0, 0, 0)
    assert prf(scored(OVERLAP + "    where: word <> 'b'", answers=neither)) == (0, None, None)


# -- mean and ratio ----------------------------------------------------------------------------------


def test_mean_weighs_rows_and_reports_their_weight() -> None:
    body = """
    kind: mean
    from: marks
    value: score
    weight: if(right_answer, 3, 1)
    count: weights
    unit: [file]
"""
    total = 3 * (0.9 + 0.5) + 0.8 + 0.1 + 0.4 + 0.7 + 0.6
    assert scored(body) == {("value",): pytest.approx(total / 11), ("weights",): 11}


def test_mean_is_over_the_rows_that_have_a_value() -> None:
    body = "    kind: mean\n    from: marks\n    value: nullif(score, 0.9)\n    count: n"
    assert scored(body) == {("value",): pytest.approx(3.1 / 6), ("n",): 6}


def test_mean_where_and_slices() -> None:
    body = "    kind: mean\n    from: marks\n    value: score\n    where: item <> 'i3'\n    groups: [[speaker]]"
    assert scored(body) == {
        ("value",): pytest.approx(3.9 / 6),
        ("value", ("speaker", "ann")): pytest.approx(2.3 / 3),
        ("value", ("speaker", "bob")): pytest.approx(1.6 / 3),
    }


def test_mean_of_no_rows_is_undefined() -> None:
    body = "    kind: mean\n    from: marks\n    value: score\n    count: n"
    assert scored(body, answers=[]) == {("value",): None, ("n",): 0}


def test_ratio_sums_before_it_divides() -> None:
    body = """
    kind: ratio
    from: marks
    numerator: count(*) FILTER (WHERE right_answer)
    denominator: count(*) FILTER (WHERE NOT right_answer)
    unit: [file]
    groups: [[file]]
"""
    assert scored(body) == {
        ("value",): 2 / 5,
        ("value", ("file", "ann")): 1 / 2,
        ("value", ("file", "bob")): 0,
        ("value", ("file", "cat")): 1,
    }


# -- formula -----------------------------------------------------------------------------------------

GAIN = metric(
    """
    kind: formula
    of: {plain: accuracy, strict: accuracy(pass_score=0.8)}
    components: {value: plain.value - strict.value, relative: "ratio(plain.value, strict.value)"}
"""
)


def test_formula_over_calls_with_parameters() -> None:
    found = toy.values(toy.score(GAIN, metrics=["own"]), "own")
    assert found == {("value",): pytest.approx(1 / 7), ("relative",): 2}


def test_parameters_of_a_formula_reach_its_metrics_but_not_past_their_own() -> None:
    run = toy.score(GAIN, metrics=["own(pass_score=0.95)"], params={"pass_score": 0.3})
    assert toy.values(run, "own(pass_score=0.95)")["value",] == pytest.approx(0 - 1 / 7)


def test_formula_with_slices_takes_the_overall_value_of_what_has_none() -> None:
    document = metric(f"    kind: statistics\n    from: marks\n    groups: [[file]]{COUNTED}", "sliced")
    document += """
  lift:
    about: sliced against overall
    kind: formula
    of: {part: sliced, whole: accuracy}
    components: {value: part.value - whole.value}
  drop:
    about: only overall, as its first metric
    kind: formula
    of: {whole: accuracy, part: sliced}
    components: {value: part.value - whole.value}
  lift_of_lift:
    about: a formula of formulas
    kind: formula
    of: {one: lift, two: sliced, three: drop}
    components: {value: one.value - two.value + three.value}
"""
    run = toy.score(document, metrics=["lift", "drop", "lift_of_lift"])
    slices = {(): 2 / 7, (("file", "ann"),): 1 / 3, (("file", "bob"),): 0, (("file", "cat"),): 1 / 2}
    assert toy.values(run, "lift") == {("value", *key): pytest.approx(v - 2 / 7) for key, v in slices.items()}
    assert toy.values(run, "drop") == {("value",): 0}
    assert toy.values(run, "lift_of_lift") == {("value", *key): pytest.approx(-2 / 7) for key in slices}


def test_formula_over_something_undefined_says_why() -> None:
    run = toy.score(GAIN, metrics=["own"], answers=[])
    assert toy.values(run, "own") == {("value",): None, ("relative",): None}
    assert "denominator = 0" in toy.notes(run, "own")["value",]


def test_formulas_that_refer_to_each_other_are_refused() -> None:
    loop = "    kind: formula\n    of: {{m: {}}}\n    components: {{value: m.value}}\n"
    document = metric(loop.format("two"), "one") + metric(loop.format("one"), "two").removeprefix("metrics:\n")
    with pytest.raises(SpecError, match="one of two of one: a cycle") as caught:
        toy.score(document, metrics=["one"])
    assert str(caught.value).startswith("own.yaml:")
    with pytest.raises(SpecError, match="own of own: a cycle"):
        toy.score(metric(loop.format("own")), metrics=["own"])


def test_formula_of_an_unknown_metric_names_the_nearest() -> None:
    body = "    kind: formula\n    of: {m: acuracy}\n    components: {value: m.value}"
    with pytest.raises(SpecError, match=r"own\.yaml:6:13: unknown metric 'acuracy'; did you mean 'accuracy'"):
        toy.score(metric(body), metrics=["own"])


# -- four shapes -------------------------------------------------------------------------------------

TWV = """
metrics:
  twv:
    about: 1 - P(miss) - 10 P(false alarm), averaged over items, also those that nobody answered.
    kind: statistics
    from: marks
    unit: [item]
    units: wanted_items
    given: {from: trials, values: [asked]}
    groups: [[speaker]]
    statistics:
      hits: count(*) FILTER (WHERE right_answer)
      false_alarms: count(*) FILTER (WHERE NOT right_answer)
    components: {value: "1 - (1 - hits) - 10 * ratio(false_alarms, asked - 1)"}
    then: mean
relations:
  wanted_items:
    about: The items that are scored.
    needs: [items]
    sql: SELECT DISTINCT item FROM {{ items }}
    columns: {item: what is asked}
"""
BEST = """
metrics:
  best_accuracy:
    about: The accuracy of each item at its own best threshold, averaged over items.
    kind: sweep
    from: marks
    score: score
    unit: [item]
    units: topics
    statistics: {hits: count(*) FILTER (WHERE right_answer), accepted: count(*)}
    components: {value: "ratio(hits, accepted)"}
    best: max value
    per: unit
    then: mean
"""
COUNTS = """
metrics:
  counts:
    about: Answers right and wrong, by speaker and by file.
    kind: statistics
    from: marks
    unit: [file]
    groups: [[speaker], [file]]
    statistics:
      right_ones: count(*) FILTER (WHERE right_answer)
      wrong_ones: count(*) FILTER (WHERE NOT right_answer)
    components: {right_ones: right_ones, wrong_ones: wrong_ones}
"""
RELATIVE = """
relations:
  baseline_marks:
    extends: marks
    about: What a baseline that always answers yes would get.
    sql: >
      SELECT file, speaker, item, 1.0::DOUBLE AS score,
      coalesce(wanted = 'yes', false) AS right_answer
      FROM {{ answers }}
    columns: {score: always 1}
metrics:
  error:
    about: The mean error.
    kind: mean
    from: marks
    value: if(right_answer, 0, 1)
    groups: [[speaker]]
  baseline_error:
    extends: error
    from: baseline_marks
    groups: []
  relative_error:
    about: The error, relative to the mean error of the baseline.
    kind: formula
    of: {own: error, baseline: baseline_error}
    components: {value: "ratio(own.value, baseline.value)"}
"""


@pytest.mark.slow
@pytest.mark.parametrize("document", [TWV, BEST, COUNTS, RELATIVE], ids=["twv", "best", "counts", "relative"])
def test_check_accepts_the_shape(document: str, tmp_path: Path) -> None:
    for each in toy.TOY.iterdir():
        (tmp_path / each.name).write_bytes(each.read_bytes())
    (tmp_path / "own.yaml").write_text(f"domain: toy\n{document}", encoding="utf-8")
    assert verify(tmp_path).documents == 2


def test_a_term_weighted_value_over_queries_some_of_which_nobody_answered() -> None:
    run = toy.score(TWV, metrics=["twv"], items=toy.ITEMS, trials=TRIALS)
    # (hits, false alarms) of i1 to i4
    counted: dict[tuple[Any, ...], tuple[int, list[tuple[int, int]]]] = {
        (): (30, [(1, 2), (1, 2), (0, 1), (0, 0)]),
        (("speaker", "ann"),): (10, [(1, 1), (0, 1), (0, 0), (0, 0)]),
        (("speaker", "bob"),): (20, [(0, 1), (1, 1), (0, 1), (0, 0)]),
    }
    assert toy.values(run, "twv") == {
        ("value", *key): pytest.approx(sum(1 - (1 - h) - 10 * f / (asked - 1) for h, f in items) / 4)
        for key, (asked, items) in counted.items()
    }


def test_counts_with_two_standing_breakdowns() -> None:
    found = toy.values(toy.score(COUNTS, metrics=["counts"]), "counts")
    assert {key[1:]: (n, found[("wrong_ones", *key[1:])]) for key, n in found.items() if key[0] == "right_ones"} == {
        (): (2, 5),
        (("speaker", "ann"),): (1, 2),
        (("speaker", "bob"),): (1, 3),
        (("file", "ann"),): (1, 2),
        (("file", "bob"),): (0, 2),
        (("file", "cat"),): (1, 1),
    }


def test_a_score_relative_to_a_baseline_s_mean_error() -> None:
    """Wanted is yes in 4 of 7: the baseline's mean error is 3/7 in every row."""
    found = toy.values(toy.score(RELATIVE, metrics=["relative_error"]), "relative_error")
    assert found == {
        ("value",): pytest.approx(5 / 7 / (3 / 7)),
        ("value", ("speaker", "ann")): pytest.approx(2 / 3 / (3 / 7)),
        ("value", ("speaker", "bob")): pytest.approx(3 / 4 / (3 / 7)),
    }
