"""The page that lists what the publications define: each place, the cases that reproduce it, and their numbers.

The places are listed here. What reproduces a place is a case of the documents in specs/ with the tag `DOCUMENT PLACE`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from reference.markdown import Lines, cell, file, table
from scorespec.check.documents_checked import TaggedCase, tagged_cases


@dataclass(frozen=True)
class Published:
    """A publication: the name that its tags begin with, what it is, its suites, and its places in order."""

    name: str
    about: str
    suites: str
    places: dict[str, str]  # what each place says, by place
    left_out: dict[str, str]  # why a place has no case


INTRODUCTION = """\
# What the publications define

Look up an equation, a table or an example of a publication, and see what scorespec computes there.

Five documents define the metrics of the suites. Every equation, number and example of these documents has at
least one **case**: a small input whose scores were worked out by hand, or by a query that was written for the
case, or the reason why it has none. If the document prints the number, it is next to our score. If the two
differ, the page says why.

`scorespec check` computes all cases, and this page is generated from them. `check --tag` computes those of one
place:

```console
$ scorespec check --tag "section 4.3 SSF"
MediaEval 2013 section 4.3 SSF
  ssf, …specs/term_detection/resources/ssf.yaml:…
  3 hours on 16 cores are 48 CPU hours. The queries last 900 s and the audio 300 h, and 0.25 h · 300 h is 75 h².
  value: printed 0.8, ours 0.64
  differs: 48 / 75 is 0.64. The printed number would need 60 CPU hours.
1 case: all well
```

A score equals a printed number if it rounds to that number. Where a printed formula is wrong, or differs from
what we compute, the column "printed" has what the printed formula gives. An equation without a printed number
has a case as well.
"""

DIFFERENCES = """\
## Where our numbers differ
"""

DETECTION = Published(
    "MediaEval 2013",
    """L. J. Rodriguez-Fuentes and M. Penagarikano, *MediaEval 2013 Spoken Web Search Task: System Performance
Measures*, 30 May 2013.

Most examples are about one small corpus of 1,000 s of audio. Query A occurs twice, B once, and C never. The
system lists A at one of its occurrences (score 0.9, YES) and elsewhere (0.8, YES), B at its occurrence (0.7,
NO) and elsewhere (0.6, NO), and C (0.5, YES). Queries that do not occur are not scored.""",
    "`sws2013`, `sws2012`, `std2006` and `resources` of [term detection](../term-detection.md)",
    {
        "section 2.1": "Detections and occurrences are aligned one to one. The midpoint is within 0.5 s of the "
        "occurrence, and the number of aligned pairs is the largest possible.",
        "Eq 1": "Miss rate of a query.",
        "Eq 4": "Mean miss rate over queries.",
        "Eq 2": "Number of other trials of a query: trials per second times seconds, minus occurrences.",
        "Eq 3": "False alarm rate of a query.",
        "Eq 5": "Mean false alarm rate over queries.",
        "section 2.2.1": "Trials can also be segments of speech, or documents.",
        "Eq 6": "Term-weighted value: 1 minus the miss rate, minus β times the false alarm rate.",
        "Eq 7": "β, from the costs and the prior.",
        "section 2.3": "The value is 1 for a perfect system, 0 for a system that rejects all trials, −β for the worst. "
        "MTWV is the value at the best threshold.",
        "Eq 8": "Detection cost.",
        "Eq 9": "Cost of always giving the cheaper of the two answers.",
        "Eq 10": "Normalised detection cost.",
        "Eq 11": "Normalised cost if rejecting is cheaper: miss rate plus β times false alarm rate.",
        "section 2.5": "The operating point of 2006: costs of 10 and 1, a prior of 0.0001, so β is 999.9.",
        "Eq 12": "Empirical prior, if all queries have equally many occurrences.",
        "Eq 13": "Mean miss rate, in numbers of all queries together.",
        "Eq 14": "Mean false alarm rate, in numbers of all queries together.",
        "Eq 15": "Normalised cost, as a weighted sum of misses and false alarms per occurrence.",
        "Eq 16": "The same sum if the prior is the empirical prior: a false alarm weighs the quotient of the costs. "
        "Rejecting all trials costs 1.",
        "Eq 17": "The prior of 2012: occurrences of all queries, divided by trials of one query.",
        "Eq 18": "β of 2012.",
        "Eq 19": "Normalised cost of 2012: a miss weighs as much as |Q|·α false alarms.",
        "Eq 20": "α, which is a little more than 1.",
        "Eq 21": "The operating point of 2013: a prior of 0.00015, costs of 1 and 100. A miss weighs 100 false alarms, "
        "and β is 66.66.",
        "Eq 22": "The effective prior has the same odds as costs and prior together.",
        "Eq 23": "Effective prior; 0.0148 in 2013.",
        "Eq 24": "Normalised cost, with the effective prior.",
        "Eq 25": "Expected cost of a decision.",
        "Eq 26": "The decision with the smaller expected cost.",
        "Eq 27": "Odds after the score: likelihood ratio times prior odds.",
        "Eq 28": "Likelihood ratio.",
        "Eq 29": "Accept if the likelihood ratio is above the odds against a target.",
        "Eq 30": "Accept if the log-likelihood ratio is above minus the log odds of the effective prior. (Section 2.1 "
        "also accepts a score that is equal to the threshold.)",
        "Eq 31": "The threshold with the smallest expected cost.",
        "Eq 32": "Logarithmic cost of a score.",
        "Eq 33": "Probability of the truth, for true and for false trials.",
        "Eq 34": "Odds of a target, from its log-likelihood ratio and the prior.",
        "Eq 35": "Probability of a target.",
        "Eq 36": "Probability of no target.",
        "Eq 37": "Logarithmic cost of a true and of a false trial.",
        "footnote 5": "The cost with a prior of 1/2.",
        "Eq 38": "Cross entropy of the submitted scores, in bits.",
        "Eq 39": "Entropy of the prior.",
        "Eq 40": "Normalised cross entropy: 0 for a perfect system, 1 for scores that say nothing.",
        "Eq 41": "Number of all trials: queries times trials per second times seconds.",
        "Eq 42": "Trials that are not listed have the smallest submitted score.",
        "Eq 43": "Cross entropy over all trials.",
        "Eq 44": "Calibration by an affine map of the scores.",
        "Eq 45": "Minimum normalised cross entropy over all affine maps.",
        "section 4.2.5": "Calibration loss: the normalised cross entropy minus its minimum.",
        "section 4.3 ISF": "Indexing speed factor. 14 hours on 16 cores for 300 hours of audio are 0.7467.",
        "Eq 46": "Searching speed factor: search time divided by the product of the times of queries and audio.",
        "Eq 47": "The time of queries counts all their examples.",
        "section 4.3 SSF": "Searching speed factor of 3 hours on 16 cores, 900 s of queries and 300 hours of "
        "audio: 0.8.",
        "section 4.3 PMU": "Peak memory usage: the largest value of all steps and nodes.",
        "Eq 48": "Processing load, with λ = 0.1.",
    },
    {},
)
ENTITIES = Published(
    "Burger 1998",
    """J. D. Burger, D. Palmer and L. Hirschman, *Named Entity Scoring for Speech Input*, 1998.

