"""The sets of pairs, listed pair by pair: as many as were recorded, and as many as the closed forms count."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import scorespec
from marks import first, slow, some

DATA = Path(__file__).parents[1] / "data" / "term_discovery"
EXPECTED: dict[str, Any] = json.loads((DATA / "expected_zerospeech2015.json").read_text())
RECORDED = {
    "all_fragments": "f_all",
    "pairs_all": "all_pairs",
    "pairs_clus": "clus_pairs",
    "pairs_disc": "pairs",
    "pairs_star": "star_pairs",
    "pairs_goldclus": "goldclus_pairs",
}
METRIC = (
    "  n_{0}: {{about: rows of {0}, kind: statistics, from: {0}, statistics: {{n: count(*)}}, components: {{n: n}}}}\n"
)
STAR_ALL = """  n_star_all:
    about: pairs of P_disc* that are in P_all
    kind: statistics
    from: star_all
    statistics: {n: count(*)}
    components: {n: n}
relations:
  star_all:
    about: Pairs of sub-spans that match.
    needs: [pairs_star, pairs_all]
    sql: FROM {{ pairs_star }} SEMI JOIN {{ pairs_all }} USING (size, file_a, phone_a, file_b, phone_b)
"""


def scored(case: str, own: Path, metrics: list[str], **params: str) -> scorespec.Run:
    corpus = case.partition(".")[0]
    folder = DATA / "stress" if corpus.startswith("s") else DATA
    return scorespec.score(
        "zerospeech2015",
        phones=folder / f"{corpus}.phn",
        words=folder / f"{corpus}.wrd",
        fragments=folder / f"{case}.class",
        specs=own,
        metrics=metrics,
        params={"n_folds": 0, "speaker_pattern": r"_(s.)\d", **params},
        keep_evidence=False,
    )


# The closed forms: `sizes` counts pairs and flat sets, matching_types the ends of pairs of sub-spans.
SUBSPANS = """  subspan_pairs:
    about: Pairs of sub-spans, each of which has two ends.
    kind: statistics
    from: matching_types
    statistics: {found: sum(found_ends), common: sum(both_ends), gold: sum(gold_ends)}
    components: {found: found / 2, common: common / 2, gold: gold / 2}
"""
FLAT = """  flat_{0}:
    about: Distinct elements of {1}.
    needs: [{1}]
    sql: SELECT DISTINCT {2} FROM {{{{ {1} }}}}
"""
SPANS = "size, unnest([file_a, file_b]) AS file, unnest([phone_a, phone_b]) AS phone"
FRAGMENTS = (
    "unnest([file_a, file_b]) AS file, unnest([onset_a, onset_b]) AS onset, unnest([offset_a, offset_b]) AS stop"
)
FLAT_SETS = {  # the size of each flat set in `sizes`: the relation that lists its pairs, and their elements
    "pairs_flat": ("pairs_disc", FRAGMENTS),
    "clus_flat": ("pairs_clus", FRAGMENTS),
    "goldclus_flat": ("pairs_goldclus", FRAGMENTS),
    "star_flat": ("pairs_star", SPANS),
    "all_flat": ("pairs_all", SPANS),
    "star_all_flat": ("star_all", SPANS),
}
COUNTED = {
    "pairs_all": "all_pairs",
    "pairs_clus": "clus_pairs",
    "pairs_disc": "pairs",
    "pairs_goldclus": "goldclus_pairs",
}


PRINTED_AND_COVERED = {"self_pairs": "kept", "corpus": "covered"}


@pytest.mark.parametrize(
    ("case", "params"),
    first(
        [
            *((case, {}) for case in ("s0.gold", "s0.mixed", "s1.words", "alpha.overlap")),
            *((case, PRINTED_AND_COVERED) for case in ("s0.mixed", "s1.words")),
        ],
        1,
    ),
)
def test_closed_forms_count_what_is_listed(case: str, params: dict[str, str], tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    metrics = "".join(METRIC.format(name) for name in [*COUNTED, "pairs_star", *(f"flat_{name}" for name in FLAT_SETS)])
    relations = "".join(FLAT.format(name, *listed) for name, listed in FLAT_SETS.items())
    own.write_text("domain: term_discovery\nmetrics:\n" + metrics + SUBSPANS + STAR_ALL + relations)
    listed = [*COUNTED, "pairs_star", "star_all", *(f"flat_{name}" for name in FLAT_SETS)]
    run = scored(case, own, [*(f"n_{name}" for name in listed), "subspan_pairs", "sizes"], **params)
    for speakers in ("all", "within"):
        count = {name: run.value(f"n_{name}", "n", speakers=speakers) for name in listed}
        for name, size in COUNTED.items():
            assert count[name] == run.value("sizes", size, speakers=speakers), (speakers, name)
        for name in FLAT_SETS:
            assert count[f"flat_{name}"] == run.value("sizes", name, speakers=speakers), (speakers, name)
        for name, component in (("pairs_star", "found"), ("star_all", "common"), ("pairs_all", "gold")):
            assert count[name] == run.value("subspan_pairs", component, speakers=speakers), (speakers, name)


@slow
@pytest.mark.parametrize("case", first(["s0.gold", "s0.mixed", "s1.words", "alpha.overlap"], 1))
def test_as_many_pairs_as_recorded(case: str, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("domain: term_discovery\nmetrics:\n" + "".join(map(METRIC.format, RECORDED)) + STAR_ALL)
    run = scored(case, own, [*(f"n_{name}" for name in RECORDED), "n_star_all"])
    for speakers in ("all", "within"):
        sizes = EXPECTED[case][f"speakers={speakers}"]
        for relation, size in some((RECORDED | {"star_all": "star_all_pairs"}).items()):
            if relation == "all_fragments" and speakers == "within":
                continue  # ours are those of files whose speaker is known, of which alone pairs are made
            assert run.value(f"n_{relation}", "n", speakers=speakers) == sizes[f"size.{size}"], (speakers, relation)


TOKENS = """  n_pairs_of_types:
    about: Pairs of two tokens of one word type.
    kind: statistics
    from: tokens_by_type
    statistics: {n: sum(tokens * (tokens - 1) / 2)}
    components: {n: n}
relations:
  tokens_by_type:
    about: The tokens of each word type that has phones.
    needs: [word_tokens]
    sql: SELECT text, count(*) AS tokens FROM {{ word_tokens }} WHERE text <> '' GROUP BY ALL
"""


def test_each_pair_of_tokens_of_a_word_type_is_in_the_gold_lexicon(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("domain: term_discovery\nmetrics:\n" + METRIC.format("pairs_goldlex") + TOKENS)
    run = scored("s0.mixed", own, ["n_pairs_goldlex", "n_pairs_of_types"])
    pairs = [[run.value(metric, "n", speakers=of) for of in ("all", "within")] for metric in run.metrics]
    assert pairs[0] == pairs[1]
    assert min(pairs[0]) > 0
