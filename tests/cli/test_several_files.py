"""Inputs as users have them: patterns, partitioned folders, several files, standard input, DuckDB files, mappings."""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from command_line import Command

import scorespec
from marks import first, only
from scorespec.errors import InputError, UsageError

SUITE = "quiz"
DOCUMENT = """\
domain: quizzes
tables:
  answers:
    about: One row per answer.
    columns: {item: {type: VARCHAR}, good: {type: BIGINT}, weight: {type: DOUBLE, nullable: true}}
    other_columns: true
    key: [item]
    min_rows: 1
    formats: [csv, tsv, parquet]
    checks: [{sql: "good IN (0, 1)", says: "good is {good}; it must be 0 or 1"}]
relations:
  marks: {about: The marks., needs: [answers], sql: "SELECT item, good, line FROM {{ answers }}"}
metrics:
  share:
    about: Proportion of answers that are good.
    kind: statistics
    from: marks
    unit: [item]
    statistics: {good: sum(good), all_of_them: count(*)}
    components: {value: good / all_of_them}
suites:
  quiz: {about: A quiz., inputs: [answers], metrics: [share], keep: {marks: marks}}
"""


@pytest.fixture
def quiz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Scores answers; the current folder is empty apart from the document."""
    (tmp_path / "quiz.yaml").write_text(DOCUMENT, "utf-8")
    monkeypatch.chdir(tmp_path)
    return lambda answers, **asked: scorespec.score(SUITE, specs="quiz.yaml", answers=answers, **asked)


def put(name: str, text: str) -> str:
    """Write a file of the current folder; `.parquet` from the same text as `.csv`. Returns its name."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        pq.write_table(pa.csv.read_csv(io.BytesIO(text.encode())), path)
    else:
        path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return name


