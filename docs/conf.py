"""The site of these pages: Sphinx reads this file. `make docs` builds it.

The pages are plain Markdown, as GitHub shows it. What Sphinx needs beyond that is added here, when a page is read.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

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
html_extra_path = ["reference/extra"]  # reports of the examples, which the gallery links
html_logo = html_favicon = "website/static/mark.svg"
html_css_files = ["style.css"]
html_search_scorer = str(HERE / "website" / "static" / "scorer.js")  # Sphinx opens it in the working folder
html_math_renderer = "mathml"
html_show_copyright = False
html_show_search_summary = False  # Sphinx would fetch other pages, which a page that is opened as a file may not
FONTS = {
    "font-stack": '"Scorespec Sans", system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif',
    "font-stack--monospace": 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
}
ACCENT = "color-brand-primary", "color-brand-content", "color-brand-visited"  # links that were followed look alike
html_theme_options = {
    "top_of_page_buttons": [],
    "light_css_variables": FONTS | dict.fromkeys(ACCENT, "#00727a"),
    "dark_css_variables": dict.fromkeys(ACCENT, "#5fd4dc"),
}
pygments_style = "default"
pygments_dark_style = "github-dark"

myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]
copybutton_prompt_text = "$ "
copybutton_line_continuation_character = "\\"
suppress_warnings = ["misc.highlighting_failure"]  # a part of a template or an output is not a complete program

# The sidebar: at most fifteen pages, in groups, and the pages below each. `*` stands for all that are not named.
NAVIGATION = {
    "Your task": {
        "transcripts": [
            "wer",
            "characters",
            "meetings",
            "named-entities",
            "coming-from/sclite",
            "coming-from/jiwer",
            "coming-from/nemo-whisper",
            "coming-from/kaldi-espnet",
        ],
        "diarization": ["coming-from/diarization"],
        "verification": ["coming-from/verification"],
        "term-detection": ["quesst2015", "resources", "coming-from/kwseval", "coming-from/quesst"],
        "term-discovery": ["zerospeech2015", "tde2015", "coming-from/tdev2"],
        "articulation": ["coming-from/articubench"],
    },
    "Score and compare": {
        "start/submission": ["how-to/score"],
        "how-to/compare": ["reporting", "statistics", "gate", "simulations"],
        "gallery": [],
    },
    "Many systems": {
        "start/challenge": ["challenges", "safety"],
        "scaling": ["performance"],
    },
    "Define and query": {
        "start/metric": ["how-to/documents", "document-language", "your-own-domain", "plugins"],
        "start/sql": ["how-to/databases", "reference/notebooks/*"],
    },
    "Look up": {
        "reference/index": ["command-line", "formats", "glossary", "reference/bibliography", "reference/*"],
        "explanation": ["policy", "architecture"],
    },
}
SIDEBAR_DEPTH = 2
SHORT = {
    "transcripts": "Speech recognition",
    "diarization": "Speaker diarization",
    "verification": "Speaker verification",
    "term-detection": "Spoken term detection",
    "term-discovery": "Spoken term discovery",
    "articulation": "Articulatory synthesis",
    "scaling": "Clusters and large data",
    "explanation": "Understand scorespec",
    "reference/formats": "Formats, one by one",
    "reference/commands": "Options of each command",
}
_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[\w+-]+)(?P<words> [^\n]*)?\n(?P<text>.*?)^ *```$", re.M | re.S)
_TITLE = re.compile(r'(?:title|from)="([^"]*)"')


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", _read)
    app.connect("html-page-context", _sidebar, priority=400)  # before the theme reads the tree
    mathml.setup(app)
    excerpts.setup(app)
    llms.setup(app)


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = _FENCE.sub(_block, source[0])
    below = {above: pages for group in NAVIGATION.values() for above, pages in group.items()}
    if page == "index":
        trees = [_tree(caption, list(group)) for caption, group in NAVIGATION.items()]
    else:
        trees = [_tree("", below.get(page, [f"{page}-*", f"{page}/*"] if page.startswith("reference/") else []))]
    source[0] += "\n" + "\n".join(trees)


def _sidebar(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """The sidebar shows the pages of NAVIGATION; what is deeper, such as 200 metrics, is linked from these."""
    if whole := context.get("toctree"):
        context["toctree"] = lambda **options: whole(**{**options, "maxdepth": SIDEBAR_DEPTH})


def _tree(caption: str, patterns: list[str]) -> str:
    """In `reference/*`, the pages below another one are left out."""
    others = ["reference/index", *(f"{path.relative_to(HERE).as_posix()}-" for path in HERE.glob("reference/*/"))]
    found = [
        page
        for pattern in patterns
        for path in sorted(HERE.glob(f"{pattern}.md"))
        if (page := path.relative_to(HERE).with_suffix("").as_posix())
        and not (pattern == "reference/*" and page.startswith(tuple(others)))
    ]
    lines = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), ""]
    return "\n".join([*lines, *(_entry(page) for page in dict.fromkeys(found)), "```", ""]) if found else ""


def _entry(page: str) -> str:
    return f"{SHORT[page]} </{page}>" if page in SHORT else f"/{page}"


def _block(match: re.Match[str]) -> str:
    """A fenced block: what follows the language is for the tests, except for the name of a file."""
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
