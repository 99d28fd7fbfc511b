"""The brute-force oracle of tdev2 against the numbers recorded from the tool itself (tdev2 2.0.2)."""

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

sys.path.insert(0, str(Path(__file__).parents[2]))  # tests/, whatever pytest was started with

from marks import first
from oracles import tdev2
from oracles.corpora import Corpus, small_corpora

DATA = Path(__file__).parents[2] / "data" / "term_discovery"
EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
CASES = sorted(EXPECTED)

# The oracle's name of each recorded value: {metric: {recorded: ours}}.
PRF = {"precision": "precision", "recall": "recall", "fscore": "fscore"}
COUNTS = {"n_disc": "found", "n_gold": "gold", "n_hit": "hits"}
NAMES = {
    "ned": {"ned": "value", "n_pairs": "pairs"},
    "coverage": {"coverage": "value", "n_covered": "covered", "n_phones": "phones"},
    "grouping": PRF
    | {"n_found_pairs": "found_pairs", "n_gold_pairs": "gold_pairs", "n_intersection": "common_pairs"}
    | {"n_found_types": "found_types", "n_gold_types": "gold_types"},
    "token": PRF | COUNTS,
    "type": PRF | COUNTS,
    "boundary": PRF | COUNTS,
}


def read_gold(path: Path) -> list[tdev2.Phone]:
    """Rows of a .phn or .wrd file."""
    lines = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return [(file, float(onset), float(offset), label) for file, onset, offset, label in lines]


def read_clusters(path: Path) -> list[tdev2.Fragment]:
    """Rows of a .class file."""
    rows, cluster = [], ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("Class"):
            cluster = line.split()[1]
        elif line:
            file, onset, offset = line.split()
            rows.append((cluster, file, float(onset), float(offset)))
    return rows


def read_case(case: str) -> Corpus:
    """The corpus and the submission of a recorded case such as `alpha.jitter`."""
    corpus = case.split(".")[0]
    phones, words = read_gold(DATA / f"{corpus}.phn"), read_gold(DATA / f"{corpus}.wrd")
    return Corpus(phones, words, read_clusters(DATA / f"{case}.class"))


@cache
def scored(case: str) -> tdev2.Scores:
    return tdev2.score(*read_case(case))


@pytest.mark.parametrize("case", first(CASES, 2))
@pytest.mark.parametrize("metric", sorted(NAMES))
def test_recorded_values(case: str, metric: str) -> None:
    """Counts are equal and values agree to 1e-12, except where the tool could compute no value."""
    recorded = EXPECTED[case]["tdev2"]["values"][metric]
    assert recorded.keys() == NAMES[metric].keys()
    for theirs, ours in NAMES[metric].items():
        expected, got = recorded[theirs], scored(case)[metric][ours]
        if isinstance(expected, str):  # the exception that the tool ended in (T17 §6): an F of nothing
            assert theirs == "fscore"
            p, r = scored(case)[metric]["precision"], scored(case)[metric]["recall"]
            assert got == tdev2.fscore(p, r)
        elif isinstance(expected, int):
            assert got == expected, theirs
        else:
            assert got == pytest.approx(expected, rel=0, abs=1e-12), theirs


@pytest.mark.parametrize("case", first(CASES, 4))
def test_verdicts_add_up_to_the_scores(case: str) -> None:
    rows = tdev2.verdicts(*read_case(case))
    assert len(rows) == scored(case)["token"]["found"] == len({row[:3] for row in rows})
    assert len({row.word for row in rows if row.token_hit}) == scored(case)["token"]["hits"]
    assert len({row.transcription for row in rows}) == scored(case)["type"]["found"]


# A 100 ms phone between 0.1 and 0.2, and a 40 ms one behind it: the edge rule at its ties.
PHONES = [("f", 0.1, 0.2, "a"), ("f", 0.2, 0.24, "b"), ("f", 0.24, 0.34, "c")]


@pytest.mark.parametrize(
    ("onset", "offset", "transcription"),
    [
        (0.1, 0.24, ("a", "b")),
        (0.17, 0.24, ("a", "b")),  # exactly 30 ms of a long phone
        (0.171, 0.24, ("b",)),  # 29 ms of it
        (0.1, 0.22, ("a", "b")),  # exactly half of a short one
        (0.1, 0.219, ("a",)),
        (0.171, 0.269, ("b",)),  # the phone inside is never tested
        (0.171, 0.205, ()),  # neither edge is kept
        (0.0, 0.1, ()),  # touching is not overlapping
    ],
)
def test_edge_rule(onset: float, offset: float, transcription: tuple[str, ...]) -> None:
    spelled = tdev2.transcribe(PHONES, ("f", onset, offset), 0.030, 0.5)
    assert tdev2.labels(spelled) == transcription


def test_nothing_found_is_undefined() -> None:
    got = tdev2.score(PHONES, [("f", 0.1, 0.34, "w")], [])
    assert got["ned"] == {"value": None, "pairs": 0}
    assert got["coverage"] == {"value": 0.0, "covered": 0, "phones": 3}
    assert got["grouping"]["precision"] is got["grouping"]["recall"] is got["grouping"]["fscore"] is None
    assert (got["token"]["precision"], got["token"]["recall"], got["token"]["fscore"]) == (None, 0.0, None)


@settings(deadline=None)
@given(small_corpora())
def test_scores_of_small_corpora_are_sane(corpus: Corpus) -> None:
    """Hits are within found and gold (types aside: their gold is orthographic), and row order is nothing."""
    got = tdev2.score(*corpus)
    assert got == tdev2.score(*(rows[::-1] for rows in corpus))
    for metric in ("token", "boundary"):
        assert got[metric]["hits"] <= min(got[metric]["found"], got[metric]["gold"])
    assert got["type"]["hits"] <= got["type"]["found"]
    assert got["grouping"]["common_pairs"] <= got["grouping"]["found_pairs"] <= got["ned"]["pairs"]
    assert all(v is None or v >= 0 for values in got.values() for v in values.values())
