"""One file a recording: plain text and JSON of Whisper, faster-whisper and WhisperX, in folders and patterns."""

import json
from pathlib import Path
from typing import Any

import pytest

from scorespec import score
from scorespec.errors import InputError

WHISPER = {
    "text": " good morning al",
    "language": "en",
    "segments": [{"id": 0, "start": 0.0, "end": 1.5, "text": " good morning al"}],
}
TIMED = {
    "segments": [
        {
            "start": 0.5,
            "end": 2.0,
            "text": " well-known all",
            "words": [
                {"word": " well", "start": 0.5, "end": 0.9, "probability": 0.9},
                {"word": "-known", "start": 0.9, "end": 1.2},
                {"word": " all", "start": 1.3, "end": 2.0},
            ],
        }
    ]
}
WHISPERX = {
    "segments": [
        {
            "start": 0.0,
            "end": 1.0,
            "text": " see you",
            "speaker": "S1",
            "words": [
                {"word": "see", "start": 0.0, "end": 0.4, "speaker": "S1"},
                {"word": "you", "start": 0.5, "end": 1.0},
            ],
        }
    ]
}
CHUNKS = {
    "text": " a b c",
    "chunks": [{"timestamp": [0.0, 1.0], "text": " a b"}, {"timestamp": [1.0, None], "text": " c"}],
}


def folder_of(path: Path, files: dict[str, Any]) -> Path:
    path.mkdir()
    for name, content in files.items():
        (path / name).write_text(content if isinstance(content, str) else json.dumps(content, indent=2))
    return path


@pytest.mark.parametrize("pattern", ["{}", "{}/*.txt", "{}/*"])
def test_texts_in_a_folder_are_documents(tmp_path: Path, pattern: str) -> None:
    reference = folder_of(tmp_path / "ref", {"a.txt": "good morning\nall\n", "b-1.txt": "see you"})
    hypothesis = folder_of(tmp_path / "hyp", {"b-1.txt": "see you", "a.txt": "good\nmorning al"})
    run = score("wer", reference=pattern.format(reference), hypothesis=pattern.format(hypothesis))
    assert run.value("wer") == pytest.approx(1 / 5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("found", "text"),
    [
        (WHISPER, "good morning al"),
        (TIMED, "well-known all"),
        (WHISPERX, "see you"),
        (CHUNKS, "a b c"),
        ({"text": "x y"}, "x y"),
        (TIMED["segments"], "well-known all"),
        ([{"id": 1, "seek": 0, "start": 0.0, "end": 1.0, "text": " a b", "words": None}], "a b"),
    ],
)
def test_json_of_recognisers_has_the_words_of_its_text(tmp_path: Path, found: Any, text: str) -> None:
    reference = folder_of(tmp_path / "ref", {"a.txt": text, "b.txt": "yes"})
    hypothesis = folder_of(tmp_path / "hyp", {"a.json": found, "b.json": {"text": "no", "segments": [{"text": "no"}]}})
    run = score("wer", reference=reference, hypothesis=hypothesis)
    words = len(text.split()) + 1
    assert (run.value("wer"), run.value("wer", "words")) == (pytest.approx(1 / words), words)


def test_words_with_times_belong_to_the_segments_of_a_reference(tmp_path: Path) -> None:
    reference = tmp_path / "ref.stm"
    reference.write_text("a 1 s 0.0 1.25 well-known\na 1 s 1.25 3.0 all\n")
    hypothesis = folder_of(tmp_path / "hyp", {"a.json": TIMED})
    assert score("wer", reference=reference, hypothesis=f"{hypothesis}/a.json").value("wer") == 0


