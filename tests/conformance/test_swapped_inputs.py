"""Phones and words that do not fit have a warning: swapped files, one file for both, words that end inside a phone."""

from __future__ import annotations

from pathlib import Path

import pytest

import scorespec
from marks import first

DATA = Path(__file__).parents[1] / "data" / "term_discovery"


PHONES = "f 0 0.1 a\nf 0.1 0.2 b\nf 0.2 0.4 SIL\nf 0.4 0.5 c\nf 0.5 0.6 d\n"
WORDS = "f 0 0.204 one\nf 0.2 0.4 <eps>\nf 0.4 0.6 two\n"
UNFIT = "1 of 3 words do not begin and end at a phone boundary, "
PAUSE = "1 of 3 words have labels that usually mean silence, "


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


@pytest.mark.parametrize("corpus", first(["alpha", "beta", "s0", "s1"]))
def test_right_inputs_have_no_warning(corpus: str) -> None:
    assert warned("zerospeech2017", "phn", "wrd", corpus) == []


@pytest.mark.parametrize("corpus", first(["alpha", "beta", "s1"]))
def test_swapped_inputs_are_seen(corpus: str) -> None:
    (said,) = warned("zerospeech2017", "wrd", "phn", corpus)
    assert "are the inputs phones and words swapped?" in said


@pytest.mark.parametrize("both", ["phn", "wrd"])
def test_one_file_for_both_inputs_is_seen(both: str) -> None:
    (said,) = warned("zerospeech2015", both, both)
    assert said.startswith("6 of 6 recordings have the same times and labels for words and for phones")


@pytest.mark.parametrize("suite", first(["zerospeech2015", "zerospeech2017", "tde2015"]))
def test_words_that_do_not_fit_the_phones_have_a_warning(suite: str, tmp_path: Path) -> None:
    """The word `one` ends 4 ms after its last phone; `<eps>` counts as a word. Labels of silent_words are no words."""
    for name, text in (("p.phn", PHONES), ("w.wrd", WORDS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    inputs = {"phones": tmp_path / "p.phn", "words": tmp_path / "w.wrd"}
    said = scorespec.validate(suite, inputs=inputs).warnings
    assert [each[: len(UNFIT)] for each in said if each.endswith(": f")] == [UNFIT]
    assert [each[: len(PAUSE)] for each in said if each.endswith(": <eps>")] == [PAUSE]
    without = scorespec.validate(suite, inputs=inputs, params={"silent_words": ["<eps>", "one"]}).warnings
    assert not [each for each in without if "words" in each and each.startswith("1 of")]


@pytest.mark.parametrize("corpus", first(["alpha", "beta"]))
def test_words_that_fit_have_no_warning(corpus: str) -> None:
    inputs = {"phones": DATA / f"{corpus}.phn", "words": DATA / f"{corpus}.wrd"}
    assert scorespec.validate("zerospeech2017", inputs=inputs).warnings == []
