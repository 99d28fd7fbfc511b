"""How the scores of a metric are resampled, as documents state it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from scorespec.catalog.keys import Columns, Key, Name

_BLOCKS = "columns that name independent units; a unit is in the block of the first column in which it has a value"
_FROM = "a relation that has columns of `blocks` that the units lack; its other columns are columns of the units"
_METHOD = (
    "bootstrap: blocks are drawn with replacement, if scores are computed from sums over blocks; "
    "jackknife: groups of blocks are left out of the inputs in turn, as for all other scores"
)
_ROWS = (
    "a relation with the columns of `blocks` and all that the metric reads, whose rows are resampled in place of those "
    "of the relation `from` of the metric, because `from` has added up rows of several blocks"
)


@dataclass(frozen=True)
class MatchedPairs:
    """The errors over which two systems are compared by the matched-pairs test.

    The relation has the columns `position` and `errors`. Correct words have odd positions, but no rows.
    """

    errors: Annotated[
        Name, Key("a relation of `keep` with the errors: columns position, errors and those of `sentence`")
    ]
    sentence: Annotated[Columns, Key("columns that name a sentence; no pair of segments reaches into two sentences")]


@dataclass(frozen=True)
class Resample:
    """The blocks of units that a resample draws or leaves out together, and the method of resampling."""

    blocks: Annotated[Columns, Key(_BLOCKS)] = ()
    from_: Annotated[Name | None, Key(_FROM)] = None
    rows: Annotated[Name | None, Key(_ROWS)] = None
    method: Annotated[Literal["bootstrap", "jackknife"], Key(_METHOD)] = "bootstrap"