def refusal(quiz: Callable[..., Any], answers: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        quiz(answers)
    return caught.value


def values(run: Any) -> dict[Any, float]:
    return {tuple(row["slice"].values()): round(row["value"], 6) for row in run.table()}


@pytest.mark.parametrize("suffix", only(["csv", "parquet"], ["csv", "csv.gz", "tsv", "parquet"]))
@pytest.mark.parametrize("given", first(["dets/*/*", "dets/**/*.{}", "dets", "dets/"], 1))
def test_keys_of_folders_are_columns(quiz: Any, suffix: str, given: str) -> None:
    tab = "\t" if suffix == "tsv" else ","
    put(f"dets/lang=en/a.{suffix}", "item,good\na,1\nb,0\n".replace(",", tab))
    put(f"dets/lang=fr%20ca/a.{suffix}", "good,item\n1,c\n".replace(",", tab))
    put("dets/lang=fr%20ca/.hidden.csv", "bad")
    put("dets/_SUCCESS", "")
    pattern = given.format(suffix)
    run = quiz(pattern, by="lang")
    assert values(run) == {(): 0.666667, ("en",): 0.5, ("fr ca",): 1.0}
    rows = run.sql("SELECT path, format, rows, bytes, sha256 FROM inputs").to_pylist()
    assert [(Path(row["path"]).parent.name, row["rows"]) for row in rows] == [("lang=en", 2), ("lang=fr%20ca", 1)]
    assert len({row["sha256"] for row in rows}) == 2
    assert all(os.path.getsize(row["path"]) == row["bytes"] for row in rows)


def test_a_key_is_a_column_of_the_table_too(quiz: Any) -> None:
    put("good=1/a.csv", "item\na\nb\n")
    put("good=0/a.csv", "item\nc\n")
    put("good=0/weight=__HIVE_DEFAULT_PARTITION__/a.csv", "item\nd\n")
    assert values(quiz("good=*/**/*.csv")) == {(): 0.5}
    put("good=x/a.csv", "item\nd\n")
    with pytest.raises(
        InputError, match=r"^good=x/a.csv: column 'good' is BIGINT, and the name of the folder has 'x'$"
    ):
        quiz("good=*/*.csv")


@pytest.mark.parametrize("suffix", first(["csv", "parquet"]))
def test_a_key_that_is_a_column_as_well(quiz: Any, suffix: str) -> None:
    put(f"lang=en/a.{suffix}", "item,good,Lang\na,1,de\n")
    assert values(quiz("lang=*/*")) == {(): 1.0}  # neither is read
    with pytest.raises(InputError, match=f"^lang=en/a.{suffix}: 'lang' is a column of the file and also a key of its"):
        quiz("lang=*/*", by="lang")


def test_the_path_of_one_file_has_no_keys(quiz: Any) -> None:
    name = put("lang=en/a.csv", "item,good\na,1\n")
    with pytest.raises(UsageError, match="unknown column 'lang' in --by"):
        quiz(name, by="lang")
    assert values(quiz("lang=en/*.csv", by="lang")) == {(): 1.0, ("en",): 1.0}


def test_a_file_without_the_key_of_the_others(quiz: Any) -> None:
    put("dets/a.csv", "item,good\na,1\n")
    put("dets/lang=en/a.csv", "item,good\nb,1\n")
    assert values(quiz("dets")) == {(): 1.0}
    with pytest.raises(InputError, match=r"^dets/a.csv:1: no column 'lang'"):
        quiz("dets", by="lang")


def test_the_folder_of_another_format(cli: Command, folder: Path) -> None:
    for name in "ab":
        put(f"subs/{name}.class", f"Class {name}\nalpha_sa1 0.430 0.670\nalpha_sa1 0.670 0.896\n")
    inputs = ("phones=alpha.phn", "words=alpha.wrd", "--metric", "sizes", "--quiet", "--format", "csv")
    for fragments in ("subs::class", "subs"):
        assert "sizes,clusters,{},2," in cli("score", "zerospeech2017", *inputs, f"fragments={fragments}").scored()
    put("subs/notes.rttm", "of another domain")
    assert "sizes,clusters,{},2," in cli("score", "zerospeech2017", *inputs, "fragments=subs").scored()
    put("subs/c.csv", "cluster,file,onset,offset\nc,alpha_sa1,0.430,0.670\n")
    assert "sizes,clusters,{},1," in cli("score", "zerospeech2017", *inputs, "fragments=subs").scored()


def test_a_pattern_without_files(quiz: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        quiz("dets/*.csv")
    assert str(caught.value) == f"dets/*.csv: no file matches this pattern in {tmp_path}"


def test_a_bracket_that_is_never_closed_is_no_pattern(quiz: Any) -> None:
    with pytest.raises(InputError, match=re.escape("dets/[a.csv: no such file")):
        quiz("dets/[a.csv")


def test_a_folder_with_files_of_several_formats(quiz: Any) -> None:
    for name in ("dets/a.csv", "dets/b.csv", "dets/a.parquet"):
        put(name, f"item,good\n{Path(name).name},1\n")
    put("dets/README.md", "read me")
    with pytest.raises(UsageError) as caught:
        quiz("dets")
    said = "dets: the folder has files of several formats (2 csv, 1 parquet); choose one: dets::csv"
    assert str(caught.value) == said
    assert quiz("dets::csv").sql("SELECT sum(rows)::INT AS n FROM inputs").to_pylist() == [{"n": 2}]


@pytest.mark.parametrize("name", first(["a[1].csv", "a*.csv", "?.csv"]))
def test_a_file_with_the_characters_of_a_pattern(quiz: Any, name: str) -> None:
    put("a1.csv", "item,good\na,0\n")
    put("b.csv", "item,good\na,0\n")
    assert values(quiz(put(name, "item,good\na,1\n"))) == {(): 1.0}


# -- several files of one input ----------------------------------------------------------------------


def test_several_files_are_one_table(quiz: Any) -> None:
    put("a.csv", "item,good\na,1\nb,0\n\n")
    put("b.parquet", "good,item\n1,c\n")
    more = pa.table({"item": ["d"], "good": [0]})
    run = quiz(["b.parquet", "a.csv", more])
    assert values(run) == {(): 0.5}
    found = run.sql("SELECT name, format, rows FROM inputs ORDER BY ALL").to_pylist()
    assert [tuple(each.values()) for each in found] == [
        ("answers", "csv", 2),
        ("answers", "object", 1),
        ("answers", "parquet", 1),
    ]


def test_lines_of_several_files(quiz: Any) -> None:
    put("a.csv", "item,good\na,7\nb,0\n")
    put("b.csv", "\nitem,good\nc,x\na,1\nd\n")
    put("c.parquet", "item,good\ne,1\nb,1\nf,9\n")
    error = refusal(quiz, "[abc].*")
    assert str(error).splitlines() == [
        "a.csv:2: good is 7; it must be 0 or 1",
        "b.csv:3: good is not a whole number: 'x'",
        "b.csv:4: repeats a.csv:2: item a",
        "b.csv:5: expected 2 columns, found 1: 'd'",
        "c.parquet:2: repeats a.csv:3: item b",
        "c.parquet:3: good is 9; it must be 0 or 1",
    ]
    places = [(each.file, each.line, each.column, each.code) for each in error.problems]
    assert places[:2] == [("a.csv", 2, None, "check"), ("b.csv", 3, "good", "not_a_number")]


def test_the_lines_of_evidence_lead_to_the_files(quiz: Any) -> None:
    put("a.csv", "item,good\na,1\n\nb,0\n")
    put("b.csv", "item,good\nc,1\nd,0\n")
    put("c.csv", "item,good\n\ne,1\n")
    found = quiz("?.csv").sql(
        "SELECT item, parse_filename(path) AS file, line - lines_before AS line FROM evidence_marks ASOF JOIN inputs "
        "ON line > lines_before ORDER BY item"
    )
    places = [tuple(each.values()) for each in found.to_pylist()]
    assert places == [("a", "a.csv", 2), ("b", "a.csv", 4), ("c", "b.csv", 2), ("d", "b.csv", 3), ("e", "c.csv", 3)]


def test_faults_of_whole_files(quiz: Any) -> None:
    put("a.csv", "item\na\n")
    put("b.csv", "item,good\na,1\n")
    put("c.csv", "")
    assert str(refusal(quiz, "*.csv")) == "a.csv:1: no column 'good' (it has: item); write a.csv::(good=COLUMN)"
    put("a.csv", "")
    put("b.csv", "item,good\n")
    with pytest.raises(InputError, match=r"^\*.csv: no rows; answers needs at least 1$"):
        quiz("*.csv")


def test_the_first_problems_of_many_files_are_shown(quiz: Any) -> None:
    for number in range(30):
        put(f"{number:02}.csv", f"item,good\n{number},1\n{number}x,5\n")
    lines = str(refusal(quiz, "*.csv")).splitlines()
    assert lines[0] == "00.csv:3: good is 5; it must be 0 or 1"
    assert lines[19:] == ["19.csv:3: good is 5; it must be 0 or 1", "*.csv: and 10 more problems"]


def test_problems_after_the_last_good_row_of_a_file(quiz: Any) -> None:
    put("a.csv", "item,good\na,1\nb,x\nc,y\n")
    put("b.csv", "item,good\nd,1\ne,z\n")
    assert [line.partition(": ")[0] for line in str(refusal(quiz, "?.csv")).splitlines()] == [
        "a.csv:3",
        "a.csv:4",
        "b.csv:3",
    ]


def test_bad_lines_at_the_end_of_a_file(cli: Command, folder: Path) -> None:
    put("a.class", "Class 1\nalpha_sa1 0.430 0.670\nalpha_sa1 0.9\nalpha_sa1 0.8\n")
    put("b.class", "Class 2\nalpha_sa1 0.430 0.670\nalpha_sa1 0.7\n")
    inputs = ("phones=alpha.phn", "words=alpha.wrd", "fragments=a.class", "fragments=b.class")
    refused = cli("score", "zerospeech2017", *inputs)
    assert refused.code == 1
    assert [line.partition(": ")[0] for line in refused.err.splitlines()] == ["a.class:3", "a.class:4", "b.class:3"]


def test_rows_that_cannot_be_read_at_the_end_of_a_file(quiz: Any) -> None:
    """The lines of the next file come after these rows, so its problems are listed after theirs."""
    put("a.csv", "item,good\na,1\n" + "b,x\n" * 3)
    put("b.csv", "item,good\ne,x\nf,1\n")
    with pytest.raises(InputError) as raised:
        quiz(["a.csv", "b.csv"])
    places = [line.partition(": ")[0] for line in str(raised.value).splitlines()]
    assert places == ["a.csv:3", "a.csv:4", "a.csv:5", "b.csv:2"]


def test_each_part_has_rows(quiz: Any) -> None:
    document = DOCUMENT.replace(
        "columns: {item", "part_column: team\n    columns: {team: {type: VARCHAR, nullable: true}, item"
    )
    put("quiz.yaml", document.replace("key: [item]", "key: [team, item]"))
    put("a.csv", "item,good\na,1\n")
    put("b.csv", "item,good\na,0\n")
    assert values(quiz({"one": "a.csv", "two": "b.csv"})) == {(): 0.5}
    put("b.csv", "item,good\n")
    with pytest.raises(InputError, match=r"^b.csv: no rows; each part needs at least 1$"):
        quiz({"one": "a.csv", "two": "b.csv"})
    put("b.csv", "item,good\na,z\n")  # a row that cannot be read is a row
    with pytest.raises(InputError, match=r"^b.csv:2: good is not a whole number: 'z'$"):
        quiz({"one": "a.csv", "two": "b.csv"})
    put("a.csv", "item,good\n")  # a problem without a line
    with pytest.raises(InputError, match=r"^a.csv: no rows; each part needs at least 1\nb.csv:2: good is not [^\n]+$"):
        quiz({"one": "a.csv", "two": "b.csv"})


def test_a_damaged_file_among_several(quiz: Any) -> None:
    put("a.parquet", "item,good\na,1\n")
    data = Path(put("b.parquet", "item,good\n" + "".join(f"item{n},1\n" for n in range(5000)))).read_bytes()
    Path("b.parquet").write_bytes(data[:50] + b"\xff" * 4000 + data[4050:])  # its metadata is whole
    with pytest.raises(InputError, match=r"^b.parquet: cannot be read: "):
        quiz("?.parquet")


def test_a_file_that_is_given_twice(quiz: Any) -> None:
    put("a.csv", "item,good\na,1\n")
    Path("b.csv").symlink_to("a.csv")
    with pytest.raises(UsageError, match=r"^input 'answers' is given the file b.csv twice, also as a.csv$"):
        quiz("*.csv")


def test_a_warning_of_several_files_stands_once(cli: Command, folder: Path) -> None:
    for name in "ab":
        text = f"cluster,file,onset,offset,mine\n{name},alpha_sa1,0.430,0.670,1\n{name},alpha_sa1,0.67,0.896,2\n"
        put(f"{name}.csv", text)
    scored = cli("score", "zerospeech2017", "phones=alpha.phn", "words=alpha.wrd", "fragments=[ab].csv")
    assert scored.code == 0
    assert scored.err.count("'mine'") == 1
    assert "[ab].csv, 2 files: 1 column 'mine'" in scored.err


def test_a_class_that_two_files_have(cli: Command, folder: Path) -> None:
    put("a.class", "Class 1\nalpha_sa1 0.430 0.670\nalpha_sa1 0.670 0.896\n")
    put("b.class", "\nClass 1\nalpha_sa1 0.430 0.670\n")
    inputs = ("phones=alpha.phn", "words=alpha.wrd", "fragments=a.class", "fragments=b.class")
    cli("score", "zerospeech2017", *inputs).refused(
        "b.class:2: cluster '1' begins a second time; it began at a.class:1; all files are one submission; "
        "--each fragments=… scores each file as one"
    )


def test_documents_that_are_numbered_within_a_file(cli: Command, folder: Path) -> None:
    put("ref.conll", "john B-PER\n")
    put("more.conll", "mary B-PER\n")
    inputs = ("reference=ref.conll", "reference=more.conll", "hypothesis=ref.conll")
    refused = cli("score", "speech_ne", *inputs)
    refused.refused("more.conll:1: document '1' is also in ref.conll; give it in one file")
    refused = cli("score", "speech_ne", "reference=ref.conll", "hypothesis=ref.conll", "hypothesis=more.conll")
    hint = "--each hypothesis=… scores each file as one"
    refused.refused(f"more.conll:1: document '1' is also in ref.conll; give it in one file; {hint}")


def test_folds_of_two_files_are_not_mixed(cli: Command, folder: Path) -> None:
    put("a.split", "alpha_sa1 0.0 9.0\n")
    put("b.split", "alpha_sa2 0.0 9.0\n")
    inputs = ("phones=alpha.phn", "words=alpha.wrd", "fragments=alpha.class", "folds=a.split", "folds=b.split")
    refused = cli("score", "zerospeech2017", *inputs)
    refused.refused_with("b.split:1: fold 0 is also in a.split; give it in one file")


def test_dropped_rows_of_several_files(cli: Command, folder: Path) -> None:
    head = "cluster,file,onset,offset\n"
    put("a.csv", head + "1,alpha_sa1,0.430,0.670\n1,alpha_sa1,0.9,0.9\n")
    put(
        "b.csv",
        head + "1,alpha_sa1,x,0.9\n1,alpha_sa1,0.670,0.896\n1,alpha_sa1,0.9,0.9\n2,alpha_sa1,y,1\n2,alpha_sa1,z,1\n",
    )
    put("c.csv", head + "2,alpha_sa1,0.430,0.670\n2,alpha_sa1,0.670,0.896\n")
    inputs = ("phones=alpha.phn", "words=alpha.wrd", "fragments=[abc].csv", "--on-bad-row", "drop")
    scored = cli("score", "zerospeech2017", *inputs, "-o", "r.duckdb", "--metric", "sizes")
    assert scored.code == 0
    said = "[abc].csv: 2 of 9 rows (22.2 %) are dropped, the first at a.csv:3: offset 0.9 is not after onset 0.9"
    assert said in scored.err
    results = scorespec.open_results("r.duckdb")
    found = results.sql("SELECT parse_filename(path) AS file, line, code FROM dropped_rows").to_pylist()
    rows = results.sql("SELECT rows FROM inputs WHERE name = 'fragments' ORDER BY path").to_pylist()
    assert [tuple(each.values()) for each in found] == [
        ("a.csv", 3, "check"),
        ("b.csv", 2, "not_a_number"),
        ("b.csv", 4, "check"),
        ("b.csv", 5, "not_a_number"),
        ("b.csv", 6, "not_a_number"),
    ]
    assert [each["rows"] for each in rows] == [2, 5, 2]


# -- standard input ----------------------------------------------------------------------------------


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    return lambda text: monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))


