#!/usr/bin/env bash
# pyannote.database 6.1.1 drops the channel of RTTM turns: the turns of two channels overlap, and DER counts both.
# Guess: channels are kept apart, as md-eval does, or a file with two channels is refused.
# So: a two-channel call whose speaker was found on channel 1 has a DER of 0.5 with half of the speech called missed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pyannote.database==6.1.1 pyannote.metrics==4.2.0 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
from pyannote.database.util import load_rttm
from pyannote.metrics.diarization import DiarizationErrorRate

with open("two.rttm", "w") as file:
    for channel in (1, 2):
        file.write(f"SPEAKER call {channel} 0.0 4.0 <NA> <NA> ann <NA> <NA>\n")
with open("one.rttm", "w") as file:
    file.write("SPEAKER call 1 0.0 4.0 <NA> <NA> x <NA> <NA>\n")
reference, hypothesis = load_rttm("two.rttm")["call"], load_rttm("one.rttm")["call"]
detailed = DiarizationErrorRate()(reference, hypothesis, detailed=True)
print(detailed)
assert detailed["total"] == 8.0 and detailed["missed detection"] == 4.0, detailed
PY