Of Table 1, our copy of the paper has only the row for type. The text says which extents are correct, and that
the content of hypothesis 6 is correct. The content of the other hypotheses follows from the definition, so it
has no printed number.""",
    "`speech_ne` and `muc_ne` of [named entities](../named-entities.md), `wer` of [word errors](../wer.md)",
    {
        "Example 1": "Two texts with tagged entities: what the reference has, and what was recognised.",
        "section 2.1": "Punctuation and case are ignored. Times of reference words are estimated from their segment. "
        "Runs of three identical words divide the texts.",
        "Example 2": "Alignment of the two texts word by word, as by sclite, and by sound.",
        "Example 3": "Two texts that both aligners align badly.",
        "section 2.3": "Entities are mapped from left to right; a mapping with the best score is announced.",
        "section 2.4": "Only the words that both entities have in common count for content.",
        "Example 4": "Six hypotheses for one reference entity.",
        "Table 1": "Are type, extent (with a tolerance of 0 and of 1) and content of each hypothesis correct?",
        "section 2.5": "Each component that is wrong, missing or spurious counts in precision, recall and F.",
        "footnote 7": "Slot error rate, which counts a substitution once.",
        "footnote 8": "The mode of the MUC scorer: type and text, no tolerance.",
        "footnote 6": "Between the runs of identical words, 20 to 30 words remain on average.",
        "Table 2": "F on speech if word errors alone counted: 0.65 · 0.47 is 0.31, and 0.85 · 0.80 is 0.68.",
        "Table 2, scores": "F of two systems on reference text and on recogniser output, by two scorers.",
        "Table 3": "F with two aligners and three tolerances.",
    },
    {
        "footnote 6": "Needs the annotated broadcast news of 1996, which the paper does not contain. "
        "`coarse_segmentation` computes the number for any corpus.",
        "Table 2, scores": "Needs the annotated broadcast news of 1996 and the output of two systems, which the paper "
        "does not contain.",
        "Table 3": "Needs the annotated broadcast news of 1996 and the output of a system, which the paper does not "
        "contain.",
    },
)
DISCOVERY = Published(
    "ZeroSpeech 2015",
    """*Zerospeech 2015*: the definitions of the evaluation of spoken term discovery. The equations have no