def test_standard_input(quiz: Any, stdin: Any) -> None:
    stdin("item,good,lang\na,1,en\nb,0,en\n")
    run = quiz("-", by="lang")  # which reads the header first, then the rows
    assert values(run) == {(): 0.5, ("en",): 0.5}
    assert run.sql("SELECT path, format, bytes FROM inputs").to_pylist() == [
        {"path": "<stdin>", "format": "csv", "bytes": 29}
    ]
    stdin("item\tgood\na\t3\n")
    with pytest.raises(InputError, match=r"^<stdin>:2: good is 3"):
        quiz("-::tsv")
    put("-", "item,good\na,1\n")
    assert values(quiz("./-")) == {(): 1.0}


def test_standard_input_of_a_process(folder: Path) -> None:
    import subprocess

    command = [sys.executable, "-m", "scorespec", "score", "zerospeech2017", "phones=alpha.phn", "words=alpha.wrd"]
    text = Path("alpha.class").read_bytes()
    arguments = ["fragments=-::class", "--metric", "coverage", "--quiet"]
    done = subprocess.run([*command, *arguments], input=text, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"coverage" in done.stdout


def test_standard_input_is_one_input(cli: Command, folder: Path, stdin: Any) -> None:
    stdin("x")
    refused = cli("score", "zerospeech2017", "phones=-", "words=-", "fragments=alpha.class")
    refused.refused("error: inputs 'phones' and 'words' are both standard input, which has one content", code=2)
    refused = cli("score", "zerospeech2017", "phones=-", "phones=-", "words=alpha.wrd", "fragments=alpha.class")
    refused.refused("error: input 'phones' is given the file <stdin> twice", code=2)


# -- mappings of columns -----------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", first(["csv", "csv.gz", "parquet"]))
def test_a_mapping_of_columns(quiz: Any, suffix: str) -> None:
    name = put(f"a.{suffix}", "key word,item,is_good,sex,weight\na,x,1,f,1\nb,x,0,m,2\n")
    run = quiz(f"{name}::(item=key word,good=is_good, gender = sex)", by="gender")
    assert values(run) == {(): 0.5, ("f",): 1.0, ("m",): 0.0}
    assert values(quiz(f'{name}::{suffix.removesuffix(".gz")}(item="key word", good=is_good)')) == {(): 0.5}


def test_a_mapping_in_messages(quiz: Any) -> None:
    put("a.csv", "item,is_good\na,3\nb,x\n")
    assert str(refusal(quiz, "a.csv::csv(good=is_good)")).splitlines() == [
        "a.csv:2: good is 3; it must be 0 or 1",
        "a.csv:3: is_good is not a whole number: 'x'",
    ]
    with pytest.raises(InputError, match=r"^a.csv: no column 'god' to be read as 'good' .it has: item, is_good.$"):
        quiz("a.csv::csv(good=god)")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("a.csv::csv(good=x", r"^'csv\(good=x' is not a format; write csv\(option=value,…\)$"),
        ("a.csv::csv(good)", r"^'csv\(good\)' is not a format; write csv\(option=value,…\)$"),
        ("a.csv::csv(good=x,good=y)", "gives 'good' twice"),
        ("a.csv::csv(good=x,item=x)", "the column 'x' of the file is mapped to two columns"),
        ("a.duckdb::duckdb", r"input 'answers': name the table, as in a.duckdb::duckdb\(table=NAME\)"),
    ],
)
def test_options_at_fault(quiz: Any, given: str, said: str) -> None:
    put(given.partition("::")[0], "item,good\n1,true\n")
    with pytest.raises(UsageError, match=said):
        quiz(given)


