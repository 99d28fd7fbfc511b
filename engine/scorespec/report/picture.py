"""One figure as a picture of its own, for papers and notebooks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from scorespec.errors import RunError, UsageError
from scorespec.report.drawing.svg import LIGHT, WIDTH, Paper, element, rules
from scorespec.report.figures import DRAWN, show, why_not
from scorespec.report.subject import read_subject
from scorespec.results.reading import stored_runs
from scorespec.run.inputs.files import write_file

PIXELS = {"in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "pt": 96 / 72, "px": 1.0}  # of a unit, as CSS has them
LENGTH = re.compile(r"([0-9]+(?:\.[0-9]+)?)(in|cm|mm|pt|px)")
SMALLEST, LARGEST = 120, 10_000  # pixels
PAPER_FONT = 8 * 96 / 72  # pixels of 8 points, as captions of papers have
SUFFIXES = (".svg", ".pdf")
FONT = "Helvetica,Arial,'Liberation Sans',sans-serif"


@dataclass(frozen=True)
class Picture:
    """A figure as SVG. Notebooks show it as a picture."""

    svg: str

    def save(self, path: str | Path) -> None:
        """Write the figure to a file whose name ends in `.svg` or `.pdf`. Raises RunError if it cannot be written."""
        check_suffix(Path(path))
        write_file(path, self.svg if Path(path).suffix.lower() == ".svg" else _pdf(self.svg))

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
    specs: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
) -> Picture:
    """A figure of some runs; ``width`` is a length such as `3.3in`, and then the text has 8 points.

    Raises UsageError for a figure that the suite does not have, that is a table, or that these runs cannot show.
    """
    pixels = WIDTH if width is None else pixels_of(width)
    paper = Paper("figure", pixels) if width is None else Paper("figure", pixels, PAPER_FONT)
    with stored_runs(results, schema) as stored:
        subject = read_subject(stored, results, schema, runs, specs, plugins)
        figure = subject.figure(name)
        if figure.kind not in DRAWN:
            raise UsageError(f"{name} is no picture; `scorespec report` shows it")
        reason = why_not(figure, subject, stored)
        shown = None if reason else show(figure, subject, stored, paper)
    if shown is None or shown.svg is None:
        raise UsageError(f"{name} cannot be shown: {reason or 'the runs have no such rows'}")
    return Picture(_alone(shown.svg, width or f"{WIDTH}px"))


def pixels_of(width: str) -> float:
    """A length in pixels. Raises UsageError for a text that is no length, and for a length out of bounds."""
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
