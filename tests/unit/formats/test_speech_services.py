"""JSON of speech services: small files, written by hand after the public descriptions of the vendors."""

import json
from pathlib import Path
from typing import Any

import pytest

from marks import only
from scorespec import score
from scorespec.errors import InputError

# https://docs.aws.amazon.com/transcribe/latest/dg/diarization-output-batch.html
AWS_ITEMS = [
    {
        "id": at,
        **times,
        "speaker_label": speaker,
        "alternatives": [{"confidence": "1.0", "content": said}],
        "type": kind,
    }
    for at, (times, speaker, said, kind) in enumerate(
        [
            ({"start_time": "0.5", "end_time": "0.9"}, "spk_0", "Good", "pronunciation"),
            ({"start_time": "0.9", "end_time": "1.5"}, "spk_0", "morning", "pronunciation"),
            ({}, "spk_0", ".", "punctuation"),
            ({"start_time": "2.0", "end_time": "2.5"}, "spk_1", "Yes", "pronunciation"),
        ]
    )
]
AWS = {
    "jobName": "job",
    "accountId": "111122223333",
    "results": {"transcripts": [{"transcript": "Good morning. Yes"}], "items": AWS_ITEMS},
    "status": "COMPLETED",
}
# https://docs.speechmatics.com/jobsapi (json-v2)
SPEECHMATICS = {
    "format": "2.9",
    "job": {"id": "a1"},
    "metadata": {"type": "transcription"},
    "results": [
        {
            "type": "punctuation" if said == "." else "word",
            "start_time": begin,
            "end_time": end,
            "alternatives": [{"content": said, "confidence": 1.0, "language": "en", "speaker": speaker}],
            **({"attaches_to": "previous"} if said == "." else {}),
        }
        for said, begin, end, speaker in (
            ("Good", 0.5, 0.9, "S1"), ("morning", 0.9, 1.5, "S1"), (".", 1.5, 1.5, "S1"), ("Yes", 2.0, 2.5, "S2"),
        )
    ],
}  # fmt: skip


def google(begin: str, end: str, speaker: str) -> dict[str, Any]:
    """The JSON of V1 or V2; the last result has the words of all results, with speakers."""
    first = [
        {begin: "0.500s", end: "0.900s", "word": "Good"},
        {begin: "0.900s", end: "1.500s", "word": "morning."},
    ]
    words = [*({**each, speaker: 1} for each in first), {begin: "2s", end: "2.500s", "word": "Yes", speaker: 2}]
    return {
        "results": [
            {
                "alternatives": [{"transcript": "Good morning.", "confidence": 0.9, "words": first}],
                "languageCode": "en",
            },
            {"alternatives": [{"transcript": "", "words": words}], "languageCode": "en"},
        ]
    }


