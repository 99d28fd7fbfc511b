"""The test runs of sclite in NIST's SCTK: our counts, by speaker, are those that SCTK's repository has on record.

The files are third-party data that is read in place, from the folder `src/sclite/testdata` of a copy of SCTK: the
environment variable SCTK_TESTDATA names it. The numbers of the runs are those of its script `tsclite.sh`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import scorespec
from marks import first
from scorespec.errors import InputError

COUNTS = ("correct", "substitutions", "deletions", "insertions")
OPTIONAL = {"optional_words": True}  # -D
FRAGMENTS = {"fragments": "correct"}  # -F
NAMES = {"name_case": "fold"}
CHARACTERS = {"compared": "characters", "blanks": "remove"}  # -c
MIXED = {"compared": "mixed"}  # -c NOASCII
NO_HYPHENS = {"hyphen": "join"}  # -c DH
ABSENT = {"missing": "deletions"}
TESTS = "tests.ref::trn tests.hyp::trn"
MISSING = "stm2ctm_missing.ref.stm stm2ctm_missing.hyp{}.ctm"
RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "1": ("csrnab.ref::trn csrnab.hyp::trn", NAMES),
    "1e": ("csrnab.ref::trn csrnab.hyp::trn", NAMES),
    "3": ("lvc_ref.stm lvc_hyp.ctm", {}),
    "3a": ("lvc_refe.stm lvc_hyp.ctm", {}),
    "7": (TESTS, OPTIONAL | FRAGMENTS),
    "7_r": ("tests.hyp::trn tests.ref::trn", OPTIONAL | FRAGMENTS),
    "7_noD": (TESTS, FRAGMENTS),
    "7_6": (TESTS, OPTIONAL | FRAGMENTS),
    "7_5": (TESTS, CHARACTERS | NO_HYPHENS),
    # With -e utf-8, sclite ignores the case of ASCII letters only.
    "7-utf8-2bytes": (TESTS.replace("::", ".utf8-2bytes::"), OPTIONAL | FRAGMENTS | {"case": "keep"}),
    "7-utf8-3bytes": (TESTS.replace("::", ".utf8-3bytes::"), OPTIONAL | FRAGMENTS),
    "7-utf8-4bytes": (TESTS.replace("::", ".utf8-4bytes::"), OPTIONAL | FRAGMENTS),
    "8": ("csrnab1.ref::trn csrnab1.hyp::trn", CHARACTERS),
    "9": ("mand_ref.stm mand_hyp.ctm", CHARACTERS),
    "9_1": ("mand_ref.stm mand_hyp.ctm", CHARACTERS | NO_HYPHENS),
    "10": ("mand_ref.stm mand_hyp.ctm", MIXED),
    "10_1": ("mand_ref.stm mand_hyp.ctm", MIXED | NO_HYPHENS),
    "15_a": ("test.cantonese.stm test.cantonese.ctm", {}),
    "15_b": ("test.cantonese.stm test.cantonese.ctm", MIXED | NO_HYPHENS),
    "15_c": ("test.turkish.ref::trn test.turkish.hyp::trn", {}),
    "15_d": ("test.ukranian.ref::trn test.ukranian.hyp::trn", {}),
    "16_3": (MISSING.format("-missfile1"), ABSENT),
    "16_4": (MISSING.format("-missfile1chanA"), {}),
    "16_5": (MISSING.format("-missfile1chanb"), {}),
    "16_6": (MISSING.format("-missfile2"), ABSENT),
    "16_7": (MISSING.format("-missfile2chanA"), {}),
    "16_8": (MISSING.format("-missfile2chanB"), {}),
    "16_9": (MISSING.format(""), {}),
    "17": ("test.vietnamese.ref.trn test.vietnamese.hyp.trn", {}),
}
Counts = dict[str, tuple[int, ...]]  # by speaker
_ROW = re.compile(r"\s*\|\s*(\S+)\s*\|\s*\d+\s+\d+\s*\|" + r"\s*(\d+)" * 4)


def score(folder: Path, files: str, params: dict[str, Any]) -> scorespec.Run:
    reference, hypothesis = (str(folder / each) for each in files.split())
    return scorespec.score("wer", reference=reference, hypothesis=hypothesis, params=params, by="speaker")


def counts(run: scorespec.Run) -> Counts:
    """The counts of each speaker, and of all (Sum)."""
    found: dict[str, dict[str, int]] = {}
    for row in run.scores.to_pylist():
        if "region" not in (by := json.loads(row["slice"])):
            found.setdefault(by.get("speaker", "Sum"), {})[row["component"]] = row["value"]
    return {name.lower(): tuple(int(values[each] or 0) for each in COUNTS) for name, values in found.items()}


def recorded(folder: Path, name: str) -> Counts:
    rows = map(_ROW.match, (folder / "base" / f"test{name}.raw").read_text("latin-1").splitlines())
    return {row[1].lower(): tuple(map(int, row.groups()[1:])) for row in rows if row}


@pytest.mark.parametrize("name", first(RUNS, 8))
def test_a_run_of_sclite(sctk: Path, tmp_path: Path, name: str) -> None:
    ours, theirs = run_of_sclite(sctk, tmp_path, name)
    assert ours == theirs


def run_of_sclite(sctk: Path, tmp_path: Path, name: str) -> tuple[Counts, Counts]:
    """Our counts of a run of sclite, and those that SCTK has on record."""
    files, params = RUNS[name]
    folder = sctk
    if files.startswith("mand"):  # -e gb
        folder = tmp_path
        for file in files.split():
            (folder / file).write_text((sctk / file).read_bytes().decode("gb18030"), "utf-8")
    ours, theirs = counts(score(folder, files, params)), recorded(sctk, name)
    if name in ("1", "1e", "8"):  # -i wsj: a speaker is the first three letters of a name
        ours, theirs = {"sum": ours["sum"]}, {"sum": theirs["sum"]}
    return ours, theirs


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ("lvc_ref.stm stm2ctm_missing.hyp-missall.ctm", "no rows; hypothesis needs at least 1"),  # 16_2
        (MISSING.format("-extra"), "document 9999 is not in the reference"),  # 16_1: sclite ends with an error, too
        ("tima_ref.ctm tima_hyp.ctm", "an alternative without words before <ALT_END>; write @ for no word"),  # 13
    ],
)
def test_what_is_refused(sctk: Path, files: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        score(sctk, files, ABSENT)
    assert said in str(caught.value)
