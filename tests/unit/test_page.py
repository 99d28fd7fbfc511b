"""The HTML page of a plan: the whole plan, valid, without network, with every text of documents escaped."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorespec
from marks import for_each
from scorespec.api import CompiledPlan
from scorespec.catalog.lookup import load_catalog
from scorespec.plan.plan import Signature
from scorespec.plan.shown.graph import BOX, COLUMNS, layout
from scorespec.plan.shown.plan_page import Link, marked, page_of, prose

SUITES = load_catalog().names("suites")
EMPTY = {"meta", "path", "rect", "br"}  # elements without content


class Page(HTMLParser):
    """Reads a page: its elements, the text of each element with an id, and faults of the nesting."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[tuple[str, str]] = []
        self.texts: dict[str, str] = {}
        self.faults: list[str] = []
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is not closed" for tag, _ in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if len(given) < len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice: {attrs}")
        self.elements.append((tag, given))
        if tag not in EMPTY:
            self.open.append((tag, given.get("id", "")))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1][0] != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        for _, id in self.open:
            if id:
                self.texts[id] = self.texts.get(id, "") + data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


@cache
def plan_of(suite: str) -> CompiledPlan:
    found = load_catalog().suite(suite)
    return scorespec.compile(suite, inputs=[*found.inputs, *found.optional])


@cache
def page(suite: str) -> Page:
    return Page(plan_of(suite).html())


@for_each(suite=SUITES)
def test_the_page_is_valid_html(suite: str) -> None:
    found = page(suite)
    assert found.faults == []
    ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    assert len(set(ids)) == len(ids)
    pointed = {each["href"].removeprefix("#") for each in found.all("a")}
    assert pointed <= set(ids)
    assert {each["aria-labelledby"] for each in found.all("section")} <= set(ids)


@for_each(suite=SUITES)
def test_every_step_and_input_stands_once_in_the_graph_and_once_in_the_text(suite: str) -> None:
    plan, found = plan_of(suite), page(suite)
    ids = [f"input{at}" for at, _ in enumerate(plan.tables_read(), 1)]
    ids += [f"step{at}" for at, _ in enumerate(plan.steps, 1)]
    nodes = [each["href"].removeprefix("#") for each in found.all("a") if "aria-label" in each]
    assert nodes == ids
    sections = [each["id"] for each in found.all("section")]
    assert [each for each in sections if each.startswith(("input", "step"))] == ids
    for at, step in enumerate(plan.steps, 1):
        text = found.texts[f"step{at}"]
        assert step.statement in text
        assert step.place in text
        assert all(column.name in text for column in step.columns)
        assert not step.function_rows or step.function_rows.sql in text
    assert plan.scores.sql in found.texts["scores"]


@for_each(suite=SUITES)
def test_the_lines_of_the_graph_are_what_the_steps_read(suite: str) -> None:
    plan, found = plan_of(suite), page(suite)
    ids = {table.name: f"input{at}" for at, table in enumerate(plan.tables_read(), 1)}
    ids |= {step.physical: f"step{at}" for at, step in enumerate(plan.steps, 1)}
    lines = [(each["data-from"], each["data-to"]) for each in found.all("path")]
    assert sorted(lines) == sorted(
        (ids[read], ids[step.physical]) for step in plan.steps for read in step.reads if read in ids
    )


@for_each(suite=SUITES)
def test_the_page_needs_no_network(suite: str) -> None:
    found, text = page(suite), plan_of(suite).html()
    assert not re.search(r"(?i)https?:|//[a-z]+\.[a-z]|@import|url\(", text)
    assert not {"link", "img", "iframe", "object", "base", "form"} & {tag for tag, _ in found.elements}
    assert all("src" not in attributes for _, attributes in found.elements)
    assert all(each["href"].startswith("#") for each in found.all("a"))


