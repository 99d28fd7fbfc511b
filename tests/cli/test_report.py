"""`scorespec report` and `scorespec plot`: what a page and a picture contain, whatever the labels and documents say."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pyarrow.parquet as pq
import pytest
from command_line import Command
from markupsafe import Markup

import scorespec
from browser import CHROMIUM, open_page
from marks import only, slow, some
from pictures import is_clear
from scorespec.catalog.lookup import load_catalog
from scorespec.catalog.model import REQUIRED
from scorespec.core.result_tables import RunRecord
from scorespec.examples import find_example
from scorespec.report.drawing.svg import COLOURS, Drawing, Paper
from scorespec.report.report_page import FOLDER
from scorespec.report.subject import ChosenRun, ScoreMeaning, Subject
from scorespec.report.verdict import Paired, compared, verdict

DATA = Path(__file__).parents[1] / "data"
TOY = DATA / "toy"
TD = DATA / "term_detection"
VOID = {"meta", "br", "wbr", "img", "input", "link", "hr"}
MEGABYTE = 1_000_000

CORPORA = {  # the inputs of a small run of each suite with figures; the second submission of suites that compare two
    "sws2013": (
        {"queries": "kwlist.xml", "audio": "ecf.xml", "references": "ref.rttm", "detections": "kwslist.xml"},
        TD / "small",
        None,
    ),
    "quesst2015": (
        {"queries": "tlist.xml", "audio": "ecf.xml", "references": "ref.rttm", "detections": "stdlist.xml"},
        TD / "quesst_complete",
        None,
    ),
    "zerospeech2015": (
        {"phones": "alpha.phn", "words": "alpha.wrd", "fragments": "alpha.jitter.class"},
        DATA / "term_discovery",
        None,
    ),
    "zerospeech2017": (
        {"phones": "alpha.phn", "words": "alpha.wrd", "fragments": "alpha.ngrams.class"},
        DATA / "term_discovery",
        {"fragments": "alpha.jitter.class"},
    ),
    "speech_ne": (
        {"reference": "noisy200.ref.sgml", "hypothesis": "noisy200.hyp.sgml"},
        DATA / "named_entities",
        None,
    ),
    "wer": (
        {"reference": "noisy200.ref.trn", "hypothesis": "noisy200.hyp.trn"},
        DATA / "named_entities",
        None,
    ),
    "der_pyannote": (
        {"reference": "reference.rttm", "hypothesis": "hypothesis.rttm", "uem": "regions.uem"},
        DATA / "diarization",
        {"hypothesis": "reference.rttm"},
    ),
    "verification": (
        {"trials": "trials.csv", "scores": "plda.csv"},
        DATA / "verification",
        {"scores": "cosine.csv"},
    ),
    "articubench": (
        {
            "tokens": "tokens.parquet",
            "labels": "labels.parquet",
            "submission": "submission_A.parquet",
            "baseline": "submission_baseline.parquet",
        },
        DATA / "articulation",
        {"submission": "submission_B.parquet"},
    ),
}


class Page(HTMLParser):
    """The elements and the text of a page. Every element that is opened must be closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def ids(self) -> list[str]:
        return [value for _, name, value in self.attributes if name == "id"]


