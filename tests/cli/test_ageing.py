"""How the language of documents ages: its format, deprecated definitions, kinds, and the table in docs/policy.md."""

from __future__ import annotations

import pytest

from scorespec.catalog.documents import FORMAT
from scorespec.version import __version__

MINE = """\
domain: mine
parameters:
  weight: {type: DOUBLE, default: 1.0, about: x}
  factor: {type: DOUBLE, default: 1.0, about: x, deprecated: {since: 1.1.0, use: weight, reason: one name}}
tables:
  marks: {about: Marks., columns: {file: {type: VARCHAR}, score: {type: DOUBLE}}, formats: [csv]}
relations:
  halves: {about: x, sql: "SELECT file, {{ weight }} * {{ factor }} * score AS score FROM {{ marks }}"}
  thirds:
    extends: halves
    deprecated: {since: 1.2.0, use: halves, reason: it is no third}
metrics:
  sure: {about: x, kind: mean, from: halves, value: score}
  level: {about: x, kind: mean, from: halves, value: score, deprecated: {since: 1.3.0, use: sure, reason: two names}}
  mine: {extends: level, about: x}
  third: {about: x, kind: mean, from: thirds, value: score}
  double: {about: x, kind: formula, of: {one: level}, components: {value: 2e0 * one.value}}
suites:
  main: {about: x, inputs: [marks], metrics: [sure]}
  old: {about: x, inputs: [marks], metrics: [sure], deprecated: {since: 1.4.0, use: main, reason: it is the same}}
  based: {about: x, based_on: old, inputs: [marks], metrics: [sure], params: {factor: 1.0}}
"""
FACTOR = "parameter factor is deprecated since 1.1.0: use weight (one name)"
THIRDS = "relation thirds is deprecated since 1.2.0: use halves (it is no third)"
LEVEL = "metric level is deprecated since 1.3.0: use sure (two names)"
OLD = "suite old is deprecated since 1.4.0: use main (it is the same)"


@pytest.fixture
def mine(write):
    write("mine.yaml", MINE)
    write("marks.csv", "file,score\na,1\nb,0\n")


# -- deprecated definitions --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "warnings"),
    [
        (["main"], []),
        (["main", "--param", "weight=2"], []),
        (["main", "--param", "factor=2"], [FACTOR]),
        (["main", "--metric", "sure(factor=2)"], [FACTOR]),
        (["main", "--metric", "level"], [LEVEL]),
        (["main", "--metric", "mine"], [LEVEL]),
        (["main", "--metric", "double"], [LEVEL]),
        (["main", "--metric", "third", "--metric", "level"], [LEVEL, THIRDS]),
        (["old"], [OLD]),
        (["based"], [OLD, FACTOR]),
        (["main", "--metric", "sure", "--metric", "old.sure"], [OLD]),
    ],
)
def test_who_uses_it_is_warned_once_with_what_replaces_it(cli, mine, asked, warnings):
    suite, *more = asked
    result = cli("score", suite, "--specs", "mine.yaml", "marks=marks.csv", *more)
    assert result.code == 0
    said = [line for line in result.err.splitlines() if line.startswith("warning: ")]
    assert said == [f"warning: {each}" for each in warnings]


@pytest.mark.parametrize(
    ("name", "said"), [("factor", FACTOR), ("thirds", THIRDS), ("level", LEVEL), ("old", OLD), ("mine", LEVEL)]
)
def test_show_says_it(cli, mine, name, said):
    assert f"\n  {said.partition(' is ')[2]}\n" in cli("show", name, "--specs", "mine.yaml").scored()


def test_check_says_who_uses_it(cli, mine):
    said = cli("check", "mine.yaml").err.splitlines()
    assert [line for line in said if " is deprecated" in line] == [
        f"warning: mine.yaml:{each}"
        for each in (
            f"8:3: {FACTOR}",
            f"9:3: {FACTOR}",
            f"15:3: {LEVEL}",
            f"16:3: {THIRDS}",
            f"17:3: {LEVEL}",
            f"21:3: {FACTOR}",
            f"21:3: {OLD}",
        )
    ]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            "{since: 1.3, use: sure, reason: x}",
            "14:81: metrics.level.deprecated.since is 1.3; it must be a text; put it in quotes",
        ),
        ("{since: 1.3.0, reason: x}", "metrics.level.deprecated has no 'use'"),
        ("{since: 1.3.0, use: sure, reason: x, until: 2.0.0}", "unknown key 'until' in metrics.level.deprecated"),
    ],
)
def test_a_faulty_deprecation_is_refused(cli, write, mine, written, said):
    write("mine.yaml", MINE.replace("{since: 1.3.0, use: sure, reason: two names}", written))
    result = cli("check", "mine.yaml")
    result.refused_with()
    assert result.err.startswith("mine.yaml:14:")
    assert said in result.err


# -- the format of documents -------------------------------------------------------------------------


def test_a_newer_format_is_refused_with_the_version_that_reads_it(cli, write, mine):
    write("mine.yaml", f"format: {FORMAT + 1}\nwhat_is_new: [1]\n{MINE}")
    said = f"format {FORMAT + 1} of documents needs scorespec {FORMAT + 1}.0 or later; this is {__version__}"
    for command in (("check", "mine.yaml"), ("score", "main", "--specs", "mine.yaml", "marks=marks.csv")):
        result = cli(*command)
        result.refused_with()
        assert result.err == f"mine.yaml:1:9: {said}\n"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("format: 0", "mine.yaml:1:9: format: 0 is less than the minimum of 1"),
        ("format: new", 'mine.yaml:1:9: format is "new"; it must be a whole number'),
    ],
)
def test_a_faulty_format_is_refused(cli, write, mine, written, said):
    write("mine.yaml", f"{written}\n{MINE}")
    result = cli("check", "mine.yaml")
    result.refused_with()
    assert result.err == f"{said}\n"


def test_the_format_changes_nothing(cli, write, mine):
    scored = ("score", "main", "--specs", "mine.yaml", "marks=marks.csv", "--quiet")
    before = cli(*scored).scored()
    write("mine.yaml", f"format: {FORMAT}\n{MINE}")
    assert cli(*scored).scored() == before
    write("empty.yaml", "format: 1\ndomain: mine\n")
    assert "the document is empty" in cli("check", "empty.yaml").err
    write("macros.yaml", "format: 1\nmacros:\n  twice: {about: x, params: [x], sql: 2 * x}\n")
    assert cli("check", "macros.yaml").code == 0


# -- kinds -------------------------------------------------------------------------------------------


def test_a_document_cannot_define_a_kind(cli, write, mine):
    kinds = "kinds:\n  own: {about: x, schema: {properties: {}}}\n"
    said = "kinds of metric ship with scorespec; a document cannot define one"
    write("kinds.yaml", kinds)
    write("more.yaml", MINE + kinds)
    for path, line in (("kinds.yaml", 1), ("more.yaml", MINE.count("\n") + 1)):
        for command in (("check", path), ("score", "main", "--specs", path, "marks=marks.csv")):
            result = cli(*command)
            result.refused_with()
            assert f"{path}:{line}:1: {said}" in result.err