numbers, so places are named by what they define.

Most examples are about one small corpus. Recording f1 has the phones a b c a b, and f2 has a b d e. The words
are "a b", "c" and "a b" in f1, and "a b", "d" and "e" in f2. Cluster c1 has "a b" (twice, in f1) and "b d" (in
f2). Cluster c2 has "c" (in f1) and "a b" (in f2). Each phone lasts 0.1 s.""",
    "[`zerospeech2015`](../zerospeech2015.md); [`tde2015`](../tde2015.md) is what the program of the challenge "
    "computes",
    {
        "transcription": "T: a phone at the edge of a fragment belongs to it if more than 30 ms or more than 50 "
        "% of it "
        "are covered.",
        "substring completion": "P_disc*: the sub-pairs of ⟨abcd, efg⟩ are ⟨abc, efg⟩, ⟨ab, ef⟩, ⟨bc, fg⟩, ⟨bcd, efg⟩, "
        "and so on.",
        "overlap": "Two fragments overlap if they share more than half of their time.",
        "F_all": "All spans of 3 to 20 phones of the corpus.",
        "sets": "C_disc, F_disc, P_disc, P_clus, P_goldclus: clusters, fragments and pairs.",
        "B_disc": "An edge is the nearest phone boundary less than 30 ms away, and −1 if there is none.",
        "F-score": "Precision, recall, and F as their harmonic mean.",
        "NED": "Mean normalised edit distance of the pairs of a cluster.",
        "ned": "Normalised edit distance of a pair: 0 if transcriptions are equal, 1 if they differ in all phonemes.",
        "Coverage": "Time covered by found pairs, divided by time covered by all pairs of the corpus.",
        "cover": "Time that a set of pairs covers.",
        "Matching": "Precision and recall of found pairs with their sub-pairs.",
        "Grouping": "Precision and recall of the pairs within clusters.",
        "P_clus": "Pairs of fragments of one cluster.",
        "Type": "Precision and recall of distinct transcriptions, against those of words.",
        "Token": "Precision and recall of fragments, against words.",
        "Boundary": "Precision and recall of edges, against edges of words.",
        "entire corpus": "Scores are over the entire corpus and not over what the submission covers.",
        "within speaker": "Scores also with pairs of one speaker only.",
        "ned, frames": "The printed denominator of the normalised edit distance is a number of frames.",
        "subsampling": "The corpus is cut into 10 parts; scores are means over the parts.",
    },
    {
        "ned, frames": "By the text, the distance is 1 if all phonemes differ. That is impossible if a number "
        "of frames "
        "divides it. Ours divides by the number of phones of the longer transcription.",
        "subsampling": "The suite averages over 10 folds (`n_folds`), and a case scores one metric without folds. "
        "`tests/conformance/test_zerospeech2015.py` compares the means.",
    },
)
TOKENS = Published(
    "ZeroSpeech token_boundary",
    """*Token and Boundary Measures*: a page of the documentation of the ZeroSpeech evaluation. The definitions
are those of 2015; the corpus of the examples is that of the section above.""",
    "[`zerospeech2015`](../zerospeech2015.md); [`zerospeech2017`](../term-discovery.md) is what the program tdev2 "
    "computes",
    {
        "Token": "Precision and recall of fragments, against words. (tdev2 compares transcriptions; a word has "
        "one hit.)",
        "Boundary": "Precision and recall of edges, against edges of words. (In tdev2 an onset only matches an onset.)",
        "B_disc": "An edge is the nearest phone boundary less than 30 ms away, and −1 if there is none.",
        "entire corpus": "Scores are over the entire corpus and not over what the submission covers.",
        "within speaker": "Scores also with pairs of one speaker only.",
        "subsampling": "The corpus is cut into n equal parts; scores are means over the parts.",
    },
    {"subsampling": DISCOVERY.left_out["subsampling"]},
)
ARTICULATION = Published(
    "articubench",
    """*Scores*: the page on the scores in the documentation of articubench 0.3.5. Where the code of articubench
does something else, there are examples of both.

