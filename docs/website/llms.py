"""`llms.txt`: a list of the pages for programs that read text, each with the address of its Markdown."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    """Write the list when the site is built."""
    app.connect("build-finished", _write)


def _write(app: Sphinx, failed: Exception | None) -> None:
    if failed is None and app.builder.format == "html":
        pages = sorted(app.env.found_docs, key=lambda page: (page.count("/"), page))
        lines = [_line(app, page) for page in pages if page != "index"]
        head = ["# scorespec", "", f"> {_first_paragraph(app, 'index')}", "", "## Pages", ""]
        (Path(app.outdir) / "llms.txt").write_text("\n".join([*head, *lines, ""]), encoding="utf-8")


def _line(app: Sphinx, page: str) -> str:
    title = app.env.titles[page].astext()
    return f"- [{title}](_sources/{page}.md.txt): {_first_paragraph(app, page)}"


def _first_paragraph(app: Sphinx, page: str) -> str:
    found = next(iter(app.env.get_doctree(page).findall(nodes.paragraph)), None)
    return " ".join(found.astext().split()) if found else ""
