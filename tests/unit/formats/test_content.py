"""What a file is, by its content: each format read as each other is refused, warned of, or has the same score."""

import json
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pytest

import scorespec
from marks import first
from scorespec.errors import InputError, ScorespecError

# Two utterances, and their recognition with one error in six words.
FORMS = {
    "trn": "{} (ann-1)\n{} (bob-2)\n",
    "stm": "ann 1 ann 0.0 1.5 {}\nbob 1 bob 2.0 3.5 {}\n",
    "kaldi": "ann-1 {}\nbob-2 {}\n",
    "lines": "{}\n{}\n",
    "sgml": "<DOC><DOCNO> d </DOCNO>\n<Segment ID=1>\n{}\n</Segment>\n<Segment ID=2>\n{}\n</Segment>\n</DOC>\n",
    "jsonl": '{{"id": "ann-1", "text": "{}"}}\n{{"id": "bob-2", "text": "{}"}}\n',
    "seglst": '[{{"session_id": "ann", "words": "{}"}}, {{"session_id": "bob", "words": "{}"}}]',
    "csv": "utt,text\nann-1,{}\nbob-2,{}\n",
    "tsv": "utt\ttext\nann-1\t{}\nbob-2\t{}\n",
    "srt": "1\n00:00:01,000 --> 00:00:02,500\n{}\n\n2\n00:00:03,000 --> 00:00:04,500\n{}\n",
    "vtt": "WEBVTT\n\n00:01.000 --> 00:02.500\n{}\n\n00:03.000 --> 00:04.500\n{}\n",
    "textgrid": 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n2\n<exists>\n1\n"IntervalTier"\n"text"\n'
    '0\n2\n2\n0\n1\n"{}"\n1\n2\n"{}"\n',
    "eaf": '<ANNOTATION_DOCUMENT xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd" FORMAT="3.0" VERSION="3.0" AUTHOR="" '
    'DATE="2024-01-01T00:00:00+00:00"><TIME_ORDER><TIME_SLOT TIME_SLOT_ID="t1" TIME_VALUE="0"/>'
    '<TIME_SLOT TIME_SLOT_ID="t2" TIME_VALUE="900"/><TIME_SLOT TIME_SLOT_ID="t3" TIME_VALUE="2000"/></TIME_ORDER>'
    '<TIER LINGUISTIC_TYPE_REF="u" TIER_ID="text"><ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" '
    'TIME_SLOT_REF1="t1" TIME_SLOT_REF2="t2"><ANNOTATION_VALUE>{}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>'
    '</ANNOTATION><ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a2" TIME_SLOT_REF1="t2" TIME_SLOT_REF2="t3">'
    "<ANNOTATION_VALUE>{}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>"
    '<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="u" TIME_ALIGNABLE="true" GRAPHIC_REFERENCES="false"/></ANNOTATION_DOCUMENT>',
    "nlp": "token|speaker\n{}|0\n{}|0\n",
    "whisper": '{{"segments": [{{"text": "{}"}}, {{"text": "{}"}}]}}',
    "service": '{{"results": [{{"alternatives": [{{"transcript": "{}"}}]}},\n'
    '{{"alternatives": [{{"transcript": "{}"}}]}}]}}',
    "pra": "id: (ann-1)\nScores: (#C #S #D #I) 3 0 0 0\nREF: {}\nid: (bob-2)\nScores: (#C #S #D #I) 3 0 0 0\nREF: {}\n",
}
READ = (
    *("trn", "stm", "ctm", "kaldi", "lines", "sgml", "jsonl", "seglst", "csv", "tsv", "whisper", "service"),
    *("srt", "vtt", "textgrid", "eaf", "nlp", "text", ""),
)
LIBRARIES = {"srt": "webvtt", "vtt": "webvtt", "textgrid": "praatio", "eaf": "pympi"}
TEXTS = (("good morning all", "see you soon"), ("good morning al", "see you soon"))


