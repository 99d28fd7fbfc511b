#!/usr/bin/env bash
# pycaption 2.3.14 reads the italics tags of SRT subtitles as text and writes them into WebVTT as text; of a WebVTT
# voice it makes the text "Ann: yes".
# Guess: tags are no words, as in its own reader of WebVTT, and a speaker is not a part of what is said.
# So: converted subtitles show their tags, and each tag and each voice changes or adds a word.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pycaption==2.3.14
cd "$folder"
env/bin/python - <<'PY'
import pycaption

subtitles = pycaption.SRTReader().read("1\n00:00:00,000 --> 00:00:01,000\n<i>oh no</i>\n\n")
cues = pycaption.WebVTTReader().read(
    "WEBVTT\n\n00:00.000 --> 00:01.000\n<i>oh no</i>\n\n00:01.000 --> 00:02.000\n<v Ann>yes\n"
)
seen = [[cue.get_text() for cue in captions.get_captions("en-US")] for captions in (subtitles, cues)]
written = pycaption.WebVTTWriter().write(subtitles).splitlines()
print(seen, written)
assert seen == [["<i>oh no</i>"], ["oh no", "Ann: yes"]], seen
assert "&lt;i>oh no&lt;/i>" in written, written
PY
