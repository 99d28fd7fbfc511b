"""Ways to divide a step: those that a document declares, and those that the engine derives."""

from __future__ import annotations

import duckdb
import pytest
import toy

from scorespec.errors import SpecError
from scorespec.plan.division import with_splits
from scorespec.plan.plan import ROWS, Split, Step, part_of

DIVIDED = """
columns:
  speaker: {about: who speaks, same_as: talker, unless: lenient}
relations:
  judged:
    about: Each answer.
    needs: [answers]
    split_by: rows
    sql: SELECT file, talker, item, score, said = wanted AS right_answer FROM {{ answers }}
    columns: {file: it, talker: it, item: it, score: it, right_answer: it}
  spoken:
    about: The number of judged of each speaker.
    needs: [judged]
    params: [lenient]
    split_by: %s
    sql: >-
      SELECT talker AS speaker, item, count(*) AS answers, {{ lenient }} AS lenient
      FROM {{ judged }} GROUP BY ALL
    columns: {speaker: it, item: it, answers: it}
  joined:
    about: The items of speakers.
    needs: [spoken, judged, items]
    split_by: %s
    sql: >-
      SELECT speaker, answers, topic FROM {{ spoken }} JOIN {{ items }} USING (item)
      SEMI JOIN {{ judged }} AS mark USING (item)
    columns: {speaker: it, answers: it, topic: it}
metrics:
  spoken:
    {about: it, kind: statistics, from: joined, unit: [speaker], statistics: {sum: sum(answers)},
     components: {sum: sum}}
"""


def steps(spoken: str = "talker", joined: str = "item", **asked: object) -> dict[str, Step]:
    plan = with_splits(toy.plan(DIVIDED % (spoken, joined), metrics=["spoken"], given=["answers", "items"], **asked))
    return {step.label.split(" ", 1)[1]: step for step in plan.steps}


def ways(step: Step, found: dict[str, Step]) -> list[tuple[dict[str, str | None], set[str]]]:
    """The ways to divide a step, with the labels of the steps that it reads."""
    names = {each.physical: label for label, each in found.items()}
    return [({names.get(t, t): key for t, key in each.reads.items()}, {*each.result}) for each in step.splits]


def test_rows_by_themselves_keep_their_columns() -> None:
    found = steps()
    assert found["judged"].splits == (Split({"answers": ROWS}, frozenset({"file", "talker", "item", "score"})),)
    assert ways(found["joined"], found)[-2:] == [
        ({"spoken": None, "judged": None, "items": ROWS}, {"topic"}),
        ({"spoken": ROWS, "judged": None, "items": None}, {"speaker", "answers"}),
    ]


def test_a_column_divides_every_need_that_has_it() -> None:
    found = steps()
    assert ({"spoken": "item", "judged": "item", "items": "item"}, set()) in ways(found["joined"], found)
    assert ways(found["spoken"], found) == [({"judged": "item"}, {"item"}), ({"judged": "talker"}, {"speaker"})]


def test_an_alias_is_a_column_with_the_same_values() -> None:
    found = steps(joined="talker")
    assert ({"spoken": "speaker", "judged": "talker", "items": None}, {"speaker"}) in ways(found["joined"], found)


def test_an_alias_holds_unless_its_parameter_is_true() -> None:
    found = steps(joined="talker", params={"lenient": True})
    assert ({"spoken": None, "judged": "talker", "items": None}, set()) in ways(found["joined"], found)


def test_each_need_can_be_divided_by_a_column_of_its_own() -> None:
    found = steps(joined="[item, {spoken: answers, judged: score, joined: topic}, {items: rows}]")
    for way in (
        ({"spoken": "item", "judged": "item", "items": "item"}, set()),
        ({"spoken": "answers", "judged": "score", "items": None}, {"topic"}),
        ({"spoken": None, "judged": None, "items": ROWS}, {"topic"}),
    ):
        assert way in ways(found["joined"], found)


def test_the_columns_of_a_breakdown_are_derived() -> None:
    found = steps(by=["file"])
    assert ways(found["answers"], found) == [
        ({"answers": "file"}, {"file", "by_file"}),
        ({"answers": ROWS}, {"line", "file", "talker", "item", "said", "wanted", "score"}),
    ]
    assert ({"spoken": "by_file", "judged": "by_file", "items": None}, {"by_file"}) in ways(found["joined"], found)
    assert ways(found["spoken, statistics per unit"], found) == [
        ({"joined": "by_file"}, {"by_file"}),
        ({"joined": "speaker"}, {"speaker"}),
    ]
    assert ways(found["spoken, scores"], found) == [
        ({"spoken, statistics per unit": "by_file", "spoken, slices": "by_file"}, {"by_file"})
    ]


def test_a_relation_that_is_whole_is_not_divided_by_a_breakdown_either() -> None:
    assert steps(joined="whole", by=["file"])["joined"].splits == ()


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("speech", "no need that is divided by 'speech' has this column; did you mean 'speaker'?"),
        ("{judged: answers}", "no need that is divided by 'answers' has this column; did you mean 'right_answer'?"),
        ("{answers: file}", "unknown need 'answers'; known: items, judged, spoken"),
        ("rows", "`rows` must name its need: {spoken: rows}"),
        ("{spoken: rows, judged: item}", "`rows` must be the only entry: all other needs are given whole"),
        ("[whole, item]", "`whole` must be the only entry: it says that the relation cannot be divided"),
    ],
)
def test_a_declaration_that_fits_no_need_is_refused(written: str, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        steps(joined=written)
    assert said in str(caught.value)
    assert str(caught.value).startswith("own.yaml:24:15")


@pytest.mark.parametrize("parts", [2, 7])
def test_equal_numbers_are_in_one_part_whatever_their_types(parts: int) -> None:
    types = ("BIGINT", "DOUBLE", "HUGEINT", "UTINYINT", "DECIMAL(12,3)", "INTEGER", "FLOAT")
    listed = ", ".join(f"(SELECT {part_of('v', type_, parts)} FROM (SELECT 12::{type_} AS v))" for type_ in types)
    (found,) = duckdb.sql(f"SELECT {listed}").fetchall()
    assert len({*found}) == 1
    assert 0 <= found[0] < parts
    null = duckdb.sql(f"SELECT DISTINCT {part_of('v', 'VARCHAR', parts)} FROM (VALUES (NULL), (NULL)) AS t(v)")
    assert len(null.fetchall()) == 1
