#!/usr/bin/env bash
# gridio 1.0.5 and praat-textgrids 1.4.0 keep the doubled quotes inside of a TextGrid label, and lose those at its
# end.
# Guess: Praat's text ''say "hi"'' is read as say "hi", as Praat reads it.
# So: words have signs that nobody wrote, and differ from the same words in another format.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check gridio==1.0.5 praat-textgrids==1.4.0 praat-parselmouth==0.4.7
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

import gridio
import parselmouth
import textgrids
from parselmouth.praat import call

with open("quoted.TextGrid", "w") as file:
    file.write(LONG % ("0.75", 'say ""hi""', "0.75"))
seen = {
    "Praat": call(parselmouth.Data.read("quoted.TextGrid"), "Get label of interval", 1, 1),
    "gridio": gridio.textgrid_to_data("quoted.TextGrid")[2][0][2][0][2],
    "praat-textgrids": textgrids.TextGrid("quoted.TextGrid")["words"][0].text,
}
print(seen)
assert seen["Praat"] == 'say "hi"', seen
assert seen["gridio"] == seen["praat-textgrids"] == 'say ""hi', seen
PY
