"""Metrics that depend on the order of the rows of an input."""

from __future__ import annotations

import toy
from scorespec.show import show

SURE = """
metrics:
  own:
    about: How sure answers are.
    kind: mean
    from: answers
    value: score
    depends_on_row_order: true
"""


def test_show_says_what_depends_on_the_order_of_rows() -> None:
    assert "depends on the order of rows" in show(toy.catalog(SURE), "own")
