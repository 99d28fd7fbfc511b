"""Texts of the pages as a script, from which the search shows excerpts.

A page that is opened as a file may not read another page, but it may load a script.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

TEXTS = "page_texts.js"
SCRIPTS = (TEXTS, "excerpts.js")


def setup(app: Sphinx) -> None:
    """Write the texts when the site is built, and load them on the page of the search only."""
    app.connect("html-page-context", _load)
    app.connect("build-finished", _write)


def _load(app: Sphinx, page: str, *_: Any) -> None:
    if page == "search":
        for script in SCRIPTS:
            app.add_js_file(script, loading_method="defer")  # after the stemmer, before the search


def _write(app: Sphinx, failed: Exception | None) -> None:
    if failed is None and app.builder.format == "html":
        texts = {page: list(_sections(app.env.get_doctree(page))) for page in sorted(app.env.found_docs)}
        script = f"const PAGE_TEXTS = {json.dumps(texts, ensure_ascii=False, separators=(',', ':'))};\n"
        Path(app.outdir, "_static", TEXTS).write_text(script, encoding="utf-8")


def _sections(page: nodes.document) -> Iterator[tuple[str, str, str]]:
    """The id, the title and the text of each section of a page, without formulas and the sections below it."""
    for section in page.findall(nodes.section):
        title, *parts = section.children
        texts = (part.astext() for part in parts if not isinstance(part, nodes.section | nodes.math_block))
        yield section["ids"][0], title.astext(), " ".join(" ".join(texts).split())
