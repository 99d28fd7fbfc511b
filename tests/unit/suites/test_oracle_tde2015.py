"""The brute-force oracle of tde against the numbers recorded from the tool itself (tde 0.2.1)."""

import json
import math
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from marks import first, some

sys.path.insert(0, str(Path(__file__).parents[2]))  # tests/, whatever pytest was started with

from oracles import tde2015
from unit.suites.test_oracle_tdev2 import read_gold

DATA = Path(__file__).parents[2] / "data" / "term_discovery"
EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
CASES = sorted(EXPECTED)
FOLD_SETS = ("all", "total", "within")


def read_folds(path: Path) -> list[list[tde2015.Span]]:
    """Folds of an .intervals file, or the one of a .split file."""
    folds = path.read_text(encoding="utf-8").rstrip("\n").split("\n\n")
    rows = [[line.split() for line in fold.splitlines()] for fold in folds]
    return [[(file, float(onset), float(offset)) for file, onset, offset in fold] for fold in rows]


def read_members(path: Path) -> list[tde2015.Member]:
    """Rows of a .class file."""
    rows, cluster = [], ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("Class"):
            cluster = line.split()[1]
        elif line:
            file, onset, offset = line.split()[:3]
            rows.append((cluster, file, float(onset), float(offset)))
    return rows


@cache
def corpus_of(name: str, clock: tde2015.Clock = tde2015.FLOATS) -> tde2015.Corpus:
    phones, words = read_gold(DATA / f"{name}.phn"), read_gold(DATA / f"{name}.wrd")
    return tde2015.Corpus(phones, words, read_folds(DATA / f"{name}.split")[0], clock)


@cache
def clusters_of(case: str) -> tde2015.Clusters:
    return corpus_of(case.split(".")[0]).discovered(read_members(DATA / f"{case}.class"))


@cache
def folds_of(name: str, fold_set: str) -> list[list[tde2015.Span]]:
    endings = {"all": "split", "total": "intervals.cross", "within": "intervals.within"}
    return read_folds(DATA / f"{name}.{endings[fold_set]}")


@cache
def scored(case: str, fold_set: str) -> list[dict[str, tde2015.Values]]:
    name = case.split(".")[0]
    return [corpus_of(name).score_fold(clusters_of(case), fold) for fold in folds_of(name, fold_set)]


def flat(values: dict[str, Any]) -> list[float]:
    """The folds and what they reduce to."""
    return [*values["folds"], *(values[key] for key in ("mean", "std", "min", "max"))]


@pytest.mark.parametrize("fold_set", first(FOLD_SETS))
@pytest.mark.parametrize("case", first(CASES, 2))
def test_recorded_values(case: str, fold_set: str) -> None:
    """Every fold of every metric, and their mean, deviation and extremes, to 1e-12."""
    recorded = EXPECTED[case]["tde2015"]["values"]
    for metric in tde2015.METRICS:
        got = tde2015.over_folds(metric, [fold[metric] for fold in scored(case, fold_set)])
        expected = recorded[f"{metric}/{fold_set}"]
        if metric in ("ned", "coverage"):
            expected = {"value": expected}
        for name, values in got.items():
            assert flat(values._asdict()) == pytest.approx(flat(expected[name]), rel=0, abs=1e-12), (metric, name)
    for fold, counts in some(zip(scored(case, fold_set), recorded[f"ncounts/{fold_set}"], strict=True)):
        assert fold["ned"]["pairs"] == counts["n_pairs"]
        assert fold["coverage"]["found"] == pytest.approx(counts["cover_disc"], rel=0, abs=1e-9)
        assert fold["coverage"]["gold"] == pytest.approx(counts["cover_gold"], rel=0, abs=1e-9)


