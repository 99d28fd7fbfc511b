#!/usr/bin/env bash
# praatio 6.2.2 cannot read a TextGrid in the long format in which a time is written as 1e-05.
# Guess: Praat writes and reads such times, so a reader of its files does, too.
# So: the message says that a field is missing, and the file has all its fields.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check praatio==6.2.2 praat-parselmouth==0.4.7
cd "$folder"
env/bin/python - <<'PY'
LONG = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 1.5
tiers? <exists>
size = 1
item []:
    item [1]:
        class = "IntervalTier"
        name = "words"
        xmin = 0
        xmax = 1.5
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = %s
            text = "%s"
        intervals [2]:
            xmin = %s
            xmax = 1.5
            text = "b"
"""

import parselmouth
from parselmouth.praat import call
from praatio import textgrid

with open("small.TextGrid", "w") as file:
    file.write(LONG % ("1e-05", "a", "1e-05"))
assert call(parselmouth.Data.read("small.TextGrid"), "Get end time of interval", 1, 1) == 1e-05, "Praat reads the file"
try:
    textgrid.openTextgrid("small.TextGrid", includeEmptyIntervals=True)
    outcome = "read"
except Exception as error:
    outcome = f"{type(error).__name__}: {error}"
print(outcome)
assert outcome == "ParsingError: Expected field in Textgrid missing.", outcome
PY