def is_alone(html: str) -> Page:
    """A page that asks for nothing from elsewhere, runs nothing but its own script, and whose links lead somewhere."""
    page = Page(html)
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    assert ("meta", "content", policy) in page.attributes
    data = page.attributes.count(("script", "type", "application/json"))
    assert (page.tags["script"] - data, page.tags["style"]) == (1, 1)
    assert not page.tags.keys() & {"img", "link", "iframe", "object", "embed", "base", "form", "image", "use"}
    names = {name for _, name, _ in page.attributes}
    assert not {name for name in names if name.startswith("on")} | names & {"src", "srcset", "action", "style"}
    links = {value for _, name, value in page.attributes if name == "href"}
    assert {link for link in links if link[1:] not in page.ids or link[0] != "#"} == set()
    assert [name for name, times in Counter(page.ids).items() if times > 1] == []
    labels = {each for _, name, value in page.attributes if name == "aria-labelledby" for each in value.split()}
    assert labels <= set(page.ids)
    return page


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A results database of each suite, made when it is first asked for."""
    folder = tmp_path_factory.mktemp("reports")

    def of(suite: str) -> Path:
        path = folder / f"{suite}.duckdb"
        if not path.exists():
            files, where, second = CORPORA[suite]
            for name, changed in (("one", {}), ("two", second)) if second else (("one", {}),):
                inputs = {key: where / file for key, file in {**files, **changed}.items()}
                scorespec.score(suite, output=path, name=name, corpus="small", **inputs)
        return path

    return of


@pytest.fixture(scope="session")
def pages(databases: Callable[[str], Path]) -> Callable[[str], str]:
    """The page about all runs of a suite, made when it is first asked for."""

    @cache
    def of(suite: str) -> str:
        return scorespec.open_results(databases(suite)).report().html

    return of


@pytest.mark.parametrize("suite", only(["wer"], CORPORA))
def test_every_figure_of_a_suite_is_shown(
    suite: str, databases: Callable[[str], Path], pages: Callable[[str], str]
) -> None:
    results = scorespec.open_results(databases(suite))
    html = pages(suite)
    page = is_alone(html)
    catalog = load_catalog(suite=suite)
    figures = catalog.suite(suite).report
    assert figures
    runs = results.runs().num_rows
    for name in figures:
        figure = catalog.of_suite(catalog.suite(suite)).figure(name)
        assert figure is not None
        if figure.runs in (None, runs) and name != "cost_performance":
            assert f"figure-{name}-heading" in page.ids, name
            assert figure.title in page.text
    assert html == scorespec.open_results(databases(suite)).report().html
    assert len(html) < MEGABYTE / 4
    for picture in re.findall(r"<svg.*?</svg>", html, re.DOTALL):
        drawn = ElementTree.fromstring(picture)
        assert [each.tag.rpartition("}")[2] for each in drawn[:2]] == ["title", "desc"]


def test_every_suite_that_ships_has_a_report() -> None:
    catalog = load_catalog()
    assert [name for name in catalog.names("suites") if not catalog.suite(name).report] == []


def test_a_report_says_what_was_scored_and_how_well(
    databases: Callable[[str], Path], pages: Callable[[str], str]
) -> None:
    text = " ".join(Page(pages("zerospeech2017")).text.split())
    assert "one and two on small, scored with the suite zerospeech2017." in text
    assert "ned (lower is better): one 0.0000; two 0.2202. Whether the difference is chance is not tested: " in text
    of_one = " ".join(Page(scorespec.open_results(databases("zerospeech2017")).report("two").html).text.split())
    assert "ned (lower is better, from 0 to 1) is 0.2202." in of_one
    assert "Words in which the two runs differ most" in text
    assert "Words in which the two runs differ most" not in of_one


@pytest.mark.parametrize(
    ("values", "ranks", "said"),
    [
        ({"a": 0.5, "b": 0.75}, {"a": (1, 2), "b": (1, 2)}, "b and a: their differences may be chance."),
        ({"a": 0.5, "b": 0.75}, {"a": (2, 2), "b": (1, 1)}, "a 0.5000. b is better than all others."),
        (
            {"a": 0.5, "b": 0.75, "c": 0.7},
            {"a": (3, 3), "b": (1, 2), "c": (1, 2)},
            "b and c: their differences may be chance.",
        ),
        ({"a": 0.5, "b": 0.75, "c": 0.7}, {"a": (2, 3), "b": (1, 1), "c": (2, 3)}, "b is better than all others."),
        (
            {"a": 0.5, "b": 0.75},
            {},
            "b 0.7500; a 0.5000. Whether the difference is chance is not tested.",
        ),
        ({"a": None, "b": None}, {}, "m is undefined for all runs."),
        ({"a": 0.5}, {}, "m (higher is better): a 0.5000."),
    ],
)
def test_what_a_paired_comparison_tells_apart(
    values: dict[str, float | None], ranks: dict[str, tuple[int, int]], said: str
) -> None:
    rows = {name: {"value": value, "low": None, "high": None} for name, value in values.items()}
    assert said in compared(ScoreMeaning("m", better="higher"), {}, rows, "95 % ", ranks)


def test_a_score_without_a_direction_ranks_no_run() -> None:
    rows = {name: {"value": value, "low": None, "high": None} for name, value in (("a", 0.5), ("b", 0.75))}
    assert compared(ScoreMeaning("m"), {}, rows, "", {}).startswith("m: a 0.5000; b 0.7500. Whether the ")


@pytest.mark.parametrize("runs", [1, 2])
def test_a_verdict_counts_the_slices_that_it_leaves_out(runs: int) -> None:
    record = RunRecord(
        time=datetime.now(), suite="s", signature="s", parameters={"confidence": 95.0}, primary_scores=["m.value"]
    )
    row = {"metric": "m", "component": "value", "value": 0.5, "low": 0.25, "high": 0.75, "folds": None}
    scores = [{**row, "slice": {"by": at}, "key": f'{{"by":{at}}}'} for at in range(10)]
    chosen = [ChosenRun(number, f"run {number}", record, scores, ()) for number in range(runs)]
    said = " ".join(verdict(Subject(Path("results"), "main", chosen), Paired()))
    assert "0.500 (95 % 0.250 to 0.750)" in said
    assert "by=7" in said
    assert "by=8" not in said
    assert said.endswith("2 further slices.")


@pytest.mark.parametrize(
    ("rows", "whole"),
    [
        ([("{}", None), ('{"by":1}', None)], ["{}"]),
        ([('{"task":"a"}', None), ('{"task":"b"}', None)], ['{"task":"a"}', '{"task":"b"}']),
        ([('{"t":"a","fold":0}', None), ('{"t":"a"}', 2), ('{"t":"a","fold":1}', None)], ['{"t":"a"}']),
        ([(f'{{"by":{at}}}', None) for at in range(5)], []),
    ],
)
def test_which_slices_stand_for_a_whole_submission(rows: list[tuple[str, int | None]], whole: list[str]) -> None:
    from scorespec.report.subject import wholes

    assert wholes([{"key": key, "folds": folds} for key, folds in rows]) == whole


@pytest.mark.parametrize(
    ("value", "folds", "text"),
    [(1234.0, None, "1,234"), (1234.0, 3, "1234.0000"), (float("inf"), None, "inf"), (None, None, "undefined")],
)
def test_values_of_a_page_are_those_of_the_command_line(value: float | None, folds: int | None, text: str) -> None:
    from scorespec.core.score_text import shown
    from scorespec.report.score_figures import value_cell

    row = {"metric": "m", "component": "pairs", "slice": {}, "value": value, "std": None, "folds": folds, "note": None}
    row |= {"low": None, "high": None}
    counts = frozenset({("m", "pairs")})
    assert value_cell({**row, "missed": ""}, counts).text == text
    assert (shown(row, counts)["value"] or "undefined") == text


# -- figures with evidence of their own ----------------------------------------------------------------


def test_the_trajectories_that_are_kept_are_those_of_the_worst_tokens(databases: Callable[[str], Path]) -> None:
    results = scorespec.open_results(databases("articubench"))
    ratio = {
        (row["task"], row["subscore"], row["token"]): row["error"] / row["baseline_error"]
        for row in results.sql("FROM evidence_tokens WHERE run = 1 AND error IS NOT NULL").to_pylist()
        if row["baseline_error"] and row["task"] != "baseline"
    }
    kept = results.sql("FROM evidence_trajectories WHERE run = 1 ORDER BY frame").to_pylist()
    for task, subscore in {key[:2] for key in ratio if key[1] in ("tongue_height", "ema", "loudness")}:
        worst = sorted((key for key in ratio if key[:2] == (task, subscore)), key=lambda key: (-ratio[key], key))[:3]
        assert {(each["task"], each["subscore"], each["token"]) for each in kept} >= {*worst}
    assert len({(each["task"], each["subscore"], each["token"]) for each in kept}) == 3 * 2 * 3
    files = {"synthesis": "submission_A", "target": "tokens"}
    for line, file in files.items():
        rows = pq.read_table(DATA / "articulation" / f"{file}.parquet").to_pylist()
        given = {(row["token"], row.get("task")): row for row in rows}
        column = {"synthesis": "ema_TB", "target": "reference_ema_TB"}[line]
        one = next(each for each in kept if each["axis"] == "TB z" and each["line"] == line)
        values = [e["value"] for e in kept if all(e[name] == one[name] for name in ("token", "task", "axis", "line"))]
        row = given[one["token"], one["task"] if line == "synthesis" else None]
        assert values == [frame[2] for frame in row[column]]


def test_panels_have_axes_of_their_own(databases: Callable[[str], Path]) -> None:
    drawn = ElementTree.fromstring(scorespec.open_results(databases("articubench")).plot("trajectories").svg)
    panels = [group for group in drawn.iter("{http://www.w3.org/2000/svg}g") if len(group) > 1]  # one: of the legend
    assert len(panels) == 6
    headings = ["".join(panel[0].itertext()) for panel in panels]
    assert len(set(headings)) == 6
    assert all("line" in " ".join(each.attrib.get("class", "") for each in panel.iter()) for panel in panels)
    assert len({panel.attrib["transform"] for panel in panels}) == 6


def test_texts_of_all_runs_are_on_one_card(tmp_path: Path) -> None:
    """One substitutes b and lacks d, two inserts two words; the second text has no error."""
    spoken = {"ref": "A B <C> D", "one": "A X <C>", "two": "A B N N <C> D"}
    for name, words in spoken.items():
        (tmp_path / f"{name}.trn").write_text(f"{words} (t-1)\nE F (t-2)\n", "utf-8")
    for name in ("one", "two"):
        given = {"reference": tmp_path / "ref.trn", "hypothesis": tmp_path / f"{name}.trn"}
        scorespec.score("wer", name=name, output=tmp_path / "r.duckdb", **given)
        scorespec.score("wer", name=name, output=tmp_path / "withheld.duckdb", withhold="evidence", **given)
    html = scorespec.open_results(tmp_path / "r.duckdb").report().html
    is_alone(html)
    found = re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)
    assert found
    data = json.loads(found[1])
    assert (data["above"], data["systems"]) == ("reference", ["one", "two"])
    assert data["columns"] == ["document", "segment", "speaker"]
    of_one, of_two = [[1, 1, "X", 1], [3, 1, "", 1]], [[2, 0, "N", 1], [2, 0, "N", 1]]
    assert [text[1:] for text in data["texts"]] == [[["A", "B", "<C>", "D"], [of_one, of_two]], [["E", "F"], [[], []]]]
    errors = html.partition('id="figure-substitutions-heading"')[2].partition("</table>")[0]
    assert re.findall(r"<th [^>]*>(.*?)</th>", errors) == ["outcome", "reference", "hypothesis", "one", "two"]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", errors)[1:]]
    assert rows[0] == ["inserted", "", "N", "", "2"]
    assert ["substituted", "B", "X", "1", ""] in rows
    if CHROMIUM:
        (tmp_path / "r.html").write_text(html, encoding="utf-8")
        opened = open_page(tmp_path / "r.html")
        assert opened.console == []
        assert "errors: one 2, two 2" in opened.html
        for style, word in (("S", "X"), ("D", "–"), ("I", "N N")):
            assert f'<span class="{style}">{word}</span>' in opened.html
    withheld = scorespec.open_results(tmp_path / "withheld.duckdb").report().html
    assert "C>" not in withheld.replace("&gt;", ">").replace("\\u003e", ">")
    assert 'class="texts"' not in withheld


def test_three_runs_are_listed_with_the_best_one_first(tmp_path: Path) -> None:
    """An arrow joins two runs, of which the first is the baseline; three may be of unrelated vendors."""
    for name, words in {"ref": "A B C D", "one": "X Y C D", "two": "A X C D", "three": "A B C D"}.items():
        (tmp_path / f"{name}.trn").write_text(f"{words} (t-1)\n", "utf-8")
    pages = []
    for name in ("one", "two", "three"):
        given = {"reference": tmp_path / "ref.trn", "hypothesis": tmp_path / f"{name}.trn"}
        scorespec.score("wer", name=name, output=tmp_path / "r.duckdb", **given)
        html = scorespec.open_results(tmp_path / "r.duckdb").report().html
        pages.append((re.findall(r"<th [^>]*>(.*?)</th>", html)[2:][: len(pages) + 1], "tile two" in html))
    assert pages == [(["value"], False), (["one", "two"], True), (["three", "two", "one"], False)]


def test_no_rule_of_the_style_sheet_hides_data() -> None:
    """Tables and long lines scroll; all else is shown, however narrow the window is."""
    style = (FOLDER / "report.css").read_text("utf-8")
    rules = [(name.strip(), body) for name, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style)]
    assert {name for name, body in rules if "display: none" in body} == {
        "nav, .filter, .skip, .controls, .more, details:not([open])"
    }
    assert {name for name, body in rules if "overflow-x" in body} == {".scroll"}
    forbidden = r"max-height|(?<![\w-])height: \d|overflow(-y)?: (auto|hidden|scroll)|text-overflow"
    forbidden += r"|(?<!content-)visibility|svg.*min-width"
    assert [(name, body) for name, body in rules if re.search(forbidden, body)] == []
    assert not re.search(r"svg\s*\{[^}]*min-width", style)
    assert {name for name, body in rules if "overflow-wrap: anywhere" in body} == {"pre", ".hash, .signature"}


def test_long_names_break_between_their_words(pages: Callable[[str], str]) -> None:
    assert ">speaker_<wbr>count</a>" in pages("der_pyannote")


@pytest.mark.parametrize(
    "suite", only(["der_pyannote"], ["articubench", "der_pyannote", "verification", "zerospeech2017"])
)
def test_a_system_has_one_colour_in_all_figures(suite: str, pages: Callable[[str], str]) -> None:
    """What is named after a system, alone or with a component, has the colour of the system, and no other has it."""
    marks = re.findall(r'class="(?:marker )?f(\w)[^"]*"[^>]*><title>([^<]*)</title>', pages(suite))
    colours = {name: {colour for colour, said in marks if name in re.split(r"[,:] ", said)} for name in ("one", "two")}
    assert colours == {"one": {"0"}, "two": {"1"}}


@pytest.mark.parametrize("suite", only(["wer"], CORPORA))
def test_no_label_of_a_report_is_cut_or_printed_over_another(suite: str, pages: Callable[[str], str]) -> None:
    for picture in some(re.findall(r"<svg.*?</svg>", pages(suite), re.DOTALL)):
        width = float(ElementTree.fromstring(picture).attrib["viewBox"].split()[2])
        assert is_clear(Drawing(Markup(picture), (), ()), Paper("p", width))


def test_what_cannot_vary_is_in_a_table_of_its_own(tmp_path: Path) -> None:
    example = find_example("wer")
    for name, path in example.systems.items():
        given = {**example.inputs, example.submission: path}
        scorespec.score("wer", name=name, confidence=95, output=tmp_path / "r.duckdb", **given)
    html = scorespec.open_results(tmp_path / "r.duckdb").report().html
    scores, components, fixed = re.findall(r"<tbody>(.*?)</tbody>", html, re.DOTALL)[:3]
    assert ">wer words</a>" not in scores + components
    assert (">MER</a>" in scores, ">MER</a>" in components) == (False, True)
    assert ">wer words</a>" in fixed
    assert "<td" in fixed
    assert ">733</td>" in fixed.replace(" <small> </small>", "")
    assert re.search(r">WER</a></td><td>lower</td><td[^>]*>33\.4 % <small>23\.8 to 39\.6</small>", scores)
    assert re.search(r'class="n best">10\.0 % <small>7\.2 to 12\.1</small>', scores)
    said = "greedy 33.4 % (23.8 to 39.6). rescored is better by 23.5 points (95 % 13.1 to 30.9)"
    assert said in html.replace("\u00a0", " ")
    assert '<span class="number">33.4\u00a0%<small>greedy' in html
    assert '<span class="number best">10.0\u00a0%<small>rescored' in html
    assert "Δ −23.5 points (95\u00a0% −30.9 to −13.1), p = 0.0020" in html


def test_the_difference_in_each_block(tmp_path: Path) -> None:
    """Speaker k says ten words. The first system misses k of them, the second three of speaker 3."""
    for name, missed in (("gold", lambda k: 0), ("one", lambda k: k), ("two", lambda k: 3 if k == 3 else 0)):
        said = [f"{' '.join('abcdefghij'[missed(k) :])} (t{k}-1)\n" for k in range(8)]
        (tmp_path / f"{name}.trn").write_text("".join(said), "utf-8")
    for name in ("one", "two"):
        given = {"reference": tmp_path / "gold.trn", "hypothesis": tmp_path / f"{name}.trn"}
        scorespec.score("wer", name=name, output=tmp_path / "r.duckdb", **given)
    results = scorespec.open_results(tmp_path / "r.duckdb")
    html = results.report().html
    assert "Difference of WER by speaker" in is_alone(html).text
    table = re.search(r'<section[^>]*aria-labelledby="blocks1-heading">.*?<tbody>(.*?)</tbody>', html, re.DOTALL)
    assert table
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", table[1])]
    assert cells[0][:4] == ["all", "35", "3.8", "31.2"]
    assert all(cells[0][4:])
    assert [row[0] for row in cells[1:]] == ["t7", "t6", "t5", "t4", "t2", "t1", "t0", "t3"]
    assert [float(row[3]) for row in cells[1:]] == [70, 60, 50, 40, 20, 10, 0, 0]
    assert "Difference of WER by speaker" not in results.report("one").html


@slow
def test_the_differences_in_blocks_of_a_mean_have_the_difference_as_mean(tmp_path: Path) -> None:
    from scorespec.comparison.compared_runs import stored_run
    from scorespec.comparison.differences import block_differences

    example = find_example("sws2013")
    for name, path in example.systems.items():
        given = {**example.inputs, "detections": path}
        scorespec.score("sws2013", metrics="atwv", name=name, output=tmp_path / "r.duckdb", **given)
    runs = [stored_run(tmp_path / "r.duckdb", "main", name) for name in example.systems]
    (found,) = block_differences(runs, "atwv", "value", 95.0)
    differences = [each.difference for each in found.blocks]
    assert (len(differences), found.unit) == (20, "query")
    assert differences == sorted(differences, reverse=True)
    assert sum(differences) / 20 == pytest.approx(found.comparison.difference)


@pytest.mark.slow
def test_cost_against_performance_of_runs_and_of_runs_on_resources(tmp_path: Path) -> None:
    """The load of `one` is in its run, that of `two` in a run of `resources`; `three` has none."""
    files, where, _ = CORPORA["sws2013"]
    given = {key: where / file for key, file in files.items()}
    for name, hours in (("one", 2), ("two", 1), ("other", 5)):
        (tmp_path / f"{name}.csv").write_text(f"phase,cpu_hours,peak_gb\nindex,{hours},4\nsearch,{hours},2\n")
    examples = tmp_path / "examples.csv"
    examples.write_text("query,example,dur\nq,a,0.5\n")
    results = tmp_path / "r.duckdb"
    measured = {"query_examples": examples, "output": results, "measurements": tmp_path / "one.csv"}
    scorespec.score("sws2013", metrics=["atwv", "resources.processing_load"], name="one", **given, **measured)
    for name in ("two", "three"):
        scorespec.score("sws2013", metrics="atwv", name=name, output=results, **given)
    for name, file in (("one", "other"), ("two", "two")):
        run = {**measured, "measurements": tmp_path / f"{file}.csv", "audio": given["audio"]}
        scorespec.score("resources", metrics="processing_load", name=name, **run)
    drawn = scorespec.open_results(results).plot("cost_performance", 1, 2, 3).svg
    hours, of_examples = 600 / 3600, 0.5 / 3600
    load = 0.1 * 2 / hours * 4 + 0.9 * 2 / (hours * of_examples) * 2  # Eq 48, with 2 hours in each phase
    points = re.findall(r"<title>([^<]*processing load[^<]*)</title>", drawn)
    assert points == [
        f"one: processing load {load:,.1f}, ATWV 0.3327",
        f"two, Pareto: processing load {load / 2:,.1f}, ATWV 0.3327",
    ]


# -- documents and labels of others --------------------------------------------------------------------

HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>&amp;</svg>\u202e"
FIGURES = """
domain: toy
figures:
  lines:
    title: Scores <b>of</b> the items
    about: Each item and `its` score.
    kind: lines
    needs: [evidence_marks]
    sql: >-
      SELECT run, speaker, row_number() OVER (ORDER BY score) AS place, score, item FROM evidence_marks ORDER BY score
    x: place
    y: {column: score, label: "score </text>", unit: "%"}
    series: [run, speaker]
    mark: item
    guides: {sql: "SELECT item AS label, 1 AS place, 0.5 AS score FROM evidence_marks", needs: [evidence_marks]}
  points: {extends: lines, kind: points, title: Points}
  dots:
    {title: Dots, about: x, kind: dots, needs: [evidence_marks], label: item, x: score,
     sql: "SELECT run, item, score FROM evidence_marks ORDER BY item", beside: {column: score, label: "</svg>"}}
  bars: {extends: dots, kind: bars, title: Bars}
  spans:
    {title: Spans, about: x, kind: spans, needs: [evidence_marks], label: item, x: zero, until: score,
     series: [speaker], panels: file,
     sql: "SELECT run, file, item, speaker, 0 AS zero, score FROM evidence_marks ORDER BY item"}
  cells:
    {title: Cells, about: x, kind: matrix, needs: [evidence_marks], x: item, y: speaker, value: score,
     sql: "SELECT run, item, speaker, score FROM evidence_marks ORDER BY item"}
  rows:
    {title: Rows, about: x, kind: table, needs: [evidence_marks], columns: {item: "</td><script>"}, most: 1,
     sql: "SELECT run, item, speaker, score FROM evidence_marks ORDER BY score DESC, item"}
  said:
    {title: Said, about: x, kind: texts, needs: [evidence_marks], group: [speaker], above: item, below: file,
     wrong: right_answer, sql: "SELECT * FROM evidence_marks ORDER BY speaker, item"}
