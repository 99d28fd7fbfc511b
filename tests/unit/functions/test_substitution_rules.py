"""Global mapping files, and the substitutions by their rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import slow
from scorespec.errors import InputError, Problems
from scorespec.formats import FORMATS
from scorespec.functions.substitution import SourceRow, TextRule, TextRules, WrittenWord, substituted

TEXT = pa.string()
COLUMNS = dict.fromkeys(["pattern", "replacement", "before", "after", "side"], TEXT) | {"ignore_case": pa.bool_()}


def read(folder: Path, text: str) -> tuple[list[tuple[Any, ...]], list[str]]:
    """The rules of a file, each with its line, and its problems."""
    (folder / "x.glm").write_text(text, "utf-8")
    problems, reader = Problems("x.glm"), FORMATS["glm"].read
    assert reader is not None
    rows = [tuple(row.values()) for each in reader(folder / "x.glm", COLUMNS, problems) for row in each.to_pylist()]
    return rows, str(problems).splitlines()


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("UH => %HESITATION", ("UH", "%HESITATION", "", "")),
        ("  UH  =>  [UM ]  ;; a note", ("UH", "UM ", "", "")),
        ("UH => UM / [ ] __ [ ]", ("UH", "UM", " ", " ")),
        ("UH => UM / [ ] __", ("UH", "UM", " ", "")),
        ("UH => UM / __ OH", ("UH", "UM", "", "OH")),
        ("Falkner => Faulkner / [William ] __ ", ("Falkner", "Faulkner", "William ", "")),
        ("[ A ] => []", (" A ", "", "", "")),
        ("A =>", ("A", "", "", "")),
        ('"A B" => "C "', ("A B", "C ", "", "")),
        ("'CAUSE => BECAUSE", ("'CAUSE", "BECAUSE", "", "")),
        ("[HE'S] => [{HE IS / HE HAS}] / [ ] __ [ ]", ("HE'S", "{HE IS / HE HAS}", " ", " ")),
        ("HE'S => [{HE IS / HE HAS}]", ("HE'S", "{HE IS / HE HAS}", "", "")),
        ('"QUOTE => QUOTE', ('"QUOTE', "QUOTE", "", "")),
        ("{LEFT-BRACE => LEFT BRACE", ("{LEFT-BRACE", "LEFT BRACE", "", "")),
    ],
)
def test_a_rule(tmp_path: Path, line: str, rule: tuple[str, ...]) -> None:
    assert read(tmp_path, f";; x\n\n{line}\n;; UH => UM\n") == ([(3, *rule, None, False)], [])


def test_headers(tmp_path: Path) -> None:
    header = "* name 'x'\n* DESC : \"FORMAT of 'x'\"\n* format = 'NIST1'\n* max_nrules = '9'\n* copy_no_hit = 'yes'\n"
    rows, problems = read(tmp_path, f"-- x\n{header}* case_sensitive = 'F'\na => b -- c\n")
    assert (rows, problems) == ([(8, "a", "b", "", "", None, True)], [])


def test_parts_for_one_text(tmp_path: Path) -> None:
    parts = "\n".join(f';;  INPUT_DEPENDENT_APPLICATION = "{name}"\nA => {name}' for name in ("hyp", "STM", "ref|ctm"))
    rows, problems = read(tmp_path, f";; x\nA => both\n{parts}\n")
    assert not problems
    assert [(row[2], row[5]) for row in rows] == [
        ("both", None),
        ("hyp", "hypothesis"),
        ("STM", "reference"),
        ("ref|ctm", None),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("UH => UM\n", "1: the first line must begin with the sign of comments, such as ;;"),
        ("* name 'x'\n", "1: the first line must begin with the sign of comments, such as ;;"),
        (" x\n", "1: the first line must begin with the sign of comments, such as ;;"),
        (";;\n* format = 'NIST2'\n", "2: format 'NIST2' is not supported; it must be NIST1"),
        (";;\n* copy_no_hit = 'F'\n", "2: COPY_NO_HIT must be true: text to which no rule applies cannot be left out"),
        (";;\n* colour = 'F'\n", "2: unknown header \"* colour = 'F'\""),
        (";;\n* name = x\n", "2: a header line has no value in quotation marks: '* name = x'"),
        (
            ';;\n;; INPUT_DEPENDENT_APPLICATION = "c.*"\nA => B\n',
            "2: INPUT_DEPENDENT_APPLICATION is 'c.*'; it must be one of ref, stm, hyp, ctm, rttm, "
            "or several separated by |",
        ),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    assert read(tmp_path, text) == ([], [f"x.glm:{problem}"])


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("UH UM", "no => in the rule 'UH UM'"),
        (" => UM", "nothing before => in the rule ' => UM'"),
        ("A => B / C", "no __ in the context of the rule 'A => B / C'"),
        ("[A] => [{B / C}", "no __ in the context of the rule '[A] => [{B / C}'; a ] is missing"),
        ("[{ A] => B", "alternatives are allowed in the replacement of a rule only: '[{ A] => B'"),
        ("A => B}", "the braces of the replacement B} do not enclose alternatives, such as {a b / c}"),
    ],
)
def test_rules_that_cannot_be_applied_are_refused_or_left_out(tmp_path: Path, rule: str, fault: str) -> None:
    (tmp_path / "x.glm").write_text(f";;\nUH => UM\n{rule}\n", "utf-8")
    inputs = {"reference": rows(("d", "s", "um")), "hypothesis": rows(("d", "s", "uh")), "glm": tmp_path / "x.glm"}
    with pytest.raises(InputError) as caught:
        scorespec.score("wer", **inputs)
    assert str(caught.value) == f"{tmp_path}/x.glm:3: {fault}; glm_faults=skip leaves out rules that cannot be applied"
    run = scorespec.score("wer", params={"glm_faults": "skip"}, **inputs)
    said = f"1 of 2 rules of glm cannot be applied and are left out (glm_faults=skip): line 3: {fault}"
    assert ([*run.warnings], run.value("wer")) == ([said], 0)


def made(words: str, *rules: tuple[str, ...], entities: str = "", ignore_case: bool = False) -> list[WrittenWord]:
    """The words that rules make of some words; ``entities`` has a digit for each word in an entity, else a blank."""
    texts = words.split()
    numbers = [-1 if each == " " else int(each) for each in entities.ljust(len(texts))]
    each = [TextRule(-1, *(*rule, "", "")[:4], ignore_case) for rule in rules]
    given = [
        SourceRow(at, 0, 0, text.lstrip("-"), text.startswith("-"), entity=numbers[at]) for at, text in enumerate(texts)
    ]
    return substituted(given, TextRules(each))


def texts(written: list[WrittenWord]) -> str:
    return " ".join(each.text for each in written)


def test_words_stand_for_the_words_that_they_replace() -> None:
    plain = {"alternation": -1, "branch": -1}
    assert made("I GONNA GO", ("GONNA", "GOING TO")) == [
        WrittenWord("I", 0, 0, **plain),
        WrittenWord("GOING", 1, 1, **plain),
        WrittenWord("TO", 1, 1, **plain),
        WrittenWord("GO", 2, 2, **plain),
    ]
    assert made("IN NEW YORK", ("NEW YORK", "NEWYORK"))[1] == WrittenWord("NEWYORK", 1, 2, **plain)
    assert made("A UH B", ("UH", "")) == [WrittenWord("A", 0, 0, **plain), WrittenWord("B", 2, 2, **plain)]


def test_the_first_rule_that_fits_is_applied_from_left_to_right() -> None:
    assert texts(made("A B C", ("B C", "Y"), ("A B", "X"), ("A", "Z"))) == "X C"
    assert texts(made("A A", ("A", "B"), ("B", "C"))) == "B B"  # what is written is not read again
    assert texts(made("A A", ("A", "B", "A ", ""))) == "A B"  # contexts are those of the text that is read


def test_case() -> None:
    assert texts(made("uh Uh", ("UH", "UM"))) == "uh Uh"
    assert texts(made("uh Uh", ("UH", "UM"), ignore_case=True)) == "UM UM"
    assert texts(made("stra\u00dfe", ("SS", "x"), ("E", "y"), ignore_case=True)) == "stra\u00dfy"


def test_a_rule_does_not_cross_the_boundary_of_an_entity() -> None:
    rule = ("IN NEW", "INNEW")
    assert texts(made("IN NEW YORK", rule)) == "INNEW YORK"
    assert texts(made("IN NEW YORK", rule, entities=" 00")) == "IN NEW YORK"
    assert texts(made("IN NEW YORK", rule, entities="100")) == "IN NEW YORK"
    assert texts(made("IN NEW YORK", rule, entities="000")) == "INNEW YORK"
    assert texts(made("IN NEW YORK", rule, ("IN", "AT"), entities=" 00")) == "AT NEW YORK"  # the next rule is tried
    assert texts(made("IN NEW YORK", ("NEW", "OLD", "IN ", " YORK"), entities=" 00")) == "IN OLD YORK"


def test_alternatives() -> None:
    found = made("HE'S IT'S", ("HE'S", "{HE IS / HE HAS}"), ("IT'S", "{IT'S/@ / }"))
    assert [(each.text, each.alternation, each.branch) for each in found] == [
        ("HE", 0, 0),
        ("IS", 0, 0),
        ("HE", 0, 1),
        ("HAS", 0, 1),
        ("IT'S", 1, 0),
        (None, 1, 1),
        (None, 1, 2),
    ]
    assert {(each.first, each.last) for each in found[4:]} == {(1, 1)}


def test_hyphenated_words_are_one_word_for_the_rules() -> None:
    assert texts(made("UH -HUH YES", ("UH-HUH", "%BCACK", " ", " "))) == "%BCACK YES"
    assert texts(made("UH -HUH YES", ("UH HUH", "%BCACK"))) == "UH-HUH YES"


def rows(*tokens: tuple[Any, ...]) -> pa.Table:
    names = ("document", "segment", "token", "alternation", "branch")
    schema = pa.schema([(name, TEXT) for name in names[:3]] + [(name, pa.int64()) for name in names[3:]])
    return pa.Table.from_pylist([dict(zip(names, (*each, None, None)[:5], strict=True)) for each in tokens], schema)


def rules(*given: tuple[str, str]) -> pa.Table:
    return pa.Table.from_pylist([{"pattern": pattern, "replacement": replacement} for pattern, replacement in given])


def test_a_blank_inside_of_a_word_separates_no_words() -> None:
    words = [SourceRow(0, 0, 0, "NEW YORK"), SourceRow(1, 0, 0, "UH")]
    assert texts(substituted(words, TextRules([TextRule(-1, "UH", "UM", "", "", False)]))) == "NEW YORK UM"
    assert len(substituted(words, TextRules([TextRule(-1, "UH", "UM", "", "", False)]))) == 2


@pytest.mark.parametrize("replacement", ["{A / B", "A}", "{A / {B / C}}", "}{"])
def test_braces_enclose_alternatives(replacement: str) -> None:
    text = rows(("d", "s", "yes"))
    with pytest.raises(InputError, match="<glm>:1: the braces of the replacement"):
        scorespec.score("wer", reference=text, hypothesis=text, glm=rules(("UH", replacement)))


def test_an_alternative_that_loses_all_words_is_empty() -> None:
    reference = rows(("d", "s", "uh", 0, 0), ("d", "s", "yes", 0, 1), ("d", "s", "now"))
    run = scorespec.score("wer", reference=reference, hypothesis=rows(("d", "s", "now")), glm=rules(("UH", "")))
    assert (run.value("wer"), run.value("wer", "words")) == (0, 1)


def test_alternatives_inside_of_alternatives_are_refused() -> None:
    reference = rows(("d", "s", "a", 0, 0), ("d", "s", "b", 0, 1))
    with pytest.raises(InputError, match="<reference>:1: the rules of glm write alternatives inside of an alternative"):
        scorespec.score("wer", reference=reference, hypothesis=rows(("d", "s", "a")), glm=rules(("A", "{C / D}")))


def test_alternatives_within_documents_of_several_segments_are_refused() -> None:
    text = rows(("d", "s", "a"), ("d", "t", "b"))
    given: dict[str, Any] = {"reference": text, "hypothesis": text, "params": {"align_within": "document"}}
    with pytest.raises(InputError, match="alternatives are chosen within a segment; set align_within=segment"):
        scorespec.score("wer", **given, glm=rules(("A", "{C / D}")))
    assert scorespec.score("wer", **given, glm=rules(("A", "C"))).value("wer") == 0
    given |= dict.fromkeys(("reference", "hypothesis"), rows(("d", "s", "a")))
    assert scorespec.score("wer", **given, glm=rules(("A", "{C / D}"))).value("wer") == 0


def test_optional_words_keep_to_themselves() -> None:
    text = {"reference": rows(("d", "s", "(uh)"), ("d", "s", "yes")), "hypothesis": rows(("d", "s", "yes"))}
    params = {"optional_words": True}
    run = scorespec.score("wer", **text, params=params, glm=rules(("UH YES", "NO"), ("UH", "UM OH")))
    assert (run.value("wer"), run.value("wer", "words")) == (0, 3)
    made_optional = rows(("d", "s", "uh"), ("d", "s", "yes"))
    run = scorespec.score(
        "wer", reference=made_optional, hypothesis=text["hypothesis"], params=params, glm=rules(("UH", "(UH)"))
    )
    assert (run.value("wer"), run.value("wer", "words")) == (0, 2)


@slow
def test_words_divide_the_time_of_the_words_that_they_replace() -> None:
    """AB at 0 to 4 s becomes C at 1 s and D at 3 s, so that D is an anchor if words may be 0.5 s apart."""
    names = ("document", "segment", "token", "onset", "duration")
    schema = pa.schema(list(zip(names, (TEXT, TEXT, TEXT, pa.float64(), pa.float64()), strict=True)))

    def timed(*tokens: tuple[Any, ...]) -> pa.Table:
        return pa.Table.from_pylist([dict(zip(names, each, strict=True)) for each in tokens], schema)

    def correct(onset: float) -> float | None:
        anchors = {"align_within": "document", "anchor_words": 1, "anchor_window": 0.5}
        run = scorespec.score(
            "wer",
            reference=timed(("d", None, "AB", 0, 4)),
            hypothesis=timed(("d", None, "d", onset, 1), ("d", None, "c", 9, 1)),
            glm=rules(("AB", "C D")),
            params={**anchors, "substitution_cost": 1},  # without an anchor, two substitutions are cheapest
        )
        return run.value("wer", "correct")

    assert [correct(onset) for onset in (1.5, 2, 2.5, 3, 3.5)] == [0, 1, 1, 1, 0]


@pytest.mark.parametrize(("filler", "said"), [("you know", "you know"), ("-", "-")])
def test_a_filler_is_one_word(filler: str, said: str) -> None:
    text = rows(("d", "s", "yes"))
    with pytest.raises(InputError, match=f"filler_words: {said} is not one word after normalisation"):
        scorespec.score(
            "wer",
            reference=text,
            hypothesis=text,
            params={"fillers": [filler], "hyphen": "split", "punctuation": "remove"},
        )


def test_fillers_are_compared_as_words_are() -> None:
    text, other = rows(("d", "s", "Uh,"), ("d", "s", "yes")), rows(("d", "s", "yes"))
    keep = scorespec.score("wer", reference=text, hypothesis=other, params={"fillers": ["uh"]})
    remove = scorespec.score(
        "wer", reference=text, hypothesis=other, params={"fillers": ["uh"], "punctuation": "remove"}
    )
    cased = {"fillers": ["uh"], "punctuation": "remove", "case": "keep"}
    assert keep.value("wer", "deletions") == 1
    assert remove.value("wer", "words") == 1
    assert scorespec.score("wer", reference=text, hypothesis=other, params=cased).value("wer", "deletions") == 1


def test_rules_are_compared_in_the_form_of_the_words() -> None:
    """The word has e and a combining accent, the rule has \u00e9 in one character, and the other way round."""
    for word, pattern in (("cafe\u0301", "CAF\u00c9"), ("caf\u00e9", "CAFE\u0301")):
        given = {"reference": rows(("d", "s", word)), "hypothesis": rows(("d", "s", "bar"))}
        assert scorespec.score("wer", **given, glm=rules((pattern, "BAR"))).value("wer") == 0
        plain = scorespec.score("wer", **given, glm=rules((pattern, "BAR")), params={"unicode_form": "none"})
        assert plain.value("wer") == 1


def test_substituted_words_have_sounds() -> None:
    """Words that only a rule writes are aligned by their sounds, too."""
    run = scorespec.score(
        "wer",
        reference=rows(("d", "s", "gingrich"), ("d", "s", "xx")),
        hypothesis=rows(("d", "s", "gingrich"), ("d", "s", "yy")),
        glm=rules(("XX", "GINGRICH"), ("YY", "GOOD RICH")),
        params={"aligner": "phonetic"},
    )
    assert (run.value("wer", "correct"), run.value("wer", "words")) == (1, 2)
