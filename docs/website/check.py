"""Checks a built site: every link leads to a page or file, and to an element with that id; the sidebar is short."""

from __future__ import annotations

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The ids of a page, the addresses to which it leads, and those of the files that a browser loads to show it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the attributes that name, lead or load."""
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif name in ("href", "src") and value:
                (self.links if tag == "a" else self.loaded).append(value)


_read = cache(Page)


def dead_links(site: Path) -> list[str]:
    """A line for each link of the site that leads nowhere, or that needs the network to show a page."""
    return [
        f"{path.relative_to(site)}: {link}"
        for path in sorted(site.rglob("*.html"))
        for link in dict.fromkeys([*_read(path).links, *_read(path).loaded])
        if not _leads(path, link)
    ]


def _leads(page: Path, link: str) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return link not in _read(page).loaded  # a reader may follow a link to another site
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_file():
        return False
    fragment = unquote(parts.fragment)
    return not fragment or target.suffix != ".html" or fragment in _read(target).ids


SIDEBAR = 15  # pages that are always in sight

if __name__ == "__main__":
    shown = Path(sys.argv[1], "index.html").read_text(encoding="utf-8").count('<li class="toctree-l1')
    if not 0 < shown <= SIDEBAR:
        sys.exit(f"the sidebar has {shown} pages, and should have at most {SIDEBAR}: docs/conf.py")
    dead = dead_links(Path(sys.argv[1]))
    sys.exit("\n".join(["dead links:", *dead]) if dead else 0)
