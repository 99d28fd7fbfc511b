"""Counts how many scores equal those of other programs, and writes the counts into the documents: `make agreement`.

python tests/agreement.py                  all suites, whose records are written again
python tests/agreement.py wer meeting      these suites

The comparisons are those of tests/conformance. Data of others are read in place, where tests/external.py says. What is
not on this machine is skipped, with the reason, and keeps its record.
"""

from __future__ import annotations

import json
import math
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa

TESTS = Path(__file__).parent
sys.path[:0] = [str(TESTS), str(TESTS / "conformance")]

import test_articulation as articulation  # noqa: E402
import test_diarization as diarization  # noqa: E402
import test_diarization_programs as programs  # noqa: E402
import test_meetings as meetings  # noqa: E402
import test_named_entities as entities  # noqa: E402
import test_quesst2015 as quesst  # noqa: E402
import test_sclite_files as sclite_files  # noqa: E402
import test_tde2015 as tde  # noqa: E402
import test_tdev2 as tdev2  # noqa: E402
import test_term_detection as detection  # noqa: E402
import test_text_measures as measures  # noqa: E402
import test_verification as verification  # noqa: E402
import test_word_alignment as alignment  # noqa: E402
import test_zerospeech2015 as zerospeech  # noqa: E402

import scorespec  # noqa: E402
from external import BIASING, DIARIZATION, MEETEVAL, SAMPLE, SCTK  # noqa: E402
from scorespec.catalog.lookup import load_catalog  # noqa: E402
from scorespec.catalog.model import Suite  # noqa: E402

Pairs = Iterable[tuple[str, Any, Any]]  # what is compared, the score of the program, and ours
DIGITS = 1e-9


@dataclass(frozen=True)
class Comparison:
    """A comparison of a suite with a program on some data; ``compare`` gives the scores.

    ``lacks`` says why the comparison cannot be made on this machine. ``why`` explains a difference.
    """

    suite: str
    conforms_to: str
    data: str
    size: str
    source: str
    tolerance: float
    compare: Callable[[], Pairs]
    lacks: str = ""
    why: Callable[[str, Any, Any], str] = lambda name, theirs, ours: ""

    @property
    def key(self) -> tuple[str, str, str]:
        return self.suite, self.conforms_to, self.data

    def record(self) -> dict[str, Any]:
        """The record of the comparison. Raises AssertionError for a difference that nothing explains."""
        pairs = [*self.compare()]
        assert pairs, "nothing was compared"
        different = [pair for pair in pairs if not is_equal(*pair[1:], self.tolerance)]
        reasons = Counter(self.why(*pair) for pair in different)
        assert "" not in reasons, [pair for pair in different if not self.why(*pair)][:5]
        return {
            "conforms_to": self.conforms_to,
            "data": self.data,
            "size": self.size,
            "source": self.source,
            "compared": len(pairs),
            "equal": len(pairs) - len(different),
            "tolerance": self.tolerance,
            "differs": [f"{number}: {reason}" for reason, number in reasons.items()],
        }


def is_equal(theirs: Any, ours: Any, tolerance: float) -> bool:
    """Whether two scores are equal. Scores that are undefined are None, or not a number."""
    undefined = [each is None or each != each for each in (theirs, ours)]
    if any(undefined) or isinstance(theirs, str):
        return all(undefined)
    return bool(theirs == ours or math.isclose(float(theirs), float(ours), rel_tol=0, abs_tol=tolerance))


def absent(path: Path, what: str) -> str:
    return "" if path.is_dir() else f"{what} is not on this machine"


# -- comparisons -------------------------------------------------------------------------------------

OWN = "generated for this project, in tests/data"
PROGRAM = f"{OWN}; the program was run unmodified"
SAMPLE_OF_TDE = "github.com/bootphon/tde, the sample corpus and submission of the evaluator"
CRASHES = "tdev2 ends with an error where precision or recall is 0; the F score is 0 here"
MOVED = "with -w, md-eval moves turns to the words of an aligner, which errs in this file"
OPTIMUM = "KWSEval's optimum is above what any choice of thresholds reaches (option -i)"