suites:
  shown:
    extends: quiz
    primary: [accuracy.value]
    report: [lines, points, dots, bars, spans, cells, rows, said]
"""


@pytest.fixture(scope="session")
def quizzes(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], scorespec.Results]:
    """Scores a quiz of a domain outside of the package; all names in it are a label."""

    @cache
    def scored(label: str = "ann") -> scorespec.Results:
        folder = tmp_path_factory.mktemp("quiz")
        specs(folder, FIGURES)
        quoted = label.replace('"', '""')
        rows = [f'"{quoted}","{quoted}","{quoted}{at}",yes,{answer},0.{at}' for at, answer in ((7, "yes"), (8, "no"))]
        (folder / "answers.csv").write_text("\n".join(["file,speaker,item,said,wanted,score", *rows, ""]), "utf-8")
        given = {"answers": folder / "answers.csv", "output": folder / "quiz.duckdb", "by": ["speaker"]}
        scorespec.score("shown", specs=folder / "specs", name=label, corpus=label, metrics="accuracy", **given)
        return scorespec.open_results(folder / "quiz.duckdb")

    return scored


def specs(folder: Path, figures: str) -> Path:
    """The documents of the quiz with these figures."""
    copied = shutil.copytree(TOY, folder / "specs")
    (copied / "figures.yaml").write_text(figures, encoding="utf-8")
    return copied


def test_a_domain_outside_has_every_kind_of_figure_without_python(
    quizzes: Callable[..., scorespec.Results], tmp_path: Path
) -> None:
    documents = specs(tmp_path, FIGURES)
    page = is_alone(quizzes().report(specs=documents).html)
    kinds = load_catalog(documents)
    shown = {name: kinds.namespace("toy").figure(name) for name in kinds.names("figures", "toy")}
    assert {figure.kind for figure in shown.values() if figure} == REQUIRED.keys()
    assert {f"figure-{name}-heading" for name in shown} <= set(page.ids)
    assert "The first 1 of 2 rows." in page.text
    assert "accuracy is 0.5000." in page.text


def test_every_query_of_a_page_runs_in_any_client(tmp_path: Path) -> None:
    documents, results = specs(tmp_path, FIGURES), tmp_path / "quiz.duckdb"
    (tmp_path / "answers.csv").write_text("file,speaker,item,said,wanted,score\nf,t,i,yes,yes,0.5\n", "utf-8")
    given = {"answers": tmp_path / "answers.csv", "by": ["speaker"], "output": results, "schema": "quizzes"}
    scorespec.score("shown", specs=documents, metrics="accuracy", **given)
    html = scorespec.open_results(results, schema="quizzes").report(specs=documents).html
    queries = [Page(each).text for each in re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", html, re.DOTALL)]
    assert len(queries) == 9  # of the scores and of eight figures
    with duckdb.connect(str(results), read_only=True) as connection:
        assert all(connection.execute(query).fetchall() for query in queries)


def test_labels_are_text_and_never_markup(quizzes: Callable[..., scorespec.Results], tmp_path: Path) -> None:
    results, documents = quizzes(HOSTILE), specs(tmp_path, FIGURES)
    page = is_alone(results.report(specs=documents).html)
    assert "alert(1)" in page.text
    assert "\u202e" not in page.text
    assert page.tags["b"] == 0
    for name in ("lines", "points", "dots", "bars", "spans", "cells"):
        ElementTree.fromstring(results.plot(name, specs=documents).svg)


def test_a_report_needs_no_documents(quizzes: Callable[..., scorespec.Results], tmp_path: Path) -> None:
    """What it then lacks, and how to get it, is said on the page, as a warning, and instead of a figure."""
    results = quizzes()
    said = "the documents of the suite shown are missing, so the page has no figures; name them with --specs"
    (warning,) = results.report().warnings
    assert warning.startswith(said)
    assert " as when it was scored: --specs " in warning
    assert said[1:] in " ".join(Page(results.report().html).text.split())
    assert results.report(specs=specs(tmp_path, FIGURES)).warnings == []
    with pytest.raises(scorespec.UsageError, match="the documents of the suite shown are missing"):
        results.plot("lines")
    page = is_alone(results.report().html)
    assert "The documents of the suite are not at hand." in page.text
    assert "accuracy is 0.5000." in page.text
    assert "accuracy" in page.text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ("SELECT run, item, score FROM", "SELECT run, itm, score FROM"),
            "figures.yaml:19:11: Binder Error: Referenced",
        ),
        (
            ("label: item, x: score", "label: itm, x: score"),
            "its SQL returns no column 'itm'; it returns run, item, score",
        ),
        (
            ("label: item, x: score", "label: item, x: item"),
            "its column 'item' is on an axis, and has 'ann7', which",
        ),
        (
            ("until: score", "until: end"),
            "its SQL returns no column 'end'; it returns run, file, item, speaker, zero, score",
        ),
        (("until: score", "until: speaker"), "its column 'speaker' is on an axis, and has 'ann', which"),
        (("until: score,\n", "\n"), "a figure of the kind 'spans' needs the key 'until'"),
        (("SELECT item AS label, 1 AS place", "SELECT item AS name, 1 AS place"), "guides returns no column 'label'"),
        (("report: [lines,", "report: [line,"), "unknown figure 'line'; did you mean 'lines'?"),
        (
            ("kind: dots, needs", "kind: dot, needs"),
            'figures.yaml:18:35: figures.dots.kind is "dot"; allowed: lines, points,',
        ),
        (("label: item, x: score", "label: item"), "a figure of the kind 'dots' needs the key 'x'"),
        (("SELECT run, item, score FROM", "DROP TABLE scores; FROM"), "figures.yaml:19:11: "),
        (("SELECT run, item, score FROM", "SELECT * FROM read_csv('x.csv'), "), "figures.yaml:19:11: Permission Error"),
    ],
)
def test_a_fault_of_a_figure_has_its_place(
    quizzes: Callable[..., scorespec.Results], tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    assert FIGURES.count(change[0]) == 1
    with pytest.raises(scorespec.SpecError) as raised:
        quizzes().report(specs=specs(tmp_path, FIGURES.replace(*change)))
    assert message in str(raised.value)
    assert quizzes().sql("SELECT count(*) AS rows FROM scores").to_pylist() == [{"rows": 2}]


def test_a_figure_without_its_table_is_left_out_with_the_reason(
    quizzes: Callable[..., scorespec.Results], tmp_path: Path
) -> None:
    figures = FIGURES.replace("needs: [evidence_marks], label", "needs: [evidence_gone], label")
    results, documents = quizzes(), specs(tmp_path, figures)
    text = is_alone(results.report(specs=documents).html).text
    assert "Dots: the results database has no table evidence_gone." in text
    with pytest.raises(scorespec.UsageError, match="dots cannot be shown: the results database has no table"):
        results.plot("dots", specs=documents)


# -- which runs -----------------------------------------------------------------------------------------


@slow
def test_ten_runs_are_less_than_a_megabyte(databases: Callable[[str], Path], tmp_path: Path) -> None:
    path = tmp_path / "ten.duckdb"
    shutil.copy(databases("sws2013"), path)
    scorespec.add_runs(path, *[databases("sws2013")] * 9)
    html = scorespec.open_results(path).report(*range(1, 11)).html
    page = is_alone(html)
    assert len(html.encode()) < MEGABYTE
    assert "one (run 10)" in page.text
    assert (
        len({value for _, name, value in page.attributes if name == "class" and value.startswith("line s")}) > COLOURS
    )


def test_runs_to_choose_from_are_listed(cli: Command, databases: Callable[[str], Path], tmp_path: Path) -> None:
    path = tmp_path / "both.duckdb"
    shutil.copy(databases("sws2013"), path)
    scorespec.add_runs(path, databases("wer"))
    listed = "name the runs to show: sws2013: 1; wer: 2"
    cli("report", str(path)).refused(f"error: {path} has runs of several suites; {listed}", code=2)
    said = "error: the runs are of several suites: sws2013, wer; a report shows runs of one suite"
    cli("report", str(path), "1", "2").refused(said, code=2)


def test_superseded_runs_and_reference_points_are_left_out(databases: Callable[[str], Path], tmp_path: Path) -> None:
    path = tmp_path / "twice.duckdb"
    shutil.copy(databases("zerospeech2017"), path)
    scorespec.add_runs(path, databases("zerospeech2017"))
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE runs SET reference_point = 'gold' WHERE id = 4")
    text = Page(scorespec.open_results(path).report().html).text
    assert "one on small, scored" in " ".join(text.split())


# -- several corpora, and leaderboards ----------------------------------------------------------------


@pytest.fixture(scope="session")
def challenge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three systems on the corpora `city` and `field` of eight speakers; `late` has a run on `city` alone."""
    folder = tmp_path_factory.mktemp("challenge")
    path = folder / "results.duckdb"
    for corpus in ("city", "field"):
        said = [f"we say these six words ({corpus}{speaker}-001)" for speaker in range(8)]
        (folder / "ref.trn").write_text("\n".join(said))
        for name, wrong in (("good", 1), ("bad", 6), *([("late", 5)] if corpus == "city" else [])):
            heard = [line.replace("six", "sick") if at < wrong else line for at, line in enumerate(said)]
            (folder / "hyp.trn").write_text("\n".join(heard))
            inputs = {"reference": folder / "ref.trn", "hypothesis": folder / "hyp.trn"}
            scorespec.score("wer", output=path, name=name, corpus=corpus, metrics="wer", **inputs)
    return path


