"""`check` compares each slice of a case with a run on its rows, and two parts of a relation with the whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorespec.check.documents_checked import verify
from scorespec.errors import SpecError

DOCUMENT = """
domain: term_discovery
relations:
  ranked:
    about: One row per fragment, with its number within the cluster.
    needs: [fragments]
    split_by: {split_by}
    sql: >-
      SELECT {{{{ scope }}}}{columns}, row_number() OVER (PARTITION BY {scope}cluster ORDER BY file) AS n
      FROM {{{{ fragments }}}}
    columns: {{{columns}, n: its number}}
metrics:
  firsts: {{about: it, kind: ratio, from: ranked, numerator: count_if(n = 1), denominator: count(*)}}
cases:
  firsts:
    - about: Two of four.
      tables: {{fragments: [[c1, f, 0.0, 0.1], [c1, g, 0.1, 0.2], [c2, g, 0.0, 0.1], [c2, f, 0.3, 0.4]]}}{more}
      expect: {{value: 1/2}}
"""
SCOPE = "{{ scope }}"


def checked(folder: Path, split_by: str, columns: str = "file, cluster", scope: str = SCOPE, more: str = "") -> str:
    """What check says of a document; '' if all is well."""
    document = folder / "own.yaml"
    document.write_text(DOCUMENT.format(split_by=split_by, columns=columns, scope=scope, more=more))
    try:
        verify(document)
    except SpecError as error:
        return str(error)
    return ""


def test_a_true_document_is_well(tmp_path: Path) -> None:
    assert checked(tmp_path, "cluster") == ""


def test_a_window_over_all_slices_is_found(tmp_path: Path) -> None:
    said = checked(tmp_path, "whole", scope="")
    assert "firsts: in the slice file=g, value is 0.0, expected 1.0: the score of the rows of the slice alone" in said


def test_a_case_may_say_why_its_slices_differ(tmp_path: Path) -> None:
    assert checked(tmp_path, "whole", scope="", more="\n      slices_differ: Fragments are ranked in the corpus.") == ""


def test_a_false_division_is_found(tmp_path: Path) -> None:
    said = checked(tmp_path, "file")
    assert "relation ranked cannot be divided by file, although its split_by says so: two parts have 2 rows" in said


def test_a_relation_that_does_not_bind_by_some_column_is_found(tmp_path: Path) -> None:
    document = tmp_path / "own.yaml"
    document.write_text(
        "domain: term_discovery\nrelations:\n  own:\n    about: it\n    needs: [fragments, words]\n"
        "    scope_of: [fragments]\n"
        "    sql: SELECT {{ scope }}file FROM {{ fragments }} JOIN {{ words }} USING ({{ scope }}file)\n"
        "    columns: {file: it}\n"
    )
    with pytest.raises(SpecError, match="by_cluster"):
        verify(document)
