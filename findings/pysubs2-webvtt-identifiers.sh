#!/usr/bin/env bash
# pysubs2 1.8.1: the identifier of a WebVTT cue becomes text of the cue before it, unless it is a number.
# Guess: an identifier, which is any line before the times of a cue, is no text, as the package webvtt-py reads it.
# So: subtitles with named cues have words that nobody said, and each counts as an insertion.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pysubs2==1.8.1 webvtt-py==0.6.0
cd "$folder"
env/bin/python - <<'PY'
import pysubs2
import webvtt

text = "WEBVTT\n\nfirst\n00:01.000 --> 00:02.000\nyes\n\nsecond\n00:03.000 --> 00:04.000\nno\n"
with open("talk.vtt", "w") as file:
    file.write(text)
seen = {
    "pysubs2": [event.plaintext for event in pysubs2.load("talk.vtt")],
    "webvtt-py": [cue.text for cue in webvtt.read("talk.vtt")],
}
print(seen)
assert seen == {"pysubs2": ["yes\n\nsecond", "no"], "webvtt-py": ["yes", "no"]}, seen
PY
