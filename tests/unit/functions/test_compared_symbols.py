"""What is aligned instead of words as they are written: characters, joined compounds, and normalised words."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from rapidfuzz.distance import Levenshtein

import scorespec
from marks import first
from scorespec.errors import InputError, RunError, UsageError
from scorespec.functions.normalization import normalize_text

LETTERS = "abé 中文 x\u0301"


def texts(*lines: str) -> pa.Table:
    """A transcript with a segment for each line."""
    rows = [
        {"document": "d", "segment": str(number), "token": word, "number": place}
        for number, line in enumerate(lines)
        for place, word in enumerate(line.split() or [None])
    ]
    return pa.Table.from_pylist(rows)


def scores(suite: str, reference: list[str], hypothesis: list[str], **params: Any) -> dict[str, float]:
    run = scorespec.score(suite, reference=texts(*reference), hypothesis=texts(*hypothesis), params=params)
    return {row["component"]: row["value"] for row in run.scores.to_pylist() if row["slice"] == "{}"}


def random_lines(seed: int) -> list[str]:
    drawn = random.Random(seed)
    lines = ("".join(drawn.choices(LETTERS, k=drawn.randint(1, 12))) for _ in range(40))
    return [" ".join(line.split()) for line in lines]


@pytest.mark.parametrize("blanks", ["keep", "remove"])
def test_the_errors_of_characters_are_the_edit_distance(blanks: str) -> None:
    reference, hypothesis = random_lines(1), random_lines(2)
    found = scores("cer", reference, hypothesis, blanks=blanks, case="keep", unicode_form="none")
    taken = [
        [line.replace(" ", "") if blanks == "remove" else line for line in each] for each in (reference, hypothesis)
    ]
    assert found["words"] == sum(map(len, taken[0]))
    errors = sum(map(Levenshtein.distance, *taken))
    assert found["substitutions"] + found["deletions"] + found["insertions"] == errors
    assert found["value"] == errors / found["words"]


def test_information_of_words() -> None:
    """Of 3 words, 2 are correct, and of 4 in the hypothesis (jiwer: mer 2/4, wip 2/3 · 2/4)."""
    found = scores("wer", ["a b c"], ["a x c d"])
    assert (found["mer"], found["wip"], found["wil"]) == pytest.approx((2 / 4, 1 / 3, 2 / 3))


def simply_folded(letter: str) -> str:
    """Unicode's simple case folding of a letter by Python, which has the full one."""
    full = letter.casefold()
    return (
        full
        if len(full) == 1
        else {"ẞ": "ß", "İ": "İ"}.get(letter, letter.lower() if len(letter.lower()) == 1 else letter)
    )


@pytest.mark.parametrize(("case", "fold"), [("fold", simply_folded), ("full", str.casefold)])
def test_letters_are_equal_if_their_case_foldings_are(case: str, fold: Callable[[str], str]) -> None:
    letters = [chr(code) for code in range(0x20000) if chr(code).isalpha() and chr(code) != chr(code).casefold()]
    letters += [chr(code) for code in range(0x2000) if len({*map(str.lower, (chr(code), chr(code).upper()))}) > 1]
    params = {"case": case, "unicode_form": "none"}
    found = scores("wer", letters, [fold(letter) for letter in letters], **params)
    assert (found["correct"], found["words"]) == (len(letters), len(letters))
    different = [letter for letter in letters if fold(letter) != fold(letter.upper())]
    found = scores("wer", different, [letter.upper() for letter in different], **params)
    assert (found["correct"], found["words"]) == (0, len(different))
    assert {"ı"} <= {*different}


def test_unit_costs_give_the_fewest_errors() -> None:
    drawn = random.Random(3)
    pairs = [[drawn.choices("abcde", k=drawn.randint(1, 9)) for _ in "rh"] for _ in range(300)]
    lines = [[" ".join(each) for each in side] for side in zip(*pairs, strict=True)]
    least = sum(Levenshtein.distance(*pair) for pair in pairs)
    found = {costs: scores("wer", *lines, costs=costs) for costs in ("unit", "sclite")}
    errors = {costs: each["substitutions"] + each["deletions"] + each["insertions"] for costs, each in found.items()}
    assert errors["unit"] == least < errors["sclite"]


def test_a_block_of_the_evidence_has_the_words_of_a_compound() -> None:
    times = {"onset": [0.0, 1.0, 2.0], "duration": [0.5, 0.75, 0.5], "number": [1, 2, 3]}
    spoken = pa.table({"document": ["d"] * 3, "token": ["ice", "cream", "now"], **times})
    heard = pa.table({"document": ["d"] * 2, "token": ["icecream", "now"], "number": [1, 2]})
    params = {"merge_compounds": True, "align_within": "document"}
    run = scorespec.score("wer", reference=spoken, hypothesis=heard, params=params)
    found = run.sql(
        "SELECT ref_words, hyp_words, outcome, ref_offset FROM evidence_alignment ORDER BY block"
    ).to_pylist()
    assert [tuple(row.values()) for row in found] == [
        ("ICE CREAM", "ICECREAM", "correct", 1.75),
        ("NOW", "NOW", "correct", 2.5),
    ]


