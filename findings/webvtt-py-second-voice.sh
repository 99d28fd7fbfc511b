#!/usr/bin/env bash
# webvtt-py 0.6.0: a cue with two voices has the first voice alone, and its text keeps entities such as &amp;.
# Guess: text is what a viewer reads, and each voice of a cue can be told from the others.
# So: the words of the second speaker are given to the first, and "&amp;" is scored as a word.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check webvtt-py==0.6.0
cd "$folder"
env/bin/python - <<'PY'
import webvtt

with open("talk.vtt", "w") as file:
    file.write("WEBVTT\n\n00:00.000 --> 00:02.000\n<v Bob>this &amp; that</v>\n<v Ann>yes</v>\n")
cue = webvtt.read("talk.vtt")[0]
print(repr(cue.text), repr(cue.voice))
assert (cue.text, cue.voice) == ("this &amp; that\nyes", "Bob"), (cue.text, cue.voice)
PY
