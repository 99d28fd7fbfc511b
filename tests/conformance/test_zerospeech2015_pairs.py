"""The sets of pairs, pair by pair, as an organiser's own metric would read them: as many as were recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import scorespec

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
    sql: FROM {{ pairs_star }} SEMI JOIN {{ pairs_all }} USING ({{ scope }}size, file_a, phone_a, file_b, phone_b)
"""


@pytest.mark.parametrize("case", ["s0.gold", "s0.mixed", "s1.words", "alpha.overlap"])
def test_as_many_pairs_as_recorded(case: str, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("domain: term_discovery\nmetrics:\n" + "".join(map(METRIC.format, RECORDED)) + STAR_ALL)
    corpus = case.partition(".")[0]
    folder = DATA / "stress" if corpus.startswith("s") else DATA
    run = scorespec.score(
        "zerospeech2015",
        phones=folder / f"{corpus}.phn",
        words=folder / f"{corpus}.wrd",
        fragments=folder / f"{case}.class",
        specs=own,
        metrics=[*(f"n_{name}" for name in RECORDED), "n_star_all"],
        params={"n_folds": 0, "talker_pattern": r"_(s.)\d"},
        keep_evidence=False,
    )
    for talkers in ("all", "within"):
        sizes = EXPECTED[case][f"talkers={talkers}"]
        for relation, size in (RECORDED | {"star_all": "star_all_pairs"}).items():
            if relation == "all_fragments" and talkers == "within":
                continue  # ours are those of files whose talker is known, of which alone pairs are made
            assert run.value(f"n_{relation}", "n", talkers=talkers) == sizes[f"size.{size}"], (talkers, relation)
