"""Prints text for people, without characters that control a terminal; and tables, also as Markdown, LaTeX and HTML.

A cell of a table is text, never markup.
"""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from itertools import islice, zip_longest
from typing import TextIO

# Control characters (C0, DEL, C1), line and paragraph separators, characters that change the direction of text, and
# surrogates, which cannot be encoded.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

# A sentence begins with a capital, a number, a name with a number in it, a parenthesis, or a choice (``all: …``).
SENTENCE_END = re.compile(r"(?<=[.?!])(?<! al\.)\s+(?=[A-Z(`]|\w*\d|[\w-]+: )")
NOTE = "note: "  # begins a warning of what is usual, such as a small share of rows that are left out
LEAST_WIDTH = 40  # lines are no narrower than this, however narrow the terminal is
BEFORE_TEXT = re.compile(r"[ │├└─]*")  # blanks, and the branches of a tree
CONTINUED = str.maketrans("├└─", "│  ")  # the branches on the next line of the same entry


def visible(text: object, lines: bool = False) -> str:
    r"""Text with an escape such as ``\x1b`` or ``\u202e`` for every character that controls a terminal.

    With ``lines``, line ends and tabs stay.
    """
    kept = "\n\t" if lines else ""
    return CONTROL.sub(
        lambda found: found[0] if found[0] in kept else found[0].encode("unicode_escape").decode("ascii"), str(text)
    )


def first_sentence(text: str) -> str:
    """The first sentence of a text, for lists with one line each. A choice (``all: every pair``) begins a sentence."""
    return SENTENCE_END.split(text, maxsplit=1)[0]


def say(text: object = "", file: TextIO | None = None) -> None:
    """Print lines for people, on standard output unless ``file`` is given."""
    print(visible(text, lines=True), file=file or sys.stdout)


def complain(text: object) -> None:
    """Print lines for people on standard error."""
    say_wrapped(str(text), sys.stderr)


def is_output_begun() -> bool:
    """Whether something was printed on standard output."""
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    begun = getattr(raw, "begun", None)  # of scorespec.core.process.Outlet
    if begun is not None:
        return bool(begun)
    with suppress(OSError):  # no position in a pipe
        return sys.stdout.tell() > 0  # text in memory
    return False


def print_warnings(warnings: Iterable[str], most: int | None = None) -> None:
    """Print the warnings of a run on standard error, a line each, then its notes; at most the first ``most``."""
    said = sorted(warnings, key=lambda each: each.startswith(NOTE))
    sys.stdout.flush()  # what is printed before stays before
    for each in said[:most]:
        complain(visible(each if each.startswith(NOTE) else f"warning: {each}"))
    if said[:most] != said:
        complain(f"{len(said[most:]):,} more: --verbose shows them")


def is_output_lost() -> bool:
    """Whether nobody reads standard output any more, as behind ``| head``; further lines need not be made."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return getattr(raw, "lost", None) is not None  # of scorespec.core.process.Outlet


def say_wrapped(text: str, file: TextIO | None = None) -> None:
    """Print lines, on standard output unless ``file`` is given, wrapped to the width of a terminal.

    In a pipe they stay whole.
    """
    width = max(shutil.get_terminal_size().columns, LEAST_WIDTH) if (file or sys.stdout).isatty() else None
    say(wrapped(text, width) if width else text, file)


def wrapped(text: str, width: int) -> str:
    """A text whose lines are at most ``width`` wide, as far as its words allow; continued lines are indented more."""
    return "\n".join(each for line in text.split("\n") for each in _wrapped_line(visible(line), width))


def _wrapped_line(line: str, width: int) -> list[str]:
    start = found[0] if (found := BEFORE_TEXT.match(line)) else ""
    below = start.translate(CONTINUED) + "  "
    text = line[len(start) :]
    if len(line) <= width:
        return [line]
    return textwrap.wrap(
        text, width, initial_indent=start, subsequent_indent=below, break_long_words=False, break_on_hyphens=False
    )


Texts = Mapping[str, str]  # a row: the text of each column; all rows of a table have the same columns
Place = tuple[int, str]  # of a cell: the number of its row, and its column

BLOCK = 1000  # rows that are laid out together, so that the first lines of a long table are printed at once
GAP = "  "  # between columns
NAMED = 8  # columns that are left out and named, at most
NARROW = 24  # longer texts are wrapped if the terminal is too narrow
NARROWEST = 10  # and if it is narrower still, to this width
SHORTEST = 6  # texts are cut to this width at most, so that all columns fit
LATEX = str.maketrans(
    {
        **{each: f"\\{each}" for each in "&%$#_{}"},
        **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"},
        **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "–": "--", "±": r"$\pm$"},
    }
)
MARKDOWN = str.maketrans({**{each: f"\\{each}" for each in "\\|_*"}, "<": "&lt;"})
LIVE = re.compile(r"\](?=[(:\[])|(?<=:)/(?=/)|(?<=\bwww)\.", re.IGNORECASE)  # what makes a link or image of text


# -- in columns --------------------------------------------------------------------------------------


def in_columns(rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Rows of texts as lines; the columns with the numbers ``right`` are aligned to the right."""
    rows = [*rows]
    widths = [_width(column) for column in zip(*rows, strict=True)]
    return [_line(row, widths, right) for row in rows]


