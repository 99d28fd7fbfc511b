"""SQL and sentences as HTML: every character is kept, and escaped."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorespec.report.marked_text import marked, prose


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the label `a<b` is", "the label <code>a&lt;b</code> is"),
        ("`x` and `y`", "<code>x</code> and <code>y</code>"),
        ("one ` alone & more", "one ` alone &amp; more"),
    ],
)
def test_what_stands_between_backticks_is_code(text: str, shown: str) -> None:
    assert prose(text) == shown


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(["SELECT", " ", "\n", '"a"', '"é""ü"', "'β''x'", "1.5", "-- c\n", "<", "&", "x", ","])))
def test_marked_sql_keeps_every_character(pieces: list[str]) -> None:
    sql = "".join(pieces)
    assert html.unescape(re.sub(r"</?span[^>]*>", "", marked(sql))) == sql
