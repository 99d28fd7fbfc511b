"""One submission in every form gives the same rows; a form that cannot be read is told what it lacks."""

from __future__ import annotations

import gzip
import json
import math
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import DATA, SUITE, Command

import scorespec
from marks import first, some
from scorespec.catalog.lookup import load_catalog
from scorespec.errors import SHOWN_OF_KIND, InputError, UsageError
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.loading import load
from scorespec.run.inputs.sources import find_source
from scorespec.run.limits import Limits
from scorespec.run.session import open_session

RANDOM = DATA / "alpha.random.class"
GOLD = {"phones": str(DATA / "alpha.phn"), "words": str(DATA / "alpha.wrd")}
NAMES = load_catalog().namespace("term_discovery")


def read_labels(path) -> pa.Table:
    lines = [line.split() for line in path.read_text().splitlines()]
    file, onset, offset, label = zip(*lines, strict=True)
    return pa.table(
        {"file": file, "onset": list(map(float, onset)), "offset": list(map(float, offset)), "label": label}
    )


@pytest.fixture(scope="module")
def fragments() -> pa.Table:
    """The submission as a table; its clusters are whole numbers."""
    rows, cluster = [], 0
    for line in RANDOM.read_text().splitlines():
        if line.startswith("Class"):
            cluster = int(line.split()[1])
        elif line:
            file, onset, offset = line.split()
            rows.append({"cluster": cluster, "file": file, "onset": float(onset), "offset": float(offset)})
    return pa.Table.from_pylist(rows)


@pytest.fixture(scope="module")
def expected(fragments) -> list[tuple[object, ...]]:
    return [(str(row["cluster"]), *list(row.values())[1:]) for row in fragments.to_pylist()]


def rows(**given) -> list[tuple[object, ...]]:
    """The rows of an input, as scoring reads them: ``rows(fragments="sub.class")``."""
    ((name, value),) = given.items()
    table = NAMES.table(name)
    with open_session(Limits()) as session:
        loaded = load(session, find_source(table, value))
        if loaded.problems:
            raise InputError([loaded.problems])
        return session.rows(f"SELECT {', '.join(map(quoted, table.column_names))} FROM {name} ORDER BY line")


def scores(**inputs) -> list[dict[str, object]]:
    given = {**GOLD, "fragments": str(RANDOM), **inputs}
    return scorespec.score(SUITE, inputs=given, metrics=["ned", "sizes"], keep_evidence=False).table()


# -- text ------------------------------------------------------------------------------------------

TEXTS = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "BOM": lambda text: "\ufeff" + text,
    "tabs": lambda text: text.replace(" ", "\t"),
    "several blanks": lambda text: text.replace(" ", "   "),
    "blanks around": lambda text: "".join(f"  {line} \n" if line else "\n" for line in text.splitlines()),
    "no final newline": lambda text: text.rstrip("\n"),
    "more newlines": lambda text: "\n\n" + text + "\n\n\n",
    "names of classes": lambda text: text.replace("Class 1\n", "Class 1 [one] of them\n"),
}


@pytest.mark.parametrize("change", TEXTS.values(), ids=TEXTS.keys())
def test_what_does_not_change_meaning(tmp_path, expected, change):
    (tmp_path / "sub.class").write_bytes(change(RANDOM.read_text()).encode())
    assert rows(fragments=tmp_path / "sub.class") == expected


@pytest.mark.parametrize("change", first([TEXTS["CRLF"], TEXTS["BOM"], TEXTS["tabs"], TEXTS["no final newline"]]))
def test_what_does_not_change_the_meaning_of_gold(tmp_path, change):
    for name, path in some(GOLD.items()):
        changed = tmp_path / Path(path).name
        changed.write_bytes(change(Path(path).read_text()).encode())
        assert rows(**{name: changed}) == [(*row.values(),) for row in read_labels(Path(path)).to_pylist()]


