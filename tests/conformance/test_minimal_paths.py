"""P_disc* along cheapest edit paths: the recorded values, an oracle that lists the paths, and clusters too large."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from test_zerospeech2015 import DATA, SPEAKER_PATTERN
from test_zerospeech2015_properties import assert_joint_scores, choices, is_near, oracle_scores, suite_scores

import scorespec
from marks import first, slow
from oracles import joint_corpora
from oracles.exact_corpora import make_task
from oracles.minimal_paths import substrings
from scorespec.functions import RELATION_FUNCTIONS

EXPECTED: dict[str, Any] = json.loads((DATA / "expected_minimal_paths.json").read_text())
SEEDS = 3  # 60 were tried
PATHS = {"completion": "minimal_paths"}
PATHS_CHANGE = ("matching", "matching_pairs")


def of_corpus(case: str, kind: str) -> Path:
    """A file of the corpus of a submission; of kind `utterances`, that of its utterances."""
    corpus = case.partition(".")[0]
    stress = corpus.startswith("s")
    kind = ("utt" if stress else "split") if kind == "utterances" else kind
    return (DATA / "stress" if stress else DATA) / f"{corpus}.{kind}"


def scored(case: str, keep_evidence: bool = False, **params: Any) -> scorespec.Run:
    inputs = {
        "phones": of_corpus(case, "phn"),
        "words": of_corpus(case, "wrd"),
        "fragments": of_corpus(case, case.partition(".")[2]),
        "utterances": of_corpus(case, "utterances"),
    }
    return score_paths(inputs, keep_evidence=keep_evidence, **params)


def score_paths(
    inputs: dict[str, Any], folds: bool = False, keep_evidence: bool = False, **params: Any
) -> scorespec.Run:
    return scorespec.score(
        "zerospeech2015",
        inputs=inputs,
        params={"n_folds": 0, "speaker_pattern": SPEAKER_PATTERN, **PATHS, **params},
        metrics=[*PATHS_CHANGE, "sizes"],
        folds=folds,
        keep_evidence=keep_evidence,
    )


def wrong_values(run: scorespec.Run, case: str, **slice_: int) -> dict[tuple[str, ...], float | None]:
    """The values and sizes that are not the recorded ones."""
    wrong = {}
    for setting, speakers in (("n_folds=0", "all"), ("n_folds=0;speakers=within", "within")):
        for name, want in EXPECTED[case][setting].items():
            metric, component = name.split(".")
            found = run.value("sizes" if metric == "size" else metric, component, speakers=speakers, **slice_)
            if found != (want if metric == "size" else pytest.approx(want, abs=1e-12)):
                wrong[case, speakers, name] = found
    return wrong


@pytest.mark.parametrize("case", first(["alpha.edges.class", "s0.mixed.class"]))
def test_every_recorded_value_and_size(case: str) -> None:
    assert not wrong_values(scored(case), case)


@slow
def test_every_recorded_value_and_size_of_every_submission() -> None:
    """The submissions are folds of one run."""
    joint, fold_of = joint_corpora.JointCorpus(), {}
    for case in EXPECTED:
        kinds = {"phones": "phn", "words": "wrd", "utterances": "utterances"}
        inputs: dict[str, Any] = {name: joint_corpora.timed(of_corpus(case, kind)) for name, kind in kinds.items()}
        inputs["fragments"] = joint_corpora.recorded_fragments(of_corpus(case, case.partition(".")[2]))
        whole = joint_corpora.whole(inputs["phones"], inputs["words"], (row[1:] for row in inputs["fragments"]))
        (fold_of[case],) = joint.add(inputs, {"folds": [whole]})["folds"]
    run = score_paths(joint.inputs(), folds=True)
    found = [wrong_values(run, case, fold=fold) for case, fold in fold_of.items()]
    assert not [wrong for wrong in found if wrong]


@pytest.mark.parametrize("seed", first(range(SEEDS)))
def test_scores_are_those_of_the_oracle(seed: int) -> None:
    task = make_task(seed)
    task.params.update(PATHS)
    got, expected = suite_scores(task), oracle_scores(task)
    assert got.keys() == expected.keys()
    wrong = {key: (got[key], want) for key, want in expected.items() if not is_near(got[key], want)}
    assert not wrong, task


@slow
@pytest.mark.parametrize("number", first(range(3)))
def test_each_fold_of_many_corpora_has_the_scores_of_the_oracle(number: int) -> None:
    assert_joint_scores({**choices(Random("paths"))[number], **PATHS}, 100 + number)


def found_substrings(pairs: list[tuple[str, str]], least: int, most: int) -> list[tuple[Any, ...]]:
    """The rows of the function: the number of the pair, begin and end in both texts, and whether they are equal."""
    numbers = list(range(len(pairs)))
    texts = dict(zip(("text_a", "text_b"), map(list, zip(*pairs, strict=True)), strict=True))
    table = pa.table({"type_a": numbers, "type_b": [-number for number in numbers], **texts})
    function = RELATION_FUNCTIONS["minimal_path_pairs"]
    batches = function.call(iter(table.to_batches(7)), table.schema, min_size=None, least_size=least, max_size=most)
    rows = [row for batch in batches for row in batch.to_pylist()]
    assert all(row["type_b"] == -row["type_a"] for row in rows)
    return [
        (
            row["type_a"],
            (row["begin_a"], row["begin_a"] + row["size_a"]),
            (row["begin_b"], row["begin_b"] + row["size_b"]),
            row["equal"],
        )
        for row in rows
    ]


@pytest.mark.parametrize("limits", first(map(pytest.param, [(1, 20), (2, 4), (3, 20)])))
@pytest.mark.parametrize("at_once", [10, 10**6])
def test_substrings_are_those_on_some_listed_path(
    limits: tuple[int, int], at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("minimal_paths.PAIRS_AT_ONCE", "minimal_paths.NODES_AT_ONCE", "function.BATCH_ROWS"):
        monkeypatch.setattr(f"scorespec.functions.{name}", at_once)
    chance = Random(sum(limits))
    texts = ["".join(chance.choices("abcɛ", k=chance.randrange(1, 9))) for _ in range(120)]
    pairs = [("abcd", "bcde"), ("abcd", "efg"), ("aaaa", "aaaa"), *zip(texts, reversed(texts), strict=True)]
    found = found_substrings(pairs, *limits)
    assert len(found) == len(set(found))
    assert set(found) == {
        (number, a, b, x[slice(*a)] == y[slice(*b)])
        for number, (x, y) in enumerate(pairs)
        for a, b in substrings(x, y, *limits)
    }


def test_the_published_example() -> None:
    """⟨abcd, efg⟩ has ⟨abc, efg⟩, ⟨ab, ef⟩, ⟨bc, fg⟩ and ⟨bcd, efg⟩ among its pairs of two or more phones."""
    found = {("abcd"[slice(*a)], "efg"[slice(*b)]) for _, a, b, _ in found_substrings([("abcd", "efg")], 2, 20)}
    assert {("abc", "efg"), ("ab", "ef"), ("bc", "fg"), ("bcd", "efg")} <= found


@pytest.mark.parametrize(("x", "y"), first([("a" * 400, "a" * 150 + "b" * 250), ("abc" * 30, "bca" * 30 + "d")]))
def test_long_texts_have_wider_cells(x: str, y: str) -> None:
    """Distances above 255 do not wrap around."""
    found = found_substrings([(x, y)], 20, 20)
    here = {(a, b) for _, a, b, equal in found if equal}
    assert here == {(a, b) for a, b in here if x[slice(*a)] == y[slice(*b)]}
    assert ((0, 20), (0, 20)) in here if x[:20] == y[:20] else ((1, 21), (0, 20)) in here


def test_texts_that_are_too_long_are_refused() -> None:
    with pytest.raises(
        scorespec.RunError, match=r"two texts of 1,000 and 1,000 symbols have an edit graph of 1,002,001"
    ):
        found_substrings([("a" * 1000, "b" * 1000)], 3, 20)


def corpus_of(phones: int, size: int, label: str = "abcd") -> dict[str, pa.Table]:
    """One file; its phones are labelled in turn, and its fragments of `size` phones are one cluster."""

    def intervals(count: int, length: int) -> dict[str, Any]:
        onset = [number * length / 10 for number in range(count)]
        return {"file": ["f"] * count, "onset": onset, "offset": [each + length / 10 for each in onset]}

    whole = intervals(phones // size, size)
    return {
        "phones": pa.table({**intervals(phones, 1), "label": [label[number % len(label)] for number in range(phones)]}),
        "words": pa.table({**whole, "label": ["w"] * (phones // size)}),
        "fragments": pa.table({"cluster": ["c17"] * (phones // size), **whole}),
    }


@pytest.mark.parametrize(
    ("phones", "size", "params", "said"),
    [
        (
            60_000,
            4,
            {"max_phones": 4},  # longer spans would only be gold spans, which take most of the time
            "cluster c17 has 15000 fragments of 4 to 4 phones (1 distinct transcriptions), whose minimal paths have "
            "up to 1,012,432,500 pairs of sub-spans; at most 1,000,000,000 are listed (parameter max_path_pairs). "
            "Score with completion=diagonals, or divide the cluster",
        ),
        (
            2000,
            1000,
            {},
            "cluster c17 has a fragment of 1000 phones; minimal paths are computed for fragments of up to 999 phones "
            "(parameter max_path_phones). Score with completion=diagonals, or divide the fragment",
        ),
    ],
)
def test_a_cluster_that_is_too_large_is_refused(phones: int, size: int, params: dict[str, Any], said: str) -> None:
    options: dict[str, Any] = {"inputs": corpus_of(phones, size), "keep_evidence": False}
    with pytest.raises(scorespec.InputError) as raised:
        scorespec.score("zerospeech2015", params={"n_folds": 0, **PATHS, **params}, metrics=PATHS_CHANGE, **options)
    assert said in str(raised.value)
    run = scorespec.score("zerospeech2015", params={"n_folds": 0}, metrics=["ned"], **options)
    assert run.value("ned", speakers="all") == 0


@pytest.mark.parametrize(("name", "enough"), [("max_path_pairs", 27), ("max_path_phones", 4)])
def test_the_limits_are_parameters(name: str, enough: int) -> None:
    """A fragment of 4 phones has 3 sub-spans of 3 and 4 phones, so two fragments have 9 pairs, and three have 27."""
    inputs = corpus_of(12, 4)
    options: dict[str, Any] = {"inputs": inputs, "metrics": ["matching"], "keep_evidence": False}
    scorespec.score("zerospeech2015", params={"n_folds": 0, **PATHS, name: enough}, **options)
    with pytest.raises(scorespec.InputError, match=rf"\(parameter {name}\)"):
        scorespec.score("zerospeech2015", params={"n_folds": 0, **PATHS, name: enough - 1}, **options)


def test_evidence_adds_up_to_the_sizes() -> None:
    run = scored("alpha.overlap.class", keep_evidence=True, n_folds=3)
    kept = "FROM evidence_matching_verdicts GROUP BY ALL ORDER BY ALL"
    rows = run.sql(f"SELECT speakers, fold, sum(found_spans) AS n, sum(both_spans) AS hits {kept}").to_pylist()
    assert {row["speakers"] for row in rows} == {"all", "within"}
    for speakers in ("all", "within"):
        folds = [row for row in rows if row["speakers"] == speakers]
        for size, name in (("star_flat", "n"), ("star_all_flat", "hits")):
            mean = sum(int(row[name]) for row in folds) / len(folds)
            assert run.value("sizes", size, speakers=speakers) == pytest.approx(mean, abs=1e-9)