@pytest.mark.parametrize("case", first(CASES, 4))
def test_recorded_counts(case: str) -> None:
    counts = EXPECTED[case]["tde2015"]["counts"]
    gold, clusters = corpus_of(case.split(".")[0]).gold, clusters_of(case)
    fragments = tde2015.fragments_of(clusters)
    assert (len(gold), len(tde2015.fragments_of(gold))) == (counts["n_classes_gold"], counts["n_frag_gold_unique"])
    assert len(clusters) == counts["n_classes_disc"]
    assert sum(map(len, clusters.values())) == counts["n_frag_disc"]
    assert len(fragments) == counts["n_frag_disc_unique"]
    assert sum(not f.label for f in fragments) == counts["n_empty_mark"]


# A corpus on a grid of 100 ms: file f is spelled "a b c d e" and, after a pause, "a b c"; file g is "a b c".
def grid(file: str, start: float, labels: str, width: float = 0.1) -> list[tde2015.Segment]:
    times = [round(start + width * i, 3) for i in range(len(labels) + 1)]
    return [(file, on, off, label) for on, off, label in zip(times, times[1:], labels, strict=False)]


PHONES = grid("f", 0.0, "abcde") + grid("f", 1.0, "abc") + grid("g", 0.0, "abc")
WORDS = [("f", 0.0, 0.3, "w"), ("f", 0.3, 0.5, "v"), ("f", 1.0, 1.3, "w"), ("g", 0.0, 0.3, "w")]
UTTERANCES = [("f", 0.0, 0.5), ("f", 1.0, 1.3), ("g", 0.0, 0.3)]


def score(
    members: Iterable[tde2015.Member], *metrics: str, fold: Iterable[tde2015.Span] = UTTERANCES
) -> dict[str, tde2015.Values]:
    corpus = tde2015.Corpus(PHONES, WORDS, UTTERANCES)
    return corpus.score_fold(corpus.discovered(members), fold, metrics or tde2015.METRICS)


@pytest.mark.parametrize(
    ("onset", "offset", "in_floats", "in_microseconds"),
    [
        (0.0, 0.3, "abc", "abc"),
        (0.07, 0.3, "bc", "bc"),  # 30 ms is not more than 30 ms
        (0.069, 0.3, "abc", "abc"),
        (0.04, 0.05, "a", "a"),  # inside a phone: more than half of the fragment
        (0.09, 0.11, "a", ""),  # half of the fragment in each of two phones is not more than half
        (0.089, 0.11, "a", "a"),
        (0.3, 1.1, "de", "de"),  # clipped to the utterance of the larger part
        (0.45, 1.05, "a", "e"),  # two equal parts: the earlier, but for the last bits
    ],
)
def test_transcription(onset: float, offset: float, in_floats: str, in_microseconds: str) -> None:
    for clock, expected in ((tde2015.FLOATS, in_floats), (tde2015.MICROSECONDS, in_microseconds)):
        corpus = tde2015.Corpus(PHONES, WORDS, UTTERANCES, clock)
        [[fragment]] = corpus.discovered([("c", "f", onset, offset)]).values()
        assert "".join(fragment.label) == expected


def test_recorded_numbers_hang_on_the_last_bits_of_floats() -> None:
    """Exact ties at 30 ms and at a half are frequent on a grid of milliseconds."""
    exact = corpus_of("alpha", tde2015.MICROSECONDS)
    clusters = exact.discovered(read_members(DATA / "alpha.edges.class"))
    got = exact.score_fold(clusters, folds_of("alpha", "all")[0], ["ned"])["ned"]
    assert got["pairs"] == scored("alpha.edges", "all")[0]["ned"]["pairs"] == 203
    assert got["value"] == pytest.approx(0.94795, abs=1e-5)
    assert scored("alpha.edges", "all")[0]["ned"]["value"] == pytest.approx(0.94335, abs=1e-5)


def test_what_is_outside_every_utterance_is_dropped() -> None:
    outside = [("c", "f", 0.5, 1.0), ("c", "h", 0.0, 0.3), ("c", "f", 0.2, 0.2), ("c", "f", 0.6, 0.9)]
    assert not tde2015.discovered(outside, PHONES, UTTERANCES)


def test_equal_times_in_two_files_are_no_pair() -> None:
    assert score([("c", "f", 0.0, 0.3), ("c", "g", 0.0, 0.3)], "ned")["ned"]["pairs"] == 0
    assert score([("c", "f", 1.0, 1.3), ("c", "g", 0.0, 0.3)], "ned")["ned"]["pairs"] == 1