def test_a_report_over_corpora_has_a_part_for_each_below_their_means(challenge: Path) -> None:
    found = scorespec.open_results(challenge).report()
    page = is_alone(found.html)
    text = " ".join(page.text.split())
    city, field = text.partition("good, bad and late on city, scored with the suite wer.")[2].split(
        "Scores on field", 1
    )
    assert "good and late: their differences may be chance." in city
    assert "good and bad on field, scored with the suite wer." in field
    assert "good is better by " in field
    assert {f"corpus{at}-{part}" for at in (1, 2) for part in ("scores", "figures-heading")} <= {*page.ids}
    board = scorespec.leaderboard(challenge, by_corpus=True)
    for row in board.shown_rows():
        assert "".join(row.values()) in text
    assert "No mean of late: no run of field." in text
    assert (found.warnings, text.count("Run 5 on field")) == ([], 1)


def test_a_report_by_names_has_all_their_corpora(challenge: Path) -> None:
    text = " ".join(Page(scorespec.open_results(challenge).report("good", "bad").html).text.split())
    assert "good and bad on city, scored" in text
    assert "good and bad on field, scored" in text
    assert "late on" not in text
    one = " ".join(Page(scorespec.open_results(challenge).report("late").html).text.split())
    assert "late on city, scored with the suite wer. WER (lower is better, from 0 to ∞) is 12.50 %" in one
    assert "Leaderboard" not in one


