"""The site of these pages: Sphinx reads this file. `make docs` builds it.

The pages are plain Markdown, as GitHub shows it. What Sphinx needs beyond that is added here, when a page is read.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "website"))

import excerpts  # noqa: E402
import llms  # noqa: E402
import mathml  # noqa: E402

project = "scorespec"
author = "the scorespec authors"
extensions = ["myst_parser", "sphinx_copybutton"]
exclude_patterns = ["examples", "notebooks", "website"]

html_theme = "furo"
html_title = "scorespec"
html_static_path = ["website/static"]
html_css_files = ["style.css"]
html_math_renderer = "mathml"
html_show_copyright = False
html_show_search_summary = False  # Sphinx would fetch other pages, which a page that is opened as a file may not
html_theme_options = {"top_of_page_buttons": []}
pygments_style = "default"
pygments_dark_style = "github-dark"

myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]
copybutton_prompt_text = "$ "
copybutton_line_continuation_character = "\\"
suppress_warnings = ["misc.highlighting_failure"]  # a shown part of a template or of an output is no whole program

# The navigation. A page that is not named here stands under the last heading.
NAVIGATION = {
    "The definitions": ["what-the-documents-define"],
    "Start": ["start/submission", "start/challenge", "start/metric", "start/rows", "start/sql", "tutorial"],
    "How to": ["how-to/score", "how-to/compare", "how-to/databases", "how-to/documents"],
    "Campaigns": ["campaigns/participant", "campaigns/organiser", "campaigns/nightly"],
    "Tasks": [
        *("term-discovery", "zerospeech2015", "zerospeech2015-differences", "zerospeech2015-equations", "tde2015"),
        *("term-detection", "term-detection-equations", "quesst2015", "resources"),
        *("transcripts", "wer", "characters", "meetings", "named-entities", "named-entities-equations"),
        *("diarization", "diarization-equations", "verification", "verification-equations"),
        *("articulation", "articulation-equations"),
    ],
    "Questions in SQL": ["cookbook/*"],
    "Notebooks": ["reference/notebooks/*"],
    "Coming from": ["coming-from/*"],
    "Use it": ["command-line", "formats", "reporting", "statistics", "gate", "gallery", "challenges", "scaling"],
    "Write definitions": ["your-own-domain", "document-language", "plugins"],
    "Background": ["explanation", "architecture", "words-of-the-code", "performance", "agreement", "safety", "policy"],
    "Appendix": ["simulations"],
    "Look up": ["glossary", "reference/bibliography", "reference/index"],
    "More": ["*"],
}
_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[\w+-]+)(?P<words> [^\n]*)?\n(?P<text>.*?)^ *```$", re.M | re.S)
_TITLE = re.compile(r'(?:title|from)="([^"]*)"')


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", _read)
    mathml.setup(app)
    excerpts.setup(app)
    llms.setup(app)


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = _FENCE.sub(_block, source[0])
    if page == "index":
        source[0] += "\n" + "\n".join(_navigation(app))
    elif page.startswith("reference/"):
        below = "reference/*" if page == "reference/index" else f"{page}/*"
        source[0] += "\n" + _tree("", [below], {page, "reference/bibliography"})


def _navigation(app: Sphinx) -> list[str]:
    placed = {"index"}
    trees = [_tree(caption, patterns, placed) for caption, patterns in NAVIGATION.items()]
    return [tree for tree in trees if tree]


def _tree(caption: str, patterns: list[str], placed: set[str]) -> str:
    found = [
        str(path.relative_to(HERE).with_suffix(""))
        for pattern in patterns
        for path in sorted(HERE.glob(f"{pattern}.md"))
    ]
    pages = [page for page in dict.fromkeys(found) if page not in placed]
    placed |= {*pages}
    lines = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), ""]
    return "\n".join([*lines, *(f"/{page}" for page in pages), "```", ""]) if pages else ""


def _block(match: re.Match[str]) -> str:
    """A fenced block: what stands after the language is for the tests, except for the name of a file."""
    language, text, indent = match["language"], match["text"], match["indent"]
    if language == "math":
        return f"{indent}```{{math}}\n{text}{indent}```"
    if language == "sql" and re.search(r"{[{%#]", text):
        language = "sql+jinja"
    title = _TITLE.search(match["words"] or "")
    if not title:
        return f"{indent}```{language}\n{text}{indent}```"
    caption = title[1].replace("_", r"\_")  # __init__.py would be bold
    return f"{indent}```{{code-block}} {language}\n{indent}:caption: {caption}\n\n{text}{indent}```"