def test_gold_pairs_are_filtered_too() -> None:
    """Of the three `a b c` the two at 0 are no gold pair; the recall of the third with each is 1."""
    got = score([("c", "f", 1.0, 1.3), ("c", "g", 0.0, 0.3), ("c", "f", 0.0, 0.3)], "matching")["matching"]
    assert got == {"precision": 1.0, "recall": 1.0}


def test_a_pair_of_two_types_counts_against_the_later() -> None:
    """Clusters {abc, de} and {abc, abc}: precision depends on which comes later in file and time."""
    later = score([("1", "f", 0.0, 0.3), ("1", "f", 0.3, 0.5), ("2", "f", 1.0, 1.3), ("2", "g", 0.0, 0.3)])
    earlier = score([("1", "f", 0.3, 0.5), ("1", "f", 1.0, 1.3), ("2", "f", 0.0, 0.3), ("2", "f", 1.0, 1.3)])
    assert later["grouping"]["precision"] == pytest.approx(3 / 4)  # w(abc) * 1/1 + w(de) * 0/1
    assert earlier["grouping"]["precision"] == pytest.approx(2 / 3 * 1 / 2)  # w(abc) * 1/2, nothing of de


def test_several_fragments_may_hit_one_word() -> None:
    got = score([("c", "g", 0.0, 0.3), ("c", "g", 0.01, 0.3)], "token", fold=[UTTERANCES[2]])
    assert got["token"] == {"precision": 1.0, "recall": 2.0}
    assert got["type"] == {"precision": 1.0, "recall": 1.0}


def test_a_fragment_over_no_word_of_the_fold_is_an_error() -> None:
    corpus = tde2015.Corpus(PHONES, WORDS[:1], UTTERANCES)
    with pytest.raises(ValueError, match="nothing at"):
        corpus.score_fold(corpus.discovered([("c", "g", 0.0, 0.3)]), UTTERANCES, ["token"])


def test_coverage_may_exceed_one() -> None:
    """`d e` is in no gold n-gram, as it is spelled once."""
    got = score([("c", "f", 0.0, 0.5), ("d", "f", 1.0, 1.3), ("d", "g", 0.0, 0.3)], "coverage")["coverage"]
    assert got == pytest.approx({"value": 11 / 9, "found": 1.1, "gold": 0.9})


def test_longest_substrings() -> None:
    """Two equal fragments of 20 phones: the gold pair of 20 is never found."""
    labels = "abcdefghijklmnopqrst"
    phones = grid("f", 0.0, labels) + grid("g", 5.0, labels)
    corpus = tde2015.Corpus(phones, [], [("f", 0.0, 2.0), ("g", 5.0, 7.0)])
    clusters = corpus.discovered([("c", "f", 0.0, 2.0), ("c", "g", 5.0, 7.0)])
    got = corpus.score_fold(clusters, corpus.utterances, ["matching"])["matching"]
    assert got["precision"] == pytest.approx(1)
    assert got["recall"] == pytest.approx(170 / 171)  # strings of 3 to 20 phones of 20


def test_reduction_over_folds() -> None:
    nan = math.nan
    got = tde2015.over_folds("token", [{"precision": 0.0, "recall": 0.0}, {"precision": 1.0, "recall": 0.5}])
    assert got["fscore"].folds == pytest.approx([0, 2 / 3])
    assert (got["fscore"].mean, got["fscore"].std) == pytest.approx((1 / 3, 1 / 3))
    got = tde2015.over_folds("token", [{"precision": nan, "recall": 0.0}, {"precision": 1.0, "recall": 0.5}])
    assert got["recall"].folds == [0.5]  # dropped from both
    assert tde2015.over_folds("token", [{"precision": nan, "recall": nan}])["precision"].folds == [0.0]
    assert tde2015.over_folds("ned", [{"value": nan}])["value"].folds == [1.0]
    assert tde2015.over_folds("coverage", [{"value": nan}])["value"].folds == [0.0]
