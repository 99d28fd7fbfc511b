#!/usr/bin/env bash
# pyannote.database 6.1.1: load_rttm reads the speakers "NA", "None" and "nan" as one missing value.
# Guess: names are text; only the fields that RTTM writes as <NA> are missing.
# So: three speakers become one label, nan, and a speaker called Na in capital letters disappears.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pyannote.database==6.1.1 'setuptools<80'
cd "$folder"
env/bin/python - <<'PY'
from pyannote.database.util import load_rttm

with open("turns.rttm", "w") as file:
    for at, name in enumerate(("NA", "None", "nan", "Ann")):
        file.write(f"SPEAKER talk 1 {at}.0 1.0 <NA> <NA> {name} <NA> <NA>\n")
labels = [str(label) for _, _, label in load_rttm("turns.rttm")["talk"].itertracks(yield_label=True)]
print(labels)
assert labels == ["nan", "nan", "nan", "Ann"], labels
PY