def test_corpora_whose_systems_cannot_be_ranked_have_no_leaderboard(challenge: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(challenge, tmp_path / "r.duckdb"))
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            'UPDATE runs SET parameters = json_merge_patch(parameters, \'{"case": "keep"}\') WHERE id = 5'
        )
    (said,) = scorespec.open_results(path).report().warnings
    assert said.startswith('there is no leaderboard: good and bad cannot be compared: case is "fold" in one')


def test_many_runs_with_warnings_are_counted(challenge: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(challenge, tmp_path / "r.duckdb"))
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE runs SET warnings = '[\"odd\"]', withheld = '[\"evidence\"]'")
    text = " ".join(Page(scorespec.open_results(path).report().html).text.split())
    assert "5 runs withhold evidence. Details 5 of 5 runs have warnings. Details" in text
    text = " ".join(Page(scorespec.open_results(path).report("late").html).text.split())
    assert "late withholds evidence. Details late has 1 warning. Details" in text


def test_the_page_of_a_leaderboard_is_alone(cli: Command, challenge: Path, tmp_path: Path) -> None:
    asked = ("leaderboard", str(challenge), "--format", "html", "--metric", "wer.value")
    html = tmp_path / "board.html"
    assert cli(*asked, "-o", str(html)).scored() == ""
    page = is_alone(html.read_text("utf-8"))
    text = " ".join(page.text.split())
    rows = scorespec.leaderboard(challenge, metrics="wer.value").shown_rows()
    assert [row["rank"] for row in rows] == ["1", "2", "-"]
    for row in rows:
        assert "".join(row.values()) in text
    assert "Ranked by WER (%): lower is better." in text
    assert "Word error rate (WER)" in text
    assert f'<td class="n best">{rows[0]["WER (%)"]}</td>' in html.read_text("utf-8")
    said = "error: --format html and parquet write a file: name it with -o; other formats are printed"
    cli(*asked).refused(said, code=2)
    cli("leaderboard", str(challenge), "-o", "b.html").refused(said, code=2)
    cli(*asked, "-o", "board.duckdb").refused("error: -o board.duckdb: the name of the page must end in .html", code=2)
    if CHROMIUM:
        assert open_page(html).console == []


