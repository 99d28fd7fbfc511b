"""The exceptions for users: each message says where the fault is, what it is, and how to mend it.

The command line prints the message without a traceback and exits with ``exit_code``.
"""

from __future__ import annotations

import heapq
import os
import re
import traceback
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from enum import StrEnum
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from scorespec.core.terminal import visible

SHOWN_PROBLEMS = 20
SHOWN_OF_KIND = 3  # in the text about an input
LEFT_OUT_KINDS = 20
MOST_UNREADABLE = 100_000  # rows that are dropped because they cannot be read: they are held in memory
WHOLE_INPUT = -1  # instead of the line of a problem of an input as a whole; 0 is its first file as a whole
PLACED = re.compile(r"(\S.*?):(\d+)(?::(\d+))?: (.*)")  # the place of a problem, and its message


class Code(StrEnum):
    """A kind of problem, for programs: messages may be reworded, codes stay. ``about`` says what the code means."""

    about: str

    def __new__(cls, value: str, about: str) -> Code:
        code = str.__new__(cls, value)
        code._value_ = value
        code.about = about
        return code

    # of an input as a whole
    NO_FILE = "no_file", "There is no file at the path, none that matches the pattern, or no table in the folder."
    UNREADABLE = "unreadable", "The file cannot be opened, unpacked or read."
    CHANGED = "changed", "The file was changed while it was read."
    NOT_TEXT = "not_text", "The file is not text in an encoding that is read, such as UTF-8."
    WRONG_FORMAT = "wrong_format", "The file has another format, such as XML with another root element."
    TOO_FEW_ROWS = "too_few_rows", "The input has fewer rows than its table needs."
    # of the columns of an input
    MISSING_COLUMN = "missing_column", "The input lacks a column that its table needs."
    REPEATED_COLUMN = (
        "repeated_column",
        "Two columns of the input have the same name; upper and lower case count as equal.",
    )
    WRONG_TYPE = "wrong_type", "The column has another type, such as text where the table has numbers."
    # of the rows of an input
    MALFORMED = "malformed", "A line or element is not written as the format demands, such as one field too few."
    TOO_LONG = "too_long", "A line, name or tag is longer than the limit, or there are too many of them."
    MISSING_VALUE = "missing_value", "A value that must be there is missing or empty."
    NOT_A_NUMBER = "not_a_number", "The text of a field is not a number, or not a whole number."
    NOT_A_BOOLEAN = "not_a_boolean", "The text of a field is neither true nor false."
    OUT_OF_RANGE = "out_of_range", "A number has more digits than its column can hold."
    NOT_FINITE = "not_finite", "A number is infinite or NaN where it must be finite."
    REPEATED_KEY = "repeated_key", "A row, group or name that may occur only once occurs twice."
    FRAME_GAP = "frame_gap", "The frames of a sequence have a gap, or a frame occurs twice."
    CHECK = "check", "A row fails a check that the document of its table states."
    REFUSED = "refused", "A row is refused by a relation of the suite, when the relation is computed."
    # of everything else
    USAGE = "usage", "The call is wrong."
    UNKNOWN_NAME = "unknown_name", "The call names something that does not exist, such as a suite, input or metric."
    MISSING_INPUT = "missing_input", "An input that the suite requires is not given."
    DOCUMENT = "document", "A document, its SQL or the SQL of a query is wrong."
    RUN = "run", "Scoring could not continue, or a results database cannot be read or written."
    OUT_OF_MEMORY = "out_of_memory", "The memory limit, or the memory of the machine, is too small."
    DISK_FULL = "disk_full", "There is no space for temporary files."
    UNSAVED = "unsaved", "The run is scored, but could not be added to its results database."
    SYSTEM = "system", "The operating system reports an error."
    INTERRUPTED = "interrupted", "The run was interrupted (Ctrl-C)."
    FAULT = "fault", "A fault of scorespec; please report it."


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong.

    ``line`` counts from 1, and is None for a file as a whole. ``column`` is the name of a column of an input; in a
    document it is the position in the line, from 1. ``code`` is the kind of problem, usually a
    :class:`Code`; a plugin may have codes of its own.
    """

    file: str | None
    line: int | None
    column: str | int | None
    code: str
    message: str


class ScorespecError(Exception):
    """The base of all errors that a user can mend.

    ``kind`` is the kind of error as a word, ``problems`` is everything that is wrong, and ``total`` is the number of
    problems; ``problems`` may have only the first.
    """

    exit_code = 1
    kind = "run"
    code = Code.RUN

    def __init__(self, message: str, code: Code | None = None) -> None:
        self.code = code or self.code
        super().__init__(message)

    def __str__(self) -> str:
        return visible(super().__str__(), lines=True)

    def _render_traceback_(self) -> list[str]:
        """What notebooks print instead of a traceback: the message."""
        return failure_of(self).text.splitlines()

    def __reduce__(self) -> tuple[Any, ...]:
        return _copied, (type(self), self.args, self.__dict__)  # Python would call __init__ with `args`

    @property
    def problems(self) -> list[Problem]:
        return [Problem(None, None, None, self.code, str(self))]

    @property
    def total(self) -> int:
        return len(self.problems)


def _copied(kind: type[ScorespecError], args: tuple[Any, ...], state: dict[str, Any]) -> ScorespecError:
    """An error in another process."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class UsageError(ScorespecError):
    """The call is wrong: an unknown suite, input, metric or parameter, or a missing input."""

    exit_code = 2
    kind = "usage"
    code = Code.USAGE