@pytest.mark.parametrize("name", first(["sub.class.gz", "sub.classes.gz", "sub.CLASS.GZ"]))
def test_gzip(tmp_path, expected, name):
    (tmp_path / name).write_bytes(gzip.compress(RANDOM.read_bytes()))
    assert rows(fragments=tmp_path / name) == expected


@pytest.mark.parametrize("name", first(["sub.given", "sub", "sub.class.v2", "sub.txt", "sub.class.txt.gz"], 2))
def test_unknown_suffix_is_the_first_format(tmp_path, expected, name):
    text = RANDOM.read_bytes()
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    assert rows(fragments=tmp_path / name) == expected


@pytest.mark.parametrize(
    ("suffix", "delimiter", "named"),
    first([("csv", ",", ""), ("tsv", "\t", ""), ("txt", ",", "::csv"), ("csv", "\t", "::tsv")], 2),
)
def test_delimited(tmp_path, fragments, expected, suffix, delimiter, named):
    lines = [["offset", "note", "cluster", "onset", "file"]]
    lines += [[r["offset"], "hm", r["cluster"], r["onset"], r["file"]] for r in fragments.to_pylist()]
    (tmp_path / f"sub.{suffix}").write_text("".join(delimiter.join(map(str, line)) + "\n" for line in lines))
    assert rows(fragments=f"{tmp_path}/sub.{suffix}{named}") == expected


# -- tables ----------------------------------------------------------------------------------------

TABLES = {
    "as it is": lambda table: table,
    "other order": lambda table: table.select(["offset", "file", "cluster", "onset"]),
    "more columns": lambda table: table.append_column("x", pa.array([[1]] * len(table))),
    "texts": lambda table: table.set_column(0, "cluster", table["cluster"].cast(pa.string())),
    "short numbers": lambda table: table.set_column(0, "cluster", table["cluster"].cast(pa.int16())),
    "dictionary": lambda table: table.set_column(1, "file", table["file"].dictionary_encode()),
    "exact": lambda table: table.set_column(2, "onset", table["onset"].cast(pa.decimal128(9, 3))),
    "large texts": lambda table: table.set_column(1, "file", table["file"].cast(pa.large_string())),
}


@pytest.mark.parametrize("change", TABLES.values(), ids=TABLES.keys())
def test_tables_in_memory_and_as_parquet(tmp_path, fragments, expected, change):
    table = change(fragments)
    pq.write_table(table, tmp_path / "sub.parquet", row_group_size=100)
    assert rows(fragments=table) == expected
    assert rows(fragments=tmp_path / "sub.parquet") == expected


def test_single_precision_is_the_decimal_that_it_stands_for(tmp_path, fragments, expected):
    """Not the nearby number that it holds: that would decide ties of times in another way."""
    table = fragments
    for at, name in enumerate(table.column_names):
        if name in ("onset", "offset"):
            table = table.set_column(at, name, table[name].cast(pa.float32()))
    pq.write_table(table, tmp_path / "sub.parquet")
    assert rows(fragments=table) == rows(fragments=tmp_path / "sub.parquet") == expected


FORMS = {
    "Arrow reader": lambda table: table.to_reader(max_chunksize=50),
    "Arrow batch": lambda table: table.combine_chunks().to_batches()[0],
    "pandas": lambda table: table.to_pandas(),
    "pandas of Arrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "Polars": lambda table: pl.from_arrow(table),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_objects(fragments, expected, form):
    assert rows(fragments=form(fragments)) == expected


def test_duckdb_relation(fragments, expected):
    connection = duckdb.connect()
    try:
        assert rows(fragments=connection.from_arrow(fragments)) == expected
    finally:
        connection.close()


def test_every_input_as_an_object(fragments):
    phones, words = (read_labels(DATA / f"alpha.{suffix}") for suffix in ("phn", "wrd"))
    assert scores(phones=phones.to_pandas(), words=pl.from_arrow(words), fragments=fragments) == scores()


# -- paths -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    first(["a b", "it's", 'quo"te', "[a]", "{a}", "ünïcödé", "a*b", "a?b", "a=b", "a;b", "a:b", "$a", "-a", "日本"], 2),
)
def test_odd_paths(cli, folder, fragments, name):
    (folder / name).mkdir()
    (folder / name / f"{name}.class").write_bytes(RANDOM.read_bytes())
    pq.write_table(fragments, folder / name / f"{name}.parquet")
    for suffix in ("class", "parquet"):
        given = ("phones=alpha.phn", "words=alpha.wrd", f"fragments={name}/{name}.{suffix}", "--format", "json")
        read = json.loads(cli("validate", SUITE, *given, "--quiet").scored())["inputs"][2]
        assert (read["path"], read["rows"]) == (str(folder / name / f"{name}.{suffix}"), len(fragments))


