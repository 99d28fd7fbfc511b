"""The proof of ways to divide steps finds those that are false."""

from __future__ import annotations

import pytest
import toy

from dividing.proof import prove
from scorespec.plan.division import with_splits

INPUTS = {
    "answers": toy.rows("answers", [(f"f{n % 25}", f"t{n % 4}", f"i{n % 3}", "yes", "yes", n / 7) for n in range(90)]),
    "items": toy.rows("items", [(f"i{n}", f"topic{n % 2}") for n in range(5)]),
}
RELATION = """
relations:
  own:
    about: it
    needs: [answers, items]
    split_by: {split_by}
    sql: "{sql}"
    columns: {{{columns}}}
metrics:
  own: {{about: it, kind: statistics, from: own, statistics: {{sum: count(*)}}, components: {{sum: sum}}}}
"""


def faults(split_by: str, sql: str, columns: str = "file: it, talker: it", **asked: object) -> list[str]:
    document = RELATION.format(split_by=split_by, sql=sql, columns=columns)
    return prove(toy.plan(document, metrics=["own"], given=INPUTS, **asked), INPUTS).faults


NUMBERED = "SELECT file, row_number() OVER (PARTITION BY file ORDER BY score) AS n FROM {{ answers }}"
COUNTED = "SELECT item, count(file) AS answered FROM {{ items }} LEFT JOIN {{ answers }} USING (item) GROUP BY ALL"


@pytest.mark.parametrize(
    ("split_by", "sql", "columns"),
    [
        ("file", NUMBERED, "file: it, n: it"),
        ("[item]", COUNTED, "item: it, answered: it"),
        ("{answers: rows}", "SELECT file, talker FROM {{ answers }} SEMI JOIN {{ items }} USING (item)", "file: it"),
        ("{answers: file, own: name}", "SELECT file AS name, talker AS file FROM {{ answers }}", "name: it, file: it"),
    ],
)
def test_true_ways(split_by: str, sql: str, columns: str) -> None:
    assert faults(split_by, sql, columns) == []


@pytest.mark.parametrize(
    ("split_by", "sql", "columns", "said"),
    [
        ("talker", NUMBERED, "file: it, n: it", "relation own by {'answers': 'talker'}: the parts have "),
        ("{answers: rows}", NUMBERED, "file: it, n: it", "relation own by {'answers': 'rows'}: the parts have "),
        ("{answers: item}", COUNTED, "item: it, answered: it", "relation own by {'answers': 'item'}: the parts have "),
        (
            "{answers: file, own: talker}",
            "SELECT file, talker FROM {{ answers }}",
            "file: it, talker: it",
            "relation own by {'answers': 'file'}: rows are not in the part of their file and talker",
        ),
        (
            "file",
            "SELECT talker AS file FROM {{ answers }}",
            "file: it",
            "relation own by {'answers': 'file'}: rows are not in the part of their file",
        ),
    ],
)
def test_a_false_way_is_found(split_by: str, sql: str, columns: str, said: str) -> None:
    found = faults(split_by, sql, columns)
    assert any(each.startswith(said) for each in found), found


ADDED = (
    "SELECT item, {sum}::HUGEINT AS told FROM {{{{ answers }}}} SEMI JOIN {{{{ items }}}} USING (item) GROUP BY item"
)


def test_rows_of_parts_are_added_up() -> None:
    sums = "{answers: rows}\n    sums: [told]"
    assert faults(sums, ADDED.format(sum="count(*)"), "item: it, told: it") == []
    (said,) = faults(sums, ADDED.format(sum="max(line)"), "item: it, told: it")
    assert said.startswith("relation own by {'answers': 'rows'}: the parts have ")


def test_a_relation_that_mixes_the_slices_of_a_breakdown_is_found() -> None:
    sql = "SELECT file, row_number() OVER (ORDER BY score, file) AS n FROM {{ answers }}"
    (said,) = faults("[]", sql, "file: it, n: it", by=["talker"])
    assert said.startswith("relation own by {'table answers': 'by_talker'}: the parts have ")
    assert faults("whole", sql, "file: it, n: it", by=["talker"]) == []


def test_a_way_that_leaves_all_rows_in_one_part_is_named() -> None:
    document = RELATION.format(split_by="said", sql="SELECT DISTINCT said FROM {{ answers }}", columns="said: it")
    proof = prove(toy.plan(document, metrics=["own"], given=INPUTS), INPUTS)
    assert proof.idle == ["relation own by {'answers': 'said'}"]


def test_a_column_called_rows_divides_like_any_other() -> None:
    document = RELATION.format(split_by="file", sql="SELECT file AS rows, file FROM {{ answers }}", columns="rows: it")
    plan = toy.plan(document.replace("from: own,", "from: own, unit: [rows],"), metrics=["own"], given=INPUTS)
    divided = [split.reads for step in with_splits(plan).steps for split in step.splits]
    assert any("rows" in reads.values() for reads in divided)
    assert prove(plan, INPUTS).faults == []