def test_a_mapping_of_columns_that_are_not_there(cli: Command, folder: Path) -> None:
    inputs = ("phones=alpha.phn", "words=alpha.wrd")
    refused = cli("score", "zerospeech2017", *inputs, "fragments=alpha.class::class(file=x)")
    said = "error: input 'fragments': the columns of class have no names that could be mapped"
    refused.refused(said, code=2)
    put("alpha.csv", "x\n")
    refused = cli("score", "zerospeech2017", *inputs, "fragments=alpha.csv::csv(fil=x)")
    refused.refused("error: input 'fragments' has no column 'fil'; did you mean 'file'?", code=2)


# -- DuckDB files ------------------------------------------------------------------------------------


@pytest.fixture
def team(tmp_path: Path, quiz: Any) -> str:
    """A DuckDB file with tables and views."""
    (tmp_path / "secret.csv").write_text("item,good\nsecret,1\n")
    with duckdb.connect("team.duckdb") as connection:
        connection.execute("CREATE TABLE hypotheses AS FROM (VALUES ('a', 1), ('b', 0), ('c', 1)) t(word, good)")
        connection.execute("CREATE VIEW best AS SELECT word AS item, good, 'en' AS lang FROM hypotheses WHERE good = 1")
        connection.execute("CREATE VIEW spy AS FROM read_csv('secret.csv')")
        connection.execute("CREATE SCHEMA dev")
        connection.execute("CREATE TABLE dev.\"odd name\" AS SELECT 7::TINYINT AS good, 'a' AS item")
    return "team.duckdb"