# -- commands -------------------------------------------------------------------------------------------


def test_the_commands_write_files(
    cli: Command, databases: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    results = str(databases("zerospeech2017"))
    assert cli("report", results, "two").scored() == "report.html\n"
    is_alone((tmp_path / "report.html").read_text("utf-8"))
    assert cli("plot", results, "precision_recall", "--width", "3.3in").scored() == "precision_recall.svg\n"
    drawn = ElementTree.parse(tmp_path / "precision_recall.svg").getroot()
    assert drawn.attrib["width"] == "3.3in"
    assert drawn.attrib["viewBox"].startswith("0 0 316.8 ")
    assert "var(" not in (tmp_path / "precision_recall.svg").read_text("utf-8")  # programs other than browsers read it


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("report", "-o", "page.duckdb"), "error: -o page.duckdb: the name of the page must end in .html"),
        (
            ("plot", "det"),
            "error: the reports of the suite 'zerospeech2017' have no figure 'det', and the runs have no ",
        ),
        (("plot", "worst_clusters"), "error: worst_clusters is not a picture; `scorespec report` shows it"),
        (("plot", "word_differences", "one"), "error: word_differences cannot be shown: it compares 2 runs"),
        (("plot", "ned_coverage", "-o", "x.png"), "error: x.png: the name of a figure must end in .svg or .pdf"),
        (("plot", "ned_coverage", "--width", "3"), "error: --width 3: give a width of at least 1.25in, such as 3.3in,"),
        (("plot", "ned_coverage", "--width", "1in"), "error: --width 1in: give a width of at least 1.25in"),
        (("report", "three"), "error: there is no run three of "),
    ],
)
def test_wrong_calls(cli: Command, databases: Callable[[str], Path], arguments: tuple[str, ...], message: str) -> None:
    command, *rest = arguments
    cli(command, str(databases("zerospeech2017")), *rest).refused_with(message, code=2)