def test_a_star_is_a_pattern_unless_something_has_that_name(cli, folder, fragments):
    pq.write_table(fragments, folder / "one.parquet")
    gold = ("phones=alpha.phn", "words=alpha.wrd")
    assert cli("validate", SUITE, *gold, "fragments=*.parquet", "--quiet").scored()
    (folder / "*.csv").mkdir()  # a path where something exists is no pattern
    (folder / "a.csv").write_text("")
    refused = cli("score", SUITE, *gold, "fragments=*.csv")
    refused.refused("error: *.csv: there is no Parquet, CSV, TSV or JSON lines file in this folder or below it", code=2)


@pytest.mark.parametrize("name", first(["a[1].parquet", "a*.parquet", "file=nowhere/cluster=9/a.parquet"]))
def test_parquet_is_the_file_that_was_named(cli, folder, fragments, name):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(fragments[:5], folder / name)
    pq.write_table(fragments[:2], folder / "a1.parquet")
    given = ("phones=alpha.phn", "words=alpha.wrd", f"fragments={name}", "--metric", "sizes", "--format", "json")
    assert json.loads(cli("score", SUITE, *given, "--quiet").scored())["run"]["inputs"][2]["rows"] == 5


def test_odd_path_as_results(score, cli):
    score("--metric", "coverage", "-o", "it's [a] r\u00e9sult.duckdb").scored()
    assert (
        cli("query", "it's [a] r\u00e9sult.duckdb", "SELECT count(*) AS n FROM runs", "--format", "csv").scored()
        == "n\n1\n"
    )


# -- what cannot be read ---------------------------------------------------------------------------


def refused(**inputs) -> str:
    with pytest.raises(InputError) as caught:
        scores(**inputs)
    return str(caught.value)


def both(tmp_path, table: pa.Table) -> list[str]:
    """What is said of a table in memory and of it as Parquet, each without the name in front."""
    pq.write_table(table, tmp_path / "sub.parquet")
    said = [refused(fragments=table), refused(fragments=tmp_path / "sub.parquet")]
    return [text.replace("<fragments>", "").replace(f"{tmp_path}/sub.parquet", "") for text in said]


def test_missing_column(tmp_path, fragments):
    for said in some(both(tmp_path, fragments.drop_columns(["onset"]))):
        assert said.startswith(": no column 'onset' (it has: cluster, file, offset")


def test_missing_column_of_csv(tmp_path):
    (tmp_path / "sub.csv").write_text("cluster,file,onset\n1,alpha_sa1,0.1\n")
    said = refused(fragments=tmp_path / "sub.csv")
    assert "offset" in said
    assert said.startswith(f"{tmp_path}/sub.csv:1: ")


def test_wrong_types_are_told_together(tmp_path, fragments):
    table = fragments.set_column(2, "onset", fragments["onset"].cast(pa.string()))
    table = table.set_column(1, "file", pa.array([0.5] * len(table)))
    message = ": column 'file' is DOUBLE; it must be VARCHAR\n: column 'onset' is VARCHAR; it must be DOUBLE"
    assert both(tmp_path, table) == [message, message]


def test_nested_column(tmp_path, fragments):
    table = fragments.set_column(2, "onset", pa.array([[0.5]] * len(fragments)))
    message = ": column 'onset' is DOUBLE[]; it must be DOUBLE"
    assert both(tmp_path, table) == [message, message]


