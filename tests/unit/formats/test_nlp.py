"""Files of fstalign: tokens with entities, whose classes are in the file or in another one."""

import json
from pathlib import Path

import pytest

from scorespec import score
from scorespec.errors import InputError

NLP = """token|speaker|ts|endTs|punctuation|case|tags|wer_tags
Good|0|0.5|0.9||UC|[]|[]
morning|0|1.0|1.5|,|LC|['5:TIME']|['5']
the|0|||||['6:DATE']|['6']
first|0||||LC|['6:DATE']|['6']
2020|1|2.0|2.5||CA|['0:YEAR']|['0', '1', '6']
Ameritrade|1|2.5|3.0||UC|[]|['7']
"""


@pytest.fixture
def nlp(tmp_path: Path) -> Path:
    """A file whose class of entity 7 is in the folder next to its folder."""
    for folder in ("references", "wer_tags"):
        (tmp_path / folder).mkdir()
    (tmp_path / "wer_tags" / "a.wer_tag.json").write_text(json.dumps({"7": {"entity_type": "ORG"}}))
    path = tmp_path / "references" / "a.nlp"
    path.write_text(NLP)
    return path


@pytest.mark.slow
def test_words_and_entities(nlp: Path, tmp_path: Path) -> None:
    text = tmp_path / "a.text"
    text.write_text("good morning the worst 2020 Ameritrade")
    run = score("wer", reference=nlp, hypothesis=text)
    assert run.value("wer") == pytest.approx(1 / 6)
    assert run.value("wer", region="inside") == pytest.approx(1 / 5)
    found = score("speech_ne", reference=nlp, hypothesis=nlp, params={"tags": ["*"]}, output=tmp_path / "runs.duckdb")
    types = found.sql("SELECT reference_text, reference_type FROM evidence_entities ORDER BY 1")
    assert [tuple(row.values()) for row in types.to_pylist()] == [
        ("AMERITRADE", "ORG"),
        ("MORNING", "TIME"),
        ("THE FIRST 2020", "DATE"),
    ]


def test_turns_are_segments(nlp: Path, tmp_path: Path) -> None:
    run = score(
        "wer", reference=f"{nlp}::nlp_segments", hypothesis=nlp, params={"align_within": "document"}, by="speaker"
    )
    assert (run.value("wer", "words", speaker="0"), run.value("wer", "words", speaker="1")) == (4, 2)
    (tmp_path / "wer_tags" / "a.wer_tag.json").unlink()
    run = score("wer", reference=nlp, hypothesis=nlp)
    assert any("of an entity whose class is in no file of wer_tags, read without it" in each for each in run.warnings)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("word|speaker\na|0\n", "a.nlp:1: no column 'token' in the header"),
        ("token|speaker|ts|endTs\na|0|x|\n", "a.nlp:2: time is not a number: 'x'"),
        ("token|speaker|ts|endTs\na|0\n", "a.nlp:2: expected 4 columns, found 2"),
    ],
)
def test_files_at_fault(nlp: Path, text: str, said: str) -> None:
    nlp.write_text(text)
    with pytest.raises(InputError, match=said):
        score("wer", reference=nlp, hypothesis=nlp)
