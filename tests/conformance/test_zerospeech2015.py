"""zerospeech2015 against a brute-force computation of its definitions, value by value, over folds and speakers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import scorespec
from examples import inputs_of
from marks import first, slow, some
from oracles import joint_corpora
from oracles import zerospeech2015 as exact

DATA = Path(__file__).parents[1] / "data" / "term_discovery"
EXPECTED: dict[str, Any] = json.loads((DATA / "expected_zerospeech2015.json").read_text())
SPEAKER_PATTERN = r"_(s.)\d"
PRECISION_RECALL = ("matching", "matching_pairs", "grouping", "grouping_pairs", "type", "token", "boundary")
METRICS = {
    "ned": ("value",),
    "coverage": ("value",),
    **dict.fromkeys(PRECISION_RECALL, ("precision", "recall", "fscore")),
}
# Recorded sizes that the metric `sizes` leaves out.
NO_SIZES = {"phones", "words", "utterances", "f_all", "star_pairs", "star_all_pairs", "cover_disc_us", "cover_all_us"}
# Each setting scored as such, for one submission each: among them are scores that no fold defines, that some folds
# define and that all folds define. Every submission is scored with every setting in the joint corpora.
AS_SUCH = [
    ("alpha.offcorpus", "speakers=all"),
    ("beta.random", "speakers=all;folds=intervals.cross"),
    ("alpha.jitter", "speakers=all;folds=intervals.within"),
    ("alpha.singletons", "speakers=all;n_folds=10"),
    ("beta.edges", "speakers=all;n_folds=3"),
    ("s1.gold", "speakers=all"),
    ("s0.mixed", "speakers=all;folds=folds.derived"),
    ("s0.mixed", "speakers=all;n_folds=3"),
    ("s0.words", "speakers=all;utterances=utt"),
    ("s1.words", "speakers=all;utterances=utt;folds=folds.given"),
    ("s1.mixed", "speakers=all;utterances=utt;n_folds=3"),
]


def chosen(setting: str) -> dict[str, str]:
    return dict(part.split("=") for part in setting.split(";"))


def of_corpus(case: str, kind: str) -> Path:
    """A file of the corpus of a submission."""
    corpus = case.partition(".")[0]
    return (DATA / "stress" if corpus.startswith("s") else DATA) / f"{corpus}.{kind}"


def scored(case: str, setting: str, fold_order: str = "runs", **options: Any) -> scorespec.Run:
    values = chosen(setting)
    more = {name: of_corpus(case, values[name]) for name in ("folds", "utterances") if name in values}
    inputs = {
        "phones": of_corpus(case, "phn"),
        "words": of_corpus(case, "wrd"),
        "fragments": of_corpus(case, f"{case.partition('.')[2]}.class"),
        **more,
    }
    params = {"n_folds": values.get("n_folds", "0"), "fold_order": fold_order, "speaker_pattern": SPEAKER_PATTERN}
    params["empty_pair_distance"] = "1"  # as recorded
    return scorespec.score("zerospeech2015", inputs=inputs, params=params, **options)


def expected_row(recorded: dict[str, Any], name: str) -> tuple[float | None, float | None, int | None]:
    """Value, standard deviation and number of folds; without folds the latter two are None."""
    if f"{name}.n" not in recorded:
        return recorded.get(name), None, None
    if recorded[f"{name}.n"] == 0:
        return None, None, 0
    return recorded[f"{name}.mean"], recorded[f"{name}.std"], recorded[f"{name}.n"]


def of_speakers(case: str, setting: str, speakers: str) -> dict[str, Any]:
    """What is recorded of `all` or `within`; a run scores both."""
    recorded: dict[str, Any] = EXPECTED[case][setting.replace("speakers=all", f"speakers={speakers}")]
    return recorded


def recorded_sizes(recorded: dict[str, Any]) -> dict[str, list[int]]:
    """The sizes of each fold that the metric `sizes` has, too."""
    names = {key.removeprefix("size.") for key in recorded if key.startswith("size.")} - NO_SIZES
    return {name: np.atleast_1d(recorded[f"size.{name}"]).tolist() for name in names}


@pytest.mark.parametrize(("case", "setting"), first(AS_SUCH, 1))
def test_every_value_and_every_size(case: str, setting: str) -> None:
    """Evidence, a sixth of a run, is made of each submission without folds; the scores of folds have the sizes, too."""
    folds = "folds" in setting
    run = scored(case, setting, folds=folds, keep_evidence=not folds)
    over_folds = [row for row in run.table() if "fold" not in row["slice"]]
    rows = {(row["slice"]["speakers"], row["metric"], row["component"]): row for row in over_folds}
    sizes = scored_sizes(run) if folds else sizes_by_fold(run)
    for speakers in ("all", "within"):
        recorded = of_speakers(case, setting, speakers)
        for metric, components in METRICS.items():
            for component in components:
                row = rows[speakers, metric, component]
                want = expected_row(recorded, f"{metric}.{component}")
                assert (row["value"], row["std"], row["folds"]) == pytest.approx(want, abs=1e-12), (speakers, metric)
        for name, want_sizes in some(recorded_sizes(recorded).items()):
            assert [fold[name] for fold in sizes[speakers]] == want_sizes, (speakers, name)


def test_the_settings_scored_as_such_are_all_that_are_recorded() -> None:
    def kinds(pairs: Iterable[tuple[str, str]]) -> set[tuple[bool, str]]:
        return {(case.startswith("s"), setting) for case, setting in pairs}

    recorded = ((case, setting) for case, each in EXPECTED.items() for setting in each)
    assert kinds(AS_SUCH) == {each for each in kinds(recorded) if each[1].startswith("speakers=all")}


def folds_of(case: str, setting: str, inputs: dict[str, Any]) -> list[Any]:
    """The intervals of each fold that a setting has: given, cut from utterances by the oracle, or one of all files."""
    values = chosen(setting)
    if "folds" in values:
        return joint_corpora.recorded_folds(of_corpus(case, values["folds"]))
    if "n_folds" not in values:
        return [joint_corpora.whole(inputs["phones"], inputs["words"], (row[1:] for row in inputs["fragments"]))]
    given = [exact.interval(*row) for row in inputs["utterances"]] if "utterances" in inputs else None
    _, utterances = exact.number_phones(inputs["phones"], ("SIL", "SPN"), 1000, given)
    folds = exact.cut(utterances, int(values["n_folds"]))
    return [[(file, onset / 1e6, offset / 1e6) for file, onset, offset in fold] for fold in folds]


@slow
@pytest.mark.parametrize("with_utterances", first([True, False]))
def test_every_value_and_every_size_of_every_submission(with_utterances: bool) -> None:
    wrong = [each for each in compared(with_utterances) if each[2] != pytest.approx(each[1], abs=1e-12)]
    assert not wrong


def compared(with_utterances: bool) -> Iterator[tuple[str, Any, Any]]:
    """All that is recorded of the submissions, with ours. Submissions and settings are folds of one run."""
    corpus = joint_corpora.JointCorpus()
    numbers = {}
    for case, recorded in EXPECTED.items():
        inputs: dict[str, Any] = {
            "phones": joint_corpora.timed(of_corpus(case, "phn")),
            "words": joint_corpora.timed(of_corpus(case, "wrd")),
            "fragments": joint_corpora.recorded_fragments(of_corpus(case, f"{case.partition('.')[2]}.class")),
        }
        settings = [name for name in recorded if "speakers=all" in name and ("utt" in name) == with_utterances]
        if not settings:
            continue
        if with_utterances:
            inputs["utterances"] = joint_corpora.timed(of_corpus(case, "utt"))
        folds = {setting: folds_of(case, setting, inputs) for setting in settings}
        added = iter(corpus.add(inputs, {"folds": [fold for each in folds.values() for fold in each]})["folds"])
        numbers.update({(case, setting): [*islice(added, len(each))] for setting, each in folds.items()})
    run = scorespec.score(
        "zerospeech2015",
        inputs=corpus.inputs(),
        params={"n_folds": 0, "speaker_pattern": SPEAKER_PATTERN, "empty_pair_distance": 1},  # as recorded
        folds=True,
        keep_evidence=False,
    )
    got = {
        (row["slice"]["speakers"], row["slice"]["fold"], f"{row['metric']}.{row['component']}"): row["value"]
        for row in run.table()
        if "fold" in row["slice"]
    }
    for (case, setting), folds_here in numbers.items():
        for speakers in ("all", "within"):
            recorded = of_speakers(case, setting, speakers)
            for name in (f"{metric}.{component}" for metric, each in METRICS.items() for component in each):
                values = [got[speakers, fold, name] for fold in folds_here]
                found = over_folds(values) if "folds" in setting else (values[0], None, None)
                for what, want, ours in zip(("", " std", " folds"), expected_row(recorded, name), found, strict=True):
                    yield f"{case} {setting} {speakers} {name}{what}", want, ours
            for name, sizes in recorded_sizes(recorded).items():
                for fold, size in zip(folds_here, sizes, strict=True):
                    yield f"{case} {setting} {speakers} {name}", size, got[speakers, fold, f"sizes.{name}"] or 0


def over_folds(values: list[float | None]) -> tuple[float | None, float | None, int]:
    """Mean and standard deviation over the folds that define a value, and the number of these folds."""
    defined = [value for value in values if value is not None]
    return (float(np.mean(defined)), float(np.std(defined)), len(defined)) if defined else (None, None, 0)


def sizes_by_fold(run: scorespec.Run) -> dict[str, list[dict[str, int]]]:
    """The sizes of the sets for `all` and `within`, one mapping per fold in the order of folds."""
    rows = run.sql("SELECT slice, statistics FROM unit_statistics WHERE metric = 'sizes'").to_pylist()
    found = [(json.loads(row["slice"]), json.loads(row["statistics"])) for row in rows]
    return {
        speakers: [
            {name: size or 0 for name, size in statistics.items()}
            for slice_, statistics in sorted(found, key=lambda each: each[0].get("fold", 0))
            if slice_["speakers"] == speakers
        ]
        for speakers in ("all", "within")
    }


def scored_sizes(run: scorespec.Run) -> dict[str, list[dict[str, int]]]:
    """The sizes of :func:`sizes_by_fold`, from the scores of each fold."""
    found: dict[str, dict[int, dict[str, int]]] = {"all": {}, "within": {}}
    for row in run["sizes"].table():
        if "fold" in row["slice"]:
            of_fold = found[row["slice"]["speakers"]].setdefault(row["slice"]["fold"], {})
            of_fold[row["component"]] = row["value"] or 0
    return {speakers: [sizes for _, sizes in sorted(by_fold.items())] for speakers, by_fold in found.items()}


@slow
def test_a_cluster_of_50_000_equal_fragments() -> None:
    """More than a thousand million pairs, none of which is made, beside those that touch.

    Longer spans than the fragments would only be gold spans, which take most of the time.
    """
    count = 50_000
    phones = np.arange(4 * count)
    words = np.arange(count)

    def intervals(numbers: np.ndarray, size: int) -> dict[str, Any]:
        first = numbers * size
        files = [f"f{number // 40_000}" for number in first]
        return {"file": files, "onset": np.round(first / 10, 1), "offset": np.round((first + size) / 10, 1)}

    gold = intervals(words, 4)
    run = scorespec.score(
        "zerospeech2015",
        phones=pa.table({**intervals(phones, 1), "label": np.array(list("abcd"))[phones % 4]}),
        words=pa.table({**gold, "label": ["w"] * count}),
        fragments=pa.table({"cluster": ["c"] * count, **gold}),
        params={"n_folds": 0, "max_phones": 4},
        keep_evidence=False,
    )
    assert run.value("ned", "pairs", speakers="all") == count * (count - 1) // 2
    assert run.value("ned", speakers="all") == 0
    for metric in ("matching", "grouping", "type", "token", "boundary"):
        assert run.value(metric, "precision", speakers="all") == 1
    assert run.value("coverage", speakers="all") == 1


@pytest.mark.parametrize(("onset", "refused"), [(0.099998, True), (0.099999, False), (0.1, False)])
def test_phones_overlap_by_no_more_than_a_microsecond(onset: float, refused: bool) -> None:
    interval = {"file": ["f", "f"], "onset": [0.0, onset], "offset": [0.1, 0.2]}
    inputs = {
        "phones": pa.table({**interval, "label": ["a", "b"]}),
        "words": pa.table({**interval, "label": ["v", "w"]}),
        "fragments": pa.table({"cluster": ["c", "c"], **interval}),
    }
    ned: dict[str, Any] = {"inputs": inputs, "metrics": ["ned"], "keep_evidence": False}
    if refused:
        with pytest.raises(scorespec.InputError, match=r"phone b \(0\.099998 to 0\.2\) overlaps an earlier phone of f"):
            scorespec.score("zerospeech2015", **ned)
    else:
        run = scorespec.score("zerospeech2015", params={"n_folds": 0}, **ned)
        assert run.value("ned", "pairs", speakers="all") == 1
    scorespec.score("zerospeech2017", **ned)  # its evaluator takes such phones


def test_a_fragment_where_only_words_are_has_no_transcription() -> None:
    interval = {"onset": [0.0], "offset": [0.1]}
    run = scorespec.score(
        "zerospeech2015",
        phones=pa.table({"file": ["f"], **interval, "label": ["a"]}),
        words=pa.table({"file": ["g"], **interval, "label": ["w"]}),
        fragments=pa.table({"cluster": ["c"], "file": ["g"], **interval}),
        params={"n_folds": 0},
        metrics=["sizes"],
        keep_evidence=False,
    )
    assert run.value("sizes", "fragments_empty", speakers="all") == 1


# Four utterances of two speakers, in the order of files: "a b c" and "a b c" of s1, "d e f" and "d e f" of s2.
ORDERED = ("s1_1", "s1_2", "s2_1", "s2_2")
SINGLE = (
    "{} of 2 folds have a single speaker, although the corpus has several; in these folds, all pairs are pairs of one "
    "speaker"
)


def in_folds(
    files: Sequence[str] = ORDERED,
    pattern: str = r"^(s\d)_",
    folds: Sequence[int] = (),
    metrics: Sequence[str] = (),
    keep_evidence: bool = False,
    **params: Any,
) -> scorespec.Run:
    """Cluster c has the fragments s1_1 and s1_2, and d has one of each speaker, s1_1 and s2_1."""

    def whole(files: Sequence[str]) -> dict[str, Any]:
        return {"file": files, "onset": [0.0] * len(files), "offset": [0.3] * len(files)}

    labels = {"s1": "abc", "s2": "def"}
    phones = [(file, at / 10, (at + 1) / 10, label) for file in files for at, label in enumerate(labels[file[:2]])]
    inputs = {
        "phones": pa.table(dict(zip(("file", "onset", "offset", "label"), zip(*phones, strict=True), strict=True))),
        "words": pa.table({**whole(files), "label": ["w"] * len(files)}),
        "fragments": pa.table({"cluster": list("ccdd"), **whole(["s1_1", "s1_2", "s1_1", "s2_1"])}),
    }
    if folds:
        inputs["folds"] = pa.table({"fold": folds, **whole(files)})
    params = {"n_folds": 2, "speaker_pattern": pattern, **params}
    return scorespec.score("zerospeech2015", inputs=inputs, params=params, metrics=metrics, keep_evidence=keep_evidence)


def test_utterances_are_dealt_to_folds() -> None:
    """The folds are s1_1 with s2_1, the two fragments of d, and s1_2 with s2_2; no phone recurs in a fold."""
    run = in_folds(metrics=["ned", "matching"])
    assert run.warnings == []
    rows = {(row["metric"], row["component"], row["slice"]["speakers"]): row for row in run.table()}
    ned = rows["ned", "value", "all"]
    assert (ned["value"], ned["folds"]) == (1, 1)
    assert rows["ned", "value", "within"]["folds"] == 0
    assert rows["matching", "recall", "all"]["folds"] == 0


def test_folds_may_be_runs_of_utterances() -> None:
    """The folds are s1_1 with s1_2, the two fragments of c, and s2_1 with s2_2; "a b c" and "d e f" recur."""
    run = in_folds(fold_order="runs", metrics=["ned", "matching"])
    rows = {(row["metric"], row["component"], row["slice"]["speakers"]): row for row in run.table()}
    for speakers in ("all", "within"):
        ned, recall = rows["ned", "value", speakers], rows["matching", "recall", speakers]
        assert (ned["value"], ned["folds"]) == (0, 1)
        assert (recall["value"], recall["std"], recall["folds"]) == (1 / 2, 1 / 2, 2)
    assert run.warnings == [SINGLE.format(2)]


@slow
def test_folds_of_a_single_speaker_are_counted() -> None:
    def warned(**options: Any) -> list[str]:
        return in_folds(metrics=["ned"], **options).warnings

    assert warned(folds=[0, 0, 1, 1]) == [SINGLE.format(2)]
    assert warned(folds=[0, 1, 0, 0]) == [SINGLE.format(1)]
    assert warned(folds=[0, 1, 1, 0]) == []
    # Speakers are unknown, or there is one.
    assert warned(pattern="", fold_order="runs") == []
    assert warned(pattern="^(s)", fold_order="runs") == []
    # A file of unknown speaker may be of any, so that no fold is known to have a single speaker.
    (unknown,) = warned(pattern=r"^(s._1)", folds=[0, 0, 1, 1])
    assert unknown.startswith("2 of 4 recordings have no known speaker; with speakers=within, ")
    assert warned(n_folds=0) == []


@slow
@pytest.mark.parametrize("fold_order", first(["dealt", "runs"]))
def test_the_first_folds_have_one_utterance_more(fold_order: str) -> None:
    """Each utterance is one word: 5 in 3 folds are 2, 2 and 1, and in 9 folds there are 5 folds."""
    files = [*ORDERED, "s2_3"]
    for n_folds, words in ((3, [2, 2, 1]), (9, [1] * 5)):
        run = in_folds(files, metrics=["token"], keep_evidence=True, fold_order=fold_order, n_folds=n_folds)
        rows = run.sql("""
            SELECT CAST(slice->>'fold' AS INTEGER) AS fold, sum(CAST(statistics->>'gold' AS INTEGER)) AS words
            FROM unit_statistics WHERE slice->>'speakers' = 'all' GROUP BY fold ORDER BY fold""")
        assert rows["words"].to_pylist() == words


@slow
def test_evidence_adds_up_to_the_sizes() -> None:
    run = scored("alpha.overlap", "speakers=all;n_folds=3")
    fragments = 'count(DISTINCT (file, onset, "offset"))'
    per_fold = {
        "member": {
            "fragments_scored": f"{fragments} FILTER (WHERE token_hit IS NOT NULL)",
            "clus_flat": f"{fragments} FILTER (WHERE grouping_found)",
            "clus_goldclus_flat": f"{fragments} FILTER (WHERE grouping_hit)",
            "type_both": "count(DISTINCT transcription) FILTER (WHERE type_hit)",
            "clusters": "count(DISTINCT cluster)",
        },
        "matching": {
            "star_flat": "sum(found_spans)",
            "all_flat": "sum(gold_spans)",
            "star_all_flat": "sum(both_spans)",
            "all_pairs": "sum(gold_ends) / 2",
        },
        "grouping": {
            "clus_flat": "sum(found_spans)",
            "goldclus_flat": "sum(gold_spans)",
            "clus_goldclus_flat": "sum(both_spans)",
            "clus_goldclus_pairs": "sum(both_ends) / 2",
        },
    }
    for speakers, folds in some(sizes_by_fold(run).items()):
        for evidence, sizes in some(per_fold.items()):
            asked = ", ".join(f"{sql} AS {name}" for name, sql in sizes.items())
            kept = f"FROM evidence_{evidence}_verdicts WHERE speakers = '{speakers}'"
            rows = run.sql(f"SELECT {asked} {kept} GROUP BY fold ORDER BY fold")
            assert rows.to_pylist() == [{name: fold[name] for name in sizes} for fold in folds], (speakers, evidence)


def test_the_verdicts_of_each_member_and_cluster() -> None:
    """f1 has the words "a b", "c" and "a b" in sequence, and f2 has "a b", "d" and "e"."""
    params = {"min_phones": 2, "speakers": "all", "n_folds": 1}
    run = scorespec.score("zerospeech2015", inputs=inputs_of("zerospeech2015"), params=params)
    verdicts = ("grouping_gold", "grouping_hit", "type_hit", "token_hit", "onset_hit", "offset_hit")
    held = ", ".join(f"if({name}, '{name}', NULL)" for name in verdicts)
    member = "cluster, file, transcription, spans_found, spans_matched"
    rows = run.sql(
        f"SELECT {member}, concat_ws(' ', {held}) FROM evidence_member_verdicts ORDER BY cluster, file, onset"
    )
    words = "type_hit token_hit onset_hit offset_hit"
    assert [tuple(row.values()) for row in rows.to_pylist()] == [
        ("c1", "f1", "a b", 1, 1, f"grouping_gold grouping_hit {words}"),
        ("c1", "f1", "a b", 1, 1, f"grouping_gold grouping_hit {words}"),
        ("c1", "f2", "b d", 1, 0, "offset_hit"),
        ("c2", "f1", "c", 0, 0, words),
        ("c2", "f2", "a b", 0, 0, f"grouping_gold {words}"),
    ]
    clusters = run.sql("SELECT cluster, members, types, purity FROM evidence_cluster_purity ORDER BY cluster")
    assert [tuple(row.values()) for row in clusters.to_pylist()] == [("c1", 3, 2, 2 / 3), ("c2", 2, 2, 1 / 2)]


def test_sub_spans_of_which_the_fold_lacks_a_phone() -> None:
    """The fold has "a b c d" and "e c d", but it lacks a phone of the corpus between "a" and "b".

    The transcription of a sub-span that contains this phone is one phone shorter than the sub-span.
    """
    labels = [*(("f", each) for each in "axbcd"), *(("g", each) for each in "ecd")]
    onsets = [at / 10 for at in (*range(5), *range(3))]
    run = scorespec.score(
        "zerospeech2015",
        phones=pa.table(
            {
                "file": [file for file, _ in labels],
                "onset": onsets,
                "offset": [round(onset + 0.1, 1) for onset in onsets],
                "label": [label for _, label in labels],
            }
        ),
        words=pa.table({"file": ["f"], "onset": [0.0], "offset": [0.5], "label": ["w"]}),
        fragments=pa.table({"cluster": ["c", "c"], "file": ["f", "g"], "onset": [0.0, 0.0], "offset": [0.5, 0.3]}),
        folds=pa.table(
            {"fold": [0, 0, 0], "file": ["f", "f", "g"], "onset": [0.0, 0.2, 0.0], "offset": [0.1, 0.5, 0.3]}
        ),
        params={"min_phones": 2},
        metrics=["matching_pairs"],
    )
    kept = "evidence_matching_verdicts WHERE found_spans > 0"
    rows = run.sql(f"SELECT transcription, found_spans, found_ends, both_ends FROM {kept}")
    assert sorted(tuple(row.values()) for row in rows.to_pylist()) == [
        ("a", 1, 1, 0),
        ("a b", 1, 1, 0),
        ("b", 1, 2, 0),
        ("b c", 2, 3, 0),
        ("b c d", 1, 1, 0),
        ("c d", 2, 4, 2),
        ("e c", 1, 3, 0),
        ("e c d", 1, 3, 0),
    ]
    assert run.value("matching_pairs", "precision", speakers="all") == pytest.approx(2 / 10 * 2 / 4)


@pytest.mark.parametrize(
    ("fold", "word", "fragment"),
    [((0.0, 0.14), (0.0, 0.1), (0.0, 0.125)), ((0.1, 0.24), (0.14, 0.24), (0.115, 0.24))],
)
def test_a_phone_that_touches_a_fold_is_not_in_it(
    fold: tuple[float, float], word: tuple[float, float], fragment: tuple[float, float]
) -> None:
    """With its edge, 15 ms away, the inner edge of the fragment would not be that of the word, 25 ms away."""

    def table(*rows: tuple[float, float], **more: Any) -> pa.Table:
        onset, offset = zip(*rows, strict=True)
        return pa.table({**more, "file": ["f"] * len(rows), "onset": onset, "offset": offset})

    run = scorespec.score(
        "zerospeech2015",
        phones=table((0.0, 0.1), (0.14, 0.24), label=["a", "b"]),
        words=table(word, label=["w"]),
        fragments=table(fragment, cluster=["c"]),
        folds=table(fold, fold=[0]),
        params={"inside": "whole"},
        metrics=["boundary"],
        keep_evidence=False,
    )
    assert run.value("boundary", "precision", speakers="all") == 1
