"""What a run withholds, so that its results can be handed to others without the gold corpus."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from scorespec.catalog.model import Meaning
from scorespec.compiler.messages import NAME
from scorespec.compiler.parameters import text_literal
from scorespec.errors import UsageError, nearest

EVIDENCE = "evidence"  # tables of evidence, and the values of rows in warnings
UNITS = "units"  # statistics of units, and points of curves: a point tells which detection is a hit
COUNTS = "counts"  # components that are not rates, and the numbers of rows in warnings
PARTS = (EVIDENCE, UNITS, COUNTS)  # in the order in which they are listed
ELLIPSIS = "…"  # stands in a warning in place of what is withheld
NUMBERS = ("count", "rows")  # the names of numbers in the warnings of documents; all other names are columns


def read_parts(written: str | Iterable[str]) -> tuple[str, ...]:
    """The parts that are named, also with commas (``evidence,units``), in order. Raises UsageError for others."""
    texts = [written] if isinstance(written, str) else [*written]
    named = {name.strip() for text in texts for name in text.split(",")} - {""}
    for name in sorted(named.difference(PARTS)):
        raise UsageError(f"withhold {name!r}; {nearest(name, PARTS)}")
    return tuple(part for part in PARTS if part in named)


def is_rate(meaning: Meaning) -> bool:
    """Whether a component is a rate: it has no unit, or one such as 1/h.

    A component without any declaration may be the size of something, so it is no rate.
    """
    declared = meaning.about or meaning.better or meaning.range
    return bool(declared) if meaning.unit is None else "/" in meaning.unit


def refuse_units(metric: str, by: Iterable[str], unit: Collection[str]) -> None:
    """Raise UsageError if a breakdown of a metric asks for numbers of its units, which are withheld."""
    for column in by:
        if column in unit:
            said = f"--by {column} asks for the scores of each unit of {metric}, which `units` withholds"
            raise UsageError(f"{said}; leave out one of the two")


def withheld_rows(
    withheld: Collection[str],
    metric: str,
    components: Mapping[str, Meaning],
    unit: Collection[str],
    slices: Iterable[Iterable[str]],
) -> Iterator[str]:
    """SQL conditions for the scores of a metric that are withheld: amounts, and slices that are units."""
    of_metric = f"metric = {text_literal(metric)}"
    amounts = [text_literal(name) for name, meaning in components.items() if not is_rate(meaning)]
    if COUNTS in withheld and amounts:
        yield f"{of_metric} AND component IN ({', '.join(amounts)})"
    for columns in slices if UNITS in withheld else ():
        for path in (f'$."{column}"' for column in columns if column in unit):
            yield f"{of_metric} AND json_exists(slice, {text_literal(path)})"


def message_without(says: str, withheld: Collection[str]) -> str:
    """The message of a warning, with :data:`ELLIPSIS` in place of the numbers and values that are withheld."""

    def shown(name: re.Match[str]) -> str:
        return ELLIPSIS if (COUNTS if name[1] in NUMBERS else EVIDENCE) in withheld else name[0]

    return NAME.sub(shown, says)