def aligned(rows: Sequence[Texts], words: Collection[str]) -> str:
    """Rows of text below the names of their columns; all columns but ``words`` are aligned to the right."""
    names = list(rows[0]) if rows else []
    right = [at for at, name in enumerate(names) if name not in words]
    return "\n".join(in_columns([[*map(visible, names)], *([*row.values()] for row in rows)], right))


def print_grid(
    rows: Iterable[Texts], columns: Sequence[str], numbers: Collection[str], needed: Collection[str]
) -> None:
    """Print rows of text below the names of their columns; ``numbers`` are aligned to the right.

    On a terminal, long texts are wrapped. If that is not enough, columns that are not ``needed`` are left out, the last
    first, and a line names the first of them.
    """
    limit = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    heading = {name: visible(name) for name in columns}
    shown = list(columns)
    widths: dict[str, int] = {}
    for number, block in enumerate(_blocks(rows)):
        lines = block if number else [heading, *block]
        whole = {name: max(widths.get(name, 0), _width(row[name] for row in lines)) for name in columns}
        if limit is None:
            widths = whole
        elif not number:
            widths = {name: whole[name] if name in numbers else min(whole[name], NARROW) for name in columns}
            for name in reversed(columns):
                if _room(widths, shown, limit) < 0 and name not in needed:
                    shown.remove(name)
            for name in shown:  # what is left of the line goes to the columns that need it, the first ones first
                widths[name] += max(0, min(whole[name] - widths[name], _room(widths, shown, limit)))
            for name in reversed([name for name in shown if name not in numbers]):
                widths[name] -= max(0, min(widths[name] - NARROWEST, -_room(widths, shown, limit)))
        right = [at for at, name in enumerate(shown) if name in numbers]
        for row in lines:
            say(_line([row[name] for name in shown], [widths[name] for name in shown], right))
    if hidden := [heading[name] for name in columns if name not in shown]:
        more = f" and {len(hidden) - NAMED} more" if len(hidden) > NAMED else ""
        names = ", ".join(hidden[:NAMED]) + more
        say_wrapped(f"not shown: {names} (the terminal is too narrow; --format csv has every column)")


def print_shortened(rows: Iterable[Texts], columns: Sequence[str], numbers: Collection[str]) -> None:
    """Print rows with all columns. On a terminal, texts and names are cut to fit, or else each row is a list.

    ``numbers`` are aligned to the right, and never cut.
    """
    if not sys.stdout.isatty():
        print_grid(rows, columns, numbers, columns)
        return
    limit = shutil.get_terminal_size().columns
    heading = {name: visible(name) for name in columns}
    right = [at for at, name in enumerate(columns) if name in numbers]
    widths: dict[str, int] = {}
    for number, block in enumerate(_blocks(rows)):
        if not number:
            widths = {name: _width(row[name] for row in (heading, *block)) for name in columns}
            least = {name: _width(row[name] for row in block) if name in numbers else 0 for name in columns}
            least = {name: min(widths[name], max(width, SHORTEST)) for name, width in least.items()}
            while _room(widths, columns, limit) < 0 and least != widths:
                widths[max(columns, key=lambda name: widths[name] if widths[name] > least[name] else 0)] -= 1
        fits = _room(widths, columns, limit) >= 0
        for row in block if number or not fits else (heading, *block):
            if fits:
                say(_line([_cut(row[name], widths[name]) for name in columns], [*widths.values()], right))
            else:
                say_wrapped("\n".join([*in_columns((heading[name], row[name]) for name in columns), ""]))


def _cut(text: str, width: int) -> str:
    """The text, or its beginning if it is wider."""
    from rich.cells import set_cell_size  # slow to load

    return text if _cells(text) <= width else f"{set_cell_size(text, width - 1)}…"


def _blocks(rows: Iterable[Texts]) -> Iterator[list[Texts]]:
    """The rows in lists; one empty list if there are none."""
    rest = iter(rows)
    yield list(islice(rest, BLOCK))
    while block := list(islice(rest, BLOCK)):
        yield block


