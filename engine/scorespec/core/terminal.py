"""Prints text for people, without characters that control a terminal."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable
from contextlib import suppress
from contextvars import ContextVar
from typing import TextIO

# Control characters (C0, DEL, C1), line and paragraph separators, characters that change the direction of text, and
# surrogates, which cannot be encoded.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

# A sentence begins with a capital, a number, a name with a number in it, a parenthesis, or a choice (``all: …``).
SENTENCE_END = re.compile(r"(?<=[.?!])(?<! al\.)\s+(?=[A-Z(`]|\w*\d|[\w-]+: )")
_complaints: ContextVar[Callable[[str], None] | None] = ContextVar("complaints", default=None)
LEAST_WIDTH = 40  # lines are no narrower than this, however narrow the terminal is
BEFORE_TEXT = re.compile(r"[ │├└─]*")  # blanks, and the branches of a tree
CONTINUED = str.maketrans("├└─", "│  ")  # the branches on the next line of the same entry


def visible(text: object, lines: bool = False) -> str:
    r"""Text with an escape such as ``\x1b`` or ``\u202e`` for every character that controls a terminal.

    With ``lines``, line ends and tabs stay.
    """
    return CONTROL.sub(lambda found: found[0] if lines and found[0] in "\n\t" else _escape(found[0]), str(text))


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def first_sentence(text: str) -> str:
    """The first sentence of a text, for lists with one line each. A choice (``all: every pair``) begins a sentence."""
    return SENTENCE_END.split(text, maxsplit=1)[0]


def say(text: object = "", file: TextIO | None = None) -> None:
    """Print lines for people, on standard output unless ``file`` is given."""
    print(visible(text, lines=True), file=file or sys.stdout)


def complain(text: object) -> None:
    """Print lines for people on standard error, or where :func:`redirect_complaints` says."""
    if (elsewhere := _complaints.get()) is None:
        say(text, sys.stderr)
    else:
        elsewhere(visible(text, lines=True))


def redirect_complaints(to: Callable[[str], None] | None) -> None:
    """From now on, call a function with each text of :func:`complain`; None prints them on standard error."""
    _complaints.set(to)


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


def print_warnings(warnings: Iterable[str]) -> None:
    """Print the warnings of a run on standard error, a line each."""
    for warning in warnings:
        complain(f"warning: {visible(warning)}")


def is_output_lost() -> bool:
    """Whether nobody reads standard output any more, as behind ``| head``; further lines need not be made."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return getattr(raw, "lost", None) is not None  # of scorespec.core.process.Outlet


def say_wrapped(text: str) -> None:
    """Print lines on standard output, wrapped to the width of a terminal; in a pipe they stay whole."""
    width = max(shutil.get_terminal_size().columns, LEAST_WIDTH) if sys.stdout.isatty() else None
    say(wrapped(text, width) if width else text)


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