def test_compounds_need_words_that_are_aligned() -> None:
    given = {"reference": texts("a"), "hypothesis": texts("a"), "params": {"merge_compounds": True}}
    with pytest.raises(InputError, match="blanks=remove compares characters without blanks"):
        scorespec.score("cer", **given)
    blocks = {"segment": ["0"], "ref_begin": [0], "ref_end": [1], "hyp_begin": [0], "hyp_end": [1]}
    with pytest.raises(InputError, match="leave out the input alignment"):
        scorespec.score("wer", **given, alignment=pa.table(blocks))


def test_normalised_words() -> None:
    pytest.importorskip("whisper_normalizer")
    reference = ["Mr. Smith can't pay $20", "uh colour", "yes"]
    hypothesis = ["mister smith can not pay twenty dollars", "color uh", "uh"]
    run = scorespec.score(
        "wer", reference=texts(*reference), hypothesis=texts(*hypothesis), params={"normalize": "english"}
    )
    rows = run.sql("SELECT segment, ref_words, hyp_words FROM evidence_alignment ORDER BY segment, block").to_pylist()
    said = [(row["segment"], row["ref_words"], row["hyp_words"]) for row in rows]
    both = ["MISTER", "SMITH", "CAN", "NOT", "PAY", "$20"]
    assert said == [*(("0", word, word) for word in both), ("1", "COLOR", "COLOR"), ("2", "YES", None)]
    changes = run.sql(
        "SELECT side, segment, written, normalized FROM evidence_changes WHERE segment <> '0' ORDER BY ALL"
    )
    assert [tuple(row.values()) for row in changes.to_pylist()] == [
        ("hypothesis", "1", "UH", None),
        ("hypothesis", "2", "UH", None),
        ("reference", "1", "COLOUR", "color"),
        ("reference", "1", "UH", None),
    ]


def test_alternatives_that_lose_all_words_are_empty(tmp_path: Path) -> None:
    pytest.importorskip("whisper_normalizer")
    for name, line in (("r", "{ uh / yes } no (a-1)"), ("h", "no (a-1)")):
        (tmp_path / f"{name}.trn").write_text(f"{line}\n")
    inputs = {"reference": tmp_path / "r.trn", "hypothesis": tmp_path / "h.trn"}
    for rules, errors in (("basic", 1), ("english", 0)):
        run = scorespec.score("wer", **inputs, params={"normalize": rules})
        assert (
            run.sql("SELECT count(*) AS n FROM evidence_alignment WHERE outcome <> 'correct'")["n"][0].as_py() == errors
        )


def test_marks_are_torn_by_the_rules_of_whisper_alone() -> None:
    basic = pytest.importorskip("whisper_normalizer.basic")
    hindi = "हिन्दी में"
    assert (
        normalize_text({"text": [hindi]}, normalize="whisper_basic")["text"]
        == basic.BasicTextNormalizer()(hindi).split()
    )
    run = scorespec.score("wer", reference=texts(hindi), hypothesis=texts(hindi), params={"normalize": "whisper_basic"})
    assert run.value("wer", "words") > 2
    assert any("words with combining marks" in warning and "4 of 4" in warning for warning in run.warnings)
    found = scores("wer", [hindi], ["हन्दी म"], normalize="basic")
    assert (found["words"], found["substitutions"]) == (2, 2)


@pytest.mark.parametrize("suite", ["wer", "meeting"])
def test_normalisation_folds_case(suite: str) -> None:
    table = texts("A").append_column("speaker", pa.array(["x"]))
    with pytest.raises(InputError, match="case=keep is not possible"):
        scorespec.score(suite, reference=table, hypothesis=table, params={"normalize": "basic", "case": "keep"})


def test_normalisation_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    from scorespec.functions import normalization

    normalization._normalizer.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "whisper_normalizer.basic", None)
    with pytest.raises(RunError, match=r"need a package that is not installed .*scorespec\[normalize\]"):
        scores("wer", ["a"], ["a"], normalize="whisper_basic")
    with pytest.raises(UsageError, match="normalize 'french'"):
        normalization.normalize_text({"text": ["a"]}, normalize="french")


def test_the_normaliser_reads_what_the_substitutions_write() -> None:
    rules = pa.table({"pattern": ["ZBRS"], "replacement": ["TWENTY ZEBRAS"]})
    inputs = {"reference": texts("20 zebras"), "hypothesis": texts("zbrs"), "glm": rules}
    run = scorespec.score("wer", **inputs, params={"normalize": "english"})
    assert run.table()[0]["value"] == 0


@pytest.mark.parametrize("aligner", first(["sclite", "phonetic"]))
def test_words_of_the_normaliser_are_aligned_by_any_aligner(aligner: str) -> None:
    found = scores(
        "wer", ["we will pay twenty dollars"], ["we will pay thirty dollars"], normalize="english", aligner=aligner
    )  # WE WILL PAY $20
    assert (found["words"], found["substitutions"]) == (4, 1)