def _width(texts: Iterable[str]) -> int:
    """The width of the widest text on a terminal, where some characters take two cells."""
    return max(map(_cells, set(texts)), default=0)


def _cells(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # slow to load

    return cell_len(text)


def _room(widths: Mapping[str, int], shown: Sequence[str], limit: int) -> int:
    """What the columns leave of a line."""
    return limit - sum(widths[name] for name in shown) - len(GAP) * (len(shown) - 1)


def _line(texts: Sequence[str], widths: Sequence[int], right: Collection[int]) -> str:
    """A row in columns; of several lines if one of its texts is wrapped."""
    wrapped = [_wrapped(text, width) for text, width in zip(texts, widths, strict=True)]
    lines = (
        GAP.join(
            f"{' ' * (width - _cells(text))}{text}" if at in right else f"{text}{' ' * (width - _cells(text))}"
            for at, (text, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in zip_longest(*wrapped, fillvalue="")
    )
    return "\n".join(line.rstrip() for line in lines)


def _wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, at words; texts with characters of two cells, such as Japanese, are cut anywhere."""
    if _cells(text) <= width:
        return [text]
    if _cells(text) > len(text):
        from rich.cells import chop_cells

        return chop_cells(text, max(width, 2))
    return textwrap.wrap(text, max(width, 1)) or [""]


# -- as markup ---------------------------------------------------------------------------------------


def markdown_table(rows: Sequence[Texts], words: Collection[str], bold: Collection[Place], notes: Sequence[str]) -> str:
    """A table in Markdown, with notes below; the columns ``words`` are aligned to the left, all others to the right."""
    names = list(rows[0]) if rows else []
    lines = [[_markdown(name) for name in names], ["---" if name in words else "---:" for name in names]]
    for number, row in enumerate(rows):
        texts = {name: _markdown(text) for name, text in row.items()}
        lines.append([_bold("**", text, "**") if (number, name) in bold else text for name, text in texts.items()])
    return "\n".join([*(f"| {' | '.join(line)} |" for line in lines), "", *(f"* {_markdown(note)}" for note in notes)])


def latex_table(rows: Sequence[Texts], words: Collection[str], bold: Collection[Place], notes: Sequence[str]) -> str:
    """A table in LaTeX, for the package booktabs, with notes as comments; columns are aligned as in Markdown."""
    names = list(rows[0]) if rows else []
    lines = []
    for number, row in enumerate(rows):
        texts = {name: _latex(text) if name in words else _latex_number(text) for name, text in row.items()}
        lines.append(
            [_bold(r"\textbf{", text, "}") if (number, name) in bold else text for name, text in texts.items()]
        )
    places = "".join("l" if name in words else "r" for name in names)
    head, *body = (" & ".join(line) + r" \\" for line in (map(_latex, names), *lines))
    table = [rf"\begin{{tabular}}{{{places}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*table, *(f"% {visible(note)}" for note in notes)])


def html_table(rows: Sequence[Texts], columns: Iterable[str] | None = None, caption: str = "") -> str:
    """A table in HTML; without ``columns``, it has those of the rows. A column that no row fills is left out."""
    names = [*(columns if columns is not None else rows[0] if rows else ())]
    names = [name for name in names if not rows or any(row[name] for row in rows)]
    lines = [[f"<th>{escape(visible(name))}</th>" for name in names]] if names else []
    lines += [[f"<td>{escape(row[name])}</td>" for name in names] for row in rows]
    said = f"<caption>{escape(visible(caption))}</caption>" if caption else ""
    return f"<table>{said}{''.join(f'<tr>{cells}</tr>' for cells in map(''.join, lines))}</table>"


def _bold(begin: str, text: str, end: str) -> str:
    """A cell whose value is bold. An interval and ranks, which are behind a blank, are not."""
    value, blank, rest = text.partition(" ")
    return f"{begin}{value}{end}{blank}{rest}"


def _markdown(text: str) -> str:
    return LIVE.sub(lambda found: f"&#{ord(found[0])};", visible(text).translate(MARKDOWN))


def _latex(text: str) -> str:
    """Text in LaTeX. At the begin of a row, `[` and `*` would belong to the end of the row before."""
    written = visible(text).translate(LATEX)
    return f"{{}}{written}" if written.startswith(("[", "*")) else written


def _latex_number(text: str) -> str:
    """A number with others behind it, where a hyphen is a minus; alone, it stands for nothing."""
    return "--" if text == "-" else _latex(text).replace("--", "–").replace("-", "$-$").replace("–", "--")
