#!/usr/bin/env bash
# pyannote.database 6.1.1: load_rttm makes a recording of an RTTM comment of one word, named by this word, and raises
# an error at longer comments.
# Guess: lines that begin with ;; are comments, as in md-eval.
# So: a loop over recordings scores one without turns, and DER of it counts as missing or as perfect.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pyannote.database==6.1.1 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
from pyannote.database.util import load_rttm

with open("turns.rttm", "w") as file:
    file.write(";; corrected\nSPEAKER talk 1 0.0 1.0 <NA> <NA> ann <NA> <NA>\n")
recordings = {name: len(turns) for name, turns in load_rttm("turns.rttm").items()}
print(recordings)
assert recordings == {"corrected": 0, "talk": 1}, recordings
PY
