"""The table `replicates`."""

from __future__ import annotations

import numpy as np

from scorespec.core.result_tables import Replicates
from scorespec.intervals.found_intervals import hash_of_blocks, replicates_table


def test_rows_have_lists_of_scores_and_groups() -> None:
    drawn = Replicates("mtwv", "value", "{}", "bootstrap", "f00", np.array([2]), np.array([0.5, np.nan]))
    grouped = Replicates("ned", "value", "{}", "jackknife", "f00", np.array([2, 2, 1]), np.array([0.1, 0.2, 0.3]))
    table = replicates_table([drawn, grouped])
    assert table.schema.names == ["metric", "component", "slice", "method", "blocks", "groups", "scores"]
    assert table["groups"].to_pylist() == [[2], [2, 2, 1]]
    first, second = table["scores"].to_pylist()
    assert first[0] == 0.5
    assert np.isnan(first[1])
    assert second == [0.1, 0.2, 0.3]
    assert table["method"].to_pylist() == ["bootstrap", "jackknife"]
    assert replicates_table([]).num_rows == 0


def test_the_hash_of_blocks_does_not_depend_on_their_order() -> None:
    assert hash_of_blocks(['{"a":1}', '{"a":2}']) == hash_of_blocks(['{"a":2}', '{"a":1}'])
    assert hash_of_blocks(['{"a":1}']) != hash_of_blocks(['{"a":1}', '{"a":2}'])
