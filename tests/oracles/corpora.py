"""Small adversarial corpora and submissions for term discovery, as a hypothesis strategy.

Times lie on a grid of 1 or 10 ms and fragment edges near phone and word edges, so that exact ties of the edge
rule (30 ms, 50 %) are common. Phones of a file are never nested: onsets and offsets both increase strictly.
"""

from itertools import pairwise
from typing import NamedTuple

from hypothesis import strategies as st

from oracles.tdev2 import Fragment, Phone, Word

LABELS = ("a", "b", "ɛː", "SIL", "SPN")  # a non-ASCII label, and both silences
WORD_LABELS = ("one", "two", "été", "SPN", "SIL")  # few: homophones and pronunciation variants abound
DURATIONS = (10, 20, 30, 40, 50, 60, 70, 80, 100, 120)  # ms, around the 60 ms that parts the edge rule
STEPS = (0, 0, 0, 0, 10, 30, 100, -10, -20)  # ms from a phone to the next: mostly none, gaps, overlaps
JITTERS = (0, 0, 10, 20, 30, 40, 50)  # ms between a fragment edge and the edge that it is near


class Corpus(NamedTuple):
    """Gold phones, gold words and the discovered fragments."""

    phones: list[Phone]
    words: list[Word]
    fragments: list[Fragment]


class Row(NamedTuple):
    """A phone or word within a file; times in whole milliseconds."""

    onset: int
    offset: int
    label: str


@st.composite
def milliseconds(draw: st.DrawFn, values: tuple[int, ...], fine: bool) -> int:
    """One of the values, on a fine grid now and then a little beside it."""
    return draw(st.sampled_from(values)) + (draw(st.sampled_from((0, 0, 0, -1, 1, 2))) if fine else 0)


@st.composite
def files(draw: st.DrawFn, lexicon: list[list[str]], fine: bool) -> tuple[list[Row], list[Row]]:
    """Phones and words of one file: runs of phones taken from the lexicon, some of them words."""
    phones: list[Row] = []
    words: list[Row] = []
    grid = 1 if fine else 10
    onset = max(0, draw(milliseconds((0, 50, 100), fine)))
    target = draw(st.integers(3, 13))
    while len(phones) < target:
        run: list[Row] = []
        for label in draw(st.sampled_from(lexicon)):
            earliest = phones[-1].offset + grid if phones else 0
            run.append(Row(onset, max(onset + draw(milliseconds(DURATIONS, fine)), earliest), label))
            phones.append(run[-1])
            onset = max(run[-1].offset + draw(milliseconds(STEPS, fine)), onset + grid)
        # Mostly one word; else none, or a second word at the end of the first (both may be covered equally).
        for start in draw(st.sampled_from(((0,), (0,), (0,), (0, len(run) - 1), ()))):
            words.append(Row(run[start].onset, run[-1].offset, draw(st.sampled_from(WORD_LABELS))))
    return phones, sorted({(word.onset, word.offset): word for word in words}.values())


@st.composite
def spans(draw: st.DrawFn, phones: list[Row], words: list[Row], fine: bool) -> tuple[int, int]:
    """A fragment around a word or run of phones, over the seam of two words, in a gap or past the end."""
    kind = draw(st.sampled_from(("word", "word", "phones", "phones", "seam", "gap", "beyond")))
    last = phones[-1].offset
    gaps = [(a.offset, b.onset) for a, b in pairwise(phones) if a.offset < b.onset]
    if kind == "beyond":
        onset = max(0, last + draw(milliseconds((-60, -30, 0, 500), fine)))
        return onset, max(onset, last) + draw(milliseconds(DURATIONS, fine))
    if kind == "gap" and gaps:
        return draw(st.sampled_from(gaps))
    if kind == "seam" and len(words) > 1:  # the same share of two neighbours
        share = draw(st.sampled_from((2, 3, 4, 5)))
        a, b = draw(st.sampled_from(list(pairwise(words))))
        onset, offset = a.offset - (a.offset - a.onset) // share, b.onset + (b.offset - b.onset) // share
    else:
        first, final = sorted(draw(st.tuples(st.sampled_from(phones), st.sampled_from(phones))))
        if kind == "word" and words:
            first = final = draw(st.sampled_from(words))
        onset, offset = (
            draw(st.sampled_from((edge, edge, row.offset - 30, row.onset + 30, (row.onset + row.offset) // 2)))
            + draw(milliseconds(JITTERS, fine)) * draw(st.sampled_from((0, 0, 1, -1)))
            for edge, row in ((first.onset, first), (final.offset, final))
        )
    return max(onset, 0), max(offset, max(onset, 0) + 1)


@st.composite
def small_corpora(draw: st.DrawFn) -> Corpus:
    """One to three files, up to 15 phones in each, and up to five clusters of fragments of them."""
    fine = draw(st.booleans())
    labels = st.sampled_from(draw(st.lists(st.sampled_from(LABELS), min_size=1, max_size=5)))
    lexicon = draw(st.lists(st.lists(labels, min_size=1, max_size=3), min_size=1, max_size=4))
    gold = {"f1": draw(files(lexicon, fine))}
    for name in ("f2", "fü3")[: draw(st.integers(0, 2))]:
        phones, words = gold["f1"]  # a twin has the same times, words and perhaps labels as the first file
        match draw(st.sampled_from(("own", "twin", "relabelled"))):
            case "own":
                phones, words = draw(files(lexicon, fine))
            case "relabelled":
                phones = [row._replace(label=draw(labels)) for row in phones]
        gold[name] = phones, words
    # Members come from a small pool, so that clusters repeat their own and each other's, in any file.
    homes = draw(st.lists(st.sampled_from(sorted(gold)), min_size=1, max_size=8))
    pool = [draw(spans(*gold[home], fine)) for home in homes]
    member = st.tuples(st.sampled_from(sorted(gold)), st.sampled_from(pool))
    sizes = [draw(st.sampled_from((2, 1, 3, 4))) for _ in range(draw(st.sampled_from((1, 2, 3, 4, 5, 0))))]
    clusters = [[draw(member) for _ in range(size)] for size in sizes]

    def rows(part: int) -> list[tuple[str, float, float, str]]:
        return [(f, r.onset / 1000, r.offset / 1000, r.label) for f in gold for r in gold[f][part]]

    fragments = [(str(c), f, on / 1000, off / 1000) for c, ms in enumerate(clusters) for f, (on, off) in ms]
    return Corpus(rows(0), rows(1), fragments)
