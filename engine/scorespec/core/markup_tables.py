"""Tables of text as plain text, Markdown, LaTeX and HTML. What stands in a table is text, and never markup."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from html import escape

from scorespec.core.terminal import visible

Rows = Sequence[Mapping[str, str]]  # all with the same columns
Place = tuple[int, str]  # of a cell: the number of its row, and its column
LATEX = str.maketrans(
    {
        **{each: f"\\{each}" for each in "&%$#_{}"},
        **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"},
        **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "–": "--"},
    }
)
MARKDOWN = str.maketrans({**{each: f"\\{each}" for each in "\\|_*"}, "<": "&lt;"})
LIVE = re.compile(r"\](?=[(:\[])|(?<=:)/(?=/)|(?<=\bwww)\.", re.IGNORECASE)  # what makes a link or image of text


def aligned(rows: Rows) -> str:
    """Rows in columns below their names."""
    if not rows:
        return ""
    lines = [{name: visible(name) for name in rows[0]}, *rows]
    widths = {name: max(len(row[name]) for row in lines) for name in rows[0]}
    return "\n".join("  ".join(row[name].ljust(widths[name]) for name in widths).rstrip() for row in lines)


def markdown_table(rows: Rows, words: Collection[str], bold: Collection[Place], notes: Sequence[str]) -> str:
    """A table in Markdown, with notes below; the columns ``words`` are aligned to the left, all others to the right."""
    names = list(rows[0]) if rows else []
    lines = [[_markdown(name) for name in names], ["---" if name in words else "---:" for name in names]]
    for number, row in enumerate(rows):
        texts = {name: _markdown(text) for name, text in row.items()}
        lines.append([f"**{text}**" if (number, name) in bold else text for name, text in texts.items()])
    return "\n".join([*(f"| {' | '.join(line)} |" for line in lines), "", *(f"* {_markdown(note)}" for note in notes)])


def latex_table(rows: Rows, words: Collection[str], bold: Collection[Place], notes: Sequence[str]) -> str:
    """A table in LaTeX, for the package booktabs, with notes as comments; columns are aligned as in Markdown."""
    names = list(rows[0]) if rows else []
    lines = []
    for number, row in enumerate(rows):
        texts = {name: _latex(text) if name in words else _latex_number(text) for name, text in row.items()}
        lines.append([rf"\textbf{{{text}}}" if (number, name) in bold else text for name, text in texts.items()])
    places = "".join("l" if name in words else "r" for name in names)
    head, *body = (" & ".join(line) + r" \\" for line in (map(_latex, names), *lines))
    table = [rf"\begin{{tabular}}{{{places}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*table, *(f"% {visible(note)}" for note in notes)])


def html_table(rows: Rows) -> str:
    """A table in HTML."""
    if not rows:
        return "<table></table>"
    head = "".join(f"<th>{escape(visible(name))}</th>" for name in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row.values()) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def _markdown(text: str) -> str:
    return LIVE.sub(lambda found: f"&#{ord(found[0])};", visible(text).translate(MARKDOWN))


def _latex(text: str) -> str:
    """Text in LaTeX. At the begin of a row, `[` and `*` would belong to the end of the row before."""
    written = visible(text).translate(LATEX)
    return f"{{}}{written}" if written.startswith(("[", "*")) else written


def _latex_number(text: str) -> str:
    """A number with others behind it, where a hyphen is a minus; alone, it stands for nothing."""
    return "--" if text == "-" else _latex(text).replace("--", "–").replace("-", "$-$").replace("–", "--")
