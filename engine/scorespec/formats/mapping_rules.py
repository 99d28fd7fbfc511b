"""``.glm``: NIST's global mapping file, the substitutions that csrfilt and rfilter1 apply to transcripts.

A line is a rule ``A => B`` or ``A => B / C __ D``: the text A between C and D becomes B. Lines and headers are read as
by rfilter1 and csrfilt (SCTK). A rule that cannot be applied as they apply it has a problem.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import arrow_texts
from scorespec.errors import Problems
from scorespec.formats.format import Columns, Format, read_blocks, record_batch, shown

_BLANK = " \t\r\v\f"
_APPLIES = re.compile(r';;\s+INPUT_DEPENDENT_APPLICATION\s*=\s*"([^"]*)"', re.ASCII)
_HEADER = re.compile(r"""["']([^"']*)["']""")
# To which text a part of the file applies: the options of csrfilt about its input, by type (-i) and by purpose (-t).
_SIDES = {"ref": "reference", "stm": "reference", "hyp": "hypothesis", "ctm": "hypothesis", "rttm": "hypothesis"}
_ALTERNATIVES = re.compile(r"(?<!\S)[{}](?!\S)", re.ASCII)  # a brace that is not a part of a word
_IGNORED = ("NAME", "DESC", "MAX_NRULES")
_TRUE = ("T", "YES", "TRUE")


class _Rule(NamedTuple):
    line: int
    pattern: str
    replacement: str
    before: str
    after: str
    side: str
    ignore_case: str
    problem: str = ""


def read(path: Path, columns: Columns, problems: Problems, optional: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """See :class:`.format.Reader`; the first line begins with the sign of comments, such as ``;;``."""
    rules = _Rules(problems)
    found: list[_Rule] = []
    for block in read_blocks(path, problems.source):
        for line, text in block.lines():
            if rule := rules.read(line, text):
                found.append(rule)
    texts = {name: arrow_texts([getattr(rule, name) for rule in found]) for name in _Rule._fields[1:]}
    lines = np.array([rule.line for rule in found], np.int64)
    yield from record_batch(lines, columns, problems, texts=texts, optional={"side", "problem"})


class _Rules:
    """Reads the lines of a file in order: the sign of comments, headers, and rules."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._comment: str | None = None
        self._side: str | None = ""  # '' for both texts, None after a line that is refused
        self._ignore_case = False

    def read(self, line: int, text: str) -> _Rule | None:
        """The rule of a line, if it has one."""
        if found := _APPLIES.match(text):
            self._side = self._side_of(line, found[1])
        if self._comment is None:
            self._begin(line, text)
            return None
        text = text.rstrip(_BLANK)
        if not text or text.startswith(self._comment):
            return None
        if text.startswith("*"):
            self._header(line, text)
            return None
        return self._rule(line, text.partition(self._comment)[0].rstrip(_BLANK))

    def _begin(self, line: int, text: str) -> None:
        """The first line is not a rule: its first word is the sign of comments."""
        self._comment = text.split(None, 1)[0] if text[:1].strip() else ""
        if not self._comment or self._comment == "*" or "=>" in text:
            self._problems.add(line, "the first line must begin with the sign of comments, such as ;;")
            self._comment = ";;"

    def _side_of(self, line: int, expression: str) -> str | None:
        sides = {_SIDES.get(word) for word in expression.lower().split("|")}
        if None in sides:
            said = f"INPUT_DEPENDENT_APPLICATION is {shown(expression)}; it must be one of {', '.join(_SIDES)}"
            self._problems.add(line, f"{said}, or several separated by |")
            return None
        return sides.pop() if len(sides) == 1 else ""

    def _header(self, line: int, text: str) -> None:
        name, found = text.upper().partition('"')[0].partition("'")[0], _HEADER.search(text)
        if found is None:
            self._problems.add(line, f"a header line has no value in quotation marks: {shown(text)}")
        elif "FORMAT" in name and found[1] != "NIST1":
            self._problems.add(line, f"format {shown(found[1])} is not supported; it must be NIST1")
        elif "COPY_NO_HIT" in name and found[1].upper() not in _TRUE:
            self._problems.add(line, "COPY_NO_HIT must be true: text to which no rule applies cannot be left out")
        elif "CASE_SENSITIVE" in name:
            self._ignore_case = found[1].upper() not in _TRUE
        elif not any(each in name for each in ("FORMAT", "COPY_NO_HIT", *_IGNORED)):
            self._problems.add(line, f"unknown header {shown(text)}")

    def _rule(self, line: int, text: str) -> _Rule | None:
        if self._side is None:
            return None
        pattern, arrow, rest = text.partition("=>")
        replacement, context = _divided(rest)
        before, slot, after = context.partition("_")
        pattern, before, after = _inside(pattern), _inside(before), _inside(after.lstrip("_"))
        problem = ""
        if not arrow:
            problem = f"no => in the rule {shown(text)}"
        elif context and not slot:
            hint = "; a ] is missing" if text.count("[") > text.count("]") else ""
            problem = f"no __ in the context of the rule {shown(text)}{hint}"
        elif not pattern:
            problem = f"nothing before => in the rule {shown(text)}"
        elif any(_ALTERNATIVES.search(each) for each in (pattern, before, after)):
            problem = f"alternatives are allowed in the replacement of a rule only: {shown(text)}"
        ignore_case = str(self._ignore_case).lower()
        return _Rule(line, pattern or text, _inside(replacement), before, after, self._side, ignore_case, problem)


def _divided(text: str) -> tuple[str, str]:
    """A replacement and the context after the last slash. A slash inside of brackets is part of the replacement."""
    at = text.rfind("/")
    if at < 0:
        return text, ""
    closed, opened = text.find("]", at), text.find("[", at)
    return (text, "") if closed < opened or (closed >= 0 and opened < 0) else (text[:at], text[at + 1 :])


def _inside(text: str) -> str:
    """A text without the blanks around it, and without the brackets or quotation marks that then enclose it."""
    text = text.strip(_BLANK)
    return text[1:-1] if len(text) > 1 and text[0] + text[-1] in ("[]", '""') else text


FORMATS = (
    Format(
        name="glm",
        about="a global mapping file of NIST: rules 'A => B' and 'A => B / C __ D'",
        suffixes=(".glm",),
        read=read,
        quote=None,
        fills=_Rule._fields[1:],
    ),
)
