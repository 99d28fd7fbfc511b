"""Writes a report, one HTML page that needs no other file and no network, or one figure as a picture of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from scorespec.catalog.lookup import documents_of
from scorespec.catalog.model import Axis, Plot
from scorespec.comparison.comparison_tables import Leaderboard
from scorespec.comparison.leaderboard import board_runs, corpus_name, leaderboard_of
from scorespec.comparison.targets import Targets
from scorespec.core.equations import plain
from scorespec.core.terminal import visible
from scorespec.errors import RunError, SpecError, UsageError
from scorespec.plan.parameters import show_value
from scorespec.report.drawing.svg import DARK, LIGHT, Paper, element, rules, variables
from scorespec.report.figures import DRAWN, Cell, CellTable, Shown, draw, sentences, show, why_not
from scorespec.report.marked_text import marked, prose
from scorespec.report.score_figures import (
    MOST_DOTS,
    block_figures,
    score_figure,
    score_figures,
    score_tables,
    scores_sql,
    slice_figures,
)
from scorespec.report.subject import ChosenRun, Subject, read_subjects
from scorespec.report.verdict import notes, paired, tiles, verdict
from scorespec.results.reading import StoredRuns, opened_once, stored_runs
from scorespec.run.inputs.files import write_file
from scorespec.version import __version__

FOLDER = Path(__file__).with_name("html")


@dataclass(frozen=True)
class Page:
    """A report. Notebooks show it in a frame of its own. ``warnings`` say what it leaves out."""

    html: str
    warnings: Sequence[str] = ()

    def __repr__(self) -> str:
        return f"<page of {len(self.html):,} characters; save(PATH) writes it>"

    def save(self, path: str | Path) -> Path:
        """Write the page to a file; its path. Raises RunError if it cannot be written."""
        write_file(path, self.html)
        return Path(path)

    def _repr_html_(self) -> str:
        return str(Markup('<iframe srcdoc="{}" style="width:100%;height:40rem;border:0"></iframe>').format(self.html))


def report(
    results: Path,
    schema: str,
    runs: Sequence[int | str] = (),
    specs: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
    targets: Targets | None = None,
) -> Page:
    """The page about some runs; arguments are those of :func:`~scorespec.report.subject.read_subjects`.

    Runs of several corpora are shown in a section for each corpus, below a leaderboard. Raises UsageError for runs of
    several suites, SpecError for a figure at fault.
    """
    with stored_runs(results, schema) as stored:
        subjects = read_subjects(stored, results, schema, runs, specs, plugins, by_corpus=True, targets=targets)
        figures = [_figures(subject, stored) for subject in subjects]
    with opened_once(results, schema):  # not the connection on which SQL of documents has run
        several, board = len(subjects) > 1, None  # of the means over corpora
        warnings = list(dict.fromkeys(each for subject in subjects for each in subject.warnings))
        parts = [_part(each, *shown, several) for each, shown in zip(subjects, figures, strict=True)]
        try:
            if several:
                numbers = [run.number for subject in subjects for run in subject.runs]
                found, older = board_runs(results, schema, numbers)
                percent_names = subjects[0].runs[0].record.percent_names
                entries = leaderboard_of(found, by_corpus=True, targets=targets)
                board = Leaderboard(entries, older=older, in_percent=percent_names, percent_names=percent_names)
        except UsageError as error:  # the systems of one corpus may not be comparable
            warnings.append(f"there is no leaderboard: {error}")
        return Page(_rendered(subjects, parts, board, warnings), warnings)


def leaderboard_page(board: Leaderboard) -> Page:
    """The page of a leaderboard, with the definitions of its metrics if the documents are at hand."""
    suite, names = documents_of(board.suite)
    return Page(_rendered([Subject(Path(), "", (), suite=suite, names=names)], [], board))


def _rendered(
    subjects: Sequence[Subject],
    parts: Sequence[Mapping[str, Any]],
    board: Leaderboard | None,
    warnings: Sequence[str] = (),
) -> str:
    """A page with a leaderboard, if there is one, and the ``parts`` about the runs of each corpus."""
    first, runs = subjects[0], [run for subject in subjects for run in subject.runs]
    systems = list(dict.fromkeys(run.name for run in runs))
    listed = ", ".join(systems[:3]) + (f" and {len(systems) - 3} more" if len(systems) > 3 else "")
    scored = [row["metric"] for run in runs for row in run.scores] + [each.metric for each in board or ()]
    return _template().render(
        title=f"{runs[0].record.suite}: {listed}" if runs else f"Leaderboard of {board.suite if board else ''}",
        notes=dict.fromkeys([*(f"{each[0].upper()}{each[1:]}." for each in warnings), *notes(runs)]),
        board=_shown_board(board) if board else None,
        parts=parts,
        metrics=[
            (name, metric, first.sources(metric)) for name in dict.fromkeys(scored) if (metric := first.metric(name))
        ],
        details=[_details(run, first) for run in runs],
        claims=[*first.names.catalog.claims(first.suite)] if first.names and first.suite else [],
        version=__version__,
        light=variables(LIGHT),
        dark=variables(DARK),
        rules=rules(scope="svg "),
    )


def _part(subject: Subject, figures: list[Shown], left_out: list[tuple[str, str]], several: bool) -> dict[str, Any]:
    """The part of a page about the runs of one corpus; headings name the corpus if there are ``several``."""
    found = paired(subject)
    return {
        "prefix": subject.prefix,
        "where": f" on {corpus_name(subject.runs[0].record.corpus)}" if several else "",
        "tiles": list(tiles(subject, found)),
        "verdict": verdict(subject, found),
        "scores": list(score_figures(subject)),
        "tables": score_tables(subject),
        "has_intervals": any(row["low"] is not None for run in subject.runs for row in run.scores),
        "scores_sql": scores_sql(subject),
        "slices": list(slice_figures(subject)),
        "figures": [*block_figures(subject), *figures],
        "left_out": left_out,
    }


def _shown_board(board: Leaderboard) -> Shown:
    """A leaderboard as a table, with a picture of the first score."""
    best, name, shown = board.best, next(iter(board.names), ""), board.shown_rows()
    rows = [
        [
            Cell(text, heading not in board.words, is_unbroken=heading == "rank", is_best=(at, heading) in best)
            for heading, text in row.items()
        ]
        for at, row in enumerate(shown)
    ]
    plot = Plot(
        title=f"{name} of each system",
        about="",
        kind="dots",
        x=Axis("value", name.removesuffix(" (%)"), "%" if name.endswith(" (%)") else None),
        label="system",
        series=(),
        low="low",
        high="high",
    )
    dots = [vars(each) for each in board.lead if each.value is not None][:MOST_DOTS]
    picture = draw(plot, dots, (), {}, Paper("board-picture")).svg if dots else None
    table = CellTable([*shown[0]] if shown else board.words, rows)
    return Shown("board", plot.title, "", picture, table, rule=sentences(board.notes))


def _figures(subject: Subject, stored: StoredRuns) -> tuple[list[Shown], list[tuple[str, str]]]:
    """The figures of a page, and the titles of those that cannot be shown, each with the reason."""
    shown: list[Shown] = []
    left_out: list[tuple[str, str]] = []
    for figure in subject.figures:
        reason = why_not(figure, subject, stored)
        found = None if reason else show(figure, subject, stored, Paper(f"{subject.prefix}figure-{figure.name}"))
        if found:
            shown.append(found)
        elif figure.runs is None or figure.runs == len(subject.runs):
            left_out.append((figure.title, reason or "the runs have no such rows"))
    return shown, left_out


def _details(run: ChosenRun, subject: Subject) -> dict[str, Any]:
    """A run as its part of the page shows it. Parameters that differ from their defaults come first, with these."""
    parameters = [
        (name, show_value(each), _default(name, each, subject)) for name, each in run.record.parameters.items()
    ]
    parameters.sort(key=lambda each: (not each[2], each[0]))
    inputs = [
        {
            "name": each.name,
            "path": visible(Path(each.path or "").name),
            "format": each.format,
            "rows": "" if each.rows is None else f"{each.rows:,}",
            "bytes": "" if each.bytes is None else f"{each.bytes:,}",
            "dropped": f"{each.dropped:,}" if each.dropped else "",
            "sha256": each.sha256 or "",
        }
        for each in run.inputs
    ]
    return {"run": run, "parameters": parameters, "inputs": inputs}


def _default(name: str, value: Any, subject: Subject) -> str:
    """The default of a parameter in its suite or, if the suite has none, in its domain; empty if it is the value."""
    try:
        parameter = subject.names.parameter(name) if subject.names else None
    except SpecError:
        return ""
    default = subject.suite.params.get(name, parameter.default) if subject.suite and parameter else value
    return "" if show_value(value) == show_value(default) else show_value(default)


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    environment.filters["prose"] = prose
    environment.filters["plain"] = plain
    environment.filters["sql"] = marked
    return environment.get_template("report.html")


PIXELS = {"in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "pt": 96 / 72, "px": 1.0}  # of a unit, as CSS has them
LENGTH = re.compile(r"([0-9]+(?:\.[0-9]+)?)(in|cm|mm|pt|px)")
SMALLEST, LARGEST = 120, 10_000  # pixels
PAPER_FONT = 8 * 96 / 72  # pixels of 8 points, as captions of papers have
SUFFIXES = (".svg", ".pdf")
PLOT_WIDTH = 640  # pixels, unless another width is asked for
FONT = "Helvetica,Arial,'Liberation Sans',sans-serif"


@dataclass(frozen=True)
class Picture:
    """A figure as SVG. Notebooks show it as a picture."""

    svg: str

    def save(self, path: str | Path) -> Path:
        """Write the figure to a `.svg` or `.pdf`; its path. Raises RunError if it cannot be written."""
        check_suffix(Path(path))
        write_file(path, self.svg if Path(path).suffix.lower() == ".svg" else _pdf(self.svg))
        return Path(path)

    def _repr_svg_(self) -> str:
        return self.svg


def check_suffix(path: Path) -> None:
    """Raise UsageError for the name of a file that is neither SVG nor PDF."""
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{path}: the name of a figure must end in .svg or .pdf")


def plot(
    results: Path,
    schema: str,
    runs: Sequence[int | str],
    name: str,
    width: str | None = None,
    by: str | None = None,
    specs: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
) -> Picture:
    """A figure of some runs, or a plot of one of their scores.

    ``width`` is a length such as `3.3in`, and then the text has 8 points. ``by`` names columns, with commas between
    them, whose slices are shown. Raises UsageError for a figure that the suite does not have, that is a table, or that
    these runs cannot show.
    """
    pixels = PLOT_WIDTH if width is None else pixels_of(width)
    paper = Paper("figure", pixels) if width is None else Paper("figure", pixels, PAPER_FONT)
    with stored_runs(results, schema) as stored:
        (subject,) = read_subjects(stored, results, schema, runs, specs, plugins)
        figure, columns = subject.figure(name), [column.strip() for column in by.split(",")] if by else []
        if isinstance(figure, tuple):
            shown, reason = score_figure(subject, figure, columns, paper), ""
        elif figure.kind not in DRAWN:
            raise UsageError(f"{name} is not a picture; `scorespec report` shows it")
        else:
            subject = subject.by_slices(columns) if columns else subject
            reason = why_not(figure, subject, stored)
            shown = None if reason else show(figure, subject, stored, paper)
    if shown is None or shown.svg is None:
        said = f"{name} cannot be shown by {by}" if by else f"{name} cannot be shown"
        raise UsageError(f"{said}: {reason or 'the runs have no such rows'}")
    return Picture(_alone(shown.svg, width or f"{PLOT_WIDTH}px"))


def pixels_of(width: str) -> float:
    """A length in pixels. Raises UsageError for a text that is not a length, and for a length out of bounds."""
    found = LENGTH.fullmatch(width.strip())
    pixels = float(found[1]) * PIXELS[found[2]] if found else 0
    if not SMALLEST <= pixels <= LARGEST:
        raise UsageError(f"--width {width}: give a width of at least 1.25in, such as 3.3in, 8.4cm or 640px")
    return pixels


def _alone(svg: Markup, width: str) -> str:
    """A picture of a page as a picture of its own: with its colours, on white paper, as wide as is asked for."""
    style = element("style", Markup(rules(LIGHT, FONT)))
    paper = element("rect", width="100%", height="100%", fill=LIGHT["paper"])
    head, close, rest = str(svg).partition(">")
    return f'{head} width="{width}"{close}{style}{paper}{rest}\n'


def _pdf(svg: str) -> bytes:
    """A picture as PDF, with its fonts. Raises RunError if the library is not installed."""
    try:
        import cairosvg
    except (ImportError, OSError):  # OSError: the library is there, and Cairo is not
        raise RunError("PDF needs cairosvg: install scorespec[pdf], or write .svg") from None
    return bytes(cairosvg.svg2pdf(bytestring=svg.encode()))