def entities_after_normalising(text: str) -> list[str]:
    """The words of the entities of a text after normalisation; the words of an entity are in brackets."""
    rows, entity = [], None
    for place, word in enumerate(text.split()):
        entity = place if word.startswith("[") else entity
        rows.append(
            {"document": "d", "segment": "s", "token": word.strip("[]"), "entity": entity}
            | {"tag": None if entity is None else "P", "number": place}
        )
        entity = None if word.endswith("]") else entity
    table = pa.Table.from_pylist(rows)
    params = {"normalize": "english", "punctuation": "keep", "hyphen": "keep"}
    run = scorespec.score("muc_ne", reference=table, hypothesis=table, params=params)
    assert run.value("entities", "recall") == 1
    return [row["reference_text"] for row in run.sql("SELECT reference_text FROM evidence_entities").to_pylist()]


@pytest.mark.parametrize(
    ("text", "entities"),
    first(
        [
            ("[ann lee] can't go", ["ANN LEE"]),  # CAN NOT comes from CAN'T
            ("go [can't] ann", ["CAN NOT"]),
            ("we pay [twenty dollars] now", ["$20"]),
            ("[ann lee] [can't] go", ["ANN LEE", "CAN NOT"]),
        ]
    ),
)
def test_an_entity_is_the_words_that_come_from_its_words(text: str, entities: list[str]) -> None:
    assert entities_after_normalising(text) == entities


def test_tags_in_a_text_without_blanks_change_no_character(tmp_path: Path) -> None:
    tagged = "erm昨天<P>王小明</P>去了<O>超市</O> ok"
    for name, text in (("r", tagged), ("h", "erm昨天王小明去了超市 ok")):
        (tmp_path / f"{name}.sgml").write_text(f"<DOC>\n{text}\n</DOC>\n")
    inputs = {"reference": tmp_path / "r.sgml", "hypothesis": tmp_path / "h.sgml"}
    rules = pa.table({"pattern": ["OK"], "replacement": ["OH KAY"], "before": [" "], "after": [" "]})
    for params in ({}, {"normalize": "basic"}):
        run = scorespec.score("cer", **inputs, glm=rules, params=params)
        assert (run.value("cer", "deletions"), run.value("cer", "insertions")) == (0, 0)
        assert run.value("cer", "words") == run.value("cer", "correct") == len("erm昨天王小明去了超市 oh kay")
    with pytest.raises(InputError, match="before 王小明; compare characters"):
        scorespec.score("wer", **inputs)


def test_each_step_reads_the_words_of_the_step_before_it(tmp_path: Path) -> None:
    (tmp_path / "r.trn").write_text("erm he's paid { two / twenty } for ice-cream (s-1)\n")
    (tmp_path / "h.trn").write_text("he is paid 20 for icecream (s-1)\n")
    rules = pa.table({"pattern": ["HE'S"], "replacement": ["{HE IS / HE HAS}"], "before": [" "], "after": [" "]})
    files = {"reference": tmp_path / "r.trn", "hypothesis": tmp_path / "h.trn"}
    steps: list[tuple[Any, int]] = [
        ({"hyphen": "split"}, 7),  # ERM HE'S PAID TWO FOR ICE CREAM
        ({"glm": rules}, 8),  # HE IS or HE HAS
        ({"normalize": "english"}, 8),  # 2 or 20
        ({"fillers": ["erm"]}, 7),
        ({"merge_compounds": True}, 7),
        ({"align_within": "document"}, 7),
    ]
    inputs, params = {}, {}
    for asked, count in steps:
        inputs |= {name: value for name, value in asked.items() if name == "glm"}
        params |= {name: value for name, value in asked.items() if name != "glm"}
        run = scorespec.score("wer", **files, **inputs, params=params)
        assert run.value("wer", "words") == count
    assert run.value("wer") == 0


def test_words_inside_entities_by_type() -> None:
    """Ann Lee is a PERSON, of which one word is wrong, ten dollars MONEY; NEW is a tag that `tags` lacks."""
    tags = [
        ("Ann", 1, "PER"),
        ("Lee", 1, "PER"),
        ("paid", None, None),
        ("ten", 2, "M"),
        ("dollars", 2, "M"),
        ("x", 3, "new"),
    ]
    reference = [
        {"document": "d", "segment": "s", "token": token, "entity": entity, "tag": tag} for token, entity, tag in tags
    ]
    heard = texts("And Lee now paid ten or dollars")
    heard = heard.set_column(heard.column_names.index("segment"), "segment", pa.array(["s"] * len(heard)))
    run = scorespec.score(
        "wer", reference=pa.Table.from_pylist(reference), hypothesis=heard, by=["entity_type"], metrics=["wer"]
    )
    errors = {
        kind: sum(run.value("wer", name, entity_type=kind) for name in ("substitutions", "deletions", "insertions"))
        for kind in ("PERSON", "MONEY", "NEW", None)
    }
    assert errors == {"PERSON": 1, "MONEY": 1, "NEW": 1, None: 1}  # OR is between two words of an entity, NOW is not
