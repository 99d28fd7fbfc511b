"""Results of a session."""

from __future__ import annotations

import pyarrow.compute as pc
import pytest

from scorespec.run.limits import Limits
from scorespec.run.session import Session, open_session


def test_sorted_results_are_sorted() -> None:
    """Also on several threads; DuckDB sorts the rows of some of its interfaces in vain."""
    number = 300_000
    sql = f"SELECT i * 7919 % {number} AS place FROM range({number}) AS numbers(i) ORDER BY place"
    with open_session(Limits(None, 4, None)) as session:
        table = session.table(sql)
        with session.batches(sql) as batches:
            found = batches.read_all()
        rows = [place for (place,) in session.rows(sql)]
    for places in (table["place"], found["place"]):
        assert pc.all(pc.equal(places.combine_chunks()[1:], pc.add(places.combine_chunks()[:-1], 1))).as_py()
    assert rows == [*range(number)]


def test_ctrl_c_while_the_work_database_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(session: Session) -> None:
        raise RuntimeError("Query interrupted")  # as DuckDB says it

    monkeypatch.setattr(Session, "_leave_room", interrupted)
    with pytest.raises(KeyboardInterrupt), open_session(Limits()):
        pass
