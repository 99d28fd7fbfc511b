"""The commands beside `score`: list, show, compile, check, schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import duckdb
import jsonschema
import pytest
from command_line import SUITE, Command

from marks import only, some
from scorespec.catalog.lookup import SECTIONS, load_catalog, shipped_documents
from scorespec.show import show


@pytest.mark.parametrize("section", SECTIONS)
def test_list(cli, section):
    catalog = load_catalog()
    lines = [
        line
        for line in cli("list", section).scored().splitlines()
        if line.startswith(" ")
        or (section in ("kinds", "macros", "publications") and len(line.split()) > 1 and ", suite " not in line)
    ]
    listed = [line.split() for line in lines if line]
    assert sorted(words[0] for words in listed) == sorted(key.name for key in catalog.keys(section))
    unexplained = {words[0] for words in listed if len(words) == 1}
    if section == "components":  # a size of a set has a range; the column that it is summed from says what it counts
        relations = [catalog.definition(key) for key in catalog.keys("relations")]
        unexplained -= {column.name for relation in relations for column in relation.columns if column.about}
    assert not unexplained


def test_list_is_of_suites(cli):
    assert cli("list").scored() == cli("list", "suites").scored()


def test_list_of_something_else(cli):
    cli("list", "metric").refused("error: cannot list 'metric'; did you mean 'metrics'?", code=2)


def test_list_has_ones_own(cli, write):
    write("my.yaml", "domain: term_discovery\nmetrics:\n  lenient: {extends: token, about: mine}\n")
    assert "lenient" in cli("list", "metrics", "--specs", "my.yaml").scored()


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        (
            SUITE,
            ["suite zerospeech2017", "    fragments  ", "edge_time = 0.03 s", f"signature: {SUITE}|"],
        ),
        (
            "token",
            ["metric zerospeech2017.token", "sources:", "kind: statistics", "edge_time = 0.03 s", "depends on:"],
        ),
        (
            "fragment_spans",
            ["relation zerospeech2017.fragment_spans", "symbol: F_disc", "needs:\n    fold_fragments  ", "SELECT"],
        ),
        ("fragments", ["table fragments", "formats: class", "onset", "DOUBLE", "[s]"]),
        ("overlap", ["kind overlap", "a short form of statistics", "match_on (required)"]),
    ],
)
def test_show(cli, name, parts):
    text = cli("show", name, "--full").scored()
    assert all(part in text for part in parts), text


@pytest.mark.slow
@pytest.mark.parametrize("section", only(["metrics", "publications"], SECTIONS))
def test_everything_can_be_shown(cli, section):
    catalog = load_catalog()
    for name in some(catalog.names(section)):
        assert name in show(catalog, name)


def test_show_of_something_unknown(cli):
    cli("show", "tokn").refused("error: nothing is called 'tokn'; did you mean 'token'?", code=2)


# -- compile ---------------------------------------------------------------------------------------


def test_compiled_script_is_sql(cli):
    script = cli("compile", SUITE).scored()
    assert script.startswith("-- Suite")
    assert len(duckdb.extract_statements(script)) > 20
    assert "-- input fragments (specs/term_discovery/tables.yaml:" in script


def test_compile_takes_the_options_of_score(cli, write):
    write("my.yaml", "domain: term_discovery\nmetrics:\n  mine: {extends: token}\n")
    script = cli(
        "compile", SUITE, "--specs", "my.yaml", "--metric", "mine", "--param", "edge_time=0.02",
        "--by", "file", "-o", "r.duckdb", "--format", "json", "--memory-limit", "1GB", "--quiet",
    ).scored()  # fmt: skip
    assert "metric mine" in script
    assert "edge_time:0.02|" in script.replace("\n--  ", "")


def test_compile_shows_how_intervals_are_made(cli):
    script = cli("compile", SUITE, "--metric", "ned", "--metric", "token", "--confidence", "95").scored()
    assert "CREATE TABLE IF NOT EXISTS" in script
    assert "-- metric token, sums of blocks" in script
    assert re.findall(r"^-- intervals of (\w+)", script, re.MULTILINE) == ["token", "ned"]
    assert "-- intervals" not in cli("compile", SUITE, "--metric", "ned").scored()


def test_compile_needs_no_files(cli):
    given = ("phones=nothere.phn", "words=nothere.wrd", "fragments=nothere.class")
    assert cli("compile", SUITE, *given).scored() == cli("compile", SUITE).scored()


def test_compile_refuses_what_score_refuses(cli):
    cli("compile", SUITE, "--metric", "tokn").refused("error: unknown metric 'tokn'; did you mean 'token'?", code=2)
    cli("compile", "nope").refused_with("error: unknown suite 'nope'", code=2)


# -- list and show ---------------------------------------------------------------------------------


def test_lists_of_what_python_defines(cli):
    assert cli("list", "formats").scored().startswith("phn ")
    assert cli("list", "functions").scored().startswith("promised: ")
    said = "error: --domain and --with-column choose among definitions, not among functions"
    cli("list", "functions", "--domain", "wer").refused(said, code=2)
    cli("list", "format").refused_with("error: cannot list 'format'; did you mean 'formats'?", code=2)


# -- check and schema ------------------------------------------------------------------------------


def test_check_of_a_document_that_ships(cli):
    """All of them are checked by tests/specs/test_cases.py."""
    shipped = Path(__file__).parents[2] / "specs" / "term_detection" / "quesst2015" / "cost.yaml"
    assert cli("check", str(shipped)).scored().endswith(": all well\n")


def test_check_of_ones_own(cli, write):
    write("my.yaml", "domain: term_discovery\nmetrics:\n  mine: {extends: token, params: {edge_time: 0.01}}\n")
    found = cli("check", "my.yaml")
    assert (found.code, found.out) == (0, "1 document, 1 metric, 0 cases: no fault\n")
    assert found.err == "warning: no case for 1 metric: mine\n"


OWN = """
domain: mine
parameters:
  weight: {type: DOUBLE, default: 1.0, about: x}
  idle: {type: DOUBLE, default: 1.0, about: x}
  mode: {type: VARCHAR, default: a, one_of: [a, b], about: x, sets: {b: {weight: 2.0}}}