def term_discovery() -> Iterator[Comparison]:
    corpora, size = "alpha, beta", "16 submissions to 2 corpora, 4,194 phones"
    lacks = absent(SAMPLE, "the sample corpus")
    yield Comparison(
        "zerospeech2017", "tdev2 2.0.2", corpora, size, PROGRAM, 1e-12, tdev2.compared,
        why=lambda name, theirs, ours: CRASHES if theirs in tdev2.CRASHED and ours == 0 else "",
    )  # fmt: skip
    sample = "sample.classes.example"
    yield Comparison(
        "zerospeech2017", "tdev2 2.0.2", sample, "13,405 fragments", SAMPLE_OF_TDE, 1e-12,
        lambda: tdev2.compared_on_the_sample(SAMPLE), lacks,
    )  # fmt: skip
    yield Comparison("tde2015", "tde 0.2.1", corpora, size, PROGRAM, 1e-12, tde.compared)
    yield Comparison(
        "tde2015", "tde 0.2.1", sample, "13,405 fragments", SAMPLE_OF_TDE, 1e-12,
        lambda: tde.compared_on_the_sample(SAMPLE), lacks,
    )  # fmt: skip
    yield Comparison(
        "zerospeech2015", "the definitions, pair by pair", "alpha, beta, s0, s1", "22 submissions to 4 corpora",
        f"{OWN}; a program that enumerates the pairs of the published definitions", 1e-12,
        lambda: (pair for with_utterances in (True, False) for pair in zerospeech.compared(with_utterances)),
    )  # fmt: skip


