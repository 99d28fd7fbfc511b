"""Steps that make sums are two steps in a run in parts: sums of each part, and their totals."""

from __future__ import annotations

import pytest
import toy

from scorespec.errors import SpecError
from scorespec.parts.stages import with_partial_sums
from scorespec.plan.division import with_splits
from scorespec.plan.plan import ROWS, Split, Step

ADDED = """
relations:
  judged:
    about: Each answer.
    needs: [answers]
    split_by: {judged}
    sql: SELECT talker, item, score, (said = wanted)::HUGEINT AS right_answer FROM {{{{ answers }}}}
    columns: {{talker: it, item: it, score: it, right_answer: it}}
  counted:
    about: The number of answers to each item.
    needs: [judged]
    {split_by}
    sums: [{sums}]
    sql: SELECT item, sum(right_answer) AS answers FROM {{{{ judged }}}} GROUP BY ALL
    columns: {{item: it, answers: it}}
  by_score:
    about: The right answers with each score.
    needs: [judged]
    split_by: rows
    sums: [right_answer]
    sql: SELECT score, sum(right_answer) AS right_answer FROM {{{{ judged }}}} GROUP BY ALL
    columns: {{score: it, right_answer: it}}
metrics:
  counted:
    {{about: it, kind: statistics, from: counted, statistics: {{sum: sum(answers)}}, components: {{sum: sum}}}}
  swept:
    about: it
    kind: sweep
    from: judged
    score: score
    statistics: {{hits: sum(right_answer)}}
    components: {{hits: hits}}
    best: max hits
    curve: {{marks: {{first: item = 'i1'}}}}
  swept_sums: {{extends: swept, summed: by_score}}
"""


def steps(judged: str = "rows", split_by: str = "split_by: rows", sums: str = "answers", **asked: object) -> list[Step]:
    document = ADDED.format(judged=judged, split_by=split_by, sums=sums)
    plan = toy.plan(document, metrics=["counted", "swept", "swept_sums"], given=["answers"], **asked)
    return [*with_partial_sums(with_splits(plan)).steps]


def labels(found: list[Step]) -> list[str]:
    return [each.label.split(" ", 1)[1] for each in found]


def test_sums_of_parts_are_added_up_by_a_further_step() -> None:
    found = steps()
    at = labels(found).index("counted")
    judged, partial, total = found[at - 2 : at + 1]
    assert partial.label == "relation counted, in each part"
    assert Split({judged.physical: ROWS}, frozenset({"item"})) in partial.splits
    assert (total.reads, total.view) == ({partial.physical}, False)
    assert total.splits == (Split({partial.physical: "item"}, frozenset({"item"})),)
    assert total.sql.startswith('SELECT * REPLACE (sum("answers") AS "answers")\n')


def test_a_sweep_reads_a_row_for_each_score() -> None:
    found = dict(zip(labels(steps()), steps(), strict=True))
    assert not found["swept, sums per score, in each part"].view
    assert found["swept, running sums"].reads == {found["swept, sums per score"].physical}
    assert [way.result for way in found["swept, sums per score"].splits] == [{"threshold"}]
    sums = [step for step in steps(by=["talker"]) if (step.name, step.detail) == ("swept", "sums per score")]
    by = [way.result for step in sums for way in step.splits]
    assert by == [{"threshold"}, {"threshold"}, {"by_talker"}]


def test_a_sweep_over_sums_by_score_adds_them_up_in_the_same_parts() -> None:
    found = dict(zip(labels(steps()), steps(), strict=True))
    assert "swept_sums, sums per score, in each part" not in found
    (way,) = found["swept_sums, sums per score"].splits
    assert way.reads == {found["by_score"].physical: "score"}
    document = ADDED.format(judged="rows", split_by="split_by: rows", sums="answers")
    run = toy.score(document, metrics=["swept", "swept_sums"])
    assert toy.values(run, "swept") == toy.values(run, "swept_sums") == {("hits",): 3, ("threshold",): 0.1}


def test_sums_over_a_whole_table_are_one_step() -> None:
    found = steps(judged="whole")
    assert "counted, in each part" not in labels(found)
    assert all(step.splits == () for step in found if step.detail == "sums per score")


@pytest.mark.parametrize(
    ("split_by", "sums", "said"),
    [
        ("split_by: rows", "answered", "own.yaml:14:12: unknown column 'answered'; did you mean 'answers'?"),
        ("", "answers", "own.yaml:14:11: `sums` are added up over parts: say in `split_by` how these are made"),
        (
            "split_by: whole",
            "answers",
            "own.yaml:14:11: `sums` are added up over parts: say in `split_by` how these are",
        ),
    ],
)
def test_sums_that_nothing_adds_up_are_refused(split_by: str, sums: str, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        steps(split_by=split_by, sums=sums)
    assert str(caught.value).startswith(said)
