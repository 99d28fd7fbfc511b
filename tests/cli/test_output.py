"""What is printed where: scores on standard output in three formats, warnings on standard error."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from command_line import DATA, INPUTS, SUITE, Result, strict

from marks import first
from scorespec.catalog.model import Meaning
from scorespec.core.score_text import percent_text
from scorespec.version import __version__

WARNING = "note: 9 of 289 distinct fragments have no phone in their transcription; only the metric sizes counts them"
SIZES = ("clusters", "members", "fragments", "fragments_empty", "pairs", "types", "words", "word_types")
NAMES = {"ned": "ned", "coverage": "coverage"}
COLUMNS = ["metric", "component", "slice", "value", "std", "folds", "note"]
RANDOM = f"fragments={DATA / 'alpha.random.class'}"  # a submission with a warning


@pytest.fixture(scope="session")
def printed(cli) -> Callable[[str], Result]:
    """What scoring a submission with a warning prints in a format."""
    inputs = [f"{name}={DATA}/alpha.{end}" for name, end in (("phones", "phn"), ("words", "wrd"))]
    return cache(lambda format_: cli("score", SUITE, *inputs, RANDOM, "--format", format_))


@pytest.fixture
def results(stored_run, folder) -> None:
    """A results database `r.duckdb` in the current folder."""
    shutil.copy(stored_run("--metric", "coverage", "--no-evidence")[0], folder)


def test_success_without_warnings_leaves_standard_error_empty(process, folder):
    process("score", SUITE, *INPUTS, "--metric", "coverage").scored()


def test_warnings_go_to_standard_error(printed):
    for format_ in ("table", "csv"):
        result = printed(format_)
        assert (result.code, result.err) == (0, f"{WARNING}\n")
        assert "warning" not in result.out


def test_the_first_warnings_are_printed_after_the_scores_and_all_with_verbose(capsys):
    from scorespec.core.terminal import print_warnings

    warnings = ["note: usual", "first", "second", "third"]
    print_warnings(warnings, 3)
    assert capsys.readouterr().err == "warning: first\nwarning: second\nwarning: third\n1 more: --verbose shows them\n"
    print_warnings(warnings)
    assert capsys.readouterr().err.endswith("warning: third\nnote: usual\n")


def test_a_warning_is_given_once_and_before_those_about_formats(cli, write):
    """The references are read twice, as turns and as other lines; END is a line of the format and scores nothing."""
    reference = write(
        "ref.rttm", "SPEAKER m 1 0 4 <NA> <NA> a <NA>\nSPEAKER m 2 4 4 <NA> <NA> b <NA>\nEND m 1 <NA> 8\n"
    )
    hypothesis = write("hyp.rttm", "SPEAKER m 1 0 8 <NA> <NA> x <NA>\n")
    channel, end = cli("score", "der_mdeval", f"reference={reference}", f"hypothesis={hypothesis}").err.splitlines()
    assert "; --param channels=ignored scores all channels as one recording: m channel 2" in channel
    assert end == "warning: ref.rttm: 1 line of type 'END' left out, at line 3"


def test_warnings_stand_in_the_json_too(printed):
    assert strict(printed("json").out)["warnings"] == [WARNING]
    assert printed("json").err == f"{WARNING}\n"


def test_quiet_is_silent_but_for_the_scores(score, printed):
    quiet = score(RANDOM, "--format", "csv", "--quiet")
    assert (quiet.code, quiet.out, quiet.err) == (0, printed("csv").out, "")


# -- json ------------------------------------------------------------------------------------------


def test_shape_of_json(printed):
    found = strict(printed("json").out)
    assert list(found) == ["run", "scores", "warnings"]
    assert {"suite", "signature", "time", "parameters", "versions", "inputs"} <= set(found["run"])
    assert found["run"]["suite"] == SUITE
    assert found["run"]["signature"].startswith(f"{SUITE}|duration_rounding:0.001|edge_fraction:0.5|edge_time:0.03|")
    assert found["run"]["parameters"]["silence"] == ["SIL", "SPN"]
    assert found["run"]["inputs"][0] == {
        "name": "phones",
        "path": str(DATA / "alpha.phn"),
        "format": "phn",
        "rows": 2030,
        "dropped_rows": 0,
    }
    for row in found["scores"]:
        assert list(row) == COLUMNS
        assert (row["slice"], row["std"], row["folds"]) == ({}, None, None)
    assert [(row["metric"], row["component"]) for row in found["scores"]] == [
        ("ned", "value"),
        ("ned", "pairs"),
        ("coverage", "value"),
        *[
            (metric, component)
            for metric in ("grouping", "type", "token", "boundary")
            for component in ("precision", "recall", "fscore")
        ],
        *[("sizes", size) for size in SIZES],
    ]


@pytest.mark.parametrize("corpus", first(["alpha.random", "alpha.edges", "beta.ngrams"]))
def test_json_has_the_values_of_the_evaluator_at_full_precision(cli, corpus):
    gold, _, _ = corpus.partition(".")
    inputs = (f"phones={DATA}/{gold}.phn", f"words={DATA}/{gold}.wrd", f"fragments={DATA}/{corpus}.class")
    rows = strict(cli("score", SUITE, *inputs, "--format", "json").out)["scores"]
    found = {(row["metric"], row["component"]): row["value"] for row in rows}
    expected = json.loads((DATA / "expected.json").read_text())[corpus]["tdev2"]["values"]
    assert found["ned", "pairs"] == expected["ned"]["n_pairs"]
    for metric, component in (key for key in found if key[0] != "sizes"):
        value = expected[metric].get(NAMES.get(metric, component))
        if (metric, component) != ("ned", "pairs") and not isinstance(value, str):
            assert math.isclose(found[metric, component], value, rel_tol=1e-12), (metric, component)


def test_json_and_csv_have_the_same_values(printed):
    rows = strict(printed("json").out)["scores"]
    lines = list(csv.DictReader(io.StringIO(printed("csv").out)))
    assert list(lines[0]) == COLUMNS
    assert [float(line["value"]) for line in lines] == [row["value"] for row in rows]
    assert [line["metric"] for line in lines] == [row["metric"] for row in rows]
    assert {line["slice"] for line in lines} == {"{}"}


def test_undefined_is_null_in_json_and_empty_elsewhere(score, write):
    write("one.class", "Class 0\nalpha_sa1 0.43 0.67\n")
    rows = strict(score("fragments=one.class", "--format", "json", "--metric", "ned").scored())["scores"]
    assert (rows[0]["value"], rows[1]["value"]) == (None, 0)
    assert rows[0]["note"]
    line = score("fragments=one.class", "--format", "csv", "--metric", "ned").scored().splitlines()[1]
    assert line.startswith("ned,value,{},,,,")
    table = score("fragments=one.class", "--metric", "ned").scored()
    assert rows[0]["note"] in table
    assert "None" not in table
    assert "nan" not in table


# -- the table -------------------------------------------------------------------------------------


def test_table_is_readable(printed):
    lines = printed("table").out.splitlines()
    assert lines[0].split() == ["metric", "component", "value"]
    assert lines[1].split() == ["ned", "value", "0.9328"]
    assert lines[2].split() == ["ned", "pairs", "503"]
    assert len({len(line.rstrip()) for line in lines[1:-1]}) == 1  # the numbers end in one column
    assert lines[-1].startswith(f"{SUITE}|")
    assert not any("\x1b" in line for line in lines)


# -- breakdowns and metric strings -----------------------------------------------------------------


def test_by_file(score):
    found = strict(score(RANDOM, "--by", "file", "--metric", "token", "--format", "json").out)
    slices = [row["slice"] for row in found["scores"] if row["component"] == "fscore"]
    files = ["alpha_sa1", "alpha_sa2", "alpha_sb1", "alpha_sb2", "alpha_sc1", "alpha_sc2"]
    assert slices == [{}, *({"file": name} for name in files)]


def test_by_a_column_that_a_metric_lacks_is_a_warning(score):
    result = score("--by", "cluster", "--metric", "ned", "--metric", "token", "--format", "json")
    warning = "no rows of token by cluster: it has no column 'cluster' (words has none)"
    assert (result.code, result.err) == (0, f"warning: {warning}\n")
    found = strict(result.out)
    assert found["warnings"] == [warning]
    assert {row["metric"] for row in found["scores"] if row["slice"]} == {"ned"}


def test_metric_string_stands_in_the_rows(score):
    arguments = ("--metric", "token(edge_time=0.02)", "--metric", "token", "--format", "json")
    names = [row["metric"] for row in strict(score(*arguments).scored())["scores"]]
    assert names == ["token(edge_time=0.02)"] * 3 + ["token"] * 3


def test_param_shows_in_the_signature_and_not_in_names(score):
    found = strict(score("--param", "edge_time=0.02", "--metric", "token", "--format", "json").scored())
    assert {row["metric"] for row in found["scores"]} == {"token"}
    assert "|edge_time:0.02|" in found["run"]["signature"]


# -- results and queries ---------------------------------------------------------------------------


def test_second_run_is_appended(score, cli):
    asked = ("--metric", "token", "--no-evidence", "-o", "r.duckdb")
    first = score(*asked, "--format", "json").scored()
    score(*asked, "--param", "edge_time=0.02").scored()
    sql = "SELECT run, count(*) AS n FROM scores GROUP BY run ORDER BY run"
    rows = strict(cli("query", "r.duckdb", sql, "--format", "json").scored())
    count = len(strict(first)["scores"])
    assert rows == [{"run": 1, "n": count}, {"run": 2, "n": count}]
    sql = "SELECT value FROM scores WHERE run = 1 AND metric = 'token' AND component = 'fscore'"
    (row,) = strict(cli("query", "r.duckdb", sql, "--format", "json").scored())
    assert row["value"] in [each["value"] for each in strict(first)["scores"]]


def test_results_keep_inputs_and_evidence(score, cli):
    score("-o", "r.duckdb").scored()
    tables = cli("query", "r.duckdb", "SHOW TABLES", "--format", "csv").scored().split()
    assert {"runs", "inputs", "scores", "unit_statistics", "curves", "evidence_fragment_verdicts"} <= set(tables)
    sql = "SELECT name, path, rows, length(sha256) AS hash FROM inputs ORDER BY name"
    assert cli("query", "r.duckdb", sql, "--format", "csv").scored().splitlines()[1:] == [
        f"fragments,{Path.cwd()}/alpha.class,774,64",
        f"phones,{Path.cwd()}/alpha.phn,2030,64",
        f"words,{Path.cwd()}/alpha.wrd,774,64",
    ]


SQL = "SELECT 1 AS a, NULL AS b, 'x,\"y' AS c, 0.1::DOUBLE AS d, [1, 2] AS e"


def test_query_in_every_format(results, cli):
    assert strict(cli("query", "r.duckdb", SQL, "--format", "json").scored()) == [
        {"a": 1, "b": None, "c": 'x,"y', "d": 0.1, "e": [1, 2]}
    ]
    assert list(csv.reader(io.StringIO(cli("query", "r.duckdb", SQL, "--format", "csv").scored()))) == [
        ["a", "b", "c", "d", "e"],
        ["1", "", 'x,"y', "0.1", "[1, 2]"],
    ]
    lines = cli("query", "r.duckdb", SQL).scored().splitlines()
    assert [line.split() for line in lines] == [
        ["a", "b", "c", "d", "e"],
        ["1", 'x,"y', "0.1000", "[1,", "2]"],
    ]


def test_query_of_values_that_json_lacks(results, cli):
    sql = "SELECT 'nan'::DOUBLE AS a, 'inf'::DOUBLE AS b, NULL::DOUBLE AS c, [a] AS d, {'x': -b} AS e"
    assert strict(cli("query", "r.duckdb", sql, "--format", "json").scored()) == [
        {"a": None, "b": "Infinity", "c": None, "d": [None], "e": {"x": "-Infinity"}}
    ]
    assert "nan" in cli("query", "r.duckdb", sql).scored()
    assert "nan,inf,," in cli("query", "r.duckdb", sql, "--format", "csv").scored()


def test_query_of_other_types(results, cli):
    sql = "SELECT time, parameters, 1.50::DECIMAL(9,2) AS d, 'a'::BLOB AS b, DATE '2020-01-02' AS day FROM runs"
    for format_ in ("json", "csv", "table"):
        assert "2020-01-02" in cli("query", "r.duckdb", sql, "--format", format_).scored()


def test_query_of_columns_of_one_name_and_of_sums(results, cli):
    sql = "SELECT 1 AS a, 2 AS a, 3 AS a_1, sum(5::BIGINT) AS s, 1.50::DECIMAL(9,2) AS d"
    row = {"a": 1, "a_2": 2, "a_1": 3, "s": 5, "d": 1.5}
    assert strict(cli("query", "r.duckdb", sql, "--format", "json").scored()) == [row]
    assert cli("query", "r.duckdb", sql, "--format", "csv").scored() == "a,a_2,a_1,s,d\n1,2,3,5,1.50\n"
    assert cli("query", "r.duckdb", sql).scored().split() == [*row, "1", "2", "3", "5", "1.50"]


def test_evidence_of_a_varied_number_has_numbers(score, cli, write):
    suite = "{extends: zerospeech2017, vary: {edge_time: [0.02, 0.03]}}"
    write("v.yaml", f"domain: term_discovery\nsuites:\n  v: {suite}\n")
    inputs = ("phones=alpha.phn", "words=alpha.wrd", "fragments=alpha.class")
    cli("score", "v", *inputs, "--specs", "v.yaml", "--metric", "coverage", "-o", "v.duckdb", "--quiet").scored()
    sql = "SELECT DISTINCT edge_time FROM evidence_cluster_scores ORDER BY ALL"
    assert strict(cli("query", "v.duckdb", sql, "--format", "json").scored()) == [
        {"edge_time": 0.02},
        {"edge_time": 0.03},
    ]


@pytest.mark.parametrize("format_", ["table", "json", "csv"])
def test_query_without_rows(results, cli, format_):
    out = cli("query", "r.duckdb", "SELECT 1 AS a WHERE false", "--format", format_).scored()
    assert out.split() == (["[]"] if format_ == "json" else ["a"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["r.duckdb", "SELEC 1"], 'error: Parser Error: syntax error at or near "SELEC"'),
        (["r.duckdb", "SELECT nope FROM scores"], 'error: Binder Error: Referenced column "nope" not found'),
        (["r.duckdb", "SELECT * FROM nope"], "error: Catalog Error: Table with name nope does not exist!"),
        (["nothere.duckdb", "SELECT 1"], "error: nothere.duckdb: no such results database"),
        (["alpha.phn", "SELECT 1"], "error: alpha.phn: cannot be opened: it is not a DuckDB database"),
    ],
)
def test_query_errors(results, cli, arguments, message):
    cli("query", *arguments).refused_with(message)


def test_query_in_a_process_is_clean(process, results):
    assert process("query", "r.duckdb", "SELECT count(*) AS n FROM runs", "--format", "csv").scored() == "n\n1\n"
    process("query", "r.duckdb", "SELECT nope").refused_with("error: Binder Error")


# -- signatures ------------------------------------------------------------------------------------


def test_the_short_signature_is_below_the_table_and_the_full_one_when_asked_for(score, cli):
    asked = ("--param", "edge_time=0.02", "--metric", "token", "--no-evidence", "-o", "r.duckdb")
    short = score(*asked).scored().splitlines()[-1]
    full = score(*asked, "--signature").scored().splitlines()[-1]
    assert re.fullmatch(rf"{SUITE}\|edge_time:0.02\|spec:[0-9a-f]{{8}}\|gold:[0-9a-f]{{8}}\|scorespec:[0-9.]+", short)
    assert "|edge_fraction:0.5|edge_time:0.02|" in full
    assert full.partition("|spec:")[2] == short.partition("|spec:")[2]
    rows = strict(cli("query", "r.duckdb", "SELECT signature FROM runs", "--format", "json").scored())
    assert [row["signature"] for row in rows] == [full, full]


def test_counts_are_whole_numbers_in_csv_and_json(score):
    rows = strict(score("--metric", "sizes", "--format", "json").scored())["scores"]
    lines = list(csv.DictReader(io.StringIO(score("--metric", "sizes", "--format", "csv").scored())))
    assert {type(row["value"]) for row in rows} == {int}
    assert [line["value"] for line in lines] == [str(row["value"]) for row in rows]


def test_metrics_of_another_suite_in_every_format(score, cli):
    asked = ("--metric", "ned", "--metric", "zerospeech2015.ned")
    names = {"ned", "zerospeech2015.ned"}
    assert {line.split()[0] for line in score(*asked, "-o", "r.duckdb").scored().splitlines()[1:-1]} == names
    rows = strict(score(*asked, "--format", "json").scored())["scores"]
    assert {row["metric"] for row in rows} == names
    lines = csv.DictReader(io.StringIO(score(*asked, "--format", "csv").scored()))
    assert {line["metric"] for line in lines} == names
    kept = strict(cli("query", "r.duckdb", "SELECT DISTINCT metric FROM scores", "--format", "json").scored())
    assert {row["metric"] for row in kept} == names


def test_version(cli):
    assert cli("--version").scored() == f"scorespec {__version__}\n"


def test_tables_in_markdown_and_latex_have_all_columns(score, cli):
    asked = (RANDOM, "--metric", "token", "--metric", "sizes", "--percent", "--quiet")
    rows = {line.split()[1]: line.split()[2:] for line in score(*asked).scored().splitlines()[:-1]}
    _, *found, signature = score(*asked, "--format", "markdown").scored().splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in found if line.count("|") == 4]
    assert ["token", "fscore", " ".join(rows["fscore"])] in cells
    assert rows["fscore"][1] == "%"
    assert signature.startswith("* zerospeech2017\\|")
    latex = score(*asked, "--format", "latex", "-o", "r.duckdb").scored()
    assert latex.startswith("\\begin{tabular}{llr}\n\\toprule\nmetric & component & value \\\\\n")
    assert f"token & fscore & {rows['fscore'][0]} \\% \\\\\n" in latex
    assert f"sizes & fragments & {rows['fragments'][0]} \\\\\n" in latex  # counts stay counts
    assert "\n% zerospeech2017|" in latex
    assert cli("runs", "show", "r.duckdb", "1", "--format", "latex", "--percent").out == latex
    assert "1 & " in cli("runs", "r.duckdb", "--format", "latex").scored()
    sql = "SELECT component, round(value, 4) AS value FROM scores WHERE component = 'fscore'"
    value = f"{float(rows['fscore'][0]) / 100:.4f}"
    assert f"| fscore | {value} |" in cli("query", "r.duckdb", sql, "--format", "markdown").scored()


def test_rates_are_ratios_without_a_unit():
    rates = {
        "higher": [(0, 1), (None, 1), (0, None), (0, 2), (-0.5, 1)],
        "lower": [(0, 1), (0, None)],
    }
    for better, ranges in rates.items():
        assert all(Meaning(better=better, range=each).is_rate for each in ranges)
    for other in (
        Meaning(better="lower", range=(0, None), unit="s"),
        Meaning(better="higher", range=(0, 1), unit="count"),
        Meaning(better="none", range=(0, 1)),
        Meaning(better="higher", range=(None, 100)),
        Meaning(better="higher", range=(0, 100)),
        Meaning(better="higher", range=(None, None)),
        Meaning(better="higher"),
    ):
        assert not other.is_rate


def test_small_rates_keep_their_digits():
    texts = {
        0.075: "7.50",
        0.001: "0.10",
        0.00099: "0.099",
        1.25e-7: "1.25e-05",
        0.0: "0.00",
        -0.5: "-50.00",
        12: "1,200.00",
    }
    assert {value: percent_text(value) for value in texts} == texts


def test_a_note_of_many_rows_is_said_once(cli, write):
    write("ref.txt", "".join(f"a{number}-1 one two\n" for number in range(3)))
    run = cli("score", "wer", "reference=ref.txt", "hypothesis=ref.txt", "--confidence", "95")
    assert run.out.count("less than 6") == 1
    assert run.out.count("[1]") > 2
