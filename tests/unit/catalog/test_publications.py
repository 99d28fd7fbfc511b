"""Citations: an entry of `publications` with a place, or words that are printed as they are."""

import re

import pytest

import toy
from marks import some
from scorespec.catalog.lookup import load_catalog
from scorespec.errors import SpecError, UsageError
from scorespec.show import bibtex, show

ENTRY = """
publications:
  smith2020:
    type: article
    about: How to count
    authors: [Ann Smith, "{NIST}", Bob Jones, others]
    venue: Counting 7
    year: 2020
    doi: 10.1000/1
  tool3: {about: tool 3, authors: [Ann Smith], url: "https://example.org"}
"""
METRIC = "  own: {extends: accuracy, about: Mine., cites: [%s]}\n"


def catalog(*cites):
    return toy.catalog("metrics:\n" + METRIC % ", ".join(f'"{each}"' for each in cites) + ENTRY)


def test_a_citation_names_an_entry_and_a_place():
    text = show(catalog("smith2020, eq. 3", "tool3"), "own")
    full = (
        "    Ann Smith, NIST, Bob Jones and others (2020), eq. 3. How to count. Counting 7. https://doi.org/10.1000/1\n"
    )
    assert f"  sources:\n{full}    Ann Smith. tool 3. https://example.org\n" in text


def test_entries_that_ship_can_be_cited():
    assert "\n    Andrew Cameron Morris, Viktoria Maier and Phil Green (2004), page 3. From WER" in show(
        catalog("morris2004, page 3"), "own"
    )


@pytest.mark.parametrize("words", ["Smith and Jones 2020", "smith", "smith, eq. 3", "Smith2020", "smith2020 eq. 3"])
def test_words_are_printed_as_they_are(words):
    assert f"  sources:\n    {words}\n" in show(catalog(words), "own")


@pytest.mark.parametrize("cite", ["smith2021", "smith2021, eq. 3"])
def test_an_unknown_entry_is_refused(cite):
    with pytest.raises(SpecError, match=r":\d+:\d+: unknown publication 'smith2021'; did you mean 'smith2020'\?$"):
        show(catalog("tool3", cite), "own")


def test_bibtex():
    assert (
        bibtex(catalog("smith2020, eq. 3", "words", "smith2020"), "own")
        == """@article{smith2020,
  author = {Ann Smith and {NIST} and Bob Jones and others},
  title = {{How to count}},
  journal = {Counting 7},
  year = {2020},
  doi = {10.1000/1},
}"""
    )
    assert bibtex(catalog(), "tool3").endswith("  url = {https://example.org},\n}")
    with pytest.raises(UsageError, match="'own' cites no entry of `publications`"):
        bibtex(catalog("words"), "own")


def test_what_ships_cites_entries_only():
    shipped = load_catalog()
    defined = [shipped.definition(key) for section in ("metrics", "suites") for key in shipped.keys(section)]
    for each in some(defined):
        names = shipped.namespace(each.domain, each.suite)
        assert all(names.publication(cite) for cite in each.cites), each.full_name
    for key in shipped.keys("publications"):
        assert re.fullmatch(r"(10\.\S+)?", shipped.definition(key).doi)
