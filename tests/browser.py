"""Opens a page in Chromium, without a window."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CONSOLE = re.compile(r"^\[.*:CONSOLE[:(]\d+\)?\] (.*)$", re.MULTILINE)
OPTIONS = (
    *("--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"),
    *("--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--v=0", "--dump-dom"),
)


@dataclass(frozen=True)
class Opened:
    """A page as a browser sees it after its script has run, and all that the browser wrote to the console.

    The policy of a report forbids every request, so each attempt is a line of the console.
    """

    html: str
    console: list[str]


def open_page(page: Path) -> Opened:
    """Open a file. Chromium refuses to protect root with its sandbox."""
    assert CHROMIUM is not None
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as profile:
        command = [CHROMIUM, *OPTIONS, *root, f"--user-data-dir={profile}", page.resolve().as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return Opened(done.stdout, CONSOLE.findall(done.stderr))