tables:
  marks: {about: Marks., columns: {file: {type: VARCHAR}, score: {type: DOUBLE}}, formats: [csv]}
  spare: {extends: marks, about: x}
relations:
  halves: {about: x, sql: "SELECT {{ weight }} * score AS score FROM {{ marks }}"}
  other: {about: x, sql: "SELECT score FROM {{ marks }}"}
  more: {about: x, sql: "SELECT file FROM {{ marks }}"}
metrics:
  sure: {about: x, kind: mean, from: halves, value: score}
  plain: {about: x, kind: mean, from: marks, value: score}
suites:
  mine: {about: x, inputs: [marks], metrics: [sure, plain]}
cases:
  sure: [{about: x, tables: {marks: [[a, 1]]}, expect: {value: 1}}]
"""


IDLE = """
macros: {twice: {about: x, params: [a], sql: 2 * a}}
columns: {score: x, speaker: x}
components: {value: {about: x}, rate: {about: x}}
"""


def test_check_warns_of_what_nothing_uses_in_other_sections(cli, write):
    write("own.yaml", OWN + IDLE)
    assert cli("check", "own.yaml").err.splitlines()[4:] == [
        "warning: nothing uses 1 column: speaker",
        "warning: nothing uses 1 component: rate",
        "warning: nothing uses 1 macro: twice",
    ]


def test_check_warns_of_columns_that_a_format_of_the_table_leaves_empty(cli, write):
    columns = "doc: {type: VARCHAR}, begin: {type: DOUBLE}, end: {type: DOUBLE, nullable: true}"
    turns = f"turns: {{about: x, formats: [rttm_speaker, csv], columns: {{{columns}}}}}"
    write("own.yaml", f"domain: mine\ntables:\n  {turns}\n  {turns.replace('turns', 'closed').replace(', csv', '')}\n")
    said = "turns.begin (rttm_speaker), closed.begin (rttm_speaker), closed.end (rttm_speaker)"
    assert cli("check", "own.yaml").err.splitlines()[1:] == [f"warning: a format lacks 3 columns: {said}"]


def test_check_warns_of_metrics_without_a_case_and_of_what_nothing_uses(cli, write):
    write("own.yaml", OWN)
    found = cli("check", "own.yaml")
    assert (found.code, found.out) == (0, "1 document, 2 metrics, 1 case: no fault\n")
    assert found.err.splitlines() == [
        "warning: no case for 1 metric: plain",
        "warning: nothing uses 1 table: spare",
        "warning: nothing uses 2 relations: other, more",
        "warning: nothing uses 1 parameter: idle",
    ]


def test_check_prints_the_cases_with_a_tag(cli, write):
    write(
        "mine.yaml",
        """domain: term_discovery
