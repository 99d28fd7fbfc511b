"""What the tables hold. Times are decimals as written; a decision is True for YES."""

from decimal import Decimal
from typing import NamedTuple


class Excerpt(NamedTuple):
    """A stretch of one channel of a document that is scored."""

    doc: str
    channel: str
    tbeg: Decimal
    dur: Decimal
    source_type: str = ""


class Query(NamedTuple):
    """A query and its words."""

    query: str
    text: str


class Token(NamedTuple):
    """A word of the reference; `kind` is lex, fp (filled pause) or frag (fragment)."""

    doc: str
    channel: str
    tbeg: Decimal
    dur: Decimal
    text: str
    speaker: str
    kind: str = "lex"


class Turn(NamedTuple):
    """A stretch of speech of one speaker."""

    doc: str
    channel: str
    tbeg: Decimal
    dur: Decimal


class Occurrence(NamedTuple):
    """Where a query really is; `first_end` is the end of its first word."""

    query: str
    doc: str
    channel: str
    tbeg: Decimal
    end: Decimal
    first_end: Decimal


class Detection(NamedTuple):
    """Where a system says that a query is."""

    query: str
    doc: str
    channel: str
    tbeg: Decimal
    dur: Decimal
    score: float
    yes: bool


def number(text: str) -> Decimal:
    """A time as written."""
    return Decimal(text)


def seconds(start: Decimal, dur: Decimal) -> float:
    """The end of a span as F4DE keeps it: binary64, rounded to 4 decimals."""
    return float(f"{float(start) + float(dur):.4f}")
