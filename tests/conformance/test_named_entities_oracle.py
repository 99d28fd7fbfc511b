"""Mapping, comparison and totals against brute force, over random aligned texts."""

from __future__ import annotations

import random
from collections import Counter
from itertools import groupby, product
from typing import Any

import pytest

import scorespec
from marks import first, some
from oracles import entity_corpora, named_entities
from oracles.named_entities import ASPECTS, Rules

METRICS = ["slots", "entities", "muc_errors"]
EXTENTS = [each for each in product((0, 1, 2, 3), ("span", "adjacent", "none")) if each[0] or each[1] == "span"]
BY_EXTENT, BY_TEXT = ("type", "extent", "content"), ("type", "text")
# The tolerance decides on the verdicts on pairs (compared_pairs.sql), from which alone entities are mapped. So each
# tolerance is tried with both mappings and with both choices of aspects, but not with each mapping of each choice.
RULES = [
    Rules(*extent, mapping, aspects)
    for at, extent in enumerate(EXTENTS)
    for mapping, aspects in zip(
        ("greedy", "optimal"), ((BY_EXTENT, BY_TEXT), (BY_TEXT, BY_EXTENT))[at % 2], strict=True
    )
]


def scored(corpus: list[entity_corpora.Segmented], rules: Rules, **options: Any) -> scorespec.Run:
    params = {
        "extent_tolerance": rules.tolerance,
        "tolerance_rule": rules.tolerance_rule,
        "mapping": rules.mapping,
        "aspects": list(rules.aspects),
    }
    return scorespec.score("speech_ne", params=params, **entity_corpora.tables(corpus), **options)


def slices(run: scorespec.Run) -> dict[Any, Any]:
    """The scores by slice, metric and component."""
    return {
        (tuple(row["slice"].items()), row["metric"], row["component"]): row["value"]
        for row in run.to_dict()["scores"]
        if row["metric"] in METRICS
    }


@pytest.mark.parametrize("number", first(range(len(RULES)), 1))
def test_pairs_verdicts_and_totals(number: int) -> None:
    rules = RULES[number]
    r = random.Random(f"named entities {number}")
    corpus = [entity_corpora.random_document(r) for _ in range(60)]
    documents = [each.document for each in corpus]
    run = scored(corpus, rules, metrics=METRICS)
    rows = run.sql("FROM evidence_entities WHERE outcome = 'mapped' ORDER BY document, reference_first").to_pylist()
    of_document = {name: list(group) for name, group in groupby(rows, key=lambda row: row["document"])}
    for at, document in enumerate(documents):
        wanted = [
            (document.ref_entities[i], document.hyp_entities[j], [verdicts[aspect] for aspect in rules.aspects])
            for (i, j), verdicts in named_entities.mapped(document, rules).items()
        ]
        got = [
            (
                named_entities.Entity(row["reference_first"], row["reference_last"], row["reference_type"]),
                named_entities.Entity(row["hypothesis_first"], row["hypothesis_last"], row["hypothesis_type"]),
                [row[aspect] == "correct" for aspect in rules.aspects],
            )
            for row in of_document.get(f"d{at}", [])
        ]
        assert got == wanted, f"document {at}: {document}"
        assert all(row[aspect] is None for row in rows for aspect in ASPECTS if aspect not in rules.aspects)
    assert slices(run) == {
        (((key, value),) if key else (), *name): None if number is None else pytest.approx(float(number), abs=1e-12)
        for (key, value), slots in named_entities.totals(documents, rules).items()
        for name, number in slots.values().items()
    }


@pytest.mark.parametrize("column", first(["document", "segment", "speaker"]))
def test_slices_add_up(column: str) -> None:
    """An entity counts where its reference is, a spurious one where the hypothesis is; nothing is mapped anew."""
    r = random.Random(column)
    corpus = [entity_corpora.random_document(r) for _ in range(40)]
    run = scored(corpus, Rules(), by=column, metrics=["slots", "whole_entities"])
    counted = Counter(row[column] for row in run.sql(f"SELECT {column} FROM evidence_entities").to_pylist())
    assert len(counted) > 1
    for name, entities in counted.items():
        whole = {
            each: run.value("whole_entities", each, **{column: name}) for each in ("mapped", "missing", "spurious")
        }
        assert sum(filter(None, whole.values())) == entities
    for component in ("correct", "substituted", "missing", "spurious"):
        parts = [run.value("slots", component, **{column: name}) for name in counted]
        assert sum(filter(None, parts)) == run.value("slots", component)


def test_confusion() -> None:
    r = random.Random("confusion")
    run = scored([entity_corpora.random_document(r) for _ in range(40)], Rules())
    columns = ("reference_type", "hypothesis_type", "outcome")
    rows = run.sql("FROM evidence_entities").to_pylist()
    table = run.sql("FROM evidence_confusion").to_pylist()
    assert {tuple(row[c] for c in columns): row["entities"] for row in table} == Counter(
        tuple(row[c] for c in columns) for row in rows
    )
    assert {row["outcome"] for row in table if row["hypothesis_type"] is None} == {"missing"}
    assert {row["outcome"] for row in table if row["reference_type"] is None} == {"spurious"}


def test_every_slot_that_is_not_correct_has_a_reason() -> None:
    r = random.Random("reasons")
    run = scored([entity_corpora.random_document(r) for _ in range(40)], Rules())
    for row in some(run.sql("FROM evidence_entities").to_pylist()):
        wrong = [aspect for aspect in Rules().aspects if row[aspect] != "correct"]
        said = [part.partition(":")[0] for part in (row["reason"] or "").split("; ") if part]
        assert list(dict.fromkeys(said)) == ([row["outcome"]] if row["outcome"] != "mapped" else wrong)
