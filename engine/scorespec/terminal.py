"""Prints text for people, without characters that control a terminal."""

from __future__ import annotations

import re
import sys
from typing import TextIO

# Control characters (C0, DEL, C1), line and paragraph separators, characters that change the direction of text, and
# surrogates, which cannot be encoded.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: object, lines: bool = False) -> str:
    r"""Text with an escape such as ``\x1b`` or ``\u202e`` for every character that controls a terminal.

    With ``lines``, line ends and tabs stay.
    """
    return CONTROL.sub(lambda found: found[0] if lines and found[0] in "\n\t" else _escape(found[0]), str(text))


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def say(text: object = "", file: TextIO | None = None) -> None:
    """Print lines for people, on standard output unless ``file`` is given."""
    print(visible(text, lines=True), file=file or sys.stdout)


def complain(text: object) -> None:
    """Print lines for people on standard error."""
    say(text, sys.stderr)