def test_segments_of_whisperx_have_speakers_in_meetings(tmp_path: Path) -> None:
    reference = tmp_path / "ref.stm"
    reference.write_text("a 1 ann 0.0 1.0 see you\n")
    (tmp_path / "a.json").write_text(json.dumps(WHISPERX))
    run = score("meeting", reference=reference, hypothesis=f"{tmp_path}/a.json::whisper_segments")
    assert run.value("cpwer") == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"segments": [{"text": 5}]}', "a.json:1: a segment or word without a text, or with one that is not text"),
        ('{"segments": [{"text": "a", "start": "x"}]}', "a.json:1: start is not a number: 'x'"),
        ('{"segments": [', "a.json:1: not JSON"),
        ('{"words": []}', "a.json:1: no JSON of Whisper"),
    ],
)
def test_json_at_fault(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(InputError, match=said):
        score("wer", reference=f"{path}::whisper", hypothesis=f"{path}::whisper")


def test_a_choice_for_several_files_is_noted_once(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "ref", {"a.txt": "good morning", "b.txt": "yes"})
    (note,) = {each for each in score("wer", reference=folder, hypothesis=folder).warnings if "read as text" in each}
    assert note.startswith(f"note: {folder}, 2 files: read as text: the text of one recording")


def test_a_folder_of_kaldi_is_its_text(tmp_path: Path) -> None:
    reference = folder_of(
        tmp_path / "data", {"text": "ann-1 good morning all\nann-2 see you\n", "utt2spk": "ann-1 ann\nann-2 ann\n"}
    )
    hypothesis = folder_of(tmp_path / "decode", {"text": "ann-2 see you\nann-1 good morning al\n", "log.txt": "done"})
    assert score("wer", reference=reference, hypothesis=hypothesis).value("wer") == pytest.approx(1 / 5)


KALDI = {
    "text": "ann-1 yes\nann-2 see you\nbob-1 good morning all\n",
    "segments": "ann-1 call 0.5 0.9\nann-2 call 3 -1\nbob-1 call 1.2 2.5\n",
    "utt2spk": "ann-1 Ann\nann-2 Ann\nbob-1 Bob\n",
}


def test_a_folder_of_kaldi_has_recordings_times_and_speakers(tmp_path: Path) -> None:
    reference = folder_of(tmp_path / "data", KALDI)
    hypothesis = folder_of(tmp_path / "decode", {"text": KALDI["text"].replace("all", "al")})
    run = score("wer", reference=reference, hypothesis=hypothesis, output=tmp_path / "runs.duckdb")
    assert run.value("wer") == pytest.approx(1 / 6)
    found = run.sql(
        "SELECT DISTINCT document, segment, speaker, segment_onset, segment_offset FROM evidence_alignment ORDER BY 2"
    )
    assert [tuple(row.values()) for row in found.to_pylist()] == [
        ("call", "ann-1", "Ann", 0.5, 0.9),
        ("call", "ann-2", "Ann", 3.0, None),
        ("call", "bob-1", "Bob", 1.2, 2.5),
    ]


def test_words_with_times_are_given_to_the_segments_of_a_folder_of_kaldi(tmp_path: Path) -> None:
    reference = folder_of(tmp_path / "data", KALDI | {"segments": KALDI["segments"].replace(" -1", " 4")})
    ctm = tmp_path / "hyp.ctm"
    words = ((0.6, "yes"), (1.3, "good"), (1.6, "morning"), (2.0, "all"), (3.1, "see"), (3.5, "you"))
    ctm.write_text("".join(f"call 1 {time} 0.1 {word}\n" for time, word in words))
    assert score("wer", reference=reference, hypothesis=ctm).value("wer") == 0


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"segments": "ann-1 call 0.5 0.9\n"}, "data/text:2: utterance ann-2 is not in .*data/segments"),
        ({"utt2spk": "ann-1 Ann\n"}, "data/text:2: utterance ann-2 is not in .*data/utt2spk"),
        ({"utt2spk": "ann-1 Ann B\n"}, "data/utt2spk:1: expected 'utterance speaker'"),
        ({"segments": "ann-1 call 0.5 x\n"}, "data/segments:1: time is not a number: 'x'"),
    ],
)
def test_folders_of_kaldi_at_fault(tmp_path: Path, files: dict[str, str], said: str) -> None:
    reference = folder_of(tmp_path / "data", KALDI | files)
    with pytest.raises(InputError, match=said):
        score("wer", reference=reference, hypothesis=reference)
