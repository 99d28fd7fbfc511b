"""Writes a plan as one HTML page: the graph of its steps on the left, the SQL of each step on the right."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import duckdb
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from scorespec.catalog.model import Column
from scorespec.plan.parameters import show_value
from scorespec.plan.plan import Curve, Plan
from scorespec.plan.rendering.macros import create_macros
from scorespec.plan.shown.graph import BOX, layout
from scorespec.plan.shown.script import distinguishing, explanations, interval_queries, metrics_by_source
from scorespec.version import __version__

FOLDER = Path(__file__).with_name("html")
LONGEST_NAME = 20  # characters that fit into a box of the graph
LONGEST_DETAIL = 22


@dataclass(frozen=True)
class Link:
    """A step or input that another part of the page points to."""

    id: str
    name: str
    detail: str = ""


@dataclass(frozen=True)
class Part:
    """A part of the text: an input, a step, a curve, the scores or their intervals.

    ``function_query`` is the query whose rows a Python function reads.
    """

    id: str
    kind: str
    name: str
    detail: str
    place: str
    paragraphs: tuple[str, ...]
    sql: Markup | str
    physical: str = ""
    setting: str = ""
    parameters: tuple[tuple[str, str], ...] = ()
    columns: tuple[Column, ...] = ()
    reads: tuple[Link, ...] = ()
    readers: tuple[Link, ...] = ()
    function: str = ""
    function_query: Markup | str = ""

    @property
    def title(self) -> str:
        """The part in one line."""
        return ", ".join(each for each in (f"{self.kind} {self.name}", self.detail, self.setting) if each)

    @property
    def short_name(self) -> str:
        return _shortened(self.name, LONGEST_NAME)

    @property
    def short_detail(self) -> str:
        """What tells the part from others of its name, as far as there is room in the graph."""
        said = self.setting or self.detail
        return _shortened(f"ƒ {said or 'Python'}" if self.function else said, LONGEST_DETAIL)


def page_of(plan: Plan) -> str:
    """The plan as a page that needs no other file and no network."""
    pages = _Page(plan)
    parts = [*pages.inputs(), *pages.steps()]
    reads = {part.id: {link.id for link in part.reads} for part in parts}
    return _template().render(
        plan=plan,
        version=__version__,
        parts=parts,
        results=list(pages.results()),
        macros=marked(create_macros(plan.macros), {}),
        metrics=metrics_by_source(plan).items(),
        unread=[table.name for table in plan.tables if table not in plan.tables_read()],
        parameters=[(name, show_value(value)) for name, value in plan.parameters.items()],
        graph=layout(reads),
        box=BOX,
    )


class _Page:
    """The parts of a plan's page. Their ids are numbers, since names come from documents."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        tables = {table.name: Link(f"input{at}", table.name) for at, table in enumerate(plan.tables_read(), 1)}
        settings = distinguishing(plan.steps)
        steps = {
            step.physical: Link(f"step{at}", step.name, settings[step.physical] or step.detail)
            for at, step in enumerate(plan.steps, 1)
        }
        self._links: dict[str, Link] = {**tables, **steps}
        self._settings, self._explained = settings, explanations(plan.steps)
        self._readers: dict[str, list[Link]] = {name: [] for name in self._links}
        for step in plan.steps:
            for name in step.reads & self._links.keys():
                self._readers[name].append(self._links[step.physical])

    def inputs(self) -> Iterator[Part]:
        for table in self._plan.tables_read():
            yield Part(
                self._links[table.name].id,
                "input",
                table.name,
                "",
                str(table.origin.place()),
                (table.about,),
                "",
                columns=table.columns,
                readers=tuple(self._readers[table.name]),
            )

    def steps(self) -> Iterator[Part]:
        for step in self._plan.steps:
            values = {} if step.kind == "metric" else step.values
            yield Part(
                self._links[step.physical].id,
                step.kind,
                step.name,
                step.detail,
                step.place,
                self._explained[step.physical],
                marked(step.statement, self._known(step.reads)),
                step.physical,
                self._settings[step.physical],
                tuple((name, show_value(value)) for name, value in sorted(values.items())),
                step.columns,
                self._sorted(step.reads),
                tuple(self._readers[step.physical]),
                step.function_rows.shown if step.function_rows else "",
                marked(step.function_rows.sql, self._known(step.reads)) if step.function_rows else "",
            )

    def results(self) -> Iterator[Part]:
        """The curves, the scores and what makes their intervals, which are queries and no steps."""
        for at, curve in enumerate(self._plan.curves, 1):
            yield self._curve(f"curve{at}", curve)
        sql = marked(self._plan.scores.sql, self._known(self._plan.scores.reads))
        about = "The rows that the run reports: one for each metric, slice and component."
        read = self._sorted(self._plan.scores.reads)
        yield Part("scores", "result", "scores", "", "", (about,), sql, reads=read)
        for at, query in enumerate(interval_queries(self._plan), 1):
            sql = marked("\n".join(f"{each};" for each in query.statements), self._known(query.reads))
            read = self._sorted(query.reads)
            yield Part(f"intervals{at}", "intervals of", query.name, "", "", (query.about,), sql, reads=read)

    def _curve(self, id: str, curve: Curve) -> Part:
        about = f"The points of the curve of {curve.metric}."
        sql = marked(curve.sql, self._known(curve.reads))
        return Part(id, "curve", curve.metric, "", curve.place, (about,), sql, reads=self._sorted(curve.reads))

    def _known(self, names: Collection[str]) -> dict[str, Link]:
        return {name: self._links[name] for name in names if name in self._links}

    def _sorted(self, names: Collection[str]) -> tuple[Link, ...]:
        """The links of some tables, in the order of the plan."""
        return tuple(link for name, link in self._links.items() if name in names)


def marked(sql: str, links: Mapping[str, Link]) -> Markup:
    """SQL as HTML: keywords, texts, numbers and comments are marked, and names of steps are links."""
    text = sql.encode()  # DuckDB counts bytes
    found = [(0, ""), *((start, kind.name) for start, kind in duckdb.tokenize(sql))]
    ends = [start for start, _ in found[1:]] + [len(text)]
    pieces: list[Markup] = []
    for (start, kind), end in zip(found, ends, strict=True):
        piece = text[start:end].decode()
        word = piece.rstrip()
        pieces += [_marked_word(word, kind, links), Markup.escape(piece[len(word) :])]
    return Markup("").join(pieces)


def _marked_word(word: str, kind: str, links: Mapping[str, Link]) -> Markup:
    if word[:1] == '"' and (link := links.get(word[1:-1].replace('""', '"'))):
        return Markup('<a href="#{}">{}</a>').format(link.id, word)
    # DuckDB counts names such as `precision` among the keywords; keywords of our SQL are in capitals.
    if kind in ("string_const", "numeric_const", "comment") or (kind == "keyword" and word.isupper()):
        return Markup('<span class="{}">{}</span>').format(kind, word)
    return Markup.escape(word)


def prose(text: str) -> Markup:
    """A sentence as HTML; text between backticks is code."""
    pieces = [Markup.escape(piece) for piece in text.split("`")]
    if len(pieces) % 2 == 0:
        return Markup.escape(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if at % 2 else piece for at, piece in enumerate(pieces)
    )


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["prose"] = prose
    return environment.get_template("page.html")
