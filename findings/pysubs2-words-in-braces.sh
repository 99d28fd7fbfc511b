#!/usr/bin/env bash
# pysubs2 1.8.1: words in braces vanish from the plain text of SRT subtitles, and the speaker of a WebVTT voice from
# its cue.
# Guess: braces are signs of SubStation Alpha; in SRT they are text, as the package srt reads them. A voice becomes
# the name of the event.
# So: "{laughs}" or the alternatives "{a / b}" of a transcript are removed before anything is scored.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pysubs2==1.8.1 srt==3.5.3
cd "$folder"
env/bin/python - <<'PY'
import pysubs2
import srt

subtitle = "1\n00:00:01,000 --> 00:00:02,000\nso {laughs} yes\n\n"
cue = pysubs2.SSAFile.from_string("WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ann>hello\n", format_="vtt")[0]
seen = {
    "pysubs2": pysubs2.SSAFile.from_string(subtitle, format_="srt")[0].plaintext,
    "srt": next(iter(srt.parse(subtitle))).content,
    "voice": (cue.name, cue.plaintext),
}
print(seen)
assert seen == {"pysubs2": "so  yes", "srt": "so {laughs} yes", "voice": ("", "hello")}, seen
PY