def test_pdf_needs_a_library(
    cli: Command, databases: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    given = (str(databases("zerospeech2017")), "ned_coverage", "-o", str(tmp_path / "x.pdf"))
    cli("plot", *given).refused("error: PDF needs cairosvg: install scorespec[pdf], or write .svg")
    assert not (tmp_path / "x.pdf").exists()


def test_the_script_of_a_page_is_small() -> None:
    html = Path(scorespec.__file__).parent / "report" / "html"
    assert len((html / "report.js").read_bytes()) < 20_000


def test_a_folder_that_is_not_there(cli: Command, databases: Callable[[str], Path]) -> None:
    results = str(databases("zerospeech2017"))
    cli("report", results, "two", "-o", "nowhere/r.html").refused("error: nowhere/r.html: No such file or directory")
    cli("plot", results, "ned_coverage", "-o", "nowhere/r.svg").refused(
        "error: nowhere/r.svg: No such file or directory"
    )


def test_a_run_shows_the_same_in_a_notebook(databases: Callable[[str], Path]) -> None:
    results = scorespec.open_results(databases("zerospeech2017"))
    run = results.run("two")
    assert run.number == 2
    assert run.report().html == results.report("two").html
    assert run.plot("ned_coverage").svg == results.plot("ned_coverage", "two").svg
    assert run.plot("ned_coverage")._repr_svg_().startswith("<svg")
    assert run.report()._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;')


def test_a_scored_run_has_a_report_without_a_results_database() -> None:
    files, where, _ = CORPORA["zerospeech2017"]
    run = scorespec.score("zerospeech2017", metrics="ned", **{name: where / file for name, file in files.items()})
    assert "ned (lower is better, from 0 to 1) is 0.0000" in run.report().html


# -- in a browser ---------------------------------------------------------------------------------------

# `make test-report` opens the report of every suite, and needs Chromium; other tests open one if Chromium is installed.
EVERY = os.environ.get("REPORTS") == "all"
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None and not EVERY, reason="Chromium is not installed: no page is opened"
)


@needs_chromium
def test_a_browser_says_what_is_wrong_with_a_page(tmp_path: Path) -> None:
    page = tmp_path / "faulty.html"
    policy = "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; script-src 'unsafe-inline'\">"
    page.write_text(f"<!doctype html>{policy}<img src='http://127.0.0.1:9/x.png'><script>nothing()</script>", "utf-8")
    blocked, fault = open_page(page).console
    assert "violates the following Content Security Policy" in blocked
    assert "nothing is not defined" in fault


@needs_chromium
@pytest.mark.parametrize("suite", CORPORA if EVERY else ["der_pyannote"])
def test_a_browser_finds_no_fault(suite: str, pages: Callable[[str], str], tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text(pages(suite), encoding="utf-8")
    opened = open_page(page)
    assert opened.console == []
    assert 'type="search"' in opened.html  # the script has run
    assert (suite == "der_pyannote") == ('class="lane"' in opened.html)