def outcome(folder: Path, form: str, given: str, suffix: str) -> tuple[str, float | None]:
    """`refused`, `warned` or `scored`, and the word error rate."""
    paths = [folder / side / f"a.{suffix}" for side in ("ref", "hyp")]
    for path, texts in zip(paths, TEXTS, strict=True):
        path.parent.mkdir(exist_ok=True)
        words = [text.replace(" ", "|0\n") for text in texts] if form == "nlp" else texts
        path.write_text(FORMS[form].format(*words))
    reference, hypothesis = (f"{path}::{given}" if given else str(path) for path in paths)
    try:
        run = scorespec.score("wer", reference=reference, hypothesis=hypothesis)
    except ScorespecError:
        return "refused", None
    return "warned" if run.warnings else "scored", run.value("wer")


@pytest.mark.slow
@pytest.mark.parametrize("form", first(FORMS, 3))
def test_each_format_read_as_each_other(tmp_path: Path, form: str) -> None:
    silent = []
    for given in READ:
        for suffix in dict.fromkeys((form, "txt") if not given else (form,)):
            how, value = outcome(tmp_path, form, given, suffix)
            if given == form and find_spec(LIBRARIES.get(form, "scorespec")):
                assert (how, value) == ("scored", pytest.approx(1 / 6))
            elif how == "scored" and value != pytest.approx(1 / 6):
                silent.append((given, suffix, value))
    assert not silent


@pytest.mark.parametrize("form", ["trn", "stm", "kaldi", "lines", "sgml", "jsonl", "seglst"])
def test_a_text_is_what_its_content_is(tmp_path: Path, form: str) -> None:
    suffix = "json" if form in ("jsonl", "seglst") else "txt"
    assert outcome(tmp_path, form, "", suffix)[1] == pytest.approx(1 / 6)


@pytest.mark.parametrize("form", first(["jsonl", "seglst", "srt", "vtt", "textgrid", "eaf", "pra"], 3))
@pytest.mark.parametrize("given", ["", "lines", "kaldi", "trn"])
def test_no_message_advises_to_score_markup(tmp_path: Path, form: str, given: str) -> None:
    path = tmp_path / "given.txt"
    path.write_text(FORMS[form].format(*TEXTS[0]))
    if not given and form != "pra":  # it is read
        return
    with pytest.raises(InputError) as caught:
        scorespec.score("wer", reference=f"{path}::{given}" if given else path, hypothesis=path)
    assert not any(f"::{name}" in str(caught.value) for name in ("lines", "kaldi", "trn", "stm"))
    assert any(what in str(caught.value) for what in ("JSON", "subtitles", "TextGrid", "EAF", "sclite"))


def test_a_reference_without_words_is_refused(tmp_path: Path) -> None:
    empty, text = tmp_path / "empty.lines", tmp_path / "text.lines"
    empty.write_text("\n\n")
    text.write_text("yes\n\n")
    with pytest.raises(InputError, match=r"empty.lines: none of 2 rows has a token; reference needs at least 1"):
        scorespec.score("wer", reference=empty, hypothesis=text)
    assert scorespec.score("wer", reference=text, hypothesis=empty).value("wer") == 1


def test_segments_of_whisper_without_times_of_words_can_be_read(tmp_path: Path) -> None:
    reference, heard = tmp_path / "ref.stm", tmp_path / "d.json"
    reference.write_text("d 1 ann 0 1 yes\nd 1 ann 1 2 no\n")
    heard.write_text('{"segments": [{"text": "yes", "start": 0, "end": 1}, {"text": "no", "start": 1, "end": 2}]}')
    with pytest.raises(InputError, match=r"document d is read without segments, .*::whisper_segments"):
        scorespec.score("wer", reference=reference, hypothesis=heard)
    assert scorespec.score("wer", reference=reference, hypothesis=f"{heard}::whisper_segments").value("wer") == 0


