#!/usr/bin/env bash
# TextGrid 1.6.1 rounds times to five digits, and drops an interval that becomes empty by this, with its label.
# Guess: times and the number of intervals are those of the file.
# So: labels of tiers that are compared by their order no longer belong together.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check TextGrid==1.6.1 praat-parselmouth==0.4.7
cd "$folder"
env/bin/python - <<'PY'
import parselmouth
import textgrid
from parselmouth.praat import call

with open("short.TextGrid", "w") as file:
    file.write('File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n1.5\n<exists>\n1\n"IntervalTier"\n"words"\n0\n1.5\n3\n')
    file.write('0\n0.123451\n"a"\n0.123451\n0.123454\n"click"\n0.123454\n1.5\n"b"\n')
counts = {
    "Praat": int(call(parselmouth.Data.read("short.TextGrid"), "Get number of intervals", 1)),
    "TextGrid": [interval.mark for interval in textgrid.TextGrid.fromFile("short.TextGrid")[0]],
}
print(counts)
assert counts == {"Praat": 3, "TextGrid": ["a", "b"]}, counts
PY
