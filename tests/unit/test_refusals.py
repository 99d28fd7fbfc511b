"""Rows of a relation that refuse a run, and metrics that depend on the order of rows."""

from __future__ import annotations

import pytest
import toy

from scorespec.catalog.lookup import Catalog
from scorespec.display import print_definition
from scorespec.errors import InputError, SpecError
from scorespec.runtime.verifying import verify

SURE = """
relations:
  sure:
    about: Each answer, and how sure it is.
    needs: [answers]
    sql: SELECT {{ scope }}file, score, {{ most }} AS most FROM {{ answers }}
    params: {most: {type: DOUBLE, default: 1, about: an answer may be this sure}}
    errors:
      - {sql: score > most, says: "{count} of {rows} answers are too sure"}
      - {sql: score < 0, says: "{count} of {rows} answers are below 0"}
metrics:
  own:
    about: How sure answers are.
    kind: mean
    from: sure
    value: score
    depends_on_row_order: true
"""


def test_rows_that_refuse_a_run() -> None:
    assert toy.values(toy.score(SURE, metrics=["own"]), "own")
    with pytest.raises(InputError, match=r"^quiz: 3 of 7 answers are too sure$"):
        toy.score(SURE, metrics=["own"], params={"most": 0.6})
    with pytest.raises(InputError, match=r"^quiz: 3 of 7 answers are too sure \(most=0\.6\)$"):
        toy.score(SURE, metrics=["own(most=0.6)"], by=["file"])


def test_bad_sql_of_an_error_is_told_at_its_place(tmp_path) -> None:
    document = tmp_path / "own.yaml"
    document.write_text(
        f"domain: term_discovery\n{SURE.replace('answers', 'phones').replace('score < 0', 'score < <')}"
    )
    with pytest.raises(SpecError, match=r"own\.yaml:11:15: bad SQL expression 'score < <'"):
        verify(document)


def test_show_says_what_depends_on_the_order_of_rows(capsys) -> None:
    catalog: Catalog = toy.catalog(SURE)
    print_definition(catalog.metric("toy", "own"), catalog)
    assert "depends on the order of rows" in capsys.readouterr().out
    relation = catalog.relation("toy", "sure")
    assert relation
    print_definition(relation, catalog)
    assert "refused where score > most: {count} of {rows} answers are too sure" in capsys.readouterr().out
