#!/usr/bin/env bash
# webvtt-py 0.6.0: start_in_seconds and end_in_seconds of a cue are whole seconds: a cue from 0.500 to 2.900 s is one from
# 0 to 2 s.
# Guess: seconds with their milliseconds, as the cue has them.
# So: subtitles that are scored as turns or words with times lose up to a second at each end.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check webvtt-py==0.6.0
cd "$folder"
printf 'WEBVTT\n\n00:00.500 --> 00:02.900\nyes\n' > cue.vtt
env/bin/python - <<'PY'
import webvtt

(cue,) = webvtt.read("cue.vtt")
print(cue.start, cue.end, cue.start_in_seconds, cue.end_in_seconds)
assert (cue.start_in_seconds, cue.end_in_seconds) == (0, 2)
PY