def test_a_table_of_a_duckdb_file(quiz: Any, team: str) -> None:
    before = Path(team).read_bytes()
    run = quiz(f"{team}::duckdb(table=hypotheses,item=word)")
    assert values(run) == {(): 0.666667}
    (found,) = run.sql("SELECT format, rows, bytes FROM inputs").to_pylist()
    assert found == {"format": "duckdb(item=word,table=hypotheses)", "rows": 3, "bytes": len(before)}
    assert values(quiz(f"{team}::(table=main.best)", by="lang")) == {(): 1.0, ("en",): 1.0}
    with pytest.raises(InputError, match=r"^team.duckdb:1: good is 7"):
        quiz(f"{team}::duckdb(table=odd name)")
    assert Path(team).read_bytes() == before
    assert sorted(each.name for each in Path().glob("team*")) == ["team.duckdb"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("table=hypothesis,item=word", "team.duckdb: no table 'hypothesis'; did you mean 'hypotheses'?"),
        ("table=spy", "team.duckdb: the view 'spy' reads files, which an input may not do; store its rows in a table"),
        ("table=read_csv('secret.csv')", "team.duckdb: no table \"read_csv('secret.csv')\"; known: best, dev.odd name"),
        ("table=hypotheses", "team.duckdb: no column 'item' (it has: word, good)"),
    ],
)
def test_a_duckdb_file_reads_nothing_else(quiz: Any, team: str, options: str, said: str) -> None:
    assert str(refusal(quiz, f"{team}::duckdb({options})")).startswith(said)