Most examples are about two tokens, t and u, with vectors of two dimensions, spectrograms of two frames and two
bands, and three labels, a, b and c.""",
    "`articubench`, as programmed, and `articulation` of [articulatory synthesis](../articulation.md)",
    {
        "introduction": "No error scores 100, and an error of the size of the baseline scores 0. Scores of groups and "
        "the total are sums.",
        "tasks": "Three tasks: copy-synthesis, semantic-only, acoustic-only.",
        "section 1.1": "Articulatory score: the sum of its three subscores.",
        "section 1.2": "Tongue height: error of the height, relative to the baseline.",
        "section 1.3": "EMA: errors of two sensors on three axes, relative to the baseline.",
        "section 1.4": "Velocity and jerk: the 99.9 % quantile, on a logarithmic scale. No formula is printed.",
        "section 2.1": "Acoustic score: the sum of its two subscores.",
        "section 2.2": "Loudness: error of the loudness, relative to the baseline.",
        "section 2.3": "Spectrogram: error of the log-mel spectrogram, relative to the baseline.",
        "section 3.1": "Semantic score: the sum of its two subscores.",
        "section 3.2": "Semantic distance: error of the semantic vector, relative to the baseline.",
        "section 3.3": "Semantic rank: rank of the right label, compared with all labels.",
        "section 3.4": "Rank of the right label among all labels.",
    },
    {},
)
DOCUMENTS = (DETECTION, ENTITIES, DISCOVERY, TOKENS, ARTICULATION)


Cases = Sequence[TaggedCase]
Tagged = Mapping[str, Cases]  # the cases of a place, by tag


def tags() -> set[str]:
    """The tags that cases should have: of each place that is not left out."""
    return {f"{each.name} {place}" for each in DOCUMENTS for place in each.places.keys() - each.left_out.keys()}


def published_page() -> Lines:
    """The page, from the cases with tags."""
    tagged: dict[str, list[TaggedCase]] = {}
    for case in tagged_cases(""):
        for tag in case.case.tags:
            tagged.setdefault(tag, []).append(case)
    yield from INTRODUCTION.splitlines()
    yield from table(
        ("document", "places", "cases", "printed numbers", "equal", "different", "places without a case"),
        (_summary(each, _of(each, tagged)) for each in DOCUMENTS),
    )
    yield from DIFFERENCES.splitlines()
    yield from table(
        ("place", "printed", "ours", "why"),
        (
            (_place(each, case), _printed(case), _ours(case, case.case.printed), cell(case.case.differs))
            for each in DOCUMENTS
            for case in _of(each, tagged)
            if case.case.differs
        ),
    )
    for each in DOCUMENTS:
        yield from (f"## {each.name}", "", each.about, "", f"Suites: {each.suites}.")
        yield from table(("what it says", "example", "printed", "ours"), _rows(each, tagged))


def _of(document: Published, tagged: Tagged) -> Cases:
    """The cases of a document, each once."""
    found = [case for place in document.places for case in tagged.get(f"{document.name} {place}", ())]
    return list({id(case): case for case in found}.values())


def _summary(document: Published, cases: Cases) -> Iterator[str]:
    numbers = [case for case in cases for _ in case.case.printed]
    different = sum(1 for case in numbers if case.case.differs)
    counts = len(document.places), len(cases), len(numbers), len(numbers) - different, different, len(document.left_out)
    yield f"[{document.name}](#{document.name.lower().replace(' ', '-')})"
    yield from map(str, counts)


def _rows(document: Published, tagged: Tagged) -> Iterator[Sequence[str]]:
    """A row per case; places that follow each other and have the same cases are named together."""

    def same(place: str) -> object:
        return [id(case) for case in tagged.get(f"{document.name} {place}", ())] or place

    for _, together in groupby(document.places, key=same):
        places = list(together)
        said = "<br>".join(f"**{each}** {cell(document.places[each])}" for each in places)
        if reason := document.left_out.get(places[0]):
            yield (said, f"*No case.* {reason}", "", "")
        for case in tagged.get(f"{document.name} {places[0]}", ()):
            page = f"{file(case.names.domain)}/{case.metric}.md"
            yield (said, f"{cell(case.case.about)} ([`{case.metric}`]({page}))", _printed(case), _ours(case))
            said = ""


def _place(document: Published, case: TaggedCase) -> str:
    return f"{document.name}, " + ", ".join(
        tag.removeprefix(f"{document.name} ") for tag in case.case.tags if tag.startswith(f"{document.name} ")
    )


def _printed(case: TaggedCase) -> str:
    return _numbers({name: str(number) for name, number in case.case.printed.items()})


def _ours(case: TaggedCase, names: Collection[str] = ()) -> str:
    """The scores of a case, or those with some names; in bold where they are not what is printed."""
    scores = {name: each for name, each in case.scores.items() if name in names or not names}
    text = _numbers({name: "undefined" if each is None else f"{each:.6g}" for name, each in scores.items()})
    return f"**{text}**" if case.case.differs else text


def _numbers(texts: Mapping[str, str]) -> str:
    """Numbers with the names of their components; that of the component `value` comes first, without its name."""
    main = [texts["value"]] if "value" in texts else []
    return ", ".join([*main, *(f"{name} {text}" for name, text in texts.items() if name != "value")])