cases:
  ned:
    - about: Three of four pairs differ.
      example: tiny
      expect: {value: 3/4}
      tags: [Paper Eq 2, Paper Table 1]
      printed: {value: 0.7, pairs: 4}
      differs: The paper cuts the number off.
""",
    )
    assert cli("check", "mine.yaml", "--tag", "Eq 2").scored().splitlines() == [
        "Paper Eq 2; Paper Table 1",
        "  ned, mine.yaml:4",
        "  Three of four pairs differ.",
        "  value: printed 0.7, ours 0.75",
        "  pairs: printed 4, ours 4",
        "  differs: The paper cuts the number off.",
        "1 case: all well",
    ]
    cli("check", "mine.yaml", "--tag", "Eq 3").refused("error: no case has a tag with the text 'Eq 3'", code=2)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("suites:\n  mine:", "suites:\n  wer:", ":18:3: 'wer' is defined at specs/transcripts/wer/suite.yaml:12:3"),
        ("\ndomain: mine", "\ndomain: mine\nsuite: main", ":3:8: unknown suite 'main'; did you mean 'mine'?"),
        ("cases:", "kinds: {own: {about: x, schema: {}}}\ncases:", ":19:1: kinds of metric ship with scorespec"),
        (
            "about: Marks.",
            "about: Marks, by file",
            ":8:25: unknown key 'by file' in tables.marks; if it belongs to the text of 'about', put that text in "
            "quotes, because of its comma",
        ),
        (
            "file: {type: VARCHAR}",
            "file: {type: VARCHAR}, time: {type: DOUBLE, about: a time, x y}",
            ":8:95: unknown key 'x y' in tables.marks.columns.time; if it belongs to the text of 'about'",
        ),
        (
            "score: {type: DOUBLE}",
            "score: {type: BOOLEAN, booleans: [a, b]}",
            ':8:73: tables.marks.columns.score.type is "BOOLEAN"; allowed beside `booleans`: VARCHAR',
        ),
        (
            "score: {type: DOUBLE}",
            "score: {type: BIGINT, infinite: true}",
            ':8:73: tables.marks.columns.score.type is "BIGINT"; allowed beside `infinite`: DOUBLE',
        ),
        (
            "default: a, one_of",
            "default: a, at_least: 0, one_of",
            ':6:16: parameters.mode.type is "VARCHAR"; allowed beside `at_least` or `above` or `at_most` or `below`: '
            "DOUBLE, BIGINT",
        ),
        ("inputs: [marks]", "inputs: [marks], optional: [marks]", ":18:28: an input is listed twice, in `inputs`"),
        ("inputs: [marks]", "inputs: [marks], based_on: mini", ":18:47: unknown suite 'mini'; did you mean 'mine'?"),
        (
            "inputs: [marks]",
            "inputs: [marks], vary: {weight: {values: [1, 2], param: wait}}",
            ":18:76: unknown parameter 'wait'; did you mean 'weight'?",
        ),
        (
            "inputs: [marks]",
            "inputs: [marks], vary: {weight: {values: [1, 2], input: parts}}",
            ":18:76: unknown input 'parts'; ",
        ),
        (
            "inputs: [marks]",
            "inputs: [marks], folds: {column: file, count: wait}",
            ":18:66: unknown parameter 'wait'; did you mean 'weight'?",
        ),
        (
            "inputs: [marks]",
            "inputs: [marks], folds: {column: file, none_left: {sur.value: 1}}",
            ":18:82: unknown metric 'sur'; did you mean 'sure'?",
        ),
        (
            "inputs: [marks]",
            "inputs: [marks], only_with: {sur: weight}",
            ":18:54: unknown metric 'sur'; did you mean 'sure'?",
        ),
        ("inputs: [marks]", "inputs: [marks], primary: [sure.valu]", ":18:46: no component sure.valu"),
        (
            "[[a, 1]]",
            "[[a, 1, 2]]",
            ":20:10: sure: the rows of 'marks': a row has 3 values; the columns are file, score",
        ),
        ("expect: {value: 1}", "expect: {}", ":20:56: cases.sure.0.expect: {} should be non-empty"),
        (
            "[{about: x, tables: {marks: [[a, 1]]}, expect: {value: 1}}]",
            "[]",
            ":20:9: cases.sure: [] should be non-empt",
        ),
    ],
)
def test_what_has_no_effect_in_a_document_is_refused(cli, write, old, new, said):
    assert OWN.count(old) == 1
    write("own.yaml", OWN.replace(old, new))
    result = cli("check", "own.yaml")
    result.refused_with()
    assert result.err.startswith(f"own.yaml{said}")


@pytest.mark.parametrize("text", ["", "# nothing\n", "domain: mine\n", "domain: mine\nmetrics: {}\n"])
def test_a_document_without_definitions_and_cases_is_refused(cli, write, text):
    write("own.yaml", text)
    cli("check", "own.yaml").refused("own.yaml:1:1: the document is empty: it has neither definitions nor cases")


@pytest.mark.slow
def test_check_takes_several_paths(cli: Command, write: Callable[[str, str], str]) -> None:
    write("a.yaml", "domain: term_discovery\nmetrics: {a: {extends: token, params: {edge_time: 0.02}}}\n")
    write("b.yaml", "domain: term_discovery\nmetrics: {b: {extends: a, params: {edge_time: 0.01}}}\n")
    assert cli("check", "a.yaml", "b.yaml").out == "2 documents, 2 metrics, 0 cases: no fault\n"
    assert cli("check", "a.yaml", ".", "./a.yaml").out == "2 documents, 2 metrics, 0 cases: no fault\n"
    assert cli("check", "b.yaml", "--specs", ".").out == "1 document, 1 metric, 0 cases: no fault\n"
    cli("check", "b.yaml").refused_with("b.yaml:2:")


def test_check_refuses_other_files(cli: Command, write: Callable[[str, str], str]) -> None:
    write("good.yaml", "domain: term_discovery\nmetrics: {a: {extends: token}}\n")
    write("compose.yaml", "services: {}\n")
    write("step.sql", "SELECT 1\n")
    what = "not a document, which is YAML with keys such as domain and metrics"
    said = {
        "compose.yaml": "leave this file out",
        "step.sql": "a template is checked with the document that names it",
        "alpha.class": "to check an input, use `scorespec validate`",
    }
    text = "\n".join(f"{name}: {what}; {hint}" for name, hint in said.items())
    cli("check", "good.yaml", *said).refused(f"error: {text}")
    write("broken.yaml", "domain: [\n")
    cli("check", "broken.yaml").refused_with("broken.yaml:2:1: not valid YAML")


CASES = """
domain: term_discovery
metrics:
  mine: {extends: coverage}
