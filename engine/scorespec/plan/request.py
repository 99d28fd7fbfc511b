"""What a run is asked for, in addition to the suite."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from scorespec.catalog.model import Suite, Table, Value
from scorespec.core.disclosure import ALL, Disclosure
from scorespec.core.result_tables import EVIDENCE
from scorespec.errors import UsageError
from scorespec.plan.parameters import read_metric_text
from scorespec.plan.scopes import Scope

GROUPS = 30  # of blocks, at most, that are left out in turn
FEWEST_GROUPS, MOST_GROUPS = 6, 1_000  # the least and the greatest --confidence-groups
LOWEST_LEVEL = 50  # of intervals, in percent
DROP = "drop"
ON_BAD_ROW = ("error", DROP)


@dataclass(frozen=True)
class Asked:
    """What a user asks of a run. The results keep it, so that the run can be scored again.

    ``params`` hold values as text or typed; ``metrics`` are metric strings (empty: the suite's own), those of other
    suites of the domain as ``suite.metric``; ``by`` are breakdowns, each one column or several crossed. Without
    ``evidence`` the relations that the suite keeps are not made. With ``folds``, the scores of each fold are reported
    beside their means. With ``describe``, the suite's own metrics are those that describe the corpus; there are no
    folds and no evidence. With ``on_bad_row`` "drop", rows of a submission that fail a droppable check are left out.
    ``confidence`` is the level of intervals in percent; None asks for none. Intervals of scores that are not sums over
    blocks are made from the scores without each of at most ``confidence_groups`` groups of blocks. With ``percentile``,
    scores that are bootstrapped have percentile intervals, too. ``blocks`` is the column that names blocks, or several
    with commas between them, if it is not that of the documents.
    """

    params: Mapping[str, Any]
    metrics: Sequence[str] = ()
    by: Sequence[Scope] = ()
    evidence: bool = True
    folds: bool = False
    describe: bool = False
    on_bad_row: str = "error"
    confidence: float | None = None
    confidence_groups: int = GROUPS
    percentile: bool = False
    blocks: str | None = None

    def __post_init__(self) -> None:
        read_confidence(self.confidence)
        if self.percentile and self.confidence is None:
            raise UsageError("--percentile: there are no intervals; give --confidence 95, too")
        if self.on_bad_row not in ON_BAD_ROW:
            raise UsageError(f"--on-bad-row {self.on_bad_row}: it must be {' or '.join(ON_BAD_ROW)}")

    @property
    def settings(self) -> dict[str, Value]:
        """What a run is asked for, without parameters, and what distinguishes its results from those of another run."""
        names = SETTINGS if self.confidence is None else (*SETTINGS, *OF_INTERVALS)
        found = {name: getattr(self, name) for name in names}
        return {name: each for name, each in found.items() if name == GROUPED or each != getattr(Asked, name)}


SETTINGS = ("on_bad_row", "blocks")
GROUPED = "confidence_groups"  # recorded with its default, too
OF_INTERVALS = ("confidence", GROUPED, "percentile", "blocks")  # settings that change no score
DEPENDENT = "if units of different blocks are alike, intervals are too narrow, and p is too small"  # of chosen blocks


@dataclass(frozen=True)
class Request(Asked):
    """What a run is asked for, in addition to the suite, with what follows from the call.

    ``given`` are the tables at hand (None: those that the suites require). Without ``curves`` there are no points of
    curves. ``disclosure`` says what may leave the run. ``others`` are the columns of
    each input's file that no document declares, to be named when ``by`` names an unknown one; ``tables`` are, for each
    suite, the tables with those of these columns that the run reads. ``listed_by`` is the suite whose document lists
    ``metrics``, if the user names none. With ``resampled``, sums of blocks are computed, from which scores can be
    resampled later.
    """

    given: Collection[str] | None = None
    curves: bool = True
    disclosure: Disclosure = ALL
    others: Mapping[str, Collection[str]] = field(default_factory=dict)
    tables: Mapping[str, Iterable[Table]] = field(default_factory=dict)
    listed_by: Suite | None = None
    resampled: bool = False

    @property
    def keeps_evidence(self) -> bool:
        """Whether the run keeps evidence."""
        return self.evidence and self.disclosure.allows(EVIDENCE)

    def asked(self) -> Asked:
        """The part that a user asks."""
        return Asked(**{each.name: getattr(self, each.name) for each in fields(Asked)})


def split_suite(text: str) -> tuple[str, str]:
    """The suite that a metric string names, and the rest of it; '' for the suite that is scored.

    Raises UsageError where the text is not a metric string.
    """
    name, _ = read_metric_text(text)
    suite, _, metric = name.rpartition(".")
    if not suite.isidentifier() or not metric.isidentifier():
        return "", text
    return suite, text.strip().removeprefix(f"{suite}.")


def read_confidence(written: object) -> float | None:
    """The confidence level in percent; None if it is not asked for. Raises UsageError for another value."""
    if written is None:
        return None
    try:
        level = float(str(written))
    except ValueError:
        level = 0.0
    if isinstance(written, bool) or not LOWEST_LEVEL <= level < 100:
        meant = f"; did you mean {level * 100:.15g}?" if LOWEST_LEVEL <= level * 100 < 100 else ""
        said = f"write a level in percent, at least {LOWEST_LEVEL} and below 100, such as 95"
        raise UsageError(f"--confidence {written}: {said}{meant}")
    return level


def read_groups(written: object, level: float | None) -> int:
    """The greatest number of groups of blocks; None stands for the default. Raises UsageError for another value."""
    if written is None:
        return GROUPS
    if level is None:
        raise UsageError(f"--confidence-groups {written}: there are no intervals; give --confidence 95, too")
    text = str(written)
    if isinstance(written, bool) or not text.isdecimal() or not FEWEST_GROUPS <= int(text) <= MOST_GROUPS:
        said = f"write a whole number from {FEWEST_GROUPS} to {MOST_GROUPS:,}, such as {GROUPS}"
        raise UsageError(f"--confidence-groups {written}: {said}")
    return int(text)
