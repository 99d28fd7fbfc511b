"""Inputs of one format that were swapped, or one file that was given for both, have a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

import scorespec

DATA = Path(__file__).parents[1] / "data" / "term_discovery"


def warned(suite: str, phones: str, words: str, corpus: str = "alpha") -> list[str]:
    """The warnings of validation that ask about the two inputs."""
    folder = DATA / "stress" if corpus.startswith("s") else DATA
    fragments = "mixed" if corpus.startswith("s") else "jitter"
    inputs = {
        "phones": folder / f"{corpus}.{phones}",
        "words": folder / f"{corpus}.{words}",
        "fragments": folder / f"{corpus}.{fragments}.class",
    }
    return [each for each in scorespec.validate(suite, inputs=inputs).warnings if "?" in each]


@pytest.mark.parametrize("corpus", ["alpha", "beta", "s0", "s1"])
def test_right_inputs_have_no_warning(corpus: str) -> None:
    assert warned("zerospeech2017", "phn", "wrd", corpus) == []


@pytest.mark.parametrize("corpus", ["alpha", "beta", "s1"])
def test_swapped_inputs_are_seen(corpus: str) -> None:
    (said,) = warned("zerospeech2017", "wrd", "phn", corpus)
    assert "are the inputs phones and words swapped?" in said


@pytest.mark.parametrize("both", ["phn", "wrd"])
def test_one_file_for_both_inputs_is_seen(both: str) -> None:
    (said,) = warned("zerospeech2015", both, both)
    assert said.startswith("6 of 6 recordings have the same times and labels for words and for phones")