# https://learn.microsoft.com/azure/ai-services/speech-service/batch-transcription-get
AZURE = {
    "source": "a.wav",
    "combinedRecognizedPhrases": [{"channel": 0, "display": "Good morning. Yes"}],
    "recognizedPhrases": [
        {
            "recognitionStatus": "Success",
            "speaker": speaker,
            "offsetInTicks": begin,
            "durationInTicks": duration,
            "nBest": [{"confidence": 0.9, "lexical": said.lower(), "display": said}],
        }
        for said, begin, duration, speaker in (
            ("Good morning.", 5000000.0, 10000000.0, 1),
            ("Yes", 20000000.0, 5000000.0, 2),
        )
    ],
}
# https://learn.microsoft.com/azure/ai-services/speech-service/fast-transcription-create
AZURE_FAST = {
    "durationMilliseconds": 3000,
    "combinedPhrases": [{"text": "Good morning. Yes"}],
    "phrases": [
        {"speaker": 1, "offsetMilliseconds": 500, "durationMilliseconds": 1000, "text": "Good morning.", "words": []},
        {"speaker": 2, "offsetMilliseconds": 2000, "durationMilliseconds": 500, "text": "Yes", "words": []},
    ],
}
DEEPGRAM_WORDS = [
    {"word": said.lower().strip("."), "start": begin, "end": end, "speaker": speaker, "punctuated_word": said}
    for said, begin, end, speaker in (("Good", 0.5, 0.9, 0), ("morning.", 0.9, 1.5, 0), ("Yes", 2.0, 2.5, 1))
]
# https://developers.deepgram.com/docs/utterances
DEEPGRAM: dict[str, Any] = {
    "metadata": {"request_id": "r", "channels": 1},
    "results": {"channels": [{"alternatives": [{"transcript": "Good morning. Yes", "words": DEEPGRAM_WORDS}]}]},
}
UTTERANCES = [
    {"start": 0.5, "end": 1.5, "channel": 0, "transcript": "Good morning.", "words": DEEPGRAM_WORDS[:2], "speaker": 0},
    {"start": 2.0, "end": 2.5, "channel": 0, "transcript": "Yes", "words": DEEPGRAM_WORDS[2:], "speaker": 1},
]
# https://www.assemblyai.com/docs/api-reference/transcripts/get
ASSEMBLYAI_WORDS = [
    {"text": "Good", "start": 500, "end": 900, "confidence": 0.9, "speaker": "A"},
    {"text": "morning.", "start": 900, "end": 1500, "confidence": 0.9, "speaker": "A"},
    {"text": "Yes", "start": 2000, "end": 2500, "confidence": 0.9, "speaker": "B"},
]
ASSEMBLYAI = {
    "id": "t",
    "audio_url": "https://example.com/a.wav",
    "status": "completed",
    "text": "Good morning. Yes",
    "words": ASSEMBLYAI_WORDS,
    "utterances": [
        {"speaker": "A", "text": "Good morning.", "start": 500, "end": 1500, "words": ASSEMBLYAI_WORDS[:2]},
        {"speaker": "B", "text": "Yes", "start": 2000, "end": 2500, "words": ASSEMBLYAI_WORDS[2:]},
    ],
}
FILES = {
    "AWS": AWS,
    "Speechmatics": SPEECHMATICS,
    "Google V1": google("startTime", "endTime", "speakerTag"),
    "Google V2": google("startOffset", "endOffset", "speakerLabel"),
    "Azure": AZURE,
    "Azure fast": AZURE_FAST,
    "Deepgram": {**DEEPGRAM, "results": {**DEEPGRAM["results"], "utterances": UTTERANCES}},
    "Deepgram without utterances": DEEPGRAM,
    "AssemblyAI": ASSEMBLYAI,
    "AssemblyAI without utterances": {**ASSEMBLYAI, "utterances": None},
}


@pytest.fixture(params=only(["AWS", "Google V1", "Azure", "Deepgram"], FILES))
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The same two turns as each service writes them; half of the files have line breaks."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps(FILES[request.param], indent=2 if request.param < "B" else None))
    return path


def test_a_service_has_words_segments_and_turns(file: Path) -> None:
    has_words = "Phrases" not in file.read_text()  # those of Azure
    text, stm, rttm = (file.parent / f"a.{suffix}" for suffix in ("txt", "stm", "rttm"))
    text.write_text("Good morning. no")
    stm.write_text("a 1 x 0.5 1.5 Good morning.\na 1 y 2.0 2.5 no\n")
    turns = (("0.5", "1.0", "ann"), ("2.0", "0.5", "bob"))
    rttm.write_text("".join(f"SPEAKER a 1 {at} {dur} <NA> <NA> {who} <NA> <NA>\n" for at, dur, who in turns))
    assert score("wer", reference=f"{text}::text", hypothesis=file).value("wer") == pytest.approx(1 / 3)
    for given in (f"{file}::service_segments", *([file] if has_words else [])):
        assert score("wer", reference=stm, hypothesis=given).value("wer") == pytest.approx(1 / 3)
    assert score("meeting", reference=stm, hypothesis=file).value("cpwer") == pytest.approx(1 / 3)
    assert score("der_pyannote", reference=rttm, hypothesis=file).value("der") == 0


def test_results_of_google_that_each_have_speakers_are_all_read(tmp_path: Path) -> None:
    words = [
        {"startOffset": f"{at}s", "word": word, "speakerLabel": "1"} for at, word in enumerate(("yes", "we", "can"))
    ]
    results = [{"alternatives": [{"transcript": " ".join(each["word"] for each in some), "words": some}]}
               for some in (words[:2], words[2:])]  # fmt: skip
    (tmp_path / "a.json").write_text(json.dumps({"results": results}))
    (tmp_path / "a.txt").write_text("yes we can")
    assert score("wer", reference=f"{tmp_path / 'a.txt'}::text", hypothesis=tmp_path / "a.json").value("wer") == 0


def test_json_of_no_service_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"results": {"items": [{"type": "pronunciation", "alternatives": [{"content": []}]}]}}')
    with pytest.raises(InputError, match=r"a.json:1: alternatives.0.content is not text"):
        score("wer", reference=f"{path}::service", hypothesis=f"{path}::service")
    path.write_text('{"text": "x"}')
    with pytest.raises(InputError, match=r"a.json:1: JSON of no known service \(AWS Transcribe, Speechmatics"):
        score("wer", reference=f"{path}::service", hypothesis=f"{path}::service")