def test_a_phrase_a_line_is_a_list(tmp_path: Path) -> None:
    said, heard, names = tmp_path / "said.trn", tmp_path / "heard.trn", tmp_path / "names.txt"
    said.write_text("to New York (a-1)\nRome (a-2)\n")
    heard.write_text("to New York (a-1)\nroam (a-2)\n")
    names.write_text("New  York\n\nRome\n")
    run = scorespec.score("wordlists", reference=said, hypothesis=heard, lists=names)
    assert run.value("phrases", "recall", list="names") == 1 / 2
    assert [*run.warnings] == [f"note: {names}: read as phrases: a phrase a line"]
    heard.write_text("to New York (a-1)\n«Rome», (a-2)\n")
    run = scorespec.score("wordlists", reference=said, hypothesis=heard, lists=names)
    warned = "the texts have listed words with punctuation, which are not counted as listed: «ROME»,"
    assert f"{warned} (set punctuation=remove)" in run.warnings
    heard.write_text("to New York’s, New's (a-1)\nRome (a-2)\n")
    run = scorespec.score("wordlists", reference=said, hypothesis=heard, lists=names, params={"punctuation": "remove"})
    warned = "the texts have possessives of listed words, which are not counted as listed: YORK'S (list them, too)"
    assert warned in run.warnings
    names.write_text("York, New\nRome\n")
    with pytest.raises(InputError) as caught:
        scorespec.score("wordlists", reference=said, hypothesis=heard, lists=names)
    formats = f"write lists={names}::FORMAT, one of tsv, jsonl, phrases, parquet"
    read = f"{names}: read as csv, because neither suffix nor content tells another format"
    assert str(caught.value).startswith(f"{read}: {formats}\n{names}:1: no column 'phrase' (it has: York, New)")
    files = [tmp_path / "towns.csv", tmp_path / "more.csv"]
    for path, phrase in zip(files, ("New York", "Rome"), strict=True):
        path.write_text(f"phrase\n{phrase}\n")
    for lists in (pa.table({"phrase": ["New York", "Rome"]}), files):
        run = scorespec.score("wordlists", reference=said, hypothesis=heard, lists=lists)
        assert run.value("phrases", "possible", list="lists") == 2


def test_a_list_of_json_rows_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{"id": "a", "text": "yes", "pred_text": "no"}], indent=2))
    assert scorespec.score("wer", reference=path, hypothesis=path).value("wer") == 1


def test_a_name_that_is_repeated_is_no_line_of_words(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("utt-1 hello world\nutt-2 day\nutt-2 day\n")
    with pytest.raises(InputError, match="ref:3: utterance utt-2 is repeated"):
        scorespec.score("wer", reference=tmp_path / "ref", hypothesis=tmp_path / "ref")
    (tmp_path / "ref").write_text("twenty-one hello world\ntwenty-two day\ntwenty-two day\n")
    run = scorespec.score("wer", reference=tmp_path / "ref", hypothesis=tmp_path / "ref")
    assert run.value("wer", "words") == 7


def test_names_of_files_are_names_of_utterances(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("alpha.wav a b c\nbeta.wav d\n")
    (tmp_path / "hyp").write_text("beta.wav d\nalpha.wav a b\n")
    run = scorespec.score("wer", reference=tmp_path / "ref", hypothesis=tmp_path / "hyp")
    assert run.value("wer") == 1 / 4


def test_labels_of_htk_are_no_lines_of_words(tmp_path: Path) -> None:
    (tmp_path / "ref.mlf").write_text('#!MLF!#\n"*/a.lab"\nhello\n.\n')
    with pytest.raises(InputError, match="a label file of HTK"):
        scorespec.score("wer", reference=tmp_path / "ref.mlf", hypothesis=tmp_path / "ref.mlf")


@pytest.mark.parametrize("found", [{"text": "a b"}, {"text": "a b", "segments": []}, {"text": "a b", "chunks": []}])
def test_json_of_one_text_is_that_of_its_file(tmp_path: Path, found: dict[str, object]) -> None:
    (tmp_path / "talk.txt").write_text("a b")
    (tmp_path / "talk.json").write_text(json.dumps(found))
    run = scorespec.score("wer", reference=f"{tmp_path / 'talk.txt'}::text", hypothesis=tmp_path / "talk.json")
    assert run.value("wer") == 0