@pytest.mark.parametrize("name", ["cluster", "file", "onset"])
def test_null(tmp_path, fragments, name):
    rows = fragments.to_pylist()
    rows[4][name] = None
    message = f":5: {name} is missing"
    assert both(tmp_path, pa.Table.from_pylist(rows)) == [message, message]


@pytest.mark.parametrize(("value", "shown"), [(math.nan, "nan"), (math.inf, "inf"), (-math.inf, "-inf")])
def test_not_finite(tmp_path, fragments, value, shown):
    rows = fragments.to_pylist()
    rows[4]["onset"] = value
    message = f":5: onset is {shown}; it must be a finite number"
    assert both(tmp_path, pa.Table.from_pylist(rows)) == [message, message]


def test_nan_of_pandas(fragments):
    frame = fragments.to_pandas()
    frame.loc[4, "onset"] = np.nan
    frame.loc[6, "offset"] = 0.0
    said = refused(fragments=frame).splitlines()
    assert said[0] in (
        "<fragments>:5: onset is missing",
        "<fragments>:5: onset is nan; it must be a finite number",
    )
    assert said[1].startswith("<fragments>:7: offset 0.0 is not after onset ")


def test_no_rows_of_a_table(tmp_path, fragments):
    message = ": no rows; fragments needs at least 1"
    assert both(tmp_path, fragments.slice(0, 0)) == [message, message]


@pytest.mark.parametrize("value", [3, b"x", [1, 2], Decimal(1)])
def test_other_objects(value):
    with pytest.raises(UsageError, match=r"give a path, an Arrow table, reader or dataset, a pandas or Polars frame"):
        scores(fragments=value)


def test_a_class_may_go_on_where_the_format_says_so(cli, tmp_path):
    parted = tmp_path / "parted.class"
    parted.write_text("Class 1\nalpha_sa1 0.440 0.900\n\nClass 1\nalpha_sa2 0.440 0.900\n\n")
    inputs = (f"phones={DATA}/alpha.phn", f"words={DATA}/alpha.wrd")
    refused = cli("score", "zerospeech2017", *inputs, f"fragments={parted}")
    assert refused.code == 1
    assert "parted.class:4: cluster '1' begins a second time; it began at line 1" in refused.err
    merged = cli(
        "score", "zerospeech2017", *inputs, f"fragments={parted}::class_merge", "--metric", "sizes", "--format", "csv"
    )
    assert "sizes,clusters,{},1," in merged.out
    assert "sizes,pairs,{},1," in merged.out


def test_a_message_names_the_file_of_an_input_in_parts(cli: Command, folder: Path) -> None:
    """Also if rows name their submission: a row of one file can have the name of another file."""
    data = DATA.parent / "articulation"
    table = pq.read_table(data / "submission_A.parquet")
    for name in ("a", "b"):
        pq.write_table(table, f"{name}.parquet")
    call = ("score", "articulation", f"tokens={data}/tokens.parquet", f"labels={data}/labels.parquet", "--quiet")
    call += ("submission=a.parquet", "submission=b.parquet", "--metric", "loudness", "--param", "task_names=[humming]")
    cli(*call).refused_with(*(f"{name}.parquet:1: unknown task copy-synthesis of submission {name};" for name in "ab"))
    tasks = [f"task {number:02}" for number in range(table.num_rows)]
    pq.write_table(table.set_column(table.column_names.index("task"), "task", pa.array(tasks)), "a.parquet")
    shown = f"a.parquet: and {len(tasks) - SHOWN_OF_KIND} more problems\nb.parquet:1: unknown task copy-synthesis"
    cli(*call).refused_with("a.parquet:1: unknown task task 00 of submission a;", shown)
    named = table.append_column("submission", pa.array(["b"] * table.num_rows))
    pq.write_table(named[:1], "a.parquet")
    pq.write_table(table[1:], "b.parquet")
    cli(*call).refused_with("a.parquet:1: unknown task copy-synthesis of submission b;")
