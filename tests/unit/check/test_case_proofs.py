"""`check` compares slices of a case with runs on their rows, and sums over partitions with those of all rows."""

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
    sql: >-
      SELECT {columns}, row_number() OVER (PARTITION BY cluster ORDER BY file) AS n
      FROM {{{{ fragments }}}}
    columns: {{{columns}, n: its number}}
metrics:
  firsts: {{about: it, kind: ratio, from: ranked, numerator: count_if(n = 1), denominator: count(*)}}
cases:
  firsts:
    - about: Two of four.
      tables: {{fragments: [[c1, f, 0.0, 0.1], [c1, g, 0.1, 0.2], [c2, g, 0.0, 0.1], [c2, f, 0.3, 0.4]]}}{more}
      expect: {{value: {value}}}
"""
OF_CORPUS = """
  sizes:
    about: The number of fragments of each cluster of the corpus.
    slices: none
    sql: SELECT cluster, count(*) AS size FROM {{ fragments }} GROUP BY cluster
    columns: {cluster, size: its number of fragments}"""


def checked(folder: Path, columns: str = "file, cluster", more: str = "", of_corpus: bool = False) -> str:
    """What check says of a document; '' if all is well. With ``of_corpus``, the clusters of all slices are counted."""
    text = DOCUMENT.format(columns=columns, more=more, value="1" if of_corpus else "1/2")
    if of_corpus:
        text = text.replace("relations:", f"relations:{OF_CORPUS}").replace(
            "row_number() OVER (PARTITION BY cluster ORDER BY file)", "size - 1"
        )
        text = text.replace(
            "FROM {{ fragments }}\n    columns: {file",
            "FROM {{ fragments }} JOIN {{ sizes }} USING (cluster)\n    columns: {file",
        )
    document = folder / "own.yaml"
    document.write_text(text)
    try:
        verify(document)
    except SpecError as error:
        return str(error)
    return ""


def test_a_true_document_is_well(tmp_path: Path) -> None:
    assert checked(tmp_path) == ""


def test_a_relation_without_slices_is_found(tmp_path: Path) -> None:
    said = checked(tmp_path, of_corpus=True)
    assert "firsts: in the slice file=g, value is 1.0, expected 0.0: the score of the rows of the slice alone" in said


def test_a_case_may_say_why_its_slices_differ(tmp_path: Path) -> None:
    more = "\n      slices_differ: Fragments are counted in the corpus."
    assert checked(tmp_path, more=more, of_corpus=True) == ""


PARTITIONED = """
domain: toy
relations:
  ranked:
    about: One row per answer, with its number within the file.
    sql: SELECT file, row_number() OVER (PARTITION BY file ORDER BY score) AS n FROM {{ answers }}
    columns: {file, n: its number}
metrics:
  firsts: {about: it, kind: ratio, from: ranked, numerator: count_if(n = 1), denominator: count(*)}
suites:
  quick: {about: it, inputs: [answers], metrics: [firsts], submitted: [answers], partitions: COLUMN}
cases:
  firsts:
    - about: Two of three.
      tables: {answers: [[f, t, i, yes, yes, 1], [f, u, j, yes, yes, 2], [g, u, i, yes, no, 3]]}
      slices_differ: Answers are ranked in the file.
      expect: {value: 2/3}
"""


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("file", ""),
        (
            "speaker",
            "firsts, statistics per unit is not the sum over partitions by speaker: two partitions have 1 rows",
        ),
    ],
)
def test_partitions_whose_sums_do_not_add_up_are_found(tmp_path: Path, column: str, said: str) -> None:
    document = tmp_path / "own.yaml"
    document.write_text(PARTITIONED.replace("COLUMN", column))
    found = ""
    try:
        verify(document, specs=[Path(__file__).parents[2] / "data" / "toy"])
    except SpecError as error:
        found = str(error)
    assert said in found
    assert bool(said) == bool(found)