def of_cases(tool: str, compare: Callable[[str, Any], Pairs], suite: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The scores of all recorded cases of term detection; of one suite, if names of scores begin with it."""
    for case, record in (each.values for each in detection.records(tool)):
        for name, theirs, ours in compare(case, record):
            if name.startswith(suite):
                yield f"{record['case']} {name}", theirs, ours


def cases(tool: str) -> int:
    """The number of corpora of term detection that have a record of a program."""
    return len({each.values[0] for each in detection.records(tool)})


def term_detection() -> Iterator[Comparison]:
    folders = "tests/data/term_detection"
    yield Comparison(
        "openkws13", "F4DE 3.5.0 KWSEval", folders, f"{cases('NIST')} small corpora, some with options", PROGRAM, 1e-12,
        lambda: of_cases("NIST", detection.of_kwseval),
        why=lambda name, theirs, ours: OPTIMUM if name == "medium_small.inc upper_bound_twv.value" else "",
    )  # fmt: skip
    for suite in ("std2006", "sws2012", "sws2013"):
        yield Comparison(
            suite, "ref.py, an independent implementation", folders, f"{cases('ref.py')} small corpora",
            f"{OWN}; ref.py implements the equations of the MediaEval 2013 document", DIGITS,
            lambda suite=suite: of_cases("ref.py", detection.of_independent, f"{suite} "),
        )  # fmt: skip
    tools = {"MediaEvalQUESST2015.jar": PROGRAM, "ref_quesst.py, an independent implementation": OWN}
    for tool, source in tools.items():
        yield Comparison(
            "quesst2015", tool, "quesst_*", "6 sets of trials", source, 1e-8,
            lambda tool=tool: (
                (f"{record['case']} {what}", theirs, ours)
                for name, record in (each.values for each in quesst.RECORDS)
                if record["tool"].startswith(tool[:9])
                for what, theirs, ours in quesst.of_scorer(name, record)
            ),
        )  # fmt: skip


def of_sctk() -> Iterator[tuple[str, int, int]]:
    """The counts of each speaker in the runs of sclite that SCTK has on record."""
    for name in sclite_files.RUNS:
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = sclite_files.run_of_sclite(SCTK, Path(folder), name)
        for speaker in theirs.keys() | ours.keys():
            absent = (None,) * len(sclite_files.COUNTS)
            counts = zip(sclite_files.COUNTS, theirs.get(speaker, absent), ours.get(speaker, absent), strict=True)
            yield from ((f"{name} {speaker} {count}", *both) for count, *both in counts)


def of_noisy200() -> Iterator[tuple[str, Any, Any]]:
    """The steps of sclite's alignment, and its counts."""
    run = alignment.score(params=alignment.PROSE)
    steps, found = [each[:4] for each in alignment.path_of_sclite()], alignment.blocks(run)
    assert len(steps) == len(found)
    yield from (("step", 0, int(theirs != ours)) for theirs, ours in zip(steps, found, strict=True))
    yield from ((name, count, run.value("wer", name)) for name, count in alignment.COUNTS.items())


def of_jiwer() -> Iterator[tuple[str, int, int]]:
    """The errors and the characters of segments: of noisy200, and of random texts in several scripts."""
    import jiwer

    pairs = [tuple(" ".join(each[side]) for side in ("ref", "hyp")) for each in alignment.segments()]
    chance = random.Random("jiwer")
    letters = "abcdé ñøßжשαβ一二三人กขाक"
    for _ in range(300):
        one = "".join(chance.choices(letters, k=chance.randint(1, 30)))
        other = "".join(chance.choice(letters) if chance.random() < 0.3 else each for each in one)
        pairs.append((one, other[: chance.randint(0, len(other))] + one[: chance.randint(0, 3)]))
    pairs = [(" ".join(one.split()), " ".join(other.split())) for one, other in pairs]
    pairs = [each for each in pairs if all(each)]
    tables = [
        pa.table(
            {
                "document": ["d" for each in pairs for _ in each[side].split()],
                "segment": [f"{at}" for at, each in enumerate(pairs) for _ in each[side].split()],
                "token": [word for each in pairs for word in each[side].split()],
            }
        )
        for side in (0, 1)
    ]
    params = {"case": "keep", "unicode_form": "none"}
    inputs = dict(zip(("reference", "hypothesis"), tables, strict=True))
    run = scorespec.score("cer", inputs=inputs, params=params, by="segment", keep_evidence=False)
    for at, (one, other) in enumerate(pairs):
        theirs = jiwer.process_characters(one, other)
        errors = theirs.substitutions + theirs.deletions + theirs.insertions
        segment = {"segment": str(at)}
        yield f"{at} errors", errors, sum(run.value("cer", f"{each}s", **segment) for each in ERRORS)
        yield f"{at} characters", len(one), run.value("cer", "words", **segment)


ERRORS = ("substitution", "deletion", "insertion")


def of_meeteval() -> Iterator[tuple[str, float, float]]:
    for recorded in meetings.COMPARED:
        yield from ((f"{recorded} {name}", *both) for name, *both in meetings.of_meeteval(recorded))


def of_meeteval_examples() -> Iterator[tuple[str, float, float]]:
    for example in meetings.EXAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            yield from meetings.of_example(MEETEVAL, example, Path(folder))


def of_neref(mode: str) -> Iterator[tuple[str, Any, Any]]:
    """What neref.py recorded of noisy200 with all rules."""
    for record in (each for each in entities.EXPECTED["noisy200"] if each["params"]["mode"] == mode):
        run = entities.of_noisy200(record["params"]["alignment"], mode)
        yield from entities.recorded_values(run, record["values"], **entities.rules_of(record))


def transcripts() -> Iterator[Comparison]:
    noisy = "200 segments, 2,468 words"
    yield Comparison("wer", "sclite 2.10", "noisy200", noisy, PROGRAM, 0, of_noisy200)
    yield Comparison(
        "wer", "sclite 2.10", "test files of SCTK 2.4.12", "29 of 57 runs; the others need what is refused here",
        "github.com/usnistgov/SCTK, with the counts on record there", 0, of_sctk,
        absent(SCTK, "the test data of SCTK"),
    )  # fmt: skip
    yield Comparison(
        "cer", "jiwer 4.0.0", "noisy200, random texts", "200 and 300 segments",
        "generated for this project; case and form of Unicode are kept", 0, of_jiwer,
        "" if find_spec("jiwer") else "the package jiwer is not installed",
    )  # fmt: skip
    yield Comparison("meeting", "meeteval 0.4.3", "meetings", "40 random meetings", PROGRAM, 0, of_meeteval)
    yield Comparison(
        "meeting", "meeteval 0.4.3", "example_files", "8 pairs of transcripts", "github.com/fgnt/meeteval", 0,
        of_meeteval_examples, absent(MEETEVAL, "a copy of meeteval"),
    )  # fmt: skip
    yield Comparison(
        "wordlists", "score.py of fbai-speech", "LibriSpeech test-clean, test-other",
        "44 transcripts of 5,559 utterances",
        "github.com/facebookresearch/fbai-speech, with the counts on record there", DIGITS, measures.of_score_py,
        absent(BIASING, "a copy of fbai-speech"),
    )  # fmt: skip
    yield Comparison(
        "formatting", "NeMo 2.0.0", "tests/data/named_entities/punctuation.json",
        "60 texts with equal words, signs two words apart",
        PROGRAM, 1e-12, measures.of_nemo,
    )  # fmt: skip
    for suite, mode in {"speech_ne": "mitre", "muc_ne": "muc"}.items():
        yield Comparison(
            suite, "neref.py, an independent implementation", "noisy200", noisy, OWN, DIGITS,
            lambda mode=mode: of_neref(mode),
        )  # fmt: skip


def articulatory() -> Iterator[Comparison]:
    def compared(*of: Callable[[str], Pairs]) -> Pairs:
        return ((f"{task} {name}", *both) for each in of for task in articulation.TASKS for name, *both in each(task))

    size = "20 tokens in 3 tasks, 2 submissions"
    yield Comparison(
        "articubench", "articubench 0.3.5", "tests/data/articulation", size, PROGRAM, 1e-10,
        lambda: compared(articulation.of_program, articulation.of_program_by_token),
    )  # fmt: skip
    yield Comparison(
        "articulation", "ref_impl.py, an independent implementation", "tests/data/articulation", size, OWN, 1e-10,
        lambda: compared(articulation.of_independent),
    )  # fmt: skip


def of_diarization(suite: str, times_of_speech: bool) -> Iterator[tuple[str, Any, float | None]]:
    """What is recorded of the program of a suite: times of speech, which md-eval rounds, or the rest."""
    for record in (each for each in diarization.RECORDS if each["suite"] == suite):
        for pair in diarization.of_program(record):
            if times_of_speech == (suite == "der_mdeval" and " detection" in pair[0]):
                yield pair


def diarized() -> Iterator[Comparison]:
    tools = {"der_pyannote": "pyannote.metrics 4.2.0", "der_mdeval": "md-eval 22", "der_dscore": "dscore 1.1.0"}
    data = "tests/data/diarization"
    for suite, tool in tools.items():
        settings = sum(each["suite"] == suite for each in diarization.RECORDS)
        size = f"18 recordings with up to 5 speakers, 2 channels, {settings} runs"
        for times_of_speech in (False, True) if suite == "der_mdeval" else (False,):
            yield Comparison(
                suite, tool, f"{data}, times of speech" if times_of_speech else data, size, PROGRAM,
                diarization.SPEECH if times_of_speech else diarization.DIGITS[suite],
                lambda suite=suite, times_of_speech=times_of_speech: of_diarization(suite, times_of_speech),
            )  # fmt: skip
    md_eval_cases = [case for case in programs.CASES if case not in programs.REFUSED]
    md_eval, dscore, pyannote = (DIARIZATION[name] for name in ("md-eval", "dscore", "pyannote.metrics"))
    yield Comparison(
        "der_mdeval", tools["der_mdeval"], "test files of md-eval", f"{len(md_eval_cases)} cases",
        "github.com/usnistgov/SCTK, src/md-eval/test", programs.ROUNDED,
        lambda: (
            pair
            for case in md_eval_cases
            for pair in programs.of_md_eval(md_eval, case)
        ),
        absent(md_eval, "the test data of md-eval"),
        why=lambda name, theirs, ours: MOVED if name.split()[-1] in programs.MOVED.get(name.split()[0], ()) else "",
    )  # fmt: skip
    yield Comparison(
        "der_dscore", tools["der_dscore"], "test files of dscore", "1 recording", "github.com/nryant/dscore",
        5.1e-6, lambda: programs.of_dscore(dscore), absent(dscore, "the test data of dscore"),
    )  # fmt: skip
    yield Comparison(
        "der_pyannote", tools["der_pyannote"], "tests of pyannote.metrics", f"{len(programs.TESTS)} tests",
        "github.com/pyannote/pyannote-metrics", 1e-3,
        lambda: (pair for each in programs.TESTS for *pair, _ in programs.of_pyannote(pyannote, *each)),
        absent(pyannote, "a copy of pyannote.metrics"),
    )  # fmt: skip


def verified() -> Iterator[Comparison]:
    packages = ("bob.measure 6.1.1", "llreval 0.0.3", "lir 1.3.1", "scikit-learn 1.9.1")
    for package in packages:
        of_package = [each for each in verification.RECORDS if each["tool"].startswith(package.split()[0])]
        yield Comparison(
            "verification", package, "tests/data/verification", "trials of 24 speakers, 2 systems", PROGRAM,
            DIGITS if package.startswith("llreval") else 1e-12,
            lambda of_package=of_package: (
                (f"{each['system']} {each['params']} {name}", *both)
                for each in of_package
                for name, *both in verification.of_package(each)
            ),
        )  # fmt: skip


DOMAINS = (term_discovery, term_detection, transcripts, articulatory, diarized, verified)
COMPARISONS = [each for domain in DOMAINS for each in domain()]


# -- records -----------------------------------------------------------------------------------------


def write(suite: Suite, records: Iterable[dict[str, Any]]) -> None:
    """Write the records of a suite beside its document."""
    lines = ["# Written by `make agreement`.", f"domain: {suite.domain}", f"suite: {suite.name}", "", "agreement:"]
    for record in records:
        shown = {name: each for name, each in record.items() if each != []}
        head = "  - "
        for name, each in shown.items():
            lines.append(f"{head}{name}: {json.dumps(each, ensure_ascii=False) if isinstance(each, list) else each}")
            head = "    "
    suite.origin.document.path.with_name("agreement.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(suites: list[str]) -> int:
    catalog = load_catalog()
    stored = {
        (suite, each.conforms_to, each.data): {**vars(each), "differs": list(each.differs)}
        for suite in catalog.names("suites")
        for each in catalog.agreement(catalog.suite(suite))
    }
    faults, records = 0, dict[str, list[dict[str, Any]]]()
    for each in COMPARISONS:
        found, what = stored.get(each.key), f"{each.suite}, {each.conforms_to}, {each.data}"
        if each.lacks or (suites and each.suite not in suites):
            print(f"{what}: skipped{f' ({each.lacks})' if each.lacks else ''}")
        else:
            try:
                found = each.record()
                print(f"{what}: {found['equal']:,} of {found['compared']:,} scores are equal")
            except AssertionError as error:
                faults += 1
                print(f"{what}: differences that nothing explains: {error}")
        if found:
            records.setdefault(each.suite, []).append(found)
    for name, of_suite in records.items():
        write(catalog.suite(name), of_suite)
    return faults


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
