"""--by with a column of the user's own, or one that may be missing, of a table that allows other columns."""

from __future__ import annotations

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import scorespec
from marks import first
from scorespec.errors import InputError, UsageError

DOCUMENT = """\
domain: own
tables:
  answers:
    about: What was answered.
    columns: {item: {type: VARCHAR}, good: {type: BIGINT}, hall: {type: VARCHAR, nullable: true}}
    other_columns: true
    duplicates: keep
    formats: [csv, kwlist, parquet]
  plain:
    about: The same, and no other columns.
    columns: {item: {type: VARCHAR}, good: {type: BIGINT}}
    duplicates: keep
    formats: [csv]
relations:
  marks: {about: The marks., needs: [answers], sql: "SELECT item, good FROM {{ answers }}"}
  plain_marks: {about: The marks., needs: [plain], sql: "SELECT item, good FROM {{ plain }}"}
metrics:
  share: &share
    about: How many are good.
    kind: statistics
    from: marks
    unit: [item]
    statistics: {good: sum(good), all_of_them: count(*)}
    components: {value: good / all_of_them}
  plain_share: {<<: *share, from: plain_marks}
suites:
  quiz_of_mine: {about: A quiz., inputs: [answers], metrics: [share]}
  plain_quiz: {about: A quiz., inputs: [plain], metrics: [plain_share]}
"""
ROWS = {"item": ["a", "b", "c"], "good": [1, 0, 1], "level": [1, 1, 2], "hall": ["x", "x", "x"]}


@pytest.fixture
def specs(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(DOCUMENT.replace("&share", "").replace("<<: *share, ", "extends: share, "))
    return path


@pytest.fixture
def answers(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("level,item,good,hall\n1,a,1,x\n1,b,0,x\n2,c,1,x\n")
    return path


def values(run):
    return {tuple(row["slice"].items()): row["value"] for row in run.table()}


def test_a_column_of_the_file(specs, answers):
    run = scorespec.score("quiz_of_mine", specs=specs, answers=answers, by=["level", "hall"])
    assert values(run) == {
        (): 2 / 3,
        (("level", "1"),): 0.5,
        (("level", "2"),): 1.0,
        (("hall", "x"),): 2 / 3,
    }
    assert scorespec.score("quiz_of_mine", specs=specs, answers=answers).signature == run.signature


@pytest.mark.parametrize("kind", first(["parquet", "arrow", "reader", "pandas", "polars", "duckdb"], 2))
def test_a_column_of_other_inputs(specs, tmp_path, kind):
    table = pa.table(ROWS)
    path = tmp_path / "a.parquet"
    pq.write_table(table, path)
    con = duckdb.connect()
    given = {
        "parquet": lambda: path,
        "arrow": lambda: table,
        "reader": table.to_reader,
        "pandas": lambda: pd.DataFrame(ROWS),
        "polars": lambda: pl.DataFrame(ROWS),
        "duckdb": lambda: con.from_arrow(table),
    }[kind]()
    run = scorespec.score("quiz_of_mine", specs=specs, answers=given, by="level")
    assert values(run)[("level", "1"),] == 0.5
    con.close()


def test_in_no_row_may_it_be_missing(specs, answers):
    answers.write_text("level,item,good,hall\n1,a,1,\n,b,0,x\n")
    with pytest.raises(InputError, match=r"a\.csv:2: hall is missing; --by hall needs it in each row$"):
        scorespec.score("quiz_of_mine", specs=specs, answers=answers, by="hall")


def test_a_column_that_is_not_there(specs, answers, tmp_path):
    with pytest.raises(UsageError, match=r"^unknown column 'levels' in --by; did you mean 'level'\?$"):
        scorespec.score("quiz_of_mine", specs=specs, answers=answers, by=["level", "levels"])
    answers.write_text("item,good\na,1\n")
    with pytest.raises(UsageError, match=r"^--by hall: it may be missing in 'answers', so a row might have no slice$"):
        scorespec.score("quiz_of_mine", specs=specs, answers=answers, by="hall")
    with pytest.raises(UsageError, match=r"^unknown column 'level' in --by; "):
        scorespec.score("plain_quiz", specs=specs, plain=answers, by="level")
    with pytest.raises(InputError, match="no such file"):
        scorespec.score("quiz_of_mine", specs=specs, answers=tmp_path / "none.csv", by="level")


def test_several_rows_of_a_line_repeat_each_other(specs, tmp_path):
    own = specs.read_text().replace("other_columns: true\n    duplicates: keep", "key: [query]")
    specs.write_text(
        own.replace("item", "query").replace("good: {type: BIGINT}", "good: {type: BIGINT, nullable: true}")
    )
    path = tmp_path / "a.xml"
    path.write_text('<kwlist><kw kwid="a"/><kw kwid="b"/><kw kwid="a"/></kwlist>')
    with pytest.raises(InputError, match=r"a\.xml:1: repeats an earlier line: query a$"):
        scorespec.score("quiz_of_mine", specs=specs, answers=path)
