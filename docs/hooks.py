"""For mkdocs: what stands after the language of a fenced block is for the tests, not for the page."""

from __future__ import annotations

import re
from typing import Any

_FENCE = re.compile(r"^( *```[\w+-]+) [^\n]*$", re.MULTILINE)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Leave only the language."""
    return _FENCE.sub(r"\1", markdown)
