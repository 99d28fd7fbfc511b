"""The plans of a domain's suites as one text for review, in which each step stands once.

* Names of tables lose their hashes, so that a changed step does not change the text of all steps after it. The first
  table of a name in a suite keeps the name, the next is `name_2`.
* Each suite lists its steps in order: `token` is a step of its own, `zerospeech2015.token` is the same step as there.
* A step that differs in few lines from an earlier step is written as these lines.

`read` gives the steps of each suite again, so nothing is lost.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import unified_diff

from scorespec.plan.plan import Plan
from scorespec.show.script import script_of

HEADING = "-- ## "
MOST_COMPARED = 4  # earlier steps from which the difference of a step is tried
HASHED = re.compile(r"\b(\w+)_[0-9a-f]{8}\b")
CREATED = re.compile(r'^CREATE (?:OR REPLACE )?(?:TABLE|VIEW|MACRO) (?:IF NOT EXISTS )?"?(\w+)', re.MULTILINE)
STEPS = re.compile(r"\n\n+(?=-- )|\n(?=(?:--.*\n)+CREATE OR REPLACE MACRO )")  # where a comment begins one
PLACE = re.compile(r"(\((?:specs|sql)/\S+?):\d+:\d+\)")  # a line number moves with what is above it
SIGNATURE = re.compile(r"-- Signature:.*\n(?:--   .*\n)*")  # contains a hash of every wording
LIKE = re.compile(r"(.*), like (.*) except:")
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? ")


@dataclass
class Domain:
    """The distinct steps of all suites by full name, and for each suite the full names of its steps in order."""

    steps: dict[str, str] = field(default_factory=dict)
    suites: dict[str, list[str]] = field(default_factory=dict)

    def add(self, plan: Plan) -> None:
        names = {step: name for name, step in self.steps.items()}
        self.suites[plan.suite] = []
        for name, step in named(steps_of(plan)):
            full = names.setdefault(step, f"{plan.suite}.{name}")
            self.steps[full] = step
            self.suites[plan.suite].append(full)

    def write(self) -> str:
        """The text for review."""
        lines = []
        for suite, names in self.suites.items():
            listed = ", ".join(name.removeprefix(f"{suite}.") for name in names)
            lines += [f"{HEADING}steps of {suite}", *textwrap.wrap(listed, 110), ""]
        earlier: dict[str, list[str]] = {}  # the names of the steps that have a line
        for name, text in self.steps.items():
            step = text.split("\n")
            similar = Counter(other for line in dict.fromkeys(step) for other in earlier.get(line, ()))
            others = [other for other, _ in similar.most_common(MOST_COMPARED)]
            lines += [*self._shortest(name, step, others), ""]
            for line in dict.fromkeys(step):
                earlier.setdefault(line, []).append(name)
        return "\n".join(lines)

    def _shortest(self, name: str, step: list[str], others: list[str]) -> list[str]:
        """A step in full, or its difference from one of some earlier steps."""
        best = [f"{HEADING}{name}", *step]
        for other in others:
            _, _, *changes = unified_diff(self.steps[other].split("\n"), step, n=0, lineterm="")
            if len(changes) < min(len(step) / 2, len(best) - 1):
                best = [f"{HEADING}{name}, like {other} except:", *changes]
        return best


def read(text: str) -> Domain:
    """The domain of which `write` made this text."""
    domain = Domain()
    for part in re.split(rf"^{HEADING}", text, flags=re.MULTILINE)[1:]:
        title, *lines = part.removesuffix("\n").removesuffix("\n").split("\n")
        if title.startswith("steps of "):
            suite = title.removeprefix("steps of ")
            listed = " ".join(lines).split(", ")
            domain.suites[suite] = [name if "." in name else f"{suite}.{name}" for name in listed]
        elif like := LIKE.fullmatch(title):
            domain.steps[like[1]] = "\n".join(patched(domain.steps[like[2]].split("\n"), lines))
        else:
            domain.steps[title] = "\n".join(lines)
    return domain


def patched(lines: list[str], changes: list[str]) -> list[str]:
    """Lines after the changes of a difference without context."""
    found: list[str] = []
    at = 0
    for change in changes:
        if hunk := HUNK.match(change):
            removed = int(hunk[2] or 1)
            begin = int(hunk[1]) - (removed > 0)
            found += lines[at:begin]
            at = begin + removed
        elif change.startswith("+"):
            found.append(change[1:])
    return found + lines[at:]


def steps_of(plan: Plan) -> Iterator[str]:
    """The script of a plan in steps."""
    yield from STEPS.split(SIGNATURE.sub("", PLACE.sub(r"\1)", script_of(plan))))


def named(steps: Iterator[str]) -> Iterator[tuple[str, str]]:
    """The name of each step of a suite, and its text with numbers in place of hashes."""
    names: dict[str, str] = {}

    def numbered(name: str) -> str:
        taken, number, found = set(names.values()), 1, name
        while found in taken:
            number += 1
            found = f"{name}_{number}"
        return found

    for step in steps:
        for table in HASHED.finditer(step):
            if table[0] not in names:
                names[table[0]] = numbered(table[1])
        text = HASHED.sub(lambda table: names[table[0]], step)
        created = CREATED.search(text)
        yield created[1] if created else names.setdefault(step, numbered(heading(step))), text


def heading(step: str) -> str:
    """A name for a step that creates no table: the first line of its comment up to a bracket or colon."""
    return "_".join(re.findall(r"\w+", re.split(r"[(:]", step.split("\n")[0])[0]))
