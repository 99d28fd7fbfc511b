"""Small inputs that are scored without a fault: of every suite, in every format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyarrow as pa

from scorespec.catalog.lookup import Catalog, load_catalog
from scorespec.catalog.model import Suite, Table
from scorespec.run.inputs.loading import arrow_type

DATA = Path(__file__).parents[1] / "data"
TAGGED = b"""<DOC>
<DOCNO> d </DOCNO>
<Segment ID="d-1" S_time=0.00 E_time=3.68 Speaker="s">
<ENAMEX TYPE="PERSON">NEWT GINGRICH</ENAMEX> went to <ENAMEX TYPE="LOCATION">{Rome / ROM}</ENAMEX> (%hesitation)
</Segment>
<Segment ID="d-2">
on <TIMEX TYPE="DATE">MONDAY</TIMEX> {laugh} it's over.
</Segment>
</DOC>
"""
HEARD = b"NEWT GINGRICH went to HESITATION on MONDAY it's over"
CONLL = b"-DOCSTART-\n\nNEWT B-PERSON\nGINGRICH I-PERSON\nwent O\n\non O\nMONDAY B-DATE\n"
TIMED = (
    b"d A 0 0.34 NEWT 0.9\nd A 0.34 0.28 GINGRICH\nd A 0.62 0.56 went\n;; remark\nd A 4 0.3 on\nd A 4.5 0.3 MONDAY\n"
)
SPOKEN = b"d A s 0.00 3.68 <o,f0> newt gingrich went\nd A s 4.0 6.0 on monday { a / b }\n;; remark\n"
TRANSCRIBED = b"newt gingrich went (d-1)\non monday { a / b } (d-2)\n"
ALIGNED = b"""<SYSTEM title="h" ref_fname="r" hyp_fname="h" creation_date="x" format="2.4" opt_del="FALSE">
<SPEAKER id="d">
<PATH id="(d-1)" word_cnt="4" sequence="0">
C,"newt","newt":S,"gingrich","goodrich":D,"went",:I,,"off"
</PATH>
</SPEAKER>
</SYSTEM>
"""
SEGMENTS = b"""[
 {"session_id": "d", "speaker": "ann", "start_time": 0.5, "end_time": "3.68", "words": "newt gingrich went"},
 {"session_id": "d", "speaker": "bob", "start_time": 2, "end_time": 4, "words": "\\u0073o", "note": [null, {}]}
]
"""
SOUNDS = b";;; remark\nNEWT N UW1 T\nGINGRICH G IH1 NG G R IH0 CH\nGINGRICH(2) G IH NG R IH CH # remark\n"
MAPPED = b""";; remark
* case_sensitive = 'F'
gingrich => good rich / [ ] __ [ ]
[went] => [{went / did go}] / [ ] __ [ ]  ;; remark
;; INPUT_DEPENDENT_APPLICATION = "hyp"
"on m" => M / __ [O]
"""

# Detections that are no trials, and queries that are in every document.
REFUSED = {("quesst2015", "search"), ("quesst2015", "astray"), ("quesst2015", "uniform")}
OF_MEETINGS = ("renamed",)  # the segments of the hypothesis are not sorted by time


@dataclass(frozen=True)
class Seed:
    """A call of `score`: its suite, the files of its inputs (`name.suffix`), and how each is read."""

    suite: str
    files: Mapping[str, bytes]
    inputs: Mapping[str, str]
    options: tuple[str, ...] = ()

    def arguments(self) -> list[str]:
        return ["score", self.suite, *(f"{name}={path}" for name, path in self.inputs.items()), *self.options]


def _head(path: str, lines: int = 60) -> bytes:
    return b"".join((DATA / path).read_bytes().splitlines(keepends=True)[:lines])


def _seed(suite: str, inputs: Mapping[str, tuple[str, bytes]], *options: str) -> Seed:
    """Of each input the name of its file, which may say its format, and what is in it."""
    files = {name.partition("::")[0]: data for name, data in inputs.values()}
    return Seed(suite, files, {key: name for key, (name, _) in inputs.items()}, options)


@cache
def seeds() -> tuple[Seed, ...]:
    """Texts of every format, and the examples of all documents as CSV and TSV."""
    return (*_texts(), *_turns(), *_trials(), *(table for suffix in ("csv", "tsv") for table in _examples(suffix)))


def _texts() -> Iterator[Seed]:
    discovery, detection = "term_discovery/stress/s0", "term_detection/small"
    found = {
        "phones": ("a.phn", _head(f"{discovery}.phn", 300)),
        "words": ("a.wrd", _head(f"{discovery}.wrd")),
        "fragments": ("a.class", _head(f"{discovery}.mixed.class")),
    }
    utterances = ("a.utt", _head(f"{discovery}.utt"))
    folds = ("a.intervals", _head(f"{discovery}.folds.given"))
    merged = ("a.class::class_merge", found["fragments"][1])
    yield _seed("zerospeech2017", found)
    yield _seed("zerospeech2017", {**found, "fragments": merged, "utterances": utterances, "folds": folds})
    yield _seed("zerospeech2015", {**found, "utterances": utterances, "folds": folds}, "--by", "file")
    yield _seed("tde2015", {**found, "utterances": utterances, "folds_total": folds})
    searched = {
        "queries": ("q.xml::kwlist", _head(f"{detection}/kwlist.xml")),
        "audio": ("a.xml::ecf", _head(f"{detection}/ecf.xml")),
        "detections": ("d.xml::kwslist", _head(f"{detection}/kwslist.xml")),
        "references": ("r.rttm", _head(f"{detection}/ref.rttm")),
    }
    for suite in ("std2006", "openkws13", "sws2012", "sws2013"):
        yield _seed(suite, searched)
    yield _seed("std2006", {**searched, "speech": ("s.rttm::rttm_speaker", b"SPEAKER d01 1 0 60 <NA> <NA> a <NA>\n")})
    both = {"sgml": TAGGED, "conll": CONLL, "trn": TRANSCRIBED, "stm": SPOKEN}
    for suffix, text in both.items():
        for suite in ("wer", "muc_ne", "speech_ne"):
            yield _seed(suite, {"reference": (f"r.{suffix}", text), "hypothesis": (f"h.{suffix}", text)})
    for suffix in ("kaldi", "lines"):
        yield _seed("cer", {"reference": (f"r::{suffix}", b"d-1 a b\n"), "hypothesis": (f"h::{suffix}", b"d-1 a\n")})
    timed = {"reference": ("r.stm", SPOKEN), "hypothesis": ("h.ctm", TIMED)}
    yield _seed("wer", timed)
    yield _seed("wer", {**timed, "pronunciations": ("w.dict", SOUNDS)}, "--param", "aligner=phonetic")
    spoken = {
        "reference": ("r.trn", b"newt gingrich went (d-1)\n"),
        "hypothesis": ("h.trn", b"newt goodrich off (d-1)\n"),
    }
    yield _seed("wer", {**spoken, "alignment": ("a.sgml::sclite", ALIGNED)})
    branched = {
        "reference": ("r.trn", b"{newt/{n- / @} g-} went;x (D-1)\nhe {is / was} (d-2)\n"),
        "hypothesis": ("h.trn", b"newt -t {went/did {go/@}} (d-1)\n"),
        "glm": ("m.glm", MAPPED + b"HE IS\n"),
    }
    rules = ("fragments=correct", "missing=deletions", "name_case=fold", "glm_faults=skip")
    yield _seed("wer", branched, *(word for rule in rules for word in ("--param", rule)))
    tagged = {"reference": ("r.sgml", TAGGED), "hypothesis": ("h.sgml", TAGGED)}
    times = b"".join(b"d A %d 0.5 %s\n" % each for each in enumerate(HEARD.split()))
    yield _seed("speech_ne", {**tagged, "times": ("t.ctm", times)})
    yield _seed("wer", {**timed, "glm": ("m.glm", MAPPED)}, "--param", "fillers=[uh, on]")
    meeting = {"reference": ("r.json", SEGMENTS), "hypothesis": ("h.json", SEGMENTS)}
    yield _seed("meeting", meeting)
    yield _seed("meeting", {**meeting, "hypothesis": ("h.ctm", TIMED)}, "--by", "speaker")
    yield _seed("speech_ne", {**tagged, "glm": ("m.glm", MAPPED.replace(b"[{went / did go}]", b"go"))})


def _turns() -> Iterator[Seed]:
    turns = (
        b"SPEAKER d 1 0 4.5 <NA> <NA> a <NA> <NA>\nSPEAKER d 1 4 2 <NA> <NA> b <NA>\nNON-LEX d 1 1 1 ha laugh a <NA>\n"
    )
    given = {
        "reference": ("r.rttm", turns),
        "hypothesis": ("h.rttm", turns),
        "uem": ("u.uem", b";; regions\nd 1 0.5 6\n"),
    }
    for suite in ("der_pyannote", "der_mdeval", "der_dscore"):
        yield _seed(suite, given, "--param", "collar=0.25")
    yield _seed("der_pyannote", {**given, "hypothesis": ("h.json", SEGMENTS)})


def _trials() -> Iterator[Seed]:
    key = b"modelid\tsegmentid\tside\ttargettype\n1\ta\ta\ttarget\n1\tb\ta\tnontarget\n2\ta\ta\tnontarget\n"
    scores = b"modelid\tsegmentid\tside\tLLR\n1\ta\ta\t2.5\n1\tb\ta\t-inf\n2\ta\ta\t0.5\n"
    yield _seed("verification", {"trials": ("k.tsv", key), "scores": ("s.tsv", scores)})
    listed = b"1 x/1.wav x/2.wav\n0 x/1.wav y/2.wav\n", b"0.5 x/1.wav x/2.wav\n0.25 x/1.wav y/2.wav\n"
    names = "l.txt::voxceleb", "s.txt::voxceleb_scores"
    for crossing in ("hull", "nearest"):
        given = dict(zip(("trials", "scores"), zip(names, listed, strict=True), strict=True))
        yield _seed("verification", given, "--param", f"eer_crossing={crossing}")
    listed = b"a 1 target\na 2 nontarget\n", b"a 1 1e3\n"
    names = "t.txt::kaldi_trials", "s.txt::kaldi_scores"
    given = dict(zip(("trials", "scores"), zip(names, listed, strict=True), strict=True))
    yield _seed("verification", given, "--param", "missing_scores=lowest")


def _examples(suffix: str) -> Iterator[Seed]:
    separator = "," if suffix == "csv" else "\t"
    for suite, tables in examples():
        if any(table.nested for table, _ in tables.values()):
            continue  # lists are read from Parquet
        rows = {name: _delimited(data, separator) for name, (_, data) in tables.items()}
        yield _seed(suite, {name: (f"{name}.{suffix}", text) for name, text in rows.items()})


def _delimited(data: pa.Table, separator: str) -> bytes:
    lines = [data.column_names, *(row.values() for row in data.to_pylist())]
    cells = (["" if each is None else str(each) for each in line] for line in lines)
    return "".join(f"{separator.join(line)}\n" for line in cells).encode()


@cache
def examples() -> tuple[tuple[str, dict[str, tuple[Table, pa.Table]]], ...]:
    """Each suite with each example of its domain that has what it needs: the tables and their rows."""
    catalog = load_catalog()
    given: dict[str, dict[str, Mapping[str, list[list[object]]]]] = {}
    for document in catalog.documents:
        given.setdefault(document.data.get("domain", ""), {}).update(document.data.get("examples") or {})
    suites = (catalog.definition(key) for key in catalog.keys("suites"))
    return tuple(
        (suite.name, tables)
        for suite in suites
        if isinstance(suite, Suite)
        for name, example in given.get(suite.domain, {}).items()
        if (suite.name, name) not in REFUSED
        and (suite.name == "meeting" or name not in OF_MEETINGS)
        and set(suite.inputs) <= set(example)
        and all(set(each) & set(example) for each in suite.one_of)
        and _fits(suite.name, tables := _tables(catalog, suite, example))
    )


def _fits(suite: str, tables: Mapping[str, tuple[Table, pa.Table]]) -> bool:
    """Whether a suite of transcripts can score rows: the words of a meeting have speakers, and characters no blocks."""
    if suite == "meeting":
        words = tables["reference"][1]
        return "speaker" in words.column_names and not words["speaker"].null_count
    return suite != "cer" or "alignment" not in tables


def _tables(
    catalog: Catalog, suite: Suite, example: Mapping[str, list[list[object]]]
) -> dict[str, tuple[Table, pa.Table]]:
    found = {}
    for name in (*suite.inputs, *suite.optional):
        table = catalog.of_suite(suite).table(name)
        if table is not None and name in example:
            columns = [list(each) for each in zip(*example[name], strict=True)] or [[] for _ in table.columns]
            arrays = {
                column.name: pa.array(values, arrow_type(column.type))
                for column, values in zip(table.columns, columns, strict=False)
            }
            found[name] = (table, pa.table(arrays))
    return found
