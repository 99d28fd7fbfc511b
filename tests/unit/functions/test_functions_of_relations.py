"""Python functions in relations take parameters; long values are hashes in signatures."""

from __future__ import annotations

import pytest

import toy
from scorespec.check.binding import bind
from scorespec.errors import SpecError

DOCUMENT = """
relations:
  runs:
    about: x
    needs: [answers]
    function: longest_chain
    input: >
      SELECT row_number() OVER (ORDER BY file, item) AS left_place, left_place AS right_place
      FROM {{ answers }} ORDER BY 1
    sql: FROM {{ rows }}
    params: [anchor_words]
parameters:
  anchor_words: {type: BIGINT, default: 1, about: x}
metrics:
  length: {about: x, kind: statistics, from: runs, statistics: {n: count(*)}, components: {n: n}}
"""


def test_a_function_takes_the_parameters_of_its_relation() -> None:
    run = toy.score(DOCUMENT, metrics=["length", "length(anchor_words=3)"])
    assert (run.value("length", "n"), run.value("length(anchor_words=3)", "n")) == (7, 9)


def test_a_parameter_that_it_lacks_is_named() -> None:
    document = DOCUMENT.replace("params: [anchor_words]", "").replace("  anchor_words:", "  words:")
    with pytest.raises(SpecError) as caught:
        bind(toy.plan(document, metrics=["length"]))
    assert str(caught.value) == (
        "own.yaml:7:15: function longest_chain has the setting 'anchor_words': name a parameter for it in `with`"
    )


def test_a_long_value_is_a_hash_in_the_signature() -> None:
    document = DOCUMENT.replace("params: [", "params: [many, ").replace(
        "parameters:", "parameters:\n  many: {type: 'VARCHAR[]', default: [a], about: x}"
    )
    short = toy.plan(document, metrics=["length"], params={"many": ["a", "b"]}).identity.long
    long = toy.plan(document, metrics=["length"], params={"many": [f"name{n}" for n in range(20)]}).identity.long
    assert "many:[a,b]" in short
    assert "many:#" in long
    assert "name19" not in long
