"""Changes of the input that mean nothing change no byte of the scores."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import scorespec
from marks import first, slow

DATA = Path(__file__).parents[1] / "data" / "term_discovery"
SUFFIXES = {"phones": ".phn", "words": ".wrd", "fragments": ".class"}
Texts = dict[str, str]
Unchanged = Callable[[str, str], list[dict[str, Any]]]


def texts(corpus: str, submission: str) -> Texts:
    names = {"phones": f"{corpus}.phn", "words": f"{corpus}.wrd", "fragments": f"{corpus}.{submission}.class"}
    return {name: (DATA / file).read_text() for name, file in names.items()}


def scores(folder: Path, inputs: Texts, **options: Any) -> list[dict[str, Any]]:
    paths = {}
    for name, text in inputs.items():
        paths[name] = folder / f"{name}{SUFFIXES[name]}"
        paths[name].write_text(text)
    return scorespec.score("zerospeech2017", keep_evidence=False, **paths, **options).scores.to_pylist()


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Unchanged:
    """The scores of a submission as it is."""

    @cache
    def found(corpus: str, submission: str) -> list[dict[str, Any]]:
        return scores(tmp_path_factory.mktemp(submission), texts(corpus, submission))

    return found


def shuffled_lines(inputs: Texts) -> Texts:
    """Lines of phones and words in any order; clusters in any order, and their members."""
    rng = random.Random(7)
    changed = {}
    for name in ("phones", "words"):
        lines = inputs[name].splitlines()
        rng.shuffle(lines)
        changed[name] = "\n".join(lines)
    clusters = [block.splitlines() for block in inputs["fragments"].strip().split("\n\n")]
    rng.shuffle(clusters)
    for block in clusters:
        members = block[1:]
        rng.shuffle(members)
        block[1:] = members
    changed["fragments"] = "\n\n".join("\n".join(block) for block in clusters) + "\n\n"
    return changed


def renamed(inputs: Texts, column: int, table: str, rename: Callable[[str], str]) -> Texts:
    lines = [line.split() for line in inputs[table].splitlines()]
    for line in lines:
        line[column] = rename(line[column])
    return {**inputs, table: "\n".join(" ".join(line) for line in lines)}


def renamed_labels(inputs: Texts) -> Texts:
    """Every phone label longer, in the same order; SIL is told to the suite by name and stays."""
    return renamed(inputs, 3, "phones", lambda label: label if label == "SIL" else f"{label}ß")


def renamed_clusters(inputs: Texts) -> Texts:
    return {**inputs, "fragments": inputs["fragments"].replace("Class ", "Class c")}


def tolerated(inputs: Texts) -> Texts:
    """Tabs, carriage returns, blank lines and no final newline."""
    changed = {name: text.replace(" ", "\t").replace("\n", " \r\n") for name, text in inputs.items()}
    changed["fragments"] = "\r\n\r\n" + changed["fragments"].replace("Class\t", "Class  ").rstrip()
    return changed


@pytest.mark.parametrize("submission", first(["edges", "jitter", "offcorpus", "overlap"]))
@pytest.mark.parametrize("change", first([shuffled_lines, renamed_labels, renamed_clusters, tolerated], 2))
def test_changes_without_meaning(
    tmp_path: Path, unchanged: Unchanged, submission: str, change: Callable[[Texts], Texts]
) -> None:
    assert scores(tmp_path, change(texts("alpha", submission))) == unchanged("alpha", submission)


@pytest.mark.parametrize("submission", first(["edges", "jitter"]))
def test_files_renamed_in_order(tmp_path: Path, unchanged: Unchanged, submission: str) -> None:
    inputs = texts("alpha", submission)
    changed = {name: text.replace("alpha_", "zz/ålpha_") for name, text in inputs.items()}
    assert changed != inputs
    assert scores(tmp_path, changed) == unchanged("alpha", submission)


@pytest.mark.parametrize("submission", first(["edges", "overlap"]))
@pytest.mark.parametrize("options", first([{"threads": 1}, {"threads": 2}, {"memory_limit": "100MB"}]))
def test_threads_and_memory(tmp_path: Path, unchanged: Unchanged, submission: str, options: dict[str, Any]) -> None:
    assert scores(tmp_path, texts("beta", submission), **options) == unchanged("beta", submission)


def test_more_labels_than_one_byte_codes(tmp_path: Path, unchanged: Unchanged) -> None:
    """Each label split in six by its place in the file: over 94 labels take other codes, no other path."""
    inputs = texts("alpha", "jitter")
    places = itertools.cycle("012345")
    split = renamed(inputs, 3, "phones", lambda label: label + next(places))
    assert len({line.split()[3] for line in split["phones"].splitlines()}) > 94
    found = {(r["metric"], r["component"]): r["value"] for r in scores(tmp_path, split)}
    plain = {(r["metric"], r["component"]): r["value"] for r in unchanged("alpha", "jitter")}
    assert found["ned", "pairs"] == plain["ned", "pairs"]
    assert found["ned", "value"] > plain["ned", "value"]
    assert found["coverage", "value"] == plain["coverage", "value"]
    assert found["boundary", "fscore"] == plain["boundary", "fscore"]


@slow
def test_a_cluster_of_100_000_equal_fragments(tmp_path: Path) -> None:
    """Its pairs are five thousand million, and none of them is made."""
    count = 100_000
    phones = "".join(f"f {n / 10:.1f} {(n + 1) / 10:.1f} a\n" for n in range(count))
    inputs = {
        "phones": phones,
        "words": phones.replace(" a\n", " w\n"),
        "fragments": "Class 1\n" + phones.replace(" a\n", "\n"),
    }
    found = {(r["metric"], r["component"]): r["value"] for r in scores(tmp_path, inputs)}
    assert found["ned", "pairs"] == count * (count - 1) // 2
    assert found["ned", "value"] == 0
    assert {found["grouping", c] for c in ("precision", "recall", "fscore")} == {1}
    assert {found["token", c] for c in ("precision", "recall", "fscore")} == {1}
