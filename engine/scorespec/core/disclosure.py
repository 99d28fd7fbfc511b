"""What may leave a run: the one gate that results, messages and bundles ask before they tell anything of the gold."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scorespec.core.result_tables import EVIDENCE as EVIDENCE_TABLES
from scorespec.errors import UsageError, nearest

EVIDENCE = "evidence"  # tables of evidence, and the values of rows in warnings
UNITS = "units"  # statistics of units, and points of curves: a point tells which detection is a hit
COUNTS = "counts"  # components that are not rates, and the numbers of rows in warnings
PARTS = (EVIDENCE, UNITS, COUNTS)  # in the order in which they are listed
ELLIPSIS = "…"  # what a message has instead of what is withheld

# Everything that may leave a run that withholds something, with the parts that the run must not withhold for it.
ALLOWED: Mapping[str, Collection[str]] = {
    **dict.fromkeys(("scores", "dropped_rows"), ()),  # tables; rows are dropped from submissions only
    **dict.fromkeys(("unit_statistics", "curves", "block_sums", "resampled", "replicates"), (UNITS,)),
    "scores of units": (UNITS,),  # slices whose columns identify a unit
    "amounts": (COUNTS,),  # components that may be the size of something
    "numbers of rows": (COUNTS,),
    "values of rows": (EVIDENCE,),
}
NUMBERS = ("count", "rows")  # the names of numbers in the warnings of documents; all other names are columns
_NAME = re.compile(r"\{(\w+)\}")  # in the message of a document


@dataclass(frozen=True)
class Disclosure:
    """What may leave a run that withholds some of :data:`PARTS`: only what :data:`ALLOWED` lists.

    A run that withholds anything also keeps its inputs, folders, call, numbers of blocks and the problems of its gold
    to itself, since the list does not have them.
    """

    withheld: tuple[str, ...] = ()

    def allows(self, what: str) -> bool:
        """Whether something may leave the run: an entry of :data:`ALLOWED`, or a table of results by its name."""
        needed = (EVIDENCE,) if what.startswith(EVIDENCE_TABLES) else ALLOWED.get(what, PARTS)
        return not {*needed}.intersection(self.withheld)

    def shown(self, what: str, text: str) -> str:
        """A part of a message, or :data:`ELLIPSIS` if it may not leave the run."""
        return text if self.allows(what) else ELLIPSIS

    def path(self, path: str) -> str:
        """The path of a submitted file: only its name if folders, which belong to this machine, may not leave."""
        return path if self.allows("folders") else Path(path).name

    def message(self, says: str) -> str:
        """The message of a warning of a document, with :data:`ELLIPSIS` instead of what may not leave the run."""

        def told(name: re.Match[str]) -> str:
            return self.shown("numbers of rows" if name[1] in NUMBERS else "values of rows", name[0])

        return _NAME.sub(told, says)


ALL = Disclosure()  # nothing is withheld


def read_disclosure(withhold: str | Iterable[str]) -> Disclosure:
    """A disclosure without the named parts, also with commas (``evidence,units``). Raises UsageError for others."""
    texts = [withhold] if isinstance(withhold, str) else [*withhold]
    named = {name.strip() for text in texts for name in text.split(",")} - {""}
    for name in sorted(named.difference(PARTS)):
        raise UsageError(f"withhold {name!r}; {nearest(name, PARTS)}")
    return Disclosure(tuple(part for part in PARTS if part in named))