class Place(NamedTuple):
    """A point of a document: ``path:line:column``, counted from 1."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


class SpecError(ScorespecError):
    """A document or its SQL is wrong."""

    kind = "document"
    code = Code.DOCUMENT

    def __init__(self, message: str, place: Place | str | None = None) -> None:
        self.place = place
        super().__init__(f"{place}: {message}" if place else message)

    @property
    def problems(self) -> list[Problem]:
        """The problems (the validation of a document finds several); each begins with its place."""
        found: list[Problem] = []
        for text in self.args[0].split("\n"):
            if placed := PLACED.fullmatch(text):
                file, line, column, message = placed.groups()
                found.append(Problem(file, int(line), column and int(column), self.code, message))
            elif found:
                found[-1] = replace(found[-1], message=f"{found[-1].message}\n{text}")
            else:
                file = str(self.place) if self.place else None
                found.append(Problem(file, None, None, self.code, text.removeprefix(f"{file}: ")))
        return found


class RunError(ScorespecError):
    """Scoring could not continue: no memory, no disk space, a results file that cannot be written."""


class UnsavedRunError(RunError):
    """A run is scored, but could not be added to its results database.

    ``run`` is the `scorespec.Run` with its scores. ``pending`` is a results database with only this run, or None if
    that could not be written either.
    """

    exit_code = 3
    kind = "unsaved"
    code = Code.UNSAVED

    def __init__(self, message: str, run: Any, pending: Path | None) -> None:
        self.run, self.pending = run, pending
        super().__init__(message)


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
class UnreadableRows:
    """The rows of an input that have a value of another type than its column, if such rows are dropped.

    ``kept`` has the column, the line, the code and the message of each.
    """

    kept: list[tuple[str, int, str, str]] = field(default_factory=list)

    def add(self, column: str, found: Iterable[tuple[int, str, str]], problems: Problems) -> None:
        """Keep rows (line, code, message); a file with very many of them is likely a wrong one, which is a problem."""
        room = MOST_UNREADABLE - len(self.kept)
        self.kept += [(column, *each) for each in islice(found, max(room + 1, 0))]
        if room >= 0 and len(self.kept) > MOST_UNREADABLE:
            said = f"more than {MOST_UNREADABLE:,} rows cannot be read; is this the right file?"
            problems.add(None, said, Code.WRONG_FORMAT)


@dataclass
class Problems:
    """The problems of one input: all are counted, the first :data:`SHOWN_PROBLEMS` are kept.

    The text about an input has the first :data:`SHOWN_OF_KIND` of each kind in each file and the number of all others.

    ``source`` is the name of the input in messages, usually its path as the user gave it. What a reader leaves out is
    no problem, but is counted for a warning, except for nouns in ``expected``. With ``unreadable``, a row with a value
    of another type than its column is not a problem, but is kept there.

    The lines of an input in several files are counted on from one file to the next. Then ``files`` has the number of
    lines before each file, and its name. A line with this number stands for the file as a whole.
    """

    source: str
    total: int = 0
    expected: frozenset[str] = frozenset()
    unreadable: UnreadableRows | None = None
    files: list[tuple[int, str]] = field(default_factory=list)
    _number: int = 0  # of the last problem that was found
    _kept: list[tuple[int, int, Problem]] = field(default_factory=list)
    _omitted: dict[tuple[str, str], _LeftOut] = field(default_factory=dict)

    def add(self, line: int | None, message: str, code: str = Code.MALFORMED, column: str | None = None) -> None:
        """Record one problem."""
        self.add_all([(line, message)], 1, code, column)

    def add_row(self, line: int, message: str, code: str = Code.MALFORMED, column: str = "") -> None:
        """Record a row at fault: as a problem or, if such rows are dropped, as unreadable."""
        if self.unreadable is None:
            self.add(line, message, code, column or None)
        else:
            self.unreadable.add(column, [(line, code, message)], self)

    def add_all(
        self,
        found: Iterable[tuple[int | None, str]],
        total: int,
        code: str = Code.MALFORMED,
        column: str | None = None,
    ) -> None:
        """Record ``total`` problems of a kind; at least the first :data:`SHOWN_PROBLEMS` are in ``found``."""
        self.total += total
        for line, message in found:
            self._keep(line, Problem(*self.place(line), column, code, message))

    def _keep(self, line: int | None, problem: Problem) -> None:
        self._number += 1
        # A heap of the smallest lines, so that the report does not depend on the order in which problems are found.
        heapq.heappush(self._kept, (-(WHOLE_INPUT if line is None else line), -self._number, problem))
        if len(self._kept) > SHOWN_PROBLEMS:
            heapq.heappop(self._kept)

    def add_file(self, problems: Problems, before: int) -> None:
        """Add a file of an input in several files, with its problems, after ``before`` lines of other files."""
        self.files.append((before, problems.source))
        self.total += problems.total
        for problem in problems.kept:
            self._keep(before + (problem.line or 0), problem)
        if self.unreadable and problems.unreadable:
            for column, line, code, message in problems.unreadable.kept:
                self.unreadable.add(column, [(before + line, code, message)], self)

    def place(self, line: int | None) -> tuple[str, int | None]:
        """The file of a line of the input, and the line in that file; None stands for the file as a whole."""
        if not self.files or line is None:
            return self.source, line or None
        before, name = self.files[bisect_right(self.files, line, key=itemgetter(0)) - 1]
        return name, line - before or None

    def shown_line(self, line: int) -> str:
        """A line in the middle of a message: `line 3`, or with its file, `a.csv:3`, where there are several."""
        source, number = self.place(line)
        return f"{source}:{number}" if self.files else f"line {number}"

    def add_more(self, count: int) -> None:
        """Count further problems, after the first :data:`SHOWN_PROBLEMS`; a number below 0 adds none."""
        self.total += max(count, 0)

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

    def lack_columns(
        self, line: int | None, missing: Sequence[str], found: Collection[str], known: Collection[str]
    ) -> None:
        """Record, as one problem, the columns that a file lacks, and how to say which of the columns found they are."""
        if not missing:
            return
        free = [name for name in found if name not in known and name.isidentifier() and len(name) < 60][:100]
        left = free[0] if len(free) == len(missing) == 1 else "COLUMN"
        meant = ",".join(f"{name}={next(iter(get_close_matches(name, free, 1)), left)}" for name in missing)
        names = ", ".join(map(repr, missing))
        has = ", ".join(found)
        said = f"no column{'s' * (len(missing) > 1)} {names} (it has: {has if len(has) <= 200 else f'{has[:199]}…'})"
        self.add(line, f"{said}; write {self.source}::({meant})", Code.MISSING_COLUMN, missing[0])

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
        return [problem for *_, problem in sorted(self._kept, reverse=True)]

    def __bool__(self) -> bool:
        return self.total > 0

    def __str__(self) -> str:
        found: Counter[tuple[Any, ...]] = Counter()
        lines = []
        for p in self.kept:
            found[kind := (p.file, p.code, p.column)] += 1
            if found[kind] <= SHOWN_OF_KIND:
                lines.append(f"{p.file}:{p.line}: {p.message}" if p.line else f"{p.file}: {p.message}")
        if self.total > len(lines):
            lines.append(f"{self.source}: and {self.total - len(lines):,} more problems")
        return "\n".join(map(visible, lines))  # one line each, whatever the file contains


class InputError(ScorespecError):
    """Inputs are at fault; ``problems`` has the first :data:`SHOWN_PROBLEMS` problems of each input."""

    kind = "input"

    def __init__(self, of_inputs: Iterable[Problems]) -> None:
        self.of_inputs = [each for each in of_inputs if each]
        super().__init__("\n".join(map(str, self.of_inputs)))

    @property
    def problems(self) -> list[Problem]:
        return [problem for each in self.of_inputs for problem in each.kept]

    @property
    def total(self) -> int:
        return sum(each.total for each in self.of_inputs)


def bad_input(source: str, message: str, line: int | None = None, code: str = Code.UNREADABLE) -> InputError:
    """An :class:`InputError` with a single problem."""
    problems = Problems(source)
    problems.add(line, message, code)
    return InputError([problems])


def nearest_only(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The hint after an unknown name: the one known name that begins with it, or the nearest; '' if none is near."""
    names = sorted(known)
    begun = [each for each in names if name and each.startswith(name)]
    close = begun if len(begun) == 1 else get_close_matches(name, names, n=1, cutoff=cutoff)
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


