#!/usr/bin/env bash
# pympi-ling 1.71 reads the time 1e-05 of a TextGrid as 5.0 seconds; Praat writes small times in this way.
# Guess: 0.00001, as Praat itself reads it.
# So: an interval that begins after 10 microseconds begins after 5 seconds, behind the end of the file, without a
# word.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pympi-ling==1.71 praat-parselmouth==0.4.7
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
import pympi
from parselmouth.praat import call

with open("small.TextGrid", "w") as file:
    file.write(LONG % ("1e-05", "a", "1e-05"))
ends = {
    "Praat": call(parselmouth.Data.read("small.TextGrid"), "Get end time of interval", 1, 1),
    "pympi": next(iter(pympi.Praat.TextGrid("small.TextGrid").get_tier("words").get_all_intervals()))[1],
}
print(ends)
assert ends == {"Praat": 1e-05, "pympi": 5.0}, ends
PY