def test_a_duckdb_file_with_changes_in_its_log(quiz: Any, team: str) -> None:
    connection = duckdb.connect(team, config={"checkpoint_threshold": "1TB"})
    connection.execute("PRAGMA disable_checkpoint_on_shutdown")
    connection.execute("INSERT INTO hypotheses VALUES ('d', 1)")
    connection.close()
    with pytest.raises(InputError, match=r"^team.duckdb: has changes in team.duckdb.wal that are not in the file yet"):
        quiz(f"{team}::duckdb(table=hypotheses,item=word)")


def test_a_duckdb_file_that_is_none(quiz: Any) -> None:
    put("a.duckdb", "item,good\n")
    with pytest.raises(InputError, match=r"^a.duckdb: cannot be read: it is not a DuckDB database$"):
        quiz("a.duckdb::duckdb(table=x)")
    with pytest.raises(InputError, match=r"^b.duckdb: no such file$"):
        quiz("b.duckdb::duckdb(table=x)")


# -- objects -----------------------------------------------------------------------------------------


def test_lazy_frames_and_datasets(quiz: Any) -> None:
    put("lang=en/a.parquet", "item,good\na,1\nb,0\n")
    put("lang=fr/a.parquet", "item,good\nc,1\n")
    expected = {(): 0.666667, ("en",): 0.5, ("fr",): 1.0}
    assert values(quiz(ds.dataset(".", partitioning="hive", exclude_invalid_files=True), by="lang")) == expected
    assert values(quiz(pl.scan_parquet("lang=*/*.parquet", hive_partitioning=True), by="lang")) == expected
    with pytest.raises(InputError, match=r"^<answers>:3: good is 5"):
        quiz(pl.LazyFrame({"item": ["a", "b", "c"], "good": [1, 0, 5]}))