def unknown(said: str, name: str, known: Iterable[str]) -> UsageError:
    """The error about a name that does not exist; it ends with the hint of :func:`nearest`."""
    return UsageError(f"{said}; {nearest(name, known)}", Code.UNKNOWN_NAME)


INTERRUPTED = 130  # 128 + SIGINT, as in a shell
FAULT = 70  # EX_SOFTWARE of sysexits.h
TRACEBACK = "SCORESPEC_TRACEBACK"  # the variable that asks for tracebacks


@dataclass(frozen=True)
class Failure:
    """The report of an error: its ``kind`` as a word, the first of its ``total`` problems, the ``text`` for people."""

    kind: str
    exit_code: int
    message: str
    text: str
    problems: Sequence[Problem]
    total: int

    def to_dict(self) -> dict[str, Any]:
        """The error as the command line prints it with ``--format json``."""
        problems = [asdict(each) for each in self.problems]
        return {"error": {"kind": self.kind, "message": self.message, "total": self.total, "problems": problems}}


def failure_of(error: BaseException) -> Failure:
    """The report of an error of any kind, also of one that is a fault of this program."""
    if isinstance(error, ScorespecError):
        return Failure(error.kind, error.exit_code, str(error), _line(error), error.problems, error.total)
    if isinstance(error, KeyboardInterrupt):
        return _single(Code.INTERRUPTED, INTERRUPTED, "interrupted", "interrupted")
    if isinstance(error, OSError | MemoryError):
        reason = _reason(error)
        code = Code.OUT_OF_MEMORY if isinstance(error, MemoryError) else Code.SYSTEM
        return _single(code, ScorespecError.exit_code, reason, f"{_trace(error)}error: {reason}")
    reason = "a fault of scorespec, please report it: " + visible(f"{type(error).__name__}: {error}"[:300])
    return _single(Code.FAULT, FAULT, reason, f"{_trace(error)}error: {reason} ({TRACEBACK}=1 shows where)")


def _single(code: Code, exit_code: int, message: str, text: str) -> Failure:
    kind = Code.SYSTEM if code is Code.OUT_OF_MEMORY else code
    return Failure(kind, exit_code, message, text, [Problem(None, None, None, code, message)], 1)


def _line(error: ScorespecError) -> str:
    """The text about an error. A place, such as `my.yaml:3:5:`, comes first, as editors expect it."""
    placed = isinstance(error, InputError) or PLACED.match(str(error))
    return str(error) if placed else f"error: {error}"


def _trace(error: BaseException) -> str:
    return "".join([*traceback.format_exception(error), "\n"]) if TRACEBACK in os.environ else ""


def _reason(error: OSError | MemoryError) -> str:
    """The reason for an error of the system."""
    if isinstance(error, MemoryError):
        return f"not enough memory ({visible(error)})" if str(error) else "not enough memory"
    name = f"{visible(error.filename)}: " if error.filename is not None else ""
    return f"{name}{error.strerror or visible(error)}"