cases:
  mine:
  - about: one phone of two is covered
    tables:
      phones: [[f, 0, 1, a], [f, 1, 2, b]]
      words: [[f, 0, 2, w]]
      fragments: [[c, f, 0, 1]]
    expect: {value: EXPECTED}
"""


def test_cases_that_hold(cli, write):
    write("my.yaml", CASES.replace("EXPECTED", "1/2"))
    assert cli("check", "my.yaml").scored() == "1 document, 1 metric, 1 case: all well\n"


def test_case_that_does_not_hold(cli, write):
    write("my.yaml", CASES.replace("EXPECTED", "0.75"))
    place = "my.yaml:7:5: mine: in"
    cli("check", "my.yaml").refused(
        f"{place} tde2015: value is None, expected 0.75\n{place} zerospeech2015: value is None, expected 0.75\n"
        f"{place} zerospeech2017: value is 0.5, expected 0.75"
    )


def test_case_that_does_not_hold_in_its_suite(cli, write):
    write("my.yaml", CASES.replace("EXPECTED", "0.75").replace("extends: ", "extends: zerospeech2017."))
    cli("check", "my.yaml").refused("my.yaml:7:5: mine: value is 0.5, expected 0.75")


def test_schema_is_a_json_schema(cli):
    schema = json.loads(cli("schema").scored())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for document in shipped_documents():
        assert [error.message for error in validator.iter_errors(document.data)] == []
    wrong = {"domain": "d", "metrics": {"m": {"about": "x", "kind": "ratio", "numeratr": "1"}}, "suits": {}}
    assert not validator.is_valid(wrong)