def test_several_objects(quiz: Any) -> None:
    table = pa.table({"item": ["a"], "good": [1]})
    with pytest.raises(InputError, match=r"^<answers 2>:1: repeats <answers 1>:1: item a$"):
        quiz([table, pl.LazyFrame({"item": ["a"], "good": [0]})])
    with pytest.raises(UsageError, match="input 'answers' is an empty list"):
        quiz([])


def test_a_stream_that_was_read_before(quiz: Any) -> None:
    """A table, a frame and a batch without rows are inputs as any other."""
    table = pa.table({"item": ["a", "b"], "good": [1, 0]})
    reader, said = table.to_reader(), "input 'answers' is a stream without rows; a stream can be read only once"
    assert values(quiz(reader)) == {(): 0.5}
    with pytest.raises(UsageError, match=said):
        quiz(reader)
    reader = table.to_reader()
    with pytest.raises(UsageError, match=said):
        quiz([reader, reader])
    empty = table.schema.empty_table()
    frames: list[Any] = [empty, empty.to_pandas(), pl.DataFrame(empty), pa.RecordBatch.from_pylist([], table.schema)]
    assert {str(values(quiz([table, each]))) for each in frames} == {str({(): 0.5})}


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (lambda: pd.DataFrame({"item": [object()], "good": [1]}), "DataFrame .*Conversion failed for column item"),
        (lambda: pd.DataFrame({"item": ["a"], "good": [1 + 2j]}), "DataFrame .*Conversion failed for column good"),
        (lambda: pd.DataFrame([["a", 1, 2]], columns=["item", "good", "good"]), "DataFrame .*Duplicate column names"),
        (lambda: pd.Series(["a"]), "Series"),
        (lambda: pl.Series("item", ["a"]), "Series"),
        (lambda: pa.chunked_array([["a"]]), "ChunkedArray"),
    ],
)
def test_objects_that_are_not_tables(quiz: Any, answers: Any, said: str) -> None:
    wanted = "give a frame or a table in which each column has a name of its own and values of one type"
    with pytest.raises(UsageError, match=f"^input 'answers' is a {said}.*{wanted}"):
        quiz(answers())


