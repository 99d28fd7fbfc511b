#!/usr/bin/env bash
# rttm-manager 0.1.8 writes times with two digits: a turn from 0.005 to 1.2395 s becomes one from 0.01 to 1.24 s.
# Guess: what was read from a file is written back as it was.
# So: reading and writing a file moves turns by up to 5 ms, and each copy is scored differently near the ends of
# turns.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check rttm-manager==0.1.8
cd "$folder"
env/bin/python - <<'PY'
from rttm_manager import export_rttm, import_rttm

with open("turns.rttm", "w") as file:
    file.write("SPEAKER talk 1 0.005 1.2345 <NA> <NA> ann <NA> <NA>\n")
export_rttm(import_rttm("turns.rttm"), "copy.rttm")
copy = open("copy.rttm").read()
print(copy)
assert copy.split()[3:5] == ["0.01", "1.23"], copy
PY
