"""The columns of a table of scores, in the order in which they are shown."""

from __future__ import annotations

IDENTITY = ("metric", "component", "slice")  # what a row is the score of
INTERVAL = ("low", "high")  # only if intervals were asked for
SPREAD = ("std", "folds")
NUMBERS = ("value", *INTERVAL, *SPREAD)
COLUMNS = (*IDENTITY, *NUMBERS, "note")