@pytest.mark.parametrize("threads", ["2", 2.5, 0])
def test_threads_that_are_no_number(quiz: Any, threads: Any) -> None:
    with pytest.raises(UsageError, match=f"^--threads {threads!r}: it must be a whole number between 1 and 1,024$"):
        quiz(pa.table({"item": ["a"], "good": [1]}), threads=threads)


# -- safety ------------------------------------------------------------------------------------------


def test_names_of_files_and_folders_are_data(quiz: Any) -> None:
    odd = "x'); COPY (SELECT 1) TO 'stolen.csv'; --"
    put(f'"{odd}={odd}/it\'s "{odd}.parquet', f'item,good,"{odd}"\na,1,5\n')
    put(f'"{odd}={odd}/b.csv', f'item,good,"{odd}"\nb,1,5\n')
    assert values(quiz(["*/*.parquet", "*/*.csv"], by=f'"{odd}')) == {(): 1.0, (odd,): 1.0}
    assert values(quiz(f'*/*.parquet::(item="{odd}")')) == {(): 1.0}
    assert not Path("stolen.csv").exists()


def test_a_link_that_leads_out_of_a_folder(quiz: Any) -> None:
    put("secret/a.csv", "item,good\nsecret,3\n")
    put("dets/a.csv", "item,good\na,1\n")
    Path("dets/same.txt").symlink_to("a.csv")
    Path("dets/b.csv").symlink_to("../secret/a.csv")
    with pytest.raises(InputError, match=r"^dets/b.csv: is a link that leads out of the folder; write the path"):
        quiz("dets")
    Path("dets/b.csv").unlink()
    Path("dets/more").symlink_to("../secret")
    assert values(quiz("dets")) == {(): 1.0}  # linked folders are not searched
    with pytest.raises(InputError, match=r"^dets/more/a.csv:2: good is 3"):
        quiz("dets/*/*.csv")  # the user's own pattern follows links


@pytest.mark.parametrize(
    "view",
    first(
        [
            "SELECT * FROM read_text('/etc/hostname')",
            "SELECT * FROM glob('/etc/*')",
            "FROM query('FROM read_csv(''secret.csv'')')",
            "FROM 'secret.csv'",
        ],
        3,
    ),
)
def test_a_view_of_a_duckdb_file_changes_nothing(quiz: Any, team: str, view: str) -> None:
    with duckdb.connect(team) as connection:
        connection.execute(f"CREATE VIEW evil AS {view}")
    before = {each: each.read_bytes() for each in Path().iterdir()}
    error = refusal(quiz, f"{team}::duckdb(table=evil)")
    assert str(error).startswith("team.duckdb: ")
    assert "secret,1" not in str(error)
    assert {each: each.read_bytes() for each in Path().iterdir()} == before
