"""Layouts: the scores of a run as text, by a template that a suite names."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pyarrow as pa
import pytest

import scorespec
from marks import slow

TOY = Path(__file__).parents[1] / "data" / "toy"
ENTITIES = Path(__file__).parents[1] / "data" / "named_entities"
NOISY = {"reference": ENTITIES / "noisy200.ref.sgml", "hypothesis": ENTITIES / "noisy200.hyp.sgml"}
DOUBLED = "{% set a = [1] %}" + "{% set a = [a, a] %}" * 60
ANSWERS = "file,speaker,item,said,wanted,score\na,ann,i1,yes,yes,1\na,bob,i2,no,yes,2\n"
QUIZ = """
domain: toy
suites:
  printed:
    extends: quiz
    about: The quiz with a layout of its own.
    layouts:
      short: {about: Two lines., template: short.txt, metrics: [accuracy]}
"""


@pytest.fixture
def printed(cli, write):
    """Prints the scores of two answers in a layout, by a template of the user."""
    write("answers.csv", ANSWERS)
    write("printed.yaml", QUIZ)

    def run(template: str, *arguments: str):
        Path("short.txt").write_text(template, encoding="utf-8")
        given = ("printed", "--specs", str(TOY), "--specs", "printed.yaml", "answers=answers.csv")
        return cli("score", *given, "--metric", "accuracy", "--format", "short", "--quiet", *arguments)

    return run


# -- the layout of MUC -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def muc() -> scorespec.Run:
    return scorespec.score("muc_ne", **NOISY, params={"aligner": "sclite"}, keep_evidence=False)


def rows_of(text: str) -> dict[str, list[str]]:
    """The cells of each row of the table by the first cell."""
    lines = [re.split(r"[|\s]+", line.strip()) for line in text.splitlines() if line.count("|") == 4]
    return {name: cells for name, *cells in (line for line in lines if len(line) > 14)}


def test_the_table_of_muc_has_the_scores(muc: scorespec.Run) -> None:
    text = muc.layout("muc")
    rows = rows_of(text.replace("ALL SLOTS", "ALL"))
    header = ["POS", "ACT", "COR", "PAR", "INC", "SPU", "MIS", "NON", "REC", "PRE", "UND", "OVG", "SUB", "ERR"]
    assert rows.pop("SLOT") == header
    slices = {row["entity_type"]: row for row in muc["slots"].slices if "entity_type" in row}
    slices |= {row["aspect"]: row for row in muc["slots"].slices if "aspect" in row}
    assert rows.keys() == {"ALL", *slices}
    for name, cells in rows.items():
        pos, act, cor, par, inc, spu, mis, non, *rates = map(int, cells)
        slots = muc["slots"].at(**slices.get(name, {}))
        assert [pos, act, cor] == [slots.possible, slots.actual, slots.correct]
        assert [par, inc, spu, mis, non] == [0, slots.substituted, slots.spurious, slots.missing, 0]
        exact = [cor / pos, cor / act, mis / pos, spu / act, inc / (cor + inc), 1 - cor / (cor + inc + spu + mis)]
        assert rates == [round(100 * each) for each in exact]


def test_the_f_measures_of_muc(muc: scorespec.Run) -> None:
    p, r = muc["entities"].precision, muc["entities"].recall
    assert p is not None
    assert r is not None
    wanted = [100 * (b * b + 1) * p * r / (b * b * p + r) for b in (1, 0.5, 2)]
    assert muc.layout("muc").splitlines()[-1].split() == ["F-MEASURES", *(f"{each:.2f}" for each in wanted)]


def test_undefined_rates_are_dashes(cli, write) -> None:
    write("ref.csv", "document,segment,token,entity,tag\nd,s,Ann,0,P\n")
    write("hyp.csv", "document,segment,token\nd,s,Ann\n")
    out = cli("score", "muc_ne", "reference=ref.csv", "hypothesis=hyp.csv", "--format", "muc").scored()
    assert rows_of(out)["PERSON"] == ["2", "0", "0", "0", "0", "0", "2", "0", "0", "-", "100", "-", "-", "100"]
    assert out.splitlines()[-1].split() == ["F-MEASURES", "-", "-", "-"]


# -- the layouts of others ---------------------------------------------------------------------------


def test_another_domain_brings_a_layout(printed) -> None:
    template = (
        "{% for slice in slices('accuracy', 'speaker') %}\n"
        "{{ slice.speaker | left(6) }}{{ value('accuracy', 'value', slice) | percent(1) | right(6) }}\n"
        "{% endfor %}\n"
        "all{{ value('accuracy', 'value') | fixed(2) | right(9) }} {{ value('accuracy', 'other') | fixed }}\n"
    )
    assert printed(template, "--by", "speaker").scored() == "ann    100.0\nbob      0.0\nall     0.50 -\n"


def test_show_lists_the_layouts(cli) -> None:
    assert re.search(r"--format muc +Table of the MUC-7 score reports", cli("show", "muc_ne").scored())


def test_an_unknown_format_is_refused_before_anything_is_read(cli) -> None:
    given = ("reference=nowhere.sgml", "hypothesis=nowhere.sgml", "--format")
    cli("score", "muc_ne", *given, "mcu").refused("error: --format 'mcu'; did you mean 'muc'?", 2)
    cli("score", "muc_ne", *given, "xml").refused(
        "error: --format 'xml'; known: csv, json, latex, markdown, muc, table", 2
    )
    cli("score", "wer", *given, "muc").refused("error: --format 'muc'; known: csv, json, latex, markdown, table", 2)


def test_a_layout_of_metrics_that_are_not_scored_is_refused(printed) -> None:
    Path("printed.yaml").write_text(QUIZ.replace("[accuracy]", "[accuracy, words]"))
    said = "error: --format short shows the metric 'words', which is not scored; add --metric words"
    printed("x").refused(said, 2)


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("a\n{{ nothing }}", "short.txt:2: template: 'nothing' is undefined"),
        ("{% if %}", "short.txt:1: template: Expected an expression, got 'end of statement block'"),
        ("{{ 'a' | left(99999999) }}", "short.txt:1: template: it produces more than 10,000,000 characters"),
        (f"{DOUBLED}{{{{ a | left(1) }}}}", "short.txt:1: template: it produces more than 10,000,000 characters"),
        ("{{ value.__globals__ }}", "short.txt:1: template: access to attribute '__globals__'"),
        ("{% include '/etc/passwd' %}", "no template '/etc/passwd'"),
    ],
)
def test_a_template_at_fault_is_refused_before_anything_is_scored(printed, template: str, said: str) -> None:
    printed(template).refused_with(said)


@pytest.mark.parametrize(
    ("template", "metrics", "said"),
    [
        ("{{ nothing }}", "[accuracy]", "short.txt:1: template: 'nothing' is undefined"),
        ("{{ 100 * value('accuracy', 'value') }}", "[accuracy]", "short.txt:1: template: unsupported operand"),
        ("x", "[acuracy]", "printed.yaml:7:65: unknown metric 'acuracy'; did you mean 'accuracy'?"),
    ],
)
def test_check_renders_layouts(cli, write, template: str, metrics: str, said: str) -> None:
    """Without scores, since each may be undefined."""
    write("short.txt", template)
    write("printed.yaml", QUIZ.replace("[accuracy]", metrics).lstrip())
    for each in TOY.iterdir():
        write(each.name, each.read_text())
    cli("check", ".").refused_with(said)


def test_a_file_that_is_missing(printed) -> None:
    Path("printed.yaml").write_text(QUIZ.replace("short.txt", "../short.txt"))
    printed("x").refused_with("printed.yaml:8:", "no file '../short.txt' beside this document or below it")


def test_scores_are_not_lost_to_a_template_that_fails_on_them(printed) -> None:
    result = printed("{% if value('accuracy', 'value') %}\n{{ nothing }}\n{% endif %}\n", "-o", "r.duckdb")
    assert result.code == 1
    assert "short.txt:2: template: 'nothing' is undefined" in result.err
    assert re.search(r"accuracy +value +0\.5000", result.out)
    assert scorespec.open_results("r.duckdb").sql("FROM runs").num_rows == 1


def test_text_of_others_is_shown_and_not_obeyed(printed) -> None:
    Path("answers.csv").write_text(ANSWERS.replace("ann", "\x1b[31mann"))
    out = printed("{% for slice in slices('accuracy', 'speaker') %}{{ slice.speaker }} {% endfor %}", "--by", "speaker")
    assert r"\x1b[31mann" in out.scored()


def test_a_label_with_a_line_end_is_no_line_of_the_layout(printed) -> None:
    printed(
        "{% for slice in slices('accuracy', 'speaker') %}\n"
        "{{ slice.speaker }} {{ value('accuracy', 'value', slice) | percent }}\n"
        "{% endfor %}"
    )
    rows = [{**row, "score": float(row["score"])} for row in csv.DictReader(ANSWERS.splitlines())]
    rows[0]["speaker"] = "ann\nbob 100"
    options = {"specs": [TOY, "printed.yaml"], "by": "speaker", "keep_evidence": False}
    run = scorespec.score("printed", answers=pa.Table.from_pylist(rows), **options)
    assert run.layout("short").splitlines() == [r"ann\nbob 100 100", "bob 0"]


@slow
def test_reference_points_have_the_layout_too(cli) -> None:
    given = [f"{name}={path}" for name, path in NOISY.items()]
    out = cli("score", "muc_ne", *given, "--format", "muc", "--with-reference-points", "--quiet").scored()
    tables = re.split(r"^reference point (\w+)$", out, flags=re.MULTILINE)
    assert tables[1::2] == ["gold", "reject_all"]
    assert [rows_of(each.replace("ALL SLOTS", "ALL"))["ALL"][8] for each in tables[2::2]] == ["100", "0"]


@pytest.mark.parametrize("name", ["table", "json", "csv"])
def test_a_layout_cannot_have_the_name_of_another_format(printed, name: str) -> None:
    Path("printed.yaml").write_text(QUIZ.replace("short:", f"{name}:").lstrip())
    printed("x").refused(f'printed.yaml:7:7: "{name}" is reserved for the engine; choose another name')


def test_python(muc: scorespec.Run) -> None:
    with pytest.raises(scorespec.UsageError, match="has no layout 'mcu'; did you mean 'muc'"):
        muc.layout("mcu")


def test_a_layout_may_have_the_name_of_a_format_of_tables(cli, write):
    write("answers.csv", ANSWERS)
    write("printed.yaml", QUIZ.replace("short:", "latex:"))
    write("short.txt", "mine: {{ value('accuracy', 'value') }}")
    given = ("printed", "--specs", str(TOY), "--specs", "printed.yaml", "--format", "latex", "--quiet")
    assert cli("score", *given, "answers=answers.csv", "--metric", "accuracy").scored().startswith("mine: 0.5")
    each = cli("score", *given, "--each", "answers=answers.csv", "--metric", "accuracy").scored()
    assert "submission answers\n\nmine: 0.5" in each
