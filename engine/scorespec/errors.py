"""The exceptions for users: each message says where the fault is, what it is, and how to mend it.

The command line prints the message without a traceback and exits with ``exit_code``.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from scorespec.terminal import visible

SHOWN_PROBLEMS = 20
LEFT_OUT_KINDS = 20


class ScorespecError(Exception):
    """The base of all errors that a user can mend."""

    exit_code = 1

    def __str__(self) -> str:
        return visible(super().__str__(), lines=True)


class UsageError(ScorespecError):
    """The call is wrong: an unknown suite, input, metric or parameter, or a missing input."""

    exit_code = 2


@dataclass(frozen=True)
class Place:
    """A point of a document: ``path:line:column``, counted from 1."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


class SpecError(ScorespecError):
    """A document or its SQL is wrong."""

    def __init__(self, message: str, place: Place | str | None = None) -> None:
        self.place = place
        super().__init__(f"{place}: {message}" if place else message)


class RunError(ScorespecError):
    """Scoring could not continue: no memory, no disk space, a results file that cannot be written."""


class UnsavedRunError(RunError):
    """A run is scored, but could not be added to its results database.

    ``run`` is the `scorespec.Run` with its scores. ``pending`` is a results database with only this run, or None if
    that could not be written either.
    """

    exit_code = 3

    def __init__(self, message: str, run: Any, pending: Path | None) -> None:
        self.run, self.pending = run, pending
        super().__init__(message)


@dataclass(frozen=True, order=True)
class Problem:
    """One fault of an input, with its line (from 1; None for the file as a whole)."""

    line: int | None
    message: str


@dataclass
class _LeftOut:
    """The number of things of one kind that a reader left out, the line of the first, and the end of the message."""

    count: int
    line: int | None
    verdict: str
    hint: str

    def sentence(self, noun: str, which: str) -> str:
        first = "" if self.line is None else f", {'the first ' if self.count > 1 else ''}at line {self.line}"
        hint = f"; {self.hint}" if self.hint else ""
        return f"{self.count:,} {noun}{'s' if self.count > 1 else ''} {which} {self.verdict}{first}{hint}"


@dataclass
class Problems:
    """The problems of one input: all are counted, the first :data:`SHOWN_PROBLEMS` are kept.

    ``source`` is the name of the input in messages, usually its path as the user gave it. What a reader leaves out is
    no problem, but is counted for a warning, except for nouns in ``expected``.
    """

    source: str
    total: int = 0
    expected: frozenset[str] = frozenset()
    _kept: list[tuple[int, int, str]] = field(default_factory=list)
    _omitted: dict[tuple[str, str], _LeftOut] = field(default_factory=dict)

    def add(self, line: int | None, message: str) -> None:
        """Record one problem."""
        self.add_all([(line, message)], total=1)

    def add_all(self, found: Iterable[tuple[int | None, str]], total: int) -> None:
        """Record ``total`` problems, of which at least the first :data:`SHOWN_PROBLEMS` are in ``found``."""
        self.total += total
        for line, message in found:
            # A heap of the smallest lines, so that the report does not depend on the order in which problems are found.
            heapq.heappush(self._kept, (-(line or 0), -self.total, message))
            if len(self._kept) > SHOWN_PROBLEMS:
                heapq.heappop(self._kept)

    def leave_out(
        self, noun: str, which: str, line: int | None, count: int = 1, *, verdict: str = "left out", hint: str = ""
    ) -> None:
        """Count things that are not read: ``leave_out("line", "of type 'X'", 3)``; ``line`` is that of the first."""
        if noun in self.expected:
            return
        if (noun, which) not in self._omitted and len(self._omitted) >= LEFT_OUT_KINDS:
            which, hint = "of other kinds", ""
        known = self._omitted.setdefault((noun, which), _LeftOut(0, line, verdict, hint))
        known.count += count
        known.line = min(known.line, line) if known.line and line else line

    def leave_out_columns(self, found: Iterable[str], known: Collection[str]) -> None:
        """Count the columns of a table that are not ``known``."""
        names = list(found)
        absent = [name for name in known if name not in names]
        further = [name for name in names if name and name not in known]
        if further:
            hints = [(repr(name[:60]), nearest_only(name, absent, cutoff=0.75)) for name in further[:LEFT_OUT_KINDS]]
            named = ", ".join(f"{name} ({hint})" if hint else name for name, hint in hints)
            self.leave_out("column", named + (", …" if len(further) > LEFT_OUT_KINDS else ""), None, len(further))

    @property
    def omitted(self) -> list[str]:
        """The warnings about what was left out, one for each kind."""
        return [each.sentence(*kind) for kind, each in self._omitted.items()]

    @property
    def kept(self) -> list[Problem]:
        """The kept problems in the order of the file."""
        ordered = sorted(self._kept, key=lambda item: (-item[0], -item[1]))
        return [Problem(-line or None, message) for line, _, message in ordered]

    def __bool__(self) -> bool:
        return self.total > 0

    def __str__(self) -> str:
        source = self.source
        lines = [f"{source}:{p.line}: {p.message}" if p.line else f"{source}: {p.message}" for p in self.kept]
        if self.total > len(lines):
            lines.append(f"{source}: and {self.total - len(lines):,} more problems")
        return "\n".join(map(visible, lines))  # one line each, whatever the file contains


class InputError(ScorespecError):
    """Inputs are at fault; ``problems`` are those of each input."""

    def __init__(self, problems: Iterable[Problems]) -> None:
        self.problems = [each for each in problems if each]
        super().__init__("\n".join(str(each) for each in self.problems))


def bad_input(source: str, message: str, line: int | None = None) -> InputError:
    """An :class:`InputError` with a single problem."""
    problems = Problems(source)
    problems.add(line, message)
    return InputError([problems])


def fill_message(says: str, values: Mapping[str, object]) -> str:
    """The message of a document with values in place of the names in braces."""
    for name, value in values.items():
        says = says.replace(f"{{{name}}}", str(value))
    return says


def nearest_only(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The hint after an unknown name: the nearest known name; '' if none is near."""
    close = get_close_matches(name, sorted(known), n=1, cutoff=cutoff)
    return f"did you mean {close[0]!r}?" if close else ""


def nearest(name: str, known: Iterable[str]) -> str:
    """The hint after an unknown name: the nearest known name, or the first of all known names."""
    names = sorted(known)
    if close := nearest_only(name, names):
        return close
    if not names:
        return "there are none"
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    return f"known: {shown}"
