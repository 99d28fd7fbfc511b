"""Results of the work database."""

from __future__ import annotations

import numpy as np

from scorespec.runtime.session import Limits, open_session


def test_rows_of_a_table_are_in_the_order_of_the_query() -> None:
    """With two threads, DuckDB can hand over the rows of a result out of order. It does so in most of the tries."""
    rows = "SELECT i, i::VARCHAR AS text, i * 0.5e0 AS half FROM range(200000) AS numbers(i) ORDER BY i"
    with open_session(Limits(None, 2)) as session:
        assert all(np.array_equal(session.table(rows)["i"], np.arange(200_000)) for _ in range(6))
