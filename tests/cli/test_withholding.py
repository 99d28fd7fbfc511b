"""What is left out of results that are handed to others: nothing in them tells the gold corpus."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import INPUTS, SUITE, ask, rows_of

import scorespec
from examples import CATALOG, SUITES, inputs_of, suite_of
from marks import first, only, slow, some
from scorespec.catalog.model import Meaning
from scorespec.core.disclosure import PARTS, Disclosure
from scorespec.core.result_tables import TABLES
from scorespec.plan.needs import components_of, expanded

ALL = ",".join(PARTS)
SHIFT = 7314.0625  # seconds; no score is near a time that is shifted by it
TIMES = ("onset", "offset", "tbeg")
# Columns whose values are not those of a corpus.
OF_A_LIST = ("decision", "phase", "task", "tag", "list", "compare_normalize")
OF_THE_RUN = {"runs", "inputs", "results_version"}  # tables that are written without what may not leave
A_METRIC = {"articulation": "loudness", "speech_ne": "entities", "std2006": "atwv", "zerospeech2017": "token"}
ONE_OF_EACH_DOMAIN = tuple(A_METRIC)
ENTITIES = {
    "reference": pa.table(
        {
            "document": ["d"] * 4,
            "segment": ["s"] * 4,
            "token": ["The", "Giants", "won", "nothing"],
            "entity": pa.array([1, 1, None, None], pa.int64()),
            "tag": ["ORGANIZATION", "ORGANIZATION", None, None],
        }
    ),
    "hypothesis": pa.table({"document": ["d", "d"], "segment": ["s", "s"], "token": ["The", "Giants"]}),
}


def disguised(text: str) -> str:
    """The same text, each word of which cannot be by chance in a result."""
    return " ".join(f"zq{hashlib.sha256(word.encode()).hexdigest()[:8]}" for word in text.split(" "))


class Gold:
    """The inputs of a suite as files, with names, labels and times that can be recognised.

    ``texts`` are the words of all inputs, the names of gold files, each with a column that no suite reads, and the
    folder of the files. ``inputs`` are the arguments of the command line.
    """

    def __init__(self, suite: str, folder: Path) -> None:
        tagged = suite_of(suite).domain == "transcripts" and suite != "meeting"  # whose example has speakers
        tables = inputs_of(suite) | (ENTITIES if tagged else {})
        self.texts = {str(folder)}
        self.times: set[float] = set()
        self.inputs: list[str] = []
        for name, table in tables.items():
            columns = {column: self._told(column, table[column]) for column in table.column_names}
            secret = disguised(f"file of {name}").replace(" ", "")
            path = folder / f"{secret}.parquet"
            if name in suite_of(suite).submitted:
                path = folder / "team.parquet"
            else:
                self.texts.add(secret)
                columns[f"column_{secret}"] = pa.nulls(len(table), pa.int64())
            pq.write_table(pa.table(columns), path)
            self.inputs.append(f"{name}={path}")

    def _told(self, name: str, values: pa.ChunkedArray) -> Any:
        if name in TIMES:
            moved = [None if each is None else each + SHIFT for each in values.to_pylist()]
            self.times.update(each for each in moved if each is not None)
            return pa.array(moved, values.type)
        if values.type == pa.string() and name not in OF_A_LIST:
            texts = [None if each is None else disguised(each) for each in values.to_pylist()]
            self.texts.update(word for each in texts if each for word in each.split(" "))
            return pa.array(texts, values.type)
        return values

    def found_in(self, text: str) -> set[str]:
        """What a text tells of the inputs: their texts, and their times, also in microseconds."""
        told = {each for each in self.texts if each in text}
        numbers = {float(each) for each in re.findall(r"\d+(?:\.\d+)?", text)}
        near = {each for each in numbers for time in self.times if min(abs(each - time), abs(each / 1e6 - time)) < 1e-3}
        return told | set(map(str, near))


def cells(path: Path) -> Iterator[str]:
    """Every cell of every table and view of a database as text, and the names of all columns."""
    with duckdb.connect(str(path), read_only=True) as connection:
        tables = connection.execute("SELECT table_name FROM information_schema.tables").fetchall()
        for (table,) in tables:
            found = connection.execute(f'SELECT COLUMNS(*)::VARCHAR FROM "{table}"')
            yield from (column[0] for column in found.description)
            for row in found.fetchall():
                yield from (each for each in row if each is not None)


def evidence_tables() -> int:
    """The number of tables with evidence in `r.duckdb`."""
    ((tables,),) = ask("SELECT count(*) FROM duckdb_tables() WHERE table_name LIKE 'evidence%'")
    return int(tables)


def number_of_rows(table: str) -> int:
    ((rows,),) = ask(f"SELECT count(*) FROM {table}")
    return int(rows)


@pytest.mark.parametrize("suite", only(["wer"], SUITES))
def test_nothing_tells_the_gold(cli, tmp_path, monkeypatch, suite):
    monkeypatch.chdir(tmp_path)
    gold = Gold(suite, tmp_path)
    withheld = [*gold.inputs, "-o", "r.duckdb", "--withhold", ALL]
    calls = [("score", suite, *withheld)]
    if suite in ONE_OF_EACH_DOMAIN:
        calls += [("describe", suite, *withheld), ("reference-points", suite, *withheld, "--metric", A_METRIC[suite])]
    calls += [("runs", "show", "r.duckdb", "1", "--format", each) for each in ("json", "csv", *suite_of(suite).layouts)]
    calls += [("runs", "show", "r.duckdb", "1", "--signature"), ("runs", "r.duckdb")]
    printed = [cli(*call) for call in calls]
    assert [each.err for each in printed if each.code] == []
    texts = (*cells(tmp_path / "r.duckdb"), *(text for each in printed for text in (each.out, each.err)))
    assert {found for text in texts for found in gold.found_in(text)} == set()
    stored = (tmp_path / "r.duckdb").read_bytes()
    assert not [each for each in gold.texts if each.encode() in stored]

    tables = ("unit_statistics", "block_sums", "resampled", "replicates", "curves")
    assert ([*map(number_of_rows, tables)], evidence_tables()) == ([0] * len(tables), 0)
    runs = rows_of("FROM runs")
    points = {each["id"] for each in runs if each["reference_point"]}
    for each in rows_of("FROM inputs"):
        if each["name"] not in suite_of(suite).submitted or each["run"] in points:
            assert (each["path"], each["rows"], each["bytes"]) == (None, None, None)
        else:
            assert each["path"] == "team.parquet"
    sizes = {tuple(each) for run in runs for each in json.loads(run["counts"])}
    scored = {*ask("SELECT metric, component FROM scores")}
    assert scored
    assert not sizes & scored
    assert {run["withheld"] for run in runs} == {json.dumps(PARTS)}


OPTIONS = {  # of `score`, each of which adds something to results
    "confidence": (),
    "percentile": ("--percentile",),
    "groups": ("--confidence-groups", "6"),
    "dropping": ("--on-bad-row", "drop"),
    "no evidence": ("--no-evidence",),
    "names": ("--name", "team", "--corpus", "dev", "--meta", "team=x"),
}


@pytest.mark.parametrize("options", first(OPTIONS, 1))
@pytest.mark.parametrize("suite", ONE_OF_EACH_DOMAIN)
def test_intervals_do_not_tell_the_gold(cli, tmp_path, monkeypatch, suite, options):
    monkeypatch.chdir(tmp_path)
    gold = Gold(suite, tmp_path)
    withheld = ("-o", "r.duckdb", "--withhold", ALL, "--confidence", "90", *OPTIONS[options])
    done = cli("score", suite, *gold.inputs, *withheld, "--metric", A_METRIC[suite])
    if options == "dropping" and done.code == 2:
        pytest.skip("the suite drops no rows")
    assert done.code == 0, done.err
    texts = (*cells(tmp_path / "r.duckdb"), done.out, done.err)
    assert {found for text in texts for found in gold.found_in(text)} == set()
    for table in ("unit_statistics", "block_sums", "resampled", "replicates", "curves"):
        assert number_of_rows(table) == 0


@pytest.mark.parametrize("suite", first(ONE_OF_EACH_DOMAIN))
def test_the_same_search_finds_what_is_not_withheld(cli, tmp_path, monkeypatch, suite):
    monkeypatch.chdir(tmp_path)
    gold = Gold(suite, tmp_path)
    done = cli("score", suite, *gold.inputs, "--metric", A_METRIC[suite], "-o", "r.duckdb")
    assert done.code == 0
    assert gold.found_in(done.err) or suite == "articulation"  # which warns of no further columns
    told = {each for text in cells(tmp_path / "r.duckdb") for each in gold.found_in(text)}
    assert told & gold.texts
    assert bool(told - gold.texts) == bool(gold.times)


# -- each part by itself ------------------------------------------------------------------------------

SIZES = {"ned": {"pairs"}, "token": set()}  # the components of two metrics that are no rates


@pytest.mark.parametrize(
    "parts",
    [
        ("evidence",),
        ("units",),
        pytest.param((), marks=slow),
        pytest.param(("counts",), marks=slow),
        pytest.param(("counts", "evidence"), marks=slow),
    ],
)
def test_only_what_is_named_is_withheld(score, folder, parts):
    options = [text for part in parts for text in ("--withhold", part)]
    metrics = [text for metric in SIZES for text in ("--metric", metric)]
    found = json.loads(score("-o", "r.duckdb", "--format", "json", *metrics, *options).scored())
    assert found["run"].get("withheld", []) == sorted(parts, key=PARTS.index)
    assert (evidence_tables() == 0) == ("evidence" in parts)
    assert (number_of_rows("unit_statistics") == 0) == ("units" in parts)
    for metric, sizes in SIZES.items():
        components = {row["component"] for row in found["scores"] if row["metric"] == metric}
        assert components
        assert components & sizes == (set() if "counts" in parts else sizes)
    stored = ask("SELECT metric, component FROM scores")
    assert stored == [(row["metric"], row["component"]) for row in found["scores"]]


def test_what_stays_has_the_same_score(score, folder):
    whole = json.loads(score("--format", "json").scored())["scores"]
    rates = json.loads(score("--format", "json", "--withhold", ALL).scored())["scores"]
    assert 0 < len(rates) < len(whole)
    assert [row for row in whole if row in rates] == rates


def test_curves_tell_of_each_detection(tmp_path):
    """Between two points of a curve lies one detection, and the rates tell whether it is a hit."""
    inputs = inputs_of("std2006")
    for withhold, points in (("counts", True), ("units", False)):
        run = scorespec.score("std2006", inputs=inputs, metrics="mtwv", withhold=withhold)
        assert (run.sql("FROM curves").num_rows > 0) == points


def test_a_run_says_that_it_cannot_be_compared(score, cli, folder):
    says = "withheld: units; the run cannot be compared with others"
    assert score("--metric", "ned", "-o", "r.duckdb", "--withhold", "units").scored().splitlines()[-1] == says
    assert cli("runs", "show", "r.duckdb", "1").scored().splitlines()[-1] == says
    assert score("--metric", "ned", "--withhold", "counts").scored().splitlines()[-1] == "withheld: counts"
    assert scorespec.open_results("r.duckdb").run(1).withheld == ("units",)


def test_a_run_that_withholds_more_supersedes_none(score, folder):
    for options in ([], ["--withhold", "units"], ["--withhold", "units"]):
        score("--metric", "coverage", "-o", "r.duckdb", "--no-evidence", *options).scored()
    assert scorespec.open_results("r.duckdb").runs()["superseded_by"].to_pylist() == [None, 3, None]


def test_an_unknown_part_is_refused(score, folder):
    asked = score("--withhold", "evidence,unit", "fragments=none.class")
    asked.refused("error: withhold 'unit'; did you mean 'units'?", code=2)
    with pytest.raises(scorespec.UsageError, match=r"^withhold 'labels'; known: counts, evidence, units$"):
        scorespec.score(SUITE, withhold=["labels"])


def test_scores_of_each_unit_are_refused(score, folder):
    says = "error: --by file asks for the scores of each unit of token, which `units` withholds; "
    says += "leave out one of the two"
    score("--metric", "token", "--by", "file", "--withhold", "units").refused(says, code=2)
    score("--metric", "token", "--by", "file", "--withhold", "evidence,counts").scored()


def test_warnings_do_not_tell_labels_and_numbers():
    inputs = inputs_of("articulation")
    inputs = inputs | {"submission": inputs["submission"].slice(0, 1)}
    for withhold, says in (
        ([], "1 of 4 rows are missing and left out: u"),
        (["evidence"], "1 of 4 rows are missing and left out: …"),
        (["counts"], "… of … rows are missing and left out: u"),
        (PARTS, "… of … rows are missing and left out: …"),
    ):
        params = {"unusable": "leave_out"}
        run = scorespec.score("articulation", inputs=inputs, params=params, metrics="loudness", withhold=withhold)
        assert says in run.warnings
        assert run.sql("SELECT warnings FROM runs")["warnings"].to_pylist() == [json.dumps(run.warnings)]


def test_warnings_of_the_gold_say_only_that_there_are_some(score, write, folder):
    repeated = write("twice.phn", (folder / "alpha.phn").read_text() + (folder / "alpha.phn").read_text())
    done = score(f"phones={repeated}", "--metric", "token")
    assert "repeated rows of twice.phn are counted once" in done.err
    assert score(f"phones={repeated}", "--metric", "token", "--withhold", "evidence").err == (
        "warning: phones: some rows are left out or counted once (…)\n"
    )


def test_the_number_of_files_of_the_gold_is_not_told(score, folder):
    """There may be a file for each recording. The files of the submission are listed, without their folders."""
    lines = (folder / "alpha.phn").read_text().splitlines(keepends=True)
    (folder / "gold").mkdir()
    for name in {line.split()[0] for line in lines}:
        (folder / "gold" / f"{name}.phn").write_text("".join(line for line in lines if line.split()[0] == name))
    for options in ([], ["--withhold", "evidence"]):
        done = score("phones=gold/*.phn", "--metric", "coverage", "-o", "r.duckdb", *options)
        assert done.code == 0, done.err
    asked = (
        "SELECT path IS NULL AND sha256 IS NULL AND lines_before IS NULL AS hidden FROM inputs WHERE name = 'phones'"
    )
    assert ask(f"{asked} AND run = 1").count((False,)) > 1
    assert ask(f"{asked} AND run = 2") == [(True,)]
    assert ask("SELECT path FROM inputs WHERE name = 'fragments' AND run = 2") == [("alpha.class",)]
    assert ask("SELECT count(DISTINCT gold) FROM runs") == [(1,)]


def test_dropped_rows_have_no_folders(score, write, folder):
    text = (folder / "alpha.class").read_text()
    write("bad.class", text.rstrip() + "\nalpha_sa1 0.5 0.5\n\n")
    bad = (
        f"fragments={folder}/bad.class",
        "--on-bad-row",
        "drop",
        "--metric",
        "token",
        "-o",
        "r.duckdb",
        "--withhold",
        ALL,
    )
    done = score(*bad)
    assert done.code == 0
    assert done.err.startswith("warning: bad.class: 1 of ")
    assert not [text for text in (done.out, *cells(folder / "r.duckdb")) if str(folder) in text]
    assert scorespec.open_results("r.duckdb").sql("FROM dropped_rows")["path"].to_pylist() == ["bad.class"]


def test_errors_do_not_tell_the_gold(cli, write):
    """A hypothesis without the segments of the reference is refused: the message would list them."""
    write("ref.trn", "a b (gold-1)\nc d (gold-2)\n")
    write("hyp.trn", "a b (mine-1)\n")
    call = ("score", "wer", "reference=ref.trn", "hypothesis=hyp.trn")
    assert "document gold is not in the hypothesis" in cli(*call).err
    refused = cli(*call, "--withhold", "evidence")
    assert refused.code == 1
    assert "hyp.trn:1: " in refused.err
    assert "gold" not in refused.err.replace("the gold", "")
    assert "the gold: what is wrong is withheld (problems: 1); score without --withhold to see it" in refused.err


@pytest.mark.parametrize("hypothesis", first(["h.ctm", "h.stm"]))
def test_errors_do_not_tell_the_channels_of_the_gold(cli, write, hypothesis):
    write("r.stm", "rec left s1 0 5 a b c\nrec right s2 0 5 x y z\n")
    write("h.ctm", "rec mine 1 .2 b\n")
    write("h.stm", "rec mine s1 0 5 a b c\nrec right s2 0 5 x y z\n")
    refused = cli("score", "wer", "reference=r.stm", f"hypothesis={hypothesis}", "--withhold", "evidence")
    assert refused.code == 1
    assert f"{hypothesis}:1: " in refused.err
    assert "channel mine" in refused.err
    assert "left" not in refused.err
    assert "right" not in refused.err


def test_faults_of_the_gold_are_not_told(score, write, folder):
    write("bad.phn", "alpha_sa1 0 1 sil\nsecret 3 2 x\n")
    assert "offset 2 is not after onset 3" in score("phones=bad.phn").err
    refused = score("phones=bad.phn", "--withhold", "counts")
    assert refused.err == "the gold: what is wrong is withheld (problems: 1); score without --withhold to see it\n"


# -- evidence that is not wanted ----------------------------------------------------------------------


def test_results_without_evidence(score, folder):
    score("--metric", "token", "-o", "r.duckdb", "--no-evidence").scored()
    assert evidence_tables() == 0
    assert number_of_rows("unit_statistics") > 0
    ((withheld, path, rows),) = ask(
        "SELECT withheld::VARCHAR, path, rows FROM runs JOIN inputs ON run = id AND inputs.name = 'phones'"
    )
    assert (withheld, Path(path).name, rows > 0) == ("[]", "alpha.phn", True)


def test_results_without_evidence_have_curves(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options: dict[str, Any] = {"inputs": inputs_of("std2006"), "metrics": "mtwv", "keep_evidence": False}
    scorespec.score("std2006", output="r.duckdb", **options)
    assert number_of_rows("curves") > 0
    assert evidence_tables() == 0


# -- what is a rate -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "rate"),
    [
        ({"range": (0, 1)}, True),
        ({"better": "lower"}, True),
        ({"about": "Slope of a line."}, True),
        ({"unit": "1/h"}, True),
        ({"unit": "count"}, False),
        ({"unit": "s", "better": "lower", "range": (0, None)}, False),
        ({}, False),
    ],
)
def test_a_rate_is_declared_and_has_no_unit(declared, rate):
    assert Meaning(**declared).is_amount != rate


def test_every_component_that_ships_is_declared():
    """Otherwise it would be withheld as a count, though it may be a rate."""
    for suite in some(map(suite_of, SUITES)):
        names = CATALOG.of_suite(suite)
        for metric in some(map(names.metric, (*suite.metrics, *suite.describe))):
            for component in some(components_of(expanded(metric, names.kinds[metric.kind]))):
                meaning = names.component(metric, component)
                assert meaning.unit or not meaning.is_amount, f"{suite.name}: {metric.name}.{component}"


def test_a_message_keeps_what_is_not_withheld():
    says = "{count} of {rows} rows, such as {token}"
    assert Disclosure().message(says) == says
    assert Disclosure(("units",)).message(says) == says
    assert Disclosure(("counts",)).message(says) == "… of … rows, such as {token}"
    assert Disclosure(("evidence",)).message(says) == "{count} of {rows} rows, such as …"


def test_what_is_not_listed_may_not_leave_a_run_that_withholds_something():
    assert Disclosure().allows("a new table")
    for part in some(PARTS):
        assert not Disclosure((part,)).allows("a new table")
    every = (*TABLES, "evidence_words")
    for part, without in {
        "units": {"unit_statistics", "curves", "block_sums", "resampled", "replicates"},
        "evidence": {"evidence_words"},
        "counts": set(),
    }.items():
        assert {table for table in every if not Disclosure((part,)).allows(table)} - OF_THE_RUN == without


def test_slices_of_a_suite_that_are_units_are_left_out(cli, write):
    asked = ("describe", "zerospeech2015", *INPUTS, "--param", "speaker_pattern=_(..)", "--format", "json")
    slices = {}
    for options in ((), ("--withhold", "units")):
        rows = json.loads(cli(*asked, *options).scored())["scores"]
        slices[options] = {(row["metric"], *row["slice"]) for row in rows}
    by_unit = {("speaker_statistics", "speaker"), ("phone_statistics", "label")}
    assert slices[()] - slices["--withhold", "units"] == by_unit
    assert {name for name, *_ in slices["--withhold", "units"]} >= {"speaker_statistics", "phone_statistics"}
