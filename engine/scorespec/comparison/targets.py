"""Targets: what scores must reach, as a document says, and which scores miss them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from scorespec.catalog.build import read_as
from scorespec.catalog.documents import read_document
from scorespec.catalog.keys import Key, Rule
from scorespec.catalog.model import MAIN_COMPONENT
from scorespec.catalog.validation import validate_keys
from scorespec.comparison.compared_runs import ScoreKey, columns_of_parts
from scorespec.errors import SpecError, UsageError
from scorespec.plan.request import LOWEST_LEVEL

HOLDS, FAILS, UNDECIDED, UNJUDGED = "holds", "fails", "undecided", "not judged"  # verdicts on a target
MISSED = "†"  # marks a value that misses a target
ROUNDING = 1e-12  # what is beyond a limit by less than this is at the limit
_LIMITS = ("at_most", "at_least", "max_drop")


@dataclass(frozen=True)
class Target:
    """A limit for a score, or for what it loses against a baseline; it is written in a ``line`` of a ``file``."""

    score: Annotated[str, Key("the score, as [suite.]metric[.component]; without a component, `value`")]
    at_most: Annotated[float | None, Key("the score must not be above this limit")] = None
    at_least: Annotated[float | None, Key("the score must not be below this limit")] = None
    max_drop: Annotated[
        float | None,
        Key("the score must not be worse than that of the baseline by more than this, in its own unit", minimum=0),
    ] = None
    confidence: Annotated[
        float | None,
        Key(
            "level of the two-sided interval that decides, in percent; without it, the number decides",
            minimum=LOWEST_LEVEL,
            exclusiveMaximum=100,
        ),
    ] = None
    by: Annotated[str, Key("a column of a breakdown, or several with commas: the limit holds in every slice")] = ""
    file: str = ""
    line: int = 0

    @property
    def columns(self) -> list[str]:
        """The columns of the breakdown, sorted; none if the target is about the whole submission."""
        return sorted(filter(None, map(str.strip, self.by.split(","))))

    @property
    def names(self) -> list[str]:
        """What :func:`score_names` may call the score: a metric alone means its component `value`."""
        by = f" by {','.join(self.columns)}" if self.by else ""
        return [f"{self.score}{by}", f"{self.score}.{MAIN_COMPONENT}{by}"]

    @property
    def _limit(self) -> tuple[str, float]:
        """The key of the limit, and the limit."""
        return next((name, limit) for name in _LIMITS if (limit := getattr(self, name)) is not None)

    @property
    def limit(self) -> str:
        """The limit as it is written: ``max_drop 0.005``."""
        return "{} {:.15g}".format(*self._limit)

    def note(self, low: float | None, high: float | None, is_share: bool) -> str | None:
        """A note on a limit that is likely to be in percent although scores are shares; None for other limits.

        Raises UsageError for a limit outside of the range of the score, ``low`` to ``high``.
        """
        (name, limit), end = self._limit, "possible value"
        if name == "max_drop":
            low, high, end = 0, None if low is None or high is None else high - low, "possible drop"
        said = f"scores are shares: write {limit / 100:.15g} for {limit:.15g} %" if is_share and limit > 1 else None
        if high is not None and limit > high + ROUNDING:
            beyond = f"above {high:.15g}, the greatest {end}"
        elif low is not None and limit < low - ROUNDING:
            beyond = f"below {low:.15g}, the least {end}"
        else:
            return said
        raise UsageError(f"the limit is {beyond}" + (f"; {said}" if said else ""))

    def verdict(self, low: float, high: float, better: str = "") -> str:
        """The verdict on a quantity between two ends, which are equal for a number that is known.

        The quantity is the score, or its difference from the baseline. Then ``better`` says which values are better.
        """
        name, limit = self._limit
        if name == "at_least":
            low, high, limit = -high, -low, -limit
        elif name == "max_drop" and better == "higher":
            low, high = -high, -low
        if high <= limit + ROUNDING:
            return HOLDS
        return UNDECIDED if low <= limit + ROUNDING else FAILS


_ONE_LIMIT = Rule(oneOf=[{"required": [name]} for name in _LIMITS])


@dataclass(frozen=True)
class Targets:
    """Targets for the scores of a run, in the order of their document."""

    targets: Annotated[
        tuple[Annotated[Target, _ONE_LIMIT], ...], Key("limits for scores, each with exactly one limit", minItems=1)
    ]

    def missed(self, scores: Sequence[tuple[ScoreKey, float | None]], suite: str) -> list[str]:
        """For each score of a suite, the limits that its value misses; empty if there is none.

        Limits of drops are left out.
        """
        names = score_names(key for key, _ in scores)
        limits = [each for each in self.targets if each.max_drop is None]
        return [
            " and ".join(
                each.limit
                for each in limits
                if {names[key], f"{suite}.{names[key]}"} & {*each.names}
                and value is not None
                and each.verdict(value, value) == FAILS
            )
            for key, value in scores
        ]


def score_names(keys: Iterable[ScoreKey]) -> dict[ScoreKey, str]:
    """Each score as metric.component, with the columns of its breakdown: ``wer.value by gender,speaker``."""
    return {
        (metric, component, slice_): f"{metric}.{component}" + (f" by {','.join(sorted(columns))}" if columns else "")
        for (metric, component, slice_), columns in columns_of_parts(keys).items()
    }


def read_targets(path: str | Path) -> Targets:
    """The targets of a document. Raises SpecError with file, line and column for each fault."""
    document = read_document(Path(path), str(path), keys="targets: …")
    if faults := validate_keys(document, Targets):
        raise SpecError("\n".join(faults))
    found = enumerate(read_as(Targets, document.data).targets)
    return Targets(
        tuple(replace(each, file=str(path), line=document.place(("targets", at)).line) for at, each in found)
    )