def test_a_plan_with_intervals_shows_their_queries() -> None:
    plan = scorespec.compile("sws2013", metrics=["mtwv", "cnxe", "prior"], confidence=95)
    found = Page(plan.html())
    queries = [each["id"] for each in found.all("section") if each["id"].startswith("intervals")]
    resampling = plan.resampling
    assert len(queries) == len(resampling.scores) + len(resampling.sweeps) + len(resampling.jackknifed)
    assert resampling.sweeps[0].scores.sql in "".join(found.texts[each] for each in queries)
    assert found.faults == []


EVIL = """</script></style><img src=x onerror='alert(1)'> & "quoted" `<b>` -- </pre>"""


def test_texts_of_documents_are_escaped() -> None:
    plan = plan_of("wer")
    step = replace(
        plan.steps[0],
        sql=f"SELECT '{EVIL.replace(chr(39), chr(39) * 2)}' AS \"{EVIL.replace(chr(34), chr(34) * 2)}\"",
        kind="relation",
        name=EVIL,
        place=EVIL,
        about=EVIL,
        explained=EVIL,
        values={EVIL: EVIL},
        columns=(replace(plan.tables[0].columns[0], name=EVIL, about=EVIL, type=EVIL, unit=EVIL),),
    )
    table = replace(plan.tables[0], about=EVIL)
    others = (plan.tables[1:], plan.steps[1:])
    evil = replace(
        plan,
        suite=EVIL,
        about=EVIL,
        identity=Signature(EVIL, EVIL, EVIL),
        macros=(replace(plan.macros[0], about=EVIL),),
        parameters={EVIL: EVIL},
        tables=(table, *others[0]),
        steps=(step, *others[1]),
    )
    found = Page(page_of(evil))
    assert found.faults == []
    assert not found.all("img")
    assert found.texts["step1"].count(EVIL.replace("`", "")) + found.texts["step1"].count(EVIL) >= 4
    assert len(found.all("script")) == len(found.all("style")) == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the label `a<b` is", "the label <code>a&lt;b</code> is"),
        ("`x` and `y`", "<code>x</code> and <code>y</code>"),
        ("one ` alone & more", "one ` alone &amp; more"),
    ],
)
def test_what_stands_between_backticks_is_code(text: str, shown: str) -> None:
    assert prose(text) == shown


@given(st.lists(st.sampled_from(["SELECT", " ", "\n", '"a"', '"é""ü"', "'β''x'", "1.5", "-- c\n", "<", "&", "x", ","])))
def test_marked_sql_keeps_every_character(pieces: list[str]) -> None:
    sql = "".join(pieces)
    shown = Page(f"<pre id=x>{marked(sql, {'a': Link('step1', 'a')})}</pre>")
    assert shown.faults == []
    assert shown.texts.get("x", "") == sql


def test_names_of_steps_in_sql_are_links() -> None:
    shown = Page(str(marked("""FROM "a" -- "a"\nJOIN "b" ON 'a' = '"a"'""", {"a": Link("step1", "a")})))
    assert [each["href"] for each in shown.all("a")] == ["#step1"]


# -- the layout ----------------------------------------------------------------------------------------


@given(st.lists(st.frozensets(st.integers(0, 30), max_size=5), max_size=30))
def test_each_step_stands_below_what_it_reads_and_none_on_another(found: list[frozenset[int]]) -> None:
    reads = {f"n{at}": {f"n{each}" for each in above if each < at} for at, above in enumerate(found)}
    made = layout(reads)
    assert made.corners.keys() == reads.keys()
    assert len(set(made.corners.values())) == len(reads)
    assert made.lines.keys() == {(source, reader) for reader, above in reads.items() for source in above}
    rows: dict[int, int] = {}
    for name, (x, y) in made.corners.items():
        assert 0 <= x <= made.width - BOX[0]
        assert 0 <= y <= made.height - BOX[1]
        assert all(made.corners[source][1] < y for source in reads[name])
        rows[y] = rows.get(y, 0) + 1
    assert all(count <= COLUMNS for count in rows.values())
